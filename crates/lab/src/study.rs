//! The published studies: what is run, and every figure that the papers printed. They are part of the
//! program, so that it needs no files.

pub(crate) mod asked;

use serde::Deserialize;

use crate::certificates;
use crate::claims::Claims;
use crate::claims::formula::{Formula, Sets};
use crate::claims::sentences::{self, Sentence};
use crate::properties::Property;
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::rates::Averages;
use asked::Asked;

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
    /// The paper's figures of times, which are drawn again.
    #[serde(default)]
    pub(crate) figures: Vec<Asked>,
    /// What was fitted until our values came out as the paper's.
    #[serde(default)]
    pub fits: Vec<Fit>,
    /// What the paper used, and what is used here instead, Markdown.
    #[serde(default)]
    pub used: String,
    /// What the paper says (`claims.toml`).
    #[serde(skip)]
    pub claims: Claims,
    /// Its sentences (`sentences.csv`).
    #[serde(skip)]
    pub sentences: Vec<Sentence>,
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

/// Something of which the papers say nothing, and that was tried here until lengths came out.
#[derive(Debug, Clone, Deserialize)]
pub struct Fit {
    /// Its name, in `published.csv`.
    pub name: String,
    /// What was fitted.
    pub what: String,
    /// How many free choices were made.
    pub choices: u32,
}

/// One published figure.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// How many decimals it printed.
    pub decimals: usize,
    /// Section or page.
    pub place: String,
    /// Which of our measurements it is held against, if any.
    pub ours: Option<Formula>,
    /// The name of the [`Fit`] that our value came of, if it came of one.
    pub fit: String,
    /// Which other figure it is once more, if it is: it is not counted.
    pub same: String,
    /// What must be said about it.
    pub note: String,
}

impl Published {
    /// The quantity that it is of, where it is of one alone.
    #[must_use]
    pub fn quantity(&self) -> Option<&Quantity> {
        match &self.ours {
            Some(Formula::Quantity(quantity)) => Some(quantity),
            _ => None,
        }
    }
}

/// All studies.
///
/// # Errors
/// A fault in the studies' own files, which a test would have found.
pub fn all() -> Result<Vec<Study>, String> {
    macro_rules! files {
        ($($folder:literal)*) => {
            [$([
                include_str!(concat!("../../../studies/", $folder, "/study.toml")),
                include_str!(concat!("../../../studies/", $folder, "/published.csv")),
                include_str!(concat!("../../../studies/", $folder, "/claims.toml")),
                include_str!(concat!("../../../studies/", $folder, "/sentences.csv")),
                include_str!(concat!("../../../studies/", $folder, "/analysis.md")),
            ]),*]
        };
    }
    let all = files!["encodings" "etsi-2015" "etsi-2014" "certificates" "ieee1609"];
    all.into_iter().map(Study::read).collect()
}

impl Study {
    /// What the paper encodes, and under which rules: the messages whose lengths it prints.
    pub fn contents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.published.iter().filter_map(|figure| match figure.quantity() {
            Some(Quantity::Message { message, rules, of: OfMessage::Octets }) => {
                Some((message.as_str(), rules.as_str()))
            }
            _ => None,
        })
    }

    fn read([study, figures, claims, list, analysis]: [&'static str; 5]) -> Result<Study, String> {
        let mut study: Study = toml::from_str(study).map_err(|e| e.to_string())?;
        let of = |why: String| format!("{}: {why}", study.name);
        let claims = Claims::read(claims).map_err(of)?;
        let published = published(figures, &claims.sets).map_err(of)?;
        let sentences = sentences::read(list).map_err(of)?;
        (study.claims, study.published, study.sentences, study.analysis) = (claims, published, sentences, analysis);
        Ok(study)
    }
}

/// What a paper prints of a quantity.
///
/// # Errors
/// It prints no such figure.
pub(crate) fn printed(quantity: &Quantity, published: &[Published]) -> Result<f64, String> {
    let of = |wanted: &Quantity| {
        let figure = published.iter().find(|figure| figure.quantity() == Some(wanted));
        figure.map(|figure| figure.value).ok_or_else(|| "the paper prints no such figure".to_string())
    };
    match quantity {
        Quantity::Message { of: OfMessage::Operation(_, _, OfOperation::Memory), .. } => {
            let parts = [OfOperation::Heap, OfOperation::Stack].map(|part| quantity.of_operation(part));
            parts.iter().flatten().map(of).sum()
        }
        Quantity::Certificate(figure) => of(&Quantity::Certificate(figure.as_printed())),
        other => of(other),
    }
}

#[cfg(test)]
impl Study {
    /// One of these figures and nothing else, with a fit that is called `fitted`.
    pub(crate) fn sample(published: Vec<Published>) -> Study {
        let text = "name = ''\ntitle = ''\ncitation = ''\nmessages = []\nquick = []\nrules = []\n\
                    fits = [{ name = 'fitted', what = '', choices = 1 }]";
        Study { published, ..toml::from_str(text).expect("a study") }
    }
}

fn published(csv: &str, sets: &Sets) -> Result<Vec<Published>, String> {
    let mut lines = csv.lines();
    if lines.next() != Some("table,row,column,unit,value,where,ours,fit,same,note") {
        return Err("published.csv: unexpected heading".into());
    }
    lines
        .enumerate()
        .map(|(i, line)| {
            let wrong = |what: String| format!("published.csv line {}: {what}", i + 2);
            let fields = fields(line);
            let [table, row, column, unit, value, place, ours, fit, same, note] = fields.as_slice() else {
                return Err(wrong("not ten fields".into()));
            };
            let formula = |text: &String| Formula::parse(text, sets).map_err(wrong);
            Ok(Published {
                table: table.clone(),
                row: row.clone(),
                column: column.clone(),
                unit: unit.clone(),
                value: value.parse().map_err(|_| wrong("value".into()))?,
                decimals: value.split_once('.').map_or(0, |(_, decimals)| decimals.len()),
                place: place.clone(),
                ours: Some(ours).filter(|text| !text.is_empty()).map(formula).transpose()?,
                fit: fit.clone(),
                same: same.clone(),
                note: note.clone(),
            })
        })
        .collect()
}

/// The fields of a CSV line (RFC 4180, without line breaks inside fields).
pub(crate) fn fields(line: &str) -> Vec<String> {
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
                assert!(figure.ours.is_some() || !figure.note.is_empty(), "it cannot be judged, and why? {figure:?}");
                assert!(figure.fit.is_empty() || study.fits.iter().any(|fit| fit.name == figure.fit), "{figure:?}");
                is_run(&study, figure.ours.iter().flat_map(Formula::quantities));
            }
            is_run(&study, study.claims.quantities());
            for claim in &study.claims.claims {
                assert!(claim.has_predicate() || !claim.not_comparable.is_empty(), "{}", claim.id);
                assert!((claim.by == 1.0 && claim.share.is_none()) || !claim.taken.is_empty(), "{}", claim.id);
            }
            assert_eq!(sentences::faults(&study.sentences, &study.claims), [""; 0], "{}", study.name);
            for fit in &study.fits {
                assert!(study.published.iter().any(|figure| figure.fit == fit.name), "{fit:?}");
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
            for table in &study.tables {
                assert!(study.published.iter().any(|f| f.table == table.id));
            }
        }
    }

    /// The messages and rules of a formula are among those of a quick run, except those of the papers' recipe.
    fn is_run<'q>(study: &Study, quantities: impl Iterator<Item = &'q Quantity>) {
        for (message, rules) in quantities.flat_map(Quantity::of_messages) {
            if crate::content::unpadded::octets(message, rules).is_some_and(|octets| octets.is_ok()) {
                continue;
            }
            let is_quick = study.quick.iter().any(|one| one == message) && study.rules.iter().any(|one| one == rules);
            assert!(is_quick, "{}: {message} {rules}", study.name);
            assert!(Message::find(message).unwrap().under(rules).is_some(), "{message} {rules}");
        }
    }

    #[test]
    fn quoted_fields_keep_their_commas() {
        assert_eq!(fields(r#"a,"b, ""c""",,d"#), ["a", "b, \"c\"", "", "d"]);
    }
}
