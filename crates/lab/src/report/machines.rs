//! The same cells on several machines, side by side: times, and what emulated processors have in
//! their place.

use std::collections::BTreeSet;

use super::table::Table;
use crate::measured::Measured;
use crate::number::or_dash;
use crate::number::significant;
use crate::record::Record;
use roadwire_peers::Kind;

/// Times on several machines, if there are; and instructions, stack and code on emulated
/// processors, if there are.
pub(super) fn tables(measured: Measured<'_>) -> Vec<Table> {
    let others = || measured.others.iter().map(|other| other.measured().records);
    let (timed, emulated): (Vec<_>, Vec<_>) =
        others().partition(|records| records.iter().any(|one| one.cpu_ns.is_some()));
    let mut tables: Vec<Table> = times(measured.records, &timed).into_iter().collect();
    tables.extend(PARTS.iter().filter_map(|part| part_table(part, measured.records, &emulated)));
    match tables.last_mut() {
        Some(table) => table.notes.extend(measured.absent.iter().cloned()),
        None if !measured.absent.is_empty() => {
            let notes = measured.absent.to_vec();
            tables.push(Table { notes, ..Table::new("Other processors", &["processor"]) });
        }
        None => {}
    }
    tables
}

/// One column for each machine, this run's first; `None` if there is no other.
fn times(here: &[Record], others: &[&[Record]]) -> Option<Table> {
    if others.is_empty() || here.is_empty() {
        return None;
    }
    let mut table =
        Table::new("On several machines: CPU time of one operation, ns", &["message", "rules", "direction", "codec"]);
    let machines: Vec<&[Record]> = [here].into_iter().chain(others.iter().copied()).collect();
    for (at, records) in machines.iter().enumerate() {
        table.heading.push(format!(">machine {}", at + 1));
        let machine = records.first().map_or_else(|| "nothing was measured".into(), |one| one.run.machine.line());
        table.notes.push(format!("Machine {}: {machine}.", at + 1));
    }
    for record in here.iter().filter(|one| one.cpu_ns.is_some() && !one.repeat) {
        if !matches!(record.kind, Kind::Toed | Kind::Soed) {
            continue;
        }
        let time = |records: &&[Record]| {
            let median = find(records, record).and_then(|one| Some(one.cpu_ns.as_ref()?.median));
            or_dash(median.map(|median| significant(median, 3)))
        };
        let mut row = names(record).to_vec();
        row[3] = record.kind.name().into();
        row.extend(machines.iter().map(time));
        table.rows.push(row);
    }
    Some(table)
}

/// A quantity that emulated processors have.
struct Part {
    title: &'static str,
    of: fn(&Record) -> Option<u64>,
    note: &'static str,
}

const PARTS: [Part; 4] = [
    Part {
        title: "On several processors: instructions of one operation",
        of: |record| record.instructions,
        note: "The first column is this run's machine, counted by Callgrind; the others are emulated, and counted by a plugin of qemu.",
    },
    Part {
        title: "On several processors: stack of one operation, octets",
        of: |record| record.stack.map(|octets| octets as u64),
        note: "Below the caller. The first column is this run's machine.",
    },
    Part {
        title: "On several processors: heap of one operation, octets",
        of: |record| record.heap.map(|heap| heap.peak.unsigned_abs()),
        note: "The most that is allocated at a time, as asked for. With the stack, it is what Table II of the paper of 2014 has, and Tables IV to VI, VIII and IX of that of 2015. The first column is this run's machine.",
    },
    Part {
        title: "On several processors: code of one operation, octets",
        of: |record| record.code.map(|octets| octets as u64),
        note: "Instructions, constants and variables that a program with this operation alone has, without the standard library, the allocator and the C library; compiled with opt-level 3. \
               Of roadwire-toed it is the straight-line code alone, without the interpreter for rare forms and errors. Nor has roadwire-c, which is generated C, the functions that say what is wrong. Programs made at run time need a heap, so on other processors roadwire-soed is the interpreter; of it, it is the code for five families of rules (UPER, OER, Protocol Buffers, EXI, TLS), \
               which is one piece of code, and the layout of the message; for a Cortex-M4, flash/README.md has that of each. asn1c's types refer to all of its codecs.",
    },
];

/// One column for each processor with such a quantity, this run's machine first; `None` if no other
/// has it.
fn part_table(part: &Part, here: &[Record], emulated: &[&[Record]]) -> Option<Table> {
    let has = |records: &&&[Record]| records.iter().any(|record| (part.of)(record).is_some());
    let with: Vec<&[Record]> = emulated.iter().filter(has).copied().collect();
    if with.is_empty() {
        return None;
    }
    let machines: Vec<&[Record]> =
        [here].into_iter().filter(|records| has(&records)).chain(with.iter().copied()).collect();
    let mut table = Table::new(part.title, &["message", "rules", "direction", "engine"]);
    for (at, records) in machines.iter().enumerate() {
        table.heading.push(format!(">processor {}", at + 1));
        let machine = records.first().map(|record| &record.run.machine);
        let machine =
            machine.map_or(String::new(), |machine| format!("{}, {} {}", machine.cpu, machine.rustc, machine.flags));
        table.notes.push(format!("Processor {}: {machine}.", at + 1));
    }
    table.notes.push(part.note.into());
    // Codecs in C and C++ may be on other processors alone.
    let mut rows = BTreeSet::new();
    let all = here.iter().chain(with.iter().copied().flatten());
    for record in all.filter(|one| !one.repeat && one.absent.is_none()) {
        if !rows.insert(names(record)) {
            continue;
        }
        let value = |records: &&[Record]| find(records, record).and_then(part.of);
        // A row of cells that another processor also has.
        if with.iter().any(|records| value(records).is_some()) {
            let mut row = names(record).to_vec();
            row.extend(machines.iter().map(|records| or_dash(value(records))));
            table.rows.push(row);
        }
    }
    Some(table)
}

fn names(record: &Record) -> [String; 4] {
    [record.message.clone(), record.rules.to_string(), record.direction.name().into(), record.engine.clone()]
}

/// The record of the same cell.
fn find<'r>(records: &'r [Record], cell: &Record) -> Option<&'r Record> {
    records.iter().find(|one| {
        (&one.message, one.rules, one.direction, &one.engine)
            == (&cell.message, cell.rules, cell.direction, &cell.engine)
            && !one.repeat
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Recorded;
    use crate::record::sample::record;
    use roadwire_measure::heap::Heap;

    #[test]
    fn emulated_processors_have_columns_of_instructions_and_code_and_none_of_times() {
        let here = [Record { instructions: Some(219), ..record(Kind::Toed, 41) }];
        let mut other = record(Kind::Toed, 41);
        other.run.machine.cpu = "a Geode, emulated".into();
        (other.instructions, other.code) = (Some(301), Some(4321));
        other.heap = Some(Heap { peak: 1066, ..Heap::default() });
        let in_c = Record { engine: "asn1c".into(), instructions: Some(3010), ..other.clone() };
        let others = Recorded::by_machine(vec![other, in_c]);
        let absent = ["an Atom: qemu-i386 is not installed: apt-get install qemu-user.".to_string()];
        let measured = Measured { records: &here, others: &others, absent: &absent, ..Measured::default() };
        let tables = tables(measured);
        let titles: Vec<&str> = tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, [PARTS[0].title, PARTS[2].title, PARTS[3].title]);
        assert_eq!(tables[0].rows[0][4..], ["219", "301"]);
        // A codec that this run does not have.
        assert_eq!(
            (tables[0].rows[1][3].as_str(), &tables[0].rows[1][4..]),
            ("asn1c", &["–".to_string(), "3010".into()][..])
        );
        // This run's machine has no column of code.
        assert_eq!(tables[2].rows[0][4..], ["4321"]);
        assert!(tables[0].notes[1].starts_with("Processor 2: a Geode, emulated"), "{:?}", tables[0].notes);
        assert_eq!(tables[1].rows[0].last().unwrap(), "1066");
        assert_eq!(tables[2].notes.last().unwrap(), &absent[0]);
    }

    #[test]
    fn processors_that_are_not_measured_are_named_with_the_command_that_installs_them() {
        let absent = ["an Atom: qemu-i386 is not installed: apt-get install qemu-user.".to_string()];
        let tables = tables(Measured { absent: &absent, ..Measured::default() });
        assert_eq!(tables.len(), 1);
        assert!(tables[0].plain().contains("apt-get install qemu-user"));
        assert!(super::tables(Measured::default()).is_empty());
    }
}
