//! Forged chains of IEEE 1609.2, and right ones among them: root, authority, ticket and a message,
//! of which one thing each is changed.

mod chain;

use chain::*;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, ProfileChoice, SignerForm, Verifier};
use roadwire_security::{Fault, Report, Verdict, Violation};
use schema::{Duration, EndEntityType, GeographicRegion, PsidGroupPermissions as Group, SubjectPermissions};

const ROOT: usize = 0;
const AUTHORITY: usize = 1;
const TICKET: usize = 2;
const MINUTE: u64 = 60_000_000;

type Signed = schema::ToBeSignedCertificate;

/// A chain of which one certificate is changed, and the report on its message.
fn changed(level: usize, certificate: impl Fn(&mut Signed), header: impl Fn(&mut schema::HeaderInfo)) -> Report {
    let chain = Chain::new([Curve::NistP256; 3], |at, value| {
        if at == level {
            certificate(&mut value.to_be_signed);
        }
    });
    let mut receiver = chain.receiver();
    // tests/profile.rs has the profile: here a chain decides.
    receiver.set_profile(ProfileChoice::None);
    receiver.verify(chain.message(SignerForm::Certificate, header).octets(), Some(NOW))
}

/// The verdict, and its reasons: the violations, of the message or of a certificate.
fn said(report: &Report) -> (Verdict, Vec<Violation>) {
    let violations = match &report.fault {
        Some(Fault::Violations(found)) => found.clone(),
        Some(Fault::Certificate { fault, .. }) => match &**fault {
            Fault::Violations(found) => found.clone(),
            other => panic!("{other}"),
        },
        Some(other) => panic!("{other}"),
        None => Vec::new(),
    };
    (report.verdict, violations)
}

const VALID: (Verdict, &[Violation]) = (Verdict::Valid, &[]);
const EXPIRED: (Verdict, &[Violation]) = (Verdict::Expired, &[Violation::GenerationTime]);
const NOT_PERMITTED: (Verdict, &[Violation]) = (Verdict::Invalid, &[Violation::NotPermitted]);
const NOT_ISSUED: (Verdict, &[Violation]) = (Verdict::Untrusted, &[Violation::IssuerPermissions]);
const MALFORMED: (Verdict, &[Violation]) = (Verdict::Untrusted, &[Violation::Permissions]);
const ELSEWHERE: (Verdict, &[Violation]) = (Verdict::Invalid, &[Violation::GenerationPlace]);
const BEYOND: (Verdict, &[Violation]) = (Verdict::Untrusted, &[Violation::IssuerRegion]);

type Row<'r> = (&'r str, usize, Box<dyn Fn(&mut Signed)>, (Verdict, &'r [Violation]));

fn row<'r>(
    name: &'r str,
    level: usize,
    change: impl Fn(&mut Signed) + 'static,
    expected: (Verdict, &'r [Violation]),
) -> Row<'r> {
    (name, level, Box::new(change), expected)
}

fn judge(rows: Vec<Row<'_>>, header: impl Fn(&mut schema::HeaderInfo)) -> usize {
    for (name, level, change, (verdict, violations)) in &rows {
        let report = changed(*level, change, &header);
        assert_eq!(said(&report), (*verdict, violations.to_vec()), "{name}");
    }
    rows.len()
}

fn explicit(psid: u64, ssp_range: Option<schema::SspRange>, least: i64, range: i64, ends: u8) -> Group {
    let range_of_psid = schema::PsidSspRange { psid, ssp_range };
    Group {
        subject_permissions: SubjectPermissions::Explicit(vec![range_of_psid]),
        min_chain_length: least,
        chain_length_range: range,
        ee_type: EndEntityType(ends),
    }
}

fn bitmap(value: &[u8], mask: &[u8]) -> Option<schema::SspRange> {
    let range = schema::BitmapSspRange { ssp_value: octets(value), ssp_bitmask: octets(mask) };
    Some(schema::SspRange::BitmapSspRange(range))
}

fn lengths(least: i64, range: i64) -> impl Fn(&mut Signed) {
    move |one| {
        for group in one.cert_issue_permissions.iter_mut().flatten() {
            (group.min_chain_length, group.chain_length_range) = (least, range);
        }
    }
}

fn issues(groups: Vec<Group>) -> impl Fn(&mut Signed) {
    move |one| one.cert_issue_permissions = Some(groups.clone())
}

fn may(permissions: Vec<schema::PsidSsp>) -> impl Fn(&mut Signed) {
    move |one| one.app_permissions = Some(permissions.clone())
}

fn lasts(start: i64, duration: Duration) -> impl Fn(&mut Signed) {
    move |one| {
        one.validity_period.start = u32::try_from(i64::from(START) + start).unwrap();
        one.validity_period.duration = duration.clone();
    }
}

fn opaque(octets: &[u8]) -> schema::ServiceSpecificPermissions {
    schema::ServiceSpecificPermissions::Opaque(roadwire_wire::OctetString(octets.to_vec()))
}

const APP: u8 = EndEntityType::APP;
const ENROLL: u8 = EndEntityType::ENROLL;

#[test]
fn permissions_of_the_signer() {
    let cam = |ssp: &[u8]| permission(CAM, ssp);
    let none = || schema::PsidSsp { psid: CAM, ssp: None };
    let of = |psid: u64, ssp: Option<schema::ServiceSpecificPermissions>| schema::PsidSsp { psid, ssp };
    let rows = vec![
        row("as it is", TICKET, |_| {}, VALID),
        row(
            "no permissions but to issue",
            TICKET,
            |one| {
                one.app_permissions = None;
                one.cert_issue_permissions = Some(vec![explicit(CAM, None, 1, 0, APP)]);
            },
            (Verdict::Invalid, &[Violation::NotPermitted]),
        ),
        row("for DENM alone", TICKET, may(vec![permission(37, &[1, 0, 0])]), NOT_PERMITTED),
        row("for an application with the same last octet", TICKET, may(vec![permission(292, &[1])]), NOT_PERMITTED),
        row("without service-specific permissions", TICKET, may(vec![none()]), NOT_ISSUED),
        row("in another form", TICKET, may(vec![of(CAM, Some(opaque(&[1, 0x7f])))]), NOT_ISSUED),
        row("of another version", TICKET, may(vec![cam(&[2, 0x80])]), NOT_ISSUED),
        row("empty", TICKET, may(vec![of(CAM, Some(opaque(&[])))]), NOT_ISSUED),
        row("with all bits", TICKET, may(vec![cam(&[1, 0xff])]), VALID),
        row("beyond the mask", TICKET, may(vec![cam(&[1, 0xff, 0xff, 0xff])]), VALID),
        row("shorter than the mask", TICKET, may(vec![cam(&[1])]), VALID),
        row(
            "shorter than what the mask fixes",
            ROOT,
            issues(vec![explicit(CAM, bitmap(&[1, 0xff], &[0xff, 0xff]), 2, 0, APP)]),
            NOT_ISSUED,
        ),
        row("twice", TICKET, may(vec![cam(&[1, 0]), cam(&[1, 0xff])]), (Verdict::Invalid, &[Violation::Permissions])),
        row(
            "another application twice",
            TICKET,
            may(vec![cam(&[1, 0]), permission(37, &[1]), permission(37, &[1])]),
            (Verdict::Invalid, &[Violation::Permissions]),
        ),
        row(
            "another application beyond the issuer's",
            AUTHORITY,
            issues(vec![explicit(CAM, None, 1, 0, APP)]),
            NOT_ISSUED,
        ),
        row("for all applications there are", TICKET, may(vec![cam(&[1]), permission(99, &[7]), of(100, None)]), VALID),
    ];
    assert_eq!(judge(rows, |_| {}), 16);
}

/// A list of permissions has those that an issuer gives; empty ones stand for absent ones.
#[test]
fn lists_of_permissions() {
    let of = |listed: &[&[u8]], ssp: Option<schema::ServiceSpecificPermissions>| {
        let list = listed.iter().map(|one| roadwire_wire::OctetString(one.to_vec())).collect();
        let chain = Chain::new([Curve::NistP256; 3], |at, value| {
            let signed = &mut value.to_be_signed;
            match at {
                TICKET => signed.app_permissions = Some(vec![schema::PsidSsp { psid: CAM, ssp: ssp.clone() }]),
                _ => {
                    let range = Some(schema::SspRange::Opaque(Vec::clone(&list)));
                    signed.cert_issue_permissions = Some(vec![explicit(CAM, range, 1, -1, APP)]);
                }
            }
        });
        chain.report(|_| {}).verdict
    };
    let (valid, untrusted) = (Verdict::Valid, Verdict::Untrusted);
    assert_eq!(of(&[&[1, 0], &[1, 0x80]], Some(opaque(&[1, 0x80]))), valid);
    assert_eq!(of(&[&[1, 0], &[1, 0x80]], Some(opaque(&[1, 0x40]))), untrusted);
    assert_eq!(of(&[&[1, 0x80]], Some(permission(CAM, &[1, 0x80]).ssp.unwrap())), untrusted, "a bitmap");
    assert_eq!(of(&[&[1, 0x80]], None), untrusted);
    assert_eq!(of(&[&[1, 0x80], &[]], None), valid);
    assert_eq!(of(&[], None), untrusted);
}

/// Of an authority that is trusted without its root, so that the root's permissions refuse nothing.
#[test]
fn permissions_of_an_authority_that_is_trusted_itself() {
    let of = |groups: Vec<Group>, ssp: &[u8]| {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| match at {
            AUTHORITY => value.to_be_signed.cert_issue_permissions = Some(groups.clone()),
            _ => value.to_be_signed.app_permissions = Some(vec![permission(CAM, ssp)]),
        });
        let mut receiver = Verifier::new();
        receiver.trust(chain.certificates[AUTHORITY].clone()).unwrap();
        receiver.verify(chain.message(SignerForm::Certificate, |_| {}).octets(), Some(NOW)).verdict
    };
    let cam = |value: &[u8], mask: &[u8]| vec![explicit(CAM, bitmap(value, mask), 1, 0, APP)];
    let (valid, untrusted) = (Verdict::Valid, Verdict::Untrusted);
    assert_eq!(of(cam(&[1, 0xff], &[0xff, 0]), &[1, 0x80]), valid);
    assert_eq!(of(cam(&[1], &[0xff, 0]), &[1, 0x80]), untrusted, "a mask that is longer than its value");
    assert_eq!(of(cam(&[1, 0xff], &[0xff]), &[1, 0x80]), untrusted, "a value that is longer than its mask");
    // Octets that are missing are zero.
    assert_eq!(of(cam(&[1, 0xff], &[0xff, 0x80]), &[1]), untrusted);
    assert_eq!(of(cam(&[1, 0x7f], &[0xff, 0x80]), &[1]), valid);
    let of_kind = |ends: u8| of(vec![explicit(CAM, None, 1, 0, ends)], &[1, 0x80]);
    assert_eq!([of_kind(APP), of_kind(ENROLL), of_kind(APP | ENROLL)], [valid, untrusted, valid]);
    assert_eq!(of(vec![explicit(292, None, 1, 0, APP)], &[1]), untrusted, "an application with the same last octet");
}

#[test]
fn permissions_of_issuers() {
    let all = |least| Group { subject_permissions: SubjectPermissions::All(()), ..explicit(0, None, least, 0, APP) };
    let wide = || bitmap(&[1, 0xff], &[0xff, 0]);
    let cam = |least| explicit(CAM, wide(), least, 0, APP);
    let rows = vec![
        row(
            "a root without permissions to issue",
            ROOT,
            |one| {
                one.cert_issue_permissions = None;
                one.app_permissions = Some(vec![permission(CAM, &[1, 0xff])]);
            },
            NOT_ISSUED,
        ),
        row(
            "an authority without permissions to issue",
            AUTHORITY,
            |one| {
                one.cert_issue_permissions = None;
                one.app_permissions = Some(vec![permission(CAM, &[1, 0xff])]);
            },
            NOT_ISSUED,
        ),
        row(
            "an authority with an empty list of them",
            AUTHORITY,
            |one| one.cert_issue_permissions = Some(Vec::new()),
            NOT_ISSUED,
        ),
        row("a root with an empty list of them", ROOT, |one| one.cert_issue_permissions = Some(Vec::new()), NOT_ISSUED),
        row("an authority for all", AUTHORITY, issues(vec![all(1)]), VALID),
        row("a root for all", ROOT, issues(vec![all(2)]), VALID),
        row("an authority for CAM and all others", AUTHORITY, issues(vec![cam(1), all(1)]), VALID),
        row("an authority for CAM alone, and a ticket for DENM", AUTHORITY, issues(vec![cam(1)]), NOT_ISSUED),
        row("a root for CAM alone", ROOT, issues(vec![cam(2)]), NOT_ISSUED),
        row("two groups for all", AUTHORITY, issues(vec![all(1), all(1)]), MALFORMED),
        row("two groups for all of the root", ROOT, issues(vec![all(2), all(2)]), MALFORMED),
        row("a group of no length", AUTHORITY, issues(vec![cam(1), all(1), explicit(99, None, 0, 1, APP)]), MALFORMED),
        row(
            "a root with a group of no length",
            ROOT,
            issues(vec![cam(2), all(2), explicit(99, None, 0, 1, APP)]),
            MALFORMED,
        ),
        row(
            "a range wider than the root's",
            AUTHORITY,
            issues(vec![explicit(CAM, None, 1, 0, APP), all(1)]),
            NOT_ISSUED,
        ),
        row(
            "a range narrower than the root's",
            AUTHORITY,
            issues(vec![explicit(CAM, bitmap(&[1, 0x80], &[0xff, 0x80]), 1, 0, APP), all(1)]),
            VALID,
        ),
        row(
            "a range narrower than the ticket's",
            AUTHORITY,
            issues(vec![explicit(CAM, bitmap(&[1, 0], &[0xff, 0x80]), 1, 0, APP), all(1)]),
            NOT_ISSUED,
        ),
        row(
            "a root's range narrower than the ticket's",
            ROOT,
            issues(vec![explicit(CAM, bitmap(&[1, 0], &[0xff, 0x80]), 2, 0, APP), all(2)]),
            NOT_ISSUED,
        ),
        row(
            "a mask longer than its value",
            AUTHORITY,
            issues(vec![explicit(CAM, bitmap(&[1], &[0xff, 0]), 1, 0, APP), all(1)]),
            NOT_ISSUED,
        ),
        row(
            "a value longer than its mask",
            ROOT,
            issues(vec![explicit(CAM, bitmap(&[1, 0xff], &[0xff]), 2, 0, APP), all(2)]),
            NOT_ISSUED,
        ),
        row(
            "for enrolment credentials alone",
            AUTHORITY,
            issues(vec![explicit(CAM, wide(), 1, 0, ENROLL), explicit(37, None, 1, 0, ENROLL)]),
            NOT_ISSUED,
        ),
        row(
            "a root for enrolment credentials alone",
            ROOT,
            issues(vec![Group { ee_type: EndEntityType(ENROLL), ..all(2) }]),
            NOT_ISSUED,
        ),
        row(
            "for both kinds of end entities",
            AUTHORITY,
            issues(vec![Group { ee_type: EndEntityType(APP | ENROLL), ..all(1) }]),
            VALID,
        ),
    ];
    assert_eq!(judge(rows, |_| {}), 22);
}

#[test]
fn lengths_of_chains() {
    let rows = vec![
        row("a root one above the end", ROOT, lengths(1, 0), NOT_ISSUED),
        row("a root one or two above", ROOT, lengths(1, 1), VALID),
        row("a root any number above", ROOT, lengths(1, -1), VALID),
        row("a root two or more above", ROOT, lengths(2, -1), VALID),
        row("a root three above", ROOT, lengths(3, 0), NOT_ISSUED),
        row("a root three or more above", ROOT, lengths(3, -1), NOT_ISSUED),
        row("a root none or more above", ROOT, lengths(0, -1), MALFORMED),
        row("a root of a negative length", ROOT, lengths(-1, 5), MALFORMED),
        row("a root of a negative range", ROOT, lengths(2, -2), NOT_ISSUED),
        row("a root of the greatest length", ROOT, lengths(i64::MAX, 1), NOT_ISSUED),
        row("a root of the greatest range", ROOT, lengths(2, i64::MAX), VALID),
        row("an authority two above", AUTHORITY, lengths(2, 0), NOT_ISSUED),
        row("an authority one or more above", AUTHORITY, lengths(1, -1), VALID),
        row("an authority none or one above", AUTHORITY, lengths(0, 1), MALFORMED),
        row("an authority of a negative range", AUTHORITY, lengths(1, -2), NOT_ISSUED),
        row("an authority of the greatest length", AUTHORITY, lengths(i64::MAX, -1), NOT_ISSUED),
    ];
    assert_eq!(judge(rows, |_| {}), 16);
}

#[test]
fn periods_of_certificates() {
    let rows = |level: usize| {
        vec![
            row("as long as the message needs", level, lasts(0, Duration::Minutes(30)), VALID),
            row("a second less", level, lasts(0, Duration::Seconds(1799)), EXPIRED),
            row("a millisecond less", level, lasts(1740, Duration::Milliseconds(59_999)), EXPIRED),
            row("a minute of milliseconds", level, lasts(1740, Duration::Milliseconds(60_000)), VALID),
            row("a microsecond", level, lasts(1800, Duration::Microseconds(1)), VALID),
            row("no time at all, but now", level, lasts(1800, Duration::Microseconds(0)), VALID),
            row("from a second later", level, lasts(1801, Duration::Hours(1)), EXPIRED),
            row("for an hour that is over", level, lasts(-1801, Duration::Hours(1)), EXPIRED),
            row("for an hour that ends now", level, lasts(-1800, Duration::Hours(1)), VALID),
            row("for sixty hours that end now", level, lasts(1800 - 60 * 3600, Duration::SixtyHours(1)), VALID),
            row("for sixty hours that are over", level, lasts(1799 - 60 * 3600, Duration::SixtyHours(1)), EXPIRED),
            row("for a year that ends now", level, lasts(1800 - 31_556_952, Duration::Years(1)), VALID),
            row("for a year that is over", level, lasts(1799 - 31_556_952, Duration::Years(1)), EXPIRED),
        ]
    };
    let all = [ROOT, AUTHORITY, TICKET].map(|level| judge(rows(level), |_| {}));
    assert_eq!(all, [13; 3]);
    // Without a generation time, the receiver's clock counts.
    for level in [ROOT, AUTHORITY, TICKET] {
        let report = changed(level, lasts(0, Duration::Seconds(1799)), |header| header.generation_time = None);
        assert_eq!(said(&report), (Verdict::Expired, vec![Violation::GenerationTime]));
    }
}

#[test]
fn times_of_messages() {
    let of = |change: &dyn Fn(&mut schema::HeaderInfo)| said(&changed(TICKET, lasts(0, Duration::Hours(2)), change));
    let generated = |at: u64| of(&|header: &mut schema::HeaderInfo| header.generation_time = Some(at));
    let clock = (Verdict::Expired, vec![Violation::Clock]);
    assert_eq!(generated(NOW), (Verdict::Valid, vec![]));
    assert_eq!(generated(NOW + 10 * MINUTE), (Verdict::Valid, vec![]));
    assert_eq!(generated(NOW + 10 * MINUTE + 1), clock);
    assert_eq!(generated(NOW - 10 * MINUTE), (Verdict::Valid, vec![]));
    assert_eq!(generated(NOW - 10 * MINUTE - 1), clock);
    let expires = |at: u64| of(&|header: &mut schema::HeaderInfo| header.expiry_time = Some(at));
    assert_eq!(expires(NOW + 1), (Verdict::Valid, vec![]));
    assert_eq!(expires(NOW), (Verdict::Expired, vec![Violation::Expiry]));
    // Before it is received, or before it is made.
    let early = of(&|header| (header.generation_time, header.expiry_time) = (Some(NOW - MINUTE), Some(NOW - 1)));
    assert_eq!(early, (Verdict::Expired, vec![Violation::Expiry]));
    let made_later = of(&|header| (header.generation_time, header.expiry_time) = (Some(NOW + 2), Some(NOW + 1)));
    assert_eq!(made_later, (Verdict::Expired, vec![Violation::Expiry]));
    let late_and_not_permitted = of(&|header| (header.generation_time, header.psid) = (Some(NOW + 11 * MINUTE), 38));
    assert_eq!(late_and_not_permitted, (Verdict::Invalid, vec![Violation::NotPermitted, Violation::Clock]));
}

fn circle(latitude: i32, radius: u16) -> GeographicRegion {
    let center = schema::TwoDLocation { latitude, longitude: 110_000_000 };
    GeographicRegion::CircularRegion(schema::CircularRegion { center, radius })
}

fn countries(all: &[u16]) -> GeographicRegion {
    GeographicRegion::IdentifiedRegion(all.iter().map(|one| schema::IdentifiedRegion::CountryOnly(*one)).collect())
}

fn region_of(country: u16, regions: &[u8]) -> GeographicRegion {
    let one = schema::CountryAndRegions { country_only: country, regions: regions.to_vec() };
    GeographicRegion::IdentifiedRegion(vec![schema::IdentifiedRegion::CountryAndRegions(one)])
}

fn subregions_of(country: u16, region: u8, subregions: &[u16]) -> GeographicRegion {
    let part = schema::RegionAndSubregions { region, subregions: subregions.to_vec() };
    let one = schema::CountryAndSubregions { country, region_and_subregions: vec![part] };
    GeographicRegion::IdentifiedRegion(vec![schema::IdentifiedRegion::CountryAndSubregions(one)])
}

#[test]
fn regions_of_certificates() {
    type Regions = [Option<GeographicRegion>; 3];
    let near = || Some(circle(480_000_000, 1000));
    let far = || Some(circle(490_000_000, 1000));
    let wide = || Some(circle(480_000_000, 5000));
    type InRegions<'r> = (&'r str, Regions, (Verdict, &'r [Violation]));
    let rows: Vec<InRegions<'_>> = vec![
        ("none", [None, None, None], VALID),
        ("of the ticket", [None, None, near()], VALID),
        ("of the authority", [None, near(), None], VALID),
        ("of the root", [near(), None, None], VALID),
        ("of all", [wide(), wide(), near()], VALID),
        ("the ticket's is elsewhere", [None, None, far()], ELSEWHERE),
        ("the authority's is elsewhere", [None, far(), None], ELSEWHERE),
        ("the root's is elsewhere", [far(), None, None], ELSEWHERE),
        ("the ticket's is wider", [None, near(), wide()], BEYOND),
        ("the authority's is wider", [near(), wide(), near()], BEYOND),
        ("the ticket's is wider than the root's", [near(), None, wide()], BEYOND),
        ("a country within two", [None, Some(countries(&[276, 40])), Some(countries(&[40]))], VALID),
        ("a country outside", [None, Some(countries(&[276, 40])), Some(countries(&[40, 756]))], BEYOND),
        ("a region of the country", [None, Some(countries(&[276])), Some(region_of(276, &[3]))], VALID),
        ("the country of a region", [None, Some(region_of(276, &[3])), Some(countries(&[276]))], BEYOND),
        ("another region of the country", [None, Some(region_of(276, &[3])), Some(region_of(276, &[3, 4]))], BEYOND),
        ("a region of another country", [None, Some(region_of(276, &[3])), Some(region_of(40, &[3]))], BEYOND),
        ("a subregion of the region", [None, Some(region_of(276, &[3])), Some(subregions_of(276, 3, &[7]))], VALID),
        (
            "a subregion of another region",
            [None, Some(region_of(276, &[3])), Some(subregions_of(276, 4, &[7]))],
            BEYOND,
        ),
        ("the same subregion", [None, Some(subregions_of(276, 3, &[7, 8])), Some(subregions_of(276, 3, &[8]))], VALID),
        ("another subregion", [None, Some(subregions_of(276, 3, &[7])), Some(subregions_of(276, 3, &[8]))], BEYOND),
        // Whether a circle is in a country is not known: each is compared with the place by itself.
        ("a country within a circle elsewhere", [None, far(), Some(countries(&[276]))], ELSEWHERE),
        ("a country within a circle", [None, near(), Some(countries(&[276]))], VALID),
    ];
    assert_eq!(rows.len(), 23);
    for (name, regions, (verdict, violations)) in rows {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| value.to_be_signed.region = regions[at].clone());
        let report = chain.report(|header| {
            let place = schema::ThreeDLocation { latitude: 480_000_000, longitude: 110_000_000, elevation: 0 };
            header.generation_location = Some(place);
        });
        assert_eq!(said(&report), (verdict, violations.to_vec()), "{name}");
    }
}

/// Whose signature, and whose name.
#[test]
fn signatures_of_chains() {
    let chain = Chain::plain();
    let [root, authority, own] = &chain.certificates;
    let strangers = key(Curve::NistP256, 9);
    let verdict = |certificates: [&Certificate; 3], heard: &[&Certificate]| {
        let chain = Chain { certificates: certificates.map(Clone::clone), key: chain.key.clone() };
        let mut receiver = Verifier::new();
        receiver.trust(root.clone()).unwrap();
        for one in heard {
            receiver.add((*one).clone());
        }
        receiver.verify(chain.message(SignerForm::Certificate, |_| {}).octets(), Some(NOW)).verdict
    };
    assert_eq!(verdict([root, authority, own], &[authority]), Verdict::Valid);
    assert_eq!(verdict([root, authority, own], &[]), Verdict::Untrusted, "the authority was not heard");
    let sign = |issuer: Option<&Certificate>, key| Certificate::sign(ticket(&chain.key), issuer, key).unwrap();
    let forged = sign(Some(authority), &strangers);
    assert_eq!(verdict([root, authority, &forged], &[authority]), Verdict::Untrusted, "by another key");
    let itself = sign(None, &chain.key);
    assert_eq!(verdict([root, authority, &itself], &[authority]), Verdict::Untrusted, "by itself");
    let keys = [key(Curve::NistP256, 1), key(Curve::NistP256, 2)];
    let by_root = sign(Some(root), &keys[0]);
    assert_eq!(verdict([root, authority, &by_root], &[authority]), Verdict::Untrusted, "by the root, two above");
    let by_ticket = sign(Some(own), &chain.key);
    assert_eq!(verdict([root, authority, &by_ticket], &[authority, own]), Verdict::Untrusted, "by a ticket");
    // An authority of a root of its own, under the trusted root's name.
    let others_root = Certificate::sign(chain::authority(&strangers, 2), None, &strangers).unwrap();
    let others = Certificate::sign(chain::authority(&key(Curve::NistP256, 2), 1), Some(&others_root), &strangers);
    let others = others.unwrap();
    let below = sign(Some(&others), &keys[1]);
    assert_eq!(verdict([root, authority, &below], &[&others, &others_root]), Verdict::Untrusted, "another root");
    assert_eq!(verdict([root, authority, &below], &[&others, root]), Verdict::Untrusted, "its root was not heard");
    // The name of an issuer is compared, whatever its key is.
    let roots_key = root.own_key().unwrap().unwrap();
    assert_eq!(own.key_under(root, &roots_key), Err(Fault::Signer));
    assert_eq!(root.key_under(authority, &roots_key), Err(Fault::Signer));
    assert_eq!(others_root.key_under(root, &roots_key), Err(Fault::Signer));
}

/// Of nine certificates the ninth is one too many, for a message and for a certificate.
#[test]
fn a_chain_has_eight_certificates_at_most() {
    let keys: Vec<_> = (1..=10).map(|number| key(Curve::NistP256, number)).collect();
    let mut all: Vec<Certificate> = Vec::new();
    for (at, own) in keys.iter().enumerate() {
        let mut value = authority(own, 1);
        for group in value.to_be_signed.cert_issue_permissions.iter_mut().flatten() {
            group.chain_length_range = -1;
        }
        let signer = if at == 0 { own } else { &keys[at - 1] };
        let certificate = Certificate::sign(value, all.last(), signer).unwrap();
        all.push(certificate);
    }
    let mut receiver = Verifier::new();
    receiver.trust(all[0].clone()).unwrap();
    for one in &all {
        receiver.add(one.clone());
    }
    let lengths: Vec<bool> = all.iter().map(|one| receiver.verify_certificate(one.clone()).is_ok()).collect();
    assert_eq!(lengths, [[true; 8].as_slice(), &[false; 2]].concat());
    let short = receiver.verify_certificate(all[7].clone()).unwrap();
    assert_eq!(short, all[..7].iter().rev().map(Certificate::digest).collect::<Vec<_>>());
}

#[test]
fn a_root_that_did_not_sign_itself_is_not_trusted() {
    let chain = Chain::plain();
    let mut value = chain.certificates[ROOT].value().clone();
    value.to_be_signed.crl_series = 7;
    let forged = Certificate::read(&encoded(&value)).unwrap();
    assert_eq!(Verifier::new().trust(forged), Err(Fault::Signature));
    // The key of an implicit certificate is not known without its issuer.
    let numbers = [&key(Curve::NistP256, 7), &key(Curve::NistP256, 8)];
    let authority = &chain.certificates[AUTHORITY];
    let (implicit, _) =
        Certificate::issue_implicit(ticket(&chain.key), authority, &key(Curve::NistP256, 2), numbers).unwrap();
    assert_eq!(Verifier::new().trust(implicit), Err(Fault::NoKey));
}

#[test]
fn a_trusted_certificate_is_the_one_that_was_given() {
    let chain = Chain::plain();
    let ticket = &chain.certificates[TICKET];
    let mut receiver = Verifier::new();
    receiver.trust(ticket.clone()).unwrap();
    let message = chain.message(SignerForm::Certificate, |_| {});
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).verdict, Verdict::Valid);
    let mut value = ticket.value().clone();
    let Some(schema::Signature::EcdsaNistP256Signature(signature)) = &mut value.signature else { panic!() };
    let schema::EccP256CurvePoint::XOnly(x) = signature.r_sig else { panic!() };
    signature.r_sig = schema::EccP256CurvePoint::Compressed_Y_0(x);
    let other = Certificate::read(&encoded(&value)).unwrap();
    let certificates = [chain.certificates[0].clone(), chain.certificates[1].clone(), other];
    let message = Chain { certificates, key: chain.key.clone() }.message(SignerForm::Certificate, |_| {});
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).verdict, Verdict::Untrusted);
}
