//! Writes decoders: the interpreter's walk as straight-line source. As in encoding, rare forms are refused and left to the interpreter.

mod record;

use std::collections::HashSet;

use roadwire_layout::{Count, Extent, Form, Layout, LengthForm, Node, NodeId, Properties, Width};
use roadwire_model::TypeId;

use crate::Pdu;
use crate::data::item_names;
use crate::events::codes::Events;
use crate::events::next::CodeToRead;
use crate::open::Keys;
use crate::packed::choice::Alternatives;
use crate::packed::encode::{is_octet, literal};
use crate::packed::phase::{self, Ends, Phase};
use crate::packed::read_run::{Position, ReadRun};
use crate::packed::run::{Place, outside_of_characters};
use crate::packed::{any_octets, has_octets, part_function};
use crate::parts::Variant;
use crate::source::Source;
use crate::types::{Repr, Storage, Types};

pub(crate) struct DecodeWriter<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(crate) properties: &'a Properties,
    ends: &'a Ends,
    pub(crate) merged: &'a HashSet<NodeId>,
    pub(crate) out: &'a mut Source,
    /// Types whose decoder is called, and so must be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    pub(crate) run: ReadRun,
    pub(crate) position: Position,
    /// The next event code, in a stream of events.
    pub(crate) next: CodeToRead,
    /// Only for values without optional parts, in which every CHOICE has its first alternative.
    pub(crate) plain: bool,
    /// Whether all that is read is whole octets; the reader is then an `OctetReader`.
    pub(crate) whole: bool,
    /// How many levels of nesting surround the current part in this function.
    pub(crate) depth: u32,
    /// Whether the variable `tap` is called for parts.
    told: bool,
    /// The components so far that select types of open types.
    pub(crate) keys: Keys,
}

impl<'a, 'm> DecodeWriter<'a, 'm> {
    /// A writer that begins at the reader's position, or at the first bit of a message of at least `least` octets; in a function with or without a tap.
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
            run: ReadRun::new(is_octet(layout)),
            position,
            next: CodeToRead::Done,
            plain: false,
            whole: is_octet(layout),
            depth: 0,
            told,
            keys: Keys::default(),
        }
    }

    /// Writes a function's body: from the reader `r` (and `input`, while positions are known) to `value`.
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

    /// The body that only calls the type's own function.
    pub(crate) fn call_body(&mut self, id: TypeId, node: NodeId) {
        if matches!(self.layout.node(node), Node::Events(_)) {
            // With what surrounds it.
            return self.body(id, node);
        }
        self.call(self.types.canonical(id), node, &Place::reference("value"));
        self.settle();
    }

    pub(crate) fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_recursive(id) || self.types.is_shared(id, self.plain) {
            return self.call(id, node, place);
        }
        self.structure(id, node, place);
    }

    pub(crate) fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
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
            Node::Integer { form, lower, upper } if is_octet(self.layout) => {
                self.integer(id, form, lower, upper, place);
            }
            Node::Numbered { values, .. } => self.numbered(id, values, place),
            Node::Octets { extent } if self.is_counted(&extent) => self.counted_octets(id, &extent, place),
            Node::Octets { extent } => self.octets(id, &extent, place),
            Node::Characters { extent, characters } => {
                if !matches!(self.types.repr(id), Repr::Text(_) | Repr::String) {
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
                    "let character = wire::rt::packed::take_character(&mut {reader}, {}, {}, &{alphabet:?})?;",
                    characters.bits, characters.indexed
                ));
                self.push_character(id);
                self.out.line("}");
                self.end_apart();
            }
            Node::Text { utf8: true, lower, upper, .. } if is_octet(self.layout) => {
                self.counted_text(id, lower, upper, place);
            }
            Node::Text { utf8: true, lower, upper, .. }
                if matches!(self.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText) =>
            {
                self.begin_determinant();
                self.settle();
                let count = self.variable();
                self.out.line(format!("let {count} = wire::rt::packed::take_count(&mut r)?;"));
                self.begin_apart();
                match self.types.repr(id) {
                    Repr::LentText => self.out.line(format!("{}.take(&mut r, {count})?;", place.object())),
                    Repr::String => self
                        .out
                        .line(format!("wire::rt::packed::take_string(&mut r, {count}, {})?;", place.exclusive())),
                    _ => {
                        self.out.line(format!("wire::rt::packed::take_text(&mut r, {count}, {})?;", place.exclusive()))
                    }
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
            Node::Events(ref event) => self.event(id, event, place),
            Node::Scope { record, slots } if has_octets(self.layout) => {
                self.keys.enter(self.layout, slots);
                self.content(id, record, place);
            }
            Node::Key { node, .. } if has_octets(self.layout) => self.content(id, node, place),
            Node::Open | Node::Table { .. } if self.types.is_open(id) => self.open_type(id, node, place),
            Node::Open | Node::Table { .. } | Node::Oid { .. } => match any_octets(self.layout, node) {
                Some(extent) if self.is_counted(&extent) => self.counted_octets(id, &extent, place),
                Some(extent) => self.octets(id, &extent, place),
                None => self.leave_to_interpreter(),
            },
            _ => self.leave_to_interpreter(),
        }
    }

    pub(crate) fn push_character(&mut self, id: TypeId) {
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

    /// Aligns to the next octet border.
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

    /// Aligns to the start of the units after their count.
    pub(crate) fn begin_units(&mut self, extent: &Extent, count: &str) {
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

    /// Aligns to the start of a length determinant.
    pub(crate) fn begin_determinant(&mut self) {
        if self.layout.length_form == LengthForm::Aligned {
            self.align();
        }
    }

    /// The position of the next bit in its octet, if known.
    pub(crate) fn phase(&self) -> Phase {
        phase::advance(self.position.phase(), self.run.bits())
    }

    fn enumerated(&mut self, id: TypeId, width: Width, root: u32, extensible: bool, ordinals: &[u32], place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let items = item_names(enumerators);
        let variable = match width {
            // With an extension marker, the bit in front must be 0: any addition gives an index above the root's.
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

    /// Reads a number after an extension bit, which must be 0.
    fn root_number(&mut self, width: Width, extensible: bool, most: u64) -> String {
        if extensible {
            let extended = self.read(1);
            self.run.refuse_if(format!("({extended} != 0)"));
        }
        self.number(width, most)
    }

    /// Reads a count in the root, and returns its expression.
    pub(crate) fn count(&mut self, extent: &Extent) -> String {
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
            Repr::BitWord | Repr::BitString if extent.count == Count::InOctets => self.counted_word(id, extent, place),
            Repr::BitWord if self.whole && extent.count == Count::Fixed => {
                let (bits, variable) = (extent.lower, self.read(extent.lower as u32));
                self.run.then(format!("{} = wire::BitWord {{ value: {variable}, bits: {bits} }};", place.value()));
            }
            Repr::BitWord | Repr::BitString if extent.upper <= 64 && extent.count != Count::Determinant => {
                let count = self.count(extent);
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(None);
                self.out.line(format!("let bits = {count} as u32;"));
                let word = "wire::BitWord { value: r.take_wide(bits)?, bits: bits as u8 }";
                self.out.line(match self.types.repr(id) {
                    Repr::BitString => format!("{}.set_word({word});", place.object()),
                    _ => format!("{} = {word};", place.value()),
                });
            }
            Repr::BitString if !self.whole => {
                let count = self.count(extent);
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(None);
                self.begin_apart();
                let bits = place.exclusive();
                self.out.line(format!("wire::rt::packed::take_bit_string(&mut r, {count} as usize, {bits})?;"));
                self.end_apart();
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
            Repr::LentOctets | Repr::OctetString | Repr::Oid => {
                let count = self.count(extent);
                let end = phase::after_units(extent, 8, self.phase());
                self.begin_units(extent, &count);
                self.settle();
                self.position = Position::Dynamic(end);
                self.octets_of_any_length(id, &count, place);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Reads `count` octets into a string on the heap, or borrows them.
    pub(crate) fn octets_of_any_length(&mut self, id: TypeId, count: &str, place: &Place) {
        if *self.types.repr(id) == Repr::LentOctets {
            if self.whole {
                let octets = format!("r.take_slice({count} as usize)?");
                return self.out.line(format!("{} = wire::LentOctets::new({octets});", place.value()));
            }
            self.begin_apart();
            self.out.line(format!("{}.take(&mut r, {count} as usize)?;", place.object()));
            return self.end_apart();
        }
        self.out.line(format!("let octets = {};", place.exclusive()));
        self.out.line("octets.0.clear();");
        if self.whole {
            return self.out.line(format!("octets.0.extend_from_slice(r.take_slice({count} as usize)?);"));
        }
        // Before any memory is allocated.
        self.out.line(format!("r.need({count} as usize * 8)?;"));
        self.out.line(format!("octets.0.resize({count} as usize, 0);"));
        self.begin_apart();
        self.out.line("r.take_octets(&mut octets.0)?;");
        self.end_apart();
        if *self.types.repr(id) == Repr::Oid {
            self.out.refuse_if("!wire::rt::is_oid(&octets.0)");
        }
    }

    /// Reads `count` octets.
    pub(crate) fn take_inline(&mut self, count: &str, place: &Place) {
        self.out.line(format!("r.take_inline({count} as usize, &mut {}.0)?;", place.object()));
    }

    fn list(&mut self, id: TypeId, extent: &Extent, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no bits cost an attacker nothing; the interpreter counts them.
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
                self.out.line(format!("wire::rt::Places::settle({list}, {count} as usize);"));
            }
        }
        self.position = Position::Dynamic(start);
    }

    /// Reads all elements of `octets` octets each at once.
    fn elements_of_octets(&mut self, octets: u64, list: &str, count: &str) {
        let all = self.variable();
        self.out.line(format!("let {all} = r.take_slice(({count} as usize).saturating_mul({octets}))?;"));
        self.out.line(format!("{list}.clear();"));
        let element = format!("one.first_chunk().copied().unwrap_or([0; {octets}])");
        self.out.line(format!("{list}.extend({all}.chunks_exact({octets}).map(|one| {element}));"));
    }

    /// Begins a loop over `count` elements, which are large and are decoded in place, possibly over those of an earlier message.
    fn begin_in_place(&mut self, list: &str, item: &str, count: &str) {
        let at = self.variable();
        self.out.line(format!("for {at} in 0..{count} as usize {{"));
        self.out.line(format!("let {item} = wire::rt::Places::place({list}, {at}).ok_or(wire::Rejected)?;"));
    }

    /// Whether a value is read into a variable first. Not in bit encodings, where a string that must be copied reuses its memory.
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

    /// An optional part or an element: inline, or by a separate function.
    pub(crate) fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_function(id) { self.call(id, node, place) } else { self.value(id, node, place) }
    }

    /// Calls a separate function; see [`EncodeWriter::call`](crate::packed::encode::EncodeWriter::call).
    pub(crate) fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
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

    /// Begins code that takes the reader's address, with a copy, so that the reader itself stays in registers.
    pub(crate) fn begin_apart(&mut self) {
        self.out.line("r = {");
        self.out.line("let mut r = r;");
    }

    pub(crate) fn end_apart(&mut self) {
        self.out.line("r");
        self.out.line("};");
    }

    /// Makes a CHOICE hold an alternative, and returns the place of its content.
    pub(crate) fn alternative(&mut self, variant: &Variant<'_>, place: &Place) -> Place {
        let inner = self.types.choose(variant, place, self.out);
        self.out.line(format!("let _ = &{inner};"));
        Place::reference(inner)
    }

    pub(crate) fn leave_to_interpreter(&mut self) {
        self.run.clear();
        self.out.give_up();
    }

    pub(crate) fn read(&mut self, bits: u32) -> String {
        let variable = self.variable();
        self.run.field(&variable, bits);
        variable
    }

    pub(crate) fn flush(&mut self) {
        self.position = self.run.flush(self.position, self.out);
    }

    /// Reads what is pending, and updates the reader's position.
    pub(crate) fn settle(&mut self) {
        self.flush();
        if let Position::Static { bit, .. } = self.position {
            self.out.line(match self.whole {
                true => format!("r = wire::rt::OctetReader::at(input, {});", bit / 8),
                false => format!("r.advance_to({bit});"),
            });
            self.position = Position::Dynamic(Some(bit % 8));
        }
    }

    pub(crate) fn variable(&mut self) -> String {
        self.out.variable()
    }
}
