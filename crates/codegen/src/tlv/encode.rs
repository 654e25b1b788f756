//! Writes encoders: octets after identifiers and lengths, forward; a length is filled in when its contents have been written.

use roadwire_layout::{Contents, Node, NodeId, Order, Span, TlvNode};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::delimited::{Encode, OctetCode, WORD, Writer};
use crate::open::Row;
use crate::packed::run::Place;
use crate::tlv::{identifier_octet, item_numbers, octets_of, outside};
use crate::types::Repr;

pub(super) struct EncodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut OctetCode<'a, 'm>,
}

impl EncodeWriter<'_, '_, '_> {
    /// Writes a function's body.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.code.types.canonical(id), node, &Place::reference("value"));
        self.flush();
    }
}

impl<'a, 'm> Writer<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Encode<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code.types.canonical(id);
        if self.code.types.is_recursive(id) {
            return self.code.leave_part(id);
        }
        self.untagged(id, node, place);
    }

    /// With the first octet in the highest bits.
    fn put_word(&mut self, items: &[(String, u32)]) {
        let mut left = WORD;
        let mut fixed = 0u64;
        let mut parts = Vec::new();
        for (value, octets) in items {
            left -= octets;
            match value.parse::<u64>() {
                Ok(value) => fixed |= value << (left * 8),
                Err(_) => parts.push(if left == 0 { value.clone() } else { format!("{value} << {}", left * 8) }),
            }
        }
        parts.push(format!("{fixed:#x}"));
        let octets = WORD - left;
        self.code.out.line(format!("at = wire::rt::tlv::put_word(output, at, {}, {octets})?;", parts.join(" | ")));
    }
}

impl EncodeWriter<'_, '_, '_> {
    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code.out.enter(id);
        self.content(id, node, place);
        self.code.out.leave();
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.code.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, contents, indefinite }) => {
                let Some(tag) = identifier_octet(identifier) else { return self.code.leave_to_interpreter() };
                self.constant(tag);
                self.constant(if indefinite { 0x80 } else { 0 });
                if indefinite {
                    self.inner(id, contents, place);
                    self.code.run.push("0", 2);
                    return;
                }
                // The octet in front of the contents is for their length.
                self.flush();
                let start = self.code.out.variable();
                self.code.out.line(format!("let {start} = at;"));
                self.inner(id, contents, place);
                self.flush();
                self.code.out.line(format!("at = wire::rt::tlv::close(output, {start}, at)?;"));
            }
            Node::Tlv(TlvNode::Primitive { identifier, contents, indefinite }) => match identifier_octet(identifier) {
                Some(tag) => self.leaf(id, tag, &contents, indefinite, place),
                None => self.code.leave_to_interpreter(),
            },
            Node::Tlv(TlvNode::Record { .. }) => self.record(id, node, place),
            Node::Tlv(TlvNode::Choice { .. }) => self.choice(id, node, place),
            Node::Tlv(TlvNode::List { .. }) => self.list(id, node, place),
            Node::Tlv(TlvNode::Open { slot, rows }) if self.code.types.is_open(id) => self.open(id, slot, rows, place),
            Node::Tlv(TlvNode::Open { .. }) if *self.code.types.repr(id) == Repr::OctetString => {
                self.flush();
                self.code.out.line(format!("at = wire::rt::tlv::put_element(output, at, &{}.0)?;", place.object()));
            }
            Node::Scope { record, slots } => {
                self.code.keys.enter(self.code.layout, slots);
                self.content(id, record, place);
            }
            Node::Key { node, .. } => self.content(id, node, place),
            _ => self.code.leave_to_interpreter(),
        }
    }

    /// An open type: a value of the type that its row has, or the octets of one value.
    fn open(&mut self, id: TypeId, slot: u32, nodes: Span, place: &Place) {
        let Some((variants, octets)) = self.code.types.open_variants(id) else {
            return self.code.leave_to_interpreter();
        };
        let nodes = self.code.layout.numbers(nodes).to_vec();
        self.flush();
        let row = match nodes.len() {
            0 => Row::Ahead,
            _ => self.code.keys.row(self.code.types, id, slot, self.code.out),
        };
        self.code.out.line(format!("match {} {{", place.shared()));
        let inner = self.code.out.variable();
        self.code.out.line(format!("{}({inner}) => {{", octets.path));
        self.code.out.line(format!("at = wire::rt::tlv::put_element(output, at, &{inner}.0)?;"));
        self.code.out.line("}");
        if let Row::Unknown | Row::Ahead = row {
            self.code.out.line("_ => {");
            self.code.leave_to_interpreter();
            self.code.out.line("}");
            return self.code.out.line("}");
        }
        for (at, variant) in variants.iter().enumerate() {
            let inner = self.code.out.variable();
            self.code.out.line(format!("{}({inner}) => {{", variant.path));
            row.differs(at).into_iter().for_each(|differs| self.code.out.refuse_if(&differs));
            match nodes.get(at) {
                Some(node) => self.value(variant.alternative.type_id, NodeId(*node), &Place::reference(inner)),
                None => self.code.leave_to_interpreter(),
            }
            self.flush();
            self.code.out.line("}");
        }
        self.code.out.line("}");
    }

    /// The content of a constructed value: inline, or by a separate function.
    fn inner(&mut self, id: TypeId, contents: NodeId, place: &Place) {
        if self.code.is_function(id)
            && !matches!(self.code.layout.node(contents), Node::Tlv(TlvNode::Tagged { .. } | TlvNode::Primitive { .. }))
        {
            self.flush();
            self.code.call_encoder(id, contents, place);
        } else {
            self.structure(id, contents, place);
        }
    }

    /// A value without a tag; a CHOICE may have a separate function.
    fn untagged(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let is_untagged = matches!(self.code.layout.node(node), Node::Tlv(TlvNode::Choice { .. }));
        if is_untagged && self.code.types.is_shared(id, false) {
            self.flush();
            return self.code.call_encoder(id, node, place);
        }
        self.structure(id, node, place);
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::Record { members, additions, groups, order, .. }) = *self.code.layout.node(node) else {
            return;
        };
        if matches!(order, Order::SortedByPlace(_) | Order::SortedByValue) {
            return self.code.leave_to_interpreter();
        }
        self.components(id, members, additions.is_some(), groups.count > 0, place);
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::Choice { alternatives, extensible, .. }) = *self.code.layout.node(node) else { return };
        self.alternatives(id, alternatives, extensible, place);
    }

    fn list(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::List { lower, upper, element, sorted }) = *self.code.layout.node(node) else { return };
        let Repr::List { element: element_id, .. } = self.code.types.repr(id).clone() else {
            return self.code.leave_to_interpreter();
        };
        self.flush();
        if sorted {
            // Sorting elements is left to the interpreter.
            self.code.out.refuse_if(&format!("{}.len() > 1", place.object()));
        }
        self.code.size(&format!("{}.len()", place.object()), lower, upper);
        let item = self.code.out.variable();
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.value(element_id, element, &Place::reference(item));
        self.flush();
        self.code.out.line("}");
    }

    fn leaf(&mut self, id: TypeId, tag: u8, leaf: &Contents, indefinite: bool, place: &Place) {
        match *leaf {
            Contents::Null => {
                self.constant(tag);
                self.constant(0);
            }
            Contents::Boolean => {
                self.front(tag, 1);
                self.code.run.push(format!("(0u64.wrapping_sub(u64::from({})) & 0xff)", place.value()), 1);
            }
            Contents::Integer { lower, upper } => self.integer(id, tag, lower, upper, place),
            Contents::WideInteger { lower: None, upper: None } if *self.code.types.repr(id) == Repr::AnyInteger => {
                self.flush();
                let (integer, put) = (place.object(), format!("wire::rt::tlv::put_string(output, at, {tag}, octets)"));
                self.code.out.line(format!("at = {integer}.with_octets(|octets| {put})?;"));
            }
            Contents::WideInteger { lower: None, upper: None } => match self.code.types.word(id) {
                Some("i64") => self.number(tag, i64::MIN, i64::MAX, &self.code.types.number(id, place)),
                _ => self.code.leave_to_interpreter(),
            },
            Contents::Enumerated { values, extensible, .. } => {
                self.enumerated(id, tag, &item_numbers(self.code.layout, values), extensible, place);
            }
            Contents::Bits { lower, upper, trim: None } if *self.code.types.repr(id) == Repr::BitString => {
                let bits = place.object();
                self.code.size(&format!("{bits}.len()"), lower, upper);
                // A string of other bits, or a long one in segments (X.690 §9.2), is left to the interpreter.
                let is_long = if indefinite { format!(" || {bits}.len() > 999 * 8") } else { String::new() };
                self.code.out.refuse_if(&format!("{bits}.len() % 8 != 0{is_long}"));
                self.flush();
                self.code.out.line(format!("at = wire::rt::tlv::put_whole_bits(output, at, {tag}, {bits}.octets())?;"));
            }
            Contents::Bits { lower, upper, trim } => self.bits(id, tag, lower, upper, trim, place),
            Contents::UtcTime | Contents::GeneralizedTime => {
                // Any other form than to the second in UTC is left to the interpreter, which may change it (X.690 §11.7, §11.8).
                let digits = if *leaf == Contents::UtcTime { 12 } else { 14 };
                self.code.out.refuse_if(&format!("!wire::rt::time::is_utc(&{}, {digits})", place.object()));
                self.string(tag, &format!("{}.as_bytes()", place.object()), indefinite);
            }
            Contents::Octets { lower, upper } => match self.code.types.repr(id) {
                Repr::FixedOctets(count @ 0..=127) => {
                    self.front(tag, *count as u8);
                    self.flush();
                    self.code.out.line(format!("at = wire::rt::tlv::put_octets(output, at, {})?;", place.shared()));
                }
                Repr::Octets(_) | Repr::OctetString => {
                    let octets = format!("{}.0", place.object());
                    self.code.size(&format!("{octets}.len()"), lower, upper);
                    self.string(tag, &format!("{octets}.as_slice()"), indefinite);
                }
                _ => self.code.leave_to_interpreter(),
            },
            Contents::Oid { .. } => match self.code.types.repr(id) {
                Repr::Oid => self.string(tag, &format!("{}.0.as_slice()", place.object()), false),
                _ => self.code.leave_to_interpreter(),
            },
            Contents::Utf8 { lower, upper } => {
                let text = place.object();
                self.code.size(&format!("{text}.chars().count()"), lower, upper);
                self.string(tag, &format!("{text}.as_bytes()"), indefinite);
            }
            Contents::Characters { lower, upper, width: 1, alphabet } => {
                let alphabet = self.code.layout.numbers(alphabet);
                if alphabet.iter().any(|code| *code > 127) {
                    return self.code.leave_to_interpreter();
                }
                let text = format!("{}.as_bytes()", place.object());
                self.code.size(&format!("{text}.len()"), lower, upper);
                self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({text}, &{alphabet:?})"));
                self.string(tag, &text, indefinite);
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn string(&mut self, tag: u8, octets: &str, indefinite: bool) {
        self.flush();
        if indefinite {
            // A longer string is in segments (X.690 §9.2).
            self.code.out.refuse_if(&format!("{octets}.len() > 1000"));
        }
        self.code.out.line(format!("at = wire::rt::tlv::put_string(output, at, {tag}, {octets})?;"));
    }

    fn integer(&mut self, id: TypeId, tag: u8, lower: i64, upper: i64, place: &Place) {
        if self.code.types.word(id).is_none_or(|rust| rust == "i128") {
            return self.code.leave_to_interpreter();
        }
        let value = self.code.out.variable();
        self.code.out.line(format!("let {value} = {} as i64;", self.code.types.number(id, place)));
        self.code.out.refuse_if(&outside(&value, lower, upper));
        self.number(tag, lower, upper, &value);
    }

    /// A number between bounds, which has been checked.
    fn number(&mut self, tag: u8, lower: i64, upper: i64, value: &str) {
        match octets_of(lower).max(octets_of(upper)) {
            1 => {
                self.front(tag, 1);
                self.code.run.push(format!("({value} as u64 & 0xff)"), 1);
            }
            most @ 2..=6 => {
                self.flush();
                let signed = lower < 0;
                self.code
                    .out
                    .line(format!("at = wire::rt::tlv::put_number::<{most}, {signed}>(output, at, {tag}, {value})?;"));
            }
            _ => {
                self.flush();
                self.code.out.line(format!("at = wire::rt::tlv::put_long_number(output, at, {tag}, {value})?;"));
            }
        }
    }

    fn enumerated(&mut self, id: TypeId, tag: u8, numbers: &[(i64, u32)], extensible: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let value = self.code.out.variable();
        if !extensible && numbers.iter().all(|(number, ordinal)| *number == i64::from(*ordinal)) {
            self.code.out.line(format!("let {value} = {} as i64;", place.value()));
        } else {
            let mut arms = format!("let {value} = match {} {{ ", place.value());
            for (ordinal, item) in item_names(enumerators).iter().enumerate() {
                let number = numbers.iter().find(|one| one.1 as usize == ordinal).map_or(0, |one| one.0);
                arms += &format!("{name}::{item} => {number}i64, ");
            }
            if extensible {
                arms += &format!("{name}::UnknownAddition(_) => i64::MAX, ");
            }
            self.code.out.line(arms + "};");
            if extensible {
                self.code.out.refuse_if(&format!("{value} == i64::MAX"));
            }
        }
        let (least, most) = (numbers.first().map_or(0, |one| one.0), numbers.last().map_or(0, |one| one.0));
        self.number(tag, least, most, &value);
    }

    fn bits(&mut self, id: TypeId, tag: u8, lower: u64, upper: u64, trim: Option<u64>, place: &Place) {
        let (word, count) = match self.code.types.repr(id) {
            Repr::BitFlags { bits, .. } if *bits <= 40 => {
                (format!("u64::from({}.0)", place.object()), bits.to_string())
            }
            Repr::BitWord if upper <= 40 => {
                (format!("{}.masked()", place.object()), format!("u32::from({}.bits)", place.object()))
            }
            Repr::BitString => {
                let held = self.code.out.variable();
                let word = format!("{}.to_word().filter(|word| word.bits <= 40)", place.object());
                self.code.out.line(format!("let Some({held}) = {word} else {{ return Err(wire::Rejected) }};"));
                (format!("{held}.value"), format!("u32::from({held}.bits)"))
            }
            _ => return self.code.leave_to_interpreter(),
        };
        let (bits, least) = (self.code.out.variable(), trim.unwrap_or(u64::MAX));
        self.code.out.line(format!("let {bits} = {word};"));
        if let Repr::BitFlags { bits: width, .. } = self.code.types.repr(id) {
            self.code.out.refuse_if(&format!("{bits} >> {width} != 0"));
        } else {
            self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&u64::from({count}))"));
        }
        self.flush();
        self.code.out.line(format!("at = wire::rt::tlv::put_bits(output, at, {tag}, {bits}, {count}, {least})?;"));
    }

    fn front(&mut self, tag: u8, length: u8) {
        self.constant(tag);
        self.constant(length);
    }

    fn constant(&mut self, octet: u8) {
        self.code.run.push(octet.to_string(), 1);
    }
}
