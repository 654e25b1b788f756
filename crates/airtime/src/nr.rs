//! NR-V2X: the part of a 10 MHz channel that a packet takes (PC5 mode 2, TS 38.214).

use crate::ofdm::TooLong;

/// A resource pool of a 10 MHz channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Resource blocks of a subchannel: 10, 12, 15, 20, 25, 50 (TS 38.331, sl-SubchannelSize).
    pub blocks: u32,
    /// Subchannels in a slot. 10 MHz have 52 blocks with 15 kHz between subcarriers, 24 with 30 kHz
    /// (TS 38.101-1 Table 5.3.2-1).
    pub subchannels: u32,
    /// Slots a second: 1000 with 15 kHz between subcarriers, 2000 with 30 kHz (TS 38.211 Table
    /// 4.3.2-1).
    pub slots: u32,
    /// Modulation and coding scheme: 0 to 28 (TS 38.214 Table 5.1.3.1-1).
    pub mcs: u8,
    /// Resource elements of a block that DM-RS takes on average: 12, 15, 18, 21 or 24 (TS 38.214
    /// Table 8.1.3.2-1).
    pub reference_elements: u32,
    /// Resource blocks of the PSCCH: 10, 12, 15, 20 or 25, at most those of a subchannel (TS
    /// 38.331, sl-FreqResourcePSCCH).
    pub control_blocks: u32,
    /// Symbols of the PSCCH: 2 or 3 (TS 38.331, sl-TimeResourcePSCCH).
    pub control_symbols: u32,
    /// How often each packet is sent: 1, or more with blind retransmissions.
    pub transmissions: u32,
}

/// Five subchannels of ten blocks, 15 kHz, no feedback channel. MCS 7 is QPSK with code rate
/// 526/1024, near that of 6 Mbit/s in IEEE 802.11p.
pub const DEFAULT: Pool = Pool {
    blocks: 10,
    subchannels: 5,
    slots: 1000,
    mcs: 7,
    reference_elements: 18,
    control_blocks: 10,
    control_symbols: 3,
    transmissions: 1,
};

/// Octets that are added to a GeoNetworking packet whose PDU has at most 255 octets: the octet that
/// names the message family (TS 24.587 §9.2), PDCP for broadcast (2: SN of 12 bits, TS 38.323
/// §6.2.2.4), RLC in unacknowledged mode with a whole SDU (1, TS 38.322 §6.2.2.3), the subheaders
/// of SL-SCH (4) and of the SDU (2) (TS 38.321 §6.1.6). A longer PDU has one octet more of length.
pub const OVERHEAD: u32 = 1 + 2 + 1 + 4 + 2;

/// Modulation order and code rate, times 1024 (TS 38.214 Table 5.1.3.1-1).
const SCHEMES: [(u32, u32); 29] = [
    (2, 120),
    (2, 157),
    (2, 193),
    (2, 251),
    (2, 308),
    (2, 379),
    (2, 449),
    (2, 526),
    (2, 602),
    (2, 679),
    (4, 340),
    (4, 378),
    (4, 434),
    (4, 490),
    (4, 553),
    (4, 616),
    (4, 658),
    (6, 438),
    (6, 466),
    (6, 517),
    (6, 567),
    (6, 616),
    (6, 666),
    (6, 719),
    (6, 772),
    (6, 822),
    (6, 873),
    (6, 910),
    (6, 948),
];

/// Transport block sizes up to 3824 bits (TS 38.214 Table 5.1.3.2-1).
#[rustfmt::skip]
const SIZES: [u16; 93] = [
    24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 176, 184, 192, 208, 224, 240,
    256, 272, 288, 304, 320, 336, 352, 368, 384, 408, 432, 456, 480, 504, 528, 552, 576, 608, 640, 672, 704, 736, 768,
    808, 848, 888, 928, 984, 1032, 1064, 1128, 1160, 1192, 1224, 1256, 1288, 1320, 1352, 1416, 1480, 1544, 1608, 1672,
    1736, 1800, 1864, 1928, 2024, 2088, 2152, 2216, 2280, 2408, 2472, 2536, 2600, 2664, 2728, 2792, 2856, 2976, 3104,
    3240, 3368, 3496, 3624, 3752, 3824,
];

/// Bits of SCI format 2-A (TS 38.212 §8.4.1.1) and of its check.
const SECOND_STAGE_BITS: u64 = 35 + 24;
/// The least beta offset of the second stage, times 8: 1.125 (TS 38.213 Table 9.3-2).
const BETA_EIGHTHS: u64 = 9;
/// The second stage is always QPSK (TS 38.211 §8.3.1.2).
const SECOND_STAGE_ORDER: u64 = 2;

/// The resources that one transmission takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupied {
    /// Subchannels of a slot.
    pub subchannels: u32,
    /// Bits of the transport block: what does not fill it is padding.
    pub bits: u32,
}

impl Pool {
    /// Bits of the transport block of so many subchannels; none if that is too few for control and
    /// reference signals, or the scheme is above 28.
    #[must_use]
    pub fn transport_block(&self, subchannels: u32) -> Option<u32> {
        let &(order, rate) = SCHEMES.get(usize::from(self.mcs))?;
        Some(transport_block(self.elements(subchannels, rate)?, order, rate))
    }

    /// Resource elements that are left for data (TS 38.214 §8.1.3.2): 12 of the 14 symbols carry
    /// the PSSCH; less DM-RS, PSCCH and the second stage of control.
    fn elements(&self, subchannels: u32, rate: u32) -> Option<u32> {
        let in_block = 12u32 * 12 - self.reference_elements.min(144);
        let all = in_block.checked_mul(self.blocks.checked_mul(subchannels)?)?;
        let first_stage = self.control_blocks.checked_mul(self.control_symbols.checked_mul(12)?)?;
        let second_stage = SECOND_STAGE_BITS * BETA_EIGHTHS * 1024;
        let second_stage = second_stage.div_ceil(8 * SECOND_STAGE_ORDER * u64::from(rate)) as u32;
        all.checked_sub(first_stage)?.checked_sub(second_stage)
    }

    /// The least subchannels that hold a packet.
    ///
    /// # Errors
    /// All subchannels of a slot do not hold it.
    pub fn occupied(&self, packet: u32) -> Result<Occupied, TooLong> {
        let octets = packet.saturating_add(OVERHEAD);
        // The length in the subheader counts the SDU: PDCP and RLC, not the subheaders of MAC.
        let octets = octets.saturating_add(u32::from(octets - 6 > 255));
        let fits = |subchannels: &u32| {
            self.transport_block(*subchannels).is_some_and(|bits| u64::from(bits) >= 8 * u64::from(octets))
        };
        let subchannels = (1..=self.subchannels).find(fits).ok_or(TooLong { octets })?;
        let bits = self.transport_block(subchannels).ok_or(TooLong { octets })?;
        Ok(Occupied { subchannels, bits })
    }

    /// The load that one station makes with `hertz` packets a second: the share of all subchannels,
    /// 0 to 1.
    ///
    /// # Errors
    /// As [`Pool::occupied`].
    pub fn load(&self, packet: u32, hertz: f64) -> Result<f64, TooLong> {
        let taken = f64::from(self.occupied(packet)?.subchannels) * f64::from(self.transmissions);
        Ok(hertz * taken / (f64::from(self.subchannels) * f64::from(self.slots)))
    }
}

/// The size for so many resource elements, one layer, a modulation order and a code rate times 1024
/// (TS 38.214 §5.1.3.2 steps 2 to 4).
#[must_use]
pub fn transport_block(elements: u32, order: u32, rate: u32) -> u32 {
    // N_info, times 1024.
    let information = u64::from(elements) * u64::from(order) * u64::from(rate);
    if information <= 3824 << 10 {
        let power = information.checked_ilog2().unwrap_or(0).saturating_sub(10 + 6).max(3);
        let quantized = (information >> 10 >> power << power).max(24);
        let size = SIZES.iter().find(|size| u64::from(**size) >= quantized);
        return size.map_or(3824, |size| u32::from(*size));
    }
    let above = information - (24 << 10);
    let power = above.ilog2() - 10 - 5;
    // Rounded to the next multiple, upwards in the middle.
    let unit = 1u64 << (power + 10);
    let quantized = (((above + unit / 2) / unit) << power).max(3840);
    let blocks = if rate <= 256 {
        (quantized + 24).div_ceil(3816)
    } else if quantized > 8424 {
        (quantized + 24).div_ceil(8424)
    } else {
        1
    };
    (8 * blocks * (quantized + 24).div_ceil(8 * blocks) - 24) as u32
}
