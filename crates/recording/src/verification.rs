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
    /// Files of trusted certificates, in COER: a message needs a chain up to one of them. With an
    /// empty list no signer is trusted.
    pub trust: Option<Vec<PathBuf>>,
    /// Which messages must keep the profile of TS 103 097; by default those in GeoNetworking and
    /// those of ETSI's applications.
    pub profile: Option<ProfileChoice>,
    /// Files of lists of revoked certificates (IEEE 1609.2 §7.3), a signed list in each. Their
    /// signers need a chain to a trusted certificate. When a list was issued is not compared with a
    /// clock.
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

    /// A receiver of messages that also knows the certificates in these files, which it need not
    /// trust.
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
        // Before the lists are read: a revoked certificate may not sign one.
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
/// A message with the expected form and the text found.
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

    /// The piece, with the report on each of its messages. Of signatures that `checks` knows, none
    /// is computed.
    pub(crate) fn verified(&mut self, mut piece: Piece, mut checks: Checks) -> Piece {
        piece.reports = checks.during(|| self.reports(&piece.chunk));
        piece
    }

    /// The piece, with the results for its signatures that are open to a receiver that heard
    /// nothing before it. Afterwards its certificates are forgotten: each of many workers would
    /// have its own.
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

    /// The report on the message in a frame that was recorded at this time; `None` if it is not
    /// signed, or the frame is damaged.
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

#[cfg(test)]
mod tests {
    use roadwire_capture::{Check, LinkType};
    use roadwire_security::{Verdict, Violation};

    use super::*;
    use crate::signed_frames::{packet, signed, signed_elsewhere};

    const CAM: [u8; 41] = [
        0x02, 0x02, 0x00, 0x07, 0x2a, 0x99, 0x65, 0x00, 0x00, 0x5a, 0x58, 0x2e, 0xf2, 0x2e, 0x18, 0x03, 0x0c, 0x22,
        0x34, 0x12, 0xc7, 0x08, 0x42, 0x6f, 0x90, 0x00, 0x53, 0xc1, 0x22, 0xb6, 0x93, 0x02, 0x90, 0x8a, 0x74, 0x14,
        0x0b, 0x61, 0xfd, 0xa0, 0xc0,
    ];
    const ETHERNET: [u8; 12] = [0; 12];
    /// A basic header of GeoNetworking before a secured message.
    const GEONETWORKING: [u8; 6] = [0x89, 0x47, 0x12, 0, 0x1a, 1];

    fn report(link_type: LinkType, frame: &[u8]) -> Option<(Verdict, Vec<Violation>)> {
        let schemas = Schemas::new();
        let options = VerificationOptions { verify: true, ..VerificationOptions::default() };
        let verification = Verification::new(&options, &schemas);
        let mut verification = verification.ok().flatten()?;
        let report = verification.report(&Dissection::new(link_type, Check::Unknown, frame), None)?;
        match report.fault {
            Some(Fault::Violations(found)) => Some((report.verdict, found)),
            None => Some((report.verdict, Vec::new())),
            Some(fault) => panic!("{fault}"),
        }
    }

    fn in_geonetworking(message: &[u8]) -> Vec<u8> {
        [&ETHERNET[..], &GEONETWORKING, message].concat()
    }

    #[test]
    fn a_payload_is_compared_with_the_application_that_it_is_signed_for() {
        let found = |psid, port, message: &[u8]| {
            report(LinkType::ETHERNET, &in_geonetworking(&signed(psid, &packet(port, message))))
        };
        let application = Some((Verdict::Invalid, vec![Violation::Application]));
        assert_eq!(found(36, 2001, &CAM), Some((Verdict::Signed, vec![])));
        assert_eq!(found(141, 2001, &CAM), application);
        assert_eq!(found(141, 2001, &[9, 9, 9]), application, "by its port alone");
        assert_eq!(found(141, 9999, &CAM), application, "by its type alone");
        assert_eq!(found(36, 2001, &[9, 9, 9]), Some((Verdict::Unsupported, vec![Violation::NotUnderstood])));
    }

    /// A WAVE short message has no BTP port, so its payload is not read as a CAM.
    #[test]
    fn a_message_in_a_wave_short_message_is_not_understood_as_a_cam() {
        let message = signed(36, &CAM);
        let length = (0x8000 | message.len() as u16).to_be_bytes();
        // The EtherType, the version, no transport information, the PSID, and a length of two
        // octets.
        let wsmp = [0x88, 0xdc, 3, 0, 36, length[0], length[1]];
        let frame = [&ETHERNET[..], &wsmp, &message].concat();
        let found = report(LinkType::ETHERNET, &frame);
        assert_eq!(found, Some((Verdict::Unsupported, vec![Violation::NotUnderstood])));
    }

    #[test]
    fn a_message_whose_payload_is_elsewhere_has_a_verdict() {
        let found = report(LinkType::ETHERNET, &in_geonetworking(&signed_elsewhere(141)));
        assert_eq!(found, Some((Verdict::Signed, vec![])));
    }

    #[test]
    fn a_damaged_frame_has_no_verdict() {
        let message = signed(36, &packet(2001, &CAM));
        // Radiotap whose flags say that a frame check sequence follows; data of IEEE 802.11 with a
        // header for sub-networks.
        let radiotap = [0, 0, 9, 0, 2, 0, 0, 0, 0x10];
        let mut frame = [&radiotap[..], &[0x88, 0, 0, 0], &[0; 22], &[0xaa, 0xaa, 3, 0, 0, 0]].concat();
        frame.extend([&GEONETWORKING[..], &message].concat());
        let sum = roadwire_capture::frame_check_sequence(&frame[radiotap.len()..]).to_le_bytes();
        let of = |sum: [u8; 4]| report(LinkType::RADIOTAP, &[&frame[..], &sum].concat());
        assert_eq!(of(sum), Some((Verdict::Signed, vec![])));
        assert_eq!(of([!sum[0], sum[1], sum[2], sum[3]]), None);
    }
}
