//! How a type is mapped to XML: its elements, and their types. The schema and the layout are both
//! made from this.

use std::collections::{HashMap, HashSet};

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use roadwire_model::{
    Alternative, Component, Enumerators, Field, IntegerRange, Kind, Model, Presence as ModelPresence, StringKind,
    TypeId,
};

use crate::Rules;
use crate::xml::leaves::repertoire;
use crate::xml::names;

/// The mapping of types to XML under one of the rules.
#[derive(Clone, Copy)]
pub(super) struct Mapping<'m> {
    pub(super) model: &'m Model,
    pub(super) rules: Rules,
}

/// A component in the content of an element.
pub(super) struct Particle<'m> {
    /// Its place among the type's components.
    pub(super) at: usize,
    pub(super) component: &'m Component,
    /// Whether the schema lets it be absent.
    pub(super) optional: bool,
    pub(super) part: Part<'m>,
}

pub(super) enum Part<'m> {
    /// An element with this name.
    Element(String),
    /// An integer as several elements, most significant first, each with a name and its greatest
    /// value.
    Digits(Vec<(String, u64)>),
    /// The components of a SEQUENCE, without an element around them.
    Merged(Vec<Particle<'m>>),
    /// The alternatives of a CHOICE, without an element around them.
    Either(Vec<Branch<'m>>),
}

/// An alternative of a CHOICE.
pub(super) struct Branch<'m> {
    pub(super) alternative: &'m Alternative,
    pub(super) part: Part<'m>,
}

/// The type of an element without child elements.
pub(super) enum Simple<'m> {
    Null,
    Boolean,
    Integer(IntegerType),
    /// Items by name.
    Enumeration(&'m Enumerators),
    /// Items by number.
    ItemNumber(&'m Enumerators, IntegerType),
    Double,
    Octets {
        lower: u64,
        upper: u64,
    },
    Bits {
        lower: u64,
        upper: u64,
        trim: bool,
    },
    Text {
        lower: u64,
        upper: u64,
        ranges: Vec<(u32, u32)>,
    },
    Arcs {
        relative: bool,
    },
}

/// An integer type of XML Schema.
#[derive(Clone)]
pub(super) struct IntegerType {
    /// The built-in type without facets; `None` for a restriction of `xs:integer` by the bounds.
    pub(super) built_in: Option<&'static str>,
    /// The bounds of the schema's type.
    pub(super) lower: Option<BigInt>,
    pub(super) upper: Option<BigInt>,
}

/// The greatest `maxOccurs` in the schema: the grammar has a state for each element (EXI
/// §8.5.4.1.5). A greater bound is `unbounded`.
pub(super) const MOST_COUNTED: u64 = 1024;

/// The name of the element with the octets of an open type.
pub(super) const OCTETS: &str = "octets";

/// EXI §7.1.9: integers with up to this many values are encoded in as few bits as possible.
const MOST_VALUES: u64 = 4096;
const DIGIT_BITS: u64 = 12;

/// The parts merged into the content of one element.
struct Merged {
    /// The names of its elements.
    names: HashSet<String>,
    /// The types around the current one.
    outer: Vec<TypeId>,
}

/// Elements are not merged into an element that would then have more than this.
const MOST_MERGED: usize = 1_000;
/// Nor those of a CHOICE if there are more than this: code for a CHOICE is nested.
const MOST_CHOSEN: usize = 100;
/// Nor those of a CHOICE in more types than this.
const MOST_LEVELS: usize = 8;
/// Nor if a name is longer than this.
const LONGEST_NAME: usize = 256;

impl Merged {
    /// Whether a type's elements with these names can be merged into the content of the enclosing
    /// element.
    fn admits(&self, id: TypeId, names: &[String]) -> bool {
        let are_free = names.iter().all(|name| name.len() <= LONGEST_NAME && !self.names.contains(name));
        are_free && !self.outer.contains(&id) && self.names.len() + names.len() < MOST_MERGED
    }

    /// Merges a type's elements with these names, as `inner` says; `None` if they cannot be.
    fn with<T>(&mut self, id: TypeId, names: Vec<String>, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if !self.admits(id, &names) {
            return None;
        }
        self.names.extend(names);
        self.outer.push(id);
        let result = inner(self);
        self.outer.pop();
        Some(result)
    }
}

impl<'m> Mapping<'m> {
    pub(super) fn is_strict(self) -> bool {
        matches!(self.rules, Rules::Exi | Rules::ExiSplit)
    }

    pub(super) fn kind(self, id: TypeId) -> &'m Kind {
        &self.model.get(self.model.untagged(id)).kind
    }

    /// The components of a SEQUENCE or SET, in textual order.
    pub(super) fn particles(self, components: &'m [Component]) -> Vec<Particle<'m>> {
        let names = components.iter().map(|one| self.safe(&one.name)).collect();
        self.named_particles(components, "", &mut Merged { names, outer: Vec::new() })
    }

    fn named_particles(self, components: &'m [Component], prefix: &str, merged: &mut Merged) -> Vec<Particle<'m>> {
        let particle = |(at, component): (usize, &'m Component)| {
            let optional = component.presence != ModelPresence::Mandatory || component.field != Field::Root;
            let name = self.safe(&joined(prefix, &component.name));
            let part = if optional { None } else { self.taken_apart(component, &name, merged) };
            Particle { at, component, optional, part: part.unwrap_or(Part::Element(name)) }
        };
        components.iter().enumerate().map(particle).collect()
    }

    /// A component without an element of its own: a SEQUENCE or CHOICE in a SEQUENCE, or an integer
    /// of many values.
    fn taken_apart(self, component: &'m Component, name: &str, merged: &mut Merged) -> Option<Part<'m>> {
        let id = self.model.untagged(component.type_id);
        match self.kind(id) {
            Kind::Sequence { components, .. } if self.merges_sequences() => {
                let names = self.names(name, components.iter().map(|one| &*one.name));
                merged.with(id, names, |merged| Part::Merged(self.named_particles(components, name, merged)))
            }
            Kind::Choice { alternatives, .. } if self.rules == Rules::ExiFlat => {
                self.named_choice(id, alternatives, name, merged).map(Part::Either)
            }
            Kind::Integer { range, .. } if self.rules == Rules::ExiSplit => {
                let most = offsets(range).filter(|most| *most >= BigInt::from(MOST_VALUES))?.to_u64()?;
                range.lower.as_ref()?.to_i128()?;
                range.upper.as_ref()?.to_i128()?;
                let count = (64 - u64::from(most.leading_zeros())).div_ceil(DIGIT_BITS);
                let digit = |place: u64| {
                    let most = if place + 1 == count { most >> (DIGIT_BITS * place) } else { MOST_VALUES - 1 };
                    (format!("{name}.{place}"), most)
                };
                Some(Part::Digits((0..count).rev().map(digit).collect()))
            }
            _ => None,
        }
    }

    pub(super) fn merges_sequences(self) -> bool {
        matches!(self.rules, Rules::ExiMerged | Rules::ExiFlat)
    }

    fn names(self, prefix: &str, names: impl Iterator<Item = &'m str>) -> Vec<String> {
        names.map(|name| self.safe(&joined(prefix, name))).collect()
    }

    /// The alternatives of a CHOICE, in textual order.
    pub(super) fn branches(self, alternatives: &'m [Alternative]) -> Vec<Branch<'m>> {
        let names = self.names("", alternatives.iter().map(|one| &*one.name)).into_iter().collect();
        self.named_branches(alternatives, "", &mut Merged { names, outer: Vec::new() })
    }

    /// The alternatives of the CHOICE that the elements of a SEQUENCE OF are, if they have no
    /// element of their own.
    pub(super) fn items(self, element: TypeId, element_name: Option<&str>) -> Option<Vec<Branch<'m>>> {
        let id = self.model.untagged(element);
        let Kind::Choice { alternatives, .. } = self.kind(id) else { return None };
        let type_name = self.model.get(id).name.as_ref().map(|name| &*name.name);
        let prefix = self.item(element_name.or(type_name));
        let mut merged = Merged { names: HashSet::new(), outer: Vec::new() };
        let is_flat = self.rules == Rules::ExiFlat;
        is_flat.then(|| self.named_choice(id, alternatives, &prefix, &mut merged)).flatten()
    }

    fn named_choice(
        self,
        id: TypeId,
        alternatives: &'m [Alternative],
        prefix: &str,
        merged: &mut Merged,
    ) -> Option<Vec<Branch<'m>>> {
        let names = self.names(prefix, alternatives.iter().map(|one| &*one.name));
        let is_small = merged.names.len() + names.len() <= MOST_CHOSEN && merged.outer.len() < MOST_LEVELS;
        let branches = |merged: &mut Merged| self.named_branches(alternatives, prefix, merged);
        is_small.then(|| merged.with(id, names, branches)).flatten()
    }

    fn named_branches(self, all: &'m [Alternative], prefix: &str, merged: &mut Merged) -> Vec<Branch<'m>> {
        let branch = |alternative: &'m Alternative| {
            let name = self.safe(&joined(prefix, &alternative.name));
            let part = self.alternative_taken_apart(alternative, &name, merged);
            Branch { alternative, part: part.unwrap_or(Part::Element(name)) }
        };
        all.iter().map(branch).collect()
    }

    /// An alternative without an element of its own: a CHOICE, or a SEQUENCE of which it is certain
    /// how it ends.
    fn alternative_taken_apart(self, one: &'m Alternative, name: &str, merged: &mut Merged) -> Option<Part<'m>> {
        let id = self.model.untagged(one.type_id);
        match self.kind(id) {
            _ if self.rules != Rules::ExiFlat => None,
            Kind::Sequence { components, .. } if components.last().is_some_and(|last| self.is_certain(last)) => {
                let names = self.names(name, components.iter().map(|one| &*one.name));
                merged.with(id, names, |merged| Part::Merged(self.named_particles(components, name, merged)))
            }
            Kind::Choice { alternatives, .. } => self.named_choice(id, alternatives, name, merged).map(Part::Either),
            _ => None,
        }
    }

    /// Whether a component has to be there, and is no SEQUENCE that is empty or whose last
    /// component may be absent: its last event is followed by the same ones in each value.
    fn is_certain(self, component: &'m Component) -> bool {
        let mut component = component;
        // As often as a name can be joined: a SEQUENCE that ends with itself has no values.
        for _ in 0..LONGEST_NAME {
            if component.presence != ModelPresence::Mandatory || component.field != Field::Root {
                return false;
            }
            match self.kind(component.type_id) {
                Kind::Sequence { components, .. } => match components.last() {
                    Some(last) => component = last,
                    None => return false,
                },
                _ => return true,
            }
        }
        false
    }

    /// The name of the elements of a SEQUENCE OF.
    pub(super) fn item(self, element_name: Option<&str>) -> String {
        self.safe(element_name.unwrap_or("item"))
    }

    /// The types that may be in an open type, or the one that a string contains, each with the name
    /// of its element; and what the octets are without one.
    pub(super) fn contents(self, kind: &'m Kind) -> Option<(Vec<(String, TypeId)>, Simple<'m>)> {
        match kind {
            Kind::Open { table: Some(table) } => {
                let rows = self.rows(table.rows.iter().map(|(_, id)| *id));
                Some((rows, Simple::Octets { lower: 0, upper: u64::MAX }))
            }
            _ => Some((self.rows(kind.contained().into_iter()), self.leaf(kind)?)).filter(|(rows, _)| !rows.is_empty()),
        }
    }

    fn rows(self, types: impl Iterator<Item = TypeId>) -> Vec<(String, TypeId)> {
        let types: Vec<TypeId> = types.collect();
        row_elements(self.model, &types).into_iter().zip(types).collect()
    }

    pub(super) fn safe(self, name: &str) -> String {
        names::safe(name).into_owned()
    }

    /// The type of an element without child elements; `None` if it has some.
    pub(super) fn simple(self, kind: &'m Kind) -> Option<Simple<'m>> {
        if kind.contained().is_some() { None } else { self.leaf(kind) }
    }

    fn leaf(self, kind: &'m Kind) -> Option<Simple<'m>> {
        Some(match kind {
            Kind::Null => Simple::Null,
            Kind::Boolean => Simple::Boolean,
            Kind::Integer { range, .. } => Simple::Integer(self.integer(range.lower.as_ref(), range.upper.as_ref())),
            Kind::Enumerated(items) if self.is_strict() => Simple::Enumeration(items),
            Kind::Enumerated(items) => {
                let numbers = || items.all().map(|(_, number)| BigInt::from(*number));
                Simple::ItemNumber(items, self.integer(numbers().min().as_ref(), numbers().max().as_ref()))
            }
            Kind::Real { .. } => Simple::Double,
            Kind::BitString { size, named, .. } => {
                let (lower, upper) = size.root();
                Simple::Bits { lower, upper, trim: !named.is_empty() }
            }
            Kind::OctetString { size, .. } => {
                let (lower, upper) = size.root();
                Simple::Octets { lower, upper }
            }
            Kind::ObjectIdentifier => Simple::Arcs { relative: false },
            Kind::RelativeOid => Simple::Arcs { relative: true },
            Kind::Iri { .. } => text(None, (0, u64::MAX)),
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                let alphabet = alphabet.as_ref().filter(|_| !alphabet_extensible).map(|all| all.ranges.clone());
                text(alphabet.or_else(|| repertoire(*kind).map(|all| all.ranges)), size.root())
            }
            // Not the time types of XML Schema, which have fewer values.
            Kind::Time { .. } => text(repertoire(StringKind::Visible).map(|all| all.ranges), (0, u64::MAX)),
            Kind::Open { table: None } => Simple::Octets { lower: 0, upper: u64::MAX },
            Kind::Open { table: Some(_) }
            | Kind::Sequence { .. }
            | Kind::SequenceOf { .. }
            | Kind::Choice { .. }
            | Kind::External(_) => return None,
        })
    }

    fn integer(self, lower: Option<&BigInt>, upper: Option<&BigInt>) -> IntegerType {
        if self.is_strict() {
            return IntegerType { built_in: None, lower: lower.cloned(), upper: upper.cloned() };
        }
        let signed = |bits: u32| (-(BigInt::one() << (bits - 1)), (BigInt::one() << (bits - 1)) - 1);
        let unsigned = |bits: u32| (BigInt::zero(), (BigInt::one() << bits) - 1);
        let built_in = [
            ("xs:unsignedByte", unsigned(8)),
            ("xs:byte", signed(8)),
            ("xs:unsignedShort", unsigned(16)),
            ("xs:short", signed(16)),
            ("xs:unsignedInt", unsigned(32)),
            ("xs:int", signed(32)),
            ("xs:unsignedLong", unsigned(64)),
            ("xs:long", signed(64)),
        ];
        if let (Some(lower), Some(upper)) = (lower, upper) {
            for (name, (least, most)) in built_in {
                if least <= *lower && *upper <= most {
                    return IntegerType { built_in: Some(name), lower: Some(least), upper: Some(most) };
                }
            }
        }
        match lower.filter(|lower| !lower.is_negative()) {
            Some(_) => {
                IntegerType { built_in: Some("xs:nonNegativeInteger"), lower: Some(BigInt::zero()), upper: None }
            }
            None => IntegerType { built_in: Some("xs:integer"), lower: None, upper: None },
        }
    }
}

impl IntegerType {
    /// §7.1.9: the width in bits of the offset from the least value, if there are few enough
    /// values.
    pub(super) fn bits(&self) -> Option<u8> {
        let (lower, upper) = (self.lower.as_ref()?, self.upper.as_ref()?);
        let range = (upper - lower).to_u64().filter(|range| *range < MOST_VALUES)?;
        Some((64 - range.leading_zeros()) as u8)
    }

    /// The least value, if it fits.
    pub(super) fn base(&self) -> Option<i128> {
        self.lower.as_ref()?.to_i128()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.lower.as_ref().is_none_or(Signed::is_negative)
    }
}

/// The greatest offset from the least value.
pub(super) fn offsets(range: &IntegerRange) -> Option<BigInt> {
    Some(range.upper.as_ref()? - range.lower.as_ref()?)
}

/// `basicContainer` in `camParameters` is `camParametersBasicContainer`.
fn joined(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        return name.to_owned();
    }
    let mut characters = name.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    prefix.chars().chain(first).chain(characters).collect()
}

fn text<'m>(ranges: Option<Vec<(u32, u32)>>, (lower, upper): (u64, u64)) -> Simple<'m> {
    Simple::Text { lower, upper, ranges: ranges.unwrap_or_default() }
}

/// The names of the elements for types that may be in an open type.
#[must_use]
pub fn row_elements(model: &Model, types: &[TypeId]) -> Vec<String> {
    let mut taken = HashSet::from([OCTETS.to_owned()]);
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let row = |id: &TypeId| {
        let name = names::of_type(model, *id);
        let mut free = name.clone();
        while taken.contains(&free) {
            let number = numbers.entry(name.clone()).or_insert(1);
            *number += 1;
            free = format!("{name}.{number}");
        }
        taken.insert(free.clone());
        free
    };
    types.iter().map(row).collect()
}
