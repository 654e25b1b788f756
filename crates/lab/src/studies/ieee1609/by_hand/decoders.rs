//! The decoders, one for each of the two schemas. `processors/` compiles them for other processors.

use super::read::{Read, Refused};
use super::{original, p};

/// The decoder of one schema. The P schema has spacers, and the signature first.
macro_rules! decoder {
    ($name:ident: $schema:ident, $signed:ident $(, $spaced:ident)?) => {
        pub(super) mod $name {
            use super::$schema::*;
            use super::{Read, Refused};

            /// The content of a variant in its place. A place with another variant gets an empty
            /// one.
            macro_rules! variant {
                ($place:expr, $variant:path) => {{
                    if !matches!($place, $variant(_)) {
                        *$place = $variant(Default::default());
                    }
                    let $variant(content) = $place else { return Err(Refused::Range) };
                    content
                }};
            }

            /// An optional part in its place.
            macro_rules! optional {
                ($place:expr, $has:expr, |$inner:ident| $read:expr) => {
                    if $has {
                        let $inner = $place.get_or_insert_with(Default::default);
                        $read;
                    } else {
                        $place = None;
                    }
                };
            }

            /// The elements of a list, in their places.
            macro_rules! elements {
                ($read:ident, $list:expr, |$element:ident| $body:expr) => {
                    let count = $read.count()?;
                    $list.truncate(count);
                    for at in 0..count {
                        if at == $list.len() {
                            $list.push(Default::default());
                        }
                        let $element = $list.get_mut(at).ok_or(Refused::Range)?;
                        $body
                    }
                };
            }

            #[inline]
            pub(in super::super) fn message<'a, R: Read<'a>>(mut read: R, place: &mut SecuredData<'a>) -> Result<(), Refused> {
                place.protocol_version = read.u8()?;
                $(place.spacer = read.$spaced(3)?;)?
                let content = &mut place.content;
                match read.choice(11, true)? {
                    0 => *variant!(content, Content::Unsecured) = read.octets()?,
                    1 => signed(&mut read, variant!(content, Content::Signed))?,
                    2 => encrypted(&mut read, variant!(content, Content::Encrypted))?,
                    9 => signed(&mut read, variant!(content, Content::SignedWsa))?,
                    _ => return Err(Refused::Range),
                }
                read.end()
            }

            #[inline(always)]
            fn signed<'a, R: Read<'a>>(read: &mut R, place: &mut SignedData<'a>) -> Result<(), Refused> {
                decoder!(@$signed read, place)
            }

            #[inline(always)]
            fn to_be_signed<'a, R: Read<'a>>(read: &mut R, place: &mut ToBeSignedData<'a>) -> Result<(), Refused> {
                let payload = &mut place.payload;
                let present = read.presence(2, true)?;
                $(payload.spacer = read.$spaced(5)?;)?
                payload.data = if present & 2 != 0 { Some(read.octets()?) } else { None };
                payload.ext_data_hash = if present & 1 != 0 {
                    read.choice(1, false)?;
                    Some(HashedData::Sha256(read.fixed()?))
                } else {
                    None
                };
                payload.unknown = Default::default();
                header(read, &mut place.header)
            }

            #[inline(always)]
            fn header<'a, R: Read<'a>>(read: &mut R, place: &mut HeaderInfo<'a>) -> Result<(), Refused> {
                let present = read.presence(15, true)?;
                // Parameters, recipients, priority, permissions and extensions in a header: no
                // message of the study has them.
                if present & 0b1_1111 != 0 {
                    return Err(Refused::Range);
                }
                let has = |bit: u32| present & (1 << (14 - bit)) != 0;
                $(place.spacer = read.$spaced(3)?;)?
                place.psid = read.unsigned()?;
                place.generation_time = if has(0) { Some(read.u64()?) } else { None };
                place.generation_time_std_dev = if has(1) { Some(read.u8()?) } else { None };
                place.expiry_time = if has(2) { Some(read.u64()?) } else { None };
                place.generation_location = if has(3) {
                    Some(ThreeDLocation { latitude: read.i32()?, longitude: read.i32()?, elevation: read.u16()? })
                } else {
                    None
                };
                optional!(place.unrecognized_request, has(4), |list| {
                    elements!(read, list, |one| read.fill(one)?);
                });
                place.p2pcd_request = if has(5) { Some(read.fixed()?) } else { None };
                place.missing_crl = if has(6) { Some(read.u32()?) } else { None };
                place.message_type = if has(7) { Some(read.u16()?) } else { None };
                place.security_profile = if has(8) {
                    Some(match read.item(4, true)? {
                        0 => SecurityProfile::Generic,
                        1 => SecurityProfile::Cam,
                        2 => SecurityProfile::Denm,
                        _ => SecurityProfile::Encrypted,
                    })
                } else {
                    None
                };
                optional!(place.encryption_key, has(9), |key| public_key(read, key)?);
                place.encryption_parameters = None;
                place.recipient_info = None;
                place.priority = None;
                place.ssp = None;
                place.extensions = None;
                place.unknown = Default::default();
                Ok(())
            }

            #[inline(always)]
            fn signer<'a, R: Read<'a>>(read: &mut R, place: &mut SignerIdentifier<'a>) -> Result<(), Refused> {
                match read.choice(6, true)? {
                    0 => *place = SignerIdentifier::Self_(()),
                    1 => read.fill(variant!(place, SignerIdentifier::DigestP224))?,
                    2 => read.fill(variant!(place, SignerIdentifier::DigestP256))?,
                    3 => certificate(read, variant!(place, SignerIdentifier::Certificate))?,
                    4 => {
                        let chain = variant!(place, SignerIdentifier::Chain);
                        elements!(read, chain, |one| certificate(read, one)?);
                    }
                    _ => read.fill(variant!(place, SignerIdentifier::OtherDigest))?,
                }
                Ok(())
            }

            fn certificate<'a, R: Read<'a>>(read: &mut R, place: &mut Certificate<'a>) -> Result<(), Refused> {
                place.version = read.u8()?;
                unsigned_certificate(read, &mut place.unsigned)?;
                match read.choice(2, true)? {
                    0 => signature(read, variant!(&mut place.material, CertificateMaterial::Signature)),
                    _ => point(read, variant!(&mut place.material, CertificateMaterial::Reconstruction)),
                }
            }

            #[inline(always)]
            fn unsigned_certificate<'a, R: Read<'a>>(
                read: &mut R,
                place: &mut ToBeSignedCertificate<'a>,
            ) -> Result<(), Refused> {
                let present = read.presence(8, true)?;
                let has = |bit: u32| present & (1 << (7 - bit)) != 0;
                if has(7) {
                    return Err(Refused::Range);
                }
                place.holder = match read.item(10, true)? {
                    0 => HolderType::SdeAnonymous,
                    1 => HolderType::SdeIdentifiedNotLocalized,
                    2 => HolderType::SdeIdentifiedLocalized,
                    3 => HolderType::SdeEnrolment,
                    4 => HolderType::Wsa,
                    5 => HolderType::WsaEnrolment,
                    6 => HolderType::SdeCa,
                    7 => HolderType::WsaCa,
                    8 => HolderType::CrlSigner,
                    _ => HolderType::RootCa,
                };
                place.issuer = match read.choice(2, true)? {
                    0 => ToBeSignedCertificateIssuer::Self_(()),
                    _ => ToBeSignedCertificateIssuer::Digest(read.fixed()?),
                };
                place.hash_alg = match read.item(2, false)? {
                    0 => HashAlgorithm::Sha256,
                    _ => HashAlgorithm::Sha224,
                };
                place.signature_alg = match read.item(2, false)? {
                    0 => SignatureAlgorithm::EcdsaNistP224,
                    _ => SignatureAlgorithm::EcdsaNistP256,
                };
                place.craca_id = read.fixed()?;
                place.id = match read.choice(2, true)? {
                    0 => ToBeSignedCertificateId::Name(read.text()?),
                    _ => ToBeSignedCertificateId::AdditionalData(read.octets()?),
                };
                elements!(read, place.permissions, |permission| {
                    let present = read.presence(1, true)?;
                    permission.psid = read.unsigned()?;
                    permission.ssp = if present != 0 { Some(read.octets()?) } else { None };
                    permission.unknown = Default::default();
                });
                optional!(place.region, has(0), |place| region(read, place)?);
                place.expiration = read.u32()?;
                place.start_validity = if has(1) { Some(read.u32()?) } else { None };
                place.lifetime = if has(2) {
                    Some(match read.choice(5, false)? {
                        0 => Duration::Seconds(read.u16()?),
                        1 => Duration::Minutes(read.u16()?),
                        2 => Duration::Hours(read.u16()?),
                        3 => Duration::SixtyHours(read.u16()?),
                        _ => Duration::Years(read.u16()?),
                    })
                } else {
                    None
                };
                place.crl_series = read.u32()?;
                optional!(place.verification_key, has(3), |key| public_key(read, key)?);
                optional!(place.encryption_key, has(4), |key| public_key(read, key)?);
                place.assurance = read.u8()?;
                place.can_issue = has(5).then_some(());
                place.priority = if has(6) { Some(read.u8()?) } else { None };
                place.permitted_holders = None;
                place.unknown = Default::default();
                Ok(())
            }

            #[inline(always)]
            fn region<'a, R: Read<'a>>(read: &mut R, place: &mut GeographicRegion) -> Result<(), Refused> {
                match read.choice(5, true)? {
                    0 => *place = GeographicRegion::FromIssuer(()),
                    1 => {
                        let circle = variant!(place, GeographicRegion::Circle);
                        *circle = CircularRegion { center: point_of_place(read)?, radius: read.u16()? };
                    }
                    2 => {
                        let rectangles = variant!(place, GeographicRegion::Rectangle);
                        elements!(read, rectangles, |one| {
                            let (north_west, south_east) = (point_of_place(read)?, point_of_place(read)?);
                            *one = RectangularRegion { north_west, south_east };
                        });
                    }
                    3 => {
                        let polygon = variant!(place, GeographicRegion::Polygon);
                        elements!(read, polygon, |one| *one = point_of_place(read)?);
                    }
                    _ => *place = GeographicRegion::None(()),
                }
                Ok(())
            }

            #[inline(always)]
            fn point_of_place<'a, R: Read<'a>>(read: &mut R) -> Result<TwoDLocation, Refused> {
                Ok(TwoDLocation { latitude: read.i32()?, longitude: read.i32()? })
            }

            #[inline(always)]
            fn public_key<'a, R: Read<'a>>(read: &mut R, place: &mut PublicKey) -> Result<(), Refused> {
                match read.choice(3, true)? {
                    0 => read.fill(variant!(place, PublicKey::EcdsaNistP224)),
                    1 => point(read, variant!(place, PublicKey::EcdsaNistP256)),
                    _ => point(read, variant!(place, PublicKey::EciesNistP256)),
                }
            }

            #[inline(always)]
            fn signature<'a, R: Read<'a>>(read: &mut R, place: &mut Signature) -> Result<(), Refused> {
                match read.choice(2, true)? {
                    0 => {
                        *place = Signature::EcdsaNistP224(read.fixed()?);
                        Ok(())
                    }
                    _ => {
                        let signature = variant!(place, Signature::EcdsaNistP256);
                        point(read, &mut signature.r)?;
                        read.fill(&mut signature.s)
                    }
                }
            }

            #[inline(always)]
            fn point<'a, R: Read<'a>>(read: &mut R, place: &mut EccPoint) -> Result<(), Refused> {
                match read.choice(5, false)? {
                    0 => read.fill(variant!(place, EccPoint::XOnly)),
                    1 => {
                        *place = EccPoint::Fill(());
                        Ok(())
                    }
                    2 => read.fill(variant!(place, EccPoint::CompressedY0)),
                    3 => read.fill(variant!(place, EccPoint::CompressedY1)),
                    _ => {
                        *place = EccPoint::Uncompressed(read.fixed()?);
                        Ok(())
                    }
                }
            }

            #[inline(always)]
            fn encrypted<'a, R: Read<'a>>(read: &mut R, place: &mut EncryptedData<'a>) -> Result<(), Refused> {
                $(place.spacer = read.$spaced(8)?;)?
                elements!(read, place.recipients, |recipient| match read.choice(2, true)? {
                    0 => {
                        let recipient = variant!(recipient, RecipientInfo::Cert);
                        read.fill(&mut recipient.id)?;
                        read.choice(1, true)?;
                        let key = variant!(&mut recipient.key, RecipientByCertificateKey::Ecies);
                        point(read, &mut key.v)?;
                        read.fill(&mut key.c)?;
                        read.fill(&mut key.t)?;
                    }
                    _ => read.fill(variant!(recipient, RecipientInfo::Psk))?,
                });
                read.choice(1, true)?;
                let ciphertext = variant!(&mut place.ciphertext, Ciphertext::Aes128ccm);
                read.fill(&mut ciphertext.nonce)?;
                ciphertext.ccm = read.octets()?;
                Ok(())
            }
        }
    };
    (@signature_last $read:ident, $place:ident) => {{
        signer($read, &mut $place.signer)?;
        to_be_signed($read, &mut $place.unsigned_data)?;
        signature($read, &mut $place.signature)
    }};
    (@signature_first $read:ident, $place:ident) => {{
        $place.spacer = $read.spacer(3)?;
        signature($read, &mut $place.signature)?;
        to_be_signed($read, &mut $place.unsigned_data)?;
        $place.signer.spacer = $read.spacer(4)?;
        signer($read, &mut $place.signer.signer)
    }};
}

decoder!(decode_original: original, signature_last);
decoder!(decode_p: p, signature_first, spacer);
