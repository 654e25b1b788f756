//! The profile of TS 103 097 V1.3.1 and V2.1.1: its rules for a signed message and for its signer's
//! certificate (`EtsiTs103097Data` and `EtsiTs103097Certificate`, clauses 5 to 7).

use roadwire_messages::ieee1609dot2_2022::{CertificateId, SignerIdentifier};

use super::certificate::Certificate;
use super::message::Signed;
use crate::{Contents, Violation};

/// Which messages of IEEE 1609.2 must keep the profile of TS 103 097.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ProfileChoice {
    /// Those in GeoNetworking, and those of ETSI's applications.
    #[default]
    ByApplication,
    /// All.
    Etsi,
    /// None.
    None,
}

/// The ITS-AIDs of ETSI (TS 102 965).
const APPLICATIONS: [u64; 15] = [36, 37, 137, 138, 139, 140, 141, 622, 623, 624, 637, 638, 639, 540_801, 540_802];
/// Of these, the ones whose messages are signed by other certificates than authorization tickets:
/// lists of revoked certificates, requests, and trust lists.
const WITHOUT_TICKETS: std::ops::RangeInclusive<u64> = 622..=624;
/// DENM, which has a profile of its own (clause 7.1.2).
const DENM: u64 = 37;

impl ProfileChoice {
    /// Whether the profile counts for a message of this application.
    pub(super) fn counts(self, application: u64, contents: &Contents) -> bool {
        match self {
            ProfileChoice::ByApplication => contents.is_in_geonetworking() || APPLICATIONS.contains(&application),
            ProfileChoice::Etsi => true,
            ProfileChoice::None => false,
        }
    }
}

/// Whether a message is a DENM without a place, which clause 7.1.2 asks for. It is noted alone:
/// recorded stations send such DENMs.
pub(super) fn lacks_place(message: &Signed) -> bool {
    let header = &message.value().tbs_data.header_info;
    header.psid == DENM && header.generation_location.is_none()
}

/// The rules of the profile that a message breaks.
pub(super) fn violations(message: &Signed, signer: &Certificate) -> Vec<Violation> {
    let signed = message.value();
    let header = &signed.tbs_data.header_info;
    let certificate = &signer.value().to_be_signed;
    let is_denm = header.psid == DENM;
    let is_by_ticket = !WITHOUT_TICKETS.contains(&header.psid);
    let has_signer = match &signed.signer {
        SignerIdentifier::Digest(_) => !is_denm,
        SignerIdentifier::Certificate(certificates) => certificates.len() == 1,
        _ => false,
    };
    let is_named = matches!(certificate.id, CertificateId::Name(_));
    let has_other_id = matches!(certificate.id, CertificateId::LinkageData(_) | CertificateId::BinaryId(_));
    let may_request = certificate.cert_request_permissions.is_some() || certificate.can_request_rollover.is_some();
    let rules = [
        (header.generation_time.is_some(), Violation::MissingHeaderField),
        (header.p2pcd_learning_request.is_none(), Violation::HeaderField),
        (header.missing_crl_identifier.is_none(), Violation::HeaderField),
        (has_signer, Violation::Signer),
        (!has_other_id && !may_request, Violation::CertificateForm),
        (!(is_by_ticket && is_named), Violation::Name),
        (!(is_by_ticket && certificate.cert_issue_permissions.is_some()), Violation::Permissions),
    ];
    let mut found = Vec::new();
    for (is_kept, violation) in rules {
        if !is_kept && !found.contains(&violation) {
            found.push(violation);
        }
    }
    found
}
