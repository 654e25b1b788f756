/* REAL (X.690 clauses 8.5 and 11.3), without a library: a number is its bits (IEEE 754). */

#define RW_FRACTION UINT64_C(0xfffffffffffff)

/* The odd mantissa and the exponent of a finite number other than zero, without its sign. */
RW_MANY uint64_t rw_odd_mantissa(uint64_t bits, int32_t *exponent)
{
    const int32_t raw = (int32_t)(bits >> 52 & 0x7ffu);
    uint64_t mantissa = bits & RW_FRACTION;
    *exponent = raw == 0 ? -1074 : raw - 1075;
    mantissa |= raw == 0 ? 0 : RW_FRACTION + 1;
    while ((mantissa & 1) == 0) {
        mantissa >>= 1;
        (*exponent)++;
    }
    return mantissa;
}

/* The contents of a number in canonical form: up to 11 octets; returns how many. */
RW_MANY size_t rw_real_contents(double real, uint8_t *out)
{
    const uint64_t bits = rw_real_bits(real);
    const bool is_negative = bits >> 63 != 0;
    uint64_t mantissa, octets;
    size_t at = 1, exponents;
    int32_t exponent;
    if ((bits >> 52 & 0x7ffu) == 0x7ffu) {
        out[0] = (bits & RW_FRACTION) != 0 ? 0x42 : is_negative ? 0x41 : 0x40;
        return 1;
    }
    if (bits << 1 == 0) {
        out[0] = 0x43;
        return is_negative ? 1 : 0;
    }
    mantissa = rw_odd_mantissa(bits, &exponent);
    exponents = exponent < -128 || exponent > 127 ? 2 : 1;
    out[0] = (uint8_t)(0x80u | (is_negative ? 0x40u : 0u) | (exponents - 1));
    if (exponents == 2) {
        out[at++] = (uint8_t)((uint32_t)exponent >> 8);
    }
    out[at++] = (uint8_t)((uint32_t)exponent & 0xffu);
    for (octets = rw_octets_below(mantissa) + 1; octets > 0; octets--) {
        out[at++] = (uint8_t)(mantissa >> (8 * (octets - 1)));
    }
    return at;
}

/* The bits of the double nearest to a mantissa and a power of 2; that of an even fraction if two are. */
RW_MANY int rw_nearest_bits(uint64_t mantissa, int64_t exponent, uint64_t *bits)
{
    const uint64_t value = mantissa;
    int64_t width = 0, last, shift;
    *bits = 0;
    if (value == 0) {
        return 0;
    }
    while (width < 64 && value >> width != 0) {
        width++;
    }
    /* The exponent of the last bit that a double keeps: 53 bits, fewer where it is subnormal. */
    last = exponent + width - 53;
    last = last < -1074 ? -1074 : last;
    shift = last - exponent;
    if (shift <= 0) {
        mantissa = value << -shift;
    } else if (shift > 64) {
        mantissa = 0;
    } else {
        const uint64_t rest = value & UINT64_MAX >> (64 - shift), half = UINT64_C(1) << (shift - 1);
        mantissa = shift == 64 ? 0 : value >> shift;
        mantissa += rest > half || (rest == half && (mantissa & 1) == 1) ? 1 : 0;
    }
    if (mantissa >> 53 != 0) {
        mantissa >>= 1;
        last++;
    }
    if (mantissa == 0 || (mantissa >> 52 != 0 && last + 1075 >= 0x7ff)) {
        return RW_REAL_WIDTH;
    }
    *bits = (mantissa >> 52 == 0 ? 0 : (uint64_t)(last + 1075) << 52) | (mantissa & RW_FRACTION);
    return 0;
}

/* An exponent in so many octets from a place on; one of more than 16 that are not only its sign is none. */
RW_MANY int rw_real_exponent(rw_octets of, size_t at, size_t octets, int64_t *exponent)
{
    const int64_t most = INT64_C(1) << 50;
    const uint8_t fill = rw_octet(of, at) >= 0x80 ? 0xff : 0;
    size_t left;
    *exponent = fill == 0 ? 0 : -1;
    for (left = octets; left > 0; left--, at++) {
        const uint8_t octet = rw_octet(of, at);
        if ((left > 16 && octet != fill) || (left == 16 && octets > 16 && ((octet ^ fill) & 0x80) != 0)) {
            return RW_REAL;
        }
        /* Beyond this, the number is zero or infinite whatever its mantissa is. */
        *exponent = *exponent >= most || *exponent <= -most ? *exponent : *exponent * 256 + octet;
    }
    *exponent = *exponent > most ? most : *exponent < -most ? -most : *exponent;
    return 0;
}

/* A binary form (clause 8.5.7). */
RW_MANY int rw_binary_real(rw_octets of, double *real)
{
    const unsigned first = rw_octet(of, 0), base = first >> 4 & 3u, scale = first >> 2 & 3u;
    size_t at = 1, octets = (first & 3u) + 1;
    uint64_t mantissa = 0, bits;
    int64_t exponent;
    int status;
    if (octets == 4) {
        octets = of.size < 2 ? 0 : rw_octet(of, 1);
        at = 2;
    }
    if (base == 3 || octets == 0 || of.size <= at || of.size - at <= octets || rw_real_exponent(of, at, octets, &exponent) != 0) {
        return RW_REAL;
    }
    exponent = exponent * (base == 0 ? 1 : base == 1 ? 3 : 4) + (int64_t)scale;
    /* Eight octets hold more than a double's precision; the last bit stands for those that follow. */
    for (at += octets; at < of.size; at++) {
        const uint8_t octet = rw_octet(of, at);
        if (mantissa >> 56 == 0) {
            mantissa = mantissa << 8 | octet;
        } else {
            mantissa |= octet != 0 ? 1 : 0;
            exponent += 8;
        }
    }
    status = rw_nearest_bits(mantissa, exponent, &bits);
    *real = rw_real_of(bits | (uint64_t)(first >> 6 & 1u) << 63);
    return status;
}

/* How many digits a decimal number keeps: more than tell a double from its neighbours. */
#define RW_DECIMAL 800

/* A decimal number: 0.d1d2d3... times a power of 10. */
typedef struct rw_decimal {
    uint8_t digits[RW_DECIMAL];
    size_t count;
    int32_t point;  /* that power */
    bool is_cut;    /* whether digits other than zeros have followed */
} rw_decimal;

RW_MANY void rw_trim_decimal(rw_decimal *number)
{
    while (number->count > 0 && number->digits[number->count - 1] == 0) {
        number->count--;
    }
}

/* Multiplies by a power of 2, up to 2^59. */
RW_MANY void rw_decimal_up(rw_decimal *number, unsigned shift)
{
    uint8_t front[20] = {0};
    uint64_t carry = 0;
    size_t at, more = 0;
    for (at = number->count; at > 0; at--) {
        carry += (uint64_t)number->digits[at - 1] << shift;
        number->digits[at - 1] = (uint8_t)(carry % 10);
        carry /= 10;
    }
    for (; carry > 0; carry /= 10) {
        front[more++] = (uint8_t)(carry % 10);
    }
    for (at = number->count; at > 0; at--) {
        if (at - 1 + more < RW_DECIMAL) {
            number->digits[at - 1 + more] = number->digits[at - 1];
        } else {
            number->is_cut = number->is_cut || number->digits[at - 1] != 0;
        }
    }
    for (at = 0; at < more; at++) {
        number->digits[at] = front[more - 1 - at];
    }
    number->count = number->count + more < RW_DECIMAL ? number->count + more : RW_DECIMAL;
    number->point += (int32_t)more;
    rw_trim_decimal(number);
}

/* Divides by a power of 2, up to 2^59. */
RW_MANY void rw_decimal_down(rw_decimal *number, unsigned shift)
{
    const uint64_t mask = (UINT64_C(1) << shift) - 1;
    uint64_t rest = 0;
    size_t from = 0, to = 0;
    if (number->count == 0) {
        return;
    }
    while (rest >> shift == 0) {
        rest = rest * 10 + (from < number->count ? number->digits[from] : 0u);
        from++;
    }
    number->point -= (int32_t)from - 1;
    while (rest > 0 || from < number->count) {
        const uint8_t digit = (uint8_t)(rest >> shift);
        rest = (rest & mask) * 10 + (from < number->count ? number->digits[from] : 0u);
        from++;
        if (to < RW_DECIMAL) {
            number->digits[to++] = digit;
        } else {
            number->is_cut = number->is_cut || digit != 0;
        }
    }
    number->count = to;
    rw_trim_decimal(number);
}

/* The nearest integer, of up to 18 digits; the even one if two are. */
RW_MANY uint64_t rw_decimal_rounded(const rw_decimal *number)
{
    const size_t point = number->point < 0 ? 0 : (size_t)number->point;
    uint64_t whole = 0;
    size_t at;
    for (at = 0; at < point; at++) {
        whole = whole * 10 + (at < number->count ? number->digits[at] : 0u);
    }
    if (number->point >= 0 && point < number->count) {
        const bool is_half = number->digits[point] == 5 && point + 1 == number->count && !number->is_cut;
        whole += is_half ? whole & 1 : number->digits[point] >= 5 ? 1 : 0;
    }
    return whole;
}

/* The power of 2 by which a number of so many digits before its point may be divided. */
static inline unsigned rw_decimal_step(int32_t digits)
{
    return digits < 9 ? (unsigned)digits * 33 / 10 + (digits == 0 ? 1u : 0u) : 27;
}

/* The double that is nearest to a decimal number, without its sign. */
RW_MANY int rw_decimal_bits(rw_decimal *number, uint64_t *bits)
{
    int64_t exponent = 0;
    uint64_t mantissa;
    *bits = 0;
    if (number->count == 0) {
        return 0;
    }
    if (number->point > 310 || number->point < -330) {
        return RW_REAL_WIDTH;
    }
    while (number->point > 0) {
        const unsigned step = rw_decimal_step(number->point);
        rw_decimal_down(number, step);
        exponent += step;
    }
    while (number->point < 0 || number->digits[0] < 5) {
        const unsigned step = rw_decimal_step(-number->point);
        rw_decimal_up(number, step);
        exponent -= step;
    }
    /* It is from 1/2 to 1 now. Of a subnormal number, fewer bits are kept. */
    if (exponent < -1021) {
        const unsigned more = (unsigned)(-1021 - exponent);
        unsigned done;
        for (done = 0; done < more; done += 27) {
            rw_decimal_down(number, more - done < 27 ? more - done : 27);
        }
        exponent = -1021;
    }
    rw_decimal_up(number, 53);
    mantissa = rw_decimal_rounded(number);
    return mantissa == 0 ? RW_REAL_WIDTH : rw_nearest_bits(mantissa, exponent - 53, bits);
}

/* A digit of a number, after so many others. */
RW_MANY void rw_push_digit(rw_decimal *number, uint8_t digit, bool is_fraction)
{
    if (number->count == 0 && digit == 0) {
        number->point -= is_fraction ? 1 : 0;
        return;
    }
    number->point += is_fraction ? 0 : 1;
    if (number->count < RW_DECIMAL) {
        number->digits[number->count++] = digit;
    } else {
        number->is_cut = number->is_cut || digit != 0;
    }
}

/* A decimal number as text: a sign, digits, which may have a mark between them, and an exponent of 10. `has_mark` and
   `has_exponent` say what there was; RW_REAL: something else. */
RW_MANY int rw_decimal_text(rw_octets text, double *real, bool *has_mark, bool *has_exponent)
{
    rw_decimal number = {{0}, 0, 0, false};
    const uint8_t sign = text.size > 0 ? rw_octet(text, 0) : 0;
    size_t at = sign == '-' || sign == '+' ? 1 : 0, digits = 0;
    uint64_t bits;
    int status;
    *has_mark = false;
    *has_exponent = false;
    for (; at < text.size; at++) {
        const uint8_t octet = rw_octet(text, at);
        if (octet >= '0' && octet <= '9') {
            rw_push_digit(&number, (uint8_t)(octet - '0'), *has_mark);
            digits++;
        } else if ((octet == '.' || octet == ',') && !*has_mark) {
            *has_mark = true;
        } else {
            break;
        }
    }
    if (digits > 0 && at < text.size && (rw_octet(text, at) | 0x20) == 'e') {
        const uint8_t next = at + 1 < text.size ? rw_octet(text, at + 1) : 0;
        const bool has_sign = next == '-' || next == '+';
        int32_t exponent = 0;
        *has_exponent = true;
        digits = 0;
        for (at += has_sign ? 2 : 1; at < text.size && rw_octet(text, at) >= '0' && rw_octet(text, at) <= '9'; at++) {
            exponent = exponent > 99999 ? exponent : exponent * 10 + (rw_octet(text, at) - '0');
            digits++;
        }
        number.point += next == '-' ? -exponent : exponent;
    }
    if (digits == 0 || at < text.size) {
        return RW_REAL;
    }
    rw_trim_decimal(&number);
    status = rw_decimal_bits(&number, &bits);
    *real = rw_real_of(bits | (sign == '-' ? UINT64_C(1) << 63 : 0));
    return status;
}

/* A decimal form (clause 8.5.8): digits, those with a mark, or those with an exponent (ISO 6093). */
RW_MANY int rw_decimal_real(rw_octets of, double *real)
{
    const uint8_t form = rw_octet(of, 0);
    const size_t most = 1000;
    size_t spaces = 1;
    bool has_mark, has_exponent;
    int status;
    rw_octets text = of;
    while (spaces < of.size && rw_octet(of, spaces) == ' ') {
        spaces++;
    }
    text.octets += spaces;
    text.size -= spaces;
    if (of.size - 1 > most) {
        return RW_REAL;
    }
    status = rw_decimal_text(text, real, &has_mark, &has_exponent);
    if (form == 0 || form > 3 || (form == 1 && has_mark) || (form == 2 && !has_mark) || (form == 3) != has_exponent) {
        return RW_REAL;
    }
    return status;
}

/* The contents of a number in any form. */
RW_MANY int rw_read_real(rw_octets of, double *real)
{
    const uint8_t first = of.size == 0 ? 0 : rw_octet(of, 0);
    if (of.size == 0) {
        *real = rw_real_of(0);
        return 0;
    }
    if (first >> 7 != 0) {
        return rw_binary_real(of, real);
    }
    if (first >> 6 == 0) {
        return rw_decimal_real(of, real);
    }
    if (of.size > 1 || first > 0x43) {
        return RW_REAL;
    }
    *real = rw_real_of(first == 0x40 ? UINT64_C(0x7ff) << 52 : first == 0x41 ? UINT64_C(0xfff) << 52
        : first == 0x42 ? UINT64_C(0x7ff8) << 48 : UINT64_C(1) << 63);
    return 0;
}

/* Contents after a length. */
RW_MANY int rw_put_real(rw_writer *writer, double real, bool is_aligned)
{
    uint8_t octets[11] = {0};
    const size_t size = rw_real_contents(real, octets);
    int status = is_aligned ? rw_align(writer) : 0;
    status = status != 0 ? status : rw_put(writer, size, 8);
    return status != 0 ? status : rw_put_octets(writer, rw_octets_of(octets, size));
}

RW_MANY int rw_take_real(rw_reader *reader, double *real, bool is_aligned)
{
    uint64_t count;
    rw_octets octets;
    int status = is_aligned ? rw_skip_padding(reader) : 0;
    status = status != 0 ? status : rw_take_count(reader, &count);
    status = status != 0 ? status : rw_lend(reader, count, &octets);
    return status != 0 ? status : rw_read_real(octets, real);
}

/* The same in octet rules. */
RW_MANY int rw_put_counted_real(rw_writer *writer, double real)
{
    uint8_t octets[11] = {0};
    const size_t size = rw_real_contents(real, octets);
    return rw_put_counted(writer, rw_octets_of(octets, size));
}

RW_MANY int rw_take_counted_real(rw_reader *reader, double *real)
{
    rw_octets octets;
    const int status = rw_take_counted(reader, &octets);
    return status != 0 ? status : rw_read_real(octets, real);
}

/* A number of 32 or 64 bits, with bounds of the mantissa and the exponent (X.696 clause 12). */
RW_MANY int rw_put_binary_real(rw_writer *writer, double real, uint32_t bits, uint64_t least, uint64_t most, uint64_t lowest, uint64_t highest)
{
    uint64_t word = rw_real_bits(real);
    if (!rw_is_product(real, rw_signed(least), rw_signed(most), rw_signed(lowest), rw_signed(highest))) {
        return RW_REAL_RANGE;
    }
    if (word << 1 > UINT64_C(0x7ff) << 53) {
        word = UINT64_C(0x7ff8) << 48;
    }
    if (bits == 32) {
        const float single = (float)rw_real_of(word);
        uint32_t half;
        memcpy(&half, &single, sizeof half);
        word = half;
    }
    return rw_put_whole(writer, word, bits);
}

RW_MANY int rw_take_binary_real(rw_reader *reader, double *real, uint32_t bits, uint64_t least, uint64_t most, uint64_t lowest, uint64_t highest)
{
    uint64_t word;
    const int status = rw_take_wide(reader, bits, &word);
    if (status != 0) {
        return status;
    }
    if (bits == 32) {
        const uint32_t half = (uint32_t)word;
        float single;
        memcpy(&single, &half, sizeof single);
        *real = (double)single;
    } else {
        *real = rw_real_of(word);
    }
    return rw_is_product(*real, rw_signed(least), rw_signed(most), rw_signed(lowest), rw_signed(highest)) ? 0 : RW_REAL_RANGE;
}
