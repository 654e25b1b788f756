/* Bits under the packed encoding rules (X.691). */

/* A length determinant below 16K (X.691 clause 11.9). */
RW_MANY int rw_put_count(rw_writer *writer, uint64_t count)
{
    if (count < 128) {
        return rw_put(writer, count, 8);
    }
    return count < 16384 ? rw_put(writer, 0x8000u | count, 16) : RW_RARE;
}

/* A size after an extension bit: in the root a field of so many bits, or (64) a length determinant; beyond it a determinant. */
static inline int rw_put_size(
    rw_writer *writer, uint64_t count, uint64_t lower, uint64_t upper, uint32_t bits, bool field_aligned, bool aligned)
{
    bool beyond = count < lower || count > upper;
    if (rw_put(writer, beyond, 1) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (!beyond && bits < 64) {
        return (field_aligned && rw_align(writer) != 0) || rw_put(writer, count - lower, bits) != 0 ? RW_OUTPUT_FULL : 0;
    }
    return aligned && rw_align(writer) != 0 ? RW_OUTPUT_FULL : rw_put_count(writer, count);
}

/* A number in as few octets as it takes, after their number (X.691 clause 11.7, 11.8). */
static inline int rw_put_few(rw_writer *writer, uint64_t word, uint32_t octets)
{
    if (rw_put(writer, octets, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_wide(writer, rw_low_octets(word, octets), octets * 8);
}

static inline int rw_put_unsigned(rw_writer *writer, uint64_t word)
{
    return rw_put_few(writer, word, (uint32_t)rw_octets_below(word) + 1);
}

/* In two's complement. */
static inline int rw_put_signed(rw_writer *writer, uint64_t word)
{
    return rw_put_few(writer, word, (uint32_t)rw_signed_octets(word));
}

/* UTF-8 after its length. */
static inline int rw_put_text(rw_writer *writer, rw_text text)
{
    int status = rw_characters(text) == UINT64_MAX ? RW_TEXT_FORM : rw_put_count(writer, text.size);
    return status != 0 ? status : rw_put_octets(writer, text);
}

/* Characters of so many bits each: their places in an alphabet of ranges, or their codes (X.691 clause 30.5). */
RW_MANY int rw_put_characters(
    rw_writer *writer, rw_text text, uint64_t bits, bool indexed, const uint32_t *alphabet, size_t count)
{
    const uint32_t first = count == 0 ? 1 : alphabet[0], last = count == 0 ? 0 : alphabet[1];
    uint64_t word = 0, width = 0; /* of characters that are written at once */
    size_t at = 0;
    while (at < text.size) {
        unsigned octets = 1;
        uint32_t code = rw_octet(text, at), place;
        if (code >= 0x80) {
            code = rw_character(text, at, &octets);
        }
        if (octets == 0) {
            return RW_TEXT_FORM;
        }
        place = code - first;
        if (code < first || code > last) {
            size_t range = 2;
            place = last - first + 1;
            while (range < count && (code < alphabet[range] || code > alphabet[range + 1])) {
                place += alphabet[range + 1] - alphabet[range] + 1;
                range += 2;
            }
            if (range >= count) {
                return RW_TEXT_ALPHABET;
            }
            place += code - alphabet[range];
        }
        if (width + bits > 63) {
            if (rw_put(writer, word, (uint32_t)width) != 0) {
                return RW_OUTPUT_FULL;
            }
            word = 0;
            width = 0;
        }
        word = word << bits | (indexed ? place : code);
        width += bits;
        at += octets;
    }
    return rw_put(writer, word, (uint32_t)width);
}

/* So many characters from an octet on, which passes them, piece by piece. */
RW_APART int rw_put_some_characters(rw_writer *writer, rw_text text, size_t *at, uint64_t characters, uint64_t bits, bool indexed,
    const uint32_t *alphabet, size_t count)
{
    uint8_t octets[4] = {0};
    unsigned used = 0;
    int status = 0;
    while (characters > 0 && *at < text.size) {
        rw_octets piece = rw_piece(text, *at);
        for (; characters > 0 && piece.size > 0; *at += 1) {
            octets[used++] = rw_next_octet(&piece);
            if (used < rw_octets_of_character(octets[0])) {
                continue;
            }
            status = rw_put_characters(writer, rw_octets_of(octets, used), bits, indexed, alphabet, count);
            if (status != 0) {
                return status;
            }
            used = 0;
            characters--;
        }
    }
    return 0;
}

/* Ends an open type that begins at a bit with an octet for its length (X.691 clause 11.2). */
RW_MANY int rw_close_open_type(rw_writer *writer, uint64_t start)
{
    uint64_t beyond, length;
    size_t from, end;
    unsigned before = (unsigned)(start % 8), more;
    if (rw_position(writer) == start + 8 && rw_put(writer, 0, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    beyond = (rw_position(writer) - start) % 8;
    if (beyond != 0 && rw_put(writer, 0, (uint32_t)(8 - beyond)) != 0) {
        return RW_OUTPUT_FULL;
    }
    length = (rw_position(writer) - start) / 8 - 1;
    if (length >= 16384 || rw_flush(writer) != 0) {
        return length >= 16384 ? RW_RARE : RW_OUTPUT_FULL;
    }
    from = (size_t)(start / 8);
    end = writer->stored + (writer->fill > 0);
    more = length < 128 ? 0 : 1;
    if (more > 0) {
        if (writer->size == end) {
            return RW_OUTPUT_FULL;
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

/* Adds a character in UTF-8 to a text that has room for so many octets. */
static inline int rw_push_character(uint32_t code, uint8_t *text, size_t most, size_t *used)
{
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    if ((code >= 0xd800 && code < 0xe000) || code > 0x10ffff || most - *used <= more) {
        return RW_INPUT_TRUNCATED;
    }
    text[(*used)++] = (uint8_t)(more == 0 ? code : (0xff00u >> (more + 1)) | code >> (6 * more));
    while (more-- > 0) {
        text[(*used)++] = (uint8_t)(0x80u | (code >> (6 * more) & 0x3fu));
    }
    return 0;
}

/* Characters of so many bits each, as UTF-8. */
RW_MANY int rw_take_characters(rw_reader *reader, uint64_t characters, uint32_t bits, bool indexed,
    const uint32_t *alphabet, size_t count, uint8_t *text, size_t most, uint32_t *size)
{
    uint64_t at, place;
    size_t used = 0;
    for (at = 0; at < characters; at++) {
        size_t range;
        uint32_t code = 0;
        if (rw_take(reader, bits, &place) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        for (range = 0; range < count; range += 2) {
            uint64_t of = (uint64_t)alphabet[range + 1] - alphabet[range] + 1;
            if (indexed ? place < of : place >= alphabet[range] && place <= alphabet[range + 1]) {
                code = (uint32_t)(indexed ? alphabet[range] + place : place);
                break;
            }
            place -= indexed ? of : 0;
        }
        if (range >= count || (code >= 0xd800 && code < 0xe000)) {
            return RW_TEXT_ALPHABET;
        }
        if (rw_push_character(code, text, most, &used) != 0) {
            return RW_SIZE_CAPACITY;
        }
    }
    *size = (uint32_t)used;
    return 0;
}

/* How many octets so many characters of an alphabet, or any, have at most as UTF-8. */
static inline size_t rw_most_octets(uint64_t characters, const uint32_t *alphabet, size_t count)
{
    const uint32_t last = count == 0 ? 0x10ffff : alphabet[count - 1];
    const size_t widest = last < 0x80 ? 1 : last < 0x800 ? 2 : last < 0x10000 ? 3 : 4;
    return characters > SIZE_MAX / 4 ? SIZE_MAX : (size_t)characters * widest;
}

/* The same into memory of an arena. */
static inline int rw_new_characters(rw_reader *reader, uint64_t characters, uint32_t bits, bool indexed,
    const uint32_t *alphabet, size_t count, rw_arena *arena, rw_text *text)
{
    uint32_t size = 0;
    size_t most;
    int status;
    uint8_t *octets;
    uint64_t left = bits == 0 ? characters : (reader->end - reader->at) / bits, here = characters < left ? characters : left;
    most = rw_most_octets(here, alphabet, count);
    octets = (uint8_t *)rw_new(arena, most);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    status = rw_take_characters(reader, here, bits, indexed, alphabet, count, octets, most, &size);
    if (status != 0 || here < characters) {
        return status != 0 ? status : RW_INPUT_TRUNCATED;
    }
    arena->used -= most - size;
    *text = rw_octets_of(octets, size);
    return 0;
}

RW_MANY int rw_take_count(rw_reader *reader, uint64_t *count)
{
    uint64_t second;
    if (rw_take(reader, 8, count) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (*count < 128) {
        return 0;
    }
    if (*count >= 192) {
        return *count > 192 && *count <= 196 ? RW_RARE : RW_PACKED_FRAGMENT;
    }
    if (rw_take(reader, 8, &second) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    *count = (*count & 63) << 8 | second;
    return 0;
}

/* What rw_put_size writes. A determinant may also have a size of the root. */
static inline int rw_take_size(
    rw_reader *reader, uint64_t lower, uint64_t upper, uint32_t bits, bool field_aligned, bool aligned, uint64_t *count)
{
    uint64_t beyond;
    int status;
    if (rw_take(reader, 1, &beyond) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (beyond != 0 || bits == 64) {
        if (aligned && rw_skip_padding(reader) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        status = rw_take_count(reader, count);
        return status != 0 || beyond != 0 || (*count >= lower && *count <= upper) ? status : RW_SIZE_RANGE;
    }
    if ((field_aligned && rw_skip_padding(reader) != 0) || rw_take(reader, bits, count) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (*count > upper - lower) {
        return RW_SIZE_RANGE;
    }
    *count += lower;
    return 0;
}

/* A number in at most eight octets, after their number. */
static inline int rw_take_few(rw_reader *reader, uint64_t *octets, uint64_t *word)
{
    int status = rw_take_count(reader, octets);
    if (status != 0) {
        return status;
    }
    if (*octets < 1 || *octets > 8) {
        return *octets < 1 ? RW_INTEGER_EMPTY : (reader->end - reader->at) / 8 < *octets ? RW_INPUT_TRUNCATED : RW_INTEGER_WIDTH;
    }
    return rw_take_wide(reader, (uint32_t)*octets * 8, word) != 0 ? RW_INPUT_TRUNCATED : 0;
}

/* A number that is so much above a bound. What is beyond 64 bits is refused. */
static inline int rw_above(int64_t lower, uint64_t *word)
{
    if (lower > 0 ? *word > UINT64_MAX - (uint64_t)lower : lower < 0 && *word > (uint64_t)INT64_MAX - (uint64_t)lower) {
        return RW_INTEGER_WIDTH;
    }
    *word += (uint64_t)lower;
    return 0;
}

/* A number after the number of its octets, and a bound that it is above. */
static inline int rw_take_unsigned(rw_reader *reader, int64_t lower, uint64_t *word)
{
    uint64_t octets;
    int status = rw_take_few(reader, &octets, word);
    if (status != 0) {
        return status;
    }
    return rw_above(lower, word);
}

static inline int rw_take_signed(rw_reader *reader, uint64_t *word)
{
    uint64_t octets;
    int status = rw_take_few(reader, &octets, word);
    if (status != 0) {
        return status;
    }
    if (octets < 8 && *word >> (octets * 8 - 1) != 0) {
        *word |= UINT64_MAX << (octets * 8);
    }
    return 0;
}

/* The same, of which so many bits have been read. */
static inline int rw_take_rest(rw_reader *reader, uint32_t bits, uint64_t *word)
{
    reader->at -= bits;
    return rw_take_signed(reader, word);
}

/* Remembers the number of an addition that is not known. */
static inline int rw_keep(rw_kept *kept, uint64_t index)
{
    if (kept->count >= RW_KEPT) {
        return RW_KEPT_FULL;
    }
    kept->items[kept->count].index = (uint32_t)index;
    kept->items[kept->count].octets = rw_octets_of(NULL, 0);
    kept->count++;
    return 0;
}

/* So many presence bits of additions: those that are known, the first one highest, and the numbers of others. A bit for one
   that is absent is kept if it is the last. */
RW_MANY int rw_take_presence(rw_reader *reader, uint64_t count, uint64_t known, uint64_t *bits, rw_kept *kept)
{
    uint64_t at, first = count < known ? count : known, is_there;
    *bits = 0;
    if (rw_take_wide(reader, (uint32_t)first, bits) != 0 || reader->end - reader->at < count - first) {
        return RW_INPUT_TRUNCATED;
    }
    *bits = rw_shl(*bits, 64 - first);
    for (at = first; at < count; at++) {
        if (rw_take(reader, 1, &is_there) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        if ((is_there != 0 || at + 1 == count) && rw_keep(kept, at) != 0) {
            return RW_KEPT_FULL;
        }
        if (is_there != 0) {
            /* Its octets are read later. */
            kept->items[kept->count - 1].octets.bit = 1;
        }
    }
    return 0;
}

/* The presence bits of additions (X.691 clause 19.8), as rw_take_presence has them. */
RW_MANY int rw_take_additions(rw_reader *reader, uint64_t known, bool aligned, uint64_t *bits, rw_kept *kept)
{
    uint64_t is_long, count, start = reader->at;
    if (rw_take(reader, 1, &is_long) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (is_long == 0) {
        if (rw_take(reader, 6, &count) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        count += 1;
    } else if ((aligned && rw_skip_padding(reader) != 0) || rw_take_count(reader, &count) != 0 || count == 0) {
        return reader->at == reader->end || reader->end - start < 8 ? RW_INPUT_TRUNCATED : RW_ADDITIONS_COUNT;
    }
    return rw_take_presence(reader, count, known, bits, kept);
}

/* The octets of additions whose numbers have been read. */
RW_MANY int rw_take_unknown(rw_reader *reader, rw_kept *kept, bool aligned)
{
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        uint64_t count = 0;
        int status;
        if (kept->items[at].octets.bit == 0) {
            continue;
        }
        if (aligned && rw_skip_padding(reader) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        status = rw_take_count(reader, &count);
        if (status != 0 || count == 0) {
            return status != 0 ? status : RW_OPEN_TYPE_EMPTY;
        }
        if (rw_lend(reader, count, &kept->items[at].octets) != 0) {
            return RW_INPUT_TRUNCATED;
        }
    }
    return 0;
}

/* How many presence bits there are: 0 if additions are known ones, or not in their order. */
static inline uint64_t rw_presence_count(const rw_kept *kept, uint64_t known)
{
    uint32_t at;
    if (kept->count == 0 || kept->count > RW_KEPT) {
        return 0;
    }
    for (at = 0; at < kept->count; at++) {
        if (kept->items[at].index < known || (at > 0 && kept->items[at].index <= kept->items[at - 1].index)) {
            return 0;
        }
    }
    return kept->items[kept->count - 1].index < 16383 ? (uint64_t)kept->items[kept->count - 1].index + 1 : 0;
}

RW_MANY int rw_put_presence(rw_writer *writer, const rw_kept *kept, uint64_t known, uint64_t count, uint64_t bits)
{
    uint64_t at;
    uint32_t next = 0;
    for (at = 0; at < count; at++) {
        uint64_t bit = 0;
        if (at < known) {
            bit = bits >> (63 - at) & 1;
        } else if (at == kept->items[next].index) {
            bit = kept->items[next].octets.octets != NULL;
            next++;
        }
        if (rw_put(writer, bit, 1) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* The presence bits of additions of which some are not known (X.691 clause 19.7, 19.8). */
RW_MANY int rw_put_additions(rw_writer *writer, const rw_kept *kept, uint64_t known, bool aligned, uint64_t bits)
{
    uint64_t count = rw_presence_count(kept, known);
    if (count == 0) {
        return RW_KEPT_ORDER;
    }
    if (count <= 64) {
        if (rw_put(writer, count - 1, 7) != 0) {
            return RW_OUTPUT_FULL;
        }
    } else if (rw_put(writer, 1, 1) != 0 || (aligned && rw_align(writer) != 0) || rw_put_count(writer, count) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_presence(writer, kept, known, count, bits);
}

RW_MANY int rw_put_unknown(rw_writer *writer, const rw_kept *kept, bool aligned)
{
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        rw_octets octets = kept->items[at].octets;
        if (octets.octets == NULL) {
            continue;
        }
        if (octets.size == 0 || octets.size >= 16384) {
            return octets.size == 0 ? RW_OPEN_TYPE_EMPTY : RW_RARE;
        }
        if ((aligned && rw_align(writer) != 0) || rw_put_count(writer, octets.size) != 0) {
            return RW_OUTPUT_FULL;
        }
        if (rw_put_octets(writer, octets) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* An alternative of a later version, by its index among the additions, of which so many are known (X.691 clause 23.8). */
static inline int rw_put_later(rw_writer *writer, const rw_addition *other, uint64_t known, bool aligned)
{
    rw_octets octets = other->octets;
    if (other->index < known) {
        return RW_KEPT_ORDER;
    }
    if (other->index >= 64 || octets.octets == NULL || octets.size == 0 || octets.size >= 16384) {
        return octets.octets == NULL || octets.size == 0 ? RW_OPEN_TYPE_EMPTY : RW_RARE;
    }
    if (rw_put(writer, 0x80u | other->index, 8) != 0 || (aligned && rw_align(writer) != 0)) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_count(writer, octets.size) != 0 ? RW_OUTPUT_FULL : rw_put_octets(writer, octets);
}

/* Ends an open type whose content began at a bit (X.691 clause 11.1.3). */
RW_MANY int rw_end_open_type(rw_reader *reader, uint64_t start, uint64_t octets)
{
    uint64_t used = reader->at - start, left;
    if (octets > (UINT64_MAX >> 4) || used > octets * 8) {
        return RW_INPUT_TRUNCATED;
    }
    left = octets * 8 - used;
    if (reader->end - reader->at < left) {
        return RW_INPUT_TRUNCATED;
    }
    if (left > 7 && !(used == 0 && octets == 1)) {
        return RW_OPEN_TYPE_TRAILING;
    }
    reader->at += left;
    return 0;
}
