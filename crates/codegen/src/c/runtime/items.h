/* Data items after heads (CBOR, RFC 8949), in their shortest forms (clause 4.2.1). */

/* A head as the highest octets of a word, without its major type, and how many octets it has: up to five. */
static inline void rw_head_word(uint64_t number, uint64_t *word, uint64_t *octets)
{
    uint64_t more = number < 24 ? 0 : number <= 0xff ? 1 : number <= 0xffff ? 2 : 4;
    uint64_t first = more == 0 ? number : more == 1 ? 24 : more == 2 ? 25 : 26;
    *word = more == 0 ? first << 56 : first << 56 | number << (56 - 8 * more);
    *octets = more + 1;
}

/* The same for a number with a sign. */
static inline void rw_integer_word(uint64_t number, uint64_t *word, uint64_t *octets)
{
    rw_head_word(number >> 63 != 0 ? ~number : number, word, octets);
    *word |= number >> 63 != 0 ? UINT64_C(0x20) << 56 : 0;
}

static inline int rw_put_head(rw_writer *writer, uint64_t front, uint64_t number)
{
    uint64_t word, octets;
    if (number > 0xffffffffu) {
        return rw_put_whole(writer, front | 27, 8) != 0 ? RW_OUTPUT_FULL : rw_put_whole(writer, number, 64);
    }
    rw_head_word(number, &word, &octets);
    return rw_put_word(writer, front << 56 | word, octets);
}

static inline int rw_put_head_signed(rw_writer *writer, uint64_t number)
{
    return number >> 63 != 0 ? rw_put_head(writer, 0x20, ~number) : rw_put_head(writer, 0, number);
}

/* The lowest bits of a word in a byte string, after the number of those that are not used. */
static inline int rw_put_item_bits(rw_writer *writer, uint64_t bits, uint64_t count)
{
    uint64_t octets = (count + 7) / 8;
    if (count > 64 || rw_put_whole(writer, (0x41 + octets) << 8 | (8 * octets - count), 16) != 0) {
        return count > 64 ? RW_SIZE_CAPACITY : RW_OUTPUT_FULL;
    }
    return octets == 0 ? 0 : rw_put_word(writer, bits << (64 - count), octets);
}

/* Bits of a size in a byte string: without their number if it is fixed, without zeros at the end if they have no meaning. */
static inline int rw_put_sized_bits(
    rw_writer *writer, const rw_bit_string *bits, uint64_t lower, uint64_t upper, bool is_fixed, bool is_trimmed)
{
    const uint64_t count = is_trimmed ? rw_max(rw_bits_meaning(bits), lower) : bits->bits, octets = (count + 7) / 8;
    if (count < lower || count > upper || rw_put_head(writer, 0x40, octets + (is_fixed ? 0 : 1)) != 0) {
        return count < lower || count > upper ? RW_SIZE_RANGE : RW_OUTPUT_FULL;
    }
    if (!is_fixed && rw_put_whole(writer, octets * 8 - count, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_some_bits_whole(writer, bits, 0, count);
}

static inline int rw_put_sized_word(
    rw_writer *writer, const rw_bits *bits, uint64_t lower, uint64_t upper, bool is_fixed, bool is_trimmed)
{
    uint8_t octets[8];
    rw_bit_string all;
    if (bits->bits > 64) {
        return RW_SIZE_CAPACITY;
    }
    rw_store(octets, rw_shl(rw_masked(bits), 64u - bits->bits));
    all = rw_bit_string_of(octets, bits->bits);
    return rw_put_sized_bits(writer, &all, lower, upper, is_fixed, is_trimmed);
}

/* The bits of a float of 16 bits that is equal to a number. */
static inline bool rw_half_of(float number, uint64_t *half)
{
    uint32_t bits, fraction, shift, whole;
    int exponent;
    memcpy(&bits, &number, sizeof bits);
    exponent = (int)(bits >> 23 & 0xff) - 127;
    fraction = bits & 0x7fffff;
    *half = bits >> 16 & 0x8000;
    if (exponent == -127 && fraction == 0) {
        return true;
    }
    if (exponent == 128) {
        *half |= 0x7c00;
        return true;
    }
    if (exponent >= -14 && exponent <= 15) {
        *half |= (uint64_t)(exponent + 15) << 10 | fraction >> 13;
        return (fraction & 0x1fff) == 0;
    }
    if (exponent >= -24 && exponent <= -15) {
        whole = fraction | 0x800000;
        shift = (uint32_t)(-1 - exponent);
        *half |= whole >> shift;
        return (whole & ((UINT32_C(1) << shift) - 1)) == 0;
    }
    return false;
}

/* The shortest float that keeps a number: how many bits it has, and these (clause 4.2.2). */
static inline uint64_t rw_shortest(double number, uint64_t *bits)
{
    uint64_t all = rw_real_bits(number), magnitude = all & UINT64_MAX >> 1;
    float single;
    uint32_t word;
    if (magnitude > UINT64_C(0x7ff) << 52) {
        *bits = 0x7e00;
        return 16;
    }
    *bits = all;
    /* Beyond a float of 32 bits a conversion is not defined. */
    if (magnitude > rw_real_bits(3.4028234663852886e38) && magnitude != UINT64_C(0x7ff) << 52) {
        return 64;
    }
    single = (float)number;
    if (rw_real_bits((double)single) != all) {
        return 64;
    }
    if (rw_half_of(single, bits)) {
        return 16;
    }
    memcpy(&word, &single, sizeof word);
    *bits = word;
    return 32;
}

static inline int rw_put_float(rw_writer *writer, double number)
{
    uint64_t bits, count = rw_shortest(number, &bits);
    if (rw_put_whole(writer, count == 16 ? 0xf9 : count == 32 ? 0xfa : 0xfb, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_whole(writer, bits, (uint32_t)count);
}

/* How many octets the data item at the start of octets has; 0 if it is not whole. */
static inline size_t rw_item(const uint8_t *octets, size_t size)
{
    size_t at = 0;
    uint64_t items = 1;
    for (; items > 0; items--) {
        uint64_t number, count;
        unsigned major, more;
        if (at >= size) {
            return 0;
        }
        major = octets[at] >> 5;
        number = octets[at] & 0x1fu;
        at++;
        if (number > 27) {
            return 0;
        }
        if (number >= 24) {
            more = 1u << (number - 24);
            if (size - at < more) {
                return 0;
            }
            number = rw_number_at(octets + at, more);
            at += more;
        }
        if ((major == 2 || major == 3) && number > size - at) {
            return 0;
        }
        at += major == 2 || major == 3 ? (size_t)number : 0;
        count = major == 4 ? number : major == 5 ? number * 2 : major == 6 ? 1 : 0;
        if (((major == 4 || major == 5) && number > size) || items > size) {
            return 0;
        }
        items += count;
    }
    return at;
}

static inline int rw_sort_items(rw_writer *writer, uint64_t start)
{
    return rw_sort_by(writer, start, rw_item);
}

/* Whether the items from a place on are in the order of their octets. */
static inline bool rw_items_sorted(const rw_input *input, uint64_t start)
{
    const uint8_t *before = NULL;
    size_t at = (size_t)start, before_size = 0;
    while (at < input->at && input->at <= input->size) {
        const uint8_t *one = input->octets + at;
        size_t size = rw_item(one, input->at - at), least = size < before_size ? size : before_size;
        int order = least == 0 ? 0 : memcmp(before, one, least);
        if (size == 0 || order > 0 || (order == 0 && before_size > size)) {
            return false;
        }
        before = one;
        before_size = size;
        at += size;
    }
    return true;
}

/* Writes the length of a byte string before its contents, which begin at a place. */
static inline int rw_close_item(rw_writer *writer, uint64_t start)
{
    uint64_t length = writer->stored - start, octets = length < 24 ? 0 : length <= 0xff ? 1 : length <= 0xffff ? 2 : 4;
    uint8_t *from = writer->out + start - 1;
    if (length > 0xffffffffu || rw_move(writer, start, octets) != 0) {
        return RW_OUTPUT_FULL;
    }
    *from++ = (uint8_t)(0x40 | (octets == 0 ? length : octets == 1 ? 24 : octets == 2 ? 25 : 26));
    for (; octets > 0; octets--) {
        *from++ = (uint8_t)(length >> (8 * octets - 8));
    }
    return 0;
}

/* The number of a head at the start of a word, without its major type, and how many octets it has: at most so many. */
static inline int rw_head_of(uint64_t word, uint64_t most, uint64_t *number, uint64_t *octets)
{
    uint64_t first = word >> 56, more, least;
    if (first < 24) {
        *number = first;
        *octets = 1;
        return 0;
    }
    more = first == 24 ? 1 : first == 25 ? 2 : 4;
    least = first == 24 ? 24 : first == 25 ? 0x100 : 0x10000;
    *number = word << 8 >> (64 - 8 * more);
    *octets = more + 1;
    return first > 26 || *octets > most || *number < least ? RW_REJECTED : 0;
}

static inline int rw_integer_of(uint64_t word, uint64_t most, uint64_t *number, uint64_t *octets)
{
    uint64_t sign = word >> 61 & 1;
    if (rw_head_of(word & ~(UINT64_C(0x20) << 56), most, number, octets) != 0) {
        return RW_REJECTED;
    }
    *number = sign != 0 ? ~*number : *number;
    return 0;
}

static inline int rw_take_head(rw_input *input, uint64_t front, uint64_t *number)
{
    uint64_t word = rw_ahead(input) ^ front << 56, octets = 9;
    if (word >> 56 == 27) {
        *number = rw_ahead_of(input, 1);
        if (*number <= 0xffffffffu) {
            return RW_REJECTED;
        }
    } else if (rw_head_of(word, 5, number, &octets) != 0) {
        return RW_REJECTED;
    }
    input->at += (size_t)octets;
    return input->at > input->size ? RW_REJECTED : 0;
}

static inline int rw_take_head_signed(rw_input *input, uint64_t *number)
{
    uint64_t sign = rw_ahead(input) >> 61 & 1;
    if (rw_take_head(input, sign << 5, number) != 0 || *number >> 63 != 0) {
        return RW_REJECTED;
    }
    *number = sign != 0 ? ~*number : *number;
    return 0;
}

/* So many octets of the input. */
static inline int rw_take_slice(rw_input *input, uint64_t count, rw_octets *octets)
{
    if (input->at > input->size || count > input->size - input->at) {
        return RW_INPUT_TRUNCATED;
    }
    *octets = rw_octets_of(input->octets + input->at, (size_t)count);
    input->at += (size_t)count;
    return 0;
}

/* Moves to the contents of a byte string, which has some, and says where they end. */
static inline int rw_open_item(rw_input *input, size_t *inside)
{
    uint64_t length;
    if (rw_take_head(input, 0x40, &length) != 0 || length == 0 || length > input->size - input->at) {
        return RW_REJECTED;
    }
    *inside = input->at + (size_t)length;
    return 0;
}

static inline int rw_take_item_bits(rw_input *input, uint64_t *bits, uint64_t *count)
{
    uint64_t front = rw_ahead(input) >> 48, octets = (front >> 8) - 0x41, unused = front & 0xff, word = rw_ahead_of(input, 2);
    if (octets > 8 || unused > 7 || unused > 8 * octets) {
        return RW_REJECTED;
    }
    *count = 8 * octets - unused;
    *bits = *count == 0 ? 0 : word >> (64 - *count);
    if (unused > 0 && rw_shl(word, *count) >> (64 - unused) != 0) {
        return RW_REJECTED;
    }
    input->at += 2 + (size_t)octets;
    return input->at > input->size ? RW_REJECTED : 0;
}

static inline int rw_take_sized_bits(
    rw_octets whole, uint64_t lower, uint64_t upper, bool is_fixed, bool is_trimmed, rw_bit_string *bits)
{
    size_t at;
    if (is_fixed) {
        if ((lower + 7) / 8 != whole.size) {
            return RW_SIZE_RANGE;
        }
        *bits = rw_bit_string_of(whole.octets, (size_t)lower);
    } else if (rw_split_bits(whole, bits) != 0) {
        return RW_UNUSED_BITS;
    }
    if (bits->bits < lower || bits->bits > upper) {
        return RW_SIZE_RANGE;
    }
    /* Bits that are not used are zeros. */
    for (at = bits->bits; at % 8 != 0; at++) {
        if ((bits->octets[at / 8] >> (7 - at % 8) & 1u) != 0) {
            return RW_CBOR_BITS_UNUSED;
        }
    }
    return is_trimmed && bits->bits > lower && rw_bit(bits, bits->bits - 1) == 0 ? RW_CBOR_BITS_ZEROS : 0;
}

static inline int rw_take_float(rw_input *input, double *number)
{
    unsigned first = rw_next(input);
    uint64_t count = first == 0xf9 ? 16 : first == 0xfa ? 32 : 64, bits, shortest;
    if (first < 0xf9 || first > 0xfb || input->size - input->at < 1 + count / 8) {
        return RW_REJECTED;
    }
    bits = rw_ahead_of(input, 1) >> (64 - count);
    if (count == 16) {
        uint64_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff, magnitude;
        if (exponent == 0) {
            magnitude = rw_real_bits((double)fraction * rw_real_of((uint64_t)(1023 - 24) << 52));
        } else if (exponent == 0x1f) {
            magnitude = UINT64_C(0x7ff) << 52 | fraction << 42;
        } else {
            magnitude = (exponent + 1023 - 15) << 52 | fraction << 42;
        }
        *number = rw_real_of((bits >> 15) << 63 | magnitude);
    } else if (count == 32) {
        uint32_t word = (uint32_t)bits;
        float single;
        memcpy(&single, &word, sizeof single);
        *number = (double)single;
    } else {
        *number = rw_real_of(bits);
    }
    input->at += 1 + (size_t)count / 8;
    return rw_shortest(*number, &shortest) != count || shortest != bits ? RW_REJECTED : 0;
}

/* Data items of any form, for functions that are called after others have refused. */

/* The head of an item: its first octet, and its number. */
RW_MANY int rw_take_item_head(rw_input *input, unsigned *first, uint64_t *number)
{
    const unsigned octet = rw_next(input), major = octet >> 5, information = octet & 0x1f;
    unsigned more;
    if (octet > 255) {
        return RW_INPUT_TRUNCATED;
    }
    *first = octet;
    if (information < 24) {
        *number = information;
        input->at++;
        return 0;
    }
    if (information == 31 && major != 6 && major > 1) {
        return major == 7 ? RW_CBOR_BREAK : RW_CBOR_INDEFINITE;
    }
    if (information > 27) {
        return RW_CBOR_HEAD;
    }
    more = 1u << (information - 24);
    if (input->size - input->at - 1 < more) {
        return RW_INPUT_TRUNCATED;
    }
    *number = rw_ahead_of(input, 1) >> (64 - 8 * more);
    if (major == 7 ? more == 1 && *number < 32 : *number < (more == 1 ? 24 : UINT64_C(1) << (4 * more))) {
        return major == 7 ? RW_CBOR_SIMPLE : RW_CBOR_HEAD_SHORTEST;
    }
    input->at += 1 + more;
    return 0;
}

/* The number of an item of this kind. */
RW_MANY int rw_take_kind(rw_input *input, unsigned front, uint64_t *number)
{
    unsigned first;
    const int status = rw_take_item_head(input, &first, number);
    return status == 0 && first >> 5 != front >> 5 ? RW_CBOR_TYPE : status;
}

/* Moves to the contents of a byte string, which has some, and says where they end. */
static inline int rw_open_any_item(rw_input *input, size_t *inside)
{
    uint64_t length;
    const int status = rw_take_kind(input, 0x40, &length);
    if (status != 0) {
        return status;
    }
    if (length == 0 || length > input->size - input->at) {
        return length == 0 ? RW_OPEN_TYPE_EMPTY : RW_INPUT_TRUNCATED;
    }
    *inside = input->at + (size_t)length;
    return 0;
}

/* A simple value in one octet, or the first octet of another one. */
static inline int rw_take_simple(rw_input *input, uint64_t *value)
{
    unsigned first = 0;
    const int status = rw_take_item_head(input, &first, value);
    *value = first & 0x1f;
    return status == 0 && first >> 5 != 7 ? RW_CBOR_TYPE : status;
}

RW_MANY int rw_take_any_float(rw_input *input, double *number)
{
    rw_input before = *input;
    unsigned first;
    uint64_t bits;
    const int status = rw_take_item_head(input, &first, &bits);
    if (status != 0 || first < 0xf9) {
        return status != 0 ? status : RW_CBOR_TYPE;
    }
    if (rw_take_float(&before, number) == 0) {
        return 0;
    }
    return *number != *number ? RW_CBOR_NAN : RW_CBOR_FLOAT;
}

/* The fault of a number of more than 64 bits, after a tag, or this one, of one below or above what a type has. */
RW_MANY int rw_why_bignum(rw_input *input, int below, int above)
{
    unsigned first;
    uint64_t tag = 0, length = 0;
    const uint8_t *octets;
    int status = rw_take_item_head(input, &first, &tag);
    if (status == 0 && tag != 2 && tag != 3) {
        status = RW_CBOR_TAG;
    }
    if (status == 0) {
        status = rw_take_kind(input, 0x40, &length);
    }
    if (status != 0) {
        return status;
    }
    if (length > input->size - input->at) {
        return RW_INPUT_TRUNCATED;
    }
    octets = input->octets + input->at;
    if (length <= 8 || octets[0] == 0) {
        return RW_CBOR_BIGNUM;
    }
    return length > 16 || (length == 16 && octets[0] > 0x7f) ? RW_INTEGER_WIDTH : tag == 3 ? below : above;
}

/* An integer as 64 bits, or the code of one that is below or above these. */
RW_MANY int rw_take_integer(rw_input *input, bool is_signed, int below, int above, uint64_t *number)
{
    unsigned first;
    const int status = rw_take_item_head(input, &first, number);
    if (status != 0 || first >> 5 > 1) {
        return status != 0 ? status : RW_CBOR_TYPE;
    }
    if (first >> 5 == 0) {
        return is_signed && *number >> 63 != 0 ? above : 0;
    }
    *number = ~*number;
    return !is_signed || *number >> 63 == 0 ? below : 0;
}

/* The same for an integer that may have more bits, and a least and a greatest number. */
RW_MANY int rw_take_any_integer(rw_input *input, bool is_signed, bool has_least, bool has_greatest, uint64_t *number)
{
    const int below = has_least ? RW_INTEGER_RANGE : RW_INTEGER_WIDTH, above = has_greatest ? RW_INTEGER_RANGE : RW_INTEGER_WIDTH;
    return rw_next(input) >> 5 == 6 ? rw_why_bignum(input, below, above) : rw_take_integer(input, is_signed, below, above, number);
}

/* Refuses what is wrong in text. An alphabet is of ranges. */
static inline int rw_check_text(rw_octets text, uint64_t most, const uint32_t *alphabet, size_t ranges)
{
    uint64_t characters = 0;
    size_t at = 0;
    if (rw_characters(text) == UINT64_MAX) {
        return RW_CBOR_TEXT;
    }
    while (at < text.size) {
        unsigned octets;
        const uint32_t code = rw_character(text, at, &octets);
        if (++characters > most) {
            return RW_SIZE_RANGE;
        }
        if (!rw_is_in(code, alphabet, ranges)) {
            return RW_TEXT_ALPHABET;
        }
        at += octets;
    }
    return 0;
}

/* Refuses an element, which begins at a place and ends here, below the one before it. */
static inline int rw_item_ascends(const rw_input *input, uint64_t *before, uint64_t start)
{
    const uint8_t *one = input->octets + *before, *other = input->octets + start;
    const size_t size = (size_t)(start - *before), other_size = input->at - (size_t)start;
    const int order = memcmp(one, other, size < other_size ? size : other_size);
    *before = start;
    return order > 0 || (order == 0 && size > other_size) ? RW_CBOR_ORDER : 0;
}

/* A key that is not below the next one; and the key or a number of keys, if that is less. */
RW_MANY int rw_take_key(rw_input *input, uint64_t *next, uint64_t keys, uint64_t *key, uint64_t *passed)
{
    unsigned first;
    const int status = rw_take_item_head(input, &first, key);
    if (status != 0 || first >> 5 != 0) {
        return status != 0 ? status : RW_CBOR_KEY;
    }
    if (*key < *next) {
        return RW_CBOR_KEY_ORDER;
    }
    *next = *key == UINT64_MAX ? *key : *key + 1;
    *passed = *key < keys ? *key : keys;
    return 0;
}

/* An array, a map or a tag that has begun. */
typedef struct rw_open_items {
    uint64_t left; /* how many items follow */
    bool is_map;
    bool is_key;     /* the next one is the key of an entry */
    size_t start;    /* where that begins */
    size_t key;      /* the last key, and its size */
    size_t key_size;
} rw_open_items;

/* How many levels items of a later version have. */
#define RW_LATER_LEVELS 32

/* Ends an item in a map. Its keys ascend. */
RW_MANY int rw_end_in_map(const rw_input *input, rw_open_items *map)
{
    const size_t size = input->at - map->start, least = size < map->key_size ? size : map->key_size;
    if (map->is_key) {
        const int order = memcmp(input->octets + map->start, input->octets + map->key, least);
        if (order < 0 || (order == 0 && size <= map->key_size)) {
            return RW_CBOR_KEY_ORDER;
        }
        map->key = map->start;
        map->key_size = size;
    }
    map->is_key = !map->is_key;
    map->start = input->at;
    return 0;
}

/* Moves behind the contents of an item that are no items, and refuses those of another form. The item begins at a place. */
RW_MANY int rw_pass_contents(rw_input *input, size_t start, uint64_t number)
{
    rw_input again = *input;
    const unsigned first = input->octets[start];
    int status = 0;
    if (first >> 5 == 2 || first >> 5 == 3) {
        rw_octets octets;
        status = rw_take_slice(input, number, &octets);
        if (status == 0 && first >> 5 == 3 && rw_characters(octets) == UINT64_MAX) {
            status = RW_CBOR_TEXT;
        }
    } else if (first >> 5 == 6 && (number == 2 || number == 3)) {
        unsigned inner;
        status = rw_take_item_head(&again, &inner, &number);
        if (status == 0 && (inner >> 5 != 2 || number <= 8 || rw_next(&again) == 0)) {
            status = RW_CBOR_BIGNUM;
        }
    } else if (first >= 0xf9) {
        double real = 0;
        again.at = start;
        status = rw_take_any_float(&again, &real);
    }
    return status;
}

/* Moves behind an item, which is in the one form that is deterministic. */
RW_MANY int rw_pass_item(rw_input *input)
{
    rw_open_items open[RW_LATER_LEVELS];
    unsigned depth = 0;
    do {
        const size_t start = input->at;
        uint64_t number, left = 0;
        unsigned first;
        int status = rw_take_item_head(input, &first, &number);
        if (status == 0) {
            status = rw_pass_contents(input, start, number);
        }
        if (status != 0) {
            return status;
        }
        if (first >> 5 == 5 && number >> 63 != 0) {
            return RW_INPUT_TRUNCATED;
        }
        left = first >> 5 == 4 ? number : first >> 5 == 5 ? number * 2 : first >> 5 == 6 ? 1 : 0;
        if (left > 0) {
            const rw_open_items begun = {left, first >> 5 == 5, true, input->at, input->at, 0};
            if (depth == RW_LATER_LEVELS) {
                return RW_RARE;
            }
            open[depth++] = begun;
            continue;
        }
        /* It ends here, and so does each one whose last item it is. */
        for (; depth > 0; depth--) {
            rw_open_items *const above = &open[depth - 1];
            status = above->is_map ? rw_end_in_map(input, above) : 0;
            if (status != 0) {
                return status;
            }
            if (--above->left > 0) {
                break;
            }
        }
    } while (depth > 0);
    return 0;
}

/* The item after a key, of a later version. The least key of an addition is given, and the code for keys that are no numbers of
   one. */
RW_MANY int rw_take_later_item(rw_input *input, uint64_t key, uint64_t least, int code, rw_addition *later)
{
    const size_t start = input->at;
    const int status = key - least > UINT32_MAX ? code : rw_pass_item(input);
    later->index = (uint32_t)(key - least);
    later->octets = rw_octets_of(input->octets + start, input->at - start);
    return status;
}

/* Keeps an entry of a later version. No more than RW_KEPT are kept. */
static inline int rw_keep_item(rw_input *input, rw_kept *kept, uint64_t key, uint64_t least)
{
    rw_addition later;
    const int status = rw_take_later_item(input, key, least, RW_CBOR_KEY_UNKNOWN, &later);
    if (status != 0 || kept->count >= RW_KEPT) {
        return status != 0 ? status : RW_KEPT_FULL;
    }
    kept->items[kept->count++] = later;
    return 0;
}

/* The head of a map with so many entries, and with those of a later version. One without octets is absent. */
static inline int rw_put_map(rw_writer *writer, uint64_t entries, const rw_kept *kept)
{
    uint32_t at;
    for (at = 0; at < kept->count && at < RW_KEPT; at++) {
        entries += kept->items[at].octets.octets != NULL ? 1 : 0;
    }
    return rw_put_head(writer, 0xa0, entries);
}

static inline int rw_put_later_item(rw_writer *writer, const rw_addition *later, uint64_t least, uint64_t known)
{
    rw_input input = rw_input_of(later->octets.octets, later->octets.size);
    if (later->index < known || later->octets.bit != 0 || rw_pass_item(&input) != 0 || input.at != input.size) {
        return RW_KEPT_ORDER;
    }
    return rw_put_head(writer, 0, least + later->index) != 0 ? RW_OUTPUT_FULL : rw_put_octets_whole(writer, later->octets);
}

/* Entries of a later version, where so many are known. */
static inline int rw_put_later_items(rw_writer *writer, const rw_kept *kept, uint64_t least, uint64_t known)
{
    uint32_t at;
    if (!rw_kept_ascend(kept, known)) {
        return RW_KEPT_ORDER;
    }
    for (at = 0; at < kept->count; at++) {
        const rw_addition *const one = &kept->items[at];
        const int status = one->octets.octets == NULL ? 0 : rw_put_later_item(writer, one, least, known);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}
