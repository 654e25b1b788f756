//! Prints the functions of messages that a header declares.

use super::statements::Cursor;
use crate::source::Source;

/// The suffix of functions for plain values.
pub(super) const PLAIN: &str = "plain";

/// The condition for functions that say what is wrong, and where.
pub(super) const REASONS: &str = "!defined(RW_NO_REASONS)";

/// A message under some rules.
pub(super) struct Message<'m> {
    pub(super) name: &'m str,
    pub(super) rules: &'m str,
    pub(super) cursor: Cursor,
    /// Whether the input ends with the message, as a comparison.
    pub(super) ends: &'m str,
    pub(super) takes_memory: bool,
    /// An argument: how many levels of nesting there may be, if they are counted.
    pub(super) levels: String,
    /// The suffixes of the functions that are tried.
    pub(super) suffixes: &'m [&'m str],
    /// The least number of octets.
    pub(super) fewest: u64,
    /// Whether a message may have no bits: it is an octet then (X.691 §11.1.3).
    pub(super) may_be_empty: bool,
    /// The row of its first field, if there are functions that say what is wrong.
    pub(super) first: Option<u32>,
}

impl Message<'_> {
    /// Tries the function for plain values first.
    pub(super) fn encoder(&self, header: &mut Source, source: &mut Source) {
        let Message { name, rules, cursor, levels, fewest, .. } = self;
        // No bits wait where all is whole octets.
        let finish = if *cursor == Cursor::Bits { " && rw_finish(&w) == 0" } else { "" };
        let encode =
            format!("ptrdiff_t {name}_encode_{rules}(const {name} *value, uint8_t *out, size_t size, rw_error *error)");
        header.line("/* Writes a value; returns how many octets it takes, or a negative number. */");
        header.line(format!("{encode};"));
        source.line("");
        source.line(&encode);
        source.line("{");
        source.line("rw_writer w;");
        for suffix in self.suffixes {
            let room = if *suffix == PLAIN { format!("size >= {} && ", fewest + 8) } else { String::new() };
            where_wanted(condition(suffix), source, |source| {
                source.line("w = rw_writer_of(out, size);");
                source.line(format!("if ({room}{name}_encode_{rules}_{suffix}(value, &w{levels}) == 0{finish}) {{"));
                source.line("return (ptrdiff_t)w.stored;");
                source.line("}");
            });
        }
        let why = self.why(|whole| format!("{name}_encode_{rules}_why{whole}(value, &w{levels}, error)"));
        explanation(why, "NULL", "w = rw_writer_of(out, size);", "RW_OUTPUT_FULL", source);
        source.line("}");
    }

    /// The same.
    pub(super) fn decoder(&self, header: &mut Source, source: &mut Source) {
        let Message { name, rules, cursor, ends, takes_memory, levels, .. } = self;
        let (suffix, parameter, arena) =
            if *takes_memory { ("_in", "rw_arena *arena, ", ", arena") } else { ("", "", "") };
        let (reader, end, read) = match cursor {
            Cursor::Values => ("rw_input", format!(" && r.at {ends} r.end"), "r.at"),
            Cursor::Bits if self.may_be_empty => {
                ("rw_reader", String::new(), "((r.at + 7) / 8 + (r.at == 0 && size > 0))")
            }
            Cursor::Bits | Cursor::Whole => ("rw_reader", String::new(), "((r.at + 7) / 8)"),
        };
        let decode = format!(
            "ptrdiff_t {name}_decode_{rules}{suffix}({name} *value, const uint8_t *in, size_t size, {parameter}rw_error *error)"
        );
        header.line("/* Reads a value; returns how many octets it took, or a negative number. */");
        header.line(format!("{decode};"));
        source.line("");
        source.line(&decode);
        source.line("{");
        source.line(format!("{reader} r;"));
        if *takes_memory {
            source.line("const size_t used = arena->used;");
        }
        let reset = if *takes_memory { "arena->used = used;\n" } else { "" };
        let begin = format!("r = {reader}_of(in, size);\n{reset}");
        for suffix in self.suffixes {
            where_wanted(condition(suffix), source, |source| {
                begin.lines().for_each(|line| source.line(line));
                source.line(format!("if ({name}_decode_{rules}_{suffix}(value, &r{arena}{levels}) == 0{end}) {{"));
                source.line(format!("return (ptrdiff_t){read};"));
                source.line("}");
            });
        }
        let why = self.why(|whole| format!("{name}_decode_{rules}_why{whole}(value, &r{arena}{levels}, error)"));
        explanation(why, "in", &begin, "RW_REJECTED", source);
        source.line("}");
    }

    /// The call of the function that says what is wrong; `whole` is the end of its name.
    fn why(&self, call: impl FnOnce(&str) -> String) -> Option<(u32, String)> {
        let whole = if self.cursor == Cursor::Values { "_message" } else { "" };
        self.first.map(|first| (first, call(whole)))
    }
}

/// After all else has rejected: the call that says what is wrong, if there is one, with the row of
/// the message's first field.
fn explanation(why: Option<(u32, String)>, start: &str, begin: &str, otherwise: &str, source: &mut Source) {
    let rows = why.as_ref().map_or("NULL, NULL, 0".into(), |(first, _)| format!("{start}, RW_FIELDS, {first}"));
    source.line("if (error != NULL) {");
    source.line(format!("rw_explain(error, {rows});"));
    if let Some((_, call)) = why {
        where_wanted(Some(REASONS), source, |source| {
            begin.lines().for_each(|line| source.line(line));
            source.line(format!("if ({call} == 0) {{"));
            source.line(format!("error->code = {otherwise};"));
            source.line("}");
        });
    }
    source.line("}");
    source.line("return RW_REJECTED;");
}

/// Lines under a condition of the preprocessor.
fn where_wanted(condition: Option<&str>, source: &mut Source, inside: impl FnOnce(&mut Source)) {
    let Some(condition) = condition else { return inside(source) };
    source.lines(&format!("#if {condition}\n"));
    inside(source);
    source.lines("#endif\n");
}

/// The condition for functions with a suffix: those for plain values are left out where a compiler
/// is asked for little room.
pub(super) fn condition(suffix: &str) -> Option<&'static str> {
    (suffix == PLAIN).then_some("!RW_SMALL")
}
