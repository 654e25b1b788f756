//! Outcomes when a reader of another version reads the values of a type, as a set.

use std::fmt;

/// A set of outcomes, each of which some value may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    /// No value at all.
    pub const NONE: Outcomes = Outcomes(0);
    /// The reader has the value that was written.
    pub const AGREES: Outcomes = Outcomes(1);
    /// It reads the same value, without the parts that it does not know and skips.
    pub const SKIPS: Outcomes = Outcomes(2);
    /// It refuses the octets.
    pub const REFUSES: Outcomes = Outcomes(4);
    /// It takes them for another value, and does not notice.
    pub const MISREADS: Outcomes = Outcomes(8);
    /// It loses its place: all that follows is read from the wrong bit.
    pub(crate) const ASTRAY: Outcomes = Outcomes(16);
    /// The same inside of something whose end it knows, or octets taken for those of a value of
    /// another sort: whatever comes of it.
    pub(crate) const CHANCE: Outcomes = Outcomes(32);
    /// Those after which a reader is still in step with the writer.
    pub(crate) const IN_STEP: Outcomes = Outcomes(1 | 2 | 8 | 32);
    /// All that can come of these two.
    const ANYTHING: Outcomes = Outcomes(15);

    /// In ascending order of weight.
    const EACH: [Outcomes; 6] =
        [Outcomes::AGREES, Outcomes::SKIPS, Outcomes::MISREADS, Outcomes::CHANCE, Outcomes::ASTRAY, Outcomes::REFUSES];

    /// Whether all of `other` are in it.
    #[must_use]
    pub fn has(self, other: Outcomes) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether some of `other` are in it.
    #[must_use]
    pub fn meets(self, other: Outcomes) -> bool {
        self.0 & other.0 != 0
    }

    /// Those of either.
    #[must_use]
    pub fn or(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 | other.0)
    }

    /// Those that are not in `other`.
    #[must_use]
    pub fn without(self, other: Outcomes) -> Outcomes {
        Outcomes(self.0 & !other.0)
    }

    /// The outcomes of two parts, one after the other on the wire. Who has refused, or is astray,
    /// reads no further.
    pub(crate) fn then(self, next: Outcomes) -> Outcomes {
        let ended = Outcomes(self.0 & (Outcomes::REFUSES.0 | Outcomes::ASTRAY.0));
        let mut all = if next == Outcomes::NONE { Outcomes::NONE } else { ended };
        for first in [Outcomes::AGREES, Outcomes::SKIPS, Outcomes::MISREADS, Outcomes::CHANCE]
            .into_iter()
            .filter(|one| self.has(*one))
        {
            for second in Outcomes::EACH.into_iter().filter(|one| next.has(*one)) {
                all = all.or(if second.weight() > first.weight() { second } else { first });
            }
        }
        all
    }

    /// The outcomes inside something whose end the reader knows: it is in step again after it.
    pub(crate) fn framed(self) -> Outcomes {
        if !self.has(Outcomes::ASTRAY) {
            return self;
        }
        self.without(Outcomes::ASTRAY).or(Outcomes::CHANCE)
    }

    /// All that can be seen of these outcomes.
    pub(crate) fn visible(self) -> Outcomes {
        match self.meets(Outcomes::ASTRAY.or(Outcomes::CHANCE)) {
            true => self.or(Outcomes::ANYTHING),
            false => self,
        }
    }

    /// The outcomes if what is read is taken for something else.
    pub(crate) fn as_another(self) -> Outcomes {
        let accepted = Outcomes::AGREES.or(Outcomes::SKIPS).or(Outcomes::MISREADS);
        if self.meets(accepted) { self.without(accepted).or(Outcomes::MISREADS) } else { self }
    }

    /// A number for a single outcome.
    pub(crate) fn order(self) -> u8 {
        self.weight()
    }

    fn weight(self) -> u8 {
        Outcomes::EACH.iter().position(|one| *one == self).unwrap_or(0) as u8
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["agrees", "skips", "misreads", "takes it for something else", "goes astray", "refuses"];
        let each = Outcomes::EACH.into_iter().zip(names).filter(|(one, _)| self.has(*one)).map(|(_, name)| name);
        f.write_str(&each.collect::<Vec<_>>().join(", "))
    }
}
