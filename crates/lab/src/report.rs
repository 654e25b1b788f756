//! Tables, made from records and from nothing else.

mod analysis;
mod cells;
pub(crate) mod folder;
mod machines;
pub mod page;
mod published;
pub mod table;
mod times;

use crate::claims;
use crate::corpus::Corpus;
use crate::study::Study;
use crate::verdict::{self, Measured};
use crate::{properties, rates};
use table::Table;

/// Everything that a run has to show.
pub struct Report<'a> {
    /// The studies that were run.
    pub studies: &'a [Study],
    /// What was measured.
    pub measured: Measured<'a>,
    /// Recorded traffic, if any was read.
    pub corpus: Option<&'a Corpus>,
}

/// A drawing.
pub struct Figure<'a> {
    /// The study's name.
    pub study: &'a str,
    /// The file's name.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

impl Report<'_> {
    /// For a terminal: aligned text; tables of which nothing is measured take one line.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for study in self.studies {
            text += &format!("{}: {}\n{}\n\n", study.name, study.title, study.citation);
            for published in published::tables(study, self.measured) {
                if published.measured == 0 {
                    text += &format!(
                        "Table {}: {} figures, none of them judged ({})\n\n",
                        published.id,
                        published.table.rows.len(),
                        published.reason
                    );
                } else {
                    text += &published.table.plain();
                }
            }
            text += &published::count(study, self.measured);
            for table in self.own(study) {
                text += &table.plain();
            }
        }
        for table in cells::tables(self.measured.records) {
            text += &table.plain();
        }
        if let Some(table) = machines::table(self.measured) {
            text += &table.plain();
        }
        if let Some(corpus) = self.corpus {
            for table in corpus.tables() {
                text += &table.plain();
            }
        }
        text
    }

    /// The whole report as Markdown, which names the figures.
    pub fn markdown(&self, figures: &[Figure<'_>]) -> String {
        let mut text = String::from("# Encoding studies, run again\n\n");
        if let Some(run) = self.measured.run() {
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
            if !study.used.is_empty() {
                text += &format!("### What the paper used, and what is used here\n\n{}\n\n", study.used.trim());
            }
            text += &published::count(study, self.measured);
            for published in published::tables(study, self.measured) {
                text += &published.table.markdown();
            }
            for table in self.own(study) {
                text += &table.markdown();
            }
            for figure in figures.iter().filter(|figure| figure.study == study.name) {
                text += &format!("![{0}]({0})\n\n", figure.name);
            }
            text += &analysis::filled(study, self.measured);
            text += "\n";
        }
        if !self.measured.records.is_empty() {
            text += "## Our measurements\n\n";
            for table in cells::tables(self.measured.records).into_iter().chain(machines::table(self.measured)) {
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

    /// A study's tables beside those of published figures: what was fitted, the claims, and what only this study has.
    fn own(&self, study: &Study) -> Vec<Table> {
        let fits = (!study.fits.is_empty()).then(|| published::fits(study));
        let claims = claims::judged(&study.claims, &study.published, self.measured);
        let claims = (!claims.is_empty()).then(|| claims::table(&claims));
        let properties = (!study.properties.is_empty()).then(|| properties::table(&study.properties));
        let averages = study.averages.as_ref().map(|asked| rates::table(asked, &study.rules, self.measured));
        let rest = match (self.measured.certificates, self.measured.secured_data) {
            (Some(certificates), _) if study.exchange.is_some() => certificates.tables(),
            (_, Some(messages)) if study.secured_data => messages.tables(),
            _ => Vec::new(),
        };
        fits.into_iter().chain(claims).chain(averages).chain(properties).chain(rest).collect()
    }

    /// The figures of all studies.
    pub fn figures(&self) -> Vec<Figure<'_>> {
        let mut figures = Vec::new();
        for study in self.studies {
            let drawn = match (self.measured.certificates, self.measured.secured_data) {
                (Some(certificates), _) if study.exchange.is_some() => certificates.figures(),
                (_, Some(messages)) if study.secured_data => messages.figures(),
                _ => times::figures(study, self.measured.records),
            };
            figures.extend(drawn.into_iter().map(|(name, svg)| Figure { study: &study.name, name, svg }));
        }
        figures
    }

    /// JSON lines: the records as they are, then a verdict for each published figure and the judgements of each claim, then the certificates and the corpus.
    pub fn json(&self, records: &str) -> String {
        let mut text = records.to_string();
        for study in self.studies {
            for figure in &study.published {
                let verdict = verdict::judge(figure, study, self.measured);
                let line = serde_json::json!({
                    "study": study.name,
                    "table": figure.table,
                    "row": figure.row,
                    "column": figure.column,
                    "unit": figure.unit,
                    "published": figure.value,
                    "ours": verdict.ours,
                    "verdict": verdict.outcome.name(),
                    "why": verdict.why,
                    "fit": figure.fit,
                    "same": figure.same,
                });
                text += &format!("{line}\n");
            }
            for one in claims::judged(&study.claims, &study.published, self.measured) {
                let line = serde_json::json!({
                    "study": study.name,
                    "claim": one.claim.id,
                    "where": one.claim.place,
                    "text": one.claim.text,
                    "by_paper": one.by_paper.json(),
                    "by_run": one.by_run.json(),
                });
                text += &format!("{line}\n");
            }
        }
        if let Some(certificates) = self.measured.certificates {
            text += &format!("{}\n", serde_json::json!({ "certificates": certificates }));
        }
        if let Some(messages) = self.measured.secured_data {
            text += &format!("{}\n", serde_json::json!({ "ieee1609": messages }));
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
            for published in published::tables(study, self.measured) {
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
        if let Some(cells) = cells::tables(self.measured.records).first() {
            files.push(("cells.csv".into(), cells.csv()));
        }
        if let Some(certificates) = self.measured.certificates {
            files.push(("certificates-records.csv".into(), certificates.samples().csv()));
        }
        if let Some(messages) = self.measured.secured_data {
            files.push(("ieee1609-records.csv".into(), messages.all().csv()));
            files.push(("ieee1609-passes.csv".into(), messages.all_passes().csv()));
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
