//! Documents as streams of events: starts and ends of elements, and their content, each after an
//! event code that selects it among the events that can come next (EXI §6.2).
//!
//! The event before determines which these are. So a node has the width of the code *after* it; an
//! executor reads the code there, and counts it down for each component that is absent.

use crate::index::{Items, Name, NodeId, Span};

/// A part of a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventNode {
    /// A header (EXI §5), and a document of one element (§8.5.1).
    Document {
        /// The element.
        element: NodeId,
        /// Whether every event that is not in the schema is excluded (§8.5.4.4.2). Otherwise each
        /// event code has one more value, which introduces the other events (§8.5.4.4.1).
        strict: bool,
    },
    /// An element with child elements, or without content.
    Element {
        /// Its name.
        name: Name,
        /// Its content.
        content: NodeId,
        /// Width of the code after it.
        follow: u8,
    },
    /// An element that contains a value.
    Leaf {
        /// Its name.
        name: Name,
        /// The value.
        value: NodeId,
        /// Width of the codes of the value and of the element's end.
        code: u8,
        /// Width of the code after it.
        follow: u8,
    },
    /// No content.
    Empty {
        /// Width of the code in front.
        first: u8,
    },
    /// Components one after the other.
    Sequence {
        /// How many components the type has in all.
        components: u32,
        /// The components, including sequences that have no element of their own.
        members: Span,
        /// The addition groups in [`Layout::numbers`](crate::Layout::numbers): pairs of first
        /// member and number of members. A member may be absent if its whole group is.
        groups: Span,
        /// Width of the code in front; `None` if they have no element around them, since the code
        /// is then part of the outer sequence.
        first: Option<u8>,
        /// Whether the type has an extension marker.
        extensible: bool,
    },
    /// One of the alternatives.
    Choice {
        /// The alternatives: each an element, or what has no element of its own.
        alternatives: Span,
        /// For each alternative the first of its values of the code in front, and then how many
        /// values there are in all: in [`Layout::numbers`](crate::Layout::numbers). Empty if each
        /// has one value.
        starts: Span,
        /// Width of the code in front; `None` if they have no element around them, since the code
        /// is then part of what is around them.
        first: Option<u8>,
        /// The last alternative of an open type: an element for the octets of a value of unknown
        /// type.
        octets: Option<NodeId>,
    },
    /// Elements of one kind.
    Repeat {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
        /// The element, or a CHOICE that has no element of its own, without a code after it.
        element: NodeId,
        /// How many events can begin it: one, or those of the CHOICE.
        events: u32,
        /// Width of a code where it has to come.
        single: u8,
        /// Width of a code where it may come, or the end.
        either: u8,
        /// Width of the end's code after the most of them, if the grammar counts them.
        last: u8,
        /// Whether the grammar counts up to the upper bound, after which only one event is
        /// possible.
        bounded: bool,
    },
    /// An integer that is not encoded as an offset in a fixed number of bits.
    Integer {
        /// A node with its bounds.
        range: NodeId,
        /// How it is encoded.
        number: Number,
    },
    /// The number of an enumeration item.
    ItemNumber {
        /// The items' numbers by ordinal, in [`Layout::numbers`](crate::Layout::numbers): the high
        /// and the low 32 bits of each.
        values: Span,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
        /// How it is encoded.
        number: Number,
    },
    /// Octets after their number (§7.1.1).
    Octets {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
    },
    /// Bits as octets after their number. Unless the size is fixed, an attribute has the number of
    /// unused bits of the last octet, in three bits.
    Bits {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
        /// Whether trailing zero bits have no meaning.
        trim: bool,
        /// Width of the codes before the attribute and before the value.
        code: u8,
    },
    /// The number of characters and their codes, or the string table index of an equal string that
    /// came before (§7.3.3).
    Text {
        /// Fewest characters.
        lower: u64,
        /// Most characters; `u64::MAX` without a bound.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in
        /// [`Layout::numbers`](crate::Layout::numbers), ascending; empty if all are permitted.
        alphabet: Span,
    },
    /// REAL: two integers, the mantissa and the exponent of ten (§7.1.4).
    Real,
    /// The numbers of OBJECT IDENTIFIER (or RELATIVE-OID), a list of unsigned integers after their
    /// number (§7.1.11).
    Arcs {
        /// Whether it is RELATIVE-OID.
        relative: bool,
    },
}

/// How an integer is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// As the offset from a base, in a fixed number of bits (§7.1.9).
    Bits {
        /// How many.
        bits: u8,
        /// The value that 0 stands for.
        base: i16,
    },
    /// As an unsigned integer: groups of seven bits, least significant first, each after a bit that
    /// says whether another group follows (§7.1.6).
    Unsigned,
    /// A bit for the sign, and then an unsigned integer: the value, or the complement of a negative
    /// value (§7.1.5).
    Signed,
}

impl EventNode {
    /// Width of the second part of an event code where an element may begin with a value or an
    /// attribute (§8.5.4.4.1).
    pub const SECOND_PART: u8 = 3;

    /// More character strings are not counted.
    pub const MANY: u32 = 65;
}
