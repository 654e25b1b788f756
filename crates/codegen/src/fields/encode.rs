//! Writes encoders: fields behind their keys, forward, each length put in when what it counts is there.

use roadwire_layout::{FieldNode, Layout, Member, Node, NodeId, Presence, Sign};
use roadwire_model::{Component, Field, Kind, Presence as ModelPresence, TypeId};

use crate::data::{alternative_names, constant, field_names, item_names};
use crate::fields::{NO_KEY, Octets, bits_of, held, item_numbers};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Types};

pub(crate) struct EncodeWriter<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    out: &'a mut Source,
    /// Types whose encoder is called and so has to be written.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    /// Octets of fixed number on their way out, each an expression of type `u64`, and how many octets it has.
    run: Vec<(String, u32)>,
    variables: usize,
}

/// How many octets a word holds.
const WORD: u32 = 8;

impl<'a, 'm> EncodeWriter<'a, 'm> {
    pub(crate) fn new(types: &'a Types<'m>, layout: &'a Layout, out: &'a mut Source) -> Self {
        EncodeWriter { types, layout, out, called: Vec::new(), run: Vec::new(), variables: 0 }
    }

    /// Writes a function's body: from `value` to `output` at octet `at`.
    pub(crate) fn body(&mut self, id: TypeId, node: NodeId) {
        self.message(self.types.canonical(id), node, &Place::reference("value"));
        self.flush();
    }

    /// Fields up to the end of what they are in.
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
                self.key(key);
                self.run.push((format!("u64::from({})", place.value()), 1));
            }
            Node::Keyed(FieldNode::Number { sign, lower, upper }) => self.integer(id, key, sign, (lower, upper), place),
            Node::Keyed(FieldNode::Item { values, extensible, .. }) => {
                self.item(id, key, &item_numbers(self.layout, values), extensible, place);
            }
            Node::Keyed(FieldNode::Flags { lower, upper, .. }) => self.flags(id, key, (lower, upper), place),
            Node::Keyed(FieldNode::Double) => {
                self.key(key);
                self.run.push((format!("{}.to_bits()", place.object()), 8));
            }
            Node::Bits { extent, .. } => self.bits(id, key, (extent.lower, extent.upper), place),
            Node::Octets { extent } => {
                let (octets, count) = match self.types.repr(id) {
                    Repr::FixedOctets(_) => (format!("&{}[..]", place.object()), None),
                    Repr::Octets(_) | Repr::OctetString => {
                        (format!("{}.0.as_slice()", place.object()), Some(format!("{}.0.len()", place.object())))
                    }
                    _ => return self.leave_to_interpreter(),
                };
                if let Some(count) = count {
                    self.size(&count, extent.lower, extent.upper);
                }
                self.string(key, &octets);
            }
            Node::Text { utf8: true, lower, upper, alphabet } => {
                let (text, alphabet) = (place.object(), self.layout.numbers(alphabet));
                if alphabet.iter().any(|code| *code > 127) {
                    return self.leave_to_interpreter();
                }
                let octets = format!("{text}.as_bytes()");
                if alphabet.is_empty() {
                    self.size(&format!("{text}.chars().count()"), lower, upper);
                } else {
                    self.size(&format!("{text}.len()"), lower, upper);
                    self.refuse_if(&format!("!wire::tlv::all_in({octets}, &{alphabet:?})"));
                }
                self.string(key, &octets);
            }
            Node::Open if *self.types.repr(id) == Repr::OctetString => {
                self.string(key, &format!("{}.0.as_slice()", place.object()));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn delimited(&mut self, id: TypeId, key: Octets, content: NodeId, place: &Place) {
        self.key(key);
        self.run.push(("0".into(), 1));
        if matches!(self.layout.node(content), Node::Null) {
            return;
        }
        // The octet in front of the contents is for their length.
        self.flush();
        let start = self.variable();
        self.out.line(format!("let {start} = at;"));
        if self.types.is_function(id) {
            let function = super::function(self.types, id, "encode");
            self.out.line(format!("at = {function}({}, output, at)?;", place.shared()));
            self.called.push((id, content));
        } else {
            self.message(id, content, place);
        }
        self.flush();
        self.out.line(format!("at = wire::varint::close(output, {start}, at)?;"));
    }

    fn size(&mut self, size: &str, lower: u64, upper: u64) {
        if lower > 0 || upper < u64::MAX {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&({size} as u64))"));
        }
    }

    fn string(&mut self, key: Octets, octets: &str) {
        self.flush();
        let key = key.arguments();
        self.out.line(format!("at = wire::varint::straight::put_string(output, at, {key}, {octets})?;"));
    }

    fn integer(&mut self, id: TypeId, key: Octets, sign: Sign, (lower, upper): (i128, i128), place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        let value = self.variable();
        let held = held(upper);
        self.out.line(format!("let {value} = {} as {held};", place.value()));
        let outside = outside(&value, held, Some(lower), Some(upper));
        outside.into_iter().for_each(|outside| self.refuse_if(&outside));
        let bits = bits_of([sign.write(lower), sign.write(upper)]);
        let number = match sign {
            Sign::Zigzag => format!("wire::varint::zigzag({value})"),
            Sign::Unsigned | Sign::Signed => format!("({value} as u64)"),
        };
        self.number(key, bits, &number);
    }

    /// A varint of at most so many bits.
    fn number(&mut self, key: Octets, bits: u32, number: &str) {
        if bits <= 7 {
            self.key(key);
            self.run.push((number.to_owned(), 1));
            return;
        }
        self.flush();
        let key = key.arguments();
        let function = if bits <= 35 { format!("put_number::<{bits}>") } else { "put_long_number".into() };
        self.out.line(format!("at = wire::varint::straight::{function}(output, at, {key}, {number})?;"));
    }

    fn item(&mut self, id: TypeId, key: Octets, numbers: &[i64], extensible: bool, place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let value = self.variable();
        if !extensible && numbers.iter().zip(0..).all(|(number, ordinal)| *number == ordinal) {
            self.out.line(format!("let {value} = {} as u64;", place.value()));
        } else {
            let mut arms = format!("let {value} = match {} {{ ", place.value());
            for (item, number) in item_names(enumerators).iter().zip(numbers) {
                arms += &format!("{name}::{item} => {number}i64 as u64, ");
            }
            if extensible {
                arms += &format!("{name}::UnknownAddition(_) => return Err(wire::Rejected), ");
            }
            self.out.line(arms + "};");
        }
        let bits = numbers.iter().map(|number| bits_of([*number as u64; 2])).max().unwrap_or(64);
        self.number(key, bits, &value);
    }

    fn flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        let bits = self.variable();
        match *self.types.repr(id) {
            Repr::BitFlags { bits: width, .. } => {
                self.out.line(format!("let {bits} = u64::from({}.0);", place.object()));
                if width < 64 {
                    self.refuse_if(&format!("{bits} >> {width} != 0"));
                }
                self.number(key, width.into(), &format!("({bits}.reverse_bits() >> {})", 64 - width));
            }
            Repr::BitWord => {
                let word = place.object();
                self.refuse_if(&format!("!({}..={upper}).contains(&{word}.bits)", lower.max(1)));
                self.out.line(format!("let {bits} = {word}.masked().reverse_bits() >> (64 - u32::from({word}.bits));"));
                self.number(key, upper.into(), &bits);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    /// Bits behind the number of those not used, which look as they do behind a tag.
    fn bits(&mut self, id: TypeId, key: Octets, (lower, upper): (u64, u64), place: &Place) {
        if *self.types.repr(id) != Repr::BitWord || upper > 40 || key.count != 1 {
            return self.leave_to_interpreter();
        }
        let (word, key) = (place.object(), key.word);
        self.refuse_if(&format!("!({lower}..={upper}).contains(&u64::from({word}.bits))"));
        self.flush();
        let bits = format!("{word}.masked(), u32::from({word}.bits)");
        self.out.line(format!("at = wire::tlv::put_bits(output, at, {key}, {bits}, u64::MAX)?;"));
    }

    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Repeated { key, element, lower, upper, packed }) = *self.layout.node(node) else {
            return;
        };
        let (Repr::List { element: element_id, .. }, Some(key)) = (self.types.repr(id).clone(), Octets::of(key)) else {
            return self.leave_to_interpreter();
        };
        let element_id = self.types.canonical(element_id);
        if self.types.is_recursive(element_id) {
            return self.leave_to_interpreter();
        }
        self.flush();
        self.size(&format!("{}.len()", place.object()), lower, upper);
        let item = self.variable();
        if !packed {
            self.out.line(format!("for {item} in {} {{", place.shared()));
            self.content(element_id, key, element, &Place::reference(item));
            self.flush();
            return self.out.line("}");
        }
        self.out.line(format!("if !{}.is_empty() {{", place.object()));
        self.key(key);
        self.run.push(("0".into(), 1));
        self.flush();
        let start = self.variable();
        self.out.line(format!("let {start} = at;"));
        self.out.line(format!("for {item} in {} {{", place.shared()));
        self.content(element_id, NO_KEY, element, &Place::reference(item));
        self.flush();
        self.out.line("}");
        self.out.line(format!("at = wire::varint::close(output, {start}, at)?;"));
        self.out.line("}");
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Message { members, extensible, .. }) = *self.layout.node(node) else { return };
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return self.leave_to_interpreter() };
        let fields = field_names(components);
        if extensible {
            self.refuse_if(&format!("!{}.unknown.is_empty()", place.object()));
        }
        for member in self.layout.members(members).to_vec() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if matches!(component.field, Field::Group(_)) {
                // Of a group all that is mandatory has to be there.
                let sent = self.sent(component, &field);
                self.refuse_if(&sent);
                continue;
            }
            self.member(component, &member, &field);
        }
    }

    fn member(&mut self, component: &Component, member: &Member, field: &Place) {
        if component.field == Field::Root && member.presence == Presence::Mandatory {
            return self.field(component.type_id, member.node, field);
        }
        self.flush();
        if Types::is_option(component) {
            let inner = self.variable();
            self.out.line(format!("if let Some({inner}) = &{} {{", field.object()));
            self.field(component.type_id, member.node, &Place::reference(inner));
        } else {
            self.out.line(format!("if {} {{", self.sent(component, field)));
            self.field(component.type_id, member.node, field);
        }
        self.flush();
        self.out.line("}");
    }

    /// Whether a component is sent, as an expression.
    fn sent(&self, component: &Component, field: &Place) -> String {
        let named = matches!(self.types.kind(component.type_id), Kind::BitString { named, .. } if !named.is_empty());
        let flags = matches!(self.types.repr(component.type_id), Repr::BitFlags { .. });
        match &component.presence {
            // Equal but for trailing zero bits is equal: not a comparison of words.
            ModelPresence::Default(_) if named && !flags => "{ return Err(wire::Rejected) }".into(),
            ModelPresence::Default(value) => {
                let default = constant(self.types, component.type_id, value);
                let bits = if *self.types.repr(component.type_id) == Repr::Real { ".to_bits()" } else { "" };
                format!("({}{bits} != {default}{bits})", field.object())
            }
            _ => format!("{}.is_some()", field.object()),
        }
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Keyed(FieldNode::Choice { alternatives, extensible, .. }) = *self.layout.node(node) else { return };
        let (Repr::Choice(name), Kind::Choice { alternatives: all, .. }) =
            (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let variants = alternative_names(all);
        self.flush();
        self.out.line(format!("match {} {{", place.shared()));
        for one in self.layout.alternatives(alternatives).to_vec() {
            let at = one.alternative as usize;
            let inner = self.variable();
            self.out.line(format!("{name}::{}({inner}) => {{", variants[at]));
            self.field(all[at].type_id, one.node, &Place::reference(inner));
            self.flush();
            self.out.line("}");
        }
        if extensible {
            self.out.line("_ => return Err(wire::Rejected),");
        }
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

    fn key(&mut self, key: Octets) {
        if key.count > 0 {
            self.run.push((key.word.to_string(), key.count));
        }
    }

    /// Writes out what waits, in whole words, the first octet least significant.
    fn flush(&mut self) {
        while !self.run.is_empty() {
            let mut octets = 0;
            let count = self
                .run
                .iter()
                .take_while(|item| {
                    octets += item.1;
                    octets <= WORD
                })
                .count();
            let items: Vec<(String, u32)> = self.run.drain(..count).collect();
            let mut before = 0;
            let mut fixed = 0u64;
            let mut parts = Vec::new();
            for (value, octets) in &items {
                match value.parse::<u64>() {
                    Ok(value) => fixed |= value << (before * 8),
                    Err(_) if before == 0 => parts.push(value.clone()),
                    Err(_) => parts.push(format!("{value} << {}", before * 8)),
                }
                before += octets;
            }
            if fixed != 0 || parts.is_empty() {
                parts.push(format!("{fixed:#x}"));
            }
            let word = parts.join(" | ");
            self.out.line(format!("at = wire::varint::straight::put_word(output, at, {word}, {before})?;"));
        }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}
