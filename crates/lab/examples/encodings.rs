//! Prints the CAM and DENM of the study `encodings` for `interop/today.py`: schema, type, rules,
//! name, octets and JER.
//!
//! With the argument `read`: reads lines of message, rules and octets, and prints the octets that
//! our codec writes after it has read these.

use std::io;

use roadwire_lab::study;
use roadwire_layout::Rules;
use roadwire_measure::cell::Cell;
use roadwire_peers::content::{Message, shipped};
use roadwire_peers::roadwire::Toed;
use roadwire_peers::{Engine, hex};

fn main() -> Result<(), String> {
    if std::env::args().nth(1).as_deref() == Some("read") {
        return io::stdin().lines().try_for_each(|line| read(&line.map_err(|error| error.to_string())?));
    }
    let studies = study::all()?;
    let study = studies.iter().find(|one| one.name == "encodings").ok_or("the study is gone")?;
    for message in study.messages.iter().filter_map(|name| Message::find(name)) {
        let (schema, _) = shipped(message.schema.name())?;
        for &rules in &study.rules {
            let octets = hex::encode(&cell(message, rules)?.bytes()?);
            println!("{} {} {rules} {} {octets} {}", message.schema, schema.pdu(), message.id, message.jer());
        }
    }
    Ok(())
}

fn cell(message: &Message, rules: Rules) -> Result<Box<dyn Cell>, String> {
    Toed.cell(message, rules).map_err(|absent| absent.0)
}

fn read(line: &str) -> Result<(), String> {
    let mut words = line.split(' ');
    let mut word = || words.next().ok_or("a line has message, rules and octets");
    let (message, rules, octets) = (word()?, word()?, word()?);
    let message = Message::find(message).ok_or("no such message")?;
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    let octets = hex::decode(octets).ok_or("not hex digits")?;
    match cell(message, rules)?.recode(&[], &octets) {
        Ok(again) => println!("{}", hex::encode(&again)),
        Err(why) => println!("error: {why}"),
    }
    Ok(())
}
