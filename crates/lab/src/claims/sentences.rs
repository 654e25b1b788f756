//! Every sentence of a paper's abstract, results and conclusion: with its claims, or the reason why it has none.

use super::Claims;

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
/// What is wrong with the file, by line.
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

/// What is missing: sentences with neither claim nor reason, unknown names of claims, claims without a sentence.
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
}
