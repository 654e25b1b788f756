//! The signatures that a receiver has verified: anybody can write one in another form that verifies
//! as well.

use sha2::{Digest as _, Sha256};

use crate::HashedId8;
use crate::remembered::{Remembered, SIGNATURES, Standing};

/// Verified signatures, by the first octets of the hash that was signed.
#[derive(Debug, Clone)]
pub(crate) struct Signatures(Remembered<Verified>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Verified {
    /// The first octets of a hash of the signed octets and of R's x coordinate.
    content: [u8; 16],
    /// The same of how the point R is written, and s.
    form: [u8; 16],
}

impl Default for Signatures {
    fn default() -> Self {
        Signatures(Remembered::new(SIGNATURES))
    }
}

impl Signatures {
    /// Whether this is the signature of an earlier message in another form: a second signature of
    /// the same content has another R. `form` is all of the signature but the x coordinate of R.
    pub(crate) fn is_altered_copy(&mut self, hash: &[u8], x: &[u8], form: &[u8]) -> bool {
        let mut key = HashedId8::default();
        key.copy_from_slice(&hash[..8]);
        let verified = Verified { content: first_of(&[hash, x]), form: first_of(&[form]) };
        if let Some(earlier) = self.0.get(&key) {
            return earlier.content == verified.content && earlier.form != verified.form;
        }
        self.0.insert(key, Standing::Signer, 0, verified);
        false
    }
}

/// The first octets of a hash.
fn first_of(parts: &[&[u8]]) -> [u8; 16] {
    let hash = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize();
    let mut first = [0; 16];
    first.copy_from_slice(&hash[..16]);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_signature_of_the_same_content_is_no_copy() {
        let mut signatures = Signatures::default();
        let (hash, first, second) = ([1; 32], [2; 32], [3; 32]);
        assert!(!signatures.is_altered_copy(&hash, &first, b"form"));
        assert!(signatures.is_altered_copy(&hash, &first, b"another form"));
        assert!(!signatures.is_altered_copy(&hash, &second, b"its own form"), "another R");
        assert!(!signatures.is_altered_copy(&[4; 32], &first, b"its own form"), "another message");
        assert!(!signatures.is_altered_copy(&hash, &first, b"form"));
    }
}
