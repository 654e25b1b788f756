//! What a verdict has checked, and what it left open.

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

/// What a verdict has checked. A verdict other than [`Signed`](crate::Verdict::Signed) and [`Valid`](crate::Verdict::Valid) has at least one `No`; those two may have some for what stayed open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Whether the signer's certificate has a chain to a trusted one, in which each issuer may issue what is below it.
    pub chain: Check,
    /// Whether the message keeps its profile.
    pub profile: Check,
    /// Whether the certificate has a permission for the message's application.
    pub permissions: Check,
    /// Whether the message was made where its signer's certificate, and those above that are known to be its issuers, are valid.
    pub place: Check,
    /// Whether it was made when these certificates were valid, and lately by the receiver's clock.
    pub time: Check,
    /// Whether the payload belongs to the application, and its parts to the permissions.
    pub payload: Check,
}

/// The part of a verdict that a rule belongs to.
enum Area {
    Chain,
    Profile,
    Permissions,
    Place,
    Time,
    Payload,
}

impl Checked {
    /// Nothing is checked, for this reason.
    pub(crate) const fn nothing(why: &'static str) -> Checked {
        let no = Check::no(why);
        Checked {
            chain: Check::no(why),
            profile: Check::no(why),
            permissions: Check::no(why),
            place: Check::no(why),
            time: Check::no(why),
            payload: no,
        }
    }

    /// All is right until a rule is found to be broken, or something open.
    pub(crate) const fn all() -> Checked {
        Checked {
            chain: Check::Yes,
            profile: Check::Yes,
            permissions: Check::Yes,
            place: Check::Yes,
            time: Check::Yes,
            payload: Check::Yes,
        }
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
        *self.area(area(violation)) = Check::No(Cow::Owned(violation.to_string()));
    }

    fn area(&mut self, area: Area) -> &mut Check {
        match area {
            Area::Chain => &mut self.chain,
            Area::Profile => &mut self.profile,
            Area::Permissions => &mut self.permissions,
            Area::Place => &mut self.place,
            Area::Time => &mut self.time,
            Area::Payload => &mut self.payload,
        }
    }
}

fn area(violation: Violation) -> Area {
    use Violation as V;
    match violation {
        V::IssuerType | V::IssuerPeriod | V::IssuerPermissions | V::IssuerAssurance | V::IssuerRegion => Area::Chain,
        V::Revoked => Area::Chain,
        V::NotPermitted | V::Permissions | V::UnknownApplication | V::SignerType => Area::Permissions,
        V::PermissionsVersion => Area::Permissions,
        V::GenerationPlace | V::Region | V::UnknownRestriction => Area::Place,
        V::GenerationTime | V::Expiry | V::Clock | V::Period | V::Time => Area::Time,
        V::Part | V::Application | V::NotUnderstood => Area::Payload,
        _ => Area::Profile,
    }
}
