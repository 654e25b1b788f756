//! The generated text of every schema that roadwire ships or a paper has, and of every construct, under all rules, as digests: a change of the generator that should keep the text
//! shows here which parts it does not keep. `ROADWIRE_BLESS=1 cargo test --release -p roadwire-schemas --test text` writes the digests anew after an intended change;
//! `ROADWIRE_TEXT=FOLDER` writes the texts into a folder, to compare those of two states.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use roadwire_codegen::{Options, generate};
use roadwire_frontend::Source;
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::{Model, TypeId};
use roadwire_schemas::Schema;

/// What is generated together.
struct Module {
    name: String,
    model: Model,
    roots: Vec<TypeId>,
    options: Options,
}

impl Module {
    fn new(name: String, sources: &[Source], roots: &[String], options: Options) -> Self {
        let compiled =
            roadwire_frontend::compile(sources).unwrap_or_else(|errors| panic!("{name}: {}", errors.render()));
        let find = |root: &String| compiled.model.find(root).unwrap_or_else(|| panic!("{name} has no {root}"));
        let roots = roots.iter().map(find).collect();
        Module { name, roots, model: compiled.model, options }
    }

    /// A line for the types, and one for each set of rules that has layouts for all messages.
    fn digests(&self, text: &mut String) {
        let has_layout =
            |rules: &Rules| self.roots.iter().all(|root| lower_without_contents(&self.model, *root, *rules).is_ok());
        let rules: Vec<Rules> = Rules::ALL.into_iter().filter(has_layout).collect();
        let generated = generate(&self.model, &self.roots, &rules, self.options.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let parts = generated.source.split("\n/// Codecs for ");
        for (part, name) in parts.zip(["types"].into_iter().chain(rules.iter().map(|rules| rules.name()))) {
            if let Some(folder) = env::var_os("ROADWIRE_TEXT") {
                fs::write(Path::new(&folder).join(format!("{}-{name}.rs", self.name)), part).unwrap();
            }
            writeln!(text, "{},{name},{},{:016x}", self.name, part.lines().count(), digest(part)).unwrap();
        }
    }
}

/// FNV-1a of 64 bits.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(octet)).wrapping_mul(0x0100_0000_01b3))
}

fn modules() -> Vec<Module> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut modules = Vec::new();
    for schema in ["messages", "papers"]
        .iter()
        .flat_map(|name| roadwire_schemas::read(&crates.join(name).join("schemas")).unwrap())
    {
        let Schema { name, files, pdus, options, borrowed, codecs_of, .. } = schema;
        if codecs_of.is_some() {
            continue;
        }
        let sources: Vec<Source> =
            files.iter().map(|file| Source::new(file.display().to_string(), fs::read(file).unwrap())).collect();
        if !borrowed.is_empty() {
            modules.push(Module::new(
                format!("{name} borrowed"),
                &sources,
                &pdus,
                Options { borrowed: true, ..options.clone() },
            ));
        }
        modules.push(Module::new(name, &sources, &pdus, options));
    }
    let (pdus, source) = (roadwire_constructs::pdus(), |text: String| [Source::new("constructs.asn", text)]);
    let roots = pdus.iter().map(|pdu| pdu.name.clone()).collect::<Vec<_>>();
    modules.push(Module::new(
        "constructs".into(),
        &source(roadwire_constructs::module(&pdus)),
        &roots,
        Options::default(),
    ));
    modules
}

#[test]
fn generated_text_is_what_it_was() {
    let mut now = String::from("module,part,lines,digest\n");
    modules().iter().for_each(|module| module.digests(&mut now));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text.csv");
    if env::var_os("ROADWIRE_BLESS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    let changed: Vec<&str> = now.lines().filter(|line| !before.lines().any(|other| other == *line)).collect();
    assert!(changed.is_empty() && now == before, "other text than before, or another list:\n{}", changed.join("\n"));
}
