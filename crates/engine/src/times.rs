//! Times of fixed width as text.

use roadwire_wire::ErrorKind;

pub(crate) const FORM: ErrorKind = ErrorKind::Text("not in the form that its time type has");

/// Whether a text matches a pattern such as `0000-00-00T00:00:00`, in which zeros stand for digits,
/// with months, days etc. in range. The empty pattern matches any text.
pub(crate) fn is_of_form(pattern: &str, text: &str) -> bool {
    if pattern.is_empty() {
        return true;
    }
    let alike = |(pattern, text): (u8, u8)| if pattern == b'0' { text.is_ascii_digit() } else { text == pattern };
    if pattern.len() != text.len() || !pattern.bytes().zip(text.bytes()).all(alike) {
        return false;
    }
    let (date, time) = match (text.split_once('T'), text.contains('-')) {
        (Some((date, time)), _) => (date, time),
        (None, true) => (text, ""),
        (None, false) => ("", text),
    };
    are_within(date.split('-').skip(1), [(1, 12), (1, 31), (0, 0)])
        && are_within(time.split(':').filter(|part| !part.is_empty()), [(0, 24), (0, 59), (0, 60)])
}

fn are_within<'t>(mut parts: impl Iterator<Item = &'t str>, ranges: [(u8, u8); 3]) -> bool {
    ranges.iter().all(|(lower, upper)| {
        parts.next().is_none_or(|part| part.parse().is_ok_and(|number: u8| *lower <= number && number <= *upper))
    })
}

#[cfg(test)]
mod tests {
    use super::is_of_form;

    #[test]
    fn forms_of_times() {
        for (pattern, text, wanted) in [
            ("0000-00-00", "2024-02-29", true),
            ("0000-00-00", "2024-13-29", false),
            ("0000-00-00", "2024-2-29", false),
            ("00:00:00", "24:00:00", true),
            ("00:00:00", "24-00-00", false),
            ("00:00:00", "12:60:00", false),
            ("0000-00-00T00:00:00", "2024-02-29T23:59:60", true),
            ("0000-00-00T00:00:00", "2024-02-29 23:59:60", false),
            ("", "anything", true),
        ] {
            assert_eq!(is_of_form(pattern, text), wanted, "{text}");
        }
    }
}
