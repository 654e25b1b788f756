//! What an encoder or a decoder does, as data: statements over places, numbers and conditions. A
//! [walk](crate::walk) makes a plan from a layout, [passes](crate::pass) improve it, and a
//! [printer](crate::rust) writes it. Nothing in a plan is text of a target language.

mod amount;
mod condition;
mod draft;
mod event;
mod number;
mod place;
mod prim;
mod statement;
mod stream;
mod value;

use roadwire_model::TypeId;

pub(crate) use amount::{Amount, Bit, Mover, Received, Test};
pub(crate) use condition::Cond;
pub(crate) use draft::{Draft, Way};
pub(crate) use event::{Event, Form, Repeat};
pub(crate) use number::{Int, Num, Str, Unknown};
pub(crate) use place::{Place, Root, Step};
pub(crate) use prim::{Cbor, Fields, Prim, Text, Tlv, Vectors};
pub(crate) use statement::Stmt;
pub(crate) use stream::Stream;
pub(crate) use value::{Arg, Count, Element, Pattern, Selector, Store, Until, Value};

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
