/* The rest of a program whose VALUE holds all its parts in place, after read_into. */
#include "probe.h"

static void *load(const uint8_t *octets, size_t size)
{
    VALUE *value = malloc(sizeof *value);
    if (read_into(value, octets, size)) {
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
    static VALUE place;
    return read_into(&place, octets, size);
}
