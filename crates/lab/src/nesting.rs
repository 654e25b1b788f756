//! The nesting depth of a message's data, counted from the model: the 2015 study's Table III.
//!
//! The study counts "data sets (mandatory and optional)" by level, and nothing beneath an optional
//! one. A component counts as one, on the level below its parent; so do the alternatives of a
//! CHOICE, which is not a separate level: the content of its alternative is on their level.
//! Elements of a list are on the list's level.

use roadwire_model::{Kind, Model, Presence, TypeId};
use roadwire_notation::Notation;
use roadwire_wire::Data;

use roadwire_peers::content::Message;

/// The number of data sets on each level of the message, from the top.
///
/// # Errors
/// None that a message of the studies should have.
pub fn levels(message: &Message) -> Result<Vec<usize>, String> {
    let (model, root) = message.schema.model()?;
    let notation = Notation::new(&model, root).map_err(|error| error.to_string())?;
    let value = notation.read(&message.jer()).map_err(|error| error.to_string())?;
    let mut tree = Tree { model: &model, levels: Vec::new() };
    tree.count(root, &value, 0);
    Ok(tree.levels)
}

struct Tree<'m> {
    model: &'m Model,
    levels: Vec<usize>,
}

impl Tree<'_> {
    /// Counts the content of a value of this type; `level` is that of its parts.
    fn count(&mut self, id: TypeId, value: &dyn Data, level: usize) {
        match &self.model.get(id).kind {
            Kind::Sequence { components, .. } => {
                self.add(level, components.len());
                for (index, component) in components.iter().enumerate() {
                    match value.component(index) {
                        Some(part) if component.presence == Presence::Mandatory => {
                            self.count(component.type_id, part, level + 1);
                        }
                        _ => {}
                    }
                }
            }
            Kind::Choice { alternatives, .. } => {
                self.add(level, alternatives.len());
                self.chosen(id, value, level);
            }
            Kind::SequenceOf { element, .. } => {
                let elements = (0..value.length().unwrap_or(0)).filter_map(|index| value.element(index));
                match &self.model.get(*element).kind {
                    Kind::Choice { alternatives, .. } => {
                        self.add(level, alternatives.len());
                        elements.for_each(|one| self.chosen(*element, one, level));
                    }
                    // All have the same components.
                    _ => elements.take(1).for_each(|one| self.count(*element, one, level)),
                }
            }
            _ => {}
        }
    }

    /// Counts the content of a CHOICE's alternative.
    fn chosen(&mut self, id: TypeId, value: &dyn Data, level: usize) {
        if let (Kind::Choice { alternatives, .. }, Some((index, part))) =
            (&self.model.get(id).kind, value.alternative())
        {
            self.count(alternatives[index].type_id, part, level);
        }
    }

    fn add(&mut self, level: usize, sets: usize) {
        if sets > 0 {
            self.levels.resize(self.levels.len().max(level + 1), 0);
            self.levels[level] += sets;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cams_data_are_counted_from_the_top() {
        // header and cam; five in them; four containers; two, the two kinds of the high-frequency
        // container and what is in the first; and what is in these.
        let found = levels(Message::find("cam-mandatory").unwrap()).unwrap();
        assert_eq!(found, [2, 5, 4, 2 + 2 + 16, 16, 5]);
    }

    /// An optional part counts itself, and nothing beneath it does.
    #[test]
    fn what_is_beneath_an_optional_part_is_not_counted() {
        let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a B, b B OPTIONAL } B ::= SEQUENCE { x NULL, y NULL } END";
        let model = roadwire_frontend::compile(&[roadwire_frontend::Source::new("m.asn", text)]).unwrap().model;
        let root = model.find("A").unwrap();
        let part = r#"{"x":null,"y":null}"#;
        let value = Notation::new(&model, root).unwrap().read(&format!(r#"{{"a":{part},"b":{part}}}"#)).unwrap();
        let mut tree = Tree { model: &model, levels: Vec::new() };
        tree.count(root, &value, 0);
        assert_eq!(tree.levels, [2, 2]);
    }
}
