//! Messages and certificates of IEEE 1609.2-2016 to -2022 in COER, of which TS 103 097 V1.3.1 and
//! later are profiles: signed and verified with ECDSA on P-256, brainpoolP256r1, brainpoolP384r1
//! and P-384.
//!
//! A [`Verifier`] verifies message after message, and remembers certificates: most messages name
//! their signer by a digest alone. With trusted certificates, it also follows the chain of issuers.
//!
//! ```
//! use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier, schema};
//! use roadwire_security::{Fault, Verdict};
//!
//! let key = SecretKey::from_bytes(Curve::BrainpoolP256r1, &[7; 32])?;
//! let mut content = schema::CertificateBase { version: 3, ..Default::default() };
//! content.to_be_signed.id = schema::CertificateId::None(());
//! content.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(key.public()?);
//! // From the first second of 2022, for two years, for cooperative awareness.
//! content.to_be_signed.validity_period =
//!     schema::ValidityPeriod { start: 568_080_005, duration: schema::Duration::Years(2) };
//! content.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
//! let certificate = Certificate::sign(content, None, &key)?;
//!
//! let time = 568_080_010_000_000;
//! let header = || schema::HeaderInfo { psid: 36, generation_time: Some(time), ..Default::default() };
//! let message = Signed::sign(b"payload", header(), &certificate, SignerForm::Digest, &key)?;
//! let mut receiver = Verifier::new();
//! assert_eq!(receiver.verify(message.octets(), Some(time)).verdict, Verdict::UnknownSigner);
//! let first = Signed::sign(b"payload", header(), &certificate, SignerForm::Certificate, &key)?;
//! assert_eq!(receiver.verify(first.octets(), Some(time)).verdict, Verdict::Signed);
//! assert_eq!(receiver.verify(message.octets(), Some(time)).verdict, Verdict::Signed);
//! receiver.trust(certificate)?;
//! assert_eq!(receiver.verify(message.octets(), Some(time)).verdict, Verdict::Valid);
//! # Ok::<(), Fault>(())
//! ```

mod canonical;
mod certificate;
mod crl;
mod curve;
mod hash;
mod linkage;
mod message;
mod permissions;
mod profile;
mod revocation;
mod sign;
mod signer;
mod spans;
mod understood;
mod validity;
mod verifier;

pub use roadwire_messages::ieee1609dot2_2022 as schema;

pub use certificate::{Certificate, Issuer};
pub use crl::contents as crl_schema;
pub use curve::{Curve, PublicKey};
pub use hash::Hash;
pub use message::{Signed, Signer};
pub use profile::ProfileChoice;
pub use sign::{SecretKey, SignerForm};
pub use signer::{SignerFault, signer};
pub use verifier::{Verifier, check_signed};
