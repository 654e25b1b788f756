//! The node kinds of the presentation language of TS 103 097 V1 and IEEE 1609.2-2013: all are whole
//! octets. Types that other encodings have as well (integers of fixed width, strings and lists of
//! fixed size, records of mandatory components) use the shared nodes.

use crate::index::{Items, NodeId, Span};

/// An element of such an encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VectorNode {
    /// A number that begins with one bit 1 for each further octet (IntX).
    Variable,
    /// A number with such first bits, where the numbers of each length start after those of the
    /// shorter length (PSID).
    Psid,
    /// An enumeration item's number.
    Item {
        /// Width in bits.
        bits: u8,
        /// Whether other numbers are kept.
        extensible: bool,
        /// The items' numbers, by ordinal, in [`Layout::numbers`](crate::Layout::numbers).
        values: Span,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
    },
    /// A bit string with seven bits for each octet, after one bit 1 for each further octet, and
    /// a 0.
    Flags {
        /// How many octets.
        octets: u8,
    },
    /// A number, and then the alternative with this number. An unknown number is followed by a
    /// length and octets, which are kept.
    Choice {
        /// Width of the number in bits.
        bits: u8,
        /// Whether other numbers are kept.
        extensible: bool,
        /// The alternatives.
        alternatives: Span,
        /// Their numbers in [`Layout::numbers`](crate::Layout::numbers).
        numbers: Span,
    },
    /// An octet string after its length.
    Octets {
        /// Width of the length in bits; 0 if it is a variable-length number.
        field: u8,
        /// Fewest octets.
        lower: u64,
        /// Most octets.
        upper: u64,
    },
    /// Elements one after the other, after their length in octets.
    Vector {
        /// Width of the length in bits; 0 if it is a variable-length number.
        field: u8,
        /// Fewest octets.
        floor: u64,
        /// Most octets.
        ceiling: u64,
        /// Fewest elements.
        lower: u32,
        /// Most elements.
        upper: u32,
        /// The element.
        element: NodeId,
    },
    /// Components one after the other; some are present only if earlier ones have certain values.
    Struct {
        /// How many components the type has.
        components: u32,
        /// The components; a mandatory one has no tests.
        members: Span,
        /// In [`Layout::numbers`](crate::Layout::numbers): for each member the number of its tests;
        /// for each [`Test`] the component, twice the index of the sort (plus 1 if negated), the
        /// number of values, the values.
        tests: Span,
    },
}

/// A condition on an earlier component, for another one to be present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test<'l> {
    /// The component, by its index in textual order.
    pub component: u32,
    /// The sort of the values.
    pub sort: Sort,
    /// Whether it must have none of the values.
    pub negated: bool,
    /// The values.
    pub values: &'l [u32],
}

/// The sort of a test's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Ordinals of enumeration items.
    Items,
    /// Integers.
    Numbers,
    /// Indexes of bits, of which one must be 1.
    Bits,
    /// Alternatives, in textual order.
    Alternatives,
    /// Alternatives, of which some element of the list must have one.
    Elements,
}

impl Sort {
    /// All, in the order of their numbers.
    pub const ALL: [Sort; 5] = [Sort::Items, Sort::Numbers, Sort::Bits, Sort::Alternatives, Sort::Elements];
}
