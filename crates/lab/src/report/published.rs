//! The papers' tables: what was printed, what we measure, and a verdict for each figure.

use super::table::Table;
use super::{number, or_dash, significant};
use crate::engine::{Direction, Kind};
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::record::Record;
use crate::study::{Published, Study};
use crate::verdict::{Measured, Outcome, Verdict, judge};

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
                    format!("{} ({place}): {}", called(&published.id), published.title),
                    &["row", "column", "unit", ">published", ">ours", ">rasn", "verdict", "why", "counted with"],
                ),
                measured: 0,
                reason: String::new(),
            };
            for figure in figures {
                let verdict = judge(figure, study, measured);
                if verdict.outcome == Outcome::CannotBeJudged {
                    beside.reason.clone_from(&verdict.why);
                } else {
                    beside.measured += 1;
                }
                beside.table.row([
                    figure.row.clone(),
                    figure.column.clone(),
                    figure.unit.clone(),
                    // As the paper prints it.
                    format!("{:.1$}", figure.value, figure.decimals),
                    or_dash(verdict.ours.map(|ours| beside_printed(figure, ours))),
                    or_dash(peer(figure, measured.records).map(number)),
                    verdict.outcome.name().into(),
                    verdict.why,
                    figure.same.clone(),
                ]);
            }
            beside
        })
        .collect()
}

/// How the paper calls it: most are tables, and what stands in its text has no number.
fn called(id: &str) -> String {
    match id {
        "text" => "Text".into(),
        _ if id.starts_with("Figure") || id.starts_with("Listing") => id.into(),
        _ => format!("Table {id}"),
    }
}

/// Ours, with as many decimals as the paper prints, or so many digits that it can be told from theirs.
fn beside_printed(figure: &Published, ours: f64) -> String {
    match figure.quantity() {
        Some(Quantity::Certificate(_)) => significant(ours, 7),
        _ if ours.fract() == 0.0 => format!("{ours:.0}"),
        _ => format!("{ours:.0$}", figure.decimals.max(if ours.abs() < 100.0 { 2 } else { 1 })),
    }
}

/// How many figures have which verdict, as a paragraph; nothing for a study of no paper.
pub(super) fn count(study: &Study, measured: Measured<'_>) -> String {
    if study.published.is_empty() {
        return String::new();
    }
    let counted: Vec<&Published> = study.published.iter().filter(|figure| figure.same.is_empty()).collect();
    let verdicts: Vec<Verdict> = counted.iter().map(|figure| judge(figure, study, measured)).collect();
    let of = |outcome| verdicts.iter().filter(|one| one.outcome == outcome).count();
    let outcomes: Vec<String> = Outcome::ALL.map(|one| format!("{} {}", of(one), one.name())).into();
    let doubles = study.published.len() - counted.len();
    format!(
        "{}: {} published figures, {doubles} of them once more what another is; of the other {}: {}.\n\n",
        study.name,
        study.published.len(),
        counted.len(),
        outcomes.join(", ")
    )
}

/// What was fitted, with how many free choices for how many figures.
pub(super) fn fits(study: &Study) -> Table {
    let heading = ["fit", "what was fitted", ">free choices", ">figures", ">of them doubles"];
    let mut table = Table::new("What was fitted until it came out", &heading);
    for fit in &study.fits {
        let of: Vec<&Published> = study.published.iter().filter(|figure| figure.fit == fit.name).collect();
        let doubles = of.iter().filter(|figure| !figure.same.is_empty()).count();
        let [choices, figures] = [fit.choices as usize, of.len()].map(|number| number.to_string());
        table.row([fit.name.clone(), fit.what.clone(), choices, figures, doubles.to_string()]);
    }
    table
}

/// What the peer rasn has in the same place, for orientation.
fn peer(figure: &Published, records: &[Record]) -> Option<f64> {
    let Some(Quantity::Message { message, rules, of }) = figure.quantity() else { return None };
    let find = |direction: Direction| {
        records.iter().find(|r| {
            r.kind == Kind::Peer
                && r.engine == "rasn"
                && !r.repeat
                && r.message == *message
                && r.rules == *rules
                && r.direction == direction
        })
    };
    match of {
        OfMessage::Octets => find(Direction::Encode)?.octets.map(|octets| octets as f64),
        OfMessage::Operation(direction, _, OfOperation::Stack) => find(*direction)?.stack.map(|octets| octets as f64),
        OfMessage::Operation(direction, _, OfOperation::Heap) => find(*direction)?.heap.map(|heap| heap.peak as f64),
        _ => None,
    }
}
