//! The two ASN.1 schemas as rasn's own types.

use ::rasn::prelude::*;

/// The messages of one of the schemas, which differ in their spacers and in the order of the signed data.
macro_rules! messages {
    ($module:ident: $signed:item $payload:item $header:item $encrypted:item $message:item $($more:item)*) => {
        pub(super) mod $module {
            use super::*;

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            $message

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(choice, automatic_tags)]
            #[non_exhaustive]
            pub(in crate::rasn) enum Content {
                #[rasn(identifier = "unsecured")]
                Unsecured(OctetString),
                #[rasn(identifier = "signed")]
                Signed(SignedData),
                #[rasn(identifier = "encrypted")]
                Encrypted(EncryptedData),
                #[rasn(identifier = "certificateRequest")]
                CertificateRequest(OctetString),
                #[rasn(identifier = "certificateResponse")]
                CertificateResponse(OctetString),
                #[rasn(identifier = "anonymousCertificateResponse")]
                AnonymousCertificateResponse(OctetString),
                #[rasn(identifier = "certificateRequestError")]
                CertificateRequestError(OctetString),
                #[rasn(identifier = "crlRequest")]
                CrlRequest(OctetString),
                #[rasn(identifier = "crl")]
                Crl(OctetString),
                #[rasn(identifier = "signedWsa")]
                SignedWsa(SignedData),
                #[rasn(identifier = "certificateResponseAck")]
                CertificateResponseAck(OctetString),
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            $signed

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            pub(in crate::rasn) struct ToBeSignedData {
                payload: Payload,
                header: HeaderInfo,
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            #[non_exhaustive]
            $payload

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            #[non_exhaustive]
            $header

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            $encrypted

            $(
                #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
                #[rasn(automatic_tags)]
                $more
            )*
        }
    };
}

/// The header, with the fields in front of it.
macro_rules! header {
    ($module:ident [$($spacer:tt)*] $signed:item $payload:item $encrypted:item $message:item $($more:item)*) => {
        messages! { $module:
            $signed
            $payload
            pub(in crate::rasn) struct HeaderInfo {
                $($spacer)*
                #[rasn(value("0.."))]
                psid: Integer,
                #[rasn(value("0..=18446744073709551615"), identifier = "generationTime")]
                generation_time: Option<u64>,
                #[rasn(value("0..=255"), identifier = "generationTimeStdDev")]
                generation_time_std_dev: Option<u8>,
                #[rasn(value("0..=18446744073709551615"), identifier = "expiryTime")]
                expiry_time: Option<u64>,
                #[rasn(identifier = "generationLocation")]
                generation_location: Option<ThreeDLocation>,
                #[rasn(identifier = "unrecognizedRequest")]
                unrecognized_request: Option<SequenceOf<HashedId3>>,
                #[rasn(identifier = "p2pcdRequest")]
                p2pcd_request: Option<HashedId3>,
                #[rasn(value("0..=4294967295"), identifier = "missingCrl")]
                missing_crl: Option<u32>,
                #[rasn(value("0..=65535"), identifier = "messageType")]
                message_type: Option<u16>,
                #[rasn(identifier = "securityProfile")]
                security_profile: Option<SecurityProfile>,
                #[rasn(identifier = "encryptionKey")]
                encryption_key: Option<PublicKey>,
                #[rasn(identifier = "encryptionParameters")]
                encryption_parameters: Option<EncryptionParameters>,
                #[rasn(identifier = "recipientInfo")]
                recipient_info: Option<SequenceOf<RecipientInfo>>,
                #[rasn(value("0..=255"))]
                priority: Option<u8>,
                ssp: Option<OctetString>,
                extensions: Option<OctetString>,
            }
            $encrypted
            $message
            $($more)*
        }
    };
}

header! { original []
    pub(in crate::rasn) struct SignedData {
        signer: SignerIdentifier,
        #[rasn(identifier = "unsignedData")]
        unsigned_data: ToBeSignedData,
        signature: Signature,
    }
    pub(in crate::rasn) struct Payload {
        data: Option<OctetString>,
        #[rasn(identifier = "extDataHash")]
        ext_data_hash: Option<HashedData>,
    }
    pub(in crate::rasn) struct EncryptedData {
        recipients: SequenceOf<RecipientInfo>,
        ciphertext: Ciphertext,
    }
    pub(in crate::rasn) struct SecuredData {
        #[rasn(value("0..=255"), identifier = "protocolVersion")]
        protocol_version: u8,
        content: Content,
    }
}

header! { p [#[rasn(value("0..=7"))] spacer: u8,]
    pub(in crate::rasn) struct SignedData {
        #[rasn(value("0..=7"))]
        spacer: u8,
        signature: Signature,
        #[rasn(identifier = "unsignedData")]
        unsigned_data: ToBeSignedData,
        signer: SignerSlot,
    }
    pub(in crate::rasn) struct Payload {
        #[rasn(value("0..=31"))]
        spacer: u8,
        data: Option<OctetString>,
        #[rasn(identifier = "extDataHash")]
        ext_data_hash: Option<HashedData>,
    }
    pub(in crate::rasn) struct EncryptedData {
        #[rasn(value("0..=255"))]
        spacer: u8,
        recipients: SequenceOf<RecipientInfo>,
        ciphertext: Ciphertext,
    }
    pub(in crate::rasn) struct SecuredData {
        #[rasn(value("0..=255"), identifier = "protocolVersion")]
        protocol_version: u8,
        #[rasn(value("0..=7"))]
        spacer: u8,
        content: Content,
    }
    pub(in crate::rasn) struct SignerSlot {
        #[rasn(value("0..=15"))]
        spacer: u8,
        signer: SignerIdentifier,
    }
}

type HashedId3 = FixedOctetString<3>;
type HashedId8 = FixedOctetString<8>;
type Coordinate = FixedOctetString<32>;

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a certificate is in its place, as it is in our types")]
enum SignerIdentifier {
    #[rasn(identifier = "self")]
    Itself(()),
    #[rasn(identifier = "digestP224")]
    DigestP224(HashedId8),
    #[rasn(identifier = "digestP256")]
    DigestP256(HashedId8),
    #[rasn(identifier = "certificate")]
    Certificate(Certificate),
    #[rasn(identifier = "chain")]
    Chain(SequenceOf<Certificate>),
    #[rasn(identifier = "otherDigest")]
    OtherDigest(HashedId8),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct Certificate {
    #[rasn(value("0..=255"))]
    version: u8,
    unsigned: ToBeSignedCertificate,
    material: Material,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Material {
    #[rasn(identifier = "signature")]
    Signature(Signature),
    #[rasn(identifier = "reconstruction")]
    Reconstruction(EccPoint),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
struct ToBeSignedCertificate {
    holder: HolderType,
    issuer: Issuer,
    #[rasn(identifier = "hashAlg")]
    hash_alg: HashAlgorithm,
    #[rasn(identifier = "signatureAlg")]
    signature_alg: SignatureAlgorithm,
    #[rasn(identifier = "cracaId")]
    craca_id: HashedId3,
    id: Id,
    permissions: SequenceOf<PsidSsp>,
    region: Option<GeographicRegion>,
    #[rasn(value("0..=4294967295"))]
    expiration: u32,
    #[rasn(value("0..=4294967295"), identifier = "startValidity")]
    start_validity: Option<u32>,
    lifetime: Option<Duration>,
    #[rasn(value("0..=4294967295"), identifier = "crlSeries")]
    crl_series: u32,
    #[rasn(identifier = "verificationKey")]
    verification_key: Option<PublicKey>,
    #[rasn(identifier = "encryptionKey")]
    encryption_key: Option<PublicKey>,
    #[rasn(value("0..=255"))]
    assurance: u8,
    #[rasn(identifier = "canIssue")]
    can_issue: Option<()>,
    #[rasn(value("0..=255"))]
    priority: Option<u8>,
    #[rasn(identifier = "permittedHolders")]
    permitted_holders: Option<BitString>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
enum HolderType {
    #[rasn(identifier = "sdeAnonymous")]
    SdeAnonymous,
    #[rasn(identifier = "sdeIdentifiedNotLocalized")]
    SdeIdentifiedNotLocalized,
    #[rasn(identifier = "sdeIdentifiedLocalized")]
    SdeIdentifiedLocalized,
    #[rasn(identifier = "sdeEnrolment")]
    SdeEnrolment,
    #[rasn(identifier = "wsa")]
    Wsa,
    #[rasn(identifier = "wsaEnrolment")]
    WsaEnrolment,
    #[rasn(identifier = "sdeCa")]
    SdeCa,
    #[rasn(identifier = "wsaCa")]
    WsaCa,
    #[rasn(identifier = "crlSigner")]
    CrlSigner,
    #[rasn(identifier = "rootCa")]
    RootCa,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Issuer {
    #[rasn(identifier = "self")]
    Itself(()),
    #[rasn(identifier = "digest")]
    Digest(HashedId8),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Id {
    #[rasn(identifier = "name")]
    Name(Utf8String),
    #[rasn(identifier = "additionalData")]
    AdditionalData(OctetString),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
enum HashAlgorithm {
    #[rasn(identifier = "sha256")]
    Sha256,
    #[rasn(identifier = "sha224")]
    Sha224,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
enum SignatureAlgorithm {
    #[rasn(identifier = "ecdsaNistP224")]
    EcdsaNistP224,
    #[rasn(identifier = "ecdsaNistP256")]
    EcdsaNistP256,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
enum SecurityProfile {
    #[rasn(identifier = "generic")]
    Generic,
    #[rasn(identifier = "cam")]
    Cam,
    #[rasn(identifier = "denm")]
    Denm,
    #[rasn(identifier = "encrypted")]
    Encrypted,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
struct PsidSsp {
    #[rasn(value("0.."))]
    psid: Integer,
    ssp: Option<OctetString>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum Duration {
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
enum GeographicRegion {
    #[rasn(identifier = "fromIssuer")]
    FromIssuer(()),
    #[rasn(identifier = "circle")]
    Circle(CircularRegion),
    #[rasn(identifier = "rectangle")]
    Rectangle(SequenceOf<RectangularRegion>),
    #[rasn(identifier = "polygon")]
    Polygon(SequenceOf<TwoDLocation>),
    #[rasn(identifier = "none")]
    None(()),
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
    #[rasn(value("-2147483648..=2147483647"))]
    latitude: i32,
    #[rasn(value("-2147483648..=2147483647"))]
    longitude: i32,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct ThreeDLocation {
    #[rasn(value("-2147483648..=2147483647"))]
    latitude: i32,
    #[rasn(value("-2147483648..=2147483647"))]
    longitude: i32,
    #[rasn(value("0..=65535"))]
    elevation: u16,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum HashedData {
    #[rasn(identifier = "sha256")]
    Sha256(Coordinate),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
enum EccPoint {
    #[rasn(identifier = "xOnly")]
    XOnly(Coordinate),
    #[rasn(identifier = "fill")]
    Fill(()),
    #[rasn(identifier = "compressedY0")]
    CompressedY0(Coordinate),
    #[rasn(identifier = "compressedY1")]
    CompressedY1(Coordinate),
    #[rasn(identifier = "uncompressed")]
    Uncompressed(FixedOctetString<64>),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum PublicKey {
    #[rasn(identifier = "ecdsaNistP224")]
    EcdsaNistP224(FixedOctetString<29>),
    #[rasn(identifier = "ecdsaNistP256")]
    EcdsaNistP256(EccPoint),
    #[rasn(identifier = "eciesNistP256")]
    EciesNistP256(EccPoint),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Signature {
    #[rasn(identifier = "ecdsaNistP224")]
    EcdsaNistP224(FixedOctetString<56>),
    #[rasn(identifier = "ecdsaNistP256")]
    EcdsaNistP256(EcdsaSignature),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct EcdsaSignature {
    r: EccPoint,
    s: Coordinate,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum RecipientInfo {
    #[rasn(identifier = "cert")]
    Certificate(RecipientByCertificate),
    #[rasn(identifier = "psk")]
    PreSharedKey(HashedId8),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct RecipientByCertificate {
    id: HashedId8,
    key: RecipientKey,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum RecipientKey {
    #[rasn(identifier = "ecies")]
    Ecies(EciesKey),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct EciesKey {
    v: EccPoint,
    c: FixedOctetString<16>,
    t: FixedOctetString<20>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum Ciphertext {
    #[rasn(identifier = "aes128ccm")]
    Aes128Ccm(AesCcm),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
struct AesCcm {
    nonce: FixedOctetString<12>,
    ccm: OctetString,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
enum EncryptionParameters {
    #[rasn(identifier = "aes128ccmNonce")]
    Aes128CcmNonce(FixedOctetString<12>),
}
