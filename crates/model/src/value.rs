//! Dynamic values.

use num_bigint::BigInt;

/// A value of any type. Positions, not names, tie it to its [`Type`](crate::Type): component `i` of a
/// SEQUENCE is the `i`-th of [`Kind::Sequence`](crate::Kind::Sequence)'s components, and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing yet: what a decoder fills.
    #[default]
    Unset,
    /// NULL
    Null,
    /// BOOLEAN
    Boolean(bool),
    /// INTEGER
    Integer(BigInt),
    /// ENUMERATED, by ordinal: place among root items and then additions. An ordinal past the last is an
    /// addition that this version of the module does not know: the root's count plus its extension index.
    Enumerated(u32),
    /// REAL
    Real(f64),
    /// BIT STRING: octets, first bit most significant, unused bits of the last octet zero.
    BitString {
        /// The bits.
        octets: Vec<u8>,
        /// How many there are.
        bits: usize,
    },
    /// OCTET STRING
    OctetString(Vec<u8>),
    /// OBJECT IDENTIFIER or RELATIVE-OID: its arcs.
    Oid(Vec<BigInt>),
    /// Any character string or time type. Those without a known repertoire (TeletexString and the like) hold
    /// one character U+0000..U+00FF for each octet.
    Text(String),
    /// SEQUENCE or SET: one place for each component, `None` where absent.
    Sequence {
        /// The components, in the order of the type.
        components: Vec<Option<Value>>,
        /// Extension additions that this version of the module does not know.
        unknown: Vec<Unknown>,
    },
    /// SEQUENCE OF or SET OF
    List(Vec<Value>),
    /// CHOICE: which alternative, and its value.
    Choice(u32, Box<Value>),
    /// CHOICE: an alternative that this version of the module does not know.
    UnknownChoice(Unknown),
    /// An open type whose inner type is known and decoded: row of the table.
    Open(u32, Box<Value>),
    /// An open type whose content is kept as octets.
    OpenOctets(Vec<u8>),
}

pub use roadwire_wire::Unknown;
