//! Programs and the interpreter agree on random values and on mutated messages of every construct
//! and of every shipped schema: the same octets, and the same values wherever a program takes a
//! message. Text is only written: from the tapes of all rules, and by value notation as well.
//!
//! `ROADWIRE_TIMES=30` tries thirty times as many values: some ten million messages.

mod case;

use case::{Case, PROGRAMS};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Family, Rules, lower, value_notation};
use roadwire_model::Value;
use roadwire_program::{Program, Tape};

/// Constructs that may have no program: integers with bounds beyond 64 bits and times; in most
/// encodings characters beyond ASCII, and in packed ones REAL.
fn is_left(rules: Rules, construct: &str) -> bool {
    let kinds: &[&str] = match rules.family() {
        Family::Fields | Family::Cbor | Family::Json => &[],
        Family::Tlv => &["Bmp"],
        Family::Packed | Family::Octet | Family::Xml | Family::Events | Family::Vectors => &["Bmp", "Real"],
    };
    let common = ["IntegerEight", "IntegerSigned64More", "IntegerWide", "IntegerExtensibleEight"];
    kinds.iter().chain(&common).any(|kind| construct.starts_with(kind))
        || ["Utc", "Generalized"].contains(&construct)
        // CER writes long strings in segments.
        || rules == Rules::Cer && construct == "Contained"
        || ["Day", "TimeOfDay", "DayAndTime", "Length", "Moment"].contains(&construct)
}

#[test]
fn constructs() {
    let pdus = roadwire_constructs::pdus();
    let source = Source::new("constructs.asn", roadwire_constructs::module(&pdus).as_str());
    let model = compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for (rules, most) in PROGRAMS {
        let mut without = Vec::new();
        for pdu in &pdus {
            let root = model.find(&format!("{}.{}", roadwire_constructs::MODULE, pdu.name)).unwrap();
            match Case::new(&model, root, &pdu.name, *rules) {
                Some(mut case) => case.all(40),
                None => without.push(pdu.name.as_str()),
            }
        }
        assert_eq!(without.iter().find(|name| !is_left(*rules, name)), None, "{rules}");
        assert!(without.len() <= *most, "{rules}: {without:?}");
    }
}

/// Text that breaks constraints is read by value notation, and written with and without them.
#[test]
fn notation() {
    let pdus = roadwire_constructs::pdus();
    let source = Source::new("constructs.asn", roadwire_constructs::module(&pdus).as_str());
    let model = compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for pdu in &pdus {
        let root = model.find(&format!("{}.{}", roadwire_constructs::MODULE, pdu.name)).unwrap();
        let layout = value_notation(&model, root, true).unwrap();
        if let Some(mut case) = Case::of(&model, root, &pdu.name, layout) {
            case.all(100);
        }
    }
}

/// Types with tags of their own: identifiers of several octets, untagged choices, a SET.
const MARKED: &str = "Marked DEFINITIONS IMPLICIT TAGS ::= BEGIN
    Marked ::= SET {
        z [9] INTEGER (0..5),
        y [PRIVATE 3] BOOLEAN OPTIONAL,
        x [7] EXPLICIT SEQUENCE (SIZE (0..3)) OF Either,
        w [APPLICATION 2] SEQUENCE { long [1] OCTET STRING (SIZE (90..1100)), end [2] Either OPTIONAL } OPTIONAL,
        v [4] BIT STRING { a (0), b (9) } (SIZE (12)) OPTIONAL,
        u [5] Either DEFAULT a : 7
    }
    High ::= SEQUENCE {
        a [40] INTEGER (0..9),
        b [APPLICATION 500] INTEGER (-300..300) OPTIONAL,
        c [PRIVATE 70000] EXPLICIT UTF8String OPTIONAL,
        d [200] SEQUENCE OF Either,
        e [31] BIT STRING { x(0), y(7) } DEFAULT { x },
        ...,
        f [32] BOOLEAN,
        [[ g [33] REAL, h [34] INTEGER DEFAULT 5, i [35] BOOLEAN OPTIONAL, l [6] INTEGER ]],
        [[ m [7] INTEGER OPTIONAL, n [8] Either OPTIONAL ]],
        j [36] INTEGER (0..18446744073709551615),
        ...,
        k [37] NULL OPTIONAL
    }
    Either ::= CHOICE { a [40] INTEGER (0..9), b [1] INTEGER (-70000..70000), c Other }
    Other ::= CHOICE { d [2] NULL, e BOOLEAN, f [3] EXPLICIT REAL }
END";

#[test]
fn tagged() {
    let sources = [Source::new("tagged.asn", roadwire_constructs::TAGGED), Source::new("marked.asn", MARKED)];
    let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for (rules, _) in PROGRAMS.iter().filter(|(rules, _)| rules.family() == Family::Tlv) {
        for name in ["Tagged.Sets", "Marked.High", "Marked.Marked", "Marked.Either"] {
            let case = Case::new(&model, model.find(name).unwrap(), name.trim_start_matches("Marked."), *rules);
            // A SET whose order depends on its value has none.
            assert!(case.is_some() || name == "Tagged.Sets" && *rules != Rules::Ber, "{name} {rules}");
            case.into_iter().for_each(|mut case| case.all(300));
        }
    }
}

#[test]
fn shipped() {
    let mut names = Vec::new();
    for schema in roadwire_messages::SCHEMAS {
        let sources: Vec<_> = schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        for (pdu, (rules, _)) in schema.pdus.iter().flat_map(|pdu| PROGRAMS.iter().map(move |rules| (pdu, rules))) {
            if let Some(mut case) = Case::new(&model, model.find(pdu).unwrap(), pdu, *rules) {
                case.all(60);
                names.push((schema.name, *rules));
            }
        }
    }
    for name in ["cam-1.3.0", "cam-1.4.1", "denm-1.3.1", "denm-2.3.1", "vam-2.3.1"] {
        for (rules, _) in PROGRAMS {
            assert!(names.contains(&(name, *rules)), "{name} {rules}: {names:?}");
        }
    }
}

#[test]
fn an_unknown_alternative_is_not_an_addition_of_the_record_around_it() {
    let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a CHOICE { b NULL, ... }, c BOOLEAN } END";
    let model = compile(&[Source::new("demo.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("Demo.A").unwrap();
    let layout = lower(&model, root, Rules::Uper).unwrap();
    let mut value = Value::Unset;
    roadwire_engine::decode(&layout, &[0x80, 0x01, 0x00, 0x80], &mut value).unwrap();
    let program = Program::new(&model, root, &layout).unwrap();
    let (mut tape, mut back) = (Tape::new(), Value::Unset);
    tape.read(program.frames(), &value).unwrap();
    tape.root(program.frames()).fill(&mut back).unwrap();
    assert_eq!(back, value);
    assert!(program.encode(&tape, &mut [0; 16]).is_err());
}
