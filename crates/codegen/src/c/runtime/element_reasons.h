/* Reasons why values after tags are refused, for functions that explain. In them, an input is restricted to contents of a definite
   length, and contents of an indefinite one have no end (RW_NO_END) but the octets that end them. */

#define RW_NO_END SIZE_MAX

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

/* The fault of the next value as a whole, or this one. */
RW_MANY int rw_why_whole(const rw_input *input, int code)
{
    size_t end = input->end < input->size ? input->end : input->size, octets;
    int status = input->at > end ? RW_INPUT_TRUNCATED : rw_measure(input->octets + input->at, end - input->at, &octets);
    return status != 0 ? status : code;
}
