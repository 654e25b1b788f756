//! Encrypting while a message is encoded, and decrypting while it is decoded: the times, and which
//! part depends on which.

use std::hint::black_box;
use std::marker::PhantomData;

use ccm::aead::AeadInPlace;
use roadwire_notation::Notation;
use roadwire_security::{Fault, SigningKey};
use serde::{Deserialize, Serialize};

use super::description::{Description, Kind};
use super::encoding::{Encoding, MESSAGE, Parts};
use super::material::key;
use super::passes::{ROOM, Times, median};
use super::secured::{Binary, OerOriginal, Secured, UperOriginal, UperP};
use super::signing::{TAG, cipher, fault};
use super::spans::Span;
use super::verifying::form;
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Direction};

/// The work on an encrypted message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// It is encoded or decoded.
    Codec,
    /// The content is encrypted or decrypted with a known key; nothing is encoded or decoded.
    Cipher,
    /// Both, in one pass.
    OnePass,
    /// The same, with the key encrypted for or by the first recipient.
    Key,
}

impl Work {
    /// All.
    pub const ALL: [Work; 4] = [Work::Codec, Work::Cipher, Work::OnePass, Work::Key];

    /// As in records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Work::Codec => "codec",
            Work::Cipher => "cipher",
            Work::OnePass => "one pass",
            Work::Key => "with the key",
        }
    }
}

/// An encrypted message in one encoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Encrypted {
    /// The message's name.
    pub message: String,
    /// How it is encoded.
    pub encoding: Encoding,
    /// The position of the encrypted key of the last recipient, bits: a receiver needs its own
    /// before the ciphertext.
    pub key: Span,
    /// The position of the ciphertext with its tag, bits.
    pub ciphertext: Span,
    /// CPU times, nanoseconds.
    pub times: Times<Work>,
}

impl Encrypted {
    /// A median time, nanoseconds.
    #[must_use]
    pub fn time(&self, direction: Direction, work: Work) -> Option<f64> {
        median(&self.times, direction, work)
    }

    /// How many bits of the ciphertext are moved to octet borders.
    #[must_use]
    pub fn moved(&self) -> usize {
        if self.ciphertext.0 % 8 == 0 { 0 } else { self.ciphertext.1 - self.ciphertext.0 }
    }

    /// How many octets of ciphertext a receiver keeps until it has the key: none if all keys come
    /// first.
    #[must_use]
    pub fn kept(&self) -> usize {
        if self.key.1 <= self.ciphertext.0 { 0 } else { (self.ciphertext.1 - self.ciphertext.0) / 8 }
    }
}

/// A message's parts, and a cell for each work.
pub type Prepared = (Encrypted, Vec<Box<dyn Cell>>);

/// The kinds of work on a really encrypted message, in the order of [`Work::ALL`], and the
/// positions of its parts; `None` for any other message.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn cells(parts: &Parts, of: &Description, jer: &str, octets: &[u8]) -> Result<Option<Prepared>, String> {
    if of.kind != Kind::Encrypted || of.octets(parts.encoding) <= TAG {
        return Ok(None);
    }
    match parts.encoding {
        Encoding::Binary => each::<Binary>(parts, of, jer, octets),
        Encoding::UperOriginal => each::<UperOriginal>(parts, of, jer, octets),
        Encoding::UperP => each::<UperP>(parts, of, jer, octets),
        Encoding::OerOriginal => each::<OerOriginal>(parts, of, jer, octets),
    }
    .map(Some)
}

fn each<S: Secured>(parts: &Parts, of: &Description, jer: &str, octets: &[u8]) -> Result<Prepared, String> {
    let value = parts.decode(MESSAGE, octets)?;
    let sealed = |recipient| (form(parts).sealed)(&value, recipient).ok_or("not an encrypted message");
    let last = (0..).map_while(|recipient| sealed(recipient).ok()).last().ok_or("for nobody")?;
    let find = |part: &[u8]| position(octets, part).ok_or("a part is not in the message");
    let (key_at, ciphertext) = (find(&last.key.t)?, find(&last.ciphertext)?);
    let work = |work| Working::<S>::new(parts, work, octets);
    let cells: Result<Vec<_>, Absent> =
        Work::ALL.map(|one| Bench::boxed(work(one).map_err(Absent)?, jer)).into_iter().collect();
    let (message, encoding) = (of.name.clone(), parts.encoding);
    let encrypted = Encrypted { message, encoding, key: key_at, ciphertext, times: Vec::new() };
    Ok((encrypted, cells.map_err(|absent| absent.0)?))
}

/// Where octets are in a message, from any bit on.
fn position(message: &[u8], part: &[u8]) -> Option<Span> {
    let octet = |bit: usize| {
        let (at, shift) = (bit / 8, bit % 8);
        let next = message.get(at + 1).copied().unwrap_or(0);
        (u16::from(message[at]) << 8 | u16::from(next)) << shift >> 8
    };
    let is_at = |from: &usize| part.iter().enumerate().all(|(at, wanted)| octet(from + 8 * at) as u8 == *wanted);
    let last = (8 * message.len()).checked_sub(8 * part.len())?;
    (0..=last).find(is_at).map(|from| (from, from + 8 * part.len()))
}

/// Does one kind of work.
struct Working<S> {
    work: Work,
    notation: Notation,
    plaintext: Vec<u8>,
    ciphertext: Vec<u8>,
    nonce: [u8; 12],
    secret: [u8; 16],
    /// The sender's ephemeral key; any, since its octets do not matter.
    once: SigningKey,
    recipient: SigningKey,
    encoding: PhantomData<S>,
}

impl<S: Secured> Working<S> {
    fn new(parts: &Parts, work: Work, octets: &[u8]) -> Result<Self, String> {
        let value = parts.decode(MESSAGE, octets)?;
        let sealed = (form(parts).sealed)(&value, 0).ok_or("not an encrypted message")?;
        let recipient = key("recipient 0").map_err(fault)?;
        let secret = sealed.key.open(&recipient).map_err(fault)?;
        let mut plaintext = sealed.ciphertext.clone();
        cipher(&secret)
            .decrypt_in_place(&sealed.nonce.into(), b"", &mut plaintext)
            .map_err(|_| "the tag is another's".to_string())?;
        Ok(Working {
            work,
            notation: parts.notation()?,
            plaintext,
            ciphertext: sealed.ciphertext,
            nonce: sealed.nonce,
            secret,
            once: key("once").map_err(fault)?,
            recipient,
            encoding: PhantomData,
        })
    }

    fn encrypt(&self) -> Result<(), Fault> {
        let mut octets = Vec::with_capacity(self.plaintext.len() + TAG);
        octets.extend_from_slice(black_box(&self.plaintext));
        let done = cipher(&self.secret).encrypt_in_place(&self.nonce.into(), b"", &mut octets);
        black_box(&octets);
        done.map_err(|_| Fault::Signature)
    }

    fn decrypt(&self, secret: &[u8; 16], nonce: &[u8; 12], ciphertext: &[u8]) -> Result<(), Fault> {
        let mut octets = black_box(ciphertext).to_vec();
        let done = cipher(secret).decrypt_in_place(nonce.into(), b"", &mut octets);
        black_box(&octets);
        done.map_err(|_| Fault::Signature)
    }

    /// Decrypts what was decoded.
    fn open(&self, message: Option<&S::Message<'_>>) -> Result<(), Fault> {
        let (sealed, nonce, ciphertext) = message.and_then(S::sealed).ok_or(Fault::Unsigned)?;
        let secret = if self.work == Work::Key { sealed.open(&self.recipient)? } else { self.secret };
        self.decrypt(&secret, nonce, ciphertext)
    }
}

impl<S: Secured> Codec for Working<S> {
    type Message<'a> = S::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = Fault;

    fn message(&self, jer: &str) -> Result<Self::Message<'static>, String> {
        S::message(&self.notation, jer)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    /// The content is encrypted anew each time, and the message has the octets that come out.
    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, Fault> {
        match self.work {
            Work::Codec => {}
            Work::Cipher => {
                self.encrypt()?;
                return Ok(0);
            }
            Work::OnePass => self.encrypt()?,
            Work::Key => {
                use roadwire_security::EncryptedKey;
                black_box(EncryptedKey::seal(&self.recipient.public(), &self.once, &self.secret)?);
                self.encrypt()?;
            }
        }
        Ok(S::encode(message, buffer)?)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), Fault> {
        match self.work {
            Work::Codec => _ = S::decode(octets, place)?,
            Work::Cipher => self.decrypt(&self.secret, &self.nonce, &self.ciphertext)?,
            Work::OnePass | Work::Key => {
                S::decode(octets, place)?;
                self.open(place.as_ref())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::description;
    use super::*;

    #[test]
    fn keys_come_before_the_ciphertext_in_every_encoding() {
        let mut seen = 0;
        for encoding in Encoding::ALL {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap() {
                let Some(value) = super::super::message(&parts, &of).unwrap() else { continue };
                let octets = parts.encode(MESSAGE, &value).unwrap();
                let Some((encrypted, mut cells)) = cells(&parts, &of, &value.to_string(), &octets).unwrap() else {
                    continue;
                };
                assert_eq!(encrypted.kept(), 0, "{} in {}", of.name, encoding.name());
                assert_eq!(encrypted.ciphertext.1 - encrypted.ciphertext.0, 8 * of.octets(encoding), "{}", of.name);
                for (cell, work) in cells.iter_mut().zip(Work::ALL).filter(|(_, work)| *work != Work::Cipher) {
                    assert_eq!(cell.recode(&octets, &octets).as_ref(), Ok(&octets), "{}", work.name());
                    // An altered ciphertext is not decrypted.
                    let mut altered = octets.clone();
                    altered[encrypted.ciphertext.0 / 8 + 1] ^= 1;
                    assert_eq!(cell.recode(&octets, &altered).is_err(), work != Work::Codec, "{}", work.name());
                }
                seen += 1;
            }
        }
        assert!(seen >= 12, "{seen}");
    }

    #[test]
    fn a_part_is_found_at_any_bit() {
        assert_eq!(position(&[0x00, 0x12, 0x34], &[0x12, 0x34]), Some((8, 24)));
        assert_eq!(position(&[0x01, 0x23, 0x40], &[0x12, 0x34]), Some((4, 20)));
        assert_eq!(position(&[0x01], &[0x12, 0x34]), None);
    }
}
