//! Encoding: the text of an element, or the value of an attribute.

use super::Xml;
use roadwire_layout::{Default, Items, NodeId, Rules, Span, XmlNode};
use roadwire_wire::rt::{Line, decimal, events, xml};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use super::Tag;
use crate::arcs::{self, Fault};
use crate::bits::{bits_of, is_one, without_zeros};
use crate::encode::Encoder;
use crate::encode::time;
use crate::{range, times};

/// A text as data.
struct Said<'t>(&'t str);

impl Data for Said<'_> {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Text(self.0)
    }
}

impl<'n> Encoder<'n, '_, '_, Xml> {
    #[inline(never)]
    pub(crate) fn xml_leaf(&mut self, node: &'n XmlNode, value: &dyn Data) -> Result<(), Rejected> {
        let scalar = value.scalar();
        match (*node, scalar) {
            (XmlNode::Empty, Scalar::Null) => Ok(()),
            (XmlNode::Empty, _) => self.mismatch("NULL"),
            (XmlNode::TrueFalse { text }, Scalar::Boolean(value)) => {
                self.xml_word(if value { "true" } else { "false" }, text)
            }
            (XmlNode::TrueFalse { .. }, _) => self.mismatch("a BOOLEAN"),
            (XmlNode::Decimal { range, extensible, names }, _) => self.decimal(range, extensible, names, value),
            (XmlNode::ItemName { items, text, .. }, Scalar::Enumerated(ordinal)) => self.xml_item(items, text, ordinal),
            (XmlNode::ItemName { .. }, _) => self.mismatch("an ENUMERATED"),
            (XmlNode::Scientific { text, plain }, Scalar::Real(value)) => self.scientific(text, plain, value),
            (XmlNode::Scientific { .. }, _) => self.mismatch("a REAL"),
            (XmlNode::Binary { .. }, _) => self.binary(node, scalar),
            (XmlNode::OctetDigits { contains: true, .. }, _) => self.open_text(value),
            (XmlNode::OctetDigits { .. }, Scalar::Octets(octets)) => self.xml_octets(node, octets),
            (XmlNode::OctetDigits { .. }, _) => self.mismatch("an OCTET STRING"),
            (XmlNode::Arcs { relative }, Scalar::Oid(contents)) => self.arcs(relative, contents),
            (XmlNode::Arcs { .. }, _) => self.mismatch("an object identifier"),
            (XmlNode::CharacterData { .. }, Scalar::Text(text)) => self.xml_text(node, text),
            (XmlNode::CharacterData { .. }, _) => self.mismatch("a character string"),
            _ => self.misplaced(),
        }
    }

    /// Writes a word, or an empty element with this name.
    fn xml_word(&mut self, word: &str, text: bool) -> Result<(), Rejected> {
        if text || self.family.tag == Tag::Attribute { self.markup(word) } else { self.empty_element(word) }
    }

    fn decimal(&mut self, range: NodeId, extensible: bool, names: Span, value: &dyn Data) -> Result<(), Rejected> {
        let scalar = value.scalar();
        if !matches!(scalar, Scalar::Integer(_) | Scalar::WideInteger(_)) {
            return self.mismatch("an INTEGER");
        }
        if !extensible && !range::admits(self.layout, range, scalar) {
            return Err(self.fail(range::outside(self.layout, range, scalar)));
        }
        if names.count > 0 {
            if let Some(name) = self.name_of_number(names, scalar) {
                return self.markup(name);
            }
        }
        match scalar {
            Scalar::Integer(number) => {
                self.markup_begins()?;
                self.writer.text(|text| text.put_integer(number))
            }
            Scalar::WideInteger(octets) => match decimal::wide_digits(octets) {
                Some(digits) => self.digits_of_number(&digits),
                None => Err(self.fail(arcs::too_wide(octets.len()))),
            },
            _ => self.misplaced(),
        }
    }

    fn name_of_number(&self, names: Span, scalar: Scalar<'_>) -> Option<&'n str> {
        let layout = self.layout;
        let is_it = |place: u32| match (layout.defaults.get(place as usize), scalar) {
            (Some(Default::Integer(number)), Scalar::Integer(value)) => *number == value,
            _ => false,
        };
        let pair = layout.numbers(names).chunks_exact(2).find(|pair| is_it(pair[1]))?;
        layout.items.get(pair[0] as usize).map(|name| layout.name(*name))
    }

    fn xml_item(&mut self, items: Items, text: bool, ordinal: u32) -> Result<(), Rejected> {
        let names = self.layout.items.get(items.range()).unwrap_or(&[]);
        match names.get(ordinal as usize) {
            Some(name) => self.xml_word(self.layout.name(*name), text),
            None => {
                Err(self.fail(ErrorKind::EnumerationIndex { index: u64::from(ordinal), count: names.len() as u64 }))
            }
        }
    }

    fn scientific(&mut self, text: bool, plain: bool, value: f64) -> Result<(), Rejected> {
        if plain && !value.is_finite() {
            return self.mismatch("a number without infinities");
        }
        match xml::special_real(value) {
            Some((word, _)) if text => self.markup(word),
            Some((_, element)) => self.xml_word(element, false),
            None => self.markup(xml::real_text(value, plain).text()),
        }
    }

    #[inline(never)]
    fn binary(&mut self, node: &XmlNode, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let XmlNode::Binary { lower, upper, extensible, trim } = *node else { return self.misplaced() };
        let mut word = [0; 8];
        let Some((octets, mut bits)) = bits_of(scalar, &mut word) else {
            return self.mismatch("a BIT STRING");
        };
        if trim {
            bits = without_zeros(octets, bits).max(usize::try_from(lower).unwrap_or(usize::MAX));
        }
        self.xml_size(bits as u64, lower, upper, extensible)?;
        for at in 0..bits {
            self.markup(if is_one(octets, at) { "1" } else { "0" })?;
        }
        Ok(())
    }

    /// An element that was kept as received; hexadecimal digits for anything else.
    #[inline(never)]
    pub(crate) fn open_text(&mut self, value: &dyn Data) -> Result<(), Rejected> {
        let Scalar::Octets(octets) = value.scalar() else { return self.mismatch("the octets of an open type") };
        if octets.first() == Some(&b'<') && xml::element(octets, 0) == Ok(octets.len()) {
            return self.kept_element(octets);
        }
        self.xml_hexadecimal(octets)
    }

    #[inline(never)]
    fn xml_octets(&mut self, node: &XmlNode, octets: &[u8]) -> Result<(), Rejected> {
        let XmlNode::OctetDigits { lower, upper, extensible, base64, .. } = *node else { return self.misplaced() };
        self.xml_size(octets.len() as u64, lower, upper, extensible)?;
        if base64 { self.base64(octets) } else { self.xml_hexadecimal(octets) }
    }

    /// X.693 §9.4: capitals.
    fn xml_hexadecimal(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        if octets.is_empty() {
            return Ok(());
        }
        self.markup_begins()?;
        self.writer.text(|text| text.put_octet_digits(octets))
    }

    /// RFC 4648 §4.
    fn base64(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        if octets.is_empty() {
            return Ok(());
        }
        self.markup_begins()?;
        for group in octets.chunks(3) {
            let bits = (0..3).fold(0u32, |bits, at| bits << 8 | u32::from(group.get(at).copied().unwrap_or(0)));
            let digit = |place: usize| match place {
                place if place <= group.len() => DIGITS[(bits >> (18 - 6 * place) & 63) as usize],
                _ => b'=',
            };
            self.put(&[digit(0), digit(1), digit(2), digit(3)])?;
        }
        Ok(())
    }

    /// X.693 §9.8: numbers only.
    #[inline(never)]
    fn arcs(&mut self, relative: bool, contents: &[u8]) -> Result<(), Rejected> {
        match arcs::write(contents, relative, |piece| self.digits_of_number(piece)) {
            Ok(()) => Ok(()),
            Err(Fault::Output) => Err(Rejected),
            Err(Fault::Is(kind)) => Err(self.fail(kind)),
        }
    }

    fn digits_of_number(&mut self, digits: &[u8]) -> Result<(), Rejected> {
        self.markup_begins()?;
        self.put(digits)
    }

    /// X.680 §12.15
    #[inline(never)]
    fn xml_text(&mut self, node: &'n XmlNode, text: &str) -> Result<(), Rejected> {
        let XmlNode::CharacterData { lower, upper, alphabet, pattern, extensible, controls, .. } = *node else {
            return self.misplaced();
        };
        self.xml_size(text.chars().count() as u64, lower, upper, extensible)?;
        if !times::is_of_form(self.layout.name(pattern), text) {
            return Err(self.fail(times::FORM));
        }
        let ranges = self.layout.numbers(alphabet);
        if let Some(character) = text.chars().find(|one| !events::is_in(ranges, u32::from(*one))) {
            return Err(self.fail(ErrorKind::Alphabet { code: u32::from(character) }));
        }
        self.xml_characters(text, controls)
    }

    #[inline(never)]
    pub(crate) fn canonical_time(
        &mut self,
        content: NodeId,
        generalized: bool,
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        let canonical = match value.scalar() {
            Scalar::Text(text) => time::canonical(text, generalized),
            _ => None,
        };
        match &canonical {
            Some(canonical) => self.node(content, &Said(canonical.text())),
            None => self.node(content, value),
        }
    }

    /// Writes characters, with references where needed, and empty elements for control characters
    /// if `controls`.
    pub(crate) fn xml_characters(&mut self, text: &str, controls: bool) -> Result<(), Rejected> {
        let is_canonical = self.layout.rules == Rules::Cxer;
        let reference = if is_canonical { xml::canonical_reference } else { xml::reference };
        for character in text.chars() {
            let code = u32::from(character);
            if let Some(reference) = reference(character) {
                self.markup(reference)?;
            } else if let (Some(name), true) = (xml::control_element(character), controls) {
                self.empty_element(name)?;
            } else if !xml::is_character(character) {
                return Err(self.fail(ErrorKind::Alphabet { code }));
            } else if self.family.tag == Tag::Attribute && matches!(character, '"' | '\t' | '\n' | '\r') {
                let mut line = Line::<48>::default();
                line.push(b'&');
                line.push(b'#');
                line.natural(u128::from(code));
                line.push(b';');
                self.markup(line.text())?;
            } else {
                self.markup(character.encode_utf8(&mut [0; 4]))?;
            }
        }
        Ok(())
    }
}
