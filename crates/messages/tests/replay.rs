//! Findings of fuzzing, each as the smallest test that shows it. Types are in the test, so that it
//! can be read by itself.

use roadwire_asn1::Source;
use roadwire_engine::{Item, Limits, Listener};
use roadwire_layout::{Layout, Rules};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::{Error, Step, Unknown};

struct Case {
    model: Model,
    root: TypeId,
    layout: Layout,
}

/// The type `A` of these assignments, in UPER.
fn case(assignments: &str) -> Case {
    case_under(Rules::Uper, assignments)
}

fn case_under(rules: Rules, assignments: &str) -> Case {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
    let model = roadwire_asn1::compile(&[Source::new("m.asn", module.as_str())])
        .unwrap_or_else(|errors| panic!("{}", errors.render()))
        .model;
    let root = model.find("M.A").unwrap();
    let layout = roadwire_layout::lower(&model, root, rules).unwrap();
    Case { model, root, layout }
}

impl Case {
    fn read(&self, text: &str) -> Value {
        Notation::new(&self.model, self.root).unwrap().read(text).unwrap()
    }

    fn encode(&self, value: &Value) -> Result<Vec<u8>, Error<'_>> {
        roadwire_engine::encode_to_vec(&self.layout, value, 1 << 20)
    }

    fn decode(&self, octets: &[u8]) -> Result<Value, Error<'_>> {
        let mut value = Value::Unset;
        roadwire_engine::decode(&self.layout, octets, &mut value).map(|_| value)
    }

    fn there_and_back(&self, text: &str) {
        let octets = self.encode(&self.read(text)).unwrap();
        let value = self.decode(&octets).unwrap_or_else(|error| panic!("{error}: {text} as {octets:02x?}"));
        assert_eq!(Notation::new(&self.model, self.root).unwrap().write(&value).unwrap(), text, "as {octets:02x?}");
    }
}

/// The reader took the input's last eight octets for those at the end of an open type.
#[test]
fn additions_are_read_where_they_lie_far_from_the_inputs_end() {
    let case =
        case("A ::= SEQUENCE OF SEQUENCE { a BOOLEAN, ..., b INTEGER (0..15), [[ c BOOLEAN, d INTEGER OPTIONAL ]] }");
    case.there_and_back(r#"[{"a":true,"c":true,"d":0},{"a":true,"c":true,"d":7}]"#);
    case.there_and_back(
        r#"[{"a":false,"b":9,"c":true,"d":-8388609},{"a":true},{"a":true,"b":3},{"a":true,"c":false,"d":255}]"#,
    );
}

/// The total of a fragmented list was not compared with its size constraint.
#[test]
fn a_list_in_fragments_is_checked_as_a_whole() {
    let case = case("A ::= SEQUENCE (SIZE (65600..66500)) OF NULL");
    // 65536 in a fragment, and then the rest. The octets after the message raise the limit on
    // elements.
    let decode = |rest| case.decode(&[&[0xc4, rest][..], &[0; 200]].concat()).map_err(|error| error.kind.code());
    assert_eq!(decode(0).unwrap_err(), "size.range");
    assert_eq!(decode(63).unwrap_err(), "size.range");
    let Ok(Value::List(elements)) = decode(64) else { panic!("not a list") };
    assert_eq!(elements.len(), 65600);
}

/// Bits of length determinants were reported twice.
#[test]
fn a_listener_hears_of_each_bit_once() {
    struct Next(usize);
    impl Listener for Next {
        fn enter(&mut self, _: Step<'_>) {}
        fn leave(&mut self) {}
        fn item(&mut self, _: &Layout, item: &Item<'_>) {
            assert_eq!(item.bit, self.0, "{item:?}");
            self.0 += item.bits;
        }
    }
    let case = case(
        "A ::= SEQUENCE { wide INTEGER (100000000000000000000000000000000000000000000000000..MAX), real REAL,
            id OBJECT IDENTIFIER, any INTEGER, item ENUMERATED { a, ..., b } }",
    );
    let text =
        r#"{"wide":100000000000000000000000000000000000000000000000007,"real":1.5,"id":"1.2.3","any":-5,"item":"b"}"#;
    let octets = case.encode(&case.read(text)).unwrap();
    let (mut value, mut next) = (Value::Unset, Next(0));
    let bits = roadwire_engine::decode_with(&case.layout, &octets, &mut value, &Limits::for_input(&octets), &mut next);
    assert_eq!(bits.map(|bits| bits.next_multiple_of(8)), Ok(next.0));
}

/// Additions that cannot be encoded were left out, or corrupted those next to them.
#[test]
fn unknown_additions_that_are_known_or_out_of_order_are_refused() {
    let unknown = |index| Unknown { index, octets: vec![7] };
    let value = |unknown| Value::Sequence { components: vec![Some(Value::Boolean(true)), None], unknown };
    let open = case("A ::= SEQUENCE { a BOOLEAN, ..., b NULL }");
    assert!(open.encode(&value(vec![unknown(1), unknown(3)])).is_ok());
    for wrong in [vec![unknown(0)], vec![unknown(3), unknown(2)], vec![unknown(2), unknown(2)]] {
        assert_eq!(open.encode(&value(wrong)).unwrap_err().kind.code(), "value.mismatch");
    }
    let closed = case("A ::= SEQUENCE { a BOOLEAN, b NULL OPTIONAL }");
    assert_eq!(closed.encode(&value(vec![unknown(1)])).unwrap_err().kind.code(), "value.mismatch");
}

/// Nothing checked that a value for a SEQUENCE without mandatory components is a SEQUENCE.
#[test]
fn a_value_of_another_kind_is_no_empty_sequence() {
    let case = case("A ::= SEQUENCE { a INTEGER OPTIONAL, b BOOLEAN DEFAULT TRUE }");
    assert!(case.encode(&Value::sequence([None, None])).is_ok());
    for wrong in [Value::Unset, Value::Null, Value::List(vec![]), Value::from(3)] {
        assert_eq!(case.encode(&wrong).unwrap_err().kind.code(), "value.mismatch", "{wrong:?}");
    }
}

/// Trailing zero bits made a difference to whether a value is its DEFAULT (X.680 §22.7).
#[test]
fn named_bits_equal_their_default_whatever_zeros_trail() {
    let case = case("A ::= SEQUENCE { bits BIT STRING { a(0), b(1), c(2) } DEFAULT { b } }");
    let octets = case.encode(&Value::sequence([Some(Value::bit_string(&[0x40], 25))])).unwrap();
    assert_eq!(octets, case.encode(&Value::sequence([None])).unwrap());
}

/// If the output was full at the number of additions, the error was a number that is too large.
#[test]
fn an_output_grows_wherever_it_is_full() {
    let case = case("A ::= SEQUENCE { pad OCTET STRING, s SEQUENCE { a BOOLEAN, ..., b NULL OPTIONAL } }");
    for octets in 990..1030 {
        case.there_and_back(&format!(r#"{{"pad":"{}","s":{{"a":true,"b":null}}}}"#, "00".repeat(octets)));
    }
}

/// An upper bound without a lower one does not affect the encoding (X.691 §13.2.4), and was not
/// checked.
#[test]
fn an_upper_bound_without_a_lower_one_is_checked() {
    let case = case("A ::= INTEGER (MIN..5)");
    case.there_and_back("-100000000000000000000000");
    case.there_and_back("5");
    assert_eq!(case.encode(&Value::from(6)).unwrap_err().kind.code(), "integer.range");
    assert_eq!(case.decode(&[1, 6]).unwrap_err().kind.code(), "integer.range");
}

/// A component that a record's DEFAULT leaves at its own DEFAULT was expected to be absent, which
/// is not so in generated types.
#[test]
fn a_default_within_a_default_is_the_same_whether_written_out_or_not() {
    let case =
        case("A ::= SEQUENCE { r SEQUENCE { a INTEGER DEFAULT 3, b INTEGER, c NULL OPTIONAL } DEFAULT { b 5 } }");
    let record =
        |components: [Option<Value>; 3]| case.encode(&Value::sequence([Some(Value::sequence(components))])).unwrap();
    let absent = case.encode(&Value::sequence([None])).unwrap();
    assert_eq!(record([None, Some(5.into()), None]), absent);
    assert_eq!(record([Some(3.into()), Some(5.into()), None]), absent);
    for other in [
        [Some(4.into()), Some(5.into()), None],
        [None, Some(6.into()), None],
        [None, Some(5.into()), Some(Value::Null)],
    ] {
        assert_ne!(record(other), absent);
    }
}

/// A DEFAULT that is a value of its own record is infinite when written out.
#[test]
fn a_default_of_the_record_itself_ends() {
    let case = case("A ::= SEQUENCE { n INTEGER (0..7), inner A DEFAULT { n 1 } }");
    case.there_and_back(r#"{"n":1}"#);
    case.there_and_back(r#"{"n":1,"inner":{"n":2,"inner":{"n":3}}}"#);
}

/// A key that follows the content was assumed to be at its DEFAULT while the content was read.
#[test]
fn a_key_behind_the_content_selects_nothing() {
    let case = case(
        "C ::= CLASS { &id INTEGER UNIQUE, &Type } S C ::= { { &id 1, &Type BOOLEAN }, ... }
            A ::= SEQUENCE { content C.&Type ({S}{@id}), id C.&id ({S}) DEFAULT 1 }",
    );
    for id in [None, Some(Value::from(7))] {
        let value = Value::sequence([Some(Value::OctetString(vec![1, 2, 3])), id]);
        let octets = case.encode(&value).unwrap();
        assert_eq!(case.decode(&octets), Ok(value), "{octets:02x?}");
    }
}

/// A key that selects nothing was treated like a key that has not been read yet.
#[test]
fn a_content_that_its_key_does_not_select_is_refused() {
    let case = case(
        "C ::= CLASS { &id INTEGER UNIQUE, &Type } S C ::= { { &id 1, &Type BOOLEAN }, ... }
            A ::= SEQUENCE { id C.&id ({S}), content C.&Type ({S}{@id}) }",
    );
    let value = |id: i32| Value::sequence([Some(id.into()), Some(Value::choice(0, true))]);
    assert!(case.encode(&value(1)).is_ok());
    assert_eq!(case.encode(&value(7)).unwrap_err().kind.code(), "value.mismatch");
}

/// A key after its content was not checked.
#[test]
fn a_key_behind_a_content_that_it_does_not_select_is_refused() {
    for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Ber, Rules::Der, Rules::Cer, Rules::Xer, Rules::Jer] {
        let case = case_under(
            rules,
            "C ::= CLASS { &id INTEGER UNIQUE, &Type } S C ::= { { &id 1, &Type BOOLEAN } | { &id 2, &Type NULL }, ... }
                A ::= SEQUENCE { content [0] C.&Type ({S}{@id}), id [1] C.&id ({S}) }",
        );
        let value = |id: i32| Value::sequence([Some(Value::choice(0, true)), Some(id.into())]);
        assert!(case.encode(&value(1)).is_ok(), "{rules}");
        let code = if rules == Rules::Jer { "jer.open" } else { "value.mismatch" };
        for other in [2, 7] {
            assert_eq!(case.encode(&value(other)).unwrap_err().kind.code(), code, "{rules}");
        }
    }
}

/// Missing bits were treated as zeros, and the value as its DEFAULT.
#[test]
fn a_bit_string_with_fewer_octets_than_bits_is_no_default() {
    let case = case("A ::= SEQUENCE { bits BIT STRING { a(0), b(1) } (SIZE (1..20)) DEFAULT { a } }");
    let bits = |bits| Value::sequence([Some(Value::BitString { octets: vec![0x80], bits })]);
    assert!(case.encode(&bits(8)).is_ok());
    assert_eq!(case.encode(&bits(9)).unwrap_err().kind.code(), "value.mismatch");
}

/// Any ordinal above the known ones was written as an item of a later version.
#[test]
fn an_enumeration_without_extension_marker_has_no_other_items() {
    let closed = case_under(Rules::Coer, "A ::= ENUMERATED { a, b }");
    assert_eq!(closed.encode(&Value::Enumerated(1)), Ok(vec![1]));
    for ordinal in [2, 1 << 31, u32::MAX] {
        assert_eq!(closed.encode(&Value::Enumerated(ordinal)).unwrap_err().kind.code(), "enumerated.index");
    }
}

/// An element anywhere was kept as an addition of a later version, and then written where it was a
/// known component (X.680 §25.6).
#[test]
fn additions_lie_between_the_parts_of_the_root_and_have_tags_of_their_own() {
    let case = case_under(Rules::Ber, "A ::= SEQUENCE { a BOOLEAN, ..., b NULL OPTIONAL, ..., z INTEGER OPTIONAL }");
    // a is [0], z [1], b [2]; [5] is unknown.
    let decode = |contents: &[u8]| {
        case.decode(&[&[0x30, contents.len() as u8], contents].concat()).map_err(|error| error.kind.code())
    };
    let (a, b, z, unknown) = ([0x80, 1, 0xff], [0x82, 0], [0x81, 1, 7], [0x85, 1, 9]);
    for good in [[&a[..], &b, &unknown, &z], [&a, &unknown, &b, &z], [&a, &unknown, &unknown, &[]]] {
        assert!(decode(&good.concat()).is_ok(), "{good:02x?}");
    }
    for bad in [[&unknown[..], &a, &[]], [&z, &a, &[]]] {
        assert_eq!(decode(&bad.concat()).unwrap_err(), "tlv.tag.component", "{bad:02x?}");
    }
    for bad in [[&a[..], &z, &unknown], [&a, &z, &b], [&a, &b, &b]] {
        assert_eq!(decode(&bad.concat()).unwrap_err(), "tlv.tag.trailing", "{bad:02x?}");
    }
}

/// Text that is not a time was changed into another text, and characters that decoders refuse were
/// written (X.690 §11.8, X.680 §47).
#[test]
fn what_is_no_time_is_not_made_into_one() {
    let case = case_under(Rules::Der, "A ::= UTCTime");
    let text = |text: &str| case.encode(&Value::from(text)).map_err(|error| error.kind.code());
    assert_eq!(text("2002290100+0200").unwrap()[2..], *b"200228230000Z");
    assert_eq!(text("500318570054Z").unwrap()[2..], *b"500318570054Z");
    assert_eq!(text("500318000054Z\u{20ac}").unwrap_err(), "text.alphabet");
}
