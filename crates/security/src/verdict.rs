//! What is said of a message after verification.

use std::fmt;

use crate::{Fault, HashedId8, Violation};

/// The verdict on a signed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The signer signed it, and, if a chain to a trusted certificate was asked for, there is one, and the signer may sign it.
    Valid,
    /// The signature is not that signer's; the message cannot be read; or, if a chain was asked for, the signer has no permission for it.
    Invalid,
    /// It names a certificate that has not been seen.
    UnknownSigner,
    /// There is no chain from the signer to a trusted certificate.
    Untrusted,
    /// It was made when a certificate of the chain is not valid, or at another time than it was received.
    Expired,
    /// It is encrypted, signed with another algorithm, or by a key that is not in a certificate.
    Unsupported,
}

impl Verdict {
    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
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
    /// What is wrong, unless it is valid.
    pub fault: Option<Fault>,
    /// The digest of the signer's certificate, as far as it is known.
    pub signer: Option<HashedId8>,
    /// Violated rules that do not count: all of the signer's, where no chain was asked for, and the form of its certificate's signature ([`Violation::SignatureForm`]).
    pub noted: Vec<Violation>,
    /// The signature is that of an earlier message in another form: with the order of the curve minus s in place of s, or with R written in another way; or the certificate in the message is
    /// one that was seen before, with its signature's R written in another way. All of that is as valid, and anybody can do it.
    pub is_altered_copy: bool,
}

impl Report {
    pub(crate) fn valid(signer: HashedId8) -> Report {
        Report { verdict: Verdict::Valid, fault: None, signer: Some(signer), noted: Vec::new(), is_altered_copy: false }
    }

    /// Of a message whose signature does not verify, for this reason.
    pub(crate) fn refused(fault: Fault, signer: Option<HashedId8>) -> Report {
        let verdict = match &fault {
            Fault::Algorithm | Fault::Payload | Fault::Unsigned => Verdict::Unsupported,
            Fault::UnknownCertificate { .. } => Verdict::UnknownSigner,
            _ => Verdict::Invalid,
        };
        Report { verdict, fault: Some(fault), signer, noted: Vec::new(), is_altered_copy: false }
    }

    /// Of a message whose signature verifies, and that is refused for this reason.
    pub(crate) fn judged(self, verdict: Verdict, fault: Fault) -> Report {
        Report { verdict, fault: Some(fault), ..self }
    }

    /// Of a message whose signature verifies, with the rules that it breaks: time alone, or others, too.
    pub(crate) fn with_violations(self, found: Vec<Violation>) -> Report {
        use Violation::{Clock, Expiry, GenerationTime};
        let is_of_time = |one: &Violation| matches!(one, GenerationTime | Expiry | Clock);
        let verdict = match found.as_slice() {
            [] => return self,
            found if found.iter().all(is_of_time) => Verdict::Expired,
            _ => Verdict::Invalid,
        };
        self.judged(verdict, Fault::Violations(found))
    }
}
