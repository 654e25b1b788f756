//! JER (X.697) as value notation: values as JSON, for people and for tests. It is the JER codec
//! over a layout without constraints, so that a value that breaks one can be written down;
//! [`check`](roadwire_model::check) finds such constraints.
//!
//! Invariants: text that is written is read as the same value. Every error has a line, a column and
//! a field. Values that break constraints are read and written.
//!
//! Absent on purpose: checks of constraints, and a canonical form, which X.697 does not have.
//!
//! ```
//! use roadwire_notation::Notation;
//! # use roadwire_asn1::{Source, compile};
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let notation = Notation::new(&model, model.find("Demo.Motion").unwrap()).unwrap();
//! let value = notation.read(r#"{ "lane": 3, "speed": 1200 }"#)?;
//! assert_eq!(notation.write(&value)?, r#"{"speed":1200,"lane":3}"#);
//!
//! let error = notation.read("{\n  \"speed\": true\n}").unwrap_err();
//! assert_eq!((error.line, error.column, error.path.as_str()), (2, 12, "speed"));
//! # Ok::<(), roadwire_notation::NotationError>(())
//! ```
//!
//! | type | JSON |
//! |---|---|
//! | BOOLEAN, NULL | `true`, `false`, `null` |
//! | INTEGER | a number of up to 9864 digits (4096 octets), without fraction and exponent |
//! | ENUMERATED | the item's name as a string |
//! | REAL | a number, or `"-0"`, `"INF"`, `"-INF"`, `"NaN"`; `{"base10Value": number}` is read too |
//! | BIT STRING of fixed size | hexadecimal string, zero bits fill the last octet |
//! | other BIT STRING | `{"value": hexadecimal, "length": bits}` |
//! | OCTET STRING | hexadecimal string: written in upper case, read in either |
//! | OBJECT IDENTIFIER, RELATIVE-OID | `"1.2.840"` |
//! | character strings, time types, OID-IRI | string |
//! | SEQUENCE, SET | object; absent components and those at their DEFAULT are left out; members in any order |
//! | SEQUENCE OF, SET OF | array |
//! | CHOICE | `{"alternative": value}` |
//! | open type | the value inside, if the enclosing value selects its type; otherwise a hexadecimal string |
//!
//! **Extensible types.** An unknown member is ignored in an extensible SEQUENCE or SET, since a
//! value of a later version may have it, and is an error elsewhere. With [`Notation::strict`] it is
//! an error everywhere, which finds misspelt names of optional components.
//!
//! **Our extension.** JER has no form for something that a decoder kept without knowing its type.
//! So that nothing is lost, it gets a name that is not an ASN.1 identifier, `"...N"`, where N is
//! its index among all extension additions, counted from 0: a member `"...2": "octets"` of a
//! SEQUENCE, the alternative `{"...0": "octets"}` of a CHOICE, the item `"...1"` of an ENUMERATED.
//! Of an item that came under rules that carry numbers, the number is known and not the index: it
//! is `"...(N)"`. The content of an open type that has a type but was not decoded is
//! `{"...": "octets"}`. The octets are in the encoding rules from which the value was decoded, and
//! valid only for these rules.
//!
//! The content of a BIT STRING or OCTET STRING (CONTAINING ...) is `{"containing": value}`. Octets
//! are also read there, and not decoded.
#![forbid(unsafe_code)]

mod error;
mod names;
mod pretty;
mod unknown;

use roadwire_layout::{Layout, LowerError, value_notation};
use roadwire_model::{Model, TypeId, Value};
use roadwire_wire::{Data, ErrorKind};

pub use error::NotationError;
pub use pretty::indented;

/// The notation of one type.
#[derive(Clone, Debug)]
pub struct Notation {
    layout: Layout,
}

impl Notation {
    /// The notation of a type that ignores unknown members of extensible types.
    ///
    /// # Errors
    /// A type that has no layout.
    pub fn new(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        Ok(Notation { layout: value_notation(model, id, false)? })
    }

    /// The notation of a type that refuses them.
    ///
    /// # Errors
    /// A type that has no layout.
    pub fn strict(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        Ok(Notation { layout: value_notation(model, id, true)? })
    }

    /// The notation of a type that refuses them, and in which an ENUMERATED without an extension
    /// marker may also have unknown items.
    ///
    /// # Errors
    /// A type that has no layout.
    pub fn open(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        Ok(Notation { layout: value_notation(model, id, true)?.for_open_writing() })
    }

    /// The [open](Notation::open) notation of a value that lacks components, because the end of its
    /// message could not be read.
    ///
    /// # Errors
    /// A type that has no layout.
    pub fn of_parts(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        Ok(Notation { layout: Notation::open(model, id)?.layout.for_parts() })
    }

    /// Reads a value.
    ///
    /// # Errors
    /// The text is not JSON, or not of this type.
    pub fn read(&self, text: &str) -> Result<Value, NotationError> {
        let mut value = Value::Unset;
        self.read_into(text, &mut value)?;
        Ok(value)
    }

    /// Reads a value into anything that can hold one. After an error, part of it may have been
    /// filled.
    ///
    /// # Errors
    /// As [`Notation::read`]; `place` cannot hold the value.
    pub fn read_into(&self, text: &str, place: &mut dyn Data) -> Result<(), NotationError> {
        let text = text.as_bytes();
        let read = roadwire_engine::decode(&self.layout, text, place);
        read.map(|_| ()).map_err(|error| NotationError::reading(&self.layout, text, &error))
    }

    /// Writes a value on one line, without spaces.
    ///
    /// # Errors
    /// The value is not of this type.
    pub fn write(&self, value: &dyn Data) -> Result<String, NotationError> {
        let octets = roadwire_engine::encode_to_vec(&self.layout, value, usize::MAX);
        let octets = octets.map_err(|error| NotationError::writing(&error))?;
        String::from_utf8(octets).map_err(|_| NotationError::plain(ErrorKind::Text("not valid UTF-8")))
    }

    /// Writes a value on several lines, indented by two spaces for each level.
    ///
    /// # Errors
    /// As [`Notation::write`].
    pub fn write_pretty(&self, value: &dyn Data) -> Result<String, NotationError> {
        Ok(pretty::indented(&self.write(value)?))
    }
}
