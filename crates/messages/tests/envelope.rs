//! The binary envelope of TS 103 097 V1: the lengths that the 2014 and 2015 studies printed, and
//! messages and certificates from other implementations, to the last octet.
#![cfg(feature = "tls")]

mod common;

use common::shared::shared_text;
use common::{Fixture, shipped};
use roadwire_engine::Message;
use roadwire_layout::{Properties, RuleSet};
use roadwire_messages::{Tls, ieee1609dot2_2013 as dot2, ts103097_1_1_1 as v1, ts103097_1_2_1 as v2};
use roadwire_model::order;
use serde_json::{Value as Json, json};

fn octets(count: usize) -> String {
    "5A".repeat(count)
}

fn signature() -> Json {
    json!({ "ecdsa_nistp256_with_sha256": { "r": { "x_coordinate_only": octets(32) }, "s": octets(32) } })
}

/// With a key, an assurance level and the permissions of CAM and DENM in 2015; in 2014 without.
fn certificate(year: u32) -> Json {
    let permission = |aid: u32| json!({ "its_aid": aid, "service_specific_permissions": "" });
    let attributes = json!([
        { "verification_key": { "ecdsa_nistp256_with_sha256": { "compressed_lsb_y_0": octets(32) } } },
        { "assurance_level": "83" },
        { "its_aid_ssp_list": [permission(36), permission(37)] }
    ]);
    json!({
        "version": 1,
        "signer_info": [{ "certificate_digest": octets(8) }],
        "subject_info": { "subject_type": "authorization_ticket", "subject_name": "" },
        "subject_attributes": if year == 2015 { attributes } else { json!([]) },
        "validity_restrictions": [{ "time_start_and_end": { "start_validity": 100_000_000, "end_validity": 200_000_000 } }],
        "signature": signature()
    })
}

fn message(profile: u32, signer: Json, location: bool, message_type: Option<u32>) -> Json {
    let mut fields = vec![json!({ "signer_info": signer }), json!({ "generation_time": 123_456_789_012_345u64 })];
    if location {
        let place = json!({ "latitude": 489_000_000, "longitude": 90_000_000, "elevation": "0FA0" });
        fields.push(json!({ "generation_location": place }));
    }
    fields.extend(message_type.map(|number| json!({ "message_type": number })));
    json!({
        "protocol_version": 1,
        "security_profile": profile,
        "header_fields": fields,
        "payload_fields": [{ "signed": "" }],
        "trailer_fields": [{ "signature": signature() }]
    })
}

/// The four cases: a CAM with its signer's digest and with the certificate, a DENM, and another
/// signed message.
fn cases(year: u32) -> [Json; 4] {
    let with_certificate = || json!({ "certificate": certificate(year) });
    [
        message(1, json!({ "certificate_digest": octets(8) }), false, Some(2)),
        message(1, with_certificate(), false, Some(2)),
        message(2, with_certificate(), true, Some(1)),
        message(3, with_certificate(), true, None),
    ]
}

#[test]
fn envelopes_have_the_published_lengths() {
    let fixture = shipped::<v1::SecuredMessage, Tls>("ts103097-1.1.1", true);
    for (year, lengths) in [(2014, [96, 178, 189, 186]), (2015, [96, 222, 233, 230])] {
        for (value, length) in cases(year).iter().zip(lengths) {
            for codec in fixture.codecs() {
                let octets =
                    codec.encode(&value.to_string()).unwrap_or_else(|error| panic!("{}: {error}", codec.name()));
                assert_eq!(octets.len(), length, "{} of {year}", codec.name());
                let decoded: Json = serde_json::from_str(&codec.decode(&octets).unwrap()).unwrap();
                assert_eq!(decoded, *value, "{}", codec.name());
            }
            let read = fixture.notation.read(&value.to_string()).unwrap();
            assert_eq!(order::violations(&fixture.model, fixture.root, &read), []);
        }
    }
}

/// Straight-line code does it without the interpreter, and the certificate in a message is stored
/// inline.
#[test]
fn straight_line_code_has_what_is_usual() {
    let fixture = shipped::<v1::SecuredMessage, Tls>("ts103097-1.1.1", true);
    for value in cases(2015) {
        let read = fixture.notation.read(&value.to_string()).unwrap();
        let octets = roadwire_engine::encode_to_vec(&fixture.layout, &read, 1000).unwrap();
        let mut message = v1::SecuredMessage::default();
        let mut output = [0; 1000];
        assert_eq!(Message::<Tls>::decode_fast(&mut message, &octets), Ok(octets.len() * 8), "{value}");
        assert_eq!(Message::<Tls>::encode_fast(&message, &mut output), Ok(octets.len()));
        assert_eq!(output[..octets.len()], octets);
    }
    assert!(size_of::<v1::SecuredMessage>() < 32 * 1024, "{}", size_of::<v1::SecuredMessage>());
}

#[test]
fn an_implicit_certificate_has_no_signature() {
    let fixture = shipped::<v1::Certificate, Tls>("ts103097-1.1.1", true);
    let mut implicit = certificate(2015);
    implicit["subject_attributes"][0] = json!({ "reconstruction_value": { "x_coordinate_only": octets(32) } });
    for codec in fixture.codecs() {
        let error = codec.encode(&implicit.to_string()).unwrap_err();
        assert!(error.contains("signature"), "{}: {error}", codec.name());
    }
    implicit.as_object_mut().unwrap().remove("signature");
    for codec in fixture.codecs() {
        let octets = codec.encode(&implicit.to_string()).unwrap();
        assert_eq!(octets.len(), 133 - 66 - 1, "{}", codec.name());
        assert_eq!(codec.recode(&octets), Ok(octets), "{}", codec.name());
        let error = codec.encode(&{
            let mut unsigned = certificate(2015);
            unsigned.as_object_mut().unwrap().remove("signature");
            unsigned.to_string()
        });
        assert!(error.unwrap_err().contains("signature"), "{}", codec.name());
    }
}

#[test]
fn what_is_not_known_is_kept() {
    let fixture = shipped::<v1::SecuredMessage, Tls>("ts103097-1.1.1", true);
    let value = message(1, json!({ "self": null }), false, Some(2));
    let mut octets =
        roadwire_engine::encode_to_vec(&fixture.layout, &fixture.notation.read(&value.to_string()).unwrap(), 1000)
            .unwrap();
    // A header field 200 of three octets after the others.
    let end = 3 + usize::from(octets[2]);
    octets.splice(end..end, [200, 3, 1, 2, 3]);
    octets[2] += 5;
    for codec in fixture.codecs() {
        assert_eq!(codec.recode(&octets), Ok(octets.clone()), "{}", codec.name());
    }
}

#[test]
fn order_is_a_rule_on_content() {
    let fixture = shipped::<v1::SecuredMessage, Tls>("ts103097-1.1.1", true);
    let violations = |change: fn(&mut Vec<Json>)| {
        let mut value = cases(2015)[2].clone();
        change(value["header_fields"].as_array_mut().unwrap());
        let value = fixture.notation.read(&value.to_string()).unwrap();
        let octets = roadwire_engine::encode_to_vec(&fixture.layout, &value, 1000).unwrap();
        let mut message = v1::SecuredMessage::default();
        assert!(Message::<Tls>::decode(&mut message, &octets).is_ok());
        let found = order::violations(&fixture.model, fixture.root, &message);
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(violations(|_| ()), [""; 0]);
    let late = "an element of a type that comes before the last one's in header_fields[1]";
    assert_eq!(violations(|fields| fields.swap(0, 1)), [late]);
    assert_eq!(violations(|fields| fields.swap(1, 2)), [late.replace("[1]", "[2]")]);
    let twice = "a second element of this type in header_fields[2]";
    assert_eq!(violations(|fields| fields.insert(1, fields[1].clone())), [twice]);
}

/// Lengths that are known without a message.
#[test]
fn layouts_tell_their_least_lengths() {
    let fewest = |layout| Properties::of(layout).octets.fewest;
    assert_eq!(fewest(<v1::SecuredMessage as Message<Tls>>::layout()), 5);
    assert_eq!(fewest(<v2::SecuredMessage as Message<Tls>>::layout()), 4);
}

/// Messages and certificates from other implementations, if present; they are test input and not
/// part of the project.
fn vectors(file: &str) -> Vec<Vec<u8>> {
    let Some(text) = shared_text(&format!("vectors/envelope/{file}")) else { return Vec::new() };
    let list: Json = serde_json::from_str(&text).unwrap();
    let hex = |entry: &Json| {
        let digits = entry["hex"].as_str().unwrap().as_bytes();
        digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    };
    list.as_array().unwrap().iter().map(hex).collect()
}

fn to_the_last_octet<M: Message<E>, E: RuleSet>(schema: &str, file: &str, at_least: usize) {
    let fixture = shipped::<M, E>(schema, true);
    let all = vectors(file);
    assert!(all.is_empty() || all.len() >= at_least, "{file}: {}", all.len());
    for octets in all {
        for codec in fixture.codecs() {
            assert_eq!(codec.recode(&octets).as_ref(), Ok(&octets), "{}, {file}", codec.name());
            // The same through text.
            let text = codec.decode(&octets).unwrap_or_else(|error| panic!("{}, {file}: {error}", codec.name()));
            assert_eq!(codec.encode(&text).as_ref(), Ok(&octets), "{}, {file}: {text}", codec.name());
        }
        let mut message = M::default();
        let mut room = vec![0; octets.len() + 64];
        assert_eq!(message.decode_canonical(&octets, &mut room), Ok(octets.len() * 8), "{file}");
        assert_eq!(message.decode_fast(&octets), Ok(octets.len() * 8), "{file}");
        assert_eq!(message.encode_fast(&mut room), Ok(octets.len()), "{file}");
    }
}

#[test]
fn messages_and_certificates_of_others() {
    to_the_last_octet::<v1::Certificate, Tls>("ts103097-1.1.1", "ts103097-v1.1.1-certs.json", 3);
    to_the_last_octet::<v1::SecuredMessage, Tls>("ts103097-1.1.1", "ts103097-v1.1.1-messages.json", 3);
    to_the_last_octet::<v1::SecuredMessage, Tls>("ts103097-1.1.1", "ts103097-v1.1.1-messages-dummy-sig.json", 3);
    to_the_last_octet::<v2::Certificate, Tls>("ts103097-1.2.1", "ts103097-v1.2.1-certs-ts103096-3.json", 3);
    to_the_last_octet::<v2::SecuredMessage, Tls>("ts103097-1.2.1", "ts103097-v1.2.1-messages-parse-only.json", 3);
}

/// The anonymous certificate of the Safety Pilot, which a draft of IEEE 1609.2-2013 laid out: to
/// the last octet, with the lifetime before the CRL series.
#[test]
fn the_safety_pilots_certificate() {
    let file = "vectors/envelope/ieee1609dot2-implicit-anon-cert-usdot.hex";
    let Some(text) = shared_text(file) else { return };
    let digits = text.trim().as_bytes().chunks(2);
    let octets: Vec<u8> =
        digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect();
    assert_eq!(octets.len(), 79);
    let fixture = shipped::<dot2::DraftCertificate, Tls>("ieee1609dot2-2013", true);
    for codec in fixture.codecs() {
        assert_eq!(codec.recode(&octets).as_ref(), Ok(&octets), "{}", codec.name());
        let text = codec.decode(&octets).unwrap();
        assert_eq!(codec.encode(&text).as_ref(), Ok(&octets), "{}: {text}", codec.name());
        let value: Json = serde_json::from_str(&text).unwrap();
        let unsigned = &value["certificate"]["implicit"]["unsigned_certificate"];
        assert_eq!((&unsigned["lifetime"], &unsigned["crl_series"]), (&json!(330), &json!(1)));
        let permissions = &unsigned["anonymous_scope"]["permissions"]["specified"];
        assert_eq!(*permissions, json!([{ "psid": 0x20, "service_specific_permissions": "" }]));
        for length in 0..octets.len() {
            assert!(codec.recode(&octets[..length]).is_err(), "{}: {length} octets", codec.name());
        }
    }
    let mut message = dot2::DraftCertificate::default();
    assert_eq!(Message::<Tls>::decode_fast(&mut message, &octets), Ok(octets.len() * 8));
    // By the standard's text, the same octets have another meaning.
    let mut in_a_message = vec![2, 1, 3];
    in_a_message.extend(&octets);
    in_a_message.extend([0, 0x20, 0, 0]);
    in_a_message.extend([0; 64]);
    let fixture = shipped::<dot2::SecuredData, Tls>("ieee1609dot2-2013", true);
    for codec in fixture.codecs() {
        let value: Json = serde_json::from_str(&codec.decode(&in_a_message).unwrap()).unwrap();
        let unsigned = &value["type"]["signed"]["signer"]["certificate"]["implicit"]["unsigned_certificate"];
        assert_eq!((&unsigned["lifetime"], &unsigned["crl_series"]), (&json!(1), &json!(0x014a_0000)));
    }
}
