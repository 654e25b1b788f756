//! Times in basic rules, in any form, which encoders make canonical if they can; and times as
//! numbers.

use std::collections::HashMap;
use std::path::Path;

use roadwire_engine::{decode, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Kind, Model, Value, check};

use crate::c99::{Message, held, hex, linked, run, written};
use crate::compiled;
use crate::support::mutant;

const TIMES: &str = "M DEFINITIONS IMPLICIT TAGS ::= BEGIN
    All ::= SEQUENCE { utc [0] UTCTime OPTIONAL, generalized [1] GeneralizedTime OPTIONAL, day [2] DATE OPTIONAL,
        time [3] TIME-OF-DAY OPTIONAL, both [4] DATE-TIME OPTIONAL, length [5] DURATION OPTIONAL }
END";

/// A number of so many digits, often at one of its bounds or beyond.
fn number(rng: &mut Rng, digits: usize, bounds: (u64, u64)) -> String {
    let number = match rng.below(8) {
        0 => bounds.0,
        1 => bounds.1,
        2 => bounds.1 + 1,
        _ => bounds.0 + rng.below(bounds.1 - bounds.0 + 1),
    };
    format!("{number:0digits$}")
}

/// A time of UTCTime, or with a century, with parts that may be absent, and a zone.
fn time(rng: &mut Rng, has_century: bool) -> String {
    let year = match (has_century, rng.below(6)) {
        (true, 0) => ["0000", "9999", "1900", "2000"][rng.below(4) as usize].to_owned(),
        (true, _) => number(rng, 4, (1890, 2110)),
        (false, _) => number(rng, 2, (0, 99)),
    };
    let bounds = [(1, 12), (1, 31), (0, 23), (0, 59), (0, 59)];
    let parts = [2, 3, 4, 5, 5, 5][rng.below(6) as usize];
    let mut text = year + &bounds[..parts].iter().map(|bounds| number(rng, 2, *bounds)).collect::<String>();
    if rng.below(3) == 0 {
        text += [".", ","][rng.below(2) as usize];
        let digits = rng.below(30) as usize;
        text.extend((0..digits).map(|_| ['0', '5'][rng.below(2) as usize]));
        text += ["", "0", "00"][rng.below(3) as usize];
    }
    let zone = format!("{}{}", number(rng, 2, (0, 23)), number(rng, 2, (0, 59)));
    text += &match rng.below(8) {
        0 => String::new(),
        1 => format!("+{zone}"),
        2 => format!("-{zone}"),
        3 => format!("+{}", &zone[..2]),
        4 => format!("-{}", &zone[..rng.below(5) as usize]),
        _ => "Z".to_owned(),
    };
    text
}

fn digits(rng: &mut Rng) -> String {
    let count = [6, 8, 14, 14, 6, 8, 3][rng.below(7) as usize];
    (0..count).map(|at| if at == 2 && rng.below(20) == 0 { 'x' } else { '7' }).collect()
}

#[test]
fn times_are_canonical() {
    let model = compiled(TIMES);
    let mut rng = Rng::new(5);
    let messages: Vec<Vec<u8>> = (0..20_000)
        .map(|_| {
            let tag = [0, 0, 1, 1, 1, 2, 3, 4, 5][rng.below(9) as usize];
            let text = match tag {
                0 | 1 => time(&mut rng, tag == 1),
                5 => ["1DT2H", "", "3Y\u{7f}", "0.5S"][rng.below(4) as usize].to_owned(),
                _ => digits(&mut rng),
            };
            [&[0x30, text.len() as u8 + 2, 0x80 | tag, text.len() as u8], text.as_bytes()].concat()
        })
        .collect();
    for rules in [Rules::Ber, Rules::Der, Rules::Cer] {
        let message = [Message::of(&model, "All", rules)];
        let [all, by_c] = held(&model, rules, "times", &message, |_| messages.clone())["All"];
        assert!(all > 13_000 && by_c == all, "{rules}: {by_c} of {all}");
    }
}

/// Types of X.680 clause 38, and some with property settings.
const TYPES: [(&str, &str); 16] = [
    ("Day", "DATE"),
    ("Clock", "TIME-OF-DAY"),
    ("Both", "DATE-TIME"),
    ("Length", "DURATION"),
    ("Any", "TIME"),
    ("Dates", "TIME (SETTINGS \"Basic=Date\")"),
    ("Months", "TIME (SETTINGS \"Basic=Date Date=YM Year=L5\")"),
    ("Weeks", "TIME (SETTINGS \"Basic=Date Date=YWD Year=Basic\")"),
    ("Millis", "TIME (SETTINGS \"Basic=Time Time=HMSF3 Local-or-UTC=LD\")"),
    ("Zulu", "TIME (SETTINGS \"Basic=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=Z\")"),
    ("Span", "TIME (SETTINGS \"Basic=Interval Interval-type=SE SE-point=Date Date=YMD Year=Basic\")"),
    ("From", "TIME (SETTINGS \"Basic=Interval Interval-type=SD SE-point=Time Time=HM Local-or-UTC=L\")"),
    (
        "Again",
        "TIME (SETTINGS \"Basic=Rec-Interval Interval-type=DE SE-point=Date-Time Date=YD Year=Negative Time=HM Local-or-UTC=LD\")",
    ),
    ("Often", "TIME (SETTINGS \"Basic=Rec-Interval Recurrence=R2\")"),
    ("Night", "TIME (SETTINGS \"Midnight=End\" | SETTINGS \"Midnight=Start Date=C\")"),
    ("Fraction", "TIME (SETTINGS \"Basic=Date-Time Date=YM Year=Proleptic Time=HMSF18 Local-or-UTC=L\")"),
];

/// A module with a record around each of these types.
fn types() -> String {
    let records = TYPES.map(|(name, of)| format!("{name} ::= SEQUENCE {{ a BOOLEAN, b {of}, c BOOLEAN }}\n"));
    format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{}END", records.concat())
}

/// Digits, mostly as many as are given.
fn some_digits(rng: &mut Rng, count: usize) -> String {
    let count = if rng.below(30) == 0 { count + rng.below(3) as usize - 1 } else { count };
    (0..count).map(|_| char::from(b'0' + rng.below(10) as u8)).collect()
}

fn date(rng: &mut Rng) -> String {
    let sign = ["", "", "", "-", "+"][rng.below(5) as usize];
    let digits = if sign.is_empty() || rng.below(3) == 0 { 4 } else { 5 + rng.below(15) as usize };
    let year = match rng.below(4) {
        0 => ["2004", "2005", "2020", "2021", "2276", "2277", "1748", "1749", "1582", "1581"][rng.below(10) as usize]
            .to_owned(),
        _ => some_digits(rng, digits),
    };
    let month = number(rng, 2, (0, 12));
    match rng.below(9) {
        0 => format!("{sign}{}C", some_digits(rng, if sign.is_empty() { 2 } else { digits - 2 })),
        1 => format!("{sign}{year}"),
        2 => format!("{sign}{year}-{month}"),
        3 => format!("{sign}{year}-{}", number(rng, 3, (1, 366))),
        4 => format!("{sign}{year}-W{}", number(rng, 2, (1, 53))),
        5 => format!("{sign}{year}-W{}-{}", number(rng, 2, (1, 53)), number(rng, 1, (1, 7))),
        _ => format!("{sign}{year}-{month}-{}", number(rng, 2, (1, 31))),
    }
}

fn clock(rng: &mut Rng) -> String {
    let bounds = [(0, 24), (0, 59), (0, 60)];
    let parts = [1, 2, 3, 3][rng.below(4) as usize];
    let all: Vec<String> = bounds[..parts].iter().map(|bounds| number(rng, 2, *bounds)).collect();
    let mut text = if rng.below(10) == 0 { "24:00:00".to_owned() } else { all.join(":") };
    if rng.below(3) == 0 {
        let digits = [1, 3, 3, 17, 18, 19][rng.below(6) as usize];
        text += &format!("{}{}", [".", ","][rng.below(2) as usize], some_digits(rng, digits));
    }
    let zone = number(rng, 2, (0, 15));
    text + &match rng.below(6) {
        0 => "Z".to_owned(),
        1 => format!("+{zone}"),
        2 => format!("-{zone}:{}", number(rng, 2, (0, 59))),
        _ => String::new(),
    }
}

fn duration(rng: &mut Rng) -> String {
    if rng.below(5) == 0 {
        return format!("P{}W", rng.next_u64() >> rng.below(64));
    }
    let mut text = "P".to_owned();
    for (at, letter) in "YMDHMS".chars().enumerate() {
        text += if at == 3 && rng.below(8) > 0 { "T" } else { "" };
        if rng.below(2) == 0 {
            let number = [0, rng.below(70), rng.next_u64() >> rng.below(64)][rng.below(3) as usize];
            text += &format!("{number}{letter}");
        }
    }
    if rng.below(3) == 0 {
        let last = text.pop().unwrap_or('P');
        let digits = [1, 3, 4, 18, 19][rng.below(5) as usize];
        text += &format!(".{}{last}", some_digits(rng, digits));
    }
    text
}

/// A time, which may be wrong, and seldom is none.
fn moment(rng: &mut Rng) -> String {
    let point = |rng: &mut Rng, parts| match parts {
        0 => date(rng),
        1 => clock(rng),
        _ => format!("{}T{}", date(rng), clock(rng)),
    };
    let (parts, other) = (rng.below(3), rng.below(3));
    let other = if rng.below(8) == 0 { other } else { parts };
    let text = match rng.below(9) {
        0 => format!("{}/{}", point(rng, parts), point(rng, other)),
        1 => format!("{}/{}", point(rng, parts), duration(rng)),
        2 => format!("{}/{}", duration(rng), point(rng, parts)),
        3 | 4 => duration(rng),
        _ => point(rng, parts),
    };
    let mut text = match rng.below(4) {
        0 => format!("R{}/{text}", ["", "0", "12", "999999999999999999", "1234567890123456789"][rng.below(5) as usize]),
        _ => text,
    };
    if rng.below(10) == 0 {
        let at = rng.below(text.len() as u64) as usize;
        text.replace_range(at..=at, ["", "0", "T", "-", "/", ":", "P"][rng.below(7) as usize]);
    }
    text
}

/// A text that is likely to be one of a type.
fn text_of(name: &str, model: &Model, rng: &mut Rng) -> String {
    let Kind::Sequence { components, .. } = &model.get(model.find(&format!("M.{name}")).unwrap()).kind else {
        panic!("{name}");
    };
    let generator = Generator::new(model, Settings::default());
    let picked = |rng: &mut Rng| match generator.value(components[1].type_id, rng) {
        Value::Text(text) => text,
        other => panic!("{other:?}"),
    };
    match (rng.below(3), name) {
        (0, _) => picked(rng),
        (1, "Day") => format!("{}-{}-{}", some_digits(rng, 4), number(rng, 2, (0, 12)), number(rng, 2, (0, 31))),
        (1, "Length") => duration(rng),
        (1, "Clock") => clock(rng),
        (1, _) => {
            // Of another text, which has been changed in one place.
            let mut text = picked(rng);
            let at = rng.below(text.len() as u64) as usize;
            text.replace_range(at..=at, ["", "0", "9", "2", "Z", "-0", "."][rng.below(7) as usize]);
            text
        }
        _ => moment(rng),
    }
}

fn value(text: String) -> Value {
    Value::sequence([Some(Value::Boolean(true)), Some(Value::Text(text)), Some(Value::Boolean(true))])
}

const NUMBERS: [Rules; 4] = [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer];

/// Whatever numbers come, C takes them as the interpreter does.
#[test]
fn times_are_numbers() {
    let model = compiled(&types());
    for rules in NUMBERS.into_iter().chain([Rules::Ber, Rules::Der, Rules::Cer]) {
        let messages = TYPES.map(|(name, _)| Message::of(&model, name, rules));
        let taken = held(&model, rules, "numbers", &messages, |message| {
            let mut rng = Rng::new(9);
            let texts = (0..800).map(|_| text_of(&message.name, &model, &mut rng));
            let all: Vec<Vec<u8>> = texts.filter_map(|text| message.encoded(&value(text)).ok()).collect();
            // The interpreter reads numbers of recurrences with more digits than it writes.
            let is_written = |octets: &Vec<u8>| {
                let mut value = Value::Unset;
                decode(&message.layout, octets, &mut value).is_err() || message.encoded(&value).is_ok()
            };
            let mutants = (0..1500).map(|_| mutant(&all, [0, 0x7f, 0x80, 0xff], &mut rng));
            [all.clone(), mutants.filter(is_written).collect()].concat()
        });
        for (name, [all, by_c]) in taken {
            assert!(all > 250 && by_c == all, "{name} under {rules}: {by_c} of {all}");
        }
    }
}

/// Any text in memory is written as the interpreter writes it, or refused for the same reason.
#[test]
fn texts_that_are_no_times_are_refused() {
    let model = compiled(&types());
    let roots = TYPES.map(|(name, _)| model.find(&format!("M.{name}")).unwrap());
    let all = [Rules::Jer].into_iter().chain(NUMBERS).chain([Rules::Ber, Rules::Der, Rules::Cer]);
    let rules: Vec<Rules> = all.collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c99-times-written");
    written(&folder, &model, &roots, &rules);
    let flags = ["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let program = linked(&folder, Rules::Uper, ("times", &flags), &source(&rules[1..]));
    let (mut rng, mut lines, mut asked) = (Rng::new(4), String::new(), Vec::new());
    for (of, (name, _)) in TYPES.iter().enumerate() {
        for _ in 0..800 {
            let text = text_of(name, &model, &mut rng);
            lines += &format!("{of} {{\"a\":true,\"b\":\"{text}\",\"c\":true}}\n");
            asked.push((of, text));
        }
    }
    let answers = run(&program, &lines);
    assert_eq!(answers.len(), asked.len() * (rules.len() - 1));
    let layouts: Vec<Vec<Layout>> = roots
        .iter()
        .map(|root| rules.iter().map(|rules| lower_without_contents(&model, *root, *rules).unwrap()).collect())
        .collect();
    let mut kinds: HashMap<String, usize> = HashMap::new();
    for ((of, text), answers) in asked.into_iter().zip(answers.chunks(rules.len() - 1)) {
        let value = value(text.clone());
        let broken = check::constraints(&model, roots[of], &value);
        for ((answer, layout), rules) in answers.iter().zip(&layouts[of][1..]).zip(&rules[1..]) {
            // C checks constraints afterwards.
            let wanted = match (encode_to_vec(layout, &value, 1000), broken.first()) {
                (Err(error), _) => format!("-{} {}", error.kind.code(), error.path),
                (Ok(_), Some(broken)) => format!("-{} {}", broken.code, broken.path),
                (Ok(octets), None) => hex(&octets),
            };
            let kind = if wanted.starts_with('-') { wanted.clone() } else { "written".into() };
            *kinds.entry(kind).or_default() += 1;
            assert_eq!(*answer, wanted, "{} {text} under {rules}", TYPES[of].0);
        }
    }
    println!("{kinds:#?}");
    assert!(kinds["written"] > 20_000 && kinds["-text.form b"] > 10_000 && kinds.len() > 20, "{kinds:#?}");
}

/// A program that reads a value as JSON, and writes it under these rules.
fn source(rules: &[Rules]) -> String {
    let mut cases = String::new();
    for (of, (name, _)) in TYPES.iter().enumerate() {
        let name = format!("c_{}", name.to_lowercase());
        cases += &format!(
            "case {of}: {{ static {name} value; is_read = {name}_decode_jer_in(&value, text, size, &arena, &error) > 0; "
        );
        for rules in rules {
            cases +=
                &format!("shown(is_read ? {name}_encode_{}(&value, out, sizeof out, &error) : -1); ", rules.name());
        }
        cases += "break; }\n";
    }
    WRITTEN.replace("CASES", &cases)
}

const WRITTEN: &str = r#"
#include "generated.h"
#include <stdio.h>

static uint8_t out[1000];
static rw_error error;

static void shown(ptrdiff_t length)
{
    static char path[300];
    for (ptrdiff_t at = 0; at < length; at++) {
        printf("%02x", out[at]);
    }
    if (length < 0) {
        (void)rw_path(&error, path, sizeof path);
        printf("-%s %s", rw_code(error.code), path);
    }
    puts("");
}

int main(void)
{
    static char line[1000];
    static uint64_t memory[1000];
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned of;
        int used;
        bool is_read;
        rw_arena arena = rw_arena_of(memory, sizeof memory);
        if (sscanf(line, "%u %n", &of, &used) != 1) {
            return 1;
        }
        const uint8_t *text = (const uint8_t *)line + used;
        const size_t size = strlen(line + used) - 1;
        switch (of) {
        CASES
        default: return 1;
        }
    }
    return 0;
}
"#;
