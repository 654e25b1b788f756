/* roadwire's generated C: message.h names the type and the rules. Of a decoded value, what is not in place is in memory that is given. */
#include "message.h"
#include "../../peers/protocol.h"

static const struct {
    const char *name;
    ptrdiff_t (*encode)(const MESSAGE *value, uint8_t *out, size_t size, rw_error *error);
    ptrdiff_t (*decode)(MESSAGE *value, const uint8_t *in, size_t size, rw_arena *arena, rw_error *error);
} all[] = {
#define ROW(rules, encoder, decoder) {rules, encoder, decoder},
    EACH_CODEC(ROW)
};
static size_t rules;

/* A value, with the octets to which it refers. */
struct place {
    MESSAGE value;
    uint64_t memory[ROOM / 8];
    uint8_t octets[ROOM];
};
/* The one that is decoded again and again. */
static struct place again;

static int start(const char *name, const char *message) {
    (void)message;
    for (rules = 0; rules < sizeof all / sizeof *all; rules++)
        if (strcmp(name, all[rules].name) == 0)
            return 1;
    return 0;
}

static size_t size(void) {
    return sizeof(MESSAGE);
}

static long encode(void *message, unsigned char *output) {
    rw_error error;
    ptrdiff_t count = all[rules].encode(&((struct place *)message)->value, output, ROOM, &error);
    return count < 0 ? -1 : (long)count;
}

static void release(void *message) {
    if (message != &again)
        free(message);
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    struct place *place = loaded ? (struct place *)malloc(sizeof *place) : &again;
    rw_arena arena;
    rw_error error;
    if (!place)
        return NULL;
    if (loaded)
        octets = memcpy(place->octets, octets, count);
    arena = rw_arena_of(place->memory, sizeof place->memory);
    if (all[rules].decode(&place->value, octets, count, &arena, &error) >= 0)
        return place;
    release(place);
    return NULL;
}
