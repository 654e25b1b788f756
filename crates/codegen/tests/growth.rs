//! The generator's output grows with the module, not with how often its types contain each other:
//! tested with sixty levels of types, each of which contains the one before twice.

use roadwire_codegen::{GenerateError, Generated, Options, generate};
use roadwire_layout::Rules;
use roadwire_model::Model;

/// Fewer than the levels to which messages are read (100).
const LEVELS: usize = 60;

/// Octets of source for each level under one set of rules: types with their interface to the
/// interpreter, tables, encoders and decoders of up to 300 parts.
const FOR_EACH_LEVEL: usize = 200_000;

fn model(text: &str) -> Model {
    let source = roadwire_asn1::Source::new("growth.asn", text);
    roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

fn written(model: &Model, root: &str, rules: Rules, options: Options) -> Result<Generated, GenerateError> {
    generate(model, &[model.find(&format!("Growth.{root}")).unwrap()], &[rules], options)
}

/// A module whose types `A1` and so on contain the one before; `level` makes the definition from
/// its name and number; `A0` is `innermost`.
fn nested(innermost: &str, level: impl Fn(String, usize) -> String) -> String {
    let levels: Vec<String> =
        (1..=LEVELS).map(|at| format!("A{at} ::= {}", level(format!("A{}", at - 1), at))).collect();
    format!("Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN A0 ::= {innermost} {} END", levels.join("\n"))
}

/// Unoptimised code needs much stack for each level.
fn with_room(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Checks the size of the source, under all rules.
fn is_linear(module: &str, root: &str) {
    let model = model(module);
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let octets = written(&model, root, rules, Options::default()).unwrap().source.len();
        // An element may have up to a thousand others merged into it.
        let most = LEVELS
            * if matches!(rules, Rules::ExiMerged | Rules::ExiFlat) { 4 * FOR_EACH_LEVEL } else { FOR_EACH_LEVEL };
        assert!(octets < most, "{rules}: {octets} octets");
    }
}

#[test]
fn choices_of_choices_are_linear() {
    is_linear(
        &nested("CHOICE { a INTEGER, b INTEGER }", |inner, _| format!("CHOICE {{ a {inner}, b {inner} }}")),
        "A60",
    );
}

/// Each level is a function, or inline at two places: 5 kB of source for each in UPER, types and
/// tables included.
#[test]
fn choices_of_choices_are_not_copied() {
    let level = |inner: String, _| format!("CHOICE {{ a {inner}, b {inner} }}");
    let model = model(&nested("CHOICE { a INTEGER, b INTEGER }", level));
    let is_merged = |rules: &Rules| matches!(rules, Rules::Tls | Rules::ExiMerged | Rules::ExiFlat);
    for rules in Rules::ALL.into_iter().filter(|rules| !is_merged(rules)) {
        let octets = written(&model, "A60", rules, Options::default()).unwrap().source.len();
        let most = if rules == Rules::Uper { 5_000 } else { 6_000 };
        assert!(octets < LEVELS * most, "{rules}: {octets} octets");
        println!("{rules}: {octets} octets");
    }
}

#[test]
fn sequences_of_optional_sequences_are_linear() {
    let level = |inner: String, _| format!("SEQUENCE {{ a {inner} OPTIONAL, b {inner} OPTIONAL }}");
    is_linear(&nested("SEQUENCE { a INTEGER, b INTEGER OPTIONAL }", level), "A60");
}

#[test]
fn mandatory_sequences_are_linear() {
    let level = |inner: String, at| format!("SEQUENCE {{ a {inner}, b {inner}, c INTEGER (0..{at}) }}");
    is_linear(&nested("SEQUENCE { a INTEGER, b INTEGER }", level), "A60");
}

#[test]
fn sequences_of_nothing_are_linear() {
    is_linear(&nested("SEQUENCE { }", |inner, _| format!("SEQUENCE {{ a {inner}, b {inner} }}")), "A60");
}

#[test]
fn sets_are_linear() {
    let level = |inner: String, _| format!("SET {{ a {inner}, b {inner} OPTIONAL }}");
    is_linear(&nested("SET { a INTEGER, b INTEGER DEFAULT 3 }", level), "A60");
}

#[test]
fn extension_groups_are_linear() {
    let level = |inner: String, _| format!("SEQUENCE {{ a INTEGER, ..., [[ b {inner}, c {inner} ]], d {inner} }}");
    is_linear(&nested("SEQUENCE { a INTEGER }", level), "A60");
}

#[test]
fn lists_are_linear() {
    let level = |inner: String, _| format!("SEQUENCE {{ a SEQUENCE OF {inner}, b SEQUENCE (SIZE (1..3)) OF {inner} }}");
    is_linear(&nested("SEQUENCE { a INTEGER }", level), "A60");
}

#[test]
fn untagged_choices_are_linear() {
    let level = |at| format!("A{at} ::= CHOICE {{ a A{0}, b [{at}] A{0}, c [{1}] NULL }}", at - 1, at + LEVELS);
    let levels: Vec<String> = (1..=LEVELS).map(level).collect();
    let module =
        format!("Growth DEFINITIONS EXPLICIT TAGS ::= BEGIN A0 ::= CHOICE {{ a INTEGER }} {} END", levels.join("\n"));
    is_linear(&module, "A60");
}

#[test]
fn parameterized_types_are_linear() {
    let level =
        |at| format!("A{at} {{ T }} ::= SEQUENCE {{ a A{0} {{ T }} OPTIONAL, b A{0} {{ T }} OPTIONAL }}", at - 1);
    let levels: Vec<String> = (1..=LEVELS).map(level).collect();
    let module = format!(
        "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN A0 {{ T }} ::= SEQUENCE {{ a T }} {} M ::= SEQUENCE {{ m A60 {{ INTEGER }} }} END",
        levels.join("\n")
    );
    is_linear(&module, "M");
}

/// Each level once: the source of more levels would be mostly indentation.
#[test]
fn deep_types_are_linear() {
    with_room(deep_types);
}

fn deep_types() {
    let level = |at| format!("A{at} ::= SEQUENCE {{ a A{} OPTIONAL }}", at - 1);
    for (deepest, most) in [(90, 90 * 30_000), (120, 120 * 30_000)] {
        let levels: Vec<String> = (1..=deepest).map(level).collect();
        let model = model(&format!(
            "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN A0 ::= SEQUENCE {{ a INTEGER }} {} END",
            levels.join("\n")
        ));
        for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
            let generated = written(&model, &format!("A{deepest}"), rules, Options::default()).unwrap();
            assert!(generated.source.len() < most, "{rules}: {} octets", generated.source.len());
            // Deeper than messages are read.
            assert_eq!(generated.left.iter().any(|left| left.every), deepest > 100, "{rules}");
        }
    }
}

#[test]
fn types_deeper_than_any_message_are_an_error() {
    let levels: Vec<String> = (1..=600).map(|at| format!("A{at} ::= SEQUENCE {{ a A{} OPTIONAL }}", at - 1)).collect();
    let model = model(&format!("Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN A0 ::= NULL {} END", levels.join("\n")));
    let error = written(&model, "A600", Rules::Uper, Options::default()).unwrap_err();
    assert!(error.0.contains("more than 500 levels"), "{error}");
}

#[test]
fn types_that_borrow_are_linear() {
    let model = model(&nested("OCTET STRING", |inner, at| match at {
        1 => format!("CHOICE {{ a {inner}, b {inner} }}"),
        _ => format!("SEQUENCE {{ a {inner}, b {inner} OPTIONAL }}"),
    }));
    for rules in [Rules::Uper, Rules::Oer] {
        let options = Options { borrowed: true, elements_in_place: 2, ..Options::default() };
        let octets = written(&model, "A60", rules, options).unwrap().source.len();
        assert!(octets < LEVELS * FOR_EACH_LEVEL, "{rules}: {octets} octets");
    }
}

#[test]
fn more_tapped_parts_than_can_be_listed_are_an_error() {
    let model =
        model(&nested("SEQUENCE { a OCTET STRING }", |inner, _| format!("SEQUENCE {{ a {inner}, b {inner} }}")));
    let options = Options { tapped: vec!["Growth.A0.a".into()], ..Options::default() };
    let error = written(&model, "A60", Rules::Uper, options).unwrap_err();
    assert!(error.0.contains("more than 1000 tapped parts"), "{error}");
}

#[test]
fn many_items_used_often_are_linear() {
    let items: Vec<String> = (0..2000).map(|at| format!("item{at}")).collect();
    let uses: Vec<String> = (0..100).map(|at| format!("u{at} Items")).collect();
    let (items, uses) = (items.join(", "), uses.join(", "));
    let model = model(&format!(
        "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN Items ::= ENUMERATED {{ {items} }} M ::= SEQUENCE {{ {uses} }} END"
    ));
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let octets = written(&model, "M", rules, Options::default()).unwrap().source.len();
        assert!(octets < 2_000_000, "{rules}: {octets} octets");
    }
}

/// The empty value of each is finite, whichever of the two is generated first.
#[test]
fn choices_that_contain_each_other_have_an_empty_value() {
    let module = "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= CHOICE { x B, y INTEGER } B ::= CHOICE { x A, y INTEGER } END";
    let source = written(&model(module), "A", Rules::Uper, Options::default()).unwrap().source;
    let empty = |name: &str| {
        let at = source.find(&format!("impl Default for {name} ")).unwrap();
        source[at..].lines().find(|line| line.contains(&format!("{name}::"))).unwrap().trim().to_owned()
    };
    let empty = [empty("A"), empty("B")];
    assert!(empty.iter().any(|one| one.contains("::Y(")), "{empty:?}");
}

#[test]
fn what_is_left_to_the_interpreter_is_said() {
    let model = model(
        "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            Always ::= SEQUENCE { a INTEGER, r REAL, s SEQUENCE { flag BOOLEAN } }
            Sometimes ::= SEQUENCE { a INTEGER, r REAL OPTIONAL, s SEQUENCE { flag BOOLEAN } }
            Never ::= SEQUENCE { a INTEGER }
        END",
    );
    let left = |root| written(&model, root, Rules::Uper, Options::default()).unwrap();
    let [always, sometimes, never] = ["Always", "Sometimes", "Never"].map(left);
    assert_eq!(
        always.left[0].to_string(),
        "Always, uper: the interpreter codes every message, because of Always.r (REAL)"
    );
    assert_eq!(
        sometimes.left[0].to_string(),
        "Sometimes, uper: the interpreter codes messages with Sometimes.r (REAL)"
    );
    assert_eq!(never.left, []);
    assert!(always.source.contains(&format!("/// {}.", always.left[0])));
    // Nothing follows it.
    for source in [&always.source, &sometimes.source] {
        assert!(!source.contains("if true"));
    }
    let code = |source: &str| {
        source.split("pub mod tables").next().unwrap().split("pub mod uper").nth(1).unwrap().matches("flag").count()
    };
    assert_eq!((code(&always.source), code(&sometimes.source)), (0, 4));
}

/// DER leaves out trailing zeros of named bits, and is BER otherwise. The compiler inlines a
/// function that one place calls: it stays.
#[test]
fn functions_that_are_equal_are_printed_once() {
    let module = "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        M ::= SEQUENCE { a Twice OPTIONAL, b Twice OPTIONAL, once Once OPTIONAL, flags Flags OPTIONAL }
        Twice ::= SEQUENCE { x INTEGER }
        Once ::= SEQUENCE { x INTEGER }
        Flags ::= SEQUENCE { bits BIT STRING { one(0) } (SIZE (8)) }
    END";
    let model = model(module);
    let options = Options { written_out: Some(0), ..Options::default() };
    let root = model.find("Growth.M").unwrap();
    let source = generate(&model, &[root], &[Rules::Ber, Rules::Der], options).unwrap().source;
    let (_, der) = source.split_once("pub mod der {").unwrap();
    let of =
        |line: &str| line.trim().strip_prefix("pub(super) fn ").map(|rest| rest.split('(').next().unwrap().to_owned());
    assert_eq!(der.lines().filter_map(of).collect::<Vec<_>>(), ["m_encode", "encode_m", "encode_flags", "encode_once"]);
    assert!(der.contains("use super::ber::{encode_twice, m_decode};"), "{der}");
}

#[test]
fn enumerations_without_names_that_have_the_same_items_are_one_type() {
    let module = "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Named ::= ENUMERATED { x, y }
        M ::= SEQUENCE {
            named Named,
            a ENUMERATED { x, y },
            b ENUMERATED { x, y },
            more ENUMERATED { x, y, ... },
            numbers ENUMERATED { x(1), y(2) }
        }
    END";
    let source = written(&model(module), "M", Rules::Uper, Options::default()).unwrap().source;
    assert!(source.contains("pub type MB = MA;\n"));
    let of = |line: &str| line.strip_prefix("pub enum ").map(|rest| rest.trim_end_matches(" {").to_owned());
    assert_eq!(source.lines().filter_map(of).collect::<Vec<_>>(), ["Named", "MA", "MMore", "MNumbers"]);
}

/// Generated types hold the string: its content takes room neither in the source nor in the
/// program.
#[test]
fn tables_do_not_have_what_strings_contain() {
    let model = model(
        "Growth DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            M ::= SEQUENCE { octets OCTET STRING (CONTAINING Inner), bits BIT STRING (CONTAINING Inner) }
            Inner ::= SEQUENCE { onlyInside INTEGER }
        END",
    );
    for rules in
        [Rules::Uper, Rules::Aper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Xer, Rules::Jer, Rules::Cbor]
    {
        let source = written(&model, "M", rules, Options::default()).unwrap().source;
        assert!(source.contains("octets") && !source.contains("onlyInside"), "{rules}");
    }
}
