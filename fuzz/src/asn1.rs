//! Module text.

use roadwire_asn1::Source;
use roadwire_layout::{Properties, Rules};
use roadwire_model::Value;

/// Any octets as module text: refused with errors that have a position, or compiled; then it can be
/// lowered and used for decoding.
pub fn asn1_text(input: &[u8]) {
    let source = Source::new("fuzz.asn", input);
    let compiled = match roadwire_asn1::compile(&[source]) {
        Ok(compiled) => compiled,
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!diagnostics.render().is_empty());
            return;
        }
    };
    let _ = compiled.warnings.render();
    let rules = Rules::ALL;
    // Each type under some rules, selected by the length of the text, so that all are used.
    for (at, id) in compiled.model.definitions.values().take(40).enumerate() {
        let rules = rules[(at + input.len()) % rules.len()];
        let Ok(layout) = roadwire_layout::lower(&compiled.model, *id, rules) else { continue };
        let _ = Properties::of(&layout);
        for octets in [&[][..], &[0; 32], &[0xff; 32], &[0x55; 64], &[0x30, 0x80, 0, 0], b"<A/>", b"{}", b"[]", b"1"] {
            let mut value = Value::Unset;
            if roadwire_engine::decode(&layout, octets, &mut value).is_ok() {
                let again = roadwire_engine::encode_to_vec(&layout, &value, 1 << 20);
                assert!(again.is_ok(), "{rules}: what was decoded from {octets:02x?}: {again:?}");
            }
        }
    }
}
