//! The generator on constructs that CAM and DENM do not have: generated code, the interpreter over
//! generated types, and the interpreter over dynamic values agree on random values.

use std::fmt::Debug;

use roadwire_engine::Message;
use roadwire_layout::{
    Aper, Ber, Cbor, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiFlat, ExiMerged, ExiSplit, Family, Jer, Oer,
    Protobuf, RuleSet, Rules, Uper, Xer,
};
use roadwire_model::{Value, random};
use roadwire_sink::functions;
use roadwire_sink::sink::{Label, Message as Sink, Note, Signed};

fn model() -> roadwire_model::Model {
    let source = roadwire_asn1::Source::new("sink.asn", roadwire_sink::SINK);
    roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

#[test]
fn generated_code_and_interpreter_agree_on_random_values() {
    agree::<Sink, Uper>("Message", 300);
    agree::<Sink, Aper>("Message", 300);
    agree::<Sink, Oer>("Message", 600);
    agree::<Sink, Coer>("Message", 600);
    agree::<Sink, Protobuf>("Message", 600);
    agree::<Sink, Cbor>("Message", 600);
}

/// The three sets of rules of X.690, with other octets for unknown additions.
#[test]
fn generated_code_and_interpreter_agree_on_random_values_by_tag() {
    agree::<Sink, Ber>("Message", 0);
    agree::<Sink, Der>("Message", 0);
    agree::<Sink, Cer>("Message", 0);
}

/// A single string and unbounded numbers in EXI: the string is encoded directly, while a second one
/// could refer to an equal earlier one.
#[test]
fn generated_code_and_interpreter_agree_on_random_values_as_events() {
    agree::<Label, Exi>("Label", 3000);
    agree::<Label, ExiDefault>("Label", 3000);
    agree::<Label, ExiMerged>("Label", 3000);
    agree::<Label, ExiFlat>("Label", 3000);
    agree::<Label, ExiSplit>("Label", 3000);
    agree::<Note, Exi>("Note", 3000);
    agree::<Note, ExiDefault>("Note", 3000);
}

/// Each part as a separate function, in every encoding.
#[test]
fn functions_of_parts_agree_on_random_values() {
    agree::<functions::Message, Uper>("Message", 300);
    agree::<functions::Message, Aper>("Message", 300);
    agree::<functions::Message, Oer>("Message", 600);
    agree::<functions::Message, Coer>("Message", 600);
    agree::<functions::Message, Protobuf>("Message", 600);
    agree::<functions::Message, Cbor>("Message", 600);
    agree::<functions::Message, Ber>("Message", 0);
    agree::<functions::Message, Der>("Message", 0);
    agree::<functions::Message, Cer>("Message", 0);
}

#[test]
fn functions_of_parts_agree_on_random_values_as_text() {
    agree::<functions::Message, Xer>("Message", 0);
    agree::<functions::Message, Cxer>("Message", 0);
    agree::<functions::Message, Exer>("Message", 0);
    agree::<functions::Message, Jer>("Message", 0);
}

#[test]
fn functions_of_parts_agree_on_random_values_as_events() {
    agree::<functions::Message, Exi>("Message", 0);
    agree::<functions::Message, ExiDefault>("Message", 0);
    agree::<functions::Message, ExiMerged>("Message", 0);
    agree::<functions::Message, ExiFlat>("Message", 0);
    agree::<functions::Message, ExiSplit>("Message", 0);
    agree::<functions::Label, Exi>("Label", 3000);
    agree::<functions::Note, ExiDefault>("Note", 3000);
}

#[test]
fn integers_of_any_length_agree() {
    macro_rules! agree_in {
        ($($rules:ident)*) => { $(
            agree_on_integers::<Label, $rules>("Label", 0, 200);
            agree_on_integers::<Sink, $rules>("Message", 0, 200);
        )* };
    }
    agree_in!(Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit Cbor);
}

/// Open types, object identifiers, times, strings of any length, sets.
#[test]
fn what_certificates_are_made_of_agrees() {
    agree_on_integers::<Signed, Uper>("Signed", 330, 200);
    agree_on_integers::<Signed, Aper>("Signed", 330, 200);
    agree_on_integers::<Signed, Oer>("Signed", 30, 200);
    agree_on_integers::<Signed, Coer>("Signed", 30, 200);
    agree_on_integers::<Signed, Ber>("Signed", 500, 200);
    agree_on_integers::<Signed, Der>("Signed", 10, 200);
    agree_on_integers::<Signed, Cer>("Signed", 10, 200);
    agree_on_integers::<Signed, Exi>("Signed", 0, 200);
    agree_on_integers::<Signed, Xer>("Signed", 0, 200);
    agree_on_integers::<Signed, Jer>("Signed", 0, 200);
    agree_on_integers::<Signed, Protobuf>("Signed", 0, 200);
    agree_on_integers::<Signed, Cbor>("Signed", 0, 200);
    agree::<functions::Signed, Uper>("Signed", 900);
    agree::<functions::Signed, Der>("Signed", 10);
}

/// Random strings of bits are seldom whole octets, and random times seldom in UTC: here they are,
/// as in a certificate.
#[test]
fn a_certificate_goes_through_straight_line_code() {
    let text = r#"{"serial": -73786976294838206465, "algorithm": {"id": "1.2.840", "parameters": null}, "names": [[{"id": "2.5.4.3", "text": "road"}]],
        "from": "260101000000Z", "until": "20270101000000Z", "key": {"value": "04C0FFEE", "length": 32}, "lights": {"value": "50", "length": 4},
        "places": {"value": "C0", "length": 2}, "extensions": [{"critical": true, "value": "C0FFEE", "id": "1.3.36"}]}"#;
    fn straight<E: RuleSet>(text: &str)
    where
        Signed: Message<E>,
    {
        let model = model();
        let root = model.find("Sink.Signed").unwrap();
        let value = roadwire_notation::Notation::new(&model, root).unwrap().read(text).unwrap();
        let layout = roadwire_layout::lower(&model, root, E::RULES).unwrap();
        let octets = roadwire_engine::encode_to_vec(&layout, &value, 1 << 10).unwrap();
        let (mut signed, mut output) = (Signed::default(), [0; 1 << 10]);
        assert_eq!(signed.decode_fast(&octets).unwrap().div_ceil(8), octets.len(), "{}", E::RULES);
        let length = signed.encode_fast(&mut output).unwrap();
        assert_eq!(output[..length], octets, "{}", E::RULES);
    }
    straight::<Ber>(text);
    straight::<Der>(text);
    straight::<Cer>(text);
}

/// Tests the type with this name, in three ways; at least `straight` of them are encoded by
/// straight-line code.
fn agree<M, E: RuleSet>(name: &str, straight: u32)
where
    M: Message<E> + Default + PartialEq + Debug,
{
    agree_on_integers::<M, E>(name, straight, 62);
}

/// The same, with integers of up to this many bits where a type has no bound.
fn agree_on_integers<M, E: RuleSet>(name: &str, straight: u32, integer_bits: u64)
where
    M: Message<E> + Default + PartialEq + Debug,
{
    let rules = E::RULES;
    let sorted = !matches!(rules, Rules::Uper | Rules::Aper | Rules::Ber);
    let model = model();
    let root = model.find(&format!("Sink.{name}")).unwrap();
    let layout = roadwire_layout::lower(&model, root, rules).unwrap();
    assert_eq!(layout, *M::layout(), "the tables are the layout");
    let tagged = rules != Rules::Uper;
    let settings = random::Settings { integer_bits, open_types: true, tagged, ..random::Settings::default() };
    let is_partial = is_partial(rules);
    // Made-up unknown additions are neither fields nor elements, and an XML schema has no unknown
    // additions.
    let unknown = if is_partial || rules == Rules::Protobuf { 0 } else { settings.unknown };
    let extensions = if is_partial && rules != Rules::Cbor { 0 } else { settings.extensions };
    let settings = random::Settings { unknown, extensions, ..settings };
    let generator = random::Generator::new(&model, settings);
    let mut random = random::Rng::new(20_261_121);
    let (mut output, mut fast, mut carried) = (vec![0; 1 << 20], 0, 0);
    // Values of this type are large.
    let rounds = if name == "Signed" { 1000 } else { 3000 };
    for round in 0..rounds {
        let value = generator.value(root, &mut random);
        let octets = match roadwire_engine::encode_to_vec(&layout, &value, 1 << 20) {
            Ok(octets) => octets,
            Err(_) if is_partial => continue,
            Err(error) => panic!("{round}: {error}: {value:?}"),
        };
        carried += 1;
        let mut generated = M::default();
        generated.decode(&octets).unwrap_or_else(|error| panic!("{round}: {error}: {value:?}"));
        let mut interpreted = M::default();
        roadwire_engine::decode(&layout, &octets, &mut interpreted).unwrap();
        assert_eq!(generated, interpreted, "{round}");
        let length = generated.encode(&mut output).unwrap();
        assert_eq!(output[..length], octets, "{round}: generated code encodes {value:?}");
        let length = roadwire_engine::encode(&layout, &generated, &mut output).unwrap();
        assert_eq!(output[..length], octets, "{round}: the interpreter encodes {value:?}");
        fast += u32::from(generated.encode_fast(&mut output).is_ok());
        if name == "Signed" {
            // The content of an extension comes before its identifier: it comes back as octets.
            continue;
        }
        let mut back = Value::Unset;
        roadwire_engine::decode(&layout, &octets, &mut back).unwrap();
        // A SET OF has no order, but canonical rules sort it.
        let again = || roadwire_engine::encode_to_vec(&layout, &back, 1 << 20).unwrap();
        let same = roadwire_model::data::equal(&model, root, &back, &value);
        assert!(same || sorted && again() == octets, "{round}: {back:?} is not {value:?}");
    }
    assert!(
        carried > if name == "Signed" { 30 } else { 1000 },
        "{name}, {rules}: only {carried} of {rounds} values can be encoded"
    );
    // Most of these types were chosen because straight-line code leaves something in them to the
    // interpreter.
    println!("{name}, {rules}: straight-line code encoded {fast} of {rounds} values");
    assert!(fast >= straight, "{name}, {rules}: the straight-line code encoded only {fast} of {rounds} values");
}

/// Whether there are values that cannot be encoded: characters that XML and JSON do not have, and
/// numbers.
fn is_partial(rules: Rules) -> bool {
    !matches!(rules.family(), Family::Packed | Family::Octet | Family::Tlv | Family::Fields)
}

#[test]
fn absent_components_take_their_default() {
    let mut sink = Sink::default();
    // Choice 0, extension bit 0; eleven components absent; mandatory 9.
    Message::<Uper>::decode(&mut sink, &[0b0000_0000, 0b0000_0001, 0b0010_0000]).unwrap();
    let Sink::Defaults(defaults) = &sink else { panic!("{sink:?}") };
    assert!(defaults.flag && defaults.number == -3 && defaults.mandatory == 9);
    assert_eq!(defaults.named.0, 0b010);
    assert_eq!(defaults.octets.0.as_slice(), [0xc0, 0xff, 0xee]);
    assert_eq!(defaults.text.as_str(), "road");
    assert_eq!(defaults.list.as_slice(), [1, 2]);
    assert_eq!((defaults.pair.x, defaults.pair.y), (7, None));
    assert_eq!(defaults.oid.0, [0x2a, 0x86, 0x48]);
    assert_eq!((defaults.bits.octets(), defaults.bits.len()), (&[0xa0][..], 3));
}

#[test]
fn recursion_deeper_than_the_limit_is_refused() {
    let model = model();
    let root = model.find("Sink.Expression").unwrap();
    let layout = roadwire_layout::lower(&model, root, Rules::Uper).unwrap();
    // `negative` is index 1 of three: 01 01 01 ...
    let mut value = Value::Unset;
    let error = roadwire_engine::decode(&layout, &[0x55; 200], &mut value).unwrap_err();
    assert_eq!(error.kind.code(), "limit.depth", "{error}");
}
