//! The output of the generator for small modules, kept next to them for review.
//! `ROADWIRE_BLESS=1 cargo test -p roadwire-codegen` rewrites the files after an intended change.

use std::path::Path;
use std::{env, fs};

use roadwire_codegen::Options;
use roadwire_frontend::Source;
use roadwire_layout::{Family, Rules};

/// A module, its message, and the rules for which there is code. The types are in `<module>.rs`,
/// and codecs in `<module>-<rules>.rs`; points in names are hyphens.
const GOLDEN: [(&str, &str, Rules); 16] = [
    ("fixed.asn", "Fixed.Point", Rules::Uper),
    ("path.asn", "Path.Track", Rules::Uper),
    ("borrowed.asn", "Borrowed.Letter", Rules::Oer),
    ("open.asn", "Open.Wrapped", Rules::Uper),
    ("open.asn", "Open.Wrapped", Rules::Oer),
    ("open.asn", "Open.Wrapped", Rules::Der),
    ("open.asn", "Open.Wrapped", Rules::Jer),
    ("report.asn", "Golden.Report", Rules::Uper),
    ("report.asn", "Golden.Report", Rules::Oer),
    ("report.asn", "Golden.Report", Rules::Der),
    ("report.asn", "Golden.Report", Rules::Protobuf),
    ("report.asn", "Golden.Report", Rules::Exi),
    ("report.asn", "Golden.Report", Rules::Xer),
    ("report.asn", "Golden.Report", Rules::Jer),
    ("report.asn", "Golden.Report", Rules::Cbor),
    ("report.tls", "Report", Rules::Tls),
];

/// Types that borrow, with a tapped part.
fn options(module: &str) -> Options {
    match module {
        "borrowed.asn" => {
            let tapped = vec!["Letter.content".into()];
            Options { elements_in_place: 2, borrowed: true, tapped, ..Options::default() }
        }
        _ => Options::default(),
    }
}

#[test]
fn generated_code_is_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut different = Vec::new();
    for (module, message, rules) in GOLDEN {
        let source = Source::new(module, fs::read(folder.join(module)).unwrap());
        let model = roadwire_frontend::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find(message).unwrap_or_else(|| panic!("{module} has no {message}"));
        let written = roadwire_codegen::generate(&model, &[root], &[rules], options(module)).unwrap().source;
        // The first line, and the second with the features of these rules; the types, which are the
        // same under all; the codec.
        let codec = written.find("\n/// Codecs for ").expect("a codec");
        let types = written.match_indices('\n').nth(1).expect("two lines").0 + 1;
        let name = module.replace('.', "-");
        let of_rules = [&written[..types], &written[codec..]].concat();
        different.extend(difference(&folder.join(format!("{name}.rs")), &written[types..codec]));
        different.extend(difference(&folder.join(format!("{name}-{rules}.rs")), &of_rules));
    }
    assert!(different.is_empty(), "the generator writes something else now:\n{}", different.join("\n"));
}

/// Where a reviewed file differs from the current output.
fn difference(golden: &Path, written: &str) -> Option<String> {
    if env::var_os("ROADWIRE_BLESS").is_some() {
        fs::write(golden, written).unwrap();
    }
    let reviewed = fs::read_to_string(golden).unwrap_or_default();
    let line = written.lines().zip(reviewed.lines()).position(|(new, old)| new != old);
    let line = line.or((written.lines().count() != reviewed.lines().count()).then_some(0))?;
    Some(format!("{}:{}: {}", golden.display(), line + 1, written.lines().nth(line).unwrap_or("")))
}

#[test]
fn each_family_has_a_golden_module() {
    for family in Family::ALL {
        assert!(GOLDEN.iter().any(|(_, _, rules)| rules.family() == family), "{}", family.name());
    }
}
