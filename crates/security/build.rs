//! The schemas in `schemas/` as Rust modules.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    roadwire_schemas::build(|_feature| true)
}
