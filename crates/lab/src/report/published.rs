//! The papers' tables: what was printed, what we measure, and a verdict for each figure.

use super::table::Table;
use crate::experiment::FigureOf;
use crate::number::{number, or_dash, significant};
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::record::Record;
use crate::study::{Counted, Published, Study};
use crate::verdict::{Judged, Outcome, Verdict};
use roadwire_measure::cell::Direction;
use roadwire_peers::Kind;
use roadwire_peers::PEER;

/// One of the paper's tables next to ours.
pub(super) struct Beside {
    /// Its number in the paper.
    pub(super) id: String,
    /// The figures.
    pub(super) table: Table,
    /// How many of these are measured.
    pub(super) measured: usize,
    /// Why the others are not, if there is a single reason.
    pub(super) reason: String,
}

impl Beside {
    /// Whether it is a table of lengths of messages and other figures: the papers' main tables.
    pub(super) fn has_lengths(&self) -> bool {
        self.table.rows.iter().any(|row| row.get(1).is_some_and(|column| column.contains("encoded length")))
    }
}

/// All of a study's tables.
pub(super) fn tables(judged: &Judged<'_>, records: &[Record]) -> Vec<Beside> {
    judged
        .study
        .tables
        .iter()
        .map(|published| {
            let figures: Vec<(&Published, &Verdict)> =
                judged.figures().filter(|(figure, _)| figure.table == published.id).collect();
            let place = figures.first().map_or("", |(figure, _)| figure.place.as_str());
            let mut beside = Beside {
                id: published.id.clone(),
                table: Table::new(
                    format!("{} ({place}): {}", called(&published.id), published.title),
                    &[
                        "row",
                        "column",
                        "unit",
                        ">published",
                        ">ours",
                        &format!(">{PEER}"),
                        LIBRARY,
                        "verdict",
                        "why",
                        "counted with",
                    ],
                ),
                measured: 0,
                reason: String::new(),
            };
            for (figure, verdict) in figures {
                if verdict.outcome == Outcome::CannotBeJudged {
                    beside.reason.clone_from(&verdict.why);
                } else {
                    beside.measured += 1;
                }
                beside.table.row([
                    figure.row.clone(),
                    figure.column.clone(),
                    figure.unit.clone(),
                    // As printed in the paper.
                    format!("{:.1$}", figure.value, figure.decimals),
                    or_dash(verdict.ours.map(|ours| beside_printed(figure, ours))),
                    or_dash(peer(figure, records).map(number)),
                    or_dash(
                        verdict.library.as_ref().map(|library| format!("{:.0} ({})", library.value, library.engine)),
                    ),
                    verdict.outcome.name().into(),
                    verdict.why.clone(),
                    figure.counted.to_string(),
                ]);
            }
            if judged.study.libraries.is_empty() {
                without(LIBRARY, &mut beside.table);
            }
            beside
        })
        .collect()
}

impl Beside {
    /// The table in short, for the report's text: without reasons, and without figures that nothing
    /// is said of but their rank or that there is none of ours.
    pub(super) fn brief(&self) -> Table {
        let Table { title, heading, rows, notes } = self.table.clone();
        let at = |name: &str| heading.iter().position(|one| one.trim_start_matches('>') == name);
        let columns: Vec<usize> =
            ["row", "column", "unit", "published", "ours", "verdict"].into_iter().filter_map(at).collect();
        let short = |row: &Vec<String>| -> Vec<String> { columns.iter().map(|at| row[*at].clone()).collect() };
        let left_out = [Outcome::Ranked, Outcome::CannotBeJudged].map(Outcome::name);
        let is_shown = |row: &&Vec<String>| row.iter().all(|cell| !left_out.contains(&cell.as_str()));
        let mut brief =
            Table { title, heading: short(&heading), rows: rows.iter().filter(is_shown).map(short).collect(), notes };
        let rest = rows.len() - brief.rows.len();
        if rest > 0 {
            brief.notes.push(format!("{rest} figures are left out here, judged by their rank or not at all; `figures.csv` has them, and all reasons."));
        }
        brief
    }
}

/// The column of libraries of the paper's time.
const LIBRARY: &str = ">library of that time";

/// Takes a column out.
fn without(column: &str, table: &mut Table) {
    let Some(at) = table.heading.iter().position(|one| one == column) else { return };
    table.heading.remove(at);
    for row in &mut table.rows {
        row.remove(at);
    }
}

/// The paper's name for it: most are tables; figures in the running text have no number.
fn called(id: &str) -> String {
    match id {
        "text" => "Text".into(),
        _ if id.starts_with("Figure") || id.starts_with("Listing") => id.into(),
        _ => format!("Table {id}"),
    }
}

/// Ours, with as many decimals as the paper prints, or as many digits as are needed to show the
/// difference. A time far below the paper's milliseconds has a unit of its own.
fn beside_printed(figure: &Published, ours: f64) -> String {
    let in_nanoseconds = |unit, factor: f64| format!("{} {unit}", significant(ours * factor, 4));
    match figure.quantity() {
        _ if figure.unit == "ms" && ours.abs() < 1e-3 => in_nanoseconds("ns", 1e6),
        _ if figure.unit == "ms²" && ours.abs() < 1e-6 => in_nanoseconds("ns²", 1e12),
        Some(Quantity::Experiment(FigureOf(of))) if of.digits().is_some() => {
            significant(ours, of.digits().unwrap_or(7))
        }
        _ if ours.fract() == 0.0 => format!("{ours:.0}"),
        _ => format!("{ours:.0$}", figure.decimals.max(if ours.abs() < 100.0 { 2 } else { 1 })),
    }
}

/// How many figures have which verdict, as a paragraph; empty for a study without a paper.
pub(super) fn count(judged: &Judged<'_>) -> String {
    let study = judged.study;
    if study.published.is_empty() {
        return String::new();
    }
    let counted: Vec<Outcome> =
        judged.figures().filter(|(figure, _)| figure.is_counted()).map(|(_, verdict)| verdict.outcome).collect();
    let of = |outcome| counted.iter().filter(|one| **one == outcome).count();
    let outcomes: Vec<String> = Outcome::ALL.map(|one| format!("{} {}", of(one), one.name())).into();
    let [mut repeated, mut conditions, mut of_claims] = [0; 3];
    for figure in &study.published {
        match figure.counted {
            Counted::Once => {}
            Counted::With(_) => repeated += 1,
            Counted::Condition => conditions += 1,
            Counted::AsClaim(_) => of_claims += 1,
        }
    }
    format!(
        "{}: {} published figures. {} count: {}. The others are {repeated} repetitions of a figure, {conditions} conditions, and {of_claims} facts that claims judge.\n\n",
        study.name,
        study.published.len(),
        counted.len(),
        outcomes.join(", ")
    )
}

/// The fits, with the number of free choices and of figures, and their sum.
pub(super) fn fits(study: &Study) -> Table {
    let heading = ["fit", "what was fitted", ">free choices", ">figures", ">of them doubles", "weight"];
    let mut table = Table::new("What was fitted until it came out", &heading);
    let mut all = [0; 3];
    for fit in &study.fits {
        let of: Vec<&Published> = study.published.iter().filter(|figure| figure.fit == fit.name).collect();
        let doubles = of.iter().filter(|figure| !figure.is_counted()).count();
        let counts = [fit.choices as usize, of.len(), doubles];
        all = [0, 1, 2].map(|at| all[at] + counts[at]);
        table.rows.push(row(fit.name.clone(), fit.what.clone(), counts));
    }
    if study.fits.len() > 1 {
        table.rows.push(row("all".into(), String::new(), all));
    }
    table.notes.push(
        "A fit with more choices than figures would have come out whatever was printed: such figures say that a message of these lengths is possible, and nothing more.".into(),
    );
    table
}

/// A fit with its choices, its figures and how many of these are doubles.
fn row(name: String, what: String, [choices, figures, doubles]: [usize; 3]) -> Vec<String> {
    let weight = if choices > figures - doubles { "more choices than figures" } else { "" };
    let [choices, figures, doubles] = [choices, figures, doubles].map(|number| number.to_string());
    vec![name, what, choices, figures, doubles, weight.into()]
}

/// The value of [`PEER`] for the same figure, for comparison.
fn peer(figure: &Published, records: &[Record]) -> Option<f64> {
    let Some(Quantity::Message { message, rules, of }) = figure.quantity() else { return None };
    let find = |direction: Direction| {
        records.iter().find(|r| {
            r.kind == Kind::Peer
                && r.engine == PEER
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Measured;
    use crate::study::published::Counted;
    use crate::study::{Fit, Library, PublishedTable};
    use roadwire_layout::Rules;

    #[test]
    fn a_study_with_libraries_has_a_column_of_them() {
        let figure = Published { table: "II".into(), ..Published::default() };
        let mut study = Study::sample(vec![figure]);
        study.tables = vec![PublishedTable { id: "II".into(), title: String::new() }];
        let columns = |study: &Study| {
            let table = tables(&Judged::of(study, Measured::default()), &[]).remove(0).table;
            assert_eq!(table.heading.len(), table.rows[0].len());
            table.heading.iter().filter(|name| *name == LIBRARY).count()
        };
        assert_eq!(columns(&study), 0);
        study.libraries = vec![Library::sample(Rules::Uper, "asn1c-32", true)];
        assert_eq!(columns(&study), 1);
    }

    #[test]
    fn a_table_in_short_counts_what_it_leaves_out() {
        let figure = Published { table: "II".into(), note: "a reason".into(), ..Published::default() };
        let mut study = Study::sample(vec![figure]);
        study.tables = vec![PublishedTable { id: "II".into(), title: String::new() }];
        let beside = tables(&Judged::of(&study, Measured::default()), &[]).remove(0);
        let brief = beside.brief();
        assert_eq!((beside.table.rows.len(), brief.rows.len(), brief.heading.len()), (1, 0, 6));
        assert!(brief.notes[0].starts_with("1 figures are left out"), "{:?}", brief.notes);
    }

    #[test]
    fn small_times_are_shown_in_nanoseconds() {
        let shown = |unit: &str, ours| {
            beside_printed(&Published { unit: unit.into(), decimals: 8, ..Published::default() }, ours)
        };
        assert_eq!(shown("ms", 0.000_090_056_4), "90.06 ns");
        assert_eq!(shown("ms²", 0.000_000_006_448_816), "6449 ns²");
        assert_eq!(shown("ms", 0.25), "0.25000000");
    }

    #[test]
    fn a_fit_with_more_choices_than_figures_says_so() {
        let figure = |fit: &str, counted| Published { fit: fit.into(), counted, ..Published::default() };
        let once = || Counted::Once;
        let figures = [
            figure("even", once()),
            figure("even", once()),
            figure("free", once()),
            figure("free", Counted::With("another".into())),
        ];
        let mut study = Study::sample(figures.into());
        study.fits = [("even", 2), ("free", 2)]
            .map(|(name, choices)| Fit { name: name.into(), what: String::new(), choices })
            .into();
        let table = fits(&study);
        let rows: Vec<Vec<&str>> = table.rows.iter().map(|row| row[2..].iter().map(String::as_str).collect()).collect();
        assert_eq!(rows[0], ["2", "2", "0", ""]);
        // A double is the same figure once more: two choices for one figure.
        assert_eq!(rows[1], ["2", "2", "1", "more choices than figures"]);
        assert_eq!(rows[2], ["4", "4", "1", "more choices than figures"]);
    }
}
