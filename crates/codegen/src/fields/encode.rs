//! Writes encoders: fields after their keys, forward; a length is filled in when its contents have been written.

use roadwire_layout::{FieldNode, Node, NodeId, Sign};
use roadwire_model::TypeId;
use roadwire_wire::rt::fields::straight::IN_A_WORD;

use crate::data::item_names;
use crate::delimited::{Encode, OctetCode, Writer};
use crate::fields::{NO_KEY, Octets, Walk, bits_of, held};
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::types::Repr;

pub(super) struct EncodeWriter<'c, 'a, 'm> {
    pub(super) code: &'c mut OctetCode<'a, 'm>,
}

impl EncodeWriter<'_, '_, '_> {
    /// Writes a function's body.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.message(self.code.types.canonical(id), node, &Place::reference("value"));
        self.flush();
    }
}

impl<'a, 'm> Writer<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn code(&mut self) -> &mut OctetCode<'a, 'm> {
        self.code
    }
}

impl<'a, 'm> Walk<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Message { members, extensible, .. }) = *self.code.layout.node(node) else { return };
        self.components(id, members, extensible, true, place);
    }

    fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Choice { alternatives, extensible, .. }) = *self.code.layout.node(node) else {
            return;
        };
        self.alternatives(id, alternatives, extensible, place);
    }

    fn repeated(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Fields(FieldNode::Repeated { key, element, lower, upper, packed }) = *self.code.layout.node(node)
        else {
            return;
        };
        let (Repr::List { element: element_id, .. }, Some(key)) = (self.code.types.repr(id).clone(), Octets::of(key))
        else {
            return self.code.leave_to_interpreter();
        };
        let element_id = self.code.types.canonical(element_id);
        if self.code.types.is_recursive(element_id) {
            return self.code.leave_part(element_id);
        }
        self.flush();
        self.code.size(&format!("{}.len()", place.object()), lower, upper);
        let item = self.code.out.variable();
        if !packed {
            self.code.out.line(format!("for {item} in {} {{", place.shared()));
            self.content(element_id, key, element, &Place::reference(item));
            self.flush();
            return self.code.out.line("}");
        }
        self.code.out.line(format!("if !{}.is_empty() {{", place.object()));
        self.key(key);
        self.code.run.push("0", 1);
        self.flush();
        let start = self.code.out.variable();
        self.code.out.line(format!("let {start} = at;"));
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.content(element_id, NO_KEY, element, &Place::reference(item));
        self.flush();
        self.code.out.line("}");
        self.code.out.line(format!("at = wire::rt::fields::close(output, {start}, at)?;"));
        self.code.out.line("}");
    }

    fn leaf(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        match *self.code.layout.node(node) {
            Node::Fields(FieldNode::Delimited { content }) => self.delimited(id, key, content, place),
            Node::Fields(FieldNode::Truth) => {
                self.key(key);
                self.code.run.push(format!("u64::from({})", place.value()), 1);
            }
            Node::Fields(FieldNode::Number { sign, lower, upper }) => {
                self.integer(id, key, sign, (lower, upper), place)
            }
            Node::Fields(FieldNode::Item { values, extensible, .. }) => {
                self.item(id, key, &self.code.layout.item_numbers(values).collect::<Vec<_>>(), extensible, place);
            }
            Node::Fields(FieldNode::Flags { lower, upper, .. }) => self.flags(id, key, (lower, upper), place),
            Node::Fields(FieldNode::Double) => {
                self.key(key);
                self.code.run.push(format!("{}.to_bits()", place.object()), 8);
            }
            Node::Integer { lower, upper, .. } => self.contents(id, key, (lower, upper), place),
            Node::Bits { extent, .. } => self.bits(id, key, (extent.lower, extent.upper), place),
            Node::Octets { extent } => {
                let (octets, count) = match self.code.types.repr(id) {
                    Repr::FixedOctets(_) => (format!("&{}[..]", place.object()), None),
                    Repr::Octets(_) | Repr::OctetString => {
                        (format!("{}.0.as_slice()", place.object()), Some(format!("{}.0.len()", place.object())))
                    }
                    _ => return self.code.leave_to_interpreter(),
                };
                if let Some(count) = count {
                    self.code.size(&count, extent.lower, extent.upper);
                }
                self.string(key, &octets);
            }
            Node::Text { utf8: true, lower, upper, alphabet } => {
                let (text, alphabet) = (place.object(), self.code.layout.numbers(alphabet));
                if alphabet.iter().any(|code| *code > 127) {
                    return self.code.leave_to_interpreter();
                }
                let octets = format!("{text}.as_bytes()");
                if alphabet.is_empty() {
                    self.code.size(&format!("{text}.chars().count()"), lower, upper);
                } else {
                    self.code.size(&format!("{text}.len()"), lower, upper);
                    self.code.out.refuse_if(&format!("!wire::rt::tlv::all_in({octets}, &{alphabet:?})"));
                }
                self.string(key, &octets);
            }
            Node::Open if *self.code.types.repr(id) == Repr::OctetString => {
                self.string(key, &format!("{}.0.as_slice()", place.object()));
            }
            _ => self.code.leave_to_interpreter(),
        }
    }
}

impl<'a, 'm> Encode<'a, 'm> for EncodeWriter<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.field(id, node, place);
    }

    /// With the first octet in the lowest bits.
    fn put_word(&mut self, items: &[(String, u32)]) {
        let mut before = 0;
        let mut fixed = 0u64;
        let mut parts = Vec::new();
        for (value, octets) in items {
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
        self.code.out.line(format!("at = wire::rt::fields::straight::put_word(output, at, {word}, {before})?;"));
    }
}

impl EncodeWriter<'_, '_, '_> {
    fn delimited(&mut self, id: TypeId, key: Octets, content: NodeId, place: &Place) {
        self.key(key);
        self.code.run.push("0", 1);
        if matches!(self.code.layout.node(content), Node::Null) {
            return;
        }
        // The octet in front of the contents is for their length.
        self.flush();
        let start = self.code.out.variable();
        self.code.out.line(format!("let {start} = at;"));
        if self.code.is_function(id) {
            self.code.call_encoder(id, content, place);
        } else {
            self.message(id, content, place);
        }
        self.flush();
        self.code.out.line(format!("at = wire::rt::fields::close(output, {start}, at)?;"));
    }

    fn string(&mut self, key: Octets, octets: &str) {
        self.flush();
        let key = key.arguments();
        self.code.out.line(format!("at = wire::rt::fields::straight::put_string(output, at, {key}, {octets})?;"));
    }

    fn integer(&mut self, id: TypeId, key: Octets, sign: Sign, (lower, upper): (i128, i128), place: &Place) {
        if self.code.types.word(id).is_none_or(|rust| rust == "i128") {
            return self.code.leave_to_interpreter();
        }
        let value = self.code.out.variable();
        let held = held(upper);
        self.code.out.line(format!("let {value} = {} as {held};", self.code.types.number(id, place)));
        let outside = outside(&value, held, Some(lower), Some(upper));
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        let bits = bits_of([sign.write(lower), sign.write(upper)]);
        let number = match sign {
            Sign::Zigzag => format!("wire::rt::varint::zigzag({value})"),
            Sign::Unsigned | Sign::Signed => format!("({value} as u64)"),
        };
        self.number(key, bits, &number);
    }

    /// An integer in two's complement, in as few octets as hold it.
    fn contents(&mut self, id: TypeId, key: Octets, (lower, upper): (Option<i128>, Option<i128>), place: &Place) {
        if !matches!(self.code.types.word(id), Some("i64" | "u64")) {
            return self.code.leave_to_interpreter();
        }
        let value = self.code.out.variable();
        self.code.out.line(format!("let {value} = {} as i64;", self.code.types.number(id, place)));
        let outside = outside(&value, "i64", lower, upper);
        outside.into_iter().for_each(|outside| self.code.out.refuse_if(&outside));
        self.flush();
        let key = key.arguments();
        self.code.out.line(format!("at = wire::rt::fields::straight::put_contents(output, at, {key}, {value})?;"));
    }

    /// A varint of at most `bits` bits.
    fn number(&mut self, key: Octets, bits: u32, number: &str) {
        if bits <= 7 {
            self.key(key);
            self.code.run.push(number.to_owned(), 1);
            return;
        }
        self.flush();
        let key = key.arguments();
        let function = if bits <= IN_A_WORD { format!("put_number::<{bits}>") } else { "put_long_number".into() };
        self.code.out.line(format!("at = wire::rt::fields::straight::{function}(output, at, {key}, {number})?;"));
    }

    fn item(&mut self, id: TypeId, key: Octets, numbers: &[i64], extensible: bool, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else {
            return self.code.leave_to_interpreter();
        };
        let value = self.code.out.variable();
        if !extensible && numbers.iter().zip(0..).all(|(number, ordinal)| *number == ordinal) {
            self.code.out.line(format!("let {value} = {} as u64;", place.value()));
        } else {
            let mut arms = format!("let {value} = match {} {{ ", place.value());
            for (item, number) in item_names(enumerators).iter().zip(numbers) {
                arms += &format!("{name}::{item} => {number}i64 as u64, ");
            }
            if extensible {
                arms += &format!("{name}::UnknownAddition(_) => return Err(wire::Rejected), ");
            }
            self.code.out.line(arms + "};");
        }
        let bits = numbers.iter().map(|number| bits_of([*number as u64; 2])).max().unwrap_or(64);
        self.number(key, bits, &value);
    }

    fn flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        let bits = self.code.out.variable();
        match *self.code.types.repr(id) {
            Repr::BitFlags { bits: width, .. } => {
                self.code.out.line(format!("let {bits} = u64::from({}.0);", place.object()));
                if width < 64 {
                    self.code.out.refuse_if(&format!("{bits} >> {width} != 0"));
                }
                self.number(key, width.into(), &format!("({bits}.reverse_bits() >> {})", 64 - width));
            }
            Repr::BitWord => {
                let word = place.object();
                self.code.out.refuse_if(&format!("!({}..={upper}).contains(&{word}.bits)", lower.max(1)));
                self.code
                    .out
                    .line(format!("let {bits} = {word}.masked().reverse_bits() >> (64 - u32::from({word}.bits));"));
                self.number(key, upper.into(), &bits);
            }
            _ => self.code.leave_to_interpreter(),
        }
    }

    /// Bits after the number of unused ones; the form is the same as after a tag.
    fn bits(&mut self, id: TypeId, key: Octets, (lower, upper): (u64, u64), place: &Place) {
        if *self.code.types.repr(id) != Repr::BitWord || upper > 40 || key.count != 1 {
            return self.code.leave_to_interpreter();
        }
        let (word, key) = (place.object(), key.word);
        self.code.out.refuse_if(&format!("!({lower}..={upper}).contains(&u64::from({word}.bits))"));
        self.flush();
        let bits = format!("{word}.masked(), u32::from({word}.bits)");
        self.code.out.line(format!("at = wire::rt::tlv::put_bits(output, at, {key}, {bits}, u64::MAX)?;"));
    }

    fn key(&mut self, key: Octets) {
        if key.count > 0 {
            self.code.run.push(key.word.to_string(), key.count);
        }
    }
}
