//! The trial: random values of the writer's version, as the interpreter reads them with the
//! reader's layout.

use roadwire_engine::{decode, encode_to_vec};
use roadwire_layout::Layout;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{TypeId, Value};

use crate::agree::judge;
use crate::migrate::migrate;
use crate::outcome::Outcomes;
use crate::pairing::{Pairings, Versions};

/// The results of trying random values.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// How many values were written.
    pub values: usize,
    /// How many were read as they are.
    pub agreed: usize,
    /// How many were read but for parts that the reader passed over.
    pub skipped: usize,
    /// How many were refused.
    pub refused: usize,
    /// How many were taken for other values.
    pub misread: usize,
    /// How many values that both versions have were written by both in the same octets.
    pub same_octets: usize,
    /// How many such values have different octets.
    pub other_octets: usize,
    /// The first value that was refused.
    pub refusal: Option<Example>,
    /// The first value that was misread.
    pub misreading: Option<Example>,
    /// The first value that has different octets.
    pub difference: Option<Example>,
    /// The first value that its own version does not read again: a mistake of ours.
    pub unreadable: Option<Example>,
}

/// A value that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its octets.
    pub octets: Vec<u8>,
    /// The field, from the outside in; empty for the message itself.
    pub path: String,
    /// The outcome in words.
    pub what: String,
}

impl Tried {
    /// Which outcomes there were.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        let each = [
            (self.agreed, Outcomes::AGREES),
            (self.skipped, Outcomes::SKIPS),
            (self.refused, Outcomes::REFUSES),
            (self.misread, Outcomes::MISREADS),
        ];
        each.into_iter().filter(|(count, _)| *count > 0).fold(Outcomes::NONE, |all, (_, one)| all.or(one))
    }
}

/// The most octets of a value that is tried.
const MOST: usize = 1 << 20;

/// Writes random values of the writer's type until there are `values` of them; and more, up to ten
/// times as many, until `is_enough`.
pub(crate) fn attempt(
    versions: Versions<'_>,
    ids: (TypeId, TypeId),
    (writer, reader): (&Layout, &Layout),
    (values, seed): (usize, u64),
    is_enough: impl Fn(&Tried) -> bool,
) -> Tried {
    let generators = profiles().map(|settings| Generator::new(versions.from, settings));
    let pairings = Pairings::new(versions);
    let mut rng = Rng::new(seed);
    let mut tried = Tried::default();
    let most = values.saturating_mul(10);
    for at in 0..most {
        if tried.values >= values && (is_enough(&tried) || at >= most) {
            break;
        }
        let generator = &generators[at % generators.len()];
        let Some(value) = generator.try_value(ids.0, &mut rng) else { continue };
        one(&pairings, ids, (writer, reader), &value, &mut tried);
    }
    tried
}

/// Values of all sorts: with everything, with nothing, with many additions, at their limits.
fn profiles() -> [Settings; 6] {
    let small = Settings {
        max_elements: 3,
        max_length: 12,
        integer_bits: 72,
        open_types: true,
        budget: 200,
        ..Settings::default()
    };
    [
        small.clone(),
        Settings { optional: 100, extensions: 100, ..small.clone() },
        Settings { optional: 0, extensions: 0, boundary: 90, ..small.clone() },
        Settings { extensions: 60, boundary: 90, ..small.clone() },
        Settings { optional: 80, boundary: 100, max_elements: 8, ..small.clone() },
        Settings { optional: 30, extensions: 10, boundary: 0, max_length: 4, ..small },
    ]
}

fn one(
    pairings: &Pairings<'_>,
    ids: (TypeId, TypeId),
    (writer, reader): (&Layout, &Layout),
    value: &Value,
    tried: &mut Tried,
) {
    let Ok(octets) = encode_to_vec(writer, value, MOST) else { return };
    // The value that the writer's own version reads counts as written: it has nothing that makes no
    // difference.
    let mut written = Value::Unset;
    let example = |path: String, what: String| Example { octets: octets.clone(), path, what };
    match decode(writer, &octets, &mut written) {
        // More than a reader takes from anybody, such as a list of a million elements without
        // octets.
        Err(error) if error.kind.is_limit() => return,
        Err(error) => {
            tried.unreadable.get_or_insert_with(|| example(error.path.to_string(), error.message().to_string()));
            return;
        }
        Ok(bits) if writer.octets_of(bits) < octets.len() => {
            tried.unreadable.get_or_insert_with(|| example(String::new(), "octets follow the message".into()));
            return;
        }
        Ok(_) => tried.values += 1,
    }
    let mut read = Value::Unset;
    match decode(reader, &octets, &mut read) {
        Err(error) => {
            tried.refused += 1;
            tried.refusal.get_or_insert_with(|| example(error.path.to_string(), error.message().to_string()));
        }
        Ok(bits) if reader.octets_of(bits) < octets.len() => {
            tried.refused += 1;
            tried.refusal.get_or_insert_with(|| example(String::new(), "octets follow the message".into()));
        }
        Ok(_) => match judge(pairings, ids, &written, &read) {
            (Outcomes::AGREES, _) => tried.agreed += 1,
            (Outcomes::SKIPS, _) => tried.skipped += 1,
            (_, path) => {
                tried.misread += 1;
                tried.misreading.get_or_insert_with(|| example(path, "read as another value".into()));
            }
        },
    }
    let Ok(migration) = migrate(pairings, ids, &written, &[]) else { return };
    if !migration.lost.is_empty() {
        return;
    }
    match encode_to_vec(reader, &migration.value, MOST) {
        Ok(other) if other == octets => tried.same_octets += 1,
        Ok(_) => {
            tried.other_octets += 1;
            tried.difference.get_or_insert_with(|| example(String::new(), "other octets".into()));
        }
        Err(_) => {}
    }
}
