//! Texts of the report, which are Markdown, as HTML. Tags in them are shown, not obeyed.

use crate::report::table::Table;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html::push_html};
use roadwire_page::{Column, Grid, escape};

/// Paragraphs, lists, headings and tables. Of links to files of the repository, which are not
/// beside the page, the text alone.
pub(super) fn paragraphs(markdown: &str) -> String {
    let (mut html, mut in_file) = (String::new(), false);
    let shown = |event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Some(Event::Text(tag)),
        Event::Start(Tag::Link { ref dest_url, .. }) => {
            in_file = !dest_url.starts_with("https://") && !dest_url.starts_with('#');
            (!in_file).then_some(event)
        }
        Event::End(TagEnd::Link) if in_file => None,
        event => Some(event),
    };
    push_html(&mut html, Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(shown));
    html.replace("<table>", "<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"Table\"><table>")
        .replace("</table>", "</table></div>")
        .replace("<th></th>", "<td></td>")
}

/// The text of a cell or of a title: one line, in which `code` and *emphasis* may be.
pub(super) fn line(text: &str) -> String {
    if !text.contains(['`', '*', '_', '[', '\\']) {
        return escape(text);
    }
    // In a cell of a table nothing begins a list or a heading.
    let cell = paragraphs(&format!("| x |\n|---|\n| {} |\n", text.replace('|', "\\|")));
    let inner = cell.split_once("<td>").and_then(|(_, rest)| rest.split_once("</td>"));
    inner.map_or_else(|| escape(text), |(inner, _)| inner.into())
}

/// A table with its notes.
pub(super) fn grid(table: &Table) -> String {
    let column = |heading: &String| {
        let name = heading.strip_prefix('>');
        Column { name: line(name.unwrap_or(heading)), is_number: name.is_some() }
    };
    let row = |row: &Vec<String>| row.iter().map(|cell| line(cell)).collect();
    let grid = Grid {
        title: table.title.clone(),
        columns: table.heading.iter().map(column).collect(),
        rows: table.rows.iter().map(row).collect(),
    };
    let notes: String = table.notes.iter().map(|note| format!("<p class=\"notes\">{}</p>\n", line(note))).collect();
    grid.html() + &notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_line_and_its_tags_are_shown() {
        assert_eq!(line("- 5 < 7"), "- 5 &lt; 7");
        assert_eq!(line("`a|b` is <b>bold</b>"), "<code>a|b</code> is &lt;b&gt;bold&lt;/b&gt;");
        assert_eq!(line("*so* | 1. x"), "<em>so</em> | 1. x");
    }

    #[test]
    fn a_link_into_the_repository_is_its_text() {
        let html = paragraphs("[versions](../docs/versions.md), [web](https://example.org), [here](#files)");
        assert!(
            html.contains("versions, <a href=\"https://example.org\">web</a>, <a href=\"#files\">here</a>"),
            "{html}"
        );
    }

    #[test]
    fn a_column_marked_for_the_right_has_numbers() {
        let mut table = Table::new("T", &["name", ">ns"]);
        table.row(["`uper`".into(), "7".into()]);
        table.notes.push("by *batches*".into());
        let html = grid(&table);
        assert!(html.contains("<td class=\"s\"><code>uper</code><td class=\"n\">7"), "{html}");
        assert!(html.contains("<p class=\"notes\">by <em>batches</em></p>"), "{html}");
    }
}
