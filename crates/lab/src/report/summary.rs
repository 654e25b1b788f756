//! The head of a report: how far the papers hold, which encoding to take, and what is absent from
//! this run.

use super::Report;
use super::needs::{self, Need};
use crate::claims::{ByPair, First, JudgedClaim, Judgement, Outcome};
use crate::number::{extremes, significant};
use crate::ranking::{self, Ranking};
use crate::record::Record;
use crate::study::Study;
use crate::verdict::Judged;
use roadwire_peers::Kind;

/// The first page of a report. The terminal and the page both show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The papers of this run, in the order of their studies.
    pub papers: Vec<Paper>,
    /// Which encoding to take for what.
    pub needs: Vec<Need>,
    /// How the order of the papers' times compares with ours; empty without such tables.
    pub times: String,
    /// Parts that are absent from this run, and how to get them.
    pub absent: Vec<String>,
}

/// How far a paper holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// The study's name.
    pub study: String,
    /// Who and when.
    pub short: String,
    /// The paper's title.
    pub title: String,
    /// How many of its sentences have which verdict, in the order of [`Outcome::NAMES`]. A sentence
    /// counts once.
    pub sentences: [usize; 6],
    /// The main sentences, each with its verdict.
    pub first: Vec<Said>,
}

/// A statement of a paper with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The statement.
    pub says: String,
    /// The verdict's name, of [`Outcome::NAMES`].
    pub verdict: &'static str,
    /// By how many cases, and whose codecs.
    pub evidence: String,
}

impl Paper {
    /// The paper of a study; `None` for one of roadwire's own, or without sentences.
    fn of(judged: &Judged<'_>) -> Option<Paper> {
        let Study { name, short, title, .. } = judged.study;
        let sentences = judged.tally.verdicts;
        let is_paper = !short.is_empty() && sentences.iter().sum::<usize>() > 0;
        let said = |first: &First| Some(Said::of(first, judged.claims.iter().find(|one| one.claim.id == first.claim)?));
        is_paper.then(|| Paper {
            study: name.clone(),
            short: short.clone(),
            title: title.clone(),
            sentences,
            first: judged.study.claims.first.iter().filter_map(said).collect(),
        })
    }

    /// How many sentences have a verdict of this name.
    #[must_use]
    pub fn count(&self, verdict: &str) -> usize {
        let at = Outcome::NAMES.iter().position(|name| *name == verdict);
        at.map_or(0, |at| self.sentences[at])
    }
}

/// How [`Said::line`] is read.
pub(super) const CASES: &str =
    "(n of m): in how many cases it is so by our codecs, then by pairs of other implementations.";

impl Said {
    fn of(first: &First, judged: &JudgedClaim<'_>) -> Said {
        let share = |judgement: &Judgement| format!("{} of {}", judgement.so, judgement.of);
        let mut evidence = Vec::new();
        if judged.verdict.is_comparable() && judged.by_run.outcome.is_comparable() {
            evidence.push(share(&judged.by_run));
        }
        let mut pairs: Vec<&ByPair> =
            judged.by_pairs.iter().filter(|pair| pair.theirs.outcome.is_comparable()).collect();
        pairs.sort_by(|a, b| a.theirs.rate().total_cmp(&b.theirs.rate()));
        let called = if pairs.len() == 1 { "pair" } else { "pairs" };
        match (pairs.first(), pairs.last()) {
            (Some(least), Some(most)) if judged.verdict == Outcome::Disputed => {
                let [least, most] = [least, most].map(|pair| share(&pair.theirs));
                let range = if least == most { least } else { format!("{least} to {most}") };
                evidence.push(format!("{} other {called} {range}", pairs.len()));
            }
            (Some(_), _) if pairs.iter().all(|pair| pair.agrees() == Some(true)) => {
                evidence.push(format!("as with {} other {called}", pairs.len()));
            }
            _ => {}
        }
        Said { says: first.says.clone(), verdict: judged.verdict.name(), evidence: evidence.join(", ") }
    }

    /// As a sentence.
    #[must_use]
    pub fn line(&self) -> String {
        let evidence = Some(&self.evidence).filter(|evidence| !evidence.is_empty());
        format!(
            "{}: {}{}.",
            self.says,
            self.verdict.trim_end_matches(" by other implementations"),
            evidence.map_or(String::new(), |evidence| format!(" ({evidence})"))
        )
    }
}

impl Report<'_> {
    /// The head of the report.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary {
            papers: self.studies.iter().filter_map(Paper::of).collect(),
            needs: needs::all(self.measured),
            times: self.times(),
            absent: self.absent(),
        }
    }

    /// The rank correlations of the papers' tables of times with ours.
    fn times(&self) -> String {
        let ranked: Vec<Ranking> = self.studies.iter().flat_map(ranking::rankings).collect();
        let Some([least, most]) = extremes(ranked.iter().map(|one| one.all[0])) else { return String::new() };
        let alike = ranked.iter().filter(|one| one.all[1] > 0.0).count();
        format!(
            "The order of the papers' times is like ours in {alike} of {} tables (rank correlation {} to {}); their nanoseconds are those of other machines.",
            ranked.len(),
            significant(least, 2),
            significant(most, 2)
        )
    }

    /// Measurements that are absent, and the command that makes them.
    fn absent(&self) -> Vec<String> {
        let mut absent = self.measured.absent.to_vec();
        let is_program = |record: &&Record| record.kind == Kind::Peer && record.absent.is_none();
        let engines: std::collections::BTreeSet<&str> =
            self.measured.records.iter().filter(is_program).map(|record| record.engine.as_str()).collect();
        let on_file: std::collections::BTreeSet<&str> =
            self.measured.libraries.iter().map(|record| record.engine.as_str()).collect();
        let missing = on_file.difference(&engines).count();
        if missing > 0 && !self.measured.records.is_empty() {
            absent.push(format!(
                "{missing} implementations are from records on file: `roadwire study --peers peers` measures them here."
            ));
        }
        absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Claims;
    use crate::claims::sentences;
    use crate::measured::Measured;
    use crate::record::sample::record;
    use crate::study::Published;

    const CLAIMS: &str = "first = [{ claim = 'x', says = 'It is short' }]\n[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['octets:cam-mandatory', '50']\n";

    fn study(claims: &str) -> Study {
        let mut study = Study::sample(vec![Published::default()]);
        study.short = "Somebody 2015".into();
        study.claims = Claims::read(claims).unwrap();
        study.sentences = sentences::read("place,begins,claims,why\nI,It is,x,\nI,Then,,background").unwrap();
        study
    }

    fn papers(study: Study, octets: usize) -> Vec<Paper> {
        let records = [record(Kind::Toed, octets)];
        Report::new(&[study], Measured { records: &records, ..Measured::default() }, None).summary().papers
    }

    #[test]
    fn a_statement_has_the_verdict_of_its_claim() {
        for (octets, line) in [(41, "It is short: holds (1 of 1)."), (51, "It is short: does not hold (0 of 1).")] {
            let paper = papers(study(CLAIMS), octets).remove(0);
            assert_eq!(paper.first[0].line(), line);
            assert_eq!((paper.count(paper.first[0].verdict), paper.sentences.iter().sum::<usize>()), (1, 1));
        }
    }

    #[test]
    fn a_study_of_ones_own_is_no_paper() {
        assert!(papers(Study { short: String::new(), ..study(CLAIMS) }, 41).is_empty());
    }

    #[test]
    fn what_stands_first_names_a_claim() {
        let why = Claims::read("first = [{ claim = 'y', says = '' }]").unwrap_err();
        assert!(why.contains("no claim `y`"), "{why}");
    }
}
