//! Markdown with fenced blocks: sections, blocks, and text that is repeated.

/// The text under a heading `## ...`.
pub struct Section {
    /// The heading.
    pub title: String,
    /// The heading's line, from 1 on.
    pub line: usize,
    /// The fenced blocks.
    pub blocks: Vec<Block>,
}

/// A fenced block.
pub struct Block {
    /// The text after the fence.
    pub kind: String,
    /// The fence's line, from 1 on.
    pub line: usize,
    /// The text, with `‹text›×N` repeated N times.
    pub text: String,
}

/// The sections of a file. The text before the first one is prose.
///
/// # Panics
/// A block stands before the first heading or is not closed, or `‹` has no `›×N`.
#[must_use]
pub fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        let fence = line.strip_prefix("```");
        match (&mut open, fence) {
            (Some(_), Some(_)) => {
                let mut block = open.take().expect("a block is open");
                block.text = repeated(&block.text);
                found.last_mut().expect("a heading stands before every block").blocks.push(block);
            }
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, Some(info)) => {
                open = Some(Block { kind: info.trim().into(), line: number + 1, text: String::new() });
            }
            (None, None) => {
                if let Some(title) = line.strip_prefix("## ") {
                    found.push(Section { title: title.into(), line: number + 1, blocks: Vec::new() });
                }
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    found
}

fn repeated(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        out.push_str(before);
        let (inner, after) = after.split_once("›×").expect("‹text›×N");
        let digits = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        out.push_str(&inner.repeat(after[..digits].parse().expect("a count")));
        rest = &after[digits..];
    }
    out + rest
}
