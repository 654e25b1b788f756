//! The names of arcs that need no number (X.660 Annex A).

/// The number of the arc `name` after the arcs `before`, of which a number above `u32` is `None`.
pub(super) fn well_known(name: &str, before: &[Option<u32>]) -> Option<u32> {
    match before {
        [] => match name {
            "itu-t" | "ccitt" => Some(0),
            "iso" => Some(1),
            "joint-iso-itu-t" | "joint-iso-ccitt" => Some(2),
            _ => None,
        },
        [Some(0)] => match name {
            "recommendation" => Some(0),
            "question" => Some(1),
            "administration" => Some(2),
            "network-operator" => Some(3),
            "identified-organization" => Some(4),
            "r-recommendation" => Some(5),
            _ => None,
        },
        [Some(1)] => match name {
            "standard" => Some(0),
            "registration-authority" => Some(1),
            "member-body" => Some(2),
            "identified-organization" => Some(3),
            _ => None,
        },
        // The series of ITU-T recommendations, a to z.
        [Some(0), Some(0)] => match name.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(u32::from(letter - b'a') + 1),
            _ => None,
        },
        [..] => None,
    }
}
