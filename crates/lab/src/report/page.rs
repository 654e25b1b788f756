//! The report as one page: first the answers, then every sentence of the papers, and a section for
//! each study.

mod first;
mod markup;
mod sentences;
mod study;

use super::table::Table;
use super::{Figure, Report, cells, machines};
use markup::{grid, paragraphs};
use roadwire_page::{Page, escape, figure, fold};

/// The page of a report with these figures. `files` are the other files in its folder.
pub fn html(report: &Report<'_>, figures: &[Figure<'_>], files: &[String]) -> String {
    let mut sections = vec![("answers".to_string(), "Answers".to_string())];
    let summary = report.summary();
    let mut body = first::screen(report, &summary, figures);
    let mut add = |id: &str, name: &str, html: Option<String>| {
        if let Some(html) = html {
            sections.push((id.into(), name.into()));
            body += &html;
        }
    };
    add("sentences", "Sentences", sentences::section(report));
    for judged in &report.studies {
        let name = &judged.study.name;
        add(&anchor(name), name, Some(study::section(report, judged, figures)));
    }
    let tables = || cells::tables(report.measured.records).into_iter().chain(machines::tables(report.measured));
    add("measurements", "Measurements", section("measurements", "Our measurements", tables()));
    let corpus = report.corpus.map(|corpus| corpus.tables()).unwrap_or_default();
    add("traffic", "Recorded traffic", section("traffic", "Recorded traffic", corpus.into_iter()));
    add("files", "Files", Some(list(files)));
    Page { title: title(summary.papers.len()), about: about(report), sections, body }.html()
}

/// The anchor of a study's section.
fn anchor(study: &str) -> String {
    let plain = study.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '-' });
    format!("study-{}", plain.collect::<String>())
}

/// How many papers were run again.
fn title(papers: usize) -> String {
    match ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"].get(papers) {
        Some(&"No") => "Encodings of road messages, measured".into(),
        Some(&"One") => "One paper on encoding road messages, run again".into(),
        Some(count) => format!("{count} papers on encoding road messages, run again"),
        None => format!("{papers} papers on encoding road messages, run again"),
    }
}

fn about(report: &Report<'_>) -> String {
    let run = report.measured.run().map(|run| format!("{}\n\n{}\n\n", run.line(), run.machine.line()));
    let sources = "roadwire's METHODOLOGY.md says how it is measured, and its BIAS.md who measures whom and what speaks against us.";
    paragraphs(&(run.unwrap_or_default() + sources))
}

/// A section of tables; `None` without tables.
fn section(id: &str, title: &str, tables: impl Iterator<Item = Table>) -> Option<String> {
    let tables: String = tables.map(|table| folded(&table, "")).collect();
    (!tables.is_empty()).then(|| fold(id, &format!("<h2>{title}</h2>"), "", &tables))
}

/// A table below its title, which opens it; `beside` is HTML after the title.
fn folded(table: &Table, beside: &str) -> String {
    let count = match table.rows.len() {
        1 => "1 row".into(),
        rows => format!("{rows} rows"),
    };
    let beside = if beside.is_empty() { &count } else { beside };
    let summary = format!("<h3>{}</h3>", markup::line(&table.title));
    fold("", &summary, &format!("<span class=\"soft\">{beside}</span>"), &grid(table))
}

/// The drawings of a study; those of the first screen have no study.
fn drawn(figures: &[Figure<'_>], study: &str) -> String {
    figures.iter().filter(|one| one.study == study).map(|one| figure(&one.plot, &one.name)).collect()
}

fn list(files: &[String]) -> String {
    let item = |file: &String| format!("<li><a href=\"{0}\">{0}</a></li>\n", escape(file));
    let items: String = files.iter().map(item).collect();
    fold("files", "<h2>Files beside this page</h2>", "", &format!("<ul>\n{items}</ul>"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Measured;
    use crate::record::Record;
    use crate::record::sample::record;
    use crate::study::{self, Study};
    use roadwire_layout::Rules;
    use roadwire_measure::cell::Direction;
    use roadwire_measure::stats::summarise;
    use roadwire_peers::Kind;

    fn page(studies: &[Study]) -> String {
        let one = |rules, octets| {
            Direction::ALL.map(|direction| Record {
                message: "cam-mandatory".into(),
                rules,
                direction,
                cpu_ns: summarise(&[octets as f64]),
                ..record(Kind::Toed, octets)
            })
        };
        let records = [one(Rules::Uper, 41), one(Rules::Der, 131)].concat();
        let report = Report::new(studies, Measured { records: &records, ..Measured::default() }, None);
        html(&report, &report.figures(), &["report.md".into(), "a&b.csv".into()])
    }

    /// The texts between a beginning and an end.
    fn between<'t>(text: &'t str, begin: &'t str, end: &'t str) -> Vec<&'t str> {
        text.split(begin).skip(1).filter_map(|rest| rest.split(end).next()).collect()
    }

    #[test]
    fn every_link_has_its_place() {
        let page = page(&study::all().unwrap());
        let ids = between(&page, " id=\"", "\"");
        let links = between(&page, "href=\"#", "\"");
        assert!(links.len() > 10, "{links:?}");
        for link in links {
            assert_eq!(ids.iter().filter(|id| **id == link).count(), 1, "{link}");
        }
        assert!(page.contains("<a href=\"report.md\">report.md</a>") && page.contains("<a href=\"a&amp;b.csv\">"));
    }

    #[test]
    fn the_page_begins_with_answers_and_not_with_tables() {
        let page = page(&study::all().unwrap());
        let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}"));
        assert!(page.contains("papers on encoding road messages, run again</h1>"));
        assert!(at("Which encoding should I take?") < at("How far do the papers hold?"));
        assert!(at("How far do the papers hold?") < at("<table"));
        assert!(at("id=\"sentences\"") < at("id=\"study-etsi-2015\""));
    }

    #[test]
    fn each_sentence_of_a_study_is_in_one_filter() {
        let studies = study::all().unwrap();
        let claims: usize = studies.iter().map(|study| study.claims.claims.len()).sum();
        let page = page(&studies);
        assert_eq!(page.matches("<details class=\"claim\"").count(), claims);
        let counts = between(&page, "aria-pressed=\"false\" value=\"", "</button>");
        let number = |text: &str| text.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
        let by_verdict = counts.iter().filter(|one| one.starts_with(|first: char| first.is_ascii_digit()));
        assert_eq!(by_verdict.map(|one| number(one)).sum::<usize>(), claims);
    }

    #[test]
    fn a_study_of_ones_own_needs_no_paper() {
        let page = page(&[Study { name: "my <study>".into(), ..Study::sample(Vec::new()) }]);
        assert!(page.contains("id=\"study-my--study-\"") && page.contains("my &lt;study&gt;"), "{page}");
        assert!(!page.contains("How far do the papers hold?") && !page.contains("id=\"sentences\""));
    }
}
