//! Forgeries of messages of IEEE 1609.2 that are signed here are not valid, and copies in another
//! form are marked.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Curve, Signed, SignerForm, Verifier};
use roadwire_security::{Fault, Verdict, Violation};

/// Any bit of a message, or of the certificate in it, is changed. One bit is reported only: how R
/// is written in the certificate's signature, which is not hashed.
#[test]
fn a_flipped_bit_is_never_valid() {
    for curve in [Curve::NistP256, Curve::BrainpoolP256r1, Curve::NistP384] {
        let chain = Chain::new([curve; 3], |_, _| {});
        for form in [SignerForm::Certificate, SignerForm::Digest] {
            let octets = chain.message(form, |_| {}).octets().to_vec();
            let mut receiver = Verifier::new();
            receiver.add(chain.certificates[2].clone());
            assert_eq!(receiver.verify(&octets, None).verdict, Verdict::Signed);
            let mut told = 0;
            let step = if curve == Curve::NistP256 { 1 } else { 7 };
            for bit in (0..octets.len() * 8).step_by(step) {
                let mut forged = octets.clone();
                forged[bit / 8] ^= 0x80 >> (bit % 8);
                let report = receiver.verify(&forged, None);
                let is_told = report.is_altered_copy && report.noted == [Violation::SignatureForm];
                assert!(report.verdict != Verdict::Signed || is_told, "{curve:?} {form:?} bit {bit}");
                told += u32::from(is_told);
            }
            assert_eq!(told, u32::from(step == 1 && form == SignerForm::Certificate), "{curve:?} {form:?}");
        }
    }
}

/// Extension additions, those of later versions too, in the header and in the certificate.
#[test]
fn additions_are_signed() {
    let unknown = |octets: &[u8]| {
        let mut additions = roadwire_wire::Additions::new();
        // Behind their length.
        let octets = [&[octets.len() as u8], octets].concat();
        additions.push(roadwire_wire::Unknown { index: 9, octets });
        additions
    };
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.flags = Some(roadwire_wire::BitWord { value: 0x80, bits: 8 });
            value.to_be_signed.unknown = unknown(b"certificate");
        }
    });
    let message = chain.message(SignerForm::Certificate, |header| {
        header.requested_certificate = Some(chain.certificates[1].value().clone());
        header.unknown = unknown(b"header");
    });
    let [root, authority, _] = &chain.certificates;
    let mut receiver = Verifier::new();
    receiver.trust(root.clone()).unwrap();
    // The authority's certificate is the one that the message passes on.
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).verdict, Verdict::Valid);
    assert!(message.octets().windows(authority.octets().len()).any(|octets| octets == authority.octets()));
    for content in [&b"certificate"[..], b"header", authority.octets()] {
        let found = message.octets().windows(content.len()).rposition(|octets| octets == content).unwrap();
        let mut forged = message.octets().to_vec();
        forged[found + content.len() - 1] ^= 1;
        let report = Verifier::new().verify(&forged, None);
        assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(Fault::Signature)));
    }
}

/// The message with another signature.
fn with_signature(message: &Signed, change: impl Fn(&mut schema::EcdsaP256Signature)) -> Vec<u8> {
    let mut octets = message.octets().to_vec();
    let schema::Signature::EcdsaNistP256Signature(mut signature) = message.value().signature.clone() else { panic!() };
    let point = |r: &schema::EccP256CurvePoint| match r {
        schema::EccP256CurvePoint::XOnly(x) => [&[0x80], &x[..]].concat(),
        schema::EccP256CurvePoint::Compressed_Y_0(x) => [&[0x82], &x[..]].concat(),
        schema::EccP256CurvePoint::Compressed_Y_1(x) => [&[0x83], &x[..]].concat(),
        _ => panic!(),
    };
    let length = octets.len() - point(&signature.r_sig).len() - 32;
    change(&mut signature);
    octets.truncate(length);
    octets.extend(point(&signature.r_sig));
    octets.extend(signature.s_sig);
    octets
}

fn x(r: &schema::EccP256CurvePoint) -> [u8; 32] {
    let schema::EccP256CurvePoint::XOnly(x) = r else { panic!() };
    *x
}

#[test]
fn numbers_of_signatures() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let mut receiver = chain.receiver();
    let verdict = |receiver: &mut Verifier, octets: &[u8]| receiver.verify(octets, None).verdict;
    let swapped = with_signature(&message, |one| {
        let r = x(&one.r_sig);
        one.r_sig = schema::EccP256CurvePoint::XOnly(one.s_sig);
        one.s_sig = r;
    });
    assert_eq!(verdict(&mut receiver, &swapped), Verdict::Invalid);
    for (r, s) in [([0; 32], [0; 32]), ([0; 32], [1; 32]), ([1; 32], [0; 32]), ([0xff; 32], [0xff; 32])] {
        let trivial = with_signature(&message, |one| {
            one.r_sig = schema::EccP256CurvePoint::XOnly(r);
            one.s_sig = s;
        });
        assert_eq!(verdict(&mut receiver, &trivial), Verdict::Invalid, "{r:?} {s:?}");
    }
    let other = chain.message(SignerForm::Certificate, |header| header.generation_time = Some(NOW + 1));
    let schema::Signature::EcdsaNistP256Signature(others) = &other.value().signature else { panic!() };
    assert_eq!(verdict(&mut receiver, &with_signature(&message, |one| *one = others.clone())), Verdict::Invalid);
}

/// The standard has no canonical form of signatures: the signer's own is as valid. A copy of a
/// message that was heard is marked.
#[test]
fn a_signature_in_another_form_is_told() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let altered = with_signature(&message, |one| one.s_sig = negated(&one.s_sig));
    let mut receiver = chain.receiver();
    for (octets, is_altered) in [(message.octets(), false), (&altered, true), (message.octets(), false)] {
        let report = receiver.verify(octets, None);
        assert_eq!((report.verdict, report.is_altered_copy), (Verdict::Valid, is_altered));
    }
    // With the whole point R, only one of s and the order minus s is right.
    let forms = |s: &dyn Fn(&[u8; 32]) -> [u8; 32]| {
        let even = with_signature(&message, |one| {
            one.s_sig = s(&one.s_sig);
            one.r_sig = schema::EccP256CurvePoint::Compressed_Y_0(x(&one.r_sig));
        });
        let odd = with_signature(&message, |one| {
            one.s_sig = s(&one.s_sig);
            one.r_sig = schema::EccP256CurvePoint::Compressed_Y_1(x(&one.r_sig));
        });
        [even, odd].map(|octets| chain.receiver().verify(&octets, None).verdict)
    };
    let (plain, negated) = (forms(&|s| *s), forms(&negated));
    assert!(plain.contains(&Verdict::Valid) && plain.contains(&Verdict::Invalid), "{plain:?}");
    assert_eq!(negated, [plain[1], plain[0]]);
}

/// Both coordinates of R: there are two y, and one is right.
#[test]
fn both_coordinates_of_r_count() {
    use p256::elliptic_curve::sec1::ToSec1Point as _;
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let mut value = message.value().clone();
    let schema::Signature::EcdsaNistP256Signature(signature) = &value.signature else { panic!() };
    let (x, s_sig) = (x(&signature.r_sig), signature.s_sig);
    let point = p256::PublicKey::from_sec1_bytes(&[&[2], &x[..]].concat()).unwrap().to_sec1_point(false);
    let even: [u8; 32] = point.as_bytes()[33..].try_into().unwrap();
    let odd = p256::PublicKey::from_sec1_bytes(&[&[3], &x[..]].concat()).unwrap().to_sec1_point(false);
    let odd: [u8; 32] = odd.as_bytes()[33..].try_into().unwrap();
    let mut verdict = |y: [u8; 32]| {
        let both = schema::EccP256CurvePointUncompressedP256 { x, y };
        let r_sig = schema::EccP256CurvePoint::UncompressedP256(both);
        value.signature = schema::Signature::EcdsaNistP256Signature(schema::EcdsaP256Signature { r_sig, s_sig });
        let content = schema::Ieee1609Dot2Content::SignedData(value.clone());
        let octets = encoded(&schema::Ieee1609Dot2Data { protocol_version: 3, content });
        chain.receiver().verify(&octets, Some(NOW)).verdict
    };
    let found = [even, odd].map(&mut verdict);
    assert!(found.contains(&Verdict::Valid) && found.contains(&Verdict::Invalid), "{found:?}");
    assert_eq!(verdict([7; 32]), Verdict::Invalid);
}

/// Of s and the order minus s the lesser one.
#[test]
fn messages_are_signed_with_an_s_of_at_most_half_the_order() {
    let chain = Chain::plain();
    for later in 0..20 {
        let message = chain.message(SignerForm::Digest, |header| header.generation_time = Some(NOW + later));
        let schema::Signature::EcdsaNistP256Signature(signature) = &message.value().signature else { panic!() };
        assert!(signature.s_sig < negated(&signature.s_sig), "{later}");
    }
}

/// Anyone who passes a certificate on can write R of its signature in another way. That is marked,
/// and does no harm to messages that name it by its digest.
#[test]
fn a_certificate_in_another_form_is_told() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let own = chain.certificates[2].octets();
    let place = message.octets().windows(own.len()).position(|octets| octets == own).unwrap();
    // How R is written, and then R and s.
    let form = place + own.len() - 65;
    for written in [0x82, 0x83] {
        let mut altered = message.octets().to_vec();
        assert_eq!(std::mem::replace(&mut altered[form], written), 0x80);
        let mut receiver = chain.receiver();
        let report = receiver.verify(&altered, Some(NOW));
        assert_eq!((report.verdict, report.noted), (Verdict::Valid, vec![Violation::SignatureForm]));
        let digest = chain.message(SignerForm::Digest, |_| {});
        assert_eq!(receiver.verify(digest.octets(), Some(NOW)).verdict, Verdict::Valid);
        let report = receiver.verify(message.octets(), Some(NOW));
        assert_eq!((report.verdict, report.is_altered_copy), (Verdict::Valid, true));
    }
}

#[test]
fn what_is_no_signed_message_is_told() {
    let verdict = |octets: &[u8]| {
        let report = Verifier::new().verify(octets, None);
        (report.verdict, report.fault)
    };
    assert_eq!(verdict(&[3, 0x80, 1, 0]), (Verdict::Unsupported, Some(Fault::Unsigned)));
    assert_eq!(verdict(&[]).0, Verdict::Invalid);
    let encrypted = schema::Ieee1609Dot2Content::EncryptedData(schema::EncryptedData::default());
    let encrypted = encoded(&schema::Ieee1609Dot2Data { protocol_version: 3, content: encrypted });
    assert_eq!(verdict(&encrypted), (Verdict::Unsupported, Some(Fault::Payload)));
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    // A later version may sign parts that are not in the message.
    let mut later = message.value().clone();
    later.tbs_data.payload.unknown.push(roadwire_wire::Unknown { index: 9, octets: vec![1, 0] });
    let later = schema::Ieee1609Dot2Content::SignedData(later);
    let later = encoded(&schema::Ieee1609Dot2Data { protocol_version: 3, content: later });
    assert_eq!(verdict(&later), (Verdict::Unsupported, Some(Fault::Payload)));
    for length in 0..message.octets().len() {
        assert!(matches!(verdict(&message.octets()[..length]).1, Some(Fault::Encoding(_))), "{length}");
    }
    // The octets after it do not belong to it.
    let longer = [message.octets(), &[1, 2, 3]].concat();
    assert_eq!(verdict(&longer), (Verdict::Signed, None));
    let tbs = message.value().tbs_data.clone();
    let own = schema::SignerIdentifier::Self_(());
    let itself = Signed::sign_value(tbs, own, &chain.certificates[2], &chain.key).unwrap();
    assert_eq!(verdict(itself.octets()), (Verdict::Unsupported, Some(Fault::Algorithm)));
}
