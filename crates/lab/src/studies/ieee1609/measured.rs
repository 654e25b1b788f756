//! Measuring: each message, in each encoding, by each implementation.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::cells::Engine;
use super::description::{self, Description};
use super::encoding::{Encoding, MESSAGE, Parts};
use super::encrypted::{self, Encrypted};
use super::instructions::Counted;
use super::on_file::{self, OnFile};
use super::passes::{self, Passes, Work};
use super::spans::Spans;
use crate::experiment::{Asked, Request};
use crate::gate;
use crate::processes;
use crate::record::Run;
use roadwire_measure::cell::{Absent, Cell, Direction};
use roadwire_measure::random::Random;
use roadwire_measure::stats::{self, Summary};
use roadwire_measure::timing::{self, Entry, Plan, Samples};
use roadwire_measure::{clock, heap};

use crate::progress::{Progress, Silent};

/// The study's measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ieee1609 {
    /// The run.
    pub run: Run,
    /// One row for each message, encoding and implementation.
    pub rows: Vec<Row>,
    /// Where the signed data begins, in bits from the start of the message, by message and
    /// encoding.
    pub offsets: Vec<(String, Encoding, usize)>,
    /// The signed messages of the tables, in each encoding: in one pass and in two.
    pub passes: Vec<Passes>,
    /// The really encrypted messages, in each encoding.
    #[serde(default)]
    pub encrypted: Vec<Encrypted>,
    /// Counts on emulated processors.
    #[serde(default)]
    pub counted: Vec<Counted>,
    /// The versions of the programs of this run.
    #[serde(default)]
    pub versions: Vec<(Engine, String)>,
    /// The implementations of this run that lack the messages in an encoding.
    #[serde(default)]
    pub lacking: Vec<Lacking>,
    /// Why times come from one process only; `None` if they come from several.
    #[serde(default)]
    pub single: Option<String>,
    /// Messages that did not pass the gate.
    pub failures: Vec<String>,
}

/// An implementation that lacks messages in an encoding, for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lacking {
    /// The implementation.
    pub engine: Engine,
    /// How the messages are encoded.
    pub encoding: Encoding,
    /// The first of them.
    pub message: String,
    /// How many.
    pub messages: usize,
    /// The reason.
    pub why: String,
}

/// One message in one encoding by one implementation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The message's name.
    pub message: String,
    /// How it is encoded.
    pub encoding: Encoding,
    /// The implementation.
    pub engine: Engine,
    /// Encoded length.
    pub octets: usize,
    /// How many optional parts it has.
    pub parts: usize,
    /// CPU time of one encoding, nanoseconds.
    pub encode: Option<Summary>,
    /// CPU time of one decoding, nanoseconds.
    pub decode: Option<Summary>,
    /// The heap allocated in one decoding, octets.
    pub heap: Option<i64>,
    /// The median time of each process that timed it, nanoseconds: of encoding, and of decoding.
    #[serde(default)]
    pub processes: [Vec<f64>; 2],
    /// Where and when it was measured, if not in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<OnFile>,
}

/// Times of linked implementations that a process of its own measures.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Times {
    run: Run,
    /// The messages' names.
    messages: Vec<String>,
    /// How many rounds.
    rounds: usize,
    /// The least time of a sample, nanoseconds.
    sample: f64,
    /// The seed of the order.
    seed: u64,
}

/// Cells, and what is timed of them.
type Timed = (Vec<Box<dyn Cell>>, Vec<Entry>);

/// The samples of cells, by the cell's name.
type Named = Vec<(String, Direction, Samples)>;

impl Ieee1609 {
    /// A run that has measured nothing yet.
    pub(super) fn of(run: Run) -> Self {
        Ieee1609 {
            run,
            rows: Vec::new(),
            offsets: Vec::new(),
            passes: Vec::new(),
            encrypted: Vec::new(),
            counted: Vec::new(),
            versions: Vec::new(),
            lacking: Vec::new(),
            single: None,
            failures: Vec::new(),
        }
    }

    /// The implementations that have a codec for a direction in this run, of those that there are
    /// for an encoding.
    pub(super) fn engines(&self, encoding: Encoding, direction: Direction) -> Vec<Engine> {
        let is_there = |engine: &Engine| {
            engine.does(direction) && self.rows.iter().any(|row| row.engine == *engine && row.encoding == encoding)
        };
        Engine::ALL.into_iter().filter(is_there).collect()
    }

    /// The row of a message.
    pub fn row(&self, message: &str, encoding: Encoding, engine: Engine) -> Option<&Row> {
        self.rows.iter().find(|row| row.message == message && row.encoding == encoding && row.engine == engine)
    }

    /// The passes of a message.
    pub fn pass(&self, message: &str, encoding: Encoding) -> Option<&Passes> {
        self.passes.iter().find(|passes| passes.message == message && passes.encoding == encoding)
    }

    /// The factor from this machine's nanoseconds to those at a clock of 3 GHz, if the clock is
    /// known.
    pub fn normal(&self) -> Option<f64> {
        let mhz = self.run.machine.mhz;
        (mhz > 0.0).then_some(mhz / 3000.0)
    }
}

impl Row {
    /// A row that nothing was measured of yet.
    pub(super) fn new(message: String, encoding: Encoding, engine: Engine, octets: usize, parts: usize) -> Self {
        let (encode, decode, heap, processes, recorded) = (None, None, None, Default::default(), None);
        Row { message, encoding, engine, octets, parts, encode, decode, heap, processes, recorded }
    }

    /// The median time in one direction, nanoseconds.
    pub fn time(&self, direction: Direction) -> Option<f64> {
        let summary = match direction {
            Direction::Encode => &self.encode,
            Direction::Decode => &self.decode,
        };
        summary.as_ref().map(|summary| summary.median)
    }
}

/// The messages in claims, besides those of the paper's tables.
fn claimed(requests: &[Request<'_>]) -> BTreeSet<String> {
    let claimed = requests.iter().flat_map(|request| &request.claimed);
    claimed.filter_map(|figure| figure.message().map(str::to_string)).collect()
}

/// Measures all messages, or with a quick run those of the paper's tables and claims.
///
/// # Errors
/// An error in the study's own files.
pub fn run(run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Ieee1609, String> {
    let mut all = description::all()?;
    if run.quick {
        let claimed = claimed(asked.requests);
        all.retain(|of| of.row.is_some() || claimed.contains(&of.name));
    }
    let mut study = Ieee1609::of(run.clone());
    study.versions = Engine::ALL.into_iter().filter_map(|engine| Some((engine, built(engine, asked)?))).collect();
    let (mut cells, entries) = study.cells(&all, asked.engines, progress)?;
    // How many processes, and how many rounds each has.
    let (processes, rounds) = if run.quick { (3, 8) } else { (5, 20) };
    let plan = Plan::new(rounds, clock::cost_nanoseconds());
    let mut random = Random::new(run.seed);
    let step = |round| progress.step("IEEE 1609.2, time", round, rounds * processes);
    let here = timing::measure(&mut cells, &entries, plan, &mut random, &mut |round| step(round));
    // The samples of each entry by process, this one's first.
    let mut samples: Vec<Vec<Samples>> = here.into_iter().map(|one| vec![one]).collect();
    let messages: Vec<String> = all.into_iter().map(|of| of.name).collect();
    for process in 1..processes {
        step(rounds * process);
        let (run, messages) = (run.clone(), messages.clone());
        let times = Times { run, messages, rounds, sample: plan.sample, seed: random.next() };
        match processes::of_experiment::<Named>(asked.probe, super::NAME, &times) {
            Ok(more) => study.add(&entries, &mut samples, more),
            Err(why) => {
                study.single = Some(why);
                break;
            }
        }
    }
    for (entry, samples) in entries.iter().zip(&samples) {
        study.keep(*entry, samples);
    }
    for (at, cell) in cells.iter_mut().enumerate().take(study.rows.len()) {
        let row = &mut study.rows[at];
        if !cell.is_inside() {
            row.heap = cell.reported(Direction::Decode).heap.ok().map(|heap| heap.requested);
            continue;
        }
        let probed = cell.probe(Direction::Decode, &mut |work| {
            work();
            row.heap = heap::measure(work).map(|heap| heap.requested);
        });
        if let Err(why) = probed {
            study.failures.push(format!("{}: {why}", study.cell_name(at)));
        }
    }
    let mut recorded = on_file::rows().map_err(|error| error.to_string())?;
    recorded.retain(|row| study.versions.iter().all(|(engine, _)| *engine != row.engine));
    study.rows.extend(recorded);
    Ok(study)
}

/// Times messages in this process, for a run in another.
///
/// # Errors
/// An error in the study's own files.
pub(super) fn in_process(times: &Times) -> Result<Named, String> {
    let mut all = description::all()?;
    all.retain(|of| times.messages.contains(&of.name));
    let mut study = Ieee1609::of(times.run.clone());
    let (mut cells, entries) = study.cells(&all, &roadwire_peers::all(), &Silent)?;
    let plan = Plan { rounds: times.rounds, sample: times.sample };
    let samples = timing::measure(&mut cells, &entries, plan, &mut Random::new(times.seed), &mut |_| ());
    Ok(entries.iter().zip(samples).map(|(entry, one)| (study.cell_name(entry.cell), entry.direction, one)).collect())
}

/// The version of a program, if it was built for this run.
fn built(engine: Engine, asked: &Asked<'_>) -> Option<String> {
    let program = asked.engines.iter().find(|here| here.name() == engine.name())?;
    let is_built = !Engine::LINKED.contains(&engine) && !program.version().is_empty();
    is_built.then(|| program.version().into())
}

/// The row, pass or encrypted message that a cell measures.
enum Place {
    Row(usize),
    Pass(usize, Work),
    Encrypted(usize, encrypted::Work),
}

impl Ieee1609 {
    /// All messages in all encodings by these implementations, ready to be timed.
    fn cells(
        &mut self,
        all: &[Description],
        engines: &[Box<dyn roadwire_peers::Engine>],
        progress: &dyn Progress,
    ) -> Result<Timed, String> {
        let (mut cells, mut passing, mut encrypting) = (Vec::new(), Vec::new(), Vec::new());
        for (done, encoding) in Encoding::ALL.into_iter().enumerate() {
            progress.step("IEEE 1609.2, gate", done, Encoding::ALL.len());
            let parts = Parts::new(encoding)?;
            for of in all {
                self.prepare(&parts, of, engines, [&mut cells, &mut passing, &mut encrypting])?;
            }
        }
        cells.append(&mut passing);
        cells.append(&mut encrypting);
        let all = (0..cells.len()).flat_map(|cell| Direction::ALL.map(|direction| Entry { cell, direction }));
        let does = |entry: &Entry| self.rows.get(entry.cell).is_none_or(|row| row.engine.does(entry.direction));
        let entries = all.filter(does).collect();
        Ok((cells, entries))
    }

    /// Adds the samples of another process. It has none of programs of their own.
    fn add(&self, entries: &[Entry], samples: &mut [Vec<Samples>], more: Named) {
        let mut more: BTreeMap<(String, &str), Samples> =
            more.into_iter().map(|(cell, direction, one)| ((cell, direction.name()), one)).collect();
        for (entry, samples) in entries.iter().zip(samples) {
            samples.extend(more.remove(&(self.cell_name(entry.cell), entry.direction.name())));
        }
    }

    /// Keeps the times of an entry in all processes.
    fn keep(&mut self, entry: Entry, samples: &[Samples]) {
        if let Some(fault) = samples.iter().find_map(|one| one.fault.as_ref()) {
            let cell = self.cell_name(entry.cell);
            self.failures.push(format!("{cell}, {}: {fault}", entry.direction.name()));
        }
        let summary = stats::summarise(&samples.iter().map(|one| one.cpu.as_slice()).collect::<Vec<_>>().concat());
        match self.place(entry.cell) {
            Place::Row(at) => {
                let row = &mut self.rows[at];
                let medians = samples.iter().map(|one| stats::median(&mut one.cpu.clone())).collect();
                match entry.direction {
                    Direction::Encode => (row.encode, row.processes[0]) = (summary, medians),
                    Direction::Decode => (row.decode, row.processes[1]) = (summary, medians),
                }
            }
            Place::Pass(at, work) => self.passes[at].times.push((entry.direction, work, summary)),
            Place::Encrypted(at, work) => self.encrypted[at].times.push((entry.direction, work, summary)),
        }
    }

    /// Finds the subject of a cell: first come the cells of the rows, then those of the passes,
    /// then those of encrypted messages.
    fn place(&self, cell: usize) -> Place {
        let Some(pass) = cell.checked_sub(self.rows.len()) else { return Place::Row(cell) };
        let works = Work::ALL.len();
        match pass.checked_sub(self.passes.len() * works) {
            None => Place::Pass(pass / works, Work::ALL[pass % works]),
            Some(at) => {
                let works = encrypted::Work::ALL;
                Place::Encrypted(at / works.len(), works[at % works.len()])
            }
        }
    }

    /// The name of a cell.
    fn cell_name(&self, cell: usize) -> String {
        match self.place(cell) {
            Place::Row(at) => {
                let Row { engine, message, encoding, .. } = &self.rows[at];
                format!("{}, {message} in {}", engine.name(), encoding.name())
            }
            Place::Pass(at, work) => {
                let passes = &self.passes[at];
                format!("{}, {} in {}", work.name(), passes.message, passes.encoding.name())
            }
            Place::Encrypted(at, work) => {
                let encrypted = &self.encrypted[at];
                format!("{}, {} in {}", work.name(), encrypted.message, encrypted.encoding.name())
            }
        }
    }

    /// The cells of a message that pass the gate: all have the same octets, of the required length,
    /// and refuse truncated input.
    fn prepare(
        &mut self,
        parts: &Parts,
        of: &Description,
        engines: &[Box<dyn roadwire_peers::Engine>],
        [cells, passing, encrypting]: [&mut Vec<Box<dyn Cell>>; 3],
    ) -> Result<(), String> {
        let Some(value) = super::message(parts, of)? else { return Ok(()) };
        let (encoding, octets) = (parts.encoding, parts.encode(MESSAGE, &value)?);
        if let Some((from, _)) = Spans::of(parts, &octets)?.message {
            self.offsets.push((of.name.clone(), encoding, from));
        }
        if of.row.is_some() {
            self.prepare_passes(parts, of, &value.to_string(), &octets, passing)?;
        }
        self.prepare_encrypted(parts, of, &value.to_string(), &octets, encrypting)?;
        for engine in Engine::ALL {
            let cell = match Engine::LINKED.contains(&engine) {
                true => engine.cell(parts, &value.to_string()),
                // A program is a process for each message: it has those of the paper's tables.
                false if of.row.is_none() || !engines.iter().any(|one| one.name() == engine.name()) => continue,
                false => engine.cell_among(engines, parts, &value.to_string()),
            };
            let mut cell = match cell {
                Ok(cell) => cell,
                Err(Absent(why)) => {
                    self.lack(engine, encoding, &of.name, why);
                    continue;
                }
            };
            let passed = gate::judge(cell.as_mut()).and_then(|own| match own == octets {
                true if Some(own.len()) == of.length(encoding) => Ok(()),
                true => Err(format!("{} octets instead of {:?}", own.len(), of.length(encoding))),
                false => Err("has other octets".into()),
            });
            match passed {
                Err(why) => {
                    self.failures.push(format!("{}, {} in {}: {why}", engine.name(), of.name, encoding.name()));
                }
                Ok(()) => {
                    let parts = of.optional_parts(encoding);
                    self.rows.push(Row::new(of.name.clone(), encoding, engine, octets.len(), parts));
                    cells.push(cell);
                }
            }
        }
        Ok(())
    }

    fn lack(&mut self, engine: Engine, encoding: Encoding, message: &str, why: String) {
        let is_it = |one: &&mut Lacking| one.engine == engine && one.encoding == encoding && one.why == why;
        match self.lacking.iter_mut().find(is_it) {
            Some(known) => known.messages += 1,
            None => self.lacking.push(Lacking { engine, encoding, message: message.into(), messages: 1, why }),
        }
    }

    /// The work on a message in one pass and in two: all signers must produce the same octets, and
    /// all verifiers must accept them.
    fn prepare_passes(
        &mut self,
        parts: &Parts,
        of: &Description,
        jer: &str,
        octets: &[u8],
        passing: &mut Vec<Box<dyn Cell>>,
    ) -> Result<(), String> {
        let Some((passes, mut cells)) = passes::cells(parts, of, jer, octets)? else { return Ok(()) };
        for (cell, work) in cells.iter_mut().zip(Work::ALL).filter(|(_, work)| *work != Work::Hash) {
            if cell.recode(octets, octets).as_deref() != Ok(octets) {
                let why = format!("{}, {}, {} in {}", Engine::Lent.name(), work.name(), of.name, parts.encoding.name());
                self.failures.push(why);
            }
        }
        self.passes.push(passes);
        passing.append(&mut cells);
        Ok(())
    }

    /// The work on an encrypted message: what is decoded and encoded again must be the same.
    fn prepare_encrypted(
        &mut self,
        parts: &Parts,
        of: &Description,
        jer: &str,
        octets: &[u8],
        encrypting: &mut Vec<Box<dyn Cell>>,
    ) -> Result<(), String> {
        let Some((encrypted, mut cells)) = encrypted::cells(parts, of, jer, octets)? else { return Ok(()) };
        for (cell, work) in cells.iter_mut().zip(encrypted::Work::ALL) {
            if work != encrypted::Work::Cipher && cell.recode(octets, octets).as_deref() != Ok(octets) {
                self.failures.push(format!("{}, {} in {}", work.name(), of.name, parts.encoding.name()));
            }
        }
        self.encrypted.push(encrypted);
        encrypting.append(&mut cells);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roadwire_layout::Rules;
    use roadwire_measure::cell::Transcode;
    use roadwire_peers::content::{Message, Schema};
    use roadwire_peers::roadwire::Toed;
    use roadwire_peers::{Kind, TimedRegion};

    /// Stands for a program: ours by another name, without one of the schemas.
    struct Program {
        name: &'static str,
        /// Changes a message's JER before it is encoded.
        changed: fn(&str) -> String,
    }

    impl roadwire_peers::Engine for Program {
        fn name(&self) -> &str {
            self.name
        }
        fn version(&self) -> &str {
            "1"
        }
        fn kind(&self) -> Kind {
            Kind::Peer
        }
        fn origin(&self) -> &str {
            self.name
        }
        fn timed_region(&self) -> TimedRegion {
            Toed.timed_region()
        }
        fn cell(&self, _: &Message, _: Rules) -> Result<Box<dyn Cell>, Absent> {
            Err(Absent("it has no such messages".into()))
        }
        fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
            match schema {
                Schema::SecuredDataP => Err(Absent("it has no P schema".into())),
                _ => Toed.cell_of(schema, rules, &(self.changed)(jer)),
            }
        }
        fn transcoder(&self, _: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
            Err(Absent("it has no traffic".into()))
        }
    }

    /// A study of these messages with a program, without times.
    fn prepared(messages: &[&str], encodings: &[Encoding], program: Program) -> Ieee1609 {
        let mut study = Ieee1609::of(Run::sample());
        let engines: Vec<Box<dyn roadwire_peers::Engine>> = vec![Box::new(program)];
        let (mut cells, mut passing, mut encrypting) = (Vec::new(), Vec::new(), Vec::new());
        for &encoding in encodings {
            let parts = Parts::new(encoding).unwrap();
            for of in description::all().unwrap().iter().filter(|of| messages.contains(&&*of.name)) {
                study.prepare(&parts, of, &engines, [&mut cells, &mut passing, &mut encrypting]).unwrap();
            }
        }
        study
    }

    #[test]
    fn a_program_takes_part_with_the_messages_of_the_papers_tables() {
        let program = Program { name: "asn1c-fork", changed: str::to_string };
        // The first two are one of the ten, and none of them.
        let study = prepared(&["SecuredData-001", "SecuredData-002"], &Encoding::ALL, program);
        assert!(study.failures.is_empty(), "{:?}", study.failures);
        let rows = study.rows.iter().filter(|row| row.engine == Engine::Asn1cFork);
        let rows: Vec<_> = rows.map(|row| (row.message.as_str(), row.encoding)).collect();
        let encodings = [Encoding::UperOriginal, Encoding::OerOriginal];
        assert_eq!(rows, encodings.map(|encoding| ("SecuredData-001", encoding)));
        let lacks = |encoding| {
            let is_it = |one: &&Lacking| one.engine == Engine::Asn1cFork && one.encoding == encoding;
            study.lacking.iter().find(is_it).map(|one| (one.messages, one.why.as_str()))
        };
        assert_eq!(lacks(Encoding::UperP), Some((1, "it has no P schema")));
        assert_eq!(lacks(Encoding::Binary), Some((1, "1609.2's own format is no encoding of ASN.1")));
        assert_eq!(lacks(Encoding::OerOriginal), None);
        // One that is not in this run lacks nothing.
        assert!(study.lacking.iter().all(|one| one.engine != Engine::BouncyCastle));
        assert_eq!(study.all_tables()[3].rows.len(), study.lacking.len());
    }

    #[test]
    fn a_program_with_other_octets_fails_the_run() {
        let changed = |jer: &str| jer.replace("\"protocolVersion\":2", "\"protocolVersion\":3");
        let program = Program { name: "bouncycastle", changed };
        let study = prepared(&["SecuredData-001"], &[Encoding::OerOriginal], program);
        assert_eq!(study.failures, ["bouncycastle, SecuredData-001 in OER: has other octets"]);
        assert!(study.rows.iter().all(|row| row.engine != Engine::BouncyCastle));
    }

    #[test]
    fn a_cell_has_the_samples_of_all_processes() {
        let (run, messages) = (Run::sample(), vec!["SecuredData-001".to_string()]);
        let times = Times { run: run.clone(), messages, rounds: 2, sample: 20_000.0, seed: 1 };
        let mut other = in_process(&times).unwrap();
        let mut study = Ieee1609::of(run);
        let all: Vec<Description> =
            description::all().unwrap().into_iter().filter(|of| of.name == "SecuredData-001").collect();
        let engines = roadwire_peers::all();
        let (_, entries) = study.cells(&all, &engines, &Silent).unwrap();
        assert_eq!(other.len(), entries.len());
        let mut samples: Vec<Vec<Samples>> = other.iter().map(|(.., one)| vec![one.clone()]).collect();
        // The other process has its cells in any order, and one less.
        other.reverse();
        let (cell, direction, _) = other.pop().unwrap();
        study.add(&entries, &mut samples, other);
        for (entry, samples) in entries.iter().zip(&samples) {
            let is_missing = (study.cell_name(entry.cell), entry.direction) == (cell.clone(), direction);
            assert_eq!(samples.len(), if is_missing { 1 } else { 2 });
            study.keep(*entry, samples);
        }
        assert!(study.failures.is_empty());
        let row = study.row("SecuredData-001", Encoding::OerOriginal, Engine::Rasn).unwrap();
        assert_eq!(row.processes.each_ref().map(Vec::len), [2, 2]);
        assert_eq!(row.decode.as_ref().map(|summary| summary.samples), Some(4));
    }
}
