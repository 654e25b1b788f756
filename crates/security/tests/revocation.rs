//! Revoked certificates: lists by hash and by linkage seeds, and certificates that a receiver no
//! longer trusts.

mod chain;

use chain::*;
use roadwire_messages::Coer;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier, crl_schema as crl};
use roadwire_security::{Fault, Verdict, Violation};

const SERIES: u16 = 7;
const CRL: u64 = 256;
const J_MAX: u8 = 20;
const J: u32 = 12;
/// IEEE Std 1609.2-2022 §D.7: seeds of period 5, say, and the linkage value of the 12th certificate
/// of the next period.
const LA: [[u8; 2]; 2] = [[0x8e, 0x09], [0x59, 0xce]];
const SEEDS: [[u8; 16]; 2] = [
    [0x15, 0x02, 0xD9, 0xAB, 0x67, 0x86, 0xBF, 0x68, 0xFB, 0xA9, 0xF2, 0x10, 0x37, 0x3B, 0xF2, 0x21],
    [0x57, 0x55, 0xF1, 0x6E, 0x89, 0x98, 0x1D, 0x21, 0x89, 0xA6, 0xDA, 0xEA, 0x48, 0x40, 0xED, 0x22],
];
const I_REV: u16 = 5;
const VALUES: [[u8; 9]; 2] =
    [[0xff, 0x37, 0xe7, 0xfa, 0xf9, 0x8a, 0xc6, 0x57, 0xfa], [0xe8, 0x3a, 0x8b, 0x04, 0xad, 0x02, 0x8a, 0xb8, 0xdd]];

fn ssp(craca: crl::CracaType, series: u16) -> schema::PsidSsp {
    let ssp = crl::CrlSsp { version: 1, associated_craca: craca, crls: vec![series], ..Default::default() };
    let octets = roadwire_engine::Message::<Coer>::encode_to_vec(&ssp, 100).unwrap();
    let ssp = Some(schema::ServiceSpecificPermissions::Opaque(roadwire_wire::OctetString(octets)));
    schema::PsidSsp { psid: CRL, ssp }
}

/// A root that may sign lists, and the chain below it. The ticket names the root's lists, and has
/// this id.
struct Case {
    chain: Chain,
    root_key: SecretKey,
}

impl Case {
    fn new(id: schema::CertificateId, craca: Option<[u8; 3]>) -> Case {
        let root = |value: &mut schema::CertificateBase| {
            value.to_be_signed.app_permissions = Some(vec![ssp(crl::CracaType::IsCraca, SERIES)]);
        };
        let first = Chain::new([Curve::NistP256; 3], |at, value| {
            if at == 0 {
                root(value);
            }
        });
        let named = craca.unwrap_or_else(|| first.certificates[0].digest()[5..].try_into().unwrap());
        let chain = Chain::new([Curve::NistP256; 3], |at, value| match at {
            0 => root(value),
            _ => {
                value.to_be_signed.craca_id = named;
                value.to_be_signed.crl_series = SERIES;
                if at == 2 {
                    value.to_be_signed.id = id.clone();
                }
            }
        });
        Case { chain, root_key: key(Curve::NistP256, 1) }
    }

    fn plain() -> Case {
        Case::new(schema::CertificateId::None(()), None)
    }

    fn linked(i_cert: u16, value: [u8; 9]) -> Case {
        let data = schema::LinkageData { i_cert, linkage_value: value, ..Default::default() };
        Case::new(schema::CertificateId::LinkageData(data), None)
    }

    fn contents(&self, type_specific: crl::TypeSpecificCrlContents) -> crl::CrlContents {
        crl::CrlContents {
            version: 1,
            crl_series: SERIES,
            crl_craca: self.chain.certificates[0].digest(),
            issue_date: START + 60,
            next_crl: START + 3600,
            type_specific,
            ..Default::default()
        }
    }

    /// A list of the root that has the hash of a certificate.
    fn of_hash(&self, certificate: &Certificate) -> crl::CrlContents {
        let entry = crl::HashBasedRevocationInfo { id: certificate.hashed_id10(), ..Default::default() };
        let list = crl::ToBeSignedHashIdCrl { entries: vec![entry], ..Default::default() };
        self.contents(crl::TypeSpecificCrlContents::FullHashCrl(list))
    }

    fn signed(&self, contents: &crl::CrlContents, change: impl Fn(&mut schema::HeaderInfo)) -> Vec<u8> {
        let [root, ..] = &self.chain.certificates;
        signed(contents, root, &self.root_key, change)
    }

    fn receiver(&self) -> Verifier {
        let mut receiver = self.chain.receiver();
        receiver.set_profile(roadwire_security::dot2::ProfileChoice::None);
        receiver
    }

    fn report(&self, receiver: &mut Verifier) -> (Verdict, Option<Fault>) {
        let message = self.chain.message(SignerForm::Certificate, |_| {});
        let report = receiver.verify(message.octets(), Some(NOW));
        (report.verdict, report.fault)
    }

    /// Whether the ticket is revoked by a list.
    fn is_revoked_by(&self, contents: &crl::CrlContents) -> bool {
        let mut receiver = self.receiver();
        assert_eq!(self.report(&mut receiver), (Verdict::Valid, None));
        receiver.add_crl(&self.signed(contents, |_| {}), Some(NOW)).unwrap();
        match self.report(&mut receiver) {
            (Verdict::Valid, None) => false,
            found => {
                assert_eq!(found, (Verdict::Invalid, Some(Fault::Violations(vec![Violation::Revoked]))));
                true
            }
        }
    }
}

fn signed(
    contents: &crl::CrlContents,
    certificate: &Certificate,
    key: &SecretKey,
    change: impl Fn(&mut schema::HeaderInfo),
) -> Vec<u8> {
    let payload = roadwire_engine::Message::<Coer>::encode_to_vec(contents, 10_000).unwrap();
    let mut header = schema::HeaderInfo { psid: CRL, ..Default::default() };
    change(&mut header);
    Signed::sign(&payload, header, certificate, SignerForm::Certificate, key).unwrap().octets().to_vec()
}

fn of_seeds(change: impl Fn(&mut crl::JMaxGroup)) -> crl::TypeSpecificCrlContents {
    let one = crl::IndividualRevocation { linkage_seed1: SEEDS[0], linkage_seed2: SEEDS[1], ..Default::default() };
    let of_i = crl::IMaxGroup { i_max: I_REV + 10, contents: vec![one], ..Default::default() };
    let of_authorities = crl::LAGroup { la1_id: LA[0], la2_id: LA[1], contents: vec![of_i], ..Default::default() };
    let mut of_j = crl::JMaxGroup { jmax: J_MAX, contents: vec![of_authorities], ..Default::default() };
    change(&mut of_j);
    crl::TypeSpecificCrlContents::FullLinkedCrl(crl::ToBeSignedLinkageValueCrl {
        i_rev: I_REV,
        individual: Some(vec![of_j]),
        ..Default::default()
    })
}

#[test]
fn a_certificate_in_a_list_is_revoked() {
    let case = Case::plain();
    let [root, authority, ticket] = &case.chain.certificates;
    assert!(case.is_revoked_by(&case.of_hash(ticket)));
    assert!(case.is_revoked_by(&case.of_hash(authority)), "an issuer");
    let other = Certificate::sign(ticket_of(9), Some(authority), &key(Curve::NistP256, 2)).unwrap();
    assert!(!case.is_revoked_by(&case.of_hash(&other)));
    let mut receiver = case.receiver();
    receiver.add_crl(&case.signed(&case.of_hash(authority), |_| {}), Some(NOW)).unwrap();
    let refused =
        Fault::Certificate { digest: ticket.digest(), fault: Box::new(Fault::Violations(vec![Violation::Revoked])) };
    assert_eq!(receiver.verify_certificate(ticket.clone()), Err(refused));
    assert_eq!(receiver.verify_certificate(root.clone()), Ok(vec![]));
}

fn ticket_of(number: u8) -> schema::CertificateBase {
    ticket(&key(Curve::NistP256, number))
}

#[test]
fn seeds_revoke_the_certificates_of_their_holder() {
    for (periods, value) in (0..).zip(VALUES) {
        let case = Case::linked(I_REV + periods, value);
        assert!(case.is_revoked_by(&case.contents(of_seeds(|_| {}))), "{periods}");
        assert!(case.is_revoked_by(&case.contents(of_seeds(|of_j| of_j.jmax = J as u8))));
        assert!(!case.is_revoked_by(&case.contents(of_seeds(|of_j| of_j.jmax = J as u8 - 1))), "a j beyond the most");
        let last = |i_max| move |of_j: &mut crl::JMaxGroup| of_j.contents[0].contents[0].i_max = i_max;
        assert!(case.is_revoked_by(&case.contents(of_seeds(last(I_REV + periods)))));
        assert!(!case.is_revoked_by(&case.contents(of_seeds(last((I_REV + periods).saturating_sub(1))))));
        let other = Case::linked(I_REV + periods + 1, value);
        assert!(!other.is_revoked_by(&other.contents(of_seeds(|_| {}))), "another period");
        let earlier = Case::linked(I_REV - 1, value);
        assert!(!earlier.is_revoked_by(&earlier.contents(of_seeds(|_| {}))), "before the seeds");
    }
}

/// The seeds of a group in a list.
fn group_entry() -> crl::GroupCrlEntry {
    crl::GroupCrlEntry {
        i_max: I_REV,
        la1_id: LA[0],
        linkage_seed1: 0x6B71_A7EB_5755_F16E_8998_1D21_89A6_DAEAu128.to_be_bytes(),
        la2_id: LA[1],
        linkage_seed2: 0xCC4D_B977_F595_AD23_3F0F_4E65_408D_9A9Cu128.to_be_bytes(),
        ..Default::default()
    }
}

/// The value of a certificate of this group.
fn group_value() -> schema::GroupLinkageValue {
    let value = 1_897_131_607_478_641_663_500u128.to_be_bytes()[7..].try_into().unwrap();
    schema::GroupLinkageValue { j_value: 1_212_214_562u32.to_be_bytes(), value }
}

/// §D.7: the value of a group in the period of the seeds.
#[test]
fn seeds_of_a_group_revoke_its_certificates() {
    let case = |value| {
        let group = schema::GroupLinkageValue { value, ..group_value() };
        let data = schema::LinkageData { i_cert: I_REV, group_linkage_value: Some(group), ..Default::default() };
        Case::new(schema::CertificateId::LinkageData(data), None)
    };
    let list = crl::TypeSpecificCrlContents::DeltaLinkedCrl(crl::ToBeSignedLinkageValueCrl {
        i_rev: I_REV,
        groups: Some(vec![group_entry()]),
        ..Default::default()
    });
    let (in_group, other) = (case(group_value().value), case([0; 9]));
    assert!(in_group.is_revoked_by(&in_group.contents(list.clone())));
    assert!(!other.is_revoked_by(&other.contents(list)));
}

#[test]
fn a_list_revokes_certificates_of_its_authority_and_series_alone() {
    let foreign = Case::new(schema::CertificateId::None(()), Some([1, 2, 3]));
    assert!(!foreign.is_revoked_by(&foreign.of_hash(&foreign.chain.certificates[2])), "of another authority");
    let case = Case::plain();
    let mut list = case.of_hash(&case.chain.certificates[2]);
    list.crl_series = SERIES + 1;
    let refused = case.receiver().add_crl(&case.signed(&list, |_| {}), Some(NOW));
    assert_eq!(refused, Err(Fault::Violations(vec![Violation::NotPermitted])), "a series without permission");
}

#[test]
fn a_list_revokes_certificates_of_its_series_alone() {
    let both = || {
        let permission = crl::CrlSsp { version: 1, crls: vec![SERIES, SERIES + 1], ..Default::default() };
        let ssp = schema::ServiceSpecificPermissions::Opaque(roadwire_wire::OctetString(encoded(&permission)));
        Some(vec![schema::PsidSsp { psid: CRL, ssp: Some(ssp) }])
    };
    let root_key = || key(Curve::NistP256, 1);
    let mut root = authority(&root_key(), 2);
    root.to_be_signed.app_permissions = both();
    let root = Certificate::sign(root, None, &root_key()).unwrap();
    for (own, of_list) in [(SERIES, SERIES), (SERIES, SERIES + 1), (SERIES + 1, SERIES)] {
        let chain = Chain::new([Curve::NistP256; 3], |at, value| match at {
            0 => value.to_be_signed.app_permissions = both(),
            _ => {
                value.to_be_signed.craca_id = root.digest()[5..].try_into().unwrap();
                value.to_be_signed.crl_series = own;
            }
        });
        let case = Case { chain, root_key: root_key() };
        let list = crl::CrlContents { crl_series: of_list, ..case.of_hash(&case.chain.certificates[2]) };
        assert_eq!(case.is_revoked_by(&list), own == of_list, "{own} {of_list}");
    }
}

/// Another trusted root has a list with a certificate that names it, but is not below it.
#[test]
fn a_list_revokes_certificates_below_its_authority_alone() {
    let others_key = key(Curve::NistP256, 50);
    let mut other = self::authority(&others_key, 2);
    other.to_be_signed.app_permissions = Some(vec![ssp(crl::CracaType::IsCraca, SERIES)]);
    let other = Certificate::sign(other, None, &others_key).unwrap();
    let craca = other.digest()[5..].try_into().unwrap();
    let case = Case::new(schema::CertificateId::None(()), Some(craca));
    let mut receiver = case.receiver();
    receiver.trust(other.clone()).unwrap();
    let list = crl::CrlContents { crl_craca: other.digest(), ..case.of_hash(&case.chain.certificates[2]) };
    assert_eq!(receiver.add_crl(&signed(&list, &other, &others_key, |_| {}), Some(NOW)), Ok(1));
    assert_eq!(case.report(&mut receiver), (Verdict::Valid, None));
}

#[test]
fn a_list_needs_a_signer_that_may_sign_it() {
    let case = Case::plain();
    let [root, authority, ticket] = &case.chain.certificates;
    let list = case.of_hash(ticket);
    let add = |receiver: &mut Verifier, octets: &[u8]| receiver.add_crl(octets, Some(NOW));
    // Nobody is trusted; a ticket; another root; a flipped bit.
    let genuine = case.signed(&list, |_| {});
    assert!(matches!(add(&mut Verifier::new(), &genuine), Err(Fault::UntrustedRoot { .. })));
    let by_ticket = signed(&list, ticket, &case.chain.key, |_| {});
    assert_eq!(add(&mut case.receiver(), &by_ticket), Err(Fault::Violations(vec![Violation::NotPermitted])));
    let other_key = key(Curve::NistP256, 99);
    let mut other = self::authority(&other_key, 2);
    other.to_be_signed.app_permissions = Some(vec![ssp(crl::CracaType::IsCraca, SERIES)]);
    let other = Certificate::sign(other, None, &other_key).unwrap();
    assert!(matches!(
        add(&mut case.receiver(), &signed(&list, &other, &other_key, |_| {})),
        Err(Fault::UntrustedRoot { .. })
    ));
    let mut flipped = genuine.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(add(&mut case.receiver(), &flipped), Err(Fault::Signature));
    assert_eq!(add(&mut case.receiver(), &[&genuine[..], &[0]].concat()), Err(Fault::TrailingOctets { count: 1 }));
    // The list of another authority.
    let mut foreign = list.clone();
    foreign.crl_craca = authority.digest();
    assert_eq!(
        add(&mut case.receiver(), &case.signed(&foreign, |_| {})),
        Err(Fault::Violations(vec![Violation::NotPermitted]))
    );
    // A signer whose issuer is the authority of the list.
    let signer_key = key(Curve::NistP256, 5);
    let mut signer = content(&signer_key);
    signer.to_be_signed.app_permissions = Some(vec![ssp(crl::CracaType::IssuerIsCraca, SERIES)]);
    let signer = Certificate::sign(signer, Some(authority), &key(Curve::NistP256, 2)).unwrap();
    let by_authoritys = signed(&foreign, &signer, &signer_key, |_| {});
    assert_eq!(add(&mut case.receiver(), &by_authoritys), Ok(1));
    assert_eq!(
        add(&mut case.receiver(), &signed(&list, &signer, &signer_key, |_| {})),
        Err(Fault::Violations(vec![Violation::NotPermitted])),
        "the root is not its issuer"
    );
    let mut receiver = case.receiver();
    receiver.revoke(root.digest());
    assert_eq!(add(&mut receiver, &genuine), Err(Fault::Violations(vec![Violation::Revoked])));
}

#[test]
fn a_list_has_the_fields_and_the_times_of_a_list() {
    let case = Case::plain();
    let list = case.of_hash(&case.chain.certificates[2]);
    let add = |octets: &[u8]| case.receiver().add_crl(octets, Some(NOW));
    let changed = |change: fn(&mut schema::HeaderInfo)| add(&case.signed(&list, change));
    let fields = Err(Fault::Violations(vec![Violation::HeaderField]));
    assert_eq!(changed(|_| {}), Ok(1));
    assert_eq!(changed(|header| header.generation_time = Some(NOW)), fields);
    assert_eq!(changed(|header| header.expiry_time = Some(NOW)), fields);
    assert_eq!(changed(|header| header.generation_location = Some(Default::default())), fields);
    assert_eq!(changed(|header| header.pdu_functional_type = Some(1)), fields);
    assert_eq!(changed(|header| header.p2pcd_learning_request = Some([1; 3])), fields);
    assert_eq!(changed(|header| header.missing_crl_identifier = Some(Default::default())), fields);
    let with_key = |header: &mut schema::HeaderInfo| {
        let point = schema::EccP256CurvePoint::Compressed_Y_0([1; 32]);
        let public_key = schema::BasePublicEncryptionKey::EciesNistP256(point);
        let key = schema::PublicEncryptionKey { public_key, ..Default::default() };
        header.encryption_key = Some(schema::EncryptionKey::Public(key));
    };
    assert_eq!(changed(with_key), fields);
    assert_eq!(changed(|header| header.psid = CAM), Err(Fault::Violations(vec![Violation::Application])));
    let timed =
        |issue_date, next_crl| add(&case.signed(&crl::CrlContents { issue_date, next_crl, ..list.clone() }, |_| {}));
    assert_eq!(timed(START, START), Err(Fault::Violations(vec![Violation::Period])));
    assert_eq!(timed(START - 1, START), Err(Fault::Violations(vec![Violation::GenerationTime])));
    // The receiver's clock is at 1800 s, and may be ten minutes behind.
    assert_eq!(timed(START + 2400, START + 9999), Ok(1));
    assert_eq!(timed(START + 2401, START + 9999), Err(Fault::Violations(vec![Violation::Clock])));
}

#[test]
fn a_list_is_issued_when_its_chain_is_valid() {
    let case = Case::plain();
    let [root, authority, _] = &case.chain.certificates;
    let keys = [key(Curve::NistP256, 2), key(Curve::NistP256, 5)];
    let add = |authorities_start: u32, signers_start: u32| {
        let mut above = authority.value().clone();
        above.to_be_signed.validity_period.start = authorities_start;
        let above = Certificate::sign(above, Some(root), &case.root_key).unwrap();
        let mut signer = content(&keys[1]);
        signer.to_be_signed.validity_period.start = signers_start;
        signer.to_be_signed.app_permissions = Some(vec![ssp(crl::CracaType::IssuerIsCraca, SERIES)]);
        let signer = Certificate::sign(signer, Some(&above), &keys[0]).unwrap();
        let list = crl::CrlContents { crl_craca: above.digest(), ..case.of_hash(&signer) };
        let mut receiver = case.receiver();
        receiver.add(above);
        receiver.add_crl(&signed(&list, &signer, &keys[1], |_| {}), Some(NOW))
    };
    let late = Err(Fault::Violations(vec![Violation::GenerationTime]));
    assert_eq!(add(START + 60, START + 60), Ok(1));
    assert_eq!(add(START + 61, START), late, "an authority that is valid later");
    assert_eq!(add(START, START + 61), late, "a signer that is valid later");
}

/// A list has individual entries and entries of groups, and both count.
#[test]
fn individual_and_group_entries_of_one_list_revoke() {
    let group = group_value();
    let linked = |linkage_value, group_linkage_value| {
        let data = schema::LinkageData { i_cert: I_REV, linkage_value, group_linkage_value };
        Case::new(schema::CertificateId::LinkageData(data), None)
    };
    let list = |kind: fn(crl::ToBeSignedLinkageValueCrl) -> crl::TypeSpecificCrlContents| {
        let crl::TypeSpecificCrlContents::FullLinkedCrl(individual) = of_seeds(|_| {}) else { panic!("other entries") };
        kind(crl::ToBeSignedLinkageValueCrl { groups: Some(vec![group_entry()]), ..individual })
    };
    use crl::TypeSpecificCrlContents::{DeltaLinkedCrl, DeltaLinkedCrlWithAlg, FullLinkedCrl, FullLinkedCrlWithAlg};
    fn named(list: crl::ToBeSignedLinkageValueCrl) -> crl::ToBeSignedLinkageValueCrlWithAlgIdentifier {
        crl::ToBeSignedLinkageValueCrlWithAlgIdentifier {
            i_rev: list.i_rev,
            individual: list.individual,
            groups: list.groups,
            ..Default::default()
        }
    }
    let kinds: [fn(crl::ToBeSignedLinkageValueCrl) -> crl::TypeSpecificCrlContents; 4] = [
        FullLinkedCrl,
        DeltaLinkedCrl,
        |list| FullLinkedCrlWithAlg(named(list)),
        |list| DeltaLinkedCrlWithAlg(named(list)),
    ];
    let other = Some(schema::GroupLinkageValue { value: [1; 9], ..group.clone() });
    for kind in kinds {
        let cases = [
            (linked(VALUES[0], None), true),
            (linked([0; 9], Some(group.clone())), true),
            (linked(VALUES[0], other.clone()), true),
            (linked([0; 9], other.clone()), false),
        ];
        for (at, (case, is_revoked)) in cases.into_iter().enumerate() {
            assert_eq!(case.is_revoked_by(&case.contents(list(kind))), is_revoked, "{at}");
        }
    }
}

/// Who chooses a period makes a receiver expand seeds: only messages that are valid otherwise do.
#[test]
fn linkage_values_count_of_messages_that_are_valid_otherwise() {
    let case = Case::linked(I_REV, VALUES[0]);
    let list = case.signed(&case.contents(of_seeds(|_| {})), |_| {});
    let mut receiver = case.receiver();
    receiver.add_crl(&list, Some(NOW)).unwrap();
    let message = case.chain.message(SignerForm::Certificate, |_| {});
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).verdict, Verdict::Invalid);
    let late = receiver.verify(message.octets(), Some(NOW + 3_600_000_000));
    assert_eq!(late.verdict, Verdict::Expired);
    let why = "no: whether linkage seeds revoke it counts only if the message is valid otherwise";
    assert_eq!(late.checked.chain.to_string(), why);
    // By a hash it is revoked in any case.
    receiver.add_crl(&case.signed(&case.of_hash(&case.chain.certificates[2]), |_| {}), Some(NOW)).unwrap();
    assert_eq!(receiver.verify(message.octets(), Some(NOW + 3_600_000_000)).verdict, Verdict::Invalid);
}

/// Additions of a later version may make another entry of it.
#[test]
fn a_list_with_additions_of_a_later_version_is_refused() {
    let case = Case::linked(I_REV, VALUES[0]);
    let addition = || {
        let mut additions = roadwire_wire::Additions::new();
        additions.push(roadwire_wire::Unknown { index: 9, octets: vec![1, 0] });
        additions
    };
    let with = |change: fn(&mut crl::JMaxGroup, roadwire_wire::Additions)| of_seeds(|of_j| change(of_j, addition()));
    let contents = [
        with(|of_j, additions| of_j.unknown = additions),
        with(|of_j, additions| of_j.contents[0].unknown = additions),
        with(|of_j, additions| of_j.contents[0].contents[0].unknown = additions),
        with(|of_j, additions| of_j.contents[0].contents[0].contents[0].unknown = additions),
    ];
    for (at, contents) in contents.into_iter().enumerate() {
        let list = case.signed(&case.contents(contents), |_| {});
        assert_eq!(case.receiver().add_crl(&list, None), Err(Fault::ListEntries), "{at}");
    }
    let mut of_hash = case.of_hash(&case.chain.certificates[2]);
    let crl::TypeSpecificCrlContents::FullHashCrl(list) = &mut of_hash.type_specific else { panic!("other entries") };
    list.entries[0].unknown = addition();
    assert_eq!(case.receiver().add_crl(&case.signed(&of_hash, |_| {}), None), Err(Fault::ListEntries));
}

/// A kind of entries that is not understood is refused as a whole: a receiver must know that it
/// does not know all revoked certificates.
#[test]
fn a_list_with_single_seeds_is_refused() {
    let case = Case::linked(I_REV, VALUES[0]);
    let single = of_seeds(|of_j| of_j.contents[0].contents[0].single_seed = Some(vec![SEEDS[0]]));
    assert_eq!(case.receiver().add_crl(&case.signed(&case.contents(single), |_| {}), None), Err(Fault::ListEntries));
}

#[test]
fn a_newer_full_list_replaces_seeds() {
    let case = Case::linked(I_REV, VALUES[0]);
    let mut receiver = case.receiver();
    let empty = of_seeds(|of_j| of_j.contents[0].contents[0].contents[0].linkage_seed1 = [0; 16]);
    let newer = crl::CrlContents { issue_date: START + 120, ..case.contents(empty) };
    let older = case.contents(of_seeds(|_| {}));
    for (list, expected) in [(&older, Verdict::Invalid), (&newer, Verdict::Valid), (&older, Verdict::Valid)] {
        receiver.add_crl(&case.signed(list, |_| {}), Some(NOW)).unwrap();
        assert_eq!(case.report(&mut receiver).0, expected);
    }
}

/// Lists that were issued at the same time have different holders; one of changes adds to a full
/// one.
#[test]
fn lists_of_one_time_and_of_changes_add_seeds() {
    let case = Case::linked(I_REV, VALUES[0]);
    let others = || of_seeds(|of_j| of_j.contents[0].contents[0].contents[0].linkage_seed1 = [0; 16]);
    let full = case.contents(of_seeds(|_| {}));
    let same_time = case.contents(others());
    let crl::TypeSpecificCrlContents::FullLinkedCrl(changes) = others() else { panic!() };
    let changes = crl::CrlContents {
        issue_date: START + 120,
        ..case.contents(crl::TypeSpecificCrlContents::DeltaLinkedCrl(changes))
    };
    for lists in [[&full, &same_time], [&same_time, &full], [&full, &changes]] {
        let mut receiver = case.receiver();
        for list in lists {
            receiver.add_crl(&case.signed(list, |_| {}), Some(NOW)).unwrap();
        }
        assert_eq!(case.report(&mut receiver).0, Verdict::Invalid);
    }
}

/// The certificate with the order minus s in place of s: its issuer's key verifies it, and its
/// digest is another one.
fn in_another_form(certificate: &Certificate) -> Certificate {
    let mut value = certificate.value().clone();
    let Some(schema::Signature::EcdsaNistP256Signature(signature)) = &mut value.signature else { panic!() };
    signature.s_sig = negated(&signature.s_sig);
    let other = Certificate::read(&encoded(&value)).unwrap();
    assert_ne!(other.digest(), certificate.digest());
    other
}

/// Its holder can write it in another form, which its issuer's key verifies as well.
#[test]
fn a_revoked_certificate_is_revoked_in_every_form() {
    let case = Case::plain();
    let [root, authority, ticket] = case.chain.certificates.clone();
    let other = in_another_form(&ticket);
    let chain = Chain { certificates: [root, authority, other], key: case.chain.key.clone() };
    let message = chain.message(SignerForm::Certificate, |_| {});
    let revoked = (Verdict::Invalid, Some(Fault::Violations(vec![Violation::Revoked])));
    let found = |receiver: &mut Verifier| {
        let report = receiver.verify(message.octets(), Some(NOW));
        (report.verdict, report.fault)
    };
    let mut receiver = case.receiver();
    assert_eq!(found(&mut receiver), (Verdict::Valid, None));
    receiver.revoke(ticket.digest());
    assert_eq!(found(&mut receiver), revoked, "by its digest");
    let mut receiver = case.receiver();
    receiver.add_crl(&case.signed(&case.of_hash(&ticket), |_| {}), Some(NOW)).unwrap();
    assert_eq!(found(&mut receiver), revoked, "by a list");
}

#[test]
fn a_revoked_certificate_hides_no_other_broken_rule() {
    let case = Case::plain();
    let message = case.chain.message(SignerForm::Certificate, |header| header.psid = 38);
    let mut receiver = case.receiver();
    receiver.revoke(case.chain.certificates[1].digest());
    let found = vec![Violation::NotPermitted, Violation::Revoked];
    assert_eq!(receiver.verify(message.octets(), Some(NOW)).fault, Some(Fault::Violations(found)));
}

#[test]
fn a_receiver_can_stop_trusting_any_certificate() {
    let case = Case::plain();
    for certificate in &case.chain.certificates {
        let mut receiver = case.receiver();
        assert_eq!(case.report(&mut receiver).0, Verdict::Valid);
        receiver.revoke(certificate.digest());
        assert_eq!(case.report(&mut receiver), (Verdict::Invalid, Some(Fault::Violations(vec![Violation::Revoked]))));
    }
    // Without trust, the signer's alone is known.
    let mut receiver = Verifier::new();
    receiver.revoke(case.chain.certificates[2].digest());
    assert_eq!(case.report(&mut receiver).0, Verdict::Invalid);
}
