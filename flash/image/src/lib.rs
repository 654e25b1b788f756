//! Shared by the images: the generated CAM, and the parts that a program without an operating
//! system needs.
#![no_std]

use core::hint::black_box;

use roadwire_wire::Error;

/// The generated types and codec.
#[allow(missing_docs, nonstandard_style, clippy::all)]
pub mod cam {
    include!(concat!(env!("OUT_DIR"), "/cam.rs"));
}

/// Octets that are unknown to the compiler.
pub fn input(place: &mut [u8; 256]) -> &[u8] {
    let count = black_box(place.len());
    black_box(place).get(..count).unwrap_or(&[])
}

/// Reports an outcome: how much was read or written, or the error's code and position.
pub fn report(outcome: Result<usize, Error<'_>>) {
    match outcome {
        Ok(count) => drop(black_box(count)),
        Err(error) => drop(black_box((error.kind.code(), error.bit))),
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// There is no heap: a CAM needs none. But a program that links `alloc` must have an allocator.
#[cfg(feature = "alloc")]
mod heap {
    use core::alloc::{GlobalAlloc, Layout};

    struct NoHeap;

    #[global_allocator]
    static HEAP: NoHeap = NoHeap;

    // SAFETY: null means that there is no memory, for any request.
    unsafe impl GlobalAlloc for NoHeap {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            core::ptr::null_mut()
        }
        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }
}
