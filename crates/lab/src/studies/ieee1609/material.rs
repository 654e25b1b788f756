//! The content of the messages: keys, times, places, and arbitrary octets, all derived from the
//! message's name. The same in every encoding.

use roadwire_security::{Fault, Point, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::description::Region;
use roadwire_measure::random::Random;
use roadwire_peers::hex;

/// 2014-10-15 12:00:00 UTC, when the standard's future was voted on, in seconds of TAI since
/// 2004-01-01: three leap seconds included.
pub const NOW: u32 = 340_459_203;
/// The same in microseconds.
pub const NOW_MICROSECONDS: u64 = NOW as u64 * 1_000_000;
/// The lifetime of a message, microseconds.
pub const EXPIRES_AFTER: u64 = 30_000_000;
/// The logarithm of the deviation of the time.
pub const DEVIATION: u8 = 129;
/// The application: 0x20 is that of the Basic Safety Message.
pub const PSID: u32 = 0x20;
/// A second and third one: one octet each.
pub const MORE_PSIDS: [u32; 2] = [0x24, 0x25];
/// The lifetime of implicit certificates: 330 seconds.
pub const LIFETIME: u16 = 330;
/// The revocation list for the certificate.
pub const CRL_SERIES: u32 = 1;
/// Octets that are signed together with a partial payload, and sent separately.
pub const EXTERNAL: usize = 200;
/// Ann Arbor, Michigan, where the Safety Pilot was: tenths of a microdegree.
pub const LATITUDE: i32 = 422_808_000;
/// Likewise.
pub const LONGITUDE: i32 = -837_430_000;
/// Decimetres.
pub const ELEVATION: u16 = 2_560;

/// Arbitrary octets, the same for the same words.
#[must_use]
pub fn octets(words: &str, count: usize) -> Vec<u8> {
    let mut seed = [0; 8];
    seed.copy_from_slice(&Sha256::digest(words)[..8]);
    let mut random = Random::new(u64::from_be_bytes(seed));
    (0..count).map(|_| random.next() as u8).collect()
}

/// This many arbitrary octets.
#[must_use]
pub fn array<const N: usize>(words: &str) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&octets(words, N));
    array
}

/// The key of this holder.
///
/// # Errors
/// For a holder whose number is not a valid key, one in 2³².
pub fn key(of: &str) -> Result<SigningKey, Fault> {
    SigningKey::from_bytes(&Sha256::digest(of).into())
}

/// Octets as JER.
#[must_use]
pub fn hexadecimal(octets: &[u8]) -> Value {
    hex::encode(octets).to_uppercase().into()
}

/// Octets from JER.
#[must_use]
pub fn digits(value: &Value) -> Option<Vec<u8>> {
    hex::decode(value.as_str()?)
}

/// This many octets from JER.
#[must_use]
pub fn fixed<const N: usize>(value: &Value) -> Option<[u8; N]> {
    digits(value)?.try_into().ok()
}

/// A point with one coordinate from JER, by the names of the three forms.
#[must_use]
pub fn point(value: &Value, names: [&str; 3]) -> Option<Point> {
    let makes: [fn([u8; 32]) -> Point; 3] = [Point::XOnly, Point::Even, Point::Odd];
    names.iter().zip(makes).find_map(|(name, make)| fixed(&value[*name]).map(make))
}

/// A region, by the names of a rectangle's corners.
#[must_use]
pub fn region(of: Region, corners: [&str; 2]) -> Value {
    match of {
        Region::None => json!({ "none": null }),
        Region::Circle => json!({ "circle": { "center": place(0), "radius": 5_000 } }),
        Region::Rectangles(count) => {
            let one = |i| json!({ corners[0]: place(2 * i + 1), corners[1]: place(2 * i) });
            json!({ "rectangle": (0..count).map(one).collect::<Vec<_>>() })
        }
        Region::Polygon(count) => json!({ "polygon": (0..count).map(place).collect::<Vec<_>>() }),
    }
}

/// A place at some distance.
pub fn place(step: usize) -> Value {
    let off = 1_000 * step as i32;
    json!({ "latitude": LATITUDE + off, "longitude": LONGITUDE - off })
}

/// The last octets of the hash of a certificate, which identify it.
#[must_use]
pub fn digest(certificate: &[u8]) -> [u8; 8] {
    let mut last = [0; 8];
    last.copy_from_slice(&Sha256::digest(certificate)[24..]);
    last
}
