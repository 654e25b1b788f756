//! `roadwire generate`: codecs as source.

mod c;
mod cmake;
mod profile;
mod self_test;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use roadwire_codegen::{Generated, OpenTypes, Options, generate};
use roadwire_layout::Rules;
use roadwire_model::{Kind, TypeId};
use serde_json::{Value as Json, json};

use crate::args::{Checks, GenerateArgs, HeldAs, Language, OpenAs};
use crate::commands::bounds::Sizes;
use crate::failure::{Exit, Failure, tell_line};
use crate::output::write_file;
use crate::schema::Schema;
use crate::table::{self, Row};
use profile::Usual;

/// No program uses every name of a module, and names look as in the standard.
const QUIET: &str = "#![allow(dead_code, unreachable_code, non_camel_case_types, clippy::all)]\n";

/// How many names a line has.
const SHOWN: usize = 5;

/// Messages that take more octets than this are warned of: a debug build has several on the stack,
/// and a thread's is of 2 MiB.
const LARGE: u64 = 256 * 1024;

pub(crate) fn run(args: &GenerateArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let mut roots = schema.types(&args.types)?;
    // A type that is just a number or a string is a message where it is asked for, or where there
    // is no other.
    let mut others = Vec::new();
    if args.types.is_empty() && roots.iter().any(|id| is_message(&schema, *id)) {
        (roots, others) = roots.into_iter().partition(|id| is_message(&schema, *id));
    }
    if roots.is_empty() {
        return Err(Failure::refused("generate.empty", "these modules define no type to write codecs for"));
    }
    if args.lang == Language::C {
        return c::run(args, &schema, &roots, json);
    }
    if let Some((option, _)) =
        [("--prefix", args.prefix.is_some()), ("--with-tests", args.with_tests), ("--only", args.only.is_some())]
            .into_iter()
            .find(|(_, is)| *is)
    {
        return Err(Failure::usage("generate.lang", format!("`{option}` is for C: `--lang c`")));
    }
    if !args.tapped.is_empty() && !args.rules.iter().any(|rules| rules.family().borrows_and_taps()) {
        let those: Vec<&str> =
            Rules::ALL.into_iter().filter(|rules| rules.family().borrows_and_taps()).map(Rules::name).collect();
        let what = format!("taps hear of parts under {}; --rules has none of them", those.join(", "));
        return Err(Failure::usage("generate.tapped", what));
    }
    let usual = args.profile.as_deref().map(|path| Usual::read(path, &schema, &roots)).transpose()?;
    let options = Options {
        box_above: args.box_above,
        integers: args.integers.unwrap_or(HeldAs::AnyLength).into(),
        open_types: match args.open_types {
            OpenAs::Typed => OpenTypes::Typed,
            OpenAs::Octets => OpenTypes::Octets,
        },
        elements_in_place: args.elements_in_place,
        borrowed: args.borrowed,
        tapped: args.tapped.clone(),
        usual: usual.as_ref().map_or(Vec::new(), |usual| usual.parts.clone()),
        check_all: args.check == Checks::All,
        ..Options::default()
    };
    let generated = generate(schema.model(), &roots, &args.rules, options.clone()).map_err(|error| {
        let fails = |id: &&TypeId| generate(schema.model(), &[**id], &args.rules, options.clone()).is_err();
        match roots.iter().find(fails).and_then(|id| schema.name_of(*id)) {
            Some(name) => schema.refuse_type(name, "generate.type", &error.to_string(), json),
            None => Failure::refused("generate.type", error.to_string()),
        }
    })?;

    let Some(folder) = args.output.as_ref().filter(|_| !args.explain) else { return explain(&generated, args, json) };
    let name = args.schema.schema.as_ref().or(schema.model().modules.first()).map_or("codec", String::as_str);
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make the folder", folder, &error))?;
    let path = folder.join(format!("{}.rs", file_stem(name)));
    write_file(&path, format!("{QUIET}{}", generated.source).as_bytes(), args.force)?;
    let sizes = sizes(&schema, &roots, generated.types.iter().zip(generated.sizes.iter().copied()));
    let large = sizes.iter().filter(|(_, octets)| *octets > LARGE).map(|(name, octets)| large(name, *octets));
    let warnings: Vec<String> = large.collect();
    let left: Vec<String> = generated.left.iter().map(ToString::to_string).collect();
    let others: Vec<String> = others.iter().filter_map(|id| named(&schema, *id)).collect();
    if json {
        let mut written = json!({ "written": [path.display().to_string()], "left": left, "left_out": others, "warnings": warnings,
            "octets": octets(&schema, &roots, &args.rules),
            "octets_in_memory": sizes.into_iter().collect::<BTreeMap<_, _>>() });
        if let Some(Usual { parts, have, of }) = &usual {
            let parts: Vec<String> = parts.iter().map(|part| profile::name(schema.model(), *part)).collect();
            written["usual"] = json!({ "parts": parts, "messages": have, "of": of });
        }
        tell_line(&written.to_string());
    } else {
        tell_line(&format!("roadwire: wrote {}", path.display()));
        if let Some(line) = in_memory(sizes) {
            tell_line(&format!("roadwire: {line}"));
        }
        if let Some(usual) = &usual {
            tell_line(&format!("roadwire: {}", usual.line(schema.model())));
        }
        warnings.iter().for_each(|warning| tell_line(&format!("roadwire: warning: {warning}")));
        if let Some(line) = left_out(&others) {
            tell_line(&format!("roadwire: {line}"));
        }
        left.iter().for_each(|left| tell_line(&format!("roadwire: {left}")));
    }
    Ok(Exit::Done)
}

/// How many octets of memory the messages take at most; `generated` has their names in the
/// language, and the octets.
fn sizes<'g>(
    schema: &Schema,
    roots: &[TypeId],
    generated: impl Iterator<Item = (&'g String, u64)>,
) -> Vec<(String, u64)> {
    let name = |root: &TypeId, own: &String| schema.name_of(*root).map_or(own.clone(), ToString::to_string);
    roots.iter().zip(generated).map(|(root, (own, octets))| (name(root, own), octets)).collect()
}

/// The octets of each message in each encoding.
fn octets(schema: &Schema, roots: &[TypeId], rules: &[Rules]) -> BTreeMap<String, BTreeMap<&'static str, Json>> {
    let of = |id: TypeId| {
        let sizes = rules.iter().filter_map(|rules| Some((*rules, Sizes::of(schema.model(), id, *rules).ok()?)));
        sizes.map(|(rules, sizes)| (rules.name(), Json::Object(sizes.json()))).collect()
    };
    roots.iter().filter_map(|id| Some((schema.name_of(*id)?.to_string(), of(*id)))).collect()
}

/// A line on the messages' sizes, the largest first.
fn in_memory(mut sizes: Vec<(String, u64)>) -> Option<String> {
    sizes.sort_by_key(|(_, octets)| Reverse(*octets));
    let of = |(name, octets): &(String, u64)| format!("{name} {octets}");
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(of).collect();
    let more = if sizes.len() > SHOWN { format!(" and {} smaller", sizes.len() - SHOWN) } else { String::new() };
    (!shown.is_empty()).then(|| format!("octets in memory, at most: {}{more}", shown.join(", ")))
}

fn large(name: &str, octets: u64) -> String {
    format!(
        "{name} takes up to {octets} octets of memory, which is much for the stack of a thread: hold it in a Box, or put more of its parts on the heap with a smaller --box-above"
    )
}

/// Lists the parts that are left to the interpreter, a row for each message, rules and part.
fn explain(generated: &Generated, args: &GenerateArgs, json: bool) -> Result<Exit, Failure> {
    let mut rows: Vec<Row> = Vec::new();
    for message in &generated.messages {
        for rules in &args.rules {
            let left = generated.left.iter().find(|left| left.message == *message && left.rules == *rules);
            let takes = match left {
                None => "rare forms alone",
                Some(left) if left.every => "every message",
                Some(_) => "messages with",
            };
            let parts = left.map(|left| left.parts.as_slice()).filter(|parts| !parts.is_empty());
            for part in parts.unwrap_or(&[String::new()]) {
                let mut row = vec![("message", json!(message)), ("rules", json!(rules.name()))];
                row.extend([("interpreter takes", json!(takes)), ("part", json!(part))]);
                rows.push(row);
            }
        }
    }
    table::print(&rows, true, json)
}

/// Whether a type is a message without being asked for.
fn is_message(schema: &Schema, id: TypeId) -> bool {
    matches!(schema.model().get(id).kind, Kind::Sequence { .. } | Kind::Choice { .. } | Kind::External(_))
}

/// A type assignment's name, and its kind.
fn named(schema: &Schema, id: TypeId) -> Option<String> {
    Some(format!("{} ({})", schema.name_of(id)?, schema.model().get(id).kind.name()))
}

/// A line on the types that no other contains and that were left out.
fn left_out(others: &[String]) -> Option<String> {
    let first = others.get(..SHOWN.min(others.len())).filter(|first| !first.is_empty())?.join(", ");
    let more = if others.len() > SHOWN { format!(" and {} more", others.len() - SHOWN) } else { String::new() };
    Some(format!("left out, as they are not a SEQUENCE, SET or CHOICE (-t takes them): {first}{more}"))
}

/// A Rust module name: `cam-1.4.1` is `cam_1_4_1`.
pub(super) fn file_stem(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}
