//! Codecs for the command line, with its error reports.

use roadwire::{Check, Checked, Codec, CodecError, Rules};
use roadwire_layout::{Layout, LowerError, lower};
use roadwire_model::check::{self, Violation};
use roadwire_model::{Model, TypeId, Value};

use crate::args::InputArgs;
use crate::failure::{Failure, Place};
use crate::input;
use crate::schema::Schema;

/// The codec of a type.
///
/// # Errors
/// A type that has no encoding under the rules, or rules without a canonical form where one is
/// required.
pub(crate) fn codec(
    schema: &Schema,
    type_id: TypeId,
    rules: Rules,
    lenient: bool,
    strict: bool,
) -> Result<Codec<'_>, Failure> {
    if strict && rules == Rules::Jer {
        return Err(Failure::usage("rules.not-canonical", "jer has no canonical form to hold the input to"));
    }
    let codec = schema.schema.codec(type_id, rules);
    let codec = if lenient { codec.and_then(Codec::lenient) } else { codec };
    let codec = codec.map_err(|error| no_layout(rules, &error))?;
    Ok(if strict { codec.strict() } else { codec })
}

/// A value from its encoding.
pub(crate) fn decode(codec: &Codec<'_>, bytes: &[u8]) -> Result<Value, Failure> {
    codec.decode(bytes).map_err(|error| refused(bytes, error))
}

/// The other encoding of a value, and the constraints that it breaks.
pub(crate) fn convert(
    from: &Codec<'_>,
    to: &Codec<'_>,
    bytes: &[u8],
    check: Check,
) -> Result<Checked<Vec<u8>>, Failure> {
    from.convert_checked(to, bytes, check).map_err(|error| refused(bytes, error))
}

/// The failure for an error of a decoder or an encoder.
fn refused(bytes: &[u8], error: CodecError) -> Failure {
    match error {
        CodecError::Refused { bit: Some(_), .. } => {
            failure(error).advise("check the type and the version; `roadwire inspect` shows the bits before the error")
        }
        CodecError::NotUtf8 { at } => not_utf8(bytes, at),
        error => failure(error),
    }
}

/// The value of an input.
///
/// # Errors
/// An input that cannot be read or decoded.
pub(crate) fn decode_input(codec: &Codec<'_>, args: &InputArgs) -> Result<Value, Failure> {
    let bytes = if codec.rules().is_text() { input::read_value(&args.input)? } else { input::octets(args)? };
    let value = decode(codec, &bytes).map_err(|failure| input::of_message(&bytes, failure));
    value.map_err(|failure| failure.in_file(&input::display_name(&args.input)))
}

/// The value of an input, for commands that write it under other rules.
///
/// # Errors
/// An input that cannot be read or decoded, with parts that have no other encoding, or of a value
/// that breaks a constraint.
pub(crate) fn read_value(schema: &Schema, type_id: TypeId, from: Rules, args: &InputArgs) -> Result<Value, Failure> {
    let value = decode_input(&codec(schema, type_id, from, false, false)?, args)?;
    let checked = is_for_other_rules(schema, type_id, &value);
    checked.map_err(|failure| failure.in_file(&input::display_name(&args.input)))?;
    Ok(value)
}

/// Refuses a value with parts that have no other encoding, or that breaks a constraint.
pub(crate) fn is_for_other_rules(schema: &Schema, type_id: TypeId, value: &Value) -> Result<(), Failure> {
    if let Some(path) = schema.schema.foreign_part(type_id, value) {
        return Err(Failure::refused("additions.foreign", "what the schema does not know here has no other encoding")
            .at(Place { path: Some(path).filter(|path| !path.is_empty()), ..Place::default() })
            .advise("a later version of the schema may know it"));
    }
    keeps_constraints(schema.model(), type_id, value)
}

/// A value's encoding; `pretty` for human readers.
pub(crate) fn encode(codec: &Codec<'_>, value: &Value, pretty: bool) -> Result<Vec<u8>, Failure> {
    let octets = if pretty { codec.encode_pretty(value) } else { codec.encode(value) };
    octets.map_err(failure)
}

/// Refuses a value with parts that have no meaning in another encoding.
pub(crate) fn can_carry(
    schema: &roadwire::Schema,
    type_id: TypeId,
    value: &Value,
    from: &Codec<'_>,
    to: &Codec<'_>,
) -> Result<(), Failure> {
    schema.can_carry(type_id, value, from.rules(), to.rules()).map_err(failure)
}

/// Refuses a value that breaks a constraint that encoding rules do not take into account.
pub(crate) fn keeps_constraints(model: &Model, type_id: TypeId, value: &Value) -> Result<(), Failure> {
    let violations = check::constraints(model, type_id, value);
    if violations.is_empty() { Ok(()) } else { Err(broken(&violations)) }
}

/// The layout of a type.
pub(crate) fn layout(model: &Model, type_id: TypeId, rules: Rules) -> Result<Layout, Failure> {
    lower(model, type_id, rules).map_err(|error| no_layout(rules, &error))
}

/// The failure of a type that has no encoding under the rules.
pub(crate) fn no_layout(rules: Rules, error: &LowerError) -> Failure {
    Failure::usage("type.no-layout", format!("the type has no {rules} encoding: {error}"))
}

/// The failure for an error: what, where, and what to do.
pub(crate) fn failure(error: CodecError) -> Failure {
    let path = Some(error.path().to_owned()).filter(|path| !path.is_empty());
    let (line, column) = error.line_and_column().map(|(line, column)| (line as u64, column as u64)).unzip();
    let place = Place { bit: error.bit(), path, line, column, ..Place::default() };
    match error {
        CodecError::Broken(violations) => broken(&violations),
        CodecError::Text(error) => {
            let failure = Failure::refused(error.code, error.message).at(place);
            if error.code.starts_with("json.") {
                return failure.advise("jer is JSON text; if the input is in another encoding, say so with --from");
            }
            failure
        }
        error => {
            let (code, what, advice) = (error.code().to_owned(), error.what(), advice(&error));
            let failure = Failure::refused(code, what).at(place);
            if advice.is_empty() { failure } else { failure.advise(advice) }
        }
    }
}

fn advice(error: &CodecError) -> &'static str {
    match error {
        CodecError::Trailing { .. } => "check the type and the version, and whether there are several messages",
        CodecError::Foreign { .. } => "a later version of the schema may know it; --to jer shows the octets",
        _ => "",
    }
}

/// Constraints that a value breaks: the first, and the others as help.
fn broken(violations: &[Violation]) -> Failure {
    const SHOWN: usize = 4;
    let Some((first, others)) = violations.split_first() else { return Failure::told() };
    let path = (!first.path.is_empty()).then(|| first.path.clone());
    let failure = Failure::refused(first.code, first.message.clone()).at(Place { path, ..Place::default() });
    if others.is_empty() {
        return failure;
    }
    let mut also: Vec<String> = others.iter().take(SHOWN).map(ToString::to_string).collect();
    if others.len() > SHOWN {
        also.push(format!("and {} more", others.len() - SHOWN));
    }
    failure.advise(format!("also: {}", also.join("; ")))
}

fn not_utf8(bytes: &[u8], at: usize) -> Failure {
    let before = bytes.get(..at).unwrap_or_default();
    let line = before.iter().filter(|&&c| c == b'\n').count() as u64 + 1;
    Failure::refused("json.utf8", CodecError::NotUtf8 { at }.what())
        .at(Place { line: Some(line), column: Some(1), ..Place::default() })
        .advise("values are JSON text; are these octets of another encoding (--from)?")
}
