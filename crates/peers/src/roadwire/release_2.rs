//! The messages of release 2, under the rules that roadwire ships and under those that the build
//! script of this crate adds, and their envelope; beside them CAM of release 1 in the same way.

use std::marker::PhantomData;

use roadwire_engine::Message as Generated;
use roadwire_layout::{Coer, Jer, Oer, Rules, Uper, lower};
use roadwire_messages::{cam_1_3_0, cam_1_4_1, cam_2_3_1, cpm_2_1_1, denm_2_3_1, ts103097_2_1_1, vam_2_3_1};
use roadwire_wire::Error;

use super::Executor;
use crate::content::Schema;
use roadwire_measure::bench::{Bench, Codec, ready};
use roadwire_measure::cell::{Absent, Cell};

/// The messages under further rules, for the study alone.
#[cfg(feature = "full")]
macro_rules! further {
    ($($schema:ident)*) => { $(
        #[allow(warnings, clippy::all, clippy::pedantic, reason = "generated")]
        pub(super) mod $schema {
            include!(concat!(env!("OUT_DIR"), "/further_", stringify!($schema), ".rs"));
        }
    )* };
}

#[cfg(feature = "full")]
mod further {
    further! { cam_2_3_1 denm_2_3_1 cpm_2_1_1 vam_2_3_1 }
}

/// More octets than any of the messages that generated code encodes.
const ROOM: usize = 1 << 17;

/// The cell of a message, which is read from octets: under its rules, or under the first ones if
/// these are a text. Without one, `others` has it.
macro_rules! cells {
    (
        ($wanted:ident, $under:ident, $jer:ident) else $others:expr;
        $($schema:ident $message:ty: $([$via:ident $rules:ident])*;)*
    ) => {
        match ($wanted, $under) {
            $($((Schema::$schema, Rules::$rules) => {
                let (schema, via) = (Schema::$schema, Rules::$via);
                Bench::boxed(Typed::<$message, $via, $rules, X> { schema, via, types: PhantomData }, $jer)
            })*)*
            _ => $others,
        }
    };
}

pub(super) fn cell<X: Executor>(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    cells! {
        (schema, rules, jer) else further_cell::<X>(schema, rules, jer);
        Cam130 cam_1_3_0::Cam: [Uper Uper] [Uper Jer];
        Cam141 cam_1_4_1::Cam: [Uper Uper] [Uper Jer];
        Cam231 cam_2_3_1::Cam: [Uper Uper] [Uper Jer];
        Denm231 denm_2_3_1::Denm: [Uper Uper] [Uper Jer];
        Cpm211 cpm_2_1_1::CollectivePerceptionMessage: [Uper Uper] [Uper Jer];
        Vam231 vam_2_3_1::Vam: [Uper Uper] [Uper Jer];
        Data211 ts103097_2_1_1::EtsiTs103097Data: [Coer Coer] [Coer Oer] [Coer Jer];
    }
}

#[cfg(feature = "full")]
fn further_cell<X: Executor>(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    use roadwire_layout::{Cbor, Der, Protobuf};

    cells! {
        (schema, rules, jer) else Err(Absent(format!("there is no generated code of {schema} in {rules}")));
        Cam231 further::cam_2_3_1::Cam: [Coer Coer] [Der Der] [Protobuf Protobuf] [Cbor Cbor];
        Denm231 further::denm_2_3_1::Denm: [Coer Coer] [Der Der] [Protobuf Protobuf] [Cbor Cbor];
        Cpm211 further::cpm_2_1_1::CollectivePerceptionMessage: [Coer Coer] [Der Der] [Protobuf Protobuf] [Cbor Cbor];
        Vam231 further::vam_2_3_1::Vam: [Coer Coer] [Der Der] [Protobuf Protobuf] [Cbor Cbor];
    }
}

#[cfg(not(feature = "full"))]
fn further_cell<X: Executor>(schema: Schema, rules: Rules, _: &str) -> Result<Box<dyn Cell>, Absent> {
    Err(Absent(format!("there is no generated code of {schema} in {rules} without the feature `full`")))
}

/// A message in octets, as the interpreter writes it from its JER text.
///
/// # Errors
/// The text is not a value of the schema, or has no octets under these rules.
pub fn octets(schema: Schema, rules: Rules, jer: &str) -> Result<Vec<u8>, String> {
    let (model, root) = schema.model()?;
    let value = schema.notation()?.read(jer).map_err(|error| error.to_string())?;
    let layout = lower(&model, root, rules).map_err(|error| error.to_string())?;
    roadwire_engine::encode_to_vec(&layout, &value, ROOM).map_err(|error| error.to_string())
}

/// A generated type under the rules `E`; its messages are read under the rules `V`.
struct Typed<M, V, E, X> {
    schema: Schema,
    via: Rules,
    types: PhantomData<(M, V, E, X)>,
}

impl<M, V, E, X> Codec for Typed<M, V, E, X>
where
    M: Generated<V> + Generated<E> + Default + 'static,
    V: 'static,
    E: 'static,
    X: Executor,
{
    type Message<'a> = Box<M>;
    type Buffer = Vec<u8>;
    type Error = Error<'static>;

    fn message(&self, text: &str) -> Result<Box<M>, String> {
        let octets = octets(self.schema, self.via, text)?;
        let mut message = Box::<M>::default();
        Generated::<V>::decode(&mut *message, &octets).map_err(|error| error.to_string())?;
        Ok(message)
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Box<M>, buffer: &mut Vec<u8>) -> Result<usize, Error<'static>> {
        X::encode::<E, M>(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Box<M>>) -> Result<(), Error<'static>> {
        X::decode::<E, M>(ready::<Box<M>>(place), octets)?;
        Ok(())
    }
}
