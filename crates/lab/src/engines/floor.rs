//! The hand-written floor: mandatory-only CAM and DENM in UPER as a person would write them for this
//! one message. Every range is checked, there is one length check, no heap, no unsafe code.
//!
//! It is the reference of what is attainable. It knows nothing but these messages: anything optional
//! in the octets is refused.

mod cam;
mod denm;
mod read;
mod words;

use std::fmt;

use crate::content::{Message, Schema};
use crate::engine::{Absent, Bench, Cell, Codec, Engine, Kind, TimedRegion, Transcode};
use cam::Cam;
use denm::Denm;

/// The engine.
pub struct Floor;

impl Engine for Floor {
    fn name(&self) -> &str {
        "floor"
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn kind(&self) -> Kind {
        Kind::Floor
    }

    fn origin(&self) -> &str {
        "by hand"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "none".into(),
            presizing: "caller's array".into(),
            population: "outside".into(),
            validation: "all ranges, one length check".into(),
        }
    }

    fn cell(&self, message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent> {
        if rules != "uper" {
            return Err(Absent(format!("no floor written for {rules}")));
        }
        match message.id {
            "cam-mandatory" => Bench::boxed(CamCodec::<16, -30_000, 30_001>, message),
            "cam-mandatory-1.4.1" => Bench::boxed(CamCodec::<11, -1023, 1023>, message),
            "denm-mandatory" => Bench::boxed(DenmCodec::<false, 40>, message),
            "denm-mandatory-validity" => Bench::boxed(DenmCodec::<true, 43>, message),
            _ => Err(Absent("the floor knows mandatory fields only".into())),
        }
    }

    fn transcoder(&self, _schema: Schema, _rules: &str) -> Result<Box<dyn Transcode>, Absent> {
        Err(Absent("the floor knows mandatory fields only".into()))
    }
}

/// Why the floor refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// Too few octets to read, or too little room to write.
    Length,
    /// A value out of its range, or something present that is not mandatory.
    Range,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Length => "too short",
            Refused::Range => "out of range, or not mandatory-only",
        })
    }
}

/// `value - low`, noting a value outside `low..=high`.
#[inline(always)]
fn offset(value: i64, low: i64, high: i64, ok: &mut bool) -> u64 {
    let offset = value.wrapping_sub(low) as u64;
    *ok &= offset <= high.wrapping_sub(low) as u64;
    offset
}

/// `low + offset`, noting an offset beyond `high`.
#[inline(always)]
fn ranged(offset: u64, low: i64, high: i64, ok: &mut bool) -> i64 {
    *ok &= offset <= high.wrapping_sub(low) as u64;
    low.wrapping_add(offset as i64)
}

/// A big-endian word from eight octets.
#[inline(always)]
fn word(octets: &[u8]) -> u64 {
    octets.first_chunk().map_or(0, |o| u64::from_be_bytes(*o))
}

struct CamCodec<const BITS: usize, const MIN: i64, const MAX: i64>;

impl<const BITS: usize, const MIN: i64, const MAX: i64> Codec for CamCodec<BITS, MIN, MAX> {
    type Message<'a> = Cam;
    type Buffer = [u8; 64];
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<Cam, String> {
        read::cam(jer)
    }

    fn buffer(&self) -> [u8; 64] {
        [0; 64]
    }

    #[inline]
    fn encode(&self, message: &Cam, buffer: &mut [u8; 64]) -> Result<usize, Refused> {
        cam::encode::<BITS, MIN, MAX>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b [u8; 64], length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Cam>) -> Result<(), Refused> {
        *place = Some(cam::decode::<BITS, MIN, MAX>(octets)?);
        Ok(())
    }
}

struct DenmCodec<const VALIDITY: bool, const LENGTH: usize>;

impl<const VALIDITY: bool, const LENGTH: usize> Codec for DenmCodec<VALIDITY, LENGTH> {
    type Message<'a> = Denm;
    type Buffer = [u8; 64];
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<Denm, String> {
        const { assert!(LENGTH == denm::length(VALIDITY)) };
        read::denm(jer)
    }

    fn buffer(&self) -> [u8; 64] {
        [0; 64]
    }

    #[inline]
    fn encode(&self, message: &Denm, buffer: &mut [u8; 64]) -> Result<usize, Refused> {
        denm::encode::<VALIDITY, LENGTH>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b [u8; 64], length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Denm>) -> Result<(), Refused> {
        *place = Some(denm::decode::<VALIDITY, LENGTH>(octets)?);
        Ok(())
    }
}
