//! Where a result is written: stdout, or a file that is replaced when it is complete.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::stdio::stdout_is_closed;
use crate::{Identity, NewFile};

/// Stdout, or a file.
pub struct Output {
    sink: Sink,
    path: PathBuf,
}

enum Sink {
    Stdout(io::Stdout),
    File(NewFile),
}

impl Output {
    /// Stdout.
    ///
    /// # Errors
    /// It is closed. The standard library would write to it without an error.
    pub fn stdout() -> io::Result<Self> {
        if stdout_is_closed() {
            return Err(io::Error::other("it is closed"));
        }
        Ok(Output { sink: Sink::Stdout(io::stdout()), path: PathBuf::from("stdout") })
    }

    /// Stdout (no path, or `-`), or a new file. With `force` it replaces an existing file when it
    /// is finished.
    ///
    /// # Errors
    /// `AlreadyExists` if the file exists and `force` is not set; or why it cannot be created.
    pub fn open(path: Option<&Path>, force: bool) -> io::Result<Self> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else { return Output::stdout() };
        // `-o /dev/stdout`, if that is a file: its content is kept, and the output is appended.
        let is_stdout = || Identity::of_stdout().is_some_and(|stdout| Identity::of(path) == Some(stdout));
        if force && !stdout_is_closed() && is_stdout() {
            return Output::stdout();
        }
        let file = if force { NewFile::replace(path) } else { NewFile::create(path) };
        Ok(Output { sink: Sink::File(file?), path: path.to_owned() })
    }

    /// Stdout (no path, or `-`), or a file that gets its name when it is finished: see
    /// [`NewFile::pending`].
    ///
    /// # Errors
    /// As [`Output::open`].
    pub fn pending(path: Option<&Path>, force: bool) -> io::Result<Self> {
        match path {
            Some(path) if path.as_os_str() != "-" && !path.exists() => {
                Ok(Output { sink: Sink::File(NewFile::pending(path, force)?), path: path.to_owned() })
            }
            path => Output::open(path, force),
        }
    }

    /// Gives a file that is not finished another name.
    ///
    /// # Errors
    /// As [`NewFile::rename`]; it is a stream.
    pub fn rename(&mut self, path: &Path, force: bool) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(_) => Err(io::Error::other("it is a stream")),
            Sink::File(file) => file.rename(path, force),
        }?;
        self.path = path.to_owned();
        Ok(())
    }

    /// Finishes outputs that belong together: see [`NewFile::finish_all`].
    ///
    /// # Errors
    /// As [`NewFile::finish_all`].
    pub fn finish_all(outputs: Vec<Self>) -> io::Result<()> {
        let file = |output: Output| match output.sink {
            Sink::Stdout(_) => None,
            Sink::File(file) => Some(file),
        };
        NewFile::finish_all(outputs.into_iter().filter_map(file).collect())
    }

    /// The file as it was named, or `stdout`: for errors.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is an existing file, which this one replaces when it is finished.
    #[must_use]
    pub fn replaces(&self) -> bool {
        matches!(&self.sink, Sink::File(file) if file.replaces())
    }

    /// Whether it is a stream or a device, which cannot be renamed.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        match &self.sink {
            Sink::Stdout(_) => true,
            Sink::File(file) => file.is_in_place(),
        }
    }

    /// Keeps the content of a new file, finished or not.
    ///
    /// # Errors
    /// As [`NewFile::keep_as_written`].
    pub fn keep_as_written(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(_) => Ok(()),
            Sink::File(file) => file.keep_as_written(),
        }
    }

    /// Finishes a file, and replaces an existing one, which otherwise is not changed.
    ///
    /// # Errors
    /// As [`NewFile::finish`].
    pub fn finish(self) -> io::Result<()> {
        match self.sink {
            Sink::Stdout(_) => Ok(()),
            Sink::File(file) => file.finish(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File(file) => file.flush(),
        }
    }
}
