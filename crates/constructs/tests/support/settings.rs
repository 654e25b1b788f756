//! How random values are drawn for generated types.

use roadwire_model::random::Settings;

/// Of every three values, one has neither additions nor optional parts, one all optional parts, and
/// one half of both. Generated types hold strings, and contents are octets there.
pub(crate) fn settings(round: usize) -> Settings {
    Settings {
        contents: false,
        integer_bits: 62,
        boundary: 60,
        max_elements: 5,
        max_length: 70,
        extensions: [0, 0, 50][round % 3],
        optional: [0, 100, 50][round % 3],
        ..Settings::default()
    }
}
