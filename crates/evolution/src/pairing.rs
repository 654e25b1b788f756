//! Which parts of two types are the same part: by name, and where the name changed, by a name that
//! differs in capitals and hyphens alone, or by place, tag and type.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use roadwire_model::{Alternative, Component, Enumerators, Field, Kind, Model, Table, TypeId};

/// Two models, and in which direction values go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versions<'m> {
    pub(crate) from: &'m Model,
    pub(crate) to: &'m Model,
}

impl<'m> Versions<'m> {
    pub(crate) fn reversed(self) -> Versions<'m> {
        Versions { from: self.to, to: self.from }
    }
}

/// The counterparts of parts, found once for each pair of types.
#[derive(Debug)]
pub(crate) struct Pairings<'m> {
    pub(crate) versions: Versions<'m>,
    known: RefCell<HashMap<(TypeId, TypeId), Counterparts>>,
}

/// For each part of one type the place of its counterpart in the other.
pub(crate) type Counterparts = Rc<[Option<usize>]>;

impl<'m> Pairings<'m> {
    pub(crate) fn new(versions: Versions<'m>) -> Self {
        Pairings { versions, known: RefCell::default() }
    }

    /// Those of components, alternatives, items or rows; none for types without such parts, or of
    /// different kinds.
    pub(crate) fn of(&self, (from, to): (TypeId, TypeId)) -> Counterparts {
        let mut known = self.known.borrow_mut();
        let found = known.entry((from, to)).or_insert_with(|| {
            let found = match (&self.versions.from.get(from).kind, &self.versions.to.get(to).kind) {
                (Kind::Sequence { components: one, .. }, Kind::Sequence { components: other, .. }) => {
                    components(self.versions, one, other)
                }
                (Kind::Choice { alternatives: one, .. }, Kind::Choice { alternatives: other, .. }) => {
                    alternatives(self.versions, one, other)
                }
                (Kind::Enumerated(one), Kind::Enumerated(other)) => items(one, other),
                (Kind::Open { table: Some(one) }, Kind::Open { table: Some(other) }) => rows(one, other),
                _ => Vec::new(),
            };
            found.into()
        });
        Rc::clone(found)
    }
}

/// The type itself, or what an EXTERNAL is by definition.
pub(crate) fn plain(model: &Model, mut id: TypeId) -> TypeId {
    for _ in 0..8 {
        match model.get(id).kind {
            Kind::External(inner) => id = inner,
            _ => break,
        }
    }
    id
}

/// Whether values of one kind can be values of the other.
pub(crate) fn same_kind(from: &Kind, to: &Kind) -> bool {
    match (from, to) {
        (Kind::Time { kind: one, .. }, Kind::Time { kind: other, .. }) => one == other,
        (Kind::Iri { relative: one }, Kind::Iri { relative: other }) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// For each component of one SEQUENCE its counterpart in the other.
pub(crate) fn components(versions: Versions<'_>, from: &[Component], to: &[Component]) -> Vec<Option<usize>> {
    let names = |all: &[Component]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let is_of_kind = |at: usize, other: usize| of_kind(versions, from[at].type_id, to[other].type_id);
    pair(&names(from), &names(to), is_of_kind, |at, other| {
        let (one, other) = (&from[at], &to[other]);
        field_sort(one.field) == field_sort(other.field) && alike(versions, one.type_id, other.type_id)
    })
}

/// For each alternative of one CHOICE its counterpart in the other.
pub(crate) fn alternatives(versions: Versions<'_>, from: &[Alternative], to: &[Alternative]) -> Vec<Option<usize>> {
    let names = |all: &[Alternative]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let is_of_kind = |at: usize, other: usize| of_kind(versions, from[at].type_id, to[other].type_id);
    pair(&names(from), &names(to), is_of_kind, |at, other| {
        let (one, other) = (&from[at], &to[other]);
        one.addition == other.addition && alike(versions, one.type_id, other.type_id)
    })
}

/// For each item of one ENUMERATED, by ordinal, its counterpart in the other.
pub(crate) fn items(from: &Enumerators, to: &Enumerators) -> Vec<Option<usize>> {
    let names = |all: &Enumerators| all.all().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let numbers = |all: &Enumerators| all.all().map(|(_, number)| *number).collect::<Vec<_>>();
    let (one, other) = (numbers(from), numbers(to));
    let in_root = |all: &Enumerators, at: usize| at < all.root.len();
    let mut pairs = by_name(&names(from), &names(to));
    // A renamed item keeps its number.
    let taken = inverse(&pairs, other.len());
    let places: HashMap<i64, usize> = other.iter().zip(0..).map(|(number, place)| (*number, place)).collect();
    for at in (0..one.len()).filter(|at| pairs[*at].is_none()).collect::<Vec<_>>() {
        let found = places.get(&one[at]).copied().filter(|place| taken[*place].is_none());
        pairs[at] = found.filter(|place| in_root(from, at) == in_root(to, *place));
    }
    pairs
}

/// For each row of one table its counterpart in the other: the row that the same value selects.
pub(crate) fn rows(from: &Table, to: &Table) -> Vec<Option<usize>> {
    from.rows.iter().map(|(value, _)| to.rows.iter().position(|(other, _)| other == value)).collect()
}

/// The other way round.
pub(crate) fn inverse(pairs: &[Option<usize>], count: usize) -> Vec<Option<usize>> {
    let mut inverse = vec![None; count];
    for (at, other) in pairs.iter().enumerate() {
        if let Some(place) = other.and_then(|other| inverse.get_mut(other)) {
            *place = Some(at);
        }
    }
    inverse
}

/// Whether values of one type can be values of the other, as far as their kinds tell.
fn of_kind(versions: Versions<'_>, from: TypeId, to: TypeId) -> bool {
    let (from, to) = (plain(versions.from, from), plain(versions.to, to));
    same_kind(&versions.from.get(from).kind, &versions.to.get(to).kind)
}

/// Whether two types could be one whose use was renamed: same tags, same kind, and the same name;
/// where a name is another, or one has none, the same range, size or items.
fn alike(versions: Versions<'_>, from: TypeId, to: TypeId) -> bool {
    let (one, other) = (versions.from.get(from), versions.to.get(to));
    let names = [one, other].map(|of| of.known_as().map(|name| &name.name));
    let is_same = names[0] == names[1] || same_extent(&one.kind, &other.kind);
    one.tags == other.tags && same_kind(&one.kind, &other.kind) && is_same
}

/// Whether types with other names have the same values, as far as one part shows. Structures, and
/// kinds whose values are all alike, show nothing.
fn same_extent(from: &Kind, to: &Kind) -> bool {
    match (from, to) {
        (Kind::Enumerated(one), Kind::Enumerated(other)) => one == other,
        (Kind::Integer { range: one, .. }, Kind::Integer { range: other, .. }) => one == other,
        (Kind::BitString { size: one, .. }, Kind::BitString { size: other, .. })
        | (Kind::OctetString { size: one, .. }, Kind::OctetString { size: other, .. }) => one == other,
        _ => false,
    }
}

fn field_sort(field: Field) -> u8 {
    match field {
        Field::Root => 0,
        Field::Addition => 1,
        Field::Group(_) => 2,
    }
}

/// By name; then those of a kind whose names differ in capitals and hyphens alone; then those
/// without a counterpart that are at the same place among their neighbours and fit.
fn pair(
    from: &[String],
    to: &[String],
    is_of_kind: impl Fn(usize, usize) -> bool,
    fits: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut pairs = by_name(from, to);
    let mut taken = inverse(&pairs, to.len());
    for (at, place) in by_letters(from, to, &pairs, &taken) {
        if is_of_kind(at, place) {
            pairs[at] = Some(place);
            taken[place] = Some(at);
        }
    }
    for at in 0..from.len() {
        if pairs[at].is_some() {
            continue;
        }
        let behind = if at == 0 { Some(0) } else { pairs[at - 1].map(|before| before + 1) };
        let candidates = [behind, Some(at)];
        let found = candidates
            .into_iter()
            .flatten()
            .find(|place| *place < to.len() && taken[*place].is_none() && fits(at, *place));
        if let Some(place) = found {
            pairs[at] = Some(place);
            taken[place] = Some(at);
        }
    }
    pairs
}

/// Names without a counterpart that have the same letters and digits, such as `messageID` and
/// `messageId`, where one name of each version has them.
fn by_letters(from: &[String], to: &[String], pairs: &[Option<usize>], taken: &[Option<usize>]) -> Vec<(usize, usize)> {
    let letters = |name: &String| name.replace('-', "").to_ascii_lowercase();
    let places = |names: &[String], others: &[Option<usize>]| {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, name) in names.iter().enumerate().filter(|(at, _)| others[*at].is_none()) {
            places.entry(letters(name)).or_default().push(at);
        }
        places
    };
    let known = places(to, taken);
    let all = places(from, pairs).into_iter().filter_map(|(letters, at)| {
        match (at.as_slice(), known.get(&letters)?.as_slice()) {
            ([at], [place]) => Some((*at, *place)),
            _ => None,
        }
    });
    all.collect()
}

fn by_name(from: &[String], to: &[String]) -> Vec<Option<usize>> {
    let places: HashMap<&String, usize> = to.iter().zip(0..).collect();
    from.iter().map(|name| places.get(name).copied()).collect()
}
