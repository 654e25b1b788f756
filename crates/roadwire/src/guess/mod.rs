//! Guesses what octets of unknown origin are.

mod information;
mod nearest;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use roadwire_layout::{Family, Layout, Rules};
use roadwire_model::{BigInt, Kind, Model, TagClass, TypeId, Value, check};

use crate::codec::{CodecError, Form};
use crate::open::Violation;
use crate::{SCHEMAS, Schema};

pub use nearest::Nearest;

/// One answer: octets of this type, under these rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// A shipped schema, such as `cam-1.4.1`.
    pub schema: &'static str,
    /// The type, as `Module.Type`.
    pub type_name: &'static str,
    /// The encoding rules.
    pub rules: Rules,
    /// From 0 to 1: how sure it is that they are this kind of message. Of versions of a message
    /// that all fit, the one that leaves the least open has the highest score.
    pub score: f64,
    /// The reasons, in plain words.
    pub why: Vec<String>,
    /// The constraints that the value breaks, if no type takes the octets without one.
    pub violations: Vec<Violation>,
}

/// Finds out what octets are: which shipped message, certificate or secured packet, under which
/// rules.
///
/// It decodes them as each one. Of those that take all octets, it counts the bits that the value
/// does not need: tags, lengths, padding, numbers that a field may not have. Octets that are
/// something else agree with `n` such bits in one of 2ⁿ cases. It makes layouts when they are first
/// needed: keep it if there are many messages.
///
/// ```
/// use roadwire::{Guesser, Rules};
///
/// let octets = [
///     0x02, 0x02, 0x84, 0xdb, 0x8a, 0x10, 0x42, 0xa6, 0x00, 0xfa, 0x5e, 0x7a, 0xa1, 0x8e, 0xa5, 0xce, 0xac, 0x81, 0x90,
///     0x19, 0x00, 0x00, 0x3b, 0x79, 0x12, 0x80,
/// ];
/// let found = Guesser::new().under(&[Rules::Uper, Rules::Coer]).guess(&octets);
/// assert_eq!((found[0].schema, found[0].rules), ("cam-1.4.1", Rules::Uper));
/// ```
#[derive(Debug)]
pub struct Guesser {
    subjects: Vec<Subject>,
    rules: Vec<Rules>,
}

/// The types of one schema.
#[derive(Debug)]
struct Subject {
    name: &'static str,
    pdus: &'static [&'static str],
    schema: OnceCell<Option<Schema>>,
    types: OnceCell<Vec<Candidate>>,
}

/// A type, and its forms under each set of rules: `None` where it has none.
#[derive(Debug)]
struct Candidate {
    name: &'static str,
    id: TypeId,
    /// The kind of message that its versions share.
    kind: String,
    forms: Vec<(Rules, OnceCell<Option<Form>>)>,
    /// The layouts that read values outside their constraints.
    open: Vec<(Rules, OnceCell<Option<Layout>>)>,
}

/// A type that does not take the octets, and its error.
struct Refused<'g> {
    subject: &'g Subject,
    model: &'g Model,
    candidate: &'g Candidate,
    rules: Rules,
    error: CodecError,
}

/// A reading that took all octets.
struct Reading {
    guess: Guess,
    /// The name of its type, and its value as text: readings that have either in common are of one
    /// kind.
    kind: String,
    text: Option<String>,
    /// Bits that the value does not need.
    surplus: f64,
}

/// The weight of random octets in the comparison, in bits: so many types times rules are tried.
const NOISE: f64 = 3.0;
/// The cost of a broken constraint, in bits: some stations break one.
const BROKEN: f64 = 12.0;
/// The least cost if the value, written again, has other octets: some rules allow several
/// encodings, which are seldom used.
const ANOTHER: f64 = 8.0;
/// The cost of a header with another message's number.
const OTHER_NUMBER: f64 = 4.0;
/// The worth of the header's own number: its octet is known.
const OWN_NUMBER: f64 = 8.0;
/// The worth of the header's own protocol version: stations do not always change it with the
/// message.
const OWN_VERSION: f64 = 2.0;
/// Versions of a message differ by few bits; by so many, one has half the score of the other.
const HALF: f64 = 8.0;
/// The most octets: hundreds of readings of more would take long, and no packet has as many.
const MOST_OCTETS: usize = 1 << 20;
/// Guesses below this score are left out.
const LEAST: f64 = 0.000_1;

impl Guesser {
    /// One that knows all shipped schemas and all rules.
    #[must_use]
    pub fn new() -> Self {
        let subject = |entry: &roadwire_messages::Schema| Subject {
            name: entry.name,
            pdus: entry.pdus,
            schema: OnceCell::new(),
            types: OnceCell::new(),
        };
        Guesser { subjects: SCHEMAS.iter().map(subject).collect(), rules: Rules::ALL.to_vec() }
    }

    /// The same for these rules only.
    #[must_use]
    pub fn under(self, rules: &[Rules]) -> Self {
        let mut rules = rules.to_vec();
        rules.sort_unstable();
        rules.dedup();
        Guesser { rules, ..self }
    }

    /// The possible readings of the octets, the best answer first; nothing if no type takes all of
    /// them, or if they are more than 1 MiB.
    #[must_use]
    pub fn guess(&self, octets: &[u8]) -> Vec<Guess> {
        let mut refused = Vec::new();
        let readings = self.readings(octets, &mut refused);
        if readings.is_empty() { self.guess_open(octets, &refused) } else { rank(readings) }
    }

    /// The types that take the octets, and those that do not.
    fn readings<'g>(&'g self, octets: &[u8], refused: &mut Vec<Refused<'g>>) -> Vec<Reading> {
        let mut readings = Vec::new();
        if octets.len() > MOST_OCTETS {
            return readings;
        }
        for subject in &self.subjects {
            let Some(schema) = subject.schema() else { continue };
            let model = schema.model();
            for candidate in subject.types(schema) {
                for rules in self.readers().filter(|rules| may_begin(*rules, model, candidate.id, octets)) {
                    let Some(form) = candidate.form(model, rules) else { continue };
                    match form.decode(model, candidate.id, octets) {
                        Ok(value) => {
                            readings.extend(self.read(subject, model, candidate, rules, octets, (&value, &[])))
                        }
                        Err(error) => refused.push(Refused { subject, model, candidate, rules, error }),
                    }
                }
            }
        }
        readings
    }

    /// Rules to read under, each once: of rules and their canonical forms, those that take the
    /// most.
    fn readers(&self) -> impl Iterator<Item = Rules> {
        let readers: BTreeSet<Rules> = self.rules.iter().map(|rules| general(*rules)).collect();
        readers.into_iter()
    }

    /// The octets as a type under some rules and their canonical forms: a value, and the
    /// constraints that it breaks.
    fn read(
        &self,
        subject: &Subject,
        model: &Model,
        candidate: &Candidate,
        rules: Rules,
        octets: &[u8],
        (value, violations): (&Value, &[Violation]),
    ) -> Vec<Reading> {
        let total = 8.0 * octets.len() as f64;
        // The estimate may exceed the octets.
        let mut surplus = (total - information::bits(model, candidate.id, value)).max(0.0);
        let mut why = vec![format!("all {} octets used", octets.len())];
        if let Some(header) = header(subject.name, model, candidate.id, value) {
            surplus += if header.own_number { OWN_NUMBER } else { -OTHER_NUMBER };
            surplus += if header.own_version { OWN_VERSION } else { 0.0 };
            why.push(format!(
                "the header has {} number and {} protocol version",
                if header.own_number { "its" } else { "another message's" },
                if header.own_version { "its" } else { "another" },
            ));
        }
        match check::constraints(model, candidate.id, value).first() {
            _ if !violations.is_empty() => {
                surplus -= BROKEN * violations.len() as f64;
                why.extend(violations.iter().map(|one| format!("breaks a constraint: {one}")));
            }
            None => why.push("all constraints kept".to_owned()),
            Some(broken) => {
                surplus -= BROKEN;
                why.push(format!("breaks a constraint: {broken}"));
            }
        }
        let again = |other: Rules| {
            candidate.form(model, other).and_then(|form| form.encode(value).ok()).is_some_and(|again| again == octets)
        };
        let forms = self.rules.iter().filter(|other| general(**other) == rules);
        let mut same: Vec<Rules> = forms.copied().filter(|other| again(*other)).collect();
        if !violations.is_empty() {
            same.extend(self.rules.iter().copied().find(|other| general(*other) == rules));
        } else if same.is_empty() {
            let written = candidate.form(model, rules).and_then(|form| form.encode(value).ok());
            surplus -= written.map_or(ANOTHER, |written| cost_of_other(rules, octets, &written));
            why.push("written again, it has other octets".to_owned());
            same.extend(self.rules.contains(&rules).then_some(rules));
        } else {
            why.push("written again, it has the same octets".to_owned());
            // Canonical rules say more than the rules that also allow these octets.
            same.sort_by_key(|rules| rules.canonical_of().is_none());
        }
        why.insert(1, format!("{surplus:.0} bits agree that need not"));
        let text = candidate.form(model, Rules::Jer).and_then(|form| form.encode(value).ok());
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let reading = |(place, rules): (usize, Rules)| Reading {
            guess: Guess {
                schema: subject.name,
                type_name: candidate.name,
                rules,
                score: 0.0,
                why: why.clone(),
                violations: violations.to_vec(),
            },
            kind: candidate.kind.clone(),
            text: text.clone(),
            surplus: surplus - place as f64,
        };
        same.into_iter().enumerate().map(reading).collect()
    }
}

impl Default for Guesser {
    fn default() -> Self {
        Guesser::new()
    }
}

impl Subject {
    fn schema(&self) -> Option<&Schema> {
        self.schema.get_or_init(|| Schema::shipped(self.name).ok()).as_ref()
    }

    fn types(&self, schema: &Schema) -> &[Candidate] {
        self.types.get_or_init(|| {
            let model = schema.model();
            let candidate = |name: &&'static str| {
                let id = schema.find(Some(name)).ok()?;
                let this = model.get(id);
                let kind = this.reference.as_ref().or(this.name.as_ref()).map_or(*name, |name| &name.name).to_owned();
                let forms = Rules::ALL.map(|rules| (rules, OnceCell::new())).into();
                let open = Rules::ALL.map(|rules| (rules, OnceCell::new())).into();
                Some(Candidate { name, id, kind, forms, open })
            };
            self.pdus.iter().filter_map(candidate).collect()
        })
    }
}

impl Candidate {
    fn form(&self, model: &Model, rules: Rules) -> Option<&Form> {
        let (_, form) = self.forms.iter().find(|(one, _)| *one == rules)?;
        form.get_or_init(|| Form::new(model, self.id, rules).ok()).as_ref()
    }

    fn open(&self, model: &Model, rules: Rules) -> Option<&Layout> {
        let (_, open) = self.open.iter().find(|(one, _)| *one == rules)?;
        let layout = || match self.form(model, rules)? {
            Form::Layout(layout) => Some(layout.for_open_reading()),
            Form::Jer(_) => None,
        };
        open.get_or_init(layout).as_ref()
    }
}

/// The cost in bits of octets that differ when the value is written again: so many strings are as
/// near to what is written. Decoders ignore padding, so its bits did not agree by chance.
fn cost_of_other(rules: Rules, octets: &[u8], written: &[u8]) -> f64 {
    let is_text = matches!(rules.family(), Family::Xml | Family::Json);
    match octets.len().abs_diff(written.len()) {
        _ if is_text => ANOTHER,
        0 => {
            let pairs = || octets.iter().zip(written);
            let bits: u32 = pairs().map(|(one, other)| (one ^ other).count_ones()).sum();
            let whole = pairs().filter(|(one, other)| one != other).count() as u32;
            let length = octets.len() as u32;
            let as_octets = choices(length, whole) + 8.0 * f64::from(whole);
            choices(8 * length, bits).min(as_octets).max(ANOTHER)
        }
        more => ANOTHER.max(8.0 * more as f64),
    }
}

/// The logarithm of how many ways there are to choose `count` of `all`.
fn choices(all: u32, count: u32) -> f64 {
    (0..count.min(all - count)).map(|at| f64::from(all - at).log2() - f64::from(at + 1).log2()).sum()
}

/// The rules of which these are a canonical form, or themselves.
fn general(rules: Rules) -> Rules {
    rules.canonical_of().unwrap_or(rules)
}

/// Scores, the best first. Each kind of message has the weight of its best reading, 2 to the power
/// of its surplus, and so have random octets.
fn rank(mut readings: Vec<Reading>) -> Vec<Guess> {
    readings.sort_by(|one, other| other.surplus.total_cmp(&one.surplus));
    // The first reading of each kind is its best one.
    let mut kinds: Vec<usize> = Vec::new();
    let of = |at: usize, kinds: &[usize]| kinds.iter().position(|first| is_kin(&readings[at], &readings[*first]));
    let mut kind_of = Vec::new();
    for at in 0..readings.len() {
        let kind = of(at, &kinds).unwrap_or_else(|| {
            kinds.push(at);
            kinds.len() - 1
        });
        kind_of.push(kind);
    }
    let best = readings.first().map_or(NOISE, |best| best.surplus.max(NOISE));
    let weight = |at: usize| (readings[at].surplus - best).exp2();
    let all = kinds.iter().map(|first| weight(*first)).sum::<f64>() + (NOISE - best).exp2();
    let score = |at: usize| {
        let first = kinds[kind_of[at]];
        weight(first) / all * ((readings[at].surplus - readings[first].surplus) / HALF).exp2()
    };
    let scores: Vec<f64> = (0..readings.len()).map(score).collect();
    let scored = readings.into_iter().zip(scores).map(|(one, score)| Guess { score, ..one.guess });
    let mut guesses: Vec<Guess> = scored.filter(|guess| guess.score >= LEAST).collect();
    guesses.sort_by(|one, other| other.score.total_cmp(&one.score));
    guesses
}

/// Whether two readings are of one kind: versions of a message, or the same value in two schemas.
fn is_kin(one: &Reading, other: &Reading) -> bool {
    one.kind == other.kind || one.text.is_some() && one.text == other.text
}

/// Whether an encoding may begin as these octets do. It only saves work: decoding would refuse them
/// as well.
fn may_begin(rules: Rules, model: &Model, id: TypeId, octets: &[u8]) -> bool {
    let is_record = matches!(model.get(id).kind, Kind::Sequence { .. } | Kind::Choice { .. });
    let Some(first) = octets.iter().copied().find(|octet| !rules.is_text() || !octet.is_ascii_whitespace()) else {
        return true;
    };
    match rules.family() {
        // A byte order mark, or a tag.
        Family::Xml => matches!(first, b'<' | 0xef),
        Family::Json => !is_record || matches!(first, b'{' | 0xef),
        Family::Tlv => model.get(id).tags.first().is_none_or(|tag| {
            let class = match tag.class {
                TagClass::Universal => 0,
                TagClass::Application => 1,
                TagClass::Context => 2,
                TagClass::Private => 3,
            };
            first >> 6 == class && (tag.number > 30 || u32::from(first & 31) == tag.number)
        }),
        Family::Cbor => !is_record || first >> 5 == 5,
        Family::Packed | Family::Octet | Family::Fields | Family::Events | Family::Vectors => true,
    }
}

/// The header of a C-ITS message (`ItsPduHeader`, TS 102 894-2).
struct Header {
    own_number: bool,
    own_version: bool,
}

/// `None` if there is no such header.
fn header(schema: &str, model: &Model, id: TypeId, value: &Value) -> Option<Header> {
    let (name, _) = schema.split_once('-')?;
    let (header_type, header) = component(model, id, value, &["header"])?;
    let (number_type, number) = component(model, header_type, header, &["messageID", "messageId"])?;
    let (_, version) = component(model, header_type, header, &["protocolVersion"])?;
    let Kind::Integer { named, .. } = &model.get(number_type).kind else { return None };
    let (_, own) = named.iter().find(|(one, _)| one == name)?;
    let is = |value: &Value, wanted: &BigInt| matches!(value, Value::Integer(number) if number.to_bigint() == *wanted);
    Some(Header { own_number: is(number, own), own_version: is(version, &protocol_version(schema).into()) })
}

/// The protocol version of a message: 1 until 2014 and in TR 103 562, 3 in TS 103 300-3 V2.2.1, and
/// 2 in all others.
fn protocol_version(schema: &str) -> u8 {
    match schema {
        "cam-1.3.0" | "denm-1.2.0" | "cpm-tr-103562" => 1,
        "vam-2.2.1" | "vam-2.3.1" => 3,
        _ => 2,
    }
}

/// A component of a SEQUENCE.
fn component<'v>(model: &Model, id: TypeId, value: &'v Value, names: &[&str]) -> Option<(TypeId, &'v Value)> {
    let (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) = (&model.get(id).kind, value)
    else {
        return None;
    };
    let at = components.iter().position(|one| names.contains(&one.name.as_str()))?;
    Some((components[at].type_id, values.get(at)?.as_ref()?))
}
