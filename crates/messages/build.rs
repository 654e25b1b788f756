//! The schemas in `schemas/` as Rust modules, with codecs for the rules whose features are on.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    roadwire_schemas::build(roadwire_schemas::is_feature_on)
}
