//! Whether the page's figures that do not depend on the machine are those of today's codecs.

use super::Results;
use crate::report::table::Table;

/// Heap, stack and instructions depend on the compiler a little.
const NEAR: f64 = 1.1;

impl Results {
    /// The figures of this page that differ from those of another run: lengths at all; heap, stack
    /// and instructions by more than a tenth. Times are not compared, nor is a figure that the
    /// other run does not have; the second number is how many were compared.
    #[must_use]
    pub fn stale(&self, now: &Results) -> (Vec<String>, usize) {
        let (mut stale, mut compared) = (Vec::new(), 0);
        for table in &self.tables {
            let Some(other) = now.tables.iter().find(|other| other.title == table.title) else { continue };
            for row in &table.rows {
                for figure in figures(table, row) {
                    let is_same_row = |other: &&Vec<String>| other[..figure.names] == row[..figure.names];
                    let Some(new) = other.rows.iter().find(is_same_row).and_then(|row| row.get(figure.at)) else {
                        continue;
                    };
                    let (old, new) = (numbers(&row[figure.at]), numbers(new));
                    if new.is_empty() {
                        continue;
                    }
                    compared += 1;
                    if old.len() != new.len() || old.iter().zip(&new).any(|(old, new)| !figure.is_same(*old, *new)) {
                        let name = row[..figure.names].join(", ");
                        let column = table.heading[figure.at].trim_start_matches('>');
                        stale
                            .push(format!("{}: {name}, {column}: the page has {old:?}, this run {new:?}", table.title));
                    }
                }
            }
        }
        (stale, compared)
    }
}

/// A figure in a row.
struct Figure {
    /// Its column.
    at: usize,
    /// How many columns name the row.
    names: usize,
    /// Whether it is the same everywhere.
    is_exact: bool,
}

impl Figure {
    fn is_same(&self, old: f64, new: f64) -> bool {
        old == new || !self.is_exact && old <= new * NEAR && new <= old * NEAR
    }
}

/// The figures of a row that do not depend on the machine.
fn figures(table: &Table, row: &[String]) -> Vec<Figure> {
    let column = |name: &str| table.heading.iter().position(|heading| heading == name);
    if column(">published").is_some() {
        let is_exact = row[1].contains("length");
        let is_octets = row[2] == "octets";
        return column(">ours").filter(|_| is_octets).map(|at| Figure { at, names: 2, is_exact }).into_iter().collect();
    }
    // Elsewhere heap stands beside times.
    let Some(instructions) = column(">instructions") else { return Vec::new() };
    let octets = column(">octets").map(|at| Figure { at, names: 1, is_exact: true });
    octets.into_iter().chain([Figure { at: instructions, names: 1, is_exact: false }]).collect()
}

/// The numbers of a cell, such as `219 / 252`; none if there is a dash in place of one.
fn numbers(cell: &str) -> Vec<f64> {
    cell.split(" / ").map(|part| part.parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Measured;
    use crate::record::{Record, Run};
    use crate::report::Report;
    use crate::study;
    use roadwire_measure::cell::Direction;
    use roadwire_peers::content::Message;

    fn stored() -> Results {
        serde_json::from_str(include_str!("../../../../../docs/results.json")).unwrap()
    }

    /// The lengths that the codecs have now, of all messages in the studies.
    fn lengths() -> Vec<Record> {
        let mut records: Vec<Record> = Vec::new();
        let engines = roadwire_peers::all();
        for study in study::all().unwrap() {
            for message in study.quick.iter().filter_map(|name| Message::find(name)) {
                for rules in study.rules.iter().copied().filter(|rules| message.under(*rules).is_some()) {
                    let is_it = |one: &Record| one.message == message.id && one.rules == rules;
                    if records.iter().any(is_it) {
                        continue;
                    }
                    for engine in &engines {
                        let Ok(mut cell) = engine.cell(message, rules) else { continue };
                        let octets = cell.bytes().unwrap().len();
                        records.extend(Direction::ALL.map(|direction| Record {
                            engine: engine.name().into(),
                            message: message.id.into(),
                            octets: Some(octets),
                            ..Record::unmeasured(Run::sample(), engine.kind(), engine.timed_region(), rules, direction)
                        }));
                    }
                }
            }
        }
        records
    }

    /// Fails if a codec's lengths change and the page, which the README's summary is part of, is
    /// not written anew: METHODOLOGY.md says how.
    #[test]
    fn the_pages_lengths_are_those_of_todays_codecs() {
        let (records, studies) = (lengths(), study::all().unwrap());
        let report = Report::new(&studies, Measured { records: &records, ..Measured::default() }, None);
        let now = Results::of(&report).unwrap();
        let (stale, compared) = stored().stale(&now);
        assert!(stale.is_empty(), "write docs/results.md anew: {stale:#?}");
        // 21 rows of two messages, and 40 printed lengths.
        assert!(compared >= 60, "{compared}");
    }

    #[test]
    fn what_is_stale_is_named() {
        let page = stored();
        assert!(page.stale(&page).0.is_empty() && page.stale(&page).1 > 150, "{}", page.stale(&page).1);
        let stale = |change: &dyn Fn(&mut Results)| {
            let mut other = page.clone();
            change(&mut other);
            page.stale(&other).0
        };
        let found = stale(&|other| other.tables[0].rows[0][1] = "42".into());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("uper, octets: the page has [41.0], this run [42.0]"), "{found:?}");
        // Instructions and stack may differ by a tenth, times by anything, and what was not
        // measured is not compared.
        let instructions = |factor: f64| {
            stale(&|other| {
                let cell = &mut other.tables[0].rows[0][4];
                *cell = numbers(cell).iter().map(|one| (one * factor).to_string()).collect::<Vec<_>>().join(" / ");
            })
        };
        assert_eq!([instructions(1.09).len(), instructions(1.12).len(), instructions(0.88).len()], [0, 1, 1]);
        assert!(stale(&|other| other.tables[0].rows[0][2] = "1000".into()).is_empty());
        assert!(stale(&|other| other.tables[0].rows[0][4] = "– / –".into()).is_empty());
    }
}
