//! Values (X.680 clause 17). The content of braces is parsed later, when its governing type is
//! known.

use std::rc::Rc;

use super::Parser;
use crate::ast::{Reference, Type, TypeKind, Value, ValueKind};
use crate::lexer::{NEWLINES, Tok};
use roadwire_source::Outcome;

impl Parser<'_> {
    pub(crate) fn value(&mut self) -> Outcome<Value> {
        self.nested(|p| {
            let start = p.span();
            let kind = p.value_kind()?;
            Ok(Value { kind, span: p.since(start) })
        })
    }

    fn value_kind(&mut self) -> Outcome<ValueKind> {
        match self.peek() {
            Tok::Number => Ok(ValueKind::Integer(Rc::from(self.take_text()))),
            Tok::Real => Ok(ValueKind::Real(Rc::from(self.take_text()))),
            Tok::Minus => {
                self.advance();
                let real = match self.peek() {
                    Tok::Number => false,
                    Tok::Real => true,
                    _ => return Err(self.unexpected("a number after `-`")),
                };
                let text: Rc<str> = Rc::from(format!("-{}", self.take_text()));
                Ok(if real { ValueKind::Real(text) } else { ValueKind::Integer(text) })
            }
            Tok::BString => Ok(ValueKind::BString(self.quoted())),
            Tok::HString => Ok(ValueKind::HString(self.quoted())),
            Tok::CString => {
                let text = unquote(self.text());
                self.advance();
                Ok(ValueKind::CString(Rc::from(text)))
            }
            Tok::LBrace => Ok(ValueKind::Braced(self.braced()?)),
            Tok::Lower => self.named_value(),
            Tok::Upper => self.capital_value(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn take_text(&mut self) -> &str {
        let text = self.text();
        self.advance();
        text
    }

    /// The digits of `'...'B` or `'...'H`.
    fn quoted(&mut self) -> Rc<str> {
        let digits: String = self.text().chars().filter(|c| c.is_ascii_hexdigit()).collect();
        self.advance();
        // The final letter B is also a hexadecimal digit.
        let is_binary = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).is_some_and(|t| t.tok == Tok::BString);
        let keep = digits.len() - usize::from(is_binary);
        Rc::from(digits.get(..keep).unwrap_or(""))
    }

    /// Starts with a small letter: a choice value, a reference, a field of an object.
    fn named_value(&mut self) -> Outcome<ValueKind> {
        if self.peek_at(1) == Tok::Colon {
            let name = self.ident_here();
            self.advance();
            return Ok(ValueKind::Choice(name, Rc::new(self.value()?)));
        }
        let reference = self.reference()?;
        self.after_reference(reference)
    }

    fn after_reference(&mut self, reference: Reference) -> Outcome<ValueKind> {
        if self.peek() == Tok::Dot && self.peek_at(1) == Tok::AmpLower
            || self.peek() == Tok::Dot && self.peek_at(1) == Tok::AmpUpper
        {
            return self.field_reference(reference).map(ValueKind::Field);
        }
        Ok(ValueKind::Reference(reference))
    }

    fn capital_value(&mut self) -> Outcome<ValueKind> {
        let simple = match self.text() {
            "NULL" if self.peek_at(1) != Tok::Colon => Some(ValueKind::Null),
            "TRUE" => Some(ValueKind::Bool(true)),
            "FALSE" => Some(ValueKind::Bool(false)),
            "PLUS-INFINITY" => Some(ValueKind::PlusInfinity),
            "MINUS-INFINITY" => Some(ValueKind::MinusInfinity),
            "NOT-A-NUMBER" => Some(ValueKind::NotANumber),
            _ => None,
        };
        if let Some(kind) = simple {
            self.advance();
            return Ok(kind);
        }
        if self.accept_word("CONTAINING") {
            return Ok(ValueKind::Containing(Rc::new(self.value()?)));
        }
        if self.is_type_name(0) && self.peek_at(1) == Tok::Dot && self.peek_at(2) == Tok::Lower {
            let reference = self.reference()?;
            return self.after_reference(reference);
        }
        if self.peek_at(1) == Tok::Assign {
            // The value is missing, and this is the next assignment.
            return Err(self.unexpected("a value"));
        }
        let ty: Type = self.ty()?;
        if self.accept(Tok::Colon) {
            let value = self.value()?;
            return Ok(ValueKind::Open(Rc::new(ty), Rc::new(value)));
        }
        if let TypeKind::Field(field) = ty.kind {
            return Ok(ValueKind::Field(field));
        }
        let span = ty.span;
        Err(self.fail("asn1.syntax", span, "expected a value, found a type"))
    }
}

/// X.680 §12.14: doubled quotation marks are one; white space around an end of line is removed with
/// it.
fn unquote(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text).replace("\"\"", "\"");
    if !inner.contains(NEWLINES) {
        return inner;
    }
    // Of CR LF nothing is left between the two.
    let lines: Vec<&str> = inner.split(NEWLINES).collect();
    let last = lines.len().saturating_sub(1);
    lines
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let line = if i > 0 { line.trim_start() } else { line };
            if i < last { line.trim_end() } else { line }
        })
        .collect()
}
