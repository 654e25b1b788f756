//! All tests of this folder in one program: linking one for each family would take three times as
//! long.

mod bits;
mod cbor;
mod constraints;
mod data;
mod errors;
mod fields;
mod json;
mod lists;
mod numbers;
mod octet;
mod packed;
mod reader;
mod rows;
mod support;
mod text;
mod time;
mod time_parts;
mod tlv;
mod varint;
mod vectors;
mod writer;
mod xml;
mod xml_values;

#[test]
fn each_file_of_the_folder_is_named() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let named: Vec<&str> = include_str!("families.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .chain(["families", "left_out"])
        .collect();
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_stem().unwrap_or_default().to_str().unwrap();
        assert!(named.contains(&name), "{name}");
    }
}
