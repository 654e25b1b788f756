//! Any octets as a schema, encoding rules, and a recipe for a value, right or wrong.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::value_encoded);
