//! Names in messages: "did you mean".

use roadwire_wire::names::nearest;

/// At most the first 40 characters, for messages.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// `; did you mean …` or `; there are …`, or nothing.
pub(crate) fn hint<'n>(given: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    if let [name] = nearest(given, known.clone(), 1)[..] {
        return format!("; did you mean `{name}`?");
    }
    let few: Vec<&str> = known.clone().take(9).collect();
    match few.len() {
        0 => String::new(),
        1..=8 => format!("; there is {}", few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_gets_the_right_one() {
        let known = ["latitude", "longitude", "altitude"];
        assert_eq!(hint("lattitude", known.into_iter()), "; did you mean `latitude`?");
        assert_eq!(hint("Longitude", known.into_iter()), "; did you mean `longitude`?");
        assert_eq!(hint("x", known.into_iter()), "; there is `latitude`, `longitude`, `altitude`");
    }
}
