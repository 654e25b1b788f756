//! The certificate of the certificate study, in the sizes that its listing gives.

mod common;

use common::{Fixture, shipped};
use roadwire_layout::Uper;
use roadwire_papers::certificate_2017::Certificate;
use serde_json::{Value as Json, json};

/// No region, a name of 16 characters, two permissions of 8 octets.
fn certificate() -> Json {
    let octets = |count: usize| "5A".repeat(count);
    let key = |algorithm: &str| json!({ "algorithm": algorithm, "key": { "compressed-y-0": octets(32) } });
    let permission = |aid: u32| json!({ "its-aid": aid, "service-specific-permissions": octets(8) });
    json!({
        "version": 2,
        "signerInfo": { "certificateDigestSHA256": octets(8) },
        "subjectInfo": { "subjectType": "authorization-ticket", "subjectName": "sixteen of these" },
        "subjectAttributes": {
            "verificationKey": key("ecdsa-nistp256-with-sha256"),
            "encryptionKey": { "supported-symm-alg": "aes128Ccm", "public-key": key("ecies-nistp256") },
            "assuranceLevel": octets(1),
            "itsList": { "its-aid-ssp-list": [permission(36), permission(37)] }
        },
        "validityRestrictions": {
            "timeOfValidation": { "timeStartAndEnd": { "startValidity": 400_000_000, "endValidity": 500_000_000 } }
        },
        "signature": { "r": { "compressed-y-0": octets(32) }, "s": octets(32) }
    })
}

#[test]
fn certificate_without_a_region_has_189_octets() {
    let fixture = shipped::<Certificate, Uper>("certificate-2017", false);
    let value = certificate();
    for codec in fixture.codecs() {
        let octets = codec.encode(&value.to_string()).unwrap_or_else(|error| panic!("{}: {error}", codec.name()));
        assert_eq!(octets.len(), 189, "{}", codec.name());
        let decoded: Json = serde_json::from_str(&codec.decode(&octets).unwrap()).unwrap();
        assert_eq!(decoded, value, "{}", codec.name());
    }
}

/// 32 characters of four octets each are a name, after a length of two octets (X.691 §11.9.3.7); 33
/// are not.
#[test]
fn a_name_has_32_characters_of_any_width() {
    let fixture = shipped::<Certificate, Uper>("certificate-2017", false);
    let named = |count: usize| {
        let mut value = certificate();
        value["subjectInfo"]["subjectName"] = "\u{1f6a6}".repeat(count).into();
        value.to_string()
    };
    for codec in fixture.codecs() {
        assert_eq!(codec.encode(&named(32)).map(|octets| octets.len()), Ok(189 - 16 + 1 + 4 * 32), "{}", codec.name());
        let error = codec.encode(&named(33)).unwrap_err();
        assert!(error.contains("subjectInfo.subjectName"), "{}: {error}", codec.name());
    }
}
