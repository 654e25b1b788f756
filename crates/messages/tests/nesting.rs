//! Data in data in data: IEEE 1609.2 nests without a bound, and every codec stops at the limit of 100 levels.

use std::mem::take;

use roadwire_engine::{Limits, Message};
use roadwire_layout::{Aper, Coer, RuleSet, Uper};
use roadwire_messages::ieee1609dot2_2017::{Ieee1609Dot2Content, Ieee1609Dot2Data, SignedData};
use roadwire_model::Value;
use roadwire_wire::Writer;

/// Levels that signed data adds around what it signs: itself, its content, the signed data, what is to be signed, the payload.
const LEVELS: usize = 5;
const ATTACK: usize = 150;

fn nested(times: usize) -> Ieee1609Dot2Data {
    let mut data = Ieee1609Dot2Data { protocol_version: 3, ..Ieee1609Dot2Data::default() };
    for _ in 0..times {
        let mut signed = SignedData::default();
        signed.tbs_data.payload.data = Some(Box::new(take(&mut data)));
        data = Ieee1609Dot2Data { protocol_version: 3, content: Ieee1609Dot2Content::SignedData(signed) };
    }
    data
}

/// What is in front of the data inside, so many times, and then room for more.
fn prefix(bits: &str, times: usize) -> Vec<u8> {
    let mut octets = vec![0; 4096];
    let mut writer = Writer::new(&mut octets);
    for bit in bits.repeat(times).bytes() {
        writer.put_bit(bit == b'1').unwrap();
    }
    writer.flush().unwrap();
    octets
}

fn check<E: RuleSet>(bits: &str)
where
    Ieee1609Dot2Data: Message<E>,
{
    let rules = E::RULES;
    let fits = Limits::DEPTH as usize / LEVELS - 1;
    let mut output = vec![0; 1 << 16];
    for times in [0, 1, fits] {
        let data = nested(times);
        let octets =
            Message::<E>::encode(&data, &mut output).unwrap_or_else(|error| panic!("{rules}: {times}: {error}"));
        let interpreted = roadwire_engine::encode_to_vec(<Ieee1609Dot2Data as Message<E>>::layout(), &data, 1 << 16);
        assert_eq!(interpreted.as_deref(), Ok(&output[..octets]), "{rules}: {times}");
        let mut decoded = Ieee1609Dot2Data::default();
        Message::<E>::decode(&mut decoded, &output[..octets]).unwrap_or_else(|error| panic!("{rules}: {error}"));
        assert!(decoded == data, "{rules}: {times}");
    }
    let told = |error: roadwire_wire::Error<'_>| error.to_string();
    for times in [fits + 2, ATTACK] {
        let data = nested(times);
        let error = told(Message::<E>::encode(&data, &mut output).unwrap_err());
        assert!(error.contains("nested deeper than the limit of 100 levels"), "{rules}: {error}");
    }
    let octets = prefix(bits, ATTACK);
    let layout = <Ieee1609Dot2Data as Message<E>>::layout();
    let mut data = Ieee1609Dot2Data::default();
    let errors = [
        told(Message::<E>::decode(&mut data, &octets).unwrap_err()),
        told(roadwire_engine::decode(layout, &octets, &mut data).unwrap_err()),
        told(roadwire_engine::decode(layout, &octets, &mut Value::Unset).unwrap_err()),
    ];
    for error in errors {
        assert!(error.contains("nested deeper than the limit of 100 levels"), "{rules}: {error}");
        assert!(error.contains("….payload.data.content.signedData.tbsData.payload.data"), "{rules}: {error}");
    }
}

/// The root alternative 1 of 4, hash algorithm 0, the payload's data and no hash.
#[test]
fn levels_are_limited_in_uper() {
    check::<Uper>("0010010");
}

#[test]
fn levels_are_limited_in_aper() {
    check::<Aper>("0010010");
}

/// The version, the alternative's tag, the hash algorithm, and a preamble that has the payload's data.
#[test]
fn levels_are_limited_in_coer() {
    check::<Coer>("00000011100000010000000001000000");
}
