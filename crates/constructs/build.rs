//! The types and codecs of all PDUs: `OUT_DIR/constructs.rs`, and a macro `each!` that passes their
//! names to another macro: `OUT_DIR/each.rs`. The same for the first few of them. Those of
//! `src/tagged.asn` are in `OUT_DIR/tagged.rs`.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::Options;
use roadwire_layout::Rules;

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
    let pdus = table::pdus();
    let source = Source::new("constructs.asn", table::module(&pdus).as_str());
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    let root = |pdu: &table::Pdu| {
        model.find(&format!("{}.{}", table::MODULE, pdu.name)).ok_or("a PDU that is not in its module")
    };
    let roots = pdus.iter().map(root).collect::<Result<Vec<_>, _>>()?;
    let rules = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1() && !ALIKE.contains(rules));
    let rules: Vec<Rules> = rules.collect();
    for (count, code, each) in [(pdus.len(), "constructs.rs", "each.rs"), (FEW, "few.rs", "each_of_few.rs")] {
        let generated = roadwire_codegen::generate(&model, &roots[..count], &rules, Options::default())?;
        fs::write(target.join(code), generated.source)?;
        let names: String = pdus[..count].iter().map(|pdu| format!("        $of!({});\n", pdu.name)).collect();
        fs::write(target.join(each), format!("macro_rules! each {{\n    ($of:ident) => {{\n{names}    }};\n}}\n"))?;
    }
    let source = Source::new("tagged.asn", include_str!("src/tagged.asn"));
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    let root = |name: &str| model.find(&format!("Tagged.{name}")).ok_or("a type that is not in its module");
    let roots = TAGGED.into_iter().map(root).collect::<Result<Vec<_>, _>>()?;
    let generated = roadwire_codegen::generate(&model, &roots, &TAGGED_RULES, Options::default())?;
    fs::write(target.join("tagged.rs"), generated.source)?;
    Ok(())
}
