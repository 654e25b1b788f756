//! Times of other implementations that were measured on another day, for runs without them.

use serde::{Deserialize, Serialize};

use super::measured::Row;

/// Where and when a row was measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OnFile {
    /// The implementation's version.
    pub version: String,
    /// The day, as `2026-11-26`.
    pub date: String,
    /// The processor.
    pub machine: String,
}

impl OnFile {
    /// As in tables.
    pub(super) fn name(&self) -> String {
        format!("version {}, {}, {}", self.version, self.date, self.machine)
    }
}

/// The rows on file: `studies/ieee1609/peers.jsonl`, which `peers/record` writes.
///
/// # Errors
/// A line of the file that is no row; does not happen: a test covers it.
pub(super) fn rows() -> Result<Vec<Row>, serde_json::Error> {
    include_str!("../../../../../studies/ieee1609/peers.jsonl").lines().map(serde_json::from_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::judged;
    use crate::experiment::Findings;
    use crate::measured::Measured;
    use crate::record::Run;
    use crate::studies::ieee1609::cells::Engine;
    use crate::studies::ieee1609::description;
    use crate::studies::ieee1609::measured::Ieee1609;
    use crate::study;

    #[test]
    fn rows_on_file_have_the_lengths_and_messages_of_today() {
        let all = description::all().unwrap();
        for row in rows().unwrap() {
            let of = all.iter().find(|of| of.name == row.message).unwrap();
            assert_eq!(of.length(row.encoding), Some(row.octets), "{row:?}");
            assert!(of.row.is_some() && !Engine::LINKED.contains(&row.engine), "{row:?}");
            let recorded = row.recorded.as_ref().unwrap();
            assert!(recorded.date.len() == 10 && !recorded.machine.is_empty() && !recorded.version.is_empty());
            assert!(row.encode.is_some() && row.decode.is_some(), "{row:?}");
        }
    }

    #[test]
    fn claims_on_time_are_judged_by_each_implementation_on_file() {
        let study = Ieee1609 { rows: rows().unwrap(), ..Ieee1609::of(Run::sample()) };
        let findings: Vec<Box<dyn Findings>> = vec![Box::new(study)];
        let measured = Measured { findings: &findings, ..Measured::default() };
        let studies = study::all().unwrap();
        let study = studies.iter().find(|study| study.name == "ieee1609").unwrap();
        let judged = judged(&study.claims, &[], &|_| Vec::new(), measured);
        for (claim, implementations) in [
            ("oer-decode", &["asn1c's fork"][..]),
            ("oer-encode", &["asn1c's fork"]),
            ("p-decode", &["asn1c", "asn1c's fork"]),
            ("p-encode", &["asn1c", "asn1c's fork"]),
            ("below-one", &["asn1c", "asn1c's fork", "Bouncy Castle"]),
        ] {
            let one = judged.iter().find(|one| one.claim.id == claim).unwrap();
            let pairs: Vec<&str> = one.by_pairs.iter().filter_map(|one| one.pair.split(" with ").next()).collect();
            assert_eq!(pairs, implementations, "{claim}: {:?}", one.by_pairs);
        }
    }
}
