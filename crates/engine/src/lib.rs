//! roadwire engine.
