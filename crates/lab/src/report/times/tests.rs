//! The content of the drawn figures.

use super::*;
use crate::record::sample::record;
use crate::study;
use roadwire_measure::stats;

/// All records of a study, by all engines, each with another time.
fn all(study: &Study) -> Vec<Record> {
    let mut records = Vec::new();
    for (id, rules) in study.messages.iter().flat_map(|id| study.rules.iter().map(move |rules| (id, *rules))) {
        for (direction, kind) in
            Direction::ALL.into_iter().flat_map(|d| [Kind::Toed, Kind::Soed, Kind::Peer, Kind::ByHand].map(|k| (d, k)))
        {
            if Message::find(id).unwrap().under(rules).is_some() {
                let nanoseconds = 1000.0 + records.len() as f64;
                records.push(Record {
                    direction,
                    engine: "rasn".into(),
                    message: id.clone(),
                    rules,
                    cpu_ns: stats::summarise(&[nanoseconds]),
                    ..record(kind, 41)
                });
            }
        }
    }
    records
}

fn study(name: &str) -> Study {
    study::all().unwrap().into_iter().find(|study| study.name == name).unwrap()
}

fn run_of(records: &[Record]) -> Measured<'_> {
    Measured { records, ..Measured::default() }
}

/// All texts of an SVG, with lines joined.
fn text(svg: &str) -> String {
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    texts.filter_map(|line| line.split_once('>')?.1.strip_suffix("</text>")).collect::<Vec<_>>().join(" ")
}

/// The bars' labels in an SVG: every text anchored at its end.
fn labels(svg: &str) -> Vec<&str> {
    let texts = svg.lines().filter(|line| line.contains("text-anchor=\"end\""));
    texts.filter_map(|line| line.split_once('>')?.1.strip_suffix("</text>")).collect()
}

fn figure(figures: &[(String, Plot)], name: &str) -> String {
    figures.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("{name}")).1.svg()
}

#[test]
fn a_papers_figure_has_its_number_its_title_its_groups_and_nothing_else() {
    let study = study("etsi-2014");
    let records = all(&study);
    let figures = figures(&study, run_of(&records));
    let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["etsi-2014-encode.svg", "etsi-2014-ours-encode.svg", "etsi-2014-ours-decode.svg"]);
    let svg = figure(&figures, "etsi-2014-encode.svg");
    assert!(
        svg.contains(
            ">Figure 1 of the paper: Runtime performance of ETSI ITS CAM, DENM and security envelope encoding<"
        )
    );
    let six = ["CAM", "DENM", "Sec.1w/o", "Sec.1w", "Sec.2", "Sec.3"];
    assert_eq!(labels(&svg), [&six[2..], &six, &six, &six, &six].concat());
    for series in ["binary", "ASN.1-SOED", "ASN.1-TOED", "protobuf-SOED", "protobuf-TOED"] {
        assert_eq!(svg.matches(&format!(">{series}<")).count(), 1, "{series}");
    }
    // Bars of exactly the records that were asked for: no decoding, no other implementation,
    // nothing by hand, no other message.
    let studies = study::all().unwrap();
    let messages = studies.into_iter().find(|study| study.name == "etsi-2014").unwrap().figures.remove(0).contents;
    let is_asked = |one: &Record| {
        one.direction == Direction::Encode
            && messages.iter().any(|content| content.message == one.message)
            && (one.kind == Kind::Toed || one.kind == Kind::Soed && one.rules != Rules::Tls)
    };
    for one in &records {
        let value = format!(">{:.0} ns<", one.cpu_ns.as_ref().unwrap().median);
        assert_eq!(svg.contains(&value), is_asked(one), "{one:?}");
    }
}

#[test]
fn what_is_not_drawn_is_named_in_its_place() {
    for (name, file, others) in [
        ("etsi-2014", "etsi-2014-encode.svg", "Figures 2 and 3 of the paper"),
        ("etsi-2015", "etsi-2015-encode.svg", "Figures 2 and 3 of the paper"),
        ("etsi-2015", "etsi-2015-decode.svg", "Figures 5 and 6 of the paper"),
    ] {
        let study = study(name);
        let mut records = all(&study);
        let svg = text(&figure(&figures(&study, run_of(&records)), file));
        assert!(svg.contains(others) && svg.contains("Intel Atom and an AMD Geode"), "{svg}");
        assert!(svg.contains(&records[0].run.machine.cpu) && !svg.contains("Not measured"));
        records.retain(|one| (one.message.as_str(), one.rules) != ("cam-mandatory", Rules::Protobuf));
        let svg = text(&figure(&figures(&study, run_of(&records)), file));
        assert!(svg.contains("Not measured in this run: CAM in protobuf"), "{svg}");
    }
}

#[test]
fn figures_of_emulated_processors_are_of_instructions_and_say_so() {
    let study = study("etsi-2015");
    let records = all(&study);
    let mut emulated = records.clone();
    let mut run = records[0].run.clone();
    run.machine.cpu = PROCESSORS.iter().find(|one| one.name == "geode").unwrap().cpu.into();
    for (at, record) in emulated.iter_mut().enumerate() {
        record.run = run.clone();
        (record.cpu_ns, record.instructions) = (None, Some(70_000 + at as u64));
    }
    let others = Recorded::by_machine(emulated.clone());
    let drawn = super::figures(&study, Measured { others: &others, ..run_of(&records) });
    // The Atom was not emulated.
    let names: Vec<&str> = drawn.iter().map(|(name, _)| name.as_str()).filter(|name| !name.contains("ours")).collect();
    let geode = ["etsi-2015-encode-geode.svg", "etsi-2015-decode-geode.svg"];
    assert_eq!(names, ["etsi-2015-encode.svg", geode[0], "etsi-2015-decode.svg", geode[1]]);
    let svg = figure(&drawn, geode[1]);
    assert!(svg.contains(">Figure 6 of the paper, in instructions: Decoding runtime performance"), "{svg}");
    assert!(text(&svg).contains("not times") && text(&svg).contains("AMD Geode class"), "{svg}");
    let one = emulated.iter().find(|one| one.direction == Direction::Decode && one.kind == Kind::Toed).unwrap();
    assert!(svg.contains(&format!(">{}<", one.instructions.unwrap())) && !svg.contains(" ns<"), "{svg}");
}

#[test]
fn decoding_is_no_figure_of_the_paper_of_2014_and_is_one_of_2015() {
    let of = |name: &str| {
        let study = study(name);
        figures(&study, run_of(&all(&study)))
    };
    let ours = figure(&of("etsi-2014"), "etsi-2014-ours-decode.svg");
    assert!(ours.contains(">Ours (the paper has no figure of decoding): "));
    let theirs = figure(&of("etsi-2015"), "etsi-2015-decode.svg");
    assert!(theirs.contains(">Figure 4 of the paper: Decoding runtime performance"));
    let all = labels(&theirs);
    assert_eq!(all.len(), 4 + 6 + 6 + 6, "{all:?}");
    let beside = figure(&of("etsi-2015"), "etsi-2015-ours-decode.svg");
    assert!(
        beside.contains(">Ours, beside Figure 4: ")
            && beside.contains("exi-merged, rasn")
            && beside.contains("uper, by hand")
    );
}

#[test]
fn a_study_without_a_paper_has_figures_of_ours_only() {
    let study = study("encodings");
    let figures = figures(&study, run_of(&all(&study)));
    let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["encodings-ours-encode.svg", "encodings-ours-decode.svg"]);
    assert!(figures.iter().all(|(_, plot)| plot.svg().contains(">Ours: ") && !plot.svg().contains("paper")));
    assert!(super::figures(&study, run_of(&[])).is_empty());
}
