/*
 * asn1c: the certificate study's certificates, in all encodings that it has. With FORK it is mouse07410's fork, which has APER and OER and one
 * function for all.
 */
#include "../protocol.h"

#include "Certificate.h"

#ifdef FORK
#include "asn_application.h"

static asn_TYPE_descriptor_t *const type = &asn_DEF_Certificate;
static enum asn_transfer_syntax rules;

static int start(const char *name, const char *message) {
    static const struct {
        const char *name;
        enum asn_transfer_syntax rules;
    } all[] = {
        {"uper", ATS_UNALIGNED_BASIC_PER}, {"aper", ATS_ALIGNED_BASIC_PER}, {"oer", ATS_BASIC_OER}, {"coer", ATS_CANONICAL_OER},
        {"der", ATS_DER}, {"ber", ATS_BER}, {"xer", ATS_BASIC_XER}, {"cxer", ATS_CANONICAL_XER},
    };
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (strcmp(name, all[at].name) == 0) {
            rules = all[at].rules;
            return strcmp(message, "set") == 0;
        }
    return 0;
}

static long encode(void *message, unsigned char *output) {
    asn_enc_rval_t done = asn_encode_to_buffer(NULL, rules, type, message, output, ROOM);
    return done.encoded > ROOM ? -1 : done.encoded;
}

static asn_dec_rval_t decode_into(void **message, const unsigned char *octets, size_t count) {
    return asn_decode(NULL, rules, type, message, octets, count);
}

static void release(void *message) {
    if (message)
        ASN_STRUCT_FREE(*type, message);
}
#else
static asn_TYPE_descriptor_t *const type = &asn_DEF_Certificate;
static enum { UPER, DER, XER, CXER } rules;

static int start(const char *name, const char *message) {
    const char *names[] = {"uper", "der", "ber", "xer", "cxer"};
    int of[] = {UPER, DER, DER, XER, CXER};
    for (int at = 0; at < 5; at++)
        if (strcmp(name, names[at]) == 0) {
            rules = of[at];
            return strcmp(message, "set") == 0;
        }
    return 0;
}

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
    if (message)
        type->free_struct(type, message, 0);
}
#endif

static size_t size(void) {
    return sizeof(Certificate_t);
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    void *message = NULL;
    asn_dec_rval_t done = decode_into(&message, octets, count);
    (void)loaded;
    if (done.code == RC_OK)
        return message;
    release(message);
    return NULL;
}
