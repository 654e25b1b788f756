//! Generates the types of the modules here, two of which are versions of one.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_layout::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    for (module, pdu) in [("now", "Now.Message"), ("later", "Later.Message"), ("preset", "Preset.Message")] {
        let file = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(format!("{module}.asn"));
        println!("cargo::rerun-if-changed={}", file.display());
        let source = Source::new(file.display().to_string(), fs::read(&file)?);
        let compiled = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?;
        let root = compiled.model.find(pdu).ok_or("no message")?;
        let rules = [Rules::Uper, Rules::Aper, Rules::Oer];
        let code = roadwire_codegen::generate(&compiled.model, &[root], &rules, Default::default())?.source;
        fs::write(Path::new(&env::var("OUT_DIR")?).join(format!("{module}.rs")), code)?;
    }
    Ok(())
}
