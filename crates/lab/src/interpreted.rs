//! The interpreter over values whose type is known at run time only, for studies of types without
//! generated code.

use roadwire_engine::{Limits, decode_with, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_peers::content::Schema;

/// More octets than any of the messages, in its envelope and as text.
const ROOM: usize = 1 << 21;

/// A type under one set of rules.
pub(crate) struct Interpreted {
    notation: Notation,
    layout: Layout,
}

impl Interpreted {
    /// A type of a model.
    pub(crate) fn new(model: &Model, root: TypeId, rules: Rules) -> Result<Self, String> {
        let notation = Notation::new(model, root).map_err(|error| error.to_string())?;
        let layout = lower(model, root, rules).map_err(|error| format!("in {rules}: {error}"))?;
        Ok(Interpreted { notation, layout })
    }

    /// The message of a shipped schema.
    pub(crate) fn shipped(schema: Schema, rules: Rules) -> Result<Self, String> {
        let (model, root) = schema.model()?;
        Interpreted::new(&model, root, rules).map_err(|why| format!("{schema} {why}"))
    }

    /// The octets of a message, after reading them has given the same again.
    pub(crate) fn octets(&self, jer: &str) -> Result<Vec<u8>, String> {
        let value = self.notation.read(jer).map_err(|error| error.to_string())?;
        let octets = encode_to_vec(&self.layout, &value, ROOM).map_err(|error| error.to_string())?;
        let mut again = Value::Unset;
        let limits = Limits::for_input(&octets);
        decode_with(&self.layout, &octets, &mut again, &limits, &mut ()).map_err(|error| error.to_string())?;
        match encode_to_vec(&self.layout, &again, ROOM) {
            Ok(same) if same == octets => Ok(octets),
            Ok(_) => Err("what it reads is another message".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// A message to be timed.
    pub(crate) fn cell(self, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        Bench::boxed(self, jer)
    }
}

impl Codec for Interpreted {
    type Message<'a> = Value;
    type Buffer = Vec<u8>;
    type Error = String;

    fn message(&self, jer: &str) -> Result<Value, String> {
        self.notation.read(jer).map_err(|error| error.to_string())
    }

    fn buffer(&self) -> Vec<u8> {
        vec![0; ROOM]
    }

    #[inline]
    fn encode(&self, message: &Value, buffer: &mut Vec<u8>) -> Result<usize, String> {
        roadwire_engine::encode(&self.layout, message, buffer).map_err(|error| error.to_string())
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode(&self, octets: &[u8], place: &mut Option<Value>) -> Result<(), String> {
        // The message before is dropped after: its heap does not pay for this one's.
        let mut value = Value::Unset;
        roadwire_engine::decode(&self.layout, octets, &mut value).map_err(|error| error.to_string())?;
        *place = Some(value);
        Ok(())
    }
}
