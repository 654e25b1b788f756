//! Which encoding to take for what one has little of: the channel, the processor, change, memory.
//! Each with its evidence, and what speaks against it.

use std::cmp::Reverse;

use roadwire_airtime::{Frame, Rate, Security, Transport};
use roadwire_layout::Rules;
use roadwire_measure::cell::Direction;
use roadwire_peers::roadwire::INTERPRETER;
use roadwire_peers::{Kind, PEER};

use super::choice::{self, Compared, Cost, Measure, OCTETS};
use crate::measured::Measured;
use crate::number::{extremes, significant};
use crate::record::Record;
use crate::studies::evolution::Changes;

/// An answer to "which encoding should I take?". Names of encodings stand in backticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// The scarce resource, as in "for the channel".
    pub of: &'static str,
    /// The encoding to choose; "none in most messages" where nothing is best in more than half of
    /// them.
    pub take: String,
    /// The evidence, a sentence.
    pub why: String,
    /// The objection, a sentence; empty if this run has nothing of the kind.
    pub but: String,
    /// Both in short, for a terminal.
    pub brief: String,
}

/// All answers that a run can give.
pub(super) fn all(measured: Measured<'_>) -> Vec<Need> {
    let (choices, tie) = (choice::measured(measured.records), choice::tie(measured.records));
    let compared = Compared::of(&choices, tie);
    let compared = compared.as_ref();
    let needs = [
        compared.map(channel),
        compared.map(|compared| processor(compared, measured.records)),
        change(compared, measured),
        memory(measured),
    ];
    needs.into_iter().flatten().collect()
}

/// The fewest octets; but on the air they count by symbols.
fn channel(compared: &Compared<'_>) -> Need {
    let lead = compared.lead("the fewest octets", &OCTETS);
    let on_air = |cost: &Cost| Some(format!("{} µs in `{}`", air_us(cost.octets)?, cost.rules));
    let both = lead.best.as_ref().and_then(on_air).zip(lead.next.as_ref().and_then(on_air));
    let but = both.as_ref().map(|(best, next)| {
        format!("on the air, signed and at 6 Mbit/s, that message takes {best} and {next}: time goes by symbols of 6 octets.")
    });
    let air = both.map_or_else(String::new, |(best, next)| format!(" But on the air {best}, {next}."));
    let brief = format!("{}.{air}", lead.brief);
    Need { of: "the channel", take: lead.take, why: lead.why, but: but.unwrap_or_default(), brief }
}

/// Microseconds on the air at 6 Mbit/s of a message with a CAM's headers, signed with the digest of
/// a certificate; `None` if no frame holds it.
#[must_use]
pub fn air_us(octets: usize) -> Option<u32> {
    let frame = Frame::new(u32::try_from(octets).ok()?, Transport::SingleHop, Security::DotTwoDigest);
    frame.airtime_us(Rate::Mbps6).ok()
}

/// The least time both ways; but the implementation counts for more.
fn processor(compared: &Compared<'_>, records: &[Record]) -> Need {
    let time = Measure { of: |cost| cost.nanoseconds, tie: compared.tie, near: compared.tie, unit: "ns" };
    let lead = compared.lead("the least time to encode and decode", &time);
    let own = records.iter().filter(|one| one.kind == Kind::Toed && !one.repeat);
    let times = own
        .flat_map(|record| &record.ratios)
        .filter(|ratio| ratio.to == PEER && ratio.interval.ratio > 0.0)
        .map(|ratio| 1.0 / ratio.interval.ratio);
    let range = extremes(times).map(|range| range.map(|times| significant(times, 2)));
    let but = range.as_ref().map(|[least, most]| {
        format!("the implementation counts for more: in the same encoding {PEER} takes {least} to {most} times as long as roadwire's generated code.")
    });
    let peer = range.map_or_else(String::new, |[least, most]| {
        format!(" But in the same encoding {PEER} takes {least} to {most} times as long.")
    });
    let brief = format!("{}, both ways.{peer}", lead.brief);
    Need { of: "the processor", take: lead.take, why: lead.why, but: but.unwrap_or_default(), brief }
}

/// Nothing taken for something else, and most changes in any order; but the shortest encodings are
/// not among these.
fn change(compared: Option<&Compared<'_>>, measured: Measured<'_>) -> Option<Need> {
    let mut all = Changes::all(measured);
    let rank = |one: &Changes<'_>| (one.dangerous.len(), Reverse(one.free.len()), Reverse(one.receivers_first.len()));
    all.sort_by_key(rank);
    let best = all.first()?;
    let take: Vec<Rules> = all.iter().take_while(|one| rank(one) == rank(best)).map(|one| one.rules).collect();
    let shortest = compared.and_then(|compared| compared.lead("", &OCTETS).best).map(|cost| cost.rules);
    let against = all.iter().find(|one| Some(one.rules) == shortest && !one.dangerous.is_empty());
    let but = against.map(|one| {
        format!("after {} of them a receiver of `{}`, the shortest, misreads messages.", one.dangerous.len(), one.rules)
    });
    let shortest = but.as_ref().map_or_else(String::new, |but| format!(" But {but}"));
    Some(Need {
        of: "change",
        brief: format!(
            "Of {} small changes {} may come in any order, {} where receivers change first.{shortest}",
            best.of,
            best.free.len(),
            best.receivers_first.len()
        ),
        take: choice::named(&take),
        why: format!(
            "After each of {} small changes a receiver reads the message or refuses it, {}; {} may come in any order, {} where receivers change first.",
            best.of,
            match best.dangerous.len() {
                0 => "and misreads none".into(),
                count => format!("but misreads it after {count}"),
            },
            best.free.len(),
            best.receivers_first.len()
        ),
        but: but.unwrap_or_default(),
    })
}

/// Generated code allocates nothing for messages without unbounded parts; libraries of the papers'
/// time did.
fn memory(measured: Measured<'_>) -> Option<Need> {
    let own: Vec<&Record> = measured
        .records
        .iter()
        .filter(|one| one.kind == Kind::Toed && !one.repeat && one.absent.is_none() && one.heap.is_some())
        .collect();
    let peak = |record: &Record| record.heap.map(|heap| heap.peak);
    let without = own.iter().filter(|one| peak(one) == Some(0)).count();
    let stack = own.iter().filter_map(|one| one.stack).max()?;
    let heaps: Vec<i64> = measured.libraries.iter().filter_map(peak).filter(|peak| *peak > 0).collect();
    let but = heaps.iter().min().zip(heaps.iter().max()).map(|(least, most)| {
        format!("that is this implementation's: other implementations on file take {least} to {most} octets of heap for the papers' messages.")
    });
    let cells = |count: usize| format!("{count} of {}", own.len());
    let others = heaps.iter().min().zip(heaps.iter().max()).map_or_else(String::new, |(least, most)| {
        format!(" But other implementations on file take {least} to {most} octets.")
    });
    let take = if without == own.len() { "any" } else { "most" };
    Some(Need {
        of: "memory",
        brief: format!(
            "No heap in {} cases; the interpreter takes {}.{others}",
            cells(without),
            interpreter(measured.records)
        ),
        take: format!("{take}, with generated code"),
        why: format!(
            "No heap in {} cases (message, encoding, direction), at most {stack} octets of stack; the interpreter takes {} of heap.",
            cells(without),
            interpreter(measured.records)
        ),
        but: but.unwrap_or_default(),
    })
}

/// The most heap of the interpreter, in words.
fn interpreter(records: &[Record]) -> String {
    let heaps = records.iter().filter(|one| one.engine == INTERPRETER && one.direction == Direction::Decode);
    let most = heaps.filter_map(|one| one.heap).map(|heap| heap.peak).max();
    most.map_or_else(|| "an unknown amount".into(), |most| format!("up to {most} octets"))
}
