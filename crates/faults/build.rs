//! Types and codecs for each fault: `OUT_DIR/generated.rs`; and a test for each one:
//! `OUT_DIR/tests.rs`, and `OUT_DIR/c_tests.rs` for those whose types have C.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::{Options, generate, generate_c};
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};

#[allow(dead_code, unreachable_pub)]
#[path = "src/table.rs"]
mod table;

use table::Fault;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=faults.toml");
    println!("cargo::rerun-if-changed=src/table.rs");
    let (mut modules, mut all) = (String::new(), String::new());
    let (mut tests, mut c_tests) = (String::new(), String::new());
    for fault in table::table().fault {
        let name = &fault.name;
        let test = format!("#[test]\nfn {name}() {{\n    replay({name:?});\n}}\n");
        tests += &test;
        let Some(rules) = &fault.rules else { continue };
        let rules: Rules = rules.parse().map_err(|_| format!("{name}: no rules {rules}"))?;
        let (model, root) = model(&fault).map_err(|error| format!("{name}: {error}"))?;
        if generate_c(&model, &[root], &[rules], ("generated", "c")).is_ok() {
            c_tests += &test;
        }
        let made = match of(&model, root, rules) {
            Ok((source, message)) => {
                writeln!(modules, "pub mod {name} {{\n{source}}}")?;
                format!("Ok(again::<{name}::{message}, roadwire_layout::{rules:?}> as Again)")
            }
            Err(error) => format!("Err({error:?})"),
        };
        writeln!(all, "    ({name:?}, {made}),")?;
    }
    let all = format!("pub(super) static ALL: &[(&str, Result<Again, &str>)] = &[\n{all}];\n");
    let target = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(target.join("generated.rs"), all + &modules)?;
    fs::write(target.join("c_tests.rs"), c_tests)?;
    Ok(fs::write(target.join("tests.rs"), tests)?)
}

fn model(fault: &Fault) -> Result<(Model, TypeId), String> {
    let source = Source::new("fault.asn", fault.module().as_str());
    let model = roadwire_asn1::compile(&[source]).map_err(|found| found.render())?.model;
    let root = model.find("A").ok_or("no type A")?;
    Ok((model, root))
}

/// The Rust module, and the type of the message in it.
fn of(model: &Model, root: TypeId, rules: Rules) -> Result<(String, String), String> {
    let made = generate(model, &[root], &[rules], Options::default()).map_err(|error| error.to_string())?;
    let name = made.source.split_once("impl engine::Message<Rules> for ").and_then(|(_, rest)| rest.split_once(" {"));
    let name = name.map(|(name, _)| name.to_owned()).ok_or("no message")?;
    Ok((made.source, name))
}
