//! Decoders: streams of events (EXI), as in [`encode`](super::encode).

use std::collections::HashSet;

use roadwire_layout::{EventNode, Layout, NodeId, Number, Presence, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::varint;

use crate::data::{field_names, item_names};
use crate::events::codes::{Events, MOST_OCTETS, bounds_of_64, first_codes, is_in};
use crate::events::next::CodeToRead;
use crate::packed::decode::DecodeWriter;
use crate::packed::encode::literal;
use crate::packed::read_item::TAKE_BITS;
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Storage, Types};

impl<'a, 'm> Events<'a, 'm> for DecodeWriter<'a, 'm> {
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
        self.run.constant(0x80, 8);
    }

    fn follow(&mut self, bits: u8) {
        self.next = CodeToRead::Unread(0, bits);
    }

    fn happen(&mut self) {
        match self.next.clone() {
            CodeToRead::Done => {}
            CodeToRead::Unread(wanted, bits) => self.run.constant(wanted as u64, bits.into()),
            CodeToRead::Read(left_out) => self.run.refuse_if(format!("({left_out} != 0)")),
        }
        self.next = CodeToRead::Done;
    }

    fn only_event(&mut self, bits: u8) {
        self.run.constant(0, bits.into());
    }

    fn event_sequence(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let (EventNode::Sequence { members, groups, first, extensible, .. }, Kind::Sequence { components, .. }) =
            (*node, self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        if extensible {
            self.run.then(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.run.then(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.run.then("}");
        }
        if let Some(bits) = first {
            self.next = CodeToRead::Unread(0, bits);
        }
        let members = self.layout.members(members).to_vec();
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let is_grouped = is_in(self.layout.numbers(groups), place_in_order);
            if !is_grouped && member.presence == Presence::Mandatory {
                self.in_structure(component.type_id, member.node, &field, false);
                continue;
            }
            let absent = format!("{} = {};", field.object(), self.types.absent(component));
            if self.plain {
                if let CodeToRead::Unread(wanted, _) = &mut self.next {
                    *wanted += 1;
                }
                self.run.then(absent);
                continue;
            }
            let left_out = self.variable_of_next();
            self.settle();
            self.out.line(format!("if {left_out} == 0 {{"));
            if is_grouped {
                self.out.line("return Err(wire::Rejected);");
            } else {
                self.next = CodeToRead::Done;
                let content = self.types.present(component, &field, self.out);
                self.in_structure(component.type_id, member.node, &content, true);
                let bits = if let CodeToRead::Unread(_, bits) = self.next { bits } else { 0 };
                let code = self.read(bits.into());
                self.run.then(format!("{left_out} = {code};"));
                self.settle();
            }
            self.out.line("} else {");
            self.out.line(format!("{left_out} -= 1;"));
            self.out.line(absent);
            self.out.line("}");
            self.next = CodeToRead::Read(left_out);
        }
    }

    fn event_choice(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let EventNode::Choice { alternatives, starts, first, octets: None } = *node else {
            return self.leave_to_interpreter();
        };
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        let layout_alternatives = self.layout.alternatives(alternatives).to_vec();
        let starts = first_codes(self.layout, starts, layout_alternatives.len());
        let is_each_an_element = starts.windows(2).all(|codes| codes[1] - codes[0] == 1);
        if let (true, Some(one)) = (self.plain, layout_alternatives.first()) {
            if let Some(bits) = first {
                self.next = CodeToRead::Unread(0, bits);
            }
            if is_each_an_element {
                self.happen();
            }
            self.flush();
            let variant = &variants[one.alternative as usize];
            let content = self.alternative(variant, place);
            return self.in_structure(variant.alternative.type_id, one.node, &content, false);
        }
        let index = match first {
            Some(bits) if is_each_an_element => self.read(bits.into()),
            Some(bits) => {
                self.next = CodeToRead::Unread(0, bits);
                self.variable_of_next()
            }
            None => self.variable_of_next(),
        };
        self.settle();
        let before = self.position;
        let mut behind = CodeToRead::Done;
        self.out.line(format!("match {index} {{"));
        for (one, codes) in layout_alternatives.iter().zip(starts.windows(2)) {
            let variant = &variants[one.alternative as usize];
            let content_id = variant.alternative.type_id;
            self.position = before;
            self.next = self.begin_alternative(&index, codes[0], codes[1] - 1);
            let content = self.alternative(variant, place);
            self.in_structure(content_id, one.node, &content, self.types.has_list(content_id));
            self.settle();
            self.out.line("}");
            behind = self.next.clone();
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("}");
        self.next = behind;
    }

    fn event_repeat(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        let EventNode::Repeat { lower, upper, element, events, single, either, last, bounded } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no bits cost an attacker nothing; the interpreter counts them.
        let has_no_bits = single == 0 && self.properties.node(element).fewest == 0;
        if !matches!(storage, Storage::Inline(_)) && has_no_bits {
            return self.leave_to_interpreter();
        }
        self.settle();
        let (list, item, at) = (self.variable(), self.variable(), self.variable());
        let element_id = self.types.canonical(element_id);
        let end = |out: &mut Source, condition: String, bits: u8, is_end: bool| {
            out.line(format!("if {condition} {{"));
            if is_end {
                out.line(format!("if r.take({bits})? != 0 {{ return Err(wire::Rejected) }}"));
                out.line("break;");
            } else {
                out.line("return Err(wire::Rejected);");
            }
            out.line("}");
        };
        self.out.line(format!("let {list} = {};", place.exclusive()));
        self.out.line(format!("{list}.clear();"));
        self.out.line(format!("let mut {at} = 0u64;"));
        self.out.line("loop {");
        if bounded {
            end(self.out, format!("{at} == {upper}"), last, true);
        }
        let bits = if lower == 0 {
            format!("{either}u32")
        } else {
            format!("if {at} < {lower} {{ {single}u32 }} else {{ {either} }}")
        };
        let (code, width) = (self.variable(), self.variable());
        self.out.line(format!("let {width} = {bits};"));
        self.out.line("let word = r.window();");
        self.out.line(format!("let {code} = word >> 1 >> (63 - {width});"));
        self.out.line(format!("r.advance({width} as usize);"));
        self.out.line("r.within()?;");
        self.out.line(match events {
            1 => format!("if {code} != 0 {{"),
            _ => format!("if {code} >= {events} {{"),
        });
        let is_end =
            format!("{code} == {events}") + &if lower == 0 { String::new() } else { format!(" && {at} >= {lower}") };
        self.out.line(format!("if {is_end} {{ break }}"));
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
        // The element begins in the same word.
        self.out.line(format!("let word = word << {width};"));
        if !bounded && upper < u64::MAX {
            end(self.out, format!("{at} == {upper}"), 0, false);
        }
        self.out.line(format!("{at} += 1;"));
        self.next = match events {
            1 => CodeToRead::Done,
            _ => {
                self.out.line(format!("let mut {code} = {code};"));
                CodeToRead::Read(code)
            }
        };
        let new = self.types.begin_element(element_id, storage, &list, item, self.out);
        self.run.begin_in_word(TAKE_BITS - u32::from(single.max(either)));
        self.member(element_id, element, &new.place, new.is_in_list());
        self.settle();
        new.end(self.out);
        self.out.line("}");
        self.next = CodeToRead::Done;
    }

    fn event_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place) {
        let Some(rust) = self.types.word(id) else { return self.leave_to_interpreter() };
        let Some((lower, upper)) = bounds_of_64(self.layout.node(range), rust) else {
            return self.leave_to_interpreter();
        };
        let offset = if lower == 0 { String::new() } else { format!(".wrapping_sub({} as u64)", literal(lower)) };
        let refused = |variable: &str| format!("({variable}{offset} > {})", upper.saturating_sub(lower));
        let cast = if rust == "u64" { String::new() } else { format!(" as {rust}") };
        if let Number::Bits { bits, base } = number {
            let found = self.read(bits.into());
            self.run.refuse_if(refused(&format!("{found}.wrapping_add({base}i64 as u64)")));
            let number = format!("{found}.wrapping_add({base}i64 as u64){cast}");
            return self.run.then(self.types.set_number(id, place, &number));
        }
        let sign = (number == Number::Signed).then(|| self.read(1));
        let greatest = if sign.is_some() { upper.max(-1 - lower) } else { upper };
        let magnitude = self.groups(u64::try_from(greatest).unwrap_or(u64::MAX));
        let value = match &sign {
            Some(sign) => format!("({magnitude} ^ {sign}.wrapping_neg())"),
            None => magnitude.clone(),
        };
        if sign.is_some() && greatest >> 49 != 0 {
            // Larger magnitudes do not fit with a sign.
            self.run.refuse_if(format!("({magnitude} >> 63 != 0)"));
        }
        if upper.saturating_sub(lower) < u64::MAX.into() {
            self.run.refuse_if(refused(&value));
        }
        self.run.then(self.types.set_number(id, place, &format!("{value}{cast}")));
    }

    fn item_by_number(&mut self, id: TypeId, values: Span, bits: u8, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let found = self.read(bits.into());
        self.run.then(format!("{} = match {found} {{", place.value()));
        for (item, number) in item_names(enumerators).iter().zip(self.layout.numbers(values).chunks_exact(2)) {
            self.run.then(format!("{} => {name}::{item},", number[1]));
        }
        self.run.then("_ => return Err(wire::Rejected),");
        self.run.then("};");
    }

    fn event_bits(&mut self, id: TypeId, [lower, upper]: [u64; 2], _trim: bool, code: u8, place: &Place) {
        match self.types.repr(id) {
            Repr::BitFlags { name, word, bits } if lower == upper && upper == u64::from(*bits) => {
                let (name, word, bits) = (name.clone(), *word, u32::from(*bits));
                self.run.constant(bits.div_ceil(8).into(), 8);
                let found = self.read(bits);
                self.run.then(format!("{} = {name}({found} as {word});", place.value()));
                self.run.field("", bits.wrapping_neg() % 8);
            }
            Repr::BitWord if lower != upper && upper <= 56 && !self.has_named_bits(id) => {
                let unused = self.read(3);
                self.run.constant(0, code.into());
                let octets = self.read(8);
                self.run.refuse_if(format!("({octets} == 0 || {octets} > 7)"));
                self.settle();
                let count = self.variable();
                self.out.line(format!("let {count} = {octets} * 8 - {unused};"));
                self.out.line(format!("if !({lower}..={upper}).contains(&{count}) {{ return Err(wire::Rejected) }}"));
                self.out.line(format!(
                    "{} = wire::BitWord {{ value: r.take(({octets} * 8) as u32)? >> {unused}, bits: {count} as u8 }};",
                    place.value()
                ));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn event_octets(&mut self, id: TypeId, [lower, upper]: [u64; 2], place: &Place) {
        let is_heap = *self.types.repr(id) == Repr::OctetString;
        if !is_heap && !matches!(self.types.repr(id), Repr::FixedOctets(_) | Repr::Octets(_)) {
            return self.leave_to_interpreter();
        }
        if let Repr::FixedOctets(fixed) = *self.types.repr(id) {
            let (groups, bits) = varint::spread::<2>(fixed);
            self.run.constant(groups, bits);
            self.settle();
            return self.out.line(format!("r.take_array({})?;", place.exclusive()));
        }
        let count = self.groups(upper);
        self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})"));
        self.settle();
        if !is_heap {
            return self.take_inline(&count, place);
        }
        // Before any memory is allocated.
        self.out.line(format!("r.need(usize::try_from({count}).unwrap_or(usize::MAX).saturating_mul(8))?;"));
        self.out.line(format!("let octets = {};", place.exclusive()));
        self.out.line("octets.0.clear();");
        self.out.line(format!("octets.0.resize({count} as usize, 0);"));
        self.out.line("r.take_octets(&mut octets.0)?;");
    }

    fn event_text(&mut self, id: TypeId, [lower, upper]: [u64; 2], alphabet: Span, place: &Place) {
        let take = match self.types.repr(id) {
            Repr::Text(_) => "take",
            Repr::String => "take_string",
            _ => return self.leave_to_interpreter(),
        };
        let (least, most) = (lower + 2, upper.min(MOST_OCTETS) + 2);
        let count = self.groups(most);
        self.run.refuse_if(format!("!({least}..={most}).contains(&{count})"));
        self.settle();
        let (alphabet, text) = (self.layout.numbers(alphabet), place.exclusive());
        self.begin_apart();
        self.out.line(format!("wire::rt::events::{take}(&mut r, ({count} - 2) as usize, &{alphabet:?}, {text})?;"));
        self.end_apart();
    }

    fn or_empty(&mut self, string: &str, code: u8, full: impl FnOnce(&mut Self)) {
        self.settle();
        // In the usual case, the first code is read again.
        let (before, second) = (self.position, EventNode::SECOND_PART);
        self.out.line("let word = r.window();");
        self.out.line(format!("if word >> {} == {:#b} {{", 64 - code - second, 1u64 << second));
        self.out.line(format!("r.advance({});", code + second));
        self.out.line("r.within()?;");
        self.out.line(format!("{string}.clear();"));
        self.out.line("} else {");
        self.position = before;
        full(self);
        self.settle();
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

impl DecodeWriter<'_, '_> {
    /// The arm for the alternative that the codes from `start` to `last` of the variable `index` select; the next code in it.
    fn begin_alternative(&mut self, index: &str, start: usize, last: usize) -> CodeToRead {
        if start == last {
            self.out.line(format!("{start} => {{"));
            return CodeToRead::Done;
        }
        self.out.line(format!("{start}..={last} => {{"));
        self.out.line(format!("{index} -= {start};"));
        CodeToRead::Read(index.into())
    }

    /// Puts the next code into a mutable variable.
    fn variable_of_next(&mut self) -> String {
        if let CodeToRead::Read(left_out) = &self.next {
            return left_out.clone();
        }
        let bits = if let CodeToRead::Unread(_, bits) = self.next { bits } else { 0 };
        let code = self.read(bits.into());
        self.settle();
        let left_out = self.variable();
        self.out.line(format!("let mut {left_out} = {code};"));
        left_out
    }

    /// Reads a number in groups of seven bits, which usually is at most `most`.
    fn groups(&mut self, most: u64) -> String {
        let (variable, most) = (self.variable(), varint::octets_of(most));
        if most <= varint::MOST_PEELED {
            self.run.groups(&variable, most as u32);
        } else {
            self.settle();
            self.out.line(format!("let {variable} = wire::rt::varint::take(&mut r)?;"));
        }
        variable
    }

    fn has_named_bits(&self, id: TypeId) -> bool {
        matches!(self.types.kind(id), Kind::BitString { named, .. } if !named.is_empty())
    }
}
