//! Strings in a stream of events (EXI §7.1.1, §7.1.10, §7.3.3).

use roadwire_layout::{EventNode, Name, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::varint;

use super::super::{Walk, amount};
use crate::plan::{Amount, Arg, Cond, Event, Form, Int, Mover, Num, Place, Stmt, Str, Stream, Value};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// More octets than any string that is encoded here.
const MOST_OCTETS: u64 = 1 << 40;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// A bit string after its codes, as octets after their number; with a code of `code` bits
    /// before both.
    pub(super) fn put_event_bits(&mut self, id: TypeId, (lower, upper): (u64, u64), code: u8, place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if lower == upper && upper == u64::from(bits) => {
                let flags = self.put_flags(bits, place);
                self.put(Num::Const(bits.div_ceil(8).into()), 8);
                self.put(flags, bits.into());
                self.put(Num::Const(0), u32::from(bits).wrapping_neg() % 8);
            }
            Repr::BitWord => {
                let count = self.draft.named(Num::BitCount(place.clone()).widened());
                self.reject(Cond::NotWithin(Num::Var(count), (lower, upper)));
                let unused = self.draft.named(amount(Amount::UnusedBits(count)));
                self.put(Num::Var(unused), 3);
                self.put(Num::Const(0), code.into());
                self.put(amount(Amount::OctetsFor(count)), 8);
                let value = amount(Amount::MaskedShl(place.clone(), unused));
                self.put_octets(value, amount(Amount::SumBits(count, unused)), 56);
            }
            _ => self.draft.give_up(),
        }
    }

    pub(super) fn take_event_bits(&mut self, id: TypeId, bounds: (u64, u64), code: u8, place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if bounds.0 == bounds.1 && bounds.1 == u64::from(bits) => {
                self.constant(bits.div_ceil(8).into(), 8);
                let found = self.take(bits.into());
                self.set(place, Value::Flags(id, Num::Var(found)));
                self.expect(None, u32::from(bits).wrapping_neg() % 8);
            }
            Repr::BitWord => {
                let unused = self.take(3);
                self.constant(0, code.into());
                let octets = self.take(8);
                self.reject(Cond::NotOctetCount(octets));
                self.settle();
                let count = self.variable();
                self.push(Stream::Event(Event::TakeFewBits { place: place.clone(), octets, unused, count, bounds }));
            }
            _ => self.draft.give_up(),
        }
    }

    /// Any bits, with their codes.
    pub(super) fn any_bits(&mut self, id: TypeId, form: Form, place: &Place) {
        self.settle();
        let place = place.clone();
        self.push(Stream::Event(match self.draft.is_encoder() {
            true => Event::PutBits { id, place, form },
            false => Event::TakeBits { id, place, form },
        }));
    }

    /// An octet string that is always empty, with its codes.
    pub(super) fn no_octets(&mut self, code: u8) {
        match code {
            0 => self.known(0, 8),
            code => self.known(1 << EventNode::SECOND_PART, (code + EventNode::SECOND_PART).into()),
        }
    }

    /// Octets after their number.
    pub(super) fn put_event_octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count) => {
                self.put_groups(Num::Typed(count), count.into());
                self.settle();
                self.act(Mover::PutArray, vec![Arg::Shared(place.clone())]);
            }
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets => {
                let count = self.draft.named(Num::Length(Str::Octets(place.clone())).to(Int::U64));
                self.reject(Cond::NotWithin(Num::Var(count), bounds));
                self.put_groups(Num::Var(count), bounds.1.min(MOST_OCTETS).into());
                self.settle();
                self.put_string(id, place);
            }
            _ => self.draft.give_up(),
        }
    }

    pub(super) fn take_event_octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        let place = place.clone();
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(fixed) => {
                let (groups, bits) = varint::spread::<2>(fixed);
                self.constant(groups, bits);
                self.settle();
                self.act(Mover::TakeArray, vec![Arg::Exclusive(place)]);
            }
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets => {
                let count = self.take_groups(bounds.1);
                self.reject(Cond::NotWithin(Num::Var(count), bounds));
                self.settle();
                self.push(match self.draft.types.repr(id) {
                    Repr::OctetString => Stream::Event(Event::TakeOctets { place, count }),
                    Repr::LentOctets => Stream::TakeOctets { id, place, count: Num::Var(count) },
                    _ => Stream::TakeInline { place, count: Num::Var(count) },
                });
            }
            _ => self.draft.give_up(),
        }
    }

    /// Whether characters are read into a type, and written from it.
    pub(super) fn holds_text(&self, id: TypeId) -> bool {
        match self.draft.types.repr(id) {
            Repr::Text(_) | Repr::String => true,
            Repr::LentText => self.draft.types.stands_alone(),
            _ => false,
        }
    }

    /// Characters after their number; if there are other strings, perhaps a reference to an equal
    /// one in the element's partition, or elsewhere.
    pub(super) fn event_text(
        &mut self,
        id: TypeId,
        (lower, upper): (u64, u64),
        alphabet: Span,
        partition: Name,
        place: &Place,
    ) {
        if !self.holds_text(id) {
            return self.draft.give_up();
        }
        let layout = self.draft.layout;
        let (alphabet, most) = (layout.numbers(alphabet).to_vec(), upper.min(MOST_OCTETS) + 2);
        let partition = self.draft.strings.is_table().then(|| layout.name(partition).to_owned());
        self.draft.uses_strings |= partition.is_some();
        let place = place.clone();
        if !self.draft.is_encoder() {
            let number = self.take_groups(most);
            if partition.is_none() {
                self.reject(Cond::NotWithin(Num::Var(number), (lower + 2, most)));
            }
            self.settle();
            let bounds = (lower, upper);
            return self.push(Stream::Event(Event::TakeText { id, place, number, alphabet, bounds, partition }));
        }
        let count = self.draft.named(Num::Characters(Str::Characters(place.clone())).to(Int::U64));
        self.reject(Cond::NotWithin(Num::Var(count), (lower, upper)));
        if let Some(partition) = partition {
            self.settle();
            return self.push(Stream::Event(Event::PutText { place, count, alphabet, partition }));
        }
        self.put_groups(amount(Amount::Plus(Num::Var(count), 2)), most.into());
        self.settle();
        self.apart(Mover::PutEventText, vec![Arg::Object(place), Arg::Ranges(alphabet)]);
    }

    /// A string whose element ends at once if it is empty (§8.5.4.4.1), by the second value of a
    /// code of `code` bits and a code after it; otherwise `full` writes it.
    pub(super) fn or_empty(&mut self, string: Str, code: u8, full: impl FnOnce(&mut Self)) {
        self.settle();
        let second = EventNode::SECOND_PART;
        if !self.draft.is_encoder() {
            // In the usual case, the first code is read again.
            let full = self.block(|walk| {
                full(walk);
                walk.settle();
            });
            return self.push(Stream::Event(Event::OrEmpty { string, code, second, full }));
        }
        let then = self.block(|walk| {
            walk.put(Num::Const(1), code.into());
            walk.put(Num::Const(0), second.into());
        });
        let otherwise = Some(self.block(full));
        self.draft.push(Stmt::If { condition: Cond::IsEmpty(string), then, otherwise });
    }
}
