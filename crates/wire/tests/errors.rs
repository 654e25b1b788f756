//! Errors in words: what is wrong, where, and in which field.

use roadwire_wire::{Error, ErrorKind, Fault, Path, Step, faults};

static NAMES: [&str; 3] = ["cam", "speed", "path"];

#[test]
fn a_path_names_fields_from_the_outside_in() {
    let mut path = Path::root();
    assert!(path.is_empty() && path.steps().next().is_none());
    assert_eq!((path.to_string(), format!("{path:?}")), (String::new(), "Path()".into()));
    path.prepend_index(3);
    assert_eq!(path.to_string(), "[3]");
    path.prepend_name(&NAMES, 2);
    path.prepend_name(&NAMES, 0);
    assert!(!path.is_empty());
    assert_eq!((path.to_string(), format!("{path:?}")), ("cam.path[3]".into(), "Path(cam.path[3])".into()));
    let steps: Vec<_> = path.steps().collect();
    assert_eq!(steps, [Step::Name("cam"), Step::Name("path"), Step::Index(3)]);
    path.prepend_name(&NAMES, 7);
    assert_eq!(path.to_string(), ".cam.path[3]", "a place without a name");
}

#[test]
fn paths_are_equal_if_their_steps_are() {
    let path = |names: &[u32], index| {
        let mut path = Path::root();
        path.prepend_index(index);
        names.iter().rev().for_each(|place| path.prepend_name(&NAMES, *place));
        path
    };
    assert_eq!(path(&[0, 1], 5), path(&[0, 1], 5));
    assert_ne!(path(&[0, 1], 5), path(&[0, 1], 6));
    assert_ne!(path(&[0, 1], 5), path(&[0, 2], 5));
    assert_ne!(path(&[0, 1], 5), path(&[1], 5));
    // One has lost steps, the other has not.
    let (full, cut) = (path(&[1; Path::MAX_STEPS - 1], 5), path(&[1; Path::MAX_STEPS], 5));
    assert!(full.steps().eq(cut.steps()));
    assert_ne!(full, cut);
}

#[test]
fn a_path_that_is_too_long_loses_its_outermost_steps() {
    let mut path = Path::root();
    path.prepend_index(0);
    for _ in 1..Path::MAX_STEPS {
        path.prepend_name(&NAMES, 1);
    }
    assert_eq!(path.to_string(), "speed".to_owned() + &".speed".repeat(Path::MAX_STEPS - 2) + "[0]");
    path.prepend_name(&NAMES, 0);
    assert_eq!(path.to_string(), "…".to_owned() + &".speed".repeat(Path::MAX_STEPS - 1) + "[0]");
    assert_eq!(path.steps().count(), Path::MAX_STEPS);
}

#[test]
fn each_kind_has_a_code_and_words() {
    const FAULT: Fault = faults::tlv::BOOLEAN;
    for (kind, code, words) in [
        (ErrorKind::Truncated { missing: 1 }, "input.truncated", "the input ends 1 bit too soon"),
        (ErrorKind::Truncated { missing: 8 }, "input.truncated", "the input ends 8 bits too soon"),
        (ErrorKind::Cut { length: 200, left: 5 }, "input.truncated", "expected 200 octets, found 5"),
        (ErrorKind::Cut { length: 1, left: 0 }, "input.truncated", "expected 1 octet, found 0"),
        (ErrorKind::IntegerRange { value: -1, lower: 0, upper: 7 }, "integer.range", "value -1 below 0 (range 0..7)"),
        (ErrorKind::IntegerRange { value: 8, lower: 0, upper: 7 }, "integer.range", "value 8 above 7 (range 0..7)"),
        (ErrorKind::IntegerRange { value: -1, lower: 0, upper: i128::MAX }, "integer.range", "value -1 below 0"),
        (ErrorKind::IntegerWidth, "integer.width", "the integer is wider than its in-memory type"),
        (ErrorKind::RealRange, "real.range", "the number is outside the mantissas and exponents of its type"),
        (ErrorKind::RealWidth, "real.width", "the number is beyond the range of a double (about 4.9e-324 to 1.8e308)"),
        (
            ErrorKind::Constraint { text: "(1 | 3)", number: Some(2) },
            "constraint.value",
            "value 2 breaks the constraint (1 | 3)",
        ),
        (
            ErrorKind::Constraint { text: "(FROM (\"a\"))", number: None },
            "constraint.value",
            "the value breaks the constraint (FROM (\"a\"))",
        ),
        (ErrorKind::Size { size: 3, lower: 1, upper: 2 }, "size.range", "size 3 outside SIZE(1..2)"),
        (ErrorKind::Size { size: 3, lower: 2, upper: 2 }, "size.range", "size 3 outside SIZE(2)"),
        (ErrorKind::Size { size: 0, lower: 1, upper: u64::MAX }, "size.range", "size 0 below 1"),
        (ErrorKind::Capacity { size: 9 }, "size.capacity", "size 9 is more than the in-memory type holds"),
        (
            ErrorKind::EnumerationIndex { index: 5, count: 4 },
            "enumerated.index",
            "expected an enumeration index of 0..3, found 5",
        ),
        (
            ErrorKind::EnumerationNumber { number: -1 },
            "enumerated.number",
            "expected the number of an item of the enumeration, found -1",
        ),
        (ErrorKind::ChoiceIndex { index: 5, count: 4 }, "choice.index", "expected a choice index of 0..3, found 5"),
        (ErrorKind::Alphabet { code: 97 }, "text.alphabet", "character 97 outside the permitted alphabet"),
        (ErrorKind::Text("not a real number"), "text.form", "not a real number"),
        (ErrorKind::Missing, "component.missing", "mandatory component is absent"),
        (ErrorKind::Mismatch { expected: "an integer" }, "value.mismatch", "the value is not an integer"),
        (ErrorKind::Malformed(FAULT), "tlv.boolean", "expected a BOOLEAN of one octet"),
        (ErrorKind::UnknownName { fault: FAULT, node: 1 }, "tlv.boolean", "expected a BOOLEAN of one octet"),
        (ErrorKind::TooLong { length: 10, limit: 5 }, "limit.length", "length 10 above the limit 5"),
        (ErrorKind::Memory { limit: 5 }, "limit.memory", "the value takes more than 5 octets of memory"),
        (ErrorKind::TooDeep { limit: 5 }, "limit.depth", "nested deeper than the limit of 5 levels"),
        (
            ErrorKind::NotBuilt { feature: "tlv" },
            "engine.not-built",
            "the engine was built without its feature `tlv`, which this needs",
        ),
        (ErrorKind::NotCanonical, "input.not-canonical", "not the canonical encoding of its value"),
        (ErrorKind::OutputFull { capacity: 4 }, "output.full", "the output buffer of 4 octets is too small"),
    ] {
        assert_eq!((kind.code(), &*kind.to_string()), (code, words));
    }
}

#[test]
fn an_error_says_where() {
    let mut error = Error { kind: ErrorKind::Missing, bit: 12, path: Path::root() };
    assert_eq!(error.to_string(), "mandatory component is absent at bit 12");
    error.path.prepend_name(&NAMES, 1);
    assert_eq!(error.to_string(), "mandatory component is absent at bit 12 in speed");
}

#[test]
fn kinds_that_are_limits_or_constraints_say_so() {
    for (kind, is_limit, is_constraint) in [
        (ErrorKind::TooLong { length: 1, limit: 0 }, true, false),
        (ErrorKind::Memory { limit: 0 }, true, false),
        (ErrorKind::TooDeep { limit: 0 }, true, false),
        (ErrorKind::Malformed(faults::json::LIMIT_DEPTH), true, false),
        (ErrorKind::Malformed(faults::json::DIGIT), false, false),
        (ErrorKind::IntegerRange { value: 0, lower: 1, upper: 2 }, false, true),
        (ErrorKind::RealRange, false, true),
        (ErrorKind::Alphabet { code: 0 }, false, true),
        (ErrorKind::Constraint { text: "", number: None }, false, true),
        (ErrorKind::IntegerWidth, false, false),
    ] {
        assert_eq!((kind.is_limit(), kind.is_constraint()), (is_limit, is_constraint), "{kind:?}");
    }
}

#[test]
fn a_fault_is_shown_by_its_words_and_printed_by_its_code() {
    let fault = faults::tlv::TAG_OTHER;
    assert_eq!((fault.to_string(), format!("{fault:?}")), (fault.text().to_owned(), "Fault(tlv.tag.other)".to_owned()));
}
