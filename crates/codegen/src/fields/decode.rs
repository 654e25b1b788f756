//! Writes decoders: what the encoders write is read forward; any other form is refused and left to the interpreter.

use roadwire_layout::{FieldNode, Layout, Member, Node, NodeId, Presence, Sign};
use roadwire_model::{Component, Field, Kind, Presence as ModelPresence, TypeId};

use crate::data::{alternative_names, constant, field_names, item_names};
use crate::fields::{NO_KEY, Octets, bits_of, held, item_numbers};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{INLINE_LEAVES, Repr, Storage, Types};

pub(crate) struct DecodeWriter<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    out: &'a mut Source,
    /// Types whose decoder is called and so has to be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    variables: usize,
}

impl<'a, 'm> DecodeWriter<'a, 'm> {
    pub(crate) fn new(types: &'a Types<'m>, layout: &'a Layout, out: &'a mut Source) -> Self {
        DecodeWriter { types, layout, out, called: Vec::new(), variables: 0 }
    }

    /// Writes a function's body: from `input` at octet `at`, up to octet `end`, to `value`.
    pub(crate) fn body(&mut self, id: TypeId, node: NodeId) {
        self.message(self.types.canonical(id), node, &Place::reference("value"));
    }

    /// Fields up to the end of what they are in. Whether they are there for the caller to check.
    fn message(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.layout.node(node) {
            Node::Null => {}
            Node::Keyed(FieldNode::Message { .. }) => self.record(id, node, place),
            Node::Keyed(FieldNode::Choice { .. }) => self.choice(id, node, place),
            Node::Keyed(FieldNode::Wrapped { field }) => self.field(id, field, place),
            _ => self.leave_to_interpreter(),
        }
    }

    /// A value behind its key.
    fn field(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        match *self.layout.node(node) {
            // The interpreter counts the levels.
            _ if self.types.is_recursive(id) => self.leave_to_interpreter(),
            Node::Keyed(FieldNode::Single { key, content }) => match Octets::of(key) {
                Some(key) => self.content(id, key, content, place),
                None => self.leave_to_interpreter(),
            },
            Node::Keyed(FieldNode::Repeated { .. }) => self.repeated(id, node, place),
            _ => self.leave_to_interpreter(),
        }
    }

    fn content(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        match *self.layout.node(node) {
            Node::Keyed(FieldNode::Delimited { content }) => self.delimited(id, key, content, place),
            Node::Keyed(FieldNode::Truth) => {
                let octet = self.varint(key, 7);
                self.out.line(format!("{} = {octet} != 0;", place.value()));
            }
            Node::Keyed(FieldNode::Number { sign, lower, upper }) => self.integer(id, key, sign, (lower, upper), place),
            Node::Keyed(FieldNode::Item { values, .. }) => {
                self.item(id, key, &item_numbers(self.layout, values), place);
            }
            Node::Keyed(FieldNode::Flags { lower, upper, .. }) => self.flags(id, key, (lower, upper), place),
            Node::Keyed(FieldNode::Double) => {
                let word = self.take("take_eight", key);
                self.out.line(format!("{} = f64::from_bits({word});", place.value()));
            }
            Node::Bits { extent, .. } => self.bits(id, key, (extent.lower, extent.upper), place),
            Node::Octets { extent } => self.octets(id, key, extent.lower, extent.upper, place),
            Node::Text { utf8: true, lower, upper, alphabet } => {
                let alphabet = self.layout.numbers(alphabet).to_vec();
                if alphabet.iter().any(|code| *code > 127) {
                    return self.leave_to_interpreter();
                }
                let octets = self.string(key);
                if !alphabet.is_empty() {
                    self.refuse_if(&format!("!wire::tlv::all_in({octets}, &{alphabet:?})"));
                }
                self.out.line(format!(
                    "let Ok({octets}) = core::str::from_utf8({octets}) else {{ return Err(wire::Rejected) }};"
                ));
                self.size(&format!("{octets}.chars().count()"), lower, upper);
                self.text(id, &octets, place);
            }
            Node::Open => self.octets(id, key, 0, u64::MAX, place),
            _ => self.leave_to_interpreter(),
        }
    }

    fn delimited(&mut self, id: TypeId, key: Octets, content: NodeId, place: &Place) {
        let inside = self.variable();
        self.out.line("at = {");
        let key = key.arguments();
        self.out.line(format!("let (mut at, {inside}) = wire::varint::straight::open(input, at, {key})?;"));
        self.out.line(format!("let end = {inside};"));
        if self.types.is_function(id) && !matches!(self.layout.node(content), Node::Null) {
            let function = super::function(self.types, id, "decode");
            self.out.line(format!("at = {function}({}, input, at, end)?;", place.exclusive()));
            self.called.push((id, content));
        } else {
            self.message(id, content, place);
        }
        self.refuse_if("at != end");
        self.out.line("at");
        self.out.line("};");
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

    /// The octets behind a key and a length, as a variable.
    fn string(&mut self, key: Octets) -> String {
        let (octets, inside) = (self.variable(), self.variable());
        let key = key.arguments();
        self.out.line(format!("let ({inside}, {octets}) = wire::varint::straight::open(input, at, {key})?;"));
        self.out.line(format!("at = {octets};"));
        self.out.line(format!("let Some({octets}) = input.get({inside}..at) else {{ return Err(wire::Rejected) }};"));
        octets
    }

    fn octets(&mut self, id: TypeId, key: Octets, lower: u64, upper: u64, place: &Place) {
        let octets = self.string(key);
        let object = self.bind(place);
        match self.types.repr(id).clone() {
            Repr::FixedOctets(count) => {
                self.refuse_if(&format!("{octets}.len() != {count}"));
                self.out.line(format!("{object}.copy_from_slice({octets});"));
            }
            Repr::Octets(_) => {
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{object}.0.clear();"));
                self.refuse_if(&format!("{object}.0.try_extend_from_slice({octets}).is_err()"));
            }
            Repr::OctetString => {
                self.size(&format!("{octets}.len()"), lower, upper);
                self.out.line(format!("{object}.0.clear();"));
                self.out.line(format!("{object}.0.extend_from_slice({octets});"));
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

    /// What a function reads behind a key, as a variable of type `u64`.
    fn take(&mut self, function: &str, key: Octets) -> String {
        let (word, key) = (self.variable(), key.arguments());
        self.out.line(format!("let (at_, {word}) = wire::varint::straight::{function}(input, at, {key})?;"));
        self.out.line("at = at_;");
        word
    }

    /// A varint that has at most so many bits, or is out of its bounds, as a variable of type `u64`.
    fn varint(&mut self, key: Octets, bits: u32) -> String {
        let function = match bits {
            0..=7 => "take_octet",
            8..=35 => "take_number",
            _ => "take_long_number",
        };
        self.take(function, key)
    }

    fn integer(&mut self, id: TypeId, key: Octets, sign: Sign, (lower, upper): (i128, i128), place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        let word = self.varint(key, bits_of([sign.write(lower), sign.write(upper)]));
        let (number, held) = (self.variable(), held(upper));
        if sign == Sign::Unsigned && upper < u64::MAX.into() {
            // Above the bound, where it may be none of the type that it is looked at in.
            self.refuse_if(&format!("{word} > {upper}"));
        }
        self.out.line(match sign {
            Sign::Zigzag => format!("let {number} = wire::varint::unzigzag({word});"),
            Sign::Unsigned | Sign::Signed => format!("let {number} = {word} as {held};"),
        });
        let lower = Some(lower).filter(|lower| *lower != 0 || sign != Sign::Unsigned);
        let outside = outside(&number, held, lower, Some(upper).filter(|_| sign != Sign::Unsigned));
        outside.into_iter().for_each(|outside| self.refuse_if(&outside));
        self.out.line(format!("{} = {number} as {rust};", place.value()));
    }

    fn item(&mut self, id: TypeId, key: Octets, numbers: &[i64], place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        let bits = numbers.iter().map(|number| bits_of([*number as u64; 2])).max().unwrap_or(64);
        let word = self.varint(key, bits);
        self.out.line(format!("{} = match {word} as i64 {{", place.value()));
        for (item, number) in items.iter().zip(numbers) {
            self.out.line(format!("{number} => {name}::{item},"));
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("};");
    }

    fn flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        let flags = self.varint(key, upper.into());
        if upper < 64 {
            self.refuse_if(&format!("{flags} >> {upper} != 0"));
        }
        match self.types.repr(id).clone() {
            Repr::BitFlags { name, word, bits } => {
                let shift = 64 - bits;
                self.out.line(format!("{} = {name}(({flags}.reverse_bits() >> {shift}) as {word});", place.value()));
            }
            Repr::BitWord => {
                let bits = self.variable();
                self.out.line(format!("let {bits} = (64 - {flags}.leading_zeros()).max({lower});"));
                let value = format!("if {bits} == 0 {{ 0 }} else {{ {flags}.reverse_bits() >> (64 - {bits}) }}");
                self.out.line(format!("{} = wire::BitWord {{ value: {value}, bits: {bits} as u8 }};", place.value()));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Bits behind the number of those not used, which look as they do behind a tag.
    fn bits(&mut self, id: TypeId, key: Octets, (lower, upper): (u64, u64), place: &Place) {
        if *self.types.repr(id) != Repr::BitWord || upper > 40 || key.count != 1 {
            return self.leave_to_interpreter();
        }
        let (bits, count, key) = (self.variable(), self.variable(), key.word);
        self.out
            .line(format!("let (at_, {bits}, {count}) = wire::tlv::take_bits(input, at, {key}, {lower}, {upper})?;"));
        self.out.line("at = at_;");
        self.out.line(format!("{} = wire::BitWord {{ value: {bits}, bits: {count} as u8 }};", place.value()));
    }

    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Repeated { key, element, lower, upper, packed }) = *self.layout.node(node) else {
            return;
        };
        let (Repr::List { element: element_id, storage }, Some(key)) = (self.types.repr(id).clone(), Octets::of(key))
        else {
            return self.leave_to_interpreter();
        };
        let element_id = self.types.canonical(element_id);
        if self.types.is_recursive(element_id) {
            return self.leave_to_interpreter();
        }
        let (item, list) = (self.variable(), self.bind(place));
        self.out.line(format!("{list}.clear();"));
        let (arguments, own) = (key.arguments(), if packed { NO_KEY } else { key });
        let comes = format!("at < end && wire::varint::straight::is_key(input, at, {arguments})");
        if packed {
            let inside = self.variable();
            self.out.line(format!("if {comes} {{"));
            self.out.line("at = {");
            self.out.line(format!("let (mut at, {inside}) = wire::varint::straight::open(input, at, {arguments})?;"));
            self.out.line(format!("let end = {inside};"));
            self.out.line("while at < end {");
        } else {
            self.out.line(format!("while {comes} {{"));
        }
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
            self.content(element_id, own, element, &Place::reference(item));
        } else {
            self.out.line(format!("let mut {item}: {} = {empty};", self.types.rust(element_id)));
            self.content(element_id, own, element, &Place::new(item.clone()));
            self.out.line(push(&item));
        }
        self.out.line("}");
        if packed {
            self.refuse_if("at != end");
            self.out.line("at");
            self.out.line("};");
            self.out.line("}");
        }
        self.size(&format!("{list}.len()"), lower, upper);
    }

    fn size(&mut self, size: &str, lower: u64, upper: u64) {
        if lower > 0 || upper < u64::MAX {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&({size} as u64))"));
        }
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Message { members, extensible, .. }) = *self.layout.node(node) else { return };
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return self.leave_to_interpreter() };
        let fields = field_names(components);
        if extensible {
            self.out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.out.line("}");
        }
        let members = self.layout.members(members).to_vec();
        let optional = |member: &Member| {
            member.presence != Presence::Mandatory || components[member.component as usize].field != Field::Root
        };
        let tail = members.iter().rev().take_while(|member| optional(member)).count();
        let guarded = tail > 1;
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if !optional(member) {
                self.field(component.type_id, member.node, &field);
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
        let key = match self.layout.node(member.node) {
            Node::Keyed(FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. }) => Octets::of(*key),
            _ => None,
        };
        let Some(key) = key.filter(|_| !matches!(component.field, Field::Group(_))) else {
            // What is there then is left over, and refused.
            return self.out.line(format!("{} = {};", field.object(), self.absent(component)));
        };
        let key = key.arguments();
        self.out.line(format!("if at < end && wire::varint::straight::is_key(input, at, {key}) {{"));
        if Types::is_option(component) {
            let inner = self.variable();
            let insert = self.types.insert_expression(component.type_id);
            self.out.line(format!("let {inner} = {}.{insert};", field.object()));
            self.field(component.type_id, member.node, &Place::reference(inner));
        } else {
            self.field(component.type_id, member.node, field);
        }
        self.out.line("} else {");
        self.out.line(format!("{} = {};", field.object(), self.absent(component)));
        self.out.line("}");
    }

    /// What an absent component's field holds.
    fn absent(&self, component: &Component) -> String {
        match &component.presence {
            ModelPresence::Default(value) => constant(self.types, component.type_id, value),
            _ => "None".into(),
        }
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Choice { alternatives, .. }) = *self.layout.node(node) else { return };
        let (Repr::Choice(name), Kind::Choice { alternatives: all, .. }) =
            (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let variants = alternative_names(all);
        self.refuse_if("at >= end");
        for one in self.layout.alternatives(alternatives).to_vec() {
            let key = match self.layout.node(one.node) {
                Node::Keyed(FieldNode::Single { key, .. }) => Octets::of(*key),
                _ => None,
            };
            let Some(key) = key else { continue };
            let which = one.alternative as usize;
            self.out.line(format!("if wire::varint::straight::is_key(input, at, {}) {{", key.arguments()));
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
            self.field(content, one.node, &Place::reference(inner));
            self.out.line("} else ");
        }
        self.out.line("{");
        self.out.line("return Err(wire::Rejected);");
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
