//! synta's types, from the model: its derive macros have a tag on each field. Its own compiler
//! does not read a CAM (`docs/limits.md`).

use std::collections::BTreeMap;

use roadwire_model::{Component, Field, Kind, Model, Presence, StringKind, TagClass, TypeId};

/// The types that `root` needs. One that synta cannot express is an error.
pub(super) fn types(model: &Model, root: TypeId) -> Result<String, String> {
    let mut printer = Printer { model, names: BTreeMap::new(), text: String::new() };
    printer.named(root, "Message")?;
    Ok(printer.text)
}

struct Printer<'m> {
    model: &'m Model,
    names: BTreeMap<TypeId, String>,
    text: String,
}

impl Printer<'_> {
    /// The name of a SEQUENCE or CHOICE, whose definition is printed the first time.
    fn named(&mut self, id: TypeId, wanted: &str) -> Result<String, String> {
        let id = self.model.untagged(id);
        if let Some(name) = self.names.get(&id) {
            return Ok(name.clone());
        }
        let known = self.model.get(id).known_as().map(|name| name.name.replace('-', "_"));
        let wanted = known.unwrap_or_else(|| wanted.to_owned());
        let name = super::free_name(&wanted, &self.names);
        self.names.insert(id, name.clone());
        let kind = self.model.get(id).kind.clone();
        let text = match &kind {
            Kind::Sequence { set: false, components, .. } => {
                let mut fields = String::new();
                for Component { name: field, type_id, presence, field: place } in components {
                    let rust = self.field(*type_id, &name, field)?;
                    let is_sure = *presence == Presence::Mandatory && *place == Field::Root;
                    let rust = if is_sure { rust } else { format!("Option<{rust}>") };
                    fields += &format!("{}    pub {}: {rust},\n", self.tag(*type_id)?, identifier(field));
                }
                format!("#[derive(Asn1Sequence)]\npub struct {name} {{\n{fields}}}\n\n")
            }
            Kind::Choice { alternatives, .. } => {
                let mut variants = String::new();
                for one in alternatives {
                    let rust = self.field(one.type_id, &name, &one.name)?;
                    variants += &format!("{}    {}({rust}),\n", self.tag(one.type_id)?, identifier(&one.name));
                }
                format!("#[derive(Asn1Choice)]\npub enum {name} {{\n{variants}}}\n\n")
            }
            other => return Err(format!("{name}: {} is not printed", other.name())),
        };
        self.text += &text;
        Ok(name)
    }

    fn field(&mut self, id: TypeId, record: &str, field: &str) -> Result<String, String> {
        let wanted = format!("{record}_{}", identifier(field));
        Ok(match &self.model.get(id).kind {
            Kind::Boolean => "Boolean".into(),
            Kind::Null => "Null".into(),
            Kind::Integer { .. } => "Integer".into(),
            Kind::Enumerated(_) => "Enumerated".into(),
            Kind::BitString { .. } => "BitString".into(),
            Kind::OctetString { .. } => "OctetString".into(),
            Kind::String { kind: StringKind::Utf8, .. } => "Utf8String".into(),
            Kind::String { kind: StringKind::Numeric, .. } => "NumericString".into(),
            Kind::String { kind: StringKind::Ia5, .. } => "IA5String".into(),
            Kind::SequenceOf { set: false, element, .. } => {
                format!("Vec<{}>", self.field(*element, &wanted, "element")?)
            }
            Kind::Sequence { .. } | Kind::Choice { .. } => self.named(id, &wanted)?,
            other => return Err(format!("{wanted}: {} is not printed", other.name())),
        })
    }

    /// The attribute with the tag of a field, which a CHOICE has before its own (X.680 §31.2.7).
    fn tag(&self, id: TypeId) -> Result<String, String> {
        let this = self.model.get(id);
        let mode = if matches!(this.kind, Kind::Choice { .. }) { "explicit" } else { "implicit" };
        match this.tags.first() {
            Some(tag) if tag.class == TagClass::Context => Ok(format!("    #[asn1(tag({}, {mode}))]\n", tag.number)),
            _ => Err(format!("{}: its tag is not printed", this.kind.name())),
        }
    }
}

/// A name of ASN.1 as one of Rust.
fn identifier(name: &str) -> String {
    format!("r#{}", name.replace('-', "_"))
}
