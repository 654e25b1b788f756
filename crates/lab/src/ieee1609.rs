//! The study of IEEE 1609.2: 64 messages in four encodings.

pub mod asn1;
pub mod binary;
pub mod cells;
pub mod description;
pub mod encoding;
mod figure;
mod figures;
pub mod fit;
pub mod material;
pub mod measured;
mod pass_tables;
pub mod passes;
mod peer;
pub mod secured;
pub mod signing;
mod tables;

pub use figure::Figure;
pub use measured::{Ieee1609, Row};

use description::Description;
use encoding::{Encoding, Parts};

/// A message as the JER value of an encoding's schema, signed; `None` where there is no such message.
///
/// # Errors
/// None that a test would not have found.
pub fn message(parts: &Parts, of: &Description) -> Result<Option<serde_json::Value>, String> {
    match (of.length(parts.encoding), parts.encoding) {
        (None, _) => Ok(None),
        (_, Encoding::Binary) => binary::message(parts, of).map(Some),
        _ => asn1::message(parts, of).map(Some),
    }
}
