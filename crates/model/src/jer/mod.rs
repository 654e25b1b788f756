//! JER (X.697): values as JSON, for people and for tests.
//!
//! | type | JSON |
//! |---|---|
//! | BOOLEAN, NULL | `true`, `false`, `null` |
//! | INTEGER | a number of any size, without fraction and exponent |
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
//! | open type | the value inside, where the enclosing value says which type it has; a hexadecimal string otherwise |
//!
//! **Extensible types.** A member that the type does not know is ignored in an extensible SEQUENCE or SET, as a value of a later version
//! may have it, and an error elsewhere. [`Options::strict`] makes it an error everywhere, which is what finds
//! misspelt names of optional components.
//!
//! **Our extension.** What a decoder kept without knowing its type has no JER form. So that nothing is lost it gets
//! a name that no ASN.1 identifier can have, `"...N"`, where N is its place among all extension additions, counted from 0:
//! a member `"...2": "octets"` of a SEQUENCE, the alternative `{"...0": "octets"}` of a CHOICE, the item `"...1"` of an ENUMERATED. The content
//! of an open type that has a type but was not decoded is `{"...": "octets"}`. The octets are in
//! the encoding rules that the value was decoded from, and are good for these rules only.
//!
//! The contents of BIT STRING and OCTET STRING (CONTAINING ...) are their octets; the form `{"containing": ...}` is refused.
//!
//! Constraints are not checked: an encoder does that, and [`check`](crate::check).

mod error;
mod leaves;
mod lexer;
mod names;
mod open;
mod read;
mod scalars;
mod write;

pub use error::JerError;
pub(crate) use read::known_additions;
pub use read::{Options, read, read_into, read_with};
pub use write::{Style, write, write_data, write_pretty, write_to};
