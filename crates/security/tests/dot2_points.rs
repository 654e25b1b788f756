//! The canonical encoding (IEEE 1609.2 §6.1.2) of a point: every place that has one, in every form,
//! on every curve.

mod chain;

use bp256::BrainpoolP256r1;
use bp384::BrainpoolP384r1;
use chain::*;
use p256::NistP256;
use p256::elliptic_curve::PublicKey;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p384::NistP384;
use roadwire_engine::Message;
use roadwire_messages::{Coer, ieee1609dot2_2022 as schema};
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier};
use roadwire_security::{Fault, Verdict, Violation};
use schema::{
    EccP256CurvePoint as P256, EccP256CurvePointUncompressedP256 as Both256, EccP384CurvePoint as P384,
    EccP384CurvePointUncompressedP384 as Both384, PublicVerificationKey as K, VerificationKeyIndicator as V,
};
use sha2::{Digest as _, Sha256, Sha384};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Compressed,
    Uncompressed,
    /// With a y of the same last bit, so that the compressed form is that of the key.
    OffCurve,
    XOnly,
}

/// The same coordinates in a form.
fn written(octets: &[u8], form: Form) -> (u8, Vec<u8>, Vec<u8>) {
    let (x, y) = octets[1..].split_at(octets.len() / 2);
    let is_odd = y[y.len() - 1] & 1;
    match form {
        Form::Compressed => (2 + is_odd, x.to_vec(), Vec::new()),
        Form::Uncompressed => (4, x.to_vec(), y.to_vec()),
        Form::OffCurve => (4, x.to_vec(), [&vec![0; y.len() - 1][..], &[is_odd]].concat()),
        Form::XOnly => (0, x.to_vec(), Vec::new()),
    }
}

fn uncompressed(key: &SecretKey) -> Vec<u8> {
    fn of<C>(octets: &[u8]) -> Vec<u8>
    where
        C: p256::elliptic_curve::CurveArithmetic,
        p256::elliptic_curve::AffinePoint<C>:
            p256::elliptic_curve::sec1::FromSec1Point<C> + p256::elliptic_curve::sec1::ToSec1Point<C>,
        p256::elliptic_curve::FieldBytesSize<C>: p256::elliptic_curve::sec1::ModulusSize,
    {
        PublicKey::<C>::from_sec1_bytes(octets).unwrap().to_sec1_point(false).as_bytes().to_vec()
    }
    let octets = key.public_octets();
    match key.curve() {
        Curve::NistP256 => of::<NistP256>(&octets),
        Curve::BrainpoolP256r1 => of::<BrainpoolP256r1>(&octets),
        Curve::BrainpoolP384r1 => of::<BrainpoolP384r1>(&octets),
        Curve::NistP384 => of::<NistP384>(&octets),
    }
}

fn point_256(octets: &[u8], form: Form) -> P256 {
    let (form, x, y) = written(octets, form);
    let x = x.try_into().unwrap();
    match form {
        0 => P256::XOnly(x),
        2 => P256::Compressed_Y_0(x),
        3 => P256::Compressed_Y_1(x),
        _ => P256::UncompressedP256(Both256 { x, y: y.try_into().unwrap() }),
    }
}

fn point_384(octets: &[u8], form: Form) -> P384 {
    let (form, x, y) = written(octets, form);
    let x = x.try_into().unwrap();
    match form {
        0 => P384::XOnly(x),
        2 => P384::Compressed_Y_0(x),
        3 => P384::Compressed_Y_1(x),
        _ => P384::UncompressedP384(Both384 { x, y: y.try_into().unwrap() }),
    }
}

fn verification_key(key: &SecretKey, form: Form) -> K {
    let octets = uncompressed(key);
    match key.curve() {
        Curve::NistP256 => K::EcdsaNistP256(point_256(&octets, form)),
        Curve::BrainpoolP256r1 => K::EcdsaBrainpoolP256r1(point_256(&octets, form)),
        Curve::BrainpoolP384r1 => K::EcdsaBrainpoolP384r1(point_384(&octets, form)),
        Curve::NistP384 => K::EcdsaNistP384(point_384(&octets, form)),
    }
}

fn encryption_key(key: &SecretKey, form: Form) -> schema::PublicEncryptionKey {
    let point = point_256(&uncompressed(key), form);
    let public_key = match key.curve() {
        Curve::NistP256 => schema::BasePublicEncryptionKey::EciesNistP256(point),
        _ => schema::BasePublicEncryptionKey::EciesBrainpoolP256r1(point),
    };
    schema::PublicEncryptionKey { public_key, ..Default::default() }
}

/// The certificate with other content, and the signature that it had.
fn changed(certificate: &Certificate, change: impl Fn(&mut schema::CertificateBase)) -> Result<Certificate, Fault> {
    let mut value = certificate.value().clone();
    change(&mut value);
    Certificate::read(&Message::<Coer>::encode_to_vec(&value, 10_000).unwrap())
}

/// Asserts that two certificates with the same canonical encoding have one digest and one key, and
/// that messages of one are those of the other.
fn assert_are_one(chain: &Chain, other: &Certificate, of: &str) {
    let [root, authority, ticket] = &chain.certificates;
    assert_ne!(other.octets(), ticket.octets(), "{of}");
    assert_eq!(other.digest(), ticket.digest(), "{of}");
    let issuers_key = authority.own_key().unwrap().unwrap();
    let key = ticket.key_under(authority, &issuers_key);
    assert!(key.is_ok(), "{of}: {key:?}");
    assert_eq!(other.key_under(authority, &issuers_key), key, "{of}");
    let digest = chain.message(SignerForm::Digest, |_| {});
    for certificate in [ticket, other] {
        let mut receiver = Verifier::new();
        receiver.trust(root.clone()).unwrap();
        receiver.add(authority.clone());
        let all = [root.clone(), authority.clone(), certificate.clone()];
        let own = Chain { certificates: all, key: chain.key.clone() };
        let message = own.message(SignerForm::Certificate, |_| {});
        assert_eq!(receiver.verify(message.octets(), Some(NOW)).fault, None, "{of}");
        let report = receiver.verify(digest.octets(), Some(NOW));
        assert_eq!((report.verdict, report.fault), (Verdict::Valid, None), "{of}");
    }
}

#[test]
fn a_key_that_verifies_has_one_canonical_form() {
    for curve in Curve::ALL {
        let chain = Chain::new([Curve::NistP256, Curve::NistP256, curve], |_, _| {});
        let with = |form| {
            changed(&chain.certificates[2], |value| {
                let key = V::VerificationKey(verification_key(&chain.key, form));
                value.to_be_signed.verify_key_indicator = key;
            })
        };
        assert_are_one(&chain, &with(Form::Uncompressed).unwrap(), curve.name());
        let name = curve.name();
        for form in [Form::OffCurve, Form::XOnly] {
            assert_eq!(with(form), Err(Fault::Key), "{name} {form:?}");
        }
    }
}

#[test]
fn an_issuer_with_an_uncompressed_key_has_one_canonical_form() {
    for curve in Curve::ALL {
        for form in [Form::Compressed, Form::Uncompressed] {
            let keys = key(curve, 2);
            let chain = Chain::new([curve; 3], |at, value| {
                if at == 1 {
                    value.to_be_signed.verify_key_indicator = V::VerificationKey(verification_key(&keys, form));
                }
            });
            let report = chain.report(|_| {});
            assert_eq!((report.verdict, report.fault), (Verdict::Valid, None), "{curve:?} {form:?}");
        }
    }
}

/// The key of an implicit certificate comes out of its issuer's canonical encoding.
#[test]
fn an_implicit_certificate_is_bound_to_its_issuers_canonical_form() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1] {
        let keys = key(curve, 2);
        let chain = Chain::new([curve; 3], |at, value| {
            if at == 1 {
                let key = verification_key(&keys, Form::Uncompressed);
                value.to_be_signed.verify_key_indicator = V::VerificationKey(key);
            }
        });
        let [root, authority, _] = chain.certificates;
        let numbers = [&key(curve, 7), &key(curve, 8)];
        let (ticket, own) = Certificate::issue_implicit(ticket(&key(curve, 3)), &authority, &keys, numbers).unwrap();
        let short = changed(&authority, |value| {
            value.to_be_signed.verify_key_indicator = V::VerificationKey(verification_key(&keys, Form::Compressed));
        });
        for authority in [authority, short.unwrap()] {
            let certificates = [root.clone(), authority, ticket.clone()];
            let report = Chain { certificates, key: own.clone() }.report(|_| {});
            assert_eq!((report.verdict, report.fault), (Verdict::Valid, None), "{curve:?}");
        }
    }
}

/// An explicit certificate has a key, and an implicit one a point from which its key is
/// reconstructed.
#[test]
fn the_kind_of_a_certificate_says_what_it_has() {
    let chain = Chain::plain();
    let [_, authority, explicit] = &chain.certificates;
    let numbers = [&key(Curve::NistP256, 7), &key(Curve::NistP256, 8)];
    let issuers = key(Curve::NistP256, 2);
    let (implicit, _) = Certificate::issue_implicit(ticket(&chain.key), authority, &issuers, numbers).unwrap();
    assert!(matches!((explicit.own_key(), implicit.own_key()), (Ok(Some(_)), Ok(None))));
    for certificate in [explicit, &implicit] {
        let mut octets = certificate.octets().to_vec();
        // Which fields are present, the version, and the kind.
        octets[2] ^= 1;
        let read = Certificate::read(&octets);
        assert!(matches!(read, Err(Fault::Encoding(_))), "{read:?}");
    }
}

/// §6.4.3: the last octets of the hash of the canonical encoding; the hash is that of the
/// certificate's own curve.
#[test]
fn digests_are_the_last_octets_of_the_hash_of_the_canonical_form() {
    for curve in Curve::ALL {
        let chain = Chain::new([Curve::NistP256, Curve::NistP256, curve], |_, _| {});
        let ticket = &chain.certificates[2];
        let hash = match curve.octets() {
            32 => Sha256::digest(ticket.octets()).to_vec(),
            _ => Sha384::digest(ticket.octets()).to_vec(),
        };
        let uncompressed = changed(ticket, |value| {
            let key = V::VerificationKey(verification_key(&chain.key, Form::Uncompressed));
            value.to_be_signed.verify_key_indicator = key;
        });
        for one in [ticket, &uncompressed.unwrap()] {
            assert_eq!(one.digest(), hash[hash.len() - 8..], "{curve:?}");
            assert_eq!(one.hashed_id10(), hash[hash.len() - 10..], "{curve:?}");
        }
    }
}

#[test]
fn a_key_that_encrypts_has_one_canonical_form() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1] {
        let reader = key(curve, 9);
        for own in Curve::ALL {
            let chain = Chain::new([Curve::NistP256, Curve::NistP256, own], |at, value| {
                let key = encryption_key(&reader, Form::Compressed);
                value.to_be_signed.encryption_key = (at == 2).then_some(key);
            });
            let with = |form| {
                changed(&chain.certificates[2], |value| {
                    value.to_be_signed.encryption_key = Some(encryption_key(&reader, form));
                })
            };
            let of = format!("{} in a certificate of {}", curve.name(), own.name());
            assert_are_one(&chain, &with(Form::Uncompressed).unwrap(), &of);
            assert_eq!(with(Form::OffCurve), Err(Fault::Key), "{of}");
            // Both points of one certificate.
            let both = changed(&chain.certificates[2], |value| {
                let signed = &mut value.to_be_signed;
                signed.encryption_key = Some(encryption_key(&reader, Form::Uncompressed));
                let key = verification_key(&chain.key, Form::Uncompressed);
                signed.verify_key_indicator = V::VerificationKey(key);
            });
            assert_are_one(&chain, &both.unwrap(), &of);
        }
    }
}

#[test]
fn a_reconstruction_value_has_one_canonical_form() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1] {
        let plain = Chain::new([curve; 3], |_, _| {});
        let [root, authority, _] = plain.certificates;
        let mut on_both = 0;
        for number in 8..16 {
            let numbers = [&key(curve, 7), &key(curve, number)];
            let value = ticket(&key(curve, 3));
            let (ticket, own) = Certificate::issue_implicit(value, &authority, &key(curve, 2), numbers).unwrap();
            let V::ReconstructionValue(point) = &ticket.value().to_be_signed.verify_key_indicator else { panic!() };
            let (first, x) = match point {
                P256::Compressed_Y_0(x) => (2, x),
                P256::Compressed_Y_1(x) => (3, x),
                _ => panic!(),
            };
            let compressed = [&[first], &x[..]].concat();
            let nist = PublicKey::<NistP256>::from_sec1_bytes(&compressed).map(|key| key.to_sec1_point(false));
            let nist = nist.map(|point| point.as_bytes().to_vec());
            let brainpool = PublicKey::<BrainpoolP256r1>::from_sec1_bytes(&compressed);
            let brainpool = brainpool.map(|key| key.to_sec1_point(false).as_bytes().to_vec());
            let (right, wrong) = if curve == Curve::NistP256 { (nist, brainpool) } else { (brainpool, nist) };
            let with = |octets: &[u8], form| {
                changed(&ticket, |value| {
                    let point = V::ReconstructionValue(point_256(octets, form));
                    value.to_be_signed.verify_key_indicator = point;
                })
            };
            let right = right.unwrap();
            let other = with(&right, Form::Uncompressed).unwrap();
            assert_eq!(with(&right, Form::OffCurve), Err(Fault::Key));
            let chain = Chain { certificates: [root.clone(), authority.clone(), ticket.clone()], key: own };
            assert_are_one(&chain, &other, curve.name());
            // A y of the other curve, on which there is a point with this x.
            if let Ok(wrong) = wrong {
                assert_are_one(&chain, &with(&wrong, Form::Uncompressed).unwrap(), curve.name());
                on_both += 1;
            }
        }
        assert!(on_both > 0);
    }
}

#[test]
fn a_key_in_the_header_has_one_canonical_form() {
    let curves = [Curve::NistP256, Curve::BrainpoolP256r1];
    for (curve, own) in curves.into_iter().flat_map(|curve| Curve::ALL.map(|own| (curve, own))) {
        let reader = key(curve, 9);
        let chain = Chain::new([Curve::NistP256, Curve::NistP256, own], |_, _| {});
        let message = |form| {
            chain.message(SignerForm::Certificate, |header| {
                let key = encryption_key(&reader, form);
                header.encryption_key = Some(schema::EncryptionKey::Public(key));
            })
        };
        let rewritten = |message: &Signed, form| {
            let mut value = message.value().clone();
            let key = schema::EncryptionKey::Public(encryption_key(&reader, form));
            value.tbs_data.header_info.encryption_key = Some(key);
            let content = schema::Ieee1609Dot2Content::SignedData(value);
            let data = schema::Ieee1609Dot2Data { protocol_version: 3, content };
            Message::<Coer>::encode_to_vec(&data, 10_000).unwrap()
        };
        for signed in [Form::Compressed, Form::Uncompressed] {
            let message = message(signed);
            for sent in [Form::Compressed, Form::Uncompressed] {
                let report = chain.receiver().verify(&rewritten(&message, sent), Some(NOW));
                assert_eq!(report.fault, None, "{curve:?} {own:?} {signed:?} {sent:?}");
                assert_eq!(report.verdict, Verdict::Valid);
            }
            let report = chain.receiver().verify(&rewritten(&message, Form::OffCurve), Some(NOW));
            assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(Fault::Key)));
        }
    }
}

/// R of a certificate's signature: x alone, either y, or both coordinates; the part beside x is
/// hashed nowhere.
#[test]
fn r_of_a_certificates_signature_has_one_canonical_form() {
    use schema::Signature as S;
    for curve in Curve::ALL {
        let chain = Chain::new([curve; 3], |_, _| {});
        let other_256 = |r: &P256, form: u8| {
            let P256::XOnly(x) = *r else { panic!() };
            match form {
                2 => P256::Compressed_Y_0(x),
                3 => P256::Compressed_Y_1(x),
                _ => P256::UncompressedP256(Both256 { x, y: [7; 32] }),
            }
        };
        let other_384 = |r: &P384, form: u8| {
            let P384::XOnly(x) = *r else { panic!() };
            match form {
                2 => P384::Compressed_Y_0(x),
                3 => P384::Compressed_Y_1(x),
                _ => P384::UncompressedP384(Both384 { x, y: [7; 48] }),
            }
        };
        for form in [2, 3, 4] {
            let with_r = changed(&chain.certificates[2], |value| match &mut value.signature {
                Some(S::EcdsaNistP256Signature(one) | S::EcdsaBrainpoolP256r1Signature(one)) => {
                    one.r_sig = other_256(&one.r_sig, form);
                }
                Some(S::EcdsaNistP384Signature(one) | S::EcdsaBrainpoolP384r1Signature(one)) => {
                    one.r_sig = other_384(&one.r_sig, form);
                }
                other => panic!("{other:?}"),
            });
            let other = with_r.unwrap();
            assert_are_one(&chain, &other, curve.name());
            let [root, authority, _] = chain.certificates.clone();
            let own = Chain { certificates: [root, authority, other], key: chain.key.clone() };
            let report = own.report(|_| {});
            assert_eq!((report.verdict, report.noted), (Verdict::Valid, vec![Violation::SignatureForm]));
        }
    }
}
