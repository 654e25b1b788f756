//! Any octets as a file in the presentation language.
#![cfg_attr(fuzzing, no_main)]

roadwire_fuzz::target!(roadwire_fuzz::presentation_text);
