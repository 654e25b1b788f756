//! Writes decoders: what the encoders write is read forward; any other form is refused and left to the interpreter.

use roadwire_layout::{Contents, Layout, Member, Node, NodeId, Order, Presence};
use roadwire_model::{Component, Field, Kind, Presence as ModelPresence, TypeId};

use crate::data::{alternative_names, constant, field_names, item_names};
use crate::packed::run::Place;
use crate::source::Source;
use crate::tagged::{identifier_octet, item_numbers, octets_of, outside};
use crate::types::{INLINE_LEAVES, Repr, Storage, Types};

pub(crate) struct DecodeWriter<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    out: &'a mut Source,
    /// Types whose decoder is called and so has to be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    /// Whether what is around has an indefinite length; otherwise its end is in the variable `end`.
    indefinite: bool,
    variables: usize,
}

impl<'a, 'm> DecodeWriter<'a, 'm> {
    pub(crate) fn new(types: &'a Types<'m>, layout: &'a Layout, out: &'a mut Source, indefinite: bool) -> Self {
        DecodeWriter { types, layout, out, called: Vec::new(), indefinite, variables: 0 }
    }

    /// Writes a function's body: from `input` at octet `at`, up to octet `end`, to `value`.
    pub(crate) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_recursive(id) {
            // The interpreter counts the levels.
            return self.leave_to_interpreter();
        }
        self.structure(id, node, place);
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.layout.node(node) {
            Node::Tagged { identifier, contents, indefinite } => {
                let Some(tag) = identifier_octet(identifier) else { return self.leave_to_interpreter() };
                if let Node::Contents(leaf) = *self.layout.node(contents) {
                    return self.leaf(id, tag, &leaf, place);
                }
                if indefinite {
                    self.out.line(format!("at = wire::tlv::expect(input, at, [{tag}, 0x80])?;"));
                    self.inner(id, contents, place);
                    self.out.line("at = wire::tlv::expect(input, at, [0, 0])?;");
                    return;
                }
                let inside = self.variable();
                self.out.line("at = {");
                self.out.line(format!("let (mut at, {inside}) = wire::tlv::open(input, at, {tag})?;"));
                self.out.line(format!("let end = {inside};"));
                self.inner(id, contents, place);
                self.refuse_if("at != end");
                self.out.line("at");
                self.out.line("};");
            }
            Node::TaggedRecord { .. } => self.record(id, node, place),
            Node::TaggedChoice { .. } => self.choice(id, node, place),
            Node::TaggedList { .. } => self.list(id, node, place),
            _ => self.leave_to_interpreter(),
        }
    }

    /// What is in a constructed value: here, or by a function of its own.
    fn inner(&mut self, id: TypeId, contents: NodeId, place: &Place) {
        if self.types.is_function(id) && !matches!(self.layout.node(contents), Node::Tagged { .. }) {
            let function = super::function(self.types, id, "decode");
            self.out.line(format!("at = {function}({}, input, at, end)?;", place.exclusive()));
            self.called.push((id, contents));
        } else {
            self.structure(id, contents, place);
        }
    }

    fn leaf(&mut self, id: TypeId, tag: u8, leaf: &Contents, place: &Place) {
        match *leaf {
            Contents::Null => self.out.line(format!("at = wire::tlv::expect(input, at, [{tag}, 0])?;")),
            Contents::Boolean => {
                let octet = self.one_octet(tag);
                self.out.line(format!("{} = {octet} != 0;", place.value()));
            }
            Contents::Integer { lower, upper } => {
                let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
                if *rust == "i128" {
                    return self.leave_to_interpreter();
                }
                let rust = *rust;
                let number = self.number(tag, lower, upper);
                self.out.line(format!("{} = {number} as {rust};", place.value()));
            }
            Contents::WideInteger { lower: None, upper: None } => match self.types.repr(id) {
                Repr::Integer("i64") => {
                    let number = self.number(tag, i64::MIN, i64::MAX);
                    self.out.line(format!("{} = {number};", place.value()));
                }
                _ => self.leave_to_interpreter(),
            },
            Contents::Enumerated { values, .. } => self.enumerated(id, tag, &item_numbers(self.layout, values), place),
            Contents::Bits { lower, upper, trim } => self.bits(id, tag, lower, upper, trim, place),
            Contents::Octets { lower, upper } => self.octets(id, tag, lower, upper, place),
            Contents::Utf8 { lower, upper } => {
                let octets = self.string(tag);
                self.out.line(format!(
                    "let Ok({octets}) = core::str::from_utf8({octets}) else {{ return Err(wire::Rejected) }};"
                ));
                self.size(&format!("{octets}.chars().count()"), lower, upper);
                self.text(id, &octets, place);
            }
            Contents::Characters { lower, upper, width: 1, alphabet } => {
                let alphabet = self.layout.numbers(alphabet).to_vec();
                if alphabet.iter().any(|code| *code > 127) {
                    return self.leave_to_interpreter();
                }
                let octets = self.string(tag);
                self.size(&format!("{octets}.len()"), lower, upper);
                self.refuse_if(&format!("!wire::tlv::all_in({octets}, &{alphabet:?})"));
                self.out.line(format!(
                    "let Ok({octets}) = core::str::from_utf8({octets}) else {{ return Err(wire::Rejected) }};"
                ));
                self.text(id, &octets, place);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn text(&mut self, id: TypeId, text: &str, place: &Place) {
        let place = self.bind(place);
        self.out.line(format!("{place}.clear();"));
        match self.types.repr(id) {
            Repr::String => self.out.line(format!("{place}.push_str({text});")),
            Repr::Text(_) => self.refuse_if(&format!("{place}.try_push_str({text}).is_err()")),
            _ => self.leave_to_interpreter(),
        }
    }

    /// The contents of a primitive string, as a variable.
    fn string(&mut self, tag: u8) -> String {
        let (octets, inside) = (self.variable(), self.variable());
        self.out.line(format!("let ({inside}, {octets}) = wire::tlv::open(input, at, {tag})?;"));
        self.out.line(format!("at = {octets};"));
        self.out.line(format!("let Some({octets}) = input.get({inside}..at) else {{ return Err(wire::Rejected) }};"));
        octets
    }

    fn octets(&mut self, id: TypeId, tag: u8, lower: u64, upper: u64, place: &Place) {
        match self.types.repr(id).clone() {
            Repr::FixedOctets(count) => {
                let octets = self.string(tag);
                let place = self.bind(place);
                self.refuse_if(&format!("{octets}.len() != {count}"));
                self.out.line(format!("{place}.copy_from_slice({octets});"));
            }
            Repr::Octets(_) => {
                let octets = self.string(tag);
                let place = self.bind(place);
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{place}.0.clear();"));
                self.refuse_if(&format!("{place}.0.try_extend_from_slice({octets}).is_err()"));
            }
            Repr::OctetString => {
                let octets = self.string(tag);
                let place = self.bind(place);
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{place}.0.clear();"));
                self.out.line(format!("{place}.0.extend_from_slice({octets});"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// The place as a variable that is a reference.
    fn bind(&mut self, place: &Place) -> String {
        let variable = self.variable();
        self.out.line(format!("let {variable} = {};", place.exclusive()));
        variable
    }

    /// A value of one octet, as a variable of type `u64`.
    fn one_octet(&mut self, tag: u8) -> String {
        let octet = self.variable();
        self.out.line(format!("let (mut at_, {octet}) = wire::tlv::one_octet(input, at, {tag})?;"));
        self.out.line("at = at_;");
        octet
    }

    /// A number between bounds, as a variable of type `i64`.
    fn number(&mut self, tag: u8, lower: i64, upper: i64) -> String {
        let number = self.variable();
        let call = match octets_of(lower).max(octets_of(upper)) {
            1 => {
                let octet = self.one_octet(tag);
                self.out.line(format!("let {number} = {octet} as i8 as i64;"));
                None
            }
            most @ 2..=6 => Some(format!("take_number::<{most}>")),
            _ => Some("take_long_number".to_owned()),
        };
        if let Some(call) = call {
            self.out.line(format!("let (at_, {number}) = wire::tlv::{call}(input, at, {tag})?;"));
            self.out.line("at = at_;");
        }
        self.refuse_if(&outside(&number, lower, upper));
        number
    }

    fn enumerated(&mut self, id: TypeId, tag: u8, numbers: &[(i64, u32)], place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else { return self.leave_to_interpreter() };
        let number = self.number(tag, least.0, most.0);
        self.out.line(format!("{} = match {number} {{", place.value()));
        for (number, ordinal) in numbers {
            self.out.line(format!("{number} => {name}::{},", items[*ordinal as usize]));
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("};");
    }

    fn bits(&mut self, id: TypeId, tag: u8, lower: u64, upper: u64, trim: Option<u64>, place: &Place) {
        let least = if trim.is_some() { 0 } else { lower };
        match self.types.repr(id).clone() {
            Repr::BitFlags { name, word, bits } if bits <= 40 => {
                let (flags, count) = self.take_bits(tag, least, upper);
                self.out.line(format!("{} = {name}(({flags} << ({bits} - {count})) as {word});", place.value()));
            }
            Repr::BitWord if upper <= 40 => {
                let (bits, sent) = self.take_bits(tag, least, upper);
                let count = self.variable();
                self.out.line(format!("let {count} = {sent}.max({lower});"));
                let bits = format!("{bits} << ({count} - {sent})");
                self.out.line(format!("{} = wire::BitWord {{ value: {bits}, bits: {count} as u8 }};", place.value()));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn take_bits(&mut self, tag: u8, least: u64, most: u64) -> (String, String) {
        let (bits, count) = (self.variable(), self.variable());
        self.out
            .line(format!("let (at_, {bits}, {count}) = wire::tlv::take_bits(input, at, {tag}, {least}, {most})?;"));
        self.out.line("at = at_;");
        (bits, count)
    }

    fn list(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::TaggedList { lower, upper, element, .. } = *self.layout.node(node) else { return };
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        let element_id = self.types.canonical(element_id);
        let item = self.variable();
        let list = self.bind(place);
        self.out.line(format!("{list}.clear();"));
        let more = if self.indefinite { "input.get(at).is_some_and(|octet| *octet != 0)" } else { "at < end" };
        self.out.line(format!("while {more} {{"));
        let push = |value: &str| match storage {
            Storage::Inline(_) => format!("if {list}.try_push({value}).is_err() {{ return Err(wire::Rejected) }}"),
            _ => format!("{list}.push({value});"),
        };
        if let Storage::Extensible(most) = storage {
            // The interpreter's limits hold for what is longer.
            self.refuse_if(&format!("{list}.len() >= {most}"));
        }
        let empty = self.types.default_expression(element_id);
        if self.types.leaves(element_id) > INLINE_LEAVES || matches!(self.types.repr(element_id), Repr::List { .. }) {
            // In its place, for it is large.
            self.out.line(push(&empty));
            self.out.line(format!("let Some({item}) = {list}.last_mut() else {{ return Err(wire::Rejected) }};"));
            self.value(element_id, element, &Place::reference(item));
        } else {
            self.out.line(format!("let mut {item}: {} = {empty};", self.types.rust(element_id)));
            self.value(element_id, element, &Place::new(item.clone()));
            self.out.line(push(&item));
        }
        self.out.line("}");
        self.size(&format!("{list}.len()"), lower, upper);
    }

    fn size(&mut self, size: &str, lower: u64, upper: u64) {
        if lower > 0 || upper < u64::MAX {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&({size} as u64))"));
        }
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::TaggedRecord { members, additions, order, .. } = *self.layout.node(node) else { return };
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return self.leave_to_interpreter() };
        if matches!(order, Order::SortedByPlace(_) | Order::SortedByValue) {
            return self.leave_to_interpreter();
        }
        let fields = field_names(components);
        if additions.is_some() {
            self.out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.out.line("}");
        }
        let members = self.layout.members(members).to_vec();
        let optional = |member: &Member| {
            member.presence != Presence::Mandatory || components[member.component as usize].field != Field::Root
        };
        let tail = members.iter().rev().take_while(|member| optional(member)).count();
        let guarded = tail > 1 && !self.indefinite;
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if !optional(member) {
                self.value(component.type_id, member.node, &field);
                continue;
            }
            if guarded && place_in_order + tail == members.len() {
                self.out.line("if at >= end {");
                for absent in &members[place_in_order..] {
                    let at = absent.component as usize;
                    self.out.line(format!("{} = {};", place.field(&fields[at]).object(), self.absent(&components[at])));
                }
                self.out.line("} else {");
            }
            self.optional(component, member, &field);
        }
        if guarded {
            self.out.line("}");
        }
    }

    fn optional(&mut self, component: &Component, member: &Member, field: &Place) {
        let Some(tags) = self.tags(member.node).filter(|_| !matches!(component.field, Field::Group(_))) else {
            // What is there then is left over, and refused.
            return self.out.line(format!("{} = {};", field.object(), self.absent(component)));
        };
        let within = if self.indefinite { "" } else { "at < end && " };
        let tags: Vec<String> = tags.iter().map(|tag| format!("Some({tag})")).collect();
        self.out.line(format!("if {within}matches!(input.get(at), {}) {{", tags.join(" | ")));
        if Types::is_option(component) {
            let inner = self.variable();
            let insert = self.types.insert_expression(component.type_id);
            self.out.line(format!("let {inner} = {}.{insert};", field.object()));
            self.value(component.type_id, member.node, &Place::reference(inner));
        } else {
            self.value(component.type_id, member.node, field);
        }
        self.out.line("} else {");
        self.out.line(format!("{} = {};", field.object(), self.absent(component)));
        self.out.line("}");
    }

    /// The identifier octets that a value may begin with; `None` where it may be another one too.
    fn tags(&self, node: NodeId) -> Option<Vec<u8>> {
        match *self.layout.node(node) {
            Node::Tagged { identifier, .. } => Some(vec![identifier_octet(identifier)?]),
            Node::TaggedChoice { alternatives, .. } => {
                let mut tags = Vec::new();
                for one in self.layout.alternatives(alternatives) {
                    tags.extend(self.tags(one.node)?);
                }
                Some(tags)
            }
            _ => None,
        }
    }

    /// What an absent component's field holds.
    fn absent(&self, component: &Component) -> String {
        match &component.presence {
            ModelPresence::Default(value) => constant(self.types, component.type_id, value),
            _ => "None".into(),
        }
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::TaggedChoice { alternatives, .. } = *self.layout.node(node) else { return };
        let (Repr::Choice(name), Kind::Choice { alternatives: all, .. }) =
            (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let variants = alternative_names(all);
        self.out.line("match input.get(at) {");
        for one in self.layout.alternatives(alternatives).to_vec() {
            let which = one.alternative as usize;
            let Some(tags) = self.tags(one.node) else { continue };
            let tags: Vec<String> = tags.iter().map(|tag| format!("Some({tag})")).collect();
            self.out.line(format!("{} => {{", tags.join(" | ")));
            let (variant, content) = (&variants[which], all[which].type_id);
            let inner = self.variable();
            let empty = self.types.default_expression(content);
            self.out.line(format!("if !matches!({}, {name}::{variant}(_)) {{", place.value()));
            self.out.line(format!("{} = {name}::{variant}({empty});", place.value()));
            self.out.line("}");
            // Refutable unless it is the only alternative.
            self.out.line("#[allow(irrefutable_let_patterns)]");
            self.out.line(format!("let {name}::{variant}({inner}) = {} else {{", place.exclusive()));
            self.out.line("return Err(wire::Rejected);");
            self.out.line("};");
            self.out.line(format!("let _ = &{inner};"));
            self.value(content, one.node, &Place::reference(inner));
            self.out.line("}");
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("}");
    }

    fn refuse_if(&mut self, condition: &str) {
        self.out.line(format!("if {condition} {{"));
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
    }

    fn leave_to_interpreter(&mut self) {
        self.refuse_if("true");
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}
