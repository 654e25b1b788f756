//! Any octets as a secured message, in both versions of TS 103 097 V1: accepted messages must have
//! been signed by a permitted signer.

use std::sync::OnceLock;

use roadwire_security::{
    Attribute, Certificate, Encoded, Permission, Place, Region, Restriction, Signer, SubjectType, Trust,
    check_certificate, check_message,
};

use crate::signed::{First, Header, Second, Version, key};

/// The first octet selects the version; the rest is a secured message.
pub fn message_verified(input: &[u8]) {
    static FIRST: OnceLock<World<First>> = OnceLock::new();
    static SECOND: OnceLock<World<Second>> = OnceLock::new();
    match input.split_first() {
        Some((version, octets)) if version & 1 == 0 => FIRST.get_or_init(World::new).verify(octets),
        Some((_, octets)) => SECOND.get_or_init(World::new).verify(octets),
        None => {}
    }
}

/// Messages of both versions that are accepted.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let first = World::<First>::new().messages.into_iter().map(|one| [&[0], one.octets()].concat());
    let second = World::<Second>::new().messages.into_iter().map(|one| [&[1], one.octets()].concat());
    first.chain(second).collect()
}

/// The signers that a receiver trusts, and everything that they have signed.
struct World<V: Version> {
    trust: Trust<V::Certificate>,
    certificates: Vec<Encoded<V::Certificate>>,
    messages: Vec<Encoded<V::Message>>,
}

impl<V: Version> World<V> {
    fn new() -> World<V> {
        let root = certificate::<V>(&Signer::Itself, SubjectType::RootCa, [1, 1]);
        let authority = certificate::<V>(&digest(&root), SubjectType::AuthorizationAuthority, [2, 1]);
        let ticket = certificate::<V>(&digest(&authority), SubjectType::AuthorizationTicket, [3, 2]);
        let mut trust = Trust::new();
        trust.add_root(root.clone()).expect("a root");
        trust.add(authority.clone()).expect("an authority");
        trust.add(ticket.clone()).expect("a ticket");
        let chain = [authority.value().clone(), ticket.value().clone()];
        let signers = [digest(&ticket), Signer::Certificate(ticket.value()), Signer::Chain(&chain)];
        let sign = |(at, signer): (usize, &Signer<'_, V::Certificate>)| {
            let place = Place { latitude: 1, longitude: 1 };
            let its_aid = [36, 37, 36][at];
            let header =
                Header { its_aid, times: vec![150_000_000], place: (its_aid != 36).then_some(place), request: None };
            Encoded::sign_message(V::message(signer, &header), &key(3)).expect("a message")
        };
        let messages: Vec<_> = signers.iter().enumerate().map(sign).collect();
        for message in &messages {
            let verified = trust.verify(message);
            assert!(verified.is_ok(), "{}: {:?} of {message:?}", V::NAME, verified.err());
        }
        World { trust, certificates: vec![root, authority, ticket], messages }
    }

    fn verify(&self, octets: &[u8]) {
        let Ok(message) = Encoded::<V::Message>::read(octets) else { return };
        let _ = check_message(message.value());
        let hash = message.message_hash();
        if self.trust.verify(&message).is_ok() {
            let ours = self.messages.iter().any(|one| one.message_hash() == hash);
            assert!(hash.is_ok() && ours, "{}: a message that nobody signed: {message:?}", V::NAME);
        }
        for certificate in message.certificates().into_iter().flatten() {
            let _ = check_certificate(certificate.value());
            regions_agree(certificate.value());
            let hash = certificate.certificate_hash();
            if self.trust.verify_certificate(&certificate).is_ok() {
                let ours = self.certificates.iter().any(|one| one.certificate_hash() == hash);
                assert!(hash.is_ok() && ours, "{}: a certificate that nobody issued: {certificate:?}", V::NAME);
            }
        }
    }
}

fn triangle() -> Region {
    let corners = [(300_000, 0), (-200_000, 200_000), (-200_000, -200_000)];
    Region::Polygon(corners.map(|(latitude, longitude)| Place { latitude, longitude }).into())
}

/// A region within another one has no place that the other one has not.
fn regions_agree<C: Certificate>(certificate: &C) {
    let wide = Place { latitude: 500_000_000, longitude: 100_000_000 };
    let outer = [
        triangle(),
        Region::Circle(wide, 65_000),
        Region::Rectangles(vec![(wide, Place { latitude: 0, longitude: -1 })]),
    ];
    for restriction in certificate.restrictions() {
        let Restriction::Region(region) = restriction else { continue };
        if region.is_valid() && region != Region::Unknown {
            assert!(region.is_within(&region) == Some(true), "not within itself: {region:?}");
        }
        for other in &outer {
            for (inner, outer) in [(&region, other), (other, &region)] {
                let is_within = inner.is_within(outer) == Some(true);
                for place in places(inner).into_iter().chain(places(outer)) {
                    let wrong =
                        is_within && inner.contains(&place) == Some(true) && outer.contains(&place) == Some(false);
                    assert!(!wrong, "{inner:?} is within {outer:?}, but for {place:?}");
                }
            }
        }
    }
}

/// Some places in or near a region.
fn places(region: &Region) -> Vec<Place> {
    match region {
        Region::None | Region::Identified(..) | Region::Unknown => Vec::new(),
        Region::Circle(centre, _) => vec![*centre],
        Region::Rectangles(all) => all.iter().flat_map(|(one, other)| [*one, *other]).collect(),
        Region::Polygon(corners) => corners.clone(),
    }
}

fn digest<'a, C: Certificate>(issuer: &Encoded<C>) -> Signer<'a, C> {
    Signer::Digest(issuer.hashed_id8())
}

/// A certificate for CAM, DENM and another application, with the key of one number, signed by that
/// of another.
fn certificate<V: Version>(
    signer: &Signer<'_, V::Certificate>,
    subject: SubjectType,
    [own, issuer]: [u8; 2],
) -> Encoded<V::Certificate> {
    let permissions = [36, 37, 141].map(|aid| Permission { aid, ssp: vec![1] });
    let listed = match subject {
        SubjectType::AuthorizationTicket => Attribute::Permissions(permissions.into()),
        _ => Attribute::Aids(vec![36, 37, 141]),
    };
    let attributes = [Attribute::VerificationKey(Some(key(own).public())), Attribute::AssuranceLevel(0x60), listed];
    let around = match subject {
        SubjectType::AuthorizationTicket => triangle(),
        _ => Region::Circle(Place { latitude: 0, longitude: 0 }, 5_000),
    };
    let restrictions = [Restriction::TimeStartAndEnd(100, 200), Restriction::Region(around)];
    let value = V::certificate(signer, subject, &attributes, &restrictions);
    Encoded::sign_certificate(value, &key(issuer)).expect("a certificate")
}
