//! The changes between two types, part by part.

use std::collections::HashSet;
use std::fmt;

use roadwire_model::{
    Alphabet, Alternative, Component, Enumerators, Field, IntegerRange, Kind, Presence, Size, Type, TypeId,
};

use crate::outcome::Outcomes;
use crate::pairing::{self, Pairings, Versions, inverse, plain, same_kind};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The field, from the outside in, by the old version's names; empty for the message itself.
    pub path: String,
    /// The sort of change.
    pub changed: Changed,
    /// More about it.
    pub detail: String,
}

/// The sorts of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Changed {
    /// There is a new component, alternative, item or named bit.
    Added,
    /// One is gone.
    Removed,
    /// One has another name: same place, tag and type.
    Renamed,
    /// A component may be absent now.
    MadeOptional,
    /// A component may not be absent any more.
    MadeMandatory,
    /// A component's DEFAULT is another, is new or is gone.
    Default,
    /// More values are allowed.
    Widened,
    /// Fewer values are allowed.
    Narrowed,
    /// Other values are allowed: some more, and some no more.
    Moved,
    /// There is an extension marker now.
    MarkerAdded,
    /// There is none any more.
    MarkerRemoved,
    /// A component or alternative is an extension addition and was in the root, or the other way
    /// round.
    Region,
    /// It has another type.
    Type,
    /// Components, alternatives or items are in another order.
    Order,
    /// An item has another number, or a named bit another place.
    Number,
    /// It has other tags.
    Tag,
    /// Its type is renamed: a change only where types' names are written.
    TypeName,
}

impl Changed {
    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Changed::Added => "added",
            Changed::Removed => "removed",
            Changed::Renamed => "renamed",
            Changed::MadeOptional => "made-optional",
            Changed::MadeMandatory => "made-mandatory",
            Changed::Default => "default",
            Changed::Widened => "widened",
            Changed::Narrowed => "narrowed",
            Changed::Moved => "moved",
            Changed::MarkerAdded => "marker-added",
            Changed::MarkerRemoved => "marker-removed",
            Changed::Region => "region",
            Changed::Type => "type",
            Changed::Order => "order",
            Changed::Number => "number",
            Changed::Tag => "tag",
            Changed::TypeName => "type-name",
        }
    }

    /// The same in words.
    fn words(self) -> &'static str {
        match self {
            Changed::Added => "added",
            Changed::Removed => "removed",
            Changed::Renamed => "renamed",
            Changed::MadeOptional => "made optional",
            Changed::MadeMandatory => "made mandatory",
            Changed::Default => "DEFAULT changed",
            Changed::Widened => "widened",
            Changed::Narrowed => "narrowed",
            Changed::Moved => "other values",
            Changed::MarkerAdded => "extension marker added",
            Changed::MarkerRemoved => "extension marker removed",
            Changed::Region => "moved across the extension marker",
            Changed::Type => "another type",
            Changed::Order => "another order",
            Changed::Number => "another number",
            Changed::Tag => "other tags",
            Changed::TypeName => "type renamed",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "(message)" } else { &self.path };
        write!(f, "{path}: {}", self.changed.words())?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ", {}", self.detail) }
    }
}

pub(crate) fn changes(versions: Versions<'_>, ids: (TypeId, TypeId)) -> Vec<Change> {
    let mut differ = Differ { versions, seen: HashSet::new(), path: Vec::new(), found: Vec::new() };
    differ.types(ids);
    differ.found
}

struct Differ<'m> {
    versions: Versions<'m>,
    seen: HashSet<(TypeId, TypeId)>,
    path: Vec<String>,
    found: Vec<Change>,
}

/// Types that are nested deeper than this are not compared.
const DEEPEST: usize = 400;

impl<'m> Differ<'m> {
    fn types(&mut self, (from, to): (TypeId, TypeId)) {
        let (from, to) = (plain(self.versions.from, from), plain(self.versions.to, to));
        if !self.seen.insert((from, to)) {
            return;
        }
        if self.path.len() > DEEPEST {
            return self.note(Changed::Moved, "perhaps: it is nested too deep to be compared".into());
        }
        let (one, other): (&'m Type, &'m Type) = (self.versions.from.get(from), self.versions.to.get(to));
        let known = |of: &Type| of.known_as().map(|name| name.name.clone());
        if let (Some(one), Some(other)) = (known(one), known(other)) {
            if one != other {
                self.note(Changed::TypeName, format!("from {one} to {other}"));
            }
        }
        if !same_kind(&one.kind, &other.kind) {
            return self.note(Changed::Type, format!("{}, now {}", one.kind.name(), other.kind.name()));
        }
        if one.tags != other.tags && self.path.is_empty() {
            self.note(Changed::Tag, String::new());
        }
        match (&one.kind, &other.kind) {
            (Kind::Integer { range: one, .. }, Kind::Integer { range: other, .. }) => self.ranges(one, other),
            (Kind::Enumerated(one), Kind::Enumerated(other)) => self.items(one, other),
            (
                Kind::BitString { size: one, named, contains },
                Kind::BitString { size: other, named: names, contains: now },
            ) => {
                self.sizes(*one, *other);
                self.named_bits(named, names);
                self.contents(*contains, *now);
            }
            (Kind::OctetString { size: one, contains }, Kind::OctetString { size: other, contains: now }) => {
                self.sizes(*one, *other);
                self.contents(*contains, *now);
            }
            (
                Kind::String { size: one, kind, alphabet, .. },
                Kind::String { size: other, kind: now, alphabet: permitted, .. },
            ) => {
                if kind != now {
                    self.note(Changed::Type, format!("{}, now {}", kind.name(), now.name()));
                }
                self.sizes(*one, *other);
                self.alphabets(alphabet.as_ref(), permitted.as_ref());
            }
            (
                Kind::Sequence { components: one, extensible, .. },
                Kind::Sequence { components: other, extensible: now, .. },
            ) => {
                self.marker(*extensible, *now);
                self.components(one, other);
            }
            (Kind::SequenceOf { element: one, size, .. }, Kind::SequenceOf { element: other, size: now, .. }) => {
                self.sizes(*size, *now);
                self.within("[]", |differ| differ.types((*one, *other)));
            }
            (Kind::Choice { alternatives: one, extensible }, Kind::Choice { alternatives: other, extensible: now }) => {
                self.marker(*extensible, *now);
                self.alternatives(one, other);
            }
            (Kind::Open { table: Some(one) }, Kind::Open { table: Some(other) }) => {
                for (at, pair) in pairing::rows(one, other).into_iter().enumerate() {
                    match pair {
                        Some(place) => self.types((one.rows[at].1, other.rows[place].1)),
                        None => self.note(Changed::Removed, "a row of the table".into()),
                    }
                }
                let added = other.rows.len().saturating_sub(pairing::rows(one, other).iter().flatten().count());
                if added > 0 {
                    self.note(Changed::Added, format!("{added} rows of the table"));
                }
            }
            (one, other) => {
                if one != other {
                    self.note(Changed::Moved, "another constraint".into());
                }
            }
        }
    }

    /// Compares the types that strings contain.
    fn contents(&mut self, one: Option<TypeId>, other: Option<TypeId>) {
        match (one, other) {
            (Some(one), Some(other)) => self.types((one, other)),
            (Some(_), None) => self.note(Changed::Type, "a string, no longer one that contains a type".into()),
            (None, Some(_)) => self.note(Changed::Type, "now a string that contains a type".into()),
            (None, None) => {}
        }
    }

    fn components(&mut self, one: &'m [Component], other: &'m [Component]) {
        let pairs = pairing::components(self.versions, one, other);
        for (at, from) in one.iter().enumerate() {
            let Some(place) = pairs[at] else {
                self.within(&from.name, |differ| differ.note(Changed::Removed, described(from)));
                continue;
            };
            let to = &other[place];
            self.within(&from.name, |differ| {
                if from.name != to.name {
                    differ.note(Changed::Renamed, format!("now {}", to.name));
                }
                if (from.field == Field::Root) != (to.field == Field::Root) {
                    let now = if to.field == Field::Root { "now in the root" } else { "now an extension addition" };
                    differ.note(Changed::Region, now.into());
                }
                differ.presence(from, to);
                differ.types((from.type_id, to.type_id));
            });
        }
        for (place, pair) in inverse(&pairs, other.len()).iter().enumerate() {
            if pair.is_none() {
                self.within(&other[place].name, |differ| differ.note(Changed::Added, described(&other[place])));
            }
        }
        self.order(&pairs, "components");
    }

    fn presence(&mut self, from: &Component, to: &Component) {
        match (&from.presence, &to.presence) {
            (Presence::Mandatory, Presence::Mandatory) | (Presence::Optional, Presence::Optional) => {}
            (Presence::Mandatory, Presence::Optional) => self.note(Changed::MadeOptional, String::new()),
            (Presence::Optional, Presence::Mandatory) => self.note(Changed::MadeMandatory, String::new()),
            (Presence::Default(one), Presence::Default(other)) => {
                let ids = (from.type_id, to.type_id);
                if crate::agree::judge(&Pairings::new(self.versions), ids, one, other).0 != Outcomes::AGREES {
                    self.note(Changed::Default, "another value".into());
                }
            }
            (Presence::Mandatory, Presence::Default(_)) => {
                self.note(Changed::MadeOptional, "with a DEFAULT".into());
            }
            (Presence::Default(_), Presence::Mandatory) => {
                self.note(Changed::MadeMandatory, "it had a DEFAULT".into());
            }
            (Presence::Optional, Presence::Default(_)) => self.note(Changed::Default, "it had none".into()),
            (Presence::Default(_), Presence::Optional) => self.note(Changed::Default, "it has none now".into()),
        }
    }

    fn alternatives(&mut self, one: &'m [Alternative], other: &'m [Alternative]) {
        let pairs = pairing::alternatives(self.versions, one, other);
        let sort = |one: &Alternative| {
            if one.addition { "an alternative after the extension marker" } else { "an alternative" }
        };
        for (at, from) in one.iter().enumerate() {
            self.within(&from.name, |differ| match pairs[at] {
                None => differ.note(Changed::Removed, sort(from).into()),
                Some(place) => {
                    let to = &other[place];
                    if from.name != to.name {
                        differ.note(Changed::Renamed, format!("now {}", to.name));
                    }
                    if from.addition != to.addition {
                        let now = if to.addition { "now an extension addition" } else { "now in the root" };
                        differ.note(Changed::Region, now.into());
                    }
                    differ.types((from.type_id, to.type_id));
                }
            });
        }
        for (place, pair) in inverse(&pairs, other.len()).iter().enumerate() {
            if pair.is_none() {
                self.within(&other[place].name, |differ| differ.note(Changed::Added, sort(&other[place]).into()));
            }
        }
        self.order(&pairs, "alternatives");
    }

    fn items(&mut self, one: &'m Enumerators, other: &'m Enumerators) {
        self.marker(one.extensible, other.extensible);
        let pairs = pairing::items(one, other);
        let all: Vec<&(String, i64)> = other.all().collect();
        for (at, (name, number)) in one.all().enumerate() {
            match pairs[at].map(|place| (place, all[place])) {
                None => self.note(Changed::Removed, format!("the item {name}({number})")),
                Some((place, (now, other_number))) => {
                    if name != now {
                        self.note(Changed::Renamed, format!("the item {name}, now {now}"));
                    }
                    if number != other_number {
                        self.note(Changed::Number, format!("the item {name}({number}), now {other_number}"));
                    }
                    if (at < one.root.len()) != (place < other.root.len()) {
                        self.note(Changed::Region, format!("the item {name}"));
                    }
                }
            }
        }
        for (place, pair) in inverse(&pairs, all.len()).iter().enumerate() {
            if pair.is_none() {
                let (name, number) = all[place];
                let sort = if place < other.root.len() { "the item" } else { "after the extension marker, the item" };
                self.note(Changed::Added, format!("{sort} {name}({number})"));
            }
        }
    }

    fn named_bits(&mut self, one: &[(String, u64)], other: &[(String, u64)]) {
        for (name, at) in one {
            match other.iter().find(|(now, _)| now == name) {
                Some((_, place)) if place == at => {}
                Some((_, place)) => self.note(Changed::Number, format!("the named bit {name}({at}), now {place}")),
                None => {
                    match other.iter().find(|(now, place)| place == at && one.iter().all(|(name, _)| name != now)) {
                        Some((now, _)) => self.note(Changed::Renamed, format!("the named bit {name}, now {now}")),
                        None => self.note(Changed::Removed, format!("the named bit {name}({at})")),
                    }
                }
            }
        }
        for (name, at) in other {
            if one.iter().all(|(old, place)| old != name && place != at) {
                self.note(Changed::Added, format!("the named bit {name}({at})"));
            }
        }
    }

    fn ranges(&mut self, one: &IntegerRange, other: &IntegerRange) {
        self.marker(one.extensible, other.extensible);
        let lower = match (&one.lower, &other.lower) {
            (None, None) => 0,
            (None, Some(_)) => -1,
            (Some(_), None) => 1,
            (Some(one), Some(other)) => (one > other) as i32 - (one < other) as i32,
        };
        let upper = match (&one.upper, &other.upper) {
            (None, None) => 0,
            (None, Some(_)) => -1,
            (Some(_), None) => 1,
            (Some(one), Some(other)) => (one < other) as i32 - (one > other) as i32,
        };
        let text = |range: &IntegerRange| {
            let bound = |bound: &Option<roadwire_model::BigInt>, none: &str| {
                bound.as_ref().map_or(none.to_owned(), ToString::to_string)
            };
            format!("({}..{})", bound(&range.lower, "MIN"), bound(&range.upper, "MAX"))
        };
        self.bounds((lower, upper), format!("{}, now {}", text(one), text(other)));
    }

    fn sizes(&mut self, one: Size, other: Size) {
        self.marker(one.extensible, other.extensible);
        let ((lower, upper), (least, most)) = (one.root(), other.root());
        let grown = |from: u64, to: u64| (from < to) as i32 - (from > to) as i32;
        let text = |(lower, upper): (u64, u64)| match upper {
            _ if lower == upper => format!("SIZE({lower})"),
            u64::MAX => format!("SIZE({lower}..MAX)"),
            upper => format!("SIZE({lower}..{upper})"),
        };
        let (was, now) = (text(one.root()), text(other.root()));
        self.bounds((grown(least, lower), grown(upper, most)), format!("{was}, now {was_now}", was_now = now));
    }

    /// By how both bounds moved outwards (1), inwards (-1) or not at all.
    fn bounds(&mut self, moved: (i32, i32), detail: String) {
        match moved {
            (0, 0) => {}
            (0 | 1, 0 | 1) => self.note(Changed::Widened, detail),
            (0 | -1, 0 | -1) => self.note(Changed::Narrowed, detail),
            (..) => self.note(Changed::Moved, detail),
        }
    }

    fn alphabets(&mut self, one: Option<&Alphabet>, other: Option<&Alphabet>) {
        if one == other {
            return;
        }
        let all_in = |one: Option<&Alphabet>, other: Option<&Alphabet>| match (one, other) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(one), Some(other)) => {
                one.ranges.iter().all(|(first, last)| other.ranges.iter().any(|(from, to)| from <= first && last <= to))
            }
        };
        let sort = match (all_in(one, other), all_in(other, one)) {
            (true, _) => Changed::Widened,
            (false, true) => Changed::Narrowed,
            (false, false) => Changed::Moved,
        };
        self.note(sort, "the permitted alphabet".into());
    }

    fn marker(&mut self, was: bool, now: bool) {
        match (was, now) {
            (false, true) => self.note(Changed::MarkerAdded, String::new()),
            (true, false) => self.note(Changed::MarkerRemoved, String::new()),
            (true, true) | (false, false) => {}
        }
    }

    fn order(&mut self, pairs: &[Option<usize>], what: &str) {
        let places: Vec<usize> = pairs.iter().flatten().copied().collect();
        if !places.is_sorted() {
            self.note(Changed::Order, format!("the {what}"));
        }
    }

    fn within(&mut self, step: &str, differ: impl FnOnce(&mut Self)) {
        self.path.push(step.to_owned());
        differ(self);
        self.path.pop();
    }

    fn note(&mut self, changed: Changed, detail: String) {
        let path = self.path.join(".").replace(".[", "[");
        self.found.push(Change { path, changed, detail });
    }
}

fn described(component: &Component) -> String {
    let sort = match component.presence {
        Presence::Mandatory => "a mandatory component",
        Presence::Optional => "an optional component",
        Presence::Default(_) => "a component with a DEFAULT",
    };
    match component.field {
        Field::Root => sort.into(),
        Field::Addition => format!("{sort} after the extension marker"),
        Field::Group(_) => format!("{sort} in an addition group"),
    }
}
