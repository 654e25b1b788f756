//! Usual values of a message: which optional components most recorded messages have, and which
//! alternatives.

use std::collections::{BTreeMap, HashMap, HashSet};

use roadwire_model::{Field, Kind, Model, Presence, TypeId, Value};

use crate::types::{Types, canonical};

/// A part of a type: an optional component that is present, or an alternative that is chosen, by
/// its index in the model.
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

/// The parts of the commonest pattern among values of type `root`, and how many values have it.
/// Without parts, plain values are the commonest. Values with extension additions do not count, nor
/// do those in which two values of one type have different parts: straight-line code for a pattern
/// takes neither.
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

impl<'m> Types<'m> {
    /// Whether usual messages have this component or alternative.
    pub(crate) fn is_usual(&self, id: TypeId, index: usize) -> bool {
        self.options.usual.contains(&Part { type_id: self.canonical(id), index })
    }

    /// Whether usual messages have an optional part in this type, outside its optional parts.
    pub(crate) fn has_usual_parts(&self, root: TypeId) -> bool {
        let (mut open, mut seen) = (vec![self.canonical(root)], HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if self.options.usual.iter().any(|part| part.type_id == id) {
                return true;
            }
            match self.kind(id) {
                Kind::Sequence { components, .. } => {
                    let mandatory = components.iter().filter(|one| one.presence == Presence::Mandatory);
                    open.extend(mandatory.map(|one| self.canonical(one.type_id)));
                }
                Kind::Choice { alternatives, .. } => {
                    open.extend(alternatives.first().map(|one| self.canonical(one.type_id)))
                }
                Kind::SequenceOf { element, .. } => open.push(self.canonical(*element)),
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use roadwire_frontend::{Source, compile};
    use roadwire_notation::Notation;

    use super::*;

    const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { a INTEGER (0..9) DEFAULT 1, b BOOLEAN OPTIONAL, c C OPTIONAL, d SEQUENCE OF B, ..., e NULL }
        B ::= SEQUENCE { f NULL OPTIONAL }
        C ::= CHOICE { g NULL, h BOOLEAN, ..., i NULL } END";

    fn usual(values: &[&str]) -> (Vec<String>, usize) {
        let model = compile(&[Source::new("m.asn", MODULE)]).unwrap().model;
        let root = model.find("A").unwrap();
        let notation = Notation::new(&model, root).unwrap();
        let values: Vec<Value> = values.iter().map(|text| notation.read(text).unwrap()).collect();
        let (parts, have) = commonest(&model, root, &values);
        let all = ["A.a", "A.b", "A.c", "A.e", "B.f", "C.h", "C.i"];
        let names = all.iter().filter(|name| parts.contains(&Part::find(&model, name).unwrap()));
        (names.map(|name| (*name).to_owned()).collect(), have)
    }

    #[test]
    fn the_commonest_pattern_wins() {
        let (with, without) = (r#"{"a":2,"b":true,"d":[]}"#, r#"{"d":[{}]}"#);
        assert_eq!(usual(&[with, without, with]), (vec!["A.a".into(), "A.b".into()], 2));
        assert_eq!(usual(&[without, without, with]), (vec![], 2));
        assert_eq!(usual(&[r#"{"a":1,"d":[]}"#]), (vec![], 1), "a DEFAULT that is written out");
        assert_eq!(usual(&[r#"{"c":{"h":true},"d":[]}"#]), (vec!["A.c".into(), "C.h".into()], 1));
        assert_eq!(usual(&[r#"{"c":{"g":null},"d":[]}"#]), (vec!["A.c".into()], 1), "the first alternative");
        assert_eq!(usual(&[r#"{"d":[{"f":null},{"f":null}]}"#]), (vec!["B.f".into()], 1));
    }

    #[test]
    fn values_without_a_pattern_do_not_count() {
        for value in [r#"{"d":[{"f":null},{}]}"#, r#"{"d":[],"e":null}"#, r#"{"c":{"i":null},"d":[]}"#] {
            assert_eq!(usual(&[value]), (vec![], 0), "{value}");
        }
    }
}
