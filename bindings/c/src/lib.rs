//! roadwire for C, and for all languages that call C. `include/roadwire.h` is made from this crate,
//! and has its documentation for users.
//!
//! Invariants: no function lets a panic out. A null pointer where there must be something is an
//! error, and so is text that is not UTF-8. The header is made from this code, never edited.
//!
//! Absent on purpose: values in C structs (messages are octets or text here), and checks of
//! pointers that are neither null nor valid, which nothing can notice.
#![allow(unsafe_code, reason = "the interface has pointers; who calls it answers for what they point to")]

mod boundary;
#[cfg(feature = "captures")]
pub mod capture;
pub mod converter;
pub mod error;
pub mod schema;

use std::ffi::c_char;

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn roadwire_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
