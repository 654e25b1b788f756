//! Module text.

use roadwire_asn1::Source;
use roadwire_layout::{Properties, Rules};
use roadwire_model::Value;

/// Any octets as module text: refused with reasons that have a place, or compiled; and what is compiled can be lowered and read by.
pub fn asn1_text(input: &[u8]) {
    let source = Source { name: "fuzz.asn".into(), bytes: input.to_vec() };
    let compiled = match roadwire_asn1::compile(&[source]) {
        Ok(compiled) => compiled,
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!diagnostics.render().is_empty());
            return;
        }
    };
    let _ = compiled.warnings.render();
    for id in compiled.model.definitions.values().take(40) {
        let Ok(layout) = roadwire_layout::lower(&compiled.model, *id, Rules::Uper) else { continue };
        let _ = Properties::of(&layout);
        for octets in [&[][..], &[0; 32], &[0xff; 32], &[0x55; 64]] {
            let mut value = Value::Unset;
            if roadwire_engine::decode(&layout, octets, &mut value).is_ok() {
                roadwire_engine::encode_to_vec(&layout, &value, 1 << 20).expect("what was decoded");
            }
        }
    }
}
