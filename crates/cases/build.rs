//! Types and codecs for each module of the cases, under the rules of its folder: `OUT_DIR/generated.rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use roadwire_codegen::{Options, generate};
use roadwire_layout::Rules;

#[allow(dead_code, unreachable_pub)]
#[path = "src/files.rs"]
mod files;
#[allow(dead_code, unreachable_pub)]
#[path = "src/markdown.rs"]
mod markdown;
#[allow(dead_code, unreachable_pub)]
#[path = "src/module.rs"]
mod module;

use module::Module;

/// The generator's error for a message that is no structure.
const NO_STRUCTURE: &str = "a PDU has to be a SEQUENCE, SET or CHOICE";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut modules, mut all) = (String::new(), String::new());
    let mut count = 0;
    for rules in Rules::ALL {
        println!("cargo::rerun-if-changed={}", rules.name());
        for (file, text) in files::files(rules.name()) {
            let blocks = markdown::sections(&text).into_iter().flat_map(|section| section.blocks);
            for (line, module) in blocks.filter_map(|block| Some((block.line, Module::of(&block)?))) {
                let plain = of(&module, rules).map(|made| (made, false));
                let made = plain.or_else(|error| match error.contains(NO_STRUCTURE) {
                    true => of(&module.wrapped(), rules).map(|made| (made, true)),
                    false => Err(error),
                });
                let made = match made {
                    Ok(((source, name), wrapped)) => {
                        count += 1;
                        writeln!(modules, "pub mod case_{count} {{\n{source}}}")?;
                        let make = format!("make::<case_{count}::{name}, roadwire_layout::{rules:?}>");
                        format!("Made::Type {{ make: {make}, wrapped: {wrapped} }}")
                    }
                    Err(error) => format!("Made::Nothing({error:?})"),
                };
                writeln!(all, "    (Rules::{rules:?}, {file:?}, {line}, {made}),")?;
            }
        }
    }
    let all = format!("pub static ALL: &[(Rules, &str, usize, Made)] = &[\n{all}];\n");
    Ok(fs::write(PathBuf::from(env::var("OUT_DIR")?).join("generated.rs"), all + &modules)?)
}

/// The Rust module, and the type under test in it.
fn of(module: &Module, rules: Rules) -> Result<(String, String), String> {
    let source = std::slice::from_ref(&module.source);
    let model = roadwire_frontend::compile(source).map_err(|found| found.render())?.model;
    let root = model.find(&module.root).ok_or_else(|| format!("no type {}", module.root))?;
    let made = generate(&model, &[root], &[rules], Options::default()).map_err(|error| error.to_string())?;
    let name = made.source.split_once("impl engine::Message<Rules> for ").and_then(|(_, rest)| rest.split_once(" {"));
    let name = name.map(|(name, _)| name.to_owned()).ok_or("no message")?;
    Ok((made.source, name))
}
