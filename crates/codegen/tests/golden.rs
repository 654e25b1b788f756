//! What the generator writes for small modules, kept beside them to be read and reviewed. `ROADWIRE_BLESS=1 cargo test -p roadwire-codegen` writes
//! the files anew after a change that is meant.

use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_codegen::Options;
use roadwire_layout::Rules;

#[test]
fn generated_code_is_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut modules: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    modules.retain(|path| path.extension().is_some_and(|extension| extension == "asn"));
    modules.sort();
    assert!(!modules.is_empty());
    for module in modules {
        let source = roadwire_asn1::Source { name: "golden".into(), bytes: fs::read(&module).unwrap() };
        let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let first = model
            .definitions
            .iter()
            .find(|(_, id)| matches!(model.get(**id).kind, roadwire_model::Kind::Sequence { .. }));
        let (_, root) = first.expect("a SEQUENCE");
        let (rules, options) = match module.file_stem().is_some_and(|stem| stem == "lent") {
            true => {
                let tapped = vec!["Letter.content".into()];
                (Rules::Oer, Options { elements_in_place: 2, borrowed: true, tapped, ..Options::default() })
            }
            false => (Rules::Uper, Options::default()),
        };
        let written = roadwire_codegen::generate(&model, &[*root], &[rules], options).unwrap().source;
        let golden = module.with_extension("rs");
        if env::var_os("ROADWIRE_BLESS").is_some() {
            fs::write(&golden, &written).unwrap();
        }
        let reviewed = fs::read_to_string(&golden).unwrap_or_default();
        let different = written.lines().zip(reviewed.lines()).position(|(new, old)| new != old);
        if let Some(line) = different.or((written.lines().count() != reviewed.lines().count()).then_some(0)) {
            panic!(
                "{}:{}: the generator writes something else now:\n{}",
                golden.display(),
                line + 1,
                written.lines().nth(line).unwrap_or("")
            );
        }
    }
}
