//! Writes decoders of the form that encoders write: members in textual order and no white space.

use roadwire_layout::{JsonNode, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, TypeId};

use super::{Bits, Walk, quoted};
use crate::data::{field_names, item_names};
use crate::open::Row;
use crate::packed::run::Place;
use crate::text::{TextCode, octets_literal};
use crate::types::Repr;

pub(super) struct DecodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut TextCode<'a, 'm>,
}

impl<'a, 'm> Walk<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut TextCode<'a, 'm> {
        self.code
    }

    fn object(&mut self, id: TypeId, node: JsonNode, place: &Place) {
        let (JsonNode::Object { members, extensible, .. }, Kind::Sequence { components, .. }) =
            (node, self.code.types.kind(id))
        else {
            return self.code.leave_to_interpreter();
        };
        let fields = field_names(components);
        if extensible {
            self.code.flush();
            self.code.out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.code.out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.code.out.line("}");
        }
        let members = self.code.layout.members(members).to_vec();
        self.code.text.push('{');
        let sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let first = (!sure).then(|| {
            self.code.flush();
            let first = self.code.out.variable();
            self.code.out.line(format!("let mut {first} = true;"));
            first
        });
        for (order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if matches!(component.field, Field::Group(_)) {
                self.code.flush();
                self.code.out.line(self.code.types.clear(component, &field));
                continue;
            }
            let Some(name) = quoted(&component.name) else { return self.code.leave_to_interpreter() };
            let name = format!("{name}:");
            if member.presence == Presence::Mandatory {
                match &first {
                    None => {
                        let comma = if order == 0 { "" } else { "," };
                        self.code.text.push_str(&format!("{comma}{name}"));
                    }
                    Some(first) => {
                        self.code.flush();
                        self.code.out.refuse_if(&format!("!r.member({first}, {})", octets_literal(&name)));
                        self.code.out.line(format!("{first} = false;"));
                    }
                }
                self.value(component.type_id, member.node, &field);
                self.code.pass(component, member.node, &field);
                continue;
            }
            self.code.flush();
            match &first {
                None => self.code.out.line(format!("if r.accept({}) {{", octets_literal(&format!(",{name}")))),
                Some(first) => {
                    self.code.out.line(format!("if r.member({first}, {}) {{", octets_literal(&name)));
                    self.code.out.line(format!("{first} = false;"));
                }
            }
            let content = self.code.types.present(component, &field, self.code.out);
            self.value(component.type_id, member.node, &content);
            self.code.flush();
            self.code.out.line("} else {");
            self.code.out.line(self.code.types.clear(component, &field));
            self.code.out.line("}");
            self.code.pass(component, member.node, &field);
        }
        self.code.text.push('}');
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        self.code.text.push('{');
        self.code.take_alternatives(
            id,
            alternatives,
            place,
            |_, alternative, _| {
                let label = quoted(&alternative.name)?;
                Some(format!("r.accept({})", octets_literal(&format!("{label}:"))))
            },
            |code, alternative, node, place| DecodeWriter { code }.value(alternative.type_id, node, place),
        );
        self.code.text.push('}');
    }

    fn list(&mut self, id: TypeId, bounds: (u64, u64), element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.code.types.repr(id).clone() else {
            return self.code.leave_to_interpreter();
        };
        self.code.text.push('[');
        self.code.flush();
        let (list, item) = (self.code.out.variable(), self.code.out.variable());
        let element_id = self.code.types.canonical(element_id);
        self.code.out.line(format!("let {list} = {};", place.exclusive()));
        self.code.out.line(format!("{list}.clear();"));
        self.code.out.line("if !r.accept(b\"]\") {");
        self.code.out.line("loop {");
        let new = self.code.types.begin_element(element_id, storage, &list, item, self.code.out);
        self.value(element_id, element, &new.place);
        self.code.flush();
        new.end(self.code.out);
        self.code.out.line("if !r.accept(b\",\") {");
        self.code.out.line("break;");
        self.code.out.line("}");
        self.code.out.line("}");
        self.code.out.line("r.expect(b\"]\")?;");
        self.code.out.line("}");
        self.code.refuse_other_lengths(&list, bounds, storage);
    }

    fn truth(&mut self, place: &Place) {
        self.code.flush();
        self.code.out.line(format!("{} = r.take_truth()?;", place.value()));
    }

    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place) {
        self.code.take_number(id, bounds, place);
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        self.code.flush();
        self.code.out.line(format!("{} = match r.take_name()? {{", place.value()));
        for ((label, _), item) in enumerators.all().zip(item_names(enumerators)) {
            if quoted(label).is_some() {
                self.code.out.line(format!("{} => {name}::{item},", octets_literal(label)));
            }
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("};");
    }

    fn bits(&mut self, id: TypeId, Bits { fixed, lower, upper }: Bits, place: &Place) {
        match (self.code.types.repr(id), fixed) {
            (Repr::BitWord | Repr::BitString, None) => {
                self.code.flush();
                self.code.out.line(format!("r.take_bits({}, {lower}, {upper})?;", place.exclusive()));
            }
            (Repr::BitFlags { bits, word, .. }, Some(fixed)) if u64::from(*bits) == fixed => {
                let (octets, shift) = (fixed.div_ceil(8), 64 - u32::from(*bits));
                self.code.flush();
                let digits = self.code.out.variable();
                self.code.out.line(format!("let mut {digits} = [0u8; 8];"));
                self.code.out.line(format!("r.fill(&mut {digits}[..{octets}])?;"));
                self.code.out.line(format!("let {digits} = u64::from_be_bytes({digits});"));
                if fixed % 8 != 0 {
                    self.code.out.refuse_if(&format!("{digits} << {bits} != 0"));
                }
                self.code.out.line(format!("{}.0 = ({digits} >> {shift}) as {word};", place.object()));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        match self.code.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.code.flush();
                self.code.out.line(format!("r.fill({})?;", place.exclusive()));
            }
            Repr::Octets(_) => {
                self.code.flush();
                let (digits, octets) = (self.code.out.variable(), self.code.out.variable());
                self.code.out.line(format!("let {digits} = r.take_digits()?;"));
                self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&({digits}.len() as u64 / 2))"));
                self.code.out.line(format!("let {octets} = {};", place.exclusive()));
                self.code.out.line(format!("{octets}.0.clear();"));
                self.code.out.line(format!("for _ in 0..{digits}.len() / 2 {{"));
                self.code.out.line(format!("if {octets}.0.try_push(0).is_err() {{ return Err(wire::Rejected) }}"));
                self.code.out.line("}");
                self.code.out.line(format!("wire::rt::text::fill({digits}, &mut {octets}.0)?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn string(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        let fixed = match self.code.types.repr(id) {
            Repr::Text(_) => true,
            Repr::String => false,
            _ => return self.code.leave_to_interpreter(),
        };
        self.code.flush();
        let text = self.code.out.variable();
        self.code.out.line(format!("let {text} = r.take_string()?;"));
        let ranges = self.code.layout.numbers(alphabet);
        self.code.out.refuse_if(&format!("!wire::rt::text::fits({text}, {lower}, {upper}, &{ranges:?})"));
        self.code.out.line(format!("{}.clear();", place.object()));
        self.code.out.line(if fixed {
            format!("if {}.try_push_str({text}).is_err() {{ return Err(wire::Rejected) }}", place.object())
        } else {
            format!("{}.push_str({text});", place.object())
        });
    }

    fn selected(&mut self, id: TypeId, row: &Row, nodes: &[u32], place: &Place) {
        let Some((variants, octets)) = self.code.types.open_variants(id) else {
            return self.code.leave_to_interpreter();
        };
        if let (Row::Only, [node, ..], [variant, ..]) = (row, nodes, &variants[..]) {
            let content = self.code.types.choose(variant, place, self.code.out);
            return self.value(variant.alternative.type_id, NodeId(*node), &Place::reference(content));
        }
        let Row::Selected(row) = row else { return self.code.leave_to_interpreter() };
        self.code.out.line(format!("match {row} {{"));
        for (at, (variant, node)) in variants.iter().zip(nodes).enumerate() {
            self.code.out.line(format!("{at} => {{"));
            let content = self.code.types.choose(variant, place, self.code.out);
            self.code.out.line(format!("let _ = &{content};"));
            self.value(variant.alternative.type_id, NodeId(*node), &Place::reference(content));
            self.code.flush();
            self.code.out.line("}");
        }
        self.code.out.line("_ => {");
        let digits = self.code.out.variable();
        self.code.out.line(format!("let {digits} = r.take_digits()?;"));
        let content = self.code.types.choose(&octets, place, self.code.out);
        self.code.out.line(format!("{content}.0.clear();"));
        self.code.out.line(format!("{content}.0.resize({digits}.len() / 2, 0);"));
        self.code.out.line(format!("wire::rt::text::fill({digits}, &mut {content}.0)?;"));
        self.code.out.line("}");
        self.code.out.line("}");
    }
}
