//! Times of the same cells in several processes: where stack, buffers and code lie differs from one to the next, and moves times by more than the rounds of one process show.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::probe::Visit;
use roadwire_measure::cell::Cell;
use roadwire_measure::random::Random;
use roadwire_measure::timing::{self, Entry, Plan, Samples};
use roadwire_peers::Engine;
use roadwire_peers::content::Message;

/// The work of one process, as it reads it from its standard input.
#[derive(Debug, Serialize, Deserialize)]
struct Work {
    /// How many rounds.
    rounds: usize,
    /// The least time of a sample, nanoseconds.
    sample: f64,
    /// The seed of the order.
    seed: u64,
    /// The visits, each as a line of the probe. One that is there twice is an A/A pair.
    visits: Vec<String>,
}

/// Times these visits in a process of its own: the samples of each, in their order; `None` for one of an implementation that is not linked.
pub(super) fn start(
    probe: &[OsString],
    visits: &[String],
    plan: Plan,
    seed: u64,
) -> Result<Vec<Option<Samples>>, String> {
    let (program, arguments) = probe.split_first().ok_or("this program has no probe command")?;
    let work = Work { rounds: plan.rounds, sample: plan.sample, seed, visits: visits.to_vec() };
    let text = serde_json::to_string(&work).map_err(|error| error.to_string())?;
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

/// The other side of [`start`].
///
/// # Errors
/// The input is no work, or the output cannot be written.
pub(crate) fn serve(input: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
    let work: Work = serde_json::from_reader(input)?;
    let engines = roadwire_peers::all();
    let (mut cells, mut made, mut entries) = (Vec::new(), Vec::<Visit>::new(), Vec::new());
    for line in &work.visits {
        let visit = Visit::parse(line);
        let entry = visit.and_then(|visit| {
            let is_of_cell = |one: &Visit| Visit { direction: visit.direction, ..one.clone() } == visit;
            let cell = match made.iter().position(is_of_cell) {
                Some(cell) => cell,
                None => {
                    cells.push(cell(&engines, &visit)?);
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
    let all: Vec<Option<Samples>> = entries.iter().map(|entry| entry.and_then(|_| samples.next())).collect();
    out.write_all(serde_json::to_string(&all)?.as_bytes())?;
    out.flush()
}

/// The cell of a visit, of an implementation that is linked.
fn cell(engines: &[Box<dyn Engine>], visit: &Visit) -> Option<Box<dyn Cell>> {
    let engine = engines.iter().find(|engine| engine.name() == visit.engine)?;
    engine.cell(Message::find(&visit.message)?, visit.rules).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_times_what_it_is_asked_in_this_order() {
        let visits =
            ["rasn cam-mandatory uper decode", "somebody cam-mandatory uper encode", "rasn cam-mandatory uper encode"];
        let visits = visits.map(str::to_string).to_vec();
        let work = Work {
            rounds: 2,
            sample: 20_000.0,
            seed: 1,
            visits: [visits, vec!["rasn cam-mandatory uper decode".into()]].concat(),
        };
        let mut answer = Vec::new();
        serve(&mut serde_json::to_string(&work).unwrap().as_bytes(), &mut answer).unwrap();
        let samples: Vec<Option<Samples>> = serde_json::from_slice(&answer).unwrap();
        let rounds: Vec<Option<usize>> = samples.iter().map(|one| one.as_ref().map(|one| one.cpu.len())).collect();
        assert_eq!(rounds, [Some(2), None, Some(2), Some(2)]);
        assert_eq!(samples[0].as_ref().unwrap().batch, samples[3].as_ref().unwrap().batch);
        assert!(serve(&mut "no work".as_bytes(), &mut Vec::new()).is_err());
    }

    #[test]
    fn a_program_that_is_no_probe_is_an_error() {
        let plan = Plan { rounds: 1, sample: 20_000.0 };
        assert!(start(&[], &[], plan, 1).is_err());
        assert!(start(&["false".into()], &[], plan, 1).unwrap_err().contains("process"));
    }
}
