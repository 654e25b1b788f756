//! Heap: a counting allocator around the system's.
//!
//! The binary installs [`CountingAllocator`]; while nothing is being counted it costs one load of a
//! flag for each allocation.
//!
//! ```
//! use roadwire_measure::heap;
//! #[global_allocator]
//! static ALLOCATOR: heap::CountingAllocator = heap::CountingAllocator;
//!
//! let used = heap::measure(|| drop(std::hint::black_box(vec![0u8; 100]))).unwrap();
//! assert_eq!((used.requested, used.peak, used.retained, used.count), (100, 100, 0, 1));
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

/// The heap use of some work, octets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heap {
    /// The sum of all allocations.
    pub requested: i64,
    /// The most that was allocated at one time.
    pub peak: i64,
    /// Octets that were still allocated at the end.
    pub retained: i64,
    /// The number of allocations.
    pub count: i64,
}

/// Counts the heap that `work` uses on this thread; `None` when the running program has not
/// installed [`CountingAllocator`].
pub fn measure(work: impl FnOnce()) -> Option<Heap> {
    let seen = counted(|| drop(black_box(Box::new(black_box(7_u64)))));
    if seen.count == 0 {
        return None;
    }
    Some(counted(work))
}

/// The most heap that the whole process uses at one time during `work`, above its use before;
/// `None` as for [`measure`]. Includes threads that `work` starts.
pub fn measure_process(work: impl FnOnce()) -> Option<i64> {
    let seen = peak_of(|| drop(black_box(Box::new(black_box(7_u64)))));
    if seen == 0 { None } else { Some(peak_of(work)) }
}

fn peak_of(work: impl FnOnce()) -> i64 {
    HELD.store(0, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    PROCESS.store(true, Ordering::Relaxed);
    work();
    PROCESS.store(false, Ordering::Relaxed);
    PEAK.load(Ordering::Relaxed)
}

/// Whether the whole process is counted.
static PROCESS: AtomicBool = AtomicBool::new(false);
/// Octets that it has allocated since then, and the maximum.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

fn counted(work: impl FnOnce()) -> Heap {
    COUNTS.set(Some(Heap::default()));
    COUNTING.fetch_add(1, Ordering::Relaxed);
    work();
    COUNTING.fetch_sub(1, Ordering::Relaxed);
    COUNTS.take().unwrap_or_default()
}

/// How many threads are counting.
static COUNTING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// This thread's counts while it counts. Const and without a destructor, so that reaching it
    /// inside the allocator allocates nothing.
    static COUNTS: Cell<Option<Heap>> = const { Cell::new(None) };
}

/// The system's allocator, with counts for threads that ask.
pub struct CountingAllocator;

#[inline]
fn note(requested: usize, released: usize) {
    if PROCESS.load(Ordering::Relaxed) {
        let change = requested as i64 - released as i64;
        let held = HELD.fetch_add(change, Ordering::Relaxed) + change;
        PEAK.fetch_max(held, Ordering::Relaxed);
    }
    if COUNTING.load(Ordering::Relaxed) == 0 {
        return;
    }
    // A thread that is ending has no thread-locals any more; it is not one that counts.
    let _ = COUNTS.try_with(|counts| {
        if let Some(mut heap) = counts.get() {
            if requested > 0 {
                heap.count += 1;
                heap.requested += requested as i64;
            }
            heap.retained += requested as i64 - released as i64;
            heap.peak = heap.peak.max(heap.retained);
            counts.set(Some(heap));
        }
    });
}

// SAFETY: every call is handed to the system's allocator unchanged; the counting neither allocates
// nor panics.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        note(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
