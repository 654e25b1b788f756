/* Whole octets under the octet encoding rules (X.696): no bits wait in the writer. */

/* So many octets as a number, the first one highest. Usual counts have no loop. */
static inline uint64_t rw_number_at(const uint8_t *octets, unsigned count)
{
    uint64_t number = 0;
    unsigned at;
    switch (count) {
    case 1:
        return octets[0];
    case 2:
        return (uint64_t)octets[0] << 8 | octets[1];
    case 4:
        return (uint64_t)octets[0] << 24 | (uint64_t)octets[1] << 16 | (uint64_t)octets[2] << 8 | octets[3];
    case 8:
        return rw_load(octets);
    default:
        break;
    }
    for (at = 0; at < count; at++) {
        number = number << 8 | octets[at];
    }
    return number;
}

/* The next octets; NULL if there are fewer. */
static inline const uint8_t *rw_head(rw_reader *reader, uint64_t count)
{
    if ((reader->end - reader->at) / 8 < count) {
        return NULL;
    }
    reader->at += count * 8;
    return reader->octets + reader->at / 8 - count;
}

/* Writes the highest octets of a word, up to eight, if there is room. */
RW_APART bool rw_store_few(uint8_t *out, size_t room, uint64_t word, uint64_t octets)
{
    uint64_t at;
    for (at = 0; at < octets && octets <= room; at++) {
        out[at] = (uint8_t)(word >> (56 - 8 * at));
    }
    return octets <= room;
}

/* The same for a writer. */
RW_MOST int rw_put_word(rw_writer *writer, uint64_t word, uint64_t octets)
{
    uint8_t *out = writer->out + writer->stored;
    if (writer->size - writer->stored >= 8) {
        rw_store(out, word);
    } else if (!rw_store_few(out, writer->size - writer->stored, word, octets)) {
        return RW_OUTPUT_FULL;
    }
    writer->stored += (size_t)octets;
    return 0;
}

/* Writes the lowest bits of a number: 0 to 64, whole octets. Those above them are 0. */
static inline int rw_put_whole(rw_writer *writer, uint64_t value, uint32_t bits)
{
    uint32_t octets = bits / 8, at;
    uint8_t *out = writer->out + writer->stored;
    if (writer->size - writer->stored >= 8 && bits > 0) {
        rw_store(out, value << (64 - bits));
    } else if (writer->size - writer->stored >= octets) {
        for (at = 0; at < octets; at++) {
            out[at] = (uint8_t)(value >> (bits - 8 - 8 * at));
        }
    } else {
        return RW_OUTPUT_FULL;
    }
    writer->stored += octets;
    return 0;
}

/* A length determinant as the lowest bits of a number, and how many bits these are (clause 8.6). */
static inline void rw_length_octets(uint64_t length, uint64_t *word, uint64_t *bits)
{
    uint64_t octets = rw_octets_below(length) + 1;
    *word = length < 128 ? length : (0x80 | octets) << (octets * 8) | length;
    *bits = length < 128 ? 8 : octets * 8 + 8;
}

/* Octets, which may begin at any bit of an octet. */
static inline int rw_put_octets_whole(rw_writer *writer, rw_octets of)
{
    return rw_put_octets(writer, of) != 0 ? RW_OUTPUT_FULL : rw_flush(writer);
}

/* Octets after their length. */
static inline int rw_put_counted(rw_writer *writer, rw_octets of)
{
    uint64_t word, bits;
    rw_length_octets(of.size, &word, &bits);
    return rw_put_whole(writer, word, (uint32_t)bits) != 0 ? RW_OUTPUT_FULL : rw_put_octets_whole(writer, of);
}

static inline int rw_take_length(rw_reader *reader, uint64_t *length)
{
    const uint8_t *head = rw_head(reader, 1);
    uint64_t octets;
    bool is_none;
    if (head == NULL) {
        return RW_INPUT_TRUNCATED;
    }
    *length = *head;
    if (*length < 128) {
        return 0;
    }
    octets = *length & 127;
    is_none = octets == 0;
    *length = 0;
    for (; octets > 0 && *length >> 56 == 0; octets--) {
        head = rw_head(reader, 1);
        if (head == NULL) {
            return RW_INPUT_TRUNCATED;
        }
        *length = *length << 8 | *head;
    }
    if (is_none || octets > 0 || *length >> 60 != 0) {
        return reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_OCTET_LENGTH;
    }
    return 0;
}

/* Octets of the input after their length. */
static inline int rw_take_counted(rw_reader *reader, rw_octets *octets)
{
    uint64_t length;
    int status = rw_take_length(reader, &length);
    return status != 0 ? status : rw_lend(reader, length, octets);
}

/* A number without a sign after the length of its octets (clause 10.3). */
static inline int rw_take_counted_unsigned(rw_reader *reader, uint64_t *number)
{
    rw_octets octets;
    size_t at;
    int status = rw_take_counted(reader, &octets);
    if (status != 0 || octets.size == 0) {
        return status != 0 ? status : RW_INTEGER_EMPTY;
    }
    *number = 0;
    for (at = 0; at < octets.size; at++) {
        if (*number >> 56 != 0) {
            return RW_INTEGER_WIDTH;
        }
        *number = *number << 8 | octets.octets[at];
    }
    return 0;
}

/* Why a number that begins at a bit with the length of its octets is refused, if it is outside its range. */
static inline int rw_why_whole_range(const rw_reader *reader, uint64_t at)
{
    rw_reader again = *reader;
    uint64_t length = 0;
    again.at = at;
    (void)rw_take_length(&again, &length);
    return length > 16 ? RW_INTEGER_WIDTH : RW_INTEGER_RANGE;
}

/* Why a quantity is refused. */
static inline int rw_why_quantity(rw_reader *reader)
{
    uint64_t length, number = 0, octet, start = reader->at;
    bool is_read = rw_take_length(reader, &length) == 0;
    for (; is_read && length > 0 && number >> 56 == 0; length--) {
        if (rw_take(reader, 8, &octet) != 0) {
            break;
        }
        number = number << 8 | octet;
    }
    return reader->end - start < 16 || reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_OCTET_QUANTITY;
}

/* How many bits follow, after their octets' length and the number of those that are not used (clause 13.3). */
static inline int rw_take_bit_length(rw_reader *reader, uint64_t *bits)
{
    uint64_t length, unused = 8;
    int status = rw_take_length(reader, &length);
    *bits = 0;
    if (status != 0 || (length > 0 && rw_take(reader, 8, &unused) != 0)) {
        return status != 0 ? status : RW_INPUT_TRUNCATED;
    }
    if (unused > 7 || (length - 1) * 8 < unused) {
        return RW_UNUSED_BITS;
    }
    *bits = (length - 1) * 8 - unused;
    return 0;
}

/* A number in two's complement after the length of its octets (clause 10.4). */
static inline int rw_take_counted_signed(rw_reader *reader, uint64_t *number)
{
    rw_octets octets;
    int status = rw_take_counted(reader, &octets);
    return status != 0 ? status : rw_signed_of(octets, number);
}

/* The presence bits of additions (clause 16.4), as rw_take_presence has them. */
static inline int rw_take_addition_bits(rw_reader *reader, uint64_t known, uint64_t *bits, rw_kept *kept)
{
    uint64_t length, unused, count;
    int status = rw_take_length(reader, &length);
    if (status != 0 || length == 0) {
        return status != 0 ? status : RW_ADDITIONS_COUNT;
    }
    if (rw_take(reader, 8, &unused) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    count = (length - 1) * 8 - unused;
    if (unused > 7 || length < 2 || length > 16384 / 8 + 1 || count >= 16384) {
        return RW_ADDITIONS_COUNT;
    }
    if (reader->end - reader->at < count + unused) {
        return RW_INPUT_TRUNCATED;
    }
    status = rw_take_presence(reader, count, known, bits, kept);
    reader->at += unused;
    return status;
}

/* How many elements follow (clause 17.2). */
static inline int rw_take_quantity(rw_reader *reader, uint64_t *count)
{
    rw_reader start = *reader;
    int status = rw_take_counted_unsigned(reader, count);
    if (status == 0) {
        return 0;
    }
    return rw_why_quantity(&start);
}

static inline int rw_take_unknown_octets(rw_reader *reader, rw_kept *kept)
{
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        int status = kept->items[at].octets.bit == 0 ? 0 : rw_take_counted(reader, &kept->items[at].octets);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* The presence bits of additions of which some are not known (clause 16.4). */
static inline int rw_put_addition_bits(rw_writer *writer, const rw_kept *kept, uint64_t known, uint64_t bits)
{
    uint64_t count = rw_presence_count(kept, known), octets = (count + 7) / 8, word, length;
    rw_length_octets(octets + 1, &word, &length);
    if (count == 0) {
        return RW_KEPT_ORDER;
    }
    if (rw_put_whole(writer, word, (uint32_t)length) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (rw_put_whole(writer, octets * 8 - count, 8) != 0 || rw_put_presence(writer, kept, known, count, bits) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_align(writer) != 0 ? RW_OUTPUT_FULL : rw_flush(writer);
}

static inline int rw_put_unknown_octets(rw_writer *writer, const rw_kept *kept)
{
    uint32_t at;
    for (at = 0; at < kept->count; at++) {
        rw_octets octets = kept->items[at].octets;
        if (octets.octets != NULL && rw_put_counted(writer, octets) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

/* A tag in its shortest form (clause 8.7): its class in the two highest bits, its number below. */
static inline int rw_take_tag(rw_reader *reader, uint32_t *tag)
{
    const uint8_t *head = rw_head(reader, 1);
    uint32_t number = 0;
    if (head == NULL) {
        return RW_INPUT_TRUNCATED;
    }
    *tag = (uint32_t)(*head >> 6) << 30;
    if ((*head & 63) != 63) {
        *tag |= *head & 63u;
        return 0;
    }
    do {
        head = rw_head(reader, 1);
        if (head == NULL) {
            return RW_INPUT_TRUNCATED;
        }
        if (number >> 23 != 0 || (number == 0 && *head == 0x80)) {
            return reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_OCTET_TAG;
        }
        number = number << 7 | (*head & 0x7fu);
    } while (*head >> 7 != 0);
    *tag |= number;
    return number >= 63 ? 0 : reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_OCTET_TAG;
}

static inline int rw_put_tag(rw_writer *writer, uint32_t tag)
{
    uint32_t first = tag >> 30 << 6, number = tag & 0x3fffffff, shift = 28;
    if (number < 63) {
        return rw_put_whole(writer, first | number, 8);
    }
    if (rw_put_whole(writer, first | 63, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    while (number >> shift == 0) {
        shift -= 7;
    }
    for (; shift > 0; shift -= 7) {
        if (rw_put_whole(writer, 0x80 | (number >> shift & 0x7f), 8) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return rw_put_whole(writer, number & 0x7f, 8);
}

/* An alternative of a later version (clause 20.3), of whose tag so many octets have been read. */
static inline int rw_take_tagged(rw_reader *reader, uint64_t read, rw_addition *other)
{
    int status;
    reader->at -= read * 8;
    status = rw_take_tag(reader, &other->index);
    return status != 0 ? status : rw_take_counted(reader, &other->octets);
}

static inline int rw_put_tagged(rw_writer *writer, const rw_addition *other, const uint32_t *known, size_t count)
{
    size_t at;
    for (at = 0; at < count; at++) {
        if (known[at] == other->index) {
            return RW_KEPT_ORDER;
        }
    }
    if (other->octets.octets == NULL) {
        return RW_OPEN_TYPE_EMPTY;
    }
    return rw_put_tag(writer, other->index) != 0 ? RW_OUTPUT_FULL : rw_put_counted(writer, other->octets);
}

/* Bits in octets: the number of those that are not used, and then the bits. */
static inline int rw_split_bits(rw_octets octets, rw_bit_string *bits)
{
    if (octets.size == 0 || octets.octets[0] > 7 || (octets.size == 1 && octets.octets[0] > 0)) {
        return RW_UNUSED_BITS;
    }
    *bits = rw_bit_string_of(octets.octets + 1, (octets.size - 1) * 8 - octets.octets[0]);
    return 0;
}

/* Bits, and zeros up to whole octets. */
static inline int rw_put_bits_whole(rw_writer *writer, const rw_bit_string *of)
{
    return rw_put_some_bits_whole(writer, of, 0, of->bits);
}

/* Moves all that was written from a place on by so many octets. */
static inline int rw_move(rw_writer *writer, uint64_t from, uint64_t by)
{
    uint8_t *start = writer->out + from;
    if (writer->size - writer->stored < by) {
        return RW_OUTPUT_FULL;
    }
    memmove(start + by, start, (size_t)(writer->stored - from));
    writer->stored += (size_t)by;
    return 0;
}

/* Ends an open type that begins at a bit with an octet for its length (clause 30). */
static inline int rw_close_octets(rw_writer *writer, uint64_t start)
{
    uint8_t *from = writer->out + start / 8;
    uint64_t length = (rw_position(writer) - start) / 8 - 1, word, bits;
    rw_length_octets(length, &word, &bits);
    if (bits > 8 && rw_move(writer, start / 8 + 1, bits / 8 - 1) != 0) {
        return RW_OUTPUT_FULL;
    }
    for (; bits > 0; bits -= 8) {
        *from++ = (uint8_t)(word >> (bits - 8));
    }
    return 0;
}

/* The octets of an open type become the input. */
static inline int rw_inside(rw_reader *outer, uint64_t count, rw_reader *inner)
{
    rw_octets octets;
    if (rw_lend(outer, count, &octets) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    *inner = rw_reader_of(octets.octets, octets.size);
    return 0;
}

/* The number of an item (clause 11), in two's complement. */
RW_APART int rw_take_item_number(rw_reader *reader, uint64_t *number)
{
    uint64_t octets, octet = 0, at;
    uint8_t fill = 0;
    if (rw_take(reader, 8, number) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    if (*number < 128) {
        return 0;
    }
    octets = *number & 127;
    if ((reader->end - reader->at) / 8 < octets) {
        return RW_INPUT_TRUNCATED;
    }
    if (octets == 0) {
        return RW_OCTET_ITEM;
    }
    for (at = 0; at < octets; at++) {
        (void)rw_take(reader, 8, &octet);
        if (at == 0) {
            fill = octet >> 7 != 0 ? 0xff : 0;
            *number = fill != 0 ? UINT64_MAX : 0;
        }
        if (octets - at > 8 ? octet != fill : octets - at == 8 && octet >> 7 != fill >> 7) {
            return RW_OCTET_ITEM;
        }
        *number = *number << 8 | octet;
    }
    return 0;
}

static inline int rw_put_item_number(rw_writer *writer, uint64_t number)
{
    uint64_t octets = rw_signed_octets(number);
    if (number < 128) {
        return rw_put_whole(writer, number, 8);
    }
    if (rw_put_whole(writer, 0x80 | octets, 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_whole(writer, rw_low_octets(number, octets), (uint32_t)octets * 8);
}

/* Checks the tag of which an octet has been read. */
static inline int rw_check_tag(const rw_reader *reader)
{
    rw_reader first = *reader;
    uint32_t tag;
    first.at -= 8;
    return rw_take_tag(&first, &tag);
}

/* Bits in whole octets (clause 13): after their length, unless their number is fixed. Behind the end of a string are zeros. */
RW_APART int rw_put_whole_bit_units(rw_writer *writer, const rw_size *size, const rw_bit_string *of, uint64_t count)
{
    uint64_t octets = (count + 7) / 8, word, length;
    if (count < size->lower || count > size->upper) {
        return RW_SIZE_RANGE;
    }
    rw_length_octets(octets + 1, &word, &length);
    if (size->bits == 64 && (rw_put_whole(writer, word, (uint32_t)length) != 0 || rw_put_whole(writer, octets * 8 - count, 8) != 0)) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_some_bits_whole(writer, of, 0, count);
}

static inline int rw_put_whole_word_units(rw_writer *writer, const rw_size *size, const rw_bits *of, uint64_t count)
{
    uint8_t octets[8] = {0};
    rw_bit_string bits = rw_bit_string_of(octets, of->bits);
    return rw_octets_of_word(of, octets) != 0 ? RW_SIZE_CAPACITY : rw_put_whole_bit_units(writer, size, &bits, count);
}

RW_APART int rw_lend_whole_bit_units(rw_reader *reader, const rw_size *size, rw_bit_string *bits)
{
    uint64_t count = size->lower;
    int status = size->bits == 64 ? rw_take_bit_length(reader, &count) : 0;
    if (status != 0 || count < size->lower || count > size->upper) {
        return status != 0 ? status : RW_SIZE_RANGE;
    }
    return rw_lend_bits(reader, count, bits) != 0 ? RW_INPUT_TRUNCATED : rw_skip_padding(reader);
}

static inline int rw_take_whole_bit_units(rw_reader *reader, const rw_size *size, rw_bits *word)
{
    rw_bit_string bits;
    int status = rw_lend_whole_bit_units(reader, size, &bits);
    return status != 0 ? status : rw_word_of(&bits, word);
}
