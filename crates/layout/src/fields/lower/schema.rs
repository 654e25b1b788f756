//! The mapping as a schema: with this `.proto` file, other implementations read and write the same
//! octets.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use roadwire_model::{Alternative, Component, Enumerators, Field, Kind, Model, Presence, Size, Table, TypeId, Value};

use super::scalar::Scalar;
use super::{describe, field_number, is_list_wrapped, message_type, numbered};
use crate::Rules;
use crate::error::LowerError;

/// How a CHOICE is written. The octets are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choices {
    /// As `oneof`, which Protocol Buffers have since 2.6.
    #[default]
    OneOf,
    /// Each alternative as an optional field, for earlier versions: that there is exactly one is
    /// left to the program.
    Optional,
}

/// A schema in the language of Protocol Buffers (proto2) for a type and all types that it refers
/// to. Its messages are encoded as under [`Rules::Protobuf`](crate::Rules::Protobuf).
///
/// # Errors
/// A type that has no layout under these rules.
pub fn proto_schema(model: &Model, root: TypeId, choices: Choices) -> Result<String, LowerError> {
    crate::lower(model, root, Rules::Protobuf)?;
    let mut writer = Writer { model, choices, names: HashMap::new(), taken: HashSet::new(), queue: VecDeque::new() };
    let wanted = model.get(root).known_as().map_or("Message", |name| &name.name).to_owned();
    writer.whole_message(root, &wanted);
    let mut text = String::from("// Written by roadwire from ASN.1.\n\nsyntax = \"proto2\";\n");
    while let Some((id, name)) = writer.queue.pop_front() {
        let is_item = matches!(model.get(id).kind, Kind::Enumerated(_)) && writer.names.get(&id) == Some(&name);
        if is_item { writer.enumeration(id, &name, &mut text) } else { writer.definition(id, &name, &mut text)? }
    }
    Ok(text)
}

struct Writer<'m> {
    model: &'m Model,
    choices: Choices,
    /// The names of types that have a definition.
    names: HashMap<TypeId, String>,
    taken: HashSet<String>,
    /// Types still to be defined.
    queue: VecDeque<(TypeId, String)>,
}

impl Writer<'_> {
    /// The name of the message for a value by itself; an enumeration is its only field.
    fn whole_message(&mut self, id: TypeId, wanted: &str) -> String {
        let id = message_type(self.model, id);
        if !matches!(self.model.get(id).kind, Kind::Enumerated(_)) {
            return self.message(id, wanted);
        }
        let name = self.claim(&format!("{}Message", identifier(self.name_of(id).unwrap_or(wanted))));
        self.queue.push_back((id, name.clone()));
        name
    }

    fn name_of(&self, id: TypeId) -> Option<&str> {
        self.model.get(id).known_as().map(|name| name.name.as_str())
    }

    /// The name of the message or enumeration for a type.
    fn message(&mut self, id: TypeId, wanted: &str) -> String {
        let id = message_type(self.model, id);
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let name = self.claim(&identifier(self.name_of(id).unwrap_or(wanted)));
        self.names.insert(id, name.clone());
        self.queue.push_back((id, name.clone()));
        name
    }

    fn claim(&mut self, wanted: &str) -> String {
        let distinct = |count: u32| if count == 1 { wanted.to_owned() } else { format!("{wanted}{count}") };
        let free = (1..).map(distinct).find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }

    /// The type of a field.
    fn field_type(&mut self, id: TypeId, wanted: &str) -> String {
        match Scalar::of(&self.model.get(message_type(self.model, id)).kind) {
            Some(scalar) => scalar.name().to_owned(),
            None => self.message(id, wanted),
        }
    }

    /// Writes the ASN.1 type of a definition.
    fn origin(&self, id: TypeId, text: &mut String) {
        let this = self.model.get(id);
        let name = this.known_as().map_or(String::new(), |name| format!(": {name}"));
        let _ = write!(text, "\n// {}{name}\n", describe::kind(&this.kind));
    }

    fn definition(&mut self, id: TypeId, name: &str, text: &mut String) -> Result<(), LowerError> {
        self.origin(id, text);
        let this = self.model.get(id);
        let _ = writeln!(text, "message {name} {{");
        match &this.kind {
            Kind::Null => {}
            Kind::Sequence { components, extensible, .. } => self.fields(name, components, *extensible, text)?,
            Kind::Choice { alternatives, extensible } => self.one_of(name, alternatives, *extensible, text)?,
            Kind::SequenceOf { element, .. } => {
                let line = self.repeated(name, "element", 1, *element);
                let _ = writeln!(text, "  {line}");
            }
            _ => {
                let of = self.field_type(id, name);
                let _ = writeln!(text, "  required {of} value = 1;");
            }
        }
        text.push_str("}\n");
        Ok(())
    }

    fn fields(
        &mut self,
        name: &str,
        components: &[Component],
        extensible: bool,
        text: &mut String,
    ) -> Result<(), LowerError> {
        let additions: Vec<bool> = components.iter().map(|component| component.field != Field::Root).collect();
        for (place, at) in numbered(&additions).into_iter().enumerate() {
            let (component, number) = (&components[at], field_number(place)?);
            let field = identifier(&component.name);
            let wanted = format!("{name}{}", capitalised(&field));
            let kind = &self.model.get(component.type_id).kind;
            let line = match kind {
                Kind::SequenceOf { element, size, .. } if !is_list_wrapped(component, size) => {
                    self.repeated(&wanted, &field, number, *element)
                }
                _ => {
                    let of = self.field_type(component.type_id, &wanted);
                    let sure = component.presence == Presence::Mandatory && component.field == Field::Root;
                    let label = if sure { "required" } else { "optional" };
                    let default = self.default(component, &of);
                    format!("{label} {of} {field} = {number}{default};")
                }
            };
            let _ = writeln!(text, "  {line}{}", self.comment(component.type_id, Some(component)));
            if let Kind::Open { table: Some(table) } = kind {
                self.rows(&wanted, table, text);
            }
        }
        if extensible {
            text.push_str("  // Fields of later versions may follow.\n");
        }
        Ok(())
    }

    fn repeated(&mut self, name: &str, field: &str, number: u32, element: TypeId) -> String {
        let of = self.field_type(element, &format!("{name}Element"));
        let kind = &self.model.get(message_type(self.model, element)).kind;
        let is_number = match Scalar::of(kind) {
            Some(scalar) => !matches!(scalar, Scalar::Bytes | Scalar::Text),
            None => matches!(kind, Kind::Enumerated(_)),
        };
        format!("repeated {of} {field} = {number}{};", if is_number { " [packed = true]" } else { "" })
    }

    fn one_of(
        &mut self,
        name: &str,
        alternatives: &[Alternative],
        extensible: bool,
        text: &mut String,
    ) -> Result<(), LowerError> {
        let additions: Vec<bool> = alternatives.iter().map(|one| one.addition).collect();
        let (indent, label) = match self.choices {
            Choices::OneOf => ("    ", ""),
            Choices::Optional => ("  ", "optional "),
        };
        if self.choices == Choices::OneOf {
            let mut oneof = "alternative".to_owned();
            while alternatives.iter().any(|one| identifier(&one.name) == oneof) {
                oneof.push('_');
            }
            let _ = writeln!(text, "  oneof {oneof} {{");
        } else {
            text.push_str("  // Exactly one of these.\n");
        }
        for (place, at) in numbered(&additions).into_iter().enumerate() {
            let one = &alternatives[at];
            let field = identifier(&one.name);
            let of = self.field_type(one.type_id, &format!("{name}{}", capitalised(&field)));
            let comment = self.comment(one.type_id, None);
            let _ = writeln!(text, "{indent}{label}{of} {field} = {};{comment}", field_number(place)?);
        }
        if self.choices == Choices::OneOf {
            text.push_str("  }\n");
        }
        if extensible {
            text.push_str("  // Alternatives of later versions may follow.\n");
        }
        Ok(())
    }

    /// Writes which types an open type may contain.
    fn rows(&mut self, name: &str, table: &Table, text: &mut String) {
        for (place, (key, id)) in table.rows.iter().enumerate() {
            let of = self.whole_message(*id, &format!("{name}{}", place + 1));
            let _ = writeln!(text, "  // {}: {of}", describe::value(key));
        }
    }

    fn enumeration(&self, id: TypeId, name: &str, text: &mut String) {
        let Kind::Enumerated(enumerators) = &self.model.get(id).kind else { return };
        self.origin(id, text);
        let _ = writeln!(text, "enum {name} {{");
        for ((_, number), item) in enumerators.all().zip(items(name, enumerators)) {
            let _ = writeln!(text, "  {item} = {number};");
        }
        text.push_str("}\n");
    }

    /// A DEFAULT, if the schema language can express it.
    fn default(&self, component: &Component, of: &str) -> String {
        let Presence::Default(value) = &component.presence else { return String::new() };
        let kind = &self.model.get(message_type(self.model, component.type_id)).kind;
        let text = match (value, Scalar::of(kind), kind) {
            (Value::Boolean(value), ..) => value.to_string(),
            (Value::Integer(value), Some(Scalar::Bytes), _) => octets(&value.to_bigint().to_signed_bytes_be()),
            (Value::Integer(value), ..) => value.to_string(),
            (Value::Real(value), ..) if value.is_infinite() => if *value > 0.0 { "inf" } else { "-inf" }.into(),
            (Value::Real(value), ..) if value.is_nan() => "nan".into(),
            (Value::Real(value), ..) => format!("{value:?}"),
            (Value::OctetString(value), ..) => octets(value),
            (Value::Text(value), ..) => octets(value.as_bytes()),
            (Value::Oid(value), ..) => octets(value.contents()),
            (Value::BitString { octets, bits }, Some(Scalar::Flags { .. }), _) => {
                let is_one = |at: usize| octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1);
                (0..*bits).filter(|at| is_one(*at)).fold(0u64, |flags, at| flags | 1 << at).to_string()
            }
            (Value::Enumerated(ordinal), _, Kind::Enumerated(enumerators)) => {
                match items(of, enumerators).into_iter().nth(*ordinal as usize) {
                    Some(item) => item,
                    None => return String::new(),
                }
            }
            _ => return String::new(),
        };
        format!(" [default = {text}]")
    }

    /// The ASN.1 type of a field.
    fn comment(&self, id: TypeId, component: Option<&Component>) -> String {
        let this = self.model.get(id);
        let is_leaf = Scalar::of(&this.kind).is_some();
        let name = this.known_as().map(|name| name.name.clone());
        let name = name.filter(|_| is_leaf || matches!(this.kind, Kind::SequenceOf { .. }));
        let mut parts: Vec<String> = name.into_iter().collect();
        if is_leaf {
            parts.push(describe::kind(&this.kind));
        }
        if let Kind::SequenceOf { size, .. } = &this.kind {
            if *size != Size::default() {
                parts.push(describe::size(size));
            }
        }
        if let Some(Component { presence: Presence::Default(value), .. }) = component {
            parts.push(format!("DEFAULT {}", describe::value(value)));
        }
        if parts.is_empty() { String::new() } else { format!("  // {}", parts.join(", ")) }
    }
}

/// The names of an enumeration's items: with its own name in front, for they are visible outside
/// it. The schema language wants them distinct without underscores and whatever their case
/// (`prec01deg` and `prec0-1deg`): one that is not gets its number appended.
fn items(name: &str, enumerators: &Enumerators) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut distinct = |item: &str| taken.insert(item.replace('_', "").to_lowercase());
    let named = |(item, number): &(String, i64)| {
        let mut item = identifier(item);
        if !distinct(&item) {
            item = format!("{item}_{}", number.unsigned_abs());
            while !distinct(&item) {
                item.push('x');
            }
        }
        format!("{name}_{item}")
    };
    enumerators.all().map(named).collect()
}

/// A name without hyphens, which ASN.1 has.
fn identifier(name: &str) -> String {
    name.replace('-', "_")
}

fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + characters.as_str())
}

/// Octets as a string of the schema language.
fn octets(octets: &[u8]) -> String {
    let escaped = octets.iter().map(|octet| format!("\\x{octet:02x}"));
    format!("\"{}\"", escaped.collect::<String>())
}
