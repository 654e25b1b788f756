//! Short text without heap: numbers in decimal.

use core::fmt::Write as _;

/// A line of text of up to `N` octets: 48 hold an integer of 128 bits, 400 the digits of a double
/// without exponent.
#[derive(Clone, Debug)]
pub struct Line<const N: usize> {
    octets: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Line<N> {
    fn default() -> Self {
        Line { octets: [0; N], length: 0 }
    }
}

impl<const N: usize> core::fmt::Write for Line<N> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        text.bytes().for_each(|octet| self.push(octet));
        Ok(())
    }
}

impl<const N: usize> Line<N> {
    /// Appends an octet, if there is room.
    pub fn push(&mut self, octet: u8) {
        if let Some(place) = self.octets.get_mut(self.length) {
            *place = octet;
            self.length += 1;
        }
    }

    /// Appends a whole number.
    pub fn integer(&mut self, number: i128) {
        let _ = match i64::try_from(number) {
            Ok(number) => write!(self, "{number}"),
            Err(_) => write!(self, "{number}"),
        };
    }

    /// Appends a natural number.
    pub fn natural(&mut self, number: u128) {
        let _ = match u64::try_from(number) {
            Ok(number) => write!(self, "{number}"),
            Err(_) => write!(self, "{number}"),
        };
    }

    /// The shortest digits that are read back as the same double: `3.14E2`, or 314.0 without an
    /// exponent.
    pub fn real(&mut self, value: f64, plain: bool) {
        let start = self.length;
        if value == 0.0 {
            let _ = self.write_str(if value.is_sign_negative() { "-0" } else { "0" });
            return;
        }
        if plain {
            let _ = write!(self, "{value}");
            return;
        }
        let _ = write!(self, "{value:E}");
        let written = self.octets.get(start..self.length).unwrap_or_default();
        let Some(exponent) = written.iter().position(|octet| *octet == b'E') else { return };
        if !written.contains(&b'.') {
            let (at, end) = (start + exponent, self.length);
            self.push(b'0');
            self.push(b'0');
            if end + 2 == self.length {
                self.octets.copy_within(at..end, at + 2);
                self.octets.iter_mut().skip(at).zip(*b".0").for_each(|(place, octet)| *place = octet);
            }
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        core::str::from_utf8(self.octets.get(..self.length).unwrap_or_default()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_as_canonical_rules_have_them() {
        let cases =
            [(1.0, "1.0E0"), (-1.0, "-1.0E0"), (0.5, "5.0E-1"), (314.159, "3.14159E2"), (1e300, "1.0E300"), (0.0, "0")];
        for (value, wanted) in cases {
            let mut line = Line::<400>::default();
            line.real(value, false);
            assert_eq!(line.text(), wanted);
        }
        let mut line = Line::<400>::default();
        line.real(f64::MIN_POSITIVE, true);
        assert_eq!(line.text().parse(), Ok(f64::MIN_POSITIVE));
    }
}
