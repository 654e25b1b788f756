//! Writes encoders.

use roadwire_layout::{Rules, Span, XmlNode};
use roadwire_model::{Field, Kind, Presence, TypeId};

use super::{Walk, components, tags};
use crate::data::{field_names, item_names};
use crate::packed::run::Place;
use crate::text::{TextCode, octets_literal};
use crate::types::{Repr, Storage, Types};

pub(super) struct EncodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut TextCode<'a, 'm>,
}

impl<'a, 'm> Walk<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut TextCode<'a, 'm> {
        self.code
    }

    fn record(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let (Some(record), Kind::Sequence { components, .. }) =
            (components(self.code.layout, node), self.code.types.kind(id))
        else {
            return self.code.leave_to_interpreter();
        };
        if !record.complete && components.iter().any(|component| self.code.types.has_named_bits_default(component)) {
            return self.code.leave_to_interpreter();
        }
        let fields = field_names(components);
        let groups = components.iter().zip(&fields).filter(|(one, _)| matches!(one.field, Field::Group(_)));
        let mut refused: Vec<String> =
            groups.map(|(one, field)| self.code.types.sent(one, &place.field(field))).collect();
        if record.extensible {
            refused.push(format!("!{}.unknown.is_empty()", place.object()));
        }
        if !refused.is_empty() {
            self.code.flush();
            self.code.out.refuse_if(&refused.join(" || "));
        }
        for member in &record.members {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let is_omitted = matches!(component.presence, Presence::Default(_)) && !record.complete;
            if !is_omitted && !Types::is_option(component) {
                self.value(component.type_id, member.node, &field);
                continue;
            }
            self.code.flush();
            let content = self.code.types.if_sent(component, &field, self.code.out);
            self.value(component.type_id, member.node, &content);
            self.code.flush();
            self.code.out.line("}");
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        self.code.put_alternatives(id, alternatives, place, |code, alternative, node, place| {
            if tags(code.layout, node).is_none() {
                return code.leave_to_interpreter();
            }
            EncodeWriter { code }.value(alternative.type_id, node, place);
        });
    }

    fn list(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let (
            Repr::List { element: element_id, storage },
            XmlNode::Elements { lower, upper, element, extensible, sorted, .. },
        ) = (self.code.types.repr(id).clone(), node)
        else {
            return self.code.leave_to_interpreter();
        };
        self.code.flush();
        if sorted {
            self.code.out.refuse_if(&format!("{}.len() > 1", place.object()));
        }
        if !extensible {
            self.code.refuse_other_lengths(place.object(), (lower, upper), storage);
        }
        let item = self.code.out.variable();
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.value(element_id, element, &Place::reference(item));
        self.code.flush();
        self.code.out.line("}");
    }

    fn truth(&mut self, is_text: bool, place: &Place) {
        let (yes, no) = if is_text { ("true", "false") } else { ("<true/>", "<false/>") };
        self.code.flush();
        let (yes, no, value) = (octets_literal(yes), octets_literal(no), place.value());
        self.code.out.line(format!("w.put_slice(if {value} {{ &{yes}[..] }} else {{ {no} }})?;"));
    }

    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place) {
        self.code.put_number(id, bounds, place);
    }

    fn item(&mut self, id: TypeId, items: Span, is_text: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let layout = self.code.layout;
        self.code.flush();
        self.code.out.line(format!("w.put_slice(match {} {{", place.value()));
        for (label, item) in layout.items[items.range()].iter().zip(item_names(enumerators)) {
            let label = layout.name(*label);
            let label = octets_literal(&if is_text { label.to_owned() } else { format!("<{label}/>") });
            self.code.out.line(format!("{name}::{item} => &{label}[..],"));
        }
        if enumerators.extensible {
            self.code.out.line(format!("{name}::UnknownAddition(_) => return Err(wire::Rejected),"));
        }
        self.code.out.line("})?;");
    }

    fn bits(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        match (self.code.types.repr(id), node) {
            (Repr::BitFlags { bits, .. }, XmlNode::Binary { lower, upper, extensible: false, .. })
                if lower == upper && upper == u64::from(*bits) =>
            {
                self.code.flush();
                let object = place.object();
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    self.code.out.refuse_if(&format!("{object}.0 >> {bits} != 0"));
                }
                self.code.out.line(format!("w.put_bit_digits(u64::from({object}.0), {bits})?;"));
            }
            (Repr::BitWord, XmlNode::Binary { lower, upper, extensible: false, trim: false }) => {
                self.code.flush();
                let word = place.object();
                self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&u64::from({word}.bits))"));
                self.code.out.line(format!("w.put_bit_digits({word}.value, {word}.bits.into())?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        match self.code.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.code.flush();
                self.code.out.line(format!("w.put_octet_digits({})?;", place.shared()));
            }
            Repr::Octets(_) | Repr::OctetString => {
                self.code.flush();
                let octets = format!("{}.0", place.object());
                self.code.refuse_other_lengths(&octets, (lower, upper), Storage::Heap);
                self.code.out.line(format!("w.put_octet_digits(&{octets})?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn characters(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let (Repr::Text(_) | Repr::String, XmlNode::CharacterData { lower, upper, alphabet, pattern, extensible, .. }) =
            (self.code.types.repr(id), node)
        else {
            return self.code.leave_to_interpreter();
        };
        if pattern.count > 0 || extensible {
            return self.code.leave_to_interpreter();
        }
        self.code.flush();
        let ranges = self.code.layout.numbers(alphabet);
        let text = place.object();
        self.code.out.refuse_if(&format!("!wire::rt::text::fits(&{text}, {lower}, {upper}, &{ranges:?})"));
        let put = if self.code.layout.rules == Rules::Cxer { "put_canonical_characters" } else { "put_characters" };
        self.code.apart(&format!("w.{put}(&{text})?;"));
    }

    fn open_tag(&self, name: &str) -> String {
        format!("<{name}>")
    }

    fn enter(&mut self) -> String {
        let start = self.code.out.variable();
        self.code.out.line(format!("let {start} = w.position();"));
        start
    }

    fn leave(&mut self, entered: &str, end_tag: &str) {
        self.code.out.line(format!("w.close_element({entered}, {end_tag})?;"));
    }
}
