//! Writes decoders: the interpreter's walk as straight-line source. As on encoding, what is rare is refused and left to the interpreter.

use std::collections::HashSet;

use roadwire_layout::{Count, Extent, Form, Layout, Lengths, Member, Node, NodeId, Presence, Properties, Width};
use roadwire_model::{Component, Field, Kind, TypeId};

use crate::Pdu;
use crate::data::{field_names, item_names};
use crate::packed::choice::{Alternatives, Told};
use crate::packed::decode_events::NextCode;
use crate::packed::encode::{GUARDED_MEMBERS, is_whole, literal};
use crate::packed::encode_octets::outside_of_characters;
use crate::packed::events::Events;
use crate::packed::part_function;
use crate::packed::phase::{self, Ends, Phase};
use crate::packed::read_run::{Position, ReadRun};
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::source::Source;
use crate::types::{Repr, Storage, Types};

/// A bit that tells whether a member is there: a variable of its own, or one of those in a word.
struct Bit {
    word: String,
    mask: Option<u64>,
}

impl Bit {
    /// What is not 0 where the member is there.
    fn expression(&self) -> String {
        match self.mask {
            Some(mask) => format!("({} & {mask:#x})", self.word),
            None => self.word.clone(),
        }
    }

    /// What is not 0 where one of some members is there; bits in words are all in the same.
    fn any<'b>(bits: impl Iterator<Item = &'b Bit>) -> String {
        let mut together: Vec<Bit> = Vec::new();
        for bit in bits {
            match together.last_mut() {
                Some(Bit { word, mask: Some(mask) }) if *word == bit.word => *mask |= bit.mask.unwrap_or(0),
                _ => together.push(Bit { word: bit.word.clone(), mask: bit.mask }),
            }
        }
        together.iter().map(Bit::expression).collect::<Vec<_>>().join(" | ")
    }
}

pub(crate) struct DecodeWriter<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(super) properties: &'a Properties,
    ends: &'a Ends,
    pub(super) merged: &'a HashSet<NodeId>,
    pub(crate) out: &'a mut Source,
    /// Types whose decoder is called and so has to be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    pub(super) run: ReadRun,
    pub(super) position: Position,
    /// Of a stream of events.
    pub(super) next: NextCode,
    /// Only for values without optional parts, in which every CHOICE has its first alternative.
    pub(super) plain: bool,
    /// Whether all that is read is whole octets; the reader is then an `OctetReader`.
    pub(super) whole: bool,
    /// How many levels of nesting there are around what is being written, in this function.
    pub(super) depth: u32,
    /// Whether the variable `tap` hears of parts.
    told: bool,
}

impl<'a, 'm> DecodeWriter<'a, 'm> {
    /// A writer that begins wherever the reader is, or at the first bit of a message of at least so many octets; in a function with a tap, or without one.
    pub(crate) fn new(pdu: &'a Pdu<'a, 'm>, out: &'a mut Source, least: Option<u64>, told: bool) -> Self {
        let (types, layout) = (pdu.types, &pdu.layout);
        out.begin_body();
        let position = match least {
            None => Position::Dynamic(None),
            Some(head) => {
                out.line(format!(
                    "let Some(head) = input.first_chunk::<{head}>() else {{ return Err(wire::Rejected) }};"
                ));
                Position::Static { bit: 0, head }
            }
        };
        DecodeWriter {
            types,
            layout,
            properties: &pdu.properties,
            ends: &pdu.ends,
            merged: &pdu.merged,
            out,
            called: Vec::new(),
            run: ReadRun::new(is_whole(layout)),
            position,
            next: NextCode::Done,
            plain: false,
            whole: is_whole(layout),
            depth: 0,
            told,
        }
    }

    /// Writes a function's body: from the reader `r` (and `input`, where positions are known) to `value`.
    pub(crate) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
        self.happen();
        self.settle();
    }

    /// The same for plain values only; see [`EncodeWriter::plain_body`](crate::packed::encode::EncodeWriter::plain_body).
    pub(crate) fn plain_body(&mut self, id: TypeId, node: NodeId) {
        self.plain = true;
        self.body(id, node);
    }

    /// The body that leaves all to the type's own function.
    pub(crate) fn call_body(&mut self, id: TypeId, node: NodeId) {
        if matches!(self.layout.node(node), Node::Event(_)) {
            // With what is around it.
            return self.body(id, node);
        }
        self.call(self.types.canonical(id), node, &Place::reference("value"));
        self.settle();
    }

    pub(super) fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_recursive(id) || self.types.is_shared(id, self.plain) {
            return self.call(id, node, place);
        }
        self.structure(id, node, place);
    }

    pub(super) fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.out.enter(id);
        self.content(id, node, place);
        self.out.leave();
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.layout.node(node) {
            Node::Null => {}
            Node::Boolean { bits } => {
                let variable = self.read(bits.into());
                self.run.then(format!("{} = {variable} != 0;", place.value()));
            }
            Node::Word { width: Width::Anywhere(bits), form: form @ (Form::Unsigned | Form::Signed), lower, upper } => {
                self.machine_word(id, bits, form, lower, upper, place);
            }
            Node::Word { width, lower, upper, .. } => self.word(id, width, lower, upper, place),
            Node::Enumerated { width, root, additions, ordinals, .. } => {
                let ordinals = self.layout.numbers(ordinals).to_vec();
                self.enumerated(id, width, root, additions.is_some(), &ordinals, place);
            }
            Node::Extension { root, .. } => match *self.layout.node(root) {
                Node::Word { width, lower, upper, .. } => {
                    let outside = self.read(1);
                    self.run.refuse_if(format!("({outside} != 0)"));
                    self.word(id, width, lower, upper, place);
                }
                _ => self.leave_to_interpreter(),
            },
            Node::Bits { extent, whole, .. } => {
                self.bits(id, &extent, place);
                if whole && extent.count == Count::Fixed {
                    self.run.field("", phase::padding(extent.lower) as u32);
                }
            }
            Node::Integer { form, lower, upper } if self.layout.lengths == Lengths::Definite => {
                self.integer(id, form, lower, upper, place);
            }
            Node::Numbered { values, .. } => self.numbered(id, values, place),
            Node::Octets { extent } if self.is_counted(&extent) => self.counted_octets(id, &extent, place),
            Node::Octets { extent } => self.octets(id, &extent, place),
            Node::Characters { extent, characters } => {
                if !matches!(self.types.repr(id), Repr::Text(_) | Repr::String) || extent.count == Count::Determinant {
                    return self.leave_to_interpreter();
                }
                let count = match extent.count {
                    Count::InOctets => self.units(&extent, characters.bits),
                    _ => self.count(&extent),
                };
                let end = phase::after_units(&extent, characters.bits.into(), self.phase());
                self.begin_units(&extent, &count);
                self.settle();
                self.position = Position::Dynamic(end);
                let alphabet = self.layout.numbers(characters.alphabet);
                self.out.line(format!("let text = {};", place.exclusive()));
                self.out.line("text.clear();");
                self.begin_apart();
                if self.whole {
                    let bits = u32::from(characters.bits);
                    self.out.line(format!(
                        "let mut bits = wire::Reader::new(r.take_slice(({count} as usize) * {bits} / 8)?);"
                    ));
                }
                self.out.line(format!("for _ in 0..{count} {{"));
                let reader = if self.whole { "bits" } else { "r" };
                self.out.line(format!(
                    "let character = wire::per::take_character(&mut {reader}, {}, {}, &{alphabet:?})?;",
                    characters.bits, characters.indexed
                ));
                self.push_character(id);
                self.out.line("}");
                self.end_apart();
            }
            Node::Text { utf8: true, lower, upper, .. } if self.layout.lengths == Lengths::Definite => {
                self.counted_text(id, lower, upper, place);
            }
            Node::Text { utf8: true, lower, upper, .. }
                if upper < 4096 && matches!(self.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText) =>
            {
                self.begin_determinant();
                self.settle();
                let count = self.variable();
                self.out.line(format!("let {count} = wire::per::take_count(&mut r)?;"));
                self.begin_apart();
                match self.types.repr(id) {
                    Repr::LentText => self.out.line(format!("{}.take(&mut r, {count})?;", place.object())),
                    Repr::String => {
                        self.out.line(format!("wire::per::take_string(&mut r, {count}, {})?;", place.exclusive()))
                    }
                    _ => self.out.line(format!("wire::per::take_text(&mut r, {count}, {})?;", place.exclusive())),
                }
                self.end_apart();
                if let Some(outside) = outside_of_characters(lower, upper, place) {
                    self.out.line(format!("if {outside} {{"));
                    self.out.line("return Err(wire::Rejected);");
                    self.out.line("}");
                }
            }
            Node::Integer { form, lower, upper } => self.determined_integer(id, form, (lower, upper), place),
            Node::List { .. } | Node::Record { .. } | Node::Choice { .. } => {
                self.depth += 1;
                match *self.layout.node(node) {
                    Node::List { extent, element, .. } => self.list(id, &extent, element, place),
                    Node::Record { .. } => self.record(id, node, place),
                    _ => self.choice(id, Alternatives::of(self.layout.node(node)), place),
                }
                self.depth -= 1;
            }
            Node::Event(ref event) => self.event(id, event, place),
            _ => self.leave_to_interpreter(),
        }
    }

    pub(super) fn push_character(&mut self, id: TypeId) {
        if *self.types.repr(id) == Repr::String {
            self.out.line("text.push(character);");
        } else {
            self.out.line("if text.try_push(character).is_err() {");
            self.out.line("return Err(wire::Rejected);");
            self.out.line("}");
        }
    }

    fn word(&mut self, id: TypeId, width: Width, lower: i128, upper: i128, place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        let range = upper.saturating_sub(lower);
        let variable = self.number(width, range as u64);
        let offset = if lower == 0 { String::new() } else { format!(".wrapping_add({} as u64)", literal(lower)) };
        let cast = if *rust == "u64" { String::new() } else { format!(" as {rust}") };
        self.run.then(format!("{} = {variable}{offset}{cast};", place.value()));
    }

    /// Reads a number of at most `most`.
    fn number(&mut self, width: Width, most: u64) -> String {
        let (variable, widest) = match width {
            Width::Anywhere(bits) => (self.read(bits), bits),
            Width::Aligned(bits) => {
                self.align();
                (self.read(bits), bits)
            }
            Width::Counted { bits, aligned } => {
                if aligned {
                    self.align();
                }
                let octets = self.read(bits.into());
                self.align();
                self.settle();
                let variable = self.variable();
                self.out.line(format!("let {variable} = r.take_wide({octets} as u32 * 8 + 8)?;"));
                (variable, u64::BITS)
            }
        };
        if u128::from(most) != (1u128 << widest) - 1 {
            self.run.refuse_if(format!("({variable} > {most})"));
        }
        variable
    }

    /// Goes on at the next octet border.
    fn align(&mut self) {
        match self.phase() {
            Some(at) => self.run.field("", phase::padding(at) as u32),
            None => {
                self.settle();
                self.out.line("r.align()?;");
                self.position = Position::Dynamic(Some(0));
            }
        }
    }

    /// Goes to where units begin that have been counted.
    fn begin_units(&mut self, extent: &Extent, count: &str) {
        if !extent.aligned || self.phase() == Some(0) {
            return;
        }
        if extent.lower > 0 {
            return self.align();
        }
        self.settle();
        self.out.line(format!("if {count} > 0 {{"));
        self.out.line("r.align()?;");
        self.out.line("}");
    }

    /// Goes to where a length determinant begins.
    pub(super) fn begin_determinant(&mut self) {
        if self.layout.lengths == Lengths::Aligned {
            self.align();
        }
    }

    /// Where the next bit is in its octet, as far as that is known.
    fn phase(&self) -> Phase {
        phase::advance(self.position.phase(), self.run.bits())
    }

    fn enumerated(&mut self, id: TypeId, width: Width, root: u32, extensible: bool, ordinals: &[u32], place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let items = item_names(enumerators);
        let variable = match width {
            // With an extension marker, the bit in front has to be 0: any addition is an index above the root's.
            Width::Anywhere(bits) => {
                let variable = self.read(bits + u32::from(extensible));
                if u64::from(root) != 1u64 << (bits + u32::from(extensible)) {
                    self.run.refuse_if(format!("({variable} >= {root})"));
                }
                variable
            }
            _ => self.root_number(width, extensible, u64::from(root) - 1),
        };
        self.run.then(format!("{} = match {variable} {{", place.value()));
        for index in 0..root as usize {
            let ordinal = ordinals.get(index).map_or(index, |ordinal| *ordinal as usize);
            let pattern = if index + 1 == root as usize { "_".to_owned() } else { index.to_string() };
            self.run.then(format!("{pattern} => {name}::{},", items[ordinal]));
        }
        self.run.then("};");
    }

    /// Reads a number behind an extension bit, which has to be 0.
    fn root_number(&mut self, width: Width, extensible: bool, most: u64) -> String {
        if extensible {
            let extended = self.read(1);
            self.run.refuse_if(format!("({extended} != 0)"));
        }
        self.number(width, most)
    }

    /// Reads a count in the root and gives the expression that tells it.
    fn count(&mut self, extent: &Extent) -> String {
        if extent.extensible {
            let outside = self.read(1);
            self.run.refuse_if(format!("({outside} != 0)"));
        }
        match extent.count {
            Count::Fixed => extent.lower.to_string(),
            Count::Field(width) => {
                let offset = self.number(width, extent.upper - extent.lower);
                if extent.lower == 0 { offset } else { format!("({offset} + {})", extent.lower) }
            }
            Count::Quantity => self.quantity(extent),
            Count::Determinant => self.determinant(extent),
            Count::InOctets => {
                self.leave_to_interpreter();
                "0u64".into()
            }
        }
    }

    fn bits(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match self.types.repr(id) {
            Repr::BitFlags { name, word, bits } if extent.count == Count::Fixed => {
                let (name, word) = (name.clone(), *word);
                self.begin_units(extent, "1");
                let variable = self.read(u32::from(*bits));
                self.run.then(format!("{} = {name}({variable} as {word});", place.value()));
            }
            Repr::BitWord if extent.count == Count::InOctets => self.counted_word(extent, place),
            Repr::BitWord if self.whole && extent.count == Count::Fixed => {
                let (bits, variable) = (extent.lower, self.read(extent.lower as u32));
                self.run.then(format!("{} = wire::BitWord {{ value: {variable}, bits: {bits} }};", place.value()));
            }
            Repr::BitWord if !extent.extensible && extent.count != Count::Determinant => {
                let count = self.count(extent);
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(None);
                self.out.line(format!("let bits = {count} as u32;"));
                self.out.line(format!(
                    "{} = wire::BitWord {{ value: r.take_wide(bits)?, bits: bits as u8 }};",
                    place.value()
                ));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match self.types.repr(id) {
            Repr::FixedOctets(count) if self.whole => {
                let variable = self.variable();
                self.run.array(&variable, *count as u32);
                self.run.then(format!("{} = {variable};", place.value()));
            }
            Repr::FixedOctets(count @ 1..=7) => {
                self.begin_units(extent, "1");
                let variable = self.read(*count as u32 * 8);
                let parts: Vec<String> =
                    (0..*count).map(|at| format!("({variable} >> {}) as u8", (count - 1 - at) * 8)).collect();
                self.run.then(format!("{} = [{}];", place.value(), parts.join(", ")));
            }
            Repr::FixedOctets(_) => {
                self.begin_units(extent, "1");
                self.settle();
                self.out.line(format!("r.take_array({})?;", place.exclusive()));
            }
            Repr::Octets(_) => {
                let count = self.count(extent);
                let end = phase::after_units(extent, 8, self.phase());
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(end);
                self.take_inline(&count, place);
            }
            Repr::LentOctets => {
                let count = self.count(extent);
                let end = phase::after_units(extent, 8, self.phase());
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(end);
                if self.whole {
                    let octets = format!("r.take_slice({count} as usize)?");
                    return self.out.line(format!("{} = wire::LentOctets::new({octets});", place.value()));
                }
                self.begin_apart();
                self.out.line(format!("{}.take(&mut r, {count} as usize)?;", place.object()));
                self.end_apart();
            }
            Repr::OctetString => {
                let count = self.count(extent);
                let end = phase::after_units(extent, 8, self.phase());
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(end);
                self.out.line(format!("let octets = {};", place.exclusive()));
                self.out.line("octets.0.clear();");
                if self.whole {
                    return self.out.line(format!("octets.0.extend_from_slice(r.take_slice({count} as usize)?);"));
                }
                // Before any memory is asked for.
                self.out.line(format!("r.need({count} as usize * 8)?;"));
                self.out.line(format!("octets.0.resize({count} as usize, 0);"));
                self.begin_apart();
                self.out.line("r.take_octets(&mut octets.0)?;");
                self.end_apart();
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Octets of which so many follow.
    pub(super) fn take_inline(&mut self, count: &str, place: &Place) {
        self.out.line(format!("r.take_inline({count} as usize, &mut {}.0)?;", place.object()));
    }

    fn list(&mut self, id: TypeId, extent: &Extent, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no bits cost nothing, and the interpreter counts them.
        if !matches!(storage, Storage::Inline(_)) && self.properties.node(element).fewest == 0 {
            return self.leave_to_interpreter();
        }
        let count = self.count(extent);
        self.settle();
        let start = phase::join(self.phase(), self.ends.after(self.layout, element, self.phase()));
        self.position = Position::Dynamic(start);
        let (list, item) = (self.variable(), self.variable());
        let element_id = self.types.canonical(element_id);
        self.out.line(format!("let {list} = {};", place.exclusive()));
        match *self.types.repr(element_id) {
            Repr::FixedOctets(octets @ 1..) if self.whole && !matches!(storage, Storage::Inline(_)) => {
                self.elements_of_octets(octets, &list, &count);
            }
            _ if self.types.is_small(element_id) => {
                self.out.line(format!("{list}.clear();"));
                self.out.line(format!("for _ in 0..{count} {{"));
                let new = self.types.begin_element(element_id, storage, &list, item, self.out);
                if new.is_in_list() {
                    self.part(element_id, element, &new.place);
                } else {
                    self.value(element_id, element, &new.place);
                }
                self.settle();
                new.end(self.out);
                self.out.line("}");
            }
            _ => {
                self.begin_in_place(&list, &item, &count);
                self.part(element_id, element, &Place::reference(item));
                self.settle();
                self.out.line("}");
                self.out.line(format!("wire::Places::settle({list}, {count} as usize);"));
            }
        }
        self.position = Position::Dynamic(start);
    }

    /// Elements of so many octets each, at once.
    fn elements_of_octets(&mut self, octets: u64, list: &str, count: &str) {
        let all = self.variable();
        self.out.line(format!("let {all} = r.take_slice(({count} as usize).saturating_mul({octets}))?;"));
        self.out.line(format!("{list}.clear();"));
        let element = format!("one.first_chunk().copied().unwrap_or([0; {octets}])");
        self.out.line(format!("{list}.extend({all}.chunks_exact({octets}).map(|one| {element}));"));
    }

    /// Begins a loop over `count` elements, each in its place, which an earlier message may have filled: they are large.
    fn begin_in_place(&mut self, list: &str, item: &str, count: &str) {
        let at = self.variable();
        self.out.line(format!("for {at} in 0..{count} as usize {{"));
        self.out.line(format!("let {item} = wire::Places::place({list}, {at}).ok_or(wire::Rejected)?;"));
    }

    /// Whether a value is read into a variable first. Among bits, a string that has to be copied keeps its room.
    fn is_local(&self, id: TypeId) -> bool {
        self.whole && self.types.is_flat(id)
    }

    /// Reads a flat value into a variable.
    fn local(&mut self, id: TypeId, node: NodeId) -> String {
        let variable = self.variable();
        let (rust, empty) = (self.types.rust(id).replace("<'a>", "<'_>"), self.types.default_expression(id));
        self.out.line(format!("let mut {variable}: {rust} = {empty};"));
        self.value(id, node, &Place::new(&variable));
        self.settle();
        variable
    }

    /// An optional part or an element: here, or by a function of its own.
    pub(super) fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_function(id) { self.call(id, node, place) } else { self.value(id, node, place) }
    }

    /// By a function of its own; see [`EncodeWriter::call`](crate::packed::encode::EncodeWriter::call).
    pub(super) fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.settle();
        let (function, value) = (part_function(self.types, id, "decode"), place.exclusive());
        let levels = match self.types.reaches_recursion(id) {
            true => format!(", levels - {}", self.depth),
            false => String::new(),
        };
        let tap = match (self.told && self.types.leads_to_tap(id), self.whole) {
            (false, _) => "",
            (true, false) => ", tap",
            (true, true) => ", input, tap",
        };
        if self.whole {
            self.out.line(format!("r = {function}({value}, r{levels}{tap})?;"));
        } else {
            self.begin_apart();
            self.out.line(format!("{function}({value}, &mut r{levels}{tap})?;"));
            self.end_apart();
        }
        self.position = Position::Dynamic(self.ends.after(self.layout, node, self.phase()));
        if !self.out.has_given_up() {
            self.called.push((id, node));
        }
    }

    /// What takes the reader's address does so with a copy, so that the reader itself stays in registers.
    pub(super) fn begin_apart(&mut self) {
        self.out.line("r = {");
        self.out.line("let mut r = r;");
    }

    pub(super) fn end_apart(&mut self) {
        self.out.line("r");
        self.out.line("};");
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Record { extensible, padding, members, .. } = *self.layout.node(node) else {
            return self.leave_to_interpreter();
        };
        let Kind::Sequence { components, .. } = self.types.kind(id) else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        let members = self.layout.members(members).to_vec();
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32;
        // Where it is whole octets, all of it is looked at where it lies.
        let front = u32::from(extensible) + optional + u32::from(padding);
        let bitmap = (self.whole && !self.plain && (1..=u64::BITS).contains(&front)).then(|| self.read(front));
        if extensible {
            let extended = match &bitmap {
                Some(bitmap) => format!("{bitmap} >> {}", front - 1),
                None => self.read(1),
            };
            self.run.refuse_if(format!("({extended} != 0)"));
            self.run.then(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.run.then(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.run.then("}");
            for (component, field) in components.iter().zip(&fields) {
                if component.field != Field::Root {
                    self.run.then(format!("{}.{field} = {};", place.object(), self.types.absent(component)));
                }
            }
        }
        if self.plain {
            return self.plain_members(components, &members, padding, place);
        }
        let mut bits = front - u32::from(extensible);
        let mut presence = Vec::new();
        for member in &members {
            presence.push((member.presence != Presence::Mandatory).then(|| match &bitmap {
                Some(bitmap) => {
                    bits -= 1;
                    Bit { word: bitmap.clone(), mask: Some(1 << bits) }
                }
                None => Bit { word: self.read(1), mask: None },
            }));
        }
        if bitmap.is_none() {
            self.run.field("", padding.into());
        }
        self.members(id, components, &members, &presence, place);
    }

    fn plain_members(&mut self, components: &[Component], members: &[Member], padding: u8, place: &Place) {
        let fields = field_names(components);
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32;
        if optional > 0 {
            for bits in [optional.min(32), optional.saturating_sub(32)].into_iter().filter(|bits| *bits > 0) {
                let there = self.read(bits);
                self.run.refuse_if(format!("({there} != 0)"));
            }
        }
        self.run.field("", padding.into());
        if optional > 0 {
            // At once: the general code should not have to wait.
            self.flush();
        }
        for member in members {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if member.presence == Presence::Mandatory {
                self.value(component.type_id, member.node, &field);
            } else {
                self.run.then(self.types.clear(component, &field));
            }
        }
    }

    /// A component that may be told of.
    fn component(&mut self, part: Option<usize>, value: impl FnOnce(&mut Self)) {
        let Some(part) = part.filter(|_| self.told) else { return value(self) };
        let (input, at) = match self.whole {
            true => ("input", "r.position_in(input)"),
            false => ("r.octets()", "r.position()"),
        };
        self.settle();
        self.out.line(format!("tap.begins({part}, {at});"));
        value(self);
        self.settle();
        self.out.line(format!("tap.ends({part}, {input}, {at});"));
    }

    fn members(
        &mut self,
        id: TypeId,
        components: &[Component],
        members: &[Member],
        presence: &[Option<Bit>],
        place: &Place,
    ) {
        let fields = field_names(components);
        let tail = members.iter().rev().take_while(|member| member.presence != Presence::Mandatory).count();
        let guarded = tail >= GUARDED_MEMBERS;
        for (place_in_order, (member, there)) in members.iter().zip(presence).enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let part = self.types.tap(id, at);
            let Some(there) = there else {
                self.component(part, |decoder| decoder.value(component.type_id, member.node, &field));
                continue;
            };
            self.settle();
            let absent = self.phase();
            if guarded && place_in_order + tail == members.len() {
                self.out.line(format!("if {} == 0 {{", Bit::any(presence[place_in_order..].iter().flatten())));
                for absent in &members[place_in_order..] {
                    let at = absent.component as usize;
                    self.out.line(self.types.clear(&components[at], &place.field(&fields[at])));
                }
                self.out.line("} else {");
            }
            self.out.line(format!("if {} != 0 {{", there.expression()));
            self.component(part, |decoder| decoder.optional(component, member, &field));
            self.out.line("} else {");
            self.out.line(self.types.clear(component, &field));
            self.out.line("}");
            self.position = Position::Dynamic(phase::join(absent, self.phase()));
        }
        if guarded {
            self.out.line("}");
        }
    }

    /// A component that may be absent, and is there.
    fn optional(&mut self, component: &Component, member: &Member, field: &Place) {
        if Types::is_option(component) && self.is_local(component.type_id) {
            let content = self.local(component.type_id, member.node);
            return self.out.line(format!("{} = Some({content});", field.value()));
        }
        let content = self.types.present(component, field, self.out);
        self.part(component.type_id, member.node, &content);
        self.settle();
    }

    pub(super) fn choice(&mut self, id: TypeId, choice: Option<Alternatives>, place: &Place) {
        let Some(Alternatives { alternatives, root, extensible, told }) = choice else {
            return self.leave_to_interpreter();
        };
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        let Some(patterns) = self.patterns(told, root) else { return self.leave_to_interpreter() };
        let index = match told {
            Told::Tag(_) => self.read(8),
            Told::Index(Width::Anywhere(bits)) => self.read(bits + u32::from(extensible)),
            Told::Index(width) => self.root_number(width, extensible, u64::from(root).saturating_sub(1)),
        };
        let first = self.layout.alternatives(alternatives).first().copied().filter(|_| root > 0);
        if let (true, Some(first)) = (self.plain, first) {
            self.run.refuse_if(format!("({index} != {})", patterns[0]));
            self.flush();
            let variant = &variants[first.alternative as usize];
            let content = self.alternative(variant, place);
            return self.value(variant.alternative.type_id, first.node, &content);
        }
        self.flush();
        let before = self.position;
        let mut end: Option<Phase> = None;
        let layout_alternatives = self.layout.alternatives(alternatives).to_vec();
        self.out.line(format!("match {index} {{"));
        for (at, one) in layout_alternatives.iter().enumerate().take(root as usize) {
            let variant = &variants[one.alternative as usize];
            let content_id = variant.alternative.type_id;
            self.position = before;
            self.out.line(format!("{} => {{", patterns[at]));
            if self.is_local(content_id) {
                let content = self.local(content_id, one.node);
                self.types.set_alternative(variant, place, &content, self.out);
            } else {
                let content = self.alternative(variant, place);
                if self.types.has_list(content_id) {
                    self.part(content_id, one.node, &content);
                } else {
                    self.value(content_id, one.node, &content);
                }
                self.settle();
            }
            self.out.line("}");
            end = Some(end.map_or(self.phase(), |other| phase::join(other, self.phase())));
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("}");
        self.position = Position::Dynamic(end.flatten());
    }

    /// Makes a CHOICE hold an alternative, and says where its content is.
    pub(super) fn alternative(&mut self, variant: &Variant<'_>, place: &Place) -> Place {
        let inner = self.types.choose(variant, place, self.out);
        self.out.line(format!("let _ = &{inner};"));
        Place::reference(inner)
    }

    pub(super) fn leave_to_interpreter(&mut self) {
        self.run.clear();
        self.out.give_up();
    }

    pub(super) fn read(&mut self, bits: u32) -> String {
        let variable = self.variable();
        self.run.field(&variable, bits);
        variable
    }

    pub(super) fn flush(&mut self) {
        self.position = self.run.flush(self.position, self.out);
    }

    /// Reads what is pending, and lets the reader know where it is.
    pub(super) fn settle(&mut self) {
        self.flush();
        if let Position::Static { bit, .. } = self.position {
            self.out.line(match self.whole {
                true => format!("r = wire::OctetReader::at(input, {});", bit / 8),
                false => format!("r.advance_to({bit});"),
            });
            self.position = Position::Dynamic(Some(bit % 8));
        }
    }

    pub(super) fn variable(&mut self) -> String {
        self.out.variable()
    }
}
