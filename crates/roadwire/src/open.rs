//! Reading values that break constraints, with a list of what they break, and writing them.

use std::collections::HashMap;
use std::sync::OnceLock;

use roadwire_engine::{Item, Limits, Listener, What, decode_with};
use roadwire_layout::Layout;
use roadwire_model::check::{self, Offending, Proven};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::{ErrorKind, Step, Unexpected};

use crate::MOST;
use crate::codec::{Codec, CodecError, Form, broken, whole};

/// Which constraints refuse a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// All of its type.
    #[default]
    All,
    /// Those that the encoding needs in order to be read or written. Every other one that the value
    /// breaks is a [`Violation`].
    Encoding,
    /// The same, and violations are not looked for.
    None,
}

/// A constraint that a decoded value breaks, although its encoding can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The field, from the outside in; empty for the message itself.
    pub path: String,
    /// The bit of the message at which the field begins, counted from 0; `None` if the field takes
    /// no bits or the input is JER.
    pub at: Option<usize>,
    /// The number or text that breaks the constraint; for a size, how many units there are. `None`
    /// if the field has parts itself.
    pub value: Option<Offending>,
    /// The constraint in ASN.1 notation, such as `(-160..161)`.
    pub constraint: String,
    /// The error's identity, as of a decoder that refuses the value: `integer.range`, for example.
    pub code: &'static str,
    /// The message, in one line.
    pub message: String,
}

/// A decoded value, and the constraints that it breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked<T> {
    /// The value, or its other encoding.
    pub value: T,
    /// In the order of the type's components. Empty with [`Check::All`] and [`Check::None`].
    pub violations: Vec<Violation>,
}

/// A layout whose contents are octets, made of one of these.
#[derive(Clone, Copy)]
enum Closed {
    WithConstraints,
    Reading,
    Writing,
}

/// Layouts for values that break constraints, made when they are needed.
#[derive(Debug, Default)]
pub(crate) struct OpenForms {
    reading: OnceLock<Box<Layout>>,
    writing: OnceLock<Box<Layout>>,
    /// With contents as octets, by [`Closed`].
    closed: [OnceLock<Box<Layout>>; 3],
    notation: OnceLock<Option<Box<Notation>>>,
    notation_of_parts: OnceLock<Option<Box<Notation>>>,
    proven: OnceLock<Proven>,
    /// Whether the layout has contents: to see it, all of its nodes are looked at.
    pub(crate) has_contents: OnceLock<bool>,
}

impl Codec<'_> {
    /// Decodes a value whose encoding must be the whole input, under the constraints that `check`
    /// names. A [strict](Codec::strict) codec checks all.
    ///
    /// An item that an ENUMERATED does not have is an unknown item with its number (in PER, its
    /// index); a content ([CONTAINING](roadwire_model::Kind), or an open type) that does not fit
    /// its type, or in DER and CER is not encoded as it would be written, stays as octets.
    ///
    /// ```
    /// use roadwire::{Check, Rules, Schema, Source};
    ///
    /// let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a INTEGER (0..5), b BOOLEAN } END";
    /// let schema = Schema::compile(vec![Source::new("demo.asn", module)]).unwrap();
    /// let codec = schema.codec(schema.find(None).unwrap(), Rules::Uper).unwrap();
    /// assert_eq!(codec.decode(&[0xf0]).unwrap_err().code(), "integer.range");
    /// let read = codec.decode_checked(&[0xf0], Check::Encoding).unwrap();
    /// assert_eq!(read.violations[0].to_string(), "value 7 above 5 (range 0..5), at bit 0, in a");
    /// assert_eq!(codec.encode_checked(&read.value, Check::Encoding).unwrap(), [0xf0]);
    /// ```
    ///
    /// # Errors
    /// A message that cannot be read to its end: its first fault, which may be a constraint.
    pub fn decode_checked(&self, input: &[u8], check: Check) -> Result<Checked<Value>, CodecError> {
        let Read { checked, fault } = self.read(input, check)?;
        fault.map_or(Ok(checked), Err)
    }

    /// As [`Codec::decode_checked`]; where a CHOICE has an index that none of its alternatives has,
    /// and nothing says how long it is (PER, OER), what comes before it. Then the last violation
    /// has the code `choice.index`, says where the value ends, and has the index. The value lacks
    /// the CHOICE, and components that follow it. It is for people: no encoding but JER can carry
    /// it.
    ///
    /// # Errors
    /// As [`Codec::decode_checked`].
    pub fn decode_shown(&self, input: &[u8], check: Check) -> Result<Checked<Value>, CodecError> {
        Ok(self.read(input, check)?.checked)
    }

    fn read(&self, input: &[u8], check: Check) -> Result<Read, CodecError> {
        let checked = match &self.form {
            _ if check == Check::All || self.strict => Checked { value: self.decode(input)?, violations: Vec::new() },
            Form::Jer(notation) => self.read_text(notation, input, check)?,
            Form::Layout(layout) => return self.read_octets(layout, input, check),
        };
        Ok(Read { checked, fault: None })
    }

    /// Encodes a value as octets, or as text without an end of line, under the constraints that
    /// `check` names.
    ///
    /// # Errors
    /// As [`Codec::encode`]; with [`Check::Encoding`] only values for which the encoding has no
    /// room.
    pub fn encode_checked(&self, value: &Value, check: Check) -> Result<Vec<u8>, CodecError> {
        if check == Check::All {
            return self.encode(value);
        }
        self.form.encode(value).or_else(|refused| match &self.form {
            Form::Jer(_) => {
                self.open_notation().and_then(|open| open.write(value).ok()).map(String::into_bytes).ok_or(refused)
            }
            Form::Layout(layout) => {
                let open = self.open.writing(layout);
                roadwire_engine::encode_to_vec(open, value, MOST).map_err(|error| CodecError::of(&error, None))
            }
        })
    }

    /// Converts a value to the encoding of another codec of the same type. Under the same rules,
    /// the octets of contents stay as they are. To JER, a message whose end cannot be read is what
    /// [comes before](Codec::decode_shown).
    ///
    /// # Errors
    /// As [`Codec::decode_checked`] and [`Codec::encode_checked`]; a part that the other encoding
    /// cannot carry. With [`Check::All`], to other rules: a content of DER or CER that is not
    /// encoded as it would be written, for its octets would be others.
    pub fn convert_checked(&self, to: &Codec<'_>, input: &[u8], check: Check) -> Result<Checked<Vec<u8>>, CodecError> {
        if let Some(value) = self.convert_on_tape(to, input) {
            return Ok(Checked { value, violations: Vec::new() });
        }
        let Read { checked: Checked { mut value, violations }, fault } = self.read(input, check)?;
        let has_kept = match &self.form {
            Form::Layout(layout) if check == Check::All && self.rules != to.rules => {
                self.keep_contents(layout, input, &mut value)
            }
            _ => false,
        };
        if has_kept {
            let kept = check::decoded(&self.model, self.type_id, &value).into_iter();
            broken(kept.filter(|one| one.code == check::CONTENT).collect())?;
        }
        if let Some(path) = crate::codec::foreign(&self.model, self.type_id, &value, self.rules, to.rules) {
            return Err(CodecError::Foreign { to: to.rules, path });
        }
        if let Some(fault) = fault {
            let text = to.notation_of_parts().and_then(|notation| notation.write(&value).ok());
            return Ok(Checked { value: text.ok_or(fault)?.into_bytes(), violations });
        }
        let octets = match self.with_octets_as_they_are(to, input, check) {
            Some(octets) => {
                if check == Check::All {
                    broken(check::constraints(&self.model, self.type_id, &value))?;
                }
                octets
            }
            None => to.encode_checked(&value, check)?,
        };
        Ok(Checked { value: octets, violations })
    }

    /// The encoding under the same rules, with the octets that contents have in the input. `None`
    /// if there are none, or contents are text.
    fn with_octets_as_they_are(&self, to: &Codec<'_>, input: &[u8], check: Check) -> Option<Vec<u8>> {
        let (Form::Layout(from), Form::Layout(layout)) = (&self.form, &to.form) else { return None };
        if self.rules != to.rules || !self.has_contents() {
            return None;
        }
        let (from, layout) = match check {
            Check::All => {
                (self.open.closed(Closed::WithConstraints, from), to.open.closed(Closed::WithConstraints, layout))
            }
            _ => (self.open.closed(Closed::Reading, from), to.open.closed(Closed::Writing, layout)),
        };
        let mut value = Value::Unset;
        roadwire_engine::decode(from, input, &mut value).ok()?;
        roadwire_engine::encode_to_vec(layout, &value, MOST).ok()
    }

    fn open_notation(&self) -> Option<&Notation> {
        let open = || Notation::open(&self.model, self.type_id).ok().map(Box::new);
        self.open.notation.get_or_init(open).as_deref()
    }

    /// For text that lacks components. Only JER has it.
    fn notation_of_parts(&self) -> Option<&Notation> {
        if !matches!(self.form, Form::Jer(_)) {
            return None;
        }
        let notation = || Notation::of_parts(&self.model, self.type_id).ok().map(Box::new);
        self.open.notation_of_parts.get_or_init(notation).as_deref()
    }

    fn read_text(&self, notation: &Notation, input: &[u8], check: Check) -> Result<Checked<Value>, CodecError> {
        let text = std::str::from_utf8(input).map_err(|error| CodecError::NotUtf8 { at: error.valid_up_to() })?;
        let value = match (notation.read(text), self.open_notation()) {
            (Ok(value), _) => value,
            (Err(refused), open) => open.and_then(|open| open.read(text).ok()).ok_or(refused)?,
        };
        let (violations, wrong): (Vec<_>, Vec<_>) =
            check::value(&self.model, self.type_id, &value).into_iter().partition(check::Violation::is_constraint);
        broken(wrong)?;
        let violations = if check == Check::None { Vec::new() } else { violations };
        Ok(Checked { value, violations: violations.into_iter().map(|one| Violation::new(one, None)).collect() })
    }

    fn read_octets(&self, layout: &Layout, input: &[u8], check: Check) -> Result<Read, CodecError> {
        let mut value = Value::Unset;
        let bits = roadwire_engine::decode(layout, input, &mut value);
        let refused = whole(layout, input, bits).err();
        let mut end = None;
        if let Some(first) = &refused {
            let open = self.open.reading(layout);
            value = Value::Unset;
            let bits = roadwire_engine::decode(open, input, &mut value);
            if whole(open, input, bits).is_err() {
                end = read_to_spare(open, input, &mut value).filter(|_| check == Check::Encoding);
                if end.is_none() {
                    return Err(first.clone());
                }
            }
        }
        self.keep_contents(layout, input, &mut value);
        let fault = refused.clone().filter(|_| end.is_some());
        let is_fine = || self.open.proven(&self.model).holds(&self.model, self.type_id, &value);
        if check == Check::None || refused.is_none() && is_fine() {
            return Ok(Read { checked: Checked { value, violations: Vec::new() }, fault });
        }
        let open = || self.open.reading(layout);
        let violations = violations(&self.model, self.type_id, open, input, &value, refused.as_ref(), end);
        Ok(Read { checked: Checked { value, violations }, fault })
    }

    /// X.690 §10, §11: in DER and CER, contents that are encoded otherwise than they would be
    /// written stay as octets. (Elsewhere an older version may have written them.) Returns whether
    /// there may be one.
    fn keep_contents(&self, layout: &Layout, input: &[u8], value: &mut Value) -> bool {
        if !self.keeps_contents() {
            return false;
        }
        let written = roadwire_engine::encode_to_vec(layout, value, MOST)
            .or_else(|_| roadwire_engine::encode_to_vec(self.open.writing(layout), value, MOST));
        let Ok(written) = written else { return false };
        if written == input {
            return false;
        }
        let closed = self.open.closed(Closed::Reading, layout);
        let (mut received, mut canonical) = (Value::Unset, Value::Unset);
        let both = [(input, &mut received), (&written[..], &mut canonical)];
        if both.into_iter().all(|(octets, value)| roadwire_engine::decode(closed, octets, value).is_ok()) {
            keep(value, &received, &canonical);
        }
        true
    }
}

impl OpenForms {
    fn reading(&self, layout: &Layout) -> &Layout {
        self.reading.get_or_init(|| Box::new(layout.for_open_reading()))
    }

    fn writing(&self, layout: &Layout) -> &Layout {
        self.writing.get_or_init(|| Box::new(layout.for_open_writing()))
    }

    /// Types whose constraints a decoder checks.
    fn proven(&self, model: &Model) -> &Proven {
        self.proven.get_or_init(|| Proven::of(model))
    }

    fn closed(&self, of: Closed, layout: &Layout) -> &Layout {
        let make = || {
            let open = match of {
                Closed::WithConstraints => layout,
                Closed::Reading => self.reading(layout),
                Closed::Writing => self.writing(layout),
            };
            Box::new(open.without_contents())
        };
        self.closed[of as usize].get_or_init(make)
    }
}

/// A value that has been read, and why an encoder has no use for it: it lacks components.
struct Read {
    checked: Checked<Value>,
    fault: Option<CodecError>,
}

/// The code of an index of a CHOICE that no alternative has.
const SPARE: &str = "choice.index";

/// Reads what comes before an alternative that its CHOICE does not have, of which nothing says how
/// long it is. Returns the violation; nothing if this is not why the message cannot be read, or if
/// nothing comes before it.
pub(crate) fn read_to_spare(open: &Layout, input: &[u8], value: &mut Value) -> Option<Violation> {
    *value = Value::Unset;
    let error = roadwire_engine::decode(open, input, value).err()?;
    let index = match error.kind {
        ErrorKind::ChoiceIndex { index, .. } => i128::from(index),
        // A tag without its class.
        ErrorKind::Unexpected { fault, what: Unexpected::Number { found, .. } } if fault.code() == SPARE => {
            i128::from(found & 0x3fff_ffff)
        }
        _ => return None,
    };
    trim(value).then(|| Violation {
        path: error.path.to_string(),
        at: Some(error.bit),
        value: Some(Offending::Number(index.into())),
        constraint: String::new(),
        code: SPARE,
        message: format!("{}; nothing after it is read", error.message()),
    })
}

/// Removes parts that a decoder has not filled. Returns whether something is left.
fn trim(value: &mut Value) -> bool {
    match value {
        Value::Unset => return false,
        Value::Sequence { components, .. } => {
            for component in components {
                if component.as_mut().is_some_and(|component| !trim(component)) {
                    *component = None;
                }
            }
        }
        Value::List(values) => {
            let is_filled = values.last_mut().is_none_or(trim);
            values.truncate(values.len() - usize::from(!is_filled));
        }
        Value::Choice(_, value) => return trim(value),
        _ => {}
    }
    true
}

/// The violations of a value, and the fault for which a decoder with constraints refuses it. The
/// layout `open` reads it, up to its `end`.
pub(crate) fn violations<'l>(
    model: &Model,
    type_id: TypeId,
    open: impl FnOnce() -> &'l Layout,
    input: &[u8],
    value: &Value,
    refused: Option<&CodecError>,
    end: Option<Violation>,
) -> Vec<Violation> {
    let mut found = check::decoded(model, type_id, value);
    if end.is_some() {
        found.retain(check::Violation::is_constraint);
    }
    let refused = refused.filter(|refused| end.is_none() || refused.code() != SPARE);
    // A spare index of an extensible ENUMERATED is an unknown item.
    let missed = refused.filter(|refused| !found.iter().any(|one| lies_in(refused.path(), &one.path)));
    if found.is_empty() && missed.is_none() {
        return end.into_iter().collect();
    }
    let mut places = Places::of(found.iter().map(|one| one.path.as_str()));
    let _ = decode_with(open(), input, &mut Value::Unset, &Limits::for_input(input), &mut places);
    let first = missed.map(|refused| Violation {
        path: refused.path().to_owned(),
        at: refused.bit(),
        value: None,
        constraint: String::new(),
        code: refused.static_code(),
        message: refused.what(),
    });
    let others = found.into_iter().map(|one| {
        let exact = refused.filter(|refused| refused.path() == one.path && refused.code() == one.code);
        let at = exact.and_then(CodecError::bit).or_else(|| places.at(&one.path));
        Violation::new(one, at)
    });
    first.into_iter().chain(others).chain(end).collect()
}

/// Whether a path is another one, or a part of it.
fn lies_in(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

impl Violation {
    fn new(of: check::Violation, at: Option<usize>) -> Self {
        let check::Violation { path, message, code, value, constraint } = of;
        Violation { path, at, value, constraint, code, message }
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        if let Some(bit) = self.at {
            write!(f, ", at bit {bit}")?;
        }
        if self.path.is_empty() { Ok(()) } else { write!(f, ", in {}", self.path) }
    }
}

/// Replaces decoded contents by octets where those received are not the canonical ones.
fn keep(value: &mut Value, received: &Value, canonical: &Value) {
    if received == canonical {
        return;
    }
    match (value, received, canonical) {
        (
            Value::Sequence { components, .. },
            Value::Sequence { components: received, .. },
            Value::Sequence { components: canonical, .. },
        ) => {
            for ((value, received), canonical) in components.iter_mut().zip(received).zip(canonical) {
                if let (Some(value), Some(received), Some(canonical)) = (value, received, canonical) {
                    keep(value, received, canonical);
                }
            }
        }
        (Value::List(values), Value::List(received), Value::List(canonical)) => {
            for ((value, received), canonical) in values.iter_mut().zip(received).zip(canonical) {
                keep(value, received, canonical);
            }
        }
        (Value::Choice(_, value), Value::Choice(_, received), Value::Choice(_, canonical)) => {
            keep(value, received, canonical);
        }
        (
            value @ Value::Choice(..),
            Value::OctetString(_) | Value::BitString { .. },
            Value::OctetString(_) | Value::BitString { .. },
        ) => *value = received.clone(),
        _ => {}
    }
}

/// Finds the bit at which each of some fields begins.
struct Places {
    wanted: HashMap<String, Option<usize>>,
    path: String,
    /// Lengths of the path before each step.
    steps: Vec<usize>,
    /// How many steps of the path have begun: bits of theirs have been read.
    begun: usize,
}

impl Places {
    fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let wanted = paths.map(|path| (path.to_owned(), None)).collect();
        Places { wanted, path: String::new(), steps: Vec::new(), begun: 0 }
    }

    fn at(&self, path: &str) -> Option<usize> {
        self.wanted.get(path).copied().flatten()
    }
}

impl Listener for Places {
    fn enter(&mut self, step: Step<'_>) {
        use std::fmt::Write as _;
        self.steps.push(self.path.len());
        let _ = match step {
            Step::Name(name) if self.path.is_empty() => write!(self.path, "{name}"),
            Step::Name(name) => write!(self.path, ".{name}"),
            Step::Index(index) => write!(self.path, "[{index}]"),
        };
    }

    fn leave(&mut self) {
        if let Some(length) = self.steps.pop() {
            self.path.truncate(length);
        }
        self.begun = self.begun.min(self.steps.len() + 1);
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        if matches!(item.what, What::Padding) {
            return;
        }
        let ends = self.steps.iter().skip(1).copied().chain([self.path.len()]);
        let ends = std::iter::once(0).chain(ends.take(self.steps.len()));
        for end in ends.skip(self.begun) {
            if let Some(place @ None) = self.path.get(..end).and_then(|path| self.wanted.get_mut(path)) {
                *place = Some(item.bit);
            }
        }
        self.begun = self.steps.len() + 1;
    }
}
