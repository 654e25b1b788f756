/* The presentation language of TS 103 097 V1 and IEEE 1609.2-2013: fields one after the other, and vectors after their
   lengths. No bits wait in the writer. */

/* The greatest number in eight octets; the least p-encoded number of two, three and four octets, and the one after the greatest. */
#define RW_VECTOR_MOST ((UINT64_C(1) << 56) - 1)
#define RW_PSID_2 UINT64_C(0x80)
#define RW_PSID_3 UINT64_C(0x4080)
#define RW_PSID_4 UINT64_C(0x204080)
#define RW_PSID_END (RW_PSID_4 + (UINT64_C(1) << 28))

/* Room for octets that are written at once; NULL if there is too little. */
static inline uint8_t *rw_room(rw_writer *writer, size_t octets)
{
    if (writer->size - writer->stored < octets) {
        return NULL;
    }
    writer->stored += octets;
    return writer->out + writer->stored - octets;
}

/* The lowest octets of a number, one to eight. */
static inline void rw_store_number(uint8_t *octets, uint64_t number, unsigned count)
{
    for (; count > 0; count--) {
        *octets++ = (uint8_t)(number >> (8 * count - 8));
    }
}

/* How many octets a number of up to 56 bits takes, with one bit 1 for each octet after the first, and a 0. */
static inline unsigned rw_vector_octets(uint64_t number)
{
    unsigned octets = 1;
    while (number >> (7 * octets) != 0) {
        octets++;
    }
    return octets;
}

/* A number of so many octets, with the bits in front of it. */
static inline uint64_t rw_vector_marked(uint64_t number, unsigned octets)
{
    return (UINT64_C(0xff) & ~(UINT64_C(0xff) >> (octets - 1))) << (8 * octets - 8) | number;
}

static inline int rw_put_vector_number(rw_writer *writer, uint64_t number)
{
    unsigned octets;
    if (number > RW_VECTOR_MOST) {
        return RW_INTEGER_RANGE;
    }
    octets = rw_vector_octets(number);
    return rw_put_whole(writer, rw_vector_marked(number, octets), octets * 8);
}

/* The p-encoding of IEEE 1609.12: each length starts where the shorter one ends. */
static inline int rw_put_psid(rw_writer *writer, uint64_t number)
{
    if (number >= RW_PSID_END) {
        return RW_INTEGER_RANGE;
    }
    if (number < RW_PSID_2) {
        return rw_put_whole(writer, number, 8);
    }
    if (number < RW_PSID_3) {
        return rw_put_whole(writer, rw_vector_marked(number - RW_PSID_2, 2), 16);
    }
    if (number < RW_PSID_4) {
        return rw_put_whole(writer, rw_vector_marked(number - RW_PSID_3, 3), 24);
    }
    return rw_put_whole(writer, rw_vector_marked(number - RW_PSID_4, 4), 32);
}

/* Octets after their length. */
static inline int rw_put_vector_octets(rw_writer *writer, rw_octets octets)
{
    return rw_put_vector_number(writer, octets.size) != 0 ? RW_OUTPUT_FULL : rw_put_octets_whole(writer, octets);
}

/* Writes the length of a vector before its contents, which begin at a place after room for it; they move if the length takes
   another number of octets. */
static inline int rw_close_vector(rw_writer *writer, uint64_t start, unsigned room)
{
    uint64_t length = writer->stored - start;
    unsigned octets = rw_vector_octets(length);
    if (length > RW_VECTOR_MOST || (octets > room && rw_move(writer, start, octets - room) != 0)) {
        return RW_OUTPUT_FULL;
    }
    if (octets < room) {
        uint8_t *from = writer->out + start;
        memmove(from - (room - octets), from, (size_t)length);
        writer->stored -= room - octets;
    }
    rw_store_number(writer->out + start - room, rw_vector_marked(length, octets), octets);
    return 0;
}

/* The same for a length of a fixed number of octets. */
static inline int rw_close_sized_vector(rw_writer *writer, uint64_t start, unsigned octets)
{
    uint64_t length = writer->stored - start;
    if (octets < 8 && length >> (8 * octets) != 0) {
        return RW_SIZE_RANGE;
    }
    rw_store_number(writer->out + start - octets, length, octets);
    return 0;
}

/* The next octets; NULL if there are fewer. */
static inline const uint8_t *rw_split_head(rw_input *input, size_t octets)
{
    if (input->end - input->at < octets) {
        return NULL;
    }
    input->at += octets;
    return input->octets + input->at - octets;
}

/* A number in as many octets as its first one says, and how many these are. */
static inline int rw_take_marked(rw_input *input, uint64_t *number, unsigned *octets)
{
    const uint8_t *first = rw_split_head(input, 1), *more;
    if (first == NULL) {
        return RW_INPUT_TRUNCATED;
    }
    for (*octets = 1; (*first << (*octets - 1) & 0x80) != 0; ++*octets) {
        if (*octets == 8) {
            return RW_VECTORS_NUMBER;
        }
    }
    more = rw_split_head(input, *octets - 1);
    if (more == NULL) {
        return RW_INPUT_TRUNCATED;
    }
    *number = (uint64_t)(*first & (0x7f >> (*octets - 1))) << (8 * *octets - 8) | rw_number_at(more, *octets - 1);
    return 0;
}

static inline int rw_take_vector_number(rw_input *input, uint64_t *number)
{
    unsigned octets;
    return rw_take_marked(input, number, &octets);
}

static inline int rw_take_psid(rw_input *input, uint64_t *number)
{
    unsigned octets;
    int status = rw_take_marked(input, number, &octets);
    if (status != 0 || octets > 4) {
        return status != 0 ? status : RW_VECTORS_NUMBER;
    }
    *number += octets == 1 ? 0 : octets == 2 ? RW_PSID_2 : octets == 3 ? RW_PSID_3 : RW_PSID_4;
    return 0;
}

/* So many octets, and those after them up to the end. */
static inline int rw_split(const rw_input *input, uint64_t count, rw_octets *inside, rw_octets *rest)
{
    size_t left = input->end - input->at;
    if (count > left) {
        return RW_INPUT_TRUNCATED;
    }
    *inside = rw_octets_of(input->octets + input->at, (size_t)count);
    *rest = rw_octets_of(input->octets + input->at + count, left - (size_t)count);
    return 0;
}

/* As many octets as a length before them says. */
static inline int rw_split_counted(const rw_input *input, rw_octets *inside, rw_octets *rest)
{
    rw_input after = *input;
    uint64_t count;
    return rw_take_vector_number(&after, &count) != 0 ? RW_REJECTED : rw_split(&after, count, inside, rest);
}

/* Moves to octets of the input, which end with them. */
static inline void rw_continue(rw_input *input, const rw_octets *octets)
{
    input->at = (size_t)(octets->octets - input->octets);
    input->end = input->at + octets->size;
}

/* The code of an error in an element of a vector: more input does not help. */
static inline int rw_in_vector(int code)
{
    return code == RW_INPUT_TRUNCATED ? RW_VECTORS_ELEMENT_CUT : code;
}

/* Flags of so many octets, with their front, for functions that are called after others have refused. */
static inline int rw_take_vector_flags(rw_input *input, unsigned octets, uint64_t *flags)
{
    const uint8_t *all = input->octets + input->at;
    if (input->at == input->end) {
        return RW_INPUT_TRUNCATED;
    }
    if ((unsigned)all[0] >> (8 - octets) != (1u << octets) - 2) {
        return RW_VECTORS_FLAGS;
    }
    if (rw_split_head(input, octets) == NULL) {
        return RW_INPUT_TRUNCATED;
    }
    *flags = rw_number_at(all, octets);
    return 0;
}

/* Octets behind a number of so many octets, which has been read and is of a later version, and behind their length: all of it. */
static inline int rw_take_other_vector(rw_input *input, unsigned octets, rw_addition *other)
{
    const size_t start = input->at - octets;
    uint64_t length;
    unsigned of_length;
    const int status = rw_take_marked(input, &length, &of_length);
    if (status != 0) {
        return status;
    }
    if (length > input->end - input->at) {
        return RW_INPUT_TRUNCATED;
    }
    input->at += (size_t)length;
    other->index = 0;
    other->octets = rw_octets_of(input->octets + start, input->at - start);
    return rw_vector_octets(length) != of_length ? RW_RARE : 0;
}

/* Writes an alternative of a later version, whose number is none of the known ones. */
static inline int rw_put_other_vector(
    rw_writer *writer, const rw_addition *other, unsigned octets, const uint32_t *numbers, size_t count)
{
    rw_input input = rw_input_of(other->octets.octets, other->octets.size);
    rw_addition again;
    if (other->octets.bit != 0 || other->octets.size < octets
        || rw_is_one_of(rw_number_at(other->octets.octets, octets), numbers, count)) {
        return RW_KEPT_ORDER;
    }
    input.at = octets;
    if (rw_take_other_vector(&input, octets, &again) != 0 || input.at != input.size) {
        return RW_KEPT_ORDER;
    }
    return rw_put_octets_whole(writer, other->octets);
}
