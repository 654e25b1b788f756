//! The study of JSON documents: our octets are those of a commercial compiler, and lengths on file
//! are those of the documents.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::fs;
use std::path::{Path, PathBuf};

use roadwire_lab::studies::documents::{Documents, Length, Origin};
use roadwire_lab::{Form, LabError, Outcome, Silent, StudyOptions, run};
use roadwire_layout::Rules;

const ON_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/json-2022/lengths.csv");

fn study(material: Option<PathBuf>) -> Result<(Outcome, String), LabError> {
    let options = StudyOptions {
        form: Form::Tables,
        studies: vec!["json-2022".into()],
        quick: true,
        seed: Some(1),
        material,
        ..StudyOptions::default()
    };
    let mut text = Vec::new();
    let outcome = run(&options, &mut text, &Silent)?;
    Ok((outcome, String::from_utf8(text).unwrap()))
}

fn found(outcome: &Outcome) -> &Documents {
    outcome.findings.iter().find_map(|found| found.of()).unwrap()
}

fn sum(study: &Documents, rules: Rules) -> usize {
    study.lengths.iter().filter(|one| one.rules == rules).map(|one| one.octets).sum()
}

/// All octets that the authors' repository has of ASN.1 are ours in aligned PER, although it calls
/// them unaligned.
#[test]
fn aligned_per_is_what_the_authors_compiler_wrote() {
    let Some(folder) = shared::shared("json-2022") else { return };
    let (outcome, _) = study(Some(folder)).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    let study = found(&outcome);
    assert_eq!(study.compiled.len(), 18);
    assert!(study.compiled.iter().all(|one| one.is_same));
    assert_eq!([Rules::Aper, Rules::Uper, Rules::Exi].map(|rules| sum(study, rules)), [6458, 6424, 5244]);
    let of = |rules, name: &str| study.length(name, rules).unwrap().octets;
    let aligned: Vec<&str> =
        study.lengths.iter().filter(|one| one.rules == Rules::Aper).map(|one| &*one.document).collect();
    assert_eq!(aligned.len(), 27);
    assert_eq!(aligned.iter().filter(|name| of(Rules::Aper, name) != of(Rules::Uper, name)).count(), 10);

    // The lengths on file are these.
    let line = |one: &Length| format!("{},{},{},{}\n", one.document, one.rules, one.octets, one.gzip);
    let text: String =
        ["document,rules,octets,gzip\n".to_string()].into_iter().chain(study.lengths.iter().map(line)).collect();
    if std::env::var_os("ROADWIRE_BLESS").is_some() {
        fs::write(ON_FILE, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(ON_FILE).unwrap(), text, "ROADWIRE_BLESS=1 writes them anew");
}

/// Without the documents the report (of the 27 lengths all are reproduced, and of those after
/// gzip 19) has the lengths on file, and their date.
#[test]
fn without_the_documents_the_lengths_on_file_are_shown() {
    let (outcome, text) = study(None).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    let study = found(&outcome);
    assert_eq!(study.origin, Origin::OnFile("2026-11-26".into()));
    assert_eq!((study.lengths.len(), study.compiled.len()), (27 * 18, 0));
    assert!(text.contains("lengths on file of 2026-11-26"), "{text}");
    assert!(text.contains("54 count: 46 reproduced, 0 reproduced by a fit, 8 differs"), "{text}");
}

/// A folder that the user names must be there.
#[test]
fn a_folder_of_documents_that_is_missing_is_an_error() {
    let missing = Path::new("/nowhere/documents").to_path_buf();
    let fault = study(Some(missing)).unwrap_err();
    assert!(matches!(&fault, LabError::Experiment(_, why) if why.contains("/nowhere/documents")), "{fault}");
    // In a folder without them, each document is a failure.
    let (outcome, _) = study(Some(std::env::temp_dir())).unwrap();
    assert_eq!(outcome.gate_failures.len(), 27, "{:?}", outcome.gate_failures);
}
