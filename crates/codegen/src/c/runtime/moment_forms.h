/* Times as records of numbers (X.691 clause 32, X.696 clause 29), by tables. */

/* The kinds of forms. */
enum {
    RW_FORM_WORD,      /* a number of so many bits */
    RW_FORM_INTEGER,   /* a number after the number of its octets */
    RW_FORM_EXTENSION, /* a bit, and one of two forms of a number: `first`, or `count` beyond its bounds */
    RW_FORM_RECORD,    /* so many presence bits, `padding`, and parts */
    RW_FORM_CHOICE     /* the index of a part */
};

typedef struct rw_form {
    uint8_t kind;
    uint8_t slot;    /* the number, or that of the alternative */
    uint8_t bits;
    uint8_t padding;
    bool is_aligned;
    bool is_signed;
    uint16_t first;  /* the first part */
    uint16_t count;
    int64_t offset;  /* what is subtracted from a number */
    int64_t lower;
    int64_t upper;
} rw_form;

typedef struct rw_form_part {
    uint16_t step; /* its name in the path of an error */
    uint16_t form;
    uint8_t number;   /* of an alternative */
    uint8_t presence; /* the number that is there if the part is, or RW_ALWAYS */
    uint8_t point;    /* where the point of time that it belongs to begins, or RW_SAME_POINT */
} rw_form_part;

#define RW_ALWAYS 255
#define RW_SAME_POINT 255

/* The form of a time type, its rows, and the settings that its values have. */
typedef struct rw_time_form {
    const rw_form *forms;
    const rw_form_part *parts;
    const uint32_t *settings;
    size_t numbers;
    uint8_t row;
    uint8_t date;
    uint8_t clock;
    bool is_whole;   /* whole octets */
    bool is_aligned; /* whether the numbers of octets are */
} rw_time_form;

/* How many records and choices are inside of each other. */
#define RW_FORM_LEVELS 8

/* A record or a choice, of which parts are left. */
typedef struct rw_form_level {
    size_t next;
    size_t end;
    uint64_t presence; /* the next bit is the highest */
    uint8_t point;
    bool is_inside;
} rw_form_level;

/* A time that is written or read. */
typedef struct rw_form_walk {
    const rw_time_form *of;
    rw_moment *moment;
    rw_writer *writer; /* NULL of a decoder */
    rw_reader *reader; /* NULL of an encoder */
    rw_error *error;   /* NULL where nobody asks */
    rw_form_level levels[RW_FORM_LEVELS];
    size_t depth;
} rw_form_walk;

static inline size_t rw_slot_of(uint8_t slot, uint8_t point)
{
    return slot < RW_POINT ? (size_t)slot + point : slot;
}

/* A number of a time. */
static inline int64_t rw_number_in(const rw_moment *moment, uint8_t slot, uint8_t point)
{
    if (slot == RW_AT_DIFFERENCE) {
        const int64_t *const at = moment->at + point;
        const int64_t minutes = at[RW_AT_HOURS_AHEAD] * 60 + at[RW_AT_MINUTES_AHEAD];
        return at[RW_AT_IS_BEHIND] != 0 ? -minutes : minutes;
    }
    return moment->at[rw_slot_of(slot, point)];
}

static inline void rw_set_number_in(rw_moment *moment, uint8_t slot, uint8_t point, int64_t number)
{
    if (slot == RW_AT_DIFFERENCE) {
        const int64_t minutes = number < 0 ? -number : number;
        moment->at[point + RW_AT_IS_BEHIND] = number < 0 ? 1 : 0;
        moment->at[point + RW_AT_HOURS_AHEAD] = minutes / 60;
        if (minutes % 60 > 0) {
            rw_moment_set(moment, (size_t)point + RW_AT_MINUTES_AHEAD, minutes % 60);
        }
        return;
    }
    rw_moment_set(moment, rw_slot_of(slot, point), number);
    /* A row of dates or of times of day that a value itself has. */
    if (slot == RW_AT_ROW && number < RW_ROW_DATE_TIME) {
        moment->at[number < RW_ROW_CLOCKS ? RW_AT_DATE_ROW : RW_AT_CLOCK_ROW] = number;
    }
}

static inline int rw_form_put(const rw_form_walk *walk, uint64_t word, uint32_t bits, bool is_aligned)
{
    const int status = is_aligned ? rw_align(walk->writer) : 0;
    word = bits < 64 ? word & ((UINT64_C(1) << bits) - 1) : word;
    return status != 0 ? status : walk->of->is_whole ? rw_put_whole(walk->writer, word, bits) : rw_put_wide(walk->writer, word, bits);
}

static inline int rw_form_take(const rw_form_walk *walk, uint32_t bits, bool is_aligned, uint64_t *word)
{
    const int status = is_aligned ? rw_skip_padding(walk->reader) : 0;
    return status != 0 ? status : rw_take_wide(walk->reader, bits, word);
}

/* A number after the number of its octets. */
RW_APART int rw_put_form_integer(const rw_form_walk *walk, const rw_form *form, uint64_t word)
{
    const int status = walk->of->is_aligned ? rw_align(walk->writer) : 0;
    const uint64_t octets = form->is_signed ? rw_signed_octets(word) : rw_octets_below(word) + 1;
    if (status != 0 || rw_form_put(walk, octets, 8, false) != 0) {
        return RW_OUTPUT_FULL;
    }
    return rw_form_put(walk, word, (uint32_t)octets * 8, false);
}

RW_APART int rw_take_form_integer(const rw_form_walk *walk, const rw_form *form, int64_t *number)
{
    uint64_t word = 0;
    int status = walk->of->is_aligned ? rw_skip_padding(walk->reader) : 0;
    if (status == 0) {
        status = !walk->of->is_whole ? rw_take_long(walk->reader, form->is_signed, &word)
            : form->is_signed ? rw_take_counted_signed(walk->reader, &word) : rw_take_counted_unsigned(walk->reader, &word);
    }
    status = status == 0 && !form->is_signed ? rw_above(form->offset, &word) : status;
    if (status == 0 && !form->is_signed && word > INT64_MAX) {
        return form->upper < INT64_MAX ? RW_INTEGER_RANGE : RW_INTEGER_WIDTH;
    }
    *number = rw_signed(word);
    return status;
}

/* A number in one of its forms. */
RW_APART int rw_put_form_number(const rw_form_walk *walk, const rw_form *form, uint8_t point)
{
    const int64_t number = rw_number_in(walk->moment, form->slot, point);
    if (form->kind == RW_FORM_EXTENSION) {
        const rw_form *const root = &walk->of->forms[form->first];
        const bool is_beyond = !rw_is_between(number, root->lower, root->upper);
        if (rw_form_put(walk, is_beyond ? 1 : 0, 1, false) != 0) {
            return RW_OUTPUT_FULL;
        }
        form = is_beyond ? &walk->of->forms[form->count] : root;
    }
    if (!rw_is_between(number, form->lower, form->upper)) {
        return RW_INTEGER_RANGE;
    }
    return form->kind == RW_FORM_WORD ? rw_form_put(walk, (uint64_t)number - (uint64_t)form->offset, form->bits, form->is_aligned)
        : rw_put_form_integer(walk, form, (uint64_t)number - (uint64_t)form->offset);
}

RW_APART int rw_take_form_number(const rw_form_walk *walk, const rw_form *form, uint8_t point)
{
    const uint8_t slot = form->slot;
    uint64_t word = 0;
    int64_t number = 0;
    int status = 0;
    if (form->kind == RW_FORM_EXTENSION) {
        status = rw_form_take(walk, 1, false, &word);
        if (status != 0) {
            return status;
        }
        form = &walk->of->forms[word != 0 ? form->count : form->first];
    }
    if (form->kind == RW_FORM_WORD) {
        status = rw_form_take(walk, form->bits, form->is_aligned, &word);
        if (form->is_signed && form->bits < 64 && word >> (form->bits - 1) != 0) {
            word |= UINT64_MAX << form->bits;
        }
        number = rw_signed(word + (uint64_t)form->offset);
    } else {
        status = rw_take_form_integer(walk, form, &number);
    }
    if (status != 0 || !rw_is_between(number, form->lower, form->upper)) {
        return status != 0 ? status : RW_INTEGER_RANGE;
    }
    rw_set_number_in(walk->moment, slot, point, number);
    return 0;
}

/* The presence bits of a record, or the index of a choice. */
RW_APART int rw_put_form_front(const rw_form_walk *walk, const rw_form *form, rw_form_level *level)
{
    const rw_form_part *const parts = walk->of->parts + form->first;
    uint64_t bits = 0;
    uint16_t at;
    if (form->kind == RW_FORM_CHOICE) {
        const int64_t number = rw_number_in(walk->moment, form->slot, level->point);
        for (at = 0; at < form->count && parts[at].number != number; at++) {
        }
        if (at == form->count) {
            return RW_CHOICE_INDEX;
        }
        level->next += at;
        level->end = level->next + 1;
        return rw_form_put(walk, at, form->bits, form->is_aligned);
    }
    for (at = 0; at < form->count; at++) {
        if (parts[at].presence != RW_ALWAYS) {
            bits = bits << 1 | (rw_moment_has(walk->moment, rw_slot_of(parts[at].presence, level->point)) ? 1 : 0);
        }
    }
    level->presence = rw_shl(bits, 64u - form->bits);
    return rw_form_put(walk, bits << form->padding, (uint32_t)form->bits + form->padding, false);
}

RW_APART int rw_take_form_front(const rw_form_walk *walk, const rw_form *form, rw_form_level *level)
{
    uint64_t bits;
    if (form->kind == RW_FORM_CHOICE) {
        if (rw_form_take(walk, form->bits, form->is_aligned, &bits) != 0) {
            return RW_INPUT_TRUNCATED;
        }
        if (bits >= form->count) {
            return RW_CHOICE_INDEX;
        }
        level->next += (size_t)bits;
        level->end = level->next + 1;
        rw_set_number_in(walk->moment, form->slot, level->point, walk->of->parts[level->next].number);
        return 0;
    }
    if (rw_form_take(walk, (uint32_t)form->bits + form->padding, false, &bits) != 0) {
        return RW_INPUT_TRUNCATED;
    }
    level->presence = rw_shl(bits >> form->padding, 64u - form->bits);
    return 0;
}

/* A form: of a record or a choice what is before its parts, which come next. */
RW_APART int rw_form_begin(rw_form_walk *walk, const rw_form *form, uint8_t point)
{
    rw_form_level level = {form->first, 0, 0, point, false};
    int status;
    if (form->kind < RW_FORM_RECORD) {
        return walk->writer != NULL ? rw_put_form_number(walk, form, point) : rw_take_form_number(walk, form, point);
    }
    level.end = level.next + form->count;
    status = walk->writer != NULL ? rw_put_form_front(walk, form, &level) : rw_take_form_front(walk, form, &level);
    if (status == 0 && walk->depth == RW_FORM_LEVELS) {
        status = RW_LIMIT_DEPTH;
    }
    if (status == 0) {
        walk->levels[walk->depth++] = level;
    }
    return status;
}

static inline void rw_form_leave(const rw_form_walk *walk, rw_form_level *level)
{
    if (level->is_inside && walk->error != NULL) {
        if (walk->writer != NULL) {
            rw_leave_written(walk->error, walk->writer);
        } else {
            rw_leave_read(walk->error, walk->reader);
        }
    }
    level->is_inside = false;
}

static inline void rw_form_enter(const rw_form_walk *walk, rw_form_level *level, uint32_t step)
{
    if (walk->error != NULL) {
        if (walk->writer != NULL) {
            rw_enter_written(walk->error, step, walk->writer);
        } else {
            rw_enter_read(walk->error, step, walk->reader);
        }
    }
    level->is_inside = true;
}

/* All numbers of a time, in the order of its form. */
RW_APART int rw_walk_form(rw_form_walk *walk)
{
    int status = rw_form_begin(walk, walk->of->forms, 0);
    while (status == 0 && walk->depth > 0) {
        rw_form_level *const level = &walk->levels[walk->depth - 1];
        const rw_form_part *part;
        bool is_there = true;
        rw_form_leave(walk, level);
        if (level->next == level->end) {
            walk->depth--;
            continue;
        }
        part = &walk->of->parts[level->next++];
        if (part->presence != RW_ALWAYS) {
            is_there = level->presence >> 63 != 0;
            level->presence <<= 1;
        }
        if (is_there) {
            rw_form_enter(walk, level, part->step);
            status = rw_form_begin(walk, &walk->of->forms[part->form], part->point == RW_SAME_POINT ? level->point : part->point);
        }
    }
    return status;
}

static inline rw_form_walk rw_form_walk_of(const rw_time_form *of, rw_moment *moment, rw_error *error)
{
    rw_form_walk walk;
    walk.of = of;
    walk.moment = moment;
    walk.writer = NULL;
    walk.reader = NULL;
    walk.error = error;
    walk.depth = 0;
    return walk;
}

/* The numbers of a text. */
RW_APART int rw_put_moment(rw_writer *writer, rw_text text, const rw_time_form *of, rw_error *error)
{
    rw_moment moment;
    rw_form_walk walk = rw_form_walk_of(of, &moment, error);
    size_t first;
    bool is_one = rw_read_moment(text, &moment);
    int status;
    if (is_one && of->row != RW_ROW_NONE) {
        first = rw_first_point(&moment);
        is_one = moment.at[RW_AT_ROW] == of->row
            && (first == RW_AT_ROW ? RW_ROW_NONE : moment.at[first + RW_AT_DATE_ROW]) == of->date
            && (first == RW_AT_ROW ? RW_ROW_NONE : moment.at[first + RW_AT_CLOCK_ROW]) == of->clock;
    }
    if (!is_one || !rw_admits_moment(&moment, of->settings, of->numbers)) {
        return RW_TEXT_FORM;
    }
    walk.writer = writer;
    status = rw_walk_form(&walk);
    /* Numbers that are each in range may still not be a valid time. */
    return status == 0 && !rw_is_whole_moment(&moment) ? RW_TEXT_FORM : status;
}

/* The text of numbers, in memory of the caller. */
RW_APART int rw_take_moment(rw_reader *reader, const rw_time_form *of, rw_arena *arena, rw_text *text, rw_error *error)
{
    rw_moment moment = rw_moment_of(of->row, of->date, of->clock);
    rw_form_walk walk = rw_form_walk_of(of, &moment, error);
    rw_time_text written;
    uint8_t *out;
    int status;
    walk.reader = reader;
    status = rw_walk_form(&walk);
    if (status != 0) {
        return status;
    }
    if (!rw_is_whole_moment(&moment) || !rw_admits_moment(&moment, of->settings, of->numbers)) {
        return RW_TIME_NUMBERS;
    }
    rw_write_moment(&moment, &written);
    out = (uint8_t *)rw_new(arena, written.size);
    if (out == NULL) {
        return RW_MEMORY;
    }
    memcpy(out, written.octets, written.size);
    *text = rw_octets_of(out, written.size);
    return 0;
}

/* The text of a time in its canonical form, after its length in octet rules. */
RW_APART int rw_put_moment_text(rw_writer *writer, rw_text text, const uint32_t *settings, size_t numbers)
{
    rw_moment moment;
    rw_time_text written;
    if (!rw_is_moment(text, settings, numbers, &moment)) {
        return RW_TEXT_FORM;
    }
    rw_write_moment(&moment, &written);
    return rw_put_counted(writer, rw_octets_of(written.octets, written.size));
}

static inline int rw_check_moment(rw_text text, const uint32_t *settings, size_t numbers)
{
    rw_moment moment;
    return rw_is_moment(text, settings, numbers, &moment) ? 0 : RW_TEXT_FORM;
}

/* The same after a tag (X.690 clause 8.26), canonical if the rules have such a form. */
RW_APART int rw_put_time_value(rw_writer *writer, uint64_t tag, rw_text text, const uint32_t *settings, size_t numbers, bool is_canonical)
{
    rw_moment moment;
    rw_time_text written;
    if (!rw_is_moment(text, settings, numbers, &moment)) {
        return RW_TEXT_FORM;
    }
    if (!is_canonical) {
        return rw_put_string(writer, tag, text);
    }
    rw_write_moment(&moment, &written);
    return rw_put_string(writer, tag, rw_octets_of(written.octets, written.size));
}
