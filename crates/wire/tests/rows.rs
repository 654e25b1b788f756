//! Values are filled with rows of columns.
#![cfg(feature = "columns")]

use roadwire_wire::column::{Bitmap, NOWHERE, Source, SourceCells, SourceStrings};
use roadwire_wire::{BitString, Data, List, OctetString, Rejected, Scalar, Shape, Text};

fn all(cells: SourceCells<'_>) -> [Source<'_>; 1] {
    [Source { cells, valid: None }]
}

fn filled<T: Data + Default>(columns: &[Source<'_>], row: usize) -> Result<T, Rejected> {
    let mut value = T::default();
    value.fill_row(columns, row).map(|()| value)
}

#[test]
fn an_integer_comes_from_a_column_of_any_width_that_holds_it() {
    assert_eq!(filled::<u8>(&all(SourceCells::U8(&[3, 4])), 1), Ok(4));
    assert_eq!(filled::<u8>(&all(SourceCells::U8(&[3, 4])), 2), Err(Rejected));
    assert_eq!(filled::<u8>(&all(SourceCells::I64(&[255, 256])), 0), Ok(255));
    assert_eq!(filled::<u8>(&all(SourceCells::I64(&[255, 256])), 1), Err(Rejected));
    assert_eq!(filled::<i16>(&all(SourceCells::I8(&[-3])), 0), Ok(-3));
    assert_eq!(filled::<i128>(&all(SourceCells::U64(&[u64::MAX])), 0), Ok(u64::MAX.into()));
    assert_eq!(filled::<u8>(&all(SourceCells::F64(&[1.0])), 0), Err(Rejected));
    assert_eq!(filled::<u8>(&[], 0), Err(Rejected));
}

#[test]
fn bits_have_a_place_before_the_first_row() {
    let bits = Bitmap::new(&[0b1010_0000, 0b1], 5);
    assert_eq!([0, 1, 2, 3, 4].map(|row| bits.is_set(row)), [true, false, true, true, false]);
    assert!(!bits.is_set(11) && !bits.is_set(usize::MAX));
    let flags = all(SourceCells::Flags(bits));
    assert_eq!((filled(&flags, 0), filled(&flags, 1)), (Ok(true), Ok(false)));
    let there = all(SourceCells::True(bits));
    assert_eq!((filled(&there, 0), filled::<()>(&there, 1)), (Ok(()), Err(Rejected)));
}

#[test]
fn strings_come_from_where_they_are() {
    let octets = b"xabcd";
    for strings in [
        SourceStrings::Ends(&[1, 3, 5], octets),
        SourceStrings::Fixed(2, &octets[1..]),
        SourceStrings::Slices([&b"ab"[..], b"cd"].into()),
    ] {
        assert_eq!([0, 1, 2].map(|row| strings.get(row)), [Some(&b"ab"[..]), Some(b"cd"), None]);
        assert_eq!(strings.get(usize::MAX), None);
        assert_eq!(filled(&all(SourceCells::Octets(strings.clone())), 1), Ok(OctetString(b"cd".to_vec())));
        let text = all(SourceCells::Text(strings));
        assert_eq!(filled::<Text<2>>(&text, 0).as_deref(), Ok("ab"));
        assert_eq!(filled::<Text<1>>(&text, 0).ok(), None);
    }
    assert_eq!(SourceStrings::Ends(&[3, 1], octets).get(0), None);
    assert_eq!(SourceStrings::Ends(&[-1, 1], octets).get(0), None);
    assert_eq!(filled::<Text<2>>(&all(SourceCells::Text(SourceStrings::Fixed(1, b"\xff"))), 0).ok(), None);
}

#[test]
fn bits_after_the_last_one_are_zero() {
    let of = |bits, octets| filled::<BitString>(&all(SourceCells::FixedBits(bits, SourceStrings::Fixed(1, octets))), 0);
    assert_eq!(of(4, b"\xa0").map(|bits| format!("{:?}", bits.scalar())), Ok("Bits([160], 4)".into()));
    assert_eq!((of(4, b"\xa8").is_ok(), of(9, b"\xa0").is_ok(), of(8, b"\xa8").is_ok()), (false, false, true));
    let lengths = SourceCells::Bits(SourceStrings::Fixed(1, b"\xa0\xa0"), [3, NOWHERE].into());
    assert_eq!([0, 1].map(|row| filled::<BitString>(&all(lengths.clone()), row).is_ok()), [true, false]);
}

#[test]
fn a_list_has_the_elements_of_its_row() {
    let valid = Some(Bitmap::new(&[0b0111], 0));
    let lists = Source { cells: SourceCells::Lists(&[(0, 1), (1, 3), (3, 4), (2, 1), (0, 3)]), valid: None };
    let columns = [lists, Source { cells: SourceCells::U16(&[5, 6, 7, 8]), valid }];
    let list = |row| filled::<List<u16, 2>>(&columns, row).map(|list| list.to_vec());
    assert_eq!((list(0), list(1), list(3)), (Ok(vec![5]), Ok(vec![6, 7]), Ok(vec![])));
    // An element without a value, a list that has no row, and one that is full.
    assert_eq!([2, 5, 4].map(list), [Err(Rejected), Err(Rejected), Err(Rejected)]);
    assert!(Source::absent().is_absent() && !Source::absent().is_present(0) && !columns[0].is_absent());
}

#[test]
fn an_item_and_a_time_are_set() {
    struct Item(u32, String);
    impl Data for Item {
        fn set(&mut self, scalar: Scalar<'_>) -> bool {
            match scalar {
                Scalar::Enumerated(ordinal) => self.0 = ordinal,
                Scalar::Text(text) => self.1 = text.into(),
                _ => return false,
            }
            true
        }
        fn begin(&mut self, _: Shape) -> bool {
            false
        }
    }
    let mut item = Item(0, String::new());
    assert_eq!(item.fill_row(&all(SourceCells::Items(&[7, NOWHERE])), 0), Ok(()));
    assert_eq!(item.fill_row(&all(SourceCells::Items(&[7, NOWHERE])), 1), Err(Rejected));
    assert_eq!(item.fill_row(&all(SourceCells::Text(SourceStrings::Fixed(2, b"now"))), 0), Ok(()));
    assert_eq!((item.0, item.1.as_str()), (7, "no"));
}
