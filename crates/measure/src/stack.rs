//! Stack: the part below the current frame is painted, the work is done, and the deepest word that
//! lost its paint shows how far down the work went. The use of an empty call is subtracted.
//!
//! The paint is written and read with volatile accesses: with plain ones an optimising compiler
//! deletes the loop, which makes the studies' own tool (malloc_count's `stack_count.c`) unreliable
//! from `-O1` on.

#[allow(unsafe_code)]
mod paint;

use crate::cell::Watch;

/// Octets of stack that are painted; deeper use is reported as absent.
pub const PAINTED: usize = 512 * 1024;

/// The thread's stack beyond the painted part.
const RESERVE: usize = 4 * 1024 * 1024;

/// Octets of stack that work uses below its caller, to 8 octets; `None` when it went deeper than
/// [`PAINTED`]. `set_up` runs on a new thread and gives the work to the watch; the work before that
/// is not measured.
///
/// # Errors
/// The error of `set_up`; it gave no work; or no thread could be started.
pub fn measure(set_up: impl FnOnce(Watch<'_>) -> Result<(), String> + Send) -> Result<Option<usize>, String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(PAINTED + RESERVE)
            .spawn_scoped(scope, || {
                let mut used = Err("no work was handed over".to_string());
                set_up(&mut |work| {
                    work();
                    let empty = paint::depth(&mut || {});
                    let depth = paint::depth(work);
                    used = Ok(empty.zip(depth).map(|(empty, depth)| depth.saturating_sub(empty)));
                })?;
                used
            })
            .map_err(|e| format!("no thread: {e}"))?
            .join()
            .map_err(|_| "the measured work panicked".to_string())?
    })
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[inline(never)]
    fn use_stack<const N: usize>() {
        black_box([1_u8; N]);
    }

    /// Without optimisation an array is copied on its way into `black_box`: up to this many frames.
    const COPIES: usize = if cfg!(debug_assertions) { 4 } else { 1 };

    fn stack_of<const N: usize>() -> Option<usize> {
        measure(|watch| {
            watch(&mut use_stack::<N>);
            Ok(())
        })
        .unwrap()
    }

    #[test]
    fn a_frame_of_known_size_is_seen() {
        let used = stack_of::<8192>().unwrap();
        assert!((8192..8192 * COPIES + 256).contains(&used), "{used}");
    }

    #[test]
    fn a_small_frame_is_seen_too() {
        let used = stack_of::<64>().unwrap();
        assert!((64..64 * COPIES + 128).contains(&used), "{used}");
    }

    #[test]
    fn a_larger_frame_is_more_stack_by_as_much() {
        let one = stack_of::<20_000>().unwrap();
        let two = stack_of::<40_000>().unwrap();
        let more = two - one;
        let copies = more.div_ceil(20_064);
        assert!(copies <= COPIES, "{one} {two}");
        assert!(more.abs_diff(20_000 * copies) < 64, "{one} {two}");
    }

    #[test]
    fn deeper_than_painted_is_absent() {
        let used = stack_of::<{ PAINTED + 4096 }>();
        assert_eq!(used, None);
    }
}
