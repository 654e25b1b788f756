//! Rules on a certificate alone and together with its issuer.

use super::check_signature;
use crate::{Attribute, Certificate, Encoded, Point, Region, Restriction, Signer, SubjectType, Violation};

/// The rules that a certificate alone violates.
#[must_use]
pub fn check_certificate<C: Certificate>(certificate: &C) -> Vec<Violation> {
    let mut found = Vec::new();
    let attributes = certificate.attributes();
    let restrictions = certificate.restrictions();
    let mut unless = |holds: bool, violation| {
        if !holds {
            found.push(violation);
        }
    };
    let signer = match certificate.signer() {
        Signer::Digest(_) | Signer::OtherDigest(_) | Signer::Itself => true,
        // V1.1.1 also has whole certificates there, each of which names its own issuer by digest or
        // is self-signed.
        Signer::Certificate(issuer) => !matches!(issuer.signer(), Signer::Certificate(_) | Signer::Chain(_)),
        _ => false,
    };
    unless(signer, Violation::Signer);
    let is_root = certificate.subject_type() == SubjectType::RootCa;
    unless(is_root == (certificate.signer() == Signer::Itself), Violation::SelfSigned);
    unless(certificate.subject_type() != SubjectType::Unknown, Violation::SubjectType);
    unless(ascend(attributes.iter().map(Attribute::number)), Violation::AttributeOrder);
    unless(ascend(restrictions.iter().map(Restriction::number)), Violation::RestrictionOrder);

    let implicit = attributes.iter().any(|one| matches!(one, Attribute::ReconstructionValue(_)));
    if let Some(violation) = check_signature(certificate.signature()).filter(|_| !implicit) {
        unless(false, violation);
    }
    let is_key = |point: &Option<Point>| point.as_ref().is_some_and(|point| !matches!(point, Point::XOnly(_)));
    let keys = attributes.iter().all(|one| match one {
        Attribute::VerificationKey(point) | Attribute::EncryptionKey(point) => is_key(point),
        _ => true,
    });
    unless(keys, Violation::Key);
    let has = |what: fn(&Attribute) -> bool| attributes.iter().any(what);
    unless(implicit || has(|one| matches!(one, Attribute::VerificationKey(_))), Violation::MissingKey);
    unless(has(|one| matches!(one, Attribute::AssuranceLevel(_))), Violation::MissingAssurance);
    let ticket = certificate.subject_type() == SubjectType::AuthorizationTicket;
    unless(!ticket || certificate.name_octets() == 0, Violation::Name);
    let permissions = match certificate.subject_type() {
        SubjectType::AuthorizationTicket => has(|one| matches!(one, Attribute::Permissions(_))),
        SubjectType::AuthorizationAuthority | SubjectType::EnrollmentAuthority | SubjectType::RootCa => {
            has(|one| matches!(one, Attribute::Aids(_)))
        }
        SubjectType::EnrollmentCredential => has(|one| matches!(one, Attribute::Aids(_) | Attribute::Permissions(_))),
        SubjectType::CrlSigner | SubjectType::Unknown => true,
    };
    let once = |one: &Attribute| {
        let mut aids = one.aids();
        aids.sort_unstable();
        aids.is_sorted_by(|a, b| a < b)
    };
    unless(permissions && attributes.iter().all(once), Violation::Permissions);
    let times = restrictions.iter().filter(|one| matches!(one.number(), 0..=2)).count();
    unless(times == 1, Violation::Time);
    let periods = restrictions.iter().filter(|one| matches!(one.number(), 0..=2)).all(|one| match one.period() {
        Some((start, end)) => start <= end,
        None => false,
    });
    unless(periods, Violation::Period);
    let known = |one: &Restriction| !matches!(one, Restriction::Unknown(_) | Restriction::Region(Region::Unknown));
    unless(restrictions.iter().all(known), Violation::UnknownRestriction);
    let regions = restrictions.iter().all(|one| match one {
        Restriction::Region(region) => region.is_valid(),
        _ => true,
    });
    unless(regions, Violation::Region);
    found
}

/// Who issues what (clause 6.1): tickets, enrolment credentials and CRL signers never issue, and a
/// root issues no other root.
fn may_issue(issuer: SubjectType, subject: SubjectType) -> bool {
    match issuer {
        SubjectType::RootCa => matches!(
            subject,
            SubjectType::AuthorizationAuthority | SubjectType::EnrollmentAuthority | SubjectType::CrlSigner
        ),
        SubjectType::AuthorizationAuthority => subject == SubjectType::AuthorizationTicket,
        SubjectType::EnrollmentAuthority => subject == SubjectType::EnrollmentCredential,
        SubjectType::EnrollmentCredential
        | SubjectType::AuthorizationTicket
        | SubjectType::CrlSigner
        | SubjectType::Unknown => false,
    }
}

/// The rules that a certificate violates with respect to its issuer's (clause 6.1): the issuer may
/// issue certificates of this kind, and the certificate's period, region, permissions and assurance
/// are within its issuer's. A root is its own issuer. Regions that cannot be compared (see
/// [`Region::is_within`]) are skipped: [`Trust::verify`](crate::Trust::verify) compares a message's
/// place with the region of every certificate of the chain.
///
/// Neither signatures nor the named issuer are checked:
/// [`Trust::verify_certificate`](crate::Trust::verify_certificate) checks everything.
#[must_use]
pub fn check_issued<C: Certificate>(certificate: &Encoded<C>, issuer: &Encoded<C>) -> Vec<Violation> {
    let mut found = Vec::new();
    let types = (issuer.value.subject_type(), certificate.value.subject_type());
    let its_own = types.1 == SubjectType::RootCa && certificate.octets == issuer.octets;
    if !its_own && !may_issue(types.0, types.1) {
        found.push(Violation::IssuerType);
    }
    let (own, issuers) = (Facts::of(&certificate.value), Facts::of(&issuer.value));
    if let (Some((start, end)), Some((earliest, latest))) = (own.period, issuers.period) {
        if start < earliest || end > latest {
            found.push(Violation::IssuerPeriod);
        }
    }
    if !own.aids.iter().all(|aid| issuers.aids.contains(aid)) {
        found.push(Violation::IssuerPermissions);
    }
    if own.assurance > issuers.assurance {
        found.push(Violation::IssuerAssurance);
    }
    if own.region.is_within(&issuers.region) == Some(false) {
        found.push(Violation::IssuerRegion);
    }
    found
}

struct Facts {
    period: Option<(u64, u64)>,
    aids: Vec<u64>,
    /// Only the level.
    assurance: Option<u8>,
    region: Region,
}

impl Facts {
    fn of<C: Certificate>(certificate: &C) -> Facts {
        let attributes = certificate.attributes();
        let restrictions = certificate.restrictions();
        Facts {
            period: restrictions.iter().find_map(Restriction::period),
            aids: attributes.iter().flat_map(Attribute::aids).collect(),
            assurance: attributes.iter().find_map(|one| match one {
                Attribute::AssuranceLevel(level) => Some(level >> 5),
                _ => None,
            }),
            region: restrictions
                .into_iter()
                .find_map(|one| match one {
                    Restriction::Region(region) => Some(region),
                    _ => None,
                })
                .unwrap_or(Region::None),
        }
    }
}

fn ascend(numbers: impl Iterator<Item = u8>) -> bool {
    numbers.is_sorted_by(|a, b| a < b)
}
