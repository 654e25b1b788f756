//! Recorded road traffic: from the octets of a file to the message in a frame.
//!
//! Invariants: no octets of a file or frame cause a panic. A dissection takes no heap, and has
//! every layer before the one that it could not read, with the fault and its octet. A reader holds
//! one record at a time. Each header is encoded to the octets that it was decoded from.
//!
//! Absent on purpose: messages (a payload is octets here), signatures and decryption, IP fragments,
//! and writing of recordings.
//!
//! A [`Dissection`] takes one frame apart, layer by layer, without a heap. Each layer is a type
//! that can be decoded and encoded: [`link`], [`internet`], [`geonetworking`], [`security`],
//! [`btp`], [`wsmp`]. With the feature `std`, [`file`](mod@file) reads frames from pcap and pcapng,
//! gzipped too, from a file or a pipe.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use roadwire_capture::{Dissection, file::Reader};
//!
//! // A file with one frame, that has only the header of the link layer.
//! let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
//! file.extend([0x61, 0x9d, 0xda, 0x5d, 0x46, 0x30, 3, 0, 14, 0, 0, 0, 14, 0, 0, 0]);
//! file.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 1, 2, 3, 4, 5, 0x89, 0x47]);
//!
//! let mut reader = Reader::new(file.as_slice());
//! while let Some(frame) = reader.next_frame() {
//!     let frame = frame?;
//!     assert_eq!((frame.number, frame.time.map(|time| time.seconds)), (1, Some(1_574_608_225)));
//!     let found = Dissection::new(frame.link_type, frame.check, frame.octets);
//!     assert_eq!(found.problem.map(|problem| problem.code()), Some("frame.truncated"));
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "std"), no_std)]

pub mod btp;
mod dissection;
mod fault;
#[cfg(feature = "std")]
pub mod file;
pub mod geonetworking;
pub mod internet;
pub mod link;
mod octets;
pub mod security;
mod time;
pub mod wsmp;

pub use dissection::{Check, Dissection, frame_check_sequence};
pub use fault::{Error, Fault, faults};
pub use link::LinkType;
pub use octets::Output;
pub use time::Time;
