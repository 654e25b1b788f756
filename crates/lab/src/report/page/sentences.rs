//! Every sentence of the papers with its judgements, in one list that filters narrow.

use super::markup::line;
use crate::claims::{self, JudgedClaim, Outcome, Support};
use crate::report::Report;
use crate::verdict::Judged;
use roadwire_page::{escape, fold};
use std::fmt::Write as _;

/// Where a verdict stands among [`Outcome::NAMES`].
pub(super) fn place(outcome: &Outcome) -> usize {
    Outcome::NAMES.iter().position(|name| *name == outcome.name()).unwrap_or_default()
}

/// The section; `None` if no study has claims.
pub(super) fn section(report: &Report<'_>) -> Option<String> {
    let studies: Vec<&Judged<'_>> = report.studies.iter().filter(|judged| !judged.claims.is_empty()).collect();
    let claims = || studies.iter().flat_map(|judged| &judged.claims);
    claims().next()?;
    let mut body = String::from(
        "<p>A sentence is judged by the paper's own figures, by ours, and by those of other implementations. \
         Open one to see its values. A sentence that says several things is in the list once for each.</p>\n\
         <div class=\"filters\" id=\"filters\" hidden>\n",
    );
    let mut button = |value: &str, name: &str, count: usize| {
        let _ =
            writeln!(body, "<button type=\"button\" aria-pressed=\"false\" value=\"{value}\">{name} {count}</button>");
    };
    button("", "all", claims().count());
    for (at, name) in Outcome::NAMES.iter().enumerate() {
        let count = claims().filter(|one| place(&one.verdict) == at).count();
        if count > 0 {
            button(&at.to_string(), name, count);
        }
    }
    button("alone", "holds only with our codecs", claims().filter(|one| is_alone(one)).count());
    body += "<select aria-label=\"Paper\"><option value=\"\">all papers</option>\n";
    for judged in &studies {
        let name = escape(&judged.study.name);
        let _ = writeln!(body, "<option value=\"{name}\">{name}</option>");
    }
    body += "</select>\n<input type=\"search\" placeholder=\"words\" aria-label=\"Words in the sentence\">\n</div>\n\
             <p class=\"soft\" id=\"claims-shown\" role=\"status\"></p>\n<div id=\"claims\">\n";
    for judged in studies {
        judged.claims.iter().for_each(|one| body += &entry(&judged.study.name, one));
    }
    Some(fold("sentences", "<h2>Every sentence, judged</h2>", "", &(body + "</div>\n")))
}

/// Whether it holds, by our codecs alone.
fn is_alone(one: &JudgedClaim<'_>) -> bool {
    one.verdict == Outcome::Holds && one.support == Support::Alone
}

/// A sentence: its verdict and text, and below them all other columns of its row.
fn entry(study: &str, one: &JudgedClaim<'_>) -> String {
    let (verdict, study) = (place(&one.verdict), escape(study));
    let alone = if is_alone(one) { " data-alone" } else { "" };
    let mut html = format!(
        "<details class=\"claim\" data-verdict=\"{verdict}\" data-paper=\"{study}\"{alone}><summary>\
         <span class=\"pill\"><i class=\"v{verdict}\"></i>{}</span> {} <span class=\"soft\">{study}, {}</span></summary><dl>\n",
        one.verdict.name(),
        line(&one.claim.text),
        line(&one.claim.place),
    );
    // The summary has the first two: the sentence's place and its text.
    for (heading, cell) in claims::COLUMNS.iter().zip(one.row()).skip(2).filter(|(_, cell)| !cell.is_empty()) {
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", line(heading), line(&cell));
    }
    html + "</dl></details>\n"
}
