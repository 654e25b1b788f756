//! Encoding: lengths and contents octets of values that are not composed of others (X.690 §8.2 to
//! §8.26, §11).

use super::Tlv;
use roadwire_layout::tlv::item_values;
use roadwire_layout::{Contents, Name, Span};
use roadwire_wire::rt::packed;
use roadwire_wire::rt::time::Time;
use roadwire_wire::rt::{RealContents, TwosComplement};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar};

use crate::bits::{bits_of, without_zeros};
use crate::encode::Encoder;
use crate::encode::time;
use crate::records::time_of;
use crate::times::FORM;
use crate::wide;

impl Encoder<'_, '_, '_, Tlv> {
    #[inline(never)]
    pub(crate) fn leaf_contents(&mut self, leaf: &Contents, value: &dyn Data) -> Result<(), Rejected> {
        if let Contents::Integer { lower, upper } = *leaf {
            return self.narrow(lower, upper, value);
        }
        let scalar = value.scalar();
        match (*leaf, scalar) {
            (Contents::Null, Scalar::Null) => self.length(0),
            (Contents::Null, _) => self.mismatch("NULL"),
            (Contents::Boolean, Scalar::Boolean(value)) => self.writer.put(if value { 0x1ff } else { 0x100 }, 16),
            (Contents::Boolean, _) => self.mismatch("a BOOLEAN"),
            (Contents::WideInteger { lower, upper }, _) => self.wide_integer_contents(lower, upper, scalar),
            (Contents::Enumerated { values, extensible, .. }, Scalar::Enumerated(ordinal)) => {
                self.item(values, extensible, ordinal)
            }
            (Contents::Enumerated { .. }, _) => self.mismatch("an ENUMERATED"),
            (Contents::Real, Scalar::Real(value)) => self.octets_after_length(RealContents::of(value).octets()),
            (Contents::Real, _) => self.mismatch("a REAL"),
            (Contents::Oid { .. }, Scalar::Oid(contents)) => self.octets_after_length(contents),
            (Contents::Oid { .. }, _) => self.mismatch("an object identifier"),
            (Contents::Bits { lower, upper, trim }, _) => self.bit_contents(lower, upper, trim, scalar),
            (Contents::Octets { lower, upper }, Scalar::Octets(octets)) => {
                self.size(octets.len() as u64, lower, upper)?;
                self.octets_after_length(octets)
            }
            (Contents::Octets { .. }, _) => self.mismatch("an OCTET STRING"),
            (_, Scalar::Text(text)) => self.text_contents(leaf, text),
            _ => self.mismatch("a character string"),
        }
    }

    fn octets_after_length(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        self.length(octets.len())?;
        self.writer.put_octets(octets)
    }

    #[inline(never)]
    fn narrow(&mut self, lower: i64, upper: i64, value: &dyn Data) -> Result<(), Rejected> {
        match value.integer() {
            Some(number) if lower <= number && number <= upper => self.shortest(number),
            _ => self.not_narrow(lower, upper, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn not_narrow(&mut self, lower: i64, upper: i64, value: &dyn Data) -> Result<(), Rejected> {
        let (lower, upper) = (lower.into(), upper.into());
        match value.scalar() {
            Scalar::Integer(value) => Err(self.fail(ErrorKind::IntegerRange { value, lower, upper })),
            Scalar::WideInteger(_) => Err(self.fail(ErrorKind::IntegerWidth)),
            _ => self.mismatch("an INTEGER"),
        }
    }

    /// §8.3.2
    fn shortest(&mut self, number: i64) -> Result<(), Rejected> {
        let sign = if number < 0 { number.leading_ones() } else { number.leading_zeros() };
        let octets = 8 - (sign - 1) / 8;
        self.writer.put(octets.into(), 8)?;
        self.writer.put_wide(number as u64 & u64::MAX >> (64 - 8 * octets), 8 * octets)
    }

    #[inline(never)]
    fn wide_integer_contents(
        &mut self,
        lower: Option<Span>,
        upper: Option<Span>,
        scalar: Scalar<'_>,
    ) -> Result<(), Rejected> {
        let narrow;
        let octets = match scalar {
            Scalar::Integer(value) => {
                narrow = TwosComplement::signed(value);
                narrow.octets()
            }
            Scalar::WideInteger(octets) => wide::shortest(octets),
            _ => return self.mismatch("an INTEGER"),
        };
        if let Some(kind) = wide::outside(self.layout, octets, lower, upper) {
            return Err(self.fail(kind));
        }
        self.octets_after_length(octets)
    }

    /// §8.4
    #[inline(never)]
    fn item(&mut self, values: Span, extensible: bool, ordinal: u32) -> Result<(), Rejected> {
        let items = item_values(self.layout, values);
        if let Some((number, _)) = items.clone().find(|(_, item)| *item == ordinal) {
            return self.shortest(number);
        }
        let number = self.number_of_later_item(items.map(|(number, _)| number), extensible, ordinal)?;
        self.shortest(number)
    }

    /// §8.6; §11.2.1: unused bits are zero.
    #[inline(never)]
    fn bit_contents(&mut self, lower: u64, upper: u64, trim: Option<u64>, scalar: Scalar<'_>) -> Result<(), Rejected> {
        let mut word = [0; 8];
        let Some((octets, mut bits)) = bits_of(scalar, &mut word) else {
            return self.mismatch("a BIT STRING");
        };
        let mut size = bits as u64;
        if let Some(least) = trim {
            bits = without_zeros(octets, bits);
            size = (bits as u64).max(lower);
            bits = bits.max(usize::try_from(least).unwrap_or(usize::MAX));
        }
        self.size(size, lower, upper)?;
        let whole = bits.div_ceil(8);
        self.length(whole + 1)?;
        self.writer.put((whole * 8 - bits) as u64, 8)?;
        self.writer.put_bits(octets, bits)?;
        self.writer.put(0, (whole * 8 - bits) as u32)
    }

    #[inline(never)]
    fn text_contents(&mut self, leaf: &Contents, text: &str) -> Result<(), Rejected> {
        match *leaf {
            Contents::Characters { lower, upper, width, alphabet } => {
                self.size(text.chars().count() as u64, lower, upper)?;
                self.characters_by_code(text, width, alphabet)
            }
            Contents::Utf8 { lower, upper } => {
                self.size(text.chars().count() as u64, lower, upper)?;
                self.octets_after_length(text.as_bytes())
            }
            Contents::UtcTime | Contents::GeneralizedTime => {
                self.is_visible(text)?;
                let canonical = time::canonical(text, *leaf == Contents::GeneralizedTime);
                self.octets_after_length(canonical.as_ref().map_or(text, time::Canonical::text).as_bytes())
            }
            Contents::Time { settings, canonical } => {
                let Some(time) = time_of(self.layout, settings, text) else { return Err(self.fail(FORM)) };
                if canonical { self.time_contents(&time) } else { self.octets_after_length(text.as_bytes()) }
            }
            Contents::Digits { pattern } => self.digits(pattern, text),
            Contents::Duration => match text.strip_prefix('P') {
                Some(rest) => {
                    self.is_visible(rest)?;
                    self.octets_after_length(rest.as_bytes())
                }
                None => Err(self.fail(ErrorKind::Text("not in the form of a duration, such as P1DT12H30.5S"))),
            },
            _ => self.mismatch("of the kind that the layout has"),
        }
    }

    /// Counts the characters first, then writes them.
    #[inline(never)]
    fn time_contents(&mut self, time: &Time) -> Result<(), Rejected> {
        let mut count = 0;
        time.write(&mut |_| {
            count += 1;
            true
        });
        self.length(count)?;
        let mut done = Ok(());
        time.write(&mut |character| {
            done = self.writer.put(u64::from(u32::from(character)), 8);
            done.is_ok()
        });
        done
    }

    /// Times are VisibleStrings (X.680 §46, §47).
    fn is_visible(&mut self, text: &str) -> Result<(), Rejected> {
        match text.chars().find(|character| !matches!(character, ' '..='~')) {
            None => Ok(()),
            Some(other) => Err(self.fail(ErrorKind::Alphabet { code: u32::from(other) })),
        }
    }

    fn characters_by_code(&mut self, text: &str, width: u8, alphabet: Span) -> Result<(), Rejected> {
        let alphabet = self.layout.numbers(alphabet);
        self.length(text.chars().count().saturating_mul(width.into()))?;
        for character in text.chars() {
            let code = u32::from(character);
            match packed::place_of(code, false, alphabet) {
                Some(code) => self.writer.put(code.into(), u32::from(width) * 8)?,
                None => return Err(self.fail(ErrorKind::Alphabet { code })),
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn digits(&mut self, pattern: Name, text: &str) -> Result<(), Rejected> {
        let pattern = self.layout.name(pattern).as_bytes();
        let fits = |(form, octet): (&u8, &u8)| if *form == b'0' { octet.is_ascii_digit() } else { form == octet };
        if pattern.len() != text.len() || !pattern.iter().zip(text.as_bytes()).all(fits) {
            return Err(self.fail(ErrorKind::Text("not in the form of its time type")));
        }
        let digits = || pattern.iter().zip(text.bytes()).filter(|(form, _)| **form == b'0');
        self.length(digits().count())?;
        digits().try_for_each(|(_, digit)| self.writer.put(digit.into(), 8))
    }
}
