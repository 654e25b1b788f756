/* Bits under the packed encoding rules (X.691). */

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
