//! Arguments of primitives, and values of places.

use roadwire_model::TypeId;

use super::{Cond, Num, Place, Str, TimeForm, Var};

/// An argument of a primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A number.
    Num(Num),
    /// A constant that is read in hexadecimal digits.
    Hex(u64),
    /// The value in a place.
    Value(Place),
    /// A reference to a place.
    Shared(Place),
    /// The octets of a string.
    Octets(Str),
    /// How many bits a bit string of up to 64 bits has.
    BitCount(Place),
    /// The octets of an open type's content in a place.
    Contents(Place),
    /// The octets of a bit string in a place.
    WholeBits(Place),
    /// The greatest number of 64 bits.
    Greatest,
    /// The end of the enclosing value.
    End,
    /// The unknown extension additions in a place.
    Unknown(Place),
    /// A number of octets in memory.
    Count(Num),
    /// A truth value that is known.
    Flag(bool),
    /// Ranges of an alphabet.
    Ranges(Vec<u32>),
    /// An octet that is a character.
    Octet(u8),
    /// Constant text.
    Text(String),
    /// Names of components or alternatives.
    Names(Vec<String>),
    /// The value of a place, as the interpreter sees it.
    Scalar(Place),
    /// A reference to what is in a place.
    Object(Place),
    /// A reference by which a place changes.
    Exclusive(Place),
    /// So many octets of a named bit string, shifted left so far.
    FlagOctets { place: Place, shift: u32, octets: u64 },
    /// The bits of a bit string of up to 64 bits, and how many there are.
    Word(Place),
    /// The size of a bit string: its bounds, whether it is fixed, and whether zero bits at the end
    /// have no meaning.
    BitSize { bounds: (u64, u64), is_fixed: bool, is_trimmed: bool },
    /// The numbers of a time.
    Time(Box<TimeForm>),
}

/// The value that is assigned.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number that the integer type of the place holds.
    Integer(TypeId, Num),
    /// NULL.
    Null,
    /// An octet string: a slice.
    OctetsOf(TypeId, Var),
    /// An INTEGER of any length: its octets.
    AnyInteger(Var),
    /// A BOOLEAN: whether the lowest bit of a number is set.
    LowestBit(Num),
    /// A BOOLEAN: whether a number is not 0.
    IsNot0(Num),
    /// A REAL of 64 bits.
    Real(Num),
    /// A named bit string: its bits.
    Flags(TypeId, Num),
    /// Up to 64 bits, and how many.
    Bits(Num, Num),
    /// Bits of which some were not sent, and how many.
    Sent { bits: Var, count: Var, sent: Var },
    /// The item with a number; other numbers are rejected.
    Item { id: TypeId, number: Num, numbers: Vec<i64> },
    /// The same, with numbers and the places of their items.
    ItemOf { id: TypeId, number: Num, items: Vec<(i64, usize)> },
    /// The value of a variable.
    Var(Var),
    /// The place to which a variable refers.
    Referred(Var),
    /// A named bit string: a word without so many of its lowest bits.
    HighFlags(TypeId, Var, u32),
    /// An array of up to seven octets.
    Array(Var, u64),
    /// The item with an index, of which the last one is left.
    Indexed { id: TypeId, number: Var, items: Vec<usize> },
    /// A component that is present, in a variable.
    Some(Var),
}

/// A part of a head.
#[derive(Clone, Debug, PartialEq)]
pub enum Store {
    /// A number of so many octets.
    Number { at: usize, number: Num, octets: u32 },
    /// An array of octets.
    Array { at: usize, place: Place },
}

/// How many octets of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Count {
    /// So many.
    Known(u32),
    /// So many, and those in a variable.
    And(u32, Var),
}

/// The value of a type in a place that selects the row of an open type.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    pub id: TypeId,
    pub place: Place,
    /// Whether the place may hold nothing.
    pub is_option: bool,
    /// The flag that the place has not been read. Only in thorough plans.
    pub unread: Option<Var>,
    /// The row of each value.
    pub rows: Vec<(Pattern, usize)>,
}

/// Which elements are read.
#[derive(Clone, Debug, PartialEq)]
pub enum Until {
    /// So many.
    Count(u64),
    /// Those up to the end of the input.
    End,
    /// Those before a condition fails.
    Fails(Cond),
    /// Those between brackets, with commas between them; the opening bracket has been read.
    Bracket,
}

/// A new element of a list that is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub list: Var,
    pub list_id: TypeId,
    pub id: TypeId,
    pub item: Var,
    /// How many bits each has at least, where their number is known: 0 elsewhere.
    pub fewest: u64,
}

/// A value that selects a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// An INTEGER.
    Number(i128),
    /// An INTEGER of any length.
    AnyInteger(i64),
    /// The same by its octets. Only in plans that stand alone.
    WideInteger(Vec<u8>),
    /// A BOOLEAN.
    Truth(bool),
    /// An item of an ENUMERATED.
    Item(TypeId, usize),
    /// The contents octets of an object identifier.
    Oid(Vec<u8>),
    /// An alternative of a CHOICE whose content selects.
    Alternative(TypeId, usize, Box<Pattern>),
}
