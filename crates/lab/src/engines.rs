//! The engines under test. Adding one is adding a file here and a line in [`all`].

pub mod floor;
pub mod program;
pub mod protobuf;
pub mod rasn;
pub mod roadwire;

use crate::engine::Engine;

/// Every engine that is linked in, in the order of the tables.
pub fn all() -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(roadwire::Toed),
        Box::new(roadwire::Soed),
        Box::new(floor::Floor),
        Box::new(rasn::Rasn),
        Box::new(protobuf::Peer(protobuf::Prost)),
        Box::new(protobuf::Peer(protobuf::QuickProtobuf)),
    ]
}
