//! Mandatory CAM and VAM of release 2 beside a CAM of release 1 in UPER: time for each octet.

use std::hint::black_box;

use roadwire::{Encoded, Message, Schema, Uper, cam_1_4_1, cam_2_3_1, vam_2_3_1};
use roadwire_engine::encode_to_vec;
use roadwire_layout::{Rules, lower};
use roadwire_model::random::{Generator, Rng, Settings};

#[path = "../../../src/least.rs"]
mod least;

/// Random values of each message, without any optional component.
const MESSAGES: usize = 100;

fn main() {
    let first = show::<cam_1_4_1::Cam>("cam-1.4.1", None);
    show::<cam_2_3_1::Cam>("cam-2.3.1", Some(first));
    show::<vam_2_3_1::Vam>("vam-2.3.1", Some(first));
}

/// Prints the times of a message; returns those for one octet.
fn show<T: Encoded + Message<Uper> + Default>(schema: &str, first: Option<[f64; 2]>) -> [f64; 2] {
    let messages = messages(schema);
    let values: Vec<T> = messages.iter().map(|octets| T::from_octets::<Uper>(octets).expect("it is decoded")).collect();
    let (mut buffer, mut place) = (vec![0; 1 << 12], T::default());
    for (octets, value) in messages.iter().zip(&values) {
        assert_eq!(value.to_octets::<Uper>().expect("it is encoded"), *octets);
    }
    let octets = messages.iter().map(Vec::len).sum::<usize>() as f64;
    let [encode, decode] = least::times([
        &mut || values.iter().for_each(|one| drop(black_box(Message::<Uper>::encode(black_box(one), &mut buffer)))),
        &mut || messages.iter().for_each(|one| drop(black_box(Message::<Uper>::decode(&mut place, black_box(one))))),
    ])
    .map(|time| time / octets);
    let count = MESSAGES as f64;
    print!(
        "{schema}: {:.1} octets, encode {:.1} ns, decode {:.1} ns",
        octets / count,
        encode * octets / count,
        decode * octets / count
    );
    println!(
        "; for one octet {encode:.3} and {decode:.3} ns{}",
        first.map_or(String::new(), |first| format!(": {:.2} and {:.2} times", encode / first[0], decode / first[1]))
    );
    [encode, decode]
}

/// Messages as the interpreter encodes them.
fn messages(schema: &str) -> Vec<Vec<u8>> {
    let schema = Schema::shipped(schema).expect("a shipped schema");
    let (model, id) = (schema.model(), schema.find(None).expect("its message"));
    let layout = lower(model, id, Rules::Uper).expect("a layout");
    let settings = Settings { optional: 0, extensions: 0, ..Settings::default() };
    let (generator, mut rng) = (Generator::new(model, settings), Rng::new(1));
    (0..MESSAGES)
        .map(|_| encode_to_vec(&layout, &generator.value(id, &mut rng), 1 << 12).expect("it is encoded"))
        .collect()
}
