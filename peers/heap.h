/* Counts the heap of one operation, as crates/measure/src/heap.rs does: octets as asked for, without what the allocator adds. The functions here replace those of glibc, for
   libraries and for C++'s operator new as well; while nothing is counted they cost one load of a flag. */
#include <stddef.h>
#include <stdlib.h>

static struct { long long requested, peak, retained, count; } heap;
static int is_counting, is_heap_lost;

#ifdef __GLIBC__
#define CAN_COUNT 1
#include <errno.h>
#include <malloc.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define NO_THROW __THROW
#else
#define NO_THROW
#endif

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

/* The blocks of the counted operation, by their addresses: open addressing; a freed one keeps its place with no size. */
#define BLOCKS (1 << 16)
static struct { void *block; size_t size; } blocks[BLOCKS];

static size_t place_of(void *block) {
    size_t at = ((uintptr_t)block >> 4) * 2654435761u % BLOCKS, tried = 0;
    while (blocks[at].block && blocks[at].block != block && tried++ < BLOCKS)
        at = (at + 1) % BLOCKS;
    return at;
}

static void note_request(void *block, size_t size) {
    size_t at;
    if (!block)
        return;
    at = place_of(block);
    is_heap_lost |= blocks[at].block && blocks[at].block != block;
    blocks[at].block = block;
    blocks[at].size = size;
    heap.count++;
    heap.requested += size;
    heap.retained += size;
    if (heap.retained > heap.peak)
        heap.peak = heap.retained;
}

/* How large a block is: of one from before the operation, what the allocator has for it. */
static size_t size_of_block(void *block) {
    size_t at = place_of(block);
    return blocks[at].block == block ? blocks[at].size : malloc_usable_size(block);
}

static void note_release(void *block, size_t size) {
    size_t at = place_of(block);
    if (blocks[at].block == block)
        blocks[at].size = 0;
    heap.retained -= size;
}

void *malloc(size_t size) NO_THROW {
    void *block = __libc_malloc(size);
    if (is_counting)
        note_request(block, size);
    return block;
}

void *calloc(size_t count, size_t size) NO_THROW {
    void *block = __libc_calloc(count, size);
    if (is_counting)
        note_request(block, count * size);
    return block;
}

void *realloc(void *old, size_t size) NO_THROW {
    size_t before = is_counting && old ? size_of_block(old) : 0;
    void *block = __libc_realloc(old, size);
    if (is_counting && (block || !size)) {
        if (old)
            note_release(old, before);
        note_request(block, size);
    }
    return block;
}

void free(void *block) NO_THROW {
    if (is_counting && block)
        note_release(block, size_of_block(block));
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) NO_THROW {
    void *block = __libc_memalign(alignment, size);
    if (is_counting)
        note_request(block, size);
    return block;
}

void *aligned_alloc(size_t alignment, size_t size) NO_THROW {
    return memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) NO_THROW {
    void *block = memalign(alignment, size);
    if (block)
        *place = block;
    return block ? 0 : ENOMEM;
}

#ifdef __cplusplus
}
#endif

static void start_counting(void) {
    memset(blocks, 0, sizeof blocks);
    memset(&heap, 0, sizeof heap);
    is_heap_lost = 0;
    is_counting = 1;
}
#else
#define CAN_COUNT 0
static void start_counting(void) {}
#endif
