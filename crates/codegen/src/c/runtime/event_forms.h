/* Streams of events, and what is wrong with them: for functions that are called after others have refused. */

/* The event that comes next. */
typedef struct rw_event {
    uint64_t left_out; /* how many of the possible events still precede it */
    bool is_first;     /* whether it is the first one in an element */
    bool is_strict;    /* whether events that are not in the schema are excluded */
} rw_event;

static inline int rw_expect_event(rw_reader *reader, uint32_t bits, bool is_first, rw_event *next)
{
    next->is_first = is_first;
    return rw_take(reader, bits, &next->left_out);
}

/* An event that the schema does not have here (8.5.4.4.1): `is_end` if it has an end, whose code is of the first level. */
static inline int rw_other_event(rw_reader *reader, bool is_end, const rw_event *next)
{
    static const int codes[7] = {RW_EXI_END, RW_EXI_ATTRIBUTE_TYPE, RW_EXI_ATTRIBUTE_NIL, RW_EXI_ATTRIBUTE_UNKNOWN,
        RW_EXI_ATTRIBUTE_VALUE, RW_EXI_ELEMENT, RW_EXI_CHARACTERS};
    const uint32_t count = (is_end ? 0u : 1u) + (next->is_first ? 4u : 0u) + 2u;
    uint64_t index;
    if (next->is_strict || next->left_out > 1) {
        return RW_EXI_CODE;
    }
    if (rw_take(reader, rw_index_bits(count), &index) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (index >= count) {
        return RW_EXI_CODE;
    }
    index += is_end ? 1 : 0;
    return codes[index + (index > 0 && !next->is_first ? 4 : 0)];
}

/* Whether the next event is the one that is wanted. */
static inline int rw_happens(rw_reader *reader, bool is_end, const rw_event *next)
{
    return next->left_out > 0 ? rw_other_event(reader, is_end, next) : 0;
}

/* A number of up to 64 bits in groups; `code` is the error for a longer one. */
static inline int rw_any_groups(rw_reader *reader, int code, uint64_t *number)
{
    const uint64_t start = reader->at;
    if (rw_take_groups(reader, number) == 0) {
        return 0;
    }
    return reader->end - start < 8 || reader->at == reader->end ? RW_INPUT_TRUNCATED : code;
}

/* Which of the events `from` to `count`, which is excluded, comes next in the options. */
static inline int rw_take_option(rw_reader *reader, uint32_t from, uint32_t count, uint64_t *event)
{
    if (rw_take(reader, rw_index_bits(count - from), event) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    *event += from;
    return *event < count ? 0 : RW_EXI_CODE;
}

/* An element that must not contain options: these are their errors. */
static inline int rw_no_option(rw_reader *reader, const int *codes, uint32_t count)
{
    uint64_t event;
    const int status = rw_take_option(reader, 0, count + 1, &event);
    return status == 0 && event < count ? codes[event] : status;
}

static inline int rw_less_common_options(rw_reader *reader)
{
    static const int uncommon[] = {RW_EXI_OPTIONS_ALIGNMENT, RW_EXI_OPTIONS_SELF_CONTAINED, RW_EXI_OPTIONS_STRING_LENGTH,
        RW_EXI_OPTIONS_TABLE_CAPACITY, RW_EXI_OPTIONS_DATATYPES, RW_EXI_OPTIONS_UNKNOWN};
    static const int preserve[] = {RW_EXI_OPTIONS_DOCTYPE, RW_EXI_OPTIONS_PREFIXES, RW_EXI_OPTIONS_LEXICAL,
        RW_EXI_OPTIONS_COMMENTS, RW_EXI_OPTIONS_INSTRUCTIONS};
    uint64_t next, size;
    int status = rw_take_option(reader, 0, 4, &next);
    if (status == 0 && next == 0) {
        status = rw_no_option(reader, uncommon, 6);
        status = status == 0 ? rw_take_option(reader, 1, 4, &next) : status;
    }
    if (status == 0 && next == 1) {
        status = rw_no_option(reader, preserve, 5);
        status = status == 0 ? rw_take_option(reader, 2, 4, &next) : status;
    }
    return status == 0 && next == 2 ? rw_any_groups(reader, RW_EXI_OPTIONS_BLOCK_SIZE, &size) : status;
}

/* The name of the schema, which both sides know. */
static inline int rw_pass_schema(rw_reader *reader)
{
    const uint64_t start = reader->at;
    uint64_t is_nil, characters, code;
    if (rw_take(reader, 1, &is_nil) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (is_nil != 0) {
        return RW_EXI_OPTIONS_NO_SCHEMA;
    }
    if (rw_take_groups(reader, &characters) != 0 || characters < 2) {
        return reader->end - start < 9 || reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_EXI_OPTIONS_SCHEMA;
    }
    for (characters -= 2; characters > 0; characters--) {
        if (rw_take_groups(reader, &code) != 0) {
            return reader->end - reader->at < 8 ? RW_INPUT_TRUNCATED : RW_EXI_OPTIONS_SCHEMA;
        }
    }
    return 0;
}

static inline int rw_common_options(rw_reader *reader)
{
    uint64_t next;
    const int status = rw_take_option(reader, 0, 4, &next);
    if (status != 0 || next > 2) {
        return status;
    }
    return next == 0 ? RW_EXI_OPTIONS_COMPRESSION : next == 1 ? RW_EXI_OPTIONS_FRAGMENT : rw_pass_schema(reader);
}

/* A strict document of its own (5.4, Appendix C), directly before the main one: of options that are what they are anyway. */
static inline int rw_pass_options(rw_reader *reader, bool is_strict)
{
    uint64_t next;
    int status = rw_take_option(reader, 0, 2, &next);
    if (status == 0 && next == 1) {
        return RW_EXI_OPTIONS_DOCUMENT;
    }
    status = status == 0 ? rw_take_option(reader, 0, 4, &next) : status;
    if (status == 0 && next == 0) {
        status = rw_less_common_options(reader);
        status = status == 0 ? rw_take_option(reader, 1, 4, &next) : status;
    }
    if (status == 0 && next == 1) {
        status = rw_common_options(reader);
        status = status == 0 ? rw_take_option(reader, 2, 4, &next) : status;
    }
    if (status != 0 || (next == 2) == is_strict) {
        return status;
    }
    return is_strict ? RW_EXI_OPTIONS_NOT_STRICT : RW_EXI_OPTIONS_STRICT;
}

/* The header (5), and the code before the document's element. */
static inline int rw_begin_document(rw_reader *reader, rw_event *next)
{
    uint64_t first, has_options, version;
    if (reader->end >= 32 && memcmp(reader->octets, "$EXI", 4) == 0) {
        reader->at += 32;
    }
    if (rw_take(reader, 2, &first) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (first != 2) {
        return RW_EXI_HEADER;
    }
    if (rw_take(reader, 1, &has_options) != 0 || rw_take(reader, 5, &version) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (version != 0) {
        return RW_EXI_VERSION;
    }
    if (has_options != 0) {
        const int status = rw_pass_options(reader, next->is_strict);
        if (status != 0) {
            return status;
        }
    }
    if (rw_expect_event(reader, 1, false, next) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    return next->left_out > 0 ? RW_EXI_ROOT : 0;
}

/* The alternative that a code selects, by the first code of each. */
static inline uint64_t rw_select_event(const uint32_t *starts, size_t count, rw_event *next)
{
    const uint64_t code = next->left_out;
    size_t at = 0;
    next->left_out = 0;
    if (count == 0) {
        return code;
    }
    while (at + 1 < count && starts[at + 1] <= code) {
        at++;
    }
    next->left_out = code - starts[at];
    return at;
}

/* A code that selects none of so many alternatives. */
static inline int rw_not_selected(rw_reader *reader, uint64_t which, uint64_t count, rw_event *next)
{
    next->left_out += which - count + 1;
    return rw_other_event(reader, false, next);
}

/* Where an element of a list may come: how many there are at least and at most, how many events can begin one, and the width of
   the code where one has to come, where one may come, and where none may come. */
typedef struct rw_repeat {
    uint64_t lower;
    uint64_t upper;
    uint64_t events;
    uint32_t single;
    uint32_t either;
    uint32_t last;
    bool is_bounded;
} rw_repeat;

static inline int rw_next_element(rw_reader *reader, uint64_t at, const rw_repeat *of, rw_event *next, bool *more)
{
    const bool is_last = of->is_bounded && at == of->upper, is_enough = at >= of->lower;
    const int status = rw_expect_event(reader, is_last ? of->last : is_enough ? of->either : of->single, at == 0, next);
    *more = !is_last && !(is_enough && next->left_out == of->events);
    if (status != 0) {
        return status;
    }
    if (!*more) {
        next->left_out = is_last ? next->left_out : 0;
        return 0;
    }
    if (at == of->upper) {
        return RW_SIZE_RANGE;
    }
    if (is_enough && next->left_out >= of->events) {
        next->left_out -= of->events;
        return rw_other_event(reader, true, next);
    }
    return 0;
}

/* Whether an element ends without a value, by the first code of the second level. */
static inline int rw_ends_empty(rw_reader *reader, const rw_event *next, bool *ends)
{
    rw_reader rest = *reader;
    uint64_t second;
    *ends = false;
    if (next->left_out != 1) {
        return 0;
    }
    if (rw_take(&rest, 3, &second) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    *ends = second == 0;
    *reader = *ends ? rest : *reader;
    return 0;
}

static inline int rw_octets_ahead(rw_reader *reader, uint64_t *octets)
{
    const int status = rw_any_groups(reader, RW_EXI_LENGTH, octets);
    if (status != 0) {
        return status;
    }
    return *octets > (reader->end - reader->at) / 8 ? RW_INPUT_TRUNCATED : 0;
}

/* An integer of 64 bits, in two's complement. If there is a bound on its side, one with more bits is beyond that. */
static inline int rw_any_event_integer(rw_reader *reader, bool is_signed, bool has_lower, bool has_upper, uint64_t *number)
{
    uint64_t sign = 0, octet;
    uint32_t bits = 0, shift = 0;
    *number = 0;
    if (is_signed && rw_take(reader, 1, &sign) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    do {
        if (rw_take(reader, 8, &octet) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        if ((octet & 0x7f) != 0) {
            bits = shift;
            while ((octet & 0x7f) >> (bits - shift) != 0) {
                bits++;
            }
            *number |= rw_shl(octet & 0x7f, shift);
        }
        shift += 7;
    } while ((octet & 0x80) != 0);
    if (bits > (is_signed ? 63u : 64u)) {
        return (sign != 0 ? has_lower : has_upper) && bits <= 127 ? RW_INTEGER_RANGE : RW_INTEGER_WIDTH;
    }
    *number = sign != 0 ? ~*number : *number;
    return 0;
}

/* Bits in octets that come next. Zeros that are not sent are for `size`. */
static inline int rw_take_bit_octets(
    rw_reader *reader, uint64_t octets, uint64_t unused, uint64_t lower, uint64_t upper, bool is_trimmed, rw_bit_string *bits, uint64_t *size)
{
    const uint64_t end = reader->at + octets * 8;
    uint64_t sent = octets * 8 - unused;
    if (unused > 0 && octets == 0) {
        return RW_BIT_STRING;
    }
    if (rw_lend_bits(reader, sent, bits) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    while (is_trimmed && bits->bits > upper && rw_bit(bits, bits->bits - 1) == 0) {
        bits->bits--;
    }
    sent = bits->bits;
    *size = is_trimmed ? rw_max(sent, lower) : sent;
    reader->at = end;
    return *size < lower || *size > upper ? RW_SIZE_RANGE : 0;
}

/* The octets of bits. */
static inline int rw_any_bit_octets(
    rw_reader *reader, uint64_t unused, uint64_t lower, uint64_t upper, bool is_trimmed, rw_bit_string *bits, uint64_t *size)
{
    uint64_t octets;
    const int status = rw_octets_ahead(reader, &octets);
    if (status != 0) {
        return status;
    }
    if (lower == upper && octets != upper / 8 + (upper % 8 > 0)) {
        return RW_SIZE_RANGE;
    }
    if (lower == upper) {
        unused = octets * 8 - upper;
    }
    return rw_take_bit_octets(reader, octets, unused, lower, upper, is_trimmed && lower != upper, bits, size);
}

/* Bits with their codes, of so many bits, between the start and the end of an element. */
static inline int rw_any_coded_bits(rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t width, rw_event *next,
    rw_bit_string *bits, uint64_t *size)
{
    const bool has_attribute = lower != upper;
    bool ends = false;
    uint64_t unused = 0;
    int status = rw_expect_event(reader, width, true, next);
    *bits = rw_bit_string_of(reader->octets, 0);
    *size = 0;
    if (status == 0 && upper == 0) {
        status = rw_ends_empty(reader, next, &ends);
    }
    if (status != 0 || ends) {
        return status;
    }
    status = rw_happens(reader, false, next);
    if (status == 0 && has_attribute) {
        status = rw_take(reader, 3, &unused);
        if (status == 0) {
            status = rw_expect_event(reader, width, false, next);
        }
        if (status == 0) {
            status = rw_ends_empty(reader, next, &ends);
        }
        if (status == 0 && ends) {
            return rw_take_bit_octets(reader, 0, unused, lower, upper, is_trimmed, bits, size);
        }
        if (status == 0) {
            status = rw_happens(reader, false, next);
        }
    }
    if (status == 0) {
        status = rw_any_bit_octets(reader, unused, lower, upper, is_trimmed, bits, size);
    }
    if (status == 0) {
        status = rw_expect_event(reader, width, false, next);
    }
    return status != 0 ? status : rw_happens(reader, true, next);
}

/* Bits stay where they are: those that are not sent stand for zeros. */
static inline int rw_any_event_bits(
    rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t width, rw_event *next, rw_bit_string *bits)
{
    uint64_t size;
    return rw_any_coded_bits(reader, lower, upper, is_trimmed, width, next, bits, &size);
}

static inline int rw_any_event_word(
    rw_reader *reader, uint64_t lower, uint64_t upper, bool is_trimmed, uint32_t width, rw_event *next, rw_bits *word)
{
    rw_bit_string bits;
    uint64_t size;
    int status = rw_any_coded_bits(reader, lower, upper, is_trimmed, width, next, &bits, &size);
    if (status == 0) {
        status = size > 64 ? RW_SIZE_CAPACITY : rw_word_of(&bits, word);
    }
    if (status == 0) {
        word->value = rw_shl(word->value, size - bits.bits);
        word->bits = (uint8_t)size;
    }
    return status;
}

/* Characters by their codes. */
static inline int rw_any_event_text(rw_reader *reader, uint64_t characters, const uint32_t *alphabet, size_t count, uint8_t *text,
    size_t most, uint32_t *size)
{
    size_t used = 0;
    for (; characters > 0; characters--) {
        uint64_t code;
        const int status = rw_any_groups(reader, RW_EXI_CHARACTER, &code);
        if (status != 0) {
            return status;
        }
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || !rw_is_in((uint32_t)code, alphabet, count)) {
            return RW_TEXT_ALPHABET;
        }
        if (rw_push_character((uint32_t)code, text, most, &used) != 0) {
            return RW_SIZE_CAPACITY;
        }
    }
    *size = (uint32_t)used;
    return 0;
}

/* The same without a bound: characters of one octet each stay in the input, others are put into memory of the caller. */
static inline int rw_new_event_text(rw_reader *reader, uint64_t characters, const uint32_t *alphabet, size_t count, rw_arena *arena,
    rw_text *text)
{
    const uint64_t left = (reader->end - reader->at) / 8, here = characters < left ? characters : left;
    const size_t most = rw_most_octets(here, alphabet, count);
    rw_reader rest = *reader;
    uint32_t size = 0;
    uint8_t *octets;
    size_t at = 0;
    int status;
    if (rw_lend(&rest, characters, text) == 0) {
        while (at < text->size && rw_octet(*text, at) < 0x80 && rw_is_in(rw_octet(*text, at), alphabet, count)) {
            at++;
        }
        if (at == text->size) {
            *reader = rest;
            return 0;
        }
    }
    octets = (uint8_t *)rw_new(arena, most);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    status = rw_any_event_text(reader, characters, alphabet, count, octets, most, &size);
    arena->used -= most - size;
    *text = rw_octets_of(octets, size);
    return status;
}

/* The most groups of seven bits of a number in an object identifier. */
#define RW_ARC_GROUPS 17

/* Writes a number in groups, the lowest first. */
static inline int rw_put_event_arc(rw_writer *writer, const uint8_t *groups, size_t count)
{
    size_t at, size = count;
    while (size > 1 && groups[size - 1] == 0) {
        size--;
    }
    for (at = 0; at < size; at++) {
        if (rw_put(writer, groups[at] | (at + 1 < size ? 0x80u : 0u), 8) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* An object identifier: how many numbers it has, and then each of them (7.1.11, 7.1.6). */
static inline int rw_put_event_arcs(rw_writer *writer, rw_octets of, bool is_relative)
{
    uint64_t numbers = is_relative ? 0 : 1;
    size_t at, count;
    for (at = 0; at < of.size; at++) {
        numbers += (rw_octet(of, at) & 0x80) == 0;
    }
    if (rw_put_groups(writer, numbers) != 0) {
        return RW_OUTPUT_FULL;
    }
    for (at = 0; at < of.size; at += count) {
        uint8_t groups[RW_ARC_GROUPS];
        size_t group;
        for (count = 1; at + count < of.size && (rw_octet(of, at + count - 1) & 0x80) != 0; count++) {
        }
        if (count > RW_ARC_GROUPS) {
            return RW_INTEGER_WIDTH;
        }
        for (group = 0; group < count; group++) {
            groups[count - 1 - group] = rw_octet(of, at + group) & 0x7f;
        }
        if (at == 0 && !is_relative) {
            /* The first two are one number (X.690 8.19.4). */
            const unsigned top = count > 1 || groups[0] >= 80 ? 2 : groups[0] / 40u;
            unsigned rest = 40 * top;
            if (rw_put_groups(writer, top) != 0) {
                return RW_OUTPUT_FULL;
            }
            for (group = 0; group < count; group++) {
                const unsigned less = rest;
                rest = groups[group] < less ? 1 : 0;
                groups[group] = (uint8_t)((groups[group] + 128 - less) & 0x7f);
            }
        }
        if (rw_put_event_arc(writer, groups, count) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* Reads a number of up to 126 bits in groups, the lowest first, without zeros above it. */
static inline bool rw_take_event_arc(rw_reader *reader, uint8_t *groups, size_t *count)
{
    uint64_t octet;
    size_t at = 0;
    bool is_wide = false;
    *count = 0;
    do {
        if (rw_take(reader, 8, &octet) != 0) {
            return false;
        }
        if (at < RW_ARC_GROUPS + 1) {
            groups[at++] = (uint8_t)(octet & 0x7f);
            *count = (octet & 0x7f) != 0 ? at : *count;
        } else {
            is_wide = is_wide || (octet & 0x7f) != 0;
        }
    } while ((octet & 0x80) != 0);
    return !is_wide;
}

/* Adds a small number. There is room for a group more. */
static inline void rw_add_to_arc(uint8_t *groups, size_t *count, unsigned plus)
{
    unsigned rest = plus;
    size_t at;
    for (at = 0; rest > 0; at++) {
        rest += at < *count ? groups[at] : 0u;
        groups[at] = (uint8_t)(rest & 0x7f);
        *count = at < *count ? *count : at + 1;
        rest >>= 7;
    }
}

/* Contents octets, in memory of the caller. */
static inline int rw_new_event_arcs(rw_reader *reader, bool is_relative, rw_arena *arena, rw_octets *contents)
{
    uint64_t numbers, at, start, most;
    unsigned first = 0;
    size_t used = 0;
    uint8_t *out;
    int status = rw_any_groups(reader, RW_EXI_LENGTH, &numbers);
    if (status != 0) {
        return status;
    }
    start = reader->at;
    most = (reader->end - start) / 8 + 1;
    most = numbers < most / RW_ARC_GROUPS ? numbers * RW_ARC_GROUPS : most;
    out = (uint8_t *)rw_new(arena, (size_t)most);
    if (out == NULL) {
        return RW_MEMORY;
    }
    for (at = 0; at < numbers && status == 0; at++) {
        uint8_t groups[RW_ARC_GROUPS + 2];
        size_t count;
        if (!rw_take_event_arc(reader, groups, &count)) {
            status = reader->end - start < 8 || reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_EXI_LIMIT_ARC;
        } else if (at == 0 && !is_relative) {
            first = count > 1 ? 3u : count == 0 ? 0u : groups[0];
        } else {
            if (at == 1 && !is_relative) {
                const bool is_small = count == 0 || (count == 1 && groups[0] < 40);
                status = first == 2 || (first < 2 && is_small) ? 0 : RW_EXI_OID;
                rw_add_to_arc(groups, &count, status == 0 ? 40 * first : 0);
            }
            status = status == 0 && count > RW_ARC_GROUPS ? RW_INTEGER_WIDTH : status;
            if (count == 0) {
                groups[count++] = 0;
            }
            for (; status == 0 && count > 0; count--) {
                out[used++] = groups[count - 1] | (count > 1 ? 0x80 : 0);
            }
        }
    }
    arena->used -= (size_t)most - used;
    *contents = rw_octets_of(out, used);
    return status == 0 && used == 0 ? RW_EXI_OID : status;
}
