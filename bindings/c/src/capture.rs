//! `roadwire_capture_stream`: recorded traffic as an Arrow C stream.

use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;

use roadwire_columns::arrays::ffi_stream::FFI_ArrowArrayStream;
use roadwire_recording::{CaptureOptions, CaptureStream, StreamError, VerificationOptions};
use roadwire_security::dot2::ProfileChoice;

use crate::boundary::{answer, list};
use crate::error::{Error, Problem};

/// For `roadwire_capture`: signed messages have a verdict, in `security.verdict`.
pub const VERIFY: u32 = 2;
/// For `roadwire_capture`: all messages of IEEE 1609.2 must keep the profile of TS 103 097, not
/// only those in GeoNetworking and those of ETSI's applications. Signed messages have a verdict.
pub const PROFILE_ETSI: u32 = 4;
/// For `roadwire_capture`: no message has to keep the profile of TS 103 097. Signed messages have a
/// verdict.
pub const PROFILE_NONE: u32 = 8;

/// How a recording is read. All zero is how `NULL` reads it.
#[repr(C)]
pub struct Capture {
    /// 0, or `ROADWIRE_VERIFY` and one of `ROADWIRE_PROFILE_ETSI` and `ROADWIRE_PROFILE_NONE`,
    /// joined with `|`.
    flags: u32,
    /// So many threads work on it, on as many cores: 0 is one, and more than 1024 are 1024. Rows
    /// are the same, in the same order.
    jobs: u32,
    /// Files of trusted certificates, in COER. If it is not NULL, signed messages have a verdict,
    /// and it needs a chain of certificates up to one of these: without a file, no signer is
    /// trusted.
    trust: *const *const c_char,
    /// How many files these are.
    trust_count: usize,
}

/// Opens a recording (pcap or pcapng, gzipped or not) as an Arrow stream, with a row for each
/// frame: link layer, GeoNetworking, security, BTP, the octets of the message and the schema that
/// it was taken for. docs/arrow.md has the columns. `path` names the file; `-` is stdin. `options`
/// may be NULL.
///
/// Returns 0, and the stream is yours: call its `release` once, when you have read enough of it;
/// arrays that you took live on. -1 and an error if the file cannot be read (`file.io`), or is no
/// recording (`capture.` and more); the stream is then a released one, whose `release` is NULL. An
/// error in the middle of a file is reported by the stream: its `get_next` fails after the frames
/// before it, and its `get_last_error` ends with the error's code in brackets.
///
/// A stream is used by one thread at a time. It reads a few batches ahead, in a thread of its own,
/// so that memory is bounded. That thread ends soon after `release`, which does not wait for it: do
/// not unload the library.
///
/// # Safety
/// `path` is NULL or a text that ends with a zero octet; `options` is NULL or has `trust_count`
/// such texts; `out` is NULL or can be written, and its old value is not read; `error` is NULL or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_capture_stream(
    path: *const c_char,
    options: *const Capture,
    out: *mut FFI_ArrowArrayStream,
    error: *mut *mut Error,
) -> c_int {
    let work = || {
        if out.is_null() {
            return Err(Problem::new("argument.null", "`out` is NULL"));
        }
        // SAFETY: it is not NULL, and the caller says that it can be written.
        unsafe { out.write(FFI_ArrowArrayStream::empty()) };
        // SAFETY: the caller says so.
        let (path, options) =
            unsafe { (file(path, "path")?, options.as_ref().map_or(Ok(CaptureOptions::default()), |o| o.read())?) };
        let stream = CaptureStream::open(&path, &options)?;
        // SAFETY: as above. The overwritten value owns nothing.
        unsafe { out.write(FFI_ArrowArrayStream::new(Box::new(stream))) };
        Ok(0)
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, -1, work) }
}

impl Capture {
    /// # Safety
    /// `trust` points to `trust_count` texts that end with a zero octet, or is NULL and there are
    /// none.
    unsafe fn read(&self) -> Result<CaptureOptions, Problem> {
        let flags = self.flags;
        if flags & !(VERIFY | PROFILE_ETSI | PROFILE_NONE) != 0 {
            return Err(Problem::new("argument.flags", format!("this version does not know all flags of {flags:#x}")));
        }
        let profile = match (flags & PROFILE_ETSI != 0, flags & PROFILE_NONE != 0) {
            (true, true) => return Err(Problem::new("argument.flags", "expected one profile, found two")),
            (true, false) => Some(ProfileChoice::Etsi),
            (false, true) => Some(ProfileChoice::None),
            (false, false) => None,
        };
        // SAFETY: the caller says so.
        let files = unsafe { list(self.trust, self.trust_count, "trust") }?;
        // SAFETY: as above.
        let trust = files.iter().map(|&path| unsafe { file(path, "trust") }).collect::<Result<Vec<_>, _>>()?;
        Ok(CaptureOptions {
            verification: VerificationOptions {
                verify: flags & VERIFY != 0,
                trust: (!self.trust.is_null()).then_some(trust),
                profile,
                ..VerificationOptions::default()
            },
            jobs: usize::try_from(self.jobs).unwrap_or(usize::MAX),
            ..CaptureOptions::default()
        })
    }
}

/// The path of a file. Unix has paths that are not UTF-8.
///
/// # Safety
/// It is NULL or points to octets up to a zero, which do not change meanwhile.
unsafe fn file(path: *const c_char, name: &str) -> Result<PathBuf, Problem> {
    #[cfg(unix)]
    if !path.is_null() {
        use std::os::unix::ffi::OsStrExt as _;
        // SAFETY: it is not NULL; the rest the caller says.
        let octets = unsafe { CStr::from_ptr(path) }.to_bytes();
        return Ok(std::ffi::OsStr::from_bytes(octets).into());
    }
    // SAFETY: the caller says so.
    unsafe { crate::boundary::text(path, name) }.map(PathBuf::from)
}

impl From<StreamError> for Problem {
    fn from(error: StreamError) -> Self {
        Problem::new(error.code, error.message)
    }
}
