//! Straight-line code for BER, DER and CER.

use std::collections::HashSet;

use roadwire_model::TypeId;

use crate::Pdu;
use crate::pass::words::Words;
use crate::plan::{Prim, Tlv};
use crate::rust::octets::{self, Family};
use crate::source::Source;
use crate::walk::tlv;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let words = Words { by: Prim::Tlv(Tlv::PutWord), is_little: false, before_alternatives: 0 };
    octets::write(pdu, &Family { body: tlv::body, words, wrong_end: "at > end" }, written, out);
}
