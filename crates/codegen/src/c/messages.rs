//! Prints the functions of messages that a header declares.

use super::statements::Cursor;
use crate::source::Source;

/// The suffix of functions for plain values.
pub(super) const PLAIN: &str = "plain";

/// The condition for functions that say what is wrong, and where.
pub(super) const REASONS: &str = "!defined(RW_NO_REASONS)";

/// Whether a decoder takes memory from an arena.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Memory {
    None,
    /// Only for rare forms: to join a string in several segments, for elements beyond the root of a
    /// list, to merge messages. There is also a decoder without an arena, which refuses these.
    ForRare,
    Taken,
}

/// A message under some rules.
pub(super) struct Message<'m> {
    pub(super) name: &'m str,
    pub(super) rules: &'m str,
    pub(super) cursor: Cursor,
    /// Whether the input ends with the message, as a comparison.
    pub(super) ends: &'m str,
    pub(super) memory: Memory,
    /// An argument: how many levels of nesting there may be, if they are counted.
    pub(super) levels: String,
    /// The suffixes of the functions that are tried.
    pub(super) suffixes: &'m [&'m str],
    /// The least number of octets.
    pub(super) fewest: u64,
    /// Whether a message may have no bits: it is an octet then (X.691 §11.1.3).
    pub(super) may_be_empty: bool,
    /// Whether something is around its contents, for which there is a function of its own.
    pub(super) has_frame: bool,
    /// The row of its first field, if there are functions that say what is wrong.
    pub(super) first: Option<u32>,
}

impl Message<'_> {
    /// Tries the function for plain values first.
    /// `check` is the function that checks a value, if there is something to check.
    pub(super) fn encoder(&self, check: Option<String>, header: &mut Source, source: &mut Source) {
        let done = checked(check, "(ptrdiff_t)w.stored");
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
                source.line(format!("return {done};"));
                source.line("}");
            });
        }
        let call = self.thorough(|whole| format!("{name}_encode_{rules}_why{whole}(value, &w{levels}, why)"));
        let last = Last {
            call,
            start: "NULL",
            begin: "w = rw_writer_of(out, size);",
            end: finish,
            otherwise: "RW_OUTPUT_FULL",
            leaves_arena: false,
        };
        last.print(&done, source);
        source.line("}");
    }

    /// The same.
    pub(super) fn decoder(&self, check: Option<String>, header: &mut Source, source: &mut Source) {
        let Message { name, rules, cursor, ends, memory, levels, .. } = self;
        let takes_memory = *memory == Memory::Taken;
        let has_arena = *memory != Memory::None;
        let (suffix, parameter) = if has_arena { ("_in", "rw_arena *arena, ") } else { ("", "") };
        let arena = if takes_memory { ", arena" } else { "" };
        let (reader, end, read) = match cursor {
            Cursor::Values => ("rw_input", format!(" && r.at {ends} r.end"), "r.at"),
            Cursor::Bits if self.may_be_empty => {
                ("rw_reader", String::new(), "((r.at + 7) / 8 + (r.at == 0 && size > 0))")
            }
            Cursor::Bits | Cursor::Whole => ("rw_reader", String::new(), "((r.at + 7) / 8)"),
        };
        let done = checked(check, &format!("(ptrdiff_t){read}"));
        let decode = format!(
            "ptrdiff_t {name}_decode_{rules}{suffix}({name} *value, const uint8_t *in, size_t size, {parameter}rw_error *error)"
        );
        header.line("/* Reads a value; returns how many octets it took, or a negative number. */");
        header.line(format!("{decode};"));
        source.line("");
        source.line(&decode);
        source.line("{");
        source.line(format!("{reader} r;"));
        if takes_memory {
            source.line("const size_t used = arena->used;");
        }
        let reset = if takes_memory { "arena->used = used;\n" } else { "" };
        let begin = format!("r = {reader}_of(in, size);\n{reset}");
        for suffix in self.suffixes {
            where_wanted(condition(suffix), source, |source| {
                begin.lines().for_each(|line| source.line(line));
                source.line(format!("if ({name}_decode_{rules}_{suffix}(value, &r{arena}{levels}) == 0{end}) {{"));
                source.line(format!("return {done};"));
                source.line("}");
            });
        }
        let arena = if has_arena { ", arena" } else { "" };
        let call = self.thorough(|whole| format!("{name}_decode_{rules}_why{whole}(value, &r{arena}{levels}, why)"));
        let leaves_arena = *memory == Memory::ForRare;
        let last = Last { call, start: "in", begin: &begin, end: &end, otherwise: "RW_REJECTED", leaves_arena };
        last.print(&done, source);
        source.line("}");
        if *memory == Memory::ForRare {
            self.decoder_without_memory(header, source);
        }
    }

    /// A decoder that has no memory for rare forms.
    fn decoder_without_memory(&self, header: &mut Source, source: &mut Source) {
        let Message { name, rules, .. } = self;
        let decode =
            format!("ptrdiff_t {name}_decode_{rules}({name} *value, const uint8_t *in, size_t size, rw_error *error)");
        header.line("/* The same without memory: rare forms that take some are refused. */");
        header.line(format!("{decode};"));
        source.line("");
        source.line(&decode);
        source.line("{");
        source.line("uint64_t none[1] = {0};");
        source.line("rw_arena arena = rw_arena_of(none, 0);");
        source.line(format!("return {name}_decode_{rules}_in(value, in, size, &arena, error);"));
        source.line("}");
    }

    /// The call of the thorough function; `whole` is the end of its name.
    fn thorough(&self, call: impl FnOnce(&str) -> String) -> Option<(u32, String)> {
        let whole = if self.has_frame { "_message" } else { "" };
        self.first.map(|first| (first, call(whole)))
    }
}

/// The number of octets that is returned; with `check` if the value keeps its constraints.
fn checked(check: Option<String>, octets: &str) -> String {
    check.map_or(octets.to_owned(), |check| format!("{check}(value, error, {octets})"))
}

/// The last steps, after all else has rejected.
struct Last<'l> {
    /// The call of the thorough function, if there is one, with the row of the message's first
    /// field.
    call: Option<(u32, String)>,
    start: &'l str,
    begin: &'l str,
    /// A condition that a message has at its end, and the code if it has not.
    end: &'l str,
    otherwise: &'l str,
    /// Whether nothing else takes memory of an arena that there is.
    leaves_arena: bool,
}

impl Last<'_> {
    /// The thorough function takes what is rare, or says what is wrong.
    fn print(&self, done: &str, source: &mut Source) {
        if let Some((first, call)) = &self.call {
            where_wanted(Some(REASONS), source, |source| {
                source.line("{");
                source.line("rw_error own;");
                source.line("rw_error *const why = error != NULL ? error : &own;");
                source.line(format!("rw_explain(why, {}, RW_FIELDS, {first});", self.start));
                self.begin.lines().for_each(|line| source.line(line));
                source.line(format!("if ({call} == 0) {{"));
                if !self.end.is_empty() {
                    source.line(format!("if ({}) {{", self.end.trim_start_matches(" && ")));
                }
                source.line(format!("return {done};"));
                if !self.end.is_empty() {
                    source.line("}");
                    source.line(format!("why->code = {};", self.otherwise));
                }
                source.line("}");
                source.line("}");
            });
        }
        let without = self.call.as_ref().map(|_| "defined(RW_NO_REASONS)");
        where_wanted(without, source, |source| {
            if self.leaves_arena {
                source.line("(void)arena;");
            }
            source.line("if (error != NULL) {");
            source.line("rw_explain(error, NULL, NULL, 0);");
            source.line("}");
        });
        source.line("return RW_REJECTED;");
    }
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
