//! How deep a message's data lie, counted from the model: the 2015 study's Table III.
//!
//! The study counts "data sets (mandatory and optional)" by level, and nothing beneath an optional one. A component is one, on the level below what it is a component of; so are the alternatives of a CHOICE, which is
//! no level of its own: what the message has of it lies beside them. Elements of a list lie where the list does.

use roadwire_model::{Kind, Model, Presence, TypeId};
use roadwire_notation::Notation;
use roadwire_wire::Data;

use crate::content::Message;

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
    /// Counts what is in a value of this type, `level` being that of its parts.
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

    /// Counts what is in the alternative that a CHOICE has.
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
        // header and cam; five in them; four containers; two, the two kinds of the high-frequency container and what is in the first; and what is in these.
        let found = levels(Message::find("cam-mandatory").unwrap()).unwrap();
        assert_eq!(found, [2, 5, 4, 2 + 2 + 16, 16, 5]);
    }
}
