//! Constraints that encoding rules do not take into account, in generated code: violations are
//! refused by every encoder, and by decoders if requested, with the constraint as written and the
//! field. The generated checks agree with the check over the model.

use std::fmt::Debug;

use roadwire_engine::{Lent, Message, Tapped};
use roadwire_layout::{Coer, Family, Oer, RuleSet, Rules, Uper};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Data, Model, TypeId, Value, check};
use roadwire_notation::Notation;
use roadwire_sink::{constraints as on_encoding, constraints_all as always, constraints_borrowed as borrowed};
use roadwire_wire::{Error, ErrorKind, Tap};

/// A component; a value that satisfies its constraints; one that does not, the broken constraint,
/// and where.
const CASES: &[(&str, &str, &str, &str, &str)] = &[
    ("gap", "-5", "5", "value 5 breaks the constraint (-5..10 EXCEPT 5)", "gap"),
    ("open", "-1", "0", "value 0 breaks the constraint (ALL EXCEPT 0)", "open"),
    ("size", "\"01020304\"", "\"0102\"", "(SIZE (1 | 4))", "size"),
    ("fixed", "\"0304\"", "\"0303\"", "('0102'H | '0304'H)", "fixed"),
    ("word", "\"off\"", "\"of\"", "(\"on\" | \"off\")", "word"),
    ("true", "true", "false", "(TRUE)", "true"),
    ("item", "\"z\"", "\"y\"", "(x | z)", "item"),
    ("other", "\"x\"", "\"y\"", "(ALL EXCEPT y)", "other"),
    ("pattern", "\"ab-12\"", "\"ab-1\"", "(PATTERN \"[a-c]+(-\\d#2)?\")", "pattern"),
    ("alphabet", "\"fade\"", "\"fog\"", "(FROM (\"a\"..\"f\"))", "alphabet"),
    ("flags", "\"01\"", "\"00\"", "(ALL EXCEPT {})", "flags"),
    ("bits", "{\"value\": \"40\", \"length\": 2}", "{\"value\": \"40\", \"length\": 3}", "('1'B | '01'B)", "bits"),
    ("real", "0.25", "1.5", "(0..<1.5 | 7)", "real"),
    ("oid", "\"1.2.4\"", "\"1.2.5\"", "({1 2 3} | {1 2 4})", "oid"),
    ("nulls", "[null, null, null]", "[null]", "(SIZE (0 | 3))", "nulls"),
    ("numbers", "[1, 5]", "[1, 4]", "value 4 breaks the constraint (1 | 3 | 5)", "numbers[1]"),
    ("each", "[3, 1]", "[3, 1, 2]", "value 2 breaks the constraint (1 | 3)", "each[2]"),
    ("pair", "{\"a\": 4}", "{\"b\": true}", "a PRESENT", "pair.a"),
    ("pair", "{\"a\": 1, \"d\": 9}", "{\"a\": 5}", "value 5 breaks the constraint (1..4)", "pair.a"),
    ("pair", "{\"a\": 1, \"b\": true}", "{\"a\": 1, \"c\": null}", "c ABSENT", "pair.c"),
    ("full", "{\"a\": 9, \"d\": 1}", "{\"a\": 9, \"b\": true}", "WITH COMPONENTS { a, d }", "full.b"),
    ("either", "{\"a\": 1, \"b\": true}", "{\"a\": 1, \"b\": false}", "{ ..., b PRESENT, d (5) })", "either"),
    ("either", "{\"b\": false, \"d\": 5}", "{}", "(WITH COMPONENTS { ..., a PRESENT, b (TRUE) } |", "either"),
    ("defaulted", "{\"a\": 1}", "{\"d\": 5}", "d ABSENT", "defaulted.d"),
    ("choice", "{\"a\": 4}", "{\"b\": true}", "b ABSENT", "choice.b"),
    ("choice", "{\"c\": null}", "{\"a\": 5}", "value 5 breaks the constraint (1..4)", "choice.a"),
    ("present", "{\"c\": null}", "{\"a\": 1}", "c PRESENT", "present"),
    ("exactly", "{\"a\": 2, \"b\": true}", "{\"a\": 2}", "({ a 1, d 2 } | { a 2, b TRUE })", "exactly"),
    (
        "tree",
        "{\"label\": 1, \"left\": {\"label\": 3, \"children\": []}, \"children\": []}",
        "{\"label\": 1, \"left\": {\"label\": 3, \"left\": {\"label\": 1, \"children\": []}, \"children\": []}, \"children\": []}",
        "left ABSENT",
        "tree.left.left",
    ),
    (
        "tree",
        "{\"label\": 1, \"children\": [{\"label\": 3, \"children\": []}, {\"label\": 5, \"children\": []}]}",
        "{\"label\": 1, \"children\": [{\"label\": 3, \"children\": []}, {\"label\": 2, \"children\": []}]}",
        "value 2 breaks the constraint (1 | 3 | 5)",
        "tree.children[1].label",
    ),
    (
        "days",
        "[\"2024-02-29\"]",
        "[\"2024-02-29\", \"2024-02\"]",
        "(SETTINGS \"Basic=Date Date=YMD Year=Basic\" | \"2024-10\")",
        "days[1]",
    ),
    (
        "nested",
        ONE,
        "{\"number\": 2, \"real\": 2.5, \"flags\": {\"value\": \"80\", \"length\": 1}, \"list\": [1, 3], \"which\": {\"a\": 4}}",
        "({ number 2, real -2.5,",
        "nested",
    ),
    (
        "nested",
        OTHER,
        "{\"number\": 3, \"real\": 0.5, \"flags\": {\"value\": \"\", \"length\": 0}, \"list\": [], \"which\": {\"b\": true}, \"pair\": {\"a\": 1, \"d\": 5}}",
        "pair {a 1} })",
        "nested",
    ),
    (
        "neither",
        ONE,
        "{\"number\": 1, \"real\": 1, \"flags\": {\"value\": \"80\", \"length\": 1}, \"list\": [1], \"which\": {\"b\": false}}",
        "(ALL EXCEPT {",
        "neither",
    ),
    ("type", "{\"match\": 1}", "{\"match\": 2}", "value 2 breaks the constraint (1 | 3 | 5)", "type.match"),
    (
        "against",
        "{\"flags\": \"01\"}",
        "{\"number\": 4}",
        "value 4 breaks the constraint (1 | 3 | 5)",
        "against.number",
    ),
    ("later", "2", "1", "value 1 breaks the constraint (0 | 2)", "later"),
    ("group", "5", "2", "value 2 breaks the constraint (1 | 3 | 5)", "group"),
];

/// The two values of `nested`.
const ONE: &str = "{\"number\": 2, \"real\": -2.5, \"flags\": {\"value\": \"80\", \"length\": 1}, \"list\": [1, 3], \"which\": {\"a\": 4}}";
const OTHER: &str = "{\"number\": 3, \"real\": 0.5, \"flags\": {\"value\": \"\", \"length\": 0}, \"list\": [], \"which\": {\"b\": true}, \"pair\": {\"a\": 1, \"d\": 4}}";

/// Valid values nevertheless: outside an extensible root (X.680 §52.3), with a DEFAULT that breaks
/// a constraint, and with trailing zero bits after named ones (X.680 §22.7).
const KEPT: &[(&str, &str)] = &[
    ("open-end", "2"),
    ("single", "7"),
    ("against", "{}"),
    ("against", "{\"flags\": \"00\", \"number\": 1}"),
    (
        "nested",
        "{\"number\": 2, \"real\": -2.5, \"flags\": {\"value\": \"8000\", \"length\": 16}, \"list\": [1, 3], \"which\": {\"a\": 4}}",
    ),
];

struct Subject {
    model: Model,
    root: TypeId,
    notation: Notation,
}

impl Subject {
    fn new() -> Self {
        let source = roadwire_asn1::Source::new("constraints.asn", roadwire_sink::CONSTRAINTS);
        let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find("Constraints.Message").unwrap();
        let notation = Notation::new(&model, root).unwrap();
        Subject { model, root, notation }
    }

    fn read<M: Data + Default>(&self, component: &str, value: &str) -> M {
        let mut message = M::default();
        let single = if component == "single" { value } else { "3" };
        let more = if component == "single" { String::new() } else { format!(", \"{component}\": {value}") };
        let text = format!("{{\"single\": {single}{more}}}");
        self.notation.read_into(&text, &mut message).unwrap_or_else(|error| panic!("{text}: {error}"));
        message
    }

    /// The violations found by the check over the model.
    fn found(&self, data: &dyn Data) -> Vec<String> {
        check::constraints(&self.model, self.root, data).iter().map(ToString::to_string).collect()
    }
}

const ROOM: usize = 1 << 16;

/// Whether EXI's schema, which has nothing outside extensible roots, has the values of a component.
fn has(rules: Rules, component: &str) -> bool {
    component != "open-end" || rules.family() != Family::Events
}

/// The interpreter's encoding, without checks.
fn unchecked<E, M: Message<E>>(message: &M) -> Vec<u8> {
    roadwire_engine::encode_to_vec(M::layout(), message, ROOM).unwrap_or_else(|error| panic!("{error}"))
}

fn each_case<E: RuleSet, M: Message<E> + Debug + PartialEq, A: Message<E> + Debug + PartialEq>() {
    let subject = Subject::new();
    let mut output = vec![0; ROOM];
    for (component, good, bad, constraint, path) in CASES {
        let label = format!("{}: {component}", E::RULES);
        let message: M = subject.read(component, good);
        let octets = unchecked(&message);
        assert_eq!(message.encode(&mut output), Ok(octets.len()), "{label}");
        assert_eq!(output[..octets.len()], octets, "{label}");
        let mut decoded = A::default();
        decoded.decode(&octets).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_eq!(subject.found(&message), [""; 0], "{label}");

        let message: M = subject.read(component, bad);
        let error = message.encode(&mut output).expect_err(&label);
        assert_eq!(error.kind.code(), "constraint.value", "{label}");
        assert!(error.kind.to_string().contains(constraint), "{label}: {error}");
        assert_eq!((error.path.to_string().as_str(), error.bit), (*path, 0), "{label}");
        assert_eq!(subject.found(&message), [format!("{} in {path}", error.kind)], "{label}");
        // Some encodings enforce every alphabet themselves.
        let octets = roadwire_engine::encode_to_vec(M::layout(), &message, ROOM);
        if matches!(&octets, Err(error) if matches!(error.kind, ErrorKind::Alphabet { .. })) {
            continue;
        }
        // Unchecked values are decoded, unless decoding checks; and they are not encoded again.
        let octets = octets.unwrap_or_else(|error| panic!("{label}: {error}"));
        let mut again = M::default();
        again.decode(&octets).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_eq!(again, message, "{label}");
        assert_eq!(again.decode_canonical(&octets, &mut output).as_ref(), Err(&error), "{label}");
        assert_eq!(A::default().decode(&octets).as_ref(), Err(&error), "{label}");
    }
    for (component, value) in KEPT.iter().filter(|(component, _)| has(E::RULES, component)) {
        let message: M = subject.read(component, value);
        assert!(message.encode(&mut output).is_ok() && message.check().is_ok(), "{component}");
    }
}

/// Interpreter and generated code accept and refuse the same among `count` values that satisfy all
/// constraints, and among as many that only satisfy those of the encoding rules; on refusal, they
/// name the same constraint in the same place. Returns how many values satisfy them, and how many
/// do not.
fn agree<E: RuleSet, M: Message<E> + Debug, A: Message<E>>(count: usize) -> [usize; 2] {
    let subject = Subject::new();
    let mut loose = subject.model.clone();
    loose.constraints.clear();
    let is_exi = !has(E::RULES, "open-end");
    let extensions = if is_exi { 0 } else { 30 };
    let settings = Settings { integer_bits: 62, extensions, budget: 60, ..Settings::default() };
    let generators = [&subject.model, &loose].map(|model| Generator::new(model, settings.clone()));
    let mut rng = Rng::new(20_261_122);
    let (mut output, mut seen) = (vec![0; ROOM], [0; 2]);
    for (at, generator) in (0..2 * count).map(|at| (at, &generators[at % 2])) {
        let value = generator.try_value(subject.root, &mut rng).expect("a value");
        if at % 2 == 0 {
            assert_eq!(check::value(&subject.model, subject.root, &value), [], "{value:?}");
        }
        // Some encodings enforce every alphabet themselves.
        let Ok(octets) = roadwire_engine::encode_to_vec(M::layout(), &value, ROOM) else { continue };
        let mut message = M::default();
        message.decode(&octets).unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let kept = same_check::<E, M>(&subject, &message, &value);
        assert_eq!(message.encode(&mut output), kept.clone().map(|()| octets.len()), "{value:?}");
        assert_eq!(A::default().decode(&octets).map(|_| ()), kept, "{value:?}");
        seen[usize::from(kept.is_err())] += 1;
    }
    seen
}

/// The result of the check in generated code, which must be the first finding of the check over the
/// model, for the generated type and for the value.
fn same_check<E, M: Message<E> + Debug>(
    subject: &Subject,
    message: &M,
    value: &dyn Data,
) -> Result<(), Error<'static>> {
    let kept = message.check();
    let found = subject.found(value);
    assert_eq!(found, subject.found(message), "{message:?}");
    match (&kept, found.first()) {
        (Ok(()), None) => {}
        (Err(error), Some(first)) => {
            // A path in an error has twelve steps.
            let (kind, path) = (error.kind.to_string(), error.path.to_string());
            assert!(first.starts_with(&kind) && first.ends_with(path.trim_start_matches('…')), "{error}: {first}");
        }
        _ => panic!("{kept:?}, and {found:?}: {message:?}"),
    }
    kept
}

/// The same for changed octets.
fn changed<E: RuleSet, M: Message<E> + Debug>() {
    let subject = Subject::new();
    let settings = Settings { integer_bits: 62, extensions: 30, budget: 60, ..Settings::default() };
    let generator = Generator::new(&subject.model, settings);
    let mut rng = Rng::new(20_261_123);
    let mut seen = [0; 2];
    for _ in 0..500 {
        let value = generator.try_value(subject.root, &mut rng).expect("a value");
        let mut octets = roadwire_engine::encode_to_vec(M::layout(), &value, ROOM).unwrap();
        let mut message = M::default();
        for _ in 0..8 {
            let at = rng.below(octets.len() as u64) as usize;
            octets[at] ^= 1 << rng.below(8);
            if message.decode(&octets).is_ok() {
                let mut value = Value::Unset;
                roadwire_engine::decode(M::layout(), &octets, &mut value).unwrap();
                seen[usize::from(same_check::<E, M>(&subject, &message, &value).is_err())] += 1;
            }
        }
    }
    assert!(seen[0] > 50 && seen[1] > 200, "{seen:?}");
}

macro_rules! each {
    ($($name:ident $feature:literal $rules:ident;)*) => { $(
        #[cfg(feature = $feature)]
        #[test]
        fn $name() {
            use roadwire_layout::$rules;
            each_case::<$rules, on_encoding::Message, always::Message>();
            let [kept, broken] = agree::<$rules, on_encoding::Message, always::Message>(100);
            assert!(kept > 80 && broken > 80, "{kept} kept, {broken} broken");
        }
    )* };
}

each! {
    refused_in_uper "uper" Uper;
    refused_in_aper "aper" Aper;
    refused_in_oer "oer" Oer;
    refused_in_coer "coer" Coer;
    refused_in_ber "ber" Ber;
    refused_in_der "der" Der;
    refused_in_cer "cer" Cer;
    refused_in_xer "xer" Xer;
    refused_in_cxer "cxer" Cxer;
    refused_in_exer "exer" Exer;
    refused_in_jer "jer" Jer;
    refused_in_protobuf "protobuf" Protobuf;
    refused_in_exi "exi" Exi;
    refused_in_exi_default "exi-default" ExiDefault;
    refused_in_exi_merged "exi-merged" ExiMerged;
    refused_in_exi_flat "exi-flat" ExiFlat;
    refused_in_exi_split "exi-split" ExiSplit;
    refused_in_cbor "cbor" Cbor;
}

#[test]
fn changed_octets_are_checked_alike() {
    changed::<Uper, on_encoding::Message>();
    changed::<Oer, on_encoding::Message>();
}

/// Values nested deeper than any codec supports are refused by the encoder.
#[test]
fn checks_end_in_types_that_contain_themselves() {
    let tree = |depth: usize, odd: u8| {
        let mut tree = on_encoding::Tree { label: odd, ..Default::default() };
        for _ in 0..depth {
            tree = on_encoding::Tree {
                label: 1,
                children: vec![on_encoding::Tree::default(), tree],
                ..Default::default()
            };
            tree.children[0].label = 1;
        }
        on_encoding::Message { single: 3, tree: Some(Box::new(tree)), ..Default::default() }
    };
    let code = |message: &on_encoding::Message| {
        let error = Message::<Uper>::encode(message, &mut [0; ROOM]).expect_err("an error");
        error.kind.code()
    };
    assert_eq!(code(&tree(40, 2)), "constraint.value");
    assert_eq!(code(&tree(1000, 2)), "limit.depth");
}

/// A message without such constraints has no check, neither when encoded nor when decoded.
#[test]
fn nothing_is_checked_where_there_is_nothing_to_check() {
    let source = roadwire_sink::CONSTRAINTS_ALL;
    assert_eq!(source.matches("fn check(&self)").count(), source.matches("for Message {\n        const MIN").count());
    assert!(!source.contains("fn plain<"));
}

/// A tap that does nothing.
struct Deaf;

impl Tap for Deaf {
    fn begins(&mut self, _: usize, _: usize) {}
    fn ends(&mut self, _: usize, _: &[u8], _: usize) {}
}

#[test]
fn types_that_borrow_and_are_tapped_are_checked_alike() {
    fn each<'a, E: RuleSet, M>(octets: &'a [(Vec<u8>, &str)])
    where
        M: Lent<'a, E> + Tapped<'a, E>,
    {
        let mut output = vec![0; ROOM];
        for (octets, bad) in octets {
            for outcome in [
                <M as Message<E>>::decode(&mut M::default(), octets),
                M::default().decode_lent(octets),
                M::default().decode_tapped(octets, &mut Deaf),
            ] {
                assert_eq!(outcome.map_err(|error| error.path.to_string()).err().unwrap_or_default(), *bad);
            }
            let mut message = M::default();
            roadwire_engine::decode(M::layout(), octets, &mut message).unwrap();
            for outcome in [message.encode(&mut output), message.encode_tapped(&mut output, &mut Deaf)] {
                assert_eq!(outcome.map_err(|error| error.path.to_string()).err().unwrap_or_default(), *bad);
            }
        }
    }
    fn octets<E: RuleSet>() -> Vec<(Vec<u8>, &'static str)>
    where
        on_encoding::Message: Message<E>,
    {
        let subject = Subject::new();
        let one = |component: &str, value: &str| unchecked(&subject.read::<on_encoding::Message>(component, value));
        CASES
            .iter()
            .flat_map(|(component, good, bad, _, path)| [(one(component, good), ""), (one(component, bad), *path)])
            .collect()
    }
    each::<Uper, borrowed::Message<'_>>(&octets::<Uper>());
    each::<Coer, borrowed::Message<'_>>(&octets::<Coer>());
}

/// The path of an error is that of the interpreter, whose names are in the layout.
#[test]
fn constraints_leave_no_trace_in_layouts() {
    let model = |constraint: &str| {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {{ a UTF8String {constraint} }} END");
        roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text.as_str())]).unwrap().model
    };
    for rules in Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls) {
        let layouts = ["", "(PATTERN \"a*\")"].map(|constraint| {
            let model = model(constraint);
            roadwire_layout::lower(&model, model.find("T").unwrap(), rules).unwrap()
        });
        assert_eq!(layouts[0], layouts[1], "{rules}");
    }
    let error = ErrorKind::Constraint { text: "(1)", number: Some(2) };
    assert_eq!((error.code(), error.to_string().as_str()), ("constraint.value", "value 2 breaks the constraint (1)"));
}
