//! Octets as time on the channel.
//!
//! Invariants: results depend on the arguments alone, and those of the simulated road on its seed:
//! no clock, no files. Air times of IEEE 802.11p are whole microseconds, and each fact names its
//! clause. A message that is too long for a frame has no time, rather than a wrong one.
//!
//! Absent on purpose: encodings and their bits, of which only numbers of octets come in; movement
//! of stations, and capture of a later frame.
//!
//! A [`Frame`] adds up the octets of a message's layers, a [`Rate`] says how long the frame is on
//! the air, and [`load`] how many stations fit. [`lte`] and [`nr`] say the same for the other two
//! access technologies, [`dcc`] how often a station may send, and [`road`] simulates stations that
//! sense the carrier.
//!
//! A CAM of 41 octets, signed, with the digest of its certificate, as IEEE 802.11p sends it at 6
//! Mbit/s:
//!
//! ```
//! use roadwire_airtime::{Frame, Rate, Security, Transport, load};
//!
//! let frame = Frame::new(41, Transport::SingleHop, Security::DotTwoDigest);
//! assert_eq!(frame.psdu(), 41 + 4 + 28 + 8 + 93 + 4 + 8 + 26 + 4);
//!
//! // 22 + 8 * 216 = 1750 bits are 37 symbols of 48 bits: 40 + 8 * 37 microseconds.
//! let time = Rate::Mbps6.airtime_us(frame.psdu())?;
//! assert_eq!(time, 336);
//!
//! // At 10 messages a second, 178 stations fill 0.6 of the channel.
//! assert_eq!(load::stations(load::LIMIT, 10.0, f64::from(time)), 178);
//! # Ok::<(), roadwire_airtime::TooLong>(())
//! ```
#![forbid(unsafe_code)]

pub mod dcc;
mod edca;
mod layers;
pub mod load;
pub mod lte;
pub mod nr;
mod ofdm;
pub mod road;
pub mod saturation;

pub use edca::{Access, SIFS_US, SLOT_US};
pub use layers::{AROUND_PACKET, Frame, LONGEST_PACKET, Layer, Security, Transport};
pub use ofdm::{Rate, TooLong};
