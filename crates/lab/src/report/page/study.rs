//! The section of a study: what we make of it, its figures, and its tables, each below its title.

use super::markup::{line, paragraphs};
use super::{anchor, drawn, first, folded};
use crate::claims;
use crate::noise::Noise;
use crate::report::published::{self, Beside};
use crate::report::{Extent, Figure, Report, analysis};
use crate::verdict::{self, Judged};
use roadwire_page::{escape, fold};

pub(super) fn section(report: &Report<'_>, judged: &Judged<'_>, figures: &[Figure<'_>]) -> String {
    let study = judged.study;
    let mut body = format!("<p>{}. {}</p>\n", line(&study.title), line(&study.citation));
    if !judged.claims.is_empty() {
        body += &first::bar(&judged.tally.verdicts);
        body += &format!(
            "<p><a href=\"#sentences\" data-paper=\"{}\">Its sentences, judged</a></p>\n",
            escape(&study.name)
        );
    }
    body += &paragraphs(&analysis::filled(study, report.measured));
    body += &drawn(figures, &study.name);
    if !study.used.is_empty() {
        let used = "<h3>What the paper used, and what is used here</h3>";
        body += &fold("", used, "", &paragraphs(study.used.trim()));
    }
    body += &paragraphs(&published::count(judged));
    for published in published::tables(judged, report.measured.records) {
        body += &folded(&published.table, &outcomes(&published));
    }
    for table in report.own(judged, Extent::WithoutClaims) {
        body += &folded(&table, "");
    }
    if !judged.claims.is_empty() {
        let notes = claims::notes(&judged.claims, &judged.tally, Noise::of(report.measured));
        let notes: String = notes.iter().map(|note| format!("<p>{}</p>\n", line(note))).collect();
        body += &fold("", "<h3>How its sentences are judged</h3>", "", &notes);
    }
    fold(&anchor(&study.name), &format!("<h2>{}</h2>", line(&study.name)), "", &body)
}

/// How many figures of a table have which verdict.
fn outcomes(published: &Beside) -> String {
    let table = &published.table;
    let Some(at) = table.heading.iter().position(|name| name == "verdict") else { return String::new() };
    let count = |name: &str| table.rows.iter().filter(|row| row[at] == name).count();
    let counts = verdict::Outcome::ALL.map(|outcome| (outcome.name(), count(outcome.name())));
    let counts: Vec<String> =
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}")).collect();
    counts.join(", ")
}
