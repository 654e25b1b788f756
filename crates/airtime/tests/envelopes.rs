//! The octets of an envelope are those that the interpreter encodes one in.

use roadwire::{Rules, Schema};
use roadwire_airtime::Security;

/// Octets of a value of a shipped schema's type.
fn encoded(schema: &str, type_name: &str, rules: Rules, jer: &str) -> u32 {
    let schema = Schema::shipped(schema).unwrap();
    let type_id = schema.find(Some(type_name)).unwrap();
    let octets = schema.convert(type_id, Rules::Jer, rules, jer.as_bytes());
    octets.unwrap_or_else(|error| panic!("{error}: {jer}")).len() as u32
}

fn zeros(octets: u32) -> String {
    "00".repeat(octets as usize)
}

const PAYLOADS: [u32; 9] = [0, 1, 81, 127, 128, 255, 256, 16_383, 16_384];

/// TS 103 097 V1.2.1 §7.1 and §7.4.
#[test]
fn envelopes_of_version_one() {
    let (key, half) = (zeros(32), zeros(32));
    let signature = format!(r#"{{"ecdsa_nistp256_with_sha256":{{"r":{{"x_coordinate_only":"{key}"}},"s":"{half}"}}}}"#);
    let certificate = format!(
        r#"{{"version":2,"signer_info":{{"certificate_digest":"{}"}},"subject_info":{{"subject_type":"authorization_ticket","subject_name":""}},
        "subject_attributes":[{{"verification_key":{{"ecdsa_nistp256_with_sha256":{{"compressed_lsb_y_0":"{key}"}}}}}},
        {{"assurance_level":"00"}},
        {{"its_aid_ssp_list":[{{"its_aid":36,"service_specific_permissions":"010000"}},{{"its_aid":37,"service_specific_permissions":"01000000"}}]}}],
        "validity_restrictions":[{{"time_start_and_end":{{"start_validity":1,"end_validity":2}}}}],"signature":{signature}}}"#,
        zeros(8)
    );
    assert_eq!(encoded("ts103097-1.2.1", "Certificate", Rules::Tls, &certificate), Security::VERSION_ONE_CERTIFICATE);
    let digest = format!(r#"{{"certificate_digest":"{}"}}"#, zeros(8));
    let whole = format!(r#"{{"certificate":{certificate}}}"#);
    for (security, signer) in [(Security::VersionOneDigest, digest), (Security::VersionOneCertificate, whole)] {
        let place = r#"{"generation_location":{"latitude":0,"longitude":0,"elevation":"0000"}},"#;
        for (payload, place) in PAYLOADS.into_iter().flat_map(|payload| ["", place].map(|place| (payload, place))) {
            let message = format!(
                r#"{{"protocol_version":2,"header_fields":[{{"signer_info":{signer}}},{{"generation_time":1}},{place}{{"its_aid":36}}],
                "payload_field":{{"signed":"{}"}},"trailer_fields":[{{"signature":{signature}}}]}}"#,
                zeros(payload)
            );
            let octets = encoded("ts103097-1.2.1", "SecuredMessage", Rules::Tls, &message);
            let counted = security.octets_with(payload, !place.is_empty());
            assert_eq!(octets, payload + counted, "{security:?} around {payload}, {place}");
        }
    }
}

/// TS 103 097 V1.3.1 §6 and §7.1.1.
#[test]
fn envelopes_of_ieee_1609_dot_2() {
    let (key, half) = (zeros(32), zeros(32));
    let signature = format!(r#"{{"ecdsaNistP256Signature":{{"rSig":{{"x-only":"{key}"}},"sSig":"{half}"}}}}"#);
    let certificate = format!(
        r#"{{"version":3,"type":"explicit","issuer":{{"sha256AndDigest":"{}"}},"toBeSigned":{{"id":{{"none":null}},"cracaId":"000000","crlSeries":0,
        "validityPeriod":{{"start":1,"duration":{{"hours":168}}}},"assuranceLevel":"00",
        "appPermissions":[{{"psid":36,"ssp":{{"bitmapSsp":"010000"}}}},{{"psid":37,"ssp":{{"bitmapSsp":"01000000"}}}}],
        "verifyKeyIndicator":{{"verificationKey":{{"ecdsaNistP256":{{"compressed-y-0":"{key}"}}}}}}}},"signature":{signature}}}"#,
        zeros(8)
    );
    let length = encoded("ts103097-1.3.1", "EtsiTs103097Certificate", Rules::Coer, &certificate);
    assert_eq!(length, Security::DOT_TWO_CERTIFICATE);
    let digest = format!(r#"{{"digest":"{}"}}"#, zeros(8));
    let whole = format!(r#"{{"certificate":[{certificate}]}}"#);
    for (security, signer) in [(Security::DotTwoDigest, digest), (Security::DotTwoCertificate, whole)] {
        let place = r#","generationLocation":{"latitude":0,"longitude":0,"elevation":0}"#;
        for (payload, place) in PAYLOADS.into_iter().flat_map(|payload| ["", place].map(|place| (payload, place))) {
            let message = format!(
                r#"{{"protocolVersion":3,"content":{{"signedData":{{"hashId":"sha256","tbsData":{{"payload":{{"data":{{"protocolVersion":3,"content":{{"unsecuredData":"{}"}}}}}},
                "headerInfo":{{"psid":36,"generationTime":1{place}}}}},"signer":{signer},"signature":{signature}}}}}}}"#,
                zeros(payload)
            );
            let octets = encoded("ts103097-1.3.1", "EtsiTs103097Data", Rules::Coer, &message);
            let counted = security.octets_with(payload, !place.is_empty());
            assert_eq!(octets, payload + counted, "{security:?} around {payload}, {place}");
        }
    }
}
