//! Signing and verifying messages and certificates of TS 103 097 V1.1.1 and V1.2.1: which octets a signature covers (clauses 6 and 7), how a certificate is named by
//! its digest, and what is to hold of a certificate and of its issuer. [`OnePass`] signs and verifies messages of any schema in the pass in which they are encoded or decoded. The keys, implicit certificates' keys and the encryption of keys are IEEE 1609.2-2013's, too.
//!
//! A value that is signed is kept together with its octets, as [`Encoded`]: signatures and digests are about octets.
//!
//! ```
//! use roadwire_messages::ts103097_1_2_1 as v2;
//! use roadwire_security::{Encoded, SigningKey};
//!
//! let key = SigningKey::from_bytes(&[7; 32])?;
//! let root = v2::Certificate {
//!     version: 2,
//!     subject_info: v2::SubjectInfo { subject_type: v2::SubjectType::Root_ca, ..Default::default() },
//!     subject_attributes: [v2::SubjectAttribute::Verification_key(key.public().into())].into_iter().collect(),
//!     ..Default::default()
//! };
//! let root = Encoded::sign_certificate(root, &key)?;
//! let received = Encoded::<v2::Certificate>::read(root.octets())?;
//! received.verify_certificate(&root)?;
//! # Ok::<(), roadwire_security::Fault>(())
//! ```
#![forbid(unsafe_code)]

mod certificate;
mod check;
mod ecies;
mod encoded;
mod fault;
mod implicit;
mod key;
mod message;
mod onepass;
mod region;
mod terms;
mod versions;

pub use check::{Violation, check_certificate, check_issued, check_message};
pub use ecies::EncryptedKey;
pub use encoded::Encoded;
pub use fault::Fault;
pub use implicit::{implicit_key, issue_implicit};
pub use key::{SigningKey, VerifyingKey};
pub use onepass::OnePass;
pub use region::{Place, Region};
pub use terms::{Attribute, HashedId8, Payload, Point, Profile, Restriction, Signature, Signer, SubjectType};
pub use versions::{Certificate, SecuredMessage};
