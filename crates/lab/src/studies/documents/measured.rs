//! Measuring: lengths of all documents in all encodings, or those on file.

use std::path::{Path, PathBuf};

use roadwire_layout::Rules;
use serde::{Deserialize, Serialize};

use super::material::Document;
use crate::csv::fields;
use crate::experiment::{Asked, Request};
use crate::gzip;
use crate::interpreted::Interpreted;
use crate::progress::Progress;
use crate::record::Run;

/// Our lengths of an earlier run.
const ON_FILE: &str = include_str!("../../../../../studies/json-2022/lengths.csv");

/// The study's findings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Documents {
    /// The run.
    pub run: Run,
    /// Where the lengths are from.
    pub origin: Origin,
    /// One for each document and encoding.
    pub lengths: Vec<Length>,
    /// One for each document of which the authors' compiler left octets.
    pub compiled: Vec<Compiler>,
    /// Documents and encodings that failed.
    pub failures: Vec<String>,
}

/// Where lengths are from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Encoded in this run, from the documents in this folder.
    Folder(String),
    /// The documents were not there: on file since this day.
    OnFile(String),
}

/// The length of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// The document's name.
    pub document: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// Octets.
    pub octets: usize,
    /// Octets after gzip.
    pub gzip: usize,
}

/// Whether the authors' compiler wrote the same octets in aligned PER.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiler {
    /// The document's name.
    pub document: String,
    /// How many octets it wrote.
    pub octets: usize,
    /// Whether they are ours.
    pub is_same: bool,
}

/// The rules of ASN.1.
pub(super) fn rules() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls)
}

/// Encodes the documents, or takes the lengths on file.
///
/// # Errors
/// A folder that the user gave is missing, or the study's own files are invalid.
pub(super) fn run(run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Documents, String> {
    let request = asked.requests.first().ok_or("no study asks for documents")?;
    match folder(asked.material, request)? {
        Some(folder) => {
            let mut study = Documents::of(run, Origin::Folder(folder.display().to_string()));
            study.encode(&folder, &documents(request)?, progress);
            Ok(study)
        }
        None => Documents::on_file(run, request),
    }
}

/// The folder with the documents: the user's, which must be there, or the study's, if it is.
fn folder(given: Option<&Path>, request: &Request<'_>) -> Result<Option<PathBuf>, String> {
    match given {
        Some(folder) if folder.is_dir() => Ok(Some(folder.into())),
        Some(folder) => Err(format!("{}: expected a folder with documents, found none", folder.display())),
        None => Ok(Some(PathBuf::from(setting(request, "material")?)).filter(|folder| folder.is_dir())),
    }
}

fn setting<'r>(request: &Request<'r>, key: &str) -> Result<&'r str, String> {
    let value = request.settings.get(key).and_then(toml::Value::as_str);
    value.ok_or_else(|| format!("{}: its settings have no text `{key}`", request.study))
}

/// The names of the study's documents.
fn documents(request: &Request<'_>) -> Result<Vec<String>, String> {
    let names = request.settings.get("documents").and_then(toml::Value::as_array);
    let names = names.ok_or_else(|| format!("{}: its settings have no list `documents`", request.study))?;
    let name = |name: &toml::Value| name.as_str().map(str::to_string);
    names.iter().map(|one| name(one).ok_or_else(|| format!("{}: {one:?} is not a name", request.study))).collect()
}

impl Documents {
    /// Nothing found yet.
    pub(super) fn of(run: &Run, origin: Origin) -> Documents {
        let (lengths, compiled, failures) = (Vec::new(), Vec::new(), Vec::new());
        Documents { run: run.clone(), origin, lengths, compiled, failures }
    }

    /// The length of a document.
    #[must_use]
    pub fn length(&self, document: &str, rules: Rules) -> Option<&Length> {
        self.lengths.iter().find(|one| one.document == document && one.rules == rules)
    }

    fn on_file(run: &Run, request: &Request<'_>) -> Result<Documents, String> {
        let day = setting(request, "on-file")?;
        Ok(Documents { lengths: on_file(ON_FILE)?, ..Documents::of(run, Origin::OnFile(day.into())) })
    }

    fn encode(&mut self, folder: &Path, names: &[String], progress: &dyn Progress) {
        for (done, name) in names.iter().enumerate() {
            progress.step("documents", done, names.len());
            match Document::read(folder, name) {
                Ok(document) => rules().for_each(|rules| self.encode_one(name, &document, rules)),
                Err(why) => self.failures.push(why),
            }
        }
    }

    fn encode_one(&mut self, name: &str, document: &Document, rules: Rules) {
        let encoded = Interpreted::new(&document.model, document.root, rules);
        let octets = match encoded.and_then(|encoded| encoded.octets(&document.jer)) {
            Ok(octets) => octets,
            Err(why) => return self.failures.push(format!("{name} in {rules}: {why}")),
        };
        if let (Rules::Aper, Some(compiled)) = (rules, &document.compiled) {
            let is_same = *compiled == octets;
            if !is_same {
                self.failures.push(format!("{name} in {rules}: its octets are not those of the authors' compiler"));
            }
            self.compiled.push(Compiler { document: name.into(), octets: compiled.len(), is_same });
        }
        let gzip = gzip::length(&octets);
        self.lengths.push(Length { document: name.into(), rules, octets: octets.len(), gzip });
    }
}

/// The lengths of a file with the columns document, rules, octets, gzip.
fn on_file(text: &str) -> Result<Vec<Length>, String> {
    let length = |line: &str| {
        let wrong = || format!("lengths.csv: `{line}` is not a document, rules and two lengths");
        let [document, rules, octets, gzip] = <[String; 4]>::try_from(fields(line)).map_err(|_| wrong())?;
        let number = |text: &str| text.parse().map_err(|_| wrong());
        let rules = rules.parse().map_err(|_| wrong())?;
        Ok(Length { document, rules, octets: number(&octets)?, gzip: number(&gzip)? })
    };
    text.lines().skip(1).map(length).collect()
}
