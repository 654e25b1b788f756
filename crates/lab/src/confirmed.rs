//! Who else has a message's octets: `studies/*/confirmed.csv`, which `interop/today.py` writes.

use roadwire_layout::Rules;
use sha2::{Digest, Sha256};

use crate::csv;

/// Of the messages of release 2.
pub(crate) const TODAY: &str = include_str!("../../../studies/today/confirmed.csv");
/// Of the papers' CAM and DENM.
const ENCODINGS: &str = include_str!("../../../studies/encodings/confirmed.csv");

/// The implementations that have these octets of a CAM or DENM of the papers; `None` if the file
/// does not list the message in these rules.
///
/// # Errors
/// Their names, if they have other octets.
pub fn on_file(message: &str, rules: Rules, octets: &[u8]) -> Result<Option<String>, String> {
    by(ENCODINGS, message, rules, octets)
}

/// The implementations that have these octets of a message, by a file; `None` if the file does not
/// list it.
///
/// # Errors
/// Their names, if they have other octets.
pub(crate) fn by(text: &str, message: &str, rules: Rules, octets: &[u8]) -> Result<Option<String>, String> {
    let known = text.lines().skip(1).map(csv::fields).find(|line| line[0] == message && line[1] == rules.name());
    let Some([.., digest, by]) = known.as_deref() else { return Ok(None) };
    if *digest == prefix(octets) { Ok(Some(by.clone())) } else { Err(by.clone()) }
}

/// The first 16 octets of SHA-256 of a message, as hex digits.
fn prefix(octets: &[u8]) -> String {
    roadwire_peers::hex::encode(&Sha256::digest(octets)[..16])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::today::messages;

    /// Release 2 in aligned and unaligned PER, COER and DER has a second opinion; and one wrong
    /// octet is noticed.
    #[test]
    fn others_have_the_octets_that_the_file_says_they_have() {
        let mut confirmed = 0;
        for one in messages().unwrap() {
            let by = by(TODAY, &one.name, one.rules, &one.octets)
                .unwrap_or_else(|by| panic!("{} in {}: {by}", one.name, one.rules));
            let Some(by) = by else { continue };
            assert!(by.contains("asn1tools") || by.contains("pycrate"), "{by}");
            let mut wrong = one.octets.clone();
            wrong[0] ^= 1;
            assert!(super::by(TODAY, &one.name, one.rules, &wrong).is_err());
            confirmed += 1;
        }
        assert!(confirmed > 40, "{confirmed}");
    }
}
