//! Writes files so that an existing file is replaced only by a complete one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cleanup::Temporary;
use crate::random_name;

/// A file that is being written. Without [`finish`](NewFile::finish), an existing file is not
/// changed, and a new one is removed.
pub struct NewFile {
    file: File,
    place: Place,
}

enum Place {
    /// A new file.
    New(Temporary),
    /// Next to the file that it replaces.
    Beside(Temporary, PathBuf),
    /// Next to its name, which it gets when it is finished; with `true` it replaces a file that
    /// came there meanwhile.
    Pending(Temporary, PathBuf, bool),
    /// In place, if it cannot be replaced: a device, a FIFO, an open file of a process.
    Itself,
    /// A new file that is kept as it is written.
    Kept,
}

impl NewFile {
    /// A file with a new name. Devices and FIFOs have no content to be lost, and are written to in
    /// place.
    ///
    /// # Errors
    /// `AlreadyExists`, or why it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        match Temporary::make(path.to_owned(), |path| File::create_new(path)) {
            Ok((temporary, file)) => Ok(NewFile { file, place: Place::New(temporary) }),
            // A folder cannot be opened; of a file nothing is changed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let there = OpenOptions::new().write(true).open(path).ok();
                let file = there.filter(|file| file.metadata().is_ok_and(|found| !found.is_file())).ok_or(error)?;
                Ok(NewFile { file, place: Place::Itself })
            }
            Err(error) => Err(error),
        }
    }

    /// The same, or a replacement for an existing file, whose permissions (and, if the system
    /// allows it, owner) are kept. A symbolic link is kept, and the file that it names is replaced;
    /// other hard links keep the old file. Devices, FIFOs and open files of processes
    /// (`/dev/stdout`) are written to in place.
    ///
    /// # Errors
    /// The existing file is not writable, or no file can be created next to it.
    pub fn replace(path: &Path) -> io::Result<Self> {
        // The file is not truncated yet; without write permission it must not be replaced.
        let earlier = match OpenOptions::new().write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return NewFile::create_through(path),
            earlier => earlier?,
        };
        let found = earlier.metadata()?;
        if !found.is_file() {
            return Ok(NewFile { file: earlier, place: Place::Itself });
        }
        if is_descriptor(path) {
            earlier.set_len(0)?;
            return Ok(NewFile { file: earlier, place: Place::Itself });
        }
        let path = fs::canonicalize(path)?;
        let beside = path.with_file_name(random_name(".roadwire-"));
        let (temporary, file) = Temporary::make(beside, |beside| {
            let mut options = OpenOptions::new();
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.write(true).create_new(true).open(beside)
        })
        .map_err(|error| io::Error::new(error.kind(), format!("no file can be made beside it: {error}")))?;
        keep_permissions(&file, &found)?;
        Ok(NewFile { file, place: Place::Beside(temporary, path) })
    }

    /// A file that gets its name when it is finished, and not before: a file of several that belong
    /// together. With `force` it may replace an existing one, as in [`NewFile::replace`]. Devices
    /// and FIFOs are written to in place.
    ///
    /// # Errors
    /// `AlreadyExists` without `force`; the existing file is not writable, or no file can be
    /// created next to it.
    pub fn pending(path: &Path, force: bool) -> io::Result<Self> {
        let path = &if force { linked(path) } else { path.to_owned() };
        if path.symlink_metadata().is_ok() {
            return if force { NewFile::replace(path) } else { NewFile::create(path) };
        }
        let beside = path.with_file_name(random_name(".roadwire-"));
        let (temporary, file) = Temporary::make(beside, |beside| File::create_new(beside))?;
        Ok(NewFile { file, place: Place::Pending(temporary, path.to_owned(), force) })
    }

    /// Gives a file that is not finished another name. Only files that [`NewFile::pending`] made
    /// have one to give up.
    ///
    /// # Errors
    /// `AlreadyExists` without `force`; what has this name cannot be replaced; or this file is
    /// written in place.
    pub fn rename(&mut self, path: &Path, force: bool) -> io::Result<()> {
        let target = match path.symlink_metadata() {
            Err(_) => None,
            Ok(_) if !force => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(_) => {
                let found = OpenOptions::new().write(true).open(path)?.metadata()?;
                if !found.is_file() {
                    return Err(io::Error::other("it is not a file"));
                }
                keep_permissions(&self.file, &found)?;
                Some(fs::canonicalize(path)?)
            }
        };
        self.place = match (std::mem::replace(&mut self.place, Place::Itself), target) {
            (Place::Beside(temporary, _) | Place::Pending(temporary, ..), Some(target)) => {
                Place::Beside(temporary, target)
            }
            (Place::Beside(temporary, _) | Place::Pending(temporary, ..), None) => {
                Place::Pending(temporary, path.to_owned(), force)
            }
            (other, _) => {
                self.place = other;
                return Err(io::Error::other("it has its name already"));
            }
        };
        Ok(())
    }

    /// Finishes files that belong together: all content is written before the first of them gets
    /// its name, and an interruption comes before or after all.
    ///
    /// # Errors
    /// Content that cannot be written: then no existing file is changed. A file that cannot get its
    /// name: then those before it have theirs.
    pub fn finish_all(files: Vec<Self>) -> io::Result<()> {
        let mut steps = Vec::new();
        for NewFile { mut file, place } in files {
            file.flush()?;
            let step = match place {
                Place::Itself | Place::Kept => continue,
                Place::New(temporary) => (temporary, None),
                Place::Beside(temporary, target) => (temporary, Some((target, true))),
                Place::Pending(temporary, target, force) => (temporary, Some((target, force))),
            };
            // Some file systems report a full disk only at this call.
            file.sync_all()?;
            steps.push(step);
        }
        Temporary::finish_all(steps, |path, target| match target {
            None => Ok(()),
            Some((target, true)) => fs::rename(path, target),
            Some((target, false)) => name_new(path, target),
        })
    }

    /// Creates a new file, possibly through a symbolic link.
    fn create_through(path: &Path) -> io::Result<Self> {
        if path.is_symlink() {
            return Ok(NewFile { file: File::create(path)?, place: Place::Kept });
        }
        NewFile::create(path)
    }

    /// Whether there is an existing file, which is kept unless this one is finished.
    pub fn replaces(&self) -> bool {
        matches!(self.place, Place::Beside(..))
    }

    /// Whether this is a device, a FIFO or an open file of a process: nothing is put in its place.
    pub fn is_in_place(&self) -> bool {
        matches!(self.place, Place::Itself)
    }

    /// Keeps the content of a new file, finished or not; an existing file is still replaced only by
    /// a complete one.
    ///
    /// # Errors
    /// None known.
    pub fn keep_as_written(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.place, Place::Kept) {
            Place::New(temporary) => temporary.finish(|_| Ok(())),
            other => {
                self.place = other;
                Ok(())
            }
        }
    }

    /// Finishes the file, and replaces the existing one.
    ///
    /// # Errors
    /// The existing file is not changed.
    pub fn finish(self) -> io::Result<()> {
        NewFile::finish_all(vec![self])
    }
}

/// The name to which symbolic links lead that lead to no file.
fn linked(path: &Path) -> PathBuf {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) if !path.exists() => path = path.with_file_name("").join(target),
            _ => break,
        }
    }
    path
}

/// Gives a file a name that no file has.
fn name_new(path: &Path, target: &Path) -> io::Result<()> {
    // A link does not replace anything; not every file system has links.
    match fs::hard_link(path, target) {
        Ok(()) => fs::remove_file(path),
        Err(_) if target.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(path, target),
    }
}

impl Write for NewFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether a path, through symbolic links, names an open file of a process: `/dev/stdout`,
/// `/dev/fd/3`. Its holder continues with the existing file.
fn is_descriptor(path: &Path) -> bool {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(folder) = fs::canonicalize(folder) else { return false };
        if folder.starts_with("/proc") || folder == Path::new("/dev/fd") {
            return true;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => return false,
        }
    }
    false
}

#[cfg(unix)]
fn keep_permissions(file: &File, earlier: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let made = file.metadata()?;
    let mut permissions = earlier.permissions();
    let is_same = (made.uid(), made.gid()) == (earlier.uid(), earlier.gid());
    if !is_same && fchown(file, Some(earlier.uid()), Some(earlier.gid())).is_err() {
        // The set-user-ID bit must not be passed on to another owner.
        permissions.set_mode(permissions.mode() & 0o777);
    }
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn keep_permissions(file: &File, earlier: &Metadata) -> io::Result<()> {
    file.set_permissions(earlier.permissions())
}
