//! The certificate study's certificate (Hammi et al., Listing 1), for rasn.

use rasn::prelude::*;

/// An elliptic curve coordinate.
type Coordinate = FixedOctetString<32>;
type HashedId8 = FixedOctetString<8>;

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct Certificate {
    #[rasn(value("0..=255"))]
    version: u8,
    #[rasn(identifier = "signerInfo")]
    signer_info: SignerInfo,
    #[rasn(identifier = "subjectInfo")]
    subject_info: SubjectInfo,
    #[rasn(identifier = "subjectAttributes")]
    subject_attributes: SubjectAttributes,
    #[rasn(identifier = "validityRestrictions")]
    validity_restrictions: ValidityRestrictions,
    signature: EcdsaP256Signature,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum SignerInfo {
    #[rasn(identifier = "self")]
    Itself(()),
    #[rasn(identifier = "certificateDigestSHA256")]
    Sha256(HashedId8),
    #[rasn(identifier = "certificateDigestOtherAlgorithm")]
    OtherAlgorithm(OtherAlgorithm),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct OtherAlgorithm {
    algorithm: HashAlgorithm,
    digest: HashedId8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
enum HashAlgorithm {
    #[rasn(identifier = "sha256")]
    Sha256 = 0,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct SubjectInfo {
    #[rasn(identifier = "subjectType")]
    subject_type: SubjectType,
    // Without SIZE (0..32): rasn counts octets, not characters, and would refuse names. The encodings in UPER and COER do not depend on it (X.691 §10.3).
    #[rasn(identifier = "subjectName")]
    subject_name: Utf8String,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
enum SubjectType {
    #[rasn(identifier = "enrollment-credential")]
    EnrollmentCredential = 0,
    #[rasn(identifier = "authorization-ticket")]
    AuthorizationTicket = 1,
    #[rasn(identifier = "authorization-authority")]
    AuthorizationAuthority = 2,
    #[rasn(identifier = "enrollment-authority")]
    EnrollmentAuthority = 3,
    #[rasn(identifier = "root-ca")]
    RootCa = 4,
    #[rasn(identifier = "crl-signer")]
    CrlSigner = 5,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
struct SubjectAttributes {
    #[rasn(identifier = "verificationKey")]
    verification_key: PublicKey,
    #[rasn(identifier = "encryptionKey")]
    encryption_key: Option<EncryptionKey>,
    #[rasn(identifier = "assuranceLevel")]
    assurance_level: FixedOctetString<1>,
    #[rasn(identifier = "reconstructionValue")]
    reconstruction_value: Option<ReconstructionPoint>,
    #[rasn(identifier = "itsList")]
    its_list: ItsList,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct EncryptionKey {
    #[rasn(identifier = "supported-symm-alg")]
    algorithm: SymmAlgorithm,
    #[rasn(identifier = "public-key")]
    public_key: PublicKey,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
enum SymmAlgorithm {
    #[rasn(identifier = "aes128Ccm")]
    Aes128Ccm = 0,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct PublicKey {
    algorithm: PublicKeyAlgorithm,
    key: KeyPoint,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
enum PublicKeyAlgorithm {
    #[rasn(identifier = "ecdsa-nistp256-with-sha256")]
    EcdsaNistp256WithSha256 = 0,
    #[rasn(identifier = "ecies-nistp256")]
    EciesNistp256 = 1,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum KeyPoint {
    #[rasn(identifier = "compressed-y-0")]
    CompressedY0(Coordinate),
    #[rasn(identifier = "compressed-y-1")]
    CompressedY1(Coordinate),
    #[rasn(identifier = "uncompressed")]
    Uncompressed(Uncompressed),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum ReconstructionPoint {
    #[rasn(identifier = "x-coordinate-only")]
    XCoordinateOnly(Coordinate),
    #[rasn(identifier = "compressed-y-0")]
    CompressedY0(Coordinate),
    #[rasn(identifier = "compressed-y-1")]
    CompressedY1(Coordinate),
    #[rasn(identifier = "uncompressed")]
    Uncompressed(Uncompressed),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct Uncompressed {
    x: Coordinate,
    y: Coordinate,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum ItsList {
    #[rasn(identifier = "its-aid-list")]
    Aids(SequenceOf<ItsAid>),
    #[rasn(identifier = "its-aid-ssp-list")]
    AidSsps(SequenceOf<ItsAidSsp>),
}

/// A type of its own, because XER names an element of a list after its type.
#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(delegate, identifier = "ITS-AID")]
struct ItsAid(Integer);

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct ItsAidSsp {
    #[rasn(identifier = "its-aid")]
    its_aid: Integer,
    #[rasn(size("0..=31"), identifier = "service-specific-permissions")]
    permissions: OctetString,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
struct ValidityRestrictions {
    #[rasn(identifier = "timeOfValidation")]
    time: ValidityTime,
    region: Option<Region>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum ValidityTime {
    #[rasn(value("0..=4294967295"), identifier = "timeEnd")]
    End(u32),
    #[rasn(identifier = "timeStartAndEnd")]
    StartAndEnd(StartAndEnd),
    #[rasn(identifier = "timeStartAndDuration")]
    StartAndDuration(StartAndDuration),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct StartAndEnd {
    #[rasn(value("0..=4294967295"), identifier = "startValidity")]
    start: u32,
    #[rasn(value("0..=4294967295"), identifier = "endValidity")]
    end: u32,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct StartAndDuration {
    #[rasn(value("0..=4294967295"), identifier = "startValidity")]
    start: u32,
    duration: Duration,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum Duration {
    #[rasn(value("0..=65535"), identifier = "microseconds")]
    Microseconds(u16),
    #[rasn(value("0..=65535"), identifier = "milliseconds")]
    Milliseconds(u16),
    #[rasn(value("0..=65535"), identifier = "seconds")]
    Seconds(u16),
    #[rasn(value("0..=65535"), identifier = "minutes")]
    Minutes(u16),
    #[rasn(value("0..=65535"), identifier = "hours")]
    Hours(u16),
    #[rasn(value("0..=65535"), identifier = "sixtyHours")]
    SixtyHours(u16),
    #[rasn(value("0..=65535"), identifier = "years")]
    Years(u16),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Region {
    #[rasn(identifier = "circularRegion")]
    Circular(CircularRegion),
    #[rasn(size("1..=6"), identifier = "rectangularRegion")]
    Rectangular(SequenceOf<RectangularRegion>),
    #[rasn(size("3..=12"), identifier = "polygonalRegion")]
    Polygonal(SequenceOf<TwoDLocation>),
    #[rasn(identifier = "identifiedRegion")]
    Identified(IdentifiedRegion),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct CircularRegion {
    center: TwoDLocation,
    #[rasn(value("0..=65535"))]
    radius: u16,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct RectangularRegion {
    #[rasn(identifier = "northWest")]
    north_west: TwoDLocation,
    #[rasn(identifier = "southEast")]
    south_east: TwoDLocation,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct TwoDLocation {
    #[rasn(value("-900000000..=900000001"))]
    latitude: i32,
    #[rasn(value("-1799999999..=1800000001"))]
    longitude: i32,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct IdentifiedRegion {
    #[rasn(identifier = "regionDictionary")]
    dictionary: RegionDictionary,
    #[rasn(value("0..=65535"), identifier = "regionIdentifier")]
    identifier: u16,
    #[rasn(identifier = "localRegion")]
    local_region: Integer,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
enum RegionDictionary {
    #[rasn(identifier = "iso-3166-1")]
    Iso3166 = 0,
    #[rasn(identifier = "un-stats")]
    UnStats = 1,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct EcdsaP256Signature {
    r: SignaturePoint,
    s: Coordinate,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum SignaturePoint {
    #[rasn(identifier = "x-coordinate-only")]
    XCoordinateOnly(Coordinate),
    #[rasn(identifier = "compressed-y-0")]
    CompressedY0(Coordinate),
    #[rasn(identifier = "compressed-y-1")]
    CompressedY1(Coordinate),
}
