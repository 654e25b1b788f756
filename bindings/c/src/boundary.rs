//! Between C and Rust: pointers that come in, and panics and errors that go out.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use crate::error::{Error, Problem};

/// Does the work of a function. What goes wrong, also a panic, becomes an error and the answer
/// `failed`; otherwise the error is NULL.
///
/// A panic may leave only such state half done as is begun anew with each message.
///
/// # Safety
/// `error` is NULL or a place that can be written.
pub(crate) unsafe fn answer<T>(error: *mut *mut Error, failed: T, work: impl FnOnce() -> Result<T, Problem>) -> T {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Problem::panic(&*panic)));
    let (answer, problem) = match done {
        Ok(answer) => (answer, None),
        Err(problem) => (failed, Some(problem)),
    };
    if !error.is_null() {
        // SAFETY: the caller says so. The old value is not read.
        unsafe { error.write(problem.map_or(ptr::null_mut(), Problem::into_raw)) };
    }
    answer
}

/// The target of a pointer that must not be NULL.
///
/// # Safety
/// It is NULL or points to a `T` that does not change during `'a`.
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Problem> {
    // SAFETY: the caller says so.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// The same, to be changed.
///
/// # Safety
/// It is NULL or points to a `T` that has no other user during `'a`.
pub(crate) unsafe fn own<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Problem> {
    // SAFETY: the caller says so.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// A list. NULL is an empty one, if its size is 0.
///
/// # Safety
/// It is NULL or points to `size` times `T`, which do not change during `'a`.
pub(crate) unsafe fn list<'a, T>(pointer: *const T, size: usize, name: &str) -> Result<&'a [T], Problem> {
    if size == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    if size.checked_mul(size_of::<T>()).is_none_or(|octets| isize::try_from(octets).is_err()) {
        return Err(Problem::new(
            "argument.size",
            format!("the size of `{name}`, {size}, is more than memory can hold"),
        ));
    }
    // SAFETY: it is not NULL and no larger than memory; the rest the caller says.
    Ok(unsafe { slice::from_raw_parts(pointer, size) })
}

/// A text that ends with a zero octet.
///
/// # Safety
/// It is NULL or points to octets up to a zero, which do not change during `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Problem> {
    // SAFETY: the caller says so.
    unsafe { text_or_null(pointer, name) }?.ok_or_else(|| null(name))
}

/// The same where NULL is allowed.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn text_or_null<'a>(pointer: *const c_char, name: &str) -> Result<Option<&'a str>, Problem> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not NULL; the rest the caller says.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Problem::new("argument.utf8", format!("`{name}` is not UTF-8 text")))
}

fn null(name: &str) -> Problem {
    Problem::new("argument.null", format!("`{name}` is NULL"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::roadwire_error_free;

    #[test]
    fn panic_is_an_error() {
        let mut error = ptr::null_mut();
        // SAFETY: the place exists, and the error is freed once.
        unsafe {
            assert_eq!(answer(&raw mut error, -1, || panic!("zero \0 inside")), -1);
            roadwire_error_free(error);
            assert_eq!(answer(&raw mut error, -1, || Ok(7)), 7);
        }
        assert!(error.is_null());
    }

    #[test]
    fn list_longer_than_memory_is_refused() {
        // SAFETY: nothing is read, since the size is refused.
        let refused = unsafe { list(ptr::dangling::<u64>(), usize::MAX / 8, "input") }.unwrap_err();
        assert_eq!(refused.code, "argument.size");
    }
}
