//! Finds the end of an unknown item, which also has to be in the deterministic form.

use super::{Fault, Head, head, major, tag};
use crate::faults;

/// Items nest no deeper than this, whatever the caller allows.
pub const DEEPEST: u32 = 100;

/// An array, a map or a tag that has begun.
#[derive(Clone, Copy, Default)]
struct Open {
    /// How many items follow.
    left: u64,
    /// Of a map: where the current key begins, and the previous one.
    keys: Option<Keys>,
}

#[derive(Clone, Copy)]
struct Keys {
    /// The previous entry: where its key begins and ends.
    before: (usize, usize),
    /// Where the key of this entry begins.
    start: usize,
    /// Whether a key comes next, and not its value.
    is_next: bool,
}

/// The length of the item at the start of `octets`. Its items may nest up to `levels` deep.
///
/// # Errors
/// The octets do not begin with a whole item in the deterministic form.
pub fn skip(octets: &[u8], levels: u32) -> Result<usize, Fault> {
    let mut open = [Open::default(); DEEPEST as usize];
    let (mut depth, mut at) = (0usize, 0usize);
    loop {
        let rest = octets.get(at..).unwrap_or(&[]);
        let head = head(rest)?;
        let content = contents(rest, head)?;
        at += head.octets + content;
        let left = match head.major {
            major::ARRAY => head.number,
            major::MAP => head.number.checked_mul(2).ok_or(Fault::Truncated)?,
            major::TAG => 1,
            _ => 0,
        };
        if left > 0 {
            if depth >= levels as usize {
                return Err(Fault::TooDeep);
            }
            let keys = Keys { before: (0, 0), start: at, is_next: true };
            let keys = (head.major == major::MAP).then_some(keys);
            *open.get_mut(depth).ok_or(Fault::TooDeep)? = Open { left, keys };
            depth += 1;
            continue;
        }
        // This item ends here, and so does each one whose last item it is.
        loop {
            let Some(place) = depth.checked_sub(1).and_then(|above| open.get_mut(above)) else { return Ok(at) };
            place.left -= 1;
            if let Some(keys) = &mut place.keys {
                keys.pass(octets, at)?;
            }
            if place.left > 0 {
                break;
            }
            depth -= 1;
        }
    }
}

impl Keys {
    /// A key or a value ends at octet `at`.
    fn pass(&mut self, octets: &[u8], at: usize) -> Result<(), Fault> {
        if self.is_next {
            let key = (self.start, at);
            let of = |(start, end): (usize, usize)| octets.get(start..end).unwrap_or(&[]);
            // The first one comes after no octets at all.
            if of(key) <= of(self.before) {
                return Err(Fault::Malformed(faults::cbor::KEY_ORDER));
            }
            self.before = key;
        }
        self.is_next = !self.is_next;
        self.start = at;
        Ok(())
    }
}

/// How many octets of a string follow the head. For a tag and a float, checks the form of the
/// content.
fn contents(octets: &[u8], of: Head) -> Result<usize, Fault> {
    match of.major {
        major::OCTETS | major::TEXT => {
            let length = usize::try_from(of.number).map_err(|_| Fault::Truncated)?;
            let content = octets.get(of.octets..).and_then(|rest| rest.get(..length)).ok_or(Fault::Truncated)?;
            if of.major == major::TEXT && core::str::from_utf8(content).is_err() {
                return Err(Fault::Malformed(faults::cbor::TEXT));
            }
            Ok(length)
        }
        major::TAG if of.number == tag::POSITIVE_BIGNUM || of.number == tag::NEGATIVE_BIGNUM => {
            let rest = octets.get(of.octets..).unwrap_or(&[]);
            let inner = head(rest)?;
            let is_wide = inner.number > 8 && rest.get(inner.octets).is_none_or(|first| *first != 0);
            if inner.major != major::OCTETS || !is_wide {
                return Err(Fault::Malformed(faults::cbor::BIGNUM));
            }
            Ok(0)
        }
        major::SIMPLE if of.information >= super::HALF => super::value_of(of.information, of.number).map(|_| 0),
        _ => Ok(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::cbor as fault;

    #[test]
    fn items_end() {
        for (octets, length) in [
            (&[0x01, 9][..], 1),
            (&[0x83, 1, 2, 3, 9], 4),
            (&[0x80, 9], 1),
            (&[0xa0, 9], 1),
            (&[0xa2, 1, 2, 3, 4, 9], 5),
            (&[0xa2, 0x61, 0x61, 1, 0x61, 0x62, 0x82, 2, 3, 9], 9),
            (&[0xa2, 0x82, 1, 2, 0, 0xa1, 1, 2, 0, 9], 9),
            (&[0xc1, 0x1a, 0x51, 0x4b, 0x67, 0xb0, 9], 6),
            (&[0xc2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0, 9], 11),
            (&[0x44, 1, 2, 3, 4, 9], 5),
            (&[0x62, 0xc3, 0xbc, 9], 3),
            (&[0xf9, 0x3c, 0x00, 9], 3),
            (&[0xf8, 0xff, 9], 2),
            (&[0xf6, 9], 1),
        ] {
            assert_eq!(skip(octets, 5), Ok(length), "{octets:x?}");
            for cut in 0..length {
                assert_eq!(skip(&octets[..cut], 5), Err(Fault::Truncated), "{cut} of {octets:x?}");
            }
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for (octets, wanted) in [
            (&[0xa2, 2, 0, 1, 0][..], fault::KEY_ORDER),
            (&[0xa2, 1, 0, 1, 0], fault::KEY_ORDER),
            (&[0x81, 0xa2, 0x20, 0, 1, 0], fault::KEY_ORDER),
            (&[0x81, 0x18, 1], fault::HEAD_SHORTEST),
            (&[0x9f, 0xff], fault::INDEFINITE),
            (&[0x81, 0xff], fault::BREAK),
            (&[0xfa, 0x3f, 0x80, 0, 0], fault::FLOAT),
            (&[0xf9, 0x7e, 0x01], fault::NAN),
            (&[0xc2, 0x41, 1], fault::BIGNUM),
            (&[0xc3, 0x49, 0, 1, 2, 3, 4, 5, 6, 7, 8], fault::BIGNUM),
            (&[0xc2, 0x01], fault::BIGNUM),
            (&[0x61, 0xff], fault::TEXT),
        ] {
            assert_eq!(skip(octets, 5), Err(Fault::Malformed(wanted)), "{octets:x?}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        let mut nested = [0x81; 300];
        assert_eq!(skip(&nested, 1000), Err(Fault::TooDeep));
        nested[100] = 0;
        assert_eq!(skip(&nested, 1000), Ok(101));
        assert_eq!(skip(&nested, 100), Ok(101));
        assert_eq!(skip(&nested, 99), Err(Fault::TooDeep));
        assert_eq!(skip(&[0x9b, 255, 255, 255, 255, 255, 255, 255, 255, 0], 1), Err(Fault::Truncated));
        assert_eq!(skip(&[0xbb, 255, 255, 255, 255, 255, 255, 255, 255, 0], 1), Err(Fault::Truncated));
    }
}
