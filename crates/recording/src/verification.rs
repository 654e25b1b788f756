//! Verification of signed messages: verdicts in records, and files of certificates.

use std::path::{Path, PathBuf};

use roadwire_capture::file::{Chunk, Entry};
use roadwire_capture::security::Content;
use roadwire_capture::{Dissection, Time};
use roadwire_security::dot2::ProfileChoice;
use roadwire_security::{Checks, Fault, Report, Verifier};
use zeroize::Zeroizing;

use crate::pieces::Piece;
use crate::recognition::{Recognition, Schemas};
use crate::{Error, contents, input, octets};

/// Verifies the messages of a recording, one after the other.
#[derive(Clone)]
pub struct Verification<'a> {
    verifier: Verifier,
    recognition: Recognition<'a>,
}

impl<'a> Verification<'a> {
    /// Nothing if it was not asked for. With an empty list of `trust`, no signer is trusted.
    ///
    /// # Errors
    /// A file of trusted certificates that cannot be read, or has something else.
    pub fn new(
        verify: bool,
        trust: Option<&[PathBuf]>,
        profile: ProfileChoice,
        schemas: &'a Schemas,
    ) -> Result<Option<Self>, Error> {
        if !verify && trust.is_none() {
            return Ok(None);
        }
        let mut verifier = Verifier::new();
        verifier.set_profile(profile);
        if let Some(files) = trust {
            verifier.ask_for_trust();
            add_files(files, |octets| verifier.trust(octets))?;
        }
        Ok(Some(Verification { verifier, recognition: Recognition::new(schemas) }))
    }

    /// The piece, with what is said of each of its messages. Of signatures that `checks` knows, none is computed.
    pub(crate) fn verified(&mut self, mut piece: Piece, mut checks: Checks) -> Piece {
        piece.reports = checks.during(|| self.reports(&piece.chunk));
        piece
    }

    /// The piece, with what can be found of its signatures by a receiver that heard nothing before it. Afterwards its certificates are forgotten: each of many workers would have its own.
    pub(crate) fn checked(&mut self, piece: Piece) -> (Piece, Checks) {
        let mut checks = Checks::default();
        let before = self.verifier.clone();
        checks.during(|| self.reports(&piece.chunk));
        self.verifier = before;
        (piece, checks)
    }

    fn reports(&mut self, chunk: &Chunk) -> Vec<Option<Report>> {
        let entry = |Entry { begins, frame }: Entry<'_>| {
            if begins {
                self.recognition.forget();
            }
            let frame = frame.ok()?;
            self.report(&frame.dissect(), frame.time)
        };
        chunk.entries().map(entry).collect()
    }

    /// What is said of the message in a frame that was recorded at this time; nothing if it is not signed, or the frame is damaged.
    fn report(&mut self, found: &Dissection<'_>, time: Option<Time>) -> Option<Report> {
        if found.is_damaged() {
            return None;
        }
        let content = found.envelope?.content;
        if !matches!(content, Content::Signed | Content::SignedElsewhere) {
            return None;
        }
        let contents = contents::of_frame(&mut self.recognition, found);
        let octets = found.envelope_octets().unwrap_or(&[]);
        Some(self.verifier.verify_contents(octets, &contents, time.and_then(Time::microseconds)))
    }
}

/// Adds the certificates of files, in any order.
///
/// # Errors
/// A file that cannot be read, or is refused.
pub fn add_files(paths: &[PathBuf], mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Error> {
    let read: Vec<_> = paths.iter().map(|path| Ok((path, file(path)?))).collect::<Result<_, Error>>()?;
    roadwire_security::add_all(read, |(_, octets)| add(octets)).map_err(|((path, _), fault)| {
        let what = format!("not a certificate that can be used: {fault}");
        Error::refused("certificate", what).in_file(&input::display_name(path))
    })
}

/// The octets of a file that has certificates or keys: as they are, or as text in hex or base64.
///
/// # Errors
/// A file that cannot be read, or is empty.
pub fn file(path: &Path) -> Result<Vec<u8>, Error> {
    let written = Zeroizing::new(input::read_all(path)?);
    let name = input::display_name(path);
    if written.is_empty() {
        return Err(input::empty().in_file(&name));
    }
    let format = octets::detect(&written).map_err(|error| error.in_file(&name))?;
    octets::read(&written, format).map_err(|error| error.in_file(&name))
}
