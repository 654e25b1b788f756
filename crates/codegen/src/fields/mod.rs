//! Straight-line code for Protocol Buffers.

use std::collections::HashSet;

use roadwire_model::TypeId;

use crate::Pdu;
use crate::pass::words::Words;
use crate::plan::{Fields, Prim};
use crate::rust::octets::{self, Family};
use crate::source::Source;
use crate::walk::fields;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Fields(Fields::PutWord), is_little: true, before_alternatives: 0 };
    octets::write(pdu, &Family { body: fields::body, words, wrong_end: "at != end" }, written, out);
}
