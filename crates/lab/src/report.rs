//! Tables, made from records and from nothing else.

mod cells;
mod page;
mod published;
pub mod table;
mod times;

use crate::certificates::Certificates;
use crate::corpus::Corpus;
use crate::record::Record;
use crate::study::Study;
use table::Table;

/// Everything that a run has to show.
pub struct Report<'a> {
    /// The studies that were run.
    pub studies: &'a [Study],
    /// What was measured.
    pub records: &'a [Record],
    /// Recorded traffic, if any was read.
    pub corpus: Option<&'a Corpus>,
    /// The certificate study, if it was run.
    pub certificates: Option<&'a Certificates>,
}

impl Report<'_> {
    /// For a terminal: aligned text; tables of which nothing is measured take one line.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for study in self.studies {
            text += &format!("{}: {}\n{}\n\n", study.name, study.title, study.citation);
            for published in published::tables(study, self.records, self.certificates) {
                if published.measured == 0 {
                    text += &format!(
                        "Table {}: {} figures, not yet measured ({})\n\n",
                        published.id,
                        published.table.rows.len(),
                        published.reason
                    );
                } else {
                    text += &published.table.plain();
                }
            }
            text += &format!("{}\n\n", published::count(study, self.records, self.certificates));
            for table in self.exchanged(study) {
                text += &table.plain();
            }
        }
        for table in cells::tables(self.records) {
            text += &table.plain();
        }
        if let Some(corpus) = self.corpus {
            for table in corpus.tables() {
                text += &table.plain();
            }
        }
        text
    }

    /// The whole report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from("# Encoding studies, run again\n\n");
        let run = self.records.first().map(|record| &record.run).or(self.certificates.map(|study| &study.run));
        if let Some(run) = run {
            text += &format!(
                "roadwire {}, {}, method {}{}, seed {}.\n\n{}\n\n",
                run.roadwire,
                run.started,
                run.method.name(),
                if run.quick { ", quick" } else { "" },
                run.seed,
                run.machine.line()
            );
        }
        text += "How it is measured: METHODOLOGY.md. Who measures whom: BIAS.md.\n\n";
        for study in self.studies {
            text += &format!("## {}\n\n{}. {}\n\n", study.name, study.title, study.citation);
            text += &format!("{}\n\n", published::count(study, self.records, self.certificates));
            for published in published::tables(study, self.records, self.certificates) {
                text += &published.table.markdown();
            }
            for table in self.exchanged(study) {
                text += &table.markdown();
            }
            for (name, _) in self.study_figures(study) {
                text += &format!("![{name}]({name})\n\n");
            }
            text += study.analysis;
            text += "\n";
        }
        if !self.records.is_empty() {
            text += "## Our measurements\n\n";
            for table in cells::tables(self.records) {
                text += &table.markdown();
            }
        }
        if let Some(corpus) = self.corpus {
            text += "## Recorded traffic\n\n";
            for table in corpus.tables() {
                text += &table.markdown();
            }
        }
        text
    }

    /// The certificate study's own tables, where `study` is that one.
    fn exchanged(&self, study: &Study) -> Vec<Table> {
        match self.certificates {
            Some(certificates) if study.exchange.is_some() => certificates.tables(),
            _ => Vec::new(),
        }
    }

    /// The report as one page of HTML with its figures in it.
    pub fn html(&self, files: &[String]) -> String {
        page::html(&self.markdown(), &self.figures(), files)
    }

    /// The figures as SVG, with the names of their files.
    pub fn figures(&self) -> Vec<(String, String)> {
        self.studies.iter().flat_map(|study| self.study_figures(study)).collect()
    }

    fn study_figures(&self, study: &Study) -> Vec<(String, String)> {
        match self.certificates {
            Some(certificates) if study.exchange.is_some() => certificates.figures(),
            _ => times::figures(study, self.records),
        }
    }

    /// JSON lines: the records as they are, then a verdict for each published figure, then the certificates and the corpus.
    pub fn json(&self, records: &str) -> String {
        let mut text = records.to_string();
        for study in self.studies {
            for figure in &study.published {
                let verdict = crate::verdict::judge(figure, self.records, self.certificates);
                let line = serde_json::json!({
                    "study": study.name,
                    "table": figure.table,
                    "row": figure.row,
                    "column": figure.column,
                    "unit": figure.unit,
                    "published": figure.value,
                    "ours": verdict.ours(),
                    "verdict": verdict.name(),
                    "why": verdict.why(),
                });
                text += &format!("{line}\n");
            }
        }
        if let Some(certificates) = self.certificates {
            text += &format!("{}\n", serde_json::json!({ "certificates": certificates }));
        }
        if let Some(corpus) = self.corpus {
            text += &format!("{}\n", serde_json::json!({ "corpus": corpus }));
        }
        text
    }

    /// The tables as CSV, with the names of their files.
    pub fn csv(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for study in self.studies {
            let mut all: Option<Table> = None;
            for published in published::tables(study, self.records, self.certificates) {
                let mut table = published.table;
                table.heading.insert(0, "table".into());
                for row in &mut table.rows {
                    row.insert(0, published.id.clone());
                }
                match &mut all {
                    None => all = Some(table),
                    Some(all) => all.rows.append(&mut table.rows),
                }
            }
            if let Some(table) = all {
                files.push((format!("{}.csv", study.name), table.csv()));
            }
        }
        if let Some(cells) = cells::tables(self.records).first() {
            files.push(("cells.csv".into(), cells.csv()));
        }
        if let Some(certificates) = self.certificates {
            files.push(("certificates-records.csv".into(), certificates.samples().csv()));
        }
        files
    }
}

/// A figure without needless decimals.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        v if v.fract() == 0.0 && v < 1e15 => 0,
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 0.1 => 2,
        _ => 4,
    };
    format!("{value:.digits$}")
}

/// A figure with so many digits that count, and none that do not.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let decimals = (digits - 1 - value.abs().log10().floor() as i32).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A figure or a dash.
pub(crate) fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".into(), |v| v.to_string())
}
