//! Values that the interpreter sets and reads in memory.

use roadwire_wire::{Additions, Data, Element, Scalar, Shape, Tap, Unknown};

/// A value that has nothing but what the trait gives it.
struct Bare;

impl Data for Bare {}

/// Knows one integer.
struct Whole(i128);

impl Data for Whole {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Integer(self.0)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Integer(value) => {
                self.0 = value;
                true
            }
            _ => false,
        }
    }
}

#[test]
fn a_value_without_methods_is_nothing() {
    let mut bare = Bare;
    assert_eq!(bare.scalar(), Scalar::Unset);
    assert_eq!((bare.integer(), bare.length(), bare.place()), (None, None, 0));
    assert!(bare.is_record(true) && bare.is_record(false));
    assert!(bare.component(0).is_none() && bare.element(0).is_none() && bare.alternative().is_none());
    assert!(bare.component_mut(0).is_none() && bare.push().is_none() && bare.choose(0).is_none());
    assert!(bare.unknown().is_empty() && !bare.keep(Unknown::default()));
    for shape in [Shape::Record(0), Shape::List, Shape::Bits, Shape::Octets, Shape::Text] {
        assert!(!bare.begin(shape), "{shape:?}");
    }
    assert!(!bare.set(Scalar::Null) && !bare.set_integer(0) && !bare.push_char('x'));
    assert!(bare.extend_bits(0).is_none() && bare.extend_octets(0).is_none());
}

#[test]
fn the_fast_way_to_an_integer_is_the_same() {
    let mut whole = Whole(5);
    assert_eq!(whole.integer(), Some(5));
    assert!(whole.set_integer(-7));
    assert_eq!(whole.scalar(), Scalar::Integer(-7));
    assert_eq!(Whole(i128::from(i64::MAX)).integer(), Some(i64::MAX));
    assert_eq!(Whole(i128::from(i64::MAX) + 1).integer(), None);
}

macro_rules! integers {
    ($($type:ident)*) => { $( {
        let (least, greatest) = ($type::MIN as i128, $type::MAX as i128);
        for value in [least, 0, 1, 100, greatest] {
            let mut number = $type::empty();
            assert_eq!(number, 0);
            assert!(number.set(Scalar::Integer(value)), "{value} in {}", stringify!($type));
            assert_eq!((number as i128, number.scalar()), (value, Scalar::Integer(value)));
            assert_eq!(number.integer().map(i128::from), Some(value).filter(|value| i64::try_from(*value).is_ok()));
            if let Ok(short) = i64::try_from(value) {
                let mut number = $type::empty();
                assert!(number.set_integer(short), "{value} in {}", stringify!($type));
                assert_eq!(number as i128, value);
            }
        }
        for value in [least.checked_sub(1), greatest.checked_add(1)].into_iter().flatten() {
            let mut number: $type = 77;
            assert!(!number.set(Scalar::Integer(value)), "{value} in {}", stringify!($type));
            assert!(!i64::try_from(value).is_ok_and(|value| number.set_integer(value)));
            assert_eq!(number, 77);
        }
        let mut number: $type = 77;
        assert!(!number.set(Scalar::Boolean(true)) && !number.set(Scalar::Null) && number == 77);
    } )* };
}

#[test]
fn an_integer_holds_what_its_type_holds() {
    integers!(u8 u16 u32 u64 i8 i16 i32 i64 i128);
}

#[test]
fn leaves_take_their_own_kind_only() {
    let kinds = [
        Scalar::Unset,
        Scalar::Null,
        Scalar::Boolean(true),
        Scalar::Integer(1),
        Scalar::WideInteger(&[1]),
        Scalar::Enumerated(1),
        Scalar::Real(1.5),
        Scalar::Bits(&[0x80], 1),
        Scalar::Octets(&[1]),
        Scalar::Text("x"),
        Scalar::Oid(&[0x2a]),
    ];
    for (at, kind) in kinds.into_iter().enumerate() {
        let (mut truth, mut null, mut real) = (bool::empty(), <()>::empty(), f64::empty());
        assert_eq!(truth.set(kind), at == 2, "{kind:?}");
        assert_eq!(truth.scalar(), Scalar::Boolean(at == 2), "{kind:?}");
        assert_eq!(null.set(kind), at == 1, "{kind:?}");
        assert_eq!(null.scalar(), Scalar::Null);
        assert_eq!(real.set(kind), at == 6, "{kind:?}");
        assert_eq!(real.scalar(), Scalar::Real(if at == 6 { 1.5 } else { 0.0 }), "{kind:?}");
    }
}

#[test]
fn an_array_of_octets_is_filled_as_a_whole() {
    let mut array = <[u8; 3]>::empty();
    assert_eq!(array.scalar(), Scalar::Octets(&[0, 0, 0]));
    assert!(array.begin(Shape::Octets) && !array.begin(Shape::Bits) && !array.begin(Shape::Text));
    assert!(array.extend_octets(2).is_none() && array.extend_octets(4).is_none());
    array.extend_octets(3).unwrap().copy_from_slice(&[7, 8, 9]);
    assert_eq!(array.scalar(), Scalar::Octets(&[7, 8, 9]));
}

#[test]
fn no_tap_is_not_active() {
    struct Other;
    impl Tap for Other {
        fn begins(&mut self, _: usize, _: usize) {}
        fn ends(&mut self, _: usize, _: &[u8], _: usize) {}
    }
    assert!(!().is_active() && Other.is_active());
}

#[cfg(feature = "alloc")]
#[test]
fn additions_are_kept_in_their_order() {
    let mut additions = Additions::new();
    assert!(additions.is_empty() && additions.as_slice().is_empty());
    let all = [3, 5].map(|index| Unknown { index, octets: vec![index as u8] });
    all.iter().for_each(|one| additions.push(one.clone()));
    assert!(!additions.is_empty());
    assert_eq!(additions.as_slice(), all);
}

#[cfg(not(feature = "alloc"))]
#[test]
fn additions_are_dropped_without_a_heap() {
    let mut additions = Additions::new();
    additions.push(Unknown { index: 3, octets: [] });
    assert!(additions.is_empty() && additions.as_slice().is_empty());
}

#[cfg(feature = "alloc")]
mod boxed {
    use super::*;

    /// Answers each question in a way of its own, and remembers what it was asked to do.
    #[derive(Default)]
    struct Probe {
        done: Vec<&'static str>,
        part: i64,
        octets: Vec<u8>,
        kept: Vec<Unknown>,
    }

    impl Data for Probe {
        fn scalar(&self) -> Scalar<'_> {
            Scalar::Text("probe")
        }
        fn integer(&self) -> Option<i64> {
            Some(41)
        }
        fn set_integer(&mut self, value: i64) -> bool {
            self.part = value;
            value == 17
        }
        fn component(&self, index: usize) -> Option<&dyn Data> {
            (index == 2).then_some(&self.part)
        }
        fn length(&self) -> Option<usize> {
            Some(6)
        }
        fn element(&self, index: usize) -> Option<&dyn Data> {
            (index == 3).then_some(&self.part)
        }
        fn alternative(&self) -> Option<(usize, &dyn Data)> {
            Some((4, &self.part))
        }
        fn unknown(&self) -> &[Unknown] {
            &self.kept
        }
        fn place(&self) -> usize {
            24
        }
        fn begin(&mut self, shape: Shape) -> bool {
            self.done.push("begin");
            shape == Shape::Record(8)
        }
        fn set(&mut self, scalar: Scalar<'_>) -> bool {
            self.done.push("set");
            scalar == Scalar::Null
        }
        fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
            (index == 2).then_some(&mut self.part)
        }
        fn push(&mut self) -> Option<&mut dyn Data> {
            self.done.push("push");
            Some(&mut self.part)
        }
        fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
            (index == 5).then_some(&mut self.part)
        }
        fn keep(&mut self, unknown: Unknown) -> bool {
            self.kept.push(unknown);
            self.kept.len() == 1
        }
        fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
            self.done.push("bits");
            (count == 9).then_some(&mut self.octets)
        }
        fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
            self.done.push("octets");
            (count == 3).then_some(&mut self.octets)
        }
        fn push_char(&mut self, character: char) -> bool {
            self.done.push("character");
            character == 'x'
        }
    }

    #[test]
    fn a_box_answers_as_what_is_in_it() {
        let mut probe: Box<Probe> = Box::new(Probe { octets: vec![1, 2], ..Probe::default() });
        assert!(Data::set_integer(&mut probe, 17) && !Data::set_integer(&mut probe, 18));
        let part = |data: Option<&dyn Data>| data.and_then(Data::integer);
        assert_eq!((Data::scalar(&probe), Data::integer(&probe)), (Scalar::Text("probe"), Some(41)));
        assert_eq!((part(Data::component(&probe, 2)), part(Data::component(&probe, 1))), (Some(18), None));
        assert_eq!((part(Data::element(&probe, 3)), part(Data::element(&probe, 4))), (Some(18), None));
        assert_eq!((Data::length(&probe), Data::place(&probe)), (Some(6), 24));
        assert_eq!(Data::alternative(&probe).map(|(at, data)| (at, data.integer())), Some((4, Some(18))));
        let unknown = Unknown { index: 1, octets: vec![9] };
        assert!(Data::unknown(&probe).is_empty());
        assert!(Data::keep(&mut probe, unknown.clone()) && !Data::keep(&mut probe, unknown.clone()));
        assert_eq!(Data::unknown(&probe), [unknown.clone(), unknown]);
        assert!(Data::begin(&mut probe, Shape::Record(8)) && !Data::begin(&mut probe, Shape::List));
        assert!(Data::set(&mut probe, Scalar::Null) && !Data::set(&mut probe, Scalar::Unset));
        assert!(Data::component_mut(&mut probe, 2).unwrap().set_integer(1));
        assert!(Data::component_mut(&mut probe, 3).is_none());
        assert_eq!(probe.part, 1);
        assert!(Data::push(&mut probe).unwrap().set_integer(2));
        assert_eq!(probe.part, 2);
        assert!(Data::choose(&mut probe, 5).unwrap().set_integer(3) && Data::choose(&mut probe, 6).is_none());
        assert_eq!(probe.part, 3);
        assert_eq!(Data::extend_bits(&mut probe, 9), Some(&mut [1, 2][..]));
        assert_eq!(Data::extend_bits(&mut probe, 8), None);
        assert_eq!(Data::extend_octets(&mut probe, 3), Some(&mut [1, 2][..]));
        assert_eq!(Data::extend_octets(&mut probe, 4), None);
        assert!(Data::push_char(&mut probe, 'x') && !Data::push_char(&mut probe, 'y'));
        let wanted =
            ["begin", "begin", "set", "set", "push", "bits", "bits", "octets", "octets", "character", "character"];
        assert_eq!(probe.done, wanted);
    }
}
