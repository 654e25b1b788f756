//! Files of distributions.

use roadwire_distributions::{Distributions, Values};
use roadwire_model::random::Rng;
use roadwire_model::{Kind, Model, TypeId, check};

use crate::schema::pick;
use crate::subject::Subject;

/// The first octet picks a schema; the rest is a file. It is refused with a place in it, or the
/// values that are drawn keep all constraints.
pub fn distribution_read(input: &[u8]) {
    let Some((which, text)) = input.split_first() else { return };
    let (subject, text) = (pick(*which), String::from_utf8_lossy(text));
    let (model, root) = (subject.model(), subject.root());
    let distributions = match Distributions::read(&text, model, root) {
        Ok(distributions) => distributions,
        Err(error) => {
            assert!(!error.message.is_empty() && error.code.starts_with("distribution."), "{error:?}");
            let line =
                text.split('\n').nth(error.line - 1).unwrap_or_else(|| panic!("line {} of {text:?}", error.line));
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error:?}: {line:?}");
            return;
        }
    };
    let values = Values::new(model, root, distributions);
    for seed in 0..2 {
        match values.next(&mut Rng::new(seed)) {
            Ok(value) => {
                let broken = check::value(model, root, &value);
                assert!(broken.is_empty(), "{broken:?} of {value:?}");
                assert_eq!(values.next(&mut Rng::new(seed)).as_ref(), Ok(&value), "the same seed");
            }
            Err(unmet) => assert!(!unmet.to_string().is_empty()),
        }
    }
}

/// A file for a schema: entries for parts on random ways into the type.
pub(crate) fn file(subject: &Subject, rng: &mut Rng) -> String {
    let mut file = String::new();
    for _ in 0..=rng.below(6) {
        let (path, keys) = entry(subject.model(), subject.root(), rng);
        file += &format!("[[component]]\npath = \"{path}\"\n{keys}\n");
    }
    file
}

/// A path, and how the part at its end is drawn.
fn entry(model: &Model, root: TypeId, rng: &mut Rng) -> (String, &'static str) {
    let (mut id, mut path) = (root, String::new());
    for _ in 0..8 {
        let (name, part) = match &model.get(id).kind {
            Kind::Sequence { components, .. } if !components.is_empty() => {
                let one = &components[rng.below(components.len() as u64) as usize];
                (one.name.as_str(), one.type_id)
            }
            Kind::Choice { alternatives, .. } if rng.below(4) > 0 => {
                let one = &alternatives[rng.below(alternatives.len() as u64) as usize];
                (one.name.as_str(), one.type_id)
            }
            Kind::SequenceOf { element, .. } if rng.below(4) > 0 => ("[]", *element),
            _ => break,
        };
        path += if path.is_empty() || name == "[]" { "" } else { "." };
        path += name;
        id = part;
    }
    let keys = match &model.get(id).kind {
        Kind::Integer { .. } => ["uniform = { from = 1, to = 3 }", "normal = { mean = 2, sd = 1.5 }", "value = 1"],
        Kind::Real { .. } => ["uniform = { from = -1.5, to = 3 }", "normal = { mean = 2, sd = 1.5 }", "value = 1"],
        Kind::Boolean => ["values = [true, false]\nweights = [1, 3]", "value = true", "present = 0.5"],
        Kind::SequenceOf { .. } | Kind::OctetString { .. } => {
            ["length = 2", "length = { from = 0, to = 4 }", "length = { values = [1, 2], weights = [1, 0.5] }"]
        }
        _ => ["present = 1", "present = 0.25", "value = 0"],
    };
    (path, keys[rng.below(3) as usize])
}
