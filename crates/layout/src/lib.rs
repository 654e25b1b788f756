//! roadwire layout.
