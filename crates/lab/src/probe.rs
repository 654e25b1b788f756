//! The probe command: runs measured functions for a tool that observes the program from outside.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use roadwire_layout::Rules;

use crate::bench::own::Own;
use crate::processes;

use roadwire_measure::cell::Direction;
use roadwire_peers::Engine;
use roadwire_peers::content::{MESSAGES, Message};

/// One measured call: engine, message, encoding rules, direction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Visit {
    /// The engine's name.
    pub engine: String,
    /// The message's name.
    pub message: String,
    /// The encoding rules.
    pub rules: Rules,
    /// Encoding or decoding.
    pub direction: Direction,
}

impl Visit {
    /// Reads a line of the probe's output.
    pub fn parse(line: &str) -> Option<Visit> {
        // The name of an engine may have spaces.
        let mut words = line.rsplitn(4, ' ');
        let (direction, rules, message) = (words.next()?, words.next()?, words.next()?);
        let engine = words.next()?;
        Some(Visit {
            engine: engine.into(),
            message: message.into(),
            rules: rules.parse().ok()?,
            direction: Direction::ALL.into_iter().find(|d| d.name() == direction)?,
        })
    }
}

impl fmt::Display for Visit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.engine, self.message, self.rules, self.direction.name())
    }
}

/// Visits every engine's cell of each given `MESSAGE:RULES` (all, if none is given) in both
/// directions: warms up, calls the measured region once, and writes
/// `engine message rules direction`.
///
/// `own` is the file of a user's messages, which are then visited instead of the studies'.
///
/// # Errors
/// Reading `own`, or writing to `out`.
pub fn run(own: Option<&Path>, names: &[String], out: &mut dyn Write) -> io::Result<()> {
    let Bench { engines, messages } = Bench::of(own)?;
    let all = messages.iter().flat_map(|message| Rules::ALL.into_iter().map(move |rules| (*message, rules)));
    let is_chosen = |message: &Message, rules: Rules| {
        names.is_empty() || names.iter().any(|name| name.split_once(':') == Some((message.id, rules.name())))
    };
    for (message, rules) in all.filter(|(message, rules)| is_chosen(message, *rules)) {
        for engine in &engines {
            let Ok(mut cell) = engine.cell(message, rules) else {
                continue;
            };
            // Programs are not seen from here.
            if !cell.is_inside() {
                continue;
            }
            for direction in Direction::ALL {
                cell.batch(direction, 4);
                cell.probe(direction, &mut |work| work()).map_err(io::Error::other)?;
                roadwire_probe_mark();
                writeln!(out, "{} {} {rules} {}", engine.name(), message.id, direction.name())?;
            }
        }
    }
    Ok(())
}

/// Times the cells that standard input asks for, and answers with their samples: one process of
/// several. `own` as for [`run`].
///
/// # Errors
/// The input asks for something else, `own` cannot be read, or `out` cannot be written.
pub fn times(own: Option<&Path>, input: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
    processes::serve(&Bench::of(own)?, input, out)
}

/// The engines of a process, and the messages that it may be asked for.
pub(crate) struct Bench {
    pub(crate) engines: Vec<Box<dyn Engine>>,
    pub(crate) messages: Vec<&'static Message>,
}

impl Bench {
    /// Those of the studies, or of a file of a user's messages.
    pub(crate) fn of(own: Option<&Path>) -> io::Result<Bench> {
        match own {
            Some(path) => Own::read(path)?.bench().map_err(io::Error::other),
            None => Ok(Bench { engines: roadwire_peers::all(), messages: MESSAGES.iter().collect() }),
        }
    }
}

/// Called after each measured call: Callgrind writes a profile here.
#[inline(never)]
fn roadwire_probe_mark() {
    std::hint::black_box(());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_engines_are_read() {
        for engine in roadwire_peers::all() {
            let visit = Visit {
                engine: engine.name().into(),
                message: "cam-mandatory".into(),
                rules: Rules::Uper,
                direction: Direction::Decode,
            };
            assert_eq!(Visit::parse(&visit.to_string()), Some(visit));
        }
        assert_eq!(Visit::parse("rasn cam-mandatory uper"), None);
    }
}
