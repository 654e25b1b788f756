//! A joint fit of the EXI lengths that the paper of 2015 prints for CAM (64 octets, with its
//! optimised schema 61) and DENM (52 and 51). `studies/etsi-2015/analysis.md` describes it.
//!
//! Numbers and enumerations are the smallest built-in types that hold them, enumerations
//! `xs:unsignedByte`, and options are the default ones: our `exi-default`. Both messages have one
//! station number.

use roadwire_engine::{Limits, Listener, What, decode_with, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::Value;
use roadwire_notation::Notation;
use roadwire_peers::content::Message;
use roadwire_wire::Step;

/// A station number of three octets in EXI: 14 to 21 bits.
const STATION: &str = "1404771";
/// An element's start and end: a bit each, where a schema has one thing at a place and options are
/// the default ones.
const WRAPPER: usize = 2;

/// Bits up to the end of the last event, and the widths of enumerations.
#[derive(Default)]
struct Counted {
    bits: usize,
    enumerations: Vec<usize>,
}

impl Listener for Counted {
    fn enter(&mut self, _: Step<'_>) {}
    fn leave(&mut self) {}
    fn item(&mut self, _: &Layout, item: &roadwire_engine::Item<'_>) {
        if item.what != What::Padding {
            self.bits = self.bits.max(item.bit + item.bits);
        }
        if matches!(item.what, What::Value(name) if !name.is_empty()) {
            self.enumerations.push(item.bits);
        }
    }
}

/// The bits of a message, whose text is changed first.
fn bits(message: &str, changes: &[(&str, &str)], rules: Rules) -> usize {
    let message = Message::find(message).unwrap();
    let (model, root) = message.schema.model().unwrap();
    let jer = changes.iter().fold(message.jer(), |jer, (from, to)| {
        assert!(jer.contains(from), "{jer}");
        jer.replace(from, to)
    });
    let value = Notation::new(&model, root).unwrap().read(&jer).unwrap();
    let layout = lower(&model, root, rules).unwrap();
    let octets = encode_to_vec(&layout, &value, 1000).unwrap();
    let mut counted = Counted::default();
    decode_with(&layout, &octets, &mut Value::Unset, &Limits::for_input(&octets), &mut counted).unwrap();
    assert_eq!(counted.bits.div_ceil(8), octets.len());
    assert!(counted.enumerations.iter().all(|bits| *bits == 8), "{:?}", counted.enumerations);
    counted.bits
}

fn octets(bits: usize) -> usize {
    bits.div_ceil(8)
}

#[test]
fn one_station_number_gives_the_printed_lengths_of_cam_and_denm() {
    // A lorry in a bend.
    let cam = |rules| bits("cam-mandatory-lorry", &[], rules);
    assert!(Message::find("cam-mandatory-lorry").unwrap().jer().contains(STATION));
    let (whole, merged) = (cam(Rules::ExiDefault), cam(Rules::ExiMerged));
    assert_eq!((whole, octets(whole)), (508, 64));
    assert_eq!((merged, octets(merged)), (482, 61));
    assert_eq!((whole - merged) / WRAPPER, 13);

    // The same station, and a sequence number of two octets.
    let changes = [("2404771893", STATION), (r#""sequenceNumber":17"#, r#""sequenceNumber":1200"#)];
    let denm = |rules| bits("denm-mandatory-validity", &changes, rules);
    let (whole, merged) = (denm(Rules::ExiDefault), denm(Rules::ExiMerged));
    assert_eq!((whole, octets(whole)), (409, 52));
    // All seven wrappers merged are an octet too short; one to four of them are the printed length.
    assert_eq!(((whole - merged) / WRAPPER, octets(merged)), (7, 50));
    let printed: Vec<usize> = (0..=7).filter(|wrappers| octets(whole - WRAPPER * wrappers) == 51).collect();
    assert_eq!(printed, [1, 2, 3, 4]);
}

/// Which station numbers can be in such a fit: with k octets of it, the CAM's other values take 7 -
/// k octets more than ours, and the DENM's 7 - 2k.
#[test]
fn the_other_values_of_a_fit_follow_from_the_octets_of_the_station_number() {
    for (octets_of_it, station) in [(1, "100"), (2, "10000"), (3, STATION), (4, "100000000")] {
        let change = [("2404771893", station)];
        let cam = [Rules::ExiDefault, Rules::ExiMerged].map(|rules| bits("cam-mandatory", &change, rules));
        let more = 7 - octets_of_it;
        assert_eq!(cam.map(|bits| octets(bits + 8 * more)), [64, 61]);
        let denm = bits("denm-mandatory-validity", &change, Rules::ExiDefault);
        let more = 7 - 2 * octets_of_it as isize;
        assert_eq!(octets(denm.checked_add_signed(8 * more).unwrap()), 52);
    }
}
