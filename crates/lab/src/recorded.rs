//! What an earlier run recorded, perhaps on another machine: its report's folder, read again.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::certificates::Certificates;
use crate::ieee1609::Ieee1609;
use crate::record::{self, Record};
use crate::verdict::Measured;

/// The files of a report's folder that records are in.
const FILES: [&str; 3] = ["records.jsonl", "certificates.json", "ieee1609.json"];

/// A run, with what belongs to it.
#[derive(Debug, Clone)]
pub struct Recorded {
    records: Vec<Record>,
    certificates: Option<Certificates>,
    secured_data: Option<Ieee1609>,
}

impl Recorded {
    /// Reads a report's folder, or one of its files of records alone.
    ///
    /// # Errors
    /// A file cannot be read, is none of those that a report has, or holds something else.
    pub fn read(path: &Path) -> Result<Recorded, String> {
        let mut recorded = Recorded { records: Vec::new(), certificates: None, secured_data: None };
        let files = if path.is_dir() { FILES.map(|name| path.join(name)).to_vec() } else { vec![path.to_owned()] };
        let mut found = 0;
        for file in files {
            let told = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
            let text = match fs::read_to_string(&file) {
                Ok(text) => text,
                Err(error) if path.is_dir() && error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(told(&error)),
            };
            found += 1;
            match file.file_name().and_then(|name| name.to_str()) {
                Some("certificates.json") => recorded.certificates = Some(json(&text).map_err(|why| told(&why))?),
                Some("ieee1609.json") => recorded.secured_data = Some(json(&text).map_err(|why| told(&why))?),
                _ => recorded.records = record::from_lines(&text).map_err(|why| told(&why))?,
            }
        }
        match (found, recorded.measured().run()) {
            (0, _) => Err(format!("{}: no report: it has none of {}", path.display(), FILES.join(", "))),
            (_, None) => Err(format!("{}: nothing was measured", path.display())),
            _ => Ok(recorded),
        }
    }

    /// What was measured.
    #[must_use]
    pub fn measured(&self) -> Measured<'_> {
        Measured {
            records: &self.records,
            certificates: self.certificates.as_ref(),
            secured_data: self.secured_data.as_ref(),
            others: &[],
        }
    }
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}
