//! The claims of a study with both judgements, as a table.

use super::judge::{Judgement, Outcome, TIE_OF_MEMORY, TIE_OF_TIMES, Values, judge};
use super::{Claim, Claims};
use crate::measured::Measured;
use crate::measured::Recorded;
use crate::quantity::Quantity;
use crate::report::table::Table;
use crate::study::published::{Published, printed};

/// A claim, judged twice.
pub struct JudgedClaim<'c> {
    /// The claim.
    pub claim: &'c Claim,
    /// By the figures that the paper prints.
    pub by_paper: Judgement,
    /// By those of a run.
    pub by_run: Judgement,
}

/// Judges all claims by both.
pub fn judged<'c>(claims: &'c Claims, published: &[Published], measured: Measured<'c>) -> Vec<JudgedClaim<'c>> {
    let other = |recorded: &'c Recorded| move |quantity: &Quantity| quantity.value(recorded.measured());
    let others: Vec<_> = measured.others.iter().map(other).collect();
    let others: Vec<Values<'_>> = others.iter().map(|other| other as Values<'_>).collect();
    let of = |claim: &'c Claim| {
        let by_paper = judge(claim, &|quantity| printed(quantity, published), &[]);
        let mut by_run = judge(claim, &|quantity| quantity.value(measured), &others);
        if !claim.not_comparable.is_empty() {
            by_run.outcome = Outcome::NotComparable(claim.not_comparable.clone());
        }
        JudgedClaim { claim, by_paper, by_run }
    };
    claims.claims.iter().map(of).collect()
}

/// The claims and their judgements.
pub fn table(claims: &[JudgedClaim<'_>]) -> Table {
    let heading =
        ["where", "claim", "the paper had", "by the paper's figures", "by ours", "values, readings and remarks"];
    let mut table = Table::new("What the paper says, sentence by sentence", &heading);
    for JudgedClaim { claim, by_paper, by_run } in claims {
        let mut told: Vec<String> = [("theirs", by_paper), ("ours", by_run)]
            .into_iter()
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
            by_run.verdict(),
            told.iter().map(|part| capital(part)).collect::<Vec<_>>().join(". "),
        ]);
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
