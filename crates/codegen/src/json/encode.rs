//! Writes encoders.

use roadwire_layout::{JsonNode, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, TypeId};

use super::{Bits, Walk, quoted};
use crate::data::{field_names, item_names};
use crate::open::Row;
use crate::packed::run::Place;
use crate::text::{TextCode, octets_literal};
use crate::types::Repr;

pub(super) struct EncodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut TextCode<'a, 'm>,
}

impl<'a, 'm> Walk<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
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
        if components.iter().any(|component| self.code.types.has_named_bits_default(component)) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            return self.code.leave_to_interpreter();
        }
        let members = self.code.layout.members(members).to_vec();
        let in_group = |at: usize| matches!(components[at].field, Field::Group(_));
        let mut refused: Vec<String> = (0..components.len())
            .filter(|at| in_group(*at))
            .map(|at| self.code.types.sent(&components[at], &place.field(&fields[at])))
            .collect();
        if extensible {
            refused.push(format!("!{}.unknown.is_empty()", place.object()));
        }
        if !refused.is_empty() {
            self.code.flush();
            self.code.out.refuse_if(&refused.join(" || "));
        }
        // If the first member is mandatory, commas and the bracket are constants.
        let sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let start = (!sure).then(|| {
            self.code.flush();
            let start = self.code.out.variable();
            self.code.out.line(format!("let {start} = w.position();"));
            start
        });
        for (order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            if in_group(at) {
                continue;
            }
            let Some(name) = quoted(&components[at].name) else { return self.code.leave_to_interpreter() };
            let lead = if sure && order == 0 { '{' } else { ',' };
            let (component, field) = (&components[at], place.field(&fields[at]));
            if member.presence == Presence::Mandatory {
                self.code.text.push_str(&format!("{lead}{name}:"));
                self.value(component.type_id, member.node, &field);
                self.code.pass(component, member.node, &field);
                continue;
            }
            self.code.flush();
            let content = self.code.types.if_sent(component, &field, self.code.out);
            self.code.text.push_str(&format!("{lead}{name}:"));
            self.value(component.type_id, member.node, &content);
            self.code.flush();
            self.code.out.line("}");
            self.code.pass(component, member.node, &field);
        }
        match start {
            None => self.code.text.push('}'),
            Some(start) => {
                self.code.flush();
                self.code.out.line(format!("w.close_list({start}, b'{{', b'}}')?;"));
            }
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        self.code.put_alternatives(id, alternatives, place, |code, alternative, node, place| {
            let Some(label) = quoted(&alternative.name) else { return code.leave_to_interpreter() };
            code.text.push_str(&format!("{{{label}:"));
            EncodeWriter { code }.value(alternative.type_id, node, place);
            code.text.push('}');
        });
    }

    /// Each element has a comma in front; the first becomes the bracket.
    fn list(&mut self, id: TypeId, bounds: (u64, u64), element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.code.types.repr(id).clone() else {
            return self.code.leave_to_interpreter();
        };
        self.code.flush();
        self.code.refuse_other_lengths(place.object(), bounds, storage);
        let (start, item) = (self.code.out.variable(), self.code.out.variable());
        self.code.out.line(format!("let {start} = w.position();"));
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.code.text.push(',');
        self.value(element_id, element, &Place::reference(item));
        self.code.flush();
        self.code.out.line("}");
        self.code.out.line(format!("w.close_list({start}, b'[', b']')?;"));
    }

    fn truth(&mut self, place: &Place) {
        self.code.flush();
        self.code.out.line(format!("w.put_slice(if {} {{ &b\"true\"[..] }} else {{ b\"false\" }})?;", place.value()));
    }

    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place) {
        self.code.put_number(id, bounds, place);
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        self.code.flush();
        self.code.out.line(format!("w.put_slice(match {} {{", place.value()));
        for ((label, _), item) in enumerators.all().zip(&items) {
            let text = quoted(label).unwrap_or_default();
            self.code.out.line(format!("{name}::{item} => &{}[..],", octets_literal(&text)));
        }
        if enumerators.extensible {
            self.code.out.line(format!("{name}::UnknownAddition(_) => return Err(wire::Rejected),"));
        }
        self.code.out.line("})?;");
    }

    fn bits(&mut self, id: TypeId, Bits { fixed, lower, upper }: Bits, place: &Place) {
        match (self.code.types.repr(id), fixed) {
            (Repr::BitWord | Repr::BitString, None) => {
                self.code.flush();
                let value = format!("wire::Data::scalar({})", place.shared());
                self.code.out.line(format!("w.put_bits({value}, {lower}, {upper})?;"));
            }
            (Repr::BitFlags { bits, .. }, Some(fixed)) if u64::from(*bits) == fixed => {
                let octets = fixed.div_ceil(8);
                self.code.flush();
                let object = place.object();
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    self.code.out.refuse_if(&format!("{object}.0 >> {bits} != 0"));
                }
                let shift = 64 - u32::from(*bits);
                self.code
                    .out
                    .line(format!("w.put_digits(&(u64::from({object}.0) << {shift}).to_be_bytes()[..{octets}])?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        match self.code.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.code.flush();
                self.code.out.line(format!("w.put_digits({})?;", place.shared()));
            }
            Repr::Octets(_) => {
                self.code.flush();
                let octets = format!("{}.0", place.object());
                self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&({octets}.len() as u64))"));
                self.code.out.line(format!("w.put_digits(&{octets})?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn string(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        if !matches!(self.code.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.code.leave_to_interpreter();
        }
        self.code.flush();
        let ranges = self.code.layout.numbers(alphabet);
        let text = place.object();
        self.code.out.refuse_if(&format!("!wire::rt::text::fits(&{text}, {lower}, {upper}, &{ranges:?})"));
        self.code.apart(&format!("w.put_string(&{text})?;"));
    }

    fn selected(&mut self, id: TypeId, row: &Row, nodes: &[u32], place: &Place) {
        let Some((variants, octets)) = self.code.types.open_variants(id) else {
            return self.code.leave_to_interpreter();
        };
        self.code.out.line(format!("match {} {{", place.shared()));
        for (at, (variant, node)) in variants.iter().zip(nodes).enumerate() {
            let inner = self.code.out.variable();
            self.code.out.line(format!("{}({inner}) => {{", variant.path));
            self.code.out.line(format!("let _ = {inner};"));
            row.differs(at).into_iter().for_each(|differs| self.code.out.refuse_if(&differs));
            self.value(variant.alternative.type_id, NodeId(*node), &Place::reference(inner));
            self.code.flush();
            self.code.out.line("}");
        }
        let inner = self.code.out.variable();
        self.code.out.line(format!("{}({inner}) => {{", octets.path));
        let put = format!("w.put_digits(&{inner}.0)?;");
        let explicit = ["w.put(b\"{\\\"...\\\":\")?;", &put, "w.put(b\"}\")?;"];
        match row {
            Row::Selected(row) => {
                self.code.out.line(format!("if {row} == usize::MAX {{"));
                self.code.out.line(&put);
                self.code.out.line("} else {");
                explicit.iter().for_each(|line| self.code.out.line(line));
                self.code.out.line("}");
            }
            _ => explicit.iter().for_each(|line| self.code.out.line(line)),
        }
        self.code.out.line("}");
        self.code.out.line("}");
    }
}
