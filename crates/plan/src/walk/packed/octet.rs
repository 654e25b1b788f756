//! Forms that only the octet encoding rules have (X.696): integers and strings with their definite
//! lengths, enumeration items by number.

use std::collections::BTreeMap;

use roadwire_layout::{Count, Extent, Form, LengthForm, Span};
use roadwire_model::TypeId;

use super::number::cast;
use super::{Walk, amount};
use crate::plan::{Amount, Arg, Cond, Int, Mover, Num, Place, Prim, Reason, Stmt, Str, Stream, Value, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;
use roadwire_wire::rt::octet;

/// The first octet of numbers that do not fit into seven bits; alone, it stands for an unknown
/// item.
const LONG: u64 = 0x80;
const LONG_NUMBER: i64 = LONG as i64;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Reads an integer of 8, 16, 32 or 64 bits.
    pub(super) fn machine_word(
        &mut self,
        id: TypeId,
        (bits, form): (u32, Form),
        (lower, upper): (i128, i128),
        place: &Place,
    ) {
        let (Repr::Integer(_), Some(int)) = (self.draft.types.repr(id), self.draft.types.int(id)) else {
            return self.draft.give_up();
        };
        let held = if form == Form::Signed { Int::I64 } else { Int::U64 };
        let var = self.take(bits);
        let number = match form {
            Form::Signed => amount(Amount::SignedMachine(var, bits)),
            _ => Num::Var(var),
        };
        let full = if form == Form::Signed { -(1i128 << (bits - 1)) } else { 0 };
        let lower = Some(lower).filter(|of| *of != full);
        let upper = Some(upper).filter(|of| *of != full + (1i128 << bits) - 1);
        self.draft.reject_if(outside(&number, held, lower, upper));
        self.set(place, Value::Integer(id, cast(number, held, int)));
    }

    /// An integer after the length of its octets.
    pub(super) fn integer(
        &mut self,
        id: TypeId,
        form: Form,
        (lower, upper): (Option<i128>, Option<i128>),
        place: &Place,
    ) {
        let Some(int) = self.draft.types.int(id).filter(|int| int.bits <= 64) else { return self.draft.give_up() };
        if !self.draft.is_encoder() {
            return self.take_integer(id, int, form, (lower, upper), place);
        }
        let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
        let number = Num::Integer(id, place.clone());
        let var = self.draft.named(amount(Amount::Cast { number, signed: held.signed }));
        self.draft.reject_if(outside(&Num::Var(var), held, lower, upper));
        match form {
            Form::Signed if !held.signed => self.draft.give_up(),
            Form::Signed => {
                let octets = self.draft.named(amount(Amount::SignedOctets(var)));
                self.put_after_count(amount(Amount::LowOctets { number: var, octets }), octets);
            }
            Form::Unsigned | Form::Offset => self.put_in_few_octets(Num::Var(var).to(Int::U64)),
        }
    }

    /// A number in as few octets as hold it, after their number.
    fn put_in_few_octets(&mut self, number: Num) {
        let octets = self.draft.named(amount(Amount::OctetsOf(number.clone())));
        self.put_after_count(number, octets);
    }

    fn put_after_count(&mut self, number: Num, octets: Var) {
        self.put(Num::Var(octets).widened(), 8);
        self.put_octets(number, amount(Amount::Product(Num::Var(octets), 8)), 64);
    }

    fn take_integer(
        &mut self,
        id: TypeId,
        int: Int,
        form: Form,
        (lower, upper): (Option<i128>, Option<i128>),
        place: &Place,
    ) {
        let (held, by) = match form {
            Form::Signed => (Int::I64, Mover::TakeCountedSigned),
            Form::Unsigned => (Int::U64, Mover::TakeCountedUnsigned),
            Form::Offset => return self.draft.give_up(),
        };
        let number = Num::Var(self.get(by));
        // The interpreter explains values that the type in memory cannot hold.
        let (least, most) = if int == Int::U64 { Int::U64.bounds() } else { Int::I64.bounds() };
        let (lower, upper) = (lower.unwrap_or(least).max(least), upper.unwrap_or(most).min(most));
        self.draft.reject_if(outside(&number, held, Some(lower), Some(upper)));
        self.set(place, Value::Integer(id, cast(number, held, int)));
    }

    /// An enumeration item by its number (X.696 §11).
    pub(super) fn numbered(&mut self, id: TypeId, values: Span, is_extensible: bool, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let Some(codes) = item_codes(self.draft.layout.item_numbers(values)) else { return self.draft.give_up() };
        let is_short = codes.iter().all(|code| *code < LONG);
        if self.draft.is_thorough && self.draft.types.stands_alone() {
            return self.any_item(id, self.draft.layout.item_numbers(values).collect(), is_extensible, place);
        }
        if is_extensible && is_short && self.draft.types.stands_alone() {
            return self.any_number(id, place);
        }
        if !self.draft.is_encoder() {
            if is_extensible {
                self.draft.because(Reason::Rare);
            }
            return self.take_numbered(id, &codes, enumerators.all().count(), place);
        }
        let is_dense = (0..).zip(&codes).all(|(at, code)| at == *code);
        let var = self.draft.named(if !is_extensible && is_dense && is_short {
            Num::Ordinal(place.clone()).to(Int::U64)
        } else {
            amount(Amount::ItemIndex {
                id,
                place: place.clone(),
                numbers: codes,
                unknown: is_extensible.then_some(LONG),
            })
        });
        if is_extensible {
            self.reject(match is_short {
                true => Cond::AtLeast(Num::Var(var), LONG),
                false => Cond::Equals(Num::Var(var), LONG),
            });
        }
        match is_short {
            true => self.put(Num::Var(var), 8),
            false => {
                let octets = self.draft.named(amount(Amount::OctetsOf(Num::Var(var))));
                self.put_octets(Num::Var(var), amount(Amount::Product(Num::Var(octets), 8)), 64);
            }
        }
    }

    /// An item of this or of a later version, with any number.
    fn any_item(&mut self, id: TypeId, items: Vec<i64>, is_extensible: bool, place: &Place) {
        if self.draft.is_encoder() {
            let number = self.draft.named(amount(Amount::Widened(place.clone())));
            self.reject(no_item(number, &items, is_extensible));
            self.settle();
            return self.act(Mover::PutItemNumber, vec![Arg::Num(Num::Var(number))]);
        }
        let number = self.get(Mover::TakeItemNumber);
        self.reject(no_item(number, &items, is_extensible));
        self.set(place, Value::Integer(id, Num::Var(number)));
    }

    /// An item of this or of a later version: in memory is its number, which one octet holds.
    fn any_number(&mut self, id: TypeId, place: &Place) {
        if !self.draft.is_encoder() {
            let number = self.take(8);
            self.draft.reject_rare(Cond::AtLeast(Num::Var(number), LONG));
            return self.set(place, Value::Integer(id, Num::Var(number)));
        }
        let number = self.draft.named(amount(Amount::Widened(place.clone())));
        self.draft.reject_rare(Cond::AtLeast(Num::Var(number), LONG));
        self.put(Num::Var(number), 8);
    }

    /// Numbers in more octets than they need are left to the interpreter.
    fn take_numbered(&mut self, id: TypeId, codes: &[u64], items: usize, place: &Place) {
        let number = self.take(8);
        if (0..).zip(codes).all(|(at, code)| at == *code) {
            self.reject_long_number(number);
            self.reject(Cond::AtLeast(Num::Var(number), codes.len() as u64));
            let items = (0..codes.len().min(items)).collect();
            return self.set(place, Value::Indexed { id, number, items });
        }
        // By how many octets follow the first one.
        let mut sizes: BTreeMap<u32, Vec<(i64, usize)>> = BTreeMap::new();
        for (code, item) in codes.iter().zip(0..items) {
            let follow = octet::octets_of(*code) - 1;
            let number = code & u64::MAX >> (64 - follow.max(1) * 8);
            sizes.entry(follow).or_default().push((number as i64, item));
        }
        let short = sizes.remove(&0).unwrap_or_default();
        let short = Value::ItemOf { id, number: Num::Var(number), items: short };
        if sizes.is_empty() {
            self.reject_long_number(number);
            return self.set(place, short);
        }
        self.settle();
        let arm = |walk: &mut Self, (octets, items): (u32, Vec<(i64, usize)>)| {
            let block = walk.block(|walk| {
                let rest = Num::Var(walk.take(octets * 8));
                walk.set(place, Value::ItemOf { id, number: rest, items });
                walk.settle();
            });
            (LONG | u64::from(octets), LONG | u64::from(octets), block)
        };
        let arms = sizes.into_iter().map(|size| arm(self, size)).collect();
        let then = self.block(|walk| {
            walk.draft.because(Reason::Rare);
            walk.push(Stream::Match { number: Num::Var(number), is_hex: true, arms, others: None });
        });
        let otherwise = Some(self.block(|walk| walk.set(place, short)));
        self.draft.push(Stmt::If { condition: Cond::AtLeast(Num::Var(number), LONG), then, otherwise });
    }

    /// Numbers in more octets than they need are rare.
    fn reject_long_number(&mut self, number: Var) {
        if self.draft.is_thorough {
            self.draft.reject_rare(Cond::AtLeast(Num::Var(number), LONG));
        }
    }

    /// Whether a string has a definite length in front.
    pub(super) fn is_counted(&self, extent: &Extent) -> bool {
        extent.count == Count::Determinant && self.draft.layout.length_form == LengthForm::Definite
    }

    /// Octets after their length.
    pub(super) fn counted_octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if !self.draft.is_encoder() {
            return self.take_counted_octets(id, extent, place);
        }
        if !matches!(self.draft.types.repr(id), Repr::Octets(_) | Repr::OctetString | Repr::LentOctets | Repr::Oid) {
            return self.draft.give_up();
        }
        let count = Num::Length(Str::Octets(place.clone())).to(Int::U64);
        self.size(extent, count.clone());
        self.put_length(count, extent.upper);
        self.settle();
        self.put_string(id, place);
    }

    fn take_counted_octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match self.draft.types.repr(id) {
            // The size is checked before there are so many octets.
            Repr::LentOctets | Repr::OctetString | Repr::Oid if self.draft.is_thorough => {
                let count = Num::Var(self.get(Mover::TakeLength));
                self.size(extent, count.clone().to(Int::U64));
                self.settle();
                self.push(Stream::TakeOctets { id, place: place.clone(), count });
            }
            Repr::Octets(_) => {
                let count = Num::Var(self.get(Mover::TakeLength));
                self.size(extent, count.clone().to(Int::U64));
                self.settle();
                self.push(Stream::TakeInline { place: place.clone(), count });
            }
            kind @ (Repr::LentOctets | Repr::OctetString | Repr::Oid) => {
                let octets = self.get(Mover::TakeCounted);
                if *kind == Repr::Oid {
                    self.reject(Cond::NotOid(octets));
                }
                self.size(extent, Num::Length(Str::Var(octets)).to(Int::U64));
                self.settle();
                self.push(Stream::SetOctets { id, place: place.clone(), octets });
            }
            _ => self.draft.give_up(),
        }
    }

    /// Text after its length in octets.
    pub(super) fn counted_text(&mut self, id: TypeId, (outside, most): (Option<Cond>, u64), place: &Place) {
        if !self.draft.is_encoder() {
            if !matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::LentText | Repr::String) {
                return self.draft.give_up();
            }
            if self.draft.is_thorough {
                // Characters are checked before there are so many octets.
                let count = self.get(Mover::TakeLength);
                self.push(Stream::TakeText { id, place: place.clone(), count, most });
                return outside.into_iter().for_each(|outside| self.push(Stream::RejectNow(outside)));
            }
            let octets = self.get(Mover::TakeCounted);
            self.settle();
            self.push(Stream::SetText { id, place: place.clone(), octets });
            return outside.into_iter().for_each(|outside| self.push(Stream::RejectNow(outside)));
        }
        self.draft.reject_if(outside);
        let most = match self.draft.types.repr(id) {
            Repr::Text(most) => *most,
            _ => u64::MAX,
        };
        self.put_length(Num::Length(Str::Characters(place.clone())).to(Int::U64), most);
        self.settle();
        self.act(Mover::PutOctets, vec![Arg::Octets(Str::Characters(place.clone()))]);
    }

    /// A length of at most `most`.
    fn put_length(&mut self, length: Num, most: u64) {
        if most < 128 {
            return self.put(length, 8);
        }
        let (octets, bits) = (self.variable(), self.variable());
        let by = Prim::Mover(Mover::LengthOctets);
        self.draft.push(Stmt::LetWord { variables: (octets, bits), by, number: length });
        self.put_octets(Num::Var(octets), Num::Var(bits), 64);
    }

    /// The length in octets of so many units of `bits` bits.
    pub(super) fn put_length_of(&mut self, extent: &Extent, count: Var, bits: u8) {
        self.size(extent, Num::Var(count));
        let octets = u64::from(bits / 8);
        let most = extent.upper.saturating_mul(octets);
        self.put_length(amount(Amount::Product(Num::Var(count), octets)), most);
    }

    /// The number of units of `bits` bits, from their length in octets.
    pub(super) fn units(&mut self, extent: &Extent, bits: u8) -> Num {
        let octets = self.get(Mover::TakeLength);
        let width = bits / 8;
        if width > 1 {
            self.reject(Cond::Remainder(octets, width));
        }
        let count = amount(Amount::Units(octets, width));
        self.size(extent, count.clone());
        count
    }

    /// Up to 64 bits, after their length in octets and the number of unused bits.
    pub(super) fn put_counted_word(&mut self, extent: &Extent, place: &Place) {
        let bits = self.draft.named(amount(Amount::BitCount(place.clone())));
        self.size(extent, Num::Var(bits).widened());
        let octets = self.draft.named(amount(Amount::OctetsFor(bits)));
        self.put(amount(Amount::Plus(Num::Var(octets).widened(), 1)), 8);
        self.put(amount(Amount::UnusedOf { octets, bits }), 8);
        let value = amount(Amount::Masked { place: place.clone(), octets, bits });
        self.put_octets(value, amount(Amount::Product(Num::Var(octets), 8)), 64);
    }

    /// The same for any number of bits.
    pub(super) fn put_counted_bits(&mut self, extent: &Extent, place: &Place) {
        let octets = self.variable();
        self.push(Stream::LetBitOctets(octets, place.clone()));
        self.size(extent, Num::Elements(place.clone()).to(Int::U64));
        self.put_length(amount(Amount::SliceMore(octets)), extent.upper.div_ceil(8).saturating_add(1));
        self.put(amount(Amount::UnusedIn { octets, place: place.clone() }), 8);
        self.settle();
        self.act(Mover::PutOctets, vec![Arg::Octets(Str::Var(octets))]);
    }

    pub(super) fn take_counted_bits(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if self.draft.is_thorough {
            let count = Num::Var(self.get(Mover::TakeBitLength));
            self.size(extent, count.clone());
            self.settle();
            self.push(Stream::TakeBitWord { id, place: place.clone(), count });
            return self.push(Stream::Align);
        }
        let octets = self.get(Mover::TakeCounted);
        self.settle();
        let count = self.variable();
        self.push(Stream::SplitBits { octets, count });
        self.size(extent, Num::Var(count).to(Int::U64));
        self.settle();
        self.push(Stream::SetBits { id, place: place.clone(), count });
    }

    /// How many elements follow.
    pub(super) fn put_quantity(&mut self, extent: &Extent, count: Num) {
        self.size(extent, count.clone());
        if extent.upper < 256 {
            self.put(Num::Const(1), 8);
            return self.put(count, 8);
        }
        self.put_in_few_octets(count);
    }

    /// No more than there are bits; the interpreter handles others.
    pub(super) fn take_quantity(&mut self, extent: &Extent) -> Num {
        let count = self.get(Mover::TakeQuantity);
        if !self.draft.is_thorough {
            self.reject(Cond::BeyondInput(count));
        }
        self.size(extent, Num::Var(count));
        Num::Var(count)
    }

    fn size(&mut self, extent: &Extent, count: Num) {
        match (extent.lower, extent.upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.reject(Cond::Above(count, upper)),
            bounds => self.reject(Cond::NotWithin(count, bounds)),
        }
    }
}

/// The condition under which a number of 64 bits is outside its bounds; `None` if it cannot be.
fn outside(number: &Num, held: Int, lower: Option<i128>, upper: Option<i128>) -> Option<Cond> {
    let (least, most) = held.bounds();
    let bounds = (lower.unwrap_or(least), upper.unwrap_or(most));
    Cond::bare_outside(number.clone(), bounds, (least, most))
}

/// The condition under which no item has a number, not even one of a later version.
fn no_item(number: Var, items: &[i64], is_extensible: bool) -> Cond {
    let later = -(1 << 30)..1 << 30;
    let outside = Cond::outside(Num::Var(number), Int::I64, Some(later.start), Some(later.end - 1));
    let known = items.iter().filter(|item| !is_extensible || !later.contains(&i128::from(**item)));
    let other = known.map(|item| Cond::Differs(Num::Var(number), *item as u64));
    Cond::All(outside.filter(|_| is_extensible).into_iter().chain(other).collect())
}

/// The octets of the numbers of an enumeration's items, if these are at most eight.
fn item_codes(numbers: impl Iterator<Item = i64>) -> Option<Vec<u64>> {
    let code = |number| match number {
        0..LONG_NUMBER => Some(number as u64),
        number => {
            let octets = u64::from(octet::signed_octets_of(number));
            (octets < 8).then(|| (LONG | octets) << (octets * 8) | number as u64 & ((1 << (octets * 8)) - 1))
        }
    };
    numbers.map(code).collect()
}
