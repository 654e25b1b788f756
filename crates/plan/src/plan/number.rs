//! Numbers: what is read from a place, and what is calculated from it.

use roadwire_model::TypeId;

use super::{Amount, Place, Var};

/// A primitive integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    pub bits: u8,
    pub signed: bool,
}

impl Int {
    /// For what 64 bits do not hold.
    pub(crate) const I128: Int = Int { bits: 128, signed: true };
    pub(crate) const U8: Int = Int { bits: 8, signed: false };
    pub(crate) const I8: Int = Int { bits: 8, signed: true };
    /// 64 bits without a sign.
    pub const U64: Int = Int { bits: 64, signed: false };
    /// 64 bits with a sign.
    pub const I64: Int = Int { bits: 64, signed: true };

    /// All that a number in memory may be, without sign and from narrow to wide first.
    pub(crate) const ALL: [Int; 9] = [
        Int::U8,
        Int { bits: 16, signed: false },
        Int { bits: 32, signed: false },
        Int::U64,
        Int::I8,
        Int { bits: 16, signed: true },
        Int { bits: 32, signed: true },
        Int::I64,
        Int::I128,
    ];

    /// The smallest one without sign that has so many bits, of at most 64.
    pub fn of_bits(bits: u8) -> Int {
        Int { bits: bits.next_power_of_two().clamp(8, 64), signed: false }
    }

    /// The least and the greatest number.
    pub fn bounds(self) -> (i128, i128) {
        match (self.bits, self.signed) {
            (128.., _) => (i128::MIN, i128::MAX),
            (bits, false) => (0, (1 << bits) - 1),
            (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        }
    }
}

/// The octets or the characters of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Str {
    /// Of an octet string in a place.
    Octets(Place),
    /// Of an octet string of fixed size in a place.
    Fixed(Place),
    /// Of a character string in a place.
    Characters(Place),
    /// Octets or text in a variable.
    Var(Var),
}

/// A number of up to 64 bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Num {
    /// A constant.
    Const(u64),
    /// In a stream of bits or octets.
    Amount(Box<Amount>),
    /// A constant with its type: 64 bits without sign.
    Typed(u64),
    /// A number that has been named.
    Var(Var),
    /// The INTEGER in a place.
    Integer(TypeId, Place),
    /// The place of the ENUMERATED's item among all items.
    Ordinal(Place),
    /// The number of the ENUMERATED's item, in a type.
    Item { id: TypeId, place: Place, numbers: Vec<i64>, held: Int, unknown: Unknown },
    /// The number of the ENUMERATED's item; and that of an unknown one.
    ItemCode { id: TypeId, place: Place, numbers: Vec<u32>, unknown: Option<u64> },
    /// A number in the head.
    At { at: usize, octets: usize },
    /// A BOOLEAN as 0 or 1.
    Truth(Place),
    /// A BOOLEAN as 0 or 255.
    TruthOctet(Place),
    /// The bits of a REAL.
    RealBits(Place),
    /// The bits of a named bit string.
    Flags(Place),
    /// Up to 64 bits of a bit string.
    Bits(Place),
    /// How many bits a bit string has.
    BitCount(Place),
    /// How many elements a list has.
    Elements(Place),
    /// How many octets a string has.
    Length(Str),
    /// The same, counted in its slice of octets.
    OctetCount(Str),
    /// How many characters a string has.
    Characters(Str),
    /// How many octets the hexadecimal digits of a variable are.
    Half(Var),
    /// A constant, and one for each condition that holds.
    Sum(u64, Vec<Var>),
    /// A number as another type.
    As(Box<Num>, Int),
    /// The bits of a number under a mask.
    And(Box<Num>, u64),
    /// A number with further bits.
    Or(Box<Num>, u64),
    /// A number shifted left.
    Shl(Box<Num>, u32),
    /// A number shifted right.
    Shr(Box<Num>, u32),
    /// Modulo 2^64.
    Minus(Box<Num>, u64),
    /// Bits before those of a variable.
    OrFront(u64, Var),
    /// A number whose sign is this many bits below the highest.
    SignExtended(Var, u32),
    /// How many octets have been written since a mark.
    Since(Var),
    /// The lowest eight bits of an integer.
    LowOctet(Box<Num>),
    /// A number with sign, as Protocol Buffers have it.
    Zigzag(Var),
    /// The reverse.
    Unzigzag(Var),
    /// All 64 bits in the opposite order, shifted right.
    Reversed(Var, u32),
    /// The bits of a bit string in the opposite order, the first one lowest.
    ReversedBits(Place),
    /// So many bits of a word, the first one lowest, in the opposite order.
    ReversedIn(Var, Var),
    /// How many bits a word needs, at least so many.
    UsedBits(Var, u64),
    /// A number, at least so great.
    Max(Var, u64),
    /// Bits shifted left by those of a width that were not sent.
    ShlMissing { bits: Var, width: u32, sent: Var },
}

/// The number of an item that the schema does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// There is none.
    None,
    /// It is rejected.
    Rejected,
    /// The greatest number.
    Greatest,
}

impl Num {
    /// The number of an item of an ENUMERATED with these numbers, in the order of its items.
    pub(crate) fn item(id: TypeId, place: &Place, numbers: Vec<i64>, held: Int, unknown: Unknown) -> Num {
        let place = place.clone();
        match unknown == Unknown::None && numbers.iter().zip(0..).all(|(number, ordinal)| *number == ordinal) {
            true => Num::Ordinal(place).to(held),
            false => Num::Item { id, place, numbers, held, unknown },
        }
    }

    /// The number as another type.
    pub fn to(self, int: Int) -> Num {
        Num::As(Box::new(self), int)
    }

    /// The number as 64 bits.
    pub(crate) fn widened(self) -> Num {
        Num::Amount(Box::new(Amount::From(self)))
    }

    pub(crate) fn and(self, mask: u64) -> Num {
        Num::And(Box::new(self), mask)
    }

    pub(crate) fn or(self, bits: u64) -> Num {
        if bits == 0 { self } else { Num::Or(Box::new(self), bits) }
    }

    pub(crate) fn shl(self, bits: u32) -> Num {
        if bits == 0 { self } else { Num::Shl(Box::new(self), bits) }
    }

    pub(crate) fn shr(self, bits: u32) -> Num {
        if bits == 0 { self } else { Num::Shr(Box::new(self), bits) }
    }

    pub(crate) fn minus(self, number: u64) -> Num {
        Num::Minus(Box::new(self), number)
    }
}
