//! The interpreter: walks a [`Layout`] at run time. One small engine for every type and every encoding: the *space-optimised* codec of the studies,
//! the codec behind the command line for modules that nobody compiled in, and, with a [`Listener`], the annotated bit dump.
//!
//! `no_std`; it allocates only what the value being filled allocates, unknown extension additions, and open types of 16K octets or more.
//!
//! # Features
//!
//! A program that has few encoding rules need not carry the interpreter of all: each family of them is a feature, on by default: `packed` (UPER), `aligned` (APER), `octet` (OER, COER), `tlv` (BER, DER, CER),
//! `fields` (Protocol Buffers), `events` (EXI), `xml` (XER), `json` (JER) and `vectors` (the presentation language of TLS); and so are types that many messages do not have, in packed and octet
//! encodings: `strings` (character strings), `times` (TIME and its like) and `real` (REAL). A layout that needs a feature which is off is refused with [`ErrorKind::NotBuilt`].
//!
//! `packed`, `aligned` and `octet` do without the feature `alloc`; then the program needs no allocator. Additions of a later version are checked for where they end and passed over, and are not there when the
//! value is encoded again (so that [`decode_canonical`] refuses a message with any); of an unknown alternative it is known that there is one. Refused with [`ErrorKind::NotBuilt`] are integers of more
//! than 128 bits, object identifiers, open types (but those of extension additions), open types in fragments (16K octets or more), and a SET OF in the canonical order of COER.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "default"), allow(dead_code, reason = "some helpers are for several families"))]
#![allow(clippy::result_large_err, reason = "errors carry the field path without a heap")]

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

#[cfg(feature = "alloc")]
mod arcs;
mod canonical;
mod codec;
mod conditions;
mod decode;
#[cfg(feature = "alloc")]
mod default;
mod encode;
mod equal;
mod families;
mod limits;
mod line;
mod listener;
mod range;
#[cfg(feature = "times")]
mod records;
#[cfg(feature = "alloc")]
mod seen;
#[cfg(feature = "alloc")]
mod slots;
#[cfg(feature = "alloc")]
mod tapped;
mod times;
mod wide;

use roadwire_layout::Layout;
#[cfg(any(doc, feature = "alloc"))]
use roadwire_wire::ErrorKind;
use roadwire_wire::{Data, Error};

pub use codec::{Lent, Message};
pub use limits::Limits;
pub use listener::{Item, Listener, What};
#[cfg(feature = "alloc")]
pub use tapped::{Tapped, Way};

/// Encodes a value as a complete message into `output`, and tells how many octets it took.
///
/// # Errors
/// A value that does not fit the type or is outside its constraint, with the field path; an output that is too small.
pub fn encode<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    encode::message(layout, value, output)
}

/// Encodes a value as a complete message, in as much memory as it takes, up to `limit` octets.
///
/// # Errors
/// As [`encode`]; [`ErrorKind::OutputFull`] above the limit.
#[cfg(feature = "alloc")]
pub fn encode_to_vec<'n>(layout: &'n Layout, value: &dyn Data, limit: usize) -> Result<alloc::vec::Vec<u8>, Error<'n>> {
    let mut output = alloc::vec![0; 1024.min(limit)];
    loop {
        match encode(layout, value, &mut output) {
            Ok(octets) => {
                output.truncate(octets);
                return Ok(output);
            }
            Err(Error { kind: ErrorKind::OutputFull { .. }, .. }) if output.len() < limit => {
                let larger = output.len().saturating_mul(4).min(limit);
                output.resize(larger, 0);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Decodes a complete message into `value`, and tells how many bits it took. What follows them is left alone.
///
/// # Errors
/// What is wrong, at which bit, in which field. `value` is then partly filled.
pub fn decode<'n>(layout: &'n Layout, input: &[u8], value: &mut dyn Data) -> Result<usize, Error<'n>> {
    decode_with(layout, input, value, &Limits::for_input(input), &mut ())
}

/// As [`decode`], with limits of one's own, and telling a listener of every bit.
///
/// # Errors
/// As [`decode`].
pub fn decode_with<'n, L: Listener>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    decode::message(layout, input, value, limits, listener)
}

/// As [`decode`], but refuses every encoding other than the canonical one: that which [`encode`] writes. `scratch` is room for that, as much as the message
/// takes. (What unknown extension additions contain nobody can look at.)
///
/// # Errors
/// As [`decode`]; [`ErrorKind::NotCanonical`] at the first bit that differs; [`ErrorKind::OutputFull`] where `scratch` is too small.
pub fn decode_canonical<'n>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    scratch: &mut [u8],
) -> Result<usize, Error<'n>> {
    let bits = decode(layout, input, value)?;
    let octets = encode(layout, &*value, scratch)?;
    canonical::compare(layout, input, bits, scratch.get(..octets).unwrap_or(&[]), value)
}
