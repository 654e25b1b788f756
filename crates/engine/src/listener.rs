//! Listeners: called with the meaning of each bit.

use roadwire_layout::Layout;
use roadwire_wire::{Scalar, Step};

/// Is called for every bit that a decoder reads, in order, once for each bit.
pub trait Listener {
    /// Whether calls are made at all.
    const ACTIVE: bool = true;

    /// A component, alternative or element begins.
    fn enter(&mut self, step: Step<'_>);

    /// It ends.
    fn leave(&mut self);

    /// Some bits have been read.
    fn item(&mut self, layout: &Layout, item: &Item<'_>);
}

impl Listener for () {
    const ACTIVE: bool = false;
    fn enter(&mut self, _: Step<'_>) {}
    fn leave(&mut self) {}
    fn item(&mut self, _: &Layout, _: &Item<'_>) {}
}

/// The calls of a [`Listener`].
pub(crate) trait Calls {
    fn enter(&mut self, step: Step<'_>);
    fn leave(&mut self);
    fn item(&mut self, layout: &Layout, item: &Item<'_>);
}

impl<L: Listener> Calls for L {
    fn enter(&mut self, step: Step<'_>) {
        Listener::enter(self, step);
    }

    fn leave(&mut self) {
        Listener::leave(self);
    }

    fn item(&mut self, layout: &Layout, item: &Item<'_>) {
        Listener::item(self, layout, item);
    }
}

/// Any listener: the interpreter is compiled once for all of them, and not again in each crate that
/// has some.
pub(crate) struct Any<'l>(pub(crate) &'l mut dyn Calls);

impl Listener for Any<'_> {
    fn enter(&mut self, step: Step<'_>) {
        self.0.enter(step);
    }

    fn leave(&mut self) {
        self.0.leave();
    }

    fn item(&mut self, layout: &Layout, item: &Item<'_>) {
        self.0.item(layout, item);
    }
}

/// The meaning of some bits.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Offset of the first, from the start of the message.
    pub bit: usize,
    /// How many; 0 for a value that takes none.
    pub bits: usize,
    /// Their role.
    pub what: What<'a>,
    /// The value that they encode, if it is a leaf's.
    pub value: Scalar<'a>,
}

/// The role of some bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'a> {
    /// Whether additions follow, or whether the value is outside the extensible root.
    Extension(bool),
    /// Whether this component is present.
    Presence(&'a str, bool),
    /// How many addition presence bits follow.
    AdditionCount(usize),
    /// Whether the addition with this index (and name, if known) is present.
    Addition(usize, &'a str, bool),
    /// Which alternative.
    Choice(u64, &'a str),
    /// A length or count; `u64::MAX` for an indefinite length (X.690 §8.1.3.6).
    Length(u64),
    /// The length of an open type in octets.
    OpenLength(usize),
    /// Identifier octets (X.690 §8.1.2); the name of the component or alternative, if it has one.
    Tag(&'a str),
    /// Names and the syntax around them: XML tags with their attributes' names, JSON member names,
    /// brackets and commas; the name, if it is one.
    Name(&'a str),
    /// An event code: what begins or ends there (`SE` and `EE` an element, `AT` an attribute, `CH`
    /// characters), and an element's name.
    Event(&'static str, &'a str),
    /// A header before the message, and which one.
    Header(&'static str),
    /// The end of an indefinite length: end-of-contents octets (X.690 §8.1.5).
    End,
    /// A leaf's value; the name of an enumeration item.
    Value(&'a str),
    /// An unknown extension addition's octets.
    Unknown,
    /// Without meaning: bits up to an octet border, bits after the known part of an open type,
    /// white space and comments.
    Padding,
}
