//! Any octets as a link type and a frame.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::frame_dissected);
