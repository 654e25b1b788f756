//! rasn, linked in, with its own types for the same messages, which are printed from roadwire's
//! model (`build/rasn.rs`).
//!
//! It is used in its best form: the output buffer is made before the timed region and reused
//! (`encode_buf`), bit strings of fixed size are inline, constraints are on the fields.

pub(crate) mod rules;

use std::marker::PhantomData;

use ::rasn::error::{DecodeError, EncodeError};
use ::rasn::{Decode, Encode};

use roadwire_layout::Rules;

use crate::content::{Message, Schema};
use crate::roadwire::octets;
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::{Bench, Codec, Recoder};
use roadwire_measure::cell::{Absent, Cell, Transcode};
use rules::{Oer, RuleSet, Uper, with_rules};

/// The types of the schemas that the build script names.
macro_rules! printed {
    ($($schema:ident)*) => { $(
        #[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of ASN.1")]
        mod $schema {
            use ::rasn::prelude::*;

            include!(concat!(env!("OUT_DIR"), "/rasn_", stringify!($schema), ".rs"));
        }
    )* };
}
#[cfg(feature = "full")]
mod release_2;

printed! { cam_1_3_0 cam_1_4_1 denm_1_3_1 certificate_2017 dot2_original_2015 dot2_p_2015 }

/// The engine.
pub struct Rasn;

impl Engine for Rasn {
    fn name(&self) -> &str {
        "rasn"
    }

    fn version(&self) -> &str {
        env!("PEERS_RASN")
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        "rasn"
    }

    fn timed_region(&self) -> TimedRegion {
        TimedRegion {
            allocation: "lists and strings when decoding".into(),
            presizing: "output buffer reused".into(),
            population: "outside".into(),
            validation: "all ranges and lengths".into(),
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        match message.schema {
            Schema::Cam130 => with_rules!(rules, E => Bench::boxed(Over::<cam_1_3_0::CAM, E>::new(), &message.jer())),
            Schema::Cam141 if rules == Rules::Uper => Bench::boxed(Over::<cam_1_4_1::CAM, Uper>::new(), &message.jer()),
            Schema::Denm120 | Schema::Denm131 if rules == Rules::Uper => {
                Bench::boxed(Over::<denm_1_3_1::DENM, Uper>::new(), &message.jer())
            }
            _ => Err(not_wired(rules)),
        }
    }

    fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        #[cfg(feature = "full")]
        if let Some(cell) = release_2::cell(schema, rules, jer) {
            return cell;
        }
        match (schema, rules) {
            (Schema::SecuredDataOriginal, Rules::Uper) => {
                Bench::boxed(Over::<dot2_original_2015::SecuredData, Uper>::new(), jer)
            }
            (Schema::SecuredDataOriginal, Rules::Oer) => {
                Bench::boxed(Over::<dot2_original_2015::SecuredData, Oer>::new(), jer)
            }
            (Schema::SecuredDataP, Rules::Uper) => Bench::boxed(Over::<dot2_p_2015::SecuredData, Uper>::new(), jer),
            (Schema::Cam231 | Schema::Denm231 | Schema::Cpm211 | Schema::Vam231 | Schema::Data211, _)
                if cfg!(not(feature = "full")) =>
            {
                Err(Absent(format!("rasn is not built for this message in {rules} without the feature `full`")))
            }
            (Schema::SecuredData2013, _) => Err(Absent("rasn has no presentation language".into())),
            (_, rules) => Err(not_wired(rules)),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        match (schema, rules) {
            (Schema::Cam130, Rules::Uper) => Ok(Recoder::boxed(Over::<cam_1_3_0::CAM, Uper>::new())),
            (Schema::Cam141, Rules::Uper) => Ok(Recoder::boxed(Over::<cam_1_4_1::CAM, Uper>::new())),
            (Schema::Denm120 | Schema::Denm131, Rules::Uper) => {
                Ok(Recoder::boxed(Over::<denm_1_3_1::DENM, Uper>::new()))
            }
            (Schema::Certificate2017, rules) => {
                with_rules!(rules, E => Ok(Recoder::boxed(Over::<certificate_2017::Certificate, E>::new())))
            }
            (_, rules) => Err(not_wired(rules)),
        }
    }
}

/// Its types take half a minute to compile for each of its rules, so not all messages have all
/// rules.
fn not_wired(rules: Rules) -> Absent {
    Absent(format!("rasn is not wired for this message in {rules}"))
}

/// The type `T` under the rules `E`.
pub(crate) struct Over<T, E> {
    /// The schema and the rules by which a message is read from our octets, where it is not read
    /// from text: the octets in open types depend on the rules.
    read: Option<(Schema, Rules)>,
    types: PhantomData<(T, E)>,
}

impl<T, E> Over<T, E> {
    pub(crate) fn new() -> Self {
        Over { read: None, types: PhantomData }
    }

    #[cfg(feature = "full")]
    fn of_octets(schema: Schema, rules: Rules) -> Self {
        Over { read: Some((schema, rules)), types: PhantomData }
    }
}

/// rasn's errors, formatted only when needed.
pub(crate) enum Refused {
    Encode(EncodeError),
    Decode(DecodeError),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Encode(e) => e.fmt(f),
            Refused::Decode(e) => e.fmt(f),
        }
    }
}

impl<T: Encode + Decode + 'static, E: RuleSet> Codec for Over<T, E> {
    type Message<'a> = T;
    type Buffer = Vec<u8>;
    type Error = Refused;

    fn message(&self, jer: &str) -> Result<T, String> {
        match self.read {
            Some((schema, rules)) => E::decode(&octets(schema, rules, jer)?).map_err(|e| e.to_string()),
            None => ::rasn::jer::decode(jer).map_err(|e| e.to_string()),
        }
    }

    fn buffer(&self) -> Vec<u8> {
        Vec::with_capacity(8192)
    }

    #[inline]
    fn encode(&self, message: &T, buffer: &mut Vec<u8>) -> Result<usize, Refused> {
        E::encode(message, buffer).map_err(Refused::Encode)?;
        Ok(buffer.len())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<T>) -> Result<(), Refused> {
        *place = Some(E::decode(octets).map_err(Refused::Decode)?);
        Ok(())
    }
}
