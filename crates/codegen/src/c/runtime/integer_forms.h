/* INTEGERs of any length as each of the encoding rules has them. */

/* The octet that has the sign of others in two's complement. */
static inline unsigned rw_sign_of(rw_octets octets)
{
    rw_octets piece = rw_piece(octets, 0);
    return piece.size > 0 && rw_next_octet(&piece) >= 0x80 ? 0xff : 0;
}

static inline rw_integer rw_no_integer(void)
{
    return rw_integer_from(NULL, 0);
}

/* Without a sign: of a number that is not negative. */
static inline rw_integer rw_without_sign(rw_integer of)
{
    of = rw_fewest(of);
    return of.size > 1 && of.octets[0] == 0 ? rw_integer_from(of.octets + 1, of.size - 1) : of;
}

/* A number less another one in the last octets of the output, before which it is written: they are read before something is
   written there. */
static inline int rw_difference(rw_writer *writer, rw_integer number, rw_integer less, size_t octets, const uint8_t **place)
{
    if (octets > writer->size - writer->stored) {
        return RW_OUTPUT_FULL;
    }
    *place = writer->out + (writer->size - octets);
    (void)rw_subtract(number, less, writer->out + (writer->size - octets), octets);
    return 0;
}

/* The distance from a number in so many bits (X.691 clause 11.5.6). */
RW_APART int rw_put_wide_field(
    rw_writer *writer, uint64_t bits, bool aligned, rw_integer from, const rw_range *range, rw_integer number)
{
    const size_t octets = (size_t)((bits + 7) / 8);
    const unsigned odd = (unsigned)(bits % 8);
    const uint8_t *place;
    size_t at;
    const int status = rw_check_range(number, range, 0);
    if (status != 0) {
        return status;
    }
    if (rw_difference(writer, number, from, octets, &place) != 0 || (aligned && rw_align(writer) != 0)) {
        return RW_OUTPUT_FULL;
    }
    for (at = 0; at < octets; at++) {
        const unsigned width = at == 0 && odd > 0 ? odd : 8;
        if (rw_put(writer, place[at] & (0xffu >> (8 - width)), width) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}

RW_APART int rw_take_wide_field(
    rw_reader *reader, uint64_t bits, bool aligned, rw_integer from, const rw_range *range, rw_wide *to)
{
    uint64_t first = 0;
    rw_octets rest;
    if ((aligned && rw_skip_padding(reader) != 0) || reader->end - reader->at < bits || rw_take(reader, bits % 8, &first) != 0
        || rw_lend(reader, bits / 8, &rest) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    return rw_read_wide(to, (unsigned)first, rest, 0, from, range);
}

/* The distance from the least number in as few octets as hold it, after their number less one in so many bits (clause 11.5.7.4). */
static inline int rw_put_wide_counted(
    rw_writer *writer, uint32_t bits, bool aligned, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    const size_t octets = status != 0 ? 0 : rw_subtract(number, range->lower, NULL, 0);
    if (status != 0) {
        return status;
    }
    if ((aligned && rw_align(writer) != 0) || rw_put(writer, octets - 1, bits) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_wide_field(writer, (uint64_t)octets * 8, true, range->lower, range, number);
}

static inline int rw_take_wide_counted(rw_reader *reader, uint32_t bits, bool aligned, const rw_range *range, rw_wide *to)
{
    uint64_t octets;
    if ((aligned && rw_skip_padding(reader) != 0) || rw_take(reader, bits, &octets) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    return rw_take_wide_field(reader, octets * 8 + 8, true, range->lower, range, to);
}

/* Octets after a length determinant (clause 11.7, 11.8): in two's complement, or the distance from the least number. */
RW_APART int rw_put_wide_determined(rw_writer *writer, bool is_signed, bool aligned, const rw_range *range, rw_integer number)
{
    const rw_size size = rw_size_of(0, aligned);
    const int status = rw_check_range(number, range, 0);
    rw_octets octets;
    number = rw_fewest(number);
    octets = rw_octets_of(number.octets, number.size);
    if (status != 0) {
        return status;
    }
    if (!is_signed) {
        octets.size = rw_subtract(number, range->lower, NULL, 0);
        if (rw_difference(writer, number, range->lower, octets.size, &octets.octets) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return rw_put_octet_units(writer, &size, octets);
}

RW_APART int rw_take_wide_determined(rw_reader *reader, bool is_signed, bool aligned, const rw_range *range, rw_wide *to)
{
    const rw_size size = rw_size_of(0, aligned);
    rw_octets octets;
    const int status = rw_lend_octet_units(reader, &size, &octets);
    if (status != 0 || octets.size == 0) {
        return status != 0 ? status : RW_INTEGER_EMPTY;
    }
    return is_signed ? rw_read_wide(to, rw_sign_of(octets), octets, 0, rw_no_integer(), range)
                     : rw_read_wide(to, 0, octets, 0, range->lower, range);
}

/* Octets after their length (X.696 clause 10.3, 10.4). */
static inline int rw_put_wide_definite(rw_writer *writer, bool is_signed, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    number = is_signed ? rw_fewest(number) : rw_without_sign(number);
    return status != 0 ? status : rw_put_counted(writer, rw_octets_of(number.octets, number.size));
}

static inline int rw_take_wide_definite(rw_reader *reader, bool is_signed, const rw_range *range, rw_wide *to)
{
    rw_octets octets;
    const int status = rw_take_counted(reader, &octets);
    if (status != 0 || octets.size == 0) {
        return status != 0 ? status : RW_INTEGER_EMPTY;
    }
    return rw_read_wide(to, is_signed ? rw_sign_of(octets) : 0, octets, 0, rw_no_integer(), range);
}

/* The fewest octets in two's complement, after a tag and their length (X.690 clause 8.3). */
static inline int rw_put_wide_element(rw_writer *writer, uint64_t tag, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    number = rw_fewest(number);
    return status != 0 ? status : rw_put_string(writer, tag, rw_octets_of(number.octets, number.size));
}

static inline int rw_take_wide_contents(rw_octets octets, const rw_range *range, rw_wide *to)
{
    if (octets.size == 0 || rw_fewest(rw_integer_from(octets.octets, octets.size)).size != octets.size) {
        return RW_TLV_NUMBER;
    }
    return rw_read_wide(to, rw_sign_of(octets), octets, 0, rw_no_integer(), range);
}

/* The same after a field's key; a decoder takes more octets. */
static inline int rw_put_wide_keyed(rw_writer *writer, uint64_t key, uint64_t octets, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    number = rw_fewest(number);
    return status != 0 ? status : rw_put_field_string(writer, key, octets, rw_octets_of(number.octets, number.size));
}

static inline int rw_take_wide_keyed(rw_input *input, uint64_t key, unsigned octets, const rw_range *range, rw_wide *to)
{
    rw_octets of;
    const int status = rw_take_field_octets(input, key, octets, &of);
    if (status != 0 || of.size == 0) {
        return status != 0 ? status : RW_INTEGER_EMPTY;
    }
    return rw_read_wide(to, rw_sign_of(of), of, 0, rw_no_integer(), range);
}

/* A data item: beyond 64 bits a byte string after a tag (RFC 8949 section 3.4.3). Of a negative number they have the complement. */
RW_APART int rw_put_wide_item(rw_writer *writer, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    unsigned mask;
    uint64_t word = 0;
    size_t at;
    number = rw_fewest(number);
    mask = number.octets[0] >= 0x80 ? 0xff : 0;
    if (status != 0) {
        return status;
    }
    if (number.size > 1 && number.octets[0] == mask) {
        number = rw_integer_from(number.octets + 1, number.size - 1);
    }
    for (at = 0; at < number.size && number.size <= 8; at++) {
        word = word << 8 | (number.octets[at] ^ mask);
    }
    if (number.size <= 8) {
        return rw_put_head(writer, mask == 0 ? 0 : 0x20, word);
    }
    if (rw_put_whole(writer, mask == 0 ? 0xc2 : 0xc3, 8) != 0 || rw_put_head(writer, 0x40, number.size) != 0) {
        return RW_OUTPUT_FULL;
    }
    for (at = 0; at < number.size; at++) {
        if (rw_put(writer, number.octets[at] ^ mask, 8) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return rw_flush(writer);
}

RW_APART int rw_take_wide_item(rw_input *input, const rw_range *range, rw_wide *to)
{
    rw_octets octets;
    unsigned first, mask;
    uint64_t number = 0;
    int status = rw_take_item_head(input, &first, &number);
    if (status != 0 || (first >> 5 > 1 && first >> 5 != 6)) {
        return status != 0 ? status : RW_CBOR_TYPE;
    }
    mask = first >> 5 == 1 || (first >> 5 == 6 && number == 3) ? 0xff : 0;
    if (first >> 5 != 6) {
        const bool is_short = (first & 0x1f) < 24;
        const size_t size = is_short ? 0 : (size_t)1 << (first & 3);
        octets = rw_octets_of(input->octets + input->at - size, size);
        return rw_read_wide(to, is_short ? (unsigned)number ^ mask : mask, octets, mask, rw_no_integer(), range);
    }
    if (number != 2 && number != 3) {
        return RW_CBOR_TAG;
    }
    status = rw_take_kind(input, 0x40, &number);
    status = status != 0 ? status : rw_take_slice(input, number, &octets);
    if (status != 0) {
        return status;
    }
    if (octets.size <= 8 || octets.octets[0] == 0) {
        return RW_CBOR_BIGNUM;
    }
    return rw_read_wide(to, mask, octets, mask, rw_no_integer(), range);
}

/* Groups of seven bits, the lowest first; after a sign, a negative number has its complement (EXI 7.1.5). */
RW_APART int rw_put_wide_groups(rw_writer *writer, bool is_signed, const rw_range *range, rw_integer number)
{
    const int status = rw_check_range(number, range, 0);
    unsigned mask, waiting = 0, fill = 0;
    size_t place;
    number = rw_fewest(number);
    mask = number.octets[0] >= 0x80 ? 0xff : 0;
    if (status != 0) {
        return status;
    }
    if (is_signed && rw_put(writer, mask & 1, 1) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (number.size > 1 && number.octets[0] == mask) {
        number = rw_integer_from(number.octets + 1, number.size - 1);
    }
    for (place = 0; place < number.size; place++) {
        const bool is_last = place + 1 == number.size;
        waiting |= (rw_octet_at(number, place) ^ mask) << fill;
        fill += 8;
        while (fill >= 7 && (!is_last || waiting > 0x7f)) {
            if (rw_put(writer, (waiting & 0x7f) | 0x80, 8) != 0) {
                return RW_OUTPUT_FULL;
            }
            waiting >>= 7;
            fill -= 7;
        }
    }
    return rw_put(writer, waiting, 8);
}

RW_APART int rw_take_wide_groups(rw_reader *reader, bool is_signed, const rw_range *range, rw_wide *to)
{
    uint64_t sign = 0, octet, groups = 0;
    rw_reader ahead;
    unsigned waiting = 0, fill = 0;
    size_t room, place = 0;
    uint8_t *octets;
    bool fits = true;
    if (is_signed && rw_take(reader, 1, &sign) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    ahead = *reader;
    do {
        if (rw_take(&ahead, 8, &octet) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        groups++;
    } while ((octet & 0x80) != 0);
    octets = rw_wide_room(to, (size_t)(groups - groups / 8) + 2, &room);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    memset(octets, 0, room);
    for (; groups > 0 || waiting != 0; groups -= groups > 0) {
        if (groups > 0) {
            (void)rw_take(reader, 8, &octet);
            waiting |= (unsigned)(octet & 0x7f) << fill;
            fill += 7;
        }
        if (fill >= 8 || groups == 0) {
            /* The highest octet is for the sign. */
            if (place + 1 < room) {
                octets[room - 1 - place] = (uint8_t)waiting;
            } else {
                fits = fits && (waiting & 0xff) == 0;
            }
            place++;
            waiting >>= 8;
            fill -= fill >= 8 ? 8 : fill;
        }
    }
    if (!fits) {
        return RW_INTEGER_WIDTH;
    }
    for (place = 0; place < room && sign != 0; place++) {
        octets[place] = (uint8_t)~octets[place];
    }
    return rw_set_wide(to, rw_integer_from(octets, room), range, 0);
}

static inline uint64_t rw_load_four(const uint8_t *octets)
{
    return (uint64_t)octets[0] << 24 | (uint64_t)octets[1] << 16 | (uint64_t)octets[2] << 8 | (uint64_t)octets[3];
}

static inline void rw_store_four(uint8_t *octets, uint64_t word)
{
    octets[0] = (uint8_t)(word >> 24);
    octets[1] = (uint8_t)(word >> 16);
    octets[2] = (uint8_t)(word >> 8);
    octets[3] = (uint8_t)word;
}

/* Larger numbers are refused in decimal digits: the time for these grows with the square of their number. */
#define RW_DECIMAL_OCTETS 4096
#define RW_DECIMAL_DIGITS 9864

/* Decimal digits (X.697). They are made in the last octets of the output, the last one first. */
RW_APART int rw_put_wide_digits(rw_writer *writer, const rw_range *range, rw_integer number)
{
    uint32_t parts[RW_DECIMAL_OCTETS / 4]; /* of the magnitude, the lowest first */
    const int status = rw_check_range(number, range, 0);
    size_t count, part, at = writer->size;
    bool is_negative;
    uint64_t rest = 1;
    number = rw_fewest(number);
    is_negative = number.octets[0] >= 0x80;
    if (status != 0 || number.size > RW_DECIMAL_OCTETS || rw_flush(writer) != 0) {
        return status != 0 ? status : number.size > RW_DECIMAL_OCTETS ? RW_LIMIT_LENGTH : RW_OUTPUT_FULL;
    }
    count = (number.size + 3) / 4;
    for (part = 0; part < count; part++) {
        const size_t place = part * 4;
        uint32_t word = (uint32_t)(rw_octet_at(number, place + 3) << 24 | rw_octet_at(number, place + 2) << 16
            | rw_octet_at(number, place + 1) << 8 | rw_octet_at(number, place));
        /* The complement of a negative number, and one. */
        rest = is_negative ? (uint64_t)(uint32_t)~word + (rest & 1) : word;
        parts[part] = (uint32_t)rest;
        rest >>= 32;
    }
    do {
        unsigned digits = 0;
        rest = 0;
        for (part = count; part > 0; part--) {
            rest = rest << 32 | parts[part - 1];
            parts[part - 1] = (uint32_t)(rest / 1000000000u);
            rest %= 1000000000u;
        }
        while (count > 0 && parts[count - 1] == 0) {
            count--;
        }
        for (; digits == 0 || rest > 0 || (count > 0 && digits < 9); digits++) {
            if (at == writer->stored) {
                return RW_OUTPUT_FULL;
            }
            writer->out[--at] = (uint8_t)('0' + rest % 10);
            rest /= 10;
        }
    } while (count > 0);
    if (is_negative && at == writer->stored) {
        return RW_OUTPUT_FULL;
    }
    if (is_negative) {
        writer->out[--at] = '-';
    }
    memmove(writer->out + writer->stored, writer->out + at, writer->size - at);
    writer->stored += writer->size - at;
    return 0;
}

RW_APART int rw_take_wide_digits(rw_input *input, const rw_range *range, rw_wide *to)
{
    rw_octets text;
    size_t at, room, used = 0, part;
    uint8_t *octets;
    bool is_negative;
    const int status = rw_any_number(input, &text);
    if (status != 0) {
        return status;
    }
    for (at = 0; at < text.size; at++) {
        if (text.octets[at] != '-' && !rw_is_digit(text.octets[at])) {
            return RW_JER_INTEGER;
        }
    }
    is_negative = text.octets[0] == '-';
    if (is_negative) {
        text = rw_octets_of(text.octets + 1, text.size - 1);
    }
    if (text.size > RW_DECIMAL_DIGITS) {
        return RW_LIMIT_LENGTH;
    }
    octets = rw_wide_room(to, text.size * 5 / 48 * 4 + 8, &room);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    memset(octets, 0, room);
    for (at = 0; at < text.size;) {
        uint64_t scale = 1, carry = 0;
        do {
            carry = carry * 10 + (text.octets[at] - (unsigned)'0');
            scale *= 10;
            at++;
        } while ((text.size - at) % 9 != 0);
        for (part = 4; part <= used; part += 4) {
            uint8_t *const four = octets + room - part;
            carry += rw_load_four(four) * scale;
            rw_store_four(four, carry);
            carry >>= 32;
        }
        if (carry > 0) {
            used += 4;
            /* The highest octets are for the sign. */
            if (used + 4 > room) {
                return RW_INTEGER_WIDTH;
            }
            rw_store_four(octets + room - used, carry);
        }
    }
    if (is_negative) {
        for (at = 0; at < room; at++) {
            octets[at] = (uint8_t)~octets[at];
        }
        rw_add(octets, room, rw_integer_from((const uint8_t *)"\001", 1));
    }
    if (rw_fewest(rw_integer_from(octets, room)).size > RW_DECIMAL_OCTETS) {
        return RW_LIMIT_LENGTH;
    }
    return rw_set_wide(to, rw_integer_from(octets, room), range, 0);
}
