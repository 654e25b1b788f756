//! The engines under test. Adding one is adding a module and a line in [`all`].

use crate::{Engine, by_hand, cbor, protobuf, rasn, roadwire};
#[cfg(feature = "full")]
use crate::{cams::Cams, hampi, synta};

/// The name of the other implementation with which reports compare ours: there are ratios of time
/// to it, as to the codecs by hand, and a column in tables. Of all others that are linked, it has
/// the most cells; separate programs are not in every run.
pub const PEER: &str = "rasn";

/// Every linked engine, in the order of the tables.
pub fn all() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(roadwire::Toed),
        Box::new(roadwire::Soed),
        Box::new(roadwire::OnTape),
        Box::new(roadwire::Interpreter),
        Box::new(by_hand::ByHand),
        Box::new(rasn::Rasn),
        #[cfg(feature = "full")]
        Box::new(Cams(hampi::Hampi)),
        #[cfg(feature = "full")]
        Box::new(Cams(synta::Synta)),
        Box::new(protobuf::Peer(protobuf::Prost)),
        Box::new(protobuf::Peer(protobuf::QuickProtobuf)),
        Box::new(cbor::Minicbor),
    ]
}

/// The linked engine with this name.
#[must_use]
pub fn find(name: &str) -> Option<Box<dyn Engine>> {
    all().into_iter().find(|engine| engine.name() == name)
}
