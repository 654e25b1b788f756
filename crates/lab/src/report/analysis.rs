//! Our analysis of a study (`analysis.md`), with its numbers filled in from a run:
//! `{{ FORMULA | DIGITS }}`.

use crate::claims::formula::{Formula, Sets};
use crate::measured::Measured;
use crate::number::significant;
use crate::quantity::Quantity;
use crate::study::Study;

/// The text in place of a number that this run does not have.
const NOT_MEASURED: &str = "(not measured)";

/// The study's text for a run.
pub(super) fn filled(study: &Study, measured: Measured<'_>) -> String {
    let value = |quantity: &Quantity| quantity.value(measured);
    let number = |place: Place| match place.formula.value(&value) {
        Ok(number) => significant(number, place.digits),
        Err(_) => NOT_MEASURED.into(),
    };
    // A place with an error is not changed; a test finds it.
    parts(&study.analysis, &study.claims.sets)
        .map(|(text, place)| {
            text.to_string() + &place.map_or_else(String::new, |place| place.map_or_else(|fault| fault, number))
        })
        .collect()
}

/// A place for a number.
struct Place {
    formula: Formula,
    digits: i32,
}

/// Text, and the place after it; the last part has none.
fn parts<'t>(text: &'t str, sets: &'t Sets) -> impl Iterator<Item = (&'t str, Option<Result<Place, String>>)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let whole = rest?;
        let Some((before, inner, after)) = cut(whole) else {
            rest = None;
            return Some((whole, None));
        };
        rest = Some(after);
        Some((before, Some(place(inner, sets).map_err(|why| format!("{{{{{inner}}}}} ({why})")))))
    })
}

fn cut(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (inner, after) = rest.split_once("}}")?;
    Some((before, inner, after))
}

fn place(inner: &str, sets: &Sets) -> Result<Place, String> {
    let (formula, digits) = inner.rsplit_once('|').ok_or("how many digits? `{{ FORMULA | DIGITS }}`")?;
    let digits = digits.trim().parse().map_err(|_| format!("`{}` is not a number of digits", digits.trim()))?;
    Ok(Place { formula: Formula::parse(formula, sets)?, digits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use crate::study;
    use roadwire_peers::Kind;

    #[test]
    fn numbers_are_filled_in_from_the_run() {
        let mut study = Study::sample(Vec::new());
        let mut told = |analysis| {
            study.analysis = String::from(analysis);
            filled(&study, Measured { records: &[record(Kind::Toed, 41)], ..Measured::default() })
        };
        assert_eq!(told("It has {{ octets:cam-mandatory / 3 | 3 }} thirds."), "It has 13.7 thirds.");
        assert_eq!(told("{{octets:cam-mandatory|2}}, {{ tls/octets:cam-mandatory | 2 }}"), "41, (not measured)");
        assert_eq!(told("nothing {{"), "nothing {{");
        assert!(told("{{ octets | 2 }}").contains("there is no quantity"));
    }

    #[test]
    fn no_place_of_the_studies_has_a_fault() {
        for study in study::all().unwrap() {
            for (_, place) in parts(&study.analysis, &study.claims.sets) {
                assert_eq!(place.and_then(Result::err), None, "{}", study.name);
            }
        }
    }
}
