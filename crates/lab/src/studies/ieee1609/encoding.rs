//! The study's four encodings: schema and encoding rules.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use roadwire_engine::{Limits, Listener};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::{Model, Value};
use roadwire_notation::Notation;
use serde::{Deserialize, Serialize};

use roadwire_peers::content::{Schema, shipped};

/// More octets than any of the messages.
const LIMIT: usize = 1 << 16;

/// A message's type, in each of the schemas.
pub const MESSAGE: &str = "SecuredData";

/// One of the four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Encoding {
    /// IEEE 1609.2-2013's own binary format.
    Binary,
    /// The original ASN.1 schema in unaligned PER.
    UperOriginal,
    /// The P schema in unaligned PER.
    UperP,
    /// The original ASN.1 schema in OER.
    OerOriginal,
}

impl Encoding {
    /// All, in the order of the message table's columns.
    pub const ALL: [Encoding; 4] = [Encoding::Binary, Encoding::UperOriginal, Encoding::UperP, Encoding::OerOriginal];

    /// Its name in the paper's tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Binary => "1609.2",
            Encoding::UperOriginal => "UPER-O",
            Encoding::UperP => "UPER-P",
            Encoding::OerOriginal => "OER",
        }
    }

    /// The shipped schema.
    #[must_use]
    pub fn schema(self) -> Schema {
        match self {
            Encoding::Binary => Schema::SecuredData2013,
            Encoding::UperOriginal | Encoding::OerOriginal => Schema::SecuredDataOriginal,
            Encoding::UperP => Schema::SecuredDataP,
        }
    }

    /// The encoding rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Encoding::Binary => Rules::Tls,
            Encoding::UperOriginal | Encoding::UperP => Rules::Uper,
            Encoding::OerOriginal => Rules::Oer,
        }
    }
}

/// Encodes any type of an encoding's schema from its JER value: parts of a message are signed,
/// hashed and encrypted.
pub struct Parts {
    /// Which.
    pub encoding: Encoding,
    model: Model,
    module: String,
    types: RefCell<HashMap<String, Rc<Part>>>,
}

/// One type.
struct Part {
    notation: Notation,
    layout: Layout,
}

impl Parts {
    /// Reads the schema.
    ///
    /// # Errors
    /// Does not happen for a shipped schema.
    pub fn new(encoding: Encoding) -> Result<Self, String> {
        let (shipped, model) = shipped(encoding.schema().name())?;
        let module = shipped.pdu().split('.').next().unwrap_or_default().to_string();
        Ok(Parts { encoding, model, module, types: RefCell::default() })
    }

    fn part(&self, name: &str) -> Result<Rc<Part>, String> {
        if let Some(known) = self.types.borrow().get(name) {
            return Ok(Rc::clone(known));
        }
        let id = self.model.find(&format!("{}.{name}", self.module)).ok_or_else(|| format!("no type {name}"))?;
        let part = Rc::new(Part {
            notation: Notation::new(&self.model, id).map_err(|error| error.to_string())?,
            layout: lower(&self.model, id, self.encoding.rules()).map_err(|error| error.to_string())?,
        });
        self.types.borrow_mut().insert(name.into(), Rc::clone(&part));
        Ok(part)
    }

    /// The notation of messages as text.
    ///
    /// # Errors
    /// Does not happen for a shipped schema.
    pub fn notation(&self) -> Result<Notation, String> {
        Ok(self.part(MESSAGE)?.notation.clone())
    }

    /// The value of a type from its JER.
    ///
    /// # Errors
    /// The JER is not a value of the type.
    pub fn value(&self, name: &str, jer: &serde_json::Value) -> Result<Value, String> {
        self.part(name)?.notation.read(&jer.to_string()).map_err(|error| format!("{name}: {error}"))
    }

    /// The encoding of a value of a type.
    ///
    /// # Errors
    /// The JER is not a value of the type.
    pub fn encode(&self, name: &str, jer: &serde_json::Value) -> Result<Vec<u8>, String> {
        let (part, value) = (self.part(name)?, self.value(name, jer)?);
        roadwire_engine::encode_to_vec(&part.layout, &value, LIMIT).map_err(|error| format!("{name}: {error}"))
    }

    /// Decodes octets of a type, which must be the whole encoding.
    ///
    /// # Errors
    /// The first fault in the octets.
    pub fn decode(&self, name: &str, octets: &[u8]) -> Result<serde_json::Value, String> {
        let value = self.listen(name, octets, &Limits::for_input(octets), &mut ())?;
        let text = self.part(name)?.notation.write(&value).map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    /// The same, with a listener that is called for every bit.
    ///
    /// # Errors
    /// The first fault in the octets.
    pub fn listen<L: Listener>(
        &self,
        name: &str,
        octets: &[u8],
        limits: &Limits,
        listener: &mut L,
    ) -> Result<Value, String> {
        let (part, mut value) = (self.part(name)?, Value::Unset);
        let bits = roadwire_engine::decode_with(&part.layout, octets, &mut value, limits, listener);
        match bits.map_err(|error| error.to_string())?.div_ceil(8) {
            read if read == octets.len() => Ok(value),
            read => Err(format!("{read} octets of {}", octets.len())),
        }
    }
}
