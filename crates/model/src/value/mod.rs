//! Dynamic values.

mod integer;
mod oid;

pub use integer::Integer;
pub use oid::Oid;
pub use roadwire_wire::Unknown;

/// A value of any type. Positions, not names, tie it to its [`Type`](crate::Type): component `i` of
/// a SEQUENCE is the `i`-th of [`Kind::Sequence`](crate::Kind::Sequence)'s components, and so on.
///
/// Dropping, cloning and comparing a value recurse as deep as it is nested, so code that builds one
/// from input must observe [`Value::MAX_DEPTH`].
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing yet, to be filled by a decoder.
    #[default]
    Unset,
    /// NULL
    Null,
    /// BOOLEAN
    Boolean(bool),
    /// INTEGER
    Integer(Integer),
    /// ENUMERATED, by ordinal: index among root items and then additions. An ordinal past the last
    /// is an addition that this version of the module does not know: the root's count plus its
    /// extension index.
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
    /// OCTET STRING, or an open type whose content is kept as octets.
    OctetString(Vec<u8>),
    /// OBJECT IDENTIFIER or RELATIVE-OID
    Oid(Oid),
    /// Any character string or time type. Those without a known repertoire (such as TeletexString)
    /// hold one character U+0000..U+00FF for each octet.
    Text(String),
    /// SEQUENCE or SET
    Sequence {
        /// The components, in the order of the type, `None` if absent.
        components: Vec<Option<Value>>,
        /// Extension additions that this version of the module does not know, ascending by index.
        unknown: Vec<Unknown>,
    },
    /// SEQUENCE OF or SET OF
    List(Vec<Value>),
    /// CHOICE: which alternative, and its value. Also an open type whose inner type is known and
    /// decoded: row of its table, and the value inside.
    Choice(u32, Box<Value>),
    /// CHOICE: an alternative that this version of the module does not know.
    UnknownChoice(Unknown),
}

impl Value {
    /// How many levels (SEQUENCE, SET, SEQUENCE OF, SET OF, CHOICE, open type) a value read from
    /// input may have.
    pub const MAX_DEPTH: usize = 100;

    /// A SEQUENCE or SET without unknown additions.
    #[must_use]
    pub fn sequence(components: impl IntoIterator<Item = Option<Value>>) -> Self {
        Value::Sequence { components: components.into_iter().collect(), unknown: Vec::new() }
    }

    /// A CHOICE.
    #[must_use]
    pub fn choice(alternative: u32, value: impl Into<Value>) -> Self {
        Value::Choice(alternative, Box::new(value.into()))
    }

    /// The first `bits` bits of `octets`; bits past the octets' end are zero.
    #[must_use]
    pub fn bit_string(octets: &[u8], bits: usize) -> Self {
        let mut octets = octets.to_vec();
        octets.resize(bits.div_ceil(8), 0);
        if let (Some(last), used @ 1..) = (octets.last_mut(), bits % 8) {
            *last &= 0xffu8 << (8 - used);
        }
        Value::BitString { octets, bits }
    }
}

macro_rules! from {
    ($($source:ty => $variant:ident),*) => { $(
        impl From<$source> for Value {
            fn from(value: $source) -> Self {
                Value::$variant(value.into())
            }
        }
    )* };
}
from!(bool => Boolean, i32 => Integer, i64 => Integer, u64 => Integer, i128 => Integer, num_bigint::BigInt => Integer,
    Integer => Integer, f64 => Real, Oid => Oid, &str => Text, String => Text);
