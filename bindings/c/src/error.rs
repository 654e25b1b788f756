//! Errors for C.

use std::any::Any;
use std::ffi::{CString, c_char};

use roadwire::{CodecError, Diagnostics, UnknownRules, UnknownSchema, UnknownType};

/// An error, and its place. Its texts are UTF-8, and as long there as the error is.
#[repr(C)]
pub struct Error {
    /// Stable, such as `integer.range`.
    code: *const c_char,
    /// The message with the place, for people.
    message: *const c_char,
    /// The field, from the outside in, such as `cam.generationDeltaTime`; empty if it is the whole
    /// message or no message.
    path: *const c_char,
    /// The bit of the input; -1 if there is none.
    bit: i64,
}

/// Frees an error. Nothing happens with NULL.
///
/// # Safety
/// `error` is NULL or comes from a function of this library, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_error_free(error: *mut Error) {
    if error.is_null() {
        return;
    }
    // SAFETY: it comes from `Problem::into_raw`, which made a box, and texts that have not changed
    // since.
    unsafe {
        let error = Box::from_raw(error);
        for text in [error.code, error.message, error.path] {
            drop(CString::from_raw(text.cast_mut()));
        }
    }
}

/// The content of an [`Error`].
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) path: String,
    pub(crate) bit: Option<usize>,
}

impl Problem {
    pub(crate) fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Problem { code: code.into(), message: message.into(), path: String::new(), bit: None }
    }

    /// The error for a panic, which is a bug in the library.
    pub(crate) fn panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic");
        Problem::new("internal.panic", format!("a bug in roadwire, please report it: {text}"))
    }

    /// For [`roadwire_error_free`].
    pub(crate) fn into_raw(self) -> *mut Error {
        let text =
            |text: String| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default().into_raw().cast_const();
        Box::into_raw(Box::new(Error {
            code: text(self.code),
            message: text(self.message),
            path: text(self.path),
            bit: self.bit.and_then(|bit| i64::try_from(bit).ok()).unwrap_or(-1),
        }))
    }
}

impl From<CodecError> for Problem {
    fn from(error: CodecError) -> Self {
        let mut message = error.to_string();
        if let CodecError::Text(text) = &error {
            message.push_str(&format!(", at line {}, column {}", text.line, text.column));
        }
        Problem { message, code: error.code().to_owned(), path: error.path().to_owned(), bit: error.bit() }
    }
}

impl From<UnknownSchema> for Problem {
    fn from(error: UnknownSchema) -> Self {
        Problem::new("schema.unknown", format!("{}; roadwire_shipped has the names", error.with_names()))
    }
}

impl From<UnknownRules> for Problem {
    fn from(error: UnknownRules) -> Self {
        Problem::new("rules.unknown", error.to_string())
    }
}

impl From<UnknownType> for Problem {
    fn from(error: UnknownType) -> Self {
        Problem::new(error.code(), error.with_names())
    }
}

impl From<Diagnostics> for Problem {
    fn from(found: Diagnostics) -> Self {
        Problem::new(found.code(), found.render().trim_end())
    }
}
