//! Items between the braces of a struct.

use roadwire_source::Outcome;

use super::Parser;
use crate::ast::{Case, FieldType, Item, Label};
use crate::lexer::Tok;

/// The deepest nesting of braces.
const DEEPEST: u32 = 32;

impl Parser<'_> {
    /// Items between braces.
    pub(super) fn block(&mut self) -> Outcome<Vec<Item>> {
        let opening = self.span();
        self.expect(Tok::LBrace)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.sink.error("tls.limit.depth", opening, "braces nested too deep"));
        }
        let mut items = Vec::new();
        while self.tok() != Tok::RBrace {
            self.item(&mut items)?;
        }
        self.at += 1;
        self.depth -= 1;
        Ok(items)
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Outcome<()> {
        match self.word() {
            // Nothing.
            "" if self.eat(Tok::Semicolon) => return Ok(()),
            "extern" => {
                self.at += 1;
                self.type_name()?;
                items.push(Item::Extern(self.name()?));
            }
            "select" => return self.select(items),
            "if_set" => return self.if_set(items, false),
            "if_any_set" => return self.if_set(items, true),
            "struct" | "enum" | "flags" => {
                let what = "a type is defined where it has a name, outside of structs";
                return Err(self.sink.error("tls.syntax", self.span(), what));
            }
            _ => {
                let order = self.ordered()?;
                let base = self.type_name()?;
                if self.tok() == Tok::Semicolon {
                    // RFC 5246 §4.6.1: in a case, a type without a name is enough.
                    let ty = FieldType { base, extent: crate::ast::Extent::One, order };
                    items.push(Item::Field { name: None, ty });
                } else {
                    let name = self.name()?;
                    if self.eat(Tok::Equals) {
                        items.push(Item::Constant(name, self.number()?));
                    } else {
                        let extent = self.extent()?;
                        items.push(Item::Field { name: Some(name), ty: FieldType { base, extent, order } });
                    }
                }
            }
        }
        self.expect(Tok::Semicolon)
    }

    /// `select (name) { case a: ... default: ... unknown: ... }`
    fn select(&mut self, items: &mut Vec<Item>) -> Outcome<()> {
        self.at += 1;
        self.expect(Tok::LParen)?;
        let on = self.name()?;
        self.expect(Tok::RParen)?;
        let opening = self.span();
        self.expect(Tok::LBrace)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.sink.error("tls.limit.depth", opening, "braces nested too deep"));
        }
        let mut cases = Vec::new();
        while self.tok() != Tok::RBrace {
            cases.push(self.case()?);
        }
        self.at += 1;
        self.depth -= 1;
        // RFC 5246 §4.6.1: a name of the select, which does not affect the encoding.
        if self.tok() == Tok::Word && self.tokens.get(self.at + 1).is_some_and(|next| next.tok == Tok::Semicolon) {
            self.at += 1;
        }
        items.push(Item::Select { on, cases });
        Ok(())
    }

    fn case(&mut self) -> Outcome<Case> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            self.expect(Tok::Colon)?;
        }
        if labels.is_empty() {
            return Err(self.unexpected("`case`, `default` or `unknown`"));
        }
        let mut items = Vec::new();
        while self.tok() != Tok::RBrace && !matches!(self.word(), "case" | "default" | "unknown") {
            self.item(&mut items)?;
        }
        Ok(Case { labels, items })
    }

    fn label(&mut self) -> Outcome<Option<Label>> {
        let span = self.span();
        let label = match self.word() {
            "default" => Label::Default(span),
            "unknown" => Label::Unknown(span),
            "case" => {
                self.at += 1;
                let label =
                    if self.tok() == Tok::Number { Label::Number(self.number()?) } else { Label::Item(self.name()?) };
                return Ok(Some(label));
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(label))
    }

    /// `if_set (flags, flag) { ... } else { ... }`, or `if_any_set` with any number of flags
    fn if_set(&mut self, items: &mut Vec<Item>, any: bool) -> Outcome<()> {
        self.at += 1;
        self.expect(Tok::LParen)?;
        let flags = self.name()?;
        self.expect(Tok::Comma)?;
        let mut among = vec![self.name()?];
        while any && self.tok() == Tok::Comma {
            self.at += 1;
            among.push(self.name()?);
        }
        self.expect(Tok::RParen)?;
        let then = self.block()?;
        let otherwise = if self.word() == "else" {
            self.at += 1;
            self.block()?
        } else {
            Vec::new()
        };
        items.push(Item::IfSet { flags, among, then, otherwise });
        Ok(())
    }
}
