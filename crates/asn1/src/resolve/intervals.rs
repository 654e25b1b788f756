//! Sets of integers as ascending disjoint intervals: the integers, sizes or characters that a
//! constraint allows.

use num_bigint::BigInt;
use roadwire_model::IntegerRange;

/// Both ends included; `None` is unbounded.
pub(super) type Interval = (Option<BigInt>, Option<BigInt>);

/// Ascending, disjoint, not adjacent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Intervals(Vec<Interval>);

impl Intervals {
    pub(super) fn all() -> Self {
        Intervals(vec![(None, None)])
    }

    pub(super) fn none() -> Self {
        Intervals(Vec::new())
    }

    /// `lower..upper`; empty when the ends are the wrong way round.
    pub(super) fn range(lower: Option<BigInt>, upper: Option<BigInt>) -> Self {
        let empty = matches!((&lower, &upper), (Some(l), Some(u)) if l > u);
        if empty { Intervals::none() } else { Intervals(vec![(lower, upper)]) }
    }

    pub(super) fn single(value: BigInt) -> Self {
        Intervals(vec![(Some(value.clone()), Some(value))])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Interval> {
        self.0.iter()
    }

    /// The smallest member, `None` without a lower end (or members).
    pub(super) fn lower(&self) -> Option<&BigInt> {
        self.0.first().and_then(|i| i.0.as_ref())
    }

    /// The greatest member, `None` without an upper end (or members).
    pub(super) fn upper(&self) -> Option<&BigInt> {
        self.0.last().and_then(|i| i.1.as_ref())
    }

    /// The smallest range that has all members.
    pub(super) fn ends(&self) -> IntegerRange {
        IntegerRange { lower: self.lower().cloned(), upper: self.upper().cloned(), extensible: false }
    }

    pub(super) fn contains(&self, value: &BigInt) -> bool {
        let after = self.0.partition_point(|(l, _)| l.as_ref().is_none_or(|l| l <= value));
        after.checked_sub(1).and_then(|i| self.0.get(i)).is_some_and(|(_, u)| u.as_ref().is_none_or(|u| value <= u))
    }

    pub(super) fn union(sets: Vec<Intervals>) -> Self {
        let mut all: Vec<Interval> = sets.into_iter().flat_map(|s| s.0).collect();
        // `None` as a lower end sorts first, as it should.
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<Interval> = Vec::new();
        for (lower, upper) in all {
            if let Some(last) = merged.last_mut() {
                let joins = match (&last.1, &lower) {
                    (None, _) | (_, None) => true,
                    (Some(end), Some(start)) => *start <= end + 1,
                };
                if joins {
                    let longer = match (&last.1, &upper) {
                        (None, _) => false,
                        (_, None) => true,
                        (Some(a), Some(b)) => b > a,
                    };
                    if longer {
                        last.1 = upper;
                    }
                    continue;
                }
            }
            merged.push((lower, upper));
        }
        Intervals(merged)
    }

    pub(super) fn intersect(&self, other: &Intervals) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut out = Vec::new();
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let lower = match (&a.0, &b.0) {
                (None, l) | (l, None) => l.clone(),
                (Some(x), Some(y)) => Some(x.max(y).clone()),
            };
            let (upper, first_ends) = match (&a.1, &b.1) {
                (None, None) => (None, true),
                (None, u) => (u.clone(), false),
                (u, None) => (u.clone(), true),
                (Some(x), Some(y)) => (Some(x.min(y).clone()), x <= y),
            };
            let empty = matches!((&lower, &upper), (Some(l), Some(u)) if l > u);
            if !empty {
                out.push((lower, upper));
            }
            if first_ends {
                i += 1;
            } else {
                j += 1;
            }
        }
        Intervals(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(parts: &[(i64, i64)]) -> Intervals {
        Intervals::union(parts.iter().map(|(l, u)| Intervals::range(Some((*l).into()), Some((*u).into()))).collect())
    }

    #[test]
    fn union_joins_neighbours() {
        assert_eq!(set(&[(4, 6), (0, 3)]), set(&[(0, 6)]));
        assert_eq!(set(&[(0, 3), (5, 6)]).0.len(), 2);
    }

    #[test]
    fn intersection_is_exact_not_the_hull() {
        let both = set(&[(0, 3), (10, 12)]).intersect(&set(&[(5, 11)]));
        assert_eq!(both, set(&[(10, 11)]));
        assert!(set(&[(0, 3)]).intersect(&set(&[(4, 5)])).is_empty());
        assert_eq!(Intervals::all().intersect(&set(&[(1, 2)])), set(&[(1, 2)]));
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_empty() {
        assert!(set(&[(5, 3)]).is_empty() && !set(&[(3, 3)]).is_empty());
    }

    #[test]
    fn contains_looks_between_the_parts() {
        let s = set(&[(0, 3), (10, 12)]);
        assert!(s.contains(&3.into()) && s.contains(&10.into()));
        assert!(!s.contains(&5.into()) && !s.contains(&13.into()));
        assert!(Intervals::all().contains(&5.into()));
    }
}
