//! Strings as the octets after their length.

use roadwire_layout::{Layout, Span};
use roadwire_wire::Rejected;
use roadwire_wire::rt::is_oid;

use crate::tape::{Tape, parts};

/// A kind of string.
#[derive(Clone, Debug)]
pub(crate) enum Strings {
    /// So many bits, with zero bits up to whole octets.
    FixedBits(usize),
    /// Bits after an octet that says how many zero bits fill the last octet.
    Bits {
        lower: u64,
        upper: u64,
        is_trimmed: bool,
    },
    Octets {
        lower: u64,
        upper: u64,
    },
    /// The contents octets of an object identifier.
    Oid,
    /// UTF-8 of so many characters; pairs of the first and the last one that are permitted, none if
    /// all are.
    Text {
        lower: u64,
        upper: u64,
        permitted: Vec<u32>,
    },
}

impl Strings {
    pub(crate) fn text(layout: &Layout, (lower, upper): (u64, u64), alphabet: Span) -> Strings {
        Strings::Text { lower, upper, permitted: layout.numbers(alphabet).to_vec() }
    }

    /// Appends the string in these octets to a tape, and returns its span.
    pub(crate) fn read(&self, octets: &[u8], tape: &mut Tape) -> Result<u64, Rejected> {
        match self {
            Strings::FixedBits(bits) => {
                self.are_bits(octets, *bits)?;
                tape.string(octets, *bits)
            }
            Strings::Bits { .. } => {
                let (unused, octets) = octets.split_first().ok_or(Rejected)?;
                let unused = Some(usize::from(*unused)).filter(|unused| *unused <= 7).ok_or(Rejected)?;
                let bits = (octets.len() * 8).checked_sub(unused).ok_or(Rejected)?;
                self.are_bits(octets, bits)?;
                tape.string(octets, bits)
            }
            Strings::Octets { lower, upper } => {
                within(octets.len() as u64, *lower, *upper)?;
                tape.string(octets, octets.len())
            }
            Strings::Oid if !is_oid(octets) => Err(Rejected),
            Strings::Oid => tape.string(octets, octets.len()),
            Strings::Text { .. } => {
                self.is_text(octets)?;
                tape.string(octets, octets.len())
            }
        }
    }

    /// The octets of a string that a tape has: perhaps a first one, and the others.
    pub(crate) fn octets<'t>(&self, tape: &'t Tape, span: u64) -> Result<(Option<u8>, &'t [u8]), Rejected> {
        let (at, count) = parts(span);
        let octets = |count: usize| tape.octets.get(at..at + count).ok_or(Rejected);
        match self {
            Strings::FixedBits(_) => {
                let octets = octets(count.div_ceil(8))?;
                self.are_bits(octets, count)?;
                Ok((None, octets))
            }
            Strings::Bits { lower, is_trimmed, .. } => {
                let least = usize::try_from(*lower).map_err(|_| Rejected)?;
                let given = octets(count.div_ceil(8))?;
                let count = if *is_trimmed { without_zeros(given).max(least) } else { count };
                let octets = octets(count.div_ceil(8)).ok().filter(|_| count <= parts(span).1).ok_or(Rejected)?;
                self.are_bits(octets, count)?;
                Ok((Some((octets.len() * 8 - count) as u8), octets))
            }
            Strings::Octets { lower, upper } => {
                within(count as u64, *lower, *upper)?;
                Ok((None, octets(count)?))
            }
            Strings::Oid => Ok((None, octets(count)?)),
            Strings::Text { .. } => {
                self.is_text(octets(count)?)?;
                Ok((None, octets(count)?))
            }
        }
    }

    /// The size is one that is taken, bits beyond it are zero, and there are no zero bits at the
    /// end that have no meaning.
    fn are_bits(&self, octets: &[u8], bits: usize) -> Result<(), Rejected> {
        let used = without_zeros(octets);
        let is_taken = match *self {
            Strings::FixedBits(fixed) => bits == fixed,
            Strings::Bits { lower, upper, is_trimmed } => {
                within(bits as u64, lower, upper)?;
                !is_trimmed || bits as u64 == lower || used == bits
            }
            _ => false,
        };
        if is_taken && used <= bits && octets.len() == bits.div_ceil(8) { Ok(()) } else { Err(Rejected) }
    }

    fn is_text(&self, octets: &[u8]) -> Result<(), Rejected> {
        let Strings::Text { lower, upper, permitted } = self else { return Err(Rejected) };
        let text = core::str::from_utf8(octets).map_err(|_| Rejected)?;
        within(text.chars().count() as u64, *lower, *upper)?;
        let is_permitted = |character: char| {
            let code = u32::from(character);
            permitted.chunks_exact(2).any(|pair| pair[0] <= code && code <= pair[1])
        };
        if permitted.is_empty() || text.chars().all(is_permitted) { Ok(()) } else { Err(Rejected) }
    }
}

pub(crate) fn within(size: u64, lower: u64, upper: u64) -> Result<(), Rejected> {
    if (lower..=upper).contains(&size) { Ok(()) } else { Err(Rejected) }
}

/// How many bits there are up to the last one that is 1.
pub(crate) fn without_zeros(octets: &[u8]) -> usize {
    let last = octets.iter().rposition(|octet| *octet != 0);
    last.map_or(0, |last| last * 8 + 8 - octets.get(last).map_or(0, |octet| octet.trailing_zeros() as usize))
}
