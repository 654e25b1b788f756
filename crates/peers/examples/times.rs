//! Times generated code, code by hand and rasn on the studies' messages, in one process: a line for
//! each message, encoding and engine, with its times over those by hand. `study` measures more
//! carefully, and takes longer to build.
//!
//! `cargo run --release -p roadwire-peers --example times -- [ROUNDS]`

use roadwire_layout::Rules;
use roadwire_measure::cell::{Cell, Direction};
use roadwire_measure::random::Random;
use roadwire_measure::timing::{self, Entry, Plan};
use roadwire_measure::{clock, stats};
use roadwire_peers::content::today::{Content, SIGNERS, envelope};
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::{Engine, PEER, find};

const BY_HAND: &str = "by hand";
const ENGINES: [&str; 3] = ["roadwire-toed", BY_HAND, PEER];

/// Messages of the papers, and the encodings in which they are timed.
const PAPERS: &[(&str, &[Rules])] = &[
    ("cam-mandatory", &[Rules::Uper, Rules::Coer, Rules::Der, Rules::Protobuf]),
    ("cam-mandatory-1.4.1", &[Rules::Uper, Rules::Coer, Rules::Der, Rules::Protobuf]),
    ("denm-mandatory", &[Rules::Uper]),
    ("denm-mandatory-validity", &[Rules::Uper]),
    ("cam-full", &[Rules::Uper]),
    ("denm-full", &[Rules::Uper, Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat, Rules::ExiSplit]),
    ("envelope-cam-certificate-2015", &[Rules::Tls]),
];

/// Messages of today.
const TODAY: [&str; 9] = [
    "cam-mandatory",
    "cam-typical",
    "cam-full",
    "vam-mandatory",
    "vam-typical",
    "vam-full",
    "cpm-1",
    "cpm-10",
    "cpm-40",
];

/// A cell, and the message's, the rules' and the engine's names.
type Row = (Box<dyn Cell>, [String; 3]);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds = std::env::args().nth(1).map_or(Ok(60), |rounds| rounds.parse())?;
    let mut rows = Vec::new();
    for name in ENGINES {
        let engine = find(name).ok_or("not linked")?;
        of_papers(engine.as_ref(), &mut rows);
        of_today(engine.as_ref(), &mut rows);
    }
    rows.sort_by(|(_, a), (_, b)| a[..2].cmp(&b[..2]));
    let (mut cells, names): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let entries: Vec<Entry> =
        (0..cells.len()).flat_map(|cell| Direction::ALL.map(|direction| Entry { cell, direction })).collect();
    let plan = Plan::new(rounds, clock::cost_nanoseconds());
    let samples = timing::measure(&mut cells, &entries, plan, &mut Random::new(1), &mut |_| ());
    let medians: Vec<f64> = samples.iter().map(|one| stats::median(&mut one.cpu.clone())).collect();
    println!(
        "{:50}{:>7}{:>12}{:>12}{:>18}",
        "message, encoding, engine", "octets", "encode ns", "decode ns", "over by hand"
    );
    for (at, [message, rules, engine]) in names.iter().enumerate() {
        let [encode, decode] = [medians[2 * at], medians[2 * at + 1]];
        let by_hand = names.iter().position(|other| other[..2] == names[at][..2] && other[2] == BY_HAND);
        let over = by_hand.filter(|by_hand| *by_hand != at).map_or(String::new(), |by_hand| {
            format!("{:.2} / {:.2}", encode / medians[2 * by_hand], decode / medians[2 * by_hand + 1])
        });
        let octets = cells[at].bytes()?.len();
        println!("{:50}{octets:>7}{encode:>12.1}{decode:>12.1}{over:>18}", format!("{message} {rules} {engine}"));
    }
    for fault in samples.iter().filter_map(|one| one.fault.as_ref()) {
        println!("wrong: {fault}");
    }
    Ok(())
}

fn of_papers(engine: &dyn Engine, rows: &mut Vec<Row>) {
    for (message, rules) in PAPERS.iter().flat_map(|(id, rules)| rules.iter().map(move |rules| (*id, *rules))) {
        let cell = Message::find(message).map(|message| engine.cell(message, rules));
        if let Some(Ok(cell)) = cell {
            rows.push((cell, [message.to_string(), rules.to_string(), engine.name().to_string()]));
        }
    }
}

fn of_today(engine: &dyn Engine, rows: &mut Vec<Row>) {
    let contents = TODAY.iter().filter_map(|name| Content::find(name));
    let mut all: Vec<(String, Schema, Rules, String)> = contents
        .map(|content| (format!("{} ({})", content.id, content.schema), content.schema, Rules::Uper, content.jer()))
        .collect();
    for signer in SIGNERS {
        // As long as a typical CAM.
        let jer = envelope(Schema::Cam231, signer, &[7; 138]).to_string();
        all.push((format!("envelope-{}", signer.name()), Schema::Data211, Rules::Coer, jer));
    }
    for (message, schema, rules, jer) in all {
        if let Ok(cell) = engine.cell_of(schema, rules, &jer) {
            rows.push((cell, [message, rules.to_string(), engine.name().to_string()]));
        }
    }
}
