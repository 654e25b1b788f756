//! pcap: a header of 24 octets, and a record for each frame.

use std::io::Read;

use super::buffer::Buffer;
use super::{MAX_RECORD, Order, Problem, Record};
use crate::dissection::Check;
use crate::fault::faults;
use crate::link::LinkType;
use crate::time::Time;

/// The header of a file.
pub(super) struct Pcap {
    order: Order,
    /// Fractions of a second that its times count.
    per_second: u32,
    /// Octets of a record's header: 24 in the variant that A. Kuznetzov gave Linux, which adds the
    /// interface, the protocol and the packet's type.
    header: usize,
    link_type: LinkType,
    check: Check,
}

pub(super) const HEADER: usize = 24;

impl Pcap {
    pub(super) fn start<R: Read>(buffer: &mut Buffer<R>) -> Result<Pcap, Problem> {
        let first = buffer.rest().first_chunk::<4>().ok_or(faults::FILE_FORMAT)?;
        let kind = |number| match number {
            0xa1b2_c3d4 => Some((1_000_000, 16)),
            0xa1b2_3c4d => Some((1_000_000_000, 16)),
            0xa1b2_cd34 => Some((1_000_000, 24)),
            _ => None,
        };
        let orders = [Order::Little, Order::Big];
        let (order, (per_second, header)) =
            orders.into_iter().find_map(|order| Some((order, kind(order.u32(*first))?))).ok_or(faults::FILE_FORMAT)?;
        if !buffer.fill(HEADER)? {
            return Err(faults::FILE_TRUNCATED.into());
        }
        let &[_, _, _, _, a, b, _, _, _, _, _, _, _, _, _, _, _, _, _, _, e, f, g, h, ..] = buffer.rest() else {
            return Err(faults::FILE_TRUNCATED.into());
        };
        if order.u16([a, b]) != 2 {
            return Err(faults::FILE_VERSION.into());
        }
        buffer.consume(HEADER);
        let network = order.u32([e, f, g, h]);
        // Bit 26 says that bits 31 to 28 tell the length of the frame check sequence: in octets, or
        // in units of two.
        let check = match (network & 0x0400_0000 != 0, network >> 28) {
            (true, 0) => Check::Absent,
            (true, 2 | 4) => Check::Present,
            _ => Check::Unknown,
        };
        Ok(Pcap { order, per_second, header, link_type: LinkType(network as u16), check })
    }

    pub(super) fn record<R: Read>(&self, buffer: &mut Buffer<R>) -> Result<Option<Record>, Problem> {
        if !buffer.fill(self.header)? {
            return if buffer.rest().is_empty() { Ok(None) } else { Err(faults::FILE_TRUNCATED.into()) };
        }
        let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = buffer.rest() else {
            return Err(faults::FILE_TRUNCATED.into());
        };
        let seconds = self.order.u32([a, b, c, d]);
        let fraction = self.order.u32([e, f, g, h]);
        let length = self.order.u32([i, j, k, l]) as usize;
        let original_length = self.order.u32([m, n, o, p]);
        if length > MAX_RECORD {
            return Err(faults::FILE_LIMIT.into());
        }
        if !buffer.fill(self.header + length)? {
            return Err(faults::FILE_TRUNCATED.into());
        }
        let place = buffer.consume(self.header + length);
        let octets = place.start + self.header..place.end;
        let time = Time {
            seconds: i64::from(seconds) + i64::from(fraction / self.per_second),
            nanoseconds: fraction % self.per_second * (1_000_000_000 / self.per_second),
        };
        Ok(Some(Record { time: Some(time), link_type: self.link_type, check: self.check, original_length, octets }))
    }
}
