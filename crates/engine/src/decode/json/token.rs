//! Decoding JSON text: brackets, commas, names, white space, and what is not JSON.

use roadwire_layout::JsonNode;
use roadwire_wire::json::{self, Fault, Quoted};
use roadwire_wire::{ErrorKind, Rejected, Scalar};

use crate::decode::Decoder;
use crate::listener::{Listener, What};

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L> {
    /// The octet that comes next, as its place.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.reader.position() / 8
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.reader.octets().get(self.at()).copied()
    }

    /// Passes over some octets.
    #[inline]
    pub(super) fn pass(&mut self, octets: usize, what: What<'_>) {
        let from = self.reader.position();
        self.reader.advance_to(from + octets * 8);
        self.show(from, what, Scalar::Unset);
    }

    #[inline(never)]
    pub(super) fn space(&mut self) {
        let at = self.at();
        let end = json::space(self.reader.octets(), at);
        if end > at {
            self.pass(end - at, What::Padding);
        }
    }

    /// The bracket that begins what is expected.
    #[inline(never)]
    pub(super) fn bracket(&mut self, bracket: u8, expected: &'static str) -> Result<(), Rejected> {
        if self.peek() != Some(bracket) {
            return self.other_value(expected);
        }
        self.pass(1, What::Name(""));
        Ok(())
    }

    /// Whether another element or member comes, and goes to it; if not, goes behind the bracket that closes.
    #[inline(never)]
    pub(super) fn another(&mut self, close: u8, first: bool) -> Result<bool, Rejected> {
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
            _ if close == b'}' => self.syntax("expected `,` or `}`")?,
            _ => self.syntax("expected `,` or `]`")?,
        }
        Ok(true)
    }

    /// A member's name, and the colon behind it.
    #[inline(never)]
    pub(super) fn member_name(&mut self) -> Result<Quoted<'a>, Rejected> {
        if self.peek() != Some(b'"') {
            self.syntax("expected a member's name in quotes")?;
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
                self.syntax("expected `:`")?;
            }
        } else {
            end += usize::from(text.get(end) == Some(&b':'));
            self.pass(end - at, shown);
            if end == colon {
                self.syntax("expected `:`")?;
            }
        }
        self.space();
        Ok(name)
    }

    /// A string, which the caller shows.
    #[inline(never)]
    pub(super) fn quoted(&mut self, expected: &'static str) -> Result<Quoted<'a>, Rejected> {
        if self.peek() != Some(b'"') {
            self.other_value(expected)?;
        }
        let (name, end) = json::string(self.reader.octets(), self.at()).map_err(|fault| self.fault(fault))?;
        self.reader.advance_to(end * 8);
        Ok(name)
    }

    /// What stands here is not JSON, or is another value than the one expected.
    #[cold]
    #[inline(never)]
    pub(super) fn other_value(&mut self, expected: &'static str) -> Result<(), Rejected> {
        match json::skip(self.reader.octets(), self.at()) {
            Ok(_) => self.mismatch(expected),
            // A bracket begins a value, whatever comes behind it.
            Err(fault) if fault.at > self.at() && matches!(self.peek(), Some(b'[' | b'{')) => self.mismatch(expected),
            Err(fault) => Err(self.fault(fault)),
        }
    }

    /// The in-memory type has no place for what begins at octet `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn no_place(&mut self, at: usize) -> Result<(), Rejected> {
        self.notation(at, "value.mismatch", "the in-memory type cannot hold this")
    }

    #[cold]
    #[inline(never)]
    pub(super) fn syntax(&mut self, what: &'static str) -> Result<(), Rejected> {
        self.notation(self.at(), "json.syntax", what)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn notation(&mut self, at: usize, code: &'static str, what: &'static str) -> Result<(), Rejected> {
        Err(self.fault(Fault { at, code, what }))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn fault(&mut self, fault: Fault) -> Rejected {
        self.fail_at(ErrorKind::Notation { code: fault.code, what: fault.what }, fault.at * 8)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn unknown_name(
        &mut self,
        at: usize,
        code: &'static str,
        what: &'static str,
        node: &JsonNode,
    ) -> Result<(), Rejected> {
        let node = self.layout.place_of_json(node);
        Err(self.fail_at(ErrorKind::UnknownName { code, what, node }, at * 8))
    }
}
