//! Writing: to stdout, or to a file that is replaced when complete.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use roadwire::Rules;
use roadwire_files::NewFile;
use roadwire_files::stdio::stdout_is_closed;

use crate::args::{OctetFormat, OutputArgs};
use crate::failure::Failure;
use crate::identity::Identity;
use crate::octets;

/// Where a conversion goes.
pub(crate) struct Output {
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
    /// It is closed.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        Ok(Output { sink: Sink::Stdout(stdout()?), path: PathBuf::from("stdout") })
    }

    /// Stdout, or a new file.
    ///
    /// # Errors
    /// The file exists and `force` is not set, or it cannot be created.
    pub(crate) fn open(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else { return Output::stdout() };
        // `-o /dev/stdout`, if that is a file: its content is kept, and the output is appended.
        let is_stdout = || Identity::of_stdout().is_some_and(|stdout| Identity::of(path) == Some(stdout));
        if force && !stdout_is_closed() && is_stdout() {
            return Output::stdout();
        }
        Ok(Output { sink: Sink::File(create(path, force)?), path: path.to_owned() })
    }

    /// Writes and flushes: results are visible at once, even if the next step takes long.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let sink: &mut dyn Write = match &mut self.sink {
            Sink::Stdout(stdout) => stdout,
            Sink::File(file) => file,
        };
        sink.write_all(bytes).and_then(|()| sink.flush()).map_err(|error| Failure::io("write to", &self.path, &error))
    }

    /// Whether there is an existing file, which this one replaces when it is finished.
    pub(crate) fn replaces(&self) -> bool {
        matches!(&self.sink, Sink::File(file) if file.replaces())
    }

    /// Whether it is a stream or a device, which cannot be renamed and has room for one table.
    pub(crate) fn is_in_place(&self) -> bool {
        match &self.sink {
            Sink::Stdout(_) => true,
            Sink::File(file) => file.is_in_place(),
        }
    }

    /// Keeps the content of a new file, finished or not.
    pub(crate) fn keep_as_written(&mut self) -> Result<(), Failure> {
        match &mut self.sink {
            Sink::Stdout(_) => Ok(()),
            Sink::File(file) => file.keep_as_written().map_err(|error| Failure::io("write", &self.path, &error)),
        }
    }

    /// Finishes a file, and replaces an existing one, which otherwise is not changed.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Stdout(_) => Ok(()),
            Sink::File(file) => file.finish().map_err(|error| Failure::io("write", &self.path, &error)),
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

/// Stdout. If it is closed, the standard library would write to it without an error.
pub(crate) fn stdout() -> Result<io::Stdout, Failure> {
    if stdout_is_closed() {
        return Err(Failure::usage("file.io", "cannot write to stdout: it is closed"));
    }
    Ok(io::stdout())
}

/// Writes all of a new file's content, or nothing.
pub(crate) fn write_file(path: &Path, content: &[u8], force: bool) -> Result<(), Failure> {
    let mut file = create(path, force)?;
    file.write_all(content).and_then(|()| file.finish()).map_err(|error| Failure::io("write", path, &error))
}

impl OutputArgs {
    /// How encodings in `rules` are written: `None` for text, which is written as it is. Octets are written as requested; else as hex on stdout and in `lines`, else by the file's extension.
    pub(crate) fn format_of(&self, rules: Rules, lines: bool) -> Option<OctetFormat> {
        if rules.is_text() {
            return None;
        }
        let path = self.path.as_deref().filter(|_| !lines);
        let ending = path.map(|path| path.extension().and_then(|e| e.to_str()).unwrap_or_default());
        Some(match (self.format, ending) {
            (Some(format), _) => format,
            (None, None | Some("hex" | "txt")) => OctetFormat::Hex,
            (None, Some("b64" | "base64")) => OctetFormat::Base64,
            (None, Some(_)) => OctetFormat::Bin,
        })
    }

    /// Begins the output.
    ///
    /// # Errors
    /// As [`Output::open`].
    pub(crate) fn open(&self) -> Result<Output, Failure> {
        Output::open(self.path.as_deref(), self.force)
    }

    /// Writes one encoding, which is all of the output, in the format of [`OutputArgs::format_of`]. A new line ends it, unless it is octets as they are.
    ///
    /// # Errors
    /// The output cannot be written, or is there already.
    pub(crate) fn write_one(&self, encoded: Vec<u8>, format: Option<OctetFormat>) -> Result<(), Failure> {
        let mut written = octets::written(encoded, format);
        if format != Some(OctetFormat::Bin) {
            written.push(b'\n');
        }
        let mut output = self.open()?;
        output.write(&written)?;
        output.finish()
    }
}

/// The failure for a file that would be written over.
pub(crate) fn is_there(path: &Path) -> Failure {
    Failure::usage("file.exists", format!("{} is there already", path.display()))
        .advise("choose another name, or write over it with --force")
}

/// A new file, or with `force` one that replaces an existing one when it is finished.
///
/// # Errors
/// It exists and `force` is not set, or it cannot be created.
pub(crate) fn create(path: &Path, force: bool) -> Result<NewFile, Failure> {
    let file = if force { NewFile::replace(path) } else { NewFile::create(path) };
    file.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => is_there(path),
        _ => Failure::io("write", path, &error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_hex_on_stdout_and_by_ending_in_files() {
        let format = |format, path: Option<&str>, lines| {
            OutputArgs { format, path: path.map(PathBuf::from), force: false }.format_of(Rules::Uper, lines).unwrap()
        };
        assert_eq!(format(None, None, false), OctetFormat::Hex);
        assert_eq!(format(None, Some("a.uper"), false), OctetFormat::Bin);
        assert_eq!(format(None, Some("a.hex"), false), OctetFormat::Hex);
        assert_eq!(format(None, Some("a.uper"), true), OctetFormat::Hex);
        assert_eq!(format(Some(OctetFormat::Base64), None, false), OctetFormat::Base64);
    }
}
