//! When two values are the same.

use roadwire_layout::Rules;
use roadwire_model::data::equal;
use roadwire_model::{Kind, Model, TimeKind, TypeId, Value};
use roadwire_wire::{Path, Step};

use crate::schema::Subject;

impl Subject {
    /// Whether two values are the same as far as an encoding tells: DER, CER, OER and canonical XER put the elements of a SET OF, and some of them what they do not know
    /// of a SET, into an order of their own (X.690 §9.3, §10.3, §11.6, X.693 §9, X.696 §31.8), and times into a form of their own (§11.7, §11.8).
    pub(crate) fn same(&self, rules: Rules, one: &Value, other: &Value) -> bool {
        let (model, root) = (self.model(), self.root());
        // Written down and read, a value has no components at their DEFAULT.
        let ordered = |value: &Value| {
            let mut value = self.notation().read(&self.notation().write(value).ok()?).ok()?;
            order(model, root, &mut value);
            Some(value)
        };
        equal(model, root, one, other)
            || matches!(rules, Rules::Der | Rules::Cer | Rules::Cxer | Rules::Oer | Rules::Coer)
                && ordered(one).zip(ordered(other)).is_some_and(|(one, other)| equal(model, root, &one, &other))
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

/// Puts what has an order that tells nothing into some order, and takes times out: their forms are told apart by the octets alone.
fn order(model: &Model, id: TypeId, value: &mut Value) {
    match (&model.get(id).kind, value) {
        (Kind::Time { kind: TimeKind::Utc | TimeKind::Generalized, .. }, Value::Text(text)) => text.clear(),
        (Kind::Sequence { set, components, .. }, Value::Sequence { components: values, unknown }) => {
            if *set {
                unknown.sort_by_cached_key(|one| one.octets.clone());
                (0..).zip(unknown).for_each(|(index, one)| one.index = index);
            }
            for (component, value) in components.iter().zip(values) {
                value.iter_mut().for_each(|value| order(model, component.type_id, value));
            }
        }
        (Kind::SequenceOf { set, element, .. }, Value::List(elements)) => {
            elements.iter_mut().for_each(|one| order(model, *element, one));
            if *set {
                elements.sort_by_cached_key(|one| format!("{one:?}"));
            }
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).into_iter().for_each(|one| order(model, one.type_id, value));
        }
        (Kind::External(inner), value) => order(model, *inner, value),
        _ => {}
    }
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
