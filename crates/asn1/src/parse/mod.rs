//! Recursive descent over the lexical items, with recovery at assignments and a limit on nesting.

mod constraints;
mod modules;
mod objects;
mod recovery;
mod types;
mod values;

use std::rc::Rc;

use crate::ast::{Ident, Module, Tokens};
use crate::lexer::{Tok, Token, lex};
use roadwire_source::{Outcome, Reported, Sink};
use roadwire_source::{SourceText, Span};

/// How deep types, values and constraints may nest in the text.
pub(crate) const MAX_NESTING: u32 = 128;

/// A file with its lexical items.
#[derive(Debug)]
pub(crate) struct LexedFile {
    pub(crate) tokens: Vec<Token>,
}

/// Lexes and parses one file.
pub(crate) fn parse_file(file: u32, source: &SourceText, sink: &mut Sink) -> (LexedFile, Vec<Module>) {
    let tokens = lex(file, source, sink);
    let end = tokens.len().saturating_sub(1);
    let mut parser = Parser::new(source, &tokens, file, 0, end, sink);
    let modules = parser.modules();
    (LexedFile { tokens }, modules)
}

/// A parser over a range of the items of one file.
pub(crate) struct Parser<'a> {
    source: &'a SourceText,
    tokens: &'a [Token],
    file: u32,
    at: usize,
    end: usize,
    depth: u32,
    /// Where the current assignment begins in the text.
    assignment_from: u32,
    /// The meaning of `[...]` without a prefix: `None` is a tag (X.680 §13.4, §31.1).
    instructions: Option<Rc<str>>,
    sink: &'a mut Sink,
}

impl<'a> Parser<'a> {
    fn new(
        source: &'a SourceText,
        tokens: &'a [Token],
        file: u32,
        start: usize,
        end: usize,
        sink: &'a mut Sink,
    ) -> Self {
        Parser {
            source,
            tokens,
            file,
            at: start,
            end: end.min(tokens.len().saturating_sub(1)),
            depth: 0,
            assignment_from: start_of(tokens, start),
            instructions: None,
            sink,
        }
    }

    /// A parser for text that was set aside until its meaning was known.
    pub(crate) fn on(
        source: &'a SourceText,
        lexed: &'a LexedFile,
        range: Tokens,
        instructions: Option<Rc<str>>,
        sink: &'a mut Sink,
    ) -> Self {
        let mut parser = Parser::new(source, &lexed.tokens, range.file, range.start as usize, range.end as usize, sink);
        parser.instructions = instructions;
        parser
    }

    // --- looking ---

    pub(crate) fn at_end(&self) -> bool {
        self.at >= self.end
    }

    fn token(&self, ahead: usize) -> Token {
        let index = self.at.saturating_add(ahead);
        if index >= self.end {
            let span = self.tokens.get(self.end).map_or(Span::default(), |t| Span { end: t.span.start, ..t.span });
            return Token { tok: Tok::End, span };
        }
        self.tokens[index]
    }

    pub(crate) fn peek(&self) -> Tok {
        self.token(0).tok
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Tok {
        self.token(ahead).tok
    }

    pub(crate) fn span(&self) -> Span {
        self.token(0).span
    }

    /// The text of the item `ahead` of the current one.
    pub(crate) fn text_at(&self, ahead: usize) -> &'a str {
        let token = self.token(ahead);
        if token.tok == Tok::End {
            return "";
        }
        self.source.slice(token.span)
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text_at(0)
    }

    /// The span from `start` to the item before the current one.
    fn since(&self, start: Span) -> Span {
        match self.at.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(token) if token.span.start >= start.start => start.to(token.span),
            _ => start,
        }
    }

    /// Whether the current item is this reserved word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.peek() == Tok::Upper && self.text() == word
    }

    fn is_word_at(&self, ahead: usize, word: &str) -> bool {
        self.peek_at(ahead) == Tok::Upper && self.text_at(ahead) == word
    }

    /// A name with a capital that is not a reserved word.
    fn is_type_name(&self, ahead: usize) -> bool {
        self.peek_at(ahead) == Tok::Upper && !is_reserved(self.text_at(ahead))
    }

    /// Two brackets without a space between (`[[` or `]]`).
    fn is_double(&self, tok: Tok) -> bool {
        self.peek() == tok && self.peek_at(1) == tok && self.token(0).span.end == self.token(1).span.start
    }

    // --- taking ---

    pub(crate) fn advance(&mut self) -> Token {
        let token = self.token(0);
        if self.at < self.end {
            self.at += 1;
        }
        token
    }

    pub(crate) fn accept(&mut self, tok: Tok) -> bool {
        let there = self.peek() == tok && !self.at_end();
        if there {
            self.at += 1;
        }
        there
    }

    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.at += 1;
        }
        there
    }

    pub(crate) fn expect(&mut self, tok: Tok, what: &str) -> Outcome<Span> {
        if self.peek() == tok && !self.at_end() {
            return Ok(self.advance().span);
        }
        Err(self.unexpected(what))
    }

    fn expect_word(&mut self, word: &str) -> Outcome<Span> {
        if self.is_word(word) {
            return Ok(self.advance().span);
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    fn ident_here(&mut self) -> Ident {
        let name = Rc::from(self.text());
        let span = self.advance().span;
        Ident { name, span }
    }

    /// An identifier or a value reference.
    pub(crate) fn lower(&mut self, what: &str) -> Outcome<Ident> {
        if self.peek() == Tok::Lower {
            return Ok(self.ident_here());
        }
        Err(self.unexpected(what))
    }

    /// A type, module, class or set reference.
    pub(crate) fn upper(&mut self, what: &str) -> Outcome<Ident> {
        if self.is_type_name(0) {
            return Ok(self.ident_here());
        }
        Err(self.unexpected(what))
    }

    /// `&Field` or `&field`.
    fn field_name(&mut self) -> Outcome<Ident> {
        if matches!(self.peek(), Tok::AmpUpper | Tok::AmpLower) {
            return Ok(self.ident_here());
        }
        Err(self.unexpected("a field name such as `&Type`"))
    }

    pub(crate) fn unexpected(&mut self, wanted: &str) -> Reported {
        let span = self.span();
        // A lexical error has been reported, and this error is most likely a consequence.
        if self.sink.lexical_between(self.file, self.assignment_from, span.start) {
            return Reported::before();
        }
        let found = if self.peek() == Tok::End {
            "the end of the text".to_owned()
        } else {
            let text: String = self.text().chars().take(40).collect();
            format!("`{text}`")
        };
        self.sink.error("asn1.syntax", span, format!("expected {wanted}, found {found}"))
    }

    pub(crate) fn fail(&mut self, code: &'static str, span: Span, message: &str) -> Reported {
        self.sink.error(code, span, message)
    }

    /// After a whole construct: nothing may follow in the range.
    pub(crate) fn finish(&mut self, what: &str) -> Outcome<()> {
        if self.at_end() {
            return Ok(());
        }
        Err(self.unexpected(what))
    }

    fn too_deep(&mut self) -> Reported {
        let span = self.span();
        self.sink.error("asn1.limit.nesting", span, format!("more than {MAX_NESTING} levels of nesting"))
    }

    /// Runs `inner` one nesting level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn tokens_from(&self, start: usize, first: Span) -> Tokens {
        Tokens { file: self.file, start: start as u32, end: self.at as u32, span: self.since(first) }
    }

    /// `{ ... }` with whatever inside, as long as brackets match.
    pub(crate) fn braced(&mut self) -> Outcome<Tokens> {
        let start = self.at;
        let open = self.expect(Tok::LBrace, "`{`")?;
        let mut depth = 1u32;
        loop {
            match self.peek() {
                Tok::LBrace => depth += 1,
                Tok::RBrace => depth -= 1,
                Tok::End | Tok::Assign => {
                    return Err(self.sink.error("asn1.syntax", open, "this `{` is not closed"));
                }
                _ => {}
            }
            if depth > MAX_NESTING {
                return Err(self.too_deep());
            }
            self.advance();
            if depth == 0 {
                return Ok(self.tokens_from(start, open));
            }
        }
    }

    /// Items up to a comma or a closing brace of the enclosing level, neither included.
    fn until_comma(&mut self) -> Outcome<Tokens> {
        let start = self.at;
        let first = self.span();
        let mut depth = 0u32;
        loop {
            match self.peek() {
                Tok::Comma | Tok::RBrace if depth == 0 => break,
                Tok::LBrace | Tok::LParen | Tok::LBracket => depth += 1,
                Tok::RBrace | Tok::RParen | Tok::RBracket => {
                    depth = match depth.checked_sub(1) {
                        Some(d) => d,
                        None => return Err(self.unexpected("`,` or `}`")),
                    }
                }
                Tok::End | Tok::Assign => return Err(self.unexpected("`,` or `}`")),
                _ => {}
            }
            if depth > MAX_NESTING {
                return Err(self.too_deep());
            }
            self.advance();
        }
        if self.at == start {
            return Err(self.unexpected("something between the commas"));
        }
        Ok(self.tokens_from(start, first))
    }
}

fn start_of(tokens: &[Token], index: usize) -> u32 {
    tokens.get(index).map_or(0, |t| t.span.start)
}

/// X.680 §12.38: words that are no names.
pub(crate) fn is_reserved(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "ABSENT",
        "ALL",
        "APPLICATION",
        "AUTOMATIC",
        "BEGIN",
        "BIT",
        "BMPString",
        "BOOLEAN",
        "BY",
        "CHARACTER",
        "CHOICE",
        "CLASS",
        "COMPONENT",
        "COMPONENTS",
        "CONSTRAINED",
        "CONTAINING",
        "DATE",
        "DATE-TIME",
        "DEFAULT",
        "DEFINITIONS",
        "DURATION",
        "EMBEDDED",
        "ENCODED",
        "ENCODING-CONTROL",
        "END",
        "ENUMERATED",
        "EXCEPT",
        "EXPLICIT",
        "EXPORTS",
        "EXTENSIBILITY",
        "EXTERNAL",
        "FALSE",
        "FROM",
        "GeneralString",
        "GeneralizedTime",
        "GraphicString",
        "IA5String",
        "IDENTIFIER",
        "IMPLICIT",
        "IMPLIED",
        "IMPORTS",
        "INCLUDES",
        "INSTANCE",
        "INSTRUCTIONS",
        "INTEGER",
        "INTERSECTION",
        "ISO646String",
        "MAX",
        "MIN",
        "MINUS-INFINITY",
        "NOT-A-NUMBER",
        "NULL",
        "NumericString",
        "OBJECT",
        "OCTET",
        "OF",
        "OID-IRI",
        "OPTIONAL",
        "ObjectDescriptor",
        "PATTERN",
        "PDV",
        "PLUS-INFINITY",
        "PRESENT",
        "PRIVATE",
        "PrintableString",
        "REAL",
        "RELATIVE-OID",
        "RELATIVE-OID-IRI",
        "SEQUENCE",
        "SET",
        "SETTINGS",
        "SIZE",
        "STRING",
        "SYNTAX",
        "T61String",
        "TAGS",
        "TIME",
        "TIME-OF-DAY",
        "TRUE",
        "TeletexString",
        "UNION",
        "UNIQUE",
        "UNIVERSAL",
        "UTCTime",
        "UTF8String",
        "UniversalString",
        "VideotexString",
        "VisibleString",
        "WITH",
    ];
    WORDS.contains(&word)
}
