//! Two integers at a time.
#![allow(unsafe_code)]
// Up to Rust 1.86 all instructions are unsafe, also those that touch no memory.
#![allow(unsafe_op_in_unsafe_fn)]

use core::arch::aarch64::*;

use crate::{Lanes, Most};

/// How many integers the processor can read at a time. The standard library itself is compiled for
/// NEON on this architecture, and the compiler says so; nothing has to be asked at run time. Words
/// are in the order of a little-endian processor.
pub(crate) fn most() -> Most {
    match cfg!(all(target_feature = "neon", target_endian = "little")) {
        true => Most::Two,
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
        // SAFETY: the processor has NEON, and the lengths are as the function wants them.
        Most::Two => Some(unsafe { neon(lanes, message, words) }),
        _ => None,
    }
}

/// # Safety
/// The processor has NEON. The message has `lanes.octets` octets, so that eight octets from each
/// `at` of its groups on are inside. There are `lanes.count` words, eight or more, so that eight
/// from each `word` of its groups on are among them.
#[target_feature(enable = "neon")]
unsafe fn neon(lanes: &Lanes, message: &[u8], words: &mut [u64]) -> bool {
    let mut beyond = vdupq_n_u64(0);
    for group in &lanes.groups {
        for pair in [0, 2, 4, 6] {
            // SAFETY: a pair of a group has two entries in each list, and see above.
            unsafe {
                let load = |list: &[u64; 8]| vld1q_u64(list.as_ptr().add(pair));
                let eight = |lane: usize| vld1_u8(message.as_ptr().add(*group.at.get_unchecked(pair + lane) as usize));
                let octets = vreinterpretq_u64_u8(vrev64q_u8(vcombine_u8(eight(0), eight(1))));
                let bits = shifted(octets, vreinterpretq_s64_u64(load(&group.left)));
                let bits = shifted(bits, vnegq_s64(vreinterpretq_s64_u64(load(&group.right))));
                let offset = vsubq_u64(veorq_u64(bits, load(&group.sign)), load(&group.base));
                beyond = vorrq_u64(beyond, vcgtq_u64(offset, load(&group.range)));
                let value = vaddq_u64(offset, load(&group.lower));
                vst1q_u64(words.as_mut_ptr().add(group.word as usize + pair), value);
            }
        }
    }
    vmaxvq_u32(vreinterpretq_u32_u64(beyond)) == 0
}

/// Each word shifted by its own number of bits, to the right by a negative one: by 64 nothing is
/// left.
///
/// # Safety
/// The processor has NEON.
#[cfg(not(miri))]
#[target_feature(enable = "neon")]
unsafe fn shifted(words: uint64x2_t, bits: int64x2_t) -> uint64x2_t {
    vshlq_u64(words, bits)
}

/// The same for Miri, which does not have this instruction.
///
/// # Safety
/// The processor has NEON.
#[cfg(miri)]
#[target_feature(enable = "neon")]
unsafe fn shifted(words: uint64x2_t, bits: int64x2_t) -> uint64x2_t {
    let shift = |word: u64, bits: i64| match u32::try_from(bits) {
        Ok(left) => word.checked_shl(left).unwrap_or(0),
        Err(_) => word.checked_shr(bits.unsigned_abs() as u32).unwrap_or(0),
    };
    let (mut each, mut by) = ([0; 2], [0; 2]);
    // SAFETY: each list has the octets that are stored there, or loaded.
    unsafe {
        vst1q_u64(each.as_mut_ptr(), words);
        vst1q_s64(by.as_mut_ptr(), bits);
        vld1q_u64([shift(each[0], by[0]), shift(each[1], by[1])].as_ptr())
    }
}
