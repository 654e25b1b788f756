//! `convert` answers alike with generated code and without, octet for octet: values, errors, exit
//! codes.

mod support;

use roadwire::{Codec, Rules, SCHEMAS, Schema};
use roadwire_model::random::{Generator, Rng, Settings};
use support::{CAM_HEX, CAM_JER, DENM_HEX, run};

/// Runs a conversion with and without generated code; the answer of both.
#[track_caller]
fn same(arguments: &[&str], input: impl AsRef<[u8]>) -> support::Ran {
    let [generated, interpreted] =
        [&[][..], &["--interpreted"]].map(|more| run(&[&["convert"], arguments, more].concat(), input.as_ref()));
    let of = |ran: &support::Ran| (ran.code, ran.stderr.clone(), ran.raw.clone());
    let what = || format!("{arguments:?}: {}", String::from_utf8_lossy(input.as_ref()));
    assert!(of(&generated) == of(&interpreted), "{}\n{}\n{}", what(), generated.stdout, interpreted.stdout);
    generated
}

/// Lines with values of a message, some beyond what this version knows, some damaged, and what is
/// no message at all.
fn lines(schema: &Schema, pdu: &str, codec: &Codec<'_>) -> String {
    let id = schema.find(Some(pdu)).unwrap();
    let octets = Settings { extensions: 0, max_elements: 4, budget: 100, integer_bits: 62, ..Settings::default() };
    // With contents in open types.
    let plain = Settings { open_types: true, ..octets.clone() };
    let beyond = Settings { extensions: 30, unknown: 20, tagged: true, ..octets.clone() };
    let mut rng = Rng::new(0x11e5);
    let mut messages: Vec<Vec<u8>> = Vec::new();
    for settings in [octets, plain, beyond] {
        let generator = Generator::new(schema.model(), settings);
        let values = (0..6).filter_map(|_| generator.try_value(id, &mut rng));
        messages.extend(values.filter_map(|value| codec.encode(&value).ok()));
    }
    let damaged: Vec<Vec<u8>> = messages.iter().flat_map(|message| damaged(message, &mut rng)).collect();
    messages.extend(damaged);
    let line = |message: &Vec<u8>| match codec.rules().is_text() {
        true => String::from_utf8_lossy(message).into_owned(),
        false => message.iter().map(|octet| format!("{octet:02x}")).collect(),
    };
    let lines: Vec<String> = messages.iter().map(line).collect();
    format!("{}\n\nnonsense\n0\n{{}}\n", lines.join("\n"))
}

/// The message cut short, followed by an octet, and with one changed.
fn damaged(message: &[u8], rng: &mut Rng) -> [Vec<u8>; 3] {
    let at = rng.below(message.len().max(1) as u64) as usize;
    let mut changed = message.to_vec();
    changed.iter_mut().skip(at).take(1).for_each(|octet| *octet = (*octet ^ 1 << rng.below(7)).max(b' '));
    [message[..at].to_vec(), [message, b" "].concat(), changed]
}

/// Each set of rules is read once, strictly too, and written once.
#[track_caller]
fn streams_are_the_same(name: &str) {
    let shipped = SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
    let schema = Schema::shipped(name).unwrap();
    for pdu in shipped.pdus {
        let id = schema.find(Some(pdu)).unwrap();
        let codecs: Vec<Codec<'_>> = Rules::ALL.iter().filter_map(|rules| schema.codec(id, *rules).ok()).collect();
        for (from, to) in codecs.iter().zip(codecs.iter().skip(1).chain(&codecs)) {
            let lines = lines(&schema, pdu, from);
            let (from, to) = (from.rules().name(), to.rules().name());
            let arguments = ["-s", name, "-t", pdu, "--from", from, "--to", to, "--lines"];
            assert_eq!(same(&arguments, &lines).code, 1);
            let more = if from == "jer" { "--lenient" } else { "--strict" };
            same(&[&arguments[..], &[more, "--json"]].concat(), &lines);
        }
    }
}

macro_rules! streams {
    ($($test:ident $name:literal;)*) => {
        $(
            #[test]
            fn $test() {
                streams_are_the_same($name);
            }
        )*

        #[test]
        fn the_streams_of_all_schemas_are_compared() {
            assert_eq!(SCHEMAS.iter().map(|schema| schema.name).collect::<Vec<_>>(), [$($name),*]);
        }
    };
}

streams! {
    a_stream_of_cam_1_3_0_is_the_same "cam-1.3.0";
    a_stream_of_cam_1_4_1_is_the_same "cam-1.4.1";
    a_stream_of_cam_2_1_1_is_the_same "cam-2.1.1";
    a_stream_of_cam_2_3_1_is_the_same "cam-2.3.1";
    a_stream_of_denm_1_2_0_is_the_same "denm-1.2.0";
    a_stream_of_denm_1_3_1_is_the_same "denm-1.3.1";
    a_stream_of_denm_2_2_1_is_the_same "denm-2.2.1";
    a_stream_of_denm_2_3_1_is_the_same "denm-2.3.1";
    a_stream_of_cpm_tr_103562_is_the_same "cpm-tr-103562";
    a_stream_of_cpm_2_1_1_is_the_same "cpm-2.1.1";
    a_stream_of_vam_2_2_1_is_the_same "vam-2.2.1";
    a_stream_of_vam_2_3_1_is_the_same "vam-2.3.1";
    a_stream_of_ivim_2_1_1_is_the_same "ivim-2.1.1";
    a_stream_of_spatem_2_1_1_is_the_same "spatem-2.1.1";
    a_stream_of_mapem_2_1_1_is_the_same "mapem-2.1.1";
    a_stream_of_srem_2_1_1_is_the_same "srem-2.1.1";
    a_stream_of_ssem_2_1_1_is_the_same "ssem-2.1.1";
    a_stream_of_rtcmem_2_1_1_is_the_same "rtcmem-2.1.1";
    a_stream_of_ieee1609dot2_2017_is_the_same "ieee1609dot2-2017";
    a_stream_of_ieee1609dot2_2022_is_the_same "ieee1609dot2-2022";
    a_stream_of_ts103097_1_3_1_is_the_same "ts103097-1.3.1";
    a_stream_of_ts103097_2_1_1_is_the_same "ts103097-2.1.1";
    a_stream_of_ts103097_1_1_1_is_the_same "ts103097-1.1.1";
    a_stream_of_ts103097_1_2_1_is_the_same "ts103097-1.2.1";
    a_stream_of_ts102941_2_2_1_is_the_same "ts102941-2.2.1";
    a_stream_of_ieee1609dot2_2013_is_the_same "ieee1609dot2-2013";
}

#[test]
fn a_single_value_is_the_same() {
    for (name, hex) in [("cam-1.4.1", CAM_HEX), ("denm-1.3.1", DENM_HEX)] {
        let between = |from, to| ["-s", name, "--from", from, "--to", to];
        let value = same(&between("uper", "jer"), hex);
        assert!(value.code == 0 && value.stdout.starts_with("{\n  \"header\""), "{}", value.stdout);
        assert_eq!(same(&between("jer", "uper"), &value.stdout).stdout.trim_end(), hex);
        assert_eq!(same(&between("uper", "xer"), hex).code, 0);
        assert_eq!(same(&[&between("uper", "xer")[..], &["--pretty"]].concat(), hex).code, 0);
        assert_eq!(same(&[&between("uper", "coer")[..], &["--output-format", "base64"]].concat(), hex).code, 0);
        for (input, code) in [(&hex[..20], 1), ("", 1), (&format!("{hex}00"), 1), (hex, 0)] {
            assert_eq!(same(&between("uper", "jer"), input).code, code, "{input}");
            assert_eq!(same(&[&between("uper", "coer")[..], &["--json"]].concat(), input).code, code, "{input}");
        }
    }
}

/// Errors of the command line come before any message that generated code refuses.
#[test]
fn wrong_usage_is_the_same() {
    for wrong in [
        ["-s", "cam-1.4.1", "-t", "Cam", "--from", "uper", "--to", "jer"],
        ["-s", "cam-1.4.1", "-t", "CAM", "--from", "tls", "--to", "jer"],
        ["-s", "cam", "-t", "CAM", "--from", "uper", "--to", "jer"],
    ] {
        assert_eq!(same(&wrong, CAM_HEX).code, 2, "{wrong:?}");
    }
    let strict = ["-s", "cam-1.4.1", "--from", "jer", "--to", "uper", "--strict"];
    assert_eq!(same(&strict, CAM_JER).code, 2);
}

/// A type that is no PDU, and one that is named without its module.
#[test]
fn other_types_are_the_same() {
    let of = |name| ["-s", "cam-1.4.1", "-t", name, "--from", "uper", "--to", "jer"];
    assert_eq!(same(&of("CAM"), CAM_HEX).code, 0);
    assert_eq!(same(&of("ITS-Container.ItsPduHeader"), "020200072a99").code, 0);
}
