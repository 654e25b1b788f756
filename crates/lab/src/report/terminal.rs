//! The summary for a terminal: at most 40 lines of at most 100 columns.

use std::fmt::Write as _;

use super::summary::{Paper, Summary};

/// The longest line.
const COLUMNS: usize = 100;

/// The columns of verdicts, in the order of [`Outcome::NAMES`](crate::claims::Outcome::NAMES).
const VERDICTS: [&str; 6] = ["holds", "by a fit", "in part", "does not", "disputed", "not judged"];

impl Summary {
    /// As text.
    #[must_use]
    pub fn plain(&self) -> String {
        let mut text = String::new();
        if !self.papers.is_empty() {
            text += &format!("{:<30}", "How far the papers hold");
            VERDICTS.iter().for_each(|name| text += &format!("{name:>11}"));
            text += "\n";
            self.papers.iter().for_each(|paper| text += &paper.plain());
            text += &wrapped(super::summary::CASES, 2);
            text += &wrapped(&self.times, 2);
            text += "\n";
        }
        if !self.needs.is_empty() {
            text += "Which encoding to take\n";
            for need in &self.needs {
                let told = wrapped(&bare(&format!("{}. {}", need.take, need.brief)), 14);
                let _ = write!(text, "  {:<12}{}", need.of.trim_start_matches("the "), told.trim_start());
            }
            text += "\n";
        }
        if !self.absent.is_empty() {
            text += "Not measured here\n";
            self.absent.iter().for_each(|why| text += &wrapped(&bare(why), 2));
            text += "\n";
        }
        text
    }
}

impl Paper {
    fn plain(&self) -> String {
        let mut text = format!("  {:<28}", self.short);
        self.sentences.iter().for_each(|count| text += &format!("{count:>11}"));
        text += "\n";
        // As many statements as two lines hold; the page has all.
        let mut lines = String::new();
        for count in 1..=self.first.len() {
            let said: Vec<String> = self.first[..count].iter().map(super::summary::Said::line).collect();
            let more = wrapped(&said.join(" "), 4);
            if more.lines().count() > 2 && count > 1 {
                break;
            }
            lines = more;
        }
        text + &lines
    }
}

/// Without the marks of Markdown.
fn bare(text: &str) -> String {
    text.replace('`', "")
}

/// The text in lines, each after so many spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() + indent <= COLUMNS => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::needs::Need;
    use crate::report::summary::Said;

    fn paper(sentences: [usize; 6]) -> Paper {
        let said = |says: &str, verdict, evidence: &str| Said { says: says.into(), verdict, evidence: evidence.into() };
        Paper {
            study: "etsi-2015".into(),
            short: "Bittl et al. 2015".into(),
            title: "A comparison".into(),
            sentences,
            first: vec![
                said("ASN.1 is the shortest", "holds", "14 of 14, so does 1 other pair"),
                said("ASN.1 is the fastest", "disputed by other implementations", "12 of 12, rasn and prost 0 of 6"),
            ],
        }
    }

    #[test]
    fn a_summary_has_counts_statements_and_needs_in_short_lines() {
        let need = Need {
            of: "the channel",
            take: "`uper`".into(),
            why: String::new(),
            but: String::new(),
            brief: format!("{}But time goes by symbols.", "It has the fewest octets. ".repeat(5)),
        };
        let summary = Summary {
            papers: vec![paper([48, 5, 29, 25, 12, 13]); 5],
            needs: vec![need; 4],
            times: "The order is alike.".into(),
            absent: vec!["an Atom: install `qemu-user`.".into()],
        };
        let text = summary.plain();
        assert!(text.lines().count() <= 40, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        let row = text.lines().nth(1).unwrap();
        assert_eq!(row.split_whitespace().collect::<Vec<_>>()[4..], ["48", "5", "29", "25", "12", "13"]);
        for part in [
            "ASN.1 is the shortest: holds (14 of 14,",
            "  channel     uper. It has",
            "But time goes",
            "install qemu-user.",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_run_without_papers_and_messages_has_no_empty_headings() {
        let summary = Summary { papers: Vec::new(), needs: Vec::new(), times: String::new(), absent: Vec::new() };
        assert_eq!(summary.plain(), "");
    }
}
