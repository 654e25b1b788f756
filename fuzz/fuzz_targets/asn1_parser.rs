//! Any octets as module text.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::asn1_text);
