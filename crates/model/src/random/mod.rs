//! Random values of any type that satisfy all its constraints, with a preference for the limits.
//!
//! The same seed gives the same values on every platform, for one version of this crate.

mod constrained;
mod leaves;
mod rng;
mod sent;

use std::collections::BTreeMap;

pub use rng::Rng;
use roadwire_wire::{Unknown, ordinal_of_unknown_item};
pub use sent::as_sent;

use crate::coding::{Coding, Test};
use crate::constraint::{Inner, Size, ValueSet};
use crate::data::equal;
use crate::link::{Scope, row_of};
use crate::types::{Alternative, Component, Enumerators, Field, Kind, Model, Presence, Table, TypeId, known_additions};
use crate::value::Value;

/// Settings for random values. Chances are in percent.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The chance that a component with OPTIONAL or DEFAULT is present.
    pub optional: u32,
    /// The chance of using an extension: that an extension addition (or a whole group) is present,
    /// that an enumeration item or alternative is an addition, that an integer or size is outside
    /// an extensible root.
    pub extensions: u32,
    /// Whether numbers, sizes and characters stay in their extensible roots all the same.
    pub in_roots: bool,
    /// The chance of additions that the model does not know. Their octets are random; only
    /// encodings that keep unknown additions can carry them.
    pub unknown: u32,
    /// The chance that a number, size or character is at an end of its range, or another special
    /// value.
    pub boundary: u32,
    /// How many elements a list has at most, unless its constraint requires more.
    pub max_elements: u64,
    /// How many octets, characters or bits a string has at most, unless its constraint requires
    /// more.
    pub max_length: u64,
    /// How many bits an integer without an upper or a lower bound has at most.
    pub integer_bits: u64,
    /// Whether an open type holds a value of the type that its identifier selects, or else random
    /// octets.
    pub open_types: bool,
    /// Whether a string that contains a type has a value of it; otherwise it has octets, as in
    /// generated types.
    pub contents: bool,
    /// Whether the octets of something unknown are one value after identifier and length, and
    /// unknown additions follow each other: what encodings by tag can represent (X.690). Of unknown
    /// enumeration items the number is known then, otherwise the index.
    pub tagged: bool,
    /// The number of values, including nested ones, after which a value is made as small as
    /// possible. This terminates recursive types. A string counts as one value for each eight
    /// octets, characters or bits.
    pub budget: usize,
    /// The deepest nesting of values, unless a type requires more; at most 90.
    pub max_depth: usize,
}

impl Default for Settings {
    /// Some of everything that all codecs support: no additions unknown to the model, open types as
    /// octets.
    fn default() -> Self {
        Settings {
            optional: 50,
            extensions: 20,
            in_roots: false,
            unknown: 0,
            boundary: 40,
            max_elements: 40,
            max_length: 100,
            integer_bits: 136,
            open_types: false,
            contents: true,
            tagged: false,
            budget: 1000,
            max_depth: 30,
        }
    }
}

/// One random value of type `id`. To make many, keep a [`Generator`].
///
/// # Panics
/// On a type id of another model.
#[must_use]
pub fn value(model: &Model, id: TypeId, rng: &mut Rng, settings: &Settings) -> Value {
    Generator::new(model, settings.clone()).value(id, rng)
}

/// Makes random values.
#[derive(Clone, Debug)]
pub struct Generator<'m> {
    model: &'m Model,
    settings: Settings,
    /// For each type how deep its shallowest value is; [`ENDLESS`] if all are infinite.
    depths: Vec<usize>,
    /// For each type, whether it contains an open type whose content type is selected by another
    /// component.
    linked: Vec<bool>,
}

const ENDLESS: usize = usize::MAX;

impl<'m> Generator<'m> {
    /// A generator for the types of one model.
    #[must_use]
    pub fn new(model: &'m Model, mut settings: Settings) -> Self {
        settings.max_depth = settings.max_depth.min(90);
        Generator { model, depths: shallowest(model), linked: linked(model), settings }
    }

    /// A random value of type `id`. A type with only infinite values (front ends refuse these), or
    /// with constraints for which no value was found, gives [`Value::Unset`] somewhere inside.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn value(&self, id: TypeId, rng: &mut Rng) -> Value {
        self.run(rng).value(id, None)
    }

    /// As [`Generator::value`]; `None` if no value was found for some constraint in a bounded
    /// number of tries.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn try_value(&self, id: TypeId, rng: &mut Rng) -> Option<Value> {
        let mut run = self.run(rng);
        let value = run.value(id, None);
        (!run.unmet).then_some(value)
    }

    fn run<'r>(&'r self, rng: &'r mut Rng) -> Run<'r> {
        Run {
            model: self.model,
            settings: &self.settings,
            depths: &self.depths,
            linked: &self.linked,
            rng,
            left: self.settings.budget,
            depth: 0,
            wanted: Vec::new(),
            inners: Vec::new(),
            tries: constrained::TRIES_IN_ALL,
            unmet: false,
        }
    }
}

/// How deep the shallowest value of each type is, as a least fixed point.
fn shallowest(model: &Model) -> Vec<usize> {
    let mut depths = vec![ENDLESS; model.types.len()];
    loop {
        let mut changed = false;
        for (index, this) in model.types.iter().enumerate() {
            let of = |id: &TypeId| depths.get(id.0 as usize).copied().unwrap_or(ENDLESS);
            let inside = match &this.kind {
                Kind::Sequence { components, .. } => {
                    let needed = components.iter().filter(|component| {
                        component.field == Field::Root && component.presence == Presence::Mandatory
                    });
                    needed.map(|component| of(&component.type_id)).max().unwrap_or(0)
                }
                Kind::SequenceOf { element, size, .. } if size.lower > 0 => of(element),
                Kind::Choice { alternatives, .. } => {
                    alternatives.iter().map(|alternative| of(&alternative.type_id)).min().unwrap_or(ENDLESS)
                }
                Kind::External(inner) => of(inner),
                // The content of the shallowest row, if it can be selected.
                Kind::Open { table: Some(table) } => table.rows.iter().map(|(_, id)| of(id)).min().unwrap_or(0),
                kind => kind.contained().map_or(0, |content| of(&content)),
            };
            let depth = inside.saturating_add(1);
            if depth < depths[index] {
                depths[index] = depth;
                changed = true;
            }
        }
        if !changed {
            return depths;
        }
    }
}

/// Which types have an open type with a table somewhere inside, as a least fixed point.
fn linked(model: &Model) -> Vec<bool> {
    let mut linked = vec![false; model.types.len()];
    loop {
        let mut changed = false;
        for (index, this) in model.types.iter().enumerate() {
            let of = |id: TypeId| linked.get(id.0 as usize).copied().unwrap_or(false);
            let inside = match &this.kind {
                Kind::Open { table } => table.is_some(),
                Kind::Sequence { components, .. } => components.iter().any(|component| of(component.type_id)),
                Kind::Choice { alternatives, .. } => alternatives.iter().any(|alternative| of(alternative.type_id)),
                Kind::SequenceOf { element, .. } => of(*element),
                Kind::External(inner) => of(*inner),
                kind => kind.contained().is_some_and(of),
            };
            if inside && !linked[index] {
                linked[index] = true;
                changed = true;
            }
        }
        if !changed {
            return linked;
        }
    }
}

/// The state while one value is made.
struct Run<'r> {
    model: &'r Model,
    settings: &'r Settings,
    depths: &'r [usize],
    linked: &'r [bool],
    rng: &'r mut Rng,
    left: usize,
    depth: usize,
    /// The sets that outer constraints require for the next value.
    wanted: Vec<&'r ValueSet>,
    /// Their requirements for the components or alternatives of the next structure.
    inners: Vec<&'r Inner>,
    /// How often values may still be tried again.
    tries: usize,
    /// Whether some constraint could not be satisfied.
    unmet: bool,
}

impl<'r> Run<'r> {
    fn value(&mut self, id: TypeId, scope: Option<&Scope<'_>>) -> Value {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.extend(self.model.constraints.get(&id).into_iter().flatten().map(|constraint| &constraint.set));
        if wanted.is_empty() { self.unconstrained(id, scope) } else { self.constrained(id, &wanted, scope) }
    }

    fn unconstrained(&mut self, id: TypeId, scope: Option<&Scope<'_>>) -> Value {
        let inners = std::mem::take(&mut self.inners);
        self.left = self.left.saturating_sub(1);
        if self.depth > Value::MAX_DEPTH {
            return Value::Unset;
        }
        self.depth += 1;
        let model = self.model;
        let value = match &model.get(id).kind {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Boolean(self.rng.percent(50)),
            Kind::Integer { range, .. } => self.integer(range),
            Kind::Enumerated(items) => self.enumerated(items),
            Kind::Real { parts } => self.real(parts.as_deref()),
            // How long the content's encoding is depends on the encoding rules: with a size, it is
            // random octets.
            Kind::BitString { size, contains: Some(content), .. }
            | Kind::OctetString { size, contains: Some(content) }
                if self.settings.contents && *size == Size::default() =>
            {
                Value::Choice(0, Box::new(self.value(*content, scope)))
            }
            Kind::BitString { size, named, .. } => self.bit_string(*size, !named.is_empty()),
            Kind::OctetString { size, .. } => {
                let length = self.length(*size);
                Value::OctetString(self.rng.octets(length))
            }
            Kind::ObjectIdentifier => self.oid(false),
            Kind::RelativeOid => self.oid(true),
            Kind::Iri { relative } => self.iri(*relative),
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                self.string(*kind, *size, alphabet.as_ref(), *alphabet_extensible)
            }
            Kind::Time { kind, settings } => self.time(*kind, settings),
            Kind::Sequence { components, extensible, .. } => {
                self.sequence((id, &inners), components, *extensible, scope)
            }
            Kind::SequenceOf { element, size, .. } => {
                let most = self.settings.max_elements.min(self.left as u64);
                let length = self.size(*size, if self.is_ending(*element) { 0 } else { most });
                Value::List((0..length).map(|_| self.value(*element, scope)).collect())
            }
            Kind::Choice { alternatives, extensible } => self.choice(alternatives, &inners, *extensible, scope),
            Kind::Open { table } => self.open(table.as_ref(), scope),
            Kind::External(inner) => self.value(*inner, scope),
        };
        self.depth -= 1;
        value
    }

    /// Whether a value of this type would exceed the budget here, or be too deep.
    fn is_ending(&self, id: TypeId) -> bool {
        let needed = self.depths.get(id.0 as usize).copied().unwrap_or(ENDLESS);
        self.left == 0 || self.depth.saturating_add(needed) > self.settings.max_depth
    }

    fn sequence(
        &mut self,
        (id, inners): (TypeId, &[&'r Inner]),
        components: &[Component],
        extensible: bool,
        outer: Option<&Scope<'_>>,
    ) -> Value {
        if let Some(Coding::Struct(tests)) = self.model.codings.get(&id) {
            return self.conditional(components, tests, outer);
        }
        let mut present = self.presence(components);
        self.shape(components, inners, &mut present);
        let selected = self.selectors(components);
        let ending = self.left == 0 || self.depth >= self.settings.max_depth;
        let mut made: Vec<Option<Value>> = vec![None; components.len()];
        // Components that identify the content of open types are made before these.
        for pass in [false, true] {
            for (index, component) in components.iter().enumerate() {
                if !present[index] || self.linked[component.type_id.0 as usize] != pass {
                    continue;
                }
                let value = match selected.get(&index) {
                    Some(value) if ending || self.rng.percent(80) => value.clone(),
                    _ => {
                        self.wanted = constrained::wanted_inside(inners, index);
                        let so_far = Value::sequence(if pass { made.clone() } else { Vec::new() });
                        self.value(component.type_id, Some(&Scope { outer, id, data: &so_far }))
                    }
                };
                made[index] = Some(value).filter(|value| match &component.presence {
                    Presence::Default(default) => !equal(self.model, component.type_id, value, default),
                    _ => true,
                });
            }
        }
        let mut unknown = Vec::new();
        if extensible && self.rng.percent(self.settings.unknown) {
            let mut index = known_additions(components);
            for _ in 0..=self.rng.below(2) {
                index += if self.settings.tagged { 0 } else { self.rng.below(3) as u32 };
                unknown.push(self.unknown(index));
                index += 1;
            }
        }
        Value::Sequence { components: made, unknown }
    }

    /// A SEQUENCE whose earlier components determine which later ones are present.
    fn conditional(&mut self, components: &[Component], tests: &[Vec<Test>], outer: Option<&Scope<'_>>) -> Value {
        let mut made = Value::sequence(components.iter().map(|_| None));
        for (at, (component, tests)) in components.iter().zip(tests).enumerate() {
            if tests.iter().all(|test| test.holds(&made)) {
                let value = self.value(component.type_id, outer);
                if let Value::Sequence { components, .. } = &mut made {
                    components[at] = Some(value);
                }
            }
        }
        made
    }

    /// Which components are present: one random decision for each addition and each group.
    fn presence(&mut self, components: &[Component]) -> Vec<bool> {
        let mut groups: BTreeMap<u32, bool> = BTreeMap::new();
        let mut present = Vec::with_capacity(components.len());
        for component in components {
            let mandatory = component.presence == Presence::Mandatory;
            let ending = self.is_ending(component.type_id);
            let optional = mandatory || !ending && self.rng.percent(self.settings.optional);
            let chance = self.settings.extensions;
            present.push(match component.field {
                Field::Root => optional,
                Field::Addition => !ending && self.rng.percent(chance),
                Field::Group(group) => {
                    let fits = components
                        .iter()
                        .filter(|other| other.field == component.field && other.presence == Presence::Mandatory)
                        .all(|other| !self.is_ending(other.type_id));
                    let rng = &mut *self.rng;
                    *groups.entry(group).or_insert_with(|| fits && rng.percent(chance)) && optional
                }
            });
        }
        present
    }

    /// Values for the components that select the content of open types.
    fn selectors(&mut self, components: &[Component]) -> BTreeMap<usize, Value> {
        let mut selected = BTreeMap::new();
        for component in components {
            let mut kind = &self.model.get(component.type_id).kind;
            while let (true, Kind::SequenceOf { element, .. }) = (self.settings.open_types, kind) {
                kind = &self.model.get(*element).kind;
            }
            let Kind::Open { table: Some(table) } = kind else { continue };
            let beside = table.level == 0 && table.link.len() == 1;
            let at = components.iter().position(|other| table.link.first() == Some(&other.name));
            if let (true, Some(at), [_, ..]) = (beside, at, &table.rows[..]) {
                let fitting: Vec<usize> =
                    (0..table.rows.len()).filter(|row| !self.is_ending(table.rows[*row].1)).collect();
                let row = match fitting.len() {
                    0 => (0..table.rows.len()).min_by_key(|row| self.depths.get(table.rows[*row].1.0 as usize)),
                    count => fitting.get(self.rng.below(count as u64) as usize).copied(),
                };
                selected.extend(row.map(|row| (at, table.rows[row].0.clone())));
            }
        }
        selected
    }

    fn choice(
        &mut self,
        alternatives: &[Alternative],
        inners: &[&'r Inner],
        extensible: bool,
        scope: Option<&Scope<'_>>,
    ) -> Value {
        if !inners.is_empty() {
            let Some(index) = self.alternative(alternatives, inners) else { return Value::Unset };
            self.wanted = constrained::wanted_inside(inners, index);
            return Value::Choice(index as u32, Box::new(self.value(alternatives[index].type_id, scope)));
        }
        let additions = alternatives.iter().filter(|alternative| alternative.addition).count();
        if extensible && self.rng.percent(self.settings.unknown) {
            let index = additions as u32 + if self.settings.tagged { 0 } else { self.rng.below(70) as u32 };
            return Value::UnknownChoice(self.unknown(index));
        }
        let addition = additions > 0 && self.rng.percent(self.settings.extensions);
        let fitting: Vec<usize> = (0..alternatives.len())
            .filter(|at| alternatives[*at].addition == addition && !self.is_ending(alternatives[*at].type_id))
            .collect();
        let index = match fitting.len() {
            0 => {
                (0..alternatives.len()).min_by_key(|at| self.depths.get(alternatives[*at].type_id.0 as usize).copied())
            }
            count => fitting.get(self.rng.below(count as u64) as usize).copied(),
        };
        let Some(index) = index else { return Value::Unset };
        Value::Choice(index as u32, Box::new(self.value(alternatives[index].type_id, scope)))
    }

    fn open(&mut self, table: Option<&Table>, scope: Option<&Scope<'_>>) -> Value {
        if let Some(table) = table.filter(|_| self.settings.open_types) {
            let row = if table.only().is_some() { Some(0) } else { row_of(self.model, table, scope) };
            let content = row.and_then(|row| Some((row, table.rows.get(row)?)));
            // A type with only infinite values is left as octets.
            let content = content.filter(|(_, (_, id))| self.depths.get(id.0 as usize) != Some(&ENDLESS));
            if let Some((row, (_, id))) = content {
                return Value::Choice(row as u32, Box::new(self.value(*id, scope)));
            }
        }
        Value::OctetString(self.unknown_octets())
    }

    fn unknown(&mut self, index: u32) -> Unknown {
        Unknown { index, octets: self.unknown_octets() }
    }

    fn unknown_octets(&mut self) -> Vec<u8> {
        let length = 1 + self.rng.below(8);
        let mut octets = self.rng.octets(length);
        if self.settings.tagged {
            // A private tag, which no type of the module has.
            octets.splice(0..0, [0xc0 | self.rng.below(30) as u8, length as u8]);
        }
        octets
    }

    fn enumerated(&mut self, items: &Enumerators) -> Value {
        let (root, additions) = (items.root.len() as u64, items.additions.len() as u64);
        let ordinal = if items.extensible && self.rng.percent(self.settings.unknown) {
            match self.settings.tagged {
                true => return Value::Enumerated(self.unknown_item(items)),
                false => root + additions + self.rng.below(70),
            }
        } else if additions > 0 && self.rng.percent(self.settings.extensions) {
            root + self.rng.below(additions)
        } else {
            self.rng.below(root)
        };
        Value::Enumerated(ordinal as u32)
    }

    /// The ordinal of an item with a number that none of the known ones has.
    fn unknown_item(&mut self, items: &Enumerators) -> u32 {
        let mut number = self.rng.below(300) as i64 - 20;
        while items.all().any(|(_, known)| *known == number) {
            number += 1;
        }
        ordinal_of_unknown_item(number).unwrap_or(u32::MAX)
    }

    /// The length of a string.
    fn length(&mut self, size: Size) -> u64 {
        let length = self.size(size, if self.left == 0 { 0 } else { self.settings.max_length });
        self.left = self.left.saturating_sub(usize::try_from(length / 8).unwrap_or(usize::MAX));
        length
    }

    /// Whether a number, size or character is to be outside its extensible root.
    fn is_outside(&mut self) -> bool {
        !self.settings.in_roots && self.rng.percent(self.settings.extensions)
    }

    /// A size within its constraint, or outside an extensible one; `most` limits it if the
    /// constraint has no upper bound.
    fn size(&mut self, size: Size, most: u64) -> u64 {
        let upper = size.upper.unwrap_or(u64::MAX);
        if size.extensible && most > 0 && self.is_outside() {
            let above = upper.checked_add(1 + self.rng.below(3)).filter(|_| upper <= most);
            let below = size.lower.checked_sub(1);
            if let Some(outside) = if self.rng.percent(50) { above.or(below) } else { below.or(above) } {
                return outside;
            }
        }
        let upper = upper.min(most.max(size.lower));
        if most == 0 {
            size.lower
        } else if self.rng.percent(self.settings.boundary) {
            let ends = [size.lower, size.lower + 1, upper.saturating_sub(1), upper];
            ends[self.rng.below(4) as usize].clamp(size.lower, upper)
        } else {
            size.lower + self.rng.below((upper - size.lower).saturating_add(1))
        }
    }
}
