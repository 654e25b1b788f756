//! The probe command: runs measured functions for a tool that observes the program from outside.

use std::fmt;
use std::io::{self, Read, Write};

use roadwire_layout::Rules;

use crate::processes;

use roadwire_measure::cell::Direction;
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
        let mut words = line.split_whitespace();
        let (engine, message, rules) = (words.next()?, words.next()?, words.next()?);
        let direction = words.next()?;
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
/// directions: warms up, calls the measured region once, and writes `engine message rules direction`.
///
/// # Errors
/// Writing to `out`.
pub fn run(names: &[String], out: &mut dyn Write) -> io::Result<()> {
    let engines = roadwire_peers::all();
    for (message, rules) in chosen(names) {
        for engine in &engines {
            let Ok(mut cell) = engine.cell(message, rules) else {
                continue;
            };
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

/// Times the cells that standard input asks for, and answers with their samples: one process of several.
///
/// # Errors
/// The input asks for something else, or `out` cannot be written.
pub fn times(input: &mut dyn Read, out: &mut dyn Write) -> io::Result<()> {
    processes::serve(input, out)
}

/// Called after each measured call: Callgrind writes a profile here.
#[inline(never)]
fn roadwire_probe_mark() {
    std::hint::black_box(());
}

fn chosen(names: &[String]) -> impl Iterator<Item = (&'static Message, Rules)> {
    let all = MESSAGES.iter().flat_map(|message| Rules::ALL.into_iter().map(move |rules| (message, rules)));
    all.filter(move |(message, rules)| {
        names.is_empty() || names.iter().any(|name| name.split_once(':') == Some((message.id, rules.name())))
    })
}
