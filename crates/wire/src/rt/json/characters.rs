//! The characters of JSON strings, and how they are written.

use crate::rt::text::digits::HEXADECIMAL;

/// A string as it is between its quotes; its escapes have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a> {
    /// The text, with its escapes.
    pub raw: &'a str,
    /// Whether there are escapes in it.
    pub escaped: bool,
}

impl<'a> Quoted<'a> {
    /// Its characters.
    #[must_use]
    pub fn characters(self) -> Characters<'a> {
        Characters { rest: self.raw }
    }

    /// Whether it is this text.
    #[inline]
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        if self.escaped { self.characters().eq(text.chars()) } else { self.raw == text }
    }
}

/// The characters of a string, each escape as the character that it stands for.
#[derive(Clone, Debug)]
pub struct Characters<'a> {
    rest: &'a str,
}

impl Characters<'_> {
    fn escape(&mut self) -> char {
        let mut letters = self.rest.chars();
        let letter = letters.next().unwrap_or_default();
        self.rest = letters.as_str();
        match letter {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let mut code = self.four_digits();
                if (0xd800..0xdc00).contains(&code) {
                    self.rest = self.rest.get(2..).unwrap_or("");
                    code = 0x10000 + ((code - 0xd800) << 10) + (self.four_digits() & 0x3ff);
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => other,
        }
    }

    fn four_digits(&mut self) -> u32 {
        let (digits, rest) = self.rest.split_at_checked(4).unwrap_or((self.rest, ""));
        self.rest = rest;
        u32::from_str_radix(digits, 16).unwrap_or(0)
    }
}

impl Iterator for Characters<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let character = characters.next()?;
        self.rest = characters.as_str();
        Some(if character == '\\' { self.escape() } else { character })
    }
}

/// A piece of text as it is written in a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Characters as they are.
    Plain(&'t str),
    /// An escape for one character: the octets, and how many of them are used.
    Escape([u8; 6], u8),
}

/// Splits a text into pieces. Characters that a JSON string cannot have are escaped, and so are
/// those that are invisible or end a line in some programs.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let mut characters = rest.char_indices();
        let special = characters.find_map(|(at, character)| escape_of(character).map(|escape| (at, character, escape)));
        match special {
            None if rest.is_empty() => None,
            None => Some(Piece::Plain(core::mem::take(&mut rest))),
            Some((0, character, (octets, count))) => {
                rest = rest.get(character.len_utf8()..).unwrap_or("");
                Some(Piece::Escape(octets, count))
            }
            Some((at, ..)) => {
                let (plain, after) = rest.split_at(at);
                rest = after;
                Some(Piece::Plain(plain))
            }
        }
    })
}

fn escape_of(character: char) -> Option<([u8; 6], u8)> {
    let letter = match character {
        '"' | '\\' => character as u8,
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
            let code = u32::from(character);
            let digit = |shift: u32| HEXADECIMAL[(code >> shift & 15) as usize];
            return Some(([b'\\', b'u', digit(12), digit(8), digit(4), digit(0)], 6));
        }
        _ => return None,
    };
    Some(([b'\\', letter, 0, 0, 0, 0], 2))
}
