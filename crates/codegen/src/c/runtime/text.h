/* JSON text in the one form that is written (X.697): no white space, members in their order. */

static inline int rw_put_literal(rw_writer *writer, const char *text, size_t size)
{
    return rw_put_octets_whole(writer, rw_octets_of((const uint8_t *)text, size));
}

static inline int rw_put_character(rw_writer *writer, unsigned character)
{
    return rw_put_whole(writer, character, 8);
}

static inline int rw_put_decimal(rw_writer *writer, uint64_t number)
{
    uint8_t digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (uint8_t)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return rw_put_octets_whole(writer, rw_octets_of(digits + at, sizeof digits - at));
}

/* A number in two's complement. */
static inline int rw_put_signed_decimal(rw_writer *writer, uint64_t number)
{
    if (number >> 63 == 0) {
        return rw_put_decimal(writer, number);
    }
    return rw_put_character(writer, '-') != 0 ? RW_OUTPUT_FULL : rw_put_decimal(writer, 0 - number);
}

static inline unsigned rw_digit_of(unsigned nibble)
{
    return nibble < 10 ? '0' + nibble : 'A' + nibble - 10;
}

/* Octets as hexadecimal digits in a string. */
static inline int rw_put_digits(rw_writer *writer, rw_octets of)
{
    size_t at = 0;
    if (rw_put_character(writer, '"') != 0) {
        return RW_OUTPUT_FULL;
    }
    while (at < of.size) {
        rw_octets piece = rw_piece(of, at);
        at += piece.size;
        while (piece.size > 0) {
            const unsigned octet = rw_next_octet(&piece);
            if (rw_put_whole(writer, rw_digit_of(octet >> 4) << 8 | rw_digit_of(octet & 15), 16) != 0) {
                return RW_OUTPUT_FULL;
            }
        }
    }
    return rw_put_character(writer, '"');
}

/* Bits as octets: digits alone if all values have the same length, otherwise with their number. Of named bits, zeros at the end
   are added or left out where the size asks for it. */
static inline int rw_put_digits_of_bits(
    rw_writer *writer, const rw_bit_string *bits, uint64_t lower, uint64_t upper, bool is_trimmed)
{
    rw_bit_string piece = {NULL, 0, 0};
    uint64_t count = bits->bits, at;
    count = is_trimmed && count > upper ? rw_max(rw_bits_meaning(bits), upper) : count;
    count = is_trimmed && count < lower ? lower : count;
    if (count < lower || count > upper) {
        return RW_SIZE_RANGE;
    }
    if ((lower != upper && rw_put_literal(writer, "{\"value\":", 9) != 0) || rw_put_character(writer, '"') != 0) {
        return RW_OUTPUT_FULL;
    }
    for (at = 0; at < count || at % 8 != 0; at += 4) {
        piece = piece.bits == 0 && at < bits->bits ? rw_bit_piece(bits, (size_t)at) : piece;
        if (rw_put_character(writer, rw_digit_of(piece.bits > 0 ? rw_next_four(&piece) : 0)) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    if (rw_put_character(writer, '"') != 0) {
        return RW_OUTPUT_FULL;
    }
    if (lower == upper) {
        return 0;
    }
    if (rw_put_literal(writer, ",\"length\":", 10) != 0 || rw_put_decimal(writer, count) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_character(writer, '}');
}

static inline int rw_put_digits_of_word(
    rw_writer *writer, const rw_bits *word, uint64_t lower, uint64_t upper, bool is_trimmed)
{
    uint8_t octets[8] = {0};
    rw_bit_string bits = rw_bit_string_of(octets, word->bits);
    if (word->bits > 64) {
        return RW_SIZE_CAPACITY;
    }
    rw_store(octets, rw_shl(rw_masked(word), 64u - word->bits));
    return rw_put_digits_of_bits(writer, &bits, lower, upper, is_trimmed);
}

/* A string: what it cannot have is escaped, and so is what is invisible or ends a line in some programs. */
static inline int rw_put_quoted(rw_writer *writer, rw_text text)
{
    size_t at = 0;
    if (rw_put_character(writer, '"') != 0) {
        return RW_OUTPUT_FULL;
    }
    while (at < text.size) {
        unsigned octets, shift;
        uint32_t code = rw_character(text, at, &octets);
        unsigned letter = code == '"' || code == '\\' ? code : code == '\n' ? 'n' : code == '\r' ? 'r' : code == '\t' ? 't' : 0;
        if (octets == 0) {
            return RW_TEXT_FORM;
        }
        if (letter != 0) {
            if (rw_put_whole(writer, (unsigned)'\\' << 8 | letter, 16) != 0) {
                return RW_OUTPUT_FULL;
            }
        } else if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029) {
            if (rw_put_whole(writer, (unsigned)'\\' << 8 | 'u', 16) != 0) {
                return RW_OUTPUT_FULL;
            }
            for (shift = 16; shift > 0; shift -= 4) {
                if (rw_put_character(writer, rw_digit_of(code >> (shift - 4) & 15)) != 0) {
                    return RW_OUTPUT_FULL;
                }
            }
        } else {
            unsigned next;
            for (next = 0; next < octets; next++) {
                if (rw_put_character(writer, rw_octet(text, at + next)) != 0) {
                    return RW_OUTPUT_FULL;
                }
            }
        }
        at += octets;
    }
    return rw_put_character(writer, '"');
}

/* The numbers of an object identifier. */
static inline int rw_put_arcs(rw_writer *writer, rw_octets contents, bool is_relative)
{
    size_t size;
    const int status = rw_arcs_text(contents, is_relative, writer->out + writer->stored, writer->size - writer->stored, &size);
    writer->stored += status == 0 ? size : 0;
    return status;
}

/* Ends parts, each with a comma before it, since a place: the first comma becomes the bracket. */
static inline int rw_close_list(rw_writer *writer, uint64_t start, unsigned open, unsigned close)
{
    if (writer->stored == start) {
        return rw_put_whole(writer, open << 8 | close, 16);
    }
    writer->out[start] = (uint8_t)open;
    return rw_put_character(writer, close);
}

/* Passes constant text if it comes next. */
static inline bool rw_accept(rw_input *input, const char *text, size_t size)
{
    if (input->end - input->at < size || memcmp(input->octets + input->at, text, size) != 0) {
        return false;
    }
    input->at += size;
    return true;
}

/* The same for a member's name: the first one, or one after a comma. */
static inline bool rw_member(rw_input *input, bool is_first, const char *name, size_t size)
{
    size_t start = input->at;
    if ((is_first || rw_accept(input, ",", 1)) && rw_accept(input, name, size)) {
        return true;
    }
    input->at = start;
    return false;
}

/* A number without needless zeros before it. */
static inline int rw_take_decimal(rw_input *input, uint64_t *number)
{
    size_t start = input->at;
    *number = 0;
    for (; input->at < input->end; input->at++) {
        unsigned digit = (unsigned)input->octets[input->at] - '0';
        if (digit > 9) {
            break;
        }
        if (*number > UINT64_MAX / 10 || (*number == UINT64_MAX / 10 && digit > UINT64_MAX % 10)) {
            return RW_REJECTED;
        }
        *number = *number * 10 + digit;
    }
    return input->at == start || (input->at - start > 1 && input->octets[start] == '0') ? RW_REJECTED : 0;
}

/* A number of 64 bits with a sign, in two's complement; there is no minus zero. */
static inline int rw_take_signed_decimal(rw_input *input, uint64_t *number)
{
    bool is_negative = rw_accept(input, "-", 1);
    if (rw_take_decimal(input, number) != 0 || (is_negative ? *number - 1 : *number) >> 63 != 0) {
        return RW_REJECTED;
    }
    *number = is_negative ? 0 - *number : *number;
    return 0;
}

static inline int rw_take_truth(rw_input *input, bool *truth)
{
    *truth = rw_accept(input, "true", 4);
    return *truth || rw_accept(input, "false", 5) ? 0 : RW_REJECTED;
}

/* What is between quotes, to be compared with names or digits that need no escapes. */
static inline int rw_take_name(rw_input *input, rw_octets *name)
{
    size_t start = input->at + 1, end = start;
    if (!rw_accept(input, "\"", 1)) {
        return RW_REJECTED;
    }
    while (end < input->end && input->octets[end] != '"') {
        end++;
    }
    if (end == input->end) {
        return RW_REJECTED;
    }
    *name = rw_octets_of(input->octets + start, end - start);
    input->at = end + 1;
    return 0;
}

static inline bool rw_is_name(const rw_octets *name, const char *text, size_t size)
{
    return name->size == size && memcmp(name->octets, text, size) == 0;
}

/* Octets from two hexadecimal digits each. */
static inline int rw_fill_digits(rw_octets digits, uint8_t *octets, uint64_t count)
{
    size_t at;
    if (digits.size != count * 2) {
        return RW_REJECTED;
    }
    for (at = 0; at < count; at++) {
        unsigned high = rw_nibble(digits.octets[2 * at]), low = rw_nibble(digits.octets[2 * at + 1]);
        if (high > 15 || low > 15) {
            return RW_REJECTED;
        }
        octets[at] = (uint8_t)(high << 4 | low);
    }
    return 0;
}

/* So many octets in digits as a word, the first one highest. */
static inline int rw_take_digits_word(rw_input *input, uint64_t count, uint64_t *word)
{
    uint8_t octets[8] = {0};
    rw_octets digits;
    if (rw_take_name(input, &digits) != 0 || rw_fill_digits(digits, octets, count) != 0) {
        return RW_REJECTED;
    }
    *word = rw_load(octets);
    return 0;
}

/* Octets that stay in the input as digits. */
static inline int rw_lend_digits(rw_octets digits, rw_octets *octets)
{
    size_t at;
    for (at = 0; at < digits.size; at++) {
        if (rw_nibble(digits.octets[at]) > 15) {
            return RW_REJECTED;
        }
    }
    octets->octets = digits.octets;
    octets->size = digits.size / 2;
    octets->bit = RW_DIGITS;
    return digits.size % 2 == 0 ? 0 : RW_REJECTED;
}

/* Bits that stay in the input as digits, as rw_put_digits_of_bits writes them. */
static inline int rw_lend_digits_of_bits(rw_input *input, uint64_t lower, uint64_t upper, rw_bit_string *bits)
{
    bool is_sized = lower != upper;
    rw_octets digits, octets;
    uint64_t size = lower;
    if ((is_sized && !rw_accept(input, "{\"value\":", 9)) || rw_take_name(input, &digits) != 0) {
        return RW_REJECTED;
    }
    if (is_sized && (!rw_accept(input, ",\"length\":", 10) || rw_take_decimal(input, &size) != 0 || !rw_accept(input, "}", 1))) {
        return RW_REJECTED;
    }
    if (size < lower || size > upper || rw_lend_digits(digits, &octets) != 0) {
        return RW_REJECTED;
    }
    if (octets.size != size / 8 + (size % 8 > 0)) {
        return RW_REJECTED;
    }
    bits->octets = octets.octets;
    bits->bits = (size_t)size;
    bits->bit = RW_DIGITS;
    /* Bits that are not used are zeros. */
    return size % 8 == 0 || (rw_octet(octets, octets.size - 1) & 0xffu >> size % 8) == 0 ? 0 : RW_REJECTED;
}

static inline int rw_take_digits_of_bits(rw_input *input, uint64_t lower, uint64_t upper, rw_bits *word)
{
    rw_bit_string bits;
    return rw_lend_digits_of_bits(input, lower, upper, &bits) != 0 ? RW_REJECTED : rw_word_of(&bits, word);
}

/* Four hexadecimal digits of an escape. */
static inline int rw_take_four_digits(rw_input *input, uint32_t *code)
{
    unsigned at;
    *code = 0;
    if (input->end - input->at < 4) {
        return RW_REJECTED;
    }
    for (at = 0; at < 4; at++) {
        unsigned nibble = rw_nibble(input->octets[input->at++]);
        if (nibble > 15) {
            return RW_REJECTED;
        }
        *code = *code << 4 | nibble;
    }
    return 0;
}

/* The character of an escape, after its backslash. */
static inline int rw_take_escape(rw_input *input, uint32_t *code)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    uint32_t low;
    size_t at;
    if (rw_accept(input, "u", 1)) {
        if (rw_take_four_digits(input, code) != 0 || (*code >= 0xdc00 && *code < 0xe000)) {
            return RW_REJECTED;
        }
        if (*code < 0xd800 || *code >= 0xe000) {
            return 0;
        }
        /* Half of a pair is no character. */
        if (!rw_accept(input, "\\u", 2) || rw_take_four_digits(input, &low) != 0 || low < 0xdc00 || low >= 0xe000) {
            return RW_REJECTED;
        }
        *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
        return 0;
    }
    for (at = 0; at < sizeof letters - 1; at++) {
        if (rw_accept(input, letters + at, 1)) {
            *code = (uint32_t)meanings[at];
            return 0;
        }
    }
    return RW_REJECTED;
}

/* A string of so many characters, all of an alphabet of ranges. */
static inline int rw_take_quoted(rw_input *input, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count,
    uint8_t *text, size_t most, uint32_t *size)
{
    uint64_t characters = 0;
    size_t used = 0;
    if (!rw_accept(input, "\"", 1)) {
        return RW_REJECTED;
    }
    while (!rw_accept(input, "\"", 1)) {
        rw_octets rest = rw_octets_of(input->octets + input->at, input->end - input->at);
        uint32_t code;
        if (rest.size == 0) {
            return RW_REJECTED;
        }
        if (rw_accept(input, "\\", 1)) {
            if (rw_take_escape(input, &code) != 0) {
                return RW_REJECTED;
            }
        } else {
            unsigned octets;
            code = rw_character(rest, 0, &octets);
            if (octets == 0 || code < 0x20) {
                return RW_REJECTED;
            }
            input->at += octets;
        }
        if (!rw_is_in(code, alphabet, count) || rw_push_character(code, text, most, &used) != 0) {
            return RW_REJECTED;
        }
        characters++;
    }
    *size = (uint32_t)used;
    return characters < lower || characters > upper ? RW_REJECTED : 0;
}

/* The same without a bound: text stays in the input if it has no escapes, and is put into memory of the caller otherwise. */
static inline int rw_new_quoted(rw_input *input, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count,
    rw_arena *arena, rw_text *text)
{
    const size_t start = input->at + 1;
    size_t end = start, at;
    uint32_t size = 0;
    uint8_t *octets;
    bool has_escapes = false;
    for (; end < input->end && input->octets[end] != '"'; end++) {
        has_escapes = has_escapes || input->octets[end] == '\\';
        end += input->octets[end] == '\\';
    }
    if (end >= input->end || end - start > UINT32_MAX) {
        return RW_REJECTED;
    }
    if (has_escapes) {
        octets = (uint8_t *)rw_new(arena, end - start);
        if (octets == NULL || rw_take_quoted(input, lower, upper, alphabet, count, octets, end - start, &size) != 0) {
            return RW_REJECTED;
        }
        arena->used -= end - start - size;
        *text = rw_octets_of(octets, size);
        return 0;
    }
    *text = rw_octets_of(input->octets + start, end - start);
    for (at = 0; at < text->size; at++) {
        if (text->octets[at] < 0x20) {
            return RW_REJECTED;
        }
    }
    input->at = end + 1;
    return input->octets[start - 1] == '"' && rw_fits(*text, lower, upper, alphabet, count) ? 0 : RW_REJECTED;
}

/* Moves over a value, which becomes an input of its own. All of it is read later: here only its end is found. */
static inline int rw_skip_value(rw_input *input, rw_input *value)
{
    size_t depth = 0;
    bool is_string = false;
    *value = *input;
    for (; input->at < input->end; input->at++) {
        uint8_t octet = input->octets[input->at];
        bool is_end = octet == ']' || octet == '}';
        if (is_string) {
            input->at += octet == '\\' && input->end - input->at > 1;
            is_string = octet != '"';
        } else if (depth == 0 && (is_end || octet == ',')) {
            break;
        } else {
            is_string = octet == '"';
            depth += octet == '[' || octet == '{';
            depth -= is_end;
        }
    }
    value->end = input->at;
    return depth == 0 && !is_string ? 0 : RW_REJECTED;
}
