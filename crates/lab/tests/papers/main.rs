//! The papers themselves: every figure of their tables is in `studies/*/published.csv` as printed,
//! and every sentence of their results in `studies/*/sentences.csv`. Their texts are not part of
//! the project; read here is the text of a PDF, each in its own layout.

#[path = "../../../source/tests/support/shared.rs"]
mod shared;
mod tables;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use tables::{listing, tables_of_2014, tables_of_2015, tables_of_certificates, tables_of_ieee1609};
use text::{Paper, clean, ends, is_in, marked, narrow, numbers};

/// A study, with the way to read its paper.
struct Study {
    name: &'static str,
    title: &'static str,
    /// How many figures its tables print.
    figures: usize,
    /// How many figures it prints elsewhere: in its running text, on the axes of its drawings, in
    /// its listing.
    others: usize,
    read: fn(&str) -> Paper,
    tables: fn(&Paper) -> Figures,
    /// The abstract, the results and the conclusion: each of their sentences has its row.
    results: &'static [&'static str],
}

const STUDIES: [Study; 4] = [
    Study {
        name: "etsi-2014",
        title: "Performance Comparision of Encoding Schemes for ETSI ITS C2X Communication Systems",
        figures: 86,
        others: 18,
        read: narrow,
        tables: tables_of_2014,
        results: &["Abstract", "V", "VI"],
    },
    Study {
        name: "etsi-2015",
        title: "Performance Comparison of Data Serialization Schemes for ETSI ITS Car-to-X Communication Systems",
        figures: 157,
        others: 22,
        read: marked,
        tables: tables_of_2015,
        results: &["Abstract", "V", "VI"],
    },
    Study {
        name: "certificates",
        title: "ASN.1 specification for ETSI certificates and encoding performance study",
        figures: 110,
        others: 66,
        read: marked,
        tables: tables_of_certificates,
        results: &["Abstract", "V", "VI"],
    },
    Study {
        name: "ieee1609",
        title: "Performance Analysis of Existing 1609.2 Encodings v ASN.1",
        figures: 246,
        others: 21,
        read: marked,
        tables: tables_of_ieee1609,
        results: &["Abstract", "Results Summary", "Conclusion"],
    },
];

#[test]
fn every_figure_of_the_tables_is_as_printed() {
    assert_eq!(STUDIES.iter().map(|study| study.figures).sum::<usize>(), 599);
    for (study, papers) in papers() {
        let published = published(study);
        let is_table = |table: &str| table != "text" && !table.starts_with("Figure ") && table != "Listing 1";
        let ours: Figures = published.iter().filter(|row| is_table(&row.key.0)).map(Row::figure).collect();
        assert_eq!(ours.len(), study.figures, "{}", study.name);
        // Each extraction of a paper for which there are two.
        for paper in &papers {
            agree(study, &(study.tables)(paper), &ours);
        }
        assert_eq!(published.len() - ours.len(), study.others, "{}: figures outside the tables", study.name);
    }
}

#[test]
fn every_other_figure_is_as_printed() {
    for (study, papers) in papers() {
        let paper = &papers[0];
        let published = published(study);
        for Row { key: (table, row, column), value, section } in &published {
            let printed = match table.as_str() {
                // It is somewhere in its section; another figure with the same number cannot be
                // distinguished.
                "text" => numbers(&paper.section(section)),
                // The text has only the ends of a drawing's axis.
                _ if table.starts_with("Figure ") => ends(&paper.float(table).rows),
                _ => continue,
            };
            assert!(printed.contains(value), "{}: {table}, {row}, {column}: {value} is not in {section}", study.name);
        }
        let listed: Figures = published.iter().filter(|row| row.key.0 == "Listing 1").map(Row::figure).collect();
        agree(study, &listed.keys().map(|key| (key.clone(), listing(paper, key))).collect(), &listed);
    }
}

#[test]
fn every_sentence_of_the_results_has_its_row() {
    let mut faults = Vec::new();
    for (study, papers) in papers() {
        let sentences: Vec<(&str, String)> = papers[0].sentences().collect();
        let mut row_of: Vec<Option<&str>> = vec![None; sentences.len()];
        let rows = rows(study, "sentences.csv");
        let mut at = 0;
        for row in &rows {
            let begins = clean(&row["begins"]);
            let is_its = |(_, sentence): &(&str, String)| sentence.starts_with(&begins);
            // In order: a second row for the same sentence finds none.
            let Some(found) = sentences[at..].iter().position(is_its) else {
                faults.push(format!("{}: no sentence from here on begins with `{begins}`", study.name));
                continue;
            };
            at += found;
            let place = sentences[at].0;
            if !is_in(place, &row["place"]) {
                faults.push(format!("{}: `{begins}` is in {place}, not in {}", study.name, row["place"]));
            }
            row_of[at] = Some(&row["begins"]);
            at += 1;
        }
        for ((place, sentence), row) in sentences.iter().zip(row_of) {
            if row.is_none() && study.results.iter().any(|results| is_in(place, results)) {
                let begins: Vec<&str> = sentence.split(' ').take(8).collect();
                faults.push(format!("{}: {place}: `{}` has no row", study.name, begins.join(" ")));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// The studies, each with all extractions of its paper (two for that of 2015); empty without the
/// papers.
fn papers() -> Vec<(&'static Study, Vec<Paper>)> {
    let Some(folder) = shared::shared("papers") else { return Vec::new() };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let of = |study: &'static Study| {
        // Others also name it among their references.
        let head = |text: &str| text.split_whitespace().take(100).collect::<Vec<_>>().join(" ");
        let is_its = |text: &&String| head(text).contains(study.title);
        let papers: Vec<Paper> = texts.iter().filter(is_its).map(|text| (study.read)(text)).collect();
        assert!(!papers.is_empty(), "no paper of {}", study.name);
        (study, papers)
    };
    STUDIES.iter().map(of).collect()
}

/// The key for comparison: a figure's table, row and column, as in `published.csv`.
type Key = (String, String, String);
type Figures = BTreeMap<Key, f64>;

fn agree(study: &Study, printed: &Figures, ours: &Figures) {
    let name = study.name;
    let keys: BTreeSet<&Key> = printed.keys().chain(ours.keys()).collect();
    let differing = keys.into_iter().filter(|key| printed.get(key) != ours.get(key));
    let differences: Vec<String> = differing
        .map(|key| format!("{name}: {key:?}: printed {:?}, published.csv {:?}", printed.get(key), ours.get(key)))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A row of `published.csv`.
struct Row {
    key: Key,
    value: f64,
    section: String,
}

impl Row {
    fn figure(&self) -> (Key, f64) {
        (self.key.clone(), self.value)
    }
}

fn published(study: &Study) -> Vec<Row> {
    let mut seen = BTreeSet::new();
    let read = |row: BTreeMap<String, String>| {
        let key = (row["table"].clone(), row["row"].clone(), row["column"].clone());
        assert!(seen.insert(key.clone()), "{}: {key:?} stands there twice", study.name);
        let section = row["where"].split(',').next().unwrap().to_string();
        Row { key, value: row["value"].parse().unwrap(), section }
    };
    rows(study, "published.csv").into_iter().map(read).collect()
}

/// The rows of one of a study's files, by its heading.
fn rows(study: &Study, file: &str) -> Vec<BTreeMap<String, String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies").join(study.name).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.lines().map(fields);
    let heading = lines.next().unwrap();
    let row = |fields: Vec<String>| {
        assert_eq!(fields.len(), heading.len(), "{file} of {}: {fields:?}", study.name);
        heading.iter().cloned().zip(fields).collect()
    };
    lines.map(row).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut is_quoted, mut before) = (false, ' ');
    for c in line.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                // Two quotation marks within a quoted field stand for one.
                fields.last_mut().unwrap().extend((is_quoted && before == '"').then_some('"'));
            }
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
        before = c;
    }
    fields
}
