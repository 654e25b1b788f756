//! Names that are near to a misspelt one, for "did you mean" in errors.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// At most `most` of the names that `wanted` may stand for, best first: those that differ in a few
/// letters, and after them those that it begins. Upper and lower case are the same.
///
/// ```
/// use roadwire_wire::names::nearest;
///
/// let known = ["cam-1.3.0", "cam-1.4.1", "denm-1.3.1"];
/// assert_eq!(nearest("cam1.4.1", known.into_iter(), 3), ["cam-1.4.1"]);
/// assert_eq!(nearest("denm", known.into_iter(), 3), ["denm-1.3.1"]);
/// assert!(nearest("ldm", known.into_iter(), 3).is_empty());
/// ```
#[cfg(feature = "alloc")]
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    // Names of one or two letters are too similar: only their case may differ.
    let limit = (wanted.chars().count() / 3).min(3);
    let rank = |name: &str| distance_within(wanted, name, limit).or_else(|| begins(wanted, name).then_some(limit + 1));
    let mut found: Vec<(usize, &str)> = known.filter_map(|name| Some((rank(name)?, name))).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(most).map(|(_, name)| name).collect()
}

/// Whether three letters or more begin a name.
#[cfg(feature = "alloc")]
fn begins(letters: &str, name: &str) -> bool {
    letters.len() >= 3 && name.get(..letters.len()).is_some_and(|start| start.eq_ignore_ascii_case(letters))
}

/// How many letters must be changed, added, left out or swapped with their neighbour; upper and
/// lower case are the same. `None` above `limit`, and for names of more than 64 octets.
pub fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    const LONGEST: usize = 64;
    // Each letter more or less has up to four octets.
    if a.len().max(b.len()) > LONGEST || a.len().abs_diff(b.len()) > 4 * limit {
        return None;
    }
    let letters = |text: &str| {
        let mut letters = ['\0'; LONGEST];
        let count = letters.iter_mut().zip(text.chars()).map(|(place, c)| *place = c.to_ascii_lowercase()).count();
        (letters, count)
    };
    let (a, b) = (letters(a), letters(b));
    let (a, b) = (&a.0[..a.1], &b.0[..b.1]);
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    // Rows of the table: those of the two letters before, and of this one. Farther than `limit`
    // from the diagonal, all values are above `limit`.
    let far = limit + 1;
    let mut rows = [[far; LONGEST + 1]; 3];
    for (j, place) in rows[1].iter_mut().enumerate().take(limit.min(b.len()) + 1) {
        *place = j;
    }
    for (i, x) in a.iter().enumerate() {
        rows[2] = [far; LONGEST + 1];
        let [before, row, next] = &mut rows;
        let (first, end) = (i.saturating_sub(limit), (i + limit + 1).min(b.len()));
        if i < limit {
            next[0] = i + 1;
        }
        for j in first..end {
            let y = &b[j];
            let mut cost = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                cost = cost.min(before[j - 1] + 1);
            }
            next[j + 1] = cost;
        }
        if next.iter().all(|cost| *cost > limit) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][b.len()]).filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;
    use alloc::{format, vec};

    use super::{distance_within, nearest};

    /// The same without a limit, and with the whole table.
    fn distance(a: &str, b: &str) -> usize {
        let letters = |text: &str| text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
        let (a, b) = (letters(a), letters(b));
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => {
                        let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                        let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                        let swapped = if swapped { table[i - 2][j - 2] + 1 } else { changed };
                        changed.min(swapped).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                    }
                };
            }
        }
        table[a.len()][b.len()]
    }

    #[test]
    fn distance_counts_edits() {
        let pairs = [("", "abc", 3), ("abc", "ABC", 0), ("abc", "acb", 1), ("speed", "sped", 1), ("ab", "ba", 1)];
        for (a, b, expected) in pairs {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn the_distance_within_a_limit_is_the_distance() {
        let letters = ["", "a", "b", "ab", "ba", "é", "Ab"];
        let mut words = vec![String::new()];
        for _ in 0..3 {
            let longer = words.iter().flat_map(|word| letters.iter().map(move |letter| format!("{word}{letter}")));
            words = longer.collect();
            words.sort_unstable();
            words.dedup();
        }
        for a in &words {
            for b in &words {
                for limit in 0..4 {
                    let whole = Some(distance(a, b)).filter(|distance| *distance <= limit);
                    assert_eq!(distance_within(a, b, limit), whole, "{a} {b} {limit}");
                }
            }
        }
        let long = "x".repeat(64);
        assert_eq!(distance_within(&long, &long.replacen("xx", "yx", 1), 3), Some(1));
        assert_eq!(distance_within(&"x".repeat(65), &long, 3), None);
    }

    #[test]
    fn the_nearest_name_comes_first_and_beginnings_last() {
        let known = || ["latitude", "longitude", "altitude", "lat", "Id"].into_iter();
        assert_eq!(nearest("lattitude", known(), 3), ["latitude", "altitude", "longitude"]);
        assert_eq!(nearest("lattitude", known(), 1), ["latitude"]);
        assert_eq!(nearest("LATI", known(), 3), ["lat", "latitude"]);
        assert_eq!(nearest("id", known(), 3), ["Id"], "two letters differ in case only");
        assert_eq!(nearest("la", known(), 3), [""; 0]);
    }
}
