//! The work of an encoder or a decoder, as data: statements over places, numbers and conditions. A
//! walk makes a plan from a layout, and passes improve it. Nothing in a plan is text of a target
//! language.
#![allow(missing_docs, reason = "a variant says what it does; fields and primitives are named after what they are")]

mod amount;
mod condition;
mod draft;
mod event;
mod number;
mod place;
mod prim;
mod statement;
mod stream;
mod time;
mod value;
mod wide;

use roadwire_model::TypeId;

pub use amount::{Amount, Bit, Mover};
pub use condition::Cond;
pub(crate) use draft::Draft;
pub use draft::Way;
pub use event::{Codes, Event, Form, Repeat};
pub use number::{Int, Num, Str, Unknown};
pub use place::{Place, Root, Step};
pub use prim::{Cbor, Events, Fields, Prim, Text, Tlv, Vectors};
pub use statement::{Reason, Stmt};
pub use stream::{Size, Stream, Units};
pub use time::{NumberForm, Slot, TimeForm, TimePart};
pub use value::{Arg, Count, Element, Pattern, Selector, Store, Until, Value};
pub use wide::{Coding, Range, Wide};

/// A variable of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var(pub u32);

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// A component of a SEQUENCE or SET: the type, and the component's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    pub record: TypeId,
    pub at: usize,
}
