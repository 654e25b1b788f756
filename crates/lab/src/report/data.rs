//! The report's data for other programs: CSV with a name for each column, its unit at the name's
//! end, and numbers alone in columns of numbers. `files.csv` lists them.

use super::Report;
use super::table::Table;
use crate::claims::{JudgedClaim, Judgement};
use crate::number::or_dash;
use crate::study::Study;
use crate::study::published::Published;
use crate::verdict::Verdict;

/// The list of all files of data.
const INDEX: &str = "files";

/// Columns of text in which a number may be a name.
const TEXT: [&str; 9] =
    ["table", "row", "column", "message", "encoding", "text", "why", "values_and_remarks", "counted_with"];

/// A file of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// Its name, without `.csv`.
    pub name: &'static str,
    /// Its columns and rows; the title says what it has.
    pub table: Table,
}

impl DataFile {
    /// A file.
    #[must_use]
    pub fn new(name: &'static str, table: Table) -> DataFile {
        DataFile { name, table }
    }

    /// The name with its ending.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}.csv", self.name)
    }

    /// Lists its faults: names that are not `a_name` or come twice, and words among numbers.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let Table { heading, rows, title, .. } = &self.table;
        let is_name = |name: &String| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        let mut faults: Vec<String> =
            heading.iter().filter(|name| !is_name(name)).map(|name| format!("`{name}` is not a name")).collect();
        let twice = (1..heading.len()).filter(|at| heading[..*at].contains(&heading[*at]));
        faults.extend(twice.map(|at| format!("`{}` is there twice", heading[at])));
        faults.extend(title.is_empty().then(|| "it does not say what it has".to_string()));
        for (at, name) in heading.iter().enumerate().filter(|(_, name)| !TEXT.contains(&name.as_str())) {
            let cells = || rows.iter().map(|row| row[at].as_str()).filter(|cell| !matches!(*cell, "" | "–"));
            let word = cells().find(|cell| cell.parse::<f64>().is_err());
            let has_numbers = cells().any(|cell| cell.parse::<f64>().is_ok());
            faults.extend(word.filter(|_| has_numbers).map(|word| format!("`{name}` has numbers and `{word}`")));
        }
        faults.iter().map(|fault| format!("{}: {fault}", self.file())).collect()
    }
}

/// The list of files of data.
pub(crate) fn index(files: &[DataFile]) -> DataFile {
    let mut table = Table::new("The files of data of this report", &["file", "what", "rows", "columns"]);
    for file in files {
        let (rows, columns) = (file.table.rows.len().to_string(), file.table.heading.join(" "));
        table.row([file.file(), file.table.title.clone(), rows, columns]);
    }
    DataFile::new(INDEX, table)
}

impl Report<'_> {
    /// All files of data, and their list.
    #[must_use]
    pub fn data(&self) -> Vec<DataFile> {
        let mut files =
            vec![DataFile::new("figures", self.figures_data()), DataFile::new("sentences", self.sentences())];
        files.extend(self.measured.findings.iter().flat_map(|found| found.files()));
        files.retain(|file| !file.table.rows.is_empty());
        files.insert(0, index(&files));
        files
    }

    /// Every published figure beside ours.
    fn figures_data(&self) -> Table {
        let heading = [
            "study",
            "table",
            "row",
            "column",
            "unit",
            "published",
            "ours",
            "library_of_that_time",
            "library",
            "verdict",
            "why",
            "fit",
            "counted_with",
        ];
        let mut table = Table::new("Every published figure beside ours, in its unit, with its verdict", &heading);
        for judged in &self.studies {
            judged.figures().for_each(|(figure, verdict)| table.row(row(judged.study, figure, verdict)));
        }
        table
    }

    /// Every claim with all its judgements.
    fn sentences(&self) -> Table {
        let heading = [
            "study",
            "place",
            "claim",
            "text",
            "paper_had",
            "by_paper",
            "by_paper_so",
            "by_paper_of",
            "by_ours",
            "by_ours_so",
            "by_ours_of",
            "by_ours_ties",
            "by_pairs",
            "verdict",
            "rests_on",
            "beside_the_sentence",
            "values_and_remarks",
        ];
        let mut table = Table::new("What the papers say, claim by claim, with all judgements", &heading);
        for judged in &self.studies {
            judged.claims.iter().for_each(|claim| table.row(claim.data(judged.study)));
        }
        table
    }
}

fn row(study: &Study, figure: &Published, verdict: &Verdict) -> [String; 13] {
    let library = verdict.library.as_ref();
    [
        study.name.clone(),
        figure.table.clone(),
        figure.row.clone(),
        figure.column.clone(),
        figure.unit.clone(),
        figure.value.to_string(),
        or_dash(verdict.ours),
        or_dash(library.map(|library| library.value)),
        library.map_or_else(String::new, |library| library.engine.clone()),
        verdict.outcome.name().into(),
        verdict.why.clone(),
        figure.fit.clone(),
        figure.counted.to_string(),
    ]
}

impl JudgedClaim<'_> {
    fn data(&self, study: &Study) -> [String; 17] {
        let [paper, ours] = [&self.by_paper, &self.by_run];
        let count = |judgement: &Judgement, of: fn(&Judgement) -> usize| {
            or_dash(judgement.outcome.is_comparable().then(|| of(judgement)))
        };
        let pairs: Vec<String> = self.by_pairs.iter().map(|pair| pair.verdict()).collect();
        let rests_on = if self.verdict.is_comparable() { self.support.name() } else { "" };
        [
            study.name.clone(),
            self.claim.place.clone(),
            self.claim.id.clone(),
            self.claim.text.clone(),
            self.claim.had.clone(),
            paper.outcome.name().into(),
            count(paper, |one| one.so),
            count(paper, |one| one.of),
            ours.outcome.name().into(),
            count(ours, |one| one.so),
            count(ours, |one| one.of),
            count(ours, |one| one.ties),
            pairs.join("; "),
            self.verdict.name().into(),
            rests_on.into(),
            self.claim.beside.to_string(),
            self.remarks(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_numbers_and_words_is_a_fault() {
        let mut table = Table::new("Lengths", &["message", "octets", "Octets", "octets"]);
        table.row(["2014".into(), "41".into(), "1".into(), "–".into()]);
        table.row(["cam".into(), "41 [40-42]".into(), "2".into(), "5".into()]);
        let faults = DataFile::new("x", table).faults();
        assert_eq!(
            faults,
            [
                "x.csv: `Octets` is not a name",
                "x.csv: `octets` is there twice",
                "x.csv: `octets` has numbers and `41 [40-42]`"
            ]
        );
    }
}
