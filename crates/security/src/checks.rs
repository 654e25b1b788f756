//! Signatures that have been checked, so that it need not be done twice: that takes a hundred times
//! as long as all the rest of a verdict.

use std::cell::RefCell;
use std::collections::HashMap;

use sha2::{Digest as _, Sha256};

/// Results of checking signatures. A thread that has found one spares another thread the work:
/// verdicts depend on what a receiver has heard before, and are given one after the other; whether
/// a key made a signature does not, and can be found ahead of that on all cores.
///
/// A check that is not in it is made as without it. It grows by 33 octets for each check.
///
/// ```
/// use roadwire_security::{Checks, SigningKey, VerifyingKey};
///
/// let key = SigningKey::from_bytes(&[7; 32])?;
/// let (public, signature) = (VerifyingKey::new(&key.public())?, key.sign(b"message"));
/// let mut checks = Checks::default();
/// checks.during(|| public.verify(b"message", &signature))?;
/// assert_eq!(checks.len(), 1);
/// // Now it is known, and not computed again.
/// checks.during(|| public.verify(b"message", &signature))?;
/// assert_eq!(checks.len(), 1);
/// # Ok::<(), roadwire_security::Fault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checks(HashMap<[u8; 32], bool>);

thread_local! {
    /// Of the innermost `during` on this thread.
    static CURRENT: RefCell<Option<Checks>> = const { RefCell::new(None) };
}

impl Checks {
    /// Does something on this thread, and knows, or learns, each signature that is checked on the
    /// way.
    pub fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let outer = CURRENT.replace(Some(std::mem::take(self)));
        let during = During { outer, checks: self };
        let done = work();
        drop(during);
        done
    }

    /// How many checks are known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Gives the checks back, also where the work panics.
struct During<'c> {
    outer: Option<Checks>,
    checks: &'c mut Checks,
}

impl Drop for During<'_> {
    fn drop(&mut self) {
        *self.checks = CURRENT.replace(self.outer.take()).unwrap_or_default();
    }
}

/// The result of a check, which all of `parts` decide: curve, key, hash and signature.
pub(crate) fn checked(parts: &[&[u8]], check: impl FnOnce() -> bool) -> bool {
    if CURRENT.with_borrow(Option::is_none) {
        return check();
    }
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let name: [u8; 32] = hash.finalize().into();
    if let Some(known) = CURRENT.with_borrow(|checks| checks.as_ref()?.0.get(&name).copied()) {
        return known;
    }
    let found = check();
    CURRENT.with_borrow_mut(|checks| checks.as_mut().map(|checks| checks.0.insert(name, found)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_computed_again() {
        let mut checks = Checks::default();
        let mut computed = 0;
        let mut ask = |parts: &[&[u8]]| {
            checked(parts, || {
                computed += 1;
                parts[0] == b"a"
            })
        };
        assert!(ask(&[b"a", b"b"]));
        checks.during(|| {
            for _ in 0..3 {
                assert!(ask(&[b"a", b"b"]));
                assert!(!ask(&[b"ab", b""]));
                assert!(!ask(&[b"", b"ab"]));
            }
        });
        assert!(ask(&[b"a", b"b"]));
        assert_eq!(computed, 1 + 3 + 1, "each once within, and each time outside");
        assert_eq!(checks.len(), 3);
    }

    #[test]
    fn one_within_another_is_apart() {
        let (mut outer, mut inner) = (Checks::default(), Checks::default());
        outer.during(|| {
            checked(&[b"1"], || true);
            inner.during(|| checked(&[b"2"], || true));
            checked(&[b"3"], || true);
        });
        assert_eq!((outer.len(), inner.len()), (2, 1));
    }
}
