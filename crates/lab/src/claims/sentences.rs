//! Every sentence of a paper's abstract, results and conclusion: with its claims, or the reason why
//! it has none.

use super::judge::Outcome;
use super::{Claims, JudgedClaim, Support};

/// A sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The paper's section.
    pub place: String,
    /// Its first words, as printed.
    pub begins: String,
    /// The names of its claims.
    pub claims: Vec<String>,
    /// Why it has no claims.
    pub why: String,
}

/// The sentences of `sentences.csv`.
///
/// # Errors
/// The first fault in the file, with its line.
pub fn read(csv: &str) -> Result<Vec<Sentence>, String> {
    let mut lines = csv.lines();
    if lines.next() != Some("place,begins,claims,why") {
        return Err("sentences.csv: unexpected heading".into());
    }
    let sentence = |(at, line): (usize, &str)| match crate::csv::fields(line).as_slice() {
        [place, begins, claims, why] => Ok(Sentence {
            place: place.clone(),
            begins: begins.clone(),
            claims: claims.split_whitespace().map(str::to_string).collect(),
            why: why.clone(),
        }),
        _ => Err(format!("sentences.csv line {}: not four fields", at + 2)),
    };
    lines.enumerate().map(sentence).collect()
}

/// Lists sentences with neither claim nor reason, unknown names of claims, claims without a
/// sentence.
#[must_use]
pub fn faults(sentences: &[Sentence], claims: &Claims) -> Vec<String> {
    let is_claim = |id: &String| claims.claims.iter().any(|claim| claim.id == *id);
    let mut faults = Vec::new();
    for sentence in sentences {
        let begins = &sentence.begins;
        if sentence.claims.is_empty() == sentence.why.is_empty() {
            faults.push(format!("`{begins}` needs claims or a reason, and not both"));
        }
        let unknown = sentence.claims.iter().filter(|id| !is_claim(id));
        faults.extend(unknown.map(|id| format!("`{begins}`: there is no claim `{id}`")));
    }
    let has_sentence = |id: &String| sentences.iter().any(|sentence| sentence.claims.contains(id));
    faults.extend(
        claims
            .claims
            .iter()
            .filter(|claim| !has_sentence(&claim.id))
            .map(|claim| format!("no sentence has the claim `{}`", claim.id)),
    );
    faults
}

/// How many sentences have which verdict. A sentence counts once, however many claims it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The numbers by the paper's own figures, in the order of [`Outcome::NAMES`].
    pub by_paper: [usize; 6],
    /// The numbers by the verdicts of ours and others.
    pub verdicts: [usize; 6],
    /// How many of the verdicts that a sentence holds rest on our codecs alone.
    pub alone: usize,
}

impl Tally {
    /// Counts the sentences that have claims.
    #[must_use]
    pub fn of(sentences: &[Sentence], claims: &[JudgedClaim<'_>]) -> Tally {
        let mut tally = Tally::default();
        for sentence in sentences {
            let is_of_it = |one: &&JudgedClaim<'_>| sentence.claims.contains(&one.claim.id) && !one.claim.beside;
            let its: Vec<&JudgedClaim<'_>> = claims.iter().filter(is_of_it).collect();
            if its.is_empty() {
                continue;
            }
            let verdict = combined(its.iter().map(|one| &one.verdict));
            let by_paper = combined(its.iter().map(|one| &one.by_paper.outcome));
            for (counts, name) in [(&mut tally.verdicts, verdict), (&mut tally.by_paper, by_paper)] {
                let at = Outcome::NAMES.iter().position(|one| *one == name);
                at.into_iter().for_each(|at| counts[at] += 1);
            }
            let is_alone = its.iter().any(|one| one.verdict == Outcome::Holds && one.support == Support::Alone);
            tally.alone += usize::from(verdict == Outcome::Holds.name() && is_alone);
        }
        tally
    }

    /// As a sentence of a report.
    #[must_use]
    pub fn line(&self) -> String {
        let listed = |counts: &[usize; 6], alone: usize| {
            let one = |(at, name): (usize, &&str)| match (at, alone) {
                (0, 1..) => format!("{} {name} ({alone} by our codecs alone)", counts[at]),
                _ => format!("{} {name}", counts[at]),
            };
            let named = Outcome::NAMES.iter().enumerate().filter(|(at, _)| counts[*at] > 0);
            named.map(one).collect::<Vec<_>>().join(", ")
        };
        format!(
            "Sentences with claims, each counted once. By the paper's figures: {}. The verdicts: {}.",
            listed(&self.by_paper, 0),
            listed(&self.verdicts, self.alone)
        )
    }
}

/// The outcome of a sentence with several claims. Fits decide only if nothing else does, and claims
/// that are not comparable decide nothing.
fn combined<'o>(outcomes: impl Iterator<Item = &'o Outcome> + Clone) -> &'static str {
    let is_any = |wanted: Outcome| outcomes.clone().any(|one| *one == wanted);
    let [holds, in_part, fails] = [Outcome::Holds, Outcome::HoldsInPart, Outcome::DoesNotHold].map(is_any);
    let outcome = match (holds, fails) {
        _ if is_any(Outcome::Disputed) => Outcome::Disputed,
        (true, false) if !in_part => Outcome::Holds,
        (false, true) if !in_part => Outcome::DoesNotHold,
        (false, false) if !in_part && is_any(Outcome::HoldsByFit) => Outcome::HoldsByFit,
        (false, false) if !in_part => Outcome::NotComparable(String::new()),
        _ => Outcome::HoldsInPart,
    };
    outcome.name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_claims_or_a_reason() {
        let claims = Claims::read("[[claims]]\nid = 'a'\nplace = ''\ntext = ''").unwrap();
        let faults = |rows: &str| faults(&read(&format!("place,begins,claims,why\n{rows}")).unwrap(), &claims);
        assert!(faults("I,We show,a,\nI,\"Then, so\",,background").is_empty());
        assert_eq!(faults("I,We show,,").len(), 2);
        assert_eq!(faults("I,We show,a,background").len(), 1);
        assert_eq!(faults("I,We show,a b,").len(), 1);
        assert!(read("place,begins,claims,why\nI,We").is_err() && read("").is_err());
    }

    #[test]
    fn a_sentence_counts_once_whatever_the_number_of_its_claims() {
        let not = || Outcome::NotComparable("why".into());
        let of = |outcomes: &[Outcome]| combined(outcomes.iter());
        use Outcome::{Disputed, DoesNotHold, Holds, HoldsByFit, HoldsInPart};
        for (outcomes, wanted) in [
            (vec![Holds, not()], "holds"),
            (vec![Holds, HoldsByFit], "holds"),
            (vec![DoesNotHold, HoldsByFit], "does not hold"),
            (vec![HoldsByFit, not()], "holds by a fit"),
            (vec![Holds, DoesNotHold], "holds in part"),
            (vec![HoldsInPart], "holds in part"),
            (vec![Holds, Disputed], "disputed by other implementations"),
            (vec![not()], "not comparable"),
        ] {
            assert_eq!(of(&outcomes), wanted, "{outcomes:?}");
        }
    }
}
