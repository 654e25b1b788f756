//! Decoding JSON text: the leaves.

use super::Json;
use alloc::vec::Vec;

use roadwire_layout::{JsonNode, Span};
use roadwire_wire::rt::RealContents;
use roadwire_wire::rt::decimal;
use roadwire_wire::rt::json::{self, Quoted};
use roadwire_wire::{
    BitWord, Data, ErrorKind, Rejected, Scalar, Shape, faults, number_of_unknown_item, ordinal_of_unknown_item,
};

use crate::arcs::{self, Arcs};
use crate::decode::Decoder;
use crate::listener::{Listener, What};

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Json> {
    #[inline(never)]
    pub(crate) fn json_leaf(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            JsonNode::Number { lower, upper } => self.json_integer(lower, upper, value),
            JsonNode::Item { .. } => self.item_name(node, value),
            JsonNode::Truth => self.truth(value),
            JsonNode::Nothing => {
                let at = self.at();
                self.literal("null", "null")?;
                self.leaf_set(at, Scalar::Null, value)
            }
            JsonNode::Quoted { lower, upper, alphabet } => self.json_text(lower, upper, alphabet, value),
            JsonNode::Digits { lower, upper } => self.octet_digits(lower, upper, value),
            JsonNode::BitDigits { .. } => self.bit_digits(node, value),
            JsonNode::Float => self.json_float(value),
            JsonNode::Dotted { relative } => self.json_oid(relative, value),
            JsonNode::OpenDigits => self.open_digits(value),
            _ => self.misplaced(),
        }
    }

    /// Reports and sets a leaf that began at octet `at`.
    fn leaf_set(&mut self, at: usize, scalar: Scalar<'_>, value: &mut dyn Data) -> Result<(), Rejected> {
        self.show(at * 8, What::Value(""), scalar);
        if value.set(scalar) { Ok(()) } else { self.no_place(at) }
    }

    /// One of JSON's words.
    fn literal(&mut self, word: &str, expected: &'static str) -> Result<(), Rejected> {
        let (text, at) = (self.reader.octets(), self.at());
        let end = json::word(text, at);
        if text.get(at..end) != Some(word.as_bytes()) {
            return self.other_value(expected);
        }
        self.reader.advance_to(end * 8);
        Ok(())
    }

    fn truth(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.at();
        let truth = self.peek() == Some(b't');
        self.literal(if truth { "true" } else { "false" }, "true or false")?;
        self.leaf_set(at, Scalar::Boolean(truth), value)
    }

    /// The text of a number, which the caller reports.
    fn json_number(&mut self, expected: &'static str) -> Result<&[u8], Rejected> {
        let at = self.at();
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            self.other_value(expected)?;
        }
        let text = self.reader.octets();
        let end = json::number(text, at).map_err(|fault| self.fault(fault))?;
        self.reader.advance_to(end * 8);
        Ok(text.get(at..end).unwrap_or(&[]))
    }

    #[inline(never)]
    fn json_integer(&mut self, lower: i128, upper: i128, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.at();
        let digits = self.json_number("an integer")?;
        let whole = !digits.iter().any(|octet| matches!(octet, b'.' | b'e' | b'E'));
        let number = decimal::parse_integer(digits).filter(|_| whole);
        let Some(number) = number else { return self.other_integer(at, whole, lower, upper, value) };
        if number < lower || number > upper {
            return Err(self.fail_at(ErrorKind::IntegerRange { value: number, lower, upper }, at * 8));
        }
        self.show(at * 8, What::Value(""), Scalar::Integer(number));
        let set = match i64::try_from(number) {
            Ok(number) => value.set_integer(number),
            Err(_) => value.set(Scalar::Integer(number)),
        };
        if set { Ok(()) } else { Err(self.fail_at(ErrorKind::IntegerWidth, at * 8)) }
    }

    /// A number of more than 128 bits, or one with a fraction or an exponent.
    #[cold]
    #[inline(never)]
    fn other_integer(
        &mut self,
        at: usize,
        whole: bool,
        lower: i128,
        upper: i128,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let digits = self.reader.octets().get(at..self.at()).unwrap_or(&[]);
        if !whole {
            return self.notation(at, faults::json::INTEGER);
        }
        let Some(octets) = decimal::parse_wide(digits) else {
            return Err(self.fail_at(arcs::too_many_digits(digits.len()), at * 8));
        };
        let scalar = Scalar::WideInteger(&octets);
        self.show(at * 8, What::Value(""), scalar);
        let outside = if digits.first() == Some(&b'-') { lower != i128::MIN } else { upper != i128::MAX };
        if !outside && value.set(scalar) { Ok(()) } else { Err(self.fail_at(ErrorKind::IntegerWidth, at * 8)) }
    }

    #[inline(never)]
    fn item_name(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Item { root, additions, items } = *node else { return self.misplaced() };
        let at = self.at();
        let name = self.quoted("the name of an item, as a string")?;
        let layout = self.layout;
        let names = layout.items.get(items.range()).unwrap_or(&[]);
        let unnamed = || {
            let additions = additions?;
            if let Some(number) = json::reserved_number(name.characters()) {
                return ordinal_of_unknown_item(number);
            }
            let index = json::reserved_index(name.characters()).filter(|index| *index >= additions)?;
            root.checked_add(index).filter(|ordinal| number_of_unknown_item(*ordinal).is_none())
        };
        let known = names.iter().position(|known| name.is(layout.name(*known))).map(|ordinal| ordinal as u32);
        let Some(ordinal) = known.or_else(unnamed) else {
            return self.unknown_name(at, faults::json::UNKNOWN_ITEM, node);
        };
        self.show(at * 8, What::Value(name.raw), Scalar::Enumerated(ordinal));
        if value.set(Scalar::Enumerated(ordinal)) { Ok(()) } else { self.no_place(at) }
    }

    #[inline(never)]
    fn json_text(&mut self, lower: u64, upper: u64, alphabet: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.at();
        let text = self.quoted("a string")?;
        if !value.begin(Shape::Text) {
            return self.no_place(at);
        }
        let ranges = self.layout.numbers(alphabet);
        let permitted =
            |code: u32| ranges.is_empty() || ranges.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
        let mut size = 0;
        for character in text.characters() {
            let code = u32::from(character);
            size += 1;
            if size > upper {
                return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at * 8));
            }
            if !permitted(code) {
                return Err(self.fail_at(ErrorKind::Alphabet { code }, at * 8));
            }
            if !value.push_char(character) {
                return Err(self.fail_at(ErrorKind::Capacity { size }, at * 8));
            }
        }
        if size < lower {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at * 8));
        }
        if L::ACTIVE {
            self.show(at * 8, What::Value(""), value.scalar());
        }
        Ok(())
    }

    fn octet_digits(&mut self, lower: u64, upper: u64, value: &mut dyn Data) -> Result<(), Rejected> {
        if self.has_containing() {
            return self.notation(self.at(), faults::json::CONTAINING);
        }
        self.hex_octets(lower, upper, What::Value(""), value)
    }

    /// Octets as hexadecimal digits.
    #[inline(never)]
    pub(crate) fn hex_octets(
        &mut self,
        lower: u64,
        upper: u64,
        what: What<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let at = self.at();
        let text = self.quoted("octets: hexadecimal digits in a string")?;
        let count = self.count_digits(at, text)?;
        let size = count as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, at * 8));
        }
        if !value.begin(Shape::Octets) {
            return self.no_place(at);
        }
        match value.extend_octets(count) {
            Some(place) if place.len() == count => {
                fill(place, text);
                self.show(at * 8, what, Scalar::Octets(place));
                Ok(())
            }
            _ => Err(self.fail_at(ErrorKind::Capacity { size }, at * 8)),
        }
    }

    /// The octets of something unknown.
    pub(crate) fn hexadecimal(&mut self, what: What<'_>) -> Result<Vec<u8>, Rejected> {
        let at = self.at();
        let text = self.quoted("octets: hexadecimal digits in a string")?;
        let mut octets = alloc::vec![0; self.count_digits(at, text)?];
        fill(&mut octets, text);
        self.show(at * 8, what, Scalar::Octets(&octets));
        Ok(octets)
    }

    /// How many octets a string of digits stands for.
    fn count_digits(&mut self, at: usize, text: Quoted<'_>) -> Result<usize, Rejected> {
        let mut count = 0usize;
        for character in text.characters() {
            if !character.is_ascii_hexdigit() {
                self.notation(at, faults::json::HEX)?;
            }
            count += 1;
        }
        if count % 2 != 0 {
            self.notation(at, faults::json::HEX_ODD)?;
        }
        Ok(count / 2)
    }

    #[inline(never)]
    fn bit_digits(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::BitDigits { fixed, .. } = *node else { return self.misplaced() };
        let at = self.at();
        if self.peek() == Some(b'{') {
            return self.counted_bits(node, value);
        }
        let text = self.quoted("a BIT STRING: hexadecimal digits")?;
        let Some(bits) = fixed else {
            return self.notation(at, faults::json::BITS_FORM);
        };
        self.set_bits(node, at, at, text, bits, value)?;
        if L::ACTIVE {
            self.show(at * 8, What::Value(""), value.scalar());
        }
        Ok(())
    }

    /// `{"value": digits, "length": bits}`, in this order or the other.
    #[inline(never)]
    fn counted_bits(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.at();
        if self.has_containing() {
            return self.notation(self.at(), faults::json::CONTAINING);
        }
        self.bracket(b'{', "")?;
        let (mut digits, mut length) = (None, None);
        let mut first = true;
        while self.another(b'}', first)? {
            first = false;
            let at = self.at();
            let name = self.member_name()?;
            let here = self.at();
            if name.is("value") && digits.is_none() {
                digits = Some((here, self.quoted("octets: hexadecimal digits in a string")?));
                self.show(here * 8, What::Value(""), Scalar::Unset);
            } else if name.is("length") && length.is_none() {
                let number = self.json_number("a number of bits")?;
                let whole = number.iter().all(u8::is_ascii_digit);
                let bits = decimal::parse_integer(number).filter(|_| whole).and_then(|bits| u64::try_from(bits).ok());
                let Some(bits) = bits else {
                    return Err(self.fail_at(ErrorKind::Mismatch { expected: "a number of bits" }, here * 8));
                };
                self.show(here * 8, What::Length(bits), Scalar::Unset);
                length = Some(bits);
            } else {
                return self.notation(at, faults::json::BITS_MEMBER);
            }
        }
        match (digits, length) {
            (Some((at, digits)), Some(bits)) => self.set_bits(node, start, at, digits, bits, value),
            (None, _) => self.notation(start, faults::json::BITS_VALUE),
            _ => self.notation(start, faults::json::BITS_LENGTH),
        }
    }

    /// Sets a bit string that begins at octet `start`, from its digits at octet `at`.
    #[inline(never)]
    fn set_bits(
        &mut self,
        node: &JsonNode,
        start: usize,
        at: usize,
        text: Quoted<'_>,
        bits: u64,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let JsonNode::BitDigits { lower, upper, trim, .. } = *node else { return self.misplaced() };
        let count = self.count_digits(at, text)?;
        if count as u64 != bits.div_ceil(8) {
            return self.notation(at, faults::json::BITS_DIGITS);
        }
        // No more bits than the text has digits for, so this fits.
        let mut bits = bits as usize;
        let is_one = |bit: usize| nibble(text, bit / 4) >> (3 - bit % 4) & 1 == 1;
        if (bits..count * 8).any(is_one) {
            return self.notation(at, faults::json::BITS_UNUSED);
        }
        if trim {
            let least = usize::try_from(lower).unwrap_or(usize::MAX);
            let most = usize::try_from(upper).unwrap_or(usize::MAX);
            if bits > most {
                bits = last_one(text).max(most);
            }
            // Pads only to a least size of up to 64K bits.
            bits = if bits < least && least <= most.min(1 << 16) { least } else { bits };
        }
        let size = bits as u64;
        if size < lower || size > upper {
            return Err(self.fail_at(ErrorKind::Size { size, lower, upper }, start * 8));
        }
        if bits <= 64 {
            let mut octets = [0; 8];
            fill(&mut octets, text);
            let word = BitWord::from_octets(&octets, bits);
            if word.is_some_and(|word| value.set(Scalar::Word(word))) {
                return Ok(());
            }
        }
        if !value.begin(Shape::Bits) {
            return self.no_place(start);
        }
        match value.extend_bits(bits) {
            Some(place) if place.len() == bits.div_ceil(8) => {
                fill(place, text);
                Ok(())
            }
            _ => Err(self.fail_at(ErrorKind::Capacity { size }, start * 8)),
        }
    }

    /// X.697: the content of a string that contains a type is given as its value. Another string
    /// has no such form.
    pub(crate) fn has_containing(&self) -> bool {
        let text = self.reader.octets();
        self.peek() == Some(b'{')
            && json::string_if(text, json::space(text, self.at() + 1)).is_some_and(|(name, _)| name.is("containing"))
    }

    #[inline(never)]
    fn json_float(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.at();
        let real = match self.peek() {
            Some(b'"') => {
                let text = self.quoted("a number")?;
                match json::SPECIAL_REALS.iter().find(|(name, _)| text.is(name)) {
                    Some((_, real)) => *real,
                    None => {
                        return self.notation(at, faults::json::REAL_SPECIAL);
                    }
                }
            }
            Some(b'{') => return self.base10_value(value),
            _ => self.json_real()?,
        };
        self.leaf_set(at, Scalar::Real(real), value)
    }

    /// `{"base10Value": number}`
    #[cold]
    #[inline(never)]
    fn base10_value(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.at();
        self.bracket(b'{', "")?;
        if !self.another(b'}', true)? {
            return self.notation(start, faults::json::REAL_VALUE);
        }
        let at = self.at();
        if !self.member_name()?.is("base10Value") {
            return self.notation(at, faults::json::REAL_MEMBER);
        }
        let at = self.at();
        let real = self.json_real()?;
        self.leaf_set(at, Scalar::Real(real), value)?;
        let at = self.at();
        if self.another(b'}', false)? {
            return self.notation(at, faults::json::REAL_MEMBER);
        }
        Ok(())
    }

    /// A number as the nearest double.
    fn json_real(&mut self) -> Result<f64, Rejected> {
        let at = self.at();
        let text = core::str::from_utf8(self.json_number("a number")?).unwrap_or("");
        match RealContents::nearest(text) {
            Ok(real) => Ok(real),
            Err(kind) => Err(self.fail_at(kind, at * 8)),
        }
    }

    #[inline(never)]
    fn json_oid(&mut self, relative: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.at();
        let text = self.quoted("an object identifier, as a string")?;
        let mut arcs = Arcs::new(relative);
        match arcs.push_characters(text.characters()).and_then(|()| arcs.finish()) {
            Ok(contents) => self.leaf_set(at, Scalar::Oid(&contents), value),
            Err(kind) => Err(self.fail_at(kind, at * 8)),
        }
    }
}

/// Fills octets from digits; octets without digits are zero.
fn fill(place: &mut [u8], text: Quoted<'_>) {
    let mut digits = text.characters().map(|digit| digit.to_digit(16).unwrap_or(0) as u8);
    for octet in place {
        *octet = digits.next().unwrap_or(0) << 4 | digits.next().unwrap_or(0);
    }
}

/// Digit `at`, counted from the start; only called for the last digits.
fn nibble(text: Quoted<'_>, at: usize) -> u32 {
    text.characters().nth(at).and_then(|digit| digit.to_digit(16)).unwrap_or(0)
}

/// How many bits there are up to the last one that is not zero.
fn last_one(text: Quoted<'_>) -> usize {
    let digits = text.characters().enumerate().filter_map(|(at, digit)| Some((at, digit.to_digit(16)?)));
    digits.filter(|(_, digit)| *digit != 0).last().map_or(0, |(at, digit)| at * 4 + 4 - digit.trailing_zeros() as usize)
}
