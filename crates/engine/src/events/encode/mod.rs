//! Encoding: streams of events (EXI §6, §8).

mod leaf;
mod number;
mod string;

use roadwire_layout::{EventNode, Member, Name, Node, NodeId, Presence, Span};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use crate::encode::{Encoder, Family};
use string::Strings;

/// The state of an encoder in a stream of events.
#[derive(Default)]
pub(crate) struct Events {
    code: Code,
    /// The name of the element that a value is in.
    partition: u32,
    strings: Strings,
}

/// The event code that comes next.
#[derive(Clone, Copy, Default)]
struct Code {
    /// How many of the possible events have been skipped.
    left_out: u32,
    /// Width.
    bits: u8,
}

/// EXI §5: distinguishing bits, no options, version 1.
const HEADER: u64 = 0x80;

impl Family for Events {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        match encoder.layout.node(id) {
            Node::Events(node) => encoder.event(node, value),
            _ => encoder.shared(id, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Events> {
    #[inline(never)]
    pub(crate) fn event(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            EventNode::Leaf { name, value: leaf, code, follow } => self.event_leaf(name, leaf, [code, follow], value),
            EventNode::Element { content, follow, .. } => self.event_element(content, follow, value),
            EventNode::Sequence { .. } => self.event_sequence(node, value),
            EventNode::Choice { .. } => self.event_choice(node, value),
            EventNode::Repeat { .. } => self.event_repeat(node, value),
            EventNode::Document { element, .. } => {
                self.writer.put(HEADER, 8)?;
                // §8.5.1: one element of the schema, or any other.
                self.expect(1);
                self.node(element, value)
            }
            _ => self.event_value(node, value),
        }
    }

    /// Sets the width of the next event's code.
    #[inline(always)]
    fn expect(&mut self, bits: u8) {
        self.family.code = Code { left_out: 0, bits };
    }

    /// Writes the code of the next event.
    #[inline(always)]
    fn happen(&mut self) -> Result<(), Rejected> {
        self.writer.put(u64::from(self.family.code.left_out), u32::from(self.family.code.bits))
    }

    #[inline(never)]
    fn event_element(&mut self, content: NodeId, follow: u8, value: &dyn Data) -> Result<(), Rejected> {
        self.happen()?;
        self.node(content, value)?;
        self.happen()?;
        self.expect(follow);
        Ok(())
    }

    #[inline(never)]
    fn event_leaf(
        &mut self,
        name: Name,
        leaf: NodeId,
        [code, follow]: [u8; 2],
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        self.happen()?;
        self.family.partition = name.start();
        let is_over = code > 0 && self.is_over(leaf, code, value)?;
        if !is_over {
            self.writer.put(0, u32::from(code))?;
            self.node(leaf, value)?;
            self.writer.put(0, u32::from(code))?;
        }
        self.expect(follow);
        Ok(())
    }

    /// Writes a value that may have no characters, or has an attribute: these need special codes,
    /// if there are codes. Returns whether it was such a value.
    #[inline(never)]
    fn is_over(&mut self, leaf: NodeId, code: u8, value: &dyn Data) -> Result<bool, Rejected> {
        match *self.layout.node(leaf) {
            Node::Events(EventNode::Bits { lower, upper, trim, .. }) if lower != upper => {
                self.writer.put(0, u32::from(code))?;
                if !self.event_bits([lower, upper], trim, code, value.scalar())? {
                    self.writer.put(0, u32::from(code))?;
                }
                Ok(true)
            }
            Node::Events(EventNode::Bits { upper: 0, trim, .. }) if leaf::has_no_bits(value.scalar(), trim) => {
                self.end_of_empty(code)?;
                Ok(true)
            }
            Node::Events(EventNode::Octets { lower: 0, .. } | EventNode::Text { lower: 0, .. })
                if matches!(value.scalar(), Scalar::Octets([]) | Scalar::Text("")) =>
            {
                self.end_of_empty(code)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    #[inline(never)]
    fn event_sequence(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        let EventNode::Sequence { members, groups, first, extensible, .. } = *node else { return self.misplaced() };
        self.descend()?;
        self.open_sequence(extensible, value)?;
        if let Some(bits) = first {
            self.expect(bits);
        }
        for (at, member) in self.layout.members(members).iter().enumerate() {
            if self.is_left_out(member, [members, groups], at, value) {
                self.family.code.left_out += 1;
            } else {
                self.member(member, value)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_sequence(&mut self, extensible: bool, value: &dyn Data) -> Result<(), Rejected> {
        if !value.is_record(extensible) {
            return self.mismatch("a SEQUENCE");
        }
        if value.unknown().is_empty() {
            Ok(())
        } else {
            self.mismatch("a SEQUENCE without additions that the schema does not have")
        }
    }

    #[inline(always)]
    fn is_left_out(&self, member: &Member, spans: [Span; 2], at: usize, value: &dyn Data) -> bool {
        if member.presence != Presence::Mandatory {
            return !self.present(member, value);
        }
        spans[1].count > 0 && self.is_group_left_out(spans, at, value)
    }

    /// Whether a mandatory component belongs to an addition group that is absent.
    #[cold]
    #[inline(never)]
    fn is_group_left_out(&self, [members, groups]: [Span; 2], at: usize, value: &dyn Data) -> bool {
        let mut pairs =
            self.layout.numbers(groups).chunks_exact(2).map(|pair| pair[0] as usize..(pair[0] + pair[1]) as usize);
        let group = pairs.find(|group| group.contains(&at)).and_then(|group| self.layout.members(members).get(group));
        group.is_some_and(|group| !group.iter().any(|member| self.present(member, value)))
    }

    #[inline(never)]
    fn event_choice(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        let EventNode::Choice { alternatives, starts, first, octets } = *node else { return self.misplaced() };
        self.descend()?;
        if let Some(bits) = first {
            self.expect(bits);
        }
        let alternatives = self.layout.alternatives(alternatives);
        match (value.alternative(), octets) {
            (Some((which, content)), _) => {
                let found = alternatives.iter().position(|one| one.alternative as usize == which);
                let Some((at, alternative)) = found.and_then(|at| Some((at, alternatives.get(at)?))) else {
                    let (index, count) = (which as u64, alternatives.len() as u64);
                    return Err(self.fail(ErrorKind::ChoiceIndex { index, count }));
                };
                let start = self.layout.numbers(starts).get(at).copied();
                self.family.code.left_out += start.unwrap_or(at as u32);
                self.alternative(alternative, content)?;
            }
            (None, Some(octets)) => {
                self.family.code.left_out += alternatives.len() as u32;
                self.node(octets, value)?;
            }
            (None, None) => return self.mismatch("a CHOICE with one of its alternatives"),
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn event_repeat(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        let EventNode::Repeat { lower, upper, element, events, single, either, last, bounded } = *node else {
            return self.misplaced();
        };
        self.descend()?;
        let Some(size) = value.length().map(|size| size as u64) else { return self.mismatch("a list") };
        if size < lower || size > upper {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        for at in 0..size {
            self.expect(if at < lower { single } else { either });
            self.list_element(element, at as usize, value)?;
        }
        // The end, after the greatest number of elements or in place of another one.
        if bounded && size == upper {
            self.expect(last);
        } else {
            self.family.code = Code { left_out: events, bits: either };
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn event_value(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        if let EventNode::Empty { first } = *node {
            self.expect(first);
            return self.leaf(&Node::Null, value);
        }
        self.event_scalar(node, value.scalar())
    }
}
