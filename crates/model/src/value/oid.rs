//! Object identifiers.

use std::fmt;

use num_bigint::{BigInt, BigUint, Sign};

use super::Integer;

/// An OBJECT IDENTIFIER or RELATIVE-OID value, held as its contents octets (X.690 §8.19, §8.20).
/// The type, not the octets, determines which of the two it is. Arcs may be of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Oid(Vec<u8>);

impl Oid {
    /// An object identifier. `None` if the arcs are not valid: fewer than two, a first above 2, a
    /// second above 39 under the first arcs 0 and 1, or a negative one.
    #[must_use]
    pub fn absolute(arcs: &[BigInt]) -> Option<Self> {
        let (first, second, rest) = match arcs {
            [first, second, rest @ ..] => (first, second, rest),
            _ => return None,
        };
        let top = u8::try_from(first).ok().filter(|top| *top <= 2)?;
        if second.sign() == Sign::Minus || top < 2 && *second > BigInt::from(39) {
            return None;
        }
        let mut contents = Vec::new();
        append(&mut contents, &(BigInt::from(40 * u32::from(top)) + second))?;
        rest.iter().try_for_each(|arc| append(&mut contents, arc))?;
        Some(Oid(contents))
    }

    /// A relative object identifier. `None` without arcs or with a negative one.
    #[must_use]
    pub fn relative(arcs: &[BigInt]) -> Option<Self> {
        let mut contents = Vec::new();
        arcs.iter().try_for_each(|arc| append(&mut contents, arc))?;
        (!arcs.is_empty()).then_some(Oid(contents))
    }

    /// An object identifier, or a relative one, from its contents octets. `None` if they are not
    /// well-formed: none at all, an arc that is not in its shortest form, or one that does not end.
    #[must_use]
    pub fn from_contents(contents: &[u8]) -> Option<Self> {
        let ends = contents.last().is_some_and(|last| last & 0x80 == 0);
        let mut at_start = true;
        for octet in contents {
            if at_start && *octet == 0x80 {
                return None;
            }
            at_start = octet & 0x80 == 0;
        }
        ends.then(|| Oid(contents.to_vec()))
    }

    /// The contents octets.
    #[must_use]
    pub fn contents(&self) -> &[u8] {
        &self.0
    }

    /// The arcs of an object identifier: at least two.
    #[must_use]
    pub fn absolute_arcs(&self) -> Vec<BigInt> {
        let mut arcs = self.relative_arcs();
        if let Some(first) = arcs.first_mut() {
            let top = if *first < BigInt::from(40) { 0 } else { 1 + u32::from(*first >= BigInt::from(80)) };
            *first -= 40 * top;
            arcs.insert(0, BigInt::from(top));
        }
        arcs
    }

    /// The arcs of a relative object identifier: at least one.
    #[must_use]
    pub fn relative_arcs(&self) -> Vec<BigInt> {
        self.0.split_inclusive(|octet| octet & 0x80 == 0).map(arc).collect()
    }

    /// The dotted form of an object identifier, such as `1.2.840.113549`; arcs as [`Integer`] shows
    /// them.
    #[must_use]
    pub fn absolute_text(&self) -> String {
        dotted(&self.absolute_arcs())
    }

    /// The dotted form of a relative object identifier, such as `8571.3.2`.
    #[must_use]
    pub fn relative_text(&self) -> String {
        dotted(&self.relative_arcs())
    }
}

impl fmt::Display for Oid {
    /// As an absolute one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.absolute_text())
    }
}

fn dotted(arcs: &[BigInt]) -> String {
    arcs.iter().map(|arc| Integer::from(arc).to_string()).collect::<Vec<_>>().join(".")
}

/// Appends one subidentifier: base 128, all octets but the last with the top bit set.
fn append(contents: &mut Vec<u8>, arc: &BigInt) -> Option<()> {
    let mut digits = arc.to_biguint()?.to_radix_be(128);
    let (_, head) = digits.split_last_mut()?;
    head.iter_mut().for_each(|digit| *digit |= 0x80);
    contents.append(&mut digits);
    Some(())
}

fn arc(octets: &[u8]) -> BigInt {
    let digits: Vec<u8> = octets.iter().map(|octet| octet & 0x7f).collect();
    BigUint::from_radix_be(&digits, 128).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(text: &str) -> Vec<BigInt> {
        text.split('.').map(|arc| arc.parse().unwrap()).collect()
    }

    #[test]
    fn arcs_are_packed_as_in_x690() {
        let rsa = Oid::absolute(&arcs("1.2.840.113549")).unwrap();
        assert_eq!(rsa.contents(), [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]);
        assert_eq!(Oid::absolute(&arcs("2.999.3")).unwrap().contents(), [0x88, 0x37, 0x03]);
        assert_eq!(Oid::relative(&arcs("8571.3.2")).unwrap().contents(), [0xc2, 0x7b, 0x03, 0x02]);
    }

    #[test]
    fn arcs_of_any_size_survive() {
        for text in ["0.0", "0.39", "1.0", "1.39.5", "2.0", "2.40.1", "2.340282366920938463463374607431768211456.7"] {
            let oid = Oid::absolute(&arcs(text)).unwrap();
            assert_eq!(oid.to_string(), text);
            assert_eq!(Oid::from_contents(oid.contents()), Some(oid));
        }
    }

    #[test]
    fn what_is_no_object_identifier_is_refused() {
        for text in ["1", "3.1", "0.40", "1.40", "1.-1", "2.1.-1", "-1.2"] {
            assert_eq!(Oid::absolute(&arcs(text)), None, "{text}");
        }
        assert_eq!(Oid::relative(&[]), None);
        for contents in [&[][..], &[0x80, 0x01], &[0x2a, 0x86], &[0x2a, 0x80, 0x01]] {
            assert_eq!(Oid::from_contents(contents), None, "{contents:?}");
        }
    }
}
