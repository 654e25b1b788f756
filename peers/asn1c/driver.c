/* asn1c: the type TYPE, whose header the compiler is told to include, in UPER, BER, DER, XER and canonical XER. */
#include "../protocol.h"

#define NAMED(prefix, name) prefix##name
#define OF(prefix, name) NAMED(prefix, name)

#define SUFFIXED(name) name##_t
#define STRUCT_OF(name) SUFFIXED(name)

static enum { UPER, DER, XER, CXER } rules;
static asn_TYPE_descriptor_t *const type = &OF(asn_DEF_, TYPE);

static int start(const char *name, const char *message) {
    const char *names[] = {"uper", "der", "ber", "xer", "cxer"};
    int of[] = {UPER, DER, DER, XER, CXER};
    (void)message;
    for (int at = 0; at < 5; at++)
        if (strcmp(name, names[at]) == 0) {
            rules = of[at];
            return 1;
        }
    return 0;
}

static void release(void *message) {
    type->free_struct(type, message, 0);
}

static size_t size(void) {
    return sizeof(STRUCT_OF(TYPE));
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

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    void *message = NULL;
    asn_dec_rval_t done;
    (void)loaded;
    switch (rules) {
    case UPER:
        done = uper_decode_complete(NULL, type, &message, octets, count);
        break;
    case DER:
        done = ber_decode(NULL, type, &message, octets, count);
        break;
    default:
        done = xer_decode(NULL, type, &message, octets, count);
    }
    if (done.code == RC_OK)
        return message;
    release(message);
    return NULL;
}
