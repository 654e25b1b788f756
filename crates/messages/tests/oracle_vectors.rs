//! Octets on which other implementations agree with each other or with us, of every shipped schema
//! and every construct: `interop/vectors` writes them, and they are part of the repository.
//!
//! A line has a type, a value (as text, so that its numbers keep all their digits), and for each
//! set of rules a list: first the octets that must be written for the value, then others that must
//! be read as it (under rules that leave an encoder a choice).
#![cfg(all(
    feature = "uper",
    feature = "aper",
    feature = "oer",
    feature = "coer",
    feature = "ber",
    feature = "der",
    feature = "cer"
))]
#![cfg(all(
    feature = "xer",
    feature = "cxer",
    feature = "jer",
    feature = "protobuf",
    feature = "exi",
    feature = "exi-default"
))]
#![cfg(all(feature = "exi-merged", feature = "exi-split"))]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Fixture, hex, shipped};
use roadwire_asn1::{Source, compile};
use roadwire_engine::{Limits, Message};
use roadwire_layout::{
    Aper, Ber, Cer, Coer, Cxer, Der, Exi, ExiDefault, ExiFlat, ExiMerged, ExiSplit, Jer, Layout, Oer, Protobuf,
    RuleSet, Rules, Uper, Xer, lower,
};
use roadwire_messages::{cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_model::Value;
use roadwire_notation::Notation;
use roadwire_papers::certificate_2017;
use serde_json::Value as Json;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A file's name, module files, and vectors.
struct File {
    name: String,
    modules: Vec<String>,
    vectors: Vec<Json>,
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        let head = lines.next().unwrap();
        let modules = head["modules"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().into()).collect();
        File { name: file.file_stem().unwrap().to_string_lossy().into(), modules, vectors: lines.collect() }
    };
    files.iter().map(read).collect()
}

/// The octets under some rules: first ours, then others.
fn octets(vector: &Json, rules: Rules) -> Vec<Vec<u8>> {
    let is_text = rules.is_text();
    let Some(own) = vector.get(rules.name()) else { return Vec::new() };
    // If other rules have the same list, it is their name.
    let list = own.as_str().map_or(own, |other| vector.get(other).unwrap());
    let of = |text: &str| if is_text { text.as_bytes().to_vec() } else { hex(text) };
    list.as_array().unwrap().iter().map(|one| of(one[0].as_str().unwrap())).collect()
}

/// By the interpreter, with a layout made here, of every file.
#[test]
fn every_vector_is_written_and_read() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let files = files();
    for file in &files {
        let read = |name: &String| Source::new(name.clone(), fs::read(Path::new(ROOT).join(name)).unwrap());
        let sources: Vec<Source> = file.modules.iter().map(read).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let mut layouts: BTreeMap<(&str, &str), Layout> = BTreeMap::new();
        for vector in &file.vectors {
            let name = vector["type"].as_str().unwrap();
            let id = model.find(name).unwrap();
            let value = Notation::new(&model, id).unwrap().read(vector["value"].as_str().unwrap()).unwrap();
            for rules in Rules::ALL {
                let all = octets(vector, rules);
                let Some(ours) = all.first() else { continue };
                let layout = layouts.entry((name, rules.name())).or_insert_with(|| lower(&model, id, rules).unwrap());
                let what = || format!("{}, {name} in {rules}: {}", file.name, vector["value"]);
                let encode = |value: &Value| roadwire_engine::encode_to_vec(layout, value, 1 << 20);
                assert_eq!(encode(&value).as_ref(), Ok(ours), "{}", what());
                for other in &all {
                    let mut again = Value::Unset;
                    let read =
                        roadwire_engine::decode_with(layout, other, &mut again, &Limits::for_input(other), &mut ());
                    // Packed rules pad zero bits to an octet (X.691 §11.1.3).
                    let whole = |bits: &usize| bits.div_ceil(8).max(layout.least_octets() as usize);
                    assert_eq!(read.as_ref().map(whole), Ok(other.len()), "{}", what());
                    assert_eq!(encode(&again).as_ref(), Ok(ours), "{}", what());
                    *counts.entry(rules.name()).or_default() += 1;
                }
            }
        }
    }
    println!("{counts:?}");
    // The number of comparisons must not decrease unnoticed.
    for (rules, least) in LEAST {
        assert!(counts.get(rules).is_some_and(|count| count >= &least), "{rules}: {counts:?}");
    }
    assert!(files.len() >= 61, "{} files", files.len());
}

/// The least number of comparisons, by rules.
const LEAST: [(&str, usize); 16] = [
    ("uper", 700),
    ("aper", 680),
    ("oer", 540),
    ("coer", 540),
    ("ber", 600),
    ("der", 530),
    ("cer", 490),
    ("xer", 450),
    ("cxer", 380),
    ("jer", 620),
    ("protobuf", 510),
    ("exi", 480),
    ("exi-default", 470),
    ("exi-merged", 470),
    ("exi-flat", 460),
    ("exi-split", 480),
];

/// By the generated code and over its types, of the shipped schemas.
fn generated<M: Message<E>, E: RuleSet>(schema: &str, files: &[File]) -> usize {
    let fixture = shipped::<M, E>(schema, true);
    let file = files.iter().find(|file| file.name == schema).unwrap();
    let mut count = 0;
    for vector in &file.vectors {
        let all = octets(vector, E::RULES);
        let Some(ours) = all.first() else { continue };
        let text = vector["value"].as_str().unwrap();
        let mut fits = true;
        for codec in fixture.codecs() {
            let encoded = codec.encode(text);
            // An integer without bounds has 64 bits in a generated type.
            if codec.name() != "interpreter over values" && is_too_wide(&encoded) {
                fits = false;
                continue;
            }
            let check = |again: Result<Vec<u8>, String>| {
                if codec.name() == "interpreter over values" || !wants_octets(&again) {
                    assert_eq!(again.as_ref(), Ok(ours), "{schema} in {}, {}: {text}", E::RULES, codec.name());
                }
            };
            check(encoded);
            all.iter().for_each(|other| check(codec.recode(other)));
        }
        count += usize::from(fits);
    }
    count
}

fn is_too_wide(encoded: &Result<Vec<u8>, String>) -> bool {
    encoded.as_ref().is_err_and(|error| error.contains("does not fit into the in-memory type"))
}

/// A generated type holds the content of an open type as octets: it does not take text of a known
/// type for them.
fn wants_octets(encoded: &Result<Vec<u8>, String>) -> bool {
    encoded.as_ref().is_err_and(|error| error.contains("takes an open type as"))
}

macro_rules! all_rules {
    ($test:ident, $message:ty, $schema:literal, $least:expr) => {
        #[test]
        fn $test() {
            let files = files();
            let of = |counts: [usize; 16]| assert!(counts.iter().sum::<usize>() >= $least, "{counts:?}");
            of(all_rules!($message, $schema, files; Uper Aper Oer Coer Ber Der Cer Xer Cxer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit));
        }
    };
    ($message:ty, $schema:literal, $files:ident; $($rules:ident)*) => { [$(generated::<$message, $rules>($schema, &$files)),*] };
}

all_rules!(cam_of_the_studies, cam_1_3_0::Cam, "cam-1.3.0", 50);
all_rules!(cam_on_the_road, cam_1_4_1::Cam, "cam-1.4.1", 50);
all_rules!(denm_of_the_studies, denm_1_2_0::Denm, "denm-1.2.0", 50);
all_rules!(denm_on_the_road, denm_1_3_1::Denm, "denm-1.3.1", 50);
// Half of its random values have integers of more than 64 bits.
all_rules!(certificate_of_the_study, certificate_2017::Certificate, "certificate-2017", 35);

/// Messages of release 2, under the rules for which they have codecs.
macro_rules! some_rules {
    ($($test:ident $module:ident::$message:ident $schema:literal [$($rules:ident)*] $least:literal;)*) => { $(
        #[test]
        fn $test() {
            let files = files();
            let counts = [$(generated::<roadwire_messages::$module::$message, $rules>($schema, &files)),*];
            assert!(counts.iter().sum::<usize>() >= $least, "{counts:?}");
        }
    )* };
}

some_rules! {
    cam_of_release_2 cam_2_3_1::Cam "cam-2.3.1" [Uper Jer] 9;
    denm_of_release_2 denm_2_3_1::Denm "denm-2.3.1" [Uper Jer] 9;
    cpm_of_release_1 cpm_tr_103562::Cpm "cpm-tr-103562" [Uper Jer] 9;
    cpm cpm_2_1_1::CollectivePerceptionMessage "cpm-2.1.1" [Uper Jer] 10;
    vam vam_2_3_1::Vam "vam-2.3.1" [Uper Jer] 7;
    ivim ivim_2_1_1::Ivim "ivim-2.1.1" [Uper Jer] 12;
    spatem spatem_2_1_1::Spatem "spatem-2.1.1" [Uper Jer] 6;
    mapem mapem_2_1_1::Mapem "mapem-2.1.1" [Uper Jer] 8;
    srem srem_2_1_1::Srem "srem-2.1.1" [Uper Jer] 9;
    ssem ssem_2_1_1::Ssem "ssem-2.1.1" [Uper Jer] 9;
    rtcmem rtcmem_2_1_1::Rtcmem "rtcmem-2.1.1" [Uper Jer] 12;
    secured_data_of_2022 ieee1609dot2_2022::Ieee1609Dot2Data "ieee1609dot2-2022" [Oer Coer Jer] 15;
    requests_for_certificates ts102941_2_2_1::EtsiTs102941Data "ts102941-2.2.1" [Coer Jer] 12;
}
