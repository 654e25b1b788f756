//! Whole modules: the published ones all have layouts, and the properties of layouts hold for
//! encodings.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::shipped;
use roadwire_asn1::{Source, compile};
use roadwire_engine::Message;
use roadwire_layout::{Bits, Family, Layout, LowerError, Properties, Rules, Uper, lower};
use roadwire_messages::{cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::{Error, ErrorKind};

/// The rules for which all of these modules are lowered.
const RULES: [Rules; 8] =
    [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer, Rules::Xer, Rules::Cxer, Rules::Exer, Rules::Protobuf];

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Modules that are recorded material outside the project.
#[test]
fn published_modules_have_a_layout_for_every_type() {
    let Some(folder) = common::shared::shared("modules") else { return };
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    for names in [
        &["EN302637-2v141-CAM.asn", "EN302637-3v131-DENM.asn", "TS102894-2v131-CDD.asn"][..],
        &["IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn", "TS103097v131.asn"],
        &["study/dot2-original-full.asn"],
        &["study/dot2-p-full.asn"],
        &["study/hammi-listing1.asn"],
    ] {
        let sources: Vec<Source> = names.iter().map(|name| Source::new(*name, read(name))).collect();
        every_type_has_a_layout(&sources);
    }
    // These are templates with switches.
    let text = |name: &str| String::from_utf8(read(name)).unwrap();
    for (message_type, name) in [("OPTIONAL", "OCTET STRING (SIZE (0..32))"), ("", "UTF8String")] {
        let envelope = text("study/etsi-envelope.asn").replace("@MSGTYPE@", message_type).replace("@NAME@", name);
        every_type_has_a_layout(&[Source::new("etsi-envelope.asn", envelope)]);
    }
    for (name, spacer) in [("study/dot2-original.asn", ""), ("study/dot2-p.asn", "spacer INTEGER (0..255),")] {
        let common = text("study/dot2-common.inc").replace("@ESP@", spacer);
        every_type_has_a_layout(&[Source::new(name, format!("{}{common}END\n", text(name)))]);
    }
}

fn every_type_has_a_layout(sources: &[Source]) {
    let model = compile(sources).unwrap_or_else(|found| panic!("{}", found.render())).model;
    assert!(!model.definitions.is_empty());
    for (name, id) in &model.definitions {
        for rules in RULES {
            let layout = lower(&model, *id, rules).unwrap_or_else(|error| panic!("{name}: {rules}: {error}"));
            let octets = Properties::of(&layout).octets;
            assert!(octets.most.is_none_or(|most| octets.fewest <= most), "{name}: {rules}: {octets:?}");
        }
    }
}

#[test]
fn encodings_of_shipped_messages_are_within_the_bounds_read_off_the_layout() {
    for fixture in common::fixtures::<Uper>() {
        for rules in RULES {
            let layout = lower(fixture.model(), fixture.root(), rules).unwrap();
            let fault = outside_bounds(fixture.name(), fixture.model(), fixture.root(), &layout, 200);
            assert_eq!(fault, None);
        }
    }
}

/// The modules that interop/ compares with other implementations have every construct of UPER.
#[test]
fn encodings_of_every_construct_are_within_the_bounds_read_off_the_layout() {
    let (mut count, mut faults) = (0, Vec::new());
    for file in interop_modules() {
        let model = compile(&[Source::new(file.display().to_string(), fs::read(&file).unwrap())])
            .unwrap_or_else(|found| panic!("{}", found.render()))
            .model;
        let values = if file.ends_with("fragments.asn") { 1 } else { 60 };
        for (name, id) in &model.definitions {
            for rules in RULES {
                let layout = lower(&model, *id, rules).unwrap();
                faults.extend(outside_bounds(&name.to_string(), &model, *id, &layout, values));
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count > 150, "the modules are read: {count} types");
}

fn interop_modules() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(Path::new(ROOT).join("interop/modules")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// All values satisfy the bounds of all, and those in extensible roots also theirs.
fn outside_bounds(name: &str, model: &Model, id: TypeId, layout: &Layout, values: usize) -> Option<String> {
    let properties = Properties::of(layout);
    for extensions in [0, 60] {
        let (bounds, whole) = match extensions {
            0 => (properties.message_in_roots, properties.octets_in_roots),
            _ => (properties.message, properties.octets),
        };
        let generator = Generator::new(model, Settings { extensions, open_types: true, ..Settings::default() });
        let mut rng = Rng::new(7);
        for _ in 0..values {
            let value = generator.value(id, &mut rng);
            let Some((octets, bits)) = measured(layout, &value) else { continue };
            let is_within = |of: Bits, found| of.fewest <= found && of.most.is_none_or(|most| found <= most);
            if !(is_within(bounds, bits) && is_within(whole, octets)) {
                let value = shown(model, id, &value);
                return Some(format!(
                    "{name}: {}: {bits} bits, {octets} octets, not within {bounds:?}: {value}",
                    layout.rules
                ));
            }
        }
    }
    None
}

/// The octets and bits of an encoding, which must decode to the value. `None` if the value has
/// characters that XML does not have, and so has no encoding (X.680 §41.10).
fn measured(layout: &Layout, value: &Value) -> Option<(u64, u64)> {
    let is_xml = layout.rules.family() == Family::Xml;
    let octets = match roadwire_engine::encode_to_vec(layout, value, 1 << 22) {
        Ok(octets) => octets,
        Err(Error { kind: ErrorKind::Alphabet { code: 0xfffe | 0xffff }, .. }) if is_xml => return None,
        Err(error) => panic!("{}: {error}: {value:?}", layout.rules),
    };
    let mut decoded = Value::Unset;
    let bits =
        roadwire_engine::decode(layout, &octets, &mut decoded).unwrap_or_else(|error| panic!("{error}: {value:?}"));
    Some((octets.len() as u64, bits as u64))
}

fn shown(model: &Model, id: TypeId, value: &Value) -> String {
    let mut text = Notation::new(model, id).unwrap().write(value).unwrap_or_else(|error| error.to_string());
    if let Some((at, _)) = text.char_indices().nth(300) {
        text.truncate(at);
    }
    text
}

/// Values without optional parts, which must be within the layout's bounds for such values.
fn mandatory<M: Message<Uper>>(name: &str, change: impl Fn(&mut serde_json::Value)) -> Vec<(String, u64, u64)> {
    let fixture = shipped::<M, Uper>(name, false);
    let generator = Generator::new(&fixture.model, Settings { optional: 0, extensions: 0, ..Settings::default() });
    let mut rng = Rng::new(3);
    (0..50)
        .map(|_| {
            let value = generator.value(fixture.root, &mut rng);
            let mut json = serde_json::from_str(&fixture.notation.write(&value).unwrap()).unwrap();
            change(&mut json);
            let text = json.to_string();
            let value = fixture.notation.read(&text).unwrap();
            let (octets, bits) = measured(&fixture.layout, &value).expect("no text");
            (text, octets, bits)
        })
        .collect()
}

/// CurvatureValue of V1.3.0 is wider than that of V1.4.1; both are 41 octets, as in the 2015 study.
#[test]
fn mandatory_cam_of_a_vehicle_has_327_bits_in_v1_3_0_and_322_in_v1_4_1() {
    let of_vehicles = |all: Vec<(String, u64, u64)>| {
        let some: Vec<_> = all.into_iter().filter(|(text, ..)| text.contains("basicVehicleContainer")).collect();
        assert!(some.len() > 5, "some are of vehicles");
        some
    };
    for (text, octets, bits) in of_vehicles(mandatory::<cam_1_3_0::Cam>("cam-1.3.0", |_| {})) {
        assert_eq!((octets, bits), (41, 327), "{text}");
    }
    for (text, octets, bits) in of_vehicles(mandatory::<cam_1_4_1::Cam>("cam-1.4.1", |_| {})) {
        assert_eq!((octets, bits), (41, 322), "{text}");
    }
}

#[test]
fn mandatory_denm_has_40_octets_and_43_with_a_validity_duration() {
    let with_duration = |json: &mut serde_json::Value| json["denm"]["management"]["validityDuration"] = 30.into();
    let all = [
        (40, mandatory::<denm_1_2_0::Denm>("denm-1.2.0", |_| {})),
        (40, mandatory::<denm_1_3_1::Denm>("denm-1.3.1", |_| {})),
        (43, mandatory::<denm_1_2_0::Denm>("denm-1.2.0", with_duration)),
        (43, mandatory::<denm_1_3_1::Denm>("denm-1.3.1", with_duration)),
    ];
    for (wanted, values) in all {
        for (text, octets, _) in values {
            assert_eq!(octets, wanted, "{text}");
        }
    }
}

/// A type without a layout gives an error with its name.
#[test]
fn types_without_a_layout_are_refused() {
    let text = "M DEFINITIONS ::= BEGIN D ::= CHOICE { ..., c C } C ::= CHOICE { a [0] NULL } END";
    let model = compile(&[Source::new("m.asn", text)]).unwrap().model;
    let LowerError { message } = lower(&model, model.find("D").unwrap(), Rules::Oer).unwrap_err();
    assert_eq!(message, "c: a CHOICE without a tag as an extension addition");
}
