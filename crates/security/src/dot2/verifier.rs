//! A receiver: it remembers certificates from messages, and knows which ones are trusted.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::certificate::{Certificate, Issuer};
use super::curve::PublicKey;
use super::message::{Signed, Signer};
use super::{permissions, validity};
use crate::part::are_forbidden;
use crate::remembered::{LARGEST, MOST, Remembered};
use crate::{Fault, HashedId8, Part, Report, Verdict, Violation};

/// The most certificates of a chain; of more in a message, the first ones count.
const LONGEST: usize = 8;
/// The most microseconds between the time that a message says that it was made at, and the receiver's clock: ten minutes, which is how long a DENM lives that does not say (`defaultValidity` of EN 302 637-3).
const CLOCK: u64 = 600_000_000;

/// Verifies messages one after the other, as a receiver that heard them all: who signs with a digest is known from the certificate in an earlier message.
///
/// Without trusted certificates it verifies signatures alone: a message is valid if the holder of the certificate made its signature, whoever that is. With some, it also follows the chain of issuers up to
/// one of them, and checks permissions, regions and times.
///
/// It needs bounded memory, whatever comes: 4096 certificates of at most 2048 octets, and 4096 signatures.
#[derive(Debug, Clone)]
pub struct Verifier {
    heard: Remembered<HashedId8, Arc<Known>>,
    trusted: BTreeMap<HashedId8, Arc<Known>>,
    needs_trust: bool,
    /// Verified signatures, by the first octets of the hash that was signed.
    signatures: Remembered<HashedId8, Verified>,
}

/// A verified signature.
#[derive(Debug, Clone, PartialEq)]
struct Verified {
    hash: Vec<u8>,
    x: Vec<u8>,
    /// How the point R is written, and s.
    form: Vec<u8>,
}

/// A certificate, with what has been found out about it.
#[derive(Debug)]
struct Known {
    certificate: Certificate,
    /// Its key, once it is known; of an implicit one when its issuer is.
    key: OnceLock<PublicKey>,
    /// Its issuers up to a trusted one, once they have been verified.
    issuers: OnceLock<Vec<Arc<Known>>>,
}

impl Known {
    fn new(certificate: Certificate) -> Arc<Known> {
        Arc::new(Known { certificate, key: OnceLock::new(), issuers: OnceLock::new() })
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Verifier::new()
    }
}

impl Verifier {
    /// Verifies signatures alone.
    #[must_use]
    pub fn new() -> Self {
        Verifier {
            heard: Remembered::new(MOST),
            trusted: BTreeMap::new(),
            needs_trust: false,
            signatures: Remembered::new(MOST),
        }
    }

    /// From now on a message is valid only with a chain to a trusted certificate, whether there is one or not.
    pub fn ask_for_trust(&mut self) {
        self.needs_trust = true;
    }

    /// Trusts a certificate, and asks for trust. The caller is responsible for its origin. A chain ends with it, whoever issued it; a root's own signature is verified.
    ///
    /// # Errors
    /// [`Fault::Key`] and [`Fault::Algorithm`]; [`Fault::Signature`] of a root; [`Fault::NoKey`]: an implicit certificate, whose key is known only with its issuer's.
    pub fn trust(&mut self, certificate: Certificate) -> Result<HashedId8, Fault> {
        let key = certificate.own_key()?.ok_or(Fault::NoKey)?;
        if certificate.issuer() == Issuer::Itself {
            certificate.key_under(&certificate, &key)?;
        }
        self.needs_trust = true;
        let known = Known::new(certificate);
        let digest = known.certificate.digest();
        for digest in [Some(digest), known.certificate.sent_digest()].into_iter().flatten() {
            self.trusted.insert(digest, Arc::clone(&known));
        }
        Ok(digest)
    }

    /// Remembers a certificate that was not in a message, as if it had been.
    pub fn add(&mut self, certificate: Certificate) -> HashedId8 {
        let digest = certificate.digest();
        self.remember(&Known::new(certificate));
        digest
    }

    /// Verifies the chain of issuers of a certificate up to a trusted one: signatures, and who may issue what. Returns the digests of the issuers, the certificate's own first. Whether all of them are valid
    /// at some time is not checked.
    ///
    /// # Errors
    /// [`Fault::UnknownCertificate`], [`Fault::UntrustedRoot`], and [`Fault::Certificate`], with the digest of the one that is wrong.
    pub fn verify_certificate(&mut self, certificate: Certificate) -> Result<Vec<HashedId8>, Fault> {
        let known = self.known(certificate);
        let issuers = self.issuers(&known, &[])?;
        Ok(issuers.iter().map(|issuer| issuer.certificate.digest()).collect())
    }

    /// The verdict on a message in COER, which is the first that `octets` have. `parts` are those of its payload that need a permission. `now` is the receiver's clock, if it counts: microseconds since 2004-01-01T00:00:00 UTC that count leap seconds.
    pub fn verify_parts(&mut self, octets: &[u8], parts: &[Part], now: Option<u64>) -> Report {
        match Signed::read(octets) {
            Ok(message) => self.verify_signed(&message, parts, now),
            Err(fault) => Report::refused(fault, None),
        }
    }

    /// The same of a message whose payload is not looked at.
    pub fn verify(&mut self, octets: &[u8], now: Option<u64>) -> Report {
        self.verify_parts(octets, &[], now)
    }

    /// The same of a message that has been read.
    pub fn verify_signed(&mut self, message: &Signed, parts: &[Part], now: Option<u64>) -> Report {
        let (signer, above) = match self.signer(message) {
            Ok(found) => found,
            Err(fault) => return Report::refused(fault, None),
        };
        let digest = signer.certificate.digest();
        let key = match self.key(&signer, &above, LONGEST) {
            Ok(key) => key,
            Err(fault) => return Report::refused(fault, Some(digest)),
        };
        let (hash, signature) = match message.verified(&signer.certificate, &key) {
            Ok(verified) => verified,
            Err(fault) => return Report::refused(fault, Some(digest)),
        };
        let mut report = Report::valid(digest);
        let has_altered_certificate = self.has_heard_another_form(&signer.certificate);
        let verified = Verified { hash, x: signature.r.x().to_vec(), form: signature.form() };
        report.is_altered_copy = self.is_altered_copy(verified) || has_altered_certificate;
        self.remember(&signer);
        above.iter().for_each(|issuer| self.remember(issuer));
        if let Ok(Some(requested)) = message.requested_certificate() {
            self.remember(&Known::new(requested));
        }
        if signer.certificate.has_r_in_another_form() {
            report.noted.push(Violation::SignatureForm);
        }
        if !self.needs_trust {
            report.noted.extend(violations(message, parts, &[&*signer], now));
            return report;
        }
        match self.issuers(&signer, &above) {
            Ok(issuers) => {
                let chain: Vec<&Known> = [&signer].into_iter().chain(&issuers).map(Arc::as_ref).collect();
                report.with_violations(violations(message, parts, &chain, now))
            }
            Err(fault) => report.judged(Verdict::Untrusted, fault),
        }
    }

    /// The signer's certificate, and those of issuers that are in the message.
    fn signer(&mut self, message: &Signed) -> Result<(Arc<Known>, Vec<Arc<Known>>), Fault> {
        match message.signer()? {
            Signer::Digest(digest) => Ok((self.find(&digest, &[])?, Vec::new())),
            Signer::Certificates(certificates) => {
                let mut all = certificates.into_iter().take(LONGEST).map(|one| self.known(one));
                Ok((all.next().ok_or(Fault::Signer)?, all.collect()))
            }
            // Its key is somewhere in the payload.
            Signer::Itself => Err(Fault::Algorithm),
        }
    }

    /// What is known of a certificate already, if exactly this one is.
    fn known(&mut self, certificate: Certificate) -> Arc<Known> {
        match self.find(&certificate.digest(), &[]) {
            Ok(known) if known.certificate == certificate => known,
            _ => Known::new(certificate),
        }
    }

    /// Whether another form of this certificate was heard before: the digest is that of both.
    fn has_heard_another_form(&mut self, certificate: &Certificate) -> bool {
        self.find(&certificate.digest(), &[]).is_ok_and(|known| known.certificate != *certificate)
    }

    /// The certificate with this digest: in the message, trusted, or heard before.
    fn find(&mut self, digest: &HashedId8, above: &[Arc<Known>]) -> Result<Arc<Known>, Fault> {
        let in_message = above.iter().find(|one| one.certificate.is_named(digest));
        let found = in_message.or_else(|| self.trusted.get(digest)).or_else(|| self.heard.get(digest));
        found.cloned().ok_or(Fault::UnknownCertificate { digest: *digest })
    }

    /// The key of a certificate; that of an implicit one from its issuer's, `depth` certificates up at most.
    fn key(&mut self, known: &Arc<Known>, above: &[Arc<Known>], depth: usize) -> Result<PublicKey, Fault> {
        if let Some(key) = known.key.get() {
            return Ok(*key);
        }
        let certificate = &known.certificate;
        let key = match (certificate.own_key()?, certificate.issuer()) {
            (Some(key), _) => key,
            (None, Issuer::Digest(digest)) if depth > 0 => {
                let issuer = self.find(&digest, above)?;
                let issuers_key = self.key(&issuer, above, depth - 1)?;
                certificate.key_under(&issuer.certificate, &issuers_key)?
            }
            (None, _) => return Err(Fault::NoKey),
        };
        Ok(*known.key.get_or_init(|| key))
    }

    /// The issuers of a certificate up to a trusted one, each of which issued the one before it and was allowed to.
    fn issuers(&mut self, signer: &Arc<Known>, above: &[Arc<Known>]) -> Result<Vec<Arc<Known>>, Fault> {
        if let Some(issuers) = signer.issuers.get() {
            return Ok(issuers.clone());
        }
        let mut chain = vec![Arc::clone(signer)];
        loop {
            let last = &chain[chain.len() - 1].certificate;
            let digest = last.digest();
            if self.trusted.get(&digest).is_some_and(|trusted| trusted.certificate == *last) {
                break;
            }
            match last.issuer() {
                Issuer::Itself => return Err(Fault::UntrustedRoot { digest }),
                Issuer::Digest(_) if chain.len() == LONGEST => return Err(Fault::UntrustedRoot { digest }),
                Issuer::Digest(issuer) => chain.push(self.find(&issuer, above)?),
            }
        }
        for link in chain.windows(2).rev() {
            let [own, issuer] = link else { continue };
            let issuers_key = self.key(issuer, above, LONGEST)?;
            let key = own.certificate.key_under(&issuer.certificate, &issuers_key);
            let key = key.map_err(|fault| of(&own.certificate, fault))?;
            // The key of an implicit certificate comes out for any issuer.
            if *own.key.get_or_init(|| key) != key {
                return Err(of(&own.certificate, Fault::Signer));
            }
        }
        may_issue(&chain)?;
        let issuers = chain.split_off(1);
        Ok(signer.issuers.get_or_init(|| issuers).clone())
    }

    fn remember(&mut self, known: &Arc<Known>) {
        let certificate = &known.certificate;
        if certificate.octets().len() > LARGEST {
            return;
        }
        for digest in [Some(certificate.digest()), certificate.sent_digest()].into_iter().flatten() {
            // The first form that was heard stays.
            if self.heard.get(&digest).is_none() {
                self.heard.insert(digest, Arc::clone(known));
            }
        }
    }

    /// Whether this is the signature of an earlier message in another form: a second signature of the same content has another R.
    fn is_altered_copy(&mut self, verified: Verified) -> bool {
        let mut key = HashedId8::default();
        key.copy_from_slice(&verified.hash[..8]);
        if let Some(earlier) = self.signatures.get(&key) {
            return (&earlier.hash, &earlier.x) == (&verified.hash, &verified.x) && earlier.form != verified.form;
        }
        self.signatures.insert(key, verified);
        false
    }
}

/// Whether each issuer may issue what is below it: all permissions of the signer, in a region of its own.
fn may_issue(chain: &[Arc<Known>]) -> Result<(), Fault> {
    let mut found = Vec::new();
    let signed: Vec<_> = chain.iter().map(|known| &known.certificate.value().to_be_signed).collect();
    let permissions = signed[0].app_permissions.as_deref().unwrap_or(&[]);
    for (below, issuer) in (1..).zip(&signed[1..]) {
        let groups = issuer.cert_issue_permissions.as_deref().unwrap_or(&[]);
        if !permissions.iter().all(|one| permissions::may_issue(groups, one, below)) {
            found.push(Violation::IssuerPermissions);
            break;
        }
    }
    // Without a region a certificate has its issuer's.
    let regions: Vec<_> = signed.iter().filter_map(|one| one.region.as_ref()).collect();
    if regions.windows(2).any(|pair| validity::is_within(pair[0], pair[1]) == Some(false)) {
        found.push(Violation::IssuerRegion);
    }
    if found.is_empty() { Ok(()) } else { Err(of(&chain[0].certificate, Fault::Violations(found))) }
}

/// The rules that a message breaks with respect to its signer and the issuers above.
fn violations(message: &Signed, parts: &[Part], chain: &[&Known], now: Option<u64>) -> Vec<Violation> {
    let header = &message.value().tbs_data.header_info;
    let chain: Vec<_> = chain.iter().map(|known| &known.certificate.value().to_be_signed).collect();
    let mut found = Vec::new();
    let permissions = chain.first().and_then(|signer| signer.app_permissions.as_deref()).unwrap_or(&[]);
    match permissions.iter().find(|one| one.psid == header.psid) {
        Some(one) if are_forbidden(parts, header.psid, permissions::octets(one)) => found.push(Violation::Part),
        Some(_) => {}
        None => found.push(Violation::NotPermitted),
    }
    let made = header.generation_time.or(now);
    if made.is_some_and(|time| !chain.iter().all(|one| validity::lies_in(time, &one.validity_period))) {
        found.push(Violation::GenerationTime);
    }
    let ends = header.expiry_time;
    if ends.is_some_and(|ends| [header.generation_time, now].into_iter().flatten().any(|time| time >= ends)) {
        found.push(Violation::Expiry);
    }
    if let (Some(made), Some(now)) = (header.generation_time, now) {
        if made.abs_diff(now) > CLOCK {
            found.push(Violation::Clock);
        }
    }
    if let Some(place) = &header.generation_location {
        let mut regions = chain.iter().filter_map(|one| one.region.as_ref());
        if regions.any(|region| validity::contains(region, place) == Some(false)) {
            found.push(Violation::GenerationPlace);
        }
    }
    found
}

fn of(certificate: &Certificate, fault: Fault) -> Fault {
    Fault::Certificate { digest: certificate.digest(), fault: Box::new(fault) }
}
