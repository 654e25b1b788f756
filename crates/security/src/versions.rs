//! The two versions of the format, in common terms.

use roadwire_engine::Message;
use roadwire_messages::Tls;
use roadwire_messages::{ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_wire::Unknown;

use crate::{
    Attribute, Fault, Payload, Permission, Place, Point, Profile, Region, Restriction, Signature, Signer, SubjectType,
};

/// A certificate of one of the versions.
pub trait Certificate: Message<Tls> + Clone + PartialEq {
    /// The version of this type.
    const VERSION: u8;
    /// The version that it claims.
    fn version(&self) -> u8;
    /// Who signed it.
    fn signer(&self) -> Signer<'_, Self>;
    /// Its purpose.
    fn subject_type(&self) -> SubjectType;
    /// The length of its name in octets.
    fn name_octets(&self) -> usize;
    /// The attributes of its subject, in encoded order.
    fn attributes(&self) -> Vec<Attribute>;
    /// Its restrictions of validity, in encoded order.
    fn restrictions(&self) -> Vec<Restriction>;
    /// Its signature.
    ///
    /// # Errors
    /// [`Fault::Unsigned`] if there is none, [`Fault::Algorithm`] for one of another algorithm.
    fn signature(&self) -> Result<Signature, Fault>;
    /// Replaces its signature.
    fn set_signature(&mut self, signature: Signature);
}

/// A secured message of one of the versions.
pub trait SecuredMessage: Message<Tls> + Clone + PartialEq {
    /// The type of its signer's certificate.
    type Certificate: Certificate;
    /// The version that it claims.
    fn version(&self) -> u8;
    /// Its profile: as stated, or derived from its application.
    fn profile(&self) -> Profile;
    /// Its application, by the version's numbers (message type or ITS-AID). `None`: none, or
    /// several.
    fn application(&self) -> Option<u64>;
    /// The ITS-AID of its application. `None`: none, or several, or a message type without a known
    /// ITS-AID.
    fn its_aid(&self) -> Option<u64>;
    /// Its generation times, in microseconds since the version's epoch.
    fn generation_times(&self) -> Vec<u64>;
    /// Its generation places.
    fn generation_places(&self) -> Vec<Place>;
    /// The numbers of its header fields, in encoded order.
    fn header_fields(&self) -> Vec<u8>;
    /// The number of the header field with the signer, which must be first.
    const SIGNER_INFO: u8 = 128;
    /// Who signed it.
    fn signer(&self) -> Signer<'_, Self::Certificate>;
    /// Its payloads.
    fn payloads(&self) -> Vec<Payload>;
    /// Its signature.
    ///
    /// # Errors
    /// [`Fault::Unsigned`] if the trailer is not exactly one signature, [`Fault::Algorithm`] for
    /// one of another algorithm.
    fn signature(&self) -> Result<Signature, Fault>;
    /// Replaces the trailer by a signature.
    fn set_signature(&mut self, signature: Signature);
}

/// The number of something unknown, which is its first octet.
fn number(unknown: &Unknown) -> u8 {
    unknown.octets.first().copied().unwrap_or_default()
}

macro_rules! terms {
    ($v:ident) => {
        impl From<Point> for $v::EccPoint {
            fn from(point: Point) -> Self {
                match point {
                    Point::XOnly(x) => $v::EccPoint::X_coordinate_only(x),
                    Point::Even(x) => $v::EccPoint::Compressed_lsb_y_0(x),
                    Point::Odd(x) => $v::EccPoint::Compressed_lsb_y_1(x),
                    Point::Uncompressed(x, y) => $v::EccPoint::Uncompressed($v::EccPointUncompressed { x, y }),
                }
            }
        }

        impl From<&$v::EccPoint> for Point {
            fn from(point: &$v::EccPoint) -> Self {
                match point {
                    $v::EccPoint::X_coordinate_only(x) => Point::XOnly(*x),
                    $v::EccPoint::Compressed_lsb_y_0(x) => Point::Even(*x),
                    $v::EccPoint::Compressed_lsb_y_1(x) => Point::Odd(*x),
                    $v::EccPoint::Uncompressed(point) => Point::Uncompressed(point.x, point.y),
                }
            }
        }

        /// A key that verifies.
        impl From<Point> for $v::PublicKey {
            fn from(point: Point) -> Self {
                $v::PublicKey::Ecdsa_nistp256_with_sha256(point.into())
            }
        }

        impl From<Signature> for $v::Signature {
            fn from(signature: Signature) -> Self {
                $v::Signature::Ecdsa_nistp256_with_sha256($v::EcdsaSignature { r: signature.r.into(), s: signature.s })
            }
        }

        impl TryFrom<&$v::Signature> for Signature {
            type Error = Fault;
            fn try_from(signature: &$v::Signature) -> Result<Self, Fault> {
                match signature {
                    $v::Signature::Ecdsa_nistp256_with_sha256(signature) => {
                        Ok(Signature { r: (&signature.r).into(), s: signature.s })
                    }
                    $v::Signature::UnknownAddition(_) => Err(Fault::Algorithm),
                }
            }
        }

        impl From<&$v::TwoDLocation> for Place {
            fn from(place: &$v::TwoDLocation) -> Self {
                Place { latitude: place.latitude, longitude: place.longitude }
            }
        }

        impl From<&$v::GeographicRegion> for Region {
            fn from(region: &$v::GeographicRegion) -> Self {
                match region {
                    $v::GeographicRegion::None(()) => Region::None,
                    $v::GeographicRegion::Circle(circle) => Region::Circle((&circle.center).into(), circle.radius),
                    $v::GeographicRegion::Rectangle(all) => Region::Rectangles(
                        all.iter().map(|one| ((&one.northwest).into(), (&one.southeast).into())).collect(),
                    ),
                    $v::GeographicRegion::Polygon(corners) => {
                        Region::Polygon(corners.iter().map(Place::from).collect())
                    }
                    $v::GeographicRegion::Id(region) => match region.region_dictionary {
                        $v::RegionDictionary::Iso_3166_1 => {
                            Region::Identified(0, region.region_identifier, region.local_region)
                        }
                        $v::RegionDictionary::Un_stats => {
                            Region::Identified(1, region.region_identifier, region.local_region)
                        }
                        $v::RegionDictionary::UnknownAddition(_) => Region::Unknown,
                    },
                    $v::GeographicRegion::UnknownAddition(_) => Region::Unknown,
                }
            }
        }

        impl From<&$v::ValidityRestriction> for Restriction {
            fn from(restriction: &$v::ValidityRestriction) -> Self {
                match restriction {
                    $v::ValidityRestriction::Time_end(end) => Restriction::TimeEnd(*end),
                    $v::ValidityRestriction::Time_start_and_end(time) => {
                        Restriction::TimeStartAndEnd(time.start_validity, time.end_validity)
                    }
                    $v::ValidityRestriction::Time_start_and_duration(time) => {
                        Restriction::TimeStartAndDuration(time.start_validity, time.duration)
                    }
                    $v::ValidityRestriction::Region(region) => Restriction::Region(region.into()),
                    $v::ValidityRestriction::UnknownAddition(unknown) => Restriction::Unknown(number(unknown)),
                }
            }
        }

        impl From<$v::SubjectType> for SubjectType {
            fn from(subject: $v::SubjectType) -> Self {
                match subject {
                    $v::SubjectType::Enrollment_credential => SubjectType::EnrollmentCredential,
                    $v::SubjectType::Authorization_ticket => SubjectType::AuthorizationTicket,
                    $v::SubjectType::Authorization_authority => SubjectType::AuthorizationAuthority,
                    $v::SubjectType::Enrollment_authority => SubjectType::EnrollmentAuthority,
                    $v::SubjectType::Root_ca => SubjectType::RootCa,
                    $v::SubjectType::Crl_signer => SubjectType::CrlSigner,
                    $v::SubjectType::UnknownAddition(_) => SubjectType::Unknown,
                }
            }
        }

        impl From<&$v::Payload> for Payload {
            fn from(payload: &$v::Payload) -> Self {
                match payload {
                    $v::Payload::Unsecured(_) => Payload::Unsecured,
                    $v::Payload::Signed(_) => Payload::Signed,
                    $v::Payload::Encrypted(_) => Payload::Encrypted,
                    $v::Payload::Signed_external(()) => Payload::SignedExternal,
                    $v::Payload::Signed_and_encrypted(_) => Payload::SignedAndEncrypted,
                    $v::Payload::UnknownAddition(_) => Payload::Unknown,
                }
            }
        }

        impl<'a> From<&'a $v::SignerInfo> for Signer<'a, $v::Certificate> {
            fn from(signer: &'a $v::SignerInfo) -> Self {
                match signer {
                    $v::SignerInfo::Self_(()) => Signer::Itself,
                    $v::SignerInfo::Certificate_digest(digest) => Signer::Digest(*digest),
                    $v::SignerInfo::Certificate(certificate) => Signer::Certificate(certificate),
                    $v::SignerInfo::Certificate_chain(chain) => Signer::Chain(chain),
                    $v::SignerInfo::Certificate_digest_with_other_algorithm(other) => Signer::OtherDigest(other.digest),
                    $v::SignerInfo::UnknownAddition(_) => Signer::Unknown,
                }
            }
        }
    };
}

macro_rules! certificate {
    ($v:ident, $version:literal, |$self:ident| $signer:expr, $($attributes:tt)*) => {
        impl Certificate for $v::Certificate {
            const VERSION: u8 = $version;

            fn version(&self) -> u8 {
                self.version
            }

            fn signer(&$self) -> Signer<'_, Self> {
                $signer
            }

            fn subject_type(&self) -> SubjectType {
                self.subject_info.subject_type.into()
            }

            fn name_octets(&self) -> usize {
                self.subject_info.subject_name.0.len()
            }

            fn attributes(&self) -> Vec<Attribute> {
                let attribute = |attribute: &$v::SubjectAttribute| match attribute {
                    $v::SubjectAttribute::Verification_key(key) => Attribute::VerificationKey(match key {
                        $v::PublicKey::Ecdsa_nistp256_with_sha256(point) => Some(point.into()),
                        _ => None,
                    }),
                    $v::SubjectAttribute::Encryption_key(key) => Attribute::EncryptionKey(match key {
                        $v::PublicKey::Ecies_nistp256(key) => Some((&key.public_key).into()),
                        _ => None,
                    }),
                    $v::SubjectAttribute::Assurance_level([level]) => Attribute::AssuranceLevel(*level),
                    $v::SubjectAttribute::Reconstruction_value(point) => Attribute::ReconstructionValue(point.into()),
                    $v::SubjectAttribute::Its_aid_list(list) => Attribute::Aids(list.to_vec()),
                    $v::SubjectAttribute::Its_aid_ssp_list(list) => {
                        let one = |one: &$v::ItsAidSsp| Permission {
                            aid: one.its_aid,
                            ssp: one.service_specific_permissions.0.to_vec(),
                        };
                        Attribute::Permissions(list.iter().map(one).collect())
                    }
                    $v::SubjectAttribute::UnknownAddition(unknown) => Attribute::Unknown(number(unknown)),
                    $($attributes)*
                };
                self.subject_attributes.iter().map(attribute).collect()
            }

            fn restrictions(&self) -> Vec<Restriction> {
                self.validity_restrictions.iter().map(Restriction::from).collect()
            }

            fn signature(&self) -> Result<Signature, Fault> {
                self.signature.as_ref().ok_or(Fault::Unsigned)?.try_into()
            }

            fn set_signature(&mut self, signature: Signature) {
                self.signature = Some(signature.into());
            }
        }
    };
}

macro_rules! message {
    ($v:ident, $payloads:ident, |$self:ident| $profile:expr, $its_aid:expr, $deviating:ident, $application:ident, { $($number:literal $field:ident)* }) => {
        impl SecuredMessage for $v::SecuredMessage {
            type Certificate = $v::Certificate;

            fn version(&self) -> u8 {
                self.protocol_version
            }

            fn profile(&$self) -> Profile {
                $profile
            }

            fn application(&self) -> Option<u64> {
                let mut told = self.header_fields.iter().filter_map(|field| match field {
                    $v::HeaderField::$application(application) => Some((*application).into()),
                    _ => None,
                });
                told.next().filter(|_| told.next().is_none())
            }

            fn its_aid(&$self) -> Option<u64> {
                $its_aid
            }

            fn generation_times(&self) -> Vec<u64> {
                let time = |field: &$v::HeaderField| match field {
                    $v::HeaderField::Generation_time(time) => Some(*time),
                    $v::HeaderField::$deviating(time) => Some(time.time),
                    _ => None,
                };
                self.header_fields.iter().filter_map(time).collect()
            }

            fn generation_places(&self) -> Vec<Place> {
                let place = |field: &$v::HeaderField| match field {
                    $v::HeaderField::Generation_location(place) => {
                        Some(Place { latitude: place.latitude, longitude: place.longitude })
                    }
                    _ => None,
                };
                self.header_fields.iter().filter_map(place).collect()
            }

            fn header_fields(&self) -> Vec<u8> {
                let number = |field: &$v::HeaderField| match field {
                    $($v::HeaderField::$field(_) => $number,)*
                    $v::HeaderField::UnknownAddition(unknown) => number(unknown),
                };
                self.header_fields.iter().map(number).collect()
            }

            fn signer(&self) -> Signer<'_, $v::Certificate> {
                let mut told = self.header_fields.iter().filter_map(|field| match field {
                    $v::HeaderField::Signer_info(signer) => Some(signer),
                    _ => None,
                });
                told.next().filter(|_| told.next().is_none()).map_or(Signer::None, Signer::from)
            }

            fn payloads(&self) -> Vec<Payload> {
                self.$payloads().iter().map(Payload::from).collect()
            }

            fn signature(&self) -> Result<Signature, Fault> {
                match self.trailer_fields.as_slice() {
                    [$v::TrailerField::Signature(signature)] => signature.try_into(),
                    _ => Err(Fault::Unsigned),
                }
            }

            fn set_signature(&mut self, signature: Signature) {
                self.trailer_fields.clear();
                self.trailer_fields.push($v::TrailerField::Signature(signature.into()));
            }
        }
    };
}

/// The payloads as a slice, of which the later version has one.
trait Payloads<P> {
    fn all(&self) -> &[P];
}

impl Payloads<v1::Payload> for v1::SecuredMessage {
    fn all(&self) -> &[v1::Payload] {
        &self.payload_fields
    }
}

impl Payloads<v2::Payload> for v2::SecuredMessage {
    fn all(&self) -> &[v2::Payload] {
        std::slice::from_ref(&self.payload_field)
    }
}

terms!(v1);
terms!(v2);

certificate!(
    v1,
    1,
    |self| match self.signer_info.as_slice() {
        [v1::IssuerInfo::Self_(())] => Signer::Itself,
        [v1::IssuerInfo::Certificate_digest(digest)] => Signer::Digest(*digest),
        [v1::IssuerInfo::Certificate(certificate)] => Signer::Certificate(certificate),
        [v1::IssuerInfo::Certificate_chain(chain)] => Signer::Chain(chain),
        [v1::IssuerInfo::Certificate_digest_with_other_algorithm(other)] => Signer::OtherDigest(other.digest),
        [v1::IssuerInfo::UnknownAddition(_)] => Signer::Unknown,
        _ => Signer::None,
    },
    v1::SubjectAttribute::Priority_its_aid_list(list) => {
        Attribute::PrioritizedAids(list.iter().map(|one| one.its_aid).collect())
    }
    v1::SubjectAttribute::Priority_ssp_list(list) => {
        let one = |one: &v1::ItsAidPrioritySsp| Permission {
            aid: one.its_aid,
            ssp: one.service_specific_permissions.0.to_vec(),
        };
        Attribute::PrioritizedPermissions(list.iter().map(one).collect())
    }
);
certificate!(v2, 2, |self| match &self.signer_info {
    v2::IssuerInfo::Self_(()) => Signer::Itself,
    v2::IssuerInfo::Certificate_digest(digest) => Signer::Digest(*digest),
    v2::IssuerInfo::Certificate_digest_with_other_algorithm(other) => Signer::OtherDigest(other.digest),
    v2::IssuerInfo::UnknownAddition(_) => Signer::Unknown,
},);

message!(
    v1,
    all,
    |self| match self.security_profile {
        1 => Profile::Cam,
        2 => Profile::Denm,
        // The studies number it 3, clause 7 leaves it at 0.
        0 | 3 => Profile::Generic,
        _ => Profile::None,
    },
    match self.application() {
        Some(1) => Some(37),
        Some(2) => Some(36),
        _ => None,
    },
    Generation_time_confidence,
    Message_type,
    {
        0 Generation_time
        1 Generation_time_confidence
        2 Expiration
        3 Generation_location
        4 Request_unrecognized_certificate
        5 Message_type
        128 Signer_info
        129 Recipient_info
        130 Encryption_parameters
    }
);
message!(
    v2,
    all,
    |self| match self.application() {
        Some(36) => Profile::Cam,
        Some(37) => Profile::Denm,
        Some(_) => Profile::Generic,
        None => Profile::None,
    },
    self.application(),
    Generation_time_standard_deviation,
    Its_aid,
    {
        0 Generation_time
        1 Generation_time_standard_deviation
        2 Expiration
        3 Generation_location
        4 Request_unrecognized_certificate
        5 Its_aid
        128 Signer_info
        129 Encryption_parameters
        130 Recipient_info
    }
);
