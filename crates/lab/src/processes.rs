//! Times of the same cells in several processes: where stack, buffers and code lie differs from one
//! to the next, and moves times by more than the rounds of one process show.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::probe::{Bench, Visit};
use crate::studies::EXPERIMENTS;
use roadwire_measure::cell::Cell;
use roadwire_measure::random::Random;
use roadwire_measure::timing::{self, Entry, Plan, Samples};

/// The work of one process, as it reads it from its standard input.
#[derive(Debug, Serialize, Deserialize)]
enum Work {
    /// Times of messages.
    Messages(Visits),
    /// Work of an experiment.
    Experiment {
        /// Its name.
        name: String,
        /// The work, as the experiment writes and reads it.
        work: serde_json::Value,
    },
}

/// The messages that a process times.
#[derive(Debug, Serialize, Deserialize)]
struct Visits {
    /// How many rounds.
    rounds: usize,
    /// The least time of a sample, nanoseconds.
    sample: f64,
    /// The seed of the order.
    seed: u64,
    /// The visits, each as a line of the probe. One that is there twice is an A/A pair.
    visits: Vec<String>,
}

/// Times these visits in a process of its own: the samples of each, in their order; `None` for one
/// of an implementation that is not linked.
pub(crate) fn start(
    probe: &[OsString],
    visits: &[String],
    plan: Plan,
    seed: u64,
) -> Result<Vec<Option<Samples>>, String> {
    let work = Visits { rounds: plan.rounds, sample: plan.sample, seed, visits: visits.to_vec() };
    answer(probe, &Work::Messages(work))
}

/// Gives work of an experiment to a process of its own, which does it by
/// [`Experiment::in_process`](crate::experiment::Experiment::in_process).
pub(crate) fn of_experiment<T: DeserializeOwned>(
    probe: &[OsString],
    name: &str,
    work: &impl Serialize,
) -> Result<T, String> {
    let work = serde_json::to_value(work).map_err(|error| error.to_string())?;
    answer(probe, &Work::Experiment { name: name.into(), work })
}

/// The answer of a process of its own.
fn answer<T: DeserializeOwned>(probe: &[OsString], work: &Work) -> Result<T, String> {
    let (program, arguments) = probe.split_first().ok_or("this program has no probe command")?;
    let text = serde_json::to_string(work).map_err(|error| error.to_string())?;
    let told = |error: io::Error| format!("a process for times: {error}");
    let mut child = Command::new(program)
        .args(arguments)
        .arg("--times")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(told)?;
    // It reads all of its input before it writes anything.
    let sent = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(told)?;
    sent.map_err(told)?;
    if !output.status.success() {
        return Err(format!("a process for times ended with {}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("a process for times: {error}"))
}

/// The other side of [`start`] and [`of_experiment`].
///
/// # Errors
/// The input is no work, or the output cannot be written.
pub(crate) fn serve(bench: &Bench, input: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
    let answer = match serde_json::from_reader(input)? {
        Work::Messages(work) => serde_json::to_string(&messages(bench, &work))?,
        Work::Experiment { name, work } => {
            let experiment = EXPERIMENTS.iter().find(|one| one.name() == name);
            let experiment =
                experiment.ok_or_else(|| io::Error::other(format!("no experiment has the name {name}")))?;
            experiment.in_process(work).map_err(io::Error::other)?
        }
    };
    out.write_all(answer.as_bytes())?;
    out.flush()
}

/// The samples of each visit; `None` for one of an implementation that is not linked.
fn messages(bench: &Bench, work: &Visits) -> Vec<Option<Samples>> {
    let (mut cells, mut made, mut entries) = (Vec::new(), Vec::<Visit>::new(), Vec::new());
    for line in &work.visits {
        let visit = Visit::parse(line);
        let entry = visit.and_then(|visit| {
            let is_of_cell = |one: &Visit| Visit { direction: visit.direction, ..one.clone() } == visit;
            let cell = match made.iter().position(is_of_cell) {
                Some(cell) => cell,
                None => {
                    cells.push(cell(bench, &visit)?);
                    made.push(visit.clone());
                    cells.len() - 1
                }
            };
            Some(Entry { cell, direction: visit.direction })
        });
        entries.push(entry);
    }
    let linked: Vec<Entry> = entries.iter().flatten().copied().collect();
    let plan = Plan { rounds: work.rounds, sample: work.sample };
    let samples = timing::measure(&mut cells, &linked, plan, &mut Random::new(work.seed), &mut |_| {});
    let mut samples = samples.into_iter();
    entries.iter().map(|entry| entry.and_then(|_| samples.next())).collect()
}

/// The cell of a visit, of an implementation that is linked.
fn cell(bench: &Bench, visit: &Visit) -> Option<Box<dyn Cell>> {
    let engine = bench.engines.iter().find(|engine| engine.name() == visit.engine)?;
    let message = bench.messages.iter().find(|message| message.id == visit.message)?;
    engine.cell(message, visit.rules).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_times_what_it_is_asked_in_this_order() {
        let visits =
            ["rasn cam-mandatory uper decode", "somebody cam-mandatory uper encode", "rasn cam-mandatory uper encode"];
        let visits = visits.map(str::to_string).to_vec();
        let work = Visits {
            rounds: 2,
            sample: 20_000.0,
            seed: 1,
            visits: [visits, vec!["rasn cam-mandatory uper decode".into()]].concat(),
        };
        let (bench, mut answer) = (Bench::of(None).unwrap(), Vec::new());
        serve(&bench, &mut serde_json::to_string(&Work::Messages(work)).unwrap().as_bytes(), &mut answer).unwrap();
        let samples: Vec<Option<Samples>> = serde_json::from_slice(&answer).unwrap();
        let rounds: Vec<Option<usize>> = samples.iter().map(|one| one.as_ref().map(|one| one.cpu.len())).collect();
        assert_eq!(rounds, [Some(2), None, Some(2), Some(2)]);
        assert_eq!(samples[0].as_ref().unwrap().batch, samples[3].as_ref().unwrap().batch);
        assert!(serve(&bench, &mut "no work".as_bytes(), &mut Vec::new()).is_err());
        let unknown = Work::Experiment { name: "x".into(), work: serde_json::Value::Null };
        let unknown = serde_json::to_string(&unknown).unwrap();
        let error = serve(&bench, &mut unknown.as_bytes(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "no experiment has the name x");
    }

    #[test]
    fn a_program_that_is_no_probe_is_an_error() {
        let plan = Plan { rounds: 1, sample: 20_000.0 };
        assert!(start(&[], &[], plan, 1).is_err());
        assert!(start(&["false".into()], &[], plan, 1).unwrap_err().contains("process"));
    }
}
