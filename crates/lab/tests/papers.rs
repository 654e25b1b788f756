//! The papers themselves: every figure of their tables stands in `studies/*/published.csv` as printed, and every sentence of their results in `studies/*/sentences.csv`.
//! Their texts are no part of the project; what is read here is the text of a PDF, each in its own layout.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A study, and how its paper is read.
struct Study {
    name: &'static str,
    title: &'static str,
    /// How many figures its tables print.
    figures: usize,
    /// How many figures it prints elsewhere: in its running text, on the axes of its drawings, in its listing.
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
        // Each extraction of a paper that is there twice.
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
                // It is somewhere in its section: that its neighbour has the same number cannot be told.
                "text" => numbers(&paper.section(section)),
                // The ends of its axis are what a drawing has in the text.
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
            // In order: a second row of one sentence finds none.
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

/// The studies, each with its paper as every extraction has it (that of 2015 is there twice); nothing without the papers.
fn papers() -> Vec<(&'static Study, Vec<Paper>)> {
    let Some(folder) = shared::shared("papers") else { return Vec::new() };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let of = |study: &'static Study| {
        // Others name it, too, among their references.
        let head = |text: &str| text.split_whitespace().take(100).collect::<Vec<_>>().join(" ");
        let is_its = |text: &&String| head(text).contains(study.title);
        let papers: Vec<Paper> = texts.iter().filter(is_its).map(|text| (study.read)(text)).collect();
        assert!(!papers.is_empty(), "no paper of {}", study.name);
        (study, papers)
    };
    STUDIES.iter().map(of).collect()
}

/// What is compared: a figure's table, row and column, as `published.csv` names them.
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
                // Two marks within a quoted field are one of its text.
                fields.last_mut().unwrap().extend((is_quoted && before == '"').then_some('"'));
            }
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
        before = c;
    }
    fields
}

/// A paper: its paragraphs, and its tables, figures and listings.
#[derive(Default)]
struct Paper {
    section: String,
    subsection: String,
    paragraphs: Vec<Paragraph>,
    floats: Vec<Float>,
}

struct Paragraph {
    place: String,
    text: String,
}

/// A table, a figure or a listing; its name is `IV`, `Figure 1` or `Listing 1`, or none where its caption comes after it.
struct Float {
    name: String,
    rows: Vec<Vec<String>>,
}

impl Paper {
    fn place(&self) -> String {
        format!("{}{}", self.section, self.subsection)
    }

    /// Another paragraph, or more of the last one.
    fn push(&mut self, text: &str) {
        let (place, text) = (self.place(), clean(text));
        if text.is_empty() {
            return;
        }
        let goes_on = |last: &str| match text.chars().next() {
            Some('(') => last.ends_with(':'),
            Some(first) if first.is_ascii_digit() => !last.ends_with(['.', ':']),
            first => first.is_some_and(char::is_lowercase),
        };
        match self.paragraphs.last_mut() {
            // A page or a figure may come between.
            Some(last) if last.place == place && goes_on(&last.text) => last.text += &format!(" {text}"),
            _ => self.paragraphs.push(Paragraph { place, text }),
        }
    }

    /// A heading: `IV. TARGET PLATFORMS`, `A. Hardware`, or words.
    fn heading(&mut self, text: &str) {
        match text.split_once('.') {
            Some((number, _)) if number.chars().all(|c| "IVX".contains(c)) => {
                (self.section, self.subsection) = (number.into(), String::new());
            }
            Some((letter, _)) if letter.len() == 1 => self.subsection = format!("-{letter}"),
            _ => (self.section, self.subsection) = (text.into(), String::new()),
        }
    }

    fn float(&self, name: &str) -> &Float {
        self.floats.iter().find(|float| float.name == name).unwrap_or_else(|| panic!("{name} is not there"))
    }

    /// The text of a section, its subsections included.
    fn section(&self, section: &str) -> String {
        let texts = self.paragraphs.iter().filter(|paragraph| is_in(&paragraph.place, section));
        texts.map(|paragraph| format!("{}\n", paragraph.text)).collect()
    }

    /// The sentences, each with its place.
    fn sentences(&self) -> impl Iterator<Item = (&str, String)> {
        self.paragraphs.iter().flat_map(|paragraph| {
            sentences(&paragraph.text).into_iter().map(|sentence| (paragraph.place.as_str(), sentence))
        })
    }
}

/// `V-C1` is in `V-C` and in `V`; a heading may be named by a part of it.
fn is_in(place: &str, section: &str) -> bool {
    let (place, section) = (place.to_lowercase(), section.to_lowercase());
    let is_part = place.strip_prefix(&section).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    is_part || section.contains(' ') && place.contains(&section)
}

/// Without ligatures, and without the marks (Markdown, LaTeX, footnotes) that an extraction leaves.
fn clean(text: &str) -> String {
    let text = text.replace('ﬁ', "fi").replace('ﬂ', "fl").replace('ﬀ', "ff").replace('’', "'");
    // A number that an extraction lost, with the end of its sentence.
    let text = text.replace(" in Table We pick", " in Table 5. We pick");
    text.chars().filter(|c| !"*`$\\{}¹²".contains(*c)).collect::<String>().trim().into()
}

/// Where a sentence ends: at a full stop that no abbreviation has, before a capital letter, a number or a bracket.
fn sentences(text: &str) -> Vec<String> {
    const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "w.r.t.", "al.", "vs.", "cf."];
    let mut sentences = vec![String::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let sentence = sentences.last_mut().unwrap();
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let is_end = word.ends_with('.') && !ABBREVIATIONS.contains(&word.trim_start_matches('('));
        let begins = words.peek().is_some_and(|next| !next.starts_with(char::is_lowercase));
        if is_end && begins {
            sentences.push(String::new());
        }
    }
    sentences
}

/// All numbers of a text, those in words as well.
fn numbers(text: &str) -> Vec<f64> {
    const WORDS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let number = |text: &str| -> Option<f64> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len());
        text[..end].trim_end_matches(['.', ',']).replace(',', "").parse().ok()
    };
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        if let Some((_, exponent)) = word.split_once("10^") {
            numbers.extend(format!("1e{}", exponent.trim_end_matches([',', '.'])).parse::<f64>().ok());
        }
        if let Some((above, below)) = word.split_once('/') {
            numbers.extend(number(above).zip(number(below)).map(|(above, below)| above / below));
        }
        for part in word.split(['-', '–', '(', ')', '[', ']', '/']).map(str::to_lowercase) {
            let word = part.trim_end_matches([',', '.', ';']);
            let in_words = WORDS.iter().position(|name| *name == word).map(|value| value as f64);
            numbers.extend(number(&part).or(in_words).or((word == "quad").then_some(4.0)));
        }
    }
    numbers
}

/// The least and the greatest number of an axis.
fn ends(rows: &[Vec<String>]) -> Vec<f64> {
    let mut marks: Vec<f64> = rows.iter().filter_map(|row| row[0].trim().parse().ok()).collect();
    marks.sort_by(f64::total_cmp);
    vec![marks[0], marks[marks.len() - 1]]
}

/// What a caption is of: the name of a table, figure or listing.
fn caption(line: &str) -> Option<String> {
    let (kind, rest) = line.trim().split_once(' ')?;
    let (name, after) = rest.split_once(['.', ':'])?;
    let is_caption = kind == "TABLE" || after.is_empty() || after.starts_with(' ');
    match kind {
        _ if !is_caption || name.contains(' ') => None,
        "TABLE" | "Table" => Some(name.into()),
        "Figure" | "Listing" | "Algorithm" => Some(format!("{kind} {name}")),
        "Fig." => Some(format!("Figure {name}")),
        _ => None,
    }
}

/// A paper ends with its thanks or its references.
fn is_end(line: &str) -> bool {
    ["ACKNOWLEDGMENT", "REFERENCES", "References"].contains(&line)
}

/// The paper of 2014: two columns, whose lines are printed lines, with hyphens; a table's cells come one by one.
fn narrow(text: &str) -> Paper {
    let mut paper = Paper::default();
    let mut prose = String::new();
    let lines: Vec<&str> = text.lines().take_while(|line| !is_end(line)).collect();
    let footer = |at: usize| {
        let line = lines[at];
        let is_next = lines.get(at + 1).is_some_and(|next| next.starts_with("Copyright (c)"));
        is_next || line.is_empty() || line.starts_with("Copyright (c)") || line.starts_with("VEHICULAR 2014 :")
    };
    let mut lines = (0..lines.len()).filter(|at| !footer(*at)).map(|at| lines[at]).peekable();
    let is_capital = |line: &&str| !line.contains(char::is_lowercase);
    while let Some(line) = lines.next() {
        let is_number = line.strip_suffix('.').is_some_and(|name| name.chars().all(|c| "IVX".contains(c)));
        let is_letter = line.get(1..3) == Some(". ") && line.starts_with(|c: char| c.is_ascii_uppercase());
        if line.starts_with("TABLE ") {
            let mut rows = Vec::new();
            while let Some(cell) = lines.next_if(|next| is_capital(next) || next.len() < 30) {
                rows.push(vec![clean(cell)]);
            }
            paper.floats.push(Float { name: caption(line).unwrap(), rows });
        } else if line.starts_with(' ') {
            // A figure begins with the numbers of its axis.
            let mut rows = vec![vec![clean(line)]];
            while let Some(next) = lines.next_if(|_| !rows.last().unwrap()[0].ends_with("processor.")) {
                rows.push(vec![clean(next)]);
            }
            let name = rows.iter().find_map(|row| caption(&row[0])).unwrap();
            paper.floats.push(Float { name, rows });
        } else if is_number || is_letter {
            paper.push(&std::mem::take(&mut prose));
            paper.heading(line);
            while is_number && lines.next_if(is_capital).is_some() {}
        } else if let Some(first) = line.strip_prefix("Abstract—") {
            paper.heading("Abstract");
            prose = first.into();
        } else if line.starts_with("Keywords-") {
            paper.push(&std::mem::take(&mut prose));
            paper.heading("Keywords");
        } else if prose.ends_with('-') {
            // A word that is broken, or two that are one.
            let is_broken = line.starts_with(char::is_lowercase);
            prose.truncate(prose.len() - usize::from(is_broken));
            prose += line;
        } else {
            prose += &format!(" {line}");
        }
    }
    paper.push(&prose);
    paper
}

/// The other papers: a line is a paragraph, or nearly; a table's row is a line, with `|` or tabs between its cells.
fn marked(text: &str) -> Paper {
    let mut paper = Paper::default();
    // What rows belong to, until there is text again.
    let mut open = None;
    let mut is_code = false;
    let mut lines = text.lines().take_while(|line| !is_end(line)).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            is_code = !is_code;
        } else if let Some(name) = caption(line).filter(|_| !is_code) {
            open = Some(paper.floats.len());
            paper.floats.push(Float { name, rows: Vec::new() });
            while lines.next_if(|more| !more.is_empty()).is_some() {}
        } else if is_code || line.contains('\t') || line.starts_with('|') {
            let at: usize = *open.get_or_insert_with(|| {
                paper.floats.push(Float { name: String::new(), rows: Vec::new() });
                paper.floats.len() - 1
            });
            let is_rule = line.starts_with("|-");
            let cells = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap_or(line);
            let cells = cells.split(['|', '\t']).map(clean).collect();
            // A listing's braces count.
            paper.floats[at].rows.extend((!is_rule).then(|| if is_code { vec![line.into()] } else { cells }));
        } else if !line.is_empty() && !is_rest(line) {
            open = None;
            let mut whole = item(line).unwrap_or(line).to_string();
            let is_more = |next: &&str| !next.is_empty() && item(next).is_none() && !is_rest(next);
            while let Some(next) = lines.next_if(is_more) {
                whole += &format!(" {}", next.trim());
            }
            paragraph(&mut paper, &clean(&whole), item(line).is_some());
        }
    }
    paper
}

/// A page's foot, a formula, a line of an algorithm.
fn is_rest(line: &str) -> bool {
    line.starts_with("Page ") || line.starts_with("$$") || line.contains('▷')
}

/// What stands behind the mark, or the marks, of a list's item.
fn item(line: &str) -> Option<&str> {
    let rest = ["- ", "o ", "O "].iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
    item(rest).or(Some(rest))
}

fn paragraph(paper: &mut Paper, text: &str, is_item: bool) {
    let is_short = text.len() < 100 && text.starts_with(|c: char| c.is_ascii_uppercase());
    // Where the sections have numbers, words alone are no heading.
    let is_numbered = paper.section.starts_with(['I', 'V']) && paper.section.len() < 4;
    let is_heading = is_short && !is_item && text.ends_with(char::is_alphanumeric);
    if let Some((head, rest)) = text.split_once(['—', '-']).filter(|(head, _)| ["Abstract", "Keywords"].contains(head))
    {
        paper.heading(head);
        paper.push(rest);
    } else if text.starts_with("Index Terms") {
        paper.heading("Keywords");
    } else if is_heading && (!is_numbered || text.split(' ').next().is_some_and(|first| first.ends_with('.'))) {
        paper.heading(text);
    } else if let Some((number, text)) = run_in(text) {
        let letter: String = paper.subsection.chars().take(2).collect();
        paper.subsection = letter + number;
        paper.push(text);
    } else {
        paper.push(text);
    }
}

/// A heading that its text follows, `1) Data Encoding: ...`: its number, and the text.
fn run_in(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.split_once(") ").filter(|(number, _)| number.parse::<u8>().is_ok())?;
    Some((number, rest.split_once(": ")?.1))
}

/// A figure as a key and a number; what follows the number is its unit.
fn put(figures: &mut Figures, table: &str, row: &str, column: &str, printed: &str) {
    let (number, unit) = printed.trim().split_once(' ').unwrap_or((printed.trim(), ""));
    let number: f64 = number.parse().unwrap_or_else(|_| panic!("{table}, {row}, {column}: `{printed}`"));
    let value = if unit == "GHz" { number * 1000.0 } else { number };
    let before = figures.insert((table.into(), row.into(), column.into()), value);
    assert!(before.is_none(), "{table}, {row}, {column} twice");
}

fn tables_of_2014(paper: &Paper) -> Figures {
    let mut figures = Figures::new();
    clocks(&mut figures, "I", &grid(paper.float("I"), 4));
    for (table, message) in [("II", "CAM"), ("III", "DENM")] {
        let rows = grid(paper.float(table), 4);
        for row in &rows[1..] {
            for at in 1..row.len() {
                memory(&mut figures, [table, message, &row[0]], &rows[0][at], &row[at]);
            }
        }
    }
    envelopes(&mut figures, "IV", &grid(paper.float("IV"), 5));
    figures
}

/// Cells that come one by one, as rows of so many. Where an encoding has several rows, its name stands before the first only.
fn grid(float: &Float, columns: usize) -> Vec<Vec<String>> {
    let cells = float.rows.iter().map(|row| row[0].clone()).skip_while(|cell| !cell.ends_with("type"));
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    for cell in cells {
        if rows[rows.len() - 1].len() == columns {
            let has_name = columns < 5 || ["binary", "protobuf", "ASN.1"].contains(&cell.as_str());
            rows.push(if has_name { Vec::new() } else { vec![String::new()] });
        }
        rows.last_mut().unwrap().push(cell);
    }
    rows
}

fn tables_of_2015(paper: &Paper) -> Figures {
    let mut figures = Figures::new();
    clocks(&mut figures, "II", &paper.float("II").rows);
    let rows = &paper.float("III").rows;
    for row in &rows[1..] {
        let name = row[0].replace("sec.", "security").replace("w/o cert.", "without certificate");
        let name = name.replace("w. cert.", "with certificate");
        let name: String = ["(CAM) ", " (DENM)", " (Generic)"].iter().fold(name, |name, of| name.replace(of, ""));
        for (level, fields) in rows[0].iter().zip(row).skip(1) {
            put(&mut figures, "III", &name, &format!("nesting level {level}"), fields);
        }
    }
    for (table, message) in [("IV", "CAM"), ("V", "DENM"), ("VIII", "")] {
        let rows = &paper.float(table).rows;
        for row in &rows[1..] {
            let (message, what) = row[0].split_once(": ").unwrap_or((message, &row[0]));
            for at in 1..row.len() {
                memory(&mut figures, [table, message, &rows[0][at]], what, &row[at]);
            }
        }
    }
    envelopes(&mut figures, "VI", &paper.float("VI").rows);
    let rows = &paper.float("VII").rows;
    for (encoding, octets) in rows[0].iter().zip(&rows[1]).skip(1) {
        lengths(&mut figures, "VII", "minimum average size, profile 1", encoding, octets);
    }
    envelopes(&mut figures, "IX", &paper.float("IX").rows);
    figures
}

/// Three processors, the speed and the resolution of their clocks.
fn clocks(figures: &mut Figures, table: &str, rows: &[Vec<String>]) {
    for row in &rows[1..] {
        for (processor, printed) in rows[0].iter().zip(row).skip(1) {
            put(figures, table, &row[0].replace("res.", "resolution"), processor, printed);
        }
    }
}

/// Rows of an encoding and a profile; the encoding is named in the first of its rows.
fn envelopes(figures: &mut Figures, table: &str, rows: &[Vec<String>]) {
    let mut encoding = "";
    for row in &rows[1..] {
        encoding = if row[0].is_empty() { encoding } else { &row[0] };
        for at in 2..row.len() {
            let cell = if row[at] == "same as TOED" { &row[at - 1] } else { &row[at] };
            memory(figures, [table, &format!("profile {}", row[1]), encoding], &rows[0][at], cell);
        }
    }
}

/// A cell of an encoding: `heap / stack`, of one of two codecs or of the only one, or a length.
fn memory(figures: &mut Figures, [table, row, encoding]: [&str; 3], heading: &str, cell: &str) {
    let Some((_, codec)) = heading.split_once("stack") else {
        return lengths(figures, table, row, &format!("{encoding} encoded length"), cell);
    };
    let (heap, stack) = cell.split_once('/').unwrap();
    put(figures, table, row, &format!("{encoding}{codec} heap"), heap);
    put(figures, table, row, &format!("{encoding}{codec} stack"), stack);
}

/// A length, or two: `64 (opt: 61)`.
fn lengths(figures: &mut Figures, table: &str, row: &str, column: &str, cell: &str) {
    let (normal, optimised) = cell.split_once(" (opt: ").unwrap_or((cell, ""));
    put(figures, table, row, column, normal);
    if let Some(optimised) = optimised.strip_suffix(')') {
        put(figures, table, row, &format!("{column} (optimised schema)"), optimised);
    }
}

fn tables_of_certificates(paper: &Paper) -> Figures {
    let mut figures = Figures::new();
    let rows =
        &paper.floats.iter().find(|float| float.rows.first().is_some_and(|row| row[0] == "Encoding")).unwrap().rows;
    for row in &rows[1..] {
        for (heading, printed) in rows[0].iter().zip(row).skip(1) {
            let named =
                |names: [(&str, &'static str); 3]| names.iter().find(|(part, _)| heading.contains(part)).unwrap().1;
            let what = named([("enc", "encoding"), ("dec", "decoding"), ("Size", "size")]);
            let of = named([("verage", "average"), ("Var.", "variance"), ("SD", "SD")]);
            put(&mut figures, "I", &row[0], &format!("{what}, {of}"), printed);
        }
    }
    // The speeds are in a text: `(1) the fastest encoding scheme is XER, with 54446.53 Bytes/millisecond`.
    let text = paper.section("V-D");
    let (encoding, decoding) = text.split_once("For decoding:").unwrap();
    for (direction, text) in [("encoding", encoding.split_once("For encoding:").unwrap().1), ("decoding", decoding)] {
        for rank in 1..=10 {
            let (_, text) = text.split_once(&format!("({rank}) ")).unwrap();
            let words = || text.split([' ', ',']);
            let encoding = words().find(|word| rows.iter().any(|row| row[0] == *word)).unwrap();
            let speed = words().find(|word| word.parse::<f64>().is_ok()).unwrap();
            put(&mut figures, "V-D", encoding, &format!("{direction} speed"), speed);
        }
    }
    figures
}

/// What the certificates' listing has of a type: how many components, alternatives or elements.
fn listing(paper: &Paper, (_, name, column): &Key) -> f64 {
    // A page's end divides it.
    let mut floats = paper.floats.iter().skip_while(|float| float.name != "Listing 1");
    let text: String = floats.by_ref().flat_map(|float| &float.rows).map(|row| format!("{}\n", row[0])).collect();
    let (_, definition) = text.split_once(&format!("\n{name} ::= ")).unwrap();
    let (components, depth) = (&mut vec![String::new()], &mut 0);
    for c in definition.chars().skip_while(|c| *c != '{') {
        match c {
            '{' => *depth += 1,
            '}' => *depth -= 1,
            ',' if *depth == 1 => components.push(String::new()),
            _ => components.last_mut().unwrap().push(c),
        }
        if *depth == 0 {
            break;
        }
    }
    let components: Vec<Vec<&str>> = components.iter().map(|text| text.split_whitespace().collect()).collect();
    let components = || components.iter().filter(|words| words.len() > 1);
    let of_type = |name: &str| components().filter(|words| words[1] == name).count();
    let bounds = || definition.split_once("SIZE(").and_then(|(_, size)| size.split_once(')')).unwrap().0;
    let bound = |at: usize| bounds().split("..").nth(at).unwrap().parse().unwrap();
    match column.as_str() {
        "alternatives" => components().count() as f64,
        "components that must be there" => components().filter(|words| !words.contains(&"OPTIONAL")).count() as f64,
        "of one kind, most" => components().map(|words| of_type(words[1])).max().unwrap() as f64,
        "times, most" => of_type("ValidityRestrictionTime") as f64,
        "regions, most" => of_type("ValidityRestrictionRegion") as f64,
        "rectangles, least" => bound(0),
        "rectangles, most" => bound(1),
        alternative => components().filter(|words| words[0] == alternative).count() as f64,
    }
}

fn tables_of_ieee1609(paper: &Paper) -> Figures {
    let mut figures = Figures::new();
    for table in ["2", "3", "4", "5"] {
        let (headings, rows) = wrapped(&paper.float(table).rows);
        let columns = columns(&headings);
        for row in rows {
            for (column, printed) in columns.iter().zip(&row[1..]) {
                let numbers: Vec<&str> = printed.split('/').map(|number| number.trim_end_matches('*')).collect();
                // The second one is of the schema of 2014 in Table 2, and of code optimised by hand in the others.
                let names = match (column.strip_suffix(", OTS/Custom"), numbers.len()) {
                    (Some(of), _) => vec![format!("{of}, OTS"), format!("{of}, custom")],
                    (None, 1) => vec![column.clone()],
                    (None, _) => vec![column.clone(), format!("{column}, 2014 schema")],
                };
                assert_eq!(names.len(), numbers.len(), "Table {table}: {printed}");
                for (name, number) in names.iter().zip(numbers) {
                    put(&mut figures, table, &message(&row[0]), name, number);
                }
            }
        }
    }
    figures
}

/// The headings' rows, and the rows of figures, whose name may go on in lines without figures.
fn wrapped(lines: &[Vec<String>]) -> (Vec<&[String]>, Vec<Vec<String>>) {
    let (mut headings, mut rows): (Vec<&[String]>, Vec<Vec<String>>) = Default::default();
    for line in lines {
        if line[1].starts_with(|c: char| c.is_ascii_digit()) {
            rows.push(line.clone());
        } else if rows.is_empty() {
            headings.push(line);
        } else if line[0].starts_with(char::is_alphanumeric) && line[1..].iter().all(String::is_empty) {
            rows.last_mut().unwrap()[0] += &format!(" {}", line[0]);
        }
    }
    (headings, rows)
}

/// `vendor 2, OER, OTS/Custom`, of up to three rows: a vendor's name stands above the first of its columns. The last column is 1609.2, which the extraction misreads.
fn columns(headings: &[&[String]]) -> Vec<String> {
    let mut vendor = String::new();
    let mut columns = Vec::new();
    for at in 1..headings[0].len() - 1 {
        if let Some((_, number)) = headings[0][at].split_once("Vendor ") {
            vendor = format!("vendor {number}");
        }
        let under: Vec<&str> = headings[1..].iter().flat_map(|row| row[at].split(' ')).collect();
        columns.push(format!("{vendor}, {}", under.join(", ")));
    }
    columns.push("1609.2".into());
    columns
}

/// `Signed- digest- small`, `BSM- digest#`, `100 msg / sec (20% cert, 80% digest)`.
fn message(name: &str) -> String {
    match name.split_once(" msg / sec (") {
        Some((messages, rest)) => {
            let share = rest.split_once('%').unwrap().0;
            format!("{messages} messages/s, {share} % with a certificate")
        }
        None => name.replace("- ", "-").trim_end_matches('#').into(),
    }
}
