//! Rules on a message with respect to its signer's certificate and the issuers above it.

use super::{check_certificate, check_envelope};
use crate::{Attribute, Certificate, Encoded, Permission, Region, Restriction, SecuredMessage, SubjectType, Violation};

/// ITS-AIDs of cooperative awareness and of decentralized environmental notification.
const CAM: u64 = 36;
const DENM: u64 = 37;

/// The rules that a message signed with this certificate violates: those on the message and on the
/// certificate alone, and whether the certificate may sign the message: its subject type, its
/// permissions, its period and its region.
///
/// For certificates whose issuers are not available. It does not check signatures, whether the
/// message names this certificate, or its issuer: [`Trust::verify`](crate::Trust::verify) checks
/// everything.
#[must_use]
pub fn check_signed<M: SecuredMessage>(message: &Encoded<M>, certificate: &Encoded<M::Certificate>) -> Vec<Violation> {
    let mut found = check_envelope(&message.value);
    found.extend(check_certificate(&certificate.value));
    found.extend(check_signer(&message.value, &certificate.value, &[]).violations);
    found
}

/// The permissions of a message's signer and its issuers for the message.
pub(crate) struct Permitted {
    pub(crate) violations: Vec<Violation>,
    /// The service-specific permissions for the message's application.
    pub(crate) permissions: Option<Vec<u8>>,
    /// Regions for which it is unknown whether the message comes from there.
    pub(crate) open_regions: Vec<Region>,
    /// Whether a certificate is restricted to a region.
    pub(crate) has_region: bool,
}

/// The issuers are those above the signer, up to the root.
pub(crate) fn check_signer<M: SecuredMessage>(
    message: &M,
    signer: &M::Certificate,
    issuers: &[&M::Certificate],
) -> Permitted {
    let mut violations = Vec::new();
    let application = message.its_aid();
    let for_messages = match signer.subject_type() {
        SubjectType::AuthorizationTicket => true,
        // They do not represent vehicles.
        SubjectType::EnrollmentCredential | SubjectType::CrlSigner => !matches!(application, Some(CAM | DENM)),
        _ => false,
    };
    if !for_messages {
        violations.push(Violation::SignerType);
    }
    let attributes = signer.attributes();
    match application {
        None => violations.push(Violation::UnknownApplication),
        Some(aid) if attributes.iter().any(|one| one.aids().contains(&aid)) => {}
        Some(_) => violations.push(Violation::NotPermitted),
    }
    let restrictions: Vec<Restriction> =
        [signer].iter().chain(issuers).flat_map(|certificate| certificate.restrictions()).collect();
    let (times, places) = (message.generation_times(), message.generation_places());
    let valid = |time: &u64| restrictions.iter().filter_map(Restriction::period).all(|period| lies_in(*time, period));
    if !times.iter().all(valid) {
        violations.push(Violation::GenerationTime);
    }
    let mut open_regions = Vec::new();
    let (mut outside, mut has_region) = (false, false);
    for restriction in restrictions {
        let Restriction::Region(region) = restriction else { continue };
        let inside: Vec<Option<bool>> = places.iter().map(|place| region.contains(place)).collect();
        outside |= inside.contains(&Some(false));
        let everywhere = region == Region::None;
        has_region |= !everywhere;
        if !everywhere && (inside.is_empty() || inside.contains(&None)) {
            open_regions.push(region);
        }
    }
    if outside {
        violations.push(Violation::GenerationPlace);
    }
    let permissions = application.and_then(|aid| permissions(&attributes, aid));
    Permitted { violations, permissions, open_regions, has_region }
}

/// Whether a time in microseconds is in a period in seconds, including both ends.
fn lies_in(time: u64, (start, end): (u64, u64)) -> bool {
    start.saturating_mul(1_000_000) <= time && time <= end.saturating_mul(1_000_000)
}

fn permissions(attributes: &[Attribute], aid: u64) -> Option<Vec<u8>> {
    let mut listed = attributes.iter().flat_map(Attribute::permissions);
    listed.find(|one: &&Permission| one.aid == aid).map(|one| one.ssp.clone())
}
