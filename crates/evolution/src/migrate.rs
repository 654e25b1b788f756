//! A value of one version as a value of the other: by names, and by place for what was renamed.

use std::collections::HashSet;
use std::fmt;

use roadwire_model::{Component, Kind, Model, Presence, TypeId, Value, check};

use crate::agree::moved;
use crate::pairing::{Pairings, Versions, plain, same_kind};

/// Something of a value that has no place in the other version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The field, from the outside in; empty for the value itself.
    pub path: String,
    /// Why it has none.
    pub why: Why,
}

/// Why something has no place in the other version, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The other version has no such component.
    Removed,
    /// The other version has a component of this name of another type.
    OtherType,
    /// The value breaks a constraint of the other version's; which one.
    OutOfRange(String),
    /// The other version has no such enumeration item.
    UnknownItem(String),
    /// The other version has no such alternative.
    NoAlternative,
    /// Octets of an extension addition or open type that even its own version does not know.
    Octets,
    /// The other version requires this component, and the value has none.
    Missing,
}

impl Why {
    /// A word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Why::Removed => "removed",
            Why::OtherType => "type",
            Why::OutOfRange(_) => "range",
            Why::UnknownItem(_) => "item",
            Why::NoAlternative => "alternative",
            Why::Octets => "octets",
            Why::Missing => "missing",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Removed => f.write_str("removed: the other version has no such component"),
            Why::OtherType => f.write_str("the other version has another type here"),
            Why::OutOfRange(what) => write!(f, "out of range: {what}"),
            Why::UnknownItem(item) => write!(f, "unknown item: the other version has no `{item}`"),
            Why::NoAlternative => f.write_str("no such alternative in the other version"),
            Why::Octets => f.write_str("octets that its own version does not know either"),
            Why::Missing => f.write_str("required by the other version, and this value has none"),
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { write!(f, "{}", self.why) } else { write!(f, "{}: {}", self.path, self.why) }
    }
}

/// A value that was carried over.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    /// The value, of the other version's type.
    pub value: Value,
    /// The parts that have no place in it.
    pub lost: Vec<Lost>,
}

/// A value for a component of the new version, where the old one's value has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    steps: Vec<String>,
    value: Value,
}

impl Given {
    /// `path` is that of [`Comparison::field`](crate::Comparison::field), and `value` one of its
    /// type.
    #[must_use]
    pub fn new(path: &str, value: Value) -> Self {
        Given { steps: steps(path), value }
    }

    /// Whether it is for the component `name` at `place`.
    fn is_for(&self, place: &[String], name: &str) -> bool {
        let Some((last, before)) = self.steps.split_last() else { return false };
        let same = |(step, at): (&String, &String)| step == at || (step == EACH && at.starts_with('['));
        last == name && before.len() == place.len() && before.iter().zip(place).all(same)
    }
}

/// The step to each element of a list.
const EACH: &str = "[]";

/// `a.b[2].c` as `a`, `b`, `[2]`, `c`.
fn steps(path: &str) -> Vec<String> {
    path.replace('[', ".[").split('.').filter(|step| !step.is_empty()).map(str::to_owned).collect()
}

/// The type of a component, named by the way to it.
///
/// # Errors
/// The way up to the first step that the type does not have; the whole of it if it does not end
/// with a component.
pub(crate) fn field(model: &Model, id: TypeId, path: &str) -> Result<TypeId, String> {
    let steps = steps(path);
    let mut at = vec![(id, false)];
    for (count, step) in steps.iter().enumerate() {
        at = at.into_iter().flat_map(|(id, _)| parts(model, id, step)).collect();
        if at.is_empty() {
            return Err(steps[..=count].join(".").replace(".[", "["));
        }
    }
    at.into_iter().find(|(_, is_component)| *is_component).map(|(id, _)| id).ok_or_else(|| path.to_owned())
}

/// The parts of a type to which one step leads, and whether they are components. What a string
/// contains and what an open type holds has no step of its own.
fn parts(model: &Model, id: TypeId, step: &str) -> Vec<(TypeId, bool)> {
    let (mut found, mut inside, mut seen) = (Vec::new(), vec![id], HashSet::new());
    while let Some(id) = inside.pop().map(|id| plain(model, id)) {
        if !seen.insert(id) {
            continue;
        }
        match &model.get(id).kind {
            Kind::Sequence { components, .. } => {
                found.extend(components.iter().filter(|one| one.name == step).map(|one| (one.type_id, true)));
            }
            Kind::Choice { alternatives, .. } => {
                found.extend(alternatives.iter().filter(|one| one.name == step).map(|one| (one.type_id, false)));
            }
            Kind::SequenceOf { element, .. } if step.starts_with('[') => found.push((*element, false)),
            Kind::Open { table: Some(table) } => inside.extend(table.rows.iter().rev().map(|(_, id)| *id)),
            kind => inside.extend(kind.contained()),
        }
    }
    found
}

/// Carries a value over. What has no place is left out, with the nearest optional component around
/// it; a component without a value takes the one that is given for it.
///
/// # Errors
/// The other type has no such value: a required component is missing, or has no place.
pub(crate) fn migrate(
    pairings: &Pairings<'_>,
    ids: (TypeId, TypeId),
    value: &Value,
    given: &[Given],
) -> Result<Migration, Lost> {
    let versions = pairings.versions;
    let (path, place) = (Vec::new(), Vec::new());
    let mut carrier = Carrier { pairings, versions, given, path, place, lost: Vec::new(), missing: None, cause: None };
    let carried = carrier.value(ids, value);
    let Carrier { mut lost, missing, cause, .. } = carrier;
    match (missing, carried) {
        (Some(missing), _) => Err(missing),
        (None, None) => Err(cause.or_else(|| lost.pop()).unwrap_or(Lost { path: String::new(), why: Why::OtherType })),
        (None, Some(value)) => match check::value(versions.to, ids.1, &value).into_iter().next() {
            Some(broken) => Err(Lost { path: broken.path, why: Why::OutOfRange(broken.message) }),
            None => Ok(Migration { value, lost }),
        },
    }
}

struct Carrier<'p, 'm> {
    pairings: &'p Pairings<'m>,
    versions: Versions<'m>,
    given: &'p [Given],
    path: Vec<String>,
    /// The same place by the names of the other version.
    place: Vec<String>,
    lost: Vec<Lost>,
    missing: Option<Lost>,
    /// The missing part because of which the last record has no place.
    cause: Option<Lost>,
}

impl<'p> Carrier<'p, '_> {
    /// The value in the other version; `None` if it has no place, which is then noted.
    fn value(&mut self, (from, to): (TypeId, TypeId), value: &Value) -> Option<Value> {
        let (from, to) = (plain(self.versions.from, from), plain(self.versions.to, to));
        let (one, other) = (&self.versions.from.get(from).kind, &self.versions.to.get(to).kind);
        if !same_kind(one, other) {
            return self.lose(Why::OtherType);
        }
        match (one, other, value) {
            (
                Kind::Sequence { components: one, .. },
                Kind::Sequence { components: other, .. },
                Value::Sequence { components, unknown },
            ) => {
                for unknown in unknown {
                    let path = format!("(addition {})", unknown.index);
                    self.within((&path, &path), |carrier| carrier.lose(Why::Octets));
                }
                self.record((one, other), &self.pairings.of((from, to)), components)
            }
            (Kind::SequenceOf { element: one, .. }, Kind::SequenceOf { element: other, .. }, Value::List(elements)) => {
                let mut carried = Vec::new();
                for (at, element) in elements.iter().enumerate() {
                    let step = format!("[{at}]");
                    carried.push(self.within((&step, &step), |carrier| carrier.value((*one, *other), element))?);
                }
                self.checked(to, Value::List(carried))
            }
            (
                Kind::Choice { alternatives: one, .. },
                Kind::Choice { alternatives: other, .. },
                Value::Choice(at, value),
            ) => {
                let (at, pairs) = (*at as usize, self.pairings.of((from, to)));
                let pair = pairs.get(at).copied().flatten();
                let name = one.get(at).map_or("?", |one| &one.name);
                let other_name = pair.map_or(name, |place| &other[place].name);
                self.within((name, other_name), |carrier| match pair {
                    Some(place) => {
                        let inner = carrier.value((one[at].type_id, other[place].type_id), value)?;
                        Some(Value::Choice(u32::try_from(place).ok()?, Box::new(inner)))
                    }
                    None => carrier.lose(Why::NoAlternative),
                })
            }
            (Kind::Enumerated(one), Kind::Enumerated(_), Value::Enumerated(ordinal)) => {
                let pair = self.pairings.of((from, to)).get(*ordinal as usize).copied().flatten();
                match pair {
                    Some(place) => Some(Value::Enumerated(u32::try_from(place).ok()?)),
                    None => {
                        let name = one.all().nth(*ordinal as usize).map_or("...".into(), |(name, _)| name.clone());
                        self.lose(Why::UnknownItem(name))
                    }
                }
            }
            (one, other, Value::Choice(0, value)) if one.contained().is_some() => {
                match (one.contained(), other.contained()) {
                    (Some(one), Some(other)) => Some(Value::Choice(0, Box::new(self.value((one, other), value)?))),
                    _ => self.lose(Why::Octets),
                }
            }
            (Kind::Open { table: Some(one) }, Kind::Open { table: Some(other) }, Value::Choice(row, value)) => {
                let row = *row as usize;
                match self.pairings.of((from, to)).get(row).copied().flatten() {
                    Some(place) => {
                        let inner = self.value((one.rows[row].1, other.rows[place].1), value)?;
                        Some(Value::Choice(u32::try_from(place).ok()?, Box::new(inner)))
                    }
                    None => self.lose(Why::NoAlternative),
                }
            }
            (
                Kind::BitString { named: one, .. },
                Kind::BitString { named: other, .. },
                Value::BitString { octets, bits },
            ) => {
                let octets = moved(one, other, octets, *bits);
                let least = octets
                    .iter()
                    .rposition(|octet| *octet != 0)
                    .map_or(0, |last| last * 8 + 8 - octets[last].trailing_zeros() as usize);
                self.checked(to, Value::bit_string(&octets, least.max(*bits)))
            }
            (_, _, Value::UnknownChoice(_)) => self.lose(Why::Octets),
            (_, _, value) => self.checked(to, value.clone()),
        }
    }

    fn record(
        &mut self,
        (one, other): (&[Component], &[Component]),
        pairs: &[Option<usize>],
        components: &[Option<Value>],
    ) -> Option<Value> {
        let mut carried: Vec<Option<Value>> = vec![None; other.len()];
        let mut given: Vec<Option<&Value>> = other.iter().map(|one| self.given_for(&one.name)).collect();
        let (mut is_whole, mut cause) = (true, None);
        for (at, pair) in pairs.iter().copied().enumerate() {
            let default = match &one[at].presence {
                Presence::Default(value) => Some(value),
                Presence::Mandatory | Presence::Optional => None,
            };
            let own = components.get(at).and_then(Option::as_ref);
            match (pair, own) {
                (None, None) => {}
                (None, Some(_)) => {
                    self.within((&one[at].name, &one[at].name), |carrier| carrier.lose(Why::Removed));
                }
                (Some(place), own) => {
                    let ids = (one[at].type_id, other[place].type_id);
                    let Some(value) = own.or(default) else { continue };
                    let names = (&*one[at].name, &*other[place].name);
                    let value = self.within(names, |carrier| carrier.value(ids, value));
                    if value.is_some() {
                        // Also where it is the DEFAULT, and left out.
                        given[place] = None;
                    } else if given[place].is_none() && is_required(other, place, &carried) {
                        is_whole = false;
                        cause = cause.or_else(|| self.cause.take().or_else(|| self.lost.last().cloned()));
                    }
                    carried[place] = value.filter(|value| !is_default(self.versions.to, &other[place], value));
                }
            }
        }
        for (place, value) in given.into_iter().enumerate() {
            if let Some(value) = value.filter(|value| !is_default(self.versions.to, &other[place], value)) {
                carried[place] = Some(value.clone());
            }
        }
        for (place, component) in other.iter().enumerate() {
            if carried[place].is_none() && is_required(other, place, &carried) {
                // Parts without a place have been noted already.
                let noted = self.lost.iter().any(|lost| lost.path.ends_with(&component.name));
                if !noted && is_whole {
                    let path = self.path_to(&component.name);
                    self.missing.get_or_insert(Lost { path, why: Why::Missing });
                }
                is_whole = false;
            }
        }
        self.cause = cause;
        is_whole.then(|| Value::sequence(carried))
    }

    /// The value that is given for a component of the other version, of the record at this place.
    fn given_for(&self, name: &str) -> Option<&'p Value> {
        self.given.iter().find(|given| given.is_for(&self.place, name)).map(|given| &given.value)
    }

    /// The value, if the other type allows it.
    fn checked(&mut self, to: TypeId, value: Value) -> Option<Value> {
        match check::value(self.versions.to, to, &value).into_iter().next() {
            None => Some(value),
            Some(broken) => self.lose(Why::OutOfRange(broken.message)),
        }
    }

    fn lose(&mut self, why: Why) -> Option<Value> {
        let path = self.path.join(".").replace(".[", "[");
        self.lost.push(Lost { path, why });
        None
    }

    /// Within a part, by its name in the one version and in the other.
    fn within<T>(&mut self, (one, other): (&str, &str), carry: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(one.to_owned());
        self.place.push(other.to_owned());
        let carried = carry(self);
        self.path.pop();
        self.place.pop();
        carried
    }

    fn path_to(&self, name: &str) -> String {
        let steps = self.path.iter().map(String::as_str).chain([name]);
        steps.collect::<Vec<_>>().join(".").replace(".[", "[")
    }
}

/// Whether a component is required: in the root, or in an addition group that has another member.
fn is_required(components: &[Component], at: usize, carried: &[Option<Value>]) -> bool {
    use roadwire_model::Field;
    let component = &components[at];
    let has_group = || {
        let same = components.iter().zip(carried).filter(|(other, _)| other.field == component.field);
        same.into_iter().any(|(_, value)| value.is_some())
    };
    component.presence == Presence::Mandatory
        && match component.field {
            Field::Root => true,
            Field::Addition => false,
            Field::Group(_) => has_group(),
        }
}

/// Whether a component's value is its DEFAULT, and left out.
fn is_default(model: &Model, component: &Component, value: &Value) -> bool {
    match &component.presence {
        Presence::Default(default) => roadwire_model::data::equal(model, component.type_id, default, value),
        Presence::Mandatory | Presence::Optional => false,
    }
}
