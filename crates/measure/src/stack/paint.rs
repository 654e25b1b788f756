//! Painting below the stack pointer. Unsafe because Rust knows no memory there: it is this thread's
//! own stack, mapped as a whole by the thread library, and not in use until something is called.
//! `flash/` compiles this file for a microcontroller.

use core::hint::black_box;
use core::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

use super::PAINTED;

const WORD: usize = size_of::<u64>();
/// Room for the frames of `fill` and `scan` themselves, and for the red zone. [`step_over`] takes
/// the work below it, so that small use is seen as well.
const MARGIN: usize = 2048;

/// Octets between this frame and the deepest word that `work` touched.
#[inline(never)]
pub(super) fn depth(work: &mut dyn FnMut()) -> Option<usize> {
    let mark = 0_u64;
    let top = black_box(ptr::addr_of!(mark)).addr() & !(WORD - 1);
    ptr::addr_of!(mark).expose_provenance();
    fill(top);
    step_over(work);
    scan(top)
}

/// Calls `work` with a frame in between that is larger than [`MARGIN`].
#[inline(never)]
fn step_over(work: &mut dyn FnMut()) {
    let padding = [0_u8; MARGIN + 256];
    black_box(&padding);
    work();
    black_box(&padding);
}

#[inline(never)]
fn fill(top: usize) {
    let mut address = top - PAINTED;
    while address < top - MARGIN {
        // SAFETY: between this frame (less than MARGIN below `top`) and the end of this thread's
        // stack, which is PAINTED + RESERVE long; nothing lives there.
        unsafe { with_exposed_provenance_mut::<u64>(address).write_volatile(paint(address)) };
        address += WORD;
    }
}

#[inline(never)]
fn scan(top: usize) -> Option<usize> {
    let mut address = top - PAINTED;
    while address < top - MARGIN {
        // SAFETY: as in `fill`, which has written it.
        let word = unsafe { with_exposed_provenance::<u64>(address).read_volatile() };
        if word != paint(address) {
            break;
        }
        address += WORD;
    }
    (address > top - PAINTED).then_some(top - address)
}

/// A different word everywhere, so that copied stack does not look like paint.
#[inline(always)]
fn paint(address: usize) -> u64 {
    (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xa5a5_a5a5_a5a5_a5a5
}
