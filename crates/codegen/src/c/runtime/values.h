/* How many additions of a later version a record keeps. */
#ifndef RW_KEPT
#define RW_KEPT 4
#endif

/* An ENUMERATED's item of a later version in packed rules, by its index among the additions. In octet rules it is its number. */
#define RW_LATER(index) (INT32_MIN + (int32_t)(index))

/* Up to 64 bits: the last one is the lowest. */
typedef struct rw_bits {
    uint64_t value;
    uint8_t bits;
} rw_bits;

/* In place of a bit, in octets that were read from text: each is two hexadecimal digits. */
#define RW_DIGITS 8

/* The same with escapes in JSON, such as \u0041. */
#define RW_ESCAPED 9

/* In place of a bit, and a bit more: in fragments of 16K units, with a length determinant before each (X.691 clause 11.9.3.8). */
#define RW_FRAGMENTS 16

/* Whether units are read piece by piece, as it takes time to find one that is far from the first. Functions that say what is wrong
   take such values: without them, there are none. */
#ifdef RW_NO_REASONS
#define RW_IN_PIECES(bit) false
#else
#define RW_IN_PIECES(bit) ((bit) > RW_DIGITS)
#endif

/* Octets of the input, which may begin at any bit of an octet: rw_octet, rw_piece and rw_copy give them. */
typedef struct rw_octets {
    const uint8_t *octets;
    size_t size;
    uint8_t bit; /* 0 to 7: the first one begins behind so many bits of octets[0]; or one of those above */
} rw_octets;

/* An addition that the schema does not know, by its number among all additions. One without octets (NULL) is absent, and says
   how many there were. Of an alternative under octet rules, the index is its tag: the class in the two highest bits. */
typedef struct rw_addition {
    uint32_t index;
    rw_octets octets;
} rw_addition;

typedef struct rw_kept {
    uint32_t count;
    rw_addition items[RW_KEPT];
} rw_kept;

/* Bits of the input, in the same way. */
typedef struct rw_bit_string {
    const uint8_t *octets;
    size_t bits;
    uint8_t bit;
} rw_bit_string;

static inline rw_bit_string rw_bit_string_of(const uint8_t *octets, size_t bits)
{
    rw_bit_string all = {octets, bits, 0};
    return all;
}

/* The value of a hexadecimal digit; 16 of another character. */
static inline unsigned rw_nibble(unsigned character)
{
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    character |= 0x20;
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : 16;
}

/* The value of the digit that comes next in text with escapes, each of which has six characters; it is passed. */
static inline unsigned rw_next_nibble(const uint8_t **text)
{
    const uint8_t *digit = *text;
    if (*digit != '\\') {
        *text = digit + 1;
        return rw_nibble(*digit);
    }
    *text = digit + 6;
    return rw_nibble(rw_nibble(digit[4]) << 4 | rw_nibble(digit[5]));
}

/* Passes so many digits, in text without or with escapes. */
static inline void rw_skip_digits(const uint8_t **text, uint8_t form, size_t digits)
{
    if (form == RW_DIGITS) {
        *text += digits;
        return;
    }
    for (; digits > 0; digits--) {
        (void)rw_next_nibble(text);
    }
}

/* The octet that begins behind so many bits of another one. */
static inline uint8_t rw_octet_behind(const uint8_t *octets, unsigned bit)
{
    return bit == 0 ? octets[0] : (uint8_t)(octets[0] << bit | octets[1] >> (8 - bit));
}

/* The fragment in which a unit is, of which so many octets are 16K: where the fragment begins, its first unit, and its size. */
RW_APART const uint8_t *rw_fragment(const uint8_t *octets, unsigned bit, size_t unit, size_t of_16k, size_t *first, size_t *size)
{
    *first = 0;
    for (;;) {
        size_t head = rw_octet_behind(octets, bit);
        octets++;
        *size = head & 63;
        if (head < 128) {
            *size = head;
            return octets;
        }
        if (head < 192) {
            *size = *size << 8 | rw_octet_behind(octets, bit);
            return octets + 1;
        }
        if (unit - *first < *size * 16384) {
            *size *= 16384;
            return octets;
        }
        *first += *size * 16384;
        octets += *size * of_16k;
    }
}

/* A piece: bits from one on that are not in fragments, as many as follow each other; of digits, from the first one of a digit. */
RW_APART rw_bit_string rw_bit_piece(const rw_bit_string *of, size_t at)
{
    rw_bit_string piece = *of;
    const size_t left = of->bits - at;
    size_t first = 0, size = of->bits;
    if (of->bit >= RW_FRAGMENTS) {
        piece.octets = rw_fragment(of->octets, of->bit - RW_FRAGMENTS, at, 2048, &first, &size);
        piece.bit -= RW_FRAGMENTS;
    }
    at -= first;
    piece.bits = size - at < left ? size - at : left;
    if (piece.bit >= RW_DIGITS) {
        rw_skip_digits(&piece.octets, piece.bit, at / 4);
    } else {
        piece.octets += (piece.bit + at) / 8;
        piece.bit = (uint8_t)((piece.bit + at) % 8);
    }
    return piece;
}

/* The first four bits of a piece, or zeros behind its end; it loses them. */
static inline unsigned rw_next_four(rw_bit_string *piece)
{
    const unsigned bits = piece->bits < 4 ? (unsigned)piece->bits : 4;
    unsigned four;
    if (piece->bit >= RW_DIGITS) {
        four = rw_next_nibble(&piece->octets);
    } else {
        const unsigned end = piece->bit + bits;
        four = (unsigned)(piece->octets[0] << piece->bit & 0xff) >> 4;
        four |= end > 8 ? (unsigned)piece->octets[1] >> (12 - piece->bit) : 0;
        piece->octets += end / 8;
        piece->bit = (uint8_t)(end % 8);
    }
    piece->bits -= bits;
    return four & (0xf0u >> bits) & 0xfu;
}

RW_APART unsigned rw_bit_in_pieces(const rw_bit_string *of, size_t at)
{
    const unsigned place = of->bit == RW_ESCAPED ? at % 4 : 0;
    rw_bit_string piece = rw_bit_piece(of, at - place);
    return rw_next_four(&piece) >> (3 - place) & 1u;
}

static inline unsigned rw_bit(const rw_bit_string *of, size_t at)
{
    size_t bit = of->bit + at;
    if (RW_IN_PIECES(of->bit)) {
        return rw_bit_in_pieces(of, at);
    }
    if (of->bit == RW_DIGITS) {
        return rw_nibble(of->octets[at / 4]) >> (3 - at % 4) & 1u;
    }
    return of->octets[bit / 8] >> (7 - bit % 8) & 1u;
}

RW_APART size_t rw_meaning_in_pieces(const rw_bit_string *of)
{
    size_t at = 0, bits = 0;
    while (at < of->bits) {
        rw_bit_string piece = rw_bit_piece(of, at);
        for (; piece.bits > 0; at += 4) {
            const unsigned four = rw_next_four(&piece);
            bits = four == 0 ? bits : at + ((four & 1) != 0 ? 4 : (four & 2) != 0 ? 3 : (four & 4) != 0 ? 2 : 1);
        }
    }
    return bits;
}

/* How many bits there are without the zeros at the end. */
static inline size_t rw_bits_meaning(const rw_bit_string *of)
{
    size_t bits = of->bits;
    if (RW_IN_PIECES(of->bit)) {
        return rw_meaning_in_pieces(of);
    }
    while (bits > 0 && rw_bit(of, bits - 1) == 0) {
        bits--;
    }
    return bits;
}

/* Whether these are the first bits of octets. */
static inline bool rw_same_bits(const rw_bit_string *of, const uint8_t *octets, size_t bits)
{
    rw_bit_string other = rw_bit_string_of(octets, bits);
    size_t at;
    for (at = 0; at < bits && of->bits == bits; at++) {
        if (rw_bit(of, at) != rw_bit(&other, at)) {
            return false;
        }
    }
    return of->bits == bits;
}

/* Whether two bit strings differ in zeros at their ends at most. */
static inline bool rw_same_named(const rw_bit_string *of, const uint8_t *octets, size_t bits)
{
    rw_bit_string one = *of, other = rw_bit_string_of(octets, bits);
    one.bits = rw_bits_meaning(of);
    return rw_same_bits(&one, octets, rw_bits_meaning(&other));
}

/* Up to 64 bits as a word. */
static inline int rw_word_of(const rw_bit_string *of, rw_bits *word)
{
    size_t at;
    if (of->bits > 64) {
        return RW_SIZE_CAPACITY;
    }
    word->bits = (uint8_t)of->bits;
    word->value = 0;
    for (at = 0; at < of->bits; at++) {
        word->value = word->value << 1 | rw_bit(of, at);
    }
    return 0;
}

/* Text of the input in UTF-8, without an end. */
typedef rw_octets rw_text;

static inline rw_octets rw_octets_of(const uint8_t *octets, size_t size)
{
    rw_octets all = {octets, size, 0};
    return all;
}

/* A piece: octets from one on that are not in fragments, as many as follow each other. */
RW_APART rw_octets rw_piece(rw_octets of, size_t at)
{
    const size_t left = of.size - at;
    size_t first = 0, size = of.size;
    if (of.bit >= RW_FRAGMENTS) {
        of.octets = rw_fragment(of.octets, of.bit - RW_FRAGMENTS, at, 16384, &first, &size);
        of.bit -= RW_FRAGMENTS;
    }
    at -= first;
    of.size = size - at < left ? size - at : left;
    if (of.bit >= RW_DIGITS) {
        rw_skip_digits(&of.octets, of.bit, 2 * at);
    } else {
        of.octets += at;
    }
    return of;
}

/* The first octet of a piece, which loses it. */
static inline uint8_t rw_next_octet(rw_octets *piece)
{
    unsigned high;
    piece->size--;
    if (piece->bit < RW_DIGITS) {
        return rw_octet_behind(piece->octets++, piece->bit);
    }
    high = rw_next_nibble(&piece->octets);
    return (uint8_t)(high << 4 | rw_next_nibble(&piece->octets));
}

RW_APART uint8_t rw_octet_in_pieces(rw_octets of, size_t at)
{
    rw_octets piece = rw_piece(of, at);
    return rw_next_octet(&piece);
}

static inline uint8_t rw_octet(rw_octets of, size_t at)
{
    if (of.bit == 0) {
        return of.octets[at];
    }
    if (of.bit == RW_DIGITS) {
        return (uint8_t)(rw_nibble(of.octets[2 * at]) << 4 | rw_nibble(of.octets[2 * at + 1]));
    }
    if (RW_IN_PIECES(of.bit)) {
        return rw_octet_in_pieces(of, at);
    }
    return (uint8_t)(of.octets[at] << of.bit | of.octets[at + 1] >> (8 - of.bit));
}

/* Whether octets are subidentifiers, each in as few octets as it takes (X.690 clause 8.19). */
static inline bool rw_is_oid(rw_octets octets)
{
    bool begins = true;
    size_t at;
    for (at = 0; at < octets.size; at++) {
        uint8_t octet = rw_octet(octets, at);
        if (begins && octet == 0x80) {
            return false;
        }
        begins = (octet & 0x80) == 0;
    }
    return begins && octets.size > 0;
}

RW_APART void rw_copy_pieces(rw_octets of, uint8_t *out)
{
    size_t at = 0;
    while (at < of.size) {
        rw_octets piece = rw_piece(of, at);
        while (piece.size > 0) {
            out[at++] = rw_next_octet(&piece);
        }
    }
}

/* Copies of.size octets. */
static inline void rw_copy(rw_octets of, uint8_t *out)
{
    size_t at;
    if (RW_IN_PIECES(of.bit)) {
        rw_copy_pieces(of, out);
        return;
    }
    for (at = 0; at < of.size; at++) {
        out[at] = rw_octet(of, at);
    }
}

/* An INTEGER of any length: octets in two's complement, the highest first. Without octets it is 0. Numbers within bounds that
   take up to 64 octets are such octets in place, as many for each value: rw_integer_from gives these. */
typedef struct rw_integer {
    const uint8_t *octets;
    size_t size;
} rw_integer;

static inline rw_integer rw_integer_from(const uint8_t *octets, size_t size)
{
    rw_integer integer = {octets, size};
    return integer;
}

/* Writes a number of 64 bits into so many octets; those above it repeat its sign. */
static inline rw_integer rw_integer_in(uint8_t *octets, size_t size, int64_t number)
{
    uint64_t word = (uint64_t)number;
    size_t at;
    for (at = size; at > 0; at--) {
        octets[at - 1] = (uint8_t)word;
        word = word >> 8 | (number < 0 ? UINT64_C(0xff) << 56 : 0);
    }
    return rw_integer_from(octets, size);
}

/* Without octets that only repeat the sign: one octet at least. */
static inline rw_integer rw_fewest(rw_integer of)
{
    while (of.size > 1 && ((of.octets[0] == 0 && of.octets[1] < 0x80) || (of.octets[0] == 0xff && of.octets[1] >= 0x80))) {
        of.octets++;
        of.size--;
    }
    return of.size > 0 ? of : rw_integer_from((const uint8_t *)"", 1);
}

/* Whether a number has up to 64 bits with a sign: it is in `number` then. */
static inline bool rw_integer_value(rw_integer of, int64_t *number)
{
    uint64_t word;
    size_t at;
    of = rw_fewest(of);
    word = of.octets[0] >= 0x80 ? UINT64_MAX : 0;
    for (at = 0; at < of.size && of.size <= 8; at++) {
        word = word << 8 | of.octets[at];
    }
    *number = word <= (uint64_t)INT64_MAX ? (int64_t)word : -(int64_t)(UINT64_MAX - word) - 1;
    return of.size <= 8;
}

/* A number in two's complement. */
static inline int64_t rw_signed(uint64_t word)
{
    return word <= (uint64_t)INT64_MAX ? (int64_t)word : -(int64_t)(UINT64_MAX - word) - 1;
}

static inline uint64_t rw_masked(const rw_bits *bits)
{
    return bits->bits == 0 ? 0 : bits->value & (UINT64_MAX >> ((64u - bits->bits) & 63u));
}

/* A REAL by its bits (IEEE 754). */
static inline double rw_real_of(uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static inline uint64_t rw_real_bits(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static inline uint64_t rw_max(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* A word shifted left by any number of bits. */
static inline uint64_t rw_shl(uint64_t word, uint64_t bits)
{
    return bits < 64 ? word << bits : 0;
}

/* Where a processor has the lowest octet of a number first, a number with its octets in the other order: loads and stores of one
   octet after another are not always made one. */
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RW_SWAPPED(word) __builtin_bswap64(word)
#endif

/* Eight octets as a number, the first one highest. */
RW_MANY uint64_t rw_load(const uint8_t *octets)
{
#ifdef RW_SWAPPED
    uint64_t word;
    memcpy(&word, octets, sizeof word);
    return RW_SWAPPED(word);
#else
    return (uint64_t)octets[0] << 56 | (uint64_t)octets[1] << 48 | (uint64_t)octets[2] << 40 | (uint64_t)octets[3] << 32
        | (uint64_t)octets[4] << 24 | (uint64_t)octets[5] << 16 | (uint64_t)octets[6] << 8 | (uint64_t)octets[7];
#endif
}

/* The same where there are only so many; zeros follow them. */
RW_MANY uint64_t rw_load_few(const uint8_t *octets, size_t count)
{
    uint64_t word = 0;
    for (size_t at = 0; at < 8; at++) {
        word = word << 8 | (at < count ? octets[at] : 0u);
    }
    return word;
}

RW_MANY void rw_store(uint8_t *octets, uint64_t word)
{
#ifdef RW_SWAPPED
    word = RW_SWAPPED(word);
    memcpy(octets, &word, sizeof word);
#else
    octets[0] = (uint8_t)(word >> 56);
    octets[1] = (uint8_t)(word >> 48);
    octets[2] = (uint8_t)(word >> 40);
    octets[3] = (uint8_t)(word >> 32);
    octets[4] = (uint8_t)(word >> 24);
    octets[5] = (uint8_t)(word >> 16);
    octets[6] = (uint8_t)(word >> 8);
    octets[7] = (uint8_t)word;
#endif
}

/* Up to 64 bits at a bit of an array of so many octets. */
static inline uint64_t rw_bits_at(const uint8_t *octets, size_t size, size_t bit, unsigned bits)
{
    size_t from = bit / 8;
    unsigned left = (unsigned)(bit % 8);
    uint64_t word = from + 8 <= size ? rw_load(octets + from) : rw_load_few(octets + from, size - from);
    word <<= left;
    if (left > 0 && from + 8 < size) {
        word |= (uint64_t)octets[from + 8] >> (8 - left);
    }
    return bits == 0 ? 0 : word >> (64 - bits);
}

/* How many octets a character has that begins with this one; 0 if none does. */
static inline unsigned rw_octets_of_character(uint8_t first)
{
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* The code of the character that begins at an octet, and how many octets it has: 0 if it is none. */
static inline uint32_t rw_character(rw_octets of, size_t at, unsigned *octets)
{
    uint8_t first = rw_octet(of, at);
    unsigned all = rw_octets_of_character(first), more = all == 0 ? 4 : all - 1, next;
    uint32_t code = more == 0 ? first : first & (0x3fu >> more);
    *octets = 0;
    if (more > 3 || of.size - at <= more) {
        return 0;
    }
    for (next = 1; next <= more; next++) {
        uint8_t octet = rw_octet(of, at + next);
        if ((octet & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (octet & 0x3fu);
    }
    if ((more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) || (more == 3 && (code < 0x10000 || code > 0x10ffff))) {
        return 0;
    }
    *octets = more + 1;
    return code;
}

/* Counts the characters of a text, up to `most`: why there are no so many, or that the last one is cut. */
RW_APART int rw_count_characters(rw_text text, uint64_t most, uint64_t *count)
{
    uint8_t octets[4] = {0};
    unsigned used = 0, whole;
    size_t at = 0;
    *count = 0;
    while (at < text.size) {
        rw_octets piece = rw_piece(text, at);
        at += piece.size;
        while (piece.size > 0) {
            octets[used++] = rw_next_octet(&piece);
            if (used < rw_octets_of_character(octets[0])) {
                continue;
            }
            (void)rw_character(rw_octets_of(octets, used), 0, &whole);
            if (whole == 0 || *count == most) {
                return whole == 0 ? RW_TEXT_FORM : RW_SIZE_RANGE;
            }
            *count += 1;
            used = 0;
        }
    }
    return used > 0 ? RW_INPUT_TRUNCATED : 0;
}

/* How many characters a text has; UINT64_MAX if it is none. */
static inline uint64_t rw_characters(rw_text text)
{
    uint64_t count;
    size_t at = 0;
    if (RW_IN_PIECES(text.bit)) {
        return rw_count_characters(text, UINT64_MAX, &count) == 0 ? count : UINT64_MAX;
    }
    /* Eight octets at once, before the first character of several. */
    while (text.bit == 0 && text.size - at >= 8 && (rw_load(text.octets + at) & UINT64_C(0x8080808080808080)) == 0) {
        at += 8;
    }
    count = at;
    while (at < text.size) {
        unsigned octets = 1;
        if (rw_octet(text, at) >= 0x80) {
            (void)rw_character(text, at, &octets);
        }
        if (octets == 0) {
            return UINT64_MAX;
        }
        at += octets;
        count++;
    }
    return count;
}

/* One less than how many octets hold a number. */
static inline uint64_t rw_octets_below(uint64_t number)
{
#ifdef __GNUC__
    return (unsigned)(63 - __builtin_clzll(number | 1)) / 8;
#else
    uint64_t octets = 0;
    while (number > 0xff) {
        number >>= 8;
        octets++;
    }
    return octets;
#endif
}

/* How many octets a number takes in two's complement, at least one. */
static inline uint64_t rw_signed_octets(uint64_t word)
{
    uint64_t magnitude = word >> 63 != 0 ? ~word : word;
    return magnitude >> 63 != 0 ? 8 : rw_octets_below(magnitude << 1) + 1;
}

/* The lowest octets of a number: one to eight. */
static inline uint64_t rw_low_octets(uint64_t word, uint64_t octets)
{
    return word & UINT64_MAX >> (64 - octets * 8);
}

/* A number in two's complement in one to eight octets of the input. */
static inline int rw_signed_of(rw_octets octets, uint64_t *number)
{
    size_t at;
    if (octets.size == 0 || octets.size > 8) {
        return octets.size == 0 ? RW_INTEGER_EMPTY : RW_INTEGER_WIDTH;
    }
    *number = octets.octets[0] >> 7 != 0 ? UINT64_MAX : 0;
    for (at = 0; at < octets.size; at++) {
        *number = *number << 8 | octets.octets[at];
    }
    return 0;
}

/* Whether a character is in an alphabet of ranges; all are in none. */
static inline bool rw_is_in(uint32_t code, const uint32_t *alphabet, size_t count)
{
    size_t range;
    for (range = 0; range < count; range += 2) {
        if (code >= alphabet[range] && code <= alphabet[range + 1]) {
            return true;
        }
    }
    return count == 0;
}

/* How many octets an addition of a later version takes at most: its own, its tag or key, its length, and lengths of fragments. */
static inline uint64_t rw_addition_room(const rw_addition *of)
{
    return (uint64_t)of->octets.size + of->octets.size / 4096 + 16;
}

/* The same for all that a record keeps, with a presence bit for each addition up to the last. */
static inline uint64_t rw_kept_room(const rw_kept *kept)
{
    uint64_t sum = 0;
    uint32_t at, last = 0;
    for (at = 0; at < kept->count && at < RW_KEPT; at++) {
        sum += rw_addition_room(&kept->items[at]);
        last = kept->items[at].index;
    }
    return kept->count == 0 ? 0 : sum + last / 8 + 16;
}
