//! Radiotap: a receiver's notes on a frame of IEEE 802.11 (radiotap.org). Numbers are least
//! significant octet first.

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// A radiotap header: 8 octets and more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radiotap<'a> {
    /// An octet without a meaning.
    pub padding: u8,
    /// Which fields there are, by bit. Bit 31 says that [`rest`](Radiotap::rest) begins with
    /// another such word.
    pub present: u32,
    /// The octets after the first word.
    pub rest: &'a [u8],
}

/// Bits of `present`, with the size and alignment of each of the first fields.
const FIELDS: [(usize, usize); 15] = [
    (8, 8),
    (1, 1),
    (1, 1),
    (4, 2),
    (2, 2),
    (1, 1),
    (1, 1),
    (2, 2),
    (2, 2),
    (2, 2),
    (1, 1),
    (1, 1),
    (1, 1),
    (1, 1),
    (2, 2),
];
const TSFT: usize = 0;
const FLAGS: usize = 1;
const RATE: usize = 2;
const CHANNEL: usize = 3;
const SIGNAL: usize = 5;
const NOISE: usize = 6;
const ANTENNA: usize = 11;

const MORE: u32 = 1 << 31;

impl<'a> Radiotap<'a> {
    /// Reads it, and returns what follows: the frame of IEEE 802.11.
    ///
    /// # Errors
    /// `radiotap.version`, `radiotap.length`, `frame.truncated`.
    pub fn decode(input: &'a [u8]) -> Result<(Radiotap<'a>, &'a [u8]), Error> {
        let mut input = Input::new(input);
        let [version, padding] = input.array()?;
        if version != 0 {
            return Err(Error::new(faults::RADIOTAP_VERSION, 0));
        }
        let length = usize::from(input.u16_le()?);
        let present = input.u32_le()?;
        let rest = length.checked_sub(8).ok_or(Error::new(faults::RADIOTAP_LENGTH, 2))?;
        let header = Radiotap { padding, present, rest: input.take(rest)? };
        if header.fields().is_none() {
            return Err(Error::new(faults::RADIOTAP_LENGTH, 2));
        }
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range` where it has more than 65535 octets; `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let length = out.field(u32::try_from(self.rest.len() + 8).unwrap_or(u32::MAX), 16)? as u16;
        out.octets(&[0, self.padding])?;
        out.u16_le(length)?;
        out.u32_le(self.present)?;
        out.octets(self.rest)
    }

    /// Microseconds of the receiver's clock when the first bit of the frame arrived.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.field(TSFT)?.first_chunk().copied().map(u64::from_le_bytes)
    }

    /// Flags: 0x10 says that the frame ends with its frame check sequence, 0x20 that there are
    /// octets between header and body, 0x40 that the frame check sequence was wrong.
    #[must_use]
    pub fn flags(&self) -> Option<u8> {
        self.field(FLAGS)?.first().copied()
    }

    /// Data rate in units of 500 kbit/s, as for a channel of 20 MHz by most drivers.
    #[must_use]
    pub fn rate(&self) -> Option<u8> {
        self.field(RATE)?.first().copied()
    }

    /// Frequency of the channel in MHz.
    #[must_use]
    pub fn frequency(&self) -> Option<u16> {
        self.field(CHANNEL)?.first_chunk().copied().map(u16::from_le_bytes)
    }

    /// Power at the antenna in dBm.
    #[must_use]
    pub fn signal(&self) -> Option<i8> {
        self.field(SIGNAL)?.first().map(|octet| i8::from_le_bytes([*octet]))
    }

    /// Noise at the antenna in dBm.
    #[must_use]
    pub fn noise(&self) -> Option<i8> {
        self.field(NOISE)?.first().map(|octet| i8::from_le_bytes([*octet]))
    }

    /// The number of the antenna.
    #[must_use]
    pub fn antenna(&self) -> Option<u8> {
        self.field(ANTENNA)?.first().copied()
    }

    /// Where the fields of the first word begin in `rest`, if they all fit.
    fn fields(&self) -> Option<usize> {
        let mut word = self.present;
        let mut at = 0;
        while word & MORE != 0 {
            word = u32::from_le_bytes(*self.rest.get(at..)?.first_chunk()?);
            at += 4;
        }
        let end = self.place(FIELDS.len(), at)?;
        (end <= self.rest.len()).then_some(at)
    }

    /// Where a field begins, counted from the start of `rest`; for one beyond the last, where they
    /// end. Alignment counts from the start of the header, which is 8 octets in front.
    fn place(&self, field: usize, start: usize) -> Option<usize> {
        let mut at = start;
        for (bit, (size, alignment)) in FIELDS.iter().enumerate() {
            let is_there = self.present >> bit & 1 != 0;
            if bit == field {
                return is_there.then(|| at.next_multiple_of(*alignment));
            }
            if is_there {
                at = at.next_multiple_of(*alignment) + size;
            }
        }
        Some(at)
    }

    fn field(&self, field: usize) -> Option<&'a [u8]> {
        let at = self.place(field, self.fields()?)?;
        self.rest.get(at..at + FIELDS[field].0)
    }
}
