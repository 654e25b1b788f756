//! The state of a function under some conditions.

use std::collections::BTreeMap;

use roadwire_model::TypeId;
use roadwire_plan::Var;

use crate::rope::{At, Part};
use crate::term::Id;

/// A variable's meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Held {
    Number(Id),
    /// A part of the value.
    Reference(String, TypeId),
    /// A place in the output: so many parts.
    Mark(usize),
    /// A place in the input: so many bits before its end.
    Rest(Id),
    /// Octets of the input.
    Octets(Id),
    /// Octets of the input, in a room that is larger, and how many they are.
    Slice(Id, Id),
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) path: String,
    pub(crate) id: TypeId,
    pub(crate) vars: BTreeMap<u32, Held>,
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// All of these hold.
    pub(crate) guard: Vec<Id>,
    pub(crate) frames: Vec<Frame>,
    /// Parts of the value that are known.
    pub(crate) slots: BTreeMap<String, Id>,
    /// The output so far.
    pub(crate) out: Vec<Part>,
    /// Where a decoder is, and where its function began.
    pub(crate) at: At,
    pub(crate) start: At,
    /// The word that was read last.
    pub(crate) word: Option<Id>,
    /// The octets that were read last.
    pub(crate) head: Option<Id>,
    /// How many bits follow the end of the value that surrounds.
    pub(crate) end: Id,
}

impl State {
    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is called")
    }

    pub(crate) fn name(&mut self, var: Var, held: Held) {
        self.frame().vars.insert(var.0, held);
    }
}
