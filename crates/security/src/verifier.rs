//! A receiver of messages in all versions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use roadwire_engine::Message;
use roadwire_messages::{Tls, ts103097_1_1_1, ts103097_1_2_1};

use crate::check::{check_envelope, check_signer};
use crate::checked::Check;
use crate::remembered::{CERTIFICATES, LARGEST, Remembered, Standing};
use crate::signatures::Signatures;
use crate::{
    Certificate, Contents, Encoded, Fault, HashedId8, Point, Report, SecuredMessage, Signer, Trust, Violation, dot2,
};

/// Verifies messages of TS 103 097 V1.1.1 and V1.2.1 and of IEEE 1609.2-2016 and later,
/// distinguished by their first octet, one after the other: as a receiver that heard them all.
///
/// Without trusted certificates messages are signed at best, and not valid; see [`dot2::Verifier`].
/// It needs bounded memory.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    today: dot2::Verifier,
    first: Past<ts103097_1_1_1::SecuredMessage>,
    second: Past<ts103097_1_2_1::SecuredMessage>,
}

impl Verifier {
    /// Trusts no certificate, and asks for no trust.
    #[must_use]
    pub fn new() -> Self {
        Verifier::default()
    }

    /// From now on, messages need a chain to a trusted certificate. As long as none is
    /// [trusted](Verifier::trust), every message is [untrusted](crate::Verdict::Untrusted) at best.
    pub fn ask_for_trust(&mut self) {
        self.today.ask_for_trust();
        (self.first.needs_trust, self.second.needs_trust) = (true, true);
    }

    /// Trusts all certificates that these octets have, one after the other, of any version; from
    /// then on, messages need a chain to a trusted one. Returns how many there are.
    ///
    /// Of TS 103 097 V1 they are roots, and certificates issued by a root that is already trusted.
    ///
    /// # Errors
    /// As [`dot2::Verifier::trust`], [`Trust::add_root`] and [`Trust::add`]; [`Fault::Encoding`].
    pub fn trust(&mut self, octets: &[u8]) -> Result<usize, Fault> {
        self.ask_for_trust();
        match octets.first() {
            Some(1) => self.first.trust(octets).map(|()| 1),
            Some(2) => self.second.trust(octets).map(|()| 1),
            _ => each_certificate(octets, |certificate| self.today.trust(certificate).map(drop)),
        }
    }

    /// Revokes the certificate with this digest, of any version and in every form of its signature:
    /// from now on no message with it in its chain is valid ([`Violation::Revoked`]).
    pub fn revoke(&mut self, digest: HashedId8) {
        self.today.revoke(digest);
        self.first.revoked.insert(digest);
        self.second.revoked.insert(digest);
    }

    /// Takes a signed list of revoked certificates of IEEE 1609.2: see [`dot2::Verifier::add_crl`].
    ///
    /// # Errors
    /// As there.
    pub fn add_crl(&mut self, octets: &[u8], now: Option<u64>) -> Result<usize, Fault> {
        self.today.add_crl(octets, now)
    }

    /// Which messages of IEEE 1609.2 must keep the profile of TS 103 097: see
    /// [`dot2::Verifier::set_profile`]. Those of TS 103 097 V1 always keep their own.
    pub fn set_profile(&mut self, profile: dot2::ProfileChoice) {
        self.today.set_profile(profile);
    }

    /// Remembers all certificates that these octets have, as if they had been in a message. Returns
    /// how many there are.
    ///
    /// # Errors
    /// [`Fault::Encoding`].
    pub fn add(&mut self, octets: &[u8]) -> Result<usize, Fault> {
        match octets.first() {
            Some(1) => self.first.add(octets).map(|()| 1),
            Some(2) => self.second.add(octets).map(|()| 1),
            _ => each_certificate(octets, |certificate| {
                self.today.add(certificate);
                Ok(())
            }),
        }
    }

    /// The verdict on a message whose payload is not decoded: see
    /// [`verify_contents`](Verifier::verify_contents).
    pub fn verify(&mut self, message: &[u8], now: Option<u64>) -> Report {
        self.verify_contents(message, &Contents::unread(), now)
    }

    /// The verdict on a message. `contents` is its payload, as the receiver's decoder reads it.
    /// `now` is the receiver's clock, if it counts: microseconds since 2004-01-01T00:00:00 UTC that
    /// count leap seconds. Messages of TS 103 097 V1 are not compared with it.
    pub fn verify_contents(&mut self, message: &[u8], contents: &Contents, now: Option<u64>) -> Report {
        match message.first() {
            Some(1) => self.first.verify(message, contents),
            Some(2) => self.second.verify(message, contents),
            _ => self.today.verify_contents(message, contents, now),
        }
    }
}

/// The report on a message, with the facts about its envelope, its signer and the issuers above,
/// and its payload.
fn judged<M: SecuredMessage>(
    mut report: Report,
    message: &M,
    signer: &M::Certificate,
    issuers: &[&M::Certificate],
    contents: &Contents,
) -> Report {
    let found = check_signer(message, signer, issuers);
    let mut violations = [check_envelope(message), found.violations].concat();
    let is_permitted = !violations.contains(&Violation::NotPermitted);
    report.permissions = found.permissions.filter(|_| is_permitted);
    if let Some(application) = message.its_aid().filter(|_| is_permitted) {
        let permissions = report.permissions.as_deref().unwrap_or(&[]);
        violations.extend(contents.violations(application, Some(permissions)));
    }
    if violations.contains(&Violation::SignatureForm) {
        violations.retain(|violation| *violation != Violation::SignatureForm);
        report.noted.push(Violation::SignatureForm);
    }
    let has_place = !message.generation_places().is_empty();
    report.checked.place = Check::of_place(found.has_region, has_place, !found.open_regions.is_empty());
    report.open_regions = found.open_regions;
    report.checked.time = Check::no(match message.generation_times().is_empty() {
        true => "the message has no generation time",
        false => "messages of TS 103 097 V1 are not compared with a clock",
    });
    report.with_violations(violations).with_payload(contents)
}

fn each_certificate(
    octets: &[u8],
    mut each: impl FnMut(dot2::Certificate) -> Result<(), Fault>,
) -> Result<usize, Fault> {
    let (mut rest, mut count) = (octets, 0);
    loop {
        let (certificate, length) = dot2::Certificate::read_first(rest)?;
        each(certificate)?;
        count += 1;
        rest = rest.get(length..).unwrap_or(&[]);
        if rest.is_empty() {
            return Ok(count);
        }
    }
}

/// A receiver of one version of TS 103 097 V1.
#[derive(Debug, Clone)]
struct Past<M: SecuredMessage> {
    /// The octets of certificates, which are read again when they are asked for.
    heard: Remembered<Box<[u8]>>,
    trust: Trust<M::Certificate>,
    needs_trust: bool,
    signatures: Signatures,
    revoked: BTreeSet<HashedId8>,
}

impl<M: SecuredMessage> Default for Past<M> {
    fn default() -> Self {
        Past {
            heard: Remembered::new(CERTIFICATES),
            trust: Trust::new(),
            needs_trust: false,
            signatures: Signatures::default(),
            revoked: BTreeSet::new(),
        }
    }
}

impl<M: SecuredMessage + Message<Tls>> Past<M> {
    fn trust(&mut self, octets: &[u8]) -> Result<(), Fault> {
        let certificate = Encoded::<M::Certificate>::read(octets)?;
        match certificate.value().signer() {
            Signer::Itself => self.trust.add_root(certificate),
            _ => self.trust.add(certificate),
        }
        .map(drop)
    }

    fn add(&mut self, octets: &[u8]) -> Result<(), Fault> {
        self.remember(&Encoded::read(octets)?, Standing::Trusted);
        Ok(())
    }

    fn remember(&mut self, certificate: &Encoded<M::Certificate>, standing: Standing) {
        let octets = certificate.octets();
        if octets.len() <= LARGEST {
            self.heard.insert(certificate.hashed_id8(), standing, octets.len(), octets.into());
        }
    }

    fn verify(&mut self, octets: &[u8], contents: &Contents) -> Report {
        let signed = Encoded::<M>::read(octets).and_then(|message| {
            let (signer, above) = self.signer(&message)?;
            Ok((message, signer, above))
        });
        let (message, signer, above) = match signed {
            Ok(signed) => signed,
            Err(fault) => return Report::refused(fault, None),
        };
        let digest = signer.hashed_id8();
        let verified = signer.verification_key().and_then(|key| message.verify_signature(&key));
        if let Err(fault) = verified {
            return Report::refused(fault, Some(digest));
        }
        let mut report = Report::signed(digest);
        report.is_altered_copy = self.is_altered_copy(&message);
        let (value, own) = (message.value(), signer.value());
        if !self.needs_trust {
            self.remember(&signer, Standing::Signer);
            let report = judged(report, value, own, &[], contents);
            return if self.has_revoked(&signer) { report.revoked() } else { report };
        }
        match self.trust.verify_chain(Cow::Borrowed(&signer), above, &mut Vec::new()) {
            Ok(chain) => {
                let report = report.with_chain(chain.iter().map(|one| one.hashed_id8()).collect());
                let issuers: Vec<&M::Certificate> = chain.iter().skip(1).map(|one| one.value()).collect();
                let is_revoked = chain.iter().any(|one| self.has_revoked(one));
                let report = judged(report, value, own, &issuers, contents);
                drop(chain);
                self.remember(&signer, Standing::Trusted);
                if is_revoked { report.revoked() } else { report }
            }
            Err(fault) => {
                self.remember(&signer, Standing::Signer);
                let report = judged(report.without_chain(fault), value, own, &[], contents);
                if self.has_revoked(&signer) { report.revoked() } else { report }
            }
        }
    }

    fn has_revoked(&self, certificate: &Encoded<M::Certificate>) -> bool {
        !self.revoked.is_empty() && certificate.equal_digests().iter().any(|digest| self.revoked.contains(digest))
    }

    /// Whether the signature is that of an earlier message in another form.
    fn is_altered_copy(&mut self, message: &Encoded<M>) -> bool {
        let (Ok(hash), Ok(signature)) = (message.message_hash(), message.value().signature()) else { return false };
        let mut form = vec![match &signature.r {
            Point::XOnly(_) => 0,
            Point::Even(_) => 2,
            Point::Odd(_) => 3,
            Point::Uncompressed(..) => 4,
        }];
        if let Point::Uncompressed(_, y) = &signature.r {
            form.extend(y);
        }
        form.extend(signature.s);
        self.signatures.is_altered_copy(&hash, signature.r.x(), &form)
    }

    /// The signer's certificate, and its issuers' in the message, the root first.
    #[allow(clippy::type_complexity, reason = "a certificate and a list of them")]
    fn signer(
        &mut self,
        message: &Encoded<M>,
    ) -> Result<(Encoded<M::Certificate>, Vec<Encoded<M::Certificate>>), Fault> {
        if let Signer::Digest(digest) = message.value().signer() {
            let known = match (self.trust.get(&digest), self.heard.get(&digest)) {
                (Some(trusted), _) => trusted.clone(),
                (None, Some(octets)) => Encoded::read(octets)?,
                (None, None) => return Err(Fault::UnknownCertificate { digest }),
            };
            return Ok((known, Vec::new()));
        }
        let mut above = message.certificates()?;
        let signer = above.pop().ok_or(Fault::Signer)?;
        Ok((signer, above))
    }
}
