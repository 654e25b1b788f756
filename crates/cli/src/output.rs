//! Writing: to stdout or to a file that is not there yet.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::args::OctetFormat;
use crate::failure::Failure;

/// Where a conversion goes.
pub(crate) struct Output {
    sink: Sink,
    path: PathBuf,
}

enum Sink {
    Stdout(io::Stdout),
    File(File),
}

impl Output {
    /// Stdout, or a new file.
    ///
    /// # Errors
    /// The file is there and `force` is not set, or cannot be made.
    pub(crate) fn open(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        match path {
            Some(path) if path.as_os_str() != "-" => {
                Ok(Output { sink: Sink::File(create(path, force)?), path: path.to_owned() })
            }
            _ => Ok(Output { sink: Sink::Stdout(io::stdout()), path: PathBuf::from("stdout") }),
        }
    }

    /// Writes and flushes: what is done is there, even if the next step takes long.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let sink: &mut dyn Write = match &mut self.sink {
            Sink::Stdout(stdout) => stdout,
            Sink::File(file) => file,
        };
        sink.write_all(bytes).and_then(|()| sink.flush()).map_err(|error| Failure::io("write to", &self.path, &error))
    }
}

/// The form in which octets are written: as asked; else hex on stdout and in lines, else by the file's ending.
pub(crate) fn format(asked: Option<OctetFormat>, path: Option<&Path>, lines: bool) -> OctetFormat {
    let ending = path.filter(|_| !lines).map(|path| path.extension().and_then(|e| e.to_str()).unwrap_or_default());
    match (asked, ending) {
        (Some(format), _) => format,
        (None, None | Some("hex" | "txt")) => OctetFormat::Hex,
        (None, Some("b64" | "base64")) => OctetFormat::Base64,
        (None, Some(_)) => OctetFormat::Bin,
    }
}

/// Makes a file; writes over one only if `force` is set.
pub(crate) fn create(path: &Path, force: bool) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage("file.exists", format!("{} is there already", path.display()))
            .advise("choose another name, or write over it with --force"),
        _ => Failure::io("write", path, &error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_hex_on_stdout_and_by_ending_in_files() {
        assert_eq!(format(None, None, false), OctetFormat::Hex);
        assert_eq!(format(None, Some(Path::new("a.uper")), false), OctetFormat::Bin);
        assert_eq!(format(None, Some(Path::new("a.hex")), false), OctetFormat::Hex);
        assert_eq!(format(None, Some(Path::new("a.uper")), true), OctetFormat::Hex);
        assert_eq!(format(Some(OctetFormat::Base64), None, false), OctetFormat::Base64);
    }
}
