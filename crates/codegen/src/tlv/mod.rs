//! Straight-line code for encodings by tag, length and contents (X.690). Its decoders read what its encoders write; other forms of the basic encoding rules are left to the interpreter.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::tlv::item_values;
use roadwire_layout::{Layout, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::tlv::{self, Identifier};

use crate::Pdu;
use crate::delimited::{self, Family};
use crate::source::Source;
use crate::tlv::decode::DecodeWriter;
use crate::tlv::encode::EncodeWriter;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let family = Family {
        encode: |code, id, node| EncodeWriter { code }.body(id, node),
        decode: |code, id, node| DecodeWriter::new(code).body(id, node),
        wrong_end: "at > end",
    };
    delimited::write(pdu, &family, written, out);
}

/// The octet of an identifier; longer identifiers are rare.
fn identifier_octet(identifier: Identifier) -> Option<u8> {
    match tlv::identifier_octets(identifier).as_slice() {
        [octet] => Some(*octet),
        _ => None,
    }
}

/// How many octets a number takes.
fn octets_of(number: i64) -> usize {
    roadwire_wire::rt::TwosComplement::signed(number.into()).octets().len()
}

/// An enumeration's numbers, ascending, with the ordinals of their items.
fn item_numbers(layout: &Layout, values: Span) -> Vec<(i64, u32)> {
    item_values(layout, values).collect()
}

/// Whether a number of type `i64` is outside bounds, as an expression.
fn outside(number: &str, lower: i64, upper: i64) -> String {
    match (lower, upper) {
        (i64::MIN, i64::MAX) => "false".into(),
        (i64::MIN, _) => format!("{number} > {upper}"),
        (_, i64::MAX) => format!("{number} < {lower}i64"),
        _ => format!("{number} < {lower}i64 || {number} > {upper}i64"),
    }
}
