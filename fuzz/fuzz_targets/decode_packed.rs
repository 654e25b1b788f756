//! Any octets as a schema and a message in packed encoding rules.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(|input: &[u8]| roadwire_fuzz::message_decoded(roadwire_fuzz::Family::Packed, input));
