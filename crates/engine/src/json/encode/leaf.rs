//! Encoding JSON text: the leaves.

use super::Json;
use roadwire_layout::{JsonNode, Span};
use roadwire_wire::rt::{decimal, text};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, number_of_unknown_item};

use crate::arcs::{self, Fault};
use crate::bits::without_zeros;
use crate::encode::Encoder;

impl<'n> Encoder<'n, '_, '_, Json> {
    #[inline(never)]
    pub(crate) fn json_leaf(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let scalar = value.scalar();
        match (node, scalar) {
            (JsonNode::Item { .. }, Scalar::Enumerated(ordinal)) => self.item_name(node, ordinal),
            (JsonNode::Item { .. }, _) => self.mismatch("an enumeration item"),
            (JsonNode::Truth, Scalar::Boolean(true)) => self.put(b"true"),
            (JsonNode::Truth, Scalar::Boolean(false)) => self.put(b"false"),
            (JsonNode::Truth, _) => self.mismatch("a BOOLEAN"),
            (JsonNode::Nothing, Scalar::Null) => self.put(b"null"),
            (JsonNode::Nothing, _) => self.mismatch("NULL"),
            (JsonNode::Quoted { lower, upper, alphabet }, Scalar::Text(text)) => {
                self.json_text(*lower, *upper, *alphabet, text)
            }
            (JsonNode::Quoted { .. }, _) => self.mismatch("text"),
            (JsonNode::Digits { lower, upper }, Scalar::Octets(octets)) => {
                let size = octets.len() as u64;
                if size < *lower || size > *upper {
                    return Err(self.fail(ErrorKind::Size { size, lower: *lower, upper: *upper }));
                }
                self.hexadecimal(octets)
            }
            (JsonNode::Digits { .. }, _) => self.mismatch("an OCTET STRING"),
            (JsonNode::BitDigits { .. }, Scalar::Word(word)) => {
                self.bit_digits(node, &word.to_octets(), usize::from(word.bits.min(64)))
            }
            (JsonNode::BitDigits { .. }, Scalar::Bits(octets, bits)) if bits.div_ceil(8) <= octets.len() => {
                self.bit_digits(node, octets, bits)
            }
            (JsonNode::BitDigits { .. }, _) => self.mismatch("a BIT STRING"),
            (JsonNode::Float, Scalar::Real(value)) => self.writer.text(|text| text.put_real(value)),
            (JsonNode::Float, _) => self.mismatch("a REAL"),
            (JsonNode::Dotted { relative }, Scalar::Oid(contents)) => self.json_oid(contents, *relative),
            (JsonNode::Dotted { .. }, _) => self.mismatch("an object identifier"),
            (JsonNode::OpenDigits, Scalar::Octets(octets)) => self.hexadecimal(octets),
            (JsonNode::OpenDigits, _) if value.alternative().is_some() => self.inconsistent(),
            (JsonNode::OpenDigits, _) => self.mismatch("an open type"),
            _ => self.misplaced(),
        }
    }

    #[inline(never)]
    pub(crate) fn json_integer(&mut self, node: &JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Number { lower, upper } = *node else { return self.misplaced() };
        match value.integer() {
            Some(number) if lower <= number.into() && i128::from(number) <= upper => {
                self.writer.text(|text| text.put_signed(number))
            }
            _ => self.other_integer(lower, upper, value.scalar()),
        }
    }

    /// A number of more than 64 bits, or one out of range.
    #[cold]
    #[inline(never)]
    fn other_integer(&mut self, lower: i128, upper: i128, scalar: Scalar<'_>) -> Result<(), Rejected> {
        match scalar {
            Scalar::Integer(value) if lower <= value && value <= upper => {
                self.writer.text(|text| text.put_integer(value))
            }
            Scalar::Integer(value) => Err(self.fail(ErrorKind::IntegerRange { value, lower, upper })),
            Scalar::WideInteger(octets) => {
                let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
                if if negative { lower != i128::MIN } else { upper != i128::MAX } {
                    return Err(self.fail(ErrorKind::IntegerWidth));
                }
                match decimal::wide_digits(octets) {
                    Some(digits) => self.put(&digits),
                    None => Err(self.fail(arcs::too_wide(octets.len()))),
                }
            }
            _ => self.mismatch("an INTEGER"),
        }
    }

    fn item_name(&mut self, node: &'n JsonNode, ordinal: u32) -> Result<(), Rejected> {
        let JsonNode::Item { root, additions, items } = *node else { return self.misplaced() };
        let layout = self.layout;
        let names = layout.items.get(items.range()).unwrap_or(&[]);
        match names.get(ordinal as usize) {
            Some(name) => self.put(layout.json_string(*name)),
            None if additions.is_some() => match number_of_unknown_item(ordinal) {
                Some(number) => {
                    self.put(b"\"...(")?;
                    self.writer.text(|text| text.put_signed(number))?;
                    self.put(b")\"")
                }
                None => {
                    self.put(b"\"...")?;
                    self.writer.text(|text| text.put_signed(i64::from(ordinal) - i64::from(root)))?;
                    self.put(b"\"")
                }
            },
            None => {
                let kind = ErrorKind::EnumerationIndex { index: ordinal.into(), count: names.len() as u64 };
                Err(self.fail(kind))
            }
        }
    }

    fn json_text(&mut self, lower: u64, upper: u64, alphabet: Span, text: &str) -> Result<(), Rejected> {
        if lower > 0 || upper < u64::MAX {
            let size = text.chars().count() as u64;
            if size < lower || size > upper {
                return Err(self.fail(ErrorKind::Size { size, lower, upper }));
            }
        }
        let ranges = self.layout.numbers(alphabet);
        if !ranges.is_empty() {
            let permitted = |code: u32| ranges.chunks_exact(2).any(|range| range[0] <= code && code <= range[1]);
            if let Some(code) = text.chars().map(u32::from).find(|code| !permitted(*code)) {
                return Err(self.fail(ErrorKind::Alphabet { code }));
            }
        }
        self.writer.text(|writer| writer.put_string(text))
    }

    #[inline(never)]
    pub(crate) fn hexadecimal(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        self.writer.text(|text| text.put_digits(octets))
    }

    #[inline(never)]
    fn bit_digits(&mut self, node: &JsonNode, octets: &[u8], bits: usize) -> Result<(), Rejected> {
        let JsonNode::BitDigits { fixed, lower, upper, trim } = *node else { return self.misplaced() };
        let mut count = bits;
        if trim {
            // Only where the size asks for it: a value within it stays as it is.
            let most = usize::try_from(upper).unwrap_or(usize::MAX);
            if bits > most {
                count = without_zeros(octets, bits).max(most);
            }
            count = count.max(usize::try_from(lower).unwrap_or(usize::MAX));
        }
        let size = count as u64;
        if size < lower || size > upper {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        let alone = fixed == Some(size);
        self.put(if alone { b"\"" } else { b"{\"value\":\"" })?;
        for at in 0..count.div_ceil(8) {
            let rest = count - at * 8;
            let used = if rest < 8 { !(0xff >> rest) } else { 0xff };
            // Bits past the end, which a size may require, are zero.
            let given = match bits.saturating_sub(at * 8) {
                0 => 0,
                given @ 1..8 => !(0xff >> given),
                _ => 0xff,
            };
            self.put(&text::octet_of(octets.get(at).copied().unwrap_or(0) & used & given))?;
        }
        self.put(b"\"")?;
        if !alone {
            self.put(b",\"length\":")?;
            self.writer.text(|text| text.put_unsigned(size))?;
            self.put(b"}")?;
        }
        Ok(())
    }

    fn json_oid(&mut self, contents: &[u8], relative: bool) -> Result<(), Rejected> {
        self.put(b"\"")?;
        match arcs::write(contents, relative, |piece| self.put(piece)) {
            Ok(()) => self.put(b"\""),
            Err(Fault::Output) => Err(Rejected),
            Err(Fault::Is(kind)) => Err(self.fail(kind)),
        }
    }
}
