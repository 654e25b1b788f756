//! ASN.1 names as Rust names.

use std::collections::HashSet;

/// A type's name: `Adverse-weatherCause` becomes `AdverseWeatherCause`, `CAM` becomes `Cam`.
pub(crate) fn type_name(asn1: &str) -> String {
    let name: String = asn1.split('-').map(capitalised).collect();
    if name.len() > 1 && !name.contains(|c: char| c.is_lowercase()) { capitalised(name.to_lowercase()) } else { name }
}

/// An enum variant's name.
pub(crate) fn variant_name(asn1: &str) -> String {
    let name: String = words(asn1).iter().map(capitalised).collect();
    // `alt-000-01` and `alt-0-0001` would become equal without the hyphens between digits.
    let name = if asn1.split('-').skip(1).any(|part| part.starts_with(|c: char| c.is_ascii_digit())) {
        asn1.split('-').map(capitalised).collect::<Vec<_>>().join("_")
    } else {
        name
    };
    match name.as_str() {
        "Self" => "Self_".into(),
        _ => name,
    }
}

/// A field's name in snake case; a keyword gets a trailing underscore.
pub(crate) fn field_name(asn1: &str) -> String {
    let name = snake(asn1);
    if KEYWORDS.contains(&name.as_str()) { name + "_" } else { name }
}

/// A constant's name in capitals.
pub(crate) fn constant_name(asn1: &str) -> String {
    snake(asn1).to_uppercase()
}

/// A name in snake case, as for modules.
pub(crate) fn snake(asn1: &str) -> String {
    words(asn1).join("_").to_lowercase()
}

/// Makes a name differ from all `taken` ones by appending a number.
pub(crate) fn distinct(name: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{name}{number}");
        number += 1;
    }
    candidate
}

/// `positionConfidenceEllipse` is three words, `wMInumber` two (`wMI`, `number` cannot be
/// distinguished from `wM`, `Inumber`; either will do).
fn words(asn1: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in asn1.split('-').filter(|part| !part.is_empty()) {
        let characters: Vec<char> = part.chars().collect();
        let mut word = String::new();
        for (at, character) in characters.iter().enumerate() {
            let after_lower = at > 0 && !characters[at - 1].is_uppercase();
            let before_lower = characters.get(at + 1).is_some_and(|next| next.is_lowercase());
            if character.is_uppercase() && at > 1 && !word.is_empty() && (after_lower || before_lower)
                || character.is_uppercase() && at == 1 && after_lower && !word.is_empty() && before_lower
            {
                words.push(std::mem::take(&mut word));
            }
            word.push(*character);
        }
        words.push(word);
    }
    words
}

pub(crate) fn capitalised(word: impl AsRef<str>) -> String {
    let mut characters = word.as_ref().chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

const KEYWORDS: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_rust_custom() {
        assert_eq!(field_name("positionConfidenceEllipse"), "position_confidence_ellipse");
        assert_eq!(field_name("type"), "type_");
        assert_eq!(field_name("stationID"), "station_id");
        assert_eq!(field_name("linkage-value"), "linkage_value");
        assert_eq!(type_name("CAM"), "Cam");
        assert_eq!(type_name("AdverseWeatherCondition-Adhesion"), "AdverseWeatherConditionAdhesion");
        assert_eq!(variant_name("alt-000-01"), "Alt_000_01");
        assert_eq!(variant_name("onePerMeter-0-0001"), "OnePerMeter_0_0001");
        assert_eq!(variant_name("x-only"), "XOnly");
        assert_eq!(constant_name("brakePedalEngaged"), "BRAKE_PEDAL_ENGAGED");
    }
}
