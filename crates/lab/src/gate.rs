//! The validation gate: what must hold before a cell is measured.

use std::collections::BTreeSet;
use std::fmt;

use roadwire_layout::Rules;

use crate::confirmed;
use crate::gzip;
use roadwire_measure::cell::Cell;
use roadwire_peers::Engine;
use roadwire_peers::content::{Message, Vector};
use roadwire_peers::hex;

/// The result for a cell that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Encoded length.
    pub octets: usize,
    /// The length after gzip at level 9.
    pub gzip: usize,
    /// Who confirms the octets: other implementations, or the vector on file.
    pub confirmed_by: Vec<String>,
}

/// One engine's cell for a message, and whether it may be measured.
pub struct Checked {
    /// Index of the engine.
    pub engine: usize,
    /// The cell, or why there is none.
    pub cell: Result<Box<dyn Cell>, String>,
    /// The gate's result: passed, or why not.
    pub gate: Result<Passed, Refusal>,
}

/// Why a cell is not measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The engine does not have it.
    Absent(String),
    /// There is no other implementation of these rules, and no vector.
    Alone,
    /// It is wrong.
    Failed(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Absent(why) | Refusal::Failed(why) => why,
            Refusal::Alone => "no other implementation of these rules is here to confirm its octets",
        })
    }
}

/// Whether octets that no other implementation has may be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// No: of a paper's message there has to be a second opinion.
    Needed,
    /// Yes, and the record names no second opinion: of a user's message there may be none.
    Optional,
}

/// Makes all engines' cells for one message and compares them with each other.
pub fn check(engines: &[Box<dyn Engine>], message: &Message, rules: Rules, confirmation: Confirmation) -> Vec<Checked> {
    let mut cells: Vec<Result<Box<dyn Cell>, String>> =
        engines.iter().map(|engine| engine.cell(message, rules).map_err(|absent| absent.0)).collect();
    let octets: Vec<Option<Vec<u8>>> = cells.iter_mut().map(|cell| cell.as_mut().ok()?.bytes().ok()).collect();
    let vector = message.vector(rules);
    let tried = |length| match confirmation {
        // A user's message may be whole at a shorter length: optional fields at its end, a number
        // as text, no bits at all.
        Confirmation::Optional if length <= 1 || matches!(rules, Rules::Protobuf | Rules::Jer) => 0,
        _ => most(length),
    };
    // A value may have several texts, so octets may differ.
    let understood = if rules.is_text() { understood(&mut cells, &octets) } else { Vec::new() };

    cells
        .into_iter()
        .enumerate()
        .map(|(engine, mut cell)| {
            let gate = match &mut cell {
                Err(why) => Err(Refusal::Absent(why.clone())),
                Ok(cell) => judge_by(cell.as_mut(), rules.is_text(), tried).map_err(Refusal::Failed).and_then(|own| {
                    let on_file = match (&vector, confirmed::on_file(message.id, rules, &own)) {
                        (Some(_), _) => None,
                        // A value has several texts: one that differs from that on file is not
                        // confirmed by it, and not wrong.
                        (None, Err(_)) if rules.is_text() => None,
                        (None, Err(by)) => {
                            let own = hex::encode(&own);
                            return Err(Refusal::Failed(format!(
                                "its octets differ from those on file of {by}: {own}"
                            )));
                        }
                        (None, Ok(on_file)) => on_file,
                    };
                    let by = confirm(engines, engine, &own, &octets, (vector.as_ref(), on_file), &understood)?;
                    match by.is_empty() && confirmation == Confirmation::Needed {
                        true => Err(Refusal::Alone),
                        false => Ok(Passed { octets: own.len(), gzip: gzip::length(&own), confirmed_by: by }),
                    }
                }),
            };
            Checked { engine, cell, gate }
        })
        .collect()
}

/// Pairs of engines in which the first decodes the octets of the second to its own value.
fn understood(cells: &mut [Result<Box<dyn Cell>, String>], octets: &[Option<Vec<u8>>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (reader, cell) in cells.iter_mut().enumerate() {
        let (Ok(cell), Some(own)) = (cell, &octets[reader]) else { continue };
        for (writer, text) in octets.iter().enumerate() {
            if text.as_ref().is_some_and(|text| cell.recode(&[], text).as_ref() == Ok(own)) {
                pairs.push((reader, writer));
            }
        }
    }
    pairs
}

/// How many octets all tried prefixes of a message have together, at most: of a long text, all
/// prefixes take minutes.
const PREFIXES: usize = 4 << 20;

/// Checks the round trip and truncated input; returns the octets.
pub(crate) fn judge(cell: &mut dyn Cell) -> Result<Vec<u8>, String> {
    judge_by(cell, false, most)
}

/// The most prefixes of so many octets that are tried.
fn most(length: usize) -> usize {
    2 * PREFIXES / length.max(1)
}

/// Checks the round trip and at most `most` prefixes, evenly apart; returns the octets.
pub(crate) fn judge_some(cell: &mut dyn Cell, most: usize) -> Result<Vec<u8>, String> {
    judge_by(cell, false, |_| most)
}

/// `most` is the number of prefixes for a length. White space at the end of a text, such as a last
/// line feed, does not belong to the value: a prefix that has all but that is not truncated.
fn judge_by(cell: &mut dyn Cell, is_text: bool, most: impl Fn(usize) -> usize) -> Result<Vec<u8>, String> {
    let octets = cell.bytes().map_err(|why| format!("does not encode: {why}"))?;
    match cell.recode(&[], &octets) {
        Err(why) => return Err(format!("does not decode its own octets: {why}")),
        Ok(again) if again != octets => {
            return Err(format!("does not round-trip: {} became {}", hex::encode(&octets), hex::encode(&again)));
        }
        Ok(_) => {}
    }
    // Decodes over the remains of a refused message, of which nothing may be left.
    if cell.recode(&octets[..octets.len() / 2], &octets).as_ref() != Ok(&octets) {
        return Err("decodes differently over the remains of a refused message".into());
    }
    let whole = if is_text { octets.trim_ascii_end().len() } else { octets.len() };
    let most = most(whole);
    for length in (0..whole).step_by(whole.div_ceil(most.max(1)).max(1)).take(most) {
        if cell.recode(&octets, &octets[..length]).is_ok() {
            return Err(format!("accepts the first {length} of {} octets", octets.len()));
        }
    }
    Ok(octets)
}

/// Confirmation: by the vector on file if there is one, by implementations on file, and by an
/// engine of another origin. Where none is on file and octets differ, the octets that most origins
/// write are right.
fn confirm(
    engines: &[Box<dyn Engine>],
    own: usize,
    octets: &[u8],
    all: &[Option<Vec<u8>>],
    (vector, on_file): (Option<&Vector>, Option<String>),
    understood: &[(usize, usize)],
) -> Result<Vec<String>, Refusal> {
    let mut confirmed_by = Vec::new();
    match vector {
        Some(vector) if vector.octets == octets => confirmed_by.push(format!("{} (on file)", vector.by)),
        Some(vector) => {
            return Err(Refusal::Failed(format!(
                "its octets differ from the vector on file: {} for {}",
                hex::encode(octets),
                hex::encode(&vector.octets)
            )));
        }
        None => {}
    }
    let is_decided = vector.is_some() || on_file.is_some();
    let origins = |octets: &[u8]| {
        let equal = engines.iter().zip(all).filter(|(_, other)| other.as_deref() == Some(octets));
        equal.map(|(engine, _)| engine.origin()).collect::<BTreeSet<_>>().len()
    };
    confirmed_by.extend(on_file.map(|by| format!("{by} (on file)")));
    for (at, (engine, other)) in engines.iter().zip(all).enumerate() {
        let Some(other) = other else { continue };
        if engine.origin() == engines[own].origin() {
            continue;
        }
        if other == octets {
            confirmed_by.push(format!("{} {}", engine.name(), engine.version()));
        } else if understood.contains(&(own, at)) && understood.contains(&(at, own)) {
            confirmed_by.push(format!("{} {} (each reads what the other writes)", engine.name(), engine.version()));
        } else if !is_decided && origins(other) >= origins(octets) {
            let why = format!("its octets differ from {}'s, and no vector decides", engine.name());
            return Err(Refusal::Failed(why));
        }
    }
    Ok(confirmed_by)
}
