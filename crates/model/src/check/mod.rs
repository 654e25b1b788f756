//! Finds all constraints that a value breaks, each with its path.

mod constraints;
mod proven;

pub(crate) use constraints::holds;
pub use proven::Proven;

use std::fmt;

use num_bigint::BigInt;
use roadwire_wire::{Data, ErrorKind, Scalar, number_of_unknown_item};

use crate::coding::Coding;
use crate::constraint::{IntegerRange, Size};
use crate::data::{bits, equal, integer};
use crate::link::{Scope, row_of};
use crate::repertoire;
use crate::types::{Alternative, Component, Enumerators, Field, Kind, Model, Presence, Table, TypeId, known_additions};
use crate::value::{Oid, Value};

/// A constraint that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The field, such as `cam.camParameters.basicContainer.stationType` or `list[3].item`; empty
    /// for the whole.
    pub path: String,
    /// The message, in one line.
    pub message: String,
    /// Its identity, that of the encoder's error
    /// ([`ErrorKind::code`](roadwire_wire::ErrorKind::code)).
    pub code: &'static str,
    /// The value that breaks the constraint; `None` if a part is absent, or has parts itself.
    pub value: Option<Offending>,
    /// The constraint in ASN.1 notation: as written in the module where it is checked as written,
    /// otherwise the effective one. Empty if the type itself is broken.
    pub constraint: String,
}

/// The number or text that breaks a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offending {
    /// An integer, a size, or the number of an item or alternative.
    Number(BigInt),
    /// Characters, digits or the like.
    Text(String),
}

impl Offending {
    /// Octets as hexadecimal digits.
    fn of_octets(octets: &[u8]) -> Offending {
        Offending::Text(octets.iter().map(|octet| format!("{octet:02X}")).collect())
    }
}

impl fmt::Display for Offending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offending::Number(number) => number.fmt(f),
            Offending::Text(text) => f.write_str(text),
        }
    }
}

impl Violation {
    /// Whether the value is of the type, and breaks a constraint of it. Otherwise it is not a value
    /// of the type at all: a component is absent, or of another kind.
    #[must_use]
    pub fn is_constraint(&self) -> bool {
        !matches!(self.code, "value.mismatch" | "component.missing" | "limit.depth")
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " in {}", self.path) }
    }
}

/// Checks a value of type `id`. An empty list means that it is a value of the type and satisfies
/// all its constraints; values outside an extensible constraint do (X.680 §52.3). Not checked:
/// user-defined constraints, and the contents of (CONTAINING ...).
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn value(model: &Model, id: TypeId, value: &Value) -> Vec<Violation> {
    data(model, id, value)
}

/// As [`value`](fn@value), for anything that holds a value.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn data(model: &Model, id: TypeId, data: &dyn Data) -> Vec<Violation> {
    find(model, id, data, Which { effective: true, others: true, contents: false })
}

/// As [`data`](fn@data), for a value that has been decoded: a content that stayed octets although
/// its type is known is a violation as well ([`CONTENT`]). Of a hostile message, only the first
/// [`MOST`] are listed.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn decoded(model: &Model, id: TypeId, data: &dyn Data) -> Vec<Violation> {
    find(model, id, data, Which { effective: true, others: true, contents: true })
}

/// How many violations of a decoded value are listed: a long list may have one in each element.
pub const MOST: usize = 1000;

/// The code of a content that stayed octets.
pub const CONTENT: &str = "content.encoding";

/// As [`data`](fn@data), but only effective constraints, which decoders check.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn effective(model: &Model, id: TypeId, data: &dyn Data) -> Vec<Violation> {
    find(model, id, data, Which { effective: true, others: false, contents: false })
}

/// As [`data`](fn@data), but only constraints that are not effective ([`Model::constraints`]).
/// Layouts do not have them, so the encoders and decoders that walk a layout do not check them.
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn constraints(model: &Model, id: TypeId, data: &dyn Data) -> Vec<Violation> {
    if model.constraints.is_empty() {
        return Vec::new();
    }
    find(model, id, data, Which { effective: false, others: true, contents: false })
}

fn find(model: &Model, id: TypeId, data: &dyn Data, which: Which) -> Vec<Violation> {
    let mut checker = Checker { model, which, proven: None, steps: Vec::new(), found: Vec::new() };
    checker.value(id, data, None);
    checker.found.retain(|violation| which.effective || violation.code == constraints::CODE);
    checker.found
}

/// Which constraints are checked.
#[derive(Clone, Copy)]
struct Which {
    effective: bool,
    others: bool,
    contents: bool,
}

struct Checker<'m> {
    model: &'m Model,
    which: Which,
    /// Types whose values are not looked into.
    proven: Option<&'m Proven>,
    steps: Vec<Step<'m>>,
    found: Vec<Violation>,
}

enum Step<'m> {
    Name(&'m str),
    Index(usize),
}

/// Whether text has the form of an OID-IRI, or of a RELATIVE-OID-IRI.
fn is_iri(text: &str, is_relative: bool) -> bool {
    !text.is_empty() && text.starts_with('/') != is_relative
}

impl<'m> Checker<'m> {
    fn value(&mut self, id: TypeId, data: &dyn Data, scope: Option<&Scope<'_>>) {
        if self.proven.is_some_and(|proven| proven.has(id)) {
            return;
        }
        if self.steps.len() > Value::MAX_DEPTH {
            let message = format!("nested deeper than the limit of {} levels", Value::MAX_DEPTH);
            return self.report("limit.depth", message);
        }
        if self.which.others {
            self.constraints(id, data);
        }
        let scalar = data.scalar();
        let kind = &self.model.get(id).kind;
        if let (Some(content), Some((0, inner))) = (kind.contained(), data.alternative()) {
            return self.value(content, inner, scope);
        }
        if let Some(content) = kind.contained().filter(|content| self.which.contents && self.is_told(*content, scope)) {
            self.stayed_octets(content, scalar);
        }
        match (kind, scalar) {
            (Kind::Boolean, Scalar::Boolean(_))
            | (Kind::Null, Scalar::Null)
            | (Kind::Real { parts: None }, Scalar::Real(_))
            | (Kind::Open { table: None }, Scalar::Octets(_)) => {}
            (Kind::Real { parts: Some(parts) }, Scalar::Real(value)) => {
                if !parts.admits(value) {
                    let constraint = "(WITH COMPONENTS {mantissa, base, exponent})";
                    let value = Some(Offending::Text(value.to_string()));
                    self.broken(
                        "real.range",
                        "the number is outside the mantissas and exponents of its type",
                        value,
                        constraint,
                    );
                }
            }
            (Kind::Integer { range, .. }, _) => self.integer(range, scalar),
            (Kind::Enumerated(items), Scalar::Enumerated(ordinal)) => self.enumerated(items, ordinal),
            (Kind::BitString { size, named, .. }, _) => self.bit_string(*size, !named.is_empty(), scalar),
            (Kind::OctetString { size, .. }, Scalar::Octets(octets)) => self.size(*size, octets.len() as u64, "octets"),
            (Kind::ObjectIdentifier | Kind::RelativeOid, Scalar::Oid(contents)) => {
                if Oid::from_contents(contents).is_none() {
                    self.report("value.mismatch", "not a well-formed object identifier");
                }
            }
            (Kind::Iri { relative }, Scalar::Text(text)) => {
                if !is_iri(text, *relative) {
                    self.report("text.form", "an OID-IRI starts with `/`, a RELATIVE-OID-IRI does not");
                }
            }
            (Kind::String { kind, size, alphabet, alphabet_extensible }, Scalar::Text(text)) => {
                self.size(*size, text.chars().count() as u64, "characters");
                let alphabet = alphabet.as_ref().filter(|_| !alphabet_extensible);
                let permitted = repertoire::permitted(*kind, alphabet);
                let outside = text.chars().find(|character| !repertoire::contains(&permitted, u32::from(*character)));
                if let Some(character) = outside {
                    let message = format!("character {character:?} outside the permitted alphabet");
                    let value = Some(Offending::Text(character.into()));
                    self.broken("text.alphabet", message, value, alphabet_text(&permitted));
                }
            }
            (Kind::Time { kind, settings }, Scalar::Text(text)) => {
                if !repertoire::is_time(*kind, settings, text) {
                    let message = format!("not the form of its time type ({kind:?})");
                    self.broken("text.form", message, Some(Offending::Text(text.into())), "");
                }
            }
            (Kind::Sequence { components, extensible, .. }, _) => {
                let scope = Scope { outer: scope, id, data };
                self.sequence(components, *extensible, &scope);
            }
            (Kind::SequenceOf { element, size, .. }, _) => match data.length() {
                None => self.mismatch("a list"),
                Some(length) => {
                    self.size(*size, length as u64, "elements");
                    for index in 0..length {
                        match data.element(index) {
                            Some(inner) => self.inside(Step::Index(index), *element, inner, scope),
                            None => self.mismatch("a list of that length"),
                        }
                    }
                }
            },
            (Kind::Choice { alternatives, extensible }, _) => self.choice(alternatives, *extensible, data, scope),
            (Kind::Open { table: Some(table) }, _) => self.open(table, data, scope),
            (Kind::External(inner), _) => self.value(*inner, data, scope),
            (kind, _) => self.mismatch(article(kind)),
        }
    }

    fn integer(&mut self, range: &IntegerRange, scalar: Scalar<'_>) {
        let Some(value) = integer(scalar) else { return self.mismatch("an INTEGER") };
        if range.extensible {
            return;
        }
        let value = value.to_bigint();
        let above = range.upper.as_ref().filter(|upper| value > **upper).map(|upper| format!("above {upper}"));
        let below = range.lower.as_ref().filter(|lower| value < **lower).map(|lower| format!("below {lower}"));
        if let Some(side) = above.or(below) {
            let end = |bound: &crate::Bound, open: &str| bound.as_ref().map_or(open.into(), ToString::to_string);
            let (lower, upper) = (end(&range.lower, "MIN"), end(&range.upper, "MAX"));
            let message = format!("value {value} {side} (range {lower}..{upper})");
            let constraint = if lower == upper { format!("({lower})") } else { format!("({lower}..{upper})") };
            self.broken("integer.range", message, Some(Offending::Number(value)), constraint);
        }
    }

    fn enumerated(&mut self, items: &Enumerators, ordinal: u32) {
        let count = items.root.len() + items.additions.len();
        if (ordinal as usize) < count || items.extensible {
            return;
        }
        let (number, kind) = match number_of_unknown_item(ordinal) {
            Some(number) => (number, ErrorKind::EnumerationNumber { number: number.into() }),
            None => (ordinal.into(), ErrorKind::EnumerationIndex { index: ordinal.into(), count: count as u64 }),
        };
        let names: Vec<&str> = items.all().map(|(name, _)| name.as_str()).collect();
        let constraint = format!("{{{}}}", names.join(", "));
        self.broken("enumerated.index", kind.to_string(), Some(Offending::Number(number.into())), constraint);
    }

    /// In named bits, trailing zero bits may be left out or added to fit (X.680 §22.7).
    fn bit_string(&mut self, size: Size, named: bool, scalar: Scalar<'_>) {
        let Some((octets, count)) = bits(scalar) else { return self.mismatch("a BIT STRING") };
        let needed = match octets.iter().rposition(|octet| *octet != 0) {
            _ if !named => count as u64,
            Some(last) => (last as u64 * 8 + 8 - u64::from(octets[last].trailing_zeros())).max(size.lower),
            None => size.lower,
        };
        self.size(size, needed, "bits");
    }

    fn size(&mut self, size: Size, length: u64, unit: &str) {
        if size.extensible || (size.lower..=size.upper.unwrap_or(u64::MAX)).contains(&length) {
            return;
        }
        let sizes = match size.upper {
            Some(upper) if upper == size.lower => format!("SIZE({upper})"),
            Some(upper) => format!("SIZE({}..{upper})", size.lower),
            None => format!("SIZE({}..MAX)", size.lower),
        };
        let unit = if length == 1 { unit.trim_end_matches('s') } else { unit };
        let message = format!("{length} {unit} outside {sizes}");
        self.broken("size.range", message, Some(Offending::Number(length.into())), format!("({sizes})"));
    }

    /// Whether a component has its DEFAULT. Some modules have a DEFAULT that breaks the constraints
    /// of its type; a component may have this value.
    fn has_default(&self, component: &Component, data: &dyn Data) -> bool {
        match &component.presence {
            Presence::Default(value) if self.which.others && !self.model.constraints.is_empty() => {
                equal(self.model, component.type_id, data, value)
            }
            _ => false,
        }
    }

    fn sequence(&mut self, components: &'m [Component], extensible: bool, scope: &Scope<'_>) {
        let data = scope.data;
        if !data.is_record(true)
            || data.scalar() != Scalar::Unset
            || data.length().is_some()
            || data.alternative().is_some()
        {
            return self.mismatch("a SEQUENCE or SET");
        }
        let tests = match self.model.codings.get(&scope.id) {
            Some(Coding::Struct(tests)) => tests.as_slice(),
            _ => &[],
        };
        for (index, component) in components.iter().enumerate() {
            if let Some(tests @ [_, ..]) = tests.get(index).map(Vec::as_slice) {
                let selected = tests.iter().all(|test| test.holds(data));
                if data.component(index).is_some() != selected {
                    self.steps.push(Step::Name(&component.name));
                    match selected {
                        true => self.report("component.missing", "mandatory component is absent"),
                        false => self.mismatch("absent, as an earlier component says"),
                    }
                    self.steps.pop();
                }
            }
            match data.component(index) {
                Some(inner) => {
                    let which = self.which;
                    self.which.others &= !self.has_default(component, inner);
                    self.inside(Step::Name(&component.name), component.type_id, inner, Some(scope));
                    self.which = which;
                }
                None if component.presence != Presence::Mandatory => {}
                None => {
                    let needed = match component.field {
                        Field::Root => true,
                        Field::Addition => false,
                        Field::Group(_) => {
                            let mut all = components.iter().enumerate();
                            all.any(|(at, other)| other.field == component.field && data.component(at).is_some())
                        }
                    };
                    if needed {
                        self.steps.push(Step::Name(&component.name));
                        self.report("component.missing", "mandatory component is absent");
                        self.steps.pop();
                    }
                }
            }
        }
        let unknown = data.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !extensible && !unknown.is_empty() {
            self.mismatch("of a type with extension additions");
        } else if !ascending || unknown.first().is_some_and(|first| first.index < known_additions(components)) {
            self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
    }

    fn choice(
        &mut self,
        alternatives: &'m [Alternative],
        extensible: bool,
        data: &dyn Data,
        scope: Option<&Scope<'_>>,
    ) {
        match (data.alternative(), data.unknown()) {
            (Some((index, inner)), _) => match alternatives.get(index) {
                Some(alternative) => self.inside(Step::Name(&alternative.name), alternative.type_id, inner, scope),
                None => {
                    let kind = ErrorKind::ChoiceIndex { index: index as u64, count: alternatives.len() as u64 };
                    self.report("choice.index", kind.to_string());
                }
            },
            (None, [unknown]) if extensible => {
                let known = alternatives.iter().filter(|alternative| alternative.addition).count();
                if (unknown.index as usize) < known {
                    self.mismatch("a CHOICE whose unknown alternative comes after the known ones");
                }
            }
            _ => self.mismatch("a CHOICE"),
        }
    }

    fn open(&mut self, table: &Table, data: &dyn Data, scope: Option<&Scope<'_>>) {
        match (data.alternative(), data.scalar()) {
            (Some((row, inner)), _) => {
                // Without a link, each row may be.
                if !table.link.is_empty() && row_of(self.model, table, scope) != Some(row) {
                    self.mismatch("of the type that this open type's identifier selects");
                }
                if let Some((_, id)) = table.rows.get(row) {
                    self.value(*id, inner, scope);
                }
            }
            (None, Scalar::Octets(_)) => match row_of(self.model, table, scope) {
                Some(row) if self.which.contents => {
                    if let Some((_, id)) = table.rows.get(row) {
                        self.stayed_octets(*id, data.scalar());
                    }
                }
                None if !table.extensible && !table.link.is_empty() => {
                    self.mismatch("one of its object set, which is not extensible");
                }
                _ => {}
            },
            _ => self.mismatch("an open type"),
        }
    }

    /// Whether it is known which type a content is of.
    fn is_told(&self, content: TypeId, scope: Option<&Scope<'_>>) -> bool {
        match &self.model.get(content).kind {
            Kind::Open { table: None } => false,
            Kind::Open { table: Some(table) } => row_of(self.model, table, scope).is_some(),
            _ => true,
        }
    }

    fn stayed_octets(&mut self, content: TypeId, scalar: Scalar<'_>) {
        let name = self.model.get(content).name.as_ref().map_or("its type", |name| name.name.as_str());
        let digits = bits(scalar).map(|(octets, _)| octets.to_vec()).or_else(|| match scalar {
            Scalar::Octets(octets) => Some(octets.to_vec()),
            _ => None,
        });
        let value = digits.map(|octets| Offending::of_octets(&octets));
        let message = format!("the content is not an encoding of {name}, and stays as it is");
        self.broken(CONTENT, message, value, format!("(CONTAINING {name})"));
    }

    fn inside(&mut self, step: Step<'m>, id: TypeId, data: &dyn Data, scope: Option<&Scope<'_>>) {
        self.steps.push(step);
        self.value(id, data, scope);
        self.steps.pop();
    }

    fn mismatch(&mut self, expected: &str) {
        self.report("value.mismatch", format!("the value is not {expected}"));
    }

    /// Reports a value that is not of its type.
    fn report(&mut self, code: &'static str, message: impl Into<String>) {
        self.broken(code, message, None, "");
    }

    /// Reports a value that breaks a constraint of its type.
    fn broken(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        value: Option<Offending>,
        constraint: impl Into<String>,
    ) {
        if self.which.contents && self.found.len() >= MOST {
            return;
        }
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Name(name) if path.is_empty() => path.push_str(name),
                Step::Name(name) => path.extend([".", name]),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        self.found.push(Violation { path, message: message.into(), code, value, constraint: constraint.into() });
    }
}

/// A permitted alphabet in ASN.1 notation.
fn alphabet_text(permitted: &[(u32, u32)]) -> String {
    const SHOWN: usize = 16;
    let name = |code| char::from_u32(code).filter(|one| !one.is_control());
    let quoted = |code| match name(code) {
        Some('"') => "\"\"\"\"".to_owned(),
        Some(one) => format!("\"{one}\""),
        None => format!("{{0, 0, {}, {}}}", code >> 8, code & 0xff),
    };
    let mut parts: Vec<String> = permitted
        .iter()
        .take(SHOWN)
        .map(
            |(first, last)| {
                if first == last { quoted(*first) } else { format!("{}..{}", quoted(*first), quoted(*last)) }
            },
        )
        .collect();
    if permitted.len() > SHOWN {
        parts.push("…".into());
    }
    format!("(FROM({}))", parts.join(" | "))
}

fn article(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "a BOOLEAN",
        Kind::Null => "NULL",
        Kind::Real { .. } => "a REAL",
        Kind::Enumerated(_) => "an enumeration item",
        Kind::OctetString { .. } => "an OCTET STRING",
        Kind::ObjectIdentifier | Kind::RelativeOid => "an object identifier",
        Kind::Open { .. } => "an open type",
        _ => "text",
    }
}
