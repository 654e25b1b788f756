//! Reading.

use roadwire_wire::{Data, Scalar, Shape, Unknown};

use super::error::{Fault, JerError, Outcome, Within};
use super::lexer::{Tape, Token};
use super::names::{clip, hint};
use super::open::ReadScope;
use crate::types::{Alternative, Component, Field, Kind, Model, Presence, TypeId};
use crate::value::Value;

/// How a JER text is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether a member that an extensible type does not know is an error. Otherwise it is ignored, as in a value of a later version.
    pub strict: bool,
}

/// Reads a value of type `id`.
///
/// # Errors
/// Where the text is not JSON, or not of that type. Constraints are not checked.
///
/// # Panics
/// On a type id of another model.
pub fn read(model: &Model, id: TypeId, text: &str) -> Result<Value, JerError> {
    let mut value = Value::Unset;
    read_into(model, id, text, &mut value)?;
    Ok(value)
}

/// Reads a value of type `id` into anything that can hold one. After an error, part of it may have been filled.
///
/// # Errors
/// As [`read`], and where `place` cannot hold the value.
///
/// # Panics
/// On a type id of another model.
pub fn read_into(model: &Model, id: TypeId, text: &str, place: &mut dyn Data) -> Result<(), JerError> {
    read_with(model, id, text, &Options::default(), place)
}

/// As [`read_into`], with options.
///
/// # Errors
/// As [`read_into`].
///
/// # Panics
/// On a type id of another model.
pub fn read_with(
    model: &Model,
    id: TypeId,
    text: &str,
    options: &Options,
    place: &mut dyn Data,
) -> Result<(), JerError> {
    let mut fill = || {
        let tape = Tape::read(text)?;
        Reader { model, tape: &tape, options }.value(id, 0, place, 0, None)
    };
    fill().map_err(|fault: Box<Fault>| fault.into_error(text))
}

pub(super) struct Reader<'r> {
    pub(super) model: &'r Model,
    pub(super) tape: &'r Tape<'r>,
    options: &'r Options,
}

impl Reader<'_> {
    /// Fills `place` with the value at `node`, `depth` levels down.
    pub(super) fn value(
        &self,
        id: TypeId,
        node: usize,
        place: &mut dyn Data,
        depth: usize,
        scope: Option<&ReadScope<'_>>,
    ) -> Outcome {
        if depth > Value::MAX_DEPTH {
            let message = format!("nested deeper than the limit of {} levels", Value::MAX_DEPTH);
            return Err(self.fault(node, "limit.depth", message));
        }
        match &self.model.get(id).kind {
            Kind::Null => match self.tape.token(node) {
                Token::Null => self.set(node, place, Scalar::Null),
                _ => Err(self.mismatch(node, "null")),
            },
            Kind::Boolean => match self.tape.token(node) {
                Token::Boolean(value) => self.set(node, place, Scalar::Boolean(value)),
                _ => Err(self.mismatch(node, "true or false")),
            },
            Kind::Integer { .. } => self.integer(node, place),
            Kind::Enumerated(items) => self.enumerated(items, node, place),
            Kind::Real => self.real(node, place),
            Kind::BitString { size, .. } => self.bit_string(*size, node, place),
            Kind::OctetString { .. } => {
                let octets = self.hexadecimal(node)?;
                self.fill_octets(node, place, &octets)
            }
            Kind::ObjectIdentifier => self.oid(node, place, false),
            Kind::RelativeOid => self.oid(node, place, true),
            Kind::Iri { .. } | Kind::String { .. } | Kind::Time(_) => self.text(node, place),
            Kind::Sequence { components, extensible, .. } => {
                self.sequence((id, components, *extensible), node, place, depth, scope)
            }
            Kind::SequenceOf { element, .. } => self.list(*element, node, place, depth, scope),
            Kind::Choice { alternatives, extensible } => {
                self.choice(alternatives, *extensible, node, place, depth, scope)
            }
            Kind::Open { table } => self.open(table.as_ref(), node, place, depth, scope),
            Kind::External(inner) => self.value(*inner, node, place, depth, scope),
        }
    }

    fn sequence(
        &self,
        (id, components, extensible): (TypeId, &[Component], bool),
        node: usize,
        place: &mut dyn Data,
        depth: usize,
        outer: Option<&ReadScope<'_>>,
    ) -> Outcome {
        if self.tape.token(node) != Token::Object {
            return Err(self.mismatch(node, "an object"));
        }
        let mut members: Vec<Option<usize>> = vec![None; components.len()];
        let mut unknown: Vec<(Unknown, usize)> = Vec::new();
        for (name, member) in self.tape.members(node) {
            let characters = self.tape.characters(name);
            match components.iter().position(|component| component.name == characters) {
                Some(index) => {
                    if members[index].replace(member).is_some() {
                        let message = format!("`{characters}` is there twice");
                        return Err(self.fault(name, "jer.member.duplicate", message));
                    }
                }
                None => match unknown_index(&characters) {
                    Some(index) if extensible && index >= known_additions(components) => {
                        let octets = self.hexadecimal(member).within(&characters)?;
                        unknown.push((Unknown { index, octets }, name));
                    }
                    None if extensible && !self.options.strict => {}
                    _ => {
                        let known = components.iter().map(|component| component.name.as_str());
                        let message =
                            format!("there is no component `{}`{}", clip(&characters), hint(&characters, known));
                        return Err(self.fault(name, "jer.member.unknown", message));
                    }
                },
            }
        }
        self.check_presence(components, &members, node)?;
        if !place.begin(Shape::Record(components.len())) {
            return Err(self.unfit(node));
        }
        let scope = ReadScope { outer, id, members: &members };
        for (index, (component, member)) in components.iter().zip(&members).enumerate() {
            let Some(member) = *member else { continue };
            let fill = match place.component_mut(index) {
                Some(inner) => self.value(component.type_id, member, inner, depth + 1, Some(&scope)),
                None => Err(self.unfit(member)),
            };
            fill.within(&component.name)?;
        }
        unknown.sort_by_key(|(unknown, _)| unknown.index);
        let mut before = None;
        for (unknown, name) in unknown {
            let this = Some(unknown.index);
            if before == this {
                return Err(self.fault(name, "jer.member.duplicate", "this extension addition is there twice"));
            }
            before = this;
            if !place.keep(unknown) {
                return Err(self.fault(
                    name,
                    "value.mismatch",
                    "the in-memory type keeps no unknown extension additions",
                ));
            }
        }
        Ok(())
    }

    /// Root components without OPTIONAL or DEFAULT are there; those of an addition group, if any of the group is
    /// (X.680 §25.12). A single addition may be absent in a value of an earlier version.
    fn check_presence(&self, components: &[Component], members: &[Option<usize>], node: usize) -> Outcome {
        for (component, member) in components.iter().zip(members) {
            let needed = match component.field {
                Field::Root => true,
                Field::Addition => false,
                Field::Group(_) => {
                    let mut both = components.iter().zip(members);
                    both.any(|(other, member)| other.field == component.field && member.is_some())
                }
            };
            if needed && member.is_none() && component.presence == Presence::Mandatory {
                let message = format!("mandatory component `{}` is absent", component.name);
                return Err(self.fault(node, "component.missing", message)).within(&component.name);
            }
        }
        Ok(())
    }

    fn list(
        &self,
        element: TypeId,
        node: usize,
        place: &mut dyn Data,
        depth: usize,
        scope: Option<&ReadScope<'_>>,
    ) -> Outcome {
        if self.tape.token(node) != Token::Array {
            return Err(self.mismatch(node, "an array"));
        }
        if !place.begin(Shape::List) {
            return Err(self.unfit(node));
        }
        for (index, child) in self.tape.children(node).enumerate() {
            let Some(inner) = place.push() else {
                let message = format!("the in-memory type has no room for more than {index} elements");
                return Err(self.fault(child, "size.capacity", message));
            };
            self.value(element, child, inner, depth + 1, scope).within_element(index)?;
        }
        Ok(())
    }

    fn choice(
        &self,
        alternatives: &[Alternative],
        extensible: bool,
        node: usize,
        place: &mut dyn Data,
        depth: usize,
        scope: Option<&ReadScope<'_>>,
    ) -> Outcome {
        let mut members = match self.tape.token(node) {
            Token::Object => self.tape.members(node),
            _ => return Err(self.mismatch(node, "an object with one member, the alternative")),
        };
        let (Some((name, member)), None) = (members.next(), members.next()) else {
            return Err(self.fault(node, "jer.choice", "a CHOICE has one member, the alternative"));
        };
        let characters = self.tape.characters(name);
        if let Some(index) = alternatives.iter().position(|alternative| alternative.name == characters) {
            let fill = match place.choose(index) {
                Some(inner) => self.value(alternatives[index].type_id, member, inner, depth + 1, scope),
                None => Err(self.unfit(member)),
            };
            return fill.within(&characters);
        }
        let additions = alternatives.iter().filter(|alternative| alternative.addition).count();
        match unknown_index(&characters) {
            Some(index) if extensible && index as usize >= additions => {
                let octets = self.hexadecimal(member).within(&characters)?;
                match place.keep(Unknown { index, octets }) {
                    true => Ok(()),
                    false => Err(self.fault(name, "value.mismatch", "the in-memory type keeps no unknown alternative")),
                }
            }
            _ => {
                let known = alternatives.iter().map(|alternative| alternative.name.as_str());
                let message = format!("there is no alternative `{}`{}", clip(&characters), hint(&characters, known));
                Err(self.fault(name, "jer.choice", message))
            }
        }
    }

    pub(super) fn fault(&self, node: usize, code: &'static str, message: impl Into<String>) -> Box<Fault> {
        Fault::at(self.tape.offset(node), code, message)
    }

    pub(super) fn mismatch(&self, node: usize, expected: &str) -> Box<Fault> {
        let found = match self.tape.token(node) {
            Token::Null => "null".to_owned(),
            Token::Boolean(value) => value.to_string(),
            Token::Number => clip(self.tape.raw(node)),
            Token::Text(_) => format!("the string \"{}\"", clip(self.tape.raw(node))),
            Token::Array => "an array".to_owned(),
            Token::Object => "an object".to_owned(),
        };
        self.fault(node, "value.mismatch", format!("expected {expected}, found {found}"))
    }

    pub(super) fn unfit(&self, node: usize) -> Box<Fault> {
        self.fault(node, "value.mismatch", "the in-memory type cannot hold this")
    }
}

/// N of the reserved name `...N`.
pub(super) fn unknown_index(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("...")?;
    let canonical = digits == "0" || !digits.starts_with(['0', '+']);
    digits.parse().ok().filter(|_| canonical)
}

/// How many extension additions a SEQUENCE or SET has; a group counts as one.
pub(crate) fn known_additions(components: &[Component]) -> u32 {
    let single = components.iter().filter(|component| component.field == Field::Addition).count();
    let groups = components.iter().filter_map(|component| match component.field {
        Field::Group(index) => Some(index + 1),
        _ => None,
    });
    groups.max().unwrap_or(0) + single as u32
}
