//! Values that C reads under one set of rules and writes under another. Decoders leave long strings
//! in the message, in the form that they have there; every encoder takes all of these forms.

use std::path::Path;

use roadwire_engine::{decode, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower_without_contents};
use roadwire_model::{TypeId, Value};

use crate::c99::{hex, linked, run, written};
use crate::compiled;

const RULES: [Rules; 10] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Oer,
    Rules::Ber,
    Rules::Der,
    Rules::Cer,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Jer,
    Rules::Exi,
];

const STRINGS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Octets ::= SEQUENCE { a BOOLEAN, b OCTET STRING }
    Bits ::= SEQUENCE { a BOOLEAN, b BIT STRING }
    Named ::= SEQUENCE { a BOOLEAN, b BIT STRING { first (0), last (20) } }
    Filled ::= SEQUENCE { a BOOLEAN, b BIT STRING { first (0), last (20) } (SIZE (70..MAX)) }
    Text ::= SEQUENCE { a BOOLEAN, b UTF8String }
    Letters ::= SEQUENCE { a BOOLEAN, b IA5String }
    Wide ::= SEQUENCE { a BOOLEAN, b BMPString }
END";

const NAMES: [&str; 7] = ["Octets", "Bits", "Named", "Filled", "Text", "Letters", "Wide"];

/// Around one and several segments (1000 octets, X.690 clause 9.2) and fragments (16K units, X.691
/// clause 11.9.3.8).
const SIZES: [usize; 8] = [0, 7, 999, 1001, 7993, 16384, 20003, 16384 * 3 + 5];

fn value(name: &str, units: usize) -> Value {
    let octets: Vec<u8> = (0..units).map(|at| (at * 7 + at / 256 + 1) as u8).collect();
    let either = |at: usize| if at % 5 == 2 { "ä" } else { "b" };
    let part = match name {
        "Octets" => Value::OctetString(octets),
        "Bits" => Value::bit_string(&octets[..units.div_ceil(8)], units),
        // With a last bit that is set: it is the same under all rules.
        "Named" => Value::bit_string(&[&octets[..units / 8], &[0x90]].concat(), units / 8 * 8 + 4),
        // The same, with zeros at the end up to the least size.
        "Filled" => {
            let all = [&octets[..units / 8], &[0x90], &[0; 9]].concat();
            let bits = (units / 8 * 8 + 4).max(70);
            Value::bit_string(&all[..bits.div_ceil(8)], bits)
        }
        "Letters" => Value::Text((0..units).map(|at| char::from(b'a' + (at % 26) as u8)).collect()),
        _ => Value::Text((0..units).map(either).collect()),
    };
    Value::sequence([Some(Value::Boolean(true)), Some(part)])
}

/// JSON with escapes for some characters of its strings.
fn escaped(text: &[u8]) -> Vec<u8> {
    let (mut is_inside, mut out) = (false, Vec::new());
    for (at, octet) in text.iter().enumerate() {
        is_inside ^= *octet == b'"';
        match is_inside && octet.is_ascii_alphanumeric() && at % 3 == 0 {
            true => out.extend(format!("\\u{octet:04x}").into_bytes()),
            false => out.push(*octet),
        }
    }
    out
}

/// A message as words, and its forms under all rules.
struct Asked {
    what: String,
    of: usize,
    from: usize,
    octets: Vec<u8>,
    wanted: Vec<String>,
}

#[test]
fn strings_are_written_in_all_forms_that_they_are_read_in() {
    let model = compiled(STRINGS);
    let roots = NAMES.map(|name| model.find(&format!("M.{name}")).unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c99-converted");
    let generated = written(&folder, &model, &roots, &RULES);
    assert_eq!(generated.messages.len(), NAMES.len());
    let flags = ["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let program = linked(&folder, Rules::Uper, ("converted", &flags), &source(&generated.header));
    let layout = |root: TypeId, rules: Rules| lower_without_contents(&model, root, rules).unwrap();
    let mut asked = Vec::new();
    for ((of, name), root) in (0..).zip(NAMES).zip(roots) {
        let layouts: Vec<Layout> = RULES.iter().map(|rules| layout(root, *rules)).collect();
        for units in SIZES {
            let value = value(name, units);
            let all: Vec<Vec<u8>> =
                layouts.iter().map(|layout| encode_to_vec(layout, &value, 1 << 20).unwrap()).collect();
            let wanted: Vec<String> = all.iter().map(|octets| hex(octets)).collect();
            for (from, rules) in RULES.iter().enumerate() {
                let mut forms = vec![all[from].clone()];
                if *rules == Rules::Jer {
                    forms.push(escaped(&all[from]));
                }
                for (form, octets) in forms.into_iter().enumerate() {
                    let mut again = Value::Unset;
                    decode(&layouts[from], &octets, &mut again).unwrap();
                    assert_eq!(again, value);
                    let what = format!("{name} of {units} units from {rules}, form {form}");
                    asked.push(Asked { what, of, from, octets, wanted: wanted.clone() });
                }
            }
        }
    }
    let lines: String = asked.iter().map(|one| format!("{} {} {}\n", one.of, one.from, hex(&one.octets))).collect();
    let answers = run(&program, &lines);
    assert_eq!(answers.len(), asked.len() * RULES.len());
    for (one, answers) in asked.iter().zip(answers.chunks(RULES.len())) {
        for ((to, answer), wanted) in RULES.iter().zip(answers).zip(&one.wanted) {
            assert!(answer == wanted, "{} to {to}: {} and not {}", one.what, short(answer), short(wanted));
        }
    }
}

fn short(text: &str) -> &str {
    text.get(..200).unwrap_or(text)
}

/// A program that reads a message and writes it under all rules.
fn source(header: &str) -> String {
    let (mut values, mut decoders, mut encoders) = (String::new(), String::new(), String::new());
    for (of, name) in NAMES.iter().enumerate() {
        let name = format!("c_{}", name.to_lowercase());
        values += &format!("{name} of_{of}; ");
        for (at, rules) in RULES.iter().enumerate() {
            let rule = rules.name().replace('-', "_");
            let takes_memory = header.contains(&format!(" {name}_decode_{rule}_in("));
            let [suffix, arena] = if takes_memory { ["_in", "&arena, "] } else { ["", ""] };
            let case = format!("case {}: return {name}", of * RULES.len() + at);
            decoders += &format!("{case}_decode_{rule}{suffix}(&value.of_{of}, in, size, {arena}&error);\n");
            encoders += &format!("{case}_encode_{rule}(&value.of_{of}, out, sizeof out, &error);\n");
        }
    }
    let count = RULES.len().to_string();
    [("VALUES", &values), ("DECODERS", &decoders), ("ENCODERS", &encoders), ("COUNT", &count)]
        .into_iter()
        .fold(MAIN.to_owned(), |text, (name, with)| text.replace(name, with))
}

const MAIN: &str = r#"
#include "generated.h"
#include <stdio.h>

static union { VALUES } value;
static uint8_t in[1000000], out[1000000];
static char line[2000100];
static uint64_t memory[1 << 17];
static rw_arena arena;
static rw_error error;

static ptrdiff_t read_value(unsigned codec, size_t size)
{
    switch (codec) {
    DECODERS
    }
    return -1;
}

static ptrdiff_t written(unsigned codec)
{
    switch (codec) {
    ENCODERS
    }
    return -1;
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned of, from, to, octet;
        int used;
        size_t size = 0;
        if (sscanf(line, "%u %u %n", &of, &from, &used) != 2) {
            return 1;
        }
        for (; line[used] > ' '; used += 2) {
            sscanf(line + used, "%2x", &octet);
            in[size++] = octet;
        }
        arena = rw_arena_of(memory, sizeof memory);
        ptrdiff_t taken = read_value(of * COUNT + from, size);
        for (to = 0; to < COUNT; to++) {
            ptrdiff_t length = taken < 0 ? -1 : written(of * COUNT + to);
            for (ptrdiff_t at = 0; at < length; at++) {
                printf("%02x", out[at]);
            }
            puts(length < 0 ? rw_code(error.code) : "");
        }
    }
    return 0;
}
"#;
