//! The envelope of TS 103 097 V2.1.1: a signed message, whose signer is named by digest or sends
//! its certificate.
//!
//! Keys, digests and signatures are made up: no encoding depends on their octets, and each has the
//! length that the standard gives it.

use serde_json::{Value, json};

use super::super::Schema;
use super::NOW;
use crate::hex;

/// How the signer is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signer {
    /// By the eight octets of its certificate's digest.
    Digest,
    /// By its certificate: CAM once in a second, DENM always (TS 103 097 §7.1.1, §7.1.2).
    Certificate,
}

/// Both.
pub const SIGNERS: [Signer; 2] = [Signer::Digest, Signer::Certificate];

impl Signer {
    /// As in tables and names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Signer::Digest => "digest",
            Signer::Certificate => "certificate",
        }
    }
}

/// A message's octets in the envelope, as the JER of [`Schema::Data211`].
///
/// A DENM has its place in the header (TS 103 097 §7.1.2).
#[must_use]
pub fn envelope(of: Schema, signer: Signer, message: &[u8]) -> Value {
    let mut header = json!({ "psid": psid(of), "generationTime": NOW * 1000 });
    if of == Schema::Denm231 {
        header["generationLocation"] =
            json!({ "latitude": 481_362_000, "longitude": 115_270_000, "elevation": 5_290 + 4_096 });
    }
    let signer = match signer {
        Signer::Digest => json!({ "digest": octets(8, 0x31) }),
        Signer::Certificate => json!({ "certificate": [ticket()] }),
    };
    json!({
        "protocolVersion": 3,
        "content": { "signedData": {
            "hashId": "sha256",
            "tbsData": {
                "payload": { "data": {
                    "protocolVersion": 3,
                    "content": { "unsecuredData": hex::encode(message).to_uppercase() }
                } },
                "headerInfo": header
            },
            "signer": signer,
            "signature": signature(0x52)
        } }
    })
}

/// The ITS-AID of a message (TS 102 965).
fn psid(of: Schema) -> u32 {
    match of {
        Schema::Cam231 => 36,
        Schema::Denm231 => 37,
        Schema::Vam231 => 638,
        _ => 639,
    }
}

/// An authorization ticket (TS 103 097 §7.2.1): no name, a week, and the permissions of the four
/// messages.
fn ticket() -> Value {
    let permission = |psid: u32, ssp: &str| json!({ "psid": psid, "ssp": { "bitmapSsp": ssp } });
    json!({
        "version": 3,
        "type": "explicit",
        "issuer": { "sha256AndDigest": octets(8, 0x11) },
        "toBeSigned": {
            "id": { "none": null },
            "cracaId": "000000",
            "crlSeries": 0,
            "validityPeriod": { "start": NOW / 1000 - 43_200, "duration": { "hours": 168 } },
            "appPermissions": [
                permission(36, "01FFFC"),
                permission(37, "01FFFFFF"),
                permission(638, "01"),
                permission(639, "01")
            ],
            "verifyKeyIndicator": { "verificationKey": { "ecdsaNistP256": { "compressed-y-0": octets(32, 0x41) } } }
        },
        "signature": signature(0x62)
    })
}

fn signature(seed: u8) -> Value {
    json!({ "ecdsaNistP256Signature": { "rSig": { "x-only": octets(32, seed) }, "sSig": octets(32, seed ^ 0xFF) } })
}

/// Octets without a meaning.
fn octets(count: u8, seed: u8) -> String {
    let octets: Vec<u8> = (0..count).map(|at| at.wrapping_mul(151).wrapping_add(seed)).collect();
    hex::encode(&octets).to_uppercase()
}
