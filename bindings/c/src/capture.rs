//! `roadwire_capture_stream`: recorded traffic as an Arrow C stream.

use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;

use roadwire_cli::{CaptureOptions, CaptureStream, StreamError};
use roadwire_columns::arrays::ffi_stream::FFI_ArrowArrayStream;

use crate::boundary::answer;
use crate::error::{Error, Problem};

/// For `roadwire_capture_stream`: signed messages have a verdict, in `security.verdict`.
pub const VERIFY: u32 = 2;

/// Opens a recording (pcap or pcapng, gzipped or not) as an Arrow stream, with a row for each frame: link layer,
/// GeoNetworking, security, BTP, the octets of the message and the schema that it was taken for. docs/arrow.md has the
/// columns. `path` names the file; `-` is stdin. `flags` is 0 or `ROADWIRE_VERIFY`.
///
/// Returns 0, and the stream is yours: call its `release` once, when you have read enough of it; arrays that you took
/// live on. -1 and an error if the file cannot be read (`file.io`), or is no recording (`capture.` and more); the stream
/// is then a released one, whose `release` is NULL. What is found in the middle of a file is told by the stream: its
/// `get_next` fails after the frames before it, and its `get_last_error` ends with the error's code in brackets.
///
/// A stream is used by one thread at a time. It reads a few batches ahead, in a thread of its own, so that memory is bounded.
/// That thread ends soon after `release`, which does not wait for it: do not unload the library.
///
/// # Safety
/// `path` is NULL or a text that ends with a zero octet; `out` is NULL or can be written, and what it was is not looked
/// at; `error` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_capture_stream(
    path: *const c_char,
    flags: u32,
    out: *mut FFI_ArrowArrayStream,
    error: *mut *mut Error,
) -> c_int {
    let work = || {
        if out.is_null() {
            return Err(Problem::new("argument.null", "`out` is NULL"));
        }
        // SAFETY: it is not NULL, and the caller says that it can be written.
        unsafe { out.write(FFI_ArrowArrayStream::empty()) };
        if flags & !VERIFY != 0 {
            return Err(Problem::new("argument.flags", format!("this version does not know all flags of {flags:#x}")));
        }
        // SAFETY: the caller says so.
        let path = unsafe { file(path) }?;
        let options = CaptureOptions { verify: flags & VERIFY != 0, ..CaptureOptions::default() };
        let stream = CaptureStream::open(&path, &options)?;
        // SAFETY: as above. What is written over owns nothing.
        unsafe { out.write(FFI_ArrowArrayStream::new(Box::new(stream))) };
        Ok(0)
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, -1, work) }
}

/// The path of a file. Unix has paths that are not UTF-8.
///
/// # Safety
/// It is NULL or points to octets up to a zero, which nobody changes meanwhile.
unsafe fn file(path: *const c_char) -> Result<PathBuf, Problem> {
    #[cfg(unix)]
    if !path.is_null() {
        use std::os::unix::ffi::OsStrExt as _;
        // SAFETY: it is not NULL; the rest the caller says.
        let octets = unsafe { CStr::from_ptr(path) }.to_bytes();
        return Ok(std::ffi::OsStr::from_bytes(octets).into());
    }
    // SAFETY: the caller says so.
    unsafe { crate::boundary::text(path, "path") }.map(PathBuf::from)
}

impl From<StreamError> for Problem {
    fn from(error: StreamError) -> Self {
        Problem::new(error.code, error.message)
    }
}
