//! The schemas of release 2, and the release 1 messages that came with them, equal the published
//! modules: layout for layout, and value for value. They are printed by
//! `roadwire schema --to asn1`.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::path::{Path, PathBuf};

use roadwire_engine::{Limits, decode_with, encode_to_vec};
use roadwire_frontend::{Source, compile, reduce};
use roadwire_layout::{Family, Layout, LowerError, Rules, lower};
use roadwire_messages::{SCHEMAS, Schema};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};

/// The files with the published modules of a schema, in the folder `modules`; a folder stands for
/// all files in it.
const PUBLISHED: [(&str, &[&str]); 14] = [
    ("cam-2.3.1", &["release2/TS103900v231-CAM.asn", CDD]),
    ("denm-2.3.1", &["release2/TS103831v231-DENM.asn", CDD]),
    (
        "cpm-tr-103562",
        &[
            "release1/TR103562v211-CPM.asn",
            "EN302637-2v141-CAM.asn",
            "release2/TS103301v211-IS/ITS-Container.asn",
            "release2/TS103301v211-IS/DSRC.asn",
            "release2/TS103301v211-IS/REGION.asn",
            "release2/TS103301v211-IS/AddGrpC.asn",
            "release2/TS103301v211-IS/ElectronicRegistrationIdentificationVehicleDataModule.asn",
        ],
    ),
    ("cpm-2.1.1", &["release2/TS103324v211", CDD]),
    ("vam-2.3.1", &["release2/TS103300-3v231/VAM-PDU-Descriptions.asn", CDD]),
    ("ivim-2.1.1", &[INFRASTRUCTURE]),
    ("spatem-2.1.1", &[INFRASTRUCTURE]),
    ("mapem-2.1.1", &[INFRASTRUCTURE]),
    ("srem-2.1.1", &[INFRASTRUCTURE]),
    ("ssem-2.1.1", &[INFRASTRUCTURE]),
    ("rtcmem-2.1.1", &[INFRASTRUCTURE]),
    ("ieee1609dot2-2022", &["release2/IEEE1609dot2-2v24", "release2/TS103097v211-Extension.asn"]),
    (
        "ts103097-2.1.1",
        &["release2/TS103097v211.asn", "release2/IEEE1609dot2-2v24", "release2/TS103097v211-Extension.asn"],
    ),
    (
        "ts102941-2.2.1",
        &[
            "release2/TS102941v221",
            "release2/TS103097v211.asn",
            "release2/IEEE1609dot2-2v24",
            "release2/TS103097v211-Extension.asn",
        ],
    ),
];

/// Versions between, whose published modules are not there.
const BETWEEN: [&str; 3] = ["cam-2.1.1", "denm-2.2.1", "vam-2.2.1"];

const CDD: &str = "release2/TS102894-2v241-CDD.asn";
const INFRASTRUCTURE: &str = "release2/TS103301v211-IS";

/// The published modules, if present. They are test input and not part of the project.
fn published(names: &[&str]) -> Option<Vec<Source>> {
    let folder = shared::shared("modules")?;
    // The modules for stations alone have the messages of the others once more.
    let files = names.iter().flat_map(|name| files(&folder.join(name)));
    let files = files.filter(|file| !file.file_name().unwrap().to_string_lossy().starts_with("MessagesItss"));
    let source = |file: PathBuf| Source::new(file.display().to_string(), std::fs::read(&file).unwrap());
    let mut sources: Vec<Source> = files.map(source).collect();
    if names.contains(&"release2/TS102941v221") {
        sources.iter_mut().for_each(without_butterfly_keys);
        sources.push(Source::new("ieee1609.2.1.asn", INTERFACES));
    }
    Some(sources)
}

/// The imports of TS 102 941's modules from IEEE Std 1609.2.1, which is not at hand; no compared
/// type uses them.
const INTERFACES: &str = "
    Ieee1609Dot2Dot1EeRaInterface DEFINITIONS ::= BEGIN
        EeRaCertRequest ::= NULL RaEeCertInfo ::= NULL EeRaDownloadRequest ::= NULL EeRaInterfacePdu ::= NULL END
    Ieee1609Dot2Dot1AcaRaInterface DEFINITIONS ::= BEGIN RaAcaCertRequest ::= NULL AcaRaCertResponse ::= NULL END
    Ieee1609Dot2Dot1Protocol DEFINITIONS ::= BEGIN
        Ieee1609Dot2Data-SignedX509AuthenticatedCertRequest ::= NULL ScmsPdu-Scoped ::= NULL SignerSingleX509Cert ::= NULL END";

/// TS 102 941 without the alternatives and messages whose types are those of IEEE Std 1609.2.1.
fn without_butterfly_keys(source: &mut Source) {
    let text = String::from_utf8(source.bytes.clone()).unwrap();
    let is_message = |line: &&str| line.starts_with("Butterfly") || line.starts_with("X509Signed");
    let mut text = text.lines().filter(|line| !is_message(line)).collect::<Vec<_>>().join("\n");
    if let (Some(from), Some(to)) = (text.find("[[butterfly"), text.find("]]")) {
        let before = text[..from].rfind(',').unwrap();
        text.replace_range(to..to + 2, "");
        text.replace_range(before..to, "");
    }
    const SIGNED: &str = "EtsiTs102941ButterflyAuthorizationRequest-X509Signed ::=";
    if let Some(at) = text.find(SIGNED) {
        text.replace_range(at + SIGNED.len().., " NULL END");
    }
    source.bytes = text.into_bytes();
}

fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let all = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|name| name == "asn")).collect();
    found.sort();
    found
}

fn model(sources: &[Source]) -> Model {
    compile(sources).unwrap_or_else(|found| panic!("{}", found.render())).model
}

fn shipped(name: &str) -> (&'static Schema, Vec<Source>) {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).expect("a shipped schema");
    (schema, schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect())
}

/// A type's layouts under all rules for ASN.1.
fn layouts(model: &Model, id: TypeId) -> Vec<Result<Layout, LowerError>> {
    let rules = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1());
    rules.map(|rules| lower(model, id, rules)).collect()
}

/// Values of each kind in each encoding.
const VALUES: usize = 40;
/// More than any of these values takes.
const ROOM: usize = 1 << 22;

#[test]
fn every_pdu_has_the_layouts_of_the_published_one() {
    for (name, files) in PUBLISHED {
        let Some(published) = published(files) else { return };
        let (schema, sources) = shipped(name);
        let (own, other) = (model(&sources), model(&published));
        for pdu in schema.pdus {
            let (id, other_id) = (own.find(pdu).unwrap(), other.find(pdu).expect("a published type"));
            assert!(layouts(&own, id) == layouts(&other, other_id), "a layout of {name} {pdu} differs");
        }
        // And what a PDU reaches by a parameter that is given elsewhere.
        for (definition, id) in &own.definitions {
            let other_id = other.definitions.get(definition).unwrap_or_else(|| panic!("{definition} is not published"));
            let rules = [Rules::Uper, Rules::Coer, Rules::Jer];
            let both = [(&own, *id), (&other, *other_id)].map(|(model, id)| rules.map(|rules| lower(model, id, rules)));
            assert!(both[0] == both[1], "a layout of {name} {definition} differs");
        }
    }
}

#[test]
fn values_of_the_one_are_values_of_the_other_with_the_same_octets() {
    for (name, files) in PUBLISHED {
        let Some(published) = published(files) else { return };
        let (schema, sources) = shipped(name);
        let (own, other) = (model(&sources), model(&published));
        for pdu in schema.pdus {
            let (id, other_id) = (own.find(pdu).unwrap(), other.find(pdu).unwrap());
            for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
                let count = same_octets((&own, id), (&other, other_id), rules);
                assert!(count >= VALUES, "{name} {pdu}: only {count} values in {rules}");
            }
        }
    }
}

/// How many values have octets, which are the same from both.
fn same_octets(own: (&Model, TypeId), other: (&Model, TypeId), rules: Rules) -> usize {
    let [first, second] = [own, other].map(|(model, id)| lower(model, id, rules).unwrap());
    let mut count = 0;
    for (at, (from, to)) in [(own, &second), (other, &first)].into_iter().enumerate() {
        let source = if at == 0 { &first } else { &second };
        // Some forms have no text, and EXI has no additions.
        let extensions = if rules.is_text() || rules.family() == Family::Events { 0 } else { 20 };
        // The content after a tag is also a whole value.
        let tagged = rules.family() == Family::Tlv;
        let open_types = true;
        let settings = Settings {
            extensions,
            unknown: 0,
            max_elements: 3,
            budget: 200,
            tagged,
            open_types,
            ..Settings::default()
        };
        let generator = Generator::new(from.0, settings);
        let mut rng = Rng::new(0x103 + at as u64);
        for _ in 0..VALUES {
            let Some(value) = generator.try_value(from.1, &mut rng) else { continue };
            let octets = encode_to_vec(source, &value, ROOM);
            assert_eq!(octets, encode_to_vec(to, &value, ROOM), "{rules}: {value:?}");
            let Ok(octets) = octets else { continue };
            let read = [source, to].map(|layout| {
                let mut value = Value::Unset;
                decode_with(layout, &octets, &mut value, &Limits::for_input(&octets), &mut ()).map(|bits| (bits, value))
            });
            assert!(read[0].is_ok() && read[0] == read[1], "{rules}: {read:?}");
            count += 1;
        }
    }
    count
}

/// DENM V2.2.1 and its dictionary require the same of whole types (WITH COMPONENTS) as V2.3.1 does;
/// of SituationContainer, all but a component that is new there.
#[test]
fn whole_types_of_denm_2_2_1_are_constrained() {
    const CONSTRAINED: [&str; 8] = [
        "DenmPayload",
        "SituationContainer",
        "PathPointPredicted",
        "RoadConfigurationSection",
        "BasicLaneInformation",
        "MapemElementReference",
        "RadialShape",
        "RadialShapeDetails",
    ];
    let [old, new] = ["denm-2.2.1", "denm-2.3.1"].map(|name| model(&shipped(name).1));
    let texts = |model: &Model, name: &str| -> Vec<String> {
        let id = model.find(name).unwrap_or_else(|| panic!("{name} is not there"));
        let all = model.constraints.get(&id).into_iter().flatten();
        all.map(|one| one.text.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    for name in CONSTRAINED {
        let [old, new] = [texts(&old, name), texts(&new, name)];
        assert_eq!(old.len(), 1, "{name}");
        let added = if name == "SituationContainer" { ", eventEndFactor ABSENT" } else { "" };
        let same: Vec<String> =
            new.iter().map(|text| if added.is_empty() { text.clone() } else { text.replace(added, "") }).collect();
        assert_eq!(old, same, "{name}");
    }
}

/// The text of these files, after the comment at their head, is printed for the PDUs.
#[test]
fn files_are_as_they_are_printed() {
    for name in PUBLISHED.iter().map(|(name, _)| *name).chain(BETWEEN) {
        let (schema, sources) = shipped(name);
        // These have all types, with modules in files of their own.
        if matches!(name, "ieee1609dot2-2022" | "ts103097-2.1.1" | "ts102941-2.2.1") {
            continue;
        }
        let [source] = sources.as_slice() else { panic!("{name} is one file") };
        let text = String::from_utf8(source.bytes.clone()).unwrap();
        let printed = reduce(&sources, schema.pdus).unwrap();
        let head = text.strip_suffix(&printed).unwrap_or_else(|| panic!("{name} is not as it is printed:\n{printed}"));
        assert!(head.lines().all(|line| line.starts_with("--") || line.is_empty()), "{name}: {head}");
        assert!(head.contains("Written by the roadwire project from the facts of the standard"), "{name}");
    }
}
