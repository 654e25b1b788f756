//! The defined syntax of objects (X.681 §11.6).

use std::collections::HashMap;
use std::rc::Rc;

use super::objects::Setting;
use crate::ast::{Ident, SyntaxItem};
use crate::lexer::Tok;
use crate::parse::Parser;
use roadwire_source::{Outcome, Reported};

/// What stands for a field in the defined syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Type,
    Value,
    Set,
}

/// X.681 §11.6: literals in their places, optional groups taken when their first item is there.
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
                        matches!(p.text(), "TRUE" | "FALSE" | "NULL")
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
