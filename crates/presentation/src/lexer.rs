//! Text to tokens.

use roadwire_source::{Sink, SourceText, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tok {
    /// A name or a reserved word.
    Word,
    Number,
    LBrace,
    RBrace,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Less,
    Greater,
    Comma,
    Semicolon,
    Colon,
    Equals,
    Minus,
    Caret,
    /// `..`
    Range,
    /// `...`
    Ellipsis,
    End,
}

impl Tok {
    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tok::Word => "a name",
            Tok::Number => "a number",
            Tok::LBrace => "`{`",
            Tok::RBrace => "`}`",
            Tok::LParen => "`(`",
            Tok::RParen => "`)`",
            Tok::LBracket => "`[`",
            Tok::RBracket => "`]`",
            Tok::Less => "`<`",
            Tok::Greater => "`>`",
            Tok::Comma => "`,`",
            Tok::Semicolon => "`;`",
            Tok::Colon => "`:`",
            Tok::Equals => "`=`",
            Tok::Minus => "`-`",
            Tok::Caret => "`^`",
            Tok::Range => "`..`",
            Tok::Ellipsis => "`...`",
            Tok::End => "the end of the file",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
}

/// All tokens of a file, closed by one [`Tok::End`].
pub(crate) fn lex(file: u32, source: &SourceText, sink: &mut Sink) -> Vec<Token> {
    let mut lexer = Lexer { file, bytes: source.text.as_bytes(), at: 0, tokens: Vec::new() };
    while let Some(byte) = lexer.peek(0) {
        lexer.token(byte, source, sink);
    }
    lexer.push(Tok::End, lexer.at);
    lexer.tokens
}

struct Lexer<'a> {
    file: u32,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn token(&mut self, byte: u8, source: &SourceText, sink: &mut Sink) {
        let start = self.at;
        let one = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                self.at += 1;
                return;
            }
            b'/' if self.peek(1) == Some(b'/') => {
                self.skip_while(|byte| byte != b'\n' && byte != b'\r');
                return;
            }
            b'/' if self.peek(1) == Some(b'*') => return self.comment(start, sink),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                return self.push(Tok::Word, start);
            }
            b'0'..=b'9' => {
                // Letters are part of it, so that `0x1f` is one token, and `1f` one error.
                self.skip_while(|byte| byte.is_ascii_alphanumeric());
                return self.push(Tok::Number, start);
            }
            b'.' if self.peek(1) == Some(b'.') && self.peek(2) == Some(b'.') => {
                self.at += 3;
                return self.push(Tok::Ellipsis, start);
            }
            b'.' if self.peek(1) == Some(b'.') => {
                self.at += 2;
                return self.push(Tok::Range, start);
            }
            b'{' => Tok::LBrace,
            b'}' => Tok::RBrace,
            b'(' => Tok::LParen,
            b')' => Tok::RParen,
            b'[' => Tok::LBracket,
            b']' => Tok::RBracket,
            b'<' => Tok::Less,
            b'>' => Tok::Greater,
            b',' => Tok::Comma,
            b';' => Tok::Semicolon,
            b':' => Tok::Colon,
            b'=' => Tok::Equals,
            b'-' => Tok::Minus,
            b'^' => Tok::Caret,
            _ => {
                self.at += source.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                sink.error("tls.lex.character", self.span(start), "this character has no place outside of comments");
                return;
            }
        };
        self.at += 1;
        self.push(one, start);
    }

    fn comment(&mut self, start: usize, sink: &mut Sink) {
        self.at += 2;
        while self.peek(0).is_some() {
            if self.peek(0) == Some(b'*') && self.peek(1) == Some(b'/') {
                self.at += 2;
                return;
            }
            self.at += 1;
        }
        let opening = Span { end: start as u32 + 2, ..self.span(start) };
        sink.error("tls.lex.comment", opening, "this comment has no end");
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn push(&mut self, tok: Tok, start: usize) {
        let span = self.span(start);
        self.tokens.push(Token { tok, span });
    }
}
