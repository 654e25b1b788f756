//! Generated C and the interpreter agree on every construct that has C.

#[path = "support/c99.rs"]
mod c99;
#[path = "c99/constraints.rs"]
mod constraints;
#[path = "c99/converted.rs"]
mod converted;
#[path = "c99/fields.rs"]
mod fields;
#[path = "c99/forms.rs"]
mod forms;
#[path = "c99/integers.rs"]
mod integers;
#[path = "c99/rare.rs"]
mod rare;
#[path = "c99/reals.rs"]
mod reals;
#[path = "c99/sets.rs"]
mod sets;
mod support;
#[path = "c99/times.rs"]
mod times;

use c99::{Message, agree, held, runs, runs_with};
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, Value};
use roadwire_wire::rt::json;
use support::mutant;

fn compiled(text: &str) -> Model {
    let source = roadwire_asn1::Source::new("m.asn", text);
    roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

/// Makes C of the message `All`, which agrees on a value. Returns the value's octets, as C lists
/// them.
fn holds(model: &Model, rules: Rules, name: &str, value: &Value) -> String {
    let message = [Message::of(model, "All", rules)];
    let octets = message[0].encoded(value).unwrap();
    held(model, rules, name, &message, |_| vec![octets.clone()]);
    octets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Every construct has C.
fn agrees(rules: Rules) {
    let pdus = pdus();
    let model = compiled(&module(&pdus));
    let with: Vec<Message> = pdus
        .iter()
        .map(|pdu| Message::new(&model, &pdu.name, model.find(&format!("{MODULE}.{}", pdu.name)).unwrap(), rules))
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{rules}: {error}"));
    agree(&model, rules, "constructs", &with);
}

c99::in_each_rules!(agrees);

/// DEFAULT values with fewer named bits than their types have.
const NAMED: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Fixed ::= BIT STRING { app (0), enrol (1) } (SIZE (8))
    Few ::= SEQUENCE { a Fixed DEFAULT { app }, b BOOLEAN }
    Short ::= SEQUENCE { a BIT STRING { app (0), enrol (1) } (SIZE (2..20)) DEFAULT { app }, b BOOLEAN }
    Long ::= SEQUENCE { a BIT STRING { app (0), enrol (1) } (SIZE (0..90)) DEFAULT { app }, b BOOLEAN }
END";

#[test]
fn a_default_may_have_fewer_named_bits() {
    let model = compiled(NAMED);
    let packed = [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer];
    for rules in packed.into_iter().chain([Rules::Ber, Rules::Der, Rules::Cer, Rules::Cbor]) {
        let names = ["Few", "Short", "Long"];
        let with: Vec<Message> = names.iter().map(|name| Message::of(&model, name, rules)).collect();
        let all = |message: &Message| {
            let value = |octet| Value::Sequence {
                components: vec![Some(Value::BitString { octets: vec![octet], bits: 8 }), Some(Value::Boolean(true))],
                unknown: Vec::new(),
            };
            (0..=255).map(|octet| message.encoded(&value(octet)).unwrap()).collect()
        };
        for (name, taken) in held(&model, rules, "named", &with, all) {
            assert_eq!(taken, [256, 256], "{name} under {rules}");
        }
    }
}

/// Records with additions, and with more of them in a later version.
const VERSIONS: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Bare ::= SEQUENCE { a INTEGER (0..7), ... }
        Grown ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]] }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Grown, end BOOLEAN }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Bare ::= SEQUENCE { a INTEGER (0..7), ..., x NULL, y OCTET STRING (SIZE (0..200)) }
        Grown ::= SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, [[ c INTEGER (0..255), d BOOLEAN OPTIONAL ]],
            e INTEGER OPTIONAL, [[ f BOOLEAN, g INTEGER (0..3) OPTIONAL ]], h Bare }
        Inside ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF Grown, end BOOLEAN }
    END",
];

/// 300 random values of a type, as the interpreter writes those that it does not refuse.
fn random(model: &Model, name: &str, rules: Rules, (settings, seed): (Settings, u64)) -> Vec<Vec<u8>> {
    let root = model.find(&format!("M.{name}")).unwrap();
    let layout = lower_without_contents(model, root, rules).unwrap();
    let (mut rng, generator) = (Rng::new(seed), Generator::new(model, settings));
    let values = (0..300).map(|_| generator.value(root, &mut rng));
    values.filter_map(|value| roadwire_engine::encode_to_vec(&layout, &value, 1 << 16).ok()).collect()
}

#[test]
fn additions_of_a_later_version_are_kept() {
    let models = VERSIONS.map(compiled);
    let basic = [Rules::Ber, Rules::Der, Rules::Cer, Rules::Protobuf, Rules::Cbor, Rules::Jer];
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer].into_iter().chain(basic) {
        let with = ["Bare", "Grown", "Inside"].map(|name| Message::of(&models[0], name, rules));
        let settings = || Settings { extensions: 60, ..Settings::default() };
        let later = |message: &Message| random(&models[1], &message.name, rules, (settings(), 5));
        for (name, [all, by_c]) in held(&models[0], rules, "versions", &with, later) {
            assert!(all > 100, "{name} under {rules}: {all}");
            assert_eq!(by_c, all, "{name} under {rules}");
        }
        held(&models[0], rules, "versions", &with, |message| {
            let (all, mut rng) = (later(message), Rng::new(6));
            (0..500).map(|_| mutant(&all, [0, 1, 0x80, 0xff], &mut rng)).collect()
        });
        // A data item, or a tag or a key, and a length.
        let octets = if rules == Rules::Cbor { "0x41, 0" } else { "0x78, 0" };
        runs(rules, "versions", &HOSTILE.replace("OCTETS", octets).replace("RULES", rules.name()));
    }
}

/// Fields of all kinds, and more of them in a later version.
const FIELDS: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Inner ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, ... }
        Fields ::= SEQUENCE { a INTEGER (0..300), b UTF8String (SIZE (0..9)) OPTIONAL, c INTEGER (0..70000) DEFAULT 5,
            d SEQUENCE (SIZE (1..9)) OF INTEGER (0..70), e SEQUENCE (SIZE (0..9)) OF BIT STRING (SIZE (3)),
            f SEQUENCE (SIZE (2..9)) OF BOOLEAN OPTIONAL, g Inner OPTIONAL, ...,
            [[ h BOOLEAN, i INTEGER (0..7) OPTIONAL, j ENUMERATED { x, y, ... } ]] }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Inner ::= SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, ..., c OCTET STRING }
        Fields ::= SEQUENCE { a INTEGER (0..300), b UTF8String (SIZE (0..9)) OPTIONAL, c INTEGER (0..70000) DEFAULT 5,
            d SEQUENCE (SIZE (1..9)) OF INTEGER (0..70), e SEQUENCE (SIZE (0..9)) OF BIT STRING (SIZE (3)),
            f SEQUENCE (SIZE (2..9)) OF BOOLEAN OPTIONAL, g Inner OPTIONAL, ...,
            [[ h BOOLEAN, i INTEGER (0..7) OPTIONAL, j ENUMERATED { x, y, ..., z } ]], k REAL, l BOOLEAN }
    END",
];

/// A JSON value with its members in another order, white space, and escapes.
fn reformed(text: &[u8], rng: &mut Rng, has_escapes: bool) -> Vec<u8> {
    let space = |rng: &mut Rng| b" \n\t\r"[..rng.below(5) as usize].to_vec();
    match text[0] {
        b'"' if has_escapes => {
            let raw = std::str::from_utf8(text).unwrap();
            let escaped = |character: char, rng: &mut Rng| match character {
                'a'..='z' if rng.below(4) == 0 => format!("\\u{:04x}", u32::from(character)),
                _ => character.to_string(),
            };
            match raw.contains('\\') {
                true => text.to_vec(),
                false => raw.chars().map(|character| escaped(character, rng)).collect::<String>().into_bytes(),
            }
        }
        open @ (b'{' | b'[') => {
            let mut parts = Vec::new();
            let mut at = 1;
            while !matches!(text[at], b'}' | b']') {
                let mut part = space(rng);
                if open == b'{' {
                    let end = json::string(text, at).unwrap().1;
                    part.extend(reformed(&text[at..end], rng, has_escapes));
                    part.extend([space(rng), b":".to_vec(), space(rng)].concat());
                    at = end + 1;
                }
                let end = json::skip(text, at).unwrap();
                part.extend(reformed(&text[at..end], rng, has_escapes));
                part.extend(space(rng));
                parts.push(part);
                at = end + usize::from(text[end] == b',');
            }
            for at in (1..parts.len()).rev().filter(|_| open == b'{') {
                parts.swap(at, rng.below(at as u64 + 1) as usize);
            }
            let inner = if parts.is_empty() { space(rng) } else { parts.join(&b',') };
            [vec![open], inner, vec![open + 2]].concat()
        }
        _ => text.to_vec(),
    }
}

/// JSON text in other forms, with members of a later version.
#[test]
fn any_form_of_json_is_taken() {
    let (now, later) = (compiled(FIELDS[0]), compiled(FIELDS[1]));
    let with = [Message::of(&now, "Fields", Rules::Jer)];
    let mut rng = Rng::new(8);
    let settings = Settings { extensions: 60, ..Settings::default() };
    let random = random(&later, "Fields", Rules::Jer, (settings, 9));
    let other: Vec<Vec<u8>> = random.iter().map(|text| reformed(text, &mut rng, true)).collect();
    let around: Vec<Vec<u8>> = other.iter().map(|text| [b"\xef\xbb\xbf \n", &text[..], b"\t "].concat()).collect();
    let [all, by_c] = held(&now, Rules::Jer, "any-form", &with, |_| around.clone())["Fields"];
    assert!(all > 150 && by_c == all, "{by_c} of {all}");
    let mutants: Vec<Vec<u8>> = (0..4000).map(|_| mutant(&other, *b"\"\\,9", &mut rng)).collect();
    held(&now, Rules::Jer, "any-form", &with, |_| mutants.clone());
    let members = [r#""...7":"0a""#, r#""x":[]"#, r#""...3":"""#, r#""y":{"z":null}"#].join(", ");
    let texts = [&members, r#""...0":"00""#, r#""...3":"", "...3":"""#, r#""...01":1"#];
    let texts = texts.map(|more| format!(r#"{{ "a":7, {more}, "d":[1], "e":[] }}"#).into_bytes()).to_vec();
    assert_eq!(held(&now, Rules::Jer, "any-form", &with, |_| texts.clone())["Fields"], [2; 2]);
}

/// Alternatives of a later version, and octets of other encodings.
#[test]
fn alternatives_without_a_name_are_kept_in_json() {
    let [now, later] = CHOICES.map(compiled);
    let with = [Message::of(&now, "Either", Rules::Jer)];
    let mut all = random(&later, "Either", Rules::Jer, (Settings::default(), 7));
    all.push(br#"{"all":[{"...1":"00ff"}, {"\u002e..4":""}]}"#.to_vec());
    assert_eq!(held(&now, Rules::Jer, "unnamed", &with, |_| all.clone())["Either"], [all.len(); 2]);
}

/// The same for all constructs.
#[test]
fn any_form_of_constructs_in_json_is_taken() {
    let pdus = pdus();
    let model = compiled(&module(&pdus));
    let root = |name: &str| model.find(&format!("{MODULE}.{name}")).unwrap();
    let with: Vec<Message> =
        pdus.iter().filter_map(|pdu| Message::new(&model, &pdu.name, root(&pdu.name), Rules::Jer).ok()).collect();
    let forms = |message: &Message| {
        let mut rng = Rng::new(7);
        let mut texts = Vec::new();
        for round in 0..20 {
            // Open types are octets, which are not always those of a value, and values of their
            // types.
            for open_types in [false, true] {
                let settings = Settings { open_types, ..Settings::default() };
                let value = Generator::new(&model, settings).value(root(&message.name), &mut rng);
                texts.extend(message.encoded(&value).ok().map(|text| reformed(&text, &mut rng, round % 2 == 1)));
            }
        }
        let count = if texts.is_empty() { 0 } else { 60 };
        let mutants: Vec<Vec<u8>> = (0..count).map(|_| mutant(&texts, *b"\"\\,9", &mut rng)).collect();
        [texts, mutants].concat()
    };
    let taken = held(&model, Rules::Jer, "forms", &with, forms);
    // Numbers of more than 64 bits.
    let is_limit = |name: &str| name.starts_with("Integer");
    let rare: Vec<_> = taken.iter().filter(|(name, [all, by_c])| all != by_c && !is_limit(name)).collect();
    assert_eq!(rare.len(), 0, "{rare:?}");
}

/// EXI with a cookie, and a number in more groups than it needs.
#[test]
fn rare_forms_of_exi_are_taken() {
    let model = compiled("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a INTEGER (0..70000) } END");
    let with = [Message::of(&model, "All", Rules::Exi)];
    let written = with[0].encoded(&Value::sequence([Some(Value::from(5))])).unwrap();
    assert_eq!(written, [0x80, 0x02, 0x80]);
    let rare =
        [&b"$EXI\x80\x02\x80"[..], b"\x80\x42\xc0\x00\x00", b"$EXI\x80\x42\x80\x00"].map(<[u8]>::to_vec).to_vec();
    assert_eq!(held(&model, Rules::Exi, "rare", &with, |_| rare.clone())["All"], [3; 2]);
    let wrong = [&b"\x81\x02\x80"[..], b"$EXJ\x80\x02\x80", b"\x80\x82\x80"].map(<[u8]>::to_vec).to_vec();
    assert_eq!(held(&model, Rules::Exi, "rare", &with, |_| wrong.clone())["All"], [0; 2]);
}

/// Octets of a text of zeros and ones.
fn packed(bits: &str) -> Vec<u8> {
    let octet = |bits: &[u8]| (0..8).fold(0, |octet, at| octet << 1 | u8::from(bits.get(at) == Some(&b'1')));
    bits.as_bytes().chunks(8).map(octet).collect()
}

/// All options of up to ten bits, and longer ones.
#[test]
fn options_of_exi_are_those_of_the_interpreter() {
    let model = compiled("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a INTEGER (0..70000) } END");
    for rules in [Rules::Exi, Rules::ExiDefault] {
        let with = [Message::of(&model, "All", rules)];
        let written = with[0].encoded(&Value::sequence([Some(Value::from(5))])).unwrap();
        let body: String = written[1..].iter().map(|octet| format!("{octet:08b}")).collect();
        let mut rng = Rng::new(4);
        let mut all: Vec<String> =
            (0..=10).flat_map(|bits| (0..1 << bits).map(move |one| format!("{:0bits$b}", one))).collect();
        all.extend((0..3000).map(|_| (0..rng.below(60)).map(|_| if rng.below(3) == 0 { '1' } else { '0' }).collect()));
        // A name of the schema, and a block size.
        all.extend(["0011000000010", "001100000010001000001", "00000101110000000111"].map(Into::into));
        let all: Vec<Vec<u8>> = all.iter().map(|bits| packed(&format!("10100000{bits}{body}"))).collect();
        let [all, by_c] = held(&model, rules, "options", &with, |_| all.clone())["All"];
        assert!(all > 20 && by_c == all, "{rules}: {by_c} of {all}");
    }
}

/// Object identifiers, with numbers of as many bits as there may be, and more.
#[test]
fn object_identifiers_in_exi_are_those_of_the_interpreter() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Ids ::= SEQUENCE { a OBJECT IDENTIFIER, b RELATIVE-OID, c UTF8String }
    END";
    let model = compiled(module);
    let with = [Message::of(&model, "Ids", Rules::Exi)];
    let mut rng = Rng::new(6);
    let octets = [0, 1, 2, 3, 39, 40, 79, 80, 127, 128, 129, 255];
    let mut arcs = |wide: bool| {
        let count = rng.below(4);
        let mut all = vec![count as u8];
        for _ in 0..count {
            let more = if wide { rng.below(20) } else { rng.below(2) };
            all.extend((0..more).map(|_| 0x80 | octets[rng.below(12) as usize]));
            all.push(octets[rng.below(9) as usize] & 0x7f);
        }
        all
    };
    let text = [&b"\x02"[..], b"\x05abc", b"\x04\xe9\x01a", b"\x03\x80\x80\x04"];
    let message = |at: usize| {
        let octets = [arcs(at % 3 == 0), arcs(at % 2 == 0), text[at % 4].to_vec()].concat();
        let bits: String = octets.iter().map(|octet| format!("{octet:08b}")).collect();
        packed(&format!("100000000{bits}"))
    };
    let all: Vec<Vec<u8>> = (0..4000).map(message).collect();
    let [all, by_c] = held(&model, Rules::Exi, "ids", &with, |_| all.clone())["Ids"];
    assert!(all > 80 && by_c == all, "{by_c} of {all}");
}

/// As many additions as a word has bits, and one less and more: the last one is present.
#[test]
fn the_last_of_many_additions_is_kept() {
    let module = |more: usize| {
        let additions: String = (0..more).map(|at| format!(", x{at} BOOLEAN OPTIONAL")).collect();
        compiled(&format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
                Bare ::= SEQUENCE {{ a INTEGER (0..7), ...{additions} }}
            END"
        ))
    };
    let (now, later) = (module(0), [63, 64, 65, 200].map(|count| (count, module(count))));
    let basic = [Rules::Ber, Rules::Der, Rules::Cer, Rules::Cbor];
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer].into_iter().chain(basic) {
        let messages: Vec<Vec<u8>> = later
            .iter()
            .map(|(count, model)| {
                let mut components = vec![None; count + 1];
                (components[0], components[*count]) = (Some(Value::from(3)), Some(Value::Boolean(true)));
                Message::of(model, "Bare", rules).encoded(&Value::sequence(components)).unwrap()
            })
            .collect();
        let message = [Message::of(&now, "Bare", rules)];
        for (name, taken) in held(&now, rules, "many-additions", &message, |_| messages.clone()) {
            assert_eq!(taken, [later.len(); 2], "{name} under {rules}");
        }
    }
}

/// Items and alternatives, and more of them in a later version.
const CHOICES: [&str; 2] = [
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Items ::= SEQUENCE { a ENUMERATED { x, y, z, ... }, b ENUMERATED { x, ..., y }, c BOOLEAN,
            d ENUMERATED { m (-2), n (7), ..., o (-900) } OPTIONAL }
        Either ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF CHOICE { a INTEGER (0..7), b BOOLEAN, c NULL, ...,
            d INTEGER (0..300) } }
    END",
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Items ::= SEQUENCE { a ENUMERATED { x, y, z, ..., u, v }, b ENUMERATED { x, ..., y, z, w (77) }, c BOOLEAN,
            d ENUMERATED { m (-2), n (7), ..., o (-900), p (8), q (9), r (1000) } OPTIONAL }
        Either ::= SEQUENCE { all SEQUENCE (SIZE (0..3)) OF CHOICE { a INTEGER (0..7), b BOOLEAN, c NULL, ...,
            d INTEGER (0..300), e NULL, f OCTET STRING (SIZE (0..200)) } }
    END",
];

#[test]
fn items_and_alternatives_of_a_later_version_are_kept() {
    let models = CHOICES.map(compiled);
    let octet = [Rules::Oer, Rules::Coer, Rules::Protobuf, Rules::Cbor];
    for (rules, is_packed) in
        [Rules::Uper, Rules::Aper].map(|rules| (rules, true)).into_iter().chain(octet.map(|rules| (rules, false)))
    {
        let with = ["Items", "Either"].map(|name| Message::of(&models[0], name, rules));
        let later = |message: &Message| random(&models[1], &message.name, rules, (Settings::default(), 7));
        for (name, [all, by_c]) in held(&models[0], rules, "choices", &with, later) {
            assert_eq!([all, by_c], [300, 300], "{name} under {rules}");
        }
        if matches!(rules, Rules::Protobuf | Rules::Cbor) {
            continue;
        }
        // One element with a tag that is not in its shortest form, or that is cut.
        let tags: [&[u8]; 4] =
            [&[1, 1, 0xbf, 0x80, 0x81, 0, 0], &[1, 1, 0xbf, 0x3e, 0], &[1, 1, 0xbf, 0x81], &[1, 1, 0xbf, 0x81, 0, 0]];
        let held = held(&models[0], rules, "choices", &with, |_| tags.map(<[u8]>::to_vec).to_vec());
        assert!(is_packed || held["Either"] == [1, 1], "{rules}: {held:?}");
        let (taken, refused) = match is_packed {
            true => {
                ("takes(RW_LATER(1)) && takes(RW_LATER(63)) && takes(RW_LATER(64))", "takes(RW_LATER(0)) || takes(-1)")
            }
            false => ("takes(2) && takes(128) && takes(-1)", "takes(RW_LATER(1)) || takes(INT32_MAX)"),
        };
        let program = LATER.replace("TAKEN", taken).replace("REFUSED", refused);
        runs(rules, "choices", &program.replace("RULES", rules.name()));
        // An index, or a tag of the class of context.
        let (taken, refused) = match is_packed {
            true => ("takes(1, 2) == 1 && takes(64, 1) == 1", "takes(0, 2) || takes(1, 0)"),
            false => (
                "takes(0x80000004, 2) == 1 && takes(0x8000003f, 2) == 1 && takes(0x80000040, 0) == 1 && takes(0x3fffffff, 1) == 1",
                "takes(0x80000003, 2) || takes(0x80000000, 2)",
            ),
        };
        let program = LATER_CHOICES.replace("TAKEN", taken).replace("REFUSED", refused);
        runs(rules, "choices", &program.replace("RULES", rules.name()));
    }
}

/// An item of a later version. In packed rules, no known item has its index; in octet rules, its
/// number has 30 bits and a sign.
const LATER: &str = r#"
#include "generated.h"

static int takes(int32_t item)
{
    static c_items items;
    static uint8_t out[20];
    items.b = item;
    return c_items_encode_RULES(&items, out, sizeof out, NULL) >= 0;
}

int main(void)
{
    if (!(TAKEN)) {
        return 1;
    }
    return REFUSED ? 2 : 0;
}
"#;

/// An alternative of a later version. No known one has its index, or its tag; in packed rules it
/// has at least one octet. 1: it is taken, and comes back; 2: another one does.
const LATER_CHOICES: &str = r#"
#include "generated.h"

static int takes(uint32_t index, size_t size)
{
    static const uint8_t octets[] = {5, 0};
    static c_either either, again;
    static uint8_t out[20];
    const rw_addition *other;
    ptrdiff_t used;
    either.all.count = 1;
    either.all.items[0].choice = C_EITHER_ALL_ELEMENT_UNKNOWN_ADDITION;
    either.all.items[0].as.unknown_addition.index = index;
    either.all.items[0].as.unknown_addition.octets = rw_octets_of(octets, size);
    used = c_either_encode_RULES(&either, out, sizeof out, NULL);
    if (used < 0) {
        return 0;
    }
    other = &again.all.items[0].as.unknown_addition;
    return c_either_decode_RULES(&again, out, (size_t)used, NULL) == used &&
        again.all.items[0].choice == C_EITHER_ALL_ELEMENT_UNKNOWN_ADDITION && other->index == index &&
        other->octets.size == size ? 1 : 2;
}

int main(void)
{
    if (!(TAKEN)) {
        return 1;
    }
    return REFUSED ? 2 : 0;
}
"#;

/// Octets that a value has of another message may begin at any bit of an octet, or be digits of
/// text.
#[test]
fn octets_are_written_that_begin_at_any_bit() {
    let model = compiled(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            All ::= SEQUENCE { few OCTET STRING (SIZE (0..5)), some OCTET STRING, either CHOICE { a OCTET STRING, ... },
                list SEQUENCE OF OCTET STRING, last INTEGER (0..255) }
        END",
    );
    for rules in
        [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer, Rules::Der, Rules::Cbor, Rules::Protobuf, Rules::Exi]
    {
        let octets = Value::OctetString(vec![0x12, 0x34, 0x56]);
        let value = Value::sequence([
            Some(octets.clone()),
            Some(octets.clone()),
            Some(Value::choice(0, octets.clone())),
            Some(Value::List(vec![octets.clone(), octets])),
            Some(Value::from(7)),
        ]);
        holds(&model, rules, "octets", &value);
        runs(rules, "octets", &ANY_BIT.replace("RULES", rules.name()));
    }
}

/// 1: the value is not written; 2: it has other octets.
const ANY_BIT: &str = r#"
#include "generated.h"

int main(void)
{
    static const uint8_t whole[] = {0x12, 0x34, 0x56}, moved[] = {0x02, 0x46, 0x8a, 0xc0};
    static c_all value;
    static uint8_t out[2][100];
    static rw_octets list[2];
    rw_octets octets[3];
    unsigned form;
    ptrdiff_t used;
    octets[0] = rw_octets_of(whole, 3);
    octets[1] = rw_octets_of(moved, 3);
    octets[1].bit = 3;
    octets[2] = rw_octets_of((const uint8_t *)"123456", 3);
    octets[2].bit = RW_DIGITS;
    for (form = 0; form < 3; form++) {
        value.few = value.some = value.either.as.a = list[0] = list[1] = octets[form];
        value.list.items = list;
        value.list.count = 2;
        value.last = 7;
        used = c_all_encode_RULES(&value, out[form > 0], sizeof out[0], NULL);
        if (used < 0) {
            return 1;
        }
        if (memcmp(out[0], out[form > 0], (size_t)used) != 0) {
            return 2;
        }
    }
    return 0;
}
"#;

/// More alternatives and items in the root than have an index of an octet, and added ones.
#[test]
fn types_have_more_alternatives_and_items_than_an_octet_has_indexes() {
    let alternatives: Vec<String> = (0..200).map(|at| format!("a{at} INTEGER (0..{at})")).collect();
    let items: Vec<String> = (0..200).map(|at| format!("i{at}")).collect();
    let module = format!(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            Many ::= CHOICE {{ {}, ..., x BOOLEAN, y INTEGER (0..300) }}
            Items ::= SEQUENCE {{ a BOOLEAN, b ENUMERATED {{ {}, ..., x, y }} }}
        END",
        alternatives.join(", "),
        items.join(", ")
    );
    let model = compiled(&module);
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer] {
        let message = |name| Message::of(&model, name, rules);
        agree(&model, rules, "many", &["Many", "Items"].map(message));
    }
}

/// Numbers and sizes with roots that are extensible.
const ROOTS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    All ::= SEQUENCE {
        a INTEGER (0..7, ...), b INTEGER (-5..5, ..., 10..20), c OCTET STRING (SIZE (1..4, ...)),
        d OCTET STRING (SIZE (8, ...)), e IA5String (SIZE (1..5, ...)), f BIT STRING (SIZE (3..9, ...)),
        g BIT STRING (SIZE (70..90, ...)), h SEQUENCE (SIZE (2..4, ...)) OF INTEGER (0..9),
        i INTEGER (0..255, ...), j INTEGER (1..65535, ...), k INTEGER (-1000..1000, ...),
        m SEQUENCE (SIZE (1..2, ...)) OF OCTET STRING (SIZE (3)), l BOOLEAN
    }
END";

#[test]
fn numbers_and_sizes_beyond_the_root_are_coded() {
    let model = compiled(ROOTS);
    let octets = |count: usize| Value::OctetString(vec![0x5a; count]);
    let bits = |count: usize| Value::bit_string(&vec![0xff; count.div_ceil(8)], count);
    let text = |count: usize| Value::Text("x".repeat(count));
    // In turn: in the root, below, above, far above.
    let all: [[Value; 4]; 12] = [
        [3, -1, 8, i64::MAX].map(Value::from),
        [-5, -6, 15, i64::MIN].map(Value::from),
        [2, 0, 5, 300].map(octets),
        [8, 7, 9, 127].map(octets),
        [5, 0, 6, 200].map(text),
        [9, 2, 10, 130].map(bits),
        [70, 69, 91, 1].map(bits),
        [&[1; 2][..], &[1], &[1; 5], &[1; 140]].map(numbers),
        [255, -1, 256, i64::MIN].map(Value::from),
        [1, 0, 65536, i64::MAX].map(Value::from),
        [-1000, -1001, 1001, 1 << 29].map(Value::from),
        [2, 0, 3, 70].map(|count| Value::List(vec![Value::OctetString(vec![7, 8, 9]); count])),
    ];
    let values: Vec<Value> = (0..12 * 4)
        .map(|at| {
            let parts = all
                .iter()
                .enumerate()
                .map(|(part, values)| Some(values[if at / 4 == part || at % 8 == 7 { at % 4 } else { 0 }].clone()));
            Value::sequence(parts.chain([Some(Value::Boolean(true))]).collect::<Vec<_>>())
        })
        .collect();
    let packed = [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer];
    let basic = [Rules::Ber, Rules::Der, Rules::Cer, Rules::Protobuf, Rules::Cbor, Rules::Jer, Rules::Exi];
    for rules in packed.into_iter().chain(basic) {
        let message = [Message::of(&model, "All", rules)];
        // EXI has nothing outside of roots.
        let all: Vec<Vec<u8>> = values.iter().filter_map(|value| message[0].encoded(value).ok()).collect();
        assert!(all.len() == values.len() || rules == Rules::Exi && all.len() == 12, "{rules}: {}", all.len());
        for (name, taken) in held(&model, rules, "roots", &message, |_| all.clone()) {
            assert_eq!(taken, [all.len(); 2], "{name} under {rules}");
        }
        agree(&model, rules, "roots", &message);
    }
}

/// Sizes and numbers in roots that do not fill their fields, and an alphabet of four ranges.
const SHORT: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Sizes ::= SEQUENCE { a OCTET STRING (SIZE (2..4, ...)), b INTEGER (0..5, ...) }
    Numbers ::= SEQUENCE { a INTEGER (0..200, ...), b INTEGER (0..4) }
    Nothing ::= SEQUENCE { a INTEGER (5..5), b NULL }
    Letters ::= SEQUENCE { a IA5String (FROM (\"0\" | \"a\"..\"c\" | \"f\"..\"h\" | \"x\"..\"z\")) (SIZE (0..3)) }
END";

#[test]
fn all_short_messages_are_read_alike() {
    let model = compiled(SHORT);
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Der] {
        let message = |name| Message::of(&model, name, rules);
        let all = |_: &Message| (0..=u16::MAX).map(|first| [&first.to_be_bytes()[..], &[1; 6]].concat()).collect();
        for (name, [all, by_c]) in
            held(&model, rules, "short", &["Sizes", "Numbers", "Nothing", "Letters"].map(message), all)
        {
            assert!(by_c == all && (all > 20 || rules != Rules::Uper), "{name} under {rules}: {by_c} of {all}");
        }
    }
}

/// Values without parts, in a record.
const CONTENTS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Number ::= SEQUENCE { a INTEGER (-300..40000) }
    Any ::= SEQUENCE { a INTEGER }
    Item ::= SEQUENCE { a ENUMERATED { a (0), b (200), c (-5) } }
    Truth ::= SEQUENCE { a BOOLEAN }
    Bits ::= SEQUENCE { a BIT STRING (SIZE (0..20)) }
    Long ::= SEQUENCE { a BIT STRING }
    Named ::= SEQUENCE { a BIT STRING { a (0), b (20) } }
    Few ::= SEQUENCE { a BIT STRING { a (0), b (1) } (SIZE (2)) }
    Letters ::= SEQUENCE { a IA5String (FROM (\"a\"..\"f\")) }
    Text ::= SEQUENCE { a UTF8String }
    Arcs ::= SEQUENCE { a OBJECT IDENTIFIER }
    Nothing ::= SEQUENCE { a NULL OPTIONAL }
END";

#[test]
fn all_contents_of_two_octets_are_read_alike() {
    let model = compiled(CONTENTS);
    let names =
        ["Number", "Any", "Item", "Truth", "Bits", "Long", "Named", "Few", "Letters", "Text", "Arcs", "Nothing"];
    for rules in [Rules::Ber, Rules::Der] {
        let message = |name| Message::of(&model, name, rules);
        let of = |contents: u16| [&[0x30, 4, 0x80, 2], &contents.to_be_bytes()[..]].concat();
        held(&model, rules, "contents", &names.map(message), |_| (0..=u16::MAX).map(of).collect());
    }
}

/// Data items of any two octets, and further ones after these: as values, of a later version, and
/// as keys and values there.
#[test]
fn all_items_are_read_alike() {
    let more = "Fixed ::= SEQUENCE { a BIT STRING (SIZE (2)) } Later ::= SEQUENCE { a NULL OPTIONAL, ... } END";
    let model = compiled(&CONTENTS.replace("END", more));
    let names = ["Number", "Any", "Item", "Truth", "Bits", "Named", "Few", "Fixed", "Letters", "Text", "Arcs", "Later"];
    let message = |name| Message::of(&model, name, Rules::Cbor);
    held(&model, Rules::Cbor, "items", &names.map(message), |message| {
        let fronts: [&[u8]; 4] = [&[0xa1, 0], &[0xa1, 1], &[0xa1, 1, 0xa2, 0x20], &[0xa2, 1, 0xa1, 0x82]];
        let fronts = if message.name == "Later" { &fronts[1..] } else { &fronts[..1] };
        let of = |front: &[u8], next: u16| [front, &next.to_be_bytes(), &[0x21, 0x40, 0xf6, 2, 0, 1, 2, 3, 4]].concat();
        fronts.iter().flat_map(|front| (0..=u16::MAX).map(|next| of(front, next))).collect()
    });
}

/// Arrays of a later version in each other, up to the levels that C has, and beyond.
#[test]
fn items_of_a_later_version_nest() {
    let model = compiled("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a NULL OPTIONAL, ... } END");
    let message = [Message::of(&model, "All", Rules::Cbor)];
    let of = |levels: usize, end: &[u8]| [&[0xa1, 5], &vec![0x81; levels][..], end].concat();
    let ends: [&[u8]; 3] = [&[0xf6], &[0xff], &[]];
    let all = |_: &Message| (0..=40).chain([150]).flat_map(|levels| ends.map(|end| of(levels, end))).collect();
    let taken = held(&model, Rules::Cbor, "levels", &message, all);
    assert_eq!(taken["All"], [41, 33]);
}

/// Floats of 16 bits, and of 32 bits that differ in one bit from one of 16.
#[test]
fn all_halves_are_read_alike() {
    let model = compiled("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a REAL } END");
    let message = Message::of(&model, "All", Rules::Cbor);
    let all = |_: &Message| {
        let of = |half: u16| [&[0xa1, 0, 0xf9], &half.to_be_bytes()[..]].concat();
        let single = |high: u16| [&[0xa1, 0, 0xfa], &high.to_be_bytes()[..], &[0x10, 0]].concat();
        (0..=u16::MAX).map(of).chain((0..=u16::MAX).map(single)).collect()
    };
    for (_, [all, by_c]) in held(&model, Rules::Cbor, "halves", &[message], all) {
        assert!(all > 100_000 && by_c == all, "{by_c} of {all}");
    }
}

/// A number of 64 bits with one more group, of zeros and of ones.
#[test]
fn more_groups_than_a_number_has_are_zeros() {
    let model =
        compiled("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a INTEGER (0..18446744073709551615) } END");
    let message = [Message::of(&model, "All", Rules::Exi)];
    let right = message[0].encoded(&Value::sequence([Some(Value::from(u64::MAX))])).unwrap();
    // A header of eight bits, a code of one, nine groups that go on, and the last one.
    let bits = |octets: &[u8]| -> Vec<bool> {
        octets.iter().flat_map(|octet| (0..8).rev().map(move |bit| octet >> bit & 1 == 1)).collect()
    };
    let (all, last) = (bits(&right), 8 + 1 + 9 * 8);
    assert_eq!(all[last..last + 8], bits(&[1]));
    let with = |more: u8| -> Vec<u8> {
        let all = [&all[..last], &bits(&[0x81, more]), &all[last + 8..]].concat();
        all.chunks(8)
            .map(|bits| (0..8).fold(0, |octet, at| octet << 1 | u8::from(bits.get(at) == Some(&true))))
            .collect()
    };
    let taken = held(&model, Rules::Exi, "groups", &message, |_| vec![right.clone(), with(0), with(1)]);
    assert_eq!(taken["All"], [2, 2]);
}

/// Additions that are known, in another order, or more than a record keeps, are none of a later
/// version. The first value is one that is taken.
const HOSTILE: &str = r#"
#include "generated.h"

static int takes(uint32_t count, uint32_t first, uint32_t second)
{
    static const uint8_t octets[] = {OCTETS};
    static c_grown grown;
    static uint8_t out[200];
    rw_error error;
    grown.a = 1;
    grown.unknown.count = count;
    grown.unknown.items[0].index = first;
    grown.unknown.items[1].index = second;
    grown.unknown.items[0].octets = grown.unknown.items[1].octets = rw_octets_of(octets, 2);
    return c_grown_encode_RULES(&grown, out, sizeof out, &error) >= 0;
}

int main(void)
{
    if (!takes(2, 2, 3)) {
        return 1;
    }
    return takes(1, 1, 0) || takes(2, 3, 2) || takes(2, 3, 3) || takes(RW_KEPT + 1, 2, 3) ? 2 : 0;
}
"#;

/// Parts that are not in place.
const APART: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Tree ::= SEQUENCE { number INTEGER (0..255), inner SEQUENCE OF Tree }
    All ::= SEQUENCE { tree Tree, names SEQUENCE OF UTF8String, pairs SEQUENCE OF SEQUENCE { a BOOLEAN, b INTEGER } }
END";

#[test]
fn memory_may_end_anywhere() {
    let model = compiled(APART);
    let tree = |number: i64, inner: Vec<Value>| Value::sequence([Some(Value::from(number)), Some(Value::List(inner))]);
    let pair = || Value::sequence([Some(Value::Boolean(true)), Some(Value::from(7))]);
    let value = Value::sequence([
        Some(tree(1, vec![tree(2, vec![tree(3, Vec::new())]), tree(4, Vec::new())])),
        Some(Value::List(vec![Value::Text("one".into()), Value::Text("another".into())])),
        Some(Value::List(vec![pair(), pair(), pair()])),
    ]);
    for rules in [Rules::Uper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Cbor] {
        let octets = holds(&model, rules, "apart", &value);
        runs(rules, "apart", &MEMORY.replace("RULES", rules.name()).replace("OCTETS", &octets));
    }
}

/// With less memory than it takes, a message is refused; nothing after the memory is written.
const MEMORY: &str = r#"
#include "generated.h"

int main(void)
{
    static const uint8_t octets[] = {OCTETS};
    static uint64_t memory[512];
    static c_all value;
    size_t size, at;
    int refused = 0;
    for (size = 0; size <= sizeof memory; size += 8) {
        rw_arena arena = rw_arena_of(memory, size);
        rw_error error;
        ptrdiff_t used;
        memset(memory, 0x55, sizeof memory);
        used = c_all_decode_RULES_in(&value, octets, sizeof octets, &arena, &error);
        for (at = size; at < sizeof memory; at++) {
            if (((const uint8_t *)memory)[at] != 0x55) {
                return 1;
            }
        }
        if (arena.used > size) {
            return 2;
        }
        if (used == (ptrdiff_t)sizeof octets) {
            return refused > 4 ? 0 : 3;
        }
        if (used >= 0 || (error.code != RW_MEMORY && error.code != RW_REJECTED)) {
            return 4;
        }
        refused++;
    }
    return 5;
}
"#;

/// A value with parts of each kind.
const PARTS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    All ::= SEQUENCE {
        number INTEGER (5..90), item ENUMERATED { x, y, z }, either CHOICE { is BOOLEAN, few INTEGER (0..5) },
        list SEQUENCE (SIZE (1..4)) OF INTEGER (0..10), octets OCTET STRING (SIZE (2..5)),
        letters IA5String (FROM (\"a\"..\"f\")) (SIZE (1..4)), bits BIT STRING (SIZE (3..9)),
        text UTF8String (SIZE (0..3)), more SEQUENCE { a INTEGER (0..2), ..., [[ b BOOLEAN, c BOOLEAN OPTIONAL ]] }
    }
END";

/// A change to the value in C, the number of the component, and what this holds in Rust.
type Wrong = (&'static str, usize, fn() -> Option<Value>);

fn numbers(numbers: &[i64]) -> Value {
    Value::List(numbers.iter().map(|number| Value::from(*number)).collect())
}

fn more(b: Option<bool>) -> Value {
    Value::sequence([Some(Value::from(1)), b.map(Value::Boolean), Some(Value::Boolean(true))])
}

const WRONG: [Wrong; 13] = [
    ("value.number = 4", 0, || Some(Value::from(4))),
    ("value.number = 91", 0, || Some(Value::from(91))),
    ("value.item = 3", 1, || Some(Value::Enumerated(3))),
    ("value.either.as.few = 6", 2, || Some(Value::choice(1, 6))),
    ("value.list.count = 0", 3, || Some(numbers(&[]))),
    ("value.list.count = 5", 3, || Some(numbers(&[1; 5]))),
    ("value.list.items[1] = 11", 3, || Some(numbers(&[1, 11]))),
    ("value.octets.size = 1", 4, || Some(Value::OctetString(vec![0]))),
    ("value.octets.size = 6", 4, || Some(Value::OctetString(vec![0; 6]))),
    ("value.letters.text[0] = 'z'", 5, || Some(Value::Text("zb".into()))),
    ("value.bits.bits = 2", 6, || Some(Value::bit_string(&[0x40], 2))),
    ("value.text.size = 4", 7, || Some(Value::Text("four".into()))),
    ("value.more.has_b = false", 8, || Some(more(None))),
];

/// Messages cut and damaged at all places, in memory that ends with them.
#[test]
fn nothing_beyond_a_message_is_read() {
    let model = compiled(PARTS);
    let others = [Rules::Protobuf, Rules::Cbor, Rules::Jer, Rules::Exi, Rules::ExiDefault];
    for rules in [Rules::Uper, Rules::Coer, Rules::Der, Rules::Cer].into_iter().chain(others) {
        let octets = holds(&model, rules, "cut", &right());
        let program = CUT.replace("RULES", &rules.name().replace('-', "_")).replace("OCTETS", &octets);
        // Sanitizers' own conversions bring warnings.
        let flags = ["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        runs_with(&flags, rules, "cut", &program);
    }
}

const CUT: &str = r#"
#include "generated.h"
#include <stdlib.h>

int main(void)
{
    static const uint8_t octets[] = {OCTETS}, masks[] = {0, 1, 2, 4, 0x20, 0x80, 0xff};
    static c_all value;
    static uint8_t out[400];
    rw_error error;
    size_t size, at, mask;
    for (size = 0; size <= sizeof octets; size++) {
        for (at = 0; at < size; at++) {
            for (mask = 0; mask < sizeof masks; mask++) {
                uint8_t *in = malloc(size);
                memcpy(in, octets, size);
                in[at] ^= masks[mask];
                if (c_all_decode_RULES(&value, in, size, &error) >= 0) {
                    (void)c_all_encode_RULES(&value, out, sizeof out, &error);
                }
                free(in);
            }
        }
    }
    return 0;
}
"#;

/// A value of [`PARTS`].
fn right() -> Value {
    Value::sequence([
        Some(Value::from(7)),
        Some(Value::Enumerated(1)),
        Some(Value::choice(1, 5)),
        Some(numbers(&[1, 2])),
        Some(Value::OctetString(vec![1, 2, 3])),
        Some(Value::Text("ab".into())),
        Some(Value::bit_string(&[0xa0], 4)),
        Some(Value::Text("abc".into())),
        Some(more(Some(true))),
    ])
}

#[test]
fn wrong_values_are_refused_for_the_same_reason() {
    let model = compiled(PARTS);
    let right = right();
    let basic = [Rules::Ber, Rules::Der, Rules::Cer, Rules::Cbor];
    let events = [Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat, Rules::ExiSplit, Rules::Jer];
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer].into_iter().chain(basic).chain(events) {
        let (octets, message) = (holds(&model, rules, "wrong", &right), Message::of(&model, "All", rules));
        let mut cases = String::new();
        for (in_c, at, wrong) in WRONG {
            let Value::Sequence { mut components, unknown } = right.clone() else { unreachable!() };
            components[at] = wrong();
            let value = Value::Sequence { components, unknown };
            let why = message.encoded(&value).unwrap_err();
            cases += &format!("    begin(\"{in_c}\"); {in_c}; differ |= differs(\"{why}\");\n");
        }
        let program = DIFFERS.replace("RULES", &rules.name().replace('-', "_")).replace("OCTETS", &octets);
        runs(rules, "wrong", &program.replace("CASES", &cases));
    }
}

const DIFFERS: &str = r#"
#include "generated.h"
#include <stdio.h>

static c_all value;
static const char *now;

static void begin(const char *what)
{
    static const uint8_t octets[] = {OCTETS};
    now = what;
    (void)c_all_decode_RULES(&value, octets, sizeof octets, NULL);
}

static int differs(const char *wanted)
{
    static uint8_t out[999];
    static char why[200];
    rw_error error;
    int used;
    ptrdiff_t octets = c_all_encode_RULES(&value, out, sizeof out, &error);
    if (octets >= 0) {
        printf("%s: %ld octets, not %s\n", now, (long)octets, wanted);
        return 1;
    }
    used = snprintf(why, 100, "%s ", rw_code(error.code));
    (void)rw_path(&error, why + used, sizeof why - (size_t)used);
    if (strcmp(why, wanted) != 0) {
        printf("%s: %s, not %s\n", now, why, wanted);
        return 1;
    }
    return 0;
}

int main(void)
{
    int differ = 0;
CASES
    return differ;
}
"#;
