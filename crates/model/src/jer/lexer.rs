//! JSON text (RFC 8259) into a flat list of nodes, so that members can be read in any order. Strict, without recursion,
//! and linear in the text's length. Numbers stay text.

use std::borrow::Cow;

use super::error::{Fault, Outcome};
use crate::value::Value;

/// How deep arrays and objects may be nested: what any value may need, BIT STRINGs' own objects included.
const MAX_NESTING: usize = Value::MAX_DEPTH + 8;

/// A text's values. Node 0 is the whole.
pub(super) struct Tape<'t> {
    pub(super) text: &'t str,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Null,
    Boolean(bool),
    Number,
    /// A string; whether it has escapes.
    Text(bool),
    Array,
    /// Its children are names and values in turn.
    Object,
}

#[derive(Clone, Copy)]
struct Node {
    token: Token,
    /// Where its text starts; of a string, after the quote.
    start: usize,
    /// Where its text ends; of a string, before the quote.
    end: usize,
    /// The node after this one and all inside it.
    next: usize,
}

impl<'t> Tape<'t> {
    /// Reads a text that is one JSON value.
    pub(super) fn read(text: &'t str) -> Outcome<Self> {
        let mut lexer = Lexer { text, at: 0, nodes: Vec::new() };
        if text.starts_with('\u{feff}') {
            lexer.at = '\u{feff}'.len_utf8();
        }
        lexer.run()?;
        Ok(Tape { text, nodes: lexer.nodes })
    }

    pub(super) fn token(&self, node: usize) -> Token {
        self.nodes[node].token
    }

    /// Where the node is in the text: for error messages.
    pub(super) fn offset(&self, node: usize) -> usize {
        let Node { token, start, .. } = self.nodes[node];
        if matches!(token, Token::Text(_)) { start - 1 } else { start }
    }

    /// The text of a number or (as it stands there, escapes and all) of a string.
    pub(super) fn raw(&self, node: usize) -> &'t str {
        let Node { start, end, .. } = self.nodes[node];
        &self.text[start..end]
    }

    /// The characters of a string.
    pub(super) fn characters(&self, node: usize) -> Cow<'t, str> {
        match self.nodes[node].token {
            Token::Text(true) => Cow::Owned(unescape(self.raw(node))),
            _ => Cow::Borrowed(self.raw(node)),
        }
    }

    /// The elements of an array; the names and values of an object.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].next;
        let mut child = node + 1;
        std::iter::from_fn(move || {
            let this = child;
            (this < end).then(|| {
                child = self.nodes[this].next;
                this
            })
        })
    }

    /// The members of an object: nodes of name and value.
    pub(super) fn members(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut children = self.children(node);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Outcome {
        // The arrays and objects that are open.
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.value(&mut open)?;
            loop {
                let Some(&container) = open.last() else {
                    self.space();
                    return match self.peek() {
                        None => Ok(()),
                        Some(_) => Err(self.unexpected("the end: the value is complete")),
                    };
                };
                self.space();
                let object = self.nodes[container].token == Token::Object;
                let empty = container + 1 == self.nodes.len();
                match self.peek() {
                    Some(b']') if !object => self.close(&mut open),
                    Some(b'}') if object => self.close(&mut open),
                    Some(b',') if !empty => {
                        self.at += 1;
                        self.member_name(object)?;
                        break;
                    }
                    _ if empty => {
                        self.member_name(object)?;
                        break;
                    }
                    _ => return Err(self.unexpected(if object { "`,` or `}`" } else { "`,` or `]`" })),
                }
            }
        }
    }

    /// The start of a value; all of it unless it is an array or object.
    fn value(&mut self, open: &mut Vec<usize>) -> Outcome {
        self.space();
        let start = self.at;
        match self.peek() {
            Some(bracket @ (b'[' | b'{')) => {
                if open.len() >= MAX_NESTING {
                    return Err(Fault::at(start, "limit.depth", format!("nested deeper than {MAX_NESTING} levels")));
                }
                self.at += 1;
                open.push(self.nodes.len());
                self.add(if bracket == b'[' { Token::Array } else { Token::Object }, start);
                Ok(())
            }
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word(),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        self.at += 1;
        let next = self.nodes.len();
        if let Some(node) = open.pop().and_then(|container| self.nodes.get_mut(container)) {
            node.next = next;
            node.end = self.at;
        }
    }

    fn member_name(&mut self, object: bool) -> Outcome {
        if !object {
            return Ok(());
        }
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member's name in quotes"));
        }
        self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self) -> Outcome {
        let start = self.at;
        while self.peek().is_some_and(|octet| octet.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let token = match &self.text[start..self.at] {
            "null" => Token::Null,
            "true" => Token::Boolean(true),
            "false" => Token::Boolean(false),
            other => {
                let hint = match other {
                    "NaN" | "Infinity" | "INF" => "; JER has \"NaN\", \"INF\" and \"-INF\" in quotes",
                    _ => "; names and text stand in quotes",
                };
                let message = format!("`{}` is not a JSON value{hint}", super::names::clip(other));
                return Err(Fault::at(start, "json.syntax", message));
            }
        };
        self.add(token, start);
        Ok(())
    }

    fn number(&mut self) -> Outcome {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let whole = self.at;
        self.digits()?;
        if self.text.as_bytes()[whole] == b'0' && self.at > whole + 1 {
            return Err(Fault::at(start, "json.number", "a number has no leading zeros"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        self.add(Token::Number, start);
        Ok(())
    }

    fn digits(&mut self) -> Outcome {
        let start = self.at;
        while self.peek().is_some_and(|octet| octet.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Outcome {
        let quote = self.at;
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            match self.peek() {
                None => return Err(Fault::at(quote, "json.string", "the string does not end")),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0..=0x1f) => {
                    let message = "a control character in a string is written as an escape";
                    return Err(Fault::at(self.at, "json.string", message));
                }
                Some(_) => self.at += 1,
            }
        }
        self.add(Token::Text(escaped), start);
        self.at += 1;
        Ok(())
    }

    /// Passes over one escape. What is not a character of its own, a surrogate, comes in pairs.
    fn escape(&mut self) -> Outcome {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek() else {
            return Err(Fault::at(start, "json.string", "the string does not end"));
        };
        self.at += 1;
        match letter {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let lone = || Fault::at(start, "json.string", "half of a surrogate pair");
                match self.four_digits(start)? {
                    0xdc00..=0xdfff => Err(lone()),
                    0xd800..=0xdbff => {
                        if !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
                            return Err(lone());
                        }
                        self.at += 2;
                        match self.four_digits(start)? {
                            0xdc00..=0xdfff => Ok(()),
                            _ => Err(lone()),
                        }
                    }
                    _ => Ok(()),
                }
            }
            _ => Err(Fault::at(start, "json.string", "there is no such escape in JSON")),
        }
    }

    fn four_digits(&mut self, escape: usize) -> Outcome<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).unwrap_or_default();
        let value = hexadecimal(digits).filter(|_| digits.len() == 4);
        self.at += 4;
        value.ok_or_else(|| Fault::at(escape, "json.string", "an escape \\u has four hexadecimal digits"))
    }

    fn add(&mut self, token: Token, start: usize) {
        self.nodes.push(Node { token, start, end: self.at, next: self.nodes.len() + 1 });
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn unexpected(&self, expected: &str) -> Box<Fault> {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the text ends".to_owned(),
            Some(character) => format!("found {character:?}"),
        };
        Fault::at(self.at, "json.syntax", format!("expected {expected}, {found}"))
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?))
}

/// The characters of a string that the lexer has accepted.
fn unescape(raw: &str) -> String {
    let mut characters = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        characters.push_str(plain);
        let mut after = escape.chars();
        let unit = |at: usize| escape.as_bytes().get(at..at + 4).and_then(hexadecimal).unwrap_or_default();
        let mut length = 1;
        characters.push(match after.next().unwrap_or_default() {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                length = 5;
                let mut code = unit(1);
                if (0xd800..0xdc00).contains(&code) {
                    length = 11;
                    code = 0x10000 + ((code - 0xd800) << 10) + (unit(7) & 0x3ff);
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        });
        rest = escape.get(length..).unwrap_or_default();
    }
    characters.push_str(rest);
    characters
}
