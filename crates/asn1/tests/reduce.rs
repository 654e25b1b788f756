//! Modules printed again, reduced to what a definition reaches: the types have the same layouts,
//! and printing what was printed gives the same text.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::fs;
use std::path::{Path, PathBuf};

use roadwire_asn1::{ReduceError, Source, compile, reduce};
use roadwire_layout::{Layout, LowerError, Rules, lower};
use roadwire_model::{Model, TypeId};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The module files in a folder and its folders, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.extend(path.extension().is_some_and(|extension| extension == "asn").then_some(path)),
        }
    }
    found.sort();
    found
}

fn sources(files: &[PathBuf]) -> Vec<Source> {
    files.iter().map(|file| Source::new(file.display().to_string(), fs::read(file).unwrap())).collect()
}

fn layouts(model: &Model, id: TypeId) -> Vec<Result<Layout, LowerError>> {
    let rules = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1());
    rules.map(|rules| lower(model, id, rules)).collect()
}

/// The most definitions of some modules that are reduced alone.
const MOST: usize = 40;

/// How many definitions were compared, each reduced alone: all of small modules, and as many of
/// large ones as [`MOST`] says, the first, the last and some between. None if the modules have
/// errors.
fn each_definition_alone(sources: &[Source]) -> usize {
    let Ok(compiled) = compile(sources) else { return 0 };
    let model = compiled.model;
    let step = model.definitions.len().div_ceil(MOST).max(1);
    let some =
        model.definitions.iter().enumerate().filter(|(at, _)| at % step == 0 || at + 1 == model.definitions.len());
    some.map(|(_, (name, id))| same(sources, &model, &name.to_string(), *id)).count()
}

#[track_caller]
fn same(sources: &[Source], model: &Model, name: &str, id: TypeId) {
    let text = reduce(sources, &[name]).unwrap_or_else(|error| panic!("{name}: {error}"));
    let printed = [Source::new("printed.asn", text.as_str())];
    let again = compile(&printed).unwrap_or_else(|found| panic!("{name}: {}\n{text}", found.render())).model;
    // Of modules of one name, fewer may be left, and these have their plain name in the model.
    let plain = |name: &str| name.rsplit('.').next().unwrap().to_owned();
    let found = again.find(name).or_else(|| again.find(&plain(name))).unwrap_or_else(|| panic!("no {name}: {text}"));
    assert!(layouts(&again, found) == layouts(model, id), "the layout of {name} differs: {text}");
    let first = again.definitions.iter().find(|(_, id)| **id == found).unwrap().0.to_string();
    assert_eq!(reduce(&printed, &[&first]).unwrap(), text, "{name} is printed in another way again");
}

#[test]
fn every_definition_of_our_modules_is_reduced_and_printed_again() {
    let mut count = 0;
    for folder in ["interop/modules", "crates/papers/schemas", "crates/messages/schemas", "crates/asn1/tests/cases"] {
        let folder = project().join(folder);
        for file in files(&folder) {
            let mut set = vec![file.clone()];
            // TS 103 097 since V1.3.1 is nothing without IEEE 1609.2, and TS 102 941 nothing
            // without both.
            for (name, needed) in [
                ("ts103097-1.3.1.asn", "ieee/ieee1609dot2-2017.asn"),
                ("ts103097-2.1.1.asn", "ieee/ieee1609dot2-2022.asn"),
                ("ts102941-2.2.1.asn", "ieee/ieee1609dot2-2022.asn"),
                ("ts102941-2.2.1.asn", "etsi/ts103097-2.1.1.asn"),
            ] {
                set.extend(file.ends_with(name).then(|| folder.join(needed)));
            }
            count += each_definition_alone(&sources(&set));
        }
    }
    assert!(count > 400, "{count} definitions");
}

/// Each PDU of the published modules, and all definitions of a dictionary at once.
#[test]
fn published_modules_are_reduced_and_printed_again() {
    let Some(folder) = shared::shared("modules") else { return };
    let within = |names: &[&str]| -> Vec<PathBuf> {
        let all = names.iter().map(|name| folder.join(name));
        all.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    };
    let mut count = 0;
    for set in [
        &["EN302637-2v141-CAM.asn", "EN302637-3v131-DENM.asn", "TS102894-2v131-CDD.asn"][..],
        &["IEEE1609dot2.asn", "IEEE1609dot2BaseTypes.asn", "TS103097v131.asn"],
        &["study/dot2-original-full.asn"],
        &["study/hammi-listing1.asn"],
        &["release2/IEEE1609dot2-2v24", "release2/TS103097v211.asn", "release2/TS103097v211-Extension.asn"],
    ] {
        count += each_definition_alone(&sources(&within(set)));
    }
    assert!(count > 100, "{count} definitions");
    for (set, names) in [
        (&["release2/TS103900v231-CAM.asn", CDD][..], &["CAM"][..]),
        (&["release2/TS103831v231-DENM.asn", CDD], &["DENM"]),
        (&["release2/TS103324v211", CDD], &["CollectivePerceptionMessage"]),
        (&["release2/TS103300-3v231", CDD], &["VAM", "MotorcylistSpecialContainer"]),
        (&["release2/TS103301v211-IS"], &["IVIM", "SPATEM", "MAPEM", "SREM", "SSEM", "RTCMEM"]),
    ] {
        let sources = sources(&within(set));
        let model = compile(&sources).unwrap_or_else(|found| panic!("{}", found.render())).model;
        names.iter().for_each(|name| same(&sources, &model, name, model.find(name).unwrap()));
        all_at_once(&sources, &model);
    }
}

const CDD: &str = "release2/TS102894-2v241-CDD.asn";

/// Modules that are printed whole are read as the same ones.
fn all_at_once(sources: &[Source], model: &Model) {
    let names: Vec<String> = model.definitions.keys().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = reduce(sources, &names).unwrap();
    let printed = [Source::new("printed.asn", text.as_str())];
    let again = compile(&printed).unwrap_or_else(|found| panic!("{}", found.render())).model;
    assert!(again.definitions.keys().eq(model.definitions.keys()));
    for (name, id) in &model.definitions {
        let found = again.definitions[name];
        for rules in [Rules::Uper, Rules::Oer, Rules::Jer] {
            assert!(lower(&again, found, rules) == lower(model, *id, rules), "the layout of {name} differs");
        }
    }
    assert_eq!(reduce(&printed, &names).unwrap(), text);
}

/// Modules with rare constructs; some of them are refused by the compiler, and then are not reduced
/// either.
#[test]
fn cases_are_reduced_and_printed_again() {
    let Some(folder) = shared::shared("cases") else { return };
    let count: usize = files(&folder).into_iter().map(|file| each_definition_alone(&sources(&[file]))).sum();
    assert!(count > 50, "{count} definitions");
}

/// The modules in the tests of the parser.
#[test]
fn accepted_modules_are_reduced_and_printed_again() {
    let text = include_str!("cases/accepted.md");
    let blocks = text.split("```asn1\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    // A block is the body of a module, or whole modules.
    let whole = |block: &str| match block.contains("DEFINITIONS") {
        true => block.to_owned(),
        false => format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {block} END"),
    };
    let count: usize = blocks.map(|block| each_definition_alone(&[Source::new("case.asn", whole(block))])).sum();
    assert!(count > 180, "{count} definitions");
}

fn reduced(text: &str, names: &[&str]) -> String {
    reduce(&[Source::new("m.asn", text)], names).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_is_not_reached_is_left_out() {
    let text = "A DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS Used, Other FROM B;
            Pdu ::= SEQUENCE { one Used, two ENUMERATED { other, most } }  Idle ::= Other  most INTEGER ::= 3 END
        B DEFINITIONS AUTOMATIC TAGS ::= BEGIN EXPORTS ALL; Used ::= INTEGER (0..top) Other ::= NULL top INTEGER ::= 4 END
        C DEFINITIONS ::= BEGIN Alone ::= NULL END";
    let wanted = "\
A DEFINITIONS AUTOMATIC TAGS ::= BEGIN

IMPORTS
  Used
FROM B;

Pdu ::= SEQUENCE {
  one Used,
  two ENUMERATED { other, most }
}

END

B DEFINITIONS AUTOMATIC TAGS ::= BEGIN

Used ::= INTEGER (0..top)

top INTEGER ::= 4

END
";
    assert_eq!(reduced(text, &["Pdu"]), wanted);
}

/// Comments, and the spaces and lines of the text, are not kept.
#[test]
fn one_layout_holds_for_all() {
    let text = "M {iso(1) standard (0) 4711} DEFINITIONS IMPLICIT TAGS EXTENSIBILITY IMPLIED::=BEGIN
        C::=CLASS{&id INTEGER UNIQUE,&Type}WITH SYNTAX{&Type IDENTIFIED BY &id}
        s C::={{BOOLEAN IDENTIFIED BY 1}|{INTEGER(MIN<..<-5|3...4) -- -- IDENTIFIED BY 2},...}
        T{INTEGER:n}::=[APPLICATION 3]SET{id C.&id({S}),v C.&Type({S}{@id}),...,[[2:x REAL(1.5..2.5),y B{{n}}DEFAULT{}]],...}
        END";
    let text =
        text.replace("s C::=", "S C::=").replace("B{{n}}", "BIT STRING{a(0)}(SIZE(0..n))").replace("3...4", "3..4");
    let wanted = "\
M
  { iso(1) standard(0) 4711 }
DEFINITIONS IMPLICIT TAGS EXTENSIBILITY IMPLIED ::= BEGIN

T {INTEGER : n} ::= [APPLICATION 3] SET {
  id C.&id ({S}),
  v C.&Type ({S} {@id}),
  ...,
  [[ 2: x REAL (1.5..2.5), y BIT STRING { a(0) } (SIZE (0..n)) DEFAULT {} ]],
  ...
}

C ::= CLASS {
  &id INTEGER UNIQUE,
  &Type
} WITH SYNTAX { &Type IDENTIFIED BY &id }

S C ::= { { BOOLEAN IDENTIFIED BY 1 } | { INTEGER (MIN<..<-5 | 3..4) IDENTIFIED BY 2 }, ... }

END
";
    assert_eq!(reduced(&text, &["T"]), wanted);
}

/// An ENCODING-CONTROL section names types of its module, so all of it is kept; encoding
/// instructions are as they were.
#[test]
fn modules_with_encoding_control_are_whole() {
    let text = "M DEFINITIONS XER INSTRUCTIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { b [ATTRIBUTE] INTEGER, c [NAME AS \"C\"] BOOLEAN } D ::= NULL
        ENCODING-CONTROL XER NAME D AS UNCAPITALIZED GLOBAL-DEFAULTS MODIFIED-ENCODINGS END";
    let printed = reduced(text, &["A"]);
    assert!(printed.contains("D ::= NULL"), "{printed}");
    assert!(printed.contains("b [ATTRIBUTE] INTEGER,\n  c [NAME AS \"C\"] BOOLEAN"), "{printed}");
    assert!(printed.contains("ENCODING-CONTROL XER\n  NAME D AS UNCAPITALIZED GLOBAL-DEFAULTS"), "{printed}");
    each_definition_alone(&[Source::new("m.asn", text)]);
}

/// A name for a module that holds in the importing module alone, names with their module in front,
/// and a definition behind two imports.
#[test]
fn modules_are_followed_by_the_names_that_importers_use() {
    let text = "Pdus DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS T FROM First { 1 2 1 } T, U FROM Second { 1 2 2 };
            P ::= SEQUENCE { a First.T, b Second.T, c U, d Fourth.V } END
        Types { 1 2 1 } DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= INTEGER (0..7) END
        Types { 1 2 2 } DEFINITIONS AUTOMATIC TAGS ::= BEGIN IMPORTS U FROM Third; T ::= BOOLEAN END
        Third DEFINITIONS AUTOMATIC TAGS ::= BEGIN U ::= ENUMERATED { x, y } END
        Fourth DEFINITIONS AUTOMATIC TAGS ::= BEGIN V ::= NULL END";
    let sources = [Source::new("m.asn", text)];
    let model = compile(&sources).unwrap_or_else(|found| panic!("{}", found.render())).model;
    same(&sources, &model, "Pdus.P", model.find("Pdus.P").unwrap());
    assert!(reduced(text, &["P"]).contains("\n  T\nFROM First\n  { 1 2 1 }\n"), "{}", reduced(text, &["P"]));
}

#[test]
fn a_name_that_is_not_of_one_definition_is_refused() {
    let text = "A DEFINITIONS ::= BEGIN T ::= NULL END B DEFINITIONS ::= BEGIN T ::= NULL END";
    for name in ["T", "U", "C.T", "A.U"] {
        let found = reduce(&[Source::new("m.asn", text)], &[name]);
        assert!(matches!(&found, Err(ReduceError::Unknown(unknown)) if unknown == name), "{found:?}");
    }
    assert!(matches!(reduce(&[Source::new("m.asn", "A DEFINITIONS")], &["T"]), Err(ReduceError::Modules(_))));
}
