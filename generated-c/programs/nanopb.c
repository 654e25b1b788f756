/* nanopb: the message TYPE, with all parts in place. */
#include <pb_decode.h>
#include <pb_encode.h>

#include "message.pb.h"

#define JOINED(one, other) one##other
#define NAMED(one, other) JOINED(one, other)
#define VALUE TYPE

static int read_into(VALUE *value, const uint8_t *octets, size_t size)
{
    pb_istream_t stream = pb_istream_from_buffer(octets, size);
    return pb_decode(&stream, NAMED(TYPE, _fields), value);
}

#include "in_place.h"

static long encode(void *value, uint8_t *out, size_t size)
{
    pb_ostream_t stream = pb_ostream_from_buffer(out, size);
    return pb_encode(&stream, NAMED(TYPE, _fields), value) ? (long)stream.bytes_written : -1;
}
