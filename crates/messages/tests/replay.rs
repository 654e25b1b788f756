//! What fuzzing found, each as the smallest test that shows it. Types stand in the test, so that each is read on its own.

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

/// The type `A` of these assignments.
fn case(assignments: &str) -> Case {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {assignments} END");
    let model = roadwire_asn1::compile(&[Source::new("m.asn", module.as_str())])
        .unwrap_or_else(|errors| panic!("{}", errors.render()))
        .model;
    let root = model.find("M.A").unwrap();
    let layout = roadwire_layout::lower(&model, root, Rules::Uper).unwrap();
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
    // 65536 in a fragment, and then the rest. What follows the message raises the limit on elements.
    let decode = |rest| case.decode(&[&[0xc4, rest][..], &[0; 200]].concat()).map_err(|error| error.kind.code());
    assert_eq!(decode(0).unwrap_err(), "size.range");
    assert_eq!(decode(63).unwrap_err(), "size.range");
    let Ok(Value::List(elements)) = decode(64) else { panic!("not a list") };
    assert_eq!(elements.len(), 65600);
}

/// Bits of length determinants were told of twice.
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

/// Additions that no encoding can carry as they are were left out, or garbled those beside them.
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

/// Nothing asked whether what stands for a SEQUENCE without mandatory components is one.
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

/// An output that was full where the number of additions is written was called a number that is too large.
#[test]
fn an_output_grows_wherever_it_is_full() {
    let case = case("A ::= SEQUENCE { pad OCTET STRING, s SEQUENCE { a BOOLEAN, ..., b NULL OPTIONAL } }");
    for octets in 990..1030 {
        case.there_and_back(&format!(r#"{{"pad":"{}","s":{{"a":true,"b":null}}}}"#, "00".repeat(octets)));
    }
}

/// An upper bound without a lower one has no bits to show for it (X.691 §13.2.4), and was not checked.
#[test]
fn an_upper_bound_without_a_lower_one_is_checked() {
    let case = case("A ::= INTEGER (MIN..5)");
    case.there_and_back("-100000000000000000000000");
    case.there_and_back("5");
    assert_eq!(case.encode(&Value::from(6)).unwrap_err().kind.code(), "integer.range");
    assert_eq!(case.decode(&[1, 6]).unwrap_err().kind.code(), "integer.range");
}
