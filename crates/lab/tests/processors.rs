//! The messages that `processors/` runs on other processors are the studies'.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use roadwire_lab::studies::ieee1609::description;
use roadwire_lab::studies::ieee1609::encoding::{Encoding, MESSAGE, Parts};
use roadwire_lab::studies::ieee1609::message as secured;
use roadwire_layout::{Choices, Rules};
use roadwire_peers::Engine as _;
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::roadwire::Toed;

/// The rules that `processors/codecs` has codecs for.
const RULES: [Rules; 4] = [Rules::Tls, Rules::Protobuf, Rules::Uper, Rules::ExiDefault];

/// The rules that asn1c has besides.
const OF_ASN1C: [Rules; 2] = [Rules::Der, Rules::Cxer];

/// The contents of the figures of the studies of 2014 and 2015, and the DENM without the field that
/// was added.
const MESSAGES: [&str; 11] = [
    "cam-mandatory",
    "denm-mandatory",
    "denm-mandatory-validity",
    "envelope-cam-digest-2014",
    "envelope-cam-certificate-2014",
    "envelope-denm-2014",
    "envelope-generic-2014",
    "envelope-cam-digest-2015",
    "envelope-cam-certificate-2015",
    "envelope-denm-2015",
    "envelope-generic-2015",
];

/// The name of a message's type in `processors/codecs`.
fn type_name(schema: Schema) -> &'static str {
    match schema {
        Schema::Cam130 => "cam",
        Schema::Denm120 => "denm",
        Schema::Envelope2014 => "envelope-2014",
        Schema::Envelope2015 => "envelope-2015",
        Schema::Envelope111 => "envelope-binary",
        Schema::SecuredData2013 => "dot2-binary",
        Schema::SecuredDataOriginal => "dot2-original",
        Schema::SecuredDataP => "dot2-p",
        other => panic!("{other} is in no figure"),
    }
}

fn digits(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

#[test]
fn messages_of_other_processors_are_the_studies_messages() {
    let mut text = String::new();
    for name in MESSAGES {
        let message = Message::find(name).unwrap();
        let of_asn1c = OF_ASN1C.iter().filter(|_| matches!(message.schema, Schema::Cam130 | Schema::Denm120));
        for rules in RULES.iter().chain(of_asn1c).copied() {
            let Some(under) = message.under(rules) else { continue };
            let octets = Toed.cell(message, rules).unwrap_or_else(|absent| panic!("{}", absent.0)).bytes().unwrap();
            writeln!(text, "{name} {} {rules} {}", type_name(under.schema), digits(&octets)).unwrap();
        }
    }
    // The ten of the tables of IEEE 1609.2's study: their schema is part of their names, as PER has
    // two.
    for encoding in Encoding::ALL {
        let (parts, schema) = (Parts::new(encoding).unwrap(), encoding.schema());
        for of in description::all().unwrap().iter().filter(|of| of.row.is_some()) {
            let Some(value) = secured(&parts, of).unwrap() else { continue };
            let octets = digits(&parts.encode(MESSAGE, &value).unwrap());
            writeln!(text, "{schema}:{} {} {} {octets}", of.name, type_name(schema), encoding.rules()).unwrap();
        }
    }
    is_in("messages.txt", &text);
}

/// Protocol Buffers 2.5.0 has no `oneof`.
#[test]
fn schemas_of_protocol_buffers_on_other_processors_are_the_studies_schemas() {
    for schema in [Schema::Cam130, Schema::Denm120] {
        let (model, root) = schema.model().unwrap();
        let text = roadwire_layout::proto_schema(&model, root, Choices::Optional).unwrap();
        is_in(&format!("peers/{schema}.proto"), &text);
    }
}

/// Compares a file of `processors/` with its text, or writes it.
fn is_in(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../processors").join(name);
    if env::var_os("ROADWIRE_BLESS").is_some() {
        fs::write(&file, text).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, text, "ROADWIRE_BLESS=1 writes {}", file.display());
}
