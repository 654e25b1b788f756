//! The fields of a struct, and their conditions.

use roadwire_model::{Among, Coding, Component, Kind, Test, TypeId};

use crate::data::{alternative_names, field_names, item_names};
use crate::packed::run::Place;
use crate::types::{Repr, Types};

/// The fields of a struct: the type, the place, and the condition for the presence of each, if it can be absent. `None` if a test refers to a component that may itself be
/// absent.
pub(super) fn conditional_parts(
    types: &Types<'_>,
    id: TypeId,
    place: &Place,
) -> Option<Vec<(TypeId, Place, Option<String>)>> {
    let Kind::Sequence { components, .. } = types.kind(id) else { return None };
    let tests: &[Vec<Test>] = match types.model.codings.get(&id) {
        Some(Coding::Struct(tests)) => tests,
        _ => &[],
    };
    let fields = field_names(components);
    let mut parts = Vec::new();
    for (at, component) in components.iter().enumerate() {
        let condition = match Types::is_option(component) {
            true => Some(condition(types, components, tests.get(at)?, place)?),
            false => None,
        };
        parts.push((component.type_id, place.field(&fields[at]), condition));
    }
    Some(parts)
}

/// The tests of a component as an expression; `None` if one refers to a component that may itself be absent.
fn condition(types: &Types<'_>, components: &[Component], tests: &[Test], place: &Place) -> Option<String> {
    let fields = field_names(components);
    let mut all = Vec::new();
    for test in tests {
        let at = test.component as usize;
        let component = components.get(at).filter(|component| !Types::is_option(component))?;
        let field = place.field(&fields[at]);
        let object = field.object();
        let holds = match (&test.among, types.repr(component.type_id), types.kind(component.type_id)) {
            (Among::Items(items), Repr::Enum(name), Kind::Enumerated(enumerators)) => {
                let names = item_names(enumerators);
                one_of(object, items.iter().map(|item| format!("{name}::{}", names[*item as usize])))
            }
            (Among::Numbers(numbers), Repr::Integer(_), _) => one_of(object, numbers.iter().map(u32::to_string)),
            (Among::Bits(wanted), Repr::BitFlags { bits, .. }, _) => {
                let place = |bit: &u32| u32::from(*bits) - 1 - bit;
                match wanted.as_slice() {
                    [bit] => format!("({object}.0 >> {} & 1 == 1)", place(bit)),
                    wanted => {
                        let mask = wanted.iter().fold(0u64, |mask, bit| mask | 1 << place(bit));
                        format!("({object}.0 & {mask:#x} != 0)")
                    }
                }
            }
            (Among::Alternatives(wanted), Repr::Choice(name), Kind::Choice { alternatives, .. }) => {
                let names = alternative_names(alternatives);
                one_of(object, wanted.iter().map(|at| format!("{name}::{}(_)", names[*at as usize])))
            }
            (Among::Elements(wanted), Repr::List { element, .. }, _) => {
                let (Repr::Choice(name), Kind::Choice { alternatives, .. }) =
                    (types.repr(*element), types.kind(*element))
                else {
                    return None;
                };
                let names = alternative_names(alternatives);
                let is = one_of("element", wanted.iter().map(|at| format!("{name}::{}(_)", names[*at as usize])));
                format!("{object}.iter().any(|element| {is})")
            }
            _ => return None,
        };
        all.push(if test.negated { format!("!{holds}") } else { holds });
    }
    Some(format!("({})", all.join(" && ")))
}

fn one_of(object: &str, patterns: impl Iterator<Item = String>) -> String {
    let patterns: Vec<String> = patterns.collect();
    if patterns.is_empty() { "false".into() } else { format!("matches!({object}, {})", patterns.join(" | ")) }
}
