//! Runs the snippets of `cases/*.md`: what is accepted, with facts about the model; what is
//! refused, with code and position.
//!
//! A case is a heading with the rule under test, an `asn1` block (the body of module `M`, in an
//! AUTOMATIC TAGS environment, or whole modules when it has a `DEFINITIONS`), and a block of
//! expectations.
//!
//! - `facts`: `Type.component = description`; `.*` is the element of SEQUENCE OF or the contained
//!   type of a string; a value's name gives its debug form.
//! - `warnings`: `line:column code`, all of them, in order; a case without this block may have any.
//! - `errors`: `line:column code`, all of them, in order.

use roadwire_asn1::{Compiled, Diagnostics, Severity, Source, compile};
use roadwire_model::{Field, IntegerRange, Kind, Model, Presence, QualifiedName, RealParts, Size, TagClass, TypeId};

struct Case<'a> {
    name: &'a str,
    module: String,
    expected: Vec<&'a str>,
    warnings: Option<Vec<&'a str>>,
}

#[test]
fn accepted_modules_have_the_facts_that_are_written_down() {
    run(include_str!("cases/accepted.md"), "facts", |case| {
        let compiled = compiled(&case.module).map_err(|found| found.render())?;
        let mut wrong = Vec::new();
        for line in &case.expected {
            let (path, wanted) = line.split_once(" = ").ok_or(format!("no fact: {line}"))?;
            let found = fact(&compiled.model, path).ok_or(format!("nothing at {path}"))?;
            if found != wanted {
                wrong.push(format!("{path}\n   found {found}\n  wanted {wanted}"));
            }
        }
        if !wrong.is_empty() {
            return Err(wrong.join("\n"));
        }
        let told = places(&compiled.warnings, Severity::Warning);
        match &case.warnings {
            Some(wanted) if told != *wanted => Err(format!("warned of {told:#?}")),
            _ => Ok(()),
        }
    });
}

#[test]
fn rejected_modules_are_refused_at_the_right_place_and_without_cascade() {
    run(include_str!("cases/rejected.md"), "errors", |case| {
        let found = match compiled(&case.module) {
            Ok(_) => Vec::new(),
            Err(found) => places(&found, Severity::Error),
        };
        if found == case.expected { Ok(()) } else { Err(format!("found {found:#?}")) }
    });
}

/// `line:column code` of the findings of one severity.
fn places(found: &Diagnostics, severity: Severity) -> Vec<String> {
    let of_severity = found.iter().filter(|d| d.severity == severity);
    of_severity.map(|d| format!("{}:{} {}", d.line, d.column, d.code)).collect()
}

fn compiled(text: &str) -> Result<Compiled, Diagnostics> {
    compile(&[Source::new("m.asn", text)])
}

fn run(text: &str, block: &str, check: impl Fn(&Case) -> Result<(), String>) {
    let cases = cases(text, block);
    assert!(cases.len() > 10, "the file of cases is read");
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| check(case).err().map(|e| format!("## {}\n{}\n{e}\n", case.name, case.module)))
        .collect();
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

fn cases<'a>(text: &'a str, block: &str) -> Vec<Case<'a>> {
    text.split("\n## ")
        .skip(1)
        .map(|part| {
            let (name, rest) = part.split_once('\n').unwrap();
            let fenced = |kind: &str| {
                let open = format!("```{kind}\n");
                let from = rest.find(&open)? + open.len();
                Some(rest[from..].split_once("```").unwrap().0)
            };
            let lines = |block: &'a str| block.lines().filter(|l| !l.is_empty()).collect();
            let body = fenced("asn1").unwrap_or_else(|| panic!("{name}: no asn1 block"));
            let whole = body.contains("DEFINITIONS");
            // All on one line, so that line numbers count from the snippet's first line.
            let module =
                if whole { body.to_owned() } else { format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{body}END\n") };
            let expected = lines(fenced(block).unwrap_or_else(|| panic!("{name}: no {block} block")));
            Case { name, module, expected, warnings: fenced("warnings").map(lines) }
        })
        .collect()
}

fn fact(model: &Model, path: &str) -> Option<String> {
    let mut steps = path.split('.');
    let name = steps.next()?;
    if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        let value = model.values.iter().find(|(k, _)| k.name == name)?;
        return Some(format!("{:?}", value.1.1));
    }
    let key = QualifiedName { module: "M".into(), name: name.into() };
    let mut id = *model.definitions.get(&key)?;
    for step in steps {
        id = match &model.get(id).kind {
            Kind::Sequence { components, .. } => components.iter().find(|c| c.name == step)?.type_id,
            Kind::Choice { alternatives, .. } => alternatives.iter().find(|a| a.name == step)?.type_id,
            Kind::SequenceOf { element, .. } if step == "*" => *element,
            Kind::OctetString { contains, .. } | Kind::BitString { contains, .. } if step == "*" => (*contains)?,
            Kind::External(inner) if step == "*" => *inner,
            _ => return None,
        };
    }
    Some(describe(model, id))
}

fn describe(model: &Model, id: TypeId) -> String {
    let ty = model.get(id);
    let tags: String = ty
        .tags
        .iter()
        .map(|t| {
            let class = match t.class {
                TagClass::Universal => "U",
                TagClass::Application => "A",
                TagClass::Context => "",
                TagClass::Private => "P",
            };
            format!("[{class}{}]", t.number)
        })
        .collect();
    let instructions: String = ty.instructions.iter().map(|i| format!("<{i}>")).collect();
    let kind = match &ty.kind {
        Kind::Integer { range, named } => {
            let names: Vec<String> = named.iter().map(|(n, v)| format!("{n}={v}")).collect();
            format!("INTEGER{}{}", braces(&names), ints(range))
        }
        Kind::Real { parts } => {
            let show = |p: &RealParts| [&p.mantissa, &p.base, &p.exponent].map(ints).join(" *");
            format!("REAL{}", parts.as_deref().map_or(String::new(), show))
        }
        Kind::Time { kind, settings } if settings.is_empty() => format!("{kind:?}"),
        Kind::Time { kind, settings } => format!("{kind:?} of {} settings", settings.len()),
        Kind::Enumerated(e) => {
            let show =
                |list: &[(String, i64)]| -> Vec<String> { list.iter().map(|(n, v)| format!("{n}={v}")).collect() };
            let mut all = show(&e.root);
            all.extend(e.extensible.then(|| "...".to_owned()));
            all.extend(show(&e.additions));
            format!("ENUMERATED{}", braces(&all))
        }
        Kind::BitString { size, named, .. } => {
            let names: Vec<String> = named.iter().map(|(n, v)| format!("{n}={v}")).collect();
            format!("BITS{}{}", braces(&names), sizes(size))
        }
        Kind::OctetString { size, .. } => format!("OCTETS{}", sizes(size)),
        Kind::String { kind, size, alphabet, alphabet_extensible } => {
            let chars = alphabet.as_ref().map_or(String::new(), |a| {
                let show = |c: u32| char::from_u32(c).unwrap_or('?');
                let ranges: Vec<String> = a.ranges.iter().map(|(l, u)| format!("{}-{}", show(*l), show(*u))).collect();
                format!(" FROM {}{}", ranges.join("|"), if *alphabet_extensible { " ..." } else { "" })
            });
            format!("{kind:?}{}{chars}", sizes(size))
        }
        Kind::Sequence { set, components, extensible } => {
            let list: Vec<String> = components
                .iter()
                .map(|c| {
                    let presence = match &c.presence {
                        Presence::Mandatory => String::new(),
                        Presence::Optional => "?".to_owned(),
                        Presence::Default(v) => format!("={v:?}"),
                    };
                    let place = match c.field {
                        Field::Root => String::new(),
                        Field::Addition => "+".to_owned(),
                        Field::Group(g) => format!("+{g}:"),
                    };
                    format!("{place}{}{presence}", c.name)
                })
                .collect();
            let mark = if *extensible { " ..." } else { "" };
            format!("{}{}{mark}", if *set { "SET" } else { "SEQUENCE" }, braces(&list))
        }
        Kind::SequenceOf { set, element_name, size, .. } => format!(
            "{} OF{}{}",
            if *set { "SET" } else { "SEQUENCE" },
            sizes(size),
            element_name.as_ref().map_or(String::new(), |n| format!(" {n}"))
        ),
        Kind::Choice { alternatives, extensible } => {
            let list: Vec<String> =
                alternatives.iter().map(|a| format!("{}{}", if a.addition { "+" } else { "" }, a.name)).collect();
            format!("CHOICE{}{}", braces(&list), if *extensible { " ..." } else { "" })
        }
        Kind::Open { table: None } => "OPEN".to_owned(),
        Kind::Open { table: Some(t) } => {
            let rows: Vec<String> = t.rows.iter().map(|(v, id)| format!("{v:?}: {}", describe(model, *id))).collect();
            let level = format!("@{}", ".".repeat(t.level as usize + 1));
            let mark = if t.extensible { " ..." } else { "" };
            format!("OPEN {level}{}{}{mark}", t.link.join("."), braces(&rows))
        }
        Kind::External(_) => "EXTERNAL".to_owned(),
        other => format!("{other:?}"),
    };
    format!("{instructions}{tags} {kind}").trim().to_owned()
}

fn braces(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { format!("{{{}}}", list.join(", ")) }
}

fn ints(range: &IntegerRange) -> String {
    let end = |b: &Option<roadwire_model::BigInt>, none: &str| b.as_ref().map_or(none.to_owned(), ToString::to_string);
    let mark = if range.extensible { ", ..." } else { "" };
    if range.lower.is_none() && range.upper.is_none() && !range.extensible {
        return String::new();
    }
    format!(" ({}..{}{mark})", end(&range.lower, "MIN"), end(&range.upper, "MAX"))
}

fn sizes(size: &Size) -> String {
    if *size == Size::default() {
        return String::new();
    }
    let upper = size.upper.map_or("MAX".to_owned(), |u| u.to_string());
    format!(" ({}..{upper}{})", size.lower, if size.extensible { ", ..." } else { "" })
}
