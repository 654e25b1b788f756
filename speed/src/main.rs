//! The same messages through code that roadwire and rasn's compiler generated, in one run: octets are compared first, then processor time is taken in turns.

#[allow(warnings)]
#[path = ""]
mod roadwire {
    include!(concat!(env!("OUT_DIR"), "/roadwire.rs"));
}
#[allow(warnings)]
#[path = ""]
mod theirs {
    include!(concat!(env!("OUT_DIR"), "/rasn.rs"));
}

mod least;

use std::hint::black_box;

use roadwire_engine::Message;
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Rules, Uper, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId};

/// Random messages of each type.
const MESSAGES: usize = 100;

fn main() {
    let text = include_str!(env!("RRC_MODULE"));
    let model = compile(&[Source::new("rrc.asn", text)]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    println!("{MESSAGES} random messages of each type, nanoseconds of processor time for one");
    println!(
        "{:24} {:>7} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}",
        "", "octets", "encode", "rasn", "times", "decode", "rasn", "times"
    );
    macro_rules! compare {
        ($name:expr, $rust:ty, $rasn:ty) => {
            let messages = messages(&model, $name);
            let ours: Vec<_> = messages.iter().map(|octets| decoded::<$rust>(octets)).collect();
            let others: Vec<$rasn> = messages
                .iter()
                .map(|octets| rasn::uper::decode(octets).unwrap_or_else(|error| panic!("{}: rasn: {error}", $name)))
                .collect();
            let mut buffer = vec![0; 1 << 16];
            for ((octets, one), other) in messages.iter().zip(&ours).zip(&others) {
                let count = Message::<Uper>::encode(one, &mut buffer).expect("roadwire encodes");
                assert_eq!(buffer[..count], octets[..], "{}: roadwire", $name);
                assert_eq!(rasn::uper::encode(other).expect("rasn encodes"), *octets, "{}: rasn", $name);
            }
            let mut place = <$rust>::default();
            let [encode, rasn_encode, decode, rasn_decode] = least::times([
                &mut || {
                    ours.iter().for_each(|one| drop(black_box(Message::<Uper>::encode(black_box(one), &mut buffer))))
                },
                &mut || others.iter().for_each(|one| drop(black_box(rasn::uper::encode(black_box(one))))),
                &mut || {
                    messages.iter().for_each(|one| drop(black_box(Message::<Uper>::decode(&mut place, black_box(one)))))
                },
                &mut || messages.iter().for_each(|one| drop(black_box(rasn::uper::decode::<$rasn>(black_box(one))))),
            ])
            .map(|time| time / MESSAGES as f64);
            let octets = messages.iter().map(Vec::len).sum::<usize>() as f64 / MESSAGES as f64;
            println!(
                "{:24} {octets:7.1} {encode:9.1} {rasn_encode:9.1} {:6.1} {decode:9.1} {rasn_decode:9.1} {:6.1}",
                $name,
                rasn_encode / encode,
                rasn_decode / decode
            );
        };
    }
    include!(concat!(env!("OUT_DIR"), "/calls.rs"));
}

/// Random messages, as the interpreter encodes them.
fn messages(model: &Model, name: &str) -> Vec<Vec<u8>> {
    let module = &model.definitions.keys().next().expect("a definition").module;
    let id: TypeId = model.find(&format!("{module}.{name}")).expect("a type of the module");
    let settings = Settings { contents: false, extensions: 0, max_elements: 4, max_length: 20, ..Settings::default() };
    let (generator, mut rng) = (Generator::new(model, settings), Rng::new(1));
    let layout = lower_without_contents(model, id, Rules::Uper).expect("a layout");
    (0..MESSAGES)
        .map(|_| {
            roadwire_engine::encode_to_vec(&layout, &generator.value(id, &mut rng), 1 << 16).expect("it is encoded")
        })
        .collect()
}

fn decoded<T: Message<Uper> + Default>(octets: &[u8]) -> T {
    let mut value = T::default();
    let read = Message::<Uper>::decode(&mut value, octets).unwrap_or_else(|error| panic!("roadwire: {error}"));
    assert_eq!(read.div_ceil(8), octets.len());
    value
}
