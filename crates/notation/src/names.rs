//! Names in messages: "did you mean".

/// At most the first 40 characters, for messages.
pub(crate) fn clip(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// `; did you mean …` or `; there are …`, or nothing.
pub(crate) fn hint<'n>(given: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
    let reach = (given.chars().count() / 3).max(1);
    let close = known
        .clone()
        .filter(|name| name.len().abs_diff(given.len()) <= 3 * reach && given.len() <= 100)
        .map(|name| (if name.eq_ignore_ascii_case(given) { 0 } else { distance(given, name) }, name))
        .filter(|(distance, _)| *distance <= reach)
        .min();
    if let Some((_, name)) = close {
        return format!("; did you mean `{name}`?");
    }
    let few: Vec<&str> = known.clone().take(9).collect();
    match few.len() {
        0 => String::new(),
        1..=8 => format!("; there is {}", few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        _ => String::new(),
    }
}

/// How many characters must be changed, added, left out or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut cost = (row[j] + usize::from(x != *y)).min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(*y) && x == b[j - 1] {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        for (a, b, expected) in
            [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("speed", "sped", 1), ("ab", "ba", 1)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_misspelt_name_gets_the_right_one() {
        let known = ["latitude", "longitude", "altitude"];
        assert_eq!(hint("lattitude", known.into_iter()), "; did you mean `latitude`?");
        assert_eq!(hint("Longitude", known.into_iter()), "; did you mean `longitude`?");
        assert_eq!(hint("x", known.into_iter()), "; there is `latitude`, `longitude`, `altitude`");
    }
}
