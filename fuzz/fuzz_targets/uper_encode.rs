//! Any octets as a recipe for a value, right or wrong. Without a fuzzer: the files named as arguments, one input each.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| roadwire_fuzz::values_encoded(input));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    roadwire_fuzz::on_files(roadwire_fuzz::values_encoded)
}
