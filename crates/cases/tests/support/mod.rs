//! Runs the cases of each set of rules. `uper/README.md` says how they are written.

use roadwire_cases::files::files;
use roadwire_cases::markdown::{Block, Section, sections};
use roadwire_cases::module::Module;
use roadwire_frontend::compile;
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_notation::Notation;

/// No case has an encoding of so many octets.
pub(crate) const ROOM: usize = 1 << 22;

/// The codec that the cases of a section are tried on.
pub(crate) trait Subject {
    /// Another module begins.
    fn module(&mut self, block: &Block) -> Result<(), String>;
    /// The value has these octets, and they the value.
    fn both_ways(&self, value: &str, octets: &[u8]) -> Result<(), String>;
    /// The octets have this value.
    fn decodes(&self, octets: &[u8], value: &str) -> Result<(), String>;
    /// Decoding the octets is an error, which says this.
    fn refuses_octets(&self, octets: &[u8], error: &str) -> Result<(), String>;
    /// Encoding the value is an error, which says this.
    fn refuses_value(&self, value: &str, error: &str) -> Result<(), String>;
    /// The section ends.
    fn end(&self) -> Result<(), String>;
}

/// Runs all cases; each section begins with a new subject for the rules, the file and the section.
pub(crate) fn run_all<S: Subject>(new: impl Fn(Rules, &str, &Section) -> S) {
    let mut failures = Vec::new();
    for rules in Rules::ALL {
        let files = files(rules.name());
        assert!(!files.is_empty(), "there is no folder of cases for {rules}");
        for (file, text) in files {
            for section in sections(&text) {
                if let Err(fault) = run(rules, &section, &mut new(rules, &file, &section)) {
                    failures.push(format!("{rules}/{file}:{} {}\n{fault}\n", section.line, section.title));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} sections fail:\n\n{}", failures.len(), failures.join("\n"));
}

fn run(rules: Rules, section: &Section, subject: &mut impl Subject) -> Result<(), String> {
    let (mut checks, mut value, mut octets) = (0, None, None);
    for block in &section.blocks {
        let text = &block.text;
        let at = |fault: String| format!("  line {}: {fault}", block.line);
        let found = || octets_of(rules, block).map_err(at);
        let checked = match block.kind.as_str() {
            "asn1" | "presentation" => {
                subject.module(block).map_err(at)?;
                (value, octets) = (None, None);
                continue;
            }
            "value" => {
                (value, octets) = (Some(text), None);
                continue;
            }
            "octets" => {
                (value, octets) = (None, Some(found()?));
                continue;
            }
            "generated" => continue,
            kind if kind == rules.name() || kind == "bits" => {
                let value = value.ok_or_else(|| at("no value in front".into()))?;
                let found = found()?;
                match octets.replace(found.clone()) {
                    Some(before) if before != found => Err("the two blocks of octets differ".into()),
                    Some(_) => continue,
                    None => subject.both_ways(value, &found),
                }
            }
            "also" => subject.decodes(&found()?, value.ok_or_else(|| at("no value in front".into()))?),
            "error" => match (octets.take(), value.take()) {
                (Some(octets), None) => subject.refuses_octets(&octets, text.trim()),
                (None, Some(value)) => subject.refuses_value(value, text.trim()),
                _ => Err("an error follows a value or octets, not both".into()),
            },
            kind => Err(format!("unknown kind of block `{kind}`")),
        };
        checked.map_err(at)?;
        checks += 1;
    }
    subject.end()?;
    if checks == 0 { Err("nothing is checked in this section".into()) } else { Ok(()) }
}

/// The interpreter of the type under test in a module.
pub(crate) struct Interpreter {
    pub(crate) model: Model,
    pub(crate) root: TypeId,
    pub(crate) layout: Layout,
    notation: Notation,
}

impl Interpreter {
    pub(crate) fn new(rules: Rules, module: Module) -> Result<Self, String> {
        let model = compile(&[module.source]).map_err(|found| found.render())?.model;
        let root = model.find(&module.root).ok_or_else(|| format!("no type {}", module.root))?;
        let layout = lower(&model, root, rules).map_err(|error| error.to_string())?;
        let notation = Notation::new(&model, root).map_err(|error| error.to_string())?;
        Ok(Interpreter { model, root, layout, notation })
    }

    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let value = self.notation.read(text).map_err(|error| error.to_string())?;
        if let Some(broken) = check::value(&self.model, self.root, &value).first() {
            return Err(broken.to_string());
        }
        roadwire_engine::encode_to_vec(&self.layout, &value, ROOM).map_err(|error| error.to_string())
    }

    /// The value as JER; all octets must be used.
    pub(crate) fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut value = Value::Unset;
        let bits = roadwire_engine::decode(&self.layout, octets, &mut value).map_err(|error| error.to_string())?;
        self.all_used(bits, octets)?;
        self.notation.write(&value).map_err(|error| error.to_string())
    }

    pub(crate) fn all_used(&self, bits: usize, octets: &[u8]) -> Result<(), String> {
        match self.layout.octets_of(bits) {
            used if used == octets.len() => Ok(()),
            used => Err(format!("{used} of {} octets used", octets.len())),
        }
    }
}

pub(crate) fn is_encoded(text: &str, encoded: &[u8], octets: &[u8]) -> Result<(), String> {
    match encoded == octets {
        true => Ok(()),
        false => Err(format!("{text}\n    is encoded {}\n    not        {}", hex(encoded), hex(octets))),
    }
}

pub(crate) fn is_decoded(octets: &[u8], decoded: &str, text: &str) -> Result<(), String> {
    let wanted: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))?;
    match serde_json::from_str::<serde_json::Value>(decoded) {
        Ok(found) if found == wanted => Ok(()),
        _ => Err(format!("{} is decoded {decoded}, not {text}", hex(octets))),
    }
}

pub(crate) fn is_error<T: std::fmt::Debug>(found: Result<T, String>, error: &str) -> Result<(), String> {
    match found {
        Err(found) if found.contains(error) => Ok(()),
        Err(found) => Err(format!("the error is {found:?}")),
        Ok(value) => Err(format!("no error but {value:?}")),
    }
}

/// Octets from hexadecimal digits, or from bits padded with zeros to a whole octet; text unchanged,
/// without its last line end.
fn octets_of(rules: Rules, block: &Block) -> Result<Vec<u8>, String> {
    if rules.is_text() {
        return Ok(block.text.strip_suffix('\n').unwrap_or(&block.text).as_bytes().to_vec());
    }
    let bits = block.kind == "bits";
    let (radix, width) = if bits { (2, 8) } else { (16, 2) };
    let mut digits: String = block
        .text
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default())
        .flat_map(|line| line.chars().filter(|digit| !digit.is_whitespace()))
        .collect();
    while bits && (digits.is_empty() || digits.len() % width != 0) {
        digits.push('0');
    }
    let chunks: Vec<char> = digits.chars().collect();
    chunks
        .chunks(width)
        .map(|chunk| u8::from_str_radix(&chunk.iter().collect::<String>(), radix).map_err(|error| error.to_string()))
        .collect()
}

pub(crate) fn hex(octets: &[u8]) -> String {
    if octets.first() == Some(&b'<') {
        return String::from_utf8_lossy(octets).into_owned();
    }
    let shown: String = octets.iter().take(40).map(|octet| format!("{octet:02x}")).collect();
    if octets.len() > 40 { format!("{shown}… ({} octets)", octets.len()) } else { shown }
}
