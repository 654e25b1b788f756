//! The claims of a study with both judgements, as a table.

use super::formula::Formula;
use super::judge::{Judgement, NO_STEPS, Outcome, TIE_OF_MEMORY, TIE_OF_TIMES, Values, judge};
use super::{Case, Claim, Claims};
use crate::measured::Measured;
use crate::measured::Recorded;
use crate::quantity::Quantity;
use crate::report::table::Table;
use crate::study::published::{Published, printed};

/// A claim, judged by the paper's figures and by ours.
pub struct JudgedClaim<'c> {
    /// The claim.
    pub claim: &'c Claim,
    /// By the figures that the paper prints.
    pub by_paper: Judgement,
    /// By those of a run. Times are those of batches, if there are batches.
    pub by_run: Judgement,
    /// By times of single calls, if `by_run` has them of batches.
    pub by_single_calls: Option<Judgement>,
}

/// Judges all claims by both.
pub fn judged<'c>(claims: &'c Claims, published: &[Published], measured: Measured<'c>) -> Vec<JudgedClaim<'c>> {
    let other = |recorded: &'c Recorded| move |quantity: &Quantity| quantity.value(recorded.measured());
    let others: Vec<_> = measured.others.iter().map(other).collect();
    let others: Vec<Values<'_>> = others.iter().map(|other| other as Values<'_>).collect();
    let of = |claim: &'c Claim| {
        let by_paper = judge(claim, &|quantity| printed(quantity, published), NO_STEPS, &[]);
        let mut by_run =
            judge(claim, &|quantity| quantity.value(measured), &|quantity| quantity.clock_step(measured), &others);
        if !claim.not_comparable.is_empty() {
            by_run.outcome = Outcome::NotComparable(claim.not_comparable.clone());
        }
        let by_single_calls = by_single_calls(claim, measured).filter(|_| claim.not_comparable.is_empty());
        JudgedClaim { claim, by_paper, by_run, by_single_calls }
    };
    claims.claims.iter().map(of).collect()
}

/// A claim judged by single calls; `None` if it has no quantity that is measured in both ways.
fn by_single_calls(claim: &Claim, measured: Measured<'_>) -> Option<Judgement> {
    let formulas = || claim.cases.iter().flat_map(Case::formulas).map(|named| &named.formula);
    formulas().flat_map(Formula::quantities).find_map(Quantity::by_single_calls)?;
    let single = |quantity: &Quantity| quantity.by_single_calls().unwrap_or_else(|| quantity.clone());
    let values = |quantity: &Quantity| single(quantity).value(measured);
    Some(judge(claim, &values, &|quantity| single(quantity).clock_step(measured), &[]))
}

/// The claims and their judgements.
pub fn table(claims: &[JudgedClaim<'_>]) -> Table {
    let heading =
        ["where", "claim", "the paper had", "by the paper's figures", "by ours", "values, readings and remarks"];
    let mut table = Table::new("What the paper says, sentence by sentence", &heading);
    for JudgedClaim { claim, by_paper, by_run, by_single_calls } in claims {
        let batches = if by_single_calls.is_some() { "ours, batches" } else { "ours" };
        let single = by_single_calls.iter().map(|judgement| ("ours, single calls", judgement));
        let mut told: Vec<String> = [("theirs", by_paper), (batches, by_run)]
            .into_iter()
            .chain(single)
            .filter_map(|(whose, judgement)| Some(format!("{whose}: {}", judgement.values()?)))
            .collect();
        if !claim.taken.is_empty() {
            told.push(format!("taken as {}", claim.taken));
            for (whose, turns) in [("their", &by_paper.turns), ("our", &by_run.turns)] {
                let turns = Some(turns).filter(|turns| !turns.is_empty());
                told.extend(turns.map(|turns| format!("with another reading, by {whose} figures: {turns}")));
            }
        }
        told.extend(Some(claim.why.clone()).filter(|why| !why.is_empty()));
        let [place, text, had] = [&claim.place, &claim.text, &claim.had].map(Clone::clone);
        table.row([
            place,
            text,
            had,
            by_paper.verdict(),
            match by_single_calls {
                Some(single) => format!("{}; by single calls: {}", by_run.verdict(), single.verdict()),
                None => by_run.verdict(),
            },
            told.iter().map(|part| capital(part)).collect::<Vec<_>>().join(". "),
        ]);
    }
    let single: Vec<&Judgement> = claims.iter().filter_map(|one| one.by_single_calls.as_ref()).collect();
    if !single.is_empty() {
        table.notes.push(format!(
            "Times are judged by batches, and, separately, by the medians of single calls, which contain a reading of the clock: there a difference of one step of the clock is a tie. \
             The two verdicts differ for {} of {} claims.",
            claims.iter().filter(|one| one.by_single_calls.as_ref().is_some_and(|by| by.outcome.name() != one.by_run.outcome.name())).count(),
            single.len()
        ));
    }
    let percent = |tie: f64| format!("{:.0} %", (tie - 1.0) * 100.0);
    table.notes.push(format!(
        "One formula judges a claim by both. Ties decide nothing: times within {}, memory within {}; lengths have none, nor has what is claimed by a factor. *Holds in part*: in some of the cases.",
        percent(TIE_OF_TIMES),
        percent(TIE_OF_MEMORY)
    ));
    table.notes.push(format!(
        "By the paper's figures: {}. By ours: {}.",
        counts(claims, |one| &one.by_paper),
        counts(claims, |one| &one.by_run)
    ));
    table
}

/// With a capital at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn counts<'j>(claims: &'j [JudgedClaim<'_>], of: impl Fn(&'j JudgedClaim<'_>) -> &'j Judgement) -> String {
    let all = ["holds", "holds in part", "does not hold", "not comparable"];
    let count = |name| claims.iter().filter(|one| of(one).outcome.name() == name).count();
    all.map(|name| format!("{} {name}", count(name))).join(", ")
}

impl Judgement {
    /// For the report's JSON lines.
    pub(crate) fn json(&self) -> serde_json::Value {
        let why = match &self.outcome {
            Outcome::NotComparable(why) => why.as_str(),
            _ => "",
        };
        serde_json::json!({
            "outcome": self.outcome.name(), "why": why, "so": self.so, "of": self.of, "ties": self.ties,
            "missing": self.missing, "evidence": self.evidence, "turns": self.turns,
        })
    }

    /// The outcome, and by how many cases.
    fn verdict(&self) -> String {
        let name = self.outcome.name();
        if let Outcome::NotComparable(_) = &self.outcome {
            return name.into();
        }
        let mut count = format!("{} of {}", self.so, self.of);
        for (number, what) in [(self.ties, "not told apart"), (self.missing, "without figures")] {
            if number > 0 {
                count += &format!(", {number} {what}");
            }
        }
        format!("{name} ({count})")
    }

    /// The cases' values, and why they are not comparable.
    fn values(&self) -> Option<String> {
        match (&self.outcome, self.evidence.is_empty()) {
            (Outcome::NotComparable(why), true) => Some(why.clone()),
            (Outcome::NotComparable(why), false) => Some(format!("{why} ({})", self.evidence)),
            (_, true) => None,
            (_, false) => Some(self.evidence.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::formula::{Formula, Sets};
    use crate::record::sample::record;
    use roadwire_peers::Kind;

    fn figure(ours: &str, value: f64) -> Published {
        let ours = Some(Formula::parse(ours, &Sets::new()).unwrap());
        Published { value, ours, ..Published::default() }
    }

    #[test]
    fn one_formula_judges_by_the_paper_and_by_a_run() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['octets:cam-mandatory', '41']";
        let claims = Claims::read(text).unwrap();
        let (published, records) = ([figure("octets:cam-mandatory", 40.0)], [record(Kind::Toed, 41)]);
        let judged = judged(&claims, &published, Measured { records: &records, ..Measured::default() });
        assert_eq!((&judged[0].by_paper.outcome, &judged[0].by_run.outcome), (&Outcome::Holds, &Outcome::DoesNotHold));
        let row = &table(&judged).rows[0];
        assert_eq!((row[3].as_str(), row[4].as_str()), ("holds (1 of 1)", "does not hold (0 of 1)"));
        assert!(row[5].contains("40 < 41") && row[5].contains("41 = 41"), "{}", row[5]);
    }

    #[test]
    fn where_ours_is_a_median_the_papers_is_its_mean() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['certificate:coer:encode:time', 'certificate:oer:encode:time']";
        let claims = Claims::read(text).unwrap();
        let published = [figure("certificate:coer:encode:mean", 1.0), figure("certificate:oer:encode:mean", 2.0)];
        let judged = judged(&claims, &published, Measured::default());
        assert_eq!(judged[0].by_paper.outcome, Outcome::Holds);
    }

    /// The case of the study: by batches Binary decodes faster than PER, by single calls a step of the clock slower.
    #[test]
    fn times_are_judged_by_batches_and_by_single_calls_and_both_are_shown() {
        use crate::studies::certificates::sample;
        let text = "sets = { other = ['aper', 'der', 'coer'] }\n[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nfor = ['other']\n\
                    less = ['certificate:{other}:decode:time', 'certificate:tls:decode:time']";
        let claims = Claims::read(text).unwrap();
        let times = [("tls", 80, 36.0), ("aper", 70, 63.0), ("der", 60, 60.0), ("coer", 110, 17.0)];
        let mut study = sample::study(times.map(|(rules, single, _)| sample::row(rules, 180..200, single)).into());
        for (at, (_, _, batch)) in times.into_iter().enumerate() {
            study.experiments[0].rows[at].decode.as_mut().unwrap().step = 10;
            study.batched[at].decode.as_mut().unwrap().median = batch;
        }
        let findings: [Box<dyn crate::experiment::Findings>; 1] = [Box::new(study)];
        let judged = judged(&claims, &[], Measured { findings: &findings, ..Measured::default() });
        let cell = &table(&judged).rows[0];
        assert_eq!(
            cell[4], "holds in part (1 of 3); by single calls: holds in part (1 of 2, 1 not told apart)",
            "{cell:?}"
        );
        for part in ["Ours, batches: aper", "Ours, single calls: aper", "aper 0.00007 ≈ tls 0.00008"] {
            assert!(cell[5].contains(part), "{part}: {}", cell[5]);
        }
    }

    #[test]
    fn what_no_run_can_tell_is_still_held_against_the_paper() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nnot_comparable = 'one machine'\nequal = ['memory:a:encode:toed', '12']";
        let claims = Claims::read(text).unwrap();
        let published = [figure("heap:a:encode:toed", 5.0), figure("stack:a:encode:toed", 7.0)];
        let judged = judged(&claims, &published, Measured::default());
        assert_eq!(judged[0].by_paper.outcome, Outcome::Holds);
        assert_eq!(judged[0].by_run.outcome, Outcome::NotComparable("one machine".into()));
    }
}
