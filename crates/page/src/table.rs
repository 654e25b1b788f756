//! Tables whose columns are as wide as their content needs.

use super::escape;

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name, HTML.
    pub name: String,
    /// Whether it has numbers: they end at the right, on one line.
    pub is_number: bool,
}

/// A table. All texts but the title are HTML.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// A title for readers that do not see it; plain text.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with a cell for each column.
    pub rows: Vec<Vec<String>>,
}

/// The most letters of a cell that stay on one line.
const LINE: usize = 26;
/// The narrowest and the widest column whose cells take several lines, in letters.
const WIDTHS: (usize, usize) = (18, 60);

impl Grid {
    /// The table in a frame that scrolls by itself where the table is wider than the page.
    #[must_use]
    pub fn html(&self) -> String {
        let longest = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(|cell| letters(cell)).max();
        let widths: Vec<usize> = (0..self.columns.len()).map(|at| longest(at).unwrap_or(0)).collect();
        let mut html = format!(
            "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{}\"><table>\n<thead><tr>",
            escape(&self.title)
        );
        for (column, width) in self.columns.iter().zip(&widths) {
            let name = &column.name;
            html += &match class(column, *width) {
                Class::Number => format!("<th scope=\"col\" class=\"n\">{name}"),
                Class::Line => format!("<th scope=\"col\">{name}"),
                Class::Lines => {
                    // Long cells get lines, of a third of their letters, that are neither very
                    // short nor very long.
                    let letters = (width / 3).clamp(WIDTHS.0, WIDTHS.1);
                    format!("<th scope=\"col\" style=\"min-width:{letters}ch\">{name}")
                }
            };
        }
        html += "</tr></thead>\n<tbody>\n";
        for row in &self.rows {
            html += "<tr>";
            for ((cell, column), width) in row.iter().zip(&self.columns).zip(&widths) {
                html += match class(column, *width) {
                    Class::Number => "<td class=\"n\">",
                    Class::Line => "<td class=\"s\">",
                    Class::Lines => "<td>",
                };
                html += cell;
            }
            html += "</tr>\n";
        }
        html + "</tbody></table></div>\n"
    }
}

/// How the cells of a column are set.
enum Class {
    Number,
    /// Each on one line.
    Line,
    /// Over several lines.
    Lines,
}

fn class(column: &Column, width: usize) -> Class {
    match width {
        ..=LINE if column.is_number => Class::Number,
        ..=LINE => Class::Line,
        _ => Class::Lines,
    }
}

/// The letters of HTML that are seen; an entity counts as one.
fn letters(html: &str) -> usize {
    let (mut count, mut inside) = (0, None);
    for letter in html.chars() {
        match (inside, letter) {
            (None, '<') => inside = Some('>'),
            (None, '&') => (inside, count) = (Some(';'), count + 1),
            (None, _) => count += 1,
            (Some(end), letter) if letter == end => inside = None,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_content() {
        let column = |name: &str, is_number| Column { name: name.into(), is_number };
        let why = "the paper's library was not built, ".repeat(3);
        let grid = Grid {
            title: "\"Lengths\"".into(),
            columns: vec![column("row", false), column("octets", true), column("why", false), column("with", false)],
            rows: vec![vec!["CAM".into(), "41".into(), why, "once".into()]],
        };
        let html = grid.html();
        assert!(html.contains("aria-label=\"&quot;Lengths&quot;\"") && html.contains("tabindex=\"0\""), "{html}");
        assert!(html.contains("<th scope=\"col\" style=\"min-width:35ch\">why<th scope=\"col\">with"), "{html}");
        assert!(html.contains("<td class=\"s\">CAM<td class=\"n\">41<td>the paper's"), "{html}");
    }

    #[test]
    fn tags_and_entities_have_no_width() {
        assert_eq!(letters("<code>a &lt; b</code>"), 5);
    }
}
