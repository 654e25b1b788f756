//! Whether what a reader has read is what was written.

use std::collections::HashMap;

use roadwire_model::data::equal;
use roadwire_model::{Component, Kind, Presence, TypeId, Value};

use crate::outcome::Outcomes;
use crate::pairing::{Pairings, Versions, inverse, plain, same_kind};

/// The outcome of a value for a reader: [`Outcomes::AGREES`], [`Outcomes::SKIPS`] or
/// [`Outcomes::MISREADS`], and where it was misread.
pub(crate) fn judge(
    pairings: &Pairings<'_>,
    ids: (TypeId, TypeId),
    written: &Value,
    read: &Value,
) -> (Outcomes, String) {
    let versions = pairings.versions;
    let mut judge = Judge { pairings, versions, path: Vec::new(), misread: None, known: HashMap::new() };
    let outcome = judge.value(ids, written, read);
    (outcome, judge.misread.unwrap_or_default())
}

struct Judge<'p, 'm> {
    pairings: &'p Pairings<'m>,
    versions: Versions<'m>,
    path: Vec<String>,
    misread: Option<String>,
    /// Outcomes for pairs of elements of sets, by their addresses: without them a set in a set
    /// takes exponential time.
    known: HashMap<(*const Value, *const Value), Outcomes>,
}

impl<'m> Judge<'_, 'm> {
    fn value(&mut self, (from, to): (TypeId, TypeId), written: &Value, read: &Value) -> Outcomes {
        let (from, to) = (plain(self.versions.from, from), plain(self.versions.to, to));
        let (one, other) = (&self.versions.from.get(from).kind, &self.versions.to.get(to).kind);
        if !same_kind(one, other) {
            return self.misread();
        }
        if let (Some(one), Some(other), Value::Choice(0, written), Value::Choice(0, read)) =
            (one.contained(), other.contained(), written, read)
        {
            return self.value((one, other), written, read);
        }
        match (one, other, written, read) {
            (
                Kind::Sequence { components: one, .. },
                Kind::Sequence { components: other, .. },
                Value::Sequence { components: written, .. },
                Value::Sequence { components: read, .. },
            ) => self.record((one, other), &self.pairings.of((from, to)), written, read),
            (
                Kind::SequenceOf { element: one, set, .. },
                Kind::SequenceOf { element: other, .. },
                Value::List(written),
                Value::List(read),
            ) => self.list((*one, *other), *set, written, read),
            (
                Kind::Choice { alternatives: one, .. },
                Kind::Choice { alternatives: other, .. },
                Value::Choice(at, written),
                read,
            ) => {
                let pair = self.pairings.of((from, to)).get(*at as usize).copied().flatten();
                match (pair, read) {
                    (Some(place), Value::Choice(chosen, read)) if *chosen as usize == place => {
                        let ids = (one[*at as usize].type_id, other[place].type_id);
                        self.within(&one[*at as usize].name, |judge| judge.value(ids, written, read))
                    }
                    (None, Value::UnknownChoice(_)) => Outcomes::SKIPS,
                    _ => self.misread(),
                }
            }
            (Kind::Enumerated(_), Kind::Enumerated(other), Value::Enumerated(written), Value::Enumerated(read)) => {
                let pair = self.pairings.of((from, to)).get(*written as usize).copied().flatten();
                match pair {
                    Some(place) if place == *read as usize => Outcomes::AGREES,
                    None if *read as usize >= other.all().count() => Outcomes::SKIPS,
                    _ => self.misread(),
                }
            }
            (Kind::Open { table: one }, Kind::Open { table: other }, written, read) => {
                match (one, other, written, read) {
                    (Some(one), Some(other), Value::Choice(row, written), Value::Choice(chosen, read)) => {
                        let pair = self.pairings.of((from, to)).get(*row as usize).copied().flatten();
                        match pair {
                            Some(place) if place == *chosen as usize => {
                                self.value((one.rows[*row as usize].1, other.rows[place].1), written, read)
                            }
                            _ => self.misread(),
                        }
                    }
                    (_, _, Value::Choice(..), _) | (_, _, _, Value::Choice(..)) => Outcomes::SKIPS,
                    (_, _, written, read) if written == read => Outcomes::AGREES,
                    _ => self.misread(),
                }
            }
            (
                Kind::BitString { named: one, .. },
                Kind::BitString { named: other, .. },
                Value::BitString { octets, bits },
                Value::BitString { octets: read, bits: count },
            ) => {
                let (mut octets, has_names) = (moved(one, other, octets, *bits), !(one.is_empty() && other.is_empty()));
                let mut read = read.clone();
                for octets in [&mut octets, &mut read] {
                    octets.truncate(octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last + 1));
                }
                if octets == read && (has_names || bits == count) { Outcomes::AGREES } else { self.misread() }
            }
            (_, _, written, read) if equal(self.versions.to, to, written, read) => Outcomes::AGREES,
            _ => self.misread(),
        }
    }

    fn record(
        &mut self,
        (one, other): (&'m [Component], &'m [Component]),
        pairs: &[Option<usize>],
        written: &[Option<Value>],
        read: &[Option<Value>],
    ) -> Outcomes {
        let mut all = Outcomes::AGREES;
        for (at, pair) in pairs.iter().enumerate() {
            let written = written.get(at).and_then(Option::as_ref);
            let outcome = match pair {
                None if written.is_some() => Outcomes::SKIPS,
                None => Outcomes::AGREES,
                Some(place) => {
                    let read = read.get(*place).and_then(Option::as_ref);
                    self.within(&one[at].name, |judge| judge.component((&one[at], &other[*place]), written, read))
                }
            };
            all = all.then(outcome);
        }
        for (place, pair) in inverse(pairs, other.len()).iter().enumerate() {
            let made_up = pair.is_none().then(|| read.get(place).and_then(Option::as_ref)).flatten();
            let is_default = |value: &Value| match &other[place].presence {
                Presence::Default(default) => equal(self.versions.to, other[place].type_id, default, value),
                Presence::Mandatory | Presence::Optional => false,
            };
            if made_up.is_some_and(|value| !is_default(value)) {
                all = all.then(self.within(&other[place].name, Judge::misread));
            }
        }
        all
    }

    fn component(
        &mut self,
        (one, other): (&Component, &Component),
        written: Option<&Value>,
        read: Option<&Value>,
    ) -> Outcomes {
        let has_been_read = read.is_some();
        let (written, read) = (written.or(default(one)), read.or(default(other)));
        let ids = (one.type_id, other.type_id);
        let has_place = same_kind(
            &self.versions.from.get(plain(self.versions.from, ids.0)).kind,
            &self.versions.to.get(plain(self.versions.to, ids.1)).kind,
        );
        match (written, read) {
            (None, None) => Outcomes::AGREES,
            // Absent, and the reader has a DEFAULT for that.
            (None, Some(value)) => match default(other) {
                Some(default) if equal(self.versions.to, ids.1, default, value) => Outcomes::AGREES,
                _ => self.misread(),
            },
            (Some(_), None) if !has_place => Outcomes::SKIPS,
            (Some(_), None) => self.misread(),
            (Some(_), Some(_)) if !has_place && !has_been_read => Outcomes::SKIPS,
            (Some(written), Some(read)) => self.value(ids, written, read),
        }
    }

    /// The elements of a SET OF have no order.
    fn list(&mut self, ids: (TypeId, TypeId), set: bool, written: &[Value], read: &[Value]) -> Outcomes {
        if written.len() != read.len() {
            return self.misread();
        }
        let mut all = Outcomes::AGREES;
        let mut left: Vec<&Value> = read.iter().collect();
        for (at, written) in written.iter().enumerate() {
            let before = self.misread.clone();
            let found = match set {
                false => Some(0),
                true => (0..left.len()).find(|place| self.element(ids, written, left[*place]) != Outcomes::MISREADS),
            };
            self.misread = before;
            let read = left.remove(found.unwrap_or(0));
            let outcome = self.within(&format!("[{at}]"), |judge| match found.filter(|_| set) {
                Some(_) => judge.element(ids, written, read),
                None => judge.value(ids, written, read),
            });
            all = all.then(outcome);
        }
        all
    }

    /// An element of a set, which may be compared with several.
    fn element(&mut self, ids: (TypeId, TypeId), written: &Value, read: &Value) -> Outcomes {
        let pair = (std::ptr::from_ref(written), std::ptr::from_ref(read));
        if let Some(outcome) = self.known.get(&pair) {
            return *outcome;
        }
        let outcome = self.value(ids, written, read);
        self.known.insert(pair, outcome);
        outcome
    }

    fn within(&mut self, step: &str, judge: impl FnOnce(&mut Self) -> Outcomes) -> Outcomes {
        self.path.push(step.to_owned());
        let outcome = judge(self);
        self.path.pop();
        outcome
    }

    fn misread(&mut self) -> Outcomes {
        self.misread.get_or_insert_with(|| self.path.join(".").replace(".[", "["));
        Outcomes::MISREADS
    }
}

fn default(component: &Component) -> Option<&Value> {
    match &component.presence {
        Presence::Default(value) => Some(value),
        Presence::Mandatory | Presence::Optional => None,
    }
}

/// A bit string whose named bits are where the other type has those names.
pub(crate) fn moved(from: &[(String, u64)], to: &[(String, u64)], octets: &[u8], bits: usize) -> Vec<u8> {
    let place = |at: u64| match from.iter().find(|(_, place)| *place == at) {
        Some((name, _)) => to.iter().find(|(other, _)| other == name).map_or(at, |(_, place)| *place),
        None => at,
    };
    let mut all = vec![0_u8; octets.len()];
    for at in 0..bits as u64 {
        if octets.get(at as usize / 8).is_some_and(|octet| octet & 0x80 >> (at % 8) != 0) {
            let to = place(at) as usize;
            if all.len() <= to / 8 {
                all.resize((to / 8 + 1).min(1 << 20), 0);
            }
            if let Some(octet) = all.get_mut(to / 8) {
                *octet |= 0x80 >> (to % 8);
            }
        }
    }
    all
}
