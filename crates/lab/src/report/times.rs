//! Figures of times: the papers', with only their series and contents, and ours.

use roadwire_layout::Rules;

use crate::measured::{Measured, Recorded};
use crate::processors::PROCESSORS;
use crate::record::Record;
use crate::study::Study;
use crate::study::asked::{Asked, Content, Labelled, Other, Series};
use roadwire_measure::cell::Direction;
use roadwire_measure::plot::{Bar, BarGroup, BarPlot, Plot};
use roadwire_peers::Kind;
use roadwire_peers::content::Message;

/// A study's figures of times with the names of their files: encoding, then decoding, the paper's
/// first. Those of other processors that were emulated are of instructions. Empty if nothing was
/// timed.
pub(super) fn figures(study: &Study, measured: Measured<'_>) -> Vec<(String, Plot)> {
    let (asked, records) = (&study.figures, measured.records);
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
        figures.extend(papers.map(|plot| (format!("{}-{name}.svg", study.name), plot.into())));
        for (asked, other) in of_paper.iter().flat_map(|asked| asked.others.iter().map(move |other| (asked, other))) {
            let plot = emulated(asked, other, measured.others);
            figures.extend(plot.map(|plot| (format!("{}-{name}-{}.svg", study.name, other.emulated), plot.into())));
        }
        let ours = ours(study, direction, records, title);
        figures.extend(ours.map(|plot| (format!("{}-ours-{name}.svg", study.name), plot.into())));
    }
    figures
}

const X: &str = "nanoseconds (logarithmic); bar: median, whisker: quartiles";

/// A figure of the paper.
fn papers(asked: &Asked, records: &[Record]) -> Option<BarPlot> {
    let machine = &records.first()?.run.machine.cpu;
    let time = |record: &Record| {
        let time = record.cpu_ns.as_ref()?;
        Some((time.median, (time.p25, time.p75)))
    };
    let (groups, missing) = groups(asked, records, " ns", time)?;
    let mut notes =
        vec![format!("This run is on {machine}; the paper's Figure {} is of {}.", asked.number, asked.processor)];
    notes.extend(asked.notes.iter().cloned());
    notes.extend(missing);
    let title = format!("Figure {} of the paper: {}", asked.number, asked.title);
    Some(BarPlot { title, x: X.into(), shades: Vec::new(), marks: None, groups, notes })
}

/// A figure of the paper on another processor, in instructions. `None` if that one was not
/// emulated.
fn emulated(asked: &Asked, other: &Other, others: &[Recorded]) -> Option<BarPlot> {
    let processor = PROCESSORS.iter().find(|processor| processor.name == other.emulated)?;
    let is_it = |records: &&[Record]| records.first().is_some_and(|one| one.run.machine.cpu == processor.cpu);
    let records = others.iter().map(|other| other.measured().records).find(is_it)?;
    let instructions = |record: &Record| record.instructions.map(|count| (count as f64, (count as f64, count as f64)));
    let (groups, missing) = groups(asked, records, "", instructions)?;
    let (title, is_of) = match &other.paper {
        Some(paper) => {
            (format!("Figure {} of the paper", paper.number), format!("the paper's is of {}", paper.processor))
        }
        None => (format!("As Figure {} of the paper", asked.number), "the paper has none of such a processor".into()),
    };
    let mut notes = vec![
        format!("{}; {is_of}.", processor.cpu),
        "These are instructions, not times: how long one takes is the processor's, and differs between instructions."
            .into(),
    ];
    notes.extend(missing);
    let title = format!("{title}, in instructions: {}", asked.title);
    let x = "instructions of one operation (logarithmic)".into();
    Some(BarPlot { title, x, shades: Vec::new(), marks: None, groups, notes })
}

/// A bar's end, and the interval around it.
type End = (f64, (f64, f64));

/// The bars of a figure of the paper, and a note on those that are missing. `None` if there are no
/// bars.
fn groups(
    asked: &Asked,
    records: &[Record],
    unit: &str,
    end: impl Fn(&Record) -> Option<End>,
) -> Option<(Vec<BarGroup>, Option<String>)> {
    let mut missing = Vec::new();
    let mut drawn = |(name, series, content): Labelled<'_>| {
        let end = measured(asked.direction, series, content, records).and_then(&end);
        let is_there = Message::find(&content.message).is_some_and(|message| message.under(series.rules).is_some());
        if end.is_none() && is_there {
            missing.push(format!("{} in {}", content.name, series.name));
        }
        end.map(|(value, interval)| Bar {
            name: name.into(),
            remark: unit.into(),
            value,
            interval,
            mark: None,
            shade: 0,
        })
    };
    let group = |(name, bars): (&str, Vec<Labelled<'_>>)| {
        let bars: Vec<Bar> = bars.into_iter().filter_map(&mut drawn).collect();
        (!bars.is_empty()).then(|| BarGroup { name: name.into(), bars })
    };
    let groups: Vec<BarGroup> = asked.bars().into_iter().filter_map(group).collect();
    let missing = (!missing.is_empty()).then(|| format!("Not measured in this run: {}.", missing.join(", ")));
    (!groups.is_empty()).then_some((groups, missing))
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
        shades: ["time-optimised", "space-optimised", "other implementations", "by hand"].map(Into::into).into(),
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
        Kind::Beside => (format!(", {}", record.engine), 1),
        Kind::Peer => (format!(", {}", record.engine), 2),
        Kind::ByHand => (", by hand".into(), 3),
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
