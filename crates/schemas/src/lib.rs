//! A folder of schemas as Rust modules, for build scripts: the messages that roadwire ships are
//! made by it, and so are those of the papers.
//!
//! Invariants: the same folder and features give the same text. Only the given folder is written. A
//! schema that does not compile stops the build, with the place in its module.
//!
//! Absent on purpose: schemas, and rules for generated code, which `roadwire-codegen` has.
//!
//! The folder has module files and a list of schemas, `schemas.toml`:
//!
//! ```
//! let folder = std::env::temp_dir().join(format!("roadwire-schemas-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN Motion ::= SEQUENCE { speed INTEGER (0..16383) } END";
//! std::fs::write(folder.join("motion.asn"), module)?;
//! std::fs::write(
//!     folder.join("schemas.toml"),
//!     r#"
//!     rules = ["uper", "jer"]
//!     [[schema]]
//!     name = "motion-1"
//!     standard = "none"
//!     title = "How fast"
//!     files = ["motion.asn"]
//!     pdus = ["Demo.Motion"]
//!     "#,
//! )?;
//! let schemas = roadwire_schemas::read(&folder)?;
//! assert_eq!(schemas[0].name, "motion-1");
//! assert_eq!(schemas[0].rules, [roadwire_layout::Rules::Uper, roadwire_layout::Rules::Jer]);
//!
//! // Types and codecs: what a build script does with OUT_DIR and its package's features.
//! roadwire_schemas::write(&schemas, &folder, |_feature| true)?;
//! assert!(std::fs::read_to_string(folder.join("motion_1.rs"))?.contains("pub struct Motion"));
//! let list = std::fs::read_to_string(folder.join("schemas.rs"))?;
//! assert!(list.contains("pub mod motion_1"));
//! assert!(list.contains(r#""motion-1" ["Demo.Motion" "Motion"] $crate::motion_1::Motion [ Uper Jer ] [ Uper Jer ] false;"#));
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod messages;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use roadwire_codegen::{Integers, Options, Part, can_share, generate, generate_profile};
use roadwire_frontend::Source;
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};

use crate::messages::Message;

/// The list of schemas in their folder.
const LIST: &str = "schemas.toml";

/// The keys of an entry of the list.
const KEYS: [&str; 15] = [
    "name",
    "feature",
    "standard",
    "title",
    "files",
    "pdus",
    "rules",
    "studied",
    "borrowed",
    "codecs-of",
    "heap",
    "elements-in-place",
    "box-above",
    "tapped",
    "usual",
];

/// An entry of the list.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Its name, such as `cam-1.4.1`.
    pub name: String,
    /// The feature of the package without which it has no Rust module.
    pub feature: Option<String>,
    /// The standard and its version.
    pub standard: String,
    /// Its title.
    pub title: String,
    /// Its module files.
    pub files: Vec<PathBuf>,
    /// Its messages, as `Module.Type`.
    pub pdus: Vec<String>,
    /// The sets of encoding rules that it has codecs for (`rules` and `studied` of the list), each
    /// where the package's feature of that name is on. Without any it has no Rust module, only its
    /// text.
    pub rules: Vec<Rules>,
    /// Those that its types which borrow strings from the input have codecs for.
    pub borrowed: Vec<Rules>,
    /// The schema whose codecs it has instead of its own.
    pub codecs_of: Option<String>,
    /// Whether it has a Rust module only where the package's feature `alloc` is on.
    pub heap: bool,
    /// How Rust types are generated, but for borrowed strings and usual parts.
    pub options: Options,
    /// The parts of usual messages, as `Type.component`.
    pub usual: Vec<String>,
}

impl Schema {
    /// Its Rust module: `cam-1.4.1` is `cam_1_4_1`.
    #[must_use]
    pub fn module(&self) -> String {
        module_name(&self.name)
    }

    /// Its model, and the types of its messages there.
    ///
    /// # Errors
    /// A file that cannot be read, modules with errors, or a message that they do not have.
    pub fn compile(&self) -> Result<(Model, Vec<TypeId>), Box<dyn Error>> {
        let mut sources = Vec::new();
        for file in &self.files {
            let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            sources.push(Source::new(file.display().to_string(), bytes));
        }
        let model = roadwire_frontend::compile(&sources).map_err(|diagnostics| diagnostics.render())?.model;
        let root = |pdu: &String| model.find(pdu).ok_or_else(|| format!("{pdu} is not in its modules"));
        let roots = self.pdus.iter().map(root).collect::<Result<_, _>>()?;
        Ok((model, roots))
    }

    /// How its types in `model` are generated.
    ///
    /// # Errors
    /// A usual part that the model does not have.
    pub fn options(&self, model: &Model) -> Result<Options, String> {
        let part = |text: &String| Part::find(model, text).ok_or_else(|| format!("usual: there is no part {text}"));
        Ok(Options { usual: self.usual.iter().map(part).collect::<Result<_, _>>()?, ..self.options.clone() })
    }
}

/// The whole build script of a package with a folder `schemas`: writes into `OUT_DIR`, and names
/// the files whose change makes it run again.
///
/// # Errors
/// As [`read`] and [`write`].
pub fn build(is_on: impl Fn(&str) -> bool) -> Result<(), Box<dyn Error>> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("there is no {name}"));
    let folder = variable("CARGO_MANIFEST_DIR")?.join("schemas");
    let schemas = read(&folder)?;
    println!("cargo::rerun-if-changed={}", folder.join(LIST).display());
    let files = schemas.iter().flat_map(|schema| &schema.files);
    files.for_each(|file| println!("cargo::rerun-if-changed={}", file.display()));
    write(&schemas, &variable("OUT_DIR")?, is_on)
}

/// Whether a feature of the package whose build script this is is on.
#[must_use]
pub fn is_feature_on(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase().replace('-', "_"))).is_some()
}

/// The schemas of a folder, as its `schemas.toml` lists them.
///
/// # Errors
/// There is no list, or it is wrong.
pub fn read(folder: &Path) -> Result<Vec<Schema>, Box<dyn Error>> {
    let path = folder.join(LIST);
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| told(&error))?;
    let list: toml::Table = text.parse().map_err(|error| told(&error))?;
    let entries = list.get("schema").and_then(toml::Value::as_array).ok_or_else(|| told(&"it has no [[schema]]"))?;
    let schemas = entries.iter().map(|entry| schema(entry, &list, folder).map_err(|error| told(&error)));
    Ok(schemas.collect::<Result<_, _>>()?)
}

fn schema(entry: &toml::Value, list: &toml::Table, folder: &Path) -> Result<Schema, String> {
    let entry = entry.as_table().ok_or("a schema is a table")?;
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("there is no key `{key}`"));
    }
    let text = |key: &str| match entry.get(key).map(|value| value.as_str().ok_or(value)) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text.to_owned())),
        Some(Err(other)) => Err(format!("{key}: {other:?} is not a text")),
    };
    let needed = |key: &str| text(key)?.ok_or_else(|| format!("a schema has no {key}"));
    let names = |key: &str| entry.get(key).map_or(Ok(Vec::new()), |value| texts(key, value));
    let some = |key: &str| Some(names(key)?).filter(|list| !list.is_empty()).ok_or_else(|| format!("no {key}"));
    let rules = |key: &str, value: Option<&toml::Value>| -> Result<Vec<Rules>, String> {
        let names = value.map_or(Ok(Vec::new()), |value| texts(key, value))?;
        names.iter().map(|name| name.parse().map_err(|error| format!("{key}: {name}: {error}"))).collect()
    };
    let number = |key: &str| match entry.get(key).map(|value| value.as_integer().and_then(|it| it.try_into().ok())) {
        None => Ok(None),
        Some(Some(number)) => Ok(Some(number)),
        Some(None) => Err(format!("{key}: how many?")),
    };
    let mut all_rules = rules("rules", entry.get("rules").or(list.get("rules")))?;
    let studied = rules("studied", entry.get("studied"))?;
    if !studied.is_empty() {
        all_rules.extend(studied);
        all_rules.sort_unstable();
    }
    let elements_in_place = number("elements-in-place")?.unwrap_or(0u32);
    let options = Options {
        box_above: number("box-above")?.map_or(Options::BOX_ABOVE, u64::from),
        elements_in_place: elements_in_place.try_into().map_err(|_| "elements-in-place: too many")?,
        tapped: names("tapped")?,
        // No integer of these standards needs more.
        integers: Integers::Word,
        ..Options::default()
    };
    let heap = entry.get("heap").map_or(Some(false), toml::Value::as_bool).ok_or("heap: true or false?")?;
    Ok(Schema {
        name: needed("name")?,
        feature: text("feature")?,
        standard: needed("standard")?,
        title: needed("title")?,
        files: some("files")?.iter().map(|file| folder.join(file)).collect(),
        pdus: some("pdus")?,
        rules: all_rules,
        borrowed: rules("borrowed", entry.get("borrowed"))?,
        codecs_of: text("codecs-of")?,
        heap,
        options,
        usual: names("usual")?,
    })
}

fn texts(key: &str, value: &toml::Value) -> Result<Vec<String>, String> {
    let text = |one: &toml::Value| one.as_str().map(str::to_owned);
    let texts: Option<Vec<String>> = value.as_array().and_then(|list| list.iter().map(text).collect());
    texts.ok_or_else(|| format!("{key}: {value:?} is not a list of texts"))
}

/// Writes each schema as `<module>.rs`, and all of them as modules, with the list `SCHEMAS` and the
/// macro `for_each_message`, as `schemas.rs`. A schema whose feature is off has only its text, and
/// codecs for rules whose feature is off are left out.
///
/// # Errors
/// Modules with errors, types without a layout under some rules, files that cannot be read or
/// written.
pub fn write(schemas: &[Schema], target: &Path, is_on: impl Fn(&str) -> bool) -> Result<(), Box<dyn Error>> {
    let is_in = |schema: &Schema| {
        let is_wanted = schema.feature.as_deref().is_none_or(&is_on) && (!schema.heap || is_on("alloc"));
        is_wanted && !schema.rules.is_empty()
    };
    let (mut modules, mut messages) = (String::new(), Vec::new());
    let mut table = String::from(
        "/// The schemas of these messages, with their modules' text.\npub static SCHEMAS: &[Schema] = &[\n",
    );
    for schema in schemas {
        let Schema { name, standard, title, pdus, files, .. } = schema;
        if is_in(schema) {
            let module = schema.module();
            let (code, of_it) = code(schema, schemas, target, &is_on)?;
            fs::write(target.join(format!("{module}.rs")), code)?;
            messages.extend(of_it);
            writeln!(modules, "/// `{name}`: {standard}, {title}.")?;
            writeln!(modules, "#[allow(clippy::all)]\npub mod {module} {{")?;
            writeln!(modules, "    include!(concat!(env!(\"OUT_DIR\"), \"/{module}.rs\"));\n}}")?;
        }
        writeln!(table, "    Schema {{ name: {name:?}, standard: {standard:?}, title: {title:?}, pdus: &{pdus:?},")?;
        let include = |file: &PathBuf| format!("({:?}, include_str!({file:?}))", file.file_name().unwrap_or_default());
        let includes: Vec<String> = files.iter().map(include).collect();
        writeln!(table, "        modules: &[{}] }},", includes.join(", "))?;
    }
    table.push_str("];\n");
    Ok(fs::write(target.join("schemas.rs"), modules + &table + &messages::list(&messages))?)
}

/// A schema's module, and its messages that have codecs there; types that borrow are a file of
/// their own, which it includes.
fn code(
    schema: &Schema,
    all: &[Schema],
    target: &Path,
    is_on: impl Fn(&str) -> bool,
) -> Result<(String, Vec<Message>), Box<dyn Error>> {
    let (model, roots) = schema.compile()?;
    let rules = |list: &[Rules]| list.iter().copied().filter(|rules| is_on(rules.name())).collect::<Vec<_>>();
    let options = schema.options(&model)?;
    let (code, messages) = match &schema.codecs_of {
        Some(name) => {
            let other = all.iter().find(|other| other.name == *name).ok_or_else(|| format!("no schema {name}"))?;
            // The same types by the same names, or further modules that constrain them. Otherwise
            // its values may be others.
            let is_same = schema.pdus == other.pdus && other.compile()?.0 == model;
            if !is_same && !schema.files.ends_with(&other.files) {
                return Err(format!("the types of {} are not those of {name}", schema.name).into());
            }
            let of = format!("crate::{}", other.module());
            let rules = rules(&other.rules);
            let generated = generate_profile(&model, &roots, &rules, &of, other.options.clone())?;
            let rules: Vec<Rules> = rules.into_iter().filter(|rules| is_same || can_share(*rules)).collect();
            let messages = messages::of(schema, &model, &roots, &generated.types, &rules);
            (generated.source, messages)
        }
        None => {
            let rules = rules(&schema.rules);
            let generated = generate(&model, &roots, &rules, options.clone())?;
            (generated.source, messages::of(schema, &model, &roots, &generated.types, &rules))
        }
    };
    if schema.borrowed.is_empty() {
        return Ok((code, messages));
    }
    let file = format!("{}_borrowed.rs", schema.module());
    let options = Options { borrowed: true, ..options };
    fs::write(target.join(&file), generate(&model, &roots, &rules(&schema.borrowed), options)?.source)?;
    let include = format!("include!(concat!(env!(\"OUT_DIR\"), \"/{file}\"));");
    let code = format!(
        "{code}\n/// The same types with strings that the input lends.\npub mod borrowed {{\n    {include}\n}}\n"
    );
    Ok((code, messages))
}

fn module_name(schema: &str) -> String {
    schema.replace(['-', '.'], "_")
}
