/* The C that roadwire generated: MESSAGE and RULES are names in it. */
#include "generated.h"

#include "probe.h"

#define JOINED(one, way, other) one##way##other
#define NAMED(one, way, other) JOINED(one, way, other)

static ptrdiff_t read_into(MESSAGE *value, const uint8_t *octets, size_t size)
{
    rw_error error;
    return NAMED(MESSAGE, _decode_, RULES)(value, octets, size, &error);
}

static void *load(const uint8_t *octets, size_t size)
{
    MESSAGE *value = malloc(sizeof *value);
    if (read_into(value, octets, size) >= 0) {
        return value;
    }
    free(value);
    return NULL;
}

static int decode(const uint8_t *octets, size_t size)
{
    static MESSAGE place;
    return read_into(&place, octets, size) >= 0;
}

static long encode(void *value, uint8_t *out, size_t size)
{
    rw_error error;
    return NAMED(MESSAGE, _encode_, RULES)(value, out, size, &error);
}

static void unload(void *value)
{
    free(value);
}
