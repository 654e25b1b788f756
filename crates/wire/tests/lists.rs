//! Strings and lists in memory: inline up to their bound, or on the heap.

use roadwire_wire::rt::{Places, fill_text};
use roadwire_wire::{Data, Element, InlineOctets, List, Octets, Rejected, Scalar, Shape, Text};

#[test]
fn a_list_of_the_interpreter_is_filled_element_by_element() {
    let mut list = List::<u8, 2>::empty();
    list.try_push(9).unwrap();
    assert!(!list.begin(Shape::Octets));
    assert!(list.begin(Shape::List) && list.is_empty());
    for value in [5, 6] {
        assert!(Data::push(&mut list).unwrap().set_integer(value));
    }
    assert!(Data::push(&mut list).is_none());
    assert_eq!(Data::length(&list), Some(2));
    assert_eq!(list.element(1).and_then(Data::integer), Some(6));
    assert!(list.element(2).is_none());
}

#[test]
fn a_place_beyond_the_elements_is_a_new_one() {
    let mut list: List<u8, 4> = [7, 8].into_iter().collect();
    assert_eq!([0, 1, 2].map(|at| Places::place(&mut list, at).copied()), [Some(7), Some(8), Some(0)]);
    list.settle(3);
    assert_eq!(list[..], [7, 8, 0]);
    list.settle(1);
    assert_eq!(list[..], [7]);
}

#[test]
fn a_text_is_filled_if_it_fits_and_is_utf8() {
    for (octets, fits) in [
        (&b""[..], true),
        (b"a", true),
        (b"abcdefg", true),
        (b"abcdefgh", true),
        (b"abcdefghi", false),
        ("äöü".as_bytes(), true),
        ("äöüß".as_bytes(), true),
        ("äöüßa".as_bytes(), false),
        (b"\xc3", false),
        (b"abcdef\xff", false),
        (b"abcdefg\xff", false),
    ] {
        let mut text = Text::<8>::from("old").unwrap();
        assert_eq!(fill_text(&mut text, octets), if fits { Ok(()) } else { Err(Rejected) }, "{octets:x?}");
        assert!(!fits || text.as_bytes() == octets, "{octets:x?}");
    }
    // A few ASCII characters go another way.
    assert_eq!(fill_text(&mut Text::<2>::new(), b"abc"), Err(Rejected));
}

#[test]
fn a_text_has_room_up_to_its_bound() {
    let mut text = Text::<3>::empty();
    assert!(text.push_char('a') && text.push_char('ü') && !text.push_char('b'));
    assert_eq!(text.scalar(), Scalar::Text("aü"));
    assert!(!text.begin(Shape::Octets));
    assert!(text.push_char('c') && text.begin(Shape::Text));
    assert_eq!(text.scalar(), Scalar::Text(""));
}

#[test]
fn an_octet_string_has_room_up_to_its_bound() {
    let mut string = Octets::<4>::empty();
    assert!(string.begin(Shape::Octets));
    string.extend_octets(3).unwrap().copy_from_slice(&[1, 2, 3]);
    assert!(string.extend_octets(2).is_none());
    assert_eq!(string.scalar(), Scalar::Octets(&[1, 2, 3]));
    string.extend_octets(1).unwrap().copy_from_slice(&[4]);
    assert_eq!(string.scalar(), Scalar::Octets(&[1, 2, 3, 4]));
    assert!(!string.begin(Shape::Bits));
    assert_eq!(string.scalar(), Scalar::Octets(&[]));
}

#[test]
fn inline_octets_are_those_up_to_their_length() {
    let mut octets = InlineOctets::<5>::of([1, 2, 3]);
    assert_eq!((octets.as_slice(), octets.len(), octets.is_empty()), (&[1, 2, 3][..], 3, false));
    assert_eq!(octets.remaining_capacity(), 2);
    assert_eq!((octets.try_push(4), octets.try_push(5), octets.try_push(6)), (Ok(()), Ok(()), Err(Rejected)));
    assert_eq!((&*octets, octets.remaining_capacity()), (&[1, 2, 3, 4, 5][..], 0));
    octets[0] = 9;
    assert_eq!(*octets, [9, 2, 3, 4, 5]);
    octets.clear();
    assert!(octets.is_empty() && octets.as_slice().is_empty() && octets == InlineOctets::default());
    assert_eq!(octets.try_extend_from_slice(&[1, 2]), Ok(()));
    assert_eq!(octets.try_extend_from_slice(&[3, 4, 5, 6]), Err(Rejected));
    assert_eq!(octets.try_extend_from_slice(&[3, 4]), Ok(()));
    assert_eq!(*octets, [1, 2, 3, 4]);
    assert_eq!((octets.set(&[7, 8]), octets.as_slice()), (Ok(()), &[7, 8][..]));
    assert_eq!(octets.set(&[0; 6]), Err(Rejected));
    assert_eq!((octets.set(&[]), octets.len()), (Ok(()), 0));
    assert_eq!(format!("{:?}", InlineOctets::<5>::of([1, 2])), "[1, 2]");
    assert_ne!(InlineOctets::<5>::of([1, 2]), InlineOctets::of([1, 3]));
    assert_ne!(InlineOctets::<5>::of([1, 2]), InlineOctets::of([1, 2, 0]));
    assert_eq!(InlineOctets::<2>::try_from(&[1, 2, 3][..]), Err(Rejected));
}

/// Into an output with much room they are moved in words, into another one octet by octet.
#[test]
fn inline_octets_are_written_the_same_into_any_room() {
    const ALL: [u8; 21] = [7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
    for length in 0..=ALL.len() {
        // Octets after the length must not be visible.
        let mut octets = InlineOctets::<21>::of([0xee; 21]);
        octets.set(&ALL[..length]).unwrap();
        for room in 0..60 {
            for at in [0, 1, 9] {
                let (mut output, mut other) = (vec![0; room], vec![0; room]);
                let (end, same) = (octets.put(&mut output, at), octets.put_any(&mut other, at));
                // Nothing to write is not looked at.
                let wanted = if at + length <= room { Ok(at + length) } else { Err(Rejected) };
                assert_eq!(end, wanted, "{length} octets at {at} of {room}");
                assert_eq!(same, if length == 0 { Ok(at) } else { wanted }, "{length} octets at {at} of {room}");
                if wanted.is_ok() {
                    assert_eq!(output[at..at + length], ALL[..length], "{length} octets at {at} of {room}");
                    assert_eq!(other[at..at + length], ALL[..length], "{length} octets at {at} of {room}");
                    assert!(output[..at].iter().chain(&output[at + length..]).all(|octet| *octet == 0));
                }
            }
        }
    }
    // Longer than is worth moving in words.
    let long = InlineOctets::<65>::of([3; 65]);
    let mut output = [0; 100];
    assert_eq!(long.put(&mut output, 2), Ok(67));
    assert_eq!((&output[..2], &output[2..67], output[67]), (&[0, 0][..], &[3; 65][..], 0));
    assert_eq!(long.put(&mut [0; 64], 0), Err(Rejected));
}

#[cfg(feature = "alloc")]
mod heap {
    use super::*;
    use roadwire_wire::{ExtensibleList, LentOctets, LentText, OctetString, Oid, Reader};

    #[test]
    fn a_list_on_the_heap_is_one_as_well() {
        let (mut vector, mut extensible) = (Vec::<u8>::empty(), ExtensibleList::<u8, 1>::empty());
        for list in [&mut vector as &mut dyn Data, &mut extensible] {
            for value in [5, 6, 7] {
                assert!(list.push().unwrap().set_integer(value));
            }
            assert_eq!(list.length(), Some(3));
            assert_eq!(list.element(2).and_then(Data::integer), Some(7));
            assert!(list.element(3).is_none());
            assert!(!list.begin(Shape::Text));
            assert_eq!(list.length(), Some(0));
            assert!(list.push().is_some() && list.begin(Shape::List));
            assert_eq!(list.length(), Some(0));
        }
    }

    #[test]
    fn an_extensible_list_is_made_of_elements() {
        let list: ExtensibleList<u8, 2> = [1, 2, 3].into_iter().collect();
        let mut other = ExtensibleList::<u8, 2>::default();
        assert_ne!(list, other);
        other.extend([1, 2]);
        assert_eq!((other.as_slice(), list.as_slice()), (&[1, 2][..], &[1, 2, 3][..]));
        other.push(3);
        assert_eq!(list, other);
        other[2] = 4;
        other[0] = 9;
        assert_eq!(format!("{list:?} {other:?}"), "[1, 2, 3] [9, 2, 4]");
        assert_eq!((&other).into_iter().sum::<u8>(), 15);
        other.truncate(1);
        other[0] = 7;
        assert_eq!(*other, [7]);
    }

    #[test]
    fn strings_on_the_heap_grow() {
        let mut text = String::empty();
        text.push('o');
        assert!(!text.begin(Shape::List) && text.is_empty());
        assert!(text.begin(Shape::Text) && text.push_char('道') && text.push_char('x'));
        assert_eq!(text.scalar(), Scalar::Text("道x"));

        let mut octets = OctetString(vec![9]);
        assert!(!octets.begin(Shape::Text));
        assert!(octets.begin(Shape::Octets));
        octets.extend_octets(2).unwrap().copy_from_slice(&[1, 2]);
        octets.extend_octets(1).unwrap().copy_from_slice(&[3]);
        assert_eq!(octets.scalar(), Scalar::Octets(&[1, 2, 3]));
        assert_eq!(OctetString::empty().scalar(), Scalar::Octets(&[]));

        let mut oid = Oid(vec![1]);
        assert!(oid.set(Scalar::Oid(&[0x2a, 0x86, 0x48])) && !oid.set(Scalar::Octets(&[1])));
        assert_eq!(oid.scalar(), Scalar::Oid(&[0x2a, 0x86, 0x48]));
        assert_eq!(Oid::empty().scalar(), Scalar::Oid(&[]));
    }

    #[test]
    fn what_is_lent_is_read_like_what_is_owned() {
        let mut octets = LentOctets::new(&[1, 2, 3]);
        assert_eq!((octets.scalar(), &*octets), (Scalar::Octets(&[1, 2, 3]), &[1, 2, 3][..]));
        assert!(!octets.begin(Shape::Bits) && octets.is_empty());
        let mut text = LentText::new("abc");
        assert_eq!((text.scalar(), &*text), (Scalar::Text("abc"), "abc"));
        assert!(!text.begin(Shape::Octets) && text.is_empty());
        assert_eq!((text.lend(b"xy"), &*text), (Ok(()), "xy"));
        let input = [0x41, 0x42, 0x43];
        let mut reader = Reader::new(&input);
        assert_eq!((text.take(&mut reader, 2), &*text, reader.position()), (Ok(()), "AB", 16));
        assert_eq!((octets.take(&mut reader, 1), &*octets, reader.position()), (Ok(()), &[0x43][..], 24));
        assert_eq!(octets.take(&mut reader, 1), Err(Rejected));
        assert_eq!(text.take(&mut reader, 1), Err(Rejected));
    }

    #[test]
    fn what_is_refused_past_the_end_changes_nothing() {
        for skip in 1..8 {
            for count in 2..9 {
                let mut reader = Reader::new(&[0x41; 2]);
                reader.skip(skip).unwrap();
                let mut octets = LentOctets(vec![7].into());
                assert_eq!(octets.take(&mut reader, count), Err(Rejected), "{count} at {skip}");
                assert_eq!((&*octets, reader.position()), (&[7][..], skip), "{count} at {skip}");
            }
        }
    }

    #[test]
    fn a_vector_has_places() {
        let mut list = vec![7u8, 8];
        assert_eq!([0, 1, 2].map(|at| Places::place(&mut list, at).copied()), [Some(7), Some(8), Some(0)]);
        list.settle(1);
        assert_eq!(list, [7]);
        list.settle(3);
        assert_eq!(list, [7]);
    }
}
