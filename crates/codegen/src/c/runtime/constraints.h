/* Constraints that encoding rules do not take into account. */

/* How many bits there are without the zeros at the end. */
static inline uint64_t rw_word_meaning(const rw_bits *of)
{
    uint64_t bits = of->bits;
    while (bits > 0 && (of->value >> (of->bits - bits) & 1) == 0) {
        bits--;
    }
    return bits;
}

/* Whether a number is the product of a mantissa and a power of 2 within bounds; zero, if it is positive, of the mantissa 0. Other
   special values are. */
static inline bool rw_is_product(double number, int64_t least, int64_t most, int64_t least_exponent, int64_t most_exponent)
{
    const uint64_t bits = rw_real_bits(number), fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int64_t biased = (int64_t)(bits >> 52 & 0x7ff);
    int64_t mantissa, exponent;
    if (bits == 0) {
        return least <= 0 && most >= 0;
    }
    if (bits << 1 == 0 || biased == 0x7ff) {
        return true;
    }
    mantissa = (int64_t)(biased == 0 ? fraction : fraction | UINT64_C(1) << 52);
    exponent = (biased == 0 ? 1 : biased) - 1075;
    for (; (mantissa & 1) == 0; mantissa /= 2) {
        exponent++;
    }
    mantissa = bits >> 63 != 0 ? -mantissa : mantissa;
    /* It has one product for each zero that the mantissa can end with. */
    for (;;) {
        if (mantissa >= least && mantissa <= most && exponent >= least_exponent && exponent <= most_exponent) {
            return true;
        }
        if (mantissa > INT64_MAX / 2 || mantissa < INT64_MIN / 2) {
            return false;
        }
        mantissa *= 2;
        exponent--;
    }
}

/* A step of a regular expression (X.680 Annex A): a character in, or not in, ranges; two ways on, or one; the border of a word; the
   end of a match. */
typedef struct rw_step {
    char kind; /* 'i', 'n', 'e', 'g', 'b', 'm' */
    uint16_t first;
    uint16_t second;
} rw_step;

static inline bool rw_has_step(const uint64_t *steps, size_t at)
{
    return (steps[at / 64] >> (at % 64) & 1) != 0;
}

/* Adds a step; returns whether it is new. */
static inline bool rw_add_step(uint64_t *steps, size_t at)
{
    const bool is_new = !rw_has_step(steps, at);
    steps[at / 64] |= UINT64_C(1) << (at % 64);
    return is_new;
}

/* Adds the steps that are reached without a character. */
static inline void rw_close_steps(const rw_step *all, size_t count, bool at_border, uint64_t *steps)
{
    bool is_changed = true;
    while (is_changed) {
        size_t at;
        is_changed = false;
        for (at = 0; at < count; at++) {
            const char kind = all[at].kind;
            if (!rw_has_step(steps, at)) {
                continue;
            }
            if (kind == 'e' || kind == 'g') {
                is_changed |= rw_add_step(steps, all[at].first);
            }
            if (kind == 'e') {
                is_changed |= rw_add_step(steps, all[at].second);
            }
            if (kind == 'b' && at_border) {
                is_changed |= rw_add_step(steps, at + 1);
            }
        }
    }
}

static inline bool rw_is_of_a_word(uint32_t code)
{
    return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

/* Whether an expression of at most 512 steps matches the whole text, which is UTF-8. Ranges are pairs. */
static inline bool rw_matches(rw_text text, const rw_step *all, size_t count, const uint32_t *ranges)
{
    uint64_t now[8] = {0};
    uint32_t before = 0;
    size_t at = 0;
    (void)rw_add_step(now, 0);
    for (;;) {
        unsigned octets = 0;
        uint64_t then[8] = {0};
        const uint32_t next = at < text.size ? rw_character(text, at, &octets) : 0;
        size_t step;
        bool is_some = false;
        rw_close_steps(all, count, rw_is_of_a_word(before) != rw_is_of_a_word(next), now);
        if (octets == 0) {
            return at >= text.size && rw_has_step(now, count - 1);
        }
        for (step = 0; step + 1 < count; step++) {
            const rw_step one = all[step];
            if (!rw_has_step(now, step) || (one.kind != 'i' && one.kind != 'n')) {
                continue;
            }
            /* Without ranges, no character is in them. */
            if ((one.second > 0 && rw_is_in(next, ranges + one.first, one.second)) == (one.kind == 'i')) {
                is_some |= rw_add_step(then, step + 1);
            }
        }
        if (!is_some) {
            return false;
        }
        memcpy(now, then, sizeof now);
        before = next;
        at += octets;
    }
}
