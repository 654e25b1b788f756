//! `roadwire_converter`.

use std::ffi::c_char;
use std::ptr;
use std::str::FromStr as _;
use std::sync::Arc;

use roadwire::{Check, Codec, CodecError, Rules, Transcoder, TypeId};

use crate::boundary::{answer, list, own, shared, text, text_or_null};
use crate::error::{Error, Problem};
use crate::schema::Schema;

/// Turns encodings of one type into other encodings. It is used by one thread at a time; threads
/// that work at the same time have one each.
pub struct Converter {
    /// Generated code, if there is some. It leaves rare and wrong messages to the interpreter.
    generated: Option<Transcoder>,
    /// Made when it is first needed, if there is generated code.
    interpreter: Option<Interpreter>,
    schema: Arc<roadwire::Schema>,
    type_id: TypeId,
    from: Rules,
    to: Rules,
    strict: bool,
    /// The octets that the interpreter wrote.
    output: Vec<u8>,
}

struct Interpreter {
    reader: Codec<'static>,
    writer: Codec<'static>,
}

/// The guarantees of the functions on threads.
const _: () = {
    const fn may_be_shared<T: Send + Sync>() {}
    const fn may_move<T: Send>() {}
    may_be_shared::<Schema>();
    may_move::<Converter>();
};

/// For `roadwire_converter_new`: takes only the canonical encoding, and only values that satisfy
/// all constraints. JER has no canonical form.
pub const STRICT: u32 = 1;

/// A converter of values of a type, `Type` or `Module.Type`; `type` may be NULL, for the schema's
/// first message. `from` and `to` are encoding rules: `uper`, `aper`, `oer`, `coer`, `ber`, `der`,
/// `cer`, `xer`, `cxer`, `exer`, `jer`, `protobuf`, `exi`, `exi-default`, `exi-merged`, `exi-flat`,
/// `exi-split`, `tls`, `cbor`. `flags` is 0 or `ROADWIRE_STRICT`.
///
/// NULL and an error if there is no such type, if there are no such rules, or if the type has no
/// encoding under them.
///
/// # Safety
/// `schema` is NULL or a schema; the texts are NULL or end with a zero octet; `error` is NULL or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_converter_new(
    schema: *const Schema,
    r#type: *const c_char,
    from: *const c_char,
    to: *const c_char,
    flags: u32,
    error: *mut *mut Error,
) -> *mut Converter {
    let work = || {
        // SAFETY: the caller says so.
        let (schema, name, from, to) =
            unsafe { (shared(schema, "schema")?, text_or_null(r#type, "type")?, text(from, "from")?, text(to, "to")?) };
        if flags & !STRICT != 0 {
            return Err(Problem::new("argument.flags", format!("this version does not know all flags of {flags:#x}")));
        }
        let (from, to) = (Rules::from_str(from)?, Rules::from_str(to)?);
        Ok(Box::into_raw(Box::new(Converter::new(schema, name, from, to, flags & STRICT != 0)?)))
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, ptr::null_mut(), work) }
}

/// Frees a converter. Nothing happens with NULL.
///
/// # Safety
/// `converter` is NULL or comes from `roadwire_converter_new`, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_converter_free(converter: *mut Converter) {
    if !converter.is_null() {
        // SAFETY: the caller says so.
        drop(unsafe { Box::from_raw(converter) });
    }
}

/// Writes the other encoding of a value, whose encoding must be all of the input, and returns how
/// many octets that are; -1 and an error if the input is wrong, with the bit and the field.
///
/// `needed`, if it is not NULL, is how many octets the other encoding has, or 0 if there is none.
/// If there is room for fewer, the output stays as it is, and the error is `output.full`; so
/// `output` may be NULL with the size 0, to ask for the size alone. Text is UTF-8 without a zero
/// octet at its end. Input and output may overlap.
///
/// # Safety
/// `converter` is NULL or a converter that no other thread uses; `input` has `input_size` octets,
/// and `output` room for `output_size`; `needed` and `error` are NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn roadwire_convert(
    converter: *mut Converter,
    input: *const u8,
    input_size: usize,
    output: *mut u8,
    output_size: usize,
    needed: *mut usize,
    error: *mut *mut Error,
) -> isize {
    let tell = |octets: usize| {
        if !needed.is_null() {
            // SAFETY: the caller says so.
            unsafe { needed.write(octets) };
        }
    };
    let work = || {
        tell(0);
        // SAFETY: the caller says so.
        let (converter, input) = unsafe { (own(converter, "converter")?, list(input, input_size, "input")?) };
        let octets = converter.convert(input)?;
        tell(octets.len());
        if octets.len() > output_size {
            let message = format!("the output has {} octets, and there is room for {output_size}", octets.len());
            return Err(Problem::new("output.full", message));
        }
        if output.is_null() && !octets.is_empty() {
            return Err(Problem::new("argument.null", "`output` is NULL"));
        }
        if !octets.is_empty() {
            // SAFETY: there is room for them, and they are the converter's own: no part of the
            // output. The input is not looked at any more.
            unsafe { ptr::copy_nonoverlapping(octets.as_ptr(), output, octets.len()) };
        }
        isize::try_from(octets.len()).map_err(|_| Problem::new("output.full", "the output is too long"))
    };
    // SAFETY: the caller says so.
    unsafe { answer(error, -1, work) }
}

impl Converter {
    fn new(schema: &Schema, name: Option<&str>, from: Rules, to: Rules, strict: bool) -> Result<Self, Problem> {
        let type_id = schema.schema.find(name)?;
        let definitions = &schema.schema.model().definitions;
        let full = definitions.iter().find(|(_, id)| **id == type_id).map(|(name, _)| name.to_string());
        let generated = schema.name.and_then(|shipped| Transcoder::shipped(shipped, full.as_deref(), from, to));
        let generated = if strict { generated.and_then(Transcoder::strict) } else { generated };
        let schema = Arc::clone(&schema.schema);
        let interpreter = match generated {
            Some(_) => None,
            None => Some(Interpreter::new(&schema, type_id, from, to, strict)?),
        };
        Ok(Converter { generated, interpreter, schema, type_id, from, to, strict, output: Vec::new() })
    }

    fn convert(&mut self, input: &[u8]) -> Result<&[u8], Problem> {
        if let Some(octets) = self.generated.as_mut().and_then(|code| code.convert(input)) {
            return Ok(octets);
        }
        let Interpreter { reader, writer } = match &mut self.interpreter {
            Some(made) => made,
            none => none.insert(Interpreter::new(&self.schema, self.type_id, self.from, self.to, self.strict)?),
        };
        self.output = reader.convert_checked(writer, input, Check::All)?.value;
        Ok(&self.output)
    }
}

impl Interpreter {
    fn new(
        schema: &Arc<roadwire::Schema>,
        type_id: TypeId,
        from: Rules,
        to: Rules,
        strict: bool,
    ) -> Result<Self, CodecError> {
        let reader = schema.shared_codec(type_id, from)?;
        let writer = schema.shared_codec(type_id, to)?;
        Ok(Interpreter { reader: if strict { reader.strict() } else { reader }, writer })
    }
}
