//! Tables of forged issuers and misused permissions, which are refused, and of valid ones, which
//! are accepted.

#[path = "../common/mod.rs"]
mod common;
mod forms;
mod receiver;

use common::{First, Header, Second, Version, key};
use roadwire_security::{
    Attribute, Encoded, Fault, Permission, Place, Region, Restriction, Signer, SigningKey, SubjectType, Trust,
    Violation, check_certificate, check_issued,
};

type Certificate<V> = Encoded<<V as Version>::Certificate>;

const KINDS: [SubjectType; 7] = [
    SubjectType::EnrollmentCredential,
    SubjectType::AuthorizationTicket,
    SubjectType::AuthorizationAuthority,
    SubjectType::EnrollmentAuthority,
    SubjectType::RootCa,
    SubjectType::CrlSigner,
    SubjectType::Unknown,
];

/// Who issues whom: a row for each issuer, with subjects in the order of `KINDS`.
#[rustfmt::skip]
const ISSUES: [(SubjectType, [bool; 7]); 7] = [
    //                                     EC     AT     AA     EA     root   CRL    unknown
    (SubjectType::EnrollmentCredential,   [false, false, false, false, false, false, false]),
    (SubjectType::AuthorizationTicket,    [false, false, false, false, false, false, false]),
    (SubjectType::AuthorizationAuthority, [false, true,  false, false, false, false, false]),
    (SubjectType::EnrollmentAuthority,    [true,  false, false, false, false, false, false]),
    (SubjectType::RootCa,                 [false, false, true,  true,  false, true,  false]),
    (SubjectType::CrlSigner,              [false, false, false, false, false, false, false]),
    (SubjectType::Unknown,                [false, false, false, false, false, false, false]),
];

/// The correct issuer of this kind of certificate.
fn proper_issuer(of: SubjectType) -> SubjectType {
    match of {
        SubjectType::AuthorizationTicket => SubjectType::AuthorizationAuthority,
        SubjectType::EnrollmentCredential => SubjectType::EnrollmentAuthority,
        _ => SubjectType::RootCa,
    }
}

fn permissions(all: &[(u64, &[u8])]) -> Attribute {
    Attribute::Permissions(all.iter().map(|(aid, ssp)| Permission { aid: *aid, ssp: ssp.to_vec() }).collect())
}

/// The applications of this kind of certificate: tickets and enrolment credentials CAM (36), DENM
/// (37) and something else (141) with permissions, others without.
fn usual(subject: SubjectType) -> Attribute {
    match subject {
        SubjectType::AuthorizationTicket | SubjectType::EnrollmentCredential => {
            permissions(&[(36, &[1, 2]), (37, &[3]), (141, &[])])
        }
        _ => Attribute::Aids(vec![36, 37, 141]),
    }
}

const PERIOD: Restriction = Restriction::TimeStartAndEnd(100, 200);

/// The content of a certificate besides its signer.
#[derive(Clone)]
struct Content {
    subject: SubjectType,
    level: u8,
    listed: Option<Attribute>,
    restrictions: Vec<Restriction>,
}

impl Content {
    fn of(subject: SubjectType) -> Content {
        Content { subject, level: 0x60, listed: Some(usual(subject)), restrictions: vec![PERIOD] }
    }

    fn sign<V: Version>(
        &self,
        signer: &Signer<'_, V::Certificate>,
        own: &SigningKey,
        by: &SigningKey,
    ) -> Certificate<V> {
        let mut attributes =
            vec![Attribute::VerificationKey(Some(own.public())), Attribute::AssuranceLevel(self.level)];
        attributes.extend(self.listed.clone());
        Encoded::sign_certificate(V::certificate(signer, self.subject, &attributes, &self.restrictions), by).unwrap()
    }
}

/// The key of the (only) holder of this kind of certificate.
fn key_of(subject: SubjectType) -> SigningKey {
    key(10 + KINDS.iter().position(|kind| *kind == subject).unwrap() as u8)
}

/// A valid certificate of this kind, its issuer's, and so on up to the root.
fn chain<V: Version>(subject: SubjectType) -> Vec<Certificate<V>> {
    let (content, own) = (Content::of(subject), key_of(subject));
    if subject == SubjectType::RootCa {
        return vec![content.sign::<V>(&Signer::Itself, &own, &own)];
    }
    let issuer = proper_issuer(subject);
    let above = chain::<V>(issuer);
    let own = content.sign::<V>(&Signer::Digest(above[0].hashed_id8()), &own, &key_of(issuer));
    [vec![own], above].concat()
}

/// The trust of a receiver that has the root and both authorities.
fn trust<V: Version>() -> Trust<V::Certificate> {
    let mut trust = Trust::new();
    trust.add_root(chain::<V>(SubjectType::RootCa).remove(0)).unwrap();
    trust.add(chain::<V>(SubjectType::AuthorizationAuthority).remove(0)).unwrap();
    trust.add(chain::<V>(SubjectType::EnrollmentAuthority).remove(0)).unwrap();
    trust
}

fn in_certificate<V: Version>(certificate: &Certificate<V>, fault: Fault) -> Fault {
    Fault::Certificate { digest: certificate.hashed_id8(), fault: Box::new(fault) }
}

fn issuer_type() -> Fault {
    Fault::Violations(vec![Violation::IssuerType])
}

/// Each kind of issuer signs each kind of certificate, with its own key, and is named by its
/// digest.
fn issuers_and_subjects<V: Version>() {
    for (issuer_kind, row) in ISSUES {
        let issuer = chain::<V>(issuer_kind).remove(0);
        let mut trust = trust::<V>();
        let is_known = trust.add(issuer.clone());
        assert_eq!(is_known.is_ok(), issuer_kind != SubjectType::Unknown, "{is_known:?}");
        for (subject, may) in KINDS.into_iter().zip(row) {
            let case = format!("{}: {issuer_kind:?} issues {subject:?}", V::NAME);
            let digest = issuer.hashed_id8();
            let forged = Content::of(subject).sign::<V>(&Signer::Digest(digest), &key(1), &key_of(issuer_kind));
            let by_itself: &[Violation] = match subject {
                SubjectType::RootCa => &[Violation::SelfSigned],
                SubjectType::Unknown => &[Violation::SubjectType],
                _ => &[],
            };
            assert_eq!(check_certificate(forged.value()), by_itself, "{case}");
            let verified = trust.verify_certificate(&forged).map(|chain| chain.len());
            if may {
                assert_eq!(check_issued(&forged, &issuer), [], "{case}");
                assert_eq!(forged.verify_certificate(&issuer), Ok(()), "{case}");
                assert_eq!(verified, Ok(if issuer_kind == SubjectType::RootCa { 2 } else { 3 }), "{case}");
                continue;
            }
            assert_eq!(check_issued(&forged, &issuer), [Violation::IssuerType], "{case}");
            assert_eq!(forged.verify_certificate(&issuer), Err(issuer_type()), "{case}");
            let expected = match issuer_kind {
                SubjectType::Unknown => Fault::UnknownCertificate { digest },
                _ => in_certificate::<V>(&forged, issuer_type()),
            };
            assert_eq!(verified, Err(expected.clone()), "{case}");
            // It cannot be added, and a message that contains it is refused.
            assert_eq!(trust.add(forged.clone()), Err(expected.clone()), "{case}");
            let message = V::message(&Signer::Certificate(forged.value()), &cam());
            let message = Encoded::sign_message(message, &key(1)).unwrap();
            assert_eq!(trust.verify(&message), Err(expected), "{case}");
        }
    }
}

#[test]
fn only_authorities_and_roots_issue_and_each_what_is_theirs() {
    issuers_and_subjects::<First>();
    issuers_and_subjects::<Second>();
}

/// Each kind of certificate signs itself, with an unknown key.
fn signed_by_themselves<V: Version>() {
    for subject in KINDS {
        let case = format!("{}: {subject:?}", V::NAME);
        let forged = Content::of(subject).sign::<V>(&Signer::Itself, &key(1), &key(1));
        let verified = trust::<V>().verify_certificate(&forged).map(|chain| chain.len());
        assert_eq!(verified, Err(Fault::UntrustedRoot { digest: forged.hashed_id8() }), "{case}");
        let is_root = subject == SubjectType::RootCa;
        let added = Trust::new().add_root(forged.clone());
        if is_root {
            assert_eq!(check_certificate(forged.value()), [], "{case}");
            assert_eq!(forged.verify_certificate(&forged), Ok(()), "{case}");
            assert!(added.is_ok(), "{case}");
        } else {
            assert_eq!(check_certificate(forged.value())[0], Violation::SelfSigned, "{case}");
            assert_eq!(forged.verify_certificate(&forged), Err(issuer_type()), "{case}");
            assert_eq!(added, Err(Fault::Violations(vec![Violation::SelfSigned])), "{case}");
        }
        // It claims to be self-signed, but another key signed it.
        let forged = Content::of(subject).sign::<V>(&Signer::Itself, &key(1), &key(2));
        let expected = if is_root { Fault::Signature } else { issuer_type() };
        assert_eq!(forged.verify_certificate(&forged), Err(expected), "{case}");
        let expected = if is_root { Fault::Signature } else { Fault::Violations(vec![Violation::SelfSigned]) };
        assert_eq!(Trust::new().add_root(forged), Err(expected), "{case}");
    }
    // One root is not another, nor its issuer.
    let own = chain::<V>(SubjectType::RootCa).remove(0);
    let other = Content::of(SubjectType::RootCa).sign::<V>(&Signer::Itself, &key(1), &key(1));
    assert_eq!(other.verify_certificate(&own), Err(Fault::Signer));
    assert_eq!(check_issued(&other, &own), [Violation::IssuerType]);
}

#[test]
fn a_root_signs_itself_and_nothing_else_does() {
    signed_by_themselves::<First>();
    signed_by_themselves::<Second>();
}

fn cam() -> Header {
    Header { its_aid: 36, times: vec![150_000_000], place: None, request: None }
}

const DEGREE: i32 = 10_000_000;
const MUNICH: Place = Place { latitude: 481_362_000, longitude: 115_270_000 };
const UNKNOWN_PLACE: Place = Place { latitude: 900_000_001, longitude: 1_800_000_001 };

fn rectangle(north: i32, west: i32, south: i32, east: i32) -> Restriction {
    let place = |latitude, longitude| Place { latitude: latitude * DEGREE, longitude: longitude * DEGREE };
    Restriction::Region(Region::Rectangles(vec![(place(north, west), place(south, east))]))
}

/// So many degrees around Munich; less than none: one that is elsewhere.
fn triangle(degrees: i32) -> Restriction {
    let size = degrees * DEGREE;
    let corner =
        |latitude, longitude| Place { latitude: MUNICH.latitude + latitude, longitude: MUNICH.longitude + longitude };
    let first = if size < 0 { corner(size / 2, 0) } else { corner(size, 0) };
    Restriction::Region(Region::Polygon(vec![first, corner(-size.abs(), size), corner(-size.abs(), -size)]))
}

/// How the signer is named.
#[derive(Clone, Copy)]
enum Named {
    ByDigest,
    Carried,
    WithItsIssuers,
}

/// A message, its signer and the signer's authority.
#[derive(Clone)]
struct Plan {
    named: Named,
    header: Header,
    signer: Content,
    authority: Vec<Restriction>,
}

impl Plan {
    fn signed_by(&mut self, subject: SubjectType) {
        self.signer = Content::of(subject);
    }

    fn denm(&mut self) {
        self.header = Header { its_aid: 37, place: Some(MUNICH), ..cam() };
    }

    fn other(&mut self, its_aid: u64) {
        self.header = Header { its_aid, place: Some(MUNICH), ..cam() };
    }
}

/// The outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    Passes,
    /// It passes, and the receiver has this many regions to check.
    PassesWithOpenRegions(usize),
    /// The message breaks these rules.
    Message(&'static [Violation]),
    /// The signer's certificate does.
    Certificate(&'static [Violation]),
}

use Outcome::{Message, Passes, PassesWithOpenRegions};

/// A change to a message for CAM in the middle of its signer's period, and the outcome, for both
/// versions or for each.
type Case<O = Outcome> = (&'static str, fn(&mut Plan), O);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("a CAM", |_| (), Passes),
    ("a CAM by its signer's digest", |plan| plan.named = Named::ByDigest, Passes),
    ("a CAM with its signer's chain", |plan| plan.named = Named::WithItsIssuers, Passes),
    ("a DENM", Plan::denm, Passes),
    ("a CAM at the first moment", |plan| plan.header.times = vec![100_000_000], Passes),
    ("a CAM at the last moment", |plan| plan.header.times = vec![200_000_000], Passes),

    ("a CAM in the only moment of its signer", |plan| {
        plan.signer.restrictions = vec![Restriction::TimeStartAndEnd(150, 150)];
    }, Passes),
    ("a ticket of its authority's level with another confidence", |plan| plan.signer.level = 0x63, Passes),
    ("a ticket of a higher level", |plan| plan.signer.level = 0x80, Outcome::Certificate(&[Violation::IssuerAssurance])),
    ("a CAM that asks for a certificate", |plan| plan.header.request = Some([1, 2, 3]), Passes),
    ("a DENM that asks for a certificate", |plan| {
        plan.denm();
        plan.header.request = Some([1, 2, 3]);
    }, Message(&[Violation::HeaderField])),
    ("a DENM by its signer's digest", |plan| {
        plan.denm();
        plan.named = Named::ByDigest;
    }, Message(&[Violation::Signer])),
    ("a DENM with its signer's chain", |plan| {
        plan.denm();
        plan.named = Named::WithItsIssuers;
    }, Message(&[Violation::Signer])),

    ("a ticket for CAM signs a DENM", |plan| {
        plan.denm();
        plan.signer.listed = Some(permissions(&[(36, &[])]));
    }, Message(&[Violation::NotPermitted])),
    ("a ticket for DENM signs a CAM", |plan| plan.signer.listed = Some(permissions(&[(37, &[])])), Message(&[Violation::NotPermitted])),
    ("the same by its digest", |plan| {
        plan.named = Named::ByDigest;
        plan.signer.listed = Some(permissions(&[(37, &[])]));
    }, Message(&[Violation::NotPermitted])),
    ("the same with its chain", |plan| {
        plan.named = Named::WithItsIssuers;
        plan.signer.listed = Some(permissions(&[(37, &[])]));
    }, Message(&[Violation::NotPermitted])),
    ("a ticket for nothing", |plan| plan.signer.listed = Some(permissions(&[])), Message(&[Violation::NotPermitted])),
    ("a ticket without permissions", |plan| plan.signer.listed = None, Outcome::Certificate(&[Violation::Permissions])),
    ("a ticket with applications alone", |plan| plan.signer.listed = Some(Attribute::Aids(vec![36])),
        Outcome::Certificate(&[Violation::Permissions])),
    ("a ticket for CAM twice", |plan| plan.signer.listed = Some(permissions(&[(36, &[1]), (36, &[2])])),
        Outcome::Certificate(&[Violation::Permissions])),
    ("a ticket for what its authority has not", |plan| plan.signer.listed = Some(permissions(&[(36, &[]), (38, &[])])),
        Outcome::Certificate(&[Violation::IssuerPermissions])),

    ("too early", |plan| plan.header.times = vec![99_999_999], Message(&[Violation::GenerationTime])),
    ("too late", |plan| plan.header.times = vec![200_000_001], Message(&[Violation::GenerationTime])),
    ("too late, by its signer's digest", |plan| {
        plan.named = Named::ByDigest;
        plan.header.times = vec![999_000_000_000];
    }, Message(&[Violation::GenerationTime])),
    ("at no time", |plan| plan.header.times.clear(), Message(&[Violation::MissingHeaderField])),
    ("too late, after a duration", |plan| {
        plan.signer.restrictions = vec![Restriction::TimeStartAndDuration(120, 20)];
    }, Message(&[Violation::GenerationTime])),
    ("a ticket without a start, of an authority with one", |plan| plan.signer.restrictions = vec![Restriction::TimeEnd(160)],
        Outcome::Certificate(&[Violation::IssuerPeriod])),
    ("a ticket that outlives its authority", |plan| plan.authority = vec![Restriction::TimeStartAndEnd(100, 199)],
        Outcome::Certificate(&[Violation::IssuerPeriod])),
    ("a ticket that was there before its authority", |plan| plan.authority = vec![Restriction::TimeStartAndEnd(101, 200)],
        Outcome::Certificate(&[Violation::IssuerPeriod])),
    ("a ticket without a period", |plan| plan.signer.restrictions.clear(), Outcome::Certificate(&[Violation::Time])),
    ("a period that ends before it begins", |plan| plan.signer.restrictions = vec![Restriction::TimeStartAndEnd(160, 140)],
        Outcome::Certificate(&[Violation::Period])),

    ("a root signs a CAM", |plan| plan.signed_by(SubjectType::RootCa), Message(&[Violation::SignerType])),
    ("a root signs a CAM, by its digest", |plan| {
        plan.named = Named::ByDigest;
        plan.signed_by(SubjectType::RootCa);
    }, Message(&[Violation::SignerType])),
    ("an authorization authority signs a CAM", |plan| plan.signed_by(SubjectType::AuthorizationAuthority), Message(&[Violation::SignerType])),
    ("an authorization authority signs a DENM", |plan| {
        plan.denm();
        plan.signed_by(SubjectType::AuthorizationAuthority);
    }, Message(&[Violation::SignerType])),
    ("an enrolment authority signs a CAM", |plan| plan.signed_by(SubjectType::EnrollmentAuthority), Message(&[Violation::SignerType])),
    ("a CRL signer signs a CAM", |plan| plan.signed_by(SubjectType::CrlSigner), Message(&[Violation::SignerType])),
    ("an enrolment credential signs a CAM", |plan| plan.signed_by(SubjectType::EnrollmentCredential), Message(&[Violation::SignerType])),
    ("an enrolment credential signs a DENM", |plan| {
        plan.denm();
        plan.signed_by(SubjectType::EnrollmentCredential);
    }, Message(&[Violation::SignerType])),
    ("an enrolment credential without permissions signs a CAM", |plan| {
        plan.signed_by(SubjectType::EnrollmentCredential);
        plan.signer.listed = None;
    }, Outcome::Certificate(&[Violation::Permissions])),
    ("an unknown sort of certificate signs a CAM", |plan| plan.signed_by(SubjectType::Unknown),
        Outcome::Certificate(&[Violation::IssuerType])),
    ("a ticket with more assurance than its authority", |plan| plan.signer.level = 0x80,
        Outcome::Certificate(&[Violation::IssuerAssurance])),

    ("a DENM in its rectangle", |plan| {
        plan.denm();
        plan.signer.restrictions.push(rectangle(49, 11, 48, 12));
    }, Passes),
    ("a DENM outside its rectangle", |plan| {
        plan.denm();
        plan.signer.restrictions.push(rectangle(48, 11, 47, 12));
    }, Message(&[Violation::GenerationPlace])),
    ("a DENM from an unknown place", |plan| {
        plan.denm();
        plan.header.place = Some(UNKNOWN_PLACE);
        plan.signer.restrictions.push(rectangle(49, 11, 48, 12));
    }, Message(&[Violation::GenerationPlace])),
    ("a DENM outside a rectangle that crosses the date line", |plan| {
        plan.denm();
        plan.signer.restrictions.push(rectangle(49, 170, 48, -170));
    }, Message(&[Violation::GenerationPlace])),
    ("a DENM in a rectangle that crosses the date line", |plan| {
        plan.denm();
        plan.signer.restrictions.push(rectangle(49, 11, 48, -170));
    }, Passes),
    ("a DENM outside its circle", |plan| {
        plan.denm();
        let other = Place { latitude: MUNICH.latitude + DEGREE, ..MUNICH };
        plan.signer.restrictions.push(Restriction::Region(Region::Circle(other, 65_000)));
    }, Message(&[Violation::GenerationPlace])),
    ("a DENM outside its authority's rectangles, which together cannot be compared", |plan| {
        plan.denm();
        let [west, east] = [(110_000_000, 115_000_000), (116_000_000, 120_000_000)].map(|(west, east)| {
            let place = |latitude, longitude| Place { latitude: latitude * DEGREE, longitude };
            (place(49, west), place(48, east))
        });
        plan.authority.push(Restriction::Region(Region::Rectangles(vec![west, east])));
        plan.signer.restrictions.push(rectangle(49, 11, 48, 12));
    }, Message(&[Violation::GenerationPlace])),
    ("a ticket for a rectangle, of an authority in a circle elsewhere", |plan| {
        plan.denm();
        let other = Place { latitude: MUNICH.latitude + DEGREE, ..MUNICH };
        plan.authority.push(Restriction::Region(Region::Circle(other, 65_000)));
        plan.signer.restrictions.push(rectangle(49, 11, 48, 12));
    }, Outcome::Certificate(&[Violation::IssuerRegion])),
    ("a ticket for more than its authority's region", |plan| {
        plan.denm();
        plan.authority.push(rectangle(49, 11, 48, 12));
        plan.signer.restrictions.push(rectangle(49, 11, 48, 13));
    }, Outcome::Certificate(&[Violation::IssuerRegion])),
    ("a ticket for everywhere, of an authority in a region", |plan| plan.authority.push(rectangle(49, 11, 48, 12)),
        Outcome::Certificate(&[Violation::IssuerRegion])),
    ("a rectangle upside down", |plan| plan.signer.restrictions.push(rectangle(48, 11, 49, 12)),
        Outcome::Certificate(&[Violation::IssuerRegion, Violation::Region])),
    ("a restriction that nobody knows", |plan| plan.signer.restrictions.push(Restriction::Unknown(77)),
        Outcome::Certificate(&[Violation::UnknownRestriction])),
    ("a region of a sort that nobody knows", |plan| plan.signer.restrictions.push(Restriction::Region(Region::Unknown)),
        Outcome::Certificate(&[Violation::UnknownRestriction])),
    ("a CAM, which tells no place, in a region", |plan| plan.signer.restrictions.push(rectangle(49, 11, 48, 12)),
        PassesWithOpenRegions(1)),
    ("a DENM in a polygon", |plan| {
        plan.denm();
        plan.signer.restrictions.push(triangle(1));
    }, Passes),
    ("a DENM outside its polygon", |plan| {
        plan.denm();
        plan.signer.restrictions.push(triangle(-1));
    }, Message(&[Violation::GenerationPlace])),
    ("a ticket for more than its authority's polygon", |plan| {
        plan.denm();
        plan.authority.push(triangle(1));
        plan.signer.restrictions.push(triangle(2));
    }, Outcome::Certificate(&[Violation::IssuerRegion])),
    ("a DENM in a region of a dictionary", |plan| {
        plan.denm();
        plan.signer.restrictions.push(Restriction::Region(Region::Identified(0, 276, 0)));
    }, PassesWithOpenRegions(1)),
    ("a CAM in two regions of a dictionary", |plan| {
        plan.authority.push(Restriction::Region(Region::Identified(0, 276, 0)));
        plan.signer.restrictions.push(Restriction::Region(Region::Identified(0, 276, 9)));
    }, PassesWithOpenRegions(2)),
];

/// In V1.1.1 other messages have a type without a known application.
#[rustfmt::skip]
const OTHER_APPLICATIONS: &[Case<[Outcome; 2]>] = &[
    ("another message", |plan| plan.other(141), [Message(&[Violation::UnknownApplication]), Passes]),
    ("a message of an application that nobody has", |plan| plan.other(38),
        [Message(&[Violation::UnknownApplication]), Message(&[Violation::NotPermitted])]),
    ("another message of an enrolment credential", |plan| {
        plan.other(141);
        plan.signed_by(SubjectType::EnrollmentCredential);
    }, [Message(&[Violation::UnknownApplication]), Passes]),
    ("another message of a root", |plan| {
        plan.other(141);
        plan.signed_by(SubjectType::RootCa);
    }, [Message(&[Violation::SignerType, Violation::UnknownApplication]), Message(&[Violation::SignerType])]),
];

fn is_so<V: Version>(case: &str, change: fn(&mut Plan), expected: Outcome) {
    let case = format!("{}: {case}", V::NAME);
    let signer = Content::of(SubjectType::AuthorizationTicket);
    let mut plan = Plan { named: Named::Carried, header: cam(), signer, authority: vec![PERIOD] };
    change(&mut plan);
    let mut trust = Trust::new();
    let root = chain::<V>(SubjectType::RootCa).remove(0);
    trust.add_root(root.clone()).unwrap();

    // Unknown kinds are issued by an authority.
    let issuer = match plan.signer.subject {
        SubjectType::Unknown => SubjectType::AuthorizationAuthority,
        subject => proper_issuer(subject),
    };
    let mut above = vec![root];
    if issuer != SubjectType::RootCa {
        let content = Content { restrictions: plan.authority.clone(), ..Content::of(issuer) };
        let named = Signer::Digest(above[0].hashed_id8());
        let authority = content.sign::<V>(&named, &key_of(issuer), &key_of(SubjectType::RootCa));
        trust.add(authority.clone()).unwrap();
        above.push(authority);
    }
    let (own, issuers) = (key_of(plan.signer.subject), key_of(issuer));
    let signer = match plan.signer.subject {
        SubjectType::RootCa => above.pop().unwrap(),
        _ => plan.signer.sign::<V>(&Signer::Digest(above.last().unwrap().hashed_id8()), &own, &issuers),
    };
    let values = above.iter().chain([&signer]).map(|one| one.value().clone()).collect::<Vec<_>>();
    let named = match plan.named {
        Named::ByDigest => {
            trust.add(signer.clone()).unwrap();
            Signer::Digest(signer.hashed_id8())
        }
        Named::Carried => Signer::Certificate(signer.value()),
        Named::WithItsIssuers => Signer::Chain(&values),
    };
    let message = Encoded::sign_message(V::message(&named, &plan.header), &own).unwrap();
    assert_eq!(message.verify_signature(&signer.verification_key().unwrap()), Ok(()), "{case}");
    let verified = trust.verify(&message);
    let expected = match expected {
        Message(violations) => Fault::Violations(violations.into()),
        Outcome::Certificate(violations) => in_certificate::<V>(&signer, Fault::Violations(violations.into())),
        Passes | PassesWithOpenRegions(_) => {
            let open = if let PassesWithOpenRegions(count) = expected { count } else { 0 };
            let verified = verified.unwrap_or_else(|fault| panic!("{case}: {fault}"));
            assert_eq!(verified.open_regions.len(), open, "{case}");
            assert_eq!(*verified.chain[0], signer, "{case}");
            assert_eq!(verified.its_aid, Some(plan.header.its_aid), "{case}");
            let ssp: &[u8] = match plan.header.its_aid {
                36 => &[1, 2],
                37 => &[3],
                _ => &[],
            };
            assert_eq!(verified.permissions.as_deref(), Some(ssp), "{case}");
            return;
        }
    };
    assert_eq!(verified, Err(expected), "{case}");
}

#[test]
fn a_message_is_held_against_its_signers_permissions() {
    assert!(CASES.len() >= 40, "{}", CASES.len());
    for (case, change, expected) in CASES {
        is_so::<First>(case, *change, *expected);
        is_so::<Second>(case, *change, *expected);
    }
    for (case, change, [first, second]) in OTHER_APPLICATIONS {
        is_so::<First>(case, *change, *first);
        is_so::<Second>(case, *change, *second);
    }
}

/// Messages with invalid chains.
fn chains<V: Version>() {
    let ticket_chain = chain::<V>(SubjectType::AuthorizationTicket);
    let [ticket, authority, root] = ticket_chain.as_slice() else { panic!("{} links", ticket_chain.len()) };
    let enrolment = &chain::<V>(SubjectType::EnrollmentAuthority)[0];
    let stolen = key_of(SubjectType::AuthorizationTicket);
    let mut trust = trust::<V>();
    let verify = |trust: &Trust<V::Certificate>, chain: &[&Certificate<V>], key: &SigningKey| {
        let values: Vec<_> = chain.iter().map(|one| one.value().clone()).collect();
        let message = Encoded::sign_message(V::message(&Signer::Chain(&values), &cam()), key).unwrap();
        trust.verify(&message).map(|verified| verified.chain.len())
    };
    let by_ticket = Signer::Digest(ticket.hashed_id8());
    let sub = Content::of(SubjectType::AuthorizationTicket).sign::<V>(&by_ticket, &key(1), &stolen);
    let false_authority = Content::of(SubjectType::AuthorizationAuthority).sign::<V>(&by_ticket, &key(1), &stolen);
    let by_false = Signer::Digest(false_authority.hashed_id8());
    let of_false = Content::of(SubjectType::AuthorizationTicket).sign::<V>(&by_false, &key(2), &key(1));
    let false_root = Content::of(SubjectType::RootCa).sign::<V>(&Signer::Itself, &key(1), &key(1));
    let by_root = Signer::Digest(root.hashed_id8());
    let unsigned = Content::of(SubjectType::AuthorizationAuthority).sign::<V>(&by_root, &key(1), &key(1));
    let of_unsigned = Content::of(SubjectType::AuthorizationTicket).sign::<V>(
        &Signer::Digest(unsigned.hashed_id8()),
        &key(2),
        &key(1),
    );
    let by_false_root = Signer::Digest(false_root.hashed_id8());
    let other_authority = Content::of(SubjectType::AuthorizationAuthority).sign::<V>(&by_false_root, &key(1), &key(1));
    let of_other = Content::of(SubjectType::AuthorizationTicket).sign::<V>(
        &Signer::Digest(other_authority.hashed_id8()),
        &key(2),
        &key(1),
    );

    for known in [false, true] {
        let wrong = |certificate, fault| Err(in_certificate::<V>(certificate, fault));
        assert_eq!(verify(&trust, &[root, authority, ticket], &stolen), Ok(3), "{}", V::NAME);
        assert_eq!(verify(&trust, &[authority, ticket], &stolen), Ok(3));
        assert_eq!(verify(&trust, &[ticket], &stolen), Ok(3));
        assert_eq!(verify(&trust, &[], &stolen), Err(Fault::Signer));
        // A link is missing, or belongs to another chain.
        assert_eq!(verify(&trust, &[root, ticket], &stolen), wrong(ticket, Fault::Signer));
        assert_eq!(verify(&trust, &[enrolment, ticket], &stolen), wrong(ticket, Fault::Signer));
        assert_eq!(verify(&trust, &[&sub, ticket], &stolen), wrong(ticket, Fault::Signer));
        assert_eq!(verify(&trust, &[enrolment, root, authority, ticket], &stolen), wrong(root, Fault::Signer));
        // A ticket issues.
        assert_eq!(verify(&trust, &[root, authority, ticket, &sub], &key(1)), wrong(&sub, issuer_type()));
        assert_eq!(verify(&trust, &[ticket, &sub], &key(1)), wrong(&sub, issuer_type()));
        assert_eq!(verify(&trust, &[ticket, &false_authority, &of_false], &key(2)), wrong(&of_false, issuer_type()));
        // It is not signed, or signed by an untrusted certificate.
        assert_eq!(verify(&trust, &[&unsigned, &of_unsigned], &key(2)), wrong(&unsigned, Fault::Signature));
        let untrusted = Fault::UntrustedRoot { digest: false_root.hashed_id8() };
        assert_eq!(verify(&trust, &[&false_root, &other_authority, &of_other], &key(2)), Err(untrusted));
        let unknown = Fault::UnknownCertificate { digest: false_root.hashed_id8() };
        assert_eq!(verify(&trust, &[&other_authority, &of_other], &key(2)), Err(unknown));
        // In reverse order.
        assert!(verify(&trust, &[ticket, authority, root], &key_of(SubjectType::RootCa)).is_err());
        if !known {
            trust.add(ticket.clone()).unwrap();
        }
    }
    // Signed by itself, a message has no signer.
    let message = Encoded::sign_message(V::message(&Signer::Itself, &cam()), &stolen).unwrap();
    assert_eq!(trust.verify(&message), Err(Fault::Signer));
    // Without its authority a ticket is no longer trusted.
    assert!(trust.remove(&authority.hashed_id8()));
    let message = V::message(&Signer::Digest(ticket.hashed_id8()), &cam());
    let message = Encoded::sign_message(message, &stolen).unwrap();
    assert_eq!(trust.verify(&message), Err(Fault::UnknownCertificate { digest: authority.hashed_id8() }));
    assert_eq!(verify(&trust, &[root, authority, ticket], &stolen), Ok(3));
    assert!(trust.remove(&ticket.hashed_id8()));
    assert_eq!(trust.verify(&message), Err(Fault::UnknownCertificate { digest: ticket.hashed_id8() }));
}

#[test]
fn each_link_of_a_chain_counts() {
    chains::<First>();
    chains::<Second>();
}

/// V1.1.1 has a certificate's issuer in the certificate.
#[test]
fn issuers_that_certificates_carry_are_followed() {
    let [authority, root] = chain::<First>(SubjectType::AuthorizationAuthority).try_into().unwrap();
    let own = key_of(SubjectType::AuthorizationAuthority);
    let of = |issuer: &Certificate<First>| {
        Content::of(SubjectType::AuthorizationTicket).sign::<First>(&Signer::Certificate(issuer.value()), &key(1), &own)
    };
    let ticket = of(&authority);
    let mut trust = Trust::new();
    trust.add_root(root.clone()).unwrap();
    assert_eq!(trust.verify_certificate(&ticket).map(|chain| chain.len()), Ok(3));
    // The issuer in it is also verified.
    let by_root = Signer::Digest(root.hashed_id8());
    let forged = Content::of(SubjectType::AuthorizationAuthority).sign::<First>(&by_root, &own, &key(2));
    let expected = in_certificate::<First>(&forged, Fault::Signature);
    let of_forged = of(&forged);
    assert_eq!(trust.verify_certificate(&of_forged), Err(expected));
    // The certificates in it are known from then on.
    trust.add(ticket).unwrap();
    let ticket = Content::of(SubjectType::AuthorizationTicket);
    let ticket = ticket.sign::<First>(&Signer::Digest(authority.hashed_id8()), &key(1), &own);
    assert_eq!(trust.verify_certificate(&ticket).map(|chain| chain.len()), Ok(3));
}

/// A rule can be tolerated, but not everything.
#[test]
fn who_may_issue_what_is_never_tolerated() {
    let [ticket, authority, _] = chain::<Second>(SubjectType::AuthorizationTicket).try_into().unwrap();
    let mut trust = trust::<Second>();
    for violation in [Violation::IssuerType, Violation::SelfSigned, Violation::MissingAssurance] {
        trust.tolerate(violation);
    }
    let by_ticket = Signer::Digest(ticket.hashed_id8());
    let stolen = key_of(SubjectType::AuthorizationTicket);
    trust.add(ticket.clone()).unwrap();
    for subject in KINDS {
        let sub = Content::of(subject).sign::<Second>(&by_ticket, &key(1), &stolen);
        assert_eq!(trust.add(sub.clone()), Err(in_certificate::<Second>(&sub, issuer_type())), "{subject:?}");
        let by_itself = Content::of(subject).sign::<Second>(&Signer::Itself, &stolen, &stolen);
        assert!(trust.add(by_itself).is_err());
    }
    // An attribute less.
    let attributes = [Attribute::VerificationKey(Some(key(1).public())), usual(SubjectType::AuthorizationTicket)];
    let by_authority = Signer::Digest(authority.hashed_id8());
    let value = Second::certificate(&by_authority, SubjectType::AuthorizationTicket, &attributes, &[PERIOD]);
    let plain = Encoded::sign_certificate(value, &key_of(SubjectType::AuthorizationAuthority)).unwrap();
    let refused = Fault::Violations(vec![Violation::MissingAssurance]);
    assert_eq!(plain.verify_certificate(&authority), Err(refused.clone()));
    let message = Second::message(&Signer::Certificate(plain.value()), &cam());
    let message = Encoded::sign_message(message, &key(1)).unwrap();
    assert_eq!(trust.verify(&message).unwrap().tolerated, [Violation::MissingAssurance]);
    trust.refuse(Violation::MissingAssurance);
    assert_eq!(trust.verify(&message), Err(in_certificate::<Second>(&plain, refused)));
}
