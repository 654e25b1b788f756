/* The runtime of codecs that roadwire generates: bits into octets, and back. C99, no heap, no globals. */
#ifndef ROADWIRE_RT_H
#define ROADWIRE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define RW_BEGIN extern "C" {
#define RW_END }
#else
#define RW_BEGIN
#define RW_END
#endif

/* What a function inside of a codec returns for a value or for octets that it does not take. */
#define RW_REJECTED (-1)

/* How many additions of a later version a record keeps. */
#ifndef RW_KEPT
#define RW_KEPT 4
#endif

/* Why a value or octets are refused. */
typedef struct rw_error {
    int32_t code; /* RW_REJECTED */
} rw_error;

/* An addition that the schema does not know: octets of the input. */
typedef struct rw_addition {
    uint32_t index;
    size_t size;
    const uint8_t *octets;
} rw_addition;

typedef struct rw_kept {
    uint32_t count;
    rw_addition items[RW_KEPT];
} rw_kept;

/* Up to 64 bits: the last one is the lowest. */
typedef struct rw_bits {
    uint64_t value;
    uint8_t bits;
} rw_bits;

/* Octets of the input, which may begin at any bit of an octet: rw_octet and rw_copy give them. */
typedef struct rw_octets {
    const uint8_t *octets;
    size_t size;
    uint8_t bit; /* 0 to 7: the first one begins behind so many bits of octets[0] */
} rw_octets;

/* Bits of the input, in the same way. */
typedef struct rw_bit_string {
    const uint8_t *octets;
    size_t bits;
    uint8_t bit;
} rw_bit_string;

static inline rw_bit_string rw_bit_string_of(const uint8_t *octets, size_t bits)
{
    rw_bit_string all = {octets, bits, 0};
    return all;
}

static inline unsigned rw_bit(const rw_bit_string *of, size_t at)
{
    size_t bit = of->bit + at;
    return of->octets[bit / 8] >> (7 - bit % 8) & 1u;
}

/* Whether these are the first bits of octets. */
static inline bool rw_same_bits(const rw_bit_string *of, const uint8_t *octets, size_t bits)
{
    rw_bit_string other = rw_bit_string_of(octets, bits);
    size_t at;
    for (at = 0; at < bits && of->bits == bits; at++) {
        if (rw_bit(of, at) != rw_bit(&other, at)) {
            return false;
        }
    }
    return of->bits == bits;
}

/* Up to 64 bits as a word. */
static inline int rw_word_of(const rw_bit_string *of, rw_bits *word)
{
    size_t at;
    if (of->bits > 64) {
        return RW_REJECTED;
    }
    word->bits = (uint8_t)of->bits;
    word->value = 0;
    for (at = 0; at < of->bits; at++) {
        word->value = word->value << 1 | rw_bit(of, at);
    }
    return 0;
}

/* Text of the input in UTF-8, without an end. */
typedef rw_octets rw_text;

static inline rw_octets rw_octets_of(const uint8_t *octets, size_t size)
{
    rw_octets all = {octets, size, 0};
    return all;
}

static inline uint8_t rw_octet(rw_octets of, size_t at)
{
    return of.bit == 0 ? of.octets[at] : (uint8_t)(of.octets[at] << of.bit | of.octets[at + 1] >> (8 - of.bit));
}

/* Copies of.size octets. */
static inline void rw_copy(rw_octets of, uint8_t *out)
{
    size_t at;
    for (at = 0; at < of.size; at++) {
        out[at] = rw_octet(of, at);
    }
}

static inline ptrdiff_t rw_fail(rw_error *error)
{
    if (error != NULL) {
        error->code = RW_REJECTED;
    }
    return RW_REJECTED;
}

/* A number in two's complement. */
static inline int64_t rw_signed(uint64_t word)
{
    return word <= (uint64_t)INT64_MAX ? (int64_t)word : -(int64_t)(UINT64_MAX - word) - 1;
}

static inline uint64_t rw_masked(const rw_bits *bits)
{
    return bits->bits == 0 ? 0 : bits->value & (UINT64_MAX >> ((64u - bits->bits) & 63u));
}

/* Eight octets as a number, the first one highest. */
static inline uint64_t rw_load(const uint8_t *octets)
{
    return (uint64_t)octets[0] << 56 | (uint64_t)octets[1] << 48 | (uint64_t)octets[2] << 40 | (uint64_t)octets[3] << 32
        | (uint64_t)octets[4] << 24 | (uint64_t)octets[5] << 16 | (uint64_t)octets[6] << 8 | (uint64_t)octets[7];
}

/* The same where there are only so many; zeros follow them. */
static inline uint64_t rw_load_few(const uint8_t *octets, size_t count)
{
    uint64_t word = 0;
    for (size_t at = 0; at < 8; at++) {
        word = word << 8 | (at < count ? octets[at] : 0u);
    }
    return word;
}

static inline void rw_store(uint8_t *octets, uint64_t word)
{
    for (unsigned at = 0; at < 8; at++) {
        octets[at] = (uint8_t)(word >> (56 - 8 * at));
    }
}

/* Up to 64 bits at a bit of an array of so many octets. */
static inline uint64_t rw_bits_at(const uint8_t *octets, size_t size, size_t bit, unsigned bits)
{
    size_t from = bit / 8;
    unsigned left = (unsigned)(bit % 8);
    uint64_t word = from + 8 <= size ? rw_load(octets + from) : rw_load_few(octets + from, size - from);
    word <<= left;
    if (left > 0 && from + 8 < size) {
        word |= (uint64_t)octets[from + 8] >> (8 - left);
    }
    return bits == 0 ? 0 : word >> (64 - bits);
}

/* A writer: up to 63 bits wait in a register. */
typedef struct rw_writer {
    uint8_t *out;
    size_t size;
    size_t stored;
    uint64_t waiting;
    uint32_t fill;
} rw_writer;

static inline rw_writer rw_writer_of(uint8_t *out, size_t size)
{
    rw_writer writer = {out, size, 0, 0, 0};
    return writer;
}

static inline uint64_t rw_position(const rw_writer *writer)
{
    return (uint64_t)writer->stored * 8 + writer->fill;
}

/* Writes the lowest bits of a number, up to 63. Those above them are 0. */
static inline int rw_put(rw_writer *writer, uint64_t value, uint32_t bits)
{
    uint32_t room = 64 - writer->fill, rest;
    if (bits < room) {
        writer->waiting = writer->waiting << bits | value;
        writer->fill += bits;
        return 0;
    }
    if (writer->size - writer->stored < 8) {
        return RW_REJECTED;
    }
    rest = bits - room;
    /* At least one bit waits, since there are at most 63 more: no shift is by 64. */
    rw_store(writer->out + writer->stored, writer->waiting << room | value >> rest);
    writer->stored += 8;
    writer->waiting = value;
    writer->fill = rest;
    return 0;
}

/* Up to 64 bits. */
static inline int rw_put_wide(rw_writer *writer, uint64_t value, uint32_t bits)
{
    if (bits <= 63) {
        return rw_put(writer, value, bits);
    }
    return rw_put(writer, value >> 32, 32) != 0 ? RW_REJECTED : rw_put(writer, value & 0xffffffffu, 32);
}

static inline int rw_align(rw_writer *writer)
{
    return rw_put(writer, 0, (8 - writer->fill % 8) % 8);
}

/* Stores all bits that wait, and pads the last octet with zeros: its bits still wait. */
static inline int rw_flush(rw_writer *writer)
{
    uint32_t octets = (writer->fill + 7) / 8, at;
    uint64_t word;
    if (octets == 0) {
        return 0;
    }
    if (writer->size - writer->stored < octets) {
        return RW_REJECTED;
    }
    word = writer->waiting << (64 - writer->fill);
    for (at = 0; at < octets; at++) {
        writer->out[writer->stored + at] = (uint8_t)(word >> (56 - 8 * at));
    }
    writer->stored += writer->fill / 8;
    writer->fill %= 8;
    writer->waiting &= 0xff;
    return 0;
}

/* Ends a message: one octet at least. */
static inline int rw_finish(rw_writer *writer)
{
    if (rw_position(writer) == 0 && rw_put(writer, 0, 8) != 0) {
        return RW_REJECTED;
    }
    if (rw_flush(writer) != 0) {
        return RW_REJECTED;
    }
    writer->stored += writer->fill > 0;
    writer->fill = 0;
    return 0;
}

static inline int rw_put_octets(rw_writer *writer, rw_octets of)
{
    size_t at;
    if (writer->fill % 8 == 0 && of.bit == 0) {
        if (rw_flush(writer) != 0 || writer->size - writer->stored < of.size) {
            return RW_REJECTED;
        }
        if (of.size > 0) {
            memcpy(writer->out + writer->stored, of.octets, of.size);
        }
        writer->stored += of.size;
        return 0;
    }
    for (at = 0; at < of.size; at++) {
        if (rw_put(writer, rw_octet(of, at), 8) != 0) {
            return RW_REJECTED;
        }
    }
    return 0;
}

static inline int rw_put_bits(rw_writer *writer, const rw_bit_string *of)
{
    size_t at;
    for (at = 0; at < of->bits; at++) {
        if (rw_put(writer, rw_bit(of, at), 1) != 0) {
            return RW_REJECTED;
        }
    }
    return 0;
}

/* A length determinant below 16K (X.691 clause 11.9). */
static inline int rw_put_count(rw_writer *writer, uint64_t count)
{
    if (count < 128) {
        return rw_put(writer, count, 8);
    }
    return count < 16384 ? rw_put(writer, 0x8000u | count, 16) : RW_REJECTED;
}

/* A number in as few octets as it takes, after their number (X.691 clause 11.7, 11.8). */
static inline int rw_put_few(rw_writer *writer, uint64_t word, uint32_t octets)
{
    if (rw_put(writer, octets, 8) != 0) {
        return RW_REJECTED;
    }
    return rw_put_wide(writer, word & (UINT64_MAX >> (64 - octets * 8)), octets * 8);
}

static inline int rw_put_unsigned(rw_writer *writer, uint64_t word)
{
    uint32_t octets = 1;
    while (octets < 8 && word >> (octets * 8) != 0) {
        octets++;
    }
    return rw_put_few(writer, word, octets);
}

/* In two's complement. */
static inline int rw_put_signed(rw_writer *writer, uint64_t word)
{
    uint64_t magnitude = word >> 63 != 0 ? ~word : word;
    uint32_t octets = 1;
    while (octets < 8 && magnitude >> (octets * 8 - 1) != 0) {
        octets++;
    }
    return rw_put_few(writer, word, octets);
}

/* The code of the character that begins at an octet, and how many octets it has: 0 if it is none. */
static inline uint32_t rw_character(rw_octets of, size_t at, unsigned *octets)
{
    uint8_t first = rw_octet(of, at);
    unsigned more = first < 0x80 ? 0 : first < 0xc2 ? 4 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 4, next;
    uint32_t code = more == 0 ? first : first & (0x3fu >> more);
    *octets = 0;
    if (more > 3 || of.size - at <= more) {
        return 0;
    }
    for (next = 1; next <= more; next++) {
        uint8_t octet = rw_octet(of, at + next);
        if ((octet & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (octet & 0x3fu);
    }
    if ((more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) || (more == 3 && (code < 0x10000 || code > 0x10ffff))) {
        return 0;
    }
    *octets = more + 1;
    return code;
}

/* How many characters a text has; UINT64_MAX if it is none. */
static inline uint64_t rw_characters(rw_text text)
{
    uint64_t count = 0;
    size_t at = 0;
    while (at < text.size) {
        unsigned octets;
        (void)rw_character(text, at, &octets);
        if (octets == 0) {
            return UINT64_MAX;
        }
        at += octets;
        count++;
    }
    return count;
}

/* UTF-8 after its length. */
static inline int rw_put_text(rw_writer *writer, rw_text text)
{
    if (rw_characters(text) == UINT64_MAX || rw_put_count(writer, text.size) != 0) {
        return RW_REJECTED;
    }
    return rw_put_octets(writer, text);
}

/* Characters of so many bits each: their places in an alphabet of ranges, or their codes (X.691 clause 30.5). */
static inline int rw_put_characters(
    rw_writer *writer, rw_text text, uint64_t bits, bool indexed, const uint32_t *alphabet, size_t count)
{
    size_t at = 0;
    while (at < text.size) {
        unsigned octets;
        uint32_t code = rw_character(text, at, &octets), before = 0;
        size_t range;
        for (range = 0; range < count; range += 2) {
            if (code >= alphabet[range] && code <= alphabet[range + 1]) {
                break;
            }
            before += alphabet[range + 1] - alphabet[range] + 1;
        }
        if (octets == 0 || range >= count) {
            return RW_REJECTED;
        }
        if (rw_put(writer, indexed ? before + (code - alphabet[range]) : code, (uint32_t)bits) != 0) {
            return RW_REJECTED;
        }
        at += octets;
    }
    return 0;
}

/* Ends an open type that begins at a bit with an octet for its length (X.691 clause 11.2). */
static inline int rw_close_open_type(rw_writer *writer, uint64_t start)
{
    uint64_t beyond, length;
    size_t from, end;
    unsigned before = (unsigned)(start % 8), more;
    if (rw_position(writer) == start + 8 && rw_put(writer, 0, 8) != 0) {
        return RW_REJECTED;
    }
    beyond = (rw_position(writer) - start) % 8;
    if (beyond != 0 && rw_put(writer, 0, (uint32_t)(8 - beyond)) != 0) {
        return RW_REJECTED;
    }
    length = (rw_position(writer) - start) / 8 - 1;
    if (length >= 16384 || rw_flush(writer) != 0) {
        return RW_REJECTED;
    }
    from = (size_t)(start / 8);
    end = writer->stored + (writer->fill > 0);
    more = length < 128 ? 0 : 1;
    if (more > 0) {
        if (writer->size == end) {
            return RW_REJECTED;
        }
        /* All that follows moves by an octet: also the octet that begins before it. */
        memmove(writer->out + from + 1, writer->out + from, end - from);
        if (before > 0) {
            writer->out[from + 1] &= (uint8_t)(0xffu >> before);
            writer->out[from] &= (uint8_t)(0xff00u >> before);
        } else {
            writer->out[from] = 0;
        }
        writer->stored += 1;
        length |= 0x8000;
    }
    /* One or two octets, which were written as zeros. */
    {
        uint64_t word = length << (more > 0 ? 8 : 16) >> before;
        unsigned octets = 3, at;
        for (at = 0; at < octets; at++) {
            uint8_t part = (uint8_t)(word >> (16 - 8 * at));
            if (part != 0) {
                writer->out[from + at] |= part;
            }
        }
    }
    /* The last octet still waits. */
    if (writer->fill > 0) {
        writer->waiting = (uint64_t)writer->out[writer->stored] >> (8 - writer->fill);
    }
    return 0;
}

/* A reader of bits. */
typedef struct rw_reader {
    const uint8_t *octets;
    size_t size;
    uint64_t at;
    uint64_t end;
} rw_reader;

static inline rw_reader rw_reader_of(const uint8_t *octets, size_t size)
{
    rw_reader reader = {octets, size, 0, 0};
    reader.end = (uint64_t)size * 8;
    return reader;
}

/* The next 57 bits at least, highest; behind the end are zeros. */
static inline uint64_t rw_window(const rw_reader *reader)
{
    size_t from = (size_t)(reader->at / 8);
    uint64_t word;
    if (from + 8 <= reader->size) {
        word = rw_load(reader->octets + from);
    } else {
        word = from < reader->size ? rw_load_few(reader->octets + from, reader->size - from) : 0;
    }
    return word << (reader->at % 8);
}

/* Up to 57 bits. */
static inline int rw_take(rw_reader *reader, uint32_t bits, uint64_t *value)
{
    if (reader->end - reader->at < bits) {
        return RW_REJECTED;
    }
    *value = bits == 0 ? 0 : rw_window(reader) >> (64 - bits);
    reader->at += bits;
    return 0;
}

/* Up to 64 bits. */
static inline int rw_take_wide(rw_reader *reader, uint32_t bits, uint64_t *value)
{
    uint64_t high, low;
    if (bits <= 57) {
        return rw_take(reader, bits, value);
    }
    if (bits > 64 || rw_take(reader, bits - 32, &high) != 0 || rw_take(reader, 32, &low) != 0) {
        return RW_REJECTED;
    }
    *value = high << 32 | low;
    return 0;
}

static inline int rw_skip_padding(rw_reader *reader)
{
    uint64_t bits = (8 - reader->at % 8) % 8;
    if (reader->end - reader->at < bits) {
        return RW_REJECTED;
    }
    reader->at += bits;
    return 0;
}

static inline int rw_take_octets(rw_reader *reader, uint8_t *octets, uint64_t count)
{
    uint64_t at, octet;
    if (count > (reader->end - reader->at) / 8) {
        return RW_REJECTED;
    }
    if (reader->at % 8 == 0) {
        if (count > 0) {
            memcpy(octets, reader->octets + reader->at / 8, (size_t)count);
        }
        reader->at += count * 8;
        return 0;
    }
    for (at = 0; at < count; at++) {
        if (rw_take(reader, 8, &octet) != 0) {
            return RW_REJECTED;
        }
        octets[at] = (uint8_t)octet;
    }
    return 0;
}

/* Octets that stay in the input. */
static inline int rw_lend(rw_reader *reader, uint64_t count, rw_octets *octets)
{
    if (count > (reader->end - reader->at) / 8) {
        return RW_REJECTED;
    }
    octets->octets = reader->octets + reader->at / 8;
    octets->size = (size_t)count;
    octets->bit = (uint8_t)(reader->at % 8);
    reader->at += count * 8;
    return 0;
}

static inline int rw_lend_bits(rw_reader *reader, uint64_t count, rw_bit_string *bits)
{
    if (count > reader->end - reader->at) {
        return RW_REJECTED;
    }
    bits->octets = reader->octets + reader->at / 8;
    bits->bits = (size_t)count;
    bits->bit = (uint8_t)(reader->at % 8);
    reader->at += count;
    return 0;
}

static inline int rw_lend_text(rw_reader *reader, uint64_t count, rw_text *text)
{
    return rw_lend(reader, count, text) != 0 || rw_characters(*text) == UINT64_MAX ? RW_REJECTED : 0;
}

static inline int rw_take_text(rw_reader *reader, uint8_t *text, uint64_t count)
{
    if (rw_take_octets(reader, text, count) != 0) {
        return RW_REJECTED;
    }
    return rw_characters(rw_octets_of(text, (size_t)count)) == UINT64_MAX ? RW_REJECTED : 0;
}

/* Characters of so many bits each, as UTF-8. */
static inline int rw_take_characters(rw_reader *reader, uint64_t characters, uint32_t bits, bool indexed,
    const uint32_t *alphabet, size_t count, uint8_t *text, size_t most, uint32_t *size)
{
    uint64_t at, place;
    size_t used = 0;
    for (at = 0; at < characters; at++) {
        size_t range;
        uint32_t code = 0;
        if (rw_take(reader, bits, &place) != 0) {
            return RW_REJECTED;
        }
        for (range = 0; range < count; range += 2) {
            uint64_t of = (uint64_t)alphabet[range + 1] - alphabet[range] + 1;
            if (indexed ? place < of : place >= alphabet[range] && place <= alphabet[range + 1]) {
                code = (uint32_t)(indexed ? alphabet[range] + place : place);
                break;
            }
            place -= indexed ? of : 0;
        }
        if (range >= count || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) {
            return RW_REJECTED;
        }
        if (most - used < (code < 0x80 ? 1u : code < 0x800 ? 2u : code < 0x10000 ? 3u : 4u)) {
            return RW_REJECTED;
        }
        if (code < 0x80) {
            text[used++] = (uint8_t)code;
        } else {
            unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            text[used++] = (uint8_t)((0xff00u >> (more + 1)) | code >> (6 * more));
            while (more-- > 0) {
                text[used++] = (uint8_t)(0x80u | (code >> (6 * more) & 0x3fu));
            }
        }
    }
    *size = (uint32_t)used;
    return 0;
}

static inline int rw_take_count(rw_reader *reader, uint64_t *count)
{
    uint64_t second;
    if (rw_take(reader, 8, count) != 0) {
        return RW_REJECTED;
    }
    if (*count < 128) {
        return 0;
    }
    if (*count >= 192 || rw_take(reader, 8, &second) != 0) {
        return RW_REJECTED;
    }
    *count = (*count & 63) << 8 | second;
    return 0;
}

/* A number after the number of its octets, and a bound that it is above. */
static inline int rw_take_unsigned(rw_reader *reader, int64_t lower, uint64_t *word)
{
    uint64_t octets;
    if (rw_take(reader, 8, &octets) != 0 || octets < 1 || octets > 8 || rw_take_wide(reader, (uint32_t)octets * 8, word) != 0) {
        return RW_REJECTED;
    }
    /* What is beyond 64 bits is refused. */
    if (lower > 0 ? *word > UINT64_MAX - (uint64_t)lower : lower < 0 && *word > (uint64_t)INT64_MAX - (uint64_t)lower) {
        return RW_REJECTED;
    }
    *word += (uint64_t)lower;
    return 0;
}

static inline int rw_take_signed(rw_reader *reader, uint64_t *word)
{
    uint64_t octets;
    if (rw_take(reader, 8, &octets) != 0 || octets < 1 || octets > 8 || rw_take_wide(reader, (uint32_t)octets * 8, word) != 0) {
        return RW_REJECTED;
    }
    if (octets < 8 && *word >> (octets * 8 - 1) != 0) {
        *word |= UINT64_MAX << (octets * 8);
    }
    return 0;
}

/* The presence bits of additions, the first one highest: up to 64 are known (X.691 clause 19.8). */
static inline int rw_take_additions(rw_reader *reader, uint64_t known, bool aligned, uint64_t *bits)
{
    uint64_t is_long, count;
    if (rw_take(reader, 1, &is_long) != 0) {
        return RW_REJECTED;
    }
    if (is_long == 0) {
        if (rw_take(reader, 6, &count) != 0) {
            return RW_REJECTED;
        }
        count += 1;
    } else if ((aligned && rw_skip_padding(reader) != 0) || rw_take_count(reader, &count) != 0 || count == 0) {
        return RW_REJECTED;
    }
    if (count > known || count > 64 || rw_take_wide(reader, (uint32_t)count, bits) != 0) {
        return RW_REJECTED;
    }
    *bits <<= 64 - count;
    return 0;
}

/* Ends an open type whose content began at a bit (X.691 clause 11.1.3). */
static inline int rw_end_open_type(rw_reader *reader, uint64_t start, uint64_t octets)
{
    uint64_t used = reader->at - start, left;
    if (octets > (UINT64_MAX >> 4) || used > octets * 8) {
        return RW_REJECTED;
    }
    left = octets * 8 - used;
    if ((left > 7 && !(used == 0 && octets == 1)) || reader->end - reader->at < left) {
        return RW_REJECTED;
    }
    reader->at += left;
    return 0;
}

/* One less than how many octets hold a number. */
static inline uint64_t rw_octets_below(uint64_t number)
{
    uint64_t octets = 0;
    while (number > 0xff) {
        number >>= 8;
        octets++;
    }
    return octets;
}

#endif /* ROADWIRE_RT_H */
