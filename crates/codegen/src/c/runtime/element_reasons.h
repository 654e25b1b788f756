/* Reasons why values after tags are refused, for functions that explain. */

static inline void rw_enter_value(rw_error *error, uint32_t step, const rw_input *input)
{
    rw_enter(error, step, (uint64_t)(input->octets - error->start + (ptrdiff_t)input->at) * 8);
}

static inline void rw_leave_value(rw_error *error, const rw_input *input)
{
    error->depth--;
    error->bit = (uint64_t)(input->octets - error->start + (ptrdiff_t)input->at) * 8;
}

/* The fault of the next tag in a value, or this one. */
RW_MANY int rw_why_tag(const rw_input *input, int code)
{
    size_t end = input->end < input->size ? input->end : input->size;
    int status;
    if (input->at >= end) {
        return RW_INPUT_TRUNCATED;
    }
    status = code == RW_CONTENTS_TRAILING ? code : rw_why_identifier(input->octets + input->at, end - input->at);
    return status != 0 ? status : code;
}

/* The fault of contents that a type with this code does not have. */
RW_MANY int rw_why_contents(const uint8_t *octets, size_t size, int code)
{
    switch (code) {
    case RW_TLV_NULL:
        return size != 0 ? code : RW_RARE;
    case RW_TLV_BOOLEAN:
        return size != 1 ? code : RW_RARE;
    case RW_INTEGER_RANGE:
    case RW_INTEGER_WIDTH:
    case RW_ENUMERATED_NUMBER:
        if (size == 0 || (size > 1 && ((octets[0] == 0 && octets[1] < 0x80) || (octets[0] == 0xff && octets[1] >= 0x80)))) {
            return RW_TLV_NUMBER;
        }
        return size > 16 || (size > 8 && code == RW_ENUMERATED_NUMBER) ? RW_INTEGER_WIDTH : code;
    case RW_SIZE_RANGE:
    case RW_BIT_STRING:
        if (size == 0 || octets[0] > 7 || (octets[0] > 0 && size == 1)) {
            return RW_BIT_STRING;
        }
        return code == RW_BIT_STRING ? RW_RARE : code;
    default:
        return RW_RARE;
    }
}

/* The fault of a value after a tag, of which the last octet comes next. */
RW_MANY int rw_why_element(const rw_input *input, unsigned tag, int code)
{
    size_t at = input->at, left, count, length = 0;
    int status = rw_why_tag(input, 0);
    if (rw_next(input) != tag) {
        if (status != 0) {
            return status;
        }
        return rw_next(input) == (tag | 0x20u) && (code == RW_SIZE_RANGE || code == RW_BIT_STRING) ? RW_RARE : RW_TLV_TAG_OTHER;
    }
    at++;
    left = (input->end < input->size ? input->end : input->size) - at;
    status = rw_why_length(input->octets + at, left);
    if (status != 0) {
        return status;
    }
    if (input->octets[at] == 0x80) {
        return (tag & 0x20u) != 0 ? RW_RARE : RW_TLV_LENGTH_INDEFINITE;
    }
    count = rw_length(input->octets + at, left, &length);
    if (length > left - count) {
        return RW_INPUT_TRUNCATED;
    }
    status = rw_why_contents(input->octets + at + count, length, code);
    /* Where the contents may be right, the length is of more octets than it needs. */
    return status == code && count > 1 ? RW_RARE : status;
}

/* The fault of the next value as a whole, or this one. */
RW_MANY int rw_why_whole(const rw_input *input, int code)
{
    size_t end = input->end < input->size ? input->end : input->size, octets;
    int status = input->at > end ? RW_INPUT_TRUNCATED : rw_measure(input->octets + input->at, end - input->at, &octets);
    return status != 0 ? status : code;
}

/* Two octets: a tag and its length, or those that end contents. The fault of others, or this one. */
RW_MANY int rw_why_expect(rw_input *input, unsigned first, unsigned second, int code)
{
    if (rw_expect(input, first, second) == 0) {
        return 0;
    }
    return first != 0 ? rw_why_element(input, first, RW_RARE) : rw_why_tag(input, code);
}
