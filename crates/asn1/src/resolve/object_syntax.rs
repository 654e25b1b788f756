//! The defined syntax of objects (X.681 §11.6).

use std::collections::HashMap;
use std::rc::Rc;

use crate::ast::{self, Ident, SyntaxItem};
use crate::lexer::Tok;
use crate::parse::Parser;
use roadwire_source::{Outcome, Reported};

/// The kind of text for a field in the defined syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Type,
    Value,
    Set,
}

/// The setting of one field of an object.
#[derive(Debug, Clone)]
pub(super) enum Setting {
    Type(Rc<ast::Type>),
    Value(Rc<ast::Value>),
    Set(Rc<ast::Set>),
}

/// X.681 §11.6: literals in order, optional groups present if their first item is.
pub(super) fn defined_syntax(
    p: &mut Parser<'_>,
    items: &[SyntaxItem],
    kinds: &HashMap<Rc<str>, Expect>,
    found: &mut HashMap<Rc<str>, Setting>,
) -> Outcome<()> {
    for item in items {
        match item {
            SyntaxItem::Literal(word) => {
                if !matches_literal(p, word) {
                    return Err(p.unexpected(&format!("`{}`", word.name)));
                }
                p.advance();
            }
            SyntaxItem::Field(name) => {
                let Some(expect) = kinds.get(&name.name) else {
                    return Err(Reported::before());
                };
                let setting = match expect {
                    Expect::Type => Setting::Type(Rc::new(p.ty()?)),
                    Expect::Value => Setting::Value(Rc::new(p.value()?)),
                    Expect::Set => {
                        let braced = p.accept(Tok::LBrace);
                        let set = if braced {
                            let set = p.set(Tok::RBrace)?;
                            p.expect(Tok::RBrace, "`}`")?;
                            set
                        } else {
                            return Err(p.unexpected("`{` of a set"));
                        };
                        Setting::Set(Rc::new(set))
                    }
                };
                found.insert(name.name.clone(), setting);
            }
            SyntaxItem::Optional(group) => {
                if begins(p, group, kinds) {
                    defined_syntax(p, group, kinds, found)?;
                }
            }
        }
    }
    Ok(())
}

fn matches_literal(p: &Parser<'_>, word: &Ident) -> bool {
    match &*word.name {
        "," => p.peek() == Tok::Comma,
        name => p.peek() == Tok::Upper && p.text() == name,
    }
}

fn begins(p: &Parser<'_>, items: &[SyntaxItem], kinds: &HashMap<Rc<str>, Expect>) -> bool {
    for item in items {
        match item {
            SyntaxItem::Literal(word) => return matches_literal(p, word),
            SyntaxItem::Field(name) => {
                return match (p.peek(), kinds.get(&name.name)) {
                    (Tok::RBrace | Tok::Comma | Tok::End, _) | (_, None) => false,
                    (Tok::Upper | Tok::LBracket, Some(Expect::Type)) => true,
                    (Tok::LBrace, Some(Expect::Set | Expect::Value)) => true,
                    (Tok::Upper, Some(Expect::Value)) => {
                        begins_value(p.text()) || matches!(p.peek_at(1), Tok::Colon | Tok::Dot)
                    }
                    (_, Some(Expect::Value)) => true,
                    _ => false,
                };
            }
            SyntaxItem::Optional(group) => {
                if begins(p, group, kinds) {
                    return true;
                }
            }
        }
    }
    false
}

/// X.681 §10.6: words that are no literals, since values begin with them, those of open types with
/// their type.
fn begins_value(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "BIT",
        "BOOLEAN",
        "CHARACTER",
        "CHOICE",
        "DATE",
        "DATE-TIME",
        "DURATION",
        "EMBEDDED",
        "ENUMERATED",
        "EXTERNAL",
        "FALSE",
        "INSTANCE",
        "INTEGER",
        "MINUS-INFINITY",
        "NULL",
        "OBJECT",
        "OCTET",
        "PLUS-INFINITY",
        "REAL",
        "RELATIVE-OID",
        "SEQUENCE",
        "SET",
        "TIME",
        "TIME-OF-DAY",
        "TRUE",
    ];
    WORDS.contains(&word)
}
