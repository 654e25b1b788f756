//! Decoding: names with their namespaces (Namespaces in XML 1.0), where the layout has any. Otherwise a name is what is written.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use roadwire_layout::{Name, Node, NodeId, XmlNode};
use roadwire_wire::xml::{self, Characters, Fault};
use roadwire_wire::{ErrorKind, Rejected};

use super::Decoder;
use super::embedded::Texts;
use crate::listener::Listener;

/// What extended XER adds to a document.
#[derive(Default)]
pub(in crate::decode) struct Document {
    /// Whether names have namespaces.
    pub(super) is_aware: bool,
    /// The declarations in scope, the innermost last.
    bindings: Vec<Binding>,
    /// The name that was looked at last: where, its prefix's length with the colon, and its namespace.
    peeked: Option<(usize, usize, Option<Text>)>,
    /// The texts between the elements of the record that is being read, the last one being read.
    pub(super) embedded: Option<Box<Texts>>,
}

/// From here to there in the input.
type Text = (usize, usize);

/// A declaration, by offsets: the prefix, none for the default namespace; and the namespace.
#[derive(Clone, Copy)]
struct Binding {
    prefix: Text,
    uri: Text,
}

/// A name that was found in a tag.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    /// As it is written.
    pub(super) written: &'a [u8],
    /// Without its prefix.
    local: &'a [u8],
    uri: Option<Text>,
}

impl<'a> Found<'a> {
    /// Where prefixes mean nothing.
    #[inline]
    pub(super) fn plain(written: &'a [u8]) -> Self {
        Found { written, local: written, uri: None }
    }
}

impl Document {
    #[inline]
    pub(super) fn declared(&self) -> usize {
        self.bindings.len()
    }

    /// Leaves an element: what it declared is out of scope, and a text of those around it follows.
    #[inline]
    pub(super) fn leave(&mut self, declared: usize, outer: Option<Box<Texts>>) {
        if self.is_aware {
            self.bindings.truncate(declared);
        }
        if let Some(mut outer) = outer {
            outer.0.push(String::new());
            self.embedded = Some(outer);
        }
    }
}

/// More declarations in scope than any document needs: each is looked at for each name.
const MOST_BINDINGS: usize = 64;

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L> {
    #[inline]
    pub(super) fn is_named(&self, found: Found<'_>, name: Name, namespace: Option<NodeId>) -> bool {
        self.layout.name(name).as_bytes() == found.local
            && (!self.document.is_aware || self.is_namespace(found.uri, namespace))
    }

    fn is_namespace(&self, uri: Option<Text>, namespace: Option<NodeId>) -> bool {
        match (uri, namespace.map(|node| self.layout.node(node))) {
            (None, None) => true,
            (Some((from, to)), Some(Node::Xml(XmlNode::Namespace { uri, .. }))) => {
                let octets = self.reader.octets();
                let quote = octets.get(to).copied().unwrap_or(b'"');
                let mut characters = Characters::of_attribute(octets, from, quote);
                let same = self.layout.name(*uri).chars().all(|wanted| characters.read() == Ok(Some(wanted)));
                same && characters.read() == Ok(None)
            }
            _ => false,
        }
    }

    /// The name in the tag at octet `at`, whose own declarations count.
    #[inline(never)]
    pub(super) fn resolved(&mut self, written: &'a [u8], at: usize) -> Result<Found<'a>, Rejected> {
        let (prefix, uri) = match self.document.peeked {
            Some((place, prefix, uri)) if place == at => (prefix, uri),
            _ => self.look_up(written, at)?,
        };
        self.document.peeked = Some((at, prefix, uri));
        Ok(Found { written, local: written.get(prefix..).unwrap_or_default(), uri })
    }

    fn look_up(&mut self, written: &[u8], at: usize) -> Result<(usize, Option<Text>), Rejected> {
        let colon = written.iter().position(|octet| *octet == b':');
        let prefix = written.get(..colon.unwrap_or(0)).unwrap_or_default();
        let octets = self.reader.octets();
        let mut after = at + 1 + written.len();
        let mut own = None;
        while let Some(found) = xml::attribute(octets, after).map_err(|fault| self.xml_fault(fault))? {
            if declared_prefix(octets, &found).is_some_and(|(from, to)| octets.get(from..to) == Some(prefix)) {
                own = own.or(Some((found.value, found.value_end)));
            }
            after = found.value_end + 1;
        }
        let uri = own.or_else(|| self.bound(prefix));
        match (uri, colon) {
            (Some((from, to)), None) if from == to => Ok((0, None)),
            (uri, None) => Ok((0, uri)),
            (Some(_), Some(colon)) => Ok((colon + 1, uri)),
            (None, Some(_)) => Err(self.undeclared(at + 1)),
        }
    }

    fn bound(&self, prefix: &[u8]) -> Option<Text> {
        let octets = self.reader.octets();
        let is_it = |binding: &&Binding| octets.get(binding.prefix.0..binding.prefix.1) == Some(prefix);
        self.document.bindings.iter().rev().find(is_it).map(|binding| binding.uri)
    }

    #[cold]
    fn undeclared(&mut self, at: usize) -> Rejected {
        self.fail_at(ErrorKind::Malformed("a prefix that no namespace declaration is in scope for"), at * 8)
    }

    /// Takes over the declarations of the start tag whose name has just been read.
    #[inline(never)]
    pub(super) fn declare(&mut self) -> Result<(), Rejected> {
        let octets = self.reader.octets();
        let mut at = self.octet();
        while let Some(found) = xml::attribute(octets, at).map_err(|fault| self.xml_fault(fault))? {
            at = found.value_end + 1;
            let Some(prefix) = declared_prefix(octets, &found) else { continue };
            let name = octets.get(prefix.0..prefix.1).unwrap_or_default();
            let is_prefix = prefix.0 > found.name + 5;
            if matches!(name, b"xml" | b"xmlns") || (is_prefix && (name.is_empty() || found.value == found.value_end)) {
                let kind = ErrorKind::Malformed("a namespace declaration that there cannot be");
                return Err(self.fail_at(kind, found.name * 8));
            }
            if self.document.bindings.len() >= MOST_BINDINGS {
                let kind = ErrorKind::Malformed("more namespace declarations than may be in scope");
                return Err(self.fail_at(kind, found.name * 8));
            }
            self.document.bindings.push(Binding { prefix, uri: (found.value, found.value_end) });
        }
        Ok(())
    }

    /// Whether an attribute's name, which has no default namespace, is this one.
    pub(super) fn is_attribute(&mut self, written: &[u8], at: usize, wanted: &XmlNode) -> Result<bool, Rejected> {
        let XmlNode::Attribute { name, namespace, .. } = *wanted else { return Ok(false) };
        let own = self.layout.name(name).as_bytes();
        if !self.document.is_aware {
            return Ok(own == written);
        }
        let Some(colon) = written.iter().position(|octet| *octet == b':') else {
            return Ok(own == written && namespace.is_none());
        };
        let (prefix, local) = (written.get(..colon).unwrap_or_default(), written.get(colon + 1..).unwrap_or_default());
        match self.bound(prefix) {
            Some(uri) => Ok(own == local && self.is_namespace(Some(uri), namespace)),
            None if prefix == b"xml" => Ok(false),
            None => Err(self.undeclared(at)),
        }
    }

    /// The text of an element that is kept, with those of the declarations around it that its names need.
    pub(super) fn kept_text(&self, start: usize, end: usize) -> Cow<'a, [u8]> {
        let octets = self.reader.octets();
        let text = octets.get(start..end).unwrap_or_default();
        let mut missing = [false; MOST_BINDINGS];
        let after = match self.names_within(start, end, &mut missing) {
            Ok(after) if missing.contains(&true) => after,
            _ => return Cow::Borrowed(text),
        };
        let of = |(from, to): Text| octets.get(from..to).unwrap_or_default();
        let mut whole = octets.get(start..after).unwrap_or_default().to_vec();
        for (binding, _) in self.document.bindings.iter().zip(missing).filter(|(_, is_missing)| *is_missing) {
            let (prefix, quote) = (of(binding.prefix), octets.get(binding.uri.1).copied().unwrap_or(b'"'));
            let colon: &[u8] = if prefix.is_empty() { b"" } else { b":" };
            for part in [b" xmlns", colon, prefix, b"=", &[quote], of(binding.uri), &[quote]] {
                whole.extend_from_slice(part);
            }
        }
        whole.extend_from_slice(octets.get(after..end).unwrap_or_default());
        Cow::Owned(whole)
    }

    /// Looks at all names in an element: which of the declarations in scope they need, but for those that its own tag overrides. Tells where its name ends.
    fn names_within(&self, start: usize, end: usize, needed: &mut [bool; MOST_BINDINGS]) -> Result<usize, Fault> {
        let octets = self.reader.octets();
        let mut need = |prefix: &[u8], is_needed: bool| {
            let is_it = |binding: &Binding| octets.get(binding.prefix.0..binding.prefix.1) == Some(prefix);
            let place = self.document.bindings.iter().rposition(is_it);
            if let Some(place) = place.and_then(|place| needed.get_mut(place)) {
                *place = is_needed;
            }
        };
        let prefix_of =
            |name: &'a [u8]| name.iter().position(|octet| *octet == b':').and_then(|colon| name.get(..colon));
        let mut at = start;
        while at < end {
            if octets.get(at + 1) == Some(&b'/') {
                at = xml::end_tag(octets, at)?.1;
            } else {
                let (name, mut after) = xml::name(octets, at + 1)?;
                need(prefix_of(name).unwrap_or_default(), true);
                while let Some(found) = xml::attribute(octets, after)? {
                    if declared_prefix(octets, &found).is_none() {
                        let name = octets.get(found.name..found.name_end).unwrap_or_default();
                        prefix_of(name).into_iter().for_each(|prefix| need(prefix, true));
                    }
                    after = found.value_end + 1;
                }
                at = xml::end_of_tag(octets, after)?.0;
            }
            if at < end {
                let mut characters = Characters::of_text(octets, at);
                while characters.read()?.is_some() {}
                at = characters.position();
            }
        }
        let (_, name_end) = xml::name(octets, start + 1)?;
        let mut after = name_end;
        while let Some(found) = xml::attribute(octets, after)? {
            if let Some((from, to)) = declared_prefix(octets, &found) {
                need(octets.get(from..to).unwrap_or_default(), false);
            }
            after = found.value_end + 1;
        }
        Ok(name_end)
    }
}

/// The prefix that an attribute declares, empty for the default namespace; `None` if it declares none.
fn declared_prefix(octets: &[u8], found: &xml::Attribute) -> Option<Text> {
    match octets.get(found.name..found.name_end)? {
        b"xmlns" => Some((found.name_end, found.name_end)),
        [b'x', b'm', b'l', b'n', b's', b':', ..] => Some((found.name + 6, found.name_end)),
        _ => None,
    }
}
