//! Measuring: lengths of all contents in all encodings, and times of those that are asked for.

use roadwire_layout::Rules;
use serde::{Deserialize, Serialize};

use crate::confirmed;
use crate::experiment::Request;
use crate::gate;
use crate::interpreted::Interpreted;
use crate::progress::Progress;
use crate::record::Run;
use roadwire_measure::cell::{Cell, Direction};
use roadwire_measure::random::Random;
use roadwire_measure::stats::{self, Summary};
use roadwire_measure::timing::{self, Entry, Plan};
use roadwire_measure::{clock, heap};
use roadwire_peers::content::Schema;
use roadwire_peers::content::today::{CONTENTS, Content, SIGNERS, envelope};

/// How many prefixes of a message the gate tries.
const PREFIXES: usize = 200;

/// The message that is in an envelope whose time is measured.
pub(super) const ENVELOPED: &str = "cam-typical";

/// The interpreter's name among the engines.
pub(super) const INTERPRETER: &str = roadwire_peers::roadwire::INTERPRETER;

/// The linked engines beside the interpreter; a message that one of them lacks in an encoding has
/// no row.
const ENGINES: [&str; 3] = ["roadwire-toed", "by hand", "rasn"];

/// The study's measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Today {
    /// The run.
    pub run: Run,
    /// One for each content and encoding.
    pub lengths: Vec<Length>,
    /// One for each content, encoding and implementation that is timed.
    pub rows: Vec<Row>,
    /// Messages that did not pass the gate.
    pub failures: Vec<String>,
}

/// How long a message is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// The content's name.
    pub message: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// The message's octets.
    pub octets: usize,
    /// Implementations with the same octets; empty if none was asked or could answer.
    pub confirmed_by: String,
    /// With an envelope under the same rules, by signer: digest, certificate.
    pub enveloped: [usize; 2],
    /// With an envelope in COER, as it is on the road, by signer.
    pub on_the_road: [usize; 2],
}

/// The time of one message in one encoding by one implementation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The content's name, or `envelope-digest` and `envelope-certificate`.
    pub message: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// The implementation.
    pub engine: String,
    /// The encoded length.
    pub octets: usize,
    /// CPU time of one encoding, nanoseconds.
    pub encode: Option<Summary>,
    /// CPU time of one decoding, nanoseconds.
    pub decode: Option<Summary>,
    /// The heap that one decoding asks for, octets.
    pub heap: Option<i64>,
}

impl Today {
    /// The length of a content.
    #[must_use]
    pub fn length(&self, message: &str, rules: Rules) -> Option<&Length> {
        self.lengths.iter().find(|one| one.message == message && one.rules == rules)
    }

    /// The times of a content.
    #[must_use]
    pub fn row(&self, message: &str, rules: Rules, engine: &str) -> Option<&Row> {
        self.rows.iter().find(|one| one.message == message && one.rules == rules && one.engine == engine)
    }
}

impl Row {
    /// The median time in one direction, nanoseconds.
    #[must_use]
    pub fn time(&self, direction: Direction) -> Option<f64> {
        let summary = match direction {
            Direction::Encode => &self.encode,
            Direction::Decode => &self.decode,
        };
        summary.as_ref().map(|summary| summary.median)
    }
}

/// The contents that are timed: those of the setting `timed`, or in a quick run of `quick`.
fn timed(requests: &[Request<'_>], quick: bool) -> Result<Vec<&'static Content>, String> {
    let key = if quick { "quick" } else { "timed" };
    let mut chosen = Vec::new();
    for request in requests {
        let names = request.settings.get(key).and_then(toml::Value::as_array);
        for name in names.ok_or_else(|| format!("{}: no list `{key}` in its settings", request.study))? {
            let content = name.as_str().and_then(Content::find);
            chosen.push(content.ok_or_else(|| format!("{}: there is no content {name:?}", request.study))?);
        }
    }
    Ok(chosen)
}

/// A message of the study in one encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The schema.
    pub schema: Schema,
    /// The encoding rules.
    pub rules: Rules,
    /// The content's name, or the envelope's.
    pub name: String,
    /// The message.
    pub octets: Vec<u8>,
    /// Its value.
    pub jer: String,
}

/// All contents and the envelopes whose time is measured, in all encodings.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn messages() -> Result<Vec<Told>, String> {
    let contents: Vec<&Content> = CONTENTS.iter().collect();
    let mut told = Vec::new();
    for (name, schema, jer) in with_envelopes(&contents)? {
        for rules in rules() {
            let octets = Interpreted::shipped(schema, rules)?.octets(&jer)?;
            told.push(Told { schema, rules, name: name.clone(), octets, jer: jer.clone() });
        }
    }
    Ok(told)
}

/// Contents with their names, schemas and JER; and the envelopes whose time is measured.
fn with_envelopes(contents: &[&'static Content]) -> Result<Vec<(String, Schema, String)>, String> {
    let mut all: Vec<(String, Schema, String)> =
        contents.iter().map(|content| (content.id.into(), content.schema, content.jer())).collect();
    let inside = Content::find(ENVELOPED).ok_or("there is no such content")?;
    let octets = Interpreted::shipped(inside.schema, Rules::Uper)?.octets(&inside.jer())?;
    for signer in SIGNERS {
        let jer = envelope(inside.schema, signer, &octets).to_string();
        all.push((format!("envelope-{}", signer.name()), Schema::Data211, jer));
    }
    Ok(all)
}

/// The rules of ASN.1, all of which the messages and their envelope are encoded under.
pub(super) fn rules() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls)
}

/// Measures.
///
/// # Errors
/// An error in the study's own files.
pub(super) fn run(run: &Run, requests: &[Request<'_>], progress: &dyn Progress) -> Result<Today, String> {
    let timed = timed(requests, run.quick)?;
    let mut study = Today { run: run.clone(), lengths: Vec::new(), rows: Vec::new(), failures: Vec::new() };
    study.measure_lengths(progress)?;
    let mut cells = study.cells(&timed, progress)?;
    study.measure_times(&mut cells, progress);
    study.measure_heap(&mut cells);
    Ok(study)
}

impl Today {
    fn measure_lengths(&mut self, progress: &dyn Progress) -> Result<(), String> {
        let coer = Interpreted::shipped(Schema::Data211, Rules::Coer)?;
        let total = rules().count();
        for (done, rules) in rules().enumerate() {
            progress.step("release 2, lengths", done, total);
            let outside = Interpreted::shipped(Schema::Data211, rules)?;
            let mut known: Option<(Schema, Interpreted)> = None;
            for content in CONTENTS {
                if known.as_ref().is_none_or(|(schema, _)| *schema != content.schema) {
                    known = Some((content.schema, Interpreted::shipped(content.schema, rules)?));
                }
                let Some((_, inside)) = &known else { continue };
                let told = |why: String| format!("{} in {rules}: {why}", content.id);
                let octets = inside.octets(&content.jer()).map_err(told)?;
                let (mut enveloped, mut on_the_road) = ([0; 2], [0; 2]);
                for (at, signer) in SIGNERS.into_iter().enumerate() {
                    let envelope = envelope(content.schema, signer, &octets).to_string();
                    enveloped[at] = outside.octets(&envelope).map_err(told)?.len();
                    on_the_road[at] = coer.octets(&envelope).map_err(told)?.len();
                }
                let confirmed_by = self.confirmed(content.id, rules, &octets);
                let (message, octets) = (content.id.into(), octets.len());
                self.lengths.push(Length { message, rules, octets, confirmed_by, enveloped, on_the_road });
            }
        }
        Ok(())
    }

    /// Who has these octets of a message, by the file. Other octets than those that somebody has
    /// are a failure.
    fn confirmed(&mut self, message: &str, rules: Rules, octets: &[u8]) -> String {
        match confirmed::by(confirmed::TODAY, message, rules, octets) {
            Ok(by) => by.unwrap_or_default(),
            Err(by) => {
                self.failures.push(format!("{message} in {rules}: its octets are not those that {by} has"));
                String::new()
            }
        }
    }

    /// The cells that pass the gate, each with a row.
    fn cells(&mut self, timed: &[&'static Content], progress: &dyn Progress) -> Result<Vec<Box<dyn Cell>>, String> {
        let all = with_envelopes(timed)?;
        let mut cells = Vec::new();
        for (done, (name, schema, jer)) in all.iter().enumerate() {
            progress.step("release 2, gate", done, all.len());
            for rules in rules() {
                let mut own = Interpreted::shipped(*schema, rules)?.cell(jer).map_err(|absent| absent.0)?;
                let octets = self.judge(name, rules, INTERPRETER, own.as_mut());
                self.keep(name, rules, INTERPRETER, octets.as_deref(), None, own, &mut cells);
                for engine in ENGINES {
                    let linked = roadwire_peers::find(engine).ok_or("an engine is not linked")?;
                    let Ok(mut cell) = linked.cell_of(*schema, rules, jer) else { continue };
                    let found = self.judge(name, rules, engine, cell.as_mut());
                    // Open types, which generated code keeps as octets, are another text.
                    if rules.is_text() && found != octets {
                        continue;
                    }
                    self.keep(name, rules, engine, found.as_deref(), octets.as_deref(), cell, &mut cells);
                }
            }
        }
        Ok(cells)
    }

    /// The octets that a cell encodes, if it passes the gate by itself.
    fn judge(&mut self, message: &str, rules: Rules, engine: &str, cell: &mut dyn Cell) -> Option<Vec<u8>> {
        let judged = gate::judge_some(cell, PREFIXES);
        judged.map_err(|why| self.failures.push(format!("{engine}, {message} in {rules}: {why}"))).ok()
    }

    /// Keeps a cell that passed the gate, and whose octets are those `expected`.
    #[allow(clippy::too_many_arguments, reason = "a row and its cell")]
    fn keep(
        &mut self,
        message: &str,
        rules: Rules,
        engine: &str,
        found: Option<&[u8]>,
        expected: Option<&[u8]>,
        cell: Box<dyn Cell>,
        cells: &mut Vec<Box<dyn Cell>>,
    ) {
        let Some(found) = found else { return };
        if expected.is_some_and(|expected| expected != found) {
            self.failures.push(format!("{engine}, {message} in {rules}: its octets differ from {INTERPRETER}'s"));
            return;
        }
        cells.push(cell);
        let (message, engine, octets) = (message.into(), engine.into(), found.len());
        self.rows.push(Row { message, rules, engine, octets, encode: None, decode: None, heap: None });
    }

    fn measure_times(&mut self, cells: &mut [Box<dyn Cell>], progress: &dyn Progress) {
        let entries: Vec<Entry> =
            (0..cells.len()).flat_map(|cell| Direction::ALL.map(|direction| Entry { cell, direction })).collect();
        let rounds = if self.run.quick { 15 } else { 60 };
        let plan = Plan::new(rounds, clock::cost_nanoseconds());
        let mut step = |round| progress.step("release 2, time", round, rounds);
        let samples = timing::measure(cells, &entries, plan, &mut Random::new(self.run.seed), &mut step);
        for (entry, samples) in entries.iter().zip(&samples) {
            let row = &mut self.rows[entry.cell];
            if let Some(fault) = &samples.fault {
                let Row { engine, message, rules, .. } = row;
                self.failures.push(format!("{engine}, {message} in {rules}, {}: {fault}", entry.direction.name()));
                continue;
            }
            let summary = stats::summarise(&samples.cpu);
            match entry.direction {
                Direction::Encode => row.encode = summary,
                Direction::Decode => row.decode = summary,
            }
        }
    }

    fn measure_heap(&mut self, cells: &mut [Box<dyn Cell>]) {
        for (cell, row) in cells.iter_mut().zip(&mut self.rows) {
            let probed = cell.probe(Direction::Decode, &mut |work| {
                work();
                row.heap = heap::measure(work).map(|heap| heap.requested);
            });
            if let Err(why) = probed {
                self.failures.push(format!("{}, {} in {}: {why}", row.engine, row.message, row.rules));
            }
        }
    }
}
