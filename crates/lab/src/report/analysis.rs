//! What we make of a study (`analysis.md`), with its numbers filled in from a run: `{{ FORMULA | DIGITS }}`.

use crate::claims::formula::{Formula, Sets};
use crate::quantity::Quantity;
use crate::report::significant;
use crate::study::Study;
use crate::verdict::Measured;

/// What stands in the place of a number that this run has not.
const NOT_MEASURED: &str = "(not measured)";

/// The study's text for a run.
pub(super) fn filled(study: &Study, measured: Measured<'_>) -> String {
    let value = |quantity: &Quantity| quantity.value(measured);
    let number = |place: Place| match place.formula.value(&value) {
        Ok(number) => significant(number, place.digits),
        Err(_) => NOT_MEASURED.into(),
    };
    // A place with a fault stays as it is; a test finds it.
    parts(study.analysis, &study.claims.sets)
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

/// Text, and the place behind it; the last part has none.
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
    let digits = digits.trim().parse().map_err(|_| format!("`{}` is no number of digits", digits.trim()))?;
    Ok(Place { formula: Formula::parse(formula, sets)?, digits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;
    use crate::study;
    use crate::verdict::sample::record;

    #[test]
    fn numbers_are_filled_in_from_the_run() {
        let mut study = Study::sample(Vec::new());
        let mut told = |analysis| {
            study.analysis = analysis;
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
            for (_, place) in parts(study.analysis, &study.claims.sets) {
                assert_eq!(place.and_then(Result::err), None, "{}", study.name);
            }
        }
    }
}
