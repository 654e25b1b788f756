//! The fields of a record that are not in the message's value, in the order in which records have
//! them.

use roadwire_wire::names::nearest;

use crate::problem::Unit;

/// The kind of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Flag,
    Time,
    Text,
    Octets,
    /// A name with its module in front, which need not be given.
    TypeName,
    /// Fields.
    Object,
    /// The constraints that the message breaks.
    Violations,
}

/// A field by its path, the kind of its value, and its unit.
pub(crate) struct Field {
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    /// As in the wire; empty for values without a unit.
    #[cfg_attr(not(feature = "columns"), allow(dead_code, reason = "columns have units"))]
    pub(crate) unit: &'static str,
}

const fn field(path: &'static str, kind: Kind, unit: &'static str) -> Field {
    Field { path, kind, unit }
}

/// All of them. Behind `message.value` are the fields of the message's type.
pub(crate) static FIELDS: &[Field] = &[
    field("file", Kind::Text, ""),
    field("frame", Kind::Number, ""),
    field("time", Kind::Time, ""),
    field("link", Kind::Text, ""),
    field("geonetworking", Kind::Object, ""),
    field("geonetworking.version", Kind::Number, ""),
    field("geonetworking.type", Kind::Text, ""),
    field("geonetworking.source", Kind::Object, ""),
    field("geonetworking.source.address", Kind::Text, ""),
    field("geonetworking.source.timestamp", Kind::Number, "ms"),
    field("geonetworking.source.latitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.source.longitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.source.speed", Kind::Number, "0.01 m/s"),
    field("geonetworking.source.heading", Kind::Number, "0.1 degree"),
    field("geonetworking.source.accurate", Kind::Flag, ""),
    field("geonetworking.traffic_class", Kind::Number, ""),
    field("geonetworking.lifetime_ms", Kind::Number, "ms"),
    field("geonetworking.hops", Kind::Number, ""),
    field("geonetworking.length", Kind::Number, "octets"),
    field("geonetworking.area", Kind::Object, ""),
    field("geonetworking.area.shape", Kind::Text, ""),
    field("geonetworking.area.latitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.area.longitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.area.distance_a", Kind::Number, "m"),
    field("geonetworking.area.distance_b", Kind::Number, "m"),
    field("geonetworking.area.angle", Kind::Number, "degree"),
    field("geonetworking.destination", Kind::Object, ""),
    field("geonetworking.destination.address", Kind::Text, ""),
    field("geonetworking.destination.timestamp", Kind::Number, "ms"),
    field("geonetworking.destination.latitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.destination.longitude", Kind::Number, "0.1 microdegree"),
    field("geonetworking.requested", Kind::Text, ""),
    field("geonetworking.sequence", Kind::Number, ""),
    field("wsmp", Kind::Object, ""),
    field("wsmp.psid", Kind::Number, ""),
    field("security", Kind::Object, ""),
    field("security.format", Kind::Text, ""),
    field("security.signer", Kind::Text, ""),
    field("security.certificate", Kind::Octets, ""),
    field("security.psid", Kind::Number, ""),
    field("security.generated", Kind::Time, ""),
    field("security.verdict", Kind::Text, ""),
    field("security.checked", Kind::Object, ""),
    field("security.checked.chain", Kind::Text, ""),
    field("security.checked.profile", Kind::Text, ""),
    field("security.checked.permissions", Kind::Text, ""),
    field("security.checked.place", Kind::Text, ""),
    field("security.checked.time", Kind::Text, ""),
    field("security.checked.payload", Kind::Text, ""),
    field("security.reason", Kind::Text, ""),
    field("security.noted", Kind::Text, ""),
    field("security.altered_copy", Kind::Flag, ""),
    field("btp", Kind::Object, ""),
    field("btp.type", Kind::Text, ""),
    field("btp.port", Kind::Number, ""),
    field("btp.source", Kind::Number, ""),
    field("btp.info", Kind::Number, ""),
    field("message", Kind::Object, ""),
    field("message.schema", Kind::Text, ""),
    field("message.type", Kind::TypeName, ""),
    field("message.rules", Kind::Text, ""),
    field("message.octets", Kind::Octets, ""),
    field("message.value", Kind::Object, ""),
    field("message.violations", Kind::Violations, ""),
    field("problem", Kind::Object, ""),
    field("problem.code", Kind::Text, ""),
    field("problem.message", Kind::Text, ""),
    field("problem.at", Kind::Number, ""),
    field("problem.unit", Kind::Text, ""),
    field("problem.path", Kind::Text, ""),
];

/// The words of a field of text that has no others; not of `message.schema` and `message.type`,
/// whose words depend on the schemas.
pub(crate) fn words(path: &str) -> Option<&'static [&'static str]> {
    Some(match path {
        // And `link-type-` with the number of one that is not read.
        "link" => &["ethernet", "ieee80211", "cooked", "ip"],
        "geonetworking.type" => &["beacon", "guc", "gac", "gbc", "shb", "tsb", "ls-request", "ls-reply"],
        "geonetworking.area.shape" => &["circle", "rectangle", "ellipse"],
        "security.format" => &["ts103097-1.1.1", "ts103097-1.2.1", "ts103097-1.3.1", "ieee1609.2"],
        "security.signer" => &["digest", "certificate", "self"],
        "security.verdict" => &VERDICTS,
        "btp.type" => &["a", "b"],
        "message.rules" => &["uper"],
        "problem.unit" => &Unit::NAMES,
        _ => return None,
    })
}

/// All verdicts; those without verification come first.
const VERDICTS: [&str; 8] =
    ["not-verified", "unsupported", "signed", "valid", "invalid", "unknown-signer", "untrusted", "expired"];

/// Whether a word can be a verdict where nothing is verified.
pub(crate) fn is_unverified(verdict: &str) -> bool {
    VERDICTS[..2].contains(&verdict)
}

/// Up to three of these words that are most like a wrong one, as advice; otherwise all of them.
pub(crate) fn like_word(wanted: &str, words: &[&str]) -> String {
    const SHOWN: usize = 3;
    let quoted = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>();
    let found = nearest(wanted, words.iter().copied(), SHOWN);
    match found.is_empty() {
        true => format!("it is one of {}", quoted(words).join(", ")),
        false => format!("did you mean {}?", quoted(&found).join(" or ")),
    }
}

/// The field with this path.
pub(crate) fn find(path: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.path == path)
}

/// Up to three of these paths that are most like a wrong one, as advice: those alike as a whole and
/// in their last name, then in their last name, then as a whole.
pub(crate) fn alike<'n>(wanted: &str, paths: impl Iterator<Item = &'n str>) -> Option<String> {
    const SHOWN: usize = 3;
    let paths: Vec<&str> = paths.collect();
    let whole = nearest(wanted, paths.iter().copied(), paths.len());
    let names = nearest(last_of(wanted), paths.iter().map(|path| last_of(path)), SHOWN);
    let is_alike = |path: &str| (whole.contains(&path), names.contains(&last_of(path)));
    let mut found: Vec<&str> = paths.iter().copied().filter(|path| is_alike(path) != (false, false)).collect();
    found.sort_by_key(|path| match is_alike(path) {
        (true, true) => 0,
        (false, _) => 1,
        (true, false) => 2,
    });
    let shown: Vec<String> = found.iter().take(SHOWN).map(|path| format!("`{path}`")).collect();
    (!shown.is_empty()).then(|| format!("did you mean {}?", shown.join(" or ")))
}

fn last_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_path_suggests_paths_by_the_whole_and_by_the_last_name() {
        let advice = |wanted: &str| alike(wanted, FIELDS.iter().map(|field| field.path));
        assert_eq!(advice("btp.prot").as_deref(), Some("did you mean `btp.port`?"));
        let speed = advice("geonetworking.sped").expect("advice");
        assert!(speed.starts_with("did you mean `geonetworking.source.speed`"), "{speed}");
        assert_eq!(advice("q"), None);
    }
}
