//! Encoders: streams of events (EXI). Event codes are constants, except after optional parts.

use std::collections::HashSet;

use roadwire_layout::{EventNode, Layout, NodeId, Number, Span};
use roadwire_model::{Kind, TypeId};

use crate::data::{field_names, item_names};
use crate::events::codes::{Events, MOST_OCTETS, bounds_of_64, first_codes, is_in};
use crate::events::next::CodeToWrite;
use crate::packed::encode::{EncodeWriter, holds_only, literal};
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::source::Source;
use crate::types::{Repr, Types};

impl<'a, 'm> Events<'a, 'm> for EncodeWriter<'a, 'm> {
    fn types(&self) -> &'a Types<'m> {
        self.types
    }

    fn layout(&self) -> &'a Layout {
        self.layout
    }

    fn out(&mut self) -> &mut Source {
        self.out
    }

    fn depth(&mut self) -> &mut u32 {
        &mut self.depth
    }

    fn is_plain(&self) -> bool {
        self.plain
    }

    fn merged(&self) -> &'a HashSet<NodeId> {
        self.merged
    }

    fn header(&mut self) {
        self.run.field("0x80", 8);
    }

    fn follow(&mut self, bits: u8) {
        self.next = CodeToWrite::Constant(0, bits);
    }

    fn happen(&mut self) {
        match self.next.clone() {
            CodeToWrite::Constant(left_out, bits) => self.run.field(left_out.to_string(), bits.into()),
            CodeToWrite::Variable { left_out, bits } => self.run.octets(left_out, bits, u16::BITS),
        }
        self.next = CodeToWrite::Constant(0, 0);
    }

    fn only_event(&mut self, bits: u8) {
        self.run.field("0", bits.into());
    }

    fn event_sequence(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (EventNode::Sequence { members, groups, first, extensible, .. }, Kind::Sequence { components, .. }) =
            (*node, self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        self.refuse_rare(components, extensible, place);
        if let Some(bits) = first {
            self.next = CodeToWrite::Constant(0, bits);
        }
        let members = self.layout.members(members).to_vec();
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let is_grouped = is_in(self.layout.numbers(groups), place_in_order);
            if !is_grouped && member.presence == roadwire_layout::Presence::Mandatory {
                self.in_structure(component.type_id, member.node, &field, false);
                continue;
            }
            // An addition group, present as a whole or not at all, is rare.
            if self.plain || is_grouped {
                self.run.refuse_if(self.types.sent(component, &field));
                self.leave_out();
                continue;
            }
            let (left_out, bits) = self.variables_of_next();
            self.flush(false);
            let content = self.types.if_sent(component, &field, self.out);
            self.in_structure(component.type_id, member.node, &content, true);
            self.flush(false);
            let follow = match self.next {
                CodeToWrite::Constant(_, follow) => follow,
                CodeToWrite::Variable { .. } => 0,
            };
            self.out.line(format!("{left_out} = 0;"));
            self.out.line(format!("{bits} = {follow};"));
            self.out.line("} else {");
            self.out.line(format!("{left_out} += 1;"));
            self.out.line("}");
            self.next = CodeToWrite::Variable { left_out, bits };
        }
    }

    fn event_choice(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let EventNode::Choice { alternatives, starts, first, octets: None } = *node else {
            return self.leave_to_interpreter();
        };
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        let layout_alternatives = self.layout.alternatives(alternatives).to_vec();
        let starts = first_codes(self.layout, starts, layout_alternatives.len());
        if let Some(bits) = first {
            self.next = CodeToWrite::Constant(0, bits);
        }
        if let (true, Some(one)) = (self.plain, layout_alternatives.first()) {
            let variant = &variants[one.alternative as usize];
            let inner = variant.bind(&place.shared(), self.out);
            self.out.line(format!("let _ = {inner};"));
            return self.in_structure(variant.alternative.type_id, one.node, &Place::reference(inner), false);
        }
        self.flush(false);
        let next = self.next.clone();
        let mut behind = CodeToWrite::Constant(0, 0);
        self.out.line(format!("match {} {{", place.shared()));
        for (one, codes) in layout_alternatives.iter().zip(starts.windows(2)) {
            let Variant { path, alternative, .. } = &variants[one.alternative as usize];
            let inner = self.variable();
            self.out.line(format!("{path}({inner}) => {{"));
            self.out.line(format!("let _ = {inner};"));
            self.next = self.next_of_alternative(&next, codes[0], codes[1] - codes[0] == 1);
            let is_part = self.types.has_list(alternative.type_id);
            self.in_structure(alternative.type_id, one.node, &Place::reference(inner), is_part);
            self.flush(false);
            self.out.line("}");
            behind = self.next.clone();
        }
        if matches!(self.types.kind(id), Kind::Choice { extensible: true, .. }) {
            self.out.line("_ => return Err(wire::Rejected),");
        }
        self.out.line("}");
        self.next = behind;
    }

    fn event_repeat(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let EventNode::Repeat { lower, upper, element, events, single, either, last, bounded } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, .. } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        let count = self.variable();
        self.run.before(format!("let {count} = {}.len() as u64;", place.object()));
        self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})"));
        self.flush(false);
        let (at, item) = (self.variable(), self.variable());
        self.out.line(format!("for ({at}, {item}) in {}.iter().enumerate() {{", place.object()));
        self.out.line(format!("let _ = {at};"));
        self.next = match lower {
            0 => CodeToWrite::Constant(0, either),
            _ if lower == upper => CodeToWrite::Constant(0, single),
            _ => {
                let bits = format!("(if {at} < {lower} {{ {single}u32 }} else {{ {either} }})");
                CodeToWrite::Variable { left_out: "0".into(), bits }
            }
        };
        self.member(element_id, element, &Place::reference(item), true);
        self.flush(false);
        self.out.line("}");
        self.next = if !bounded {
            CodeToWrite::Constant(events as usize, either)
        } else if lower == upper {
            CodeToWrite::Constant(0, last)
        } else {
            let bits = format!("(if {count} == {upper} {{ {last}u32 }} else {{ {either} }})");
            let times = if events == 1 { String::new() } else { format!(" * {events}") };
            CodeToWrite::Variable { left_out: format!("u64::from({count} != {upper}){times}"), bits }
        };
    }

    fn event_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place) {
        let Some(rust) = self.types.word(id) else { return self.leave_to_interpreter() };
        let Some((lower, upper)) = bounds_of_64(self.layout.node(range), rust) else {
            return self.leave_to_interpreter();
        };
        let variable = self.variable();
        self.run.before(format!("let {variable} = ({}) as u64;", self.types.number(id, place)));
        let offset = if lower == 0 { String::new() } else { format!(".wrapping_sub({} as u64)", literal(lower)) };
        if !holds_only(rust, lower, upper) {
            self.run.refuse_if(format!("({variable}{offset} > {})", upper.saturating_sub(lower)));
        }
        let magnitude = match number {
            Number::Bits { bits, base } => {
                return self.run.field(format!("{variable}.wrapping_sub({base}i64 as u64)"), bits.into());
            }
            Number::Unsigned => variable,
            Number::Signed => {
                self.run.field(format!("({variable} >> 63)"), 1);
                let magnitude = self.variable();
                self.run.before(format!("let {magnitude} = {variable} ^ ({variable} as i64 >> 63) as u64;"));
                magnitude
            }
        };
        let most = lower.unsigned_abs().max(upper.unsigned_abs());
        self.groups(&magnitude, most);
    }

    fn item_by_number(&mut self, id: TypeId, values: Span, bits: u8, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let variable = self.variable();
        let mut arms = format!("let {variable} = match {} {{ ", place.value());
        for (item, number) in item_names(enumerators).iter().zip(self.layout.numbers(values).chunks_exact(2)) {
            arms += &format!("{name}::{item} => {}u64, ", number[1]);
        }
        if enumerators.extensible {
            arms += &format!("{name}::UnknownAddition(_) => {}, ", 1u64 << bits);
        }
        self.run.before(arms + "};");
        if enumerators.extensible {
            self.run.refuse_if(format!("({variable} >> {bits} != 0)"));
        }
        self.run.field(variable, bits.into());
    }

    /// A bit string after its codes, as octets after their number.
    fn event_bits(&mut self, id: TypeId, [lower, upper]: [u64; 2], trim: bool, code: u8, place: &Place) {
        match self.types.repr(id) {
            Repr::BitFlags { bits, .. } if lower == upper && upper == u64::from(*bits) => {
                let bits = u32::from(*bits);
                let variable = self.variable();
                self.run.before(format!("let {variable} = u64::from({}.0);", place.object()));
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    self.run.refuse_if(format!("({variable} >> {bits} != 0)"));
                }
                self.run.field(bits.div_ceil(8).to_string(), 8);
                self.run.field(variable, bits);
                self.run.field("0", bits.wrapping_neg() % 8);
            }
            Repr::BitWord if !trim && lower != upper && upper <= 56 => {
                let (count, unused) = (self.variable(), self.variable());
                self.run.before(format!("let {count} = u64::from({}.bits);", place.object()));
                // An empty string is rare.
                self.run.refuse_if(format!("!({}..={upper}).contains(&{count})", lower.max(1)));
                self.run.before(format!("let {unused} = {count}.wrapping_neg() % 8;"));
                self.run.field(unused.clone(), 3);
                self.run.field("0", code.into());
                self.run.field(format!("({count}.div_ceil(8))"), 8);
                let value = format!("({}.masked() << {unused})", place.object());
                self.run.octets(value, format!("({count} + {unused}) as u32"), 56);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Octets after their number and a code.
    fn event_octets(&mut self, id: TypeId, [lower, upper]: [u64; 2], place: &Place) {
        match self.types.repr(id) {
            Repr::FixedOctets(count) if *count > 0 => {
                let count = *count;
                self.groups(&format!("{count}u64"), count.into());
                self.flush(false);
                self.out.line(format!("w.put_array({})?;", place.shared()));
            }
            Repr::Octets(_) | Repr::OctetString => {
                let count = self.variable();
                self.run.before(format!("let {count} = {}.0.len() as u64;", place.object()));
                self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})"));
                self.groups(&count, upper.min(MOST_OCTETS).into());
                self.flush(false);
                self.put_string(id, place);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn event_text(&mut self, id: TypeId, [lower, upper]: [u64; 2], alphabet: Span, place: &Place) {
        if !matches!(self.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.leave_to_interpreter();
        }
        let count = self.variable();
        self.run.before(format!("let {count} = {}.chars().count() as u64;", place.object()));
        self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})"));
        self.groups(&format!("({count} + 2)"), u128::from(upper.min(MOST_OCTETS)) + 2);
        self.flush(false);
        let alphabet = self.layout.numbers(alphabet);
        self.apart(format!("wire::rt::events::put(&mut w, &{}, &{alphabet:?})?;", place.object()));
    }

    fn or_empty(&mut self, string: &str, code: u8, full: impl FnOnce(&mut Self)) {
        self.flush(false);
        self.out.line(format!("if {string}.is_empty() {{"));
        self.run.field("1", code.into());
        self.run.field("0", EventNode::SECOND_PART.into());
        self.flush(false);
        self.out.line("} else {");
        full(self);
        self.flush(false);
        self.out.line("}");
    }

    fn other(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.structure(id, node, place);
    }

    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.call(id, node, place);
    }

    fn leave_to_interpreter(&mut self) {
        self.leave_to_interpreter();
    }
}

impl EncodeWriter<'_, '_> {
    /// Skips one more possible event.
    fn leave_out(&mut self) {
        match &mut self.next {
            CodeToWrite::Constant(left_out, _) => *left_out += 1,
            CodeToWrite::Variable { left_out, .. } => {
                let statement = format!("{left_out} += 1;");
                self.run.before(statement);
            }
        }
    }

    /// The next code in an alternative whose first code is `start`, where `next` is that of the first alternative.
    fn next_of_alternative(&mut self, next: &CodeToWrite, start: usize, is_element: bool) -> CodeToWrite {
        match next {
            CodeToWrite::Constant(left_out, bits) => CodeToWrite::Constant(left_out + start, *bits),
            CodeToWrite::Variable { left_out, bits } if is_element => {
                CodeToWrite::Variable { left_out: format!("({left_out} + {start})"), bits: bits.clone() }
            }
            CodeToWrite::Variable { left_out, bits } => {
                let (own_left_out, own_bits) = (self.variable(), self.variable());
                self.out.line(format!("let (mut {own_left_out}, mut {own_bits}) = ({left_out} + {start}, {bits});"));
                CodeToWrite::Variable { left_out: own_left_out, bits: own_bits }
            }
        }
    }

    /// Puts the next code into mutable variables.
    fn variables_of_next(&mut self) -> (String, String) {
        match self.next.clone() {
            CodeToWrite::Variable { left_out, bits } => (left_out, bits),
            CodeToWrite::Constant(so_far, width) => {
                let (left_out, bits) = (self.variable(), self.variable());
                self.flush(false);
                self.out.line(format!("let (mut {left_out}, mut {bits}) = ({so_far}u64, {width}u32);"));
                self.next = CodeToWrite::Variable { left_out: left_out.clone(), bits: bits.clone() };
                (left_out, bits)
            }
        }
    }

    /// A number of up to `most` in groups of seven bits.
    fn groups(&mut self, number: &str, most: u128) {
        let bits = 128 - most.leading_zeros();
        if bits <= 7 * 7 {
            let (spread, width) = (self.variable(), self.variable());
            let most = bits.div_ceil(7).max(1);
            self.run.before(format!("let ({spread}, {width}) = wire::rt::varint::spread::<{most}>({number});"));
            return self.run.octets(spread, width, most * 8);
        }
        self.flush(false);
        self.apart(format!("wire::rt::varint::put(&mut w, {number})?;"));
    }
}
