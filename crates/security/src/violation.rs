//! The rules that can be broken.

use std::fmt;

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
    /// A security profile that this version does not have.
    Profile,
    /// A header field that the profile asks for and that is not there.
    MissingHeaderField,
    /// A header field that the profile does not have.
    HeaderField,
    /// A profile for another application than the one that is told.
    Application,
    /// A signer told in a way that is not for this place.
    Signer,
    /// A root that another certificate signed, or a certificate signed by itself that is no root.
    SelfSigned,
    /// A signature whose R has both coordinates, or of another algorithm.
    Signature,
    /// A signature in another form than the canonical one: see [`Signature::is_canonical`](crate::Signature::is_canonical).
    SignatureForm,
    /// A key of which only one coordinate is told, or of another algorithm.
    Key,
    /// No verification key.
    MissingKey,
    /// No assurance level.
    MissingAssurance,
    /// A subject type that this version does not have.
    SubjectType,
    /// An authorization ticket with a name.
    Name,
    /// Permissions that are not as this sort of subject has them: an authorization ticket's with service-specific permissions, an authority's without, an enrolment credential's either way; each application once.
    Permissions,
    /// Not exactly one restriction in time.
    Time,
    /// An end before the start, or a duration in a unit that nobody has defined.
    Period,
    /// A restriction, or a region, of a sort that this version does not have.
    UnknownRestriction,
    /// A region that is none, such as a rectangle whose north is south of its south: see [`Region::is_valid`](crate::Region::is_valid).
    Region,
    /// Issued by a certificate that may not issue this sort of certificate.
    IssuerType,
    /// Valid when its issuer is not.
    IssuerPeriod,
    /// For an application that its issuer has not.
    IssuerPermissions,
    /// More assurance than its issuer's.
    IssuerAssurance,
    /// Valid where its issuer is not.
    IssuerRegion,
    /// A message signed by a certificate that is not for signing such messages.
    SignerType,
    /// A message that does not say for which application it is, or whose message type has no known application: nothing tells whether its signer may sign it.
    UnknownApplication,
    /// A message of an application that its signer has no permission for.
    NotPermitted,
    /// A message generated when its signer, or an issuer above it, is not valid.
    GenerationTime,
    /// A message generated where its signer, or an issuer above it, is not valid.
    GenerationPlace,
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
            Violation::Application => "an application of another profile",
            Violation::Signer => "a signer that is not told as it is to be here",
            Violation::SelfSigned => "a root not signed by itself, or signed by itself and no root",
            Violation::Signature => "a signature with an uncompressed R, or of another algorithm",
            Violation::SignatureForm => "a signature that is not in the canonical form",
            Violation::Key => "a key of which only x is told, or of another algorithm",
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
            Violation::GenerationTime => "generated when its signer is not valid",
            Violation::GenerationPlace => "generated where its signer is not valid",
        })
    }
}
