//! roadwire's own two codecs over the same generated types: straight-line code (TOED), and the
//! interpreter over the layout tables (SOED).

mod envelope;
mod release_2;
mod secured_data;

pub use release_2::octets;

use std::marker::PhantomData;

use roadwire_engine::Message as Generated;
use roadwire_layout::Rules;
use roadwire_messages::{cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_notation::Notation;
use roadwire_wire::{Data, Error};

use crate::content::{Message, Schema};
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder, ready};
use roadwire_measure::cell::{Absent, Cell, Transcode};

/// More octets than any of the messages, also as text.
pub const ROOM: usize = 1 << 18;

/// The straight-line code.
pub struct Toed;

/// The interpreter.
pub struct Soed;

/// `with_rules!(rules, E => expression)`: the expression with the type `E` for these [`Rules`]. It
/// is only used with ASN.1 types.
macro_rules! with_rules {
    (($d:tt) $rules:expr, $e:ident => $body:expr) => {{
        macro_rules! each {
            ($d($d type:ident)*) => {
                match $rules {
                    $d(Rules::$d type => { type $e = roadwire_layout::$d type; $body })*
                    Rules::Tls => Err(Absent(format!("types of ASN.1 have no layout under {}", $rules))),
                }
            };
        }
        roadwire_layout::for_each_rules_of_asn1!(each)
    }};
    ($rules:expr, $e:ident => $body:expr) => {
        with_rules!(($) $rules, $e => $body)
    };
}

macro_rules! engine {
    ($engine:ty, $name:literal, $kind:expr, $executor:ty) => {
        impl Engine for $engine {
            fn name(&self) -> &str {
                $name
            }

            fn version(&self) -> &str {
                env!("CARGO_PKG_VERSION")
            }

            fn kind(&self) -> Kind {
                $kind
            }

            fn origin(&self) -> &str {
                "roadwire"
            }

            fn timed_region(&self) -> TimedRegion {
                TimedRegion {
                    allocation: "none".into(),
                    presizing: "output buffer reused".into(),
                    population: "outside".into(),
                    validation: "all ranges and lengths".into(),
                }
            }

            fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
                if let Schema::Envelope2014 | Schema::Envelope2015 = message.schema {
                    return envelope::cell::<$executor>(message, rules);
                }
                let notation = message.schema.notation().map_err(Absent)?;
                with_rules!(rules, E => match message.schema {
                    Schema::Cam130 => Bench::boxed(Over::<cam_1_3_0::Cam, E, $executor>::new(notation), &message.jer()),
                    Schema::Cam141 => Bench::boxed(Over::<cam_1_4_1::Cam, E, $executor>::new(notation), &message.jer()),
                    Schema::Denm120 => Bench::boxed(Over::<denm_1_2_0::Denm, E, $executor>::new(notation), &message.jer()),
                    Schema::Denm131 => Bench::boxed(Over::<denm_1_3_1::Denm, E, $executor>::new(notation), &message.jer()),
                    other => Err(Absent(format!("{other} is not for {rules}"))),
                })
            }

            fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
                match schema {
                    Schema::SecuredData2013 | Schema::SecuredDataOriginal | Schema::SecuredDataP => {
                        secured_data::cell::<$executor>(schema, rules, jer)
                    }
                    _ => release_2::cell::<$executor>(schema, rules, jer),
                }
            }

            fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
                let notation = schema.notation().map_err(Absent)?;
                with_rules!(rules, E => Ok(match schema {
                    Schema::Cam130 => Recoder::boxed(Over::<cam_1_3_0::Cam, E, $executor>::new(notation)),
                    Schema::Cam141 => Recoder::boxed(Over::<cam_1_4_1::Cam, E, $executor>::new(notation)),
                    Schema::Denm120 => Recoder::boxed(Over::<denm_1_2_0::Denm, E, $executor>::new(notation)),
                    Schema::Denm131 => Recoder::boxed(Over::<denm_1_3_1::Denm, E, $executor>::new(notation)),
                    other => return Err(Absent(format!("no traffic of {other} is recorded"))),
                }))
            }
        }
    };
}
engine!(Toed, "roadwire-toed", Kind::Toed, StraightLine);
engine!(Soed, "roadwire-soed", Kind::Soed, Interpreter);

/// How a generated type is encoded and decoded.
#[allow(clippy::result_large_err, reason = "errors carry the field path without a heap")]
pub(crate) trait Executor: 'static {
    fn encode<E, M: Generated<E>>(message: &M, output: &mut [u8]) -> Result<usize, Error<'static>>;
    fn decode<E, M: Generated<E>>(message: &mut M, input: &[u8]) -> Result<usize, Error<'static>>;
}

/// A message in memory from its JER text.
pub(super) fn message<M: Data + Default>(notation: &Notation, text: &str) -> Result<M, String> {
    let mut message = M::default();
    notation.read_into(text, &mut message).map_err(|error| error.to_string())?;
    Ok(message)
}

/// The straight-line code.
pub(crate) struct StraightLine;

impl Executor for StraightLine {
    #[inline]
    fn encode<E, M: Generated<E>>(message: &M, output: &mut [u8]) -> Result<usize, Error<'static>> {
        message.encode(output)
    }

    #[inline]
    fn decode<E, M: Generated<E>>(message: &mut M, input: &[u8]) -> Result<usize, Error<'static>> {
        message.decode(input)
    }
}

/// The interpreter.
pub(crate) struct Interpreter;

impl Executor for Interpreter {
    #[inline]
    fn encode<E, M: Generated<E>>(message: &M, output: &mut [u8]) -> Result<usize, Error<'static>> {
        roadwire_engine::encode(M::layout(), message, output)
    }

    #[inline]
    fn decode<E, M: Generated<E>>(message: &mut M, input: &[u8]) -> Result<usize, Error<'static>> {
        roadwire_engine::decode(M::layout(), input, message)
    }
}

/// A generated type with one of the executors.
pub(crate) struct Over<M, E, X> {
    notation: Notation,
    types: PhantomData<(M, E, X)>,
}

impl<M, E, X> Over<M, E, X> {
    pub(crate) fn new(notation: Notation) -> Self {
        Over { notation, types: PhantomData }
    }
}

impl<M: Generated<E> + 'static, E: 'static, X: Executor> Codec for Over<M, E, X> {
    type Message<'a> = M;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, text: &str) -> Result<M, String> {
        message(&self.notation, text)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &M, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        X::encode::<E, M>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<M>) -> Result<(), Error<'static>> {
        X::decode::<E, M>(ready(place), octets)?;
        Ok(())
    }
}
