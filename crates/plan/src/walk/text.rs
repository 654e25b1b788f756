//! Shared by walks over text: numbers, alternatives, and calls of functions.

use roadwire_layout::{NodeId, Span};
use roadwire_model::{Alternative, Kind, TypeId};

use crate::plan::{Arg, Coding, Cond, Draft, Element, Int, Num, Place, Prim, Stmt, Str, Text, Until, Value, Var};
use crate::types::{Repr, Storage};
use crate::walk::walker::Walker;
use crate::walk::wide;

/// Calls the separate function of a part, if it has one; returns whether it does. A recursive part
/// is always a function's.
pub(crate) fn calls(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) -> bool {
    let is_recursive = draft.types.is_recursive(id);
    let is_structure = matches!(draft.types.repr(id), Repr::Struct | Repr::Choice);
    let calls = is_structure && draft.calls_alike(id, node);
    if calls {
        draft.call(id, node, place);
    } else if is_recursive {
        draft.give_up_part(id);
    }
    calls || is_recursive
}

/// A whole number within bounds.
pub(crate) fn number(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
    if draft.types.is_wide(id) {
        return wide::integer(draft, place, Coding::Digits, wide::within((lower, upper)));
    }
    let Some(int) = draft.types.int(id).filter(|int| int.bits <= 64) else { return draft.give_up() };
    let (least, most) = int.bounds();
    if draft.is_encoder() {
        draft.push(Stmt::Settle);
        let mut value = Num::Integer(id, place.clone());
        if *draft.types.repr(id) == Repr::AnyInteger {
            let var = draft.named(value);
            value = Num::Var(var);
        }
        draft.reject_if(Cond::bare_outside(value.clone(), (lower, upper), (least, most)));
        let (by, held) = match int.signed && lower < 0 {
            true => (Text::PutSigned, Int::I64),
            false => (Text::PutUnsigned, Int::U64),
        };
        return draft.push(Stmt::Do(Prim::Text(by), vec![Arg::Num(value.to(held))]));
    }
    let (var, signed) = (draft.variable(), lower < 0);
    let bounded = [lower > i128::MIN, upper < i128::MAX].map(Arg::Flag).to_vec();
    let args = if draft.is_thorough { bounded } else { Vec::new() };
    draft.push(Stmt::Get(var, Prim::Text(if signed { Text::TakeSigned } else { Text::TakeUnsigned }), args));
    // A number that does not fit into the type is also outside its bounds.
    let held = if signed { Int::I64 } else { Int::U64 };
    let bounds = (lower.max(least), upper.min(most));
    draft.reject_if(Cond::bare_outside(Num::Var(var), bounds, held.bounds()));
    draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(var).to(int))));
}

/// Reads the alternative of a CHOICE, which is selected by conditions.
pub(crate) fn take_alternatives<'a, 'm>(
    draft: &mut Draft<'a, 'm>,
    id: TypeId,
    alternatives: Span,
    place: &Place,
    comes: impl Fn(&Draft<'a, 'm>, &'m Alternative, NodeId) -> Option<Cond>,
    mut take: impl FnMut(&mut Draft<'a, 'm>, &'m Alternative, NodeId, &Place),
) {
    let (Repr::Choice, Kind::Choice { alternatives: types, .. }) = (draft.types.repr(id), draft.types.kind(id)) else {
        return draft.give_up();
    };
    let mut arms = Vec::new();
    for one in draft.layout.alternatives(alternatives) {
        let at = one.alternative as usize;
        let Some(comes) = comes(draft, &types[at], one.node) else { continue };
        let arm = draft.block(|draft| {
            let inner = draft.variable();
            draft.push(Stmt::ChooseOnly { id, alternative: at, place: place.clone(), inner });
            take(draft, &types[at], one.node, &Place::reference(inner));
        });
        arms.push((comes, arm));
    }
    draft.push(Stmt::Chain(arms));
}

/// Rejects a list of another length; an inline list cannot exceed its bound.
pub(crate) fn refuse_other_lengths(
    draft: &mut Draft<'_, '_>,
    length: Num,
    (lower, upper): (u64, u64),
    storage: Storage,
) {
    if lower == 0 && storage == Storage::Inline(upper) {
        return;
    }
    if upper < u64::MAX {
        draft.push(Stmt::RejectIf(Cond::NotWithin(length.to(Int::U64), (lower, upper))));
    } else if lower > 0 {
        draft.push(Stmt::RejectIf(Cond::Fewer(length, lower)));
    }
}

/// Decodes the elements of a list: small ones are appended, and others are read over those of an
/// earlier message.
pub(crate) fn take_elements<'a, 'm>(
    draft: &mut Draft<'a, 'm>,
    list_id: TypeId,
    bounds: (u64, u64),
    place: &Place,
    until: Until,
    value: impl FnOnce(&mut Draft<'a, 'm>, TypeId, &Place),
) {
    let Repr::List { element, storage } = *draft.types.repr(list_id) else { return draft.give_up() };
    let (list, item, at) = (draft.variable(), draft.variable(), draft.variable());
    let (id, place) = (draft.types.canonical(element), place.clone());
    let is_small = draft.types.is_small(id);
    let to = if is_small { draft.element(id, item) } else { Place::reference(item) };
    let body = draft.block(|draft| value(draft, id, &to));
    let element = Element { list, list_id, id, item, fewest: 0 };
    if is_small {
        draft.push(Stmt::Refill { list, place });
        draft.push(match until {
            Until::Fails(condition) => Stmt::While { condition, element, body },
            _ => Stmt::Separated { element, body },
        });
    } else {
        draft.push(Stmt::Overwrite { element, at, place, until, body });
    }
    refuse_other_lengths(draft, Num::Elements(Place::variable(list)), bounds, storage);
}

/// Octets as hexadecimal digits, with a primitive that writes them and one that reads the digits.
pub(crate) fn digits(
    draft: &mut Draft<'_, '_>,
    id: TypeId,
    bounds: (u64, u64),
    place: &Place,
    (put, take): (Text, Text),
) {
    let (repr, place) = (draft.types.repr(id), place.clone());
    if !matches!(repr, Repr::FixedOctets(_) | Repr::Octets(_) | Repr::OctetString | Repr::LentOctets) {
        return draft.give_up();
    }
    if draft.is_encoder() {
        let octets = match repr {
            Repr::FixedOctets(_) => Arg::Shared(place),
            _ => {
                refuse_other_lengths(draft, Num::Length(Str::Octets(place.clone())), bounds, Storage::Heap);
                Arg::Contents(place)
            }
        };
        return draft.push(Stmt::Do(Prim::Text(put), vec![octets]));
    }
    let args = if draft.is_thorough { sizes(bounds) } else { Vec::new() };
    let digits = draft.get(Prim::Text(take), args);
    fill_digits(draft, id, bounds, &place, digits);
}

/// The bounds of a size as arguments.
pub(crate) fn sizes((lower, upper): (u64, u64)) -> Vec<Arg> {
    [lower, upper].map(|bound| Arg::Num(Num::Const(bound))).to_vec()
}

/// Fills octets from digits.
pub(crate) fn fill_digits(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), place: &Place, digits: Var) {
    let (repr, place) = (draft.types.repr(id), place.clone());
    if matches!(repr, Repr::FixedOctets(_)) {
        return draft.push(Stmt::FillArray(place, digits));
    }
    let (octets, count) = (draft.variable(), draft.variable());
    let is_inline = matches!(repr, Repr::Octets(_));
    draft.push(Stmt::Let(count, Num::Half(digits)));
    draft.push_if(bounds != (0, u64::MAX), Stmt::RejectIf(Cond::NotWithin(Num::Var(count).to(Int::U64), bounds)));
    draft.push(Stmt::FillDigits { octets, place, digits, count, is_inline });
}

/// Characters, with a primitive that writes them and one that reads them.
pub(crate) fn characters(
    draft: &mut Draft<'_, '_>,
    id: TypeId,
    bounds: (u64, u64),
    alphabet: Span,
    place: &Place,
    (put, take): (Text, Text),
) {
    let is_lent = *draft.types.repr(id) == Repr::LentText && draft.types.stands_alone();
    if !is_lent && !matches!(draft.types.repr(id), Repr::Text(_) | Repr::String) {
        return draft.give_up();
    }
    let (ranges, place) = (draft.layout.numbers(alphabet).to_vec(), place.clone());
    if draft.is_encoder() {
        let not_fit = |bounds, ranges| Stmt::RejectIf(Cond::NotFit(Str::Characters(place.clone()), bounds, ranges));
        if draft.is_thorough {
            draft.push(not_fit(bounds, Vec::new()));
            draft.push(not_fit((0, u64::MAX), ranges));
        } else {
            draft.push(not_fit(bounds, ranges));
        }
        return draft.push(Stmt::Apart(Prim::Text(put), vec![Arg::Object(place)]));
    }
    let bound = draft.variable();
    draft.push(Stmt::TakeCharacters { id, place, bound, by: take, bounds, ranges });
}

/// An object identifier, with a primitive that reads its text.
pub(crate) fn arcs(draft: &mut Draft<'_, '_>, is_relative: bool, place: &Place, take: Text) {
    let (place, relative) = (place.clone(), Arg::Flag(is_relative));
    if draft.is_encoder() {
        return draft.push(Stmt::Do(Prim::Text(Text::PutArcs), vec![Arg::Contents(place), relative]));
    }
    let text = draft.get(Prim::Text(take), Vec::new());
    draft.push(Stmt::FillArcs { place, text, is_relative });
}
