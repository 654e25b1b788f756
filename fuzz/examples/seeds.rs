//! Writes the seeds of all targets to `corpus/<target>/`, where cargo-fuzz looks for them.

use std::fs;
use std::path::Path;

use roadwire_fuzz::{Family, seeds};

fn main() -> std::io::Result<()> {
    let mut targets = [
        ("asn1_parser", seeds::asn1()),
        ("presentation_parser", seeds::presentation()),
        ("notation", seeds::notation()),
        ("distribution", seeds::distributions()),
        ("encode", seeds::recipes()),
        ("secured_message", seeds::secured()),
        ("secured_message_today", seeds::secured_today()),
        ("capture_file", seeds::files()),
        ("frame", seeds::frames()),
    ]
    .map(|(target, inputs)| (target.to_owned(), inputs))
    .to_vec();
    targets.extend(Family::ALL.map(|family| (format!("decode_{}", family.name()), seeds::messages(family))));
    for (target, inputs) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for (at, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed-{at:03}")), input)?;
        }
    }
    Ok(())
}
