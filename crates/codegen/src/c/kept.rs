//! How many octets a value takes above its bound for what it keeps of a later version: a function
//! for each structure that may keep something.

use std::collections::{BTreeSet, HashSet};

use roadwire_model::{Kind, TypeId};
use roadwire_plan::Repr;

use super::names::{CTypes, UNKNOWN};
use super::parts::{address, member};
use crate::names::snake;
use crate::source::Source;

/// The functions of messages, and those that they call.
pub(super) struct Kept<'c, 'm> {
    types: &'c CTypes<'c, 'm>,
    /// Types in which something may be kept.
    keeping: HashSet<TypeId>,
    written: BTreeSet<TypeId>,
    open: Vec<TypeId>,
    names: usize,
}

impl<'c, 'm> Kept<'c, 'm> {
    pub(super) fn of(types: &'c CTypes<'c, 'm>) -> Self {
        let mut keeping: HashSet<TypeId> = HashSet::new();
        // A type stands after those that it contains, but for those that contain it again.
        loop {
            let before = keeping.len();
            for id in &types.order {
                let holds = |part: &TypeId| keeping.contains(&types.canonical(*part));
                if is_extensible(types.kind(*id)) || types.parts_of(*id).iter().any(|(_, part)| holds(part)) {
                    keeping.insert(types.canonical(*id));
                }
            }
            if keeping.len() == before {
                return Kept { types, keeping, written: BTreeSet::new(), open: Vec::new(), names: 0 };
            }
        }
    }

    /// Writes the function of each message, and those of its parts.
    pub(super) fn write(mut self, roots: impl Iterator<Item = TypeId>, header: &mut Source, source: &mut Source) {
        let (mut declared, mut bodies) = (Vec::new(), Source::default());
        for root in roots.collect::<BTreeSet<_>>() {
            let name = self.types.type_name(root);
            let signature = format!("size_t {name}_kept_octets(const {name} *value)");
            header.line("");
            header.line(
                "/* How many octets a value takes at most above its bound, for what it keeps of a later version. */",
            );
            header.line(format!("{signature};"));
            bodies.line("");
            bodies.line(&signature);
            bodies.line("{");
            match self.keeping.contains(&root) {
                true => bodies.line(format!("return (size_t){};", self.call(root, "(*value)"))),
                false => {
                    bodies.line("(void)value;");
                    bodies.line("return 0;");
                }
            }
            bodies.line("}");
        }
        while let Some(id) = self.open.pop() {
            let name = self.types.type_name(id);
            let signature = format!("static uint64_t {name}_kept(const {name} *value)");
            declared.push(format!("{signature};"));
            bodies.line("");
            bodies.line(&signature);
            bodies.line("{");
            bodies.line("uint64_t sum = 0;");
            self.sum(id, "(*value)", &mut bodies);
            // The lengths of what surrounds it may take more.
            bodies.line("return sum == 0 ? 0 : sum + 9;");
            bodies.line("}");
        }
        source.line("");
        declared.iter().for_each(|line| source.line(line));
        source.append(bodies);
    }

    /// The call of a structure's function, which is queued to be written if it is new.
    fn call(&mut self, id: TypeId, value: &str) -> String {
        let id = self.types.canonical(id);
        if self.written.insert(id) {
            self.open.push(id);
        }
        format!("{}_kept({})", self.types.type_name(id), address(value))
    }

    /// Adds what parts of a value take.
    fn sum(&mut self, id: TypeId, value: &str, out: &mut Source) {
        match self.types.kind(id) {
            Kind::Sequence { components, extensible, .. } => {
                if *extensible {
                    out.line(format!("sum += rw_kept_room(&{});", member(value, "unknown")));
                }
                (0..components.len()).for_each(|at| self.part(id, at, value, out));
            }
            Kind::Choice { alternatives, extensible } => {
                if *extensible {
                    out.line(format!("if ({} == {}) {{", member(value, "choice"), self.types.constant(id, UNKNOWN)));
                    let other = member(value, &format!("as.{}", snake(UNKNOWN)));
                    out.line(format!("sum += rw_addition_room(&{other});"));
                    out.line("}");
                }
                (0..alternatives.len()).for_each(|at| self.part(id, at, value, out));
            }
            Kind::SequenceOf { element, .. } => {
                self.names += 1;
                let (at, count) = (format!("i{}", self.names), member(value, "count"));
                let most = self.types.most_elements(id).map_or(String::new(), |most| format!(" && {at} < {most}"));
                out.line(format!("for (uint32_t {at} = 0; {at} < {count}{most}; {at}++) {{"));
                self.value(*element, &member(value, &format!("items[{at}]")), out);
                out.line("}");
            }
            _ => {}
        }
    }

    fn part(&mut self, id: TypeId, at: usize, value: &str, out: &mut Source) {
        let Some(inside) = self.types.type_of_part(id, at).filter(|id| self.may_keep(*id)) else { return };
        let Some((condition, content)) = self.types.part_of(id, at, value) else { return };
        out.line(format!("if ({condition}) {{"));
        self.value(inside, &content, out);
        out.line("}");
    }

    fn value(&mut self, id: TypeId, value: &str, out: &mut Source) {
        match self.types.repr(id) {
            Repr::Struct | Repr::Choice => {
                let call = self.call(id, value);
                out.line(format!("sum += {call};"));
            }
            _ => self.sum(id, value, out),
        }
    }

    fn may_keep(&self, id: TypeId) -> bool {
        self.keeping.contains(&self.types.canonical(id))
    }
}

fn is_extensible(kind: &Kind) -> bool {
    matches!(kind, Kind::Sequence { extensible: true, .. } | Kind::Choice { extensible: true, .. })
}
