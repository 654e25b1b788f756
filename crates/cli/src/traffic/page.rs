//! The page of a recording: `index.html`, its pictures as SVG, and `seconds.csv`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use roadwire::Rules;
use roadwire_capture::Time;
use roadwire_files::NewFile;
use roadwire_measure::plot::{Plot, Strip, Timeline};
use roadwire_page::{Column, Grid, Page, escape, figure};
use roadwire_recording::Error;
use roadwire_recording::lengths::COMPARED;

use super::{Day, Second, Traffic, map};
use crate::failure::Failure;

/// The most steps that a picture of time has.
const MOST_STEPS: usize = 600;
/// The most rows of a table of stations or of reasons.
const MOST_ROWS: usize = 50;
/// The binary encodings whose channel load is drawn; and those that are drawn by their excess over
/// UPER.
const BINARY: [Rules; 3] = [Rules::Uper, Rules::Coer, Rules::Der];
const MORE: [Rules; 4] = [Rules::Coer, Rules::Der, Rules::Jer, Rules::Xer];

/// The files of a report.
const FILES: [&str; 6] = ["messages.svg", "load.svg", "more.svg", "stations.svg", "seconds.csv", "index.html"];

/// The names of a report's files.
pub(super) fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    FILES.into_iter().map(|name| folder.join(name))
}

/// Writes all files; all of them get their names, or none does.
pub(super) fn write(traffic: &Traffic, folder: &Path, files: &[String], force: bool) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::io("create", folder, &error))?;
    let day = &traffic.day();
    let plots: [Plot; 4] = [messages(traffic, day).into(), load(day).into(), more(day).into(), map::of(traffic).into()];
    let mut texts: Vec<String> = plots.iter().map(Plot::svg).collect();
    texts.extend([seconds(traffic, day), page(traffic, day, files, &plots)]);
    let mut written = Vec::new();
    for (path, text) in paths(folder).zip(texts) {
        let mut file = NewFile::pending(&path, force).map_err(|error| Error::of_output(&path, &error))?;
        file.write_all(text.as_bytes()).map_err(|error| Failure::io("write", &path, &error))?;
        written.push(file);
    }
    NewFile::finish_all(written).map_err(|error| Failure::io("write", folder, &error))
}

fn page(traffic: &Traffic, day: &Day, files: &[String], plots: &[Plot; 4]) -> String {
    let [messages, load, more, map] = [0, 1, 2, 3].map(|at| figure(&plots[at], FILES[at]));
    let stations = stations(traffic, day);
    let parts = [
        ("messages", "Messages", kinds(traffic) + &messages),
        ("unknown", "Frames without a known message", unknown(traffic)),
        ("verdicts", "Verdicts on signed messages", verdicts(traffic)),
        ("load", "Channel load", loads(day) + &load + &more),
        ("stations", "Stations", stations + &map),
        ("files", "Files", "<p>Each second is a line of <a href=\"seconds.csv\">seconds.csv</a>.</p>\n".to_owned()),
    ];
    let (mut sections, mut body) = (Vec::new(), String::new());
    for (id, name, html) in parts.into_iter().filter(|(_, _, html)| !html.is_empty()) {
        sections.push((id.to_owned(), name.to_owned()));
        let _ = writeln!(body, "<section class=\"card\" id=\"{id}\">\n<h2>{name}</h2>\n{html}</section>");
    }
    Page { title: title(files), about: about(traffic, day), sections, body }.html()
}

/// The names of the files, without their folders.
fn title(files: &[String]) -> String {
    let name = |file: &String| {
        Path::new(file).file_name().map_or_else(|| file.clone(), |name| name.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = files.iter().map(name).collect();
    names.sort_unstable();
    match names.as_slice() {
        [] | [_] | [_, _] => names.join(" and "),
        [first, .., last] => format!("{} recordings, {first} to {last}", names.len()),
    }
}

fn about(traffic: &Traffic, day: &Day) -> String {
    let begins = day.begins.map(|seconds| Time { seconds, nanoseconds: 0 }.to_string());
    let mut about = format!(
        "<p>{} in {}{}.</p>\n",
        counted(traffic.frames, "frame"),
        counted(day.seconds.len() as u64, "second"),
        begins.map_or(String::new(), |begins| format!(" from {begins}"))
    );
    let missing = [
        (traffic.without_time, "without a time"),
        (day.earlier, "before the day that is shown"),
        (day.later, "after the day that is shown"),
    ];
    for (count, which) in missing.into_iter().filter(|(count, _)| *count > 0) {
        let _ = writeln!(about, "<p>Not shown over time: {} {which}.</p>", counted(count, "frame"));
    }
    if traffic.damaged > 0 {
        let _ = writeln!(
            about,
            "<p>Not counted at all: {} with a wrong check sequence, in which any octet may be wrong.</p>",
            counted(traffic.damaged, "frame")
        );
    }
    about
}

fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A table; a name that begins with `>` is that of a column of numbers. Texts are plain.
fn table<const N: usize>(title: &str, names: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let column = |name: &str| {
        let number = name.strip_prefix('>');
        Column { name: escape(number.unwrap_or(name)), is_number: number.is_some() }
    };
    let rows = rows.map(|row| row.iter().map(|cell| escape(cell)).collect()).collect();
    Grid { title: title.to_owned(), columns: names.map(column).into(), rows }.html()
}

fn kinds(traffic: &Traffic) -> String {
    let rows = traffic.kinds.iter().map(|(name, kind)| {
        let mean = kind.octets as f64 / kind.frames.max(1) as f64;
        [name.clone(), kind.frames.to_string(), format!("{mean:.0}"), kind.stations.len().to_string()]
    });
    let names = ["kind", ">frames", ">mean octets on the channel", ">stations"];
    let other = match traffic.kinds.contains_key("other") {
        true => {
            "<p><i>other</i> are frames in which no known message was found: see <a href=\"#unknown\">below</a>.</p>\n"
        }
        false => "",
    };
    table("Messages", names, rows) + other
}

/// Why frames have no known message; empty if all have one.
fn unknown(traffic: &Traffic) -> String {
    if traffic.unknown.is_empty() {
        return String::new();
    }
    let mut all: Vec<_> = traffic.unknown.iter().collect();
    all.sort_by_key(|(key, (count, _))| (std::cmp::Reverse(*count), (*key).clone()));
    let left_out = left_out(all.len(), "reason");
    let rows = all.into_iter().take(MOST_ROWS).map(|((code, name), (count, what))| {
        let code = if code == what { String::new() } else { code.clone() };
        [name.clone(), what.clone(), code, count.to_string()]
    });
    let names = ["counted as", "what was found in place of a message", "error code", ">frames"];
    table("Frames without a known message", names, rows)
        + &left_out
        + "<p class=\"notes\">An error that depends on values is shown with one of its texts; \
           <code>roadwire capture</code> without <code>--report</code> has the text of each frame.</p>\n"
}

/// Verdicts, the reasons for them, and remarks that do not change a verdict; empty if nothing was
/// verified.
fn verdicts(traffic: &Traffic) -> String {
    if traffic.verdicts.is_empty() {
        return String::new();
    }
    let rows = traffic.verdicts.iter().map(|(verdict, count)| [(*verdict).to_owned(), count.to_string()]);
    let mut html = table("Verdicts", ["verdict", ">messages"], rows);
    let lists = [
        ("Why they have this verdict", &traffic.reasons),
        ("Remarks, which do not change a verdict", &traffic.remarks),
    ];
    for (title, texts) in lists.into_iter().filter(|(_, texts)| !texts.is_empty()) {
        let mut all: Vec<_> = texts.iter().collect();
        all.sort_by_key(|(key, count)| (std::cmp::Reverse(**count), *key));
        let left_out = left_out(all.len(), "text");
        let rows = all.into_iter().take(MOST_ROWS);
        let rows = rows.map(|((verdict, text), count)| [(*verdict).to_owned(), text.clone(), count.to_string()]);
        let _ = writeln!(html, "<h3>{title}</h3>");
        html += &(table(title, ["verdict", "text", ">messages"], rows) + &left_out);
    }
    html
}

fn left_out(count: usize, noun: &str) -> String {
    match count.saturating_sub(MOST_ROWS) as u64 {
        0 => String::new(),
        more => format!("<p class=\"notes\">{} with fewer frames are left out.</p>\n", counted(more, noun)),
    }
}

/// Mean and greatest load in each encoding.
fn loads(day: &Day) -> String {
    let all = |of: &dyn Fn(&Second) -> u64| {
        let shares: Vec<f64> = day.seconds.iter().map(|second| of(second) as f64 / 1e4).collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        (mean, shares.into_iter().fold(0.0, f64::max))
    };
    let (was, _) = all(&|second| second.microseconds);
    let rows = COMPARED.iter().enumerate().map(|(at, rules)| {
        let (mean, most) = all(&|second| second.otherwise.get(at).copied().unwrap_or(0));
        let by = if was > 0.0 { mean / was } else { 1.0 };
        let too_long: u64 = day.seconds.iter().filter_map(|second| second.too_long.get(at)).sum();
        [rules.to_string(), format!("{mean:.3}"), format!("{most:.3}"), format!("{by:.2}"), too_long.to_string()]
    });
    let names = ["encoding", ">mean load, %", ">greatest load, %", ">× UPER's", ">messages in several frames"];
    table("Channel load", names, rows)
        + "<p>The load of a second is the part of it in which a frame is on the air, as IEEE 802.11p sends them at \
           6 Mbit/s (40 µs, and 8 µs for each 48 bits), with a MAC header with QoS control, LLC and SNAP. In another \
           encoding a message has another length, and all else stays as it is. A message that is too long for a frame \
           is counted in as many frames as it takes. Frames that the recorder did not hear are not in it.</p>\n"
}

/// The stations with the most frames; empty without addresses.
fn stations(traffic: &Traffic, day: &Day) -> String {
    let (all, is_sample) = traffic.stations.all();
    if all.is_empty() {
        return String::new();
    }
    let mut notes = vec![
        "A gap is a time of at least one whole second without a frame of the station. Rates are over the seconds in \
         which it was heard. Stations change their addresses: one vehicle may be in several rows."
            .to_owned(),
    ];
    if is_sample {
        notes.push(format!("There are more stations: these are of a random sample of {}.", all.len()));
    } else if all.len() > MOST_ROWS {
        notes.push(format!("{} stations with fewer frames are left out.", all.len() - MOST_ROWS));
    }
    if all.iter().any(|station| station.is_cut) {
        notes.push("Of a station only its first two hours are followed.".to_owned());
    }
    let rows = all.iter().take(MOST_ROWS).map(|station| {
        let after = |second: i64| day.begins.map_or(0, |begins| second.saturating_sub(begins)).to_string();
        let (first, last) = station.heard.map_or_else(Default::default, |(first, last)| (after(first), after(last)));
        [
            station.name(),
            station.station_type.to_string(),
            station.frames.to_string(),
            first,
            last,
            format!("{:.1}", station.rate),
            station.gaps.0.to_string(),
            station.gaps.1.to_string(),
            format!("{:.0}", station.metres),
        ]
    });
    let names = [
        "address",
        ">type",
        ">frames",
        ">first heard, s",
        ">last heard, s",
        ">frames a second",
        ">gaps",
        ">longest gap, s",
        ">track, m",
    ];
    let notes: String = notes.iter().map(|note| format!("<p class=\"notes\">{note}</p>\n")).collect();
    table("Stations", names, rows) + &notes
}

/// Seconds of a step, so many that few steps are left.
fn step(day: &Day) -> usize {
    day.seconds.len().div_ceil(MOST_STEPS).max(1)
}

/// The mean of each step.
fn means(day: &Day, of: impl Fn(&Second) -> f64) -> Vec<f64> {
    let mean = |seconds: &[Second]| seconds.iter().map(&of).sum::<f64>() / seconds.len() as f64;
    day.seconds.chunks(step(day)).map(mean).collect()
}

fn messages(traffic: &Traffic, day: &Day) -> Timeline {
    let strip = |name: &String| Strip {
        name: name.clone(),
        values: means(day, |second| second.frames.get(name).copied().unwrap_or(0).into()),
    };
    Timeline {
        title: "Frames a second".into(),
        x: "seconds".into(),
        step: step(day) as f64,
        common: false,
        strips: traffic.kinds.keys().map(strip).collect(),
        notes: vec!["Each kind has its own scale.".into()],
    }
}

/// The load of a step in an encoding, in percent.
fn shares(day: &Day, rules: Rules) -> Vec<f64> {
    let at = COMPARED.iter().position(|one| *one == rules).unwrap_or_default();
    means(day, |second| second.otherwise.get(at).copied().unwrap_or(0) as f64 / 1e4)
}

fn load(day: &Day) -> Timeline {
    let strip = |rules: Rules| {
        let name = if rules == Rules::Uper { "uper, as it was".into() } else { rules.to_string() };
        Strip { name, values: shares(day, rules) }
    };
    Timeline {
        title: "Channel load in percent, as it was and with messages in other encodings".into(),
        x: "seconds".into(),
        step: step(day) as f64,
        common: true,
        strips: BINARY.map(strip).into(),
        notes: vec!["All have the same scale.".into()],
    }
}

fn more(day: &Day) -> Timeline {
    let uper = shares(day, Rules::Uper);
    let strip = |rules: Rules| {
        let values = shares(day, rules).iter().zip(&uper).map(|(one, uper)| (one - uper).max(0.0)).collect();
        Strip { name: rules.to_string(), values }
    };
    Timeline {
        title: "Channel load beyond that in UPER, in percent of the channel".into(),
        x: "seconds".into(),
        step: step(day) as f64,
        common: false,
        strips: MORE.map(strip).into(),
        notes: vec!["Each encoding has its own scale.".into()],
    }
}

fn seconds(traffic: &Traffic, day: &Day) -> String {
    let mut text = String::from("second");
    let kinds: Vec<&String> = traffic.kinds.keys().collect();
    kinds.iter().for_each(|kind| text.push_str(&format!(",{kind}")));
    text.push_str(",load");
    COMPARED.iter().for_each(|rules| text.push_str(&format!(",load_{rules}")));
    text.push('\n');
    for (at, second) in day.seconds.iter().enumerate() {
        let _ = write!(text, "{at}");
        for kind in &kinds {
            let _ = write!(text, ",{}", second.frames.get(*kind).copied().unwrap_or(0));
        }
        let _ = write!(text, ",{:.6}", second.microseconds as f64 / 1e6);
        for at in 0..COMPARED.len() {
            let _ = write!(text, ",{:.6}", second.otherwise.get(at).copied().unwrap_or(0) as f64 / 1e6);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use roadwire_recording::{Judged, Note};

    fn note(noted: &[&str], reason: Option<&str>) -> Note {
        let verdict = if reason.is_some() { "invalid" } else { "valid" };
        let noted = noted.iter().map(ToString::to_string).collect();
        Note {
            name: "CAM".into(),
            time: Some(Time { seconds: 1_560_240_842, nanoseconds: 0 }),
            frame: 200,
            packet: Some(100),
            source: None,
            unknown: None,
            verdict: Some(Judged { verdict, reason: reason.map(Into::into), noted }),
            lengths: None,
            is_damaged: false,
        }
    }

    fn page_of(notes: Vec<Note>) -> String {
        let mut traffic = Traffic::default();
        notes.into_iter().for_each(|note| traffic.add(note));
        let day = traffic.day();
        let plots = [messages(&traffic, &day).into(), load(&day).into(), more(&day).into(), map::of(&traffic).into()];
        page(&traffic, &day, &["/home/me/drive.pcap".into()], &plots)
    }

    #[test]
    fn a_verdict_has_its_reasons_and_its_remarks() {
        let late = "not made at the time when it was received";
        let page = page_of(vec![note(&[late], None), note(&[late], None), note(&[], Some("a <bad> signature"))]);
        assert!(page.contains(&format!("<td class=\"s\">valid<td>{late}<td class=\"n\">2</tr>")), "{page}");
        assert!(page.contains("<td class=\"s\">a &lt;bad&gt; signature<td class=\"n\">1</tr>"), "{page}");
        assert!(!page_of(Vec::new()).contains("id=\"verdicts\""));
    }

    #[test]
    fn a_title_is_no_path() {
        let names = |all: &[&str]| title(&all.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names(&["/home/me/drive.pcap"]), "drive.pcap");
        assert_eq!(names(&["x/b.pcap", "y/a.pcap"]), "a.pcap and b.pcap");
        assert_eq!(names(&["3", "1", "2"]), "3 recordings, 1 to 3");
    }

    /// In UPER, COER and DER loads differ by a few percent, and by much more in JSON.
    #[test]
    fn binary_encodings_share_a_scale_without_the_others() {
        let traffic = Traffic::default();
        let load = load(&traffic.day());
        let names: Vec<&str> = load.strips.iter().map(|strip| strip.name.as_str()).collect();
        assert_eq!((load.common, names), (true, vec!["uper, as it was", "coer", "der"]));
        assert!(!more(&traffic.day()).common);
    }
}
