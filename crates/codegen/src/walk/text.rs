//! Shared by walks over text: numbers, alternatives, and calls of functions.

use roadwire_layout::{NodeId, Span};
use roadwire_model::{Alternative, Kind, TypeId};

use crate::plan::{Arg, Cond, Draft, Num, Place, Prim, Stmt, Text, Value};
use crate::types::{Repr, Storage};

/// Leaves a recursive part to the interpreter, which counts levels, or a part to its separate function; returns whether it did.
pub(crate) fn leaves(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) -> bool {
    if draft.types.is_recursive(id) {
        draft.give_up_part(id);
        return true;
    }
    let is_structure = matches!(draft.types.repr(id), Repr::Struct(_) | Repr::Choice(_));
    let calls = is_structure && draft.calls_alike(id, node);
    if calls {
        draft.call(id, node, place);
    }
    calls
}

/// A whole number within bounds.
pub(crate) fn number(draft: &mut Draft<'_, '_>, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
    let Some(int) = draft.types.int(id).filter(|int| int.bits <= 64) else { return draft.give_up() };
    let (least, most) = int.bounds();
    if draft.is_encoder() {
        draft.push(Stmt::Settle);
        let mut value = Num::Integer(id, place.clone());
        if *draft.types.repr(id) == Repr::AnyInteger {
            let var = draft.variable();
            draft.push(Stmt::Let(var, value));
            value = Num::Var(var);
        }
        draft.reject_if(Cond::bare_outside(value.clone(), (lower, upper), (least, most)));
        let (by, held) = match int.signed && lower < 0 {
            true => (Text::PutSigned, crate::plan::Int::I64),
            false => (Text::PutUnsigned, crate::plan::Int::U64),
        };
        return draft.push(Stmt::Do(Prim::Text(by), vec![Arg::Plain(value.to(held))]));
    }
    let (var, signed) = (draft.variable(), lower < 0);
    draft.push(Stmt::Get(var, Prim::Text(if signed { Text::TakeSigned } else { Text::TakeUnsigned }), Vec::new()));
    // A number that does not fit into the type is also outside its bounds.
    let held = if signed { crate::plan::Int::I64 } else { crate::plan::Int::U64 };
    let bounds = (lower.max(least), upper.min(most));
    draft.reject_if(Cond::bare_outside(Num::Var(var), bounds, held.bounds()));
    draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(var).to(int))));
}

/// What an encoder does for the alternatives of a CHOICE: pending text continues inside each.
pub(crate) fn put_alternatives<'a, 'm>(
    draft: &mut Draft<'a, 'm>,
    id: TypeId,
    alternatives: Span,
    place: &Place,
    mut put: impl FnMut(&mut Draft<'a, 'm>, &'m Alternative, NodeId, &Place),
) {
    let (Repr::Choice(_), Kind::Choice { alternatives: types, extensible }) =
        (draft.types.repr(id), draft.types.kind(id))
    else {
        return draft.give_up();
    };
    let mut arms = Vec::new();
    for one in draft.layout.alternatives(alternatives) {
        let (at, inner) = (one.alternative as usize, draft.variable());
        let arm = draft.block(|draft| put(draft, &types[at], one.node, &Place::reference(inner)));
        arms.push((at, inner, arm));
    }
    draft.push(Stmt::Switch { id, place: place.clone(), arms, has_others: *extensible });
}

/// What a decoder does for the alternatives of a CHOICE, selected by conditions.
pub(crate) fn take_alternatives<'a, 'm>(
    draft: &mut Draft<'a, 'm>,
    id: TypeId,
    alternatives: Span,
    place: &Place,
    comes: impl Fn(&Draft<'a, 'm>, &'m Alternative, NodeId) -> Option<Cond>,
    mut take: impl FnMut(&mut Draft<'a, 'm>, &'m Alternative, NodeId, &Place),
) {
    let (Repr::Choice(_), Kind::Choice { alternatives: types, .. }) = (draft.types.repr(id), draft.types.kind(id))
    else {
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
        draft.push(Stmt::RejectIf(Cond::SizeOutside(length, (lower, upper))));
    } else if lower > 0 {
        draft.push(Stmt::RejectIf(Cond::Fewer(length, lower)));
    }
}
