//! Decoding: strings.

use super::Xml;
use roadwire_layout::{XmlNode, XmlSpace};
use roadwire_wire::rt::{events, xml};
use roadwire_wire::{BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults};

use super::Tag;
use super::token::Token;
use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::times;

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Xml> {
    /// X.680 §12.13: digits 0 and 1, and white space.
    #[inline(never)]
    pub(crate) fn binary(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::Binary { lower, upper, extensible, trim } = *node else { return self.misplaced() };
        let token = self.token()?;
        let digits = || token.text.iter().filter(|octet| !octet.is_ascii_whitespace());
        if !digits().all(|digit| matches!(digit, b'0' | b'1')) {
            return self.wrong(&token, faults::xml::BIT_STRING);
        }
        let mut bits = digits().count();
        if trim {
            let meant = digits().enumerate().filter(|(_, digit)| **digit == b'1').map(|(at, _)| at + 1).last();
            let fewest = usize::try_from(lower).unwrap_or(usize::MAX);
            // Trailing zero bits are added or removed to meet the size (X.680 §22.7).
            if fewest as u64 > self.limits.elements {
                let kind = ErrorKind::TooLong { length: fewest as u64, limit: self.limits.elements };
                return Err(self.fail_at(kind, token.bit()));
            }
            bits = meant.unwrap_or(0).max(fewest);
        }
        self.size_within(bits, lower, upper, extensible, &token)?;
        let ones = digits().enumerate().take(bits).filter(|(_, digit)| **digit == b'1').map(|(at, _)| at);
        if bits <= 64 && upper <= 64 && !extensible {
            let word = ones.fold(0, |word, at| word | 1u64 << (bits - 1 - at));
            return self.take_value(&token, "", Scalar::Word(BitWord { value: word, bits: bits as u8 }), value);
        }
        if !value.begin(Shape::Bits) {
            return self.mismatch("a place for a BIT STRING");
        }
        match value.extend_bits(bits) {
            Some(place) if place.len() == bits.div_ceil(8) => {
                place.fill(0);
                for at in ones {
                    if let Some(octet) = place.get_mut(at / 8) {
                        *octet |= 0x80 >> (at % 8);
                    }
                }
            }
            _ => return self.full(bits as u64),
        }
        self.passed(&token, "", value.scalar());
        Ok(())
    }

    /// X.680 §12.14, or base 64 (RFC 4648 §4).
    #[inline(never)]
    pub(crate) fn xml_octets(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::OctetDigits { lower, upper, extensible, base64, .. } = *node else { return self.misplaced() };
        self.digits_of_octets(lower, upper, extensible, base64, value)
    }

    fn digits_of_octets(
        &mut self,
        lower: u64,
        upper: u64,
        extensible: bool,
        base64: bool,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let token = self.token()?;
        let width = if base64 { 6 } else { 4 };
        let digits = || token.text.iter().filter(|octet| !octet.is_ascii_whitespace());
        let padding = if base64 { digits().rev().take_while(|octet| **octet == b'=').count() } else { 0 };
        let all = digits().count();
        let bits = (all - padding) * width;
        let is_whole = if base64 { all % 4 == 0 && padding <= 2 } else { all % 2 == 0 };
        let digit_of = |octet: &u8| if base64 { base64_digit(*octet) } else { char::from(*octet).to_digit(16) };
        if !is_whole || !digits().take(all - padding).all(|octet| digit_of(octet).is_some()) {
            return self.wrong(&token, faults::xml::OCTET_STRING);
        }
        self.size_within(bits / 8, lower, upper, extensible, &token)?;
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an OCTET STRING");
        }
        match value.extend_octets(bits / 8) {
            Some(place) if place.len() == bits / 8 => {
                let (mut waiting, mut fill) = (0u32, 0);
                let mut places = place.iter_mut();
                for digit in digits().filter_map(digit_of) {
                    waiting = waiting << width | digit;
                    fill += width;
                    if fill >= 8 {
                        fill -= 8;
                        places.by_ref().take(1).for_each(|octet| *octet = (waiting >> fill) as u8);
                    }
                }
            }
            _ => return self.full((bits / 8) as u64),
        }
        self.passed(&token, "", value.scalar());
        Ok(())
    }

    fn size_within(
        &mut self,
        size: usize,
        lower: u64,
        upper: u64,
        extensible: bool,
        token: &Token<'_>,
    ) -> Result<(), Rejected> {
        let size = size as u64;
        if extensible || (lower <= size && size <= upper) {
            return Ok(());
        }
        Err(self.fail_at(ErrorKind::Size { size, lower, upper }, token.bit()))
    }

    /// Whether an element is next, rather than text or the end of the enclosing element.
    pub(crate) fn element_follows(&mut self) -> Result<bool, Rejected> {
        self.end_of_start_tag()?;
        if self.family.tag != Tag::Complete {
            return Ok(false);
        }
        let (octets, at) = (self.reader.octets(), self.octet());
        let start = xml::misc(octets, at).map_err(|fault| self.xml_fault(fault))?;
        Ok(matches!(octets.get(start..), Some([b'<', next, ..]) if *next != b'/'))
    }

    /// An element, whose text is kept unchanged, or hexadecimal digits.
    #[inline(never)]
    pub(crate) fn open_text(&mut self, lower: u64, upper: u64, value: &mut dyn Data) -> Result<(), Rejected> {
        if !self.element_follows()? {
            return self.digits_of_octets(lower, upper, false, false, value);
        }
        let octets = self.reader.octets();
        self.skip_misc()?;
        let start = self.octet();
        let end = xml::element(octets, start).map_err(|fault| self.xml_fault(fault))?;
        let text = self.kept_text(start, end);
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for the text of an open type");
        }
        match value.extend_octets(text.len()) {
            Some(place) if place.len() == text.len() => place.copy_from_slice(&text),
            _ => return self.full(text.len() as u64),
        }
        self.go(end);
        self.show(start * 8, What::Unknown, Scalar::Octets(&text));
        self.skip_misc()
    }

    /// X.680 §12.15
    #[inline(never)]
    pub(crate) fn xml_text(&mut self, node: &'n XmlNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let XmlNode::CharacterData { lower, upper, pattern, extensible, space, .. } = *node else {
            return self.misplaced();
        };
        self.end_of_start_tag()?;
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let start = self.octet();
        let mut size = 0u64;
        if self.family.tag != Tag::Empty {
            let mut characters = self.characters_at(start);
            let mut waiting = false;
            loop {
                let at = characters.position();
                let found = match characters.read().map_err(|fault| self.xml_fault(fault))? {
                    Some(character) => character,
                    None => match self.control(node, at)? {
                        Some((character, end)) => {
                            characters = self.characters_at(end);
                            character
                        }
                        None => break,
                    },
                };
                let is_space = matches!(found, ' ' | '\t' | '\n' | '\r');
                let found = if is_space && space != XmlSpace::Preserve { ' ' } else { found };
                if is_space && space == XmlSpace::Collapse {
                    waiting = size > 0;
                    continue;
                }
                if waiting {
                    size += 1;
                    self.push_character(node, ' ', size, at, value)?;
                    waiting = false;
                }
                size += 1;
                self.push_character(node, found, size, at, value)?;
            }
            self.go(characters.position());
        }
        if !extensible && (size < lower || size > upper) {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, start * 8));
        }
        let pattern = self.layout.name(pattern);
        if !pattern.is_empty() && !matches!(value.scalar(), Scalar::Text(text) if times::is_of_form(pattern, text)) {
            return Err(self.fail_at(times::FORM, start * 8));
        }
        if L::ACTIVE {
            self.show(start * 8, What::Value(""), value.scalar());
        }
        Ok(())
    }

    #[inline]
    fn push_character(
        &mut self,
        node: &XmlNode,
        character: char,
        size: u64,
        at: usize,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let XmlNode::CharacterData { lower, upper, alphabet, extensible, .. } = *node else { return self.misplaced() };
        self.count_character()?;
        let code = u32::from(character);
        if !events::is_in(self.layout.numbers(alphabet), code) {
            return Err(self.fail_at(ErrorKind::Alphabet { code }, at * 8));
        }
        if size > upper && !extensible {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at * 8));
        }
        if value.push_char(character) { Ok(()) } else { self.full(size) }
    }

    /// The control character for an empty element, and where the element ends.
    #[cold]
    #[inline(never)]
    fn control(&mut self, node: &XmlNode, at: usize) -> Result<Option<(char, usize)>, Rejected> {
        let XmlNode::CharacterData { controls, .. } = *node else { return Ok(None) };
        let octets = self.reader.octets();
        if !controls || octets.get(at) != Some(&b'<') || octets.get(at + 1) == Some(&b'/') {
            return Ok(None);
        }
        let (name, after) = xml::name(octets, at + 1).map_err(|fault| self.xml_fault(fault))?;
        let Some(character) = xml::control_character(name) else {
            return Err(self.found_at(faults::xml::STRING_ELEMENT, at));
        };
        let (mut end, is_empty) = xml::end_of_tag(octets, after).map_err(|fault| self.xml_fault(fault))?;
        if !is_empty {
            let (other, after) = xml::end_tag(octets, end).map_err(|fault| self.xml_fault(fault))?;
            if other != name {
                return Err(self.found_at(faults::xml::END_TAG_OTHER, end));
            }
            end = after;
        }
        Ok(Some((character, end)))
    }
}

fn base64_digit(octet: u8) -> Option<u32> {
    Some(u32::from(match octet {
        b'A'..=b'Z' => octet - b'A',
        b'a'..=b'z' => octet - b'a' + 26,
        b'0'..=b'9' => octet - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}
