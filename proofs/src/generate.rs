//! The C of the messages that Frama-C looks at.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::annotate;
use roadwire_codegen::generate_c;
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;

/// A file of modules, its type, its rules, the name of the files.
const MESSAGES: [(&str, &str, Rules, &str); 2] = [
    ("etsi/cam-1.4.1.asn", "CAM", Rules::Uper, "cam"),
    ("ieee/ieee1609dot2-2017.asn", "Certificate", Rules::Coer, "certificate"),
];

/// Writes them into a folder.
pub(crate) fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/messages/schemas");
    for (file, ty, rules, name) in MESSAGES {
        let text = fs::read_to_string(schemas.join(file))?;
        let compiled = compile(&[Source::new(file, text)]).map_err(|error| format!("{file}: {error:?}"))?;
        let root = compiled.model.find(ty).ok_or_else(|| format!("{file} has no {ty}"))?;
        let c =
            generate_c(&compiled.model, &[root], &[rules], (name, name)).map_err(|error| format!("{name}: {error}"))?;
        fs::write(folder.join(format!("{name}.c")), annotate::generated(&without_checks(&c.source), &c.header)?)?;
        fs::write(folder.join(format!("{name}.h")), c.header)?;
    }
    Ok(())
}

/// Without the calls that check constraints which encodings do not see, after a value has been
/// written: their loops have no contracts.
fn without_checks(source: &str) -> String {
    let octets = |line: &str| {
        let call = line.trim_start().strip_prefix("return ")?;
        let (function, octets) = call.strip_suffix(");")?.split_once("(value, error, ")?;
        function.ends_with("_checked").then(|| format!("return {octets};"))
    };
    source.lines().map(|line| octets(line).unwrap_or_else(|| line.to_owned()) + "\n").collect()
}
