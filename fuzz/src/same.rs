//! Equality of two values.

use roadwire_layout::{Family, Rules};
use roadwire_model::data::equal;
use roadwire_model::{Kind, Model, Presence, TimeKind, TypeId, Value};
use roadwire_wire::{Path, Step};

use crate::subject::Subject;

impl Subject {
    /// Whether two values are the same as far as an encoding shows: DER, CER, OER, canonical XER
    /// and CBOR sort the elements of a SET OF, and some of them the unknown additions of a SET
    /// (X.690 §9.3, §10.3, §11.6, X.693 §9, X.696 §31.8), and convert times to a canonical form
    /// (§11.7, §11.8). If a time is a record of numbers, a fraction's comma becomes a point, and a
    /// duration's numbers lose leading zeros.
    pub(crate) fn same(&self, rules: Rules, one: &Value, other: &Value) -> bool {
        let (model, root) = (self.model(), self.root());
        // After writing and reading, a value has no components at their DEFAULT.
        let ordered = matches!(rules, Rules::Der | Rules::Cer | Rules::Cxer | Rules::Oer | Rules::Coer | Rules::Cbor);
        let normal = |value: &Value| {
            let mut value = self.notation().read(&self.notation().write(value).ok()?).ok()?;
            normalize(model, root, &mut value, ordered);
            Some(value)
        };
        // A value that cannot be written as text has a time whose form some encodings do not check:
        // it has no canonical form either.
        equal(model, root, one, other)
            || (ordered || rules.family() == Family::Packed)
                && normal(one).zip(normal(other)).is_none_or(|(one, other)| equal(model, root, &one, &other))
    }

    /// Whether a field is in a string that contains a type: with values it is decoded as this type;
    /// generated types keep its octets.
    pub(crate) fn is_contained(&self, path: &Path<'_>) -> bool {
        let mut id = self.root();
        let shown = path.to_string();
        for step in path.steps() {
            let inner = match (&self.model().get(id).kind, step) {
                (Kind::Sequence { components, .. }, Step::Name(name)) => {
                    components.iter().find(|one| one.name == name).map(|one| one.type_id)
                }
                (Kind::Choice { alternatives, .. }, Step::Name(name)) => {
                    alternatives.iter().find(|one| one.name == name).map(|one| one.type_id)
                }
                (Kind::SequenceOf { element, .. }, Step::Index(_)) => Some(*element),
                (Kind::External(inner), _) => Some(*inner),
                _ => None,
            };
            let Some(inner) = inner else { break };
            id = inner;
        }
        // The outermost steps of a long path are missing and cannot be followed.
        self.model().get(id).kind.contained().is_some() || shown.starts_with('…')
    }
}

/// Normalises a TIME by its numbers. If the rules sort elements, sorts everything whose order has
/// no meaning, and removes times: their forms can only be compared by octets.
fn normalize(model: &Model, id: TypeId, value: &mut Value, ordered: bool) {
    match (&model.get(id).kind, value) {
        (kind, Value::Choice(0, value)) if kind.contained().is_some() => {
            kind.contained().into_iter().for_each(|content| normalize(model, content, value, ordered));
        }
        (Kind::Time { kind: TimeKind::Utc | TimeKind::Generalized, .. }, Value::Text(text)) if ordered => text.clear(),
        (Kind::Time { .. }, Value::Text(text)) => *text = plain(text),
        (Kind::Sequence { set, components, .. }, Value::Sequence { components: values, unknown }) => {
            if *set && ordered {
                unknown.sort_by_cached_key(|one| one.octets.clone());
                (0..).zip(unknown).for_each(|(index, one)| one.index = index);
            }
            for (component, value) in components.iter().zip(values) {
                let is_time = matches!(model.get(component.type_id).kind, Kind::Time { .. });
                if ordered && is_time && matches!(component.presence, Presence::Default(_)) {
                    // Canonical XER includes a DEFAULT, and in a canonical form.
                    *value = None;
                }
                value.iter_mut().for_each(|value| normalize(model, component.type_id, value, ordered));
            }
        }
        (Kind::SequenceOf { set, element, .. }, Value::List(elements)) => {
            elements.iter_mut().for_each(|one| normalize(model, *element, one, ordered));
            if *set && ordered {
                elements.sort_by_cached_key(|one| format!("{one:?}"));
            }
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).into_iter().for_each(|one| normalize(model, one.type_id, value, ordered));
        }
        (Kind::External(inner), value) => normalize(model, *inner, value, ordered),
        _ => {}
    }
}

/// A time with a point before its fraction, durations without leading zeros, and a difference to
/// UTC without minutes if they are zero.
fn plain(text: &str) -> String {
    let (text, mut plain) = (without_minutes(&text.replace(',', ".")), String::new());
    let (mut in_duration, mut before) = (false, ' ');
    for (at, one) in text.char_indices() {
        in_duration = one == 'P' || in_duration && one != '/';
        let next_is_digit = text[at + one.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        if in_duration && one == '0' && next_is_digit && !before.is_ascii_digit() && before != '.' {
            continue;
        }
        plain.push(one);
        before = one;
    }
    plain
}

/// Whether a value contains an open type with octets, whose type a key may select.
pub(crate) fn holds_octets(model: &Model, id: TypeId, value: &Value) -> bool {
    any_open(model, id, value, |_, value| is_octets(value))
}

/// Whether a value contains an open type that was decoded as the type that its key selects, or a
/// string whose content was decoded.
pub(crate) fn holds_content(model: &Model, id: TypeId, value: &Value) -> bool {
    any_open(model, id, value, |_, value| !is_octets(value))
}

/// Whether a value contains a string whose content was decoded.
pub(crate) fn holds_contained(model: &Model, id: TypeId, value: &Value) -> bool {
    any_open(model, id, value, |kind, value| kind.contained().is_some() && !is_octets(value))
}

fn is_octets(value: &Value) -> bool {
    matches!(value, Value::OctetString(_) | Value::BitString { .. })
}

fn any_open(model: &Model, id: TypeId, value: &Value, is: fn(&Kind, &Value) -> bool) -> bool {
    match (&model.get(id).kind, value) {
        (kind @ Kind::Open { table: Some(_) }, value) => is(kind, value),
        (kind, value) if kind.contained().is_some() => is(kind, value),
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) => {
            components.iter().zip(values).any(|(component, value)| {
                value.as_ref().is_some_and(|value| any_open(model, component.type_id, value, is))
            })
        }
        (Kind::SequenceOf { element, .. }, Value::List(elements)) => {
            elements.iter().any(|one| any_open(model, *element, one, is))
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).is_some_and(|one| any_open(model, one.type_id, value, is))
        }
        (Kind::External(inner), value) => any_open(model, *inner, value, is),
        _ => false,
    }
}

/// `-10:00` as `-10`: as numbers, a difference with zero minutes has no minutes.
fn without_minutes(text: &str) -> String {
    let mut parts = text.split(":00");
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_hours =
            |hours: &str| hours.starts_with(['+', '-']) && hours[1..].bytes().all(|one| one.is_ascii_digit());
        let is_difference = all.len() >= 3 && all.is_char_boundary(all.len() - 3) && is_hours(&all[all.len() - 3..]);
        if !is_difference || part.starts_with([':', '.']) {
            all += ":00";
        }
        all += part;
    }
    all
}
