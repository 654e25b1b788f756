//! Decoding: numbers.

use super::Xml;
use roadwire_layout::{Default, NodeId, Span};
use roadwire_wire::rt::{decimal, xml};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, faults};

use super::token::Token;
use crate::arcs::{self, Arcs};
use crate::decode::Decoder;
use crate::listener::Listener;
use crate::range;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Xml> {
    #[inline(never)]
    pub(crate) fn decimal(
        &mut self,
        range: NodeId,
        extensible: bool,
        names: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let token = self.token()?;
        let (is_negative, digits) = match token.text.strip_prefix(b"-") {
            Some(digits) => (true, digits),
            None => (false, &*token.text),
        };
        // X.680 §12.8, §19.13: no leading zeros, and no minus sign before a zero.
        let is_number =
            digits.iter().all(u8::is_ascii_digit) && (digits.first() != Some(&b'0') || &*token.text == b"0");
        if digits.is_empty() || !is_number {
            return match self.number_of_name(names, &token.text) {
                Some(number) => self.integer_within(&token, range, extensible, Scalar::Integer(number), value),
                None => self.wrong(&token, faults::xml::INTEGER),
            };
        }
        let small = digits.iter().try_fold(0i128, |number, digit| {
            let digit = i128::from(digit - b'0');
            number.checked_mul(10)?.checked_add(digit)
        });
        let Some(number) = small else { return self.wide_decimal(&token, range, extensible, value) };
        let number = if is_negative { -number } else { number };
        self.integer_within(&token, range, extensible, Scalar::Integer(number), value)
    }

    fn integer_within(
        &mut self,
        token: &Token<'_>,
        range: NodeId,
        extensible: bool,
        number: Scalar<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if !extensible && !range::admits(self.layout, range, number) {
            return Err(self.fail_at(range::outside(self.layout, range, number), token.bit()));
        }
        self.take_value(token, "", number, value)
    }

    #[cold]
    #[inline(never)]
    fn wide_decimal(
        &mut self,
        token: &Token<'_>,
        range: NodeId,
        extensible: bool,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let Some(octets) = decimal::parse_wide(&token.text) else {
            return Err(self.fail_at(arcs::too_many_digits(token.text.len()), token.bit()));
        };
        let scalar = match roadwire_wire::rt::TwosComplement::read_signed(&octets) {
            Some(number) => Scalar::Integer(number),
            None => Scalar::WideInteger(&octets),
        };
        self.integer_within(token, range, extensible, scalar, value)
    }

    fn number_of_name(&self, names: Span, text: &[u8]) -> Option<i128> {
        let layout = self.layout;
        let is_it =
            |place: u32| layout.items.get(place as usize).is_some_and(|name| layout.name(*name).as_bytes() == text);
        let pair = layout.numbers(names).chunks_exact(2).find(|pair| is_it(pair[0]))?;
        match layout.defaults.get(pair[1] as usize) {
            Some(Default::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// X.680 §21
    #[inline(never)]
    pub(crate) fn scientific(&mut self, plain: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let word = self.xml_word()?;
        let real = match &*word.text {
            b"PLUS-INFINITY" | b"INF" if !plain => Ok(f64::INFINITY),
            b"MINUS-INFINITY" | b"-INF" if !plain => Ok(f64::NEG_INFINITY),
            b"NOT-A-NUMBER" | b"NaN" if !plain => Ok(f64::NAN),
            text => xml::real(text, plain),
        };
        match real {
            Ok(real) => self.take_value(&word, "", Scalar::Real(real), value),
            Err(ErrorKind::Text(_)) => self.wrong(&word, faults::xml::REAL),
            Err(kind) => Err(self.fail_at(kind, word.bit())),
        }
    }

    /// An object identifier's contents octets (X.690 §8.19) from numbers with dots between them,
    /// each possibly with a name: `iso(1).2.840`.
    #[inline(never)]
    pub(crate) fn arcs(&mut self, relative: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let token = self.token()?;
        let mut arcs = Arcs::new(relative);
        match arcs.push_named(&token.text).and_then(|()| arcs.finish()) {
            Ok(contents) => self.take_value(&token, "", Scalar::Oid(&contents), value),
            Err(ErrorKind::Malformed(_)) => self.wrong(&token, faults::xml::OID),
            Err(kind) => Err(self.fail_at(kind, token.bit())),
        }
    }
}
