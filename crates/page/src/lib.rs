//! The HTML page of reports: one file with its style, tables, charts and filters. It is read from a
//! file, without a network; light or dark as the reader prefers, on a telephone, and printed.
//!
//! Invariants: the page loads nothing, and its policy forbids it to. Without scripts all texts and
//! tables can be read. Texts that are not marked as HTML are escaped.
//!
//! Absent on purpose: the contents of reports, which `lab` and `cli` write, and any server.
//!
//! Charts are drawn by Observable Plot (`charts/`) from data in the page. Without scripts all texts
//! and tables can be read, and each figure links to its SVG file.

mod figure;
mod table;

pub use figure::figure;
pub use roadwire_measure::plot::escape;
pub use table::{Column, Grid};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Observable Plot with what it needs of D3, made by `charts/build`.
const PLOT: &str = include_str!("../charts/plot.min.js");
/// Nothing is loaded from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A page, whose texts are HTML unless they say otherwise.
pub struct Page {
    /// The title, plain text.
    pub title: String,
    /// Lines below the title.
    pub about: String,
    /// The sections of the navigation: anchor and name, both plain text.
    pub sections: Vec<(String, String)>,
    /// All that follows.
    pub body: String,
}

impl Page {
    /// The file.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let link = |(id, name): &(String, String)| format!("<a href=\"#{}\">{}</a>", escape(id), escape(name));
        let links: Vec<String> = self.sections.iter().map(link).collect();
        let (about, body, links) = (&self.about, &self.body, links.join("\n"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{about}\n</header>\n\
             <nav aria-label=\"Sections\">\n{links}\n</nav>\n<main>\n{body}\n</main>\n\
             <script>\n{PLOT}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }
}

/// A section that is closed at first; it opens when a link leads into it. `summary` is its heading,
/// and `beside` stands after that; both and `body` are HTML.
#[must_use]
pub fn fold(id: &str, summary: &str, beside: &str, body: &str) -> String {
    format!(
        "<details class=\"fold\" id=\"{}\">\n<summary>{summary} {beside}</summary>\n{body}\n</details>\n",
        escape(id)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let sections = vec![("one".into(), "A & B".into())];
        Page { title: "a <b>".into(), about: "<p>today</p>".into(), sections, body: fold("one", "<h2>1</h2>", "", "") }
            .html()
    }

    #[test]
    fn a_page_has_what_telephones_dark_screens_and_printers_need() {
        let page = page();
        for part in ["<title>a &lt;b&gt;</title>", "name=\"viewport\"", "prefers-color-scheme: dark", "@media print"] {
            assert!(page.contains(part), "{part}");
        }
        assert!(page.contains("<a href=\"#one\">A &amp; B</a>") && page.contains("id=\"one\""));
    }

    #[test]
    fn a_page_loads_nothing() {
        let page = page();
        assert!(page.contains("default-src 'none'"));
        for part in ["<link", " src=", "@import", "url("] {
            let (head, _) = page.split_once("<script>").unwrap();
            assert!(!head.contains(part), "{part}");
        }
        // A script ends where HTML finds its end.
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
