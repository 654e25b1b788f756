//! Eight or four integers at a time.
#![allow(unsafe_code)]
// Up to Rust 1.86 all instructions are unsafe, also those that touch no memory.
#![allow(unsafe_op_in_unsafe_fn)]

use core::arch::x86_64::*;
use std::arch::is_x86_feature_detected;

use crate::{Group, Lanes, Most};

/// How many integers the processor can read at a time.
pub(crate) fn most() -> Most {
    let has_eight = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi");
    match is_x86_feature_detected!("avx2") {
        true if has_eight && cfg!(avx512) => Most::Eight,
        true => Most::Four,
        false => Most::One,
    }
}

/// Reads the integers, so many at a time as the processor can, or fewer; `None` if there are too
/// few. The message has the length of the lanes, and there is a word for each integer.
#[inline]
pub(crate) fn read(lanes: &Lanes, most: Most, message: &[u8], words: &mut [u64]) -> Option<bool> {
    if !lanes.has_room(message, words) {
        return None;
    }
    match most {
        Most::One | Most::Two => None,
        // SAFETY: the processor has what these functions use, and the lengths are as they want
        // them.
        Most::Four => Some(unsafe { avx2(lanes, message, words) }),
        #[cfg(avx512)]
        Most::Eight => Some(unsafe { avx512(lanes, message, words) }),
        #[cfg(not(avx512))]
        Most::Eight => None,
    }
}

/// # Safety
/// The processor has AVX2. The message has `lanes.octets` octets, so that eight octets from each
/// `at` of its groups on are inside. There are `lanes.count` words, eight or more, so that eight
/// from each `word` of its groups on are among them.
#[target_feature(enable = "avx2")]
unsafe fn avx2(lanes: &Lanes, message: &[u8], words: &mut [u64]) -> bool {
    let turned = _mm256_broadcastsi128_si256(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    let high = _mm256_set1_epi64x(i64::MIN);
    let mut beyond = _mm256_setzero_si256();
    for group in &lanes.groups {
        for half in [0, 4] {
            // SAFETY: a half of a group has four entries in each list, and see above.
            unsafe {
                let load = |list: &[u64; 8]| _mm256_loadu_si256(list.as_ptr().add(half).cast());
                let eight = |lane: usize| eight(group, message, half + lane);
                // A gather takes longer than four loads.
                let octets = _mm256_set_epi64x(eight(3), eight(2), eight(1), eight(0));
                let bits = _mm256_sllv_epi64(_mm256_shuffle_epi8(octets, turned), load(&group.left));
                let bits = _mm256_srlv_epi64(bits, load(&group.right));
                let offset = _mm256_sub_epi64(_mm256_xor_si256(bits, load(&group.sign)), load(&group.base));
                // Without signs: both are turned over.
                let most = _mm256_xor_si256(load(&group.range), high);
                beyond = _mm256_or_si256(beyond, _mm256_cmpgt_epi64(_mm256_xor_si256(offset, high), most));
                let value = _mm256_add_epi64(offset, load(&group.lower));
                _mm256_storeu_si256(words.as_mut_ptr().add(group.word as usize + half).cast(), value);
            }
        }
    }
    _mm256_testz_si256(beyond, beyond) == 1
}

/// The eight octets that hold an integer, as they are in memory.
///
/// # Safety
/// `lane` is less than 8, and the group is one of the message's lanes.
#[inline(always)]
unsafe fn eight(group: &Group, message: &[u8], lane: usize) -> i64 {
    // SAFETY: eight octets from each `at` of a group on are inside such a message.
    unsafe { message.as_ptr().add(*group.at.get_unchecked(lane) as usize).cast::<i64>().read_unaligned() }
}

/// # Safety
/// As [`avx2`], with AVX-512 F, BW and VBMI.
#[cfg(avx512)]
// Only a compiler that has them is asked for them.
#[allow(clippy::incompatible_msrv)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn avx512(lanes: &Lanes, message: &[u8], words: &mut [u64]) -> bool {
    let turned = _mm512_broadcast_i32x4(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    let mut beyond = 0;
    for group in &lanes.groups {
        // SAFETY: a group has eight entries in each list, and see above. `first` is one of `at`,
        // and no octet after the message is loaded.
        unsafe {
            let load = |list: &[u64; 8]| _mm512_loadu_si512(list.as_ptr().cast());
            let octets = if group.is_near {
                let left = message.len() - group.first as usize;
                let mask = if left < 64 { (1u64 << left) - 1 } else { u64::MAX };
                let octets = _mm512_maskz_loadu_epi8(mask, message.as_ptr().add(group.first as usize).cast());
                picked(_mm512_loadu_si512(group.picks.as_ptr().cast()), octets)
            } else {
                let eight = |lane: usize| eight(group, message, lane);
                let [a, b, c, d] = [eight(7), eight(6), eight(5), eight(4)];
                let octets = _mm512_set_epi64(a, b, c, d, eight(3), eight(2), eight(1), eight(0));
                _mm512_shuffle_epi8(octets, turned)
            };
            let bits = shifted(octets, load(&group.left), load(&group.right));
            let offset = _mm512_sub_epi64(_mm512_xor_si512(bits, load(&group.sign)), load(&group.base));
            beyond |= _mm512_cmpgt_epu64_mask(offset, load(&group.range));
            let value = _mm512_add_epi64(offset, load(&group.lower));
            _mm512_storeu_si512(words.as_mut_ptr().add(group.word as usize).cast(), value);
        }
    }
    beyond == 0
}

/// The octets that `picks` names.
///
/// # Safety
/// The processor has AVX-512 F and VBMI.
#[cfg(all(avx512, not(miri)))]
#[allow(clippy::incompatible_msrv)]
#[target_feature(enable = "avx512f,avx512vbmi")]
unsafe fn picked(picks: __m512i, octets: __m512i) -> __m512i {
    _mm512_permutexvar_epi8(picks, octets)
}

/// Each integer shifted to the left and then to the right, by less than 64 or to nothing.
///
/// # Safety
/// The processor has AVX-512 F.
#[cfg(all(avx512, not(miri)))]
#[allow(clippy::incompatible_msrv)]
#[target_feature(enable = "avx512f")]
unsafe fn shifted(integers: __m512i, left: __m512i, right: __m512i) -> __m512i {
    _mm512_srlv_epi64(_mm512_sllv_epi64(integers, left), right)
}

/// The same for Miri, which does not have these instructions.
#[cfg(all(avx512, miri))]
use miri::{picked, shifted};

#[cfg(all(avx512, miri))]
mod miri {
    use super::*;

    /// # Safety
    /// The processor has AVX-512 F.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn picked(picks: __m512i, octets: __m512i) -> __m512i {
        let (places, all) = (array::<u8, 64>(picks), array::<u8, 64>(octets));
        // SAFETY: the list has the octets that are loaded.
        unsafe { _mm512_loadu_si512(places.map(|place| all[usize::from(place % 64)]).as_ptr().cast()) }
    }

    /// # Safety
    /// The processor has AVX-512 F.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn shifted(integers: __m512i, left: __m512i, right: __m512i) -> __m512i {
        let [mut integers, left, right] = [integers, left, right].map(|list| array::<u64, 8>(list));
        for ((integer, left), right) in integers.iter_mut().zip(left).zip(right) {
            let shifted = integer.checked_shl(left as u32).unwrap_or(0);
            *integer = shifted.checked_shr(right as u32).unwrap_or(0);
        }
        // SAFETY: the list has the octets that are loaded.
        unsafe { _mm512_loadu_si512(integers.as_ptr().cast()) }
    }

    /// # Safety
    /// The processor has AVX-512 F.
    #[target_feature(enable = "avx512f")]
    unsafe fn array<T: Copy + Default, const N: usize>(register: __m512i) -> [T; N] {
        let mut list = [T::default(); N];
        assert_eq!(size_of_val(&list), 64);
        // SAFETY: the list has the octets that are stored there.
        unsafe { _mm512_storeu_si512(list.as_mut_ptr().cast(), register) };
        list
    }
}
