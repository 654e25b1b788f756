/* Values after field numbers (Protocol Buffers). A key is one or two octets, the first one lowest; none is in front of
   elements of a packed list. */

static inline uint64_t rw_swapped(uint64_t word)
{
#ifdef __GNUC__
    return __builtin_bswap64(word);
#else
    uint64_t other = 0;
    unsigned at;
    for (at = 0; at < 8; at++) {
        other = other << 8 | (word >> (8 * at) & 0xff);
    }
    return other;
#endif
}

/* Writes the lowest octets of a word, the lowest one first. */
RW_MOST int rw_put_little(rw_writer *writer, uint64_t word, uint64_t octets)
{
    return octets == 0 ? 0 : rw_put_word(writer, rw_swapped(word), octets);
}

/* How many groups of seven bits a number has. */
static inline uint64_t rw_groups_of(uint64_t number)
{
#ifdef __GNUC__
    return (unsigned)(63 - __builtin_clzll(number | 1)) / 7 + 1u;
#else
    uint64_t groups = 1;
    for (; number > 0x7f; number >>= 7) {
        groups++;
    }
    return groups;
#endif
}

/* Writes a number of more than 42 bits in groups. */
RW_APART int rw_put_long_field(rw_writer *writer, uint64_t key, uint64_t octets, uint64_t number)
{
    int status = rw_put_little(writer, key, octets);
    for (; status == 0 && number > 0x7f; number >>= 7) {
        status = rw_put_whole(writer, (number & 0x7f) | 0x80, 8);
    }
    return status != 0 ? status : rw_put_whole(writer, number, 8);
}

/* Writes a number in groups of seven bits, up to six of which are a word with the key. */
RW_MOST int rw_put_field(rw_writer *writer, uint64_t key, uint64_t octets, uint64_t number)
{
    if (number < 0x80) {
        return rw_put_little(writer, number << (8 * octets) | key, octets + 1);
    }
    if (number >> 42 == 0) {
        const uint64_t groups = rw_groups_of(number), low = (number & 0x7f) | (number << 1 & 0x7f00) | (number << 2 & 0x7f0000),
                       high = (number << 3 & 0x7f000000) | (number << 4 & UINT64_C(0x7f00000000)) | (number << 5 & UINT64_C(0x7f0000000000)),
                       more = UINT64_C(0x8080808080) & ((UINT64_C(1) << (8 * (groups - 1))) - 1);
        return rw_put_little(writer, (low | high | more) << (8 * octets) | key, octets + groups);
    } else {
        rw_writer copy = *writer;
        const int status = rw_put_long_field(&copy, key, octets, number);
        *writer = copy;
        return status;
    }
}

static inline int rw_put_field_string(rw_writer *writer, uint64_t key, uint64_t octets, rw_octets of)
{
    return rw_put_field(writer, key, octets, of.size) != 0 ? RW_REJECTED : rw_put_octets_whole(writer, of);
}

static inline int rw_put_field_bits(rw_writer *writer, uint64_t key, uint64_t octets, const rw_bit_string *bits)
{
    uint64_t whole = ((uint64_t)bits->bits + 7) / 8;
    if (rw_put_field(writer, key, octets, whole + 1) != 0 || rw_put_whole(writer, whole * 8 - bits->bits, 8) != 0) {
        return RW_REJECTED;
    }
    return rw_put_bits_whole(writer, bits);
}

/* Named bits, without zeros at the end beyond the first `least`. */
static inline int rw_put_field_named_bits(rw_writer *writer, uint64_t key, uint64_t octets, const rw_bit_string *bits, uint64_t lower,
    uint64_t upper, uint64_t least)
{
    const uint64_t count = rw_max(rw_bits_meaning(bits), least), whole = (count + 7) / 8;
    if (count < lower || count > upper) {
        return RW_SIZE_RANGE;
    }
    if (rw_put_field(writer, key, octets, whole + 1) != 0 || rw_put_whole(writer, whole * 8 - count, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_some_bits_whole(writer, bits, 0, count);
}

/* So many bits, always as many: their octets. */
static inline int rw_put_field_fixed_bits(
    rw_writer *writer, uint64_t key, uint64_t octets, const rw_bit_string *bits, uint64_t size, bool is_trimmed)
{
    const uint64_t count = is_trimmed ? rw_max(rw_bits_meaning(bits), size) : bits->bits;
    if (count != size) {
        return RW_SIZE_RANGE;
    }
    return rw_put_field(writer, key, octets, (size + 7) / 8) != 0 ? RW_OUTPUT_FULL : rw_put_some_bits_whole(writer, bits, 0, size);
}

static inline int rw_take_field_fixed_bits(rw_octets octets, uint64_t size, rw_bit_string *bits)
{
    const uint64_t whole = (size + 7) / 8;
    if (octets.size != whole) {
        return octets.size < whole ? RW_INPUT_TRUNCATED : RW_CONTENTS_TRAILING;
    }
    *bits = rw_bit_string_of(octets.octets, (size_t)size);
    return 0;
}

/* A number in two's complement after the length of its octets. */
static inline int rw_put_field_contents(rw_writer *writer, uint64_t key, uint64_t octets, uint64_t number)
{
    uint64_t count = rw_signed_octets(number);
    if (rw_put_field(writer, key, octets, count) != 0) {
        return RW_REJECTED;
    }
    return rw_put_whole(writer, rw_low_octets(number, count), (uint32_t)count * 8);
}

/* Writes the length of the contents from a place on into the octet before them, or more octets. */
static inline int rw_close_field(rw_writer *writer, uint64_t start)
{
    uint8_t *from = writer->out + start - 1;
    uint64_t length = writer->stored - start, rest, more = 0;
    for (rest = length; rest > 0x7f; rest >>= 7) {
        more++;
    }
    if (more > 0 && rw_move(writer, start, more) != 0) {
        return RW_REJECTED;
    }
    for (rest = length; rest > 0x7f; rest >>= 7) {
        *from++ = (uint8_t)((rest & 0x7f) | 0x80);
    }
    *from = (uint8_t)rest;
    return 0;
}

static inline bool rw_is_key(const rw_input *input, uint64_t key, unsigned octets)
{
    return octets == 1 ? rw_next(input) == key : rw_is_next(input, (key & 0xff) << 8 | key >> 8, octets);
}

/* Reads a number of up to 64 bits in at most ten groups. */
RW_APART int rw_take_varint(rw_input *input, uint64_t *number)
{
    unsigned shift;
    *number = 0;
    for (shift = 0; shift < 70; shift += 7) {
        unsigned octet = rw_next(input);
        if (octet > 255 || (shift == 63 && octet > 1)) {
            return octet > 255 ? RW_INPUT_TRUNCATED : RW_FIELDS_VARINT;
        }
        *number |= (uint64_t)(octet & 0x7f) << shift;
        input->at++;
        if (octet < 0x80) {
            return 0;
        }
    }
    return RW_FIELDS_VARINT;
}

/* The same; up to seven groups at once. */
RW_MOST int rw_varint(rw_input *input, uint64_t *number)
{
    const size_t left = input->at < input->size ? input->size - input->at : 0;
    const uint8_t *from = input->octets + input->at;
    if (left > 0 && from[0] < 0x80) {
        *number = from[0];
        input->at += 1;
        return 0;
    }
    if (left > 1 && from[1] < 0x80) {
        *number = (from[0] & 0x7fu) | (uint32_t)from[1] << 7;
        input->at += 2;
        return 0;
    }
    if (left > 2 && from[2] < 0x80) {
        *number = (from[0] & 0x7fu) | (from[1] & 0x7fu) << 7 | (uint32_t)from[2] << 14;
        input->at += 3;
        return 0;
    }
    if (left >= 8) {
        const uint64_t word = rw_swapped(rw_load(from)), ends = ~word & UINT64_C(0x80808080808080);
        if (ends != 0) {
            const uint64_t last = ends & (~ends + 1), all = word & (last - 1);
            *number = (all & 0x7f) | (all >> 1 & 0x3f80) | (all >> 2 & 0x1fc000) | (all >> 3 & 0xfe00000)
                | (all >> 4 & UINT64_C(0x7f0000000)) | (all >> 5 & UINT64_C(0x3f800000000)) | (all >> 6 & UINT64_C(0x1fc0000000000));
            input->at += (size_t)rw_octets_below(last) + 1;
            return 0;
        }
    }
    {
        rw_input copy = *input;
        const int status = rw_take_varint(&copy, number);
        *input = copy;
        return status;
    }
}

RW_MOST int rw_take_field(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    if (octets > 0 && !rw_is_key(input, key, octets)) {
        return RW_REJECTED;
    }
    input->at += octets;
    return rw_varint(input, number);
}

static inline int rw_take_field_eight(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    if ((octets > 0 && !rw_is_key(input, key, octets)) || input->size - input->at < octets + 8) {
        return RW_INPUT_TRUNCATED;
    }
    input->at += octets;
    *number = rw_swapped(rw_ahead(input));
    input->at += 8;
    return 0;
}

/* The length of a string or a message. */
RW_MOST int rw_take_field_length(rw_input *input, uint64_t *length)
{
    int status = rw_varint(input, length);
    if (status == 0 && *length >> 60 == 0) {
        return 0;
    }
    return input->at + (status != 0) >= input->size ? RW_INPUT_TRUNCATED : RW_FIELDS_LENGTH;
}

/* Moves to the contents behind this key and a length, and says where they end. */
RW_MOST int rw_open_field(rw_input *input, uint64_t key, unsigned octets, size_t *inside)
{
    uint64_t length;
    int status;
    if (octets > 0 && !rw_is_key(input, key, octets)) {
        return RW_REJECTED;
    }
    input->at += octets;
    status = rw_take_field_length(input, &length);
    if (status != 0 || length > input->size - input->at) {
        return status != 0 ? status : RW_INPUT_TRUNCATED;
    }
    *inside = input->at + (size_t)length;
    return 0;
}

RW_MOST int rw_take_field_octets(rw_input *input, uint64_t key, unsigned octets, rw_octets *of)
{
    size_t inside;
    int status = rw_open_field(input, key, octets, &inside);
    if (status != 0) {
        return status;
    }
    *of = rw_octets_of(input->octets + input->at, inside - input->at);
    input->at = inside;
    return 0;
}

static inline int rw_take_field_contents(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    rw_octets of;
    int status = rw_take_field_octets(input, key, octets, &of);
    if (status == 0) {
        status = rw_signed_of(of, number);
    }
    return status;
}

/* So many octets. */
static inline int rw_take_field_slice(rw_input *input, uint64_t size, rw_octets *of)
{
    if (size > input->size - input->at) {
        return RW_INPUT_TRUNCATED;
    }
    *of = rw_octets_of(input->octets + input->at, (size_t)size);
    input->at += (size_t)size;
    return 0;
}

/* The length of a bit string, which is passed, and how many bits there are behind the number of unused ones. */
static inline int rw_peek_field_bits(rw_input *input, uint64_t *octets, uint64_t *bits)
{
    unsigned unused;
    int status = rw_take_field_length(input, octets);
    if (status != 0) {
        return status;
    }
    unused = *octets > 0 ? rw_next(input) : 0;
    if (unused > 255) {
        return RW_INPUT_TRUNCATED;
    }
    if (*octets == 0 || unused > 7 || (*octets == 1 && unused > 0)) {
        return RW_UNUSED_BITS;
    }
    *bits = (*octets - 1) * 8 - unused;
    return 0;
}

/* Refuses what is wrong in text of so many octets, some of which may be missing. An alphabet is of ranges. */
static inline int rw_check_field_text(const rw_input *input, uint64_t count, uint64_t most, const uint32_t *alphabet, size_t ranges)
{
    const size_t left = input->size - input->at;
    rw_octets text = rw_octets_of(input->octets + input->at, count < left ? (size_t)count : left);
    uint64_t characters = 0;
    size_t at = 0;
    while (at < text.size) {
        const unsigned more = rw_octets_of_character(rw_octet(text, at));
        unsigned octets;
        uint32_t code = rw_character(text, at, &octets);
        if (octets == 0) {
            return more > 0 && text.size - at < more && count > left ? RW_INPUT_TRUNCATED : RW_TEXT_FORM;
        }
        if (ranges > 0 && !rw_is_in(code, alphabet, ranges)) {
            return RW_TEXT_ALPHABET;
        }
        characters++;
        if (characters > most) {
            return RW_SIZE_RANGE;
        }
        at += octets;
    }
    return count > left ? RW_INPUT_TRUNCATED : 0;
}

/* The key of the field at a place: its number, its wire type, and where it ends. */
static inline int rw_key_at(rw_input input, uint64_t *number, uint64_t *wire_type, size_t *end)
{
    int status = rw_take_varint(&input, number);
    if (status != 0) {
        return status;
    }
    *wire_type = *number & 7;
    *number >>= 3;
    *end = input.at;
    if (*number == 0 || *number >> 29 != 0) {
        return RW_FIELDS_NUMBER;
    }
    return *wire_type > 5 ? RW_FIELDS_WIRE_TYPE : 0;
}

static inline int rw_peek_field(const rw_input *input, uint64_t *number, uint64_t *wire_type)
{
    size_t end;
    return rw_key_at(*input, number, wire_type, &end);
}

static inline int rw_pass_key(rw_input *input)
{
    uint64_t key;
    return rw_take_varint(input, &key);
}

/* Moves behind a value of a wire type; groups begin and end without one. */
static inline int rw_pass_value(rw_input *input, uint64_t wire_type)
{
    uint64_t number;
    size_t size = wire_type == 1 ? 8 : wire_type == 5 ? 4 : 0;
    if (wire_type == 0) {
        return rw_take_varint(input, &number);
    }
    if (wire_type == 2) {
        int status = rw_take_varint(input, &number);
        if (status != 0) {
            return status;
        }
        if (number > input->size - input->at) {
            return RW_INPUT_TRUNCATED;
        }
        size = (size_t)number;
    }
    if (size > input->size - input->at) {
        return RW_INPUT_TRUNCATED;
    }
    input->at += size;
    return 0;
}

/* The octets of the next field, with its key. Groups nest up to 32 levels deep. */
static inline int rw_take_whole_field(rw_input *input, rw_octets *of)
{
    uint64_t groups[32], number, wire_type;
    unsigned open = 0;
    const size_t start = input->at;
    do {
        size_t end;
        int status = rw_key_at(*input, &number, &wire_type, &end);
        if (status != 0) {
            return status;
        }
        if (wire_type == 3) {
            if (open == 32) {
                return RW_FIELDS_LIMIT_GROUPS;
            }
            groups[open++] = number;
        } else if (wire_type == 4) {
            if (open == 0) {
                return RW_FIELDS_GROUP_END;
            }
            if (groups[--open] != number) {
                return RW_FIELDS_GROUP_OTHER;
            }
        }
        input->at = end;
        status = rw_pass_value(input, wire_type);
        if (status != 0) {
            return status;
        }
    } while (open > 0);
    *of = rw_octets_of(input->octets + start, input->at - start);
    return 0;
}

/* Moves to the next field with a number; false if there is none before the end, or before what is not a field. */
static inline bool rw_find_field(rw_input *rest, uint64_t wanted, uint64_t *wire_type, rw_octets *whole)
{
    uint64_t number;
    do {
        if (rest->at >= rest->size || rw_peek_field(rest, &number, wire_type) != 0 || rw_take_whole_field(rest, whole) != 0) {
            return false;
        }
    } while (number != wanted);
    return true;
}

/* Whether a field with the number of the next one is not of octets after a length. */
static inline bool rw_fields_differ(const rw_input *input)
{
    rw_input rest = *input;
    uint64_t wanted = 0, wire_type = 2;
    rw_octets whole;
    if (rw_peek_field(&rest, &wanted, &wire_type) != 0) {
        return false;
    }
    while (rw_find_field(&rest, wanted, &wire_type, &whole)) {
        if (wire_type != 2) {
            return true;
        }
    }
    return false;
}

/* Several fields that are read as one, with all of their contents. */
typedef struct rw_merged {
    bool is_merged;
    rw_input outer; /* after the first one */
    const uint8_t *message;
    uint64_t base;
} rw_merged;

/* The octets of a field behind its key and its length. */
static inline rw_octets rw_field_contents(rw_octets whole)
{
    rw_input inside = rw_input_of(whole.octets, whole.size);
    uint64_t length;
    (void)rw_pass_key(&inside);
    (void)rw_take_varint(&inside, &length);
    return rw_octets_of(inside.octets + inside.at, inside.size - inside.at);
}

/* All fields with the number of the next one become one, in memory of an arena, if there are several. */
RW_APART int rw_begin_merged(rw_input *input, rw_arena *arena, rw_merged *merged, rw_error *error)
{
    rw_input rest = *input;
    uint64_t wanted = 0, wire_type, count = 0;
    size_t octets = 0;
    rw_octets whole;
    rw_writer to;
    merged->is_merged = false;
    merged->outer = rest;
    if (rw_peek_field(&rest, &wanted, &wire_type) != 0) {
        return 0;
    }
    for (; rw_find_field(&rest, wanted, &wire_type, &whole); count++) {
        if (wire_type != 2) {
            return RW_FIELDS_WIRE_TYPE_OTHER;
        }
        merged->outer = count == 0 ? rest : merged->outer;
        octets += rw_field_contents(whole).size;
    }
    if (count < 2) {
        return 0;
    }
    /* With room for a key and a length. */
    octets += 20;
    to = rw_writer_of((uint8_t *)rw_new(arena, octets), octets);
    if (to.out == NULL) {
        return RW_MEMORY;
    }
    rest = *input;
    (void)rw_put_field(&to, 0, 0, wanted << 3 | 2);
    (void)rw_put_field(&to, 0, 0, octets - 20);
    while (rw_find_field(&rest, wanted, &wire_type, &whole)) {
        (void)rw_put_octets_whole(&to, rw_field_contents(whole));
    }
    /* Positions in it are those that it would have behind the first key. */
    merged->is_merged = true;
    merged->message = error->start;
    merged->base = error->base;
    error->base += (uint64_t)(input->octets + input->at - error->start) * 8;
    error->start = to.out;
    *input = rw_input_of(to.out, to.stored);
    return 0;
}

static inline void rw_end_merged(rw_input *input, const rw_merged *merged, rw_error *error)
{
    if (merged->is_merged) {
        *input = merged->outer;
        error->start = merged->message;
        error->base = merged->base;
    }
}

/* Keeps a field of a later version. No more than RW_KEPT are kept. */
static inline int rw_keep_field(rw_input *input, rw_kept *kept, uint64_t known)
{
    rw_octets octets;
    int status = rw_take_whole_field(input, &octets);
    if (status != 0) {
        return status;
    }
    if (kept->count >= RW_KEPT) {
        return RW_KEPT_FULL;
    }
    kept->items[kept->count].index = (uint32_t)known + kept->count;
    kept->items[kept->count].octets = octets;
    kept->count++;
    return 0;
}

/* Whether a number is one of these. */
static inline bool rw_is_one_of(uint64_t number, const uint32_t *numbers, size_t count)
{
    size_t at;
    for (at = 0; at < count; at++) {
        if (numbers[at] == number) {
            return true;
        }
    }
    return false;
}

/* Whether fields are in the order of their numbers, and those with these numbers come once. What is not a field ends them. */
static inline bool rw_fields_ascend(const rw_input *input, const uint32_t *once, size_t count)
{
    rw_input rest = *input;
    uint64_t last = 0, number, wire_type;
    rw_octets octets;
    while (rest.at < rest.size && rw_peek_field(&rest, &number, &wire_type) == 0) {
        if (number < last || (number == last && rw_is_one_of(number, once, count))) {
            return false;
        }
        last = number;
        if (rw_take_whole_field(&rest, &octets) != 0) {
            break;
        }
    }
    return true;
}

/* Refuses fields with other numbers than this one; if it is not known, there is one field. */
static inline int rw_only_field(const rw_input *input, uint64_t wanted, bool is_known)
{
    rw_input rest = *input;
    while (rest.at < rest.size) {
        uint64_t number, wire_type;
        rw_octets octets;
        const bool is_first = rest.at == input->at;
        int status = rw_peek_field(&rest, &number, &wire_type);
        if (status == 0) {
            status = rw_take_whole_field(&rest, &octets);
        }
        if (status != 0 || number != wanted || (!is_known && !is_first)) {
            return status != 0 ? status : RW_FIELDS_CHOICE_MANY;
        }
    }
    return 0;
}

/* Writes a field of a later version, whose number is none of the known ones. */
static inline int rw_put_unknown_field(rw_writer *writer, rw_octets field, const uint32_t *numbers, size_t count)
{
    rw_input input = rw_input_of(field.octets, field.size);
    uint64_t number, wire_type;
    rw_octets whole;
    if (field.bit != 0 || rw_peek_field(&input, &number, &wire_type) != 0 || rw_is_one_of(number, numbers, count)
        || rw_take_whole_field(&input, &whole) != 0 || whole.size != field.size) {
        return RW_KEPT_ORDER;
    }
    return rw_put_octets_whole(writer, field);
}

static inline int rw_put_fields(rw_writer *writer, const rw_kept *kept, uint64_t known, const uint32_t *numbers, size_t count)
{
    uint32_t at;
    if (!rw_kept_ascend(kept, known)) {
        return RW_KEPT_ORDER;
    }
    for (at = 0; at < kept->count; at++) {
        int status = rw_put_unknown_field(writer, kept->items[at].octets, numbers, count);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static inline int rw_put_other_field(rw_writer *writer, const rw_addition *other, uint64_t known, const uint32_t *numbers, size_t count)
{
    return other->index < known ? RW_KEPT_ORDER : rw_put_unknown_field(writer, other->octets, numbers, count);
}

static inline uint64_t rw_zigzag(uint64_t number)
{
    return number << 1 ^ (number >> 63 != 0 ? UINT64_MAX : 0);
}

static inline uint64_t rw_unzigzag(uint64_t number)
{
    return number >> 1 ^ ((number & 1) != 0 ? UINT64_MAX : 0);
}

/* So many bits of a word in the opposite order. */
static inline uint64_t rw_reversed(uint64_t word, uint64_t bits)
{
    uint64_t other = 0;
    for (; bits > 0; bits--) {
        other = other << 1 | (word & 1);
        word >>= 1;
    }
    return other;
}

/* How many bits a word needs, at least so many. */
static inline uint64_t rw_used_bits(uint64_t word, uint64_t least)
{
    uint64_t bits = 0;
    for (; word != 0; word >>= 1) {
        bits++;
    }
    return rw_max(bits, least);
}

/* Whether a text has so many characters, all of an alphabet of ranges. */
static inline bool rw_fits(rw_text text, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count)
{
    uint64_t characters = rw_characters(text);
    size_t at = 0;
    if (characters == UINT64_MAX || characters < lower || characters > upper) {
        return false;
    }
    while (at < text.size && count > 0) {
        unsigned octets;
        uint32_t code = rw_character(text, at, &octets);
        if (!rw_is_in(code, alphabet, count)) {
            return false;
        }
        at += octets;
    }
    return true;
}
