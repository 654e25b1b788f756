//! The subjects of the laboratory: roadwire's codecs, those of other implementations, and codecs
//! written by hand for one message, all behind one trait, [`Engine`]; and the messages that they
//! encode, [`content`].
//!
//! [`all`] is the list of those that are linked; [`program::peers`] builds those that are programs
//! of their own. [`roadwire_measure::bench::Codec`] is what an engine provides for each message.
//!
//! Invariants: all engines encode the same values, and a cell that is missing has a reason. The
//! types of other implementations are printed from our model, or made by their own compilers.
//!
//! Absent on purpose: clocks and verdicts (`roadwire-measure`, `roadwire-lab`).

pub mod by_hand;
#[cfg(feature = "full")]
mod cams;
pub mod cbor;
pub mod content;
mod engine;
#[cfg(feature = "full")]
pub mod hampi;
pub mod hex;
pub mod program;
pub mod protobuf;
pub mod rasn;
mod registry;
pub mod roadwire;
#[cfg(feature = "full")]
pub mod synta;

pub use engine::{Engine, Kind, TimedRegion};
pub use registry::{PEER, all, find};
