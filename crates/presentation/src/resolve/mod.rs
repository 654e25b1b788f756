//! Definitions to types.
//!
//! A struct with `extern` parts is a separate type for each combination of bindings.

mod enums;
mod finite;
mod select;
mod structs;
mod vectors;

use std::collections::{BTreeMap, HashMap};

use roadwire_model::{
    BigInt, Coding, Component, IntegerRange, Kind, Language, Model, QualifiedName, Test, Type, TypeId,
};
use roadwire_source::{Outcome, Reported, Sink, Span};

use crate::ast::{Body, Definition, Item, Name};

/// Errors and warnings go to `sink`.
pub(crate) fn resolve(module: &str, definitions: &[Definition], sink: &mut Sink) -> Model {
    let mut resolver = Resolver {
        module,
        by_name: HashMap::new(),
        model: Model { modules: vec![module.to_owned()], language: Language::Presentation, ..Model::default() },
        instances: BTreeMap::new(),
        builtin: HashMap::new(),
        depth: 0,
        sink,
    };
    for definition in definitions {
        resolver.declare(definition);
    }
    for definition in definitions {
        let externs =
            matches!(&definition.body, Body::Struct(items) if items.iter().any(|item| matches!(item, Item::Extern(_))));
        if !externs && !matches!(definition.body, Body::Constant(_)) {
            // Errors have been reported.
            let _ = resolver.named_type(&definition.name, &Env::default());
        }
    }
    resolver.check_finite(definitions);
    resolver.model
}

/// Deeper than a decoder goes.
const DEEPEST: u32 = 100;
/// More types than any module needs.
const MOST_TYPES: usize = 100_000;

struct Resolver<'a, 's> {
    module: &'a str,
    by_name: HashMap<&'a str, &'a Definition>,
    model: Model,
    /// Types by definition and bindings of its externs.
    instances: BTreeMap<(&'a str, Vec<Known>), Outcome<TypeId>>,
    builtin: HashMap<String, TypeId>,
    depth: u32,
    sink: &'s mut Sink,
}

/// The meaning of a name at the use of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// A number.
    Number(u64),
    /// An item of an enum.
    Item(TypeId, u32),
    /// Something known only when a message is read.
    Later,
}

/// The names in scope at a use.
#[derive(Clone, Debug, Default)]
struct Env(BTreeMap<String, Known>);

/// A struct being built.
struct Building {
    components: Vec<Component>,
    tests: Vec<Vec<Test>>,
    env: Env,
}

impl<'a> Resolver<'a, '_> {
    fn declare(&mut self, definition: &'a Definition) {
        let name = &definition.name;
        if is_builtin(&name.text) {
            let what = format!("`{}` is a type of the language", name.text);
            self.sink.error("tls.name.duplicate", name.span, what);
        } else if self.by_name.insert(&name.text, definition).is_some() {
            self.sink.error("tls.name.duplicate", name.span, format!("`{}` is defined before", name.text));
        }
    }

    /// The type with this name, with its externs bound as in `env`.
    fn named_type(&mut self, name: &Name, env: &Env) -> Outcome<TypeId> {
        if let Some(builtin) = self.builtin_type(&name.text) {
            return Ok(builtin);
        }
        let definition = self.definition(name)?;
        let key = (definition.name.text.as_str(), self.bindings(definition, name, env)?);
        if let Some(known) = self.instances.get(&key) {
            return *known;
        }
        self.depth += 1;
        let made = if self.depth > DEEPEST {
            Err(self.sink.error("tls.limit.depth", name.span, "types nested deeper than a decoder goes"))
        } else if self.model.types.len() >= MOST_TYPES {
            Err(self.sink.error("tls.limit.types", name.span, "more types than fit"))
        } else {
            self.define(definition, &key)
        };
        self.depth -= 1;
        self.instances.insert(key, made);
        made
    }

    fn definition(&mut self, name: &Name) -> Outcome<&'a Definition> {
        if let Some(found) = self.by_name.get(name.text.as_str()) {
            return Ok(found);
        }
        let known =
            self.by_name.keys().copied().chain(["uint8", "uint16", "uint32", "uint64", "opaque", "IntX", "PSID"]);
        let note = self.sink.suggestion(&name.text, known);
        Err(self.sink.error_note("tls.name.unknown", name.span, format!("there is no type `{}`", name.text), note))
    }

    /// The values that the externs of a struct are bound to, in their order.
    fn bindings(&mut self, definition: &'a Definition, usage: &Name, env: &Env) -> Outcome<Vec<Known>> {
        let mut found = Vec::new();
        for name in externs(definition) {
            match self.lookup(&name.text, env) {
                Some(known) => found.push(known),
                None => {
                    let what = format!("`{}` wants a `{}` from around it", definition.name.text, name.text);
                    let note = "a field before it, a case that it is in, or a constant of that name".to_owned();
                    return Err(self.sink.error_note("tls.extern.unbound", usage.span, what, Some(note)));
                }
            }
        }
        Ok(found)
    }

    /// The meaning of a name: the innermost one, or a constant.
    fn lookup(&self, name: &str, env: &Env) -> Option<Known> {
        let constant = || match self.by_name.get(name)?.body {
            Body::Constant(number) => Some(Known::Number(number.value)),
            _ => None,
        };
        env.0.get(name).cloned().or_else(constant)
    }

    fn define(&mut self, definition: &'a Definition, key: &(&'a str, Vec<Known>)) -> Outcome<TypeId> {
        let name = QualifiedName { module: self.module.to_owned(), name: definition.name.text.clone() };
        if let Body::Alias(ty) = &definition.body {
            let id = self.field_type(ty, &Env::default())?;
            let id = if self.builtin.values().any(|other| *other == id) { self.copy(id) } else { id };
            self.model.types[id.0 as usize].name.get_or_insert_with(|| name.clone());
            self.model.definitions.insert(name, id);
            return Ok(id);
        }
        // It may contain itself. Until it is known, it has a kind that the language does not have.
        let id = self.add(Kind::Boolean, None);
        self.instances.insert(key.clone(), Ok(id));
        let first = !self.model.definitions.contains_key(&name);
        if first {
            self.model.definitions.insert(name.clone(), id);
            self.model.types[id.0 as usize].name = Some(name);
        }
        let (kind, coding) = match &definition.body {
            Body::Struct(items) => {
                let names = externs(definition).map(|name| name.text.clone());
                let env = Env(names.zip(key.1.iter().cloned()).collect());
                self.structure(items, env)?
            }
            Body::Enum(enumeration) => self.enumeration(&definition.name, enumeration)?,
            Body::Flags(flags) => self.flags(&definition.name, flags)?,
            Body::Alias(_) => return Ok(id),
            Body::Constant(_) => {
                let what = format!("`{}` is a constant, not a type", definition.name.text);
                return Err(self.sink.error("tls.name.kind", definition.name.span, what));
            }
        };
        self.model.types[id.0 as usize].kind = kind;
        self.model.codings.extend(coding.map(|coding| (id, coding)));
        Ok(id)
    }

    fn add(&mut self, kind: Kind, coding: Option<Coding>) -> TypeId {
        let id = self.model.add(Type { name: None, reference: None, tags: Vec::new(), kind, instructions: Vec::new() });
        self.model.codings.extend(coding.map(|coding| (id, coding)));
        id
    }

    /// A copy of a type without its name.
    fn copy(&mut self, id: TypeId) -> TypeId {
        let (kind, coding) = (self.model.get(id).kind.clone(), self.model.codings.get(&id).cloned());
        self.add(kind, coding)
    }

    fn builtin_type(&mut self, name: &str) -> Option<TypeId> {
        if let Some(known) = self.builtin.get(name) {
            return Some(*known);
        }
        let (lower, upper, coding) = integer(name)?;
        let range = IntegerRange { lower: Some(lower.into()), upper: Some(upper.into()), extensible: false };
        let id = self.add(Kind::Integer { range, named: Vec::new() }, coding);
        self.builtin.insert(name.to_owned(), id);
        Some(id)
    }

    fn error<T>(&mut self, code: &'static str, span: Span, what: impl Into<String>) -> Result<T, Reported> {
        Err(self.sink.error(code, span, what))
    }
}

fn externs(definition: &Definition) -> impl Iterator<Item = &Name> {
    let items: &[Item] = match &definition.body {
        Body::Struct(items) => items,
        _ => &[],
    };
    items.iter().filter_map(|item| match item {
        Item::Extern(name) => Some(name),
        _ => None,
    })
}

fn is_builtin(name: &str) -> bool {
    name == "opaque" || integer(name).is_some()
}

/// The greatest number of eight octets that begins with one bit 1 for each further octet.
const GREATEST_VARIABLE: i128 = (1 << 56) - 1;
/// The greatest p-encoded number of four octets; the numbers of each length start where the shorter
/// length ends (IEEE 1609.12).
const GREATEST_PSID: i128 = 0x1020_407f;

/// Range and coding of an integer type of the language.
fn integer(name: &str) -> Option<(i128, i128, Option<Coding>)> {
    let bits =
        |digits: &str| digits.parse().ok().filter(|bits: &u32| matches!(bits, 8 | 16 | 24 | 32 | 40 | 48 | 56 | 64));
    match name {
        "IntX" => Some((0, GREATEST_VARIABLE, Some(Coding::Variable))),
        "PSID" => Some((0, GREATEST_PSID, Some(Coding::Psid))),
        _ => match (name.strip_prefix("uint"), name.strip_prefix("sint")) {
            (Some(digits), _) => bits(digits).map(|bits| (0, (1 << bits) - 1, None)),
            (_, Some(digits)) => bits(digits)
                .filter(|bits| bits.is_power_of_two())
                .map(|bits| (-(1 << (bits - 1)), (1 << (bits - 1)) - 1, None)),
            _ => None,
        },
    }
}

/// A bound of a model as a number.
fn bound(value: &Option<BigInt>) -> Option<i128> {
    value.as_ref().and_then(|value| i128::try_from(value.clone()).ok())
}
