//! The contents of both versions in common terms.

use crate::Region;

/// The last eight octets of a certificate's hash, which identify it (clause 4.2.13).
pub type HashedId8 = [u8; 8];

/// A point of P-256, in one of its forms (clause 4.2.5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// The x coordinate.
    XOnly([u8; 32]),
    /// The x coordinate; y is even.
    Even([u8; 32]),
    /// The x coordinate; y is odd.
    Odd([u8; 32]),
    /// Both coordinates, x first.
    Uncompressed([u8; 32], [u8; 32]),
}

impl Point {
    /// Its x coordinate.
    #[must_use]
    pub fn x(&self) -> &[u8; 32] {
        match self {
            Point::XOnly(x) | Point::Even(x) | Point::Odd(x) | Point::Uncompressed(x, _) => x,
        }
    }

    /// How many octets it takes in a message, its type included.
    pub(crate) fn octets(&self) -> usize {
        if let Point::Uncompressed(..) = self { 65 } else { 33 }
    }
}

/// Half the order of P-256, rounded down.
#[rustfmt::skip]
const HALF_ORDER: [u8; 32] = [
    0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xDE, 0x73, 0x7D, 0x56, 0xD3, 0x8B, 0xCF, 0x42, 0x79, 0xDC, 0xE5, 0x61, 0x7E, 0x31, 0x92, 0xA8,
];

/// A signature: the point R, and the number s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// R.
    pub r: Point,
    /// s, big-endian.
    pub s: [u8; 32],
}

impl Signature {
    /// A placeholder for a signature to be made.
    pub(crate) const NONE: Signature = Signature { r: Point::XOnly([0; 32]), s: [0; 32] };

    /// Whether it has the canonical form: only the x coordinate of R, as in digests (clause
    /// 4.2.13), and s of at most half the order of the curve.
    ///
    /// A valid signature is also valid with either y of R, and with the order minus s in place of
    /// s: six octet strings of equal length for one message, which anybody can convert into each
    /// other. Versions 1.1.1 and 1.2.1 allow all six, and implementations send them. So filters
    /// must compare the signed data: [`Encoded::message_hash`](crate::Encoded::message_hash) and
    /// [`Encoded::certificate_hash`](crate::Encoded::certificate_hash).
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        matches!(self.r, Point::XOnly(_)) && self.s <= HALF_ORDER
    }

    /// How many octets it takes in a message, the algorithm's included.
    pub(crate) fn octets(&self) -> usize {
        1 + self.r.octets() + 32
    }
}

/// Who signed a message or a certificate `C` (clause 4.2.10).
#[derive(Debug, Clone, PartialEq)]
pub enum Signer<'a, C> {
    /// Nobody is named, or several.
    None,
    /// The certificate itself.
    Itself,
    /// The certificate with this digest.
    Digest(HashedId8),
    /// A certificate with this digest, of another algorithm.
    OtherDigest(HashedId8),
    /// This certificate.
    Certificate(&'a C),
    /// The last of these; each other one is the issuer of the next.
    Chain(&'a [C]),
    /// A signer in an unknown form.
    Unknown,
}

/// The purpose of a certificate (clause 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the standard's names")]
pub enum SubjectType {
    EnrollmentCredential,
    AuthorizationTicket,
    AuthorizationAuthority,
    EnrollmentAuthority,
    RootCa,
    CrlSigner,
    Unknown,
}

/// An application, and the subject's permissions in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    /// The application's ITS-AID.
    pub aid: u64,
    /// The service-specific permissions, whose bits the application's standard defines; empty for
    /// its default permissions.
    pub ssp: Vec<u8>,
}

/// An attribute of a certificate's subject (clause 6.4). A key of another algorithm is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribute {
    /// The key that verifies the subject's signatures.
    VerificationKey(Option<Point>),
    /// The key for encryption to the subject.
    EncryptionKey(Option<Point>),
    /// The subject's assurance level: 3 bits of level, 3 reserved, 2 of confidence.
    AssuranceLevel(u8),
    /// The point from which the key of an implicit certificate is reconstructed.
    ReconstructionValue(Point),
    /// The applications.
    Aids(Vec<u64>),
    /// The applications, with permissions.
    Permissions(Vec<Permission>),
    /// The applications, with a priority.
    PrioritizedAids(Vec<u64>),
    /// The applications, with a priority and permissions.
    PrioritizedPermissions(Vec<Permission>),
    /// An unknown attribute with this number.
    Unknown(u8),
}

impl Attribute {
    /// Its number on the wire.
    #[must_use]
    pub fn number(&self) -> u8 {
        match self {
            Attribute::VerificationKey(_) => 0,
            Attribute::EncryptionKey(_) => 1,
            Attribute::AssuranceLevel(_) => 2,
            Attribute::ReconstructionValue(_) => 3,
            Attribute::Aids(_) => 32,
            Attribute::Permissions(_) => 33,
            Attribute::PrioritizedAids(_) => 34,
            Attribute::PrioritizedPermissions(_) => 35,
            Attribute::Unknown(number) => *number,
        }
    }

    /// The applications that it lists.
    #[must_use]
    pub fn aids(&self) -> Vec<u64> {
        match self {
            Attribute::Aids(aids) | Attribute::PrioritizedAids(aids) => aids.clone(),
            other => other.permissions().iter().map(|one| one.aid).collect(),
        }
    }

    /// The applications that it lists with service-specific permissions.
    #[must_use]
    pub fn permissions(&self) -> &[Permission] {
        match self {
            Attribute::Permissions(all) | Attribute::PrioritizedPermissions(all) => all,
            _ => &[],
        }
    }
}

/// A restriction on when and where a certificate is valid (clause 6.7). Times are seconds since the
/// version's epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restriction {
    /// Until then.
    TimeEnd(u32),
    /// From then on, and until then.
    TimeStartAndEnd(u32, u32),
    /// From then on, for a duration: 3 bits of unit, 13 of value.
    TimeStartAndDuration(u32, u16),
    /// In this region.
    Region(Region),
    /// An unknown restriction with this number.
    Unknown(u8),
}

impl Restriction {
    /// Its number on the wire.
    #[must_use]
    pub fn number(&self) -> u8 {
        match self {
            Restriction::TimeEnd(_) => 0,
            Restriction::TimeStartAndEnd(..) => 1,
            Restriction::TimeStartAndDuration(..) => 2,
            Restriction::Region(_) => 3,
            Restriction::Unknown(number) => *number,
        }
    }

    /// The period of validity, in seconds. `None` for other restrictions, and for a duration in an
    /// undefined unit.
    #[must_use]
    pub fn period(&self) -> Option<(u64, u64)> {
        match *self {
            Restriction::TimeEnd(end) => Some((0, end.into())),
            Restriction::TimeStartAndEnd(start, end) => Some((start.into(), end.into())),
            Restriction::TimeStartAndDuration(start, duration) => {
                // Of 4.2.17: seconds, minutes, hours, blocks of sixty hours, years.
                let unit = [1, 60, 3600, 216_000, 31_556_925].get(usize::from(duration >> 13))?;
                Some((start.into(), u64::from(start) + unit * u64::from(duration & 0x1FFF)))
            }
            _ => None,
        }
    }
}

/// The payload of a message (clause 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the standard's names")]
pub enum Payload {
    Unsecured,
    Signed,
    Encrypted,
    SignedExternal,
    SignedAndEncrypted,
    Unknown,
}

/// The profiles of clause 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Cooperative awareness messages.
    Cam,
    /// Decentralized environmental notification messages.
    Denm,
    /// Other signed messages.
    Generic,
    /// None of these.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clause 4.2.17: three bits of the unit and thirteen of the number.
    #[test]
    fn durations_are_in_five_units() {
        let last = |unit: u16, number: u16| {
            let period = Restriction::TimeStartAndDuration(100, unit << 13 | number).period();
            period.map(|(start, end)| (start, end - 100))
        };
        let (minute, hour) = (60, 60 * 60);
        for number in [0, 1, 0x1000, 0x1FFF] {
            let of = u64::from(number);
            assert_eq!(last(0, number), Some((100, of)));
            assert_eq!(last(1, number), Some((100, of * minute)));
            assert_eq!(last(2, number), Some((100, of * hour)));
            assert_eq!(last(3, number), Some((100, of * 60 * hour)));
            // A tropical year: 365 days, 5 hours, 48 minutes and 45 seconds.
            assert_eq!(last(4, number), Some((100, of * (365 * 24 * hour + 5 * hour + 48 * minute + 45))));
            assert_eq!([5, 6, 7].map(|unit| last(unit, number)), [None; 3]);
        }
    }
}
