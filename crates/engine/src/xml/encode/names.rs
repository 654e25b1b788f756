//! Encoding: names with their namespaces.

use super::Xml;
use roadwire_layout::{Name, Node, NodeId, Span, XmlNode};
use roadwire_wire::Rejected;

use super::Tag;
use crate::encode::Encoder;

impl Encoder<'_, '_, '_, Xml> {
    #[inline]
    pub(crate) fn qualified_name(&mut self, name: Name, namespace: Option<NodeId>) -> Result<(), Rejected> {
        if let Some(namespace) = namespace {
            self.prefix(namespace)?;
        }
        self.put(self.layout.name(name).as_bytes())
    }

    #[cold]
    #[inline(never)]
    fn prefix(&mut self, namespace: NodeId) -> Result<(), Rejected> {
        let Node::Xml(XmlNode::Namespace { prefix, .. }) = *self.layout.node(namespace) else {
            return self.misplaced();
        };
        self.put(self.layout.name(prefix).as_bytes())?;
        self.put(b":")
    }

    /// The declarations in the document element's start tag.
    #[cold]
    #[inline(never)]
    pub(crate) fn namespaces(&mut self) -> Result<(), Rejected> {
        let layout = self.layout;
        let declared = core::mem::take(&mut self.family.document.namespaces);
        for node in layout.numbers(declared) {
            let Node::Xml(XmlNode::Namespace { prefix, uri }) = *layout.node(NodeId(*node)) else {
                return self.misplaced();
            };
            self.put(b" xmlns:")?;
            self.put(layout.name(prefix).as_bytes())?;
            self.put(b"=\"")?;
            self.family.tag = Tag::Attribute;
            self.xml_characters(layout.name(uri), false)?;
            self.put(b"\"")?;
        }
        self.family.tag = Tag::Open;
        self.family.document.namespaces = Span::default();
        Ok(())
    }
}
