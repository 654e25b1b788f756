//! The feature `full`: rasn's types of release 2, our code of release 2 under rules that roadwire
//! does not ship, and types of hampi and synta.

use std::error::Error;
use std::path::Path;

use asn1_compiler::Asn1Compiler;
use asn1_compiler::generator::{Codec, Derive, Visibility};
use roadwire_codegen::generate;
use roadwire_layout::Rules;

use crate::{types, write};

/// The messages of release 2, and the rules under which they are timed beside those that roadwire
/// ships: it is for the study alone that there is code of them.
const RELEASE_2: [&str; 4] = ["cam-2.3.1", "denm-2.3.1", "cpm-2.1.1", "vam-2.3.1"];
const FURTHER: [Rules; 4] = [Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Cbor];
/// The schemas of which rasn has types beside those of release 2.
const ENVELOPE: &str = "ts103097-2.1.1";
/// Those of which hampi and synta have types.
const CAMS: [&str; 2] = ["cam-1.3.0", "cam-1.4.1"];

/// Writes all of it.
pub(crate) fn write_all(target: &Path) -> Result<(), Box<dyn Error>> {
    for schema in RELEASE_2.iter().chain([&ENVELOPE]) {
        write(target, "rasn", schema, types::print("rasn", schema)?)?;
    }
    RELEASE_2.iter().try_for_each(|schema| write(target, "further", schema, further(schema)?))?;
    CAMS.iter().try_for_each(|schema| hampi(target, schema))?;
    CAMS.iter().try_for_each(|schema| write(target, "synta", schema, types::print("synta", schema)?))
}

/// Our code for a message under further rules.
fn further(schema: &str) -> Result<String, Box<dyn Error>> {
    let (model, root, schema) = types::model(schema)?;
    let options = schema.options(&model)?;
    Ok(generate(&model, &[root], &FURTHER, options)?.source)
}

/// hampi's compiler reads a file, and imports a module that the file has.
fn hampi(target: &Path, schema: &str) -> Result<(), Box<dyn Error>> {
    let file = target.join(format!("hampi_{}.rs", schema.replace(['-', '.'], "_")));
    let modules = types::model(schema)?.2.files;
    let mut compiler =
        Asn1Compiler::new(&file.to_string_lossy(), &Visibility::Public, vec![Codec::Uper], vec![Derive::Debug]);
    compiler.set_rustfmt_generated_code(false);
    Ok(compiler.compile_files(&modules)?)
}
