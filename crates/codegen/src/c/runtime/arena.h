/* Memory that a caller gives: for what has no place in a value. A decoder takes of it what it needs; `used = 0` gives all back. */
typedef struct rw_arena {
    void *memory;
    size_t size;
    size_t used;
} rw_arena;

static inline rw_arena rw_arena_of(void *memory, size_t size)
{
    rw_arena arena = {memory, size, 0};
    return arena;
}

/* So many octets that any type may be in; NULL if there are not so many. */
static inline void *rw_new(rw_arena *arena, size_t octets)
{
    uint8_t *next = (uint8_t *)arena->memory + arena->used;
    size_t padding = (8 - (size_t)((uintptr_t)next % 8)) % 8, left = arena->size - arena->used;
    if (left < padding || left - padding < octets) {
        return NULL;
    }
    arena->used += padding + octets;
    return next + padding;
}

/* The elements of a list; NULL if there are none, or no room for them. */
static inline void *rw_new_list(rw_arena *arena, uint64_t count, size_t size)
{
    return count == 0 || count > SIZE_MAX / size ? NULL : rw_new(arena, (size_t)count * size);
}

/* Where a list of so many elements has room for one more: there is room for a power of two. */
static inline void *rw_grow(rw_arena *arena, void *items, uint32_t count, size_t size)
{
    size_t octets = count * size;
    void *more;
    if ((count & (count - 1)) != 0) {
        return items;
    }
    if (count > UINT32_MAX / 2 || octets > SIZE_MAX / 2) {
        return NULL;
    }
    if (count > 0 && (uint8_t *)items + octets == (uint8_t *)arena->memory + arena->used) {
        arena->used += arena->size - arena->used < octets ? 0 : octets;
        return (uint8_t *)items + octets == (uint8_t *)arena->memory + arena->used ? NULL : items;
    }
    more = rw_new(arena, count == 0 ? size : 2 * octets);
    if (more != NULL && count > 0) {
        memcpy(more, items, octets);
    }
    return more;
}
