//! Decoders: what only the presentation language has.

use roadwire_layout::{PresentationNode, Properties, Span};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::packed::choice::{Alternatives, Told};
use crate::packed::decode::DecodeWriter;
use crate::packed::encode_presentation::conditional_parts;
use crate::packed::run::{Place, Position};
use crate::types::{Repr, Storage};

impl DecodeWriter<'_, '_> {
    pub(super) fn presentation(&mut self, id: TypeId, node: &PresentationNode, place: &Place) {
        self.depth += 1;
        match *node {
            PresentationNode::Variable => self.ones_number(id, "ones::take_number", place),
            PresentationNode::Psid => self.ones_number(id, "ones::take_psid", place),
            PresentationNode::Item { bits, values, .. } => self.numbered_item(id, bits, values, place),
            PresentationNode::Flags { octets } => self.flags(id, octets, place),
            PresentationNode::Choice { bits, extensible, alternatives, numbers } => {
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

    fn ones_number(&mut self, id: TypeId, take: &str, place: &Place) {
        let Repr::Integer(rust) = *self.types.repr(id) else { return self.leave_to_interpreter() };
        let variable = self.take_apart(take);
        self.run.then(format!("{} = {variable} as {rust};", place.value()));
    }

    fn numbered_item(&mut self, id: TypeId, bits: u8, values: Span, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let variable = self.read(bits.into());
        self.run.then(format!("{} = match {variable} {{", place.value()));
        for (item, number) in item_names(enumerators).iter().zip(self.layout.numbers(values)) {
            self.run.then(format!("{number} => {name}::{item},"));
        }
        self.run.then("_ => return Err(wire::Rejected),");
        self.run.then("};");
    }

    fn flags(&mut self, id: TypeId, octets: u8, place: &Place) {
        let Repr::BitFlags { name, word, bits } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        let front = self.read(octets.into());
        self.run.refuse_if(format!("({front} != {})", (1u64 << octets) - 2));
        let variable = self.read(bits.into());
        self.run.then(format!("{} = {name}({variable} as {word});", place.value()));
    }

    /// A length in so many bits, or in as many octets as it takes.
    fn told_length(&mut self, field: u8) -> String {
        if field == 0 {
            return self.take_apart("ones::take_length");
        }
        let length = self.read(field.into());
        self.run.refuse_if(format!("({length} > (usize::MAX >> 4) as u64)"));
        self.settle();
        format!("({length} as usize)")
    }

    fn octets_of(&mut self, id: TypeId, field: u8, (lower, upper): (u64, u64), place: &Place) {
        let is_inline = match self.types.repr(id) {
            Repr::Octets(_) => true,
            Repr::OctetString => false,
            _ => return self.leave_to_interpreter(),
        };
        let length = self.told_length(field);
        match (lower, upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.run.refuse_if(format!("({length} as u64 > {upper})")),
            (lower, upper) => self.run.refuse_if(format!("!({lower}..={upper}).contains(&({length} as u64))")),
        }
        self.settle();
        let octets = self.variable();
        self.out.line(format!("let {octets} = r.take_slice({length})?;"));
        self.out.line(format!("{}.0.clear();", place.object()));
        if is_inline {
            self.out.line(format!("if {}.0.try_extend_from_slice({octets}).is_err() {{", place.object()));
            self.out.line("return Err(wire::Rejected);");
            self.out.line("}");
        } else {
            self.out.line(format!("{}.0.extend_from_slice({octets});", place.object()));
        }
        self.position = Position::Dynamic(Some(0));
    }

    fn vector(&mut self, id: TypeId, node: &PresentationNode, place: &Place) {
        let PresentationNode::Vector { field, floor, ceiling, lower, upper, element } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no octets are refused where there are any.
        if Properties::of(self.layout).node(element).fewest == 0 {
            return self.leave_to_interpreter();
        }
        let length = self.told_length(field);
        if (floor, ceiling) != (0, u64::MAX) {
            self.run.refuse_if(format!("!({floor}..={ceiling}).contains(&({length} as u64))"));
        }
        self.settle();
        let [outer, list, count, item] = [(); 4].map(|()| self.variable());
        let element_id = self.types.canonical(element_id);
        let empty = self.types.default_expression(element_id);
        self.out.line(format!("let {outer} = r.enter({length} * 8)?;"));
        self.out.line(format!("let {list} = {};", place.exclusive()));
        self.out.line(format!("let mut {count} = 0usize;"));
        self.out.line("while r.remaining() > 0 {");
        // In its place, which an earlier message may have filled: elements are large.
        self.out.line(format!("if {count} == {list}.len() {{"));
        self.out.line(match storage {
            Storage::Inline(_) => format!("if {list}.try_push({empty}).is_err() {{ return Err(wire::Rejected) }}"),
            _ => format!("{list}.push({empty});"),
        });
        self.out.line("}");
        self.out.line(format!("let Some({item}) = {list}.get_mut({count}) else {{ return Err(wire::Rejected) }};"));
        self.out.line(format!("{count} += 1;"));
        self.position = Position::Dynamic(Some(0));
        self.part(element_id, element, &Place::reference(item));
        self.settle();
        self.out.line("}");
        self.out.line(format!("r.leave({outer});"));
        self.out.line(format!("{list}.truncate({count});"));
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        if (u64::from(lower), upper) != (0, u64::MAX) {
            self.out.line(format!("if !({lower}..={upper}).contains(&({count} as u64)) {{"));
            self.out.line("return Err(wire::Rejected);");
            self.out.line("}");
        }
        self.position = Position::Dynamic(Some(0));
    }

    fn conditional(&mut self, id: TypeId, members: Span, place: &Place) {
        let Some(parts) = conditional_parts(self.types, id, place) else { return self.leave_to_interpreter() };
        for (member, (part, field, condition)) in self.layout.members(members).iter().zip(parts) {
            let Some(condition) = condition else {
                self.value(part, member.node, &field);
                continue;
            };
            self.settle();
            self.out.line(format!("if {condition} {{"));
            let inner = self.variable();
            let insert = self.types.renew_expression(part);
            self.out.line(format!("let {inner} = {}.{insert};", field.object()));
            self.part(part, member.node, &Place::reference(inner));
            self.settle();
            self.out.line("} else {");
            self.out.line(format!("{} = None;", field.object()));
            self.out.line("}");
            self.position = Position::Dynamic(Some(0));
        }
    }
}
