//! Any octets as a schema and a file of distributions.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::distribution_read);
