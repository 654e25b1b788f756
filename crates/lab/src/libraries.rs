//! Other implementations on file: records of one run with separate programs, for runs without them.
//!
//! `peers/recorded.csv` has them. Its head has the run, with the day and the machine, as JSON, and
//! the compilers; then there is a line for each implementation, message, rules and direction.

use std::sync::OnceLock;

use roadwire_layout::Rules;
use roadwire_measure::cell::Direction;
use roadwire_measure::heap::Heap;
use roadwire_measure::stats::summarise;
use roadwire_peers::{Kind, TimedRegion};

use crate::csv::fields;
use crate::measured::Measured;
use crate::number::or_dash;
use crate::record::{Record, Run};
use crate::report::table::Table;

const ON_FILE: &str = include_str!("../../../peers/recorded.csv");

/// The lines of the head that are read.
const RUN: &str = "# run: ";
const COMPILERS: &str = "# compilers: ";

const COLUMNS: [&str; 17] = [
    "engine",
    "version",
    "bits",
    "message",
    "schema",
    "rules",
    "direction",
    "octets",
    "heap peak",
    "heap requested",
    "heap retained",
    "heap requests",
    "stack",
    "message size",
    "ns",
    "ns by process",
    "timed region",
];

/// The records on file. Their timed region says only what is allocated, and of their times there is
/// the median alone. Empty if the file is not valid, which a test excludes.
#[must_use]
pub fn on_file() -> &'static [Record] {
    static RECORDS: OnceLock<Vec<Record>> = OnceLock::new();
    RECORDS.get_or_init(|| read(ON_FILE).unwrap_or_default())
}

/// The compilers of the implementations on file.
#[must_use]
pub fn compilers() -> &'static str {
    ON_FILE.lines().find_map(|line| line.strip_prefix(COMPILERS)).unwrap_or_default()
}

/// The word size, bits, for which an implementation was built: a name that ends with `-32` says so.
#[must_use]
pub fn bits(engine: &str) -> u32 {
    if engine.ends_with("-32") { 32 } else { 64 }
}

/// The record of an implementation in a run, or on file. Records of which nothing was measured do
/// not count.
pub(crate) fn record<'m>(
    measured: Measured<'m>,
    (engine, message, rules, direction): (&str, &str, Rules, Direction),
) -> Option<&'m Record> {
    let here = measured.records.iter().filter(|one| one.absent.is_none() && !one.repeat);
    here.chain(measured.libraries)
        .find(|one| one.engine == engine && one.message == message && one.rules == rules && one.direction == direction)
}

/// The file for the records of a run: all other implementations of which something was measured.
///
/// # Errors
/// There is none.
pub fn file(records: &[Record], compilers: &str) -> Result<String, String> {
    let others = records.iter().filter(|one| one.kind == Kind::Peer && one.absent.is_none() && !one.repeat);
    let run = &records.first().ok_or("the report has no records")?.run;
    let mut table = Table::new("", &COLUMNS);
    for one in others {
        let heap = |of: fn(&Heap) -> i64| or_dash(one.heap.as_ref().map(of));
        table.row([
            one.engine.clone(),
            one.version.clone(),
            bits(&one.engine).to_string(),
            one.message.clone(),
            one.schema.clone(),
            one.rules.to_string(),
            one.direction.name().into(),
            or_dash(one.octets),
            heap(|heap| heap.peak),
            heap(|heap| heap.requested),
            heap(|heap| heap.retained),
            heap(|heap| heap.count),
            or_dash(one.stack),
            or_dash(one.message_size),
            or_dash(one.cpu_ns.as_ref().map(|time| format!("{:.1}", time.median))),
            one.processes.iter().map(|time| format!("{time:.1}")).collect::<Vec<_>>().join(" "),
            one.timed_region.allocation.clone(),
        ]);
    }
    if table.rows.is_empty() {
        return Err("the report has no other implementations: run the study with --peers peers".into());
    }
    let run = serde_json::to_string(run).map_err(|error| error.to_string())?;
    Ok(format!(
        "# Other implementations in one run; octets, and nanoseconds of one operation (median). Written by crates/lab/examples/recorded.rs: see peers/README.md.\n\
         {RUN}{run}\n{COMPILERS}{compilers}\n{}",
        table.csv()
    ))
}

fn read(text: &str) -> Result<Vec<Record>, String> {
    let run = text.lines().find_map(|line| line.strip_prefix(RUN)).ok_or("there is no run")?;
    let run: Run = serde_json::from_str(run).map_err(|error| error.to_string())?;
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let heading = lines.next().map(fields).unwrap_or_default();
    if heading != COLUMNS {
        return Err(format!("the columns are {}: expected {}", heading.join(","), COLUMNS.join(",")));
    }
    lines.map(|line| one(&run, line).ok_or_else(|| format!("not a record: {line}"))).collect()
}

fn one(run: &Run, line: &str) -> Option<Record> {
    let fields: [String; COLUMNS.len()] = fields(line).try_into().ok()?;
    let [
        engine,
        version,
        _,
        message,
        schema,
        rules,
        direction,
        octets,
        heap @ ..,
        stack,
        size,
        time,
        processes,
        allocation,
    ] = fields;
    let optional = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    let none = String::new;
    let region = TimedRegion { allocation, presizing: none(), population: none(), validation: none() };
    let direction = Direction::ALL.into_iter().find(|one| one.name() == direction)?;
    let heap: Vec<Option<i64>> = heap
        .iter()
        .map(|text| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) })
        .collect::<Option<_>>()?;
    let heap = match heap[..] {
        [Some(peak), Some(requested), Some(retained), Some(count)] => Some(Heap { requested, peak, retained, count }),
        _ => None,
    };
    let processes = processes.split_whitespace().map(|time| time.parse().ok()).collect::<Option<_>>()?;
    let nanoseconds: Option<f64> = if time.is_empty() { None } else { Some(time.parse().ok()?) };
    Some(Record {
        engine,
        version,
        message,
        schema,
        octets: optional(&octets)?,
        heap,
        stack: optional(&stack)?,
        message_size: optional(&size)?,
        cpu_ns: nanoseconds.and_then(|time| summarise(&[time])),
        processes,
        ..Record::unmeasured(run.clone(), Kind::Peer, region, rules.parse().ok()?, direction)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record as sample;

    #[test]
    fn the_file_is_read_whole() {
        let records = read(ON_FILE).unwrap();
        assert!(records.iter().all(|one| one.octets.is_some() && one.kind == Kind::Peer));
        assert!(!compilers().is_empty() && records.iter().all(|one| !one.run.started.is_empty()));
    }

    #[test]
    fn records_are_written_and_read_again() {
        let mut measured = sample(Kind::Peer, 41);
        measured.heap = Some(Heap { requested: 936, peak: 696, retained: 680, count: 45 });
        measured.stack = Some(1864);
        measured.cpu_ns = summarise(&[1452.0]);
        measured.processes = vec![1452.0, 1460.5];
        measured.timed_region.allocation = "everything, when decoding".into();
        let without = Record { direction: Direction::Encode, heap: None, stack: None, ..measured.clone() };
        let absent = Record { absent: Some("not installed".into()), ..sample(Kind::Peer, 41) };
        let repeat = Record { repeat: true, ..measured.clone() };
        let records = [measured.clone(), without.clone(), absent, repeat, sample(Kind::Toed, 41)];
        let text = file(&records, "cc 12").unwrap();
        assert_eq!(read(&text).unwrap(), [measured, without]);
        assert_eq!(
            file(&[sample(Kind::Toed, 41)], "").unwrap_err().split(':').next(),
            Some("the report has no other implementations")
        );
    }

    #[test]
    fn a_record_of_the_run_comes_before_one_on_file() {
        let run = [Record { absent: Some("why".into()), ..sample(Kind::Peer, 1) }, sample(Kind::Peer, 2)];
        let on_file = [sample(Kind::Peer, 3)];
        let of = ("an engine", "cam-mandatory", Rules::Uper, Direction::Decode);
        let found = |records: &[Record], of| {
            let measured = Measured { records, libraries: &on_file, ..Measured::default() };
            record(measured, of).and_then(|one| one.octets)
        };
        assert_eq!([found(&run, of), found(&run[..1], of)], [Some(2), Some(3)]);
        assert_eq!(found(&run, ("another", of.1, of.2, of.3)), None);
    }

    #[test]
    fn the_word_size_is_in_the_name() {
        assert_eq!(["asn1c", "asn1c-32", "protobuf-2.5.0-32"].map(bits), [64, 32, 32]);
    }
}
