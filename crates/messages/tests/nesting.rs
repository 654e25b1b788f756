//! Nested data: IEEE 1609.2 nests without a bound, and every codec stops at the limit of 100
//! levels.

use std::mem::take;

use roadwire_engine::{Limits, Message};
use roadwire_layout::{Aper, Ber, Coer, Cxer, Der, Exer, Jer, Oer, RuleSet, Uper, Xer};
use roadwire_messages::ieee1609dot2_2017::{Ieee1609Dot2Content, Ieee1609Dot2Data, SignedData};
use roadwire_model::Value;
use roadwire_wire::Writer;

/// Levels that signed data adds around its payload's data: itself, its content, the signed data,
/// the data to be signed, the payload.
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

/// The octets before the inner data, repeated as in an attack, and then more octets.
fn bits(level: &str) -> Vec<u8> {
    let mut octets = vec![0; 4096];
    let mut writer = Writer::new(&mut octets);
    for bit in level.repeat(ATTACK).bytes() {
        writer.put_bit(bit == b'1').unwrap();
    }
    writer.flush().unwrap();
    octets
}

/// Text, or octets, that begin with the outermost data's `start`.
fn levels(start: impl AsRef<[u8]>, level: impl AsRef<[u8]>) -> Vec<u8> {
    [start.as_ref(), &level.as_ref().repeat(ATTACK)].concat()
}

fn check<E: RuleSet>(octets: &[u8])
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
    let layout = <Ieee1609Dot2Data as Message<E>>::layout();
    let mut data = Ieee1609Dot2Data::default();
    let errors = [
        told(Message::<E>::decode(&mut data, octets).unwrap_err()),
        told(roadwire_engine::decode(layout, octets, &mut data).unwrap_err()),
        told(roadwire_engine::decode(layout, octets, &mut Value::Unset).unwrap_err()),
    ];
    for error in errors {
        assert!(error.contains("nested deeper than the limit of 100 levels"), "{rules}: {error}");
        assert!(error.contains("….payload.data.content.signedData.tbsData.payload.data"), "{rules}: {error}");
    }
}

/// The root alternative 1 of 4, hash algorithm 0, the payload's data and no hash.
#[test]
fn levels_are_limited_in_per() {
    let octets = bits("0010010");
    check::<Uper>(&octets);
    check::<Aper>(&octets);
}

/// The version, the alternative's tag, the hash algorithm, and a preamble that has the payload's
/// data.
#[test]
fn levels_are_limited_in_oer() {
    let octets = bits("00000011100000010000000001000000");
    check::<Oer>(&octets);
    check::<Coer>(&octets);
}

/// Constructions without an end: version, content and its alternative, hash algorithm, what is to
/// be signed, payload, data.
#[test]
fn levels_are_limited_in_ber() {
    let level = b"\x80\x01\x03\xa1\x80\xa1\x80\x80\x01\x00\xa1\x80\xa0\x80\xa0\x80";
    let octets = levels(b"\x30\x80", level);
    check::<Ber>(&octets);
    check::<Der>(&octets);
}

#[test]
fn levels_are_limited_in_xer() {
    let level =
        "<protocolVersion>3</protocolVersion><content><signedData><hashId><sha256/></hashId><tbsData><payload><data>";
    let octets = levels("<Ieee1609Dot2Data>", level);
    check::<Xer>(&octets);
    check::<Cxer>(&octets);
    check::<Exer>(&octets);
}

#[test]
fn levels_are_limited_in_jer() {
    let level = r#"{"protocolVersion":3,"content":{"signedData":{"hashId":"sha256","tbsData":{"payload":{"data":"#;
    check::<Jer>(&levels("", level));
}
