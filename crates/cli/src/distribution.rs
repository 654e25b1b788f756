//! Files that say how values are drawn.

use std::path::Path;

use roadwire::TypeId;
use roadwire_distributions::Distributions;

use crate::failure::{Failure, Place};
use crate::input;
use crate::schema::Schema;

/// The text of a file, and the distributions that it has for a type.
///
/// # Errors
/// A file that cannot be read, or that does not fit the type, with the place in it.
pub(crate) fn read(path: &Path, schema: &Schema, type_id: TypeId) -> Result<(String, Distributions), Failure> {
    let (bytes, name) = (input::read_all(path)?, input::display_name(path));
    let text = String::from_utf8(bytes).map_err(|error| {
        let what = format!("expected UTF-8, found other octets at {}", error.utf8_error().valid_up_to());
        Failure::refused("distribution.syntax", what).in_file(&name)
    })?;
    let read = Distributions::read(&text, schema.model(), type_id).map_err(|invalid| {
        let (line, column) = (Some(invalid.line as u64), Some(invalid.column as u64));
        Failure::refused(invalid.code, invalid.message)
            .at(Place { line, column, ..Place::default() })
            .in_file(&name)
            .advise("`roadwire random --help` has an example of such a file")
    })?;
    Ok((text, read))
}
