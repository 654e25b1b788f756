//! Codecs by hand: mandatory-only CAM (UPER, COER) and DENM (UPER), and the security envelope (its binary format), as a person would write them for this
//! one message. Every range is checked, there is one length check, no heap, no unsafe code.
//!
//! They are the reference for what is attainable. They support only these messages: anything optional
//! in the octets is refused.

mod cam;
mod cam_coer;
mod denm;
mod envelope;
mod read;
mod words;

use std::fmt;

use roadwire_layout::Rules;

use crate::content::{Message, Schema};
use crate::{Engine, Kind, TimedRegion};
use cam::Cam;
use denm::Denm;
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Transcode};

/// The engine.
pub struct ByHand;

impl Engine for ByHand {
    fn name(&self) -> &str {
        "by hand"
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn kind(&self) -> Kind {
        Kind::ByHand
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

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match rules {
            Rules::Uper => match message.id {
                "cam-mandatory" => Bench::boxed(CamUper::<16, -30_000, 30_001>, &message.jer()),
                "cam-mandatory-1.4.1" => Bench::boxed(CamUper::<11, -1023, 1023>, &message.jer()),
                "denm-mandatory" => Bench::boxed(DenmUper::<false, 40>, &message.jer()),
                "denm-mandatory-validity" => Bench::boxed(DenmUper::<true, 43>, &message.jer()),
                _ => Err(mandatory_only()),
            },
            Rules::Coer => match message.id {
                "cam-mandatory" => Bench::boxed(CamCoer::<-30_000, 30_001>, &message.jer()),
                "cam-mandatory-1.4.1" => Bench::boxed(CamCoer::<-1023, 1023>, &message.jer()),
                _ => Err(mandatory_only()),
            },
            Rules::Tls => match message.under(rules) {
                Some(message) => Bench::boxed(Envelope, &message.jer()),
                None => Err(Absent(format!("{} has no binary format", message.id))),
            },
            Rules::Aper | Rules::Oer | Rules::Ber | Rules::Der | Rules::Cer => Err(not_written(rules)),
            Rules::Xer | Rules::Cxer | Rules::Exer | Rules::Jer | Rules::Protobuf | Rules::Cbor => {
                Err(not_written(rules))
            }
            Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiFlat | Rules::ExiSplit => {
                Err(not_written(rules))
            }
        }
    }

    fn transcoder(&self, _schema: Schema, _rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(mandatory_only())
    }
}

fn mandatory_only() -> Absent {
    Absent("codecs by hand know mandatory fields only".into())
}

fn not_written(rules: Rules) -> Absent {
    Absent(format!("no codec by hand for {rules}"))
}

/// Why a codec refused.
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

/// `value`, noting one outside `low..=high`.
#[inline(always)]
fn within(value: i64, low: i64, high: i64, ok: &mut bool) -> i64 {
    *ok &= low <= value && value <= high;
    value
}

/// A big-endian word from eight octets.
#[inline(always)]
fn word(octets: &[u8]) -> u64 {
    octets.first_chunk().map_or(0, |o| u64::from_be_bytes(*o))
}

macro_rules! codec {
    ($([$($constants:tt)*])? $name:ident $([$($used:tt)*])?, $message:ty, $room:expr, $read:path, $encode:expr, $decode:expr) => {
        struct $name $(<$($constants)*>)?;

        impl $(<$($constants)*>)? Codec for $name $(<$($used)*>)? {
            type Message<'a> = $message;
            type Buffer = [u8; $room];
            type Error = Refused;

            fn message(&self, jer: &str) -> Result<$message, String> {
                $read(jer)
            }

            fn buffer(&self) -> [u8; $room] {
                [0; $room]
            }

            #[inline]
            fn encode(&self, message: &$message, buffer: &mut [u8; $room]) -> Result<usize, Refused> {
                $encode(message, buffer)
            }

            fn octets<'b>(&self, buffer: &'b [u8; $room], length: usize) -> &'b [u8] {
                &buffer[..length]
            }

            #[inline]
            fn decode(&self, octets: &[u8], place: &mut Option<$message>) -> Result<(), Refused> {
                *place = Some($decode(octets)?);
                Ok(())
            }
        }
    };
}
codec!([const BITS: usize, const MIN: i64, const MAX: i64] CamUper [BITS, MIN, MAX], Cam, 64, read::cam, cam::encode::<BITS, MIN, MAX>, cam::decode::<BITS, MIN, MAX>);
codec!([const MIN: i64, const MAX: i64] CamCoer [MIN, MAX], Cam, 64, read::cam, cam_coer::encode::<MIN, MAX>, cam_coer::decode::<MIN, MAX>);
codec!([const VALIDITY: bool, const LENGTH: usize] DenmUper [VALIDITY, LENGTH], Denm, 64, read::denm, denm::encode::<VALIDITY, LENGTH>, denm::decode::<VALIDITY, LENGTH>);

struct Envelope;

impl Codec for Envelope {
    type Message<'a> = envelope::Envelope<'a>;
    type Buffer = [u8; envelope::ROOM];
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<envelope::Envelope<'static>, String> {
        envelope::read(jer)
    }

    fn buffer(&self) -> [u8; envelope::ROOM] {
        [0; envelope::ROOM]
    }

    #[inline]
    fn encode(&self, message: &envelope::Envelope<'_>, buffer: &mut [u8; envelope::ROOM]) -> Result<usize, Refused> {
        envelope::encode(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b [u8; envelope::ROOM], length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<envelope::Envelope<'a>>) -> Result<(), Refused> {
        envelope::decode(octets, place)
    }
}
