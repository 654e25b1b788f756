//! The probe command: runs measured functions for a tool that watches the program from outside.

use std::io::{self, Write};

use crate::content::{MESSAGES, Message};
use crate::engine::Direction;
use crate::engines;

/// One measured call: engine, message, direction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Visit {
    /// The engine's name.
    pub engine: String,
    /// The message's name.
    pub message: String,
    /// Encoding or decoding.
    pub direction: Direction,
}

impl Visit {
    /// Reads a line of the probe's output.
    pub fn parse(line: &str) -> Option<Visit> {
        let mut words = line.split_whitespace();
        let (engine, message, direction) = (words.next()?, words.next()?, words.next()?);
        Some(Visit {
            engine: engine.into(),
            message: message.into(),
            direction: Direction::ALL.into_iter().find(|d| d.name() == direction)?,
        })
    }
}

/// Visits every engine's cell of each named message (all messages when none is named) in both
/// directions: warms up, calls the measured region once, and writes `engine message direction`.
///
/// # Errors
/// Writing to `out`.
pub fn run(messages: &[String], out: &mut dyn Write) -> io::Result<()> {
    let engines = engines::all();
    for message in chosen(messages) {
        for engine in &engines {
            let Ok(mut cell) = engine.cell(message, "uper") else {
                continue;
            };
            for direction in Direction::ALL {
                cell.batch(direction, 4);
                cell.probe(direction, &mut |work| work());
                roadwire_probe_mark();
                writeln!(out, "{} {} {}", engine.name(), message.id, direction.name())?;
            }
        }
    }
    Ok(())
}

/// Called after each measured call: Callgrind writes a profile when it comes here.
#[inline(never)]
fn roadwire_probe_mark() {
    std::hint::black_box(());
}

fn chosen(names: &[String]) -> impl Iterator<Item = &'static Message> {
    MESSAGES.iter().filter(move |m| names.is_empty() || names.iter().any(|name| name == m.id))
}
