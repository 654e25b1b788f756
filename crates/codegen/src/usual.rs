//! Usual values of a message: which optional components most recorded messages have, and which alternatives.

use std::collections::{BTreeMap, HashMap};

use roadwire_model::{Field, Kind, Model, Presence, TypeId, Value};

use crate::types::canonical;

/// A part of a type: an optional component that is present, or an alternative that is chosen, by its index in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// A SEQUENCE, SET or CHOICE.
    pub type_id: TypeId,
    /// The component or alternative.
    pub index: usize,
}

impl Part {
    /// Finds `Type.component` or `Type.alternative`.
    #[must_use]
    pub fn find(model: &Model, text: &str) -> Option<Self> {
        let (type_name, part) = text.rsplit_once('.')?;
        let type_id = canonical(model, model.find(type_name)?);
        let index = match &model.get(type_id).kind {
            Kind::Sequence { components, .. } => components.iter().position(|one| one.name == part),
            Kind::Choice { alternatives, .. } => alternatives.iter().position(|one| one.name == part),
            _ => None,
        };
        Some(Part { type_id, index: index? })
    }
}

/// The parts of the commonest pattern among values of type `root`, and how many values have it. Without parts, plain values are the commonest.
/// Values with extension additions do not count, nor do those in which two values of one type have different parts: straight-line code for a pattern takes neither.
pub fn commonest<'v>(model: &Model, root: TypeId, values: impl IntoIterator<Item = &'v Value>) -> (Vec<Part>, usize) {
    let mut counts: BTreeMap<Vec<Part>, usize> = BTreeMap::new();
    for value in values {
        let mut pattern = Pattern { model, types: HashMap::new() };
        if pattern.add(root, value).is_some() {
            let mut parts: Vec<Part> = pattern.types.into_values().flatten().collect();
            parts.sort_unstable();
            *counts.entry(parts).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).unwrap_or_default()
}

/// The parts that the types in a value have.
struct Pattern<'m> {
    model: &'m Model,
    types: HashMap<TypeId, Vec<Part>>,
}

impl Pattern<'_> {
    /// `None` if the value has no pattern.
    fn add(&mut self, id: TypeId, value: &Value) -> Option<()> {
        let type_id = canonical(self.model, id);
        match (&self.model.get(type_id).kind, value) {
            (Kind::Sequence { components, .. }, Value::Sequence { components: values, unknown }) => {
                let mut parts = Vec::new();
                for (index, (component, value)) in components.iter().zip(values).enumerate() {
                    let Some(value) = value else { continue };
                    match &component.presence {
                        Presence::Default(default) if default == value => continue,
                        Presence::Optional | Presence::Default(_) => parts.push(Part { type_id, index }),
                        Presence::Mandatory => {}
                    }
                    (component.field == Field::Root).then_some(())?;
                    self.add(component.type_id, value)?;
                }
                unknown.is_empty().then(|| self.agree(type_id, parts))?
            }
            (Kind::Choice { alternatives, .. }, Value::Choice(index, value)) => {
                let index = *index as usize;
                let chosen = alternatives.get(index).filter(|one| !one.addition)?;
                self.add(chosen.type_id, value)?;
                self.agree(type_id, if index == 0 { Vec::new() } else { vec![Part { type_id, index }] })
            }
            (Kind::SequenceOf { element, .. }, Value::List(values)) => {
                values.iter().try_for_each(|value| self.add(*element, value))
            }
            (_, Value::UnknownChoice(_)) => None,
            _ => Some(()),
        }
    }

    /// Whether this is the first value of a type, or has the same parts.
    fn agree(&mut self, type_id: TypeId, parts: Vec<Part>) -> Option<()> {
        (*self.types.entry(type_id).or_insert_with(|| parts.clone()) == parts).then_some(())
    }
}
