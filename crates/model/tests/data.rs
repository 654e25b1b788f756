//! `Value` as a codec fills and reads it.

mod support;

use roadwire_model::data::equal;
use roadwire_model::{BigInt, BitWord, Data, Integer, Kind, Model, Oid, Scalar, Shape, Unknown, Value};
use support::*;

fn set(scalar: Scalar<'_>) -> Option<Value> {
    let mut value = Value::Unset;
    value.set(scalar).then_some(value)
}

#[test]
fn leaves_are_held_and_lent_again() {
    let wide = [0x01; 40];
    for scalar in [
        Scalar::Null,
        Scalar::Boolean(true),
        Scalar::Integer(i128::MIN),
        Scalar::WideInteger(&wide),
        Scalar::Enumerated(7),
        Scalar::Real(-0.5),
        Scalar::Bits(&[0xa8], 5),
        Scalar::Octets(&[1, 2, 3]),
        Scalar::Text("é"),
        Scalar::Oid(&[0x2a, 0x86, 0x48]),
    ] {
        assert_eq!(set(scalar).unwrap().scalar(), scalar);
    }
    assert_eq!(set(Scalar::Word(BitWord { value: 0b10101, bits: 5 })).unwrap().scalar(), Scalar::Bits(&[0xa8], 5));
    assert_eq!(set(Scalar::Bits(&[0xff], 5)).unwrap().scalar(), Scalar::Bits(&[0xf8], 5), "unused bits are zero");
    assert_eq!(set(Scalar::WideInteger(&[0, 0, 5])), Some(Value::from(5)), "a small number is small however it came");
    let huge = Value::from(BigInt::from(1) << 400);
    assert_eq!(set(huge.scalar()), Some(huge));
}

#[test]
fn what_is_no_value_is_not_taken() {
    for scalar in [
        Scalar::Unset,
        Scalar::Bits(&[0xff], 9),
        Scalar::Oid(&[]),
        Scalar::Oid(&[0x80]),
        Scalar::Oid(&[0x2a, 0x80, 0x01]),
    ] {
        assert_eq!(set(scalar), None, "{scalar:?}");
    }
    // Values refuse accesses of another kind.
    let mut leaf = Value::Null;
    assert!(leaf.component(0).is_none() && leaf.component_mut(0).is_none() && leaf.element(0).is_none());
    assert!(leaf.push().is_none() && leaf.extend_bits(1).is_none() && leaf.extend_octets(1).is_none());
    assert!(
        !leaf.push_char('x') && leaf.length().is_none() && leaf.alternative().is_none() && leaf.unknown().is_empty()
    );
}

#[test]
fn a_record_is_filled_by_component() {
    let mut value = Value::from(3);
    assert!(value.begin(Shape::Record(3)));
    assert!(value.component_mut(1).unwrap().set(Scalar::Boolean(true)));
    assert!(value.component_mut(3).is_none());
    assert!(value.keep(Unknown { index: 2, octets: vec![1] }));
    assert!(!value.keep(Unknown { index: 2, octets: vec![] }), "indexes ascend");
    assert!(!value.keep(Unknown { index: 1, octets: vec![] }));
    assert!(value.component(0).is_none());
    assert_eq!(value.component(1).unwrap().scalar(), Scalar::Boolean(true));
    assert_eq!(value.unknown(), [Unknown { index: 2, octets: vec![1] }]);
    assert!(value.begin(Shape::Record(1)), "beginning again empties it");
    assert_eq!(value, Value::sequence([None]));
}

#[test]
fn lists_strings_and_choices_are_filled_as_they_come() {
    let mut list = Value::Unset;
    assert!(list.begin(Shape::List));
    for number in 0..3 {
        assert!(list.push().unwrap().set(Scalar::Integer(number)));
    }
    assert_eq!((list.length(), list.element(2).unwrap().scalar()), (Some(3), Scalar::Integer(2)));

    let mut bits = Value::Unset;
    assert!(bits.begin(Shape::Bits));
    bits.extend_bits(16).unwrap().copy_from_slice(&[1, 2]);
    bits.extend_bits(3).unwrap().copy_from_slice(&[0xe0]);
    assert!(bits.extend_bits(8).is_none(), "only the last part may end within an octet");
    assert_eq!(bits.scalar(), Scalar::Bits(&[1, 2, 0xe0], 19));

    let mut octets = Value::Unset;
    assert!(octets.begin(Shape::Octets));
    octets.extend_octets(2).unwrap().copy_from_slice(&[1, 2]);
    octets.extend_octets(1).unwrap().copy_from_slice(&[3]);
    assert_eq!(octets, Value::OctetString(vec![1, 2, 3]));
    assert!(octets.extend_octets(usize::MAX / 2).is_none(), "more than there is memory");

    let mut text = Value::Unset;
    assert!(text.begin(Shape::Text) && text.push_char('a') && text.push_char('😀'));
    assert_eq!(text.scalar(), Scalar::Text("a😀"));

    let mut choice = Value::Unset;
    assert!(choice.choose(4).unwrap().set(Scalar::Null));
    assert_eq!(choice.alternative().map(|(index, inner)| (index, inner.scalar() == Scalar::Null)), Some((4, true)));
    let unknown = Unknown { index: 9, octets: vec![7] };
    assert!(choice.keep(unknown.clone()));
    assert_eq!((choice.alternative().is_none(), choice.unknown()), (true, &[unknown][..]));
}

#[test]
fn values_are_equal_whatever_holds_them() {
    let mut model = Model::default();
    let number = add(&mut model, integer(None, None, false));
    assert!(equal(&model, number, &5u8, &Value::from(5)));
    assert!(!equal(&model, number, &5u8, &Value::from(6)));
    assert!(!equal(&model, number, &Value::Unset, &Value::Unset), "nothing is no value");
    let named = vec![("a".to_owned(), 0)];
    let flags = add(&mut model, Kind::BitString { size: size(0, None, false), named, contains: None });
    let bits = add(&mut model, Kind::BitString { size: size(0, None, false), named: vec![], contains: None });
    let (long, short) = (Value::bit_string(&[0x80, 0], 12), Value::bit_string(&[0x80], 1));
    assert!(equal(&model, flags, &long, &short) && !equal(&model, bits, &long, &short));
    assert!(equal(&model, bits, &BitWord { value: 1, bits: 1 }, &short));
    let real = add(&mut model, Kind::Real { parts: None });
    assert!(
        equal(&model, real, &f64::NAN, &Value::Real(f64::NAN)) && !equal(&model, real, &0.0f64, &Value::Real(-0.0))
    );
    let types = everything();
    assert!(equal(&types.model, types.pick, &Value::choice(0, 3), &Value::choice(0, 3)));
    assert!(!equal(&types.model, types.pick, &Value::choice(1, true), &Value::choice(0, 3)));
    assert!(!equal(&types.model, types.pick, &Value::choice(0, 3), &Value::Unset));
}

#[test]
fn values_convert_from_what_rust_has() {
    assert_eq!(Value::from(7u64), Value::Integer(Integer::from(7)));
    assert_eq!(Value::from("x"), Value::Text("x".into()));
    let arcs = [1, 2, 840].map(BigInt::from);
    assert_eq!(Oid::absolute(&arcs).unwrap().to_string(), "1.2.840");
    assert_eq!(Value::bit_string(&[0xff, 0xff], 9), Value::BitString { octets: vec![0xff, 0x80], bits: 9 });
}
