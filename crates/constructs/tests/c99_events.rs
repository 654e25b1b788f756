//! Strings of generated C in streams of events: equal ones are references, in their partition or
//! among all, and there is a bound on how many are remembered.

#[allow(dead_code, reason = "this test has values of its own")]
#[path = "support/c99.rs"]
mod c99;
mod support;

use c99::{Message, held, runs};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};

/// Few characters, so that many strings are equal.
const TEXT: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Few ::= UTF8String (SIZE (0..1)) (FROM (\"a\"..\"c\" | \"é\"))
    Part ::= SEQUENCE { x Few, y Few OPTIONAL, ... }
    Bounded ::= SEQUENCE { x Few, parts SEQUENCE (SIZE (0..4)) OF Part, all SEQUENCE (SIZE (0..9)) OF Few, end BOOLEAN }
    Many ::= SEQUENCE { x Few, all SEQUENCE (SIZE (0..100)) OF UTF8String (SIZE (0..2)), y IA5String (SIZE (2..3)) }
END";

#[test]
fn equal_strings_are_references() {
    let source = roadwire_asn1::Source::new("m.asn", TEXT);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for rules in [Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiFlat, Rules::ExiSplit] {
        let root = |name: &str| model.find(&format!("M.{name}")).unwrap();
        let with = ["Bounded", "Many"].map(|name| Message::new(&model, name, root(name), rules).unwrap());
        let values = |message: &Message| {
            let root = root(&message.name);
            let layout = lower_without_contents(&model, root, rules).unwrap();
            let settings = Settings { max_elements: 24, ..Settings::default() };
            let (mut rng, generator) = (Rng::new(7), Generator::new(&model, settings));
            let octets = |value| roadwire_engine::encode_to_vec(&layout, &value, 1 << 16).unwrap();
            let all: Vec<Vec<u8>> = (0..200).map(|_| octets(generator.value(root, &mut rng))).collect();
            let mutants = (0..600).map(|_| support::mutant(&all, [0, 1, 2, 0xff], &mut rng)).collect();
            [all, mutants].concat()
        };
        for (name, [all, by_c]) in held(&model, rules, "strings", &with, values) {
            assert!(all > 250, "{name} under {rules}: {all}");
            assert_eq!(by_c, all, "{name} under {rules}");
        }
        runs(rules, "strings", &MORE.replace("RULES", &rules.name().replace('-', "_")));
    }
}

/// A message has as many different strings as are remembered, and one more.
const MORE: &str = r#"
#include "generated.h"

static ptrdiff_t size_of(uint32_t count, bool is_same)
{
    static c_many many;
    static uint8_t out[2000];
    rw_error error;
    uint32_t at;
    memset(&many, 0, sizeof many);
    many.y.size = 2;
    memcpy(many.y.text, "zz", 2);
    many.all.count = count;
    for (at = 0; at < count; at++) {
        many.all.items[at].size = 2;
        many.all.items[at].text[0] = 'a';
        many.all.items[at].text[1] = (char)(is_same ? 'a' : '0' + at);
    }
    return c_many_encode_RULES(&many, out, sizeof out, &error);
}

int main(void)
{
    if (size_of(RW_STRINGS - 1, false) < 3 * (RW_STRINGS - 1) || size_of(RW_STRINGS, false) >= 0) {
        return 1;
    }
    return size_of(100, true) < 0 || size_of(100, true) > 200;
}
"#;
