//! Text in the presentation language.

use roadwire_layout::{Properties, Rules};
use roadwire_model::Value;
use roadwire_presentation::Source;

/// Any octets as a file: refused with errors that have a position, or compiled; then it can be
/// lowered and used for decoding.
pub fn presentation_text(input: &[u8]) {
    let compiled = match roadwire_presentation::compile(&[Source::new("fuzz.tls", input)]) {
        Ok(compiled) => compiled,
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            assert!(!diagnostics.render().is_empty());
            return;
        }
    };
    for id in compiled.model.definitions.values().take(40) {
        for rules in [Rules::Tls, Rules::Uper, Rules::Jer] {
            let layout = roadwire_layout::lower(&compiled.model, *id, rules);
            assert!(rules != Rules::Tls || layout.is_ok(), "{layout:?}");
            let Ok(layout) = layout else { continue };
            let _ = Properties::of(&layout);
            for octets in [&[][..], &[0; 32], &[0xff; 32], &[0x55; 64], &[1, 2, 0, 1, 3, 0x81], b"{}", b"[]", b"1"] {
                let mut value = Value::Unset;
                if roadwire_engine::decode(&layout, octets, &mut value).is_ok() {
                    let again = roadwire_engine::encode_to_vec(&layout, &value, 1 << 20);
                    assert!(rules != Rules::Tls || again.is_ok(), "what was decoded from {octets:02x?}: {again:?}");
                }
            }
        }
    }
}
