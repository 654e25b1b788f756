/* Object identifiers as decimal numbers with dots between them; in memory they are contents octets (X.690 clauses 8.19 and 8.20). */

/* How many bits a number has at most that decimal digits are read or made of: 4096 octets with a sign. */
#define RW_ARC_BITS 32767

/* How many digits these are at most. */
#define RW_ARC_DIGITS 9864

/* Multiplies a number in digits of a base, the lowest first, and adds another one. */
static inline int rw_scale(uint8_t *digits, size_t *count, size_t most, unsigned base, uint64_t factor, uint64_t plus)
{
    uint64_t rest = plus;
    size_t at;
    for (at = 0; at < *count; at++) {
        rest += digits[at] * factor;
        digits[at] = (uint8_t)(rest % base);
        rest /= base;
    }
    for (; rest > 0; rest /= base) {
        if (*count == most) {
            return RW_OUTPUT_FULL;
        }
        digits[(*count)++] = (uint8_t)(rest % base);
    }
    return 0;
}

static inline void rw_turn(uint8_t *octets, size_t count)
{
    size_t at;
    for (at = 0; at < count / 2; at++) {
        const uint8_t other = octets[count - 1 - at];
        octets[count - 1 - at] = octets[at];
        octets[at] = other;
    }
}

/* Whether a number in groups of seven bits, the highest last, takes more than RW_ARC_BITS. */
static inline bool rw_is_long(uint8_t last, size_t count)
{
    return count > RW_ARC_BITS / 7 && (count > RW_ARC_BITS / 7 + 1 || last >> RW_ARC_BITS % 7 != 0);
}

/* Adds a number in digits and a small one as a subidentifier: groups of seven bits. There is room for as many as digits, and one. */
static inline int rw_push_arc(const uint8_t *text, size_t size, unsigned plus, uint8_t *out, size_t *used)
{
    uint8_t *const groups = out + *used;
    size_t count = 0, at = 0;
    while (at < size) {
        uint64_t number = 0, scale = 1;
        for (; at < size && scale < UINT64_C(10000000000000000); at++, scale *= 10) {
            number = number * 10 + text[at] - '0';
        }
        (void)rw_scale(groups, &count, size + 1, 128, scale, number);
    }
    if (count > 0 && rw_is_long(groups[count - 1], count)) {
        return RW_LIMIT_LENGTH;
    }
    (void)rw_scale(groups, &count, size + 1, 128, 1, plus);
    if (count == 0) {
        groups[count++] = 0;
    }
    for (at = 1; at < count; at++) {
        groups[at] |= 0x80;
    }
    rw_turn(groups, count);
    *used += count;
    return 0;
}

/* The digits up to a dot or the end; `code` is the error if there are none, or something else. */
static inline int rw_arc_size(rw_text text, size_t from, int code, size_t *size)
{
    bool is_number = true;
    size_t at = from;
    for (; at < text.size && text.octets[at] != '.'; at++) {
        if (at - from > RW_ARC_DIGITS) {
            return RW_LIMIT_LENGTH;
        }
        is_number = is_number && text.octets[at] - (unsigned)'0' < 10;
    }
    *size = at - from;
    return is_number && at > from ? 0 : code;
}

/* Contents octets of text, which is not in parts; `out` has room for as many. */
static inline int rw_fill_arcs(rw_text text, bool is_relative, int code, uint8_t *out, size_t *used)
{
    unsigned top = 0, order;
    size_t at = 0;
    for (order = 0; order == 0 || at <= text.size; order = order < 2 ? order + 1 : 2) {
        size_t size = 0;
        int status = rw_arc_size(text, at, code, &size);
        const uint8_t *digits = text.octets + at;
        if (status != 0) {
            return status;
        }
        at += size + 1;
        for (; size > 1 && *digits == '0'; digits++) {
            size--;
        }
        if (!is_relative && order == 0) {
            top = *digits - (unsigned)'0';
            status = size == 1 && top <= 2 ? 0 : code;
        } else if (!is_relative && order == 1) {
            const bool is_small = size < 2 || (size == 2 && *digits < '4');
            status = top < 2 && !is_small ? code : rw_push_arc(digits, size, 40 * top, out, used);
        } else {
            status = rw_push_arc(digits, size, 0, out, used);
        }
        if (status != 0) {
            return status;
        }
    }
    return order > 1 || is_relative ? 0 : code;
}

/* The same in memory of the caller. */
static inline int rw_new_arcs(rw_text text, bool is_relative, int code, rw_arena *arena, rw_octets *contents)
{
    uint8_t *const out = (uint8_t *)rw_new(arena, text.size + 1);
    size_t used = 0;
    int status;
    if (out == NULL) {
        return RW_MEMORY;
    }
    status = rw_fill_arcs(text, is_relative, code, out, &used);
    arena->used -= text.size + 1 - used;
    *contents = rw_octets_of(out, used);
    return status;
}

/* Digits of a subidentifier, which begins at an octet and has so many, into room for `most`; `minus` is taken off. */
static inline int rw_arc_digits(rw_octets of, size_t from, size_t groups, uint64_t minus, uint8_t *digits, size_t most, size_t *count)
{
    uint64_t rest = minus;
    size_t at = 0;
    *count = 0;
    while (at < groups) {
        uint64_t number = 0, scale = 1;
        for (; at < groups && scale >> 49 == 0; at++, scale <<= 7) {
            number = number << 7 | (rw_octet(of, from + at) & 0x7fu);
        }
        if (rw_scale(digits, count, most, 10, scale, number) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    for (at = 0; rest > 0 && at < *count; at++, rest /= 10) {
        const unsigned less = (unsigned)(rest % 10);
        rest += digits[at] < less ? 10 : 0;
        digits[at] = (uint8_t)(digits[at] < less ? digits[at] + 10 - less : digits[at] - less);
    }
    while (*count > 0 && digits[*count - 1] == 0) {
        (*count)--;
    }
    if (*count == 0) {
        if (most == 0) {
            return RW_OUTPUT_FULL;
        }
        digits[(*count)++] = 0;
    }
    for (at = 0; at < *count; at++) {
        digits[at] = (uint8_t)(digits[at] + '0');
    }
    rw_turn(digits, *count);
    return 0;
}

/* Writes the numbers with dots between them into room for `most` octets. */
static inline int rw_arcs_text(rw_octets of, bool is_relative, uint8_t *text, size_t most, size_t *size)
{
    size_t at = 0, groups, count;
    *size = 0;
    while (at < of.size) {
        unsigned top = 3;
        int status;
        for (groups = 1; at + groups < of.size && (rw_octet(of, at + groups - 1) & 0x80) != 0; groups++) {
        }
        if (rw_is_long(rw_octet(of, at) & 0x7fu, groups)) {
            return RW_LIMIT_LENGTH;
        }
        if (most - *size < 2) {
            return RW_OUTPUT_FULL;
        }
        if (at == 0 && !is_relative) {
            top = groups > 1 || rw_octet(of, 0) >= 80 ? 2 : rw_octet(of, 0) / 40u;
            text[(*size)++] = (uint8_t)('0' + top);
        }
        if (*size > 0) {
            text[(*size)++] = '.';
        }
        status = rw_arc_digits(of, at, groups, top < 3 ? 40 * top : 0, text + *size, most - *size, &count);
        if (status != 0) {
            return status;
        }
        *size += count;
        at += groups;
    }
    return 0;
}
