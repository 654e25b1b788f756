/* Stack of an operation below its caller, as crates/measure/src/stack.rs measures it: on a thread of its own the stack is painted with volatile writes, the operation runs, and the
   deepest word without its paint counts; an empty call is subtracted. */
#include <pthread.h>
#include <stdint.h>

#define PAINTED (512 * 1024)
/* The thread's stack beyond the painted part. */
#define RESERVE (4 * 1024 * 1024)
/* Room for the frames of `fill` and `scan` themselves. */
#define MARGIN 2048
#define NOT_INLINED __attribute__((noinline))

/* A different word everywhere, so that copied stack does not look like paint. */
static inline uint64_t paint(uintptr_t address) {
    return (uint64_t)address * 0x9e3779b97f4a7c15u ^ 0xa5a5a5a5a5a5a5a5u;
}

static NOT_INLINED void fill(uintptr_t top) {
    for (uintptr_t at = top - PAINTED; at < top - MARGIN; at += sizeof(uint64_t))
        *(volatile uint64_t *)at = paint(at);
}

static NOT_INLINED long scan(uintptr_t top) {
    uintptr_t at = top - PAINTED;
    while (at < top - MARGIN && *(volatile uint64_t *)at == paint(at))
        at += sizeof(uint64_t);
    return at > top - PAINTED ? (long)(top - at) : -1;
}

/* Calls `work` with a frame in between that is larger than MARGIN. */
static NOT_INLINED void step_over(void (*work)(void)) {
    volatile char padding[MARGIN + 256];
    padding[0] = 0;
    /* clang keeps the octets of an array that are used, and drops the others. */
    __asm__ volatile("" : : "r"(padding) : "memory");
    work();
    padding[1] = padding[0];
}

/* Octets between this frame and the deepest word that `work` touched, or -1 if these are more than PAINTED. */
static NOT_INLINED long depth(void (*work)(void)) {
    volatile uint64_t mark = 0;
    uintptr_t top = (uintptr_t)&mark & ~(uintptr_t)7;
    fill(top);
    step_over(work);
    return scan(top);
}

static NOT_INLINED void nothing(void) {
    __asm__ volatile("");
}

struct stack_of {
    void (*work)(void);
    long used;
};

static void *on_thread(void *argument) {
    struct stack_of *stack = (struct stack_of *)argument;
    long empty, used;
    stack->work();
    empty = depth(nothing);
    used = depth(stack->work);
    stack->used = used < 0 ? -1 : used > empty ? used - empty : 0;
    return NULL;
}

/* Octets of stack, -1 if these are more than PAINTED, or -2 without a thread. */
static long stack_of(void (*work)(void)) {
    struct stack_of stack = {work, -2};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, PAINTED + RESERVE) == 0 &&
        pthread_create(&thread, &attributes, on_thread, &stack) == 0)
        pthread_join(thread, NULL);
    return stack.used;
}
