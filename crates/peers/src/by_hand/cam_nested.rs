//! The mandatory fields of a CAM (EN 302 637-2), of either version, in DER (X.690) and in the
//! laboratory's mapping to Protocol Buffers, by hand. In both a field has its number, a container
//! its length, and all of them stand in the order of their numbers; anything else is refused, and
//! so are fields of Protocol Buffers in another order.

use super::cam::Cam;
use super::{Refused, offset};

/// The most octets of the message: 27 numbers of up to five octets and 14 containers.
pub(super) const ROOM: usize = 256;

/// How numbers and containers are written.
///
/// Readers distinguish lengths of numbers by branches: a processor foresees them and begins with
/// the next field, and would wait for a sum.
pub(super) trait Rules {
    /// Where the message begins.
    const FIRST: usize;
    /// A number with its field's: its octets in the order of memory, and how many they are.
    fn number(field: u8, value: i64, bounds: (i64, i64)) -> (u64, usize);
    /// The octet before a container's length.
    fn container(field: u8) -> u8;
    /// Writes the length of the container whose content begins at `start`; where it ends.
    fn length(out: &mut [u8; ROOM], start: usize, end: usize) -> usize;
    /// Writes what stands before the message; the length in all.
    fn finish(out: &mut [u8; ROOM], end: usize) -> usize;
    /// Reads a number from eight octets in the order of memory: how many it takes, and whether it
    /// is this field's.
    fn read_number(word: u64, field: u8, bounds: (i64, i64)) -> (i64, usize, bool);
    /// Reads the head of a container in the same way: its octets, and those of its content.
    fn read_container(word: u64, expected: u8) -> (usize, usize, bool);
    /// Where the message begins and ends.
    fn begin(octets: &[u8]) -> (usize, usize, bool);
}

/// The fields by their places, as arguments of another macro: `PLACE FIELD [LEAST, MOST];`, or
/// `PLACE { … }` of a container.
macro_rules! fields {
    ($action:ident $on:ident $message:ident $rules:ident $min:ident $max:ident) => {
        $action! { $on $message $rules;
            0 {
                0 protocol_version [0, 255];
                1 message_id [0, 255];
                2 station_id [0, 4_294_967_295];
            }
            1 {
                0 generation_delta_time [0, 65_535];
                1 {
                    0 {
                        0 station_type [0, 255];
                        1 {
                            0 latitude [-900_000_000, 900_000_001];
                            1 longitude [-1_800_000_000, 1_800_000_001];
                            2 {
                                0 semi_major_confidence [0, 4095];
                                1 semi_minor_confidence [0, 4095];
                                2 semi_major_orientation [0, 3601];
                            }
                            3 {
                                0 altitude_value [-100_000, 800_001];
                                1 altitude_confidence [0, 15];
                            }
                        }
                    }
                    1 {
                        0 {
                            0 {
                                0 heading_value [0, 3601];
                                1 heading_confidence [1, 127];
                            }
                            1 {
                                0 speed_value [0, 16_383];
                                1 speed_confidence [1, 127];
                            }
                            2 drive_direction [0, 2];
                            3 {
                                0 vehicle_length_value [1, 1023];
                                1 vehicle_length_confidence [0, 4];
                            }
                            4 vehicle_width [1, 62];
                            5 {
                                0 acceleration_value [-160, 161];
                                1 acceleration_confidence [0, 102];
                            }
                            6 {
                                0 curvature_value [$min, $max];
                                1 curvature_confidence [0, 7];
                            }
                            7 curvature_calculation_mode [0, 2];
                            8 {
                                0 yaw_rate_value [-32_766, 32_767];
                                1 yaw_rate_confidence [0, 8];
                            }
                        }
                    }
                }
            }
        }
    };
}

macro_rules! write {
    ($out:ident $m:ident $rules:ident;) => {};
    ($out:ident $m:ident $rules:ident; $place:literal $field:ident [$low:expr, $high:expr]; $($rest:tt)*) => {
        $out.number::<$rules>($place, $m.$field.into(), $low, $high);
        write! { $out $m $rules; $($rest)* }
    };
    ($out:ident $m:ident $rules:ident; $place:literal { $($inside:tt)* } $($rest:tt)*) => {
        let start = $out.open::<$rules>($place);
        write! { $out $m $rules; $($inside)* }
        $out.close::<$rules>(start);
        write! { $out $m $rules; $($rest)* }
    };
}

macro_rules! read {
    ($input:ident $m:ident $rules:ident;) => {};
    ($input:ident $m:ident $rules:ident; $place:literal $field:ident [$low:expr, $high:expr]; $($rest:tt)*) => {
        $m.$field = $input.number::<$rules>($place, $low, $high)? as _;
        read! { $input $m $rules; $($rest)* }
    };
    ($input:ident $m:ident $rules:ident; $place:literal { $($inside:tt)* } $($rest:tt)*) => {
        let end = $input.open::<$rules>($place)?;
        read! { $input $m $rules; $($inside)* }
        if $input.at != end {
            return Err(Refused::Range);
        }
        read! { $input $m $rules; $($rest)* }
    };
}

/// Encodes.
#[inline]
pub(super) fn encode<R: Rules, const MIN: i64, const MAX: i64>(
    m: &Cam,
    out: &mut [u8; ROOM],
) -> Result<usize, Refused> {
    let mut out = Output { out, at: R::FIRST, ok: true };
    fields! { write out m R MIN MAX }
    let Output { out, at, ok } = out;
    if ok { Ok(R::finish(out, at)) } else { Err(Refused::Range) }
}

/// Decodes over the content of the place.
#[inline]
pub(super) fn decode<R: Rules, const MIN: i64, const MAX: i64>(octets: &[u8], m: &mut Cam) -> Result<(), Refused> {
    let (at, end, ok) = R::begin(octets);
    if end > octets.len() {
        return Err(Refused::Length);
    }
    let mut input = Input { octets, at: at as u32 };
    fields! { read input m R MIN MAX }
    if ok && input.at as usize == end { Ok(()) } else { Err(Refused::Range) }
}

struct Output<'a> {
    out: &'a mut [u8; ROOM],
    at: usize,
    ok: bool,
}

impl Output<'_> {
    #[inline(always)]
    fn number<R: Rules>(&mut self, field: u8, value: i64, low: i64, high: i64) {
        offset(value, low, high, &mut self.ok);
        let (word, octets) = R::number(field, value, (low, high));
        match self.out.get_mut(self.at..self.at + 8) {
            Some(place) => place.copy_from_slice(&word.to_ne_bytes()),
            None => self.ok = false,
        }
        self.at += octets;
    }

    /// Leaves an octet for the length, which is below 128 but for the outermost containers.
    #[inline(always)]
    fn open<R: Rules>(&mut self, field: u8) -> usize {
        if let Some(place) = self.out.get_mut(self.at) {
            *place = R::container(field);
        }
        self.at += 2;
        self.at
    }

    #[inline(always)]
    fn close<R: Rules>(&mut self, start: usize) {
        self.at = R::length(self.out, start, self.at);
    }
}

struct Input<'a> {
    octets: &'a [u8],
    /// Half of a `usize`, so that no sum overflows.
    at: u32,
}

impl Input<'_> {
    #[inline(always)]
    fn number<R: Rules>(&mut self, field: u8, low: i64, high: i64) -> Result<i64, Refused> {
        let (value, octets, mut ok) = R::read_number(word(self.octets, self.at), field, (low, high));
        self.at += octets as u32;
        offset(value, low, high, &mut ok);
        if ok { Ok(value) } else { Err(Refused::Range) }
    }

    /// Where the container ends.
    #[inline(always)]
    fn open<R: Rules>(&mut self, field: u8) -> Result<u32, Refused> {
        let (head, content, ok) = R::read_container(word(self.octets, self.at), R::container(field));
        self.at += head as u32;
        if ok { Ok(self.at + content as u32) } else { Err(Refused::Range) }
    }
}

/// The eight octets from a place on, with zeros after the last one.
#[inline(always)]
fn word(octets: &[u8], at: u32) -> u64 {
    let at = at as usize;
    #[cold]
    #[inline(never)]
    fn last(octets: &[u8], at: usize) -> u64 {
        let mut padded = [0; 8];
        for (place, octet) in padded.iter_mut().zip(octets.iter().skip(at)) {
            *place = *octet;
        }
        u64::from_ne_bytes(padded)
    }
    match octets.get(at..at + 8).and_then(|octets| octets.try_into().ok()) {
        Some(octets) => u64::from_ne_bytes(octets),
        None => last(octets, at),
    }
}

/// X.690.
pub(super) struct Der;

impl Rules for Der {
    /// The head of a message of 128 octets or more.
    const FIRST: usize = 3;

    #[inline(always)]
    fn number(field: u8, value: i64, bounds: (i64, i64)) -> (u64, usize) {
        let octets = match bounds {
            (-128.., ..=127) => 1,
            _ => (64 - (value ^ value >> 63).leading_zeros() as usize) / 8 + 1,
        };
        let content = (value as u64) << (64 - 8 * octets) >> 16;
        ((u64::from(0x80 | field) << 56 | (octets as u64) << 48 | content).to_be(), octets + 2)
    }

    #[inline(always)]
    fn container(field: u8) -> u8 {
        0xA0 | field
    }

    #[inline(always)]
    fn length(out: &mut [u8; ROOM], start: usize, end: usize) -> usize {
        let length = end - start;
        if length < 0x80 {
            out[start - 1] = length as u8;
            return end;
        }
        out.copy_within(start..end.min(ROOM - 1), start + 1);
        out[start - 1] = 0x81;
        out[start] = length as u8;
        end + 1
    }

    #[inline(always)]
    fn finish(out: &mut [u8; ROOM], end: usize) -> usize {
        let length = end - Self::FIRST;
        if length < 0x80 {
            out.copy_within(Self::FIRST..end, 2);
            out[..2].copy_from_slice(&[0x30, length as u8]);
            return end - 1;
        }
        out[..3].copy_from_slice(&[0x30, 0x81, length as u8]);
        end
    }

    #[inline(always)]
    fn read_number(word: u64, field: u8, bounds: (i64, i64)) -> (i64, usize, bool) {
        let [tag, length, ..] = word.to_ne_bytes();
        let is_field = tag == 0x80 | field;
        let content = (u64::from_be(word) << 16) as i64;
        if let (-128.., ..=127) = bounds {
            return (content >> 56, 3, is_field && length == 1);
        }
        // Not more octets than it needs (X.690 §8.3.2).
        let is_short = !matches!(content >> 55, 0 | -1);
        if length == 1 {
            (content >> 56, 3, is_field)
        } else if let (-32_768.., ..=32_767) = bounds {
            (content >> 48, 4, is_field && is_short && length == 2)
        } else if length == 2 {
            (content >> 48, 4, is_field && is_short)
        } else if length == 3 {
            (content >> 40, 5, is_field && is_short)
        } else if length == 4 {
            (content >> 32, 6, is_field && is_short)
        } else {
            (content >> 24, 7, is_field && is_short && length == 5)
        }
    }

    #[inline(always)]
    fn read_container(word: u64, expected: u8) -> (usize, usize, bool) {
        let [tag, first, second, ..] = word.to_ne_bytes();
        match first {
            0..0x80 => (2, first.into(), tag == expected),
            // Not more octets than it needs (X.690 §10.1).
            _ => (3, second.into(), tag == expected && first == 0x81 && second >= 0x80),
        }
    }

    #[inline(always)]
    fn begin(octets: &[u8]) -> (usize, usize, bool) {
        let (head, content, ok) = Self::read_container(word(octets, 0), 0x30);
        (head, head + content, ok)
    }
}

/// Protocol Buffers; a number that may be below zero is in zigzag.
pub(super) struct Protobuf;

/// The first bit of each octet, which says that there is another.
const MORE: u64 = 0x80_8080_8080;

impl Rules for Protobuf {
    const FIRST: usize = 0;

    #[inline(always)]
    fn number(field: u8, value: i64, bounds: (i64, i64)) -> (u64, usize) {
        let key = u64::from((field + 1) << 3);
        let value = if bounds.0 < 0 { (value << 1 ^ value >> 63) as u64 } else { value as u64 };
        if let (0.., ..=127) = bounds {
            return ((key | value << 8).to_le(), 2);
        }
        let octets = (63 - (value | 1).leading_zeros() as usize) / 7 + 1;
        let parts = value & 0x7F
            | (value & 0x3F80) << 1
            | (value & 0x1F_C000) << 2
            | (value & 0xFE0_0000) << 3
            | (value & 0x7_F000_0000) << 4;
        let more = MORE & ((1 << (8 * (octets - 1))) - 1);
        ((key | (parts | more) << 8).to_le(), octets + 1)
    }

    #[inline(always)]
    fn container(field: u8) -> u8 {
        (field + 1) << 3 | 2
    }

    /// The message has at most 120 octets.
    #[inline(always)]
    fn length(out: &mut [u8; ROOM], start: usize, end: usize) -> usize {
        out[start - 1] = (end - start) as u8;
        end
    }

    #[inline(always)]
    fn finish(_: &mut [u8; ROOM], end: usize) -> usize {
        end
    }

    #[inline(always)]
    fn read_number(word: u64, field: u8, bounds: (i64, i64)) -> (i64, usize, bool) {
        let word = u64::from_le(word);
        let is_field = word as u8 == (field + 1) << 3;
        if let (0.., ..=127) = bounds {
            return ((word >> 8 & 0xFF) as i64, 2, is_field);
        }
        let parts = |octets: u32| {
            let parts = word >> 8 & u64::MAX >> (64 - 8 * octets);
            parts & 0x7F
                | parts >> 1 & 0x3F80
                | parts >> 2 & 0x1F_C000
                | parts >> 3 & 0xFE0_0000
                | parts >> 4 & 0x7_F000_0000
        };
        let most = if let (-8192.., ..=8191) | (0.., ..=16_383) = bounds {
            2
        } else if let (-32_768.., ..=65_535) = bounds {
            3
        } else {
            5
        };
        let (value, octets, is_field) = if word & 0x8000 == 0 {
            (parts(1), 1, is_field)
        } else if word & 0x80_0000 == 0 || most == 2 {
            (parts(2), 2, is_field && word & 0x80_0000 == 0)
        } else if word & 0x8000_0000 == 0 || most == 3 {
            (parts(3), 3, is_field && word & 0x8000_0000 == 0)
        } else if word & 0x80_0000_0000 == 0 {
            (parts(4), 4, is_field)
        } else {
            (parts(5), 5, is_field && word & 0x8000_0000_0000 == 0)
        };
        let value = if bounds.0 < 0 { (value >> 1) as i64 ^ -((value & 1) as i64) } else { value as i64 };
        (value, octets + 1, is_field)
    }

    #[inline(always)]
    fn read_container(word: u64, expected: u8) -> (usize, usize, bool) {
        let [tag, length, ..] = word.to_ne_bytes();
        (2, length.into(), tag == expected && length < 0x80)
    }

    #[inline(always)]
    fn begin(octets: &[u8]) -> (usize, usize, bool) {
        (0, octets.len(), true)
    }
}
