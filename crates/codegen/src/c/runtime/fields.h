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
static inline int rw_put_little(rw_writer *writer, uint64_t word, uint64_t octets)
{
    return octets == 0 ? 0 : rw_put_word(writer, rw_swapped(word), octets);
}

/* Writes a number in groups of seven bits. */
static inline int rw_put_varint(rw_writer *writer, uint64_t number)
{
    while (number > 0x7f) {
        if (rw_put_whole(writer, (number & 0x7f) | 0x80, 8) != 0) {
            return RW_REJECTED;
        }
        number >>= 7;
    }
    return rw_put_whole(writer, number, 8);
}

static inline int rw_put_field(rw_writer *writer, uint64_t key, uint64_t octets, uint64_t number)
{
    if (number < 0x80) {
        return rw_put_little(writer, number << (8 * octets) | key, octets + 1);
    }
    return rw_put_little(writer, key, octets) != 0 ? RW_REJECTED : rw_put_varint(writer, number);
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
RW_MANY int rw_take_varint(rw_input *input, uint64_t *number)
{
    unsigned shift;
    *number = 0;
    for (shift = 0; shift < 70; shift += 7) {
        unsigned octet = rw_next(input);
        if (octet > 255 || (shift == 63 && octet > 1)) {
            return RW_REJECTED;
        }
        *number |= (uint64_t)(octet & 0x7f) << shift;
        input->at++;
        if (octet < 0x80) {
            return 0;
        }
    }
    return RW_REJECTED;
}

static inline int rw_take_field(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    if (octets > 0 && !rw_is_key(input, key, octets)) {
        return RW_REJECTED;
    }
    input->at += octets;
    return rw_take_varint(input, number);
}

static inline int rw_take_field_eight(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    if ((octets > 0 && !rw_is_key(input, key, octets)) || input->size - input->at < octets + 8) {
        return RW_REJECTED;
    }
    input->at += octets;
    *number = rw_swapped(rw_ahead(input));
    input->at += 8;
    return 0;
}

/* Moves to the contents behind this key and a length, and says where they end. */
static inline int rw_open_field(rw_input *input, uint64_t key, unsigned octets, size_t *inside)
{
    uint64_t length;
    if (rw_take_field(input, key, octets, &length) != 0 || length > input->size - input->at) {
        return RW_REJECTED;
    }
    *inside = input->at + (size_t)length;
    return 0;
}

static inline int rw_take_field_octets(rw_input *input, uint64_t key, unsigned octets, rw_octets *of)
{
    size_t inside;
    if (rw_open_field(input, key, octets, &inside) != 0) {
        return RW_REJECTED;
    }
    *of = rw_octets_of(input->octets + input->at, inside - input->at);
    input->at = inside;
    return 0;
}

static inline int rw_take_field_contents(rw_input *input, uint64_t key, unsigned octets, uint64_t *number)
{
    rw_octets of;
    if (rw_take_field_octets(input, key, octets, &of) != 0 || rw_signed_of(of, number) != 0) {
        return RW_REJECTED;
    }
    return rw_signed_octets(*number) != of.size ? RW_REJECTED : 0;
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
    size_t at = 0, range;
    if (characters == UINT64_MAX || characters < lower || characters > upper) {
        return false;
    }
    while (at < text.size && count > 0) {
        unsigned octets;
        uint32_t code = rw_character(text, at, &octets);
        for (range = 0; range < count && (code < alphabet[range] || code > alphabet[range + 1]); range += 2) {
        }
        if (range >= count) {
            return false;
        }
        at += octets;
    }
    return true;
}
