//! rasn's types, from the model: in the form that is the fastest with rasn. Constraints are on the
//! fields, strings of a fixed size are inline, integers are as narrow as their range.
//!
//! Types, fields and alternatives have their names of ASN.1, so that few need an identifier of
//! their own.

use std::collections::BTreeMap;
use std::fmt::Display;

use roadwire_model::{
    Alternative, BigInt, Component, Enumerators, Field, IntegerRange, Kind, Model, Presence, Size, StringKind, Tag,
    TagClass, TypeId, Value,
};

/// The types that `root` needs. One that rasn cannot express is an error.
pub(super) fn types(model: &Model, root: TypeId) -> Result<String, String> {
    let mut printer = Printer { model, names: BTreeMap::new(), open: Vec::new(), text: String::new() };
    printer.named(root, "Message")?;
    Ok(printer.text)
}

struct Printer<'m> {
    model: &'m Model,
    names: BTreeMap<TypeId, String>,
    /// Types whose definition is not complete: one that contains them again has them in a box.
    open: Vec<TypeId>,
    text: String,
}

/// The type of a field, and its constraint as rasn's attribute.
struct Of {
    rust: String,
    constraint: Option<String>,
}

impl From<String> for Of {
    fn from(rust: String) -> Self {
        Of { rust, constraint: None }
    }
}

impl Printer<'_> {
    /// The name of a type with a definition of its own, which is printed the first time.
    fn named(&mut self, id: TypeId, wanted: &str) -> Result<String, String> {
        let id = self.model.untagged(id);
        if let Some(name) = self.names.get(&id) {
            return Ok(name.clone());
        }
        let known = self.model.get(id).known_as().map(|name| name.name.clone());
        let wanted = known.as_deref().map_or_else(|| wanted.to_owned(), identifier);
        let name = super::free_name(&wanted, &self.names);
        self.names.insert(id, name.clone());
        self.open.push(id);
        let kind = self.model.get(id).kind.clone();
        let known = known.unwrap_or_else(|| match kind {
            // The element of a list without a name is called after its type.
            Kind::Sequence { .. } | Kind::Choice { .. } | Kind::Enumerated(_) => name.clone(),
            _ => kind.name().replace(' ', "_"),
        });
        let text = match &kind {
            Kind::Sequence { set, components, extensible } => {
                self.record(&name, &known, *set, components, *extensible)?
            }
            Kind::Choice { alternatives, extensible } => self.choice(&name, &known, alternatives, *extensible)?,
            Kind::Enumerated(items) => enumeration(&name, &known, items),
            _ => {
                let Of { rust, constraint } = self.field(id, &name)?;
                let own = (known != name).then(|| format!("identifier = {known:?}"));
                let of = attribute([Some("delegate".into()), constraint, own]);
                format!("{DERIVE}{of}pub struct {name}(pub {rust});\n\n")
            }
        };
        self.text += &text;
        self.open.pop();
        Ok(name)
    }

    fn record(
        &mut self,
        name: &str,
        known: &str,
        set: bool,
        components: &[Component],
        extensible: bool,
    ) -> Result<String, String> {
        let tags = components.iter().map(|component| (component.field != Field::Root, component.type_id));
        self.are_automatic(name, tags)?;
        let own = (known != name).then(|| format!("identifier = {known:?}"));
        let head = attribute([Some("automatic_tags".into()), set.then(|| "set".into()), own]);
        let mut fields = String::new();
        for chunk in components.chunk_by(|one, next| matches!(one.field, Field::Group(_)) && one.field == next.field) {
            let Field::Group(number) = chunk[0].field else {
                fields += &self.component(name, &chunk[0])?;
                continue;
            };
            let (group, mut inside) = (format!("{name}Group{number}"), String::new());
            for component in chunk {
                inside += &self.component(name, &Component { field: Field::Root, ..component.clone() })?;
            }
            self.text +=
                &format!("{DERIVE}{}pub struct {group} {{\n{inside}}}\n\n", attribute([Some("automatic_tags".into())]));
            fields += &format!("    #[rasn(extension_addition_group)]\n    pub group{number}: Option<{group}>,\n");
        }
        Ok(format!("{DERIVE}{head}{}pub struct {name} {{\n{fields}}}\n\n", open(extensible)))
    }

    fn component(&mut self, record: &str, component: &Component) -> Result<String, String> {
        let Component { name, type_id, presence, field } = component;
        let Of { rust, constraint } = self.field(*type_id, &format!("{record}_{}", identifier(name)))?;
        let addition = (*field != Field::Root).then(|| "extension_addition".into());
        let default = match presence {
            Presence::Default(value) => {
                Some(self.default(&format!("default_{record}_{}", identifier(name)), &rust, *type_id, value)?)
            }
            _ => None,
        };
        let is_sure = default.is_some() || *presence == Presence::Mandatory && *field == Field::Root;
        // rasn intersects the constraint of a field with the type's own: an extensible one must not
        // be on a type of fixed width, but may be on an OPTIONAL one.
        let is_extensible = matches!(&self.model.get(*type_id).kind, Kind::Integer { range, .. } if range.extensible);
        let rust = match (is_sure, is_extensible) {
            (true, _) => rust,
            (false, true) => "Option<i64>".into(),
            (false, false) => format!("Option<{rust}>"),
        };
        let (field, own) = renamed(name);
        Ok(below([addition, constraint, own, default], &format!("pub {field}: {rust}")))
    }

    fn choice(
        &mut self,
        name: &str,
        known: &str,
        alternatives: &[Alternative],
        extensible: bool,
    ) -> Result<String, String> {
        self.are_automatic(name, alternatives.iter().map(|one| (one.addition, one.type_id)))?;
        let mut variants = String::new();
        for Alternative { name: one, type_id, addition } in alternatives {
            let Of { rust, constraint } = self.field(*type_id, &format!("{name}_{}", identifier(one)))?;
            let (variant, own) = renamed(one);
            let addition = addition.then(|| "extension_addition".into());
            variants += &below([addition, constraint, own], &format!("{variant}({rust})"));
        }
        let own = (known != name).then(|| format!("identifier = {known:?}"));
        let head = attribute([Some("choice".into()), Some("automatic_tags".into()), own]);
        Ok(format!("{DERIVE}{head}{}pub enum {name} {{\n{variants}}}\n\n", open(extensible)))
    }

    fn field(&mut self, id: TypeId, wanted: &str) -> Result<Of, String> {
        Ok(match &self.model.get(id).kind {
            Kind::Boolean => "bool".to_owned().into(),
            Kind::Null => "()".to_owned().into(),
            Kind::Integer { range, .. } => integer(range),
            Kind::BitString { size, .. } => sized("FixedBitString", "BitString", size),
            Kind::OctetString { size, .. } => sized("FixedOctetString", "OctetString", size),
            // It counts octets, not characters, and would refuse some. No encoding depends on this
            // size (X.691 §10.3).
            Kind::String { kind: StringKind::Utf8, .. } => "Utf8String".to_owned().into(),
            Kind::String { kind, size, alphabet: None, .. } => {
                let rust = match kind {
                    StringKind::Numeric => "NumericString",
                    StringKind::Printable => "PrintableString",
                    StringKind::Ia5 => "Ia5String",
                    StringKind::Visible => "VisibleString",
                    other => return Err(format!("{wanted}: {} is not printed", other.name())),
                };
                Of { rust: rust.into(), constraint: extent(size) }
            }
            Kind::SequenceOf { set: false, element, size, .. } => {
                let element = self.element(*element, &format!("{wanted}_element"))?;
                Of { rust: format!("SequenceOf<{element}>"), constraint: extent(size) }
            }
            Kind::Sequence { .. } | Kind::Choice { .. } | Kind::Enumerated(_) => {
                let is_inside_itself = self.open.contains(&self.model.untagged(id));
                let name = self.named(id, wanted)?;
                if is_inside_itself { format!("Box<{name}>") } else { name }.into()
            }
            Kind::Open { .. } => "Any".to_owned().into(),
            other => return Err(format!("{wanted}: {} is not printed", other.name())),
        })
    }

    /// An element has no attributes: a constraint, or a name, which XER shows, is that of a type of
    /// its own.
    fn element(&mut self, id: TypeId, wanted: &str) -> Result<String, String> {
        let this = self.model.get(id);
        match this.kind {
            Kind::Sequence { .. } | Kind::Choice { .. } | Kind::Enumerated(_) => self.named(id, wanted),
            _ if this.known_as().is_none() && self.field(id, wanted)?.constraint.is_none() => {
                Ok(self.field(id, wanted)?.rust)
            }
            _ => self.named(id, wanted),
        }
    }

    /// Prints a function that makes a DEFAULT.
    fn default(&mut self, function: &str, rust: &str, id: TypeId, value: &Value) -> Result<String, String> {
        let text = match (value, &self.model.get(id).kind) {
            (Value::Boolean(value), _) => value.to_string(),
            (Value::Integer(value), _) if rust == "Integer" => format!("Integer::from({value})"),
            (Value::Integer(value), _) => value.to_string(),
            (Value::Enumerated(at), Kind::Enumerated(items)) => {
                let item = items.all().nth(*at as usize).ok_or("no such item")?;
                format!("{rust}::{}", renamed(&item.0).0)
            }
            (Value::BitString { octets, .. }, Kind::BitString { size, .. }) if size.fixed().is_some() => {
                let mut octets = octets.clone();
                octets.resize(usize::try_from(size.lower).unwrap_or_default(), 0);
                format!("FixedBitString::new({octets:?})")
            }
            _ => return Err(format!("{function}: such a DEFAULT is not printed")),
        };
        self.text += &format!("fn {function}() -> {rust} {{\n    {text}\n}}\n\n");
        Ok(format!("default = {function:?}"))
    }

    /// Checks that tags are those that rasn gives: numbers in their order, first those of the root.
    fn are_automatic(&self, name: &str, tags: impl Iterator<Item = (bool, TypeId)>) -> Result<(), String> {
        let mut all: Vec<(bool, TypeId)> = tags.collect();
        all.sort_by_key(|(is_addition, _)| *is_addition);
        let has = |(number, (_, id)): (u32, &(bool, TypeId))| {
            self.model.get(*id).tags.first() == Some(&Tag { class: TagClass::Context, number })
        };
        if (0..).zip(&all).all(has) { Ok(()) } else { Err(format!("{name}: its tags are not automatic")) }
    }
}

const DERIVE: &str = "#[derive(AsnType, Decode, Encode)]\n";

fn open(extensible: bool) -> &'static str {
    if extensible { "#[non_exhaustive]\n" } else { "" }
}

/// rasn's attribute with those parts that there are, on a line of its own.
fn attribute<const N: usize>(parts: [Option<String>; N]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!("#[rasn({})]\n", parts.join(", ")) }
}

/// A field or an alternative, below its attribute.
fn below<const N: usize>(parts: [Option<String>; N], text: &str) -> String {
    let attribute = attribute(parts);
    if attribute.is_empty() { format!("    {text},\n") } else { format!("    {attribute}    {text},\n") }
}

fn enumeration(name: &str, known: &str, items: &Enumerators) -> String {
    let own = (known != name).then(|| format!("identifier = {known:?}"));
    let head = attribute([Some("enumerated".into()), own]);
    let variants = items.all().enumerate().map(|(at, (item, number))| {
        let (variant, own) = renamed(item);
        let addition = (at >= items.root.len()).then(|| "extension_addition".into());
        below([addition, own], &format!("{variant} = {number}"))
    });
    let variants: String = variants.collect();
    let derive = "#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]\n";
    format!("{derive}{head}{}pub enum {name} {{\n{variants}}}\n\n", open(items.extensible))
}

fn integer(range: &IntegerRange) -> Of {
    let constraint = match (&range.lower, &range.upper) {
        (None, None) => None,
        (lower, upper) => Some(bounds("value", lower.as_ref(), upper.as_ref(), range.extensible)),
    };
    let holds = |least: BigInt, most: BigInt| {
        range.lower.as_ref().is_some_and(|lower| *lower >= least)
            && range.upper.as_ref().is_some_and(|upper| *upper <= most)
    };
    macro_rules! narrowest {
        ($($ty:ident)*) => { [$((stringify!($ty), holds($ty::MIN.into(), $ty::MAX.into()))),*] };
    }
    let narrowest = narrowest!(u8 i8 u16 i16 u32 i32 u64 i64).into_iter().find(|(_, holds)| *holds);
    let rust = match narrowest {
        Some((name, _)) if !range.extensible => name,
        _ => "Integer",
    };
    Of { rust: rust.into(), constraint }
}

fn sized(fixed: &str, other: &str, size: &Size) -> Of {
    match size.fixed() {
        Some(length) if !size.extensible => format!("{fixed}<{length}>").into(),
        _ => Of { rust: other.into(), constraint: extent(size) },
    }
}

fn extent(size: &Size) -> Option<String> {
    (*size != Size::default()).then(|| bounds("size", Some(size.lower), size.upper, size.extensible))
}

fn bounds(
    what: &str,
    lower: Option<impl Display + PartialEq>,
    upper: Option<impl Display>,
    extensible: bool,
) -> String {
    let [lower, upper] = [lower.map(|it| it.to_string()), upper.map(|it| it.to_string())];
    let range = match (lower, upper) {
        (Some(lower), Some(upper)) if lower == upper => lower,
        (lower, Some(upper)) => format!("{}..={upper}", lower.unwrap_or_default()),
        (lower, None) => format!("{}..", lower.unwrap_or_default()),
    };
    format!("{what}(\"{range}\"{})", if extensible { ", extensible" } else { "" })
}

/// A name without hyphens.
fn identifier(name: &str) -> String {
    name.replace('-', "_")
}

/// A field's or an alternative's name in Rust, and its identifier if that is another one.
fn renamed(name: &str) -> (String, Option<String>) {
    let mut rust = identifier(name);
    if ["self", "type", "default", "none"].contains(&name) {
        rust.push('_');
    }
    (rust.clone(), (rust != name).then(|| format!("identifier = {name:?}")))
}
