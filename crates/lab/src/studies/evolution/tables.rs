//! The study's tables.

use roadwire_evolution::Understanding;

use super::measured::{Changes, Cost, Evolution, Step, Verdict, rules};
use crate::number::or_dash;
use crate::report::table::Table;
use roadwire_measure::stats::Interval;

impl Evolution {
    /// All tables.
    pub(super) fn all_tables(&self) -> Vec<Table> {
        vec![
            self.conclusion(),
            self.over("Octets of the same content before and after", &self.steps, octets),
            self.over("Octets of a message that uses what is new", &self.small(), |cost| or_dash(cost.used)),
            self.understanding(),
            self.over(
                "Time of the same content after, divided by that before: encoding / decoding, interpreter",
                &self.steps,
                |cost| ratios(&cost.times),
            ),
            self.compiled(),
        ]
    }

    /// Those of the page of results.
    pub(super) fn few_tables(&self) -> Vec<Table> {
        vec![
            self.conclusion(),
            self.over("Octets of the same content before and after a change", &self.steps, octets),
            self.understanding(),
        ]
    }

    fn small(&self) -> Vec<Step> {
        self.steps.iter().filter(|step| step.is_small).cloned().collect()
    }

    /// One row for each step, one column for each encoding.
    fn over(&self, title: &str, steps: &[Step], cell: impl Fn(&Cost) -> String) -> Table {
        let mut table = Table::new(title, &["change"]);
        table.heading.extend(rules().map(|rules| format!(">{rules}")));
        for step in steps {
            let of = |rules| or_dash(step.costs.iter().find(|cost| cost.rules == rules).map(&cell));
            table.rows.push([vec![step.name.clone()], rules().map(of).collect()].concat());
        }
        table
    }

    /// The conclusion for each encoding.
    fn conclusion(&self) -> Table {
        let mut table = Table::new(
            "What may be changed while old and new versions are on the road, of ten small changes",
            &[
                "encoding",
                ">in any order",
                ">receivers first",
                ">messages taken for others",
                "changes in any order",
                "dangerous changes",
            ],
        );
        for rules in rules() {
            let Changes { free, receivers_first: first, dangerous, .. } = self.changes(rules);
            table.row([
                rules.to_string(),
                free.len().to_string(),
                first.len().to_string(),
                dangerous.len().to_string(),
                free.join(", "),
                dangerous.join(", "),
            ]);
        }
        table.notes.push(
            "In any order: both versions read every message of the other. Receivers first: the new version reads every message of the old one, the old one refuses some of the new one. \
             Taken for others: a reader takes octets for another value without noticing, or loses its place."
                .into(),
        );
        table
    }

    /// Who understands whom.
    fn understanding(&self) -> Table {
        let judged: Vec<Step> =
            self.steps.iter().filter(|step| step.costs.iter().any(|cost| cost.verdict.is_some())).cloned().collect();
        let word = |name: &str, is_proven: bool| {
            let found = Understanding::ALL.into_iter().find(|one| one.name() == name);
            let word = match found {
                Some(Understanding::All) => "all",
                Some(Understanding::Skipping) => "skips",
                Some(Understanding::InPart) => "some",
                Some(Understanding::Nothing) => "none",
                Some(Understanding::Astray) => "astray",
                Some(Understanding::Misread) => "MISREADS",
                None => "–",
            };
            format!("{word}{}", if is_proven { "" } else { "?" })
        };
        let mut table = self.over("Who understands whom: new reads old / old reads new", &judged, |cost| {
            or_dash(cost.verdict.as_ref().map(|verdict| {
                let of = |name| word(name, verdict.is_proven);
                format!("{} / {}", of(&verdict.new_reads_old), of(&verdict.old_reads_new))
            }))
        });
        table.join_equal_columns();
        table.notes.push("The words are those of docs/versions.md; `?` marks what is not proven. Between cam-1.4.1 and release 2 they are about the cause of a special vehicle (CauseCodeV2) where names are not written, and about names where they are.".into());
        table
    }

    fn compiled(&self) -> Table {
        let heading = ["change", "encoding", ">encoding", ">decoding"];
        let mut table = Table::new(
            "The same of generated code, where there is some of both versions, with the 95 % interval",
            &heading,
        );
        for step in &self.steps {
            for cost in step.costs.iter().filter(|cost| cost.compiled.iter().any(Option::is_some)) {
                let of = |ratio: &Option<Interval>| {
                    or_dash(ratio.map(|Interval { ratio, low, high }| format!("{ratio:.2} ({low:.2}–{high:.2})")))
                };
                let [encode, decode] = [of(&cost.compiled[0]), of(&cost.compiled[1])];
                table.row([step.name.clone(), cost.rules.to_string(), encode, decode]);
            }
        }
        table
    }

    pub(super) fn data(&self) -> Table {
        let heading = [
            "change",
            "rules",
            "before_octets",
            "after_octets",
            "used_octets",
            "same_octets",
            "new_reads_old",
            "old_reads_new",
            "proven",
            "encode_ratio",
            "decode_ratio",
            "compiled_encode_ratio",
            "compiled_decode_ratio",
        ];
        let mut table = Table::new(
            "Changes of messages: octets before and after, who reads whom, and time after divided by time before",
            &heading,
        );
        for (step, cost) in self.steps.iter().flat_map(|step| step.costs.iter().map(move |cost| (step, cost))) {
            let of = |value: fn(&Verdict) -> String| cost.verdict.as_ref().map(value).unwrap_or_default();
            let ratio = |ratio: &Option<Interval>| ratio.map_or(String::new(), |ratio| format!("{:.4}", ratio.ratio));
            table.row([
                step.name.clone(),
                cost.rules.to_string(),
                cost.octets[0].to_string(),
                cost.octets[1].to_string(),
                cost.used.map(|used| used.to_string()).unwrap_or_default(),
                of(|verdict| verdict.same_octets.to_string()),
                of(|verdict| verdict.new_reads_old.clone()),
                of(|verdict| verdict.old_reads_new.clone()),
                of(|verdict| verdict.is_proven.to_string()),
                ratio(&cost.times[0]),
                ratio(&cost.times[1]),
                ratio(&cost.compiled[0]),
                ratio(&cost.compiled[1]),
            ]);
        }
        table
    }
}

fn octets(cost: &Cost) -> String {
    match cost.octets {
        [before, after] if before == after => before.to_string(),
        [before, after] => format!("{before} → {after}"),
    }
}

fn ratios(times: &[Option<Interval>; 2]) -> String {
    let of = |ratio: &Option<Interval>| or_dash(ratio.map(|ratio| format!("{:.2}", ratio.ratio)));
    format!("{} / {}", of(&times[0]), of(&times[1]))
}
