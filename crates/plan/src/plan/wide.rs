//! INTEGERs that have their own octets in memory, in plans that stand alone.

use roadwire_layout::Form;

use super::{Arg, Place, Var};

/// An INTEGER of any length in a place, and how it is coded.
#[derive(Clone, Debug, PartialEq)]
pub struct Wide {
    pub place: Place,
    pub coding: Coding,
    pub range: Range,
}

/// The bounds of an INTEGER in two's complement, the highest octet first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Range {
    pub lower: Option<Vec<u8>>,
    pub upper: Option<Vec<u8>>,
    /// Whether each number outside is refused as too wide. Elsewhere those of more than 128 bits
    /// are.
    pub is_far: bool,
}

/// How an INTEGER of any length is coded.
#[derive(Clone, Debug, PartialEq)]
pub enum Coding {
    /// The distance from a number in so many bits, which may begin at an octet border.
    Field { bits: u32, is_aligned: bool, from: Vec<u8> },
    /// The distance from the least number in as few octets as hold it, which begin at an octet
    /// border: before them, less one, their number in so many bits, which may be aligned as well.
    Counted { bits: u8, is_aligned: bool },
    /// Octets after a length determinant of packed rules.
    Determined { form: Form, is_aligned: bool },
    /// Octets after a length of octet rules.
    Definite(Form),
    /// As few octets as hold it, after a tag and their length.
    Element { tag: Arg },
    /// A variable with these octets.
    Contents(Var),
    /// The same after a field's key.
    Keyed(Vec<Arg>),
    /// A data item.
    Item,
    /// Groups of seven bits, after a sign if it has one.
    Groups { is_signed: bool },
    /// Decimal digits.
    Digits,
}
