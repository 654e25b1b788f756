//! `roadwire_schema`.

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Arc, OnceLock};

use roadwire::{SCHEMAS, Source};

use crate::boundary::{answer, list, text};
use crate::error::{Error, Problem};

/// The types of some modules. Threads may share it.
pub struct Schema {
    pub(crate) schema: Arc<roadwire::Schema>,
    /// Of a shipped schema.
    pub(crate) name: Option<&'static str>,
}

/// The text of a module, or of several in one file.
#[repr(C)]
pub struct Module {
    /// Its name in errors, such as that of its file.
    name: *const c_char,
    /// ASN.1 or the presentation language, in UTF-8.
    text: *const c_char,
    /// How many octets the text has.
    size: usize,
}

/// The name of a shipped schema, such as `cam-1.4.1`, by its place from 0; NULL after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn roadwire_shipped(place: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = NAMES.get_or_init(|| SCHEMAS.iter().filter_map(|schema| CString::new(schema.name).ok()).collect());
    names.get(place).map_or(ptr::null(), |name| name.as_ptr())
}

/// A schema that roadwire ships, such as `cam-1.4.1`; NULL and an error (`schema.unknown`) for
/// another name.
///
/// # Safety
/// `name` is NULL or a text that ends with a zero octet; `error` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_schema_shipped(name: *const c_char, error: *mut *mut Error) -> *mut Schema {
    let work = || {
        // SAFETY: the caller says so.
        let name = unsafe { text(name, "name") }?;
        let schema = roadwire::Schema::shipped(name)?;
        let name = SCHEMAS.iter().find(|entry| entry.name == name).map(|entry| entry.name);
        Ok(Box::into_raw(Box::new(Schema { schema: Arc::new(schema), name })))
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, ptr::null_mut(), work) }
}

/// A schema of modules of your own, in any order; NULL and an error with everything that is wrong
/// with them, by file, line and column.
///
/// # Safety
/// `modules` points to `count` of them, each with a name and a text of its size; `error` is NULL or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_schema_compile(
    modules: *const Module,
    count: usize,
    error: *mut *mut Error,
) -> *mut Schema {
    let work = || {
        // SAFETY: the caller says so.
        let modules = unsafe { list(modules, count, "modules") }?;
        let source = |module: &Module| {
            // SAFETY: the caller says so.
            let (name, text) =
                unsafe { (text(module.name, "name"), list(module.text.cast::<u8>(), module.size, "text")) };
            Ok(Source::new(name?, text?))
        };
        let sources = modules.iter().map(source).collect::<Result<_, Problem>>()?;
        let schema = Arc::new(roadwire::Schema::compile(sources)?);
        Ok(Box::into_raw(Box::new(Schema { schema, name: None })))
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, ptr::null_mut(), work) }
}

/// Frees a schema, also while there are converters of it. Nothing happens with NULL.
///
/// # Safety
/// `schema` is NULL or comes from a function of this library, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_schema_free(schema: *mut Schema) {
    if !schema.is_null() {
        // SAFETY: the caller says so.
        drop(unsafe { Box::from_raw(schema) });
    }
}
