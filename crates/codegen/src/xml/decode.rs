//! Writes decoders of the form that encoders write, without white space and attributes.

use roadwire_layout::{NodeId, Span, XmlNode, XmlSpace};
use roadwire_model::{Field, Kind, Presence, TypeId};

use super::{Emptiness, Walk, components, emptiness, tags};
use crate::data::{field_names, item_names};
use crate::packed::run::Place;
use crate::text::{TextCode, octets_literal};
use crate::types::{Repr, Types};

pub(super) struct DecodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut TextCode<'a, 'm>,
}

impl DecodeWriter<'_, '_, '_> {
    /// The condition under which a start tag comes next.
    fn is_start_tag(&mut self, name: &str, content: NodeId) -> String {
        self.code.flush();
        let accept = if emptiness(self.code.layout, content) == Emptiness::Sometimes { "accept_tag" } else { "accept" };
        format!("r.{accept}({})", octets_literal(&self.start_tag(name, content)))
    }
}

impl<'a, 'm> Walk<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut TextCode<'a, 'm> {
        self.code
    }

    fn record(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let (Some(record), Kind::Sequence { components, .. }) =
            (components(self.code.layout, node), self.code.types.kind(id))
        else {
            return self.code.leave_to_interpreter();
        };
        let fields = field_names(components);
        if record.extensible {
            // Left over from an earlier message.
            let unknown = place.field("unknown");
            self.code.out.line(format!("if !{}.is_empty() {{", unknown.object()));
            self.code.out.line(format!("{} = wire::Additions::new();", unknown.object()));
            self.code.out.line("}");
        }
        for (component, field) in components.iter().zip(&fields) {
            if matches!(component.field, Field::Group(_)) {
                let absent = self.code.types.absent(component);
                self.code.out.line(format!("{} = {absent};", place.field(field).object()));
            }
        }
        for member in &record.members {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if !Types::is_option(component) && !matches!(component.presence, Presence::Default(_)) {
                self.value(component.type_id, member.node, &field);
                continue;
            }
            let Some((name, content)) = tags(self.code.layout, member.node) else { continue };
            let is_there = self.is_start_tag(name, content);
            self.code.out.line(format!("if {is_there} {{"));
            let inner = self.code.types.present(component, &field, self.code.out);
            self.content(name, content, |walk| walk.part(component.type_id, content, &inner));
            self.code.flush();
            self.code.out.line("} else {");
            let absent = self.code.types.absent(component);
            self.code.out.line(format!("{} = {absent};", field.object()));
            self.code.out.line("}");
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        self.code.take_alternatives(
            id,
            alternatives,
            place,
            |code, _, node| {
                let (name, content) = tags(code.layout, node)?;
                Some(DecodeWriter { code }.is_start_tag(name, content))
            },
            |code, alternative, node, place| {
                let Some((name, content)) = tags(code.layout, node) else { return };
                DecodeWriter { code }.content(name, content, |walk| walk.part(alternative.type_id, content, place));
            },
        );
    }

    fn list(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let (Repr::List { element: element_id, storage }, XmlNode::Elements { lower, upper, element, extensible, .. }) =
            (self.code.types.repr(id).clone(), node)
        else {
            return self.code.leave_to_interpreter();
        };
        self.code.flush();
        let (list, item) = (self.code.out.variable(), self.code.out.variable());
        let element_id = self.code.types.canonical(element_id);
        self.code.out.line(format!("let {list} = {};", place.exclusive()));
        self.code.out.line(format!("{list}.clear();"));
        self.code.out.line("while !r.is_at_end() {");
        let new = self.code.types.begin_element(element_id, storage, &list, item, self.code.out);
        self.value(element_id, element, &new.place);
        self.code.flush();
        new.end(self.code.out);
        self.code.out.line("}");
        if !extensible {
            self.code.refuse_other_lengths(&list, (lower, upper), storage);
        }
    }

    fn truth(&mut self, is_text: bool, place: &Place) {
        let take = if is_text { "r.take_truth()?" } else { "r.take_truth_element()?" };
        self.code.flush();
        self.code.out.line(format!("{} = {take};", place.value()));
    }

    fn number(&mut self, id: TypeId, bounds: (i128, i128), place: &Place) {
        self.code.take_number(id, bounds, place);
    }

    fn item(&mut self, id: TypeId, items: Span, is_text: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let layout = self.code.layout;
        let take = if is_text { "r.take_word()" } else { "r.take_empty()?" };
        self.code.flush();
        self.code.out.line(format!("{} = match {take} {{", place.value()));
        for (label, item) in layout.items[items.range()].iter().zip(item_names(enumerators)) {
            self.code.out.line(format!("{} => {name}::{item},", octets_literal(layout.name(*label))));
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("};");
    }

    fn bits(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        match (self.code.types.repr(id), node) {
            (Repr::BitFlags { bits, word, .. }, XmlNode::Binary { lower, upper, extensible: false, .. })
                if lower == upper && upper == u64::from(*bits) =>
            {
                self.code.flush();
                self.code.out.line(format!("{}.0 = r.take_bit_digits({bits})? as {word};", place.object()));
            }
            (Repr::BitWord, XmlNode::Binary { lower, upper, extensible: false, trim: false }) => {
                self.code.flush();
                let word = place.exclusive();
                self.code.out.line(format!("wire::rt::xml::fill_word(r.take_word(), {lower}..={upper}, {word})?;"));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        self.code.flush();
        let resized = match self.code.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.code.out.line(format!("wire::rt::text::fill(r.take_word(), {})?;", place.exclusive()));
                return;
            }
            Repr::Octets(_) => true,
            Repr::OctetString => false,
            _ => return self.code.leave_to_interpreter(),
        };
        let (digits, octets, count) = (self.code.out.variable(), self.code.out.variable(), self.code.out.variable());
        self.code.out.line(format!("let {digits} = r.take_word();"));
        self.code.out.line(format!("let {count} = {digits}.len() / 2;"));
        if resized || lower > 0 || upper < u64::MAX {
            self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&({count} as u64))"));
        }
        self.code.out.line(format!("let {octets} = {};", place.exclusive()));
        self.code.out.line(format!("{octets}.0.clear();"));
        if resized {
            self.code.out.line(format!("for _ in 0..{count} {{"));
            self.code.out.line(format!("if {octets}.0.try_push(0).is_err() {{ return Err(wire::Rejected) }}"));
            self.code.out.line("}");
        } else {
            self.code.out.line(format!("{octets}.0.resize({count}, 0);"));
        }
        self.code.out.line(format!("wire::rt::text::fill({digits}, &mut {octets}.0)?;"));
    }

    fn characters(&mut self, id: TypeId, node: XmlNode, place: &Place) {
        let XmlNode::CharacterData {
            space: XmlSpace::Preserve,
            lower,
            upper,
            alphabet,
            pattern,
            extensible: false,
            ..
        } = node
        else {
            return self.code.leave_to_interpreter();
        };
        let fixed = match self.code.types.repr(id) {
            Repr::Text(_) if pattern.count == 0 => true,
            Repr::String if pattern.count == 0 => false,
            _ => return self.code.leave_to_interpreter(),
        };
        self.code.flush();
        let text = self.code.out.variable();
        let ranges = self.code.layout.numbers(alphabet);
        self.code.out.line(format!("let {text} = {};", place.exclusive()));
        self.code.out.line(format!("{text}.clear();"));
        let take = match fixed {
            true => format!("{text}.try_push_str(piece).is_ok()"),
            false => format!("{{ {text}.push_str(piece); true }}"),
        };
        self.code.out.line(format!("r.take_characters(({lower}, {upper}), &{ranges:?}, |piece| {take})?;"));
    }

    fn open_tag(&self, name: &str) -> String {
        format!("<{name}")
    }

    fn enter(&mut self) -> String {
        let after = self.code.out.variable();
        self.code.out.line(format!("let {after} = r.enter()?;"));
        after
    }

    fn leave(&mut self, entered: &str, end_tag: &str) {
        self.code.out.line(format!("r.leave({entered}, {end_tag})?;"));
    }
}
