//! Whole numbers as octets.

/// The shortest two's complement or unsigned octets of a number of up to 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct TwosComplement {
    octets: [u8; 16],
    start: usize,
}

impl TwosComplement {
    /// The shortest two's complement form (X.690 §8.3.2): at least one octet.
    #[must_use]
    pub fn signed(value: i128) -> Self {
        let sign_bits = if value < 0 { value.leading_ones() } else { value.leading_zeros() };
        let start = ((sign_bits - 1) / 8) as usize;
        TwosComplement { octets: value.to_be_bytes(), start }
    }

    /// The shortest unsigned form (X.691 §11.3.6): at least one octet.
    #[must_use]
    pub fn unsigned(value: u128) -> Self {
        let start = (value.leading_zeros() / 8).min(15) as usize;
        TwosComplement { octets: value.to_be_bytes(), start }
    }

    /// The octets.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.octets.get(self.start..).unwrap_or_default()
    }

    /// Reads a two's complement number; `None` above 128 bits. No octets give 0.
    #[must_use]
    pub fn read_signed(octets: &[u8]) -> Option<i128> {
        let fill = if octets.first().is_some_and(|first| first & 0x80 != 0) { 0xff } else { 0 };
        let extra = octets.len().saturating_sub(16);
        let (head, tail) = octets.split_at_checked(extra)?;
        let sign = tail.first().map_or(0, |first| first & 0x80);
        let redundant = head.iter().all(|octet| *octet == fill) && (extra == 0 || sign == fill & 0x80);
        redundant.then(|| {
            tail.iter().fold(if fill == 0 { 0i128 } else { -1 }, |value, octet| value << 8 | i128::from(*octet))
        })
    }

    /// Whether octets are the shortest two's complement form of a number (X.690 §8.3.2).
    #[must_use]
    pub fn is_shortest(octets: &[u8]) -> bool {
        !matches!(octets, [] | [0x00, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..])
    }

    /// Reads an unsigned number; `None` above 127 bits. No octets give 0.
    #[must_use]
    pub fn read_unsigned(octets: &[u8]) -> Option<i128> {
        let extra = octets.len().saturating_sub(16);
        let (head, tail) = octets.split_at_checked(extra)?;
        if head.iter().any(|octet| *octet != 0) {
            return None;
        }
        let value = tail.iter().fold(0u128, |value, octet| value << 8 | u128::from(*octet));
        i128::try_from(value).ok()
    }
}
