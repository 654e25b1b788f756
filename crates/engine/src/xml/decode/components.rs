//! Decoding: the components of a record by their tags.

use super::Xml;
use roadwire_layout::{Addition, GROUP, Member, Node, NodeId, Presence, Span, XmlNode};
use roadwire_wire::rt::xml;
use roadwire_wire::{Data, Rejected, Scalar, Unknown, faults};

use super::{Tag, is_foreign};
use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::seen::Seen;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Xml> {
    pub(crate) fn components(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { unordered, embedded, .. } = *node else { return self.misplaced() };
        self.open_components(node, value)?;
        if embedded {
            return self.mixed_components(node, value);
        }
        match unordered {
            true => self.unordered_components(node, value)?,
            false => self.ordered_components(node, value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Components with text between them.
    #[cold]
    #[inline(never)]
    fn mixed_components(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let outer = self.begin_embedded();
        self.ordered_components(node, value)?;
        self.end_embedded(outer, value)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(always)]
    fn ordered_components(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { members, before, .. } = *node else { return self.misplaced() };
        let members = self.layout.members(members);
        let (first, last) = members.split_at_checked(before as usize).unwrap_or((members, &[]));
        for member in first {
            self.xml_member(member, value)?;
        }
        self.xml_additions(node, last, value)?;
        for member in last {
            self.xml_member(member, value)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn open_components(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { components, attributes, .. } = *node else { return self.misplaced() };
        self.descend()?;
        if components != GROUP {
            self.begin_record(components, value)?;
        }
        if attributes.count > 0 { self.attributes(attributes, value) } else { Ok(()) }
    }

    /// Reads a start tag's attributes, in whatever order they are.
    #[inline(never)]
    fn attributes(&mut self, attributes: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        let Tag::Open(start) = self.family.tag else { return Ok(()) };
        let layout = self.layout;
        let members = layout.members(attributes);
        let octets = self.reader.octets();
        let first = self.octet();
        let mut shown = start;
        let mut seen = Seen::default();
        while let Some(found) = xml::attribute(octets, self.octet()).map_err(|fault| self.xml_fault(fault))? {
            let name = octets.get(found.name..found.name_end).unwrap_or_default();
            if xml::is_repeated(octets, first, &found).map_err(|fault| self.xml_fault(fault))? {
                return Err(self.found_at(faults::xml::ATTRIBUTE_REPEATED, found.name));
            }
            let mut place = None;
            for (at, member) in members.iter().enumerate().filter(|_| !is_foreign(name)) {
                if let Node::Xml(wanted) = layout.node(member.node) {
                    if self.is_attribute(name, found.name, wanted)? {
                        place = Some(at);
                        break;
                    }
                }
            }
            let Some(at) = place else {
                if is_foreign(name) {
                    self.go(found.value_end + 1);
                    continue;
                }
                return Err(self.other_attribute(members, found.name));
            };
            let quote = octets.get(found.value_end).copied().unwrap_or(b'"');
            self.family.tag = Tag::Attribute(quote);
            self.go(shown);
            self.xml_pass(
                found.value,
                What::Name(layout.members(attributes).get(at).map_or("", |one| layout.name(one.name))),
            );
            if let Some(member) = members.get(at) {
                if !seen.insert(at) {
                    return Err(self.found_at(faults::xml::ATTRIBUTE_REPEATED, found.name));
                }
                self.member(member, value)?;
            }
            if self.octet() != found.value_end {
                return Err(self.found_at(faults::xml::ATTRIBUTE_TRAILING, self.octet()));
            }
            shown = found.value_end;
            self.go(found.value_end + 1);
            self.family.tag = Tag::Open(shown);
        }
        self.all_seen(members, &seen)
    }

    /// Checks that every mandatory component has been read.
    fn all_seen(&mut self, members: &'n [Member], seen: &Seen) -> Result<(), Rejected> {
        let is_missing = |(at, member): &(usize, &Member)| member.presence == Presence::Mandatory && !seen.has(*at);
        match members.iter().enumerate().find(is_missing) {
            Some((_, member)) => self.missing_member(member),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn xml_member(&mut self, member: &'n Member, value: &mut dyn Data) -> Result<(), Rejected> {
        // A member without tags may be anything, or empty.
        let has_tags = matches!(self.layout.node(member.node), Node::Xml(XmlNode::Tags { .. }) | Node::Key { .. });
        if (!has_tags && member.presence == Presence::Mandatory) || self.is_next(member.node)? {
            self.member(member, value)
        } else if member.presence == Presence::Mandatory {
            self.missing_member(member)
        } else {
            Ok(())
        }
    }

    #[inline(never)]
    fn is_next(&mut self, node: NodeId) -> Result<bool, Rejected> {
        match self.xml_peek()? {
            Some(name) => Ok(self.begins(node, name)),
            None => Ok(false),
        }
    }

    #[cold]
    #[inline(never)]
    fn missing_member(&mut self, member: &Member) -> Result<(), Rejected> {
        self.other_component(member);
        Err(self.within_member(member))
    }

    /// Reads the extension additions: the known ones, and then any elements up to one of the
    /// members that follow.
    #[inline(never)]
    fn xml_additions(&mut self, node: &'n XmlNode, last: &[Member], value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { additions, extensible, .. } = *node else { return self.misplaced() };
        for addition in self.layout.additions(additions) {
            if self.is_next(addition.node())? {
                self.addition(addition, value)?;
            }
        }
        if !extensible {
            return Ok(());
        }
        let mut index = additions.count;
        while let Some(name) = self.xml_peek()? {
            if last.iter().any(|member| self.begins(member.node, name)) {
                break;
            }
            self.keep_element(index, value)?;
            index += 1;
        }
        Ok(())
    }

    fn addition(&mut self, addition: &'n Addition, value: &mut dyn Data) -> Result<(), Rejected> {
        match addition {
            Addition::Single(member) => self.member(member, value),
            Addition::Group(group) => self.node(*group, value),
        }
    }

    /// A SET: each component once, wherever it is.
    #[inline(never)]
    fn unordered_components(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Components { members, additions, extensible, .. } = *node else { return self.misplaced() };
        let (members, additions) = (self.layout.members(members), self.layout.additions(additions));
        let mut seen = Seen::default();
        let mut index = additions.len() as u32;
        while let Some(name) = self.xml_peek()? {
            let member = members.iter().position(|member| self.begins(member.node, name));
            let addition = || additions.iter().position(|addition| self.begins(addition.node(), name));
            let place = member.or_else(|| addition().map(|at| members.len() + at));
            let Some(place) = place else {
                if !extensible {
                    let rest = members.iter().enumerate().filter(|(at, _)| !seen.has(*at)).map(|(_, member)| member);
                    let or_end = !rest.clone().any(|member| member.presence == Presence::Mandatory);
                    return Err(self.other_components(faults::xml::ELEMENT_UNKNOWN, rest, or_end));
                }
                self.keep_element(index, value)?;
                index += 1;
                continue;
            };
            if !seen.insert(place) {
                return Err(self.found_at(faults::xml::ELEMENT_REPEATED, self.octet()));
            }
            match (members.get(place), additions.get(place.wrapping_sub(members.len()))) {
                (Some(member), _) => self.member(member, value)?,
                (None, Some(addition)) => self.addition(addition, value)?,
                (None, None) => self.misplaced()?,
            }
        }
        self.all_seen(members, &seen)
    }

    /// Keeps the text of an unknown element.
    #[cold]
    #[inline(never)]
    pub(crate) fn keep_element(&mut self, index: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        self.count_character()?;
        let (octets, start) = (self.reader.octets(), self.octet());
        let end = xml::element(octets, start).map_err(|fault| self.xml_fault(fault))?;
        let text = self.kept_text(start, end);
        self.go(end);
        self.show(start * 8, What::Unknown, Scalar::Octets(&text));
        let outer = self.family.document.embedded.take();
        self.family.document.leave(self.family.document.declared(), outer);
        if value.keep(Unknown { index, octets: text.into_owned() }) {
            Ok(())
        } else {
            self.mismatch("a type that can keep unknown additions")
        }
    }
}
