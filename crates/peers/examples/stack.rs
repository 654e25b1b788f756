//! Prints how much stack our codecs use for the messages of the ETSI studies, in octets below their
//! caller: `cargo run --release -p roadwire-peers --example stack`.
//!
//! Each figure is the maximum over all messages of the type, and over decoding into a new message
//! and into one that was filled before. Exit code 1: straight-line code uses more than `LIMIT` to
//! decode an envelope. A build without optimisation has no limit.

use std::hint::black_box;
use std::process::ExitCode;

use roadwire_engine::Message as Generated;
use roadwire_layout::{
    Aper, Ber, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiFlat, ExiMerged, ExiSplit, Jer, Oer, Protobuf, RuleSet,
    Tls, Uper, Xer,
};
use roadwire_measure::stack;
use roadwire_messages::{cam_1_4_1, denm_1_3_1, ts103097_1_1_1 as binary};
use roadwire_papers::etsi_envelope_2015 as asn1;
use roadwire_peers::Engine;
use roadwire_peers::content::{MESSAGES, Message, Schema};
use roadwire_peers::roadwire::{ROOM, Toed};

/// The most octets of stack that straight-line code may use to decode an envelope.
const LIMIT: usize = 2047;

fn main() -> ExitCode {
    match table() {
        Ok(most) if most <= LIMIT || cfg!(debug_assertions) => ExitCode::SUCCESS,
        Ok(most) => {
            eprintln!("error: decoding an envelope takes {most} octets of stack, above {LIMIT}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Prints the table, and returns how much stack straight-line code uses to decode an envelope.
fn table() -> Result<usize, String> {
    println!("| message | rules | encode | decode | interpreter: encode | interpreter: decode |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let mut most = 0;
    macro_rules! rows {
        ($what:literal, [$($schema:ident)*], $type:ty, $($rules:ident)*) => {
            let schemas = [$(Schema::$schema),*];
            $(most = most.max(row::<$type, $rules>($what, &schemas)?);)*
        };
    }
    rows!("CAM", [Cam141], cam_1_4_1::Cam, Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit);
    rows!("DENM", [Denm120 Denm131], denm_1_3_1::Denm, Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit);
    most = 0;
    rows!("envelope 2014", [Envelope2014], asn1::SecuredMessage2014, Uper Protobuf Exi ExiDefault ExiMerged ExiFlat);
    rows!("envelope 2015", [Envelope2015], asn1::SecuredMessage, Uper Protobuf Exi ExiDefault ExiMerged ExiFlat);
    rows!("envelope", [Envelope111], binary::SecuredMessage, Tls);
    Ok(most)
}

/// Prints one type's row, and returns how much stack straight-line code uses to decode it.
fn row<M: Generated<E> + Default + Send + Sync, E: RuleSet>(what: &str, schemas: &[Schema]) -> Result<usize, String> {
    let rules = E::RULES;
    let (mut used, mut messages) = ([0; 4], 0);
    let is_of = |message: &Message| schemas.contains(&message.schema);
    for message in MESSAGES.iter().filter(|message| message.under(rules).as_ref().is_some_and(is_of)) {
        let mut cell = Toed.cell(message, rules).map_err(|absent| absent.0)?;
        messages += 1;
        let octets = cell.bytes()?;
        let mut value = Box::new(M::default());
        value.decode(&octets).map_err(|error| error.to_string())?;
        let parts = [
            encoding::<M, E>(&value, |value, output| value.encode(output).is_ok()),
            decoding::<M, E>(&octets, |value, input| value.decode(input).is_ok()),
            encoding::<M, E>(&value, |value, output| roadwire_engine::encode(M::layout(), value, output).is_ok()),
            decoding::<M, E>(&octets, |value, input| roadwire_engine::decode(M::layout(), input, value).is_ok()),
        ];
        for (used, part) in used.iter_mut().zip(parts) {
            *used = part?.max(*used);
        }
    }
    if messages == 0 {
        return Err(format!("{what}: no message in {rules}"));
    }
    let [encode, decode, soed_encode, soed_decode] = used;
    println!("| {what} | {rules} | {encode} | {decode} | {soed_encode} | {soed_decode} |");
    Ok(decode)
}

fn encoding<M: Generated<E> + Sync, E>(value: &M, encode: fn(&M, &mut [u8]) -> bool) -> Result<usize, String> {
    let used = stack::measure(|watch| {
        let mut output = vec![0; ROOM];
        let mut done = true;
        watch(&mut || done &= encode(black_box(value), black_box(&mut output)));
        done.then_some(()).ok_or("a message is not encoded".into())
    });
    used?.ok_or("too deep".into())
}

fn decoding<M: Generated<E> + Default, E>(octets: &[u8], decode: fn(&mut M, &[u8]) -> bool) -> Result<usize, String> {
    let mut most = 0;
    for is_new in [true, false] {
        let used = stack::measure(|watch| {
            // The work is done twice: once without being measured.
            let mut places = [Box::new(M::default()), Box::new(M::default())];
            let (mut done, mut runs) = (true, 0);
            watch(&mut || {
                done &= decode(black_box(&mut places[if is_new { runs } else { 0 }]), black_box(octets));
                runs += 1;
            });
            done.then_some(()).ok_or("a message is not decoded".into())
        });
        most = used?.ok_or("too deep")?.max(most);
    }
    Ok(most)
}
