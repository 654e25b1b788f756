//! The rules that can be violated.

use std::fmt;

/// A violated rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Violation {
    /// Header fields that are not in ascending order of their numbers after the signer's, or two
    /// with the same number.
    HeaderFieldOrder,
    /// Attributes that are not in ascending order of their numbers, or two with the same number.
    AttributeOrder,
    /// Restrictions that are not in ascending order of their numbers, or two with the same number.
    RestrictionOrder,
    /// A security profile that this version does not have.
    Profile,
    /// A header field required by the profile is missing.
    MissingHeaderField,
    /// A header field that the profile does not have.
    HeaderField,
    /// A message of a type, a BTP port or a `messageID` that does not belong to the application it
    /// is signed for; in V1 also a profile for another application.
    Application,
    /// A signer in a form that is not allowed here.
    Signer,
    /// A root that another certificate signed, or a self-signed certificate that is not a root.
    SelfSigned,
    /// A signature whose R has both coordinates, or of another algorithm.
    Signature,
    /// A signature that is not in the canonical form: see
    /// [`Signature::is_canonical`](crate::Signature::is_canonical).
    SignatureForm,
    /// A key with only one coordinate, or of another algorithm.
    Key,
    /// No verification key.
    MissingKey,
    /// No assurance level.
    MissingAssurance,
    /// A subject type that this version does not have.
    SubjectType,
    /// An authorization ticket with a name.
    Name,
    /// Permissions that are not in the form for this kind of subject: an authorization ticket's
    /// with service-specific permissions, an authority's without, an enrolment credential's either
    /// way; each application once.
    Permissions,
    /// Not exactly one restriction in time.
    Time,
    /// An end before the start, or a duration in an undefined unit.
    Period,
    /// A restriction, or a region, of a kind that this version does not have.
    UnknownRestriction,
    /// An invalid region, such as a rectangle whose north is south of its south: see
    /// [`Region::is_valid`](crate::Region::is_valid).
    Region,
    /// Issued by a certificate that may not issue this kind of certificate.
    IssuerType,
    /// Valid when its issuer is not.
    IssuerPeriod,
    /// For an application that its issuer does not have.
    IssuerPermissions,
    /// More assurance than its issuer's.
    IssuerAssurance,
    /// Valid where its issuer is not.
    IssuerRegion,
    /// A message signed by a certificate that may not sign such messages.
    SignerType,
    /// A message without an application, or whose message type has no known application: so it is
    /// unknown whether its signer may sign it.
    UnknownApplication,
    /// A message of an application for which its signer has no permission.
    NotPermitted,
    /// A message with a part for which its signer's service-specific permissions have no bit: see
    /// [`Part`](crate::Part).
    Part,
    /// A CAM or DENM by its application, whose payload the receiver's decoder does not take as a
    /// whole message: so it is unknown which permissions it needs. See
    /// [`Contents`](crate::Contents).
    NotUnderstood,
    /// A message with a part that needs a permission, whose signer has service-specific permissions
    /// of an unknown version.
    PermissionsVersion,
    /// A message generated when its signer, or an issuer above it, is not valid.
    GenerationTime,
    /// A message generated where its signer, or an issuer above it, is not valid.
    GenerationPlace,
    /// A message that says that it is no longer relevant when it was made, or when it was received.
    Expiry,
    /// A message that was not made at the time when it was received.
    Clock,
    /// A certificate whose id or requests the profile of TS 103 097 does not have.
    CertificateForm,
    /// A field of an unknown kind that must be understood (IEEE 1609.2 §5.2.6): the id of a
    /// certificate, or the permissions that it may issue. Of regions see
    /// [`Violation::UnknownRestriction`].
    CriticalField,
    /// A `pduFunctionalType`: the message belongs to a protocol that is not its application's (IEEE
    /// 1609.2 §6.3.23b).
    FunctionalType,
    /// An addition that a later version of the standard has, in the header or in the signer's
    /// certificate. It is noted, and does not count.
    UnknownAddition,
    /// A certificate of the chain is revoked.
    Revoked,
    /// A DENM without the place where it was made, which the profile of TS 103 097 asks for. It is
    /// noted, and does not count: recorded stations send such DENMs.
    MissingPlace,
    /// Octets follow the message. They are not signed. It is noted, and does not count.
    TrailingOctets,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Violation::HeaderFieldOrder => "header fields out of order, or two of one type",
            Violation::AttributeOrder => "subject attributes out of order, or two of one type",
            Violation::RestrictionOrder => "validity restrictions out of order, or two of one type",
            Violation::Profile => "an unknown security profile",
            Violation::MissingHeaderField => "a header field of the profile is missing",
            Violation::HeaderField => "a header field that the profile does not have",
            Violation::Application => "a message or profile that does not belong to the application it is signed for",
            Violation::Signer => "a signer in a form that is not permitted here",
            Violation::SelfSigned => "a root not signed by itself, or signed by itself and no root",
            Violation::Signature => "a signature with an uncompressed R, or of another algorithm",
            Violation::SignatureForm => "a signature that is not in the canonical form",
            Violation::Key => "a key with only an x coordinate, or of another algorithm",
            Violation::MissingKey => "no verification key",
            Violation::MissingAssurance => "no assurance level",
            Violation::SubjectType => "an unknown subject type",
            Violation::Name => "an authorization ticket with a name",
            Violation::Permissions => "permissions that are not as this sort of subject has them",
            Violation::Time => "not one restriction in time",
            Violation::Period => "a period that ends before it begins, or has no known unit",
            Violation::UnknownRestriction => "an unknown restriction or region",
            Violation::Region => "a region that is none",
            Violation::IssuerType => "issued by a certificate that may not issue it",
            Violation::IssuerPeriod => "valid when its issuer is not",
            Violation::IssuerPermissions => "for an application that its issuer has not",
            Violation::IssuerAssurance => "more assurance than its issuer's",
            Violation::IssuerRegion => "valid where its issuer is not",
            Violation::SignerType => "signed by a certificate that is not for signing such messages",
            Violation::UnknownApplication => "no known application",
            Violation::NotPermitted => "an application that the signer has no permission for",
            Violation::Part => "a part of a message that the signer has no permission for",
            Violation::NotUnderstood => "a payload that is not understood, so that its permissions are not known",
            Violation::PermissionsVersion => "service-specific permissions of an unknown version",
            Violation::GenerationTime => "generated when its signer is not valid",
            Violation::GenerationPlace => "generated where its signer is not valid",
            Violation::Expiry => "a message that is no longer relevant",
            Violation::Clock => "not made at the time when it was received",
            Violation::CertificateForm => "a certificate that the profile does not have",
            Violation::CriticalField => "a field of an unknown kind that must be understood",
            Violation::FunctionalType => "a functional type: a message of another protocol",
            Violation::UnknownAddition => "an addition of a later version of the standard",
            Violation::Revoked => "a certificate that is revoked",
            Violation::MissingPlace => "a DENM without the place where it was made",
            Violation::TrailingOctets => "octets follow the message",
        })
    }
}
