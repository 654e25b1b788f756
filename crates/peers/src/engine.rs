//! The implementations under test: an [`Engine`] has a [`Cell`] for each message that it can encode
//! and decode under some encoding rules.

use roadwire_layout::Rules;
use roadwire_measure::cell::{Absent, Cell, Transcode};
use serde::{Deserialize, Serialize};

use crate::content::{Message, Schema};

/// The sort of implementation of an engine; tables group and colour by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Generated from a layout, time-optimised.
    Toed,
    /// Made from a layout at run time, space-optimised.
    Soed,
    /// Another one of ours, beside the two that studies compare.
    Beside,
    /// Somebody else's implementation.
    Peer,
    /// Written by hand for one message: the reference of what a processor can do.
    #[serde(rename = "by hand")]
    ByHand,
}

impl Kind {
    /// As in records.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Toed => "toed",
            Kind::Soed => "soed",
            Kind::Beside => "beside",
            Kind::Peer => "peer",
            Kind::ByHand => "by hand",
        }
    }
}

/// The events inside the timed region, in a word or two each, shown as columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedRegion {
    /// Allocations on the heap inside the region.
    pub allocation: String,
    /// Whether the output buffer is allocated, and large enough, before the region.
    pub presizing: String,
    /// Whether filling the message's fields is inside the region.
    pub population: String,
    /// Checks inside the region.
    pub validation: String,
}

/// Something that can encode and decode messages of the studies.
pub trait Engine: Sync {
    /// Short and unique: `roadwire-toed`, `rasn`.
    fn name(&self) -> &str;
    /// Version of the implementation.
    fn version(&self) -> &str;
    /// Its sort of implementation.
    fn kind(&self) -> Kind;
    /// Who wrote the codec; engines of the same origin do not confirm each other at the gate.
    fn origin(&self) -> &str;
    /// The parts of its timed region.
    fn timed_region(&self) -> TimedRegion;
    /// The codec for one message, with the in-memory message built from the content's JER text.
    ///
    /// # Errors
    /// [`Absent`] says why this engine has no such cell.
    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent>;
    /// The codec for a value of a schema, given as JER text, for a study with messages of its own.
    ///
    /// # Errors
    /// [`Absent`] says why this engine has no such cell.
    fn cell_of(&self, schema: Schema, rules: Rules, _jer: &str) -> Result<Box<dyn Cell>, Absent> {
        Err(Absent(format!("{} has no {schema} in {rules}", self.name())))
    }
    /// Decodes any message of `schema` and encodes it again, for recorded traffic.
    ///
    /// # Errors
    /// [`Absent`] says why this engine does not know the schema.
    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent>;
}
