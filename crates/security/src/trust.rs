//! The certificates that a receiver trusts, and verification with them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::check::{check_envelope, check_signer};
use crate::{Certificate, Encoded, Fault, HashedId8, Region, SecuredMessage, Signer, SubjectType, Violation};

/// The certificates that a receiver trusts: roots, and certificates that were verified up to a
/// root.
///
/// It has no clock and no lists of revoked certificates: see [`Verified`].
#[derive(Debug, Clone)]
pub struct Trust<C> {
    /// Includes the issuers of each, unless they were removed.
    certificates: BTreeMap<HashedId8, Encoded<C>>,
    tolerated: Vec<Violation>,
}

/// A certificate, its issuer, and so on up to the root.
type Chain<'t, C> = Vec<Cow<'t, Encoded<C>>>;

/// The result for a verified message. The receiver still has to check:
///
/// - whether the generation time is recent, and the message is not a repetition
///   ([`Verified::hash`]);
/// - whether a certificate of [`Verified::chain`] is revoked ([`Encoded::certificate_hash`]);
/// - whether the payload is a message of the application [`Verified::its_aid`], and contains only
///   what [`Verified::permissions`] allow;
/// - whether the sender is in each of [`Verified::open_regions`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Verified<'t, C: Certificate> {
    /// The signer's certificate, its issuer's, and so on up to the root.
    pub chain: Vec<Cow<'t, Encoded<C>>>,
    /// The application, for which the signer has a permission. `None` only if
    /// [`Violation::UnknownApplication`] is tolerated.
    pub its_aid: Option<u64>,
    /// The signer's service-specific permissions for that application. Their bits say which parts
    /// of the payload the signer may send, such as the containers of a CAM or the causes of a DENM:
    /// the decoder of the payload must compare them according to the application's standard (EN 302
    /// 637-2 and -3): [`Part`](crate::Part) knows the bits. An empty string stands for the
    /// application's default permissions. `None`: the certificate lists the application without
    /// permissions, which for a ticket is possible only if [`Violation::Permissions`] is tolerated.
    pub permissions: Option<Vec<u8>>,
    /// The regions to which the chain is restricted, if the envelope does not show whether the
    /// message comes from there: all of them if it has no generation location, as in a CAM,
    /// otherwise those for which [`Region::contains`] returns `None`. The payload's position must
    /// be in each.
    pub open_regions: Vec<Region>,
    /// The message's key in a replay filter: [`Encoded::message_hash`].
    pub hash: [u8; 32],
    /// Tolerated violations of rules by the message, or by a certificate of the chain that was not
    /// known before.
    pub tolerated: Vec<Violation>,
}

impl<C: Certificate> Default for Trust<C> {
    fn default() -> Self {
        Trust::new()
    }
}

impl<C: Certificate> Trust<C> {
    /// Trusts no certificate yet. Only [`Violation::SignatureForm`] is tolerated, which is not a
    /// rule of the standard.
    #[must_use]
    pub fn new() -> Self {
        Trust { certificates: BTreeMap::new(), tolerated: vec![Violation::SignatureForm] }
    }

    /// Accepts messages and certificates that violate this rule. [`Violation::IssuerType`] and
    /// [`Violation::SelfSigned`] are never tolerated.
    pub fn tolerate(&mut self, violation: Violation) {
        self.tolerated.push(violation);
    }

    /// Refuses violations of this rule again.
    pub fn refuse(&mut self, violation: Violation) {
        self.tolerated.retain(|tolerated| *tolerated != violation);
    }

    /// Trusts a root. The caller is responsible for its origin. It must be a self-signed root
    /// certificate.
    ///
    /// # Errors
    /// As [`Encoded::verify_certificate`].
    pub fn add_root(&mut self, root: Encoded<C>) -> Result<HashedId8, Fault> {
        if root.value.signer() != Signer::Itself || root.value.subject_type() != SubjectType::RootCa {
            return Err(Fault::Violations(vec![Violation::SelfSigned]));
        }
        self.judge(root.verify_link(&root)?, &mut Vec::new())?;
        let digest = root.hashed_id8();
        self.certificates.insert(digest, root);
        Ok(digest)
    }

    /// Verifies a certificate up to a trusted root, and keeps it: then certificates and messages
    /// that name it by its digest can be verified, and it is not verified again when a message
    /// contains it.
    ///
    /// # Errors
    /// As [`Trust::verify_certificate`].
    pub fn add(&mut self, certificate: Encoded<C>) -> Result<HashedId8, Fault> {
        let digest = certificate.hashed_id8();
        let chain = self.verify_certificate(&certificate)?;
        let chain: Vec<Encoded<C>> = chain.into_iter().map(Cow::into_owned).collect();
        for one in chain {
            self.certificates.entry(one.hashed_id8()).or_insert(one);
        }
        Ok(digest)
    }

    /// No longer trusts a certificate, nor those that it issued. Returns whether it was trusted.
    pub fn remove(&mut self, digest: &HashedId8) -> bool {
        self.certificates.remove(digest).is_some()
    }

    /// Verifies a certificate, its issuer's, and so on up to a trusted root: each link's signature,
    /// names and rules, including who may issue what. Returns the chain, the certificate first.
    ///
    /// # Errors
    /// [`Fault::UnknownCertificate`] and [`Fault::UntrustedRoot`]; [`Fault::Certificate`], with the
    /// digest of the invalid certificate.
    pub fn verify_certificate<'t>(&'t self, certificate: &'t Encoded<C>) -> Result<Vec<Cow<'t, Encoded<C>>>, Fault> {
        self.verify_chain(Cow::Borrowed(certificate), Vec::new(), &mut Vec::new())
    }

    /// Verifies a message: its signature, its signer's certificate up to a trusted root as
    /// [`Trust::verify_certificate`] does, the rules on the message
    /// ([`check_message`](crate::check_message)), and whether its signer may sign it: application,
    /// generation time and place, subject type. The signer is the certificate, or the last one of
    /// the chain, in the message, or one that was [added](Trust::add) and is named by its digest.
    ///
    /// # Errors
    /// A fault in the chain, as [`Trust::verify_certificate`]; [`Fault::Signer`] if the message
    /// does not name a signer, or has an invalid chain; [`Fault::Violations`]; as
    /// [`Encoded::verify_signature`].
    pub fn verify<M: SecuredMessage<Certificate = C>>(&self, message: &Encoded<M>) -> Result<Verified<'_, C>, Fault> {
        let mut tolerated = Vec::new();
        let chain = self.chain_of(message, &mut tolerated)?;
        let mut certificates = chain.iter().map(|certificate| &certificate.value);
        let signer = certificates.next().ok_or(Fault::Signer)?;
        let permitted = check_signer(&message.value, signer, &certificates.collect::<Vec<_>>());
        message.verify_signature(&chain[0].verification_key()?)?;
        self.judge([check_envelope(&message.value), permitted.violations].concat(), &mut tolerated)?;
        Ok(Verified {
            its_aid: message.value.its_aid(),
            permissions: permitted.permissions,
            open_regions: permitted.open_regions,
            hash: message.message_hash()?,
            tolerated,
            chain,
        })
    }

    /// The chain of a message's signer.
    fn chain_of<M: SecuredMessage<Certificate = C>>(
        &self,
        message: &Encoded<M>,
        tolerated: &mut Vec<Violation>,
    ) -> Result<Chain<'_, C>, Fault> {
        if let Signer::Digest(digest) = message.value.signer() {
            return self.verify_chain(Cow::Borrowed(self.known(&digest)?), Vec::new(), tolerated);
        }
        let mut above = message.certificates()?;
        let signer = above.pop().ok_or(Fault::Signer)?;
        self.verify_chain(Cow::Owned(signer), above, tolerated)
    }

    /// The trusted certificate with this digest.
    pub(crate) fn get(&self, digest: &HashedId8) -> Option<&Encoded<C>> {
        self.certificates.get(digest)
    }

    fn known(&self, digest: &HashedId8) -> Result<&Encoded<C>, Fault> {
        self.get(digest).ok_or(Fault::UnknownCertificate { digest: *digest })
    }

    /// Whether exactly this certificate was verified before.
    fn knows(&self, certificate: &Encoded<C>) -> bool {
        self.certificates.get(&certificate.hashed_id8()).is_some_and(|known| known.octets == certificate.octets)
    }

    /// Follows the issuers from a certificate up to a trusted root, through all of `above`, which
    /// has the root first, and verifies each link that has not been verified, from the root down.
    pub(crate) fn verify_chain<'t>(
        &'t self,
        certificate: Cow<'t, Encoded<C>>,
        mut above: Vec<Encoded<C>>,
        tolerated: &mut Vec<Violation>,
    ) -> Result<Chain<'t, C>, Fault> {
        let mut chain = vec![certificate];
        loop {
            let last: &Encoded<C> = &chain[chain.len() - 1];
            let issuer = match (above.pop(), last.value.signer()) {
                (Some(issuer), _) => Cow::Owned(issuer),
                (None, Signer::Digest(digest)) => Cow::Borrowed(self.known(&digest)?),
                (None, Signer::Certificate(issuer)) => Cow::Owned(Encoded::write(issuer.clone())?),
                (None, Signer::Itself) if self.knows(last) => break,
                (None, Signer::Itself) => return Err(Fault::UntrustedRoot { digest: last.hashed_id8() }),
                (None, _) => return Err(of(last, Fault::Signer)),
            };
            last.names(&issuer).map_err(|fault| of(last, fault))?;
            // No valid chain is longer: a fourth certificate was issued by one that may not issue.
            if chain.len() == LONGEST {
                return Err(of(&chain[0], Fault::Violations(vec![Violation::IssuerType])));
            }
            chain.push(issuer);
        }
        let mut issuers_known = true;
        for at in (0..chain.len() - 1).rev() {
            issuers_known &= self.knows(&chain[at + 1]);
            if issuers_known && self.knows(&chain[at]) {
                continue;
            }
            let link = chain[at].verify_link(&chain[at + 1]).and_then(|found| self.judge(found, tolerated));
            link.map_err(|fault| of(&chain[at], fault))?;
        }
        Ok(chain)
    }

    /// Refuses violations that are not tolerated.
    fn judge(&self, found: Vec<Violation>, tolerated: &mut Vec<Violation>) -> Result<(), Fault> {
        let never = [Violation::IssuerType, Violation::SelfSigned];
        let may_pass = |violation: &Violation| self.tolerated.contains(violation) && !never.contains(violation);
        let (passed, refused): (Vec<_>, Vec<_>) = found.into_iter().partition(may_pass);
        tolerated.extend(passed);
        if refused.is_empty() { Ok(()) } else { Err(Fault::Violations(refused)) }
    }
}

/// The most certificates of a chain: root, authority, and a certificate issued by the authority.
const LONGEST: usize = 3;

fn of<C: Certificate>(certificate: &Encoded<C>, fault: Fault) -> Fault {
    Fault::Certificate { digest: certificate.hashed_id8(), fault: Box::new(fault) }
}
