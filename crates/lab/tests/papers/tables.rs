//! The cells of each paper's tables, by the keys of `published.csv`.

use super::text::{Float, Paper};
use super::{Figures, Key};

/// A figure as a key and a number; what follows the number is its unit.
fn put(figures: &mut Figures, table: &str, row: &str, column: &str, printed: &str) {
    let (number, unit) = printed.trim().split_once(' ').unwrap_or((printed.trim(), ""));
    let number: f64 = number.parse().unwrap_or_else(|_| panic!("{table}, {row}, {column}: `{printed}`"));
    let value = if unit == "GHz" { number * 1000.0 } else { number };
    let before = figures.insert((table.into(), row.into(), column.into()), value);
    assert!(before.is_none(), "{table}, {row}, {column} twice");
}

pub(crate) fn tables_of_2014(paper: &Paper) -> Figures {
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

/// Groups single cells into rows of `columns`. If an encoding has several rows, its name is only
/// before the first.
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

pub(crate) fn tables_of_2015(paper: &Paper) -> Figures {
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

pub(crate) fn tables_of_certificates(paper: &Paper) -> Figures {
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
    // The speeds are in a text:
    // `(1) the fastest encoding scheme is XER, with 54446.53 Bytes/millisecond`.
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

/// The number of components, alternatives or elements of a type in the certificates' listing.
pub(crate) fn listing(paper: &Paper, (_, name, column): &Key) -> f64 {
    // A page break divides it.
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

pub(crate) fn tables_of_ieee1609(paper: &Paper) -> Figures {
    let mut figures = Figures::new();
    for table in ["2", "3", "4", "5"] {
        let (headings, rows) = wrapped(&paper.float(table).rows);
        let columns = columns(&headings);
        for row in rows {
            for (column, printed) in columns.iter().zip(&row[1..]) {
                let numbers: Vec<&str> = printed.split('/').map(|number| number.trim_end_matches('*')).collect();
                // The second one is of the schema of 2014 in Table 2, and of code optimised by hand
                // in the others.
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

/// The headings' rows, and the rows of figures, whose name may continue on lines without figures.
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

/// `vendor 2, OER, OTS/Custom`, of up to three rows: a vendor's name stands above the first of its
/// columns. The last column is 1609.2, which the extraction misreads.
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
