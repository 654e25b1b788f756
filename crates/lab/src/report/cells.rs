//! Our own tables: speed and memory of every cell, what the timed regions contain, empty cells.

use super::table::Table;
use crate::gzip;
use crate::measured::Measured;
use crate::noise::Noise;
use crate::number::or_dash;
use crate::record::{Method, Record};
use roadwire_layout::Rules;
use roadwire_measure::stats::Interval;
use roadwire_peers::Kind;
use roadwire_peers::PEER;

/// The tables, cells first.
pub(crate) fn tables(records: &[Record]) -> Vec<Table> {
    let Some(first) = records.first() else {
        return Vec::new();
    };
    let mut tables = match first.run.method {
        Method::Batched => vec![batched(records)],
        Method::Paper => Vec::new(),
    };
    if records.iter().any(|record| record.paper.is_some()) {
        tables.push(paper(records));
    }
    tables.extend(Some(compressed(records)).filter(|table| !table.rows.is_empty()));
    tables.push(engines(records));
    let empty = empty(records);
    if !empty.rows.is_empty() {
        tables.push(empty);
    }
    tables
}

/// The tables in the report's text: contents of the timed regions, lengths after gzip, and figures
/// that could not be measured; `cells.csv` has the cells.
pub(crate) fn brief(records: &[Record]) -> Vec<Table> {
    let mut regions = engines(records);
    regions.notes.push("`cells.csv` has every cell, `cells-absent.csv` those that are empty, with the reason.".into());
    regions.notes.extend(missing(records));
    let compressed = compressed(records);
    [compressed, regions].into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn measured(records: &[Record]) -> impl Iterator<Item = &Record> {
    records.iter().filter(|r| r.absent.is_none() && !r.repeat)
}

fn batched(records: &[Record]) -> Table {
    let mut table = Table::new(
        "Encoding and decoding: CPU time, instructions, memory",
        &[
            "message",
            "rules",
            "direction",
            "engine",
            ">octets",
            ">ns",
            ">±MAD",
            ">rank",
            ">× by hand",
            &format!(">times faster than {PEER}"),
            ">instructions",
            ">heap peak",
            ">heap allocs",
            ">stack",
            ">in memory",
        ],
    );
    let by_hand = records.iter().find(|one| one.kind == Kind::ByHand).map(|one| one.engine.as_str());
    for record in measured(records) {
        let time = record.cpu_ns.as_ref();
        table.row([
            record.message.clone(),
            record.rules.to_string(),
            record.direction.name().into(),
            record.engine.clone(),
            or_dash(record.octets),
            or_dash(time.map(|t| number3(t.median))),
            or_dash(time.map(|t| number3(t.mad))),
            or_dash(rank(record, records)),
            or_dash(by_hand.and_then(|by_hand| record.ratio_to(by_hand)).map(interval)),
            or_dash(record.ratio_to(PEER).map(inverse).map(interval)),
            or_dash(record.instructions),
            or_dash(record.heap.map(|h| h.peak)),
            or_dash(record.heap.map(|h| h.count)),
            or_dash(record.stack),
            or_dash(record.message_size),
        ]);
    }
    table.notes.push(format!(
        "ns: median process CPU time of one operation. Intervals: 95 %, hierarchical bootstrap over processes and their rounds. {} heap, stack, message: octets; stack is below the caller; the \
         place for a decoded message is the caller's (in memory: its size).",
        match noise(records) {
            Some(noise) => format!(
                "A/A pairs (one codec timed as two) differ by up to {:.2} %; engines closer than that share a rank. {} They also share a rank.",
                noise * 100.0,
                Noise::of(Measured { records, ..Measured::default() }).line()
            ),
            None => "There was no A/A pair, so nothing is ranked.".into(),
        }
    ));
    table.notes.extend(missing(records));
    table
}

fn paper(records: &[Record]) -> Table {
    let mut table = Table::new(
        "The papers' contents by the papers' recipe",
        &[
            "message",
            "rules",
            "direction",
            "engine",
            ">octets",
            ">mean ns",
            ">SD ns",
            ">empty region ns",
            ">SD ns",
            ">runs",
            ">heap peak",
            ">stack",
        ],
    );
    for record in measured(records) {
        let Some(paper) = &record.paper else { continue };
        table.row([
            record.message.clone(),
            record.rules.to_string(),
            record.direction.name().into(),
            record.engine.clone(),
            or_dash(record.octets),
            number3(paper.mean),
            number3(paper.sd),
            number3(paper.empty_mean),
            number3(paper.empty_sd),
            paper.runs.to_string(),
            or_dash(record.heap.map(|h| h.peak)),
            or_dash(record.stack),
        ]);
    }
    if let Some(paper) = records.iter().find_map(|r| r.paper.as_ref()) {
        table.notes.push(format!(
            "One call between two readings of the process CPU clock, serialised by {}. The empty region \
             is part of every mean and is not subtracted: where it is as large, the recipe cannot see \
             the codec.",
            paper.serialising
        ));
    }
    table.notes.extend(missing(records));
    table
}

/// The difference that code placement makes between two builds of the same codec, as a fraction. An
/// A/A pair Rank by median among the engines of the same cell; engines within the noise share a
/// rank.
fn rank(record: &Record, records: &[Record]) -> Option<usize> {
    let tie = Noise::of(Measured { records, ..Measured::default() }).tie();
    let noise = noise(records)?.max(tie - 1.0);
    let own = record.cpu_ns.as_ref()?.median;
    let faster = measured(records)
        .filter(|r| r.message == record.message && r.rules == record.rules && r.direction == record.direction)
        .filter_map(|r| r.cpu_ns.as_ref())
        .filter(|t| t.median * (1.0 + noise) < own)
        .count();
    Some(faster + 1)
}

/// The difference of an A/A pair, as a fraction.
fn noise(records: &[Record]) -> Option<f64> {
    records
        .iter()
        .filter_map(|r| r.to_itself)
        .map(|i| (i.high - 1.0).abs().max((i.low - 1.0).abs()))
        .max_by(f64::total_cmp)
}

/// The encodings that gzip is shown of, and the shortest one beside them.
const COMPRESSED: [Rules; 7] =
    [Rules::Xer, Rules::Cxer, Rules::Exer, Rules::Jer, Rules::Protobuf, Rules::Cbor, Rules::Uper];

/// Lengths before and after gzip; a message without one of these encodings but UPER has no row.
fn compressed(records: &[Record]) -> Table {
    let of = |message: &str, rules| {
        let own = measured(records)
            .find(|one| one.message == message && one.rules == rules && matches!(one.kind, Kind::Toed | Kind::Soed));
        own.and_then(|one| one.octets.zip(one.gzip))
    };
    let mut table = Table::new("Octets before / after gzip", &["message"]);
    table.heading.extend(COMPRESSED.map(|rules| format!(">{rules}")));
    for record in measured(records) {
        if table.rows.iter().any(|row| row[0] == record.message) {
            continue;
        }
        let lengths = COMPRESSED.map(|rules| of(&record.message, rules));
        if lengths[..COMPRESSED.len() - 1].iter().any(Option::is_some) {
            let cells = lengths.map(|both| or_dash(both.map(|(octets, gzip)| format!("{octets} / {gzip}"))));
            table.rows.push([vec![record.message.clone()], cells.into()].concat());
        }
    }
    table.notes.push(format!("{} Lengths of roadwire's codecs: a value has several texts.", gzip::NOTE));
    table
}

fn engines(records: &[Record]) -> Table {
    let mut table = Table::new(
        "What the timed regions contain",
        &["engine", "version", "allocation", "presizing", "population", "validation"],
    );
    for record in measured(records) {
        if table.rows.iter().any(|row| row[0] == record.engine) {
            continue;
        }
        let region = &record.timed_region;
        table.row([
            record.engine.clone(),
            record.version.clone(),
            region.allocation.clone(),
            region.presizing.clone(),
            region.population.clone(),
            region.validation.clone(),
        ]);
    }
    table
}

/// Everything that was measured of each cell, for other programs. The interval of a ratio is of 95
/// %.
pub(crate) fn data(records: &[Record]) -> Table {
    let mut table = Table::new(
        "Every message, encoding, direction and implementation: octets, CPU time of one operation, ratios of time to the codec by hand and to rasn, instructions, heap, stack",
        &[
            "message",
            "schema",
            "rules",
            "direction",
            "engine",
            "kind",
            "octets",
            "gzip_octets",
            "time_ns",
            "time_mad_ns",
            "rank",
            "by_hand_ratio",
            "by_hand_ratio_low",
            "by_hand_ratio_high",
            "rasn_ratio",
            "rasn_ratio_low",
            "rasn_ratio_high",
            "instructions",
            "heap_peak_octets",
            "heap_requests",
            "stack_octets",
            "value_octets",
            "code_octets",
        ],
    );
    let by_hand = records.iter().find(|one| one.kind == Kind::ByHand).map(|one| one.engine.as_str());
    for record in measured(records) {
        let time = record.cpu_ns.as_ref();
        let ratio = |to: Option<&str>| {
            let interval = to.and_then(|to| record.ratio_to(to));
            [interval.map(|one| one.ratio), interval.map(|one| one.low), interval.map(|one| one.high)]
                .map(|one| or_dash(one.map(|one| format!("{one:.4}"))))
        };
        let [by_hand, low, high] = ratio(by_hand);
        let [rasn, rasn_low, rasn_high] = ratio(Some(PEER));
        table.row([
            record.message.clone(),
            record.schema.clone(),
            record.rules.to_string(),
            record.direction.name().into(),
            record.engine.clone(),
            record.kind.name().into(),
            or_dash(record.octets),
            or_dash(record.gzip),
            or_dash(time.map(|time| format!("{:.2}", time.median))),
            or_dash(time.map(|time| format!("{:.2}", time.mad))),
            or_dash(rank(record, records)),
            by_hand,
            low,
            high,
            rasn,
            rasn_low,
            rasn_high,
            or_dash(record.instructions),
            or_dash(record.heap.map(|heap| heap.peak)),
            or_dash(record.heap.map(|heap| heap.count)),
            or_dash(record.stack),
            or_dash(record.message_size),
            or_dash(record.code),
        ]);
    }
    table
}

pub(crate) fn empty(records: &[Record]) -> Table {
    let mut table = Table::new("Empty cells", &["message", "rules", "engine", "why"]);
    for record in records {
        let Some(why) = &record.absent else { continue };
        let row = [record.message.clone(), record.rules.to_string(), record.engine.clone(), why.clone()];
        if !table.rows.iter().any(|r| *r == row) {
            table.row(row);
        }
    }
    table
}

fn missing(records: &[Record]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    if records.first().is_some_and(|record| record.run.machine.flags.starts_with("debug")) {
        lines.push(
            "This was a debug build: its times, instructions and stack say nothing about a release build.".into(),
        );
    }
    for line in records.iter().flat_map(|r| &r.missing) {
        if !lines.contains(line) {
            lines.push(line.clone());
        }
    }
    lines
}

fn inverse(i: Interval) -> Interval {
    Interval { ratio: 1.0 / i.ratio, low: 1.0 / i.high, high: 1.0 / i.low }
}

fn interval(i: Interval) -> String {
    format!("{} [{}–{}]", number3(i.ratio), number3(i.low), number3(i.high))
}

/// A number with three significant digits.
fn number3(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ratio;
    use crate::record::sample::record as sample;
    use roadwire_measure::stats::summarise;

    /// Ranks of engines with these times, where an A/A pair was `low` to `high`.
    fn ranks(times: &[f64], low: f64, high: f64) -> Vec<usize> {
        let mut records: Vec<Record> = times.iter().map(|_| sample(Kind::Peer, 41)).collect();
        for (record, time) in records.iter_mut().zip(times) {
            record.cpu_ns = summarise(&[*time]);
        }
        records[0].to_itself = Some(Interval { ratio: 1.0, low, high });
        records.iter().map(|record| rank(record, &records).unwrap()).collect()
    }

    #[test]
    fn engines_within_the_noise_of_a_pair_or_of_runs_share_a_rank() {
        let tie = 100.0 * Noise::of(Measured::default()).tie();
        assert_eq!(ranks(&[100.0, tie - 0.1, tie + 0.1, 400.0], 0.999, 1.001), [1, 1, 2, 4]);
        // The farther end of the pair's interval is the noise.
        assert_eq!(ranks(&[100.0, 149.9, 150.1, 400.0], 0.5, 1.02), [1, 1, 2, 4]);
        assert_eq!(ranks(&[100.0, 149.9, 150.1, 400.0], 0.99, 1.5), [1, 1, 2, 4]);
    }

    #[test]
    fn code_by_hand_and_the_peer_have_columns_of_ratios() {
        let ratio = |to: &str, ratio: f64| Ratio {
            to: to.into(),
            interval: Interval { ratio, low: ratio / 2.0, high: ratio * 2.0 },
        };
        let ratios = vec![ratio("another", 9.0), ratio(PEER, 0.5), ratio("by hand", 3.0)];
        let ours = Record { ratios, ..sample(Kind::Toed, 41) };
        let by_hand = Record { engine: "by hand".into(), ..sample(Kind::ByHand, 41) };
        let table = batched(&[ours, by_hand]);
        let column = |name: &str| {
            let at = table.heading.iter().position(|heading| heading == name).unwrap();
            [0, 1].map(|row: usize| table.rows[row][at].as_str())
        };
        assert_eq!(column(">× by hand"), ["3.00 [1.50–6.00]", "–"]);
        assert_eq!(column(">times faster than rasn"), ["2.00 [1.00–4.00]", "–"]);
    }

    #[test]
    fn texts_have_their_lengths_after_gzip_beside_upers() {
        let one = |rules, octets, gzip| Record { rules, gzip: Some(gzip), ..sample(Kind::Toed, octets) };
        let records = [one(Rules::Uper, 41, 61), one(Rules::Jer, 999, 500)];
        let table = compressed(&records);
        assert_eq!(table.rows, [["cam-mandatory", "–", "–", "–", "999 / 500", "–", "–", "41 / 61"]]);
        assert!(compressed(&records[..1]).rows.is_empty());
        // A record of an earlier version has no such length.
        assert!(compressed(&[Record { gzip: None, ..records[1].clone() }]).rows.is_empty());
    }

    #[test]
    fn no_table_has_two_columns_of_one_name() {
        let mut record = sample(Kind::Toed, 41);
        record.cpu_ns = summarise(&[1.0]);
        for table in tables(&[record]) {
            let mut names = table.heading.clone();
            names.sort_by(|a, b| a.trim_start_matches('>').cmp(b.trim_start_matches('>')));
            names.dedup_by(|a, b| a.trim_start_matches('>') == b.trim_start_matches('>'));
            assert_eq!(names.len(), table.heading.len(), "{:?}", table.heading);
        }
    }

    #[test]
    fn an_inverted_interval_has_its_ends_exchanged() {
        let i = inverse(Interval { ratio: 2.0, low: 1.0, high: 4.0 });
        assert_eq!((i.ratio, i.low, i.high), (0.5, 0.25, 1.0));
    }
}
