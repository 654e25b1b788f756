//! The certificate study: random certificates in every encoding, through a socket, and the paper's
//! claims about them.

pub mod batched;
mod binary;
pub mod codec;
pub mod codecs;
pub mod exchange;
mod figure;
mod figures;
pub mod generator;
mod given;
mod link;
mod peer;
pub mod secured;
mod spaced;
pub mod spread;
mod tables;

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::experiment::{self, Asked, Figure, Findings, Printed};
use crate::progress::Progress;
use crate::record::Run;
use crate::report::data::DataFile;
use crate::report::table::Table;
use batched::Batched;
use exchange::{Experiment, Order, Plan, Row, Sample};
pub use figure::{CertificateFigure, Of, Statistic};
use generator::Generator;
pub use link::Station;
use link::{Link, Plans};
use peer::Refused;
use roadwire_measure::plot::Plot;
use roadwire_measure::random::Random;
use roadwire_measure::stats::summarise;
use secured::{Around, Secured};

/// Experiments of up to this many certificates are repeated: they are too short to average out an
/// interruption.
const SHORT: u64 = 1000;
/// The most certificates by the user's file.
const GIVEN: u64 = 10_000;
/// The most secured messages of a kind.
const SECURED: u64 = 10_000;
/// How often they are repeated.
const REPETITIONS: u32 = 11;

/// The experiments to be run.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// Numbers of certificates (the paper's X), ascending.
    pub certificates: Vec<u64>,
    /// The same with `--quick`.
    pub quick: Vec<u64>,
}

/// The study's measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificates {
    /// The run.
    pub run: Run,
    /// The experiments: the paper's six first.
    pub experiments: Vec<Experiment>,
    /// The batched times.
    pub batched: Vec<Batched>,
    /// The sender's machine and the receiver's, if they are two programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<[String; 2]>,
    /// Secured messages around certificates.
    #[serde(default)]
    pub secured: Vec<Secured>,
    /// The implementations that have other certificates.
    #[serde(default)]
    pub refused: Vec<Refused>,
    /// Why batches come from one process only; `None` if they come from several.
    #[serde(default)]
    pub single: Option<String>,
    /// Single records of the largest experiment's first certificates.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

impl Certificates {
    /// The largest of the paper's experiments.
    pub fn largest(&self) -> Option<&Experiment> {
        self.series().last()
    }

    /// The paper's experiments: the fitted generator in random order, X ascending.
    pub fn series(&self) -> impl Iterator<Item = &Experiment> {
        self.repeated_series().filter(|e| e.repetition == 0)
    }

    /// The same with the repetitions of the short ones.
    fn repeated_series(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.iter().filter(|e| e.generator == Generator::Fitted && e.order == Order::Random)
    }

    /// The sum over the certificates of the experiment of this size: the median of its repetitions,
    /// because an interruption is longer than the time of ten certificates.
    pub fn sum(&self, rules: &str, of: Of, certificates: u64) -> Option<f64> {
        let experiments = self.repeated_series().filter(|e| e.certificates == certificates);
        let rows = experiments.filter_map(|e| e.rows.iter().find(|row| row.rules == rules));
        let sums: Vec<f64> = rows.filter_map(|row| Some(of.spread(row)?.sum)).collect();
        summarise(&sums).map(|summary| summary.median)
    }

    /// One encoding of the largest experiment.
    pub fn row(&self, rules: &str) -> Option<&Row> {
        self.largest()?.rows.iter().find(|row| row.rules == rules)
    }

    /// One encoding of the fitted generator in batches, by roadwire.
    pub fn batch(&self, rules: &str) -> Option<&Batched> {
        self.batch_by(rules, batched::ROADWIRE)
    }

    /// One encoding of the fitted generator in batches, by an implementation.
    pub fn batch_by(&self, rules: &str, engine: &str) -> Option<&Batched> {
        self.batched.iter().find(|b| b.generator == Generator::Fitted && b.engine == engine && b.rules == rules)
    }

    /// The step of the clock that single calls are timed by, nanoseconds; 0 if it is unknown.
    pub fn clock_step(&self) -> u64 {
        let rows = self.largest().into_iter().flat_map(|experiment| &experiment.rows);
        let times = rows.flat_map(|row| [&row.encode, &row.decode]).flatten();
        times.fold(0, |step, spread| spread::common_divisor(spread.step, step))
    }

    /// The first failure of each encoding, if there was one, in the exchange and in the batches.
    fn failed(&self) -> Vec<String> {
        let mut failures = Vec::new();
        let secured = self.secured.iter().map(|one| (&one.experiment, one.around.title()));
        let certificates = self.experiments.iter().map(|one| (one, one.generator.name()));
        for (experiment, generator) in certificates.chain(secured) {
            for row in &experiment.rows {
                if let Some(why) = &row.failure {
                    failures.push(format!("{} {generator}: {} times, first {why}", row.rules, row.failures));
                }
            }
        }
        for batched in &self.batched {
            if let Some(why) = &batched.failure {
                let generator = batched.generator.name();
                failures.push(format!("{}, {} {generator}, in batches, {why}", batched.engine, batched.rules));
            }
        }
        failures
    }
}

/// Random certificates, exchanged between two threads.
pub struct Exchange;

/// The experiment's name.
const NAME: &str = "certificates";

impl experiment::Experiment for Exchange {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prefix(&self) -> &'static str {
        "certificate"
    }

    fn figure(&self, parts: &[&str]) -> Option<Arc<dyn Figure>> {
        CertificateFigure::parse(parts).map(|figure| Arc::new(figure) as Arc<dyn Figure>)
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        let request = asked.requests.first().ok_or("no study asks for it")?;
        let settings: Settings = request.settings.clone().try_into().map_err(|e| format!("{}: {e}", request.study))?;
        let mut numbers = if run.quick { settings.quick } else { settings.certificates };
        if let Some(most) = asked.largest {
            numbers.retain(|n| *n < most);
            numbers.push(most);
        }
        let mut link = asked.station.map(|station| open(station, run, &numbers)).transpose()?;
        let exchanged = measure(run, &numbers, asked, link.as_mut(), progress);
        let exchanged = exchanged.map_err(|error| match &link {
            None => format!("cannot be exchanged over the loopback interface: {error}"),
            Some(_) => format!("the exchange broke off: {}", link::fault(&error)),
        })?;
        Ok(Box::new(exchanged))
    }

    fn in_process(&self, work: serde_json::Value) -> Result<String, String> {
        let plan: batched::Rounds = serde_json::from_value(work).map_err(|error| error.to_string())?;
        let (draw, codecs) = (given::draw(plan.generator, plan.distribution.as_deref())?, codecs::all(plan.generator)?);
        let (sampled, _) = batched::rounds(&plan, &draw, &codecs, &roadwire_peers::all(), &mut |_| ());
        serde_json::to_string(&sampled).map_err(|error| error.to_string())
    }

    fn read(&self, json: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(serde_json::from_str::<Certificates>(json)?))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(sample::study(Vec::new()))
    }
}

impl Findings for Certificates {
    fn experiment(&self) -> &'static str {
        NAME
    }

    fn run(&self) -> Option<&Run> {
        Some(&self.run)
    }

    fn processes(&self) -> Vec<&[f64]> {
        let here = self.batched.iter().filter(|row| row.recorded.is_none());
        here.flat_map(|row| &row.processes).map(Vec::as_slice).collect()
    }

    fn failures(&self) -> Vec<String> {
        self.failed()
    }

    fn tables(&self) -> Vec<Table> {
        self.all_tables()
    }

    fn headline(&self) -> Vec<Table> {
        vec![self.fitted()]
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        self.all_pictures()
    }

    fn files(&self) -> Vec<DataFile> {
        vec![DataFile::new("certificates-records", self.single_records())]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The connection to the other program.
fn open(station: &Station, run: &Run, numbers: &[u64]) -> Result<Link, String> {
    let mut names = Vec::new();
    for generator in [Generator::Fitted, Generator::Uniform] {
        names.extend(codecs::all(generator)?.iter().map(|codec| codec.name().to_owned()));
    }
    let (version, machine) = (run.roadwire.clone(), run.machine.cpu.clone());
    Link::open(station, &Plans { version, seed: run.seed, certificates: numbers.to_vec(), codecs: names, machine })
}

/// Runs the paper's experiments, one in the paper's order, and one with the uniform generator; then
/// the batches.
///
/// # Errors
/// The connection between sender and receiver failed, or the schema has no model.
fn measure(
    run: &Run,
    numbers: &[u64],
    asked: &Asked<'_>,
    mut link: Option<&mut Link>,
    progress: &dyn Progress,
) -> io::Result<Certificates> {
    let codecs = |generator| codecs::all(generator).map_err(io::Error::other);
    // How many processes time batches, and how many rounds each has.
    let (processes, rounds) = if run.quick { (3, 12) } else { (5, 50) };
    let mut seeds = Random::new(run.seed);
    let mut plans = Vec::new();
    for &certificates in numbers {
        let repetitions = if certificates <= SHORT { REPETITIONS } else { 1 };
        for repetition in 0..repetitions {
            let (generator, order, seed) = (Generator::Fitted, Order::Random, seeds.next());
            plans.push(Plan { generator, order, certificates, repetition, seed });
        }
    }
    // A tenth is enough to show the effect of the position, and sizes of the whole schema.
    let beside = numbers.last().map_or(0, |largest| largest.div_ceil(10));
    for (generator, order) in [(Generator::Fitted, Order::Paper), (Generator::Uniform, Order::Random)] {
        plans.push(Plan { generator, order, certificates: beside, repetition: 0, seed: seeds.next() });
    }
    let total = plans.iter().map(|plan| plan.certificates).sum::<u64>() as usize;
    let mut done = 0;
    let mut study = Certificates {
        run: run.clone(),
        experiments: Vec::new(),
        batched: Vec::new(),
        between: None,
        refused: Vec::new(),
        secured: Vec::new(),
        single: None,
        samples: Vec::new(),
    };
    if let Some(link) = &link {
        let (here, there) = (run.machine.cpu.clone(), link.other.clone());
        study.between = Some(if link.is_sender { [here, there] } else { [there, here] });
    }
    for plan in plans {
        let mut step = |sent: u64| {
            if sent % 64 == 0 {
                progress.step("certificates", done + sent as usize, total);
            }
        };
        let (experiment, samples) = exchange::run(
            plan,
            &|random| plan.generator.certificate(random),
            &codecs(plan.generator)?,
            link.as_deref_mut(),
            &mut step,
        )?;
        done += plan.certificates as usize;
        if plan.generator == Generator::Fitted && plan.order == Order::Random && plan.repetition == 0 {
            study.samples = samples;
        }
        study.experiments.push(experiment);
    }
    let batches = |generator, seed, study: &mut Certificates| -> io::Result<()> {
        let mut step = |round| progress.step("certificates, batches", round, rounds * processes);
        let (clock_cost, codecs) = (run.machine.clock_cost, codecs(generator)?);
        let distribution = asked.distribution.filter(|_| generator == Generator::Given).map(str::to_owned);
        let draw = given::draw(generator, distribution.as_deref()).map_err(io::Error::other)?;
        let plan = batched::Rounds { generator, distribution, certificates: seed, order: seed, rounds, clock_cost };
        let (more, probe, engines) = (processes - 1, asked.probe, asked.engines);
        let (rows, refused, single) = batched::run(plan, &draw, more, probe, &codecs, engines, &mut step);
        study.batched.extend(rows);
        study.refused.extend(refused);
        study.single = study.single.take().or(single);
        Ok(())
    };
    for generator in [Generator::Fitted, Generator::Uniform] {
        batches(generator, seeds.next(), &mut study)?;
    }
    let payload = secured::payload().map_err(io::Error::other)?;
    // As many as beside the paper's experiments, but no more than their random text is read in
    // seconds.
    for around in [Around::Today, Around::Listing] {
        let (certificates, seed) = (beside.min(SECURED), seeds.next());
        let plan = Plan { generator: Generator::Fitted, order: Order::Random, certificates, repetition: 0, seed };
        let mut step =
            |sent: u64| progress.step("certificates, secured messages", sent as usize, certificates as usize);
        let ((experiment, _), interpreted) = match around {
            Around::Today => {
                let (draw, codecs) = (secured::today(&payload), secured::codecs_of_today());
                let exchanged = exchange::run(plan, &draw, &codecs, link.as_deref_mut(), &mut step)?;
                (exchanged, secured::interpreted(&draw, &codecs))
            }
            Around::Listing => {
                let (draw, codecs) = (secured::listing(&payload), secured::codecs_of_listing());
                let exchanged = exchange::run(plan, &draw, &codecs, link.as_deref_mut(), &mut step)?;
                (exchanged, secured::interpreted(&draw, &codecs))
            }
        };
        study.secured.push(Secured { around, experiment, interpreted });
    }
    // Last, so that the user's certificates change no other draws.
    if let Some(text) = asked.distribution {
        let (generator, certificates, seed) =
            (Generator::Given, numbers.last().map_or(0, |most| GIVEN.min(*most)), seeds.next());
        let plan = Plan { generator, order: Order::Random, certificates, repetition: 0, seed };
        let draw = given::draw(generator, Some(text)).map_err(io::Error::other)?;
        let mut step = |sent: u64| progress.step("certificates, given", sent as usize, certificates as usize);
        study.experiments.push(exchange::run(plan, &*draw, &codecs(generator)?, None, &mut step)?.0);
        batches(generator, seeds.next(), &mut study)?;
    }
    let recorded = batched::recorded().map_err(io::Error::other)?;
    let is_here = |engine: &str| asked.engines.iter().any(|here| here.name() == engine && !here.version().is_empty());
    study.batched.extend(recorded.into_iter().filter(|row| !is_here(&row.engine)));
    Ok(study)
}

/// Made-up results, for tests of reports.
#[cfg(test)]
pub(crate) mod sample {
    use super::spread::Counter;
    use super::*;

    /// An encoding with these lengths, each certificate taking `time` nanoseconds both ways.
    pub(crate) fn row(rules: &str, octets: impl Iterator<Item = u64>, time: u64) -> Row {
        let (mut lengths, mut times) = (Counter::default(), Counter::default());
        for octets in octets {
            lengths.add(octets);
            times.add(time);
        }
        Row {
            rules: rules.into(),
            octets: lengths.spread(),
            encode: times.spread(),
            decode: times.spread(),
            failures: 0,
            failure: None,
        }
    }

    /// A study of one experiment, whose batches take as long as its single calls.
    pub(crate) fn study(rows: Vec<Row>) -> Certificates {
        let batched = rows
            .iter()
            .map(|row| Batched {
                generator: Generator::Fitted,
                engine: batched::ROADWIRE.into(),
                version: String::new(),
                recorded: None,
                rules: row.rules.clone(),
                certificates: 1,
                encode: row.encode.as_ref().and_then(|s| summarise(&[s.mean])),
                decode: row.decode.as_ref().and_then(|s| summarise(&[s.mean])),
                straight_encode: Some(1.0),
                straight_decode: Some(1.0),
                processes: Default::default(),
                failure: None,
            })
            .collect();
        let experiment = Experiment {
            generator: Generator::Fitted,
            order: Order::Random,
            certificates: rows.first().and_then(|row| row.octets.as_ref()).map_or(0, |s| s.count),
            repetition: 0,
            seconds: 1.0,
            empty_encode: None,
            empty_decode: None,
            rows,
        };
        Certificates {
            run: Run::sample(),
            experiments: vec![experiment],
            batched,
            between: None,
            refused: Vec::new(),
            secured: Vec::new(),
            single: None,
            samples: Vec::new(),
        }
    }
}
