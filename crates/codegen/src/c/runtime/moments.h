/* The times of X.680 clause 38: text of ISO 8601, and the numbers that it is made of. The row of X.691 table 2 that a value belongs
   to, from 0 on, says which numbers it has. */

/* The first rows of each kind: dates, times of day, those with a fraction, both, start and end, durations, start and duration,
   duration and end, and the same as a recurring interval. */
#define RW_ROW_CLOCKS 14
#define RW_ROW_FRACTIONS 23
#define RW_ROW_DATE_TIME 32
#define RW_ROW_START_END 33
#define RW_ROW_DURATION 36
#define RW_ROW_START_DURATION 37
#define RW_ROW_DURATION_END 40
#define RW_ROW_RECURRING 43
#define RW_ROW_NONE 255

/* The places of numbers. Those of a point of time are there twice: an interval has two. */
enum {
    RW_AT_CENTURY, RW_AT_YEAR, RW_AT_MONTH, RW_AT_WEEK, RW_AT_DAY, RW_AT_HOURS, RW_AT_MINUTES, RW_AT_SECONDS,
    RW_AT_FRACTION, /* the digits after a point as a number, and how many there are */
    RW_AT_DIGITS,
    RW_AT_IS_BEHIND,        /* the difference from UTC: its sign, hours and minutes */
    RW_AT_HOURS_AHEAD, RW_AT_MINUTES_AHEAD,
    RW_AT_DATE_ROW, RW_AT_CLOCK_ROW,
    RW_AT_YEARS,            /* the range of years that a year was read from, or that it belongs to */
    RW_POINT,            /* how many these are */
    RW_AT_ROW = 2 * RW_POINT,
    RW_AT_RECURRENCE,
    RW_AT_DURATION,         /* years, months, weeks, days, hours, minutes, seconds */
    RW_AT_DURATION_DIGITS = RW_AT_DURATION + 7,
    RW_AT_DURATION_FRACTION,
    RW_MOMENT,           /* how many there are */
    RW_AT_DIFFERENCE        /* in place of the three numbers of a difference: minutes */
};

/* The numbers of a time; of those that may be absent, a bit says whether they are there. */
typedef struct rw_moment {
    int64_t at[RW_MOMENT];
    uint64_t has;
} rw_moment;

/* The most digits of a number. */
#define RW_MOST_DIGITS 18

/* The most octets of the text of a time. */
#define RW_TIME_TEXT 256

/* A time without its numbers, with its row, and those of its dates and times of day. */
static inline rw_moment rw_moment_of(uint8_t row, uint8_t date, uint8_t clock)
{
    rw_moment moment;
    size_t at;
    for (at = 0; at < RW_MOMENT; at++) {
        moment.at[at] = 0;
    }
    moment.has = 0;
    moment.at[RW_AT_ROW] = row;
    for (at = 0; at < RW_AT_ROW; at += RW_POINT) {
        moment.at[at + RW_AT_MONTH] = 1;
        moment.at[at + RW_AT_WEEK] = 1;
        moment.at[at + RW_AT_DAY] = 1;
        moment.at[at + RW_AT_DATE_ROW] = date;
        moment.at[at + RW_AT_CLOCK_ROW] = clock;
        moment.at[at + RW_AT_YEARS] = -1;
    }
    return moment;
}

static inline bool rw_moment_has(const rw_moment *moment, size_t slot)
{
    return (moment->has >> slot & 1) != 0;
}

static inline void rw_moment_set(rw_moment *moment, size_t slot, int64_t number)
{
    moment->at[slot] = number;
    moment->has |= UINT64_C(1) << slot;
}

/* 10 to a power of at most 18. */
static inline int64_t rw_power_of_10(int64_t power)
{
    int64_t number = 1;
    for (; power > 0; power--) {
        number *= 10;
    }
    return number;
}

static inline size_t rw_digits_of(int64_t number)
{
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    size_t digits = 1;
    for (; left > 9; left /= 10) {
        digits++;
    }
    return digits;
}

/* The kind of the interval that a row is: RW_ROW_START_END, RW_ROW_DURATION, RW_ROW_START_DURATION or RW_ROW_DURATION_END; 0 if it
   is none. */
static inline int64_t rw_interval_of(int64_t row)
{
    row -= row >= RW_ROW_RECURRING ? RW_ROW_RECURRING - RW_ROW_START_END : 0;
    return row < RW_ROW_START_END ? 0 : row < RW_ROW_DURATION ? RW_ROW_START_END : row < RW_ROW_START_DURATION ? RW_ROW_DURATION
        : row < RW_ROW_DURATION_END ? RW_ROW_START_DURATION : RW_ROW_DURATION_END;
}

/* The points of time that a value has: from the first number of one to those of another one. */
static inline size_t rw_first_point(const rw_moment *moment)
{
    const int64_t interval = rw_interval_of(moment->at[RW_AT_ROW]);
    return interval == RW_ROW_DURATION_END ? RW_POINT : interval == RW_ROW_DURATION ? RW_AT_ROW : 0;
}

static inline size_t rw_end_of_points(const rw_moment *moment)
{
    const int64_t interval = rw_interval_of(moment->at[RW_AT_ROW]);
    return interval == 0 || interval == RW_ROW_START_DURATION ? RW_POINT : RW_AT_ROW;
}

/* 0: a date, 1: a time of day, 2: both. */
static inline int64_t rw_parts_of(const int64_t *point)
{
    return point[RW_AT_CLOCK_ROW] == RW_ROW_NONE ? 0 : point[RW_AT_DATE_ROW] == RW_ROW_NONE ? 1 : 2;
}

/* What follows a year: 0 for a century, 1 nothing, 2 a month, 3 and a day, 4 a day, 5 a week, 6 and a day. */
static inline int64_t rw_date_form(const int64_t *point)
{
    return point[RW_AT_DATE_ROW] / 2;
}

/* 0: hours, 1: and minutes, 2: and seconds. */
static inline int64_t rw_precision(const int64_t *point)
{
    return (point[RW_AT_CLOCK_ROW] - RW_ROW_CLOCKS) % 9 / 3;
}

/* 0: local time, 1: UTC, 2: local time and its difference. */
static inline int64_t rw_zone_of(const int64_t *point)
{
    return (point[RW_AT_CLOCK_ROW] - RW_ROW_CLOCKS) % 3;
}

/* The alternatives of a year (X.691 clause 32.2.3). */
static inline int64_t rw_years_of(int64_t year)
{
    return year >= 2005 && year <= 2020 ? 0 : year >= 2021 && year <= 2276 ? 1 : year >= 1749 && year <= 2004 ? 2 : 3;
}

/* A part of a text. */
typedef struct rw_scan {
    rw_text text;
    size_t at;
    size_t end;
} rw_scan;

/* The next octet; 0 at the end. */
static inline uint8_t rw_scan_next(const rw_scan *scan)
{
    return scan->at < scan->end ? rw_octet(scan->text, scan->at) : 0;
}

static inline bool rw_scan_is(rw_scan *scan, uint8_t octet)
{
    const bool is = scan->at < scan->end && rw_octet(scan->text, scan->at) == octet;
    scan->at += is ? 1 : 0;
    return is;
}

/* Where an octet is first; the end if it is nowhere. */
static inline size_t rw_scan_for(const rw_scan *scan, uint8_t octet)
{
    size_t at = scan->at;
    while (at < scan->end && rw_octet(scan->text, at) != octet) {
        at++;
    }
    return at;
}

/* The digits that come next, up to so many; false if there are none, or more than a number may have. */
static inline bool rw_scan_digits(rw_scan *scan, size_t most, size_t *count, int64_t *number)
{
    *number = 0;
    for (*count = 0; *count < most && scan->at < scan->end; (*count)++, scan->at++) {
        const uint8_t octet = rw_octet(scan->text, scan->at);
        if (octet < '0' || octet > '9') {
            break;
        }
        *number = *count < RW_MOST_DIGITS ? *number * 10 + (octet - '0') : 0;
    }
    return *count > 0 && *count <= RW_MOST_DIGITS;
}

/* A number of exactly so many digits. */
static inline bool rw_scan_number(rw_scan *scan, size_t digits, int64_t *number)
{
    size_t count;
    return rw_scan_digits(scan, digits, &count, number) && count == digits;
}

static inline bool rw_scan_is_done(const rw_scan *scan)
{
    return scan->at == scan->end;
}

/* What follows a year. */
RW_APART bool rw_scan_behind_year(rw_scan *scan, int64_t *point, int64_t *form)
{
    *form = 1;
    if (rw_scan_is_done(scan)) {
        return true;
    }
    if (!rw_scan_is(scan, '-')) {
        return false;
    }
    if (rw_scan_is(scan, 'W')) {
        if (!rw_scan_number(scan, 2, &point[RW_AT_WEEK])) {
            return false;
        }
        *form = rw_scan_is_done(scan) ? 5 : 6;
        return *form == 5 || (rw_scan_is(scan, '-') && rw_scan_number(scan, 1, &point[RW_AT_DAY]));
    }
    if (scan->end - scan->at == 3) {
        *form = 4;
        return rw_scan_number(scan, 3, &point[RW_AT_DAY]);
    }
    if (!rw_scan_number(scan, 2, &point[RW_AT_MONTH])) {
        return false;
    }
    *form = rw_scan_is_done(scan) ? 2 : 3;
    return *form == 2 || (rw_scan_is(scan, '-') && rw_scan_number(scan, 2, &point[RW_AT_DAY]));
}

RW_APART bool rw_scan_date(rw_scan scan, int64_t *point)
{
    const uint8_t sign = rw_scan_next(&scan);
    const bool is_any = sign == '+' || sign == '-';
    size_t count, usual;
    int64_t value, form = 0;
    uint8_t first;
    scan.at += is_any ? 1 : 0;
    first = rw_scan_next(&scan);
    if (!rw_scan_digits(&scan, SIZE_MAX, &count, &value)) {
        return false;
    }
    usual = rw_scan_next(&scan) == 'C' && scan.end - scan.at == 1 ? 2 : 4;
    /* More digits than usual only if they are needed. */
    if (!is_any ? count != usual : sign == '-' && count == usual ? value == 0 : count <= usual || first == '0') {
        return false;
    }
    value = sign == '-' ? -value : value;
    if (usual == 2) {
        point[RW_AT_CENTURY] = value;
        scan.at++;
    } else {
        point[RW_AT_YEAR] = value;
        point[RW_AT_YEARS] = rw_years_of(value);
        if (!rw_scan_behind_year(&scan, point, &form)) {
            return false;
        }
    }
    point[RW_AT_DATE_ROW] = form * 2 + (is_any ? 1 : 0);
    return rw_scan_is_done(&scan);
}

/* A time of day, of the point that begins at a place. */
RW_APART bool rw_scan_clock(rw_scan scan, rw_moment *moment, size_t base)
{
    int64_t *const point = moment->at + base;
    int64_t precision = 0, zone = 0, minutes;
    size_t digits = 0;
    uint8_t next;
    if (!rw_scan_number(&scan, 2, &point[RW_AT_HOURS])) {
        return false;
    }
    for (; precision < 2 && rw_scan_is(&scan, ':'); precision++) {
        if (!rw_scan_number(&scan, 2, &point[precision == 0 ? RW_AT_MINUTES : RW_AT_SECONDS])) {
            return false;
        }
    }
    next = rw_scan_next(&scan);
    if (next == '.' || next == ',') {
        scan.at++;
        if (!rw_scan_digits(&scan, SIZE_MAX, &digits, &point[RW_AT_FRACTION])) {
            return false;
        }
        rw_moment_set(moment, base + RW_AT_DIGITS, (int64_t)digits);
    }
    next = rw_scan_next(&scan);
    if (rw_scan_is(&scan, 'Z')) {
        zone = 1;
    } else if (next == '+' || next == '-') {
        scan.at++;
        zone = 2;
        point[RW_AT_IS_BEHIND] = next == '-' ? 1 : 0;
        if (!rw_scan_number(&scan, 2, &point[RW_AT_HOURS_AHEAD])) {
            return false;
        }
        if (!rw_scan_is_done(&scan)) {
            if (!rw_scan_is(&scan, ':') || !rw_scan_number(&scan, 2, &minutes)) {
                return false;
            }
            /* Minutes of zero are left out (X.691 clause 32.3). */
            if (minutes != 0) {
                rw_moment_set(moment, base + RW_AT_MINUTES_AHEAD, minutes);
            }
        }
    }
    point[RW_AT_CLOCK_ROW] = RW_ROW_CLOCKS + (digits > 0 ? 9 : 0) + precision * 3 + zone;
    return rw_scan_is_done(&scan);
}

RW_APART bool rw_scan_point(rw_scan scan, rw_moment *moment, size_t base)
{
    const size_t mark = rw_scan_for(&scan, 'T');
    rw_scan rest = scan;
    size_t digits;
    int64_t number;
    if (mark < scan.end) {
        scan.end = mark;
        rest.at = mark + 1;
        return rw_scan_date(scan, moment->at + base) && rw_scan_clock(rest, moment, base);
    }
    /* Two digits without a third digit or a C are hours. */
    if (rw_scan_digits(&rest, 3, &digits, &number) && digits == 2 && rw_scan_next(&rest) != 'C') {
        return rw_scan_clock(scan, moment, base);
    }
    return rw_scan_date(scan, moment->at + base);
}

/* Whether a fraction has at most so many digits. */
static inline bool rw_is_fraction(int64_t digits, int64_t value)
{
    return digits >= 1 && digits <= RW_MOST_DIGITS && value >= 0 && value < rw_power_of_10(digits);
}

/* Whether a duration has at least one number, and weeks alone. */
RW_APART bool rw_is_duration(const rw_moment *moment)
{
    size_t at, count = 0;
    for (at = 0; at < 7; at++) {
        if (rw_moment_has(moment, RW_AT_DURATION + at)) {
            const int64_t number = moment->at[RW_AT_DURATION + at];
            count++;
            if (number < 0 || number >= rw_power_of_10(RW_MOST_DIGITS)) {
                return false;
            }
        }
    }
    return count > 0 && (count == 1 || !rw_moment_has(moment, RW_AT_DURATION + 2))
        && (!rw_moment_has(moment, RW_AT_DURATION_DIGITS)
            || rw_is_fraction(moment->at[RW_AT_DURATION_DIGITS], moment->at[RW_AT_DURATION_FRACTION]));
}

/* Drops zeros before another number, which have no meaning (X.691 clause 32.6). Returns the last number. */
RW_APART size_t rw_drop_zeros(rw_moment *moment)
{
    size_t last = RW_AT_DURATION + 6, at;
    while (last > RW_AT_DURATION && !rw_moment_has(moment, last)) {
        last--;
    }
    for (at = RW_AT_DURATION; at < last; at++) {
        moment->has &= ~((moment->at[at] == 0 ? UINT64_C(1) : 0) << at);
    }
    return last;
}

/* The letters of a duration's numbers; those from the fourth on come after a T. */
static inline uint8_t rw_duration_letter(size_t at)
{
    return (uint8_t)"YMWDHMS"[at];
}

RW_APART bool rw_scan_duration(rw_scan scan, rw_moment *moment)
{
    size_t next = 0, end = 4, count;
    if (!rw_scan_is(&scan, 'P')) {
        return false;
    }
    while (!rw_scan_is_done(&scan)) {
        int64_t number, fraction;
        uint8_t letter;
        if (end == 4 && rw_scan_is(&scan, 'T')) {
            next = 4;
            end = 7;
        }
        if (!rw_scan_digits(&scan, SIZE_MAX, &count, &number)) {
            return false;
        }
        letter = rw_scan_next(&scan);
        if (letter == '.' || letter == ',') {
            scan.at++;
            if (!rw_scan_digits(&scan, SIZE_MAX, &count, &fraction) || scan.end - scan.at != 1) {
                return false;
            }
            rw_moment_set(moment, RW_AT_DURATION_DIGITS, (int64_t)count);
            rw_moment_set(moment, RW_AT_DURATION_FRACTION, fraction);
            letter = rw_scan_next(&scan);
        }
        while (next < end && rw_duration_letter(next) != letter) {
            next++;
        }
        if (next == end) {
            return false;
        }
        rw_moment_set(moment, RW_AT_DURATION + next, number);
        next++;
        scan.at++;
    }
    if (!rw_is_duration(moment)) {
        return false;
    }
    (void)rw_drop_zeros(moment);
    return true;
}

/* Anything but a recurring interval. */
RW_APART bool rw_scan_single(rw_scan scan, rw_moment *moment)
{
    const size_t mark = rw_scan_for(&scan, '/');
    rw_scan rest = scan;
    int64_t parts, row;
    if (mark == scan.end) {
        if (rw_scan_next(&scan) == 'P') {
            moment->at[RW_AT_ROW] = RW_ROW_DURATION;
            return rw_scan_duration(scan, moment);
        }
        if (!rw_scan_point(scan, moment, 0)) {
            return false;
        }
        parts = rw_parts_of(moment->at);
        moment->at[RW_AT_ROW] = parts == 0 ? moment->at[RW_AT_DATE_ROW] : parts == 1 ? moment->at[RW_AT_CLOCK_ROW] : RW_ROW_DATE_TIME;
        return true;
    }
    scan.end = mark;
    rest.at = mark + 1;
    if (rw_scan_next(&scan) == 'P') {
        row = RW_ROW_DURATION_END;
        if (!rw_scan_duration(scan, moment) || !rw_scan_point(rest, moment, RW_POINT)) {
            return false;
        }
        parts = rw_parts_of(moment->at + RW_POINT);
    } else {
        const bool is_duration = rw_scan_next(&rest) == 'P';
        row = is_duration ? RW_ROW_START_DURATION : RW_ROW_START_END;
        if (!rw_scan_point(scan, moment, 0)
            || !(is_duration ? rw_scan_duration(rest, moment) : rw_scan_point(rest, moment, RW_POINT))) {
            return false;
        }
        parts = rw_parts_of(moment->at);
        if (!is_duration && rw_parts_of(moment->at + RW_POINT) != parts) {
            return false;
        }
    }
    moment->at[RW_AT_ROW] = row + parts;
    return true;
}

/* Reads the extended format of ISO 8601, a century with a C after it. Numbers may be out of range. */
RW_APART bool rw_read_moment(rw_text text, rw_moment *moment)
{
    rw_scan scan = {text, 0, text.size};
    size_t count;
    int64_t recurrence;
    *moment = rw_moment_of(RW_ROW_NONE, RW_ROW_NONE, RW_ROW_NONE);
    if (!rw_scan_is(&scan, 'R')) {
        return rw_scan_single(scan, moment);
    }
    if (rw_scan_next(&scan) != '/') {
        if (!rw_scan_digits(&scan, SIZE_MAX, &count, &recurrence)) {
            return false;
        }
        rw_moment_set(moment, RW_AT_RECURRENCE, recurrence);
    }
    if (!rw_scan_is(&scan, '/') || !rw_scan_single(scan, moment) || rw_interval_of(moment->at[RW_AT_ROW]) == 0) {
        return false;
    }
    moment->at[RW_AT_ROW] += RW_ROW_RECURRING - RW_ROW_START_END;
    return true;
}

static inline bool rw_is_between(int64_t number, int64_t lower, int64_t upper)
{
    return number >= lower && number <= upper;
}

static inline bool rw_is_whole_date(const int64_t *point)
{
    const int64_t form = rw_date_form(point), most = rw_power_of_10(RW_MOST_DIGITS);
    const int64_t value = point[form == 0 ? RW_AT_CENTURY : RW_AT_YEAR];
    const bool is_any = point[RW_AT_DATE_ROW] % 2 == 1;
    return rw_is_between(value, 0, form == 0 ? 99 : 9999) != is_any && value < most && value > -most
        && rw_is_between(point[RW_AT_MONTH], 1, 12) && rw_is_between(point[RW_AT_WEEK], 1, 53)
        && rw_is_between(point[RW_AT_DAY], 1, form == 4 ? 366 : form == 6 ? 7 : 31)
        && (point[RW_AT_YEARS] == -1 || point[RW_AT_YEARS] == rw_years_of(point[RW_AT_YEAR]));
}

static inline bool rw_is_whole_clock(const rw_moment *moment, size_t base)
{
    const int64_t *const point = moment->at + base;
    const bool has_digits = rw_moment_has(moment, base + RW_AT_DIGITS), has_fraction = point[RW_AT_CLOCK_ROW] >= RW_ROW_FRACTIONS;
    /* Hour 24 is allowed only as midnight at the end of a day. */
    return (point[RW_AT_HOURS] < 24 || (point[RW_AT_MINUTES] == 0 && point[RW_AT_SECONDS] == 0 && point[RW_AT_FRACTION] == 0))
        && has_digits == has_fraction && (!has_digits || rw_is_fraction(point[RW_AT_DIGITS], point[RW_AT_FRACTION]))
        && rw_is_between(point[RW_AT_HOURS], 0, 24) && rw_is_between(point[RW_AT_MINUTES], 0, 59)
        && rw_is_between(point[RW_AT_SECONDS], 0, 60) && rw_is_between(point[RW_AT_HOURS_AHEAD], 0, 15)
        && (!rw_moment_has(moment, base + RW_AT_MINUTES_AHEAD) || rw_is_between(point[RW_AT_MINUTES_AHEAD], 1, 59));
}

/* Whether all numbers are in the ranges of ISO 8601 and of their rows. */
RW_APART bool rw_is_whole_moment(const rw_moment *moment)
{
    const int64_t interval = rw_interval_of(moment->at[RW_AT_ROW]);
    size_t base;
    for (base = rw_first_point(moment); base < rw_end_of_points(moment); base += RW_POINT) {
        const int64_t parts = rw_parts_of(moment->at + base);
        if ((parts != 1 && !rw_is_whole_date(moment->at + base)) || (parts != 0 && !rw_is_whole_clock(moment, base))) {
            return false;
        }
    }
    return (interval == 0 || interval == RW_ROW_START_END || rw_is_duration(moment))
        && (!rw_moment_has(moment, RW_AT_RECURRENCE) || moment->at[RW_AT_RECURRENCE] >= 0);
}

/* The settings of properties, in the order of X.680 table 4 (clause 38.2): a code for each, 0 for none. */
static inline bool rw_has_setting(const uint32_t *settings, unsigned property, int64_t code)
{
    const uint32_t set = settings[property / 4] >> (24 - property % 4 * 8) & 0xff;
    return set == 0 || set == (uint64_t)code;
}

static inline int64_t rw_year_setting(const int64_t *point)
{
    const bool is_century = rw_date_form(point) == 0;
    const int64_t value = point[is_century ? RW_AT_CENTURY : RW_AT_YEAR];
    const int64_t digits = (int64_t)rw_digits_of(value) + (is_century ? 2 : 0);
    if (point[RW_AT_DATE_ROW] % 2 == 1) {
        return digits > 4 ? digits : 3;
    }
    return value >= (is_century ? 16 : 1582) ? 1 : 2;
}

/* Whether a time has these settings. */
RW_APART bool rw_has_settings(const rw_moment *moment, const uint32_t *settings)
{
    const int64_t row = moment->at[RW_AT_ROW], interval = rw_interval_of(row);
    const bool is_recurring = row >= RW_ROW_RECURRING;
    const int64_t basic = row < RW_ROW_CLOCKS ? 1 : row < RW_ROW_DATE_TIME ? 2 : interval == 0 ? 3 : is_recurring ? 5 : 4;
    const int64_t kind = interval == 0 ? 0 : interval == RW_ROW_START_END ? 1 : interval == RW_ROW_DURATION ? 2
        : interval == RW_ROW_START_DURATION ? 3 : 4;
    const int64_t parts = kind == 0 || kind == 2 ? 0
        : row - (is_recurring ? RW_ROW_RECURRING - RW_ROW_START_END : 0) - interval + 1;
    const int64_t recurrence = !is_recurring ? 0 : !rw_moment_has(moment, RW_AT_RECURRENCE) ? 1
        : 1 + (int64_t)rw_digits_of(moment->at[RW_AT_RECURRENCE]);
    size_t base = rw_first_point(moment);
    if (!rw_has_setting(settings, 0, basic) || !rw_has_setting(settings, 5, kind) || !rw_has_setting(settings, 6, parts)
        || !rw_has_setting(settings, 7, recurrence)) {
        return false;
    }
    if (base == rw_end_of_points(moment)) {
        unsigned property;
        for (property = 1; property < 9; property++) {
            if ((property < 5 || property == 8) && settings[property / 4] >> (24 - property % 4 * 8) << 24 != 0) {
                return false;
            }
        }
    }
    for (; base < rw_end_of_points(moment); base += RW_POINT) {
        const int64_t *const point = moment->at + base;
        const bool has_date = rw_parts_of(point) != 1, has_clock = rw_parts_of(point) != 0;
        const int64_t digits = !rw_moment_has(moment, base + RW_AT_DIGITS) || point[RW_AT_DIGITS] < 0 ? 0
            : point[RW_AT_DIGITS] > RW_MOST_DIGITS ? RW_MOST_DIGITS : point[RW_AT_DIGITS];
        if (!rw_has_setting(settings, 1, has_date ? rw_date_form(point) + 1 : 0)
            || !rw_has_setting(settings, 2, has_date ? rw_year_setting(point) : 0)
            || !rw_has_setting(settings, 3, has_clock ? rw_precision(point) * (RW_MOST_DIGITS + 1) + digits + 1 : 0)
            || !rw_has_setting(settings, 4, has_clock ? rw_zone_of(point) + 1 : 0)
            || !rw_has_setting(settings, 8, !has_clock ? 0 : point[RW_AT_HOURS] == 24 ? 2 : 1)) {
            return false;
        }
    }
    return true;
}

/* Whether a time has one of these sets of settings, of three numbers each, if there are any. */
RW_APART bool rw_admits_moment(const rw_moment *moment, const uint32_t *settings, size_t numbers)
{
    size_t at;
    for (at = 0; at < numbers; at += 3) {
        if (rw_has_settings(moment, settings + at)) {
            return true;
        }
    }
    return numbers == 0;
}

/* Whether a text is a time that has one of the sets of settings. */
static inline bool rw_is_moment(rw_text text, const uint32_t *settings, size_t numbers, rw_moment *moment)
{
    return rw_read_moment(text, moment) && rw_is_whole_moment(moment) && rw_admits_moment(moment, settings, numbers);
}

/* The same of a text; another text than a time has them all. */
static inline bool rw_text_has_settings(rw_text text, const uint32_t *settings, size_t numbers)
{
    rw_moment moment;
    return !rw_read_moment(text, &moment) || rw_admits_moment(&moment, settings, numbers);
}

/* Text that is written. */
typedef struct rw_time_text {
    uint8_t octets[RW_TIME_TEXT];
    size_t size;
} rw_time_text;

static inline void rw_push_letter(rw_time_text *text, uint8_t letter)
{
    if (text->size < sizeof text->octets) {
        text->octets[text->size++] = letter;
    }
}

/* A number in at least so many digits, without its sign. */
static inline void rw_push_number(rw_time_text *text, int64_t number, int64_t digits)
{
    const int64_t needed = (int64_t)rw_digits_of(number);
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint8_t out[20] = {0};
    size_t at;
    const size_t count = (size_t)(digits > needed && digits <= 20 ? digits : needed);
    for (at = count; at > 0; at--, left /= 10) {
        out[at - 1] = (uint8_t)('0' + left % 10);
    }
    for (at = 0; at < count; at++) {
        rw_push_letter(text, out[at]);
    }
}

static inline void rw_push_after(rw_time_text *text, uint8_t letter, int64_t number, int64_t digits)
{
    rw_push_letter(text, letter);
    rw_push_number(text, number, digits);
}

RW_APART void rw_push_date(rw_time_text *text, const int64_t *point)
{
    const int64_t form = rw_date_form(point), value = point[form == 0 ? RW_AT_CENTURY : RW_AT_YEAR];
    if (point[RW_AT_DATE_ROW] % 2 == 1) {
        rw_push_letter(text, value < 0 ? '-' : '+');
    }
    rw_push_number(text, value, form == 0 ? 2 : 4);
    if (form == 0) {
        rw_push_letter(text, 'C');
    } else if (form == 2 || form == 3) {
        rw_push_after(text, '-', point[RW_AT_MONTH], 2);
    } else if (form >= 5) {
        rw_push_letter(text, '-');
        rw_push_after(text, 'W', point[RW_AT_WEEK], 2);
    }
    if (form == 3 || form == 4 || form == 6) {
        rw_push_after(text, '-', point[RW_AT_DAY], form == 3 ? 2 : form == 4 ? 3 : 1);
    }
}

RW_APART void rw_push_clock(rw_time_text *text, const rw_moment *moment, size_t base)
{
    const int64_t *const point = moment->at + base;
    const int64_t precision = rw_precision(point), zone = rw_zone_of(point);
    rw_push_number(text, point[RW_AT_HOURS], 2);
    if (precision > 0) {
        rw_push_after(text, ':', point[RW_AT_MINUTES], 2);
    }
    if (precision > 1) {
        rw_push_after(text, ':', point[RW_AT_SECONDS], 2);
    }
    if (point[RW_AT_CLOCK_ROW] >= RW_ROW_FRACTIONS) {
        rw_push_after(text, '.', point[RW_AT_FRACTION], point[RW_AT_DIGITS]);
    }
    if (zone == 1) {
        rw_push_letter(text, 'Z');
    } else if (zone == 2) {
        rw_push_after(text, point[RW_AT_IS_BEHIND] != 0 ? '-' : '+', point[RW_AT_HOURS_AHEAD], 2);
        if (rw_moment_has(moment, base + RW_AT_MINUTES_AHEAD)) {
            rw_push_after(text, ':', point[RW_AT_MINUTES_AHEAD], 2);
        }
    }
}

RW_APART void rw_push_point(rw_time_text *text, const rw_moment *moment, size_t base)
{
    const int64_t parts = rw_parts_of(moment->at + base);
    if (parts != 1) {
        rw_push_date(text, moment->at + base);
    }
    if (parts == 2) {
        rw_push_letter(text, 'T');
    }
    if (parts != 0) {
        rw_push_clock(text, moment, base);
    }
}

RW_APART void rw_push_duration(rw_time_text *text, const rw_moment *of)
{
    rw_moment moment = *of;
    const size_t last = rw_drop_zeros(&moment);
    bool has_mark = false;
    size_t at;
    rw_push_letter(text, 'P');
    for (at = RW_AT_DURATION; at <= last; at++) {
        if (!rw_moment_has(&moment, at)) {
            continue;
        }
        if (at >= RW_AT_DURATION + 4 && !has_mark) {
            rw_push_letter(text, 'T');
            has_mark = true;
        }
        rw_push_number(text, moment.at[at], 1);
        if (at == last && rw_moment_has(&moment, RW_AT_DURATION_DIGITS)) {
            rw_push_after(text, '.', moment.at[RW_AT_DURATION_FRACTION], moment.at[RW_AT_DURATION_DIGITS]);
        }
        rw_push_letter(text, rw_duration_letter(at - RW_AT_DURATION));
    }
}

/* The text of a time that is whole: fractions with a full stop, differences without minutes that are zero. */
RW_APART void rw_write_moment(const rw_moment *moment, rw_time_text *text)
{
    const int64_t interval = rw_interval_of(moment->at[RW_AT_ROW]);
    text->size = 0;
    if (moment->at[RW_AT_ROW] >= RW_ROW_RECURRING) {
        rw_push_letter(text, 'R');
        if (rw_moment_has(moment, RW_AT_RECURRENCE)) {
            rw_push_number(text, moment->at[RW_AT_RECURRENCE], 1);
        }
        rw_push_letter(text, '/');
    }
    if (interval == RW_ROW_DURATION || interval == RW_ROW_DURATION_END) {
        rw_push_duration(text, moment);
    } else {
        rw_push_point(text, moment, 0);
    }
    if (interval != 0 && interval != RW_ROW_DURATION) {
        rw_push_letter(text, '/');
        if (interval == RW_ROW_START_DURATION) {
            rw_push_duration(text, moment);
        } else {
            rw_push_point(text, moment, RW_POINT);
        }
    }
}
