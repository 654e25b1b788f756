//! Which encoding to take for what one has little of: the channel, the processor, change, memory. Each with its evidence, and what speaks against it.

use roadwire_airtime::{Frame, Rate, Security, Transport};
use roadwire_layout::Rules;
use roadwire_measure::cell::Direction;
use roadwire_peers::{Kind, PEER};

use super::choice::{self, Compared, Cost, Measure, OCTETS};
use crate::measured::Measured;
use crate::number::significant;
use crate::record::Record;
use crate::studies::evolution::Changes;

/// An answer to "which encoding should I take?". Names of encodings stand in backticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    /// What one has little of, as in "for the channel".
    pub of: &'static str,
    /// What to take; "none in most messages" where nothing is best in more than half of them.
    pub take: String,
    /// The evidence, a sentence.
    pub why: String,
    /// What speaks against it, a sentence; empty if this run has nothing of the kind.
    pub but: String,
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
    let on_air = |cost: &Cost| {
        let octets = u32::try_from(cost.octets).ok()?;
        let frame = Frame::new(octets, Transport::SingleHop, Security::DotTwoDigest);
        Some(format!("{} µs in `{}`", Rate::Mbps6.airtime_us(frame.psdu()).ok()?, cost.rules))
    };
    let both = lead.best.as_ref().and_then(on_air).zip(lead.next.as_ref().and_then(on_air));
    let but = both.map(|(best, next)| {
        format!("on the air, signed and at 6 Mbit/s, that message takes {best} and {next}: time goes by symbols of 6 octets.")
    });
    Need { of: "the channel", take: lead.take, why: lead.why, but: but.unwrap_or_default() }
}

/// The least time both ways; but the implementation counts for more.
fn processor(compared: &Compared<'_>, records: &[Record]) -> Need {
    let time = Measure { of: |cost| cost.nanoseconds, tie: compared.tie, near: compared.tie, unit: "ns" };
    let lead = compared.lead("the least time to encode and decode", &time);
    let own = records.iter().filter(|one| one.kind == Kind::Toed && !one.repeat);
    let times: Vec<f64> = own
        .flat_map(|record| &record.ratios)
        .filter(|ratio| ratio.to == PEER && ratio.interval.ratio > 0.0)
        .map(|ratio| 1.0 / ratio.interval.ratio)
        .collect();
    let [least, most] = [f64::min, f64::max].map(|of| times.iter().copied().fold(f64::NAN, of));
    let but = format!(
        "the implementation counts for more: in the same encoding {PEER} takes {} to {} times as long as roadwire's generated code.",
        significant(least, 2),
        significant(most, 2)
    );
    Need {
        of: "the processor",
        take: lead.take,
        why: lead.why,
        but: if times.is_empty() { String::new() } else { but },
    }
}

/// Nothing taken for something else, and most changes in any order; but the shortest encodings are not among these.
fn change(compared: Option<&Compared<'_>>, measured: Measured<'_>) -> Option<Need> {
    let mut all = Changes::all(measured);
    all.sort_by_key(|one| (one.dangerous, one.of - one.free, one.of - one.free - one.receivers_first));
    let rank = |one: &Changes| (one.dangerous, one.free, one.receivers_first);
    let best = all.first()?.clone();
    let take: Vec<Rules> = all.iter().take_while(|one| rank(one) == rank(&best)).map(|one| one.rules).collect();
    let shortest = compared.and_then(|compared| compared.lead("", &OCTETS).best).map(|cost| cost.rules);
    let against = all.iter().find(|one| Some(one.rules) == shortest && one.dangerous > 0);
    let but = against.map(|one| {
        format!("`{}`, the shortest, takes messages for others after {} of them.", one.rules, one.dangerous)
    });
    Some(Need {
        of: "change",
        take: choice::named(&take),
        why: format!(
            "After each of {} small changes a receiver reads the message or refuses it, {}; {} may come in any order, {} where receivers change first.",
            best.of,
            if best.dangerous == 0 {
                "and takes none for another".into()
            } else {
                format!("but takes {} for others", best.dangerous)
            },
            best.free,
            best.receivers_first
        ),
        but: but.unwrap_or_default(),
    })
}

/// Generated code allocates nothing for messages without unbounded parts; libraries of the papers' time did.
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
        format!("that is this implementation's: others on file take {least} to {most} octets of heap for the papers' messages.")
    });
    let cells = |count: usize| format!("{count} of {}", own.len());
    let take = if without == own.len() { "any" } else { "most" };
    Some(Need {
        of: "memory",
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
    let heaps = records.iter().filter(|one| one.kind == Kind::Soed && one.direction == Direction::Decode);
    let most = heaps.filter_map(|one| one.heap).map(|heap| heap.peak).max();
    most.map_or_else(|| "an unknown amount".into(), |most| format!("up to {most} octets"))
}
