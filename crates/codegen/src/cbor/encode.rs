//! Writes encoders: items forward, with as many octets at once as a word holds.

use roadwire_layout::{Member, NodeId, Span};
use roadwire_model::{Component, Kind, TypeId};
use roadwire_wire::rt::cbor;
use roadwire_wire::rt::cbor::straight::LONGEST;

use crate::cbor::{Content, Entry, Walk, front, head_octets, is_mandatory, most_octets};
use crate::data::{field_names, item_names};
use crate::delimited::{OctetCode, WORD, Writer};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::types::Repr;

/// A few octets that wait to be written: constants, or an expression of type `u64`.
#[derive(Clone)]
struct Waiting {
    value: Result<u64, String>,
    octets: u32,
}

/// More than this is written before alternatives, and not in each of them.
const MOST_WAITING: usize = 16;

pub(super) struct EncodeWriter<'c, 'a, 'm> {
    code: &'c mut OctetCode<'a, 'm>,
    run: Vec<Waiting>,
}

impl<'a, 'm> Writer<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Walk<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn map(&mut self, id: TypeId, entries: &[Entry<'a>], is_extensible: bool, place: &Place) {
        let Kind::Sequence { components, .. } = self.code.types.kind(id) else { return self.leave_to_interpreter() };
        let fields = field_names(components);
        let of = |member: &Member| {
            let at = member.component as usize;
            (&components[at], place.field(&fields[at]))
        };
        if is_extensible {
            self.code.out.refuse_if(&format!("!{}.unknown.is_empty()", place.object()));
        }
        let sent: Vec<Option<String>> = entries.iter().map(|entry| self.sent(entry, of)).collect();
        self.head(front::MAP, &sent);
        for (entry, sent) in entries.iter().zip(&sent) {
            match (entry.content, sent) {
                (Content::Member(member), None) => {
                    self.constant(&head_octets(0, entry.key));
                    let (component, field) = of(member);
                    self.item(component.type_id, member.node, &field);
                }
                (Content::Member(member), Some(_)) => self.optional(entry.key, member, of(member)),
                (Content::Group(members), Some(sent)) => {
                    self.settle();
                    self.code.out.line(format!("if {sent} {{"));
                    self.constant(&head_octets(0, entry.key));
                    self.group(members, of);
                    self.settle();
                    self.code.out.line("}");
                }
                (Content::Group(_), None) => {}
            }
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place) {
        let Some(variants) = self.code.types.variants(id) else { return self.leave_to_interpreter() };
        self.constant(&head_octets(front::MAP, 1));
        self.drain(MOST_WAITING);
        let before = std::mem::take(&mut self.run);
        self.code.out.line(format!("match {} {{", place.shared()));
        for (key, one) in (0..).zip(self.code.layout.alternatives(alternatives)) {
            let variant = &variants[one.alternative as usize];
            let inner = self.code.out.variable();
            self.code.out.line(format!("{}({inner}) => {{", variant.path));
            self.run.clone_from(&before);
            self.constant(&head_octets(0, key));
            self.item(variant.alternative.type_id, one.node, &Place::reference(inner));
            self.settle();
            self.code.out.line("}");
        }
        if is_extensible {
            self.code.out.line("_ => return Err(wire::Rejected),");
        }
        self.code.out.line("}");
    }

    fn array(&mut self, id: TypeId, (lower, upper): (u64, u64), element: NodeId, place: &Place) {
        let Repr::List { element: element_id, .. } = *self.code.types.repr(id) else {
            return self.leave_to_interpreter();
        };
        let element_id = self.code.types.canonical(element_id);
        if self.is_left(element_id) {
            return;
        }
        self.counted(front::ARRAY, &format!("{}.len()", place.object()), (lower, upper), upper);
        self.settle();
        let item = self.code.out.variable();
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.item(element_id, element, &Place::reference(item));
        self.settle();
        self.code.out.line("}");
    }

    fn integer(&mut self, id: TypeId, (lower, upper): (i128, i128), place: &Place) {
        let Some(rust) = self.code.types.word(id) else { return self.leave_to_interpreter() };
        let held = match rust {
            "i128" => return self.leave_to_interpreter(),
            "u64" => "u64",
            _ => "i64",
        };
        let value = self.code.out.variable();
        self.code.out.line(format!("let {value} = {} as {held};", self.code.types.number(id, place)));
        let outside = outside(&value, held, Some(lower), Some(upper));
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        // What has no bound has that of its place in memory.
        let most = most_octets(lower, upper).unwrap_or(LONGEST);
        if lower >= 0 || held == "u64" {
            return self.number(0, most, &format!("({value} as u64)"));
        }
        self.signed(most, &value);
    }

    fn enumerated(&mut self, id: TypeId, numbers: &[i64], is_extensible: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else { return self.leave_to_interpreter() };
        let bounds = numbers.iter().map(|number| i128::from(*number));
        let (Some(least), Some(greatest)) = (bounds.clone().min(), bounds.max()) else {
            return self.leave_to_interpreter();
        };
        let Some(most) = most_octets(least, greatest) else { return self.leave_to_interpreter() };
        let value = self.code.out.variable();
        if !is_extensible && numbers.iter().zip(0..).all(|(number, ordinal)| *number == ordinal) {
            self.code.out.line(format!("let {value} = {} as i64;", place.value()));
        } else {
            let mut arms = format!("let {value} = match {} {{ ", place.value());
            for (item, number) in item_names(enumerators).iter().zip(numbers) {
                arms += &format!("{name}::{item} => {number}i64, ");
            }
            if is_extensible {
                arms += &format!("{name}::UnknownAddition(_) => return Err(wire::Rejected), ");
            }
            self.code.out.line(arms + "};");
        }
        if least >= 0 {
            return self.number(0, most, &format!("({value} as u64)"));
        }
        self.signed(most, &value);
    }

    /// A bit string of a size that is known, and not more than 64.
    fn fixed_bits(&mut self, id: TypeId, bits: u32, place: &Place) {
        let value = self.code.out.variable();
        match *self.code.types.repr(id) {
            Repr::BitFlags { .. } => {
                self.code.out.line(format!("let {value} = u64::from({}.0);", place.object()));
                if bits < 64 {
                    self.code.out.refuse_if(&format!("{value} >> {bits} != 0"));
                }
            }
            Repr::BitWord => {
                self.code.out.refuse_if(&format!("{}.bits != {bits}", place.object()));
                self.code.out.line(format!("let {value} = {}.masked();", place.object()));
            }
            _ => return self.leave_to_interpreter(),
        }
        let octets = bits.div_ceil(8);
        self.constant(&head_octets(front::OCTETS, octets.into()));
        let unused = octets * 8 - bits;
        self.push(if unused == 0 { value } else { format!("({value} << {unused})") }, octets);
    }

    fn bits(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        if *self.code.types.repr(id) != Repr::BitWord || upper > 64 {
            return self.leave_to_interpreter();
        }
        self.settle();
        let word = place.object();
        self.code.size(&format!("{word}.bits"), lower, upper);
        let bits = format!("{word}.masked(), u32::from({word}.bits)");
        self.code.out.line(format!("at = wire::rt::cbor::straight::put_bits(output, at, {bits})?;"));
    }

    fn octets(&mut self, id: TypeId, (lower, upper): (u64, u64), place: &Place) {
        match *self.code.types.repr(id) {
            Repr::FixedOctets(count) => {
                self.constant(&head_octets(front::OCTETS, count));
                self.settle();
                let octets = place.shared();
                self.code.out.line(format!("at = wire::rt::cbor::straight::put_array(output, at, {octets})?;"));
            }
            Repr::Octets(_) | Repr::OctetString => {
                let octets = format!("{}.0", place.object());
                self.counted(front::OCTETS, &format!("{octets}.len()"), (lower, upper), upper);
                self.string(&format!("{octets}.as_slice()"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn text(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        let (text, alphabet) = (place.object(), self.code.layout.numbers(alphabet));
        if !matches!(self.code.types.repr(id), Repr::Text(_) | Repr::String) || alphabet.iter().any(|code| *code > 127)
        {
            return self.leave_to_interpreter();
        }
        let (octets, length) = (format!("{text}.as_bytes()"), format!("{text}.len()"));
        if alphabet.is_empty() {
            self.code.size(&format!("{text}.chars().count()"), lower, upper);
            self.number(
                front::TEXT,
                cbor::head_octets(upper.saturating_mul(4)) as usize,
                &format!("({length} as u64)"),
            );
        } else {
            self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({octets}, &{alphabet:?})"));
            self.counted(front::TEXT, &length, (lower, upper), upper);
        }
        self.string(&octets);
    }

    fn forget(&mut self) {
        self.run.clear();
    }

    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code.call_encoder(id, node, place);
    }

    fn truth(&mut self, place: &Place) {
        self.push(format!("(u64::from({}) | {:#x})", place.value(), cbor::simple::FALSE), 1);
    }

    fn float(&mut self, place: &Place) {
        self.settle();
        let value = place.value();
        self.code.out.line(format!("at = wire::rt::cbor::straight::put_float(output, at, {value})?;"));
    }

    fn settle(&mut self) {
        self.drain(0);
    }

    fn constant(&mut self, octets: &[u8]) {
        self.run.extend(octets.iter().map(|octet| Waiting { value: Ok((*octet).into()), octets: 1 }));
    }
}

impl<'c, 'a, 'm> EncodeWriter<'c, 'a, 'm> {
    pub(super) fn new(code: &'c mut OctetCode<'a, 'm>) -> Self {
        EncodeWriter { code, run: Vec::new() }
    }

    /// The head of a map with as many entries as conditions are true, or not there.
    fn head(&mut self, front: u8, sent: &[Option<String>]) {
        let certain = sent.iter().filter(|sent| sent.is_none()).count() as u64;
        let mut count = String::new();
        for sent in sent.iter().flatten() {
            count += &format!(" + u64::from({sent})");
        }
        if count.is_empty() {
            return self.constant(&head_octets(front, certain));
        }
        let most = sent.len() as u64;
        if most < 24 {
            return self.push(format!("({}{count})", u64::from(front) + certain), 1);
        }
        self.number(front, cbor::head_octets(most) as usize, &format!("({certain}{count})"));
    }

    /// The condition under which an entry is sent, if there is one.
    fn sent(&mut self, entry: &Entry<'_>, of: impl Fn(&Member) -> (&'m Component, Place)) -> Option<String> {
        if !entry.may_be_absent {
            return None;
        }
        let sent = |member: &Member| {
            let (component, field) = of(member);
            self.code.types.sent(component, &field)
        };
        let sent = match entry.content {
            Content::Member(member) => sent(member),
            Content::Group(members) => members.iter().map(sent).collect::<Vec<_>>().join(" || "),
        };
        let known = self.code.out.variable();
        self.code.out.line(format!("let {known} = {sent};"));
        Some(known)
    }

    /// A component that may be absent, behind its key.
    fn optional(&mut self, key: u64, member: &Member, (component, field): (&'m Component, Place)) {
        self.settle();
        if self.code.types.has_named_bits_default(component) {
            // Equal but for trailing zero bits is equal: not a comparison of words.
            self.code.out.enter(component.type_id);
            self.leave_to_interpreter();
            return self.code.out.leave();
        }
        let content = self.code.types.if_sent(component, &field, self.code.out);
        self.constant(&head_octets(0, key));
        self.item(component.type_id, member.node, &content);
        self.settle();
        self.code.out.line("}");
    }

    /// An addition group that is there: a map of its own.
    fn group(&mut self, members: &[Member], of: impl Fn(&Member) -> (&'m Component, Place)) {
        let entry = |member| Entry { key: 0, content: Content::Member(member), may_be_absent: !is_mandatory(member) };
        let sent: Vec<Option<String>> = members.iter().map(|member| self.sent(&entry(member), &of)).collect();
        self.head(front::MAP, &sent);
        for ((key, member), sent) in (0..).zip(members).zip(&sent) {
            let (component, field) = of(member);
            if sent.is_some() {
                self.optional(key, member, (component, field));
                continue;
            }
            // Of a group all that is mandatory has to be there.
            let inner = self.code.out.variable();
            self.code
                .out
                .line(format!("let Some({inner}) = &{} else {{ return Err(wire::Rejected) }};", field.object()));
            self.constant(&head_octets(0, key));
            self.item(component.type_id, member.node, &Place::reference(inner));
        }
    }

    /// The head of what has a size between two bounds, and a length of at most `most`.
    fn counted(&mut self, front: u8, size: &str, (lower, upper): (u64, u64), most: u64) {
        self.code.size(size, lower, upper);
        if lower == most {
            return self.constant(&head_octets(front, lower));
        }
        self.number(front, cbor::head_octets(most) as usize, &format!("({size} as u64)"));
    }

    /// A head of at most so many octets, with a number of type `u64`.
    fn number(&mut self, front: u8, most: usize, number: &str) {
        match most {
            1 if front == 0 => self.push(number.to_owned(), 1),
            1 => self.push(format!("({number} | {front:#x})"), 1),
            LONGEST => {
                self.settle();
                self.code
                    .out
                    .line(format!("at = wire::rt::cbor::straight::put_long(output, at, {front:#x}, {number})?;"));
            }
            _ => self.put_head(&format!("head_word::<{most}>({number})"), front, most),
        }
    }

    /// The same for an integer of type `i64`.
    fn signed(&mut self, most: usize, integer: &str) {
        if most == LONGEST {
            self.settle();
            self.code.out.line(format!("at = wire::rt::cbor::straight::put_long_integer(output, at, {integer})?;"));
            return;
        }
        self.put_head(&format!("integer_word::<{most}>({integer})"), 0, most);
    }

    /// Writes what waits, and behind it a head that a function makes.
    fn put_head(&mut self, head: &str, front: u8, most: usize) {
        self.drain(WORD as usize - most);
        let (word, octets) = (self.code.out.variable(), self.code.out.variable());
        self.code.out.line(format!("let ({word}, {octets}) = wire::rt::cbor::straight::{head};"));
        let mut items = std::mem::take(&mut self.run);
        let before: u32 = items.iter().map(|item| item.octets).sum();
        items.push(Waiting { value: Ok(front.into()), octets: 1 });
        let word = if before == 0 { word } else { format!("{word} >> {}", before * 8) };
        let word = or(vec![word], &items);
        let octets = if before == 0 { octets } else { format!("{before} + {octets}") };
        self.code.out.line(format!("at = wire::rt::cbor::straight::put_word(output, at, {word}, {octets})?;"));
    }

    /// Octets behind their head.
    fn string(&mut self, octets: &str) {
        self.settle();
        self.code.out.line(format!("at = wire::rt::put_octets(output, at, {octets})?;"));
    }

    fn push(&mut self, value: String, octets: u32) {
        self.run.push(Waiting { value: Err(value), octets });
    }

    /// Writes out whole words until no more than so many octets wait.
    fn drain(&mut self, most: usize) {
        while self.run.iter().map(|item| item.octets as usize).sum::<usize>() > most {
            let mut octets = 0;
            let fits = |item: &&Waiting| {
                octets += item.octets;
                octets <= WORD
            };
            let count = self.run.iter().take_while(fits).count();
            let items: Vec<Waiting> = self.run.drain(..count).collect();
            let octets: u32 = items.iter().map(|item| item.octets).sum();
            let word = or(Vec::new(), &items);
            self.code.out.line(format!("at = wire::rt::cbor::straight::put_word(output, at, {word}, {octets})?;"));
        }
    }
}

/// A word of these parts, and of those that begin it.
fn or(mut parts: Vec<String>, items: &[Waiting]) -> String {
    let (mut before, mut constant) = (0, 0u64);
    for Waiting { value, octets } in items {
        before += octets;
        let shift = (WORD - before) * 8;
        match value {
            Ok(value) => constant |= value << shift,
            Err(value) if shift == 0 => parts.push(value.clone()),
            Err(value) => parts.push(format!("{value} << {shift}")),
        }
    }
    if constant != 0 || parts.is_empty() {
        parts.push(format!("{constant:#x}"));
    }
    parts.join(" | ")
}
