//! Information object classes (X.681 clauses 9 and 10).

use std::rc::Rc;

use super::Parser;
use crate::ast::{Class, Field, FieldKind, Ident, SyntaxItem};
use crate::lexer::Tok;
use roadwire_source::Outcome;

impl Parser<'_> {
    /// `CLASS { ... } WITH SYNTAX { ... }`
    pub(crate) fn class(&mut self) -> Outcome<Class> {
        self.expect_word("CLASS")?;
        self.expect(Tok::LBrace, "`{` of CLASS")?;
        let mut fields = Vec::new();
        loop {
            fields.push(self.class_field()?);
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}` after a field")?;
        let mut syntax = None;
        if self.accept_word("WITH") {
            self.expect_word("SYNTAX")?;
            self.expect(Tok::LBrace, "`{` of WITH SYNTAX")?;
            syntax = Some(self.syntax_items(Tok::RBrace)?);
            self.expect(Tok::RBrace, "`}`")?;
        }
        Ok(Class { fields, syntax })
    }

    fn class_field(&mut self) -> Outcome<Field> {
        let is_set = self.peek() == Tok::AmpUpper;
        let name = self.field_name()?;
        let by_field = matches!(self.peek(), Tok::AmpUpper | Tok::AmpLower);
        let alone =
            matches!(self.peek(), Tok::Comma | Tok::RBrace) || self.is_word("OPTIONAL") || self.is_word("DEFAULT");
        let kind = if is_set && alone {
            FieldKind::Type
        } else if by_field {
            let mut by = vec![self.field_name()?];
            while self.accept(Tok::Dot) {
                by.push(self.field_name()?);
            }
            if is_set { FieldKind::VariableSet { by } } else { FieldKind::VariableValue { by } }
        } else {
            let governor = Rc::new(self.ty()?);
            if is_set {
                FieldKind::Set { governor }
            } else {
                let unique = self.accept_word("UNIQUE");
                FieldKind::Value { governor, unique }
            }
        };
        let optional = self.accept_word("OPTIONAL");
        let mut default = None;
        if !optional && self.accept_word("DEFAULT") {
            default = Some(self.until_comma()?);
        }
        Ok(Field { name, kind, optional, default })
    }

    fn syntax_items(&mut self, close: Tok) -> Outcome<Vec<SyntaxItem>> {
        self.nested(|p| {
            let mut items = Vec::new();
            loop {
                match p.peek() {
                    tok if tok == close => return Ok(items),
                    Tok::Upper | Tok::Comma => items.push(SyntaxItem::Literal(p.ident_here())),
                    Tok::AmpUpper | Tok::AmpLower => items.push(SyntaxItem::Field(p.ident_here())),
                    Tok::LBracket => {
                        let open = p.advance().span;
                        let group = p.syntax_items(Tok::RBracket)?;
                        p.expect(Tok::RBracket, "`]`")?;
                        if group.is_empty() {
                            return Err(p.fail("asn1.syntax", open, "an optional group is not empty"));
                        }
                        items.push(SyntaxItem::Optional(group));
                    }
                    _ => return Err(p.unexpected("a word, a field or an optional group")),
                }
            }
        })
    }

    /// `&field setting, ...`: the fields with the items of their settings (X.681 §11.5,
    /// DefaultSyntax).
    pub(crate) fn default_syntax(&mut self) -> Outcome<Vec<(Ident, crate::ast::Tokens)>> {
        self.expect(Tok::LBrace, "`{` of an object")?;
        let mut settings = Vec::new();
        if self.accept(Tok::RBrace) {
            return Ok(settings);
        }
        loop {
            let name = self.field_name()?;
            settings.push((name, self.until_comma()?));
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(settings)
    }
}
