//! Decoding: streams of events (EXI §6, §8).
//!
//! The code of an event is read as soon as the previous event is complete, which
//! determines its width.

mod header;
mod leaf;
mod number;
mod report;
mod string;

use roadwire_layout::{EventNode, Name, Node, NodeId, Presence, Span};
use roadwire_wire::{Data, ErrorKind, Fault, Rejected, Scalar, Shape, faults};

use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};
use string::Strings;

/// The state of a decoder in a stream of events.
#[derive(Clone, Default)]
pub(crate) struct Events {
    code: Code,
    /// Whether events that are not in the schema are excluded.
    strict: bool,
    /// The name of the element that a value is in.
    partition: u32,
    strings: Strings,
}

/// The event code that comes next.
#[derive(Clone, Copy, Default)]
struct Code {
    /// The bit at which it begins.
    at: usize,
    /// Width.
    bits: u8,
    /// How many of the possible events still precede the one that is selected.
    left_out: u32,
    /// Whether it is the first in an element.
    is_first: bool,
}

impl Family for Events {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        match decoder.layout.node(id) {
            Node::Events(node) => decoder.event(node, value),
            _ => decoder.shared(id, value),
        }
    }
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Events> {
    #[inline(never)]
    pub(crate) fn event(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            EventNode::Leaf { .. } => self.event_leaf(node, value),
            EventNode::Element { name, content, follow } => self.event_element(name, content, follow, value),
            EventNode::Sequence { .. } => self.event_sequence(node, value),
            EventNode::Choice { .. } => self.event_choice(node, value),
            EventNode::Repeat { .. } => self.event_repeat(node, value),
            EventNode::Document { element, strict } => {
                self.event_document(strict)?;
                self.node(element, value)
            }
            EventNode::Empty { first } => {
                self.expect(first, true)?;
                if L::ACTIVE {
                    // The code is reported when the element ends.
                    self.item(self.family.code.at, 0, What::Value(""), Scalar::Null);
                }
                if value.set(Scalar::Null) { Ok(()) } else { self.mismatch("of the type that the layout has") }
            }
            _ => self.event_value(node, value),
        }
    }

    /// Reads the code of the next event.
    #[inline(always)]
    fn expect(&mut self, bits: u8, is_first: bool) -> Result<(), Rejected> {
        let at = self.reader.position();
        let left_out = self.take(u32::from(bits))? as u32;
        self.family.code = Code { at, bits, left_out, is_first };
        Ok(())
    }

    /// Checks that the next event is this one: the code does not skip any more events.
    #[inline(always)]
    fn happens(&mut self, event: &'static str, name: &str) -> Result<(), Rejected> {
        if self.family.code.left_out > 0 {
            return self.other_event(event);
        }
        if L::ACTIVE && self.family.code.bits > 0 {
            self.item(self.family.code.at, usize::from(self.family.code.bits), What::Event(event, name), Scalar::Unset);
        }
        Ok(())
    }

    /// A code for an event other than `event`, the last possible one: an event that is not in the
    /// schema, unless those are excluded.
    #[cold]
    #[inline(never)]
    fn other_event(&mut self, event: &str) -> Result<(), Rejected> {
        let at = self.family.code.at;
        if self.family.strict || self.family.code.left_out > 1 {
            return Err(self.no_event(at));
        }
        // §8.5.4.4.1: an end, unless it already has a code of the first level; attributes, only at
        // the start; an element, characters.
        let end: &[Fault] = if event == "EE" { &[] } else { &[faults::events::END] };
        let attributes: &[Fault] = if self.family.code.is_first {
            &[
                faults::events::ATTRIBUTE_TYPE,
                faults::events::ATTRIBUTE_NIL,
                faults::events::ATTRIBUTE_UNKNOWN,
                faults::events::ATTRIBUTE_VALUE,
            ]
        } else {
            &[]
        };
        let others = [faults::events::ELEMENT_OTHER, faults::events::CHARACTERS];
        let events = || end.iter().chain(attributes).chain(&others);
        let bits = usize::BITS - (events().count() - 1).leading_zeros();
        let index = self.take(bits)? as usize;
        let what = events().nth(index).copied().unwrap_or(faults::events::CODE);
        Err(self.event_in_place_of(what, at, event))
    }

    #[inline(never)]
    fn event_element(&mut self, name: Name, content: NodeId, follow: u8, value: &mut dyn Data) -> Result<(), Rejected> {
        let name = self.layout.name(name);
        self.happens("SE", name)?;
        self.node(content, value)?;
        self.happens("EE", name)?;
        self.expect(follow, false)
    }

    #[inline(never)]
    fn event_sequence(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Sequence { components, members, groups, first, .. } = *node else { return self.misplaced() };
        self.descend()?;
        self.begin_record(components, value)?;
        if let Some(bits) = first {
            self.expect(bits, true)?;
        }
        let mut next = 0;
        for (at, member) in self.layout.members(members).iter().enumerate() {
            if self.family.code.left_out > 0 && (member.presence != Presence::Mandatory || self.is_grouped(groups, at))
            {
                self.family.code.left_out -= 1;
                continue;
            }
            if groups.count > 0 {
                self.groups_are_whole(members, groups, next, at)?;
                next = at + 1;
            }
            self.member(member, value)?;
        }
        if groups.count > 0 {
            self.groups_are_whole(members, groups, next, members.count as usize)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn is_grouped(&self, groups: Span, at: usize) -> bool {
        let at = at as u32;
        self.layout.numbers(groups).chunks_exact(2).any(|pair| (pair[0]..pair[0] + pair[1]).contains(&at))
    }

    #[inline(never)]
    fn event_choice(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Choice { alternatives, starts, first, octets } = *node else { return self.misplaced() };
        self.descend()?;
        if let Some(bits) = first {
            self.expect(bits, true)?;
        }
        let alternatives = self.layout.alternatives(alternatives);
        let (which, left_out) = selected(self.layout.numbers(starts), self.family.code.left_out);
        self.family.code.left_out = left_out;
        match (alternatives.get(which), octets) {
            (Some(alternative), _) => self.alternative(alternative, value)?,
            (None, Some(octets)) if which == alternatives.len() => self.node(octets, value)?,
            (None, _) => {
                let last = alternatives.len() + usize::from(octets.is_some());
                self.family.code.left_out = (which - last) as u32 + left_out + 1;
                return self.other_event("SE");
            }
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn event_repeat(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Repeat { lower, upper, element, events, single, either, last, bounded } = *node else {
            return self.misplaced();
        };
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0u64;
        loop {
            let is_last = bounded && at == upper;
            let bits = match at {
                _ if is_last => last,
                _ if at < lower => single,
                _ => either,
            };
            self.expect(bits, at == 0)?;
            if is_last {
                break;
            }
            if at >= lower && self.family.code.left_out == events {
                self.family.code.left_out = 0;
                break;
            }
            if at == upper {
                return Err(self.fail_at(ErrorKind::Size { size: at + 1, lower, upper }, self.family.code.at));
            }
            self.count_element()?;
            if self.family.code.left_out >= events && at >= lower {
                // The end has a code of the first level; no other event is skipped.
                self.family.code.left_out -= events;
                return self.other_event("EE");
            }
            self.element_at(element, at, at + 1, value)?;
            at += 1;
        }
        self.depth -= 1;
        Ok(())
    }
}

/// The alternative of a CHOICE that a code selects, and how many events of that alternative it
/// skips; `starts` as in [`EventNode::Choice`].
fn selected(starts: &[u32], code: u32) -> (usize, u32) {
    if starts.is_empty() {
        return (code as usize, 0);
    }
    let which = starts.partition_point(|start| *start <= code).saturating_sub(1);
    (which, code - starts[which])
}
