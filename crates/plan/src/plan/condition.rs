//! Conditions.

use roadwire_model::TypeId;

use super::{Bit, Component, Int, Num, Place, Range, Str, Var};

/// Whether something is so.
#[derive(Clone, Debug, PartialEq)]
pub enum Cond {
    /// Always.
    True,
    /// A condition that has been named.
    Var(Var),
    /// A condition does not hold.
    Not(Box<Cond>),
    /// One of these holds.
    Any(Vec<Cond>),
    /// All of these hold.
    All(Vec<Cond>),
    /// The ENUMERATED in a place has one of these items.
    IsItem(TypeId, Place, Vec<u32>),
    /// The INTEGER in a place is one of these numbers.
    IsNumber(Place, Vec<u32>),
    /// One of these bits is set, counted from the lowest.
    HasBit(Place, Vec<u32>),
    /// The CHOICE in a place has one of these alternatives.
    IsAlternative(TypeId, Place, Vec<u32>),
    /// Some element of a list of this CHOICE has one of these alternatives.
    HasElement(TypeId, Place, Vec<u32>),
    /// An optional component is present although it should not be, or the reverse.
    PresenceDiffers(Box<Cond>, Place),
    /// A component is sent: it is present, and not equal to its DEFAULT.
    Sent(Component, Place),
    /// There are extension additions that the schema does not know.
    HasUnknown(Place),
    /// A number is outside bounds, as far as its type holds numbers outside.
    Outside { number: Num, held: Int, bounds: (Option<i128>, Option<i128>) },
    /// A number is outside one of these bounds.
    BareOutside { number: Num, signed: bool, bounds: (Option<i128>, Option<i128>) },
    /// The INTEGER of any length in a place is outside bounds.
    OutsideRange(Place, Range),
    /// A count is less than this.
    Fewer(Num, u64),
    /// Something else than an identifier comes next. Only in thorough plans.
    NoIdentifier,
    /// Constant text comes next, and is passed.
    Accept(String),
    /// The same for a start tag without its end.
    AcceptTag(String),
    /// A member with this name comes next: the first one, or one after a comma.
    Member(Var, String),
    /// A bracket does not come next; if it does, it is passed. Only in thorough plans.
    NotBracket(u8),
    /// An object has no member with this name; its members follow. Only in thorough plans.
    LacksMember(String),
    /// The octets of an open type come next, whatever its type is. Only in thorough plans.
    HasOctets,
    /// Possible events precede the next one. Only in thorough plans.
    SkipsEvents,
    /// The element that surrounds this does not end here.
    InElement,
    /// A named bit string has bits above so many.
    FlagsAbove(Place, u8),
    /// A word has bits below so many.
    HasBitsBelow(Var, u8),
    /// Text has another size or other characters.
    NotFit(Str, (u64, u64), Vec<u32>),
    /// No row is selected.
    NoRow(Var),
    /// A number is outside bounds, as it is.
    NotWithin(Num, (u64, u64)),
    /// A count is outside bounds.
    CountOutside(Num, (u64, u64)),
    /// A list has another number of elements.
    LengthDiffers(Place, u64),
    /// The bits above so many are others.
    BitsAboveDiffer(Var, u32, u64),
    /// A number is not this one.
    Differs(Num, u64),
    /// The same with a number in hexadecimal digits.
    DiffersHex(Var, u64),
    /// A number is this one.
    Equals(Num, u64),
    /// A number is above this one.
    Above(Num, u64),
    /// A number has bits above so many.
    HasBitsAbove(Num, u32),
    /// A string has a character that is not in an alphabet: ranges of ASCII.
    NotAllIn(Str, Vec<u32>),
    /// The end of the enclosing value is reached.
    AtEnd,
    /// The end of the enclosing value is not reached.
    BeforeEnd,
    /// The next octet is not 0.
    BeforeZero,
    /// The next octets are a key.
    IsKey { word: u64, octets: u32 },
    /// The next field, or a later one with its number, is not of octets after a length. Only in
    /// thorough plans.
    FieldsDiffer,
    /// Fields are in the order of their numbers, and those with these numbers come once. Only in
    /// thorough plans.
    FieldsAscend { once: Vec<u32> },
    /// The next octet is one of these.
    TagIs(Vec<u8>),
    /// A list is not empty.
    HasElements(Place),
    /// A number with sign is outside bounds.
    Beyond(Var, (i64, i64)),
    /// A number is the greatest of 64 bits with a sign.
    IsGreatest(Var),
    /// The octets of an INTEGER are not the fewest.
    NotShortest(Var),
    /// Octets are no object identifier.
    NotOid(Var),
    /// The elements of an array, which begin at a place, are not in the order of their octets.
    NotSorted(Var),
    /// Octets are not visible characters.
    NotVisible(Var),
    /// A time is not to the second in UTC, with so many digits.
    NotUtc(Place, u8),
    /// Fewer octets are left than this.
    MoreThanLeft(Num),
    /// The bits of the window from a place up are others.
    WindowDiffers { shift: u32, bits: u64 },
    /// Bits of the window under a mask are others.
    WindowUnder { mask: u64, bits: u64 },
    /// The next octets are those of a word.
    IsNext { word: u64, octets: usize },
    /// A number is not below a bound.
    AtLeast(Num, u64),
    /// A number less a bound is above a range.
    OffsetAbove { number: Num, lower: i128, range: i128 },
    /// Named bits do not end as they are sent: with so many at least, or with a one.
    NotTrimmed(Place, u64),
    /// A text has too few or too many characters. A text with few enough octets need not be
    /// counted.
    CharactersOutside(Place, (u64, u64)),
    /// One of these components is sent; tests without a branch.
    AnyBit(Vec<Cond>),
    /// A presence bit is set.
    IsSet(Bit),
    /// None of these presence bits is set.
    NoneSet(Vec<Bit>),
    /// A string is empty.
    IsEmpty(Str),
    /// More elements than there are bits.
    BeyondInput(Var),
    /// Octets are not whole units.
    Remainder(Var, u8),
    /// Not 1 to 7.
    NotOctetCount(Var),
}

impl Cond {
    /// Whether one of several conditions holds, as a part of another one.
    pub(crate) fn either(mut all: Vec<Cond>) -> Cond {
        match all.len() {
            1 => all.remove(0),
            _ => Cond::Any(all),
        }
    }

    /// The number is outside; `None` if no number of its type is.
    pub(crate) fn outside(number: Num, held: Int, lower: Option<i128>, upper: Option<i128>) -> Option<Cond> {
        let (least, most) = if held.signed { (i64::MIN.into(), i64::MAX.into()) } else { (0, u64::MAX.into()) };
        let bounds = (lower.filter(|bound| *bound > least), upper.filter(|bound| *bound < most));
        (bounds != (None, None)).then_some(Cond::Outside { number, held, bounds })
    }

    /// The same without a look at what 64 bits hold: bounds of a type are given.
    pub(crate) fn bare_outside(number: Num, (lower, upper): (i128, i128), (least, most): (i128, i128)) -> Option<Cond> {
        let bounds = (Some(lower).filter(|bound| *bound > least), Some(upper).filter(|bound| *bound < most));
        (bounds != (None, None)).then_some(Cond::BareOutside { number, signed: least < 0, bounds })
    }

    /// The size is outside; `None` if no size is.
    pub(crate) fn size_outside(size: Num, (lower, upper): (u64, u64)) -> Option<Cond> {
        (lower > 0 || upper < u64::MAX).then_some(Cond::NotWithin(size.to(Int::U64), (lower, upper)))
    }
}
