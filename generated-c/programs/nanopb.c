/* nanopb: the message TYPE, with all parts in place. */
#include <pb_decode.h>
#include <pb_encode.h>

#include "message.pb.h"

#include "probe.h"

#define JOINED(one, other) one##other
#define NAMED(one, other) JOINED(one, other)

static int read_into(TYPE *value, const uint8_t *octets, size_t size)
{
    pb_istream_t stream = pb_istream_from_buffer(octets, size);
    return pb_decode(&stream, NAMED(TYPE, _fields), value);
}

static void *load(const uint8_t *octets, size_t size)
{
    TYPE *value = malloc(sizeof *value);
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
    static TYPE place;
    return read_into(&place, octets, size);
}

static long encode(void *value, uint8_t *out, size_t size)
{
    pb_ostream_t stream = pb_ostream_from_buffer(out, size);
    return pb_encode(&stream, NAMED(TYPE, _fields), value) ? (long)stream.bytes_written : -1;
}
