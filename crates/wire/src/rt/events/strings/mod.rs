//! String tables (EXI §7.3.3): a string that came before is a reference, to its place among the
//! strings of its partition (a local hit) or among all (a global hit). A partition has the strings
//! of the elements of one name.

mod read;
mod written;

#[cfg(feature = "alloc")]
pub use read::Places;
pub use read::{Place, Read};
#[cfg(feature = "alloc")]
pub use written::Index;
pub use written::{Reference, Written};

/// The width of an index among `count` strings.
#[must_use]
pub const fn width(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// How many strings a partition has.
fn size<T>(strings: &[(&'static str, T)], partition: &str) -> usize {
    strings.iter().filter(|(own, _)| *own == partition).count()
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::read::{MORE, REFERRED};
    use super::*;
    use crate::rt::{events, varint};
    use crate::{Reader, Writer};

    /// Elements' names and texts: local and global hits, and empty strings, which are in no table.
    const TEXTS: [(&str, &str); 13] = [
        ("a", "x"),
        ("b", "x"),
        ("a", "x"),
        ("a", "Grüße"),
        ("a", ""),
        ("b", "Grüße"),
        ("b", "z"),
        ("b", "zz"),
        ("b", "z"),
        ("a", "zz"),
        ("b", ""),
        ("b", "zz"),
        ("a", "Grüße"),
    ];

    fn written<const N: usize>() -> Vec<u8> {
        let mut output = [0; 99];
        let mut writer = Writer::new(&mut output);
        let mut table = Written::<N>::default();
        for (name, text) in TEXTS {
            table.put(&mut writer, text, text.chars().count() as u64, name, &[]).unwrap();
        }
        let count = writer.finish().unwrap();
        output[..count].to_vec()
    }

    /// The texts in octets, up to a refusal.
    fn read<const N: usize>(octets: &[u8], bounds: (u64, u64)) -> Vec<String> {
        let (mut reader, mut table) = (Reader::new(octets), Read::<N>::default());
        let mut texts = Vec::new();
        for (name, _) in TEXTS {
            let Ok(number) = varint::take(&mut reader) else { return texts };
            let mut text = String::new();
            let take = |reader: &mut Reader<'_>, count| events::take_string(reader, count, &[], &mut text);
            if table.take(&mut reader, number, name, bounds, take).is_err() {
                return texts;
            }
            texts.push(text);
        }
        texts
    }

    #[test]
    fn tables_in_place_and_on_the_heap_are_the_same() {
        let octets = written::<5>();
        // "x", a global hit, and a local hit among one.
        assert_eq!(octets[..5], [3, b'x', 1, 0, 7]);
        for other in [written::<0>(), written::<1>(), written::<2>(), written::<9>()] {
            assert_eq!(other, octets);
        }
        let texts: Vec<&str> = TEXTS.iter().map(|(_, text)| *text).collect();
        assert_eq!(read::<0>(&octets, (0, 5)), texts);
        assert_eq!(read::<2>(&octets, (0, 5)), texts);
        assert_eq!(read::<9>(&octets, (0, 5)), texts);
        // Bounds are also those of references.
        assert_eq!(read::<9>(&octets, (1, 5)).len(), 4);
        assert_eq!(read::<9>(&octets, (0, 4)).len(), 3);
        for end in 0..octets.len() {
            assert!(read::<2>(&octets[..end], (0, 5)).len() < texts.len());
            assert_eq!(read::<2>(&octets[..end], (0, 5)), read::<9>(&octets[..end], (0, 5)));
        }
    }

    #[test]
    fn an_index_that_no_string_has_is_refused() {
        for wrong in [&[0][..], &[1], &[3, b'x', 0]] {
            let found = read::<2>(wrong, (0, 5)).len();
            assert_eq!(found, usize::from(wrong.len() == 3), "{wrong:?}");
            assert_eq!(read::<0>(wrong, (0, 5)).len(), found);
        }
        // Three strings, and the fourth of them.
        let mut octets = [0; 9];
        let mut writer = Writer::new(&mut octets);
        for text in ["x", "y", "z"] {
            writer.put_octets(&[3, text.as_bytes()[0]]).unwrap();
        }
        writer.put(1, 8).unwrap();
        writer.put(3, 2).unwrap();
        writer.finish().unwrap();
        assert_eq!(read::<9>(&octets, (0, 5)), ["x", "y", "z"]);
        assert_eq!(read::<2>(&octets, (0, 5)), ["x", "y", "z"]);
    }

    #[test]
    fn references_stand_for_a_limited_number_of_characters() {
        let long = "x".repeat(1000);
        let mut octets = Vec::from([0xea, 0x07]);
        octets.extend(long.bytes());
        // References to the only string of a partition have no index.
        octets.resize(octets.len() + 100, 0);
        let (mut reader, mut table) = (Reader::new(&octets), Read::<1>::default());
        let mut count = 0;
        while let Ok(number) = varint::take(&mut reader) {
            let mut text = String::new();
            let take = |reader: &mut Reader<'_>, count| events::take_string(reader, count, &[], &mut text);
            if table.take(&mut reader, number, "a", (0, 1000), take).is_err() {
                break;
            }
            assert_eq!(text, long);
            count += 1;
        }
        assert_eq!(count, 1 + (REFERRED + 1000 * MORE) / 1000);
    }
}
