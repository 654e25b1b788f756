//! Decoding: text that is found, and names that are expected.

use super::Xml;
use roadwire_layout::{Alternative, Items, Member, Name, Node, NodeId, Span, XmlNode};
use roadwire_wire::rt::xml;
use roadwire_wire::{ErrorKind, Fault, Few, Form, Piece, Rejected, Unexpected, faults};

use super::Tag;
use super::token::Token;
use crate::decode::Decoder;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Xml> {
    /// Refuses the text from octet `at` on.
    #[cold]
    #[inline(never)]
    pub(crate) fn found_at(&mut self, fault: Fault, at: usize) -> Rejected {
        let piece = piece(self.reader.octets(), at);
        self.piece(fault, at * 8, piece)
    }

    /// A piece of the text is refused; the fault says what is expected.
    #[cold]
    #[inline(never)]
    pub(crate) fn piece(&mut self, fault: Fault, bit: usize, found: Piece) -> Rejected {
        if fault.is_complete() {
            return self.fail_at(ErrorKind::Malformed(fault), bit);
        }
        let what = Unexpected::Text { found, expected: Few::none(), form: Form::Plain };
        self.fail_at(ErrorKind::Unexpected { fault, what }, bit)
    }

    /// Another element than the one of this name, or none.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_element(&mut self, name: Name) -> Rejected {
        let expected = Few::of(core::iter::once(self.layout.place_of_tag(name)));
        let form = self.form_of(name);
        self.names_at(faults::xml::ELEMENT_OTHER, expected, form)
    }

    /// Something else than the end tag of an element whose name is written like this.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_end(&mut self, fault: Fault, written: &[u8]) -> Rejected {
        let local = written.rsplit(|octet| *octet == b':').next().unwrap_or(written);
        let name = |node: &Node| match *node {
            Node::Xml(XmlNode::Tags { name, .. }) if self.layout.name(name).as_bytes() == local => Some(name),
            _ => None,
        };
        match self.layout.nodes.iter().find_map(name) {
            Some(name) => {
                let expected = Few::of(core::iter::once(self.layout.place_of_tag(name)));
                self.names_at(fault, expected, Form::EndTag)
            }
            None => self.found_at(fault, self.octet()),
        }
    }

    /// Something else than the element of a mandatory component.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_component(&mut self, member: &Member) -> Rejected {
        match self.family.tag {
            // Of an attribute.
            Tag::Open(_) => self.fail(ErrorKind::Missing),
            _ => match *self.layout.node(member.node) {
                Node::Xml(XmlNode::Tags { name, .. }) => {
                    let expected = Few::of(core::iter::once(self.layout.place_of_tag(name)));
                    let form = self.form_of(name);
                    self.names_at(faults::shared::COMPONENT_MISSING, expected, form)
                }
                _ => self.other_components(faults::shared::COMPONENT_MISSING, core::iter::once(member), false),
            },
        }
    }

    /// Something else than the element of one of these components, or the end.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_components<'m>(
        &mut self,
        fault: Fault,
        members: impl Iterator<Item = &'m Member>,
        or_end: bool,
    ) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let mut names = Few::none();
        members.for_each(|member| self.add_elements(member.node, &mut names));
        self.names_at(fault, names.or_end(or_end), Form::Element)
    }

    /// Something else than the element of one of these alternatives.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_alternatives(&mut self, fault: Fault, alternatives: Span) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let alternatives: &[Alternative] = self.layout.alternatives(alternatives);
        let mut names = Few::none();
        alternatives.iter().for_each(|one| self.add_elements(one.node, &mut names));
        self.names_at(fault, names, Form::Element)
    }

    /// Another attribute than one of these.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_attribute(&mut self, members: &[Member], at: usize) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let mut names = Few::none();
        members.iter().for_each(|member| self.add_elements(member.node, &mut names));
        let found = piece(self.reader.octets(), at);
        let what = Unexpected::Text { found, expected: names, form: Form::Plain };
        self.fail_at(ErrorKind::Unexpected { fault: faults::xml::ATTRIBUTE_UNKNOWN, what }, at * 8)
    }

    /// Another word than the name of one of these items.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_item(&mut self, word: &Token<'_>, items: Items) -> Result<(), Rejected> {
        let expected = Few::of(items.range().map(|at| self.layout.place_of_item(at)));
        let what = Unexpected::Text { found: Piece::of(&[&word.text]), expected, form: Form::Plain };
        Err(self.fail_at(ErrorKind::Unexpected { fault: faults::xml::ENUMERATED, what }, word.bit()))
    }

    /// Adds the names that an element or attribute of a node may have.
    fn add_elements(&self, node: NodeId, names: &mut Few<u32>) {
        let layout = self.layout;
        match *layout.node(node) {
            Node::Key { node, .. } | Node::Scope { record: node, .. } => self.add_elements(node, names),
            Node::Xml(XmlNode::Tags { name, .. } | XmlNode::Attribute { name, .. }) => {
                names.add(|| layout.place_of_tag(name));
            }
            Node::Xml(XmlNode::OneOf { alternatives, .. }) => {
                for one in layout.alternatives(alternatives) {
                    self.add_elements(one.node, names);
                }
            }
            _ => {}
        }
    }

    /// How the expected name is shown, next to the element that is found.
    fn form_of(&self, name: Name) -> Form {
        let octets = self.reader.octets();
        let found = xml::name(octets, self.octet() + 1).map_or(&[][..], |(name, _)| name);
        let local = found.rsplit(|octet| *octet == b':').next().unwrap_or(found);
        match self.family.document.is_aware && local == self.layout.name(name).as_bytes() {
            true => Form::OtherNamespace,
            false => Form::Element,
        }
    }

    fn names_at(&mut self, fault: Fault, expected: Few<u32>, form: Form) -> Rejected {
        let at = self.octet();
        let found = match self.family.tag {
            Tag::Empty => Piece::of(&[]),
            _ => piece(self.reader.octets(), at),
        };
        self.fail_at(ErrorKind::Unexpected { fault, what: Unexpected::Text { found, expected, form } }, at * 8)
    }
}

/// As many octets of a word as are looked at: more than an error shows.
const MOST: usize = 64;

/// A tag without its attributes, or a word.
fn piece(octets: &[u8], at: usize) -> Piece {
    let rest = octets.get(at..).unwrap_or_default().trim_ascii_start();
    let slash = usize::from(rest.get(1) == Some(&b'/'));
    let ends = |octet: &u8| octet.is_ascii_whitespace() || matches!(octet, b'<' | b'>' | b'/');
    match rest {
        [b'<', ..] => {
            let after = rest.get(1 + slash..).unwrap_or_default();
            let name = after.iter().position(ends).unwrap_or(after.len());
            let tag = rest.get(..1 + slash + name).unwrap_or(rest);
            Piece::of(&[tag, if name < after.len() { b">" } else { b"" }])
        }
        [first, ..] => {
            let ends = |at: usize| {
                let rest = rest.get(at..).unwrap_or_default();
                matches!(rest, [b'<' | b'>', ..] | [b'/', b'>', ..]) || rest.trim_ascii_start().len() < rest.len()
            };
            let word = (1..rest.len().min(MOST)).find(|at| ends(*at)).unwrap_or(rest.len());
            let word = rest.get(..word).unwrap_or(rest);
            Piece::of(&[if first.is_ascii_control() { rest.get(..1).unwrap_or(rest) } else { word }])
        }
        [] => Piece::of(&[]),
    }
}
