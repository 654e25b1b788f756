//! Whether there is a stdout.
//!
//! Before `main`, the standard library opens `/dev/null` in place of a closed stdout (`>&-`), and
//! ignores the failure of writing to one that is open only for reading. A program would then lose
//! its output and still succeed. So stdout is checked earlier, in a function that the loader calls
//! first. Afterwards, what the library opened cannot be distinguished from a redirection by the
//! caller (Python's `subprocess.DEVNULL` has the same flags). On other systems than Linux nothing
//! is checked.

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

    // SAFETY: the section holds the addresses of functions without result that the loader calls
    // once each, before `main`, after those of the C library.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    pub(super) fn is_closed() -> bool {
        IS_CLOSED.load(Ordering::Relaxed)
    }
}

/// Whether output to stdout would be lost: the program was started without one, or with one that is
/// open only for reading.
pub fn stdout_is_closed() -> bool {
    #[cfg(target_os = "linux")]
    let is_closed = at_start::is_closed();
    #[cfg(not(target_os = "linux"))]
    let is_closed = false;
    is_closed
}
