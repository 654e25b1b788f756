//! Runs the cases in a folder for each set of rules: `uper/*.md` and so on. `uper/README.md` says how they are written.

mod support;

use std::fs;
use std::path::Path;

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_notation::Notation;
use support::{Block, Section, sections};

/// The folders, and the fewest checks that each is known to have.
const FOLDERS: [(Rules, usize); 15] = [
    (Rules::Uper, 100),
    (Rules::Aper, 40),
    (Rules::Coer, 50),
    (Rules::Ber, 60),
    (Rules::Der, 12),
    (Rules::Cer, 5),
    (Rules::Xer, 60),
    (Rules::Cxer, 5),
    (Rules::Exer, 20),
    (Rules::Protobuf, 60),
    (Rules::Exi, 40),
    (Rules::ExiDefault, 15),
    (Rules::ExiMerged, 2),
    (Rules::ExiSplit, 2),
    (Rules::Tls, 30),
];

#[test]
fn cases_in_markdown() {
    let mut failures = Vec::new();
    for (rules, least) in FOLDERS {
        let checks = folder(rules, &mut failures);
        assert!(checks > least, "the cases of {rules} are read: {checks}");
    }
    assert!(failures.is_empty(), "{} sections fail:\n\n{}", failures.len(), failures.join("\n"));
}

fn folder(rules: Rules, failures: &mut Vec<String>) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(rules.name());
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut checks = 0;
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name == "README.md" || !name.ends_with(".md") {
            continue;
        }
        for section in sections(&fs::read_to_string(&file).unwrap()) {
            match run(rules, &section) {
                Ok(done) => checks += done,
                Err(fault) => failures.push(format!("{rules}/{name}:{} {}\n{fault}\n", section.line, section.title)),
            }
        }
    }
    checks
}

struct Subject {
    model: Model,
    root: TypeId,
    layout: Layout,
    notation: Notation,
}

/// Runs one section, and tells how many checks that were.
fn run(rules: Rules, section: &Section) -> Result<usize, String> {
    let mut subject = None;
    let (mut checks, mut value, mut octets) = (0, None, None);
    for block in &section.blocks {
        let text = &block.text;
        let done = match block.kind.as_str() {
            "asn1" | "presentation" => {
                subject = Some(Subject::new(rules, text, block.kind == "presentation")?);
                (value, octets) = (None, None);
                0
            }
            "value" => {
                (value, octets) = (Some(text.clone()), None);
                0
            }
            "octets" => {
                (value, octets) = (None, Some(octets_of(rules, block)?));
                0
            }
            kind if kind == rules.name() || kind == "bits" => {
                let found = octets_of(rules, block)?;
                let done = match (&value, &octets) {
                    (Some(_), Some(before)) if *before != found => {
                        return Err(at(block, "the two blocks of octets differ"));
                    }
                    (Some(_), Some(_)) => 0,
                    (Some(value), None) => {
                        both_ways(the(&subject)?, value, &found).map_err(|fault| at(block, &fault))?
                    }
                    (None, _) => return Err(at(block, "no value in front")),
                };
                octets = Some(found);
                done
            }
            "also" => {
                let value = value.as_ref().ok_or_else(|| at(block, "no value before it"))?;
                decodes(the(&subject)?, &octets_of(rules, block)?, value).map_err(|fault| at(block, &fault))?
            }
            "error" => {
                let subject = the(&subject)?;
                let error = match (&octets, &value) {
                    (Some(octets), None) => subject.decode(octets),
                    (None, Some(value)) => subject.encode(value).map(|octets| hex(&octets)),
                    _ => return Err(at(block, "an error follows a value or octets, not both")),
                };
                match error {
                    Err(error) if error.contains(text.trim()) => {}
                    Err(error) => return Err(at(block, &format!("the error is {error:?}"))),
                    Ok(result) => return Err(at(block, &format!("no error but {result}"))),
                }
                (value, octets) = (None, None);
                1
            }
            kind => return Err(at(block, &format!("unknown kind of block `{kind}`"))),
        };
        checks += done;
    }
    if checks == 0 { Err("nothing is checked in this section".into()) } else { Ok(checks) }
}

fn the(subject: &Option<Subject>) -> Result<&Subject, String> {
    subject.as_ref().ok_or_else(|| "no block with a module in front".into())
}

fn at(block: &Block, fault: &str) -> String {
    format!("  line {}: {fault}", block.line)
}

fn both_ways(subject: &Subject, value: &str, octets: &[u8]) -> Result<usize, String> {
    let encoded = subject.encode(value)?;
    if encoded != octets {
        return Err(format!("{value}\n    is encoded {}\n    not        {}", hex(&encoded), hex(octets)));
    }
    decodes(subject, octets, value)
}

fn decodes(subject: &Subject, octets: &[u8], value: &str) -> Result<usize, String> {
    let wanted: serde_json::Value = serde_json::from_str(value).map_err(|error| format!("{value}: {error}"))?;
    let decoded = subject.decode(octets)?;
    match serde_json::from_str::<serde_json::Value>(&decoded) {
        Ok(found) if found == wanted => Ok(1),
        _ => Err(format!("{} is decoded {decoded}, not {value}", hex(octets))),
    }
}

impl Subject {
    /// The first type of a module, or of bare definitions that stand for a module with automatic tags; the last one of a file in the presentation language.
    fn new(rules: Rules, text: &str, presentation: bool) -> Result<Self, String> {
        if presentation {
            let last = text.trim_end().trim_end_matches(';').rsplit([';', '}']).next().unwrap_or_default();
            let name = last.split(['<', '[']).next().and_then(|front| front.split_whitespace().last());
            return Subject::of(rules, Source::new("case.tls", text), name.ok_or("no type")?);
        }
        let whole = match text.contains("DEFINITIONS") {
            true => text.to_owned(),
            false => format!("Case DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND"),
        };
        let body = whole.split_once("BEGIN").ok_or("no BEGIN")?.1;
        let name = body.split_whitespace().next().ok_or("no type")?;
        Subject::of(rules, Source::new("case.asn", whole.as_str()), name)
    }

    fn of(rules: Rules, source: Source, name: &str) -> Result<Self, String> {
        let model = compile(&[source]).map_err(|found| found.render())?.model;
        let root = model.find(name).ok_or_else(|| format!("no type {name}"))?;
        let layout = lower(&model, root, rules).map_err(|error| error.to_string())?;
        let notation = Notation::new(&model, root).map_err(|error| error.to_string())?;
        Ok(Subject { model, root, layout, notation })
    }

    fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let value = self.notation.read(text).map_err(|error| error.to_string())?;
        if let Some(broken) = check::value(&self.model, self.root, &value).first() {
            return Err(broken.to_string());
        }
        roadwire_engine::encode_to_vec(&self.layout, &value, 1 << 22).map_err(|error| error.to_string())
    }

    /// The value as JER; all octets have to be used up.
    fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut value = Value::Unset;
        let bits = roadwire_engine::decode(&self.layout, octets, &mut value).map_err(|error| error.to_string())?;
        let used = self.layout.lengths.octets(bits);
        if used != octets.len() {
            return Err(format!("{used} of {} octets used", octets.len()));
        }
        self.notation.write(&value).map_err(|error| error.to_string())
    }
}

/// Octets as hexadecimal digits, or as bits with zeros to fill the last octet; text as it is, without its last line end.
fn octets_of(rules: Rules, block: &Block) -> Result<Vec<u8>, String> {
    if matches!(rules, Rules::Xer | Rules::Cxer | Rules::Exer) {
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
        .map(|chunk| {
            u8::from_str_radix(&chunk.iter().collect::<String>(), radix).map_err(|error| at(block, &error.to_string()))
        })
        .collect()
}

fn hex(octets: &[u8]) -> String {
    if octets.first() == Some(&b'<') {
        return String::from_utf8_lossy(octets).into_owned();
    }
    let shown: String = octets.iter().take(40).map(|octet| format!("{octet:02x}")).collect();
    if octets.len() > 40 { format!("{shown}… ({} octets)", octets.len()) } else { shown }
}
