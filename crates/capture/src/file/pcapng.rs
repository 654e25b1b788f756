//! pcapng: blocks, in sections that each have an order of octets and interfaces of their own.

use std::io::Read;
use std::ops::Range;

use super::buffer::Buffer;
use super::{MAX_RECORD, Order, Problem, Record};
use crate::dissection::Check;
use crate::fault::faults;
use crate::link::LinkType;
use crate::time::Time;

/// The section that is being read.
#[derive(Default)]
pub(super) struct Pcapng {
    order: Order,
    interfaces: Vec<Interface>,
    /// Where the blocks of the section and its interfaces are, those next to each other as one.
    described: Vec<Range<u64>>,
}

/// An interface, as its block describes it.
#[derive(Clone, Copy)]
struct Interface {
    link_type: LinkType,
    check: Check,
    /// Octets of a frame that are recorded at most; 0 if there is no bound.
    snapshot: u32,
    resolution: Resolution,
    /// Seconds that are added to its times.
    offset: i64,
}

/// How many units of time a second has.
#[derive(Clone, Copy)]
enum Resolution {
    /// So many: up to 10^9.
    Few(u64),
    /// So many.
    Many(u128),
    /// More than a time could count in a nanosecond.
    Endless,
}

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
/// The packet block that enhanced packet blocks have replaced.
const OBSOLETE: u32 = 2;
const SIMPLE: u32 = 3;
const ENHANCED: u32 = 6;

/// Options of a block that describes an interface, and of an enhanced packet block.
const RESOLUTION: u16 = 9;
const CHECK: u16 = 13;
const OFFSET: u16 = 14;
const FLAGS: u16 = 2;

const MAX_INTERFACES: usize = 1 << 16;

impl Pcapng {
    /// The next frame. All blocks before it are read or skipped.
    pub(super) fn record<R: Read>(&mut self, buffer: &mut Buffer<R>) -> Result<Option<Record>, Problem> {
        loop {
            let octet = buffer.offset();
            let at = |problem: Problem| Problem { octet: Some(octet), ..problem };
            match self.block(buffer).map_err(at)? {
                Block::End => return Ok(None),
                Block::Other => {}
                Block::Frame(record) => return Ok(Some(record)),
            }
        }
    }

    /// The places of the blocks that describe the records that come next.
    pub(super) fn described(&self) -> &[Range<u64>] {
        &self.described
    }

    fn describe(&mut self, place: Range<u64>) {
        match self.described.last_mut() {
            Some(last) if last.end == place.start => last.end = place.end,
            _ => self.described.push(place),
        }
    }

    fn block<R: Read>(&mut self, buffer: &mut Buffer<R>) -> Result<Block, Problem> {
        if !buffer.fill(12)? {
            return if buffer.rest().is_empty() { Ok(Block::End) } else { Err(faults::FILE_TRUNCATED.into()) };
        }
        let &[a, b, c, d, e, f, g, h, i, j, k, l, ..] = buffer.rest() else {
            return Err(faults::FILE_TRUNCATED.into());
        };
        let kind = self.order.u32([a, b, c, d]);
        if kind == SECTION {
            self.order = match [i, j, k, l] {
                [0x4d, 0x3c, 0x2b, 0x1a] => Order::Little,
                [0x1a, 0x2b, 0x3c, 0x4d] => Order::Big,
                _ => return Err(faults::FILE_FORMAT.into()),
            };
            self.interfaces.clear();
            self.described.clear();
        }
        let length = self.order.u32([e, f, g, h]);
        // Type, length, and the length again.
        if length < 12 || length % 4 != 0 {
            return Err(faults::FILE_LENGTH.into());
        }
        if !matches!(kind, SECTION | INTERFACE | OBSOLETE | SIMPLE | ENHANCED) {
            self.skip(buffer, length)?;
            return Ok(Block::Other);
        }
        let octet = buffer.offset();
        let length = usize::try_from(length).ok().filter(|length| *length <= MAX_RECORD).ok_or(faults::FILE_LIMIT)?;
        if !buffer.fill(length)? {
            return Err(faults::FILE_TRUNCATED.into());
        }
        let held = buffer.consume(length);
        let block = buffer.octets(held.clone());
        let (first, last) = (block.get(4..8), block.get(length - 4..));
        if first != last {
            return Err(faults::FILE_LENGTH.into());
        }
        let body = Body { octets: block.get(8..length - 4).unwrap_or(&[]), order: self.order };
        let place = octet..octet.wrapping_add(length as u64);
        match kind {
            SECTION => {
                let major = body.u16(4).ok_or(faults::FILE_LENGTH)?;
                self.describe(place);
                if major == 1 { Ok(Block::Other) } else { Err(faults::FILE_VERSION.into()) }
            }
            INTERFACE => {
                if self.interfaces.len() >= MAX_INTERFACES {
                    return Err(faults::FILE_INTERFACES.into());
                }
                self.interfaces.push(interface(&body).ok_or(faults::FILE_LENGTH)?);
                self.describe(place);
                Ok(Block::Other)
            }
            _ => {
                let packet = if kind == SIMPLE { self.simple(&body) } else { packet(kind, &body) };
                let packet = packet.ok_or_else(|| Problem::of_packet(faults::FILE_LENGTH, octet))?;
                let interface = self.interfaces.get(packet.interface);
                let interface = interface.ok_or_else(|| Problem::of_packet(faults::FILE_INTERFACE, octet))?;
                let start = held.start + 8 + packet.start;
                Ok(Block::Frame(Record {
                    time: packet.ticks.map(|ticks| interface.time(ticks)),
                    link_type: interface.link_type,
                    check: packet.check.unwrap_or(interface.check),
                    original_length: packet.original_length,
                    octets: start..start + packet.length,
                }))
            }
        }
    }

    /// A block of a kind that is not read: its length is, at both ends.
    fn skip<R: Read>(&self, buffer: &mut Buffer<R>, length: u32) -> Result<(), Problem> {
        if !buffer.skip(u64::from(length) - 4)? || !buffer.fill(4)? {
            return Err(faults::FILE_TRUNCATED.into());
        }
        let again = buffer.rest().first_chunk().map(|octets| self.order.u32(*octets));
        buffer.consume(4);
        if again == Some(length) { Ok(()) } else { Err(faults::FILE_LENGTH.into()) }
    }

    /// A simple packet block: of the first interface, without a time, and as long as the block and
    /// the interface's bound let it be.
    fn simple(&self, body: &Body<'_>) -> Option<Packet> {
        let original_length = body.u32(0)?;
        let bound = match self.interfaces.first() {
            Some(interface) if interface.snapshot != 0 => interface.snapshot.min(original_length),
            _ => original_length,
        };
        let length = usize::try_from(bound).ok()?;
        body.octets.get(4..length.checked_add(4)?)?;
        Some(Packet { interface: 0, ticks: None, original_length, start: 4, length, check: None })
    }
}

enum Block {
    End,
    Other,
    Frame(Record),
}

/// The octets of a block between its lengths.
struct Body<'b> {
    octets: &'b [u8],
    order: Order,
}

impl<'b> Body<'b> {
    fn u16(&self, at: usize) -> Option<u16> {
        Some(self.order.u16(*self.octets.get(at..)?.first_chunk()?))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        Some(self.order.u32(*self.octets.get(at..)?.first_chunk()?))
    }

    /// The options from `at` on: code and contents. Nothing for one that does not fit.
    fn options(&self, mut at: usize) -> impl Iterator<Item = Option<(u16, &'b [u8])>> {
        let (octets, order) = (self.octets, self.order);
        let body = Body { octets, order };
        std::iter::from_fn(move || {
            if at >= octets.len() {
                return None;
            }
            let mut read = || {
                let (code, length) = (body.u16(at)?, usize::from(body.u16(at + 2)?));
                let contents = octets.get(at + 4..at + 4 + length)?;
                at += 4 + length.next_multiple_of(4);
                Some((code, contents))
            };
            match read() {
                // The end of options.
                Some((0, _)) => None,
                None => {
                    at = octets.len();
                    Some(None)
                }
                some => Some(some),
            }
        })
    }
}

fn interface(body: &Body<'_>) -> Option<Interface> {
    let mut found = Interface {
        link_type: LinkType(body.u16(0)?),
        check: Check::Unknown,
        snapshot: body.u32(4)?,
        resolution: Resolution::Few(1_000_000),
        offset: 0,
    };
    for option in body.options(8) {
        match option? {
            (RESOLUTION, [power, ..]) => found.resolution = resolution(*power),
            (CHECK, [length, ..]) => found.check = check(*length),
            (OFFSET, contents) => {
                found.offset = i64::from_ne_bytes(body.order.u64(*contents.first_chunk()?).to_ne_bytes())
            }
            _ => {}
        }
    }
    Some(found)
}

/// By the length of a frame check sequence: in octets, or in bits.
fn check(length: u8) -> Check {
    match length {
        0 => Check::Absent,
        4 | 32 => Check::Present,
        _ => Check::Unknown,
    }
}

/// A power of 10, or of 2 if the greatest bit is set.
fn resolution(power: u8) -> Resolution {
    let exponent = u32::from(power & 0x7f);
    let units = if power & 0x80 != 0 { Some(1u128 << exponent) } else { 10u128.checked_pow(exponent) };
    match units {
        Some(units) if units <= 1_000_000_000 => Resolution::Few(units as u64),
        Some(units) => Resolution::Many(units),
        None => Resolution::Endless,
    }
}

impl Interface {
    fn time(&self, ticks: u64) -> Time {
        let (seconds, nanoseconds) = match self.resolution {
            Resolution::Few(units) => (ticks / units, ticks % units * 1_000_000_000 / units),
            Resolution::Many(units) => {
                let ticks = u128::from(ticks);
                let rest = ticks % units;
                // The rest has 64 bits at most: it has been a part of the ticks.
                ((ticks / units) as u64, (rest * 1_000_000_000 / units) as u64)
            }
            Resolution::Endless => (0, 0),
        };
        let seconds = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_add(self.offset);
        Time { seconds, nanoseconds: nanoseconds as u32 }
    }
}

/// A packet in a block: `start` and `length` say where.
struct Packet {
    interface: usize,
    ticks: Option<u64>,
    original_length: u32,
    start: usize,
    length: usize,
    check: Option<Check>,
}

/// An enhanced packet block, or one of the kind that it has replaced.
fn packet(kind: u32, body: &Body<'_>) -> Option<Packet> {
    let interface = if kind == OBSOLETE { body.u16(0)?.into() } else { usize::try_from(body.u32(0)?).ok()? };
    let ticks = u64::from(body.u32(4)?) << 32 | u64::from(body.u32(8)?);
    let length = usize::try_from(body.u32(12)?).ok()?;
    let original_length = body.u32(16)?;
    let start = 20;
    let end = length.checked_add(start)?;
    body.octets.get(start..end)?;
    // Bits 5 to 8 are the length of the frame check sequence, if that is known.
    let flags = body.options(end.next_multiple_of(4)).flatten().find(|(code, _)| *code == FLAGS);
    let flags = flags.and_then(|(_, contents)| Some(body.order.u32(*contents.first_chunk()?)));
    let check = flags.map(|flags| (flags >> 5 & 0xf) as u8).filter(|length| *length != 0).map(check);
    Some(Packet { interface, ticks: Some(ticks), original_length, start, length, check })
}
