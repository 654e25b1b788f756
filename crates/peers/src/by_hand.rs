//! Codecs by hand: each for the shape of one message under one set of rules, as a person would
//! write it who knows the message. Every range is checked, there is no heap and no unsafe code.
//!
//! They are the reference for what is attainable: mandatory-only CAM (UPER, COER, DER, Protocol
//! Buffers) and DENM (UPER), full CAM and DENM (UPER), a CPM with objects (UPER), and the security
//! envelopes of the studies (the binary format of 2013, and COER). Octets of another shape are
//! refused; each module says which shape it has.

mod bits;
mod cam;
mod cam_coer;
mod cam_full;
mod cam_nested;
mod common;
mod cpm;
mod data;
mod denm;
mod denm_full;
mod envelope;
mod octets;
mod read;
mod words;

use std::fmt;
use std::marker::PhantomData;

use roadwire_layout::Rules;

use crate::content::{Message, Schema};
use crate::{Engine, Kind, TimedRegion};
use bits::{Part, Reader, Writer};
use cam::Cam;
use denm::Denm;
use roadwire_measure::bench::{Bench, Codec, ready};
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
            validation: "all ranges and lengths".into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match rules {
            Rules::Uper => match message.id {
                "cam-mandatory" => Bench::boxed(CamUper::<16, -30_000, 30_001>, &message.jer()),
                "cam-mandatory-1.4.1" => Bench::boxed(CamUper::<11, -1023, 1023>, &message.jer()),
                "denm-mandatory" => Bench::boxed(DenmUper::<false, 40>, &message.jer()),
                "denm-mandatory-validity" => Bench::boxed(DenmUper::<true, 43>, &message.jer()),
                "cam-full" => Bench::boxed(InBits::<cam_full::Cam, 512>(PhantomData), &message.jer()),
                "denm-full" => Bench::boxed(InBits::<denm_full::Denm, 4096>(PhantomData), &message.jer()),
                _ => Err(not_written(rules)),
            },
            Rules::Der => nested::<cam_nested::Der>(message, rules),
            Rules::Protobuf => nested::<cam_nested::Protobuf>(message, rules),
            Rules::Coer => match message.id {
                "cam-mandatory" => Bench::boxed(CamCoer::<-30_000, 30_001>, &message.jer()),
                "cam-mandatory-1.4.1" => Bench::boxed(CamCoer::<-1023, 1023>, &message.jer()),
                _ => Err(not_written(rules)),
            },
            Rules::Tls => match message.under(rules) {
                Some(message) => Bench::boxed(Envelope, &message.jer()),
                None => Err(Absent(format!("{} has no binary format", message.id))),
            },
            Rules::Aper | Rules::Oer | Rules::Ber | Rules::Cer => Err(not_written(rules)),
            Rules::Xer | Rules::Cxer | Rules::Exer | Rules::Jer | Rules::Cbor => Err(not_written(rules)),
            Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiFlat | Rules::ExiSplit => {
                Err(not_written(rules))
            }
        }
    }

    fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        match (schema, rules) {
            (Schema::Cpm211, Rules::Uper) => Bench::boxed(InBits::<cpm::Cpm, 8192>(PhantomData), jer),
            (Schema::Data211, Rules::Coer) => Bench::boxed(Data, jer),
            _ => Err(not_written(rules)),
        }
    }

    fn transcoder(&self, _schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(not_written(rules))
    }
}

fn nested<R: cam_nested::Rules + 'static>(message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
    match message.id {
        "cam-mandatory" => Bench::boxed(CamNested::<R, -30_000, 30_001>(PhantomData), &message.jer()),
        "cam-mandatory-1.4.1" => Bench::boxed(CamNested::<R, -1023, 1023>(PhantomData), &message.jer()),
        _ => Err(not_written(rules)),
    }
}

fn not_written(rules: Rules) -> Absent {
    Absent(format!("no codec by hand for it in {rules}"))
}

/// Why a codec refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    /// Too few octets to read, or too little room to write.
    Length,
    /// A value out of its range, or an unsupported shape.
    Range,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Length => "too short",
            Refused::Range => "out of range, or of another shape",
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

/// A message in UPER as parts one after another.
struct InBits<M, const ROOM: usize>(PhantomData<M>);

impl<M: Part + Default + 'static, const ROOM: usize> Codec for InBits<M, ROOM> {
    type Message<'a> = M;
    type Buffer = [u8; ROOM];
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<M, String> {
        read::part(jer)
    }

    fn buffer(&self) -> [u8; ROOM] {
        [0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &M, buffer: &mut [u8; ROOM]) -> Result<usize, Refused> {
        let mut out = Writer::new(buffer);
        message.write(&mut out);
        out.finish()
    }

    fn octets<'b>(&self, buffer: &'b [u8; ROOM], length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<M>) -> Result<(), Refused> {
        let mut input = Reader::new(octets);
        ready(place).decode(&mut input)?;
        input.finish()
    }
}

/// A mandatory-only CAM in rules with lengths.
struct CamNested<R, const MIN: i64, const MAX: i64>(PhantomData<R>);

impl<R: cam_nested::Rules + 'static, const MIN: i64, const MAX: i64> Codec for CamNested<R, MIN, MAX> {
    type Message<'a> = Cam;
    type Buffer = [u8; cam_nested::ROOM];
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<Cam, String> {
        read::cam(jer)
    }

    fn buffer(&self) -> [u8; cam_nested::ROOM] {
        [0; cam_nested::ROOM]
    }

    #[inline]
    fn encode(&self, message: &Cam, buffer: &mut [u8; cam_nested::ROOM]) -> Result<usize, Refused> {
        cam_nested::encode::<R, MIN, MAX>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b [u8; cam_nested::ROOM], length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Cam>) -> Result<(), Refused> {
        cam_nested::decode::<R, MIN, MAX>(octets, ready(place))
    }
}

macro_rules! envelope {
    ($codec:ident, $module:ident, $message:ident) => {
        struct $codec;

        impl Codec for $codec {
            type Message<'a> = $module::$message<'a>;
            type Buffer = [u8; $module::ROOM];
            type Error = Refused;

            fn message(&self, jer: &str) -> Result<$module::$message<'static>, String> {
                $module::read(jer)
            }

            fn buffer(&self) -> [u8; $module::ROOM] {
                [0; $module::ROOM]
            }

            #[inline]
            fn encode(
                &self,
                message: &$module::$message<'_>,
                buffer: &mut [u8; $module::ROOM],
            ) -> Result<usize, Refused> {
                $module::encode(message, buffer)
            }

            fn octets<'b>(&self, buffer: &'b [u8; $module::ROOM], length: usize) -> &'b [u8] {
                &buffer[..length]
            }

            #[inline]
            fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<$module::$message<'a>>) -> Result<(), Refused> {
                $module::decode(octets, place)
            }
        }
    };
}
envelope!(Envelope, envelope, Envelope);
envelope!(Data, data, Data);
