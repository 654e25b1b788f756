//! Generated code and the interpreter convert alike: every shipped message, from all rules to all
//! rules, whatever the octets are.
#![cfg(all(feature = "schema", feature = "messages"))]

use std::path::Path;

use roadwire::{Codec, Rules, SCHEMAS, Schema, Transcoder, TypeId, Value};
use roadwire_model::check;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_notation::Notation;

/// Random values of each message that are small, large, with octets in open types, and beyond what
/// this version of it knows, as many of each; under each set of rules four times as many encodings
/// are damaged.
const VALUES: usize = 32;

/// A message, of which there is generated code.
struct Subject {
    name: &'static str,
    pdu: &'static str,
    schema: Schema,
    type_id: TypeId,
}

/// A conversion by generated code, how many inputs it took, and the interpreter's encoder.
struct Way<'a> {
    transcoder: Transcoder,
    strict: Option<Transcoder>,
    to: Codec<'a>,
    taken: usize,
}

/// All PDUs of a schema.
fn subjects(name: &'static str) -> Vec<Subject> {
    let pdus = SCHEMAS.iter().find(|schema| schema.name == name).unwrap().pdus;
    let subject = |pdu: &'static str| {
        let schema = Schema::shipped(name).unwrap();
        Subject { name, pdu, type_id: schema.find(Some(pdu)).unwrap(), schema }
    };
    pdus.iter().map(|pdu| subject(pdu)).collect()
}

impl Subject {
    fn codec(&self, rules: Rules) -> Codec<'_> {
        self.schema.codec(self.type_id, rules).unwrap()
    }

    fn transcoder(&self, from: Rules, to: Rules) -> Option<Transcoder> {
        Transcoder::shipped(self.name, Some(self.pdu), from, to)
    }

    fn agrees(&self) {
        for from in Rules::ALL {
            let ways: Vec<Way<'_>> = Rules::ALL.into_iter().filter_map(|to| self.way(from, to)).collect();
            if !ways.is_empty() {
                self.agrees_from(from, ways);
            }
        }
    }

    fn way(&self, from: Rules, to: Rules) -> Option<Way<'_>> {
        let transcoder = self.transcoder(from, to)?;
        let strict = self.transcoder(from, to)?.strict();
        Some(Way { transcoder, strict, to: self.codec(to), taken: 0 })
    }

    fn agrees_from(&self, from: Rules, mut ways: Vec<Way<'_>>) {
        let (codec, strict) = (self.codec(from), self.codec(from).strict());
        for input in self.inputs(&codec) {
            let value = codec.decode(&input).ok();
            let canonical = strict.decode(&input).ok();
            for way in &mut ways {
                let wanted = value.as_ref().and_then(|value| self.interpreted(value, &codec, &way.to));
                way.taken += usize::from(self.is_same(&mut way.transcoder, &input, wanted.as_deref()));
                if let Some(transcoder) = &mut way.strict {
                    self.is_same(transcoder, &input, wanted.filter(|_| canonical.is_some()).as_deref());
                }
            }
        }
        let not_taken: Vec<Rules> = ways.iter().filter(|way| way.taken == 0).map(|way| way.to.rules()).collect();
        assert!(not_taken.is_empty(), "{} {}: nothing is taken from {from} to {not_taken:?}", self.name, self.pdu);
    }

    /// Messages that are filled, with values that break constraints among them: generated code
    /// writes what the interpreter writes, or leaves them to it.
    fn fills_alike(&self) {
        let notation = Notation::strict(self.schema.model(), self.type_id).unwrap();
        let texts = self.inputs(&self.codec(Rules::Jer));
        let texts: Vec<&str> = texts.iter().filter_map(|text| std::str::from_utf8(text).ok()).collect();
        for rules in Rules::ALL {
            let Some(mut transcoder) = self.transcoder(rules, rules) else { continue };
            let codec = self.codec(rules);
            for text in &texts {
                let filled = transcoder.encode_filled(|message| notation.read_into(text, message));
                let Some(found) = filled.ok().flatten().map(<[u8]>::to_vec) else { continue };
                let value = notation.read(text).unwrap();
                assert!(check::value(self.schema.model(), self.type_id, &value).is_empty(), "{rules}: {text}");
                assert_eq!(Some(found), codec.encode(&value).ok(), "{rules}: {text}");
            }
        }
    }

    fn interpreted(&self, value: &Value, from: &Codec<'_>, to: &Codec<'_>) -> Option<Vec<u8>> {
        self.schema.can_carry(self.type_id, value, from.rules(), to.rules()).ok()?;
        to.encode(value).ok()
    }

    /// Whether generated code takes the input. Then the interpreter has the same octets.
    fn is_same(&self, transcoder: &mut Transcoder, input: &[u8], wanted: Option<&[u8]>) -> bool {
        let Some(found) = transcoder.convert(input).map(<[u8]>::to_vec) else { return false };
        assert_eq!(Some(&*found), wanted, "{} {}, {transcoder:?}: {input:02x?}", self.name, self.pdu);
        true
    }

    /// The vectors, random values, and damaged copies of these. Not everything beyond the schema
    /// has each encoding.
    fn inputs(&self, codec: &Codec<'_>) -> Vec<Vec<u8>> {
        let octets = Settings { extensions: 0, max_elements: 6, budget: 150, integer_bits: 62, ..Settings::default() };
        let plain = Settings { open_types: true, ..octets.clone() };
        let small = Settings { optional: 5, max_elements: 1, budget: 8, ..plain.clone() };
        let beyond = Settings { extensions: 30, unknown: 20, tagged: true, ..plain.clone() };
        let mut inputs = self.vectors(codec);
        let mut rng = Rng::new(0x7ea5);
        for settings in [small, plain, octets, beyond] {
            let generator = Generator::new(self.schema.model(), settings);
            let values = (0..VALUES).filter_map(|_| generator.try_value(self.type_id, &mut rng));
            inputs.extend(values.filter_map(|value| codec.encode(&value).ok()));
        }
        let whole = inputs.len();
        inputs.extend(
            (0..VALUES * 4).map(|_| damaged(&inputs[..whole], codec.rules().is_text(), &mut rng)).collect::<Vec<_>>(),
        );
        inputs
    }

    /// Vectors that other implementations agree on.
    fn vectors(&self, codec: &Codec<'_>) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../messages/tests/vectors");
        let text = std::fs::read_to_string(folder.join(format!("{}.jsonl", self.name))).unwrap_or_default();
        let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let jer = self.codec(Rules::Jer);
        let values = rows.filter(|row| row["type"] == self.pdu).map(|row| row["value"].as_str().unwrap().to_owned());
        values.filter_map(|value| codec.encode(&jer.decode(value.as_bytes()).ok()?).ok()).collect()
    }
}

/// One of the messages with octets changed, cut short, or followed by others.
fn damaged(messages: &[Vec<u8>], is_text: bool, rng: &mut Rng) -> Vec<u8> {
    let mut octets = messages[rng.below(messages.len() as u64) as usize].clone();
    for _ in 0..=rng.below(2) {
        let at = rng.below(octets.len().max(1) as u64) as usize;
        match rng.below(8) {
            0 => octets.truncate(at),
            1 => octets.push([0, b' ', b'\n', 0xff][rng.below(4) as usize]),
            2 => octets.insert(at, [b' ', b'0', 0x80, b'9'][rng.below(4) as usize]),
            // Presence bits and lengths come early.
            3 => octets.iter_mut().take(24).skip(at % 24).take(1).for_each(|octet| *octet ^= 1 << rng.below(8)),
            _ if is_text => {
                let digit = octets.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |found| at + found);
                octets.iter_mut().skip(digit).take(1).for_each(|octet| *octet = b'0' + rng.below(10) as u8);
            }
            _ => octets.iter_mut().skip(at).take(1).for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
    }
    octets
}

/// Messages are stored inline, and code that is not optimised copies them.
fn with_room(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

macro_rules! agree {
    ($($test:ident $name:literal;)*) => {
        $(
            #[test]
            fn $test() {
                with_room(|| {
                    for subject in subjects($name) {
                        subject.agrees();
                        if subject.schema.model().codings.is_empty() {
                            subject.fills_alike();
                        }
                    }
                });
            }
        )*

        /// The schemas above.
        const COMPARED: &[&str] = &[$($name),*];
    };
}

agree! {
    cam_1_3_0_is_converted_alike "cam-1.3.0";
    cam_1_4_1_is_converted_alike "cam-1.4.1";
    denm_1_2_0_is_converted_alike "denm-1.2.0";
    denm_1_3_1_is_converted_alike "denm-1.3.1";
    cam_2_3_1_is_converted_alike "cam-2.3.1";
    denm_2_3_1_is_converted_alike "denm-2.3.1";
    cpm_tr_103562_is_converted_alike "cpm-tr-103562";
    cpm_2_1_1_is_converted_alike "cpm-2.1.1";
    vam_2_3_1_is_converted_alike "vam-2.3.1";
    ivim_2_1_1_is_converted_alike "ivim-2.1.1";
    spatem_2_1_1_is_converted_alike "spatem-2.1.1";
    mapem_2_1_1_is_converted_alike "mapem-2.1.1";
    srem_2_1_1_is_converted_alike "srem-2.1.1";
    ssem_2_1_1_is_converted_alike "ssem-2.1.1";
    rtcmem_2_1_1_is_converted_alike "rtcmem-2.1.1";
    ieee1609dot2_2017_is_converted_alike "ieee1609dot2-2017";
    ieee1609dot2_2022_is_converted_alike "ieee1609dot2-2022";
    ts102941_2_2_1_is_converted_alike "ts102941-2.2.1";
    ts103097_1_3_1_is_converted_alike "ts103097-1.3.1";
    ts103097_2_1_1_is_converted_alike "ts103097-2.1.1";
    ts103097_1_1_1_is_converted_alike "ts103097-1.1.1";
    ts103097_1_2_1_is_converted_alike "ts103097-1.2.1";
    ieee1609dot2_2013_is_converted_alike "ieee1609dot2-2013";
}

/// Those with codecs for all rules.
const OLD: [&str; 4] = ["cam-1.3.0", "cam-1.4.1", "denm-1.2.0", "denm-1.3.1"];

/// The rules that no study needs secured data in.
const NOT_STUDIED: [Rules; 4] = [Rules::Cer, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiSplit];

/// From all rules that a message has to all of them. JER in the presentation language is left to
/// the interpreter: there, components say which others are present.
#[test]
fn all_schemas_with_generated_code_are_compared() {
    for schema in SCHEMAS {
        for pdu in schema.pdus {
            let is_there = |from, to| Transcoder::shipped(schema.name, Some(pdu), from, to).is_some();
            let from = Rules::ALL.into_iter().filter(|from| Rules::ALL.into_iter().any(|to| is_there(*from, to)));
            let from: Vec<Rules> = from.collect();
            let wanted = match (COMPARED.contains(&schema.name), schema.modules[0].0.ends_with(".tls")) {
                // Release 2 has codecs for some rules alone.
                (true, false) if ["ieee1609dot2-2022", "ts103097-2.1.1"].contains(&schema.name) => {
                    vec![Rules::Oer, Rules::Coer, Rules::Jer]
                }
                // The first of those that share a Rust type, which has that one's constraints.
                (true, false) if schema.name == "ts102941-2.2.1" && from.is_empty() && *pdu != schema.pdus[0] => vec![],
                (true, false) if schema.name == "ts102941-2.2.1" => vec![Rules::Coer, Rules::Jer],
                (true, false) if ["ieee1609dot2-2017", "ts103097-1.3.1"].contains(&schema.name) => {
                    // A profile has another name in XML.
                    let is_profile = schema.name == "ts103097-1.3.1";
                    let is_shared =
                        |rules: Rules| !is_profile || ![Rules::Xer, Rules::Cxer, Rules::Exer].contains(&rules);
                    let is_there =
                        |rules: &Rules| rules.is_for_asn1() && !NOT_STUDIED.contains(rules) && is_shared(*rules);
                    Rules::ALL.into_iter().filter(is_there).collect()
                }
                (true, false) if !OLD.contains(&schema.name) => vec![Rules::Uper, Rules::Jer],
                (true, false) => Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()).collect(),
                (true, true) => vec![Rules::Tls],
                (false, _) => vec![],
            };
            assert_eq!(from, wanted, "{} {pdu}", schema.name);
        }
    }
}

#[test]
fn what_has_a_default_may_be_there_or_not() {
    let without = small_value("denm-1.3.1");
    let default = without.replacen("\"stationType\"", "\"validityDuration\":600,\"stationType\"", 1);
    assert_ne!(without, default);
    let schema = Schema::shipped("denm-1.3.1").unwrap();
    let denm = schema.find(None).unwrap();
    with_room(move || {
        for to in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
            for text in [&without, &default] {
                let wanted = schema.convert(denm, Rules::Jer, to, text.as_bytes()).unwrap();
                let mut transcoder = Transcoder::shipped("denm-1.3.1", None, Rules::Jer, to).unwrap();
                assert_eq!(transcoder.convert(text.as_bytes()), Some(&*wanted), "{to}: {text}");
            }
        }
    });
}

/// A value without optional components, as it is written.
fn small_value(name: &str) -> String {
    let schema = Schema::shipped(name).unwrap();
    let id = schema.find(None).unwrap();
    let settings = Settings { optional: 0, extensions: 0, ..Settings::default() };
    let value = Generator::new(schema.model(), settings).value(id, &mut Rng::new(1));
    String::from_utf8(schema.encode(id, Rules::Jer, &value).unwrap()).unwrap()
}
