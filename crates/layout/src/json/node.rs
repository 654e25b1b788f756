//! The node kinds of JSON text (RFC 8259).

use crate::index::{Items, NodeId, Span};

/// An element of a JSON text. Decoders accept any equivalent JSON: white space between tokens, any
/// escapes, members in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JsonNode {
    /// All of the input: one value, and white space around it.
    Document {
        /// The value.
        content: NodeId,
    },
    /// `null`
    Nothing,
    /// `true` or `false`
    Truth,
    /// A number without fraction and exponent.
    Number {
        /// Smallest value; `i128::MIN` without a bound; then even smaller values are allowed.
        lower: i128,
        /// Greatest value; `i128::MAX` likewise.
        upper: i128,
    },
    /// A number, or a string for values that are not JSON numbers: `"-0"`, `"INF"`, `"-INF"`,
    /// `"NaN"`.
    Float,
    /// One of some names, as a string.
    Item {
        /// How many items are in the root.
        root: u32,
        /// How many additions, or `None` without an extension marker; with one, the string `...N`
        /// is addition N, whose name is not known.
        additions: Option<u32>,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
    },
    /// A bit string as hexadecimal digits in a string, the last octet padded with zero bits; alone
    /// if its size is fixed, else `{"value": digits, "length": bits}`.
    BitDigits {
        /// The fixed size.
        fixed: Option<u64>,
        /// Fewest bits.
        lower: u64,
        /// Most bits.
        upper: u64,
        /// Whether trailing zero bits are added or removed where the size asks for it (named bits,
        /// X.680 §22.7). Those of a value within the size stay.
        trim: bool,
    },
    /// Octets as hexadecimal digits in a string.
    Digits {
        /// Fewest octets.
        lower: u64,
        /// Most octets.
        upper: u64,
    },
    /// A string.
    Quoted {
        /// Fewest characters.
        lower: u64,
        /// Most characters.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in
        /// [`Layout::numbers`](crate::Layout::numbers); any character if it is empty.
        alphabet: Span,
    },
    /// An object identifier as a string of numbers with dots between them.
    Dotted {
        /// Whether it is a relative one.
        relative: bool,
    },
    /// An array.
    Array {
        /// Fewest elements.
        lower: u64,
        /// Most elements.
        upper: u64,
        /// The element.
        element: NodeId,
    },
    /// An object with a member for each component.
    Object {
        /// How many components the type has.
        components: u32,
        /// The components in textual order.
        members: Span,
        /// Groups of members that are present together or not at all, except for optional members:
        /// pairs of first index and count, in [`Layout::numbers`](crate::Layout::numbers).
        groups: Span,
        /// How many extension additions are known (a group is one).
        additions: u32,
        /// Whether there may be other members: `"...N": octets` for additions from another
        /// encoding, and those that `others` allows.
        extensible: bool,
        /// How other members are handled.
        others: Others,
        /// Whether one of its members is or contains a [`Node::Key`](crate::Node::Key), which must
        /// then be read before the others.
        keyed: bool,
    },
    /// An object some of whose members are there if others have certain values: in the presentation
    /// language.
    Conditional {
        /// The object.
        object: NodeId,
        /// In [`Layout::numbers`](crate::Layout::numbers): the tests of each component, as in
        /// [`VectorNode::Struct`](crate::VectorNode::Struct).
        tests: Span,
    },
    /// An object with one member, an alternative.
    Single {
        /// The alternatives in textual order.
        alternatives: Span,
        /// How many of them are extension additions.
        additions: u32,
        /// Whether there may be another alternative: `{"...N": octets}`, and those that `others`
        /// allows.
        extensible: bool,
        /// How another alternative is handled.
        others: Others,
    },
    /// The octets of an encoding as hexadecimal digits in a string: an open type whose content type
    /// is unknown.
    OpenDigits,
    /// A value of the type in the selected row of a table ([`Node::Key`](crate::Node::Key));
    /// `{"...": digits}` if the message in memory has octets.
    Selected {
        /// Where the row is.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`](crate::Layout::numbers).
        rows: Span,
    },
}

/// How a member or alternative that the type does not have is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// It is an error.
    Refused,
    /// It is ignored.
    Ignored,
    /// It is kept: its name and its value, as in the text.
    Kept,
}
