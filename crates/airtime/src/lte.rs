//! LTE-V2X: the part of a 10 MHz channel that a packet takes (PC5 mode 4, TS 36.213).

use crate::ofdm::TooLong;

/// Resource blocks that a transmission may have, up to the 50 of 10 MHz: products of 2, 3 and 5,
/// since its DFT has no other sizes (TS 36.211 §5.3.3 and §9.3.4).
pub const BLOCKS: [u32; 24] = [1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 27, 30, 32, 36, 40, 45, 48, 50];

/// Transport block sizes in bits: the columns of [`BLOCKS`] of TS 36.213 Table 7.1.7.2.1-1, for
/// I_TBS 0 to 19, which are QPSK and 16-QAM.
const SIZES: [[u16; 24]; 20] = [
    [
        16, 32, 56, 88, 120, 152, 208, 224, 256, 328, 392, 424, 488, 536, 648, 680, 744, 808, 872, 1000, 1096, 1256,
        1320, 1384,
    ],
    [
        24, 56, 88, 144, 176, 208, 256, 328, 344, 424, 520, 568, 632, 712, 872, 904, 968, 1064, 1160, 1288, 1416, 1608,
        1736, 1800,
    ],
    [
        32, 72, 144, 176, 208, 256, 328, 376, 424, 520, 648, 696, 776, 872, 1064, 1096, 1192, 1320, 1416, 1608, 1800,
        2024, 2152, 2216,
    ],
    [
        40, 104, 176, 208, 256, 328, 440, 504, 568, 680, 872, 904, 1032, 1160, 1384, 1416, 1544, 1736, 1864, 2088,
        2344, 2600, 2792, 2856,
    ],
    [
        56, 120, 208, 256, 328, 408, 552, 632, 696, 840, 1064, 1128, 1288, 1416, 1736, 1800, 1928, 2152, 2280, 2600,
        2856, 3240, 3496, 3624,
    ],
    [
        72, 144, 224, 328, 424, 504, 680, 776, 872, 1032, 1320, 1384, 1544, 1736, 2088, 2216, 2344, 2664, 2792, 3112,
        3496, 4008, 4264, 4392,
    ],
    [
        328, 176, 256, 392, 504, 600, 808, 936, 1032, 1224, 1544, 1672, 1864, 2088, 2472, 2600, 2792, 3112, 3368, 3752,
        4136, 4776, 4968, 5160,
    ],
    [
        104, 224, 328, 472, 584, 712, 968, 1096, 1224, 1480, 1800, 1928, 2216, 2472, 2984, 3112, 3368, 3624, 3880,
        4392, 4968, 5544, 5992, 6200,
    ],
    [
        120, 256, 392, 536, 680, 808, 1096, 1256, 1384, 1672, 2088, 2216, 2536, 2792, 3368, 3496, 3752, 4264, 4584,
        4968, 5544, 6200, 6712, 6968,
    ],
    [
        136, 296, 456, 616, 776, 936, 1256, 1416, 1544, 1864, 2344, 2536, 2856, 3112, 3752, 4008, 4264, 4776, 5160,
        5736, 6200, 6968, 7480, 7992,
    ],
    [
        144, 328, 504, 680, 872, 1032, 1384, 1544, 1736, 2088, 2664, 2792, 3112, 3496, 4264, 4392, 4776, 5352, 5736,
        6200, 6968, 7992, 8504, 8760,
    ],
    [
        176, 376, 584, 776, 1000, 1192, 1608, 1800, 2024, 2408, 2984, 3240, 3624, 4008, 4776, 4968, 5544, 5992, 6456,
        7224, 7992, 9144, 9528, 9912,
    ],
    [
        208, 440, 680, 904, 1128, 1352, 1800, 2024, 2280, 2728, 3368, 3624, 4136, 4584, 5544, 5736, 6200, 6712, 7224,
        8248, 9144, 10296, 11064, 11448,
    ],
    [
        224, 488, 744, 1000, 1256, 1544, 2024, 2280, 2536, 3112, 3880, 4136, 4584, 5160, 6200, 6456, 6968, 7736, 8248,
        9144, 10296, 11448, 12216, 12960,
    ],
    [
        256, 552, 840, 1128, 1416, 1736, 2280, 2600, 2856, 3496, 4264, 4584, 5160, 5736, 6968, 7224, 7736, 8504, 9144,
        10296, 11448, 12960, 13536, 14112,
    ],
    [
        280, 600, 904, 1224, 1544, 1800, 2472, 2728, 3112, 3624, 4584, 4968, 5544, 6200, 7224, 7736, 8248, 9144, 9912,
        11064, 12216, 13536, 14688, 15264,
    ],
    [
        328, 632, 968, 1288, 1608, 1928, 2600, 2984, 3240, 3880, 4968, 5160, 5992, 6456, 7736, 7992, 8760, 9912, 10296,
        11832, 12960, 14688, 15840, 16416,
    ],
    [
        336, 696, 1064, 1416, 1800, 2152, 2856, 3240, 3624, 4392, 5352, 5736, 6456, 7224, 8760, 9144, 9912, 10680,
        11448, 12960, 14688, 16416, 17568, 18336,
    ],
    [
        376, 776, 1160, 1544, 1992, 2344, 3112, 3624, 4008, 4776, 5992, 6200, 7224, 7992, 9528, 9912, 10680, 11832,
        12576, 14112, 15840, 17568, 19080, 19848,
    ],
    [
        408, 840, 1288, 1736, 2152, 2600, 3496, 3880, 4264, 5160, 6456, 6968, 7736, 8504, 10296, 10680, 11448, 12960,
        13536, 15264, 16992, 19080, 20616, 21384,
    ],
];

/// A resource pool of a 10 MHz channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Resource blocks of a subchannel: 4 to 50 (TS 36.331, sizeSubchannel-r14).
    pub blocks: u32,
    /// Subchannels in a subframe: `blocks * subchannels` is at most 50.
    pub subchannels: u32,
    /// Modulation and coding scheme: 0 to 20.
    pub mcs: u8,
    /// How often each packet is sent: 1, or 2 with a blind retransmission (TS 36.321 §5.14.1.1).
    pub transmissions: u32,
}

/// Five subchannels of ten blocks. MCS 7 is QPSK with a code rate near 1/2, as 6 Mbit/s of IEEE
/// 802.11p is.
pub const DEFAULT: Pool = Pool { blocks: 10, subchannels: 5, mcs: 7, transmissions: 1 };

/// Resource blocks of the PSCCH, which announces the PSSCH beside it in the same subframe (TS
/// 36.213 §14.1.1.4C).
const CONTROL: u32 = 2;

/// Octets that are added to a GeoNetworking packet: the octet that names the message family (TS
/// 24.386 §7.1), PDCP (5, TS 36.323 §6.2.10), RLC in unacknowledged mode (1, TS 36.322 §6.2.1.3),
/// the subheaders of SL-SCH (7) and of the one SDU (1) (TS 36.321 §6.1.6).
pub const OVERHEAD: u32 = 1 + 5 + 1 + 7 + 1;

/// Subframes a second.
pub const SUBFRAMES: u32 = 1000;

/// The resources that one transmission takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupied {
    /// Resource blocks of the data.
    pub blocks: u32,
    /// Subchannels of a subframe.
    pub subchannels: u32,
    /// Bits of the transport block: what does not fill it is padding.
    pub bits: u32,
}

impl Pool {
    /// I_TBS of the modulation and coding scheme (TS 36.213 Table 8.6.1-1).
    const fn row(&self) -> Option<usize> {
        match self.mcs {
            0..=10 => Some(self.mcs as usize),
            11..=20 => Some(self.mcs as usize - 1),
            _ => None,
        }
    }

    /// The least subchannels that hold a packet, with the least resource blocks in them.
    ///
    /// # Errors
    /// All subchannels of a subframe do not hold it; or the pool has a scheme above 20, or more
    /// than 50 blocks.
    pub fn occupied(&self, packet: u32) -> Result<Occupied, TooLong> {
        let octets = packet.saturating_add(OVERHEAD);
        let too_long = TooLong { octets };
        let all = self.blocks.saturating_mul(self.subchannels);
        let row = SIZES[self.row().filter(|_| self.blocks > 0 && all <= 50).ok_or(too_long)?];
        let bits = octets.checked_mul(8).ok_or(too_long)?;
        let fits = BLOCKS.iter().zip(row).find(|(_, size)| u32::from(*size) >= bits);
        // A size may be below that of fewer blocks (I_TBS 6 with one block), so the first that fits
        // is looked for.
        let (&blocks, size) = fits.ok_or(too_long)?;
        let subchannels = (blocks + CONTROL).div_ceil(self.blocks);
        if subchannels > self.subchannels {
            return Err(too_long);
        }
        Ok(Occupied { blocks, subchannels, bits: size.into() })
    }

    /// The load that one station makes with `hertz` packets a second: the share of all subchannels,
    /// 0 to 1.
    ///
    /// # Errors
    /// As [`Pool::occupied`].
    pub fn load(&self, packet: u32, hertz: f64) -> Result<f64, TooLong> {
        let taken = f64::from(self.occupied(packet)?.subchannels) * f64::from(self.transmissions);
        Ok(hertz * taken / (f64::from(self.subchannels) * f64::from(SUBFRAMES)))
    }
}
