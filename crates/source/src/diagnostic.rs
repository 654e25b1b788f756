//! Diagnostics of front ends for module text.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::fmt::Write as _;

use roadwire_wire::names::nearest;

use crate::text::{SourceText, Span};

/// Whether a diagnostic refuses the modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The modules are refused.
    Error,
    /// The modules are accepted, but something is doubtful.
    Warning,
    /// Information.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// One finding, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Refused or only doubtful.
    pub severity: Severity,
    /// Stable identity, such as `asn1.name.unknown`.
    pub code: &'static str,
    /// The message, without the place.
    pub message: String,
    /// Name of the file, as in [`crate::Source::name`].
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, counted in characters.
    pub column: u32,
    /// How many characters are marked, at least 1; never beyond the line.
    pub length: u32,
    /// The line of the source.
    pub source_line: String,
    /// Further help: an earlier definition, a suggestion.
    pub note: Option<String>,
    /// The clause of the standard that is broken, unless the message names it.
    pub rule: Option<&'static str>,
    /// Other compilers that let this pass.
    pub taken_by: &'static [&'static str],
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}: {} [{}]",
            self.file,
            self.line,
            self.column,
            self.severity.name(),
            self.message,
            self.code
        )
    }
}

impl Diagnostic {
    /// The diagnostic with its source line and a caret under the place.
    pub fn render(&self) -> String {
        let mut out = format!("{}[{}]: {}\n", self.severity.name(), self.code, self.message);
        let number = self.line.to_string();
        let pad = " ".repeat(number.len());
        let (shown, caret_at) = self.window();
        let carets = "^".repeat((self.length as usize).min(shown.chars().count().saturating_sub(caret_at)).max(1));
        let _ = writeln!(out, "{pad}--> {}:{}:{}", self.file, self.line, self.column);
        let _ = writeln!(out, "{pad} |");
        let _ = writeln!(out, "{number} | {shown}");
        let _ = writeln!(out, "{pad} | {}{carets}", " ".repeat(caret_at));
        if let Some(note) = &self.note {
            let _ = writeln!(out, "{pad} = note: {note}");
        }
        if let Some(rule) = &self.rule {
            let _ = writeln!(out, "{pad} = rule: {rule}");
        }
        if !self.taken_by.is_empty() {
            let _ = writeln!(out, "{pad} = note: accepted by {}", self.taken_by.join(", "));
        }
        out
    }

    /// The part of a long line around the place, and the place in it.
    fn window(&self) -> (String, usize) {
        const WIDTH: usize = 110;
        const BEFORE: usize = 60;
        let chars: Vec<char> = self.source_line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let at = (self.column as usize).saturating_sub(1).min(chars.len());
        let from = if chars.len() <= WIDTH { 0 } else { at.saturating_sub(BEFORE).min(chars.len() - WIDTH) };
        let to = (from + WIDTH).min(chars.len());
        let mut shown: String = chars.iter().take(to).skip(from).collect();
        let mut caret_at = at - from;
        if from > 0 {
            shown.insert_str(0, "...");
            caret_at += 3;
        }
        if to < chars.len() {
            shown.push_str("...");
        }
        (shown, caret_at)
    }
}

/// All that one run found, in the order of the sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many were found.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The diagnostics, first to last.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The code of the first one; `module` if there are none.
    pub fn code(&self) -> &'static str {
        self.0.first().map_or("module", |first| first.code)
    }

    /// All of them as text for human readers, with source lines and carets.
    pub fn render(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(Diagnostic::render).collect();
        parts.join("\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for Diagnostics {}

/// Proof that an error has been reported, so that it is not reported again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reported(());

impl Reported {
    /// For a failure whose cause was reported elsewhere (a poisoned definition).
    #[must_use]
    pub fn before() -> Self {
        Reported(())
    }
}

/// `Err` means that a diagnostic has been given.
pub type Outcome<T> = Result<T, Reported>;

/// The most errors, and the most warnings, that are kept.
const MAX_FINDINGS: usize = 200;

/// The most unknown names for which a similar one is searched: no more errors are shown, and each
/// search compares all names.
const MAX_SEARCHES: u32 = 20;

#[derive(Debug)]
struct Finding {
    severity: Severity,
    code: &'static str,
    span: Span,
    message: String,
    note: Option<String>,
}

/// Collects findings during a run.
#[derive(Debug, Default)]
pub struct Sink {
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    seen: HashSet<(&'static str, Span)>,
    errors: usize,
    searches: Cell<u32>,
}

impl Sink {
    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.push(Severity::Error, code, span, message.into(), None);
        Reported(())
    }

    /// Reports an error, with further help.
    pub fn error_note(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        note: Option<String>,
    ) -> Reported {
        self.push(Severity::Error, code, span, message.into(), note);
        Reported(())
    }

    /// Reports a warning.
    pub fn warning(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.push(Severity::Warning, code, span, message.into(), None);
    }

    /// Adds a note, which is returned by [`Sink::notes`], not by [`Sink::finish`].
    pub fn note(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if self.notes.len() < MAX_FINDINGS && self.seen.insert((code, span)) {
            self.notes.push(Finding { severity: Severity::Note, code, span, message: message.into(), note: None });
        }
    }

    fn push(&mut self, severity: Severity, code: &'static str, span: Span, message: String, note: Option<String>) {
        let is_error = severity == Severity::Error;
        // Many warnings leave room for errors.
        let before = if is_error { self.errors } else { self.findings.len() - self.errors };
        // The same text read twice (as by two instances of a parameterised type) is wrong once.
        if before < MAX_FINDINGS && self.seen.insert((code, span)) {
            self.errors += usize::from(is_error);
            self.findings.push(Finding { severity, code, span, message, note });
        }
    }

    /// The nearest of `known` to an unknown name, as a note: "did you mean `x`?".
    pub fn suggestion<'a>(&self, wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
        self.searches.set(self.searches.get().saturating_add(1));
        if self.searches.get() > MAX_SEARCHES {
            return None;
        }
        nearest(wanted, known, 1).first().map(|name| format!("did you mean `{name}`?"))
    }

    /// Whether the lexer reported an error from `from` to `to` (offsets) of a file.
    #[must_use]
    pub fn lexical_between(&self, file: u32, from: u32, to: u32) -> bool {
        self.findings.iter().any(|f| {
            f.code.contains(".lex.")
                && !f.code.ends_with(".lex.name")
                && f.span.file == file
                && (from..=to).contains(&f.span.start)
        })
    }

    /// Whether an error was reported.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether so many errors were reported that no further one is kept.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.errors >= MAX_FINDINGS
    }

    /// Public diagnostics, by place.
    #[must_use]
    pub fn finish(self, files: &[SourceText]) -> Diagnostics {
        Sink::public(self.findings, files)
    }

    /// Public notes, by place.
    #[must_use]
    pub fn notes(&mut self, files: &[SourceText]) -> Diagnostics {
        Sink::public(std::mem::take(&mut self.notes), files)
    }

    fn public(mut findings: Vec<Finding>, files: &[SourceText]) -> Diagnostics {
        findings.sort_by_key(|f| (f.span.file, f.span.start));
        Diagnostics(
            findings
                .into_iter()
                .filter_map(|f| {
                    let file = files.get(f.span.file as usize)?;
                    let (line, column) = file.position(f.span.start);
                    let source_line = file.line(line).to_owned();
                    let left = source_line.chars().count() as u32 + 1;
                    let meant = file.slice(f.span).chars().count() as u32;
                    Some(Diagnostic {
                        severity: f.severity,
                        code: f.code,
                        message: f.message,
                        file: file.name.clone(),
                        line,
                        column,
                        length: meant.min(left.saturating_sub(column)).max(1),
                        source_line,
                        note: f.note,
                        rule: None,
                        taken_by: &[],
                    })
                })
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_FINDINGS, Sink};
    use crate::text::{Source, SourceText, Span};

    #[test]
    fn names_are_searched_for_the_first_errors_only() {
        let sink = Sink::default();
        let mut looked = 0;
        for _ in 0..1000 {
            let _ = sink.suggestion("lattitude", ["latitude"].into_iter().inspect(|_| looked += 1));
        }
        assert_eq!(looked, super::MAX_SEARCHES);
    }

    #[test]
    fn a_sink_is_full_of_errors_alone() {
        let at = |start| Span { file: 0, start, end: start + 1 };
        let mut sink = Sink::default();
        for start in 0..MAX_FINDINGS as u32 {
            assert!(!sink.is_full());
            sink.warning("w", at(start), "doubtful");
            sink.error("e", at(start), "wrong");
        }
        assert!(sink.is_full());
    }

    #[test]
    fn warnings_leave_room_for_errors() {
        let files = [SourceText::decode(&Source::new("m", "x".repeat(3 * MAX_FINDINGS)))];
        let at = |start| Span { file: 0, start, end: start + 1 };
        let mut sink = Sink::default();
        for start in 0..2 * MAX_FINDINGS as u32 {
            sink.warning("w", at(start), "doubtful");
        }
        assert!(!sink.has_errors());
        sink.error("e", at(0), "wrong");
        assert!(sink.has_errors());
        assert_eq!(sink.finish(&files).iter().filter(|found| found.code == "e").count(), 1);
    }

    fn one_line(text: &str) -> [SourceText; 1] {
        [SourceText::decode(&Source::new("m.asn", text))]
    }

    #[test]
    fn a_finding_is_shown_with_its_line_and_the_place_in_it() {
        let files = one_line("A ::= INTEGR\n\tB ::= A");
        let mut sink = Sink::default();
        sink.error_note("asn1.type.unknown", Span { file: 0, start: 6, end: 12 }, "no type", Some("INTEGER?".into()));
        sink.warning("asn1.odd", Span { file: 0, start: 14, end: 15 }, "odd");
        let found = sink.finish(&files);
        assert_eq!((found.len(), found.is_empty()), (2, false));
        assert_eq!(found.iter().next().unwrap().to_string(), "m.asn:1:7: error: no type [asn1.type.unknown]");
        let wanted = "error[asn1.type.unknown]: no type
 --> m.asn:1:7
  |
1 | A ::= INTEGR
  |       ^^^^^^
  = note: INTEGER?

warning[asn1.odd]: odd
 --> m.asn:2:2
  |
2 |  B ::= A
  |  ^
";
        assert_eq!(found.to_string(), wanted);
        assert_eq!(found.render(), wanted);
    }

    #[test]
    fn of_a_long_line_110_characters_are_shown() {
        let caret = |line: &str, start: u32| {
            let mut sink = Sink::default();
            sink.error("e", Span { file: 0, start, end: start + 1 }, "wrong");
            let text = sink.finish(&one_line(line)).render();
            let lines: Vec<&str> = text.lines().collect();
            let (shown, carets) = (lines[3].strip_prefix("1 | ").unwrap(), lines[4].strip_prefix("  | ").unwrap());
            (shown.to_owned(), carets.chars().count())
        };
        let line: String = (0..300).map(|at| char::from(b'a' + (at % 26) as u8)).collect();
        let letter = |at: u32| char::from(b'a' + (at % 26) as u8);
        assert_eq!(caret(&line[..110], 109), (line[..110].to_owned(), 110), "a line of 110 characters is whole");
        let (shown, at) = caret(&line, 0);
        assert_eq!((shown, at), (format!("{}...", &line[..110]), 1));
        let (shown, at) = caret(&line, 150);
        assert_eq!((shown.len(), &shown[..3], &shown[113..], at), (116, "...", "...", 64), "60 of them are before it");
        assert_eq!(shown.chars().nth(at - 1), Some(letter(150)));
        let (shown, at) = caret(&line, 299);
        assert_eq!((shown.as_str(), at), (format!("...{}", &line[190..]).as_str(), 113), "the end of the line");
    }

    #[test]
    fn so_many_notes_are_kept_and_each_once() {
        let files = one_line(&"x".repeat(2 * MAX_FINDINGS));
        let mut sink = Sink::default();
        for start in [3, 3, 3].into_iter().chain(0..2 * MAX_FINDINGS as u32) {
            sink.note("n", Span { file: 0, start, end: start + 1 }, "so it is");
        }
        assert_eq!(sink.notes(&files).len(), MAX_FINDINGS);
        assert!(sink.notes(&files).is_empty(), "they are taken");
        assert!(sink.finish(&files).is_empty(), "they are no findings");
    }

    #[test]
    fn so_many_warnings_are_kept() {
        let files = one_line(&"x".repeat(2 * MAX_FINDINGS));
        let mut sink = Sink::default();
        sink.error("e", Span { file: 0, start: 0, end: 1 }, "wrong");
        for start in 0..2 * MAX_FINDINGS as u32 {
            sink.warning("w", Span { file: 0, start, end: start + 1 }, "doubtful");
        }
        assert_eq!(sink.finish(&files).len(), 1 + MAX_FINDINGS);
    }

    #[test]
    fn an_error_of_the_lexer_is_between_two_places_of_its_file() {
        let mut sink = Sink::default();
        let at = |start| Span { file: 1, start, end: start + 1 };
        sink.error("asn1.lex.character", at(10), "wrong");
        sink.error("asn1.lex.name", at(20), "a name");
        sink.error("asn1.type.unknown", at(30), "no type");
        let between = |file, from, to| sink.lexical_between(file, from, to);
        assert!(between(1, 10, 10) && between(1, 0, 10) && between(1, 10, 11));
        assert!(!between(1, 0, 9) && !between(1, 11, 40), "neither before nor behind it");
        assert!(!between(0, 0, 40) && !between(2, 0, 40), "not in another file");
    }

    #[test]
    fn suggestions_are_for_names_with_something_in_common() {
        let suggested = |wanted| Sink::default().suggestion(wanted, ["A", "Id", "Latitude", "Longitude"].into_iter());
        assert_eq!(suggested("B"), None);
        assert_eq!(suggested("Ix"), None);
        assert_eq!(suggested("id").as_deref(), Some("did you mean `Id`?"));
        assert_eq!(suggested("Lattitude").as_deref(), Some("did you mean `Latitude`?"));
    }
}
