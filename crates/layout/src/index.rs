//! Indexes into the pools of a layout.

/// A node, by its index in [`Layout::nodes`](crate::Layout::nodes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A run of entries in one of the pools.
#[derive(Clone, Copy, Debug, core::default::Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First entry.
    pub start: u32,
    /// How many.
    pub count: u32,
}

impl Span {
    /// The run as a range of indexes.
    #[must_use]
    pub const fn range(self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}

/// A bound of an integer: itself if it takes 63 bits, otherwise the place of its 16 octets in
/// [`Layout::octets`](crate::Layout::octets). So nodes stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bound(pub i64);

impl Bound {
    /// There is none.
    pub const NONE: Bound = Bound(i64::MIN);
    const LEAST: i64 = -(1 << 62);
    const GREATEST: i64 = (1 << 62) - 1;

    /// The number, if it takes 63 bits.
    #[inline]
    #[must_use]
    pub const fn near(self) -> Option<i64> {
        if Bound::LEAST <= self.0 && self.0 <= Bound::GREATEST { Some(self.0) } else { None }
    }

    /// The bound of a layout with these octets, which hold it if it is far.
    #[inline]
    #[must_use]
    pub fn get(self, octets: &[u8]) -> Option<i128> {
        match self.near() {
            Some(near) => Some(near.into()),
            None => self.far(octets),
        }
    }

    #[cold]
    #[inline(never)]
    fn far(self, octets: &[u8]) -> Option<i128> {
        let place = usize::try_from(self.0.wrapping_sub(Bound::GREATEST + 1)).ok()?;
        octets.get(place..)?.first_chunk().map(|octets| i128::from_be_bytes(*octets))
    }

    /// The bound of a layout with these octets, to which a far one is added.
    #[cfg(feature = "lower")]
    pub(crate) fn new(bound: i128, octets: &mut Vec<u8>) -> Self {
        match i64::try_from(bound).map(Bound) {
            Ok(near) if near.near().is_some() => near,
            _ => {
                octets.extend(bound.to_be_bytes());
                Bound(Bound::GREATEST + 1 + (octets.len() - 16) as i64)
            }
        }
    }
}

/// With named bits, the least size of a bit string, down to which trailing zero bits are removed or
/// added (X.680 §22.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trim(pub u32);

impl Trim {
    /// Without named bits: zero bits have a meaning.
    pub const NONE: Trim = Trim(u32::MAX);

    /// The least size.
    #[inline]
    #[must_use]
    pub const fn least(self) -> Option<u64> {
        if self.0 == Trim::NONE.0 { None } else { Some(self.0 as u64) }
    }
}

/// Names of items, as a run of [`Layout::items`](crate::Layout::items).
pub type Items = Name;

/// A name, as a run of octets of [`Layout::names`](crate::Layout::names). Without the feature
/// `names` it takes no room, and is empty.
#[derive(Clone, Copy, core::default::Default, PartialEq, Eq, Hash)]
pub struct Name {
    #[cfg(feature = "names")]
    place: Span,
}

impl Name {
    /// The name at this place.
    #[inline]
    #[must_use]
    #[cfg_attr(not(feature = "names"), expect(unused_variables, reason = "the place is not kept"))]
    pub const fn at(start: u32, count: u32) -> Name {
        Name {
            #[cfg(feature = "names")]
            place: Span { start, count },
        }
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Where it begins.
    #[inline]
    #[must_use]
    pub const fn start(self) -> u32 {
        self.range().start as u32
    }

    /// How many octets it has.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.range().end as u32 - self.start()
    }

    /// Its octets.
    #[inline]
    #[must_use]
    pub const fn range(self) -> core::ops::Range<usize> {
        #[cfg(feature = "names")]
        return self.place.range();
        #[cfg(not(feature = "names"))]
        return 0..0;
    }
}

/// As it is made, which is how a layout is written as a constant.
impl core::fmt::Debug for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Name::at({}, {})", self.start(), self.len())
    }
}

#[cfg(all(test, feature = "lower"))]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_more_than_63_bits_is_among_the_octets() {
        let mut octets = vec![1, 2, 3];
        let near = [0, -1, -(1 << 62), (1 << 62) - 1];
        let far = [-(1 << 62) - 1, 1 << 62, i64::MIN.into(), u64::MAX.into(), i128::MIN, i128::MAX];
        for (number, is_near) in near.map(|near| (near, true)).into_iter().chain(far.map(|far| (far, false))) {
            let bound = Bound::new(number, &mut octets);
            assert_eq!((bound.get(&octets), bound.near().is_some()), (Some(number), is_near), "{number}");
        }
        assert_eq!(octets.len(), 3 + 16 * far.len());
        assert_eq!((Bound::NONE.get(&octets), Bound::NONE.near()), (None, None));
        // Of another layout.
        assert_eq!(Bound::new(i128::MAX, &mut octets.clone()).get(&octets), None);
    }
}
