//! The same certificates in batches: the time of a codec when the clock is not read for each
//! certificate.
//!
//! A region of tens of nanoseconds is of the order of the clock's own cost. Here one sample is many
//! certificates, timed with the process CPU clock, with one codec at a time running warm.

use std::ffi::OsString;

use roadwire_papers::certificate_2017::Certificate;
use serde::{Deserialize, Serialize};

use super::codec::{Batch, Codec};
use super::exchange::{self, ROOM};
use super::generator::Generator;
use super::given::Draw;
use super::peer::{Peer, Refused};
use crate::processes;
use roadwire_measure::cell::{Direction, Done, Sample};
use roadwire_measure::random::Random;
use roadwire_measure::stats::{Summary, median, summarise};
use roadwire_peers::Engine;

/// How many certificates a sample goes through: few enough to stay in the second cache.
const CERTIFICATES: usize = 200;

/// The engine's name in records.
pub(super) const ROADWIRE: &str = "roadwire";

/// One encoding, in batches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batched {
    /// How certificates were drawn.
    pub generator: Generator,
    /// Who wrote the codec.
    pub engine: String,
    /// Its version; empty for roadwire's.
    #[serde(default)]
    pub version: String,
    /// Where and when it was measured, if not in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    /// The encoding rules.
    pub rules: String,
    /// How many different certificates.
    pub certificates: usize,
    /// Encoding one certificate, CPU nanoseconds.
    pub encode: Option<Summary>,
    /// Decoding one certificate, CPU nanoseconds.
    pub decode: Option<Summary>,
    /// Share of them that roadwire's straight-line code encodes without the interpreter.
    pub straight_encode: Option<f64>,
    /// Share of them that roadwire's straight-line code decodes without the interpreter.
    pub straight_decode: Option<f64>,
    /// The median time of each process that timed it, nanoseconds: of encoding, and of decoding.
    #[serde(default)]
    pub processes: [Vec<f64>; 2],
    /// The first batch that did not do what it should.
    #[serde(default)]
    pub failure: Option<String>,
}

impl Batched {
    /// Who, in which version, and where and when if not in this run.
    pub(super) fn by(&self) -> String {
        let mut by = format!("{} {}", self.engine, self.version).trim_end().to_owned();
        if let Some(Recorded { machine, date }) = &self.recorded {
            by.push_str(&format!(" ({date}, {machine})"));
        }
        by
    }
}

/// Results of the repository's peers on another day, for runs without them.
///
/// # Errors
/// A line of the file that is no record; does not happen: a test covers it.
pub(super) fn recorded() -> Result<Vec<Batched>, serde_json::Error> {
    include_str!("../../../../../studies/certificates/peers.jsonl").lines().map(serde_json::from_str).collect()
}

/// Where and when an implementation was measured that does not take part in this run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The processor.
    pub machine: String,
    /// The day, as `2026-11-26`.
    pub date: String,
}

/// In how many rounds of a process another implementation takes part, at most.
const ROUNDS_OF_LINKED: usize = 20;
/// The same for a program of its own, which is timed by one process alone: each of its samples
/// takes a millisecond or more.
const ROUNDS_OF_PROGRAMS: usize = 50;

/// The certificates, and the rounds of one process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Rounds {
    pub(super) generator: Generator,
    /// The text of the user's file, for [`Generator::Given`].
    #[serde(default)]
    pub(super) distribution: Option<String>,
    /// The seed of the certificates.
    pub(super) certificates: u64,
    /// The seed of the order.
    pub(super) order: u64,
    pub(super) rounds: usize,
    /// The time of one reading of the clock, nanoseconds.
    pub(super) clock_cost: f64,
}

/// One encoding in one process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sampled {
    /// Without times.
    row: Batched,
    /// The time of one certificate in each round, CPU nanoseconds: of encoding, and of decoding.
    samples: [Vec<f64>; 2],
}

/// Measures in this process, and in `more` others. The last value is the reason if these cannot be
/// had.
pub(super) fn run(
    plan: Rounds,
    draw: &Draw,
    more: usize,
    probe: &[OsString],
    codecs: &[Box<dyn Codec>],
    engines: &[Box<dyn Engine>],
    progress: &mut dyn FnMut(usize),
) -> (Vec<Batched>, Vec<Refused>, Option<String>) {
    let (here, refused) = rounds(&plan, draw, codecs, engines, progress);
    let mut all: Vec<Vec<Sampled>> = here.into_iter().map(|one| vec![one]).collect();
    let (mut random, mut single) = (Random::new(plan.order), None);
    for process in 1..=more {
        let other = Rounds { order: random.next(), ..plan.clone() };
        match processes::of_experiment::<Vec<Sampled>>(probe, super::NAME, &other) {
            Ok(others) => add(&mut all, others),
            Err(why) => {
                single = Some(why);
                break;
            }
        }
        progress(plan.rounds * (process + 1));
    }
    (all.into_iter().map(pooled).collect(), refused, single)
}

/// Adds what another process has of the same codecs. It has no programs of their own.
fn add(all: &mut [Vec<Sampled>], others: Vec<Sampled>) {
    for other in others {
        let is_same = |one: &Sampled| (&one.row.engine, &one.row.rules) == (&other.row.engine, &other.row.rules);
        if let Some(of) = all.iter_mut().find(|of| of.iter().any(is_same)) {
            of.push(other);
        }
    }
}

/// The times of one encoding in all processes.
fn pooled(of: Vec<Sampled>) -> Batched {
    let samples = |at: usize| of.iter().flat_map(|one| one.samples[at].iter().copied()).collect::<Vec<f64>>();
    let medians = |at: usize| of.iter().map(|one| median(&mut one.samples[at].clone())).collect();
    let failure = of.iter().find_map(|one| one.row.failure.clone());
    let (encode, decode, processes) = (summarise(&samples(0)), summarise(&samples(1)), [medians(0), medians(1)]);
    Batched { encode, decode, processes, failure, ..of[0].row.clone() }
}

/// Measures all our codecs and those of other implementations, round by round in a new random
/// order.
pub(super) fn rounds(
    plan: &Rounds,
    draw: &Draw,
    codecs: &[Box<dyn Codec>],
    engines: &[Box<dyn Engine>],
    progress: &mut dyn FnMut(usize),
) -> (Vec<Sampled>, Vec<Refused>) {
    let &Rounds { generator, certificates: seed, order, rounds, clock_cost, .. } = plan;
    let mut draws = exchange::draws(seed);
    let certificates: Vec<Certificate> = (0..CERTIFICATES).map(|_| draw(&mut draws)).collect();
    let (mut contenders, mut refused) = (Vec::new(), Vec::new());
    for codec in codecs {
        let own = Own::new(codec.as_ref(), &certificates);
        let (peers, others) = Peer::all(generator, codec.as_ref(), &own.encodings, engines);
        contenders.push(Contender::Own(own));
        contenders.extend(peers.into_iter().map(Contender::Peer));
        refused.extend(others);
    }
    let tasks: Vec<Task> = (0..contenders.len())
        .flat_map(|contender| Direction::ALL.map(|direction| Task { contender, direction }))
        .collect();
    // A sample is at least a hundred times as long as reading the clock takes.
    let target = (clock_cost * 110.0).max(20_000.0);
    let passes: Vec<usize> = tasks
        .iter()
        .map(|task| {
            let contender = &mut contenders[task.contender];
            let target = contender.least_sample(task.direction).unwrap_or(target);
            let once = (0..3).map(|_| contender.time(task.direction, 1).cpu);
            (target / once.fold(f64::INFINITY, f64::min).max(1.0)).ceil() as usize
        })
        .collect();
    let every: Vec<usize> = contenders
        .iter()
        .map(|contender| match contender {
            Contender::Own(_) => 1,
            Contender::Peer(peer) => {
                let most = if peer.is_inside() { ROUNDS_OF_LINKED } else { ROUNDS_OF_PROGRAMS };
                rounds.div_ceil(most).max(1)
            }
        })
        .collect();
    let mut random = Random::new(order);
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let mut samples = vec![Vec::with_capacity(rounds); tasks.len()];
    let mut failures: Vec<Option<String>> = vec![None; contenders.len()];
    for round in 0..rounds {
        random.shuffle(&mut order);
        for &i in &order {
            let contender = &mut contenders[tasks[i].contender];
            if round % every[tasks[i].contender] != 0 {
                continue;
            }
            // Warm-up: the first calls after another codec are slower because of the caches.
            contender.time(tasks[i].direction, 1);
            let sample = contender.time(tasks[i].direction, passes[i]);
            if let Err(why) = contender.check(sample.done, passes[i]) {
                failures[tasks[i].contender].get_or_insert(format!("{}: {why}", tasks[i].direction.name()));
            }
            samples[i].push(sample.cpu / (passes[i] * CERTIFICATES) as f64);
        }
        progress(round + 1);
    }
    let sampled = contenders.iter().enumerate().map(|(i, contender)| Sampled {
        row: Batched {
            generator,
            engine: contender.engine().into(),
            version: contender.version().into(),
            recorded: None,
            rules: contender.name().into(),
            certificates: CERTIFICATES,
            encode: None,
            decode: None,
            straight_encode: contender.straight(Direction::Encode),
            straight_decode: contender.straight(Direction::Decode),
            processes: Default::default(),
            failure: failures[i].clone(),
        },
        samples: [samples[2 * i].clone(), samples[2 * i + 1].clone()],
    });
    (sampled.collect(), refused)
}

#[derive(Clone, Copy)]
struct Task {
    contender: usize,
    direction: Direction,
}

/// A codec that takes part in a round.
enum Contender<'c> {
    Own(Own<'c>),
    Peer(Peer),
}

impl Contender<'_> {
    fn engine(&self) -> &str {
        match self {
            Contender::Own(_) => ROADWIRE,
            Contender::Peer(peer) => &peer.engine,
        }
    }

    fn version(&self) -> &str {
        match self {
            Contender::Own(_) => "",
            Contender::Peer(peer) => &peer.version,
        }
    }

    /// How long a sample of a program of its own has to be, nanoseconds.
    fn least_sample(&mut self, direction: Direction) -> Option<f64> {
        match self {
            Contender::Own(_) => None,
            Contender::Peer(peer) => peer.least_sample(direction),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Contender::Own(own) => own.codec.name(),
            Contender::Peer(peer) => peer.rules.name(),
        }
    }

    /// Times going through all certificates `passes` times.
    fn time(&mut self, direction: Direction, passes: usize) -> Sample {
        match self {
            Contender::Own(own) => own.time(direction, passes),
            Contender::Peer(peer) => peer.time(direction, passes),
        }
    }

    /// Checks that all certificates were encoded, or decoded, `passes` times.
    fn check(&self, done: Done, passes: usize) -> Result<(), String> {
        let encodings = match self {
            Contender::Own(own) => &own.encodings,
            Contender::Peer(peer) => &peer.encodings,
        };
        let octets: usize = encodings.iter().map(Vec::len).sum();
        done.check((encodings.len() * passes) as u64, (octets * passes) as u64)
    }

    fn straight(&self, direction: Direction) -> Option<f64> {
        match self {
            Contender::Own(own) => Some(if direction == Direction::Encode { own.straight.0 } else { own.straight.1 }),
            Contender::Peer(_) => None,
        }
    }
}

/// One of roadwire's codecs with the certificates.
struct Own<'c> {
    codec: &'c dyn Codec,
    batch: Box<dyn Batch + 'c>,
    encodings: Vec<Vec<u8>>,
    output: Vec<u8>,
    straight: (f64, f64),
}

impl<'c> Own<'c> {
    fn new(codec: &'c dyn Codec, certificates: &'c [Certificate]) -> Self {
        let mut output = vec![0; ROOM];
        // Refused certificates are not part of the batch; the exchange reports them.
        let encode = |certificate| codec.encode(certificate, &mut output).map(|(n, _)| output[..n].to_vec());
        let encodings = certificates.iter().map(encode).filter_map(Result::ok).collect();
        let straight: Vec<(bool, bool)> =
            certificates.iter().map(|certificate| codec.is_straight(certificate, &mut output)).collect();
        let share = |count: usize| count as f64 / certificates.len() as f64;
        let straight = (share(straight.iter().filter(|s| s.0).count()), share(straight.iter().filter(|s| s.1).count()));
        Own { codec, batch: codec.batch(certificates), encodings, output, straight }
    }

    fn time(&mut self, direction: Direction, passes: usize) -> Sample {
        let mut pass = || match direction {
            Direction::Encode => self.batch.encode_all(&mut self.output),
            Direction::Decode => self.batch.decode_all(&self.encodings),
        };
        Sample::of(&mut || (0..passes).fold(Done::default(), |done, _| done.and(pass())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::{codecs, given};

    #[test]
    fn records_of_peers_say_where_and_when() {
        let rows = recorded().unwrap();
        assert!(rows.len() >= 20);
        for row in rows {
            let recorded = row.recorded.as_ref().unwrap();
            assert!(recorded.date.len() == 10 && !recorded.machine.is_empty() && !row.version.is_empty(), "{row:?}");
            assert!(row.encode.is_some() && row.decode.is_some() && row.failure.is_none(), "{row:?}");
        }
    }

    #[test]
    fn rasn_has_the_same_certificates_in_all_its_encodings() {
        for generator in [Generator::Fitted, Generator::Uniform] {
            let engines = roadwire_peers::all();
            let plan = Rounds { generator, distribution: None, certificates: 7, order: 7, rounds: 1, clock_cost: 0.0 };
            let draw = given::draw(generator, None).unwrap();
            let (rows, refused) = rounds(&plan, &draw, &codecs::all(generator).unwrap(), &engines, &mut |_| ());
            let rows: Vec<Batched> = rows.into_iter().map(|one| one.row).collect();
            assert!(rows.iter().all(|row| row.failure.is_none()), "{rows:?}");
            // Its XER does not read its own empty string.
            let refused: Vec<_> = refused.iter().map(|one| one.rules.as_str()).collect();
            let is_uniform = generator == Generator::Uniform;
            assert_eq!(refused, if is_uniform { vec!["xer"] } else { Vec::new() });
            let peers: Vec<_> = rows.iter().filter(|row| row.engine == "rasn").map(|row| row.rules.as_str()).collect();
            let mut all = vec!["aper", "uper", "der", "ber", "oer", "coer", "xer", "cer", "jer"];
            all.retain(|rules| !refused.contains(rules));
            assert_eq!(peers, all);
        }
    }

    #[test]
    fn a_codec_has_the_samples_of_all_processes() {
        let generator = Generator::Fitted;
        let plan = Rounds { generator, distribution: None, certificates: 7, order: 7, rounds: 2, clock_cost: 0.0 };
        let draw = given::draw(generator, None).unwrap();
        let codecs: Vec<Box<dyn Codec>> = codecs::all(generator).unwrap().into_iter().take(1).collect();
        let (here, _) = rounds(&plan, &draw, &codecs, &[], &mut |_| ());
        let mut faulty = here.clone();
        faulty[0].row.failure = Some("x".into());
        faulty[0].samples = [vec![1.0, 3.0], vec![5.0, 7.0]];
        let mut all: Vec<Vec<Sampled>> = here.into_iter().map(|one| vec![one]).collect();
        add(&mut all, faulty);
        let mut others = all[0].clone();
        others[1].row.rules = "another".into();
        add(&mut all, others.split_off(1));
        let row = pooled(all.remove(0));
        assert_eq!(row.encode.map(|summary| summary.samples), Some(4));
        assert_eq!([row.processes[0].len(), row.processes[1].len()], [2, 2]);
        assert_eq!([row.processes[0][1], row.processes[1][1]], [2.0, 6.0]);
        assert_eq!(row.failure.as_deref(), Some("x"));
        // A program that has no probe command is a reason, and leaves this process.
        let (rows, _, single) = run(plan, &draw, 1, &[], &codecs, &[], &mut |_| ());
        assert!(single.is_some() && rows[0].processes[0].len() == 1);
    }
}
