//! Numbers of 64 bits, and conditions.

use roadwire_model::TypeId;
use roadwire_plan::{Amount, Bit, Cond, Int, Num, Place, Repr, Str, Unknown};

use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

/// An ENUMERATED is the place of its item among all items; of an item that is none of these, its
/// number with this bit changed, so that it is none of those places.
const LATER: u64 = 1 << 30;

impl Run<'_, '_, '_> {
    /// The number in a place of a primitive type, as 64 bits.
    fn widened(&mut self, state: &State, place: &Place) -> Outcome<Id> {
        let (path, id) = self.path(state, place)?;
        match *self.types.repr(id) {
            Repr::Integer(int) if int.bits <= 64 => {
                let number = self.slot(state, &path, int.bits.into(), u64::MAX);
                Ok(if int.signed { self.terms.sign_extended(number, 64) } else { self.terms.zero_extended(number, 64) })
            }
            Repr::Bool => {
                let truth = self.slot(state, &path, 1, 1);
                Ok(self.terms.zero_extended(truth, 64))
            }
            Repr::Enum => {
                let numbers = self.item_numbers(id)?;
                let count = numbers.len() as u64;
                // Values have items that are known.
                let item = self.slot(state, &path, 32, count.saturating_sub(1));
                let mut number = match (self.terms.most(item) < count, numbers.last()) {
                    (true, Some(last)) => self.terms.word(*last as u64),
                    _ => {
                        let mark = self.terms.constant(LATER, 32);
                        let later = self.terms.xor(item, mark);
                        self.terms.sign_extended(later, 64)
                    }
                };
                for (at, known) in (0..).zip(numbers) {
                    let (at, known) = (self.terms.constant(at, 32), self.terms.word(known as u64));
                    let is = self.terms.equal(item, at);
                    number = self.terms.ite(is, known, number);
                }
                Ok(number)
            }
            Repr::BitFlags { bits } => {
                let flags = self.slot(state, &path, Int::of_bits(bits).bits.into(), u64::MAX);
                Ok(self.terms.zero_extended(flags, 64))
            }
            ref other => lacks(other),
        }
    }

    pub(crate) fn number(&mut self, state: &mut State, number: &Num) -> Outcome<Id> {
        match number {
            Num::Const(number) | Num::Typed(number) => Ok(self.terms.word(*number)),
            Num::Var(var) => self.variable(state, *var),
            Num::Amount(amount) => self.amount(state, amount),
            Num::Integer(_, place) | Num::Truth(place) | Num::Flags(place) => self.widened(state, place),
            Num::Ordinal(place) => {
                let (path, id) = self.path(state, place)?;
                let count = self.items(id)?;
                self.item(state, &path, &(0..count).collect::<Vec<_>>(), None)
            }
            Num::ItemCode { place, numbers, unknown, .. } => {
                let (path, _) = self.path(state, place)?;
                let numbers: Vec<u64> = numbers.iter().map(|number| u64::from(*number)).collect();
                self.item(state, &path, &numbers, *unknown)
            }
            Num::Item { place, numbers, unknown, .. } => {
                let (path, _) = self.path(state, place)?;
                let numbers: Vec<u64> = numbers.iter().map(|number| *number as u64).collect();
                self.item(state, &path, &numbers, (*unknown == Unknown::Greatest).then_some(i64::MAX as u64))
            }
            Num::Bits(place) => {
                let (path, _) = self.path(state, place)?;
                Ok(self.masked(state, &path, self.is_free))
            }
            Num::BitCount(place) => {
                let (path, _) = self.path(state, place)?;
                let count = self.slot(state, &format!("{path}.bits"), 32, 64);
                Ok(self.terms.zero_extended(count, 64))
            }
            Num::TruthOctet(place) => {
                let (path, _) = self.path(state, place)?;
                let truth = self.slot(state, &path, 1, 1);
                let (yes, no) = (self.terms.word(255), self.terms.word(0));
                Ok(self.terms.ite(truth, yes, no))
            }
            Num::Elements(place) => {
                let (path, id) = self.path(state, place)?;
                let (_, most) = self.room(id)?;
                let count = self.slot(state, &format!("{path}.count"), 32, most.min(u32::MAX.into()));
                Ok(self.terms.zero_extended(count, 64))
            }
            Num::Length(Str::Var(var)) | Num::OctetCount(Str::Var(var)) => {
                match state.frame().vars.get(&var.0).cloned() {
                    Some(Held::Slice(_, size)) => Ok(size),
                    _ => lacks(number),
                }
            }
            Num::Length(text) | Num::OctetCount(text) | Num::Characters(text) => {
                let size = self.put_octets_of(state, text)?;
                Ok(size.map_or_else(|| self.terms.word(0), |(_, size)| size))
            }
            Num::As(number, int) => {
                let inner = self.number(state, number)?;
                if let (Num::As(_, Int { bits: 8, signed: true }), Int { bits: 64, signed: true }) = (&**number, int) {
                    let octet = self.terms.extract(inner, 0, 8);
                    return Ok(self.terms.sign_extended(octet, 64));
                }
                if int.signed || int.bits >= 64 {
                    return Ok(inner);
                }
                let low = self.terms.extract(inner, 0, int.bits.into());
                Ok(self.terms.zero_extended(low, 64))
            }
            Num::And(number, mask) => self.by(state, number, *mask, |run, a, b| run.terms.and(a, b)),
            Num::Or(number, bits) => self.by(state, number, *bits, |run, a, b| run.terms.or(a, b)),
            Num::Shl(number, bits) => self.by(state, number, (*bits).into(), |run, a, b| run.terms.shl(a, b)),
            Num::Shr(number, bits) => self.by(state, number, (*bits).into(), |run, a, b| run.terms.shr(a, b)),
            Num::Minus(number, other) => self.by(state, number, *other, |run, a, b| run.terms.minus(a, b)),
            Num::LowOctet(number) => self.by(state, number, 255, |run, a, b| run.terms.and(a, b)),
            Num::At { at, octets } => self.number_at(state, *at, *octets),
            Num::Max(var, least) => {
                let (number, least) = (self.variable(state, *var)?, self.terms.word(*least));
                let is_less = self.terms.below(number, least);
                Ok(self.terms.ite(is_less, least, number))
            }
            Num::ShlMissing { bits, width, sent } => {
                let (bits, sent) = (self.variable(state, *bits)?, self.variable(state, *sent)?);
                let width = self.terms.word((*width).into());
                let missing = self.terms.minus(width, sent);
                Ok(self.terms.shl(bits, missing))
            }
            Num::Sum(number, conditions) => {
                let mut sum = self.terms.word(*number);
                for var in conditions {
                    let one = self.variable(state, *var)?;
                    let one = self.terms.zero_extended(one, 64);
                    sum = self.terms.plus(sum, one);
                }
                Ok(sum)
            }
            other => lacks(other),
        }
    }

    fn by(
        &mut self,
        state: &mut State,
        number: &Num,
        other: u64,
        make: impl Fn(&mut Self, Id, Id) -> Id,
    ) -> Outcome<Id> {
        let (number, other) = (self.number(state, number)?, self.terms.word(other));
        Ok(make(self, number, other))
    }

    /// How many items an ENUMERATED has.
    pub(crate) fn items(&self, id: TypeId) -> Outcome<u64> {
        Ok(self.item_numbers(id)?.len() as u64)
    }

    /// The numbers of its items.
    fn item_numbers(&self, id: TypeId) -> Outcome<Vec<i64>> {
        match self.types.kind(id) {
            roadwire_model::Kind::Enumerated(all) => Ok(all.all().map(|(_, number)| *number).collect()),
            _ => Err("an ENUMERATED without items".into()),
        }
    }

    /// The item that has a number.
    pub(crate) fn item_of(&mut self, id: TypeId, number: Id) -> Outcome<Id> {
        let (low, mark) = (self.terms.extract(number, 0, 32), self.terms.constant(LATER, 32));
        let mut item = self.terms.xor(low, mark);
        for (at, known) in (0..).zip(self.item_numbers(id)?) {
            let (at, known) = (self.terms.constant(at, 32), self.terms.word(known as u64));
            let is = self.terms.equal(number, known);
            item = self.terms.ite(is, at, item);
        }
        Ok(item)
    }

    /// The number for the item in a place; of an unknown one it refuses, or takes another number.
    fn item(&mut self, state: &mut State, path: &str, numbers: &[u64], unknown: Option<u64>) -> Outcome<Id> {
        let ordinal = self.slot(state, path, 32, u64::MAX);
        let count = self.terms.constant(numbers.len() as u64, 32);
        let is_known = self.terms.below(ordinal, count);
        let is_dense = numbers.iter().zip(0..).all(|(number, at)| *number == at);
        let mut number = self.terms.zero_extended(ordinal, 64);
        if !is_dense {
            number = self.terms.word(0);
            for (at, value) in numbers.iter().enumerate().rev() {
                let (at, value) = (self.terms.constant(at as u64, 32), self.terms.word(*value));
                let is = self.terms.equal(ordinal, at);
                number = self.terms.ite(is, value, number);
            }
        }
        match unknown {
            Some(unknown) => {
                let unknown = self.terms.word(unknown);
                Ok(self.terms.ite(is_known, number, unknown))
            }
            None => {
                let not = self.terms.not(is_known);
                let not = self.terms.under(not, &state.guard);
                let guard = self.guard(&state.guard);
                let both = self.terms.and(guard, not);
                self.refused = self.terms.or(self.refused, both);
                self.assume(state, is_known);
                Ok(number)
            }
        }
    }

    fn amount(&mut self, state: &mut State, amount: &Amount) -> Outcome<Id> {
        match amount {
            Amount::AboveLower { place, lower, .. } => {
                let (number, lower) = (self.widened(state, place)?, self.terms.word(*lower as u64));
                Ok(self.terms.minus(number, lower))
            }
            Amount::PlusLower(var, lower) => {
                let (number, lower) = (self.variable(state, *var)?, self.terms.word(*lower as u64));
                Ok(self.terms.plus(number, lower))
            }
            Amount::SumBits(one, other) => {
                let (one, other) = (self.variable(state, *one)?, self.variable(state, *other)?);
                Ok(self.terms.plus(one, other))
            }
            Amount::OffsetFrom(var, lower) => {
                let (number, lower) = (self.variable(state, *var)?, self.terms.word(*lower as u64));
                Ok(self.terms.minus(number, lower))
            }
            Amount::Widened(place) => self.widened(state, place),
            Amount::Machine(place, bits) => {
                let number = self.widened(state, place)?;
                let low = self.terms.extract(number, 0, *bits);
                Ok(self.terms.zero_extended(low, 64))
            }
            Amount::SignedMachine(var, bits) => {
                let number = self.variable(state, *var)?;
                let low = self.terms.extract(number, 0, *bits);
                Ok(self.terms.sign_extended(low, 64))
            }
            Amount::From(number) | Amount::Cast { number, .. } => self.number(state, number),
            Amount::Low(number) => self.by(state, number, 0xffff_ffff, |run, a, b| run.terms.and(a, b)),
            Amount::Hex(number) => Ok(self.terms.word(*number)),
            Amount::Times(number, times) | Amount::Product(number, times) => {
                let number = self.number(state, number)?;
                Ok(self.terms.times(number, *times))
            }
            Amount::Plus(number, more) => self.by(state, number, *more, |run, a, b| run.terms.plus(a, b)),
            Amount::ItemIndex { place, numbers, unknown, .. } => {
                let (path, _) = self.path(state, place)?;
                self.item(state, &path, numbers, *unknown)
            }
            Amount::SignedOctets(var) => {
                let number = self.variable(state, *var)?;
                let mut count = self.terms.word(8);
                for octets in (1..8).rev() {
                    let (fits, octets) = (self.terms.fits(number, octets * 8), self.terms.word(octets.into()));
                    count = self.terms.ite(fits, octets, count);
                }
                Ok(count)
            }
            Amount::OctetsOf(number) | Amount::OctetsBelow(number) => {
                let number = self.number(state, number)?;
                let less = u64::from(matches!(amount, Amount::OctetsBelow(_)));
                let mut count = self.terms.word(8 - less);
                for octets in (1..8u32).rev() {
                    let bound = self.terms.word(1 << (octets * 8));
                    let (fits, octets) = (self.terms.below(number, bound), self.terms.word(u64::from(octets) - less));
                    count = self.terms.ite(fits, octets, count);
                }
                Ok(count)
            }
            Amount::LowOctets { number, octets } => {
                let (number, octets) = (self.variable(state, *number)?, self.variable(state, *octets)?);
                let (eight, all) = (self.terms.word(8), self.terms.word(u64::MAX));
                let unused = self.terms.minus(eight, octets);
                let unused = self.terms.times(unused, 8);
                let mask = self.terms.shr(all, unused);
                Ok(self.terms.and(number, mask))
            }
            Amount::OctetsFor(bits) => {
                let (bits, seven, three) = (self.variable(state, *bits)?, self.terms.word(7), self.terms.word(3));
                let more = self.terms.plus(bits, seven);
                Ok(self.terms.shr(more, three))
            }
            Amount::UnusedOf { octets, bits } => self.unused(state, *octets, *bits),
            Amount::Masked { place, octets, bits } => {
                let number = self.number(state, &Num::Bits(place.clone()))?;
                let unused = self.unused(state, *octets, *bits)?;
                Ok(self.terms.shl(number, unused))
            }
            Amount::EightMore(var) => {
                let (number, eight) = (self.variable(state, *var)?, self.terms.word(8));
                let number = self.terms.times(number, 8);
                Ok(self.terms.plus(number, eight))
            }
            Amount::BitCount(place) => self.number(state, &Num::BitCount(place.clone())),
            Amount::Holds(condition) => {
                let truth = self.condition(state, condition)?;
                Ok(self.terms.zero_extended(truth, 64))
            }
            Amount::ArrayBits(place, octets) => {
                let (path, _) = self.path(state, place)?;
                let array = self.slot(state, &path, *octets as u32 * 8, u64::MAX);
                Ok(self.terms.zero_extended(array, 64))
            }
            other => lacks(other),
        }
    }

    /// Bits of octets that are not used.
    fn unused(&mut self, state: &State, octets: roadwire_plan::Var, bits: roadwire_plan::Var) -> Outcome<Id> {
        let (octets, bits) = (self.variable(state, octets)?, self.variable(state, bits)?);
        let whole = self.terms.times(octets, 8);
        Ok(self.terms.minus(whole, bits))
    }

    pub(crate) fn condition(&mut self, state: &mut State, condition: &Cond) -> Outcome<Id> {
        match condition {
            Cond::True => Ok(self.terms.truth(true)),
            Cond::Var(var) => self.variable(state, *var),
            Cond::Not(one) => {
                let one = self.condition(state, one)?;
                Ok(self.terms.not(one))
            }
            Cond::Any(all) | Cond::AnyBit(all) => {
                let mut any = self.terms.truth(false);
                for one in all {
                    let one = self.condition(state, one)?;
                    any = self.terms.or(any, one);
                }
                Ok(any)
            }
            Cond::All(all) => {
                let mut every = self.terms.truth(true);
                for one in all {
                    let one = self.condition(state, one)?;
                    every = self.terms.and(every, one);
                }
                Ok(every)
            }
            Cond::Sent(component, place) => {
                let (path, _) = self.path(state, place)?;
                self.sent(state, *component, &path)
            }
            Cond::HasUnknown(place) => {
                let (path, _) = self.path(state, place)?;
                Ok(self.slot(state, &format!("{path}.unknown"), 1, 1))
            }
            Cond::IsAlternative(_, place, wanted) => {
                let (path, _) = self.path(state, place)?;
                let choice = self.slot(state, &format!("{path}.choice"), 32, u64::MAX);
                let mut any = self.terms.truth(false);
                for at in wanted {
                    let at = self.terms.constant((*at).into(), 32);
                    let is = self.terms.equal(choice, at);
                    any = self.terms.or(any, is);
                }
                Ok(any)
            }
            Cond::FlagsAbove(place, bits) => {
                let (flags, bits) = (self.widened(state, place)?, self.terms.word((*bits).into()));
                let above = self.terms.shr(flags, bits);
                Ok(self.is_set(above))
            }
            Cond::Outside { number, held, bounds } => self.outside(state, number, held.signed, *bounds),
            Cond::BareOutside { number, signed, bounds } => self.outside(state, number, *signed, *bounds),
            Cond::NotWithin(number, bounds) | Cond::CountOutside(number, bounds) => {
                let number = self.number(state, number)?;
                let within = self.within(number, *bounds);
                Ok(self.terms.not(within))
            }
            Cond::Fewer(number, least) => self.compared(state, number, *least, |run, a, b| run.terms.below(a, b)),
            Cond::Above(number, most) => self.compared(state, number, *most, |run, a, b| run.terms.below(b, a)),
            Cond::AtLeast(number, least) => self.compared(state, number, *least, |run, a, b| run.terms.at_most(b, a)),
            Cond::Equals(number, other) => self.compared(state, number, *other, |run, a, b| run.terms.equal(a, b)),
            Cond::Differs(number, other) => {
                let is = self.compared(state, number, *other, |run, a, b| run.terms.equal(a, b))?;
                Ok(self.terms.not(is))
            }
            Cond::DiffersHex(var, other) => {
                let is = self.compared(state, &Num::Var(*var), *other, |run, a, b| run.terms.equal(a, b))?;
                Ok(self.terms.not(is))
            }
            Cond::HasBitsAbove(number, bits) => {
                let (number, bits) = (self.number(state, number)?, self.terms.word((*bits).into()));
                let above = self.terms.shr(number, bits);
                Ok(self.is_set(above))
            }
            Cond::OffsetAbove { number, lower, range } => {
                let (number, lower) = (self.number(state, number)?, self.terms.word(*lower as u64));
                let (offset, range) = (self.terms.minus(number, lower), self.terms.word(*range as u64));
                Ok(self.terms.below(range, offset))
            }
            Cond::IsSet(bit) => self.bit(state, bit),
            Cond::NoneSet(bits) => {
                let mut any = self.terms.truth(false);
                for bit in bits {
                    let one = self.bit(state, bit)?;
                    any = self.terms.or(any, one);
                }
                Ok(self.terms.not(any))
            }
            other => self.at_condition(state, other),
        }
    }

    fn bit(&mut self, state: &State, Bit { word, mask }: &Bit) -> Outcome<Id> {
        let word = self.variable(state, *word)?;
        let word = self.terms.zero_extended(word, 64);
        let mask = self.terms.word(mask.unwrap_or(u64::MAX));
        let bits = self.terms.and(word, mask);
        Ok(self.is_set(bits))
    }

    pub(crate) fn is_set(&mut self, number: Id) -> Id {
        let width = self.terms.width(number);
        let zero = self.terms.constant(0, width);
        let is = self.terms.equal(number, zero);
        self.terms.not(is)
    }

    fn compared(
        &mut self,
        state: &mut State,
        number: &Num,
        other: u64,
        make: impl Fn(&mut Self, Id, Id) -> Id,
    ) -> Outcome<Id> {
        let number = self.number(state, number)?;
        let width = self.terms.width(number);
        let other = self.terms.constant(other, width);
        Ok(make(self, number, other))
    }

    fn outside(
        &mut self,
        state: &mut State,
        number: &Num,
        signed: bool,
        (lower, upper): (Option<i128>, Option<i128>),
    ) -> Outcome<Id> {
        let number = self.number(state, number)?;
        let mut any = self.terms.truth(false);
        for (bound, is_lower) in [(lower, true), (upper, false)] {
            let Some(bound) = bound else { continue };
            let word = self.terms.word(bound as u64);
            let (a, b) = if is_lower { (number, word) } else { (word, number) };
            let one = match signed && i64::try_from(bound).is_ok() {
                true => self.terms.below_signed(a, b),
                false => self.terms.below(a, b),
            };
            any = self.terms.or(any, one);
        }
        Ok(any)
    }
}
