//! How types of the presentation language of IEEE 1609.2-2013 and TS 103 097 V1 are encoded, if
//! their kind does not determine it. ASN.1 types have no such properties: there the encoding rules
//! determine everything.

mod holds;

/// How values of a type are encoded. Integers of a fixed width have none: their width follows from
/// their range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coding {
    /// An INTEGER that begins with one bit 1 for each further octet.
    Variable,
    /// An INTEGER with such first bits, where the numbers of each length start after those of the
    /// shorter length: 0x80 is the first number of two octets.
    Psid,
    /// An ENUMERATED: its item's number in this many octets.
    Item(u8),
    /// A BIT STRING with seven bits for each octet, last bit first, after one bit 1 for each
    /// further octet.
    Flags,
    /// A CHOICE: the number of its alternative, and then its value.
    Choice {
        /// The width of the number in octets.
        octets: u8,
        /// The alternatives' numbers, in textual order.
        numbers: Vec<u64>,
    },
    /// An OCTET STRING or SEQUENCE OF, after its length in octets.
    Vector(Vector),
    /// A SEQUENCE in which some components are present only if earlier ones have certain values:
    /// for each component the tests that must all be true. All such components are OPTIONAL.
    Struct(Vec<Vec<Test>>),
}

/// A vector of variable length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// How its length is encoded.
    pub length: Length,
    /// The required order of its elements; not checked by decoders.
    pub order: Option<Order>,
}

/// How the length of a vector in octets is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As a [`Coding::Variable`] integer: `<var>`.
    Variable,
    /// In as many octets as the greatest length takes: `<floor..ceiling>`.
    Field {
        /// Fewest octets.
        floor: u64,
        /// Most octets.
        ceiling: u64,
    },
}

impl Length {
    /// How many octets a length field takes.
    #[must_use]
    pub const fn field_octets(ceiling: u64) -> u32 {
        (u64::BITS - (ceiling | 1).leading_zeros()).div_ceil(8)
    }
}

/// Elements are CHOICEs in ascending order of their alternatives' numbers, none twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The alternative, by index, that precedes all others.
    pub first: Option<u32>,
}

/// A condition on an earlier component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The component, by index.
    pub component: u32,
    /// The values of which it must have one.
    pub among: Among,
    /// Whether it must have none of them instead.
    pub negated: bool,
}

/// The values of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Among {
    /// Items of an ENUMERATED, by ordinal.
    Items(Vec<u32>),
    /// Values of an INTEGER.
    Numbers(Vec<u32>),
    /// A BIT STRING in which one of these bits is 1.
    Bits(Vec<u32>),
    /// Alternatives of a CHOICE, by index.
    Alternatives(Vec<u32>),
    /// A SEQUENCE OF CHOICE in which some element has one of these alternatives, by index.
    Elements(Vec<u32>),
}
