//! Pairs of modules, the second of which has one change.

use roadwire_model::random::Rng;

/// Two versions of a module with the type `T`.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The surroundings of a change, as `T`; `@` stands for the type that changes.
const AROUND: [(&str, &str); 8] = [
    ("alone", "T ::= @"),
    ("beside", "T ::= SEQUENCE { before INTEGER (0..255), it @, after OCTET STRING (SIZE (1..4)) }"),
    ("optional", "T ::= SEQUENCE { before BOOLEAN, it @ OPTIONAL, after INTEGER (0..7), ... }"),
    ("listed", "T ::= SEQUENCE { list SEQUENCE (SIZE (1..3)) OF it @, after BOOLEAN }"),
    ("chosen", "T ::= CHOICE { other INTEGER (0..63), it @, ..., late BOOLEAN }"),
    ("added", "T ::= SEQUENCE { before INTEGER (0..15), ..., it @, last BOOLEAN }"),
    ("grouped", "T ::= SEQUENCE { before INTEGER (0..15), ..., [[ it @, beside BOOLEAN ]], last BOOLEAN }"),
    ("contained", "T ::= SEQUENCE { before BOOLEAN, it OCTET STRING (CONTAINING I), after BOOLEAN } I ::= @"),
];

/// Changes of a type: a name, and both versions.
const CHANGES: [(&str, &str, &str); 86] = [
    ("nothing", "INTEGER (0..10)", "INTEGER (0..10)"),
    ("integer_widened_in_its_bits", "INTEGER (0..5)", "INTEGER (0..7)"),
    ("integer_widened_by_a_bit", "INTEGER (0..7)", "INTEGER (0..15)"),
    ("integer_widened_by_an_octet", "INTEGER (0..255)", "INTEGER (0..256)"),
    ("integer_widened_downwards", "INTEGER (0..100)", "INTEGER (-100..100)"),
    ("integer_moved", "INTEGER (0..7)", "INTEGER (1..8)"),
    ("integer_moved_apart", "INTEGER (0..7)", "INTEGER (20..27)"),
    ("integer_narrowed", "INTEGER (0..200)", "INTEGER (0..150)"),
    ("integer_unbounded", "INTEGER (0..200)", "INTEGER"),
    ("integer_half_bounded", "INTEGER (0..200)", "INTEGER (0..MAX)"),
    ("integer_made_extensible", "INTEGER (0..7)", "INTEGER (0..7, ...)"),
    ("integer_extensible_widened", "INTEGER (0..5, ...)", "INTEGER (0..7, ...)"),
    ("integer_of_64_bits", "INTEGER (0..4294967295)", "INTEGER (0..18446744073709551615)"),
    ("item_added", "ENUMERATED { a, b, c }", "ENUMERATED { a, b, c, d }"),
    ("item_added_in_front", "ENUMERATED { a, b, c }", "ENUMERATED { z, a, b, c }"),
    ("item_added_by_a_bit", "ENUMERATED { a, b }", "ENUMERATED { a, b, c }"),
    ("item_added_after_marker", "ENUMERATED { a, b, ... }", "ENUMERATED { a, b, ..., c }"),
    ("item_second_added_after_marker", "ENUMERATED { a, b, ..., c }", "ENUMERATED { a, b, ..., c, d }"),
    ("item_removed", "ENUMERATED { a, b, c }", "ENUMERATED { a, b }"),
    ("item_renamed", "ENUMERATED { a, b, c }", "ENUMERATED { a, bb, c }"),
    ("item_renumbered", "ENUMERATED { a(0), b(1), c(2) }", "ENUMERATED { a(0), b(2), c(3) }"),
    ("items_exchanged", "ENUMERATED { a(0), b(1), c(2) }", "ENUMERATED { a(1), b(0), c(2) }"),
    ("enumeration_made_extensible", "ENUMERATED { a, b, c }", "ENUMERATED { a, b, c, ... }"),
    ("octets_size_widened", "OCTET STRING (SIZE (1..4))", "OCTET STRING (SIZE (1..6))"),
    ("octets_size_lower", "OCTET STRING (SIZE (1..4))", "OCTET STRING (SIZE (0..4))"),
    ("octets_size_fixed_changed", "OCTET STRING (SIZE (2))", "OCTET STRING (SIZE (3))"),
    ("octets_size_freed", "OCTET STRING (SIZE (4))", "OCTET STRING (SIZE (0..4))"),
    ("octets_size_unbounded", "OCTET STRING (SIZE (1..4))", "OCTET STRING"),
    ("octets_size_extensible", "OCTET STRING (SIZE (1..4))", "OCTET STRING (SIZE (1..4, ...))"),
    ("octets_extensible_widened", "OCTET STRING (SIZE (1..4, ...))", "OCTET STRING (SIZE (1..6, ...))"),
    ("bits_size_changed", "BIT STRING (SIZE (4))", "BIT STRING (SIZE (8))"),
    ("bits_size_widened", "BIT STRING (SIZE (1..4))", "BIT STRING (SIZE (1..12))"),
    ("bits_size_freed", "BIT STRING (SIZE (8))", "BIT STRING"),
    ("bits_named", "BIT STRING { a(0), b(1) } (SIZE (4))", "BIT STRING { a(0), b(1), c(2) } (SIZE (4))"),
    ("bits_named_moved", "BIT STRING { a(0), b(1) } (SIZE (4))", "BIT STRING { a(1), b(0) } (SIZE (4))"),
    ("bits_named_at_last", "BIT STRING (SIZE (1..8))", "BIT STRING { a(0), b(1) } (SIZE (1..8))"),
    ("text_size_widened", "IA5String (SIZE (1..5))", "IA5String (SIZE (1..9))"),
    ("text_size_extensible", "IA5String (SIZE (1..5))", "IA5String (SIZE (1..5, ...))"),
    (
        "text_alphabet_widened",
        "IA5String (FROM (\"a\"..\"d\")) (SIZE (1..5))",
        "IA5String (FROM (\"a\"..\"h\")) (SIZE (1..5))",
    ),
    (
        "text_alphabet_in_its_bits",
        "IA5String (FROM (\"a\"..\"c\")) (SIZE (1..5))",
        "IA5String (FROM (\"a\"..\"d\")) (SIZE (1..5))",
    ),
    ("text_of_another_kind", "IA5String (SIZE (1..5))", "UTF8String (SIZE (1..5))"),
    ("text_printable_to_visible", "PrintableString (SIZE (1..5))", "VisibleString (SIZE (1..5))"),
    ("utf8_size_widened", "UTF8String (SIZE (1..5))", "UTF8String (SIZE (1..9))"),
    ("boolean_to_integer", "BOOLEAN", "INTEGER (0..1)"),
    ("integer_to_boolean", "INTEGER (0..255)", "BOOLEAN"),
    ("integer_to_enumerated", "INTEGER (0..3)", "ENUMERATED { a, b, c, d }"),
    ("integer_to_text", "INTEGER (0..99)", "UTF8String"),
    ("null_to_boolean", "NULL", "BOOLEAN"),
    ("octets_to_text", "OCTET STRING (SIZE (1..4))", "IA5String (SIZE (1..4))"),
    ("octets_to_bits", "OCTET STRING (SIZE (2))", "BIT STRING (SIZE (16))"),
    ("sequence_to_choice", "SEQUENCE { a BOOLEAN }", "CHOICE { a BOOLEAN }"),
    ("sequence_to_list", "SEQUENCE { a BOOLEAN, b BOOLEAN }", "SEQUENCE OF BOOLEAN"),
    (
        "component_added_optional",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, c INTEGER (0..9) OPTIONAL }",
    ),
    (
        "component_added_mandatory",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, c INTEGER (0..9) }",
    ),
    (
        "component_added_default",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, c INTEGER (0..9) DEFAULT 3 }",
    ),
    (
        "component_added_second_optional",
        "SEQUENCE { a INTEGER (0..7) OPTIONAL, b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7) OPTIONAL, b BOOLEAN, c INTEGER (0..9) OPTIONAL }",
    ),
    (
        "component_added_in_the_middle",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), c INTEGER (0..9) OPTIONAL, b BOOLEAN }",
    ),
    (
        "component_added_with_own_tag",
        "SEQUENCE { a [1] INTEGER (0..7), b [2] BOOLEAN }",
        "SEQUENCE { a [1] INTEGER (0..7), c [3] INTEGER (0..9) OPTIONAL, b [2] BOOLEAN }",
    ),
    (
        "component_added_after_marker",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, ... }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, ..., c INTEGER (0..9) }",
    ),
    (
        "component_second_added_after_marker",
        "SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN, c INTEGER (0..9) OPTIONAL }",
    ),
    (
        "group_added",
        "SEQUENCE { a INTEGER (0..7), ... }",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN, c INTEGER (0..9) OPTIONAL ]] }",
    ),
    (
        "group_grown",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN ]] }",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN, c INTEGER (0..9) OPTIONAL ]] }",
    ),
    (
        "group_grown_mandatory",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN ]] }",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN, c INTEGER (0..9) ]] }",
    ),
    (
        "addition_to_group",
        "SEQUENCE { a INTEGER (0..7), ..., b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), ..., [[ b BOOLEAN ]] }",
    ),
    (
        "component_removed_optional",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, c INTEGER (0..9) }",
        "SEQUENCE { a INTEGER (0..7), c INTEGER (0..9) }",
    ),
    (
        "component_removed_extensible",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, ... }",
        "SEQUENCE { a INTEGER (0..7), ... }",
    ),
    ("component_renamed", "SEQUENCE { a INTEGER (0..7), b BOOLEAN }", "SEQUENCE { a INTEGER (0..7), bb BOOLEAN }"),
    (
        "component_renamed_optional",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL, ... }",
        "SEQUENCE { a INTEGER (0..7), bb BOOLEAN OPTIONAL, ... }",
    ),
    (
        "component_made_optional",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN OPTIONAL }",
    ),
    (
        "component_made_mandatory",
        "SEQUENCE { a INTEGER (0..7) OPTIONAL, b BOOLEAN OPTIONAL }",
        "SEQUENCE { a INTEGER (0..7) OPTIONAL, b BOOLEAN }",
    ),
    (
        "component_given_default",
        "SEQUENCE { a INTEGER (0..7) OPTIONAL, b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7) DEFAULT 4, b BOOLEAN }",
    ),
    (
        "default_changed",
        "SEQUENCE { a INTEGER (0..7) DEFAULT 4, b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7) DEFAULT 5, b BOOLEAN }",
    ),
    (
        "components_exchanged",
        "SEQUENCE { a INTEGER (0..7), b INTEGER (0..7) }",
        "SEQUENCE { b INTEGER (0..7), a INTEGER (0..7) }",
    ),
    (
        "components_exchanged_other_types",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { b BOOLEAN, a INTEGER (0..7) }",
    ),
    (
        "sequence_made_extensible",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN }",
        "SEQUENCE { a INTEGER (0..7), b BOOLEAN, ... }",
    ),
    (
        "set_component_added",
        "SET { a INTEGER (0..7), b BOOLEAN }",
        "SET { a INTEGER (0..7), b BOOLEAN, c NULL OPTIONAL }",
    ),
    ("alternative_added", "CHOICE { a INTEGER (0..7), b BOOLEAN }", "CHOICE { a INTEGER (0..7), b BOOLEAN, c NULL }"),
    (
        "alternative_added_in_front",
        "CHOICE { a INTEGER (0..7), b BOOLEAN }",
        "CHOICE { c NULL, a INTEGER (0..7), b BOOLEAN }",
    ),
    (
        "alternative_added_after_marker",
        "CHOICE { a INTEGER (0..7), b BOOLEAN, ... }",
        "CHOICE { a INTEGER (0..7), b BOOLEAN, ..., c OCTET STRING (SIZE (1..3)) }",
    ),
    (
        "alternative_second_added_after_marker",
        "CHOICE { a INTEGER (0..7), ..., b BOOLEAN }",
        "CHOICE { a INTEGER (0..7), ..., b BOOLEAN, c INTEGER (0..9) }",
    ),
    ("alternative_removed", "CHOICE { a INTEGER (0..7), b BOOLEAN, c NULL }", "CHOICE { a INTEGER (0..7), b BOOLEAN }"),
    ("alternative_renamed", "CHOICE { a INTEGER (0..7), b BOOLEAN }", "CHOICE { a INTEGER (0..7), bb BOOLEAN }"),
    ("choice_made_extensible", "CHOICE { a INTEGER (0..7), b BOOLEAN }", "CHOICE { a INTEGER (0..7), b BOOLEAN, ... }"),
    ("list_size_widened", "SEQUENCE (SIZE (1..3)) OF INTEGER (0..99)", "SEQUENCE (SIZE (1..6)) OF INTEGER (0..99)"),
    ("list_size_freed", "SEQUENCE (SIZE (2)) OF INTEGER (0..99)", "SEQUENCE (SIZE (0..2)) OF INTEGER (0..99)"),
    ("list_size_extensible", "SET (SIZE (1..3)) OF INTEGER (0..99)", "SET (SIZE (1..3, ...)) OF INTEGER (0..99)"),
];

/// Each change by itself and in one of the other places, and changes two at a time: `count` pairs.
pub(crate) fn pairs(count: usize, seed: u64) -> Vec<Pair> {
    let mut rng = Rng::new(seed);
    let mut pairs = Vec::new();
    for at in 0..count {
        let (name, old, new) = CHANGES[at % CHANGES.len()];
        let around = match at / CHANGES.len() {
            0 => 0,
            _ => 1 + rng.below(AROUND.len() as u64 - 1) as usize,
        };
        let (place, text) = AROUND[around];
        let (mut name, mut versions) = (format!("{name} {place}"), [old, new].map(|of| text.replace('@', of)));
        // A second change beside it, or the same the other way round.
        if at >= 2 * CHANGES.len() {
            let (other, old, new) = CHANGES[rng.below(CHANGES.len() as u64) as usize];
            name = format!("{name} and {other}");
            versions = [(&versions[0], old), (&versions[1], new)]
                .map(|(text, of)| format!("{} T2 ::= SEQUENCE {{ one T, two {of} }}", text));
        }
        if rng.percent(30) {
            versions.reverse();
            name = format!("{name} reversed");
        }
        let [old, new] = versions.map(|text| format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END"));
        pairs.push(Pair { name, old, new });
    }
    pairs
}
