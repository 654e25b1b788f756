//! The annotated bit dump as text: aligned columns, with long runs of bits on several lines.

use std::fmt::Write as _;

use roadwire::BitRun;
use serde_json::Value as Json;

use crate::meaning;

/// Most bits in one line, and most characters of a value: longer ones end in `…`, so that columns
/// stay columns.
const BITS_PER_LINE: usize = 32;
const WIDEST_VALUE: usize = 40;

/// Widths of the columns: found in a first pass, so that a second pass can print immediately.
#[derive(Debug, Default)]
pub(crate) struct Widths {
    bit: usize,
    bits: usize,
    what: usize,
    value: usize,
}

impl Widths {
    /// For an input of `total_bits` bits.
    pub(crate) fn new(total_bits: usize) -> Self {
        Widths { bit: total_bits.to_string().len().max(3), bits: 4, what: 4, value: 5 }
    }

    /// Makes room for a row.
    pub(crate) fn fit(&mut self, row: &BitRun) {
        self.bits = self.bits.max(row.count.min(BITS_PER_LINE));
        self.what = self.what.max(row.what.len());
        self.value = self.value.max(value_text(row).chars().count());
    }

    /// The names of the columns.
    pub(crate) fn head(&self) -> String {
        self.line("bit", "bits", "what", "value", "field")
    }

    /// A row; `octets` is the whole input.
    pub(crate) fn row(&self, row: &BitRun, octets: &[u8]) -> String {
        let bits = bits(octets, row.bit, row.count);
        let (first, rest) = bits.split_at(bits.len().min(BITS_PER_LINE));
        let mut text = self.line(&row.bit.to_string(), first, row.what, &value_text(row), &row.path);
        let mut at = row.bit + first.len();
        for run in rest.as_bytes().chunks(BITS_PER_LINE) {
            let run = String::from_utf8_lossy(run);
            text.push_str(&self.line(&at.to_string(), &run, "", "", ""));
            at += run.len();
        }
        text
    }

    fn line(&self, bit: &str, bits: &str, what: &str, value: &str, path: &str) -> String {
        let Widths { bit: w_bit, bits: w_bits, what: w_what, value: w_value } = *self;
        let mut line = String::new();
        let _ = write!(line, "{bit:>w_bit$}  {bits:w_bits$}  {what:w_what$}  {value:w_value$}  {path}");
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    }
}

/// A row's value for human readers: the module's name if there is one, next to a number.
fn value_text(row: &BitRun) -> String {
    let text = match (&meaning::json(&row.value), &row.meaning) {
        (Json::Null, _) => String::new(),
        (Json::Bool(there), _) if row.what != "value" => if *there { "yes" } else { "no" }.to_owned(),
        (Json::Number(_), Some(words)) if row.what == "choice" => words.clone(),
        (Json::Number(number), Some(words)) => format!("{number} {words}"),
        (Json::String(text), Some(words)) => format!("{text} {words}"),
        (Json::String(text), None) => text.clone(),
        (other, _) => other.to_string(),
    };
    let printed = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    match text.char_indices().nth(WIDEST_VALUE) {
        None => text.chars().map(printed).collect(),
        Some(_) => text.chars().take(WIDEST_VALUE - 1).map(printed).chain(['…']).collect(),
    }
}

/// Bits as `0` and `1`; nothing beyond the end.
pub(crate) fn bits(octets: &[u8], start: usize, count: usize) -> String {
    (start..start.saturating_add(count))
        .map_while(|at| octets.get(at / 8).map(|octet| if octet >> (7 - at % 8) & 1 == 1 { '1' } else { '0' }))
        .collect()
}

#[cfg(test)]
mod tests {
    use roadwire::Shown;

    use super::*;

    fn row(bit: usize, count: usize, value: &str) -> BitRun {
        let value = Shown::Text(value.to_owned());
        BitRun { bit, count, what: "value", value, meaning: None, path: "a.b".to_owned() }
    }

    #[test]
    fn columns_line_up() {
        let rows = [row(0, 3, "5"), row(3, 5, "unavailable")];
        let mut widths = Widths::new(8);
        rows.iter().for_each(|row| widths.fit(row));
        let text: String = std::iter::once(widths.head()).chain(rows.iter().map(|r| widths.row(r, &[0xa1]))).collect();
        assert_eq!(
            text,
            "bit  bits   what   value        field\n  \
               0  101    value  5            a.b\n  \
               3  00001  value  unavailable  a.b\n"
        );
    }

    #[test]
    fn columns_line_up_behind_long_values() {
        let rows = ["basicVehicleContainerHighFrequency".to_owned(), "x".repeat(WIDEST_VALUE), "é".repeat(100)]
            .map(|value| row(0, 1, &value));
        let mut widths = Widths::new(8);
        rows.iter().for_each(|row| widths.fit(row));
        let place = |line: String| line.chars().collect::<Vec<_>>().windows(3).position(|at| at == ['a', '.', 'b']);
        let places = rows.each_ref().map(|row| place(widths.row(row, &[0xa1])));
        assert!(places[0].is_some() && places.iter().all(|at| *at == places[0]), "{places:?}");
        assert!(widths.row(&rows[2], &[0]).contains("é…  a.b"));
        assert!(!widths.row(&rows[1], &[0]).contains('…'));
    }

    #[test]
    fn long_runs_go_on_in_the_next_line() {
        let mut widths = Widths::new(40);
        let row = row(4, 36, "x");
        widths.fit(&row);
        let text = widths.row(&row, &[0xff, 0, 0, 0, 0x0f]);
        assert_eq!(text.lines().count(), 2);
        assert_eq!(text.lines().last(), Some(" 36  1111"));
    }

    #[test]
    fn bits_beyond_the_end_are_not_made_up() {
        assert_eq!(bits(&[0b1010_0000], 2, 100), "100000");
    }
}
