//! Keys of AES-128 encrypted for a certificate's holder: ECIES of IEEE 1363a as in IEEE 1609.2-2013
//! and TS 103 097 V1, with KDF2 and MAC1 of SHA-256, and a tag of 20 octets.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::implicit::told;
use crate::{Fault, Point, SigningKey, VerifyingKey};

/// A key of AES-128, encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncryptedKey {
    /// The sender's ephemeral public key.
    pub v: Point,
    /// The encrypted key.
    pub c: [u8; 16],
    /// The tag.
    pub t: [u8; 20],
}

impl EncryptedKey {
    /// Encrypts `key` for the holder of `recipient`, with an ephemeral key `once`, which must never
    /// be used again.
    ///
    /// # Errors
    /// [`Fault::Key`] if the point is not valid.
    pub fn seal(recipient: &Point, once: &SigningKey, key: &[u8; 16]) -> Result<EncryptedKey, Fault> {
        let (cover, mac) = derived(once, recipient)?;
        let c = xor(key, &cover);
        let mut t = [0; 20];
        t.copy_from_slice(&tag(&mac, &c)?.finalize().into_bytes()[..20]);
        Ok(EncryptedKey { v: once.public(), c, t })
    }

    /// Decrypts the key for its recipient.
    ///
    /// # Errors
    /// [`Fault::Key`] if the sender's point is not valid; [`Fault::Signature`] if the tag does not
    /// match.
    pub fn open(&self, recipient: &SigningKey) -> Result<[u8; 16], Fault> {
        let (cover, mac) = derived(recipient, &self.v)?;
        // The comparison takes constant time.
        tag(&mac, &self.c)?.verify_truncated_left(&self.t).map_err(|_| Fault::Signature)?;
        Ok(xor(&self.c, &cover))
    }
}

/// The shared secrets: the key stream, and the key of the tag.
fn derived(own: &SigningKey, other: &Point) -> Result<([u8; 16], [u8; 32]), Fault> {
    let shared = told(&(VerifyingKey::new(other)?.point() * own.scalar()))?;
    let block = |counter: u32| Sha256::new().chain_update(shared.x()).chain_update(counter.to_be_bytes()).finalize();
    let all: Vec<u8> = block(1).into_iter().chain(block(2)).collect();
    let (mut cover, mut mac) = ([0; 16], [0; 32]);
    cover.copy_from_slice(&all[..16]);
    mac.copy_from_slice(&all[16..48]);
    Ok((cover, mac))
}

/// The MAC, of which the first 20 octets are sent as the tag.
fn tag(key: &[u8; 32], octets: &[u8]) -> Result<Hmac<Sha256>, Fault> {
    let mac = Hmac::<Sha256>::new_from_slice(key).map_err(|_| Fault::Key)?;
    Ok(mac.chain_update(octets))
}

fn xor(a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
    std::array::from_fn(|i| a[i] ^ b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_recipient_opens_a_key_and_only_as_it_was_sealed() {
        let key = |number: u8| SigningKey::from_bytes(&[number; 32]).unwrap();
        let mut sealed = EncryptedKey::seal(&key(5).public(), &key(6), &[7; 16]).unwrap();
        assert_eq!(sealed.open(&key(5)), Ok([7; 16]));
        assert_eq!(sealed.open(&key(4)), Err(Fault::Signature));
        sealed.c[3] ^= 1;
        assert_eq!(sealed.open(&key(5)), Err(Fault::Signature));
        sealed.c[3] ^= 1;
        // Each octet of the tag counts.
        for at in 0..sealed.t.len() {
            sealed.t[at] ^= 0x10;
            assert_eq!(sealed.open(&key(5)), Err(Fault::Signature), "octet {at}");
            sealed.t[at] ^= 0x10;
        }
        assert_eq!(sealed.open(&key(5)), Ok([7; 16]));
    }
}
