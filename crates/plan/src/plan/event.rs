//! Statements of functions that write or read a stream of events.

use roadwire_model::TypeId;

use super::{Block, Element, Place, Str, Var};

/// Statements.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A string that is empty ends at once, by a code; otherwise `full` reads it.
    OrEmpty { string: Str, code: u8, second: u8, full: Block },
    /// Writes any bits, with their codes.
    PutBits { id: TypeId, place: Place, form: Form },
    /// Reads any bits, with their codes.
    TakeBits { id: TypeId, place: Place, form: Form },
    /// Reads up to 56 bits after the number of their octets and that of the unused bits.
    TakeFewBits { place: Place, octets: Var, unused: Var, count: Var, bounds: (u64, u64) },
    /// Reads octets of any number, which is checked before memory is taken.
    TakeOctets { place: Place, count: Var },
    /// Writes so many characters of an alphabet, or a reference to an equal string that came
    /// before.
    PutText { place: Place, count: Var, alphabet: Vec<u32>, partition: String },
    /// Reads characters of an alphabet, of which there are two less than `number`, or a reference.
    /// Without a partition, no string can refer to another.
    TakeText {
        id: TypeId,
        place: Place,
        number: Var,
        alphabet: Vec<u32>,
        bounds: (u64, u64),
        partition: Option<String>,
    },
    /// Reads elements, each after an event code.
    Repeat(Box<Repeat>),
}

/// A bit string in its element: its bounds, whether trailing zero bits have no meaning, and the
/// width of its codes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Form {
    pub lower: u64,
    pub upper: u64,
    pub trim: bool,
    pub code: u8,
}

/// Elements after event codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    pub element: Element,
    pub place: Place,
    /// Variables: the number of elements so far, the code, and its width.
    pub at: Var,
    pub code: Var,
    pub width: Var,
    pub codes: Codes,
    pub is_bounded: bool,
    pub body: Block,
}

/// The event codes of a list with these bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Codes {
    pub lower: u64,
    pub upper: u64,
    /// The widths of codes: where an element has to follow, where one may, and at the upper bound.
    pub single: u8,
    pub either: u8,
    pub last: u8,
    /// How many first events an element has.
    pub events: u32,
}
