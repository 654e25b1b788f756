/* The C that roadwire generated: MESSAGE and RULES are names in it. */
#include "generated.h"

#define JOINED(one, way, other) one##way##other
#define NAMED(one, way, other) JOINED(one, way, other)
#define VALUE MESSAGE

static int read_into(VALUE *value, const uint8_t *octets, size_t size)
{
    rw_error error;
    return NAMED(MESSAGE, _decode_, RULES)(value, octets, size, &error) >= 0;
}

#include "in_place.h"

static long encode(void *value, uint8_t *out, size_t size)
{
    rw_error error;
    return NAMED(MESSAGE, _encode_, RULES)(value, out, size, &error);
}
