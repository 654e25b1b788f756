//! A message type under one set of rules, with its names in Rust.

use std::ops::Deref;

use crate::rust_types::RustTypes;
use crate::source::Source;
use crate::tap::Heard;

/// A message type and its layout under one set of rules.
pub(crate) struct Pdu<'a, 'm> {
    pub(crate) plan: roadwire_plan::Pdu<'a, 'm>,
    pub(crate) types: &'a RustTypes<'m>,
    /// The Rust type.
    pub(crate) name: &'a str,
    /// The name of the constant with its layout.
    pub(crate) table: String,
}

impl<'a, 'm> Deref for Pdu<'a, 'm> {
    type Target = roadwire_plan::Pdu<'a, 'm>;

    fn deref(&self) -> &roadwire_plan::Pdu<'a, 'm> {
        &self.plan
    }
}

impl Pdu<'_, '_> {
    /// The prefix of its functions' names. A family writes `<functions>_encode` and
    /// `<functions>_decode` for [`Message::encode_fast`](../roadwire_engine/trait.Message.html) and
    /// `decode_fast`.
    pub(crate) fn functions(&self) -> String {
        self.table.to_lowercase()
    }

    /// Begins its straight-line encoder.
    pub(crate) fn begin_encode(&self, attribute: &str, out: &mut Source) {
        out.begin_function(attribute, format!("{}_encode", self.functions()), &self.encoder(Heard::NOBODY));
    }

    /// Begins its straight-line decoder.
    pub(crate) fn begin_decode(&self, attribute: &str, out: &mut Source) {
        out.begin_function(attribute, format!("{}_decode", self.functions()), &self.decoder(Heard::NOBODY));
    }

    /// The signature of an encoder, after its name.
    pub(crate) fn encoder(&self, tap: Heard) -> String {
        let (generics, name, parameter) = (tap.generic(None), self.name_with("'_"), tap.parameter);
        format!("{generics}(value: &{name}, output: &mut [u8]{parameter}) -> Result<usize, wire::Rejected>")
    }

    /// The signature of a decoder.
    pub(crate) fn decoder(&self, tap: Heard) -> String {
        let lifetime = self.types.lends(self.root).then_some("'a");
        let (generics, name, parameter) = (tap.generic(lifetime), self.name_with("'a"), tap.parameter);
        let lifetime = lifetime.map_or(String::new(), |lifetime| format!("{lifetime} "));
        format!("{generics}(value: &mut {name}, input: &{lifetime}[u8]{parameter}) -> Result<usize, wire::Rejected>")
    }

    /// The Rust type with its lifetime, if it has one.
    pub(crate) fn name_with(&self, lifetime: &str) -> String {
        self.types.with_lifetime(self.name, self.root, lifetime)
    }
}
