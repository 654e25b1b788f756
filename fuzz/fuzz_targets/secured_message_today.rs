//! Any octets as a secured message of IEEE 1609.2, and as a certificate.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::message_of_today_verified);
