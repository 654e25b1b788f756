// roadwire for C: road messages, and values of your own ASN.1, from one encoding to another; recorded traffic as an
// Arrow stream.
//
// Schemas may be shared by threads. A converter is used by one thread at a time, and need not stay with the thread
// that made it. Errors belong to who gets them.
//
// Where a function takes `error`, that is NULL or the place of a pointer. Without an error the pointer becomes NULL;
// what it was before is not looked at, so free an error before you use its place again.
//
// Made by cbindgen from bindings/c/src; bindings/c/run --bless makes it anew.

#ifndef ROADWIRE_H
#define ROADWIRE_H

#include <stddef.h>
#include <stdint.h>

// The Arrow C data interface and C stream interface. Their macros say that another header has declared them.
#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

#ifdef __cplusplus
}
#endif

// For `roadwire_capture`: signed messages have a verdict, in `security.verdict`.
#define ROADWIRE_VERIFY 2

// For `roadwire_capture`: all messages of IEEE 1609.2 must keep the profile of TS 103 097, not
// only those in GeoNetworking and those of ETSI's applications. Signed messages have a verdict.
#define ROADWIRE_PROFILE_ETSI 4

// For `roadwire_capture`: no message has to keep the profile of TS 103 097. Signed messages have a
// verdict.
#define ROADWIRE_PROFILE_NONE 8

// For `roadwire_converter_new`: takes only the canonical encoding, and only values that satisfy
// all constraints. JER has no canonical form.
#define ROADWIRE_STRICT 1

// Turns encodings of one type into other encodings. It is used by one thread at a time; threads
// that work at the same time have one each.
typedef struct roadwire_converter roadwire_converter;

// The types of some modules. Threads may share it.
typedef struct roadwire_schema roadwire_schema;

// How a recording is read. All zero is how `NULL` reads it.
typedef struct roadwire_capture {
  // 0, or `ROADWIRE_VERIFY` and one of `ROADWIRE_PROFILE_ETSI` and `ROADWIRE_PROFILE_NONE`,
  // joined with `|`.
  uint32_t flags;
  // So many threads work on it, on as many cores: 0 is one, and more than 1024 are 1024. Rows
  // are the same, in the same order.
  uint32_t jobs;
  // Files of trusted certificates, in COER. If it is not NULL, signed messages have a verdict,
  // and it needs a chain of certificates up to one of these: without a file, no signer is
  // trusted.
  const char *const *trust;
  // How many files these are.
  size_t trust_count;
} roadwire_capture;

// An error, and its place. Its texts are UTF-8, and as long there as the error is.
typedef struct roadwire_error {
  // Stable, such as `integer.range`.
  const char *code;
  // The message with the place, for people.
  const char *message;
  // The field, from the outside in, such as `cam.generationDeltaTime`; empty if it is the whole
  // message or no message.
  const char *path;
  // The bit of the input; -1 if there is none.
  int64_t bit;
} roadwire_error;

// The text of a module, or of several in one file.
typedef struct roadwire_module {
  // Its name in errors, such as that of its file.
  const char *name;
  // ASN.1 or the presentation language, in UTF-8.
  const char *text;
  // How many octets the text has.
  size_t size;
} roadwire_module;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.1.0`.
const char *roadwire_version(void);

// Opens a recording (pcap or pcapng, gzipped or not) as an Arrow stream, with a row for each
// frame: link layer, GeoNetworking, security, BTP, the octets of the message and the schema that
// it was taken for. docs/arrow.md has the columns. `path` names the file; `-` is stdin. `options`
// may be NULL.
//
// Returns 0, and the stream is yours: call its `release` once, when you have read enough of it;
// arrays that you took live on. -1 and an error if the file cannot be read (`file.io`), or is no
// recording (`capture.` and more); the stream is then a released one, whose `release` is NULL. An
// error in the middle of a file is reported by the stream: its `get_next` fails after the frames
// before it, and its `get_last_error` ends with the error's code in brackets.
//
// A stream is used by one thread at a time. It reads a few batches ahead, in a thread of its own,
// so that memory is bounded. That thread ends soon after `release`, which does not wait for it: do
// not unload the library.
//
// # Safety
// `path` is NULL or a text that ends with a zero octet; `options` is NULL or has `trust_count`
// such texts; `out` is NULL or can be written, and its old value is not read; `error` is NULL or
// can be written.
int roadwire_capture_stream(const char *path,
                            const struct roadwire_capture *options,
                            struct ArrowArrayStream *out,
                            struct roadwire_error **error);

// A converter of values of a type, `Type` or `Module.Type`; `type` may be NULL, for the schema's
// first message. `from` and `to` are encoding rules: `uper`, `aper`, `oer`, `coer`, `ber`, `der`,
// `cer`, `xer`, `cxer`, `exer`, `jer`, `protobuf`, `exi`, `exi-default`, `exi-merged`, `exi-flat`,
// `exi-split`, `tls`, `cbor`. `flags` is 0 or `ROADWIRE_STRICT`.
//
// NULL and an error if there is no such type, if there are no such rules, or if the type has no
// encoding under them.
//
// # Safety
// `schema` is NULL or a schema; the texts are NULL or end with a zero octet; `error` is NULL or
// can be written.
struct roadwire_converter *roadwire_converter_new(const struct roadwire_schema *schema,
                                                  const char *type,
                                                  const char *from,
                                                  const char *to,
                                                  uint32_t flags,
                                                  struct roadwire_error **error);

// Frees a converter. Nothing happens with NULL.
//
// # Safety
// `converter` is NULL or comes from `roadwire_converter_new`, and is not used afterwards.
void roadwire_converter_free(struct roadwire_converter *converter);

// Writes the other encoding of a value, whose encoding must be all of the input, and returns how
// many octets that are; -1 and an error if the input is wrong, with the bit and the field.
//
// `needed`, if it is not NULL, is how many octets the other encoding has, or 0 if there is none.
// If there is room for fewer, the output stays as it is, and the error is `output.full`; so
// `output` may be NULL with the size 0, to ask for the size alone. Text is UTF-8 without a zero
// octet at its end. Input and output may overlap.
//
// # Safety
// `converter` is NULL or a converter that no other thread uses; `input` has `input_size` octets,
// and `output` room for `output_size`; `needed` and `error` are NULL or can be written.
ptrdiff_t roadwire_convert(struct roadwire_converter *converter,
                           const uint8_t *input,
                           size_t input_size,
                           uint8_t *output,
                           size_t output_size,
                           size_t *needed,
                           struct roadwire_error **error);

// Frees an error. Nothing happens with NULL.
//
// # Safety
// `error` is NULL or comes from a function of this library, and is not used afterwards.
void roadwire_error_free(struct roadwire_error *error);

// The name of a shipped schema, such as `cam-1.4.1`, by its place from 0; NULL after the last one.
const char *roadwire_shipped(size_t place);

// A schema that roadwire ships, such as `cam-1.4.1`; NULL and an error (`schema.unknown`) for
// another name.
//
// # Safety
// `name` is NULL or a text that ends with a zero octet; `error` is NULL or can be written.
struct roadwire_schema *roadwire_schema_shipped(const char *name, struct roadwire_error **error);

// A schema of modules of your own, in any order; NULL and an error with everything that is wrong
// with them, by file, line and column.
//
// # Safety
// `modules` points to `count` of them, each with a name and a text of its size; `error` is NULL or
// can be written.
struct roadwire_schema *roadwire_schema_compile(const struct roadwire_module *modules,
                                                size_t count,
                                                struct roadwire_error **error);

// Frees a schema, also while there are converters of it. Nothing happens with NULL.
//
// # Safety
// `schema` is NULL or comes from a function of this library, and is not used afterwards.
void roadwire_schema_free(struct roadwire_schema *schema);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ROADWIRE_H */
