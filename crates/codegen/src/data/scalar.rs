//! ENUMERATED, and named bits.

use std::collections::HashSet;

use roadwire_model::Enumerators;

use crate::data::item_names;
use crate::names::{constant_name, distinct};
use crate::rust_types::primitive;
use crate::source::Source;
use roadwire_plan::Int;

pub(super) fn enumeration(name: &str, asn1: &str, enumerators: &Enumerators, out: &mut Source) {
    let items = item_names(enumerators);
    out.line("");
    out.line(format!("/// {asn1}"));
    out.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]");
    out.line(format!("pub enum {name} {{"));
    for (at, ((label, number), item)) in enumerators.all().zip(&items).enumerate() {
        out.line(format!("/// `{label}` ({number})"));
        if at == 0 {
            out.line("#[default]");
        }
        out.line(format!("{item},"));
    }
    if enumerators.extensible {
        out.line(
            "/// An item that this version of the module does not know: the number of root items plus its index, or, from rules that carry numbers, 2^31 and more with its number (`number_of_unknown_item`).",
        );
        out.line("UnknownAddition(u32),");
    }
    out.line("}");

    out.line("");
    out.line(format!("wire::elements!({name});"));
    out.line("");
    out.line(format!("impl wire::Data for {name} {{"));
    out.line("fn scalar(&self) -> wire::Scalar<'_> {");
    out.line("wire::Scalar::Enumerated(match *self {");
    for (at, item) in items.iter().enumerate() {
        out.line(format!("{name}::{item} => {at},"));
    }
    if enumerators.extensible {
        out.line(format!("{name}::UnknownAddition(ordinal) => ordinal,"));
    }
    out.line("})");
    out.line("}");
    out.line("fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {");
    out.line("let wire::Scalar::Enumerated(ordinal) = scalar else { return false };");
    out.line("*self = match ordinal {");
    for (at, item) in items.iter().enumerate() {
        out.line(format!("{at} => {name}::{item},"));
    }
    out.line(if enumerators.extensible {
        format!("_ => {name}::UnknownAddition(ordinal),")
    } else {
        "_ => return false,".into()
    });
    out.line("};");
    out.line("true");
    out.line("}");
    out.line("}");
}

pub(super) fn bit_flags(name: &str, asn1: &str, named: &[(String, u64)], bits: u8, out: &mut Source) {
    let word = primitive(Int::of_bits(bits));
    out.line("");
    out.line(format!("/// {asn1}: {bits} bits, the first one most significant"));
    out.line("#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]");
    out.line(format!("pub struct {name}(pub {word});"));
    if !named.is_empty() {
        let mut taken = HashSet::new();
        out.line("");
        out.line(format!("impl {name} {{"));
        for (label, at) in named.iter().filter(|(_, at)| *at < u64::from(bits)) {
            let constant = distinct(constant_name(label), &mut taken);
            out.line(format!("/// `{label}` ({at})"));
            out.line(format!("pub const {constant}: {word} = 1 << {};", u64::from(bits) - 1 - at));
        }
        out.line("}");
    }
    out.line("");
    out.line(format!("wire::elements!({name});"));
    out.line("");
    out.line(format!("impl wire::Data for {name} {{"));
    out.line("fn scalar(&self) -> wire::Scalar<'_> {");
    // A word with more bits than the type is not a value of it; the interpreter refuses its size.
    out.line("let value = u64::from(self.0);");
    out.line(if bits == 64 {
        format!("wire::Scalar::Word(wire::BitWord {{ value, bits: {bits} }})")
    } else {
        format!(
            "wire::Scalar::Word(wire::BitWord {{ value, bits: if value >> {bits} == 0 {{ {bits} }} else {{ 64 }} }})"
        )
    });
    out.line("}");
    out.line("fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {");
    out.line("match scalar {");
    out.line(format!("wire::Scalar::Word(wire::BitWord {{ value, bits: {bits} }}) => match value.try_into() {{"));
    out.line("Ok(value) => {");
    out.line("self.0 = value;");
    out.line("true");
    out.line("}");
    out.line("Err(_) => false,");
    out.line("},");
    out.line("_ => false,");
    out.line("}");
    out.line("}");
    out.line("}");
}
