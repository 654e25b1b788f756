/* Any octets for generated C, under libFuzzer: what is accepted is written, read and written again.
 *
 * codecs.h, which `build` writes, has the headers and two lists of codecs: PLAIN(message, rules), and TAKES(message, rules) of those that take memory.
 * The first octet of an input selects one of them. */
#include "codecs.h"

#include <stdio.h>
#include <stdlib.h>

#define ROOM (1 << 18)

/* Ends with what is wrong, which the fuzzer keeps. */
static void wrong(const char *what, const char *codec, const rw_error *error)
{
    char path[200];
    rw_path(error, path, sizeof path);
    fprintf(stderr, "%s: %s: %s at bit %lu: %s\n", codec, what, path, (unsigned long)error->bit, rw_code(error->code));
    abort();
}

/* Whether an encoder may refuse what was accepted: limits of the output, of what it sorts, and of bits in a word. Packed encoders also refuse named bits
 * beyond an extensible size whose last bit is zero: the interpreter leaves that bit out. */
static int is_known(const rw_error *error, const char *codec)
{
    int is_limit = error->code == RW_OUTPUT_FULL || error->code == RW_MEMORY || error->code == RW_SIZE_CAPACITY;
    return is_limit || (error->code == RW_SIZE_RANGE && strstr(codec, "per") != NULL);
}

static uint64_t memory[2][1 << 16];
static uint8_t out[ROOM], other[ROOM];

#define IN_PLACE(place)
#define IN_MEMORY(place) &arena[place],
#define PLAIN(message, rules) CODEC(message, rules, message##_decode_##rules, IN_PLACE)
#define TAKES(message, rules) CODEC(message, rules, message##_decode_##rules##_in, IN_MEMORY)

/* A value holds 0x55 before: a decoder sets all that it reads. Each encoding has an allocation of its own, without an octet to spare. */
#define CODEC(message, rules, decode, MEMORY)                                                                          \
    static void message##_##rules(const uint8_t *in, size_t size)                                                      \
    {                                                                                                                  \
        static message first, second;                                                                                  \
        const char *name = #message " " #rules;                                                                        \
        rw_arena arena[2] = {rw_arena_of(memory[0], sizeof memory[0]), rw_arena_of(memory[1], sizeof memory[1])};      \
        rw_error error = {0};                                                                                          \
        ptrdiff_t length, again, count;                                                                                \
        uint8_t *exact;                                                                                                \
        (void)arena;                                                                                                   \
        memset(&first, 0x55, sizeof first);                                                                            \
        count = decode(&first, in, size, MEMORY(0) &error);                                                            \
        if (count < 0) {                                                                                               \
            refused(&error, size);                                                                                     \
            return;                                                                                                    \
        }                                                                                                              \
        if ((size_t)count > size) {                                                                                    \
            wrong("read more than there is", name, &error);                                                            \
        }                                                                                                              \
        length = message##_encode_##rules(&first, out, sizeof out, &error);                                            \
        if (length < 0) {                                                                                              \
            if (!is_known(&error, name)) {                                                                             \
                wrong("accepted, but not written", name, &error);                                                      \
            }                                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        exact = malloc(length == 0 ? 1 : (size_t)length);                                                              \
        if (message##_encode_##rules(&first, exact, (size_t)length, &error) != length                                  \
            || memcmp(exact, out, (size_t)length) != 0) {                                                              \
            wrong("not written into its own length", name, &error);                                                    \
        }                                                                                                              \
        if (length > 0 && message##_encode_##rules(&first, other, (size_t)length - 1, &error) >= 0) {                  \
            wrong("written into less than its length", name, &error);                                                  \
        }                                                                                                              \
        memset(&second, 0xaa, sizeof second);                                                                          \
        again = decode(&second, exact, (size_t)length, MEMORY(1) &error);                                              \
        if (again != length && !(again < 0 && error.code == RW_MEMORY)) {                                              \
            wrong("written, but not read again", name, &error);                                                        \
        }                                                                                                              \
        if (again == length                                                                                            \
            && (message##_encode_##rules(&second, other, sizeof other, &error) != length                               \
                || memcmp(other, out, (size_t)length) != 0)) {                                                         \
            wrong("written in another way", name, &error);                                                             \
        }                                                                                                              \
        free(exact);                                                                                                   \
    }

/* An error has its place in the input, and a path and a code that can be printed. */
static void refused(const rw_error *error, size_t size)
{
    char path[200];
    rw_path(error, path, sizeof path);
    if (error->bit > 8 * (uint64_t)size || rw_code(error->code)[0] == '\0') {
        wrong("a place outside of the input", "", error);
    }
}

CODECS

#undef PLAIN
#undef TAKES
#define PLAIN(message, rules) message##_##rules,
#define TAKES(message, rules) message##_##rules,

static void (*const codecs[])(const uint8_t *, size_t) = {CODECS};

int LLVMFuzzerTestOneInput(const uint8_t *in, size_t size)
{
    if (size > 0) {
        codecs[in[0] % (sizeof codecs / sizeof codecs[0])](in + 1, size - 1);
    }
    return 0;
}
