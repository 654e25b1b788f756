//! The bit writer: what is written where, and what happens when the output is full.

use roadwire_wire::rt::vectors;
use roadwire_wire::{Reader, Rejected, Writer};

/// Writes the bits of a text such as `1011 0`.
fn put_text(writer: &mut Writer<'_>, bits: &str) {
    for bit in bits.chars().filter(|bit| *bit != ' ') {
        writer.put_bit(bit == '1').unwrap();
    }
}

/// The same bits as octets.
fn octets_of(bits: &str) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    bits.chunks(8).map(|eight| eight.iter().enumerate().fold(0, |octet, (at, bit)| octet | bit << (7 - at))).collect()
}

#[test]
fn bits_are_written_most_significant_first() {
    for (parts, octets) in [
        (&[][..], &[0][..]),
        (&[(1, 1)], &[0x80]),
        (&[(5, 3), (0, 0), (1, 5)], &[0b101_00001]),
        (&[(0x1ff, 9), (1, 2)], &[0xff, 0b1010_0000]),
        (&[(1, 63), (1, 1), (3, 2)], &[0, 0, 0, 0, 0, 0, 0, 3, 0xc0]),
        (&[(1, 1), (1, 63), (0xab, 8)], &[0x80, 0, 0, 0, 0, 0, 0, 1, 0xab]),
        (&[(5, 3), (0x0123_4567_89ab_cdef, 64)], &[0xa0, 0x24, 0x68, 0xac, 0xf1, 0x35, 0x79, 0xbd, 0xe0]),
        (&[(u64::MAX, 64), (0, 1)], &[255, 255, 255, 255, 255, 255, 255, 255, 0]),
    ] {
        for room in 0..octets.len() + 10 {
            let mut output = vec![0xee; room];
            let mut writer = Writer::new(&mut output);
            let put = parts.iter().try_for_each(|(value, bits)| writer.put_wide(*value, *bits));
            let end = put.and_then(|()| writer.finish());
            if room < octets.len() {
                assert_eq!(end, Err(Rejected), "{parts:?} in {room}");
            } else {
                assert_eq!((end, &output[..octets.len()]), (Ok(octets.len()), octets), "{parts:?} in {room}");
            }
        }
    }
}

#[test]
fn a_message_of_whole_octets_may_be_empty() {
    assert_eq!(Writer::new(&mut []).finish_octets(), Ok(0));
    assert_eq!(Writer::new(&mut []).finish(), Err(Rejected));
    let mut output = [0xee; 1];
    assert_eq!(Writer::new(&mut output).finish(), Ok(1));
    assert_eq!(output, [0]);
    let mut output = [0xee; 12];
    let mut writer = Writer::new(&mut output);
    writer.put_wide(0x0102_0304_0506_0708, 64).unwrap();
    writer.put(0x109, 9).unwrap();
    assert_eq!(writer.position(), 73);
    assert_eq!(writer.finish_octets(), Ok(10));
    assert_eq!(output[..10], [1, 2, 3, 4, 5, 6, 7, 8, 0x84, 0x80]);
}

#[test]
fn octets_and_bits_are_written_behind_any_bit() {
    const OCTETS: [u8; 11] = [0x80, 1, 0xfe, 0x37, 0x55, 0xaa, 0, 0xff, 0x12, 0x34, 0x56];
    let all: String = OCTETS.iter().map(|octet| format!("{octet:08b}")).collect();
    for before in 0..70 {
        let front = "10".repeat(before)[..before].to_owned();
        for bits in 0..=OCTETS.len() * 8 + 9 {
            // Octets that are missing count as zero.
            let wanted = octets_of(&(front.clone() + &format!("{all}000000000")[..bits] + "1"));
            for less in [0, 1] {
                let mut output = vec![0; wanted.len() - less];
                let mut writer = Writer::new(&mut output);
                let put = (0..before).try_for_each(|at| writer.put_bit(at % 2 == 0));
                let put = put.and_then(|()| writer.put_bits(&OCTETS, bits)).and_then(|()| writer.put(1, 1));
                let end = put.and_then(|()| writer.finish());
                assert_eq!(end.is_ok(), less == 0, "{bits} bits behind {before}");
                assert!(less == 1 || output == wanted, "{bits} bits behind {before}");
            }
            if bits % 8 == 0 && bits <= 88 {
                let mut output = vec![0; wanted.len()];
                let mut writer = Writer::new(&mut output);
                put_text(&mut writer, &front);
                writer.put_octets(&OCTETS[..bits / 8]).unwrap();
                assert_eq!(writer.position(), before + bits);
                writer.put(1, 1).unwrap();
                writer.finish().unwrap();
                assert_eq!(output, wanted, "{bits} bits behind {before}");
            }
        }
    }
}

#[test]
fn octets_that_do_not_fit_are_refused() {
    let mut output = [0; 4];
    let mut writer = Writer::new(&mut output);
    writer.put(1, 8).unwrap();
    assert_eq!(writer.put_octets(&[2, 3, 4, 5]), Err(Rejected));
    assert_eq!(writer.put_octets(&[2, 3, 4]), Ok(()));
    assert_eq!((writer.position(), writer.capacity()), (32, 4));
    assert_eq!(writer.written(), [1, 2, 3, 4]);
    assert_eq!(writer.put_octets(&[]), Ok(()));
    assert_eq!(writer.into_octets().map(|(output, stored)| (output.to_vec(), stored)), Ok((vec![1, 2, 3, 4], 4)));
}

#[test]
fn waiting_bits_are_stored_by_a_flush_and_go_on_waiting() {
    for count in 0..64 {
        let bits = "1".repeat(count);
        let wanted = octets_of(&bits);
        let mut output = vec![0xee; wanted.len()];
        let mut writer = Writer::new(&mut output);
        put_text(&mut writer, &bits);
        assert_eq!((writer.flush(), writer.position()), (Ok(()), count));
        assert_eq!(writer.output(), wanted, "{count}");
        assert_eq!(writer.written(), &wanted[..count / 8], "{count}");
        if count % 8 != 0 {
            writer.put(0, 1).unwrap();
            assert_eq!(writer.finish(), Ok(wanted.len()));
            assert_eq!(output, wanted, "{count}");
        }
        let mut output = vec![0xee; wanted.len().saturating_sub(1)];
        let mut writer = Writer::new(&mut output);
        put_text(&mut writer, &bits);
        assert_eq!(writer.flush().is_err(), count > 0, "{count}");
    }
    let mut output = [0; 8];
    let mut writer = Writer::new(&mut output);
    put_text(&mut writer, "1010 1010 1");
    assert!(writer.into_octets().is_err(), "within an octet");
}

#[test]
fn a_writer_goes_on_where_another_one_stopped() {
    let mut output = [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut writer = Writer::resume(&mut output, 2, 0b101, 3);
    assert_eq!(writer.position(), 19);
    writer.put(0b11, 2).unwrap();
    assert_eq!(writer.finish(), Ok(3));
    assert_eq!(output[..3], [1, 2, 0b1011_1000]);
}

#[test]
fn zero_bits_fill_up_to_the_next_octet() {
    for before in 0..70 {
        for from in (0..=before).filter(|from| *from < 20) {
            let mut output = [0xee; 32];
            let mut writer = Writer::new(&mut output);
            put_text(&mut writer, &"1".repeat(before));
            let mut other = [0xee; 32];
            let mut plain = Writer::new(&mut other);
            put_text(&mut plain, &"1".repeat(before));
            assert_eq!((writer.align_from(from), plain.align()), (Ok(()), Ok(())));
            assert_eq!(writer.position(), before + (8 - (before - from) % 8) % 8, "{before} from {from}");
            assert_eq!(plain.position(), before.next_multiple_of(8), "{before}");
            writer.put(1, 1).unwrap();
            let end = writer.position();
            let octets = writer.finish().unwrap();
            let mut reader = Reader::new(&output[..octets]);
            reader.skip(before).unwrap();
            assert_eq!(reader.take((end - before) as u32), Ok(1), "{before} from {from}");
        }
    }
}

/// The bits of 0x..c3a55a.
fn number(octets: usize) -> (u64, String) {
    let value = 0x01c3_a55a & ((1 << (octets * 8)) - 1);
    (value, format!("{value:0width$b}", width = octets * 8))
}

#[test]
fn octets_are_replaced_by_as_many_or_more_at_any_bit() {
    const BITS: &str = "1101 0011 1010 1111 0110 0101 1100 1001 0111 1010 111";
    let bits = BITS.replace(' ', "");
    for (written, octets) in [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (2, 2), (2, 4)] {
        let (value, text) = number(octets);
        for length in [0, 1, 7, 8, 9, 16, 20, 32, 43].into_iter().filter(|length| *length >= written * 8) {
            for position in 0..=length - written * 8 {
                let (before, after) = (&bits[..position], &bits[position + written * 8..length]);
                let wanted = octets_of(&format!("{before}{text}{after}101"));
                let case = format!("{octets} for {written} at {position} of {length}");
                let mut output = vec![0xee; wanted.len() + 1];
                let mut writer = Writer::new(&mut output);
                put_text(&mut writer, &bits[..length]);
                assert_eq!(writer.replace(position, written, value, octets), Ok(()), "{case}");
                assert_eq!(writer.position(), length + (octets - written) * 8);
                put_text(&mut writer, "101");
                assert_eq!(writer.finish(), Ok(wanted.len()));
                assert_eq!(output[..wanted.len()], wanted, "{case}");
                let least = (length + (octets - written) * 8).div_ceil(8);
                let mut output = vec![0; least];
                let (output, _) = output.split_at_mut(least - usize::from(octets > written));
                let mut writer = Writer::new(output);
                put_text(&mut writer, &bits[..length]);
                let fits = if octets > written { Err(Rejected) } else { Ok(()) };
                assert_eq!(writer.replace(position, written, value, octets), fits, "{case}");
            }
        }
    }
    let mut output = [0; 1];
    let mut writer = Writer::new(&mut output);
    put_text(&mut writer, "1111 1111 1");
    assert_eq!(writer.replace(0, 1, 0, 1), Err(Rejected));
}

#[test]
fn an_octet_that_was_zero_is_set_wherever_it_is() {
    for length in 1..20 {
        for at in 0..length {
            let mut output = vec![0xee; length + 8];
            let mut writer = Writer::new(&mut output);
            for octet in 0..length {
                writer.put(if octet == at { 0 } else { 0x11 }, 8).unwrap();
            }
            writer.set_octet(at * 8, 0xa5);
            writer.put(0x22, 8).unwrap();
            writer.finish().unwrap();
            let wanted: Vec<u8> = (0..length).map(|octet| if octet == at { 0xa5 } else { 0x11 }).collect();
            assert_eq!((&output[..length], output[length]), (&wanted[..], 0x22), "{at} of {length}");
        }
    }
}

#[test]
fn a_vector_within_a_full_output_is_refused() {
    for length in [0, 5, 127, 128, 300] {
        for room in 0..length + 4 {
            let mut output = vec![0; room];
            let mut writer = Writer::new(&mut output);
            let end = vectors::begin_vector(&mut writer).and_then(|start| {
                (0..length).try_for_each(|_| writer.put(7, 8))?;
                vectors::end_vector(&mut writer, start)
            });
            let end = end.and_then(|()| writer.finish_octets());
            let needed = length + if length < 128 { 1 } else { 2 };
            assert_eq!(end, if room < needed { Err(Rejected) } else { Ok(needed) }, "{length} in {room}");
        }
    }
}
