/* Rare forms under the packed encoding rules: units in fragments of 16K (X.691 clause 11.9.3.8), numbers in more octets than they
   need, indexes above 63. Functions that say what is wrong take and write them. */

/* How the number of units of a string or a list is coded. */
typedef struct rw_size {
    uint64_t lower, upper;   /* the bounds of the root */
    uint8_t bits;            /* of a number in the root; 64: a length determinant has it */
    bool extensible;         /* a bit says whether the number is outside the root; there it has a length determinant */
    bool field_aligned;      /* what begins at the border of an octet: a number in the root, units, length determinants */
    bool units_aligned;
    bool aligned;
} rw_size;

/* The number of an open type's octets, or of those that have no bounds. */
static inline rw_size rw_size_of(uint64_t lower, bool aligned)
{
    rw_size size = {lower, UINT64_MAX, 64, false, false, false, aligned};
    return size;
}

/* How many units come next, and whether a length determinant and more of them follow. */
typedef struct rw_run {
    uint64_t units;
    bool more;
} rw_run;

RW_APART int rw_take_run(rw_reader *reader, bool aligned, rw_run *run)
{
    int status = aligned && rw_skip_padding(reader) != 0 ? RW_INPUT_TRUNCATED : rw_take_count(reader, &run->units);
    run->more = status == RW_RARE;
    if (run->more) {
        run->units = (run->units & 63) * 16384;
    }
    return run->more ? 0 : status;
}

RW_APART int rw_take_first_run(rw_reader *reader, const rw_size *size, rw_run *run)
{
    uint64_t beyond = 0;
    int status = 0;
    run->more = false;
    if (size->extensible && rw_take(reader, 1, &beyond) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (beyond != 0) {
        return rw_take_run(reader, size->aligned, run);
    }
    if (size->bits == 64) {
        status = rw_take_run(reader, size->aligned, run);
    } else if ((size->field_aligned && rw_skip_padding(reader) != 0) || rw_take(reader, size->bits, &run->units) != 0) {
        status = RW_INPUT_TRUNCATED;
    } else {
        run->units += size->lower;
    }
    if (status != 0) {
        return status;
    }
    /* More fragments may bring it up to the least size. */
    if (run->units > size->upper || (run->units < size->lower && !run->more)) {
        return RW_SIZE_RANGE;
    }
    return size->units_aligned && run->units > 0 && rw_skip_padding(reader) != 0 ? RW_INPUT_TRUNCATED : 0;
}

/* Checks how many units all fragments have. */
static inline int rw_whole_size(const rw_size *size, uint64_t units)
{
    return !size->extensible && (units < size->lower || units > size->upper) ? RW_SIZE_RANGE : 0;
}

/* Units of so many bits that stay in the input, as octets, whatever they are; where some are missing, those that are there. */
RW_APART int rw_lend_units(rw_reader *reader, const rw_size *size, uint32_t bits, rw_octets *all)
{
    rw_run run = {0, false};
    int status = rw_take_first_run(reader, size, &run);
    const bool is_whole = !run.more;
    const uint64_t start = reader->at - (is_whole ? 0u : 8u);
    *all = rw_octets_of(reader->octets + start / 8, 0);
    all->bit = (uint8_t)(start % 8 + (is_whole ? 0u : RW_FRAGMENTS));
    while (status == 0) {
        uint64_t left = (reader->end - reader->at) / bits;
        all->size += (size_t)(run.units < left ? run.units : left);
        if (run.units > left) {
            return RW_INPUT_TRUNCATED;
        }
        reader->at += run.units * bits;
        if (!run.more) {
            return is_whole ? 0 : rw_whole_size(size, all->size);
        }
        status = rw_take_run(reader, false, &run);
    }
    return status;
}

static inline int rw_lend_octet_units(rw_reader *reader, const rw_size *size, rw_octets *octets)
{
    return rw_lend_units(reader, size, 8, octets);
}

/* Those of an open type are one at least. */
static inline int rw_lend_open_units(rw_reader *reader, const rw_size *size, rw_octets *octets)
{
    int status = rw_lend_units(reader, size, 8, octets);
    return status == RW_SIZE_RANGE ? RW_OPEN_TYPE_EMPTY : status;
}

static inline int rw_lend_bit_units(rw_reader *reader, const rw_size *size, rw_bit_string *bits)
{
    rw_octets all;
    int status = rw_lend_units(reader, size, 1, &all);
    bits->octets = all.octets;
    bits->bits = all.size;
    bits->bit = all.bit;
    return status;
}

/* Up to 64 bits. */
static inline int rw_take_bit_units(rw_reader *reader, const rw_size *size, rw_bits *word)
{
    rw_bit_string bits;
    int status = rw_lend_bit_units(reader, size, &bits);
    return status != 0 ? status : rw_word_of(&bits, word);
}

/* Text with at most so many characters. */
RW_APART int rw_lend_text_units(rw_reader *reader, const rw_size *size, uint64_t most, rw_text *text)
{
    uint64_t count;
    int status = rw_lend_units(reader, size, 8, text), form = rw_count_characters(*text, most, &count);
    if (form == RW_TEXT_FORM || form == RW_SIZE_RANGE || status != 0) {
        return form == RW_TEXT_FORM || form == RW_SIZE_RANGE ? form : status;
    }
    return form != 0 ? RW_TEXT_FORM : 0;
}

/* The same in a place for so many octets. */
static inline int rw_take_text_units(
    rw_reader *reader, const rw_size *size, uint64_t most, uint8_t *octets, size_t room, uint32_t *used)
{
    rw_text text;
    int status = rw_lend_text_units(reader, size, most, &text);
    if (status != 0 || text.size > room) {
        return status != 0 ? status : RW_SIZE_CAPACITY;
    }
    rw_copy(text, octets);
    *used = (uint32_t)text.size;
    return 0;
}

/* Characters of so many bits each, into memory of an arena. */
RW_APART int rw_new_character_units(rw_reader *reader, const rw_size *size, uint32_t bits, bool indexed,
    const uint32_t *alphabet, size_t count, rw_arena *arena, rw_text *text)
{
    uint32_t used = 0;
    size_t room;
    uint64_t all = 0;
    rw_reader ahead = *reader;
    rw_octets units;
    rw_run run = {0, false};
    uint8_t *octets;
    int status;
    /* As many as there are. */
    (void)rw_lend_units(&ahead, size, bits == 0 ? 1 : bits, &units);
    room = rw_most_octets(units.size, alphabet, count);
    octets = (uint8_t *)rw_new(arena, room);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    *text = rw_octets_of(octets, 0);
    status = rw_take_first_run(reader, size, &run);
    while (status == 0) {
        uint64_t left = bits == 0 ? run.units : (reader->end - reader->at) / bits;
        status = rw_take_characters(reader, run.units < left ? run.units : left, bits, indexed, alphabet, count,
            octets + text->size, room - text->size, &used);
        if (status != 0 || run.units > left) {
            return status != 0 ? status : RW_INPUT_TRUNCATED;
        }
        text->size += used;
        all += run.units;
        if (!run.more) {
            arena->used -= room - text->size;
            return rw_whole_size(size, all);
        }
        status = rw_take_run(reader, size->aligned, &run);
    }
    return status;
}

/* Writes how many units come next. */
RW_APART int rw_put_run(rw_writer *writer, bool aligned, uint64_t left, rw_run *run)
{
    uint64_t blocks = left / 16384 > 4 ? 4 : left / 16384;
    run->more = blocks > 0;
    run->units = blocks > 0 ? blocks * 16384 : left;
    if (aligned && rw_align(writer) != 0) {
        return RW_OUTPUT_FULL;
    }
    return blocks > 0 ? rw_put(writer, 0xc0 | blocks, 8) : rw_put_count(writer, left);
}

RW_APART int rw_put_first_run(rw_writer *writer, const rw_size *size, uint64_t count, rw_run *run)
{
    const bool inside = count >= size->lower && count <= size->upper;
    if (!inside && !size->extensible) {
        return RW_SIZE_RANGE;
    }
    if (size->extensible && rw_put(writer, !inside, 1) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (!inside || size->bits == 64) {
        return rw_put_run(writer, size->aligned, count, run);
    }
    run->units = count;
    run->more = false;
    if ((size->field_aligned && rw_align(writer) != 0) || rw_put_wide(writer, count - size->lower, size->bits) != 0) {
        return RW_OUTPUT_FULL;
    }
    return size->units_aligned && count > 0 ? rw_align(writer) : 0;
}

RW_APART int rw_put_octet_units(rw_writer *writer, const rw_size *size, rw_octets of)
{
    rw_run run = {0, false};
    size_t at = 0;
    int status = rw_put_first_run(writer, size, of.size, &run);
    while (status == 0) {
        status = rw_put_some(writer, of, at, run.units);
        at += (size_t)run.units;
        if (status != 0 || !run.more) {
            return status;
        }
        status = rw_put_run(writer, size->aligned, of.size - at, &run);
    }
    return status;
}

static inline int rw_put_open_units(rw_writer *writer, const rw_size *size, rw_octets of)
{
    int status = rw_put_octet_units(writer, size, of);
    return status == RW_SIZE_RANGE ? RW_OPEN_TYPE_EMPTY : status;
}

/* So many bits; behind the end of a string are zeros. */
RW_APART int rw_put_bit_units(rw_writer *writer, const rw_size *size, const rw_bit_string *of, uint64_t count)
{
    rw_run run = {0, false};
    uint64_t at = 0;
    int status = rw_put_first_run(writer, size, count, &run);
    while (status == 0) {
        status = rw_put_some_bits(writer, of, (size_t)at, run.units);
        at += run.units;
        if (status != 0 || !run.more) {
            return status;
        }
        status = rw_put_run(writer, size->aligned, count - at, &run);
    }
    return status;
}

/* Up to 64 bits as octets. */
static inline int rw_octets_of_word(const rw_bits *of, uint8_t *octets)
{
    if (of->bits > 64) {
        return RW_SIZE_CAPACITY;
    }
    rw_store(octets, of->bits == 0 ? 0 : rw_masked(of) << (64u - of->bits));
    return 0;
}

/* The same for up to 64 bits. */
static inline int rw_put_word_units(rw_writer *writer, const rw_size *size, const rw_bits *of, uint64_t count)
{
    uint8_t octets[8] = {0};
    rw_bit_string bits = rw_bit_string_of(octets, of->bits);
    return rw_octets_of_word(of, octets) != 0 ? RW_SIZE_CAPACITY : rw_put_bit_units(writer, size, &bits, count);
}

static inline int rw_put_text_units(rw_writer *writer, const rw_size *size, rw_text text)
{
    return rw_characters(text) == UINT64_MAX ? RW_TEXT_FORM : rw_put_octet_units(writer, size, text);
}

RW_APART int rw_put_character_units(rw_writer *writer, const rw_size *size, rw_text text, uint64_t bits, bool indexed,
    const uint32_t *alphabet, size_t count)
{
    rw_run run = {0, false};
    uint64_t left = rw_characters(text);
    size_t at = 0;
    int status = left == UINT64_MAX ? RW_TEXT_FORM : rw_put_first_run(writer, size, left, &run);
    while (status == 0) {
        left -= run.units;
        status = rw_put_some_characters(writer, text, &at, run.units, bits, indexed, alphabet, count);
        if (status != 0 || !run.more) {
            return status;
        }
        status = rw_put_run(writer, size->aligned, left, &run);
    }
    return status;
}

/* After an element of a list of `count`, of which `at` have been written: the length determinant, if a fragment begins. */
RW_APART int rw_put_next_run(rw_writer *writer, const rw_size *size, uint64_t count, uint64_t at, uint64_t *end, rw_run *run)
{
    int status;
    if (at != *end || !run->more) {
        return 0;
    }
    status = rw_put_run(writer, size->aligned, count - at, run);
    *end += run->units;
    return status;
}

/* Makes room for more elements of a list that has so many; NULL if there is no memory, or no element. */
RW_APART void *rw_more(rw_arena *arena, void *items, uint64_t count, uint64_t *room, uint64_t more, size_t size)
{
    void *place;
    if (count + more <= *room) {
        return items;
    }
    more = count + more > 2 * *room ? count + more : 2 * *room;
    place = rw_new_list(arena, more, size);
    if (place != NULL && count > 0) {
        memcpy(place, items, (size_t)count * size);
    }
    *room = more;
    return place;
}

/* A number in any number of octets, of which the last eight hold it. */
RW_APART int rw_take_long(rw_reader *reader, bool is_signed, uint64_t *word)
{
    rw_size size = rw_size_of(0, false);
    rw_octets octets;
    size_t at = 0, next;
    uint8_t fill;
    int status = rw_lend_units(reader, &size, 8, &octets);
    if (status != 0 || octets.size == 0) {
        return status != 0 ? status : RW_INTEGER_EMPTY;
    }
    fill = is_signed && rw_octet(octets, octets.size > 8 ? octets.size - 8 : 0) >> 7 != 0 ? 0xff : 0;
    *word = fill != 0 ? UINT64_MAX : 0;
    while (at < octets.size) {
        rw_octets piece = rw_piece(octets, at);
        for (next = 0; next < piece.size; next++, at++) {
            uint8_t octet = rw_octet(piece, next);
            if (octets.size - at > 8 && octet != fill) {
                return RW_INTEGER_WIDTH;
            }
            *word = *word << 8 | octet;
        }
    }
    return 0;
}

static inline int rw_take_long_signed(rw_reader *reader, uint64_t *word)
{
    return rw_take_long(reader, true, word);
}

static inline int rw_take_long_unsigned(rw_reader *reader, int64_t lower, uint64_t *word)
{
    int status = rw_take_long(reader, false, word);
    return status != 0 ? status : rw_above(lower, word);
}

/* Why a number that begins at a bit with the number of its octets is refused, if it is outside its range. */
static inline int rw_why_range(const rw_reader *reader, uint64_t at)
{
    rw_reader again = *reader;
    rw_run run = {0, false};
    again.at = at;
    (void)rw_take_run(&again, false, &run);
    return run.more || run.units > 16 ? RW_INTEGER_WIDTH : RW_INTEGER_RANGE;
}

/* Reads a normally small number (X.691 clause 11.6) of at most `most`; false if there is none. */
static inline bool rw_is_small(rw_reader *reader, bool aligned, uint64_t most, uint64_t *number)
{
    uint64_t is_long, octets, octet;
    if (rw_take(reader, 1, &is_long) != 0) {
        return false;
    }
    if (is_long == 0) {
        return rw_take(reader, 6, number) == 0;
    }
    if ((aligned && rw_skip_padding(reader) != 0) || rw_take_count(reader, &octets) != 0) {
        return false;
    }
    for (*number = 0; octets > 0; octets--) {
        if (*number >> 56 != 0 || rw_take(reader, 8, &octet) != 0) {
            return false;
        }
        *number = *number << 8 | octet;
    }
    return *number <= most;
}

/* The index of an added alternative or item; `code` is that of the error where it is longer. */
RW_APART int rw_take_small(rw_reader *reader, bool aligned, uint64_t most, int code, uint64_t *number)
{
    const uint64_t start = reader->at;
    if (rw_is_small(reader, aligned, most, number)) {
        return 0;
    }
    return reader->end - start < 7 || reader->at == reader->end ? RW_INPUT_TRUNCATED : code;
}

static inline int rw_put_small(rw_writer *writer, uint64_t number, bool aligned)
{
    if (number < 64) {
        return rw_put(writer, number, 7);
    }
    if (rw_put(writer, 1, 1) != 0 || (aligned && rw_align(writer) != 0)) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_unsigned(writer, number);
}

/* An open type whose content is read, and what surrounds it. */
typedef struct rw_open_type {
    rw_reader outer;  /* after it */
    uint64_t start;   /* where the content begins */
    const uint8_t *message;
    uint64_t base;
} rw_open_type;

/* The content of an open type of known type becomes the input. If it comes in fragments, it gets memory of an arena; without an
   arena it is refused. */
RW_APART int rw_begin_content(rw_reader *reader, bool aligned, rw_arena *arena, rw_open_type *open, rw_error *error)
{
    const rw_size size = rw_size_of(0, aligned);
    rw_octets octets;
    uint8_t *whole;
    int status = rw_lend_units(reader, &size, 8, &octets);
    open->outer = *reader;
    open->message = error->start;
    open->base = error->base;
    if (status != 0 || octets.size == 0) {
        return status != 0 ? status : RW_OPEN_TYPE_EMPTY;
    }
    if (octets.bit < RW_FRAGMENTS) {
        reader->end = reader->at;
        reader->at -= (uint64_t)octets.size * 8;
        open->start = reader->at;
        return 0;
    }
    whole = arena == NULL ? NULL : (uint8_t *)rw_new(arena, octets.size);
    if (whole == NULL) {
        return RW_MEMORY;
    }
    rw_copy(octets, whole);
    /* Positions in it are those that it would have without the lengths of its fragments. */
    error->base += (uint64_t)(octets.octets - error->start) * 8 + octets.bit % 8u + 8;
    error->start = whole;
    *reader = rw_reader_of(whole, octets.size);
    open->start = 0;
    return 0;
}

RW_APART int rw_end_content(rw_reader *reader, const rw_open_type *open, rw_error *error)
{
    const uint64_t left = reader->end - reader->at;
    if (left > 7 && !(reader->at == open->start && left == 8)) {
        return RW_OPEN_TYPE_TRAILING;
    }
    *reader = open->outer;
    error->start = open->message;
    error->base = open->base;
    return 0;
}

/* The octets of additions that are not known, whose numbers have been read. */
RW_APART int rw_take_any_unknown(rw_reader *reader, rw_kept *kept, bool aligned)
{
    const rw_size size = rw_size_of(0, aligned);
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        int status;
        if (kept->items[at].octets.bit == 0) {
            continue;
        }
        status = rw_lend_units(reader, &size, 8, &kept->items[at].octets);
        if (status != 0 || kept->items[at].octets.size == 0) {
            return status != 0 ? status : RW_OPEN_TYPE_EMPTY;
        }
    }
    return 0;
}

RW_APART int rw_put_any_unknown(rw_writer *writer, const rw_kept *kept, bool aligned)
{
    const rw_size size = rw_size_of(0, aligned);
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        rw_octets octets = kept->items[at].octets;
        int status = octets.octets == NULL ? 0 : octets.size == 0 ? RW_OPEN_TYPE_EMPTY : rw_put_octet_units(writer, &size, octets);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* An alternative of a later version, after its index. */
RW_APART int rw_take_any_later(rw_reader *reader, uint64_t index, bool aligned, rw_addition *other)
{
    const rw_size size = rw_size_of(0, aligned);
    int status = index > UINT32_MAX ? RW_CHOICE_INDEX : rw_lend_units(reader, &size, 8, &other->octets);
    other->index = (uint32_t)index;
    return status == 0 && other->octets.size == 0 ? RW_OPEN_TYPE_EMPTY : status;
}

RW_APART int rw_put_any_later(rw_writer *writer, const rw_addition *other, uint64_t known, bool aligned)
{
    const rw_size size = rw_size_of(0, aligned);
    if (other->index < known) {
        return RW_KEPT_ORDER;
    }
    if (other->octets.octets == NULL || other->octets.size == 0) {
        return RW_OPEN_TYPE_EMPTY;
    }
    if (rw_put(writer, 1, 1) != 0 || rw_put_small(writer, other->index, aligned) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_octet_units(writer, &size, other->octets);
}

/* Eight bits at a bit of what was written. */
static inline uint8_t rw_written(const uint8_t *out, uint64_t bit)
{
    return rw_octet_behind(out + bit / 8, (unsigned)(bit % 8));
}

static inline void rw_rewrite(uint8_t *out, uint64_t bit, uint8_t octet)
{
    uint8_t *at = out + bit / 8;
    unsigned before = (unsigned)(bit % 8);
    at[0] = (uint8_t)((at[0] & ~(0xffu >> before)) | octet >> before);
    if (before > 0) {
        at[1] = (uint8_t)((at[1] & (0xffu >> before)) | (uint8_t)(octet << (8 - before)));
    }
}

/* Writes the length determinant of a fragment before what is at a bit; returns how many octets it has. */
static inline uint64_t rw_put_run_before(uint8_t *out, uint64_t bit, uint64_t left)
{
    uint64_t blocks = left / 16384 > 4 ? 4 : left / 16384;
    rw_rewrite(out, bit - 8, (uint8_t)(blocks > 0 ? 0xc0 | blocks : left));
    if (blocks > 0 || left < 128) {
        return 1;
    }
    rw_rewrite(out, bit - 16, (uint8_t)(0x80 | left >> 8));
    return 2;
}

/* Ends an open type of any size that begins at a bit with an octet for its length: fragments move apart. */
RW_APART int rw_close_any_open_type(rw_writer *writer, uint64_t start)
{
    const uint64_t bits = rw_position(writer) - start - 8, length = (bits + 7) / 8, last = length / 16384 * 16384;
    uint64_t more = (last / 16384 + 3) / 4 + (length - last < 128 ? 0u : 1u), at;
    if (length < 16384) {
        return rw_close_open_type(writer, start);
    }
    if (rw_put(writer, 0, (uint32_t)(length * 8 - bits)) != 0 || rw_flush(writer) != 0
        || writer->size - writer->stored < more + (writer->fill > 0)) {
        return RW_OUTPUT_FULL;
    }
    writer->stored += (size_t)more;
    if (writer->fill > 0) {
        writer->out[writer->stored] = 0;
    }
    if (last == length) {
        more -= rw_put_run_before(writer->out, start + 8 * (length + more + 1), 0);
    }
    /* From the end: each octet moves by the lengths before it, but for the first one. */
    for (at = length; at-- > 0;) {
        const uint64_t place = start + 8 * (at + more + 1);
        rw_rewrite(writer->out, place, rw_written(writer->out, start + 8 * (at + 1)));
        if (at == last || (at < last && at > 0 && at % 65536 == 0)) {
            more -= rw_put_run_before(writer->out, place, length - at);
        }
    }
    (void)rw_put_run_before(writer->out, start + 8, length);
    writer->waiting = writer->fill > 0 ? (uint64_t)writer->out[writer->stored] >> (8 - writer->fill) : 0;
    return 0;
}
