//! Decoding: text whose leading and trailing white space is ignored, and words.

use super::Xml;
use alloc::borrow::Cow;
use alloc::vec::Vec;

use roadwire_wire::rt::xml::{self, Characters};
use roadwire_wire::{Rejected, Scalar, faults};

use super::Tag;
use crate::decode::Decoder;
use crate::listener::{Listener, What};

/// An element's text, or an attribute's value, without leading and trailing white space.
pub(crate) struct Token<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    /// Where it begins and ends.
    from: usize,
    to: usize,
    /// Where the text after it begins.
    end: usize,
}

impl Token<'_> {
    pub(crate) fn bit(&self) -> usize {
        self.from * 8
    }
}

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L, Xml> {
    /// The next text, without consuming it.
    #[inline(never)]
    pub(crate) fn token(&mut self) -> Result<Token<'a>, Rejected> {
        self.end_of_start_tag()?;
        let (octets, start) = (self.reader.octets(), self.octet());
        if self.family.tag == Tag::Empty {
            return Ok(Token { text: Cow::Borrowed(&[]), from: start, to: start, end: start });
        }
        if self.family.spaced {
            return self.spaced_token(start);
        }
        let rest = octets.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|octet| octet.is_ascii_graphic() && !matches!(octet, b'<' | b'&' | b'"' | b'\''))
            .count();
        // Only plain text up to an end tag.
        if let (Tag::Complete, [b'<', b'/', ..]) = (self.family.tag, rest.get(length..).unwrap_or_default()) {
            let end = start + length;
            return Ok(Token {
                text: Cow::Borrowed(rest.get(..length).unwrap_or_default()),
                from: start,
                to: end,
                end,
            });
        }
        self.other_token(start)
    }

    /// One of several words separated by white space.
    #[inline(never)]
    fn spaced_token(&mut self, start: usize) -> Result<Token<'a>, Rejected> {
        let octets = self.reader.octets();
        let from = xml::space(octets, start);
        let rest = octets.get(from..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|octet| octet.is_ascii_graphic() && !matches!(octet, b'<' | b'&' | b'"' | b'\''))
            .count();
        let end = from + length;
        Ok(Token { text: Cow::Borrowed(rest.get(..length).unwrap_or_default()), from, to: end, end })
    }

    /// Whether another word follows.
    #[inline(never)]
    pub(crate) fn word_follows(&mut self) -> Result<bool, Rejected> {
        self.end_of_start_tag()?;
        if self.family.tag == Tag::Empty {
            return Ok(false);
        }
        let (octets, at) = (self.reader.octets(), self.octet());
        let next = xml::space(octets, at);
        let ends = match (octets.get(next..).unwrap_or_default(), self.family.tag) {
            ([], _) => return self.truncated(8),
            ([first, ..], Tag::Attribute(quote)) => *first == quote,
            ([b'<', b'/', ..], _) => true,
            ([b'<', ..], _) => {
                self.xml_pass(next, What::Padding);
                return Err(self.found_at(faults::xml::LIST_ELEMENT, next));
            }
            _ => false,
        };
        if ends {
            self.xml_pass(next, What::Padding);
        }
        Ok(!ends)
    }

    #[cold]
    #[inline(never)]
    fn other_token(&mut self, start: usize) -> Result<Token<'a>, Rejected> {
        let octets = self.reader.octets();
        let mut characters = self.characters_at(start);
        let mut text = Vec::new();
        let (mut from, mut to) = (None, start);
        // White space so far, which may be followed by more text.
        let mut space = 0usize;
        loop {
            let at = characters.position();
            match characters.read().map_err(|fault| self.xml_fault(fault))? {
                None => break,
                Some(' ' | '\t' | '\n' | '\r') => space += usize::from(from.is_some()),
                Some(character) => {
                    text.resize(text.len() + space, b' ');
                    space = 0;
                    from.get_or_insert(at);
                    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    to = characters.position();
                }
            }
        }
        let end = characters.position();
        let from = from.unwrap_or(end);
        let to = to.max(from);
        // If nothing was resolved, borrow the text itself.
        let text = match octets.get(from..to) {
            Some(same) if same == text => Cow::Borrowed(same),
            _ => Cow::Owned(text),
        };
        Ok(Token { text, from, to, end })
    }

    pub(crate) fn characters_at(&self, start: usize) -> Characters<'a> {
        match self.family.tag {
            Tag::Attribute(quote) => Characters::of_attribute(self.reader.octets(), start, quote),
            _ => Characters::of_text(self.reader.octets(), start),
        }
    }

    /// Continues after a text, and reports its value.
    #[inline]
    pub(crate) fn passed(&mut self, token: &Token<'_>, name: &str, scalar: Scalar<'_>) {
        if L::ACTIVE {
            self.xml_pass(token.from, What::Padding);
            let from = self.reader.position();
            self.go(token.to);
            self.show(from, What::Value(name), scalar);
            self.xml_pass(token.end, What::Padding);
        }
        self.go(token.end);
    }

    /// The next word, without consuming it: an empty element's name, or text.
    #[inline(never)]
    pub(crate) fn xml_word(&mut self) -> Result<Token<'a>, Rejected> {
        self.end_of_start_tag()?;
        if self.family.spaced || matches!(self.family.tag, Tag::Empty | Tag::Attribute(_)) {
            return self.token();
        }
        let (octets, at) = (self.reader.octets(), self.octet());
        let start = xml::space(octets, at);
        if !matches!(octets.get(start..), Some([b'<', next, ..]) if !matches!(next, b'/' | b'!' | b'?')) {
            let text = self.token()?;
            if !text.text.is_empty() {
                return Ok(text);
            }
            // Only comments, possibly followed by the element.
            if self.xml_peek()?.is_none() {
                return Ok(text);
            }
        }
        let start = xml::misc(octets, at).map_err(|fault| self.xml_fault(fault))?;
        let (name, after) = xml::name(octets, start + 1).map_err(|fault| self.xml_fault(fault))?;
        let (mut end, is_empty) = xml::end_of_tag(octets, after).map_err(|fault| self.xml_fault(fault))?;
        if !is_empty {
            let inside = xml::misc(octets, end).map_err(|fault| self.xml_fault(fault))?;
            let (other, after) = xml::end_tag(octets, inside).map_err(|fault| self.xml_fault(fault))?;
            if other != name {
                return Err(self.found_at(faults::xml::END_TAG_OTHER, inside));
            }
            end = after;
        }
        Ok(Token { text: Cow::Borrowed(name), from: start, to: end, end })
    }
}
