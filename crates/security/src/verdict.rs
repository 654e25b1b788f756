//! The report on a message after verification.

use std::borrow::Cow;
use std::fmt;

use crate::checked::{Check, Checked};
use crate::{Contents, Fault, HashedId8, Region, Violation};

/// The verdict on a signed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The holder of the certificate signed it, trusted or not: no trust was asked for. It breaks
    /// no rule that can be checked without; times are noted.
    Signed,
    /// The signer signed it and may sign it, and there is a chain to a trusted certificate.
    Valid,
    /// The signature is not that signer's; the message cannot be read; or it breaks a rule: of its
    /// profile, or the signer may not sign it.
    Invalid,
    /// It names a certificate that has not been seen.
    UnknownSigner,
    /// There is no chain from the signer to a trusted certificate.
    Untrusted,
    /// It was made when a certificate of the chain is not valid, or not at the time when it was
    /// received.
    Expired,
    /// It is encrypted, signed with another algorithm, or by a key that is not in a certificate; or
    /// whether its signer may send it is not known ([`Violation::NotUnderstood`],
    /// [`Violation::PermissionsVersion`]).
    Unsupported,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Signed,
        Verdict::Valid,
        Verdict::Invalid,
        Verdict::UnknownSigner,
        Verdict::Untrusted,
        Verdict::Expired,
        Verdict::Unsupported,
    ];

    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Signed => "signed",
            Verdict::Valid => "valid",
            Verdict::Invalid => "invalid",
            Verdict::UnknownSigner => "unknown-signer",
            Verdict::Untrusted => "untrusted",
            Verdict::Expired => "expired",
            Verdict::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The verdict on a signed message, and what else was found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// The fault, unless it is signed or valid.
    pub fault: Option<Fault>,
    /// The digest of the signer's certificate, as far as it is known.
    pub signer: Option<HashedId8>,
    /// The digests of the signer's certificate, its issuer's, and so on up to a trusted one; empty
    /// without such a chain.
    pub chain: Vec<HashedId8>,
    /// The octets of the signer's service-specific permissions for the message's application;
    /// nothing if it has no permission for it. Empty octets stand for the application's default
    /// permissions.
    pub permissions: Option<Vec<u8>>,
    /// The regions of the chain, or without one of the signer's certificate, of which it is not
    /// known whether the message was made there: all of them if the message has no place. The
    /// caller may know the place from elsewhere.
    pub open_regions: Vec<Region>,
    /// The checks that were made, and those left open.
    pub checked: Checked,
    /// Violations that do not count: the form of a certificate's signature
    /// ([`Violation::SignatureForm`]), times where no trust was asked for, and others that say so.
    pub noted: Vec<Violation>,
    /// The signature is that of an earlier message in another form: with the order of the curve
    /// minus s in place of s, or with R written in another way; or the certificate in the message
    /// is one that was seen before, with its signature's R written in another way. All of that is
    /// as valid, and anybody can do it.
    pub is_altered_copy: bool,
}

impl Report {
    /// Of a message whose signature verifies.
    pub(crate) fn signed(signer: HashedId8) -> Report {
        let checked = Checked { chain: Check::no("no trusted certificate was asked for"), ..Checked::all() };
        Report::new(Verdict::Signed, None, Some(signer), checked)
    }

    /// Of a message whose signature does not verify, for this reason.
    pub(crate) fn refused(fault: Fault, signer: Option<HashedId8>) -> Report {
        let verdict = match &fault {
            Fault::Algorithm | Fault::Payload | Fault::Unsigned => Verdict::Unsupported,
            Fault::UnknownCertificate { .. } => Verdict::UnknownSigner,
            _ => Verdict::Invalid,
        };
        let checked = Checked::nothing("the signature does not verify, or cannot be verified");
        Report::new(verdict, Some(fault), signer, checked)
    }

    fn new(verdict: Verdict, fault: Option<Fault>, signer: Option<HashedId8>, checked: Checked) -> Report {
        Report {
            verdict,
            fault,
            signer,
            chain: Vec::new(),
            permissions: None,
            open_regions: Vec::new(),
            checked,
            noted: Vec::new(),
            is_altered_copy: false,
        }
    }

    /// With a chain to a trusted certificate.
    pub(crate) fn with_chain(self, chain: Vec<HashedId8>) -> Report {
        let checked = Checked { chain: Check::Yes, ..self.checked };
        Report { verdict: Verdict::Valid, chain, checked, ..self }
    }

    /// Without a chain to a trusted certificate, for this reason.
    pub(crate) fn without_chain(self, fault: Fault) -> Report {
        let checked = Checked { chain: Check::No(Cow::Owned(fault.to_string())), ..self.checked };
        Report { verdict: Verdict::Untrusted, fault: Some(fault), checked, ..self }
    }

    /// With a payload that a decoder may have read, or not.
    pub(crate) fn with_payload(mut self, contents: &Contents) -> Report {
        if self.checked.payload.is_yes() {
            self.checked.payload = match contents.is_understood() {
                None => Check::no("the payload was not decoded"),
                Some(false) => Check::no("the payload is not understood"),
                Some(true) => Check::Yes,
            };
        }
        self
    }

    /// With a revoked certificate in the chain, besides other rules that the message breaks.
    pub(crate) fn revoked(self) -> Report {
        let mut found = match &self.fault {
            Some(Fault::Violations(found)) => found.clone(),
            _ => Vec::new(),
        };
        found.push(Violation::Revoked);
        self.with_violations(found)
    }

    /// With the rules that the message breaks: time alone, or others. Other rules go before the
    /// chain, and the chain before time. Without trust, times are noted: the maker of the
    /// certificate chose its period.
    pub(crate) fn with_violations(mut self, found: Vec<Violation>) -> Report {
        use Violation::{Clock, Expiry, GenerationTime, NotUnderstood, PermissionsVersion};
        let is_of_time = |one: &Violation| matches!(one, GenerationTime | Expiry | Clock);
        let is_open = |one: &Violation| matches!(one, NotUnderstood | PermissionsVersion);
        found.iter().for_each(|violation| self.checked.fail(*violation));
        let verdict = match found.as_slice() {
            [] => return self,
            found if found.iter().all(is_of_time) => Verdict::Expired,
            found if found.iter().all(|one| is_of_time(one) || is_open(one)) => Verdict::Unsupported,
            _ => Verdict::Invalid,
        };
        match (verdict, self.verdict) {
            (Verdict::Expired | Verdict::Unsupported, Verdict::Untrusted) => return self,
            (Verdict::Expired, Verdict::Signed) => {
                self.noted.extend(found);
                return self;
            }
            _ => {}
        }
        Report { verdict, fault: Some(Fault::Violations(found)), ..self }
    }
}
