//! Types and codecs of the kitchen sink, as users of the generator get them.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_layout::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let module = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("schemas/kitchen-sink.asn");
    println!("cargo::rerun-if-changed={}", module.display());
    let source = Source { name: "kitchen-sink.asn".into(), bytes: fs::read(&module)? };
    let compiled = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?;
    let root = compiled.model.find("Kitchen.Sink").ok_or("no Kitchen.Sink")?;
    let code = roadwire_codegen::generate(&compiled.model, &[root], &[Rules::Uper])?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("kitchen_sink.rs"), code)?;
    Ok(())
}
