//! Primitives: the contract of the runtime.

use super::Mover;

/// A primitive of the runtime, with the name that it has there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prim {
    /// Octets as they are.
    PutOctets,
    Cbor(Cbor),
    Fields(Fields),
    Tlv(Tlv),
    Vectors(Vectors),
    Text(Text),
    Mover(Mover),
    Events(Events),
}

/// Primitives of thorough plans for streams of events: a decoder has the next event in a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Events {
    /// That variable, and whether other events are excluded.
    Begin,
    Document,
    /// The code of the next event: its width, and whether the event is the first in an element.
    Expect,
    /// The next event is the one that is wanted: whether that is an end.
    Happens,
    /// The next event precedes one that may come.
    Skip,
    Select,
    NotSelected,
    /// A flag for whether another element comes.
    Element,
    /// Whether an element ends without a value.
    EndsEmpty,
    /// Empties a string.
    Empty,
    Groups,
    Octets,
    Integer,
    /// The number of an item in so many bits, or else in groups, perhaps after a sign.
    ItemNumber,
    /// Bits with their codes.
    Bits,
}

/// Primitives of a writer or a reader of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    PutSigned,
    PutUnsigned,
    PutBits,
    PutBitDigits,
    /// A bit string of any length: its bounds follow, and whether trailing zero bits have no
    /// meaning.
    PutAnyBitDigits,
    PutDigits,
    PutOctetDigits,
    /// The octets of an open type: an element, or digits.
    PutOpen,
    PutString,
    PutCharacters,
    PutCanonicalCharacters,
    PutReal,
    PutScientific,
    PutArcs,
    CloseList,
    CloseElement,
    TakeSigned,
    TakeUnsigned,
    TakeTruth,
    TakeTruthElement,
    TakeName,
    TakeEmpty,
    /// The text up to the next tag. It takes anything.
    TakeWord,
    TakeBits,
    TakeBitDigits,
    TakeAnyBitDigits,
    TakeDigits,
    TakeOpen,
    TakeString,
    TakeCharacters,
    TakeReal,
    TakeScientific,
    Enter,
    Leave,
    /// A value that is read later; into a variable that is named already by `Here`.
    SkipValue,
    Here,
    /// Any value, of which nothing is kept. In thorough plans.
    PassValue,
    /// Continues in a value that was skipped. It cannot fail.
    Revisit,
    /// Continues after such a value.
    Resume,
    /// Those of thorough plans for JSON in any form: white space around a message, the opening
    /// bracket, the comma before an element, and before a member with its name.
    Begin,
    End,
    Open,
    TakeComma,
    TakeMember,
    /// Which one of some names a string is.
    FindName,
    /// The end of an object with one member.
    OnlyMember,
    TakeNull,
    /// Bits of a fixed number, the first one highest.
    TakeFlags,
    /// The octets of an open type whose type may be known.
    TakeExplicit,
    /// Members of a later version; an alternative of a later version.
    PutUnknown,
    PutOther,
    TakeUnknown,
    TakeOther,
    /// Puts members of a later version into their order.
    SettleUnknown,
}

/// Primitives for the presentation language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    PutNumber,
    PutPsid,
    PutCounted,
    TakeNumber,
    TakePsid,
    /// Those of thorough plans: flags of so many octets; an alternative of a later version, whose
    /// number has so many octets.
    TakeFlags,
    PutOther,
    TakeOther,
}

/// Primitives for Protocol Buffers. All take a key's octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    PutWord,
    PutString,
    PutBits,
    /// So many bits without the number of those that are not used; whether zeros at the end have no
    /// meaning. Only in plans that stand alone, as the one that reads them from octets.
    PutFixedBits,
    TakeFixedBits,
    PutContents,
    /// A varint of at most this many bits.
    PutNumber(u32),
    PutLongNumber,
    Close,
    Open,
    TakeOctet,
    /// A varint of at most this many octets.
    TakeNumber(u32),
    TakeLongNumber,
    TakeEight,
    TakeContents,
    /// Those of thorough plans: the number and the wire type of the next field, and its key.
    Peek,
    PassKey,
    /// The length of a string, without a look at what follows; so many octets; that of a bit
    /// string, and how many bits it has; text of which there may be less.
    TakeLength,
    Slice,
    PeekBits,
    CheckText,
    /// The next field, to its end.
    PassWhole,
    /// All fields with the number of the next one, if there are several, as one with all of their
    /// contents.
    Merge,
    /// Rejects fields that have other numbers than the next one.
    Only,
    /// Fields of a later version; an alternative of a later version.
    PutUnknown,
    PutOther,
    TakeUnknown,
    TakeOther,
}

/// Primitives for values after tags and lengths. Most take a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tlv {
    PutWord,
    PutElement,
    /// Extension additions of a later version; an alternative of a later version.
    PutUnknown,
    PutOther,
    PutString,
    PutOctets,
    PutAnyBits,
    PutBits,
    /// More than 40 bits.
    PutLongBits,
    PutNamedBits,
    PutReal,
    PutCharacters,
    /// A time of digits at fixed places; a duration. In thorough plans, a UTCTime or, with a
    /// century, a GeneralizedTime in its canonical form.
    PutDigits,
    PutDuration,
    PutTime,
    /// A time with any settings, which are given. Only in plans that stand alone.
    PutTimeText,
    /// An INTEGER of any length; of up to 64 bits without sign; of up to 128 bits.
    PutInteger,
    PutUnsigned,
    PutMachine,
    /// A number of at most so many octets.
    PutNumber {
        most: usize,
        signed: bool,
    },
    PutLongNumber,
    Close,
    /// Sorts the values since a mark by their octets.
    Sort,
    Open,
    /// A value, whatever it is.
    Whole,
    TakeUnknown,
    TakeOther,
    OneOctet,
    TakeBits,
    TakeLongBits,
    TakeNamedBits,
    TakeReal,
    TakeCharacters,
    TakeDigits,
    TakeDuration,
    TakeTimeText,
    TakeUnsigned,
    TakeMachine,
    /// A number of at most so many octets.
    TakeNumber(usize),
    TakeLongNumber,
}

/// Primitives for CBOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cbor {
    PutWord,
    PutLong,
    PutLongInteger,
    PutBits,
    PutArray,
    PutFloat,
    PutBitString,
    TakeBitString,
    /// Sorts the elements since a mark by their octets.
    Sort,
    TakeLong,
    TakeLongInteger,
    TakeBits,
    TakeFloat,
    /// An array of this many octets.
    TakeArray(u64),
    TakeSlice,
    /// A word with a head of at most this many octets, and its length.
    HeadWord(usize),
    IntegerWord(usize),
    /// The number of a head of at most this many octets, at the start of a word, and its length.
    TakeHead(usize),
    TakeInteger(usize),
    /// Puts the length of the octets since a mark into the octet kept for it before the mark.
    Close,
    /// The head of a byte string with content: where that begins, and where it ends.
    Open,
    /// Those of thorough plans: the number of an item of a kind, whose front is given; the lowest
    /// bits of a simple value's octet; a float.
    TakeKind,
    TakeSimple,
    TakeAnyFloat,
    /// An integer as 64 bits: whether they have a sign, and whether there is a least and a greatest
    /// number. The number of an ENUMERATED's item.
    TakeAnyInteger,
    TakeItemNumber,
    /// A key that is not below a number, which becomes the least one that may come after it; and
    /// the key or a number of keys, if that is less.
    TakeKey,
    /// Text with at most so many characters, all of them in an alphabet.
    CheckText,
    /// An element is not below the one that began at the first of two places; the second one is
    /// where it begins itself.
    Ascends,
    /// The head of a map with so many entries, and those of a later version; these entries; an
    /// alternative of a later version. The least key of an addition is given, and how many are
    /// known.
    PutMap,
    PutUnknown,
    PutOther,
    /// An entry and an alternative of a later version: its key, and the least one of an addition.
    TakeUnknown,
    TakeOther,
}
