//! Decoding: the leaves.

use roadwire_layout::{Bound, CharacterSet, Extent, Form, Items, Node, Span};
use roadwire_wire::rt::packed;
use roadwire_wire::rt::{RealContents, TwosComplement};
use roadwire_wire::{
    BitWord, Data, ErrorKind, Rejected, Scalar, Shape, Thing, faults, number_of_unknown_item, ordinal_of_unknown_item,
};

use super::extent::{Chunk, Field};
use crate::decode::{Decoder, Family};
use crate::families;
use crate::listener::{Listener, What};
use crate::wide;

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    #[inline(never)]
    pub(crate) fn word(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Word { width, form, lower, upper } = *node else { return self.misplaced() };
        let field = self.take_field(width)?;
        if let Some((lower, upper)) = lower.near().zip(upper.near()) {
            let number = form.read_near(field.value, width, lower);
            if lower <= number && number <= upper && value.set_integer(number) {
                if L::ACTIVE {
                    self.show(field.at, What::Value(""), Scalar::Integer(number.into()));
                }
                return Ok(());
            }
        }
        self.other_word(node, field, value)
    }

    /// A number of which a bound is far, that is outside its bounds, or too wide for its type.
    #[inline(never)]
    fn other_word(&mut self, node: &Node, field: Field, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Word { width, form, lower, upper } = *node else { return self.misplaced() };
        let number = form.read(field.value, width, self.layout.bounds(lower, upper).0);
        self.set_within(field.at, (lower, upper), number, value)
    }

    /// Sets a number of which it is not known that it has 64 bits.
    pub(crate) fn set_word(&mut self, at: usize, number: i128, value: &mut dyn Data) -> Result<(), Rejected> {
        match i64::try_from(number) {
            Ok(number) if value.set_integer(number) => Ok(()),
            _ if value.set(Scalar::Integer(number)) => Ok(()),
            _ => Err(self.fail_at(ErrorKind::IntegerWidth, at)),
        }
    }

    #[inline(never)]
    pub(crate) fn enumerated(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Enumerated { width, root, additions, ordinals, items } = *node else { return self.misplaced() };
        if additions.is_some() && self.extension_bit()? {
            return self.added_item(node, value);
        }
        let field = self.take_field(width)?;
        let index = field.value;
        if index >= u64::from(root) {
            return self.spare_item(node, field, value);
        }
        let ordinal = self.layout.numbers(ordinals).get(index as usize).copied().unwrap_or(index as u32);
        if L::ACTIVE {
            self.show_item(items, ordinal, field.at);
        }
        self.set_item(ordinal, value)
    }

    #[inline(never)]
    pub(crate) fn set_item(&mut self, ordinal: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        if value.set(Scalar::Enumerated(ordinal)) { Ok(()) } else { self.unfit() }
    }

    #[cold]
    #[inline(never)]
    fn added_item(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Enumerated { root, items, .. } = *node else { return self.misplaced() };
        let (at, aligned) = (self.reader.position(), self.is_aligned());
        let ordinal = |index| root.checked_add(u32::try_from(index).ok()?);
        let ordinal = match packed::take_small(&mut self.reader, aligned).map(ordinal) {
            Ok(Some(ordinal)) if number_of_unknown_item(ordinal).is_none() => ordinal,
            _ => return Err(self.refuse(at, 7, faults::packed::ENUMERATION_INDEX)),
        };
        if L::ACTIVE {
            self.show_item(items, ordinal, at);
        }
        self.set_item(ordinal, value)
    }

    /// An index that no item has. A layout for open reading has an ordinal for it.
    #[cold]
    #[inline(never)]
    fn spare_item(&mut self, node: &Node, field: Field, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Enumerated { root, ordinals, items, .. } = *node else { return self.misplaced() };
        let (index, count) = (field.value, u64::from(root));
        match self.layout.numbers(ordinals).get(index as usize).copied() {
            Some(ordinal) => {
                if L::ACTIVE {
                    self.show_item(items, ordinal, field.at);
                }
                self.set_item(ordinal, value)
            }
            None => Err(self.fail_at(ErrorKind::EnumerationIndex { index, count }, field.at)),
        }
    }

    pub(crate) fn show_item(&mut self, items: Items, ordinal: u32, from: usize) {
        let names = self.layout.items.get(items.range()).unwrap_or(&[]);
        let name = names.get(ordinal as usize).map_or("", |name| self.layout.name(*name));
        self.show(from, What::Value(name), Scalar::Enumerated(ordinal));
    }

    /// X.696 §11
    #[inline(never)]
    fn numbered(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Numbered { values, extensible, items } = *node else { return self.misplaced() };
        let at = self.reader.position();
        let first = self.take(8)?;
        let number = if first & 0x80 == 0 { first as i64 } else { self.item_number(at, first & 0x7f)? };
        self.set_numbered(at, number, (values, items, extensible), value)
    }

    /// Sets the item with this number.
    pub(crate) fn set_numbered(
        &mut self,
        at: usize,
        number: i64,
        (values, items, extensible): (Span, Items, bool),
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let numbers = self.layout.numbers(values).chunks_exact(2);
        let known = numbers.clone().position(|pair| wide::item_number([pair[0], pair[1]]) == number);
        let all = numbers.zip(0..).map(|(pair, ordinal)| (wide::item_number([pair[0], pair[1]]), ordinal));
        self.set_known_or_later(at, number, known.map(|known| known as u32), (items, extensible), all, value)
    }

    /// Sets the item with this number: the known one, or one of a later version. `all` are the
    /// numbers and ordinals of those that are known.
    pub(crate) fn set_known_or_later(
        &mut self,
        at: usize,
        number: i64,
        known: Option<u32>,
        (items, extensible): (Items, bool),
        all: impl Iterator<Item = (i64, u32)>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let later = || ordinal_of_unknown_item(number).filter(|_| extensible);
        let Some(ordinal) = known.or_else(later) else {
            return Err(self.no_item(at, number.into(), all, items));
        };
        if L::ACTIVE {
            self.show_item(items, ordinal, at);
        }
        self.set_item(ordinal, value)
    }

    /// A number of `octets` octets, at most 127.
    #[cold]
    #[inline(never)]
    fn item_number(&mut self, at: usize, octets: u64) -> Result<i64, Rejected> {
        let mut place = [0u8; 127];
        let number = place.get_mut(..octets as usize).unwrap_or(&mut []);
        if self.reader.take_octets(number).is_err() {
            return self.truncated(octets as usize * 8);
        }
        match TwosComplement::read_signed(number).map(i64::try_from) {
            Some(Ok(wide)) if !number.is_empty() => Ok(wide),
            _ => Err(self.found(faults::octet::ENUMERATED, at, Thing::Length(octets), Thing::None)),
        }
    }

    #[inline(never)]
    pub(crate) fn leaf(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            Node::Boolean { bits } => {
                let at = self.reader.position();
                let any = self.take(u32::from(bits))? != 0;
                self.set(at, Scalar::Boolean(any), value)
            }
            Node::Characters { .. } | Node::Text { .. } if !cfg!(feature = "strings") => Err(self.not_built("strings")),
            Node::Numbered { .. } | Node::BinaryReal { .. } if !families::OCTET => Err(self.not_built("octet")),
            Node::Real | Node::BinaryReal { .. } if !cfg!(feature = "real") => Err(self.not_built("real")),
            Node::Numbered { .. } => self.numbered(node, value),
            Node::Null => self.set(self.reader.position(), Scalar::Null, value),
            Node::Bits { ref extent, whole, .. } => self.bits(extent, whole, value),
            Node::Octets { ref extent } => self.octets(extent, value),
            Node::Characters { ref extent, characters } => {
                self.characters(extent, self.layout.character_set(characters), value)
            }
            Node::Text { .. } => self.text(node, value),
            Node::Integer { .. } => self.integer(node, value),
            Node::Time { .. } => self.time(node, value),
            Node::BinaryReal { .. } => self.float(node, value),
            Node::WideWord { .. } | Node::WideInteger { .. } | Node::Real | Node::Oid { .. } | Node::Open => {
                self.heap_leaf(node, value)
            }
            _ => self.misplaced(),
        }
    }

    /// Reports and sets a leaf that began at bit `at`.
    pub(crate) fn set(&mut self, at: usize, scalar: Scalar<'_>, value: &mut dyn Data) -> Result<(), Rejected> {
        self.show(at, What::Value(""), scalar);
        if value.set(scalar) {
            Ok(())
        } else if matches!(scalar, Scalar::Integer(_) | Scalar::WideInteger(_)) {
            Err(self.fail_at(ErrorKind::IntegerWidth, at))
        } else {
            self.unfit()
        }
    }

    /// Reports and sets a bit string of a bounded size that began at bit `at`. A generated type
    /// whose size is extensible can hold any number of bits.
    #[inline(never)]
    pub(crate) fn set_bit_word(&mut self, at: usize, word: BitWord, value: &mut dyn Data) -> Result<(), Rejected> {
        self.show(at, What::Value(""), Scalar::Word(word));
        if value.set(Scalar::Word(word)) {
            return Ok(());
        }
        if !value.begin(Shape::Bits) {
            return self.unfit();
        }
        let bits = usize::from(word.bits);
        let octets = word.to_octets();
        match value.extend_bits(bits) {
            Some(place) if place.len() == bits.div_ceil(8) => {
                place.iter_mut().zip(octets).for_each(|(place, octet)| *place = octet);
                Ok(())
            }
            _ => self.full(word.bits.into()),
        }
    }

    #[cold]
    #[inline(never)]
    fn unfit(&mut self) -> Result<(), Rejected> {
        self.mismatch("of the type that the layout has")
    }

    fn float(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::BinaryReal { bits, mantissa, exponent } = *node else { return self.mismatch("a place for a REAL") };
        let at = self.reader.position();
        let word = self.take(u32::from(bits))?;
        let real = if bits == 32 { f64::from(f32::from_bits(word as u32)) } else { f64::from_bits(word) };
        if !RealContents::is_product(real, mantissa, (exponent.0.into(), exponent.1.into())) {
            return Err(self.fail_at(ErrorKind::RealRange, at));
        }
        self.set(at, Scalar::Real(real), value)
    }

    pub(crate) fn set_oid(&mut self, at: usize, contents: &[u8], value: &mut dyn Data) -> Result<(), Rejected> {
        if !roadwire_wire::rt::is_oid(contents) {
            return Err(self.other_contents(faults::shared::OID, at, contents));
        }
        self.set(at, Scalar::Oid(contents), value)
    }

    #[inline(never)]
    fn bits(&mut self, extent: &Extent, whole: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let chunk = self.first_chunk(extent, 1)?;
        if chunk.units <= 64 && !chunk.more && extent.upper <= 64 && !extent.extensible {
            let at = self.reader.position();
            let bits = chunk.units as u32;
            let word = BitWord { value: self.take(bits)?, bits: bits as u8 };
            self.set(at, Scalar::Word(word), value)?;
        } else {
            if !value.begin(Shape::Bits) {
                return self.mismatch("a place for a BIT STRING");
            }
            self.fill(chunk, extent, 1, value)?;
        }
        let unused = if whole { chunk.units.wrapping_neg() as usize % 8 } else { 0 };
        self.skip(unused)?;
        self.show_padding(unused);
        Ok(())
    }

    #[inline(never)]
    fn octets(&mut self, extent: &Extent, value: &mut dyn Data) -> Result<(), Rejected> {
        let chunk = self.first_chunk(extent, 8)?;
        if !value.begin(Shape::Octets) {
            return self.mismatch("a place for an OCTET STRING");
        }
        self.fill(chunk, extent, 8, value)
    }

    /// Fills a string of units of `width` (1 or 8) bits, chunk by chunk.
    pub(crate) fn fill(
        &mut self,
        first: Chunk,
        extent: &Extent,
        width: usize,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let mut chunk = first;
        let mut total = 0u64;
        loop {
            let at = self.reader.position();
            total += chunk.units;
            let (units, bits) = (chunk.units as usize, chunk.units as usize * width);
            // Before any memory is allocated.
            if self.reader.need(bits).is_err() {
                return self.truncated(bits);
            }
            let place = if width == 1 { value.extend_bits(units) } else { value.extend_octets(units) };
            let octets = match place {
                Some(place) if place.len() == bits.div_ceil(8) => {
                    self.reader.take_bits(place, bits)?;
                    &*place
                }
                _ => return self.full(total),
            };
            let shown = if width == 1 { Scalar::Bits(octets, units) } else { Scalar::Octets(octets) };
            self.show(at, What::Value(""), shown);
            if !chunk.more {
                return if first.more { self.whole_size(total, extent) } else { Ok(()) };
            }
            chunk = self.next_chunk()?;
        }
    }

    #[inline(never)]
    fn characters(&mut self, extent: &Extent, coding: CharacterSet<'_>, value: &mut dyn Data) -> Result<(), Rejected> {
        let first = self.first_chunk(extent, u32::from(coding.bits))?;
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let mut chunk = first;
        let mut total = 0;
        loop {
            let at = self.reader.position();
            total += chunk.units;
            for _ in 0..chunk.units {
                self.count_character()?;
                let at = self.reader.position();
                let place = self.take(u32::from(coding.bits))? as u32;
                let code = packed::code_of(place, coding.indexed, coding.alphabet);
                let character = code.and_then(char::from_u32);
                let Some(character) = character else {
                    return Err(self.fail_at(ErrorKind::Alphabet { code: place }, at));
                };
                if !value.push_char(character) {
                    return self.full(total);
                }
            }
            if L::ACTIVE {
                self.show(at, What::Value(""), value.scalar());
            }
            if !chunk.more {
                return if first.more { self.whole_size(total, extent) } else { Ok(()) };
            }
            chunk = self.next_chunk()?;
        }
    }

    #[inline(never)]
    fn text(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Text { utf8, lower, upper, alphabet } = *node else { return self.misplaced() };
        let alphabet = self.layout.numbers(alphabet);
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let start = self.reader.position();
        let mut characters = 0u64;
        let mut sequence = Sequence::default();
        loop {
            let chunk = self.next_chunk()?;
            let at = self.reader.position();
            for _ in 0..chunk.units {
                let octet = self.take(8)? as u8;
                let character = if utf8 {
                    match sequence.next(octet) {
                        Ok(None) => continue,
                        Ok(Some(character)) => character,
                        Err(()) => return Err(self.fail_at(ErrorKind::Text("not valid UTF-8"), at)),
                    }
                } else {
                    char::from(octet)
                };
                let code = u32::from(character);
                if !alphabet.is_empty() && packed::code_of(code, false, alphabet).is_none() {
                    return Err(self.fail_at(ErrorKind::Alphabet { code }, at));
                }
                characters += 1;
                if characters > upper {
                    return Err(self.fail_at(ErrorKind::Size { size: characters, lower, upper }, start));
                }
                if !value.push_char(character) {
                    return self.full(characters);
                }
            }
            if L::ACTIVE {
                self.show(at, What::Value(""), value.scalar());
            }
            if !chunk.more {
                if !sequence.is_complete() {
                    return Err(self.fail_at(ErrorKind::Text("the last UTF-8 character is cut short"), start));
                }
                if characters < lower {
                    return Err(self.fail_at(ErrorKind::Size { size: characters, lower, upper }, start));
                }
                return Ok(());
            }
        }
    }

    #[inline(never)]
    fn integer(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Integer { form, lower, upper } = *node else { return self.misplaced() };
        let chunk = self.next_chunk()?;
        let start = self.reader;
        let at = start.position();
        if chunk.units <= 16 && !chunk.more {
            let mut octets = [0u8; 16];
            let (fill, few) = octets.split_at_mut_checked(16 - chunk.units as usize).unwrap_or_default();
            if self.reader.take_octets(few).is_err() {
                let bits = few.len() * 8;
                return self.truncated(bits);
            }
            if form == Form::Signed && few.first().is_some_and(|first| first & 0x80 != 0) {
                fill.fill(0xff);
            }
            let is_empty = few.is_empty();
            let number = i128::from_be_bytes(octets);
            let number = match form {
                _ if is_empty => None,
                Form::Signed => Some(number),
                _ if number < 0 => None,
                Form::Unsigned => Some(number),
                Form::Offset => self.layout.bound(lower).unwrap_or(0).checked_add(number),
            };
            if let Some(number) = number {
                return self.set_within(at, (lower, upper), number, value);
            }
        }
        self.reader = start;
        let [lower, upper] = [lower, upper].map(|bound| self.layout.bound(bound).map(i128::to_be_bytes));
        let (lower, upper) = (lower.as_ref().map_or(&[][..], |of| of), upper.as_ref().map_or(&[][..], |of| of));
        self.long_integer(chunk, form, (lower, upper), value)
    }

    /// Sets an integer whose encoding could also hold values outside its bounds.
    #[inline(never)]
    fn set_within(
        &mut self,
        at: usize,
        (lower, upper): (Bound, Bound),
        number: i128,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let (lower, upper) = self.layout.bounds(lower, upper);
        if number < lower || number > upper {
            return Err(self.fail_at(ErrorKind::IntegerRange { value: number, lower, upper }, at));
        }
        self.set(at, Scalar::Integer(number), value)
    }
}

/// A UTF-8 character being read.
#[derive(Default)]
struct Sequence {
    octets: [u8; 4],
    length: usize,
}

impl Sequence {
    fn is_complete(&self) -> bool {
        self.length == 0
    }

    /// Takes the next octet; returns the character if it is complete.
    fn next(&mut self, octet: u8) -> Result<Option<char>, ()> {
        let Some(place) = self.octets.get_mut(self.length) else { return Err(()) };
        *place = octet;
        self.length += 1;
        let wanted = match self.octets[0] {
            0..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err(()),
        };
        if self.length < wanted {
            return Ok(None);
        }
        let text = core::str::from_utf8(&self.octets[..wanted]).map_err(|_| ())?;
        self.length = 0;
        Ok(text.chars().next())
    }
}
