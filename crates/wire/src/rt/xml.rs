//! XML 1.0 as ASN.1's XML encoding rules use it: scanning and escaping, over octets and without
//! heap.
//!
//! Document type declarations are refused, and so are all entities but XML's own five; so no input
//! grows when it is read. Line ends are not normalised: a value that has a carriage return keeps it
//! (X.680 §12.15).

mod character;
mod escape;
mod reader;
mod real;
mod scan;
mod tags;
mod text;
mod writer;

use crate::faults;

pub use character::is_character;
pub use escape::{canonical_reference, control_character, control_element, reference};
pub use reader::fill_word;
pub use real::{real, real_text, special_real};
pub use scan::{misc, name, space};
pub use tags::{Attribute, attribute, element, end_of_tag, end_tag, is_repeated, prolog};
pub use text::Characters;

/// A fault of a text, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Offset of the octet at fault.
    pub at: usize,
    /// What.
    pub what: What,
}

/// A fault of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It ends too soon.
    Truncated,
    /// It is not XML, or not XML that encoding rules use.
    Malformed(faults::Fault),
    /// Elements nest deeper than allowed.
    TooDeep,
}

impl Fault {
    pub(crate) const fn malformed(at: usize, what: faults::Fault) -> Self {
        Fault { at, what: What::Malformed(what) }
    }

    pub(crate) const fn truncated(at: usize) -> Self {
        Fault { at, what: What::Truncated }
    }
}
