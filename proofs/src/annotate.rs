//! The runtime of C with its contracts: `frama-c/contracts.acsl` is in blocks, each for a function.
//!
//! ```text
//! == rw_load_few
//! requires ...;
//! -- loop 1
//! loop invariant ...;
//! ```
//!
//! `-- before` begins text that stands before the function as it is, up to `-- contract`, and
//! `-- at CODE` an annotation before the first line of the function that begins with this code. The
//! headers themselves have no contracts: those that use them do not have to read these.
//!
//! Eva does not relate a result to a variable that is set unless a function refuses. So in
//! generated code a condition such as `rw_take(...) != 0` becomes
//! `((rw_refuses() && rw_take_refused(...) != 0) || rw_take_taken(...) != 0)`: `rw_refuses` is
//! anything, and of each of the other two Eva takes a half of the contract that WP proves. What
//! generated code does with a reader without a function of the runtime, to load from a place and to
//! go to one, gets functions as well, with contracts.

use std::error::Error;
use std::fs;
use std::path::Path;

/// The parts of the runtime, in the order of `C_RUNTIME`.
const PARTS: [&str; 14] = [
    "errors",
    "values",
    "arena",
    "streams",
    "packed",
    "fragments",
    "octets",
    "elements",
    "order",
    "fields",
    "items",
    "vectors",
    "events",
    "text",
];

/// Functions that set a variable unless they refuse.
const SPLIT: [&str; 22] = [
    "rw_take",
    "rw_take_wide",
    "rw_lend",
    "rw_take_count",
    "rw_take_size",
    "rw_take_unsigned",
    "rw_take_signed",
    "rw_take_rest",
    "rw_take_additions",
    "rw_put_additions",
    "rw_take_length",
    "rw_take_counted",
    "rw_take_counted_unsigned",
    "rw_take_counted_signed",
    "rw_take_quantity",
    "rw_take_addition_bits",
    "rw_take_tagged",
    "rw_inside",
    "rw_put_octets",
    "rw_put_tagged",
    "rw_put_addition_bits",
    "rw_put_unknown_octets",
];

/// Functions for places that generated code has none for.
const PLACES: &str = "
static inline uint64_t rw_load_at(rw_reader *reader, size_t from)
{
    return rw_load(reader->octets + from);
}

static inline void rw_go(rw_reader *reader, uint64_t at)
{
    reader->at = at;
}

static inline const uint8_t *rw_from(rw_reader *reader, size_t from)
{
    return reader->octets + from;
}

static inline size_t rw_below(size_t at, size_t count)
{
    (void)count;
    return at;
}

#ifndef RW_ANY_SIZE
#define RW_ITEM(items, at) (&(items)[at])
#endif
";

/// The functions that give memory, for Eva with messages of any size: each gives a place with so
/// many octets after it, or a new one with room for `RW_ROOM` elements.
const ANY: &str = "
#ifdef RW_ANY_SIZE
#include <stdlib.h>
#define RW_ANY 256
extern uint8_t rw_any[RW_ANY];

/*@ requires \\valid(reader); assigns reader->at \\from reader->at, count; ensures reader->at == \\old(reader->at) + 8 * count; */
void rw_pass(rw_reader *reader, uint64_t count);

static inline const uint8_t *rw_any_head(rw_reader *reader, uint64_t count)
{
    rw_pass(reader, count);
    return rw_any + (RW_ANY - count);
}

/*@ requires from <= reader->size; */
static inline const uint8_t *rw_any_from(rw_reader *reader, size_t from)
{
    size_t left = reader->size - from;
    return rw_any + (left < RW_ANY ? RW_ANY - left : 0);
}

static inline void *rw_any_list(uint64_t count, size_t size)
{
    return count == 0 ? NULL : malloc(count * size);
}

/* An element of a list of the caller is anything. */
extern uint8_t rw_any_items[4096];
void Frama_C_make_unknown(char *, size_t);

static inline void *rw_any_item(size_t size)
{
    Frama_C_make_unknown((char *)rw_any_items, sizeof rw_any_items);
    return rw_any_items + (sizeof rw_any_items - size);
}
#define RW_ITEM(items, at) ((__typeof__(items))rw_any_item(sizeof *(items)))
#define rw_head rw_any_head
#define rw_from rw_any_from
#define rw_new_list(arena, count, size) rw_any_list(count, size)
#define rw_elements(reader, count, bits) ((uint64_t)RW_ROOM)
#endif
";

/// How an error gets the result of a function.
const REASON: &str = "rw_refuse(error, ";

/// The contract of a function.
#[derive(Debug, Default)]
struct Contract {
    name: String,
    before: String,
    contract: String,
    loops: Vec<String>,
    /// The code that a line begins with, and what is before it.
    lines: Vec<(String, String)>,
}

/// Where in a contract the lines of a file belong.
enum Place {
    Contract,
    Before,
    Loop(usize),
    Line,
}

/// Writes `roadwire_rt.h` with contracts into a folder.
pub(crate) fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut runtime = "#ifndef ROADWIRE_RT_H\n#define ROADWIRE_RT_H\n".to_owned();
    for part in PARTS {
        runtime += &fs::read_to_string(here.join(format!("../crates/codegen/src/c/runtime/{part}.h")))?;
    }
    runtime += PLACES;
    let contracts = read(&fs::read_to_string(here.join("frama-c/contracts.acsl"))?)?;
    fs::write(folder.join("roadwire_rt.h"), annotated(&runtime, &contracts)? + ANY + "#endif\n")?;
    Ok(())
}

/// Generated code whose conditions are split, and that goes to places by functions.
pub(crate) fn generated(code: &str, header: &str) -> Result<String, Box<dyn Error>> {
    let is_lent = header.contains(" *items;");
    if is_lent && header.contains(" items[") {
        return Err("some lists are in place, and some are not".into());
    }
    let mut by_functions = String::new();
    // A variable that is the next octets, and their call: the next line asks whether there are any.
    let mut next: Option<(&str, &str)> = None;
    for line in code.replace("rw_load(r.octets + ", "rw_load_at(&r, ").lines() {
        let code = line.trim_start();
        if let Some((name, call)) = next.take() {
            if code != format!("if ({name} == NULL) {{") {
                return Err(format!("generated code does not ask whether {name} is there").into());
            }
            by_functions += &format!("if (rw_refuses() || ({name} = {call}) == NULL) {{\n");
        } else if let Some((name, call)) = head_of(code) {
            by_functions += &format!("const uint8_t *{name};\n");
            next = Some((name, call));
        } else if let Some(place) = code.strip_prefix("r.at = ") {
            by_functions += &format!("rw_go(&r, {});\n", place.trim_end_matches(';'));
        } else if let Some((before, items, at)) = item_of(line).filter(|(before, ..)| is_lent && is_read(before)) {
            by_functions += &format!("{before}RW_ITEM({items}items, {at});\n");
        } else if let Some((before, items, at)) = item_of(line).filter(|_| !is_lent) {
            let all = format!("{items}items");
            by_functions += &format!("{before}&{all}[rw_below({at}, sizeof {all} / sizeof *{all})];\n");
        } else if let Some((text, of)) = code.strip_prefix("rw_copy(").and_then(|of| of.split_once(", (uint8_t *)")) {
            let all = of.trim_end_matches(");");
            by_functions += &format!("(void)rw_below({text}.size, sizeof {all} + 1);\n{line}\n");
        } else if let Some((before, place)) = line.split_once("r.octets + ") {
            by_functions += &format!("{before}rw_from(&r, {});\n", place.trim_end_matches(';'));
        } else if let Some((before, place)) = line.split_once("r.octets[") {
            by_functions += &format!("{before}*rw_from(&r, {}\n", place.replacen(']', ")", 1));
        } else {
            by_functions += &format!("{line}\n");
        }
    }
    kept(&by_functions)?;
    Ok(SPLIT.iter().fold(by_functions, |code, name| {
        conditions(&code, name, |call, is_reason| {
            let [refused, taken] = ["refused", "taken"].map(|half| call.replacen(name, &format!("{name}_{half}"), 1));
            match is_reason {
                true => format!("((rw_refuses() && {REASON}{refused}) || {REASON}{taken})"),
                false => format!("((rw_refuses() && {refused}) || {taken})"),
            }
        })
    }))
}

/// A line that sets a variable to the address of an element of a value: what is before the address,
/// the list, and the element's number.
fn item_of(line: &str) -> Option<(&str, &str, &str)> {
    let (before, element) = line.split_at(line.find('&')?);
    let (items, at) = element[1..].strip_suffix("];")?.split_once("items[")?;
    before.ends_with("= ").then_some((before, items, at))
}

/// Whether a variable is for a value that is read alone.
fn is_read(before: &str) -> bool {
    before.trim_start().starts_with("const ")
}

/// The variable that a line sets to the next octets, and the call that gives them.
fn head_of(code: &str) -> Option<(&str, &str)> {
    let (name, call) = code.strip_prefix("const uint8_t *")?.split_once(" = ")?;
    call.starts_with("rw_head(").then_some((name, call.trim_end_matches(';')))
}

/// Generated code changes readers and writers by functions alone: it copies whole ones, and looks
/// at their parts.
fn kept(code: &str) -> Result<(), Box<dyn Error>> {
    for call in code.split("rw_close_octets(&w, ").skip(1) {
        let start = call.split(')').next().unwrap_or_default();
        let opened = format!("const uint64_t {start} = rw_position(&w);");
        let is_opened = code.split(&opened).skip(1).all(|after| {
            let call = after.find("(&w").map_or("", |at| &after[at..]);
            let bits = brackets(call).and_then(|end| call[..end - 1].rsplit(", ").next()?.parse::<u32>().ok());
            after.split("(&w").next().is_some_and(|before| before.ends_with("rw_put_whole")) && bits >= Some(8)
        });
        if !is_opened || !code.contains(&opened) {
            return Err(format!("no octet is written at {start}, where an open type ends").into());
        }
    }
    let mut names: Vec<&str> = code
        .lines()
        .filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("rw_reader ").or_else(|| line.strip_prefix("rw_writer "))
        })
        .filter_map(|rest| rest.split([' ', ';']).next())
        .collect();
    names.sort_unstable();
    names.dedup();
    for line in code.lines() {
        for name in &names {
            for (at, _) in line.match_indices(&format!("{name}.")) {
                let (before, part) = (&line[..at], &line[at + name.len() + 1..]);
                if before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '>') {
                    continue;
                }
                // Parts are compared, and counted with, and in no other way.
                let own = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let after = part[own.len()..].trim_start();
                let is_read = [")", "+ ", "- ", "!= ", "< ", "> ", ";"].iter().any(|read| after.starts_with(read));
                // Variables of other types have the same names, in other functions.
                let is_part = ["at", "end", "octets", "size", "out", "stored", "waiting", "fill"].contains(&own);
                if is_part && !is_read || before.ends_with("(&") || before.ends_with(" &") {
                    return Err(format!("generated code changes a part of a reader or writer: {line}").into());
                }
            }
        }
        if line.contains("reader->") || line.contains("writer->") {
            return Err(format!("generated code looks into another's reader or writer: {line}").into());
        }
    }
    Ok(())
}

/// Code with other conditions in place of those of a function: they get its call, and
/// whether an error gets its result.
fn conditions(code: &str, name: &str, other: impl Fn(&str, bool) -> String) -> String {
    let (mut done, mut rest) = (String::new(), code);
    while let Some(at) = rest.find(&format!("{name}(")) {
        let (before, call) = rest.split_at(at);
        done += before;
        let is_name = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_reason = before.ends_with(REASON);
        let end = if is_reason { ") != 0" } else { " != 0" };
        match brackets(&call[name.len()..]).filter(|_| is_name) {
            Some(after) if call[name.len() + after..].starts_with(end) => {
                if is_reason {
                    done.truncate(done.len() - REASON.len());
                }
                let size = name.len() + after + end.len();
                done += &other(&call[..size], is_reason);
                rest = &call[size..];
            }
            _ => {
                done += name;
                rest = &call[name.len()..];
            }
        }
    }
    done + rest
}

/// Where the brackets end that text begins with.
fn brackets(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn read(text: &str) -> Result<Vec<Contract>, Box<dyn Error>> {
    let mut all: Vec<Contract> = Vec::new();
    let mut place = Place::Contract;
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Contract { name: name.to_owned(), ..Contract::default() });
            place = Place::Contract;
            continue;
        }
        let Some(last) = all.last_mut() else { continue };
        if let Some(number) = line.strip_prefix("-- loop ") {
            let number = number.parse::<usize>()?;
            last.loops.resize(last.loops.len().max(number), String::new());
            place = Place::Loop(number - 1);
        } else if let Some(code) = line.strip_prefix("-- at ") {
            last.lines.push((code.to_owned(), String::new()));
            place = Place::Line;
        } else if line == "-- contract" {
            place = Place::Contract;
        } else if line == "-- before" {
            place = Place::Before;
        } else if !line.is_empty() {
            let into = match place {
                Place::Contract => Some(&mut last.contract),
                Place::Before => Some(&mut last.before),
                Place::Loop(number) => last.loops.get_mut(number),
                Place::Line => last.lines.last_mut().map(|(_, text)| text),
            };
            let Some(into) = into else { continue };
            *into += line;
            into.push('\n');
        }
    }
    Ok(all)
}

fn annotated(runtime: &str, contracts: &[Contract]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut left: Vec<&Contract> = contracts.iter().collect();
    let mut inside: Option<(&Contract, usize)> = None;
    let mut lines: Vec<&(String, String)> = Vec::new();
    // The head of a function that is split, up to its body.
    let mut head: Option<(&Contract, String)> = None;
    let mut after = String::new();
    text += "/*@ assigns \\result \\from \\nothing; */\nint rw_refuses(void);\n";
    for line in runtime.lines() {
        let is_definition =
            ["static inline ", "RW_MANY ", "RW_MOST ", "RW_APART "].iter().any(|start| line.starts_with(start))
                && !line.ends_with(';');
        if is_definition {
            inside = None;
        }
        let named = |contract: &&Contract| {
            is_definition && line.contains(&format!("{}(", contract.name)) && {
                let before = line.split(&format!("{}(", contract.name)).next().unwrap_or_default();
                before.ends_with([' ', '*'])
            }
        };
        if let Some(at) = left.iter().position(named) {
            let contract = left.remove(at);
            text += &contract.before;
            if !contract.contract.is_empty() {
                text += &format!("/*@\n{}*/\n", contract.contract);
            }
            inside = Some((contract, 0));
            lines = contract.lines.iter().collect();
            if SPLIT.contains(&contract.name.as_str()) {
                head = Some((contract, String::new()));
            }
        }
        if line == "{" {
            if let Some((contract, head)) = head.take() {
                after = halves(contract, &head)?;
            }
        } else if let Some((_, head)) = &mut head {
            *head += line;
        }
        let code = line.trim_start();
        if let Some((contract, done)) = &mut inside {
            let is_end = code.starts_with("} while");
            if !is_end && ["for (", "while (", "do {"].iter().any(|word| code.starts_with(word)) {
                if let Some(text_of) = contract.loops.get(*done).filter(|text| !text.is_empty()) {
                    text += &format!("/*@\n{text_of}*/\n");
                }
                *done += 1;
            }
            if let Some(at) = lines.iter().position(|(of, _)| code.starts_with(of.as_str())) {
                text += &format!("/*@\n{}*/\n", lines.remove(at).1);
            }
            if line == "}" && *done < contract.loops.len() {
                return Err(
                    format!("{}: {} loops, {} have invariants", contract.name, done, contract.loops.len()).into()
                );
            }
            if let (true, Some((of, _))) = (line == "}", lines.first()) {
                return Err(format!("{}: no line begins with {of}", contract.name).into());
            }
        }
        text += line;
        text.push('\n');
        if line == "}" {
            text += &std::mem::take(&mut after);
        }
    }
    match left.first() {
        None => Ok(text),
        Some(contract) => Err(format!("contracts.acsl: the runtime has no function {}", contract.name).into()),
    }
}

/// The two halves of a function that is split, as declarations.
fn halves(contract: &Contract, head: &str) -> Result<String, Box<dyn Error>> {
    let name = &contract.name;
    let contract = contract.contract.split("behavior ").next().unwrap_or_default();
    let line = contract.lines().find(|line| line.ends_with(") || \\result < 0;"));
    let line = line.ok_or_else(|| format!("{name}: no line of its contract ends with `) || \\result < 0;`"))?;
    let taken = line.replace("ensures (", "ensures ").replace(") || \\result < 0;", ";");
    let (_, head) = head.split_once(name.as_str()).ok_or("a function without its name")?;
    Ok([("taken", taken.as_str()), ("refused", "ensures \\result < 0;")]
        .map(|(half, ensures)| format!("/*@\n{}*/\nint {name}_{half}{head};\n", contract.replace(line, ensures)))
        .concat())
}
