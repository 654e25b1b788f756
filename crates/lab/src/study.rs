//! The published studies: what is run, and every figure that the papers printed. They are part of the
//! program, so that it needs no files.

use serde::Deserialize;

use crate::certificates::{self, Figure};
use crate::claims::Sentence;
use crate::ieee1609;
use crate::properties::Property;
use crate::rates::Averages;

/// A study, as `studies/NAME/study.toml` tells it.
#[derive(Debug, Clone, Deserialize)]
pub struct Study {
    /// The name on the command line.
    pub name: String,
    /// The paper's title.
    pub title: String,
    /// Who and where.
    pub citation: String,
    /// Names of the messages that are run.
    pub messages: Vec<String>,
    /// Names of the messages of a quick run.
    pub quick: Vec<String>,
    /// The encoding rules that are run.
    pub rules: Vec<String>,
    /// Cells of roadwire's own, as `MESSAGE:RULES`, whose octets nobody here confirms. Any other that is alone is a failure.
    #[serde(default)]
    pub alone: Vec<String>,
    /// How many random certificates are exchanged, in the study that does so.
    pub exchange: Option<certificates::Settings>,
    /// Whether it is the study of IEEE 1609.2, which has messages and encodings of its own.
    #[serde(default)]
    pub secured_data: bool,
    /// The published tables, in order.
    #[serde(default)]
    pub tables: Vec<PublishedTable>,
    /// The paper's table of what encodings are like, in words.
    #[serde(default)]
    pub properties: Vec<Property>,
    /// The average length of an envelope at any rates, in a study that asks for it.
    pub averages: Option<Averages>,
    /// What the paper concludes.
    #[serde(default)]
    pub claims: Vec<Sentence>,
    /// Every published figure.
    #[serde(skip)]
    pub published: Vec<Published>,
    /// What we make of it, Markdown.
    #[serde(skip)]
    pub analysis: &'static str,
}

/// One of the paper's tables.
#[derive(Debug, Clone, Deserialize)]
pub struct PublishedTable {
    /// Its number in the paper.
    pub id: String,
    /// What it shows.
    pub title: String,
}

/// One published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Number of the table.
    pub table: String,
    /// The table's row.
    pub row: String,
    /// The table's column.
    pub column: String,
    /// Unit of the value.
    pub unit: String,
    /// What the paper printed.
    pub value: f64,
    /// Section or page.
    pub place: String,
    /// Which of our measurements it is held against, if any.
    pub ours: Ours,
    /// What must be said about it.
    pub note: String,
}

/// Our measurement that answers to a published figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ours {
    /// None yet.
    None,
    /// Encoded length of a message.
    Octets {
        /// Name of the message.
        message: String,
        /// The encoding rules.
        rules: String,
    },
    /// Average length of the envelope of messages that carry a certificate now and then.
    Average {
        /// Name of the message with the signer's digest.
        digest: String,
        /// Name of that with the certificate.
        certificate: String,
        /// The encoding rules.
        rules: String,
    },
    /// Heap or stack of one operation.
    Memory {
        /// Stack rather than heap.
        stack: bool,
        /// Name of the message.
        message: String,
        /// `encode` or `decode`.
        direction: String,
        /// `toed` or `soed`.
        kind: String,
        /// The encoding rules.
        rules: String,
    },
    /// How many data sets a message has on a level of nesting, 1 being the top.
    Nesting {
        /// Name of the message.
        message: String,
        /// The encoding rules.
        rules: String,
        /// The level.
        level: usize,
    },
    /// A figure of the certificate study.
    Certificate(Figure),
    /// A figure of the study of IEEE 1609.2.
    SecuredData(ieee1609::Figure),
    /// Clock speed of the processor.
    ClockSpeed,
    /// Resolution of the CPU clock.
    ClockResolution,
}

/// What the papers call ASN.1.
const USUAL_RULES: &str = "uper";

impl Ours {
    fn parse(text: &str) -> Option<Ours> {
        // Other rules than the usual ones stand in front.
        let (rules, text) = text.split_once('/').unwrap_or((USUAL_RULES, text));
        let rules = || rules.to_owned();
        let parts: Vec<&str> = text.split(':').collect();
        Some(match parts.as_slice() {
            [""] => Ours::None,
            ["clock-speed"] => Ours::ClockSpeed,
            ["clock-resolution"] => Ours::ClockResolution,
            ["dot2", of @ ..] => Ours::SecuredData(ieee1609::Figure::parse(of)?),
            ["certificate", rules, of, statistic] => Ours::Certificate(Figure::parse(rules, of, statistic)?),
            ["average", digest, certificate] => {
                Ours::Average { digest: (*digest).into(), certificate: (*certificate).into(), rules: rules() }
            }
            ["nesting", message, level] => {
                Ours::Nesting { message: (*message).into(), rules: rules(), level: level.parse().ok()? }
            }
            ["octets", message] => Ours::Octets { message: (*message).into(), rules: rules() },
            [what @ ("heap" | "stack"), message, direction, kind] => Ours::Memory {
                stack: *what == "stack",
                message: (*message).into(),
                direction: (*direction).into(),
                kind: (*kind).into(),
                rules: rules(),
            },
            _ => return None,
        })
    }
}

/// All studies.
///
/// # Errors
/// A fault in the studies' own files, which a test would have found.
pub fn all() -> Result<Vec<Study>, String> {
    [
        (
            include_str!("../../../studies/encodings/study.toml"),
            include_str!("../../../studies/encodings/published.csv"),
            include_str!("../../../studies/encodings/analysis.md"),
        ),
        (
            include_str!("../../../studies/etsi-2015/study.toml"),
            include_str!("../../../studies/etsi-2015/published.csv"),
            include_str!("../../../studies/etsi-2015/analysis.md"),
        ),
        (
            include_str!("../../../studies/etsi-2014/study.toml"),
            include_str!("../../../studies/etsi-2014/published.csv"),
            include_str!("../../../studies/etsi-2014/analysis.md"),
        ),
        (
            include_str!("../../../studies/certificates/study.toml"),
            include_str!("../../../studies/certificates/published.csv"),
            include_str!("../../../studies/certificates/analysis.md"),
        ),
        (
            include_str!("../../../studies/ieee1609/study.toml"),
            include_str!("../../../studies/ieee1609/published.csv"),
            include_str!("../../../studies/ieee1609/analysis.md"),
        ),
    ]
    .into_iter()
    .map(|(toml, csv, analysis)| {
        let mut study: Study = toml::from_str(toml).map_err(|e| e.to_string())?;
        study.published = published(csv).map_err(|why| format!("{}: {why}", study.name))?;
        study.analysis = analysis;
        Ok(study)
    })
    .collect()
}

fn published(csv: &str) -> Result<Vec<Published>, String> {
    let mut lines = csv.lines();
    if lines.next() != Some("table,row,column,unit,value,where,ours,note") {
        return Err("published.csv: unexpected heading".into());
    }
    lines
        .enumerate()
        .map(|(i, line)| {
            let wrong = |what: &str| format!("published.csv line {}: {what}", i + 2);
            let fields = fields(line);
            let [table, row, column, unit, value, place, ours, note] = fields.as_slice() else {
                return Err(wrong("not eight fields"));
            };
            Ok(Published {
                table: table.clone(),
                row: row.clone(),
                column: column.clone(),
                unit: unit.clone(),
                value: value.parse().map_err(|_| wrong("value"))?,
                place: place.clone(),
                ours: Ours::parse(ours).ok_or_else(|| wrong("ours"))?,
                note: note.clone(),
            })
        })
        .collect()
}

/// The fields of a CSV line (RFC 4180, without line breaks inside fields).
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                push(&mut fields, '"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => push(&mut fields, c),
        }
    }
    fields
}

fn push(fields: &mut [String], c: char) {
    if let Some(last) = fields.last_mut() {
        last.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Message;

    #[test]
    fn the_studies_own_files_are_sound() {
        let studies = all().unwrap();
        assert_eq!(studies.len(), 5);
        for study in studies {
            for name in study.messages.iter().chain(&study.quick) {
                assert!(Message::find(name).is_some(), "{name}");
            }
            for figure in &study.published {
                assert!(study.tables.iter().any(|t| t.id == figure.table), "{figure:?}");
                let (messages, rules) = match &figure.ours {
                    Ours::Octets { message, rules }
                    | Ours::Memory { message, rules, .. }
                    | Ours::Nesting { message, rules, .. } => (vec![message], rules),
                    Ours::Average { digest, certificate, rules } => (vec![digest, certificate], rules),
                    _ => continue,
                };
                for message in messages {
                    assert!(study.quick.contains(message) && study.rules.contains(rules), "{message} {rules}");
                    assert!(Message::find(message).unwrap().under(rules).is_some(), "{message} {rules}");
                }
            }
            for cell in &study.alone {
                let (message, rules) = cell.split_once(':').unwrap();
                assert!(study.messages.iter().any(|name| name == message), "{cell}");
                assert!(study.rules.iter().any(|name| name == rules), "{cell}");
            }
            for message in study.averages.iter().flat_map(|asked| [&asked.digest, &asked.certificate]) {
                assert!(study.quick.contains(message), "{message}");
            }
            for property in &study.properties {
                assert!(Message::find(&property.message).unwrap().under(&property.rules).is_some(), "{property:?}");
            }
            for comparison in study.claims.iter().filter_map(|claim| claim.compare.as_ref()) {
                for message in comparison.messages.iter().flat_map(|messages| messages.split('+')) {
                    assert!(study.quick.iter().any(|quick| quick == message), "{message}");
                }
                let mut rules = comparison.less.iter().chain(&comparison.than);
                assert!(rules.all(|rules| rules == "clock" || study.rules.contains(rules)), "{comparison:?}");
            }
            for table in &study.tables {
                assert!(study.published.iter().any(|f| f.table == table.id));
            }
        }
    }

    #[test]
    fn quoted_fields_keep_their_commas() {
        assert_eq!(fields(r#"a,"b, ""c""",,d"#), ["a", "b, \"c\"", "", "d"]);
    }
}
