//! The papers' tables: what was printed, what we measure, and a verdict for each figure.

use super::table::Table;
use super::{number, or_dash, significant};
use crate::engine::Kind;
use crate::record::Record;
use crate::study::{Ours, Published, Study};
use crate::verdict::{Measured, Verdict, judge};

/// One of the paper's tables beside ours.
pub(super) struct Beside {
    /// Its number in the paper.
    pub(super) id: String,
    /// The figures.
    pub(super) table: Table,
    /// How many of them are measured.
    pub(super) measured: usize,
    /// Why the others are not, if there is one reason.
    pub(super) reason: String,
}

/// All of a study's tables.
pub(super) fn tables(study: &Study, measured: Measured<'_>) -> Vec<Beside> {
    study
        .tables
        .iter()
        .map(|published| {
            let figures: Vec<&Published> =
                study.published.iter().filter(|figure| figure.table == published.id).collect();
            let place = figures.first().map_or("", |f| f.place.as_str());
            let mut beside = Beside {
                id: published.id.clone(),
                table: Table::new(
                    format!("Table {} ({place}): {}", published.id, published.title),
                    &["row", "column", "unit", ">published", ">ours", ">rasn", "verdict", "why"],
                ),
                measured: 0,
                reason: String::new(),
            };
            for figure in figures {
                let verdict = judge(figure, measured);
                if let Verdict::NotYetMeasured { why } = &verdict {
                    beside.reason.clone_from(why);
                } else {
                    beside.measured += 1;
                }
                beside.table.row([
                    figure.row.clone(),
                    figure.column.clone(),
                    figure.unit.clone(),
                    // As the paper prints it.
                    figure.value.to_string(),
                    or_dash(verdict.ours().map(|ours| match figure.ours {
                        Ours::Certificate(_) => significant(ours, 7),
                        _ => number(ours),
                    })),
                    or_dash(peer(figure, measured.records).map(number)),
                    verdict.name().into(),
                    verdict.why().into(),
                ]);
            }
            beside
        })
        .collect()
}

/// How many figures have which verdict.
pub(super) fn count(study: &Study, measured: Measured<'_>) -> String {
    let verdicts: Vec<Verdict> = study.published.iter().map(|figure| judge(figure, measured)).collect();
    let of = |name| verdicts.iter().filter(|v| v.name() == name).count();
    format!(
        "{}: of {} published figures, {} reproduced, {} differ, {} of another machine, {} not yet measured.",
        study.name,
        verdicts.len(),
        of("reproduced"),
        of("differs"),
        of("another machine"),
        of("not yet measured")
    )
}

/// What the peer rasn has in the same place, for orientation.
fn peer(figure: &Published, records: &[Record]) -> Option<f64> {
    let find = |message: &str, rules: &str, direction: &str| {
        records.iter().find(|r| {
            r.kind == Kind::Peer
                && r.engine == "rasn"
                && !r.repeat
                && r.message == message
                && r.rules == rules
                && r.direction.name() == direction
        })
    };
    match &figure.ours {
        Ours::Octets { message, rules } => find(message, rules, "encode")?.octets.map(|o| o as f64),
        Ours::Memory { stack, message, direction, rules, .. } => {
            let record = find(message, rules, direction)?;
            if *stack { record.stack.map(|octets| octets as f64) } else { record.heap.map(|heap| heap.peak as f64) }
        }
        _ => None,
    }
}
