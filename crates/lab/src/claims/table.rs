//! The claims of a study with both judgements, as a table.

use super::JudgedClaim;
use super::judge::{Judgement, Outcome, TIE_OF_MEMORY, TIE_OF_PRINTED_TIMES};
use super::judged::ByPair;
use super::sentences::Tally;
use crate::noise::Noise;
use crate::report::table::Table;

/// The title of the tables.
const TITLE: &str = "What the paper says, sentence by sentence";

/// The columns of [`table`]: the sentence's place and its text, then its judgements.
pub(crate) const COLUMNS: [&str; 9] = [
    "where",
    "claim",
    "the paper had",
    "by the paper's figures",
    "by ours",
    "by other implementations",
    "verdict",
    "rests on",
    "values, readings and remarks",
];

/// The claims and their judgements.
pub fn table(claims: &[JudgedClaim<'_>], tally: &Tally, noise: Noise) -> Table {
    let mut table = Table::new(TITLE, &COLUMNS);
    claims.iter().for_each(|one| table.row(one.row()));
    table.notes = notes(claims, tally, noise);
    table
}

/// The claims that can be judged, with their verdicts alone.
pub fn brief(claims: &[JudgedClaim<'_>], tally: &Tally) -> Table {
    let mut table = Table::new(TITLE, &["where", "claim", "verdict"]);
    for JudgedClaim { claim, verdict, support, .. } in claims.iter().filter(|one| one.verdict.is_comparable()) {
        let verdict = format!("{} ({})", verdict.name(), support.name());
        table.row([claim.place.clone(), claim.text.clone(), verdict]);
    }
    let rest = "`sentences.csv` has all sentences, also those that are not comparable, with values and reasons.";
    table.notes = vec![tally.line(), rest.into()];
    table
}

impl JudgedClaim<'_> {
    /// Its cells in the columns of [`COLUMNS`].
    pub(crate) fn row(&self) -> [String; 9] {
        let JudgedClaim { claim, by_paper, by_run, by_single_calls, by_pairs, verdict, support } = self;
        let [place, text, had] = [&claim.place, &claim.text, &claim.had].map(Clone::clone);
        let by_ours = match by_single_calls {
            Some(single) => format!("{}; by single calls: {}", by_run.verdict(), single.verdict()),
            None => by_run.verdict(),
        };
        let by_others: Vec<String> = by_pairs.iter().map(ByPair::verdict).collect();
        let beside = if claim.beside { " (beside the sentence)" } else { "" };
        [
            place,
            text,
            had,
            by_paper.verdict(),
            by_ours,
            by_others.join("; "),
            format!("{}{beside}", verdict.name()),
            if verdict.is_comparable() { support.name().into() } else { String::new() },
            self.remarks(),
        ]
    }

    /// The values of all judgements, the reading, and what is added.
    pub(crate) fn remarks(&self) -> String {
        let JudgedClaim { claim, by_paper, by_run, by_single_calls, by_pairs, .. } = self;
        let batches = if by_single_calls.is_some() { "ours, batches" } else { "ours" };
        let single = by_single_calls.iter().map(|judgement| ("ours, single calls", judgement));
        let pairs = by_pairs.iter().map(|one| (one.pair.as_str(), &one.theirs));
        let mut told: Vec<String> = [("theirs", by_paper), (batches, by_run)]
            .into_iter()
            .chain(single)
            .chain(pairs)
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
        told.iter().map(|part| capital(part)).collect::<Vec<_>>().join(". ")
    }
}

/// How the claims are judged.
pub(crate) fn notes(claims: &[JudgedClaim<'_>], tally: &Tally, noise: Noise) -> Vec<String> {
    let mut notes = Vec::new();
    let single: Vec<&JudgedClaim<'_>> = claims.iter().filter(|one| one.by_single_calls.is_some()).collect();
    if !single.is_empty() {
        let differs = |one: &&&JudgedClaim<'_>| {
            one.by_single_calls.as_ref().is_some_and(|by| by.outcome.name() != one.by_run.outcome.name())
        };
        notes.push(format!(
            "Times are judged by batches, and, separately, by the medians of single calls, which contain a reading of the clock: there a difference of one step of the clock is a tie. \
             The two verdicts differ for {} of {} claims.",
            single.iter().filter(differs).count(),
            single.len()
        ));
    }
    let percent = |tie: f64| format!("{:.0} %", (tie - 1.0) * 100.0);
    notes.push(format!(
        "One formula judges a claim by all figures. Ties decide nothing: printed times within {}, memory within {}; lengths have none, nor has what is claimed by a factor. {} *Holds in part*: in some of the cases. \
         *Holds by a fit*: only where lengths were fitted until they came out. *Disputed*: other implementations have another outcome in the same cases; each pair's outcome stands beside ours.",
        percent(TIE_OF_PRINTED_TIMES),
        percent(TIE_OF_MEMORY),
        noise.line()
    ));
    let cases = |one: &JudgedClaim<'_>| one.by_run.of + one.by_run.ties;
    let of_codecs: usize = claims.iter().filter(|one| one.claim.is_of_codecs()).map(cases).sum();
    notes.push(format!(
        "{} claims with {} cases are judged at once, {of_codecs} of them by times or memory. Where two codecs do not differ at all, one case in twenty is decided by chance all the same.",
        claims.len(),
        claims.iter().map(cases).sum::<usize>()
    ));
    notes.push(tally.line());
    notes
}

/// With a capital at its beginning.
fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

impl ByPair {
    /// The pair, its outcome, and whether ours agrees.
    pub(crate) fn verdict(&self) -> String {
        let source = if self.source.is_empty() { String::new() } else { format!(" ({})", self.source) };
        let agrees = match self.agrees() {
            Some(true) => ", as ours",
            Some(false) => ", unlike ours",
            None => "",
        };
        format!("{}{source}: {}{agrees}", self.pair, self.theirs.verdict())
    }
}

impl JudgedClaim<'_> {
    /// For the report's JSON lines.
    pub(crate) fn json(&self) -> serde_json::Value {
        let pair = |one: &ByPair| {
            serde_json::json!({
                "pair": one.pair, "source": one.source, "judgement": one.theirs.json(), "ours": one.ours.json(), "agrees": one.agrees(),
            })
        };
        serde_json::json!({
            "claim": self.claim.id,
            "where": self.claim.place,
            "text": self.claim.text,
            "by_paper": self.by_paper.json(),
            "by_run": self.by_run.json(),
            "by_single_calls": self.by_single_calls.as_ref().map(Judgement::json),
            "by_pairs": self.by_pairs.iter().map(pair).collect::<Vec<_>>(),
            "verdict": self.verdict.name(),
            "rests_on": self.support.name(),
            "beside": self.claim.beside,
        })
    }
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
            "missing": self.missing, "fitted": self.fitted, "evidence": self.evidence, "turns": self.turns,
        })
    }

    /// The outcome, and by how many cases.
    fn verdict(&self) -> String {
        let name = self.outcome.name();
        if let Outcome::NotComparable(_) = &self.outcome {
            return name.into();
        }
        let mut count = format!("{} of {}", self.so, self.of);
        let fitted = if self.outcome == Outcome::HoldsByFit { 0 } else { self.fitted };
        let others =
            [(self.ties, "without a difference"), (self.missing, "without figures"), (fitted, "of fits, not counted")];
        for (number, what) in others {
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
    use crate::claims::{Claims, judged};
    use crate::measured::Measured;
    use crate::record::sample::record;
    use crate::study::published::Published;
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
        let judged =
            judged(&claims, &published, &|_| Vec::new(), Measured { records: &records, ..Measured::default() });
        assert_eq!((&judged[0].by_paper.outcome, &judged[0].by_run.outcome), (&Outcome::Holds, &Outcome::DoesNotHold));
        let row = &table(&judged, &Tally::default(), Noise::of(Measured::default())).rows[0];
        assert_eq!((row[3].as_str(), row[4].as_str()), ("holds (1 of 1)", "does not hold (0 of 1)"));
        assert!(row[8].contains("40 < 41") && row[8].contains("41 = 41"), "{}", row[8]);
    }

    #[test]
    fn where_ours_is_a_median_the_papers_is_its_mean() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['certificate:coer:encode:time', 'certificate:oer:encode:time']";
        let claims = Claims::read(text).unwrap();
        let published = [figure("certificate:coer:encode:mean", 1.0), figure("certificate:oer:encode:mean", 2.0)];
        let judged = judged(&claims, &published, &|_| Vec::new(), Measured::default());
        assert_eq!(judged[0].by_paper.outcome, Outcome::Holds);
    }

    /// The case of the study: by batches Binary decodes faster than PER, by single calls a step of
    /// the clock slower.
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
        let judged = judged(&claims, &[], &|_| Vec::new(), Measured { findings: &findings, ..Measured::default() });
        let cell = &table(&judged, &Tally::default(), Noise::of(Measured::default())).rows[0];
        assert_eq!(
            cell[4], "holds in part (1 of 3); by single calls: holds in part (1 of 2, 1 without a difference)",
            "{cell:?}"
        );
        for part in ["Ours, batches: aper", "Ours, single calls: aper", "aper 7×10⁻⁵ ≈ tls 8×10⁻⁵"] {
            assert!(cell[8].contains(part), "{part}: {}", cell[8]);
        }
    }

    #[test]
    fn what_no_run_can_tell_is_still_held_against_the_paper() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nnot_comparable = 'one machine'\nequal = ['memory:a:encode:toed', '12']";
        let claims = Claims::read(text).unwrap();
        let published = [figure("heap:a:encode:toed", 5.0), figure("stack:a:encode:toed", 7.0)];
        let judged = judged(&claims, &published, &|_| Vec::new(), Measured::default());
        assert_eq!(judged[0].by_paper.outcome, Outcome::Holds);
        assert_eq!(judged[0].by_run.outcome, Outcome::NotComparable("one machine".into()));
    }
}
