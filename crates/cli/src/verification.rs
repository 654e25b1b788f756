//! Verification of signed messages: verdicts in records, and files of certificates.

use std::path::{Path, PathBuf};

use roadwire_capture::file::{Chunk, Entry};
use roadwire_capture::security::{Content, Envelope, Signer};
use roadwire_capture::{Dissection, Time};
use roadwire_security::{Checks, Fault, Part, Report, Verifier};

use crate::failure::Failure;
use crate::recognition::{Recognition, Schemas};
use crate::record::{Cell, Members};
use crate::recording::Piece;
use crate::{input, octets, parts};

/// Verifies the messages of a recording, one after the other.
#[derive(Clone)]
pub(crate) struct Verification<'a> {
    verifier: Verifier,
    recognition: Recognition<'a>,
}

impl<'a> Verification<'a> {
    /// Nothing if it was not asked for.
    ///
    /// # Errors
    /// A file of trusted certificates that cannot be read, or has something else.
    pub(crate) fn new(verify: bool, trust: &[PathBuf], schemas: &'a Schemas) -> Result<Option<Self>, Failure> {
        if !verify && trust.is_empty() {
            return Ok(None);
        }
        let mut verifier = Verifier::new();
        add_files(trust, |octets| verifier.trust(octets))?;
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

    /// What is said of the message in a frame that was recorded at this time; nothing if it is not signed.
    fn report(&mut self, found: &Dissection<'_>, time: Option<Time>) -> Option<Report> {
        let content = found.envelope?.content;
        if !matches!(content, Content::Signed | Content::SignedElsewhere) {
            return None;
        }
        let is_there = content == Content::Signed && found.wsmp.is_none();
        let parts = found.message().filter(|_| is_there).map_or(Vec::new(), |octets| self.parts(found, octets));
        let octets = found.envelope_octets().unwrap_or(&[]);
        Some(self.verifier.verify_parts(octets, &parts, time.and_then(Time::microseconds)))
    }

    /// What the message contains that needs a permission.
    fn parts(&mut self, found: &Dissection<'_>, octets: &[u8]) -> Vec<Part> {
        let place = self.recognition.place(found.btp.map(|btp| btp.port()), octets);
        let known = place.ok().flatten().and_then(|place| self.recognition.taken(place));
        known.map_or(Vec::new(), |known| parts::of(known))
    }
}

/// Adds the certificates of files, in any order.
///
/// # Errors
/// A file that cannot be read, or is refused.
pub(crate) fn add_files(paths: &[PathBuf], mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Failure> {
    let read: Vec<_> = paths.iter().map(|path| Ok((path, file(path)?))).collect::<Result<_, Failure>>()?;
    roadwire_security::add_all(read, |(_, octets)| add(octets)).map_err(|((path, _), fault)| {
        let what = format!("not a certificate that can be used: {fault}");
        Failure::refused("certificate", what).in_file(&input::display_name(path))
    })
}

/// The octets of a file that has certificates or keys: as they are, or as text in hex or base64.
///
/// # Errors
/// A file that cannot be read, or is empty.
pub(crate) fn file(path: &Path) -> Result<Vec<u8>, Failure> {
    let written = input::read_all(path)?;
    let name = input::display_name(path);
    if written.is_empty() {
        return Err(input::empty().in_file(&name));
    }
    let format = octets::detect(&written).map_err(|failure| failure.in_file(&name))?;
    octets::read(&written, format).map_err(|failure| failure.in_file(&name))
}

/// The verdict, and what else was found.
pub(crate) fn members(inner: &mut impl Members, envelope: &Envelope<'_>, report: &Report) {
    if let (Some(digest), Some(Signer::Certificate)) = (&report.signer, envelope.signer) {
        inner.member("certificate", Cell::Octets(digest));
    }
    verdict(inner, report);
}

/// The verdict, why it is not `valid`, rules that are broken and do not count, and whether it is a copy of a message in another form.
pub(crate) fn verdict(inner: &mut impl Members, report: &Report) {
    inner.word("verdict", report.verdict.name());
    if let Some(fault) = &report.fault {
        inner.member("reason", Cell::Text(&fault.to_string()));
    }
    if !report.noted.is_empty() {
        let noted: Vec<String> = report.noted.iter().map(ToString::to_string).collect();
        inner.member("noted", Cell::Text(&noted.join("; ")));
    }
    if report.is_altered_copy {
        inner.member("altered_copy", Cell::Flag(true));
    }
}
