//! Certificates and messages of both versions, made from common terms.

use roadwire_messages::{ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_security::{
    Attribute, Certificate, Place, Region, Restriction, SecuredMessage, Signer, SigningKey, SubjectType,
};
use roadwire_wire::{OctetString, Octets, Unknown};

pub(crate) fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32]).unwrap()
}

/// The content of a message's header besides its signer.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// By the ITS-AID. Version 1.1.1 has a message type for CAM and DENM, 36 and 37.
    pub(crate) its_aid: u64,
    pub(crate) times: Vec<u64>,
    pub(crate) place: Option<Place>,
    /// The digest of a certificate that the sender asks for.
    pub(crate) request: Option<[u8; 3]>,
}

/// One of the versions.
pub(crate) trait Version {
    type Certificate: Certificate + std::fmt::Debug;
    type Message: SecuredMessage<Certificate = Self::Certificate> + std::fmt::Debug;
    const NAME: &str;
    fn certificate(
        signer: &Signer<'_, Self::Certificate>,
        subject: SubjectType,
        attributes: &[Attribute],
        restrictions: &[Restriction],
    ) -> Self::Certificate;
    fn message(signer: &Signer<'_, Self::Certificate>, header: &Header) -> Self::Message;
}

pub(crate) struct First;
pub(crate) struct Second;

fn unknown(number: u8) -> Unknown {
    Unknown { index: 0, octets: vec![number, 1, 0] }
}

fn permissions(octets: &[u8]) -> Octets<31> {
    Octets(octets.try_into().unwrap())
}

macro_rules! version {
    ($name:ident, $v:ident, $text:literal, $number:literal, |$issuer:ident| $issued:expr, |$aid:ident| $application:expr,
     |$header:ident, $fields:ident, $payload:ident| $message:expr) => {
        impl Version for $name {
            type Certificate = $v::Certificate;
            type Message = $v::SecuredMessage;
            const NAME: &str = $text;

            fn certificate(
                $issuer: &Signer<'_, $v::Certificate>,
                subject: SubjectType,
                attributes: &[Attribute],
                restrictions: &[Restriction],
            ) -> $v::Certificate {
                let subject_type = match subject {
                    SubjectType::EnrollmentCredential => $v::SubjectType::Enrollment_credential,
                    SubjectType::AuthorizationTicket => $v::SubjectType::Authorization_ticket,
                    SubjectType::AuthorizationAuthority => $v::SubjectType::Authorization_authority,
                    SubjectType::EnrollmentAuthority => $v::SubjectType::Enrollment_authority,
                    SubjectType::RootCa => $v::SubjectType::Root_ca,
                    SubjectType::CrlSigner => $v::SubjectType::Crl_signer,
                    // Number 77 on the wire.
                    SubjectType::Unknown => $v::SubjectType::UnknownAddition((1 << 31) + 148),
                };
                let attribute = |attribute: &Attribute| match attribute {
                    Attribute::VerificationKey(Some(key)) => $v::SubjectAttribute::Verification_key(key.clone().into()),
                    Attribute::AssuranceLevel(level) => $v::SubjectAttribute::Assurance_level([*level]),
                    Attribute::Aids(aids) => $v::SubjectAttribute::Its_aid_list(aids.iter().copied().collect()),
                    Attribute::Permissions(all) => {
                        let one = |one: &roadwire_security::Permission| $v::ItsAidSsp {
                            its_aid: one.aid,
                            service_specific_permissions: permissions(&one.ssp),
                        };
                        $v::SubjectAttribute::Its_aid_ssp_list(all.iter().map(one).collect())
                    }
                    other => panic!("{other:?}"),
                };
                let place = |place: &Place| $v::TwoDLocation { latitude: place.latitude, longitude: place.longitude };
                let region = |region: &Region| match region {
                    Region::None => $v::GeographicRegion::None(()),
                    Region::Circle(centre, radius) => {
                        $v::GeographicRegion::Circle($v::CircularRegion { center: place(centre), radius: *radius })
                    }
                    Region::Rectangles(all) => $v::GeographicRegion::Rectangle(
                        all.iter()
                            .map(|(northwest, southeast)| $v::RectangularRegion {
                                northwest: place(northwest),
                                southeast: place(southeast),
                            })
                            .collect(),
                    ),
                    Region::Polygon(corners) => $v::GeographicRegion::Polygon(corners.iter().map(place).collect()),
                    Region::Identified(0, region_identifier, local_region) => {
                        $v::GeographicRegion::Id($v::IdentifiedRegion {
                            region_dictionary: $v::RegionDictionary::Iso_3166_1,
                            region_identifier: *region_identifier,
                            local_region: *local_region,
                        })
                    }
                    _ => $v::GeographicRegion::UnknownAddition(unknown(77)),
                };
                let restriction = |restriction: &Restriction| match restriction {
                    Restriction::TimeEnd(end) => $v::ValidityRestriction::Time_end(*end),
                    Restriction::TimeStartAndEnd(start_validity, end_validity) => {
                        $v::ValidityRestriction::Time_start_and_end($v::ValidityRestrictionTime_start_and_end {
                            start_validity: *start_validity,
                            end_validity: *end_validity,
                        })
                    }
                    Restriction::TimeStartAndDuration(start_validity, duration) => {
                        $v::ValidityRestriction::Time_start_and_duration(
                            $v::ValidityRestrictionTime_start_and_duration {
                                start_validity: *start_validity,
                                duration: *duration,
                            },
                        )
                    }
                    Restriction::Region(one) => $v::ValidityRestriction::Region(region(one)),
                    Restriction::Unknown(number) => $v::ValidityRestriction::UnknownAddition(unknown(*number)),
                };
                $v::Certificate {
                    version: $number,
                    signer_info: $issued,
                    subject_info: $v::SubjectInfo { subject_type, subject_name: Default::default() },
                    subject_attributes: attributes.iter().map(attribute).collect(),
                    validity_restrictions: restrictions.iter().map(restriction).collect(),
                    signature: None,
                }
            }

            fn message(signer: &Signer<'_, $v::Certificate>, $header: &Header) -> $v::SecuredMessage {
                let signer = match signer {
                    Signer::Itself => $v::SignerInfo::Self_(()),
                    Signer::Digest(digest) => $v::SignerInfo::Certificate_digest(*digest),
                    Signer::Certificate(one) => $v::SignerInfo::Certificate((*one).clone()),
                    Signer::Chain(chain) => $v::SignerInfo::Certificate_chain(chain.to_vec()),
                    other => panic!("{other:?}"),
                };
                let times = $header.times.iter().map(|time| $v::HeaderField::Generation_time(*time));
                let place = $header.place.map(|place| {
                    $v::HeaderField::Generation_location($v::ThreeDLocation {
                        latitude: place.latitude,
                        longitude: place.longitude,
                        elevation: [0xF0, 0],
                    })
                });
                let $aid = $header.its_aid;
                let request = $header
                    .request
                    .map(|digest| $v::HeaderField::Request_unrecognized_certificate([digest].into_iter().collect()));
                let fields =
                    [$v::HeaderField::Signer_info(signer)].into_iter().chain(times).chain(place).chain(request);
                let $fields = fields.chain($application).collect();
                let $payload = $v::Payload::Signed(OctetString(vec![1, 2, 3, 4]));
                $message
            }
        }
    };
}

version!(
    First,
    v1,
    "V1.1.1",
    1,
    |issuer| [match issuer {
        Signer::Itself => v1::IssuerInfo::Self_(()),
        Signer::Digest(digest) => v1::IssuerInfo::Certificate_digest(*digest),
        Signer::Certificate(one) => v1::IssuerInfo::Certificate(Box::new((*one).clone())),
        other => panic!("{other:?}"),
    }]
    .into_iter()
    .collect(),
    |aid| Some(v1::HeaderField::Message_type(match aid {
        36 => 2,
        37 => 1,
        _ => 9,
    })),
    |header, fields, payload| v1::SecuredMessage {
        protocol_version: 1,
        security_profile: match header.its_aid {
            36 => 1,
            37 => 2,
            _ => 3,
        },
        header_fields: fields,
        payload_fields: [payload].into_iter().collect(),
        trailer_fields: Default::default(),
    }
);
version!(
    Second,
    v2,
    "V1.2.1",
    2,
    |issuer| match issuer {
        Signer::Itself => v2::IssuerInfo::Self_(()),
        Signer::Digest(digest) => v2::IssuerInfo::Certificate_digest(*digest),
        other => panic!("{other:?}"),
    },
    |aid| Some(v2::HeaderField::Its_aid(aid)),
    |header, fields, payload| {
        let _ = header;
        v2::SecuredMessage {
            protocol_version: 2,
            header_fields: fields,
            payload_field: payload,
            trailer_fields: Default::default(),
        }
    }
);
