/* Values after tags in all forms of the basic encoding rules, for functions that explain. */

/* The bit of an identifier that says "constructed"; its class is in the two highest bits, its number in the lowest. */
#define RW_CONSTRUCTED 0x20000000u

/* The number of the tag that segments of bit strings have. */
#define RW_BITS_SEGMENT 3u

/* How many levels a string in segments has at most. */
#ifndef RW_SEGMENT_LEVELS
#define RW_SEGMENT_LEVELS 32
#endif

/* Whether contents end here (clause 8.1.5). */
RW_MANY bool rw_at_end(const rw_input *input)
{
    return input->end == RW_NO_END ? rw_is_next(input, 0, 2) : input->at >= input->end;
}

/* Moves after an identifier. */
RW_MANY int rw_take_identifier(rw_input *input, uint32_t *identifier)
{
    uint32_t tag = 0;
    bool is_constructed = false;
    const size_t left = input->size - input->at;
    const int status = rw_why_identifier(input->octets + input->at, left);
    if (status != 0) {
        return status;
    }
    input->at += rw_identifier(input->octets + input->at, left, &tag, &is_constructed);
    *identifier = tag | (is_constructed ? RW_CONSTRUCTED : 0u);
    return 0;
}

/* Moves into contents, after their length. */
RW_MANY int rw_enter_contents(rw_input *input)
{
    const size_t left = input->size - input->at;
    size_t length = 0, count;
    const int status = rw_why_length(input->octets + input->at, left);
    if (status != 0) {
        return status;
    }
    if (input->octets[input->at] == 0x80) {
        input->at++;
        input->end = RW_NO_END;
        return 0;
    }
    count = rw_length(input->octets + input->at, left, &length);
    if (length > left - count) {
        return RW_INPUT_TRUNCATED;
    }
    input->at += count;
    input->end = input->at + length;
    input->size = input->end;
    return 0;
}

/* Moves into contents after this identifier. */
RW_MANY int rw_open_any(rw_input *input, uint32_t wanted)
{
    uint32_t identifier = 0;
    const int status = rw_take_identifier(input, &identifier);
    if (status != 0) {
        return status;
    }
    return identifier == wanted ? rw_enter_contents(input) : RW_TLV_TAG_OTHER;
}

/* Moves after contents that end here, into those around them; the fault of something else, or this one. */
RW_MANY int rw_close_any(rw_input *input, size_t end, size_t size, int code)
{
    if (!rw_at_end(input)) {
        return rw_why_tag(input, code);
    }
    input->at += input->end == RW_NO_END ? 2 : 0;
    input->end = end;
    input->size = size;
    return 0;
}

/* The contents of a primitive value after its identifier. */
RW_MANY int rw_primitive_contents(rw_input *input, rw_octets *octets)
{
    rw_input inside = *input;
    const int status = rw_enter_contents(&inside);
    if (status != 0) {
        return status;
    }
    if (inside.end == RW_NO_END) {
        return RW_TLV_LENGTH_INDEFINITE;
    }
    *octets = rw_octets_of(inside.octets + inside.at, inside.end - inside.at);
    input->at = inside.end;
    return 0;
}

/* The same with this identifier. */
RW_MANY int rw_take_any_contents(rw_input *input, uint32_t wanted, rw_octets *octets)
{
    uint32_t identifier = 0;
    const int status = rw_take_identifier(input, &identifier);
    if (status != 0) {
        return status;
    }
    return identifier == wanted ? rw_primitive_contents(input, octets) : RW_TLV_TAG_OTHER;
}

/* The fault of contents that a type with this code does not have. */
RW_MANY int rw_why_contents(rw_octets of, int code)
{
    const bool is_number = code == RW_INTEGER_RANGE || code == RW_INTEGER_WIDTH || code == RW_ENUMERATED_NUMBER;
    if (!is_number) {
        return code;
    }
    if (of.size == 0 || (of.size > 1 && ((of.octets[0] == 0 && of.octets[1] < 0x80) || (of.octets[0] == 0xff && of.octets[1] >= 0x80)))) {
        return RW_TLV_NUMBER;
    }
    return of.size > 16 || (of.size > 8 && code == RW_ENUMERATED_NUMBER) ? RW_INTEGER_WIDTH : code;
}

/* One octet of contents; the fault of others, or this one. */
RW_MANY int rw_take_any_octet(rw_input *input, uint32_t wanted, uint64_t *octet, int code)
{
    rw_octets octets = {NULL, 0, 0};
    const int status = rw_take_any_contents(input, wanted, &octets);
    if (status != 0) {
        return status;
    }
    if (octets.size != 1) {
        return rw_why_contents(octets, code);
    }
    *octet = octets.octets[0];
    return 0;
}

/* A number of at most so many octets, in the same way. */
RW_MANY int rw_take_any_number(rw_input *input, uint32_t wanted, uint64_t most, uint64_t *number, int code)
{
    rw_octets octets = {NULL, 0, 0};
    const int status = rw_take_any_contents(input, wanted, &octets);
    if (status != 0) {
        return status;
    }
    if (octets.size > most || rw_signed_of(octets, number) != 0 || rw_signed_octets(*number) != octets.size) {
        return rw_why_contents(octets, code);
    }
    return 0;
}

/* A number of 64 bits without sign. */
RW_MANY int rw_take_any_unsigned_number(rw_input *input, uint32_t wanted, uint64_t *number, int code)
{
    rw_octets octets = {NULL, 0, 0};
    const int status = rw_take_any_contents(input, wanted, &octets);
    if (status != 0) {
        return status;
    }
    if (octets.size == 9 && octets.octets[0] == 0 && octets.octets[1] >= 0x80) {
        *number = rw_load(octets.octets + 1);
        return 0;
    }
    if (rw_signed_of(octets, number) != 0 || rw_signed_octets(*number) != octets.size || *number >> 63 != 0) {
        return rw_why_contents(octets, code);
    }
    return 0;
}

RW_MANY int rw_take_any_real(rw_input *input, uint32_t wanted, double *real)
{
    rw_octets octets = {NULL, 0, 0};
    const int status = rw_take_any_contents(input, wanted, &octets);
    return status != 0 ? status : rw_read_real(octets, real);
}

/* A string in segments: how long it is, and which part of it has octets. */
typedef struct rw_segments {
    uint32_t segment;  /* the identifier of a segment */
    size_t size;       /* of all octets, without the number of unused bits */
    size_t parts;      /* how many segments have octets */
    rw_octets part;    /* the last one of these */
    uint8_t unused;    /* how many bits of the last octet are none of the string */
    uint8_t *to;       /* where the octets are copied; NULL before it is known how many there are */
} rw_segments;

/* The contents of a segment. Only the last octet of a bit string may have unused bits (clause 8.6.4). */
RW_MANY int rw_add_segment(rw_segments *all, rw_octets contents)
{
    if (all->segment == RW_BITS_SEGMENT) {
        const bool is_wrong = contents.size == 0 || all->unused > 0 || contents.octets[0] > 7;
        if (is_wrong || (contents.octets[0] > 0 && contents.size == 1)) {
            return RW_TLV_SEGMENT_UNUSED;
        }
        all->unused = contents.octets[0];
        contents = rw_octets_of(contents.octets + 1, contents.size - 1);
    }
    if (contents.size > 0) {
        if (all->to != NULL) {
            memcpy(all->to + all->size, contents.octets, contents.size);
        }
        all->size += contents.size;
        all->part = contents;
        all->parts++;
    }
    return 0;
}

/* All segments up to the end of the contents, which may be strings in segments themselves. */
RW_MANY int rw_take_segments(rw_input *inside, rw_segments *all)
{
    size_t ends[RW_SEGMENT_LEVELS] = {0}, sizes[RW_SEGMENT_LEVELS] = {0};
    size_t depth = 0;
    while (depth > 0 || !rw_at_end(inside)) {
        uint32_t identifier = 0;
        rw_octets contents = {NULL, 0, 0};
        int status;
        if (rw_at_end(inside)) {
            depth--;
            (void)rw_close_any(inside, ends[depth], sizes[depth], RW_CONTENTS_TRAILING);
            continue;
        }
        status = rw_take_identifier(inside, &identifier);
        if (status == 0 && identifier == all->segment) {
            status = rw_primitive_contents(inside, &contents);
            status = status != 0 ? status : rw_add_segment(all, contents);
        } else if (status == 0 && identifier == (all->segment | RW_CONSTRUCTED)) {
            if (depth == RW_SEGMENT_LEVELS) {
                return RW_LIMIT_DEPTH;
            }
            ends[depth] = inside->end;
            sizes[depth] = inside->size;
            depth++;
            status = rw_enter_contents(inside);
        } else {
            status = status != 0 ? status : RW_TLV_SEGMENT;
        }
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* Joins segments at the end of `room`, or in memory of the arena. */
RW_MANY int rw_join_segments(rw_input inside, rw_segments *all, uint8_t *room, size_t most, rw_arena *arena, rw_octets *octets)
{
    const size_t front = all->segment == RW_BITS_SEGMENT ? 1 : 0, size = all->size + front;
    uint8_t *to = size <= most ? room + (most - size) : NULL;
    int status;
    if (to == NULL && arena == NULL) {
        return RW_SIZE_CAPACITY;
    }
    to = to != NULL ? to : (uint8_t *)rw_new(arena, size);
    if (to == NULL) {
        return RW_MEMORY;
    }
    all->to = to + front;
    all->size = 0;
    if (front > 0) {
        to[0] = all->unused;
        all->unused = 0;
    }
    status = rw_take_segments(&inside, all);
    *octets = rw_octets_of(to, size);
    return status;
}

/* A string, which may be in segments (clauses 8.6.4 and 8.7.3). Only where several of them have octets are these copied. */
RW_MANY int rw_take_any_string(rw_input *input, uint32_t wanted, uint32_t segment, uint8_t *room, size_t most, rw_arena *arena, rw_octets *octets)
{
    rw_segments all = {segment, 0, 0, {NULL, 0, 0}, 0, NULL};
    rw_input inside;
    uint32_t identifier = 0;
    const size_t end = input->end, size = input->size;
    int status = rw_take_identifier(input, &identifier);
    if (status == 0 && identifier == wanted) {
        return rw_primitive_contents(input, octets);
    }
    if (status == 0 && identifier != (wanted | RW_CONSTRUCTED)) {
        return RW_TLV_TAG_OTHER;
    }
    status = status != 0 ? status : rw_enter_contents(input);
    inside = *input;
    status = status != 0 ? status : rw_take_segments(input, &all);
    if (status != 0) {
        return status;
    }
    (void)rw_close_any(input, end, size, RW_CONTENTS_TRAILING);
    if (all.parts > 1) {
        return rw_join_segments(inside, &all, room, most, arena, octets);
    }
    *octets = all.part;
    if (segment == RW_BITS_SEGMENT) {
        /* Before the octets is the number of unused bits; the last octet of an empty string is 0 in all its forms. */
        octets->octets = all.parts > 0 ? all.part.octets - 1 : input->octets + input->at - 1;
        octets->size++;
    }
    return 0;
}

/* Bits as a word, and how many; where these have names, zeros that are too many at the end have no meaning (X.680 clause 22.7). */
RW_MANY int rw_take_any_word_bits(
    rw_input *input, uint32_t wanted, uint64_t least, uint64_t most, uint64_t *word, uint64_t *count, int code)
{
    uint8_t room[9] = {0};
    rw_octets octets = {NULL, 0, 0};
    rw_bit_string bits = {NULL, 0, 0};
    rw_bits kept = {0, 0};
    int status = rw_take_any_string(input, wanted, RW_BITS_SEGMENT, room, sizeof room, NULL, &octets);
    if (status != 0) {
        return status == RW_SIZE_CAPACITY && code == RW_SIZE_RANGE ? code : status;
    }
    if (rw_split_bits(octets, &bits) != 0) {
        return RW_BIT_STRING;
    }
    while (code == RW_BIT_STRING && bits.bits > most && rw_bit(&bits, bits.bits - 1) == 0) {
        bits.bits--;
    }
    if (bits.bits < least || bits.bits > most) {
        return RW_SIZE_RANGE;
    }
    status = rw_word_of(&bits, &kept);
    *word = kept.value;
    *count = kept.bits;
    return status;
}

/* Additions of a later version up to a known tag. */
RW_MANY int rw_take_any_kept(rw_input *input, rw_kept *kept, uint64_t known, const uint32_t *tags, size_t count)
{
    while (!rw_at_end(input)) {
        rw_input next = *input;
        uint32_t identifier = 0;
        size_t at, octets = 0;
        int status = rw_take_identifier(&next, &identifier);
        for (at = 0; status == 0 && at < count; at++) {
            if (tags[at] == (identifier & ~RW_CONSTRUCTED)) {
                return 0;
            }
        }
        status = status != 0 ? status : rw_measure(input->octets + input->at, input->size - input->at, &octets);
        if (status != 0 || kept->count >= RW_KEPT) {
            return status != 0 ? status : RW_KEPT_FULL;
        }
        kept->items[kept->count].index = (uint32_t)known + kept->count;
        kept->items[kept->count].octets = rw_octets_of(input->octets + input->at, octets);
        kept->count++;
        input->at += octets;
    }
    return 0;
}

/* The most octets of contents that are written in one piece (clause 9.2). */
#define RW_SEGMENT 1000u

/* An identifier and a length in the fewest octets. */
RW_MANY int rw_put_identifier(rw_writer *writer, uint32_t identifier, uint64_t length)
{
    const uint32_t number = identifier & (RW_CONSTRUCTED - 1u), first = identifier >> 29 << 5;
    uint32_t digits = number < 31 ? 0 : 1;
    uint64_t word = first | (number < 31 ? number : 31u), bits = 0;
    while (digits > 0 && digits < 5 && number >> (7 * digits) != 0) {
        digits++;
    }
    for (; digits > 0; digits--) {
        word = word << 8 | (number >> (7 * (digits - 1)) & 0x7fu) | (digits > 1 ? 0x80u : 0u);
        bits += 8;
    }
    if (rw_put_whole(writer, word, (uint32_t)bits + 8) != 0) {
        return RW_OUTPUT_FULL;
    }
    rw_length_octets(length, &word, &bits);
    return rw_put_whole(writer, word, (uint32_t)bits);
}

/* The identifier of a string in segments, and an indefinite length. */
RW_MANY int rw_begin_segments(rw_writer *writer, uint32_t identifier)
{
    /* In its place, the length is the octet 128. */
    int status = rw_put_identifier(writer, identifier | RW_CONSTRUCTED, 0);
    if (status == 0) {
        writer->out[writer->stored - 1] = 0x80;
    }
    return status;
}

/* A string of octets, in segments if it is long. */
RW_MANY int rw_put_any_string(rw_writer *writer, uint32_t identifier, uint32_t segment, rw_octets of)
{
    size_t at;
    int status;
    if (of.size <= RW_SEGMENT) {
        status = rw_put_identifier(writer, identifier, of.size);
        return status != 0 ? status : rw_put_octets_whole(writer, of);
    }
    status = rw_begin_segments(writer, identifier);
    for (at = 0; status == 0 && at < of.size; at += RW_SEGMENT) {
        const size_t left = of.size - at, here = left < RW_SEGMENT ? left : RW_SEGMENT;
        status = rw_put_front(writer, segment, here) != 0 ? RW_OUTPUT_FULL : rw_put_some(writer, of, at, here);
    }
    return status != 0 ? status : rw_put_whole(writer, 0, 16);
}

/* The same of the first `bits` bits, where zeros may follow those of the string in their octet. */
RW_MANY int rw_put_bit_segments(rw_writer *writer, uint32_t identifier, const rw_bit_string *of, uint64_t bits)
{
    const uint64_t octets = (bits + 7) / 8, most = RW_SEGMENT - 1u;
    uint64_t at;
    int status = octets <= most ? rw_put_identifier(writer, identifier, octets + 1) : rw_begin_segments(writer, identifier);
    for (at = 0; status == 0 && (at == 0 || at < octets); at += most) {
        const uint64_t here = octets - at < most ? octets - at : most;
        const bool is_last = at + here == octets;
        status = octets <= most ? 0 : rw_put_front(writer, RW_BITS_SEGMENT, here + 1);
        status = status != 0 ? status : rw_put_whole(writer, is_last ? octets * 8 - bits : 0, 8);
        status = status != 0 ? status : rw_put_some_bits_whole(writer, of, (size_t)at * 8, is_last ? bits - at * 8 : here * 8);
    }
    return status != 0 || octets <= most ? status : rw_put_whole(writer, 0, 16);
}

RW_MANY int rw_put_any_bit_string(rw_writer *writer, uint32_t identifier, const rw_bit_string *of)
{
    return rw_put_bit_segments(writer, identifier, of, of->bits);
}

/* Named bits, without zeros at the end beyond the first `least`. */
RW_MANY int rw_put_any_named_bits(
    rw_writer *writer, uint32_t identifier, const rw_bit_string *of, uint64_t lower, uint64_t upper, uint64_t least)
{
    rw_bit_string kept = *of;
    uint64_t count = 0;
    const int status = rw_trim_named(&kept, lower, upper, least, &count);
    return status != 0 ? status : rw_put_bit_segments(writer, identifier, &kept, count);
}

/* Characters of one, two or four octets, in segments if they are long. */
RW_MANY int rw_put_any_wide_text(rw_writer *writer, uint32_t identifier, uint32_t segment, rw_text of, uint64_t width, const uint32_t *alphabet, size_t count)
{
    const uint64_t characters = rw_characters(of);
    uint64_t left, here;
    size_t at = 0;
    int status;
    if (characters == UINT64_MAX) {
        return RW_TEXT_FORM;
    }
    if (characters <= RW_SEGMENT / width) {
        status = rw_put_identifier(writer, identifier, characters * width);
        status = status != 0 ? status : rw_put_characters(writer, of, (uint32_t)width * 8, false, alphabet, count);
        return status != 0 ? status : rw_flush(writer);
    }
    status = rw_begin_segments(writer, identifier);
    for (left = characters; status == 0 && left > 0; left -= here) {
        here = left < RW_SEGMENT / width ? left : RW_SEGMENT / width;
        status = rw_put_front(writer, segment, here * width);
        status = status != 0 ? status : rw_put_some_characters(writer, of, &at, here, width * 8, false, alphabet, count);
        status = status != 0 ? status : rw_flush(writer);
    }
    return status != 0 ? status : rw_put_whole(writer, 0, 16);
}
