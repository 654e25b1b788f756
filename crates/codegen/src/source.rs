//! Source text with indentation, and the names of its variables.

use std::ops::Range;

use roadwire_model::TypeId;

use roadwire_plan::GivenUp;

/// Lines of source being written.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    level: usize,
    variables: usize,
    /// The parts that are left to the interpreter, in the order found.
    given_up: Vec<GivenUp>,
    functions: Vec<Function>,
    /// The functions called outside of functions.
    pub(crate) entries: Vec<String>,
}

/// A function of the text.
pub(crate) struct Function {
    pub(crate) name: String,
    /// The functions that it calls.
    pub(crate) calls: Vec<String>,
    range: Range<usize>,
}

impl Source {
    /// Begins a function, with an attribute or none; `signature` follows its name.
    pub(crate) fn begin_function(&mut self, attribute: &str, name: String, signature: &str) {
        let start = self.text.len();
        self.line("");
        if !attribute.is_empty() {
            self.line(attribute);
        }
        self.line(format!("pub(super) fn {name}{signature} {{"));
        self.functions.push(Function { name, calls: Vec::new(), range: start..start });
    }

    pub(crate) fn end_function(&mut self) {
        self.line("}");
        if let Some(last) = self.functions.last_mut() {
            last.range.end = self.text.len();
        }
    }

    /// Notes a call of a function of the text.
    pub(crate) fn calls(&mut self, name: String) {
        match self.functions.last_mut() {
            Some(open) if open.range.is_empty() => open.calls.push(name),
            _ => self.entries.push(name),
        }
    }

    /// The functions so far, with their text.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&Function, &str)> {
        self.functions.iter().map(|one| (one, &self.text[one.range.clone()]))
    }

    /// Removes functions.
    pub(crate) fn retain_functions(&mut self, is_kept: impl Fn(&Function) -> bool) {
        for removed in std::mem::take(&mut self.functions).iter().rev().filter(|one| !is_kept(one)) {
            self.text.replace_range(removed.range.clone(), "");
        }
    }

    /// A line; one that begins with `}` or `)` goes one level out, one that ends with `{` or `(`
    /// opens one.
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

    /// Lines that have their indentation.
    pub(crate) fn lines(&mut self, lines: &str) {
        self.text.push_str(lines);
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
