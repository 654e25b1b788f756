//! Linkage values (IEEE 1609.2 §5.1.3.4): from a seed in a list of revoked certificates to the
//! values in the certificates of one holder.

use aes::Aes128;
use aes::cipher::{BlockEncrypt as _, KeyInit as _};
use sha2::{Digest as _, Sha256};

pub(super) type Value = [u8; 9];

/// The seed of one of the two linkage authorities, at some period i.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    /// The authority.
    pub(super) authority: [u8; 2],
    pub(super) seed: [u8; 16],
}

impl Seed {
    /// The seed so many periods later.
    pub(super) fn evolved(self, periods: u16) -> Seed {
        (0..periods).fold(self, |Seed { authority, seed }, _| {
            #[cfg(test)]
            STEPS.set(STEPS.get() + 1);
            let hash = Sha256::new().chain_update(authority).chain_update(seed).chain_update([0; 14]).finalize();
            let mut next = [0; 16];
            next.copy_from_slice(&hash[..16]);
            Seed { authority, seed: next }
        })
    }

    /// The pre-linkage value of the j-th certificate of the period.
    fn value(&self, j: [u8; 4]) -> Value {
        let mut input = [0; 16];
        input[..2].copy_from_slice(&self.authority);
        input[2..6].copy_from_slice(&j);
        let mut block = aes::Block::from(input);
        Aes128::new(&self.seed.into()).encrypt_block(&mut block);
        std::array::from_fn(|at| block[at] ^ input[at])
    }
}

/// The linkage value of the j-th certificate of the period that both seeds are of.
pub(super) fn value(seeds: &[Seed; 2], j: [u8; 4]) -> Value {
    let [first, second] = seeds.each_ref().map(|seed| seed.value(j));
    std::array::from_fn(|at| first[at] ^ second[at])
}

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many steps all seeds have taken on this thread.
#[cfg(test)]
pub(super) fn steps() -> u64 {
    STEPS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octets<const N: usize>(number: u128) -> [u8; N] {
        let all = number.to_be_bytes();
        std::array::from_fn(|at| all[16 - N + at])
    }

    fn seeds(first: u128, second: u128) -> [Seed; 2] {
        [
            Seed { authority: octets(36361), seed: octets(first) },
            Seed { authority: octets(22990), seed: octets(second) },
        ]
    }

    /// IEEE Std 1609.2-2022 §D.7, as its script gives them: j is 12.
    #[test]
    fn linkage_values_of_the_standard() {
        let first = seeds(0x1502_D9AB_6786_BF68_FBA9_F210_373B_F221, 0x5755_F16E_8998_1D21_89A6_DAEA_4840_ED22);
        let j = 12u32.to_be_bytes();
        assert_eq!(first[0].value(j), octets(4_473_001_393_966_194_589_182));
        assert_eq!(first[1].value(j), octets(245_336_622_344_210_819_588));
        assert_eq!(value(&first, j), octets(4_707_948_203_137_323_915_258));
        let second = first.map(|seed| seed.evolved(1));
        assert_eq!(second, seeds(0x8280_97e2_9341_a95c_19cf_31bd_0a38_e028, 0x7d81_f686_b525_2984_5e16_a58d_1891_5dc2));
        assert_eq!(value(&second, j), octets(4_283_863_095_717_697_075_421));
    }

    /// The same clause: values of groups, with a j of 32 bits.
    #[test]
    fn group_linkage_values_of_the_standard() {
        let first = seeds(0x6B71_A7EB_5755_F16E_8998_1D21_89A6_DAEA, 0xCC4D_B977_F595_AD23_3F0F_4E65_408D_9A9C);
        let j = 1_212_214_562u32.to_be_bytes();
        assert_eq!(value(&first, j), octets(1_897_131_607_478_641_663_500));
        let second = first.map(|seed| seed.evolved(1));
        assert_eq!(value(&second, j), octets(3_684_623_956_115_331_720_782));
    }
}
