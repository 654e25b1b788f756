//! Runs the snippets of `cases/*.md`: what is accepted, with facts about the model; what is
//! refused, with code and position.
//!
//! A case is a heading with the rule under test, a `tls` block, and a block of expectations.
//!
//! - `facts`: `Type.component = description`; `.*` is the element of a vector.
//! - `errors`: `line:column code`, all of them, in order.

use roadwire_model::{BigInt, Coding, Kind, Length, Model, Presence, Size, Test, TypeId, Vector};
use roadwire_presentation::{Source, compile};

#[test]
fn accepted_files_have_the_facts_that_are_written_down() {
    run(include_str!("cases/accepted.md"), "facts", |text, expected| {
        let model = compile(&[Source::new("m.tls", text)]).map_err(|found| found.render())?.model;
        for line in expected {
            let (path, wanted) = line.split_once(" = ").ok_or(format!("no fact: {line}"))?;
            let found = fact(&model, path).ok_or(format!("nothing at {path}"))?;
            if found != wanted {
                return Err(format!("{path}\n   found {found}\n  wanted {wanted}"));
            }
        }
        Ok(())
    });
}

#[test]
fn rejected_files_are_refused_at_the_right_place_and_without_cascade() {
    run(include_str!("cases/rejected.md"), "errors", |text, expected| {
        let found: Vec<String> = match compile(&[Source::new("m.tls", text)]) {
            Ok(_) => Vec::new(),
            Err(found) => found.iter().map(|d| format!("{}:{} {}", d.line, d.column, d.code)).collect(),
        };
        if found == expected { Ok(()) } else { Err(format!("found {found:#?}")) }
    });
}

fn run(text: &str, block: &str, check: impl Fn(&str, &[&str]) -> Result<(), String>) {
    let cases: Vec<&str> = text.split("\n## ").skip(1).collect();
    assert!(cases.len() >= 9, "the file of cases is read");
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let fenced = |kind: &str| {
                let open = format!("```{kind}\n");
                let from = case.find(&open).unwrap_or_else(|| panic!("{case}: no {kind} block")) + open.len();
                case[from..].split_once("```").unwrap().0
            };
            let expected: Vec<&str> = fenced(block).lines().filter(|line| !line.is_empty()).collect();
            check(fenced("tls"), &expected).err().map(|error| format!("## {case}\n{error}\n"))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn fact(model: &Model, path: &str) -> Option<String> {
    let mut steps = path.split('.');
    let mut id = model.find(steps.next()?)?;
    for step in steps {
        id = match &model.get(id).kind {
            Kind::Sequence { components, .. } => components.iter().find(|c| c.name == step)?.type_id,
            Kind::Choice { alternatives, .. } => alternatives.iter().find(|a| a.name == step)?.type_id,
            Kind::SequenceOf { element, .. } if step == "*" => *element,
            _ => return None,
        };
    }
    Some(describe(model, id))
}

fn describe(model: &Model, id: TypeId) -> String {
    let coding = model.codings.get(&id);
    let kind = match &model.get(id).kind {
        Kind::Integer { range, .. } => {
            let end = |bound: &Option<BigInt>| bound.as_ref().map_or(String::new(), ToString::to_string);
            format!("INTEGER ({}..{})", end(&range.lower), end(&range.upper))
        }
        Kind::Enumerated(items) => {
            let mut all: Vec<String> = items.root.iter().map(|(name, number)| format!("{name}={number}")).collect();
            all.extend(items.extensible.then(|| "...".to_owned()));
            format!("ENUMERATED{{{}}}", all.join(", "))
        }
        Kind::BitString { size, named, .. } => {
            let named: Vec<String> = named.iter().map(|(name, at)| format!("{name}={at}")).collect();
            format!("BITS{{{}}}{}", named.join(", "), sizes(size))
        }
        Kind::OctetString { size, .. } => format!("OCTETS{}", sizes(size)),
        Kind::SequenceOf { size, .. } => format!("SEQUENCE OF{}", sizes(size)),
        Kind::Sequence { components, .. } => {
            let tests = |at: usize| match coding {
                Some(Coding::Struct(tests)) => tests[at].iter().map(test).collect(),
                _ => String::new(),
            };
            let optional = |presence: &Presence| if *presence == Presence::Optional { "?" } else { "" };
            let all = components.iter().enumerate();
            let all: Vec<String> =
                all.map(|(at, one)| format!("{}{}{}", one.name, optional(&one.presence), tests(at))).collect();
            format!("SEQUENCE{{{}}}", all.join(", "))
        }
        Kind::Choice { alternatives, extensible } => {
            let Some(Coding::Choice { octets, numbers }) = coding else { return "no CHOICE".into() };
            let all: Vec<String> =
                alternatives.iter().zip(numbers).map(|(one, number)| format!("{}={number}", one.name)).collect();
            format!("CHOICE{{{}}}{} in {octets}", all.join(", "), if *extensible { " ..." } else { "" })
        }
        other => format!("{other:?}"),
    };
    let coding = match coding {
        Some(Coding::Vector(Vector { length, order })) => {
            let length = match length {
                Length::Variable => "Variable".to_owned(),
                Length::Field { floor, ceiling } => format!("Field {floor}..{ceiling}"),
            };
            let first = order.as_ref().map(|order| order.first);
            let order = match (first, &model.get(id).kind) {
                (Some(Some(first)), Kind::SequenceOf { element, .. }) => match &model.get(*element).kind {
                    Kind::Choice { alternatives, .. } => {
                        format!(" ordered, {} first", alternatives[first as usize].name)
                    }
                    _ => String::new(),
                },
                (Some(None), _) => " ordered".to_owned(),
                _ => String::new(),
            };
            format!(" Vector({length}){order}")
        }
        Some(Coding::Choice { .. } | Coding::Struct(_)) | None => String::new(),
        Some(other) => format!(" {other:?}"),
    };
    kind + &coding
}

fn test(test: &Test) -> String {
    format!(" if {} {} {:?}", test.component, if test.negated { "not in" } else { "in" }, test.among)
}

fn sizes(size: &Size) -> String {
    if *size == Size::default() {
        return String::new();
    }
    let upper = size.upper.map_or("MAX".to_owned(), |upper| upper.to_string());
    format!(" ({}..{upper}{})", size.lower, if size.extensible { ", ..." } else { "" })
}
