//! A quantity of the study.

use roadwire_layout::Rules;

use super::measured::Documents;
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;

/// Formats that papers print beside ASN.1, of which there is no codec here.
const OTHERS: [&str; 14] = [
    "avro",
    "bond",
    "bson",
    "capnproto",
    "capnproto-packed",
    "flatbuffers",
    "flexbuffers",
    "json",
    "messagepack",
    "protobuf-theirs",
    "cbor-theirs",
    "smile",
    "thrift",
    "ubjson",
];

/// `octets:DOCUMENT:FORMAT`, `gzip:DOCUMENT:FORMAT`: the length of a document, before and after
/// gzip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentFigure {
    what: What,
    document: String,
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Octets,
    Gzip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Ours(Rules),
    Other(&'static str),
}

impl DocumentFigure {
    /// From the parts of its name.
    pub(super) fn parse(parts: &[&str]) -> Option<DocumentFigure> {
        let [what, document, format] = parts else { return None };
        let what = match *what {
            "octets" => What::Octets,
            "gzip" => What::Gzip,
            _ => return None,
        };
        let format = match OTHERS.into_iter().find(|other| other == format) {
            Some(other) => Format::Other(other),
            None => Format::Ours(format.parse().ok()?),
        };
        Some(DocumentFigure { what, document: (*document).into(), format })
    }
}

impl Figure for DocumentFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    fn owner(&self) -> Owner {
        Owner::Encoding
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        let study: &Documents = findings.of().ok_or("the documents were not encoded")?;
        let rules = match self.format {
            Format::Ours(rules) => rules,
            Format::Other(_) => return Err("no codec of this format is here".into()),
        };
        let length = study.length(&self.document, rules).ok_or("the document is not in this run")?;
        Ok(match self.what {
            What::Octets => length.octets,
            What::Gzip => length.gzip,
        } as f64)
    }

    fn message(&self) -> Option<&str> {
        Some(&self.document)
    }

    #[cfg(test)]
    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()> {
        use super::measured::Length;
        let study: &mut Documents = findings.of_mut()?;
        let Format::Ours(rules) = self.format else { return None };
        let new = || Length { document: self.document.clone(), rules, octets: 0, gzip: 0 };
        let at = study.lengths.iter().position(|one| one.document == self.document && one.rules == rules);
        let at = at.unwrap_or_else(|| {
            study.lengths.push(new());
            study.lengths.len() - 1
        });
        match self.what {
            What::Octets => study.lengths[at].octets = value as usize,
            What::Gzip => study.lengths[at].gzip = value as usize,
        }
        Some(())
    }
}
