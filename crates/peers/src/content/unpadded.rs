//! The security envelopes of 2015 without the padding that was added to their ASN.1 to get the
//! published lengths in PER: the certificate's name of 32 octets. Only their lengths are used.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use roadwire_frontend::Source;
use roadwire_layout::Rules;
use roadwire_notation::Notation;

use serde_json::{Value, json};

use super::{MESSAGES, Schema, envelope};

/// The suffix of the name of the message with the padding.
const UNPADDED: &str = "-unpadded";
/// The same at a place near the origin: EXI and Protocol Buffers take fewer octets for small
/// numbers, and the studies' place is not known.
const NEAR: &str = "-unpadded-near";

/// The length of an envelope whose name ends in `-unpadded` or `-unpadded-near`; `None` for any
/// other message.
///
/// # Errors
/// There is no such envelope, or not under these rules.
pub fn octets(message: &str, rules: Rules) -> Option<Result<usize, String>> {
    if !message.ends_with(UNPADDED) && !message.ends_with(NEAR) {
        return None;
    }
    static LENGTHS: OnceLock<Result<Lengths, String>> = OnceLock::new();
    Some(match LENGTHS.get_or_init(lengths) {
        Ok(lengths) => {
            let length = lengths.get(&(message.into(), rules));
            length.copied().ok_or_else(|| format!("there is no {message} in {rules}"))
        }
        Err(why) => Err(why.clone()),
    })
}

/// By message and rules.
type Lengths = BTreeMap<(String, Rules), usize>;

fn lengths() -> Result<Lengths, String> {
    let shipped = super::shipped(Schema::Envelope2015.name())?.0;
    let [(name, text)] = shipped.modules else { return Err("the envelope has more than one module".into()) };
    let text = text.replace("subjectName OCTET STRING (SIZE (32))", "subjectName OCTET STRING (SIZE (0..32))");
    let model = roadwire_frontend::compile(&[Source::new(*name, text)]).map_err(|errors| errors.render())?.model;
    let root = model.find(shipped.pdu()).ok_or("no such type")?;
    let notation = Notation::new(&model, root).map_err(|error| error.to_string())?;
    let (mut lengths, encode) = (Lengths::new(), roadwire_engine::encode_to_vec);
    for rules in envelope::RULES {
        let layout = roadwire_layout::lower(&model, root, rules).map_err(|error| error.to_string())?;
        for message in MESSAGES.iter().filter(|message| message.schema == Schema::Envelope2015) {
            for (suffix, near) in [(UNPADDED, false), (NEAR, true)] {
                let content = serde_json::from_str(&message.jer()).map_err(|error| error.to_string())?;
                let value = notation.read(&changed(content, near).to_string());
                let octets = encode(&layout, &value.map_err(|error| error.to_string())?, 1000);
                let octets = octets.map_err(|error| error.to_string())?.len();
                lengths.insert((format!("{}{suffix}", message.id), rules), octets);
            }
        }
    }
    // The binary format has no padding, and a place has a fixed length.
    let (model, root) = Schema::Envelope111.model()?;
    let notation = Notation::new(&model, root).map_err(|error| error.to_string())?;
    let layout = roadwire_layout::lower(&model, root, Rules::Tls).map_err(|error| error.to_string())?;
    for message in MESSAGES.iter().filter(|message| message.schema == Schema::Envelope2015) {
        let binary = message.under(Rules::Tls).ok_or("no binary format")?;
        let value = notation.read(&binary.jer()).map_err(|error| error.to_string())?;
        let octets = encode(&layout, &value, 1000).map_err(|error| error.to_string())?.len();
        for suffix in [UNPADDED, NEAR] {
            lengths.insert((format!("{}{suffix}", message.id), Rules::Tls), octets);
        }
    }
    Ok(lengths)
}

/// Sets an empty name, and if `near`, coordinates of 1.
fn changed(mut value: Value, near: bool) -> Value {
    if let Some(name) = value.pointer_mut("/headerFields/signerInfo/certificate/subjectInfo/subjectName") {
        *name = "".into();
    }
    if let (true, Some(place)) = (near, value.pointer_mut("/headerFields/generationLocation")) {
        *place = json!({ "latitude": 1, "longitude": 1, "elevation": 1 });
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_padding_and_with_a_small_place() {
        let names = [
            "envelope-cam-digest-2015",
            "envelope-cam-certificate-2015",
            "envelope-denm-2015",
            "envelope-generic-2015",
        ];
        let of = |suffix: &str, rules| names.map(|name| octets(&format!("{name}{suffix}"), rules).unwrap().unwrap());
        for (rules, lengths) in [
            (Rules::Uper, [88, 208, 218, 216]),
            (Rules::Protobuf, [106, 272, 280, 278]),
            (Rules::Exi, [90, 209, 213, 211]),
            (Rules::ExiDefault, [94, 221, 226, 225]),
            (Rules::ExiMerged, [94, 221, 226, 224]),
        ] {
            assert_eq!(of(NEAR, rules), lengths, "{rules}");
        }
        assert_eq!(of(UNPADDED, Rules::Tls), [96, 222, 233, 230]);
        // A place far from the origin takes more octets where numbers have a variable length.
        assert_eq!(of(UNPADDED, Rules::Uper), of(NEAR, Rules::Uper));
        assert!(of(UNPADDED, Rules::Exi)[2] > of(NEAR, Rules::Exi)[2]);
        assert!(octets("envelope-denm-2015", Rules::Uper).is_none());
        assert!(octets("a-unpadded", Rules::Uper).unwrap().is_err());
    }
}
