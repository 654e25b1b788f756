//! Real numbers in decimal.

use crate::error::{ErrorKind, Rejected};
use crate::rt::text::{TextReader, TextWriter};
use crate::rt::{Line, RealContents};

/// The names of infinities and NaN: a word, or an empty element with this name (X.680 §21.5).
#[must_use]
pub fn special_real(value: f64) -> Option<(&'static str, &'static str)> {
    match value {
        _ if value.is_nan() => Some(("NaN", "NOT-A-NUMBER")),
        f64::INFINITY => Some(("INF", "PLUS-INFINITY")),
        f64::NEG_INFINITY => Some(("-INF", "MINUS-INFINITY")),
        _ => None,
    }
}

/// The text of a finite number (X.693 §9.2): one nonzero digit before the point, at least one after
/// it, and no trailing zeros; without an exponent if it is `plain`.
#[must_use]
pub fn real_text(value: f64, plain: bool) -> Line<400> {
    let mut line = Line::default();
    line.real(value, plain);
    line
}

/// A number from digits with an optional point and an optional exponent (X.680 §12.9), which is not
/// allowed if it is `plain`.
///
/// # Errors
/// It is not one, or is beyond the range of a double.
pub fn real(text: &[u8], plain: bool) -> Result<f64, ErrorKind> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let is_plain = digits.iter().all(|octet| octet.is_ascii_digit() || *octet == b'.');
    let is_real = digits.iter().all(|octet| matches!(octet, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+'));
    let allowed = digits.first().is_some_and(u8::is_ascii_digit) && (is_plain || (is_real && !plain));
    RealContents::nearest(core::str::from_utf8(text).ok().filter(|_| allowed).unwrap_or_default())
}

impl TextWriter<'_> {
    /// Writes a real number; infinities and NaN as words if `is_text`, otherwise as empty elements.
    ///
    /// # Errors
    /// The output is full, or the number is not finite although it has to be `plain`.
    pub fn put_scientific(&mut self, value: f64, is_text: bool, plain: bool) -> Result<(), Rejected> {
        match special_real(value) {
            Some(_) if plain => Err(Rejected),
            Some((word, _)) if is_text => self.put_slice(word.as_bytes()),
            Some((_, element)) => {
                self.put(b"<")?;
                self.put_slice(element.as_bytes())?;
                self.put(b"/>")
            }
            None => self.put_slice(real_text(value, plain).text().as_bytes()),
        }
    }
}

impl TextReader<'_> {
    /// Reads a real number as [`TextWriter::put_scientific`] writes it.
    ///
    /// # Errors
    /// It is not one, or is beyond the range of a double.
    pub fn take_scientific(&mut self, is_text: bool, plain: bool) -> Result<f64, Rejected> {
        let is_element = !is_text && !plain && matches!(self.rest(), [b'<', next, ..] if *next != b'/');
        let word = if is_element { self.take_empty()? } else { self.take_word() };
        for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let is_it = |(text, element): (&str, &str)| word == if is_element { element } else { text }.as_bytes();
            if (is_element || is_text && !plain) && special_real(value).is_some_and(is_it) {
                return Ok(value);
            }
        }
        if is_element { Err(Rejected) } else { real(word, plain).map_err(|_| Rejected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_there_and_back() {
        for (is_text, plain) in [(true, false), (false, false), (true, true)] {
            for value in [0.0, -0.0, 1.0, -0.1, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                let mut output = [0; 400];
                let mut writer = TextWriter::new(&mut output);
                let written = writer.put_scientific(value, is_text, plain);
                assert_eq!(written.is_ok(), value.is_finite() || !plain);
                let end = writer.position();
                let read = TextReader::new(&output[..end]).take_scientific(is_text, plain);
                match written {
                    Ok(()) => assert!(read.is_ok_and(|read| read.to_bits() == value.to_bits() || value.is_nan())),
                    Err(Rejected) => assert!(read.is_err()),
                }
            }
        }
        for wrong in ["", "<NaN/>", "INF", "1 ", "+1", "1e999", "<a/>", "</a>"] {
            assert_eq!(TextReader::new(wrong.as_bytes()).take_scientific(false, false), Err(Rejected), "{wrong}");
        }
        assert_eq!(TextReader::new(b"1E3").take_scientific(true, true), Err(Rejected));
    }
}
