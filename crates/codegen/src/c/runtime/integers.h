/* INTEGERs of any length. */

/* The octet at a place, counted from the lowest; those above all others repeat the sign. */
static inline unsigned rw_octet_at(rw_integer of, size_t place)
{
    if (place < of.size) {
        return of.octets[of.size - 1 - place];
    }
    return of.size > 0 && of.octets[0] >= 0x80 ? 0xff : 0;
}

/* Below 0 if the first one is less, above 0 if it is greater. */
RW_APART int rw_compare(rw_integer one, rw_integer other)
{
    bool is_negative;
    one = rw_fewest(one);
    other = rw_fewest(other);
    is_negative = one.octets[0] >= 0x80;
    if (is_negative != (other.octets[0] >= 0x80)) {
        return is_negative ? -1 : 1;
    }
    if (one.size != other.size) {
        return (one.size < other.size) != is_negative ? -1 : 1;
    }
    return memcmp(one.octets, other.octets, one.size);
}

/* The bounds of an INTEGER; without octets there is none. */
typedef struct rw_range {
    rw_integer lower, upper;
    bool is_far; /* a number outside is too wide, however short it is */
} rw_range;

static inline bool rw_is_outside(rw_integer number, const rw_range *range)
{
    return (range->lower.size > 0 && rw_compare(number, range->lower) < 0)
        || (range->upper.size > 0 && rw_compare(number, range->upper) > 0);
}

/* Checks a number that was in so many octets: an error tells it, if these are up to 16. */
static inline int rw_check_range(rw_integer number, const rw_range *range, size_t octets)
{
    if (!rw_is_outside(number, range)) {
        return 0;
    }
    return range->is_far || octets > 16 || rw_fewest(number).size > 16 ? RW_INTEGER_WIDTH : RW_INTEGER_RANGE;
}

/* How many octets a number has in place at most. */
#define RW_WIDE 64

/* Where a number is read to: so many octets in place, or memory of an arena. */
typedef struct rw_wide {
    uint8_t *octets;
    size_t size;
    rw_integer *integer;
    rw_arena *arena;
    uint8_t place[RW_WIDE + 4]; /* a number in place has room here that is outside its bounds */
} rw_wide;

static inline void rw_wide_in(rw_wide *to, uint8_t *octets, size_t size)
{
    to->octets = octets;
    to->size = size;
    to->integer = NULL;
    to->arena = NULL;
}

static inline void rw_wide_new(rw_wide *to, rw_arena *arena, rw_integer *integer)
{
    to->octets = NULL;
    to->size = 0;
    to->integer = integer;
    to->arena = arena;
}

/* Room for a number of up to so many octets: if it is in place, for less. NULL if there is no memory. */
static inline uint8_t *rw_wide_room(rw_wide *to, size_t octets, size_t *room)
{
    *room = to->integer == NULL ? sizeof to->place : octets;
    return to->integer == NULL ? to->place : to->arena == NULL ? NULL : (uint8_t *)rw_new(to->arena, octets);
}

/* Sets a number that has been read out of so many octets, if it is within bounds. */
RW_APART int rw_set_wide(rw_wide *to, rw_integer number, const rw_range *range, size_t octets)
{
    const int status = rw_check_range(number, range, octets);
    size_t place;
    number = rw_fewest(number);
    if (status != 0) {
        return status;
    }
    if (to->integer != NULL) {
        *to->integer = number;
        return 0;
    }
    if (number.size > to->size) {
        return RW_INTEGER_WIDTH;
    }
    for (place = 0; place < to->size; place++) {
        to->octets[to->size - 1 - place] = (uint8_t)rw_octet_at(number, place);
    }
    return 0;
}

/* Adds a number to another one in so many octets, which have room for the sum. */
static inline void rw_add(uint8_t *octets, size_t size, rw_integer more)
{
    unsigned carry = 0;
    size_t place;
    for (place = 0; place < size; place++) {
        carry += octets[size - 1 - place] + rw_octet_at(more, place);
        octets[size - 1 - place] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* How many octets a number less another one takes, which is not greater: without sign, one at least. The lowest ones of them
   become those of an array. */
static inline size_t rw_subtract(rw_integer number, rw_integer less, uint8_t *octets, size_t size)
{
    const size_t most = (number.size > less.size ? number.size : less.size) + 1;
    unsigned borrow = 0;
    size_t place, used = 1;
    for (place = 0; place < most || place < size; place++) {
        const unsigned difference = 0x100 + rw_octet_at(number, place) - rw_octet_at(less, place) - borrow;
        borrow = (difference & 0x100) == 0;
        if ((difference & 0xff) != 0) {
            used = place + 1;
        }
        if (place < size) {
            octets[size - 1 - place] = (uint8_t)difference;
        }
    }
    return used;
}

/* A number that is read: an octet and more of them, each under a mask, plus another number. Of two's complement, the octet has the
   sign. */
RW_APART int rw_read_wide(rw_wide *to, unsigned first, rw_octets rest, unsigned mask, rw_integer plus, const rw_range *range)
{
    const uint8_t sign = first >= 0x80 ? 0xff : 0;
    const bool has_plus = rw_fewest(plus).size > 1 || rw_octet_at(plus, 0) != 0;
    size_t place = rest.size + 1, at = 0, room;
    uint8_t *octets;
    bool fits = true;
    if (!has_plus && mask == 0 && rest.bit == 0 && rest.size > 0 && first == (rest.octets[0] >= 0x80 ? 0xffu : 0u)) {
        return rw_set_wide(to, rw_integer_from(rest.octets, rest.size), range, rest.size);
    }
    octets = rw_wide_room(to, (place > plus.size ? place : plus.size) + 1, &room);
    if (octets == NULL) {
        return RW_MEMORY;
    }
    memset(octets, sign, room);
    place--;
    if (place < room) {
        octets[room - 1 - place] = (uint8_t)first;
    } else {
        fits = first == sign;
    }
    while (at < rest.size) {
        rw_octets piece = rw_piece(rest, at);
        at += piece.size;
        while (piece.size > 0) {
            const uint8_t octet = (uint8_t)(rw_next_octet(&piece) ^ mask);
            place--;
            if (place < room) {
                octets[room - 1 - place] = octet;
            } else {
                fits = fits && octet == sign;
            }
        }
    }
    if (!fits || (octets[0] >= 0x80) != (sign != 0)) {
        return RW_INTEGER_WIDTH;
    }
    if (has_plus) {
        rw_add(octets, room, plus);
    }
    return rw_set_wide(to, rw_integer_from(octets, room), range, rest.size);
}
