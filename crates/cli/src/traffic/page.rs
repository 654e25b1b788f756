//! The page of a recording: `index.html`, its pictures as SVG, and `seconds.csv`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use roadwire::Rules;
use roadwire_capture::Time;
use roadwire_files::NewFile;
use roadwire_measure::plot::{Map, Places, Strip, Timeline, escape};
use roadwire_recording::Error;
use roadwire_recording::lengths::COMPARED;

use super::{Day, NEAR, Second, Traffic};
use crate::failure::Failure;

/// The most steps that a picture of time has.
const MOST_STEPS: usize = 600;
/// The encodings whose channel load is drawn.
const DRAWN: [Rules; 5] = [Rules::Uper, Rules::Coer, Rules::Der, Rules::Jer, Rules::Xer];

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:right}\
td:first-child,th:first-child{text-align:left}img{max-width:100%}";

/// The files of a report.
const FILES: [&str; 5] = ["messages.svg", "load.svg", "stations.svg", "seconds.csv", "index.html"];

/// The names of a report's files.
pub(super) fn paths(folder: &Path) -> impl Iterator<Item = PathBuf> {
    FILES.into_iter().map(|name| folder.join(name))
}

/// Writes all files; all of them get their names, or none does.
pub(super) fn write(traffic: &Traffic, folder: &Path, files: &[String], force: bool) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::io("create", folder, &error))?;
    let day = &traffic.day();
    let texts = [
        messages(traffic, day).svg(),
        load(day).svg(),
        stations(traffic).svg(),
        seconds(traffic, day),
        page(traffic, day, files),
    ];
    let mut written = Vec::new();
    for (path, text) in paths(folder).zip(texts) {
        let mut file = NewFile::pending(&path, force).map_err(|error| Error::of_output(&path, &error))?;
        file.write_all(text.as_bytes()).map_err(|error| Failure::io("write", &path, &error))?;
        written.push(file);
    }
    NewFile::finish_all(written).map_err(|error| Failure::io("write", folder, &error))
}

fn page(traffic: &Traffic, day: &Day, files: &[String]) -> String {
    let mut page = String::from("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">");
    let mut files = files.to_vec();
    files.sort_unstable();
    let title = escape(&files.join(", "));
    let _ = writeln!(page, "<title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>");
    let begins = day.begins.map(|seconds| Time { seconds, nanoseconds: 0 }.to_string());
    let _ = writeln!(
        page,
        "<p>{} frames in {} second{}{}.</p>",
        traffic.frames,
        day.seconds.len(),
        if day.seconds.len() == 1 { "" } else { "s" },
        begins.map_or(String::new(), |begins| format!(" from {begins}"))
    );
    let missing = [
        (traffic.without_time, "have no time"),
        (day.earlier, "are before the day that is shown"),
        (day.later, "are after the day that is shown"),
    ];
    for (count, what) in missing {
        if count > 0 {
            let _ = writeln!(page, "<p>{count} frames {what}: they are not in what is shown over time.</p>");
        }
    }
    if traffic.damaged > 0 {
        let _ =
            writeln!(page, "<p>{} frames have a wrong check sequence: they count nowhere here.</p>", traffic.damaged);
    }
    page.push_str("<h2>Messages</h2>\n<table><tr><th>kind<th>frames<th>mean octets on the channel<th>stations</tr>\n");
    for (name, kind) in &traffic.kinds {
        let mean = kind.octets as f64 / kind.frames.max(1) as f64;
        let (name, frames, stations) = (escape(name), kind.frames, kind.stations.len());
        let _ = writeln!(page, "<tr><td>{name}<td>{frames}<td>{mean:.0}<td>{stations}</tr>");
    }
    page.push_str("</table>\n<img src=\"messages.svg\" alt=\"messages over time\">\n<h2>Channel load</h2>\n");
    page.push_str(&loads(day));
    page.push_str("<img src=\"load.svg\" alt=\"channel load over time\">\n");
    page.push_str(
        "<p>Each second's frames as IEEE 802.11p sends them at 6 Mbit/s (40 µs, and 8 µs for each 48 bits), around \
         them a MAC header with QoS control, LLC and SNAP. In another encoding a message has another length, and all \
         else stays as it is; what no frame can hold is counted in as many as it takes. What the recorder did not hear is not in it.</p>\n",
    );
    if !traffic.verdicts.is_empty() {
        page.push_str("<h2>Verdicts</h2>\n<table><tr><th>verdict<th>messages</tr>\n");
        for (verdict, count) in &traffic.verdicts {
            let _ = writeln!(page, "<tr><td>{verdict}<td>{count}</tr>");
        }
        page.push_str("</table>\n");
    }
    page.push_str("<h2>Where the stations were</h2>\n<img src=\"stations.svg\" alt=\"map of the stations\">\n");
    page.push_str("<p>Each second is a line of <a href=\"seconds.csv\">seconds.csv</a>.</p>\n</html>\n");
    page
}

/// Mean and greatest load in each encoding.
fn loads(day: &Day) -> String {
    let mut table =
        String::from("<table><tr><th>encoding<th>mean load<th>greatest load<th>by UPER's<th>in several frames</tr>\n");
    let all = |of: &dyn Fn(&Second) -> u64| {
        let shares: Vec<f64> = day.seconds.iter().map(|second| of(second) as f64 / 1e6).collect();
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        (mean, shares.into_iter().fold(0.0, f64::max))
    };
    let (was, _) = all(&|second| second.microseconds);
    for (at, rules) in COMPARED.iter().enumerate() {
        let (mean, most) = all(&|second| second.otherwise.get(at).copied().unwrap_or(0));
        let by = if was > 0.0 { mean / was } else { 1.0 };
        let too_long: u64 = day.seconds.iter().filter_map(|second| second.too_long.get(at)).sum();
        let _ = writeln!(table, "<tr><td>{rules}<td>{mean:.4}<td>{most:.4}<td>{by:.2}<td>{too_long}</tr>");
    }
    table + "</table>\n"
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

fn load(day: &Day) -> Timeline {
    let strip = |rules: Rules| {
        let at = COMPARED.iter().position(|one| *one == rules)?;
        let values = means(day, |second| second.otherwise.get(at).copied().unwrap_or(0) as f64 / 1e6);
        let name = if rules == Rules::Uper { "uper, as it was".into() } else { rules.to_string() };
        Some(Strip { name, values })
    };
    Timeline {
        title: "Channel load, 0 to 1, as it was and with messages in other encodings".into(),
        x: "seconds".into(),
        step: step(day) as f64,
        common: true,
        strips: DRAWN.into_iter().filter_map(strip).collect(),
        notes: Vec::new(),
    }
}

fn stations(traffic: &Traffic) -> Map {
    let degree = |steps: i32| f64::from(steps) * f64::from(NEAR) * 1e-7;
    let mut places: Vec<Places> = traffic
        .kinds
        .iter()
        .filter(|(_, kind)| !kind.places.is_empty())
        .map(|(name, kind)| {
            let mut all: Vec<(i32, i32)> = kind.places.iter().map(|(_, place)| *place).collect();
            all.sort_unstable();
            Places { name: name.clone(), degrees: all.iter().map(|at| (degree(at.0), degree(at.1))).collect() }
        })
        .collect();
    // The rarest are drawn last, on top of the others.
    places.sort_by_key(|places| std::cmp::Reverse(places.degrees.len()));
    Map { title: "Where senders said that they were".into(), places, notes: Vec::new() }
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
