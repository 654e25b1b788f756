//! Whether there is a stdout.
//!
//! Before `main`, the standard library opens `/dev/null` in place of a stdout that is closed (`>&-`), and leaves out of writing to one that is open for reading alone that it fails.
//! A program would then lose what it writes and end well. So it is looked before that, in what the loader calls first. What the library opens cannot be told afterwards from what a caller
//! redirects (Python's `subprocess.DEVNULL` has the same flags). On other systems than Linux nothing is looked at.

#[cfg(target_os = "linux")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{OFlags, fcntl_getfl};

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// One system call and one store: the standard library is not ready yet.
    extern "C" fn look() {
        let flags = fcntl_getfl(rustix::stdio::stdout());
        let can_write = flags.is_ok_and(|flags| flags.intersection(OFlags::RWMODE) != OFlags::RDONLY);
        IS_CLOSED.store(!can_write, Ordering::Relaxed);
    }

    // SAFETY: the section holds the addresses of functions without result that the loader calls once each, before `main`, after those of the C library.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub(super) fn is_closed() -> bool {
        IS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Whether what is written to stdout cannot arrive: the program was started without one, or with one that is open for reading alone.
pub fn stdout_is_closed() -> bool {
    #[cfg(target_os = "linux")]
    let is_closed = at_start::is_closed();
    #[cfg(not(target_os = "linux"))]
    let is_closed = false;
    is_closed
}
