//! The checks in a report, those left open, and which word comes first.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Curve, Signed, SignerForm, Verifier};
use roadwire_security::{Checked, Contents, Fault, Part, Region, Report, Verdict, Violation};

fn named(checked: &Checked, name: &str) -> String {
    checked.each().into_iter().find(|(other, _)| *other == name).unwrap().1.to_string()
}

fn circle(latitude: i32) -> schema::GeographicRegion {
    let center = schema::TwoDLocation { latitude, longitude: 110_000_000 };
    schema::GeographicRegion::CircularRegion(schema::CircularRegion { center, radius: 1000 })
}

fn country(number: u16) -> schema::GeographicRegion {
    schema::GeographicRegion::IdentifiedRegion(vec![schema::IdentifiedRegion::CountryOnly(number)])
}

fn at(latitude: i32) -> Option<schema::ThreeDLocation> {
    Some(schema::ThreeDLocation { latitude, longitude: 110_000_000, elevation: 0 })
}

fn with_regions(regions: [Option<schema::GeographicRegion>; 3]) -> Chain {
    Chain::new([Curve::NistP256; 3], move |at, value| value.to_be_signed.region = regions[at].clone())
}

#[test]
fn a_report_has_the_chain_and_the_signers_permissions() {
    let chain = Chain::plain();
    let report = chain.report(|_| {});
    let mut digests = chain.certificates.each_ref().map(|one| one.digest());
    digests.reverse();
    assert_eq!((report.chain, report.permissions), (digests.to_vec(), Some(vec![1, 0x80])));
    assert_eq!(chain.report(|header| header.psid = 38).permissions, None);
    let message = chain.message(SignerForm::Certificate, |_| {});
    let report = Verifier::new().verify(message.octets(), Some(NOW));
    assert_eq!((report.chain, report.permissions), (vec![], Some(vec![1, 0x80])));
}

#[test]
fn without_trust_no_chain_is_checked() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    let report = Verifier::new().verify(message.octets(), Some(NOW));
    assert_eq!(report.verdict, Verdict::Signed);
    assert_eq!(named(&report.checked, "chain"), "no: no trusted certificate was asked for");
    let report = chain.report(|_| {});
    assert_eq!((report.verdict, named(&report.checked, "chain")), (Verdict::Valid, "yes".to_owned()));
    let mut nobody = Verifier::new();
    nobody.ask_for_trust();
    let report = nobody.verify(message.octets(), Some(NOW));
    assert_eq!(report.verdict, Verdict::Untrusted);
    assert!(named(&report.checked, "chain").starts_with("no: certificate "), "{:?}", report.checked);
}

/// The same rules with and without trust; a chain that is missing hides no broken rule.
#[test]
fn a_broken_rule_is_invalid_with_and_without_trust() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |header| header.psid = 38);
    let mut nobody = Verifier::new();
    nobody.ask_for_trust();
    for mut receiver in [Verifier::new(), chain.receiver(), nobody] {
        let report = receiver.verify(message.octets(), Some(NOW));
        let fault = Fault::Violations(vec![Violation::NotPermitted]);
        assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(fault)));
        let why = Violation::NotPermitted.to_string();
        assert_eq!(named(&report.checked, "permissions"), format!("no: {why}"));
    }
    let late = chain.message(SignerForm::Certificate, |header| header.generation_time = Some(NOW + 3_600_000_000));
    let verdict = |mut receiver: Verifier| receiver.verify(late.octets(), None).verdict;
    let mut nobody = Verifier::new();
    nobody.ask_for_trust();
    let words = [verdict(Verifier::new()), verdict(chain.receiver()), verdict(nobody)];
    assert_eq!(words, [Verdict::Signed, Verdict::Expired, Verdict::Untrusted]);
    let report = Verifier::new().verify(late.octets(), None);
    assert_eq!((report.fault, report.noted), (None, vec![Violation::GenerationTime]));
    assert_eq!(named(&report.checked, "time"), format!("no: {}", Violation::GenerationTime));
}

#[test]
fn an_application_listed_twice_is_invalid_without_trust() {
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.app_permissions = Some(vec![permission(CAM, &[1, 0]), permission(CAM, &[1, 0xff])]);
        }
    });
    let message = chain.message(SignerForm::Certificate, |_| {});
    for mut receiver in [Verifier::new(), chain.receiver()] {
        let report = receiver.verify(message.octets(), Some(NOW));
        let fault = Fault::Violations(vec![Violation::Permissions]);
        assert_eq!((report.verdict, report.fault), (Verdict::Invalid, Some(fault)));
    }
}

#[test]
fn a_place_that_is_not_compared_is_open() {
    let report = |chain: &Chain, place: Option<schema::ThreeDLocation>| {
        chain.report(|header| header.generation_location.clone_from(&place))
    };
    let told = |report: &Report| (report.verdict, named(&report.checked, "place"), report.open_regions.len());
    let (valid, no) = (Verdict::Valid, |why: &str| format!("no: {why}"));
    let none = with_regions([None, None, None]);
    assert_eq!(told(&report(&none, None)), (valid, no("the certificate has no region"), 0));
    let near = with_regions([None, None, Some(circle(480_000_000))]);
    assert_eq!(told(&report(&near, None)), (valid, no("the message has no place"), 1));
    assert_eq!(told(&report(&near, at(480_000_000))), (valid, "yes".to_owned(), 0));
    let outside = report(&near, at(490_000_000));
    let why = no(&Violation::GenerationPlace.to_string());
    assert_eq!(told(&outside), (Verdict::Invalid, why, 0));
    // Of an issuer's.
    let above = with_regions([None, Some(circle(480_000_000)), None]);
    assert_eq!(told(&report(&above, None)), (valid, no("the message has no place"), 1));
    let inside = with_regions([None, Some(country(276)), Some(circle(480_000_000))]);
    let unknown = no("whether the place is in a region is not known");
    let found = report(&inside, at(480_000_000));
    assert_eq!(told(&found), (valid, unknown, 1));
    assert_eq!(found.open_regions, [Region::Identified(1, 276, 0)]);
    let part = schema::RegionAndSubregions { region: 3, subregions: vec![7, 0x108] };
    let part = schema::CountryAndSubregions { country: 276, region_and_subregions: vec![part] };
    let parts = vec![schema::IdentifiedRegion::CountryAndSubregions(part)];
    let parts = with_regions([None, None, Some(schema::GeographicRegion::IdentifiedRegion(parts))]);
    let regions = [0x3_0007, 0x3_0108].map(|number| Region::Identified(1, 276, number));
    assert_eq!(report(&parts, at(480_000_000)).open_regions, regions);
    // Without trust its issuers are not known to be the signer's.
    let message = inside.message(SignerForm::Certificate, |header| header.generation_location = at(480_000_000));
    let report = Verifier::new().verify(message.octets(), Some(NOW));
    assert_eq!(told(&report), (Verdict::Signed, "yes".to_owned(), 0));
}

#[test]
fn time_is_open_without_a_clock_or_a_generation_time() {
    let chain = Chain::plain();
    let time = |generated: Option<u64>, now: Option<u64>| {
        let message = chain.message(SignerForm::Certificate, |header| header.generation_time = generated);
        named(&chain.receiver().verify(message.octets(), now).checked, "time")
    };
    assert_eq!(time(Some(NOW), Some(NOW)), "yes");
    assert_eq!(time(Some(NOW), None), "no: the receiver has no clock");
    assert_eq!(time(None, Some(NOW)), "no: the message has no generation time");
    assert_eq!(time(Some(NOW), Some(NOW + 601_000_000)), format!("no: {}", Violation::Clock));
}

#[test]
fn a_payload_that_nobody_decoded_is_open() {
    let chain = Chain::plain();
    let message = chain.message(SignerForm::Certificate, |_| {});
    assert_eq!(named(&chain.report(|_| {}).checked, "payload"), "no: the payload was not decoded");
    let report = chain.receiver().verify_contents(
        message.octets(),
        &Contents::of_application(CAM).with_part(Part::Emergency),
        Some(NOW),
    );
    assert_eq!(
        (report.verdict, named(&report.checked, "payload")),
        (Verdict::Invalid, format!("no: {}", Violation::Part))
    );
    let allowed = chain.receiver().verify_contents(message.octets(), &Contents::of_application(CAM), Some(NOW));
    assert_eq!(named(&allowed.checked, "payload"), "yes");
}

/// A broken rule goes before unknown facts, and a missing chain before both unknown facts and time.
#[test]
fn what_is_not_understood_hides_no_word_that_is_worse() {
    let chain = Chain::plain();
    let hour = 3_600_000_000;
    let mut nobody = Verifier::new();
    nobody.ask_for_trust();
    let of = |receiver: &Verifier, change: &dyn Fn(&mut schema::HeaderInfo)| {
        let message = chain.message(SignerForm::Certificate, change);
        let report = receiver.clone().verify_contents(message.octets(), &Contents::not_understood(), Some(NOW));
        assert!(!named(&report.checked, "payload").starts_with("yes"));
        report
    };
    let open = of(&chain.receiver(), &|_| {});
    assert_eq!(open.verdict, Verdict::Unsupported);
    assert_eq!(named(&open.checked, "payload"), format!("no: {}", Violation::NotUnderstood));
    let late = |header: &mut schema::HeaderInfo| header.generation_time = Some(NOW + hour);
    let found = vec![Violation::NotUnderstood, Violation::GenerationTime, Violation::Clock];
    let report = of(&chain.receiver(), &late);
    assert_eq!((report.verdict, report.fault), (Verdict::Unsupported, Some(Fault::Violations(found))));
    let foreign = |header: &mut schema::HeaderInfo| (header.psid, header.generation_time) = (38, Some(NOW + hour));
    assert_eq!(of(&chain.receiver(), &foreign).verdict, Verdict::Invalid);
    assert_eq!([of(&nobody, &|_| {}).verdict, of(&nobody, &late).verdict], [Verdict::Untrusted; 2]);
    // Of an application whose messages have no parts that need a permission, it is open, and valid.
    let others = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.app_permissions = Some(vec![permission(141, &[])]);
        }
    });
    let message = others.message(SignerForm::Certificate, |header| header.psid = 141);
    let report = others.receiver().verify_contents(message.octets(), &Contents::not_understood(), Some(NOW));
    let why = "no: the payload is not understood".to_owned();
    assert_eq!((report.verdict, named(&report.checked, "payload")), (Verdict::Valid, why));
}

/// Each rule belongs to one check, and leaves the others as they are.
#[test]
fn a_broken_rule_is_told_under_its_own_check() {
    let chain = Chain::plain();
    let later = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == 2 {
            value.to_be_signed.app_permissions = Some(vec![permission(CAM, &[2, 0xff])]);
        }
    });
    let mut revoking = Verifier::new();
    revoking.revoke(chain.certificates[2].digest());
    let cam = || Contents::of_application(CAM);
    let plain = |_: &mut schema::HeaderInfo| {};
    let expired = |header: &mut schema::HeaderInfo| header.expiry_time = Some(NOW);
    let learning = |header: &mut schema::HeaderInfo| header.p2pcd_learning_request = Some([1; 3]);
    type Change<'c> = &'c dyn Fn(&mut schema::HeaderInfo);
    let cases: [(&str, Violation, &Chain, Verifier, Contents, Change<'_>); 5] = [
        ("chain", Violation::Revoked, &chain, revoking, cam(), &plain),
        ("profile", Violation::HeaderField, &chain, Verifier::new(), cam(), &learning),
        ("permissions", Violation::PermissionsVersion, &later, Verifier::new(), cam().with_part(Part::Rescue), &plain),
        ("time", Violation::Expiry, &chain, chain.receiver(), cam(), &expired),
        ("payload", Violation::Application, &chain, Verifier::new(), cam().on_port(2018), &plain),
    ];
    for (name, violation, chain, mut receiver, contents, change) in cases {
        let message = chain.message(SignerForm::Certificate, change);
        let report = receiver.verify_contents(message.octets(), &contents, Some(NOW));
        assert_eq!(report.fault, Some(Fault::Violations(vec![violation])), "{name}");
        let why = format!("no: {violation}");
        let each = report.checked.each();
        let told: Vec<&str> =
            each.iter().filter(|(_, check)| check.to_string() == why).map(|(name, _)| *name).collect();
        assert_eq!(told, [name]);
    }
}

/// A rectangle across two of the issuer's.
#[test]
fn a_region_that_is_not_compared_with_its_issuers_is_open() {
    let rectangle = |north: i32, south: i32| {
        let place = |latitude, longitude| schema::TwoDLocation { latitude, longitude };
        schema::RectangularRegion { north_west: place(north, 100_000_000), south_east: place(south, 120_000_000) }
    };
    let of = |all: &[(i32, i32)]| {
        let all = all.iter().map(|(north, south)| rectangle(*north, *south)).collect();
        Some(schema::GeographicRegion::RectangularRegion(all))
    };
    let place = |own: (i32, i32)| {
        let halves = [(490_000_000, 480_000_000), (480_000_000, 470_000_000)];
        let chain = with_regions([None, of(&halves), of(&[own])]);
        let report = chain.report(|header| header.generation_location = at(479_000_000));
        (report.verdict, named(&report.checked, "place"))
    };
    let open = "no: whether a region is in the issuer's is not known".to_owned();
    assert_eq!(place((480_000_000, 475_000_000)), (Verdict::Valid, "yes".to_owned()));
    assert_eq!(place((485_000_000, 475_000_000)), (Verdict::Valid, open));
}

#[test]
fn a_hash_of_data_elsewhere_is_open() {
    let chain = Chain::plain();
    let mut data = chain.message(SignerForm::Certificate, |_| {}).value().tbs_data.clone();
    data.payload.ext_data_hash = Some(schema::HashedData::Sha256HashedData([7; 32]));
    let signer = schema::SignerIdentifier::Certificate(vec![chain.certificates[2].value().clone()]);
    let message = Signed::sign_value(data, signer, &chain.certificates[2], &chain.key).unwrap();
    let report = chain.receiver().verify(message.octets(), Some(NOW));
    let why = "no: data elsewhere, of which the message has the hash, was not compared";
    assert_eq!((report.verdict, named(&report.checked, "payload")), (Verdict::Valid, why.to_owned()));
}

#[test]
fn nothing_is_checked_of_a_signature_that_does_not_verify() {
    let chain = Chain::plain();
    let mut octets = chain.message(SignerForm::Certificate, |_| {}).octets().to_vec();
    *octets.last_mut().unwrap() ^= 1;
    let report = chain.receiver().verify(&octets, Some(NOW));
    assert_eq!(report.verdict, Verdict::Invalid);
    assert!(report.checked.each().iter().all(|(_, check)| !check.is_yes()));
}
