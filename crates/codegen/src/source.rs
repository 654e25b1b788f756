//! Source text with indentation, and the names of its variables.

/// Lines of source being written.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    level: usize,
    variables: usize,
}

impl Source {
    /// A line; one that begins with `}` or `)` goes one level out, one that ends with `{` or `(` opens one.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.is_empty() {
            self.text.push('\n');
            return;
        }
        if line.starts_with(['}', ')', ']']) {
            self.level = self.level.saturating_sub(1);
        }
        for _ in 0..self.level {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
        if !line.starts_with("//") && line.ends_with(['{', '(', '[']) {
            self.level += 1;
        }
    }

    /// Begins a function's body: names of variables begin anew.
    pub(crate) fn begin_body(&mut self) {
        self.variables = 0;
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
