//! Compiles every schema in `schemas/` to Rust: `OUT_DIR/<schema>.rs`, and the list of them in `OUT_DIR/schemas.rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_codegen::{Options, generate, generate_names};
use roadwire_frontend::Source;
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../schemas").canonicalize()?;
    let target = PathBuf::from(env::var("OUT_DIR")?);
    let manifest = schemas.join("schemas.toml");
    println!("cargo::rerun-if-changed={}", manifest.display());
    let manifest: toml::Table = fs::read_to_string(manifest)?.parse()?;
    let mut modules = String::new();
    let mut table = String::from("/// All schemas that roadwire ships.\npub static SCHEMAS: &[Schema] = &[\n");
    for entry in manifest.get("schema").and_then(|list| list.as_array()).ok_or("schemas.toml has no [[schema]]")? {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_str()).ok_or_else(|| format!("no {key}"));
        let (name, standard, title) = (text("name")?, text("standard")?, text("title")?);
        let pdus = list(entry, "pdus")?;
        let files: Vec<PathBuf> = list(entry, "files")?.iter().map(|file| schemas.join(file)).collect();
        files.iter().for_each(|file| println!("cargo::rerun-if-changed={}", file.display()));
        let module = module_name(name);
        let (model, roots) = compile(&files, &pdus)?;
        let code = match entry.get("codecs-of").and_then(toml::Value::as_str) {
            Some(other) => generate_names(&model, &roots, &format!("crate::{}", module_name(other)))?,
            None => {
                generate(&model, &roots, &rules(entry.get("rules").or(manifest.get("rules")))?, options(entry)?)?.source
            }
        };
        let code = match entry.get("borrowed") {
            Some(list) => {
                let options = Options { borrowed: true, ..options(entry)? };
                let borrowed = generate(&model, &roots, &rules(Some(list))?, options)?.source;
                fs::write(target.join(format!("{module}_borrowed.rs")), borrowed)?;
                let include = format!("include!(concat!(env!(\"OUT_DIR\"), \"/{module}_borrowed.rs\"));");
                format!(
                    "{code}\n/// The same types with strings that the input lends.\npub mod borrowed {{\n    {include}\n}}\n"
                )
            }
            None => code,
        };
        fs::write(target.join(format!("{module}.rs")), code)?;
        writeln!(modules, "/// `{name}`: {standard}, {title}.")?;
        writeln!(modules, "#[allow(clippy::all)]\npub mod {module} {{")?;
        writeln!(modules, "    include!(concat!(env!(\"OUT_DIR\"), \"/{module}.rs\"));\n}}")?;
        writeln!(table, "    Schema {{ name: {name:?}, standard: {standard:?}, title: {title:?}, pdus: &{pdus:?},")?;
        let includes: Vec<String> = files
            .iter()
            .map(|file| format!("({:?}, include_str!({file:?}))", file.file_name().unwrap_or_default()))
            .collect();
        writeln!(table, "        modules: &[{}] }},", includes.join(", "))?;
    }
    let sink = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("tests/sink/sink.asn");
    println!("cargo::rerun-if-changed={}", sink.display());
    let (model, roots) = compile(&[sink], &["Sink.Message", "Sink.Label", "Sink.Note"])?;
    let all = rules(manifest.get("rules"))?;
    fs::write(target.join("sink.rs"), generate(&model, &roots, &all, Options::default())?.source)?;
    // The same with each part as a function, which only large types that are used more than once are otherwise.
    let options = Options { written_out: Some(0), ..Options::default() };
    fs::write(target.join("sink_functions.rs"), generate(&model, &roots, &all, options)?.source)?;
    let packed = ["uper", "aper", "oer", "coer"].map(toml::Value::from).to_vec();
    let options = Options { borrowed: true, elements_in_place: 2, ..Options::default() };
    let borrowed = generate(&model, &roots, &rules(Some(&packed.clone().into()))?, options)?.source;
    fs::write(target.join("sink_borrowed.rs"), borrowed)?;
    let constraints = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("tests/sink/constraints.asn");
    println!("cargo::rerun-if-changed={}", constraints.display());
    let (model, roots) = compile(&[constraints], &["Constraints.Message", "Constraints.Plain"])?;
    for (name, rules, options) in [
        ("constraints", all.clone(), Options::default()),
        ("constraints_all", all, Options { check_all: true, ..Options::default() }),
        (
            "constraints_borrowed",
            rules(Some(&packed.into()))?,
            Options { borrowed: true, check_all: true, tapped: vec!["Message.size".into()], ..Options::default() },
        ),
    ] {
        fs::write(target.join(format!("{name}.rs")), generate(&model, &roots, &rules, options)?.source)?;
    }
    table.push_str("];\n");
    fs::write(target.join("schemas.rs"), modules + &table)?;
    Ok(())
}

/// A list of texts, not empty.
fn list<'e>(entry: &'e toml::Value, key: &str) -> Result<Vec<&'e str>, String> {
    let list = entry.get(key).and_then(toml::Value::as_array).ok_or_else(|| format!("no {key}"))?;
    let texts: Option<Vec<&str>> = list.iter().map(toml::Value::as_str).collect();
    texts.filter(|texts| !texts.is_empty()).ok_or_else(|| format!("{key} is not a list of names"))
}

/// Those of the listed rules whose feature is on.
fn rules(list: Option<&toml::Value>) -> Result<Vec<Rules>, Box<dyn Error>> {
    let list = list.and_then(toml::Value::as_array).ok_or("schemas.toml has no rules")?;
    let mut rules = Vec::new();
    for name in list.iter().filter_map(toml::Value::as_str) {
        let one: Rules = name.parse().map_err(|error| format!("schemas.toml: {name}: {error}"))?;
        if env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase().replace('-', "_"))).is_some() {
            rules.push(one);
        }
    }
    Ok(rules)
}

/// How the types of a schema are held.
fn options(entry: &toml::Value) -> Result<Options, Box<dyn Error>> {
    let elements_in_place = entry.get("elements-in-place").map_or(Some(0), toml::Value::as_integer);
    let elements_in_place = elements_in_place.ok_or("elements-in-place is not a number")?.try_into()?;
    let tapped = match entry.get("tapped") {
        Some(_) => list(entry, "tapped")?.into_iter().map(str::to_owned).collect(),
        None => Vec::new(),
    };
    Ok(Options { elements_in_place, tapped, ..Options::default() })
}

/// `cam-1.4.1` is `cam_1_4_1`.
fn module_name(schema: &str) -> String {
    schema.replace(['-', '.'], "_")
}

fn compile(files: &[PathBuf], pdus: &[&str]) -> Result<(Model, Vec<TypeId>), Box<dyn Error>> {
    let mut sources = Vec::new();
    for file in files {
        sources.push(Source { name: file.display().to_string(), bytes: fs::read(file)? });
    }
    let model = roadwire_frontend::compile(&sources).map_err(|diagnostics| diagnostics.render())?.model;
    let roots: Result<Vec<_>, String> =
        pdus.iter().map(|pdu| model.find(pdu).ok_or_else(|| format!("{pdu} is not in its modules"))).collect();
    let roots = roots?;
    Ok((model, roots))
}
