//! Rare forms under packed and octet rules, and in EXI.

use roadwire_layout::Rules;
use roadwire_model::random::{Rng, Settings};
use roadwire_model::{Model, Value};

use crate::c99::{Message, held, runs, runs_with};
use crate::support::mutant;
use crate::{compiled, random};

const PACKED: [Rules; 2] = [Rules::Uper, Rules::Aper];

/// Parts without a bound.
const LONG: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Octets ::= SEQUENCE { a BOOLEAN, b OCTET STRING, c INTEGER (0..7) }
    Whole ::= SEQUENCE { b OCTET STRING }
    Some ::= SEQUENCE { a BOOLEAN, b OCTET STRING (SIZE (1..20000, ...)), c INTEGER (0..7) }
    Bounded ::= SEQUENCE { a BOOLEAN, b OCTET STRING (SIZE (20000..70000)), c INTEGER (0..7) }
    Bits ::= SEQUENCE { a BOOLEAN, b BIT STRING, c INTEGER (0..7) }
    Text ::= SEQUENCE { a BOOLEAN, b UTF8String, c INTEGER (0..7) }
    Short ::= SEQUENCE { b UTF8String (SIZE (0..5)) }
    Letters ::= SEQUENCE { a BOOLEAN, b IA5String (FROM (\"a\"..\"f\")), c INTEGER (0..7) }
    Wide ::= SEQUENCE { a BOOLEAN, b BMPString, c INTEGER (0..7) }
    Numbers ::= SEQUENCE { a BOOLEAN, b SEQUENCE OF INTEGER (0..300), c INTEGER (0..7) }
    Truths ::= SEQUENCE { a BOOLEAN, b SEQUENCE OF BOOLEAN, c INTEGER (0..7) }
    Pairs ::= SEQUENCE { a BOOLEAN, b SEQUENCE (SIZE (0..5, ...)) OF SEQUENCE { a BOOLEAN, b INTEGER (0..7) OPTIONAL }, c INTEGER (0..7) }
    Added ::= SEQUENCE { a BOOLEAN, ..., b OCTET STRING, c INTEGER (0..7) }
    Either ::= SEQUENCE { a BOOLEAN, b CHOICE { n NULL, ..., o OCTET STRING }, c INTEGER (0..7) }
END";

/// The same without what was added.
const BEFORE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Added ::= SEQUENCE { a BOOLEAN, ... }
    Either ::= SEQUENCE { a BOOLEAN, b CHOICE { n NULL, ... }, c INTEGER (0..7) }
END";

fn part(name: &str, units: usize) -> Value {
    let octets: Vec<u8> = (0..units).map(|at| (at * 7 + at / 256) as u8).collect();
    let either = |at: usize| if at % 5 == 0 { "ä" } else { "b" };
    match name {
        "Bits" => Value::bit_string(&octets[..units.div_ceil(8)], units),
        "Text" => Value::Text((0..units / 6 * 5).map(either).collect()),
        "Short" => Value::Text("x".repeat(units)),
        "Letters" => Value::Text((0..units).map(|at| char::from(b'a' + (at % 6) as u8)).collect()),
        "Wide" => Value::Text((0..units).map(either).collect()),
        "Numbers" => Value::List((0..units).map(|at| Value::from((at % 301) as i64)).collect()),
        "Truths" => Value::List((0..units).map(|at| Value::Boolean(at % 3 == 0)).collect()),
        "Pairs" => {
            let pair = |at: usize| {
                let b = (at % 3 == 0).then(|| Value::from((at % 8) as i64));
                Value::sequence([Some(Value::Boolean(at % 5 == 0)), b])
            };
            Value::List((0..units).map(pair).collect())
        }
        "Either" => Value::choice(1, Value::OctetString(octets)),
        _ => Value::OctetString(octets),
    }
}

fn value(name: &str, units: usize) -> Value {
    let (part, end) = (Some(part(name, units)), Some(Value::from(5)));
    match name {
        "Whole" | "Short" => Value::sequence([part]),
        _ => Value::sequence([Some(Value::Boolean(true)), part, end]),
    }
}

/// Sizes around multiples of 16K units.
const SIZES: [usize; 9] = [16383, 16384, 16385, 16384 + 128, 32768, 65535, 65536, 65536 + 200, 81920];

fn messages(model: &Model, rules: Rules, names: &[&str], sizes: &[usize]) -> (Vec<Message>, Vec<Vec<Vec<u8>>>) {
    let messages: Vec<Message> = names.iter().map(|name| Message::of(model, name, rules)).collect();
    let of = |message: &Message| -> Vec<Vec<u8>> {
        sizes.iter().filter_map(|size| message.encoded(&value(&message.name, *size)).ok()).collect()
    };
    let octets = messages.iter().map(of).collect();
    (messages, octets)
}

/// Messages that are cut, or changed where the length of a fragment may be.
fn damaged(octets: &[u8]) -> Vec<Vec<u8>> {
    let cut = |at: usize| octets[..at.min(octets.len())].to_vec();
    let mut all: Vec<Vec<u8>> = [1, 2, 3, 2050, 16384, 16388, 65538, octets.len() - 1].into_iter().map(cut).collect();
    for (at, mask) in
        (0..4).chain([2049, 2050, 16385, 16386, 16387, 65537]).flat_map(|at| [1, 4, 0x40, 0xff].map(|mask| (at, mask)))
    {
        let mut other = octets.to_vec();
        other.get_mut(at).into_iter().for_each(|octet| *octet ^= mask);
        all.push(other);
    }
    all
}

#[test]
fn parts_of_16k_units_are_coded() {
    let model = compiled(LONG);
    let names = [
        "Octets", "Whole", "Some", "Bounded", "Bits", "Text", "Short", "Letters", "Wide", "Numbers", "Truths", "Pairs",
    ];
    for rules in PACKED {
        let (with, octets) = messages(&model, rules, &names, &SIZES);
        let at = |message: &Message| names.iter().position(|name| *name == message.name).unwrap();
        let taken = held(&model, rules, "long", &with, |message| octets[at(message)].clone());
        for name in names {
            let [all, by_c] = taken.get(name).copied().unwrap_or_default();
            // More pairs have no room in place.
            let least = if name == "Short" || name == "Pairs" { 0 } else { 4 };
            assert!(by_c == all && all >= least || name == "Pairs", "{name} under {rules}: {by_c} of {all}");
        }
        held(&model, rules, "long", &with, |message| {
            octets[at(message)].iter().step_by(4).flat_map(|octets| damaged(octets)).collect()
        });
    }
}

/// Fragments in any order, of which the interpreter takes all.
#[test]
fn fragments_of_any_size_are_taken() {
    let model = compiled(LONG);
    let fragments = |heads: &[u8], tail: &[u8]| -> Vec<u8> {
        let units = |head: &u8| [&[*head][..], &vec![b'x'; usize::from(*head & 63) << 14]].concat();
        [heads.iter().flat_map(units).collect(), tail.to_vec()].concat()
    };
    let all: Vec<Vec<u8>> = [
        fragments(&[0xc1], &[0]),
        fragments(&[0xc1, 0xc4, 0xc2], &[1, b'y']),
        fragments(&[0xc1, 0xc1], &[0x80, 2, b'y', b'y']),
        fragments(&[0xc1], &[0xc0]),
        fragments(&[0xc1], &[0xc5]),
        fragments(&[0xc1], &[2, b'y']),
        fragments(&[0xc1], &[]),
    ]
    .to_vec();
    for rules in PACKED {
        let with = ["Whole", "Short"].map(|name| Message::of(&model, name, rules));
        let taken = held(&model, rules, "fragments", &with, |_| all.clone());
        assert_eq!(taken["Whole"], [3, 3], "{rules}: {taken:?}");
    }
}

/// Contents of open types, of known and of unknown ones. Without an arena, those of known types are
/// refused.
#[test]
fn open_types_of_16k_octets_are_coded() {
    let (model, before) = (compiled(LONG), compiled(BEFORE));
    let names = ["Added", "Either"];
    for rules in PACKED {
        let (_, octets) = messages(&model, rules, &names, &SIZES);
        let at = |message: &Message| names.iter().position(|name| *name == message.name).unwrap();
        let unknown: Vec<Message> = names.iter().map(|name| Message::of(&before, name, rules)).collect();
        let taken = held(&before, rules, "long-unknown", &unknown, |message| octets[at(message)].clone());
        for name in names {
            assert_eq!(taken[name], [SIZES.len(); 2], "{name} under {rules}");
        }
        held(&before, rules, "long-unknown", &unknown, |message| {
            octets[at(message)].iter().step_by(4).flat_map(|octets| damaged(octets)).collect()
        });
        let known: Vec<Message> = names.iter().map(|name| Message::of(&model, name, rules)).collect();
        let taken = held(&model, rules, "long-known", &known, |message| octets[at(message)].clone());
        for name in names {
            assert_eq!(taken[name], [SIZES.len(), 0], "{name} under {rules}");
        }
        // One with a list takes memory.
        let with_list = LONG.replace(
            "b OCTET STRING, c INTEGER (0..7) }\n    Either",
            "b SEQUENCE OF OCTET STRING, c INTEGER (0..7) }\n    Either",
        );
        let model = compiled(&with_list);
        let message = [Message::of(&model, "Added", rules)];
        let list = |units: usize| Value::List(vec![part("Octets", units), part("Octets", 5)]);
        let of = |units| Value::sequence([Some(Value::Boolean(true)), Some(list(units)), Some(Value::from(5))]);
        let octets: Vec<Vec<u8>> = SIZES.iter().map(|units| message[0].encoded(&of(*units)).unwrap()).collect();
        let taken = held(&model, rules, "long-list", &message, |_| octets.clone());
        assert_eq!(taken["Added"], [SIZES.len(); 2], "{rules}");
        held(&model, rules, "long-list", &message, |_| {
            octets.iter().step_by(4).flat_map(|octets| damaged(octets)).collect()
        });
    }
}

/// Numbers in more octets than they need.
#[test]
fn long_numbers_are_taken() {
    let model = compiled(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            Any ::= SEQUENCE { a INTEGER }
            Some ::= SEQUENCE { a INTEGER (3..MAX) }
        END",
    );
    let of = |fill: u8, count: usize, last: [u8; 2]| [&[count as u8 + 2][..], &vec![fill; count], &last].concat();
    let all: Vec<Vec<u8>> = (0..12)
        .flat_map(|count| {
            [0, 0xff, 0x80].into_iter().flat_map(move |fill| [[0x7f, 1], [0x80, 1]].map(|last| of(fill, count, last)))
        })
        .collect();
    let fragment = [&[0xc1][..], &[0; 16384], &[2, 1, 1]].concat();
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer] {
        let with = ["Any", "Some"].map(|name| Message::of(&model, name, rules));
        let taken =
            held(&model, rules, "long-numbers", &with, |_| [&all[..], std::slice::from_ref(&fragment)].concat());
        // The others have more than 64 bits.
        let [all, by_c] = taken["Any"];
        assert!(by_c >= 24 && by_c < all, "{rules}: {by_c} of {all}");
    }
}

/// Items and alternatives with indexes above 63.
#[test]
fn indexes_above_63_are_coded() {
    let module = |alternatives: usize, items: usize| {
        let alternatives: String = (0..alternatives).map(|at| format!(", a{at} INTEGER (0..{at})")).collect();
        let items: String = (0..items).map(|at| format!(", i{at}")).collect();
        compiled(&format!(
            "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
                Either ::= SEQUENCE {{ a CHOICE {{ x NULL, y BOOLEAN, z INTEGER (0..7), ...{alternatives} }}, b BOOLEAN }}
                Item ::= SEQUENCE {{ a ENUMERATED {{ x, y, z, ...{items} }}, b BOOLEAN }}
            END"
        ))
    };
    let (before, now, later) = (module(0, 0), module(70, 100), module(300, 400));
    for rules in PACKED {
        let values: [Vec<Value>; 2] = [
            (0..303)
                .map(|at| {
                    Value::choice(
                        at,
                        if at == 0 {
                            Value::Null
                        } else if at == 1 {
                            Value::Boolean(true)
                        } else {
                            Value::from(0)
                        },
                    )
                })
                .collect(),
            (0..403).map(Value::Enumerated).collect(),
        ];
        let names = ["Either", "Item"];
        let at = |message: &Message| names.iter().position(|name| *name == message.name).unwrap();
        let all = |message: &Message| -> Vec<Vec<u8>> {
            let of = |value: &Value| Value::sequence([Some(value.clone()), Some(Value::Boolean(true))]);
            let later = Message::of(&later, &message.name, rules);
            values[at(message)].iter().map(|value| later.encoded(&of(value)).unwrap()).collect()
        };
        for (name, model) in [("before", &before), ("now", &now)] {
            let with = names.map(|name| Message::of(model, name, rules));
            let taken = held(model, rules, &format!("indexes-{name}"), &with, all);
            assert_eq!([taken["Either"], taken["Item"]], [[303; 2], [403; 2]], "{rules}");
        }
        // All forms of an index, some of them with too many octets.
        let forms = |_: &Message| {
            let of = |first: u16| [&first.to_be_bytes()[..], &[0, 0, 0, 0x41, 0, 0x80, 0, 0]].concat();
            (0..=u16::MAX).step_by(3).map(of).collect()
        };
        let with = names.map(|name| Message::of(&now, name, rules));
        for (name, [all, by_c]) in held(&now, rules, "indexes-now", &with, forms) {
            assert!(by_c == all && all > 1000, "{name} under {rules}: {by_c} of {all}");
        }
    }
}

/// Items by numbers in more octets than these need, and tags of more octets than one.
#[test]
fn long_numbers_of_items_are_taken() {
    let model = compiled(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            Item ::= SEQUENCE { a ENUMERATED { a (0), b (200), c (-5) } }
            Dense ::= SEQUENCE { a ENUMERATED { a, b, c } }
            Later ::= SEQUENCE { a ENUMERATED { a (0), b (200), c (-5), ... } }
            Short ::= SEQUENCE { a ENUMERATED { a, b, c, ... } }
            Far ::= SEQUENCE { a ENUMERATED { a (0), b (5000000000), c (-5), ... } }
            Either ::= SEQUENCE { a CHOICE { a BOOLEAN, b NULL } }
        END",
    );
    let names = ["Item", "Dense", "Later", "Short", "Far", "Either"];
    for rules in [Rules::Oer, Rules::Coer] {
        let with = names.map(|name| Message::of(&model, name, rules));
        let all = |_: &Message| {
            let of = |first: u16, rest: &[u8]| [&first.to_be_bytes()[..], rest].concat();
            let rests: [&[u8]; 4] =
                [&[], &[200, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[0, 0, 0, 0, 0, 0, 0, 0, 200], &[0xff; 9]];
            rests.into_iter().flat_map(|rest| (0..=u16::MAX).step_by(5).map(move |first| of(first, rest))).collect()
        };
        for (name, [all, by_c]) in held(&model, rules, "items", &with, all) {
            assert!(by_c == all && all > 100, "{name} under {rules}: {by_c} of {all}");
        }
    }
}

/// Fragments that end with the memory that they are in.
#[test]
fn nothing_beyond_fragments_is_read() {
    let model = compiled(LONG);
    for name in ["Octets", "Bits", "Text"] {
        let (with, octets) = messages(&model, Rules::Uper, &[name], &[16384 + 130]);
        held(&model, Rules::Uper, "long-cut", &with, |_| octets[0].clone());
        let all: Vec<String> = octets[0][0].iter().map(ToString::to_string).collect();
        let program = CUT.replace("NAME", &name.to_lowercase()).replace("OCTETS", &all.join(", "));
        let flags = ["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        runs_with(&flags, Rules::Uper, "long-cut", &program);
    }
}

const CUT: &str = r#"
#include "generated.h"
#include <stdlib.h>

int main(void)
{
    static const uint8_t octets[] = {OCTETS};
    static c_NAME value;
    static uint8_t out[100000];
    rw_error error;
    size_t at;
    for (at = 0; at <= sizeof octets; at += at < 10 || at + 300 > sizeof octets ? 1 : 499) {
        uint8_t *in = malloc(at);
        memcpy(in, octets, at);
        if (c_NAME_decode_uper(&value, in, at, &error) >= 0) {
            ptrdiff_t used = c_NAME_encode_uper(&value, out, sizeof out, &error);
            if (used != sizeof octets || memcmp(out, octets, used) != 0) {
                return 1;
            }
        }
        free(in);
    }
    return 0;
}
"#;

/// Bit strings of all sizes, with names.
const NAMED: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Any ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES, c INTEGER (0..7) }
    Few ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (0..17)), c INTEGER (0..7) }
    Of7 ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (7)), c INTEGER (0..7) }
    Of65 ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (65)), c INTEGER (0..7) }
    From3 ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (3..MAX)), c INTEGER (0..7) }
    Around64 ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (60..90)), c INTEGER (0..7) }
    More ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (3..20, ...)), c INTEGER (0..7) }
    Long ::= SEQUENCE { a BOOLEAN, b BIT STRING NAMES (SIZE (3..70000)), c INTEGER (0..7) }
END";

#[test]
fn named_bits_may_end_with_any_zeros() {
    let (named, bare) = (compiled(&NAMED.replace("NAMES", "{ x (0), y (5) }")), compiled(&NAMED.replace("NAMES", "")));
    let names = ["Any", "Few", "Of7", "Of65", "From3", "Around64", "More", "Long"];
    let bits = |count: usize, ones: usize| {
        let octets: Vec<u8> = (0..count.div_ceil(8)).map(|at| if at * 8 < ones { 0xa5 } else { 0 }).collect();
        Value::sequence([Some(Value::Boolean(true)), Some(Value::bit_string(&octets, count)), Some(Value::from(5))])
    };
    let long = [16384, 16500, 65600].into_iter().flat_map(|count| [1, 16390, count].map(|ones| (count, ones)));
    let sizes = (0..100).flat_map(|count| [0, 1, 5, 9, 17, 60, 64, count].map(|ones| (count, ones))).chain(long);
    let values: Vec<Value> = sizes.map(|(count, ones)| bits(count, ones)).collect();
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer] {
        let with = names.map(|name| Message::of(&named, name, rules));
        let taken = held(&named, rules, "named-bits", &with, |message| {
            let bare = Message::of(&bare, &message.name, rules);
            values.iter().filter_map(|value| bare.encoded(value).ok()).collect()
        });
        for name in names {
            let [all, by_c] = taken[name];
            assert!(by_c == all && all >= 8, "{name} under {rules}: {by_c} of {all}");
        }
    }
}

/// Elements of sets in any order, and of sets in these.
const SETS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Few ::= SEQUENCE { a KIND (SIZE (0..20)) OF INTEGER (0..70000), b BOOLEAN }
    Any ::= SEQUENCE { a KIND OF OCTET STRING, b BOOLEAN }
    Inner ::= SEQUENCE { a KIND (SIZE (0..9)) OF KIND (SIZE (0..5)) OF INTEGER (0..70000), b BOOLEAN }
END";

#[test]
fn elements_of_sets_are_sorted() {
    let (sets, lists) = (compiled(&SETS.replace("KIND", "SET")), compiled(&SETS.replace("KIND", "SEQUENCE")));
    let names = ["Few", "Any", "Inner"];
    for rules in [Rules::Oer, Rules::Coer] {
        let with = names.map(|name| Message::of(&sets, name, rules));
        let taken =
            held(&sets, rules, "sets", &with, |message| random(&lists, &message.name, rules, (Settings::default(), 3)));
        for name in names {
            assert_eq!(taken[name], [300; 2], "{name} under {rules}");
        }
        let octets = |numbers: &[i64]| {
            let list = Value::List(numbers.iter().map(|number| Value::from(*number)).collect());
            let value = Value::sequence([Some(list), Some(Value::Boolean(true))]);
            let octets = Message::of(&lists, "Few", rules).encoded(&value).unwrap();
            octets.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let (unsorted, sorted) = (octets(&[7, 70000, 3, 300, 3, 0]), octets(&[0, 3, 3, 7, 300, 70000]));
        let program = SORTED.replace("UNSORTED", &unsorted).replace("SORTED", &sorted);
        runs(rules, "sets", &program.replace("RULES", rules.name()));
    }
}

/// Elements are sorted where there is only room for them.
const SORTED: &str = r#"
#include "generated.h"

int main(void)
{
    static const uint8_t octets[] = {UNSORTED}, wanted[] = {SORTED};
    static c_few value;
    static uint8_t out[sizeof octets];
    if (c_few_decode_RULES(&value, octets, sizeof octets, NULL) < 0) {
        return 1;
    }
    if (c_few_encode_RULES(&value, out, sizeof out, NULL) != (ptrdiff_t)sizeof out) {
        return 2;
    }
    return memcmp(out, wanted, sizeof out) == 0 ? 0 : 3;
}
"#;

/// An open type without octets, of known type and of unknown ones.
#[test]
fn an_open_type_has_an_octet() {
    let model = compiled(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            ROW ::= CLASS { &id INTEGER (0..255), &Type } WITH SYNTAX { &Type IDENTIFIED BY &id }
            Rows ROW ::= { { BOOLEAN IDENTIFIED BY 1 } | { INTEGER IDENTIFIED BY 2 }, ... }
            All ::= SEQUENCE { id ROW.&id ({Rows}), content ROW.&Type ({Rows}{@id}) }
        END",
    );
    for rules in PACKED {
        let with = [Message::of(&model, "All", rules)];
        let all =
            |_: &Message| (0..6).flat_map(|id| (0..4).map(move |size| vec![id, size, 0x80, 0x80, 0x80])).collect();
        let [all, by_c] = held(&model, rules, "open", &with, all)["All"];
        assert!(by_c == all && all >= 12, "{rules}: {by_c} of {all}");
    }
}

/// Items by their numbers in EXI: at an offset, in groups, and with a sign.
const ITEM_NUMBERS: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Above ::= SEQUENCE { a ENUMERATED { x (-7), y (2), z (900) }, b BOOLEAN }
    Long ::= SEQUENCE { a ENUMERATED { x (0), y (128), z (70000) }, b BOOLEAN }
    Grown ::= SEQUENCE { a ENUMERATED { x (3), y (-300), ..., z (90000) }, b BOOLEAN }
    Signed ::= SEQUENCE { a ENUMERATED { x (-1), y (0), z (-70000), w (5000000000) }, b BOOLEAN }
END";

#[test]
fn items_have_any_numbers_in_exi() {
    let model = compiled(ITEM_NUMBERS);
    for rules in [Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat] {
        let with = ["Above", "Long", "Grown", "Signed"].map(|name| Message::of(&model, name, rules));
        let taken = held(&model, rules, "item-numbers", &with, |message| {
            let value = |item| Value::sequence([Some(Value::Enumerated(item)), Some(Value::Boolean(true))]);
            let items = if message.name == "Signed" { 4 } else { 3 };
            let all: Vec<Vec<u8>> = (0..items).map(|item| message.encoded(&value(item)).unwrap()).collect();
            let mut rng = Rng::new(3);
            let mutants = (0..2000).map(|_| mutant(&all, [0, 0x7f, 0x80, 0xff], &mut rng)).collect();
            [all, mutants].concat()
        });
        for (name, [all, by_c]) in taken {
            assert!(all > 50 && by_c == all, "{name} under {rules}: {by_c} of {all}");
        }
    }
}
