//! Writing files so that an earlier file is replaced only by a whole one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::cleanup::Temporary;
use super::random_name;

/// A file that is being written. Without [`finish`](NewFile::finish) an earlier file stays as it was, and a new one is removed.
pub struct NewFile {
    file: File,
    place: Place,
}

enum Place {
    /// Where there was none.
    New(Temporary),
    /// Beside the file that it replaces.
    Beside(Temporary, PathBuf),
    /// In what cannot be replaced: a device, a FIFO, an open file of a process.
    Itself,
}

impl NewFile {
    /// A file with a new name.
    ///
    /// # Errors
    /// `AlreadyExists`, or why it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let (temporary, file) = Temporary::make(path.to_owned(), |path| File::create_new(path))?;
        Ok(NewFile { file, place: Place::New(temporary) })
    }

    /// The same, or one in place of an earlier file, whose permissions (and, where the system allows it, owner) it keeps. A symbolic link stays one, and the file that it
    /// names is replaced; other hard links keep the earlier file. Devices, FIFOs and open files of processes (`/dev/stdout`) are written to in place.
    ///
    /// # Errors
    /// The earlier file may not be written to, or none can be made beside it.
    pub fn replace(path: &Path) -> io::Result<Self> {
        // Nothing is cut off yet; who may not write to the file may not replace it.
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

    /// A file where there is none, or where a symbolic link says.
    fn create_through(path: &Path) -> io::Result<Self> {
        if path.is_symlink() {
            return Ok(NewFile { file: File::create(path)?, place: Place::Itself });
        }
        NewFile::create(path)
    }

    /// Whether an earlier file is still there, and stays unless this one is finished.
    pub fn replaces(&self) -> bool {
        matches!(self.place, Place::Beside(..))
    }

    /// Has a new file keep what is written, finished or not; an earlier file is replaced by a whole one all the same.
    ///
    /// # Errors
    /// None that is known.
    pub fn keep_as_written(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.place, Place::Itself) {
            Place::New(temporary) => temporary.finish(|_| Ok(())),
            other => {
                self.place = other;
                Ok(())
            }
        }
    }

    /// Ends the file, and puts it in the place of the earlier one.
    ///
    /// # Errors
    /// The earlier file is still there.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        match self.place {
            Place::Itself => Ok(()),
            // Some file systems say only here that there is no room.
            Place::New(temporary) => self.file.sync_all().and_then(|()| temporary.finish(|_| Ok(()))),
            Place::Beside(temporary, target) => {
                self.file.sync_all()?;
                drop(self.file);
                temporary.finish(|path| fs::rename(path, target))
            }
        }
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

/// Whether a path, through symbolic links, names an open file of a process: `/dev/stdout`, `/dev/fd/3`. Its holder goes on with the file that is there.
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
        // What the owner's programs may do (set-user-ID) is not for another owner's.
        permissions.set_mode(permissions.mode() & 0o777);
    }
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn keep_permissions(file: &File, earlier: &Metadata) -> io::Result<()> {
    file.set_permissions(earlier.permissions())
}
