//! Numbers and primitives of streams.

use roadwire_model::TypeId;

use super::{Cond, Num, Place, Var};

/// Numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// The INTEGER in a place, modulo 2^64, less a bound.
    AboveLower { place: Place, is_widest: bool, lower: i128 },
    /// The number that was read, and a bound.
    PlusLower(Var, i128),
    /// The INTEGER in a place as a word of 64 bits.
    Widened(Place),
    /// The INTEGER in a place as so many bits without sign.
    Machine(Place, u32),
    /// So many bits with a sign that were read.
    SignedMachine(Var, u32),
    /// How many octets a number needs, less one.
    OctetsBelow(Num),
    /// A number of fewer bits as 64 bits.
    From(Num),
    /// Eight times a variable, and eight more.
    EightMore(Var),
    /// The lower half of 64 bits.
    Low(Num),
    /// A constant in hexadecimal digits.
    Hex(u64),
    /// A product as it is.
    Times(Num, u64),
    /// A product in brackets.
    Product(Num, u64),
    /// A sum.
    Plus(Num, u64),
    /// A number for the item in a place; one without a suffix for an unknown item.
    ItemIndex { id: TypeId, place: Place, numbers: Vec<u64>, unknown: Option<u64> },
    /// An array of up to seven octets.
    ArrayBits(Place, u64),
    /// 1 if a condition holds, else 0.
    Holds(Cond),
    /// A number in brackets as another type: 64 bits, with or without sign.
    Cast { number: Num, signed: bool },
    /// How many octets hold a number with a sign.
    SignedOctets(Var),
    /// How many octets hold a number without a sign.
    OctetsOf(Num),
    /// The lowest octets of a number with a sign.
    LowOctets { number: Var, octets: Var },
    /// A number less a bound.
    OffsetFrom(Var, i128),
    /// How many bits a bit string has, as 32 bits.
    BitCount(Place),
    /// Octets for so many bits.
    OctetsFor(Var),
    /// The bits of octets that are not used.
    UnusedOf { octets: Var, bits: Var },
    /// The bits of a place in their octets.
    Masked { place: Place, octets: Var, bits: Var },
    /// The number of octets in a slice, and one.
    SliceMore(Var),
    /// The bits of a slice that are not used.
    UnusedIn { octets: Var, place: Place },
    /// A number of octets divided by the width of units.
    Units(Var, u8),
    /// How many bits of the last octet are not used for so many event bits.
    UnusedBits(Var),
    /// The bits of a place, shifted left.
    MaskedShl(Place, Var),
    /// The sum of two numbers of bits.
    SumBits(Var, Var),
    /// One of two widths: where a variable is below a bound, or equal to it.
    Chosen { var: Var, is_below: bool, bound: u64, yes: u8, no: u8 },
    /// So many times whether a variable is not a bound.
    NotAt { var: Var, bound: u64, times: u32 },
    /// The magnitude of a number of 64 bits: for a negative one its complement.
    Magnitude(Var),
    /// A number less a base.
    WithoutBase(Var, i64),
    /// A number and a base.
    WithBase(Var, i64),
    /// A magnitude with a sign.
    Signed { magnitude: Var, sign: Var },
}

/// A presence bit: a variable, or a bit of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bit {
    pub word: Var,
    pub mask: Option<u64>,
}

/// Primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    PutArray,
    PutInline,
    PutOctets,
    PutBits,
    PutWide,
    PutCharacters,
    PutText,
    PutCount,
    /// A size after an extension bit: in the root a field of so many bits, or of 64 for a length
    /// determinant; beyond it a length determinant.
    PutSize,
    PutSigned,
    PutUnsigned,
    PutEventText,
    PutInteger,
    PutReal,
    PutArcs,
    PutVarint,
    CloseOpenType,
    /// The octets of a length, and how many bits these are.
    LengthOctets,
    /// The groups of a number of at most so many, and how many bits these are.
    Spread(u32),
    /// The same as [`PutSize`](Self::PutSize), for decoders.
    TakeSize,
    TakeLength,
    TakeCounted,
    /// How many bits follow, after the length of their octets. Only in thorough plans.
    TakeBitLength,
    TakeQuantity,
    TakeCountedSigned,
    TakeCountedUnsigned,
    TakeVarint,
    TakeInteger,
    TakeReal,
    TakeArcs,
    TakeArray,
    /// The presence bits of additions, of which at most so many are known; the first one is the
    /// highest bit of a word.
    TakeAdditions,
    /// The same, and the numbers of those that are present and not known into a place.
    TakeMoreAdditions,
    /// The octets of additions that are not known, whose numbers have been read.
    TakeUnknown,
    /// The presence bits of known additions, as a word, and of those that are not known.
    PutAdditions,
    /// The octets of additions that are not known.
    PutUnknown,
    /// The index of an added alternative, or of an added item, as a normally small number. Only in
    /// thorough plans, as the numbers of items in octet rules.
    PutSmall,
    TakeSmallChoice,
    TakeSmallItem,
    PutItemNumber,
    TakeItemNumber,
    /// A time in memory, which is text, as numbers, and the reverse. Only in plans that stand
    /// alone.
    PutTime,
    TakeTime,
    /// A time as text in its canonical form; whether a text that has been read is a time. Sets of
    /// property settings are given.
    PutTimeText,
    CheckTime,
    /// The tag of which an octet has been read is in its shortest form.
    CheckTag,
}
