//! Errors of signing and verifying.

use std::fmt;

use roadwire_wire::Error;

use crate::{HashedId8, Violation};

/// Why something is not verified, or cannot be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It is not an encoding, or not the canonical one; or the value has none.
    Encoding(Error<'static>),
    /// Octets follow it.
    TrailingOctets {
        /// How many.
        count: usize,
    },
    /// It claims another version of the format.
    Version {
        /// The version that it claims.
        found: u8,
    },
    /// There is no signature: a message does not have a single trailer field with the signature, or
    /// the certificate is implicit.
    Unsigned,
    /// A signature or a key of an algorithm that is not ECDSA on P-256 with SHA-256.
    Algorithm,
    /// The payload is absent or not in plain text, so the signed data is not all in the message.
    Payload,
    /// A list of revoked certificates has entries, or parts of entries, of a kind that is not known
    /// here: single linkage seeds, or additions of a later version of IEEE 1609.2. Not all that it
    /// revokes is known.
    ListEntries,
    /// A list of revoked certificates takes too long to expand: all its holders together have more
    /// than 2^24 periods up to their last ones, or more than 2^22 certificates in a period.
    ListLimit,
    /// The certificate for verification has no verification key.
    NoKey,
    /// A key that is not a point on the curve, or with only one coordinate.
    Key,
    /// The named signer is not the one used for verification.
    Signer,
    /// The signature of these octets was not made by this key.
    Signature,
    /// No certificate with this digest is trusted. It may be requested from the sender.
    UnknownCertificate {
        /// The digest.
        digest: HashedId8,
    },
    /// A self-signed certificate that is not a trusted root.
    UntrustedRoot {
        /// Its digest.
        digest: HashedId8,
    },
    /// Violated rules.
    Violations(Vec<Violation>),
    /// A fault in a certificate of the chain.
    Certificate {
        /// Its digest.
        digest: HashedId8,
        /// The fault.
        fault: Box<Fault>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Encoding(error) => write!(f, "{error}"),
            Fault::TrailingOctets { count } => write!(f, "{count} octets follow"),
            Fault::Version { found } => write!(f, "the version is {found}"),
            Fault::Unsigned => f.write_str("not signed"),
            Fault::Algorithm => f.write_str("the algorithm is not ECDSA on P-256 with SHA-256"),
            Fault::Payload => f.write_str("the payload does not lie in the clear in the message"),
            Fault::ListEntries => {
                f.write_str("the list has entries of a kind that is not known here: single seeds, or later additions")
            }
            Fault::ListLimit => f.write_str("the list has linkage seeds of too many periods or certificates"),
            Fault::NoKey => f.write_str("the signer's certificate has no verification key"),
            Fault::Key => f.write_str("the key is not a point on the curve"),
            Fault::Signer => f.write_str("another signer is named"),
            Fault::Signature => f.write_str("the signature does not verify"),
            Fault::UnknownCertificate { digest } => write!(f, "certificate {} is not known", Digest(digest)),
            Fault::UntrustedRoot { digest } => write!(f, "root certificate {} is not trusted", Digest(digest)),
            Fault::Violations(violations) => {
                for (at, violation) in violations.iter().enumerate() {
                    write!(f, "{}{violation}", if at == 0 { "" } else { "; " })?;
                }
                Ok(())
            }
            Fault::Certificate { digest, fault } => write!(f, "certificate {}: {fault}", Digest(digest)),
        }
    }
}

impl std::error::Error for Fault {}

struct Digest<'d>(&'d HashedId8);

impl fmt::Display for Digest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(f, "{octet:02X}"))
    }
}

impl From<Error<'static>> for Fault {
    fn from(error: Error<'static>) -> Fault {
        Fault::Encoding(error)
    }
}
