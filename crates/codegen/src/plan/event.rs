//! Statements of functions that write or read a stream of events.

use roadwire_model::TypeId;

use super::{Block, Element, Place, Str, Var};

/// Statements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// A string that is empty ends at once, by a code; otherwise `full` reads it.
    OrEmpty {
        string: Str,
        code: u8,
        second: u8,
        full: Block,
    },
    /// Writes or reads any bits, with their codes.
    PutBits {
        id: TypeId,
        place: Place,
        form: Form,
    },
    TakeBits {
        id: TypeId,
        place: Place,
        form: Form,
    },
    /// Reads up to 56 bits after the number of their octets and that of the unused bits.
    TakeFewBits {
        place: Place,
        octets: Var,
        unused: Var,
        count: Var,
        bounds: (u64, u64),
    },
    /// Reads octets of any number, which is checked before memory is taken.
    TakeOctets {
        place: Place,
        count: Var,
    },
    /// Writes so many characters of an alphabet, or a reference to an equal string that came
    /// before.
    PutText {
        place: Place,
        count: Var,
        alphabet: Vec<u32>,
        partition: String,
    },
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
pub(crate) struct Form {
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    pub(crate) trim: bool,
    pub(crate) code: u8,
}

/// Elements after event codes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Repeat {
    pub(crate) element: Element,
    pub(crate) place: Place,
    /// Variables: the number of elements so far, the code, and its width.
    pub(crate) at: Var,
    pub(crate) code: Var,
    pub(crate) width: Var,
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    /// The widths of codes: where an element has to follow, where one may, and at the upper bound.
    pub(crate) single: u8,
    pub(crate) either: u8,
    pub(crate) last: u8,
    /// How many first events an element has.
    pub(crate) events: u32,
    pub(crate) is_bounded: bool,
    pub(crate) body: Block,
}
