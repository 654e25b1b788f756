//! A verdict, checked by the codecs alone: what one version has encoded is decoded as the other
//! version, and compared with the value that its names have there.

use std::collections::BTreeMap;

use roadwire_engine::{decode, encode_to_vec};
use roadwire_evolution::{Comparison, NoVerdict, Octets, Outcomes, Understanding, Verdict, Version};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Kind, Model, Value};

use super::modules::Pair;

/// Counts of checks, and the faults found.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Pairs whose modules compile.
    pub(crate) pairs: usize,
    pub(crate) verdicts: usize,
    /// How many of them are proven.
    pub(crate) proven: usize,
    /// Values that the verdicts were checked with; those that they were found with are not among
    /// them.
    pub(crate) values: usize,
    /// How many verdicts of each kind there are.
    pub(crate) kinds: BTreeMap<&'static str, usize>,
    pub(crate) wrong: Vec<String>,
}

/// How many values a verdict is found with, and how many it is checked with in each direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) tried: usize,
    pub(crate) checked: usize,
}

/// Checks the verdicts on a pair under some rules.
pub(crate) fn check(pair: &Pair, rules: impl Iterator<Item = Rules>, seed: u64, effort: Effort, tally: &mut Tally) {
    let models = [&pair.old, &pair.new].map(|text| compile(&[Source::new("demo.asn", text.as_str())]));
    // Types with infinite values alone, or with more than a front end takes.
    let [Ok(old), Ok(new)] = models else { return };
    let [old, new] = [&old.model, &new.model].map(version);
    tally.pairs += 1;
    let comparison = Comparison::new(old, new).seeded(seed);
    for rules in rules {
        let verdict = match comparison.verdict(rules, effort.tried) {
            Ok(verdict) => verdict,
            Err(NoVerdict::NoLayout(_)) => continue,
            Err(NoVerdict::Contradiction(found)) => {
                tally.wrong.push(format!(
                    "{} {rules}: contradiction: {}\n   {}\n   {}",
                    pair.name, found.what, pair.old, pair.new
                ));
                continue;
            }
        };
        for reading in [&verdict.new_reads_old, &verdict.old_reads_new] {
            tally.verdicts += 1;
            tally.proven += usize::from(reading.proven);
            *tally.kinds.entry(reading.understanding.name()).or_default() += 1;
        }
        let reversed = (comparison.reversed(), verdict.old_reads_new.understanding, (new, old));
        for (comparison, understanding, versions) in
            [(comparison, verdict.new_reads_old.understanding, (old, new)), reversed]
        {
            let one = One { comparison, understanding, verdict: &verdict, writer: versions.0, reader: versions.1 };
            let wrong = one.wrong(seed, effort.checked, &mut tally.values);
            tally.wrong.extend(wrong.map(|what| {
                let (from, to) = if versions.0.model == old.model { ("old", "new") } else { ("new", "old") };
                format!("{} {rules}, {to} reads {from}: {what}\n   {}\n   {}", pair.name, pair.old, pair.new)
            }));
        }
    }
}

fn version(model: &Model) -> Version<'_> {
    Version { model, type_id: model.find("T").expect("there is a T") }
}

/// One direction of a verdict.
struct One<'a> {
    comparison: Comparison<'a>,
    understanding: Understanding,
    verdict: &'a Verdict,
    writer: Version<'a>,
    reader: Version<'a>,
}

impl One<'_> {
    /// The first value that refutes the verdict.
    fn wrong(&self, seed: u64, values: usize, checked: &mut usize) -> Option<String> {
        let rules = self.verdict.rules;
        let [from, to] =
            [self.writer, self.reader].map(|one| lower(one.model, one.type_id, rules).expect("a verdict has layouts"));
        let mut rng = Rng::new(seed ^ 0x5eed);
        for at in 0..values {
            let settings = Settings {
                optional: [50, 100, 0][at % 3],
                extensions: [20, 80, 0, 50][at % 4],
                max_elements: [3, 40, 9][at % 3],
                max_length: 40,
                open_types: true,
                budget: 150,
                ..Settings::default()
            };
            let generator = Generator::new(self.writer.model, settings);
            let Some(value) = generator.try_value(self.writer.type_id, &mut rng) else { continue };
            let Ok(octets) = encode_to_vec(&from, &value, 1 << 20) else { continue };
            let mut written = Value::Unset;
            if let Err(error) = decode(&from, &octets, &mut written) {
                if error.kind.is_limit() {
                    continue;
                }
                return Some(format!("its own version refuses {octets:02x?}: {error}"));
            }
            *checked += 1;
            let found = self.outcome(&to, &octets, &written);
            if !self.permits(found) {
                return Some(format!("{:?}, but {found} {octets:02x?}", self.understanding));
            }
            if self.verdict.octets == Octets::Same && self.has_other_octets(&to, &octets, &written) {
                return Some(format!("the same octets, but {octets:02x?} has others"));
            }
        }
        None
    }

    /// The outcome of octets: a component that has a name in both versions has the same value, or
    /// else they are misread.
    fn outcome(&self, to: &Layout, octets: &[u8], written: &Value) -> Outcomes {
        let mut read = Value::Unset;
        match decode(to, octets, &mut read) {
            Ok(bits) if to.octets_of(bits) == octets.len() => {}
            _ => return Outcomes::REFUSES,
        }
        match self.comparison.migrate(written) {
            Ok(there) if there.lost.is_empty() => {
                let [there, read] = [there.value, read].map(|value| self.plain(value));
                match equal(self.reader.model, self.reader.type_id, &there, &read) {
                    true => Outcomes::AGREES,
                    false => Outcomes::MISREADS,
                }
            }
            // Parts that the reader does not know are not carried over, and it may keep them.
            _ => self.comparison.judge(written, &read).0,
        }
    }

    /// The part of a value that can be compared (X.680 §22.7).
    fn plain(&self, mut value: Value) -> Value {
        clean(&mut value, ![self.writer, self.reader].iter().any(|one| has_named_bits(one.model)));
        value
    }

    fn permits(&self, found: Outcomes) -> bool {
        let permitted = match self.understanding {
            Understanding::All => Outcomes::AGREES,
            Understanding::Skipping => Outcomes::AGREES.or(Outcomes::SKIPS),
            Understanding::InPart => Outcomes::AGREES.or(Outcomes::SKIPS).or(Outcomes::REFUSES),
            Understanding::Nothing => Outcomes::REFUSES,
            Understanding::Astray | Understanding::Misread => return true,
        };
        permitted.has(found)
    }

    fn has_other_octets(&self, to: &Layout, octets: &[u8], written: &Value) -> bool {
        let Ok(there) = self.comparison.migrate(written) else { return false };
        let again = encode_to_vec(to, &there.value, 1 << 20);
        there.lost.is_empty() && again.is_ok_and(|again| again != octets)
    }
}

/// Whether a bit string of the model has named bits.
fn has_named_bits(model: &Model) -> bool {
    model.types.iter().any(|one| matches!(&one.kind, Kind::BitString { named, .. } if !named.is_empty()))
}

/// Leaves out additions that the writer says to be absent, and trailing zero bits if they mean
/// nothing.
fn clean(value: &mut Value, zeros: bool) {
    match value {
        Value::Sequence { components, unknown } => {
            // PER and OER say how many additions the writer knows.
            unknown.retain(|unknown| !unknown.octets.is_empty());
            components.iter_mut().flatten().for_each(|component| clean(component, zeros));
        }
        Value::List(elements) => elements.iter_mut().for_each(|element| clean(element, zeros)),
        Value::Choice(_, inner) => clean(inner, zeros),
        Value::BitString { octets, bits } if !zeros => {
            let last = octets.iter().rposition(|octet| *octet != 0);
            *bits = last.map_or(0, |last| last * 8 + 8 - octets[last].trailing_zeros() as usize);
            octets.truncate(bits.div_ceil(8));
        }
        _ => {}
    }
}
