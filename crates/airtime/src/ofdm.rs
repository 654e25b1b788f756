//! How long a frame is on the air: OFDM of IEEE 802.11 in channels of 10 MHz.

use core::fmt;

/// A rate at 10 MHz: half of that at 20 MHz (IEEE 802.11-2016 Table 17-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rate {
    /// BPSK, 1/2.
    Mbps3,
    /// BPSK, 3/4.
    Mbps4_5,
    /// QPSK, 1/2: what CAM and DENM are usually sent at.
    Mbps6,
    /// QPSK, 3/4.
    Mbps9,
    /// 16-QAM, 1/2.
    Mbps12,
    /// 16-QAM, 3/4.
    Mbps18,
    /// 64-QAM, 2/3.
    Mbps24,
    /// 64-QAM, 3/4.
    Mbps27,
}

/// Preamble (32 µs) and SIGNAL (8 µs), at 10 MHz (IEEE 802.11-2016 Table 17-5).
const PREAMBLE_AND_SIGNAL_US: u32 = 40;
/// One symbol at 10 MHz (IEEE 802.11-2016 Table 17-5).
const SYMBOL_US: u32 = 8;
/// SERVICE (16 bits) and tail (6 bits), which are sent around the PSDU (IEEE 802.11-2016 §17.3.5).
const SERVICE_AND_TAIL_BITS: u32 = 22;
/// The longest PSDU: LENGTH has 12 bits (IEEE 802.11-2016 §17.3.4.3).
const LONGEST: u32 = 4095;

impl Rate {
    /// All rates, the slowest first.
    pub const ALL: [Rate; 8] =
        [Rate::Mbps3, Rate::Mbps4_5, Rate::Mbps6, Rate::Mbps9, Rate::Mbps12, Rate::Mbps18, Rate::Mbps24, Rate::Mbps27];

    /// Data bits in a symbol: N_DBPS (IEEE 802.11-2016 Table 17-4).
    #[must_use]
    pub const fn bits_per_symbol(self) -> u32 {
        match self {
            Rate::Mbps3 => 24,
            Rate::Mbps4_5 => 36,
            Rate::Mbps6 => 48,
            Rate::Mbps9 => 72,
            Rate::Mbps12 => 96,
            Rate::Mbps18 => 144,
            Rate::Mbps24 => 192,
            Rate::Mbps27 => 216,
        }
    }

    /// Kilobits a second: 3000 to 27000.
    #[must_use]
    pub const fn kilobits(self) -> u32 {
        self.bits_per_symbol() * 1000 / SYMBOL_US
    }

    /// The rate of so many megabits a second.
    #[must_use]
    pub fn from_megabits(megabits: f64) -> Option<Rate> {
        Rate::ALL.into_iter().find(|rate| f64::from(rate.kilobits()) == megabits * 1000.0)
    }

    /// How long a frame is on the air, in microseconds: `40 + 8 * ceil((22 + 8 N) / N_DBPS)`, where
    /// N is the octets of the PSDU, from the MAC header to the frame check sequence (TXTIME, IEEE
    /// 802.11-2016 §17.4.3).
    ///
    /// # Errors
    /// A PSDU of more than 4095 octets.
    pub fn airtime_us(self, psdu: u32) -> Result<u32, TooLong> {
        if psdu > LONGEST {
            return Err(TooLong { octets: psdu });
        }
        let symbols = (SERVICE_AND_TAIL_BITS + 8 * psdu).div_ceil(self.bits_per_symbol());
        Ok(PREAMBLE_AND_SIGNAL_US + SYMBOL_US * symbols)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.kilobits()) / 1000.0)
    }
}

/// A message that no frame, or no transport block, can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Octets that it would take.
    pub octets: u32,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} octets are too long to be sent at once", self.octets)
    }
}

impl std::error::Error for TooLong {}
