//! Behaviour of the codecs without a heap, and without the families that are not built.

use roadwire_engine::{Message, decode, encode};
use roadwire_flash_small::{later, now, preset};
use roadwire_layout::{Aper, Layout, Member, Node, Oer, Uper};
use roadwire_wire::Data;

/// Encodes and decodes with the interpreter.
fn there_and_back<M: Data + Default>(layout: &'static Layout, value: &M) -> Result<M, &'static str> {
    let (mut octets, mut back) = ([0; 128], M::default());
    let length = encode(layout, value, &mut octets).map_err(|error| error.kind.code())?;
    decode(layout, &octets[..length], &mut back).map_err(|error| error.kind.code())?;
    Ok(back)
}

fn message() -> now::Message {
    let mut message = now::Message { number: (-300).into(), choice: now::Choice::Known(true), ..Default::default() };
    message.list.extend([7, 200]);
    message
}

fn of_a_later_version() -> later::Message {
    let mut message = later::Message { number: 5.into(), more: Some(999), other: Some(true), ..Default::default() };
    message.choice = later::Choice::Known(false);
    message.list.extend([1, 2]);
    message
}

/// Both codecs, under rules that are built.
macro_rules! for_rules {
    ($($rules:ident)*; $body:expr) => {{ $(
        let of: fn(&'static Layout, &'static Layout) = $body;
        of(<now::Message as Message<$rules>>::layout(), <later::Message as Message<$rules>>::layout());
    )* }};
}

#[test]
fn a_message_goes_there_and_back() {
    for_rules!(Uper Oer; |now, _| assert_eq!(there_and_back(now, &message()), Ok(message())));
    let (mut octets, mut back) = ([0; 64], now::Message::default());
    let length = Message::<Uper>::encode(&message(), &mut octets).unwrap();
    Message::<Uper>::decode(&mut back, &octets[..length]).unwrap();
    assert_eq!(back, message());
}

/// X.691 §19.9, X.696 §16.5: unknown additions are skipped, and lost afterwards.
#[test]
fn additions_of_a_later_version_are_passed_over() {
    for_rules!(Uper Oer; |now, later| {
        let (mut octets, mut read, mut again) = ([0; 128], now::Message::default(), [0; 128]);
        let length = encode(later, &of_a_later_version(), &mut octets).unwrap();
        let bits = decode(now, &octets[..length], &mut read).unwrap();
        assert_eq!(bits.div_ceil(8), length, "all of it is read");
        assert_eq!((read.number.to_i64(), &read.choice, read.list.as_slice()), (Some(5), &now::Choice::Known(false), &[1u8, 2][..]));
        assert!(encode(now, &read, &mut again).unwrap() < length);
    });
}

#[test]
fn of_an_alternative_of_a_later_version_it_is_known_that_there_is_one() {
    for_rules!(Uper Oer; |now, later| {
        let message = later::Message { choice: later::Choice::Unknown(77), number: 5.into(), ..Default::default() };
        let (mut octets, mut read) = ([0; 128], now::Message::default());
        let length = encode(later, &message, &mut octets).unwrap();
        decode(now, &octets[..length], &mut read).unwrap();
        assert_eq!(read.number, 5);
        assert_eq!(encode(now, &read, &mut octets).unwrap_err().kind.code(), "engine.not-built");
    });
}

/// 2^64 takes nine octets, which have no place without a heap.
#[test]
fn an_integer_has_no_more_than_a_word() {
    let (layout, mut read) = (<now::Message as Message<Oer>>::layout(), now::Message::default());
    let wide = [0x00, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x00, 1, 0];
    let error = decode(layout, &wide, &mut read).unwrap_err();
    assert!(matches!(error.kind.code(), "integer.width" | "engine.not-built"), "{error}");
    assert!(Message::<Oer>::decode(&mut read, &wide).is_err());
}

#[test]
fn an_extensible_list_has_no_place_beyond_its_root() {
    // number 0, known FALSE; the list's size is outside its root: 3 elements.
    let mut value = now::Message::default();
    let layout = <now::Message as Message<Uper>>::layout();
    // 0; 1 0; 0 0; 1, 3, and three octets.
    let bits = concat!("0", "00000001", "00000000", "00", "1", "00000011", "00000001", "00000001", "00000001");
    let octets: Vec<u8> = bits
        .as_bytes()
        .chunks(8)
        .map(|bits| bits.iter().fold(0, |octet, bit| octet << 1 | (bit - b'0')) << (8 - bits.len()))
        .collect();
    let error = decode(layout, &octets, &mut value).unwrap_err();
    assert_eq!(error.kind.code(), "size.capacity");
}

#[test]
fn an_integer_of_more_than_128_bits_is_not_built() {
    let mut value = now::Message::default();
    let mut octets = [0xff; 64];
    // 0, and a length of 20 octets.
    octets[0] = 20 >> 1;
    let error = decode(<now::Message as Message<Uper>>::layout(), &octets, &mut value).unwrap_err();
    assert_eq!(error.kind.code(), "engine.not-built");
}

#[test]
fn a_layout_of_a_family_that_is_not_built_is_refused() {
    let refused = |layout| there_and_back(layout, &message()).unwrap_err();
    assert_eq!(refused(<now::Message as Message<Aper>>::layout()), "engine.not-built");
    let error = decode(<now::Message as Message<Aper>>::layout(), &[0; 9], &mut message()).unwrap_err();
    assert_eq!(error.to_string(), "the engine was built without its feature `aligned`, which this needs at bit 0");
}

#[test]
fn a_layout_with_default_values_is_refused() {
    let mut message = preset::Message::default();
    let layout = <preset::Message as Message<Uper>>::layout();
    let text = "the engine was built without its feature `defaults`, which this needs at bit 0";
    assert_eq!(encode(layout, &message, &mut [0; 9]).unwrap_err().to_string(), text);
    assert_eq!(decode(layout, &[0; 9], &mut message).unwrap_err().to_string(), text);
    // Straight-line code has them.
    assert_eq!((Message::<Uper>::decode(&mut message, &[0]), message.is_on), (Ok(1), true));
}

/// Tables have none either.
#[test]
fn a_path_has_numbers_in_place_of_names() {
    let mut message = now::Message::default();
    let layout = <now::Message as Message<Oer>>::layout();
    // No extensions; number 0; an alternative that has no octet: component 1, alternative 0.
    let error = decode(layout, &[0x00, 0x01, 0x00, 0x80], &mut message).unwrap_err();
    assert_eq!((error.kind.code(), error.bit, error.path.to_string().as_str()), ("input.truncated", 32, "[1][0]"));
    assert_eq!((layout.names.len(), size_of_val(&*layout.items), layout.members.len()), (0, 0, 3));
}

/// Bounds of more than 63 bits are beside the nodes.
#[test]
fn nodes_are_small() {
    assert_eq!((size_of::<Node>(), size_of::<Member>()), (32, 16));
}
