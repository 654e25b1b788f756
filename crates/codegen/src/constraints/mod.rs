//! Checks of constraints that encoding rules do not take into account, on the types in memory: one
//! function for each structure with such a constraint in it.

mod condition;
mod expressions;
mod place;
mod refusal;
mod single;

use std::collections::{BTreeMap, HashMap, HashSet};

use roadwire_model::{Component, Kind, Model, Presence, TypeId, check};

use self::expressions::negated;
use self::place::Place;
use self::place::refuse;
use crate::names::{distinct, field_name};
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::Repr;

/// The functions that check messages, and their data.
pub(crate) struct Checks<'a, 'm> {
    types: &'a RustTypes<'m>,
    /// Types in which there is a constraint.
    constrained: HashSet<TypeId>,
    /// The functions of structures.
    functions: BTreeMap<TypeId, String>,
    taken: HashSet<String>,
    /// Functions that are still to be written.
    open: Vec<TypeId>,
    /// Names of components and alternatives, and the index of each.
    names: Vec<String>,
    places: HashMap<String, usize>,
    patterns: Vec<String>,
}

impl<'a, 'm> Checks<'a, 'm> {
    pub(crate) fn of(types: &'a RustTypes<'m>) -> Self {
        Checks {
            types,
            constrained: constrained(types.model),
            functions: BTreeMap::new(),
            taken: HashSet::new(),
            open: Vec::new(),
            names: Vec::new(),
            places: HashMap::new(),
            patterns: Vec::new(),
        }
    }

    /// The call that checks a message; `None` if there is nothing to check.
    pub(crate) fn call_of_message(&self, root: TypeId, trail: &str) -> Option<String> {
        self.functions
            .get(&root)
            .map(|name| format!("constraints::{name}(self, {trail}{})", self.levels(root, &Place::whole())))
    }

    /// The call that checks a message's own constraints, without those of its parts' types.
    pub(crate) fn call_of_own(&self, root: TypeId, value: &str, trail: &str) -> String {
        let name = &self.functions[&root];
        format!("constraints::{name}({value}, {trail}{})", self.levels(root, &Place::whole()))
    }

    /// Writes the functions for these messages, and all that they call.
    pub(crate) fn write(&mut self, roots: &[TypeId], out: &mut Source) {
        for root in roots {
            if self.constrained.contains(root) {
                self.function(*root);
            }
        }
        if !self.open.is_empty() {
            self.module(out, |checks, out| {
                while let Some(id) = checks.open.pop() {
                    checks.structure(id, out);
                }
            });
        }
    }

    /// Writes functions that check these messages' own constraints.
    pub(crate) fn write_own(&mut self, roots: &[TypeId], out: &mut Source) {
        if roots.is_empty() {
            return;
        }
        self.module(out, |checks, out| {
            for root in roots {
                let asn1 = checks.types.source.get(*root).name.as_ref().map_or("message", |name| &name.name);
                let name = distinct(field_name(asn1), &mut checks.taken);
                checks.functions.insert(*root, name.clone());
                let whole = checks.begin(*root, &name, out);
                checks.own(*root, &whole, out);
                out.line("true");
                out.line("}");
            }
        });
    }

    /// Writes the module of all functions.
    fn module(&mut self, out: &mut Source, functions: impl FnOnce(&mut Self, &mut Source)) {
        out.line("");
        out.line("/// Constraints that no encoding sees: whether a value keeps them.");
        out.line("#[allow(unused, non_snake_case, clippy::all)]");
        out.line("mod constraints {");
        out.line("use super::*;");
        functions(self, out);
        out.line("");
        out.line(format!("static NAMES: [&str; {}] = {:?};", self.names.len(), self.names));
        for (at, pattern) in self.patterns.iter().enumerate() {
            out.line(format!("static PATTERN_{at}: wire::rt::Pattern<'static> = {pattern};"));
        }
        out.line("}");
    }

    /// The name of a structure's function, which is queued to be written if it is new.
    fn function(&mut self, id: TypeId) -> String {
        if let Some(known) = self.functions.get(&id) {
            return known.clone();
        }
        // Uses of a type that differ only in tags share a check.
        let own = |id: TypeId| self.types.model.constraints.get(&id);
        let is_same = |other: TypeId| self.types.canonical(other) == self.types.canonical(id) && own(other) == own(id);
        if let Some(known) = self.functions.iter().find(|(other, _)| is_same(**other)).map(|(_, name)| name.clone()) {
            self.functions.insert(id, known.clone());
            return known;
        }
        let name = distinct(field_name(self.types.message(id)), &mut self.taken);
        self.functions.insert(id, name.clone());
        self.open.push(id);
        name
    }

    /// Begins a function that checks a value of a message's Rust type. Returns the place of this
    /// value.
    fn begin(&self, id: TypeId, name: &str, out: &mut Source) -> Place<'static> {
        let rust = self.types.with_lifetime(self.types.message(id), id, "'_");
        let levels = if self.counts_levels(id) { ", levels: u32" } else { "" };
        out.line("");
        out.line("#[inline]");
        out.line(format!(
            "pub(super) fn {name}<T: wire::rt::constraint::Trail>(value: &{rust}, trail: &mut T{levels}) -> bool {{"
        ));
        out.begin_body();
        let mut whole = Place::whole();
        if self.counts_levels(id) {
            whole.levels = "levels".into();
        }
        whole
    }

    fn structure(&mut self, id: TypeId, out: &mut Source) {
        let name = self.functions[&id].clone();
        let mut whole = self.begin(id, &name, out);
        if self.types.is_recursive(id) {
            out.line("let Some(levels) = levels.checked_sub(1) else { return true };");
        }
        if !self.types.has_functions(id) && !self.types.is_open(id) {
            if self.types.name(id).is_empty() {
                whole.value = "&value.0".into();
            }
            self.value(id, &whole, out);
            out.line("true");
            return out.line("}");
        }
        self.own(id, &whole, out);
        match self.types.kind(id) {
            Kind::Sequence { components, .. } => {
                for (at, component) in components.iter().enumerate() {
                    self.component(id, at, component, &whole, out);
                }
            }
            Kind::Choice { alternatives, .. } => {
                for (at, inside) in alternatives.iter().map(|one| one.type_id).enumerate() {
                    if self.constrained.contains(&inside) {
                        self.part(id, at, &whole, out, &mut |checks, place, out| checks.value(inside, place, out));
                    }
                }
            }
            _ => {}
        }
        out.line("true");
        out.line("}");
    }

    fn component(&mut self, id: TypeId, at: usize, component: &Component, whole: &Place<'_>, out: &mut Source) {
        let inside = component.type_id;
        if !self.constrained.contains(&inside) {
            return;
        }
        // Some modules have a DEFAULT that breaks the constraints of its type. A component may have
        // this value.
        let default = match &component.presence {
            Presence::Default(default) if !check::constraints(self.types.model, inside, default).is_empty() => default,
            _ => {
                return self.part(id, at, whole, out, &mut |checks, place, out| checks.value(inside, place, out));
            }
        };
        self.part(id, at, whole, out, &mut |checks, place, out| {
            let is_default = checks.is(inside, &place.value, default, true, out);
            out.line(format!("if {} {{", negated(&is_default)));
            checks.value(inside, place, out);
            out.line("}");
        });
    }

    /// Checks all of a value.
    fn value(&mut self, id: TypeId, place: &Place<'_>, out: &mut Source) {
        match (self.types.repr(id), self.types.kind(id)) {
            (Repr::Struct | Repr::Choice, _) => {
                let name = self.function(id);
                let levels = self.levels(id, place);
                refuse(&format!("!{name}({}, trail{levels})", place.value), None, place, out);
            }
            (Repr::List { .. }, Kind::SequenceOf { element, .. }) => {
                self.own(id, place, out);
                if self.constrained.contains(element) {
                    self.elements(place, out, &mut |checks, place, out| checks.value(*element, place, out));
                }
            }
            _ => self.own(id, place, out),
        }
    }

    /// Whether a structure's function has a parameter for the remaining levels of recursive types.
    fn counts_levels(&self, id: TypeId) -> bool {
        self.types.is_recursive(id) || self.types.reaches_recursion(id)
    }

    /// This argument, with a comma in front.
    fn levels(&self, id: TypeId, place: &Place<'_>) -> String {
        if self.counts_levels(id) { format!(", {}", place.levels) } else { String::new() }
    }

    /// Checks a type's own constraints; for EXTERNAL and similar types also those of their
    /// associated SEQUENCE (X.680 §36.5).
    fn own(&mut self, id: TypeId, place: &Place<'_>, out: &mut Source) {
        if let Kind::External(inner) = self.types.model.get(id).kind {
            self.own(inner, place, out);
        }
        for constraint in self.types.model.constraints.get(&id).into_iter().flatten() {
            self.set(id, &constraint.set, &constraint.text, place, out);
        }
    }

    /// The call that reports a component or alternative to a trail.
    fn inside(&mut self, name: &str) -> String {
        let next = self.names.len();
        let place = *self.places.entry(name.to_owned()).or_insert(next);
        if place == next {
            self.names.push(name.to_owned());
        }
        format!("trail.inside(&NAMES, {place})")
    }
}

/// Types in which there is a constraint.
pub(crate) fn constrained(model: &Model) -> HashSet<TypeId> {
    let mut open: Vec<TypeId> = model.constraints.keys().copied().collect();
    let mut holders: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
    for (index, this) in model.types.iter().enumerate().filter(|_| !open.is_empty()) {
        let mut hold = |inside: TypeId| holders.entry(inside).or_default().push(TypeId(index as u32));
        match &this.kind {
            Kind::Sequence { components, .. } => components.iter().for_each(|one| hold(one.type_id)),
            Kind::Choice { alternatives, .. } => alternatives.iter().for_each(|one| hold(one.type_id)),
            Kind::SequenceOf { element, .. } => hold(*element),
            Kind::External(inner) => hold(*inner),
            _ => {}
        }
    }
    let mut found = HashSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(holders.get(&id).into_iter().flatten());
        }
    }
    found
}
