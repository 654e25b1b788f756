//! Writes decoders, which read forward the form that the encoders write; any other form is refused and left to the interpreter.

use roadwire_layout::{Contents, Node, NodeId, Order, Rules, Span, TlvNode};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::delimited::{Decode, OctetCode, Writer};
use crate::open::Row;
use crate::packed::run::Place;
use crate::tlv::{identifier_octet, item_numbers, octets_of, outside};
use crate::types::Repr;

pub(super) struct DecodeWriter<'c, 'a, 'm> {
    code: &'c mut OctetCode<'a, 'm>,
    /// Whether the enclosing value has an indefinite length; otherwise its end is in the variable `end`.
    indefinite: bool,
}

impl<'c, 'a, 'm> DecodeWriter<'c, 'a, 'm> {
    pub(super) fn new(code: &'c mut OctetCode<'a, 'm>) -> Self {
        let indefinite = code.layout.rules == Rules::Cer;
        DecodeWriter { code, indefinite }
    }

    /// Writes a function's body.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.code.types.canonical(id), node, &Place::reference("value"));
    }
}

impl<'a, 'm> Writer<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Decode<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code.types.canonical(id);
        if self.code.types.is_recursive(id) {
            return self.code.leave_part(id);
        }
        self.untagged(id, node, place);
    }

    fn comes(&mut self, node: NodeId) -> Option<String> {
        Some(format!("matches!(input.get(at), {})", patterns(&self.tags(node)?)))
    }

    fn has_end(&self) -> bool {
        !self.indefinite
    }

    fn is_any(&mut self, node: NodeId) -> bool {
        matches!(self.code.layout.node(node), Node::Tlv(TlvNode::Open { .. }))
    }
}

impl DecodeWriter<'_, '_, '_> {
    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code.out.enter(id);
        self.content(id, node, place);
        self.code.out.leave();
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.code.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, contents, indefinite }) => {
                let Some(tag) = identifier_octet(identifier) else { return self.code.leave_to_interpreter() };
                if indefinite {
                    self.code.out.line(format!("at = wire::rt::tlv::expect(input, at, [{tag}, 0x80])?;"));
                    self.inner(id, contents, place);
                    self.code.out.line("at = wire::rt::tlv::expect(input, at, [0, 0])?;");
                    return;
                }
                let inside = self.code.out.variable();
                self.code.out.line("at = {");
                self.code.out.line(format!("let (mut at, {inside}) = wire::rt::tlv::open(input, at, {tag})?;"));
                self.code.out.line(format!("let end = {inside};"));
                self.inner(id, contents, place);
                self.code.out.refuse_if("at != end");
                self.code.out.line("at");
                self.code.out.line("};");
            }
            Node::Tlv(TlvNode::Primitive { identifier, contents, .. }) => match identifier_octet(identifier) {
                Some(tag) => self.leaf(id, tag, &contents, place),
                None => self.code.leave_to_interpreter(),
            },
            Node::Tlv(TlvNode::Record { .. }) => self.record(id, node, place),
            Node::Tlv(TlvNode::Choice { .. }) => self.choice(id, node, place),
            Node::Tlv(TlvNode::List { .. }) => self.list(id, node, place),
            Node::Tlv(TlvNode::Open { slot, rows }) if self.code.types.is_open(id) => self.open(id, slot, rows, place),
            Node::Tlv(TlvNode::Open { slot, rows }) if self.code.types.is_open(id) => self.open(id, slot, rows, place),
            Node::Tlv(TlvNode::Open { .. }) => {
                let octets = self.code.take_slice("wire::rt::tlv::whole(input, at)");
                self.code.fill_octets(id, &octets, 0, u64::MAX, place);
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
        // Without rows, nothing selects one.
        let row = match nodes.len() {
            0 => Row::Ahead,
            _ => self.code.keys.row(self.code.types, id, slot, self.code.out),
        };
        match &row {
            Row::Unknown => return self.code.leave_to_interpreter(),
            Row::Only => return self.alternative(&variants[0], NodeId(nodes[0]), place),
            Row::Ahead => {}
            Row::Selected(row) => {
                self.code.out.line(format!("match {row} {{"));
                for (at, (variant, node)) in variants.iter().zip(&nodes).enumerate() {
                    self.code.out.line(format!("{at} => {{"));
                    self.alternative(variant, NodeId(*node), place);
                    self.code.out.line("}");
                }
                self.code.out.line("_ => {");
            }
        }
        let content = self.code.take_slice("wire::rt::tlv::whole(input, at)");
        let kept = self.code.types.choose(&octets, place, self.code.out);
        self.code.fill_octets(octets.alternative.type_id, &content, 0, u64::MAX, &Place::reference(kept));
        if matches!(row, Row::Selected(_)) {
            self.code.out.line("}");
            self.code.out.line("}");
        }
    }

    /// The content of a constructed value: inline, or by a separate function.
    fn inner(&mut self, id: TypeId, contents: NodeId, place: &Place) {
        if self.code.is_function(id)
            && !matches!(self.code.layout.node(contents), Node::Tlv(TlvNode::Tagged { .. } | TlvNode::Primitive { .. }))
        {
            self.code.call_decoder(id, contents, place);
        } else {
            self.structure(id, contents, place);
        }
    }

    /// A value without a tag; a CHOICE may have a separate function.
    fn untagged(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let is_untagged = matches!(self.code.layout.node(node), Node::Tlv(TlvNode::Choice { .. }));
        if is_untagged && self.code.types.is_shared(id, false) {
            return self.code.call_decoder(id, node, place);
        }
        self.structure(id, node, place);
    }

    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::Record { members, additions, order, .. }) = *self.code.layout.node(node) else { return };
        if matches!(order, Order::SortedByPlace(_) | Order::SortedByValue) {
            return self.code.leave_to_interpreter();
        }
        self.components(id, members, additions.is_some(), place);
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::Choice { alternatives, .. }) = *self.code.layout.node(node) else { return };
        let Some(variants) = self.code.types.variants(id) else { return self.code.leave_to_interpreter() };
        self.code.out.line("match input.get(at) {");
        for one in self.code.layout.alternatives(alternatives) {
            let Some(tags) = self.tags(one.node) else { continue };
            self.code.out.line(format!("{} => {{", patterns(&tags)));
            self.alternative(&variants[one.alternative as usize], one.node, place);
            self.code.out.line("}");
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("}");
    }

    /// The identifier octets that a value may begin with; `None` if others are possible.
    fn tags(&self, node: NodeId) -> Option<Vec<u8>> {
        match *self.code.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
                Some(vec![identifier_octet(identifier)?])
            }
            Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                let mut tags = Vec::new();
                for one in self.code.layout.alternatives(alternatives) {
                    tags.extend(self.tags(one.node)?);
                }
                Some(tags)
            }
            Node::Key { node, .. } => self.tags(node),
            _ => None,
        }
    }

    fn list(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Tlv(TlvNode::List { lower, upper, element, .. }) = *self.code.layout.node(node) else { return };
        let Repr::List { element: element_id, storage } = self.code.types.repr(id).clone() else {
            return self.code.leave_to_interpreter();
        };
        let element_id = self.code.types.canonical(element_id);
        let item = self.code.out.variable();
        let list = self.code.bind(place);
        self.code.out.line(format!("{list}.clear();"));
        let more = if self.indefinite { "input.get(at).is_some_and(|octet| *octet != 0)" } else { "at < end" };
        self.code.out.line(format!("while {more} {{"));
        self.element((&list, item, storage), element_id, |writer, place| writer.value(element_id, element, place));
        self.code.out.line("}");
        self.code.size(&format!("{list}.len()"), lower, upper);
    }

    fn leaf(&mut self, id: TypeId, tag: u8, leaf: &Contents, place: &Place) {
        match *leaf {
            Contents::Null => self.code.out.line(format!("at = wire::rt::tlv::expect(input, at, [{tag}, 0])?;")),
            Contents::Boolean => {
                let octet = self.one_octet(tag);
                self.code.out.line(format!("{} = {octet} != 0;", place.value()));
            }
            Contents::Integer { lower, upper } => {
                let Some(rust) = self.code.types.word(id).filter(|rust| *rust != "i128") else {
                    return self.code.leave_to_interpreter();
                };
                let number = self.number(tag, lower, upper);
                self.code.out.line(self.code.types.set_number(id, place, &format!("{number} as {rust}")));
            }
            Contents::WideInteger { lower: None, upper: None } if *self.code.types.repr(id) == Repr::AnyInteger => {
                let octets = self.string(tag);
                self.code.out.refuse_if(&format!("!wire::rt::TwosComplement::is_shortest({octets})"));
                let number = format!("wire::Integer::from_octets({octets})");
                self.code.out.line(format!("let Some({octets}) = {number} else {{ return Err(wire::Rejected) }};"));
                self.code.out.line(format!("{} = {octets};", place.value()));
            }
            Contents::WideInteger { lower: None, upper: None } => match self.code.types.word(id) {
                Some("i64") => {
                    let number = self.number(tag, i64::MIN, i64::MAX);
                    self.code.out.line(self.code.types.set_number(id, place, &number));
                }
                _ => self.code.leave_to_interpreter(),
            },
            Contents::Enumerated { values, .. } => {
                self.enumerated(id, tag, &item_numbers(self.code.layout, values), place)
            }
            Contents::Bits { lower, upper, trim: None } if *self.code.types.repr(id) == Repr::BitString => {
                let octets = self.string(tag);
                let bits = self.code.out.variable();
                self.code.out.line(format!("let [0, {bits} @ ..] = {octets} else {{ return Err(wire::Rejected) }};"));
                self.code.size(&format!("({bits}.len() * 8)"), lower, upper);
                self.code.out.line(format!("{}.set_bits({bits}, {bits}.len() * 8);", place.object()));
            }
            Contents::Bits { lower, upper, trim } => self.bits(id, tag, lower, upper, trim, place),
            Contents::UtcTime | Contents::GeneralizedTime => {
                let octets = self.string(tag);
                self.code.out.refuse_if(&format!("!{octets}.iter().all(|octet| matches!(octet, b' '..=b'~'))"));
                self.code.read_utf8(&octets);
                self.code.fill_text(id, &octets, place);
            }
            Contents::Octets { lower, upper } => {
                let octets = self.string(tag);
                self.code.fill_octets(id, &octets, lower, upper, place);
            }
            Contents::Oid { .. } if *self.code.types.repr(id) == Repr::Oid => {
                let octets = self.string(tag);
                self.code.out.refuse_if(&format!("!wire::rt::is_oid({octets})"));
                let object = self.code.bind(place);
                self.code.out.line(format!("{object}.0.clear();"));
                self.code.out.line(format!("{object}.0.extend_from_slice({octets});"));
            }
            Contents::Utf8 { lower, upper } => {
                let octets = self.string(tag);
                self.code.read_utf8(&octets);
                self.code.size(&format!("{octets}.chars().count()"), lower, upper);
                self.code.fill_text(id, &octets, place);
            }
            Contents::Characters { lower, upper, width: 1, alphabet } => {
                let alphabet = self.code.layout.numbers(alphabet).to_vec();
                if alphabet.iter().any(|code| *code > 127) {
                    return self.code.leave_to_interpreter();
                }
                let octets = self.string(tag);
                self.code.size(&format!("{octets}.len()"), lower, upper);
                self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({octets}, &{alphabet:?})"));
                self.code.read_utf8(&octets);
                self.code.fill_text(id, &octets, place);
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    /// The contents of a primitive string, as a variable.
    fn string(&mut self, tag: u8) -> String {
        self.code.take_slice(&format!("wire::rt::tlv::open(input, at, {tag})"))
    }

    /// A value of one octet, as a variable of type `u64`.
    fn one_octet(&mut self, tag: u8) -> String {
        let octet = self.code.out.variable();
        self.code.out.line(format!("let (mut at_, {octet}) = wire::rt::tlv::one_octet(input, at, {tag})?;"));
        self.code.out.line("at = at_;");
        octet
    }

    /// A number between bounds, as a variable of type `i64`.
    fn number(&mut self, tag: u8, lower: i64, upper: i64) -> String {
        let number = self.code.out.variable();
        let call = match octets_of(lower).max(octets_of(upper)) {
            1 => {
                let octet = self.one_octet(tag);
                self.code.out.line(format!("let {number} = {octet} as i8 as i64;"));
                None
            }
            most @ 2..=6 => Some(format!("take_number::<{most}>")),
            _ => Some("take_long_number".to_owned()),
        };
        if let Some(call) = call {
            self.code.out.line(format!("let (at_, {number}) = wire::rt::tlv::{call}(input, at, {tag})?;"));
            self.code.out.line("at = at_;");
        }
        self.code.out.refuse_if(&outside(&number, lower, upper));
        number
    }

    fn enumerated(&mut self, id: TypeId, tag: u8, numbers: &[(i64, u32)], place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else {
            return self.code.leave_to_interpreter();
        };
        let number = self.number(tag, least.0, most.0);
        self.code.out.line(format!("{} = match {number} {{", place.value()));
        for (number, ordinal) in numbers {
            self.code.out.line(format!("{number} => {name}::{},", items[*ordinal as usize]));
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("};");
    }

    fn bits(&mut self, id: TypeId, tag: u8, lower: u64, upper: u64, trim: Option<u64>, place: &Place) {
        let least = if trim.is_some() { 0 } else { lower };
        match self.code.types.repr(id).clone() {
            Repr::BitFlags { name, word, bits } if bits <= 40 => {
                let (flags, count) = self.take_bits(tag, least, upper);
                self.code.out.line(format!("{} = {name}(({flags} << ({bits} - {count})) as {word});", place.value()));
            }
            repr @ (Repr::BitWord | Repr::BitString) if upper <= 40 || repr == Repr::BitString && lower <= 40 => {
                let (bits, sent) = self.take_bits(tag, least, upper.min(40));
                let count = self.code.out.variable();
                self.code.out.line(format!("let {count} = {sent}.max({lower});"));
                let bits = format!("{bits} << ({count} - {sent})");
                let word = format!("wire::BitWord {{ value: {bits}, bits: {count} as u8 }}");
                self.code.out.line(match repr {
                    Repr::BitString => format!("{}.set_word({word});", place.object()),
                    _ => format!("{} = {word};", place.value()),
                });
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    fn take_bits(&mut self, tag: u8, least: u64, most: u64) -> (String, String) {
        let (bits, count) = (self.code.out.variable(), self.code.out.variable());
        self.code.out.line(format!(
            "let (at_, {bits}, {count}) = wire::rt::tlv::take_bits(input, at, {tag}, {least}, {most})?;"
        ));
        self.code.out.line("at = at_;");
        (bits, count)
    }
}

/// The patterns for the allowed octets.
fn patterns(tags: &[u8]) -> String {
    let tags: Vec<String> = tags.iter().map(|tag| format!("Some({tag})")).collect();
    tags.join(" | ")
}
