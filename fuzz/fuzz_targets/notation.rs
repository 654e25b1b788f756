//! Any octets as a schema and a value in JER.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::notation_read);
