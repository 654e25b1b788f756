//! Statements of functions that write or read a stream of bits or of octets, with a writer `w` or a
//! reader `r`.

use roadwire_model::TypeId;

use super::{Block, Component, Cond, Element, Event, Num, Place, Var};

/// Statements.
#[derive(Clone, Debug, PartialEq)]
pub enum Stream {
    /// Bits of a number that are to be written; a pass decides with which others.
    Put { number: Num, bits: u32 },
    /// Whole octets that are to be written: at most so many bits, of which `width` is the exact
    /// number.
    PutOctets { number: Num, width: Num, most: u32 },
    /// Bits that come next, and the variable that they become.
    Take { var: Option<Var>, bits: u32 },
    /// Octets that come next, as an array.
    TakeArray { var: Var, octets: u32 },
    /// Bits that have to come next.
    Constant { wanted: u64, bits: u32 },
    /// A number in at most so many groups of seven bits comes next.
    Groups { var: Var, most: u32 },
    /// The current word continues with the next bits; at most so many were taken out of it.
    InWord { taken: u32 },
    /// Reads what is expected here, without moving the reader to a place that is known.
    Flush,
    /// Rejects at once: what is pending comes after it.
    RejectNow(Cond),
    /// Names a number that is added to.
    Increment(Var),
    /// Changes a variable.
    Assign(Var, Num),
    /// Subtracts from a variable.
    Subtract(Var, u64),
    /// Names the octets of a bit string.
    LetBitOctets(Var, Place),
    /// Binds a bit string of up to 64 bits; of a longer one it gives up.
    NeedAnyWord(Var, Place),
    /// Names an event code and its width, which change.
    LetCode { variables: (Var, Var), left_out: Num, bits: Num },

    /// Writes numbers with the places of their lowest bits, and last one with its own width.
    PutChunk { parts: Vec<(Num, u32)>, bits: u32, last: Option<(Num, Num)> },
    /// Writes more bits than a chunk has.
    PutWide { number: Num, width: Num },
    /// Aligns to an octet.
    Align,
    /// Aligns to an octet if a count is not 0.
    AlignIf(Num),
    /// Writes the bits that wait, if there are any.
    FlushWriter,
    /// Binds the content of the one alternative; gives up if it is another.
    Bind { id: TypeId, alternative: usize, place: Place, inner: Var },
    /// An encoder's statements for a component that is sent, and for one that is not.
    IfSentElse { component: Component, place: Place, inner: Option<Var>, then: Block, otherwise: Block },
    /// For each element of a list, with its number.
    Enumerated { at: Var, item: Var, place: Place, body: Block },

    /// Names the first octets of the input, which have to be there.
    FirstChunk(u64),
    /// Names eight of these octets as a word.
    Window(u64),
    /// Names bits of the word: shifted left, then right.
    LetPart { var: Var, left: u32, right: u32 },
    /// Rejects other bits of the word.
    RejectPart { left: u32, right: u32, wanted: u64 },
    /// Names more bits than a word has, at a place in the first octets.
    ReadAt { var: Var, bit: u64, bits: u32 },
    /// Names the next octets.
    TakeHead(u64),
    /// Names an array of no octets.
    LetEmpty(Var),
    /// Names a word of octets in the head.
    WordAt { first: u64, octets: u64 },
    /// Names bits of the word: shifted right, under a mask.
    LetMasked { var: Var, shift: u64, mask: u64 },
    /// Reads bits as a variable.
    TakeWide { var: Var, bits: u32 },
    /// Reads bits as the word.
    TakeWord(u32),
    /// Names bits of a word of `of` bits: so many, with so many below them.
    LetBits { var: Var, width: u32, below: u32, of: u32 },
    /// Reads the next bits as a word, without moving on.
    NextWord,
    /// Moves on by so many bits.
    Advance(u32),
    /// Rejects if this was beyond the end.
    Within,
    /// Takes a number of at most so many groups out of the word, of which so many bits have been
    /// taken.
    Peel { var: Var, most: u32, taken: u32 },
    /// Moves to a bit of the input.
    AdvanceTo(u64),
    /// Moves to an octet of the input.
    ReaderAt(u64),
    /// Reads a number of as many octets as were read before, and one.
    TakeCounted { var: Var, octets: Var },
    /// Reads a word of so many bits into a place.
    TakeBitWord { id: TypeId, place: Place, count: Num },
    /// Reads a bit string of any length.
    TakeBitString { place: Place, count: Num },
    /// Reads so many characters of an alphabet.
    TakeCharacters { id: TypeId, place: Place, count: Num, bits: u8, indexed: bool, alphabet: Vec<u32> },
    /// Reads text of so many octets; that it has at most so many characters is checked later.
    TakeText { id: TypeId, place: Place, count: Var, most: u64 },
    /// Text in octets that were read.
    SetText { id: TypeId, place: Place, octets: Var },
    /// Reads so many octets into a string of limited length.
    TakeInline { place: Place, count: Num },
    /// Reads so many octets into a string of any length.
    TakeOctets { id: TypeId, place: Place, count: Num },
    /// Copies octets that were read into a string, or lends them.
    SetOctets { id: TypeId, place: Place, octets: Var },
    /// Bits in octets that were read: the number of unused bits, and then the bits. Names how many
    /// there are.
    SplitBits { octets: Var, count: Var },
    /// Sets a place to the bits that were split off.
    SetBits { id: TypeId, place: Place, count: Var },
    /// Names a number that was read as a wider one, if it fits into 64 bits with or without sign.
    Narrow { var: Var, signed: bool, from: Var },
    /// Reads a number after its length: with an offset, without, or with a sign.
    TakeDetermined { var: Var, signed: bool, offset: Option<i128> },
    /// Reads a number with a sign after its length, of which so many bits have been read: 8 to 16,
    /// the lowest ones of a word.
    TakeRest { var: Var, word: Var, bits: u32 },
    /// Reads how many units follow, as a word or as it is.
    TakeCount { var: Var, is_word: bool },
    /// Names an empty value of a type.
    Local { var: Var, id: TypeId },
    /// Makes a CHOICE hold an alternative that is in a variable.
    SetTo { id: TypeId, alternative: usize, place: Place, content: Var },
    /// A decoder's statements for a number: from the first to the last. Without statements for
    /// others, these are rejected.
    Match { number: Num, is_hex: bool, arms: Vec<(u64, u64, Block)>, others: Option<Block> },
    /// Reads so many large elements in place, possibly over those of an earlier message.
    EachPlace { element: Element, at: Var, count: Num, place: Place, body: Block },
    /// Reads all elements of so many octets each at once.
    OctetArrays { list: Var, place: Place, all: Var, count: Num, octets: u64 },
    /// The octets of an open type become the input.
    OpenOctets { outer: Var, count: Num },
    /// The octets of an open type end.
    CloseOctets { outer: Var },
    /// Makes a CHOICE hold an alternative that the schema does not know: by its index among the
    /// additions, with so many octets.
    TakeOther { id: TypeId, place: Place, index: Num, count: Num },
    /// Writes such an alternative, of which a variable refers to the content: its index, which is
    /// none of so many known ones, and its octets.
    PutOther { other: Var, known: u64, is_aligned: bool },
    /// Makes a CHOICE hold an alternative with a tag that the schema does not know, of which so
    /// many octets have been read.
    TakeTagged { id: TypeId, place: Place, read: u64 },
    /// Writes such an alternative: its tag, which is none of the known ones, and its octets.
    PutTagged { other: Var, known: Vec<u32> },
    /// The bits of an open type end, which began at a position that has been named.
    CloseBits { start: Var, count: Num },
    /// Reads a string whose units may come in fragments, or any bit string. Only in plans that
    /// stand alone, as all that follow.
    TakeUnits { id: TypeId, place: Place, size: Size, units: Units },
    /// Writes one.
    PutUnits { place: Place, size: Size, units: Units },
    /// Reads the elements of a list, which may come in fragments.
    TakeElements { element: Element, place: Place, size: Size, body: Block },
    /// Writes them.
    PutElements { item: Var, list: Place, size: Size, body: Block },
    /// Makes a CHOICE hold an alternative that the schema does not know, by its index.
    TakeLater { id: TypeId, place: Place, index: Var, is_aligned: bool },
    /// The content of an open type, which may come in fragments, becomes the input.
    BeginContent { outer: Var, is_aligned: bool },
    /// It ends.
    EndContent { outer: Var },
    /// In a stream of events.
    Event(Event),
}

/// How the number of a string's or a list's units is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The bounds of the root.
    pub bounds: (u64, u64),
    /// Whether a bit says that the number is outside the root; it has a length determinant then.
    pub is_extensible: bool,
    /// How many bits the number has in the root, and whether it begins at an octet border; without
    /// a field, it has a length determinant.
    pub field: Option<(u8, bool)>,
    /// Whether units begin at an octet border.
    pub has_aligned_units: bool,
    /// Whether length determinants do.
    pub is_aligned: bool,
}

/// The units of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Units {
    /// Bits. Named ones are written without the zeros at the end, but as so many at least.
    Bits(Option<u64>),
    /// Octets.
    Octets,
    /// Text in UTF-8, of at most so many characters.
    Text(u64),
    /// Characters of so many bits, by their places in an alphabet or by their codes.
    Characters { bits: u8, indexed: bool, alphabet: Vec<u32> },
}
