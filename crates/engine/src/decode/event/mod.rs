//! Decoding: streams of events (EXI §6, §8).
//!
//! The code in front of an event is read as soon as the event before it is over, for that one says how wide it is.

mod header;
mod leaf;
mod number;
mod string;

use roadwire_layout::{EventNode, Name, NodeId, Presence, Span};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape};

use super::Decoder;
use crate::listener::{Listener, What};
use string::Strings;

/// Where a decoder is in a stream of events.
#[derive(Default)]
pub(super) struct Events {
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
    /// Where it is.
    at: usize,
    /// How wide.
    bits: u8,
    /// How many of the events that could come are still to be left out.
    left_out: u32,
    /// Whether it is the first in an element.
    is_first: bool,
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    #[inline(never)]
    pub(super) fn event(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
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
                    // The code is told of when the element ends.
                    self.item(self.events.code.at, 0, What::Value(""), Scalar::Null);
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
        self.events.code = Code { at, bits, left_out, is_first };
        Ok(())
    }

    /// The next event is this one: the code has nothing more to leave out.
    #[inline(always)]
    fn happens(&mut self, event: &'static str, name: &str) -> Result<(), Rejected> {
        if self.events.code.left_out > 0 {
            return self.other_event(event);
        }
        if L::ACTIVE && self.events.code.bits > 0 {
            self.item(self.events.code.at, usize::from(self.events.code.bits), What::Event(event, name), Scalar::Unset);
        }
        Ok(())
    }

    /// A code for another event than `event`, the last one that it could be: one that the schema does not have, where those are not excluded.
    #[cold]
    #[inline(never)]
    fn other_event(&mut self, event: &str) -> Result<(), Rejected> {
        let at = self.events.code.at;
        if self.events.strict || self.events.code.left_out > 1 {
            return Err(self.fail_at(ErrorKind::Malformed("an event code that stands for nothing"), at));
        }
        // §8.5.4.4.1: an end, unless it has a code of the first level already; attributes before all else; an element, characters.
        let end: &[&'static str] = if event == "EE" { &[] } else { &["an element that ends too soon"] };
        let attributes: &[&'static str] = if self.events.code.is_first {
            &[
                "an xsi:type attribute, which is not read",
                "an xsi:nil attribute, which is not read",
                "an attribute that the schema does not have",
                "an attribute with a value that is not of its type",
            ]
        } else {
            &[]
        };
        let others =
            ["an element that the schema does not have in this place", "characters that are no value of the type"];
        let events = || end.iter().chain(attributes).chain(&others);
        let bits = usize::BITS - (events().count() - 1).leading_zeros();
        let index = self.take(bits)? as usize;
        let what = events().nth(index).copied().unwrap_or("an event code that stands for nothing");
        Err(self.fail_at(ErrorKind::Malformed(what), at))
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
            if self.events.code.left_out > 0 && (member.presence != Presence::Mandatory || self.is_grouped(groups, at))
            {
                self.events.code.left_out -= 1;
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
        let EventNode::Choice { alternatives, first, octets } = *node else { return self.misplaced() };
        self.descend()?;
        self.expect(first, true)?;
        let alternatives = self.layout.alternatives(alternatives);
        let which = self.events.code.left_out as usize;
        self.events.code.left_out = 0;
        match (alternatives.get(which), octets) {
            (Some(alternative), _) => self.alternative(alternative, value)?,
            (None, Some(octets)) if which == alternatives.len() => self.node(octets, value)?,
            (None, _) => {
                let last = alternatives.len() + usize::from(octets.is_some());
                self.events.code.left_out = (which - last) as u32 + 1;
                return self.other_event("SE");
            }
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn event_repeat(&mut self, node: &'n EventNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let EventNode::Repeat { lower, upper, element, single, either, bounded } = *node else {
            return self.misplaced();
        };
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0u64;
        loop {
            let is_last = bounded && at == upper;
            self.expect(if at < lower || is_last { single } else { either }, at == 0)?;
            if is_last {
                break;
            }
            if at >= lower && self.events.code.left_out == 1 {
                self.events.code.left_out = 0;
                break;
            }
            if at == upper {
                return Err(self.fail_at(ErrorKind::Size { size: at + 1, lower, upper }, self.events.code.at));
            }
            self.count_element()?;
            if self.events.code.left_out > 0 && at >= lower {
                // The end has a code of the first level: nothing else is left out.
                self.events.code.left_out -= 1;
                return self.other_event("EE");
            }
            self.element_at(element, at, at + 1, value)?;
            at += 1;
        }
        self.depth -= 1;
        Ok(())
    }
}
