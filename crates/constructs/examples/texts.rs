//! A line for each PDU and encoding: the rules, the PDU, and a hash of its generated code. What a
//! change of the generator changes are the lines that differ.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};

use roadwire_asn1::Source;
use roadwire_codegen::Options;
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let pdus = pdus();
    let source = Source::new("constructs.asn", module(&pdus).as_str());
    let model = roadwire_asn1::compile(&[source]).map_err(|diagnostics| diagnostics.render())?.model;
    for pdu in &pdus {
        let root = model.find(&format!("{MODULE}.{}", pdu.name)).ok_or("a PDU that is not in its module")?;
        for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
            let mut hash = DefaultHasher::new();
            match roadwire_codegen::generate(&model, &[root], &[rules], Options::default()) {
                Ok(generated) => generated.source.hash(&mut hash),
                Err(error) => error.to_string().hash(&mut hash),
            }
            println!("{rules} {} {:016x}", pdu.name, hash.finish());
        }
    }
    Ok(())
}
