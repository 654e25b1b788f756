//! Verification of signed messages: verdicts in records, and files of certificates.

use std::path::{Path, PathBuf};

use roadwire_capture::file::{Chunk, Entry};
use roadwire_capture::security::Content;
use roadwire_capture::{Dissection, Time};
use roadwire_security::dot2::ProfileChoice;
use roadwire_security::{Checks, Fault, HashedId8, Report, Verifier};
use zeroize::Zeroizing;

use crate::octets::OctetFormat;
use crate::pieces::Piece;
use crate::recognition::{Recognition, Schemas};
use crate::{Error, contents, input, octets};

/// How signed messages are verified. If nothing of it is asked for, they are not.
#[derive(Clone, Debug, Default)]
pub struct VerificationOptions {
    /// Signed messages have a verdict. Each other option asks for that as well.
    pub verify: bool,
    /// Files of trusted certificates, in COER: a message needs a chain up to one of them. With an empty list no signer is trusted.
    pub trust: Option<Vec<PathBuf>>,
    /// Which messages must keep the profile of TS 103 097; by default those in GeoNetworking and those of ETSI's applications.
    pub profile: Option<ProfileChoice>,
    /// Files of lists of revoked certificates (IEEE 1609.2 §7.3), a signed list in each. Their signers need a chain to a trusted certificate. When a list was issued is not compared with a clock.
    pub crl: Vec<PathBuf>,
    /// Certificates that are no longer trusted.
    pub revoked: Vec<HashedId8>,
}

impl VerificationOptions {
    /// Whether signed messages have a verdict.
    #[must_use]
    pub fn is_asked_for(&self) -> bool {
        self.verify
            || self.trust.is_some()
            || self.profile.is_some()
            || !self.crl.is_empty()
            || !self.revoked.is_empty()
    }

    /// The files that it names.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.trust.iter().flatten().chain(&self.crl)
    }

    /// A receiver of messages that also knows the certificates in these files, which it need not trust.
    ///
    /// # Errors
    /// A file that cannot be read, or has something else.
    pub fn verifier(&self, certificates: &[PathBuf]) -> Result<Verifier, Error> {
        let mut verifier = Verifier::new();
        verifier.set_profile(self.profile.unwrap_or_default());
        add_files(certificates, |octets| verifier.add(octets))?;
        if let Some(files) = &self.trust {
            verifier.ask_for_trust();
            add_files(files, |octets| verifier.trust(octets))?;
        }
        // First of all, so that nobody whom the caller does not trust revokes others.
        self.revoked.iter().for_each(|digest| verifier.revoke(*digest));
        for path in &self.crl {
            add_list(&mut verifier, &file(path)?).map_err(|error| error.in_file(&input::display_name(path)))?;
        }
        Ok(verifier)
    }
}

/// Adds a signed list of revoked certificates. When it was issued is not compared with a clock.
///
/// # Errors
/// `crl`: it is none, or its signer may not sign it.
fn add_list(verifier: &mut Verifier, octets: &[u8]) -> Result<(), Error> {
    let added = verifier.add_crl(octets, None);
    added.map(drop).map_err(|fault| {
        let error = Error::refused("crl", format!("not a list of revoked certificates that can be used: {fault}"));
        match fault {
            Fault::UnknownCertificate { .. } | Fault::UntrustedRoot { .. } => {
                error.advise("trust a certificate above the list's signer")
            }
            Fault::Encoding(_) | Fault::Version { .. } => {
                error.advise("a list is signed data of IEEE 1609.2 with CrlContents; those of TS 102 941 are not read")
            }
            _ => error,
        }
    })
}

/// The digest of a certificate: its HashedId8, or the last eight octets of its HashedId10.
#[must_use]
pub fn digest(octets: &[u8]) -> Option<HashedId8> {
    match octets.len() {
        8 | 10 => octets.last_chunk().copied(),
        _ => None,
    }
}

/// The same of a text of hexadecimal digits.
///
/// # Errors
/// What was expected, and what was found.
pub fn digest_of_text(text: &str) -> Result<HashedId8, String> {
    let octets = octets::read(text.as_bytes(), OctetFormat::Hex).ok();
    octets
        .and_then(|octets| digest(&octets))
        .ok_or_else(|| format!("expected 16 hexadecimal digits (HashedId8) or 20 (HashedId10), found {text:?}"))
}

/// Verifies the messages of a recording, one after the other.
#[derive(Clone)]
pub struct Verification<'a> {
    verifier: Verifier,
    recognition: Recognition<'a>,
}

impl<'a> Verification<'a> {
    /// Nothing if it was not asked for.
    ///
    /// # Errors
    /// As [`VerificationOptions::verifier`].
    pub fn new(options: &VerificationOptions, schemas: &'a Schemas) -> Result<Option<Self>, Error> {
        if !options.is_asked_for() {
            return Ok(None);
        }
        let verifier = options.verifier(&[])?;
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
fn add_files(paths: &[PathBuf], mut add: impl FnMut(&[u8]) -> Result<usize, Fault>) -> Result<(), Error> {
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
