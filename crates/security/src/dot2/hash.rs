//! The hashes of IEEE 1609.2 §5.3.3, and the hash that is signed.

use roadwire_messages::ieee1609dot2_2022::HashAlgorithm;
use sha2::{Digest as _, Sha256, Sha384};

/// A hash algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hash {
    /// SHA-256: 32 octets.
    Sha256,
    /// SHA-384: 48 octets.
    Sha384,
}

impl Hash {
    /// The one that a message or certificate names; nothing if it is unknown.
    pub(super) fn of(algorithm: HashAlgorithm) -> Option<Hash> {
        match algorithm {
            HashAlgorithm::Sha256 => Some(Hash::Sha256),
            HashAlgorithm::Sha384 => Some(Hash::Sha384),
            HashAlgorithm::UnknownAddition(_) => None,
        }
    }

    /// The hash of these octets, one part after the other.
    pub(super) fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        match self {
            Hash::Sha256 => parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize().to_vec(),
            Hash::Sha384 => parts.iter().fold(Sha384::new(), |hash, part| hash.chain_update(part)).finalize().to_vec(),
        }
    }

    /// The signed octets (§5.3.1.2.2): the hash of two hashes, of the data and of the signer's
    /// certificate, whose octets are empty where data is signed by itself.
    pub(super) fn signed(self, data: &[u8], signer: &[u8]) -> Vec<u8> {
        self.digest(&[&self.digest(&[data]), &self.digest(&[signer])])
    }
}
