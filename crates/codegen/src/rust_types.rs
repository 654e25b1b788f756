//! The names of types in Rust, and types and values as Rust's text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;

use roadwire_model::{Enumerators, Kind, Model, QualifiedName, Table, TypeId};

use crate::names::{capitalised, distinct, type_name, variant_name};
use crate::place::Place;
use crate::{GenerateError, Options};
use roadwire_plan::{Int, Repr, Storage, Types, with_choices};

/// The alternative of an open type for octets.
const OCTETS: &str = "Octets";

/// Names of Rust's prelude that generated code uses; it qualifies all other names with their crate.
const RESERVED: [&str; 14] = [
    "Box", "Clone", "Copy", "Debug", "Default", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String",
    "Vec",
];

/// All types reachable from the roots, with their names in Rust.
pub(crate) struct RustTypes<'m> {
    types: Types<'m>,
    /// Those of types with definitions. Enumerations without a name of their own share one if they
    /// have the same items.
    names: HashMap<TypeId, String>,
    /// Names of type assignments that are just another name for a Rust type, and of enumerations
    /// without a name of their own that have the items of an earlier one.
    pub(crate) aliases: BTreeMap<TypeId, String>,
    /// Messages that are none of these types but have one inside: PDUs whose type is another name,
    /// or none of the module's own.
    pub(crate) wrappers: BTreeMap<TypeId, String>,
    /// Names of type assignments that differ from another type only in name, tags or constraints
    /// that do not affect codecs, and that type.
    pub(crate) synonyms: Vec<(String, &'m QualifiedName, TypeId)>,
}

impl<'m> Deref for RustTypes<'m> {
    type Target = Types<'m>;

    fn deref(&self) -> &Types<'m> {
        &self.types
    }
}

/// Names being given.
struct Claims<'t, 'm> {
    types: &'t Types<'m>,
    pdus: HashSet<TypeId>,
    seen: HashSet<TypeId>,
    taken: HashSet<String>,
    names: HashMap<TypeId, String>,
    aliases: BTreeMap<TypeId, String>,
    /// The names of enumerations without a name of their own, by their items.
    enumerations: HashMap<&'m Enumerators, String>,
}

/// A copy of a model in which open types with tables are CHOICEs, whose alternatives are called as
/// their types.
pub(crate) fn with_open_types(model: &Model) -> Model {
    let names = |table: &Table| {
        let mut taken = HashSet::from([OCTETS.to_owned()]);
        let rows = table.rows.iter().map(|(_, id)| distinct(row_name(model, *id), &mut taken));
        let mut names: Vec<String> = rows.collect();
        names.push(OCTETS.into());
        names
    };
    with_choices(model, names)
}

/// The name of a row's alternative: that of its type.
fn row_name(model: &Model, id: TypeId) -> String {
    let this = model.get(id);
    match this.name.as_ref().or(this.reference.as_ref()) {
        Some(name) => variant_name(&type_name(&name.name)),
        None => this.kind.name().split([' ', '-']).map(|word| type_name(&word.to_uppercase())).collect(),
    }
}

impl<'m> RustTypes<'m> {
    /// The types of `roots`. `model` is `source`, or what [`with_open_types`] makes of it.
    pub(crate) fn collect(
        source: &'m Model,
        model: &'m Model,
        roots: &[TypeId],
        options: Options,
    ) -> Result<Self, GenerateError> {
        let types = Types::collect(source, model, roots, options)?;
        let mut claims = Claims {
            types: &types,
            pdus: roots.iter().map(|root| types.canonical(*root)).collect(),
            seen: HashSet::new(),
            taken: RESERVED.iter().map(|name| (*name).to_owned()).collect(),
            names: HashMap::new(),
            aliases: BTreeMap::new(),
            enumerations: HashMap::new(),
        };
        roots.iter().for_each(|root| claims.visit(*root, "Message"));
        let mut wrappers = BTreeMap::new();
        for root in roots.iter().map(|root| types.canonical(*root)) {
            if !types.repr(root).is_defined() && !wrappers.contains_key(&root) {
                let name = claims.aliases.get(&root).cloned().unwrap_or_default();
                wrappers.insert(root, claims.claim(&(name + "Message")));
            }
        }
        let mut synonyms = Vec::new();
        for (name, id) in &model.definitions {
            let id = types.canonical(*id);
            if types.has(id) && model.get(id).name.as_ref() != Some(name) {
                synonyms.push((claims.claim(&type_name(&name.name)), name, id));
            }
        }
        let Claims { names, aliases, .. } = claims;
        Ok(RustTypes { types, names, aliases, wrappers, synonyms })
    }

    /// The name of a type with a definition; for other types nothing.
    pub(crate) fn name(&self, id: TypeId) -> &str {
        self.names.get(&self.canonical(id)).map_or("", String::as_str)
    }

    /// The name of the type that is a message: of a PDU's own Rust type, or of the one that has it
    /// inside.
    pub(crate) fn message(&self, root: TypeId) -> &str {
        self.wrappers.get(&self.canonical(root)).map_or(self.name(root), String::as_str)
    }

    /// A Rust type's name with its lifetime, if it has one.
    pub(crate) fn with_lifetime(&self, name: &str, id: TypeId, lifetime: &str) -> String {
        if self.lends(id) { format!("{name}<{lifetime}>") } else { name.to_owned() }
    }

    /// The Rust type's name in a field or variant of `holder`.
    pub(crate) fn field(&self, holder: TypeId, id: TypeId) -> String {
        if self.is_boxed(holder, id) { format!("Box<{}>", self.rust(id)) } else { self.rust(id) }
    }

    /// The Rust type's name.
    pub(crate) fn rust(&self, id: TypeId) -> String {
        let id = self.canonical(id);
        match self.aliases.get(&id) {
            Some(alias) => self.with_lifetime(alias, id, "'a"),
            None => self.rust_structure(id),
        }
    }

    /// The same, without aliases.
    pub(crate) fn rust_structure(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::Bool => "bool".into(),
            Repr::Null => "()".into(),
            Repr::Integer(int) => primitive(*int).into(),
            Repr::AnyInteger => "wire::Integer".into(),
            Repr::Real => "f64".into(),
            Repr::Enum | Repr::Struct | Repr::Choice | Repr::BitFlags { .. } => {
                self.with_lifetime(self.name(id), id, "'a")
            }
            Repr::BitWord => "wire::BitWord".into(),
            Repr::BitString => "wire::BitString".into(),
            Repr::FixedOctets(count) | Repr::WideInteger(count) => format!("[u8; {count}]"),
            Repr::Octets(most) => format!("wire::Octets<{most}>"),
            Repr::OctetString => "wire::OctetString".into(),
            Repr::LentOctets => "wire::LentOctets<'a>".into(),
            Repr::Text(most) => format!("wire::Text<{most}>"),
            Repr::String => "String".into(),
            Repr::LentText => "wire::LentText<'a>".into(),
            Repr::Oid => "wire::Oid".into(),
            Repr::List { element, storage: Storage::Inline(most) } => {
                format!("wire::List<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Extensible(most) } => {
                format!("wire::ExtensibleList<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Heap } => format!("Vec<{}>", self.rust(*element)),
        }
    }

    /// The integer in a place, as the primitive in which it is encoded.
    pub(crate) fn number(&self, id: TypeId, place: &Place) -> String {
        match self.repr(id) {
            Repr::AnyInteger => format!("{}.to_i64().ok_or(wire::Rejected)?", place.object()),
            _ => place.value(),
        }
    }

    /// The statement that puts such a primitive into a place.
    pub(crate) fn set_number(&self, id: TypeId, place: &Place, number: &str) -> String {
        match self.repr(id) {
            Repr::AnyInteger => format!("{} = wire::Integer::new({number});", place.value()),
            _ => format!("{} = {number};", place.value()),
        }
    }

    /// An expression for the empty value.
    pub(crate) fn default_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("[0; {count}]"),
            _ => "Default::default()".into(),
        }
    }

    /// A call on an `Option` that puts the empty value there if there is none.
    pub(crate) fn insert_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("get_or_insert([0; {count}])"),
            _ => "get_or_insert_default()".into(),
        }
    }

    /// As [`insert_expression`](Self::insert_expression); a small value that is there is
    /// overwritten, which costs less than an unpredictable branch.
    pub(crate) fn renew_expression(&self, id: TypeId) -> String {
        if self.is_small(id) { format!("insert({})", self.default_expression(id)) } else { self.insert_expression(id) }
    }
}

impl<'m> Claims<'_, 'm> {
    /// Names a type, and those that it refers to; a type without a name of its own gets the one
    /// that is wanted.
    fn visit(&mut self, id: TypeId, wanted: &str) {
        let (types, id) = (self.types, self.types.canonical(id));
        if !self.seen.insert(id) {
            return;
        }
        let named = types.model.get(id).name.as_ref().map(|name| type_name(&name.name));
        let name = named.as_deref().unwrap_or(wanted);
        if types.repr(id).is_defined() {
            let name = self.claim(name);
            let part = |label: &str| name.clone() + &type_name(&capitalised(label));
            match types.kind(id) {
                Kind::Enumerated(enumerators) => {
                    return self.enumeration(id, enumerators, named.is_some() || self.pdus.contains(&id), name);
                }
                Kind::Sequence { components, .. } => {
                    components.iter().for_each(|one| self.visit(one.type_id, &part(&one.name)));
                }
                Kind::Choice { alternatives, .. } => {
                    alternatives.iter().for_each(|one| self.visit(one.type_id, &part(&one.name)));
                }
                _ => {}
            }
            self.names.insert(id, name);
        } else {
            if let Repr::List { element, .. } = types.repr(id) {
                self.visit(*element, &format!("{name}Element"));
            }
            if let Some(named) = &named {
                let alias = self.claim(named);
                self.aliases.insert(id, alias);
            }
        }
    }

    /// Each Rust type takes time to compile, and a module may have the same items a thousand times.
    fn enumeration(&mut self, id: TypeId, items: &'m Enumerators, is_own: bool, name: String) {
        match self.enumerations.get(items).filter(|_| !is_own) {
            Some(first) => {
                self.names.insert(id, first.clone());
                self.aliases.insert(id, name);
            }
            None => {
                if !is_own {
                    self.enumerations.insert(items, name.clone());
                }
                self.names.insert(id, name);
            }
        }
    }

    fn claim(&mut self, name: &str) -> String {
        distinct(name.to_owned(), &mut self.taken)
    }
}

/// The name of a primitive integer type.
pub(crate) fn primitive(int: Int) -> &'static str {
    match (int.bits, int.signed) {
        (8, false) => "u8",
        (16, false) => "u16",
        (32, false) => "u32",
        (64, false) => "u64",
        (8, true) => "i8",
        (16, true) => "i16",
        (32, true) => "i32",
        (64, true) => "i64",
        _ => "i128",
    }
}
