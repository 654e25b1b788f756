//! Options for the types in memory.

use crate::usual::Part;

/// Options for the types in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// A SEQUENCE, SET or CHOICE that takes more than this many octets of memory is in a `Box`
    /// wherever it is a component or an alternative, and a list that would take more has all its
    /// elements on the heap.
    pub box_above: u64,
    /// How INTEGERs without a bound are held.
    pub integers: Integers,
    /// How an open type is held whose type another component selects by a table.
    pub open_types: OpenTypes,
    /// How many elements of a list without a bound are stored inline (of numbers and short strings
    /// of fixed length, as many as fit into 32 octets); longer lists are on the heap. With 0, all
    /// are.
    pub elements_in_place: u16,
    /// Octet strings (except short ones of fixed length), contents of open types, and UTF-8 text
    /// without a bound are borrowed from the input: types have its lifetime, and implement
    /// [`Lent`](../roadwire_engine/trait.Lent.html). There is straight-line code for the packed and
    /// octet encoding rules and the presentation language; the interpreter decodes the others.
    pub borrowed: bool,
    /// Parts of messages, as `Type.component`, for which a tap is called while a message is encoded
    /// or decoded: PDUs that contain them implement
    /// [`Tapped`](../roadwire_engine/trait.Tapped.html), under the packed and octet encoding rules
    /// and the presentation language. A part's number is its index here. A part may not be in a
    /// list, or in a recursive type.
    pub tapped: Vec<String>,
    /// The parts of usual messages. Under the packed and octet encoding rules, messages that can
    /// have them get a further version of their straight-line code, which is tried before the
    /// general one: for values that have exactly these optional components and alternatives.
    pub usual: Vec<Part>,
    /// Whether messages are checked against constraints that encoding rules do not take into
    /// account also when decoded; when encoded, they always are.
    pub check_all: bool,
    /// Whether no interpreter stands behind straight-line code. Under the packed and octet encoding
    /// rules, it then keeps additions of a later version itself; and a decoder rejects times that
    /// the encoder would reject.
    pub stands_alone: bool,
    /// For tests: the code of a type with up to this many parts that is used more than once is
    /// written inline at each use; with 0, every part is a function.
    #[doc(hidden)]
    pub written_out: Option<u32>,
}

/// How INTEGERs without a lower or an upper bound are held in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// As [`Integer`](../roadwire_wire/struct.Integer.html): any number, on the heap beyond 64
    /// bits.
    AnyLength,
    /// As `i64`, or as `u64` if they are not negative: other numbers are errors.
    Word,
}

/// How an open type is held in memory, if a table gives its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTypes {
    /// An enum of the types in the table, and of octets where none of them is selected.
    Typed,
    /// Octets. In JER, XER and EXI, values of the types in the table are then refused.
    Octets,
}

impl Options {
    /// The default of [`box_above`](Self::box_above): 16 KiB.
    pub const BOX_ABOVE: u64 = 16_384;
}

impl Default for Options {
    fn default() -> Self {
        Options {
            box_above: Options::BOX_ABOVE,
            integers: Integers::AnyLength,
            open_types: OpenTypes::Typed,
            elements_in_place: 0,
            borrowed: false,
            tapped: Vec::new(),
            usual: Vec::new(),
            check_all: false,
            stands_alone: false,
            written_out: None,
        }
    }
}
