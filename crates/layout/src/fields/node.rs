//! The node kinds of values after field numbers (Protocol Buffers, "Encoding").

use roadwire_wire::rt::fields::WireType;
use roadwire_wire::rt::varint;

use crate::index::{Items, NodeId, Span};

/// A field number and wire type, as on the wire: the number above the three bits of the
/// [`WireType`].
pub type Key = u32;

/// An element of a message that consists of fields in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldNode {
    /// Fields up to the end: one for each component that is present.
    Message {
        /// How many components the type has.
        components: u32,
        /// The components in ascending order of their numbers; each is a [`FieldNode::Single`] or
        /// [`FieldNode::Repeated`].
        members: Span,
        /// Groups of members that are present together or not at all, except for optional members:
        /// pairs of first index and count, in [`Layout::numbers`](crate::Layout::numbers).
        groups: Span,
        /// How many extension additions are known (a group is one).
        additions: u32,
        /// Whether there may be fields with other numbers.
        extensible: bool,
    },
    /// One field up to the end: an alternative.
    Choice {
        /// The alternatives in textual order; each is a [`FieldNode::Single`].
        alternatives: Span,
        /// How many of them are extension additions.
        additions: u32,
        /// Whether there may be another.
        extensible: bool,
    },
    /// One field up to the end, which is the value.
    Wrapped {
        /// The field: a [`FieldNode::Single`] or [`FieldNode::Repeated`].
        field: NodeId,
    },
    /// A value after its key. If there are several, the last one counts; messages are merged.
    Single {
        /// The key.
        key: Key,
        /// The value.
        content: NodeId,
    },
    /// Elements after keys.
    Repeated {
        /// The key of each element, or of all together.
        key: Key,
        /// The element.
        element: NodeId,
        /// Fewest elements.
        lower: u64,
        /// Most elements; `u64::MAX` without a bound.
        upper: u64,
        /// Whether all elements are written together, after one key and their length; both forms
        /// are read.
        packed: bool,
    },
    /// A value of whole octets after their length.
    Delimited {
        /// The value.
        content: NodeId,
    },
    /// BOOLEAN: a varint that is 0 or 1; any other number is read as TRUE.
    Truth,
    /// An integer as a varint.
    Number {
        /// How the integer is mapped to the varint.
        sign: Sign,
        /// Smallest value.
        lower: i128,
        /// Greatest value.
        upper: i128,
    },
    /// The number of an enumeration item as a varint; a negative one takes ten octets.
    Item {
        /// The items' numbers by ordinal, in [`Layout::numbers`](crate::Layout::numbers): the high
        /// and the low 32 bits of each.
        values: Span,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
        /// Whether an unknown number is an item of a later version.
        extensible: bool,
    },
    /// A bit string of up to 64 bits as a varint: bit n of the string is the one of value 2^n.
    Flags {
        /// Fewest bits.
        lower: u8,
        /// Most bits.
        upper: u8,
        /// Whether trailing zero bits have no meaning (named bits); otherwise the size is fixed.
        trim: bool,
    },
    /// REAL in the 64-bit binary interchange format of IEEE 754, least significant octet first.
    Double,
}

/// How an integer is mapped to a varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The integer, which is not negative.
    Unsigned,
    /// The integer in two's complement of 64 bits: a negative one takes ten octets.
    Signed,
    /// Twice the integer; for a negative one, twice its complement plus 1.
    Zigzag,
}

impl Sign {
    /// The integer for a varint.
    #[inline]
    #[must_use]
    pub const fn read(self, varint: u64) -> i128 {
        match self {
            Sign::Unsigned => varint as i128,
            Sign::Signed => varint as i64 as i128,
            Sign::Zigzag => varint::unzigzag(varint) as i128,
        }
    }

    /// The varint for an integer between the bounds.
    #[inline]
    #[must_use]
    pub const fn write(self, number: i128) -> u64 {
        match self {
            Sign::Unsigned | Sign::Signed => number as u64,
            Sign::Zigzag => varint::zigzag(number as i64),
        }
    }
}

impl FieldNode {
    /// The field number of a [`FieldNode::Single`] or [`FieldNode::Repeated`].
    #[inline]
    #[must_use]
    pub const fn number(&self) -> Option<u32> {
        match *self {
            FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. } => Some(key >> 3),
            _ => None,
        }
    }

    /// The wire type of what follows a key.
    #[must_use]
    pub const fn wire_type(&self) -> WireType {
        match self {
            FieldNode::Truth | FieldNode::Number { .. } | FieldNode::Item { .. } | FieldNode::Flags { .. } => {
                WireType::VARINT
            }
            FieldNode::Double => WireType::EIGHT_OCTETS,
            _ => WireType::DELIMITED,
        }
    }
}
