//! Writes encoders: the interpreter's walk as straight-line source. Rare forms (values outside an extensible root, extension additions, parts of 16K units or more)
//! are refused, and the interpreter takes the message over.

use std::collections::HashSet;

use roadwire_layout::{Count, Extent, Form, Layout, LengthForm, Member, Node, NodeId, Presence, Width};
use roadwire_model::{Component, Kind, TypeId};

use crate::Pdu;
use crate::data::{field_names, item_names};
use crate::events::codes::Events;
use crate::events::next::CodeToWrite;
use crate::open::Keys;
use crate::packed::choice::{Alternatives, Told};
use crate::packed::phase::{self, Ends, Phase};
use crate::packed::run::{Place, WriteRun, outside_of_characters};
use crate::packed::{any_octets, has_octets, part_function};
use crate::parts::Variant;
use crate::source::Source;
use crate::types::{Repr, Types, bounds};

/// From this many optional members at the end of a record on, one test first checks whether all are absent.
pub(crate) const GUARDED_MEMBERS: usize = 3;

pub(crate) struct EncodeWriter<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    ends: &'a Ends,
    pub(crate) merged: &'a HashSet<NodeId>,
    pub(crate) out: &'a mut Source,
    /// Types whose encoder is called, and so must be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    pub(crate) run: WriteRun,
    /// The next event code, in a stream of events.
    pub(crate) next: CodeToWrite,
    /// Only for values without optional parts, in which every CHOICE has its first alternative.
    pub(crate) plain: bool,
    /// How many levels of nesting surround the current part in this function.
    pub(crate) depth: u32,
    /// Whether the variable `tap` is called for parts.
    told: bool,
    /// The components so far that select types of open types.
    pub(crate) keys: Keys,
}

impl<'a, 'm> EncodeWriter<'a, 'm> {
    /// A writer that begins at bit `start` of an octet; in a function with or without a tap.
    pub(crate) fn new(pdu: &'a Pdu<'a, 'm>, out: &'a mut Source, start: Phase, told: bool) -> Self {
        let (types, layout) = (pdu.types, &pdu.layout);
        out.begin_body();
        let run = WriteRun::new(start, is_octet(layout));
        let next = CodeToWrite::Constant(0, 0);
        EncodeWriter {
            types,
            layout,
            ends: &pdu.ends,
            merged: &pdu.merged,
            out,
            called: Vec::new(),
            run,
            next,
            plain: false,
            depth: 0,
            told,
            keys: Keys::default(),
        }
    }

    /// Writes a function's body: from `value` to the writer `w`.
    pub(crate) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
        self.happen();
        self.flush(false);
    }

    /// The same for plain values only: those without optional parts, in which every CHOICE has its first alternative. All fields are then at fixed
    /// places, and only bounds are checked.
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
        self.flush(false);
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
                let ones = if bits == 1 { String::new() } else { format!(" * {}", (1u64 << bits) - 1) };
                self.run.field(format!("u64::from({}){ones}", place.value()), bits.into());
            }
            Node::Word { width, form, lower, upper } => self.word(id, width, form, lower, upper, place),
            Node::Enumerated { width, root, additions, ordinals, .. } => {
                let ordinals = self.layout.numbers(ordinals).to_vec();
                self.enumerated(id, width, root, additions.is_some(), &ordinals, place);
            }
            Node::Extension { root, .. } => match *self.layout.node(root) {
                Node::Word { width, form, lower, upper } => {
                    self.run.field("0", 1);
                    self.word(id, width, form, lower, upper, place);
                }
                _ => self.leave_to_interpreter(),
            },
            Node::Bits { extent, trim, whole } => {
                self.bits(id, &extent, trim, place);
                if whole && extent.count == Count::Fixed {
                    self.run.field("0", phase::padding(extent.lower) as u32);
                }
            }
            Node::Integer { form, lower, upper } if is_octet(self.layout) => {
                self.integer(id, form, lower, upper, place);
            }
            Node::Numbered { values, extensible, .. } => self.numbered(id, values, extensible, place),
            Node::Octets { extent } if self.is_counted(&extent) => self.counted_octets(id, &extent, place),
            Node::Octets { extent } => self.octets(id, &extent, place),
            Node::Characters { extent, characters } => {
                if !matches!(self.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText) {
                    return self.leave_to_interpreter();
                }
                let count = self.variable();
                self.run.before(format!("let {count} = {}.chars().count() as u64;", place.object()));
                if extent.count == Count::InOctets {
                    self.length_of(&extent, &count, characters.bits);
                } else {
                    self.count(&extent, &count);
                }
                let end = phase::after_units(&extent, characters.bits.into(), self.run.phase());
                self.begin_units(&extent, &count);
                self.flush(false);
                let alphabet = self.layout.numbers(characters.alphabet);
                self.apart(format!(
                    "wire::rt::packed::put_characters(&mut w, &{}, {}, {}, &{alphabet:?})?;",
                    place.object(),
                    characters.bits,
                    characters.indexed
                ));
                if is_octet(self.layout) {
                    self.out.line("w.flush()?;");
                }
                self.run.restart(end);
            }
            Node::Text { utf8: true, lower, upper, .. } if is_octet(self.layout) => {
                self.counted_text(id, lower, upper, place);
            }
            Node::Text { utf8: true, lower, upper, .. } => {
                if let Some(outside) = outside_of_characters(lower, upper, place) {
                    self.run.refuse_if(format!("({outside})"));
                }
                self.begin_determinant();
                self.flush(false);
                self.apart(format!("wire::rt::packed::put_text(&mut w, &{})?;", place.object()));
            }
            Node::Integer { form, lower, upper } => self.determined_integer(id, form, (lower, upper), place),
            Node::List { .. } | Node::Record { .. } | Node::Choice { .. } => {
                self.depth += 1;
                match *self.layout.node(node) {
                    Node::List { extent, element, sorted } => self.list(id, &extent, element, sorted, place),
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

    fn word(&mut self, id: TypeId, width: Width, form: Form, lower: i128, upper: i128, place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        let variable = self.variable();
        let value = place.value();
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        // Modulo 2^64; a value below the lower bound becomes a large offset.
        let offset = if lower == 0 { String::new() } else { format!(".wrapping_sub({} as u64)", literal(lower)) };
        let widened = if *rust == "u64" { value } else { format!("({value}) as u64") };
        let widened = if offset.is_empty() { widened } else { format!("({widened})") };
        self.run.before(format!("let {variable} = {widened}{offset};"));
        let range = upper.saturating_sub(lower);
        if !holds_only(rust, lower, upper) {
            self.run.refuse_if(format!("({variable} > {range})"));
        }
        match (form, width) {
            (Form::Signed, Width::Anywhere(bits @ (8 | 16 | 32))) => {
                self.run.field(format!("u64::from(({}) as u{bits})", place.value()), bits);
            }
            (Form::Unsigned | Form::Signed, _) if lower != 0 => {
                self.number(format!("(({}) as u64)", place.value()), width, u64::MAX)
            }
            _ => self.number(variable, width, range as u64),
        }
    }

    /// A number of at most `most`.
    fn number(&mut self, value: String, width: Width, most: u64) {
        match width {
            Width::Anywhere(bits) => self.run.field(value, bits),
            Width::Aligned(bits) => {
                self.run.align(self.out);
                self.run.field(value, bits);
            }
            Width::Counted { bits, aligned } => {
                if aligned {
                    self.run.align(self.out);
                }
                let octets = self.variable();
                self.run.before(format!("let {octets} = ({value} as u64 | 1).ilog2() / 8;"));
                self.run.field(format!("u64::from({octets})"), bits.into());
                self.run.align(self.out);
                self.run.octets(value, format!("({octets} * 8 + 8)"), (most | 1).ilog2() / 8 * 8 + 8);
            }
        }
    }

    /// A number after an extension bit that is 0.
    fn root_number(&mut self, value: String, width: Width, extensible: bool, most: u64) {
        match width {
            Width::Anywhere(bits) => self.run.field(value, bits + u32::from(extensible)),
            _ => {
                self.run.field("0", u32::from(extensible));
                self.number(value, width, most);
            }
        }
    }

    /// Aligns to the start of the units after their count.
    pub(crate) fn begin_units(&mut self, extent: &Extent, count: &str) {
        if !extent.aligned || self.run.phase() == Some(0) {
            return;
        }
        if extent.lower > 0 {
            return self.run.align(self.out);
        }
        self.flush(false);
        self.out.line(format!("if {count} > 0 {{"));
        self.out.line("w.align()?;");
        self.out.line("}");
    }

    /// Aligns to the start of a length determinant.
    pub(crate) fn begin_determinant(&mut self) {
        if self.layout.length_form == LengthForm::Aligned {
            self.run.align(self.out);
        }
    }

    fn enumerated(&mut self, id: TypeId, width: Width, root: u32, extensible: bool, ordinals: &[u32], place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let items = item_names(enumerators);
        let variable = self.variable();
        let others = extensible || enumerators.extensible || items.len() > root as usize;
        if !others && ordinals.is_empty() {
            self.run.before(format!("let {variable} = {} as u64;", place.value()));
        } else {
            // Without an early return, so that it compiles to the discriminant itself where possible.
            let mut arms = format!("let {variable} = match {} {{ ", place.value());
            for (ordinal, item) in items.iter().enumerate() {
                let index = ordinals.iter().position(|other| *other as usize == ordinal).unwrap_or(ordinal);
                arms += &format!("{name}::{item} => {index}u64, ");
            }
            if enumerators.extensible {
                arms += &format!("{name}::UnknownAddition(_) => {}, ", items.len());
            }
            self.run.before(arms + "};");
            if others {
                self.run.refuse_if(format!("({variable} >= {root})"));
            }
        }
        self.root_number(variable, width, extensible, u64::from(root) - 1);
    }

    /// Writes a count in the root; the run refuses a count outside it.
    pub(crate) fn count(&mut self, extent: &Extent, count: &str) {
        if extent.extensible {
            self.run.field("0", 1);
        }
        match extent.count {
            Count::Fixed => self.run.refuse_if(format!("({count} != {})", extent.lower)),
            Count::Field(width) => {
                let offset = self.variable();
                self.run.before(format!("let {offset} = {count}.wrapping_sub({});", extent.lower));
                self.run.refuse_if(format!("({offset} > {})", extent.upper - extent.lower));
                self.number(offset, width, extent.upper - extent.lower);
            }
            Count::Quantity => self.quantity(extent, count),
            Count::Determinant => self.determinant(extent, count),
            Count::InOctets => self.leave_to_interpreter(),
        }
    }

    fn bits(&mut self, id: TypeId, extent: &Extent, trim: Option<u64>, place: &Place) {
        match self.types.repr(id) {
            Repr::BitFlags { bits, .. } if extent.count == Count::Fixed => {
                let variable = self.variable();
                self.run.before(format!("let {variable} = u64::from({}.0);", place.object()));
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    self.run.refuse_if(format!("({variable} >> {bits} != 0)"));
                }
                self.begin_units(extent, "1");
                self.run.field(variable, u32::from(*bits));
            }
            Repr::BitWord => self.word_of_bits(extent, trim, place),
            Repr::BitString if extent.count == Count::InOctets && trim.is_none() => self.counted_bits(extent, place),
            Repr::BitString if extent.count == Count::InOctets || extent.upper <= 64 => {
                let word = self.variable();
                let bits = format!("{}.to_word()", place.object());
                self.run.before(format!("let Some({word}) = {bits} else {{ return Err(wire::Rejected) }};"));
                self.word_of_bits(extent, trim, &Place::new(word));
            }
            Repr::BitString if trim.is_none() && !is_octet(self.layout) => {
                let count = self.variable();
                self.run.before(format!("let {count} = {}.len() as u64;", place.object()));
                self.count(extent, &count);
                self.begin_units(extent, &count);
                self.flush(false);
                self.apart(format!("w.put_bits({}.octets(), {count} as usize)?;", place.object()));
                self.run.restart(None);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Up to 64 bits. Those of named bits that are to be removed, or to be added, are left to the interpreter.
    fn word_of_bits(&mut self, extent: &Extent, trim: Option<u64>, place: &Place) {
        if let Some(least) = trim {
            let bits = format!("u64::from({}.bits)", place.object());
            let ends = format!("{bits} > {least} && {}.value & 1 == 1", place.object());
            self.run.refuse_if(format!("!({bits} == {least} || {ends})"));
        }
        match extent.count {
            Count::InOctets => self.counted_word(extent, place),
            Count::Fixed if !extent.extensible => {
                self.count(extent, &format!("u64::from({}.bits)", place.object()));
                self.begin_units(extent, "1");
                self.run.field(format!("{}.masked()", place.object()), extent.lower as u32);
            }
            Count::Determinant => self.leave_to_interpreter(),
            _ => {
                let count = self.variable();
                self.run.before(format!("let {count} = u64::from({}.bits);", place.object()));
                self.count(extent, &count);
                self.begin_units(extent, &count);
                self.flush(false);
                self.out.line(format!("w.put_wide({0}.masked(), u32::from({0}.bits))?;", place.object()));
                self.run.restart(None);
            }
        }
    }

    pub(crate) fn octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match self.types.repr(id) {
            Repr::FixedOctets(count @ 1..=7) => {
                let parts: Vec<String> = (0..*count)
                    .map(|at| format!("u64::from({}[{at}]) << {}", place.object(), (count - 1 - at) * 8))
                    .collect();
                let variable = self.variable();
                self.run.before(format!("let {variable} = {};", parts.join(" | ")));
                let bits = *count as u32 * 8;
                self.begin_units(extent, "1");
                self.run.field(variable, bits);
            }
            Repr::FixedOctets(_) => {
                self.begin_units(extent, "1");
                self.flush(false);
                self.out.line(format!("w.{}({})?;", self.put("array"), place.shared()));
            }
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets | Repr::Oid => {
                let count = self.variable();
                self.run.before(format!("let {count} = {}.0.len() as u64;", place.object()));
                self.count(extent, &count);
                let end = phase::after_units(extent, 8, self.run.phase());
                self.begin_units(extent, &count);
                self.flush(false);
                self.put_string(id, place);
                self.run.restart(end);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Octets without a length.
    pub(crate) fn put_string(&mut self, id: TypeId, place: &Place) {
        if matches!(self.types.repr(id), Repr::Octets(_)) {
            self.out.line(format!("w.{}(&{}.0)?;", self.put("inline"), place.object()));
        } else {
            self.apart(format!("w.{}(&{}.0)?;", self.put("octets"), place.object()));
        }
    }

    /// The writer's method for octets.
    pub(crate) fn put(&self, kind: &str) -> String {
        format!("put_{}{kind}", if is_octet(self.layout) { "whole_" } else { "" })
    }

    fn list(&mut self, id: TypeId, extent: &Extent, element: NodeId, sorted: bool, place: &Place) {
        let Repr::List { element: element_id, .. } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        let count = self.variable();
        self.run.before(format!("let {count} = {}.len() as u64;", place.object()));
        if sorted {
            // Sorting elements is left to the interpreter.
            self.run.refuse_if(format!("({count} > 1)"));
        }
        self.count(extent, &count);
        self.flush(false);
        let start = phase::join(self.run.phase(), self.ends.after(self.layout, element, self.run.phase()));
        self.run.restart(start);
        let item = self.variable();
        self.out.line(format!("for {item} in {} {{", place.shared()));
        self.part(element_id, element, &Place::reference(item));
        self.flush(false);
        self.out.line("}");
        self.run.restart(start);
    }

    /// An optional part or an element: inline, or by a separate function.
    pub(crate) fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_function(id) { self.call(id, node, place) } else { self.value(id, node, place) }
    }

    /// Calls a separate function; a recursive one has a parameter for the remaining levels.
    pub(crate) fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.flush(false);
        let (function, value) = (part_function(self.types, id, "encode"), place.shared());
        let tap = if self.told && self.types.leads_to_tap(id) { ", tap" } else { "" };
        self.apart(match self.types.reaches_recursion(id) {
            true => format!("{function}({value}, &mut w, levels - {}{tap})?;", self.depth),
            false => format!("{function}({value}, &mut w{tap})?;"),
        });
        self.run.restart(self.ends.after(self.layout, node, self.run.phase()));
        if !self.out.has_given_up() {
            self.called.push((id, node));
        }
    }

    /// A call that takes the writer's address, with a copy, so that the writer itself stays in registers.
    pub(crate) fn apart(&mut self, call: String) {
        self.out.line("w = {");
        self.out.line("let mut w = w;");
        self.out.line(call);
        self.out.line("w");
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
        self.refuse_rare(components, extensible, place);
        if extensible {
            for (component, field) in components.iter().zip(&fields) {
                if component.field != roadwire_model::Field::Root {
                    let there = self.types.sent(component, &place.field(field));
                    self.run.refuse_if(there);
                }
            }
            self.run.field("0", 1);
        }
        let members = self.layout.members(members).to_vec();
        if self.plain {
            return self.plain_members(components, &members, padding, place);
        }
        let mut optional = Vec::new();
        for member in members.iter().filter(|member| member.presence != Presence::Mandatory) {
            let at = member.component as usize;
            let sent = self.types.sent(&components[at], &place.field(&fields[at]));
            self.run.field(format!("u64::from({sent})"), 1);
            optional.push(sent);
        }
        self.run.field("0", padding.into());
        self.members(id, components, &members, &optional, place);
    }

    /// Refuses rare forms of a record.
    pub(crate) fn refuse_rare(&mut self, components: &[Component], extensible: bool, place: &Place) {
        if components.iter().any(|component| self.types.has_named_bits_default(component)) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            self.leave_to_interpreter();
        }
        if extensible {
            self.run.refuse_if(format!("!{}.unknown.is_empty()", place.object()));
        }
    }

    fn plain_members(&mut self, components: &[Component], members: &[Member], padding: u8, place: &Place) {
        let fields = field_names(components);
        let optional: Vec<String> = members
            .iter()
            .filter(|member| member.presence != Presence::Mandatory)
            .map(|member| member.component as usize)
            .map(|at| self.types.sent(&components[at], &place.field(&fields[at])))
            .collect();
        if !optional.is_empty() {
            self.out.line(format!("if {} {{", optional.join(" || ")));
            self.out.line("return Err(wire::Rejected);");
            self.out.line("}");
            optional.iter().for_each(|_| self.run.field("0", 1));
        }
        self.run.field("0", padding.into());
        for member in members {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if member.presence == Presence::Mandatory {
                self.value(component.type_id, member.node, &field);
            }
            self.keys.pass(self.types, self.layout, component, member.node, &field);
        }
    }

    /// A component that may be tapped.
    fn component(&mut self, part: Option<usize>, value: impl FnOnce(&mut Self)) {
        let Some(part) = part.filter(|_| self.told) else { return value(self) };
        self.flush(false);
        self.out.line(format!("tap.begins({part}, w.position());"));
        value(self);
        self.flush(false);
        self.out.line("if tap.is_active() {");
        self.apart("w.flush()?;".into());
        self.out.line("}");
        self.out.line(format!("tap.ends({part}, w.output(), w.position());"));
    }

    fn members(
        &mut self,
        id: TypeId,
        components: &[Component],
        members: &[Member],
        optional: &[String],
        place: &Place,
    ) {
        let fields = field_names(components);
        // A single test shows that all of the last members are absent.
        let tail = members.iter().rev().take_while(|member| member.presence != Presence::Mandatory).count();
        let guarded = tail >= GUARDED_MEMBERS;
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let part = self.types.tap(id, at);
            if member.presence == Presence::Mandatory {
                self.component(part, |encoder| encoder.value(component.type_id, member.node, &field));
                self.keys.pass(self.types, self.layout, component, member.node, &field);
                continue;
            }
            self.flush(false);
            let absent = self.run.phase();
            if guarded && place_in_order + tail == members.len() {
                self.out.line(format!("if {} {{", optional[optional.len() - tail..].join(" | ")));
            }
            let content = self.types.if_sent(component, &field, self.out);
            self.component(part, |encoder| encoder.part(component.type_id, member.node, &content));
            self.flush(false);
            self.out.line("}");
            self.run.restart(phase::join(absent, self.run.phase()));
            self.keys.pass(self.types, self.layout, component, member.node, &field);
        }
        if guarded {
            self.out.line("}");
        }
    }

    pub(crate) fn choice(&mut self, id: TypeId, choice: Option<Alternatives>, place: &Place) {
        let Some(Alternatives { alternatives, root, extensible, told }) = choice else {
            return self.leave_to_interpreter();
        };
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        if let (true, Some(first)) = (self.plain, self.layout.alternatives(alternatives).first().filter(|_| root > 0)) {
            let variant = &variants[first.alternative as usize];
            let content = Place::reference(variant.bind(&place.shared(), self.out));
            self.tell(told, 0, extensible, root);
            return self.value(variant.alternative.type_id, first.node, &content);
        }
        // The rest of the run continues inside each alternative.
        self.flush(true);
        let before = self.run.clone();
        let mut end: Option<Phase> = None;
        let layout_alternatives = self.layout.alternatives(alternatives).to_vec();
        self.out.line(format!("match {} {{", place.shared()));
        for (index, one) in layout_alternatives.iter().enumerate().take(root as usize) {
            let Variant { path, alternative, .. } = &variants[one.alternative as usize];
            let inner = self.variable();
            self.run = before.clone();
            self.out.line(format!("{path}({inner}) => {{"));
            self.out.line(format!("let _ = {inner};"));
            self.tell(told, index, extensible, root);
            if self.types.has_list(alternative.type_id) {
                self.part(alternative.type_id, one.node, &Place::reference(inner));
            } else {
                self.value(alternative.type_id, one.node, &Place::reference(inner));
            }
            self.flush(false);
            self.out.line("}");
            end = Some(end.map_or(self.run.phase(), |other| phase::join(other, self.run.phase())));
        }
        if extensible || layout_alternatives.len() > root as usize {
            self.out.line("_ => return Err(wire::Rejected),");
        }
        self.out.line("}");
        self.run.restart(end.flatten());
    }

    /// Writes the index or tag of the alternative.
    fn tell(&mut self, told: Told, index: usize, extensible: bool, root: u32) {
        match told {
            Told::Index(width) => {
                self.root_number(index.to_string(), width, extensible, u64::from(root).saturating_sub(1))
            }
            Told::Tag(tags) => self.tag(tags, index),
        }
    }

    pub(crate) fn leave_to_interpreter(&mut self) {
        self.run.clear();
        self.out.give_up();
    }

    pub(crate) fn flush(&mut self, keep: bool) {
        self.run.flush(keep, self.out);
    }

    pub(crate) fn variable(&mut self) -> String {
        self.out.variable()
    }
}

/// Whether the rules are OER, under which everything is whole octets: no bits wait.
pub(crate) fn is_octet(layout: &Layout) -> bool {
    layout.rules.family() == roadwire_layout::Family::Octet
}

/// A number as a literal of type `i64` or `u64`.
pub(crate) fn literal(value: i128) -> String {
    if i64::try_from(value).is_ok() { format!("({value}i64)") } else { format!("{value}u64") }
}

/// Whether the primitive type holds these values and no others.
pub(crate) fn holds_only(rust: &str, lower: i128, upper: i128) -> bool {
    (lower, upper) == bounds(rust)
}
