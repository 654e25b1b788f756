//! What an encoder or a decoder does, as data: statements over places, numbers and conditions. A [walk](crate::walk) makes a plan from a layout, [passes](crate::pass) improve it, and a
//! [printer](crate::rust) writes it. Nothing in a plan is text of a target language.

mod condition;
mod draft;
mod event;
mod number;
mod place;
mod stream;

use roadwire_model::TypeId;

pub(crate) use condition::Cond;
pub(crate) use draft::{Draft, Way};
pub(crate) use event::{Event, Form, Repeat};
pub(crate) use number::{Int, Num, Str, Unknown};
pub(crate) use place::{Place, Root, Step};
pub(crate) use stream::{Amount, Bit, Mover, Received, Stream, Test};

/// A variable of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Var(pub(crate) u32);

/// Statements, one after the other.
pub(crate) type Block = Vec<Stmt>;

/// A component of a SEQUENCE or SET: the type, and the component's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    pub(crate) record: TypeId,
    pub(crate) at: usize,
}

/// A primitive of the runtime; the printer knows its name and its parameters' types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prim {
    /// Octets as they are.
    PutOctets,
    Cbor(Cbor),
    Fields(Fields),
    Tlv(Tlv),
    Vectors(Vectors),
    Text(Text),
    Mover(Mover),
}

/// Primitives of a writer or a reader of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    PutSigned,
    PutUnsigned,
    PutBits,
    PutBitDigits,
    /// A bit string of any length: its bounds follow, and whether trailing zero bits have no meaning.
    PutAnyBitDigits,
    PutDigits,
    PutOctetDigits,
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
    /// What comes up to the next tag. It takes anything.
    TakeWord,
    TakeBits,
    TakeBitDigits,
    TakeAnyBitDigits,
    TakeDigits,
    TakeString,
    TakeCharacters,
    TakeReal,
    TakeScientific,
    Enter,
    Leave,
}

/// Primitives for the presentation language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    PutNumber,
    PutPsid,
    PutCounted,
    TakeNumber,
    TakePsid,
}

/// Primitives for Protocol Buffers. All take a key's octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fields {
    PutWord,
    PutString,
    PutBits,
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
}

/// Primitives for values after tags and lengths. Most take a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tlv {
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
    /// A time of digits at fixed places; a duration.
    PutDigits,
    PutDuration,
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
    TakeUnsigned,
    TakeMachine,
    /// A number of at most so many octets.
    TakeNumber(usize),
    TakeLongNumber,
}

/// Primitives for CBOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cbor {
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
}

/// An argument of a primitive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arg {
    Num(Num),
    /// The same, where no brackets are needed.
    Plain(Num),
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
    Flag(bool),
    /// Ranges of an alphabet.
    Ranges(Vec<u32>),
    /// The octets of a character string in a place.
    Bytes(Place),
    /// The slice in a variable.
    Slice(Var),
    /// An octet that is a character.
    Octet(u8),
    /// Constant text.
    Text(String),
    /// What a place holds, as the interpreter sees it.
    Scalar(Place),
    /// A reference to what is in a place, and one by which it changes.
    Object(Place),
    Exclusive(Place),
    /// So many octets of a named bit string, shifted left so far.
    FlagOctets {
        place: Place,
        shift: u32,
        octets: u64,
    },
    /// The bits of a bit string of up to 64 bits, and how many there are.
    Word(Place),
    /// The size of a bit string: its bounds, whether it is fixed, and whether zero bits at the end have no meaning.
    BitSize {
        bounds: (u64, u64),
        is_fixed: bool,
        is_trimmed: bool,
    },
}

/// What is assigned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
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
    Sent {
        bits: Var,
        count: Var,
        sent: Var,
    },
    /// The item with a number; other numbers are rejected.
    Item {
        id: TypeId,
        number: Num,
        numbers: Vec<i64>,
    },
    /// The same, with numbers and the places of their items.
    ItemOf {
        id: TypeId,
        number: Num,
        items: Vec<(i64, usize)>,
    },
    /// What a variable holds.
    Var(Var),
    /// What a variable refers to.
    Referred(Var),
    /// A named bit string: a word without so many of its lowest bits.
    HighFlags(TypeId, Var, u32),
    Received(Received),
}

/// One thing that a function does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stmt {
    /// Names a number.
    Let(Var, Num),
    /// Names a number that changes.
    LetMut(Var, Num),
    /// Names a condition.
    Is(Var, Cond),
    /// Subtracts one.
    Decrement(Var),
    RejectIf(Cond),
    /// The interpreter does the rest of the block.
    GiveUp,
    /// Binds the content of an optional place, which has to have one.
    Need(Var, Place),

    /// Octets of a word that are to be written, a pass decides with which others.
    Put {
        number: Num,
        octets: u32,
    },
    /// An array of octets in a place that is to be written.
    PutArray {
        place: Place,
        octets: usize,
    },
    /// Room for octets that are written later. Nothing follows in the head.
    Room(usize),
    /// Writes a head of so many octets, and makes room after it.
    StoreHead {
        octets: usize,
        stores: Vec<Store>,
        room: usize,
    },
    /// Writes an octet string that is stored inline.
    PutInline(Place),
    /// Writes the length of contents into the room before them, or elsewhere if it takes more.
    CloseAnywhere {
        start: Var,
        room: usize,
    },
    /// The same for a length of a fixed size.
    CloseFixed {
        start: Var,
        room: usize,
    },
    /// A head that a primitive makes of a number is to be written: the variables for its word and its length.
    PutHead {
        head: Prim,
        front: u8,
        most: usize,
        number: Num,
        variables: (Var, Var),
    },
    /// Writes a word of octets: numbers with the places of their lowest bits, and constant octets.
    PutWord {
        by: Prim,
        parts: Vec<(Num, u32)>,
        constant: u64,
        octets: Count,
    },
    /// Names what a primitive makes of a number: a word and its length.
    LetWord {
        variables: (Var, Var),
        by: Prim,
        number: Num,
    },
    /// Writes with a primitive.
    Write(Prim, Vec<Arg>),
    /// Remembers where contents begin.
    Mark(Var),
    /// Writes the length of contents before them.
    Close(Prim, Var),

    /// Octets that come next: bits that are known, and the variable that they become.
    Expect {
        octets: u32,
        bits: u64,
        mask: u64,
        var: Option<Var>,
    },
    /// A head comes next: the variables for its number and its length.
    TakeHead {
        by: Prim,
        front: u8,
        most: usize,
        variables: (Var, Var),
    },
    /// A number or an array of so many octets comes next.
    TakeNumber {
        var: Var,
        octets: usize,
    },
    TakeArray {
        var: Var,
        octets: usize,
    },
    /// Splits a head of so many octets off the input.
    SplitHead(usize),
    /// Names an array in the head.
    LetArray {
        var: Var,
        at: usize,
        octets: usize,
    },
    /// Names an item by its number; other numbers are rejected.
    LetItem {
        item: Var,
        id: TypeId,
        number: Var,
        numbers: Vec<i64>,
    },
    /// Reads with a primitive that returns the rest of the input.
    TakeRest {
        var: Var,
        rest: Var,
        by: Prim,
    },
    /// Splits the octets off that a length counts: one that was read, or one that comes next.
    Split {
        inside: Var,
        rest: Var,
        count: Option<Var>,
    },
    /// Continues with octets in a variable.
    Continue(Var),
    /// All that is expected has to be read here.
    Settle,
    /// Reads the next eight octets as a word, without moving on.
    Window,
    /// Names bits of the window: shifted left, then right.
    LetPart {
        var: Var,
        left: u32,
        right: u32,
    },
    /// Names the number and the length of a head in the window, after so many octets, and moves on.
    LetHead {
        variables: (Var, Var),
        by: Prim,
        front: u8,
        after: u32,
    },
    /// Moves on by so many octets.
    Advance(u32),
    /// Reads with a primitive: variables for what it returns.
    Read(Vec<Var>, Prim, Vec<Arg>),
    /// Reads octets whose start and end a primitive returns, and moves on.
    ReadSlice {
        octets: Var,
        inside: Var,
        by: Prim,
        args: Vec<Arg>,
    },
    /// Moves on to where a primitive returns.
    Skip(Prim, Vec<Arg>),
    /// Reads two octets that are known.
    ExpectOctets([u8; 2]),
    /// Reads contents up to an end that a primitive returns.
    Within {
        inside: Var,
        by: Prim,
        args: Vec<Arg>,
        body: Block,
    },
    /// Turns octets in a variable into text, in the same variable.
    Utf8(Var),

    Set(Place, Value),
    /// Copies octets or text in a variable into the string in a place, which is bound to a variable.
    Fill {
        id: TypeId,
        place: Place,
        bound: Var,
        from: Str,
        bounds: (u64, u64),
    },
    /// Forgets unknown extension additions.
    ForgetUnknown(Place),
    /// Sets a component to what it is when absent.
    Clear(Component, Place),
    /// Sets an optional component to nothing.
    Forget(Place),
    /// A tap is called where a part begins, and where it ends.
    TapBegins(usize),
    TapEnds(usize),
    /// Makes room for an optional component, and binds it.
    Present {
        component: Component,
        place: Place,
        inner: Var,
    },

    /// In a stream of bits or octets.
    Stream(Stream),
    /// Constant text comes next. A pass decides with which other.
    Text(String),
    /// Writes constant text, or expects it.
    PutText(String),
    /// Writes or reads with a primitive.
    Do(Prim, Vec<Arg>),
    /// The same with a copy of the writer, which itself stays in registers.
    Apart(Prim, Vec<Arg>),
    /// Names what a primitive reads.
    Get(Var, Prim, Vec<Arg>),
    /// Sets a place to what a primitive reads.
    SetBy(Place, Prim, Vec<Arg>),
    /// The same for a named bit string.
    SetFlagsBy(TypeId, Place, Prim, Vec<Arg>),
    /// Names the position in the output.
    Position(Var),
    /// Names a flag that is set, and clears it.
    LetFlag(Var),
    ClearFlag(Var),
    /// Writes one of two texts for a BOOLEAN.
    PutTruth {
        place: Place,
        texts: [String; 2],
    },
    /// Writes the text of an item; unknown ones are rejected.
    PutLabel {
        id: TypeId,
        place: Place,
        labels: Vec<String>,
    },
    /// Sets an item by the text that a primitive reads; others are rejected.
    SetByLabel {
        id: TypeId,
        place: Place,
        by: Prim,
        labels: Vec<(String, usize)>,
    },
    /// Names the word of so many octets of hexadecimal digits.
    TakeFlagDigits {
        digits: Var,
        octets: u64,
    },
    /// Fills the octets in a place, which is bound, with so many pairs of digits.
    FillDigits {
        octets: Var,
        place: Place,
        digits: Var,
        count: Var,
        is_inline: bool,
    },
    /// Fills an array of octets with digits.
    FillArray(Place, Var),
    /// Fills an object identifier from numbers with dots between them.
    FillArcs {
        place: Place,
        text: Var,
        is_relative: bool,
    },
    /// Fills a bit string of up to 64 bits with the digits that come next.
    FillBits(Place, (u64, u64)),
    /// Reads characters into the string in a place.
    TakeCharacters {
        id: TypeId,
        place: Place,
        bound: Var,
        by: Text,
        bounds: (u64, u64),
        ranges: Vec<u32>,
    },
    /// Appends elements [up to a bracket](Until::Bracket).
    Separated {
        element: Element,
        body: Block,
    },
    /// Sets a component that is absent, whatever it was.
    SetAbsent(Component, Place),
    /// A variable that may be unused.
    MayBeUnused(Var),
    If {
        condition: Cond,
        then: Block,
        otherwise: Option<Block>,
    },
    /// What an encoder does for a component that is sent; `inner` is bound to its content if it is optional.
    IfSent {
        component: Component,
        place: Place,
        inner: Option<Var>,
        then: Block,
    },
    /// What an encoder does for the alternative of a CHOICE: its index, the variable for its content, and what is done. An unknown alternative has the index after the last one.
    Switch {
        id: TypeId,
        place: Place,
        arms: Vec<(usize, Var, Block)>,
        has_others: bool,
    },
    /// What a decoder does for a number. Others are rejected.
    Select {
        number: Num,
        arms: Vec<(u64, Block)>,
    },
    /// The same for an open type; `others` is for all other alternatives.
    SwitchOpen {
        id: TypeId,
        place: Place,
        arms: Vec<(usize, Var, Block)>,
        others: Option<Block>,
    },
    /// What a decoder does for the first condition that holds. Otherwise it rejects.
    Chain(Vec<(Cond, Block)>),
    /// What a decoder does for the next tag, and for others, which may be rejected.
    SelectTag(Vec<(Vec<u8>, Block)>, Option<Block>),
    /// What a decoder does for the row of an open type.
    SelectRow {
        row: Var,
        arms: Vec<(u64, Block)>,
        others: Block,
    },
    /// Names the row of an open type that a value selects; the greatest number for none.
    Row {
        row: Var,
        by: Selector,
    },
    /// Makes a CHOICE hold an alternative, and binds its content.
    Choose {
        id: TypeId,
        alternative: usize,
        place: Place,
        inner: Var,
    },
    /// Makes a CHOICE hold an alternative that has been read.
    SetAlternative {
        id: TypeId,
        alternative: usize,
        place: Place,
        inner: Var,
        value: Value,
    },
    /// The same, where the content is used in any case.
    ChooseOnly {
        id: TypeId,
        alternative: usize,
        place: Place,
        inner: Var,
    },
    /// For each element of a list.
    Each {
        item: Var,
        list: Place,
        body: Block,
    },
    /// Binds a list, and empties it.
    Refill {
        list: Var,
        place: Place,
    },
    /// Reads a number of elements of a type, each into a new place of the list.
    Times {
        count: Num,
        element: Element,
        body: Block,
    },
    /// Reads elements while a condition holds.
    While {
        condition: Cond,
        element: Element,
        body: Block,
    },
    /// Reads elements over those of an earlier message.
    Overwrite {
        element: Element,
        at: Var,
        place: Place,
        until: Until,
        body: Block,
    },
    /// Calls the function of a part, with so many levels above it, with the tap, and with the table of strings.
    Call {
        id: TypeId,
        place: Place,
        levels: Option<u32>,
        is_tapped: bool,
        has_strings: bool,
    },
}

/// Which elements are read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Until {
    /// So many.
    Count(u64),
    /// Those up to the end of the input.
    End,
    /// Those before a condition fails.
    Fails(Cond),
    /// Those between brackets, with commas between them; the opening bracket has been read.
    Bracket,
}

/// A part of a head.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Store {
    Number { at: usize, number: Num, octets: u32 },
    Array { at: usize, place: Place },
}

/// A new element of a list that is read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub(crate) list: Var,
    pub(crate) list_id: TypeId,
    pub(crate) id: TypeId,
    pub(crate) item: Var,
}

/// How many octets of a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Count {
    Known(u32),
    /// So many, and those in a variable.
    And(u32, Var),
}

/// The value of a type in a place that selects the row of an open type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Selector {
    pub(crate) id: TypeId,
    pub(crate) place: Place,
    /// Whether the place may hold nothing.
    pub(crate) is_option: bool,
    /// The row of each value.
    pub(crate) rows: Vec<(Pattern, usize)>,
}

/// A value that selects a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pattern {
    Number(i128),
    /// An INTEGER of any length.
    AnyInteger(i64),
    Truth(bool),
    Item(TypeId, usize),
    /// The contents octets of an object identifier.
    Oid(Vec<u8>),
    Alternative(TypeId, usize, Box<Pattern>),
}
