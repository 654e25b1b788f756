//! The engines against the octets on file, against each other, and against conformance vectors.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use roadwire_layout::Rules;
use roadwire_measure::cell::{Direction, Transcode};
use roadwire_peers::content::today::{CONTENTS, SIGNERS, Signer, envelope};
use roadwire_peers::content::{MESSAGES, Message, Schema};
use roadwire_peers::hex;
use roadwire_peers::roadwire::{Soed, Toed, octets};
use roadwire_peers::{Engine, Kind};
use roadwire_peers::{PEER, all, by_hand::ByHand, rasn::Rasn};
use serde_json::Value;

#[test]
fn every_engine_encodes_every_message_to_the_octets_on_file() {
    let mut cells = 0;
    for message in MESSAGES {
        let vector = message.vector(Rules::Uper).unwrap().octets;
        for engine in all() {
            let Ok(mut cell) = engine.cell(message, Rules::Uper) else {
                continue;
            };
            let bytes = cell.bytes().unwrap();
            let what = format!("{} {}", engine.name(), message.id);
            assert_eq!(hex::encode(&bytes), hex::encode(&vector), "{what}");
            assert_eq!(cell.recode(&[], &bytes).as_ref(), Ok(&bytes), "{what}");
            cells += 1;
        }
    }
    assert!(cells >= 10, "{cells} cells");
}

/// Those in text write the same values in other forms.
#[test]
fn peers_write_our_octets_under_all_binary_rules() {
    let mut cells = 0;
    for engine in all().iter().filter(|engine| engine.kind() == Kind::Peer) {
        for (message, rules) in MESSAGES.iter().flat_map(|message| Rules::ALL.map(|rules| (message, rules))) {
            let Ok(mut cell) = engine.cell(message, rules) else { continue };
            let ours = Soed.cell(message, rules).unwrap().bytes().unwrap();
            assert!(rules.is_text() || cell.bytes() == Ok(ours), "{} {} {rules}", engine.name(), message.id);
            cells += 1;
        }
    }
    assert!(cells >= 41, "{cells} cells");
}

/// Also of their envelopes: straight-line code and the interpreter over its types, and rasn, which
/// refuses all prefixes as well.
#[test]
fn engines_write_the_same_octets_of_release_2() {
    let contents = CONTENTS.iter().map(|content| (content.id, content.schema, content.jer()));
    let signed = |signer: Signer| envelope(Schema::Denm231, signer, &[1, 2, 3]).to_string();
    let envelopes = SIGNERS.map(|signer| (signer.name(), Schema::Data211, signed(signer)));
    let engines: [&dyn Engine; 3] = [&Toed, &Soed, &Rasn];
    let mut cells = [0; 3];
    for (name, schema, jer) in contents.chain(envelopes) {
        // Generated types write some open types otherwise in text.
        for rules in Rules::ALL.into_iter().filter(|rules| !rules.is_text()) {
            for (engine, cells) in engines.iter().zip(&mut cells) {
                let Ok(mut cell) = engine.cell_of(schema, rules, &jer) else { continue };
                let (ours, what) = (octets(schema, rules, &jer).unwrap(), format!("{} {name} {rules}", engine.name()));
                assert_eq!(cell.bytes().as_ref(), Ok(&ours), "{what}");
                assert_eq!(cell.recode(&[], &ours).as_ref(), Ok(&ours), "{what}");
                for length in 0..ours.len().min(300) {
                    assert!(cell.recode(&ours, &ours[..length]).is_err(), "{what} {length}");
                }
                *cells += 1;
            }
        }
    }
    assert_eq!(cells, [79, 79, 34]);
}

#[test]
fn the_peer_that_ratios_are_formed_to_has_the_most_cells_of_all_peers() {
    let cells = |engine: &dyn Engine| {
        let all = MESSAGES.iter().flat_map(|message| Rules::ALL.map(|rules| (message, rules)));
        all.filter(|(message, rules)| engine.cell(message, *rules).is_ok()).count()
    };
    let peers = all().into_iter().filter(|engine| engine.kind() == Kind::Peer);
    let most = peers.max_by_key(|engine| cells(engine.as_ref())).unwrap();
    assert_eq!(most.name(), PEER);
}

#[test]
fn the_papers_lengths_are_met() {
    let octets = |id| {
        let message = Message::find(id).unwrap();
        Rasn.cell(message, Rules::Uper).unwrap().bytes().unwrap().len()
    };
    assert_eq!(octets("cam-mandatory"), 41);
    assert_eq!(octets("denm-mandatory"), 40);
    assert_eq!(octets("denm-mandatory-validity"), 43);
}

#[test]
fn every_prefix_of_a_message_is_refused() {
    for message in MESSAGES {
        for engine in all() {
            let Ok(mut cell) = engine.cell(message, Rules::Uper) else {
                continue;
            };
            let bytes = cell.bytes().unwrap();
            for length in 0..bytes.len() {
                let result = cell.recode(&bytes, &bytes[..length]);
                assert!(result.is_err(), "{} {} {length}", engine.name(), message.id);
            }
        }
    }
}

#[test]
fn code_by_hand_refuses_values_out_of_range() {
    let message = Message::find("cam-mandatory").unwrap();
    let mut cell = ByHand.cell(message, Rules::Uper).unwrap();
    let mut bytes = cell.bytes().unwrap();
    // headingValue has 12 bits (offset 208) and ends at 3601.
    bytes[26] = 0xff;
    bytes[27] |= 0xf0;
    assert!(cell.recode(&[], &bytes).is_err());
    assert!(
        Rasn.cell(message, Rules::Uper).unwrap().recode(&[], &bytes).is_err(),
        "rasn checks ranges when decoding as well"
    );
}

#[test]
fn batches_run_in_both_directions() {
    let message = Message::find("denm-mandatory").unwrap();
    for engine in all() {
        let Ok(mut cell) = engine.cell(message, Rules::Uper) else { continue };
        for direction in Direction::ALL {
            assert_eq!(cell.batch(direction, 3).calls, 3);
            let mut runs = 0;
            let probed = cell.probe(direction, &mut |work| {
                work();
                runs += 1;
            });
            assert_eq!((probed, runs), (Ok(()), 1));
        }
        assert!(cell.message_size() > Some(40));
    }
}

#[test]
fn rasn_recodes_the_conformance_vectors() {
    for (file, schema) in [("cam-1.4.1.jsonl", Schema::Cam141), ("denm-1.3.1.jsonl", Schema::Denm131)] {
        let Some(text) = shared::shared_text(&format!("vectors/{file}")) else { continue };
        let mut rasn: Box<dyn Transcode> = Rasn.transcoder(schema, Rules::Uper).unwrap();
        let mut seen = 0;
        for line in text.lines() {
            let vector: Value = serde_json::from_str(line).unwrap();
            let Some(uper) = vector["uper"].as_str() else {
                continue;
            };
            let octets = hex::decode(uper).unwrap();
            assert_eq!(rasn.recode(&[], &octets), Ok(octets), "{}", vector["id"]);
            seen += 1;
        }
        assert!(seen >= 90, "{file}: {seen}");
    }
}
