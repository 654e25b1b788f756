//! The types and codecs of all PDUs: `OUT_DIR/constructs.rs`, and a macro `each!` that passes their
//! names to another macro: `OUT_DIR/each.rs`. The same for the first few of them. Those of
//! `src/tagged.asn` are in `OUT_DIR/tagged.rs`.
//!
//! With `ROADWIRE_CONSTRUCTS="uper IntegerBit Truth"` only these have code, under these rules: it
//! compiles in seconds.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::Options;
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};

#[allow(dead_code, unreachable_pub)]
#[path = "src/lib.rs"]
mod table;

/// For these types, the layouts equal those of OER, XER and the other two of EXI, and so does the
/// code.
const ALIKE: [Rules; 4] = [Rules::Coer, Rules::Exer, Rules::ExiMerged, Rules::ExiSplit];

/// The types of `src/tagged.asn`, and their encodings.
const TAGGED: [&str; 5] = ["High", "Sets", "Tree", "Leaves", "Opens"];
const TAGGED_RULES: [Rules; 5] = [Rules::Ber, Rules::Der, Rules::Cer, Rules::Cbor, Rules::Protobuf];

/// The number of PDUs if the code is not run.
const FEW: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let target = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=src/lib.rs");
    println!("cargo::rerun-if-changed=src/tagged.asn");
    println!("cargo::rerun-if-env-changed=ROADWIRE_CONSTRUCTS");
    let pdus = table::pdus();
    let source = Source::new("constructs.asn", table::module(&pdus).as_str());
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    let rules = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1() && !ALIKE.contains(rules));
    let all = Constructs { rules: rules.collect(), pdus: pdus.iter().map(|pdu| pdu.name.clone()).collect() };
    let few = Constructs { pdus: all.pdus[..FEW].to_vec(), rules: all.rules.clone() };
    let chosen = env::var("ROADWIRE_CONSTRUCTS").ok().map(|words| Constructs::of(&words)).transpose()?;
    chosen.unwrap_or(all).write(&model, &target.join("constructs.rs"), &target.join("each.rs"))?;
    few.write(&model, &target.join("few.rs"), &target.join("each_of_few.rs"))?;
    let source = Source::new("tagged.asn", include_str!("src/tagged.asn"));
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    let root = |name: &str| model.find(&format!("Tagged.{name}")).ok_or("a type that is not in its module");
    let roots = TAGGED.into_iter().map(root).collect::<Result<Vec<_>, _>>()?;
    let generated = roadwire_codegen::generate(&model, &roots, &TAGGED_RULES, Options::default())?;
    fs::write(target.join("tagged.rs"), generated.source)?;
    Ok(())
}

/// PDUs, each under each of these rules.
struct Constructs {
    rules: Vec<Rules>,
    pdus: Vec<String>,
}

impl Constructs {
    /// Rules and PDUs by their names.
    fn of(words: &str) -> Result<Self, Box<dyn Error>> {
        let (rules, pdus) = words.split_once(' ').ok_or("expected rules and PDUs")?;
        Ok(Constructs { rules: vec![rules.parse()?], pdus: pdus.split(' ').map(String::from).collect() })
    }

    /// Writes their code, and the macro with their names.
    fn write(&self, model: &Model, code: &Path, each: &Path) -> Result<(), Box<dyn Error>> {
        let root = |name: &String| model.find(&format!("{}.{name}", table::MODULE)).ok_or("a PDU that is not there");
        let roots = self.pdus.iter().map(root).collect::<Result<Vec<TypeId>, _>>()?;
        fs::write(code, roadwire_codegen::generate(model, &roots, &self.rules, Options::default())?.source)?;
        let names: String = self.pdus.iter().map(|name| format!("        $of!({name});\n")).collect();
        let name = |rules: &Rules| rules.to_string().replace('-', "_");
        let arm = |rules: &Rules| format!("    ({}, $of:ident) => {{\n{names}    }};\n", name(rules));
        let arms: String = self.rules.iter().map(arm).collect();
        fs::write(each, format!("macro_rules! each {{\n{arms}    ($other:ident, $of:ident) => {{}};\n}}\n"))?;
        Ok(())
    }
}
