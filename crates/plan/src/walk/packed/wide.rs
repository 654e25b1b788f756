//! INTEGERs of any length under packed and octet rules, and in a stream of events.

use roadwire_layout::{LengthForm, Node, NodeId, Number, Width};

use super::Walk;
use crate::plan::{Coding, Cond, Num, Place};
use crate::walk::wide;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn wide(&mut self, node: NodeId, place: &Place) {
        let layout = self.draft.layout;
        if let Node::Extension { root, beyond } = *layout.node(node) {
            return self.wide_in_root_or_beyond(root, beyond, place);
        }
        let Some(range) = wide::range(layout, layout.node(node)) else { return self.draft.give_up() };
        let coding = match *layout.node(node) {
            Node::Word { width, .. } | Node::WideWord { width, .. } => match (width, &range.lower) {
                (Width::Anywhere(bits), Some(from)) => Coding::Field { bits, is_aligned: false, from: from.clone() },
                (Width::Aligned(bits), Some(from)) => Coding::Field { bits, is_aligned: true, from: from.clone() },
                (Width::Counted { bits, aligned }, _) => Coding::Counted { bits, is_aligned: aligned },
                (_, None) => return self.draft.give_up(),
            },
            Node::Integer { form, .. } | Node::WideInteger { form, .. } if self.is_octet => Coding::Definite(form),
            Node::Integer { form, .. } | Node::WideInteger { form, .. } => {
                Coding::Determined { form, is_aligned: layout.length_form == LengthForm::Aligned }
            }
            _ => return self.draft.give_up(),
        };
        self.wide_coded(coding, range, place);
    }

    fn wide_coded(&mut self, coding: Coding, range: crate::plan::Range, place: &Place) {
        self.settle();
        wide::integer(self.draft, place, coding, range);
        self.phase = None;
    }

    /// A number of the root, or one beyond it (X.691 §13.1).
    fn wide_in_root_or_beyond(&mut self, root: NodeId, beyond: NodeId, place: &Place) {
        if !self.keeps_later() {
            self.in_root(true);
            return self.wide(root, place);
        }
        let layout = self.draft.layout;
        let Some(range) = wide::range(layout, layout.node(root)) else { return self.draft.give_up() };
        let condition = match self.draft.is_encoder() {
            true => Cond::OutsideRange(place.clone(), range),
            false => Cond::Differs(Num::Var(self.take(1)), 0),
        };
        self.either(
            condition,
            |walk| {
                walk.put_constant(1);
                walk.wide(beyond, place);
            },
            |walk| {
                walk.put_constant(0);
                walk.wide(root, place);
            },
        );
    }

    /// A number in a stream of events (EXI §7.1.5, §7.1.9).
    pub(super) fn wide_event(&mut self, range: NodeId, number: Number, place: &Place) {
        let layout = self.draft.layout;
        let Some(range) = wide::range(layout, layout.node(range)) else { return self.draft.give_up() };
        let coding = match number {
            Number::Bits { bits, base } => {
                Coding::Field { bits: bits.into(), is_aligned: false, from: wide::octets(base.into()) }
            }
            Number::Unsigned => Coding::Groups { is_signed: false },
            Number::Signed => Coding::Groups { is_signed: true },
        };
        self.wide_coded(coding, range, place);
    }
}
