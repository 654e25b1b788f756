//! The meaning of each bit of a message, and the bits that a value takes in every encoding.

use std::cell::LazyCell;

use roadwire_engine::{Item, Limits, Listener, What, decode_with};
use roadwire_layout::{Layout, LowerError, Rules, lower};
use roadwire_model::{Kind, Model, Oid, TypeId, Value};
use roadwire_wire::{Scalar, Step, number_of_unknown_item};

use crate::codec::CodecError;
use crate::open::{Check, Violation, read_to_spare, violations};
use crate::{MOST, Schema};

/// Gives the meaning of each bit of a message.
///
/// ```
/// use roadwire::{Rules, Schema, Shown, Source};
///
/// let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
/// END";
/// let schema = Schema::compile(vec![Source::new("demo.asn", module)]).unwrap();
/// let inspector = schema.inspector(schema.find(None).unwrap(), Rules::Uper).unwrap();
///
/// let mut runs = Vec::new();
/// inspector.walk(&[0x89, 0x60, 0x40], &mut |run| runs.push(run)).unwrap();
/// assert_eq!((runs[0].what, runs[0].path.as_str(), &runs[0].value), ("presence", "lane", &Shown::Flag(true)));
/// assert_eq!((runs[1].bit, runs[1].count, &runs[1].value), (1, 14, &Shown::Integer(1200)));
/// ```
#[derive(Debug)]
pub struct Inspector<'a> {
    model: &'a Model,
    type_id: TypeId,
    layout: Layout,
}

/// A run of bits, and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct BitRun {
    /// The first bit, counted from the start of the message.
    pub bit: usize,
    /// How many bits.
    pub count: usize,
    /// Its role: `value`, `presence`, `length`, `tag`, `padding` and so on; `unread` after an
    /// error, and `after` for octets after the message.
    pub what: &'static str,
    /// The value of the bits, if they have one by themselves.
    pub value: Shown,
    /// The module's name for the value: a named number, an alternative, the named bits that are
    /// set.
    pub meaning: Option<String>,
    /// The field, from the outside in; empty for the whole message.
    pub path: String,
}

/// A value of some bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// None.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// A number of up to 128 bits.
    Integer(i128),
    /// A REAL.
    Real(f64),
    /// Text, hexadecimal digits, a name.
    Text(String),
}

/// How long a value's encoding is, and what for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Its octets.
    pub octets: usize,
    /// Bits by cause, in the order of [`Measured::CAUSES`].
    pub bits: [usize; Measured::CAUSES.len()],
}

impl Measured {
    /// The purposes of bits.
    pub const CAUSES: [&'static str; 6] = ["value", "presence", "length", "tag", "names", "padding"];
}

impl Schema {
    /// For the bits of a type's messages.
    ///
    /// # Errors
    /// The type has no encoding under these rules.
    pub fn inspector(&self, type_id: TypeId, rules: Rules) -> Result<Inspector<'_>, LowerError> {
        Ok(Inspector { model: self.model(), type_id, layout: lower(self.model(), type_id, rules)? })
    }

    /// How long a value is in one encoding, and what for. Constraints are those of the encoding
    /// alone.
    ///
    /// # Errors
    /// The type, or the value, has no such encoding.
    pub fn measure(&self, type_id: TypeId, rules: Rules, value: &Value) -> Result<Measured, CodecError> {
        let layout = lower(self.model(), type_id, rules)?;
        let refused = |error| CodecError::of(&error, None);
        let octets = roadwire_engine::encode_to_vec(&layout, value, MOST).map_err(refused)?;
        let mut causes = Causes::default();
        let limits = Limits::for_input(&octets);
        decode_with(&layout, &octets, &mut Value::Unset, &limits, &mut causes).map_err(refused)?;
        Ok(Measured { octets: octets.len(), bits: causes.bits })
    }
}

impl Inspector<'_> {
    /// As [`Inspector::walk`], under the constraints that `check` names. Returns those that the
    /// value breaks although its encoding can be read.
    ///
    /// # Errors
    /// As [`Inspector::walk`]: the first fault of a message that cannot be read to its end. Bits
    /// are passed on as far as they can be read.
    pub fn walk_checked(
        &self,
        octets: &[u8],
        check: Check,
        each: &mut dyn FnMut(BitRun),
    ) -> Result<Vec<Violation>, CodecError> {
        if check == Check::All {
            return self.walk(octets, each).map(|()| Vec::new());
        }
        let refused = self.walk_over(&self.layout, octets, &mut Value::Unset, &mut |_| {}).err();
        let open = LazyCell::new(|| self.layout.for_open_reading());
        let layout = if refused.is_some() { &*open } else { &self.layout };
        let mut value = Value::Unset;
        let mut end = None;
        if let (Err(_), Some(first)) = (self.walk_over(layout, octets, &mut value, each), &refused) {
            end = read_to_spare(layout, octets, &mut value).filter(|_| check == Check::Encoding);
            if end.is_none() {
                return Err(first.clone());
            }
        }
        Ok(match check {
            Check::None => Vec::new(),
            _ => violations(self.model, self.type_id, || &*open, octets, &value, refused.as_ref(), end),
        })
    }

    /// Decodes, and calls `each` for each run of bits, in order and without gaps, up to the last
    /// bit of the input.
    ///
    /// # Errors
    /// The first fault in the message; all bits of the input have been passed on.
    pub fn walk(&self, octets: &[u8], each: &mut dyn FnMut(BitRun)) -> Result<(), CodecError> {
        self.walk_over(&self.layout, octets, &mut Value::Unset, each)
    }

    fn walk_over(
        &self,
        layout: &Layout,
        octets: &[u8],
        value: &mut Value,
        each: &mut dyn FnMut(BitRun),
    ) -> Result<(), CodecError> {
        let mut walker = Walker {
            place: vec![Place { length: 0, ty: Some(self.type_id) }],
            path: String::new(),
            next: 0,
            model: self.model,
            each,
        };
        let decoded = decode_with(layout, octets, value, &Limits::for_input(octets), &mut walker);
        let next = walker.next;
        let (what, error) = match &decoded {
            Ok(used) => ("after", CodecError::after(layout, octets, *used)),
            Err(error) => ("unread", Some(CodecError::reading(layout, octets, error))),
        };
        let left = (octets.len() * 8).saturating_sub(next);
        if left > 0 {
            // A type that takes no bits has an octet of padding (X.691 §11.1).
            let what = if error.is_none() { "padding" } else { what };
            let (value, path) = (Shown::Nothing, String::new());
            each(BitRun { bit: next, count: left, what, value, meaning: None, path });
        }
        error.map_or(Ok(()), Err)
    }
}

/// Follows the decoder through the type.
struct Walker<'a> {
    model: &'a Model,
    /// The path from the root to the decoder's position.
    place: Vec<Place>,
    path: String,
    /// The first bit that has not been reported.
    next: usize,
    each: &'a mut dyn FnMut(BitRun),
}

struct Place {
    /// The length of the path before this step.
    length: usize,
    /// The type, as far as the model can be followed.
    ty: Option<TypeId>,
}

impl Listener for Walker<'_> {
    fn enter(&mut self, step: Step<'_>) {
        let outer = self.place.last().and_then(|place| place.ty);
        self.place.push(Place { length: self.path.len(), ty: outer.and_then(|ty| child(self.model, ty, step)) });
        match step {
            Step::Name(name) => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
            Step::Index(index) => self.path.push_str(&format!("[{index}]")),
        }
    }

    fn leave(&mut self) {
        if let Some(place) = self.place.pop() {
            self.path.truncate(place.length);
        }
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        let ty = self.place.last().and_then(|place| place.ty);
        let flag = |value| (Shown::Flag(value), None);
        let number = |value: u64| (Shown::Integer(value.into()), None);
        let text = |value: &str| (Shown::Text(value.to_owned()), None);
        let nothing = (Shown::Nothing, None);
        let inner = |name: &str| match (self.path.is_empty(), name.is_empty()) {
            (_, true) => self.path.clone(),
            (true, false) => name.to_owned(),
            (false, false) => format!("{}.{name}", self.path),
        };
        let (what, (value, meaning), path) = match item.what {
            What::Extension(there) => ("extension", flag(there), inner("")),
            What::Presence(name, there) => ("presence", flag(there), inner(name)),
            What::AdditionCount(count) => ("additions", number(count as u64), inner("")),
            What::Addition(index, "", there) => ("addition", flag(there), inner(&format!("...{index}"))),
            What::Addition(_, name, there) => ("addition", flag(there), inner(name)),
            What::Choice(index, name) => {
                let words = (!name.is_empty()).then(|| name.to_owned());
                ("choice", (Shown::Integer(index.into()), words), inner(""))
            }
            What::Length(u64::MAX) => ("length", text("indefinite"), inner("")),
            What::Length(length) => ("length", number(length), inner("")),
            What::OpenLength(octets) => {
                ("length", (Shown::Integer(octets as i128), Some("octets".to_owned())), inner(""))
            }
            What::Tag(name) => ("tag", nothing, inner(name)),
            What::Name(name) => ("name", text(name), inner("")),
            What::Event(event, name) => ("event", text(format!("{event} {name}").trim_end()), inner("")),
            What::Header(part) => ("header", text(part), String::new()),
            What::End => ("end", nothing, inner("")),
            What::Value(name) => ("value", Shown::of(self.model, ty, item.value, name), inner("")),
            What::Unknown => ("unknown", Shown::of(self.model, None, item.value, ""), inner("")),
            What::Padding => ("padding", nothing, String::new()),
        };
        // An open type in fragments (X.691 §11.9.3.8) is reported as fragments, and then again
        // reassembled, as runs of no bits.
        let again = item.bit < self.next;
        let (bit, count) = if again { (self.next, 0) } else { (item.bit, item.bits) };
        self.next = bit.saturating_add(count);
        (self.each)(BitRun { bit, count, what, value, meaning, path });
    }
}

/// The type of a component, alternative or element.
fn child(model: &Model, ty: TypeId, step: Step<'_>) -> Option<TypeId> {
    match (&model.get(ty).kind, step) {
        (Kind::Sequence { components, .. }, Step::Name(name)) => {
            components.iter().find(|component| component.name == name).map(|component| component.type_id)
        }
        (Kind::Choice { alternatives, .. }, Step::Name(name)) => {
            alternatives.iter().find(|alternative| alternative.name == name).map(|alternative| alternative.type_id)
        }
        (Kind::SequenceOf { element, .. }, Step::Index(_)) => Some(*element),
        (Kind::External(sequence), _) if *sequence != ty => child(model, *sequence, step),
        _ => None,
    }
}

impl Shown {
    /// A leaf's value, and the module's name for it: named number, named bits that are set. `item`
    /// is the name of an enumeration item.
    #[must_use]
    pub fn of(model: &Model, ty: Option<TypeId>, scalar: Scalar<'_>, item: &str) -> (Shown, Option<String>) {
        let kind = ty.map(|ty| &model.get(ty).kind);
        let value = match scalar {
            Scalar::Unset | Scalar::Null => Shown::Nothing,
            Scalar::Boolean(value) => Shown::Flag(value),
            Scalar::Integer(value) => return (Shown::Integer(value), named_number(kind, value)),
            Scalar::WideInteger(octets) => Shown::Text(format!("0x{}", hex(octets))),
            Scalar::Enumerated(ordinal) if item.is_empty() => match number_of_unknown_item(ordinal) {
                Some(number) => Shown::Text(format!("({number})")),
                None => Shown::Integer(ordinal.into()),
            },
            Scalar::Enumerated(_) => Shown::Text(item.to_owned()),
            Scalar::Real(value) => Shown::Real(value),
            Scalar::Word(word) => {
                let (octets, bits) = (word.to_octets(), usize::from(word.bits));
                return bit_string(kind, octets.get(..bits.div_ceil(8)).unwrap_or_default(), bits);
            }
            Scalar::Bits(octets, bits) => return bit_string(kind, octets, bits),
            Scalar::Octets(octets) => Shown::Text(hex(octets)),
            Scalar::Text(text) => Shown::Text(text.to_owned()),
            Scalar::Oid(contents) => Shown::Text(oid(kind, contents)),
        };
        (value, None)
    }
}

fn named_number(kind: Option<&Kind>, value: i128) -> Option<String> {
    let Some(Kind::Integer { named, .. }) = kind else { return None };
    named.iter().find(|(_, number)| i128::try_from(number) == Ok(value)).map(|(name, _)| name.clone())
}

fn bit_string(kind: Option<&Kind>, octets: &[u8], bits: usize) -> (Shown, Option<String>) {
    let words = match kind {
        Some(Kind::BitString { named, .. }) => {
            let set = |at: u64| {
                let at = usize::try_from(at).ok().filter(|at| *at < bits);
                at.and_then(|at| octets.get(at / 8).map(|octet| octet >> (7 - at % 8) & 1 == 1)).unwrap_or(false)
            };
            let names: Vec<&str> = named.iter().filter(|(_, at)| set(*at)).map(|(name, _)| name.as_str()).collect();
            (!names.is_empty()).then(|| names.join(" "))
        }
        _ => None,
    };
    (Shown::Text(hex(octets)), words)
}

fn oid(kind: Option<&Kind>, contents: &[u8]) -> String {
    match (Oid::from_contents(contents), kind) {
        (Some(oid), Some(Kind::RelativeOid)) => oid.relative_text(),
        (Some(oid), _) => oid.absolute_text(),
        (None, _) => hex(contents),
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// Adds up the bits of each cause.
#[derive(Default)]
struct Causes {
    bits: [usize; Measured::CAUSES.len()],
}

impl Listener for Causes {
    fn enter(&mut self, _: Step<'_>) {}

    fn leave(&mut self) {}

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        let cause = match item.what {
            What::Value(_) | What::Unknown => 0,
            What::Extension(_) | What::Presence(..) | What::AdditionCount(_) | What::Addition(..) => 1,
            What::Length(_) | What::OpenLength(_) | What::End => 2,
            What::Choice(..) | What::Tag(_) | What::Event(..) => 3,
            What::Name(_) | What::Header(_) => 4,
            What::Padding => 5,
        };
        self.bits[cause] += item.bits;
    }
}
