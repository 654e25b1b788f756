//! The first screen: which encoding to take, and how far the papers hold.

use super::markup::{grid, line, paragraphs};
use super::{anchor, drawn};
use crate::claims::Outcome;
use crate::report::needs::Need;
use crate::report::summary::{CASES, Paper, Summary};
use crate::report::{Figure, Report, choice, example};
use std::fmt::Write as _;

pub(super) fn screen(report: &Report<'_>, summary: &Summary, figures: &[Figure<'_>]) -> String {
    let cards = [needs(summary), papers(summary)].concat();
    let example =
        example::table(report.measured).map(|table| format!("<h2>{}</h2>\n{}", line(&table.title), grid(&table)));
    let figure = drawn(figures, "") + &paragraphs(&choice::compared(report.measured.records));
    let wide = [example.unwrap_or_default(), figure].into_iter().filter(|html| !html.is_empty());
    let wide: String = wide.map(|html| format!("<section class=\"card\">\n{html}</section>\n")).collect();
    format!("<div class=\"cards\" id=\"answers\">\n{cards}</div>\n{wide}")
}

fn needs(summary: &Summary) -> String {
    let need = |Need { of, take, why, but, .. }: &Need| {
        let but = if but.is_empty() { String::new() } else { format!("<p class=\"but\">{}</p>", line(but)) };
        format!(
            "<div class=\"need\"><h3>for {of}</h3><p class=\"pick\">{}</p><p class=\"why\">{}</p>{but}</div>\n",
            line(take),
            line(why)
        )
    };
    let mut needs: String = summary.needs.iter().map(need).collect();
    for absent in &summary.absent {
        let _ = writeln!(needs, "<p class=\"soft\">{}</p>", line(absent));
    }
    card("Which encoding should I take?", &needs)
}

fn papers(summary: &Summary) -> String {
    let paper = |paper: &Paper| {
        let all: usize = paper.sentences.iter().sum();
        let said: Vec<String> = paper.first.iter().map(|said| line(&said.line())).collect();
        format!(
            "<div class=\"paper\"><div class=\"row\"><a href=\"#{}\" title=\"{}\">{}</a><span>{} of {all} sentences hold</span></div>{}<p class=\"say\">{}</p></div>\n",
            anchor(&paper.study),
            roadwire_page::escape(&paper.title),
            line(&paper.short),
            paper.count(Outcome::Holds.name()),
            bar(&paper.sentences),
            said.join(" ")
        )
    };
    let papers: String = summary.papers.iter().map(paper).collect();
    if papers.is_empty() {
        return papers;
    }
    let times = if summary.times.is_empty() {
        String::new()
    } else {
        format!("<p class=\"soft\">{}</p>\n", line(&summary.times))
    };
    let read = format!(
        "<p class=\"soft\">{} By a fit: only where a content or a schema was tried until printed lengths came out.</p>\n",
        line(CASES)
    );
    card("How far do the papers hold?", &(papers + &key() + &read + &times))
}

/// A section with a heading; empty without content.
fn card(title: &str, html: &str) -> String {
    if html.is_empty() { String::new() } else { format!("<section>\n<h2>{title}</h2>\n{html}</section>\n") }
}

/// A bar of verdicts, in the order of [`Outcome::NAMES`].
pub(super) fn bar(verdicts: &[usize; 6]) -> String {
    let named = || verdicts.iter().zip(Outcome::NAMES).enumerate().filter(|(_, (count, _))| **count > 0);
    let label: Vec<String> = named().map(|(_, (count, name))| format!("{count} {name}")).collect();
    let parts: String = named().fold(String::new(), |mut parts, (at, (count, name))| {
        let _ = write!(parts, "<i class=\"v{at}\" style=\"flex:{count}\" title=\"{count} {name}\"></i>");
        parts
    });
    format!("<div class=\"stack\" role=\"img\" aria-label=\"{}\">{parts}</div>\n", label.join(", "))
}

/// The meaning of the colours.
fn key() -> String {
    let item = |(at, name): (usize, &&str)| format!("<li><i class=\"v{at}\"></i>{name}</li>\n");
    let items: String = Outcome::NAMES.iter().enumerate().map(item).collect();
    format!("<ul class=\"key\">\n{items}</ul>\n")
}
