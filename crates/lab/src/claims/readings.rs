//! Readings: what a word that is not a number means, the same in all studies
//! (`studies/readings.toml`).

use serde::Deserialize;

/// All readings.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Readings {
    readings: Vec<Reading>,
}

/// The meaning of a word.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Its name in claims.
    pub name: String,
    /// The words of sentences that it is for.
    pub words: Vec<String>,
    /// How many times less one of two values must be.
    pub by: Option<f64>,
    /// The least and the most of a ratio.
    pub between: Option<[f64; 2]>,
    /// The least and the most of the share of the cases.
    pub share: Option<[f64; 2]>,
    /// The same in words.
    pub means: String,
}

impl Readings {
    /// The readings of all studies.
    ///
    /// # Errors
    /// An error in the file; does not happen: a test covers it.
    pub fn of_all_studies() -> Result<Readings, String> {
        Readings::read(include_str!("../../../../studies/readings.toml"))
    }

    /// Reads the text of `readings.toml`.
    ///
    /// # Errors
    /// The first fault in the text.
    pub fn read(text: &str) -> Result<Readings, String> {
        let all: Readings = toml::from_str(text).map_err(|error| format!("readings.toml: {error}"))?;
        for reading in &all.readings {
            let given = [reading.by.is_some(), reading.between.is_some(), reading.share.is_some()];
            if given.iter().filter(|given| **given).count() != 1 {
                return Err(format!("readings.toml: `{}` needs one of by, between and share", reading.name));
            }
        }
        Ok(all)
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }

    /// The reading with this name.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, name: &str) -> Result<&Reading, String> {
        self.iter().find(|reading| reading.name == name).ok_or_else(|| format!("there is no reading `{name}`"))
    }

    /// As above, for one reading.
    #[cfg(test)]
    pub(super) fn with(&self, other: Reading) -> Readings {
        let of = |one: &Reading| if one.name == other.name { other.clone() } else { one.clone() };
        Readings { readings: self.iter().map(of).collect() }
    }
}

impl Reading {
    /// Whether a sentence has one of its words.
    #[must_use]
    pub fn is_in(&self, sentence: &str) -> bool {
        let sentence = sentence.to_lowercase();
        self.words.iter().any(|word| sentence.contains(word.as_str()))
    }

    /// Its range, of a ratio or of a share.
    #[must_use]
    pub fn range(&self) -> Option<[f64; 2]> {
        self.between.or(self.share)
    }
}
