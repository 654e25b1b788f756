//! Choices.

use roadwire_layout::{Node, NodeId, Span, tag};

use super::Walk;
use super::leaf::{bits, map, offset};
use crate::frame::Slot;
use crate::levels::Leveled;
use crate::packed::code::{Field, Op};

impl Walk<'_> {
    pub(super) fn choice(&mut self, node: NodeId, slots: &[Slot], slot: u32) -> Option<()> {
        let Node::Choice { extensible, width, root, alternatives, tags } = *self.layout.node(node) else {
            return None;
        };
        let alternatives = self.layout.alternatives(alternatives);
        if tags.count > 0 {
            self.tag(slot, tags, |place| Some(alternatives.get(place as usize)?.alternative))?;
        } else if alternatives.len() > root as usize {
            self.code.fields.push(offset(bits(width)?, 0, i128::from(root) - 1)?);
            self.code.maps.push(map(alternatives.iter().map(|one| one.alternative).zip(0..)));
            let (field, map) = (self.code.fields.len() as u32 - 1, self.code.maps.len() as u32 - 1);
            self.op(Op::Alternative { slot, field, map });
        } else {
            let field = offset(self.width(width, extensible.into())?, 0, i128::from(root) - 1)?;
            let field = Field { selects: true, ..field };
            self.mapped(slot, field, map(alternatives.iter().map(|one| one.alternative).zip(0..)));
        }
        let first = self.code.targets.len();
        // By alternative in textual order; those without a program go nowhere.
        self.code.targets.resize(first + slots.len(), u32::MAX);
        self.op(Op::Choose { slot, first: first as u32, count: slots.len() as u32 });
        let mut ends = Vec::new();
        for (place, one) in (0..).zip(alternatives) {
            let at = one.alternative as usize;
            *self.code.targets.get_mut(first + at)? = self.here();
            let place_of = slots.get(at)?;
            match place < root {
                true => self.at(one.node, place_of, slot)?,
                false => self.open(|walk| walk.at(one.node, place_of, slot))?,
            }
            ends.push(self.jump());
        }
        ends.into_iter().for_each(|end| self.ends(end));
        Some(())
    }

    /// A tag, which selects an alternative.
    fn tag(&mut self, slot: u32, tags: Span, alternative: impl Fn(u32) -> Option<u32>) -> Option<()> {
        let mut keys = Vec::new();
        for pair in self.layout.numbers(tags).chunks_exact(2) {
            let (class, number) = (pair[0] >> 30, pair[0] & tag::MOST);
            if pair[1] & tag::INNER != 0 || number >= 0x100 {
                return None;
            }
            keys.push((alternative(pair[1])?, class << 8 | number));
        }
        self.code.maps.push(map(keys.into_iter()));
        let map = self.code.maps.len() as u32 - 1;
        self.op(Op::Tag { slot, map });
        Some(())
    }
}
