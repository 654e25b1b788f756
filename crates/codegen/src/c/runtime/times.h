/* Times of X.680 clauses 38, 46 and 47 as text. */

/* Writes the digits of a text that has the form of a pattern, in which zeros stand for digits (X.690 clause 8.26). */
RW_MANY int rw_put_time_digits(rw_writer *writer, uint64_t tag, rw_text text, const char *pattern)
{
    uint8_t digits[32] = {0};
    size_t at, count = 0;
    for (at = 0; at < text.size && pattern[at] != 0; at++) {
        const uint8_t octet = rw_octet(text, at);
        const bool is_digit = pattern[at] == '0';
        if (is_digit ? octet < '0' || octet > '9' : octet != (uint8_t)pattern[at]) {
            return RW_TEXT_FORM;
        }
        if (is_digit && count < sizeof digits) {
            digits[count++] = octet;
        }
    }
    if (at < text.size || pattern[at] != 0) {
        return RW_TEXT_FORM;
    }
    return rw_put_string(writer, tag, rw_octets_of(digits, count));
}

/* Reads such digits. */
RW_MANY int rw_take_time_digits(rw_octets octets, const char *pattern, rw_arena *arena, rw_text *text)
{
    const size_t size = strlen(pattern);
    uint8_t *out = (uint8_t *)rw_new(arena, size);
    size_t at, count = 0;
    if (out == NULL) {
        return RW_MEMORY;
    }
    for (at = 0; at < size; at++) {
        const bool is_digit = pattern[at] == '0';
        if (is_digit && (count == octets.size || octets.octets[count] < '0' || octets.octets[count] > '9')) {
            return RW_TEXT_FORM;
        }
        out[at] = is_digit ? octets.octets[count] : (uint8_t)pattern[at];
        count += is_digit ? 1 : 0;
    }
    *text = rw_octets_of(out, size);
    return count == octets.size ? 0 : RW_TEXT_FORM;
}

/* A duration, without its first letter (clause 8.26.4). */
RW_MANY int rw_put_duration(rw_writer *writer, uint64_t tag, rw_text text)
{
    if (text.size == 0 || rw_octet(text, 0) != 'P') {
        return RW_TEXT_FORM;
    }
    if (!rw_all_between(text, 0x20, 0x7e)) {
        return RW_TEXT_ALPHABET;
    }
    return rw_put_front(writer, tag, text.size - 1) != 0 ? RW_OUTPUT_FULL : rw_put_some(writer, text, 1, text.size - 1);
}

RW_MANY int rw_take_duration(rw_octets octets, rw_arena *arena, rw_text *text)
{
    uint8_t *out;
    if (!rw_all_between(octets, 0x20, 0x7e)) {
        return RW_TEXT_ALPHABET;
    }
    out = (uint8_t *)rw_new(arena, octets.size + 1);
    if (out == NULL) {
        return RW_MEMORY;
    }
    out[0] = 'P';
    rw_copy(octets, out + 1);
    *text = rw_octets_of(out, octets.size + 1);
    return 0;
}

/* The parts of UTCTime and GeneralizedTime. */
typedef struct rw_time {
    int32_t year;
    int32_t month;
    int32_t day;
    int32_t minutes; /* since midnight, in UTC */
    int32_t second;
    size_t fraction; /* where its digits begin, and where they end */
    size_t end;
} rw_time;

/* The number in two digits from a place on; 0 without them. */
static inline int32_t rw_two_digits(rw_text text, size_t at)
{
    return at + 2 > text.size ? 0 : (rw_octet(text, at) - '0') * 10 + (rw_octet(text, at + 1) - '0');
}

/* The number of days of a month. A year of two digits is from 1950 to 2049, where 2000 is a leap year. */
static inline int32_t rw_days(int32_t year, int32_t month, bool has_century)
{
    const bool is_leap = year % 4 == 0 && (!has_century || year % 100 != 0 || year % 400 == 0);
    if (month == 2) {
        return is_leap ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* The local time before a zone, and how many minutes it is ahead of UTC. */
RW_MANY bool rw_split_zone(rw_text text, rw_text *local, int32_t *ahead)
{
    size_t at = 0;
    int32_t hours, minutes;
    *ahead = 0;
    *local = text;
    if (text.size > 0 && rw_octet(text, text.size - 1) == 'Z') {
        local->size--;
        return true;
    }
    while (at < text.size && rw_octet(text, at) != '+' && rw_octet(text, at) != '-') {
        at++;
    }
    if (text.size - at != 3 && text.size - at != 5) {
        return false;
    }
    local->size = at;
    for (at++; at < text.size; at++) {
        if (rw_octet(text, at) < '0' || rw_octet(text, at) > '9') {
            return false;
        }
    }
    hours = rw_two_digits(text, local->size + 1);
    minutes = rw_two_digits(text, local->size + 3);
    *ahead = rw_octet(text, local->size) == '-' ? -(hours * 60 + minutes) : hours * 60 + minutes;
    return hours < 24 && minutes < 60;
}

/* Reads a time; false if it has another form, or is a local one. */
RW_MANY bool rw_time_of(rw_text text, bool has_century, rw_time *time)
{
    const size_t year = has_century ? 4 : 2;
    int32_t ahead;
    rw_text local;
    size_t whole = 0, at;
    if (!rw_split_zone(text, &local, &ahead)) {
        return false;
    }
    while (whole < local.size && rw_octet(local, whole) != '.' && rw_octet(local, whole) != ',') {
        whole++;
    }
    time->fraction = whole < local.size ? whole + 1 : whole;
    time->end = local.size;
    for (at = 0; at < local.size; at++) {
        if (at != whole && (rw_octet(local, at) < '0' || rw_octet(local, at) > '9')) {
            return false;
        }
    }
    /* A fraction of an hour or a minute is not changed. */
    if (whole < year + 6 || whole > year + 10 || whole % 2 != 0 || (time->fraction < time->end && whole < year + 10)) {
        return false;
    }
    local.size = whole;
    time->year = has_century ? rw_two_digits(local, 0) * 100 + rw_two_digits(local, 2) : rw_two_digits(local, 0);
    time->month = rw_two_digits(local, year);
    time->day = rw_two_digits(local, year + 2);
    time->minutes = rw_two_digits(local, year + 4) * 60 + rw_two_digits(local, year + 6) - ahead;
    time->second = rw_two_digits(local, year + 8);
    return time->month >= 1 && time->month <= 12 && time->day >= 1 && time->day <= rw_days(time->year, time->month, has_century)
        && rw_two_digits(local, year + 4) < 24 && rw_two_digits(local, year + 6) < 60 && time->second < 60;
}

/* Moves a time that is before or after its day into another one; false if the year has other digits then. */
RW_MANY bool rw_settle_time(rw_time *time, bool has_century)
{
    const int32_t day = 1440;
    if (time->minutes < 0) {
        time->minutes += day;
        time->day--;
        if (time->day < 1) {
            time->month--;
            if (time->month < 1) {
                time->month = 12;
                time->year--;
            }
            time->day += rw_days(time->year, time->month, has_century);
        }
    } else if (time->minutes >= day) {
        time->minutes -= day;
        time->day++;
        if (time->day > rw_days(time->year, time->month, has_century)) {
            time->day = 1;
            time->month++;
            if (time->month > 12) {
                time->month = 1;
                time->year++;
            }
        }
    }
    if (!has_century) {
        time->year = (time->year + 100) % 100;
    }
    return time->year >= 0 && time->year < 10000;
}

/* The canonical form of a time (clauses 11.7 and 11.8): seconds, no zeros at the end of a fraction, UTC. Returns how many octets
   it has; 0 if the text is not changed. */
RW_MANY size_t rw_canonical_time(rw_text text, bool has_century, uint8_t *out, size_t most)
{
    rw_time time;
    int32_t parts[6];
    size_t at = 0, part, digit;
    if (!rw_time_of(text, has_century, &time) || !rw_settle_time(&time, has_century)) {
        return 0;
    }
    while (time.end > time.fraction && rw_octet(text, time.end - 1) == '0') {
        time.end--;
    }
    if (time.end - time.fraction + (has_century ? 16 : 14) > most) {
        return 0;
    }
    parts[0] = time.year % 100;
    parts[1] = time.month;
    parts[2] = time.day;
    parts[3] = time.minutes / 60;
    parts[4] = time.minutes % 60;
    parts[5] = time.second;
    if (has_century) {
        out[at++] = (uint8_t)('0' + time.year / 1000);
        out[at++] = (uint8_t)('0' + time.year / 100 % 10);
    }
    for (part = 0; part < 6; part++) {
        out[at++] = (uint8_t)('0' + parts[part] / 10);
        out[at++] = (uint8_t)('0' + parts[part] % 10);
    }
    if (time.end > time.fraction) {
        out[at++] = '.';
    }
    for (digit = time.fraction; digit < time.end; digit++) {
        out[at++] = rw_octet(text, digit);
    }
    out[at++] = 'Z';
    return at;
}

/* Writes a time in its canonical form if it has one; a string in segments if `segment` is not 0. */
RW_MANY int rw_put_time(rw_writer *writer, uint32_t identifier, uint32_t segment, rw_text text, bool has_century)
{
    uint8_t canonical[40] = {0};
    size_t size;
    rw_octets octets = text;
    if (!rw_all_between(text, 0x20, 0x7e)) {
        return RW_TEXT_ALPHABET;
    }
    size = rw_canonical_time(text, has_century, canonical, sizeof canonical);
    if (size > 0) {
        octets = rw_octets_of(canonical, size);
    }
    return segment != 0 ? rw_put_any_string(writer, identifier, segment, octets) : rw_put_string(writer, identifier, octets);
}
