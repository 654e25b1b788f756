//! A type of a small module, and its values as JER and as UPER.
#![allow(dead_code, reason = "not every test needs all of it")]

use roadwire_asn1::{Source, compile};
use roadwire_engine::{Item, Listener, decode, encode_to_vec};
use roadwire_layout::{Layout, LowerError, Rules, lower};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::Step;

pub(crate) struct Codec {
    pub(crate) model: Model,
    pub(crate) root: TypeId,
    pub(crate) layout: Layout,
}

impl Codec {
    /// The type `A` of a module with these definitions.
    pub(crate) fn new(definitions: &str) -> Self {
        Codec::try_new(definitions).expect("it has a layout")
    }

    pub(crate) fn try_new(definitions: &str) -> Result<Self, LowerError> {
        Codec::under(Rules::Uper, definitions)
    }

    pub(crate) fn under(rules: Rules, definitions: &str) -> Result<Self, LowerError> {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
        let source = Source::new("m.asn", text);
        let model = compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find("A").expect("there is an A");
        let layout = lower(&model, root, rules)?;
        Ok(Codec { model, root, layout })
    }

    pub(crate) fn value(&self, text: &str) -> Value {
        Notation::new(&self.model, self.root).unwrap().read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub(crate) fn encode(&self, value: &Value) -> Result<Vec<u8>, String> {
        encode_to_vec(&self.layout, value, 1 << 24).map_err(|error| error.to_string())
    }

    pub(crate) fn decode(&self, octets: &[u8]) -> Result<Value, String> {
        let mut value = Value::Unset;
        decode(&self.layout, octets, &mut value).map(|_| value).map_err(|error| error.to_string())
    }

    /// Checks that the value has just this encoding, both ways.
    #[track_caller]
    pub(crate) fn agree(&self, text: &str, hex: &str) {
        let value = self.value(text);
        let octets = self.encode(&value).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(to_hex(&octets), hex, "{text}");
        assert_eq!(self.decode(&octets).as_ref(), Ok(&value), "{hex}");
    }
}

pub(crate) fn to_hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// Checks that bits come once and in order, and counts the items that have some.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) next: usize,
    pub(crate) items: usize,
    pub(crate) depth: usize,
}

impl Listener for Heard {
    fn enter(&mut self, _: Step<'_>) {
        self.depth += 1;
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        assert_eq!(item.bit, self.next, "{item:?}");
        self.next += item.bits;
        self.items += usize::from(item.bits > 0);
    }
}
