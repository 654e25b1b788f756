//! The node kinds of CBOR (RFC 8949).

use crate::index::{Items, NodeId, Span};

/// A data item. A head is its first octets: the major type, and a number in as few octets as hold
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CborNode {
    /// `null`
    Nothing,
    /// `false` or `true`
    Truth,
    /// An integer: in its head, or, beyond 64 bits, a tag 2 or 3 and octets (§3.4.3).
    Integer {
        /// Smallest value; `i128::MIN` without a bound, and then there may be smaller ones than
        /// that.
        lower: i128,
        /// Greatest value; `i128::MAX` likewise.
        upper: i128,
    },
    /// The same with a bound beyond 128 bits: bounds are two's complement octets in
    /// [`Layout::octets`](crate::Layout::octets), none where there is no bound.
    WideInteger {
        /// Smallest value.
        lower: Span,
        /// Greatest value.
        upper: Span,
    },
    /// An enumeration item's own number, as an integer.
    Item {
        /// The items' numbers by ordinal, in [`Layout::numbers`](crate::Layout::numbers): of each
        /// its high and its low 32 bits.
        values: Span,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
        /// Whether a number that no item has is one of a later version's.
        extensible: bool,
    },
    /// REAL: a float of 16, 32 or 64 bits, the shortest that keeps the value (§4.2.2).
    Float,
    /// A bit string in a byte string, zero bits filling up the last octet. Where its size is not
    /// known, the first octet says how many those are (X.690 §8.6.2).
    Bits {
        /// The size that is known.
        fixed: Option<u64>,
        /// Fewest bits.
        lower: u64,
        /// Most bits.
        upper: u64,
        /// Whether zero bits at the end are taken off and added as the size wants it (named bits).
        trim: bool,
    },
    /// An octet string as a byte string.
    Octets {
        /// Fewest octets.
        lower: u64,
        /// Most octets.
        upper: u64,
    },
    /// A character string, or a time, as a text string.
    Text {
        /// Fewest characters.
        lower: u64,
        /// Most characters.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in
        /// [`Layout::numbers`](crate::Layout::numbers), ascending; any character where it is empty.
        alphabet: Span,
    },
    /// An object identifier: contents octets (X.690 §8.19) in a byte string after a tag (RFC 9090).
    Oid {
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
        /// Whether elements are in the order of their encodings (SET OF).
        sorted: bool,
    },
    /// A map with an entry for each component that is present. A member's key is its place, that of
    /// an extension addition the number of members and its place among the additions.
    Map {
        /// How many components the type has in all; [`GROUP`](crate::GROUP) for an addition group,
        /// whose members are its record's components.
        components: u32,
        /// Whether there may be entries with greater keys.
        extensible: bool,
        /// The root's members in textual order.
        members: Span,
        /// The additions known; a group is a map of its own.
        additions: Span,
    },
    /// A map with one entry, an alternative. Its key is its place.
    Choice {
        /// The alternatives: the root's in textual order, and then the additions.
        alternatives: Span,
        /// How many of them are in the root.
        root: u32,
        /// Whether there may be others.
        extensible: bool,
    },
    /// An open type: a data item in a byte string after the tag 24 (§3.4.5.1). Of the type in a row
    /// of a table, as with [`Node::Table`](crate::Node::Table), or of any.
    Embedded {
        /// Where the row is, if there are any rows.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`](crate::Layout::numbers); none without a
        /// table.
        rows: Span,
    },
}
