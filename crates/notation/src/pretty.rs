//! JSON with line breaks and indentation.

/// The same JSON text, which has no white space between its tokens, with one member or element on
/// each line: what [`Notation::write_pretty`](crate::Notation::write_pretty) does with what
/// [`Notation::write`](crate::Notation::write) writes.
#[must_use]
pub fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut level, mut in_string, mut escaped) = (0usize, false, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if in_string {
            out.push(character);
            in_string = character != '"' || escaped;
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '{' | '[' => {
                out.push(character);
                if let Some(close @ ('}' | ']')) = characters.peek().copied() {
                    out.push(close);
                    characters.next();
                } else {
                    level += 1;
                    line(&mut out, level);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, level);
                out.push(character);
            }
            ',' => {
                out.push(character);
                line(&mut out, level);
            }
            ':' => out.push_str(": "),
            _ => {
                in_string = character == '"';
                out.push(character);
            }
        }
    }
    out
}

fn line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn strings_are_left_alone_and_what_is_empty_stays_on_its_line() {
        let text = r#"{"a":{},"b":[],"c":[1,{"d":"{\"x\\\",:[]}"}],"e":"\\"}"#;
        let lines = [
            "{",
            r#"  "a": {},"#,
            r#"  "b": [],"#,
            r#"  "c": ["#,
            "    1,",
            "    {",
            r#"      "d": "{\"x\\\",:[]}""#,
            "    }",
            "  ],",
            r#"  "e": "\\""#,
            "}",
        ];
        assert_eq!(indented(text), lines.join("\n"));
        assert_eq!(indented("7"), "7");
    }
}
