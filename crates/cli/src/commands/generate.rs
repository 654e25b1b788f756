//! `roadwire generate`: codecs as source.

use roadwire_codegen::{Options, generate, lends_and_tells};
use roadwire_layout::Rules;
use roadwire_model::{Kind, TypeId};

use crate::args::{Checks, GenerateArgs, Language};
use crate::failure::{Exit, Failure, tell_line};
use crate::output::write_file;
use crate::schema::Schema;

/// Nobody uses every name of a module, and names keep the standard's look.
const QUIET: &str = "#![allow(dead_code, non_camel_case_types, clippy::all)]\n";

pub(crate) fn run(args: &GenerateArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let roots = schema.types(&args.types)?;
    if roots.is_empty() {
        return Err(Failure::refused("generate.empty", "these modules define no type to write codecs for"));
    }
    roots.iter().try_for_each(|id| check_root(&schema, *id, json))?;
    let Language::Rust = args.lang;
    if !args.tapped.is_empty() && !args.rules.iter().any(|rules| lends_and_tells(*rules)) {
        let those: Vec<&str> =
            Rules::ALL.into_iter().filter(|rules| lends_and_tells(*rules)).map(Rules::name).collect();
        let what = format!("taps hear of parts under {}; --rules has none of them", those.join(", "));
        return Err(Failure::usage("generate.tapped", what));
    }
    let options = Options {
        elements_in_place: args.elements_in_place,
        borrowed: args.borrowed,
        tapped: args.tapped.clone(),
        check_all: args.check == Checks::All,
        ..Options::default()
    };
    let generated = generate(&schema.model, &roots, &args.rules, options)
        .map_err(|error| Failure::refused("generate.type", error.to_string()))?;

    let name = args.schema.schema.as_ref().or(schema.model.modules.first()).map_or("codec", String::as_str);
    std::fs::create_dir_all(&args.output).map_err(|error| Failure::io("make the folder", &args.output, &error))?;
    let path = args.output.join(format!("{}.rs", file_stem(name)));
    write_file(&path, format!("{QUIET}{}", generated.source).as_bytes(), args.force)?;
    let left: Vec<String> = generated.left.iter().map(ToString::to_string).collect();
    if json {
        tell_line(&serde_json::json!({ "written": [path.display().to_string()], "left": left }).to_string());
    } else {
        tell_line(&format!("roadwire: wrote {}", path.display()));
        left.iter().for_each(|left| tell_line(&format!("roadwire: {left}")));
    }
    Ok(Exit::Done)
}

/// A message has a type in memory with a name of its own.
fn check_root(schema: &Schema, id: TypeId, json: bool) -> Result<(), Failure> {
    let kind = &schema.model.get(id).kind;
    if matches!(kind, Kind::Sequence { .. } | Kind::Choice { .. } | Kind::External(_)) {
        return Ok(());
    }
    let Some((name, _)) = schema.model.definitions.iter().find(|(_, one)| **one == id) else { return Ok(()) };
    let kind = kind.name();
    let what = format!("`{name}` is {kind}, and messages are SEQUENCE, SET or CHOICE: name those to generate with -t");
    Err(schema.refuse_type(name, "generate.pdu", &what, json))
}

/// A Rust module name: `cam-1.4.1` is `cam_1_4_1`.
fn file_stem(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}
