//! The generated text of every schema that roadwire ships or a paper has, and of every construct,
//! under all rules, as digests: a change of the generator that should keep the text shows here
//! which parts it does not keep.
//! `ROADWIRE_BLESS=1 cargo test --release -p roadwire-schemas --test text` writes the digests anew
//! after an intended change; `ROADWIRE_TEXT=FOLDER` writes the texts into a folder, to compare
//! those of two states. `docs/compile.md` has the lines of compiled code, written in the same way.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use roadwire_codegen::{Options, generate};
use roadwire_frontend::Source;
use roadwire_layout::{Family, Rules, lower_without_contents};
use roadwire_model::{Model, TypeId};
use roadwire_schemas::Schema;

/// Code that is generated together.
struct Module {
    name: String,
    model: Model,
    roots: Vec<TypeId>,
    options: Options,
}

impl Module {
    fn new(name: String, sources: &[Source], roots: &[String], options: impl FnOnce(&Model) -> Options) -> Self {
        let compiled =
            roadwire_frontend::compile(sources).unwrap_or_else(|errors| panic!("{name}: {}", errors.render()));
        let find = |root: &String| compiled.model.find(root).unwrap_or_else(|| panic!("{name} has no {root}"));
        let roots = roots.iter().map(find).collect();
        Module { name, roots, options: options(&compiled.model), model: compiled.model }
    }

    /// A line for the types, and one for each set of rules that has layouts for all messages.
    fn digests(&self, text: &mut String) {
        let has_layout =
            |rules: &Rules| self.roots.iter().all(|root| lower_without_contents(&self.model, *root, *rules).is_ok());
        let rules: Vec<Rules> = Rules::ALL.into_iter().filter(has_layout).collect();
        let parts = self.parts(&rules);
        for (part, name) in parts.iter().zip(["types"].into_iter().chain(rules.iter().map(|rules| rules.name()))) {
            if let Some(folder) = env::var_os("ROADWIRE_TEXT") {
                fs::write(Path::new(&folder).join(format!("{}-{name}.rs", self.name)), part).unwrap();
            }
            writeln!(text, "{},{name},{},{:016x}", self.name, part.lines().count(), digest(part)).unwrap();
        }
    }

    /// The text of the types, and that for each set of rules.
    fn parts(&self, rules: &[Rules]) -> Vec<String> {
        let generated = generate(&self.model, &self.roots, rules, self.options.clone())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        generated.source.split("\n/// Codecs for ").map(str::to_owned).collect()
    }
}

/// FNV-1a of 64 bits.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(octet)).wrapping_mul(0x0100_0000_01b3))
}

/// The schemas that roadwire ships, and those of papers.
fn schemas() -> impl Iterator<Item = Schema> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    ["messages", "papers"]
        .into_iter()
        .flat_map(|name| roadwire_schemas::read(&crates.join(name).join("schemas")).unwrap())
}

/// Their modules, with the rules that they have codecs for.
fn shipped() -> Vec<(Module, Vec<Rules>)> {
    let mut modules = Vec::new();
    for schema in schemas().filter(|schema| schema.codecs_of.is_none()) {
        let Schema { name, files, pdus, borrowed, rules, .. } = &schema;
        let sources: Vec<Source> =
            files.iter().map(|file| Source::new(file.display().to_string(), fs::read(file).unwrap())).collect();
        let owned = |model: &Model| schema.options(model).unwrap_or_else(|error| panic!("{name}: {error}"));
        if !borrowed.is_empty() {
            let options = |model: &Model| Options { borrowed: true, ..owned(model) };
            modules.push((Module::new(format!("{name} borrowed"), &sources, pdus, options), borrowed.clone()));
        }
        modules.push((Module::new(name.clone(), &sources, pdus, owned), rules.clone()));
    }
    modules
}

fn modules() -> Vec<Module> {
    let mut modules: Vec<Module> = shipped().into_iter().map(|(module, _)| module).collect();
    let (pdus, source) = (roadwire_constructs::pdus(), |text: String| [Source::new("constructs.asn", text)]);
    let roots = pdus.iter().map(|pdu| pdu.name.clone()).collect::<Vec<_>>();
    modules.push(Module::new("constructs".into(), &source(roadwire_constructs::module(&pdus)), &roots, |_| {
        Options::default()
    }));
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

/// The lines of each module that the crates of messages and papers compile, by families of encoding
/// rules: as Markdown.
fn lines_by_family() -> String {
    let heads: Vec<&str> = Family::ALL.into_iter().map(Family::name).collect();
    let mut text =
        format!("| schema | types | {} | all |\n|---|{}\n", heads.join(" | "), "---:|".repeat(heads.len() + 2));
    let mut sums = vec![0; heads.len() + 2];
    for (module, rules) in shipped().into_iter().filter(|(_, rules)| !rules.is_empty()) {
        let mut row = vec![0; heads.len() + 2];
        let families = rules.iter().map(|rules| Family::ALL.iter().position(|family| *family == rules.family()));
        for (part, family) in module.parts(&rules).iter().zip([None].into_iter().chain(families)) {
            row[family.map_or(0, |family| family + 1)] += part.lines().count();
        }
        row[heads.len() + 1] = row.iter().sum();
        sums.iter_mut().zip(&row).for_each(|(sum, one)| *sum += one);
        text += &line(&module.name, &row);
    }
    text + &line("all", &sums)
}

fn line(name: &str, numbers: &[usize]) -> String {
    let cells = numbers.iter().map(|number| if *number == 0 { "–".to_owned() } else { number.to_string() });
    format!("| {name} | {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

#[test]
fn documentation_has_the_lines_that_are_compiled() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compile.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("<!-- lines -->").expect("a mark");
    let (_, after) = rest.split_once("<!-- end of lines -->").expect("another mark");
    let now = format!("{before}<!-- lines -->\n\n{}\n<!-- end of lines -->{after}", lines_by_family());
    if env::var_os("ROADWIRE_BLESS").is_some() {
        return fs::write(&path, &now).unwrap();
    }
    assert!(page == now, "docs/compile.md has other lines; ROADWIRE_BLESS=1 writes them");
}
