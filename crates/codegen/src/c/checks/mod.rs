//! Checks of constraints that encoding rules do not take into account: a function for each
//! structure with such a constraint in it. It says whether a value keeps them, and if it does not,
//! in which part.

mod conditions;

use std::collections::{BTreeMap, HashSet};

use roadwire_model::{Inner, InnerPresence, Kind, Presence, TypeId, ValueSet, check};
use roadwire_plan::Repr;

use super::names::CTypes;
use super::parts::{address, member};
use crate::constraints::constrained;
use crate::source::Source;

/// The functions that check messages.
pub(super) struct Checks<'c, 'm> {
    types: &'c CTypes<'c, 'm>,
    /// Types in which there is a constraint.
    constrained: HashSet<TypeId>,
    /// The functions, by their names, and those that are still to be written.
    functions: BTreeMap<String, TypeId>,
    open: Vec<String>,
    /// The functions of messages.
    messages: BTreeMap<TypeId, String>,
    declared: Vec<String>,
    bodies: Source,
    /// How many variables and helpers have names.
    names: usize,
}

/// A part of the value that a function checks.
struct Place<'p> {
    /// The value, as an expression.
    value: String,
    /// The number of the step that leads to it, as an expression, and the place around it.
    outside: Option<(String, &'p Place<'p>)>,
}

impl<'p> Place<'p> {
    fn inner(&'p self, value: String, step: impl ToString) -> Place<'p> {
        Place { value, outside: Some((step.to_string(), self)) }
    }
}

/// Writes the code for a part of a value.
type Then<'t, 'c, 'm> = &'t mut dyn FnMut(&mut Checks<'c, 'm>, &Place<'_>, &mut Source);

impl<'c, 'm> Checks<'c, 'm> {
    pub(super) fn of(types: &'c CTypes<'c, 'm>) -> Self {
        Checks {
            types,
            constrained: constrained(types.model),
            functions: BTreeMap::new(),
            open: Vec::new(),
            messages: BTreeMap::new(),
            declared: Vec::new(),
            bodies: Source::default(),
            names: 0,
        }
    }

    /// Whether there is something to check in a message.
    pub(super) fn are_for(&self, root: TypeId) -> bool {
        self.constrained.contains(&root)
    }

    /// The function that returns a number of octets if a message keeps its constraints; `None` if
    /// it has none. As in Rust, messages that differ only in constraints are one, with those of the
    /// first.
    pub(super) fn call_of(&mut self, root: TypeId) -> Option<String> {
        if !self.are_for(root) {
            return None;
        }
        let keeps = self.function(root);
        self.messages.insert(self.types.canonical(root), keeps);
        Some(self.checked(root))
    }

    fn checked(&self, root: TypeId) -> String {
        format!("{}_checked", self.types.type_name(root))
    }

    /// Writes the functions that were asked for, and all that they call.
    pub(super) fn write(mut self, source: &mut Source) {
        while let Some(name) = self.open.pop() {
            let (id, mut body) = (self.functions[&name], Source::default());
            self.structure(id, &mut body);
            let signature = format!("static bool {name}(const {} *value, rw_error *error)", self.types.type_name(id));
            self.declared.push(format!("{signature};"));
            self.bodies.line("");
            self.bodies.line(&signature);
            self.bodies.line("{");
            self.bodies.line("(void)error;");
            self.bodies.append(body);
            self.bodies.line("return true;");
            self.bodies.line("}");
        }
        for (root, keeps) in std::mem::take(&mut self.messages) {
            self.message(root, &keeps);
        }
        if !self.declared.is_empty() {
            source.line("");
            self.declared.iter().for_each(|line| source.line(line));
            source.append(self.bodies);
        }
    }

    /// Looks for what is wrong only in a value that is.
    fn message(&mut self, root: TypeId, keeps: &str) {
        let (name, row) = (self.checked(root), self.types.row_of(root));
        let of = self.types.type_name(root);
        let signature = format!("static ptrdiff_t {name}(const {of} *value, rw_error *error, ptrdiff_t octets)");
        self.declared.push(format!("{signature};"));
        for line in [
            "",
            &signature,
            "{",
            &format!("if ({keeps}(value, NULL)) {{"),
            "return octets;",
            "}",
            "if (error != NULL) {",
            &format!("rw_explain(error, NULL, RW_FIELDS, {row});"),
            &format!("(void){keeps}(value, error);"),
            "}",
            "return RW_REJECTED;",
            "}",
        ] {
            self.bodies.line(line);
        }
    }

    /// The name of a structure's function, which is queued to be written if it is new. Uses of a
    /// type that differ only in tags share one.
    fn function(&mut self, id: TypeId) -> String {
        let own = |id: TypeId| self.types.model.constraints.get(&id);
        let is_same = |other: TypeId| self.types.canonical(other) == self.types.canonical(id) && own(other) == own(id);
        if let Some((known, _)) = self.functions.iter().find(|(_, other)| is_same(**other)) {
            return known.clone();
        }
        let stem = format!("{}_keeps", self.types.type_name(id));
        let uses = self.functions.keys().filter(|name| name.starts_with(&stem)).count();
        let name = if uses == 0 { stem } else { format!("{stem}_{}", uses + 1) };
        self.functions.insert(name.clone(), id);
        self.open.push(name.clone());
        name
    }

    fn structure(&mut self, id: TypeId, out: &mut Source) {
        let whole = Place { value: "(*value)".into(), outside: None };
        if !matches!(self.types.repr(id), Repr::Struct | Repr::Choice) {
            return self.value(id, &whole, out);
        }
        self.own(id, &whole, out);
        match self.types.kind(id) {
            Kind::Sequence { components, .. } => {
                for (at, component) in components.iter().enumerate() {
                    if self.constrained.contains(&component.type_id) {
                        self.component(id, at, &whole, out);
                    }
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
    }

    fn component(&mut self, id: TypeId, at: usize, whole: &Place<'_>, out: &mut Source) {
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return };
        let (inside, presence) = (components[at].type_id, &components[at].presence);
        // Some modules have a DEFAULT that breaks the constraints of its type. A component may have
        // this value.
        let allowed = match presence {
            Presence::Default(default) if !check::constraints(self.types.model, inside, default).is_empty() => {
                Some(default)
            }
            _ => None,
        };
        self.part(id, at, whole, out, &mut |checks, place, out| {
            let Some(default) = allowed else { return checks.value(inside, place, out) };
            let is_default = checks.is(inside, &place.value, default, true);
            out.line(format!("if (!({is_default})) {{"));
            checks.value(inside, place, out);
            out.line("}");
        });
    }

    /// Checks all of a value.
    fn value(&mut self, id: TypeId, place: &Place<'_>, out: &mut Source) {
        match (self.types.repr(id), self.types.kind(id)) {
            (Repr::Struct | Repr::Choice, _) => {
                let name = self.function(id);
                refuse(&format!("!{name}({}, error)", address(&place.value)), false, place, out);
            }
            (Repr::List { .. }, Kind::SequenceOf { element, .. }) => {
                self.own(id, place, out);
                if self.constrained.contains(element) {
                    self.elements(id, place, out, &mut |checks, place, out| checks.value(*element, place, out));
                }
            }
            _ => self.own(id, place, out),
        }
    }

    /// Checks a type's own constraints; for EXTERNAL and similar types also those of their
    /// associated SEQUENCE (X.680 §36.5).
    fn own(&mut self, id: TypeId, place: &Place<'_>, out: &mut Source) {
        if let Kind::External(inner) = self.types.model.get(id).kind {
            self.own(inner, place, out);
        }
        for constraint in self.types.model.constraints.get(&id).into_iter().flatten() {
            self.set(id, &constraint.set, place, out);
        }
    }

    /// Checks that a value is in a set, part by part.
    fn set(&mut self, id: TypeId, set: &ValueSet, place: &Place<'_>, out: &mut Source) {
        match (set, self.types.kind(id)) {
            (ValueSet::Intersection(sets), _) => sets.iter().for_each(|set| self.set(id, set, place, out)),
            (ValueSet::Elements(inner), Kind::SequenceOf { element, .. }) => {
                self.elements(id, place, out, &mut |checks, place, out| checks.set(*element, &inner.set, place, out));
            }
            (ValueSet::Components(inners), Kind::Sequence { .. } | Kind::Choice { .. }) => {
                inners.iter().for_each(|inner| self.inner(id, inner, place, out));
            }
            _ => {
                let condition = self.condition(id, set, &place.value, true);
                if condition != "true" {
                    refuse(&format!("!({condition})"), true, place, out);
                }
            }
        }
    }

    /// Checks the presence and the value of a component or an alternative.
    fn inner(&mut self, id: TypeId, inner: &Inner, place: &Place<'_>, out: &mut Source) {
        let at = inner.place as usize;
        let condition = self.presence(id, inner, &place.value);
        if condition != "true" {
            // Where a certain alternative is required, the chosen one is wrong, not that one.
            let is_whole =
                matches!(self.types.kind(id), Kind::Choice { .. }) && inner.presence == InnerPresence::Present;
            let of = if is_whole { place } else { &place.inner(String::new(), at) };
            refuse(&format!("!({condition})"), true, of, out);
        }
        let Some(constraint) = &inner.constraint else { return };
        let Some(inside) = self.types.type_of_part(id, at) else { return };
        self.part(id, at, place, out, &mut |checks, place, out| checks.set(inside, &constraint.set, place, out));
    }

    /// Runs `then` for a component if it is present, or for an alternative if it is chosen.
    fn part(&mut self, id: TypeId, at: usize, place: &Place<'_>, out: &mut Source, then: Then<'_, 'c, 'm>) {
        let Some((condition, value)) = self.types.part_of(id, at, &place.value) else { return };
        out.line(format!("if ({condition}) {{"));
        then(self, &place.inner(value, at), out);
        out.line("}");
    }

    /// Runs `then` for the elements of a list.
    fn elements(&mut self, list: TypeId, place: &Place<'_>, out: &mut Source, then: Then<'_, 'c, 'm>) {
        let (at, count) = (self.name("i"), member(&place.value, "count"));
        out.line(format!("for (uint32_t {at} = 0; {at} < {count}; {at}++) {{"));
        let element = self.types.any_element(list, &member(&place.value, ""), &at);
        then(self, &place.inner(element, &at), out);
        out.line("}");
    }

    /// A name that nothing else has.
    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }
}

/// Refuses a value under a condition; `is_own`: for this constraint, and not for one that has been
/// reported.
fn refuse(condition: &str, is_own: bool, place: &Place<'_>, out: &mut Source) {
    out.line(format!("if ({condition}) {{"));
    if is_own {
        out.line("rw_broken(error);");
    }
    let mut place = place;
    while let Some((step, outside)) = &place.outside {
        out.line(format!("rw_around(error, {step});"));
        place = outside;
    }
    out.line("return false;");
    out.line("}");
}
