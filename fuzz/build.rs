//! Generates types and codecs of the schemas in `schemas/`, as for users of the generator; and
//! lists the encodings for which each schema has codecs.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::Options;
use roadwire_layout::Rules;

/// The schemas here with generated types, and codecs for all rules that have layouts: module and
/// PDU.
const GENERATED: &[(&str, &str)] = &[("kitchen_sink", "Kitchen.Sink"), ("tags", "Tags.Message")];

#[allow(dead_code, unreachable_pub)]
#[path = "../crates/constructs/src/lib.rs"]
mod constructs;

/// The rules for which code is generated for all leaves in all extents and presences: one for each
/// code writer, since it takes long to compile.
const WRITTEN: [Rules; 9] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Oer,
    Rules::Cer,
    Rules::Xer,
    Rules::Jer,
    Rules::Protobuf,
    Rules::Exi,
    Rules::Cbor,
];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let target = PathBuf::from(env::var("OUT_DIR")?);
    let all: Vec<Rules> = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()).collect();
    let mut codecs = named(&here.join("../crates/messages/schemas"))?;
    codecs.extend(named(&here.join("../crates/papers/schemas"))?);
    for (name, pdu) in GENERATED {
        let module = here.join(format!("schemas/{}.asn", name.replace('_', "-")));
        println!("cargo::rerun-if-changed={}", module.display());
        let source = Source::new(module.display().to_string(), fs::read(&module)?);
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
    let sink = Source::new(sink.display().to_string(), fs::read(&sink)?);
    fs::write(target.join("borrowed.rs"), generated(sink, "Kitchen.Sink", &packed, borrowed)?)?;
    fs::write(target.join("codecs.rs"), table(&codecs)?)?;
    Ok(())
}

fn generated(source: Source, pdu: &str, rules: &[Rules], options: Options) -> Result<String, Box<dyn Error>> {
    let compiled = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?;
    let root = compiled.model.find(pdu).ok_or_else(|| format!("no {pdu}"))?;
    Ok(roadwire_codegen::generate(&compiled.model, &[root], rules, options)?.source)
}

/// The modules of the schemas of a crate, each with the rules that it has codecs for with all its
/// features.
fn named(folder: &Path) -> Result<Vec<(String, Vec<Rules>)>, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    Ok(roadwire_schemas::read(folder)?.into_iter().map(|schema| (schema.module(), schema.rules)).collect())
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
