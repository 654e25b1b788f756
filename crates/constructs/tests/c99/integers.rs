//! INTEGERs of any length, at the borders of words, of lengths and of fragments.

use roadwire_layout::{Family, Rules};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{BigInt, Model, Value};
use roadwire_wire::Writer;
use roadwire_wire::rt::tlv;

use crate::c99::{Message, held, runs_with, settings};
use crate::compiled;
use crate::support::mutant;

const RULES: [Rules; 15] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Oer,
    Rules::Coer,
    Rules::Ber,
    Rules::Der,
    Rules::Cer,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Exi,
    Rules::ExiDefault,
    Rules::ExiMerged,
    Rules::ExiFlat,
    Rules::ExiSplit,
    Rules::Jer,
];

/// The ranges, by the names of types: numbers in place, those in memory, and words.
const RANGES: [(&str, &str); 24] = [
    ("Any", ""),
    ("Natural", "(0..MAX)"),
    ("FromBelow", "(-1000..MAX)"),
    ("FromAbove", "(1000..MAX)"),
    ("FromFar", "(18446744073709551616000..MAX)"),
    ("FromFarBelow", "(-340282366920938463463374607431768211457..MAX)"),
    ("UpTo", "(MIN..7)"),
    ("UpToFar", "(MIN..18446744073709551616)"),
    ("Bits65", "(0..36893488147419103231)"),
    ("Offset65", "(-5..36893488147419103231)"),
    ("Signed65", "(-18446744073709551616..18446744073709551615)"),
    ("Few", "(1180591620717411303424..1180591620717411303429)"),
    ("One", "(1180591620717411303424)"),
    ("Bits127", "(-170141183460469231731687303715884105728..170141183460469231731687303715884105727)"),
    ("Bits128", "(0..340282366920938463463374607431768211455)"),
    ("Bits256", "(0..115792089237316195423570985008687907853269984665640564039457584007913129639935)"),
    (
        "Bits600",
        "(0..4149515568880992958512407863691161151012446232242436899995657329690652811412908146399707048947103794288197886611300789182395151075411775307886874834113963687061181803401509523685375)",
    ),
    ("ExtensibleWord", "(0..18446744073709551615, ...)"),
    ("ExtensibleFar", "(-3..36893488147419103231, ...)"),
    ("Holes", "(1 | 2 | 36893488147419103231..36893488147419103233)"),
    // Words: what is beyond these is refused as the interpreter refuses it.
    ("Octet", "(0..255)"),
    ("Signed64", "(-9223372036854775808..9223372036854775807)"),
    ("Unsigned64", "(0..18446744073709551615)"),
    ("SmallOffset", "(-7..70000)"),
];

fn module() -> String {
    let records =
        RANGES.map(|(name, range)| format!("{name} ::= SEQUENCE {{ f BOOLEAN, a INTEGER {range}, b BOOLEAN }}"));
    format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {} END", records.join("\n"))
}

/// Numbers around powers of 2, and longer ones.
fn numbers() -> Vec<BigInt> {
    let mut all = vec![BigInt::from(0)];
    for bits in [1, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 70, 71, 127, 128, 129, 159, 160, 255, 256, 511, 520, 600, 2400]
    {
        let power: BigInt = BigInt::from(1) << bits;
        for number in [power.clone() - 2, power.clone() - 1, power.clone(), power.clone() + 1, power + 5] {
            all.extend([number.clone(), -number]);
        }
    }
    let mut rng = Rng::new(8);
    for octets in [8, 9, 16, 17, 20, 40, 63, 64, 65, 66, 67, 68, 69, 127, 128, 300, 4000, 4095, 4096, 4097] {
        let octets: Vec<u8> = (0..octets).map(|_| rng.next_u64() as u8).collect();
        all.push(BigInt::from_signed_bytes_be(&octets));
    }
    all
}

fn record(number: &BigInt) -> Value {
    Value::sequence([Some(Value::Boolean(true)), Some(Value::Integer(number.into())), Some(Value::Boolean(false))])
}

/// Octets of numbers of all ranges, whatever they are in this one.
fn messages(model: &Model, rules: Rules) -> Vec<Vec<u8>> {
    let forms = ["Any", "Natural", "FromFar", "Offset65", "Few", "Bits128", "Bits600", "ExtensibleFar"];
    let forms = forms.map(|name| Message::of(model, name, rules));
    let numbers = numbers();
    let all = forms.iter().flat_map(|form| numbers.iter().filter_map(|number| form.encoded(&record(number)).ok()));
    let mut all: Vec<Vec<u8>> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn with(model: &Model, rules: Rules, is_any_length: bool) -> Vec<Message> {
    let all = RANGES.iter().map(|(name, _)| match is_any_length {
        true => Message::of_any_length(model, name, rules),
        false => Message::of(model, name, rules),
    });
    all.collect()
}

/// In JER, the greatest bounds of 128 bits, and all beyond these, are none; but a number in place
/// only has room for those within its bounds.
fn is_limit(rules: Rules, name: &str) -> bool {
    rules == Rules::Jer && ["Bits127", "Bits128", "Bits256"].contains(&name)
}

#[test]
fn numbers_of_any_length_are_taken_and_refused_as_by_the_interpreter() {
    let model = compiled(&module());
    for rules in RULES {
        let all = messages(&model, rules);
        let of = |message: &Message| {
            let mut rng = Rng::new(message.name.len() as u64);
            let short: Vec<Vec<u8>> = all.iter().filter(|octets| octets.len() < 400).cloned().collect();
            let own = numbers();
            let own: Vec<Vec<u8>> = own.iter().filter_map(|number| message.encoded(&record(number)).ok()).collect();
            let mutants: Vec<Vec<u8>> = (0..700).map(|_| mutant(&short, [0, 0x7f, 0x80, 0xff], &mut rng)).collect();
            [all.clone(), own, mutants].concat()
        };
        for (name, [taken, by_c]) in held(&model, rules, "integers", &with(&model, rules, true), of) {
            assert!(taken > 0, "{name} under {rules}");
            assert!(by_c == taken || is_limit(rules, name), "{name} under {rules}: {by_c} of {taken}");
        }
    }
}

#[test]
fn words_refuse_what_is_longer() {
    let model = compiled(&module());
    let words = ["Any", "Natural", "UpTo"];
    let places = ["Bits65", "Signed65", "Few", "Bits127", "Bits256", "Octet", "SmallOffset", "Unsigned64", "Signed64"];
    for rules in [Rules::Uper, Rules::Oer, Rules::Ber, Rules::Protobuf, Rules::Cbor, Rules::Exi, Rules::Jer] {
        let all = messages(&model, rules);
        let mut with = with(&model, rules, false);
        with.retain(|message| words.contains(&&*message.name) || places.contains(&&*message.name));
        let taken = held(&model, rules, "integer-words", &with, |_| all.clone());
        words.iter().for_each(|name| assert!(taken[name][1] < taken[name][0], "{name} under {rules}"));
        let places = places.iter().filter(|name| !is_limit(rules, name));
        places.for_each(|name| assert_eq!(taken[name][1], taken[name][0], "{name} under {rules}"));
    }
}

/// Octets of a number in other forms, by the number of octets: those that repeat the sign, and
/// none.
fn contents() -> Vec<Vec<u8>> {
    let numbers: [&[u8]; 5] = [&[], &[5], &[0x85], &[0x7f; 9], &[0x92; 20]];
    let zeros = [0, 1, 2, 7, 8, 9, 70, 300, 16384 * 5 + 3];
    let forms = zeros.iter().flat_map(|count| {
        numbers.iter().flat_map(move |number| [0, 0xff].map(|sign| [vec![sign; *count], number.to_vec()].concat()))
    });
    forms.collect()
}

/// More octets than a number needs, which packed and octet rules and Protocol Buffers take, and
/// basic rules refuse; some of them in fragments.
#[test]
fn numbers_may_have_more_octets_than_they_need() {
    let model = compiled(&module());
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Ber, Rules::Der, Rules::Protobuf] {
        let all: Vec<Vec<u8>> = contents().iter().map(|contents| framed(rules, contents)).collect();
        let names = ["Any", "Natural", "FromBelow", "FromFar", "UpTo", "UpToFar"];
        let with: Vec<Message> = names.iter().map(|name| Message::of_any_length(&model, name, rules)).collect();
        for (name, [taken, by_c]) in held(&model, rules, "integer-forms", &with, |_| all.clone()) {
            assert!(taken > 0 || name == "UpToFar" && rules == Rules::Ber, "{name} under {rules}");
            assert_eq!(by_c, taken, "{name} under {rules}");
        }
    }
}

/// A number outside its range that had more than 16 octets is `integer.width`.
#[test]
fn words_that_had_more_octets_than_they_need_are_refused_as_by_the_interpreter() {
    let model = compiled(&module());
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer] {
        let long = contents().into_iter().chain([vec![0; 16], vec![0; 17], [vec![0; 16], vec![9]].concat()]);
        let all: Vec<Vec<u8>> = long.map(|contents| framed(rules, &contents)).collect();
        let with = ["FromAbove", "UpTo"].map(|name| Message::of(&model, name, rules));
        held(&model, rules, "integer-long-words", &with, |_| all.clone());
    }
}

/// A record with these octets.
fn framed(rules: Rules, contents: &[u8]) -> Vec<u8> {
    let mut out = vec![0; contents.len() + 100];
    let mut writer = Writer::new(&mut out);
    let length = tlv::length_octets(contents.len());
    let varint =
        [(contents.len() & 0x7f) as u8 | 0x80, (contents.len() >> 7 & 0x7f) as u8 | 0x80, (contents.len() >> 14) as u8];
    match rules {
        Rules::Uper | Rules::Aper => {
            let is_aligned = rules == Rules::Aper;
            let align = |writer: &mut Writer<'_>| {
                if is_aligned {
                    writer.align().unwrap()
                }
            };
            writer.put(1, 1).unwrap();
            let mut rest = contents;
            while rest.len() >= 16384 {
                let blocks = (rest.len() / 16384).min(4);
                align(&mut writer);
                writer.put(0xc0 | blocks as u64, 8).unwrap();
                writer.put_octets(&rest[..blocks * 16384]).unwrap();
                rest = &rest[blocks * 16384..];
            }
            align(&mut writer);
            match rest.len() {
                few @ 0..=127 => writer.put(few as u64, 8).unwrap(),
                many => writer.put(0x8000 | many as u64, 16).unwrap(),
            }
            writer.put_octets(rest).unwrap();
            writer.put(0, 1).unwrap();
        }
        Rules::Oer => {
            writer.put(0xff, 8).unwrap();
            writer.put_octets(length.as_slice()).unwrap();
            writer.put_octets(contents).unwrap();
            writer.put(0, 8).unwrap();
        }
        Rules::Protobuf => {
            writer.put_octets(&[8, 1, 18]).unwrap();
            writer.put_octets(&varint).unwrap();
            writer.put_octets(contents).unwrap();
            writer.put_octets(&[24, 0]).unwrap();
        }
        basic => {
            assert_eq!(basic.family(), Family::Tlv);
            let inside = [&[0x80, 1, 0xff, 0x81], length.as_slice(), contents, &[0x82, 1, 0]].concat();
            writer.put(0x30, 8).unwrap();
            writer.put_octets(tlv::length_octets(inside.len()).as_slice()).unwrap();
            writer.put_octets(&inside).unwrap();
        }
    }
    let length = writer.finish().unwrap();
    out.truncate(length);
    out
}

/// Numbers of as many digits as are taken, and of one more; numbers that are none.
#[test]
fn decimal_digits_have_a_limit() {
    let model = compiled(&module());
    let message = [Message::of_any_length(&model, "Any", Rules::Jer)];
    let mut all: Vec<String> = Vec::new();
    for digits in [1, 8, 9, 10, 17, 18, 19, 38, 39, 40, 90, 155, 156, 157, 9862, 9863, 9864, 9865, 20000] {
        for digit in ["1", "3", "7", "9"] {
            all.extend([digit.repeat(digits), format!("-{}", digit.repeat(digits))]);
            all.push(format!("1{}", "0".repeat(digits)));
        }
    }
    let greatest: BigInt = BigInt::from(1) << 32767;
    all.extend(
        [greatest.clone() - 1, greatest.clone(), -greatest.clone(), -greatest - 1].map(|number| number.to_string()),
    );
    all.extend(["-0", "00", "-", "1.0", "1e2", "12345678901234567890123.5", "\"5\"", "null", "- 1"].map(String::from));
    let texts: Vec<Vec<u8>> =
        all.iter().map(|number| format!("{{\"f\":true,\"a\":{number},\"b\":false}}").into_bytes()).collect();
    let [taken, by_c] = held(&model, Rules::Jer, "integer-digits", &message, |_| texts.clone())["Any"];
    assert!(taken > 100 && by_c == taken, "{by_c} of {taken}");
}

/// Numbers that are optional, in lists and in CHOICEs, that have a DEFAULT, or select a type.
const PLACES: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Far ::= INTEGER (-36893488147419103232..36893488147419103231)
    ROW ::= CLASS { &id INTEGER, &Type } WITH SYNTAX { TYPE &Type ID &id }
    Rows ROW ::= { { TYPE BOOLEAN ID 5 } | { TYPE Far ID -36893488147419103232000 } | { TYPE INTEGER (0..7) ID 7 } }
    Places ::= SEQUENCE {
        a INTEGER OPTIONAL, b INTEGER DEFAULT 1267650600228229401496703205376, c Far OPTIONAL,
        d Far DEFAULT -36893488147419103232, e SEQUENCE (SIZE (0..4)) OF Far, f SEQUENCE OF INTEGER,
        g SET (SIZE (0..5)) OF INTEGER, h CHOICE { x INTEGER, y Far, z BOOLEAN, ... },
        i SEQUENCE (SIZE (0..3)) OF CHOICE { x Far, y SEQUENCE { z INTEGER (0..MAX) OPTIONAL } },
        j SEQUENCE (SIZE (0..2)) OF Far DEFAULT { 1, -36893488147419103231 }, ...,
        [[ k INTEGER OPTIONAL, l Far ]], m INTEGER (0..18446744073709551615, ...) }
    Table ::= SEQUENCE { id ROW.&id ({Rows}), value ROW.&Type ({Rows}{@id}), b BOOLEAN }
    Kept ::= SEQUENCE {
        a INTEGER (1 | 3..20 | 1267650600228229401496703205376..MAX),
        b Far (-36893488147419103232 | 0..9 | 36893488147419103231),
        c SEQUENCE (SIZE (0..3)) OF Far (0..36893488147419103230 EXCEPT 7) OPTIONAL }
END";

#[test]
fn numbers_are_in_all_places() {
    let model = compiled(PLACES);
    let names = ["Places", "Table", "Kept"];
    for rules in RULES {
        let with = names.map(|name| Message::of_any_length(&model, name, rules));
        let values = |message: &Message| {
            let root = model.find(&format!("M.{}", message.name)).unwrap();
            let mut rng = Rng::new(20);
            let mut all: Vec<Vec<u8>> = Vec::new();
            for at in 0..400 {
                let settings = Settings { integer_bits: [20, 70, 200][at % 3], open_types: true, ..settings(at) };
                let value = Generator::new(&model, settings).try_value(root, &mut rng);
                all.extend(value.and_then(|value| message.encoded(&value).ok()));
            }
            let mutants: Vec<Vec<u8>> = (0..500).map(|_| mutant(&all, [0, 0x7f, 0x80, 0xff], &mut rng)).collect();
            [all, mutants].concat()
        };
        for (name, [taken, by_c]) in held(&model, rules, "integer-places", &with, values) {
            assert!(taken > 150 && by_c == taken, "{name} under {rules}: {by_c} of {taken}");
        }
    }
}

/// A decoder makes none of these values. Memory may be too small, and a number may come in
/// fragments where a program is compiled without reasons of errors.
#[test]
fn hostile_numbers_are_refused() {
    let model = compiled(&module());
    let with = ["Any", "Bits65", "FromFar"].map(|name| Message::of_any_length(&model, name, Rules::Uper));
    held(&model, Rules::Uper, "integer-values", &with, |_| Vec::new());
    for flags in [&[][..], &["-DRW_NO_REASONS"]] {
        let flags = [flags, &["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]].concat();
        runs_with(&flags, Rules::Uper, "integer-values", HOSTILE);
    }
}

const HOSTILE: &str = r#"
#include "generated.h"

static uint8_t out[100000], in[100000];
static uint64_t memory[10000];

static int is_again(const uint8_t *octets, size_t size, size_t wanted)
{
    c_any value = {true, {NULL, 0}, false}, again;
    rw_arena arena = rw_arena_of(memory, sizeof memory);
    rw_error error;
    value.a = rw_integer_from(octets, size);
    ptrdiff_t length = c_any_encode_uper(&value, out, sizeof out, &error);
    ptrdiff_t read = length < 0 ? -1 : c_any_decode_uper_in(&again, out, (size_t)length, &arena, &error);
    return length > 0 && read == length && again.a.size == wanted && rw_compare(value.a, again.a) == 0;
}

int main(void)
{
    static const uint8_t long_zero[] = {0, 0, 0, 0, 5}, minus[] = {0xff, 0xff, 0x85};
    rw_error error;
    c_bits65 place = {true, {0}, false};
    c_from_far far = {true, {NULL, 0}, false};
    int64_t number;
    uint8_t eight[8], nine[9];
    /* Without octets, and with more than a number needs. */
    if (!is_again(NULL, 0, 1) || !is_again(long_zero, 5, 1) || !is_again(minus, 3, 1)) {
        return 1;
    }
    for (size_t at = 0; at < sizeof in; at++) {
        in[at] = (uint8_t)(at * 7 | 0x81);
    }
    for (size_t size = 16380; size < 70000; size += 5461) {
        if (!is_again(in, size, size)) {
            return 2;
        }
    }
    /* Less memory than the number needs. */
    {
        c_any value = {true, {in, 40}, false};
        ptrdiff_t length = c_any_encode_uper(&value, out, sizeof out, &error);
        rw_arena arena = rw_arena_of(memory, 40);
        if (c_any_decode_uper_in(&value, out, (size_t)length, &arena, &error) >= 0) {
            return 3;
        }
    }
    /* Outside of bounds. */
    (void)rw_integer_in(place.a, sizeof place.a, -1);
    if (c_bits65_encode_uper(&place, out, sizeof out, &error) >= 0 || c_from_far_encode_uper(&far, out, sizeof out, &error) >= 0) {
        return 4;
    }
    (void)rw_integer_in(place.a, sizeof place.a, INT64_MAX);
    if (c_bits65_encode_uper(&place, out, sizeof out, &error) < 0) {
        return 5;
    }
    /* Numbers of 64 bits. */
    if (!rw_integer_value(rw_integer_in(eight, 8, INT64_MIN), &number) || number != INT64_MIN
        || !rw_integer_value(rw_integer_in(nine, 9, -2), &number) || number != -2
        || !rw_integer_value(rw_integer_in(nine, 9, INT64_MAX), &number) || number != INT64_MAX) {
        return 6;
    }
    nine[0] = 1;
    return rw_integer_value(rw_integer_from(nine, 9), &number) ? 7 : 0;
}
"#;
