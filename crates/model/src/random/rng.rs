//! A small random number generator.

/// xoshiro256**, seeded by splitmix64: the same numbers on every platform. Not for secrets.
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// Starts from a seed.
    #[must_use]
    pub fn new(mut seed: u64) -> Self {
        Rng(std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, each as likely as the others to within 1 in 2^64 / bound; 0 for a
    /// bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// `true` with a chance of `percent` in a hundred.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// `count` random octets.
    pub fn octets(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| (self.next_u64() >> 56) as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference implementation's first numbers from the state 1, 2, 3, 4.
    #[test]
    fn numbers_are_those_of_xoshiro256starstar() {
        let mut rng = Rng([1, 2, 3, 4]);
        let numbers: [u64; 4] = std::array::from_fn(|_| rng.next_u64());
        assert_eq!(numbers, [11520, 0, 1509978240, 1215971899390074240]);
    }

    #[test]
    fn bounds_are_kept() {
        let mut rng = Rng::new(1);
        assert_eq!(rng.below(0), 0);
        let mut seen = [0; 3];
        (0..3000).for_each(|_| seen[rng.below(3) as usize] += 1);
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{seen:?}");
    }
}
