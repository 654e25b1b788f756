//! Any octets as a version and a secured message.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::message_verified);
