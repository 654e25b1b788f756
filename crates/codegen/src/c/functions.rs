//! Prints the functions of a message and of its parts.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;
use roadwire_plan::{Entry, MOST_LEVELS, Pdu, Planner, Way};

use super::checks::Checks;
use super::messages::{Message, PLAIN, REASONS, condition};
use super::names::CTypes;
use super::statements::{Cursor, Printer};
use crate::GenerateError;
use crate::names::snake;
use crate::source::Source;

/// Prints the functions of a message: those that the header declares, and those that they call and
/// that are not in `written` yet.
pub(super) fn write<'m>(
    types: &CTypes<'_, 'm>,
    (pdu, cursor, ways): (&Pdu<'_, 'm>, Cursor, &[Way]),
    (written, explained): (&mut HashSet<TypeId>, &mut HashSet<TypeId>),
    checks: &mut Checks<'_, 'm>,
    (header, source): (&mut Source, &mut Source),
) -> Result<(), GenerateError> {
    let (name, rules) = (types.type_name(pdu.root), snake(pdu.layout.rules.name()));
    let start = pdu.start().ok_or_else(|| {
        let message = types.message(pdu.id);
        GenerateError(format!("there is no C for {message} in {rules}: all of it is left to the interpreter"))
    })?;
    let mut functions = Functions {
        types,
        rules: &rules,
        cursor,
        ways,
        pdu,
        planner: Planner::new(pdu),
        thorough: Planner::thorough(pdu),
        declared: Vec::new(),
        bodies: Source::default(),
        called: Vec::new(),
        missing: None,
    };
    let entries = [(pdu.has_plain, Entry::Plain, PLAIN), (true, Entry::General, "general")];
    let entries: Vec<_> = entries.into_iter().filter(|(has, ..)| *has).collect();
    for (_, entry, suffix) in &entries {
        functions.where_wanted(condition(suffix), |functions| {
            functions.both_ways(*entry, (pdu.root, start), &format!("{rules}_{suffix}"), false);
        });
    }
    functions.parts(written, &format!("{rules}_part"), false);
    if let Some(missing) = functions.missing {
        return Err(GenerateError(format!("there is no C for a part of {name} in {rules}: {missing}")));
    }
    let is_thorough = has_thorough(pdu.layout.rules.family());
    if is_thorough {
        let suffix = format!("{rules}_why");
        functions.where_wanted(Some(REASONS), |functions| {
            // Where something is around a message, the function of a part is for its contents.
            match has_frame(pdu.layout.rules.family()) {
                true => functions.both_ways(Entry::General, (pdu.root, start), &format!("{suffix}_message"), true),
                false => functions.called = vec![(pdu.root, start)],
            }
            functions.parts(explained, &suffix, true);
        });
    }
    source.line("");
    functions.declared.iter().for_each(|line| source.line(line));
    source.append(functions.bodies);
    let octets = pdu.properties.octets;
    header.line("");
    let most = match pdu.layout.rules.family() {
        // Sizes beyond extensible roots have no end, and come on top, as what is kept of a later
        // version does.
        Family::Packed | Family::Octet => octets.most.or(pdu.properties.octets_in_roots.most),
        Family::Tlv | Family::Fields | Family::Cbor | Family::Events | Family::Xml | Family::Json | Family::Vectors => {
            octets.most
        }
    };
    if let Some(most) = most {
        header.line(format!("#define {}_{}_MAX_OCTETS {most}", name.to_uppercase(), rules.to_uppercase()));
    }
    let suffixes: Vec<&str> = entries.iter().map(|(.., suffix)| *suffix).collect();
    let most_levels = if pdu.takes_two_levels() { MOST_LEVELS / 2 } else { MOST_LEVELS };
    let levels = types.reaches_recursion(pdu.root).then_some(most_levels);
    // The input of a message ends with it: in fields nothing else says where, and in text nothing
    // may follow.
    let ends = if matches!(pdu.layout.rules.family(), Family::Fields | Family::Json) { "==" } else { "<=" };
    let of = Message {
        name: &name,
        rules: &rules,
        cursor,
        ends,
        memory: types.memory_of(pdu.root, pdu.layout.rules.family()),
        levels: levels.map_or(String::new(), |levels| format!(", {levels}")),
        suffixes: &suffixes,
        fewest: octets.fewest,
        may_be_empty: pdu.properties.node(start).fewest == 0,
        has_frame: has_frame(pdu.layout.rules.family()),
        first: is_thorough.then(|| types.row_of(pdu.root)),
    };
    for way in ways {
        match way {
            Way::Encode => of.encoder(checks.call_of(pdu.id), header, source),
            Way::Decode => {
                let check = if types.options.check_all { checks.call_of(pdu.id) } else { None };
                of.decoder(check, header, source);
            }
        }
    }
    Ok(())
}

/// Whether there are functions that say what is wrong, and where.
pub(super) fn has_thorough(family: Family) -> bool {
    match family {
        Family::Packed
        | Family::Octet
        | Family::Tlv
        | Family::Fields
        | Family::Cbor
        | Family::Vectors
        | Family::Json
        | Family::Events => true,
        Family::Xml => false,
    }
}

/// Whether something is around the contents of a message: a tag, a bracket, a header.
fn has_frame(family: Family) -> bool {
    !matches!(family, Family::Packed | Family::Octet)
}

struct Functions<'p, 'm> {
    types: &'p CTypes<'p, 'm>,
    rules: &'p str,
    cursor: Cursor,
    ways: &'p [Way],
    pdu: &'p Pdu<'p, 'm>,
    planner: Planner<'p, 'm>,
    thorough: Planner<'p, 'm>,
    /// Declarations, before all bodies.
    declared: Vec<String>,
    bodies: Source,
    called: Vec<(TypeId, NodeId)>,
    missing: Option<String>,
}

impl Functions<'_, '_> {
    /// Functions under a condition of the preprocessor.
    fn where_wanted(&mut self, condition: Option<&str>, inside: impl FnOnce(&mut Self)) {
        let Some(condition) = condition else { return inside(self) };
        self.declared.push(format!("#if {condition}"));
        self.bodies.lines(&format!("#if {condition}\n"));
        inside(self);
        self.declared.push("#endif".into());
        self.bodies.lines("#endif\n");
    }

    /// The functions of parts that are called and not in `written` yet, and of those that they
    /// call.
    fn parts(&mut self, written: &mut HashSet<TypeId>, suffix: &str, is_thorough: bool) {
        while let Some((id, node)) = self.called.pop() {
            if written.insert(id) {
                self.both_ways(Entry::Part, (id, node), suffix, is_thorough);
            }
        }
    }

    fn both_ways(&mut self, entry: Entry, of: (TypeId, NodeId), suffix: &str, is_thorough: bool) {
        for way in self.ways.iter().copied() {
            self.function(way, entry, of, (suffix, is_thorough));
        }
    }

    fn function(&mut self, way: Way, entry: Entry, (id, node): (TypeId, NodeId), (suffix, is_thorough): (&str, bool)) {
        let name = self.types.type_name(id);
        let (verb, value, stream, local) = match way {
            Way::Encode => ("encode", "const ", "rw_writer *writer", ("w", "writer")),
            Way::Decode if self.cursor == Cursor::Values => ("decode", "", "rw_input *input", ("r", "input")),
            Way::Decode => ("decode", "", "rw_reader *reader", ("r", "reader")),
        };
        let family = self.pdu.layout.rules.family();
        let takes_memory = self.types.takes_memory_in(id, (family, way, is_thorough));
        let arena = if takes_memory { ", rw_arena *arena" } else { "" };
        let levels = if self.types.reaches_recursion(id) { ", uint32_t levels" } else { "" };
        let strings = if entry == Entry::Part && self.pdu.has_strings(node) { ", rw_strings *strings" } else { "" };
        let error = if is_thorough { ", rw_error *error" } else { "" };
        let more = format!("{arena}{levels}{strings}{error}");
        let signature = format!("static int {name}_{verb}_{suffix}({value}{name} *value, {stream}{more})");
        self.declared.push(format!("{signature};"));
        let mut out = Source::default();
        out.line("{");
        out.line(format!("rw_{} {} = *{};", local.1, local.0, local.1));
        if entry == Entry::Part && self.types.is_recursive(id) {
            out.line(format!("if (levels < {}) {{", self.types.levels(id)));
            out.line(if is_thorough { "return rw_refuse(error, RW_LIMIT_DEPTH);" } else { "return RW_REJECTED;" });
            out.line("}");
        }
        if takes_memory && is_thorough && family == Family::Fields {
            out.line("(void)arena;");
        }
        let planner = if is_thorough { &mut self.thorough } else { &mut self.planner };
        let plan = planner.function(way, entry, (id, node));
        if plan.uses_strings && entry != Entry::Part {
            let most = self.pdu.most_strings().map_or("RW_STRINGS".into(), |most| most.to_string());
            out.line(format!("rw_string all_strings[{most}];"));
            out.line(format!("rw_strings own_strings = rw_strings_of(all_strings, {most});"));
            out.line("rw_strings *strings = &own_strings;");
        }
        // Of plain values, the general function has what is given up.
        if let Some(part) = plan.given_up.first().filter(|_| entry != Entry::Plain) {
            let this = self.types.model.get(part.part);
            let name = this.name.as_ref().map_or(this.kind.name().to_owned(), ToString::to_string);
            self.missing.get_or_insert(format!("{name} is left to the interpreter"));
        }
        let mut printer = Printer::new(self.types, (way, self.rules, family), id, &mut out, &mut self.missing);
        printer.is_thorough = is_thorough;
        printer.lines(&plan.block);
        if !plan.is_left() {
            out.line(format!("*{} = {};", local.1, local.0));
            out.line("return 0;");
        }
        out.line("}");
        self.bodies.line("");
        self.bodies.line(&signature);
        let parameters = ["value"].into_iter().chain((!arena.is_empty()).then_some("arena"));
        let parameters = parameters.chain((!levels.is_empty()).then_some("levels"));
        let parameters = parameters.chain(is_thorough.then_some("error"));
        self.bodies.lines(&used(&out.finish(), parameters));
        self.called.extend(plan.called);
    }
}

/// A function's body that names each variable it declares: a compiler warns of those that it does
/// not.
fn used<'p>(body: &str, parameters: impl Iterator<Item = &'p str>) -> String {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let code = without_text(body);
    code.split(|character| !is_part(character)).for_each(|word| *counts.entry(word).or_default() += 1);
    let (mut text, mut parameters) = (String::new(), parameters);
    for (at, line) in body.lines().enumerate() {
        text += line;
        text += "\n";
        if at == 1 {
            let unused = parameters.by_ref().filter(|name| !counts.contains_key(name));
            unused.for_each(|name| text += &format!("    (void){name};\n"));
        }
        let declared = line.split_once(" = ").map_or(line.trim_end_matches(';'), |(declared, _)| declared);
        let is_declaration = line.ends_with(';') && declared.trim().contains(' ') && !declared.contains("static ");
        let name = declared.rsplit([' ', '*']).next().unwrap_or_default();
        if is_declaration && counts.get(name) == Some(&1) {
            text += &format!("{}(void){name};\n", &line[..line.len() - line.trim_start().len()]);
        }
    }
    text
}

/// A function's body with nothing between quotes.
fn without_text(body: &str) -> String {
    let (mut code, mut is_text, mut is_escaped) = (String::new(), false, false);
    for character in body.chars() {
        let is_quote = character == '"' && !is_escaped;
        is_escaped = is_text && character == '\\' && !is_escaped;
        if !is_text {
            code.push(character);
        }
        is_text ^= is_quote;
    }
    code
}
