//! Encoding: XML documents.

use alloc::boxed::Box;

use roadwire_layout::{Addition, GROUP, Member, Name, Node, NodeId, Presence, Span, XmlNode};
use roadwire_wire::rt::xml;
use roadwire_wire::{Data, ErrorKind, Rejected};

use crate::default::DefaultValue;
use crate::encode::{Encoder, Family};
use crate::equal::is_default;

mod embedded;
mod leaf;
mod names;

use self::embedded::Embedded;

/// The start tag that is being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tag {
    /// None.
    #[default]
    Complete,
    /// Written except for its end, which depends on whether the element has content.
    Open,
    /// The value of one of its attributes is being written.
    Attribute,
}

/// The state that extended XER adds to a document.
#[derive(Default)]
pub(crate) struct Document {
    /// The namespaces that the next start tag declares.
    namespaces: Span,
    /// The texts between the elements that are being written.
    embedded: Option<Box<Embedded>>,
}

/// XER.
#[derive(Default)]
pub(crate) struct Xml {
    /// The start tag that is being written.
    tag: Tag,
    document: Document,
}

impl Family for Xml {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let node = encoder.layout.node(id);
        match node {
            Node::Xml(node) => encoder.xml(node, value),
            Node::Contained { string, content, .. } => encoder.containing(*string, *content, value),
            _ => encoder.of_any_family(node, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Xml> {
    #[inline(never)]
    pub(crate) fn xml(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            XmlNode::Prolog { element, namespaces } => {
                self.family.document.namespaces = namespaces;
                self.node(element, value)
            }
            XmlNode::Tags { name, namespace, content } => self.tags(name, namespace, content, value),
            XmlNode::Attribute { .. } => self.attribute(node, value),
            XmlNode::OrEmpty { content, value: default } => self.or_empty(content, default, value),
            XmlNode::CanonicalTime { content, generalized } => self.canonical_time(content, generalized, value),
            XmlNode::Components { .. } => self.components(node, value),
            XmlNode::OneOf { .. } => self.one_of(node, value),
            XmlNode::Elements { .. } => self.elements(node, value),
            XmlNode::Typed { .. } => self.typed(node, value),
            _ => self.xml_leaf(node, value),
        }
    }

    fn tags(
        &mut self,
        name: Name,
        namespace: Option<NodeId>,
        content: NodeId,
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        let outer = if self.family.document.embedded.is_some() { self.next_embedded()? } else { None };
        self.start_tag(name, namespace)?;
        self.node(content, value)?;
        if outer.is_some() {
            self.family.document.embedded = outer;
        }
        self.end_tag(name, namespace)
    }

    #[inline(never)]
    fn start_tag(&mut self, name: Name, namespace: Option<NodeId>) -> Result<(), Rejected> {
        self.markup_begins()?;
        self.put(b"<")?;
        self.qualified_name(name, namespace)?;
        self.family.tag = Tag::Open;
        if self.family.document.namespaces.count > 0 { self.namespaces() } else { Ok(()) }
    }

    #[inline(never)]
    fn end_tag(&mut self, name: Name, namespace: Option<NodeId>) -> Result<(), Rejected> {
        if self.family.tag == Tag::Open {
            self.family.tag = Tag::Complete;
            return self.put(b"/>");
        }
        if namespace.is_none() {
            return self.put(self.layout.xml_end_tag(name));
        }
        self.put(b"</")?;
        self.qualified_name(name, namespace)?;
        self.put(b">")
    }

    fn attribute(&mut self, node: &XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Attribute { name, namespace, content } = *node else { return self.misplaced() };
        self.put(b" ")?;
        self.qualified_name(name, namespace)?;
        self.put(b"=\"")?;
        self.family.tag = Tag::Attribute;
        self.node(content, value)?;
        self.family.tag = Tag::Open;
        self.put(b"\"")
    }

    /// A value whose element may be empty (X.693 §23), if it is this DEFAULT.
    #[cold]
    #[inline(never)]
    fn or_empty(&mut self, content: NodeId, default: u32, value: &dyn Data) -> Result<(), Rejected> {
        if is_default(self.layout, default, value) {
            return Ok(());
        }
        self.node(content, value)?;
        if self.family.tag == Tag::Open {
            return self.mismatch("a value that is written as something: an empty element stands for another");
        }
        Ok(())
    }

    /// Writes text that needs no references, inside an element.
    pub(crate) fn markup(&mut self, text: &str) -> Result<(), Rejected> {
        if text.is_empty() {
            return Ok(());
        }
        self.markup_begins()?;
        self.put(text.as_bytes())
    }

    /// Ends a start tag before content is written.
    pub(crate) fn markup_begins(&mut self) -> Result<(), Rejected> {
        if self.family.tag == Tag::Open {
            self.family.tag = Tag::Complete;
            return self.put(b">");
        }
        Ok(())
    }

    /// An empty element.
    pub(crate) fn empty_element(&mut self, name: &str) -> Result<(), Rejected> {
        self.markup_begins()?;
        self.put(b"<")?;
        self.put(name.as_bytes())?;
        self.put(b"/>")
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, text: &[u8]) -> Result<(), Rejected> {
        self.writer.put_whole_octets(text)
    }

    fn components(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { components, members, before, additions, complete, embedded, .. } = *node else {
            return self.misplaced();
        };
        self.open_components(node, value)?;
        let outer = if embedded { self.begin_embedded(value)? } else { None };
        let members = self.layout.members(members);
        let (first, last) = members.split_at_checked(before as usize).unwrap_or((members, &[]));
        for member in first {
            self.xml_member(member, complete, value)?;
        }
        // A group's components, and unknown additions, belong to its record.
        if components != GROUP && (additions.count > 0 || !value.unknown().is_empty()) {
            self.xml_additions(node, value)?;
        }
        for member in last {
            self.xml_member(member, complete, value)?;
        }
        if embedded {
            self.end_embedded(outer)?;
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_components(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { components, extensible, attributes, complete, .. } = *node else {
            return self.misplaced();
        };
        self.descend()?;
        if components != GROUP && !value.is_record(extensible) {
            self.mismatch("a SEQUENCE without additions that it has no place for")?;
        }
        for attribute in self.layout.members(attributes) {
            self.xml_member(attribute, complete, value)?;
        }
        Ok(())
    }

    /// Writes a component, unless it is optional and absent.
    #[inline(always)]
    fn xml_member(&mut self, member: &'n Member, complete: bool, value: &dyn Data) -> Result<(), Rejected> {
        if member.presence == Presence::Mandatory {
            return self.member(member, value);
        }
        let component = value.component(member.component as usize);
        match (member.presence, component) {
            (Presence::Default(place), None) if complete => self.default_member(member, place),
            (_, Some(_)) if complete || self.present(member, value) => self.member(member, value),
            _ => Ok(()),
        }
    }

    /// X.693 §9.5: canonical XER also has components at their DEFAULT.
    #[cold]
    #[inline(never)]
    fn default_member(&mut self, member: &'n Member, place: u32) -> Result<(), Rejected> {
        let value = DefaultValue::new(self.layout, place);
        match self.node(member.node, &value) {
            Ok(()) => Ok(()),
            Err(Rejected) => Err(self.within_member(member)),
        }
    }

    #[inline(never)]
    fn xml_additions(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { additions, extensible, complete, .. } = *node else { return self.misplaced() };
        let known = self.layout.additions(additions);
        for addition in known {
            match addition {
                Addition::Single(member) => {
                    // Messages of earlier versions do not have it, even if it is mandatory.
                    if member.presence != Presence::Mandatory || self.present(member, value) {
                        self.xml_member(member, complete, value)?;
                    }
                }
                Addition::Group(group) => {
                    if self.is_group_present(*group, value) {
                        self.node(*group, value)?;
                    }
                }
            }
        }
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        let after = unknown.first().is_none_or(|first| first.index as usize >= known.len());
        if !unknown.is_empty() && (!extensible || !ascending || !after) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        for addition in unknown {
            self.kept_element(&addition.octets)?;
        }
        Ok(())
    }

    fn is_group_present(&self, group: NodeId, value: &dyn Data) -> bool {
        let Node::Xml(XmlNode::Components { members, .. }) = *self.layout.node(group) else { return false };
        self.layout.members(members).iter().any(|member| self.present(member, value))
    }

    /// The text of an element that was kept as received.
    #[cold]
    #[inline(never)]
    pub(crate) fn kept_element(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        match (xml::element(octets, 0), core::str::from_utf8(octets)) {
            (Ok(end), Ok(text)) if end == octets.len() => {
                if self.family.document.embedded.is_some() {
                    self.family.document.embedded = self.next_embedded()?;
                }
                self.markup(text)
            }
            _ => self.mismatch("the text of an XML element, as additions that are not known have it here"),
        }
    }

    fn one_of(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::OneOf { alternatives, .. } = *node else { return self.misplaced() };
        let Some((which, content)) = value.alternative() else { return self.unknown_xml_alternative(node, value) };
        self.descend()?;
        let alternatives = self.layout.alternatives(alternatives);
        match alternatives.iter().find(|one| one.alternative as usize == which) {
            Some(alternative) => self.alternative(alternative, content)?,
            None => self.no_alternative(which, alternatives.len())?,
        }
        self.depth -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn no_alternative(&mut self, index: usize, count: usize) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::ChoiceIndex { index: index as u64, count: count as u64 }))
    }

    #[cold]
    #[inline(never)]
    fn unknown_xml_alternative(&mut self, node: &XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::OneOf { extensible, root, alternatives } = *node else { return self.misplaced() };
        match value.unknown() {
            [unknown] if extensible && unknown.index >= alternatives.count - root => self.kept_element(&unknown.octets),
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    fn elements(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Elements { element, spaced, sorted, .. } = *node else { return self.misplaced() };
        let count = self.open_elements(node, value)?;
        if sorted && count > 1 {
            self.markup_begins()?;
            return self.sorted_elements(element, count, value);
        }
        for at in 0..count {
            if spaced && at > 0 {
                self.markup(" ")?;
            }
            self.list_element(element, at, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_elements(&mut self, node: &XmlNode, value: &dyn Data) -> Result<usize, Rejected> {
        let XmlNode::Elements { lower, upper, extensible, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        self.xml_size(count as u64, lower, upper, extensible)?;
        Ok(count)
    }

    pub(crate) fn xml_size(&mut self, size: u64, lower: u64, upper: u64, extensible: bool) -> Result<(), Rejected> {
        if extensible || (lower <= size && size <= upper) {
            return Ok(());
        }
        Err(self.fail(ErrorKind::Size { size, lower, upper }))
    }

    /// An open type: a value of the type that its key selects, or octets.
    #[inline(never)]
    fn typed(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let XmlNode::Typed { slot, rows } = *node else { return self.misplaced() };
        let Some((row, content)) = value.alternative() else { return self.open_text(value) };
        let inner = self.row(slot, rows, row)?;
        self.descend()?;
        self.node(inner, content)?;
        self.depth -= 1;
        Ok(())
    }

    /// A string, or the value that it contains.
    #[inline(never)]
    fn containing(&mut self, string: NodeId, content: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let Some((0, inner)) = value.alternative() else { return self.node(string, value) };
        self.descend()?;
        self.node(content, inner)?;
        self.depth -= 1;
        Ok(())
    }
}
