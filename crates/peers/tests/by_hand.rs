//! The codecs by hand beside generated code: they have its octets, and take no octets that it
//! refuses.

use roadwire_layout::Rules;
use roadwire_measure::cell::{Cell, Direction};
use roadwire_measure::heap::{self, CountingAllocator, Heap};
use roadwire_peers::Engine;
use roadwire_peers::by_hand::ByHand;
use roadwire_peers::content::today::{CONTENTS, SIGNERS, envelope};
use roadwire_peers::content::{MESSAGES, Message, Schema};
use roadwire_peers::roadwire::Toed;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A message's codec by hand, and generated code's.
struct Pair {
    what: String,
    by_hand: Box<dyn Cell>,
    generated: Box<dyn Cell>,
}

/// All codecs by hand of the papers' messages.
fn of_papers() -> Vec<Pair> {
    let all = MESSAGES.iter().flat_map(|message| Rules::ALL.map(|rules| (message, rules)));
    all.filter_map(|(message, rules)| {
        let by_hand = ByHand.cell(message, rules).ok()?;
        let generated = Toed.cell(message, rules).unwrap_or_else(|absent| panic!("{}", absent.0));
        Some(Pair { what: format!("{} in {rules}", message.id), by_hand, generated })
    })
    .collect()
}

/// All of today's messages.
fn of_today() -> Vec<Pair> {
    let mut all: Vec<(String, Schema, Rules, String)> =
        CONTENTS.iter().map(|one| (one.id.into(), one.schema, Rules::Uper, one.jer())).collect();
    for of in [Schema::Cam231, Schema::Denm231, Schema::Cpm211] {
        let name = |signer: &str| format!("{signer} of {of}");
        let envelopes = SIGNERS.map(|signer| (name(signer.name()), envelope(of, signer, &[7; 300]).to_string()));
        all.extend(envelopes.map(|(name, jer)| (name, Schema::Data211, Rules::Coer, jer)));
    }
    all.into_iter()
        .filter_map(|(what, schema, rules, jer)| {
            let by_hand = ByHand.cell_of(schema, rules, &jer).ok()?;
            let generated = Toed.cell_of(schema, rules, &jer).unwrap_or_else(|absent| panic!("{}", absent.0));
            Some(Pair { what, by_hand, generated })
        })
        .collect()
}

#[test]
fn messages_of_papers_with_a_codec_by_hand() {
    let names: Vec<String> =
        of_papers().into_iter().map(|pair| pair.what).filter(|what| !what.contains("tls")).collect();
    let expected = [
        "cam-mandatory in uper",
        "cam-mandatory in coer",
        "cam-mandatory in der",
        "cam-mandatory in protobuf",
        "cam-mandatory-1.4.1 in uper",
        "cam-mandatory-1.4.1 in coer",
        "cam-mandatory-1.4.1 in der",
        "cam-mandatory-1.4.1 in protobuf",
        "denm-mandatory in uper",
        "denm-mandatory-validity in uper",
        "cam-full in uper",
        "denm-full in uper",
    ];
    assert_eq!(names, expected);
}

#[test]
fn messages_of_today_with_a_codec_by_hand() {
    let names: Vec<String> = of_today().into_iter().map(|pair| pair.what).collect();
    let envelopes =
        ["cam-2.3.1", "denm-2.3.1", "cpm-2.1.1"].map(|of| [format!("digest of {of}"), format!("certificate of {of}")]);
    let messages = ["cpm-1", "cpm-10", "cpm-40", "cpm-128"].map(String::from);
    assert_eq!(names, [&messages[..], &envelopes.concat()].concat());
}

#[test]
fn octets_are_those_of_generated_code_and_come_back() {
    for Pair { what, mut by_hand, mut generated } in of_papers().into_iter().chain(of_today()) {
        let octets = by_hand.bytes().unwrap();
        assert_eq!(octets, generated.bytes().unwrap(), "{what}");
        assert_eq!(by_hand.recode(&octets, &octets), Ok(octets), "{what}");
    }
}

#[test]
fn every_prefix_is_refused() {
    for Pair { what, mut by_hand, mut generated } in of_papers().into_iter().chain(of_today()) {
        let octets = generated.bytes().unwrap();
        for length in 0..octets.len() {
            assert!(by_hand.recode(&[], &octets[..length]).is_err(), "{what}: {length}");
        }
    }
}

/// Each bit turned, one by one: what code by hand takes, generated code takes for the same message.
#[test]
fn octets_that_generated_code_refuses_are_refused() {
    for Pair { what, mut by_hand, mut generated } in of_papers().into_iter().chain(of_today()) {
        let mut octets = generated.bytes().unwrap();
        let (mut taken, bits) = (0, octets.len() * 8);
        for bit in 0..bits {
            octets[bit / 8] ^= 0x80 >> (bit % 8);
            if let Ok(again) = by_hand.recode(&[], &octets) {
                assert_eq!(generated.recode(&[], &octets), Ok(again), "{what}: bit {bit}");
                taken += 1;
            }
            octets[bit / 8] ^= 0x80 >> (bit % 8);
        }
        assert!(taken * 4 > bits, "{what}: {taken} of {bits} are values");
    }
}

#[test]
fn nothing_is_taken_from_the_heap() {
    for Pair { what, mut by_hand, .. } in of_papers().into_iter().chain(of_today()) {
        for direction in Direction::ALL {
            let mut used = None;
            by_hand.probe(direction, &mut |work| used = heap::measure(work)).unwrap();
            assert_eq!(used, Some(Heap::default()), "{what}");
        }
    }
}

/// A length in two octets below 128 is another encoding of the same value.
#[test]
fn lengths_and_numbers_in_more_octets_than_they_need_are_refused() {
    let message = Message::find("cam-mandatory").unwrap();
    let mut der = ByHand.cell(message, Rules::Der).unwrap();
    let octets = der.bytes().unwrap();
    assert_eq!(octets[..2], [0x30, 0x81]);
    let long = |at: usize, replaced: &[u8]| {
        let mut long = [&octets[..at], replaced, &octets[at + 1..]].concat();
        long[2] += 1;
        long
    };
    // header: its length at 4, and protocolVersion at 5 to 7.
    let mut number = long(7, &[0, octets[7]]);
    number[4] += 1;
    number[6] += 1;
    for wrong in [long(4, &[0x81, octets[4]]), number] {
        assert_eq!(wrong.len(), octets.len() + 1);
        assert!(der.recode(&[], &wrong).is_err());
    }
}
