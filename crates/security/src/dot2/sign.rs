//! Signing messages and certificates, on all four curves.

use bp256::BrainpoolP256r1;
use bp384::BrainpoolP384r1;
use ecdsa::EcdsaCurve;
use ecdsa::hazmat::sign_prehashed_rfc6979;
use p256::NistP256;
use p256::elliptic_curve::sec1::{FromSec1Point, ModulusSize, ToSec1Point};
use p256::elliptic_curve::{
    AffinePoint, CurveArithmetic, FieldBytes, FieldBytesSize, Group as _, NonZeroScalar, ProjectivePoint,
};
use p384::NistP384;
use roadwire_engine::Message;
use roadwire_messages::{Coer, ieee1609dot2_2022 as schema};
use sha2::{Sha256, Sha384};
use zeroize::{Zeroize as _, ZeroizeOnDrop};

use super::certificate::Certificate;
use super::curve::{Curve, number_of_hash};
use super::hash::Hash;
use super::message::Signed;
use crate::Fault;

/// More octets than any message or certificate.
const LIMIT: usize = 1 << 20;

/// A key that signs. Its number is erased from memory when it is dropped.
#[derive(Clone)]
pub struct SecretKey(Any);

#[derive(Clone)]
enum Any {
    NistP256(NonZeroScalar<NistP256>),
    BrainpoolP256r1(NonZeroScalar<BrainpoolP256r1>),
    BrainpoolP384r1(NonZeroScalar<BrainpoolP384r1>),
    NistP384(NonZeroScalar<NistP384>),
}

/// How a message names its signer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignerForm {
    /// By the digest of its certificate.
    Digest,
    /// By its certificate.
    Certificate,
}

/// Does the same for the key of whichever curve.
macro_rules! each {
    ($any:expr, $key:ident => $do:expr) => {
        match $any {
            Any::NistP256($key) => $do,
            Any::BrainpoolP256r1($key) => $do,
            Any::BrainpoolP384r1($key) => $do,
            Any::NistP384($key) => $do,
        }
    };
}

impl SecretKey {
    /// The key with this number, big-endian, of as many octets as the curve has.
    ///
    /// # Errors
    /// [`Fault::Key`] for zero, for numbers from the curve's order on, and for another number of
    /// octets.
    pub fn from_bytes(curve: Curve, number: &[u8]) -> Result<SecretKey, Fault> {
        let any = match curve {
            Curve::NistP256 => scalar(number).map(Any::NistP256),
            Curve::BrainpoolP256r1 => scalar(number).map(Any::BrainpoolP256r1),
            Curve::BrainpoolP384r1 => scalar(number).map(Any::BrainpoolP384r1),
            Curve::NistP384 => scalar(number).map(Any::NistP384),
        };
        any.map(SecretKey).ok_or(Fault::Key)
    }

    /// The curve that it is on.
    #[must_use]
    pub fn curve(&self) -> Curve {
        match self.0 {
            Any::NistP256(_) => Curve::NistP256,
            Any::BrainpoolP256r1(_) => Curve::BrainpoolP256r1,
            Any::BrainpoolP384r1(_) => Curve::BrainpoolP384r1,
            Any::NistP384(_) => Curve::NistP384,
        }
    }

    /// The key that verifies its signatures, as SEC 1 §2.3.3 writes it compressed: 2 or 3, and x.
    #[must_use]
    pub fn public_octets(&self) -> Vec<u8> {
        each!(&self.0, key => public(key))
    }

    /// The same as certificates have it.
    ///
    /// # Errors
    /// None for a key of this crate: [`Fault::Key`] stands for octets that are no point.
    pub fn public(&self) -> Result<schema::PublicVerificationKey, Fault> {
        use schema::PublicVerificationKey as K;
        let octets = self.public_octets();
        Ok(match self.curve() {
            Curve::NistP256 => K::EcdsaNistP256(point_of_256(&octets)?),
            Curve::BrainpoolP256r1 => K::EcdsaBrainpoolP256r1(point_of_256(&octets)?),
            Curve::BrainpoolP384r1 => K::EcdsaBrainpoolP384r1(point_of_384(&octets)?),
            Curve::NistP384 => K::EcdsaNistP384(point_of_384(&octets)?),
        })
    }

    /// The signature of a hash: of R the x coordinate alone, s of at most half the curve's order.
    /// It is the same each time (RFC 6979): no random numbers are needed.
    fn sign(&self, hash: &[u8]) -> Result<schema::Signature, Fault> {
        use schema::Signature as S;
        let (r, s) = match &self.0 {
            Any::NistP256(key) => numbers::<_, Sha256>(key, hash),
            Any::BrainpoolP256r1(key) => numbers::<_, Sha256>(key, hash),
            Any::BrainpoolP384r1(key) => numbers::<_, Sha384>(key, hash),
            Any::NistP384(key) => numbers::<_, Sha384>(key, hash),
        };
        Ok(match self.curve() {
            Curve::NistP256 => S::EcdsaNistP256Signature(of_256(&r, &s)?),
            Curve::BrainpoolP256r1 => S::EcdsaBrainpoolP256r1Signature(of_256(&r, &s)?),
            Curve::BrainpoolP384r1 => S::EcdsaBrainpoolP384r1Signature(of_384(&r, &s)?),
            Curve::NistP384 => S::EcdsaNistP384Signature(of_384(&r, &s)?),
        })
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        each!(&mut self.0, key => key.zeroize());
    }
}

impl ZeroizeOnDrop for SecretKey {}

impl std::fmt::Debug for SecretKey {
    /// Shows only the public key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretKey({}, {:02X?})", self.curve().name(), self.public_octets())
    }
}

impl Signed {
    /// Signs a payload, which the message contains. `certificate` is the signer's; whether it may
    /// sign the message is not checked.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a header outside its type.
    pub fn sign(
        payload: &[u8],
        header: schema::HeaderInfo,
        certificate: &Certificate,
        form: SignerForm,
        key: &SecretKey,
    ) -> Result<Signed, Fault> {
        let unsecured = schema::Ieee1609Dot2Content::UnsecuredData(roadwire_wire::OctetString(payload.to_vec()));
        let data = schema::Ieee1609Dot2Data { protocol_version: 3, content: unsecured };
        let payload = schema::SignedDataPayload { data: Some(Box::new(data)), ..Default::default() };
        let signer = match form {
            SignerForm::Digest => schema::SignerIdentifier::Digest(certificate.digest()),
            SignerForm::Certificate => schema::SignerIdentifier::Certificate(vec![certificate.value().clone()]),
        };
        let tbs_data = schema::ToBeSignedData { payload, header_info: header };
        Signed::sign_value(tbs_data, signer, certificate, key)
    }

    /// Signs data in any form. The signer that it names is not checked.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: data outside its type.
    pub fn sign_value(
        tbs_data: schema::ToBeSignedData,
        signer: schema::SignerIdentifier,
        certificate: &Certificate,
        key: &SecretKey,
    ) -> Result<Signed, Fault> {
        let hash = key.curve().hash();
        // The signature of anything, in the place of the one to come.
        let signature = key.sign(&hash.digest(&[]))?;
        let hash_id = match hash {
            Hash::Sha256 => schema::HashAlgorithm::Sha256,
            Hash::Sha384 => schema::HashAlgorithm::Sha384,
        };
        let written = write(schema::SecuredMessage { hash_id, tbs_data, signer, signature })?;
        let unsigned = Signed::read(&written)?;
        let encodings: Vec<&[u8]> = certificate.encodings().collect();
        let signed = hash.signed(unsigned.canonical_to_be_signed(), encodings[encodings.len() - 1]);
        let signature = key.sign(&signed)?;
        Signed::read(&write(schema::SecuredMessage { signature, ..unsigned.value().clone() })?)
    }
}

fn write(signed: schema::SecuredMessage) -> Result<Vec<u8>, Fault> {
    let content = schema::Ieee1609Dot2Content::SignedData(signed);
    encoded(&schema::Ieee1609Dot2Data { protocol_version: 3, content })
}

fn encoded<M: Message<Coer>>(value: &M) -> Result<Vec<u8>, Fault> {
    Ok(value.encode_to_vec(LIMIT)?)
}

impl Certificate {
    /// Signs an explicit certificate; without an issuer's, it signs itself. The issuer that it
    /// names is set.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type.
    pub fn sign(
        mut value: schema::CertificateBase,
        issuer: Option<&Certificate>,
        key: &SecretKey,
    ) -> Result<Certificate, Fault> {
        let hash = key.curve().hash();
        value.type_ = schema::CertificateType::Explicit;
        value.issuer = named(issuer, hash);
        value.signature = Some(key.sign(&hash.digest(&[]))?);
        let unsigned = Certificate::read(&encoded(&value)?)?;
        value.signature = Some(key.sign(&unsigned.signed_hash(hash, issuer))?);
        Certificate::read(&encoded(&value)?)
    }

    /// Issues an implicit certificate, with a secret number of the issuer and one of the holder,
    /// and returns the holder's key (SEC 4). P-256 and brainpoolP256r1 alone have them.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type; [`Fault::Key`]: keys on different curves, or
    /// of 384 bits.
    pub fn issue_implicit(
        mut value: schema::CertificateBase,
        issuer: &Certificate,
        key: &SecretKey,
        numbers: [&SecretKey; 2],
    ) -> Result<(Certificate, SecretKey), Fault> {
        let hash = key.curve().hash();
        value.type_ = schema::CertificateType::Implicit;
        value.issuer = named(Some(issuer), hash);
        value.signature = None;
        let [first, second] = numbers;
        let issue = |octets: Vec<u8>| {
            value.to_be_signed.verify_key_indicator =
                schema::VerificationKeyIndicator::ReconstructionValue(point_of_256(&octets)?);
            let certificate = Certificate::read(&encoded(&value)?)?;
            let signed = certificate.signed_hash(hash, Some(issuer));
            Ok((certificate, signed))
        };
        match (&key.0, &first.0, &second.0) {
            (Any::NistP256(key), Any::NistP256(first), Any::NistP256(second)) => {
                let (certificate, key) = implicit(key, first, second, issue)?;
                Ok((certificate, SecretKey(Any::NistP256(key))))
            }
            (Any::BrainpoolP256r1(key), Any::BrainpoolP256r1(first), Any::BrainpoolP256r1(second)) => {
                let (certificate, key) = implicit(key, first, second, issue)?;
                Ok((certificate, SecretKey(Any::BrainpoolP256r1(key))))
            }
            _ => Err(Fault::Key),
        }
    }

    /// The hash that the issuer signs.
    fn signed_hash(&self, hash: Hash, issuer: Option<&Certificate>) -> Vec<u8> {
        let issuer = issuer.map(|issuer| issuer.encodings().last().unwrap_or(&[]));
        hash.signed(&self.signed_forms().last().unwrap_or_default(), issuer.unwrap_or(&[]))
    }
}

fn named(issuer: Option<&Certificate>, hash: Hash) -> schema::IssuerIdentifier {
    match (issuer, hash) {
        (Some(issuer), Hash::Sha256) => schema::IssuerIdentifier::Sha256AndDigest(issuer.digest()),
        (Some(issuer), Hash::Sha384) => schema::IssuerIdentifier::Sha384AndDigest(issuer.digest()),
        (None, Hash::Sha256) => schema::IssuerIdentifier::Self_(schema::HashAlgorithm::Sha256),
        (None, Hash::Sha384) => schema::IssuerIdentifier::Self_(schema::HashAlgorithm::Sha384),
    }
}

/// The issuer's and the holder's steps in one. `issue` makes the certificate from the
/// reconstruction value, and its hash.
fn implicit<C>(
    issuer: &NonZeroScalar<C>,
    first: &NonZeroScalar<C>,
    second: &NonZeroScalar<C>,
    issue: impl FnOnce(Vec<u8>) -> Result<(Certificate, Vec<u8>), Fault>,
) -> Result<(Certificate, NonZeroScalar<C>), Fault>
where
    C: CurveArithmetic,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    let secret = **first + **second;
    let secret = NonZeroScalar::<C>::new(secret).into_option().ok_or(Fault::Key)?;
    let (certificate, hash) = issue(public(&secret))?;
    let key = number_of_hash::<C>(&hash) * *secret + **issuer;
    Ok((certificate, NonZeroScalar::new(key).into_option().ok_or(Fault::Key)?))
}

fn scalar<C: CurveArithmetic>(number: &[u8]) -> Option<NonZeroScalar<C>> {
    NonZeroScalar::from_repr(FieldBytes::<C>::try_from(number).ok()?).into_option()
}

fn public<C>(key: &NonZeroScalar<C>) -> Vec<u8>
where
    C: CurveArithmetic,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    let point: AffinePoint<C> = ProjectivePoint::<C>::mul_by_generator(key).into();
    point.to_sec1_point(true).as_bytes().to_vec()
}

/// r and s.
fn numbers<C, D>(key: &NonZeroScalar<C>, hash: &[u8]) -> (Vec<u8>, Vec<u8>)
where
    C: EcdsaCurve + CurveArithmetic,
    D: sha2::Digest + sha2::digest::block_api::BlockSizeUser,
{
    let (signature, _) = sign_prehashed_rfc6979::<C, D>(key, hash, &[]);
    let (r, s) = signature.normalize_s().split_bytes();
    (r.to_vec(), s.to_vec())
}

fn of_256(r: &[u8], s: &[u8]) -> Result<schema::EcdsaP256Signature, Fault> {
    Ok(schema::EcdsaP256Signature { r_sig: schema::EccP256CurvePoint::XOnly(array(r)?), s_sig: array(s)? })
}

fn of_384(r: &[u8], s: &[u8]) -> Result<schema::EcdsaP384Signature, Fault> {
    Ok(schema::EcdsaP384Signature { r_sig: schema::EccP384CurvePoint::XOnly(array(r)?), s_sig: array(s)? })
}

fn array<const N: usize>(octets: &[u8]) -> Result<[u8; N], Fault> {
    octets.try_into().map_err(|_| Fault::Key)
}

fn point_of_256(octets: &[u8]) -> Result<schema::EccP256CurvePoint, Fault> {
    match octets {
        [2, x @ ..] => Ok(schema::EccP256CurvePoint::Compressed_Y_0(array(x)?)),
        [3, x @ ..] => Ok(schema::EccP256CurvePoint::Compressed_Y_1(array(x)?)),
        _ => Err(Fault::Key),
    }
}

fn point_of_384(octets: &[u8]) -> Result<schema::EccP384CurvePoint, Fault> {
    match octets {
        [2, x @ ..] => Ok(schema::EccP384CurvePoint::Compressed_Y_0(array(x)?)),
        [3, x @ ..] => Ok(schema::EccP384CurvePoint::Compressed_Y_1(array(x)?)),
        _ => Err(Fault::Key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot2::curve::{Point, PublicKey, Signature};

    /// That memory is erased cannot be seen from safe code: here, that the types promise it.
    #[test]
    fn keys_are_erased_when_they_are_dropped() {
        fn is_erased<T: ZeroizeOnDrop>(_: &T) {}
        for curve in [Curve::NistP256, Curve::BrainpoolP256r1, Curve::BrainpoolP384r1, Curve::NistP384] {
            let key = SecretKey::from_bytes(curve, &vec![7; curve.octets()]).unwrap();
            is_erased(&key);
            let mut erased = key.clone();
            each!(&mut erased.0, number => number.zeroize());
            assert_ne!(erased.public_octets(), key.public_octets());
        }
    }

    fn octets(digits: &str) -> Vec<u8> {
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    }

    /// RFC 6979 §A.2.6: P-384, SHA-384, "sample".
    #[test]
    fn a_signature_of_others_on_p384() {
        let number = "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5";
        let x = "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13";
        let y = "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720";
        let r = "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46";
        let s = "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8";
        let key = SecretKey::from_bytes(Curve::NistP384, &octets(number)).unwrap();
        let public = PublicKey::from_sec1(Curve::NistP384, &octets(&format!("04{x}{y}"))).unwrap();
        assert_eq!(PublicKey::from_sec1(Curve::NistP384, &key.public_octets()), Ok(public));
        let hash = Hash::Sha384.digest(&[b"sample"]);
        let (r, s) = (octets(r), octets(s));
        let signature = Signature { curve: Curve::NistP384, r: Point::XOnly(&r), s: &s };
        assert_eq!(public.verify(&hash, &signature), Ok(()));
        // Ours is the same, but for the lesser s.
        let own = key.sign(&hash).unwrap();
        let own = Signature::of(&own).unwrap();
        assert_eq!((own.r, public.verify(&hash, &own)), (Point::XOnly(&r), Ok(())));
        let other = Hash::Sha384.digest(&[b"test"]);
        assert_eq!(public.verify(&other, &signature), Err(Fault::Signature));
    }

    /// Some stations sign their certificate's octets as they send them. Another form of it with the
    /// same digest that somebody passed on does them no harm for longer than they are silent.
    #[test]
    fn a_form_that_verified_a_message_replaces_one_that_did_not() {
        use crate::Verdict;
        use crate::dot2::Verifier;
        let key = SecretKey::from_bytes(Curve::NistP256, &[7; 32]).unwrap();
        let point = p256::PublicKey::from_sec1_bytes(&key.public_octets()).unwrap().to_sec1_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        let both = schema::EccP256CurvePointUncompressedP256 { x: array(x).unwrap(), y: array(y).unwrap() };
        let with = |point| {
            let mut value = schema::CertificateBase { version: 3, ..Default::default() };
            value.to_be_signed.id = schema::CertificateId::None(());
            value.to_be_signed.validity_period.duration = schema::Duration::Years(1);
            value.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
            value.to_be_signed.verify_key_indicator =
                schema::VerificationKeyIndicator::VerificationKey(schema::PublicVerificationKey::EcdsaNistP256(point));
            value
        };
        let own = with(schema::EccP256CurvePoint::UncompressedP256(both));
        let own = Certificate::sign(own, None, &key).unwrap();
        let mut other = with(point_of_256(&key.public_octets()).unwrap());
        (other.type_, other.issuer) = (own.value().type_, own.value().issuer.clone());
        other.signature.clone_from(&own.value().signature);
        let other = Certificate::read(&encoded(&other).unwrap()).unwrap();
        assert_eq!((other.digest(), other.octets() == own.octets()), (own.digest(), false));

        let as_sent = |form| {
            let header = schema::HeaderInfo { psid: 36, generation_time: Some(1), ..Default::default() };
            let message = Signed::sign(b"payload", header, &own, form, &key).unwrap();
            let hash = Hash::Sha256.signed(message.to_be_signed(), own.octets());
            let signature = key.sign(&hash).unwrap();
            write(schema::SecuredMessage { signature, ..message.value().clone() }).unwrap()
        };
        let strangers = SecretKey::from_bytes(Curve::NistP256, &[8; 32]).unwrap();
        let stranger = with(point_of_256(&strangers.public_octets()).unwrap());
        let stranger = Certificate::sign(stranger, None, &strangers).unwrap();
        let header = schema::HeaderInfo {
            psid: 36,
            generation_time: Some(1),
            requested_certificate: Some(other.value().clone()),
            ..Default::default()
        };
        let passed_on = Signed::sign(b"", header, &stranger, SignerForm::Certificate, &strangers).unwrap();
        let mut receiver = Verifier::new();
        let mut verdict = |octets: &[u8]| receiver.verify(octets, None).verdict;
        assert_eq!(verdict(passed_on.octets()), Verdict::Signed);
        assert_eq!(verdict(&as_sent(SignerForm::Digest)), Verdict::Invalid);
        for _ in 0..2 {
            assert_eq!(verdict(&as_sent(SignerForm::Certificate)), Verdict::Signed);
            assert_eq!(verdict(&as_sent(SignerForm::Digest)), Verdict::Signed);
            assert_eq!(verdict(passed_on.octets()), Verdict::Signed);
            assert_eq!(verdict(&as_sent(SignerForm::Digest)), Verdict::Signed);
        }
    }

    /// Some issuers hash and sign octets as they send them. Their uncompressed keys make these
    /// octets other than the canonical ones.
    #[test]
    fn an_issuer_is_known_by_the_digest_of_its_octets_as_sent() {
        use crate::Verdict;
        use crate::dot2::{ProfileChoice, Verifier};
        let key = |number| SecretKey::from_bytes(Curve::NistP256, &[number; 32]).unwrap();
        let content = |public, lengths_below| {
            let mut value = schema::CertificateBase { version: 3, ..Default::default() };
            let signed = &mut value.to_be_signed;
            signed.id = schema::CertificateId::None(());
            signed.validity_period.duration = schema::Duration::Years(1);
            signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(public);
            signed.cert_issue_permissions = Some(vec![schema::PsidGroupPermissions {
                subject_permissions: schema::SubjectPermissions::All(()),
                min_chain_length: lengths_below,
                ee_type: schema::EndEntityType(schema::EndEntityType::APP),
                ..Default::default()
            }]);
            value
        };
        let root = Certificate::sign(content(key(3).public().unwrap(), 2), None, &key(3)).unwrap();
        let point = p256::PublicKey::from_sec1_bytes(&key(1).public_octets()).unwrap().to_sec1_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        let both = schema::EccP256CurvePointUncompressedP256 { x: array(x).unwrap(), y: array(y).unwrap() };
        let uncompressed = schema::EccP256CurvePoint::UncompressedP256(both);
        let issuer = content(schema::PublicVerificationKey::EcdsaNistP256(uncompressed), 1);
        let issuer = Certificate::sign(issuer, Some(&root), &key(3)).unwrap();

        // A ticket that its issuer signed by its octets as sent.
        let ticket_naming = |digest| {
            let mut ticket = content(key(2).public().unwrap(), 1);
            ticket.to_be_signed.cert_issue_permissions = None;
            ticket.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
            ticket.issuer = schema::IssuerIdentifier::Sha256AndDigest(digest);
            ticket.signature = Some(key(1).sign(&[0; 32]).unwrap());
            let unsigned = Certificate::read(&encoded(&ticket).unwrap()).unwrap();
            let data = unsigned.signed_forms().next().unwrap().into_owned();
            ticket.signature = Some(key(1).sign(&Hash::Sha256.signed(&data, issuer.octets())).unwrap());
            Certificate::read(&encoded(&ticket).unwrap()).unwrap()
        };
        let message_with = |ticket: &Certificate, above: &[&Certificate]| {
            let header_info = schema::HeaderInfo { psid: 36, generation_time: Some(1), ..Default::default() };
            let data = schema::Ieee1609Dot2Data {
                protocol_version: 3,
                content: schema::Ieee1609Dot2Content::UnsecuredData(Default::default()),
            };
            let payload = schema::SignedDataPayload { data: Some(Box::new(data)), ..Default::default() };
            let certificates = [ticket].into_iter().chain(above.iter().copied()).map(|one| one.value().clone());
            let signer = schema::SignerIdentifier::Certificate(certificates.collect());
            let tbs_data = schema::ToBeSignedData { payload, header_info };
            Signed::sign_value(tbs_data, signer, ticket, &key(2)).unwrap()
        };
        let verdict = |receiver: &mut Verifier, message: &Signed| {
            receiver.set_profile(ProfileChoice::None);
            receiver.verify(message.octets(), None).verdict
        };
        let ticket = ticket_naming(issuer.sent_digest().unwrap());
        let message = message_with(&ticket, &[]);
        let mut receiver = Verifier::new();
        receiver.trust(issuer.clone()).unwrap();
        assert_eq!(verdict(&mut receiver, &message), Verdict::Valid, "the issuer is trusted");
        let mut receiver = Verifier::new();
        receiver.trust(root.clone()).unwrap();
        assert_eq!(verdict(&mut receiver, &message), Verdict::Untrusted);
        receiver.add(issuer.clone());
        assert_eq!(verdict(&mut receiver, &message), Verdict::Valid, "the issuer was heard");

        // A form of the issuer that somebody passed on, and that verified nothing, does not hide
        // the one in the message.
        let mut passed_on = issuer.value().clone();
        let public = key(1).public().unwrap();
        passed_on.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(public);
        let passed_on = Certificate::read(&encoded(&passed_on).unwrap()).unwrap();
        assert_eq!((passed_on.digest(), passed_on.octets() == issuer.octets()), (issuer.digest(), false));
        let message = message_with(&ticket_naming(issuer.digest()), &[&issuer]);
        let mut receiver = Verifier::new();
        receiver.trust(root).unwrap();
        receiver.add(passed_on);
        assert_eq!(verdict(&mut receiver, &message), Verdict::Valid, "the issuer is in the message");
    }
}
