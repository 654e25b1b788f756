//! Encoders: what only the presentation language has.

use roadwire_layout::{PresentationNode, Span};
use roadwire_model::{Among, Coding, Component, Kind, Test, TypeId};

use crate::data::{alternative_names, field_names, item_names};
use crate::packed::choice::{Alternatives, Told};
use crate::packed::encode::EncodeWriter;
use crate::packed::run::Place;
use crate::types::{Repr, Types};

impl EncodeWriter<'_, '_> {
    pub(super) fn presentation(&mut self, id: TypeId, node: &PresentationNode, place: &Place) {
        self.depth += 1;
        match *node {
            PresentationNode::Variable => self.ones_number(id, "put_number", place),
            PresentationNode::Psid => self.ones_number(id, "put_psid", place),
            PresentationNode::Item { bits, extensible, values, .. } => {
                self.numbered_item(id, bits, extensible, values, place);
            }
            PresentationNode::Flags { octets } => {
                let Repr::BitFlags { bits, .. } = *self.types.repr(id) else {
                    self.depth -= 1;
                    return self.leave_to_interpreter();
                };
                let variable = self.variable();
                self.run.before(format!("let {variable} = u64::from({}.0);", place.object()));
                self.run.refuse_if(format!("({variable} >> {bits} != 0)"));
                self.run.field(((1u64 << octets) - 2).to_string(), octets.into());
                self.run.field(variable, bits.into());
            }
            PresentationNode::Choice { bits, extensible, alternatives, numbers } => {
                // Which numbers are kept does not show in that of an alternative.
                let told = Told::Number(bits, numbers);
                let choice = Alternatives { alternatives, root: alternatives.count, extensible, told };
                self.choice(id, Some(choice), place);
            }
            PresentationNode::Octets { field, lower, upper } => self.octets_of(id, field, (lower, upper), place),
            PresentationNode::Vector { .. } => self.vector(id, node, place),
            PresentationNode::Struct { members, .. } => self.conditional(id, members, place),
        }
        self.depth -= 1;
    }

    fn ones_number(&mut self, id: TypeId, put: &str, place: &Place) {
        let Repr::Integer(_) = self.types.repr(id) else { return self.leave_to_interpreter() };
        self.flush(false);
        // What is too great for the coding is refused there.
        self.apart(format!("wire::ones::{put}(&mut w, ({}) as u64)?;", place.value()));
    }

    fn numbered_item(&mut self, id: TypeId, bits: u8, extensible: bool, values: Span, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let variable = self.variable();
        let mut arms = format!("let {variable} = match {} {{ ", place.value());
        for (item, number) in item_names(enumerators).iter().zip(self.layout.numbers(values)) {
            arms += &format!("{name}::{item} => {number}u64, ");
        }
        if extensible {
            arms += &format!("{name}::UnknownAddition(_) => u64::MAX, ");
        }
        self.run.before(arms + "};");
        if extensible {
            self.run.refuse_if(format!("({variable} == u64::MAX)"));
        }
        self.run.field(variable, bits.into());
    }

    fn octets_of(&mut self, id: TypeId, field: u8, (lower, upper): (u64, u64), place: &Place) {
        if !matches!(self.types.repr(id), Repr::Octets(_) | Repr::OctetString) {
            return self.leave_to_interpreter();
        }
        let count = self.variable();
        self.run.before(format!("let {count} = {}.0.len() as u64;", place.object()));
        self.refuse_count(&count, lower, upper);
        if field > 0 {
            self.run.field(&count, field.into());
        }
        self.flush(false);
        self.apart(match field {
            0 => format!("wire::ones::put_counted(&mut w, &{}.0)?;", place.object()),
            _ => format!("w.put_octets(&{}.0)?;", place.object()),
        });
    }

    fn refuse_count(&mut self, count: &str, lower: u64, upper: u64) {
        match (lower, upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.run.refuse_if(format!("({count} > {upper})")),
            (lower, upper) => self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})")),
        }
    }

    fn vector(&mut self, id: TypeId, node: &PresentationNode, place: &Place) {
        let PresentationNode::Vector { field, floor, ceiling, lower, upper, element } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, .. } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        if (u64::from(lower), upper) != (0, u64::MAX) {
            let count = self.variable();
            self.run.before(format!("let {count} = {}.len() as u64;", place.object()));
            self.refuse_count(&count, lower.into(), upper);
        }
        // Room for the length; one of more octets moves what follows.
        self.run.field("0", if field == 0 { 8 } else { field.into() });
        self.flush(false);
        let (start, item) = (self.variable(), self.variable());
        self.out.line(format!("let {start} = w.position();"));
        self.out.line(format!("for {item} in {} {{", place.shared()));
        self.run.restart(Some(0));
        self.part(element_id, element, &Place::reference(item));
        self.flush(false);
        self.out.line("}");
        if field == 0 {
            self.apart(format!("wire::ones::end_vector(&mut w, {start})?;"));
        } else {
            let octets = self.variable();
            self.out.line(format!("let {octets} = (w.position() - {start}) as u64 / 8;"));
            self.refuse_count(&octets, floor, ceiling);
            self.flush(false);
            self.apart(format!("w.overwrite({start} - {field}, {octets}, {field})?;"));
        }
        self.run.restart(Some(0));
    }

    fn conditional(&mut self, id: TypeId, members: Span, place: &Place) {
        let Some(parts) = conditional_parts(self.types, id, place) else { return self.leave_to_interpreter() };
        for (member, (part, field, condition)) in self.layout.members(members).iter().zip(parts) {
            let Some(condition) = condition else {
                self.value(part, member.node, &field);
                continue;
            };
            self.run.refuse_if(format!("({condition} != {}.is_some())", field.object()));
            self.flush(false);
            let inner = self.variable();
            self.out.line(format!("if let Some({inner}) = &{} {{", field.object()));
            self.part(part, member.node, &Place::reference(inner));
            self.flush(false);
            self.out.line("}");
            self.run.restart(Some(0));
        }
    }
}

/// What a struct has: for each field its type, its place, and the condition under which it is there, if it can be absent. `None` where a test looks at what may itself be
/// absent.
pub(super) fn conditional_parts(
    types: &Types<'_>,
    id: TypeId,
    place: &Place,
) -> Option<Vec<(TypeId, Place, Option<String>)>> {
    let (Kind::Sequence { components, .. }, Some(Coding::Struct(tests))) =
        (types.kind(id), types.model.codings.get(&id))
    else {
        return None;
    };
    let fields = field_names(components);
    let mut parts = Vec::new();
    for (at, component) in components.iter().enumerate() {
        let condition = match Types::is_option(component) {
            true => Some(condition(types, components, &tests[at], place)?),
            false => None,
        };
        parts.push((component.type_id, place.field(&fields[at]), condition));
    }
    Some(parts)
}

/// The tests of a component as an expression; `None` where one looks at what may itself be absent.
fn condition(types: &Types<'_>, components: &[Component], tests: &[Test], place: &Place) -> Option<String> {
    let fields = field_names(components);
    let mut all = Vec::new();
    for test in tests {
        let at = test.component as usize;
        let component = components.get(at).filter(|component| !Types::is_option(component))?;
        let field = place.field(&fields[at]);
        let object = field.object();
        let holds = match (&test.among, types.repr(component.type_id), types.kind(component.type_id)) {
            (Among::Items(items), Repr::Enum(name), Kind::Enumerated(enumerators)) => {
                let names = item_names(enumerators);
                one_of(object, items.iter().map(|item| format!("{name}::{}", names[*item as usize])))
            }
            (Among::Numbers(numbers), Repr::Integer(_), _) => one_of(object, numbers.iter().map(u32::to_string)),
            (Among::Bit(bit), Repr::BitFlags { bits, .. }, _) => {
                format!("({object}.0 >> {} & 1 == 1)", u32::from(*bits) - 1 - bit)
            }
            (Among::Alternatives(wanted), Repr::Choice(name), Kind::Choice { alternatives, .. }) => {
                let names = alternative_names(alternatives);
                one_of(object, wanted.iter().map(|at| format!("{name}::{}(_)", names[*at as usize])))
            }
            (Among::Elements(wanted), Repr::List { element, .. }, _) => {
                let (Repr::Choice(name), Kind::Choice { alternatives, .. }) =
                    (types.repr(*element), types.kind(*element))
                else {
                    return None;
                };
                let names = alternative_names(alternatives);
                let is = one_of("element", wanted.iter().map(|at| format!("{name}::{}(_)", names[*at as usize])));
                format!("{object}.iter().any(|element| {is})")
            }
            _ => return None,
        };
        all.push(if test.negated { format!("!{holds}") } else { holds });
    }
    Some(format!("({})", all.join(" && ")))
}

fn one_of(object: &str, patterns: impl Iterator<Item = String>) -> String {
    let patterns: Vec<String> = patterns.collect();
    if patterns.is_empty() { "false".into() } else { format!("matches!({object}, {})", patterns.join(" | ")) }
}
