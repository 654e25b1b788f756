//! Files and folders that are there whole or not at all.
//!
//! [`NewFile`] writes beside the file that it replaces, and renames at the end: a full disk or an interruption leaves the old file as it was. A
//! [`PrivateFolder`] is for this user alone and has a name that nobody can guess. What is not finished is removed when its owner is dropped, and on
//! SIGINT and SIGTERM.

mod cleanup;
mod new_file;
mod private_folder;

pub(crate) use cleanup::{output_of, uninterrupted};
pub use new_file::NewFile;
pub(crate) use private_folder::PrivateFolder;

use std::hash::{BuildHasher as _, Hasher as _};

/// A name that is not there yet and that nobody can guess: the standard library's hash tables have keys from the system's random numbers.
fn random_name(prefix: &str) -> String {
    format!("{prefix}{:016x}", std::hash::RandomState::new().build_hasher().finish())
}
