//! CHOICE, and open types by their tables.

use roadwire_model::columns::ColumnCounts;
use roadwire_model::{Alternative, TypeId, Value};

use crate::columns;
use crate::data::{alternative_names, begin_data};
use crate::rust_types::RustTypes;
use crate::source::Source;

pub(super) fn choice(
    types: &RustTypes<'_>,
    counts: &mut ColumnCounts<'_>,
    (id, name): (TypeId, &str),
    asn1: &str,
    alternatives: &[Alternative],
    extensible: bool,
    out: &mut Source,
) {
    let variants = alternative_names(alternatives);
    out.line("");
    out.line(format!("/// {asn1}"));
    begin_enum(types, id, name, alternatives.len() + usize::from(extensible), out);
    for (one, variant) in alternatives.iter().zip(&variants) {
        out.line(format!("/// `{}`", one.name));
        out.line(format!("{variant}({}),", types.field(id, one.type_id)));
    }
    if extensible {
        out.line("/// An alternative that this version of the module does not know.");
        out.line("UnknownAddition(wire::Unknown),");
    }
    out.line("}");

    let first = types.first_finite(id);
    let default = match (alternatives.get(first), variants.get(first)) {
        (Some(one), Some(variant)) => format!("{variant}({})", types.default_expression(one.type_id)),
        _ => "UnknownAddition(wire::Unknown::default())".to_owned(),
    };
    begin_data(types, id, name, &default, out);
    alternative(name, &variants, extensible.then_some("UnknownAddition"), out);
    choose(types, name, alternatives, &variants, extensible.then_some("UnknownAddition"), out);
    if extensible {
        out.line("fn unknown(&self) -> &[wire::Unknown] {");
        out.line("match self {");
        out.line(format!("{name}::UnknownAddition(unknown) => core::slice::from_ref(unknown),"));
        out.line("_ => &[],");
        out.line("}");
        out.line("}");
        out.line("fn keep(&mut self, unknown: wire::Unknown) -> bool {");
        out.line(format!("*self = {name}::UnknownAddition(unknown);"));
        out.line("true");
        out.line("}");
    }
    columns::of_alternatives(types, counts, alternatives, extensible.then_some("UnknownAddition"), out);
    out.line("}");
}

/// An open type by its table: the types of its rows, and octets, which are the last alternative.
pub(super) fn open(
    types: &RustTypes<'_>,
    counts: &mut ColumnCounts<'_>,
    id: TypeId,
    name: &str,
    alternatives: &[Alternative],
    out: &mut Source,
) {
    let variants = alternative_names(alternatives);
    let (Some((octets, rows)), Some(table)) = (variants.split_last(), types.table(id)) else { return };
    let link = table.link.join(".");
    out.line("");
    out.line(match link.as_str() {
        "" => "/// An open type: a value of one of these types.".to_owned(),
        link => format!("/// An open type: a value of the type that `{link}` selects."),
    });
    begin_enum(types, id, name, variants.len(), out);
    for ((one, variant), (key, row)) in alternatives.iter().zip(rows).zip(&table.rows) {
        let this = types.model.get(*row);
        let of = this.name.as_ref().or(this.reference.as_ref()).map_or(this.kind.name(), |name| &name.name);
        out.line(match key_text(key) {
            Some(key) => format!("/// `{of}`, where `{link}` is {key}"),
            None => format!("/// `{of}`"),
        });
        out.line(format!("{variant}({}),", types.field(id, one.type_id)));
    }
    out.line("/// The octets of a content whose type is not in the table, or that comes before what selects its type. They are sent as they are.");
    out.line(format!("{octets}({}),", types.field(id, alternatives[rows.len()].type_id)));
    out.line("}");

    begin_data(types, id, name, &format!("{octets}(Default::default())"), out);
    out.line("fn scalar(&self) -> wire::Scalar<'_> {");
    out.line("match self {");
    out.line(format!("{name}::{octets}(octets) => octets.scalar(),"));
    out.line("_ => wire::Scalar::Unset,");
    out.line("}");
    out.line("}");
    alternative(name, rows, Some(octets), out);
    out.line("fn begin(&mut self, shape: wire::Shape) -> bool {");
    out.line("if shape != wire::Shape::Octets {");
    out.line("return false;");
    out.line("}");
    out.line(format!("*self = {name}::default();"));
    out.line("match self {");
    out.line(format!("{name}::{octets}(octets) => octets.begin(shape),"));
    out.line("_ => false,");
    out.line("}");
    out.line("}");
    out.line("fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {");
    out.line("match self {");
    out.line(format!("{name}::{octets}(octets) => octets.extend_octets(count),"));
    out.line("_ => None,");
    out.line("}");
    out.line("}");
    choose(types, name, alternatives, rows, Some(octets), out);
    columns::of_open(types, id, counts, alternatives, out);
    out.line("}");
}

/// The head of an enum with so many variants.
pub(super) fn begin_enum(types: &RustTypes<'_>, id: TypeId, name: &str, variants: usize, out: &mut Source) {
    out.line("#[derive(Clone, Debug, PartialEq)]");
    // Everything is inline, so decoding needs no heap.
    out.line("#[allow(clippy::large_enum_variant)]");
    // A separate discriminant is faster to test than one in a niche of the content.
    if (2..=256).contains(&variants) {
        out.line("#[repr(u8)]");
    }
    out.line(format!("pub enum {} {{", types.with_lifetime(name, id, "'a")));
}

/// `Data::alternative`, of `variants` and one that is none.
pub(super) fn alternative(name: &str, variants: &[String], none: Option<&str>, out: &mut Source) {
    out.line("fn alternative(&self) -> Option<(usize, &dyn wire::Data)> {");
    out.line("Some(match self {");
    for (at, variant) in variants.iter().enumerate() {
        out.line(format!("{name}::{variant}(content) => ({at}, content),"));
    }
    if let Some(none) = none {
        out.line(format!("{name}::{none}(_) => return None,"));
    }
    out.line("})");
    out.line("}");
}

/// The text that selects a row, if it is short.
pub(super) fn key_text(key: &Value) -> Option<String> {
    match key {
        Value::Integer(number) => Some(number.to_string()),
        Value::Oid(oid) => Some(oid.to_string()),
        Value::Choice(_, inner) => key_text(inner),
        _ => None,
    }
}

/// `Data::choose` of `variants`, the first alternatives, and one that is none.
pub(super) fn choose(
    types: &RustTypes<'_>,
    name: &str,
    alternatives: &[Alternative],
    variants: &[String],
    none: Option<&str>,
    out: &mut Source,
) {
    out.line("fn choose(&mut self, index: usize) -> Option<&mut dyn wire::Data> {");
    out.line("match index {");
    for (at, (one, variant)) in alternatives.iter().zip(variants).enumerate() {
        out.line(format!("{at} => {{"));
        out.line(format!("*self = {name}::{variant}({});", types.default_expression(one.type_id)));
        out.line("}");
    }
    out.line("_ => return None,");
    out.line("}");
    out.line("Some(match self {");
    for variant in variants {
        out.line(format!("{name}::{variant}(content) => content,"));
    }
    if let Some(none) = none {
        out.line(format!("{name}::{none}(_) => return None,"));
    }
    out.line("})");
    out.line("}");
}
