//! Memory of this module, not of Python: by an allocator that keeps blocks for the next batch.
//!
//! The columns of a batch are some hundred blocks of 64 KiB to some MiB. A system that takes them
//! back with each batch clears them for the next one, page by page, which takes almost as long as
//! decoding.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;
