//! Fields that a receiver must understand (IEEE 1609.2 §5.2.6, "critical information fields"): a
//! message with one that it does not know is invalid.

use roadwire_messages::ieee1609dot2_2022::{
    CertificateId, GeographicRegion, SubjectPermissions, ToBeSignedCertificate,
};

use super::message::Signed;
use super::validity;
use crate::Violation;

/// The critical fields of a certificate that are not understood: the kinds of its region, of its id
/// and of the permissions that it may issue.
pub(super) fn of_certificate(certificate: &ToBeSignedCertificate) -> Vec<Violation> {
    let has_region = match &certificate.region {
        Some(GeographicRegion::UnknownAddition(_)) => false,
        Some(GeographicRegion::IdentifiedRegion(regions)) => !regions.iter().any(validity::is_unknown),
        _ => true,
    };
    let has_id = !matches!(certificate.id, CertificateId::UnknownAddition(_));
    let groups = [&certificate.cert_issue_permissions, &certificate.cert_request_permissions].into_iter().flatten();
    let has_groups =
        groups.flatten().all(|group| !matches!(group.subject_permissions, SubjectPermissions::UnknownAddition(_)));
    let mut found = Vec::new();
    found.extend((!has_region).then_some(Violation::UnknownRestriction));
    found.extend((!has_id || !has_groups).then_some(Violation::CriticalField));
    found
}

/// The fields of a header that a message of an application cannot have: a `pduFunctionalType` makes
/// it a message of another protocol, and of the two requests for certificates there is one at most
/// (§6.3.9).
pub(super) fn of_message(message: &Signed) -> Vec<Violation> {
    let header = &message.value().tbs_data.header_info;
    let has_two_requests = header.p2pcd_learning_request.is_some() && header.inline_p2pcd_request.is_some();
    let mut found = Vec::new();
    found.extend(header.pdu_functional_type.map(|_| Violation::FunctionalType));
    found.extend(has_two_requests.then_some(Violation::HeaderField));
    found
}

/// Whether the header or the certificate has additions of a later version of the standard. Nothing
/// says that these are critical.
pub(super) fn has_additions(message: &Signed, certificate: &ToBeSignedCertificate) -> bool {
    let header = &message.value().tbs_data.header_info;
    !header.unknown.as_slice().is_empty() || !certificate.unknown.as_slice().is_empty()
}
