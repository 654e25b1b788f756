//! Source text with indentation.

/// Lines of source being written.
#[derive(Default)]
pub(crate) struct Source {
    text: String,
    level: usize,
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

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
