//! When two values are the same.

use roadwire_layout::Rules;
use roadwire_model::data::equal;
use roadwire_model::{Kind, Model, Presence, TimeKind, TypeId, Value};
use roadwire_wire::{Path, Step};

use crate::schema::Subject;

impl Subject {
    /// Whether two values are the same as far as an encoding tells: DER, CER, OER and canonical XER put the elements of a SET OF, and some of them what they do not know
    /// of a SET, into an order of their own (X.690 §9.3, §10.3, §11.6, X.693 §9, X.696 §31.8), and times into a form of their own (§11.7, §11.8). Where a time is a
    /// record of numbers, a fraction's comma comes back as a point, and a duration's numbers without zeros in front.
    pub(crate) fn same(&self, rules: Rules, one: &Value, other: &Value) -> bool {
        let (model, root) = (self.model(), self.root());
        // Written down and read, a value has no components at their DEFAULT.
        let ordered = matches!(rules, Rules::Der | Rules::Cer | Rules::Cxer | Rules::Oer | Rules::Coer);
        let normal = |value: &Value| {
            let mut value = self.notation().read(&self.notation().write(value).ok()?).ok()?;
            normalize(model, root, &mut value, ordered);
            Some(value)
        };
        // What cannot be written down has a time whose form some encodings do not look at: it has no form of its own, either.
        equal(model, root, one, other)
            || (ordered || matches!(rules, Rules::Uper | Rules::Aper))
                && normal(one).zip(normal(other)).is_none_or(|(one, other)| equal(model, root, &one, &other))
    }

    /// Whether a field is in an open type that a key selects the type of: over values it is read as that type; generated types keep its octets.
    pub(crate) fn is_in_open(&self, path: &Path<'_>) -> bool {
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
        // Of a long path the outermost steps are not there to be followed.
        matches!(self.model().get(id).kind, Kind::Open { table: Some(_) }) || shown.starts_with('…')
    }
}

/// Writes a TIME as its numbers say. Where the rules have an order of their own, puts what has an order that tells nothing into some order, and takes times out: their forms are told
/// apart by the octets alone.
fn normalize(model: &Model, id: TypeId, value: &mut Value, ordered: bool) {
    match (&model.get(id).kind, value) {
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
                    // Canonical XER writes a DEFAULT down, and in a form of its own.
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

/// A time with a point before its fraction, durations without zeros in front of their numbers, and a difference to UTC without its minutes where they are none.
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

/// Whether a value has an open type in it that holds octets where a key may select its type.
pub(crate) fn holds_octets(model: &Model, id: TypeId, value: &Value) -> bool {
    any_open(model, id, value, |value| matches!(value, Value::OctetString(_)))
}

/// Whether a value has an open type in it that was read as the type that its key selects.
pub(crate) fn holds_content(model: &Model, id: TypeId, value: &Value) -> bool {
    any_open(model, id, value, |value| !matches!(value, Value::OctetString(_)))
}

fn any_open(model: &Model, id: TypeId, value: &Value, is: fn(&Value) -> bool) -> bool {
    match (&model.get(id).kind, value) {
        (Kind::Open { table }, value) => table.is_some() && is(value),
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

/// `-10:00` as `-10`: as numbers, a difference of no minutes has none.
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
