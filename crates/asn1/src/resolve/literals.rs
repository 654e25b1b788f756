//! Numbers, bits, and lists in braces.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::Value;

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{self, Ident, ValueKind};
use crate::lexer::Tok;
use roadwire_source::Outcome;
use roadwire_source::Span;

/// Digits of a number in the text; more are treated as an attack.
const MAX_DIGITS: usize = 5_000;

impl Resolver<'_> {
    pub(super) fn number(&mut self, text: &str, span: Span) -> Outcome<BigInt> {
        if text.len() > MAX_DIGITS {
            return Err(self.error(
                "asn1.limit.number",
                span,
                format!("numbers have at most {MAX_DIGITS} digits here"),
            ));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.len() > 1 && digits.starts_with('0') {
            self.sink.warning("asn1.number.zero", span, "numbers do not start with 0 (X.680 §12.8)");
        }
        text.parse().map_err(|_| self.error("asn1.value.type", span, "this is not a number"))
    }

    pub(super) fn real_value(&mut self, value: &ast::Value, scope: &Rc<Scope>) -> Outcome<Value> {
        let number = match &value.kind {
            ValueKind::PlusInfinity => f64::INFINITY,
            ValueKind::MinusInfinity => f64::NEG_INFINITY,
            ValueKind::NotANumber => f64::NAN,
            ValueKind::Real(text) | ValueKind::Integer(text) => match text.parse() {
                Ok(number) => number,
                Err(_) => {
                    return Err(self.error("asn1.value.type", value.span, "this is not a number"));
                }
            },
            // X.680 §21.6: `{ mantissa m, base b, exponent e }`
            ValueKind::Braced(tokens) => return self.real_parts(*tokens, value.span, scope),
            other => {
                let message = format!("{} is not a value of REAL", value_name(other));
                return Err(self.error("asn1.value.type", value.span, message));
            }
        };
        Ok(Value::Real(number))
    }

    pub(super) fn real_parts(&mut self, tokens: ast::Tokens, span: Span, scope: &Rc<Scope>) -> Outcome<Value> {
        let mut parts = [None, None, None];
        for (name, value) in self.named_values(tokens, scope)? {
            let at = match &*name.name {
                "mantissa" => 0,
                "base" => 1,
                "exponent" => 2,
                _ => return Err(self.no_component(&name, ["mantissa", "base", "exponent"].into_iter())),
            };
            parts[at] = Some(self.integer_value(&value, scope)?);
        }
        let [Some(mantissa), Some(base), Some(exponent)] = parts else {
            return Err(self.error("asn1.value.incomplete", span, "a REAL has mantissa, base and exponent"));
        };
        let ten = base == BigInt::from(10);
        if !ten && base != BigInt::from(2) {
            return Err(self.error("asn1.value.range", span, "the base of a REAL is 2 or 10"));
        }
        let number = if ten {
            format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
        } else {
            let exponent =
                exponent.to_i32().unwrap_or(if exponent < BigInt::from(0) { i32::MIN / 2 } else { i32::MAX / 2 });
            // In two steps, so that neither power overflows before the product does.
            let half = exponent / 2;
            mantissa.to_f64().unwrap_or(f64::NAN) * 2f64.powi(half) * 2f64.powi(exponent.saturating_sub(half))
        };
        Ok(Value::Real(number))
    }

    pub(super) fn bit_string(
        &mut self,
        value: &ast::Value,
        named: &[(String, u64)],
        scope: &Rc<Scope>,
    ) -> Outcome<Value> {
        let (octets, bits) = match &value.kind {
            ValueKind::BString(digits) => binary_bits(digits),
            ValueKind::HString(digits) => hex_bits(digits),
            ValueKind::Braced(tokens) => {
                /// Positions beyond this are treated as an attack.
                const MAX_BIT: u64 = 1 << 20;
                let mut octets = Vec::new();
                let mut bits = 0;
                for name in self.name_list(*tokens, scope)? {
                    let Some((_, bit)) = named.iter().find(|(n, _)| **n == *name.name) else {
                        let names = named.iter().map(|(n, _)| n.as_str());
                        return Err(self.no_component(&name, names));
                    };
                    if *bit > MAX_BIT {
                        return Err(self.error(
                            "asn1.limit.bits",
                            name.span,
                            format!("bit {bit} is too far out for a value in module text"),
                        ));
                    }
                    let at = *bit as usize;
                    bits = bits.max(at + 1);
                    if octets.len() <= at / 8 {
                        octets.resize(at / 8 + 1, 0u8);
                    }
                    octets[at / 8] |= 0x80 >> (at % 8);
                }
                (octets, bits)
            }
            other => {
                let message = format!("{} is not a value of BIT STRING", value_name(other));
                return Err(self.error("asn1.value.type", value.span, message));
            }
        };
        Ok(Value::BitString { octets, bits })
    }

    /// `{ a 1, b TRUE }`
    pub(super) fn named_values(&mut self, tokens: ast::Tokens, scope: &Rc<Scope>) -> Outcome<Vec<(Ident, ast::Value)>> {
        let mut p = self.parser(tokens, scope);
        p.expect(Tok::LBrace, "`{`")?;
        let mut list = Vec::new();
        if p.accept(Tok::RBrace) {
            return Ok(list);
        }
        loop {
            let name = p.lower("the name of a component")?;
            list.push((name, p.value()?));
            if !p.accept(Tok::Comma) {
                break;
            }
        }
        p.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(list)
    }

    /// `{ 1, 2, 3 }`
    pub(super) fn value_list(&mut self, tokens: ast::Tokens, scope: &Rc<Scope>) -> Outcome<Vec<ast::Value>> {
        let mut p = self.parser(tokens, scope);
        p.expect(Tok::LBrace, "`{`")?;
        let mut list = Vec::new();
        if p.accept(Tok::RBrace) {
            return Ok(list);
        }
        loop {
            // Elements may carry the name of SEQUENCE OF's element (X.680 §26.3).
            if p.peek() == Tok::Lower
                && !matches!(p.peek_at(1), Tok::Comma | Tok::RBrace | Tok::Colon | Tok::Dot | Tok::LBrace)
            {
                p.advance();
            }
            list.push(p.value()?);
            if !p.accept(Tok::Comma) {
                break;
            }
        }
        p.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(list)
    }

    /// `{ a, b }`
    pub(super) fn name_list(&mut self, tokens: ast::Tokens, scope: &Rc<Scope>) -> Outcome<Vec<Ident>> {
        let mut p = self.parser(tokens, scope);
        p.expect(Tok::LBrace, "`{`")?;
        let mut list = Vec::new();
        if p.accept(Tok::RBrace) {
            return Ok(list);
        }
        loop {
            list.push(p.lower("the name of a bit")?);
            if !p.accept(Tok::Comma) {
                break;
            }
        }
        p.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(list)
    }
}

/// Octets and count of bits of `'...'B`.
pub(super) fn binary_bits(digits: &str) -> (Vec<u8>, usize) {
    let octets = digits
        .as_bytes()
        .chunks(8)
        .map(|chunk| chunk.iter().enumerate().fold(0, |o, (i, d)| o | (d & 1) << (7 - i)))
        .collect();
    (octets, digits.len())
}

/// Octets and count of bits of `'...'H`.
pub(super) fn hex_bits(digits: &str) -> (Vec<u8>, usize) {
    let nibble = |d: &u8| (*d as char).to_digit(16).unwrap_or(0) as u8;
    let octets = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| pair.first().map_or(0, nibble) << 4 | pair.get(1).map_or(0, nibble))
        .collect();
    (octets, digits.len() * 4)
}

/// How messages call a value in the text.
pub(super) fn value_name(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Null => "NULL",
        ValueKind::Bool(_) => "TRUE or FALSE",
        ValueKind::Integer(_) => "a number",
        ValueKind::Real(_) | ValueKind::PlusInfinity | ValueKind::MinusInfinity | ValueKind::NotANumber => {
            "a real number"
        }
        ValueKind::BString(_) => "a binary string",
        ValueKind::HString(_) => "a hexadecimal string",
        ValueKind::CString(_) => "a character string",
        ValueKind::Reference(_) | ValueKind::Field(_) => "a reference",
        ValueKind::Choice(..) => "`name : value`",
        ValueKind::Open(..) => "`Type : value`",
        ValueKind::Braced(_) => "`{ ... }`",
        ValueKind::Containing(_) => "CONTAINING",
    }
}
