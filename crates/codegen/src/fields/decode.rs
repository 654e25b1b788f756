//! Writes decoders, which read forward the form that the encoders write; any other form is refused and left to the interpreter.

use roadwire_layout::{FieldNode, Node, NodeId, Sign};
use roadwire_model::TypeId;
use roadwire_wire::rt::fields::straight::IN_A_WORD;

use crate::data::item_names;
use crate::delimited::{Decode, OctetCode, Writer};
use crate::fields::{NO_KEY, Octets, Walk, bits_of, held};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::types::Repr;

pub(super) struct DecodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut OctetCode<'a, 'm>,
}

impl DecodeWriter<'_, '_, '_> {
    /// Writes a function's body.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.message(self.code.types.canonical(id), node, &Place::reference("value"));
    }
}

impl<'a, 'm> Writer<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Walk<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Message { members, extensible, .. }) = *self.code.layout.node(node) else { return };
        self.components(id, members, extensible, place);
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Choice { alternatives, .. }) = *self.code.layout.node(node) else { return };
        let Some(variants) = self.code.types.variants(id) else { return self.code.leave_to_interpreter() };
        self.code.out.refuse_if("at >= end");
        for one in self.code.layout.alternatives(alternatives) {
            let Some(comes) = self.comes(one.node) else { continue };
            self.code.out.line(format!("if {comes} {{"));
            self.alternative(&variants[one.alternative as usize], one.node, place);
            self.code.out.line("} else ");
        }
        self.code.out.line("{");
        self.code.out.line("return Err(wire::Rejected);");
        self.code.out.line("}");
    }

    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Repeated { key, element, lower, upper, packed }) = *self.code.layout.node(node)
        else {
            return;
        };
        let (Repr::List { element: element_id, storage }, Some(key)) =
            (self.code.types.repr(id).clone(), Octets::of(key))
        else {
            return self.code.leave_to_interpreter();
        };
        let element_id = self.code.types.canonical(element_id);
        if self.code.types.is_recursive(element_id) {
            return self.code.leave_part(element_id);
        }
        let (item, list) = (self.code.out.variable(), self.code.bind(place));
        self.code.out.line(format!("{list}.clear();"));
        let (arguments, own) = (key.arguments(), if packed { NO_KEY } else { key });
        let comes = format!("at < end && wire::rt::fields::straight::is_key(input, at, {arguments})");
        if packed {
            let inside = self.code.out.variable();
            self.code.out.line(format!("if {comes} {{"));
            self.code.out.line("at = {");
            self.code
                .out
                .line(format!("let (mut at, {inside}) = wire::rt::fields::straight::open(input, at, {arguments})?;"));
            self.code.out.line(format!("let end = {inside};"));
            self.code.out.line("while at < end {");
        } else {
            self.code.out.line(format!("while {comes} {{"));
        }
        self.element((&list, item, storage), element_id, |writer, place| {
            writer.content(element_id, own, element, place);
        });
        self.code.out.line("}");
        if packed {
            self.code.out.refuse_if("at != end");
            self.code.out.line("at");
            self.code.out.line("};");
            self.code.out.line("}");
        }
        self.code.size(&format!("{list}.len()"), lower, upper);
    }

    fn leaf(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        match *self.code.layout.node(node) {
            Node::Fields(FieldNode::Delimited { content }) => self.delimited(id, key, content, place),
            Node::Fields(FieldNode::Truth) => {
                let octet = self.varint(key, 7);
                self.code.out.line(format!("{} = {octet} != 0;", place.value()));
            }
            Node::Fields(FieldNode::Number { sign, lower, upper }) => {
                self.integer(id, key, sign, (lower, upper), place)
            }
            Node::Fields(FieldNode::Item { values, .. }) => {
                self.item(id, key, &self.code.layout.item_numbers(values).collect::<Vec<_>>(), place);
            }
            Node::Fields(FieldNode::Flags { lower, upper, .. }) => self.flags(id, key, (lower, upper), place),
            Node::Fields(FieldNode::Double) => {
                let word = self.take("take_eight", key);
                self.code.out.line(format!("{} = f64::from_bits({word});", place.value()));
            }
            Node::Integer { lower, upper, .. } => self.contents(id, key, (lower, upper), place),
            Node::Bits { extent, .. } => self.bits(id, key, (extent.lower, extent.upper), place),
            Node::Octets { extent } => self.octets(id, key, extent.lower, extent.upper, place),
            Node::Text { utf8: true, lower, upper, alphabet } => {
                let alphabet = self.code.layout.numbers(alphabet).to_vec();
                if alphabet.iter().any(|code| *code > 127) {
                    return self.code.leave_to_interpreter();
                }
                let octets = self.string(key);
                if !alphabet.is_empty() {
                    self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({octets}, &{alphabet:?})"));
                }
                self.code.read_utf8(&octets);
                self.code.size(&format!("{octets}.chars().count()"), lower, upper);
                self.code.fill_text(id, &octets, place);
            }
            Node::Open => self.octets(id, key, 0, u64::MAX, place),
            _ => self.code.leave_to_interpreter(),
        }
    }
}

impl<'a, 'm> Decode<'a, 'm> for DecodeWriter<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.field(id, node, place);
    }

    fn comes(&mut self, node: NodeId) -> Option<String> {
        let Node::Fields(FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. }) = self.code.layout.node(node)
        else {
            return None;
        };
        Some(format!("wire::rt::fields::straight::is_key(input, at, {})", Octets::of(*key)?.arguments()))
    }

    fn has_end(&self) -> bool {
        true
    }
}

impl DecodeWriter<'_, '_, '_> {
    fn delimited(&mut self, id: TypeId, key: Octets, content: NodeId, place: &Place) {
        let inside = self.code.out.variable();
        self.code.out.line("at = {");
        let key = key.arguments();
        self.code.out.line(format!("let (mut at, {inside}) = wire::rt::fields::straight::open(input, at, {key})?;"));
        self.code.out.line(format!("let end = {inside};"));
        if self.code.is_function(id) && !matches!(self.code.layout.node(content), Node::Null) {
            self.code.call_decoder(id, content, place);
        } else {
            self.message(id, content, place);
        }
        self.code.out.refuse_if("at != end");
        self.code.out.line("at");
        self.code.out.line("};");
    }

    /// The octets after a key and a length, as a variable.
    fn string(&mut self, key: Octets) -> String {
        self.code.take_slice(&format!("wire::rt::fields::straight::open(input, at, {})", key.arguments()))
    }

    fn octets(&mut self, id: TypeId, key: Octets, lower: u64, upper: u64, place: &Place) {
        let octets = self.string(key);
        self.code.fill_octets(id, &octets, lower, upper, place);
    }

    /// The number that a function reads after a key, as a variable of type `u64`.
    fn take(&mut self, function: &str, key: Octets) -> String {
        let (word, key) = (self.code.out.variable(), key.arguments());
        self.code.out.line(format!("let (at_, {word}) = wire::rt::fields::straight::{function}(input, at, {key})?;"));
        self.code.out.line("at = at_;");
        word
    }

    /// A varint of at most `bits` bits, unless it is out of bounds, as a variable of type `u64`.
    fn varint(&mut self, key: Octets, bits: u32) -> String {
        match bits {
            0..=7 => self.take("take_octet", key),
            8..=IN_A_WORD => self.take(&format!("take_number::<{}>", bits.div_ceil(7)), key),
            _ => self.take("take_long_number", key),
        }
    }

    fn integer(&mut self, id: TypeId, key: Octets, sign: Sign, (lower, upper): (i128, i128), place: &Place) {
        let Some(rust) = self.code.types.word(id).filter(|rust| *rust != "i128") else {
            return self.code.leave_to_interpreter();
        };
        let word = self.varint(key, bits_of([sign.write(lower), sign.write(upper)]));
        let (number, held) = (self.code.out.variable(), held(upper));
        if sign == Sign::Unsigned && upper < u64::MAX.into() {
            // Checks the upper bound first: above it, the number may not fit into the type used for comparison.
            self.code.out.refuse_if(&format!("{word} > {upper}"));
        }
        self.code.out.line(match sign {
            Sign::Zigzag => format!("let {number} = wire::rt::varint::unzigzag({word});"),
            Sign::Unsigned | Sign::Signed => format!("let {number} = {word} as {held};"),
        });
        let lower = Some(lower).filter(|lower| *lower != 0 || sign != Sign::Unsigned);
        let outside = outside(&number, held, lower, Some(upper).filter(|_| sign != Sign::Unsigned));
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        self.code.out.line(self.code.types.set_number(id, place, &format!("{number} as {rust}")));
    }

    /// An integer in two's complement, in as few octets as hold it.
    fn contents(&mut self, id: TypeId, key: Octets, (lower, upper): (Option<i128>, Option<i128>), place: &Place) {
        let Some(rust @ ("i64" | "u64")) = self.code.types.word(id) else {
            return self.code.leave_to_interpreter();
        };
        let value = self.take("take_contents", key);
        let lower = if rust == "u64" { Some(lower.map_or(0, |lower| lower.max(0))) } else { lower };
        let outside = outside(&value, "i64", lower, upper);
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        self.code.out.line(self.code.types.set_number(id, place, &format!("{value} as {rust}")));
    }

    fn item(&mut self, id: TypeId, key: Octets, numbers: &[i64], place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        let bits = numbers.iter().map(|number| bits_of([*number as u64; 2])).max().unwrap_or(64);
        let word = self.varint(key, bits);
        self.code.out.line(format!("{} = match {word} as i64 {{", place.value()));
        for (item, number) in items.iter().zip(numbers) {
            self.code.out.line(format!("{number} => {name}::{item},"));
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("};");
    }

    fn flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        let flags = self.varint(key, upper.into());
        if upper < 64 {
            self.code.out.refuse_if(&format!("{flags} >> {upper} != 0"));
        }
        match self.code.types.repr(id).clone() {
            Repr::BitFlags { name, word, bits } => {
                let shift = 64 - bits;
                self.code
                    .out
                    .line(format!("{} = {name}(({flags}.reverse_bits() >> {shift}) as {word});", place.value()));
            }
            Repr::BitWord => {
                let bits = self.code.out.variable();
                self.code.out.line(format!("let {bits} = (64 - {flags}.leading_zeros()).max({lower});"));
                let value = format!("if {bits} == 0 {{ 0 }} else {{ {flags}.reverse_bits() >> (64 - {bits}) }}");
                self.code
                    .out
                    .line(format!("{} = wire::BitWord {{ value: {value}, bits: {bits} as u8 }};", place.value()));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    /// Bits after the number of unused ones; the form is the same as after a tag.
    fn bits(&mut self, id: TypeId, key: Octets, (lower, upper): (u64, u64), place: &Place) {
        if *self.code.types.repr(id) != Repr::BitWord || upper > 40 || key.count != 1 {
            return self.code.leave_to_interpreter();
        }
        let (bits, count, key) = (self.code.out.variable(), self.code.out.variable(), key.word);
        self.code.out.line(format!(
            "let (at_, {bits}, {count}) = wire::rt::tlv::take_bits(input, at, {key}, {lower}, {upper})?;"
        ));
        self.code.out.line("at = at_;");
        self.code.out.line(format!("{} = wire::BitWord {{ value: {bits}, bits: {count} as u8 }};", place.value()));
    }
}
