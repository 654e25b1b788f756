/* C that asn1tools generated: PDU is the start of a message's names. */
#include "oer.h"

#include "probe.h"

#define JOINED(one, other) one##other
#define NAMED(one, other) JOINED(one, other)

typedef struct NAMED(PDU, _t) message_type;

static void *load(const uint8_t *octets, size_t size)
{
    message_type *value = malloc(sizeof *value);
    if (NAMED(PDU, _decode)(value, octets, size) >= 0) {
        return value;
    }
    free(value);
    return NULL;
}

static void unload(void *value)
{
    free(value);
}

static int decode(const uint8_t *octets, size_t size)
{
    static message_type place;
    return NAMED(PDU, _decode)(&place, octets, size) >= 0;
}

static long encode(void *value, uint8_t *out, size_t size)
{
    return NAMED(PDU, _encode)(out, size, value);
}
