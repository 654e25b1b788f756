//! Lists that Rust cannot derive: of encoding rules, which are in the table in `roadwire_layout`,
//! of features, and of what published crates have. Each says what is missing.

use std::fs;
use std::path::{Path, PathBuf};

use roadwire_layout::{Family, Rules};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn toml(path: &str) -> toml::Table {
    fs::read_to_string(project().join(path)).unwrap().parse().unwrap()
}

/// Checks the rules of a list, which must have each of them once.
#[track_caller]
fn are_all<'n>(path: &str, found: impl Iterator<Item = &'n str>, wanted: impl Iterator<Item = Rules>) {
    let (mut found, mut wanted): (Vec<&str>, Vec<&str>) = (found.collect(), wanted.map(Rules::name).collect());
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted, "{path} has other rules than the table in crates/layout/src/rules.rs");
}

fn of_asn1() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1())
}

fn names(list: &toml::Value) -> impl Iterator<Item = &str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap())
}

/// Features of the messages beside their rules.
fn message_features() -> Vec<String> {
    let list = toml("crates/messages/schemas/schemas.toml");
    let schemas = list["schema"].as_array().unwrap();
    let feature = |one: &toml::Value| one.get("feature").map(|name| name.as_str().unwrap().to_owned());
    let mut features: Vec<String> = schemas.iter().filter_map(feature).collect();
    features.dedup();
    features.extend(["alloc", "names"].map(str::to_owned));
    features
}

#[test]
fn each_rules_are_a_feature_of_the_messages_and_bring_their_interpreter() {
    let path = "crates/messages/Cargo.toml";
    let manifest = toml(path);
    let features = manifest["features"].as_table().unwrap();
    let others = message_features();
    let are_rules = |name: &&str| *name != "default" && !others.iter().any(|other| other == name);
    are_all(path, features.keys().map(String::as_str).filter(are_rules), Rules::ALL.into_iter());
    are_all(path, names(&features["default"]).filter(are_rules), Rules::ALL.into_iter());
    for rules in Rules::ALL {
        let family = format!("roadwire-engine/{}", rules.feature());
        assert_eq!(names(&features[rules.name()]).collect::<Vec<_>>(), [family], "{path}: {rules}");
    }
}

#[test]
fn each_message_is_a_feature_and_brings_what_its_types_need() {
    let path = "crates/messages/Cargo.toml";
    let manifest = toml(path);
    let features = manifest["features"].as_table().unwrap();
    for feature in message_features() {
        assert!(names(&features["default"]).any(|name| name == feature), "{path}: {feature} is not on by default");
    }
    for schema in toml("crates/messages/schemas/schemas.toml")["schema"].as_array().unwrap() {
        let name = schema["name"].as_str().unwrap();
        let has_code = schema.get("rules").is_none_or(|rules| !rules.as_array().unwrap().is_empty());
        assert_eq!(schema.get("feature").is_some(), has_code, "{name} has a feature and code, or neither");
        let Some(feature) = schema.get("feature").map(|feature| feature.as_str().unwrap()) else { continue };
        // The features that this one switches on, and those that they switch on. A schema that
        // needs a heap has code only with `alloc`.
        let mut brings = if schema.get("heap").is_some() { vec![feature, "alloc"] } else { vec![feature] };
        let mut at = 0;
        while let Some(one) = brings.get(at) {
            brings.extend(features.get(*one).into_iter().flat_map(names));
            at += 1;
        }
        let of_rules = |name: &str| Rules::ALL.iter().any(|rules| rules.feature() == name);
        for needed in needs(name).iter().filter(|name| !of_rules(name)) {
            let needed = format!("roadwire-engine/{needed}");
            assert!(
                brings.contains(&needed.as_str()),
                "{path}: `{feature}` does not bring {needed}, which {name} needs"
            );
        }
    }
}

/// The features of the engine that a schema's generated code names in its second line.
fn needs(schema: &str) -> Vec<String> {
    let file = Path::new(env!("OUT_DIR")).join(format!("{}.rs", schema.replace(['-', '.'], "_")));
    let code = fs::read_to_string(file).unwrap();
    let line = code.lines().nth(1).unwrap_or_default();
    // A schema with the codecs of another has none.
    let Some((_, list)) = line.split_once("its features [") else { return Vec::new() };
    let list = list.split(']').next().unwrap();
    list.split(", ").map(|name| name.trim_matches('"').to_owned()).collect()
}

/// The front door has the features of the messages, by the same names.
#[test]
fn the_front_door_hands_the_features_of_the_messages_on() {
    let (path, manifest) = ("crates/roadwire/Cargo.toml", toml("crates/roadwire/Cargo.toml"));
    let features = manifest["features"].as_table().unwrap();
    let all: Vec<String> = toml("crates/messages/Cargo.toml")["features"].as_table().unwrap().keys().cloned().collect();
    let are_messages = message_features();
    for name in all.iter().filter(|name| !["default", "alloc", "names"].contains(&name.as_str())) {
        let hands_on = match are_messages.contains(name) {
            true => vec!["shipped".to_owned(), format!("roadwire-messages/{name}")],
            false => vec![format!("roadwire-messages?/{name}")],
        };
        assert_eq!(names(&features[name.as_str()]).collect::<Vec<_>>(), hands_on, "{path}: {name}");
        assert!(names(&features["messages"]).any(|one| one == name), "{path}: `messages` has no {name}");
    }
}

/// Without generated code the command has all schemas as well: their text needs no feature of a
/// message.
#[test]
fn the_command_has_the_schemas_without_the_features_of_messages() {
    let (path, manifest) = ("crates/cli/Cargo.toml", toml("crates/cli/Cargo.toml"));
    let features: Vec<&str> = names(&manifest["dependencies"]["roadwire"]["features"]).collect();
    assert_eq!(features, ["schema", "shipped"], "{path}: roadwire");
    let listed = toml("crates/messages/schemas/schemas.toml");
    let listed = listed["schema"].as_array().unwrap().iter().map(|schema| schema["name"].as_str().unwrap());
    assert!(listed.eq(roadwire_messages::SCHEMAS.iter().map(|schema| schema.name)), "schemas are left out");
}

#[test]
fn some_schema_has_codecs_for_each_rules() {
    for path in ["crates/messages/schemas/schemas.toml", "crates/papers/schemas/schemas.toml"] {
        let list = toml(path);
        let studied = list["schema"].as_array().unwrap().iter().filter_map(|schema| schema.get("studied"));
        let mut found: Vec<&str> = names(&list["rules"]).chain(studied.flat_map(names)).collect();
        found.sort_unstable();
        found.dedup();
        are_all(path, found.into_iter(), of_asn1());
    }
}

#[test]
fn the_first_study_runs_all_rules_that_a_cam_has() {
    let path = "studies/encodings/study.toml";
    are_all(path, names(&toml(path)["rules"]), of_asn1());
}

#[test]
fn each_family_is_a_feature_of_the_engine_and_a_folder_everywhere() {
    let manifest = toml("crates/engine/Cargo.toml");
    for rules in Rules::ALL {
        assert!(manifest["features"].get(rules.feature()).is_some(), "the engine has no feature `{}`", rules.feature());
    }
    for family in Family::ALL {
        let is_in = |sources: &str| {
            let path = project().join("crates").join(sources).join(family.name());
            path.is_dir() || path.with_extension("rs").is_file()
        };
        for sources in ["layout/src", "engine/src", "wire/src/rt"] {
            assert!(is_in(sources), "{sources} has no {}", family.name());
        }
        // Octets and events follow each other as bits do.
        let walks = ["plan/src/walk", "plan/src/walk/packed"];
        assert!(walks.into_iter().any(is_in), "no walk in plan for {}", family.name());
        let target = project().join(format!("fuzz/fuzz_targets/decode_{}.rs", family.name()));
        assert!(target.is_file(), "no {}", target.display());
    }
}

/// Crates that are published have what a registry and its readers look for, an example among it.
#[test]
fn published_crates_have_a_page_and_an_example() {
    let mut published = 0;
    for entry in fs::read_dir(project().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let package = manifest["package"].as_table().unwrap();
        if package.get("publish").and_then(toml::Value::as_bool) == Some(false) {
            continue;
        }
        let name = package["name"].as_str().unwrap();
        published += 1;
        for key in ["description", "readme", "keywords", "categories"] {
            assert!(package.contains_key(key), "{name} has no {key}");
        }
        assert!((1..=5).contains(&names(&package["keywords"]).count()), "{name}: up to five keywords");
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        let mut documentation = library.lines().take_while(|line| line.starts_with("//!"));
        assert!(documentation.any(|line| line == "//! ```"), "the documentation of {name} has no example");
    }
    assert!(published > 10, "only {published} crates are published");
}

/// A wildcard over rules or families would silently accept a new one.
#[test]
fn nothing_matches_rules_or_families_with_a_wildcard() {
    let mut folders = vec![project().join("crates"), project().join("fuzz"), project().join("growth/src")];
    let (mut files, mut found) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files += 1;
                let text = fs::read_to_string(&path).unwrap();
                found.extend(wildcards(&text).map(|line| format!("{}:{line}", path.display())));
            }
        }
    }
    assert!(files > 300, "only {files} files were looked at");
    assert!(found.is_empty(), "a match over rules or families with `_ =>`:\n{}", found.join("\n"));
}

/// The lines with `_ =>` in a `match` whose arms begin with rules or families.
fn wildcards(text: &str) -> impl Iterator<Item = usize> + '_ {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| {
        let arm = line.trim_start().trim_start_matches("| ");
        (arm.starts_with("Rules::") || arm.starts_with("Family::")) && line.contains("=>")
    };
    let is_wildcard = move |at: &usize| {
        let (line, depth) = (lines[*at], indent(lines[*at]));
        if !(line.trim_start().starts_with("_ =>") || line.trim_start().starts_with("_ if ")) {
            return false;
        }
        // The arms before it, up to the start of the match.
        lines[..*at]
            .iter()
            .rev()
            .take_while(|one| one.trim().is_empty() || indent(one) >= depth)
            .any(|one| indent(one) == depth && begins(one))
    };
    (0..text.lines().count()).filter(is_wildcard).map(|at| at + 1)
}

#[test]
fn a_wildcard_is_found() {
    let text = "match rules {\n    Rules::Uper => 1,\n    _ => 2,\n}\nmatch kind {\n    Kind::Null => 1,\n    _ => match rules.family() {\n        Family::Xml => 2,\n        Family::Json => 3,\n    },\n}";
    assert_eq!(wildcards(text).collect::<Vec<_>>(), [3]);
}
