//! A receiver: it remembers certificates from messages, and knows which ones are trusted.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use roadwire_messages::ieee1609dot2_2022::{GeographicRegion, ToBeSignedCertificate};

use super::certificate::{Certificate, Issuer};
use super::curve::PublicKey;
use super::message::{LONGEST, Signed, Signer};
use super::profile::{self, ProfileChoice};
use super::revocation::Revocations;
use super::{crl, permissions, understood, validity};
use crate::checked::Check;
use crate::remembered::{CERTIFICATES, LARGEST, Remembered, Standing};
use crate::signatures::Signatures;
use crate::{Contents, Fault, HashedId8, Report, Verdict, Violation};

/// The most microseconds between the time that a message says that it was made at, and the
/// receiver's clock: ten minutes, which is how long a DENM lives that does not say
/// (`defaultValidity` of EN 302 637-3).
const CLOCK: u64 = 600_000_000;

/// Verifies messages one after the other, as a receiver that heard them all: who signs with a
/// digest is known from the certificate in an earlier message.
///
/// Without trusted certificates a message is [`Signed`](crate::Verdict::Signed) if the holder of
/// the certificate made its signature, whether trusted or not, and may sign it by that certificate.
/// With some, or if [asked for](Verifier::ask_for_trust), a message is
/// [`Valid`](crate::Verdict::Valid) if there is a chain of issuers up to one of them that permits
/// it.
///
/// It needs bounded memory, whatever comes: 8 MiB for certificates of at most 2048 octets, and 1
/// MiB for signatures. A certificate with a chain to a trusted one stays longer than one whose
/// holder alone signed messages, and that longer than one that was passed on in a message; of the
/// last, each sender adds at most 8 KiB.
#[derive(Debug, Clone)]
pub struct Verifier {
    heard: Remembered<Heard>,
    trusted: BTreeMap<HashedId8, Arc<Known>>,
    needs_trust: bool,
    profile: ProfileChoice,
    revocations: Revocations,
    signatures: Signatures,
}

/// A certificate that a message is verified with, and the facts found about it.
#[derive(Debug)]
struct Known {
    certificate: Certificate,
    digest: HashedId8,
    /// Its key, once it is known; of an implicit one when its issuer is.
    key: OnceLock<PublicKey>,
    /// Whether the issuer that it names issued it.
    is_issued: OnceLock<()>,
    /// The trusted certificate up to which each issuer may issue the certificate below it.
    permitted_by: OnceLock<HashedId8>,
    /// Whether a message or a certificate was verified with this form of it.
    has_verified: OnceLock<()>,
}

impl Known {
    fn new(certificate: Certificate) -> Known {
        Known {
            digest: certificate.digest(),
            certificate,
            key: OnceLock::new(),
            is_issued: OnceLock::new(),
            permitted_by: OnceLock::new(),
            has_verified: OnceLock::new(),
        }
    }
}

/// A certificate that is remembered: its octets, which are read again when it is asked for, as
/// values take twenty times their octets at worst.
#[derive(Debug, Clone, PartialEq)]
struct Heard {
    octets: Box<[u8]>,
    is_implicit: bool,
    key: Option<PublicKey>,
    is_issued: bool,
    permitted_by: Option<HashedId8>,
    has_verified: bool,
}

impl Heard {
    /// Nothing of one with which nothing can be verified.
    fn of(known: &Known) -> Option<Heard> {
        let own = known.certificate.own_key().ok()?;
        Some(Heard {
            octets: known.certificate.octets().into(),
            is_implicit: own.is_none(),
            key: own.or(known.key.get().copied()),
            is_issued: known.is_issued.get().is_some(),
            permitted_by: known.permitted_by.get().copied(),
            has_verified: known.has_verified.get().is_some(),
        })
    }

    fn known(&self) -> Result<Known, Fault> {
        let own = self.key.filter(|_| !self.is_implicit);
        Ok(self.known_of(Certificate::read_again(&self.octets, own)?))
    }

    /// Facts that are remembered of this certificate, with its octets.
    fn known_of(&self, certificate: Certificate) -> Known {
        let known = Known::new(certificate);
        Known {
            key: self.key.map(OnceLock::from).unwrap_or_default(),
            is_issued: once(self.is_issued),
            permitted_by: self.permitted_by.map(OnceLock::from).unwrap_or_default(),
            has_verified: once(self.has_verified),
            ..known
        }
    }
}

impl Default for Verifier {
    fn default() -> Self {
        Verifier::new()
    }
}

impl Verifier {
    /// Trusts no certificate, and asks for no trust.
    #[must_use]
    pub fn new() -> Self {
        Verifier {
            heard: Remembered::new(CERTIFICATES),
            trusted: BTreeMap::new(),
            needs_trust: false,
            profile: ProfileChoice::default(),
            revocations: Revocations::default(),
            signatures: Signatures::default(),
        }
    }

    /// From now on a message is valid only with a chain to a trusted certificate, whether there is
    /// one or not.
    pub fn ask_for_trust(&mut self) {
        self.needs_trust = true;
    }

    /// Which messages must keep the profile of TS 103 097; by default those in GeoNetworking and
    /// those of ETSI's applications.
    pub fn set_profile(&mut self, profile: ProfileChoice) {
        self.profile = profile;
    }

    /// Revokes the certificate with this digest, in every form of its signature and whichever it
    /// is: a trusted one, an authority, or a signer. From now on no message with it in its chain is
    /// valid ([`Violation::Revoked`]).
    pub fn revoke(&mut self, digest: HashedId8) {
        self.revocations.add(digest);
    }

    /// Takes a signed list of revoked certificates (IEEE 1609.2 §7.3): by their hashes, or by
    /// linkage seeds of all certificates of a holder or a group. From now on no message with one of
    /// them in its chain is valid ([`Violation::Revoked`]). `now` is the receiver's clock, if it
    /// counts, as for messages. Returns how many entries the list has.
    ///
    /// The list needs a chain to a trusted certificate, none of it revoked, that is valid when the
    /// list was issued, and a signer with the permission for the list's authority and series
    /// (§7.4.3). A list revokes certificates that name its authority and series, below that
    /// authority.
    ///
    /// # Errors
    /// As [`Signed::read`] and [`verify_certificate`](Verifier::verify_certificate);
    /// [`Fault::Signature`]; [`Fault::Violations`]: who signed it may not, or not then, or its
    /// fields are not those of a list; [`Fault::ListEntries`] and [`Fault::ListLimit`].
    pub fn add_crl(&mut self, octets: &[u8], now: Option<u64>) -> Result<usize, Fault> {
        let message = Signed::read(octets)?;
        match octets.len() - message.octets().len() {
            0 => {}
            count => return Err(Fault::TrailingOctets { count }),
        }
        let list = crl::read(&message)?;
        let (signer, above) = self.signer(&message)?;
        let key = self.key(&signer, &above, LONGEST)?;
        message.verified(&signer.certificate, &key)?;
        let issuers = self.issuers(&signer, &above)?;
        let chain: Vec<&Certificate> = [&signer].into_iter().chain(&issuers).map(|one| &one.certificate).collect();
        let mut found = Vec::new();
        let issued = u64::from(list.issued) * 1_000_000;
        if !list.may_be_signed_by(chain[0], chain.get(1).copied()) {
            found.push(Violation::NotPermitted);
        }
        if !chain.iter().all(|one| validity::lies_in(issued, &one.value().to_be_signed.validity_period)) {
            found.push(Violation::GenerationTime);
        }
        if now.is_some_and(|now| issued > now.saturating_add(CLOCK)) {
            found.push(Violation::Clock);
        }
        found.extend(chain.iter().flat_map(|one| understood::of_certificate(&one.value().to_be_signed)));
        if self.revocations.has_one_of(&chain) {
            found.push(Violation::Revoked);
        }
        if !found.is_empty() {
            return Err(Fault::Violations(found));
        }
        self.revocations.add_list(&list)?;
        Ok(list.entries())
    }

    /// Trusts a certificate, and asks for trust. The caller is responsible for its origin. A chain
    /// ends with it, whatever its issuer; a root's own signature is verified.
    ///
    /// # Errors
    /// [`Fault::Key`] and [`Fault::Algorithm`]; [`Fault::Signature`] of a root; [`Fault::NoKey`]:
    /// an implicit certificate, whose key is known only with its issuer's.
    pub fn trust(&mut self, certificate: Certificate) -> Result<HashedId8, Fault> {
        let key = certificate.own_key()?.ok_or(Fault::NoKey)?;
        if certificate.issuer() == Issuer::Itself {
            certificate.key_under(&certificate, &key)?;
        }
        self.needs_trust = true;
        let known = Arc::new(Known::new(certificate));
        let digest = known.digest;
        for digest in [Some(digest), known.certificate.sent_digest()].into_iter().flatten() {
            self.trusted.insert(digest, Arc::clone(&known));
        }
        Ok(digest)
    }

    /// Remembers a certificate that was not in a message. It is not trusted, but stays as long as
    /// those that are verified.
    pub fn add(&mut self, certificate: Certificate) -> HashedId8 {
        let known = self.known(certificate);
        self.remember(&known, Standing::Trusted);
        known.digest
    }

    /// Verifies the chain of issuers of a certificate up to a trusted one: signatures, and who may
    /// issue what. Returns the digests of the issuers, the certificate's own first. Whether all of
    /// them are valid at some time is not checked.
    ///
    /// # Errors
    /// [`Fault::UnknownCertificate`], [`Fault::UntrustedRoot`], and [`Fault::Certificate`], with
    /// the digest of the one that is wrong.
    pub fn verify_certificate(&mut self, certificate: Certificate) -> Result<Vec<HashedId8>, Fault> {
        let known = self.known(certificate);
        let issuers = self.issuers(&known, &[])?;
        let chain: Vec<&Certificate> = [&known].into_iter().chain(&issuers).map(|one| &one.certificate).collect();
        if self.revocations.has_one_of(&chain) {
            return Err(of(&known.certificate, Fault::Violations(vec![Violation::Revoked])));
        }
        Ok(issuers.iter().map(|issuer| issuer.digest).collect())
    }

    /// The verdict on a message in COER, which is the first that `octets` have. `contents` is its
    /// payload, as the receiver's decoder reads it. `now` is the receiver's clock, if it counts:
    /// microseconds since 2004-01-01T00:00:00 UTC that count leap seconds.
    pub fn verify_contents(&mut self, octets: &[u8], contents: &Contents, now: Option<u64>) -> Report {
        let message = match Signed::read(octets) {
            Ok(message) => message,
            Err(fault) => return Report::refused(fault, None),
        };
        let mut report = self.verify_signed(&message, contents, now);
        if message.octets().len() < octets.len() {
            report.noted.push(Violation::TrailingOctets);
        }
        report
    }

    /// The same of a message whose payload is not decoded.
    pub fn verify(&mut self, octets: &[u8], now: Option<u64>) -> Report {
        self.verify_contents(octets, &Contents::unread(), now)
    }

    /// The same of a message that has been read.
    pub fn verify_signed(&mut self, message: &Signed, contents: &Contents, now: Option<u64>) -> Report {
        let (signer, mut above) = match self.signer(message) {
            Ok(found) => found,
            Err(fault) => return Report::refused(fault, None),
        };
        let digest = signer.digest;
        let key = match self.key(&signer, &above, LONGEST) {
            Ok(key) => key,
            Err(fault) => return Report::refused(fault, Some(digest)),
        };
        let (hash, signature) = match message.verified(&signer.certificate, &key) {
            Ok(verified) => verified,
            Err(fault) => return Report::refused(fault, Some(digest)),
        };
        let mut report = Report::signed(digest);
        let has_altered_certificate = self.has_heard_another_form(&signer);
        let is_copy = self.signatures.is_altered_copy(&hash, signature.r.x(), &signature.form());
        report.is_altered_copy = is_copy || has_altered_certificate;
        signer.has_verified.get_or_init(|| ());
        let requested = message.requested_certificate().ok().flatten().map(|requested| self.known(requested));
        above.extend(requested.clone());
        let issuers = self.needs_trust.then(|| self.issuers(&signer, &above));
        self.remember_all(&signer, &above, requested, issuers.as_ref());
        if signer.certificate.has_r_in_another_form() {
            report.noted.push(Violation::SignatureForm);
        }
        if understood::has_additions(message, &signer.certificate.value().to_be_signed) {
            report.noted.push(Violation::UnknownAddition);
        }
        let mut chain = vec![signer];
        let report = match issuers {
            None => report,
            Some(Err(fault)) => report.without_chain(fault),
            Some(Ok(issuers)) => {
                chain.extend(issuers);
                report.with_chain(chain.iter().map(|one| one.digest).collect())
            }
        };
        let certificates: Vec<&Certificate> = chain.iter().map(|known| &known.certificate).collect();
        let is_revoked = self.revocations.has_hash_of(&certificates);
        let mut report = judged(report, message, contents, &chain, now, self.profile);
        if report.verdict == Verdict::Valid {
            let is_revoked = is_revoked || self.revocations.has_linkage_value_of(&certificates);
            return if is_revoked { report.revoked() } else { report };
        }
        // Seeds are expanded only for messages that are valid otherwise. These have few periods;
        // anybody can choose the period of any other message.
        if report.checked.chain.is_yes() && self.revocations.has_seeds_for(&certificates) {
            report.checked.chain =
                Check::no("whether linkage seeds revoke it counts only if the message is valid otherwise");
        }
        if is_revoked { report.revoked() } else { report }
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

    /// The remembered facts of a certificate, if exactly this one was heard; otherwise new ones.
    fn known(&mut self, certificate: Certificate) -> Arc<Known> {
        let digest = certificate.digest();
        if let Some(trusted) = self.trusted.get(&digest).filter(|trusted| trusted.certificate == certificate) {
            return Arc::clone(trusted);
        }
        let heard = self.heard.get(&digest).filter(|heard| *heard.octets == *certificate.octets());
        Arc::new(match heard {
            Some(heard) => heard.known_of(certificate),
            None => Known::new(certificate),
        })
    }

    /// Whether another form of this certificate was heard before: the digest is that of both.
    fn has_heard_another_form(&mut self, known: &Known) -> bool {
        let trusted = self.trusted.get(&known.digest).map(|trusted| trusted.certificate.octets());
        let earlier = trusted.or_else(|| self.heard.get(&known.digest).map(|heard| &*heard.octets));
        earlier.is_some_and(|earlier| earlier != known.certificate.octets())
    }

    /// The certificate with this digest: trusted, verified before, in the message, or heard before.
    fn find(&mut self, digest: &HashedId8, above: &[Arc<Known>]) -> Result<Arc<Known>, Fault> {
        if let Some(trusted) = self.trusted.get(digest) {
            return Ok(Arc::clone(trusted));
        }
        let in_message = above.iter().find(|one| one.certificate.is_named(digest));
        match (self.heard.get(digest), in_message) {
            (Some(heard), None) => heard.known().map(Arc::new),
            (Some(heard), Some(_)) if heard.is_issued && heard.has_verified => heard.known().map(Arc::new),
            (_, Some(in_message)) => Ok(Arc::clone(in_message)),
            (None, None) => Err(Fault::UnknownCertificate { digest: *digest }),
        }
    }

    /// The key of a certificate; that of an implicit one from its issuer's, `depth` certificates up
    /// at most.
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

    /// The issuers of a certificate up to a trusted one, each of which issued the one before it and
    /// was allowed to.
    fn issuers(&mut self, signer: &Arc<Known>, above: &[Arc<Known>]) -> Result<Vec<Arc<Known>>, Fault> {
        let mut chain = vec![Arc::clone(signer)];
        loop {
            let last = &chain[chain.len() - 1];
            if self.is_trusted(last) {
                break;
            }
            match last.certificate.issuer() {
                Issuer::Itself => return Err(Fault::UntrustedRoot { digest: last.digest }),
                Issuer::Digest(_) if chain.len() == LONGEST => {
                    return Err(Fault::UntrustedRoot { digest: last.digest });
                }
                Issuer::Digest(issuer) => chain.push(self.find(&issuer, above)?),
            }
        }
        for link in chain.windows(2).rev() {
            let [own, issuer] = link else { continue };
            if own.is_issued.get().is_some() {
                continue;
            }
            let issuers_key = self.key(issuer, above, LONGEST)?;
            let key = own.certificate.key_under(&issuer.certificate, &issuers_key);
            let key = key.map_err(|fault| of(&own.certificate, fault))?;
            // The key of an implicit certificate comes out for any issuer.
            if *own.key.get_or_init(|| key) != key {
                return Err(of(&own.certificate, Fault::Signer));
            }
            own.is_issued.get_or_init(|| ());
            issuer.has_verified.get_or_init(|| ());
        }
        let anchor = chain[chain.len() - 1].digest;
        if signer.permitted_by.get() != Some(&anchor) {
            may_issue(&chain)?;
            signer.permitted_by.get_or_init(|| anchor);
        }
        Ok(chain.split_off(1))
    }

    /// Whether exactly this certificate is trusted.
    fn is_trusted(&self, known: &Known) -> bool {
        self.trusted.get(&known.digest).is_some_and(|trusted| trusted.certificate == known.certificate)
    }

    /// Remembers the certificates of a message that the signer signed: those of a chain to a
    /// trusted certificate, or the signer's, and those that the signer passed on.
    fn remember_all(
        &mut self,
        signer: &Arc<Known>,
        above: &[Arc<Known>],
        requested: Option<Arc<Known>>,
        issuers: Option<&Result<Vec<Arc<Known>>, Fault>>,
    ) {
        let passed_on = Standing::PassedOn(signer.digest);
        if let Some(Ok(issuers)) = issuers {
            [signer].into_iter().chain(issuers).for_each(|one| self.remember(one, Standing::Trusted));
        } else {
            self.remember(signer, Standing::Signer);
            above.iter().for_each(|one| self.remember(one, passed_on));
        }
        if let Some(requested) = requested {
            let is_verified = self.needs_trust && self.issuers(&requested, above).is_ok();
            self.remember(&requested, if is_verified { Standing::Trusted } else { passed_on });
        }
    }

    fn remember(&mut self, known: &Known, standing: Standing) {
        let certificate = &known.certificate;
        if certificate.octets().len() > LARGEST || self.is_trusted(known) {
            return;
        }
        let Some(new) = Heard::of(known) else { return };
        for digest in [Some(known.digest), certificate.sent_digest()].into_iter().flatten() {
            // Of two forms of one certificate, the first one stays that a message or a certificate
            // was verified with.
            let kept = match self.heard.get(&digest) {
                Some(earlier) if earlier.octets != new.octets && (earlier.has_verified || !new.has_verified) => {
                    earlier.clone()
                }
                _ => new.clone(),
            };
            self.heard.insert(digest, standing, kept.octets.len(), kept);
        }
    }
}

/// A flag that is set at most once.
fn once(is_set: bool) -> OnceLock<()> {
    if is_set { OnceLock::from(()) } else { OnceLock::new() }
}

/// Whether each certificate's permissions are valid, and each issuer may issue the certificate
/// below it: all permissions of the end entity, and those to issue of the certificate that it
/// issued, in a region of its own.
fn may_issue(chain: &[Arc<Known>]) -> Result<(), Fault> {
    let signed: Vec<_> = chain.iter().map(|known| &known.certificate.value().to_be_signed).collect();
    for (known, signed) in chain.iter().zip(&signed) {
        if !permissions::are_valid(signed) {
            return Err(of(&known.certificate, Fault::Violations(vec![Violation::Permissions])));
        }
    }
    let mut found = Vec::new();
    let is_issued = |(below, issuer): (i64, &&ToBeSignedCertificate)| {
        let groups = permissions::to_issue(issuer);
        let (own, requests) = (&signed[0].app_permissions, &signed[0].cert_request_permissions);
        !groups.is_empty()
            && own.iter().flatten().all(|one| permissions::may_issue(groups, one, below))
            && permissions::may_let_request(groups, requests.as_deref().unwrap_or(&[]), below)
    };
    let is_delegated = |pair: &[&ToBeSignedCertificate]| {
        permissions::may_delegate(permissions::to_issue(pair[1]), permissions::to_issue(pair[0]))
    };
    if !(1..).zip(&signed[1..]).all(is_issued) || !signed.windows(2).all(is_delegated) {
        found.push(Violation::IssuerPermissions);
    }
    // Without a region a certificate has its issuer's.
    let regions: Vec<_> = signed.iter().filter_map(|one| one.region.as_ref()).collect();
    if regions.windows(2).any(|pair| validity::is_within(pair[0], pair[1]) == Some(false)) {
        found.push(Violation::IssuerRegion);
    }
    if found.is_empty() { Ok(()) } else { Err(of(&chain[0].certificate, Fault::Violations(found))) }
}

/// The rules that a message breaks with respect to its signer's certificate alone: permissions,
/// time, place and profile. For who signs a message; a receiver's [`Verifier`] checks the chain as
/// well.
///
/// `contents` is the payload, as a receiver's decoder reads it.
#[must_use]
pub fn check_signed(
    message: &Signed,
    signer: &Certificate,
    contents: &Contents,
    profile: ProfileChoice,
) -> Vec<Violation> {
    let signer = Arc::new(Known::new(signer.clone()));
    let report = judged(Report::signed(signer.digest), message, contents, &[signer], None, profile);
    let found = match report.fault {
        Some(Fault::Violations(found)) => found,
        _ => Vec::new(),
    };
    // Without a chain, times are noted.
    [found, report.noted].concat()
}

/// The report on a message, with the facts about its signer, and the issuers above if there is a
/// chain.
fn judged(
    mut report: Report,
    message: &Signed,
    contents: &Contents,
    chain: &[Arc<Known>],
    now: Option<u64>,
    profile: ProfileChoice,
) -> Report {
    let header = &message.value().tbs_data.header_info;
    let mut found = understood::of_message(message);
    match chain.first().filter(|_| profile.counts(header.psid, contents)) {
        Some(signer) => {
            found.extend(profile::violations(message, &signer.certificate));
            report.noted.extend(profile::lacks_place(message).then_some(Violation::MissingPlace));
        }
        None => report.checked.profile = Check::no("no profile counts for this message"),
    }
    let chain: Vec<_> = chain.iter().map(|known| &known.certificate.value().to_be_signed).collect();
    for violation in chain.iter().flat_map(|one| understood::of_certificate(one)) {
        if !found.contains(&violation) {
            found.push(violation);
        }
    }
    let permissions = chain.first().and_then(|signer| signer.app_permissions.as_deref()).unwrap_or(&[]);
    if !permissions::has_each_once(permissions) {
        found.push(Violation::Permissions);
    }
    match permissions.iter().find(|one| one.psid == header.psid) {
        Some(one) => {
            let octets = permissions::octets(one);
            report.permissions = octets.map(<[u8]>::to_vec);
            found.extend(contents.violations(header.psid, octets));
        }
        None => found.push(Violation::NotPermitted),
    }
    report.checked.time = match (header.generation_time, now) {
        (Some(_), Some(_)) => Check::Yes,
        (None, _) => Check::no("the message has no generation time"),
        (_, None) => Check::no("the receiver has no clock"),
    };
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
    let regions: Vec<_> = chain.iter().filter_map(|one| one.region.as_ref()).collect();
    let place = header.generation_location.as_ref();
    let inside = |region: &&GeographicRegion| place.and_then(|place| validity::contains(region, place));
    if regions.iter().any(|region| inside(region) == Some(false)) {
        found.push(Violation::GenerationPlace);
    }
    let open: Vec<_> = regions.iter().filter(|region| inside(region).is_none()).collect();
    report.open_regions = open.into_iter().flat_map(|region| validity::regions(region)).collect();
    let are_compared = regions.windows(2).all(|pair| validity::is_within(pair[0], pair[1]).is_some());
    report.checked.place = match Check::of_place(!regions.is_empty(), place.is_some(), !report.open_regions.is_empty())
    {
        Check::Yes if !are_compared => Check::no("whether a region is in the issuer's is not known"),
        check => check,
    };
    if message.value().tbs_data.payload.ext_data_hash.is_some() {
        report.checked.payload = Check::no("data elsewhere, of which the message has the hash, was not compared");
    }
    report.with_violations(found).with_payload(contents)
}

fn of(certificate: &Certificate, fault: Fault) -> Fault {
    Fault::Certificate { digest: certificate.digest(), fault: Box::new(fault) }
}
