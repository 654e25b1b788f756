//! The interpreter's time for messages of a module from outside.
//!
//!     interpreter values RULES TYPE COUNT FILE...    so many random messages, one on each line in hexadecimal
//!     interpreter time RULES TYPE FILE...            reads such lines; prints nanoseconds of processor time for one message, decoding and encoding
//!
//! A message is decoded into a value of the type, its open types included, and this value is
//! encoded.

use std::error::Error;
use std::hint::black_box;
use std::io::stdin;

use roadwire_engine::{decode, encode, encode_to_vec};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, lower};
use roadwire_model::Value;
use roadwire_model::random::{Generator, Rng, Settings};

#[path = "../../../src/least.rs"]
mod least;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, rules, name, rest @ ..] = &arguments[..] else { return Err("values or time, rules, and a type".into()) };
    let is_time = what == "time";
    let (count, files) = match (is_time, rest) {
        (true, files) => (0, files),
        (false, [count, files @ ..]) => (count.parse()?, files),
        (false, []) => return Err("how many values?".into()),
    };
    let texts: Vec<String> = files.iter().map(std::fs::read_to_string).collect::<Result<_, _>>()?;
    let sources: Vec<Source> =
        files.iter().zip(&texts).map(|(file, text)| Source::new(file.as_str(), text.as_str())).collect();
    let model = compile(&sources).map_err(|found| found.render())?.model;
    let id = model.find(name).ok_or("there is no such type")?;
    let layout = lower(&model, id, rules.parse::<Rules>()?)?;
    if !is_time {
        let settings =
            Settings { open_types: true, extensions: 0, max_elements: 4, max_length: 20, ..Settings::default() };
        let (generator, mut rng) = (Generator::new(&model, settings), Rng::new(1));
        for _ in 0..count {
            let octets =
                encode_to_vec(&layout, &generator.value(id, &mut rng), 1 << 20).map_err(|error| error.to_string())?;
            println!("{}", octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>());
        }
        return Ok(());
    }
    let mut messages = Vec::new();
    for line in stdin().lines() {
        let line = line?;
        let octets: Result<Vec<u8>, _> =
            (0..line.len() / 2).map(|at| u8::from_str_radix(&line[2 * at..2 * at + 2], 16)).collect();
        messages.push(octets?);
    }
    let mut buffer = vec![0; 1 << 20];
    let mut values = vec![Value::Unset; messages.len()];
    for (octets, value) in messages.iter().zip(&mut values) {
        decode(&layout, octets, value).map_err(|error| error.to_string())?;
        let count = encode(&layout, value, &mut buffer).map_err(|error| error.to_string())?;
        assert_eq!(buffer[..count], octets[..]);
    }
    let times = least::times([
        // Into an empty value, as pycrate's objects are new each time.
        &mut || messages.iter().for_each(|one| drop(black_box(decode(&layout, black_box(one), &mut Value::Unset)))),
        &mut || values.iter().for_each(|one| drop(black_box(encode(&layout, black_box(one), &mut buffer)))),
    ]);
    let [decoding, encoding] = times.map(|time| time / messages.len() as f64);
    println!("{decoding:.0} {encoding:.0}");
    Ok(())
}
