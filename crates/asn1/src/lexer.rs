//! X.680 clause 12: text to lexical items.

use roadwire_source::{Allow, Sink, SourceText, Span};

/// Kinds of lexical items. Reserved words are [`Tok::Upper`] (all start with a capital letter).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tok {
    /// A name with a capital first letter, or a reserved word.
    Upper,
    /// A name with a small first letter.
    Lower,
    /// `&Field`
    AmpUpper,
    /// `&field`
    AmpLower,
    Number,
    Real,
    BString,
    HString,
    CString,
    /// `::=`
    Assign,
    /// `..`
    Range,
    /// `...`
    Ellipsis,
    LBrace,
    RBrace,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Comma,
    Dot,
    Minus,
    Less,
    Greater,
    Colon,
    Semicolon,
    At,
    Bar,
    Bang,
    Caret,
    Star,
    Slash,
    Equals,
    End,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
}

/// The characters that end a line (X.680 §12.1.6).
pub(crate) const NEWLINES: [char; 4] = ['\n', '\x0b', '\x0c', '\r'];

/// All lexical items of a file, closed by one [`Tok::End`].
pub(crate) fn lex(file: u32, source: &SourceText, sink: &mut Sink) -> Vec<Token> {
    let (text, bytes) = (source.text.as_str(), source.text.as_bytes());
    let allowed = source.allows(Allow::Underscores).then(Vec::new);
    let mut lexer = Lexer { file, text, bytes, at: 0, sink, tokens: Vec::new(), underscored: allowed };
    lexer.run();
    lexer.tokens
}

struct Lexer<'a> {
    file: u32,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    sink: &'a mut Sink,
    tokens: Vec<Token>,
    /// The names with underscores, if they are allowed.
    underscored: Option<Vec<Span>>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'-' if self.peek(1) == Some(b'-') => self.line_comment(),
                b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
                b'A'..=b'Z' => self.word(start, Tok::Upper),
                b'a'..=b'z' => self.word(start, Tok::Lower),
                b'&' => self.field(start),
                b'0'..=b'9' => self.number(start),
                b'\'' => self.quoted_digits(start),
                b'"' => self.string(start),
                _ => self.symbol(start, byte),
            }
        }
        let end = self.bytes.len();
        self.push(Tok::End, end);
        self.warn_of_underscores();
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    fn push(&mut self, tok: Tok, start: usize) {
        let span = self.span(start);
        self.tokens.push(Token { tok, span });
    }

    /// X.680 §12.6.3: ends at the next pair of hyphens or at the end of the line.
    fn line_comment(&mut self) {
        self.at += 2;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' | b'\r' | 0x0b | 0x0c => return,
                b'-' if self.peek(1) == Some(b'-') => {
                    self.at += 2;
                    // A ruler of an odd number of hyphens leaves one over, which is not intended.
                    let odd =
                        self.peek(0) == Some(b'-') && !self.peek(1).is_some_and(|b| b == b'-' || b.is_ascii_digit());
                    self.at += usize::from(odd);
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    /// X.680 §12.6.4: `/* */`, nested.
    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let span = Span { end: start as u32 + 2, ..self.span(start) };
        self.sink.error("asn1.lex.comment", span, "this comment is not closed");
    }

    /// Letters, digits and single hyphens; a hyphen is never last (X.680 §12.2.1).
    fn word_tail(&mut self) {
        while let Some(byte) = self.peek(0) {
            let more = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
                b'-' => self.peek(1).is_some_and(|b| b.is_ascii_alphanumeric()),
                // Not ASN.1, but common in hand-written modules: gives one clear error instead of
                // many.
                b'_' => true,
                _ => false,
            };
            if !more {
                return;
            }
            self.at += 1;
        }
    }

    fn word(&mut self, start: usize, tok: Tok) {
        self.word_tail();
        if self.text.get(start..self.at).is_some_and(|w| w.contains('_')) {
            let span = self.span(start);
            match &mut self.underscored {
                Some(names) => names.push(span),
                None => {
                    self.sink.error_note(
                        "asn1.lex.name",
                        span,
                        "names have letters, digits and hyphens, no underscores",
                        Some("with `--allow underscores` they are taken as written".to_owned()),
                    );
                }
            }
        }
        self.push(tok, start);
    }

    /// One warning for a file, at its first name.
    fn warn_of_underscores(&mut self) {
        let Some([first, others @ ..]) = self.underscored.as_deref() else { return };
        let more = match others.len() {
            0 => String::new(),
            1 => ", and one more in this file".to_owned(),
            count => format!(", and {count} more in this file"),
        };
        let name = self.text.get(first.start as usize..first.end as usize).unwrap_or("");
        let message = format!("`{name}` has an underscore, which is not ASN.1: taken as written{more}");
        self.sink.warning("asn1.lex.name", *first, message);
    }

    fn field(&mut self, start: usize) {
        self.at += 1;
        match self.peek(0) {
            Some(b'A'..=b'Z') => self.word(start, Tok::AmpUpper),
            Some(b'a'..=b'z') => self.word(start, Tok::AmpLower),
            _ => {
                let span = self.span(start);
                self.sink.error("asn1.lex.character", span, "`&` is followed by the name of a field");
            }
        }
    }

    /// X.680 §12.8 and §12.9: digits, and of a real number a decimal point, digits after it, an
    /// exponent.
    fn number(&mut self, start: usize) {
        self.digits();
        let mut tok = Tok::Number;
        // `1..2` is a range from 1. `1...2` is one from `1.`: nowhere is a number followed by an
        // ellipsis.
        let range = self.peek(1) == Some(b'.') && self.peek(2) != Some(b'.');
        if self.peek(0) == Some(b'.') && !range {
            tok = Tok::Real;
            self.at += 1;
            self.digits();
        }
        if let Some(b'e' | b'E') = self.peek(0) {
            let sign = usize::from(matches!(self.peek(1), Some(b'-' | b'+')));
            if self.peek(1 + sign).is_some_and(|b| b.is_ascii_digit()) {
                tok = Tok::Real;
                self.at += 1 + sign;
                self.digits();
            }
        }
        self.push(tok, start);
    }

    fn digits(&mut self) {
        while self.peek(0).is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// `'0101'B` or `'0AF'H`, white space inside allowed (X.680 §12.10, §12.12).
    fn quoted_digits(&mut self, start: usize) {
        self.at += 1;
        let inner = self.at;
        while self.peek(0).is_some_and(|b| b != b'\'') {
            self.at += 1;
        }
        let digits = self.text.get(inner..self.at).unwrap_or("");
        let tok = match (self.peek(0), self.peek(1)) {
            (Some(_), Some(b'B')) => Tok::BString,
            (Some(_), Some(b'H')) => Tok::HString,
            _ => {
                self.at = start + 1;
                let span = self.span(start);
                self.sink.error("asn1.lex.string", span, "a quoted string of digits ends with 'B or 'H");
                return;
            }
        };
        let fits = |c: char| {
            c.is_ascii_whitespace()
                || c == '\x0b'
                || if tok == Tok::BString { matches!(c, '0' | '1') } else { matches!(c, '0'..='9' | 'A'..='F') }
        };
        let good = digits.chars().all(fits);
        self.at += 2;
        if !good {
            let span = self.span(start);
            self.sink.error(
                "asn1.lex.string",
                span,
                if tok == Tok::BString {
                    "a binary string holds 0 and 1 only"
                } else {
                    "a hexadecimal string holds 0 to 9 and A to F only"
                },
            );
        }
        self.push(tok, start);
    }

    /// `"..."`, where `""` is one quotation mark (X.680 §12.14).
    fn string(&mut self, start: usize) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == b'"' {
                if self.peek(0) == Some(b'"') {
                    self.at += 1;
                } else {
                    self.push(Tok::CString, start);
                    return;
                }
            }
        }
        // Most likely it should have ended on its line.
        let rest = self.text.get(start..).unwrap_or("");
        self.at = start + rest.find(NEWLINES).unwrap_or(rest.len());
        let span = self.span(start);
        self.sink.error("asn1.lex.string", span, "this string is not closed");
        self.push(Tok::CString, start);
    }

    fn symbol(&mut self, start: usize, byte: u8) {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let (tok, length) = match byte {
            b':' if rest.starts_with(b"::=") => (Tok::Assign, 3),
            b'.' if rest.starts_with(b"...") => (Tok::Ellipsis, 3),
            b'.' if rest.starts_with(b"..") => (Tok::Range, 2),
            b'.' => (Tok::Dot, 1),
            b'{' => (Tok::LBrace, 1),
            b'}' => (Tok::RBrace, 1),
            b'(' => (Tok::LParen, 1),
            b')' => (Tok::RParen, 1),
            b'[' => (Tok::LBracket, 1),
            b']' => (Tok::RBracket, 1),
            b',' => (Tok::Comma, 1),
            b'-' => (Tok::Minus, 1),
            b'<' => (Tok::Less, 1),
            b'>' => (Tok::Greater, 1),
            b':' => (Tok::Colon, 1),
            b';' => (Tok::Semicolon, 1),
            b'@' => (Tok::At, 1),
            b'|' => (Tok::Bar, 1),
            b'!' => (Tok::Bang, 1),
            b'^' => (Tok::Caret, 1),
            b'*' => (Tok::Star, 1),
            b'/' => (Tok::Slash, 1),
            b'=' => (Tok::Equals, 1),
            _ => return self.stray(start),
        };
        self.at += length;
        self.push(tok, start);
    }

    /// A run of characters that begin no lexical item, reported once.
    fn stray(&mut self, start: usize) {
        let mut only_space = true;
        let rest = self.text.get(start..).unwrap_or("");
        for c in rest.chars() {
            let begins_something = c.is_ascii_alphanumeric()
                || c.is_ascii_whitespace()
                || c == '\x0b'
                || ":.{}()[],-<>;@|!^*/=&'\"".contains(c);
            if begins_something {
                break;
            }
            // X.680 §12.1.6 counts NO-BREAK SPACE as white space; the other characters are left by
            // editors.
            only_space &= c.is_whitespace() || c == '\u{feff}' || c == '\x1a';
            self.at += c.len_utf8();
        }
        if self.at == start {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            only_space = false;
        }
        if !only_space {
            let span = self.span(start);
            self.sink.error("asn1.lex.character", span, "these characters begin nothing that ASN.1 knows");
        }
    }
}
