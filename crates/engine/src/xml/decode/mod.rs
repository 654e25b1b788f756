//! Decoding: XML documents.
//!
//! The content of a value is read from after the name in its start tag. The content also reads the
//! rest of the tag, since its components may be attributes. The end tag follows the content, unless
//! the start tag was that of an empty element.

use roadwire_layout::{Name, Node, NodeId, XmlNode};
use roadwire_wire::rt::xml::{self, Fault};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, faults};

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};

mod components;
mod embedded;
mod leaf;
mod namespaces;
mod number;
mod report;
mod string;
mod token;

pub(crate) use self::namespaces::Document;
use self::namespaces::Found;

/// The start tag that was begun last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tag {
    /// It has been read.
    #[default]
    Complete,
    /// Its name has been read, and possibly attributes. The part that has not been reported begins
    /// at this octet.
    Open(usize),
    /// It was that of an empty element, whose content is being read.
    Empty,
    /// It is being read, and the reader is at an attribute value in these quotes.
    Attribute(u8),
}

/// XER.
#[derive(Clone, Default)]
pub(crate) struct Xml {
    /// The start tag that was begun last.
    tag: Tag,
    /// Whether the next text is one of several words separated by white space.
    spaced: bool,
    document: Document,
}

impl Family for Xml {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let node = decoder.layout.node(id);
        match node {
            Node::Xml(node) => decoder.xml(node, value),
            Node::Contained { string, content, .. } => decoder.containing(*string, *content, value),
            _ => decoder.of_any_family(node, value),
        }
    }
}

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Xml> {
    #[inline(never)]
    pub(crate) fn xml(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            XmlNode::Prolog { element, namespaces } => {
                self.family.document.is_aware = namespaces.count > 0;
                self.prolog(element, value)
            }
            XmlNode::Tags { name, namespace, content } => self.tags(name, namespace, content, value),
            // The reader is at its value.
            XmlNode::Attribute { content, .. } => self.node(content, value),
            XmlNode::OrEmpty { content, value: default } => self.or_empty(content, default, value),
            XmlNode::CanonicalTime { content, .. } => self.node(content, value),
            XmlNode::Components { .. } => self.components(node, value),
            XmlNode::OneOf { .. } => self.one_of(node, value),
            XmlNode::Elements { .. } => self.elements(node, value),
            XmlNode::Typed { .. } => self.typed(node, value),
            _ => self.xml_leaf(node, value),
        }
    }

    fn prolog(&mut self, element: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = xml::prolog(self.reader.octets()).map_err(|fault| self.xml_fault(fault))?;
        self.xml_pass(start, What::Padding);
        self.node(element, value)?;
        // Anything that is not white space or a comment is handled elsewhere.
        if let Ok(end) = xml::misc(self.reader.octets(), self.octet()) {
            self.xml_pass(end, What::Padding);
        }
        Ok(())
    }

    fn tags(
        &mut self,
        name: Name,
        namespace: Option<NodeId>,
        content: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let declared = self.family.document.declared();
        let written = self.start_tag(name, namespace)?;
        let outer = self.family.document.embedded.take();
        self.node(content, value)?;
        self.end_tag(written)?;
        self.family.document.leave(declared, outer);
        Ok(())
    }

    /// Reads `<name`, and returns the name as written.
    #[inline(never)]
    fn start_tag(&mut self, name: Name, namespace: Option<NodeId>) -> Result<&'a [u8], Rejected> {
        match self.xml_peek()? {
            Some(found) if self.is_named(found, name, namespace) => {
                let start = self.octet();
                self.go(start + 1 + found.written.len());
                self.family.tag = Tag::Open(start);
                if self.family.document.is_aware {
                    self.declare()?;
                }
                Ok(found.written)
            }
            _ => Err(self.other_element(name)),
        }
    }

    /// Reads the end tag, unless the element is empty.
    #[inline(never)]
    fn end_tag(&mut self, name: &[u8]) -> Result<(), Rejected> {
        self.end_of_start_tag()?;
        if self.family.tag == Tag::Empty {
            self.family.tag = Tag::Complete;
            return Ok(());
        }
        self.skip_misc()?;
        let (octets, start) = (self.reader.octets(), self.octet());
        let plain = octets.get(start..).and_then(|rest| rest.strip_prefix(b"</")?.strip_prefix(name));
        let end = match plain {
            Some([b'>', ..]) => start + name.len() + 3,
            _ => self.other_end_tag(name)?,
        };
        self.xml_pass(end, What::Name(core::str::from_utf8(name).unwrap_or_default()));
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn other_end_tag(&mut self, name: &[u8]) -> Result<usize, Rejected> {
        if self.xml_peek()?.is_some() {
            return Err(self.other_end(faults::xml::ELEMENT_PLACE, name));
        }
        match xml::end_tag(self.reader.octets(), self.octet()) {
            Ok((found, end)) if found == name => Ok(end),
            Ok(_) => Err(self.other_end(faults::xml::END_TAG_OTHER, name)),
            Err(fault) => Err(self.xml_fault(fault)),
        }
    }

    /// Reads the rest of a start tag.
    #[inline]
    fn end_of_start_tag(&mut self) -> Result<(), Rejected> {
        match self.family.tag {
            Tag::Open(start) => self.rest_of_start_tag(start),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn rest_of_start_tag(&mut self, start: usize) -> Result<(), Rejected> {
        let (octets, at) = (self.reader.octets(), self.octet());
        let (end, empty) = match octets.get(at) {
            Some(b'>') => (at + 1, false),
            _ => self.other_end_of_tag(at)?,
        };
        self.family.tag = if empty { Tag::Empty } else { Tag::Complete };
        if L::ACTIVE {
            // The part that has not been reported with an attribute.
            let name = octets.get(start..at).and_then(|tag| core::str::from_utf8(tag.strip_prefix(b"<")?).ok());
            let name = name.unwrap_or("");
            self.reader.advance_to(start * 8);
            self.xml_pass(end, What::Name(name));
        }
        self.go(end);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn other_end_of_tag(&mut self, at: usize) -> Result<(usize, bool), Rejected> {
        let octets = self.reader.octets();
        let (first, mut at) = (at, at);
        while let Some(found) = xml::attribute(octets, at).map_err(|fault| self.xml_fault(fault))? {
            if xml::is_repeated(octets, first, &found).map_err(|fault| self.xml_fault(fault))? {
                return Err(self.found_at(faults::xml::ATTRIBUTE_REPEATED, found.name));
            }
            let name = octets.get(found.name..found.name_end).unwrap_or_default();
            if !is_foreign(name) {
                self.go(found.name);
                return Err(self.found_at(faults::xml::ATTRIBUTE_UNKNOWN, found.name));
            }
            at = found.value_end + 1;
        }
        xml::end_of_tag(octets, at).map_err(|fault| self.xml_fault(fault))
    }

    /// The name of the next element; `None` if the parent ends.
    #[inline]
    fn xml_peek(&mut self) -> Result<Option<Found<'a>>, Rejected> {
        self.end_of_start_tag()?;
        if self.family.tag == Tag::Empty {
            return Ok(None);
        }
        self.skip_misc()?;
        let (octets, at) = (self.reader.octets(), self.octet());
        match octets.get(at..).unwrap_or_default() {
            [b'<', b'/', ..] => Ok(None),
            [b'<', _, ..] => match xml::name(octets, at + 1) {
                Ok((written, _)) if self.family.document.is_aware => self.resolved(written, at).map(Some),
                Ok((written, _)) => Ok(Some(Found::plain(written))),
                Err(fault) => Err(self.xml_fault(fault)),
            },
            [] | [b'<'] => self.truncated(8),
            _ => Err(self.found_at(faults::xml::TEXT, at)),
        }
    }

    /// Skips white space, comments and processing instructions.
    #[inline]
    fn skip_misc(&mut self) -> Result<(), Rejected> {
        let at = self.octet();
        match self.reader.octets().get(at..) {
            Some([b'<', next, ..]) if !matches!(next, b'!' | b'?') => Ok(()),
            _ => self.skip_some(at),
        }
    }

    #[inline(never)]
    fn skip_some(&mut self, at: usize) -> Result<(), Rejected> {
        if self.family.document.embedded.is_some() {
            return self.embedded_text(at);
        }
        let end = xml::misc(self.reader.octets(), at).map_err(|fault| self.xml_fault(fault))?;
        self.xml_pass(end, What::Padding);
        Ok(())
    }

    /// Whether a node begins with an element with this name.
    fn begins(&self, id: NodeId, with: Found<'_>) -> bool {
        let layout = self.layout;
        match *layout.node(id) {
            Node::Key { node, .. } | Node::Scope { record: node, .. } => self.begins(node, with),
            Node::Xml(XmlNode::Tags { name, namespace, .. }) => self.is_named(with, name, namespace),
            Node::Xml(XmlNode::Components { members, .. }) => {
                layout.members(members).iter().any(|member| self.begins(member.node, with))
            }
            Node::Xml(XmlNode::OneOf { alternatives, .. }) => {
                layout.alternatives(alternatives).iter().any(|one| self.begins(one.node, with))
            }
            _ => true,
        }
    }

    /// Whether an element is a CHOICE with an extension marker: then any start tag is one of its
    /// alternatives.
    #[cold]
    fn has_later_alternatives(&self, id: NodeId) -> bool {
        match *self.layout.node(id) {
            Node::Key { node, .. } | Node::Scope { record: node, .. } => self.has_later_alternatives(node),
            Node::Xml(XmlNode::OneOf { extensible, .. }) => extensible,
            _ => false,
        }
    }

    fn one_of(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::OneOf { alternatives, .. } = *node else { return self.misplaced() };
        self.descend()?;
        let found = self.xml_peek()?;
        let alternatives = self.layout.alternatives(alternatives);
        let chosen = found.and_then(|name| alternatives.iter().find(|one| self.begins(one.node, name)));
        match chosen {
            Some(alternative) => self.alternative(alternative, value)?,
            None => self.other_xml_alternative(node, found.is_some(), value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn other_xml_alternative(&mut self, node: &XmlNode, is_there: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::OneOf { extensible, root, alternatives } = *node else { return self.misplaced() };
        if !is_there {
            return Err(self.other_alternatives(faults::xml::CHOICE_NONE, alternatives));
        }
        if !extensible {
            return Err(self.other_alternatives(faults::xml::CHOICE_UNKNOWN, alternatives));
        }
        self.keep_element(alternatives.count.saturating_sub(root), value)
    }

    fn elements(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Elements { element, spaced, .. } = *node else { return self.misplaced() };
        self.descend()?;
        self.family.spaced = spaced;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0;
        while self.has_element(node, at)? {
            self.element_at(element, at, at + 1, value)?;
            at += 1;
        }
        self.family.spaced = false;
        self.depth -= 1;
        Ok(())
    }

    /// Whether another element follows; checks that the number of elements is allowed.
    #[inline(never)]
    fn has_element(&mut self, node: &XmlNode, before: u64) -> Result<bool, Rejected> {
        let XmlNode::Elements { lower, upper, extensible, .. } = *node else { return Err(Rejected) };
        let XmlNode::Elements { element, spaced, .. } = *node else { return Err(Rejected) };
        let follows = if spaced {
            self.word_follows()?
        } else {
            self.xml_peek()?.is_some_and(|name| self.begins(element, name) || self.has_later_alternatives(element))
        };
        if follows {
            self.count_element()?;
        }
        let size = before + u64::from(follows);
        if !extensible && (size > upper || (!follows && size < lower)) {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        Ok(follows)
    }

    /// An open type: a value of the type that its key selects, if `value` can hold one, or text.
    #[inline(never)]
    fn typed(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Typed { slot, rows } = *node else { return self.misplaced() };
        if let Some(row) = self.slots.fill(slot) {
            let inner = self.layout.numbers(rows).get(row).copied();
            let is_element = self.element_follows()?;
            if let Some((inner, content)) = inner.filter(|_| is_element).zip(value.choose(row)) {
                self.descend()?;
                self.node(NodeId(inner), content)?;
                self.depth -= 1;
                return Ok(());
            }
        }
        self.open_text(0, u64::MAX, value)
    }

    /// A string, or an element with the value that it contains (X.680 §22.11, §23.4).
    #[inline(never)]
    fn containing(&mut self, string: NodeId, content: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let place = if self.element_follows()? { value.choose(0) } else { None };
        let Some(place) = place else { return self.node(string, value) };
        self.descend()?;
        self.node(content, place)?;
        self.depth -= 1;
        Ok(())
    }

    /// The reader's position in octets.
    #[inline]
    fn octet(&self) -> usize {
        self.reader.position() / 8
    }

    #[inline]
    fn go(&mut self, octet: usize) {
        self.reader.advance_to(octet * 8);
    }

    /// Moves to octet `to`, and reports the octets skipped.
    #[inline]
    fn xml_pass(&mut self, to: usize, what: What<'_>) {
        let from = self.reader.position();
        self.go(to);
        if L::ACTIVE && to * 8 > from {
            self.show(from, what, Scalar::Unset);
        }
    }

    #[cold]
    #[inline(never)]
    fn xml_fault(&mut self, fault: Fault) -> Rejected {
        let kind = match fault.what {
            xml::What::Truncated => ErrorKind::Truncated { missing: 8 },
            xml::What::Malformed(what) => return self.found_at(what, fault.at),
            xml::What::TooDeep => ErrorKind::TooDeep { limit: self.limits.depth },
        };
        self.fail_at(kind, fault.at * 8)
    }
}

/// Whether an attribute concerns the document, not the value.
pub(crate) fn is_foreign(name: &[u8]) -> bool {
    name == b"xmlns" || name.starts_with(b"xmlns:") || name.starts_with(b"xsi:") || name.starts_with(b"xml:")
}
