//! Hints at the name that was probably meant.

use pyo3::prelude::*;

/// The name that is nearest to another one, if one is near. Upper and lower case are the same.
#[pyfunction]
#[pyo3(signature = (name, known))]
pub(crate) fn nearest(name: &str, known: Vec<String>) -> Option<String> {
    nearest_of(name, known)
}

/// The same for any list of names.
pub(crate) fn nearest_of(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let known: Vec<String> = known.into_iter().collect();
    roadwire_source::nearest(name, known.iter().map(String::as_str), 1).first().map(|near| (*near).to_owned())
}

/// "; did you mean `x`?", or nothing.
pub(crate) fn hint(name: &str, known: impl IntoIterator<Item = String>) -> String {
    nearest_of(name, known).map_or(String::new(), |known| format!("; did you mean `{known}`?"))
}
