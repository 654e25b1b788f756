//! Conformance cases: a folder of Markdown for each set of encoding rules
//! ([`uper/README.md`](../uper/README.md) says how cases are written), and code that the generator
//! makes for each module in them. `tests/cases.rs` runs both the interpreter and the generated
//! code.
//!
//! Invariants: each case has octets, or an error, that the interpreter and the generated code must
//! both give. A section names the clause that it is about, and implementations that agree.
//!
//! Absent on purpose: messages of the road (`messages` has their vectors), and anything for
//! programs: only tests use this crate.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_layout::Rules;
use roadwire_wire::{Data, Error};

pub mod files;
pub mod markdown;
pub mod module;

/// A value of a generated type under its rules.
pub trait Sample {
    /// The value.
    fn data(&self) -> &dyn Data;
    /// The value, to be filled.
    fn data_mut(&mut self) -> &mut dyn Data;
    /// As [`Message::encode_to_vec`].
    ///
    /// # Errors
    /// As there.
    fn encode(&self, limit: usize) -> Result<Vec<u8>, Error<'static>>;
    /// As [`Message::decode`].
    ///
    /// # Errors
    /// As there.
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>>;
}

struct Generated<M, E>(M, PhantomData<E>);

impl<M: Message<E>, E> Sample for Generated<M, E> {
    fn data(&self) -> &dyn Data {
        &self.0
    }
    fn data_mut(&mut self) -> &mut dyn Data {
        &mut self.0
    }
    fn encode(&self, limit: usize) -> Result<Vec<u8>, Error<'static>> {
        self.0.encode_to_vec(limit)
    }
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>> {
        self.0.decode(input)
    }
}

/// The generator's result for a block with a module.
#[derive(Clone, Copy)]
pub enum Made {
    /// A type.
    Type {
        /// Makes an empty value.
        make: fn() -> Box<dyn Sample>,
        /// Whether it is the type of [`module::Module::wrapped`].
        wrapped: bool,
    },
    /// Nothing: the generator's error.
    Nothing(&'static str),
}

fn make<M: Message<E> + 'static, E: 'static>() -> Box<dyn Sample> {
    Box::new(Generated::<M, E>(M::default(), PhantomData))
}

/// The generator's result for the module in a folder's file, in the block of this line: of the type
/// under test, and of one that has it inside.
#[must_use]
pub fn generated(rules: Rules, file: &str, line: usize) -> Option<&'static [Made]> {
    let found = generated::ALL.iter().find(|(of, name, at, _)| (*of, *name, *at) == (rules, file, line));
    found.map(|(_, _, _, made)| *made)
}

#[allow(
    clippy::all,
    missing_docs,
    non_camel_case_types,
    unreachable_pub,
    unreachable_code,
    unused_comparisons,
    dead_code
)]
mod generated {
    use super::*;

    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}
