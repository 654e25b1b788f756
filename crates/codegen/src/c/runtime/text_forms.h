/* JSON text in any form (RFC 8259), and what is wrong with it: for functions that are called after those for the written form. */

static inline void rw_pass_space(rw_input *input)
{
    while (rw_next(input) == ' ' || rw_next(input) == '\t' || rw_next(input) == '\n' || rw_next(input) == '\r') {
        input->at++;
    }
}

static inline bool rw_is_digit(unsigned octet)
{
    return octet - '0' < 10;
}

static inline bool rw_is_letter(unsigned octet)
{
    return (octet | 0x20) - 'a' < 26;
}

/* Moves over a string, which begins here; `raw` is between its quotes. */
static inline int rw_pass_string(rw_input *input, rw_octets *raw)
{
    const size_t start = ++input->at;
    uint32_t code;
    while (rw_next(input) != '"') {
        if (rw_accept(input, "\\", 1)) {
            if (rw_take_escape(input, &code) != 0) {
                return RW_JSON_STRING;
            }
        } else if (rw_next(input) < 0x20 || rw_next(input) > 255) {
            return RW_JSON_STRING;
        } else {
            input->at++;
        }
    }
    *raw = rw_octets_of(input->octets + start, input->at - start);
    input->at++;
    return rw_characters(*raw) == UINT64_MAX ? RW_JSON_UTF8 : 0;
}

static inline int rw_pass_digits(rw_input *input)
{
    const size_t start = input->at;
    while (rw_is_digit(rw_next(input))) {
        input->at++;
    }
    return input->at == start ? RW_JSON_SYNTAX : 0;
}

static inline int rw_pass_number(rw_input *input)
{
    size_t whole;
    (void)rw_accept(input, "-", 1);
    whole = input->at;
    if (rw_pass_digits(input) != 0) {
        return RW_JSON_SYNTAX;
    }
    if (input->octets[whole] == '0' && input->at - whole > 1) {
        return RW_JSON_NUMBER;
    }
    if (rw_accept(input, ".", 1) && rw_pass_digits(input) != 0) {
        return RW_JSON_SYNTAX;
    }
    if (rw_accept(input, "e", 1) || rw_accept(input, "E", 1)) {
        if (!rw_accept(input, "+", 1)) {
            (void)rw_accept(input, "-", 1);
        }
        return rw_pass_digits(input);
    }
    return 0;
}

/* Moves over letters and digits, which have to be this word. */
static inline bool rw_pass_word(rw_input *input, const char *word, size_t size)
{
    const size_t start = input->at;
    while (rw_is_letter(rw_next(input)) || rw_is_digit(rw_next(input))) {
        input->at++;
    }
    return input->at - start == size && memcmp(input->octets + start, word, size) == 0;
}

/* Moves over a value that has no parts. */
static inline int rw_pass_scalar(rw_input *input)
{
    const unsigned first = rw_next(input);
    const rw_input before = *input;
    rw_octets raw;
    if (first == '"') {
        return rw_pass_string(input, &raw);
    }
    if (first == '-' || rw_is_digit(first)) {
        return rw_pass_number(input);
    }
    if (rw_pass_word(input, "null", 4)) {
        return 0;
    }
    *input = before;
    if (rw_pass_word(input, "true", 4)) {
        return 0;
    }
    *input = before;
    return rw_pass_word(input, "false", 5) ? 0 : RW_JSON_SYNTAX;
}

/* Moves over a member's name and the colon after it. */
static inline int rw_pass_name(rw_input *input, rw_octets *name)
{
    int status;
    if (rw_next(input) != '"') {
        return RW_JSON_SYNTAX;
    }
    status = rw_pass_string(input, name);
    if (status != 0) {
        return status;
    }
    rw_pass_space(input);
    if (!rw_accept(input, ":", 1)) {
        return RW_JSON_SYNTAX;
    }
    rw_pass_space(input);
    return 0;
}

/* Moves over any value. Values nest up to 108 levels deep. */
static inline int rw_pass_json(rw_input *input)
{
    bool is_object[108] = {0};
    size_t depth = 0;
    rw_octets name;
    rw_pass_space(input);
    for (;;) {
        const unsigned next = rw_next(input);
        const bool begins = next == '[' || next == '{';
        int status = 0;
        if (begins) {
            if (depth == sizeof is_object / sizeof is_object[0]) {
                return RW_LIMIT_DEPTH;
            }
            is_object[depth++] = next == '{';
            input->at++;
            rw_pass_space(input);
        } else {
            status = rw_pass_scalar(input);
        }
        if (status != 0) {
            return status;
        }
        /* The closing bracket is two codes behind the opening one. */
        if (!begins || rw_next(input) == next + 2) {
            for (; depth > 0; depth--) {
                rw_pass_space(input);
                if (!rw_accept(input, is_object[depth - 1] ? "}" : "]", 1)) {
                    break;
                }
            }
            if (depth == 0) {
                return 0;
            }
            if (!rw_accept(input, ",", 1)) {
                return RW_JSON_SYNTAX;
            }
            rw_pass_space(input);
        }
        if (is_object[depth - 1]) {
            status = rw_pass_name(input, &name);
        }
        if (status != 0) {
            return status;
        }
    }
}

/* Why a value is not the one that is wanted. */
static inline int rw_why_value(const rw_input *input)
{
    rw_input rest = *input;
    const unsigned first = rw_next(input);
    const int status = first == '[' || first == '{' ? 0 : rw_pass_json(&rest);
    return status == 0 ? RW_VALUE_MISMATCH : status;
}

/* White space around a message; it may begin with a byte order mark. */
static inline int rw_begin_text(rw_input *input)
{
    (void)rw_accept(input, "\xef\xbb\xbf", 3);
    rw_pass_space(input);
    return 0;
}

static inline int rw_end_text(rw_input *input)
{
    rw_pass_space(input);
    return input->at == input->end ? 0 : RW_JSON_SYNTAX;
}

static inline int rw_open_bracket(rw_input *input, unsigned bracket)
{
    if (rw_next(input) != bracket) {
        return rw_why_value(input);
    }
    input->at++;
    return 0;
}

/* Whether this is not the end of an array or an object, which is passed. */
static inline bool rw_comes_more(rw_input *input, unsigned bracket)
{
    rw_pass_space(input);
    if (rw_next(input) != bracket) {
        return true;
    }
    input->at++;
    return false;
}

static inline int rw_pass_comma(rw_input *input, bool is_first)
{
    if (!is_first) {
        if (!rw_accept(input, ",", 1)) {
            return RW_JSON_SYNTAX;
        }
        rw_pass_space(input);
    }
    return 0;
}

static inline int rw_take_member(rw_input *input, bool is_first, rw_octets *name)
{
    const int status = rw_pass_comma(input, is_first);
    return status != 0 ? status : rw_pass_name(input, name);
}

/* The end of an object that has one member; `code` is the error if it has more. */
static inline int rw_only_member(rw_input *input, int code)
{
    int status;
    if (!rw_comes_more(input, '}')) {
        return 0;
    }
    status = rw_pass_comma(input, false);
    return status != 0 ? status : code;
}

/* The next character of a string whose escapes have been looked at. */
static inline uint32_t rw_next_character(rw_input *input)
{
    uint32_t code = 0;
    unsigned octets;
    if (rw_accept(input, "\\", 1)) {
        (void)rw_take_escape(input, &code);
        return code;
    }
    code = rw_character(rw_octets_of(input->octets + input->at, input->end - input->at), 0, &octets);
    input->at += octets;
    return code;
}

/* Whether a string is this text. */
static inline bool rw_is_text(const rw_octets *raw, const char *text)
{
    rw_input rest = rw_input_of(raw->octets, raw->size);
    for (; *text != 0; text++) {
        if (rest.at >= rest.end || rw_next_character(&rest) != (uint8_t)*text) {
            return false;
        }
    }
    return rest.at == rest.end;
}

/* Which one of some names a string is; their number if it is none. */
static inline uint64_t rw_find_name(const rw_octets *raw, const char *const *names, size_t count)
{
    size_t at = 0;
    while (at < count && !rw_is_text(raw, names[at])) {
        at++;
    }
    return at;
}

/* Whether an object, of which no member has been read, can be read to its end, and has no member of this name. */
static inline bool rw_lacks_member(const rw_input *input, const char *name)
{
    rw_input rest = *input;
    rw_octets other = rw_octets_of(input->octets, 0);
    bool is_first = true, is_read = true;
    while (is_read && rw_comes_more(&rest, '}')) {
        is_read = rw_take_member(&rest, is_first, &other) == 0 && !rw_is_text(&other, name) && rw_pass_json(&rest) == 0;
        is_first = false;
    }
    return is_read;
}

static inline int rw_any_word(rw_input *input, const char *word, size_t size)
{
    rw_input rest = *input;
    if (!rw_pass_word(&rest, word, size)) {
        return rw_why_value(input);
    }
    *input = rest;
    return 0;
}

static inline int rw_any_truth(rw_input *input, bool *truth)
{
    *truth = rw_next(input) == 't';
    return *truth ? rw_any_word(input, "true", 4) : rw_any_word(input, "false", 5);
}

static inline int rw_any_string(rw_input *input, rw_octets *raw)
{
    *raw = rw_octets_of(input->octets, 0);
    return rw_next(input) == '"' ? rw_pass_string(input, raw) : rw_why_value(input);
}

static inline int rw_any_number(rw_input *input, rw_octets *text)
{
    const size_t start = input->at;
    int status;
    *text = rw_octets_of(input->octets, 0);
    if (rw_next(input) != '-' && !rw_is_digit(rw_next(input))) {
        return rw_why_value(input);
    }
    status = rw_pass_number(input);
    *text = rw_octets_of(input->octets + start, input->at - start);
    return status;
}

/* Whether the digits of a number take more than 128 bits with a sign. */
static inline bool rw_is_wide(rw_octets digits, bool is_negative)
{
    const char *most = is_negative ? "170141183460469231731687303715884105728" : "170141183460469231731687303715884105727";
    return digits.size > 39 || (digits.size == 39 && memcmp(digits.octets, most, 39) > 0);
}

/* An integer of 64 bits, in two's complement. If there is a bound on its side, one with more bits is beyond that. */
static inline int rw_any_integer(rw_input *input, bool is_signed, bool has_lower, bool has_upper, uint64_t *number)
{
    rw_octets text;
    rw_input digits;
    bool is_negative, fits;
    int status = rw_any_number(input, &text);
    if (status != 0) {
        return status;
    }
    digits = rw_input_of(text.octets, text.size);
    is_negative = rw_accept(&digits, "-", 1);
    text = rw_octets_of(digits.octets + digits.at, digits.end - digits.at);
    fits = rw_take_decimal(&digits, number) == 0;
    while (rw_is_digit(rw_next(&digits))) {
        digits.at++;
    }
    if (digits.at < digits.end) {
        return RW_JER_INTEGER;
    }
    if (fits && is_signed) {
        fits = *number == 0 || (is_negative ? *number - 1 : *number) >> 63 == 0;
    } else if (fits) {
        fits = *number == 0 || !is_negative;
    }
    if (!fits) {
        return (is_negative ? has_lower : has_upper) && !rw_is_wide(text, is_negative) ? RW_INTEGER_RANGE : RW_INTEGER_WIDTH;
    }
    *number = is_negative ? 0 - *number : *number;
    return 0;
}

/* So many characters of a string, all of an alphabet of ranges, without escapes; they stay where they are if `text` is NULL. */
static inline int rw_any_characters(rw_octets raw, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count,
    uint8_t *text, size_t most, size_t *used)
{
    rw_input rest = rw_input_of(raw.octets, raw.size);
    uint64_t characters = 0;
    while (rest.at < rest.end) {
        const uint32_t code = rw_next_character(&rest);
        if (++characters > upper) {
            return RW_SIZE_RANGE;
        }
        if (!rw_is_in(code, alphabet, count)) {
            return RW_TEXT_ALPHABET;
        }
        if (text != NULL && rw_push_character(code, text, most, used) != 0) {
            return RW_SIZE_CAPACITY;
        }
    }
    return characters < lower ? RW_SIZE_RANGE : 0;
}

static inline int rw_any_text(rw_input *input, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count, uint8_t *text,
    size_t most, uint32_t *size)
{
    size_t used = 0;
    rw_octets raw;
    int status = rw_any_string(input, &raw);
    if (status == 0) {
        status = rw_any_characters(raw, lower, upper, alphabet, count, text, most, &used);
    }
    *size = (uint32_t)used;
    return status;
}

/* The same without a bound, in memory of the caller if there are escapes. */
static inline int rw_any_new_text(rw_input *input, uint64_t lower, uint64_t upper, const uint32_t *alphabet, size_t count,
    rw_arena *arena, rw_text *text)
{
    uint8_t *octets = NULL;
    size_t used = 0;
    rw_octets raw;
    int status = rw_any_string(input, &raw);
    if (status == 0 && raw.size > 0 && memchr(raw.octets, '\\', raw.size) != NULL) {
        octets = (uint8_t *)rw_new(arena, raw.size);
        status = octets == NULL ? RW_MEMORY : 0;
    }
    if (status == 0) {
        status = rw_any_characters(raw, lower, upper, alphabet, count, octets, raw.size, &used);
    }
    if (octets != NULL) {
        arena->used -= raw.size - used;
        raw = rw_octets_of(octets, used);
    }
    *text = raw;
    return status;
}

/* The numbers of an object identifier in a string. */
static inline int rw_any_arcs(rw_octets raw, bool is_relative, rw_arena *arena, rw_octets *contents)
{
    const size_t before = arena->used;
    uint8_t *octets, *text;
    size_t used = 0, size = 0;
    int status;
    if (raw.size == 0 || memchr(raw.octets, '\\', raw.size) == NULL) {
        return rw_new_arcs(raw, is_relative, RW_JER_OID, arena, contents);
    }
    octets = (uint8_t *)rw_new(arena, raw.size);
    text = (uint8_t *)rw_new(arena, raw.size);
    if (octets == NULL || text == NULL) {
        return RW_MEMORY;
    }
    (void)rw_any_characters(raw, 0, UINT64_MAX, NULL, 0, text, raw.size, &size);
    status = rw_fill_arcs(rw_octets_of(text, size), is_relative, RW_JER_OID, octets, &used);
    *contents = rw_octets_of(octets, used);
    arena->used = before;
    (void)rw_new(arena, used);
    return status;
}

/* Whether the content of a string comes next as the value of its type (X.697). */
static inline bool rw_has_containing(const rw_input *input)
{
    rw_input rest = *input;
    rw_octets name;
    if (!rw_accept(&rest, "{", 1)) {
        return false;
    }
    rw_pass_space(&rest);
    return rw_next(&rest) == '"' && rw_pass_string(&rest, &name) == 0 && rw_is_text(&name, "containing");
}

/* A string of hexadecimal digits as octets, which stay in the input. */
static inline int rw_as_octets(rw_octets *raw)
{
    rw_input rest = rw_input_of(raw->octets, raw->size);
    size_t digits = 0;
    for (; rest.at < rest.end; digits++) {
        if (rw_nibble(rw_next_character(&rest)) > 15) {
            return RW_JER_HEX;
        }
    }
    raw->bit = digits == raw->size ? RW_DIGITS : RW_ESCAPED;
    raw->size = digits / 2;
    return digits % 2 != 0 ? RW_JER_HEX : 0;
}

/* So many octets as hexadecimal digits. */
static inline int rw_any_hex(rw_input *input, uint64_t lower, uint64_t upper, rw_octets *octets)
{
    int status = rw_any_string(input, octets);
    if (status == 0) {
        status = rw_as_octets(octets);
    }
    if (status != 0) {
        return status;
    }
    return octets->size < lower || octets->size > upper ? RW_SIZE_RANGE : 0;
}

/* The same for an OCTET STRING, or for an open type that nothing selects. */
static inline int rw_any_digits(rw_input *input, uint64_t lower, uint64_t upper, bool is_open, rw_octets *octets)
{
    if (is_open && rw_next(input) != '"') {
        return RW_JER_OPEN;
    }
    return rw_has_containing(input) ? RW_JER_CONTAINING : rw_any_hex(input, lower, upper, octets);
}

/* Whether the octets of an open type come next, although their type may be known. */
static inline bool rw_has_octets(const rw_input *input)
{
    rw_input rest = *input;
    rw_octets name;
    if (!rw_accept(&rest, "{", 1)) {
        return false;
    }
    rw_pass_space(&rest);
    return rw_pass_name(&rest, &name) == 0 && rw_is_text(&name, "...") && rw_next(&rest) == '"';
}

static inline int rw_any_open_octets(rw_input *input, rw_octets *octets)
{
    rw_octets name;
    int status;
    input->at++;
    rw_pass_space(input);
    status = rw_pass_name(input, &name);
    if (status == 0) {
        status = rw_any_hex(input, 0, UINT64_MAX, octets);
    }
    return status != 0 ? status : rw_only_member(input, RW_JER_OPEN);
}

/* The digits and the number of bits in the object of a bit string, in either order. */
static inline int rw_any_counted(rw_input *input, rw_octets *digits, uint64_t *size)
{
    bool has_digits = false, has_size = false;
    rw_octets name, text;
    if (rw_has_containing(input)) {
        return RW_JER_CONTAINING;
    }
    input->at++;
    while (rw_comes_more(input, '}')) {
        int status = rw_take_member(input, !has_digits && !has_size, &name);
        if (status != 0) {
            return status;
        }
        if (rw_is_text(&name, "value") && !has_digits) {
            has_digits = true;
            status = rw_any_string(input, digits);
        } else if (rw_is_text(&name, "length") && !has_size) {
            has_size = true;
            status = rw_any_number(input, &text);
            if (status == 0) {
                rw_input number = rw_input_of(text.octets, text.size);
                status = rw_take_decimal(&number, size) != 0 || number.at < number.end ? RW_VALUE_MISMATCH : 0;
            }
        } else {
            status = RW_JER_UNKNOWN;
        }
        if (status != 0) {
            return status;
        }
    }
    return has_digits && has_size ? 0 : RW_JER_MISSING;
}

/* Bits as digits, which stay in the input. Zeros at the end of more named bits than there may be are left out, and those that are
   missing stand for zeros. */
static inline int rw_any_bits(rw_input *input, uint64_t lower, uint64_t upper, bool is_trimmed, rw_bit_string *bits)
{
    rw_octets octets = rw_octets_of(input->octets, 0);
    uint64_t size = lower;
    int status;
    if (rw_next(input) == '{') {
        status = rw_any_counted(input, &octets, &size);
    } else {
        status = rw_any_string(input, &octets);
        status = status == 0 && lower != upper ? RW_JER_BITS : status;
    }
    if (status == 0) {
        status = rw_as_octets(&octets);
    }
    if (status != 0) {
        return status;
    }
    if (octets.size != size / 8 + (size % 8 > 0) || (size % 8 > 0 && (rw_octet(octets, octets.size - 1) & 0xffu >> size % 8) != 0)) {
        return RW_JER_BITS;
    }
    bits->octets = octets.octets;
    bits->bits = (size_t)size;
    bits->bit = octets.bit;
    while (is_trimmed && bits->bits > upper && rw_bit(bits, bits->bits - 1) == 0) {
        bits->bits--;
    }
    /* Zeros are added for up to 64K bits. */
    return bits->bits <= upper && (bits->bits >= lower || (is_trimmed && lower <= 65536)) ? 0 : RW_SIZE_RANGE;
}

static inline int rw_any_word_bits(rw_input *input, uint64_t lower, uint64_t upper, bool is_trimmed, rw_bits *word)
{
    rw_bit_string bits;
    int status = rw_any_bits(input, lower, upper, is_trimmed, &bits);
    if (status == 0) {
        status = rw_word_of(&bits, word);
    }
    if (status == 0 && word->bits < lower) {
        word->value = rw_shl(word->value, lower - word->bits);
        word->bits = (uint8_t)lower;
    }
    return status;
}

/* So many bits as a word, the first one highest. */
static inline int rw_any_flags(rw_input *input, uint64_t count, bool is_trimmed, uint64_t *word)
{
    rw_bits bits;
    const int status = rw_any_word_bits(input, count, count, is_trimmed, &bits);
    *word = status != 0 ? 0 : rw_shl(bits.value, 64 - count);
    return status;
}

/* The number in a name such as ...3, under which what has no name is kept. */
static inline bool rw_is_reserved(const rw_octets *name, uint64_t *index)
{
    char text[14];
    rw_input rest = rw_input_of(name->octets, name->size), digits;
    size_t at = 0;
    while (rest.at < rest.end && at < sizeof text) {
        const uint32_t code = rw_next_character(&rest);
        text[at++] = code < 0x80 ? (char)code : 0;
    }
    digits = rw_input_of((const uint8_t *)text, at);
    return rest.at == rest.end && rw_accept(&digits, "...", 3) && rw_take_decimal(&digits, index) == 0 && digits.at == digits.end
        && *index <= UINT32_MAX;
}

/* The number N in a name ...(N), under which an item is kept of which only the number is known. It has up to 30 bits and a sign. */
static inline bool rw_is_numbered(const rw_octets *name, int32_t *number)
{
    char text[20];
    rw_input rest = rw_input_of(name->octets, name->size), digits;
    size_t at = 0;
    uint64_t magnitude;
    bool is_negative;
    while (rest.at < rest.end && at < sizeof text) {
        const uint32_t code = rw_next_character(&rest);
        text[at++] = code < 0x80 ? (char)code : 0;
    }
    digits = rw_input_of((const uint8_t *)text, at);
    if (rest.at != rest.end || !rw_accept(&digits, "...(", 4)) {
        return false;
    }
    is_negative = rw_accept(&digits, "-", 1);
    /* There is no minus zero. */
    if (rw_take_decimal(&digits, &magnitude) != 0 || (is_negative ? magnitude - 1 : magnitude) >> 30 != 0) {
        return false;
    }
    *number = is_negative ? -(int32_t)magnitude : (int32_t)magnitude;
    return rw_accept(&digits, ")", 1) && digits.at == digits.end;
}

/* An item by its name. One of a later version has its number, or its index: if there may be some, `known` is how many additions
   there are, otherwise it is UINT64_MAX. */
static inline int rw_any_item(
    rw_input *input, const char *const *names, size_t count, uint64_t known, uint64_t *at, int32_t *later)
{
    rw_octets name;
    const int status = rw_any_string(input, &name);
    uint64_t index;
    if (status != 0) {
        return status;
    }
    *at = rw_find_name(&name, names, count);
    if (*at < count || (known < UINT64_MAX && rw_is_numbered(&name, later))) {
        return 0;
    }
    if (known == UINT64_MAX || !rw_is_reserved(&name, &index) || index < known) {
        return RW_JER_ITEM;
    }
    *later = RW_LATER(index & 0x3fffffffu);
    return index >> 30 == 0 ? 0 : RW_INTEGER_WIDTH;
}

/* Writes the name of an item of a later version. */
static inline int rw_put_later_label(rw_writer *writer, int64_t item, uint64_t known, int code)
{
    const bool is_number = item >= -(INT64_C(1) << 30);
    if (item >> 30 > 0 || item < INT32_MIN || (!is_number && (uint64_t)(item - INT32_MIN) < known)) {
        return code;
    }
    if (rw_put_literal(writer, is_number ? "\"...(" : "\"...", is_number ? 5 : 4) != 0) {
        return RW_OUTPUT_FULL;
    }
    if (rw_put_signed_decimal(writer, (uint64_t)(is_number ? item : item - INT32_MIN)) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_literal(writer, is_number ? ")\"" : "\"", is_number ? 2 : 1);
}

/* A member or an alternative that has this name, which is not known: the octets of one with a number, the text of others. */
static inline int rw_take_unnamed(rw_input *input, const rw_octets *name, uint64_t known, int code, rw_addition *other)
{
    const uint8_t *const start = name->octets - 1;
    uint64_t index = known;
    int status;
    if (rw_is_reserved(name, &index)) {
        if (index < known) {
            return code;
        }
        status = rw_any_hex(input, 0, UINT64_MAX, &other->octets);
    } else {
        status = rw_pass_json(input);
        other->octets = rw_octets_of(start, (size_t)(input->octets + input->at - start));
    }
    other->index = (uint32_t)index;
    return status;
}

static inline int rw_keep_member(rw_input *input, const rw_octets *name, uint64_t known, rw_kept *kept)
{
    rw_addition other;
    const int status = rw_take_unnamed(input, name, known, RW_JER_UNKNOWN, &other);
    if (status != 0) {
        return status;
    }
    if (kept->count >= RW_KEPT) {
        return RW_KEPT_FULL;
    }
    kept->items[kept->count++] = other;
    return 0;
}

/* The place of a member that is kept: those with numbers come first. */
static inline uint64_t rw_rank(const rw_addition *one)
{
    return one->octets.bit >= RW_DIGITS ? one->index : UINT64_MAX;
}

/* Puts members that are kept into their order, and numbers those that have no number. */
static inline int rw_settle_members(rw_kept *kept, uint64_t known)
{
    uint32_t at;
    for (at = 1; at < kept->count; at++) {
        const rw_addition one = kept->items[at];
        uint32_t to = at;
        for (; to > 0 && rw_rank(&kept->items[to - 1]) > rw_rank(&one); to--) {
            kept->items[to] = kept->items[to - 1];
        }
        kept->items[to] = one;
    }
    for (at = 0; at < kept->count; at++, known++) {
        if (kept->items[at].octets.bit < RW_DIGITS) {
            kept->items[at].index = (uint32_t)known;
        } else if (kept->items[at].index < known) {
            return RW_JER_DUPLICATE;
        }
        known = kept->items[at].index;
    }
    return 0;
}

/* Whether octets are the text of a member that has none of some names. */
static inline bool rw_is_member(rw_octets octets, const char *const *names, size_t count)
{
    rw_input rest = rw_input_of(octets.octets, octets.size);
    rw_octets name;
    uint64_t index;
    return octets.bit == 0 && rw_pass_name(&rest, &name) == 0 && rw_pass_json(&rest) == 0 && rest.at == rest.end
        && !rw_is_reserved(&name, &index) && rw_find_name(&name, names, count) == count;
}

/* Writes a member or an alternative that is not known; names are those of the known ones. */
static inline int rw_put_unnamed(rw_writer *writer, const rw_addition *other, uint64_t known, const char *const *names, size_t count)
{
    if (other->index < known) {
        return RW_KEPT_ORDER;
    }
    if (rw_is_member(other->octets, names, count)) {
        return rw_put_octets_whole(writer, other->octets);
    }
    if (rw_put_literal(writer, "\"...", 4) != 0 || rw_put_decimal(writer, other->index) != 0 || rw_put_literal(writer, "\":", 2) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_put_digits(writer, other->octets);
}

/* The same for members, each after a comma. */
static inline int rw_put_members(rw_writer *writer, const rw_kept *kept, uint64_t known, const char *const *names, size_t count)
{
    uint32_t at;
    if (!rw_kept_ascend(kept, known)) {
        return RW_KEPT_ORDER;
    }
    for (at = 0; at < kept->count; at++) {
        if (rw_put_character(writer, ',') != 0 || rw_put_unnamed(writer, &kept->items[at], known, names, count) != 0) {
            return RW_OUTPUT_FULL;
        }
    }
    return 0;
}
