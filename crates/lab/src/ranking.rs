//! Rank correlation of a paper's tables of times with ours: numbers of another machine cannot be
//! compared, their order can.

use crate::number::significant;
use crate::owner::Owner;
use crate::report::table::Table;
use crate::study::Published;
use crate::verdict::{Judged, Outcome, Verdict};
use roadwire_measure::random::Random;

/// The fewest times of a table that are ranked.
const FEWEST: usize = 5;
/// How many resamples an interval is from.
const DRAWS: usize = 2000;

/// A published time and ours.
#[derive(Debug, Clone, Copy)]
struct Time<'p> {
    figure: &'p Published,
    ours: f64,
}

/// The order of a table's times.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The table's number in the paper.
    pub table: String,
    /// The unit of its times.
    pub unit: String,
    /// How many times it has.
    pub times: usize,
    /// Spearman's rank correlation of all of them, with its 95 % interval by bootstrap.
    pub all: [f64; 3],
    /// Its mean over the columns; `None` if no column has enough times.
    pub columns: Option<f64>,
    /// Its mean over the rows.
    pub rows: Option<f64>,
}

/// The times of each table that are ranked.
fn groups<'p>(figures: &[(&'p Published, &Verdict)]) -> Vec<Vec<Time<'p>>> {
    let mut groups: Vec<Vec<Time<'p>>> = Vec::new();
    for (figure, verdict) in figures {
        let is_time = figure.ours.as_ref().is_some_and(|ours| ours.owner() == Owner::Machine);
        let (true, true, Some(ours)) = (is_time && figure.table != "text", figure.is_counted(), verdict.ours) else {
            continue;
        };
        let time = Time { figure, ours };
        let is_its = |group: &&mut Vec<Time<'_>>| {
            (&group[0].figure.table, &group[0].figure.unit) == (&figure.table, &figure.unit)
        };
        match groups.iter_mut().find(is_its) {
            Some(group) => group.push(time),
            None => groups.push(vec![time]),
        }
    }
    groups.retain(|group| group.len() >= FEWEST);
    groups
}

/// Gives the times of ranked tables their verdict.
pub(crate) fn mark(published: &[Published], verdicts: &mut [Verdict]) {
    let figures: Vec<(&Published, &Verdict)> = published.iter().zip(&*verdicts).collect();
    let ranked: Vec<Vec<Time<'_>>> = groups(&figures);
    let is_ranked = |figure: &Published| ranked.iter().flatten().any(|time| std::ptr::eq(time.figure, figure));
    let marks: Vec<bool> = published.iter().map(is_ranked).collect();
    for (verdict, _) in verdicts.iter_mut().zip(marks).filter(|(_, mark)| *mark) {
        verdict.outcome = Outcome::Ranked;
    }
}

/// The rankings of a study's tables of times.
#[must_use]
pub fn rankings(judged: &Judged<'_>) -> Vec<Ranking> {
    let figures: Vec<(&Published, &Verdict)> = judged.figures().collect();
    groups(&figures).iter().map(|group| Ranking::of(group)).collect()
}

/// The rankings as a table; `None` if there are none.
pub(crate) fn table(rankings: &[Ranking]) -> Option<Table> {
    let heading = ["table", "unit", ">times", ">rank correlation", ">95 % interval", ">within columns", ">within rows"];
    let mut table = Table::new("Times: is the order the same?", &heading);
    let shown = |value: f64| significant(value, 2);
    for one in rankings {
        let [correlation, low, high] = one.all.map(shown);
        let mean = |value: Option<f64>| value.map_or_else(|| "–".to_string(), shown);
        let (times, interval) = (one.times.to_string(), format!("{low} to {high}"));
        let (columns, rows) = (mean(one.columns), mean(one.rows));
        table.row([one.table.clone(), one.unit.clone(), times, correlation, interval, columns, rows]);
    }
    table.notes.push(
        "Spearman's rank correlation of the published times with ours: 1 if the order is the same, -1 if it is reversed. The interval is a bootstrap over the times. \
         Within columns and within rows: the means over those with five times or more, and four or more."
            .into(),
    );
    (!rankings.is_empty()).then_some(table)
}

impl Ranking {
    fn of(times: &[Time<'_>]) -> Ranking {
        let pairs = |times: &[Time<'_>]| -> Vec<(f64, f64)> {
            times.iter().map(|time| (time.figure.value, time.ours)).collect()
        };
        let within = |key: fn(&Published) -> &str, fewest: usize| {
            let mut keys: Vec<&str> = times.iter().map(|time| key(time.figure)).collect();
            keys.sort_unstable();
            keys.dedup();
            let of = |name: &&str| -> Vec<Time<'_>> {
                times.iter().filter(|time| key(time.figure) == *name).copied().collect()
            };
            let parts = keys.iter().map(of).filter(|part| part.len() >= fewest);
            let all: Vec<f64> = parts.filter_map(|part| correlation(&pairs(&part))).collect();
            (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
        };
        let all = pairs(times);
        let mut random = Random::new(all.len() as u64);
        let draw = |_| {
            let drawn: Vec<(f64, f64)> = all.iter().map(|_| all[random.below(all.len())]).collect();
            correlation(&drawn)
        };
        let mut drawn: Vec<f64> = (0..DRAWS).filter_map(draw).collect();
        drawn.sort_by(f64::total_cmp);
        let at = |share: f64| drawn.get((share * drawn.len() as f64) as usize).copied().unwrap_or(f64::NAN);
        let first = times[0].figure;
        Ranking {
            table: first.table.clone(),
            unit: first.unit.clone(),
            times: times.len(),
            all: [correlation(&all).unwrap_or(f64::NAN), at(0.025), at(0.975)],
            columns: within(|figure| &figure.column, FEWEST),
            rows: within(|figure| &figure.row, FEWEST - 1),
        }
    }
}

/// Spearman's rank correlation; `None` if one side is all the same.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let [a, b] = [|pair: &(f64, f64)| pair.0, |pair: &(f64, f64)| pair.1]
        .map(|side: fn(&(f64, f64)) -> f64| ranks(&pairs.iter().map(side).collect::<Vec<_>>()));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    (spread > 0.0).then(|| product(&a, &b) / spread)
}

/// The rank of each value, from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let less = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        less + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::formula::{Formula, Sets};

    #[test]
    fn a_correlation_is_that_of_ranks() {
        let of = |ours: &[f64]| correlation(&(1..).map(f64::from).zip(ours.iter().copied()).collect::<Vec<_>>());
        assert_eq!([of(&[1.0, 4.0, 90.0]), of(&[3.0, 2.0, 1.0])], [Some(1.0), Some(-1.0)]);
        // 1 - 6 * (0 + 1 + 1) / (3 * 8)
        assert_eq!(of(&[1.0, 3.0, 2.0]), Some(0.5));
        assert_eq!(of(&[2.0, 2.0, 2.0]), None);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
    }

    fn figure(row: &str, column: &str, value: f64) -> Published {
        let ours = Some(Formula::parse("time:a:encode:toed", &Sets::new()).unwrap());
        Published {
            ours,
            value,
            row: row.into(),
            column: column.into(),
            unit: "ns".into(),
            table: "3".into(),
            ..Published::default()
        }
    }

    #[test]
    fn times_of_a_table_are_ranked_as_a_whole_and_by_row_and_column() {
        let rows = ["a", "b", "c", "d", "e"];
        let published: Vec<Published> = ["x", "y"]
            .iter()
            .flat_map(|column| rows.iter().zip(1..).map(|(row, at)| figure(row, column, f64::from(at))))
            .collect();
        let verdict = |ours: f64| Verdict {
            outcome: Outcome::AnotherMachine,
            ours: Some(ours),
            library: None,
            why: String::new(),
        };
        // The second column has the reverse order.
        let mut verdicts: Vec<Verdict> = [1.0, 2.0, 3.0, 4.0, 5.0, 5.0, 4.0, 3.0, 2.0, 1.0].map(verdict).into();
        let figures: Vec<(&Published, &Verdict)> = published.iter().zip(&verdicts).collect();
        let ranking = Ranking::of(&groups(&figures)[0]);
        assert_eq!((ranking.times, ranking.all[0], ranking.columns, ranking.rows), (10, 0.0, Some(0.0), None));
        assert!(ranking.all[1] < 0.0 && ranking.all[2] > 0.0, "{ranking:?}");
        mark(&published, &mut verdicts);
        assert!(verdicts.iter().all(|verdict| verdict.outcome == Outcome::Ranked));
        // Four are too few.
        let mut few: Vec<Verdict> = [1.0, 2.0, 3.0, 4.0].map(verdict).into();
        mark(&published[..4], &mut few);
        assert!(few.iter().all(|verdict| verdict.outcome == Outcome::AnotherMachine));
    }
}
