/* asn1c: the type TYPE in unaligned PER. Each message is decoded anew and freed, as its users must. */
#include "probe.h"

#define JOINED(one, other) one##other
#define NAMED(one, other) JOINED(one, other)

static asn_TYPE_descriptor_t *const type = &NAMED(asn_DEF_, TYPE);

static void *load(const uint8_t *octets, size_t size)
{
    void *value = NULL;
    if (uper_decode_complete(NULL, type, &value, octets, size).code == RC_OK) {
        return value;
    }
    ASN_STRUCT_FREE(*type, value);
    return NULL;
}

static void unload(void *value)
{
    ASN_STRUCT_FREE(*type, value);
}

static int decode(const uint8_t *octets, size_t size)
{
    void *value = load(octets, size);
    if (value == NULL) {
        return 0;
    }
    unload(value);
    return 1;
}

static long encode(void *value, uint8_t *out, size_t size)
{
    asn_enc_rval_t result = uper_encode_to_buffer(type, value, out, size);
    return result.encoded < 0 ? -1 : (result.encoded + 7) / 8;
}
