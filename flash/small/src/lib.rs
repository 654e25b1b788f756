//! Generated code without a heap: two versions of one message, and one with a DEFAULT.
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

/// A message with a DEFAULT.
#[allow(missing_docs, clippy::all)]
pub mod preset {
    include!(concat!(env!("OUT_DIR"), "/preset.rs"));
}
