//! Signing while a message is encoded, and verifying while one is decoded.

use roadwire_wire::Tap;
use sha2::{Digest, Sha256};

use crate::{Fault, Signature, SigningKey, VerifyingKey};

/// A tap that hashes the signed part (SHA-256) as soon as it is complete, in the same pass in which
/// the message is encoded or decoded, and records the position of the signature. For messages of
/// any schema whose part 0 is the signed data, and whose part 1 is the signature, which ends with r
/// and s, 32 octets each.
///
/// The signed data is a separate encoding: if it does not begin at an octet border, it is shifted
/// to one while it is hashed, and its last octet is padded with zero bits.
///
/// ```
/// use roadwire_engine::Tapped;
/// use roadwire_messages::{Tls, ieee1609dot2_2013 as dot2};
/// use roadwire_security::{OnePass, Point, Signature, SigningKey, VerifyingKey};
///
/// let key = SigningKey::from_bytes(&[7; 32])?;
/// let type_ = dot2::SecuredDataType::Signed(dot2::SignedData::default());
/// let message = dot2::SecuredData { protocol_version: 2, type_ };
/// let mut octets = [0; 200];
/// // The content type's octet, 1, is also signed.
/// let mut tap = OnePass::new(&[1], &[]);
/// let length = Tapped::<Tls>::encode_tapped(&message, &mut octets, &mut tap)?;
/// tap.sign(&key, &mut octets)?;
///
/// let mut received = dot2::SecuredData::default();
/// let mut tap = OnePass::new(&octets[1..2], &[]);
/// Tapped::<Tls>::decode_tapped(&mut received, &octets[..length], &mut tap)?;
/// let dot2::SecuredDataType::Signed(data) = received.type_ else { panic!("not signed") };
/// let dot2::EccPublicKey::X_coordinate_only(r) = data.signature.r else { panic!("another r") };
/// tap.verify(&VerifyingKey::new(&key.public())?, &Signature { r: Point::XOnly(r), s: data.signature.s })?;
/// # Ok::<(), roadwire_security::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct OnePass<'o> {
    before: &'o [u8],
    behind: &'o [u8],
    from: [usize; 2],
    signed: Option<(usize, usize)>,
    hash: Option<[u8; 32]>,
    signature: Option<(usize, usize)>,
}

/// Octets of r and s.
const NUMBERS: usize = 64;

impl<'o> OnePass<'o> {
    /// For a message in which the octets `before` part 0, and those after it, are also signed.
    #[must_use]
    pub fn new(before: &'o [u8], behind: &'o [u8]) -> Self {
        OnePass { before, behind, from: [0; 2], signed: None, hash: None, signature: None }
    }

    /// The hash of the signed data.
    ///
    /// # Errors
    /// [`Fault::Unsigned`]: the message has no such part.
    pub fn hash(&self) -> Result<&[u8; 32], Fault> {
        self.hash.as_ref().ok_or(Fault::Unsigned)
    }

    /// Signs the message that was encoded into `output`: r and s are written at their position,
    /// which need not be an octet border. The encoded value had a placeholder signature, with only
    /// the x coordinate of r.
    ///
    /// # Errors
    /// [`Fault::Unsigned`]: the message has no such parts.
    pub fn sign(&self, key: &SigningKey, output: &mut [u8]) -> Result<Signature, Fault> {
        let signature = key.sign_hash(self.hash()?)?;
        let (from, to) = self.signature.ok_or(Fault::Unsigned)?;
        let at = to.checked_sub(NUMBERS * 8).filter(|at| *at >= from).ok_or(Fault::Unsigned)?;
        let mut numbers = [0; NUMBERS];
        numbers[..32].copy_from_slice(signature.r.x());
        numbers[32..].copy_from_slice(&signature.s);
        put(output, at, &numbers).ok_or(Fault::Unsigned)?;
        Ok(signature)
    }

    /// Verifies that the key made the signature of the decoded message, and **nothing else**: the
    /// caller checks whose key it is, and whether the holder may sign the message.
    ///
    /// # Errors
    /// [`Fault::Unsigned`]: the message has no such part; [`Fault::Signature`].
    pub fn verify(&self, key: &VerifyingKey, signature: &Signature) -> Result<(), Fault> {
        key.verify_hash(self.hash()?, signature)
    }

    /// The range of bits of the signed data.
    #[must_use]
    pub fn signed(&self) -> Option<(usize, usize)> {
        self.signed
    }

    /// The range of bits of the signature.
    #[must_use]
    pub fn signature(&self) -> Option<(usize, usize)> {
        self.signature
    }

    /// The hash of a part, and of the signed octets around it; `None` if it is not within the
    /// octets.
    #[inline(never)]
    fn hash_part(&self, octets: &[u8], from: usize, to: usize) -> Option<[u8; 32]> {
        let mut hash = Sha256::new();
        if !self.before.is_empty() {
            hash.update(self.before);
        }
        update(&mut hash, octets, from, to)?;
        if !self.behind.is_empty() {
            hash.update(self.behind);
        }
        Some(hash.finalize().into())
    }
}

impl Tap for OnePass<'_> {
    #[inline(always)]
    fn begins(&mut self, part: usize, at: usize) {
        if let Some(from) = self.from.get_mut(part) {
            *from = at;
        }
    }

    #[inline(always)]
    fn ends(&mut self, part: usize, octets: &[u8], at: usize) {
        match part {
            0 => {
                self.hash = self.hash_part(octets, self.from[0], at);
                self.signed = Some((self.from[0], at));
            }
            1 => self.signature = Some((self.from[1], at)),
            _ => {}
        }
    }
}

/// Octets of a block of the hash.
const BLOCK: usize = 64;

/// Hashes the bits from `from` up to `to`, and zero bits up to a whole octet. `None` if they are
/// not within the octets.
fn update(hash: &mut Sha256, octets: &[u8], from: usize, to: usize) -> Option<()> {
    let (shift, bits) = (from % 8, to.checked_sub(from)?);
    let octets = octets.get(from / 8..to.div_ceil(8))?;
    let (count, unused) = (bits.div_ceil(8), bits.wrapping_neg() % 8);
    if shift == 0 {
        let (whole, last) = octets.split_at(bits / 8);
        hash.update(whole);
        if let [last] = last {
            hash.update([last & 0xff << unused]);
        }
        return Some(());
    }
    let mut block = [0; BLOCK];
    for at in (0..count).step_by(BLOCK) {
        let room = (count - at).min(BLOCK);
        for (step, place) in block[..room].chunks_mut(8).enumerate() {
            let word = moved(octets.get(at + step * 8..)?, shift).to_be_bytes();
            place.copy_from_slice(word.get(..place.len())?);
        }
        if at + room == count {
            block[room - 1] &= 0xff << unused;
        }
        hash.update(&block[..room]);
    }
    Some(())
}

/// The 64 bits after the first `shift` (0..=7) bits; missing bits are zero.
fn moved(octets: &[u8], shift: usize) -> u64 {
    match octets.split_first_chunk::<8>() {
        Some((word, rest)) => {
            u64::from_be_bytes(*word) << shift | u64::from(rest.first().copied().unwrap_or(0)) >> (8 - shift)
        }
        None => {
            octets.iter().enumerate().fold(0, |word, (at, octet)| word | u64::from(*octet) << (56 - at * 8)) << shift
        }
    }
}

/// Overwrites bits, from `at` on. `None` if they do not fit.
fn put(output: &mut [u8], at: usize, octets: &[u8]) -> Option<()> {
    let shift = at % 8;
    let output = output.get_mut(at / 8..(at + octets.len() * 8).div_ceil(8))?;
    if shift == 0 {
        output.copy_from_slice(octets);
        return Some(());
    }
    let kept = 0xffu8 >> shift;
    for (at, octet) in octets.iter().enumerate() {
        output[at] = output[at] & !kept | octet >> shift;
        output[at + 1] = octet << (8 - shift) | output[at + 1] & kept;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit(octets: &[u8], at: usize) -> u8 {
        octets[at / 8] >> (7 - at % 8) & 1
    }

    #[test]
    fn what_is_hashed_is_moved_to_an_octet_border() {
        let octets: Vec<u8> = (0..200u32).map(|at| (at * 37 + 11) as u8).collect();
        for from in 0..17 {
            for bits in (0..100usize).chain(500..530).chain([1020, 1024, 1400, 200 * 8 - from]) {
                let mut moved = vec![0u8; bits.div_ceil(8)];
                (0..bits).for_each(|at| moved[at / 8] |= bit(&octets, from + at) << (7 - at % 8));
                let mut hash = Sha256::new();
                assert_eq!(update(&mut hash, &octets, from, from + bits), Some(()));
                assert_eq!(hash.finalize(), Sha256::digest(&moved), "{bits} bits from {from}");
            }
        }
        assert_eq!(update(&mut Sha256::new(), &octets, 3, 200 * 8 + 1), None);
        assert_eq!(update(&mut Sha256::new(), &octets, 3, 2), None);
    }

    #[test]
    fn numbers_are_put_between_octets() {
        let numbers: [u8; NUMBERS] = std::array::from_fn(|at| (at * 91 + 5) as u8);
        for at in 0..20 {
            let before: Vec<u8> = (0..70u32).map(|at| (at * 53 + 7) as u8).collect();
            let mut after = before.clone();
            assert_eq!(put(&mut after, at, &numbers), Some(()));
            for place in 0..70 * 8 {
                let own = (at..at + NUMBERS * 8).contains(&place);
                let expected = if own { bit(&numbers, place - at) } else { bit(&before, place) };
                assert_eq!(bit(&after, place), expected, "bit {place}, from {at}");
            }
        }
        assert_eq!(put(&mut [0; 64], 1, &numbers), None);
    }

    #[test]
    fn what_has_no_parts_is_not_signed() {
        let key = SigningKey::from_bytes(&[7; 32]).unwrap();
        let mut tap = OnePass::new(&[], &[]);
        assert_eq!(tap.sign(&key, &mut [0; 100]), Err(Fault::Unsigned));
        // Parts that end after the octets, or before they begin; a signature too short for its
        // numbers.
        for (from, to) in [(8, 808), (16, 8)] {
            tap.begins(0, from);
            tap.ends(0, &[0; 100], to);
            assert_eq!(tap.hash(), Err(Fault::Unsigned));
        }
        tap.begins(0, 3);
        tap.ends(0, &[0; 100], 80);
        assert!(tap.hash().is_ok());
        tap.begins(1, 80);
        tap.ends(1, &[0; 100], 591);
        assert_eq!(tap.sign(&key, &mut [0; 100]), Err(Fault::Unsigned));
        tap.ends(1, &[0; 100], 592);
        assert_eq!(tap.sign(&key, &mut [0; 73]), Err(Fault::Unsigned));
        assert!(tap.sign(&key, &mut [0; 74]).is_ok());
        // Other parts are ignored.
        tap.begins(2, 0);
        tap.ends(2, &[], 8);
        assert_eq!(tap.signature(), Some((80, 592)));
    }
}
