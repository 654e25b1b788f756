//! Statements.

use roadwire_model::TypeId;

use super::{
    Arg, Block, Component, Cond, Count, Element, Num, Place, Prim, Selector, Store, Str, Stream, Text, Until, Value,
    Var, Wide,
};

/// One thing that a function does.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Names a number.
    Let(Var, Num),
    /// Names a number that changes.
    LetMut(Var, Num),
    /// Names a condition.
    Is(Var, Cond),
    /// Rejects under a condition.
    RejectIf(Cond),
    /// The interpreter does the rest of the block.
    GiveUp,
    /// Binds the content of an optional place, which has to have one.
    Need(Var, Place),
    /// Octets of a word that are to be written, a pass decides with which others.
    Put { number: Num, octets: u32 },
    /// An array of octets in a place that is to be written.
    PutArray { place: Place, octets: usize },
    /// Room for octets that are written later. Nothing follows in the head.
    Room(usize),
    /// Writes a head of so many octets, and makes room after it.
    StoreHead { octets: usize, stores: Vec<Store>, room: usize },
    /// Writes an octet string that is stored inline.
    PutInline(Place),
    /// Writes the length of contents into the room before them, or elsewhere if it takes more.
    CloseAnywhere { start: Var, room: usize },
    /// The same for a length of a fixed size.
    CloseFixed { start: Var, room: usize },
    /// A head that a primitive makes of a number is to be written: the variables for its word and
    /// its length.
    PutHead { head: Prim, front: u8, most: usize, number: Num, variables: (Var, Var) },
    /// Writes a word of octets: numbers with the places of their lowest bits, and constant octets.
    PutWord { by: Prim, parts: Vec<(Num, u32)>, constant: u64, octets: Count },
    /// Names what a primitive makes of a number: a word and its length.
    LetWord { variables: (Var, Var), by: Prim, number: Num },
    /// Writes with a primitive.
    Write(Prim, Vec<Arg>),
    /// Remembers where contents begin.
    Mark(Var),
    /// Writes the length of contents before them.
    Close(Prim, Var),
    /// Octets that come next: bits that are known, and the variable that they become.
    Expect { octets: u32, bits: u64, mask: u64, var: Option<Var> },
    /// A head comes next: the variables for its number and its length.
    TakeHead { by: Prim, front: u8, most: usize, variables: (Var, Var) },
    /// A number of so many octets comes next.
    TakeNumber { var: Var, octets: usize },
    /// An array of so many octets comes next.
    TakeArray { var: Var, octets: usize },
    /// Splits a head of so many octets off the input.
    SplitHead(usize),
    /// Names an array in the head.
    LetArray { var: Var, at: usize, octets: usize },
    /// Names an item by its number; other numbers are rejected.
    LetItem { item: Var, id: TypeId, number: Var, numbers: Vec<i64> },
    /// Reads with a primitive that returns the rest of the input.
    TakeRest { var: Var, rest: Var, by: Prim },
    /// Splits the octets off that a length counts: one that was read, or one that comes next.
    Split { inside: Var, rest: Var, count: Option<Var> },
    /// Continues with octets in a variable.
    Continue(Var),
    /// All that is expected has to be read here.
    Settle,
    /// Reads the next eight octets as a word, without moving on.
    Window,
    /// Names bits of the window: shifted left, then right.
    LetPart { var: Var, left: u32, right: u32 },
    /// Names the number and the length of a head in the window, after so many octets, and moves on.
    LetHead { variables: (Var, Var), by: Prim, front: u8, after: u32 },
    /// Moves on by so many octets.
    Advance(u32),
    /// Reads with a primitive: variables for what it returns.
    Read(Vec<Var>, Prim, Vec<Arg>),
    /// Reads octets whose start and end a primitive returns, and moves on.
    ReadSlice { octets: Var, inside: Var, by: Prim, args: Vec<Arg> },
    /// Moves on to where a primitive returns.
    Skip(Prim, Vec<Arg>),
    /// Reads two octets that are known.
    ExpectOctets([u8; 2]),
    /// Reads contents up to an end that a primitive returns.
    Within { inside: Var, by: Prim, args: Vec<Arg>, body: Block },
    /// Turns octets in a variable into text, in the same variable.
    Utf8(Var),
    /// Sets a place.
    Set(Place, Value),
    /// Copies octets or text in a variable into the string in a place, which is bound to a
    /// variable.
    Fill { id: TypeId, place: Place, bound: Var, from: Str, bounds: (u64, u64) },
    /// Forgets unknown extension additions.
    ForgetUnknown(Place),
    /// Sets a component to what it is when absent.
    Clear(Component, Place),
    /// A tap is called where a part begins.
    TapBegins(usize),
    /// A tap is called where a part ends.
    TapEnds(usize),
    /// Makes room for an optional component, and binds it.
    Present { component: Component, place: Place, inner: Var },
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
    /// Names the order of the elements that come next in the output.
    LetOrder(Var),
    /// Moves the element that was written last to its place in their order.
    SettleOrder(Var),
    /// Names a flag that is set.
    LetFlag(Var),
    /// Clears a flag.
    ClearFlag(Var),
    /// Writes one of two texts for a BOOLEAN.
    PutTruth { place: Place, texts: [String; 2] },
    /// Writes the text of an item; unknown ones are rejected.
    PutLabel { id: TypeId, place: Place, labels: Vec<String> },
    /// Sets an item by the text that a primitive reads; others are rejected.
    SetByLabel { id: TypeId, place: Place, by: Prim, labels: Vec<(String, usize)> },
    /// Names the word of so many octets of hexadecimal digits.
    TakeFlagDigits { digits: Var, octets: u64 },
    /// Fills the octets in a place, which is bound, with so many pairs of digits.
    FillDigits { octets: Var, place: Place, digits: Var, count: Var, is_inline: bool },
    /// Fills an array of octets with digits.
    FillArray(Place, Var),
    /// Fills an object identifier from numbers with dots between them.
    FillArcs { place: Place, text: Var, is_relative: bool },
    /// Fills a bit string of up to 64 bits with the digits that come next.
    FillBits(Place, (u64, u64)),
    /// Reads characters into the string in a place.
    TakeCharacters { id: TypeId, place: Place, bound: Var, by: Text, bounds: (u64, u64), ranges: Vec<u32> },
    /// Appends elements [up to a bracket](Until::Bracket).
    Separated { element: Element, body: Block },
    /// Sets a component that is absent, whatever it was.
    SetAbsent(Component, Place),
    /// A variable that may be unused.
    MayBeUnused(Var),
    /// Does one of two things.
    If { condition: Cond, then: Block, otherwise: Option<Block> },
    /// An encoder's statements for a component that is sent; `inner` is bound to its content if it
    /// is optional.
    IfSent { component: Component, place: Place, inner: Option<Var>, then: Block },
    /// An encoder's statements for the alternative of a CHOICE: its index, the variable for its
    /// content, and what is done. An unknown alternative has the index after the last one.
    Switch { id: TypeId, place: Place, arms: Vec<(usize, Var, Block)>, has_others: bool },
    /// A decoder's statements for a number, and for others, which may be rejected.
    Select { number: Num, arms: Vec<(u64, Block)>, others: Option<Block> },
    /// Does it while a condition holds. Only in thorough plans.
    Loop { condition: Cond, body: Block },
    /// Reads ahead: where the body rejects, `fails` comes next, and nothing is refused. What
    /// follows reads from the same place. Only in thorough plans.
    Ahead { body: Block, fails: Block },
    /// Counts a variable up to a number, with these statements before each step. Only in thorough
    /// plans.
    CountTo { at: Var, number: Num, body: Block },
    /// The same for an open type; `others` is for all other alternatives.
    SwitchOpen { id: TypeId, place: Place, arms: Vec<(usize, Var, Block)>, others: Option<Block> },
    /// A decoder's statements for the first condition that holds. Otherwise it rejects.
    Chain(Vec<(Cond, Block)>),
    /// A decoder's statements for the next tag, and for others, which may be rejected.
    SelectTag(Vec<(Vec<u8>, Block)>, Option<Block>),
    /// A decoder's statements for the row of an open type.
    SelectRow { row: Var, arms: Vec<(u64, Block)>, others: Block },
    /// Names the row of an open type that a value selects; the greatest number for none.
    Row { row: Var, by: Selector },
    /// Makes a CHOICE hold an alternative, and binds its content.
    Choose { id: TypeId, alternative: usize, place: Place, inner: Var },
    /// Makes a CHOICE hold an alternative that has been read.
    SetAlternative { id: TypeId, alternative: usize, place: Place, inner: Var, value: Value },
    /// The same, where the content is used in any case.
    ChooseOnly { id: TypeId, alternative: usize, place: Place, inner: Var },
    /// For each element of a list.
    Each { item: Var, list: Place, body: Block },
    /// Binds a list, and empties it.
    Refill { list: Var, place: Place },
    /// Reads a number of elements of a type, each into a new place of the list.
    Times { count: Num, element: Element, body: Block },
    /// Reads elements while a condition holds.
    While { condition: Cond, element: Element, body: Block },
    /// Reads elements over those of an earlier message.
    Overwrite { element: Element, at: Var, place: Place, until: Until, body: Block },
    /// Statements of the component or the alternative with this number: an error in them names it.
    /// Only in [thorough plans](crate::Planner::thorough).
    Named { at: usize, body: Block },
    /// The reason for which the rest of this block rejects, if a condition does not show it. Only
    /// in the same plans.
    Because(Reason),
    /// Writes an INTEGER of any length. Only in plans that stand alone.
    PutInteger(Wide),
    /// Reads one.
    TakeInteger(Wide),
    /// Calls the function of a part, with so many levels above it, with the tap, and with the table
    /// of strings.
    Call { id: TypeId, place: Place, levels: Option<u32>, is_tapped: bool, has_strings: bool },
}

/// Faults that a value of a type may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An INTEGER is out of its range, or has more bits than the plan has.
    Integer,
    IntegerWidth,
    /// A string or a list is of another size.
    Size,
    /// An enumeration has no such item: by its index, by its number.
    Item,
    ItemNumber,
    /// There is no such alternative.
    Choice,
    /// A mandatory component is absent; one is present that others do not select.
    Component,
    Selected,
    /// An open type is empty, or something follows its value.
    OpenType,
    OpenTypeTrailing,
    /// Named bits have other contents, or more zeros at the end than the plan has.
    NamedBits,
    /// A BOOLEAN or a NULL has other contents.
    Truth,
    Null,
    /// There is another tag: where a mandatory component is expected, after all components, in a
    /// SET, or where an alternative is expected.
    TagOfComponent,
    TagTrailing,
    TagOfSet,
    TagOfChoice,
    /// A component of a SET comes again.
    ComponentAgain,
    /// Something follows in a value that should end.
    Trailing,
    /// A field has the wire type of another type.
    WireType,
    /// There is no field with this number: in a message, or in that of a CHOICE.
    Field,
    FieldOfChoice,
    /// The message of a CHOICE is empty.
    NoField,
    /// A data item is of another kind, or its tag is another one.
    ItemKind,
    ItemTag,
    /// A data item has unused bits that are ones.
    ItemBits,
    /// A map has a key that no component has, a component that is equal to its DEFAULT, or, of an
    /// addition group, no entry.
    Key,
    DefaultSent,
    NoEntry,
    /// The map of a CHOICE has more or fewer entries than one, or a key that no alternative has.
    Entries,
    KeyOfChoice,
    /// The length of a vector has more than 60 bits.
    Length,
    /// There is no component, or no alternative, of this name; a component comes twice.
    Member,
    Alternative,
    MemberTwice,
    /// A reference to a string that has not come.
    StringPlace,
    /// The plan does not have this form.
    Rare,
}
