//! Recorded messages: hex lines, JSON lines, gzip, and invalid lines.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use roadwire_lab::corpus::{self, Corpus};
use roadwire_layout::Rules;
use roadwire_measure::random::Random;
use roadwire_peers::Engine;
use roadwire_peers::content::Message;
use roadwire_peers::hex;
use roadwire_peers::rasn::Rasn;

/// A file that is removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("roadwire-{}-{name}", std::process::id()));
        fs::write(&path, content).unwrap();
        File(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn run(path: &Path) -> Corpus {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Rasn)];
    corpus::run(path, &engines, &mut Random::new(1), &mut |_| {}).unwrap()
}

fn octets(id: &str) -> String {
    hex::encode(&Message::find(id).unwrap().vector(Rules::Uper).unwrap().octets)
}

fn lines() -> String {
    let (cam, denm) = (octets("cam-mandatory"), octets("denm-mandatory"));
    let full = octets("cam-full");
    let truncated = &full[..100];
    let json = format!(r#"{{"frame": 1, "uper": "{}", "type": "CAM"}}"#, octets("cam-full"));
    format!("{cam}\n\n{denm}\n{json}\n{truncated}\n020e00ff\n{{\"frame\": 2}}\nnot hex\n{}", full.to_uppercase())
}

fn check(corpus: &Corpus) {
    assert_eq!((corpus.messages, corpus.unreadable), (6, 2));
    assert_eq!(corpus.others["messageID 14, protocolVersion 2"], 1);
    let classes: Vec<_> =
        corpus.classes.iter().map(|c| (c.kind, c.version, c.schema, c.messages, c.engines[0].identical)).collect();
    assert_eq!(
        classes,
        [("CAM", 1, "cam-1.3.0", 1, 1), ("CAM", 2, "cam-1.4.1", 3, 2), ("DENM", 1, "denm-1.2.0", 1, 1),]
    );
    assert_eq!(corpus.failed, 1);
    let failure = &corpus.failures[0];
    assert_eq!((failure.line, failure.class.as_str()), (5, "CAM v2"));
    assert!(!failure.why.is_empty());
    let lengths: Vec<_> = corpus.classes[1].lengths.iter().collect();
    assert_eq!(lengths, [(&50, &1), (&430, &2)]);
    assert!(corpus.classes[0].engines[0].decode_ns.unwrap() > 0.0);
    assert!(corpus.classes[0].engines[0].encode_ns.unwrap() > 0.0);
}

#[test]
fn hex_and_json_lines_are_read_and_faults_are_listed() {
    let file = File::new("plain.txt", lines().as_bytes());
    let corpus = run(&file.0);
    check(&corpus);
    let text: String = corpus.tables().iter().map(|t| t.plain()).collect();
    assert!(text.contains("6 messages, 1 of other types"), "{text}");
}

#[test]
fn gzip_is_told_by_its_first_octets() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(lines().as_bytes()).unwrap();
    let file = File::new("zipped", &gzip.finish().unwrap());
    check(&run(&file.0));
}

#[test]
fn an_endless_line_is_reported_and_what_follows_is_read() {
    let mut text = vec![b'0'; 3 << 20];
    text.push(b'\n');
    text.extend(octets("cam-mandatory").bytes());
    let file = File::new("long", &text);
    let corpus = run(&file.0);
    assert_eq!((corpus.messages, corpus.unreadable), (1, 1));
    assert_eq!(corpus.unreadable_why.as_deref(), Some("line 1: longer than 1 MiB"));
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let engines: Vec<Box<dyn Engine>> = vec![];
    let path = Path::new("no such file");
    assert!(corpus::run(path, &engines, &mut Random::new(1), &mut |_| {}).is_err());
}

#[test]
fn recorded_traffic_comes_back_octet_for_octet() {
    let Some(path) = shared::shared("captures/extracted/karloss_test.jsonl.gz") else { return };
    let corpus = run(&path);
    assert_eq!(corpus.failed, 0, "{:?}", corpus.failures);
    let counts: Vec<_> = corpus.classes.iter().map(|c| (c.kind, c.messages)).collect();
    assert_eq!(counts, [("CAM", 100), ("DENM", 16)]);
}
