//! What is to hold of messages and certificates beyond being decoded and signed: the rules of clauses 5 to 7 on content.

use std::fmt;

use crate::{
    Attribute, Certificate, Encoded, Point, Profile, Region, Restriction, SecuredMessage, Signer, SubjectType,
};

/// A rule that is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// Header fields that do not ascend by their numbers, the signer's first, or two with one number.
    HeaderFieldOrder,
    /// Attributes that do not ascend by their numbers, or two with one number.
    AttributeOrder,
    /// Restrictions that do not ascend by their numbers, or two with one number.
    RestrictionOrder,
    /// A header field that the profile asks for and that is not there.
    MissingHeaderField,
    /// A header field that the profile does not have.
    HeaderField,
    /// A profile for another application than the one that is told.
    Application,
    /// A signer told in a way that is not for this place.
    Signer,
    /// A signature whose R has both coordinates, or of another algorithm.
    Signature,
    /// A key of which only one coordinate is told, or of another algorithm.
    Key,
    /// No verification key.
    MissingKey,
    /// No assurance level.
    MissingAssurance,
    /// An authorization ticket with a name.
    Name,
    /// Permissions that are not as this sort of subject has them: an authorization ticket's with service-specific permissions, an authority's without.
    Permissions,
    /// Not exactly one restriction in time.
    Time,
    /// An end before the start, or a duration in a unit that nobody has defined.
    Period,
    /// Valid when its issuer is not.
    IssuerPeriod,
    /// For an application that its issuer has not.
    IssuerPermissions,
    /// More assurance than its issuer's.
    IssuerAssurance,
    /// Valid where its issuer is not.
    IssuerRegion,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Violation::HeaderFieldOrder => "header fields out of order, or two of one type",
            Violation::AttributeOrder => "subject attributes out of order, or two of one type",
            Violation::RestrictionOrder => "validity restrictions out of order, or two of one type",
            Violation::MissingHeaderField => "a header field of the profile is missing",
            Violation::HeaderField => "a header field that the profile does not have",
            Violation::Application => "an application of another profile",
            Violation::Signer => "a signer that is not told as it is to be here",
            Violation::Signature => "a signature with an uncompressed R, or of another algorithm",
            Violation::Key => "a key of which only x is told, or of another algorithm",
            Violation::MissingKey => "no verification key",
            Violation::MissingAssurance => "no assurance level",
            Violation::Name => "an authorization ticket with a name",
            Violation::Permissions => "permissions that are not as this sort of subject has them",
            Violation::Time => "not one restriction in time",
            Violation::Period => "a period that ends before it begins, or has no known unit",
            Violation::IssuerPeriod => "valid when its issuer is not",
            Violation::IssuerPermissions => "for an application that its issuer has not",
            Violation::IssuerAssurance => "more assurance than its issuer's",
            Violation::IssuerRegion => "valid where its issuer is not",
        })
    }
}

/// The rules that a message does not keep: the order of its header fields, what its profile has, and those of the certificates that it brings along. Lengths are shortest and
/// end on elements' borders in everything that [`Encoded::read`] takes.
#[must_use]
pub fn check_message<M: SecuredMessage>(message: &M) -> Vec<Violation> {
    let mut found = Vec::new();
    let fields = message.header_fields();
    let place = |number: &u8| (*number != M::SIGNER_INFO, *number);
    if !fields.is_sorted_by(|a, b| place(a) < place(b)) {
        found.push(Violation::HeaderFieldOrder);
    }
    check_profile(message, &fields, &mut found);
    if !matches!(message.signature(), Ok(signature) if is_one_coordinate(&signature.r)) {
        found.push(Violation::Signature);
    }
    match message.signer() {
        Signer::Certificate(certificate) => found.extend(check_certificate(certificate)),
        Signer::Chain(chain) => found.extend(chain.iter().flat_map(check_certificate)),
        _ => {}
    }
    found
}

const GENERATION_TIME: u8 = 0;
const GENERATION_LOCATION: u8 = 3;
const REQUEST_UNRECOGNIZED_CERTIFICATE: u8 = 4;
/// Message type or ITS-AID.
const APPLICATION: u8 = 5;

/// Clause 7.
fn check_profile<M: SecuredMessage>(message: &M, fields: &[u8], found: &mut Vec<Violation>) {
    let v1 = M::Certificate::VERSION == 1;
    let (cam, denm) = if v1 { (2, 1) } else { (36, 37) };
    let profile = message.profile();
    let (place, application) = match profile {
        Profile::Cam => (false, Some(cam)),
        Profile::Denm => (true, Some(denm)),
        Profile::Generic | Profile::None => (true, None),
    };
    let signer = match message.signer() {
        Signer::None | Signer::Unknown => false,
        Signer::Certificate(_) => true,
        Signer::Digest(_) | Signer::Chain(_) => profile != Profile::Denm,
        Signer::Itself | Signer::OtherDigest(_) => application.is_none(),
    };
    let mut needed = vec![M::SIGNER_INFO, GENERATION_TIME];
    if place {
        needed.push(GENERATION_LOCATION);
    }
    if application.is_some() || !v1 {
        needed.push(APPLICATION);
    }
    if !needed.iter().all(|number| fields.contains(number)) {
        found.push(Violation::MissingHeaderField);
    }
    // The generic profile leaves other fields to the application.
    let known = |number: &u8| needed.contains(number) || *number == REQUEST_UNRECOGNIZED_CERTIFICATE && !place;
    if application.is_some() && !fields.iter().all(known) {
        found.push(Violation::HeaderField);
    }
    if application.is_some() && message.application() != application {
        found.push(Violation::Application);
    }
    if !signer {
        found.push(Violation::Signer);
    }
}

/// The rules that a certificate does not keep by itself.
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
        Signer::Digest(_) | Signer::OtherDigest(_) => true,
        Signer::Itself => certificate.subject_type() == SubjectType::RootCa,
        // V1.1.1 has whole certificates there too, each of which is told by its own issuer's digest or signs itself.
        Signer::Certificate(issuer) => !matches!(issuer.signer(), Signer::Certificate(_) | Signer::Chain(_)),
        _ => false,
    };
    unless(signer, Violation::Signer);
    unless(ascend(attributes.iter().map(Attribute::number)), Violation::AttributeOrder);
    unless(ascend(restrictions.iter().map(Restriction::number)), Violation::RestrictionOrder);

    let implicit = attributes.iter().any(|one| matches!(one, Attribute::ReconstructionValue(_)));
    let signed = implicit || matches!(certificate.signature(), Ok(signature) if is_one_coordinate(&signature.r));
    unless(signed, Violation::Signature);
    let is_key = |point: &Option<Point>| point.as_ref().is_some_and(|point| !matches!(point, Point::XOnly(_)));
    let keys = attributes.iter().all(|one| match one {
        Attribute::VerificationKey(point) | Attribute::EncryptionKey(point) => is_key(point),
        _ => true,
    });
    unless(keys, Violation::Key);
    let has = |what: fn(&Attribute) -> bool| attributes.iter().any(what);
    unless(implicit || has(|one| matches!(one, Attribute::VerificationKey(_))), Violation::MissingKey);
    unless(has(|one| matches!(one, Attribute::AssuranceLevel(_))), Violation::MissingAssurance);
    match certificate.subject_type() {
        SubjectType::AuthorizationTicket => {
            unless(certificate.name_octets() == 0, Violation::Name);
            unless(has(|one| matches!(one, Attribute::Permissions(_))), Violation::Permissions);
        }
        SubjectType::AuthorizationAuthority | SubjectType::EnrollmentAuthority | SubjectType::RootCa => {
            unless(has(|one| matches!(one, Attribute::Aids(_))), Violation::Permissions);
        }
        _ => {}
    }
    let times = restrictions.iter().filter(|one| matches!(one.number(), 0..=2)).count();
    unless(times == 1, Violation::Time);
    let periods = restrictions.iter().filter(|one| matches!(one.number(), 0..=2)).all(|one| match one.period() {
        Some((start, end)) => start <= end,
        None => false,
    });
    unless(periods, Violation::Period);
    found
}

/// The rules that a certificate does not keep beside its issuer's (clause 6.1): it counts when, where and for what its issuer's does, and is trusted no more. Regions that cannot be compared
/// (see [`Region::is_within`]) are passed over.
#[must_use]
pub fn check_issued<C: Certificate>(certificate: &Encoded<C>, issuer: &Encoded<C>) -> Vec<Violation> {
    let mut found = Vec::new();
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
    /// The level alone.
    assurance: Option<u8>,
    region: Region,
}

impl Facts {
    fn of<C: Certificate>(certificate: &C) -> Facts {
        let attributes = certificate.attributes();
        let restrictions = certificate.restrictions();
        Facts {
            period: restrictions.iter().find_map(Restriction::period),
            aids: attributes.iter().flat_map(|one| one.aids().iter().copied()).collect(),
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

fn is_one_coordinate(r: &Point) -> bool {
    !matches!(r, Point::Uncompressed(..))
}
