//! Values without parts.

use roadwire_layout::{CborNode, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::cbor;
use roadwire_wire::rt::cbor::straight::LONGEST;

use super::front;
use super::head::{expect, write};
use super::thorough::take_size;
use crate::plan::{
    Amount, Arg, Cbor, Coding, Cond, Draft, Int, Num, Place, Prim, Reason, Stmt, Str, Unknown, Value, Var,
};
use crate::types::Repr;
use crate::walk::cbor::head::{
    constant, head_octets, most_octets, put, put_counted, put_number, put_signed, read, take_counted, take_number,
    take_signed,
};
use crate::walk::wide;

/// Remembers where elements begin.
pub(super) fn mark_if(draft: &mut Draft<'_, '_>, is_needed: bool) -> Option<Var> {
    is_needed.then(|| {
        let start = draft.variable();
        draft.push(Stmt::Settle);
        draft.push(Stmt::Mark(start));
        start
    })
}

pub(super) fn truth(draft: &mut Draft<'_, '_>, place: &Place) {
    if draft.is_encoder() {
        return put(draft, Num::Truth(place.clone()).or(cbor::simple::FALSE.into()), 1);
    }
    let octet = expect(draft, 1, cbor::simple::FALSE.into(), 0xfe);
    draft.push(Stmt::Set(place.clone(), Value::LowestBit(Num::Var(octet))));
}

pub(super) fn float(draft: &mut Draft<'_, '_>, place: &Place) {
    if draft.is_encoder() {
        return write(draft, Cbor::PutFloat, vec![Arg::Value(place.clone())]);
    }
    let value = read(draft, Cbor::TakeFloat, Vec::new());
    draft.push(Stmt::Set(place.clone(), Value::Var(value)));
}

pub(super) fn integer(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
    let Some(int) = draft.types.int(id).filter(|int| int.bits <= 64) else { return draft.give_up() };
    // A number without a bound has that of its place in memory.
    let most = most_octets(lower, upper).unwrap_or(LONGEST);
    if draft.is_encoder() {
        let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
        let value = draft.named(Num::Integer(id, place.clone()).to(held));
        draft.reject_if(Cond::outside(Num::Var(value), held, Some(lower), Some(upper)));
        return match lower >= 0 || held == Int::U64 {
            true => put_number(draft, 0, most, Num::Var(value).to(Int::U64)),
            false => put_signed(draft, most, Num::Var(value)),
        };
    }
    let set = |number: Num| Stmt::Set(place.clone(), Value::Integer(id, number.to(int)));
    if lower >= 0 && most == 1 {
        let octet = Num::Var(expect(draft, 1, 0, 0));
        draft.reject_if(Cond::outside(octet.clone(), Int::U64, Some(lower), Some(upper)));
        return draft.push(set(octet));
    }
    let (number, held) = match int == Int::U64 || lower >= 0 {
        true => (take_number(draft, 0, most), Int::U64),
        false => (take_signed(draft, most), Int::I64),
    };
    // The interpreter also has what does not fit into its place in memory.
    let (least, greatest) = int.bounds();
    draft.reject_if(Cond::outside(number.clone(), held, Some(lower.max(least)), Some(upper.min(greatest))));
    draft.push(set(number));
}

/// An integer of any length.
pub(super) fn wide_integer(draft: &mut Draft<'_, '_>, node: CborNode, place: &Place) {
    let range = match node {
        CborNode::Integer { lower, upper } => wide::within((lower, upper)),
        CborNode::WideInteger { lower, upper } => wide::reported(draft.layout, lower, upper),
        _ => return draft.give_up(),
    };
    wide::integer(draft, place, Coding::Item, range);
}

pub(super) fn enumerated(draft: &mut Draft<'_, '_>, id: TypeId, numbers: Vec<i64>, is_extensible: bool, place: &Place) {
    let bounds = numbers.iter().map(|number| i128::from(*number));
    let (Some(least), Some(greatest)) = (bounds.clone().min(), bounds.max()) else { return draft.give_up() };
    let most = most_octets(least, greatest).filter(|_| draft.types.items(id).is_some());
    let Some(most) = most else { return draft.give_up() };
    if draft.is_thorough && is_extensible {
        // In memory is its number.
        let value = draft.named(Num::Amount(Box::new(Amount::Widened(place.clone()))));
        draft.reject_no_item(value);
        return put_signed(draft, LONGEST, Num::Var(value));
    }
    if draft.is_encoder() {
        let unknown = if is_extensible { Unknown::Rejected } else { Unknown::None };
        let value = draft.named(Num::item(id, place, numbers, Int::I64, unknown));
        return match least >= 0 {
            true => put_number(draft, 0, most, Num::Var(value).to(Int::U64)),
            false => put_signed(draft, most, Num::Var(value)),
        };
    }
    let number = match (least >= 0, most) {
        (true, 1) => Num::Var(expect(draft, 1, 0, 0)),
        (true, _) => take_number(draft, 0, most),
        (false, _) => take_signed(draft, most),
    };
    draft.push(Stmt::Set(place.clone(), Value::Item { id, number, numbers }));
}

/// A bit string of a size that is known, and not more than 64.
pub(super) fn fixed_bits(draft: &mut Draft<'_, '_>, id: TypeId, bits: u32, place: &Place) {
    let octets = bits.div_ceil(8);
    let unused = octets * 8 - bits;
    let is_flags = match draft.types.repr(id) {
        Repr::BitFlags { .. } => true,
        Repr::BitWord => false,
        _ => return draft.give_up(),
    };
    if draft.is_encoder() {
        let value = if is_flags {
            let value = draft.named(Num::Flags(place.clone()));
            draft.push_if(bits < 64, Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(value), bits)));
            value
        } else {
            draft.push(Stmt::RejectIf(Cond::Differs(Num::BitCount(place.clone()), bits.into())));
            draft.named(Num::Bits(place.clone()))
        };
        constant(draft, &head_octets(front::OCTETS, octets.into()));
        return put(draft, Num::Var(value).shl(unused), octets);
    }
    match draft.is_thorough {
        true => take_size(draft, octets.into()),
        false => constant(draft, &head_octets(front::OCTETS, octets.into())),
    }
    draft.because(Reason::ItemBits);
    let value = Num::Var(expect(draft, octets, 0, (1 << unused) - 1)).shr(unused);
    let value = if is_flags { Value::Flags(id, value) } else { Value::Bits(value, Num::Const(bits.into())) };
    draft.push(Stmt::Set(place.clone(), value));
}

/// A bit string in any other form.
pub(super) fn any_bits(draft: &mut Draft<'_, '_>, id: TypeId, size: Arg, place: &Place) {
    if !matches!(draft.types.repr(id), Repr::BitWord | Repr::BitString) {
        return draft.give_up();
    }
    draft.push(Stmt::Settle);
    if draft.is_encoder() {
        return write(draft, Cbor::PutBitString, vec![Arg::Scalar(place.clone()), size]);
    }
    let octets = take_octets(draft, (0, u64::MAX));
    let args = vec![Arg::Exclusive(place.clone()), Arg::Octets(Str::Var(octets)), size];
    draft.push(Stmt::Do(Prim::Cbor(Cbor::TakeBitString), args));
}

/// The octets of a byte string.
pub(super) fn take_octets(draft: &mut Draft<'_, '_>, bounds: (u64, u64)) -> Var {
    let count = take_counted(draft, front::OCTETS, bounds);
    read(draft, Cbor::TakeSlice, vec![Arg::Num(count)])
}

/// An object identifier after its tag.
pub(super) fn oid(draft: &mut Draft<'_, '_>, id: TypeId, is_relative: bool, place: &Place) {
    if *draft.types.repr(id) != Repr::Oid {
        return draft.give_up();
    }
    let tag = if is_relative { cbor::tag::RELATIVE_OID } else { cbor::tag::OID };
    constant(draft, &head_octets(front::TAG, tag));
    if draft.is_encoder() {
        let octets = Str::Octets(place.clone());
        put_counted(draft, front::OCTETS, Num::Length(octets.clone()), (0, u64::MAX));
        return draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(octets)]));
    }
    let octets = take_octets(draft, (0, u64::MAX));
    draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
    draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
}

pub(super) fn bits(draft: &mut Draft<'_, '_>, (lower, upper): (u64, u64), place: &Place) {
    if draft.is_encoder() {
        draft.push(Stmt::Settle);
        draft.reject_if(Cond::size_outside(Num::BitCount(place.clone()), (lower, upper)));
        let bits = Arg::Num(Num::Bits(place.clone()));
        return write(draft, Cbor::PutBits, vec![bits, Arg::BitCount(place.clone())]);
    }
    let (bits, count) = (draft.variable(), draft.variable());
    draft.push(Stmt::Read(vec![bits, count], Prim::Cbor(Cbor::TakeBits), Vec::new()));
    draft.reject_if(Cond::size_outside(Num::Var(count), (lower, upper)));
    draft.push(Stmt::Set(place.clone(), Value::Bits(Num::Var(bits), Num::Var(count).to(Int::U8))));
}

pub(super) fn octets(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), place: &Place) {
    if let Repr::FixedOctets(count) = *draft.types.repr(id) {
        constant(draft, &head_octets(front::OCTETS, count));
        if draft.is_encoder() {
            return write(draft, Cbor::PutArray, vec![Arg::Shared(place.clone())]);
        }
        let octets = read(draft, Cbor::TakeArray(count), Vec::new());
        return draft.push(Stmt::Set(place.clone(), Value::Referred(octets)));
    }
    if !draft.is_encoder() {
        let octets = take_octets(draft, bounds);
        return draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }
    if !matches!(draft.types.repr(id), Repr::Octets(_) | Repr::OctetString | Repr::LentOctets) {
        return draft.give_up();
    }
    let octets = Str::Octets(place.clone());
    put_counted(draft, front::OCTETS, Num::Length(octets.clone()), bounds);
    draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(octets)]));
}

pub(super) fn text(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), alphabet: Span, place: &Place) {
    let alphabet = draft.layout.numbers(alphabet).to_vec();
    let is_text = !draft.is_encoder() || matches!(draft.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText);
    if !is_text {
        return draft.give_up();
    }
    let most = cbor::head_octets(bounds.1.saturating_mul(4)) as usize;
    let is_wide = alphabet.iter().any(|code| *code > 127);
    if draft.is_encoder() {
        let text = Str::Characters(place.clone());
        if draft.is_thorough {
            draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            draft.push_if(!alphabet.is_empty(), Stmt::RejectIf(Cond::NotFit(text.clone(), (0, u64::MAX), alphabet)));
            put_number(draft, front::TEXT, most, Num::Length(text.clone()).to(Int::U64));
        } else if is_wide {
            draft.push(Stmt::RejectIf(Cond::NotFit(text.clone(), bounds, alphabet)));
            put_number(draft, front::TEXT, most, Num::Length(text.clone()).to(Int::U64));
        } else if alphabet.is_empty() {
            draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            put_number(draft, front::TEXT, most, Num::Length(text.clone()).to(Int::U64));
        } else {
            draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
            put_counted(draft, front::TEXT, Num::Length(text.clone()), bounds);
        }
        return draft.push(Stmt::Write(Prim::PutOctets, vec![Arg::Octets(text)]));
    }
    // Characters of one octet have been counted.
    let (count, bounds) = match alphabet.is_empty() || is_wide {
        true => (take_number(draft, front::TEXT, most), bounds),
        false => (take_counted(draft, front::TEXT, bounds), (0, u64::MAX)),
    };
    let octets = read(draft, Cbor::TakeSlice, vec![Arg::Num(count)]);
    draft.fill_text(id, place, octets, alphabet, bounds);
}
