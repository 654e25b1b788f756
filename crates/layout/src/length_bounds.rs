//! How many bits something takes, which may depend on the bit of an octet at which it begins.

/// Bits that one encoding of something takes: fewest, and most (`None` without a bound).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Fewest.
    pub fewest: u64,
    /// Most.
    pub most: Option<u64>,
}

impl Bits {
    /// The width, if it is fixed.
    #[must_use]
    pub fn fixed(self) -> Option<u64> {
        (self.most == Some(self.fewest)).then_some(self.fewest)
    }
}

/// The values of which bounds are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// All that the type has.
    All,
    /// Those in extensible roots: numbers and sizes in the root of their constraint, and items and
    /// alternatives that this version of the type has.
    InRoots,
}

impl Values {
    /// Whether there are values beyond the root of something that may be extensible.
    pub(crate) fn go_beyond(self, extensible: bool) -> bool {
        extensible && self == Values::All
    }

    /// The bounds of the sizes of these values, of which a root has bounds.
    pub(crate) fn sizes(self, extensible: bool, root: (u64, u64)) -> (u64, u64) {
        if self.go_beyond(extensible) { (0, u64::MAX) } else { root }
    }
}

/// The number between bounds that is nearest to 0.
pub(crate) fn nearest_to_zero(lower: Option<i128>, upper: Option<i128>) -> i128 {
    0.max(lower.unwrap_or(i128::MIN)).min(upper.unwrap_or(i128::MAX))
}

/// How many bits something takes, for each bit of an octet (from the most significant) at which it
/// may begin.
///
/// Something that begins later never ends earlier. So the shortest sequence of two begins with the
/// shortest of the first, and the longest with its longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LengthBounds([Bits; 8]);

impl LengthBounds {
    pub(crate) const fn exactly(bits: u64) -> Self {
        LengthBounds([Bits { fewest: bits, most: Some(bits) }; 8])
    }

    pub(crate) const fn unbounded(fewest: u64) -> Self {
        LengthBounds([Bits { fewest, most: None }; 8])
    }

    pub(crate) const fn between(fewest: u64, most: Option<u64>) -> Self {
        LengthBounds([Bits { fewest, most }; 8])
    }

    /// The padding to the next octet border.
    pub(crate) fn border() -> Self {
        let mut bounds = Self::exactly(0);
        for (at, bits) in (0..8).zip(&mut bounds.0) {
            let left = (8 - at) % 8;
            *bits = Bits { fewest: left, most: Some(left) };
        }
        bounds
    }

    pub(crate) fn then(self, next: LengthBounds) -> Self {
        self.map(|start, this| Bits {
            fewest: this.fewest.saturating_add(next.begun_at(start, this.fewest).fewest),
            most: this.most.and_then(|most| next.begun_at(start, most).most?.checked_add(most)),
        })
    }

    pub(crate) fn or_absent(self) -> Self {
        self.map(|_, this| Bits { fewest: 0, most: this.most })
    }

    pub(crate) fn or(self, other: LengthBounds) -> Self {
        let either = self.or_shorter(other);
        either.map(|start, this| Bits {
            most: this.most.zip(other.0[start].most).map(|(a, b)| a.max(b)),
            fewest: this.fewest,
        })
    }

    /// The lesser minimum of both, with the maximum of this one only.
    pub(crate) fn or_shorter(self, other: LengthBounds) -> Self {
        self.map(|start, this| Bits { fewest: this.fewest.min(other.0[start].fewest), most: this.most })
    }

    /// From `lower` to `upper` times; without a bound if that is `u64::MAX`.
    pub(crate) fn times(self, lower: u64, upper: u64) -> Self {
        let (fewest, most) = (self.exactly_times(lower), self.exactly_times(upper));
        fewest.map(|start, this| Bits {
            fewest: this.fewest,
            most: if upper == u64::MAX && self != Self::exactly(0) { None } else { most.0[start].most },
        })
    }

    fn exactly_times(self, count: u64) -> Self {
        let mut power = self;
        let mut left = count;
        let mut product = Self::exactly(0);
        while left > 0 {
            if left % 2 == 1 {
                product = product.then(power);
            }
            power = power.then(power);
            left /= 2;
        }
        product
    }

    /// Its size if it begins at this bit of an octet.
    pub(crate) fn at(&self, start: usize) -> Bits {
        self.0[start % 8]
    }

    /// Its size wherever it begins.
    pub(crate) fn anywhere(&self) -> Bits {
        self.0.into_iter().fold(self.0[0], |all, one| Bits {
            fewest: all.fewest.min(one.fewest),
            most: all.most.zip(one.most).map(|(a, b)| a.max(b)),
        })
    }

    fn begun_at(&self, start: usize, after: u64) -> Bits {
        self.0[(start + (after % 8) as usize) % 8]
    }

    fn map(self, change: impl Fn(usize, Bits) -> Bits) -> Self {
        let mut changed = self;
        for (start, bits) in changed.0.iter_mut().enumerate() {
            *bits = change(start, *bits);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, LengthBounds};

    #[test]
    fn alignment_counts_from_where_things_begin() {
        let field = LengthBounds::exactly(3).then(LengthBounds::border()).then(LengthBounds::exactly(8));
        assert_eq!(field.at(0).fixed(), Some(16));
        assert_eq!(field.at(4).fixed(), Some(12));
        assert_eq!(field.at(6).fixed(), Some(18));
        assert_eq!(field.anywhere(), Bits { fewest: 11, most: Some(18) });
        // From bit 1: 15 bits to a border, and then 16 for each.
        assert_eq!(field.times(3, 1000).at(1), Bits { fewest: 15 + 2 * 16, most: Some(15 + 999 * 16) });
        assert_eq!(field.times(0, u64::MAX).at(1), Bits { fewest: 0, most: None });
        assert_eq!(LengthBounds::exactly(0).times(5, u64::MAX).at(1).fixed(), Some(0));
    }
}
