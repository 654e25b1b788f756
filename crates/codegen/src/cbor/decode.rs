//! Writes decoders: what the encoders write is read forward, and compared with as many octets at once as a word holds; any other form is refused and left to the interpreter.

use roadwire_layout::{Member, NodeId, Span};
use roadwire_model::{Component, Kind, Presence, TypeId};
use roadwire_wire::rt::cbor;
use roadwire_wire::rt::cbor::straight::LONGEST;

use crate::cbor::{Content, Entry, Walk, front, head_octets, is_mandatory, most_octets};
use crate::data::{field_names, item_names};
use crate::delimited::{OctetCode, WORD, Writer};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::types::{Repr, Storage};

/// A few octets that come next.
struct Expected {
    octets: u32,
    /// The bits that are known, and which those are.
    bits: u64,
    mask: u64,
    /// The variable of type `u64` that they become.
    variable: Option<String>,
}

pub(super) struct DecodeWriter<'c, 'a, 'm> {
    code: &'c mut OctetCode<'a, 'm>,
    run: Vec<Expected>,
    /// Lines that come when what is expected has been read.
    then: Vec<String>,
}

impl<'a, 'm> Writer<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Walk<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn map(&mut self, id: TypeId, entries: &[Entry<'a>], is_extensible: bool, place: &Place) {
        let Kind::Sequence { components, .. } = self.code.types.kind(id) else { return self.leave_to_interpreter() };
        let fields = field_names(components);
        let of = |member: &Member| {
            let at = member.component as usize;
            (&components[at], place.field(&fields[at]))
        };
        if is_extensible {
            self.settle();
            self.code.out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.code.out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.code.out.line("}");
        }
        self.entries(entries, 0, &of);
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, _: bool, place: &Place) {
        let Some(variants) = self.code.types.variants(id) else { return self.leave_to_interpreter() };
        self.constant(&head_octets(front::MAP, 1));
        let all = self.code.layout.alternatives(alternatives);
        let most = cbor::head_octets(all.len().saturating_sub(1) as u64) as usize;
        let key = if most == 1 { self.variable(1, 0, 0) } else { self.number(0, most) };
        self.settle();
        self.code.out.line(format!("match {key} {{"));
        for (key, one) in all.iter().enumerate() {
            let variant = &variants[one.alternative as usize];
            self.code.out.line(format!("{key} => {{"));
            let inner = self.code.types.choose(variant, place, self.code.out);
            self.code.out.line(format!("let _ = &{inner};"));
            self.item(variant.alternative.type_id, one.node, &Place::reference(inner));
            self.settle();
            self.code.out.line("}");
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("}");
    }

    fn array(&mut self, id: TypeId, (lower, upper): (u64, u64), element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = *self.code.types.repr(id) else {
            return self.leave_to_interpreter();
        };
        let element_id = self.code.types.canonical(element_id);
        if self.is_left(element_id) {
            return;
        }
        let count = self.counted(front::ARRAY, (lower, upper), upper);
        self.settle();
        // Each takes an octet at least.
        self.code.out.refuse_if(&format!("{count} > input.len().saturating_sub(at) as u64"));
        if let Storage::Extensible(most) = storage {
            // The interpreter's limits hold for what is longer.
            self.code.out.refuse_if(&format!("{count} > {most}"));
        }
        let (item, list) = (self.code.out.variable(), self.code.bind(place));
        self.code.out.line(format!("{list}.clear();"));
        self.code.out.line(format!("for _ in 0..{count} {{"));
        let begun = self.code.types.begin_element(element_id, storage, &list, item, self.code.out);
        self.item(element_id, element, &begun.place);
        self.settle();
        begun.end(self.code.out);
        self.code.out.line("}");
    }

    fn integer(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Some(rust) = self.code.types.word(id) else { return self.leave_to_interpreter() };
        let most = most_octets(lower, upper).unwrap_or(LONGEST);
        if rust == "i128" {
            return self.leave_to_interpreter();
        }
        if lower >= 0 && most == 1 {
            let octet = self.variable(1, 0, 0);
            self.then_within(&octet, (lower, upper));
            return self.then.push(self.code.types.set_number(id, place, &format!("{octet} as {rust}")));
        }
        let (number, held) =
            if rust == "u64" || lower >= 0 { (self.number(0, most), "u64") } else { (self.signed(most), "i64") };
        // What does not fit into its place in memory is the interpreter's as well.
        let (least, greatest) = crate::types::bounds(rust);
        let outside = outside(&number, held, Some(lower.max(least)), Some(upper.min(greatest)));
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        self.code.out.line(self.code.types.set_number(id, place, &format!("{number} as {rust}")));
    }

    fn enumerated(&mut self, id: TypeId, numbers: &[i64], _: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else { return self.leave_to_interpreter() };
        let bounds = numbers.iter().map(|number| i128::from(*number));
        let (Some(least), Some(greatest)) = (bounds.clone().min(), bounds.max()) else {
            return self.leave_to_interpreter();
        };
        let Some(most) = most_octets(least, greatest) else { return self.leave_to_interpreter() };
        let number = match (least >= 0, most) {
            (true, 1) => self.variable(1, 0, 0),
            (true, _) => self.number(0, most),
            (false, _) => self.signed(most),
        };
        self.then.push(format!("{} = match {number} {{", place.value()));
        for (item, number) in item_names(enumerators).iter().zip(numbers) {
            self.then.push(format!("{number} => {name}::{item},"));
        }
        self.then.push("_ => return Err(wire::Rejected),".into());
        self.then.push("};".into());
    }

    /// A bit string of a size that is known, and not more than 64.
    fn fixed_bits(&mut self, id: TypeId, bits: u32, place: &Place) {
        let octets = bits.div_ceil(8);
        let unused = octets * 8 - bits;
        self.constant(&head_octets(front::OCTETS, octets.into()));
        let word = self.variable(octets, 0, (1 << unused) - 1);
        let value = if unused == 0 { word } else { format!("({word} >> {unused})") };
        match self.code.types.repr(id) {
            Repr::BitFlags { name, word, .. } => {
                self.then.push(format!("{} = {name}({value} as {word});", place.value()));
            }
            Repr::BitWord => {
                self.then.push(format!("{} = wire::BitWord {{ value: {value}, bits: {bits} }};", place.value()));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn bits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        if *self.code.types.repr(id) != Repr::BitWord || upper > 64 {
            return self.leave_to_interpreter();
        }
        self.settle();
        let (bits, count) = (self.code.out.variable(), self.code.out.variable());
        self.code.out.line(format!("let (at_, {bits}, {count}) = wire::rt::cbor::straight::take_bits(input, at)?;"));
        self.code.out.line("at = at_;");
        self.code.size(&count, lower, upper);
        self.code.out.line(format!("{} = wire::BitWord {{ value: {bits}, bits: {count} as u8 }};", place.value()));
    }

    fn octets(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        if let Repr::FixedOctets(count) = *self.code.types.repr(id) {
            self.constant(&head_octets(front::OCTETS, count));
            let octets = self.take(&format!("take_array::<{count}>(input, at)"));
            return self.code.out.line(format!("{} = *{octets};", place.value()));
        }
        let count = self.counted(front::OCTETS, (lower, upper), upper);
        let octets = self.take(&format!("take_slice(input, at, {count})"));
        self.code.fill_octets(id, &octets, 0, u64::MAX, place);
    }

    fn text(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        let alphabet = self.code.layout.numbers(alphabet);
        if alphabet.iter().any(|code| *code > 127) {
            return self.leave_to_interpreter();
        }
        let count = if alphabet.is_empty() {
            self.number(front::TEXT, cbor::head_octets(upper.saturating_mul(4)) as usize)
        } else {
            self.counted(front::TEXT, (lower, upper), upper)
        };
        let octets = self.take(&format!("take_slice(input, at, {count})"));
        if !alphabet.is_empty() {
            self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({octets}, &{alphabet:?})"));
        }
        self.code.read_utf8(&octets);
        if alphabet.is_empty() {
            self.code.size(&format!("{octets}.chars().count()"), lower, upper);
        }
        self.code.fill_text(id, &octets, place);
    }

    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code.call_decoder(id, node, place);
    }

    fn truth(&mut self, place: &Place) {
        let octet = self.variable(1, cbor::simple::FALSE.into(), 0xfe);
        self.then.push(format!("{} = {octet} & 1 != 0;", place.value()));
    }

    fn float(&mut self, place: &Place) {
        let value = self.take("take_float(input, at)");
        self.code.out.line(format!("{} = {value};", place.value()));
    }

    /// Reads what is expected.
    fn settle(&mut self) {
        let octets = self.waiting();
        let then = self.word(false);
        if octets > 0 {
            self.code.out.line(format!("at += {octets};"));
        }
        then.into_iter().for_each(|line| self.code.out.line(line));
    }

    fn forget(&mut self) {
        self.run.clear();
        self.then.clear();
    }

    fn constant(&mut self, octets: &[u8]) {
        for octet in octets {
            self.expect(Expected { octets: 1, bits: (*octet).into(), mask: 0xff, variable: None });
        }
    }
}

impl<'c, 'a, 'm> DecodeWriter<'c, 'a, 'm> {
    pub(super) fn new(code: &'c mut OctetCode<'a, 'm>) -> Self {
        DecodeWriter { code, run: Vec::new(), then: Vec::new() }
    }

    /// A map's entries, and in front of them how many there are, of which there are so many at least.
    fn entries(&mut self, entries: &[Entry<'a>], least: u64, of: &impl Fn(&Member) -> (&'m Component, Place)) {
        let left = self.head(entries, least);
        let mut rest = entries;
        while let Some((entry, behind)) = rest.split_first() {
            let optional = rest.iter().take_while(|entry| entry.may_be_absent).count();
            let Some(left) = left.as_ref().filter(|_| optional > 0) else {
                if let Content::Member(member) = entry.content {
                    self.constant(&head_octets(0, entry.key));
                    self.mandatory(member, of(member));
                }
                rest = behind;
                continue;
            };
            self.settle();
            let (several, behind) = rest.split_at(optional);
            if several.len() > 1 {
                // One look tells that none of them is there.
                self.code.out.line(format!("if {left} == 0 {{"));
                several.iter().for_each(|entry| self.clear(entry, of));
                self.code.out.line("} else {");
            }
            several.iter().for_each(|entry| self.optional(entry, left, of));
            if several.len() > 1 {
                self.code.out.line("}");
            }
            rest = behind;
        }
        if let Some(left) = left {
            self.settle();
            self.code.out.refuse_if(&format!("{left} != 0"));
        }
    }

    /// How many entries follow: a variable of those that may be absent, if there are such.
    fn head(&mut self, entries: &[Entry<'_>], least: u64) -> Option<String> {
        let (most, certain) =
            (entries.len() as u64, entries.iter().filter(|entry| !entry.may_be_absent).count() as u64);
        let least = least.max(certain);
        if certain == most {
            self.constant(&head_octets(front::MAP, most));
            return None;
        }
        let left = self.code.out.variable();
        if most < 24 {
            let count = self.variable(1, front::MAP.into(), 0xe0);
            self.then.push(format!("let mut {left} = ({count} & 0x1f).wrapping_sub({certain});"));
        } else {
            let count = self.number(front::MAP, cbor::head_octets(most) as usize);
            self.code.out.line(format!("let mut {left} = {count}.wrapping_sub({certain});"));
        }
        self.then_within(&left, ((least - certain).into(), (most - certain).into()));
        Some(left)
    }

    /// A component that is there. In an addition group its place may be empty.
    fn mandatory(&mut self, member: &Member, (component, field): (&'m Component, Place)) {
        if crate::types::Types::is_option(component) {
            self.settle();
        }
        let content = self.code.types.present(component, &field, self.code.out);
        self.item(component.type_id, member.node, &content);
    }

    /// An entry that may be absent, if any of these are `left`.
    fn optional(&mut self, entry: &Entry<'a>, left: &str, of: &impl Fn(&Member) -> (&'m Component, Place)) {
        let key = head_octets(0, entry.key);
        let word = key.iter().fold(0u64, |word, octet| word << 8 | u64::from(*octet));
        let octets = key.len();
        self.code
            .out
            .line(format!("if {left} != 0 && wire::rt::cbor::straight::is_next(input, at, {word:#x}, {octets}) {{"));
        self.code.out.line(format!("{left} -= 1;"));
        self.run.push(Expected { octets: octets as u32, bits: 0, mask: 0, variable: None });
        match entry.content {
            Content::Group(members) => {
                let of_member = |(key, member)| {
                    let may_be_absent = !is_mandatory(member);
                    Entry { key, content: Content::Member(member), may_be_absent }
                };
                let entries: Vec<Entry<'a>> = (0..).zip(members).map(of_member).collect();
                self.entries(&entries, 1, of);
            }
            Content::Member(member) => {
                let (component, field) = of(member);
                if self.code.types.has_named_bits_default(component) {
                    self.code.out.enter(component.type_id);
                    self.leave_to_interpreter();
                    self.code.out.leave();
                }
                let content = self.code.types.present(component, &field, self.code.out);
                self.item(component.type_id, member.node, &content);
                self.settle();
                if matches!(component.presence, Presence::Default(_)) {
                    // What is equal to its DEFAULT is not sent.
                    let sent = self.code.types.sent(component, &field);
                    self.code.out.refuse_if(&format!("!{sent}"));
                }
            }
        }
        self.settle();
        self.code.out.line("} else {");
        self.clear(entry, of);
        self.code.out.line("}");
    }

    fn clear(&mut self, entry: &Entry<'_>, of: &impl Fn(&Member) -> (&'m Component, Place)) {
        let (one, members) = match entry.content {
            Content::Member(member) => (Some(member), [].as_slice()),
            Content::Group(members) => (None, members),
        };
        for member in one.into_iter().chain(members) {
            let (component, field) = of(member);
            self.code.out.line(self.code.types.clear(component, &field));
        }
    }

    /// The head of what has a size between two bounds, and a length of at most `most`: the length, as an expression of type `u64`.
    fn counted(&mut self, front: u8, (lower, upper): (u64, u64), most: u64) -> String {
        if lower == most {
            self.constant(&head_octets(front, lower));
            return format!("{lower}u64");
        }
        if most < 24 {
            let octet = self.variable(1, front.into(), 0xe0);
            let count = self.code.out.variable();
            self.then.push(format!("let {count} = {octet} & 0x1f;"));
            self.then_within(&count, (lower.into(), upper.into()));
            return count;
        }
        let count = self.number(front, cbor::head_octets(most) as usize);
        let outside = outside(&count, "u64", Some(lower.into()), Some(upper.into()));
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        count
    }

    /// Refuses a number of type `u64` outside of bounds, when what is expected has been read.
    fn then_within(&mut self, number: &str, (lower, upper): (i128, i128)) {
        if let Some(outside) = outside(number, "u64", Some(lower), Some(upper)) {
            self.then.extend([format!("if {outside} {{"), "return Err(wire::Rejected);".into(), "}".into()]);
        }
    }

    /// A head of at most so many octets: its number, as a variable of type `u64`.
    fn number(&mut self, front: u8, most: usize) -> String {
        if most == LONGEST {
            return self.take(&format!("take_long(input, at, {front:#x})"));
        }
        self.take_head(&format!("take_head::<{most}>"), front, most)
    }

    /// The same of an integer, as a variable of type `i64`.
    fn signed(&mut self, most: usize) -> String {
        if most == LONGEST {
            return self.take("take_long_integer(input, at)");
        }
        self.take_head(&format!("take_integer::<{most}>"), 0, most)
    }

    /// Reads what is expected, and behind it a head by a function of a word.
    fn take_head(&mut self, function: &str, front: u8, most: usize) -> String {
        if self.waiting() as usize + most > WORD as usize {
            self.settle();
        }
        let before = self.waiting();
        let then = self.word(true);
        let (number, octets) = (self.code.out.variable(), self.code.out.variable());
        let mut word = if before == 0 { "word".to_owned() } else { format!("word << {}", before * 8) };
        if front != 0 {
            word = format!("{word} ^ {:#x}", u64::from(front) << 56);
        }
        self.code.out.line(format!("let ({number}, {octets}) = wire::rt::cbor::straight::{function}({word})?;"));
        self.code.out.line(if before == 0 {
            format!("at += {octets};")
        } else {
            format!("at += {before} + {octets};")
        });
        then.into_iter().for_each(|line| self.code.out.line(line));
        number
    }

    /// Reads with a function, as a variable.
    fn take(&mut self, call: &str) -> String {
        self.settle();
        let variable = self.code.out.variable();
        self.code.out.line(format!("let (at_, {variable}) = wire::rt::cbor::straight::{call}?;"));
        self.code.out.line("at = at_;");
        variable
    }

    /// Octets that become a variable when what is expected has been read; some of their bits are known.
    fn variable(&mut self, octets: u32, bits: u64, mask: u64) -> String {
        let variable = self.code.out.variable();
        self.expect(Expected { octets, bits, mask, variable: Some(variable.clone()) });
        variable
    }

    fn expect(&mut self, expected: Expected) {
        if self.waiting() + expected.octets > WORD {
            self.settle();
        }
        self.run.push(expected);
    }

    fn waiting(&self) -> u32 {
        self.run.iter().map(|expected| expected.octets).sum()
    }

    /// The same, but does not go on; the word is there in any case if it is `wanted`. Tells which lines come then.
    fn word(&mut self, wanted: bool) -> Vec<String> {
        let (mut before, mut bits, mut mask, mut variables) = (0, 0u64, 0u64, Vec::new());
        for one in self.run.drain(..) {
            before += one.octets;
            let shift = (WORD - before) * 8;
            bits |= one.bits << shift;
            mask |= one.mask << shift;
            let left = (before - one.octets) * 8;
            variables.extend(one.variable.map(|name| (name, left, 64 - one.octets * 8)));
        }
        if wanted || mask != 0 || !variables.is_empty() {
            self.code.out.line("let word = wire::rt::window(input, at);");
        }
        if mask != 0 && mask == u64::MAX << (64 - before * 8) {
            let unused = 64 - before * 8;
            self.code.out.refuse_if(&format!("word >> {unused} != {:#x}", bits >> unused));
        } else if mask != 0 {
            self.code.out.refuse_if(&format!("word & {mask:#x} != {bits:#x}"));
        }
        for (name, left, right) in variables {
            let word = if left == 0 { "word".to_owned() } else { format!("word << {left}") };
            self.code.out.line(format!("let {name} = {word} >> {right};"));
        }
        std::mem::take(&mut self.then)
    }
}
