//! Tables, made only from records.

mod analysis;
mod averages;
pub(crate) mod cells;
mod choice;
pub mod data;
mod example;
pub(crate) mod folder;
mod machines;
pub mod needs;
pub mod page;
mod published;
pub mod results;
pub mod summary;
pub mod table;
mod terminal;
mod times;

use crate::claims;
use crate::corpus::Corpus;
use crate::experiment::Findings;
use crate::measured::Measured;
use crate::noise::Noise;
use crate::properties;
use crate::ranking;
use crate::record;
use crate::study::Study;
use crate::verdict::Judged;
use roadwire_measure::plot::Plot;
use table::Table;

/// All results of a run.
pub struct Report<'a> {
    /// The studies that were run, with judgements.
    pub studies: Vec<Judged<'a>>,
    /// The measurements.
    pub measured: Measured<'a>,
    /// Recorded traffic, if any was read.
    pub corpus: Option<&'a Corpus>,
}

/// How much of its tables a form of the report has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All, with reasons and values.
    Whole,
    /// Those that the text refers to; the files of data have the rest.
    Brief,
    /// All but the claims, which the page lists by itself.
    WithoutClaims,
}

/// A drawing.
pub struct Figure<'a> {
    /// The study's name; of the report's first one, none.
    pub study: &'a str,
    /// The file's name.
    pub name: String,
    /// The drawing.
    pub plot: Plot,
}

impl<'a> Report<'a> {
    /// Judges the studies, once for all forms of the report.
    #[must_use]
    pub fn new(studies: &'a [Study], measured: Measured<'a>, corpus: Option<&'a Corpus>) -> Self {
        Report { studies: studies.iter().map(|study| Judged::of(study, measured)).collect(), measured, corpus }
    }

    /// For a terminal: the summary; of studies without sentences and messages, how many figures
    /// have which verdict.
    pub fn first(&self) -> String {
        let text = self.summary().plain();
        let counts = || self.studies.iter().map(|judged| terminal::wrapped(&published::count(judged), 0)).collect();
        if text.is_empty() { counts() } else { text }
    }

    /// For a terminal: all tables as aligned text; tables without measured values take one line.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        for judged in &self.studies {
            let study = judged.study;
            text += &format!("{}: {}\n{}\n\n", study.name, study.title, study.citation);
            for published in published::tables(judged, self.measured.records) {
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
            text += &published::count(judged);
            for table in self.own(judged, Extent::Whole) {
                text += &table.plain();
            }
        }
        for table in cells::tables(self.measured.records) {
            text += &table.plain();
        }
        for table in machines::tables(self.measured) {
            text += &table.plain();
        }
        if let Some(corpus) = self.corpus {
            for table in corpus.tables() {
                text += &table.plain();
            }
        }
        text
    }

    /// The whole report as Markdown, which refers to the figures.
    pub fn markdown(&self, figures: &[Figure<'_>]) -> String {
        let mut text = String::from("# Encoding studies, run again\n\n");
        if let Some(run) = self.measured.run() {
            text += &format!("{}\n\n{}\n\n", run.line(), run.machine.line());
        }
        text += &choice::chapter(self.measured).unwrap_or_default();
        text += "How it is measured: METHODOLOGY.md. Who measures whom: BIAS.md.\n\n";
        for judged in &self.studies {
            let study = judged.study;
            text += &format!("## {}\n\n{}. {}\n\n", study.name, study.title, study.citation);
            if !study.used.is_empty() {
                text += &format!("### What the paper used, and what is used here\n\n{}\n\n", study.used.trim());
            }
            text += &published::count(judged);
            for published in published::tables(judged, self.measured.records) {
                text += &published.brief().markdown();
            }
            for table in self.own(judged, Extent::Brief) {
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
            for table in cells::brief(self.measured.records).into_iter().chain(machines::tables(self.measured)) {
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

    /// A study's tables besides those of published figures: fits, claims, and tables that only this
    /// study has.
    fn own(&self, judged: &Judged<'_>, extent: Extent) -> Vec<Table> {
        let study = judged.study;
        let claims = match extent {
            _ if judged.claims.is_empty() => None,
            Extent::Whole => Some(claims::table(&judged.claims, &judged.tally, Noise::of(self.measured))),
            Extent::Brief => Some(claims::brief(&judged.claims, &judged.tally)),
            Extent::WithoutClaims => None,
        };
        let fits = (!study.fits.is_empty()).then(|| published::fits(study));
        let properties = (!study.properties.is_empty()).then(|| properties::table(&study.properties));
        let averages = study.averages.as_ref().map(|asked| averages::table(asked, &study.rules, self.measured));
        let found = match extent {
            Extent::Whole | Extent::WithoutClaims => Findings::tables,
            Extent::Brief => Findings::headline,
        };
        let rest = self.found(study).map(found).unwrap_or_default();
        let rankings = ranking::table(&ranking::rankings(judged));
        fits.into_iter().chain(rankings).chain(claims).chain(averages).chain(properties).chain(rest).collect()
    }

    /// The findings of the study's experiment.
    fn found(&self, study: &Study) -> Option<&dyn Findings> {
        self.measured.findings(&study.experiment).filter(|found| found.records().is_empty())
    }

    /// The figures of all studies.
    pub fn figures(&self) -> Vec<Figure<'_>> {
        let first = choice::picture(self.measured.records);
        let mut figures: Vec<Figure<'_>> = first
            .map(|plot| Figure { study: "", name: choice::PICTURE.into(), plot: plot.into() })
            .into_iter()
            .collect();
        for study in self.studies.iter().map(|judged| judged.study) {
            let drawn = match self.found(study) {
                Some(found) => found.pictures(&|place| study.printed_at(place)),
                None => times::figures(study, self.measured),
            };
            figures.extend(drawn.into_iter().map(|(name, plot)| Figure { study: &study.name, name, plot }));
        }
        figures
    }

    /// JSON lines: the records as they are, those of emulated processors after them, then a verdict
    /// for each published figure and the judgements of each claim, then what experiments found, and
    /// the corpus.
    ///
    /// # Errors
    /// A number has no JSON.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        for found in self.measured.findings.iter().filter(|found| !found.records().is_empty()) {
            text += &found.json_lines()?;
        }
        text += &record::to_lines(self.measured.emulated)?;
        for judged in &self.studies {
            for (figure, verdict) in judged.figures() {
                let line = serde_json::json!({
                    "study": judged.study.name,
                    "table": figure.table,
                    "row": figure.row,
                    "column": figure.column,
                    "unit": figure.unit,
                    "published": figure.value,
                    "ours": verdict.ours,
                    "verdict": verdict.outcome.name(),
                    "why": verdict.why,
                    "fit": figure.fit,
                    "counted": figure.counted.to_string(),
                });
                text += &format!("{line}\n");
            }
            for one in &judged.claims {
                let mut line = one.json();
                line["study"] = judged.study.name.clone().into();
                text += &format!("{line}\n");
            }
        }
        for found in self.measured.findings.iter().filter(|found| found.records().is_empty()) {
            text += &found.json_lines()?;
        }
        if let Some(corpus) = self.corpus {
            text += &format!("{}\n", serde_json::json!({ "corpus": corpus }));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::formula::{Formula, Sets};
    use crate::claims::{self, Claims};
    use crate::record::sample::record;
    use crate::study::{Published, PublishedTable};
    use crate::verdict::Outcome;
    use roadwire_peers::Kind;

    /// A change in the verdicts and judgements shows in every form: no form judges again.
    #[test]
    fn every_form_has_the_verdicts_that_were_made_once() {
        let ours = Some(Formula::parse("octets:cam-mandatory", &Sets::new()).unwrap());
        let claim = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['octets:cam-mandatory', '42']";
        let study = Study {
            tables: vec![PublishedTable { id: String::new(), title: "Lengths".into() }],
            claims: Claims::read(claim).unwrap(),
            ..Study::sample(vec![Published { ours, value: 41.0, ..Published::default() }])
        };
        let (studies, records) = ([study], [record(Kind::Toed, 41)]);
        let measured = Measured { records: &records, ..Measured::default() };
        let mut report = Report::new(&studies, measured, None);
        let forms = |report: &Report<'_>| {
            let csv = report.data()[1].table.csv();
            [report.plain(), report.markdown(&[]), report.json().unwrap(), csv]
        };
        for form in forms(&report) {
            assert!(form.contains("reproduced") && !form.contains("from elsewhere"), "{form}");
        }
        let verdict = &mut report.studies[0].verdicts[0];
        (verdict.outcome, verdict.why) = (Outcome::Differs, "from elsewhere".into());
        report.studies[0].claims[0].by_run.outcome = claims::Outcome::NotComparable("nobody knows".into());
        for (at, form) in forms(&report).iter().enumerate() {
            // The text is without reasons, which the data have.
            assert!(form.contains("differs") && (at == 1 || form.contains("from elsewhere")), "{form}");
            // The CSV is of figures alone.
            assert!(form.to_lowercase().contains("nobody knows") || [1, 3].contains(&at), "{form}");
        }
    }
    #[test]
    fn records_of_emulated_processors_are_lines_of_json() {
        let mut emulated = record(Kind::Toed, 41);
        emulated.run.machine.cpu = "a Geode, emulated".into();
        emulated.instructions = Some(1234);
        let (studies, emulated) = ([], [emulated]);
        let measured = Measured { emulated: &emulated, ..Measured::default() };
        let json = Report::new(&studies, measured, None).json().unwrap();
        let lines: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [line] = &lines[..] else { panic!("{json}") };
        assert_eq!(
            (&line["run"]["machine"]["cpu"], &line["instructions"]),
            (&"a Geode, emulated".into(), &1234.into())
        );
    }
}
