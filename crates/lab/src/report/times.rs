//! Figures of times: a study's messages under all rules, by each engine.

use crate::content::Message;
use crate::engine::{Direction, Kind};
use crate::plot::{Bar, BarGroup, BarPlot};
use crate::record::Record;
use crate::study::Study;

/// A study's figures of times as SVG, with the names of their files: encoding, then decoding. None where nothing was timed.
pub(super) fn figures(study: &Study, records: &[Record]) -> Vec<(String, String)> {
    let figure = |direction: Direction| {
        let groups: Vec<BarGroup> =
            study.messages.iter().filter_map(|id| group(study, id, direction, records)).collect();
        let name = format!("{}-{}.svg", study.name, direction.name());
        (!groups.is_empty()).then(|| (name, plot(direction, groups).svg()))
    };
    Direction::ALL.into_iter().filter_map(figure).collect()
}

fn plot(direction: Direction, groups: Vec<BarGroup>) -> BarPlot {
    let what = match direction {
        Direction::Encode => "Encoding",
        Direction::Decode => "Decoding",
    };
    BarPlot {
        title: format!("{what}: CPU time of one operation"),
        x: "nanoseconds (logarithmic); bar: median, whisker: quartiles".into(),
        shades: ["time-optimised", "space-optimised", "other implementations", "hand-written floor"]
            .map(Into::into)
            .into(),
        marks: None,
        groups,
    }
}

/// One message.
fn group(study: &Study, id: &str, direction: Direction, records: &[Record]) -> Option<BarGroup> {
    let of = |rules: &str| -> Vec<&Record> {
        let fits = |one: &&Record| one.message == id && one.rules == rules && one.direction == direction && !one.repeat;
        records.iter().filter(fits).collect()
    };
    let bars: Vec<Bar> = study.rules.iter().flat_map(|rules| of(rules)).filter_map(bar).collect();
    let title = Message::find(id).map_or(id, |message| message.title);
    (!bars.is_empty()).then(|| BarGroup { name: title.into(), bars })
}

fn bar(record: &Record) -> Option<Bar> {
    let time = record.cpu_ns.as_ref()?;
    let (engine, shade) = match record.kind {
        Kind::Toed => (String::new(), 0),
        Kind::Soed => (String::new(), 1),
        Kind::Peer => (format!(", {}", record.engine), 2),
        Kind::Floor => (", floor".into(), 3),
    };
    Some(Bar {
        name: format!("{}{engine}", record.rules),
        remark: record.octets.map_or(String::new(), |octets| format!(" ns, {octets} octets")),
        value: time.median,
        interval: (time.p25, time.p75),
        mark: None,
        shade,
    })
}
