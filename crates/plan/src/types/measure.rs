//! The sizes of types. Each is measured once, from the measures of its parts: a type that is used
//! twice at each of sixty levels has more parts than can be counted one by one.

use std::collections::{HashMap, HashSet};

use roadwire_model::{Component, Kind, Presence, TypeId};

use crate::types::{Repr, Types};

/// Structures with at most this many leaves are built in registers.
const FLAT_LEAVES: usize = 4;

/// If a type is used more than once, code of up to this many parts is written inline at each use;
/// more becomes a function. In the shipped messages, all types above it are functions for other
/// reasons anyway.
pub(crate) const WRITTEN_OUT: u32 = 300;

/// Code of a type with more than `COPIED_PARTS` parts becomes a function if it would be written at
/// this many places, twice as many as use the type: types that are used twice at each of many
/// levels would double their code with each level.
const COPIES: u32 = 4;
const COPIED_PARTS: u32 = 12;

/// The most levels of types in inline code; the shipped messages nest ten.
const NESTED: u32 = 20;

/// An enumeration with more items that is used more than once is left to the interpreter, which has
/// a table of them.
const MOST_ITEMS: usize = 1000;

/// This many items of an enumeration count as one part.
const ITEMS_IN_A_PART: usize = 8;

/// The sums over the parts of a type; a recursive use counts as little as possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    /// How many leaves a value has, lists counted once: a measure of the size of inline code.
    pub(crate) leaves: usize,
    /// Whether it contains a list.
    pub(crate) has_list: bool,
    /// Whether it contains a recursive type.
    pub(crate) reaches_recursion: bool,
    /// How many levels it nests, up to recursive types.
    pub(crate) levels: u32,
    /// About how many octets a value takes in memory; `None` if it uses the heap.
    pub(crate) width: Option<u64>,
    /// Whether a value is built from a few mandatory numbers and strings, without heap except for
    /// borrowed strings: it is then read before its place is accessed.
    pub(crate) is_flat: bool,
    /// How many octets a flat value without strings of varying length takes.
    pub(crate) flat_octets: Option<u64>,
}

impl Measure {
    /// Measures a type whose parts have been measured, except for recursive ones that are not
    /// finished.
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
                measure.is_flat =
                    is_scalar(repr) || matches!(repr, Repr::FixedOctets(_) | Repr::WideInteger(_) | Repr::LentOctets);
                measure.flat_octets = match repr {
                    Repr::FixedOctets(octets) | Repr::WideInteger(octets) => Some(*octets),
                    Repr::Integer(int) => Some(u64::from(int.bits) / 8),
                    _ => None,
                };
            }
        }
        if matches!(repr, Repr::Struct | Repr::Choice) && types.memory(id).octets > types.options.box_above {
            // It is in a `Box`.
            measure = Measure { width: None, is_flat: false, flat_octets: None, ..measure };
        }
        measure
    }
}

fn sum(mut parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    parts.try_fold(0u64, |sum, part| Some(sum.saturating_add(part?)))
}

/// Whether a value fits into a register.
pub(crate) fn is_scalar(repr: &Repr) -> bool {
    use Repr::{BitFlags, Bool, Enum, Integer, Null, Real};
    matches!(repr, Bool | Null | Integer(_) | Real | Enum | BitFlags { .. })
}

fn leaf_width(repr: &Repr) -> Option<u64> {
    match repr {
        Repr::Null => Some(0),
        Repr::BitWord => Some(16),
        Repr::FixedOctets(octets) | Repr::WideInteger(octets) | Repr::Octets(octets) => Some(octets.saturating_add(8)),
        repr if is_scalar(repr) => Some(8),
        _ => None,
    }
}

/// The canonical types of a type's components, alternatives or elements.
fn parts(types: &Types<'_>, id: TypeId) -> impl Iterator<Item = TypeId> {
    let element = if let Kind::SequenceOf { element, .. } = types.kind(id) { Some(*element) } else { None };
    types.parts(id).into_iter().map(|(_, part)| part).chain(element).map(|part| types.canonical(part))
}

/// Which of these parts are coded by a separate function here in all families.
fn calls(types: &Types<'_>, id: TypeId) -> Vec<bool> {
    let is_function = |part: TypeId| types.is_function(part);
    match types.kind(id) {
        Kind::Sequence { components, .. } => {
            components.iter().map(|one| Types::is_option(one) && is_function(one.type_id)).collect()
        }
        Kind::Choice { alternatives, .. } => alternatives.iter().map(|one| types.has_list(one.type_id)).collect(),
        Kind::SequenceOf { element, .. } => vec![is_function(*element)],
        _ => Vec::new(),
    }
}

/// Types that are used more than once and are not small, that are deeply nested, or that take much
/// memory: each is coded by a separate function wherever it is used (enumerations by the
/// interpreter), so that generated code grows with the module, not with how often or how deep its
/// types contain each other.
#[derive(Default)]
pub(crate) struct Shared {
    everywhere: HashSet<TypeId>,
    /// In code for plain values only, which leaves out optional parts and all alternatives but one.
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
        // With 0, for tests: each part is a function, however often it is used.
        let most = written_out.unwrap_or(WRITTEN_OUT);
        let least_uses = if most == 0 { 1 } else { 2 };
        let mut shared = Shared { everywhere: copied(types, roots, &uses), ..Shared::default() };
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
                let is_used_often = uses.get(id).is_some_and(|uses| *uses >= least_uses);
                let set = if is_plain { &mut shared.plain } else { &mut shared.everywhere };
                if is_deep || is_large && is_used_often || types.takes_much_memory(*id) {
                    set.insert(*id);
                }
                let is_shared = set.contains(id);
                sizes.insert(*id, if is_shared { 1 } else { size });
            }
        }
        shared
    }

    pub(crate) fn contains(&self, id: TypeId, is_plain: bool) -> bool {
        if is_plain { self.plain.contains(&id) } else { self.everywhere.contains(&id) }
    }
}

/// The types whose code would be written inline too often. It goes from types to their parts.
fn copied(types: &Types<'_>, roots: &[TypeId], uses: &HashMap<TypeId, u32>) -> HashSet<TypeId> {
    let mut sizes = HashMap::new();
    for id in &types.order {
        sizes.insert(*id, size(types, *id, false, &sizes));
    }
    let mut copies: HashMap<TypeId, u32> = roots.iter().map(|root| (types.canonical(*root), 1)).collect();
    let (mut functions, mut called) = (HashSet::new(), HashSet::new());
    for id in types.order.iter().rev() {
        let mut here = copies.get(id).copied().unwrap_or(0);
        let is_copied = here >= COPIES && uses.get(id).is_some_and(|uses| here / 2 >= *uses);
        if is_copied && sizes[id] > COPIED_PARTS && types.has_functions(*id) && !types.is_recursive(*id) {
            functions.insert(*id);
        }
        if functions.contains(id) || types.is_recursive(*id) {
            here = 1;
        }
        for (part, is_called) in parts(types, *id).zip(calls(types, *id)) {
            // A function is written once.
            let more = if is_called { u32::from(called.insert(part)) } else { here };
            let copies = copies.entry(part).or_default();
            *copies = copies.saturating_add(more);
        }
    }
    functions
}

/// How many parts the inline code for a type has, from the sizes of its parts; a function counts as
/// one, and so does a recursive type.
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
        // Each content is a call.
        Kind::Choice { alternatives, .. } if types.is_open(id) => u32::try_from(alternatives.len()).unwrap_or(u32::MAX),
        Kind::Choice { .. } if is_plain => all.map(of).max().unwrap_or(0),
        _ => all.map(of).fold(0u32, u32::saturating_add),
    };
    inside.saturating_add(1)
}

/// The alternatives of the empty values of CHOICEs, if not the first: octets of an open type; for a
/// CHOICE that contains a recursive type, the first alternative whose empty value is finite.
pub(crate) fn first_finite(types: &Types<'_>) -> HashMap<TypeId, usize> {
    let mut chosen = HashMap::new();
    for id in &types.order {
        let Kind::Choice { alternatives, .. } = types.kind(*id) else { continue };
        if types.is_open(*id) {
            // No octets.
            chosen.insert(*id, alternatives.len() - 1);
            continue;
        }
        if alternatives.first().is_none_or(|first| !types.reaches_recursion(first.type_id)) {
            continue;
        }
        let finite = finite(types, *id, &chosen);
        let first = alternatives.iter().position(|one| finite.contains(&types.canonical(one.type_id)));
        chosen.insert(*id, first.unwrap_or(0));
    }
    chosen
}

/// The types that have a finite empty value without `without` in it, given the alternatives chosen
/// so far.
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
