//! One type under one set of rules, whatever those are: octets or text to a value and back.

use roadwire_engine as engine;
use roadwire_layout::{Layout, LowerError, Rules, lower};
use roadwire_model::{Model, TypeId, Value, check, order};
use roadwire_notation::{Notation, NotationError};
use roadwire_wire::Error;

use crate::failure::{Failure, Place};
use crate::input::MAX_INPUT;

/// Reads and writes values of one type under one set of rules.
pub(crate) struct Codec<'a> {
    model: &'a Model,
    type_id: TypeId,
    form: Form,
}

enum Form {
    Jer(Box<Notation>),
    /// `strict`: the canonical encoding alone.
    Layout {
        layout: Box<Layout>,
        strict: bool,
    },
}

impl<'a> Codec<'a> {
    /// Prepares it.
    ///
    /// # Errors
    /// A type that has no encoding under the rules.
    pub(crate) fn new(
        model: &'a Model,
        type_id: TypeId,
        rules: Rules,
        lenient: bool,
        strict: bool,
    ) -> Result<Self, Failure> {
        let form = match rules {
            Rules::Jer if strict => {
                return Err(Failure::usage("rules.not-canonical", "jer has no canonical form to hold the input to"));
            }
            Rules::Jer => {
                let notation = if lenient { Notation::new } else { Notation::strict };
                Form::Jer(Box::new(notation(model, type_id).map_err(|error| no_layout(rules, &error))?))
            }
            _ => Form::Layout { layout: Box::new(layout(model, type_id, rules)?), strict },
        };
        Ok(Codec { model, type_id, form })
    }

    /// A value from its encoding, all of which must be used up.
    pub(crate) fn decode(&self, bytes: &[u8]) -> Result<Value, Failure> {
        match &self.form {
            Form::Jer(notation) => {
                let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
                let value = notation.read(text).map_err(jer_failure)?;
                match broken(&check::value(self.model, self.type_id, &value)) {
                    None => Ok(value),
                    Some(failure) => Err(failure),
                }
            }
            Form::Layout { layout, strict } => {
                let mut value = Value::Unset;
                let decoded = if *strict {
                    engine::decode_canonical(
                        layout,
                        bytes,
                        &mut value,
                        &mut vec![0; bytes.len().saturating_mul(8) + 1024],
                    )
                } else {
                    engine::decode(layout, bytes, &mut value)
                };
                let bits = decoded.map_err(|error| {
                    refusal(&error, Some(error.bit))
                        .advise("is it another type or version? `roadwire inspect` shows every bit up to there")
                })?;
                let found = after(layout, bytes, bits);
                let content = || {
                    broken(&order::violations(self.model, self.type_id, &value))
                        .or_else(|| broken(&check::constraints(self.model, self.type_id, &value)))
                };
                match found.or_else(|| if *strict { content() } else { None }) {
                    None => Ok(value),
                    Some(failure) => Err(failure),
                }
            }
        }
    }

    /// A value's encoding: octets, or text without an end of line. `pretty` is for people.
    ///
    /// # Errors
    /// A value that breaks a constraint, whether or not the rules see it.
    pub(crate) fn encode(&self, value: &Value, pretty: bool) -> Result<Vec<u8>, Failure> {
        keeps_constraints(self.model, self.type_id, value)?;
        match &self.form {
            Form::Jer(notation) => {
                let text = if pretty { notation.write_pretty(value) } else { notation.write(value) };
                text.map(String::into_bytes).map_err(jer_failure)
            }
            Form::Layout { layout, .. } => {
                // Where the output had got to helps nobody: the path says where the value is.
                engine::encode_to_vec(layout, value, MAX_INPUT).map_err(|error| refusal(&error, None))
            }
        }
    }
}

/// Refuses a value that breaks a constraint that no encoding sees.
pub(crate) fn keeps_constraints(model: &Model, type_id: TypeId, value: &Value) -> Result<(), Failure> {
    match broken(&check::constraints(model, type_id, value)) {
        None => Ok(()),
        Some(failure) => Err(failure),
    }
}

/// The layout of a type.
pub(crate) fn layout(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, Failure> {
    lower(model, type_id, rules).map_err(|error| no_layout(rules, &error))
}

fn no_layout(rules: Rules, error: &LowerError) -> Failure {
    Failure::usage("type.no-layout", format!("the type has no {rules} encoding: {error}"))
}

/// Octets that follow a message are told, not dropped.
pub(crate) fn after(layout: &Layout, bytes: &[u8], bits: usize) -> Option<Failure> {
    let used = layout.lengths.octets(bits);
    let left = bytes.len().saturating_sub(used);
    (left > 0).then(|| {
        let what = if left == 1 {
            "1 octet follows the message".to_owned()
        } else {
            format!("{left} octets follow the message")
        };
        Failure::refused("input.trailing", what)
            .at(Place { bit: Some(used * 8), ..Place::default() })
            .advise("is it another type or version, or are there several messages?")
    })
}

/// What a codec found, with bit offset and field path.
pub(crate) fn refusal(error: &Error<'_>, bit: Option<usize>) -> Failure {
    let path = (!error.path.is_empty()).then(|| error.path.to_string());
    Failure::refused(error.kind.code(), error.kind.to_string()).at(Place { bit, path, ..Place::default() })
}

fn jer_failure(error: NotationError) -> Failure {
    let number = |number: usize| (number > 0).then_some(number as u64);
    let failure = Failure::refused(error.code, error.message).at(Place {
        path: (!error.path.is_empty()).then_some(error.path),
        line: number(error.line),
        column: number(error.column),
        ..Place::default()
    });
    if error.code.starts_with("json.") {
        return failure.advise("jer is JSON text; if the input is in another encoding, say so with --from");
    }
    failure
}

/// Constraints that a value breaks: the first, and the others as help.
fn broken(violations: &[check::Violation]) -> Option<Failure> {
    const SHOWN: usize = 4;
    let (first, others) = violations.split_first()?;
    let path = (!first.path.is_empty()).then(|| first.path.clone());
    let failure = Failure::refused(first.code, first.message.clone()).at(Place { path, ..Place::default() });
    if others.is_empty() {
        return Some(failure);
    }
    let mut also: Vec<String> = others.iter().take(SHOWN).map(ToString::to_string).collect();
    if others.len() > SHOWN {
        also.push(format!("and {} more", others.len() - SHOWN));
    }
    Some(failure.advise(format!("also: {}", also.join("; "))))
}

fn not_utf8(bytes: &[u8], at: usize) -> Failure {
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.iter().filter(|&&c| c == b'\n').count() as u64 + 1;
    Failure::refused("json.utf8", format!("octet {} is not UTF-8 text", at + 1))
        .at(Place { line: Some(line), column: Some(1), ..Place::default() })
        .advise("values are JSON text; are these octets of another encoding (--from)?")
}
