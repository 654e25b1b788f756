//! Generated code without a heap: two versions of one message.
#![no_std]

/// The version that a program supports.
#[allow(missing_docs, clippy::all)]
pub mod now {
    include!(concat!(env!("OUT_DIR"), "/now.rs"));
}

/// A later version.
#[allow(missing_docs, clippy::all)]
pub mod later {
    include!(concat!(env!("OUT_DIR"), "/later.rs"));
}
