//! The interpreter: walks a [`Layout`] at run time. One small engine for every type and every
//! encoding: the *space-optimised* codec of the studies, the codec of the command line for modules
//! that are not compiled in, and, with a [`Listener`], the annotated bit dump.
//!
//! ```
//! # use roadwire_asn1::{Source, compile};
//! # use roadwire_layout::{Rules, lower};
//! use roadwire_model::Value;
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let layout = lower(&model, model.find("Demo.Motion").unwrap(), Rules::Uper).unwrap();
//!
//! let mut value = Value::Unset;
//! assert_eq!(roadwire_engine::decode(&layout, &[0x89, 0x60, 0x40], &mut value), Ok(19));
//! let mut octets = [0; 8];
//! assert_eq!(roadwire_engine::encode(&layout, &value, &mut octets), Ok(3));
//! assert_eq!(octets[..3], [0x89, 0x60, 0x40]);
//!
//! // Errors name the bit and the field.
//! let error = roadwire_engine::decode(&layout, &[0x89], &mut value).unwrap_err();
//! assert_eq!((error.bit, error.path.to_string().as_str()), (1, "speed"));
//! ```
//!
//! Invariants: any octets give a value, or an error with the bit and the path; any value gives
//! octets, or an error with the path. Depth of recursion and memory have limits. Generated code has
//! the same octets, values and errors: where it rejects a message, it asks this interpreter.
//!
//! Absent on purpose: constraints that no encoding depends on (`roadwire-model` checks them), names
//! of types, and any knowledge of a message.
//!
//! `no_std`; it allocates only what the value being filled allocates, unknown extension additions,
//! and open types of 16K octets or more.
//!
//! # Features
//!
//! A program that needs few encoding rules can leave out the interpreters of the others: each
//! family is a feature, on by default: `packed` (UPER), `aligned` (APER), `octet` (OER, COER),
//! `tlv` (BER, DER, CER), `fields` (Protocol Buffers), `events` (EXI), `xml` (XER), `json` (JER),
//! `vectors` (the presentation language of TLS) and `cbor` (CBOR). So are types that many messages
//! do not use, in packed and octet encodings: `strings` (character strings), `times` (the time
//! types), `real` (REAL) and `defaults` (DEFAULT values). A layout that needs a disabled feature is
//! refused with [`ErrorKind::NotBuilt`].
//!
//! Without the feature `names`, layouts hold no names of components, alternatives and enumeration
//! items: paths of errors have the numbers of components and alternatives in their place. `tlv`,
//! `events`, `xml` and `json` need names, and [`Tapped`].
//!
//! `packed`, `aligned` and `octet` work without the feature `alloc`; then the program needs no
//! allocator. Additions of a later version are skipped, with a check of their length, and are lost
//! when the value is encoded again (so [`decode_canonical`] refuses a message with any); of an
//! unknown alternative, only its presence is known. Integers of more than 128 bits, object
//! identifiers, open types (except those of extension additions), open types in fragments (16K
//! octets or more), and a SET OF in the canonical order of COER are refused with
//! [`ErrorKind::NotBuilt`].
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "default"), allow(dead_code, reason = "some helpers are for several families"))]
#![allow(clippy::result_large_err, reason = "errors carry the field path without a heap")]

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

#[cfg(feature = "cbor")]
mod cbor;
#[cfg(feature = "events")]
mod events;
#[cfg(feature = "fields")]
mod fields;
#[cfg(feature = "json")]
mod json;
mod octet;
mod packed;
#[cfg(feature = "tlv")]
mod tlv;
#[cfg(feature = "vectors")]
mod vectors;
#[cfg(feature = "xml")]
mod xml;

#[cfg(feature = "alloc")]
mod arcs;
mod bits;
mod canonical;
mod codec;
#[cfg(any(feature = "vectors", feature = "json"))]
mod conditions;
#[cfg(feature = "alloc")]
mod contained;
mod decode;
#[cfg(feature = "alloc")]
mod default;
mod encode;
mod equal;
mod families;
mod limits;
mod listener;
mod range;
#[cfg(feature = "times")]
mod records;
#[cfg(feature = "alloc")]
mod seen;
mod slots;
#[cfg(all(feature = "alloc", feature = "names"))]
mod tapped;
mod times;
mod wide;

#[cfg(feature = "alloc")]
use roadwire_layout::Family;
use roadwire_layout::Layout;
#[cfg(any(doc, feature = "alloc"))]
use roadwire_wire::ErrorKind;
use roadwire_wire::{Data, Error};

pub use codec::{Lent, Message, Profile, SameEncoding};
pub use limits::Limits;
pub use listener::{Item, Listener, What};
#[cfg(all(feature = "alloc", feature = "names"))]
pub use tapped::{Tapped, Way};

/// Encodes a value as a complete message into `output`, and returns its length in octets.
///
/// # Errors
/// A value that does not fit the type or is outside its constraint, with the field path; an output
/// that is too small.
pub fn encode<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    families::encode(layout, value, output)
}

/// Encodes a value as a complete message, into a new vector of at most `limit` octets.
///
/// # Errors
/// As [`encode`]; [`ErrorKind::OutputFull`] above the limit.
#[cfg(feature = "alloc")]
pub fn encode_to_vec<'n>(layout: &'n Layout, value: &dyn Data, limit: usize) -> Result<alloc::vec::Vec<u8>, Error<'n>> {
    in_memory(first_size(layout), limit, |output| encode(layout, value, output))
}

/// The initial size of an output whose length is not known. Where it is too small, the value is
/// walked twice in vain, and text is some 20 times as long as packed octets.
#[cfg(feature = "alloc")]
pub(crate) fn first_size(layout: &Layout) -> usize {
    match layout.rules.family() {
        Family::Json => 4 * FIRST,
        Family::Xml => 8 * FIRST,
        Family::Packed | Family::Octet | Family::Tlv | Family::Fields => FIRST,
        Family::Events | Family::Vectors | Family::Cbor => FIRST,
    }
}

#[cfg(feature = "alloc")]
const FIRST: usize = 1024;

/// Encodes into an output that begins with `first` octets and grows up to `limit`.
#[cfg(feature = "alloc")]
pub(crate) fn in_memory<'n>(
    first: usize,
    limit: usize,
    mut encode: impl FnMut(&mut [u8]) -> Result<usize, Error<'n>>,
) -> Result<alloc::vec::Vec<u8>, Error<'n>> {
    let mut output = alloc::vec![0; first.min(limit)];
    loop {
        match encode(&mut output) {
            Ok(octets) => {
                output.truncate(octets);
                if output.capacity() > FIRST {
                    output.shrink_to_fit();
                }
                return Ok(output);
            }
            Err(Error { kind: ErrorKind::OutputFull { .. }, .. }) if output.len() < limit => {
                let larger = output.len().saturating_mul(4).max(FIRST).min(limit);
                output.resize(larger, 0);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Decodes a complete message into `value`, and returns its length in bits. Bits after it are
/// ignored.
///
/// # Errors
/// The error names the bit and the field. `value` is then partly filled.
pub fn decode<'n>(layout: &'n Layout, input: &[u8], value: &mut dyn Data) -> Result<usize, Error<'n>> {
    decode_silently(layout, input, value, &Limits::for_input(input))
}

/// As [`decode`], with the given limits, and a listener that is called for every bit.
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
    match L::ACTIVE {
        true => decode_heard(layout, input, value, limits, listener),
        false => decode_silently(layout, input, value, limits),
    }
}

fn decode_silently<'n>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
) -> Result<usize, Error<'n>> {
    families::decode(layout, input, value, limits, &mut ())
}

fn decode_heard<'n>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut dyn listener::Calls,
) -> Result<usize, Error<'n>> {
    families::decode(layout, input, value, limits, &mut listener::Any(listener))
}

/// As [`decode`], but refuses every encoding other than the canonical one, which is what [`encode`]
/// writes. `scratch` is room for that encoding. (The content of unknown extension additions cannot
/// be checked.)
///
/// # Errors
/// As [`decode`]; [`ErrorKind::NotCanonical`] at the first bit that differs;
/// [`ErrorKind::OutputFull`] if `scratch` is too small.
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
