//! The types and codecs of `sink.asn`, `open.asn` and `constraints.asn`, in the ways that the
//! generator has.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use roadwire_asn1::Source;
use roadwire_codegen::{Integers, Options, generate};
use roadwire_layout::Rules;

/// The rules that types which borrow have straight-line code for.
const LENT: [Rules; 4] = [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Coer];

fn main() -> Result<(), Box<dyn Error>> {
    let all: Vec<Rules> = Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()).collect();
    let usual = Options::default;
    let sink = ("sink.asn", &["Sink.Message", "Sink.Label", "Sink.Note", "Sink.Signed"][..]);
    module("sink", sink, &all, usual())?;
    module(
        "functions",
        sink,
        &all,
        Options { written_out: Some(0), integers: Integers::Word, box_above: 1, ..usual() },
    )?;
    module("borrowed", sink, &LENT, Options { borrowed: true, elements_in_place: 2, ..usual() })?;
    let open = ("open.asn", &["Open.Message"][..]);
    module("open", open, &all, usual())?;
    module(
        "open_functions",
        open,
        &all,
        Options { written_out: Some(0), integers: Integers::Word, box_above: 1, check_all: true, ..usual() },
    )?;
    module("open_borrowed", open, &LENT, Options { borrowed: true, ..usual() })?;
    let constraints = ("constraints.asn", &["Constraints.Message", "Constraints.Plain"][..]);
    module("constraints", constraints, &all, usual())?;
    module("constraints_all", constraints, &all, Options { check_all: true, box_above: 1, ..usual() })?;
    let tapped = vec!["Message.size".into()];
    let options = Options { borrowed: true, check_all: true, tapped, ..usual() };
    module("constraints_borrowed", constraints, &LENT, options)
}

/// Writes NAME.rs for the messages of a module file.
fn module(name: &str, from: (&str, &[&str]), rules: &[Rules], options: Options) -> Result<(), Box<dyn Error>> {
    let (file, pdus) = from;
    println!("cargo::rerun-if-changed={file}");
    let source = Source::new(file, fs::read(file)?);
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    let root = |pdu: &&str| model.find(pdu).ok_or_else(|| format!("{pdu} is not in {file}"));
    let roots = pdus.iter().map(root).collect::<Result<Vec<_>, _>>()?;
    let target = PathBuf::from(env::var("OUT_DIR")?).join(name).with_extension("rs");
    Ok(fs::write(target, generate(&model, &roots, rules, options)?.source)?)
}
