/* A codec in C with messages: what src/codecs.rs is in Rust.
 *
 *     PROGRAM takes FILE                 prints the lines of FILE, messages in hexadecimal digits, that it reads and writes again as they are
 *     PROGRAM probe DIRECTION:FILE...    encodes or decodes each message once, for Callgrind
 *
 * A program defines four functions before it includes this. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 65536
#define NOT_INLINED __attribute__((noinline))

/* Reads a message into a place of its own, or returns NULL. */
static void *load(const uint8_t *octets, size_t size);
/* Reads a message into a place that is used again, and frees what has to be freed: whether it did. */
static int decode(const uint8_t *octets, size_t size);
/* Writes a message: how many octets, or a negative number. */
static long encode(void *value, uint8_t *out, size_t size);
/* Frees what load gave. */
static void unload(void *value);

struct message {
    uint8_t *octets;
    size_t size;
    void *value;
};

static struct message messages[1000];
static size_t count;
static uint8_t out[ROOM];
static int failed;

static NOT_INLINED void encode_all(void)
{
    for (size_t at = 0; at < count; at++) {
        failed |= encode(messages[at].value, out, sizeof out) < 0;
    }
}

static NOT_INLINED void decode_all(void)
{
    for (size_t at = 0; at < count; at++) {
        failed |= !decode(messages[at].octets, messages[at].size);
    }
}

static NOT_INLINED void roadwire_probe_region(void (*work)(void))
{
    work();
    __asm__ volatile("" ::: "memory");
}

static NOT_INLINED void roadwire_probe_mark(void)
{
    __asm__ volatile("" ::: "memory");
}

/* Adds a message that comes back as it is. */
static int add(const char *line)
{
    static uint8_t octets[ROOM];
    struct message *one = &messages[count];
    unsigned octet;
    size_t size = 0;
    long length;
    for (; size < ROOM && sscanf(line + 2 * size, "%2x", &octet) == 1; size++) {
        octets[size] = (uint8_t)octet;
    }
    one->octets = malloc(size + 1);
    memcpy(one->octets, octets, size);
    one->size = size;
    one->value = load(one->octets, size);
    if (one->value == NULL) {
        return 0;
    }
    length = encode(one->value, out, sizeof out);
    if (length != (long)size || memcmp(out, octets, size) != 0) {
        unload(one->value);
        return 0;
    }
    count++;
    return 1;
}

/* Reads a file's messages; with `prints`, writes those that it takes. */
static int read_all(const char *path, int prints)
{
    static char line[2 * ROOM + 2];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    count = 0;
    while (count < sizeof messages / sizeof messages[0] && fgets(line, sizeof line, file) != NULL) {
        if (add(line) && prints) {
            fputs(line, stdout);
        }
    }
    fclose(file);
    return 1;
}

int main(int arguments, char **argument)
{
    if (arguments == 3 && strcmp(argument[1], "takes") == 0) {
        return !read_all(argument[2], 1);
    }
    for (int at = 2; at < arguments; at++) {
        int encodes = strncmp(argument[at], "encode:", 7) == 0;
        void (*work)(void) = encodes ? encode_all : decode_all;
        if (!read_all(argument[at] + 7, 0)) {
            return 1;
        }
        /* Before it is counted: functions of libraries are found at their first call. */
        work();
        roadwire_probe_region(work);
        roadwire_probe_mark();
        puts(argument[at]);
    }
    return failed;
}
