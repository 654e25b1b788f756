//! Open types with tables (X.682 §10) in generated code: enums of the types in the table, which
//! straight-line code and the interpreter fill and read alike.

use std::fmt::Debug;

use roadwire_engine::Message;
use roadwire_layout::{
    Aper, Ber, Cbor, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiFlat, ExiMerged, ExiSplit, Family, Jer, Oer,
    Protobuf, RuleSet, Rules, Uper, Xer, lower,
};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_notation::Notation;
use roadwire_sink::open::{self, Colour, FixedValue, LateValue, MessageFieldsElementValue, Motion, ParcelValue};
use roadwire_sink::open_functions;
use roadwire_wire::ErrorKind;

const ROOM: usize = 1 << 16;

fn model() -> (Model, TypeId) {
    let source = roadwire_asn1::Source::new("open.asn", roadwire_sink::OPEN);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("Open.Message").unwrap();
    (model, root)
}

macro_rules! agree {
    ($($test:ident $message:path: $($rules:ident $encoded:literal $decoded:literal)*;)*) => { $(
        #[test]
        fn $test() {
            $(agree::<$message, $rules>($encoded, $decoded);)*
        }
    )* };
}

// How many of 1000 values straight-line code encodes and decodes at least. Where lists of open
// types have functions of their own, these lists are the interpreter's.
agree! {
    packed open::Message: Uper 1000 1000 Aper 1000 1000;
    octet open::Message: Oer 1000 1000 Coer 1000 1000;
    tlv open::Message: Ber 1000 1000 Der 1000 1000 Cer 1000 1000;
    fields open::Message: Protobuf 1000 1000;
    events open::Message: Exi 1000 1000 ExiDefault 1000 1000 ExiMerged 1000 1000 ExiFlat 1000 1000 ExiSplit 1000 1000;
    xml open::Message: Xer 1000 1000 Cxer 1000 1000 Exer 1000 1000;
    json open::Message: Jer 1000 1000;
    cbor open::Message: Cbor 1000 1000;
    functions_packed open_functions::Message: Uper 683 520 Aper 680 513;
    functions_octet open_functions::Message: Oer 680 513 Coer 680 513;
    functions_tlv open_functions::Message: Ber 680 513 Der 680 513 Cer 680 513;
    functions_fields open_functions::Message: Protobuf 513 513;
    functions_events open_functions::Message: Exi 1000 1000 ExiDefault 1000 1000 ExiMerged 1000 1000 ExiFlat 1000 1000 ExiSplit 1000 1000;
    functions_xml open_functions::Message: Xer 513 513 Cxer 513 513 Exer 513 513;
    functions_json open_functions::Message: Jer 513 513;
    functions_cbor open_functions::Message: Cbor 513 513;
}

/// Random values with known and unknown identifiers: generated code, the interpreter over generated
/// types and the one over values agree; so they do on changed octets.
fn agree<M: Message<E> + Default + PartialEq + Debug, E: RuleSet>(least_encoded: usize, least_decoded: usize) {
    let rules = E::RULES;
    let (model, root) = model();
    let layout = lower(&model, root, rules).unwrap();
    assert_eq!(layout, *M::layout(), "the tables are the layout");
    let settings = Settings { open_types: true, integer_bits: 62, extensions: 0, unknown: 0, ..Settings::default() };
    let generator = Generator::new(&model, Settings { tagged: rules != Rules::Uper, ..settings });
    let mut rng = Rng::new(20_261_125);
    let (mut output, mut counts, mut taken) = (vec![0; ROOM], [0; 2], 0);
    let values = std::iter::repeat_with(|| generator.try_value(root, &mut rng)).flatten();
    let encoded = values.filter_map(|value| roadwire_engine::encode_to_vec(&layout, &value, ROOM).ok());
    // An element of a list of open types is in XER text or an element, of which one alone is read
    // again.
    let pool: Vec<Vec<u8>> = encoded
        .filter(|octets| {
            let is_read = roadwire_engine::decode(&layout, octets, &mut Value::Unset).is_ok();
            assert!(is_read || rules.family() == Family::Xml, "{rules}");
            is_read
        })
        .take(1000)
        .collect();
    for octets in &pool {
        let mut message = M::default();
        let straight = message.decode_fast(octets).is_ok();
        let mut value = Value::Unset;
        assert_eq!(M::default().decode(octets), roadwire_engine::decode(&layout, octets, &mut value), "{value:?}");
        if !straight {
            message = M::default();
            message.decode(octets).unwrap();
        }
        let mut interpreted = M::default();
        roadwire_engine::decode(&layout, octets, &mut interpreted).unwrap();
        assert_eq!(message, interpreted);
        assert!(equal(&model, root, &value, &message), "{value:?} is not {message:?}");
        assert_eq!(message.check(), Ok(()));
        let length = message.encode(&mut output).unwrap_or_else(|error| panic!("{error}: {message:?}"));
        assert_eq!(output[..length], *octets, "{message:?}");
        let length = roadwire_engine::encode(&layout, &message, &mut output).unwrap();
        assert_eq!(output[..length], *octets, "{message:?}");
        counts[0] += usize::from(message.encode_fast(&mut output).is_ok());
        counts[1] += usize::from(straight);
    }
    println!("{rules}: straight-line code encoded {} and decoded {} of 1000 values", counts[0], counts[1]);
    assert!(counts[0] >= least_encoded && counts[1] >= least_decoded, "{rules}: {counts:?}");
    for _ in 0..2000 {
        let mut octets = pool[rng.below(1000) as usize].clone();
        let at = rng.below(octets.len().max(1) as u64) as usize;
        match rng.below(8) {
            0 => octets.truncate(at),
            _ => octets.get_mut(at).into_iter().for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
        let (mut value, mut message) = (Value::Unset, M::default());
        let wanted = roadwire_engine::decode(&layout, &octets, &mut value);
        // Without the check of constraints that no encoding sees, which one of the types makes when
        // it is decoded.
        let found = roadwire_engine::decode(M::layout(), &octets, &mut message);
        let is_wide = |result: &Result<usize, _>| {
            matches!(result, Err(roadwire_wire::Error { kind: ErrorKind::IntegerWidth, .. }))
        };
        if is_wide(&wanted) || is_wide(&found) {
            continue;
        }
        assert_eq!(found, wanted, "{octets:02x?} {value:?}");
        let mut straight = M::default();
        if straight.decode_fast(&octets).is_ok() {
            assert!(wanted.is_ok() && straight == message, "{octets:02x?}");
        }
        if wanted.is_err() {
            continue;
        }
        taken += 1;
        assert!(equal(&model, root, &value, &message), "{value:?} is not {message:?}");
        let broken = check::constraints(&model, root, &value);
        match (message.check(), broken.first()) {
            (Ok(()), None) => {
                let again =
                    roadwire_engine::encode(&layout, &value, &mut output).map(|length| output[..length].to_vec());
                assert_eq!(message.encode(&mut output).map(|length| output[..length].to_vec()), again);
            }
            (Err(error), Some(first)) => {
                assert_eq!(
                    (error.kind.to_string(), error.path.to_string()),
                    (first.message.clone(), first.path.clone())
                );
            }
            (kept, _) => panic!("{kept:?}, and {broken:?}: {message:?}"),
        }
    }
    println!("{rules}: {taken} of 2000 changed encodings are accepted");
}

/// A message as text, as the type.
fn read(text: &str) -> open::Message {
    let (model, root) = model();
    let mut message = open::Message::default();
    Notation::new(&model, root).unwrap().read_into(text, &mut message).unwrap();
    message
}

#[test]
fn contents_are_values_of_their_types() {
    let mut message = read(r#"{"parcel": {"id": 1, "value": {"speed": 1200, "lane": 3}}, "attributes": []}"#);
    let ParcelValue::Motion(motion) = &mut message.parcel.as_mut().unwrap().value else { panic!("{message:?}") };
    assert_eq!((motion.speed, motion.lane), (1200, Some(3)));
    motion.speed = 1;
    let octets = Message::<Uper>::encode_to_vec(&message, ROOM).unwrap();
    // Extension bit, 8 presence bits; 1 in 8 bits; 3 octets: extension bit, presence bit, speed,
    // lane; no attributes.
    assert_eq!(octets, [0b0100_0000, 0b0000_0000, 0b1000_0001, 0b1010_0000, 0b0000_0000, 0b1001_0000, 0b0000_0000]);
    let mut back = open::Message::default();
    Message::<Uper>::decode(&mut back, &octets).unwrap();
    assert_eq!(back, message);
    let text = Message::<Jer>::encode_to_vec(&message, ROOM).unwrap();
    assert_eq!(text, br#"{"parcel":{"id":1,"value":{"speed":1,"lane":3}},"attributes":[]}"#);
}

/// Under all rules, and where the interpreter decodes.
#[test]
fn contents_of_unknown_identifiers_stay_as_they_are() {
    fn survive<E: RuleSet>(octets: &[u8])
    where
        open::Message: Message<E>,
    {
        let mut message = open::Message::default();
        let parcel = message.parcel.get_or_insert_default();
        parcel.id = 77;
        parcel.value = ParcelValue::Octets(roadwire_wire::OctetString(octets.to_vec()));
        let encoded = Message::<E>::encode_to_vec(&message, ROOM).unwrap();
        let (mut one, mut other) = (open::Message::default(), open::Message::default());
        Message::<E>::decode(&mut one, &encoded).unwrap();
        roadwire_engine::decode(<open::Message as Message<E>>::layout(), &encoded, &mut other).unwrap();
        assert_eq!([one, other], [message.clone(), message], "{}", E::RULES);
    }
    macro_rules! survive {
        ($octets:expr, $($rules:ident)*) => { $(survive::<$rules>($octets);)* };
    }
    survive!(&[0xc0, 0xff, 0xee], Uper Aper Oer Coer Protobuf Xer Cxer Exer Jer Exi ExiDefault ExiMerged ExiFlat ExiSplit);
    survive!(&[0x04, 0x01, 0xee], Ber Der Cer);
    survive!(&[0x43, 0xc0, 0xff, 0xee], Cbor);
}

/// In JER, octets where the type is known are in an object of their own.
#[test]
fn octets_of_a_known_type_are_told_apart_in_jer() {
    let mut message = open::Message::default();
    let parcel = message.parcel.get_or_insert_default();
    parcel.id = 1;
    parcel.value = ParcelValue::Octets(roadwire_wire::OctetString(vec![0xc0]));
    let text = Message::<Jer>::encode_to_vec(&message, ROOM).unwrap();
    assert_eq!(text, br#"{"parcel":{"id":1,"value":{"...":"C0"}},"attributes":[]}"#);
    let mut back = open::Message::default();
    Message::<Jer>::decode(&mut back, &text).unwrap();
    assert_eq!(back, message);
}

/// The identifier is on the wire after the open type.
#[test]
fn contents_before_their_identifier_are_octets() {
    let mut message = open::Message::default();
    let late = message.late.get_or_insert_default();
    (late.value, late.colour) = (LateValue::Motion(Motion { speed: 5, ..Motion::default() }), Colour::Blue);
    let octets = Message::<Uper>::encode_to_vec(&message, ROOM).unwrap();
    let mut back = open::Message::default();
    Message::<Uper>::decode(&mut back, &octets).unwrap();
    let content = LateValue::Octets(roadwire_wire::OctetString(vec![0, 5]));
    assert_eq!(back.late.as_ref().unwrap().value, content);
    assert_eq!(Message::<Uper>::encode_to_vec(&back, ROOM).unwrap(), octets);
    // In text, components are read in any order.
    let text = Message::<Jer>::encode_to_vec(&message, ROOM).unwrap();
    assert_eq!(text, br#"{"attributes":[],"late":{"value":{"speed":5},"colour":"blue"}}"#);
    Message::<Jer>::decode(&mut back, &text).unwrap();
    assert_eq!(back, message);
}

#[test]
fn a_content_of_another_type_than_its_identifier_selects_is_refused() {
    let mut message =
        read(r#"{"parcel": {"id": 3, "value": null}, "attributes": [], "fixed": {"value": {"speed": 7}}}"#);
    let fixed = FixedValue::Motion(Motion { speed: 7, ..Motion::default() });
    assert_eq!(message.fixed.as_ref().unwrap().value, fixed);
    message.parcel.as_mut().unwrap().value = ParcelValue::Integer(9);
    macro_rules! refused {
        ($($rules:ident)*) => { $({
            let error = Message::<$rules>::encode_to_vec(&message, ROOM).unwrap_err();
            assert_eq!(error.path.to_string(), "parcel.value", "{}: {error}", <$rules>::RULES);
        })* };
    }
    // In EXI, the name of the element selects the type, whatever the identifier.
    refused!(Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Cbor);
    // 3 is NULL, which has no bits: the octet of an open type, and another one.
    let octets = [0b0100_0000, 0b0000_0001, 0b1000_0001, 0b0000_0000, 0b0000_0000, 0];
    let error = Message::<Uper>::decode(&mut message, &octets).unwrap_err();
    assert_eq!(error.kind.code(), "open-type.trailing", "{error}");
}

/// The constraint is in a type that only the table reaches.
#[test]
fn constraints_of_contents_are_checked() {
    let text = r#"{"attributes": [], "fields": [{"id": 12, "criticality": "ignore", "value": {"number": 8}}]}"#;
    let mut message = read(text);
    assert!(Message::<Uper>::encode_to_vec(&message, ROOM).is_ok());
    let MessageFieldsElementValue::Even(even) = &mut message.fields.as_mut().unwrap()[0].value else { panic!() };
    even.number = 9;
    let error = Message::<Uper>::encode_to_vec(&message, ROOM).unwrap_err();
    let (model, root) = model();
    let found = check::constraints(&model, root, &message);
    assert_eq!(error.path.to_string(), "fields[0].value.number");
    assert_eq!((error.kind.to_string(), error.path.to_string()), (found[0].message.clone(), found[0].path.clone()));
}
