//! Times of the same cells on several machines, side by side.

use super::table::Table;
use crate::measured::Measured;
use crate::number::or_dash;
use crate::number::significant;
use crate::record::Record;
use roadwire_peers::Kind;

/// One column for each machine, this run's first; `None` if there is no other.
pub(super) fn table(measured: Measured<'_>) -> Option<Table> {
    let machines: Vec<&[Record]> =
        [measured.records].into_iter().chain(measured.others.iter().map(|other| other.measured().records)).collect();
    if measured.others.is_empty() || measured.records.is_empty() {
        return None;
    }
    let mut table =
        Table::new("On several machines: CPU time of one operation, ns", &["message", "rules", "direction", "codec"]);
    for (at, records) in machines.iter().enumerate() {
        table.heading.push(format!(">machine {}", at + 1));
        let machine = records.first().map_or_else(|| "nothing was measured".into(), |one| one.run.machine.line());
        table.notes.push(format!("Machine {}: {machine}.", at + 1));
    }
    for record in measured.records.iter().filter(|one| one.cpu_ns.is_some() && !one.repeat) {
        if !matches!(record.kind, Kind::Toed | Kind::Soed) {
            continue;
        }
        let is_same = |one: &&Record| {
            (&one.message, one.rules, one.direction, one.kind, one.repeat)
                == (&record.message, record.rules, record.direction, record.kind, false)
        };
        let time = |records: &&[Record]| {
            let median = records.iter().find(is_same).and_then(|one| Some(one.cpu_ns.as_ref()?.median));
            or_dash(median.map(|median| significant(median, 3)))
        };
        let mut row = vec![record.message.clone(), record.rules.to_string()];
        row.extend([record.direction.name().to_string(), record.kind.name().to_string()]);
        row.extend(machines.iter().map(time));
        table.rows.push(row);
    }
    Some(table)
}
