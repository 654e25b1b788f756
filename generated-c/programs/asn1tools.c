/* C that asn1tools generated: PDU is the start of a message's names. */
#include "oer.h"

#define JOINED(one, other) one##other
#define NAMED(one, other) JOINED(one, other)
#define VALUE struct NAMED(PDU, _t)

static int read_into(VALUE *value, const uint8_t *octets, size_t size)
{
    return NAMED(PDU, _decode)(value, octets, size) >= 0;
}

#include "in_place.h"

static long encode(void *value, uint8_t *out, size_t size)
{
    return NAMED(PDU, _encode)(out, size, value);
}
