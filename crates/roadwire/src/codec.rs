//! Codecs for one type under one set of rules: from octets or text to a value, and back.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use roadwire_layout::{Layout, LowerError, Rules, lower, value_notation};
use roadwire_model::check::{self, Proven, Violation};
use roadwire_model::{Model, TypeId, Value, order};
use roadwire_notation::{Notation, NotationError};
use roadwire_program::{Cursor, Program, Tape};
use roadwire_wire::Error;

use crate::open::OpenForms;
use crate::tapes::Desk;
use crate::{MOST, Schema, foreign, kept};

/// Reads and writes values of one type under one set of rules.
#[derive(Debug)]
pub struct Codec<'a> {
    pub(crate) model: Types<'a>,
    pub(crate) type_id: TypeId,
    pub(crate) rules: Rules,
    pub(crate) form: Form,
    pub(crate) strict: bool,
    pub(crate) open: OpenForms,
    /// Made when it is first needed; `None` if the type has none under these rules.
    program: OnceLock<Option<Program>>,
    /// The types whose constraints decoders check.
    pub(crate) proven: OnceLock<Proven>,
    pub(crate) desk: Desk,
}

/// The model of a codec's type.
#[derive(Debug)]
pub(crate) enum Types<'a> {
    Borrowed(&'a Model),
    Shared(Arc<Schema>),
}

impl Deref for Types<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        match self {
            Types::Borrowed(model) => model,
            Types::Shared(schema) => schema.model(),
        }
    }
}

/// How a type is read and written under one set of rules, without its model.
#[derive(Debug)]
pub(crate) enum Form {
    Jer(Box<Notation>),
    Layout(Box<Layout>),
}

impl Form {
    pub(crate) fn new(model: &Model, type_id: TypeId, rules: Rules) -> Result<Self, LowerError> {
        Ok(match rules {
            Rules::Jer => Form::Jer(Box::new(Notation::strict(model, type_id)?)),
            rules => Form::Layout(Box::new(lower(model, type_id, rules)?)),
        })
    }

    /// The value whose encoding is the whole input.
    pub(crate) fn decode(&self, model: &Model, type_id: TypeId, input: &[u8]) -> Result<Value, CodecError> {
        match self {
            Form::Jer(notation) => {
                let text =
                    std::str::from_utf8(input).map_err(|error| CodecError::NotUtf8 { at: error.valid_up_to() })?;
                let value = notation.read(text)?;
                broken(check::value(model, type_id, &value))?;
                Ok(value)
            }
            Form::Layout(layout) => {
                let mut value = Value::Unset;
                let bits = roadwire_engine::decode(layout, input, &mut value);
                whole(layout, input, bits)?;
                Ok(value)
            }
        }
    }

    /// Octets, or text without an end of line, of a value that satisfies all constraints.
    pub(crate) fn encode(&self, value: &Value) -> Result<Vec<u8>, CodecError> {
        match self {
            Form::Jer(notation) => Ok(notation.write(value)?.into_bytes()),
            // The position in the output is no help: the path shows which value it is.
            Form::Layout(layout) => {
                roadwire_engine::encode_to_vec(layout, value, MOST).map_err(|error| CodecError::of(&error, None))
            }
        }
    }
}

/// Refuses octets after a message.
pub(crate) fn whole(layout: &Layout, input: &[u8], bits: Result<usize, Error<'_>>) -> Result<(), CodecError> {
    let bits = bits.map_err(|error| CodecError::reading(layout, input, &error))?;
    CodecError::after(layout, input, bits).map_or(Ok(()), Err)
}

impl<'a> Codec<'a> {
    pub(crate) fn new(model: &'a Model, type_id: TypeId, rules: Rules) -> Result<Self, LowerError> {
        let form = Form::new(model, type_id, rules)?;
        Ok(Codec::of(Types::Borrowed(model), type_id, rules, form))
    }

    pub(crate) fn shared(schema: Arc<Schema>, type_id: TypeId, rules: Rules) -> Result<Self, LowerError> {
        let form = Form::new(schema.model(), type_id, rules)?;
        Ok(Codec::of(Types::Shared(schema), type_id, rules, form))
    }

    fn of(model: Types<'a>, type_id: TypeId, rules: Rules, form: Form) -> Self {
        let (open, program, proven) = (OpenForms::default(), OnceLock::new(), OnceLock::new());
        Codec { model, type_id, rules, form, strict: false, open, program, proven, desk: Desk::default() }
    }

    /// Accepts JSON text from other tools that JER does not allow, but that is unambiguous.
    ///
    /// # Errors
    /// As [`crate::Schema::codec`].
    pub fn lenient(mut self) -> Result<Self, LowerError> {
        if let Form::Jer(notation) = &mut self.form {
            **notation = Notation::new(&self.model, self.type_id)?;
        }
        Ok(self)
    }

    /// Accepts only the canonical encoding, and only values that satisfy all constraints. JER has
    /// no canonical form, so nothing changes for it.
    #[must_use]
    pub fn strict(self) -> Self {
        Codec { strict: true, ..self }
    }

    /// Decodes a value, whose encoding must be the whole input.
    ///
    /// # Errors
    /// The first fault, with its bit and its field.
    pub fn decode(&self, input: &[u8]) -> Result<Value, CodecError> {
        let layout = match &self.form {
            Form::Layout(layout) if self.strict => layout,
            form => return form.decode(&self.model, self.type_id, input),
        };
        let mut value = Value::Unset;
        let mut scratch = vec![0; input.len().saturating_mul(8) + 1024];
        let bits = roadwire_engine::decode_canonical(layout, input, &mut value, &mut scratch);
        whole(layout, input, bits)?;
        broken(order::violations(&self.model, self.type_id, &value))?;
        broken(check::constraints(&self.model, self.type_id, &value))?;
        Ok(value)
    }

    /// Decodes a value onto a tape, many times as fast as [`Codec::decode`]. Nothing for rules and
    /// for messages that programs do not take, and for those that `decode` refuses: it says why. A
    /// message with extension additions that the type does not know is none that programs take.
    #[must_use]
    pub fn decode_on<'t>(&'t self, tape: &'t mut Tape, input: &[u8]) -> Option<Cursor<'t>> {
        let layout = match &self.form {
            // The interpreter keeps the octets of contents that are not canonical.
            Form::Layout(layout) if !self.strict && !self.keeps_contents() => layout,
            _ => return None,
        };
        let program = self.program()?;
        let bits = program.decode(input, tape).ok()?;
        (layout.octets_of(bits) == input.len()).then(|| tape.root(program.frames()))
    }

    /// The same for values that keep all constraints, also those that a decoder does not check.
    #[must_use]
    pub fn decode_kept_on<'t>(&'t self, tape: &'t mut Tape, input: &[u8]) -> Option<Cursor<'t>> {
        self.decode_on(tape, input)?;
        self.keeps(tape, self.program()?).then(|| self.on(tape))?
    }

    /// The value that [`Codec::decode_on`] left on a tape.
    #[must_use]
    pub fn on<'t>(&'t self, tape: &'t Tape) -> Option<Cursor<'t>> {
        Some(tape.root(self.program()?.frames()))
    }

    /// Leaves all to the interpreter: it is what programs are compared with.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Codec { program: OnceLock::from(None), ..self }
    }

    /// Whether contents that are not canonical stay as they are.
    pub(crate) fn keeps_contents(&self) -> bool {
        matches!(self.rules, Rules::Der | Rules::Cer) && self.has_contents()
    }

    /// Whether there are strings with contents, or open types with a table. Text has none.
    pub(crate) fn has_contents(&self) -> bool {
        let Form::Layout(layout) = &self.form else { return false };
        *self.open.has_contents.get_or_init(|| layout.has_contents())
    }

    pub(crate) fn program(&self) -> Option<&Program> {
        let made = || match &self.form {
            Form::Layout(layout) => Program::new(&self.model, self.type_id, layout),
            Form::Jer(_) => {
                let layout = value_notation(&self.model, self.type_id, true).ok()?;
                Program::new(&self.model, self.type_id, &layout)
            }
        };
        self.program.get_or_init(made).as_ref()
    }

    /// Encodes a value as octets, or as text without an end of line.
    ///
    /// # Errors
    /// The first fault in the value, with its field; also any constraint that it breaks, even if
    /// the rules do not take it into account.
    pub fn encode(&self, value: &Value) -> Result<Vec<u8>, CodecError> {
        broken(check::constraints(&self.model, self.type_id, value))?;
        self.form.encode(value)
    }

    /// The same for human readers: JER has line breaks and indentation.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn encode_pretty(&self, value: &Value) -> Result<Vec<u8>, CodecError> {
        let Form::Jer(notation) = &self.form else { return self.encode(value) };
        broken(check::constraints(&self.model, self.type_id, value))?;
        Ok(notation.write_pretty(value)?.into_bytes())
    }

    /// The encoding rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }
}

/// The path of a part of the value that is octets of its original encoding, and has no meaning in
/// the other one: an unknown extension addition, or an open type with unknown content. (JER shows
/// such octets to human readers.)
#[must_use]
pub(crate) fn foreign(model: &Model, type_id: TypeId, value: &Value, from: Rules, to: Rules) -> Option<String> {
    if kept::mean_the_same(from, to) { None } else { foreign::find(model, type_id, value) }
}

pub(crate) fn broken(violations: Vec<Violation>) -> Result<(), CodecError> {
    if violations.is_empty() { Ok(()) } else { Err(CodecError::Broken(violations)) }
}

/// Why a value could not be decoded or encoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CodecError {
    /// The octets, or the value, violate the rules.
    Refused {
        /// Stable, such as `integer.range`.
        code: &'static str,
        /// The fault in words.
        message: String,
        /// Where in the input, when decoding.
        bit: Option<usize>,
        /// Line and column in characters, both from 1, when decoding text.
        line_column: Option<(usize, usize)>,
        /// In which field, from the outside in; empty for the message itself.
        path: String,
    },
    /// The text is not JER, or not of this type.
    Text(NotationError),
    /// The text is not UTF-8 from this octet on.
    NotUtf8 {
        /// The offset of this octet.
        at: usize,
    },
    /// Octets follow the message.
    Trailing {
        /// How many.
        octets: usize,
        /// Where they begin.
        bit: usize,
    },
    /// The value breaks constraints; at least one.
    Broken(Vec<Violation>),
    /// A part is octets of its original encoding, which the other one cannot represent.
    Foreign {
        /// The other encoding rules.
        to: Rules,
        /// In which field; empty for the message itself.
        path: String,
    },
    /// The type has no encoding under the rules.
    NoLayout(LowerError),
}

impl CodecError {
    /// An error of the interpreter, with the bit if that helps.
    #[must_use]
    pub fn of(error: &Error<'_>, bit: Option<usize>) -> Self {
        let (message, path) = (error.message().to_string(), error.path.to_string());
        CodecError::Refused { code: error.kind.code(), message, bit, line_column: None, path }
    }

    /// An error of the interpreter in this input; of text, also with line and column.
    #[must_use]
    pub fn reading(layout: &Layout, input: &[u8], error: &Error<'_>) -> Self {
        let place = layout.rules.is_text().then(|| error.line_and_column(input));
        match CodecError::of(error, Some(error.bit)) {
            CodecError::Refused { code, message, bit, path, .. } => {
                CodecError::Refused { code, message, bit, line_column: place, path }
            }
            other => other,
        }
    }

    /// The error if a message of `bits` bits does not use up its input.
    #[must_use]
    pub fn after(layout: &Layout, input: &[u8], bits: usize) -> Option<Self> {
        let used = layout.octets_of(bits);
        let octets = input.len().saturating_sub(used);
        (octets > 0).then_some(CodecError::Trailing { octets, bit: used * 8 })
    }

    /// Stable, such as `integer.range`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            CodecError::Refused { code, .. } => code,
            CodecError::Text(error) => error.code,
            CodecError::NotUtf8 { .. } => "json.utf8",
            CodecError::Trailing { .. } => "input.trailing",
            CodecError::Broken(violations) => violations.first().map_or("constraint.broken", |first| first.code),
            CodecError::Foreign { .. } => "additions.foreign",
            CodecError::NoLayout(_) => "type.no-layout",
        }
    }

    /// The code of an error of the interpreter.
    pub(crate) fn static_code(&self) -> &'static str {
        match self {
            CodecError::Refused { code, .. } => code,
            _ => "constraint.broken",
        }
    }

    /// The bit of the input, if the input is octets.
    #[must_use]
    pub fn bit(&self) -> Option<usize> {
        match self {
            CodecError::Refused { bit, .. } => *bit,
            CodecError::Trailing { bit, .. } => Some(*bit),
            CodecError::NotUtf8 { at } => Some(at * 8),
            CodecError::Text(_) | CodecError::Broken(_) | CodecError::Foreign { .. } | CodecError::NoLayout(_) => None,
        }
    }

    /// The line and the column in characters, both from 1, if the input is text.
    #[must_use]
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        match self {
            CodecError::Refused { line_column, .. } => *line_column,
            CodecError::Text(error) if error.line > 0 => Some((error.line, error.column)),
            _ => None,
        }
    }

    /// The field, from the outside in; empty for the message itself.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            CodecError::Refused { path, .. } | CodecError::Foreign { path, .. } => path,
            CodecError::Text(error) => &error.path,
            CodecError::Broken(violations) => violations.first().map_or("", |first| &first.path),
            CodecError::NotUtf8 { .. } | CodecError::Trailing { .. } | CodecError::NoLayout(_) => "",
        }
    }
}

impl CodecError {
    /// The fault in words, without the position.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            CodecError::Refused { message, .. } => message.clone(),
            CodecError::Text(error) => error.message.clone(),
            CodecError::NotUtf8 { at } => format!("octet {} is not UTF-8 text", at + 1),
            CodecError::Trailing { octets: 1, .. } => "1 octet follows the message".into(),
            CodecError::Trailing { octets, .. } => format!("{octets} octets follow the message"),
            CodecError::Broken(violations) => {
                violations.first().map_or_else(String::new, |first| first.message.clone())
            }
            CodecError::Foreign { to, .. } => {
                format!("a part that the schema does not know cannot be re-encoded in {to}")
            }
            CodecError::NoLayout(error) => error.message.clone(),
        }
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match (self, self.bit()) {
            (CodecError::Refused { line_column: Some((line, column)), .. }, Some(bit)) => {
                write!(f, ", at line {line}, column {column} (bit {bit})")?;
            }
            (_, Some(bit)) => write!(f, ", at bit {bit}")?,
            (_, None) => {}
        }
        if self.path().is_empty() { Ok(()) } else { write!(f, ", in {}", self.path()) }
    }
}

impl std::error::Error for CodecError {}

impl From<NotationError> for CodecError {
    fn from(error: NotationError) -> Self {
        CodecError::Text(error)
    }
}

impl From<LowerError> for CodecError {
    fn from(error: LowerError) -> Self {
        CodecError::NoLayout(error)
    }
}
