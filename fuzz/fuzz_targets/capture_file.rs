//! Any octets as a file of recorded frames.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::file_read);
