//! Writes the in-memory types and their implementations of `Data`.

mod choice;
mod scalar;

use std::collections::HashSet;

use num_traits::ToPrimitive;
use roadwire_model::columns::ColumnCounts;
use roadwire_model::{Alternative, BigInt, Component, Enumerators, Kind, Presence, TypeId, Value};

use crate::columns;
use crate::data::choice::{choice, open};
use crate::data::scalar::{bit_flags, enumeration};
use crate::names::{constant_name, distinct, field_name, snake, variant_name};
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::{Int, Repr, Types};

/// The Rust identifiers of a type's parts, in the order of the model.
pub(crate) fn field_names(components: &[Component]) -> Vec<String> {
    let mut taken = HashSet::from(["unknown".to_owned()]);
    components.iter().map(|component| distinct(field_name(&component.name), &mut taken)).collect()
}

pub(crate) fn alternative_names(alternatives: &[Alternative]) -> Vec<String> {
    let mut taken = HashSet::from(["UnknownAddition".to_owned()]);
    alternatives.iter().map(|one| distinct(variant_name(&one.name), &mut taken)).collect()
}

pub(crate) fn item_names(enumerators: &Enumerators) -> Vec<String> {
    let mut taken = HashSet::from(["UnknownAddition".to_owned()]);
    enumerators.all().map(|(name, _)| distinct(variant_name(name), &mut taken)).collect()
}

pub(crate) fn write(types: &RustTypes<'_>, out: &mut Source) {
    let mut counts = ColumnCounts::new(types.source);
    for id in &types.order {
        let this = types.model.get(*id);
        let asn1 =
            this.name.as_ref().map_or("A type without a name of its own.".to_owned(), |name| format!("`{name}`"));
        let name = types.name(*id);
        match (&this.kind, types.repr(*id)) {
            (Kind::Sequence { components, extensible, .. }, Repr::Struct) => {
                let (fields, extensible) = (field_names(components), *extensible);
                let structure = Structure { types, id: *id, name, components, fields, extensible };
                structure.definition(&asn1, out);
                structure.default(out);
                structure.data(&mut counts, out);
            }
            (Kind::Choice { alternatives, .. }, Repr::Choice) if types.is_open(*id) => {
                open(types, &mut counts, *id, name, alternatives, out);
            }
            (Kind::Choice { alternatives, extensible }, Repr::Choice) => {
                choice(types, &mut counts, (*id, name), &asn1, alternatives, *extensible, out);
            }
            (Kind::Enumerated(enumerators), Repr::Enum) if !types.aliases.contains_key(id) => {
                enumeration(name, &asn1, enumerators, out);
            }
            (Kind::BitString { named, .. }, Repr::BitFlags { bits }) => {
                bit_flags(name, &asn1, named, *bits, out);
            }
            (kind, _) => alias(types, *id, &asn1, kind, out),
        }
    }
    types.wrappers.iter().for_each(|(id, name)| wrapper(types, *id, name, out));
    synonyms(types, out);
}

/// A message whose type is not one of its own.
fn wrapper(types: &RustTypes<'_>, id: TypeId, name: &str, out: &mut Source) {
    let asn1 = types.model.get(id).name.as_ref().map_or(String::new(), |name| format!("`{name}` as a message."));
    out.line("");
    out.line(format!("/// {asn1}"));
    out.line("#[derive(Clone, Debug, PartialEq)]");
    out.line(format!("pub struct {}(pub {});", types.with_lifetime(name, id, "'a"), types.rust(id)));
    out.line("");
    out.line(format!("impl Default for {} {{", types.with_lifetime(name, id, "'_")));
    out.line("fn default() -> Self {");
    out.line(format!("{name}({})", types.default_expression(id)));
    out.line("}");
    out.line("}");
    out.line("");
    out.line(format!("impl wire::Data for {} {{", types.with_lifetime(name, id, "'_")));
    out.line("wire::data_of!(self => self.0);");
    out.line("}");
}

/// The other names of the types.
pub(crate) fn synonyms(types: &RustTypes<'_>, out: &mut Source) {
    for (name, asn1, id) in &types.synonyms {
        out.line("");
        out.line(format!("/// `{asn1}`"));
        out.line(format!("pub type {} = {};", types.with_lifetime(name, *id, "'a"), types.rust(*id)));
    }
}

fn alias(types: &RustTypes<'_>, id: TypeId, asn1: &str, kind: &Kind, out: &mut Source) {
    let Some(name) = types.aliases.get(&id) else { return };
    out.line("");
    let range = match kind {
        Kind::Integer { range, .. } => {
            let end = |bound: &Option<_>, open: &str| {
                bound.as_ref().map_or(open.to_owned(), |bound: &roadwire_model::BigInt| bound.to_string())
            };
            let more = if range.extensible { ", ..." } else { "" };
            format!(": {}..{}{more}", end(&range.lower, "MIN"), end(&range.upper, "MAX"))
        }
        _ => String::new(),
    };
    out.line(format!("/// {asn1}{range}"));
    let rust = types.rust_structure(id);
    out.line(format!("pub type {} = {rust};", types.with_lifetime(name, id, "'a")));
    if let (Kind::Integer { named, .. }, Some(int)) = (kind, types.int(id)) {
        let mut taken = HashSet::new();
        for (label, value) in named {
            let constant = distinct(constant_name(&format!("{}-{label}", snake(name))), &mut taken);
            if fits(value.to_i128(), int) {
                let value = if *types.repr(id) == Repr::AnyInteger { any_integer(value) } else { value.to_string() };
                out.line(format!("/// `{label}` of [`{name}`]"));
                out.line(format!("pub const {constant}: {name} = {value};"));
            }
        }
    }
}

fn fits(value: Option<i128>, int: Int) -> bool {
    let (least, most) = int.bounds();
    value.is_some_and(|value| (least..=most).contains(&value))
}

/// The struct of a SEQUENCE or SET.
struct Structure<'s, 'm> {
    types: &'s RustTypes<'m>,
    id: TypeId,
    name: &'s str,
    components: &'s [Component],
    fields: Vec<String>,
    extensible: bool,
}

impl Structure<'_, '_> {
    fn fields(&self) -> impl Iterator<Item = (&Component, &String)> {
        self.components.iter().zip(&self.fields)
    }

    fn named(&self, lifetime: &str) -> String {
        self.types.with_lifetime(self.name, self.id, lifetime)
    }

    fn definition(&self, asn1: &str, out: &mut Source) {
        out.line("");
        out.line(format!("/// {asn1}"));
        out.line("#[derive(Clone, Debug, PartialEq)]");
        out.line(format!("pub struct {} {{", self.named("'a")));
        for (component, field) in self.fields() {
            let rust = self.types.field(self.id, component.type_id);
            out.line(format!("/// `{}`", component.name));
            let rust = if Types::is_option(component) { format!("Option<{rust}>") } else { rust };
            out.line(format!("pub {field}: {rust},"));
        }
        if self.extensible {
            out.line("/// Extension additions that this version of the module does not know.");
            out.line("pub unknown: wire::Additions,");
        }
        out.line("}");
    }

    fn default(&self, out: &mut Source) {
        out.line("");
        out.line(format!("impl Default for {} {{", self.named("'_")));
        out.line("#[inline]");
        out.line("fn default() -> Self {");
        out.line(format!("{} {{", self.name));
        for (component, field) in self.fields() {
            let value = match &component.presence {
                _ if Types::is_option(component) => "None".to_owned(),
                Presence::Default(value) => constant(self.types, component.type_id, value),
                _ => self.types.default_expression(component.type_id),
            };
            out.line(format!("{field}: {value},"));
        }
        if self.extensible {
            out.line("unknown: wire::Additions::new(),");
        }
        out.line("}");
        out.line("}");
        out.line("}");
    }

    fn data(&self, counts: &mut ColumnCounts<'_>, out: &mut Source) {
        out.line("");
        out.line(format!("wire::elements!({});", self.named("'_")));
        out.line("");
        out.line(format!("impl wire::Data for {} {{", self.named("'_")));
        out.line("fn component(&self, index: usize) -> Option<&dyn wire::Data> {");
        self.by_index(out, |component, field| match Types::is_option(component) {
            true => format!("self.{field}.as_ref()?"),
            false => format!("&self.{field}"),
        });
        out.line("fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {");
        self.by_index(out, |component, field| match Types::is_option(component) {
            true => format!("self.{field}.{}", self.types.insert_expression(component.type_id)),
            false => format!("&mut self.{field}"),
        });
        self.begin(out);
        if self.extensible {
            out.line("fn unknown(&self) -> &[wire::Unknown] {");
            out.line("self.unknown.as_slice()");
            out.line("}");
            out.line("fn keep(&mut self, unknown: wire::Unknown) -> bool {");
            out.line("self.unknown.push(unknown);");
            out.line("true");
            out.line("}");
        }
        columns::of_parts(self.types, counts, self.components, out);
        out.line("}");
    }

    /// The body of a function that finds a component by its index.
    fn by_index(&self, out: &mut Source, access: impl Fn(&Component, &str) -> String) {
        out.line("Some(match index {");
        for (at, (component, field)) in self.fields().enumerate() {
            out.line(format!("{at} => {},", access(component, field)));
        }
        out.line("_ => return None,");
        out.line("})");
        out.line("}");
    }

    /// Optional parts are cleared; the others are overwritten one by one, or keep their DEFAULT.
    fn begin(&self, out: &mut Source) {
        out.line("fn begin(&mut self, shape: wire::Shape) -> bool {");
        for (component, field) in self.fields() {
            if Types::is_option(component) {
                out.line(format!("self.{field} = None;"));
            } else if let Presence::Default(value) = &component.presence {
                out.line(format!("self.{field} = {};", constant(self.types, component.type_id, value)));
            }
        }
        if self.extensible {
            out.line("self.unknown = wire::Additions::new();");
        }
        out.line(format!("shape == wire::Shape::Record({})", self.components.len()));
        out.line("}");
    }
}

/// A DEFAULT value as an expression of its field's type.
pub(crate) fn constant(types: &RustTypes<'_>, id: TypeId, value: &Value) -> String {
    match types.repr(id) {
        Repr::Bool | Repr::Null | Repr::Integer(_) | Repr::Real | Repr::Enum | Repr::BitFlags { .. } => {
            literal(types, id, value)
        }
        _ => {
            let plain = types.rust(id).replace("<'a>", "<'_>");
            let rust = if types.is_boxed_type(id) { format!("Box<{plain}>") } else { plain };
            format!("{{ let default: {rust} = {}; default }}", literal(types, id, value))
        }
    }
}

/// The same, where the context determines the type.
fn literal(types: &RustTypes<'_>, id: TypeId, value: &Value) -> String {
    let plain = plain_literal(types, id, value);
    if types.is_boxed_type(id) { format!("Box::new({plain})") } else { plain }
}

/// The same, for an element of a list, which is in no `Box`.
fn plain_literal(types: &RustTypes<'_>, id: TypeId, value: &Value) -> String {
    let name = types.name(id);
    match (types.repr(id), value, types.kind(id)) {
        (Repr::Bool, Value::Boolean(value), _) => value.to_string(),
        (Repr::Null, ..) => "()".into(),
        (Repr::Integer(_), Value::Integer(value), _) => value.to_string(),
        (Repr::AnyInteger, Value::Integer(value), _) => any_integer(&value.to_bigint()),
        (Repr::Real, Value::Real(value), _) => format!("f64::from_bits({})", value.to_bits()),
        (Repr::Enum, Value::Enumerated(ordinal), Kind::Enumerated(enumerators)) => {
            format!("{name}::{}", item_names(enumerators)[*ordinal as usize])
        }
        (Repr::BitFlags { bits }, Value::BitString { octets, .. }, _) => {
            format!("{name}({})", word(octets, usize::from(*bits)))
        }
        (Repr::BitWord, Value::BitString { octets, bits }, _) => {
            format!("wire::BitWord {{ value: {}, bits: {bits} }}", word(octets, *bits))
        }
        (Repr::BitString, Value::BitString { octets, bits }, _) => {
            format!("wire::BitString::new(&{octets:?}, {bits}).unwrap_or_default()")
        }
        (Repr::FixedOctets(_), Value::OctetString(octets), _) => format!("{octets:?}"),
        (Repr::Octets(_), Value::OctetString(octets), _) => format!("wire::Octets(wire::InlineOctets::of({octets:?}))"),
        (Repr::LentOctets, Value::OctetString(octets), _) => format!("wire::LentOctets::new(&{octets:?})"),
        (Repr::LentText, Value::Text(text), _) => format!("wire::LentText::new({text:?})"),
        (Repr::OctetString, Value::OctetString(octets), _) => format!("wire::OctetString(Vec::from({octets:?}))"),
        (Repr::Text(_), Value::Text(text), _) => format!("wire::Text::from({text:?}).unwrap_or_default()"),
        (Repr::String, Value::Text(text), _) => format!("String::from({text:?})"),
        (Repr::Oid, Value::Oid(oid), _) => format!("wire::Oid(Vec::from({:?}))", oid.contents()),
        (Repr::List { element, .. }, Value::List(values), _) => {
            let values: Vec<String> = values.iter().map(|value| plain_literal(types, *element, value)).collect();
            format!("[{}].into_iter().collect()", values.join(", "))
        }
        (Repr::Choice, Value::Choice(which, inner), Kind::Choice { alternatives, .. }) => {
            let at = *which as usize;
            let variant = &alternative_names(alternatives)[at];
            format!("{name}::{variant}({})", literal(types, alternatives[at].type_id, inner))
        }
        (Repr::Struct, Value::Sequence { components: values, .. }, Kind::Sequence { components, .. }) => {
            let mut parts = Vec::new();
            for ((component, field), value) in components.iter().zip(field_names(components)).zip(values) {
                let Some(value) = value else { continue };
                let value = literal(types, component.type_id, value);
                parts.push(if Types::is_option(component) {
                    format!("{field}: Some({value})")
                } else {
                    format!("{field}: {value}")
                });
            }
            parts.push(format!("..{name}::default()"));
            format!("{name} {{ {} }}", parts.join(", "))
        }
        _ => types.default_expression(id),
    }
}

/// An integer of any length as an expression.
fn any_integer(value: &BigInt) -> String {
    match value.to_i64() {
        Some(small) => format!("wire::Integer::new({small})"),
        None => format!("wire::Integer::from_octets(&{:?}).unwrap_or_default()", value.to_signed_bytes_be()),
    }
}

/// The first `bits` bits as a number; missing bits are zero (trailing zero bits of named bit
/// strings may be missing).
pub(crate) fn word(octets: &[u8], bits: usize) -> u64 {
    (0..bits).fold(0, |word, at| {
        let octet = octets.get(at / 8).copied().unwrap_or(0);
        word << 1 | u64::from(octet >> (7 - at % 8) & 1)
    })
}

/// The variant that an enum has by default, and the head of its `Data`.
fn begin_data(types: &RustTypes<'_>, id: TypeId, name: &str, default: &str, out: &mut Source) {
    let with_lifetime = types.with_lifetime(name, id, "'_");
    out.line("");
    out.line(format!("impl Default for {with_lifetime} {{"));
    out.line("#[inline]");
    out.line("fn default() -> Self {");
    out.line(format!("{name}::{default}"));
    out.line("}");
    out.line("}");
    out.line("");
    out.line(format!("wire::elements!({with_lifetime});"));
    out.line("");
    out.line(format!("impl wire::Data for {with_lifetime} {{"));
}
