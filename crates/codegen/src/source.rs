//! Source text with indentation, and the names of its variables.

use roadwire_model::TypeId;

use crate::left::GivenUp;

/// Lines of source being written.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    level: usize,
    variables: usize,
    /// What is left to the interpreter, in the order found.
    given_up: Vec<GivenUp>,
}

impl Source {
    /// A line; one that begins with `}` or `)` goes one level out, one that ends with `{` or `(` opens one.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with(['}', ')', ']']) {
            self.level = self.level.saturating_sub(1);
        }
        for _ in 0..if line.is_empty() { 0 } else { self.level } {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
        if !line.starts_with("//") && line.ends_with(['{', '(', '[']) {
            self.level += 1;
        }
    }

    /// Begins a function's body: names of variables start again.
    pub(crate) fn begin_body(&mut self) {
        self.variables = 0;
    }

    /// Records what a plan leaves to the interpreter.
    pub(crate) fn record(&mut self, given_up: Vec<GivenUp>) {
        self.given_up.extend(given_up);
    }

    /// Leaves a whole message to the interpreter.
    pub(crate) fn give_up_message(&mut self, root: TypeId) {
        self.given_up.push(GivenUp { holder: None, part: root, is_always: true });
    }

    /// All that has been given up since the last call.
    pub(crate) fn take_given_up(&mut self) -> Vec<GivenUp> {
        std::mem::take(&mut self.given_up)
    }

    /// Appends source that was written separately, outside of all blocks.
    pub(crate) fn append(&mut self, other: Source) {
        self.text.push_str(&other.text);
    }

    /// A name that no other variable of the function has.
    pub(crate) fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }

    /// Gives up under a condition.
    pub(crate) fn refuse_if(&mut self, condition: &str) {
        self.line(format!("if {condition} {{"));
        self.line("return Err(wire::Rejected);");
        self.line("}");
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
