/* REAL as text. */

/* Whether the first digits of a number, or those one above them, are read as these bits: the nearer ones if both are. */
RW_MANY bool rw_is_shorter(const rw_decimal *exact, size_t count, uint64_t bits, rw_decimal *shorter)
{
    const bool is_above = count < exact->count && exact->digits[count] >= 5;
    unsigned attempt;
    for (attempt = 0; attempt < 2; attempt++) {
        rw_decimal read = {{0}, 0, 0, false};
        uint64_t found = 0;
        size_t at = count < exact->count ? count : exact->count;
        read.count = at;
        read.point = exact->point;
        memcpy(read.digits, exact->digits, at);
        if (is_above != (attempt == 1)) {
            for (; at > 0 && read.digits[at - 1] == 9; at--) {
                read.digits[at - 1] = 0;
            }
            read.point += at == 0 ? 1 : 0;
            read.digits[at == 0 ? 0 : at - 1]++;
            rw_trim_decimal(&read);
        }
        *shorter = read;
        if (rw_decimal_bits(&read, &found) == 0 && found == bits) {
            return true;
        }
    }
    return false;
}

/* The fewest digits of a number other than zero that are read as the same one. */
RW_MANY void rw_shortest_decimal(uint64_t bits, rw_decimal *shortest)
{
    rw_decimal exact = {{0}, 0, 0, false};
    int32_t exponent;
    const uint64_t mantissa = rw_odd_mantissa(bits, &exponent);
    uint64_t place = UINT64_C(10000000000000000);
    size_t least = 1, most = 17;
    for (; place > 0; place /= 10) {
        rw_push_digit(&exact, (uint8_t)(mantissa / place % 10), false);
    }
    rw_trim_decimal(&exact);
    while (exponent != 0) {
        const int32_t step = exponent > 50 ? 50 : exponent < -50 ? -50 : exponent;
        if (step > 0) {
            rw_decimal_up(&exact, (unsigned)step);
        } else {
            rw_decimal_down(&exact, (unsigned)-step);
        }
        exponent -= step;
    }
    while (least < most) {
        const size_t middle = (least + most) / 2;
        if (rw_is_shorter(&exact, middle, bits, shortest)) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    (void)rw_is_shorter(&exact, least, bits, shortest);
}

/* A number as digits with a mark, or with an exponent of 10 from 10^16 on and below 10^-4; returns how many octets it takes. */
RW_MANY size_t rw_real_text(uint64_t bits, uint8_t *out)
{
    rw_decimal number = {{0}, 0, 0, false};
    int32_t before, at, exponent = 0;
    size_t used = 0;
    if (bits != 0) {
        rw_shortest_decimal(bits, &number);
    }
    before = number.point;
    if (number.count > 0 && (before > 16 || before < -3)) {
        exponent = before - 1;
        before = 1;
    }
    for (at = before < 1 ? before - 1 : 0; at < before || at < (int32_t)number.count || (exponent == 0 && at < before + 1); at++) {
        if (at == before) {
            out[used++] = '.';
        }
        out[used++] = (uint8_t)('0' + (at < 0 || at >= (int32_t)number.count ? 0 : number.digits[at]));
    }
    if (exponent != 0) {
        uint32_t left = (uint32_t)(exponent < 0 ? -exponent : exponent);
        out[used++] = 'e';
        if (exponent < 0) {
            out[used++] = '-';
        }
        if (left >= 100) {
            out[used++] = (uint8_t)('0' + left / 100);
        }
        if (left >= 10) {
            out[used++] = (uint8_t)('0' + left / 10 % 10);
        }
        out[used++] = (uint8_t)('0' + left % 10);
    }
    return used;
}

/* A number of JSON, or a string for what is none there. */
RW_MANY int rw_put_json_real(rw_writer *writer, double real)
{
    const uint64_t bits = rw_real_bits(real), magnitude = bits & UINT64_MAX >> 1, infinity = UINT64_C(0x7ff) << 52;
    uint8_t text[48] = {0};
    size_t size = 0;
    if (magnitude > infinity) {
        return rw_put_literal(writer, "\"NaN\"", 5);
    }
    if (magnitude == infinity) {
        return bits == magnitude ? rw_put_literal(writer, "\"INF\"", 5) : rw_put_literal(writer, "\"-INF\"", 6);
    }
    if (magnitude == 0 && bits != 0) {
        return rw_put_literal(writer, "\"-0\"", 4);
    }
    if (bits != magnitude) {
        text[size++] = '-';
    }
    size += rw_real_text(magnitude, text + size);
    return rw_put_octets_whole(writer, rw_octets_of(text, size));
}

static inline int rw_take_json_number(rw_input *input, double *real)
{
    rw_octets text;
    bool has_mark, has_exponent;
    const int status = rw_any_number(input, &text);
    return status != 0 ? status : rw_decimal_text(text, real, &has_mark, &has_exponent);
}

/* A number, a string for a special value, or an object with a number (X.697 clause 24). */
RW_MANY int rw_take_json_real(rw_input *input, double *real)
{
    rw_octets text;
    int status;
    if (rw_next(input) == '"') {
        status = rw_any_string(input, &text);
        if (status != 0) {
            return status;
        }
        *real = rw_real_of(rw_is_text(&text, "-0") ? UINT64_C(1) << 63 : rw_is_text(&text, "INF") ? UINT64_C(0x7ff) << 52
            : rw_is_text(&text, "-INF") ? UINT64_C(0xfff) << 52 : rw_is_text(&text, "NaN") ? UINT64_C(0x7ff8) << 48 : 0);
        return rw_real_bits(*real) != 0 ? 0 : RW_JER_REAL;
    }
    if (rw_next(input) != '{') {
        return rw_take_json_number(input, real);
    }
    input->at++;
    if (!rw_comes_more(input, '}')) {
        return RW_JER_MISSING;
    }
    status = rw_take_member(input, true, &text);
    if (status == 0 && !rw_is_text(&text, "base10Value")) {
        status = RW_JER_UNKNOWN;
    }
    status = status != 0 ? status : rw_take_json_number(input, real);
    return status != 0 ? status : rw_only_member(input, RW_JER_UNKNOWN);
}
