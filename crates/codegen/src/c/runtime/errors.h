#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define RW_BEGIN extern "C" {
#define RW_END }
#else
#define RW_BEGIN
#define RW_END
#endif

/* Functions that codecs call in many places. Where a compiler is asked for little room (-Os) they are not inline; otherwise those
   for most components always are, if a register has 64 bits: with fewer, the code would be twice as large. */
#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)
#define RW_SMALL 1
#define RW_MANY __attribute__((noinline, unused)) static
#else
#define RW_SMALL 0
#define RW_MANY static inline
#endif
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !RW_SMALL && UINTPTR_MAX > 0xffffffff
#define RW_MOST __attribute__((always_inline)) static inline
#else
#define RW_MOST RW_MANY
#endif
/* The rest of such a function, for what is seldom: it takes a copy of what the caller has in registers. */
#ifdef __GNUC__
#define RW_APART __attribute__((noinline, unused)) static
#else
#define RW_APART static inline
#endif

/* What functions return for a value or for octets that they do not take. */
enum {
    RW_REJECTED = -1,           /* no more is known: the encoding rules are none of those that explain */
    RW_INPUT_TRUNCATED = -2,
    RW_OUTPUT_FULL = -3,
    RW_INTEGER_RANGE = -4,
    RW_INTEGER_WIDTH = -5,      /* of more bits than its type holds */
    RW_INTEGER_EMPTY = -6,
    RW_SIZE_RANGE = -7,
    RW_SIZE_CAPACITY = -8,      /* more than the type in memory has room for */
    RW_ENUMERATED_INDEX = -9,
    RW_ENUMERATED_NUMBER = -10,
    RW_CHOICE_INDEX = -11,
    RW_COMPONENT_MISSING = -12,
    RW_TEXT_ALPHABET = -13,
    RW_TEXT_FORM = -14,
    RW_TEXT_PART = -15,
    RW_OID_CONTENTS = -16,
    RW_UNUSED_BITS = -17,
    RW_ADDITIONS_COUNT = -18,
    RW_OPEN_TYPE_EMPTY = -19,
    RW_OPEN_TYPE_TRAILING = -20,
    RW_PACKED_FRAGMENT = -21,
    RW_OCTET_LENGTH = -22,
    RW_OCTET_QUANTITY = -23,
    RW_OCTET_TAG = -24,
    RW_LIMIT_DEPTH = -25,
    RW_MEMORY = -26,            /* the arena has too little of it */
    /* Those of C alone. */
    RW_KEPT_FULL = -27,         /* more additions of a later version than RW_KEPT */
    RW_KEPT_ORDER = -28,        /* kept additions that are known ones, or not in their order */
    RW_RARE = -29,              /* a rare form that C does not have */
    /* Basic rules. */
    RW_TLV_TAG_ZEROS = -30,
    RW_TLV_TAG_LOW = -31,
    RW_TLV_TAG_OTHER = -32,
    RW_TLV_TAG_COMPONENT = -33,
    RW_TLV_TAG_TRAILING = -34,
    RW_TLV_TAG_CHOICE = -35,
    RW_TLV_LENGTH = -36,
    RW_TLV_LENGTH_INDEFINITE = -37,
    RW_TLV_END_OF_CONTENTS = -38,
    RW_TLV_NUMBER = -39,
    RW_TLV_NULL = -40,
    RW_TLV_BOOLEAN = -41,
    RW_CONTENTS_TRAILING = -42,
    RW_BIT_STRING = -43,
    RW_TLV_SEGMENT = -57,
    RW_TLV_SEGMENT_UNUSED = -58,
    RW_TLV_TAG_SET = -93,
    RW_TLV_SET_REPEATED = -94,
    /* Protocol Buffers. */
    RW_FIELDS_VARINT = -44,
    RW_FIELDS_LENGTH = -45,
    RW_FIELDS_WIRE_TYPE = -46,
    RW_FIELDS_WIRE_TYPE_OTHER = -47,
    RW_FIELDS_NUMBER = -48,
    RW_FIELDS_UNKNOWN = -49,
    RW_FIELDS_LIMIT_GROUPS = -50,
    RW_FIELDS_GROUP_END = -51,
    RW_FIELDS_GROUP_OTHER = -52,
    RW_FIELDS_CHOICE_NONE = -53,
    RW_FIELDS_CHOICE_MANY = -54,
    RW_FIELDS_CHOICE_UNKNOWN = -55,
    RW_REAL = -90,
    RW_REAL_WIDTH = -91,        /* beyond the numbers of 64 bits */
    RW_REAL_RANGE = -92,
    RW_TIME_NUMBERS = -167,
    RW_CONSTRAINT = -56,        /* a constraint that encoding rules do not take into account */
    /* CBOR. */
    RW_CBOR_HEAD = -60,
    RW_CBOR_HEAD_SHORTEST = -61,
    RW_CBOR_INDEFINITE = -62,
    RW_CBOR_BREAK = -63,
    RW_CBOR_SIMPLE = -64,
    RW_CBOR_TYPE = -65,
    RW_CBOR_TAG = -66,
    RW_CBOR_KEY = -67,
    RW_CBOR_KEY_ORDER = -68,
    RW_CBOR_KEY_UNKNOWN = -69,
    RW_CBOR_DEFAULT = -70,
    RW_CBOR_GROUP_EMPTY = -71,
    RW_CBOR_CHOICE = -72,
    RW_CBOR_CHOICE_UNKNOWN = -73,
    RW_CBOR_BIGNUM = -74,
    RW_CBOR_FLOAT = -75,
    RW_CBOR_NAN = -76,
    RW_CBOR_BITS_UNUSED = -77,
    RW_CBOR_BITS_ZEROS = -78,
    RW_CBOR_TEXT = -79,
    RW_CBOR_ORDER = -80,
    /* The presentation language. */
    RW_VECTORS_NUMBER = -85,
    RW_VECTORS_FLAGS = -86,
    RW_VECTORS_LENGTH = -87,
    RW_VECTORS_ELEMENT_CUT = -88,
    /* Packed and octet rules: indexes of additions, and a number of an item, that are too long. */
    RW_PACKED_CHOICE = -95,
    RW_PACKED_ITEM = -96,
    RW_OCTET_ITEM = -97,
    /* JER. */
    RW_JSON_SYNTAX = -100,
    RW_JSON_STRING = -101,
    RW_JSON_UTF8 = -102,
    RW_JSON_NUMBER = -103,
    RW_VALUE_MISMATCH = -104,
    RW_JER_DUPLICATE = -105,
    RW_JER_UNKNOWN = -106,
    RW_JER_MISSING = -107,
    RW_JER_CHOICE = -108,
    RW_JER_ITEM = -109,
    RW_JER_INTEGER = -110,
    RW_JER_HEX = -111,
    RW_JER_BITS = -112,
    RW_JER_CONTAINING = -113,
    RW_JER_OPEN = -114,
    RW_JER_OID = -115,
    RW_LIMIT_LENGTH = -116,     /* a number in decimal digits has more than 4096 octets */
    RW_JER_REAL = -117,
    /* EXI. */
    RW_EXI_HEADER = -130,
    RW_EXI_VERSION = -131,
    RW_EXI_ROOT = -132,
    RW_EXI_CODE = -133,
    RW_EXI_END = -134,
    RW_EXI_ATTRIBUTE_TYPE = -135,
    RW_EXI_ATTRIBUTE_NIL = -136,
    RW_EXI_ATTRIBUTE_UNKNOWN = -137,
    RW_EXI_ATTRIBUTE_VALUE = -138,
    RW_EXI_ELEMENT = -139,
    RW_EXI_CHARACTERS = -140,
    RW_EXI_STRING = -141,
    RW_EXI_LENGTH = -142,
    RW_EXI_CHARACTER = -143,
    RW_EXI_OID = -144,
    RW_EXI_LIMIT_ARC = -145,
    RW_EXI_NUMBER = -165,
    RW_EXI_EXPONENT = -166,
    RW_EXI_OPTIONS_DOCUMENT = -146,
    RW_EXI_OPTIONS_NOT_STRICT = -147,
    RW_EXI_OPTIONS_STRICT = -148,
    RW_EXI_OPTIONS_ALIGNMENT = -149,
    RW_EXI_OPTIONS_SELF_CONTAINED = -150,
    RW_EXI_OPTIONS_STRING_LENGTH = -151,
    RW_EXI_OPTIONS_TABLE_CAPACITY = -152,
    RW_EXI_OPTIONS_DATATYPES = -153,
    RW_EXI_OPTIONS_UNKNOWN = -154,
    RW_EXI_OPTIONS_DOCTYPE = -155,
    RW_EXI_OPTIONS_PREFIXES = -156,
    RW_EXI_OPTIONS_LEXICAL = -157,
    RW_EXI_OPTIONS_COMMENTS = -158,
    RW_EXI_OPTIONS_INSTRUCTIONS = -159,
    RW_EXI_OPTIONS_BLOCK_SIZE = -160,
    RW_EXI_OPTIONS_COMPRESSION = -161,
    RW_EXI_OPTIONS_FRAGMENT = -162,
    RW_EXI_OPTIONS_NO_SCHEMA = -163,
    RW_EXI_OPTIONS_SCHEMA = -164
};

/* How many steps of a path an error holds. */
#ifndef RW_PATH
#define RW_PATH 16
#endif

/* A component or an alternative: those of a type follow each other, in the order of their numbers. */
typedef struct rw_field {
    const char *name; /* NULL: an element of a list; "": a type in an open type */
    uint32_t first;   /* the row of its own first one; 0: it has none */
} rw_field;

/* Why a value or octets are refused. */
typedef struct rw_error {
    int32_t code;  /* one of those above */
    uint32_t depth; /* how many steps lead to the field */
    uint64_t bit;  /* where it begins, from the start of the message */
    uint32_t path[RW_PATH]; /* the numbers of components and alternatives, and of elements of lists; the first ones */
    const rw_field *fields; /* all of the schema; NULL without names */
    uint32_t first;         /* the row of the message's first one */
    const uint8_t *start;   /* of the message that was read; NULL if one was written */
    uint64_t base;          /* the bit at which that starts: 0, but in memory of an arena */
} rw_error;

/* The code in words: the same as in other languages. */
RW_MANY const char *rw_code(int32_t code)
{
    switch (code) {
    case RW_INPUT_TRUNCATED: return "input.truncated";
    case RW_OUTPUT_FULL: return "output.full";
    case RW_INTEGER_RANGE: return "integer.range";
    case RW_INTEGER_WIDTH: return "integer.width";
    case RW_INTEGER_EMPTY: return "integer.empty";
    case RW_SIZE_RANGE: return "size.range";
    case RW_SIZE_CAPACITY: return "size.capacity";
    case RW_ENUMERATED_INDEX: return "enumerated.index";
    case RW_ENUMERATED_NUMBER: return "enumerated.number";
    case RW_CHOICE_INDEX: return "choice.index";
    case RW_COMPONENT_MISSING: return "component.missing";
    case RW_TEXT_ALPHABET: return "text.alphabet";
    case RW_TEXT_FORM: return "text.form";
    case RW_TEXT_PART: return "text.part";
    case RW_OID_CONTENTS: return "oid.contents";
    case RW_UNUSED_BITS: return "bit-string.unused-bits";
    case RW_ADDITIONS_COUNT: return "additions.count";
    case RW_OPEN_TYPE_EMPTY: return "open-type.empty";
    case RW_OPEN_TYPE_TRAILING: return "open-type.trailing";
    case RW_PACKED_FRAGMENT: return "packed.fragment";
    case RW_PACKED_CHOICE: return "packed.choice-index";
    case RW_PACKED_ITEM: return "packed.enumeration-index";
    case RW_OCTET_ITEM: return "octet.enumerated";
    case RW_OCTET_LENGTH: return "octet.length";
    case RW_OCTET_QUANTITY: return "octet.quantity";
    case RW_OCTET_TAG: return "octet.tag";
    case RW_LIMIT_DEPTH: return "limit.depth";
    case RW_TLV_TAG_ZEROS: return "tlv.tag.zeros";
    case RW_TLV_TAG_LOW: return "tlv.tag.low";
    case RW_TLV_TAG_OTHER: return "tlv.tag.other";
    case RW_TLV_TAG_COMPONENT: return "tlv.tag.component";
    case RW_TLV_TAG_SET: return "tlv.tag.set";
    case RW_TLV_SET_REPEATED: return "tlv.set.repeated";
    case RW_TLV_TAG_TRAILING: return "tlv.tag.trailing";
    case RW_TLV_TAG_CHOICE: return "tlv.tag.choice";
    case RW_TLV_LENGTH: return "tlv.length";
    case RW_TLV_LENGTH_INDEFINITE: return "tlv.length.indefinite";
    case RW_TLV_END_OF_CONTENTS: return "tlv.end-of-contents";
    case RW_TLV_NUMBER: return "tlv.number";
    case RW_TLV_NULL: return "tlv.null";
    case RW_TLV_BOOLEAN: return "tlv.boolean";
    case RW_TLV_SEGMENT: return "tlv.segment";
    case RW_TLV_SEGMENT_UNUSED: return "tlv.segment.unused-bits";
    case RW_CONTENTS_TRAILING: return "contents.trailing";
    case RW_BIT_STRING: return "bit-string.contents";
    case RW_REAL: return "real.contents";
    case RW_REAL_WIDTH: return "real.width";
    case RW_REAL_RANGE: return "real.range";
    case RW_TIME_NUMBERS: return "time.numbers";
    case RW_CONSTRAINT: return "constraint.value";
    case RW_FIELDS_VARINT: return "fields.varint";
    case RW_FIELDS_LENGTH: return "fields.length";
    case RW_FIELDS_WIRE_TYPE: return "fields.wire-type";
    case RW_FIELDS_WIRE_TYPE_OTHER: return "fields.wire-type.other";
    case RW_FIELDS_NUMBER: return "fields.number";
    case RW_FIELDS_UNKNOWN: return "fields.unknown";
    case RW_FIELDS_LIMIT_GROUPS: return "fields.limit.groups";
    case RW_FIELDS_GROUP_END: return "fields.group.end";
    case RW_FIELDS_GROUP_OTHER: return "fields.group.other";
    case RW_FIELDS_CHOICE_NONE: return "fields.choice.none";
    case RW_FIELDS_CHOICE_MANY: return "fields.choice.many";
    case RW_FIELDS_CHOICE_UNKNOWN: return "fields.choice.unknown";
    case RW_CBOR_HEAD: return "cbor.head";
    case RW_CBOR_HEAD_SHORTEST: return "cbor.head.shortest";
    case RW_CBOR_INDEFINITE: return "cbor.indefinite";
    case RW_CBOR_BREAK: return "cbor.break";
    case RW_CBOR_SIMPLE: return "cbor.simple";
    case RW_CBOR_TYPE: return "cbor.type";
    case RW_CBOR_TAG: return "cbor.tag";
    case RW_CBOR_KEY: return "cbor.key";
    case RW_CBOR_KEY_ORDER: return "cbor.key.order";
    case RW_CBOR_KEY_UNKNOWN: return "cbor.key.unknown";
    case RW_CBOR_DEFAULT: return "cbor.default";
    case RW_CBOR_GROUP_EMPTY: return "cbor.group.empty";
    case RW_CBOR_CHOICE: return "cbor.choice";
    case RW_CBOR_CHOICE_UNKNOWN: return "cbor.choice.unknown";
    case RW_CBOR_BIGNUM: return "cbor.bignum";
    case RW_CBOR_FLOAT: return "cbor.float";
    case RW_CBOR_NAN: return "cbor.float.nan";
    case RW_CBOR_BITS_UNUSED: return "cbor.bits.unused";
    case RW_CBOR_BITS_ZEROS: return "cbor.bits.zeros";
    case RW_CBOR_TEXT: return "cbor.text";
    case RW_CBOR_ORDER: return "cbor.order";
    case RW_VECTORS_NUMBER: return "vectors.number";
    case RW_VECTORS_FLAGS: return "vectors.flags";
    case RW_VECTORS_LENGTH: return "vectors.length";
    case RW_VECTORS_ELEMENT_CUT: return "vectors.element.cut";
    case RW_JSON_SYNTAX: return "json.syntax";
    case RW_JSON_STRING: return "json.string";
    case RW_JSON_UTF8: return "json.utf8";
    case RW_JSON_NUMBER: return "json.number";
    case RW_VALUE_MISMATCH: return "value.mismatch";
    case RW_JER_DUPLICATE: return "jer.member.duplicate";
    case RW_JER_UNKNOWN: return "jer.member.unknown";
    case RW_JER_MISSING: return "jer.member.missing";
    case RW_JER_CHOICE: return "jer.choice";
    case RW_JER_ITEM: return "jer.enumerated";
    case RW_JER_INTEGER: return "jer.integer";
    case RW_JER_HEX: return "jer.hex";
    case RW_JER_BITS: return "jer.bits";
    case RW_JER_CONTAINING: return "jer.containing";
    case RW_JER_REAL: return "jer.real";
    case RW_JER_OPEN: return "jer.open";
    case RW_JER_OID: return "jer.oid";
    case RW_LIMIT_LENGTH: return "limit.length";
    case RW_EXI_HEADER: return "events.header";
    case RW_EXI_VERSION: return "events.header.version";
    case RW_EXI_ROOT: return "events.root";
    case RW_EXI_CODE: return "events.code";
    case RW_EXI_END: return "events.end";
    case RW_EXI_ATTRIBUTE_TYPE: return "events.attribute.type";
    case RW_EXI_ATTRIBUTE_NIL: return "events.attribute.nil";
    case RW_EXI_ATTRIBUTE_UNKNOWN: return "events.attribute.unknown";
    case RW_EXI_ATTRIBUTE_VALUE: return "events.attribute.value";
    case RW_EXI_ELEMENT: return "events.element.other";
    case RW_EXI_CHARACTERS: return "events.characters";
    case RW_EXI_STRING: return "events.string.place";
    case RW_EXI_LENGTH: return "events.length";
    case RW_EXI_CHARACTER: return "events.character";
    case RW_EXI_OID: return "events.oid";
    case RW_EXI_LIMIT_ARC: return "events.limit.arc";
    case RW_EXI_NUMBER: return "events.number";
    case RW_EXI_EXPONENT: return "events.exponent";
    case RW_EXI_OPTIONS_DOCUMENT: return "events.options.document";
    case RW_EXI_OPTIONS_NOT_STRICT: return "events.options.not-strict";
    case RW_EXI_OPTIONS_STRICT: return "events.options.strict";
    case RW_EXI_OPTIONS_ALIGNMENT: return "events.options.alignment";
    case RW_EXI_OPTIONS_SELF_CONTAINED: return "events.options.self-contained";
    case RW_EXI_OPTIONS_STRING_LENGTH: return "events.options.string-length";
    case RW_EXI_OPTIONS_TABLE_CAPACITY: return "events.options.table-capacity";
    case RW_EXI_OPTIONS_DATATYPES: return "events.options.datatypes";
    case RW_EXI_OPTIONS_UNKNOWN: return "events.options.unknown";
    case RW_EXI_OPTIONS_DOCTYPE: return "events.options.doctype";
    case RW_EXI_OPTIONS_PREFIXES: return "events.options.prefixes";
    case RW_EXI_OPTIONS_LEXICAL: return "events.options.lexical-values";
    case RW_EXI_OPTIONS_COMMENTS: return "events.options.comments";
    case RW_EXI_OPTIONS_INSTRUCTIONS: return "events.options.instructions";
    case RW_EXI_OPTIONS_BLOCK_SIZE: return "events.options.block-size";
    case RW_EXI_OPTIONS_COMPRESSION: return "events.options.compression";
    case RW_EXI_OPTIONS_FRAGMENT: return "events.options.fragment";
    case RW_EXI_OPTIONS_NO_SCHEMA: return "events.options.no-schema";
    case RW_EXI_OPTIONS_SCHEMA: return "events.options.schema";
    case RW_MEMORY: return "limit.memory";
    case RW_KEPT_FULL: return "limit.kept";
    case RW_KEPT_ORDER: return "additions.order";
    case RW_RARE: return "form.rare";
    default: return "refused";
    }
}

RW_MANY void rw_push_text(char *text, size_t size, size_t *used, const char *more)
{
    for (; *more != 0; more++, (*used)++) {
        if (*used + 1 < size) {
            text[*used] = *more;
        }
    }
}

RW_MANY void rw_push_index(char *text, size_t size, size_t *used, uint32_t index)
{
    char digits[13] = {0};
    unsigned at = 11;
    digits[at] = ']';
    do {
        digits[--at] = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    digits[--at] = '[';
    rw_push_text(text, size, used, digits + at);
}

/* Writes the field's path, such as `a.b[3].c`, and an end; returns how many characters it has, also where they have no room. */
RW_MANY size_t rw_path(const rw_error *error, char *text, size_t size)
{
    size_t used = 0;
    uint32_t at, row = error->first;
    for (at = 0; at < error->depth && at < RW_PATH; at++) {
        bool is_list = error->fields == NULL || row == 0 || error->fields[row].name == NULL;
        row += is_list ? 0 : error->path[at];
        if (is_list) {
            rw_push_index(text, size, &used, error->path[at]);
        } else {
            rw_push_text(text, size, &used, used > 0 && error->fields[row].name[0] != 0 ? "." : "");
            rw_push_text(text, size, &used, error->fields[row].name);
        }
        row = error->fields == NULL || row == 0 ? 0 : error->fields[row].first;
    }
    if (size > 0) {
        text[used < size ? used : size - 1] = 0;
    }
    return used;
}

/* Before a walk that finds out what is wrong. */
RW_MANY void rw_explain(rw_error *error, const uint8_t *start, const rw_field *fields, uint32_t first)
{
    error->code = RW_REJECTED;
    error->depth = 0;
    error->bit = 0;
    error->fields = fields;
    error->first = first;
    error->start = start;
    error->base = 0;
}

/* Ends a walk with an error. */
RW_MANY int rw_refuse(rw_error *error, int code)
{
    error->code = code;
    return code;
}

/* A component, an alternative or an element begins at a bit. */
RW_MANY void rw_enter(rw_error *error, uint32_t step, uint64_t bit)
{
    if (error->depth < RW_PATH) {
        error->path[error->depth] = step;
    }
    error->depth++;
    error->bit = bit;
}

/* A value breaks a constraint, here and then inside of components, alternatives and elements, from the inside out. */
RW_MANY void rw_broken(rw_error *error)
{
    if (error != NULL) {
        error->code = RW_CONSTRAINT;
        error->depth = 0;
    }
}

RW_MANY void rw_around(rw_error *error, uint32_t step)
{
    uint32_t at;
    if (error == NULL) {
        return;
    }
    for (at = error->depth < RW_PATH - 1 ? error->depth : RW_PATH - 1; at > 0; at--) {
        error->path[at] = error->path[at - 1];
    }
    error->path[0] = step;
    error->depth++;
}
