//! The checks of a verdict, and those left open.

use std::borrow::Cow;
use std::fmt;

use crate::Violation;

/// Whether something was checked, and is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// It was checked, and is right.
    Yes,
    /// It was not checked, or is wrong, for this reason.
    No(Cow<'static, str>),
}

impl Check {
    /// Not, for this reason.
    pub(crate) const fn no(why: &'static str) -> Check {
        Check::No(Cow::Borrowed(why))
    }

    /// Of a message's place: whether a certificate has a region, whether the message has a place,
    /// and whether a region is left of which it is not known to contain it.
    pub(crate) const fn of_place(has_region: bool, has_place: bool, is_open: bool) -> Check {
        match (has_region, has_place) {
            (false, _) => Check::no("the certificate has no region"),
            (true, false) => Check::no("the message has no place"),
            (true, true) if is_open => Check::no("whether the place is in a region is not known"),
            (true, true) => Check::Yes,
        }
    }

    /// Whether it was checked, and is right.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        *self == Check::Yes
    }
}

impl fmt::Display for Check {
    /// `yes`, or `no: ` and the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Yes => f.write_str("yes"),
            Check::No(why) => write!(f, "no: {why}"),
        }
    }
}

/// The checks of a verdict. A verdict other than [`Signed`](crate::Verdict::Signed) and
/// [`Valid`](crate::Verdict::Valid) has at least one `No`; those two may have some for what stayed
/// open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Whether the signer's certificate has a chain to a trusted one, in which each issuer may
    /// issue the certificate below it.
    pub chain: Check,
    /// Whether the message keeps its profile.
    pub profile: Check,
    /// Whether the certificate has a permission for the message's application.
    pub permissions: Check,
    /// Whether the message was made where its signer's certificate, and those above that are known
    /// to be its issuers, are valid.
    pub place: Check,
    /// Whether it was made when these certificates were valid, and lately by the receiver's clock.
    pub time: Check,
    /// Whether the payload belongs to the application, and its parts to the permissions.
    pub payload: Check,
}

impl Checked {
    /// The same of all.
    fn each_is(check: Check) -> Checked {
        Checked {
            chain: check.clone(),
            profile: check.clone(),
            permissions: check.clone(),
            place: check.clone(),
            time: check.clone(),
            payload: check,
        }
    }

    /// Nothing is checked, for this reason.
    pub(crate) fn nothing(why: &'static str) -> Checked {
        Checked::each_is(Check::no(why))
    }

    /// All is right until a rule is found to be broken, or something open.
    pub(crate) fn all() -> Checked {
        Checked::each_is(Check::Yes)
    }

    /// Each with its name in records, in their order.
    #[must_use]
    pub fn each(&self) -> [(&'static str, &Check); 6] {
        [
            ("chain", &self.chain),
            ("profile", &self.profile),
            ("permissions", &self.permissions),
            ("place", &self.place),
            ("time", &self.time),
            ("payload", &self.payload),
        ]
    }

    /// A rule is broken: it replaces what stayed open.
    pub(crate) fn fail(&mut self, violation: Violation) {
        *self.check_of(violation) = Check::No(Cow::Owned(violation.to_string()));
    }

    /// The check that a rule belongs to.
    fn check_of(&mut self, violation: Violation) -> &mut Check {
        use Violation as V;
        match violation {
            V::IssuerType | V::IssuerPeriod | V::IssuerPermissions | V::IssuerAssurance | V::IssuerRegion => {
                &mut self.chain
            }
            V::Revoked => &mut self.chain,
            V::NotPermitted | V::Permissions | V::UnknownApplication | V::SignerType => &mut self.permissions,
            V::PermissionsVersion => &mut self.permissions,
            V::GenerationPlace | V::Region | V::UnknownRestriction => &mut self.place,
            V::GenerationTime | V::Expiry | V::Clock | V::Period | V::Time => &mut self.time,
            V::Part | V::Application | V::NotUnderstood => &mut self.payload,
            _ => &mut self.profile,
        }
    }
}
