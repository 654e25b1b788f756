//! Tokens to definitions. After an error it continues after the definition's end.

mod items;

use roadwire_source::{Outcome, Reported, Sink, SourceText, Span};

use crate::ast::{Amount, Body, Bounds, Definition, Enumeration, Extent, FieldType, Name, Number, Ordered};
use crate::lexer::{Tok, Token, lex};

/// Reads a file.
pub(crate) fn parse_file(file: u32, source: &SourceText, sink: &mut Sink) -> Vec<Definition> {
    let tokens = lex(file, source, sink);
    let mut parser = Parser { source, tokens: &tokens, at: 0, depth: 0, sink };
    let mut definitions = Vec::new();
    while parser.tok() != Tok::End {
        let start = parser.at;
        match parser.definition() {
            Ok(definition) => definitions.push(definition),
            Err(_) => parser.recover(start),
        }
    }
    definitions
}

/// Words that cannot be names.
const RESERVED: [&str; 15] = [
    "struct",
    "enum",
    "flags",
    "select",
    "case",
    "default",
    "unknown",
    "extern",
    "if_set",
    "if_any_set",
    "else",
    "ordered",
    "var",
    "opaque",
    "reserved",
];

struct Parser<'a> {
    source: &'a SourceText,
    tokens: &'a [Token],
    at: usize,
    /// How many braces are open.
    depth: u32,
    sink: &'a mut Sink,
}

impl<'a> Parser<'a> {
    fn definition(&mut self) -> Outcome<Definition> {
        match self.word() {
            "struct" => {
                self.at += 1;
                let items = self.block()?;
                self.named(Body::Struct(items))
            }
            "enum" => {
                self.at += 1;
                let body = self.enumeration()?;
                self.named(Body::Enum(body))
            }
            "flags" => {
                self.at += 1;
                let body = self.flags()?;
                self.named(Body::Flags(body))
            }
            _ => {
                let ordered = self.ordered()?;
                let base = self.type_name()?;
                let name = self.name()?;
                if self.eat(Tok::Equals) {
                    let value = self.number()?;
                    self.expect(Tok::Semicolon)?;
                    return Ok(Definition { name, body: Body::Constant(value) });
                }
                let extent = self.extent()?;
                self.expect(Tok::Semicolon)?;
                Ok(Definition { name, body: Body::Alias(FieldType { base, extent, order: ordered }) })
            }
        }
    }

    /// The name after a definition's braces.
    fn named(&mut self, body: Body) -> Outcome<Definition> {
        let name = self.name()?;
        self.expect(Tok::Semicolon)?;
        Ok(Definition { name, body })
    }

    fn enumeration(&mut self) -> Outcome<Enumeration> {
        self.expect(Tok::LBrace)?;
        let mut found = Enumeration { items: Vec::new(), reserved: Vec::new(), greatest: None };
        while self.tok() != Tok::RBrace {
            if self.eat(Tok::LParen) {
                let greatest = self.number()?;
                self.expect(Tok::RParen)?;
                if found.greatest.is_some() {
                    return Err(self.sink.error("tls.syntax", greatest.span, "the greatest number was given before"));
                }
                found.greatest = Some(greatest);
            } else if self.word() == "reserved" {
                self.at += 1;
                self.expect(Tok::LParen)?;
                let first = self.number()?;
                let last = if self.eat(Tok::Range) { self.number()? } else { first };
                self.expect(Tok::RParen)?;
                found.reserved.push((first, last));
            } else {
                found.items.push(self.numbered()?);
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(found)
    }

    fn flags(&mut self) -> Outcome<Vec<(Name, Number)>> {
        self.expect(Tok::LBrace)?;
        let mut found = Vec::new();
        while self.tok() != Tok::RBrace {
            found.push(self.numbered()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(found)
    }

    /// `name (5)`
    fn numbered(&mut self) -> Outcome<(Name, Number)> {
        let name = self.name()?;
        self.expect(Tok::LParen)?;
        let number = self.number()?;
        self.expect(Tok::RParen)?;
        Ok((name, number))
    }

    fn ordered(&mut self) -> Outcome<Option<Ordered>> {
        if self.word() != "ordered" {
            return Ok(None);
        }
        let span = self.span();
        self.at += 1;
        let first = if self.eat(Tok::LParen) {
            let first = self.name()?;
            self.expect(Tok::RParen)?;
            Some(first)
        } else {
            None
        };
        Ok(Some(Ordered { first, span }))
    }

    /// The extent after a field's name.
    fn extent(&mut self) -> Outcome<Extent> {
        if self.eat(Tok::LBracket) {
            let amount = self.amount()?;
            self.expect(Tok::RBracket)?;
            return Ok(Extent::Fixed(amount));
        }
        if !self.eat(Tok::Less) {
            return Ok(Extent::One);
        }
        let extent = if self.word() == "var" {
            self.at += 1;
            Extent::Variable(if self.eat(Tok::Comma) { Some(self.bounds()?) } else { None })
        } else {
            let (start, first) = (self.span(), self.amount()?);
            if self.eat(Tok::Range) {
                Extent::Field(first, self.amount()?)
            } else {
                let none = Number { value: 0, span: start };
                Extent::Field(Amount::Number(none), first)
            }
        };
        self.expect(Tok::Greater)?;
        Ok(extent)
    }

    /// `1..6`, `1..`, `0..6, ...`
    fn bounds(&mut self) -> Outcome<Bounds> {
        let lower = self.number()?;
        self.expect(Tok::Range)?;
        let upper = if self.tok() == Tok::Number { Some(self.number()?) } else { None };
        let extensible = self.eat(Tok::Comma);
        if extensible {
            self.expect(Tok::Ellipsis)?;
        }
        Ok(Bounds { lower, upper, extensible })
    }

    fn amount(&mut self) -> Outcome<Amount> {
        if self.tok() == Tok::Word { Ok(Amount::Name(self.name()?)) } else { Ok(Amount::Number(self.number()?)) }
    }

    /// `255`, `0xff`, `2^8-1`
    fn number(&mut self) -> Outcome<Number> {
        let start = self.span();
        let mut value = self.digits()?;
        if self.eat(Tok::Caret) {
            let power = self.digits()?;
            let raised = u32::try_from(power).ok().and_then(|power| u128::from(value).checked_pow(power));
            let minus = if self.eat(Tok::Minus) { self.digits()? } else { 0 };
            let found = raised.and_then(|raised| u64::try_from(raised.checked_sub(minus.into())?).ok());
            let span = start.to(self.before());
            value = found.ok_or_else(|| self.sink.error("tls.number.range", span, "a number of more than 64 bits"))?;
        }
        Ok(Number { value, span: start.to(self.before()) })
    }

    fn digits(&mut self) -> Outcome<u64> {
        let span = self.span();
        self.expect(Tok::Number)?;
        let text = self.source.slice(span);
        let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
        if let Ok(value) = u64::from_str_radix(digits, radix) {
            return Ok(value);
        }
        let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        let (code, what) = match is_number {
            true => ("tls.number.range", "a number of more than 64 bits"),
            false => ("tls.lex.number", "expected a decimal number, or a hexadecimal one that begins with 0x"),
        };
        Err(self.sink.error(code, span, what))
    }

    fn name(&mut self) -> Outcome<Name> {
        let (span, text) = (self.span(), self.word());
        if self.tok() != Tok::Word {
            return Err(self.unexpected("a name"));
        }
        if RESERVED.contains(&text) {
            let what = format!("`{text}` is a reserved word, not a name");
            return Err(self.sink.error("tls.syntax", span, what));
        }
        let text = text.to_owned();
        self.at += 1;
        Ok(Name { text, span })
    }

    /// A name, or `opaque`.
    fn type_name(&mut self) -> Outcome<Name> {
        if self.word() == "opaque" {
            let name = Name { text: "opaque".into(), span: self.span() };
            self.at += 1;
            return Ok(name);
        }
        self.name()
    }

    fn tok(&self) -> Tok {
        self.tokens.get(self.at).map_or(Tok::End, |token| token.tok)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::default(), |token| token.span)
    }

    /// The last token's position.
    fn before(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).map_or(Span::default(), |token| token.span)
    }

    /// The next token's text if it is a word, otherwise "".
    fn word(&self) -> &'a str {
        if self.tok() == Tok::Word { self.source.slice(self.span()) } else { "" }
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.tok() == tok;
        self.at += usize::from(found && tok != Tok::End);
        found
    }

    fn expect(&mut self, tok: Tok) -> Outcome<()> {
        if self.eat(tok) { Ok(()) } else { Err(self.unexpected(tok.name())) }
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        let (found, span) = (self.tok(), self.span());
        let found = match found {
            Tok::Word | Tok::Number => format!("`{}`", self.source.slice(span)),
            other => other.name().to_owned(),
        };
        self.sink.error("tls.syntax", span, format!("{wanted} should stand here, not {found}"))
    }

    /// Continues after the definition that began at token `start`: after its `;`, outside of all
    /// braces.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        let mut depth = 0u32;
        self.at = start;
        loop {
            match self.tok() {
                Tok::End => return,
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth = depth.saturating_sub(1),
                Tok::Semicolon if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}
