//! Bit strings in memory: in one word, and of any length.

use roadwire_wire::{BitWord, Data, Element, Scalar};

#[test]
fn a_word_holds_the_first_bits_of_octets() {
    const OCTETS: [u8; 9] = [0xa5, 0x0f, 0x81, 0x42, 0x24, 0x18, 0xff, 0x01, 0x80];
    for (bits, value) in [
        (0, 0),
        (1, 1),
        (2, 0b10),
        (4, 0xa),
        (7, 0x52),
        (8, 0xa5),
        (9, 0x14a),
        (12, 0xa50),
        (16, 0xa50f),
        (31, 0xa50f_8142 >> 1),
        (32, 0xa50f_8142),
        (33, 0xa50f_8142 << 1),
        (63, 0xa50f_8142_2418_ff01 >> 1),
        (64, 0xa50f_8142_2418_ff01),
    ] {
        let word = BitWord::from_octets(&OCTETS, bits).unwrap();
        assert_eq!((word.value, usize::from(word.bits)), (value, bits), "{bits} bits");
        let octets = word.to_octets();
        assert_eq!(BitWord::from_octets(&octets, bits), Some(word), "{bits} bits");
        assert!((bits..64).all(|at| octets[at / 8] >> (7 - at % 8) & 1 == 0), "{bits} bits, zeros behind them");
        for at in 0..bits {
            let bit = OCTETS[at / 8] >> (7 - at % 8) & 1 == 1;
            assert_eq!(word.get(at as u8), bit, "bit {at} of {bits}");
        }
        assert!(!word.get(bits as u8) && !word.get(64) && !word.get(255), "{bits} bits have an end");
    }
    assert_eq!(BitWord::from_octets(&OCTETS, 65), None);
    assert_eq!(BitWord::from_octets(&OCTETS[..1], 8).map(|word| word.value), Some(0xa5));
    assert_eq!(BitWord::from_octets(&OCTETS[..1], 9), None);
    assert_eq!(BitWord::from_octets(&[], 0), Some(BitWord::default()));
}

#[test]
fn a_word_is_masked_to_its_bits() {
    for (value, bits, masked) in [
        (u64::MAX, 0, 0),
        (u64::MAX, 1, 1),
        (0x1234, 8, 0x34),
        (u64::MAX, 63, u64::MAX >> 1),
        (u64::MAX, 64, u64::MAX),
        (5, 64, 5),
        (5, 65, 5),
    ] {
        assert_eq!(BitWord { value, bits }.masked(), masked, "{value:x} in {bits} bits");
    }
}

#[test]
fn a_word_is_a_scalar() {
    let word = BitWord { value: 5, bits: 3 };
    let mut other = BitWord::empty();
    assert_eq!(other, BitWord { value: 0, bits: 0 });
    assert!(other.set(Scalar::Word(word)));
    assert_eq!(other.scalar(), Scalar::Word(word));
    assert!(!other.set(Scalar::Integer(5)) && !other.set(Scalar::Bits(&[0], 3)));
    assert_eq!(other, word);
}

#[cfg(feature = "alloc")]
mod of_any_length {
    use super::*;
    use roadwire_wire::{BitString, Shape};

    #[test]
    fn bits_behind_the_last_one_are_zero() {
        for (bits, octets) in [
            (0, &[][..]),
            (1, &[0x80]),
            (3, &[0xe0]),
            (7, &[0xfe]),
            (8, &[0xff]),
            (9, &[0xff, 0x80]),
            (15, &[0xff, 0xfe]),
            (16, &[0xff, 0xff]),
        ] {
            let string = BitString::new(&[0xff, 0xff], bits).unwrap();
            assert_eq!((string.len(), string.octets(), string.is_empty()), (bits, octets, bits == 0), "{bits} bits");
            assert_eq!(string.scalar(), Scalar::Bits(octets, bits));
        }
        assert_eq!(BitString::new(&[0xff, 0xff], 17), None);
        assert_eq!(BitString::new(&[], 0), Some(BitString::default()));
    }

    #[test]
    fn bits_are_appended_behind_whole_octets_only() {
        let mut string = BitString::new(&[0xff], 8).unwrap();
        assert!(!string.begin(Shape::Octets) && !string.begin(Shape::List));
        assert!(string.begin(Shape::Bits) && string.is_empty() && string.octets().is_empty());
        string.extend_bits(8).unwrap().copy_from_slice(&[1]);
        string.extend_bits(16).unwrap().copy_from_slice(&[2, 3]);
        string.extend_bits(3).unwrap().copy_from_slice(&[0xa0]);
        assert_eq!(string.scalar(), Scalar::Bits(&[1, 2, 3, 0xa0], 27));
        assert_eq!(string.extend_bits(1), None);
        assert_eq!(string.len(), 27);
        assert!(BitString::empty().is_empty());
    }
}
