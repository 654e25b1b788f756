//! Object identifier values, and character strings as lists of characters (X.680 §32, §41.8).

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{Kind, Oid, TypeId, Value};

use super::Resolver;
use super::names::Found;
use super::parameters::Scope;
use super::well_known::well_known;
use crate::ast::{self, Reference, Tokens, ValueKind};
use crate::lexer::Tok;
use roadwire_source::Outcome;
use roadwire_source::Span;

/// One component of `{ iso standard(0) 2 name(value) }`.
enum Arc {
    Number(ast::Value),
    Name(Reference),
}

impl Resolver<'_> {
    pub(super) fn object_identifier(&mut self, tokens: Tokens, relative: bool, scope: &Rc<Scope>) -> Outcome<Value> {
        let arcs = self.arc_values(tokens, relative, scope)?;
        let oid = if relative { Oid::relative(&arcs) } else { Oid::absolute(&arcs) };
        match oid {
            Some(oid) => Ok(Value::Oid(oid)),
            None => Err(self.error(
                "asn1.value.range",
                tokens.span,
                "these are not the arcs of an object identifier: at least two, the first 0 to 2, none negative",
            )),
        }
    }

    fn arc_values(&mut self, tokens: Tokens, relative: bool, scope: &Rc<Scope>) -> Outcome<Vec<BigInt>> {
        let mut arcs: Vec<BigInt> = Vec::new();
        for part in self.arcs(tokens, scope)? {
            match part {
                Arc::Number(value) => {
                    let number = self.integer_value(&value, scope)?;
                    self.add_arcs(&mut arcs, vec![number], value.span)?;
                }
                Arc::Name(reference) => {
                    let before: Vec<Option<u32>> = arcs.iter().take(3).map(BigInt::to_u32).collect();
                    let known = (!relative && reference.module.is_none())
                        .then(|| well_known(&reference.name.name, &before))
                        .flatten();
                    match known {
                        Some(number) => self.add_arcs(&mut arcs, vec![number.into()], reference.span)?,
                        None => self.arc_reference(&reference, &mut arcs, scope)?,
                    }
                }
            }
        }
        Ok(arcs)
    }

    /// A name that is not in the standard: an INTEGER, or the first arcs.
    fn arc_reference(&mut self, reference: &Reference, arcs: &mut Vec<BigInt>, scope: &Rc<Scope>) -> Outcome<()> {
        let value = match self.lookup(reference, scope)? {
            Found::Argument(arg) => {
                let value = self.tokens_as_value(arg.tokens, &arg.scope)?;
                match &value.kind {
                    ValueKind::Integer(_) => Value::from(self.integer_value(&value, &arg.scope)?),
                    ValueKind::Braced(tokens) => {
                        let tokens = *tokens;
                        let more =
                            self.deeper(reference.span, |r| r.arc_values(tokens, !arcs.is_empty(), &arg.scope))?;
                        return self.add_arcs(arcs, more, reference.span);
                    }
                    ValueKind::Reference(inner) => {
                        return self.deeper(reference.span, |r| r.arc_reference(inner, arcs, &arg.scope));
                    }
                    _ => Value::Null,
                }
            }
            Found::Definition { module, assignment } => {
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                let (id, value) = self.value_definition(module, &assignment, &inner)?;
                if let Value::Oid(oid) = &value {
                    let relative = matches!(self.slot(id).ty.kind, Kind::RelativeOid);
                    let more = if relative { oid.relative_arcs() } else { oid.absolute_arcs() };
                    return self.add_arcs(arcs, more, reference.span);
                }
                value
            }
        };
        match value {
            Value::Integer(number) => self.add_arcs(arcs, vec![number.to_bigint()], reference.span),
            _ => Err(self.error("asn1.value.type", reference.span, "an arc is an INTEGER or an object identifier")),
        }
    }

    fn add_arcs(&mut self, arcs: &mut Vec<BigInt>, more: Vec<BigInt>, span: Span) -> Outcome<()> {
        const MAX_ARCS: usize = 1_000;
        if arcs.len() + more.len() > MAX_ARCS {
            return Err(self.error(
                "asn1.limit.arcs",
                span,
                format!("object identifiers have at most {MAX_ARCS} arcs here"),
            ));
        }
        arcs.extend(more);
        Ok(())
    }

    fn arcs(&mut self, tokens: Tokens, scope: &Rc<Scope>) -> Outcome<Vec<Arc>> {
        let mut p = self.parser(tokens, scope);
        p.expect(Tok::LBrace, "`{`")?;
        let mut arcs = Vec::new();
        while !p.accept(Tok::RBrace) {
            match p.peek() {
                Tok::Number => arcs.push(Arc::Number(p.value()?)),
                Tok::Lower if p.peek_at(1) == Tok::LParen => {
                    p.advance();
                    p.advance();
                    arcs.push(Arc::Number(p.value()?));
                    p.expect(Tok::RParen, "`)`")?;
                }
                Tok::Lower | Tok::Upper => arcs.push(Arc::Name(p.reference()?)),
                _ => return Err(p.unexpected("an arc of an object identifier")),
            }
        }
        Ok(arcs)
    }

    /// `{ "abc", {0, 0, 1, 5}, {1, 2}, name }` (X.680 §41.8).
    pub(super) fn character_list(&mut self, tokens: Tokens, id: TypeId, scope: &Rc<Scope>) -> Outcome<Value> {
        let parts = self.value_list(tokens, scope)?;
        let numbers: Option<Vec<u32>> = parts
            .iter()
            .map(|p| match &p.kind {
                ValueKind::Integer(text) => text.parse().ok(),
                _ => None,
            })
            .collect();
        let code = match numbers.as_deref() {
            // Column and row of ISO 646.
            Some([column, row]) if *column < 8 && *row < 16 => Some(column * 16 + row),
            // Group, plane, row and cell of ISO 10646.
            Some([group, plane, row, cell]) if [group, plane, row, cell].iter().all(|n| **n < 256) => {
                Some(group << 24 | plane << 16 | row << 8 | cell)
            }
            Some([]) | None => None,
            Some(_) => Some(u32::MAX),
        };
        if let Some(code) = code {
            return match char::from_u32(code) {
                Some(c) => Ok(Value::Text(c.to_string())),
                None => Err(self.error(
                    "asn1.value.range",
                    tokens.span,
                    "a character is {column, row} or {group, plane, row, cell}",
                )),
            };
        }
        let mut text = String::new();
        for part in parts {
            match self.unchecked_value(&part, id, scope)? {
                Value::Text(more) => text.push_str(&more),
                _ => return Err(self.error("asn1.value.type", part.span, "a string is wanted here")),
            }
        }
        Ok(Value::Text(text))
    }
}
