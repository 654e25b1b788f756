//! Real numbers: JSON's numbers, and strings for values that are not (X.697).

use core::fmt::Write as _;

use crate::Text;
use crate::error::Rejected;
use crate::rt::RealContents;
use crate::rt::json::scan;
use crate::rt::text::{TextReader, TextWriter};

/// The text of a number: the shortest that is read back as the same value.
#[must_use]
pub fn real_text(value: f64) -> Text<32> {
    let mut room = Text::new();
    let text = match value {
        _ if value.is_nan() => "\"NaN\"",
        f64::INFINITY => "\"INF\"",
        f64::NEG_INFINITY => "\"-INF\"",
        _ if value == 0.0 && value.is_sign_negative() => "\"-0\"",
        _ => {
            let _ = write!(room, "{value:?}");
            return room;
        }
    };
    let _ = room.write_str(text);
    room
}

/// The strings that stand for values.
pub const SPECIAL_REALS: [(&str, f64); 4] =
    [("-0", -0.0), ("INF", f64::INFINITY), ("-INF", f64::NEG_INFINITY), ("NaN", f64::NAN)];

impl TextWriter<'_> {
    /// Writes a real number.
    ///
    /// # Errors
    /// The output is full.
    pub fn put_real(&mut self, value: f64) -> Result<(), Rejected> {
        self.put_slice(real_text(value).as_bytes())
    }
}

impl TextReader<'_> {
    /// Reads a real number.
    ///
    /// # Errors
    /// It is not one, or it is beyond the range of a double.
    pub fn take_real(&mut self) -> Result<f64, Rejected> {
        if self.input.get(self.at) == Some(&b'"') {
            let text = self.take_name()?;
            let special = SPECIAL_REALS.iter().find(|(name, _)| name.as_bytes() == text);
            return special.map(|(_, value)| *value).ok_or(Rejected);
        }
        let end = scan::number(self.input, self.at).map_err(|_| Rejected)?;
        let text = self.input.get(self.at..end).and_then(|text| core::str::from_utf8(text).ok()).ok_or(Rejected)?;
        self.at = end;
        RealContents::nearest(text).map_err(|_| Rejected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_there_and_back() {
        for value in [0.0, -0.0, 1.0, -0.1, 1e300, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut output = [0; 32];
            let mut writer = TextWriter::new(&mut output);
            writer.put_real(value).unwrap();
            let end = writer.position();
            let mut reader = TextReader::new(&output[..end]);
            let read = reader.take_real().unwrap();
            assert!(read.to_bits() == value.to_bits() || value.is_nan() && read.is_nan(), "{value}");
            assert_eq!(reader.finish(), Ok(end * 8));
        }
        for wrong in ["", "-", "x", "\"1\"", "\"INF", "1e999", ".5", "{\"base10Value\":1}"] {
            assert_eq!(TextReader::new(wrong.as_bytes()).take_real(), Err(Rejected), "{wrong}");
        }
    }
}
