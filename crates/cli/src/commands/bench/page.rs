//! The page of an own message, by the template of reports: the answers, a line for each encoding,
//! octets against time.

use roadwire_lab::bench::Benched;
use roadwire_measure::plot::{Plot, Point, TradeoffPanel, TradeoffPlot};
use roadwire_page::{Column, Grid, Page, escape, figure};

use super::encodings::Encoding;
use super::{About, answers};
use crate::table::{self, Row};

/// The file of the picture, which needs times.
pub(super) const PICTURE: &str = "which-encoding.svg";

/// The page and its picture. `files` are the other files in its folder.
pub(super) fn html(about: &About, encodings: &[Encoding], benched: &Benched, files: &[&str]) -> (String, Option<Plot>) {
    let plot = picture(about, encodings);
    let need = |(need, answer): &(&str, String)| {
        format!("<div class=\"need\"><h3>{}</h3><p>{}</p></div>\n", escape(need), escape(answer))
    };
    let needs: String = answers::answers(encodings).iter().map(need).collect();
    let paragraph = |note: &String| format!("<p class=\"notes\">{}</p>\n", escape(note));
    let notes: String = answers::notes(about, encodings, benched).iter().map(paragraph).collect();
    let drawn = plot.as_ref().map_or_else(String::new, |plot| figure(plot, PICTURE));
    let link = |file: &&str| format!("<li><a href=\"{0}\">{0}</a></li>\n", escape(file));
    let links: String = files.iter().map(link).collect();
    let parts = [
        ("answers", "Which encoding", needs),
        ("encodings", "Every encoding", grid(&answers::rows(encodings)) + &notes),
        ("time", "Octets against time", drawn),
        ("files", "Files", format!("<ul>\n{links}</ul>\n")),
    ];
    let (mut sections, mut body) = (Vec::new(), String::new());
    for (id, name, html) in parts.into_iter().filter(|(.., html)| !html.is_empty()) {
        sections.push((id.to_owned(), name.to_owned()));
        body += &format!("<section class=\"card\" id=\"{id}\">\n<h2>{name}</h2>\n{html}</section>\n");
    }
    let run = &benched.run;
    let about_run = format!("<p>{}</p>\n<p>{}</p>\n", escape(&run.line()), escape(&run.machine.line()));
    let title = format!("{} in every encoding", about.name);
    (Page { title, about: about_run, sections, body }.html(), plot)
}

fn grid(rows: &[Row]) -> String {
    let Some(longest) = rows.iter().max_by_key(|row| row.len()) else { return String::new() };
    let is_number = |at: usize| rows.iter().any(|row| row.get(at).is_some_and(|(_, value)| value.is_number()));
    let column = |(at, (name, _)): (usize, &(&str, _))| Column { name: escape(name), is_number: is_number(at) };
    let row = |row: &Row| {
        let mut cells: Vec<String> = row.iter().map(|(name, value)| escape(&table::cell(name, value))).collect();
        cells.resize(longest.len(), String::new());
        cells
    };
    let (columns, rows) = (longest.iter().enumerate().map(column).collect(), rows.iter().map(row).collect());
    Grid { title: "Every encoding".into(), columns, rows }.html()
}

fn picture(about: &About, encodings: &[Encoding]) -> Option<Plot> {
    let (codec, by) = answers::codec(encodings);
    let ns = |encoding: &Encoding| codec(encoding)?.ns();
    let unbeaten = answers::unbeaten(encodings, ns);
    let point = |encoding: &Encoding| {
        let name = encoding.rules.name();
        let (octets, nanoseconds) = (encoding.octets()?, ns(encoding)?);
        Some(Point { name: name.into(), octets, nanoseconds, best: unbeaten.contains(&name) })
    };
    let points: Vec<Point> = encodings.iter().filter_map(point).collect();
    let panels = vec![TradeoffPanel { title: about.name.clone(), points }];
    let notes = vec![format!("By the {by}. Filled: no other encoding is both shorter and faster.")];
    let plot = TradeoffPlot { title: "Octets against time".into(), panels, notes };
    (plot.panels[0].points.len() > 1).then(|| plot.into())
}
