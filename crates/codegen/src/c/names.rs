//! Names of types and their parts in C.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;

use roadwire_model::{Alternative, Component, Enumerators, Kind, Presence, TypeId, Value};
use roadwire_plan::{Int, Repr, Storage};

use super::times::Times;
use crate::data::{alternative_names, field_names, item_names};
use crate::names::{distinct, snake};
use crate::rust_types::RustTypes;

/// The types with their names in C: a prefix, and the names that they have in Rust, in snake case.
/// Constants begin with their type's name, in capitals. Of two names that would be the same, the
/// second one ends with a number.
pub(super) struct CTypes<'t, 'm> {
    names: &'t RustTypes<'m>,
    prefix: &'t str,
    /// By the names in Rust.
    types: HashMap<&'t str, String>,
    /// By the type's name in Rust, and the part's.
    constants: HashMap<(&'t str, String), String>,
    /// Types with parts that are not in place: in most rules, in those whose INTEGERs of any length
    /// are not octets of the input, and in those of text and events.
    pub(super) apart: HashSet<TypeId>,
    pub(super) apart_for_numbers: HashSet<TypeId>,
    pub(super) apart_as_text: HashSet<TypeId>,
    /// Types with strings whose segments are not joined in place.
    pub(super) copied: HashSet<TypeId>,
    /// Types that have messages in them, where values are fields.
    pub(super) merged: HashSet<TypeId>,
    /// Types that have extensible lists in them.
    pub(super) extended: HashSet<TypeId>,
    /// Types in lists that are not in place.
    pub(super) scattered: HashSet<TypeId>,
    /// How many elements DEFAULT values have, where these are more than the list's root has.
    longest_defaults: HashMap<TypeId, u64>,
    /// The rows of the names of types' parts.
    pub(super) rows: HashMap<TypeId, u32>,
    /// Times as numbers; the rows of their names follow those of types.
    pub(super) times: RefCell<Times>,
    /// Whether there are rules in which the types of open types have names.
    pub(super) has_row_names: bool,
}

/// The name of an alternative that the schema does not know, which is that of none that it knows.
pub(super) const UNKNOWN: &str = "UnknownAddition";

/// The name of how many bits a named bit string has: none of these begins with a capital.
pub(super) const BITS: &str = "Bits";

impl<'m> Deref for CTypes<'_, 'm> {
    type Target = RustTypes<'m>;

    fn deref(&self) -> &RustTypes<'m> {
        self.names
    }
}

/// Keywords of C and C++ that are none of Rust, and names of the headers that generated code
/// includes.
const KEYWORDS: [&str; 46] = [
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "default",
    "delete",
    "double",
    "explicit",
    "export",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "not",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "short",
    "signed",
    "sizeof",
    "switch",
    "template",
    "this",
    "throw",
    "typedef",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
];

fn usable(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

impl<'t, 'm> CTypes<'t, 'm> {
    pub(super) fn new(names: &'t RustTypes<'m>, prefix: &'t str, has_row_names: bool) -> Self {
        let (types, constants) = (HashMap::new(), HashMap::new());
        let (apart, apart_for_numbers, apart_as_text) = (HashSet::new(), HashSet::new(), HashSet::new());
        let (copied, scattered, longest_defaults, rows) =
            (HashSet::new(), HashSet::new(), HashMap::new(), HashMap::new());
        let mut types = CTypes {
            names,
            prefix,
            types,
            constants,
            apart,
            apart_for_numbers,
            apart_as_text,
            copied,
            extended: HashSet::new(),
            merged: HashSet::new(),
            scattered,
            longest_defaults,
            rows,
            times: RefCell::default(),
            has_row_names,
        };
        let mut taken = HashSet::new();
        for id in &names.order {
            let name = names.name(*id);
            if name.is_empty() || types.types.contains_key(name) {
                continue;
            }
            let of_type = distinct(format!("{prefix}_{}", snake(name)), &mut taken);
            for part in parts(names.kind(*id)) {
                let constant = format!("{of_type}_{}", snake(&part)).to_uppercase();
                types.constants.insert((name, part), distinct(constant, &mut taken));
            }
            types.types.insert(name, of_type);
        }
        types.find_longest_defaults();
        types.find_apart();
        types.find_rows();
        types
    }

    /// The name of a type with a definition.
    pub(super) fn type_name(&self, id: TypeId) -> String {
        self.types.get(self.names.name(id)).cloned().unwrap_or_default()
    }

    /// The constant of an item, an alternative or a named bit.
    pub(super) fn constant(&self, id: TypeId, part: &str) -> String {
        self.constants.get(&(self.names.name(id), part.to_owned())).cloned().unwrap_or_default()
    }

    /// The names of a record's components: none is that of another one's presence.
    pub(super) fn fields(components: &[Component]) -> Vec<String> {
        let names: Vec<String> = field_names(components).into_iter().map(usable).collect();
        let is_presence = |name: &str| name.strip_prefix("has_").is_some_and(|of| names.iter().any(|one| one == of));
        names.iter().map(|name| if is_presence(name) { format!("{name}_") } else { name.clone() }).collect()
    }

    /// The names of alternatives, as members of a union.
    pub(super) fn members(alternatives: &[Alternative]) -> Vec<String> {
        let mut taken = HashSet::from([snake(UNKNOWN)]);
        let names = alternative_names(alternatives);
        names.iter().map(|name| distinct(usable(snake(name)), &mut taken)).collect()
    }

    /// The constants of the alternatives of a CHOICE.
    pub(super) fn choices(&self, id: TypeId) -> Vec<String> {
        match self.kind(id) {
            Kind::Choice { alternatives, .. } => {
                alternative_names(alternatives).iter().map(|name| self.constant(id, name)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The constants of an ENUMERATED's items, and its items.
    pub(super) fn items(&self, id: TypeId) -> (Vec<String>, Option<&'m Enumerators>) {
        match self.kind(id) {
            Kind::Enumerated(enumerators) => {
                let names = item_names(enumerators);
                (names.iter().map(|name| self.constant(id, name)).collect(), Some(enumerators))
            }
            _ => (Vec::new(), None),
        }
    }

    /// The integer that holds an item's number: as small as all numbers allow, and one with sign
    /// where there may be unknown items.
    pub(super) fn item_int(&self, id: TypeId) -> Int {
        let (_, Some(enumerators)) = self.items(id) else { return Int::I64 };
        let numbers = || enumerators.all().map(|(_, number)| *number);
        let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        match (least, most) {
            (0.., ..=0xff) if !enumerators.extensible => Int::of_bits(8),
            (-0x8000_0000.., ..=0x7fff_ffff) => Int { bits: 32, signed: true },
            _ => Int::I64,
        }
    }

    /// The declaration of something that has a type, after its name.
    pub(super) fn declared(&self, id: TypeId, name: &str) -> Option<String> {
        Some(match self.repr(id) {
            Repr::FixedOctets(count) | Repr::WideInteger(count) => format!("uint8_t {name}[{}]", room(*count)),
            _ => format!("{} {name}", self.held(id)?),
        })
    }

    /// The type in C, but for arrays; `None` if there is none.
    pub(super) fn held(&self, id: TypeId) -> Option<String> {
        Some(match self.repr(id) {
            Repr::Bool => "bool".into(),
            Repr::Null => "uint8_t".into(),
            Repr::Integer(int) => int_name(*int)?.into(),
            Repr::Real => "double".into(),
            Repr::Enum | Repr::Struct | Repr::Choice | Repr::Octets(_) | Repr::Text(_) | Repr::List { .. } => {
                self.structure(id)?
            }
            Repr::BitFlags { bits } => int_name(Int::of_bits(*bits))?.into(),
            Repr::BitWord => "rw_bits".into(),
            Repr::LentOctets | Repr::Oid => "rw_octets".into(),
            Repr::LentText | Repr::String => "rw_text".into(),
            Repr::FixedOctets(_) | Repr::WideInteger(_) => "uint8_t".into(),
            Repr::AnyInteger => "rw_integer".into(),
            Repr::BitString => "rw_bit_string".into(),
            Repr::OctetString => return None,
        })
    }

    fn structure(&self, id: TypeId) -> Option<String> {
        Some(match self.repr(id) {
            Repr::Octets(most) => format!("{}_octets_{most}", self.prefix),
            Repr::Text(most) => format!("{}_text_{most}", self.prefix),
            Repr::List { element, .. } => format!("{}_list_{}", self.prefix, self.list_name(id, *element)?),
            _ => self.type_name(id),
        })
    }

    /// The name of a list: its elements, and how many it has at most if they are in place.
    fn list_name(&self, id: TypeId, element: TypeId) -> Option<String> {
        let element = match self.repr(element) {
            Repr::Enum | Repr::Struct | Repr::Choice => snake(self.names.name(element)),
            Repr::FixedOctets(count) | Repr::WideInteger(count) => format!("array_{count}"),
            _ => self.held(element)?.trim_start_matches(&format!("{}_", self.prefix)).to_owned(),
        };
        let more = if self.most_in_root(id).is_some() { "_more" } else { "" };
        Some(match self.most_elements(id) {
            Some(most) => format!("{element}_{most}{more}"),
            None => element,
        })
    }

    /// How many elements a list has in place; `None` if they are not. An extensible list has room
    /// for its DEFAULT values, and otherwise for its root.
    pub(super) fn most_elements(&self, id: TypeId) -> Option<u64> {
        match self.repr(id) {
            Repr::List { storage: Storage::Inline(most), .. } => Some(*most),
            Repr::List { storage: Storage::Extensible(most), .. } => {
                Some(self.longest_defaults.get(&self.canonical(id)).map_or(*most, |longest| (*most).max(*longest)))
            }
            _ => None,
        }
    }

    fn find_longest_defaults(&mut self) {
        for id in self.order.clone() {
            if let Kind::Sequence { components, .. } = self.kind(id) {
                for component in components {
                    if let Presence::Default(value) = &component.presence {
                        self.note_lists(component.type_id, value);
                    }
                }
            }
        }
    }

    /// Notes how many elements lists have in a DEFAULT value.
    fn note_lists(&mut self, id: TypeId, value: &Value) {
        match (value, self.kind(id)) {
            (Value::List(values), Kind::SequenceOf { element, .. }) => {
                let longest = self.longest_defaults.entry(self.names.canonical(id)).or_default();
                *longest = (*longest).max(values.len() as u64);
                values.iter().for_each(|value| self.note_lists(*element, value));
            }
            (Value::Sequence { components: values, .. }, Kind::Sequence { components, .. }) => {
                for (component, value) in components.iter().zip(values) {
                    value.iter().for_each(|value| self.note_lists(component.type_id, value));
                }
            }
            (Value::Choice(which, value), Kind::Choice { alternatives, .. }) => {
                if let Some(one) = alternatives.get(*which as usize) {
                    self.note_lists(one.type_id, value);
                }
            }
            _ => {}
        }
    }
}

/// The parts of a type that have constants.
fn parts(kind: &Kind) -> Vec<String> {
    match kind {
        Kind::Enumerated(enumerators) => item_names(enumerators),
        Kind::Choice { alternatives, .. } => {
            alternative_names(alternatives).into_iter().chain([UNKNOWN.to_owned()]).collect()
        }
        Kind::BitString { named, .. } => named.iter().map(|(name, _)| name.clone()).chain([BITS.to_owned()]).collect(),
        _ => Vec::new(),
    }
}

/// How many elements an array has: one at least.
pub(super) fn room(most: u64) -> u64 {
    most.max(1)
}

/// The name of an integer type of up to 64 bits.
pub(super) fn int_name(int: Int) -> Option<&'static str> {
    Some(match (int.bits, int.signed) {
        (8, false) => "uint8_t",
        (16, false) => "uint16_t",
        (32, false) => "uint32_t",
        (64, false) => "uint64_t",
        (8, true) => "int8_t",
        (16, true) => "int16_t",
        (32, true) => "int32_t",
        (64, true) => "int64_t",
        _ => return None,
    })
}
