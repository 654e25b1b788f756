//! A program that measures generated code for one type: `roadwire bench --source` writes it beside
//! the code, and compiles it.
//!
//! It answers as `peers/README.md` says. `probe RULES:MESSAGE:HEX...` calls each measured function
//! once, for Callgrind.

mod codecs;
mod own;
mod typed;

use std::io::{BufRead, Write};

use roadwire_measure::cell::{Cell, Direction, Sample};
use roadwire_measure::heap::{self, CountingAllocator, Heap};
use roadwire_measure::stack;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((first, names)) if first == "probe" => probe(names),
        Some((rules, _)) => answer(rules),
        None => Err("expected the name of encoding rules".into()),
    };
    if let Err(why) = done {
        eprintln!("{why}");
        std::process::exit(3);
    }
}

/// Answers the lines of standard input.
fn answer(rules: &str) -> Result<(), String> {
    let mut measured = Measured { rules, octets: Vec::new(), before: Vec::new(), cell: None };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let answer = match measured.answer(&line) {
            Ok(answer) => format!("ok {answer}"),
            Err(why) => format!("no {}", why.replace('\n', " ")),
        };
        writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

struct Measured<'r> {
    rules: &'r str,
    octets: Vec<u8>,
    /// The octets of the line before, which are decoded into the same place.
    before: Vec<u8>,
    cell: Option<Box<dyn Cell>>,
}

impl Measured<'_> {
    fn answer(&mut self, line: &str) -> Result<String, String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["load", hex] => {
                self.octets = octets(hex)?;
                let mut cell = codecs::cell(self.rules, &self.octets)?;
                let again = cell.bytes()?;
                self.cell = Some(cell);
                Ok(hex_of(&again))
            }
            ["recode", hex] => {
                let octets = octets(hex)?;
                let before = std::mem::replace(&mut self.before, octets.clone());
                Ok(hex_of(&self.cell()?.recode(&before, &octets)?))
            }
            ["time", direction, count] => {
                let count = count.parse().map_err(|_| "expected a number")?;
                let Sample { cpu, wall, done } = self.cell()?.sample(way(direction)?, count);
                Ok(format!("{cpu} {wall} {} {}", done.calls, done.octets))
            }
            ["heap", direction] => {
                let mut used = None;
                self.cell()?.probe(way(direction)?, &mut |work| {
                    work();
                    used = heap::measure(work);
                })?;
                let Heap { requested, peak, retained, count } = used.ok_or("the heap is not counted")?;
                Ok(format!("{requested} {peak} {retained} {count}"))
            }
            ["stack", direction] => {
                let (rules, octets, way) = (self.rules, &self.octets, way(direction)?);
                let used = stack::measure(|watch| codecs::cell(rules, octets)?.probe(way, watch))?;
                used.map(|used| used.to_string()).ok_or_else(|| format!("deeper than {} octets", stack::PAINTED))
            }
            ["size"] => Ok(self.cell()?.message_size().unwrap_or_default().to_string()),
            _ => Err("expected load, recode, time, heap, stack or size".into()),
        }
    }

    fn cell(&mut self) -> Result<&mut Box<dyn Cell>, String> {
        self.cell.as_mut().ok_or_else(|| "expected load first".into())
    }
}

/// Calls each message's functions once after warming up, and writes
/// `ENGINE MESSAGE RULES DIRECTION`.
fn probe(names: &[String]) -> Result<(), String> {
    for name in names {
        let [rules, message, hex] = name.split(':').collect::<Vec<_>>()[..] else {
            return Err(format!("expected RULES:MESSAGE:HEX, found {name}"));
        };
        let mut cell = codecs::cell(rules, &octets(hex)?)?;
        for direction in Direction::ALL {
            cell.batch(direction, 4);
            cell.probe(direction, &mut |work| work())?;
            roadwire_probe_mark();
            println!("{} {message} {rules} {}", codecs::ENGINE, direction.name());
        }
    }
    Ok(())
}

/// Called after each measured call: Callgrind writes a profile here.
#[inline(never)]
fn roadwire_probe_mark() {
    std::hint::black_box(());
}

fn way(name: &str) -> Result<Direction, String> {
    Direction::ALL.into_iter().find(|way| way.name() == name).ok_or_else(|| format!("expected encode or decode, found {name}"))
}

fn octets(hex: &str) -> Result<Vec<u8>, String> {
    let octet = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap_or_default(), 16);
    hex.as_bytes().chunks(2).map(octet).collect::<Result<_, _>>().map_err(|_| "expected hexadecimal digits".into())
}

fn hex_of(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}
