//! Writes encoders: octets behind identifiers and lengths, forward, each length put in when its contents are there.

use roadwire_layout::{Contents, Layout, Member, Node, NodeId, Order, Presence};
use roadwire_model::{Component, Field, Kind, Presence as ModelPresence, TypeId};

use crate::data::{alternative_names, constant, field_names, item_names};
use crate::packed::run::Place;
use crate::source::Source;
use crate::tagged::{identifier_octet, item_numbers, octets_of, outside};
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
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
        self.flush();
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
                    return self.leaf(id, tag, &leaf, indefinite, place);
                }
                self.constant(tag);
                self.constant(if indefinite { 0x80 } else { 0 });
                if indefinite {
                    self.inner(id, contents, place);
                    self.run.push(("0".into(), 2));
                    return;
                }
                // The octet in front of the contents is for their length.
                self.flush();
                let start = self.variable();
                self.out.line(format!("let {start} = at;"));
                self.inner(id, contents, place);
                self.flush();
                self.out.line(format!("at = wire::tlv::close(output, {start}, at)?;"));
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
            self.flush();
            let function = super::function(self.types, id, "encode");
            self.out.line(format!("at = {function}({}, output, at)?;", place.shared()));
            self.called.push((id, contents));
        } else {
            self.structure(id, contents, place);
        }
    }

    fn leaf(&mut self, id: TypeId, tag: u8, leaf: &Contents, indefinite: bool, place: &Place) {
        match *leaf {
            Contents::Null => {
                self.constant(tag);
                self.constant(0);
            }
            Contents::Boolean => {
                self.front(tag, 1);
                self.run.push((format!("(0u64.wrapping_sub(u64::from({})) & 0xff)", place.value()), 1));
            }
            Contents::Integer { lower, upper } => self.integer(id, tag, lower, upper, place),
            Contents::WideInteger { lower: None, upper: None } => match self.types.repr(id) {
                Repr::Integer("i64") => self.number(tag, i64::MIN, i64::MAX, &place.value()),
                _ => self.leave_to_interpreter(),
            },
            Contents::Enumerated { values, extensible, .. } => {
                self.enumerated(id, tag, &item_numbers(self.layout, values), extensible, place);
            }
            Contents::Bits { lower, upper, trim } => self.bits(id, tag, lower, upper, trim, place),
            Contents::Octets { lower, upper } => match self.types.repr(id) {
                Repr::FixedOctets(count @ 0..=127) => {
                    self.front(tag, *count as u8);
                    self.flush();
                    self.out.line(format!("at = wire::tlv::put_octets(output, at, {})?;", place.shared()));
                }
                Repr::Octets(_) | Repr::OctetString => {
                    let octets = format!("{}.0", place.object());
                    self.size(&format!("{octets}.len()"), lower, upper);
                    self.string(tag, &format!("{octets}.as_slice()"), indefinite);
                }
                _ => self.leave_to_interpreter(),
            },
            Contents::Utf8 { lower, upper } => {
                let text = place.object();
                self.size(&format!("{text}.chars().count()"), lower, upper);
                self.string(tag, &format!("{text}.as_bytes()"), indefinite);
            }
            Contents::Characters { lower, upper, width: 1, alphabet } => {
                let alphabet = self.layout.numbers(alphabet);
                if alphabet.iter().any(|code| *code > 127) {
                    return self.leave_to_interpreter();
                }
                let text = format!("{}.as_bytes()", place.object());
                self.size(&format!("{text}.len()"), lower, upper);
                self.refuse_if(&format!("!wire::tlv::all_in({text}, &{alphabet:?})"));
                self.string(tag, &text, indefinite);
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn size(&mut self, size: &str, lower: u64, upper: u64) {
        if lower > 0 || upper < u64::MAX {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&({size} as u64))"));
        }
    }

    fn string(&mut self, tag: u8, octets: &str, indefinite: bool) {
        self.flush();
        if indefinite {
            // What is longer is in segments (X.690 §9.2).
            self.refuse_if(&format!("{octets}.len() > 1000"));
        }
        self.out.line(format!("at = wire::tlv::put_string(output, at, {tag}, {octets})?;"));
    }

    fn integer(&mut self, id: TypeId, tag: u8, lower: i64, upper: i64, place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        let value = self.variable();
        self.out.line(format!("let {value} = {} as i64;", place.value()));
        self.refuse_if(&outside(&value, lower, upper));
        self.number(tag, lower, upper, &value);
    }

    /// A number between bounds, which are already checked.
    fn number(&mut self, tag: u8, lower: i64, upper: i64, value: &str) {
        match octets_of(lower).max(octets_of(upper)) {
            1 => {
                self.front(tag, 1);
                self.run.push((format!("({value} as u64 & 0xff)"), 1));
            }
            most @ 2..=6 => {
                self.flush();
                let signed = lower < 0;
                self.out.line(format!("at = wire::tlv::put_number::<{most}, {signed}>(output, at, {tag}, {value})?;"));
            }
            _ => {
                self.flush();
                self.out.line(format!("at = wire::tlv::put_long_number(output, at, {tag}, {value})?;"));
            }
        }
    }

    fn enumerated(&mut self, id: TypeId, tag: u8, numbers: &[(i64, u32)], extensible: bool, place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let value = self.variable();
        if !extensible && numbers.iter().all(|(number, ordinal)| *number == i64::from(*ordinal)) {
            self.out.line(format!("let {value} = {} as i64;", place.value()));
        } else {
            let mut arms = format!("let {value} = match {} {{ ", place.value());
            for (ordinal, item) in item_names(enumerators).iter().enumerate() {
                let number = numbers.iter().find(|one| one.1 as usize == ordinal).map_or(0, |one| one.0);
                arms += &format!("{name}::{item} => {number}i64, ");
            }
            if extensible {
                arms += &format!("{name}::UnknownAddition(_) => i64::MAX, ");
            }
            self.out.line(arms + "};");
            if extensible {
                self.refuse_if(&format!("{value} == i64::MAX"));
            }
        }
        let (least, most) = (numbers.first().map_or(0, |one| one.0), numbers.last().map_or(0, |one| one.0));
        self.number(tag, least, most, &value);
    }

    fn bits(&mut self, id: TypeId, tag: u8, lower: u64, upper: u64, trim: Option<u64>, place: &Place) {
        let (word, count) = match self.types.repr(id) {
            Repr::BitFlags { bits, .. } if *bits <= 40 => {
                (format!("u64::from({}.0)", place.object()), bits.to_string())
            }
            Repr::BitWord if upper <= 40 => {
                (format!("{}.masked()", place.object()), format!("u32::from({}.bits)", place.object()))
            }
            _ => return self.leave_to_interpreter(),
        };
        let (bits, least) = (self.variable(), trim.unwrap_or(u64::MAX));
        self.out.line(format!("let {bits} = {word};"));
        if let Repr::BitFlags { bits: width, .. } = self.types.repr(id) {
            self.refuse_if(&format!("{bits} >> {width} != 0"));
        } else {
            self.refuse_if(&format!("!({lower}..={upper}).contains(&u64::from({count}))"));
        }
        self.flush();
        self.out.line(format!("at = wire::tlv::put_bits(output, at, {tag}, {bits}, {count}, {least})?;"));
    }

    fn list(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::TaggedList { lower, upper, element, sorted } = *self.layout.node(node) else { return };
        let Repr::List { element: element_id, .. } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        if sorted {
            return self.leave_to_interpreter();
        }
        self.flush();
        self.size(&format!("{}.len()", place.object()), lower, upper);
        let item = self.variable();
        self.out.line(format!("for {item} in {} {{", place.shared()));
        self.value(element_id, element, &Place::reference(item));
        self.flush();
        self.out.line("}");
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::TaggedRecord { members, additions, groups, order, .. } = *self.layout.node(node) else { return };
        let Kind::Sequence { components, .. } = self.types.kind(id) else { return self.leave_to_interpreter() };
        if matches!(order, Order::SortedByPlace(_) | Order::SortedByValue) {
            return self.leave_to_interpreter();
        }
        let fields = field_names(components);
        if additions.is_some() {
            self.refuse_if(&format!("!{}.unknown.is_empty()", place.object()));
        }
        let grouped = groups.count > 0;
        for member in self.layout.members(members).to_vec() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if grouped && matches!(component.field, Field::Group(_)) {
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
            return self.value(component.type_id, member.node, field);
        }
        self.flush();
        if Types::is_option(component) {
            let inner = self.variable();
            self.out.line(format!("if let Some({inner}) = &{} {{", field.object()));
            self.value(component.type_id, member.node, &Place::reference(inner));
        } else {
            self.out.line(format!("if {} {{", self.sent(component, field)));
            self.value(component.type_id, member.node, field);
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
        let Node::TaggedChoice { alternatives, extensible, .. } = *self.layout.node(node) else { return };
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
            self.value(all[at].type_id, one.node, &Place::reference(inner));
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

    fn front(&mut self, tag: u8, length: u8) {
        self.constant(tag);
        self.constant(length);
    }

    fn constant(&mut self, octet: u8) {
        self.run.push((octet.to_string(), 1));
    }

    /// Writes out what waits, in whole words with the octets in front.
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
            let mut left = WORD;
            let mut fixed = 0u64;
            let mut parts = Vec::new();
            for (value, octets) in &items {
                left -= octets;
                match value.parse::<u64>() {
                    Ok(value) => fixed |= value << (left * 8),
                    Err(_) => parts.push(if left == 0 { value.clone() } else { format!("{value} << {}", left * 8) }),
                }
            }
            parts.push(format!("{fixed:#x}"));
            let octets = WORD - left;
            self.out.line(format!("at = wire::tlv::put_word(output, at, {}, {octets})?;", parts.join(" | ")));
        }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}
