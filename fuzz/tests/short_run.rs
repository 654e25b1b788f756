//! A run without a fuzzer: seeds and their mutants, the same every time. `ROADWIRE_FUZZ_PERCENT`
//! makes it longer or shorter. No clock is read here, since a busy machine is not an error: growth/
//! measures the cost of inputs over their size.

use roadwire_fuzz::mutate::{dictionary, mutant};
use roadwire_fuzz::{
    Family, asn1_text, distribution_read, file_read, frame_dissected, message_decoded, message_of_today_verified,
    message_verified, notation_read, presentation_text, seeds, value_encoded,
};
use roadwire_model::random::Rng;

/// The current input, shown if a check panics.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("on this input:\n{}\nas text: {}", hex(self.0), String::from_utf8_lossy(self.0));
        }
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn run(check: impl Fn(&[u8]), seeds: &[Vec<u8>], words: &str, mutants: u64) {
    let percent = std::env::var("ROADWIRE_FUZZ_PERCENT").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let (mut rng, words) = (Rng::new(2), dictionary(words));
    assert!(!seeds.is_empty());
    let inputs = (0..mutants * percent / 100).map(|_| mutant(seeds, &words, &mut rng));
    for input in seeds.iter().cloned().chain(inputs) {
        let shown = Shown(&input);
        check(shown.0);
    }
}

#[test]
fn module_text_is_answered() {
    run(asn1_text, &seeds::asn1(), include_str!("../asn1.dict"), 40_000);
}

#[test]
fn presentation_text_is_answered() {
    run(presentation_text, &seeds::presentation(), include_str!("../presentation.dict"), 40_000);
}

#[test]
fn value_notation_is_answered() {
    run(notation_read, &seeds::notation(), include_str!("../json.dict"), 300_000);
}

#[test]
fn files_of_distributions_are_answered() {
    run(distribution_read, &seeds::distributions(), include_str!("../toml.dict"), 20_000);
}

#[test]
fn values_right_or_wrong_are_encoded_or_refused() {
    run(value_encoded, &seeds::recipes(), "", 100_000);
}

#[test]
fn secured_messages_are_refused_or_were_signed() {
    run(message_verified, &seeds::secured(), "", 20_000);
}

#[test]
fn secured_messages_of_today_are_refused_or_were_signed() {
    run(message_of_today_verified, &seeds::secured_today(), "", 20_000);
}

#[test]
fn files_of_frames_are_read_to_their_end() {
    run(file_read, &seeds::files(), "", 100_000);
}

#[test]
fn frames_are_understood_up_to_a_place() {
    run(frame_dissected, &seeds::frames(), "", 500_000);
}

/// One test for each family, so that they run side by side.
macro_rules! any_octets_are_answered_alike {
    ($($test:ident: $family:ident $words:expr;)*) => {
        mod any_octets_are_answered_alike { $(
            #[test]
            fn $test() {
                super::messages(super::Family::$family, $words);
            }
        )* }
    };
}

any_octets_are_answered_alike! {
    packed: Packed "";
    octet: Octet "";
    tlv: Tlv "";
    xml: Xml include_str!("../xml.dict");
    json: Json include_str!("../json.dict");
    events: Events "";
    vectors: Vectors "";
    fields: Fields "";
    cbor: Cbor "";
}

/// Findings that need the types generated here.
#[test]
fn what_was_found_stays_mended() {
    // A bit string without bits, whose size is extensible, decoded over a type that holds any
    // number of them.
    let empty = "36800800059809ac48255c2fad1ffbd8d6119300a000a070100000c07e007e00009314c0f6376f0232d04b5edfb022c0431bdcad87393c755144a50102008cd2c1dac943de6a1d2dc0";
    let octets = |hex: &str| -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")).collect()
    };
    message_decoded(Family::Events, &octets(empty));
    // A UTCTime whose DEFAULT is included by canonical XER, in its canonical form.
    let formless = "3a8045e0f37373034313930373035353153b1e6870606e6468626a60666272b403cc4dcc4d0e0c4e0ccc6d4c4d16b0";
    message_decoded(Family::Events, &octets(formless));
    // A difference to UTC with zero minutes, in a TIME that is a record of numbers.
    let difference = "0c8e7c0211680302032013021a060c14162637120115014315363732362d31312d30342f343830382d30372d32352d523437332f31303a35313a35392e333734323336333633393930392d31303a30302f50393359543237483939530d3735303931393230343432335a1337413437313031313135343230312e3530375a7f8000008000000000000000";
    message_decoded(Family::Octet, &octets(difference));
    // A SET in BER whose open type precedes its key, and is not of the type that the key selects:
    // DER has the key in front.
    let ahead =
        "02a23230303007020201b4c60102a30d310ba104d702508da003020101a406d604718c224da50e040c6b78348e4d28d910580d7203";
    message_decoded(Family::Tlv, &octets(ahead));
    // An element whose name is expected is named by another place of names where strings contain
    // types: the check compared places, not names.
    let unexpected = "143c4d6573737167653e3c65726f757065642f3e3c2f4d6573736167653e3e3c7265616c3e312e353138303538353132323739393136452d3134393c2f7265616c3e3c6c6973743e3c494e54454745523e31373032393c2f494e54454745523e3c494e54454745523e2d353538383831383234383331393632";
    message_decoded(Family::Xml, &octets(unexpected));
    // A CDATA section that does not end: after its first character, straight-line code read on as
    // if it had never begun.
    let section = "0a3c416e793e3c612d4c65747465727346726f6d36303e3c66726f6e743e373c2f66726f6e743e3c6d616e6461746f72793e4444424142414546444146614341414344614446454342614445414344424542434643414542414141614146446141414141614261454345614645613c2f6d616e6461746f72793e3c67726f757065643e43414341444442414241454644414661434145414344454545614141454442414241424661424143464544454543424244414443413c215b43444154415b43434561454344613c2f67726f757065643e3c2f612d4c65747465727346726f6d36303e3c2f416e793e";
    message_decoded(Family::Xml, &octets(section));
    // An EMBEDDED PDV with the component that X.680 §36.5 forbids: generated code did not check it.
    let described = "3c8018cc178335730654094fca9102a9cd6048804838167f84b46c3fd685fe800000000000000c05aea46f746865727394eecda81ed63c1c9e7e4726b97e452e2506f50e6f1c8c5fff2ea7a807260c7faefffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe3ff6d3df17c7a70c074e870f2f9e682c19bdcb75e350f0";
    message_decoded(Family::Events, &octets(described));
    // Named bits with more trailing zeros than a word has bits: Protocol Buffers refused them,
    // while all others accept them.
    value_encoded(&octets("013eff0001903eff000190454545454545454545454545454545454545454545454508"));
}

fn messages(family: Family, words: &str) {
    let seeds = seeds::messages(family);
    run(|input| message_decoded(family, input), &seeds, words, 100_000);
}

/// Every word of the module parser is in its dictionary.
#[test]
fn the_dictionary_has_all_words() {
    let words = dictionary(include_str!("../asn1.dict"));
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/asn1/src"))];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            let is_word = |word: &&str| {
                word.len() > 1
                    && word.bytes().all(|octet| octet.is_ascii_uppercase() || octet == b'-')
                    && !word.ends_with('-')
            };
            for word in text.split('"').filter(is_word) {
                assert!(words.iter().any(|known| known == word.as_bytes()), "{word} of {} is missing", path.display());
                found += 1;
            }
        }
    }
    assert!(found > 50, "{found}");
}
