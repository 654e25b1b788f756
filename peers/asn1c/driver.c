/*
 * asn1c: the type TYPE, whose header the compiler is told to include, in UPER, BER, DER, XER and canonical XER. With FORK it is mouse07410's fork, which has APER
 * and OER as well. IS_SET is 1 for a type whose messages the laboratory makes, and 0, the usual value,
 * for one whose messages have names.
 */
#include "../protocol.h"

#ifndef IS_SET
#define IS_SET 0
#endif

#define NAMED(prefix, name) prefix##name
#define OF(prefix, name) NAMED(prefix, name)

#define SUFFIXED(name) name##_t
#define STRUCT_OF(name) SUFFIXED(name)

static asn_TYPE_descriptor_t *const type = &OF(asn_DEF_, TYPE);

#ifdef FORK
#include "asn_application.h"

static const struct {
    const char *name;
    enum asn_transfer_syntax rules;
} all[] = {
    {"uper", ATS_UNALIGNED_BASIC_PER}, {"aper", ATS_ALIGNED_BASIC_PER}, {"oer", ATS_BASIC_OER}, {"coer", ATS_CANONICAL_OER},
    {"der", ATS_DER}, {"ber", ATS_BER}, {"xer", ATS_BASIC_XER}, {"cxer", ATS_CANONICAL_XER},
};
static enum asn_transfer_syntax rules;

static long encode(void *message, unsigned char *output) {
    asn_enc_rval_t done = asn_encode_to_buffer(NULL, rules, type, message, output, ROOM);
    return done.encoded > ROOM ? -1 : done.encoded;
}

static asn_dec_rval_t decode_into(void **message, const unsigned char *octets, size_t count) {
    return asn_decode(NULL, rules, type, message, octets, count);
}

static void release(void *message) {
    ASN_STRUCT_FREE(*type, message);
}
#else
static enum { UPER, DER, XER, CXER } rules;
static const struct {
    const char *name;
    int rules;
} all[] = {{"uper", UPER}, {"der", DER}, {"ber", DER}, {"xer", XER}, {"cxer", CXER}};

struct sink {
    unsigned char *output;
    size_t used;
};

static int put(const void *data, size_t size, void *key) {
    struct sink *sink = key;
    if (size > ROOM - sink->used)
        return -1;
    memcpy(sink->output + sink->used, data, size);
    sink->used += size;
    return 0;
}

static long encode(void *message, unsigned char *output) {
    asn_enc_rval_t done;
    struct sink sink = {output, 0};
    switch (rules) {
    case UPER:
        done = uper_encode_to_buffer(type, message, output, ROOM);
        return done.encoded < 0 ? -1 : (done.encoded + 7) / 8;
    case DER:
        return der_encode_to_buffer(type, message, output, ROOM).encoded;
    default:
        done = xer_encode(type, message, rules == CXER ? XER_F_CANONICAL : XER_F_BASIC, put, &sink);
        return done.encoded < 0 ? -1 : (long)sink.used;
    }
}

static asn_dec_rval_t decode_into(void **message, const unsigned char *octets, size_t count) {
    switch (rules) {
    case UPER:
        return uper_decode_complete(NULL, type, message, octets, count);
    case DER:
        return ber_decode(NULL, type, message, octets, count);
    default:
        return xer_decode(NULL, type, message, octets, count);
    }
}

static void release(void *message) {
    type->free_struct(type, message, 0);
}
#endif

static int start(const char *name, const char *message) {
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(name, all[at].name) == 0) {
            rules = all[at].rules;
#ifndef FORK
            if (rules == DER && sizeof(long) == 4) {
                fputs("with words of 32 bits it writes a number above 2^31 - 1 as a negative one\n", stderr);
                return 0;
            }
#endif
            return (strcmp(message, "set") == 0) == IS_SET;
        }
    return 0;
}

static size_t size(void) {
    return sizeof(STRUCT_OF(TYPE));
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    void *message = NULL;
    asn_dec_rval_t done = decode_into(&message, octets, count);
    (void)loaded;
    if (done.code == RC_OK)
        return message;
    if (message)
        release(message);
    return NULL;
}
