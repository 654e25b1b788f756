//! Straight-line code for CBOR. Constant octets that follow each other, and heads of numbers after them, are one word.

use std::collections::HashSet;

use roadwire_model::TypeId;

use crate::Pdu;
use crate::pass::words::Words;
use crate::plan::{Cbor, Prim};
use crate::rust::octets::{self, Family};
use crate::source::Source;
use crate::walk::cbor;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Cbor(Cbor::PutWord), is_little: false, before_alternatives: 16 };
    octets::write(pdu, &Family { body: cbor::body, words, wrong_end: "at > end" }, written, out);
}
