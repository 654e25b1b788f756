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
RW_MOST int rw_put(rw_writer *writer, uint64_t value, uint32_t bits)
{
    uint32_t room = 64 - writer->fill, rest;
    if (bits < room) {
        writer->waiting = writer->waiting << bits | value;
        writer->fill += bits;
        return 0;
    }
    if (writer->size - writer->stored < 8) {
        return RW_OUTPUT_FULL;
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
RW_MANY int rw_put_wide(rw_writer *writer, uint64_t value, uint32_t bits)
{
    if (bits <= 63) {
        return rw_put(writer, value, bits);
    }
    return rw_put(writer, value >> 32, 32) != 0 ? RW_OUTPUT_FULL : rw_put(writer, value & 0xffffffffu, 32);
}

static inline int rw_align(rw_writer *writer)
{
    return rw_put(writer, 0, (8 - writer->fill % 8) % 8);
}

/* Stores all bits that wait, and pads the last octet with zeros: its bits still wait. */
RW_MANY int rw_flush(rw_writer *writer)
{
    uint32_t octets = (writer->fill + 7) / 8, at;
    uint64_t word;
    if (octets == 0) {
        return 0;
    }
    if (writer->size - writer->stored < octets) {
        return RW_OUTPUT_FULL;
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
RW_MANY int rw_finish(rw_writer *writer)
{
    if (rw_position(writer) == 0 && rw_put(writer, 0, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (rw_flush(writer) != 0) {
        return RW_OUTPUT_FULL;
    }
    writer->stored += writer->fill > 0;
    writer->fill = 0;
    return 0;
}

/* So many octets from one on, piece by piece. */
RW_APART int rw_put_some(rw_writer *writer, rw_octets of, size_t at, uint64_t count)
{
    while (count > 0) {
        rw_octets piece = rw_piece(of, at);
        piece.size = piece.size < count ? piece.size : (size_t)count;
        at += piece.size;
        count -= piece.size;
        while (piece.size > 0) {
            if (rw_put(writer, rw_next_octet(&piece), 8) != 0) {
                return RW_OUTPUT_FULL;
            }
        }
    }
    return writer->fill % 8 == 0 ? rw_flush(writer) : 0;
}

RW_MANY int rw_put_octets(rw_writer *writer, rw_octets of)
{
    size_t at;
    if (writer->fill % 8 == 0 && of.bit == 0) {
        if (rw_flush(writer) != 0 || writer->size - writer->stored < of.size) {
            return RW_OUTPUT_FULL;
        }
        if (of.size > 0) {
            memcpy(writer->out + writer->stored, of.octets, of.size);
        }
        writer->stored += of.size;
        return 0;
    }
    if (RW_IN_PIECES(of.bit)) {
        return rw_put_some(writer, of, 0, of.size);
    }
    /* Seven octets at once, as many as fit beside bits that wait. */
    for (at = 0; at < of.size;) {
        uint64_t word = 0;
        uint32_t bits = 0;
        if (!RW_SMALL && of.bit == 0 && of.size - at >= 8) {
            word = rw_load(of.octets + at) >> 8;
            bits = 56;
            at += 7;
        }
        for (; at < of.size && bits < 56; at++, bits += 8) {
            word = word << 8 | rw_octet(of, at);
        }
        if (rw_put(writer, word, bits) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    /* Where all is in whole octets, no bits wait. */
    return writer->fill % 8 == 0 ? rw_flush(writer) : 0;
}

/* So many bits from one on; behind the end are zeros. */
RW_APART int rw_put_some_bits(rw_writer *writer, const rw_bit_string *of, size_t at, uint64_t count)
{
    while (count > 0 && at < of->bits) {
        rw_bit_string piece = rw_bit_piece(of, at);
        piece.bits = piece.bits < count ? piece.bits : (size_t)count;
        at += piece.bits;
        count -= piece.bits;
        while (piece.bits > 0) {
            const uint32_t bits = piece.bits < 4 ? (uint32_t)piece.bits : 4;
            if (rw_put(writer, rw_next_four(&piece) >> (4 - bits), bits) != 0) {
                return RW_OUTPUT_FULL;
            }
        }
    }
    for (; count > 0; count--) {
        if (rw_put(writer, 0, 1) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* The same in whole octets. */
RW_APART int rw_put_some_bits_whole(rw_writer *writer, const rw_bit_string *of, size_t at, uint64_t count)
{
    return rw_put_some_bits(writer, of, at, count) != 0 || rw_align(writer) != 0 ? RW_OUTPUT_FULL : rw_flush(writer);
}

static inline int rw_put_bits(rw_writer *writer, const rw_bit_string *of)
{
    return rw_put_some_bits(writer, of, 0, of->bits);
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
RW_MANY uint64_t rw_window(const rw_reader *reader)
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
RW_MOST int rw_take(rw_reader *reader, uint32_t bits, uint64_t *value)
{
    if (reader->end - reader->at < bits) {
        return RW_INPUT_TRUNCATED;
    }
    *value = bits == 0 ? 0 : rw_window(reader) >> (64 - bits);
    reader->at += bits;
    return 0;
}

/* Up to 64 bits. */
RW_MANY int rw_take_wide(rw_reader *reader, uint32_t bits, uint64_t *value)
{
    uint64_t high, low;
    if (bits <= 57) {
        return rw_take(reader, bits, value);
    }
    if (bits > 64 || rw_take(reader, bits - 32, &high) != 0 || rw_take(reader, 32, &low) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    *value = high << 32 | low;
    return 0;
}

static inline int rw_skip_padding(rw_reader *reader)
{
    uint64_t bits = (8 - reader->at % 8) % 8;
    if (reader->end - reader->at < bits) {
        return RW_INPUT_TRUNCATED;
    }
    reader->at += bits;
    return 0;
}

RW_MANY int rw_take_octets(rw_reader *reader, uint8_t *octets, uint64_t count)
{
    uint64_t at, octet;
    if (count > (reader->end - reader->at) / 8) {
        return RW_INPUT_TRUNCATED;
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
            return RW_INPUT_TRUNCATED;
        }
        octets[at] = (uint8_t)octet;
    }
    return 0;
}

/* For how many elements of a list there should be room: all, or one more than the rest of the input can hold. */
static inline uint64_t rw_elements(const rw_reader *reader, uint64_t count, uint64_t fewest_bits)
{
    uint64_t most = (reader->end - reader->at) / fewest_bits + 1;
    return count < most ? count : most;
}

/* Octets that stay in the input. */
RW_MANY int rw_lend(rw_reader *reader, uint64_t count, rw_octets *octets)
{
    if (count > (reader->end - reader->at) / 8) {
        return RW_INPUT_TRUNCATED;
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
        return RW_INPUT_TRUNCATED;
    }
    bits->octets = reader->octets + reader->at / 8;
    bits->bits = (size_t)count;
    bits->bit = (uint8_t)(reader->at % 8);
    reader->at += count;
    return 0;
}

/* Why so many octets of text are refused: they are none, or there are fewer, or more than so many characters. */
static inline int rw_why_text(const rw_reader *reader, uint64_t count, uint64_t most)
{
    rw_reader rest = *reader;
    uint64_t left = (reader->end - reader->at) / 8;
    rw_octets text;
    uint64_t characters = 0;
    size_t at = 0;
    (void)rw_lend(&rest, count < left ? count : left, &text);
    while (at < text.size && characters <= most) {
        unsigned octets, more = rw_octets_of_character(rw_octet(text, at));
        (void)rw_character(text, at, &octets);
        if (octets == 0 && (more == 0 || text.size - at >= more || count <= left)) {
            return RW_TEXT_FORM;
        }
        at += octets == 0 ? text.size - at : octets;
        characters += octets > 0;
    }
    return characters <= most && count > left ? RW_INPUT_TRUNCATED : RW_SIZE_RANGE;
}

static inline int rw_lend_text(rw_reader *reader, uint64_t count, uint64_t most, rw_text *text)
{
    rw_reader start = *reader;
    if (rw_lend(reader, count, text) != 0 || rw_characters(*text) == UINT64_MAX) {
        return rw_why_text(&start, count, most);
    }
    return 0;
}

static inline int rw_take_text(rw_reader *reader, uint8_t *text, uint64_t count, uint64_t most)
{
    rw_reader start = *reader;
    if (rw_take_octets(reader, text, count) != 0 || rw_characters(rw_octets_of(text, (size_t)count)) == UINT64_MAX) {
        return rw_why_text(&start, count, most);
    }
    return 0;
}

/* A component, an alternative or an element begins, and ends, in what is read and in what is written. */
RW_MANY void rw_enter_read(rw_error *error, uint32_t step, const rw_reader *reader)
{
    rw_enter(error, step, error->base + (uint64_t)(reader->octets - error->start) * 8 + reader->at);
}

RW_MANY void rw_leave_read(rw_error *error, const rw_reader *reader)
{
    error->depth--;
    error->bit = error->base + (uint64_t)(reader->octets - error->start) * 8 + reader->at;
}

RW_MANY void rw_enter_written(rw_error *error, uint32_t step, const rw_writer *writer)
{
    rw_enter(error, step, rw_position(writer));
}

RW_MANY void rw_leave_written(rw_error *error, const rw_writer *writer)
{
    error->depth--;
    error->bit = rw_position(writer);
}
