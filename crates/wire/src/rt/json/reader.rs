//! Members and strings, read by straight-line code.

use crate::error::Rejected;
use crate::rt::json::characters::Quoted;
use crate::rt::json::scan;
use crate::rt::text::{self, TextReader};

impl<'a> TextReader<'a> {
    /// Skips a member's name if it comes next, with a comma in front of it unless it is the first.
    #[inline]
    pub fn member<const N: usize>(&mut self, first: bool, name: &[u8; N]) -> bool {
        let start = self.at;
        if (first || self.accept(b",")) && self.accept(name) {
            return true;
        }
        self.at = start;
        false
    }

    /// Reads a name in quotes, and returns what is between the quotes, to be compared with names that need no escapes.
    ///
    /// # Errors
    /// It is not a string, or does not end.
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
    /// It is not a string, or has escapes.
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
    /// It is not a string.
    #[inline]
    pub fn take_digits(&mut self) -> Result<&'a [u8], Rejected> {
        self.take_name()
    }

    /// Fills octets from the hexadecimal digits of a string.
    ///
    /// # Errors
    /// They are not hexadecimal digits, or not two for each octet.
    #[inline]
    pub fn fill(&mut self, octets: &mut [u8]) -> Result<(), Rejected> {
        let digits = self.take_digits()?;
        text::fill(digits, octets)
    }
}
