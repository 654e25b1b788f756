//! Decoders by hand, as a vendor's engineer would write them for this schema: what the paper calls "custom".
//!
//! They decode into the same types as the generated code, with every range and length checked. They take what the study's messages have: additions of later versions, and bit strings, are refused. Only decoding is
//! written, since the paper has no times of encoding; messages are encoded by the generated code.

mod read;

use std::marker::PhantomData;

use roadwire_notation::Notation;
use roadwire_papers::{dot2_original_2015::borrowed as original, dot2_p_2015::borrowed as p};

use super::passes::ROOM;
use super::secured::{self, Secured};
use read::{Oer, Read, Refused, Uper};
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell};

/// A message type of a schema with a decoder by hand.
pub(super) trait ByHand: Secured {
    /// Decodes a message.
    fn by_hand<'a>(octets: &'a [u8]) -> Result<Self::Message<'a>, Refused>;
}

impl ByHand for secured::OerOriginal {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8]) -> Result<original::SecuredData<'a>, Refused> {
        decode_original::message(Oer::new(octets))
    }
}

impl ByHand for secured::UperOriginal {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8]) -> Result<original::SecuredData<'a>, Refused> {
        decode_original::message(Uper::new(octets))
    }
}

impl ByHand for secured::UperP {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8]) -> Result<p::SecuredData<'a>, Refused> {
        decode_p::message(Uper::new(octets))
    }
}

/// The cell of a message.
pub(super) fn cell<S: ByHand>(notation: Notation, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    Bench::boxed(Hand::<S> { notation, schema: PhantomData }, jer)
}

/// Decodes by hand, and encodes by generated code.
struct Hand<S> {
    notation: Notation,
    schema: PhantomData<S>,
}

impl<S: ByHand> Codec for Hand<S> {
    type Message<'a> = S::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = String;

    fn message(&self, text: &str) -> Result<Self::Message<'static>, String> {
        S::message(&self.notation, text)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Self::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, String> {
        S::encode(message, buffer).map_err(|error| error.to_string())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), String> {
        *place = Some(S::by_hand(octets).map_err(|why| why.to_string())?);
        Ok(())
    }
}

/// The decoder of one schema. The P schema has spacers, and the signature first.
macro_rules! decoder {
    ($name:ident: $schema:ident, $signed:ident $(, $spaced:ident)?) => {
        mod $name {
            use super::$schema::*;
            use super::{Read, Refused};

            /// A list of whatever `one` reads.
            macro_rules! list {
                ($read:ident, $one:expr) => {{
                    let mut list = roadwire_wire::ExtensibleList::default();
                    for _ in 0..$read.count()? {
                        list.push($one);
                    }
                    list
                }};
            }

            #[inline]
            pub(super) fn message<'a, R: Read<'a>>(mut read: R) -> Result<SecuredData<'a>, Refused> {
                let message = SecuredData {
                    protocol_version: read.u8()?,
                    $(spacer: read.$spaced(3)?,)?
                    content: match read.choice(11, true)? {
                        0 => Content::Unsecured(read.octets()?),
                        1 => Content::Signed(signed(&mut read)?),
                        2 => Content::Encrypted(encrypted(&mut read)?),
                        9 => Content::SignedWsa(signed(&mut read)?),
                        _ => return Err(Refused::Range),
                    },
                };
                read.end()?;
                Ok(message)
            }

            #[inline(always)]
            fn signed<'a, R: Read<'a>>(read: &mut R) -> Result<SignedData<'a>, Refused> {
                decoder!(@$signed read)
            }

            #[inline(always)]
            fn to_be_signed<'a, R: Read<'a>>(read: &mut R) -> Result<ToBeSignedData<'a>, Refused> {
                Ok(ToBeSignedData { payload: payload(read)?, header: header(read)? })
            }

            #[inline(always)]
            fn payload<'a, R: Read<'a>>(read: &mut R) -> Result<Payload<'a>, Refused> {
                let present = read.presence(2, true)?;
                Ok(Payload {
                    $(spacer: read.$spaced(5)?,)?
                    data: if present & 2 != 0 { Some(read.octets()?) } else { None },
                    ext_data_hash: if present & 1 != 0 {
                        read.choice(1, false)?;
                        Some(HashedData::Sha256(read.fixed()?))
                    } else {
                        None
                    },
                    unknown: Default::default(),
                })
            }

            #[inline(always)]
            fn header<'a, R: Read<'a>>(read: &mut R) -> Result<HeaderInfo<'a>, Refused> {
                let present = read.presence(15, true)?;
                // Parameters, recipients, priority, permissions and extensions in a header: no message of the study has them.
                if present & 0b1_1111 != 0 {
                    return Err(Refused::Range);
                }
                let has = |bit: u32| present & (1 << (14 - bit)) != 0;
                Ok(HeaderInfo {
                    $(spacer: read.$spaced(3)?,)?
                    psid: read.unsigned()?,
                    generation_time: if has(0) { Some(read.u64()?) } else { None },
                    generation_time_std_dev: if has(1) { Some(read.u8()?) } else { None },
                    expiry_time: if has(2) { Some(read.u64()?) } else { None },
                    generation_location: if has(3) {
                        Some(ThreeDLocation { latitude: read.i32()?, longitude: read.i32()?, elevation: read.u16()? })
                    } else {
                        None
                    },
                    unrecognized_request: if has(4) { Some(list!(read, read.fixed()?)) } else { None },
                    p2pcd_request: if has(5) { Some(read.fixed()?) } else { None },
                    missing_crl: if has(6) { Some(read.u32()?) } else { None },
                    message_type: if has(7) { Some(read.u16()?) } else { None },
                    security_profile: if has(8) {
                        Some(match read.item(4, true)? {
                            0 => SecurityProfile::Generic,
                            1 => SecurityProfile::Cam,
                            2 => SecurityProfile::Denm,
                            _ => SecurityProfile::Encrypted,
                        })
                    } else {
                        None
                    },
                    encryption_key: if has(9) { Some(public_key(read)?) } else { None },
                    encryption_parameters: None,
                    recipient_info: None,
                    priority: None,
                    ssp: None,
                    extensions: None,
                    unknown: Default::default(),
                })
            }

            #[inline(always)]
            fn signer<'a, R: Read<'a>>(read: &mut R) -> Result<SignerIdentifier<'a>, Refused> {
                Ok(match read.choice(6, true)? {
                    0 => SignerIdentifier::Self_(()),
                    1 => SignerIdentifier::DigestP224(read.fixed()?),
                    2 => SignerIdentifier::DigestP256(read.fixed()?),
                    3 => SignerIdentifier::Certificate(certificate(read)?),
                    4 => SignerIdentifier::Chain(list!(read, certificate(read)?)),
                    _ => SignerIdentifier::OtherDigest(read.fixed()?),
                })
            }

            fn certificate<'a, R: Read<'a>>(read: &mut R) -> Result<Certificate<'a>, Refused> {
                Ok(Certificate {
                    version: read.u8()?,
                    unsigned: unsigned_certificate(read)?,
                    material: match read.choice(2, true)? {
                        0 => CertificateMaterial::Signature(signature(read)?),
                        _ => CertificateMaterial::Reconstruction(point(read)?),
                    },
                })
            }

            #[inline(always)]
            fn unsigned_certificate<'a, R: Read<'a>>(read: &mut R) -> Result<ToBeSignedCertificate<'a>, Refused> {
                let present = read.presence(8, true)?;
                let has = |bit: u32| present & (1 << (7 - bit)) != 0;
                if has(7) {
                    return Err(Refused::Range);
                }
                Ok(ToBeSignedCertificate {
                    holder: match read.item(10, true)? {
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
                    },
                    issuer: match read.choice(2, true)? {
                        0 => ToBeSignedCertificateIssuer::Self_(()),
                        _ => ToBeSignedCertificateIssuer::Digest(read.fixed()?),
                    },
                    hash_alg: match read.item(2, false)? {
                        0 => HashAlgorithm::Sha256,
                        _ => HashAlgorithm::Sha224,
                    },
                    signature_alg: match read.item(2, false)? {
                        0 => SignatureAlgorithm::EcdsaNistP224,
                        _ => SignatureAlgorithm::EcdsaNistP256,
                    },
                    craca_id: read.fixed()?,
                    id: match read.choice(2, true)? {
                        0 => ToBeSignedCertificateId::Name(read.text()?),
                        _ => ToBeSignedCertificateId::AdditionalData(read.octets()?),
                    },
                    permissions: list!(read, {
                        let present = read.presence(1, true)?;
                        PsidSsp {
                            psid: read.unsigned()?,
                            ssp: if present != 0 { Some(read.octets()?) } else { None },
                            unknown: Default::default(),
                        }
                    }),
                    region: if has(0) { Some(region(read)?) } else { None },
                    expiration: read.u32()?,
                    start_validity: if has(1) { Some(read.u32()?) } else { None },
                    lifetime: if has(2) {
                        Some(match read.choice(5, false)? {
                            0 => Duration::Seconds(read.u16()?),
                            1 => Duration::Minutes(read.u16()?),
                            2 => Duration::Hours(read.u16()?),
                            3 => Duration::SixtyHours(read.u16()?),
                            _ => Duration::Years(read.u16()?),
                        })
                    } else {
                        None
                    },
                    crl_series: read.u32()?,
                    verification_key: if has(3) { Some(public_key(read)?) } else { None },
                    encryption_key: if has(4) { Some(public_key(read)?) } else { None },
                    assurance: read.u8()?,
                    can_issue: has(5).then_some(()),
                    priority: if has(6) { Some(read.u8()?) } else { None },
                    permitted_holders: None,
                    unknown: Default::default(),
                })
            }

            #[inline(always)]
            fn region<'a, R: Read<'a>>(read: &mut R) -> Result<GeographicRegion, Refused> {
                Ok(match read.choice(5, true)? {
                    0 => GeographicRegion::FromIssuer(()),
                    1 => GeographicRegion::Circle(CircularRegion { center: place(read)?, radius: read.u16()? }),
                    2 => GeographicRegion::Rectangle(list!(
                        read,
                        RectangularRegion { north_west: place(read)?, south_east: place(read)? }
                    )),
                    3 => GeographicRegion::Polygon(list!(read, place(read)?)),
                    _ => GeographicRegion::None(()),
                })
            }

            #[inline(always)]
            fn place<'a, R: Read<'a>>(read: &mut R) -> Result<TwoDLocation, Refused> {
                Ok(TwoDLocation { latitude: read.i32()?, longitude: read.i32()? })
            }

            #[inline(always)]
            fn public_key<'a, R: Read<'a>>(read: &mut R) -> Result<PublicKey, Refused> {
                Ok(match read.choice(3, true)? {
                    0 => PublicKey::EcdsaNistP224(read.fixed()?),
                    1 => PublicKey::EcdsaNistP256(point(read)?),
                    _ => PublicKey::EciesNistP256(point(read)?),
                })
            }

            #[inline(always)]
            fn signature<'a, R: Read<'a>>(read: &mut R) -> Result<Signature, Refused> {
                Ok(match read.choice(2, true)? {
                    0 => Signature::EcdsaNistP224(read.fixed()?),
                    _ => Signature::EcdsaNistP256(EcdsaSignature { r: point(read)?, s: read.fixed()? }),
                })
            }

            #[inline(always)]
            fn point<'a, R: Read<'a>>(read: &mut R) -> Result<EccPoint, Refused> {
                Ok(match read.choice(5, false)? {
                    0 => EccPoint::XOnly(read.fixed()?),
                    1 => EccPoint::Fill(()),
                    2 => EccPoint::CompressedY0(read.fixed()?),
                    3 => EccPoint::CompressedY1(read.fixed()?),
                    _ => EccPoint::Uncompressed(read.fixed()?),
                })
            }

            #[inline(always)]
            fn encrypted<'a, R: Read<'a>>(read: &mut R) -> Result<EncryptedData<'a>, Refused> {
                Ok(EncryptedData {
                    $(spacer: read.$spaced(8)?,)?
                    recipients: list!(read, recipient(read)?),
                    ciphertext: {
                        read.choice(1, true)?;
                        Ciphertext::Aes128ccm(AesCcm { nonce: read.fixed()?, ccm: read.octets()? })
                    },
                })
            }

            #[inline(always)]
            fn recipient<'a, R: Read<'a>>(read: &mut R) -> Result<RecipientInfo, Refused> {
                Ok(match read.choice(2, true)? {
                    0 => {
                        let id = read.fixed()?;
                        read.choice(1, true)?;
                        let key = EciesKey { v: point(read)?, c: read.fixed()?, t: read.fixed()? };
                        RecipientInfo::Cert(RecipientByCertificate { id, key: RecipientByCertificateKey::Ecies(key) })
                    }
                    _ => RecipientInfo::Psk(read.fixed()?),
                })
            }
        }
    };
    (@signature_last $read:ident) => {
        Ok(SignedData { signer: signer($read)?, unsigned_data: to_be_signed($read)?, signature: signature($read)? })
    };
    (@signature_first $read:ident) => {
        Ok(SignedData {
            spacer: $read.spacer(3)?,
            signature: signature($read)?,
            unsigned_data: to_be_signed($read)?,
            signer: SignerSlot { spacer: $read.spacer(4)?, signer: signer($read)? },
        })
    };
}

decoder!(decode_original: original, signature_last);
decoder!(decode_p: p, signature_first, spacer);

#[cfg(test)]
mod tests {
    use super::super::cells::Engine;
    use super::super::description;
    use super::super::encoding::{Encoding, MESSAGE, Parts};
    use crate::gate;

    /// The gate: the octets come back, and every prefix is refused.
    #[test]
    fn every_message_is_decoded_by_hand() {
        let mut decoded = 0;
        for encoding in Encoding::ALL.into_iter().filter(|encoding| Engine::ByHand.has(*encoding)) {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap() {
                let Some(value) = super::super::message(&parts, &of).unwrap() else { continue };
                let mut cell = Engine::ByHand.cell(&parts, &value.to_string()).map_err(|why| why.0).unwrap();
                let octets = gate::judge(cell.as_mut()).unwrap_or_else(|why| panic!("{}: {why}", of.name));
                assert_eq!(octets, parts.encode(MESSAGE, &value).unwrap(), "{}", of.name);
                decoded += 1;
            }
        }
        assert!(decoded > 180, "{decoded}");
    }

    /// Whatever the octets, the result is that of the generated code, or a refusal.
    #[test]
    fn damaged_messages_are_refused_or_read_as_the_generated_code_reads_them() {
        let [mut alike, mut refused] = [0, 0];
        for encoding in Encoding::ALL.into_iter().filter(|encoding| Engine::ByHand.has(*encoding)) {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap().iter().step_by(7) {
                let Some(value) = super::super::message(&parts, of).unwrap() else { continue };
                let cell = |engine: Engine| engine.cell(&parts, &value.to_string()).map_err(|why| why.0).unwrap();
                let (mut by_hand, mut generated) = (cell(Engine::ByHand), cell(Engine::Lent));
                let octets = by_hand.bytes().unwrap();
                for at in 0..octets.len().min(300) {
                    let mut damaged = octets.clone();
                    damaged[at] ^= 1 << (at % 8);
                    match (by_hand.recode(&octets, &damaged), generated.recode(&octets, &damaged)) {
                        (Ok(one), other) => {
                            assert_eq!(Ok(one), other, "{} at {at}", of.name);
                            alike += 1;
                        }
                        (Err(_), _) => refused += 1,
                    }
                }
            }
        }
        assert!(alike > 1000 && refused > 100, "{alike} {refused}");
    }
}
