//! The report as one self-contained page: its Markdown as HTML, with figures and style, light or dark as the reader prefers.

use super::Figure;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};

const STYLE: &str = include_str!("page.css");

/// Converts the report's Markdown to the page. Figures are inserted where the text refers to them; `files` are the other files in the report's folder.
pub fn html(markdown: &str, figures: &[Figure<'_>], files: &[String]) -> String {
    let (mut body, mut chapters) = (String::new(), Chapters::default());
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    push_html(&mut body, with_figures(chapters.marked(events), figures));
    let title = markdown.lines().next().unwrap_or_default().trim_start_matches('#').trim();
    let links: Vec<String> = files.iter().map(|file| format!("<a href=\"{file}\">{file}</a>")).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<nav>{}</nav>\n<main>\n{body}\
         <h2 id=\"files\">Files beside this page</h2>\n<p>{}</p>\n</main>\n</body>\n</html>\n",
        chapters.links(),
        links.join(" · "),
        body = framed(&body),
    )
}

/// The same with each table in a separate frame: a wide table scrolls by itself, not the page; a table with sentences wraps them.
fn framed(body: &str) -> String {
    let mut parts = body.split("<table>");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (table, rest) = part.split_once("</table>").unwrap_or((part, ""));
        let class = if has_sentences(table) { "wide prose" } else { "wide" };
        page += &format!("<div class=\"{class}\"><table>{table}</table></div>{rest}");
    }
    page
}

/// Whether a cell before the last one of its row is longer than a name or a figure.
fn has_sentences(table: &str) -> bool {
    let is_long = |row: &str| row.rsplit("</td>").skip(2).any(|cell| cell.chars().count() > 80);
    table.split("</tr>").any(is_long)
}

/// The headings of the second level.
#[derive(Default)]
struct Chapters(Vec<String>);

impl Chapters {
    /// The same events, with an anchor before each chapter.
    fn marked<'a>(&mut self, events: Parser<'a>) -> Vec<Event<'a>> {
        let mut marked = Vec::new();
        let mut open = false;
        for event in events {
            match &event {
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                    marked.push(Event::Html(format!("<a id=\"chapter-{}\"></a>\n", self.0.len()).into()));
                    self.0.push(String::new());
                    open = true;
                }
                Event::End(TagEnd::Heading(HeadingLevel::H2)) => open = false,
                Event::Text(text) if open => {
                    if let Some(chapter) = self.0.last_mut() {
                        chapter.push_str(text);
                    }
                }
                _ => {}
            }
            marked.push(event);
        }
        marked
    }

    fn links(&self) -> String {
        let link = |(at, name): (usize, &String)| format!("<a href=\"#chapter-{at}\">{name}</a>");
        let links: Vec<String> = self.0.iter().enumerate().map(link).collect();
        links.join("\n")
    }
}

/// The same events, with images replaced by the drawings.
fn with_figures<'a>(events: Vec<Event<'a>>, figures: &'a [Figure<'_>]) -> impl Iterator<Item = Event<'a>> {
    let mut inside = false;
    events.into_iter().filter_map(move |event| match event {
        Event::Start(Tag::Image { ref dest_url, .. }) => match figures.iter().find(|figure| *figure.name == **dest_url)
        {
            Some(figure) => {
                inside = true;
                Some(Event::InlineHtml(format!("<span class=\"figure\">{}</span>", figure.svg).into()))
            }
            None => Some(event),
        },
        Event::End(TagEnd::Image) if inside => {
            inside = false;
            None
        }
        _ if inside => None,
        event => Some(event),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_chapters_tables_and_figures_in_it() {
        let markdown = "# Report\n\n## One\n\n| a | b |\n|---|---|\n| 1 | <2> |\n\n![f.svg](f.svg)\n\n## Two\n";
        let figure = Figure { study: "one", name: "f.svg".into(), svg: "<svg>drawn</svg>".into() };
        let page = html(markdown, &[figure], &["report.md".into()]);
        assert!(page.contains("<title>Report</title>") && page.contains("<svg>drawn</svg>"), "{page}");
        assert!(page.contains("<a href=\"#chapter-1\">Two</a>") && page.contains("id=\"chapter-1\""));
        assert!(page.contains("<div class=\"wide\"><table>") && page.contains("&lt;2&gt;"));
        assert!(page.contains("<a href=\"report.md\">") && !page.contains("<img"));
        let sentence = "what a paper says ".repeat(6);
        let page = html(&format!("# Report\n\n| a | b |\n|---|---|\n| {sentence} | 2 |\n"), &[], &[]);
        assert!(page.contains("<div class=\"wide prose\"><table>"), "{page}");
    }
}
