//! `roadwire.guess`: what octets are.

use std::collections::HashMap;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use roadwire::{Guesser, Rules};

use crate::inspect::view;
use crate::schema::{lock, rules_of, with_input};

/// Guesses what octets of unknown origin are: messages that roadwire ships, under which rules, the
/// best answer first. With `rules`, under these alone.
///
/// A whole GeoNetworking packet can also be an answer: its schema is `geonetworking-1`, with the
/// version, its type that of the packet (`shb`, `gbc`), its rules `geonetworking`, and the reasons
/// name its content.
///
/// The first guess takes a quarter of a second, for all schemas are read; later ones take some
/// milliseconds.
///
/// >>> import roadwire
/// >>> octets = bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280")
/// >>> best = roadwire.guess(octets, rules=["uper", "coer"])[0]
/// >>> best.schema, best.rules
/// ('cam-1.4.1', 'uper')
#[pyfunction]
#[pyo3(signature = (octets, rules=None))]
pub(crate) fn guess<'py>(
    py: Python<'py>,
    octets: &Bound<'py, PyAny>,
    rules: Option<Vec<String>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let rules: Vec<Rules> = rules.unwrap_or_default().iter().map(|name| rules_of(name)).collect::<Result<_, _>>()?;
    let octets = with_input(octets, true, <[u8]>::to_vec)?;
    let found = py.detach(|| {
        // Layouts are made when a guess first needs them, and are kept.
        static GUESSERS: Mutex<Option<HashMap<Vec<Rules>, Guesser>>> = Mutex::new(None);
        let mut guessers = lock(&GUESSERS);
        let guesser =
            guessers.get_or_insert_default().entry(rules).or_insert_with_key(|rules| match rules.is_empty() {
                true => Guesser::new(),
                false => Guesser::new().under(rules),
            });
        roadwire_recording::answers(guesser, &octets)
    });
    let class = view(py, "Guess")?;
    let object = |guess: roadwire_recording::Answer| {
        let why = PyTuple::new(py, guess.why)?;
        class.call1((guess.schema, guess.type_name, guess.rules, guess.score, why))
    };
    found.into_iter().map(object).collect()
}
