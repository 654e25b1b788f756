//! Taps in the signatures of functions.

/// Whether a function has a tap, as in its signature.
#[derive(Clone, Copy)]
pub(crate) struct Heard {
    pub(crate) parameter: &'static str,
}

impl Heard {
    /// No tap: the function's type has no tapped part.
    pub(crate) const NOBODY: Heard = Heard { parameter: "" };
    /// A tap, which may be `()`.
    pub(crate) const TAP: Heard = Heard { parameter: ", tap: &mut T" };

    pub(crate) fn is_tap(self) -> bool {
        !self.parameter.is_empty()
    }

    /// A function's generic parameters, with a lifetime.
    pub(crate) fn generic(self, lifetime: Option<&str>) -> String {
        match (lifetime, self.is_tap()) {
            (None, false) => String::new(),
            (None, true) => "<T: wire::Tap>".into(),
            (Some(lifetime), false) => format!("<{lifetime}>"),
            (Some(lifetime), true) => format!("<{lifetime}, T: wire::Tap>"),
        }
    }
}
