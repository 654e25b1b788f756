//! The identity of files, independent of their names.

use std::fs::Metadata;
use std::path::Path;

/// A regular file, not a terminal, pipe or folder. Two names of the same file, including hard
/// links, are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(Id);

/// Device and inode.
#[cfg(unix)]
type Id = (u64, u64);

/// The name with links resolved.
#[cfg(not(unix))]
type Id = std::path::PathBuf;

impl Identity {
    /// The identity of an input; `-` is stdin. Nothing if it has no content of its own, as pipes.
    #[must_use]
    pub fn of_input(path: &Path) -> Option<Self> {
        if path.as_os_str() == "-" { Identity::of_stdin() } else { Identity::of(path) }
    }
}

#[cfg(unix)]
impl Identity {
    /// The identity of the file that a path names.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Identity::of_metadata(&path.metadata().ok()?)
    }

    fn of_stdin() -> Option<Self> {
        Identity::of_descriptor(std::io::stdin())
    }

    /// The identity of the file that stdout is redirected to.
    #[must_use]
    pub fn of_stdout() -> Option<Self> {
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
    /// The identity of the file that a path names.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let is_file = path.metadata().is_ok_and(|found: Metadata| found.is_file());
        path.canonicalize().ok().filter(|_| is_file).map(Identity)
    }

    fn of_stdin() -> Option<Self> {
        None
    }

    /// The identity of the file that stdout is redirected to.
    #[must_use]
    pub fn of_stdout() -> Option<Self> {
        None
    }
}
