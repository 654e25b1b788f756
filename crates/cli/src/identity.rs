//! The identity of files, independent of their names.

use std::fs::Metadata;
use std::path::Path;

use crate::failure::Failure;
use crate::input::{display_name, is_stdin};

/// A regular file, not a terminal, pipe or folder. Two names of the same file, including hard links, are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(Id);

/// Device and inode.
#[cfg(unix)]
type Id = (u64, u64);

/// The name with links resolved.
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl Identity {
    /// The identity of an input; `-` is stdin.
    pub(crate) fn of_input(path: &Path) -> Option<Self> {
        if is_stdin(path) { Identity::of_stdin() } else { Identity::of(path) }
    }
}

/// Refuses an output that is the input: it is written while the input is still read.
///
/// # Errors
/// They are the same file.
pub(crate) fn check_different(input: &Path, output: Option<&Path>) -> Result<(), Failure> {
    let written = match output {
        Some(output) if !is_stdin(output) => Identity::of(output),
        _ => Identity::of_stdout(),
    };
    let read = Identity::of_input(input);
    if read.is_none() || read != written {
        return Ok(());
    }
    Err(Failure::usage("file.same", format!("{} is both input and output", display_name(input)))
        .advise("output is written while input is still read: choose another output"))
}

#[cfg(unix)]
impl Identity {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Identity::of_metadata(&path.metadata().ok()?)
    }

    fn of_stdin() -> Option<Self> {
        Identity::of_descriptor(std::io::stdin())
    }

    pub(crate) fn of_stdout() -> Option<Self> {
        Identity::of_descriptor(std::io::stdout())
    }

    fn of_descriptor(stream: impl std::os::fd::AsFd) -> Option<Self> {
        let copy = stream.as_fd().try_clone_to_owned().ok()?;
        Identity::of_metadata(&std::fs::File::from(copy).metadata().ok()?)
    }

    fn of_metadata(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let has_content = found.is_file() || found.file_type().is_block_device();
        has_content.then(|| Identity((found.dev(), found.ino())))
    }
}

#[cfg(not(unix))]
impl Identity {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let is_file = path.metadata().is_ok_and(|found: Metadata| found.is_file());
        path.canonicalize().ok().filter(|_| is_file).map(Identity)
    }

    fn of_stdin() -> Option<Self> {
        None
    }

    pub(crate) fn of_stdout() -> Option<Self> {
        None
    }
}
