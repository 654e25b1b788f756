/* REAL in streams of events: a mantissa, and an exponent of 10 (EXI 7.1.4). Numbers of items, whose errors are the same. */

/* The exponent of infinity (mantissa 1), negative infinity (-1) and NaN, and the most that another one is from 0. */
#define RW_EXI_SPECIAL (-16384)
#define RW_EXI_MOST 16383

/* A number with a sign, as one of two's complement has it: the magnitude of a negative number is one less. */
static inline int rw_put_signed_groups(rw_writer *writer, bool is_negative, uint64_t magnitude)
{
    return rw_put(writer, is_negative ? 1 : 0, 1) != 0 ? RW_OUTPUT_FULL : rw_put_groups(writer, magnitude);
}

static inline int rw_take_signed_groups(rw_reader *reader, bool *is_negative, uint64_t *magnitude)
{
    const uint64_t start = reader->at;
    uint64_t sign = 0;
    if (rw_take(reader, 1, &sign) == 0 && rw_take_groups(reader, magnitude) == 0) {
        *is_negative = sign != 0;
        return 0;
    }
    return reader->end - start < 8 || reader->at == reader->end ? RW_INPUT_TRUNCATED : RW_EXI_NUMBER;
}

/* The number of an item in so many bits; in groups if these are 0, perhaps after a sign. What has more than 63 bits is none. */
static inline int rw_any_item_of_number(rw_reader *reader, uint64_t bits, bool is_signed, uint64_t *number)
{
    const uint64_t left = reader->end - reader->at;
    bool is_negative = false;
    int status;
    if (bits > 0) {
        return rw_take(reader, (uint32_t)bits, number) == 0 ? 0 : left < 8 ? RW_INPUT_TRUNCATED : RW_EXI_NUMBER;
    }
    status = is_signed ? rw_take_signed_groups(reader, &is_negative, number) : rw_any_groups(reader, RW_EXI_NUMBER, number);
    if (status != 0 || *number >> 63 != 0) {
        return status != 0 ? status : RW_ENUMERATED_NUMBER;
    }
    *number = is_negative ? ~*number : *number;
    return 0;
}

/* The fewest digits that are read as the same number. Minus zero has no form. */
RW_MANY int rw_put_event_real(rw_writer *writer, double real)
{
    const uint64_t bits = rw_real_bits(real), magnitude = bits & UINT64_MAX >> 1, infinity = UINT64_C(0x7ff) << 52;
    bool is_negative = bits != magnitude;
    rw_decimal number = {{0}, 0, 0, false};
    int32_t exponent = RW_EXI_SPECIAL;
    uint64_t mantissa = 0;
    size_t at;
    if (magnitude == 0 && is_negative) {
        return RW_VALUE_MISMATCH;
    }
    if (magnitude > infinity) {
        is_negative = false;
    } else if (magnitude == infinity) {
        mantissa = 1;
    } else {
        if (magnitude != 0) {
            rw_shortest_decimal(magnitude, &number);
        }
        for (at = 0; at < number.count; at++) {
            mantissa = mantissa * 10 + number.digits[at];
        }
        exponent = number.point - (int32_t)number.count;
    }
    if (rw_put_signed_groups(writer, is_negative, is_negative ? mantissa - 1 : mantissa) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_signed_groups(writer, exponent < 0, (uint64_t)(exponent < 0 ? -1 - exponent : exponent));
}

/* The nearest number. */
RW_MANY int rw_take_event_real(rw_reader *reader, double *real)
{
    bool is_negative = false, is_below = false;
    uint64_t mantissa = 0, exponent = 0, place = UINT64_C(10000000000000000000), bits;
    rw_decimal number = {{0}, 0, 0, false};
    unsigned last = 0;
    int status = rw_take_signed_groups(reader, &is_negative, &mantissa);
    status = status != 0 ? status : rw_take_signed_groups(reader, &is_below, &exponent);
    if (status != 0) {
        return status;
    }
    if (is_below && exponent == RW_EXI_MOST) {
        const bool is_infinite = mantissa == (is_negative ? 0u : 1u);
        *real = rw_real_of(!is_infinite ? UINT64_C(0x7ff8) << 48 : is_negative ? UINT64_C(0xfff) << 52 : UINT64_C(0x7ff) << 52);
        return 0;
    }
    if (exponent > RW_EXI_MOST) {
        return RW_EXI_EXPONENT;
    }
    /* The last digit of the greatest mantissa is below 9, so that one more needs no place. */
    if (is_negative && mantissa == UINT64_MAX) {
        last = 1;
    } else {
        mantissa += is_negative ? 1 : 0;
    }
    for (; place > 0; place /= 10) {
        rw_push_digit(&number, (uint8_t)(mantissa / place % 10 + (place == 1 ? last : 0)), false);
    }
    number.point += is_below ? -1 - (int32_t)exponent : (int32_t)exponent;
    rw_trim_decimal(&number);
    status = rw_decimal_bits(&number, &bits);
    *real = rw_real_of(bits | (is_negative ? UINT64_C(1) << 63 : 0));
    return status;
}
