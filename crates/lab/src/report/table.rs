//! A table of text, written as Markdown, as plain aligned text, or as CSV.

use serde::{Deserialize, Serialize};

/// Heading and rows; every row has as many fields as the heading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its title.
    pub title: String,
    /// Column names. One that begins with `>` is aligned right (the mark is not shown).
    pub heading: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Lines under the table.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, heading: &[&str]) -> Self {
        Table { title: title.into(), heading: heading.iter().map(|h| (*h).to_string()).collect(), ..Table::default() }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, fields: [String; N]) {
        self.rows.push(fields.into());
    }

    /// Makes one column of neighbours whose cells are equal; it has all their names. The first
    /// column stays.
    pub fn join_equal_columns(&mut self) {
        for at in (2..self.heading.len()).rev() {
            if self.rows.iter().all(|row| row.get(at - 1) == row.get(at)) {
                let joined = self.heading.remove(at);
                let names = &mut self.heading[at - 1];
                *names = format!("{names} {}", name(&joined));
                self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            }
        }
    }

    /// As GitHub Markdown under a heading of the third level.
    pub fn markdown(&self) -> String {
        let mut text = format!("### {}\n\n", self.title);
        let rule = |h: &String| if h.starts_with('>') { "---:" } else { "---" };
        let line = |fields: Vec<String>| format!("| {} |\n", fields.join(" | "));
        text += &line(self.heading.iter().map(|h| name(h).to_string()).collect());
        text += &line(self.heading.iter().map(|h| rule(h).to_string()).collect());
        for row in &self.rows {
            text += &line(row.iter().map(|f| f.replace('|', "\\|")).collect());
        }
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text + "\n"
    }

    /// As aligned text for a terminal.
    pub fn plain(&self) -> String {
        let widths: Vec<usize> = (0..self.heading.len())
            .map(|i| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(i))
                    .map(|field| field.chars().count())
                    .chain([name(&self.heading[i]).chars().count()])
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let line = |fields: &[String]| {
            let cells: Vec<String> = fields
                .iter()
                .enumerate()
                .map(|(i, field)| pad(field, widths[i], self.heading[i].starts_with('>')))
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        let mut text = format!("{}\n", self.title);
        let names: Vec<String> = self.heading.iter().map(|h| name(h).to_string()).collect();
        text += &line(&names);
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        text += &format!("{}\n", rules.join("  "));
        for row in &self.rows {
            text += &line(row);
        }
        for note in &self.notes {
            text += &format!("  {note}\n");
        }
        text + "\n"
    }

    /// As CSV (RFC 4180). A cell without a value, a dash elsewhere, is empty.
    pub fn csv(&self) -> String {
        let line = |fields: Vec<&str>| {
            let fields: Vec<String> =
                fields.into_iter().map(|field| if field == "–" { String::new() } else { quote(field) }).collect();
            format!("{}\n", fields.join(","))
        };
        let mut text = line(self.heading.iter().map(|h| name(h)).collect());
        for row in &self.rows {
            text += &line(row.iter().map(String::as_str).collect());
        }
        text
    }
}

fn name(heading: &str) -> &str {
    heading.strip_prefix('>').unwrap_or(heading)
}

fn pad(field: &str, width: usize, right: bool) -> String {
    let space = " ".repeat(width.saturating_sub(field.chars().count()));
    if right { space + field } else { field.to_string() + &space }
}

fn quote(field: &str) -> String {
    if field.contains(['"', ',', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new("T", &["name", ">ns"]);
        table.row(["a|b".into(), "7".into()]);
        table.row(["c, d".into(), "1234".into()]);
        table
    }

    #[test]
    fn plain_is_aligned() {
        assert_eq!(sample().plain(), "T\nname    ns\n----  ----\na|b      7\nc, d  1234\n\n");
    }

    #[test]
    fn equal_columns_are_joined() {
        let mut table = Table::new("T", &["change", ">ber", ">der", ">cer", ">xer"]);
        table.row(["a", "all", "all", "all", "all"].map(String::from));
        table.row(["all", "all", "some", "some", "none"].map(String::from));
        table.join_equal_columns();
        assert_eq!(table.csv(), "change,ber,der cer,xer\na,all,all,all\nall,all,some,none\n");
    }

    #[test]
    fn markdown_escapes_bars() {
        assert!(sample().markdown().contains("| a\\|b | 7 |"));
        assert!(sample().markdown().contains("| --- | ---: |"));
    }

    #[test]
    fn csv_quotes_commas() {
        assert_eq!(sample().csv(), "name,ns\na|b,7\n\"c, d\",1234\n");
    }
}
