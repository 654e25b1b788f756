//! A whole quick run: records, verdicts, report, files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use roadwire_airtime::Security;
use roadwire_lab::experiment::Experiment;
use roadwire_lab::measured::Measured;
use roadwire_lab::messages::Messages;
use roadwire_lab::record::{Record, from_lines, to_lines};
use roadwire_lab::report::Report;
use roadwire_lab::report::data::DataFile;
use roadwire_lab::studies::airtime::Airtime;
use roadwire_lab::studies::certificates::Certificates;
use roadwire_lab::studies::evolution::Evolution;
use roadwire_lab::studies::today::Today;
use roadwire_lab::verdict::{Outcome, Verdict, judge};
use roadwire_lab::{Form, LabError, Method, Silent, StudyOptions, run, study};
use roadwire_layout::{Family, Rules};
use roadwire_peers::Kind;
use roadwire_peers::PEER;

#[global_allocator]
static ALLOCATOR: roadwire_measure::heap::CountingAllocator = roadwire_measure::heap::CountingAllocator;

fn quick() -> StudyOptions {
    StudyOptions { quick: true, seed: Some(7), largest: Some(200), ..StudyOptions::default() }
}

#[test]
fn a_quick_run_measures_every_cell_and_tells_what_is_missing() {
    let folder = std::env::temp_dir().join(format!("roadwire-study-{}", std::process::id()));
    let options = StudyOptions { out: Some(folder.clone()), ..quick() };
    let mut text = Vec::new();
    let outcome = run(&options, &mut text, &Silent).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    for record in outcome.records() {
        assert_eq!(record.run.seed, 7);
        if record.absent.is_some() {
            continue;
        }
        assert!(record.cpu_ns.as_ref().unwrap().median > 0.0);
        assert!(record.wall_ns.is_some() && record.batch.is_some());
        // Its types take long to compile for each of its rules: all of them are for the CAM of
        // V1.3.0 alone.
        let has_rasn = match record.schema.as_str() {
            "cam-1.3.0" => !matches!(record.rules.family(), Family::Fields | Family::Events | Family::Cbor),
            schema => record.rules == Rules::Uper && !schema.contains("envelope"),
        };
        assert_eq!(record.ratio_to(PEER).is_some(), has_rasn);
        let has_by_hand = record.kind == Kind::ByHand || record.rules == Rules::Tls;
        assert!(record.ratio_to("by hand").is_some() || !has_by_hand);
        assert!(record.ratios.iter().all(|ratio| [PEER, "by hand"].contains(&ratio.to.as_str())));
        assert!(!record.confirmed_by.is_empty());
        if !record.repeat {
            assert!(record.heap.is_some() && record.stack.is_some());
            assert!(record.missing[0].contains("no probe command"));
        }
    }
    assert!(outcome.records().iter().any(|r| r.repeat && r.to_itself.is_some()));

    let first = String::from_utf8(text).unwrap();
    assert!(first.lines().count() <= 45, "{first}");
    assert!(first.lines().all(|line| line.chars().count() <= 100), "{first}");
    for answer in [
        "Bittl et al. 2014",
        "Kumar and Whyte 2015",
        "UPER gives the smallest certificates: holds",
        "  channel     uper",
        "  processor ",
        "  change ",
        "  memory ",
        "roadwire study --peers peers",
    ] {
        assert!(first.contains(answer), "{answer}\nis not in\n{first}");
    }

    let studies = study::all().unwrap();
    let data = Report::new(&studies, Measured::of(&outcome.findings, &[]), None).data();
    assert_eq!(data.iter().flat_map(DataFile::faults).collect::<Vec<_>>(), [""; 0]);
    assert!(data.iter().all(|file| folder.join(file.file()).is_file()));

    let lines = fs::read_to_string(folder.join("records.jsonl")).unwrap();
    assert!(from_lines(&lines).unwrap() == outcome.records(), "records read back");
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(report.contains("| CAM | ASN.1 encoded length | octets | 41 | 41 | reproduced |"));
    assert!(report.len() < 200_000, "report.md has {} octets", report.len());
    assert!(report.contains("cannot be judged") && report.contains("holds in part"));
    assert_eq!(report.contains("This was a debug build"), cfg!(debug_assertions));

    // Lengths are the same everywhere, including the page of results.
    let results = include_str!("../../../docs/results.md");
    // Row, column, unit, published, ours; the page has more columns than the report's text.
    let lengths = |text: &str| -> BTreeSet<Vec<String>> {
        let is_length = |line: &&str| line.contains("| ASN.1 encoded length |");
        let first = |line: &str| line.split(" | ").take(5).map(str::to_owned).collect();
        text.lines().filter(is_length).map(first).collect()
    };
    let (lengths, page) = (lengths(&report), lengths(results));
    let missing: Vec<&Vec<String>> = lengths.difference(&page).collect();
    assert!(missing.is_empty(), "the page has other lengths: {missing:?}");

    // A second run keeps the first one's files.
    run(&options, &mut Vec::new(), &Silent).unwrap();
    assert_eq!(fs::read_dir(folder.join("earlier")).unwrap().count(), 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn lengths_are_judged_exactly() {
    let options = StudyOptions { studies: vec!["etsi-2014".into()], ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    let verdict = |study: &str, table: &str, records: &[Record]| -> Verdict {
        let studies = study::all().unwrap();
        let study = studies.iter().find(|s| s.name == study).unwrap();
        let figure = study.published.iter().find(|f| f.table == table && f.column == "ASN.1 encoded length").unwrap();
        judge(figure, study, Measured { records, ..Measured::default() })
    };
    let records = outcome.records().to_vec();
    let of_2014 = verdict("etsi-2014", "II", &records);
    assert_eq!((of_2014.outcome, of_2014.ours), (Outcome::Differs, Some(41.0)));
    assert_eq!(verdict("etsi-2014", "III", &records).outcome, Outcome::ReproducedByFit);
    assert_eq!(verdict("etsi-2015", "IV", &records).outcome, Outcome::Reproduced);
    assert_eq!(verdict("etsi-2015", "IV", &[]).outcome, Outcome::CannotBeJudged);
    let mut wrong = records;
    for record in &mut wrong {
        record.octets = Some(40);
    }
    assert_eq!(verdict("etsi-2015", "IV", &wrong).outcome, Outcome::Differs);
}

#[test]
fn engines_within_the_noise_share_a_rank() {
    let options = StudyOptions { studies: vec!["etsi-2014".into()], ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    let mut records = outcome.records().to_vec();
    let ranks = |records: &[Record]| -> Vec<String> {
        let findings = [Messages.read(&to_lines(records).unwrap()).unwrap()];
        let report = Report::new(&[], Measured::of(&findings, &[]), None);
        let cells = report.data().into_iter().find(|file| file.name == "cells").unwrap().table;
        let column = |name: &str| cells.heading.iter().position(|heading| heading == name).unwrap();
        let [message, rules, direction, engine, rank] = ["message", "rules", "direction", "engine", "rank"].map(column);
        let is_cell = |row: &&Vec<String>| {
            [message, rules, direction].map(|at| row[at].as_str()) == ["denm-mandatory", "uper", "encode"]
        };
        cells.rows.iter().filter(is_cell).map(|row| format!("{} {}", row[engine], row[rank])).collect()
    };
    let mut set = |engine: &str, ns: f64| {
        for record in &mut records {
            if record.engine == engine && !record.repeat {
                if let Some(time) = &mut record.cpu_ns {
                    time.median = ns;
                }
            }
            if let Some(pair) = &mut record.to_itself {
                (pair.low, pair.high) = (0.95, 1.02);
            }
        }
        ranks(&records)
    };
    // The real times of the others do not matter here.
    set("roadwire-toed", 1e9);
    for other in ["roadwire-soed", "roadwire-program", "roadwire-interpreter"] {
        set(other, 1e9);
    }
    set("by hand", 100.0);
    // The noise of a run decides what is a tie: 4 % are one by the A/A pair alone, ten times as
    // much never is.
    assert!(set("rasn", 104.0).contains(&"rasn 1".to_string()));
    assert!(set("rasn", 1000.0).contains(&"rasn 2".to_string()));
    assert!(set("rasn", 10.0).contains(&"by hand 2".to_string()));
}

#[test]
fn every_line_of_json_output_is_an_object() {
    let options = StudyOptions { form: Form::Json, studies: vec!["etsi-2014".into()], ..quick() };
    let mut text = Vec::new();
    run(&options, &mut text, &Silent).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(serde_json::Value::is_object));
    assert!(lines.iter().any(|line| line["by_paper"]["outcome"] == "holds" && line["by_run"]["of"].is_number()));
    assert!(lines.iter().any(|line| line["verdict"] == "reproduced by a fit" && line["fit"] == "denm-content"));
}

#[test]
fn the_papers_recipe_shows_its_empty_region() {
    let options =
        StudyOptions { method: Method::Paper, form: Form::Tables, studies: vec!["etsi-2014".into()], ..quick() };
    let mut text = Vec::new();
    let outcome = run(&options, &mut text, &Silent).unwrap();
    for record in outcome.records().iter().filter(|r| r.absent.is_none()) {
        assert!(record.cpu_ns.is_none() && !record.repeat);
        // The papers' series are the time- and space-optimised codecs.
        assert_eq!(
            record.paper.is_some(),
            matches!(record.kind, Kind::Toed | Kind::Soed) && is_published(record),
            "{record:?}"
        );
        if let Some(paper) = &record.paper {
            assert!(paper.empty_mean > 0.0 && paper.mean > 0.0 && paper.runs == 2000);
        }
    }
    assert!(String::from_utf8(text).unwrap().contains("empty region"));
}

/// Whether the 2014 paper has a length for it.
fn is_published(record: &Record) -> bool {
    let studies = study::all().unwrap();
    let study = studies.iter().find(|one| one.name == "etsi-2014").unwrap();
    study.request(false).lengths.contains(&(record.message.as_str(), record.rules))
}

#[test]
fn an_earlier_run_stands_beside_this_one_and_judges_what_is_said_of_all_processors() {
    let folder = std::env::temp_dir().join(format!("roadwire-with-{}", std::process::id()));
    let options = StudyOptions { studies: vec!["etsi-2014".into()], ..quick() };
    let report = |options: &StudyOptions| {
        run(options, &mut Vec::new(), &Silent).unwrap();
        let read = |name| fs::read_to_string(options.out.as_ref().unwrap().join(name)).unwrap();
        read("report.md") + &read("sentences.csv")
    };
    let first = report(&StudyOptions { out: Some(folder.join("first")), ..options.clone() });
    assert!(first.contains("it takes another machine's records") && !first.contains("On several machines"));
    emulate(&folder.join("first"));
    let with = vec![folder.join("first")];
    let second = report(&StudyOptions { out: Some(folder.join("second")), with, ..options.clone() });
    assert!(!second.contains("it takes another machine's records") && second.contains("On several machines"));
    assert!(!first.contains("On several processors") && second.contains("On several processors: instructions"));
    assert!(folder.join("second/etsi-2014-encode-geode.svg").is_file());
    let with = vec![folder.clone()];
    let error = run(&StudyOptions { with, ..options }, &mut Vec::new(), &Silent).unwrap_err();
    assert!(matches!(error, LabError::Records(_)) && error.to_string().contains("no report"), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

/// Adds the records of an emulated processor to a report: those of its machine, with made-up
/// instructions and no times.
fn emulate(report: &Path) {
    let mut text = String::new();
    for line in fs::read_to_string(report.join("records.jsonl")).unwrap().lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        record["run"]["machine"]["cpu"] = "AMD Geode class (i586, tuned for geode), emulated".into();
        record["cpu_ns"] = serde_json::Value::Null;
        record["instructions"] = 1234.into();
        text += &format!("{record}\n");
    }
    fs::write(report.join("processors.jsonl"), text).unwrap();
}

#[test]
fn an_unknown_study_is_refused_with_the_known_names() {
    let options = StudyOptions { studies: vec!["etsi-1914".into()], ..quick() };
    let error = run(&options, &mut Vec::new(), &Silent).unwrap_err();
    assert!(matches!(error, LabError::UnknownStudy(..)));
    assert!(error.to_string().contains("etsi-2014"));
}

#[test]
fn a_corpus_without_messages_is_refused_before_anything_is_measured() {
    let path = std::env::temp_dir().join(format!("roadwire-no-messages-{}", std::process::id()));
    for (content, why) in
        [("", "empty"), ("\n \n", "empty"), ("hello\n", "line 1"), ("020e00ff\n", "1 messages of other")]
    {
        fs::write(&path, content).unwrap();
        let options = StudyOptions { corpus: Some(path.clone()), ..quick() };
        let mut text = Vec::new();
        let error = run(&options, &mut text, &Silent).unwrap_err();
        assert!(matches!(error, LabError::NoMessages(..)), "{error}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(text.is_empty());
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_is_measured() {
    let path = std::env::temp_dir().join(format!("roadwire-not-a-folder-{}", std::process::id()));
    fs::write(&path, "a file").unwrap();
    let mut text = Vec::new();
    let error = run(&StudyOptions { out: Some(path.clone()), ..quick() }, &mut text, &Silent).unwrap_err();
    assert!(matches!(error, LabError::File(..)), "{error}");
    assert!(text.is_empty());
    assert_eq!(fs::read(&path).unwrap(), b"a file");
    fs::remove_file(path).unwrap();
}

#[test]
fn certificates_are_exchanged_and_their_sizes_repeat() {
    let folder = std::env::temp_dir().join(format!("roadwire-certificates-{}", std::process::id()));
    let options = StudyOptions { studies: vec!["certificates".into()], out: Some(folder.clone()), ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    assert!(outcome.records().is_empty());
    let study = exchanged(&outcome);
    let numbers: Vec<u64> = study.series().map(|experiment| experiment.certificates).collect();
    assert_eq!(numbers, [10, 100, 200]);
    for figure in ["1a", "1b", "2a", "2b", "2c", "uniform-size"] {
        let svg = fs::read_to_string(folder.join(format!("certificates-{figure}.svg"))).unwrap();
        assert!(svg.contains(">UPER<") && !svg.contains("NaN"), "{figure}");
    }
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(report.contains("(certificates-2c.svg)") && report.contains("sentence by sentence"));
    let samples = fs::read_to_string(folder.join("certificates-records.csv")).unwrap();
    assert_eq!(samples.lines().count(), 1 + 200 * study.largest().unwrap().rows.len());
    fs::remove_dir_all(folder).unwrap();

    let again = run(&StudyOptions { out: None, ..options }, &mut Vec::new(), &Silent).unwrap();
    let again = exchanged(&again);
    for (a, b) in study.experiments.iter().zip(&again.experiments) {
        for (a, b) in a.rows.iter().zip(&b.rows) {
            assert_eq!((&a.rules, &a.octets), (&b.rules, &b.octets));
        }
    }
}

/// The findings of the certificate study.
fn exchanged(outcome: &roadwire_lab::Outcome) -> &Certificates {
    outcome.findings.iter().find_map(|found| found.of()).unwrap()
}

/// Lengths are those of all contents, in a quick run too; times those of a few.
#[test]
fn messages_of_release_2_are_measured_in_every_encoding_of_asn1() {
    let folder = std::env::temp_dir().join(format!("roadwire-today-{}", std::process::id()));
    let options = StudyOptions { studies: vec!["today".into()], out: Some(folder.clone()), ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    let study: &Today = outcome.findings.iter().find_map(|found| found.of()).unwrap();
    assert_eq!(study.lengths.len(), 15 * 18);
    // 322 bits.
    assert_eq!(study.length("cam-mandatory", Rules::Uper).unwrap().octets, 41);
    for one in &study.lengths {
        assert!(one.enveloped[0] > one.octets && one.enveloped[1] > one.enveloped[0], "{one:?}");
        assert!(one.on_the_road[0] > one.octets && one.on_the_road[1] > one.on_the_road[0], "{one:?}");
        // The octets around a message on the road depend on its length alone, or on the length of
        // that length.
        let around = one.on_the_road[0] - one.octets;
        assert!((93..=110).contains(&around), "{one:?}");
    }
    assert!(study.rows.iter().any(|row| row.engine == "roadwire-toed" && row.rules == Rules::Jer));
    for row in &study.rows {
        assert!(row.encode.is_some() && row.decode.is_some() && row.heap.is_some(), "{row:?}");
        if row.engine == "roadwire-toed" && row.rules == Rules::Uper && !row.message.starts_with("cpm") {
            assert_eq!(row.heap, Some(0), "{row:?}");
        }
    }
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(report.contains("(today-objects.svg)") && !report.contains("(not measured)"), "{report}");
    for figure in ["today-lengths", "today-objects"] {
        let svg = fs::read_to_string(folder.join(format!("{figure}.svg"))).unwrap();
        assert!(svg.contains(">uper<") && !svg.contains("NaN"), "{figure}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_change_costs_is_told_for_each_encoding() {
    let folder = std::env::temp_dir().join(format!("roadwire-evolution-{}", std::process::id()));
    let options = StudyOptions { studies: vec!["evolution".into()], out: Some(folder.clone()), ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    let study: &Evolution = outcome.findings.iter().find_map(|found| found.of()).unwrap();
    let reads = |step: &str, rules| {
        let verdict = study.cost(step, rules).unwrap().verdict.clone().unwrap();
        (verdict.new_reads_old, verdict.old_reads_new)
    };
    let of = |new: &str, old: &str| (new.to_string(), old.to_string());
    // One presence bit more in front (X.691 §19.2): both lose their place.
    assert_eq!(reads("optional-component", Rules::Uper), of("misread", "misread"));
    assert_eq!(reads("optional-component", Rules::Der).0, "all");
    // An unknown addition is skipped.
    for rules in [Rules::Uper, Rules::Aper, Rules::Coer, Rules::Der] {
        assert_eq!(reads("extension-addition", rules), of("all", "skipping"), "{rules}");
    }
    assert_eq!(reads("wider-range", Rules::Coer), of("all", "in-part"));
    assert_eq!(reads("renamed-component", Rules::Uper), of("all", "all"));
    assert_ne!(reads("renamed-component", Rules::Jer).0, "all");
    assert_eq!(reads("cam-1.4.1", Rules::Uper).0, "misread");
    let octets = |step: &str, rules| study.cost(step, rules).unwrap().octets;
    assert_eq!(octets("cam-1.4.1", Rules::Uper), [41, 41]);
    let [before, after] = octets("renamed-component", Rules::Jer);
    assert_eq!(after, before + 2, "stationId for station");
    for cost in study.steps.iter().flat_map(|step| &step.costs) {
        assert!(cost.times.iter().all(|ratio| ratio.is_some_and(|ratio| ratio.ratio > 0.0)), "{cost:?}");
    }
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(report.contains("(evolution-cam.svg)") && !report.contains("(not measured)"), "{report}");
    fs::remove_dir_all(folder).unwrap();
}

/// The study of the channel is the same for the same seed; its times are those worked out by hand,
/// and its simulation is near what is published and known.
#[test]
fn octets_are_told_as_time_on_the_channel_and_as_reception() {
    let folder = std::env::temp_dir().join(format!("roadwire-airtime-{}", std::process::id()));
    let options = StudyOptions { studies: vec!["airtime".into()], out: Some(folder.clone()), ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    let study: &Airtime = outcome.findings.iter().find_map(|found| found.of()).unwrap();
    assert_eq!(study.lengths.len(), 10 * 18);
    // docs/decisions/35-airtime.md has the arithmetic.
    for (message, security, us, stations) in [
        ("cam-mandatory", Security::None, 208, 288),
        ("cam-mandatory", Security::DotTwoDigest, 336, 178),
        ("denm-2014", Security::DotTwoCertificate, 560, 107),
    ] {
        let found = (study.us(message, Rules::Uper, security), study.stations(message, Rules::Uper, security));
        assert_eq!(found, (Some(us), Some(stations)), "{message} {security:?}");
    }
    assert_eq!(study.us("cpm-40", Rules::Xer, Security::None), None, "no frame holds it");
    // Longer frames make more load and less reception; those of the same time are one road.
    let road = |rules| study.road(rules, 120).unwrap();
    let (uper, coer, jer) = (road(Rules::Uper), road(Rules::Coer), road(Rules::Jer));
    assert!(uper.load < coer.load && coer.load < jer.load);
    assert!(uper.at(200) > jer.at(200) && uper.range() > jer.range() && uper.at(201).is_none());
    assert_eq!(uper, road(Rules::ExiSplit));
    for held in &study.held {
        let [mean, largest] = held.differences();
        assert!(mean < 0.03 && mean < largest && largest < 0.1, "{}: {mean} {largest}", held.name());
    }
    for one in &study.saturated {
        assert!(one.difference() < 0.05, "{one:?}");
    }
    let report = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(report.contains("(airtime-published.svg)") && !report.contains("(not measured)"), "{report}");
    // Two times are quoted without a source: they are no published figures.
    assert!(report.contains("and 584 µs. 576 is") && !report.contains("airtime: 2 published figures"), "{report}");
    for figure in ["airtime-reception", "airtime-published"] {
        let svg = fs::read_to_string(folder.join(format!("{figure}.svg"))).unwrap();
        assert!(svg.contains("<polyline") && !svg.contains("NaN"), "{figure}");
    }
    fs::remove_dir_all(folder).unwrap();

    let again = run(&StudyOptions { out: None, ..options }, &mut Vec::new(), &Silent).unwrap();
    let again: &Airtime = again.findings.iter().find_map(|found| found.of()).unwrap();
    assert_eq!((&study.roads, &study.held, &study.saturated), (&again.roads, &again.held, &again.saturated));
}

#[test]
fn the_fitted_generator_reproduces_the_published_sizes_of_the_packed_encodings() {
    let options = StudyOptions { studies: vec!["certificates".into()], largest: Some(3000), ..quick() };
    let outcome = run(&options, &mut Vec::new(), &Silent).unwrap();
    let studies = study::all().unwrap();
    let study = studies.iter().find(|s| s.name == "certificates").unwrap();
    for rules in ["UPER", "PER"] {
        for figure in
            study.published.iter().filter(|f| f.table == "I" && f.row == rules && f.column.starts_with("size"))
        {
            let measured = Measured { findings: &outcome.findings, ..Measured::default() };
            let verdict = judge(figure, study, measured);
            assert_eq!(verdict.outcome, Outcome::ReproducedByFit, "{figure:?}: {verdict:?}");
        }
    }
}

/// A study of messages is a folder of data, which may be anywhere.
#[test]
fn a_study_is_added_as_a_folder() {
    let folder = std::env::temp_dir().join(format!("roadwire-study-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let toml = "name = 'mine'\ntitle = 'Short messages'\ncitation = 'Somebody, 2026'\nmessages = ['cam-mandatory']\n\
                quick = ['cam-mandatory']\nrules = ['uper', 'coer']\n[[tables]]\nid = '1'\ntitle = 'Lengths'\n";
    fs::write(folder.join("study.toml"), toml).unwrap();
    let csv =
        "table,row,column,unit,value,where,ours,fit,counted,note\n1,CAM,UPER,octets,41,p. 1,octets:cam-mandatory,,,\n";
    fs::write(folder.join("published.csv"), csv).unwrap();
    let options = StudyOptions { studies: vec![folder.display().to_string()], form: Form::Tables, ..quick() };
    let mut text = Vec::new();
    let outcome = run(&options, &mut text, &Silent).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(outcome.passed(), "{:?}", outcome.gate_failures);
    assert!(text.contains("mine: 1 published figures") && text.contains("1 reproduced"), "{text}");
    fs::write(folder.join("published.csv"), "no heading").unwrap();
    let fault = run(&options, &mut Vec::new(), &Silent).unwrap_err();
    assert!(matches!(&fault, LabError::Study(why) if why.contains("unexpected heading")), "{fault}");
    fs::write(folder.join("study.toml"), toml.replace("'coer'", "'binary'")).unwrap();
    let fault = run(&options, &mut Vec::new(), &Silent).unwrap_err();
    assert!(matches!(&fault, LabError::Study(why) if why.contains("`binary`") && why.contains("uper aper")), "{fault}");
    fs::remove_dir_all(folder).unwrap();
}

/// Everything that a folder names must exist; and its name is used for files, which must stay in
/// the report's folder.
#[test]
fn a_folder_that_is_no_study_is_refused() {
    let folder = std::env::temp_dir().join(format!("roadwire-no-study-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let refused = |names: &[&str], toml: &str| {
        fs::write(folder.join("study.toml"), toml).unwrap();
        let names = names.iter().map(|name| (*name).to_owned()).chain([folder.display().to_string()]).collect();
        let options = StudyOptions { studies: names, ..quick() };
        match run(&options, &mut Vec::new(), &Silent).unwrap_err() {
            LabError::Study(why) => why,
            other => panic!("{other}"),
        }
    };
    let toml = "name = 'mine'\ntitle = ''\ncitation = ''\nmessages = ['cam-mandatory']\nquick = ['cam-mandatory']\nrules = ['uper']\n";
    for (from, to, why) in [
        ("'mine'", "'../mine'", "not a name for a study"),
        ("'mine'", "'..'", "not a name for a study"),
        ("['cam-mandatory']", "['cam']", "no message `cam`"),
        ("rules", "experiment = 'die'\nrules", "no experiment `die`"),
        ("name", "names", "missing field `name`"),
    ] {
        let found = refused(&[], &toml.replace(from, to));
        assert!(found.contains(why), "{found}");
    }
    let found = refused(&["etsi-2014"], &toml.replace("mine", "etsi-2014"));
    assert!(found.contains("another study"), "{found}");
    fs::remove_dir_all(folder).unwrap();
}
