//! Any octets as a schema and an encoded message. Without a fuzzer: the files named as arguments, one input each.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| roadwire_fuzz::octets_decoded(input));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    roadwire_fuzz::on_files(roadwire_fuzz::octets_decoded)
}
