//! Compiles every schema in `schemas/` to Rust: `OUT_DIR/<schema>.rs`, and the list of them in `OUT_DIR/schemas.rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_layout::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let schemas = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../schemas").canonicalize()?;
    let target = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", schemas.display());
    let manifest: toml::Table = fs::read_to_string(schemas.join("schemas.toml"))?.parse()?;
    let mut modules = String::new();
    let mut table = String::from("/// All schemas that roadwire ships.\npub static SCHEMAS: &[Schema] = &[\n");
    for entry in manifest.get("schema").and_then(|list| list.as_array()).ok_or("schemas.toml has no [[schema]]")? {
        let text = |key: &str| entry.get(key).and_then(|value| value.as_str()).ok_or_else(|| format!("no {key}"));
        let (name, pdu) = (text("name")?, text("pdu")?);
        let files: Vec<PathBuf> = entry
            .get("files")
            .and_then(|list| list.as_array())
            .ok_or("no files")?
            .iter()
            .filter_map(|file| file.as_str())
            .map(|file| schemas.join(file))
            .collect();
        let module = name.replace(['-', '.'], "_");
        let rules = rules(entry.get("rules").or(manifest.get("rules")))?;
        fs::write(target.join(format!("{module}.rs")), compile(&files, pdu, &rules)?)?;
        writeln!(modules, "/// `{name}`: {}, {}.", text("standard")?, text("title")?)?;
        writeln!(modules, "#[allow(clippy::all)]\npub mod {module} {{")?;
        writeln!(modules, "    include!(concat!(env!(\"OUT_DIR\"), \"/{module}.rs\"));\n}}")?;
        writeln!(
            table,
            "    Schema {{ name: {name:?}, standard: {:?}, title: {:?}, pdu: {pdu:?},",
            text("standard")?,
            text("title")?
        )?;
        let includes: Vec<String> = files
            .iter()
            .map(|file| format!("({:?}, include_str!({file:?}))", file.file_name().unwrap_or_default()))
            .collect();
        writeln!(table, "        modules: &[{}] }},", includes.join(", "))?;
    }
    let sink = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("tests/sink/sink.asn");
    println!("cargo::rerun-if-changed={}", sink.display());
    fs::write(target.join("sink.rs"), compile(&[sink], "Sink.Message", &rules(manifest.get("rules"))?)?)?;
    table.push_str("];\n");
    fs::write(target.join("schemas.rs"), modules + &table)?;
    Ok(())
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

fn compile(files: &[PathBuf], pdu: &str, rules: &[Rules]) -> Result<String, Box<dyn Error>> {
    let mut sources = Vec::new();
    for file in files {
        sources.push(Source { name: file.display().to_string(), bytes: fs::read(file)? });
    }
    let compiled = roadwire_asn1::compile(&sources).map_err(|diagnostics| diagnostics.render())?;
    let root = compiled.model.find(pdu).ok_or_else(|| format!("{pdu} is not in its modules"))?;
    Ok(roadwire_codegen::generate(&compiled.model, &[root], rules)?)
}
