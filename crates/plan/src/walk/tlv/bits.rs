//! Bit strings (X.690 §8.6, §11.2).

use roadwire_model::TypeId;

use super::Walk;
use super::leaf::Front;
use crate::plan::{Amount, Arg, Cond, Num, Place, Prim, Stmt, Str, Tlv, Value};
use crate::types::Repr;

/// How many bits are in a word with their tag, their length, and the number of unused ones.
const IN_A_WORD: u64 = 40;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// A bit string of any length.
    pub(super) fn any_bits(&mut self, id: TypeId, front: Front, bounds: (u64, u64), place: &Place) {
        if self.draft.is_encoder() {
            let bits = Num::Elements(place.clone());
            self.draft.reject_if(Cond::size_outside(bits.clone(), bounds));
            self.refuse_segments(front, bits.clone());
            let args = vec![front.tag(), Arg::WholeBits(place.clone()), Arg::Num(bits)];
            return self.write(Tlv::PutAnyBits, args.into_iter().chain(front.segment()).collect());
        }
        let octets = self.take_string(front, place);
        self.draft.take_any_bits(id, octets, bounds, place);
    }

    /// A longer string is in segments (X.690 §9.2).
    fn refuse_segments(&mut self, front: Front, bits: Num) {
        let is_refused = front.is_segmented && front.segment.is_none();
        self.draft.push_if(is_refused, Stmt::RejectIf(Cond::Above(bits, 999 * 8)));
    }

    pub(super) fn bits(&mut self, id: TypeId, front: Front, bounds: (u64, u64), trim: Option<u64>, place: &Place) {
        match (self.draft.types.repr(id), trim, self.draft.is_encoder()) {
            (Repr::BitString, Some(least), _) => self.named_bits(front, bounds, least, place),
            (_, _, true) => self.put_bits(id, front, bounds, trim, place),
            (_, _, false) => self.take_bits(id, front, bounds, trim, place),
        }
    }

    /// Named bits of any number, of which zero bits at the end have no meaning (X.690 §11.2.2).
    fn named_bits(&mut self, front: Front, (lower, upper): (u64, u64), least: u64, place: &Place) {
        let number = |number: u64| Arg::Num(Num::Const(number));
        if !self.draft.is_encoder() {
            let octets = self.take_string(front, place);
            let args = vec![Arg::Exclusive(place.clone()), Arg::Octets(Str::Var(octets)), number(lower), number(upper)];
            return self.draft.push(Stmt::Do(Prim::Tlv(Tlv::TakeNamedBits), args));
        }
        self.refuse_segments(front, Num::Elements(place.clone()));
        let args = vec![front.tag(), Arg::WholeBits(place.clone()), number(lower), number(upper), number(least)];
        self.write(Tlv::PutNamedBits, args.into_iter().chain(front.segment()).collect());
    }

    fn put_bits(&mut self, id: TypeId, front: Front, bounds: (u64, u64), trim: Option<u64>, place: &Place) {
        let is_short = bounds.1 < 64 || trim.is_none() && bounds.1 == 64;
        let (word, count) = match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if is_short => (Num::Flags(place.clone()), Arg::Num(Num::Const(bits.into()))),
            Repr::BitWord if is_short => (Num::Bits(place.clone()), Arg::BitCount(place.clone())),
            _ => return self.draft.give_up(),
        };
        let (bits, least) = (self.draft.named(word), trim.unwrap_or(u64::MAX));
        match (self.draft.types.repr(id), &count) {
            (Repr::BitFlags { bits: 64, .. }, _) => {}
            (Repr::BitFlags { bits: width, .. }, _) => {
                self.draft.push(Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(bits), (*width).into())));
            }
            (_, Arg::BitCount(place)) => {
                let count = Num::Amount(Box::new(Amount::BitCount(place.clone()))).widened();
                self.draft.push(Stmt::RejectIf(Cond::NotWithin(count, bounds)));
            }
            _ => {}
        }
        let number = |number: u64| Arg::Num(Num::Const(number));
        let by = if bounds.1 > IN_A_WORD { Tlv::PutLongBits } else { Tlv::PutBits };
        self.write(by, vec![front.tag(), Arg::Num(Num::Var(bits)), count, number(least)]);
    }

    fn take_bits(&mut self, id: TypeId, front: Front, (lower, upper): (u64, u64), trim: Option<u64>, place: &Place) {
        let least = if trim.is_some() { 0 } else { lower };
        let repr = *self.draft.types.repr(id);
        let most = match repr {
            Repr::BitFlags { .. } | Repr::BitWord if upper < 64 || trim.is_none() && upper == 64 => upper,
            _ => return self.draft.give_up(),
        };
        let number = |number: u64| Arg::Num(Num::Const(number));
        let (bits, sent) = (self.draft.variable(), self.draft.variable());
        let args = vec![front.tag(), number(least), number(most)];
        let by = if most > IN_A_WORD { Tlv::TakeLongBits } else { Tlv::TakeBits };
        self.draft.push(Stmt::Read(vec![bits, sent], Prim::Tlv(by), args));
        if let Repr::BitFlags { bits: width, .. } = repr {
            let flags = Num::ShlMissing { bits, width: width.into(), sent };
            return self.draft.push(Stmt::Set(place.clone(), Value::Flags(id, flags)));
        }
        let count = self.draft.named(Num::Max(sent, lower));
        let word = Value::Sent { bits, count, sent };
        self.draft.push(Stmt::Set(place.clone(), word));
    }
}
