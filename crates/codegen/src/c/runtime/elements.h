/* Values after tags and lengths (X.690). The writer has whole octets. */

/* Octets of the input up to an end. */
typedef struct rw_input {
    const uint8_t *octets;
    size_t size;
    size_t at;
    size_t end; /* of the value that surrounds what comes next */
} rw_input;

static inline rw_input rw_input_of(const uint8_t *octets, size_t size)
{
    rw_input input = {octets, size, 0, size};
    return input;
}

/* The next eight octets, the first one highest; behind the end are zeros. */
static inline uint64_t rw_ahead_of(const rw_input *input, size_t more)
{
    size_t left = input->at > input->size ? 0 : input->size - input->at;
    if (left < more) {
        return 0;
    }
    if (left - more >= 8) {
        return rw_load(input->octets + input->at + more);
    }
    return left == more ? 0 : rw_load_few(input->octets + input->at + more, left - more);
}

static inline uint64_t rw_ahead(const rw_input *input)
{
    return rw_ahead_of(input, 0);
}

/* The next octet, or a number above 255. */
static inline unsigned rw_next(const rw_input *input)
{
    return input->at < input->size ? input->octets[input->at] : 256u;
}

/* Whether the lowest octets of a word come next. */
static inline bool rw_is_next(const rw_input *input, uint64_t word, unsigned octets)
{
    return rw_ahead(input) >> (64 - octets * 8) == word && input->size - input->at >= octets;
}

/* Whether fewer octets are left. */
static inline bool rw_is_beyond(const rw_input *input, uint64_t octets)
{
    return input->at > input->size || octets > input->size - input->at;
}

/* A tag, and a length in the fewest octets (clause 10.1). */
static inline int rw_put_front(rw_writer *writer, uint64_t tag, uint64_t length)
{
    uint64_t word, bits;
    rw_length_octets(length, &word, &bits);
    return bits > 56 || rw_put_whole(writer, tag << bits | word, (uint32_t)bits + 8) != 0 ? RW_REJECTED : 0;
}

static inline int rw_put_string(rw_writer *writer, uint64_t tag, rw_octets octets)
{
    return rw_put_front(writer, tag, octets.size) != 0 ? RW_REJECTED : rw_put_octets_whole(writer, octets);
}

/* A number of seven or eight octets. */
RW_APART int rw_put_long_number(rw_writer *writer, uint64_t tag, uint64_t number, uint64_t octets)
{
    int status = rw_put_whole(writer, tag << 8 | octets, 16);
    return status != 0 ? status : rw_put_whole(writer, rw_low_octets(number, octets), (uint32_t)octets * 8);
}

RW_MOST int rw_put_number(rw_writer *writer, uint64_t tag, uint64_t number)
{
    const uint64_t octets = rw_signed_octets(number);
    if (octets > 6) {
        rw_writer copy = *writer;
        const int status = rw_put_long_number(&copy, tag, number, octets);
        *writer = copy;
        return status;
    }
    return rw_put_word(writer, tag << 56 | octets << 48 | number << (64 - octets * 8) >> 16, octets + 2);
}

/* A number without a sign. */
static inline int rw_put_unsigned_number(rw_writer *writer, uint64_t tag, uint64_t number)
{
    if (number >> 63 == 0) {
        return rw_put_number(writer, tag, number);
    }
    return rw_put_whole(writer, (tag << 8 | 9) << 8, 24) != 0 ? RW_REJECTED : rw_put_whole(writer, number, 64);
}

/* The lowest bits of a word, without zeros at the end beyond the first `least` (clause 11.2.2). */
static inline int rw_put_word_bits(rw_writer *writer, uint64_t tag, uint64_t bits, uint64_t count, uint64_t least)
{
    uint64_t kept = count, octets, word;
    if (count > 64) {
        return RW_REJECTED;
    }
    while (kept > least && (bits >> (count - kept) & 1) == 0) {
        kept--;
    }
    octets = (kept + 7) / 8;
    if (rw_put_whole(writer, tag << 16 | (octets + 1) << 8 | (octets * 8 - kept), 24) != 0) {
        return RW_REJECTED;
    }
    word = kept == 0 ? 0 : bits << (64 - count);
    return octets == 0 ? 0 : rw_put_word(writer, word, octets);
}

/* A bit string of any length. */
static inline int rw_put_any_bits(rw_writer *writer, uint64_t tag, const rw_bit_string *bits)
{
    uint64_t octets = ((uint64_t)bits->bits + 7) / 8;
    if (rw_put_front(writer, tag, octets + 1) != 0 || rw_put_whole(writer, octets * 8 - bits->bits, 8) != 0) {
        return RW_REJECTED;
    }
    return rw_put_bits_whole(writer, bits);
}

/* Leaves zeros at the end of named bits out, but for the first `least`, and says how many bits are written. */
static inline int rw_trim_named(rw_bit_string *kept, uint64_t lower, uint64_t upper, uint64_t least, uint64_t *count)
{
    const size_t bits = kept->bits;
    kept->bits = rw_bits_meaning(kept);
    *count = kept->bits > least ? kept->bits : least;
    if ((kept->bits > lower ? kept->bits : lower) > upper) {
        return RW_SIZE_RANGE;
    }
    kept->bits = *count < bits ? (size_t)*count : bits;
    return 0;
}

static inline int rw_put_named_bits(
    rw_writer *writer, uint64_t tag, const rw_bit_string *bits, uint64_t lower, uint64_t upper, uint64_t least)
{
    rw_bit_string kept = *bits;
    uint64_t count = 0, octets;
    if (rw_trim_named(&kept, lower, upper, least, &count) != 0) {
        return RW_REJECTED;
    }
    octets = (count + 7) / 8;
    if (rw_put_front(writer, tag, octets + 1) != 0 || rw_put_whole(writer, octets * 8 - count, 8) != 0) {
        return RW_REJECTED;
    }
    return kept.bits == count ? rw_put_bits_whole(writer, &kept) : rw_put_some_bits_whole(writer, &kept, 0, count);
}

/* Characters of one, two or four octets, which are in an alphabet of ranges. */
static inline int rw_put_wide_text(
    rw_writer *writer, uint64_t tag, rw_text text, uint64_t width, const uint32_t *alphabet, size_t count)
{
    uint64_t characters = rw_characters(text);
    if (characters == UINT64_MAX || rw_put_front(writer, tag, characters * width) != 0) {
        return RW_REJECTED;
    }
    return rw_put_characters(writer, text, width * 8, false, alphabet, count) != 0 ? RW_REJECTED : rw_flush(writer);
}

/* The length of contents of 128 octets and more. */
RW_APART int rw_close_long(rw_writer *writer, uint64_t start)
{
    return rw_close_octets(writer, start * 8 - 8);
}

/* Writes the length of the contents from a place on into the octet before them, or more octets. */
RW_MOST int rw_close(rw_writer *writer, uint64_t start)
{
    const uint64_t length = writer->stored - start;
    if (length > 127) {
        rw_writer copy = *writer;
        const int status = rw_close_long(&copy, start);
        *writer = copy;
        return status;
    }
    writer->out[start - 1] = (uint8_t)length;
    return 0;
}

/* An identifier: the class and the number, without the bit for "constructed"; how many octets it has. */
static inline size_t rw_identifier(const uint8_t *octets, size_t size, uint32_t *tag, bool *is_constructed)
{
    uint32_t number = 0;
    size_t at;
    if (size == 0) {
        return 0;
    }
    *is_constructed = (octets[0] & 0x20u) != 0;
    *tag = (uint32_t)(octets[0] >> 6) << 30 | (octets[0] & 0x1fu);
    if ((octets[0] & 0x1fu) != 0x1f) {
        return 1;
    }
    for (at = 1; at < size; at++) {
        if (at == 1 && octets[at] == 0x80) {
            return 0;
        }
        number = number > 0x1fffffffu >> 7 ? 0x1fffffffu : number << 7 | (octets[at] & 0x7fu);
        if ((octets[at] & 0x80u) == 0) {
            *tag = (uint32_t)(octets[0] >> 6) << 30 | number;
            return number < 31 ? 0 : at + 1;
        }
    }
    return 0;
}

/* A definite length (clause 8.1.3); how many octets it has itself, or 0 if it is none. */
static inline size_t rw_length(const uint8_t *octets, size_t size, size_t *length)
{
    size_t count, at;
    if (size == 0) {
        return 0;
    }
    *length = octets[0];
    if (octets[0] < 0x80) {
        return 1;
    }
    count = octets[0] & 0x7fu;
    if (count == 0 || count == 0x7f || count > size - 1) {
        return 0;
    }
    *length = 0;
    for (at = 1; at <= count; at++) {
        *length = *length > SIZE_MAX >> 8 ? SIZE_MAX : *length << 8 | octets[at];
    }
    return count + 1;
}

/* The fault of an identifier; 0 if there is none. */
RW_MANY int rw_why_identifier(const uint8_t *octets, size_t size)
{
    uint32_t tag;
    bool is_constructed;
    size_t at;
    if (rw_identifier(octets, size, &tag, &is_constructed) > 0) {
        return 0;
    }
    if (size > 1 && octets[1] == 0x80) {
        return RW_TLV_TAG_ZEROS;
    }
    for (at = 1; at < size && octets[at] >= 0x80; at++) {
    }
    return at < size ? RW_TLV_TAG_LOW : RW_INPUT_TRUNCATED;
}

/* The same of a length. */
RW_MANY int rw_why_length(const uint8_t *octets, size_t size)
{
    if (size == 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (octets[0] == 0xff) {
        return RW_TLV_LENGTH;
    }
    return octets[0] > 0x80 && (octets[0] & 0x7fu) > size - 1 ? RW_INPUT_TRUNCATED : 0;
}

/* How many octets the value at the start of octets has, or its fault. */
RW_MANY int rw_measure(const uint8_t *octets, size_t size, size_t *whole)
{
    size_t at = 0, open = 0;
    do {
        uint32_t tag;
        bool is_constructed;
        size_t length = 0;
        int status = rw_why_identifier(octets + at, size - at);
        if (status != 0) {
            return status;
        }
        at += rw_identifier(octets + at, size - at, &tag, &is_constructed);
        status = rw_why_length(octets + at, size - at);
        if (status != 0) {
            return status;
        }
        if (octets[at] == 0x80) {
            if (!is_constructed) {
                return RW_TLV_LENGTH_INDEFINITE;
            }
            at++;
            open++;
            continue;
        }
        at += rw_length(octets + at, size - at, &length);
        if (tag == 0 && !is_constructed) {
            if (length != 0 || open == 0) {
                return RW_TLV_END_OF_CONTENTS;
            }
            open--;
        }
        if (length > size - at) {
            return RW_INPUT_TRUNCATED;
        }
        at += length;
    } while (open > 0);
    *whole = at;
    return 0;
}

/* The same; 0 if the value is not whole. */
static inline size_t rw_element(const uint8_t *octets, size_t size)
{
    size_t whole;
    return rw_measure(octets, size, &whole) == 0 ? whole : 0;
}

/* A value of any type, with its identifier and length. */
static inline int rw_put_element(rw_writer *writer, rw_octets octets)
{
    if (octets.bit != 0 || octets.size == 0 || rw_element(octets.octets, octets.size) != octets.size) {
        return RW_REJECTED;
    }
    return rw_put_octets_whole(writer, octets);
}

static inline void rw_reverse(uint8_t *octets, size_t count)
{
    size_t at;
    for (at = 0; at < count / 2; at++) {
        uint8_t other = octets[at];
        octets[at] = octets[count - 1 - at];
        octets[count - 1 - at] = other;
    }
}

/* Sorts the values from a place on by their octets, of which none is the start of another; `size_of` says how many octets
   the first value has, or 0. */
static inline int rw_sort_by(rw_writer *writer, uint64_t start, size_t (*size_of)(const uint8_t *octets, size_t size))
{
    uint8_t *at = writer->out + start, *end = writer->out + writer->stored;
    while (at < end) {
        uint8_t *least = at, *other;
        size_t least_size = size_of(at, (size_t)(end - at)), size;
        if (least_size == 0) {
            return RW_REJECTED;
        }
        for (other = at + least_size; other < end; other += size) {
            int order;
            size = size_of(other, (size_t)(end - other));
            if (size == 0) {
                return RW_REJECTED;
            }
            order = memcmp(other, least, size < least_size ? size : least_size);
            if (order < 0) {
                least = other;
                least_size = size;
            }
        }
        /* The least one comes before all that were before it. */
        rw_reverse(at, (size_t)(least - at));
        rw_reverse(least, least_size);
        rw_reverse(at, (size_t)(least - at) + least_size);
        at += least_size;
    }
    return 0;
}

/* X.690 clause 11.6. */
static inline int rw_sort(rw_writer *writer, uint64_t start)
{
    return rw_sort_by(writer, start, rw_element);
}

/* Whether additions that were kept ascend, and come after so many known ones. */
static inline bool rw_kept_ascend(const rw_kept *kept, uint64_t known)
{
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        if (at >= RW_KEPT || kept->items[at].index < known || (at > 0 && kept->items[at].index <= kept->items[at - 1].index)) {
            return false;
        }
    }
    return true;
}

/* Writes additions of a later version, of which so many are known. */
static inline int rw_put_kept(rw_writer *writer, const rw_kept *kept, uint64_t known)
{
    uint32_t at;
    if (!rw_kept_ascend(kept, known)) {
        return RW_REJECTED;
    }
    for (at = 0; at < kept->count; at++) {
        if (kept->items[at].octets.octets != NULL && rw_put_element(writer, kept->items[at].octets) != 0) {
            return RW_REJECTED;
        }
    }
    return 0;
}

static inline int rw_put_other(rw_writer *writer, const rw_addition *other, uint64_t known)
{
    return other->index < known ? RW_REJECTED : rw_put_element(writer, other->octets);
}

/* The next value up to an end, and whether its tag is none of these. */
static inline int rw_unknown_ahead(const rw_input *input, size_t end, const uint32_t *tags, size_t count, rw_octets *octets)
{
    uint32_t tag;
    bool is_constructed;
    size_t at, left;
    octets->size = 0;
    if (input->at >= end) {
        return 0;
    }
    left = end - input->at;
    if (rw_identifier(input->octets + input->at, left, &tag, &is_constructed) == 0) {
        return RW_REJECTED;
    }
    for (at = 0; at < count; at++) {
        if (tags[at] == tag) {
            return 0;
        }
    }
    *octets = rw_octets_of(input->octets + input->at, rw_element(input->octets + input->at, left));
    return octets->size == 0 ? RW_REJECTED : 0;
}

/* Reads additions of a later version up to a known tag. No more than RW_KEPT are taken. */
static inline int rw_take_kept(rw_input *input, rw_kept *kept, uint64_t known, const uint32_t *tags, size_t count)
{
    for (;;) {
        rw_octets octets;
        if (rw_unknown_ahead(input, input->end, tags, count, &octets) != 0) {
            return RW_REJECTED;
        }
        if (octets.size == 0) {
            return 0;
        }
        if (kept->count >= RW_KEPT) {
            return RW_REJECTED;
        }
        kept->items[kept->count].index = (uint32_t)known + kept->count;
        kept->items[kept->count].octets = octets;
        kept->count++;
        input->at += octets.size;
    }
}

/* Reads an alternative of a later version. */
static inline int rw_take_other(rw_input *input, rw_addition *other, uint64_t known, const uint32_t *tags, size_t count)
{
    rw_octets octets;
    if (rw_unknown_ahead(input, input->size, tags, count, &octets) != 0 || octets.size == 0) {
        return RW_REJECTED;
    }
    other->index = (uint32_t)known;
    other->octets = octets;
    input->at += octets.size;
    return 0;
}

static inline int rw_expect(rw_input *input, unsigned first, unsigned second)
{
    if (!rw_is_next(input, (uint64_t)first << 8 | second, 2)) {
        return RW_REJECTED;
    }
    input->at += 2;
    return 0;
}

/* Moves to the contents behind this tag and a definite length, and says where they end. */
RW_MOST int rw_open(rw_input *input, unsigned tag, size_t *inside)
{
    size_t at = input->at + 1, length, count;
    if (rw_next(input) != tag) {
        return RW_REJECTED;
    }
    count = rw_length(input->octets + at, input->size - at, &length);
    if (count == 0 || length > input->size - at - count) {
        return RW_REJECTED;
    }
    input->at = at + count;
    *inside = input->at + length;
    return 0;
}

/* Octets behind this tag and a definite length. */
static inline int rw_open_octets(rw_input *input, unsigned tag, rw_octets *octets)
{
    size_t inside;
    if (rw_open(input, tag, &inside) != 0) {
        return RW_REJECTED;
    }
    *octets = rw_octets_of(input->octets + input->at, inside - input->at);
    input->at = inside;
    return 0;
}

/* The octets of a value of any type. */
static inline int rw_whole(rw_input *input, rw_octets *octets)
{
    size_t size = input->at < input->size ? rw_element(input->octets + input->at, input->size - input->at) : 0;
    if (size == 0) {
        return RW_REJECTED;
    }
    *octets = rw_octets_of(input->octets + input->at, size);
    input->at += size;
    return 0;
}

RW_MOST int rw_one_octet(rw_input *input, unsigned tag, uint64_t *octet)
{
    uint64_t word = rw_ahead(input);
    if (input->at > input->size || input->size - input->at < 3 || word >> 48 != ((uint64_t)tag << 8 | 1)) {
        return RW_REJECTED;
    }
    *octet = word >> 40 & 0xff;
    input->at += 3;
    return 0;
}

/* A number of at most so many octets, up to eight, in the fewest that hold it. */
RW_MOST int rw_take_number(rw_input *input, unsigned tag, uint64_t most, uint64_t *number)
{
    uint64_t word = rw_ahead(input), octets = word >> 48 & 0xff, sign;
    if (word >> 56 != tag || octets < 1 || octets > most) {
        return RW_REJECTED;
    }
    word = octets <= 6 ? word << 16 : rw_ahead_of(input, 2);
    sign = UINT64_C(1) << (octets * 8 - 1);
    *number = ((word >> (64 - octets * 8)) ^ sign) - sign;
    input->at += 2 + (size_t)octets;
    return rw_signed_octets(*number) != octets || input->at > input->size ? RW_REJECTED : 0;
}

static inline int rw_take_unsigned_number(rw_input *input, unsigned tag, uint64_t *number)
{
    if (rw_ahead(input) >> 40 == ((uint64_t)tag << 16 | 9u << 8)) {
        *number = rw_ahead_of(input, 3);
        input->at += 11;
        return *number >> 63 == 0 || input->at > input->size ? RW_REJECTED : 0;
    }
    return rw_take_number(input, tag, 8, number) != 0 || *number >> 63 != 0 ? RW_REJECTED : 0;
}

/* A REAL. */
static inline int rw_put_real_value(rw_writer *writer, uint64_t tag, double real)
{
    uint8_t octets[11] = {0};
    const size_t size = rw_real_contents(real, octets);
    return rw_put_string(writer, tag, rw_octets_of(octets, size));
}

static inline int rw_take_real_value(rw_input *input, unsigned tag, double *real)
{
    rw_octets octets;
    return rw_open_octets(input, tag, &octets) != 0 ? RW_REJECTED : rw_read_real(octets, real);
}

/* Bits as a word, the last one lowest, and how many. */
static inline int rw_take_word_bits(
    rw_input *input, unsigned tag, uint64_t least, uint64_t most, uint64_t *bits, uint64_t *count)
{
    uint64_t word = rw_ahead(input), octets = (word >> 48 & 0xff) - 1, unused = word >> 40 & 0xff;
    if (word >> 56 != tag || octets > 8 || unused > 7 || unused > octets * 8) {
        return RW_REJECTED;
    }
    *count = octets * 8 - unused;
    if (*count < least || *count > most) {
        return RW_REJECTED;
    }
    *bits = *count == 0 ? 0 : rw_ahead_of(input, 3) >> (64 - *count);
    input->at += 3 + (size_t)octets;
    return input->at > input->size ? RW_REJECTED : 0;
}

/* Named bits, without as many zeros at the end as are too many. Bits stay where they are: those that are not sent stand for zeros. */
static inline int rw_take_named_bits(rw_octets octets, uint64_t most, rw_bit_string *bits)
{
    if (rw_split_bits(octets, bits) != 0) {
        return RW_BIT_STRING;
    }
    while (bits->bits > most) {
        if (rw_bit(bits, bits->bits - 1) != 0) {
            return RW_SIZE_RANGE;
        }
        bits->bits--;
    }
    return 0;
}

/* So many characters of one, two or four octets, as UTF-8. */
static inline int rw_take_wide_text(rw_octets octets, uint32_t width, uint64_t least, uint64_t most_characters,
    const uint32_t *alphabet, size_t count, uint8_t *text, size_t most, uint32_t *size)
{
    rw_reader reader = rw_reader_of(octets.octets, octets.size);
    uint64_t characters = octets.size / width;
    if (octets.size % width != 0 || characters < least || characters > most_characters) {
        return octets.size % width != 0 ? RW_TEXT_PART : RW_SIZE_RANGE;
    }
    return rw_take_characters(&reader, characters, width * 8, false, alphabet, count, text, most, size);
}

/* The same into memory of an arena. */
static inline int rw_new_wide_text(rw_octets octets, uint32_t width, uint64_t least, uint64_t most_characters,
    const uint32_t *alphabet, size_t count, rw_arena *arena, rw_text *text)
{
    rw_reader reader = rw_reader_of(octets.octets, octets.size);
    uint64_t characters = octets.size / width;
    if (octets.size % width != 0 || characters < least || characters > most_characters) {
        return octets.size % width != 0 ? RW_TEXT_PART : RW_SIZE_RANGE;
    }
    return rw_new_characters(&reader, characters, width * 8, false, alphabet, count, arena, text);
}

/* Whether all octets are between two. */
static inline bool rw_all_between(rw_octets octets, uint8_t least, uint8_t most)
{
    size_t at;
    for (at = 0; at < octets.size; at++) {
        if (rw_octet(octets, at) < least || rw_octet(octets, at) > most) {
            return false;
        }
    }
    return true;
}

/* Whether all octets are in an alphabet of ranges below 128. */
static inline bool rw_all_in(rw_octets octets, const uint32_t *alphabet, size_t count)
{
    size_t at, range;
    for (at = 0; at < octets.size; at++) {
        uint8_t octet = rw_octet(octets, at);
        for (range = 0; range < count && (octet < alphabet[range] || octet > alphabet[range + 1]); range += 2) {
        }
        if (range >= count || octet >= 128) {
            return false;
        }
    }
    return true;
}

/* Whether a time is so many digits and Z. */
static inline bool rw_is_utc(rw_text text, size_t digits)
{
    rw_octets number = text;
    if (text.size != digits + 1 || rw_octet(text, digits) != 'Z') {
        return false;
    }
    number.size = digits;
    return rw_all_between(number, '0', '9');
}
