//! Writing: to stdout, or to a file that is replaced when complete.

use std::io::Write as _;
use std::path::Path;

use roadwire::Rules;
use roadwire_files as files;
use roadwire_recording::Error;
use roadwire_recording::octets::{self, OctetFormat};

use crate::args::OutputArgs;
use crate::failure::Failure;

/// Where a conversion goes, with the command's failures.
pub(crate) struct Output(files::Output);

impl Output {
    /// Stdout.
    ///
    /// # Errors
    /// It is closed.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        let output = files::Output::stdout().map_err(|error| Failure::io("write to", Path::new("stdout"), &error));
        output.map(Output)
    }

    /// Stdout, or a new file.
    ///
    /// # Errors
    /// The file exists and `force` is not set, or it cannot be created.
    pub(crate) fn open(path: Option<&Path>, force: bool) -> Result<Self, Failure> {
        let output = files::Output::open(path, force);
        Ok(Output(output.map_err(|error| Error::of_output(path.unwrap_or(Path::new("stdout")), &error))?))
    }

    /// Writes and flushes: results are visible at once, even if the next step takes long.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.0.write_all(bytes).and_then(|()| self.0.flush());
        written.map_err(|error| Failure::io("write to", self.0.path(), &error))
    }

    /// Whether there is an existing file, which this one replaces when it is finished.
    pub(crate) fn replaces(&self) -> bool {
        self.0.replaces()
    }

    /// Keeps the content of a new file, finished or not.
    pub(crate) fn keep_as_written(&mut self) -> Result<(), Failure> {
        self.0.keep_as_written().map_err(|error| Failure::io("write to", self.0.path(), &error))
    }

    /// Finishes a file, and replaces an existing one, which otherwise is not changed.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.0.path().to_owned();
        self.0.finish().map_err(|error| Failure::io("write to", &path, &error))
    }
}

/// Writes all of a new file's content, or nothing.
pub(crate) fn write_file(path: &Path, content: &[u8], force: bool) -> Result<(), Failure> {
    let mut output = Output::open(Some(path), force)?;
    output.write(content)?;
    output.finish()
}

impl OutputArgs {
    /// How encodings in `rules` are written: `None` for text, which is written as it is. Octets are
    /// written as requested; else as hex on stdout and in `lines`, else by the file's extension.
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

    /// Writes one encoding, which is all of the output, in the format of [`OutputArgs::format_of`].
    /// A new line ends it, unless it is octets as they are.
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

/// Stdout, for code that writes to it itself.
#[cfg(feature = "lab")]
pub(crate) fn stdout() -> Result<std::io::Stdout, Failure> {
    Output::stdout().map(|_| std::io::stdout())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

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
