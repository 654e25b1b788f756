/* The enumeration of src/enumerate.rs with the runtime of C: the same inputs, and a digest of the results of each primitive.
   It is compiled with sanitizers; every buffer is an allocation of its own. */
#include "../../crates/codegen/src/c/runtime/errors.h"
#include "../../crates/codegen/src/c/runtime/values.h"
#include "../../crates/codegen/src/c/runtime/arena.h"
#include "../../crates/codegen/src/c/runtime/integers.h"
#include "../../crates/codegen/src/c/runtime/constraints.h"
#include "../../crates/codegen/src/c/runtime/streams.h"
#include "../../crates/codegen/src/c/runtime/packed.h"
#include "../../crates/codegen/src/c/runtime/fragments.h"
#include "../../crates/codegen/src/c/runtime/octets.h"
#include "../../crates/codegen/src/c/runtime/reals.h"
#include "../../crates/codegen/src/c/runtime/elements.h"
#include "../../crates/codegen/src/c/runtime/order.h"
#include "../../crates/codegen/src/c/runtime/element_reasons.h"
#include "../../crates/codegen/src/c/runtime/element_forms.h"
#include "../../crates/codegen/src/c/runtime/times.h"
#include "../../crates/codegen/src/c/runtime/moments.h"
#include "../../crates/codegen/src/c/runtime/moment_forms.h"
#include "../../crates/codegen/src/c/runtime/fields.h"
#include "../../crates/codegen/src/c/runtime/items.h"
#include "../../crates/codegen/src/c/runtime/vectors.h"
#include "../../crates/codegen/src/c/runtime/events.h"
#include "../../crates/codegen/src/c/runtime/event_forms.h"
#include "../../crates/codegen/src/c/runtime/arcs.h"
#include "../../crates/codegen/src/c/runtime/text.h"
#include "../../crates/codegen/src/c/runtime/text_forms.h"
#include "../../crates/codegen/src/c/runtime/text_reals.h"
#include "../../crates/codegen/src/c/runtime/integer_forms.h"
#include "../../crates/codegen/src/c/runtime/event_reals.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OCTETS = 24, BITS = OCTETS * 8 };

/* How many numbers of each width above 24 bits. */
enum { WIDE = 1 << 6 };

static unsigned all_bits;
static uint64_t some;

static uint64_t digest;

static void mix(uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x100000001b3);
    digest = digest << 23 | digest >> 41;
}

static rw_reader reader_at(const uint8_t *input, size_t at)
{
    rw_reader reader = rw_reader_of(input, OCTETS);
    reader.at = at;
    return reader;
}

static rw_input input_at(const uint8_t *input, size_t at)
{
    rw_input octets = rw_input_of(input, OCTETS);
    octets.at = at / 8;
    return octets;
}

/* A reader of bits, of octets: `call` uses `reader` or `input`, and sets `*value`. */
#define OF_BITS(name, call) \
    static int name(const uint8_t *octets, size_t at, uint64_t *value, size_t *end) \
    { \
        rw_reader at_bit = reader_at(octets, at), *reader = &at_bit; \
        if ((call) != 0) { \
            return RW_REJECTED; \
        } \
        *end = (size_t)reader->at; \
        return 0; \
    }
#define OF_OCTETS(name, call) \
    static int name(const uint8_t *octets, size_t at, uint64_t *value, size_t *end) \
    { \
        rw_input at_octet = input_at(octets, at), *input = &at_octet; \
        if ((call) != 0) { \
            return RW_REJECTED; \
        } \
        *end = input->at * 8; \
        return 0; \
    }
#define WRITES(name, call) \
    static int name(rw_writer *writer, uint64_t value) \
    { \
        return call; \
    }

OF_BITS(take_count, rw_take_count(reader, value))
WRITES(put_count, rw_put_count(writer, value))
OF_BITS(take_unsigned, rw_take_unsigned(reader, 0, value))
WRITES(put_unsigned, rw_put_unsigned(writer, value))
OF_BITS(take_signed, rw_take_signed(reader, value))
WRITES(put_signed, rw_put_signed(writer, value))
OF_BITS(take_groups, rw_take_groups(reader, value))
WRITES(put_groups, rw_put_groups(writer, value))
/* Writers have no lengths of 2^56 and more: no memory holds as much. */
OF_BITS(take_length, rw_take_length(reader, value) != 0 || *value >> 56 != 0)
OF_BITS(take_counted_unsigned, rw_take_counted_unsigned(reader, value))
OF_BITS(take_counted_signed, rw_take_counted_signed(reader, value))

static int put_length(rw_writer *writer, uint64_t value)
{
    uint64_t word, bits;
    rw_length_octets(value, &word, &bits);
    return rw_put_whole(writer, word, (uint32_t)bits);
}

/* A number after its length, as generated code writes it. */
static int put_counted(rw_writer *writer, uint64_t value, uint64_t octets)
{
    if (rw_put_whole(writer, octets, 8) != 0) {
        return RW_REJECTED;
    }
    return rw_put_whole(writer, rw_low_octets(value, octets), (uint32_t)octets * 8);
}

WRITES(put_counted_unsigned, put_counted(writer, value, rw_octets_below(value) + 1))
WRITES(put_counted_signed, put_counted(writer, value, rw_signed_octets(value)))

static int identifier(const uint8_t *octets, size_t at, uint64_t *value, size_t *end)
{
    uint32_t tag;
    bool is_constructed;
    size_t size = rw_identifier(octets + at / 8, OCTETS - at / 8, &tag, &is_constructed);
    if (size == 0) {
        return RW_REJECTED;
    }
    /* As in Rust: the class and "constructed" are the three highest bits. */
    *value = (uint64_t)(tag >> 30) << 30 | (uint64_t)is_constructed << 29 | (tag & 0x1fffffff);
    *end = at + size * 8;
    return 0;
}

static int put_identifier(rw_writer *writer, uint64_t value)
{
    uint64_t number = value & 0x1fffffff, top = value >> 29 << 5;
    unsigned shift = 28;
    if (number < 31) {
        return rw_put_whole(writer, top | number, 8);
    }
    if (rw_put_whole(writer, top | 0x1f, 8) != 0) {
        return RW_REJECTED;
    }
    while (shift > 0 && number >> shift == 0) {
        shift -= 7;
    }
    for (;; shift -= 7) {
        if (rw_put_whole(writer, (number >> shift & 0x7f) | (shift > 0 ? 0x80 : 0), 8) != 0) {
            return RW_REJECTED;
        }
        if (shift == 0) {
            return 0;
        }
    }
}

static int length(const uint8_t *octets, size_t at, uint64_t *value, size_t *end)
{
    size_t number = 0, size = rw_length(octets + at / 8, OCTETS - at / 8, &number);
    *value = number;
    *end = at + size * 8;
    return size == 0 ? RW_REJECTED : 0;
}

/* Lengths of 2^56 and more, which `rw_put_front` refuses, in nine octets. */
static int put_any_length(rw_writer *writer, uint64_t value)
{
    if (value >> 56 == 0) {
        return put_length(writer, value);
    }
    return rw_put_whole(writer, 0x88, 8) != 0 ? RW_REJECTED : rw_put_whole(writer, value, 64);
}

static int element(const uint8_t *octets, size_t at, uint64_t *value, size_t *end)
{
    *value = rw_element(octets + at / 8, OCTETS - at / 8);
    *end = at + *value * 8;
    return *value == 0 ? RW_REJECTED : 0;
}

WRITES(put_nothing, ((void)writer, (void)value, 0))
OF_OCTETS(take_number, rw_take_number(input, 2, 8, value))
WRITES(put_number, rw_put_number(writer, 2, value))
OF_OCTETS(take_varint, rw_take_varint(input, value))
WRITES(put_varint, rw_put_field(writer, 0, 0, value))
OF_OCTETS(take_head, rw_take_head(input, 0, value))
WRITES(put_head, rw_put_head(writer, 0, value))
OF_OCTETS(take_head_signed, rw_take_head_signed(input, value))
WRITES(put_head_signed, rw_put_head_signed(writer, value))

static int take_float(const uint8_t *octets, size_t at, uint64_t *value, size_t *end)
{
    rw_input input = input_at(octets, at);
    double number;
    if (rw_take_float(&input, &number) != 0) {
        return RW_REJECTED;
    }
    *value = rw_real_bits(number);
    *end = input.at * 8;
    return 0;
}

WRITES(put_float, rw_put_float(writer, rw_real_of(value)))
OF_OCTETS(take_vector_number, rw_take_vector_number(input, value))
WRITES(put_vector_number, rw_put_vector_number(writer, value))
OF_OCTETS(take_psid, rw_take_psid(input, value))
WRITES(put_psid, rw_put_psid(writer, value))

static int characters(const uint8_t *octets, size_t at, uint64_t *value, size_t *end)
{
    if (at / 8 + 3 > OCTETS) {
        return RW_REJECTED;
    }
    *value = rw_characters(rw_octets_of(octets + at / 8, 3));
    *end = at + 24;
    return *value == UINT64_MAX ? RW_REJECTED : 0;
}

static const struct primitive {
    const char *name;
    const char *front;
    unsigned front_octets, step;
    int (*read)(const uint8_t *octets, size_t at, uint64_t *value, size_t *end);
    int (*write)(rw_writer *writer, uint64_t value);
} primitives[] = {
    {"packed count", "", 0, 1, take_count, put_count},
    {"packed unsigned number", "", 0, 1, take_unsigned, put_unsigned},
    {"packed signed number", "", 0, 1, take_signed, put_signed},
    {"groups of seven bits", "", 0, 1, take_groups, put_groups},
    {"groups after eight", "\200\200\200\200\200\200\200\200", 8, 1, take_groups, put_groups},
    {"OER length", "", 0, 8, take_length, put_length},
    {"OER unsigned number", "", 0, 8, take_counted_unsigned, put_counted_unsigned},
    {"OER unsigned number of 3 octets", "\3", 1, 8, take_counted_unsigned, put_counted_unsigned},
    {"OER signed number", "", 0, 8, take_counted_signed, put_counted_signed},
    {"OER signed number of 3 octets", "\3", 1, 8, take_counted_signed, put_counted_signed},
    {"BER identifier", "", 0, 8, identifier, put_identifier},
    {"BER length", "", 0, 8, length, put_any_length},
    {"BER element", "", 0, 8, element, put_nothing},
    {"BER INTEGER", "\2", 1, 8, take_number, put_number},
    {"BER INTEGER of 3 octets", "\2\3", 2, 8, take_number, put_number},
    {"Protocol Buffers varint", "", 0, 8, take_varint, put_varint},
    {"varint after eight octets", "\200\200\200\200\200\200\200\200", 8, 8, take_varint, put_varint},
    {"CBOR head of an unsigned number", "", 0, 8, take_head, put_head},
    {"CBOR integer", "", 0, 8, take_head_signed, put_head_signed},
    {"CBOR float", "", 0, 8, take_float, put_float},
    {"vector number", "", 0, 8, take_vector_number, put_vector_number},
    {"vector PSID", "", 0, 8, take_psid, put_psid},
    {"UTF-8 of 3 octets", "", 0, 8, characters, put_nothing},
};

static void set(uint8_t *buffer, size_t at, size_t count, uint64_t value)
{
    size_t bit;
    for (bit = 0; bit < count; bit++) {
        unsigned shift = 7 - (unsigned)((at + bit) % 8);
        uint8_t *octet = &buffer[(at + bit) / 8];
        *octet = (uint8_t)((*octet & ~(1u << shift)) | (unsigned)(value >> (count - 1 - bit) & 1) << shift);
    }
}

static uint64_t inputs(size_t bits)
{
    return bits <= all_bits ? UINT64_C(1) << bits : bits > 24 ? WIDE : some;
}

static uint64_t input_of(size_t bits, uint64_t number)
{
    uint64_t step = bits <= all_bits ? 1 : bits > 24 ? UINT64_C(0x9e3779b97f4a7c15) : UINT64_C(0x9e3779b1);
    return number * step & ((UINT64_C(1) << bits) - 1);
}

static void fail(const char *name, size_t at, uint64_t value, const char *what)
{
    fprintf(stderr, "FAILS in C: %s at bit %lu, value %" PRIx64 ": %s\n", name, (unsigned long)at, value, what);
    exit(1);
}

static void one(const struct primitive *primitive, const uint8_t *input, size_t at, uint8_t *out, bool is_written)
{
    uint64_t value, written, again;
    size_t end, same, used, octet;
    rw_writer writer = rw_writer_of(out, OCTETS * 2);
    unsigned fill = (unsigned)(at % 8);
    uint8_t read_again[OCTETS];
    if (primitive->read(input, at, &value, &end) != 0 || end > BITS) {
        mix(UINT64_MAX);
        return;
    }
    mix(value);
    mix(end);
    if (!is_written) {
        return;
    }
    memset(out, 0xa5, OCTETS * 2);
    writer.stored = at / 8;
    writer.fill = fill;
    writer.waiting = 0xa5u >> (8 - fill);
    if (primitive->write(&writer, value) != 0 || rw_flush(&writer) != 0) {
        fail(primitive->name, at, value, "it is not written");
    }
    written = rw_position(&writer);
    if (written == at) {
        return;
    }
    used = (size_t)(written + 7) / 8;
    for (octet = 0; octet < OCTETS * 2; octet++) {
        /* Writers of whole octets store eight at once: up to seven after those that count. */
        if ((octet < at / 8 || octet >= used + (primitive->step == 8 ? 7 : 0)) && out[octet] != 0xa5) {
            fail(primitive->name, at, value, "writing changes other octets");
        }
    }
    if ((out[at / 8] ^ 0xa5) & (0xff00u >> fill) & 0xff) {
        fail(primitive->name, at, value, "writing changes bits before");
    }
    for (octet = at / 8; octet < used; octet++) {
        mix(out[octet]);
    }
    /* The buffer that is read again is as long as the first one. */
    if (used <= OCTETS) {
        memcpy(read_again, out, OCTETS);
        if (primitive->read(read_again, at, &again, &same) != 0 || again != value || same != written) {
            fail(primitive->name, at, value, "another value is read again");
        }
    }
}

static void enumerate(const struct primitive *primitive, const uint8_t *base, bool is_first)
{
    size_t front = primitive->front_octets * 8, at, number;
    uint8_t *input = (uint8_t *)malloc(OCTETS), *out = (uint8_t *)malloc(OCTETS * 2);
    if (input == NULL || out == NULL) {
        exit(2);
    }
    for (at = 0; at <= BITS - front; at += primitive->step) {
        size_t count = BITS - front - at < 24 ? BITS - front - at : 24;
        size_t first = (at + front) / 8 < OCTETS - 4 ? (at + front) / 8 : OCTETS - 4, shift, octet;
        uint64_t value;
        uint32_t window = 0;
        memcpy(input, base, OCTETS);
        for (number = 0; number < primitive->front_octets; number++) {
            set(input, at + number * 8, 8, (uint8_t)primitive->front[number]);
        }
        shift = 32 - (at + front - first * 8) - count;
        set(input, at + front, count, 0);
        for (octet = 0; octet < 4; octet++) {
            window = window << 8 | input[first + octet];
        }
        for (value = 0; value < inputs(count); value++) {
            uint32_t word = window | (count == 0 ? 0 : (uint32_t)(input_of(count, value) << shift));
            for (octet = 0; octet < 4; octet++) {
                input[first + octet] = (uint8_t)(word >> (24 - 8 * octet));
            }
            one(primitive, input, at, out, is_first && at < 8);
        }
    }
    free(input);
    free(out);
}

static void widths(uint8_t (*rests)[OCTETS])
{
    unsigned rest, width, fill;
    size_t at, octet;
    uint64_t number;
    uint8_t *input = (uint8_t *)malloc(OCTETS), *out;
    for (rest = 0; rest < 3; rest++) {
        for (width = 0; width <= (rest == 2 ? 57u : 16u); width++) {
            for (at = 0; at <= BITS - width; at++) {
                size_t first = at / 8 < OCTETS - 4 ? at / 8 : OCTETS - 4, shift = 32 - (at - first * 8) - width;
                uint64_t window = 0, word;
                memcpy(input, rests[rest], OCTETS);
                set(input, at, width, 0);
                for (octet = 0; octet < 4; octet++) {
                    window = window << 8 | input[first + octet];
                }
                for (number = 0; number < inputs(width); number++) {
                    rw_reader reader = reader_at(input, at);
                    uint64_t value = input_of(width, number), read;
                    if (width > 24) {
                        set(input, at, width, value);
                    } else {
                        word = window | value << shift;
                        for (octet = 0; octet < 4; octet++) {
                            input[first + octet] = (uint8_t)(word >> (24 - 8 * octet));
                        }
                    }
                    if (rw_take(&reader, width, &read) != 0 || read != value || reader.at != at + width) {
                        fail("widths", at, value, "other bits are read");
                    }
                    mix(read);
                }
                {
                    rw_reader reader = reader_at(input, at);
                    uint64_t left = BITS - at, read;
                    if (left < 57 && rw_take(&reader, (uint32_t)left + 1, &read) == 0) {
                        fail("widths", at, left, "bits after the end are read");
                    }
                }
            }
        }
    }
    free(input);
    for (fill = 0; fill <= 63; fill++) {
        for (width = 0; width <= 63; width++) {
            unsigned less;
            for (number = 0; number < inputs(width); number++) {
                for (less = 0; less < 2; less++) {
                    uint64_t value = input_of(width, number);
                    unsigned room = (fill + width + 7) / 8;
                    uint64_t before = UINT64_C(0x5a5aa5a53c3cc3c3) & ((UINT64_C(1) << fill) - 1);
                    uint8_t place[4 + 16 + 1];
                    rw_writer writer;
                    bool is_put;
                    room -= less > 0 && room > 0;
                    memset(place, 0xa5, sizeof place);
                    out = place;
                    writer = rw_writer_of(out, 4 + room);
                    writer.stored = 4;
                    writer.fill = fill;
                    writer.waiting = before;
                    is_put = rw_put(&writer, value, width) == 0 && rw_flush(&writer) == 0;
                    if (is_put != (room * 8 >= fill + width) || out[4 + room] != 0xa5 || out[3] != 0xa5) {
                        fail("widths", fill, value, "it is written outside of its room");
                    }
                    mix(is_put);
                    if (!is_put) {
                        continue;
                    }
                    for (octet = 4; octet < 4 + room; octet++) {
                        mix(out[octet]);
                    }
                }
            }
        }
    }
}

int main(int count, char **arguments)
{
    static uint8_t rests[3][OCTETS];
    uint64_t state = UINT64_C(0x123456789abcdef0);
    size_t at;
    unsigned rest;
    if (count != 4) {
        return 2;
    }
    all_bits = (unsigned)strtoul(arguments[1], NULL, 10);
    some = strtoul(arguments[2], NULL, 10);
    for (at = 0; at < OCTETS; at++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        rests[1][at] = 0xff;
        rests[2][at] = (uint8_t)(state >> 32);
    }
    digest = 0;
    if (strstr("widths", arguments[3]) != NULL) {
        widths(rests);
        printf("widths %016" PRIx64 "\n", digest);
    }
    for (at = 0; at < sizeof primitives / sizeof *primitives; at++) {
        if (strstr(primitives[at].name, arguments[3]) == NULL) {
            continue;
        }
        digest = 0;
        for (rest = 0; rest < 3; rest++) {
            enumerate(&primitives[at], rests[rest], rest == 0);
        }
        printf("%s %016" PRIx64 "\n", primitives[at].name, digest);
    }
    return 0;
}
