//! Messages of the four encodings as generated types that borrow, with a tap in the pass, and with
//! the signed data as a separate message.

use roadwire_engine::{Lent, Message as Generated, Tapped};
use roadwire_layout::{Oer, Tls, Uper};
use roadwire_messages::ieee1609dot2_2013::borrowed as binary;
use roadwire_notation::Notation;
use roadwire_papers::dot2_original_2015::borrowed as original;
use roadwire_papers::dot2_p_2015::borrowed as p;
use roadwire_security::{EncryptedKey, Point, Signature};
use roadwire_wire::{Error, Tap};

use roadwire_measure::bench::ready;

type Outcome<T> = Result<T, Error<'static>>;

/// A message type of one of the encodings.
pub trait Secured: 'static {
    /// The type, with the lifetime of the octets that it borrows.
    type Message<'a>;

    /// Reads a value from JER.
    ///
    /// # Errors
    /// The text is not a value of the type.
    fn message(notation: &Notation, jer: &str) -> Result<Self::Message<'static>, String>;

    /// Encodes a message.
    ///
    /// # Errors
    /// As [`Generated::encode`].
    fn encode(message: &Self::Message<'_>, output: &mut [u8]) -> Outcome<usize>;

    /// The same, with a tap.
    ///
    /// # Errors
    /// As [`Generated::encode`].
    fn encode_tapped<T: Tap>(message: &Self::Message<'_>, output: &mut [u8], tap: &mut T) -> Outcome<usize>;

    /// Encodes the signed data separately; no octets if nothing is signed.
    ///
    /// # Errors
    /// As [`Generated::encode`].
    fn encode_signed(message: &Self::Message<'_>, output: &mut [u8]) -> Outcome<usize>;

    /// Decodes a message.
    ///
    /// # Errors
    /// As [`Generated::decode`].
    fn decode<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Outcome<usize>;

    /// The same, with a tap.
    ///
    /// # Errors
    /// As [`Generated::decode`].
    fn decode_tapped<'a, T: Tap>(
        octets: &'a [u8],
        place: &mut Option<Self::Message<'a>>,
        tap: &mut T,
    ) -> Outcome<usize>;

    /// The message's signature.
    fn signature(message: &Self::Message<'_>) -> Option<Signature>;

    /// The key for the first recipient, the nonce and the ciphertext of an encrypted message.
    fn sealed<'m>(message: &'m Self::Message<'_>) -> Option<(EncryptedKey, &'m [u8; 12], &'m [u8])>;
}

/// The original schema in OER.
pub struct OerOriginal;

/// The original schema in unaligned PER.
pub struct UperOriginal;

/// The P schema in unaligned PER.
pub struct UperP;

/// 1609.2's own format.
pub struct Binary;

macro_rules! secured {
    ($name:ident: $schema:ident in $rules:ident; $content:ident is $($signed:pat_param)|+ => $data:ident; $signature:expr; $sealed:expr) => {
        impl Secured for $name {
            type Message<'a> = $schema::SecuredData<'a>;

            fn message(notation: &Notation, jer: &str) -> Result<Self::Message<'static>, String> {
                let mut message = $schema::SecuredData::default();
                notation.read_into(jer, &mut message).map_err(|error| error.to_string())?;
                Ok(message)
            }

            #[inline]
            fn encode(message: &Self::Message<'_>, output: &mut [u8]) -> Outcome<usize> {
                Generated::<$rules>::encode(message, output)
            }

            #[inline]
            fn encode_tapped<T: Tap>(message: &Self::Message<'_>, output: &mut [u8], tap: &mut T) -> Outcome<usize> {
                Tapped::<$rules>::encode_tapped(message, output, tap)
            }

            #[inline]
            fn encode_signed(message: &Self::Message<'_>, output: &mut [u8]) -> Outcome<usize> {
                match &message.$content {
                    $($signed)|+ => Generated::<$rules>::encode(&$data.unsigned_data, output),
                    _ => Ok(0),
                }
            }

            #[inline]
            fn decode<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Outcome<usize> {
                Lent::<$rules>::decode_lent(ready(place), octets)
            }

            #[inline]
            fn decode_tapped<'a, T: Tap>(
                octets: &'a [u8],
                place: &mut Option<Self::Message<'a>>,
                tap: &mut T,
            ) -> Outcome<usize> {
                Tapped::<$rules>::decode_tapped(ready(place), octets, tap)
            }

            #[inline]
            fn signature(message: &Self::Message<'_>) -> Option<Signature> {
                match &message.$content {
                    $($signed)|+ => $signature(&$data.signature),
                    _ => None,
                }
            }

            #[inline]
            fn sealed<'m>(message: &'m Self::Message<'_>) -> Option<(EncryptedKey, &'m [u8; 12], &'m [u8])> {
                $sealed(message)
            }
        }
    };
}

secured!(OerOriginal: original in Oer; content is original::Content::Signed(data) => data; original_signature; original_sealed);
secured!(UperOriginal: original in Uper; content is original::Content::Signed(data) => data; original_signature; original_sealed);
secured!(UperP: p in Uper; content is p::Content::Signed(data) => data; p_signature; p_sealed);
secured!(Binary: binary in Tls; type_ is binary::SecuredDataType::Signed(data) | binary::SecuredDataType::Signed_partial_payload(data) => data; binary_signature; binary_sealed);

macro_rules! asn1_parts {
    ($signature:ident, $sealed:ident, $schema:ident) => {
        fn $sealed<'m>(message: &'m $schema::SecuredData<'_>) -> Option<(EncryptedKey, &'m [u8; 12], &'m [u8])> {
            let $schema::Content::Encrypted(data) = &message.content else { return None };
            let $schema::RecipientInfo::Cert(recipient) = data.recipients.as_slice().first()? else { return None };
            let $schema::RecipientByCertificateKey::Ecies($schema::EciesKey { v, c, t }) = &recipient.key else {
                return None;
            };
            let v = match v {
                $schema::EccPoint::CompressedY0(x) => Point::Even(*x),
                $schema::EccPoint::CompressedY1(x) => Point::Odd(*x),
                _ => return None,
            };
            let $schema::Ciphertext::Aes128ccm(sealed) = &data.ciphertext else { return None };
            Some((EncryptedKey { v, c: *c, t: *t }, &sealed.nonce, &sealed.ccm))
        }

        fn $signature(signature: &$schema::Signature) -> Option<Signature> {
            let $schema::Signature::EcdsaNistP256(signature) = signature else { return None };
            let r = match signature.r {
                $schema::EccPoint::XOnly(x) => Point::XOnly(x),
                $schema::EccPoint::CompressedY0(x) => Point::Even(x),
                $schema::EccPoint::CompressedY1(x) => Point::Odd(x),
                _ => return None,
            };
            Some(Signature { r, s: signature.s })
        }
    };
}

asn1_parts!(original_signature, original_sealed, original);
asn1_parts!(p_signature, p_sealed, p);

fn binary_signature(signature: &binary::EcdsaSignature) -> Option<Signature> {
    let r = match signature.r {
        binary::EccPublicKey::X_coordinate_only(x) => Point::XOnly(x),
        binary::EccPublicKey::Compressed_lsb_y_0(x) => Point::Even(x),
        binary::EccPublicKey::Compressed_lsb_y_1(x) => Point::Odd(x),
        binary::EccPublicKey::Uncompressed(_) => return None,
    };
    Some(Signature { r, s: signature.s })
}

fn binary_sealed<'m>(message: &'m binary::SecuredData<'_>) -> Option<(EncryptedKey, &'m [u8; 12], &'m [u8])> {
    let binary::SecuredDataType::Encrypted(data) = &message.type_ else { return None };
    let binary::EciesNistP256EncryptedKey { v, c, t } = &data.recipients.as_slice().first()?.enc_key;
    let v = match v {
        binary::EccPublicKey::Compressed_lsb_y_0(x) => Point::Even(*x),
        binary::EccPublicKey::Compressed_lsb_y_1(x) => Point::Odd(*x),
        _ => return None,
    };
    let sealed = data.ciphertext.as_ref()?;
    Some((EncryptedKey { v, c: *c, t: *t }, &sealed.nonce, &sealed.ccm_ciphertext))
}
