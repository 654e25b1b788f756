//! Generated code without a heap: two versions of one message.
#![no_std]

/// The version that a program knows.
#[allow(missing_docs, clippy::all)]
pub mod now {
    include!(concat!(env!("OUT_DIR"), "/now.rs"));
}

/// One that came after it.
#[allow(missing_docs, clippy::all)]
pub mod later {
    include!(concat!(env!("OUT_DIR"), "/later.rs"));
}
