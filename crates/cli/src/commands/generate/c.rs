//! `roadwire generate --lang c`.

use std::collections::{BTreeMap, BTreeSet};

use roadwire_codegen::{C_RUNTIME, COptions, Way, generate_c};
use roadwire_model::TypeId;
use serde_json::{Value as Json, json};

use super::{cmake, file_stem, in_memory, octets, self_test, sizes};
use crate::args::{Checks, GenerateArgs, HeldAs, Only};
use crate::failure::{Exit, Failure, tell_line};
use crate::output::write_file;
use crate::schema::Schema;
use crate::stacks::Stack;

/// Writes a header, a source, the runtime, and files for CMake and pkg-config.
pub(super) fn run(args: &GenerateArgs, schema: &Schema, roots: &[TypeId], json: bool) -> Result<Exit, Failure> {
    let is_given = [
        ("--borrowed", args.borrowed),
        ("--tapped", !args.tapped.is_empty()),
        ("--profile", args.profile.is_some()),
        ("--explain", args.explain),
    ];
    if let Some((option, _)) = is_given.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage("generate.lang", format!("`{option}` is for Rust: C does not have it")));
    }
    if args.only.is_some() && args.with_tests {
        return Err(Failure::usage(
            "generate.only",
            "the tests of `--with-tests` encode and decode: leave out `--only`",
        ));
    }
    let Some(folder) = &args.output else { return Err(Failure::usage("generate.lang", "say where to: -o DIR")) };
    let name = args.schema.schema.as_ref().or(schema.model().modules.first()).map_or("codec", String::as_str);
    let stem = file_stem(name);
    let prefix = args.prefix.clone().unwrap_or_else(|| prefix(name));
    let is_name = |prefix: &str| prefix.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_');
    if !is_name(&prefix) || !prefix.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(Failure::usage("generate.prefix", format!("`{prefix}` does not begin a name in C")));
    }
    let ways: &[Way] = match args.only {
        None => &[Way::Encode, Way::Decode],
        Some(Only::Encode) => &[Way::Encode],
        Some(Only::Decode) => &[Way::Decode],
    };
    let check_all = args.check == Checks::All;
    let integers = args.integers.unwrap_or(HeldAs::Word).into();
    let options = COptions { name: &stem, prefix: &prefix, ways, check_all, integers };
    let generated = generate_c(schema.model(), roots, &args.rules, options).map_err(|error| {
        let fails = |id: &&TypeId| generate_c(schema.model(), &[**id], &args.rules, options).is_err();
        match roots.iter().find(fails).and_then(|id| schema.name_of(*id)) {
            Some(name) => schema.refuse_type(name, "generate.type", &error.to_string(), json),
            None => Failure::refused("generate.type", error.to_string()),
        }
    })?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make the folder", folder, &error))?;
    let pkg_config = cmake::pkg_config(&stem, name);
    let lists = cmake::lists(&stem, name, args.with_tests);
    let mut files = vec![
        (format!("{stem}.h"), generated.header.as_str(), args.force),
        (format!("{stem}.c"), generated.source.as_str(), args.force),
        // The same for all schemas.
        ("roadwire_rt.h".to_owned(), C_RUNTIME, true),
        (format!("{stem}.pc.in"), &pkg_config, args.force),
    ];
    // Not even with `--force` over a project's own file, or that of another schema.
    let keeps_lists = cmake::has_other_lists(folder, &stem);
    if !keeps_lists {
        files.push((cmake::LISTS.to_owned(), &lists, args.force));
    }
    let test = match args.with_tests {
        true => self_test::source(schema.model(), roots, &args.rules, (&stem, &generated, integers))?,
        false => String::new(),
    };
    if args.with_tests {
        files.push((format!("{stem}_test.c"), &test, args.force));
    }
    let mut written = Vec::new();
    for (name, text, force) in files {
        let path = folder.join(name);
        write_file(&path, text.as_bytes(), force)?;
        written.push(path.display().to_string());
    }
    let sizes = sizes(schema, roots, generated.messages.iter().map(|of| (&of.name, of.octets)));
    if json {
        let messages: BTreeSet<&str> = generated.messages.iter().map(|message| message.name.as_str()).collect();
        let octets = octets(schema, roots, &args.rules);
        let in_memory: BTreeMap<_, _> = sizes.into_iter().collect();
        let kept: Vec<String> =
            keeps_lists.then(|| folder.join(cmake::LISTS).display().to_string()).into_iter().collect();
        let written = json!({ "written": written, "kept": kept, "messages": messages, "octets": octets,
            "octets_in_memory": in_memory, "stack": stacks(schema, args, roots) });
        tell_line(&written.to_string());
    } else {
        tell_line(&format!("roadwire: wrote {}", written.join(", ")));
        if let Some(line) = in_memory(sizes) {
            tell_line(&format!("roadwire: {line}"));
        }
        if keeps_lists {
            let path = folder.join(cmake::LISTS);
            tell_line(&format!("roadwire: kept {}, which is not of {stem}", path.display()));
        }
    }
    Ok(Exit::Done)
}

/// The stack of each shipped message in each encoding: that of both ways, whichever there are.
fn stacks(schema: &Schema, args: &GenerateArgs, roots: &[TypeId]) -> BTreeMap<String, BTreeMap<&'static str, Json>> {
    let shipped = args.schema.schema.as_deref().unwrap_or_default();
    let of = |name: &str| {
        let found =
            args.rules.iter().filter_map(|rules| Some((rules.name(), Stack::of_shipped(shipped, name, *rules)?)));
        found.map(|(rules, stack)| (rules, stack.json())).collect()
    };
    roots.iter().filter_map(|id| Some(schema.name_of(*id)?.to_string())).map(|name| (name.clone(), of(&name))).collect()
}

/// `cam-1.4.1` is `cam`, and `CAM-PDU-Descriptions` is `cam_pdu_descriptions`.
fn prefix(name: &str) -> String {
    let words = name.split('-').take_while(|word| !word.starts_with(|first: char| first.is_ascii_digit()));
    file_stem(&words.collect::<Vec<_>>().join("-"))
}
