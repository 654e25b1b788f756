//! The gate refuses cells that must not be measured, tested with deliberate faults.

use roadwire_lab::confirmed;
use roadwire_lab::gate::{self, Confirmation, Refusal};
use roadwire_lab::study;
use roadwire_layout::Rules;
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Direction, Done, Transcode};
use roadwire_measure::random::Random;
use roadwire_measure::timing::{self, Entry, Plan};
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::rasn::Rasn;
use roadwire_peers::{self, roadwire};
use roadwire_peers::{Engine, Kind, TimedRegion};

/// An engine that has the correct octets on file and one fault.
struct Faulty(Fault);

#[derive(Clone, Copy)]
enum Fault {
    None,
    WrongOctets,
    AcceptsTruncated,
    NoRoundTrip,
    RefusesItsOwn,
    KeepsRemains,
    /// None, but it writes a text of its own, and reads this other one, if any.
    Text {
        own: &'static str,
        reads: &'static str,
    },
}

impl Engine for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }
    fn version(&self) -> &str {
        "1"
    }
    fn kind(&self) -> Kind {
        Kind::Peer
    }
    fn origin(&self) -> &str {
        match self.0 {
            Fault::Text { own, .. } => own,
            _ => "test",
        }
    }
    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: String::new(),
            presizing: String::new(),
            population: String::new(),
            validation: String::new(),
        }
    }
    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        let octets = match self.0 {
            Fault::Text { own, .. } => own.into(),
            _ => message.vector(rules).ok_or(Absent("no vector".into()))?.octets,
        };
        Bench::boxed(Stored(self.0, octets), &message.jer())
    }
    fn transcoder(&self, _: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(Absent("none".into()))
    }
}

struct Stored(Fault, Vec<u8>);

impl Codec for Stored {
    type Message<'a> = Vec<u8>;
    type Buffer = Vec<u8>;
    type Error = &'static str;

    fn message(&self, _jer: &str) -> Result<Vec<u8>, String> {
        let mut octets = self.1.clone();
        if let Fault::WrongOctets = self.0 {
            octets[7] ^= 1;
        }
        Ok(octets)
    }
    fn buffer(&self) -> Vec<u8> {
        Vec::new()
    }
    fn encode(&self, message: &Vec<u8>, buffer: &mut Vec<u8>) -> Result<usize, &'static str> {
        buffer.clone_from(message);
        Ok(buffer.len())
    }
    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }
    fn decode(&self, octets: &[u8], place: &mut Option<Vec<u8>>) -> Result<(), &'static str> {
        *place = Some(match self.0 {
            Fault::AcceptsTruncated => octets.to_vec(),
            Fault::RefusesItsOwn => return Err("no"),
            Fault::Text { reads, .. } if octets == self.1 || octets == reads.as_bytes() => self.1.clone(),
            Fault::Text { .. } => return Err("not read"),
            Fault::KeepsRemains if place.as_ref().is_some_and(|p| !p.is_empty()) => return Ok(()),
            _ if octets.len() < self.1.len() => {
                *place = Some(octets.to_vec());
                return Err("too short");
            }
            Fault::NoRoundTrip => octets.iter().map(|o| o ^ 1).collect(),
            _ => octets.to_vec(),
        });
        Ok(())
    }
}

fn verdict(fault: Fault, with_rasn: bool) -> Result<Vec<String>, String> {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Faulty(fault))];
    if with_rasn {
        engines.push(Box::new(Rasn));
    }
    let message = Message::find("cam-mandatory").unwrap();
    let checked = gate::check(&engines, message, Rules::Uper, Confirmation::Needed).swap_remove(0);
    checked.gate.map(|passed| passed.confirmed_by).map_err(|why| why.to_string())
}

#[test]
fn a_sound_cell_passes_and_names_who_confirms_it() {
    let confirmed = verdict(Fault::None, true).unwrap();
    assert_eq!(confirmed.len(), 2, "{confirmed:?}");
    assert!(confirmed[1].starts_with("rasn "), "{confirmed:?}");
}

#[test]
fn octets_that_differ_are_refused() {
    let why = verdict(Fault::WrongOctets, true).unwrap_err();
    assert!(why.contains("differ from the vector"), "{why}");
}

#[test]
fn a_decoder_that_accepts_truncated_octets_is_refused() {
    let why = verdict(Fault::AcceptsTruncated, true).unwrap_err();
    assert_eq!(why, "accepts the first 0 of 41 octets");
}

#[test]
fn a_codec_that_does_not_round_trip_is_refused() {
    let why = verdict(Fault::NoRoundTrip, true).unwrap_err();
    assert!(why.contains("does not round-trip"), "{why}");
    let why = verdict(Fault::RefusesItsOwn, true).unwrap_err();
    assert!(why.contains("does not decode its own octets"), "{why}");
}

#[test]
fn a_decoder_that_keeps_the_remains_of_an_earlier_message_is_refused() {
    let why = verdict(Fault::KeepsRemains, true).unwrap_err();
    assert!(why.contains("remains of a refused message"), "{why}");
}

#[test]
fn rules_without_vector_or_second_implementation_are_refused() {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(Rasn)];
    let mut message = *Message::find("cam-mandatory").unwrap();
    message.id = "without a vector";
    let checked = gate::check(&engines, &message, Rules::Uper, Confirmation::Needed).swap_remove(0);
    assert_eq!(checked.gate, Err(Refusal::Alone));
}

/// CER has no vector; a file has the digests of what asn1tools and pycrate write.
#[test]
fn octets_on_file_confirm_and_others_are_refused() {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(roadwire::Toed)];
    let gate = |content: &str, name: &'static str| {
        let mut message = *Message::find(content).unwrap();
        message.id = name;
        gate::check(&engines, &message, Rules::Cer, Confirmation::Needed).swap_remove(0).gate
    };
    let confirmed = gate("denm-full", "denm-full").unwrap().confirmed_by;
    assert_eq!(confirmed, ["pycrate 0.8.1 (on file)"]);
    let why = gate("denm-mandatory", "denm-mandatory-validity").unwrap_err().to_string();
    assert!(why.starts_with("its octets differ from those on file of pycrate 0.8.1: 30"), "{why}");
    assert_eq!(gate("denm-mandatory", "without a file"), Err(Refusal::Alone));
}

/// rasn's XER differs in form from ours; a digest of it is on file.
#[test]
fn another_text_than_that_on_file_passes_if_each_reads_the_other() {
    let engines: Vec<Box<dyn Engine>> = vec![Box::new(roadwire::Toed), Box::new(Rasn)];
    for rules in [Rules::Xer, Rules::Jer] {
        let checked = gate::check(&engines, Message::find("cam-mandatory").unwrap(), rules, Confirmation::Needed);
        let confirmed = checked.iter().map(|one| one.gate.as_ref().unwrap().confirmed_by.len()).collect::<Vec<_>>();
        assert_eq!(confirmed, [2, 1], "{rules}");
    }
}

/// Without a vector, two origins that agree are right, and a third one that differs is wrong.
#[test]
fn octets_that_most_origins_write_pass() {
    let mut message = *Message::find("cam-mandatory").unwrap();
    message.id = "without a vector";
    let odd = Faulty(Fault::Text { own: "other octets", reads: "" });
    let prost = roadwire_peers::find("prost").unwrap();
    let engines: [Box<dyn Engine>; 3] = [Box::new(roadwire::Toed), Box::new(odd), prost];
    let gate = |engines: &[Box<dyn Engine>]| {
        let checked = gate::check(engines, &message, Rules::Protobuf, Confirmation::Needed);
        checked.into_iter().map(|one| one.gate.map(|_| ())).collect::<Vec<_>>()
    };
    let all = gate(&engines);
    assert!(matches!(all[..], [Ok(()), Err(Refusal::Failed(_)), Ok(())]), "{all:?}");
    // Of two that differ, neither is known to be right.
    let two = gate(&engines[..2]);
    assert!(matches!(two[..], [Err(Refusal::Failed(_)), Err(Refusal::Failed(_))]), "{two:?}");
}

/// Of text, which has many forms, each has to read what the other writes.
#[test]
fn texts_are_confirmed_where_each_reads_the_other() {
    let mut message = *Message::find("cam-mandatory").unwrap();
    message.id = "without a vector";
    let (short, long) = ("<a/>", "<a></a>");
    let confirmed = |first: bool, second: bool| {
        let text = |own, other, reads| -> Box<dyn Engine> {
            Box::new(Faulty(Fault::Text { own, reads: if reads { other } else { own } }))
        };
        let engines = [text(short, long, first), text(long, short, second)];
        gate::check(&engines, &message, Rules::Xer, Confirmation::Needed)
            .iter()
            .map(|one| one.gate.is_ok())
            .collect::<Vec<_>>()
    };
    assert_eq!(confirmed(true, true), [true, true]);
    assert_eq!([confirmed(true, false), confirmed(false, true), confirmed(false, false)].concat(), [false; 6]);
}

/// For every message of the studies, short and long, under all its rules: only the cells that the
/// study lists are unconfirmed, and none of ours is absent. asn1c reads XER without its last line
/// feed.
#[test]
fn a_text_without_the_white_space_at_its_end_is_not_truncated() {
    let mut message = *Message::find("cam-mandatory").unwrap();
    message.id = "without a vector";
    let gate = |own, other| {
        let engines: [Box<dyn Engine>; 2] = [
            Box::new(Faulty(Fault::Text { own, reads: other })),
            Box::new(Faulty(Fault::Text { own: other, reads: own })),
        ];
        gate::check(&engines, &message, Rules::Xer, Confirmation::Needed)
            .swap_remove(0)
            .gate
            .map_err(|why| why.to_string())
    };
    assert_eq!(gate("<a/>\n", "<a/>").map(|passed| passed.octets), Ok(5));
    let truncated = gate("<a/>.", "<a/>").unwrap_err();
    assert_eq!(truncated, "accepts the first 4 of 5 octets");
}

#[test]
fn our_own_codecs_have_every_cell_of_the_studies_and_are_confirmed_but_where_listed() {
    let engines = roadwire_peers::all();
    for study in study::all().unwrap() {
        let mut alone = Vec::new();
        for message in study.messages.iter().map(|name| Message::find(name).unwrap()) {
            for rules in study.rules.iter().copied().filter(|rules| message.under(*rules).is_some()) {
                // Without the truncated inputs that the gate tries, which take long here.
                let octets = |engine: &dyn Engine| engine.cell(message, rules).map(|mut cell| cell.bytes());
                let others = engines.iter().filter(|engine| engine.origin() != roadwire::Toed.origin());
                let ours = octets(&roadwire::Toed).ok().and_then(Result::ok).unwrap_or_default();
                let on_file = confirmed::on_file(message.id, rules, &ours);
                assert!(on_file.is_ok(), "{}, {rules}: {on_file:?}", message.id);
                let is_alone = message.vector(rules).is_none()
                    && on_file == Ok(None)
                    && !others.into_iter().any(|engine| octets(engine.as_ref()).is_ok());
                if is_alone {
                    alone.push(format!("{}:{rules}", message.id));
                }
                for own in [&roadwire::Toed as &dyn Engine, &roadwire::Soed] {
                    assert!(matches!(octets(own), Ok(Ok(_))), "{}, {} in {rules}", own.name(), message.id);
                }
            }
        }
        assert_eq!(alone, study.alone, "{}", study.name);
    }
}

/// A correct codec with a wrong number of calls.
struct Lazy {
    cell: Box<dyn Cell>,
    /// Half of the calls are not made.
    half: bool,
}

impl Cell for Lazy {
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        self.cell.bytes()
    }
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        self.cell.recode(before, octets)
    }
    fn batch(&mut self, direction: Direction, count: u64) -> Done {
        self.cell.batch(direction, if self.half { count / 2 } else { count })
    }
    fn probe(&mut self, direction: Direction, watch: roadwire_measure::cell::Watch<'_>) -> Result<(), String> {
        self.cell.probe(direction, watch)
    }
    fn message_size(&self) -> Option<usize> {
        self.cell.message_size()
    }
}

fn timed(cell: Box<dyn Cell>) -> Vec<Option<String>> {
    let entries = Direction::ALL.map(|direction| Entry { cell: 0, direction });
    let plan = Plan { rounds: 2, sample: 20_000.0 };
    let samples = timing::measure(&mut [cell], &entries, plan, &mut Random::new(1), &mut |_| {});
    samples.into_iter().map(|samples| samples.fault).collect()
}

/// Every loop of the laboratory, with correct codecs: the expected numbers of calls and octets.
#[test]
fn timed_loops_do_what_they_are_asked_for() {
    for id in ["cam-mandatory", "envelope-cam-certificate-2015"] {
        let message = Message::find(id).unwrap();
        for engine in roadwire_peers::all() {
            for rules in [Rules::Uper, Rules::Protobuf, Rules::Tls] {
                if message.under(rules).is_none() {
                    continue;
                }
                let Ok(mut cell) = engine.cell(message, rules) else { continue };
                let octets = cell.bytes().unwrap().len() as u64;
                for direction in Direction::ALL {
                    let wanted = Done { calls: 7, octets: 7 * octets };
                    assert_eq!(
                        cell.batch(direction, 7),
                        wanted,
                        "{}, {id} in {rules}, {}",
                        engine.name(),
                        direction.name()
                    );
                    cell.probe(direction, &mut |work| (0..3).for_each(|_| work())).unwrap();
                }
                assert_eq!(timed(cell), [None, None]);
            }
        }
    }
}

#[test]
fn a_loop_that_does_half_the_work_is_noticed() {
    let cell = || Rasn.cell(Message::find("cam-mandatory").unwrap(), Rules::Uper).unwrap();
    assert_eq!(timed(Box::new(Lazy { cell: cell(), half: false })), [None, None]);
    for fault in timed(Box::new(Lazy { cell: cell(), half: true })) {
        assert!(fault.is_some_and(|why| why.contains("succeeded, not")));
    }
}

/// A refusal does not count as decoding, however fast.
#[test]
fn a_codec_that_refuses_is_not_timed() {
    let message = Message::find("cam-mandatory").unwrap();
    let cell = || Faulty(Fault::RefusesItsOwn).cell(message, Rules::Uper).unwrap();
    let faults = timed(cell());
    assert_eq!(faults[0], None);
    assert!(
        faults[1].as_ref().is_some_and(|why| why.contains("0 calls with 0 octets succeeded, not 1 with 41")),
        "{faults:?}"
    );
    let why = cell().probe(Direction::Decode, &mut |work| work()).unwrap_err();
    assert!(why.contains("0 calls"), "{why}");
    assert_eq!(cell().probe(Direction::Encode, &mut |work| work()), Ok(()));
}
