//! XML with line breaks and indentation.

/// The empty elements that stand for control characters within a text (X.680 §12.15.5).
fn is_control(tag: &str) -> bool {
    let name = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix("/>"));
    let mut characters = (0..32u8).map(char::from);
    name.is_some_and(|name| characters.any(|one| roadwire_wire::rt::xml::control_element(one) == Some(name)))
}

/// The same document, which has no white space between its tags, with one element on each line.
/// Elements with text are not changed, nor are words and control characters, which are empty
/// elements.
pub(crate) fn indented(document: &str) -> String {
    let mut out = String::with_capacity(document.len() * 2);
    let mut level = 0usize;
    let mut rest = document;
    while let Some(tag) = tag(rest) {
        if tag.starts_with("</") {
            level = level.saturating_sub(1);
        }
        if !out.is_empty() {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", level));
        }
        let length = if tag.starts_with("</") || tag.ends_with("/>") {
            tag.len()
        } else if let Some(length) = inline(rest, tag) {
            length
        } else {
            level += 1;
            tag.len()
        };
        let (line, after) = rest.split_at(length);
        out.push_str(line);
        rest = after;
    }
    out + rest
}

/// The tag that a text begins with; quotes may hold a `>`.
fn tag(text: &str) -> Option<&str> {
    let mut quote = None;
    let end = text.char_indices().find(|(_, character)| match (quote, character) {
        (None, '>') => true,
        (None, '"' | '\'') => {
            quote = Some(*character);
            false
        }
        (Some(open), close) if open == *close => {
            quote = None;
            false
        }
        _ => false,
    });
    end.filter(|_| text.starts_with('<')).and_then(|(at, _)| text.get(..=at))
}

/// The length of the element that begins with this start tag, if it stays on one line: it contains
/// text, one empty element, or only control characters.
fn inline(text: &str, start: &str) -> Option<usize> {
    let length = roadwire_wire::rt::xml::element(text.as_bytes(), 0).ok()?;
    let whole = text.get(..length)?;
    let inside = whole.get(start.len()..whole.rfind("</")?)?;
    let (mut at, mut depth, mut count, mut controls, mut has_text) = (0, 0usize, 0, 0, false);
    while let Some(rest) = inside.get(at..).filter(|rest| !rest.is_empty()) {
        match tag(rest) {
            Some(tag) => {
                depth = if tag.starts_with("</") { depth.saturating_sub(1) } else { depth };
                count += usize::from(depth == 0);
                controls += usize::from(is_control(tag));
                depth += usize::from(!tag.starts_with("</") && !tag.ends_with("/>"));
                at += tag.len();
            }
            None => {
                has_text |= depth == 0;
                at += rest.char_indices().skip(1).find(|(_, one)| *one == '<').map_or(rest.len(), |(at, _)| at);
            }
        }
    }
    let is_word = count == 1 && inside.starts_with('<') && tag(inside).is_some_and(|tag| tag.len() == inside.len());
    (has_text || is_word || (count > 0 && controls == count)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn texts_and_words_are_left_alone() {
        let document =
            r#"<A x=">"><b><true/></b><c>a &lt; b</c><d/><e><f><g>1</g><g>2</g></f></e><h><nul/><soh/></h></A>"#;
        let lines = [
            r#"<A x=">">"#,
            "  <b><true/></b>",
            "  <c>a &lt; b</c>",
            "  <d/>",
            "  <e>",
            "    <f>",
            "      <g>1</g>",
            "      <g>2</g>",
            "    </f>",
            "  </e>",
            "  <h><nul/><soh/></h>",
            "</A>",
        ];
        assert_eq!(indented(document), lines.join("\n"));
        let texts = "<A>one<b><c>1</c></b>two</A>";
        assert_eq!(indented(texts), texts);
    }
}
