//! Writes the seeds of all targets to `corpus/<target>/`, where cargo-fuzz looks for them.

use std::fs;
use std::path::Path;

use roadwire_fuzz::seeds;

fn main() -> std::io::Result<()> {
    let targets = [
        ("asn1_parser", seeds::asn1()),
        ("jer", seeds::jer()),
        ("uper_decode", seeds::octets()),
        ("uper_encode", seeds::recipes()),
    ];
    for (target, inputs) in targets {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for (at, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("seed-{at:03}")), input)?;
        }
    }
    Ok(())
}
