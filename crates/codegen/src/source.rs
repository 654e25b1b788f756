//! Source text with indentation, and the names of its variables.

use roadwire_model::TypeId;

use crate::left::GivenUp;

/// Lines of source being written.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    level: usize,
    variables: usize,
    /// The level of a block that has been given up: the rest of it is not written.
    left: Option<usize>,
    /// The nested types that are being coded.
    types: Vec<TypeId>,
    /// What is left to the interpreter, in the order found.
    given_up: Vec<GivenUp>,
    /// Whether a whole message's function is being written; otherwise it is a part's.
    pub(crate) is_message: bool,
    body: usize,
}

impl Source {
    /// A line; one that begins with `}` or `)` goes one level out, one that ends with `{` or `(` opens one.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with(['}', ')', ']']) {
            self.level = self.level.saturating_sub(1);
        }
        self.left = self.left.filter(|left| self.level >= *left);
        if self.left.is_none() {
            for _ in 0..if line.is_empty() { 0 } else { self.level } {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
            self.text.push('\n');
        }
        if !line.starts_with("//") && line.ends_with(['{', '(', '[']) {
            self.level += 1;
        }
    }

    /// Begins a function's body: names of variables start again.
    pub(crate) fn begin_body(&mut self) {
        self.variables = 0;
        self.body = self.level;
    }

    /// Begins the code for a type.
    pub(crate) fn enter(&mut self, id: TypeId) {
        self.types.push(id);
    }

    pub(crate) fn leave(&mut self) {
        self.types.pop();
    }

    /// Leaves the current part to the interpreter: the rest of this block is not written. Other parts of it that would be left are still recorded.
    pub(crate) fn give_up(&mut self) {
        if self.left.is_none() {
            self.line("return Err(wire::Rejected);");
            self.left = Some(self.level);
        }
        if let Some(part) = self.types.last().copied() {
            let holder = self.types.iter().rev().find(|id| **id != part).copied();
            let is_always = self.is_message && self.level == self.body;
            self.given_up.push(GivenUp { holder, part, is_always });
        }
    }

    /// Records what a plan leaves to the interpreter.
    pub(crate) fn record(&mut self, given_up: Vec<GivenUp>) {
        self.given_up.extend(given_up);
    }

    /// Leaves a whole message to the interpreter.
    pub(crate) fn give_up_message(&mut self, root: TypeId) {
        self.given_up.push(GivenUp { holder: None, part: root, is_always: true });
    }

    /// Whether code is currently not written, because it follows something that was given up.
    pub(crate) fn has_given_up(&self) -> bool {
        self.left.is_some()
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
