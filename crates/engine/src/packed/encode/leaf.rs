//! Encoding: the leaves.

use crate::encode::Family;
use roadwire_layout::{Bound, CharacterSet, Extent, Form, Node, Span, Width};
use roadwire_wire::rt::packed;
use roadwire_wire::rt::{RealContents, TwosComplement, octet};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, number_of_unknown_item};

use crate::bits::{bits_of, without_zeros};
use crate::encode::Encoder;
use crate::{families, wide};

impl<F: Family> Encoder<'_, '_, '_, F> {
    #[inline(never)]
    pub(crate) fn word(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Word { width, form, lower, upper } = *node else { return self.misplaced() };
        match (value.integer(), lower.near(), upper.near()) {
            (Some(number), Some(lower), Some(upper)) if lower <= number && number <= upper => {
                self.put_field(form.write_near(number, width, lower), width)
            }
            _ => self.other_word(node, value),
        }
    }

    /// A number of more than 64 bits, or of which a bound is far; or an error.
    #[inline(never)]
    fn other_word(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Word { width, form, lower, upper } = *node else { return self.misplaced() };
        match value.scalar() {
            Scalar::Integer(number) => {
                self.check_range(number, lower, upper)?;
                self.put_field(form.write(number, width, self.layout.bounds(lower, upper).0), width)
            }
            Scalar::WideInteger(_) => Err(self.fail(ErrorKind::IntegerWidth)),
            _ => self.mismatch("an INTEGER"),
        }
    }

    #[inline(never)]
    fn check_range(&mut self, value: i128, lower: Bound, upper: Bound) -> Result<(), Rejected> {
        let (lower, upper) = self.layout.bounds(lower, upper);
        if lower <= value && value <= upper {
            return Ok(());
        }
        Err(self.fail(ErrorKind::IntegerRange { value, lower, upper }))
    }

    #[inline(never)]
    pub(crate) fn enumerated(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Enumerated { width, root, additions, ordinals, .. } = *node else { return self.misplaced() };
        let Scalar::Enumerated(ordinal) = value.scalar() else { return self.mismatch("an ENUMERATED") };
        if ordinal < root {
            let ordinals = self.layout.numbers(ordinals);
            let index = match ordinals.iter().position(|other| *other == ordinal) {
                Some(index) => index as u64,
                None => u64::from(ordinal),
            };
            if additions.is_some() {
                self.writer.put_bit(false)?;
            }
            return self.put_field(index, width);
        }
        if additions.is_none() || number_of_unknown_item(ordinal).is_some() {
            return self.spare_item(node, ordinal);
        }
        self.writer.put_bit(true)?;
        let aligned = self.is_aligned();
        packed::put_small(&mut self.writer, u64::from(ordinal - root), aligned)
    }

    /// An item that the type does not have. A layout for open writing has an index for it.
    #[cold]
    #[inline(never)]
    fn spare_item(&mut self, node: &Node, ordinal: u32) -> Result<(), Rejected> {
        let Node::Enumerated { width, root, additions, ordinals, .. } = *node else { return self.misplaced() };
        let place = self.layout.numbers(ordinals).iter().position(|other| *other == ordinal);
        match place {
            Some(index) => {
                if additions.is_some() {
                    self.writer.put_bit(false)?;
                }
                self.put_field(index as u64, width)
            }
            None if additions.is_some() => self.mismatch("an item whose index is known, which these rules carry"),
            None => Err(self.fail(ErrorKind::EnumerationIndex { index: u64::from(ordinal), count: u64::from(root) })),
        }
    }

    #[inline(never)]
    pub(crate) fn leaf(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let scalar = value.scalar();
        match (node, scalar) {
            (Node::Boolean { bits }, Scalar::Boolean(value)) => {
                self.writer.put(if value { (1 << bits) - 1 } else { 0 }, u32::from(*bits))
            }
            (Node::Boolean { .. }, _) => self.mismatch("a BOOLEAN"),
            (Node::Characters { .. } | Node::Text { .. }, _) if !cfg!(feature = "strings") => {
                Err(self.not_built("strings"))
            }
            (Node::Numbered { .. } | Node::BinaryReal { .. }, _) if !families::OCTET => Err(self.not_built("octet")),
            (Node::Real | Node::BinaryReal { .. }, _) if !cfg!(feature = "real") => Err(self.not_built("real")),
            (Node::Numbered { values, extensible, .. }, Scalar::Enumerated(ordinal)) => {
                self.numbered(*values, *extensible, ordinal)
            }
            (Node::Numbered { .. }, _) => self.mismatch("an ENUMERATED"),
            (Node::Null, Scalar::Null) => Ok(()),
            (Node::Null, _) => self.mismatch("NULL"),
            (Node::Bits { extent, trim, whole }, _) => self.bits(extent, trim.least(), *whole, scalar),
            (Node::Octets { extent }, Scalar::Octets(octets)) => self.units(extent, octets, 8, octets.len()),
            (Node::Octets { .. }, _) => self.mismatch("an OCTET STRING"),
            (Node::Characters { extent, characters }, Scalar::Text(text)) => {
                self.characters(extent, self.layout.character_set(*characters), text)
            }
            (Node::Text { .. }, Scalar::Text(text)) => self.text(node, text),
            (Node::Characters { .. } | Node::Text { .. }, _) => self.mismatch("a character string"),
            (Node::Integer { .. }, _) => self.integer(node, scalar),
            (Node::WideWord { .. } | Node::WideInteger { .. }, _) => self.heap_leaf(node, value),
            (Node::Real, Scalar::Real(value)) => self.real(value),
            (Node::BinaryReal { .. }, Scalar::Real(value)) => self.float(node, value),
            (Node::Real | Node::BinaryReal { .. }, _) => self.mismatch("a REAL"),
            (Node::Oid { .. }, Scalar::Oid(contents)) => self.counted_octets(contents),
            (Node::Oid { .. }, _) => self.mismatch("an object identifier"),
            (Node::Open, Scalar::Octets([])) if self.layout.least_octets() > 0 => self.counted_octets(&[0]),
            (Node::Open, Scalar::Octets(octets)) => self.counted_octets(octets),
            (Node::Open, _) => self.mismatch("the octets of an open type"),
            (Node::Time { .. }, _) => self.time(node, value),
            _ => self.misplaced(),
        }
    }

    #[inline(never)]
    fn real(&mut self, value: f64) -> Result<(), Rejected> {
        self.counted_octets(RealContents::of(value).octets())
    }

    /// X.696 §12.2, §12.3: a value that the format cannot hold is not of the type.
    fn float(&mut self, node: &Node, value: f64) -> Result<(), Rejected> {
        let Node::BinaryReal { bits, mantissa, exponent } = *node else { return self.mismatch("a REAL") };
        if !RealContents::is_product(value, mantissa, (exponent.0.into(), exponent.1.into())) {
            return Err(self.fail(ErrorKind::RealRange));
        }
        let value = if value.is_nan() { f64::NAN } else { value };
        match bits {
            32 => self.writer.put(u64::from((value as f32).to_bits()), 32),
            _ => self.writer.put_wide(value.to_bits(), 64),
        }
    }

    /// X.696 §11
    #[inline(never)]
    fn numbered(&mut self, values: Span, extensible: bool, ordinal: u32) -> Result<(), Rejected> {
        let number = self.number_of_item(values, extensible, ordinal)?;
        if (0..=127).contains(&number) {
            return self.writer.put(number as u64, 8);
        }
        let octets = octet::signed_octets_of(number);
        self.writer.put(0x80 | u64::from(octets), 8)?;
        self.put_field(Form::Signed.write(number.into(), Width::Anywhere(octets * 8), 0), Width::Anywhere(octets * 8))
    }

    /// The number of an item. The ordinal of an unknown item contains its number (see
    /// [`number_of_unknown_item`]).
    pub(crate) fn number_of_item(&mut self, values: Span, extensible: bool, ordinal: u32) -> Result<i64, Rejected> {
        let numbers = self.layout.numbers(values);
        let known = (ordinal as usize).checked_mul(2).and_then(|at| numbers.get(at..)?.first_chunk::<2>());
        if let Some(number) = known {
            return Ok(wide::item_number(*number));
        }
        let known = numbers.chunks_exact(2).map(|pair| wide::item_number([pair[0], pair[1]]));
        self.number_of_later_item(known, extensible, ordinal)
    }

    /// The number of an unknown item.
    pub(crate) fn number_of_later_item(
        &mut self,
        known: impl Iterator<Item = i64> + Clone,
        extensible: bool,
        ordinal: u32,
    ) -> Result<i64, Rejected> {
        match number_of_unknown_item(ordinal) {
            Some(number) if extensible && !known.clone().any(|item| item == number) => Ok(number),
            None if extensible => {
                Err(self
                    .fail(ErrorKind::Mismatch { expected: "an item whose number is known, which these rules carry" }))
            }
            _ => Err(self.fail(ErrorKind::EnumerationIndex { index: ordinal.into(), count: known.count() as u64 })),
        }
    }

    /// X.691 §16: trailing zero bits of a string with named bits are removed, or added up to the
    /// least size (§16.2, §16.3).
    #[inline(never)]
    fn bits(&mut self, extent: &Extent, trim: Option<u64>, whole: bool, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let mut word = [0; 8];
        let Some((octets, mut bits)) = bits_of(scalar, &mut word) else {
            return self.mismatch("a BIT STRING");
        };
        if let Some(least) = trim {
            bits = without_zeros(octets, bits).max(usize::try_from(least).unwrap_or(usize::MAX));
        }
        self.units(extent, octets, 1, bits)?;
        if whole { self.writer.put(0, (bits.wrapping_neg() % 8) as u32) } else { Ok(()) }
    }

    /// A string of `count` units of `width` bits; units past the octets' end are zero.
    fn units(&mut self, extent: &Extent, octets: &[u8], width: usize, count: usize) -> Result<(), Rejected> {
        let mut run = self.first_run(extent, count, width)?;
        let mut at = 0;
        loop {
            // Fragments are multiples of 16K units, so each begins at an octet.
            let rest = octets.get(at * width / 8..).unwrap_or(&[]);
            self.writer.put_bits(rest, run.units * width)?;
            at += run.units;
            if !run.more {
                return Ok(());
            }
            run = self.next_run(count - at)?;
        }
    }

    #[inline(never)]
    fn characters(&mut self, extent: &Extent, coding: CharacterSet<'_>, text: &str) -> Result<(), Rejected> {
        let mut left = text.chars().count();
        let mut run = self.first_run(extent, left, usize::from(coding.bits))?;
        let mut characters = text.chars();
        loop {
            for character in characters.by_ref().take(run.units) {
                let code = u32::from(character);
                match packed::place_of(code, coding.indexed, coding.alphabet) {
                    Some(place) => self.writer.put(u64::from(place), u32::from(coding.bits))?,
                    None => return Err(self.fail(ErrorKind::Alphabet { code })),
                }
            }
            if !run.more {
                return Ok(());
            }
            left -= run.units;
            run = self.next_run(left)?;
        }
    }

    #[inline(never)]
    fn text(&mut self, node: &Node, text: &str) -> Result<(), Rejected> {
        let Node::Text { utf8, lower, upper, alphabet } = *node else { return self.misplaced() };
        let count = text.chars().count() as u64;
        if count < lower || count > upper {
            return Err(self.fail(ErrorKind::Size { size: count, lower, upper }));
        }
        let alphabet = self.layout.numbers(alphabet);
        if !alphabet.is_empty() {
            let outside = |code: &u32| packed::code_of(*code, false, alphabet).is_none();
            if let Some(code) = text.chars().map(u32::from).find(outside) {
                return Err(self.fail(ErrorKind::Alphabet { code }));
            }
        }
        if utf8 {
            return self.counted_octets(text.as_bytes());
        }
        if let Some(character) = text.chars().find(|character| u32::from(*character) > 0xff) {
            return Err(self.fail(ErrorKind::Alphabet { code: u32::from(character) }));
        }
        let (mut left, mut characters) = (count as usize, text.chars());
        loop {
            let run = self.next_run(left)?;
            characters.by_ref().take(run.units).try_for_each(|one| self.writer.put(u32::from(one).into(), 8))?;
            if !run.more {
                return Ok(());
            }
            left -= run.units;
        }
    }

    /// X.691 §11.7, §11.8; X.696 §10.3, §10.4
    #[inline(never)]
    fn integer(&mut self, node: &Node, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let Node::Integer { form, lower, upper } = *node else { return self.misplaced() };
        match scalar {
            Scalar::Integer(value) => {
                self.check_range(value, lower, upper)?;
                let number = match form {
                    Form::Signed => TwosComplement::signed(value),
                    Form::Unsigned => TwosComplement::unsigned(value as u128),
                    Form::Offset => {
                        let lower = self.layout.bound(lower).unwrap_or(0);
                        TwosComplement::unsigned(value.wrapping_sub(lower) as u128)
                    }
                };
                self.counted_octets(number.octets())
            }
            Scalar::WideInteger(octets) => {
                let [lower, upper] = [lower, upper].map(|bound| self.layout.bound(bound).map(i128::to_be_bytes));
                self.long_integer(
                    form,
                    lower.as_ref().map_or(&[], |of| of),
                    upper.as_ref().map_or(&[], |of| of),
                    octets,
                )
            }
            _ => self.mismatch("an INTEGER"),
        }
    }
}
