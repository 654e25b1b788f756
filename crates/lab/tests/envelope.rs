//! The security envelopes: their content is signed, and their lengths are those that the studies
//! printed, or those of our mappings.

use roadwire_lab::rates::{Rates, average_envelope};
use roadwire_layout::Rules;
use roadwire_peers::Engine;
use roadwire_peers::content::envelope::{Case, Year, certificates, signed, verifying_key};
use roadwire_peers::content::{MESSAGES, Message};
use roadwire_peers::roadwire::{Soed, Toed};
use roadwire_security::{Encoded, Fault, Trust, Violation};

const CASES: [Case; 4] = [Case::CamDigest, Case::CamCertificate, Case::Denm, Case::Generic];

#[test]
fn envelopes_are_signed() {
    for year in [Year::Y2014, Year::Y2015] {
        let [ticket, issuer, root] = certificates(year).unwrap();
        let mut trust = Trust::new();
        trust.add_root(root).unwrap();
        trust.add(issuer).unwrap();
        if year == Year::Y2015 {
            trust.add(ticket.clone()).unwrap();
        }
        for case in CASES {
            let message = signed(case, year).unwrap();
            assert_eq!(message.verify_signature(&verifying_key().unwrap()), Ok(()));
            let verified = trust.verify(&message).map(drop);
            match (year, case) {
                // Other messages do not specify their application.
                (Year::Y2015, Case::Generic) => {
                    assert_eq!(verified, Err(Fault::Violations(vec![Violation::UnknownApplication])));
                }
                (Year::Y2015, _) => assert_eq!(verified, Ok(())),
                // The certificate of 2014 has no attributes.
                (Year::Y2014, Case::CamDigest) => {
                    assert_eq!(verified, Err(Fault::UnknownCertificate { digest: ticket.hashed_id8() }));
                }
                (Year::Y2014, _) => {
                    let missing = [Violation::MissingKey, Violation::MissingAssurance, Violation::Permissions];
                    let fault = Box::new(Fault::Violations(missing.into()));
                    assert_eq!(verified, Err(Fault::Certificate { digest: ticket.hashed_id8(), fault }));
                }
            }
            let carried = message.certificates().unwrap();
            assert_eq!(carried.len(), usize::from(case != Case::CamDigest));
            assert!(carried.iter().all(|one| *one == ticket));
            assert_eq!(Encoded::read(message.octets()).unwrap(), message);
        }
    }
}

/// In the order of the cases; 2014, then 2015.
const LENGTHS: [(Rules, [[usize; 4]; 2]); 7] = [
    // As printed.
    (Rules::Tls, [[96, 178, 189, 186], [96, 222, 233, 230]]),
    // As printed, with the reconstructed module.
    (Rules::Uper, [[87, 197, 207, 207], [88, 240, 249, 247]]),
    // With our mappings of that module. Printed are 127, 231, 243, 237 and 133, 306, 318, 312;
    (Rules::Protobuf, [[106, 241, 257, 257], [106, 304, 320, 318]]),
    // 90, 210, 215, 213 (2015),
    (Rules::Exi, [[90, 200, 211, 211], [90, 241, 253, 251]]),
    (Rules::ExiDefault, [[94, 210, 223, 223], [94, 254, 267, 265]]),
    // and 87, 201, 206, 204 for the optimised schema.
    (Rules::ExiMerged, [[94, 209, 222, 222], [94, 253, 266, 265]]),
    (Rules::ExiFlat, [[93, 207, 220, 220], [93, 250, 262, 261]]),
];

fn lengths(engine: &dyn Engine, rules: Rules, year: &str) -> Vec<usize> {
    let of_year = MESSAGES.iter().filter(|message| message.id.starts_with("envelope-") && message.id.ends_with(year));
    of_year
        .map(|message| engine.cell(message, rules).map_err(|absent| absent.0).unwrap().bytes().unwrap().len())
        .collect()
}

#[test]
fn envelopes_have_their_lengths() {
    for (rules, years) in LENGTHS {
        for (year, expected) in ["2014", "2015"].into_iter().zip(years) {
            assert_eq!(lengths(&Toed, rules, year), expected, "{rules}, {year}");
            assert_eq!(lengths(&Soed, rules, year), expected, "{rules}, {year}");
        }
    }
}

/// Table VII of 2015: one of ten messages a second has the certificate.
#[test]
fn average_lengths() {
    let rates = |messages, certificates| Rates { messages, certificates };
    let average = |rules: Rules| {
        let lengths = lengths(&Toed, rules, "2015");
        average_envelope(lengths[0] as f64, lengths[1] as f64, rates(10.0, 1.0))
    };
    let is =
        |rules: Rules, expected: f64| assert!((average(rules) - expected).abs() < 1e-9, "{rules}: {}", average(rules));
    // As printed.
    is(Rules::Tls, 108.6);
    is(Rules::Uper, 103.2);
    // Printed are 150.3, 102.0 and 98.4.
    is(Rules::Protobuf, 125.8);
    is(Rules::ExiDefault, 110.0);
    is(Rules::ExiMerged, 109.9);
    is(Rules::ExiFlat, 108.7);
    // Each message has a certificate if there are fewer messages than certificates.
    assert!((average_envelope(96.0, 222.0, rates(1.0, 2.0)) - 222.0).abs() < 1e-9);
    assert!(average_envelope(88.0, 240.0, rates(10.0, 1.0)) < average_envelope(88.0, 240.0, rates(2.0, 1.0)));
}

#[test]
fn only_envelopes_have_a_binary_format() {
    for message in MESSAGES {
        assert_eq!(message.under(Rules::Tls).is_some(), message.id.starts_with("envelope-"), "{}", message.id);
        assert_eq!(message.under(Rules::Uper).map(|message| message.jer()), Some(message.jer()));
    }
    assert!(
        Message::find("envelope-denm-2015")
            .unwrap()
            .under(Rules::Tls)
            .unwrap()
            .jer()
            .contains("\"generation_location\"")
    );
}
