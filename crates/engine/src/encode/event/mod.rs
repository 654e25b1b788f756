//! Encoding: streams of events (EXI §6, §8).

mod leaf;
mod number;
mod string;

use roadwire_layout::{EventNode, Member, Name, Node, NodeId, Presence, Span};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use super::Encoder;
use string::Strings;

/// Where an encoder is in a stream of events.
#[derive(Default)]
pub(super) struct Events {
    code: Code,
    /// The name of the element that a value is in.
    partition: u32,
    strings: Strings,
}

/// The event code that comes next.
#[derive(Clone, Copy, Default)]
struct Code {
    /// How many of the events that could come have been left out.
    left_out: u32,
    /// How wide it is.
    bits: u8,
}

/// EXI §5: distinguishing bits, no options, version 1.
const HEADER: u64 = 0x80;

impl<'n> Encoder<'n, '_, '_> {
    #[inline(never)]
    pub(super) fn event(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
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

    /// The next event is told by a code of so many bits.
    #[inline(always)]
    fn expect(&mut self, bits: u8) {
        self.events.code = Code { left_out: 0, bits };
    }

    /// Writes the code of the event that comes.
    #[inline(always)]
    fn happen(&mut self) -> Result<(), Rejected> {
        self.writer.put(u64::from(self.events.code.left_out), u32::from(self.events.code.bits))
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
        self.events.partition = name.start;
        let is_over = code > 0 && self.is_over(leaf, code, value)?;
        if !is_over {
            self.writer.put(0, u32::from(code))?;
            self.node(leaf, value)?;
            self.writer.put(0, u32::from(code))?;
        }
        self.expect(follow);
        Ok(())
    }

    /// Writes what may have no characters, or has an attribute: where there are codes, these have some of their own. Tells whether it has been such a value.
    #[inline(never)]
    fn is_over(&mut self, leaf: NodeId, code: u8, value: &dyn Data) -> Result<bool, Rejected> {
        match *self.layout.node(leaf) {
            Node::Event(EventNode::Bits { lower, upper, trim, .. }) if lower != upper => {
                self.writer.put(0, u32::from(code))?;
                if !self.event_bits([lower, upper], trim, code, value.scalar())? {
                    self.writer.put(0, u32::from(code))?;
                }
                Ok(true)
            }
            Node::Event(EventNode::Bits { upper: 0, trim, .. }) if leaf::has_no_bits(value.scalar(), trim) => {
                self.end_of_empty(code)?;
                Ok(true)
            }
            Node::Event(EventNode::Octets { lower: 0, .. } | EventNode::Text { lower: 0, .. })
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
                self.events.code.left_out += 1;
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

    /// Whether a mandatory component is of an addition group of which nothing is there.
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
        let EventNode::Choice { alternatives, first, octets } = *node else { return self.misplaced() };
        self.descend()?;
        self.expect(first);
        let alternatives = self.layout.alternatives(alternatives);
        match (value.alternative(), octets) {
            (Some((which, content)), _) => {
                let found = alternatives.iter().position(|one| one.alternative as usize == which);
                let Some((at, alternative)) = found.and_then(|at| Some((at, alternatives.get(at)?))) else {
                    let (index, count) = (which as u64, alternatives.len() as u64);
                    return Err(self.fail(ErrorKind::ChoiceIndex { index, count }));
                };
                self.events.code.left_out = at as u32;
                self.alternative(alternative, content)?;
            }
            (None, Some(octets)) => {
                self.events.code.left_out = alternatives.len() as u32;
                self.node(octets, value)?;
            }
            (None, None) => return self.mismatch("a CHOICE with one of its alternatives"),
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn event_repeat(&mut self, node: &'n EventNode, value: &dyn Data) -> Result<(), Rejected> {
        let EventNode::Repeat { lower, upper, element, single, either, bounded } = *node else {
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
        // The end, behind as many as there can be or in place of one more.
        if bounded && size == upper {
            self.expect(single);
        } else {
            self.events.code = Code { left_out: 1, bits: either };
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
