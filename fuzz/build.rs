//! Types and codecs of the schemas in `schemas/`, as users of the generator get them; and which encodings each schema has codecs of.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::Options;
use roadwire_layout::Rules;

/// The schemas here that there are generated types of, with codecs for all rules that have layouts: module and PDU.
const GENERATED: &[(&str, &str)] = &[("kitchen_sink", "Kitchen.Sink"), ("tags", "Tags.Message")];

#[allow(dead_code, unreachable_pub)]
#[path = "../crates/constructs/src/lib.rs"]
mod constructs;

/// What there is generated code for of all leaves in all extents and presences, a set of rules for each writer of code: it takes the more time to compile.
const WRITTEN: [Rules; 8] =
    [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Cer, Rules::Xer, Rules::Jer, Rules::Protobuf, Rules::Exi];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let target = PathBuf::from(env::var("OUT_DIR")?);
    let all: Vec<Rules> = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()).collect();
    let mut codecs = shipped(&here.join("../schemas/schemas.toml"))?;
    for (name, pdu) in GENERATED {
        let module = here.join(format!("schemas/{}.asn", name.replace('_', "-")));
        println!("cargo::rerun-if-changed={}", module.display());
        let source = Source { name: module.display().to_string(), bytes: fs::read(&module)? };
        fs::write(target.join(format!("{name}.rs")), generated(source, pdu, &all, Options::default())?)?;
        codecs.push(((*name).to_owned(), all.clone()));
    }
    println!("cargo::rerun-if-changed=../crates/constructs/src/lib.rs");
    let source = Source::new("constructs.asn", constructs::module(&constructs::pdus()).as_str());
    let any = format!("{}.{}", constructs::MODULE, constructs::ANY);
    fs::write(target.join("constructs.rs"), generated(source, &any, &WRITTEN, Options::default())?)?;
    codecs.push(("constructs".to_owned(), WRITTEN.to_vec()));
    let borrowed = Options { borrowed: true, elements_in_place: 2, ..Options::default() };
    let packed = [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer];
    let sink = here.join("schemas/kitchen-sink.asn");
    let sink = Source { name: sink.display().to_string(), bytes: fs::read(&sink)? };
    fs::write(target.join("borrowed.rs"), generated(sink, "Kitchen.Sink", &packed, borrowed)?)?;
    fs::write(target.join("codecs.rs"), table(&codecs)?)?;
    Ok(())
}

fn generated(source: Source, pdu: &str, rules: &[Rules], options: Options) -> Result<String, Box<dyn Error>> {
    let compiled = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?;
    let root = compiled.model.find(pdu).ok_or_else(|| format!("no {pdu}"))?;
    Ok(roadwire_codegen::generate(&compiled.model, &[root], rules, options)?.source)
}

/// The shipped schemas' modules, each with the rules that the messages crate, with its default features, has codecs for.
fn shipped(manifest: &Path) -> Result<Vec<(String, Vec<Rules>)>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", manifest.display());
    let manifest: toml::Table = fs::read_to_string(manifest)?.parse()?;
    let mut found = Vec::new();
    for entry in manifest.get("schema").and_then(toml::Value::as_array).ok_or("schemas.toml has no [[schema]]")? {
        let name = entry.get("name").and_then(toml::Value::as_str).ok_or("a schema without a name")?;
        let list = entry.get("rules").or(manifest.get("rules")).and_then(toml::Value::as_array).ok_or("no rules")?;
        let rules: Result<Vec<Rules>, _> = list.iter().filter_map(toml::Value::as_str).map(str::parse).collect();
        found.push((name.replace(['-', '.'], "_"), rules.map_err(|error| format!("{name}: {error}"))?));
    }
    Ok(found)
}

/// A macro from a schema's module and one of its messages to that message's codecs.
fn table(codecs: &[(String, Vec<Rules>)]) -> Result<String, std::fmt::Error> {
    let mut out = String::from("macro_rules! codecs {\n");
    for (module, rules) in codecs {
        write!(out, "    ({module}::$message:ident) => {{ vec![")?;
        rules.iter().try_for_each(|rules| {
            write!(out, "$crate::generated::codec::<{module}::$message, roadwire_layout::{rules:?}>(), ")
        })?;
        out.push_str("] };\n");
    }
    out.push_str("}\n");
    Ok(out)
}
