//! Large module text, and its results.

use std::cell::RefCell;
use std::rc::Rc;

use roadwire_codegen::{Options, generate};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Choices, Properties, Rules, lower, proto_schema, xml_schema};
use roadwire_model::{Model, TypeId};

use crate::part::{Part, RULES, Work};

/// A module with as many lines as needed for `size` octets.
fn module(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::from("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n");
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text += &line(at);
        text.push('\n');
    }
    text + "END\n"
}

fn types(size: usize) -> String {
    module(size, |at| format!("TypeWithTheNumber{at} ::= INTEGER (0..{at})"))
}

/// Records whose components are other records: each refers to the next one and to a much earlier
/// one.
fn references(size: usize) -> String {
    let record = |at: usize| {
        let (next, before) = (at + 1, at / 2);
        format!(
            "Record{at} ::= SEQUENCE {{ firstPartOf{at} Record{next} OPTIONAL, secondPartOf{at} Record{before} OPTIONAL }}"
        )
    };
    let text = module(size, record);
    let last = text.lines().count() - 2;
    text.replace("END\n", &format!("Record{last} ::= NULL END\n"))
}

/// Records in records, as many levels deep as their number has bits.
fn tree(size: usize) -> String {
    let record = |at: usize| {
        let (first, second) = (2 * at + 1, 2 * at + 2);
        format!(
            "Record{at} ::= SEQUENCE {{ numberOfTheRecord INTEGER (0..{at}), theFirstOfTheRecordsInside Record{first}, theSecondOfTheRecordsInside Record{second} OPTIONAL }}"
        )
    };
    let text = module(size, record);
    let count = text.lines().count() - 2;
    let ends: String = (count..=2 * count).map(|at| format!("Record{at} ::= BOOLEAN ")).collect();
    text.replace("END\n", &(ends + "END\n"))
}

fn values(size: usize) -> String {
    module(size, |at| format!("valueWithTheNumber{at} INTEGER ::= {at}"))
}

fn unknown_names(size: usize) -> String {
    module(size, |at| format!("TypeWithTheNumber{at} ::= SEQUENCE OF Unknown{at}"))
}

fn wrong_text(size: usize) -> String {
    module(size, |at| format!("Type{at} ::= SEQUENCE {{ a INTEGER b BOOLEAN }} )"))
}

fn items(size: usize) -> String {
    let lists = |at: usize| {
        let items: Vec<String> = (0..100).map(|item| format!("item{item}")).collect();
        format!("Enumeration{at} ::= ENUMERATED {{ {} }}", items.join(", "))
    };
    module(size, lists)
}

fn constraints(size: usize) -> String {
    module(size, |at| format!("Type{at} ::= INTEGER (0..10 | 20..30 | 7 | (40..50 EXCEPT 45), ..., 60 | 70)"))
}

fn instances(size: usize) -> String {
    let text =
        module(size, |at| format!("Type{at} ::= SEQUENCE {{ a Pair{{INTEGER (0..{at}), B}}, b OBJECT IDENTIFIER }}"));
    text.replace("END\n", "Pair{T, U} ::= SEQUENCE { first T, second U OPTIONAL } B ::= BOOLEAN END\n")
}

fn comments(size: usize) -> String {
    module(size, |_| "-- nothing but a comment, on a line of its own".into()).replace("END", "A ::= NULL END")
}

/// Each module imports from the first one.
fn modules(size: usize) -> String {
    let mut text = String::from("Module0 DEFINITIONS ::= BEGIN T ::= NULL END\n");
    for at in 1.. {
        if text.len() >= size {
            break;
        }
        text += &format!("Module{at} DEFINITIONS ::= BEGIN IMPORTS T FROM Module0; Type{at} ::= SEQUENCE OF T END\n");
    }
    text
}

fn structs(size: usize) -> String {
    let mut text = String::from("struct { uint8 number; opaque data<0..255>; } Struct0;\n");
    for at in 1.. {
        if text.len() >= size {
            break;
        }
        text += &format!("struct {{ uint16 number; Struct0 inner; opaque data<0..{at}>; }} Struct{at};\n");
    }
    text
}

fn unknown_structs(size: usize) -> String {
    let mut text = String::new();
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text += &format!("struct {{ uint16 number; Unknown{at} inner; }} Struct{at};\n");
    }
    text
}

fn compiling(file: &'static str, text: String) -> Work {
    let octets = text.len();
    let source = [Source::new(file, text)];
    let run = move || match compile(&source) {
        Ok(_) => "taken",
        Err(errors) => errors.iter().next().map_or("", |error| error.code),
    };
    Work { octets, run: Box::new(run) }
}

pub(crate) fn parts() -> Vec<Part> {
    let asn1: [(&str, Text); 11] = [
        ("types", types),
        ("types that refer to each other", references),
        ("records in records", tree),
        ("values", values),
        ("items of ENUMERATED", items),
        ("constraints", constraints),
        ("instances of a parameterised type", instances),
        ("comments", comments),
        ("modules", modules),
        ("unknown names", unknown_names),
        ("errors of syntax", wrong_text),
    ];
    let front = |family, language: &str, file, text: Text| Part {
        family,
        name: language.into(),
        make: Box::new(move |size| compiling(file, text(size))),
    };
    let mut parts: Vec<Part> =
        asn1.into_iter().map(|(family, text)| front(family, "ASN.1, check", "m.asn", text)).collect();
    parts.push(front("types", "presentation language, check", "m.tls", structs));
    parts.push(front("unknown names", "presentation language, check", "m.tls", unknown_structs));
    for (family, text) in [("records in records", tree as Text), ("types that refer to each other", references)] {
        let mut part = |name: String, make: Make| parts.push(lowering(family, name, text, make));
        for rules in RULES {
            let lowered = move |model: &Model, root: TypeId| {
                lower(model, root, rules).is_ok_and(|layout| Properties::of(&layout).message.fewest < u64::MAX)
            };
            part(format!("{rules}, lower"), Rc::new(lowered));
        }
        // The other rules share their code writer with one of these.
        for rules in [Rules::Uper, Rules::Ber, Rules::Xer, Rules::Jer, Rules::Protobuf, Rules::Cbor] {
            let generated =
                move |model: &Model, root: TypeId| generate(model, &[root], &[rules], Options::default()).is_ok();
            part(format!("{rules}, generate"), Rc::new(generated));
        }
        for rules in [Rules::Exi, Rules::ExiMerged, Rules::ExiFlat] {
            part(
                format!("{rules}, schema"),
                Rc::new(move |model: &Model, root: TypeId| xml_schema(model, root, rules).is_ok()),
            );
        }
        part(
            "protobuf, schema".into(),
            Rc::new(|model: &Model, root: TypeId| proto_schema(model, root, Choices::OneOf).is_ok()),
        );
    }
    parts
}

type Text = fn(usize) -> String;
type Make = Rc<dyn Fn(&Model, TypeId) -> bool>;

fn lowering(family: &'static str, name: String, text: Text, make: Make) -> Part {
    let work = move |size: usize| {
        let (known, make) = (compiled(family, size, text), make.clone());
        let (octets, root) = (known.0, known.1.find("Record0"));
        let run = move || match root {
            Some(root) if make(&known.1, root) => "taken",
            Some(_) => "refused",
            None => "no types",
        };
        Work { octets, run: Box::new(run) }
    };
    Part { family, name, make: Box::new(work) }
}

type Known = (&'static str, usize, Rc<(usize, Model)>);

thread_local! {
    /// The cached models: those of one family.
    static MODELS: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// The model of a text and how long the text is, compiled once.
fn compiled(family: &'static str, size: usize, text: Text) -> Rc<(usize, Model)> {
    MODELS.with_borrow_mut(|models| {
        models.retain(|known| known.0 == family);
        if let Some(known) = models.iter().find(|known| known.1 == size) {
            return known.2.clone();
        }
        let text = text(size);
        let octets = text.len();
        let model = compile(&[Source::new("m.asn", text)]).map(|compiled| compiled.model).unwrap_or_default();
        models.push((family, size, Rc::new((octets, model))));
        models[models.len() - 1].2.clone()
    })
}
