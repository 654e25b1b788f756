//! How long recorded messages are in other encodings.

use std::collections::HashMap;

use roadwire::{Rules, TypeId, Value};
use roadwire_engine::decode;
use roadwire_layout::{Layout, lower};
use roadwire_model::Model;

use crate::input;
use crate::recognition::Candidate;

/// The encodings that recorded messages, which are in UPER, are compared in: of those with the same
/// octets, one.
pub const COMPARED: [Rules; 12] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Coer,
    Rules::Exi,
    Rules::ExiDefault,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Der,
    Rules::Cer,
    Rules::Jer,
    Rules::Xer,
    Rules::Exer,
];

/// The layouts of the schemas that have occurred.
#[derive(Default)]
pub(crate) struct Lengths(HashMap<&'static str, Layouts>);

/// Of one type: that to read it, and those to write it, `None` where it has none.
struct Layouts {
    uper: Layout,
    others: Vec<Option<Layout>>,
}

impl Lengths {
    /// The octets of a message in each of the encodings; nothing where it has none, or has parts
    /// that mean nothing there.
    pub(crate) fn of(&mut self, of: &Candidate<'_>, octets: &[u8]) -> Vec<Option<usize>> {
        let Ok((model, id)) = of.types() else { return Vec::new() };
        if !self.0.contains_key(of.name) {
            let Some(layouts) = Layouts::new(model, id) else { return Vec::new() };
            self.0.insert(of.name, layouts);
        }
        self.0.get(of.name).map_or_else(Vec::new, |layouts| layouts.lengths(octets))
    }
}

impl Layouts {
    fn new(model: &Model, id: TypeId) -> Option<Layouts> {
        let others = COMPARED.iter().map(|rules| lower(model, id, *rules).ok()).collect();
        Some(Layouts { uper: lower(model, id, Rules::Uper).ok()?, others })
    }

    fn lengths(&self, octets: &[u8]) -> Vec<Option<usize>> {
        let mut value = Value::Unset;
        if decode(&self.uper, octets, &mut value).is_err() {
            return Vec::new();
        }
        let length = |layout: &Option<Layout>| {
            let octets = roadwire_engine::encode_to_vec(layout.as_ref()?, &value, input::MAX_INPUT).ok()?;
            Some(octets.len())
        };
        self.others.iter().map(length).collect()
    }
}
