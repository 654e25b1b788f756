//! Signing and verifying road messages. This page is about messages and certificates of TS 103 097
//! V1.1.1 and V1.2.1; those of today, of IEEE 1609.2-2016 and later and TS 103 097 V1.3.1 and
//! later, are in [`dot2`]. A [`Verifier`] takes messages of all versions, as they come, and has a
//! [`Verdict`] on each.
//!
//! Invariants: signatures and digests are computed over octets as they came, or over their
//! canonical encoding. No octets cause a panic, and the memory of a verifier is bounded. Keys are
//! erased when they are dropped. No unsafe code.
//!
//! Absent on purpose: clocks (the caller gives the time), files and networks, key stores, SM2, and
//! encryption of payloads.
//!
//! Of TS 103 097 V1.1.1 and V1.2.1: which octets a signature covers (clauses 6 and 7), digests of
//! certificates, and the rules for messages and chains of certificates.
//!
//! A receiver has a [`Trust`], the roots that it trusts. [`Trust::verify`] checks a message
//! completely: the signature, each link of the chain up to a root (signatures and rules, including
//! who may issue what), and whether the signer may sign this message (application, period, region,
//! subject type). [`Verified`] lists the remaining checks for the receiver.
//!
//! A signed value is kept together with its octets, as [`Encoded`]: signatures and digests are
//! computed over octets.
//!
//! ```
//! use roadwire_messages::ts103097_1_2_1 as v2;
//! use roadwire_security::{Encoded, Fault, SigningKey, Trust, Violation};
//!
//! let certificate = |subject_type, key: &SigningKey, signer_info| {
//!     let permission = v2::ItsAidSsp { its_aid: 36, ..Default::default() };
//!     let permissions = match subject_type {
//!         v2::SubjectType::Authorization_ticket => {
//!             v2::SubjectAttribute::Its_aid_ssp_list([permission].into_iter().collect())
//!         }
//!         _ => v2::SubjectAttribute::Its_aid_list([36].into_iter().collect()),
//!     };
//!     let time = v2::ValidityRestrictionTime_start_and_end { start_validity: 100, end_validity: 200 };
//!     v2::Certificate {
//!         version: 2,
//!         signer_info,
//!         subject_info: v2::SubjectInfo { subject_type, ..Default::default() },
//!         subject_attributes: [
//!             v2::SubjectAttribute::Verification_key(key.public().into()),
//!             v2::SubjectAttribute::Assurance_level([0]),
//!             permissions,
//!         ]
//!         .into_iter()
//!         .collect(),
//!         validity_restrictions: [v2::ValidityRestriction::Time_start_and_end(time)].into_iter().collect(),
//!         ..Default::default()
//!     }
//! };
//! let key = |number| SigningKey::from_bytes(&[number; 32]);
//! let root = certificate(v2::SubjectType::Root_ca, &key(1)?, v2::IssuerInfo::Self_(()));
//! let root = Encoded::sign_certificate(root, &key(1)?)?;
//! let named = v2::IssuerInfo::Certificate_digest(root.hashed_id8());
//! let authority = certificate(v2::SubjectType::Authorization_authority, &key(2)?, named);
//! let authority = Encoded::sign_certificate(authority, &key(1)?)?;
//! let named = v2::IssuerInfo::Certificate_digest(authority.hashed_id8());
//! let ticket = certificate(v2::SubjectType::Authorization_ticket, &key(3)?, named);
//! let ticket = Encoded::sign_certificate(ticket, &key(2)?)?;
//!
//! let message = |its_aid| {
//!     let signer = v2::SignerInfo::Certificate(ticket.value().clone());
//!     let fields = [
//!         v2::HeaderField::Signer_info(signer),
//!         v2::HeaderField::Generation_time(150_000_000),
//!         v2::HeaderField::Its_aid(its_aid),
//!     ];
//!     let payload_field = v2::Payload::Signed(Default::default());
//!     let header_fields = fields.into_iter().collect();
//!     v2::SecuredMessage { protocol_version: 2, header_fields, payload_field, ..Default::default() }
//! };
//! let sent = Encoded::sign_message(message(36), &key(3)?)?;
//!
//! let mut trust = Trust::new();
//! trust.add_root(root)?;
//! trust.add(authority)?;
//! let received = Encoded::<v2::SecuredMessage>::read(sent.octets())?;
//! let verified = trust.verify(&received)?;
//! assert_eq!((verified.its_aid, verified.permissions), (Some(36), Some(vec![])));
//!
//! // The ticket has no permission for this application.
//! let refused = trust.verify(&Encoded::sign_message(message(38), &key(3)?)?);
//! let Err(Fault::Violations(violations)) = refused else { panic!("not refused") };
//! assert!(violations.contains(&Violation::NotPermitted));
//! # Ok::<(), Fault>(())
//! ```
//!
//! [`OnePass`] signs and verifies messages of any schema in the pass in which they are encoded or
//! decoded. The keys, the keys of implicit certificates and the encryption of keys are also those
//! of IEEE 1609.2-2013.
#![forbid(unsafe_code)]

mod adding;
mod certificate;
mod check;
mod checked;
mod checks;
mod contents;
pub mod dot2;
mod ecies;
mod encoded;
mod fault;
mod implicit;
mod key;
mod message;
mod onepass;
mod outline;
mod part;
mod region;
mod remembered;
mod signatures;
mod terms;
mod trust;
mod verdict;
mod verifier;
mod versions;
mod violation;

pub use adding::add_all;
pub use check::{check_certificate, check_issued, check_message, check_signed};
pub use checked::{Check, Checked};
pub use checks::Checks;
pub use contents::{Contents, application_of_type};
pub use ecies::EncryptedKey;
pub use encoded::Encoded;
pub use fault::Fault;
pub use implicit::{implicit_key, issue_implicit};
pub use key::{SigningKey, VerifyingKey};
pub use onepass::OnePass;
pub use part::Part;
use region::CIRCLE;
pub use region::{Place, Region};
pub use terms::{
    Attribute, HashedId8, Payload, Permission, Point, Profile, Restriction, Signature, Signer, SubjectType,
};
pub use trust::{Trust, Verified};
pub use verdict::{Report, Verdict};
pub use verifier::Verifier;
pub use versions::{Certificate, SecuredMessage};
pub use violation::Violation;
