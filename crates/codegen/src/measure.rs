//! How large types are. Each is measured once, from what its parts measure: a type that is used twice at each of sixty levels has more parts than can be counted one by one.

use std::collections::{HashMap, HashSet};

use roadwire_model::{Component, Kind, Presence, TypeId};

use crate::types::{Repr, Types};

/// Structures with at most so many leaves are put together in registers.
const FLAT_LEAVES: usize = 4;

/// Of a type that is used more than once, code of up to so many parts is written out at each use; above it, it is a function. No type of the shipped messages is above it
/// that was not a function for other reasons.
pub(crate) const WRITTEN_OUT: u32 = 300;

/// Code that is written out nests so many levels of types at the most; the shipped messages nest ten.
const NESTED: u32 = 20;

/// An enumeration of more items that is used more than once is left to the interpreter, which has their table.
const MOST_ITEMS: usize = 1000;

/// So many items of an enumeration count as one more part.
const ITEMS_IN_A_PART: usize = 8;

/// What the parts of a type add up to; types that contain themselves count as little as may be where they do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    /// How many leaves a value has, lists counted once: a measure of how much code writing it out takes.
    pub(crate) leaves: usize,
    /// Whether a list is somewhere in it.
    pub(crate) has_list: bool,
    /// Whether a type that contains itself is somewhere in it.
    pub(crate) reaches_recursion: bool,
    /// How many levels it nests, up to types that contain themselves.
    pub(crate) levels: u32,
    /// About how many octets a value takes in memory; `None` where there is heap.
    pub(crate) width: Option<u64>,
    /// Whether a value is put together from a few numbers and strings that are always there, without heap but for strings that the input lends: it is then read before its place is looked at.
    pub(crate) is_flat: bool,
    /// How many octets a flat value without strings of varying length takes.
    pub(crate) flat_octets: Option<u64>,
}

impl Measure {
    /// Measures a type all parts of which are measured, but for those that contain themselves and are not finished.
    pub(crate) fn of(types: &Types<'_>, id: TypeId, repr: &Repr) -> Self {
        let is_recursive = types.is_recursive(id);
        let of = |part: TypeId| match types.is_recursive(part) {
            true => Measure { leaves: 1, reaches_recursion: true, ..Measure::default() },
            false => types.measure(part),
        };
        let parts: Vec<Measure> = parts(types, id).map(of).collect();
        let deepest = parts.iter().map(|part| part.levels).max().unwrap_or(0).saturating_add(1);
        let leaves = parts.iter().fold(0usize, |sum, part| sum.saturating_add(part.leaves));
        let mut measure = Measure {
            leaves,
            has_list: parts.iter().any(|part| part.has_list),
            reaches_recursion: is_recursive || parts.iter().any(|part| part.reaches_recursion),
            levels: deepest,
            ..Measure::default()
        };
        match types.kind(id) {
            Kind::Sequence { components, extensible, .. } => {
                let is_there = |one: &Component| one.presence == Presence::Mandatory;
                measure.is_flat = !extensible
                    && !is_recursive
                    && leaves <= FLAT_LEAVES
                    && components.iter().zip(&parts).all(|(one, part)| is_there(one) && part.is_flat);
                if !extensible && !is_recursive {
                    measure.width = sum(parts.iter().map(|part| part.width));
                }
                if measure.is_flat {
                    measure.flat_octets = sum(parts.iter().map(|part| part.flat_octets));
                }
            }
            Kind::Choice { extensible, .. } => {
                if !extensible && !is_recursive {
                    let widths: Option<Vec<u64>> = parts.iter().map(|part| part.width).collect();
                    measure.width = widths.map(|widths| widths.into_iter().max().unwrap_or(0).saturating_add(8));
                }
            }
            Kind::SequenceOf { .. } => {
                measure.leaves = leaves.saturating_add(2);
                measure.has_list = true;
            }
            _ => {
                measure.leaves = 1;
                measure.levels = 0;
                measure.width = leaf_width(repr);
                measure.is_flat = is_scalar(repr) || matches!(repr, Repr::FixedOctets(_) | Repr::LentOctets);
                measure.flat_octets = match repr {
                    Repr::FixedOctets(octets) => Some(*octets),
                    Repr::Integer(rust) => rust[1..].parse::<u64>().ok().map(|bits| bits / 8),
                    _ => None,
                };
            }
        }
        measure
    }
}

fn sum(mut parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    parts.try_fold(0u64, |sum, part| Some(sum.saturating_add(part?)))
}

/// Whether a value is one that a register holds.
pub(crate) fn is_scalar(repr: &Repr) -> bool {
    use Repr::{BitFlags, Bool, Enum, Integer, Null, Real};
    matches!(repr, Bool | Null | Integer(_) | Real | Enum(_) | BitFlags { .. })
}

fn leaf_width(repr: &Repr) -> Option<u64> {
    match repr {
        Repr::Null => Some(0),
        Repr::BitWord => Some(16),
        Repr::FixedOctets(octets) | Repr::Octets(octets) => Some(octets.saturating_add(8)),
        repr if is_scalar(repr) => Some(8),
        _ => None,
    }
}

/// The types of a type's components, alternatives or elements, canonical ones.
fn parts(types: &Types<'_>, id: TypeId) -> impl Iterator<Item = TypeId> {
    let parts: Vec<TypeId> = match types.kind(id) {
        Kind::Sequence { components, .. } => components.iter().map(|one| types.canonical(one.type_id)).collect(),
        Kind::Choice { alternatives, .. } => alternatives.iter().map(|one| types.canonical(one.type_id)).collect(),
        Kind::SequenceOf { element, .. } => vec![types.canonical(*element)],
        _ => Vec::new(),
    };
    parts.into_iter()
}

/// Types that are used more than once and are not small, or that are deep in others: each is coded by a function of its own wherever it is used (enumerations by the interpreter), so
/// that what is generated grows with the module, and not with how often or how deep its types come in each other.
#[derive(Default)]
pub(crate) struct Shared {
    everywhere: HashSet<TypeId>,
    /// In code for plain values only, which leaves out what may be absent and all alternatives but one.
    plain: HashSet<TypeId>,
}

impl Shared {
    pub(crate) fn find(types: &Types<'_>, roots: &[TypeId], written_out: Option<u32>) -> Self {
        let mut uses: HashMap<TypeId, u32> = HashMap::new();
        for root in roots {
            *uses.entry(types.canonical(*root)).or_default() += 1;
        }
        for id in &types.order {
            parts(types, *id).for_each(|part| *uses.entry(part).or_default() += 1);
        }
        // For tests, the fewest of all: each part is a function, however often it is used.
        let most = written_out.unwrap_or(WRITTEN_OUT);
        let least_uses = if most == 0 { 1 } else { 2 };
        let mut shared = Shared::default();
        let mut sizes: [HashMap<TypeId, u32>; 2] = Default::default();
        let mut levels: HashMap<TypeId, u32> = HashMap::new();
        for id in &types.order {
            let level = 1 + parts(types, *id).filter_map(|part| levels.get(&part)).max().copied().unwrap_or(0);
            let is_deep = level > NESTED && types.has_functions(*id) && !types.is_recursive(*id);
            levels.insert(*id, if is_deep || types.is_recursive(*id) { 0 } else { level });
            for (is_plain, sizes) in [false, true].into_iter().zip(&mut sizes) {
                let size = size(types, *id, is_plain, sizes);
                let is_large = match types.kind(*id) {
                    Kind::Enumerated(enumerators) => most > 0 && enumerators.all().count() > MOST_ITEMS,
                    _ => size > most && types.has_functions(*id) && !types.is_recursive(*id),
                };
                let is_shared = is_deep || is_large && uses.get(id).is_some_and(|uses| *uses >= least_uses);
                if is_shared {
                    let set = if is_plain { &mut shared.plain } else { &mut shared.everywhere };
                    set.insert(*id);
                }
                sizes.insert(*id, if is_shared { 1 } else { size });
            }
        }
        shared
    }

    pub(crate) fn contains(&self, id: TypeId, is_plain: bool) -> bool {
        if is_plain { self.plain.contains(&id) } else { self.everywhere.contains(&id) }
    }
}

/// How many parts code for a type has that is written out, by the sizes of its parts; what has a function counts once, and so does what contains itself.
fn size(types: &Types<'_>, id: TypeId, is_plain: bool, sizes: &HashMap<TypeId, u32>) -> u32 {
    let of = |part: TypeId| match types.is_recursive(part) {
        true => 1,
        false => sizes.get(&part).copied().unwrap_or(1),
    };
    let all = parts(types, id);
    let inside = match types.kind(id) {
        Kind::Enumerated(enumerators) => u32::try_from(enumerators.all().count() / ITEMS_IN_A_PART).unwrap_or(u32::MAX),
        Kind::Sequence { components, .. } if is_plain => {
            let sizes = all.zip(components).map(|(part, one)| match one.presence {
                Presence::Mandatory if !Types::is_option(one) => of(part),
                _ => 1,
            });
            sizes.fold(0u32, u32::saturating_add)
        }
        Kind::Choice { .. } if is_plain => all.map(of).max().unwrap_or(0),
        _ => all.map(of).fold(0u32, u32::saturating_add),
    };
    inside.saturating_add(1)
}

/// The alternatives that the empty values of CHOICEs have, but for those that have the first one: of a CHOICE in which a type that contains itself is, the first one whose
/// empty value ends.
pub(crate) fn first_finite(types: &Types<'_>) -> HashMap<TypeId, usize> {
    let mut chosen = HashMap::new();
    for id in &types.order {
        let Kind::Choice { alternatives, .. } = types.kind(*id) else { continue };
        if alternatives.first().is_none_or(|first| !types.reaches_recursion(first.type_id)) {
            continue;
        }
        let finite = finite(types, *id, &chosen);
        let first = alternatives.iter().position(|one| finite.contains(&types.canonical(one.type_id)));
        chosen.insert(*id, first.unwrap_or(0));
    }
    chosen
}

/// Which types have an empty value that ends and in which `without` does not come, where CHOICEs have the alternatives that are chosen already.
fn finite(types: &Types<'_>, without: TypeId, chosen: &HashMap<TypeId, usize>) -> HashSet<TypeId> {
    let mut known: HashSet<TypeId> = types.order.iter().copied().filter(|id| !types.reaches_recursion(*id)).collect();
    loop {
        let before = known.len();
        for id in types.order.iter().filter(|id| **id != without) {
            let is_known = |part: TypeId| known.contains(&types.canonical(part));
            let ends = match types.kind(*id) {
                _ if known.contains(id) => continue,
                Kind::Sequence { components, .. } => {
                    components.iter().filter(|one| !Types::is_option(one)).all(|one| is_known(one.type_id))
                }
                Kind::Choice { alternatives, .. } => match chosen.get(id) {
                    Some(at) => alternatives.get(*at).is_some_and(|one| is_known(one.type_id)),
                    None => alternatives.iter().any(|one| is_known(one.type_id)),
                },
                _ => true,
            };
            if ends {
                known.insert(*id);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}
