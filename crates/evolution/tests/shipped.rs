//! Versions of CAM and DENM.

use roadwire_evolution::{Comparison, Octets, Understanding, Version};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::Model;
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};

/// A shipped schema's model.
fn model(name: &str) -> Model {
    let schema = roadwire_messages::SCHEMAS.iter().find(|schema| schema.name == name).expect(name);
    let sources: Vec<Source> = schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
    compile(&sources).expect(name).model
}

fn version<'m>(model: &'m Model, name: &str) -> Version<'m> {
    let schema = roadwire_messages::SCHEMAS.iter().find(|schema| schema.name == name).expect(name);
    Version { model, type_id: model.find(schema.pdus[0]).expect("a PDU") }
}

/// EN 302 637-2 V1.4.1 has a narrower curvature: UPER and APER write it in fewer bits.
#[test]
fn cams() {
    let (old, new) = (model("cam-1.3.0"), model("cam-1.4.1"));
    let comparison = Comparison::new(version(&old, "cam-1.3.0"), version(&new, "cam-1.4.1"));
    let changes = comparison.changes();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(changes[0].path.ends_with("curvature.curvatureValue"));
    for rules in [Rules::Uper, Rules::Aper] {
        let verdict = comparison.verdict(rules, 100).expect("a verdict");
        assert!(matches!(verdict.octets, Octets::Differ(_)), "{rules}");
        assert_eq!(verdict.new_reads_old.understanding, Understanding::Misread, "{rules}");
    }
    for rules in [Rules::Coer, Rules::Der, Rules::Xer, Rules::Jer, Rules::Protobuf, Rules::Cbor] {
        let verdict = comparison.verdict(rules, 100).expect("a verdict");
        assert_eq!(verdict.octets, Octets::Same, "{rules}");
        assert_eq!(verdict.new_reads_old.understanding, Understanding::InPart, "{rules}");
        assert_eq!(verdict.old_reads_new.understanding, Understanding::All, "{rules}");
        assert!(verdict.new_reads_old.proven && verdict.old_reads_new.proven, "{rules}");
    }
}

#[test]
fn denms() {
    let (old, new) = (model("denm-1.2.0"), model("denm-1.3.1"));
    let comparison = Comparison::new(version(&old, "denm-1.2.0"), version(&new, "denm-1.3.1"));
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let verdict = comparison.verdict(rules, 20).expect("a verdict");
        assert!(verdict.new_reads_old.proven && verdict.old_reads_new.proven, "{rules}");
    }
}

#[test]
fn cams_come_back() {
    let (old, new) = (model("cam-1.3.0"), model("cam-1.4.1"));
    let (from, to) = (version(&old, "cam-1.3.0"), version(&new, "cam-1.4.1"));
    for (from, to) in [(from, to), (to, from)] {
        let (forth, back) = (Comparison::new(from, to), Comparison::new(to, from));
        let generator = Generator::new(from.model, Settings { max_elements: 5, ..Settings::default() });
        let mut rng = Rng::new(3);
        let mut whole = 0;
        for _ in 0..300 {
            let value = generator.value(from.type_id, &mut rng);
            let Ok(there) = forth.migrate(&value) else { continue };
            assert!(there.lost.is_empty());
            let again = back.migrate(&there.value).expect("the way back");
            assert!(equal(from.model, from.type_id, &value, &again.value));
            whole += 1;
        }
        assert!(whole > 100, "{whole}");
    }
}

/// TS 103 900 calls `messageID` and `stationID` of a CAM's header `messageId` and `stationId`: a
/// matter of text alone.
#[test]
fn header_of_release_2_has_other_names() {
    let (old, first, last) = (model("cam-1.4.1"), model("cam-2.1.1"), model("cam-2.3.1"));
    for (new, name) in [(&first, "cam-2.1.1"), (&last, "cam-2.3.1")] {
        let comparison = Comparison::new(version(&old, "cam-1.4.1"), version(new, name));
        let changes: Vec<String> = comparison.changes().iter().map(ToString::to_string).collect();
        for renamed in ["header.messageID: renamed, now messageId", "header.stationID: renamed, now stationId"] {
            assert!(changes.iter().any(|change| change == renamed), "{name}: {changes:#?}");
        }
        let header = |model: &Model, id| match &model.get(id).kind {
            roadwire_model::Kind::Sequence { components, .. } => components[0].type_id,
            _ => panic!("a SEQUENCE"),
        };
        let of = |version: Version<'_>| header(version.model, version.type_id);
        let (from, to) = (version(&old, "cam-1.4.1"), version(new, name));
        let [from, to] = [from, to].map(|one| Version { type_id: of(one), ..one });
        let comparison = Comparison::new(from, to);
        for rules in [Rules::Uper, Rules::Aper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Cbor] {
            let verdict = comparison.verdict(rules, 50).expect("a verdict");
            assert_eq!(verdict.octets, Octets::Same, "{name} {rules}");
            assert_eq!(verdict.old_reads_new.understanding, Understanding::All, "{name} {rules}");
        }
        for rules in [Rules::Jer, Rules::Xer] {
            let verdict = comparison.verdict(rules, 50).expect("a verdict");
            assert!(matches!(verdict.octets, Octets::Differ(_)), "{name} {rules}");
            assert_eq!(verdict.new_reads_old.understanding, Understanding::Nothing, "{name} {rules}");
        }
        let mut value = Generator::new(from.model, Settings::default()).value(from.type_id, &mut Rng::new(1));
        if let roadwire_model::Value::Sequence { components, .. } = &mut value {
            components[0] = Some(roadwire_model::Value::Integer(2.into()));
            components[1] = Some(roadwire_model::Value::Integer(2.into()));
        }
        let there = comparison.migrate(&value).expect("a header");
        assert!(there.lost.is_empty());
    }
}
