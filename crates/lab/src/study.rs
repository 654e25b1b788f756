//! The published studies: what is run, and every figure that the papers printed. They are part of
//! the program, so it needs no files.

pub(crate) mod asked;
pub(crate) mod published;

use std::fs;
use std::io;
use std::path::Path;

use roadwire_layout::Rules;
use serde::Deserialize;

use crate::claims::Claims;
use crate::claims::sentences::{self, Sentence};
use crate::experiment::{FigureOf, Request};
use crate::properties::Property;
use crate::quantity::{OfMessage, Quantity, is_name};
use crate::rates::Averages;
use crate::studies::{EXPERIMENTS, experiment};
use asked::Asked;
pub use published::{Counted, Published};
use roadwire_peers::Kind;
use roadwire_peers::content::{MESSAGES, Message};

/// A study, from `studies/NAME/study.toml`.
#[derive(Debug, Clone, Deserialize)]
pub struct Study {
    /// The name on the command line.
    pub name: String,
    /// The paper's title.
    pub title: String,
    /// Who and where.
    pub citation: String,
    /// Who and when, in a few words; empty for a study of roadwire's own.
    #[serde(default)]
    pub short: String,
    /// Names of the messages that are run.
    pub messages: Vec<String>,
    /// Names of the messages of a quick run.
    pub quick: Vec<String>,
    /// The encoding rules that are run.
    #[serde(with = "crate::rules::list")]
    pub rules: Vec<Rules>,
    /// Cells of roadwire, as `MESSAGE:RULES`, whose octets no other implementation confirms. Any
    /// other unconfirmed cell is a failure.
    #[serde(default)]
    pub alone: Vec<String>,
    /// The [`Experiment`](crate::experiment::Experiment): messages under encoding rules, if the
    /// study has no experiment of its own.
    #[serde(default = "messages")]
    pub experiment: String,
    /// The options of that experiment.
    #[serde(default)]
    pub settings: toml::Table,
    /// The published tables, in order.
    #[serde(default)]
    pub tables: Vec<PublishedTable>,
    /// The paper's table of properties of encodings, in words.
    #[serde(default)]
    pub properties: Vec<Property>,
    /// The average length of an envelope at any rates, if the study requests it.
    pub averages: Option<Averages>,
    /// The paper's figures of times, which are drawn again.
    #[serde(default)]
    pub(crate) figures: Vec<Asked>,
    /// Whether the paper measured on several processors.
    #[serde(default)]
    pub(crate) processors: bool,
    /// The fits: choices that were tried until our values matched the paper's.
    #[serde(default)]
    pub fits: Vec<Fit>,
    /// The implementations whose memory stands beside the paper's.
    #[serde(default)]
    pub libraries: Vec<Library>,
    /// Tools that the paper used, and those that are used here instead, Markdown.
    #[serde(default)]
    pub used: String,
    /// The paper's claims (`claims.toml`).
    #[serde(skip)]
    pub claims: Claims,
    /// Its sentences (`sentences.csv`).
    #[serde(skip)]
    pub sentences: Vec<Sentence>,
    /// Every published figure.
    #[serde(skip)]
    pub published: Vec<Published>,
    /// Our analysis, Markdown.
    #[serde(skip)]
    pub analysis: String,
}

fn messages() -> String {
    crate::messages::NAME.into()
}

/// One of the paper's tables.
#[derive(Debug, Clone, Deserialize)]
pub struct PublishedTable {
    /// Its number in the paper.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// Something that the papers do not specify, and that was tried here until the lengths matched.
#[derive(Debug, Clone, Deserialize)]
pub struct Fit {
    /// Its name, in `published.csv`.
    pub name: String,
    /// The fitted quantity.
    pub what: String,
    /// How many free choices were made.
    pub choices: u32,
}

/// An implementation whose memory stands beside the paper's, or why there is none.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Its encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// Beside which form of the paper's codecs.
    pub kinds: Vec<Kind>,
    /// Its name in records.
    pub engine: Option<String>,
    /// Whether it is the library that the paper used: then it judges the figures.
    #[serde(default)]
    pub is_theirs: bool,
    /// Why there is none, or what it stands for.
    #[serde(default)]
    pub remark: String,
}

impl Library {
    /// Whether it stands beside the paper's codec of these rules and this form.
    #[must_use]
    pub fn is_of(&self, rules: Rules, kind: Kind) -> bool {
        self.rules == rules && self.kinds.contains(&kind)
    }

    #[cfg(test)]
    pub(crate) fn sample(rules: Rules, engine: &str, is_theirs: bool) -> Library {
        Library { rules, kinds: vec![Kind::Toed], engine: Some(engine.into()), is_theirs, remark: String::new() }
    }
}

/// All studies.
///
/// # Errors
/// An error in the studies' own files; does not happen: tests cover it.
pub fn all() -> Result<Vec<Study>, String> {
    texts().map(Study::read).collect()
}

/// The texts of [`FILES`] of each study.
pub(crate) fn texts() -> impl Iterator<Item = [&'static str; 5]> {
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
    files!["encodings" "etsi-2015" "etsi-2014" "certificates" "ieee1609" "today" "evolution" "airtime" "json-2022" "cam-sizes"]
        .into_iter()
}

/// The printed figures of one of our studies; none if there is no such study.
pub(crate) fn published_in(name: &str) -> Vec<Published> {
    let study = all().ok().and_then(|all| all.into_iter().find(|study| study.name == name));
    study.map(|study| study.published).unwrap_or_default()
}

/// The files of a study's folder. All but the first may be absent.
const FILES: [&str; 5] = ["study.toml", "published.csv", "claims.toml", "sentences.csv", "analysis.md"];

/// A study that is not one of ours, from a folder with the same files.
///
/// # Errors
/// A file cannot be read, or is invalid.
pub fn from_folder(folder: &Path) -> Result<Study, String> {
    let mut texts: [String; 5] = Default::default();
    for (name, text) in FILES.into_iter().zip(&mut texts) {
        let file = folder.join(name);
        match fs::read_to_string(&file) {
            Ok(found) => *text = found,
            Err(error) if name != FILES[0] && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{}: {error}", file.display())),
        }
    }
    let [study, figures, claims, list, analysis] = &texts;
    let read = Study::read([study, figures, claims, list, analysis]);
    read.and_then(Study::checked).map_err(|why| format!("{}: {why}", folder.display()))
}

impl Study {
    /// Its request to its experiment in a run.
    #[must_use]
    pub fn request(&self, quick: bool) -> Request<'_> {
        let lengths = self.published.iter().filter_map(|figure| match figure.quantity() {
            Some(Quantity::Message { message, rules, of: OfMessage::Octets }) => Some((message.as_str(), *rules)),
            _ => None,
        });
        let claimed = self.claims.quantities().filter_map(|quantity| match quantity {
            Quantity::Experiment(FigureOf(figure)) => Some(&**figure),
            _ => None,
        });
        Request {
            study: &self.name,
            messages: if quick { &self.quick } else { &self.messages },
            rules: &self.rules,
            alone: &self.alone,
            lengths: lengths.collect(),
            claimed: claimed.collect(),
            settings: &self.settings,
        }
    }

    /// The figure that it prints in a table's row and column.
    #[must_use]
    pub fn printed_at(&self, [table, row, column]: [&str; 3]) -> Option<f64> {
        let is_it = |one: &&Published| one.table == table && one.row == row && one.column == column;
        self.published.iter().find(is_it).map(|one| one.value)
    }

    /// The study, if everything that it names exists. A test checks ours.
    fn checked(self) -> Result<Study, String> {
        // The name is also used for files.
        if !(is_name(&self.name) && self.name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            return Err(format!(
                "`{}` is not a name for a study: letters, digits, `-` and `.`, a letter first",
                self.name
            ));
        }
        if let Some(name) = self.messages.iter().chain(&self.quick).find(|name| Message::find(name).is_none()) {
            let known: Vec<&str> = MESSAGES.iter().map(|message| message.id).collect();
            return Err(format!("there is no message `{name}`; there are {}", known.join(", ")));
        }
        if experiment(&self.experiment).is_none() {
            let known: Vec<&str> = EXPERIMENTS.iter().map(|one| one.name()).collect();
            return Err(format!("there is no experiment `{}`; there are {}", self.experiment, known.join(", ")));
        }
        Ok(self)
    }

    fn read([study, figures, claims, list, analysis]: [&str; 5]) -> Result<Study, String> {
        let mut study: Study = toml::from_str(study).map_err(|e| e.to_string())?;
        let of = |why: String| format!("{}: {why}", study.name);
        let claims = Claims::read(claims).map_err(of)?;
        let published =
            if figures.is_empty() { Vec::new() } else { published::read(figures, &claims.sets).map_err(of)? };
        let sentences = if list.is_empty() { Vec::new() } else { sentences::read(list).map_err(of)? };
        (study.claims, study.published, study.sentences) = (claims, published, sentences);
        study.analysis = analysis.into();
        Ok(study)
    }
}

#[cfg(test)]
impl Study {
    /// A study with only these figures, and a fit with the name `fitted`.
    pub(crate) fn sample(published: Vec<Published>) -> Study {
        let text = "name = ''\ntitle = ''\ncitation = ''\nmessages = []\nquick = []\nrules = []\n\
                    fits = [{ name = 'fitted', what = '', choices = 1 }]";
        Study { published, ..toml::from_str(text).expect("a study") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::formula::Formula;
    use crate::claims::readings::Readings;
    use crate::libraries;
    use crate::record::Record;

    #[test]
    fn the_studies_own_files_are_sound() {
        let studies = all().unwrap();
        assert_eq!(studies.len(), 10);
        let readings = Readings::of_all_studies().unwrap();
        for study in &studies {
            for name in study.messages.iter().chain(&study.quick) {
                assert!(Message::find(name).is_some(), "{name}");
            }
            for figure in &study.published {
                assert!(study.tables.iter().any(|t| t.id == figure.table), "{figure:?}");
                assert!(figure.ours.is_some() || !figure.note.is_empty(), "it cannot be judged, and why? {figure:?}");
                if let Counted::AsClaim(claims) = &figure.counted {
                    let is_claim = |id: &String| study.claims.claims.iter().any(|claim| claim.id == *id);
                    assert!(claims.iter().all(is_claim), "{figure:?}");
                }
                assert!(figure.fit.is_empty() || study.fits.iter().any(|fit| fit.name == figure.fit), "{figure:?}");
                is_run(&[study], figure.ours.iter().flat_map(Formula::quantities));
            }
            for claim in &study.claims.claims {
                let cited = claim.cites.as_ref().map(|name| studies.iter().find(|one| one.name == *name).unwrap());
                is_run(&[Some(study), cited].into_iter().flatten().collect::<Vec<_>>(), claim.quantities());
                assert!(claim.has_predicate() || !claim.not_comparable.is_empty(), "{}", claim.id);
                assert!((claim.by == 1.0 && claim.share.is_none()) || !claim.taken.is_empty(), "{}", claim.id);
                for name in &claim.readings {
                    let reading = readings.find(name).unwrap();
                    assert!(reading.is_in(&claim.text), "{}: `{name}` is for other words", claim.id);
                }
            }
            assert_eq!(sentences::faults(&study.sentences, &study.claims), [""; 0], "{}", study.name);
            for fit in &study.fits {
                assert!(study.published.iter().any(|figure| figure.fit == fit.name), "{fit:?}");
            }
            for cell in &study.alone {
                let (message, rules) = cell.split_once(':').unwrap();
                assert!(study.messages.iter().any(|name| name == message), "{cell}");
                assert!(study.rules.contains(&rules.parse().unwrap()), "{cell}");
            }
            for message in study.averages.iter().flat_map(|asked| [&asked.digest, &asked.certificate]) {
                assert!(study.quick.contains(message), "{message}");
            }
            for library in &study.libraries {
                assert!(study.rules.contains(&library.rules), "{library:?}");
                assert!(library.engine.is_some() || !library.remark.is_empty(), "none, and why? {library:?}");
                let is_it = |one: &&Record| Some(&one.engine) == library.engine.as_ref() && one.rules == library.rules;
                assert!(library.engine.is_none() || libraries::on_file().iter().any(|one| is_it(&one)), "{library:?}");
            }
            for property in &study.properties {
                assert!(Message::find(&property.message).unwrap().under(property.rules).is_some(), "{property:?}");
            }
            for table in &study.tables {
                assert!(study.published.iter().any(|f| f.table == table.id));
            }
        }
    }

    /// The messages and rules of a formula are among those of a quick run, except those of the
    /// papers' recipe.
    fn is_run<'q>(studies: &[&Study], quantities: impl Iterator<Item = &'q Quantity>) {
        for (message, rules) in quantities.flat_map(Quantity::of_messages) {
            if roadwire_peers::content::unpadded::octets(message, rules).is_some_and(|octets| octets.is_ok()) {
                continue;
            }
            let is_quick =
                |study: &&Study| study.quick.iter().any(|one| one == message) && study.rules.contains(&rules);
            assert!(studies.iter().any(is_quick), "{}: {message} {rules}", studies[0].name);
            assert!(Message::find(message).unwrap().under(rules).is_some(), "{message} {rules}");
        }
    }
}
