//! The primitive codings of the packed encoding rules (X.691 §11, §30).

use roadwire_wire::rt::packed::{
    FRAGMENT, Length, close_open_type, code_of, place_of, put_characters, put_count, put_length, put_small,
    put_small_length, put_text, take_character, take_count, take_length, take_signed, take_small, take_small_length,
    take_text, take_unsigned,
};
use roadwire_wire::{Reader, Rejected, Text, Writer};

/// The bits that are written behind `before` others, and that an output of one octet less is
/// refused.
fn written(before: u32, write: impl Fn(&mut Writer<'_>) -> Result<(), Rejected>) -> String {
    let put = |room: usize| {
        let mut output = vec![0; room];
        let mut writer = Writer::new(&mut output);
        writer.put(0, before).and_then(|()| write(&mut writer))?;
        let bits = writer.position();
        writer.flush()?;
        Ok((output, bits))
    };
    let (output, bits) = put(400).unwrap();
    if bits > before as usize {
        assert_eq!(put(bits.div_ceil(8) - 1), Err(Rejected), "{bits} bits in one octet less");
        assert!(put(bits.div_ceil(8)).is_ok(), "{bits} bits in as many");
    }
    (before as usize..bits).map(|at| if output[at / 8] >> (7 - at % 8) & 1 == 1 { '1' } else { '0' }).collect()
}

/// The octets of bits, behind `before` zeros.
fn octets(before: u32, bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = "0".repeat(before as usize).bytes().chain(bits.bytes()).map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|eight| eight.iter().enumerate().fold(0, |octet, (at, bit)| octet | bit << (7 - at))).collect()
}

/// X.691 §11.9.3.6 to §11.9.3.8.
#[test]
fn lengths_have_one_octet_or_two_or_are_fragments() {
    for (units, bits, says) in [
        (0, "00000000", Length::Last(0)),
        (1, "00000001", Length::Last(1)),
        (127, "01111111", Length::Last(127)),
        (128, "1000000010000000", Length::Last(128)),
        (255, "1000000011111111", Length::Last(255)),
        (256, "1000000100000000", Length::Last(256)),
        (16383, "1011111111111111", Length::Last(16383)),
        (16384, "11000001", Length::Fragment(16384)),
        (32767, "11000001", Length::Fragment(16384)),
        (32768, "11000010", Length::Fragment(32768)),
        (49152, "11000011", Length::Fragment(49152)),
        (65535, "11000011", Length::Fragment(49152)),
        (65536, "11000100", Length::Fragment(65536)),
        (1_000_000, "11000100", Length::Fragment(65536)),
    ] {
        for before in 0..9 {
            let put =
                |writer: &mut Writer<'_>| put_length(writer, units).map(|found| assert_eq!(found, says, "{units}"));
            assert_eq!(written(before, put), bits, "{units}");
            let octets = octets(before, bits);
            let mut reader = Reader::new(&octets);
            reader.skip(before as usize).unwrap();
            let count = if let Length::Last(count) = says { Ok(count) } else { Err(Rejected) };
            assert_eq!(take_count(&mut { reader }), count, "{units}");
            assert_eq!((take_length(&mut reader), reader.position()), (Ok(says), before as usize + bits.len()));
            let mut cut = Reader::new(&octets[..octets.len() - 1]);
            cut.skip(before.min(8) as usize).ok();
            assert_eq!(take_length(&mut cut), Err(Rejected), "{units} cut");
            if let Ok(count) = count {
                assert_eq!(written(before, |writer| put_count(writer, count)), bits, "{units}");
            }
        }
    }
    assert_eq!(put_count(&mut Writer::new(&mut [0; 9]), FRAGMENT), Err(Rejected));
    for wrong in [0xc0, 0xc5, 0xc6, 0xff] {
        assert_eq!(take_length(&mut Reader::new(&[wrong, 1, 1])), Err(Rejected), "{wrong:x}");
    }
}

/// X.691 §11.3, §11.4, §11.7, §11.8.
#[test]
fn whole_numbers_have_their_octets_in_front() {
    for (octets, unsigned, signed) in [
        (&[1, 0][..], 0, 0),
        (&[1, 0x7f], 127, 127),
        (&[1, 0x80], 128, -128),
        (&[1, 0xff], 255, -1),
        (&[2, 0x01, 0x00], 256, 256),
        (&[2, 0xff, 0x7f], 0xff7f, -129),
        (&[3, 0x80, 0, 1], 0x80_0001, -0x7f_ffff),
        (&[4, 0x12, 0x34, 0x56, 0x78], 0x1234_5678, 0x1234_5678),
        (&[5, 0xff, 0, 0, 0, 0], 0xff_0000_0000, -0x1_0000_0000),
        (&[6, 0x80, 0, 0, 0, 0, 2], 0x8000_0000_0002, -0x7fff_ffff_fffe),
        (&[7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], 0xff_ffff_ffff_fffe, -2),
        (&[7, 0x01, 2, 3, 4, 5, 6, 7], 0x0001_0203_0405_0607, 0x0001_0203_0405_0607),
        (&[8, 0x80, 0, 0, 0, 0, 0, 0, 0], 1 << 63, i64::MIN),
        (&[8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], i64::MAX as u64, i64::MAX),
        (&[8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], u64::MAX, -1),
        // More octets than needed are the caller's concern.
        (&[3, 0, 0, 5], 5, 5),
    ] {
        for before in 0..8 {
            let bits: String = octets.iter().map(|octet| format!("{octet:08b}")).collect();
            for more in [0, 1, 20] {
                let mut input = self::octets(before, &bits);
                input.resize(input.len() + more, 0xaa);
                let mut reader = Reader::new(&input);
                reader.skip(before as usize).unwrap();
                let end = before as usize + octets.len() * 8;
                let mut other = reader;
                assert_eq!((take_unsigned(&mut other), other.position()), (Ok(unsigned), end), "{octets:x?}");
                assert_eq!((take_signed(&mut reader), reader.position()), (Ok(signed), end), "{octets:x?}");
            }
            let input = self::octets(before, &bits);
            for cut in 1..input.len() {
                let mut reader = Reader::new(&input[..cut]);
                reader.skip(before as usize).unwrap();
                assert_eq!(take_unsigned(&mut { reader }), Err(Rejected), "{cut} octets of {octets:x?}");
                assert_eq!(take_signed(&mut reader), Err(Rejected), "{cut} octets of {octets:x?}");
            }
        }
    }
    for count in [0u8, 9, 0x80, 0x81, 0xff] {
        for length in [2, 30] {
            let mut input = vec![0; length];
            input[0] = count;
            assert_eq!(take_unsigned(&mut Reader::new(&input)), Err(Rejected), "{count}");
            assert_eq!(take_signed(&mut Reader::new(&input)), Err(Rejected), "{count}");
        }
    }
}

/// X.691 §11.6.
#[test]
fn normally_small_numbers_are_six_bits_up_to_63() {
    for (value, front, behind) in [
        (0, "0000000", ""),
        (1, "0000001", ""),
        (63, "0111111", ""),
        (64, "1", "0000000101000000"),
        (255, "1", "0000000111111111"),
        (256, "1", "000000100000000100000000"),
        (65535, "1", "000000101111111111111111"),
        (65536, "1", "00000011000000010000000000000000"),
        (1 << 56, "1", &format!("0000100000000001{}", "0".repeat(56))),
        (u64::MAX, "1", &format!("00001000{}", "1".repeat(64))),
    ] {
        for (before, aligned) in (0..9).flat_map(|before| [(before, false), (before, true)]) {
            let padding = if aligned && !behind.is_empty() { (7 - before as usize % 8) % 8 } else { 0 };
            let bits = format!("{front}{}{behind}", "0".repeat(padding));
            assert_eq!(written(before, |writer| put_small(writer, value, aligned)), bits, "{value} behind {before}");
            let octets = octets(before, &bits);
            let mut reader = Reader::new(&octets);
            reader.skip(before as usize).unwrap();
            assert_eq!(take_small(&mut reader, aligned), Ok(value), "{value} behind {before}");
            assert_eq!(reader.position(), before as usize + bits.len());
            for cut in 0..octets.len() {
                let mut reader = Reader::new(&octets[..cut]);
                if reader.skip(before as usize).is_ok() {
                    assert_eq!(take_small(&mut reader, aligned), Err(Rejected), "{cut} octets of {value}");
                }
            }
        }
    }
    let read = |octets: &[u8]| take_small(&mut Reader::new(octets), true);
    assert_eq!(read(&[0x80, 0]), Ok(0));
    assert_eq!(read(&[0x80, 9, 0, 255, 255, 255, 255, 255, 255, 255, 255]), Ok(u64::MAX), "with a zero in front");
    assert_eq!(read(&[0x80, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Rejected), "more than 64 bits");
    assert_eq!(read(&[0x80, 0xc1, 0, 0]), Err(Rejected), "a fragment");
}

/// X.691 §11.9.3.4.
#[test]
fn normally_small_lengths_are_aligned_where_they_are_long() {
    for (length, front, behind) in [
        (1, "0000000", ""),
        (64, "0111111", ""),
        (65, "1", "01000001"),
        (127, "1", "01111111"),
        (128, "1", "1000000010000000"),
        (16383, "1", "1011111111111111"),
    ] {
        for (before, aligned) in (0..9).flat_map(|before| [(before, false), (before, true)]) {
            let padding = if aligned && !behind.is_empty() { (7 - before as usize % 8) % 8 } else { 0 };
            let bits = format!("{front}{}{behind}", "0".repeat(padding));
            let put = |writer: &mut Writer<'_>| put_small_length(writer, length, aligned);
            assert_eq!(written(before, put), bits, "{length} behind {before}");
            let octets = octets(before, &bits);
            let mut reader = Reader::new(&octets);
            reader.skip(before as usize).unwrap();
            assert_eq!(take_small_length(&mut reader, aligned), Ok(length), "{length} behind {before}");
            assert_eq!(reader.position(), before as usize + bits.len());
        }
    }
    assert_eq!(take_small_length(&mut Reader::new(&[0x80, 0]), true), Err(Rejected), "none");
    assert_eq!(take_small_length(&mut Reader::new(&[0x80, 0xc1, 0]), true), Err(Rejected), "a fragment");
    assert_eq!(take_small_length(&mut Reader::new(&[0x80]), true), Err(Rejected), "the end");
    assert_eq!(take_small_length(&mut Reader::new(&[]), true), Err(Rejected), "the end");
}

/// X.691 §11.2: one octet at least, in fragments from 16K octets on.
#[test]
fn an_open_type_has_its_length_in_front() {
    let content = |length: usize| (0..length).map(|at| (at % 251) as u8).collect::<Vec<_>>();
    for (length, parts) in [
        (0, &[(&[1][..], 1)][..]),
        (1, &[(&[1], 1)]),
        (2, &[(&[2], 2)]),
        (127, &[(&[127], 127)]),
        (128, &[(&[0x80, 0x80], 128)]),
        (16383, &[(&[0xbf, 0xff], 16383)]),
        (16384, &[(&[0xc1], 16384), (&[0], 0)]),
        (16385, &[(&[0xc1], 16384), (&[1], 1)]),
        (49152, &[(&[0xc3], 49152), (&[0], 0)]),
        (65536, &[(&[0xc4], 65536), (&[0], 0)]),
        (100_000, &[(&[0xc4], 65536), (&[0xc2], 32768), (&[0x86, 0xa0], 1696)]),
    ] {
        let mut rest = content(length);
        rest.resize(length.max(1), 0);
        let mut wanted = Vec::new();
        for (front, units) in parts {
            wanted.extend(*front);
            wanted.extend(rest.drain(..*units));
        }
        for before in if length < 200 { 0..8 } else { 0..2 } {
            for room in [wanted.len() + 1, wanted.len()] {
                let mut output = vec![0; room];
                let mut writer = Writer::new(&mut output);
                writer.put((1 << before) - 1, before).unwrap();
                let put = writer.put(0, 8).and_then(|()| writer.put_octets(&content(length)));
                let put = put.and_then(|()| close_open_type(&mut writer, before as usize));
                // In front of the octets that the open type takes there may be bits.
                let fits = wanted.len() + usize::from(before > 0) <= room;
                assert_eq!(put.and_then(|()| writer.flush()).is_ok(), fits, "{length} behind {before} in {room}");
                if fits {
                    assert_eq!(writer.position(), wanted.len() * 8 + before as usize);
                    let mut found = vec![0; wanted.len()];
                    let mut reader = Reader::new(&output);
                    assert_eq!(reader.take(before), Ok((1 << before) - 1), "{length} behind {before}");
                    reader.take_octets(&mut found).unwrap();
                    assert!(found == wanted, "{length} behind {before}");
                }
            }
        }
    }
    let mut output = [0; 4];
    let mut writer = Writer::new(&mut output);
    writer.put(0b101, 3).unwrap();
    writer.put(0b11, 10).unwrap();
    close_open_type(&mut writer, 3).unwrap();
    assert_eq!((writer.finish(), output), (Ok(3), [0b1010_0000, 0b0011_1000, 0, 0]), "padded from its own start");
}

const ALPHABET: &[u32] = &[0x41, 0x43, 0x61, 0x62, 0x4e00, 0x9fff];

/// X.691 §30.5.4.
#[test]
fn characters_are_indexes_in_their_alphabet() {
    for (code, index) in [
        (0x40, None),
        (0x41, Some(0)),
        (0x43, Some(2)),
        (0x44, None),
        (0x60, None),
        (0x61, Some(3)),
        (0x62, Some(4)),
        (0x63, None),
        (0x4e00, Some(5)),
        (0x9fff, Some(5 + 0x51ff)),
        (0xa000, None),
    ] {
        assert_eq!(place_of(code, true, ALPHABET), index, "{code:x}");
        assert_eq!(place_of(code, false, ALPHABET), index.map(|_| code), "{code:x}");
        assert_eq!(code_of(code, false, ALPHABET), index.map(|_| code), "{code:x}");
        assert!(index.is_none_or(|index| code_of(index, true, ALPHABET) == Some(code)), "{code:x}");
    }
    assert_eq!(code_of(5 + 0x5200, true, ALPHABET), None);
    assert_eq!((place_of(0, true, &[]), code_of(0, true, &[]), code_of(0, false, &[])), (None, None, None));
    let all = [0, u32::MAX];
    assert_eq!((place_of(7, true, &all), code_of(7, true, &all)), (Some(7), Some(7)));
}

#[test]
fn characters_are_written_in_their_bits() {
    let put =
        |text: &'static str, bits, indexed| written(3, |writer| put_characters(writer, text, bits, indexed, ALPHABET));
    assert_eq!(put("", 3, true), "");
    assert_eq!(put("CaA", 3, true), "010011000");
    assert_eq!(put("Ca", 7, false), "10000111100001");
    assert_eq!(put("b一", 16, false), "00000000011000100100111000000000");
    let mut output = [0; 9];
    for text in ["D", "Ax"] {
        assert_eq!(put_characters(&mut Writer::new(&mut output), text, 3, true, ALPHABET), Err(Rejected), "{text}");
    }
    let read = |octets: &[u8], bits, indexed, alphabet: &[u32]| {
        let mut reader = Reader::new(octets);
        take_character(&mut reader, bits, indexed, alphabet).map(|character| (character, reader.position()))
    };
    assert_eq!(read(&[0b0100_0000], 3, true, ALPHABET), Ok(('C', 3)));
    assert_eq!(read(&[0b1010_0000], 3, true, &[0x41, 0x43, 0x61, 0x62]), Err(Rejected), "beyond the last one");
    assert_eq!(read(&[0b1100_0010], 7, false, ALPHABET), Ok(('a', 7)));
    assert_eq!(read(&[0b1100_0110], 7, false, ALPHABET), Err(Rejected));
    assert_eq!(read(&[0x4e], 16, false, ALPHABET), Err(Rejected), "the end");
    assert_eq!(read(&[0xd8, 0], 16, false, &[0, 0xffff]), Err(Rejected), "a surrogate");
}

#[test]
fn texts_have_their_octets_in_front() {
    let long = "ü".repeat(100);
    for text in ["", "a", "ab", "abcde", "abcdef", "abcdefg", "Grüße", &"x".repeat(127), &"y".repeat(128), &long] {
        for before in 0..9 {
            let bits = written(before, |writer| put_text(writer, text));
            let mut wanted: Vec<u8> = match text.len() {
                short @ ..128 => vec![short as u8],
                _ => vec![0x80, text.len() as u8],
            };
            wanted.extend(text.as_bytes());
            assert_eq!(octets(0, &bits), wanted, "{text} behind {before}");
            let octets = octets(before, &bits);
            let mut reader = Reader::new(&octets);
            reader.skip(before as usize).unwrap();
            let count = take_count(&mut reader).unwrap();
            let mut inline = Text::<200>::from("old").unwrap();
            assert_eq!((take_text(&mut reader.clone(), count, &mut inline), &*inline), (Ok(()), text));
            assert_eq!(take_text(&mut reader.clone(), count + 1, &mut inline), Err(Rejected), "past the end");
        }
    }
    assert_eq!(put_text(&mut Writer::new(&mut vec![0; FRAGMENT * 2]), &"z".repeat(FRAGMENT)), Err(Rejected));
    assert_eq!(take_text(&mut Reader::new(b"abc"), 3, &mut Text::<2>::new()), Err(Rejected), "no room");
    assert_eq!(take_text(&mut Reader::new(b"\xffbc"), 3, &mut Text::<9>::new()), Err(Rejected), "not UTF-8");
}

#[cfg(feature = "alloc")]
#[test]
fn texts_are_read_onto_the_heap() {
    use roadwire_wire::rt::packed::take_string;
    let mut text = String::from("old");
    let mut reader = Reader::new("xGrüße".as_bytes());
    reader.skip(8).unwrap();
    assert_eq!((take_string(&mut reader, 7, &mut text), &*text), (Ok(()), "Grüße"));
    assert_eq!(reader.remaining(), 0);
    assert_eq!(take_string(&mut reader, 1, &mut text), Err(Rejected), "past the end");
    assert_eq!(text, "Grüße", "untouched");
    assert_eq!((take_string(&mut reader, 0, &mut text), &*text), (Ok(()), ""));
    assert_eq!(take_string(&mut Reader::new(b"\xff"), 1, &mut text), Err(Rejected), "not UTF-8");
}
