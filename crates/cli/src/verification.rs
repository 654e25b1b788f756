//! Verification of signed messages: verdicts in records, and files of certificates.

use std::path::{Path, PathBuf};

use roadwire_capture::security::{Content, Envelope, Signer};
use roadwire_capture::{Dissection, Time};
use roadwire_security::{Fault, Part, Report, Verifier};

use crate::failure::Failure;
use crate::record::{Cell, Members};
use crate::{input, octets};

/// Verifies the messages of a recording, if it was asked for.
pub(crate) struct Verification(Option<Verifier>);

impl Verification {
    /// # Errors
    /// A file of trusted certificates that cannot be read, or has something else.
    pub(crate) fn new(verify: bool, trust: &[PathBuf]) -> Result<Self, Failure> {
        if !verify && trust.is_empty() {
            return Ok(Verification(None));
        }
        let mut verifier = Verifier::new();
        add_files(trust, |octets| verifier.trust(octets))?;
        Ok(Verification(Some(verifier)))
    }

    /// Whether the parts of a frame's message count.
    pub(crate) fn needs_parts(&self, found: &Dissection<'_>) -> bool {
        self.0.is_some() && found.envelope.is_some_and(|envelope| envelope.content == Content::Signed)
    }

    /// What is said of the message in a frame that was recorded at this time, with the parts that need a permission; nothing if it is not signed.
    pub(crate) fn report(&mut self, found: &Dissection<'_>, parts: &[Part], time: Option<Time>) -> Option<Report> {
        let verifier = self.0.as_mut()?;
        let is_signed = matches!(found.envelope?.content, Content::Signed | Content::SignedElsewhere);
        let octets = found.envelope_octets().unwrap_or(&[]);
        is_signed.then(|| verifier.verify_parts(octets, parts, time.and_then(Time::microseconds)))
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
