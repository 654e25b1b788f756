//! Generates codecs from the module in the file `RRC_MODULE`, of the types in `RRC_TYPES`, with
//! roadwire and with rasn's compiler.

use std::path::Path;
use std::{env, fs};

use rasn_compiler::prelude::{Compiler, RasnBackend};
use roadwire_codegen::{Options, generate};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;

fn main() {
    let set = |name: &str| {
        println!("cargo:rerun-if-env-changed={name}");
        env::var(name).unwrap_or_else(|_| panic!("{name} is not set: see run"))
    };
    let (file, types) = (set("RRC_MODULE"), set("RRC_TYPES"));
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(&file).expect("the module is read");
    let model =
        compile(&[Source::new("rrc.asn", text.as_str())]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let module = model.definitions.keys().next().expect("a definition").module.clone();
    let named: Vec<&str> = types.split(',').collect();
    let roots: Vec<_> =
        named.iter().map(|name| model.find(&format!("{module}.{name}")).expect("a type of the module")).collect();
    let generated = generate(&model, &roots, &[Rules::Uper], Options::default()).expect("roadwire generates code");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("roadwire.rs"), generated.source).expect("code is written");
    let rasn = Compiler::<RasnBackend, _>::new()
        .add_asn_literal(text)
        .compile_to_string()
        .expect("rasn's compiler takes the module");
    rasn.warnings.iter().for_each(|warning| println!("cargo:warning=rasn's compiler: {warning}"));
    // One call for each type, with the types of both.
    let inside =
        rasn.generated.split("pub mod ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a module");
    let pascal = |name: &str| name.split('-').map(capitalized).collect::<String>();
    let calls: String = (named.iter().zip(&generated.types))
        .map(|(name, rust)| format!("compare!({name:?}, roadwire::{rust}, theirs::{inside}::{});\n", pascal(name)))
        .collect();
    fs::write(Path::new(&out).join("rasn.rs"), rasn.generated).expect("code is written");
    fs::write(Path::new(&out).join("calls.rs"), format!("{{ {calls} }}")).expect("code is written");
}

fn capitalized(word: &str) -> String {
    word.get(..1).map_or(String::new(), |first| first.to_uppercase() + &word[1..])
}
