//! Claims: what papers say in sentences. Each claim is judged twice, by one formula: against the
//! paper's figures, and against those of a run.
//!
//! Claims are data (`studies/*/claims.toml`); nothing here is specific to a study.

pub mod formula;
mod judge;
mod judged;
mod pairs;
#[cfg(test)]
mod planted;
pub mod readings;
pub mod sentences;
mod table;

use serde::Deserialize;

use crate::quantity::Quantity;
use formula::{Formula, Sets, fill};
pub use judge::{Judgement, Outcome};
pub use judged::{ByPair, JudgedClaim, Support, judged};
use readings::Readings;
pub(crate) use table::{COLUMNS, notes};
pub use table::{brief, table};

/// The claims of a paper.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Named lists, which give the cases of claims.
    #[serde(default)]
    pub sets: Sets,
    /// Those that matter most, for the head of a report.
    #[serde(default)]
    pub first: Vec<First>,
    /// The claims.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// A claim that stands at the head of a report.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// The claim's name.
    pub claim: String,
    /// The paper's statement in few words, without a full stop.
    pub says: String,
}

/// A sentence, and the comparison that it stands for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name.
    pub id: String,
    /// The paper's section.
    pub place: String,
    /// The sentence.
    pub text: String,
    /// The paper's scope: directions, contents, encodings, processors.
    #[serde(default)]
    pub had: String,
    /// The sets whose combinations are the cases.
    #[serde(default, rename = "for")]
    pub each: Vec<String>,
    /// Predicate: the first is less than the second.
    pub less: Option<[String; 2]>,
    /// Predicate: both are equal, to the printed digits.
    pub equal: Option<[String; 2]>,
    /// Predicate: a ranking, of which each pair is a case.
    pub ascending: Option<Vec<String>>,
    /// Predicate: the second is not less than the first, nor greater than the third.
    pub within: Option<[String; 3]>,
    /// Predicate: the last is near the first, or near the range of the first and second, as far as
    /// the reading goes.
    pub near: Option<Vec<String>>,
    /// Predicate: the same one of the two is less on every machine.
    pub alike: Option<[String; 2]>,
    /// Predicate: the same value on every machine.
    pub constant: Option<String>,
    /// The readings of its words that are not numbers.
    #[serde(default)]
    pub readings: Vec<String>,
    /// By which factor the first must be less, as a reading says.
    #[serde(skip, default = "any")]
    pub by: f64,
    /// The share of the cases for which the sentence claims it: least and most. A number of the
    /// sentence, or a reading's.
    pub share: Option<[f64; 2]>,
    /// How the predicate reads the sentence.
    #[serde(default)]
    pub taken: String,
    /// Whether it stands beside its sentence: it is judged, and decides nothing about the sentence.
    #[serde(default)]
    pub beside: bool,
    /// Another study, whose printed figures the sentence cites.
    pub cites: Option<String>,
    /// Why no run of ours can judge it.
    #[serde(default)]
    pub not_comparable: String,
    /// Why our codecs cannot judge it, while other implementations can.
    #[serde(default)]
    pub not_ours: String,
    /// A remark, if one is needed.
    #[serde(default)]
    pub why: String,
    /// All comparisons that it stands for.
    #[serde(skip)]
    pub(crate) cases: Vec<Case>,
}

impl Claims {
    /// Reads the text of `claims.toml`.
    ///
    /// # Errors
    /// A fault in the text or in a claim's formulas.
    pub fn read(text: &str) -> Result<Claims, String> {
        Claims::read_with(text, &Readings::of_all_studies()?)
    }

    /// The same with these readings.
    ///
    /// # Errors
    /// A fault in the text, in a claim's formulas or in its readings.
    pub fn read_with(text: &str, readings: &Readings) -> Result<Claims, String> {
        let mut claims: Claims = toml::from_str(text).map_err(|error| error.to_string())?;
        for claim in &mut claims.claims {
            let worked_out = claim.apply(readings).and_then(|range| claim.worked_out(&claims.sets, range));
            claim.cases = worked_out.map_err(|why| format!("claim `{}`: {why}", claim.id))?;
        }
        let is_claim = |first: &First| claims.claims.iter().any(|claim| claim.id == first.claim);
        match claims.first.iter().find(|first| !is_claim(first)) {
            Some(first) => Err(format!("first: there is no claim `{}`", first.claim)),
            None => Ok(claims),
        }
    }

    /// All quantities in the claims.
    pub fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let cases = self.claims.iter().flat_map(|claim| &claim.cases);
        cases.flat_map(Case::formulas).flat_map(|named| named.formula.quantities())
    }
}

fn any() -> f64 {
    1.0
}

/// One comparison of a claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    /// Its label.
    label: String,
    /// The comparison.
    test: Test,
}

/// The comparison of a case. Each formula has a name.
#[derive(Debug, Clone, PartialEq)]
enum Test {
    Less(Named, Named),
    Equal(Named, Named),
    Within([Named; 3]),
    Alike(Named, Named),
    Constant(Named),
}

/// A formula, and its name among those of the same claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Named {
    name: String,
    pub(crate) formula: Formula,
}

impl Claim {
    /// Whether it has a predicate, or is about nothing that could be measured.
    pub fn has_predicate(&self) -> bool {
        self.less.is_some()
            || self.equal.is_some()
            || self.ascending.is_some()
            || self.within.is_some()
            || self.near.is_some()
            || self.alike.is_some()
            || self.constant.is_some()
    }

    /// Takes factor and share from its readings, and returns the range of `near`.
    fn apply(&mut self, readings: &Readings) -> Result<Option<[f64; 2]>, String> {
        let (mut range, mut taken) = (None, Vec::new());
        for name in &self.readings {
            let reading = readings.find(name)?;
            taken.push(format!("{name}: {}", reading.means));
            let is_range = self.near.is_some() && range.is_none() && reading.range().is_some();
            match (reading.by, reading.share) {
                _ if is_range => range = reading.range(),
                (Some(by), _) if self.by == 1.0 => self.by = by,
                (_, Some(share)) if self.share.is_none() => self.share = Some(share),
                _ => return Err(format!("the reading `{name}` does not fit its predicate")),
            }
        }
        taken.extend(Some(self.taken.clone()).filter(|own| !own.is_empty()));
        self.taken = taken.join("; ");
        Ok(range)
    }

    fn worked_out(&self, sets: &Sets, range: Option<[f64; 2]>) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        for elements in combinations(&self.each, sets)? {
            let label = elements
                .iter()
                .map(|(_, element)| *element)
                // A formula is not a name.
                .filter(|element| !element.contains(['{', ':']))
                .collect::<Vec<_>>()
                .join(", ");
            let named = |texts: &[String]| named(texts, &elements, sets);
            let mut case = |test| cases.push(Case { label: label.clone(), test });
            if let Some(texts) = &self.less {
                let [a, b] = array(named(texts)?)?;
                case(Test::Less(a, b));
            }
            if let Some(texts) = &self.alike {
                let [a, b] = array(named(texts)?)?;
                case(Test::Alike(a, b));
            }
            if let Some(text) = &self.constant {
                let [value] = array(named(std::slice::from_ref(text))?)?;
                case(Test::Constant(value));
            }
            if let Some(texts) = &self.equal {
                let [a, b] = array(named(texts)?)?;
                case(Test::Equal(a, b));
            }
            if let Some(texts) = &self.within {
                case(Test::Within(array(named(texts)?)?));
            }
            if let Some(texts) = &self.near {
                let [first, .., value] = texts.as_slice() else { return Err("`near` needs two formulas".into()) };
                let [least, most] = range.ok_or("`near` needs a reading with a range")?;
                let last = &texts[texts.len() - 2];
                let texts = [format!("( {first} ) * {least}"), value.clone(), format!("( {last} ) * {most}")];
                case(Test::Within(array(named(&texts)?)?));
            }
            if let Some(texts) = &self.ascending {
                let ranking = named(texts)?;
                for (at, a) in ranking.iter().enumerate() {
                    ranking[at + 1..].iter().for_each(|b| case(Test::Less(a.clone(), b.clone())));
                }
            }
        }
        Ok(cases)
    }
}

/// All combinations of the sets' elements, each with its set's name.
fn combinations<'c>(names: &'c [String], sets: &'c Sets) -> Result<Vec<Vec<(&'c str, &'c str)>>, String> {
    let mut all = vec![Vec::new()];
    for name in names {
        let elements = sets.get(name).ok_or_else(|| format!("there is no set `{name}`"))?;
        let more = |one: &Vec<(&'c str, &'c str)>| {
            let longer = |element: &'c String| one.iter().copied().chain([(name.as_str(), element.as_str())]).collect();
            elements.iter().map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(more).collect();
    }
    Ok(all)
}

/// Formulas with names: the parts in which their texts differ. If they do not have the same number
/// of parts, or have functions, the values alone are shown.
fn named(texts: &[String], elements: &[(&str, &str)], sets: &Sets) -> Result<Vec<Named>, String> {
    let texts: Vec<String> = texts.iter().map(|text| fill(text, elements)).collect();
    let parts: Vec<Vec<&str>> = texts.iter().map(|text| text.split([':', '/', ' ']).collect()).collect();
    let are_plain = !texts.iter().any(|text| text.contains(['(', '{']));
    let are_alike = are_plain && parts.windows(2).all(|pair| pair[0].len() == pair[1].len());
    let differs = |at: usize| parts.windows(2).any(|pair| pair[0][at] != pair[1][at]);
    let name = |at: usize| {
        let different: Vec<&str> =
            (0..parts[at].len()).filter(|part| are_alike && differs(*part)).map(|part| parts[at][part]).collect();
        // A part that differs in several positions counts once.
        let first = |part: usize| !different[..part].contains(&different[part]);
        (0..different.len()).filter(|part| first(*part)).map(|part| different[part]).collect::<Vec<_>>().join(" ")
    };
    let one = |at: usize| Ok(Named { name: name(at), formula: Formula::parse(&texts[at], sets)? });
    (0..texts.len()).map(one).collect()
}

/// Converts to an array of as many formulas as there were texts.
fn array<const N: usize>(all: Vec<Named>) -> Result<[Named; N], String> {
    all.try_into().map_err(|_| "it has not as many formulas as its predicate".into())
}
