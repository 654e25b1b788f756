//! Decoding: the text of an element, or the value of an attribute.

use super::Xml;
use roadwire_layout::{Items, XmlNode};
use roadwire_wire::{Data, ErrorKind, Fault, Piece, Rejected, Scalar, faults};

use super::token::Token;
use crate::decode::Decoder;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Xml> {
    #[inline(never)]
    pub(crate) fn xml_leaf(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            XmlNode::Empty => self.nothing(value),
            XmlNode::TrueFalse { .. } => self.true_or_false(value),
            XmlNode::Decimal { range, extensible, names } => self.decimal(range, extensible, names, value),
            XmlNode::ItemName { items, .. } => self.xml_item_name(items, value),
            XmlNode::Scientific { plain, .. } => self.scientific(plain, value),
            XmlNode::Binary { .. } => self.binary(node, value),
            XmlNode::OctetDigits { contains: true, lower, upper, .. } => self.open_text(lower, upper, value),
            XmlNode::OctetDigits { .. } => self.xml_octets(node, value),
            XmlNode::Arcs { relative } => self.arcs(relative, value),
            XmlNode::CharacterData { .. } => self.xml_text(node, value),
            _ => self.misplaced(),
        }
    }

    fn nothing(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let token = self.token()?;
        if !token.text.is_empty() {
            return self.wrong(&token, faults::xml::NULL);
        }
        self.take_value(&token, "", Scalar::Null, value)
    }

    fn true_or_false(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let word = self.xml_word()?;
        match &*word.text {
            b"true" => self.take_value(&word, "", Scalar::Boolean(true), value),
            b"false" => self.take_value(&word, "", Scalar::Boolean(false), value),
            _ => self.wrong(&word, faults::xml::BOOLEAN),
        }
    }

    #[inline(never)]
    fn xml_item_name(&mut self, items: Items, value: &mut dyn Data) -> Result<(), Rejected> {
        let word = self.xml_word()?;
        let layout = self.layout;
        let names = layout.items.get(items.range()).unwrap_or(&[]);
        let found = names.iter().enumerate().find(|(_, name)| layout.name(**name).as_bytes() == &*word.text);
        match found {
            Some((ordinal, name)) => {
                self.take_value(&word, layout.name(*name), Scalar::Enumerated(ordinal as u32), value)
            }
            None => self.other_item(&word, items),
        }
    }

    /// Sets a value, and continues after its text.
    pub(crate) fn take_value(
        &mut self,
        token: &Token<'_>,
        name: &str,
        scalar: Scalar<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if !value.set(scalar) {
            let kind = match scalar {
                Scalar::Integer(_) | Scalar::WideInteger(_) => ErrorKind::IntegerWidth,
                _ => ErrorKind::Mismatch { expected: "of the type that the layout has" },
            };
            return Err(self.fail_at(kind, token.bit()));
        }
        self.passed(token, name, scalar);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn wrong(&mut self, token: &Token<'_>, what: Fault) -> Result<(), Rejected> {
        self.piece(what, token.bit(), Piece::of(&[&token.text]));
        Err(Rejected)
    }
}
