//! Decoding JSON text: brackets, commas, names, white space, and errors.

use super::Json;
use roadwire_layout::JsonNode;
use roadwire_wire::rt::json::{self, Fault, Quoted};
use roadwire_wire::{ErrorKind, Rejected, Scalar, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L, Json> {
    /// The offset of the next octet.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.reader.position() / 8
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.reader.octets().get(self.at()).copied()
    }

    /// Skips some octets, and reports them.
    #[inline]
    pub(crate) fn pass(&mut self, octets: usize, what: What<'_>) {
        let from = self.reader.position();
        self.reader.advance_to(from + octets * 8);
        self.show(from, what, Scalar::Unset);
    }

    #[inline(never)]
    pub(crate) fn space(&mut self) {
        let at = self.at();
        let end = json::space(self.reader.octets(), at);
        if end > at {
            self.pass(end - at, What::Padding);
        }
    }

    /// Reads the opening bracket of the expected value.
    #[inline(never)]
    pub(crate) fn bracket(&mut self, bracket: u8, expected: &'static str) -> Result<(), Rejected> {
        if self.peek() != Some(bracket) {
            return self.other_value(expected);
        }
        self.pass(1, What::Name(""));
        Ok(())
    }

    /// Whether another element or member follows. Moves to it, or past the closing bracket.
    #[inline(never)]
    pub(crate) fn another(&mut self, close: u8, first: bool) -> Result<bool, Rejected> {
        self.space();
        match self.peek() {
            Some(octet) if octet == close => {
                self.pass(1, What::Name(""));
                return Ok(false);
            }
            _ if first => {}
            Some(b',') => {
                self.pass(1, What::Name(""));
                self.space();
            }
            _ if close == b'}' => self.syntax(faults::json::COMMA_OR_BRACE)?,
            _ => self.syntax(faults::json::COMMA_OR_BRACKET)?,
        }
        Ok(true)
    }

    /// Reads a member's name, and the colon after it.
    #[inline(never)]
    pub(crate) fn member_name(&mut self) -> Result<Quoted<'a>, Rejected> {
        if self.peek() != Some(b'"') {
            self.syntax(faults::json::MEMBER_NAME)?;
        }
        let (text, at) = (self.reader.octets(), self.at());
        let (name, mut end) = json::string(text, at).map_err(|fault| self.fault(fault))?;
        let shown = What::Name(name.raw);
        let colon = json::space(text, end);
        if colon > end {
            self.pass(end - at, shown);
            self.space();
            if self.peek() == Some(b':') {
                self.pass(1, What::Name(""));
            } else {
                self.syntax(faults::json::COLON)?;
            }
        } else {
            end += usize::from(text.get(end) == Some(&b':'));
            self.pass(end - at, shown);
            if end == colon {
                self.syntax(faults::json::COLON)?;
            }
        }
        self.space();
        Ok(name)
    }

    /// Reads a string, which the caller reports.
    #[inline(never)]
    pub(crate) fn quoted(&mut self, expected: &'static str) -> Result<Quoted<'a>, Rejected> {
        if self.peek() != Some(b'"') {
            self.other_value(expected)?;
        }
        let (name, end) = json::string(self.reader.octets(), self.at()).map_err(|fault| self.fault(fault))?;
        self.reader.advance_to(end * 8);
        Ok(name)
    }

    /// The error for text that is not JSON, or is a value other than the expected one.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_value(&mut self, expected: &'static str) -> Result<(), Rejected> {
        match json::skip(self.reader.octets(), self.at()) {
            Ok(_) => self.mismatch(expected),
            // A bracket begins a value, whatever follows it.
            Err(fault) if fault.at > self.at() && matches!(self.peek(), Some(b'[' | b'{')) => self.mismatch(expected),
            Err(fault) => Err(self.fault(fault)),
        }
    }

    /// The error if the in-memory type cannot hold the value at octet `at`.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_place(&mut self, at: usize) -> Result<(), Rejected> {
        self.notation(at, faults::json::NO_PLACE)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn syntax(&mut self, what: faults::Fault) -> Result<(), Rejected> {
        self.notation(self.at(), what)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn notation(&mut self, at: usize, what: faults::Fault) -> Result<(), Rejected> {
        Err(self.fault(Fault { at, what }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fault(&mut self, fault: Fault) -> Rejected {
        self.fail_at(ErrorKind::Malformed(fault.what), fault.at * 8)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn unknown_name(&mut self, at: usize, fault: faults::Fault, node: &JsonNode) -> Result<(), Rejected> {
        let node = self.layout.place_of_json(node);
        Err(self.fail_at(ErrorKind::UnknownName { fault, node }, at * 8))
    }
}
