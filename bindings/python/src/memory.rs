//! Memory of columns: large blocks that are given back are kept for the next batch.
//!
//! The columns of a batch are some hundred blocks of 64 KiB to some MiB. A system that takes them
//! back with each batch clears them for the next one, page by page, which takes almost as long as
//! decoding. A bounded number of octets is kept for that; what is beyond goes to the system.
#![allow(unsafe_code, reason = "an allocator has pointers; its safety is argued at each use")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Smaller blocks are the system's.
const LEAST: usize = 1 << LEAST_LOG;
const LEAST_LOG: u32 = 15;
/// So are greater ones.
const MOST: usize = 1 << MOST_LOG;
const MOST_LOG: u32 = 28;
/// Sizes are rounded up to an eighth of a power of two.
const STEPS_LOG: u32 = 3;
const CLASSES: usize = (((MOST_LOG - LEAST_LOG) as usize) << STEPS_LOG) + 1;
/// Of all kept blocks, so that it is the same for each.
const ALIGNMENT: usize = 128;
/// The most octets that are kept.
const KEPT: usize = 64 << 20;

#[global_allocator]
static MEMORY: Memory = Memory { is_taken: AtomicBool::new(false), shelves: UnsafeCell::new(Shelves::EMPTY) };

/// The allocator of this module, not of Python.
struct Memory {
    /// Whether a thread works on the shelves. One that finds it set asks the system instead, so a
    /// process that was forked meanwhile works as well.
    is_taken: AtomicBool,
    shelves: UnsafeCell<Shelves>,
}

/// Kept blocks of each class, in lists: each begins with the pointer to the next one.
struct Shelves {
    first: [*mut u8; CLASSES],
    octets: usize,
}

// SAFETY: the shelves are only used by the thread that has set `is_taken`.
unsafe impl Sync for Memory {}

impl Shelves {
    const EMPTY: Shelves = Shelves { first: [ptr::null_mut(); CLASSES], octets: 0 };

    fn take(&mut self, class: Class) -> Option<*mut u8> {
        let first = self.first.get_mut(class.index).filter(|first| !first.is_null())?;
        let block = *first;
        // SAFETY: a kept block begins with the pointer that `put` wrote.
        *first = unsafe { block.cast::<*mut u8>().read() };
        self.octets -= class.size;
        Some(block)
    }

    /// Whether the block is kept.
    fn put(&mut self, class: Class, block: *mut u8) -> bool {
        let Some(first) = self.first.get_mut(class.index).filter(|_| self.octets + class.size <= KEPT) else {
            return false;
        };
        // SAFETY: the block is free, aligned, and has room for a pointer.
        unsafe { block.cast::<*mut u8>().write(*first) };
        *first = block;
        self.octets += class.size;
        true
    }
}

impl Memory {
    /// Works on the shelves; nothing if another thread does.
    fn with_shelves<R>(&self, work: impl FnOnce(&mut Shelves) -> R) -> Option<R> {
        if self.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: no other thread has got here since `is_taken` was set.
        let done = work(unsafe { &mut *self.shelves.get() });
        self.is_taken.store(false, Ordering::Release);
        Some(done)
    }
}

/// The class of a block that may be kept.
#[derive(Clone, Copy)]
struct Class {
    index: usize,
    size: usize,
}

impl Class {
    #[inline]
    fn of(layout: Layout) -> Option<Class> {
        let size = layout.size();
        if !(LEAST..=MOST).contains(&size) || layout.align() > ALIGNMENT {
            return None;
        }
        let size = size.next_multiple_of(1 << (size.ilog2() - STEPS_LOG));
        let log = size.ilog2();
        let step = (size - (1 << log)) >> (log - STEPS_LOG);
        Some(Class { index: (((log - LEAST_LOG) as usize) << STEPS_LOG) + step, size })
    }

    fn layout(self) -> Layout {
        Layout::from_size_align(self.size, ALIGNMENT).unwrap_or(Layout::new::<u8>())
    }
}

// SAFETY: a block of a class has the class's layout wherever it comes from and goes to, which is at
// least as large and as aligned as what was asked for; all others are the system's.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = Class::of(layout) else {
            // SAFETY: the caller's.
            return unsafe { System.alloc(layout) };
        };
        let kept = self.with_shelves(|shelves| shelves.take(class)).flatten();
        // SAFETY: the size is not zero.
        kept.unwrap_or_else(|| unsafe { System.alloc(class.layout()) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(class) = Class::of(layout) else {
            // SAFETY: the caller's.
            return unsafe { System.alloc_zeroed(layout) };
        };
        match self.with_shelves(|shelves| shelves.take(class)).flatten() {
            Some(block) => {
                // SAFETY: the block has at least this size.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            // SAFETY: the size is not zero.
            None => unsafe { System.alloc_zeroed(class.layout()) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = Class::of(layout) else {
            // SAFETY: the caller's: a block without a class is the system's, of this layout.
            return unsafe { System.dealloc(block, layout) };
        };
        if self.with_shelves(|shelves| shelves.put(class, block)) != Some(true) {
            // SAFETY: a block of a class has the class's layout.
            unsafe { System.dealloc(block, class.layout()) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller says that the size fits the alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (Class::of(layout), Class::of(wanted)) {
            // SAFETY: the caller's.
            (None, None) => unsafe { System.realloc(block, layout, size) },
            (Some(has), Some(wants)) if has.index == wants.index => block,
            _ => {
                // SAFETY: the caller's.
                let made = unsafe { self.alloc(wanted) };
                if !made.is_null() {
                    // SAFETY: two blocks of at least these sizes, of which the old one is then
                    // free.
                    unsafe {
                        ptr::copy_nonoverlapping(block, made, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                }
                made
            }
        }
    }
}
