/* Streams of events (EXI): values among event codes, numbers in groups of seven bits, and strings that refer to equal ones. */

/* How many strings a message without a bound may have that others refer to. */
#ifndef RW_STRINGS
#define RW_STRINGS 32
#endif

/* A number of up to 49 bits in groups, the lowest first, each after a bit that says whether more follow (EXI 7.1.6). */
static inline void rw_spread(uint64_t number, uint64_t *word, uint64_t *bits)
{
    *word = 0;
    *bits = 0;
    do {
        *word = *word << 8 | (number > 0x7f ? 0x80u : 0) | (number & 0x7f);
        *bits += 8;
        number >>= 7;
    } while (number > 0 && *bits < 56);
}

static inline int rw_put_groups(rw_writer *writer, uint64_t number)
{
    for (; number > 0x7f; number >>= 7) {
        if (rw_put(writer, (number & 0x7f) | 0x80, 8) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return rw_put(writer, number, 8);
}

/* A number of up to 64 bits, which may end in more groups of zeros. */
static inline int rw_take_groups(rw_reader *reader, uint64_t *number)
{
    unsigned shift = 0;
    uint64_t octet;
    *number = 0;
    do {
        uint64_t group;
        if (rw_take(reader, 8, &octet) != 0) {
            return RW_REJECTED;
        }
        group = octet & 0x7f;
        if (shift > 63 ? group != 0 : shift == 63 && group > 1) {
            return RW_REJECTED;
        }
        if (shift <= 63) {
            *number |= group << shift;
            shift += 7;
        }
    } while ((octet & 0x80) != 0);
    return 0;
}

/* Takes a number of up to seven groups out of a word, at a bit: the word becomes what it would be if there were one group. */
static inline int rw_peel(rw_reader *reader, uint64_t *word, unsigned most, unsigned taken, uint64_t *number)
{
    uint64_t window = *word << taken, octet;
    unsigned groups = 0;
    *number = 0;
    do {
        if (groups == most) {
            return RW_REJECTED;
        }
        octet = window >> 56;
        *number |= (octet & 0x7f) << (7 * groups);
        window <<= 8;
        groups++;
    } while ((octet & 0x80) != 0);
    *word <<= 8 * (groups - 1);
    reader->at += 8 * (groups - 1);
    return 0;
}

/* Bits between their codes: as octets after their number, and unless the size is fixed, before them the number of bits of the
   last one that are not used. */
static inline int rw_put_event_bits(
    rw_writer *writer, rw_bit_string bits, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t code)
{
    const uint64_t count = is_trimmed ? rw_max(rw_bits_meaning(&bits), lower) : bits.bits;
    const uint32_t unused = (uint32_t)(8 - count % 8) % 8;
    if (count < lower || count > upper) {
        return RW_SIZE_RANGE;
    }
    if (lower != upper && rw_put(writer, unused, code + 3) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (count == 0 && code > 0) {
        return rw_put(writer, 1, code) != 0 ? RW_OUTPUT_FULL : rw_put(writer, 0, 3);
    }
    if (rw_put(writer, 0, code) != 0 || rw_put_groups(writer, (count + 7) / 8) != 0
        || rw_put_some_bits(writer, &bits, 0, count) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put(writer, 0, unused + code);
}

static inline int rw_put_event_word(
    rw_writer *writer, const rw_bits *word, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t code)
{
    uint8_t octets[8];
    if (word->bits > 64) {
        return RW_SIZE_CAPACITY;
    }
    rw_store(octets, rw_shl(rw_masked(word), 64u - word->bits));
    return rw_put_event_bits(writer, rw_bit_string_of(octets, word->bits), lower, upper, is_trimmed, code);
}

/* The bits that are sent, and how many there are with zeros that are not sent. */
static inline int rw_take_sent_bits(rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t code,
    rw_bit_string *bits, uint64_t *size)
{
    uint64_t unused = 0, next, octets, sent;
    if (lower != upper && rw_take(reader, code + 3, &unused) != 0) {
        return RW_REJECTED;
    }
    if (rw_take(reader, code, &next) != 0 || next > 1 || unused > 7) {
        return RW_REJECTED;
    }
    if (next == 1) {
        /* The element ends at once (8.5.4.4.1). */
        if (unused != 0 || (lower == upper && upper != 0) || rw_take(reader, 3, &next) != 0 || next != 0) {
            return RW_REJECTED;
        }
        *bits = rw_bit_string_of(reader->octets, 0);
        *size = is_trimmed ? lower : 0;
        return *size < lower || *size > upper ? RW_REJECTED : 0;
    }
    if (rw_take_groups(reader, &octets) != 0 || octets > (reader->end - reader->at) / 8 || octets * 8 < unused) {
        return RW_REJECTED;
    }
    if (lower == upper && octets != upper / 8 + (upper % 8 > 0)) {
        return RW_REJECTED;
    }
    sent = lower == upper ? upper : octets * 8 - unused;
    *size = is_trimmed ? rw_max(sent, lower) : sent;
    if (*size < lower || *size > upper || rw_lend_bits(reader, sent, bits) != 0) {
        return RW_REJECTED;
    }
    if (rw_take(reader, (uint32_t)(octets * 8 - sent), &next) != 0 || rw_take(reader, code, &next) != 0) {
        return RW_REJECTED;
    }
    return next == 0 ? 0 : RW_REJECTED;
}

/* Bits stay where they are: those that are not sent stand for zeros. */
static inline int rw_take_event_bits(
    rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t code, rw_bit_string *bits)
{
    uint64_t size;
    return rw_take_sent_bits(reader, lower, upper, is_trimmed, code, bits, &size);
}

static inline int rw_take_event_word(
    rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t code, rw_bits *word)
{
    rw_bit_string bits;
    uint64_t size;
    if (rw_take_sent_bits(reader, lower, upper, is_trimmed, code, &bits, &size) != 0 || size > 64) {
        return RW_REJECTED;
    }
    if (rw_word_of(&bits, word) != 0) {
        return RW_REJECTED;
    }
    word->value = rw_shl(word->value, size - bits.bits);
    word->bits = (uint8_t)size;
    return 0;
}

/* Characters by their codes (7.1.10). */
static inline int rw_put_event_text(rw_writer *writer, rw_text text, const uint32_t *alphabet, size_t count)
{
    size_t at = 0;
    while (at < text.size) {
        unsigned octets;
        uint32_t code = rw_character(text, at, &octets);
        if (octets == 0 || !rw_is_in(code, alphabet, count)) {
            return octets == 0 ? RW_TEXT_FORM : RW_TEXT_ALPHABET;
        }
        if (rw_put_groups(writer, code) != 0) {
            return RW_OUTPUT_FULL;
        }
        at += octets;
    }
    return 0;
}

static inline int rw_take_event_text(rw_reader *reader, uint64_t characters, const uint32_t *alphabet, size_t count,
    uint8_t *text, size_t most, uint32_t *size)
{
    size_t used = 0;
    for (; characters > 0; characters--) {
        uint64_t code;
        if (rw_take_groups(reader, &code) != 0 || code > 0x10ffff || !rw_is_in((uint32_t)code, alphabet, count)) {
            return RW_REJECTED;
        }
        if (rw_push_character((uint32_t)code, text, most, &used) != 0) {
            return RW_REJECTED;
        }
    }
    *size = (uint32_t)used;
    return 0;
}

/* A string that others may refer to: by its partition, which has the strings of elements of one name (7.3.3). */
typedef struct rw_string {
    const char *partition;
    rw_text text;        /* of an encoder */
    uint64_t bit;        /* of a decoder: where it begins in the input */
    uint64_t characters; /* of a decoder */
} rw_string;

/* All strings so far. */
typedef struct rw_strings {
    rw_string *all;
    uint32_t most;
    uint32_t count;
    uint64_t left; /* for how many characters references may still stand */
} rw_strings;

static inline rw_strings rw_strings_of(rw_string *all, uint32_t most)
{
    rw_strings strings = {all, most, 0, 1u << 15};
    return strings;
}

/* How many strings a partition has before a place; all are in NULL. */
static inline uint32_t rw_strings_in(const rw_strings *strings, const char *partition, uint32_t before)
{
    uint32_t at, count = 0;
    for (at = 0; at < before; at++) {
        count += partition == NULL || strcmp(strings->all[at].partition, partition) == 0;
    }
    return count;
}

/* The width of an index among so many strings. */
static inline uint32_t rw_index_bits(uint32_t count)
{
    uint32_t bits = 0;
    while (count > 1 && (count - 1) >> bits != 0) {
        bits++;
    }
    return bits;
}

static inline bool rw_same_text(rw_text one, rw_text other)
{
    size_t at;
    for (at = 0; at < one.size && one.size == other.size; at++) {
        if (rw_octet(one, at) != rw_octet(other, at)) {
            return false;
        }
    }
    return one.size == other.size;
}

static inline int rw_add_string(rw_strings *strings, rw_string string)
{
    if (strings->count == strings->most) {
        return RW_MEMORY;
    }
    strings->all[strings->count++] = string;
    return 0;
}

/* A text of so many characters, or a reference to an equal one: in its partition, or among all. */
static inline int rw_put_referred(rw_writer *writer, rw_strings *strings, rw_text text, uint64_t characters,
    const char *partition, const uint32_t *alphabet, size_t count)
{
    rw_string string = {partition, text, 0, 0};
    uint32_t at;
    int status;
    for (at = 0; at < strings->count; at++) {
        if (rw_same_text(strings->all[at].text, text)) {
            bool is_own = strcmp(strings->all[at].partition, partition) == 0;
            const char *where = is_own ? partition : NULL;
            uint32_t index = rw_strings_in(strings, where, at), all = rw_strings_in(strings, where, strings->count);
            return rw_put_groups(writer, !is_own) != 0 ? RW_OUTPUT_FULL : rw_put(writer, index, rw_index_bits(all));
        }
    }
    status = rw_put_groups(writer, characters + 2);
    if (status == 0) {
        status = rw_put_event_text(writer, text, alphabet, count);
    }
    return status != 0 || characters == 0 ? status : rw_add_string(strings, string);
}

/* Where a text is and how many characters it has: here, or for a number below 2 where a string is that it refers to. */
static inline int rw_find_text(
    rw_reader *reader, rw_strings *strings, uint64_t number, const char *partition, rw_reader *from, uint64_t *characters)
{
    const char *where = number == 0 ? partition : NULL;
    uint64_t index;
    uint32_t at;
    *from = *reader;
    if (number >= 2) {
        *characters = number - 2;
        return 0;
    }
    if (rw_take(reader, rw_index_bits(rw_strings_in(strings, where, strings->count)), &index) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    for (at = 0; at < strings->count; at++) {
        if ((where == NULL || strcmp(strings->all[at].partition, where) == 0) && index-- == 0) {
            *characters = strings->all[at].characters;
            from->at = strings->all[at].bit;
            if (*characters > strings->left) {
                return RW_RARE;
            }
            strings->left -= *characters;
            return 0;
        }
    }
    return RW_EXI_STRING;
}

/* Moves on after a text that has been read from a place, and remembers it if it was here. */
static inline int rw_pass_text(rw_reader *reader, rw_strings *strings, uint64_t number, const char *partition, const rw_reader *from)
{
    rw_string string = {partition, {NULL, 0, 0}, reader->at, number - 2};
    if (number < 2) {
        return 0;
    }
    reader->at = from->at;
    strings->left += 4 * string.characters;
    return string.characters == 0 ? 0 : rw_add_string(strings, string);
}
