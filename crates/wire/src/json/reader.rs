//! Members and strings, read by straight-line code.

use crate::error::Rejected;
use crate::json::characters::Quoted;
use crate::json::scan;
use crate::text::{self, TextReader};

impl<'a> TextReader<'a> {
    /// Goes past a member's name, with its comma in front unless it is the first, if it comes next.
    #[inline]
    pub fn member<const N: usize>(&mut self, first: bool, name: &[u8; N]) -> bool {
        let start = self.at;
        if (first || self.accept(b",")) && self.accept(name) {
            return true;
        }
        self.at = start;
        false
    }

    /// Reads a name in quotes, to be compared with names that need no escapes: what stands between the quotes.
    ///
    /// # Errors
    /// It is no string, or does not end.
    #[inline]
    pub fn take_name(&mut self) -> Result<&'a [u8], Rejected> {
        self.expect(b"\"")?;
        let rest = self.rest();
        let length = rest.iter().position(|octet| *octet == b'"').ok_or(Rejected)?;
        self.at += length + 1;
        Ok(rest.get(..length).unwrap_or(&[]))
    }

    /// Reads a string without escapes.
    ///
    /// # Errors
    /// It is no string, or has escapes.
    pub fn take_string(&mut self) -> Result<&'a str, Rejected> {
        self.input.get(self.at).filter(|octet| **octet == b'"').ok_or(Rejected)?;
        match scan::string(self.input, self.at) {
            Ok((Quoted { raw, escaped: false }, end)) => {
                self.at = end;
                Ok(raw)
            }
            _ => Err(Rejected),
        }
    }

    /// The hexadecimal digits of a string.
    ///
    /// # Errors
    /// It is no string.
    #[inline]
    pub fn take_digits(&mut self) -> Result<&'a [u8], Rejected> {
        self.take_name()
    }

    /// Fills octets from the hexadecimal digits of a string.
    ///
    /// # Errors
    /// They are not hexadecimal digits, or another number of them.
    #[inline]
    pub fn fill(&mut self, octets: &mut [u8]) -> Result<(), Rejected> {
        let digits = self.take_digits()?;
        text::fill(digits, octets)
    }
}
