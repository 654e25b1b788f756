//! The messages that `processors/` runs on other processors are the studies'.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use roadwire_layout::Rules;
use roadwire_peers::Engine as _;
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::roadwire::Toed;

/// The rules that `processors/codecs` has codecs for.
const RULES: [Rules; 4] = [Rules::Tls, Rules::Protobuf, Rules::Uper, Rules::ExiDefault];

/// The contents of the figures of the studies of 2014 and 2015, and the DENM without the field that was added.
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
        other => panic!("{other} is in no figure"),
    }
}

#[test]
fn messages_of_other_processors_are_the_studies_messages() {
    let mut text = String::new();
    for name in MESSAGES {
        let message = Message::find(name).unwrap();
        for rules in RULES {
            let Some(under) = message.under(rules) else { continue };
            let octets = Toed.cell(message, rules).unwrap_or_else(|absent| panic!("{}", absent.0)).bytes().unwrap();
            let digits: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
            writeln!(text, "{name} {} {rules} {digits}", type_name(under.schema)).unwrap();
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../processors/messages.txt");
    if env::var_os("ROADWIRE_BLESS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "ROADWIRE_BLESS=1 writes {}", file.display());
}
