//! The interpreter and the generated code agree: the same octets, the same values, the same bits
//! consumed and the same errors, on random values (including extensions) and on octets that no
//! encoder wrote.

mod common;

use std::fmt::Debug;

use common::{Shipped, shipped};
use roadwire_engine::Message;
use roadwire_layout::{Family, RuleSet, Rules};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Value, check};
use roadwire_wire::ErrorKind;

/// The share of the random values that straight-line code encodes and decodes without the
/// interpreter, in percent: inside extension roots, of long values, with known additions, and with
/// unknown ones and outside extension roots as well. A test prints its row as `share: …`; changes
/// must be made in the file deliberately.
fn shares() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/straight_share.csv")).unwrap()
}

/// The number of random values of each type, half of them inside extension roots. UPER, which all
/// studies have, tests the types; the other rules share most of its generator, and much of each
/// other's.
const fn values(rules: Rules) -> usize {
    if matches!(rules, Rules::Uper) { 100_000 } else { 5_000 }
}

/// Mutated messages of each type.
const fn mutants(rules: Rules) -> usize {
    values(rules) / 4
}

/// More than any of these messages takes.
const ROOM: usize = 1 << 20;

/// Only what this version of the module writes into its extension roots, and integers that have an
/// in-memory type.
fn plain(rules: Rules) -> Settings {
    let tagged = is_tagged(rules);
    Settings {
        extensions: 0,
        unknown: 0,
        max_elements: 8,
        budget: 200,
        integer_bits: 62,
        open_types: true,
        tagged,
        ..Settings::default()
    }
}

const fn is_tagged(rules: Rules) -> bool {
    matches!(rules.family(), Family::Tlv)
}

/// Additions that this version of the module knows.
fn known(rules: Rules) -> Settings {
    Settings { unknown: 0, in_roots: true, ..extended(rules) }
}

/// Known and unknown additions, and values outside extensible roots.
fn extended(rules: Rules) -> Settings {
    // Made-up unknown additions are arbitrary octets: text cannot represent them, and where they
    // include lengths and tags, these would be wrong.
    let none =
        matches!(rules.family(), Family::Octet | Family::Fields | Family::Vectors | Family::Cbor) || rules.is_text();
    if is_schema_bound(rules) {
        return plain(rules);
    }
    Settings { extensions: 20, unknown: if none { 0 } else { 8 }, ..plain(rules) }
}

/// EXI only has values of its schema, which has nothing outside extensible roots.
fn is_schema_bound(rules: Rules) -> bool {
    rules.family() == Family::Events
}

/// Which values are made.
type Values = fn(Rules) -> Settings;

/// Text takes more time.
fn fewer(count: usize, rules: Rules) -> usize {
    if rules.is_text() { count / 10 } else { count }
}

/// Long lists as well.
fn large(rules: Rules) -> Settings {
    Settings { max_elements: 40, budget: 2000, optional: 85, ..plain(rules) }
}

/// Both executors for one type, with messages that are filled repeatedly: nothing of an earlier one
/// may remain.
struct Pair<M, E> {
    fixture: Shipped<M, E>,
    interpreted: Box<M>,
    generated: Box<M>,
    output: Vec<u8>,
    other: Vec<u8>,
}

/// Whether straight-line code did it without the interpreter.
#[derive(Clone, Copy, Default)]
struct Straight {
    encoded: bool,
    decoded: bool,
}

impl<M: Message<E> + PartialEq + Debug, E: RuleSet> Pair<M, E> {
    fn new(name: &str) -> Self {
        let fixture: Shipped<M, E> = shipped(name, false);
        Pair {
            fixture,
            interpreted: Box::default(),
            generated: Box::default(),
            output: vec![0; ROOM],
            other: vec![0; ROOM],
        }
    }

    /// Other numbers for each schema.
    fn rng(&self, seed: u64) -> Rng {
        Rng::new(self.fixture.schema.name.bytes().fold(seed, |seed, octet| seed.wrapping_mul(31) + u64::from(octet)))
    }

    /// Encodes a value with the interpreter, then decodes and encodes it with both executors.
    fn both_ways(&mut self, value: &Value) -> Straight {
        let octets = roadwire_engine::encode_to_vec(&self.fixture.layout, value, ROOM)
            .unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let bits = roadwire_engine::decode(M::layout(), &octets, &mut *self.interpreted)
            .unwrap_or_else(|error| panic!("{error}: {value:?}"));
        assert_eq!(self.fixture.layout.octets_of(bits), octets.len(), "{value:?}");
        let (model, root) = (&self.fixture.model, self.fixture.root);
        assert!(equal(model, root, value, &*self.interpreted), "{value:?}\n{:?}", self.interpreted);
        let decoded = self.generated.decode_fast(&octets);
        match decoded {
            Ok(straight) => assert_eq!(straight, bits, "bits of {value:?}"),
            // Remains of the straight-line code are overwritten.
            Err(_) => assert_eq!(self.generated.decode(&octets), Ok(bits), "{value:?}"),
        }
        assert!(self.generated == self.interpreted, "{value:?}\n{:?}\n{:?}", self.generated, self.interpreted);
        assert_eq!(self.generated.check(), Ok(()), "{value:?}");
        let encoded = self.encode_both().is_some_and(|straight| straight);
        assert_eq!(self.other.get(..octets.len()), Some(&octets[..]), "{value:?}");
        Straight { encoded, decoded: decoded.is_ok() }
    }

    /// Encodes the message with both executors: `Some` with whether straight-line code did it
    /// without the interpreter, `None` if it is refused.
    fn encode_both(&mut self) -> Option<bool> {
        let message = &*self.generated;
        // The interpreter does not check all constraints.
        let kept = message.check();
        let wanted = kept.and_then(|()| roadwire_engine::encode(M::layout(), message, &mut self.other));
        let fast = message.encode_fast(&mut self.output);
        let found = message.encode(&mut self.output);
        assert_eq!(found, wanted, "{message:?}");
        let octets = found.ok()?;
        assert_eq!(self.output[..octets], self.other[..octets], "{message:?}");
        Some(fast.is_ok())
    }

    /// Octets that may be anything: the same answer from the interpreter over values, over
    /// generated types, and the generated code.
    fn same_answer(&mut self, octets: &[u8]) -> bool {
        let wanted = roadwire_engine::decode(M::layout(), octets, &mut *self.interpreted);
        assert_eq!(self.generated.decode(octets), wanted, "{octets:02x?}");
        let mut value = Value::Unset;
        let dynamic = roadwire_engine::decode(&self.fixture.layout, octets, &mut value);
        // Outside an extensible range there may be numbers that only a `Value` can hold.
        if !matches!(&wanted, Err(error) if matches!(error.kind, ErrorKind::IntegerWidth)) {
            assert_eq!(dynamic, wanted, "{octets:02x?}");
        }
        if wanted.is_err() {
            if let Ok(bits) = self.generated.decode_fast(octets) {
                panic!("the straight-line code takes {bits} bits where the interpreter says {wanted:?}: {octets:02x?}");
            }
            return false;
        }
        assert!(self.generated == self.interpreted, "{octets:02x?}\n{:?}\n{:?}", self.generated, self.interpreted);
        let (model, root) = (&self.fixture.model, self.fixture.root);
        assert!(equal(model, root, &value, &*self.generated), "{octets:02x?}\n{value:?}\n{:?}", self.generated);
        assert_eq!(check::effective(model, root, &value), [], "accepted, but against a constraint: {octets:02x?}");
        let broken = check::constraints(model, root, &*self.generated);
        match (self.generated.check(), broken.first()) {
            (Ok(()), None) => {}
            // The start of a path in an error may be missing.
            (Err(error), Some(first)) if first.message == error.kind.to_string() => {
                assert!(first.path.ends_with(error.path.to_string().trim_start_matches('…')), "{error}: {first}");
            }
            (kept, _) => panic!("{kept:?}, and {broken:?}: {octets:02x?}"),
        }
        assert_eq!(self.encode_both().is_none(), !broken.is_empty(), "accepted, and {broken:?}: {octets:02x?}");
        true
    }

    fn random_values(&mut self, message: &str) {
        let model = self.fixture.model.clone();
        let mut rng = self.rng(0x5eed);
        let mut straight = [Share::default(); 4];
        let (all, large_ones) = (values(E::RULES), values(E::RULES) / 50);
        let samples: [(Values, usize); 4] =
            [(plain, all / 2 - large_ones), (large, large_ones), (known, all / 4), (extended, all / 4)];
        for ((settings, count), straight) in samples.into_iter().zip(&mut straight) {
            let generator = Generator::new(&model, settings(E::RULES));
            for _ in 0..fewer(count, E::RULES) {
                // Some part of a large value may break a constraint.
                if let Some(value) = generator.try_value(self.fixture.root, &mut rng) {
                    straight.add(self.both_ways(&value));
                }
            }
        }
        assert!(straight.iter().all(|share| share.of > 0), "no values");
        let name = self.fixture.schema.name;
        let mut row = format!("{name},{message},{}", E::RULES);
        for share in straight {
            row += &format!(",{}", share);
        }
        println!("share: {row}");
        assert!(shares().lines().any(|line| line == row), "straight_share.csv has another share than: {row}");
    }

    fn mutants(&mut self) {
        let model = self.fixture.model.clone();
        let mut rng = self.rng(0xf1195);
        let mut pool = Vec::new();
        for settings in [plain, extended, large].map(|settings| settings(E::RULES)) {
            let generator = Generator::new(&model, settings);
            let values = std::iter::repeat_with(|| generator.try_value(self.fixture.root, &mut rng)).flatten();
            let encode = |value| roadwire_engine::encode_to_vec(&self.fixture.layout, &value, ROOM).unwrap();
            pool.extend(values.take(400).map(encode));
        }
        let mut accepted = 0;
        let count = fewer(mutants(E::RULES), E::RULES);
        for _ in 0..count {
            let octets = mutant(&pool, E::RULES.is_text(), &mut rng);
            accepted += usize::from(self.same_answer(&octets));
        }
        println!("{}: {accepted} of {count} mutants are accepted", self.fixture.schema.name);
        assert!(accepted > count / 100 && accepted < count * 99 / 100, "the mutants test one side only");
    }
}

/// One of the messages, with bits flipped, octets replaced, cut short, or continued by another.
fn mutant(pool: &[Vec<u8>], text: bool, rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng| &pool[rng.below(pool.len() as u64) as usize];
    let mut octets = pick(rng).clone();
    if text && rng.percent(60) {
        return rewritten(octets, rng);
    }
    for _ in 0..=rng.below(3) {
        let at = rng.below(octets.len() as u64) as usize;
        match rng.below(8) {
            0 => octets.truncate(at.max(1)),
            1 => {
                let other = pick(rng);
                octets.truncate(at.max(1));
                octets.extend_from_slice(other.get(rng.below(other.len() as u64) as usize..).unwrap_or(&[]));
            }
            2 => octets[at] = rng.next_u64() as u8,
            3 => octets[at] = [0, 0x7f, 0x80, 0xff][rng.below(4) as usize],
            4 => octets.insert(at, rng.next_u64() as u8),
            // Presence bits and lengths come early.
            5 => octets[at.min(24)] ^= 1 << rng.below(8),
            _ => octets[at] ^= 1 << rng.below(8),
        }
    }
    octets
}

/// Text with other digits, or with what may be between tags.
fn rewritten(mut octets: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..=rng.below(3) {
        let at = rng.below(octets.len() as u64) as usize;
        if rng.percent(50) {
            let digit = octets.iter().skip(at).position(u8::is_ascii_digit).map_or(at, |found| at + found);
            octets[digit] = b'0' + rng.below(10) as u8;
        } else if let Some(found) = octets.iter().skip(at).position(|octet| *octet == b'>') {
            let between: &[u8] = [b" ".as_slice(), b"\n\t", b"<!-- -->", b"<?go on?>"][rng.below(4) as usize];
            octets.splice(at + found + 1..at + found + 1, between.iter().copied());
        }
    }
    octets
}

#[derive(Clone, Copy, Default)]
struct Share {
    encoded: usize,
    decoded: usize,
    of: usize,
}

impl Share {
    fn add(&mut self, straight: Straight) {
        self.of += 1;
        self.encoded += usize::from(straight.encoded);
        self.decoded += usize::from(straight.decoded);
    }
}

/// In percent: encoded, decoded.
impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |part: usize| 100.0 * part as f64 / self.of.max(1) as f64;
        write!(f, "{:.1},{:.1}", percent(self.encoded), percent(self.decoded))
    }
}

/// Messages are stored inline, and unoptimised code copies them.
fn with_room(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

macro_rules! agreement {
    ($rules:ident $feature:literal $marker:ident: $($test:ident $from:ident $module:ident $message:ident $name:literal;)*) => {
        #[cfg(feature = $feature)]
        mod $rules { $(
            mod $test {
                use roadwire_layout::$marker;
                use $from::$module;

                use crate::{Pair, with_room};

                #[test]
                fn random_values_agree() {
                    with_room(|| Pair::<$module::$message, $marker>::new($name).random_values(stringify!($message)));
                }

                #[test]
                fn mutated_octets_agree() {
                    with_room(|| Pair::<$module::$message, $marker>::new($name).mutants());
                }
            }
        )* }
    };
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            cam_1_3_0 roadwire_messages cam_1_3_0 Cam "cam-1.3.0";
            cam_1_4_1 roadwire_messages cam_1_4_1 Cam "cam-1.4.1";
            denm_1_2_0 roadwire_messages denm_1_2_0 Denm "denm-1.2.0";
            denm_1_3_1 roadwire_messages denm_1_3_1 Denm "denm-1.3.1";
            certificate_2017 roadwire_papers certificate_2017 Certificate "certificate-2017";
        }
    )* };
}

agreement! {
    uper "uper" Uper;
    aper "aper" Aper;
    oer "oer" Oer;
    coer "coer" Coer;
    ber "ber" Ber;
    der "der" Der;
    cer "cer" Cer;
    xer "xer" Xer;
    cxer "cxer" Cxer;
    exer "exer" Exer;
    jer "jer" Jer;
    protobuf "protobuf" Protobuf;
    exi "exi" Exi;
    exi_default "exi-default" ExiDefault;
    exi_merged "exi-merged" ExiMerged;
    exi_flat "exi-flat" ExiFlat;
    exi_split "exi-split" ExiSplit;
    cbor "cbor" Cbor;
}

/// Certificates and secured data of 2017: no study measures them under CER and three ways of using
/// EXI.
macro_rules! ieee1609dot2_2017_agreement {
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            data roadwire_messages ieee1609dot2_2017 Ieee1609Dot2Data "ieee1609dot2-2017";
            certificate roadwire_messages ieee1609dot2_2017 Certificate "ieee1609dot2-2017";
        }
    )* };
}

ieee1609dot2_2017_agreement! {
    ieee1609dot2_2017_uper "uper" Uper;
    ieee1609dot2_2017_aper "aper" Aper;
    ieee1609dot2_2017_oer "oer" Oer;
    ieee1609dot2_2017_coer "coer" Coer;
    ieee1609dot2_2017_ber "ber" Ber;
    ieee1609dot2_2017_der "der" Der;
    ieee1609dot2_2017_xer "xer" Xer;
    ieee1609dot2_2017_cxer "cxer" Cxer;
    ieee1609dot2_2017_exer "exer" Exer;
    ieee1609dot2_2017_jer "jer" Jer;
    ieee1609dot2_2017_protobuf "protobuf" Protobuf;
    ieee1609dot2_2017_exi "exi" Exi;
    ieee1609dot2_2017_exi_flat "exi-flat" ExiFlat;
    ieee1609dot2_2017_cbor "cbor" Cbor;
}

/// Messages of release 2, under the rules for which they have codecs.
macro_rules! release2_agreement {
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            cam_2_3_1 roadwire_messages cam_2_3_1 Cam "cam-2.3.1";
            denm_2_3_1 roadwire_messages denm_2_3_1 Denm "denm-2.3.1";
            cpm_tr_103562 roadwire_messages cpm_tr_103562 Cpm "cpm-tr-103562";
            cpm_2_1_1 roadwire_messages cpm_2_1_1 CollectivePerceptionMessage "cpm-2.1.1";
            vam_2_3_1 roadwire_messages vam_2_3_1 Vam "vam-2.3.1";
            ivim_2_1_1 roadwire_messages ivim_2_1_1 Ivim "ivim-2.1.1";
            spatem_2_1_1 roadwire_messages spatem_2_1_1 Spatem "spatem-2.1.1";
            mapem_2_1_1 roadwire_messages mapem_2_1_1 Mapem "mapem-2.1.1";
            ssem_2_1_1 roadwire_messages ssem_2_1_1 Ssem "ssem-2.1.1";
            srem_2_1_1 roadwire_messages srem_2_1_1 Srem "srem-2.1.1";
            rtcmem_2_1_1 roadwire_messages rtcmem_2_1_1 Rtcmem "rtcmem-2.1.1";
        }
    )* };
}

release2_agreement! {
    release2_uper "uper" Uper;
    release2_jer "jer" Jer;
}

macro_rules! ts102941_agreement {
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            data roadwire_messages ts102941_2_2_1 EtsiTs102941Data "ts102941-2.2.1";
        }
    )* };
}

ts102941_agreement! {
    ts102941_coer "coer" Coer;
    ts102941_jer "jer" Jer;
}

macro_rules! ieee1609dot2_2022_agreement {
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            data roadwire_messages ieee1609dot2_2022 Ieee1609Dot2Data "ieee1609dot2-2022";
            certificate roadwire_messages ieee1609dot2_2022 Certificate "ieee1609dot2-2022";
        }
    )* };
}

ieee1609dot2_2022_agreement! {
    ieee1609dot2_2022_oer "oer" Oer;
    ieee1609dot2_2022_coer "coer" Coer;
    ieee1609dot2_2022_jer "jer" Jer;
}

/// Every set of rules must be compared here.
#[test]
fn all_rules_are_compared() {
    for rules in Rules::ALL {
        assert!(shares().lines().any(|row| row.split(',').nth(2) == Some(rules.name())), "{rules}: not compared");
    }
}

/// The security envelope of the ETSI studies, under the rules for which it has codecs.
macro_rules! envelope_agreement {
    ($($rules:ident $feature:literal $marker:ident;)*) => { $(
        agreement! {
            $rules $feature $marker:
            message roadwire_papers etsi_envelope_2015 SecuredMessage "etsi-envelope-2015";
            message_2014 roadwire_papers etsi_envelope_2015 SecuredMessage2014 "etsi-envelope-2015";
        }
    )* };
}

envelope_agreement! {
    envelope_uper "uper" Uper;
    envelope_protobuf "protobuf" Protobuf;
    envelope_exi "exi" Exi;
    envelope_exi_default "exi-default" ExiDefault;
    envelope_exi_merged "exi-merged" ExiMerged;
    envelope_exi_flat "exi-flat" ExiFlat;
}

agreement! {
    tls "tls" Tls:
    ts103097_1_1_1_message roadwire_messages ts103097_1_1_1 SecuredMessage "ts103097-1.1.1";
    ts103097_1_1_1_certificate roadwire_messages ts103097_1_1_1 Certificate "ts103097-1.1.1";
    ts103097_1_2_1_message roadwire_messages ts103097_1_2_1 SecuredMessage "ts103097-1.2.1";
    ts103097_1_2_1_certificate roadwire_messages ts103097_1_2_1 Certificate "ts103097-1.2.1";
}

agreement! {
    jer_of_structs "jer" Jer:
    ts103097_1_1_1_message roadwire_messages ts103097_1_1_1 SecuredMessage "ts103097-1.1.1";
    ts103097_1_2_1_certificate roadwire_messages ts103097_1_2_1 Certificate "ts103097-1.2.1";
}
