//! Object identifiers as contents octets.

/// Whether every subidentifier ends, and begins without padding (X.690 §8.19.2), and there is one.
#[must_use]
pub fn is_oid(contents: &[u8]) -> bool {
    let mut begins = true;
    for octet in contents {
        if begins && *octet == 0x80 {
            return false;
        }
        begins = octet & 0x80 == 0;
    }
    begins && !contents.is_empty()
}

/// Appends a subidentifier: a number in groups of seven bits (X.690 §8.19.2).
#[cfg(feature = "alloc")]
pub fn push_subidentifier(contents: &mut alloc::vec::Vec<u8>, number: u128) {
    let groups = (u128::BITS - number.leading_zeros()).div_ceil(7).max(1);
    let octet = |group: u32| (number >> (7 * group)) as u8 & 0x7f | if group > 0 { 0x80 } else { 0 };
    contents.extend((0..groups).rev().map(octet));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subidentifiers_end_and_have_no_padding() {
        for (contents, is_one) in [
            (&[][..], false),
            (&[0x2a], true),
            (&[0x2a, 0x86, 0x48], true),
            (&[0x2a, 0x86, 0x80, 0x48], true),
            (&[0x2a, 0x86], false),
            (&[0x80, 0x01], false),
            (&[0x2a, 0x80, 0x01], false),
        ] {
            assert_eq!(is_oid(contents), is_one, "{contents:02x?}");
        }
    }
}
