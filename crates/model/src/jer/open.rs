//! Open types: which type is inside, by the component that a table constraint links to (X.682 §10).

use roadwire_wire::Data;

use super::error::{Fault, Outcome};
use super::lexer::Token;
use super::names::clip;
use super::read::Reader;
use super::scalars;
use crate::link::{find, governing, select};
use crate::types::{Presence, Table, TypeId};
use crate::value::Value;

/// The member that holds octets where a value could be.
pub(super) const OCTETS: &str = "...";

/// A SEQUENCE or SET that is being read, and those around it.
pub(super) struct ReadScope<'s> {
    pub(super) outer: Option<&'s ReadScope<'s>>,
    pub(super) id: TypeId,
    /// The nodes of its components.
    pub(super) members: &'s [Option<usize>],
}

impl Reader<'_> {
    pub(super) fn open(
        &self,
        table: Option<&Table>,
        node: usize,
        place: &mut dyn Data,
        depth: usize,
        scope: Option<&ReadScope<'_>>,
    ) -> Outcome {
        if let Some(digits) = self.explicit_octets(node) {
            return self.open_octets(digits, node, place);
        }
        let row = match table {
            Some(table) => self.row(table, scope)?.and_then(|row| Some((row, table.rows.get(row)?.1))),
            None => None,
        };
        match (row, self.tape.token(node)) {
            (Some((row, inner)), _) => match place.choose(row) {
                Some(place) => self.value(inner, node, place, depth + 1, scope),
                None => {
                    let message = format!("the in-memory type takes an open type as {{\"{OCTETS}\": octets}}");
                    Err(self.fault(node, "value.mismatch", message))
                }
            },
            (None, Token::Text(_)) => self.open_octets(node, node, place),
            (None, _) => {
                let message =
                    "nothing tells the type inside this open type: give its octets, as hexadecimal digits in a string";
                Err(self.fault(node, "jer.open", message))
            }
        }
    }

    fn explicit_octets(&self, node: usize) -> Option<usize> {
        let mut members = match self.tape.token(node) {
            Token::Object => self.tape.members(node),
            _ => return None,
        };
        let (name, digits) = members.next()?;
        let alone = members.next().is_none() && matches!(self.tape.token(digits), Token::Text(_));
        (alone && self.tape.characters(name) == OCTETS).then_some(digits)
    }

    fn open_octets(&self, digits: usize, node: usize, place: &mut dyn Data) -> Outcome {
        let characters = self.tape.characters(digits);
        let octets = scalars::octets(&characters).map_err(|message| {
            let message = format!("the octets of an open type: {message} in \"{}\"", clip(&characters));
            self.fault(digits, "jer.hex", message)
        })?;
        self.fill_octets(node, place, &octets)
    }

    /// The row whose value the linked component has.
    fn row(&self, table: &Table, scope: Option<&ReadScope<'_>>) -> Outcome<Option<usize>> {
        let scopes = std::iter::successors(scope, |scope| scope.outer);
        let scope = governing(self.model, table, scopes, |scope| scope.id);
        let found = scope.and_then(|scope| self.linked(&table.link, scope));
        match found {
            None => Ok(None),
            Some((id, Linked::Default(value))) => Ok(select(self.model, table, id, value)),
            Some((id, Linked::Node(node))) => {
                let mut value = Value::Unset;
                // An error in it is told when the component itself is read.
                match self.value(id, node, &mut value, 0, None) {
                    Ok(()) => Ok(select(self.model, table, id, &value)),
                    Err(_) => Ok(None),
                }
            }
        }
    }

    fn linked(&self, link: &[String], scope: &ReadScope<'_>) -> Option<(TypeId, Linked<'_>)> {
        let (first, rest) = link.split_first()?;
        let (index, component) = find(self.model, scope.id, first)?;
        let mut id = component.type_id;
        let mut place = match (scope.members.get(index)?, &component.presence) {
            (Some(node), _) => Linked::Node(*node),
            (None, Presence::Default(value)) => Linked::Default(value),
            (None, _) => return None,
        };
        for name in rest {
            let (index, component) = find(self.model, id, name)?;
            place = match place {
                Linked::Default(Value::Sequence { components, .. }) => {
                    Linked::Default(components.get(index)?.as_ref()?)
                }
                Linked::Default(_) => return None,
                Linked::Node(node) if self.tape.token(node) == Token::Object => {
                    let member = self.tape.members(node).find(|(at, _)| self.tape.characters(*at) == *name);
                    match (member, &component.presence) {
                        (Some((_, member)), _) => Linked::Node(member),
                        (None, Presence::Default(value)) => Linked::Default(value),
                        (None, _) => return None,
                    }
                }
                Linked::Node(_) => return None,
            };
            id = component.type_id;
        }
        Some((id, place))
    }
}

enum Linked<'m> {
    Node(usize),
    Default(&'m Value),
}

/// What to say of an open type whose content is not of the type that its link selects.
pub(super) fn inconsistent() -> Box<Fault> {
    Fault::new("jer.open", "the value inside this open type is not of the type that its identifier selects")
}
