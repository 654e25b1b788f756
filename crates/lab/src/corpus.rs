//! Recorded messages: each is decoded, encoded again and compared; then lengths and times.
//!
//! A file holds UPER octets, one message a line: hex digits, or a JSON object with them in
//! `"uper"`; gzipped or not. It is read line by line in bounded memory.

mod read;
mod time;

use std::collections::BTreeMap;
use std::path::Path;

use roadwire_layout::Rules;
use serde::Serialize;

use crate::report::table::Table;
use roadwire_measure::cell::Transcode;
use roadwire_measure::random::Random;
use roadwire_peers::Engine;
use roadwire_peers::content::Schema;

/// How many failures are listed with their reason; the rest are counted.
const LISTED: usize = 50;
/// How many messages of a class are kept for timing, drawn at random.
const KEPT: usize = 500;

/// The content of a corpus, and the engines' results.
#[derive(Debug, Default, Serialize)]
pub struct Corpus {
    /// The file name as given.
    pub file: String,
    /// Lines that hold octets.
    pub messages: u64,
    /// Lines that hold none, with the first reason.
    pub unreadable: u64,
    /// Why the first unreadable line was refused.
    pub unreadable_why: Option<String>,
    /// Messages of types that no engine supports, by messageID and protocolVersion.
    pub others: BTreeMap<String, u64>,
    /// Messages by class.
    pub classes: Vec<Class>,
    /// Messages that were changed by decoding and encoding, with the reason.
    pub failures: Vec<Failure>,
    /// Messages that at least one engine changed or refused.
    pub failed: u64,
    /// Timed passes that did not process all messages.
    pub miscounted: Vec<String>,
}

/// Messages of one type and version.
#[derive(Debug, Serialize)]
pub struct Class {
    /// `CAM` or `DENM`.
    pub kind: &'static str,
    /// protocolVersion.
    pub version: u8,
    /// The module version that is used for it.
    pub schema: &'static str,
    /// How many messages.
    pub messages: u64,
    /// How many of each length in octets.
    pub lengths: BTreeMap<usize, u64>,
    /// The result of each engine.
    pub engines: Vec<Did>,
}

impl Class {
    /// As in tables.
    fn name(&self) -> String {
        format!("{} v{}", self.kind, self.version)
    }
}

/// The result of one engine for a class.
#[derive(Debug, Serialize)]
pub struct Did {
    /// The engine's name.
    pub engine: String,
    /// Messages that were unchanged.
    pub identical: u64,
    /// Messages that did not.
    pub failed: u64,
    /// CPU time to encode one message, nanoseconds, median over passes.
    pub encode_ns: Option<f64>,
    /// CPU time to decode one message, nanoseconds, median over passes.
    pub decode_ns: Option<f64>,
}

/// A message that was changed or refused.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// Line in the file, from 1.
    pub line: u64,
    /// The engine.
    pub engine: String,
    /// The class.
    pub class: String,
    /// The outcome in words.
    pub why: String,
}

/// Classifies a message by its first two octets: protocolVersion and messageID of ItsPduHeader.
fn classify(octets: &[u8]) -> Option<(&'static str, u8, Schema)> {
    match *octets {
        [1, 1, ..] => Some(("DENM", 1, Schema::Denm120)),
        [2, 1, ..] => Some(("DENM", 2, Schema::Denm131)),
        [1, 2, ..] => Some(("CAM", 1, Schema::Cam130)),
        [2, 2, ..] => Some(("CAM", 2, Schema::Cam141)),
        _ => None,
    }
}

/// A class while the file is read.
struct Open {
    class: Class,
    transcoders: Vec<(String, Box<dyn Transcode>)>,
    kept: Vec<Vec<u8>>,
    /// The previous message, over which the next one is decoded.
    last: Vec<u8>,
}

/// Reads the file and runs every engine that supports the messages.
///
/// # Errors
/// When the file cannot be read.
pub fn run(
    path: &Path,
    engines: &[Box<dyn Engine>],
    random: &mut Random,
    progress: &mut dyn FnMut(u64),
) -> std::io::Result<Corpus> {
    let mut corpus = Corpus { file: path.display().to_string(), ..Corpus::default() };
    let mut open: Vec<Open> = Vec::new();
    let mut lines = read::Lines::open(path)?;
    while let Some((number, line)) = lines.next()? {
        progress(number);
        let octets = match line {
            Ok(octets) => octets,
            Err(why) => {
                corpus.unreadable += 1;
                let why = format!("line {number}: {why}");
                corpus.unreadable_why.get_or_insert(why);
                continue;
            }
        };
        corpus.messages += 1;
        match classify(&octets) {
            None => *corpus.others.entry(other(&octets)).or_default() += 1,
            Some((kind, version, schema)) => {
                let at = find_or_open(&mut open, engines, kind, version, schema);
                take(&mut corpus, &mut open[at], number, octets, random);
            }
        }
    }
    for mut one in open {
        corpus.miscounted.extend(time::measure(&mut one));
        corpus.classes.push(one.class);
    }
    corpus.classes.sort_by(|a, b| (a.kind, a.version).cmp(&(b.kind, b.version)));
    Ok(corpus)
}

fn other(octets: &[u8]) -> String {
    match octets {
        [version, id, ..] => format!("messageID {id}, protocolVersion {version}"),
        _ => "shorter than a header".into(),
    }
}

fn find_or_open(
    open: &mut Vec<Open>,
    engines: &[Box<dyn Engine>],
    kind: &'static str,
    version: u8,
    schema: Schema,
) -> usize {
    let known = open.iter().position(|o| o.class.kind == kind && o.class.version == version);
    if let Some(at) = known {
        return at;
    }
    let transcoders: Vec<_> =
        engines.iter().filter_map(|e| Some((e.name().to_string(), e.transcoder(schema, Rules::Uper).ok()?))).collect();
    open.push(Open {
        class: Class {
            kind,
            version,
            schema: schema.name(),
            messages: 0,
            lengths: BTreeMap::new(),
            engines: transcoders
                .iter()
                .map(|(engine, _)| Did {
                    engine: engine.clone(),
                    identical: 0,
                    failed: 0,
                    encode_ns: None,
                    decode_ns: None,
                })
                .collect(),
        },
        transcoders,
        kept: Vec::new(),
        last: Vec::new(),
    });
    open.len() - 1
}

fn take(corpus: &mut Corpus, open: &mut Open, line: u64, octets: Vec<u8>, random: &mut Random) {
    let class = &mut open.class;
    class.messages += 1;
    *class.lengths.entry(octets.len()).or_default() += 1;
    let (name, mut all_well) = (class.name(), true);
    for ((engine, transcoder), did) in open.transcoders.iter_mut().zip(&mut class.engines) {
        let why = match transcoder.recode(&open.last, &octets) {
            Ok(again) if again == octets => {
                did.identical += 1;
                continue;
            }
            Ok(again) => difference(&octets, &again),
            Err(why) => why,
        };
        all_well = false;
        did.failed += 1;
        if corpus.failures.len() < LISTED {
            corpus.failures.push(Failure { line, engine: engine.clone(), class: name.clone(), why });
        }
    }
    corpus.failed += u64::from(!all_well);
    open.last.clone_from(&octets);
    // A reservoir: each unchanged message is kept with the same probability.
    if all_well {
        if open.kept.len() < KEPT {
            open.kept.push(octets);
        } else {
            let at = random.below(usize::try_from(class.messages).unwrap_or(usize::MAX));
            if let Some(slot) = open.kept.get_mut(at) {
                *slot = octets;
            }
        }
    }
}

fn difference(octets: &[u8], again: &[u8]) -> String {
    let at = octets.iter().zip(again).position(|(a, b)| a != b).unwrap_or(octets.len().min(again.len()));
    format!("comes back as {} octets instead of {}, first difference at octet {at}", again.len(), octets.len())
}

impl Corpus {
    /// The findings as tables.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.engines_table(), self.lengths_table()];
        if !self.failures.is_empty() {
            tables.push(self.failures_table());
        }
        tables
    }

    fn engines_table(&self) -> Table {
        let mut table = Table::new(
            format!("Recorded messages: {}", self.file),
            &["type", "schema", ">messages", "engine", ">same octets", ">failed", ">encode ns", ">decode ns"],
        );
        for class in &self.classes {
            for did in &class.engines {
                table.row([
                    class.name(),
                    class.schema.into(),
                    class.messages.to_string(),
                    did.engine.clone(),
                    did.identical.to_string(),
                    did.failed.to_string(),
                    crate::number::or_dash(did.encode_ns.map(|ns| format!("{ns:.1}"))),
                    crate::number::or_dash(did.decode_ns.map(|ns| format!("{ns:.1}"))),
                ]);
            }
        }
        let others: u64 = self.others.values().sum();
        let mut note = format!("{} messages, {others} of other types", self.messages);
        for (what, count) in &self.others {
            note += &format!("; {what}: {count}");
        }
        table.notes.push(note + ".");
        if let Some(why) = &self.unreadable_why {
            table.notes.push(format!("{} lines hold no message; first: {why}", self.unreadable));
        }
        table
    }

    fn lengths_table(&self) -> Table {
        let mut table = Table::new(
            "Lengths of the recorded messages, octets",
            &["type", ">messages", ">min", ">median", ">max", "histogram (octets: messages)"],
        );
        for class in &self.classes {
            table.row([
                class.name(),
                class.messages.to_string(),
                crate::number::or_dash(class.lengths.keys().next()),
                median(&class.lengths, class.messages).to_string(),
                crate::number::or_dash(class.lengths.keys().next_back()),
                histogram(&class.lengths),
            ]);
        }
        table
    }

    fn failures_table(&self) -> Table {
        let mut table = Table::new(
            format!("Messages that did not come back the same ({})", self.failed),
            &[">line", "type", "engine", "why"],
        );
        for failure in &self.failures {
            table.row([failure.line.to_string(), failure.class.clone(), failure.engine.clone(), failure.why.clone()]);
        }
        table
    }
}

fn median(lengths: &BTreeMap<usize, u64>, messages: u64) -> usize {
    let mut left = messages / 2;
    for (length, count) in lengths {
        if left < *count {
            return *length;
        }
        left -= count;
    }
    0
}

/// At most ten ranges of equal width.
fn histogram(lengths: &BTreeMap<usize, u64>) -> String {
    let (Some(min), Some(max)) = (lengths.keys().next(), lengths.keys().next_back()) else {
        return String::new();
    };
    let width = (max - min) / 10 + 1;
    let mut ranges: BTreeMap<usize, u64> = BTreeMap::new();
    for (length, count) in lengths {
        *ranges.entry((length - min) / width).or_default() += count;
    }
    let ranges: Vec<String> = ranges
        .iter()
        .map(|(i, count)| match width {
            1 => format!("{}: {count}", min + i),
            _ => format!("{}–{}: {count}", min + i * width, min + (i + 1) * width - 1),
        })
        .collect();
    ranges.join(", ")
}
