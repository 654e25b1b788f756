//! Octets as hex digits.

/// The octets; white space is ignored. `None` for anything that is not pairs of hex digits.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut digits = text.chars().filter(|c| !c.is_whitespace());
    let mut octets = Vec::with_capacity(text.len() / 2);
    while let Some(high) = digits.next() {
        let value = high.to_digit(16)? * 16 + digits.next()?.to_digit(16)?;
        octets.push(u8::try_from(value).ok()?);
    }
    Some(octets)
}

/// Lower-case hex digits.
pub fn encode(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}
