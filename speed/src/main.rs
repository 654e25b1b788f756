//! The same messages through code that roadwire and rasn's compiler generated, in one run: octets
//! are compared first, then processor time is taken in turns. With the program that `asn1c.c` and
//! asn1c's code make as an argument, that one has its turn after each type.

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

mod asn1c;
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
    let program = std::env::args().nth(1);
    println!("{MESSAGES} random messages of each type, nanoseconds of processor time for one");
    println!(
        "{:24} {:>7} {:>9} {:>9} {:>6} {:>9} {:>6} {:>9} {:>9} {:>6} {:>9} {:>6}",
        "", "octets", "encode", "rasn", "times", "asn1c", "times", "decode", "rasn", "times", "asn1c", "times"
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
            let theirs = program.as_ref().map(|program| asn1c::times(program, $name, &messages));
            let [asn1c_encode, asn1c_decode] =
                theirs.as_ref().map_or([f64::NAN; 2], |theirs| [theirs.encode, theirs.decode]);
            print!("{:24} {octets:7.1}", $name);
            for [ours, rasn, asn1c] in [[encode, rasn_encode, asn1c_encode], [decode, rasn_decode, asn1c_decode]] {
                print!(" {ours:9.1} {rasn:9.1} {:6.1} {asn1c:9.1} {:6.1}", rasn / ours, asn1c / ours);
            }
            println!();
            if let Some(theirs) = theirs.filter(|theirs| theirs.same < messages.len()) {
                println!(
                    "    asn1c decodes {} of {MESSAGES} messages, and encodes {} of these into the same octets; its times are theirs",
                    theirs.decoded, theirs.same
                );
            }
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
