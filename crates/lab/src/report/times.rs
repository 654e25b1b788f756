//! Figures of times: the papers', with only their series and contents, and ours.

use roadwire_layout::Rules;

use crate::record::Record;
use crate::study::Study;
use crate::study::asked::{Asked, Content, Labelled, Series};
use roadwire_measure::cell::Direction;
use roadwire_measure::plot::{Bar, BarGroup, BarPlot};
use roadwire_peers::Kind;
use roadwire_peers::content::Message;

/// A study's figures of times as SVG, with the names of their files: encoding, then decoding, the paper's first. Empty if nothing was timed.
pub(super) fn figures(study: &Study, records: &[Record]) -> Vec<(String, String)> {
    let asked = &study.figures;
    let mut figures = Vec::new();
    for direction in Direction::ALL {
        let name = direction.name();
        let of_paper = asked.iter().find(|asked| asked.direction == direction);
        let papers = of_paper.and_then(|asked| papers(asked, records));
        let doing = match direction {
            Direction::Encode => "encoding",
            Direction::Decode => "decoding",
        };
        let title = match of_paper {
            Some(asked) => format!("Ours, beside Figure {}: {doing}, CPU time of one operation", asked.number),
            None if asked.is_empty() => format!("Ours: {doing}, CPU time of one operation"),
            None => format!("Ours (the paper has no figure of {doing}): CPU time of one operation"),
        };
        figures.extend(papers.map(|plot| (format!("{}-{name}.svg", study.name), plot.svg())));
        let ours = ours(study, direction, records, title);
        figures.extend(ours.map(|plot| (format!("{}-ours-{name}.svg", study.name), plot.svg())));
    }
    figures
}

const X: &str = "nanoseconds (logarithmic); bar: median, whisker: quartiles";

/// A figure of the paper.
fn papers(asked: &Asked, records: &[Record]) -> Option<BarPlot> {
    let machine = &records.first()?.run.machine.cpu;
    let mut missing = Vec::new();
    let mut drawn = |(name, series, content): Labelled<'_>| {
        let bar = measured(asked.direction, series, content, records).and_then(|record| bar(record, name.into(), 0));
        let is_there = Message::find(&content.message).is_some_and(|message| message.under(series.rules).is_some());
        if bar.is_none() && is_there {
            missing.push(format!("{} in {}", content.name, series.name));
        }
        bar.map(|bar| Bar { remark: " ns".into(), ..bar })
    };
    let group = |(name, bars): (&str, Vec<Labelled<'_>>)| {
        let bars: Vec<Bar> = bars.into_iter().filter_map(&mut drawn).collect();
        (!bars.is_empty()).then(|| BarGroup { name: name.into(), bars })
    };
    let groups: Vec<BarGroup> = asked.bars().into_iter().filter_map(group).collect();
    let mut notes =
        vec![format!("This run is on {machine}; the paper's Figure {} is of {}.", asked.number, asked.processor)];
    notes.extend(asked.notes.iter().cloned());
    if !missing.is_empty() {
        notes.push(format!("Not measured in this run: {}.", missing.join(", ")));
    }
    (!groups.is_empty()).then(|| BarPlot {
        title: format!("Figure {} of the paper: {}", asked.number, asked.title),
        x: X.into(),
        shades: Vec::new(),
        marks: None,
        groups,
        notes,
    })
}

fn measured<'r>(direction: Direction, series: &Series, content: &Content, records: &'r [Record]) -> Option<&'r Record> {
    records.iter().find(|one| {
        (one.direction, one.kind, one.repeat) == (direction, series.kind, false)
            && one.rules == series.rules
            && one.message == content.message
    })
}

/// All measured times: every message and encoding, by every implementation.
fn ours(study: &Study, direction: Direction, records: &[Record], title: String) -> Option<BarPlot> {
    let groups: Vec<BarGroup> = study.messages.iter().filter_map(|id| group(study, id, direction, records)).collect();
    (!groups.is_empty()).then(|| BarPlot {
        title,
        x: X.into(),
        shades: ["time-optimised", "space-optimised", "other implementations", "hand-written floor"]
            .map(Into::into)
            .into(),
        marks: None,
        groups,
        notes: Vec::new(),
    })
}

/// One message.
fn group(study: &Study, id: &str, direction: Direction, records: &[Record]) -> Option<BarGroup> {
    let of = |rules: Rules| -> Vec<&Record> {
        let fits = |one: &&Record| one.message == id && one.rules == rules && one.direction == direction && !one.repeat;
        records.iter().filter(fits).collect()
    };
    let bars: Vec<Bar> = study.rules.iter().flat_map(|rules| of(*rules)).filter_map(any).collect();
    let title = Message::find(id).map_or(id, |message| message.title);
    (!bars.is_empty()).then(|| BarGroup { name: title.into(), bars })
}

fn any(record: &Record) -> Option<Bar> {
    let (engine, shade) = match record.kind {
        Kind::Toed => (String::new(), 0),
        Kind::Soed => (String::new(), 1),
        Kind::Peer => (format!(", {}", record.engine), 2),
        Kind::Floor => (", floor".into(), 3),
    };
    bar(record, format!("{}{engine}", record.rules), shade)
}

fn bar(record: &Record, name: String, shade: usize) -> Option<Bar> {
    let time = record.cpu_ns.as_ref()?;
    let remark = record.octets.map_or(String::new(), |octets| format!(" ns, {octets} octets"));
    Some(Bar { name, remark, value: time.median, interval: (time.p25, time.p75), mark: None, shade })
}

#[cfg(test)]
mod tests;
