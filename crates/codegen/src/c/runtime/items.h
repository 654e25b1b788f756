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
        return rw_put_whole(writer, front | 27, 8) != 0 ? RW_REJECTED : rw_put_whole(writer, number, 64);
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
        return RW_REJECTED;
    }
    return octets == 0 ? 0 : rw_put_word(writer, bits << (64 - count), octets);
}

/* Bits of a size in a byte string: without their number if it is fixed, without zeros at the end if they have no meaning. */
static inline int rw_put_sized_bits(
    rw_writer *writer, const rw_bit_string *bits, uint64_t lower, uint64_t upper, bool is_fixed, bool is_trimmed)
{
    rw_bit_string kept = *bits;
    uint64_t count = kept.bits, octets, at;
    if (is_trimmed) {
        while (kept.bits > 0 && rw_bit(&kept, kept.bits - 1) == 0) {
            kept.bits--;
        }
        count = rw_max(kept.bits, lower);
    }
    octets = (count + 7) / 8;
    if (count < lower || count > upper || rw_put_head(writer, 0x40, octets + (is_fixed ? 0 : 1)) != 0) {
        return RW_REJECTED;
    }
    if ((!is_fixed && rw_put_whole(writer, octets * 8 - count, 8) != 0) || rw_put_bits_whole(writer, &kept) != 0) {
        return RW_REJECTED;
    }
    for (at = ((uint64_t)kept.bits + 7) / 8; at < octets; at++) {
        if (rw_put_whole(writer, 0, 8) != 0) {
            return RW_REJECTED;
        }
    }
    return 0;
}

static inline int rw_put_sized_word(
    rw_writer *writer, const rw_bits *bits, uint64_t lower, uint64_t upper, bool is_fixed, bool is_trimmed)
{
    uint8_t octets[8];
    rw_bit_string all;
    if (bits->bits > 64) {
        return RW_REJECTED;
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
        return RW_REJECTED;
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
        return RW_REJECTED;
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
        return RW_REJECTED;
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
            return RW_REJECTED;
        }
        *bits = rw_bit_string_of(whole.octets, (size_t)lower);
    } else if (rw_split_bits(whole, bits) != 0) {
        return RW_REJECTED;
    }
    /* Bits that are not used are zeros. */
    for (at = bits->bits; at % 8 != 0; at++) {
        if ((bits->octets[at / 8] >> (7 - at % 8) & 1u) != 0) {
            return RW_REJECTED;
        }
    }
    if (is_trimmed && bits->bits > lower && rw_bit(bits, bits->bits - 1) == 0) {
        return RW_REJECTED;
    }
    return bits->bits < lower || bits->bits > upper ? RW_REJECTED : 0;
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
