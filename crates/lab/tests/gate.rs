//! The gate refuses what must not be measured: each fault that it is there for, made on purpose.

use roadwire_lab::content::{Message, Schema};
use roadwire_lab::engine::{Absent, Bench, Cell, Codec, Engine, Kind, TimedRegion, Transcode};
use roadwire_lab::engines::rasn::Rasn;
use roadwire_lab::gate::{self, Refusal};

/// An engine that has the right octets on file and one fault.
struct Faulty(Fault);

#[derive(Clone, Copy)]
enum Fault {
    None,
    WrongOctets,
    AcceptsTruncated,
    NoRoundTrip,
    RefusesItsOwn,
    KeepsRemains,
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
        "test"
    }
    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: String::new(),
            presizing: String::new(),
            population: String::new(),
            validation: String::new(),
        }
    }
    fn cell(&self, message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent> {
        let octets = message.vector(rules).ok_or(Absent("no vector".into()))?.octets;
        Bench::boxed(Stored(self.0, octets), message)
    }
    fn transcoder(&self, _: Schema, _: &str) -> Result<Box<dyn Transcode>, Absent> {
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
    let checked = gate::check(&engines, message, "uper").swap_remove(0);
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
    let checked = gate::check(&engines, &message, "uper").swap_remove(0);
    assert_eq!(checked.gate, Err(Refusal::Alone));
}
