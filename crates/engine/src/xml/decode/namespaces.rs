//! Decoding: names with their namespaces (Namespaces in XML 1.0), if the layout has any. Otherwise
//! a name is the text as written.

use super::Xml;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use roadwire_layout::{Name, Node, NodeId, XmlNode};
use roadwire_wire::rt::xml::{self, Characters, Fault};
use roadwire_wire::{ErrorKind, Rejected, faults};

use super::embedded::Texts;
use crate::decode::Decoder;
use crate::listener::Listener;

/// The state that extended XER adds to a document.
#[derive(Clone, Default)]
pub(crate) struct Document {
    /// Whether names have namespaces.
    pub(crate) is_aware: bool,
    /// The declarations in scope, the innermost last.
    bindings: Vec<Binding>,
    /// The name that was resolved last: its position, the length of its prefix with the colon, and
    /// its namespace.
    peeked: Option<(usize, usize, Option<Text>)>,
    /// The texts between the elements of the current record; the last one is being read.
    pub(crate) embedded: Option<Box<Texts>>,
}

/// A range of the input.
type Text = (usize, usize);

/// A declaration, by offsets: the prefix (empty for the default namespace) and the namespace.
#[derive(Clone, Copy)]
struct Binding {
    prefix: Text,
    uri: Text,
}

/// A name found in a tag.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    /// As it is written.
    pub(crate) written: &'a [u8],
    /// Without its prefix.
    local: &'a [u8],
    uri: Option<Text>,
}

impl<'a> Found<'a> {
    /// A name without a namespace, where prefixes have no meaning.
    #[inline]
    pub(crate) fn plain(written: &'a [u8]) -> Self {
        Found { written, local: written, uri: None }
    }
}

impl Document {
    #[inline]
    pub(crate) fn declared(&self) -> usize {
        self.bindings.len()
    }

    /// Leaves an element: its declarations go out of scope, and the enclosing texts continue.
    #[inline]
    pub(crate) fn leave(&mut self, declared: usize, outer: Option<Box<Texts>>) {
        if self.is_aware {
            self.bindings.truncate(declared);
        }
        if let Some(mut outer) = outer {
            outer.0.push(String::new());
            self.embedded = Some(outer);
        }
    }
}

/// More declarations in scope than any document needs: all are searched for each name.
const MOST_BINDINGS: usize = 64;

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L, Xml> {
    #[inline]
    pub(crate) fn is_named(&self, found: Found<'_>, name: Name, namespace: Option<NodeId>) -> bool {
        self.layout.name(name).as_bytes() == found.local
            && (!self.family.document.is_aware || self.is_namespace(found.uri, namespace))
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

    /// Resolves the name in the tag at octet `at`, including the tag's own declarations.
    #[inline(never)]
    pub(crate) fn resolved(&mut self, written: &'a [u8], at: usize) -> Result<Found<'a>, Rejected> {
        let (prefix, uri) = match self.family.document.peeked {
            Some((place, prefix, uri)) if place == at => (prefix, uri),
            _ => self.look_up(written, at)?,
        };
        self.family.document.peeked = Some((at, prefix, uri));
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
        self.family.document.bindings.iter().rev().find(is_it).map(|binding| binding.uri)
    }

    #[cold]
    fn undeclared(&mut self, at: usize) -> Rejected {
        self.found_at(faults::xml::NAMESPACE_PREFIX, at)
    }

    /// Adds the declarations of the start tag whose name has just been read.
    #[inline(never)]
    pub(crate) fn declare(&mut self) -> Result<(), Rejected> {
        let octets = self.reader.octets();
        let mut at = self.octet();
        while let Some(found) = xml::attribute(octets, at).map_err(|fault| self.xml_fault(fault))? {
            at = found.value_end + 1;
            let Some(prefix) = declared_prefix(octets, &found) else { continue };
            let name = octets.get(prefix.0..prefix.1).unwrap_or_default();
            let is_prefix = prefix.0 > found.name + 5;
            if matches!(name, b"xml" | b"xmlns") || (is_prefix && (name.is_empty() || found.value == found.value_end)) {
                return Err(self.found_at(faults::xml::NAMESPACE, found.name));
            }
            if self.family.document.bindings.len() >= MOST_BINDINGS {
                let kind = ErrorKind::Malformed(faults::xml::LIMIT_NAMESPACES);
                return Err(self.fail_at(kind, found.name * 8));
            }
            self.family.document.bindings.push(Binding { prefix, uri: (found.value, found.value_end) });
        }
        Ok(())
    }

    /// Whether an attribute's name is this one. The default namespace does not apply to it.
    pub(crate) fn is_attribute(&mut self, written: &[u8], at: usize, wanted: &XmlNode) -> Result<bool, Rejected> {
        let XmlNode::Attribute { name, namespace, .. } = *wanted else { return Ok(false) };
        let own = self.layout.name(name).as_bytes();
        if !self.family.document.is_aware {
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

    /// The text of an element that is kept, with the outer declarations that its names need.
    pub(crate) fn kept_text(&self, start: usize, end: usize) -> Cow<'a, [u8]> {
        let octets = self.reader.octets();
        let text = octets.get(start..end).unwrap_or_default();
        let mut missing = [false; MOST_BINDINGS];
        let after = match self.names_within(start, end, &mut missing) {
            Ok(after) if missing.contains(&true) => after,
            _ => return Cow::Borrowed(text),
        };
        let of = |(from, to): Text| octets.get(from..to).unwrap_or_default();
        let mut whole = octets.get(start..after).unwrap_or_default().to_vec();
        for (binding, _) in self.family.document.bindings.iter().zip(missing).filter(|(_, is_missing)| *is_missing) {
            let (prefix, quote) = (of(binding.prefix), octets.get(binding.uri.1).copied().unwrap_or(b'"'));
            let colon: &[u8] = if prefix.is_empty() { b"" } else { b":" };
            for part in [b" xmlns", colon, prefix, b"=", &[quote], of(binding.uri), &[quote]] {
                whole.extend_from_slice(part);
            }
        }
        whole.extend_from_slice(octets.get(after..end).unwrap_or_default());
        Cow::Owned(whole)
    }

    /// Finds which declarations in scope the names in an element need, except for those that its
    /// own tag overrides. Returns where its name ends.
    fn names_within(&self, start: usize, end: usize, needed: &mut [bool; MOST_BINDINGS]) -> Result<usize, Fault> {
        let octets = self.reader.octets();
        let mut need = |prefix: &[u8], is_needed: bool| {
            let is_it = |binding: &Binding| octets.get(binding.prefix.0..binding.prefix.1) == Some(prefix);
            let place = self.family.document.bindings.iter().rposition(is_it);
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

/// The prefix that an attribute declares, empty for the default namespace; `None` if it declares
/// none.
fn declared_prefix(octets: &[u8], found: &xml::Attribute) -> Option<Text> {
    match octets.get(found.name..found.name_end)? {
        b"xmlns" => Some((found.name_end, found.name_end)),
        [b'x', b'm', b'l', b'n', b's', b':', ..] => Some((found.name + 6, found.name_end)),
        _ => None,
    }
}
