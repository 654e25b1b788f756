//! When components are there: a test of others.

use roadwire_model::{Among, Coding, Kind, Test, TypeId};

use crate::plan::{Cond, Place};
use crate::types::{Repr, Types};

/// For each component of a struct the condition of its presence, if it can be absent. `None` if a
/// test refers to a component that may itself be absent.
pub(in crate::walk) fn conditions(types: &Types<'_>, id: TypeId, place: &Place) -> Option<Vec<Option<Cond>>> {
    let Kind::Sequence { components, .. } = types.kind(id) else { return None };
    let tests: &[Vec<Test>] = match types.model.codings.get(&id) {
        Some(Coding::Struct(tests)) => tests,
        _ => &[],
    };
    let condition = |at: usize| match Types::is_option(&components[at]) {
        true => Some(Some(condition(types, id, tests.get(at)?, place)?)),
        false => Some(None),
    };
    (0..components.len()).map(condition).collect()
}

/// The tests of a component; `None` if one refers to a component that may itself be absent.
fn condition(types: &Types<'_>, id: TypeId, tests: &[Test], place: &Place) -> Option<Cond> {
    let Kind::Sequence { components, .. } = types.kind(id) else { return None };
    let mut all = Vec::new();
    for test in tests {
        let at = test.component as usize;
        let part = components.get(at).filter(|component| !Types::is_option(component))?.type_id;
        let field = place.component(id, at);
        let holds = match (&test.among, types.repr(part), types.kind(part)) {
            (Among::Items(items), Repr::Enum, Kind::Enumerated(_)) => Cond::IsItem(part, field, items.clone()),
            (Among::Numbers(numbers), Repr::Integer(_), _) => Cond::IsNumber(field, numbers.clone()),
            (Among::Bits(wanted), Repr::BitFlags { bits, .. }, _) => {
                Cond::HasBit(field, wanted.iter().map(|bit| u32::from(*bits) - 1 - bit).collect())
            }
            (Among::Alternatives(wanted), Repr::Choice, Kind::Choice { .. }) => {
                Cond::IsAlternative(part, field, wanted.clone())
            }
            (Among::Elements(wanted), Repr::List { element, .. }, _)
                if matches!((types.repr(*element), types.kind(*element)), (Repr::Choice, Kind::Choice { .. })) =>
            {
                Cond::HasElement(*element, field, wanted.clone())
            }
            _ => return None,
        };
        all.push(if test.negated { Cond::Not(Box::new(holds)) } else { holds });
    }
    Some(Cond::All(all))
}
