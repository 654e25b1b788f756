//! Types and codecs for each module of the cases, under the rules of its folder:
//! `OUT_DIR/generated.rs`.

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

fn main() -> Result<(), Box<dyn Error>> {
    let (mut modules, mut all) = (String::new(), String::new());
    let mut count = 0;
    for rules in Rules::ALL {
        println!("cargo::rerun-if-changed={}", rules.name());
        for (file, text) in files::files(rules.name()) {
            let blocks = markdown::sections(&text).into_iter().flat_map(|section| section.blocks);
            for (line, module) in blocks.filter_map(|block| Some((block.line, Module::of(&block)?))) {
                // A type that is not a structure is left to the interpreter as a message; as a
                // component it has straight-line code.
                let is_structure = module.is_structure();
                let both =
                    [Some((of(&module, rules), false)), (!is_structure).then(|| (of(&module.wrapped(), rules), true))];
                let mut found = Vec::new();
                for (made, wrapped) in both.into_iter().flatten() {
                    found.push(match made {
                        Ok((source, name)) => {
                            count += 1;
                            writeln!(modules, "pub mod case_{count} {{\n{source}}}")?;
                            let make = format!("make::<case_{count}::{name}, roadwire_layout::{rules:?}>");
                            format!("Made::Type {{ make: {make}, wrapped: {wrapped} }}")
                        }
                        Err(error) => format!("Made::Nothing({error:?})"),
                    });
                }
                writeln!(all, "    (Rules::{rules:?}, {file:?}, {line}, &[{}]),", found.join(", "))?;
            }
        }
    }
    let all = format!("pub static ALL: &[(Rules, &str, usize, &[Made])] = &[\n{all}];\n");
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
