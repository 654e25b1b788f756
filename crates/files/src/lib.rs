//! Files and folders that exist complete or not at all.
//!
//! Invariants: a file gets its name only when it is complete and on the disk. A temporary name
//! cannot be predicted. Nothing unfinished stays after an error, or after SIGHUP, SIGINT or
//! SIGTERM.
//!
//! Absent on purpose: the contents of files, locks between programs, and cleaning up after SIGKILL.
//!
//! [`NewFile`] writes a file next to the one that it replaces, and renames it at the end: a full
//! disk or an interruption does not change the old file. A [`PrivateFolder`] is only accessible to
//! this user and has an unpredictable name. Unfinished files are removed when their owner is
//! dropped, and on SIGHUP, SIGINT and SIGTERM.
//!
//! ```
//! use std::io::Write as _;
//!
//! let path = std::env::temp_dir().join(format!("roadwire-example-{}", std::process::id()));
//! std::fs::write(&path, "old")?;
//! let mut file = roadwire_files::NewFile::replace(&path)?;
//! file.write_all(b"new")?;
//! assert_eq!(std::fs::read(&path)?, b"old");
//! file.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"new");
//! # std::fs::remove_file(path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod cleanup;
mod identity;
mod new_file;
mod output;
mod private_folder;
pub mod stdio;

pub use cleanup::{output_of, uninterrupted};
pub use identity::Identity;
pub use new_file::NewFile;
pub use output::Output;
pub use private_folder::PrivateFolder;

use std::hash::{BuildHasher as _, Hasher as _};

/// A new, unpredictable name: the standard library's hash tables have keys from the system's random
/// numbers.
fn random_name(prefix: &str) -> String {
    format!("{prefix}{:016x}", std::hash::RandomState::new().build_hasher().finish())
}
